/*
 * Assigning cases to folds (METHOD 10): stratified by label, in units that stay whole
 * (fold_units.c), in the order of the data, as given, or one part held out.
 *
 * Every fold holds out at least one case and leaves at least one to train on.
 */
#include "folds/folds.h"

#include <stdlib.h>

void hcbr_i_folds_clear(hcbr_i_folds *folds) {
    hcbr_i_free(folds->of);
    *folds = (hcbr_i_folds){0};
}

void hcbr_i_folds_split(const hcbr_i_folds *folds, uint32_t fold, uint32_t *train,
                        uint32_t *train_count, uint32_t *test, uint32_t *test_count) {
    uint32_t trained = 0, tested = 0;
    for (uint32_t i = 0; i < folds->case_count; i++) {
        uint32_t of = folds->of[i];
        if (of == fold)
            test[tested++] = i;
        else if (!folds->past_only || of == HCBR_I_NONE || of < fold)
            train[trained++] = i;
    }
    *train_count = trained;
    *test_count = tested;
}

/* ---- by label -------------------------------------------------------------------------------- */

/* The cases label by label, those of one label in an order drawn at random. */
static uint32_t *draw_by_label(const uint32_t *label, uint32_t count, uint32_t label_count,
                               uint64_t *state) {
    uint32_t *list = hcbr_i_alloc(count, sizeof *list);
    uint32_t *end = hcbr_i_alloc_zero((size_t)label_count + 1, sizeof *end);
    if (list && end) {
        for (uint32_t i = 0; i < count; i++)
            end[label[i] + 1]++;
        for (uint32_t l = 0; l < label_count; l++)
            end[l + 1] += end[l];
        for (uint32_t i = 0; i < count; i++)
            list[end[label[i]]++] = i;
        for (uint32_t l = 0, begin = 0; l < label_count; begin = end[l++])
            hcbr_i_shuffle(list + begin, end[l] - begin, state);
        hcbr_i_free(end);
        return list;
    }
    hcbr_i_free(list);
    hcbr_i_free(end);
    return NULL;
}

hcbr_status hcbr_i_folds_stratify(uint32_t *of, const uint32_t *label, uint32_t count,
                                  uint32_t label_count, uint32_t folds, uint64_t *state,
                                  hcbr_error *err) {
    uint32_t *list = draw_by_label(label, count, label_count, state);
    if (!list)
        return hcbr_i_no_memory(err);
    /* dealt like cards, continuing from label to label: shares differ by at most one */
    for (uint32_t n = 0; n < count; n++)
        of[list[n]] = n % folds;
    hcbr_i_free(list);
    return HCBR_OK;
}

/* The number of cases in a share: at least one, and at least one is left over. */
static uint32_t held_out(uint32_t count, double share) {
    double wanted = share * (double)count + 0.5;
    uint32_t most = count - 1;
    return wanted < 1 ? 1 : wanted >= (double)most ? most : (uint32_t)wanted;
}

/* One held-out part, with its share of every label, give or take one. */
static hcbr_status draw_holdout(uint32_t *of, const struct hcbr_cases *cases, double share,
                                uint64_t *state, hcbr_error *err) {
    uint64_t count = cases->case_count, wanted = held_out(cases->case_count, share);
    uint32_t *list = draw_by_label(cases->label, cases->case_count, cases->labels.count, state);
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint64_t n = 0; n < count; n++)
        of[list[n]] = (n + 1) * wanted / count > n * wanted / count ? 0 : HCBR_I_NONE;
    hcbr_i_free(list);
    return HCBR_OK;
}

/* ---- in indivisible units -------------------------------------------------------------------- */

static hcbr_status make_by_unit(hcbr_i_folds *out, const struct hcbr_cases *cases,
                                const hcbr_i_fold_options *o, uint64_t draw, hcbr_error *err) {
    hcbr_i_fold_units units = {0};
    const char *what = o->by_group ? "group" : "different case";
    if (o->by_group && !cases->group)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the cases have no groups, expected a column of them");
    uint64_t *key = hcbr_i_alloc(out->case_count, sizeof *key);
    hcbr_status st =
        key ? hcbr_i_fold_unit_keys(key, cases, o->by_group, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_fold_units_make(&units, out->case_count, key, cases->label, o->weight, draw,
                                    err);
    hcbr_i_free(key);
    if (st == HCBR_OK && units.count < 2)
        st = hcbr_i_fail(err, o->fewer ? HCBR_EDATA : HCBR_EUSAGE,
                         "found 1 %s, expected at least 2", what);
    if (st == HCBR_OK && o->fewer && units.count < out->count)
        out->count = units.count;
    if (st == HCBR_OK && units.count < out->count)
        st = hcbr_i_fail(err, HCBR_EUSAGE, "%u folds, expected at most as many as %ss, %u",
                         out->count, what, units.count);
    if (st == HCBR_OK && o->holdout > 0)
        hcbr_i_fold_units_draw(out->of, &units, o->holdout);
    else if (st == HCBR_OK)
        st = hcbr_i_fold_units_deal(out->of, &units, cases->label, cases->labels.count, out->count,
                                    err);
    hcbr_i_fold_units_clear(&units);
    return st;
}

/* ---- in order, as given, after a border ------------------------------------------------------ */

/* Consecutive parts of equal length, give or take one; the first is never held out. */
static void make_in_order(hcbr_i_folds *out, const hcbr_i_fold_options *o) {
    uint64_t n = out->case_count, parts = (uint64_t)out->count + 1;
    uint32_t first = (uint32_t)(n - (o->holdout > 0 ? held_out((uint32_t)n, o->holdout) : 0));
    for (uint64_t i = 0, part = 0; i < n; i++) {
        while (i >= (part + 1) * n / parts)
            part++;
        if (o->holdout > 0)
            out->of[i] = i < first ? HCBR_I_NONE : 0;
        else
            out->of[i] = part ? (uint32_t)part - 1 : HCBR_I_NONE;
    }
    out->past_only = true;
}

/* Each different number is a fold; folds are counted in the order of the numbers. */
static hcbr_status make_given(hcbr_i_folds *out, const struct hcbr_cases *cases,
                              const hcbr_i_fold_options *o, hcbr_error *err) {
    if (o->given_count != cases->rows)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %zu folds for %llu data rows, expected as many",
                           o->given_count, (unsigned long long)cases->rows);
    uint64_t *numbers = hcbr_i_alloc(cases->case_count, sizeof *numbers);
    if (!numbers)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++)
        numbers[i] = o->given[cases->row ? cases->row[i] - 1 : i];
    qsort(numbers, cases->case_count, sizeof *numbers, hcbr_i_compare_u64);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < cases->case_count; i++)
        if (i == 0 || numbers[i] != numbers[distinct - 1])
            numbers[distinct++] = numbers[i];
    for (uint32_t i = 0; i < cases->case_count; i++) {
        uint64_t number = o->given[cases->row ? cases->row[i] - 1 : i];
        const uint64_t *at =
            bsearch(&number, numbers, distinct, sizeof *numbers, hcbr_i_compare_u64);
        out->of[i] = (uint32_t)(at - numbers);
    }
    hcbr_i_free(numbers);
    out->count = distinct;
    return distinct > 1 ? HCBR_OK
                        : hcbr_i_fail(err, HCBR_EUSAGE,
                                      "all rows are in one fold, expected at least 2 folds");
}

