/*
 * Cross-fitted probabilities of every training case, by the fold model that did not see it, and by
 * a stack learnt on the cases of the other folds.
 *
 * A held-out case does not affect its own probability: neither through the trust in each family nor
 * through the temperature of several labels nor, as fold models are compared (boost_folds.c),
 * through the end of boosting. A case whose label's only unit is in all fold models has no such
 * probability.
 */
#include "rich/encode/column_encoding.h"

#define EVERY 8u /* with many cases, the stride of those that a fold's stack is learnt on */

/* The state of cross-fitting. */
typedef struct honest {
    const hcbr_i_rich *rich;
    const hcbr_i_rich_table *table;
    double *const *held;                        /* by family */
    hcbr_i_rich_stack stack[HCBR_I_RICH_FOLDS]; /* learnt on the other folds */
    bool *some;                                 /* by row: whether a case of it has a feature */
    double *support;                            /* by output */
} honest;

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
    for (uint32_t j = 0; some && j < hcbr_i_rich_view_count(view); j++)
        if (row_of[j] != HCBR_I_NONE &&
            !hcbr_i_case_is_empty(view->cases, hcbr_i_rich_view_case(view, j)))
            some[row_of[j]] = true;
    return some;
}

static hcbr_status fit_stacks(honest *h, const hcbr_i_rich_options *o, hcbr_error *err) {
    const uint32_t every = h->table->sample_count >= o->tuning.stack_many ? EVERY : 1;
    hcbr_status st = HCBR_OK;
    for (uint32_t k = 0; st == HCBR_OK && k < HCBR_I_RICH_FOLDS; k++) {
        const uint32_t others = HCBR_I_RICH_ALL_FOLDS & ~(1u << k);
        st = hcbr_i_rich_stack_fit(&h->stack[k], h->table, o, h->held, others, every, err);
        if (st == HCBR_OK &&
            !hcbr_i_rich_temperature_fit(&h->stack[k], h->table, o, h->held, others, every))
            st = hcbr_i_no_memory(err);
    }
    return st;
}

/* The probabilities of the row at a place of the sample, which a fold held out. */
static void find_probability(honest *h, uint32_t place, double *probability) {
    const hcbr_i_rich_table *t = h->table;
    const hcbr_i_rich_stack *stack = &h->stack[t->fold[hcbr_i_rich_sample_row(t, place)]];
    hcbr_i_rich_stack_support(stack, h->held, place, h->rich->outputs, h->support);
    hcbr_i_rich_probabilities(stack, t->labels, h->support, probability);
}

/* ---- of all rows ----------------------------------------------------------------------------- */

static bool list_all(honest *h, hcbr_i_rich_heldout *out) {
    const hcbr_i_rich_table *t = h->table;
    const size_t rows = t->rows;
    out->probability = hcbr_i_alloc_zero(rows, t->labels * sizeof *out->probability);
    out->label = hcbr_i_alloc(rows, sizeof *out->label);
    out->fold = hcbr_i_alloc(rows, sizeof *out->fold);
    out->weight = hcbr_i_alloc(rows, sizeof *out->weight);
    out->empty = hcbr_i_alloc(rows, sizeof *out->empty);
    if (!out->probability || !out->label || !out->fold || !out->weight || !out->empty)
        return false;
    out->count = t->rows;
    for (uint32_t row = 0; row < t->rows; row++) {
        const bool held = t->fold[row] < HCBR_I_RICH_FOLDS;
        if (held)
            find_probability(h, row, out->probability + (size_t)row * t->labels);
        out->label[row] = t->label[row];
        out->fold[row] = held ? t->fold[row] : HCBR_I_NONE;
        out->weight[row] = t->weight[row];
        out->empty[row] = !h->some[row];
    }
    return true;
}

/* ---- before the rule is known ---------------------------------------------------------------- */

static bool note_all(honest *h, hcbr_i_record *out, uint32_t count, const uint32_t *row_of) {
    const hcbr_i_rich_table *t = h->table;
    uint32_t *entry = hcbr_i_alloc(t->rows, sizeof *entry); // by row
    double *p = hcbr_i_alloc(t->labels, sizeof *p);
    const bool ok = p && entry && hcbr_i_record_room(out, count) &&
                    hcbr_i_record_room_rows(out, t->sample_count, t->labels);
    for (uint32_t row = 0; ok && row < t->rows; row++)
        entry[row] = HCBR_I_NONE;
    for (uint32_t place = 0; ok && place < t->sample_count; place++) {
        const uint32_t row = hcbr_i_rich_sample_row(t, place);
        if (!h->some[row] || t->fold[row] == HCBR_I_RICH_FOLDS)
            continue;
        find_probability(h, place, p);
        entry[row] = hcbr_i_record_note(out, p, t->label[row], t->weight[row]);
    }
    for (uint32_t j = 0; ok && j < count; j++)
        if (row_of[j] != HCBR_I_NONE)
            out->answer[j] = entry[row_of[j]];
    hcbr_i_free(p);
    hcbr_i_free(entry);
    return ok;
}

hcbr_status hcbr_i_rich_look_back(const hcbr_i_rich *rich, const hcbr_i_rich_table *table,
                                  const hcbr_i_rich_options *options,
                                  double *const held[HCBR_I_RICH_FAMILIES],
                                  const hcbr_i_rich_view *view, const uint32_t *row_of,
                                  hcbr_error *err) {
    honest h = {.rich = rich, .table = table, .held = held};
    h.some = rows_with_features(table, view, row_of);
    h.support = hcbr_i_alloc(rich->outputs, sizeof *h.support);
    hcbr_status st = h.some && h.support ? fit_stacks(&h, options, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK &&
        ((options->heldout && !list_all(&h, options->heldout)) ||
         (options->record && !note_all(&h, options->record, hcbr_i_rich_view_count(view), row_of))))
        st = hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        hcbr_i_free(h.stack[k].bias);
    hcbr_i_free(h.some);
    hcbr_i_free(h.support);
    return st;
}
