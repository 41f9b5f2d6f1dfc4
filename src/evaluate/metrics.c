/*
 * Metrics of answers (docs/JSON.md defines them): from counts, from scores, from probabilities.
 *
 * Counts are whole numbers, or weights on a grid, and are added up exactly, so a pooled metric does
 * not depend on the order of the parts, and a weight n counts as n cases. A metric that does not
 * exist (0/0) is NaN.
 */
#include "evaluate/metrics.h"

#include <math.h>
#include <stdlib.h>

/* ---- counts ---------------------------------------------------------------------------------- */

hcbr_status hcbr_i_counts_init(hcbr_i_counts *counts, uint32_t label_count, hcbr_error *err) {
    *counts = (hcbr_i_counts){.label_count = label_count};
    double *all = hcbr_i_alloc_zero(label_count, 4 * sizeof *all);
    if (!all)
        return hcbr_i_no_memory(err);
    counts->truth = all;
    counts->decided = all + label_count;
    counts->given = all + 2 * (size_t)label_count;
    counts->hit = all + 3 * (size_t)label_count;
    return HCBR_OK;
}

void hcbr_i_counts_clear(hcbr_i_counts *counts) {
    hcbr_i_free(counts->truth); // the other arrays are in the same block
    *counts = (hcbr_i_counts){0};
}

void hcbr_i_counts_add(hcbr_i_counts *counts, const hcbr_i_answers *answers) {
    for (uint32_t i = 0; i < answers->count; i++) {
        uint32_t truth = answers->truth[i];
        hcbr_label label = answers->label[i];
        double w = hcbr_i_answer_weight(answers, i);
        counts->all += w;
        counts->truth[truth] += w;
        if (label < 0) {
            counts->undecided += w;
            continue;
        }
        counts->decided[truth] += w;
        counts->given[label] += w;
        counts->hit[truth] += (uint32_t)label == truth ? w : 0;
        counts->right += (uint32_t)label == truth ? w : 0;
    }
}

void hcbr_i_counts_merge(hcbr_i_counts *to, const hcbr_i_counts *from) {
    to->all += from->all;
    to->right += from->right;
    to->undecided += from->undecided;
    for (size_t n = 0; n < 4 * (size_t)to->label_count; n++)
        to->truth[n] += from->truth[n]; // all four
}

/* ---- metrics of counts ----------------------------------------------------------------------- */

hcbr_i_share hcbr_i_counts_share(const hcbr_i_counts *c, hcbr_metric metric, hcbr_label label) {
    double decided = c->all - c->undecided;
    if (label < 0) {
        switch ((int)metric) {
        case HCBR_METRIC_ACCURACY:
            return (hcbr_i_share){c->right, c->all};
        case HCBR_METRIC_DECIDED:
            return (hcbr_i_share){c->right, decided};
        case HCBR_METRIC_UNKNOWN:
            return (hcbr_i_share){c->undecided, c->all};
        default:
            return (hcbr_i_share){0, 0};
        }
    }
    /* cases of other labels that got another label */
    double others = decided - c->decided[label] - c->given[label] + c->hit[label];
    switch ((int)metric) {
    case HCBR_METRIC_RECALL:
        return (hcbr_i_share){c->hit[label], c->truth[label]};
    case HCBR_METRIC_PRECISION:
        return (hcbr_i_share){c->hit[label], c->given[label]};
    case HCBR_METRIC_SPECIFICITY:
        return (hcbr_i_share){others, c->all - c->truth[label]};
    case HCBR_METRIC_NPV:
        return (hcbr_i_share){others, decided - c->given[label]};
    default:
        return (hcbr_i_share){0, 0};
    }
}

