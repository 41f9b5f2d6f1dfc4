/*
 * Access to an evaluation: figures over all parts with their intervals, single parts, single
 * decisions.
 */
#include "evaluate/evaluate.h"

#include <assert.h>
#include <math.h>

const char *hcbr_metric_name(hcbr_metric metric) {
    static const char *const names[HCBR_METRIC_END] = {"accuracy",
                                                       "mcc",
                                                       "f1",
                                                       "recall",
                                                       "specificity",
                                                       "precision",
                                                       "npv",
                                                       "auc",
                                                       "log_loss",
                                                       "brier",
                                                       "ece",
                                                       "accuracy_decided",
                                                       "unknown",
                                                       "copies",
                                                       "accuracy_new",
                                                       "features",
                                                       "atoms",
                                                       "fit_seconds",
                                                       "predict_seconds",
                                                       "pr_auc",
                                                       "precision_at",
                                                       "cost"};
    return (unsigned)metric < HCBR_METRIC_END ? names[metric] : NULL;
}

const hcbr_evaluation *hcbr_evaluation_get_together(const hcbr_evaluation *evaluation) {
    return evaluation->together;
}

/* ---- figures --------------------------------------------------------------------------------- */

static bool by_label(hcbr_metric metric) {
    return (metric >= HCBR_METRIC_F1 && metric <= HCBR_METRIC_NPV) || hcbr_i_is_rank_metric(metric);
}

/* A metric of one part, of all labels or of one. */
static double part_value(const hcbr_i_eval_part *part, hcbr_metric metric, hcbr_label label) {
    if (label < 0)
        return part->value[metric];
    if (hcbr_i_is_rank_metric(metric))
        return part->ranks ? hcbr_i_rank_metric(&part->ranks[label], metric) : NAN;
    return by_label(metric) ? hcbr_i_counts_metric(&part->counts, metric, label) : NAN;
}

/* Mean and standard deviation of `count` values; NaN is ignored. */
typedef struct moments {
    uint64_t count;
    double mean, sd;
} moments;

/* Two passes: a sum of squares would lose the digits of a small deviation. */
static moments moments_of(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                          bool baseline) {
    moments m = {0, 0, 0};
    double sum = 0, squares = 0;
    for (int step = 0; step < 2; step++) {
        for (uint32_t p = 0; p < e->part_count; p++) {
            double value =
                baseline ? e->parts[p].baseline[metric] : part_value(&e->parts[p], metric, label);
            if (isnan(value))
                continue;
            m.count += step == 0;
            sum += step == 0 ? value : 0;
            squares += step == 0 ? 0 : (value - m.mean) * (value - m.mean);
        }
        m.mean = m.count ? sum / (double)m.count : NAN;
    }
    m.sd = m.count > 1 ? sqrt(squares / (double)(m.count - 1)) : NAN;
    return m;
}

void hcbr_i_repeat_bins(hcbr_i_bins *out, const hcbr_evaluation *e, uint32_t repeat,
                        bool baseline) {
    *out = (hcbr_i_bins){{0}, {0}, {0}};
    for (uint32_t p = repeat * e->fold_count; p < (repeat + 1) * e->fold_count; p++) {
        const hcbr_i_bins *from =
            baseline ? &e->parts[p].baseline_losses.bins : &e->parts[p].losses.bins;
        for (size_t b = 0; b < HCBR_I_ECE_BINS; b++) {
            out->count[b] += from->count[b];
            out->right[b] += from->right[b];
            out->sum[b] += from->sum[b];
        }
    }
}

static bool by_repeat(hcbr_metric metric) {
    return metric == HCBR_METRIC_ECE || metric == HCBR_METRIC_PRECISION_AT;
}

/* The calibration error needs many answers, and the first cases by score are those of all parts:
 * these metrics have a value for each repeat, not for each part. */
static double repeat_value(const hcbr_evaluation *e, uint32_t repeat, hcbr_metric metric,
                           hcbr_label label, bool baseline) {
    hcbr_i_bins bins;
    if (metric == HCBR_METRIC_PRECISION_AT)
        return baseline ? hcbr_i_pooled_rank_baseline(e, metric)
                        : hcbr_i_pooled_rank(e, repeat, metric, label);
    if (!e->probabilities)
        return NAN;
    hcbr_i_repeat_bins(&bins, e, repeat, baseline);
    return hcbr_i_bins_error(&bins);
}

static moments repeat_moments(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                              bool baseline) {
    moments m = {0, NAN, NAN};
    double sum = 0, squares = 0;
    if (isnan(repeat_value(e, 0, metric, label, baseline)))
        return m;
    for (int step = 0; step < 2; step++) {
        for (uint32_t r = 0; r < e->repeats; r++) {
            double value = repeat_value(e, r, metric, label, baseline);
            sum += step == 0 ? value : 0;
            squares += step == 0 ? 0 : (value - m.mean) * (value - m.mean);
        }
        m.mean = sum / e->repeats;
    }
    m.count = e->repeats;
    m.sd = e->repeats > 1 ? sqrt(squares / (double)(e->repeats - 1)) : NAN;
    return m;
}

