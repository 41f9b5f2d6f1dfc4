/*
 * The changes that a user allows: columns that stay, columns that alone may change, ranges of
 * numbers and dates, numbers that only grow or only fall. A name that the model does not know is
 * refused, since a typo would leave a column free.
 */
#include "changes.h"

#include <hcbr/text.h>

#include <math.h>
#include <stdio.h>

bool hcbr_i_flip_names(const char *name, const char *key, size_t length) {
    size_t n = strlen(name);
    return length >= n && memcmp(key, name, n) == 0 &&
           (length == n || key[n] == ':' || key[n] == '.');
}

/* ---- names ----------------------------------------------------------------------------------- */

static bool has_column(const hcbr_model *model, const char *name) {
    const hcbr_i_dict *dict = model->dict;
    size_t length = strlen(name);
    if (hcbr_i_dict_find_key(dict, name, length) != HCBR_I_NONE ||
        (model->schema && hcbr_i_schema_find(model->schema, name, length)))
        return true;
    for (uint32_t k = 0; k < hcbr_i_dict_key_count(dict); k++) {
        hcbr_i_text key = hcbr_i_dict_key(dict, k);
        if (hcbr_i_flip_names(name, key.at, key.length))
            return true;
    }
    return false;
}

/* The suggestion for a column or key; its length is 0 if there is none. */
static hcbr_i_text find_near(const hcbr_model *model, const char *name) {
    unsigned least = HCBR_TEXT_FAR;
    hcbr_i_text near = {NULL, 0};
    size_t length = strlen(name);
    size_t columns = model->schema ? hcbr_i_schema_count(model->schema) : 0;
    for (size_t c = 0; length > 2 && c < columns; c++) {
        hcbr_i_text column = hcbr_i_schema_get(model->schema, c)->name;
        if (hcbr_text_near(name, length, column.at, column.length, &least))
            near = column;
    }
    for (uint32_t k = 0; length > 2 && k < hcbr_i_dict_key_count(model->dict); k++) {
        hcbr_i_text key = hcbr_i_dict_key(model->dict, k);
        if (hcbr_text_near(name, length, key.at, key.length, &least))
            near = key;
    }
    return near;
}