/* Matthews' correlation of truth and answer; no answer counts as one more answer. */
static double correlation(const hcbr_i_counts *c) {
    double answers = c->undecided, both = 0, all = c->all, of_truth = 0, of_answers = 0;
    bool one_truth = false, one_answer = answers == all;
    for (uint32_t l = 0; l < c->label_count; l++) {
        one_truth |= c->truth[l] == all;
        one_answer |= c->given[l] == all;
        of_truth += c->truth[l] * (all - c->truth[l]);
        of_answers += c->given[l] * (all - c->given[l]);
        both += c->truth[l] * c->given[l];
    }
    of_answers += answers * (all - answers);
    if (one_truth || !(all > 0))
        return NAN; // one label: no correlation
    if (one_answer)
        return 0;
    return (c->right * all - both) / (sqrt(of_truth) * sqrt(of_answers));
}

static double label_metric(const hcbr_i_counts *c, hcbr_metric metric, hcbr_label label) {
    if (metric == HCBR_METRIC_F1) {
        double below = c->truth[label] + c->given[label];
        return below > 0 ? 2 * c->hit[label] / below : NAN;
    }
    hcbr_i_share share = hcbr_i_counts_share(c, metric, label);
    return share.below > 0 ? share.above / share.below : NAN;
}

double hcbr_i_counts_metric(const hcbr_i_counts *c, hcbr_metric metric, hcbr_label label) {
    if (label >= 0)
        return label_metric(c, metric, label);
    if (metric == HCBR_METRIC_MCC)
        return correlation(c);
    if (metric < HCBR_METRIC_F1 || metric > HCBR_METRIC_NPV) {
        hcbr_i_share share = hcbr_i_counts_share(c, metric, label);
        return share.below > 0 ? share.above / share.below : NAN;
    }
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t l = 0; l < c->label_count; l++) {
        double value = label_metric(c, metric, (hcbr_label)l);
        if (isnan(value))
            continue;
        sum += value;
        count++;
    }
    return count ? sum / count : NAN;
}

/* ---- scores ---------------------------------------------------------------------------------- */

typedef hcbr_i_ranked scored;

static int compare_scores(const void *a, const void *b) {
    return hcbr_i_order_double(((const scored *)a)->score, ((const scored *)b)->score);
}

double hcbr_i_answer_score(const hcbr_i_answers *a, uint32_t i, uint32_t label) {
    if (a->difference)
        return label ? a->difference[i] : -a->difference[i];
    const double *support = a->support + (size_t)i * a->label_count;
    double best = -INFINITY;
    for (uint32_t l = 0; l < a->label_count; l++)
        if (l != label && support[l] > best)
            best = support[l];
    return support[label] - (a->label_count > 1 ? best : 0);
}

/* The area under the ROC curve: a win counts twice, a tie once. */
static double area(const scored *list, size_t count, double have, double others) {
    double lower = 0, wins = 0;
    for (size_t i = 0, end; i < count; i = end) {
        double positive = 0, negative = 0;
        for (end = i; end < count && list[end].score == list[i].score; end++)
            *(list[end].has ? &positive : &negative) += list[end].weight;
        wins += positive * (2 * lower + negative);
        lower += negative;
    }
    return wins / 2 / (have * others);
}

/* From the highest score down, cases of one score together: the mean precision, at each step of the
 * recall, and the precision among the first `at` cases, of which ties count in part. */
static void go_down(hcbr_i_ranks *out, const scored *list, size_t count, double have, double at) {
    double taken = 0, hits = 0, sum = 0;
    for (size_t end = count, i; end > 0; end = i) {
        double positive = 0, all = 0;
        for (i = end; i > 0 && list[i - 1].score == list[end - 1].score; i--) {
            all += list[i - 1].weight;
            positive += list[i - 1].has ? list[i - 1].weight : 0;
        }
        if (at > taken && at <= taken + all)
            out->precision_at = (hits + positive * ((at - taken) / all)) / at;
        taken += all;
        hits += positive;
        sum += positive > 0 ? positive / have * (hits / taken) : 0;
    }
    out->pr_auc = sum;
}