/* The counts over all parts of a metric that is a share of cases; below is 0 for any other. */
static hcbr_i_share share_of(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                             bool baseline) {
    hcbr_i_share share = {0, 0};
    if (metric == HCBR_METRIC_COPIES || metric == HCBR_METRIC_NEW) {
        for (uint32_t p = 0; p < e->part_count && !(baseline && metric == HCBR_METRIC_NEW); p++) {
            const hcbr_i_eval_part *part = &e->parts[p];
            bool copies = metric == HCBR_METRIC_COPIES;
            share.above += copies ? part->copies : part->new_right;
            share.below += part->held_weight - (copies ? 0 : part->copies);
        }
        return share;
    }
    return hcbr_i_counts_share(baseline ? &e->baseline_counts : &e->counts, metric, label);
}

static double pooled(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                     bool baseline) {
    const hcbr_i_losses *losses = baseline ? &e->baseline_losses : &e->losses;
    const hcbr_i_counts *counts = baseline ? &e->baseline_counts : &e->counts;
    if (metric == HCBR_METRIC_COPIES || metric == HCBR_METRIC_NEW) {
        hcbr_i_share share = share_of(e, metric, label, baseline);
        return share.below > 0 ? share.above / share.below : NAN;
    }
    if (metric == HCBR_METRIC_LOG_LOSS || metric == HCBR_METRIC_BRIER ||
        metric == HCBR_METRIC_ECE) {
        if (!e->probabilities)
            return NAN;
        return metric == HCBR_METRIC_ECE        ? hcbr_i_bins_error(&losses->bins)
               : metric == HCBR_METRIC_LOG_LOSS ? losses->log_loss.sum / counts->all
                                                : losses->brier.sum / counts->all;
    }
    if (hcbr_i_is_rank_metric(metric))
        return baseline ? hcbr_i_pooled_rank_baseline(e, metric)
                        : hcbr_i_pooled_rank_mean(e, metric, label);
    if (metric == HCBR_METRIC_COST)
        return e->has_costs && !baseline ? e->paid.sum / counts->all : NAN;
    if (metric > HCBR_METRIC_NEW)
        return NAN;
    return hcbr_i_counts_metric(counts, metric, label);
}

/* The least and the largest value a metric can have. */
static void limits(hcbr_metric metric, double *low, double *high) {
    *low = metric == HCBR_METRIC_MCC ? -1 : 0;
    bool open = metric == HCBR_METRIC_LOG_LOSS ||
                (metric > HCBR_METRIC_NEW && !hcbr_i_is_rank_metric(metric));
    *high = open ? INFINITY : metric == HCBR_METRIC_BRIER ? 2 : 1;
}

/* Number of held-out cases per training case. */
static double test_ratio(const hcbr_evaluation *e) {
    double sum = 0;
    for (uint32_t p = 0; p < e->part_count; p++)
        sum += e->parts[p].held_weight / e->parts[p].trained_weight;
    return sum / e->part_count;
}

/* Whether the figure is the mean over the parts. Sizes and times of parts always are. */
static bool is_by_parts(const hcbr_evaluation *e, hcbr_metric metric, const hcbr_figure *figure) {
    bool measured = metric <= HCBR_METRIC_NEW || metric > HCBR_METRIC_PREDICT;
    return !measured || isnan(figure->pooled) || (!e->small && !by_repeat(metric));
}

static void set_interval(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                         hcbr_i_share share, hcbr_figure *figure) {
    double least, most;
    hcbr_i_range range = {NAN, NAN};
    if (share.below > 0) { /* decisions of one repeat: others add little about the same cases */
        hcbr_i_wilson(share.above / e->repeats, share.below / e->repeats, &figure->low,
                      &figure->high);
        return;
    }
    if (isnan(figure->value) || metric == HCBR_METRIC_ECE)
        return;
    if (figure->by_parts && figure->count > 1) {
        double half = hcbr_i_t_quantile(figure->count - 1) * figure->sd *
                      sqrt(1 / (double)figure->count + test_ratio(e));
        range = (hcbr_i_range){figure->mean - half, figure->mean + half};
    } else
        range = hcbr_i_pooled_range(e, metric, label);
    if (isnan(range.low))
        return;
    limits(metric, &least, &most);
    figure->low = fmax(range.low, least);
    figure->high = fmin(range.high, most);
}

static void get_figure(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                       bool baseline, hcbr_figure *out) {
    hcbr_figure full = {.mean = NAN, .sd = NAN, .low = NAN, .high = NAN, .pooled = NAN};
    hcbr_label about = label >= 0 ? label : by_label(metric) ? e->positive : HCBR_LABEL_UNKNOWN;
    bool exists = (unsigned)metric < HCBR_METRIC_END && label < (hcbr_label)e->labels.count;
    full.value = NAN;
    if (exists && (label < 0 || by_label(metric))) {
        moments m = by_repeat(metric) ? repeat_moments(e, metric, about, baseline)
                                      : moments_of(e, metric, label, baseline);
        full.mean = m.mean;
        full.sd = m.sd;
        full.count = m.count;
        full.pooled = pooled(e, metric, about, baseline);
        full.by_parts = is_by_parts(e, metric, &full);
        full.value = full.by_parts || by_repeat(metric) ? full.mean : full.pooled;
        if (!baseline || hcbr_i_counts_share(&e->baseline_counts, metric, about).below > 0)
            set_interval(e, metric, about, share_of(e, metric, about, baseline), &full);
    }
    hcbr_i_hand_out(out, &full, sizeof full);
}

