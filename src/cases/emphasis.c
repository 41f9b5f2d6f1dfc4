/*
 * Importances of features (METHOD 11).
 *
 * Importances are decimals with at most six places. Divided by the largest number of which all of
 * them and 1 are whole multiples they become units: small whole numbers whose sums are exact in any
 * order. They stay the same if all importances, that of unlisted features included, are multiplied
 * by one number.
 */
#include "cases/cases.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define PARTS 1e6 /* of 1: six decimals */

bool hcbr_i_importance_is_good(double x) {
    // A decimal of six places is the double nearest to a whole number of parts.
    return x >= 0 && x <= HCBR_MOST_IMPORTANCE && round(x * PARTS) / PARTS == x;
}

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_i_emphases *hcbr_i_emphases_share(hcbr_i_emphases *e) {
    if (e)
        atomic_fetch_add(&e->references, 1);
    return e;
}

void hcbr_i_emphases_release(hcbr_i_emphases *e) {
    if (!e || atomic_fetch_sub(&e->references, 1) != 1)
        return;
    for (uint32_t i = 0; e->all && i < e->count; i++) {
        hcbr_i_free(e->all[i].column);
        hcbr_i_free(e->all[i].value);
    }
    hcbr_i_free(e->all);
    hcbr_i_free(e);
}

static int compare_names(const hcbr_i_emphasis *x, const char *column, size_t column_length,
                         const char *value, size_t value_length) {
    int order = hcbr_i_text_compare(x->column, x->column_length, column, column_length);
    return order ? order
                 : hcbr_i_order_absent((hcbr_i_text){x->value, x->value_length},
                                       (hcbr_i_text){value, value_length});
}

static int compare(const void *a, const void *b) {
    const hcbr_i_emphasis *y = b;
    return compare_names(a, y->column, y->column_length, y->value, y->value_length);
}

static hcbr_status copy(hcbr_i_emphasis *to, const hcbr_emphasis *from, hcbr_error *err) {
    const size_t column = strlen(from->column), value = from->value ? strlen(from->value) : 0;
    char quoted[200], text[HCBR_NUMBER_SIZE];
    hcbr_i_quote(quoted, from->column, column);
    if (!hcbr_i_importance_is_good(from->importance)) {
        hcbr_number_format(text, from->importance);
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "importance of %s is %s, expected a number from 0 to 1000000 with at "
                           "most six decimals",
                           quoted, text);
    }
    if (column == 0 || column >= UINT32_MAX || value >= UINT32_MAX ||
        hcbr_i_utf8_check(from->column, column) != column ||
        (value && hcbr_i_utf8_check(from->value, value) != value))
        return hcbr_i_fail(err, HCBR_EUSAGE, "importance of %s, expected a name in UTF-8", quoted);
    *to = (hcbr_i_emphasis){.column = hcbr_i_text_copy(from->column, column),
                            .value = from->value ? hcbr_i_text_copy(from->value, value) : NULL,
                            .column_length = (uint32_t)column,
                            .value_length = (uint32_t)value,
                            .importance = from->importance};
    return to->column && (to->value || !from->value) ? HCBR_OK : hcbr_i_no_memory(err);
}