static hcbr_status check_name(const hcbr_model *model, const char *what, const char *name,
                              hcbr_error *err) {
    char quoted[200], meant[200] = "";
    if (has_column(model, name))
        return HCBR_OK;
    hcbr_i_text near = find_near(model, name);
    hcbr_i_quote(quoted, name, strlen(name));
    if (near.length)
        hcbr_i_quote(meant, near.at, near.length);
    return hcbr_i_fail(err, HCBR_EUSAGE, "%s %s: the model has no such column%s%s%s", what, quoted,
                       near.length ? "; did you mean " : "", meant, near.length ? "?" : "");
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* The date column of a name; NULL: not one. */
static const hcbr_i_schema_column *date_column(const hcbr_model *model, const char *name) {
    const hcbr_i_schema_column *c =
        model->schema ? hcbr_i_schema_find(model->schema, name, strlen(name)) : NULL;
    return c && c->keys && (c->use == HCBR_I_USE_DATE || c->use == HCBR_I_USE_PARTS) ? c : NULL;
}

static hcbr_status read_end(const char *column, const char *text, bool date, double *out,
                            hcbr_error *err) {
    hcbr_i_moment moment;
    int64_t days;
    char quoted[200], name[200];
    if (!text)
        return HCBR_OK;
    if (date && hcbr_i_moment_read(&moment, HCBR_I_ORDER_CLEAR, text, strlen(text)) &&
        hcbr_i_moment_part(&days, &moment, HCBR_I_PART_DAYS)) {
        *out = (double)days;
        return HCBR_OK;
    }
    if (!date && hcbr_number_parse(out, text, strlen(text)) && isfinite(*out))
        return HCBR_OK;
    hcbr_i_quote(quoted, text, strlen(text));
    hcbr_i_quote(name, column, strlen(column));
    return hcbr_i_fail(err, HCBR_EUSAGE, "range %s: %s is no %s", name, quoted,
                       date ? "date, as in 2024-12-31" : "number");
}

static hcbr_status read_range(const hcbr_model *model, const hcbr_flip_bound *b, hcbr_i_span *out,
                              hcbr_error *err) {
    bool date = date_column(model, b->column) != NULL;
    char name[200];
    *out = (hcbr_i_span){-INFINITY, INFINITY, true, b->increase_only, b->decrease_only};
    hcbr_status st = read_end(b->column, b->low, date, &out->low, err);
    if (st == HCBR_OK)
        st = read_end(b->column, b->high, date, &out->high, err);
    if (st != HCBR_OK || out->low <= out->high)
        return st;
    hcbr_i_quote(name, b->column, strlen(b->column));
    return hcbr_i_fail(err, HCBR_EUSAGE, "range %s: it ends before it begins", name);
}

static bool is_number(const hcbr_feature *f, double *value) {
    return f->value && hcbr_number_parse(value, f->value, f->value_length) && isfinite(*value);
}

/* Whether a column of the name has numbers. */
static bool has_numbers(const hcbr_model *model, const char *name) {
    const hcbr_i_engine *engine = model->engine;
    for (uint32_t k = 0; engine->has_cuts && k < hcbr_i_dict_key_count(model->dict); k++) {
        hcbr_i_text key = hcbr_i_dict_key(model->dict, k);
        if (hcbr_i_flip_names(name, key.at, key.length) && engine->has_cuts(model->state, k))
            return true;
    }
    for (uint32_t f = 0; f < hcbr_i_dict_count(model->dict); f++) {
        hcbr_i_dict_feature feature = hcbr_i_dict_get(model->dict, f);
        hcbr_i_text key = hcbr_i_dict_key(model->dict, feature.key);
        double value;
        if (feature.value && hcbr_i_flip_names(name, key.at, key.length) &&
            hcbr_number_parse(&value, feature.value, feature.value_length))
            return true;
    }
    return false;
}

static hcbr_status check_bound(const hcbr_model *model, const hcbr_flip_bound *b, hcbr_error *err) {
    const char *what = b->increase_only   ? "increase-only"
                       : b->decrease_only ? "decrease-only"
                                          : "range";
    hcbr_i_span span;
    char name[200];
    hcbr_status st = check_name(model, what, b->column, err);
    if (st == HCBR_OK)
        st = read_range(model, b, &span, err);
    if (st != HCBR_OK || has_numbers(model, b->column))
        return st;
    hcbr_i_quote(name, b->column, strlen(b->column));
    return hcbr_i_fail(err, HCBR_EUSAGE, "%s %s: the column has no numbers", what, name);
}

hcbr_status hcbr_flip_options_check(const hcbr_flip_options *options, const hcbr_model *model,
                                    hcbr_error *err) {
    if (HCBR_I_NULL(err, options, model) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_flip_options o;
    hcbr_status st = HCBR_OK;
    hcbr_flip_options_init(&o);
    if (options)
        o = *options;
    for (size_t i = 0; i < o.fixed_count && st == HCBR_OK; i++)
        st = check_name(model, "fixed", o.fixed[i], err);
    for (size_t i = 0; i < o.only_count && st == HCBR_OK; i++)
        st = check_name(model, "only", o.only[i], err);
    for (size_t i = 0; i < o.bound_count && st == HCBR_OK; i++)
        st = check_bound(model, &o.bounds[i], err);
    return st;
}

/* ---- allowed changes ------------------------------------------------------------------------- */

bool hcbr_i_flip_is_allowed(const hcbr_flip_options *o, const char *key, size_t length) {
    bool listed = o->only_count == 0;
    for (size_t i = 0; i < o->only_count && !listed; i++)
        listed = hcbr_i_flip_names(o->only[i], key, length);
    for (size_t i = 0; i < o->fixed_count && listed; i++)
        listed = !hcbr_i_flip_names(o->fixed[i], key, length);
    return listed;
}

/* Two bounds of one key hold both. */
static void narrow(hcbr_i_span *span, const hcbr_i_span *by) {
    if (!span->bounded)
        *span = *by;
    span->low = by->low > span->low ? by->low : span->low;
    span->high = by->high < span->high ? by->high : span->high;
    span->up |= by->up;
    span->down |= by->down;
}

/* Of a column of dates the days are bounded, and its other parts do not change by themselves. */
static hcbr_status bound_column(hcbr_i_search *s, const hcbr_flip_bound *b, hcbr_error *err) {
    const hcbr_model *model = hcbr_i_flip_explainer(s)->model;
    const hcbr_i_schema_column *date = date_column(model, b->column);
    hcbr_i_span span;
    hcbr_status st = read_range(model, b, &span, err);
    for (uint32_t k = 0; st == HCBR_OK && k < hcbr_i_dict_key_count(model->dict); k++) {
        hcbr_i_text key = hcbr_i_dict_key(model->dict, k);
        if (!hcbr_i_flip_names(b->column, key.at, key.length))
            continue;
        if (date && !hcbr_i_text_same(key, date->keys[HCBR_I_PART_DAYS]))
            s->fixed[k] = true;
        else
            narrow(&s->spans[k], &span);
    }
    return st;
}

hcbr_status hcbr_i_flip_bound(hcbr_i_search *s, const hcbr_flip_options *o, hcbr_error *err) {
    const hcbr_i_dict *dict = s->x->frame.dict;
    uint32_t keys = hcbr_i_dict_key_count(dict);
    hcbr_status st = HCBR_OK;
    s->options = o;
    if (o->fixed_count + o->only_count + o->bound_count == 0)
        return HCBR_OK;
    st = hcbr_flip_options_check(o, hcbr_i_flip_explainer(s)->model, err);
    for (uint32_t k = 0; st == HCBR_OK && k < keys; k++) {
        hcbr_i_text key = hcbr_i_dict_key(dict, k);
        s->fixed[k] = !hcbr_i_flip_is_allowed(o, key.at, key.length);
    }
    if (st == HCBR_OK && o->bound_count &&
        !(s->spans = hcbr_i_account_take(s->x, keys, sizeof *s->spans)))
        st = hcbr_i_no_memory(err);
    for (size_t i = 0; st == HCBR_OK && i < o->bound_count; i++)
        st = bound_column(s, &o->bounds[i], err);
    return st;
}

bool hcbr_i_flip_may(const hcbr_i_search *s, const hcbr_i_case_item *removed, hcbr_i_key_id key,
                     const hcbr_feature *added) {
    hcbr_i_key_id k = added ? key : removed->key;
    if (k == HCBR_I_NONE) // a key that no past case has can only go
        return hcbr_i_flip_is_allowed(s->options, removed->feature.key,
                                      removed->feature.key_length);
    const hcbr_i_span *span = s->spans && s->spans[k].bounded ? &s->spans[k] : NULL;
    double now, then;
    if (s->fixed[k] || !span)
        return !s->fixed[k];
    if (!added || !is_number(added, &then) || then < span->low || then > span->high)
        return false;
    if (!span->up && !span->down)
        return true;
    return removed && is_number(&removed->feature, &now) && (!span->up || then > now) &&
           (!span->down || then < now);
}

void hcbr_i_flip_measure(const hcbr_i_search *s, hcbr_i_choice *c, const hcbr_feature *added) {
    const hcbr_i_case_item *removed = c->removed == HCBR_I_NONE ? NULL : &s->own[c->removed];
    double now, then;
    c->kind = HCBR_I_CHOICE_VALUE;
    if (!added && removed && removed->key != HCBR_I_NONE && s->of_key[removed->key] == 1 &&
        removed->feature.value)
        c->kind = HCBR_I_CHOICE_NOTHING;
    if (!added || !removed || !is_number(&removed->feature, &now) || !is_number(added, &then))
        return;
    c->kind = HCBR_I_CHOICE_NUMBER;
    c->distance = fabs(then - now);
    c->up = then > now;
}