void hcbr_evaluation_get_figure(const hcbr_evaluation *e, hcbr_metric metric, hcbr_label label,
                                hcbr_figure *figure) {
    get_figure(e, metric, label, false, figure);
}

void hcbr_evaluation_get_baseline(const hcbr_evaluation *e, hcbr_metric metric,
                                  hcbr_figure *figure) {
    get_figure(e, metric, HCBR_LABEL_UNKNOWN, true, figure);
}

/* ---- the rest -------------------------------------------------------------------------------- */

void hcbr_evaluation_get_info(const hcbr_evaluation *e, hcbr_evaluation_info *info) {
    hcbr_evaluation_info full = {.cases = e->case_count,
                                 .held_out = e->held_out,
                                 .features = e->feature_count,
                                 .labels = e->labels.count,
                                 .folds = e->fold_count,
                                 .repeats = e->repeats,
                                 .seed = e->seed,
                                 .positive = e->positive,
                                 .probabilities = e->probabilities,
                                 .by_parts = !e->small,
                                 .at = e->at};
    hcbr_i_hand_out(info, &full, sizeof full);
}

const char *hcbr_evaluation_get_label(const hcbr_evaluation *e, hcbr_label label, size_t *length) {
    return hcbr_i_labels_name(&e->labels, label, length);
}

void hcbr_evaluation_get_part(const hcbr_evaluation *e, uint64_t part, hcbr_part_info *info) {
    assert(part < e->part_count);
    const hcbr_i_eval_part *p = &e->parts[part];
    hcbr_part_info full = {.repeat = p->repeat,
                           .fold = p->fold,
                           .trained = p->trained,
                           .held_out = p->held_out,
                           .labels = p->labels};
    hcbr_i_hand_out(info, &full, sizeof full);
}

double hcbr_evaluation_get_value(const hcbr_evaluation *e, uint64_t part, hcbr_metric metric) {
    assert(part < e->part_count);
    return (unsigned)metric < HCBR_METRIC_END ? e->parts[part].value[metric] : NAN;
}

size_t hcbr_evaluation_confusion_count(const hcbr_evaluation *e) {
    return e->confusion_count;
}

void hcbr_evaluation_get_confusion(const hcbr_evaluation *e, size_t index, hcbr_confusion *out) {
    assert(index < e->confusion_count);
    hcbr_i_hand_out(out, &e->confusion[index], sizeof e->confusion[index]);
}

void hcbr_evaluation_get_answered(const hcbr_evaluation *e, hcbr_label label, hcbr_heldout *out) {
    const hcbr_heldout full = hcbr_i_record_of(&e->record, label);
    hcbr_i_hand_out(out, &full, sizeof full);
}

size_t hcbr_evaluation_reliability_count(const hcbr_evaluation *e) {
    return e->probabilities ? HCBR_I_ECE_BINS : 0;
}

void hcbr_evaluation_get_reliability(const hcbr_evaluation *e, size_t index,
                                     hcbr_reliability *out) {
    assert(index < hcbr_evaluation_reliability_count(e));
    hcbr_i_hand_out(out, &e->reliability[index], sizeof e->reliability[index]);
}

uint64_t hcbr_evaluation_answer_count(const hcbr_evaluation *e) {
    return e->answer_count;
}

void hcbr_evaluation_get_answer(const hcbr_evaluation *e, uint64_t index, hcbr_answer *answer) {
    assert(index < e->answer_count);
    const hcbr_i_eval_part *part = &e->parts[e->answers[index] >> 32];
    uint32_t k = (uint32_t)e->answers[index], i = part->test[k];
    size_t labels = e->labels.count;
    hcbr_answer full = {
        .row = e->row ? e->row[i] : (uint64_t)i + 1,
        .repeat = part->repeat,
        .fold = part->fold,
        .truth = (hcbr_label)e->truth[i],
        .label = part->label[k],
        .reason = (hcbr_reason)part->reason[k],
        .copy = part->copy[k],
        .support = part->support + k * labels,
        .probability = part->probability ? part->probability + k * labels : NULL,
    };
    if (e->id_start && e->id_start[i] < e->id_start[i + 1]) {
        full.id = e->ids + e->id_start[i];
        full.id_length = (size_t)(e->id_start[i + 1] - e->id_start[i]);
    }
    hcbr_i_hand_out(answer, &full, sizeof full);
}

const uint64_t *hcbr_evaluation_get_folds(const hcbr_evaluation *e, size_t *count) {
    *count = e->row_count;
    return e->folds;
}
