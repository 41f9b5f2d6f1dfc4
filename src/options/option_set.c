/*
 * Options from text.
 *
 * Invariant: a value is read completely before a field is written, so that a failure changes
 * nothing. Texts and lists of the fields are in the memory of the options.
 */
#include "options/options.h"

#include <hcbr/text.h>

#include <stdarg.h>
#include <stdio.h>

/* ---- set options, memory, messages ----------------------------------------------------------- */

void hcbr_i_option_give(hcbr_options *o, size_t bit) {
    o->given[bit / 64] |= (uint64_t)1 << bit % 64;
}

bool hcbr_i_option_has(const hcbr_options *o, size_t bit) {
    return o->given[bit / 64] >> bit % 64 & 1;
}

static size_t bit_of(const hcbr_option *option) {
    return (size_t)(option - hcbr_option_at(0));
}

bool hcbr_i_option_is_given(const hcbr_options *o, const char *name) {
    return hcbr_i_option_has(o, bit_of(hcbr_i_option_find(name, strlen(name))));
}

void hcbr_options_clear(hcbr_options *options) {
    hcbr_i_arena *arena;
    if (!options || !(arena = options->memory))
        return;
    hcbr_i_arena_clear(arena);
    hcbr_i_free(arena);
    options->memory = NULL;
    memset(options->given, 0, sizeof options->given);
}

void *hcbr_i_setting_memory(const hcbr_i_setting *s, size_t count, size_t size) {
    hcbr_options *o = s->options;
    if (!o->memory)
        o->memory = hcbr_i_alloc_zero(1, sizeof(hcbr_i_arena));
    void *room = o->memory ? hcbr_i_arena_array(o->memory, count, size) : NULL;
    if (!room)
        hcbr_i_no_memory(s->err);
    return room;
}

char *hcbr_i_setting_copy(const hcbr_i_setting *s, const char *text) {
    const size_t size = strlen(text) + 1;
    char *copy = hcbr_i_setting_memory(s, size, 1);
    return copy ? memcpy(copy, text, size) : NULL;
}

hcbr_status hcbr_i_setting_refuse(const hcbr_i_setting *s, const char *shown, const char *format,
                                  ...) {
    char expected[300];
    va_list list;
    va_start(list, format);
    vsnprintf(expected, sizeof expected, format, list);
    va_end(list);
    return hcbr_i_fail(s->err, HCBR_EUSAGE, "option %s %.160s: %s", s->option->name,
                       shown && shown[0] ? shown : "''", expected);
}

/* ---- values ---------------------------------------------------------------------------------- */

/** A value that is not a list. */
typedef union scalar {
    uint64_t count;
    double real;
    int number; /**< of a flag, a word or a character */
    const char *text;
} scalar;

/** Digits and, of sizes, perhaps K, M or G. *fits: at most 64 bits. */
static bool parse_count(const char *text, bool size, uint64_t *out, bool *fits) {
    uint64_t value = 0;
    const size_t digits = strspn(text, "0123456789");
    *fits = true;
    for (size_t i = 0; i < digits; i++)
        *fits = *fits && !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
                !__builtin_add_overflow(value, (uint64_t)(text[i] - '0'), &value);
    const char *rest = text + digits;
    const unsigned shift = !size          ? 0
                           : *rest == 'K' ? 10
                           : *rest == 'M' ? 20
                           : *rest == 'G' ? 30
                                          : 0;
    rest += shift > 0;
    *fits = *fits && value <= UINT64_MAX >> shift;
    *out = value << shift;
    return digits > 0 && !*rest;
}

static hcbr_status read_count(const hcbr_i_setting *s, scalar *out) {
    const hcbr_option *x = s->option;
    const uint64_t most = x->size == 4 && x->most > UINT32_MAX ? UINT32_MAX : x->most;
    bool fits;
    if (!parse_count(s->value, x->kind == HCBR_OPTION_SIZE, &out->count, &fits))
        return hcbr_i_setting_refuse(s, s->value, "a whole number was expected");
    if (!fits || out->count < x->least || out->count > most)
        return hcbr_i_setting_refuse(s, s->value, "a number from %llu to %llu was expected",
                                     (unsigned long long)x->least, (unsigned long long)most);
    if (x->real)
        out->real = (double)out->count;
    return HCBR_OK;
}