static uint64_t common_part(uint64_t a, uint64_t b) {
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* From importances to units. */
static hcbr_status find_units(hcbr_i_emphases *e, hcbr_error *err) {
    uint64_t part = (uint64_t)PARTS, most = part;
    for (uint32_t i = 0; i < e->count; i++) {
        uint64_t own = (uint64_t)round(e->all[i].importance * PARTS);
        part = common_part(part, own);
        most = own > most ? own : most;
    }
    if (most / part > UINT32_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "importances are too far apart: the largest is %llu times the common "
                           "part of all, expected at most 4294967295; use fewer decimals",
                           (unsigned long long)(most / part));
    e->one = (uint32_t)((uint64_t)PARTS / part);
    for (uint32_t i = 0; i < e->count; i++)
        e->all[i].units = (uint32_t)((uint64_t)round(e->all[i].importance * PARTS) / part);
    return HCBR_OK;
}

hcbr_status hcbr_i_emphases_make(hcbr_i_emphases **out, const hcbr_emphasis *list, size_t count,
                                 hcbr_error *err) {
    char quoted[200], value[200];
    *out = NULL;
    if (count > HCBR_I_MOST_FEATURES)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%zu importances, expected fewer", count);
    hcbr_i_emphases *e = hcbr_i_alloc_zero(1, sizeof *e);
    if (!e)
        return hcbr_i_no_memory(err);
    atomic_init(&e->references, 1);
    e->all = hcbr_i_alloc_zero(count, sizeof *e->all);
    hcbr_status st = e->all ? HCBR_OK : hcbr_i_no_memory(err);
    for (; st == HCBR_OK && e->count < count; e->count++)
        st = copy(&e->all[e->count], &list[e->count], err);
    if (st == HCBR_OK && count)
        qsort(e->all, count, sizeof *e->all, compare);
    for (size_t i = 1; st == HCBR_OK && i < count; i++)
        if (compare(&e->all[i - 1], &e->all[i]) == 0)
            st = hcbr_i_fail(err, HCBR_EUSAGE, "found an importance of %s%s%s twice, expected one",
                             hcbr_i_quote(quoted, e->all[i].column, e->all[i].column_length),
                             e->all[i].value ? " with " : "",
                             e->all[i].value
                                 ? hcbr_i_quote(value, e->all[i].value, e->all[i].value_length)
                                 : "");
    if (st == HCBR_OK)
        st = find_units(e, err);
    if (st != HCBR_OK) {
        e->count = (uint32_t)count; // releases the unfinished one, too
        hcbr_i_emphases_release(e);
        return st;
    }
    *out = e;
    return HCBR_OK;
}

/* ---- units of features ----------------------------------------------------------------------- */

static const hcbr_i_emphasis *find(const hcbr_i_emphases *e, const hcbr_feature *f,
                                   const char *value, size_t length) {
    uint32_t low = 0, high = e->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        int order = compare_names(&e->all[middle], f->key, f->key_length, value, length);
        if (order == 0)
            return &e->all[middle];
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

uint32_t hcbr_i_emphases_units(const hcbr_i_emphases *e, const hcbr_feature *f) {
    const hcbr_i_emphasis *x = f->value ? find(e, f, f->value, f->value_length) : NULL;
    if (!x)
        x = find(e, f, NULL, 0);
    return x ? x->units : e->one;
}

static hcbr_feature name_of(const hcbr_i_dict *dict, hcbr_i_feature_id id) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, id);
    hcbr_i_text key = hcbr_i_dict_key(dict, f.key);
    return (hcbr_feature){key.at, key.length, f.value, f.value ? f.value_length : 0};
}

hcbr_status hcbr_i_emphases_by_feature(uint32_t **out, uint64_t *sum, const hcbr_i_emphases *e,
                                       const hcbr_i_dict *dict, hcbr_error *err) {
    const uint32_t count = hcbr_i_dict_count(dict);
    uint32_t *units = *out = hcbr_i_alloc(count, sizeof *units);
    *sum = 0;
    if (!units)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < count; f++) {
        const hcbr_feature name = name_of(dict, f);
        *sum += units[f] = hcbr_i_emphases_units(e, &name);
    }
    if (*sum <= UINT32_MAX)
        return HCBR_OK;
    hcbr_i_free(units);
    *out = NULL;
    return hcbr_i_fail(err, HCBR_EDATA,
                       "importances of all features are %llu times their common part, expected at "
                       "most 4294967295; use fewer decimals",
                       (unsigned long long)*sum);
}

hcbr_status hcbr_i_emphases_apply(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                  const hcbr_i_emphases *e, hcbr_error *err) {
    const uint32_t count = hcbr_i_dict_count(cases->dict);
    bool any = false;
    *out = NULL;
    bool *drop = hcbr_i_alloc_zero(count, sizeof *drop);
    if (!drop)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < count; f++) {
        const hcbr_feature name = name_of(cases->dict, f);
        any |= drop[f] = hcbr_i_emphases_units(e, &name) == 0;
    }
    hcbr_status st = any ? hcbr_i_cases_without(out, cases, drop, err) : HCBR_OK;
    hcbr_i_free(drop);
    return st;
}

/* ---- unseen names ---------------------------------------------------------------------------- */

/* The key of a name, and its feature as the cases spell it: 71.0 is 71 in a column of numbers. */
static hcbr_i_key_id find_name(const hcbr_cases *cases, hcbr_feature name, hcbr_feature *as) {
    const hcbr_i_dict *dict = cases->dict;
    hcbr_i_key_id key = hcbr_i_dict_find_key(dict, name.key, name.key_length);
    *as = name;
    if (key == HCBR_I_NONE || !name.value)
        return key;
    hcbr_i_feature_id id =
        hcbr_i_dict_find(dict, name.key, name.key_length, name.value, name.value_length);
    if (id != HCBR_I_NONE)
        *as = name_of(dict, id);
    else
        as->value = NULL; // there is no such feature
    return key;
}

