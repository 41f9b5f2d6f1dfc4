/*
 * An approximate estimate of the cost of training.
 *
 * Fitted to runs on eleven shapes of data (bench/estimate), within a factor of three on these.
 * Memory for the cases and by feature is the same for all models; the engine adds that of its
 * training.
 */
#include "model/model.h"

/* The number of labels of each feature's cases, if they are drawn at random; few features with many
 * cases account for most of it. */
static hcbr_status meet_labels(hcbr_i_shape *s, const hcbr_cases *cases, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    uint32_t *degree = hcbr_i_alloc_zero(features, sizeof *degree);
    if (!degree)
        return hcbr_i_no_memory(err);
    for (uint64_t j = 0; j < cases->start[cases->case_count]; j++)
        degree[cases->features[j]]++;
    for (uint32_t f = 0; f < features; f++) {
        const double met = s->labels * (1 - hcbr_i_exp(-(double)degree[f] / s->labels));
        s->labels_met += met;
        s->pairs += degree[f] * met;
    }
    hcbr_i_free(degree);
    return HCBR_OK;
}

hcbr_status hcbr_model_estimate(const hcbr_cases *cases, const hcbr_train_options *options,
                                hcbr_estimate *out, hcbr_error *err) {
    if (HCBR_I_NULL(err, cases, out) || HCBR_I_UNSIZED(err, options, out))
        return HCBR_EUSAGE;
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    if (options)
        o = *options;
    const hcbr_estimate none = {.size = 0};
    hcbr_status st = hcbr_i_train_options_check(&o, err);
    if (st == HCBR_OK && (!cases->finished || cases->consumed))
        st = hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is not finished, or used up");
    if (st != HCBR_OK) {
        hcbr_i_hand_out(out, &none, sizeof none);
        return st;
    }
    hcbr_i_shape s = {
        .cases = cases->case_count,
        .occurrences = (double)(cases->start[cases->case_count] + hcbr_i_cases_item_count(cases)),
        .features = hcbr_i_dict_count(cases->dict),
        .labels = cases->labels.count ? cases->labels.count : 1,
        .keys = hcbr_i_dict_key_count(cases->dict),
        .threads = o.threads ? o.threads : 1,
        .passes = o.passes,
        .effort = o.effort,
        .tuned = o.tune != NULL};
    if ((st = meet_labels(&s, cases, err)) != HCBR_OK) {
        hcbr_i_hand_out(out, &none, sizeof none);
        return st;
    }
    hcbr_estimate full = {.bytes = 8e6 + 24 * s.occurrences + 40 * s.cases +
                                   (s.labels > 2 ? 40 * s.labels_met : 0)};
    hcbr_i_engine_of(o.model)->estimate(&s, &full);
    hcbr_i_hand_out(out, &full, sizeof full);
    return HCBR_OK;
}

hcbr_status hcbr_i_model_afford(const hcbr_cases *cases, const hcbr_train_options *options,
                                hcbr_error *err) {
    hcbr_estimate need = {.size = sizeof need};
    hcbr_status st = hcbr_model_estimate(cases, options, &need, err);
    if (st != HCBR_OK || options->max_memory == 0 || need.bytes <= options->max_memory)
        return st;
    return hcbr_i_fail(err, HCBR_ENOMEM,
                       "training would take about %.0f MB of memory, expected at most %.0f MB",
                       need.bytes / 1e6, options->max_memory / 1e6);
}