static hcbr_status read_share(const hcbr_i_setting *s, scalar *out) {
    if (!hcbr_number_parse(&out->real, s->value, strlen(s->value)) ||
        !(out->real > 0 && out->real < 1))
        return hcbr_i_setting_refuse(s, s->value, "a number above 0 and below 1 was expected");
    return HCBR_OK;
}

static hcbr_status read_flag(const hcbr_i_setting *s, scalar *out) {
    const bool yes = !s->value || strcmp(s->value, "true") == 0;
    const int on = s->option->yes ? s->option->yes : 1;
    if (!yes && strcmp(s->value, "false") != 0)
        return hcbr_i_setting_refuse(s, s->value, "true or false was expected");
    if (s->option->real)
        out->real = yes ? on : 0;
    else
        out->number = yes ? on : 0;
    return HCBR_OK;
}

/** One of the words; the message lists them in the order of help, "a|b|c". */
static hcbr_status read_word(const hcbr_i_setting *s, scalar *out) {
    char list[128] = "";
    size_t used = 0;
    for (int i = 0; s->option->words[i]; i++)
        if (strcmp(s->option->words[i], s->value) == 0) {
            out->number = i;
            return HCBR_OK;
        }
    for (const char *at = s->option->argument; *at; at++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%.*s",
                                 *at != '|'            ? 1
                                 : strchr(at + 1, '|') ? 2
                                                       : 4,
                                 *at != '|'            ? at
                                 : strchr(at + 1, '|') ? ", "
                                                       : " or ");
    return hcbr_i_setting_refuse(s, s->value, "%s was expected", list);
}

static hcbr_status read_character(const hcbr_i_setting *s, scalar *out) {
    const bool delimiter = hcbr_i_option_is(s->option, "delimiter");
    const char *text = s->value;
    if (delimiter && (strcmp(text, "tab") == 0 || strcmp(text, "\\t") == 0))
        text = "\t";
    const unsigned char c = (unsigned char)text[0];
    out->number = c;
    if (!delimiter && strcmp(text, "none") == 0)
        out->number = -1;
    else if (delimiter && (strlen(text) != 1 || c >= 0x7F || strchr("\"\n\r", c)))
        return hcbr_i_setting_refuse(s, text,
                                     "one ASCII character (no quote, no end of line) or tab was "
                                     "expected");
    else if (!delimiter && (strlen(text) != 1 || c <= ' ' || c >= 0x7F))
        return hcbr_i_setting_refuse(s, text,
                                     "one ASCII character (no blank) or none was expected");
    return HCBR_OK;
}

static hcbr_status read_scalar(const hcbr_i_setting *s, scalar *out) {
    switch (s->option->kind) {
    case HCBR_OPTION_FLAG:
        return read_flag(s, out);
    case HCBR_OPTION_COUNT:
    case HCBR_OPTION_SIZE:
        return read_count(s, out);
    case HCBR_OPTION_SHARE:
        return read_share(s, out);
    case HCBR_OPTION_WORD:
        return read_word(s, out);
    case HCBR_OPTION_CHARACTER:
        return read_character(s, out);
    default: // texts; lists are handled elsewhere
        out->text = hcbr_i_setting_copy(s, s->value);
        return out->text ? HCBR_OK : HCBR_ENOMEM;
    }
}

/* ---- fields ---------------------------------------------------------------------------------- */

static void store(void *structure, const hcbr_option *x, const scalar *value) {
    char *at = (char *)structure + x->at;
    const uint32_t count = (uint32_t)value->count;
    if (x->kind == HCBR_OPTION_COUNT || x->kind == HCBR_OPTION_SIZE)
        memcpy(at, x->size == sizeof count ? (const void *)&count : value, x->size);
    else
        memcpy(at, value, x->size); // the member of the union that was read
}

