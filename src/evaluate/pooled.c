/*
 * Figures of all held-out decisions together, for metrics that single parts are too small for.
 *
 * A part has figures of its own if it holds at least ten cases of every label concerned, and ten
 * others. If one part of an evaluation does not, all figures are those of the decisions of all
 * parts together: the areas of folds of three cases are 0, 1/2 or 1, and their mean and deviation
 * mean nothing. Intervals then come from the cases, not from the parts.
 */
#include "evaluate/evaluate.h"

#include <math.h>

#define CARRIES 10 /* cases of a label, and others, needed in a part */

/* ---- small parts ----------------------------------------------------------------------------- */

static bool carries(const hcbr_i_counts *c, uint32_t label) {
    return c->truth[label] >= CARRIES && c->all - c->truth[label] >= CARRIES;
}

static bool is_small(const hcbr_evaluation *e) {
    for (uint32_t p = 0; p < e->part_count; p++)
        for (uint32_t l = 0; l < e->labels.count; l++)
            if ((e->positive < 0 || l == (uint32_t)e->positive) && !carries(&e->parts[p].counts, l))
                return true;
    return false;
}

/* ---- ranks ----------------------------------------------------------------------------------- */

/* The cases of a repeat by their scores for a label. */
static size_t gather(hcbr_i_ranked *list, const hcbr_evaluation *e, uint32_t repeat, uint32_t label,
                     const uint32_t *truth, const double *weight) {
    size_t count = 0;
    for (uint32_t p = repeat * e->fold_count; p < (repeat + 1) * e->fold_count; p++) {
        const hcbr_i_eval_part *part = &e->parts[p];
        const hcbr_i_answers a = {.label_count = e->labels.count,
                                  .difference = part->difference,
                                  .support = part->support};
        for (uint32_t k = 0; k < part->held_out; k++) {
            uint32_t i = part->test[k];
            list[count++] = (hcbr_i_ranked){hcbr_i_answer_score(&a, k, label),
                                            weight ? weight[i] : 1, truth[i] == label};
        }
    }
    return count;
}

static hcbr_status rank_all(hcbr_evaluation *e, const uint32_t *truth, const double *weight,
                            hcbr_error *err) {
    uint32_t labels = e->labels.count;
    size_t most = 0;
    for (uint32_t p = 0; p < e->part_count; p++)
        most += e->parts[p].held_out;
    hcbr_i_ranked *list = hcbr_i_alloc(most, sizeof *list);
    e->ranks = hcbr_i_alloc((size_t)e->repeats * labels, sizeof *e->ranks);
    hcbr_status st = list && e->ranks ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t r = 0; st == HCBR_OK && r < e->repeats; r++)
        for (uint32_t l = 0; l < labels; l++) {
            size_t count = gather(list, e, r, l, truth, weight);
            e->ranks[(size_t)r * labels + l] = hcbr_i_ranks_of(list, count, (double)e->at);
        }
    hcbr_i_free(list);
    return st;
}

hcbr_status hcbr_i_evaluation_pool(hcbr_evaluation *e, const uint32_t *truth, const double *weight,
                                   hcbr_error *err) {
    bool kept = hcbr_i_pools(e->labels.count, 1);
    for (uint32_t p = 0; p < e->part_count; p++)
        kept = kept && e->parts[p].support;
    hcbr_status st = kept ? rank_all(e, truth, weight, err) : HCBR_OK;
    for (uint32_t r = 0; st == HCBR_OK && e->fold_count == 1 && r < e->repeats; r++)
        e->parts[r].value[HCBR_METRIC_PRECISION_AT] =
            hcbr_i_pooled_rank(e, r, HCBR_METRIC_PRECISION_AT, e->positive);
    e->small = is_small(e);
    return st;
}

double hcbr_i_pooled_rank(const hcbr_evaluation *e, uint32_t repeat, hcbr_metric metric,
                          hcbr_label label) {
    return e->ranks ? hcbr_i_rank_over_labels(&e->ranks[(size_t)repeat * e->labels.count],
                                              e->labels.count, label, metric)
                    : NAN;
}

