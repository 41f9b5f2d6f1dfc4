/*
 * Options whose values are pairs: columns and kinds, sources to be joined, labels and thresholds,
 * costs.
 *
 * Each pair makes a new list, which replaces the old one if the pair is valid.
 */
#include "options/options.h"

/** A copy of the value to cut in place; NULL: out of memory. */
static char *own_value(const hcbr_i_setting *s) {
    return hcbr_i_setting_copy(s, s->value ? s->value : "");
}

/** Room for `more` further elements, with a copy of the list; NULL: no memory. */
static void *grow(const hcbr_i_setting *s, const void *list, size_t count, size_t more,
                  size_t size) {
    void *grown = hcbr_i_setting_memory(s, count + more, size);
    if (grown && count)
        memcpy(grown, list, count * size);
    return grown;
}

/** The number of elements that stay: those set before, but not the initial ones. */
static size_t kept(const hcbr_i_setting *s, size_t count) {
    return hcbr_i_option_is_given(s->options, s->option->name) ? count : 0;
}

/* ---- columns --------------------------------------------------------------------------------- */

/**
 * COL:SEP, cut in place. A column may hold a colon: the last one counts, or the one before it if
 * the last is the separator itself.
 */
static char *cut_split(char *text) {
    const size_t length = strlen(text);
    char *colon = NULL;
    for (size_t i = 1; i + 1 < length; i++)
        if (text[i] == ':')
            colon = text + i;
    return colon;
}

/** COL=KIND, cut in place; the last equals sign counts, except that of set:= itself. */
static char *cut_type(char *text) {
    char *set = strstr(text, "=set:"), *mark = set ? set : strrchr(text, '=');
    return mark == text ? NULL : mark;
}

static hcbr_status set_split(const hcbr_i_setting *s, const char *column, const char *separator) {
    hcbr_read_options *o = s->options->read;
    const size_t count = kept(s, o->split_count);
    hcbr_split *list = grow(s, o->split, count, 1, sizeof *list);
    if (!list)
        return HCBR_ENOMEM;
    if (!s->first && (strcmp(separator, "tab") == 0 || strcmp(separator, "\\t") == 0))
        separator = "\t";
    list[count] = (hcbr_split){column, separator};
    o->split = list;
    o->split_count = column ? count + 1 : 0;
    return HCBR_OK;
}

static hcbr_status set_type(const hcbr_i_setting *s, const char *column, const char *kind) {
    hcbr_read_options *o = s->options->read;
    const size_t count = kept(s, o->type_count);
    hcbr_type *list = grow(s, o->types, count, 1, sizeof *list);
    if (!list)
        return HCBR_ENOMEM;
    list[count] = (hcbr_type){column, kind};
    o->types = list;
    o->type_count = column ? count + 1 : 0;
    return HCBR_OK;
}

/* ---- joined sources -------------------------------------------------------------------------- */

const char *hcbr_i_join_name(const hcbr_join *join, size_t *length) {
    const char *name = join->name, *slash;

    if (name == NULL) {
        assert(join->path); // a source without a name has one
        slash = strrchr(join->path, '/');
        name = slash != NULL ? slash + 1 : join->path;
        *length = strcspn(name, ".");
        if (*length > 0)
            return name;
    }
    *length = strlen(name);
    return name;
}

static bool same_source(const hcbr_join *a, const hcbr_join *b) {
    size_t a_length, b_length;
    const char *x = hcbr_i_join_name(a, &a_length), *y = hcbr_i_join_name(b, &b_length);
    return a_length == b_length && memcmp(x, y, a_length) == 0;
}

/**
 * FILE:KEY[@NAME], cut in place: at the last colon, and after it at the last at-sign. So a path may
 * contain anything, a key no colon, and a name neither.
 */
static bool cut_join(const hcbr_i_setting *s, char *text, hcbr_join *out) {
    char *path = s->first ? hcbr_i_setting_copy(s, s->first) : text;
    char *key = s->first ? text : strrchr(text, ':'), *at = key ? strrchr(key, '@') : NULL;
    if (!s->first) {
        if (!key || key == text || !key[1] || at == key + 1 || (at && !at[1]))
            return false;
        *key++ = '\0';
    }
    if (at)
        *at++ = '\0';
    *out = (hcbr_join){.path = path, .key = key, .name = at && *at ? at : NULL};
    return true;
}

