/*
 * Honest probabilities: of every training case, by the jury that did not see it.
 *
 * Copies of a case are dealt to folds as the table was; since they are alike it does not matter
 * which of them is which. A case whose label is with all juries has none.
 */
#include "rich/rich.h"

/* Supports of a row by the jury of a fold. */
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

/* The fold that holds out what lies at `at` of a row's weight. */
static uint32_t fold_at(const hcbr_i_rich_table *t, uint32_t row, double at) {
    uint32_t last = HCBR_I_NONE;
    double sum = 0;
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++) {
        double part = t->held[(size_t)row * HCBR_I_RICH_FOLDS + k];
        if (!(part > 0))
            continue;
        last = k;
        if ((sum += part) > at)
            break;
    }
    return last;
}

bool hcbr_i_rich_honest_fill(hcbr_i_rich_honest *out, const hcbr_i_rich *rich,
                             const hcbr_i_rich_table *t, double *const held[HCBR_I_RICH_FAMILIES],
                             const hcbr_i_rich_view *view, const uint32_t *row_of) {
    uint32_t count = view->index ? view->count : view->cases->case_count;
    double *used = hcbr_i_alloc_zero(t->rows, sizeof *used);
    double *support = hcbr_i_alloc(rich->outputs, sizeof *support);
    bool ok = used && support;
    for (uint32_t j = 0; ok && j < count; j++) {
        uint32_t row = row_of[j];
        out->fold[j] = HCBR_I_NONE;
        if (row == HCBR_I_NONE)
            continue;
        double w = hcbr_i_rich_weight(view, view->index ? view->index[j] : j);
        out->fold[j] = fold_at(t, row, used[row] + w / 2);
        used[row] += w;
        if (out->fold[j] == HCBR_I_NONE)
            continue;
        support_of(rich, held, row, out->fold[j], support);
        hcbr_i_rich_probabilities(rich, support, out->probability + (size_t)j * rich->labels);
    }
    hcbr_i_free(used);
    hcbr_i_free(support);
    return ok;
}