double hcbr_i_pooled_rank_mean(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label) {
    double sum = 0;
    for (uint32_t r = 0; r < e->repeats; r++)
        sum += hcbr_i_pooled_rank(e, r, metric, label);
    return sum / e->repeats;
}

double hcbr_i_pooled_rank_baseline(const hcbr_evaluation *e, hcbr_metric metric) {
    const hcbr_i_counts *c = &e->counts;
    double sum = 0;
    uint32_t count = 0;
    if (isnan(hcbr_i_pooled_rank_mean(e, metric, e->positive)))
        return NAN;
    for (uint32_t l = 0; l < e->labels.count; l++)
        if (c->truth[l] > 0 && (e->positive < 0 || l == (uint32_t)e->positive)) {
            sum += c->truth[l] / c->all;
            count++;
        }
    return metric == HCBR_METRIC_AUC ? 0.5 : sum / count;
}

/* ---- intervals ------------------------------------------------------------------------------- */

/* The interval for one label. A mean precision is treated as a share of the label's cases (Boyd,
 Eng, Page 2013). */
static hcbr_i_range rank_range(const hcbr_evaluation *e, hcbr_metric metric, uint32_t label) {
    double value = hcbr_i_pooled_rank_mean(e, metric, (hcbr_label)label);
    double have = e->counts.truth[label] / e->repeats, all = e->counts.all / e->repeats;
    hcbr_i_range range = {NAN, NAN};
    if (isnan(value))
        return range;
    if (metric == HCBR_METRIC_AUC)
        return hcbr_i_auc_range(value, have, all - have);
    double below = metric == HCBR_METRIC_PR_AUC ? have : (double)e->at;
    hcbr_i_wilson(value * below, below, &range.low, &range.high);
    return range;
}

/* Over the labels the ends are averaged, which is conservative: as if all labels erred together. */
static hcbr_i_range rank_ranges(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_i_range sum = {0, 0};
    uint32_t count = 0;
    for (uint32_t l = 0; l < e->labels.count; l++) {
        hcbr_i_range range = rank_range(e, metric, l);
        if (isnan(range.low))
            continue;
        sum.low += range.low;
        sum.high += range.high;
        count++;
    }
    return (hcbr_i_range){count ? sum.low / count : NAN, count ? sum.high / count : NAN};
}

/* F1 rises with the share j of right answers among the cases that have the label or got it: it is
 * 2j / (1 + j). */
static hcbr_i_range f1_range(const hcbr_evaluation *e, uint32_t label) {
    const hcbr_i_counts *c = &e->counts;
    double hit = c->hit[label] / e->repeats;
    double either = (c->truth[label] + c->given[label]) / e->repeats - hit;
    hcbr_i_range j = {NAN, NAN};
    if (either > 0)
        hcbr_i_wilson(hit, either, &j.low, &j.high);
    return (hcbr_i_range){2 * j.low / (1 + j.low), 2 * j.high / (1 + j.high)};
}

hcbr_i_range hcbr_i_mean_range(hcbr_i_summed sums, double weight, uint32_t repeats) {
    double mean = sums.sum / weight, count = weight / repeats;
    double variance = sums.squares / weight - mean * mean;
    if (!(count >= 2))
        return (hcbr_i_range){NAN, NAN};
    double sd = sqrt(variance > 0 ? variance * count / (count - 1) : 0);
    double half = hcbr_i_t_quantile((uint64_t)(count - 1)) * sd / sqrt(count);
    return (hcbr_i_range){mean - half, mean + half};
}

hcbr_i_range hcbr_i_pooled_range(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label) {
    if (hcbr_i_is_rank_metric(metric))
        return label >= 0 ? rank_range(e, metric, (uint32_t)label) : rank_ranges(e, metric);
    if (metric == HCBR_METRIC_F1 && label >= 0)
        return f1_range(e, (uint32_t)label);
    if (metric == HCBR_METRIC_LOG_LOSS || metric == HCBR_METRIC_BRIER) {
        hcbr_i_summed sums = metric == HCBR_METRIC_LOG_LOSS ? e->losses.log_loss : e->losses.brier;
        return e->probabilities ? hcbr_i_mean_range(sums, e->counts.all, e->repeats)
                                : (hcbr_i_range){NAN, NAN};
    }
    return e->chance[metric];
}