/** Set further fields of some options: the same field of another structure, or a related option. */
static void store_beside(hcbr_options *o, const hcbr_option *x, const scalar *value) {
    if (hcbr_i_option_is(x, "threads")) {
        if (o->read)
            o->read->threads = (uint32_t)value->count;
        if (o->evaluate)
            o->evaluate->threads = (uint32_t)value->count;
    } else if (hcbr_i_option_is(x, "seed") && o->evaluate) {
        o->evaluate->seed = value->count;
    } else if (hcbr_i_option_is(x, "folds") && o->tune) {
        o->tune->folds = (uint32_t)value->count;
    } else if (hcbr_i_option_is(x, "positive") && o->tune) {
        o->tune->positive = value->text;
    } else if (hcbr_i_option_is(x, "header") && o->read) {
        o->read->no_header = value->count == 0;
    } else if (hcbr_i_option_is(x, "max_error") && o->tune) {
        o->tune->goal = HCBR_GOAL_MAX_ERROR;
    }
}

/** A general fallback replaces those of single labels. */
static hcbr_status reset_fallbacks(const hcbr_i_setting *s) {
    hcbr_rule *rule = s->options->rule;
    if (!rule || rule->threshold_count == 0)
        return HCBR_OK;
    hcbr_threshold *list = hcbr_i_setting_memory(s, rule->threshold_count, sizeof *list);
    if (!list)
        return HCBR_ENOMEM;
    for (size_t i = 0; i < rule->threshold_count; i++) {
        list[i] = rule->thresholds[i];
        list[i].fallback = NULL;
    }
    rule->thresholds = list;
    return HCBR_OK;
}

/* ---- lists ----------------------------------------------------------------------------------- */

/** Cut a list at its commas, in place; *count receives the number of parts. A comma after a
 *  backslash stays. */
static void cut(char *text, const char **list, size_t *count) {
    char *to = text;
    list[(*count)++] = to;
    for (const char *at = text; *at; at++) {
        if (at[0] == '\\' && at[1] == ',')
            *to++ = *++at;
        else if (*at == ',')
            *to++ = '\0', list[(*count)++] = to;
        else
            *to++ = *at;
    }
    *to = '\0';
}

/** The texts set before this value. */
static const char *const *texts_before(const hcbr_i_setting *s, const void *structure,
                                       size_t *count) {
    const char *field = (const char *)structure + s->option->at;
    const char *const *before = *(const char *const *const *)(const void *)field;
    *count = *(const size_t *)(const void *)((const char *)structure + s->option->count_at);
    const bool added = hcbr_i_option_is(s->option, "na");
    if (added && !before)
        return hcbr_read_default_missing(count);
    if (!before || (!added && !hcbr_i_option_is_given(s->options, s->option->name)))
        *count = 0;
    return before;
}

static hcbr_status set_texts(const hcbr_i_setting *s, void *structure) {
    size_t count, commas = 1;
    const char *const *before = texts_before(s, structure, &count);
    for (const char *at = s->value; at && *at; at++)
        commas += *at == ',';
    char *text = s->value ? hcbr_i_setting_copy(s, s->value) : NULL;
    const char **list = hcbr_i_setting_memory(s, count + commas, sizeof *list);
    if (!list || (s->value && !text))
        return HCBR_ENOMEM;
    if (count)
        memcpy(list, before, count * sizeof *list);
    if (text)
        cut(text, list, &count);
    memcpy((char *)structure + s->option->at, &list, sizeof list);
    memcpy((char *)structure + s->option->count_at, &count, sizeof count);
    return HCBR_OK;
}

static hcbr_status set_counts(const hcbr_i_setting *s, void *structure) {
    size_t count = 0, commas = 1;
    for (const char *at = s->value; at && *at; at++)
        commas += *at == ',';
    char *text = hcbr_i_setting_copy(s, s->value ? s->value : "");
    const char **texts = hcbr_i_setting_memory(s, commas, sizeof *texts);
    uint32_t *list = hcbr_i_setting_memory(s, commas, sizeof *list);
    if (!text || !texts || !list)
        return HCBR_ENOMEM;
    if (s->value)
        cut(text, texts, &count);
    for (size_t i = 0; i < count; i++) {
        uint64_t value;
        bool fits;
        if (!parse_count(texts[i], false, &value, &fits) || !fits || value > UINT32_MAX)
            return hcbr_i_setting_refuse(s, s->value, "numbers separated by commas were expected");
        list[i] = (uint32_t)value;
    }
    if (count == 0)
        list = NULL; // none to choose from
    memcpy((char *)structure + s->option->at, &list, sizeof list);
    memcpy((char *)structure + s->option->count_at, &count, sizeof count);
    return HCBR_OK;
}

