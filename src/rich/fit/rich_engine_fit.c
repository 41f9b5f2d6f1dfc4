/*
 * The fit of the rich model as a function of the engine (engine/interface.h): options, weights,
 * counts of the cases before they are used up, and decisions of held-out cases for tuning.
 */
#include "rich/rich.h"

static hcbr_i_rich_options options_of(const hcbr_train_options *o) {
    hcbr_i_rich_options rich = {.seed = o->seed,
                                .threads = o->threads ? o->threads : 1,
                                .numeric = o->numeric,
                                .numeric_count = o->numeric_count,
                                .categorical = o->categorical,
                                .categorical_count = o->categorical_count,
                                .notify = o->notify,
                                .notify_context = o->notify_context,
                                .kinds_said = o->kinds_said != 0,
                                .progress = o->progress,
                                .progress_context = o->progress_context,
                                .keep = o->keep != HCBR_KEEP_NONE};
    hcbr_i_rich_tuning_init(&rich.tuning, (hcbr_i_rich_effort)o->effort);
    return rich;
}

hcbr_status hcbr_i_rich_keys_of_numbers(const struct hcbr_cases *cases, const hcbr_train_options *o,
                                        bool *by_key, hcbr_error *err) {
    const hcbr_i_rich_options rich = options_of(o);
    const hcbr_i_rich_view view = {.cases = cases, .weight = o->weight};
    return hcbr_i_rich_number_keys(&view, &rich, by_key, err);
}

/* ---- held-out cases -------------------------------------------------------------------------- */

/* From probabilities to decisions; takes over the arrays of `from`. */
static hcbr_status decide_heldout(hcbr_i_heldout *out, hcbr_i_rich_heldout *from, uint32_t labels,
                                  hcbr_error *err) {
    uint32_t n = from->count;
    const bool *empty = from->empty;
    *out = (hcbr_i_heldout){.case_count = n,
                            .label_count = labels,
                            .support = from->probability,
                            .label = from->label,
                            .weight = from->weight,
                            .fold = from->fold,
                            .fold_count = HCBR_I_RICH_FOLDS};
    from->probability = from->weight = NULL; // now of out
    from->label = from->fold = NULL;
    out->lead = hcbr_i_alloc_zero(n, sizeof *out->lead);
    out->winner = hcbr_i_alloc(n, sizeof *out->winner);
    if (!out->lead || !out->winner)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < n; i++) {
        double *p = out->support + (size_t)i * labels, other = 0;
        uint32_t winner = 0;
        out->winner[i] = HCBR_LABEL_UNKNOWN;
        if (out->fold[i] == HCBR_I_NONE || empty[i]) {
            out->fold[i] = out->fold[i] == HCBR_I_NONE ? 0 : out->fold[i];
            memset(p, 0, labels * sizeof *p);
            continue;
        }
        for (uint32_t l = 1; l < labels; l++)
            winner = p[l] > p[winner] ? l : winner;
        for (uint32_t l = 0; l < labels; l++)
            other = l != winner && p[l] > other ? p[l] : other;
        out->winner[i] = (hcbr_label)winner;
        out->lead[i] = p[winner] - other;
    }
    return HCBR_OK;
}

/* ---- the cases ------------------------------------------------------------------------------- */

/* The number of cases of each label with a value, and the digest for the fingerprint. */
static hcbr_status count_cases(hcbr_i_fitted *out, const struct hcbr_cases *cases,
                               const hcbr_train_options *o, hcbr_error *err) {
    // at the start of the first stage of the fit
    const hcbr_i_watch watch = {o->progress, o->progress_context, "columns", 0, HCBR_I_RICH_WAY};
    out->label_total = hcbr_i_alloc_zero(cases->labels.count, sizeof *out->label_total);
    if (!out->label_total)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++)
        out->label_total[cases->label[i]] += !hcbr_i_case_is_empty(cases, i);
    hcbr_status st = hcbr_i_cases_value_count(&out->value_count, cases, &watch, err);
    return st == HCBR_OK ? hcbr_i_cases_digest(out->digest, &out->occurrence_count, cases,
                                               o->threads, &watch, err)
                         : st;
}

/* Weights as they count, on the grid on which their sums are exact, unless all are 1. */
static hcbr_status keep_weights(hcbr_i_rich *rich, hcbr_i_fitted *out,
                                const struct hcbr_cases *cases, const hcbr_train_options *o,
                                hcbr_error *err) {
    hcbr_i_rich_view view = {.cases = cases, .weight = o->weight};
    bool all_one = true;
    for (uint32_t i = 0; o->weight && i < cases->case_count; i++)
        all_one &= o->weight[i] == 1;
    if (all_one)
        return HCBR_OK;
    double *exact = hcbr_i_alloc(cases->case_count, sizeof *exact);
    out->label_weight = hcbr_i_alloc_zero(cases->labels.count, sizeof *out->label_weight);
    if (!exact || !out->label_weight) {
        hcbr_i_free(exact);
        return hcbr_i_no_memory(err);
    }
    view.grid = hcbr_i_rich_weight_grid(&view);
    for (uint32_t i = 0; i < cases->case_count; i++) {
        exact[i] = hcbr_i_rich_weight(&view, i);
        out->label_weight[cases->label[i]] += exact[i];
    }
    if (hcbr_i_rich_has_reasons(rich, o->keep))
        rich->kept.weight = exact;
    else
        hcbr_i_free(exact);
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_fit(void **state, hcbr_i_fitted *out, struct hcbr_cases *cases,
                            const hcbr_i_fit_options *options, hcbr_error *err) {
    const hcbr_train_options *o = options->train;
    const hcbr_i_rich_view view = {.cases = cases, .weight = o->weight};
    hcbr_i_rich_options how = options_of(o);
    hcbr_i_rich_heldout heldout = {0};
    hcbr_i_rich *rich = NULL;
    how.heldout = options->heldout ? &heldout : NULL;
    how.record = &out->record;
    how.used_up = options->owned ? cases : NULL;
    hcbr_status st = count_cases(out, cases, o, err); // before the numbers are used up
    if (st == HCBR_OK)
        st = hcbr_i_rich_train(&rich, &view, &how, err);
    *state = rich;
    if (st == HCBR_OK && !hcbr_i_rich_has_reasons(rich, o->keep))
        hcbr_i_rich_kept_clear(&rich->kept);
    if (st == HCBR_OK) // the names are those of its encoder
        out->dict = hcbr_i_dict_share(rich->encoder.dict);
    if (st == HCBR_OK)
        st = keep_weights(rich, out, cases, o, err);
    if (st == HCBR_OK && options->heldout)
        st = decide_heldout(&out->heldout, &heldout, cases->labels.count, err);
    hcbr_i_rich_heldout_clear(&heldout);
    return st;
}
