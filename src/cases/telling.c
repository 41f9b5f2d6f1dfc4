/*
 * Information gain: the mutual information of a feature and the label over some cases. Features of
 * one atom have the same cases, and the same gain.
 */
#include "cases/cases.h"

#include <stdlib.h>

#define MOST_COUNTS (1u << 24) /* by feature and label, at a time */

#define ROUNDING 1e-11 /* equal gains that were summed otherwise differ by less */

/* n log n, 0 at 0 */
static double entropy_of(double n) {
    return n > 0 ? n * hcbr_i_log(n) : 0;
}

/* Gains of at most `block` features from `first` on. */
static void gains_of(double *gain, const struct hcbr_cases *cases, const uint32_t *list,
                     uint32_t count, uint32_t first, uint32_t block, uint32_t *with,
                     const uint64_t *all) {
    uint32_t features = hcbr_i_dict_count(cases->dict), labels = cases->labels.count;
    memset(with, 0, (size_t)block * labels * sizeof *with);
    for (uint32_t k = 0; k < count; k++) {
        uint32_t i = list ? list[k] : k;
        for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++)
            if (cases->features[j] - first < block) // unsigned: also not below it
                with[(size_t)(cases->features[j] - first) * labels + cases->label[i]]++;
    }
    for (uint32_t f = first; f < features && f - first < block; f++) {
        const uint32_t *have = with + (size_t)(f - first) * labels;
        double sum = 0, here = 0;
        for (uint32_t l = 0; l < labels; l++) {
            sum += entropy_of(have[l]) + entropy_of((double)all[l] - have[l]);
            sum -= entropy_of((double)all[l]);
            here += have[l];
        }
        /* N times the gain; rounding must not make one negative */
        sum += entropy_of(count) - entropy_of(here) - entropy_of(count - here);
        gain[f] = sum > 1e-9 * count ? sum / count : 0;
    }
}

hcbr_status hcbr_i_cases_gains(double *gain, const struct hcbr_cases *cases, const uint32_t *list,
                               uint32_t count, hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(cases->dict), labels = cases->labels.count;
    uint32_t block = labels && features > MOST_COUNTS / labels ? MOST_COUNTS / labels : features;
    block = block ? block : 1;
    uint32_t *with = hcbr_i_alloc((size_t)block * labels, sizeof *with);
    uint64_t *all = hcbr_i_alloc_zero(labels, sizeof *all);
    bool ok = with && all;
    for (uint32_t k = 0; ok && k < count; k++)
        all[cases->label[list ? list[k] : k]]++;
    for (uint64_t first = 0; ok && first < features; first += block)
        gains_of(gain, cases, list, count, (uint32_t)first, block, with, all);
    hcbr_i_free(with);
    hcbr_i_free(all);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

static int falling(const void *a, const void *b) {
    return hcbr_i_order_double(*(const double *)b, *(const double *)a);
}

hcbr_status hcbr_i_cases_drop_dull(bool *drop, const struct hcbr_cases *cases, const uint32_t *list,
                                   uint32_t count, double share, hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(cases->dict);
    double *gain = hcbr_i_alloc(features, sizeof *gain);
    double *sorted = hcbr_i_alloc(features, sizeof *sorted);
    hcbr_status st =
        gain && sorted ? hcbr_i_cases_gains(gain, cases, list, count, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK && features > 0) {
        memcpy(sorted, gain, features * sizeof *gain);
        qsort(sorted, features, sizeof *sorted, falling);
        double kept = share * features;
        uint32_t last = kept >= features ? features - 1 : kept < 1 ? 0 : (uint32_t)kept - 1;
        for (uint32_t f = 0; f < features; f++)
            drop[f] = sorted[last] - gain[f] > ROUNDING;
    }
    hcbr_i_free(gain);
    hcbr_i_free(sorted);
    return st;
}