/** Sources that were set come first; those that a model stored follow, unless they are named. */
static hcbr_status set_join(const hcbr_i_setting *s) {
    hcbr_read_options *o = s->options->read;
    const bool again = kept(s, 1) > 0;
    char *text = own_value(s);
    hcbr_join *list = grow(s, NULL, 0, o->join_count + 1, sizeof *list), one = {0};
    size_t count = 0;
    if (!text || !list)
        return HCBR_ENOMEM;
    if (s->value && !cut_join(s, text, &one))
        return hcbr_i_setting_refuse(s, s->value,
                                     "FILE:KEY or FILE:KEY@NAME was expected, a file and the "
                                     "column or key that it has in common with DATA");
    if (s->value && !one.path)
        return HCBR_ENOMEM;
    for (size_t i = 0; i < o->join_count && s->value && again; i++)
        if (o->join[i].path)
            list[count++] = o->join[i];
    if (s->value)
        list[count++] = one;
    for (size_t i = 0; i < o->join_count && s->value; i++)
        if (!o->join[i].path && !same_source(&o->join[i], &one))
            list[count++] = o->join[i];
    o->join = list;
    o->join_count = count;
    return HCBR_OK;
}

hcbr_status hcbr_i_setting_pair(const hcbr_i_setting *s) {
    const bool split = hcbr_i_option_is(s->option, "split");
    if (hcbr_i_option_is(s->option, "join"))
        return set_join(s);
    char *text = own_value(s), *column = s->value ? text : NULL, *second = text;
    if (!text)
        return HCBR_ENOMEM;
    if (s->first) {
        if (!(column = hcbr_i_setting_copy(s, s->first)))
            return HCBR_ENOMEM;
    } else if (s->value) {
        char *mark = split ? cut_split(text) : cut_type(text);
        if (!mark)
            return hcbr_i_setting_refuse(
                s, s->value,
                split ? "COL:SEP was expected, a column and what separates its parts"
                      : "COL=KIND was expected, a column and what it is");
        *mark = '\0';
        second = mark + 1;
    }
    return split ? set_split(s, column, second) : set_type(s, column, second);
}

/* ---- NAME=NUMBER ----------------------------------------------------------------------------- */

/**
 * Cut off the next "NAME=NUMBER"; *rest moves to after it, NULL at the end. A comma belongs to the
 * name until an equals sign came, and after a backslash.
 *
 * @return the name, with *number after it, or NULL in *number if there is no equals sign.
 */
static char *next_value(char **rest, char **number) {
    char *name = *rest, *to = name, *equals = NULL, *at = name;
    for (; *at && (*at != ',' || !equals); at++) {
        if (at[0] == '\\' && at[1] == ',')
            at++;
        else if (*at == '=')
            equals = to;
        *to++ = *at;
    }
    *rest = *at ? at + 1 : NULL;
    *to = '\0';
    *number = equals && equals > name ? equals + 1 : NULL;
    return name;
}

/** The first of the pair, with its *number; in a name with a dot the value is the number. */
static char *first_value(const hcbr_i_setting *s, char **rest, char **number) {
    if (!s->first)
        return next_value(rest, number);
    *number = *rest;
    *rest = NULL;
    return hcbr_i_setting_copy(s, s->first);
}

static hcbr_threshold *threshold_of(hcbr_threshold *list, size_t *count, const char *label) {
    for (size_t i = 0; i < *count; i++)
        if (strcmp(list[i].label, label) == 0)
            return &list[i];
    list[*count] = (hcbr_threshold){.label = label};
    return &list[(*count)++];
}

static size_t count_values(const char *text) {
    size_t count = 1;
    for (; text && *text; text++)
        count += *text == ',';
    return count;
}

static hcbr_status set_thresholds(const hcbr_i_setting *s, char *rest) {
    hcbr_rule *rule = s->options->rule;
    const bool share = hcbr_i_option_is(s->option, "eta_share");
    size_t count = rule->threshold_count;
    hcbr_threshold *list = grow(s, rule->thresholds, count, count_values(s->value), sizeof *list);
    if (!list)
        return HCBR_ENOMEM;
    while (rest) {
        char *number, *name = first_value(s, &rest, &number);
        double value;
        if (!name)
            return HCBR_ENOMEM;
        if (!number || !hcbr_number_parse(&value, number, strlen(number)))
            return hcbr_i_setting_refuse(s, s->first ? s->value : name,
                                         "LABEL=NUMBER was expected");
        if (value < 0 || (share && value >= 1))
            return hcbr_i_setting_refuse(s, s->first ? s->value : name, "a number %s was expected",
                                         share ? "from 0 to below 1" : "of 0 or more");
        if (!s->first)
            number[-1] = '\0';
        hcbr_threshold *threshold = threshold_of(list, &count, name);
        *(share ? &threshold->eta_share : &threshold->eta) = value;
    }
    rule->thresholds = list;
    rule->threshold_count = count;
    rule->cut = NULL; // thresholds replace what was tuned
    rule->by_cost = 0;
    rule->cost_count = 0;
    return HCBR_OK;
}