/* A suggestion for an unknown name. */
static const char *suggest(char text[HCBR_I_SUGGESTED], const hcbr_cases *cases, hcbr_i_key_id key,
                           hcbr_i_text wanted) {
    hcbr_i_suggestion s = {.wanted = wanted};
    if (key == HCBR_I_NONE)
        for (uint32_t k = 0; k < hcbr_i_dict_key_count(cases->dict); k++)
            hcbr_i_suggest(&s, hcbr_i_dict_key(cases->dict, k));
    else
        for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
            hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
            if (x.key == key && x.value)
                hcbr_i_suggest(&s, (hcbr_i_text){x.value, x.value_length});
        }
    return hcbr_i_suggestion_text(text, &s);
}

/* Whether a case has it. If not, `message` receives the reason; *of_value: the value is the
 * reason. */
static bool is_there(const hcbr_cases *cases, hcbr_feature name, hcbr_feature *as, char *message,
                     size_t size, bool *of_value) {
    char quoted[200], column[200], near[HCBR_I_SUGGESTED];
    hcbr_i_key_id key = find_name(cases, name, as);
    *of_value = key != HCBR_I_NONE;
    if (key == HCBR_I_NONE)
        snprintf(message, size, "found %s, expected a column or key that some case has%s",
                 hcbr_i_quote(quoted, name.key, name.key_length),
                 suggest(near, cases, key, (hcbr_i_text){name.key, name.key_length}));
    else if (name.value && !as->value)
        snprintf(message, size, "found %s, expected a value of %s that some case has%s",
                 hcbr_i_quote(quoted, name.value, name.value_length),
                 hcbr_i_quote(column, name.key, name.key_length),
                 suggest(near, cases, key, (hcbr_i_text){name.value, name.value_length}));
    else
        return true;
    return false;
}

hcbr_status hcbr_emphasis_check(const hcbr_emphasis *list, size_t count, const hcbr_cases *cases,
                                hcbr_error *err) {
    if (HCBR_I_NULL(err, cases) || hcbr_i_no_list(list, count, "list", err))
        return HCBR_EUSAGE;
    char message[720], quoted[200], spelled[200];
    hcbr_feature as;
    bool of_value;
    hcbr_i_emphases *made;
    hcbr_status st = hcbr_i_emphases_make(&made, list, count, err);
    hcbr_i_emphases_release(made);
    if (st == HCBR_OK)
        st = hcbr_i_dict_need_tables(cases->dict, err);
    for (size_t i = 0; st == HCBR_OK && i < count; i++) {
        const hcbr_feature name = {list[i].column, strlen(list[i].column), list[i].value,
                                   list[i].value ? strlen(list[i].value) : 0};
        if (!is_there(cases, name, &as, message, sizeof message, &of_value))
            st = hcbr_i_fail(err, HCBR_EUSAGE, "importance: %s", message);
        else if (name.value &&
                 hcbr_i_text_compare(name.value, name.value_length, as.value, as.value_length) != 0)
            st =
                hcbr_i_fail(err, HCBR_EUSAGE, "importance: found %s, expected %s, as cases have it",
                            hcbr_i_quote(quoted, name.value, name.value_length),
                            hcbr_i_quote(spelled, as.value, as.value_length));
    }
    return st;
}

/* ---- the file -------------------------------------------------------------------------------- */

struct hcbr_emphases {
    size_t count;
    hcbr_emphasis *all;
};

void hcbr_emphases_free(hcbr_emphases *e) {
    if (!e)
        return;
    for (size_t i = 0; e->all && i < e->count; i++) {
        hcbr_i_free((char *)e->all[i].column);
        hcbr_i_free((char *)e->all[i].value);
    }
    hcbr_i_free(e->all);
    hcbr_i_free(e);
}

const hcbr_emphasis *hcbr_emphases_get(const hcbr_emphases *e, size_t *count) {
    *count = e->count;
    return e->all;
}

/* Where the columns of the file are. */
typedef struct places {
    size_t column, value, importance;
} places;

static hcbr_status find_places(const hcbr_i_sheet *sheet, places *at, hcbr_error *err) {
    *at = (places){hcbr_i_sheet_find(sheet, "column"), hcbr_i_sheet_find(sheet, "value"),
                   hcbr_i_sheet_find(sheet, "importance")};
    char quoted[200], near[HCBR_I_SUGGESTED];
    for (size_t c = 0; c < sheet->columns; c++) {
        const hcbr_i_placed *name = hcbr_i_sheet_name(sheet, c);
        if (c == at->column || c == at->value || c == at->importance)
            continue;
        hcbr_i_suggestion s = {.wanted = name->text};
        hcbr_i_suggest(&s, (hcbr_i_text){"column", 6});
        hcbr_i_suggest(&s, (hcbr_i_text){"value", 5});
        hcbr_i_suggest(&s, (hcbr_i_text){"importance", 10});
        return hcbr_i_sheet_fail(sheet, name, err,
                                 "found column %s, expected column, value or importance%s",
                                 hcbr_i_quote(quoted, name->text.at, name->text.length),
                                 hcbr_i_suggestion_text(near, &s));
    }
    if (at->column == SIZE_MAX || at->importance == SIZE_MAX)
        return hcbr_i_sheet_fail(sheet, hcbr_i_sheet_name(sheet, 0), err,
                                 "found no column %s, expected column, importance and perhaps "
                                 "value",
                                 at->column == SIZE_MAX ? "column" : "importance");
    return HCBR_OK;
}