/* ---- one option ------------------------------------------------------------------------------ */

/** Refuse options that exclude each other. */
static hcbr_status check_excluded(const hcbr_i_setting *s) {
    static const struct {
        const char *names[3], *says;
    } EXCLUDED[] = {
        {{"na", "na_only", ""},
         "option na adds to the list that option na_only gives: name all values in one of them"},
        {{"metric", "cost", "max_error"},
         "option metric, option cost and option max_error exclude each other"}};
    for (size_t i = 0; i < sizeof EXCLUDED / sizeof *EXCLUDED; i++) {
        size_t own = 3, other = 0;
        for (size_t k = 0; k < 3 && EXCLUDED[i].names[k][0]; k++)
            if (hcbr_i_option_is(s->option, EXCLUDED[i].names[k]))
                own = k;
            else
                other += hcbr_i_option_is_given(s->options, EXCLUDED[i].names[k]);
        if (own < 3 && other > 0)
            return hcbr_i_fail(s->err, HCBR_EUSAGE, "%s", EXCLUDED[i].says);
    }
    return HCBR_OK;
}

static hcbr_status set_one(const hcbr_i_setting *s) {
    const hcbr_option *x = s->option;
    void *structure = hcbr_i_option_structure(s->options, x);
    scalar value = {0};
    hcbr_status st;
    if (x->kind == HCBR_OPTION_PAIRS)
        return structure ? hcbr_i_setting_pair(s) : HCBR_OK;
    if (x->kind == HCBR_OPTION_VALUES)
        return structure ? hcbr_i_setting_values(s) : HCBR_OK;
    if (x->kind == HCBR_OPTION_TEXTS) {
        if (structure && (st = set_texts(s, structure)) == HCBR_OK &&
            hcbr_i_option_is(x, "na_only"))
            s->options->read->na_only = 1;
        return structure ? st : HCBR_OK;
    }
    if (x->kind == HCBR_OPTION_COUNTS)
        return structure ? set_counts(s, structure) : HCBR_OK;
    if (!s->value && x->kind != HCBR_OPTION_FLAG)
        return hcbr_i_setting_refuse(s, NULL, "a value was expected");
    if ((st = read_scalar(s, &value)) != HCBR_OK ||
        (hcbr_i_option_is(x, "fallback") && (st = reset_fallbacks(s)) != HCBR_OK))
        return st;
    if (structure)
        store(structure, x, &value);
    store_beside(s->options, x, &value);
    return HCBR_OK;
}

static hcbr_status no_option(const char *name, hcbr_error *err) {
    const hcbr_option *x, *best = NULL;
    unsigned least = HCBR_TEXT_FAR;
    char quoted[200];
    for (size_t i = 0; (x = hcbr_option_at(i)); i++)
        if (hcbr_text_near(name, strlen(name), x->name, strlen(x->name), &least))
            best = x;
    hcbr_i_quote(quoted, name, strlen(name));
    if (!best)
        return hcbr_i_fail(err, HCBR_EUSAGE, "there is no option %s", quoted);
    return hcbr_i_fail(err, HCBR_EUSAGE, "there is no option %s; did you mean option %s?", quoted,
                       best->name);
}

hcbr_status hcbr_options_set(hcbr_options *options, const char *name, const char *value,
                             hcbr_error *err) {
    if (HCBR_I_NULL(err, options, name))
        return HCBR_EUSAGE;
    assert(options && name); // for the analyzer
    const size_t length = strcspn(name, ".");
    const hcbr_option *x = hcbr_i_option_find(name, length);
    if (!x || (name[length] && x->kind != HCBR_OPTION_PAIRS && x->kind != HCBR_OPTION_VALUES))
        return no_option(name, err);
    const hcbr_i_setting s = {options, x, name[length] ? name + length + 1 : NULL, value, err};
    hcbr_status st = check_excluded(&s);
    if (st == HCBR_OK && (st = set_one(&s)) == HCBR_OK)
        hcbr_i_option_give(options, bit_of(x));
    return st;
}