hcbr_i_ranks hcbr_i_ranks_of(hcbr_i_ranked *list, size_t count, double at) {
    double have = 0, others = 0;
    hcbr_i_ranks ranks = {NAN, NAN, NAN};
    for (size_t i = 0; i < count; i++) {
        if (isnan(list[i].score))
            return ranks; // values without an order have no ranks
        *(list[i].has ? &have : &others) += list[i].weight;
    }
    if (!(have > 0))
        return ranks;
    qsort(list, count, sizeof *list, compare_scores);
    ranks.auc = others > 0 ? area(list, count, have, others) : NAN;
    go_down(&ranks, list, count, have, at);
    return ranks;
}

hcbr_status hcbr_i_metric_ranks(hcbr_i_ranks *out, const hcbr_i_answers *a, uint32_t label,
                                double at, hcbr_error *err) {
    scored *list = hcbr_i_alloc(a->count, sizeof *list);
    *out = (hcbr_i_ranks){NAN, NAN, NAN};
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < a->count; i++)
        list[i] = (scored){hcbr_i_answer_score(a, i, label), hcbr_i_answer_weight(a, i),
                           a->truth[i] == label};
    *out = hcbr_i_ranks_of(list, a->count, at);
    hcbr_i_free(list);
    return HCBR_OK;
}

/* ---- probabilities --------------------------------------------------------------------------- */

static void add_loss(hcbr_i_summed *to, double weight, double loss) {
    to->sum += weight * loss;
    to->squares += weight * loss * loss;
}

hcbr_i_summed hcbr_i_metric_log_loss(const hcbr_i_answers *a) {
    hcbr_i_summed all = {0, 0};
    for (uint32_t i = 0; i < a->count; i++) {
        double p = a->probability[(size_t)i * a->label_count + a->truth[i]];
        add_loss(&all, hcbr_i_answer_weight(a, i), -hcbr_i_log(p < 0x1p-52 ? 0x1p-52 : p));
    }
    return all;
}

hcbr_i_summed hcbr_i_metric_brier(const hcbr_i_answers *a, hcbr_label positive) {
    hcbr_i_summed all = {0, 0};
    for (uint32_t i = 0; i < a->count; i++) {
        const double *p = a->probability + (size_t)i * a->label_count;
        double loss = 0;
        for (uint32_t l = 0; l < a->label_count; l++) {
            double error = p[l] - (a->truth[i] == l);
            if (a->label_count != 2 || (hcbr_label)l == positive)
                loss += error * error;
        }
        add_loss(&all, hcbr_i_answer_weight(a, i), loss);
    }
    return all;
}

void hcbr_i_bins_add(hcbr_i_bins *bins, const hcbr_i_answers *a, hcbr_label positive) {
    for (uint32_t i = 0; i < a->count; i++) {
        const double *p = a->probability + (size_t)i * a->label_count;
        uint32_t about = a->label_count == 2 ? (uint32_t)positive : 0;
        for (uint32_t l = 1; a->label_count != 2 && l < a->label_count; l++)
            about = p[l] > p[about] ? l : about;
        /* bins are open below: the k-th holds values above k/15, up to (k+1)/15 */
        double place = ceil(p[about] * HCBR_I_ECE_BINS) - 1;
        size_t bin = !(place > 0)                  ? 0
                     : place > HCBR_I_ECE_BINS - 1 ? HCBR_I_ECE_BINS - 1
                                                   : (size_t)place;
        double w = hcbr_i_answer_weight(a, i);
        bins->count[bin] += w;
        bins->sum[bin] += w * p[about];
        bins->right[bin] += a->truth[i] == about ? w : 0;
    }
}

double hcbr_i_bins_error(const hcbr_i_bins *bins) {
    double sum = 0;
    double all = 0;
    for (size_t b = 0; b < HCBR_I_ECE_BINS; b++) {
        all += bins->count[b];
        sum += fabs(bins->right[b] - bins->sum[b]);
    }
    return all > 0 ? sum / all : NAN;
}