/* ---- folds ----------------------------------------------------------------------------------- */

static hcbr_status check(const hcbr_i_fold_options *o, const struct hcbr_cases *cases,
                         hcbr_error *err) {
    uint32_t n = cases->case_count;
    bool drawn = !o->given && !o->test_start;
    if (n < 2)
        return hcbr_i_fail(err, HCBR_EDATA, "found 1 case, expected at least 2 to hold one out");
    if (o->holdout != 0 && !(o->holdout > 0 && o->holdout < 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "hold-out share outside 0 to 1");
    if ((o->given && o->test_start) ||
        (!drawn && (o->holdout > 0 || o->past_only || o->by_group || o->together)) ||
        (o->past_only && (o->by_group || o->together)))
        return hcbr_i_fail(err, HCBR_EUSAGE, "ways to hold cases out that exclude each other");
    if (o->test_start >= n)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found no test case, expected at least one");
    if (!drawn || o->holdout > 0)
        return HCBR_OK;
    if (o->folds < 2 - (uint32_t)o->past_only)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %u folds, expected at least 2", o->folds);
    if (o->folds > n - (uint32_t)o->past_only && !o->fewer)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "%u folds of %u cases, expected at most %u (option folds)", o->folds, n,
                           n - (uint32_t)o->past_only);
    return HCBR_OK;
}

/* Of cases other than beliefs. */
static hcbr_status make(hcbr_i_folds *out, const struct hcbr_cases *cases,
                        const hcbr_i_fold_options *o, hcbr_error *err) {
    /* not the random stream of the training order, which uses the same seed */
    uint64_t state = hcbr_i_mix(hcbr_i_mix(o->seed ^ UINT64_C(0x666F6C6473)) + o->repeat);
    uint32_t n = cases->case_count;
    *out = (hcbr_i_folds){.case_count = n, .count = o->holdout > 0 || o->test_start ? 1 : o->folds};
    if (o->fewer && out->count > n)
        out->count = n;
    hcbr_status st = check(o, cases, err);
    if (st == HCBR_OK && !(out->of = hcbr_i_alloc(n, sizeof *out->of)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        if (o->given)
            st = make_given(out, cases, o, err);
        else if (o->by_group || o->together)
            st = make_by_unit(out, cases, o, state, err);
        else if (o->past_only)
            make_in_order(out, o);
        else if (o->test_start)
            for (uint32_t i = 0; i < n; i++)
                out->of[i] = i < o->test_start ? HCBR_I_NONE : 0;
        else if (o->holdout > 0)
            st = draw_holdout(out->of, cases, o->holdout, &state, err);
        else
            st = hcbr_i_folds_stratify(out->of, cases->label, n, cases->labels.count, out->count,
                                       &state, err);
    }
    if (st != HCBR_OK)
        hcbr_i_folds_clear(out);
    return st;
}

hcbr_status hcbr_i_folds_make(hcbr_i_folds *out, const struct hcbr_cases *cases,
                              const hcbr_i_fold_options *o, hcbr_error *err) {
    const uint32_t stated = hcbr_i_beliefs_cases(cases->beliefs), n = cases->case_count;
    if (stated == 0)
        return make(out, cases, o, err);
    struct hcbr_cases seen = *cases; // the last cases, which are never held out, are excluded
    seen.case_count -= stated;
    seen.rows -= stated;
    hcbr_status st = make(out, &seen, o, err);
    uint32_t *of = st == HCBR_OK ? hcbr_i_realloc(out->of, n, sizeof *of) : NULL;
    if (st == HCBR_OK && !of) {
        hcbr_i_folds_clear(out);
        return hcbr_i_no_memory(err);
    }
    if (st != HCBR_OK)
        return st;
    memset(of + (n - stated), 0xFF, stated * sizeof *of); // HCBR_I_NONE
    out->of = of;
    out->case_count = n;
    return HCBR_OK;
}
