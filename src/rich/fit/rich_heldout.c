/*
 * Honest probabilities: of every training case, by the jury that did not see it.
 *
 * Copies of a case are one row of the table, of which parts are held out of several juries: each
 * part is an entry with its weight, so that a weight n gives what n copies give. A case whose label
 * is with all juries has none.
 */
#include "rich/fit/rich_columns.h"

/* Supports of a row, which is its place in the sample, by the jury of a fold. */
static void support_of(const hcbr_i_rich *rich, double *const held[HCBR_I_RICH_FAMILIES],
                       uint32_t row, uint32_t fold, double *support) {
    uint32_t k = rich->outputs;
    for (uint32_t l = 0; l < k; l++) {
        support[l] = rich->blend.bias[l];
        for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++) {
            size_t at = f == 2 ? row : (size_t)row * HCBR_I_RICH_FOLDS + fold;
            if (held[f])
                support[l] += rich->blend.trust[f] * held[f][at * k + l];
        }
    }
}

void hcbr_i_rich_heldout_clear(hcbr_i_rich_heldout *heldout) {
    hcbr_i_free(heldout->probability);
    hcbr_i_free(heldout->label);
    hcbr_i_free(heldout->fold);
    hcbr_i_free(heldout->weight);
    hcbr_i_free(heldout->empty);
    *heldout = (hcbr_i_rich_heldout){0};
}

/* Rows of which some case has a feature; NULL: no memory. */
static bool *rows_with_features(const hcbr_i_rich_table *t, const hcbr_i_rich_view *view,
                                const uint32_t *row_of) {
    bool *some = hcbr_i_alloc_zero(t->rows, sizeof *some);
    for (uint32_t j = 0; some && j < hcbr_i_rich_view_count(view); j++) {
        uint32_t i = view->index ? view->index[j] : j;
        if (row_of[j] != HCBR_I_NONE && !hcbr_i_case_is_empty(view->cases, i))
            some[row_of[j]] = true;
    }
    return some;
}

static bool make_room(hcbr_i_rich_heldout *out, const hcbr_i_rich_table *t) {
    size_t entries = 0;
    for (uint32_t row = 0; row < t->rows; row++) {
        size_t before = entries;
        for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
            entries += t->held[(size_t)row * HCBR_I_RICH_FOLDS + k] > 0;
        entries += entries == before;
    }
    if (entries >= HCBR_I_NONE)
        return false;
    out->probability = hcbr_i_alloc_zero(entries, t->labels * sizeof *out->probability);
    out->label = hcbr_i_alloc(entries, sizeof *out->label);
    out->fold = hcbr_i_alloc(entries, sizeof *out->fold);
    out->weight = hcbr_i_alloc(entries, sizeof *out->weight);
    out->empty = hcbr_i_alloc(entries, sizeof *out->empty);
    return out->probability && out->label && out->fold && out->weight && out->empty;
}

static void add(hcbr_i_rich_heldout *out, const hcbr_i_rich_table *t, uint32_t row, uint32_t fold,
                double weight, bool empty) {
    out->label[out->count] = t->label[row];
    out->fold[out->count] = fold;
    out->weight[out->count] = weight;
    out->empty[out->count++] = empty;
}

bool hcbr_i_rich_heldout_fill(hcbr_i_rich_heldout *out, const hcbr_i_rich *rich,
                              const hcbr_i_rich_table *t, double *const held[HCBR_I_RICH_FAMILIES],
                              const hcbr_i_rich_view *view, const uint32_t *row_of) {
    bool *some = rows_with_features(t, view, row_of);
    double *support = hcbr_i_alloc(rich->outputs, sizeof *support);
    bool ok = some && support && make_room(out, t);
    for (uint32_t row = 0; ok && row < t->rows; row++) {
        uint32_t before = out->count;
        for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++) {
            double part = t->held[(size_t)row * HCBR_I_RICH_FOLDS + k];
            if (!(part > 0))
                continue;
            support_of(rich, held, row, k, support);
            hcbr_i_rich_probabilities(rich, support,
                                      out->probability + (size_t)out->count * rich->labels);
            add(out, t, row, k, part, !some[row]);
        }
        if (out->count == before)
            add(out, t, row, HCBR_I_NONE, t->weight[row], !some[row]);
    }
    hcbr_i_free(some);
    hcbr_i_free(support);
    return ok;
}

/* ---- how they were decided ------------------------------------------------------------------- */

static uint32_t largest(const double *values, uint32_t count) {
    uint32_t best = 0;
    for (uint32_t l = 1; l < count; l++)
        best = values[l] > values[best] ? l : best;
    return best;
}

/* The row at a place of the sample: each part to the record, the mean of them to `mean`. False: no
 * part of it was held out. */
static bool decide_row(hcbr_i_record *out, const hcbr_i_rich *rich, const hcbr_i_rich_table *t,
                       double *const held[HCBR_I_RICH_FAMILIES], uint32_t place, double *support,
                       double *p, double *mean) {
    const uint32_t row = hcbr_i_rich_sample_row(t, place);
    double all = 0;
    memset(mean, 0, rich->labels * sizeof *mean);
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++) {
        const double part = t->held[(size_t)row * HCBR_I_RICH_FOLDS + k];
        if (!(part > 0))
            continue;
        support_of(rich, held, place, k, support);
        hcbr_i_rich_probabilities(rich, support, p);
        const uint32_t answer = largest(p, rich->labels);
        hcbr_i_record_add(out, p[answer], answer == t->label[row], part);
        for (uint32_t l = 0; l < rich->labels; l++)
            mean[l] += part * p[l];
        all += part;
    }
    for (uint32_t l = 0; all > 0 && l < rich->labels; l++)
        mean[l] /= all;
    return all > 0;
}

bool hcbr_i_rich_record_fill(hcbr_i_record *out, const hcbr_i_rich *rich,
                             const hcbr_i_rich_table *t, double *const held[HCBR_I_RICH_FAMILIES],
                             const hcbr_i_rich_view *view, const uint32_t *row_of) {
    const uint32_t count = hcbr_i_rich_view_count(view);
    hcbr_i_record rows = {0}; // what rows got, by row
    bool *some = rows_with_features(t, view, row_of);
    double *room = hcbr_i_alloc(rich->outputs + 2 * (size_t)rich->labels, sizeof *room);
    double *p = room ? room + rich->outputs : NULL, *mean = p ? p + rich->labels : NULL;
    bool ok = some && room && hcbr_i_record_room(&rows, t->rows) && hcbr_i_record_room(out, count);
    for (uint32_t place = 0; ok && place < t->sample_count; place++) {
        const uint32_t row = hcbr_i_rich_sample_row(t, place);
        if (!some[row] || !decide_row(out, rich, t, held, place, room, p, mean))
            continue;
        const uint32_t answer = largest(mean, rich->labels);
        hcbr_i_record_set(&rows, row, answer, mean[answer]);
    }
    for (uint32_t j = 0; ok && j < count; j++)
        if (row_of[j] != HCBR_I_NONE) {
            out->answer[j] = rows.answer[row_of[j]];
            out->chance[j] = rows.chance[row_of[j]];
        }
    hcbr_i_record_clear(&rows);
    hcbr_i_free(some);
    hcbr_i_free(room);
    return ok;
}
