/*
 * Held-out units, and the fold model of each.
 *
 * A unit is all rows of one content, whatever their labels, or, if the cases have groups, all rows
 * of a group. A model that has seen a case knows its copies, so held-out copies would say nothing
 * about new cases. Units are dealt as in folds/fold_units.c: a weight n is n copies, and the order
 * of the cases changes nothing.
 *
 * If there are few units, each of very many cases, new cases belong to known units, and units tell
 * little about each other. Then the fold models see all cases, and the contribution of a case is
 * removed from its own prediction: a unit whose label has the share k / n has the share (k - 1) /
 * (n - 1) without one of its cases. In supports that is about (1 - p) / (n p (1 - p) + 1).
 */
#include "folds/folds.h"
#include "rich/encode/column_encoding.h"

#include <math.h>

#define KNOWN 20.0  /* mean cases of a unit ... */
#define APART 3.0   /* ... or, of these, those that contradict the others */
#define FEW_ROWS 5u /* fewer weights have a common factor by chance */

/* ---- units ----------------------------------------------------------------------------------- */

/* Set the unit of each row to its group, keyed by the group's content, not its name. False: no
 * memory. */
static bool key_groups(hcbr_i_rich_table *t) {
    uint64_t *sum = hcbr_i_alloc_zero(t->rows, sizeof *sum);
    for (uint32_t i = 0; sum && i < t->rows; i++)
        sum[t->group[i]] += hcbr_i_mix(t->hash[i]);
    for (uint32_t i = 0; sum && i < t->rows; i++)
        t->unit[i] = hcbr_i_mix(sum[t->group[i]]);
    hcbr_i_free(sum);
    return sum;
}

/* Keep the only unit of a label in all fold models: otherwise one of them would not know the label.
 * only: by label, its unit, or NULL if there are several. */
static void keep_only(hcbr_i_rich_table *t, const hcbr_i_fold_units *units,
                      const hcbr_i_fold_unit **only) {
    bool *several = (bool *)(only + t->labels);
    for (uint32_t u = 0; u < units->count; u++)
        for (uint32_t k = 0; k < units->unit[u].count; k++) {
            uint32_t l = t->label[units->cases[units->unit[u].first + k]];
            several[l] |= only[l] && only[l] != &units->unit[u];
            only[l] = &units->unit[u];
        }
    for (uint32_t l = 0; l < t->labels; l++)
        for (uint32_t k = 0; only[l] && !several[l] && k < only[l]->count; k++)
            t->fold[units->cases[only[l]->first + k]] = HCBR_I_RICH_FOLDS;
}

/* ---- known units ----------------------------------------------------------------------------- */

/* The largest number of which both are multiples; weights are multiples of a power of two. */
static double common_factor(double a, double b) {
    while (b > 0) {
        double left = fmod(a, b);
        a = b;
        b = left;
    }
    return a;
}

/* The weight of one case of each label: the common factor of its weights. Without one it is their
 * mean; with few rows it is 1. */
static void find_cases(const hcbr_i_rich_table *t, double *one, uint32_t *rows) {
    double least = INFINITY;
    for (uint32_t i = 0; i < t->rows; i++) {
        const uint32_t l = t->label[i];
        one[l] = common_factor(t->weight[i], one[l]);
        rows[l]++;
        least = fmin(least, t->weight[i]);
    }
    for (uint32_t l = 0; l < t->labels; l++)
        if (rows[l] < FEW_ROWS)
            one[l] = 1;
        else if (one[l] < least / 100)
            one[l] = t->label_weight[l] / rows[l];
}

/* The number of cases of a unit. */
static double cases_of(const hcbr_i_rich_table *t, const hcbr_i_fold_units *units, uint32_t unit,
                       const double *one) {
    const uint32_t *rows = units->cases + units->unit[unit].first;
    double all = 0;
    for (uint32_t k = 0; k < units->unit[unit].count; k++)
        all += t->weight[rows[k]] / one[t->label[rows[k]]];
    return all;
}

/* Whether units have enough cases. Copies of one case never contradict each other, so fewer are
 * enough if they lack the most frequent label of their unit. */
static bool are_known(const hcbr_i_rich_table *t, const hcbr_i_fold_units *units,
                      const double *one) {
    double whole = 0, apart = 0;
    for (uint32_t u = 0; u < units->count; u++) {
        const uint32_t *rows = units->cases + units->unit[u].first;
        double most = 0, all = cases_of(t, units, u, one);
        for (uint32_t k = 0; k < units->unit[u].count; k++) // rows of one content differ in label
            most = fmax(most, t->weight[rows[k]] / one[t->label[rows[k]]]);
        whole += all;
        apart += all - most;
    }
    return whole >= KNOWN * units->count || apart >= APART * units->count;
}

/* Compute the contribution of each case to its own prediction. False: no memory. */
static bool find_self(hcbr_i_rich_table *t, const hcbr_i_fold_units *units, const double *one) {
    t->self = hcbr_i_alloc(t->rows, sizeof *t->self);
    for (uint32_t u = 0; t->self && u < units->count; u++) {
        const uint32_t *rows = units->cases + units->unit[u].first;
        double all = cases_of(t, units, u, one);
        for (uint32_t k = 0; k < units->unit[u].count; k++) {
            double p = t->weight[rows[k]] / one[t->label[rows[k]]] / all;
            t->self[rows[k]] = (1 - p) / (all * p * (1 - p) + 1);
        }
    }
    return t->self;
}

/* Let the fold models see all cases if units are known. False: no memory. */
static bool look_at(hcbr_i_rich_table *t, const hcbr_i_fold_units *units) {
    double *one = hcbr_i_alloc_zero(t->labels, sizeof *one + sizeof(uint32_t));
    bool ok = one;
    if (ok) {
        find_cases(t, one, (uint32_t *)(one + t->labels));
        ok = !are_known(t, units, one) || find_self(t, units, one);
    }
    hcbr_i_free(one);
    return ok;
}

void hcbr_i_rich_leave_out(const hcbr_i_rich_table *t, double *held) {
    const uint32_t k = t->labels == 2 ? 1 : t->labels;
    for (uint32_t i = 0; held && t->self && i < t->sample_count; i++) {
        const uint32_t row = hcbr_i_rich_sample_row(t, i), l = t->label[row];
        if (k == 1)
            held[i] += l ? -t->self[row] : t->self[row];
        else
            held[(size_t)i * k + l] -= t->self[row];
    }
}

/* ---- dealing --------------------------------------------------------------------------------- */

bool hcbr_i_rich_units_deal(hcbr_i_rich_table *t, uint64_t seed) {
    if (t->group && !key_groups(t))
        return false;
    hcbr_i_fold_units units = {0};
    uint32_t *of = hcbr_i_alloc(t->rows, sizeof *of);
    const hcbr_i_fold_unit **only = hcbr_i_alloc_zero(t->labels, sizeof *only + sizeof(bool));
    bool ok =
        of && only &&
        hcbr_i_fold_units_make(&units, t->rows, t->unit, t->label, t->weight, seed, NULL) ==
            HCBR_OK &&
        hcbr_i_fold_units_deal(of, &units, t->label, t->labels, HCBR_I_RICH_FOLDS, NULL) == HCBR_OK;
    for (uint32_t i = 0; ok && i < t->rows; i++)
        t->fold[i] = (uint8_t)of[i];
    if (ok && !t->group)
        ok = look_at(t, &units);
    if (ok && !t->self)
        keep_only(t, &units, only);
    hcbr_i_fold_units_clear(&units);
    hcbr_i_free(only);
    hcbr_i_free(of);
    return ok;
}