static hcbr_status take_row(hcbr_emphasis *to, const hcbr_i_sheet *sheet, const places *at,
                            size_t row, const hcbr_cases *cases, hcbr_error *err) {
    const hcbr_i_placed *column = hcbr_i_sheet_cell(sheet, row, at->column);
    const hcbr_i_placed *value =
        at->value == SIZE_MAX ? NULL : hcbr_i_sheet_cell(sheet, row, at->value);
    const hcbr_i_placed *number = hcbr_i_sheet_cell(sheet, row, at->importance);
    char message[720], quoted[200];
    hcbr_feature as, name = {column->text.at, column->text.length, NULL, 0};
    bool of_value;
    if (value && value->text.length > 0) {
        name.value = value->text.at;
        name.value_length = value->text.length;
    }
    if (column->text.length == 0)
        return hcbr_i_sheet_fail(sheet, column, err, "found no name, expected that of a column");
    if (!is_there(cases, name, &as, message, sizeof message, &of_value))
        return hcbr_i_sheet_fail(sheet, of_value ? value : column, err, "%s", message);
    if (!hcbr_number_parse(&to->importance, number->text.at, number->text.length) ||
        !hcbr_i_importance_is_good(to->importance))
        return hcbr_i_sheet_fail(sheet, number, err,
                                 "found %s, expected an importance from 0 to 1000000 with at most "
                                 "six decimals",
                                 hcbr_i_quote(quoted, number->text.at, number->text.length));
    to->importance += 0.0; // not -0
    to->column = hcbr_i_text_copy(as.key, as.key_length);
    to->value = as.value ? hcbr_i_text_copy(as.value, as.value_length) : NULL;
    return to->column && (to->value || !as.value) ? HCBR_OK : hcbr_i_no_memory(err);
}

/* Refuse a row with the name of an earlier one. Rows are few, or sorting would be better. */
static hcbr_status check_twice(const hcbr_emphases *e, const hcbr_i_sheet *sheet, const places *at,
                               hcbr_error *err) {
    hcbr_error twice = {0};
    hcbr_i_emphases *made;
    hcbr_status st = hcbr_i_emphases_make(&made, e->all, e->count, &twice);
    hcbr_i_emphases_release(made);
    if (st == HCBR_OK)
        return st;
    if (st == HCBR_ENOMEM)
        return hcbr_i_no_memory(err);
    for (size_t i = 1; i < e->count; i++)
        for (size_t k = 0; k < i; k++) {
            const hcbr_emphasis *a = &e->all[i], *b = &e->all[k];
            if (strcmp(a->column, b->column) == 0 && !a->value == !b->value &&
                (!a->value || strcmp(a->value, b->value) == 0))
                return hcbr_i_sheet_fail(
                    sheet, hcbr_i_sheet_cell(sheet, i, at->column), err, "%s; line %llu has it too",
                    twice.message,
                    (unsigned long long)hcbr_i_sheet_cell(sheet, k, at->column)->line);
        }
    return hcbr_i_fail_at(err, HCBR_EDATA, sheet->file, 0, 0, "%s", twice.message);
}

hcbr_status hcbr_emphases_load(hcbr_emphases **out, const char *path, const hcbr_cases *cases,
                               hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, path, cases))
        return HCBR_EUSAGE;
    hcbr_i_sheet sheet = {0};
    places at = {0};
    hcbr_emphases *e = hcbr_i_alloc_zero(1, sizeof *e);
    hcbr_status st = e ? hcbr_i_sheet_load(&sheet, path, "how important columns are", NULL, err)
                       : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = find_places(&sheet, &at, err);
    if (st == HCBR_OK)
        st = hcbr_i_dict_need_tables(cases->dict, err);
    if (st == HCBR_OK && !(e->all = hcbr_i_alloc_zero(sheet.rows, sizeof *e->all)))
        st = hcbr_i_no_memory(err);
    while (st == HCBR_OK && e->count < sheet.rows) {
        e->count++;
        st = take_row(&e->all[e->count - 1], &sheet, &at, e->count - 1, cases, err);
    }
    if (st == HCBR_OK)
        st = check_twice(e, &sheet, &at, err);
    if (st == HCBR_OK) {
        *out = e;
        e = NULL; // now the caller's
    }
    hcbr_i_sheet_clear(&sheet);
    hcbr_emphases_free(e);
    return st;
}
