/*
 * Options as text, such that hcbr_options_set() of the text gives the same value.
 */
#include "options/options.h"

/** A growing text; the part that does not fit is counted. */
typedef struct writing {
    char *to;
    size_t room, used;
} writing;

static void put(writing *w, char c) {
    if (w->used + 1 < w->room)
        w->to[w->used] = c;
    w->used++;
}

static void put_text(writing *w, const char *text) {
    for (; text && *text; text++)
        put(w, *text);
}

/** An item of a list, with its commas escaped. */
static void put_item(writing *w, const char *text) {
    for (; *text; text++) {
        if (*text == ',')
            put(w, '\\');
        put(w, *text);
    }
}

static void put_number(writing *w, double value) {
    char text[HCBR_NUMBER_SIZE];
    hcbr_number_format(text, value);
    put_text(w, text);
}

static void put_count(writing *w, uint64_t value) {
    char digits[24];
    size_t at = sizeof digits;
    digits[--at] = '\0';
    do
        digits[--at] = (char)('0' + value % 10);
    while (value /= 10);
    put_text(w, digits + at);
}

static void put_size(writing *w, uint64_t value) {
    unsigned step = 0;
    for (; step < 3 && value > 0 && value % 1024 == 0; step++)
        value /= 1024;
    put_count(w, value);
    if (step)
        put(w, "KMG"[step - 1]);
}

static void put_character(writing *w, int c) {
    if (c < 0)
        put_text(w, "none");
    else if (c == '\t')
        put_text(w, "tab");
    else if (c > 0)
        put(w, (char)c);
}

static void put_word(writing *w, const char *const *words, int value) {
    for (int i = 0; words[i]; i++)
        if (i == value)
            put_text(w, words[i]);
}

static void put_pair(writing *w, const char *first, char between, const char *second) {
    put_text(w, first);
    put(w, between);
    put_text(w, second);
}

static void put_pairs(writing *w, const hcbr_read_options *o, const hcbr_option *x) {
    const size_t used = w->used;
    const size_t count = hcbr_i_option_is(x, "split")  ? o->split_count
                         : hcbr_i_option_is(x, "type") ? o->type_count
                                                       : o->join_count;
    for (size_t i = 0; i < count; i++) {
        if (w->used > used)
            put(w, '\n');
        if (hcbr_i_option_is(x, "split"))
            put_pair(w, o->split[i].column, ':', o->split[i].separator);
        else if (hcbr_i_option_is(x, "type"))
            put_pair(w, o->types[i].column, '=', o->types[i].kind);
        else {
            put_pair(w, o->join[i].path, ':', o->join[i].key);
            if (o->join[i].name)
                put_pair(w, "", '@', o->join[i].name);
        }
    }
}

static void put_value(writing *w, bool *first, const char *name, double value) {
    if (!*first)
        put(w, ',');
    *first = false;
    put_item(w, name);
    put(w, '=');
    put_number(w, value);
}

static void put_costs(writing *w, const hcbr_tune_options *o) {
    bool first = true;
    for (size_t i = 0; i < o->cost_count; i++) {
        const hcbr_cost *c = &o->costs[i];
        if (!first)
            put(w, ',');
        first = false;
        if (c->truth) {
            put_item(w, c->truth);
            put(w, ':');
        }
        put_item(w, c->given ? c->given : "unknown");
        put(w, '=');
        put_number(w, c->cost);
    }
    if (o->cost_count || o->goal != HCBR_GOAL_COST)
        return;
    put_value(w, &first, "fp", o->cost_fp);
    put_value(w, &first, "fn", o->cost_fn);
    if (o->cost_unknown >= 0)
        put_value(w, &first, "unknown", o->cost_unknown);
}

static void put_values(writing *w, const void *structure, const hcbr_option *x) {
    const hcbr_rule *rule = structure;
    bool first = true;
    if (hcbr_i_option_is(x, "cost")) {
        put_costs(w, structure);
        return;
    }
    for (size_t i = 0; i < rule->threshold_count; i++) {
        const hcbr_threshold *t = &rule->thresholds[i];
        const double value = hcbr_i_option_is(x, "eta") ? t->eta : t->eta_share;
        if (value > 0)
            put_value(w, &first, t->label, value);
    }
}

static void put_list(writing *w, const void *list, size_t count, const hcbr_option *x) {
    const char *const *texts = list;
    const uint32_t *counts = list;
    for (size_t i = 0; list && i < count; i++) {
        if (i > 0)
            put(w, ',');
        if (x->kind == HCBR_OPTION_TEXTS)
            put_item(w, texts[i]);
        else
            put_count(w, counts[i]);
    }
}

/** The value of a field that is not a list, and as a double. */
static void put_scalar(writing *w, const char *field, const hcbr_option *x) {
    double real = 0;
    uint64_t wide = 0;
    uint32_t narrow = 0;
    int number = 0;
    if (x->real)
        memcpy(&real, field, sizeof real), wide = real > 0 ? (uint64_t)real : 0;
    else if (x->size == sizeof narrow)
        memcpy(&narrow, field, sizeof narrow), wide = narrow, memcpy(&number, field, sizeof number);
    else
        memcpy(&wide, field, sizeof wide);
    const int yes = x->yes ? x->yes : 1;
    switch (x->kind) {
    case HCBR_OPTION_FLAG:
        put_text(w, (x->real ? real == yes : number == yes) ? "true" : "false");
        break;
    case HCBR_OPTION_COUNT:
        put_count(w, wide);
        break;
    case HCBR_OPTION_SIZE:
        put_size(w, wide);
        break;
    case HCBR_OPTION_SHARE:
        put_number(w, real);
        break;
    case HCBR_OPTION_WORD:
        put_word(w, x->words, number);
        break;
    case HCBR_OPTION_CHARACTER:
        put_character(w, number);
        break;
    default:
        put_text(w, *(const char *const *)(const void *)field);
    }
}

size_t hcbr_options_get(const hcbr_options *options, const char *name, char *text, size_t room) {
    const hcbr_option *x = options && name ? hcbr_i_option_find(name, strlen(name)) : NULL;
    const char *structure = x ? hcbr_i_option_structure(options, x) : NULL;
    writing w = {text, room, 0};
    if (!structure)
        return SIZE_MAX;
    if (x->kind == HCBR_OPTION_PAIRS)
        put_pairs(&w, (const void *)structure, x);
    else if (x->kind == HCBR_OPTION_VALUES)
        put_values(&w, structure, x);
    else if (x->count_at)
        put_list(&w, *(const void *const *)(const void *)(structure + x->at),
                 *(const size_t *)(const void *)(structure + x->count_at), x);
    else
        put_scalar(&w, structure + x->at, x);
    if (room)
        text[w.used < room ? w.used : room - 1] = '\0';
    return w.used;
}