/* ---- costs ----------------------------------------------------------------------------------- */

/** The costs being read. */
typedef struct costs {
    const hcbr_i_setting *s;
    hcbr_cost *list;
    size_t count;
    double sides[3]; /**< of fp, fn and unknown */
    bool has[3];
} costs;

/** Whether two names are equal, or both NULL. */
static bool same_name(const char *a, const char *b) {
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static bool add_cost(costs *c, const char *truth, const char *given, double cost) {
    for (size_t i = 0; i < c->count; i++)
        if (same_name(c->list[i].truth, truth) && same_name(c->list[i].given, given))
            return false;
    c->list[c->count++] = (hcbr_cost){truth, given, cost};
    return true;
}

/** One cost: "fp", "fn", "unknown" or "TRUE:GIVEN", cut in place. */
static hcbr_status read_cost(costs *c, char *name, double cost) {
    static const char *const SIDES[] = {"fp", "fn", "unknown"};
    const char *given = c->s->value;
    char *colon = strchr(name, ':');
    for (size_t side = 0; !colon && side < 3; side++)
        if (strcmp(name, SIDES[side]) == 0) {
            if (c->has[side])
                return hcbr_i_setting_refuse(c->s, given, "%s is given twice", name);
            c->sides[side] = cost;
            c->has[side] = true;
            return HCBR_OK;
        }
    if (!colon || colon == name || !colon[1])
        return hcbr_i_setting_refuse(c->s, given,
                                     "found %.80s, expected fp, fn, unknown or TRUE:GIVEN",
                                     name[0] ? name : "nothing before =");
    *colon++ = '\0';
    if (strcmp(name, colon) == 0)
        return hcbr_i_setting_refuse(
            c->s, given, "found %.80s:%.80s, but a right answer costs nothing", name, colon);
    if (!add_cost(c, name, strcmp(colon, "unknown") == 0 ? NULL : colon, cost))
        return hcbr_i_setting_refuse(c->s, given, "%.80s:%.80s is given twice", name, colon);
    return HCBR_OK;
}

static hcbr_status read_costs(costs *c, char *rest) {
    while (rest) {
        char *number, *name = first_value(c->s, &rest, &number);
        double cost;
        hcbr_status st;
        if (!name)
            return HCBR_ENOMEM;
        if (!number || !hcbr_number_parse(&cost, number, strlen(number)) || cost < 0 || cost > 1e6)
            return hcbr_i_setting_refuse(c->s, c->s->value,
                                         "fp=V,fn=V,unknown=V or TRUE:GIVEN=V,... with V from 0 to "
                                         "1e6 was expected");
        if (!c->s->first)
            number[-1] = '\0';
        if ((st = read_cost(c, name, cost)) != HCBR_OK)
            return st;
    }
    if (c->count && (c->has[0] || c->has[1]))
        return hcbr_i_setting_refuse(c->s, c->s->value,
                                     "fp and fn and pairs of labels exclude each other");
    return HCBR_OK;
}

static hcbr_status set_costs(const hcbr_i_setting *s, char *rest) {
    hcbr_options *all = s->options;
    hcbr_tune_options *o = all->tune;
    double *const to[] = {&o->cost_fp, &o->cost_fn, &o->cost_unknown};
    costs c = {.s = s, .count = kept(s, o->cost_count)};
    c.list = grow(s, o->costs, c.count, count_values(s->value) + 1, sizeof *c.list);
    if (!c.list)
        return HCBR_ENOMEM;
    for (size_t side = 0; side < 3; side++) {
        c.has[side] = hcbr_i_option_has(all, HCBR_I_GIVEN_SIDES + side);
        c.sides[side] = *to[side];
    }
    hcbr_status st = read_costs(&c, rest);
    if (st != HCBR_OK)
        return st;
    if (c.count && c.has[2])
        add_cost(&c, NULL, NULL, c.sides[2]);
    for (size_t side = 0; side < 3; side++) {
        *to[side] = c.sides[side];
        if (c.has[side])
            hcbr_i_option_give(all, HCBR_I_GIVEN_SIDES + side);
    }
    o->costs = c.list;
    o->cost_count = c.count;
    o->goal = HCBR_GOAL_COST;
    return HCBR_OK;
}

hcbr_status hcbr_i_setting_values(const hcbr_i_setting *s) {
    char *text = own_value(s);
    if (!text)
        return HCBR_ENOMEM;
    char *rest = s->value ? text : NULL;
    return hcbr_i_option_is(s->option, "cost") ? set_costs(s, rest) : set_thresholds(s, rest);
}
