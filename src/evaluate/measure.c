/*
 * The metrics of a part from its answers, and those of a constant answer.
 */
#include "evaluate/evaluate.h"

#include <math.h>

double hcbr_i_rank_over_labels(const hcbr_i_ranks *ranks, uint32_t labels, hcbr_label positive,
                               hcbr_metric metric) {
    double sum = 0;
    uint32_t count = 0;
    if (positive >= 0)
        return hcbr_i_rank_metric(&ranks[positive], metric);
    for (uint32_t l = 0; l < labels; l++) {
        double value = hcbr_i_rank_metric(&ranks[l], metric);
        sum += isnan(value) ? 0 : value;
        count += isnan(value) ? 0 : 1;
    }
    return count ? sum / count : NAN;
}

/* With equal scores all cases tie: half of the pairs are won, and the precision is everywhere the
 * share of the label. */
static void rank_baseline(hcbr_i_eval_part *part, uint32_t labels, hcbr_label positive) {
    const hcbr_i_counts *c = &part->counts;
    double sum = 0;
    uint32_t count = 0;
    for (uint32_t l = 0; l < labels; l++)
        if (c->truth[l] > 0 && (positive < 0 || l == (uint32_t)positive)) {
            sum += c->truth[l] / c->all;
            count++;
        }
    for (int m = 0; m < HCBR_METRIC_END; m++)
        if (hcbr_i_is_rank_metric((hcbr_metric)m) && !isnan(part->value[m]))
            part->baseline[m] = m == HCBR_METRIC_AUC ? 0.5 : sum / count;
}

static hcbr_status measure_ranks(hcbr_i_eval_part *part, const hcbr_i_answers *answers,
                                 const hcbr_i_measured *what, hcbr_error *err) {
    uint32_t labels = answers->label_count;
    if (labels > HCBR_I_AUC_LABELS)
        return HCBR_OK;
    if (!(part->ranks = hcbr_i_alloc(labels, sizeof *part->ranks)))
        return hcbr_i_no_memory(err);
    hcbr_status st = HCBR_OK;
    for (uint32_t l = 0; st == HCBR_OK && l < labels; l++)
        st = hcbr_i_metric_ranks(&part->ranks[l], answers, l, 0, err);
    for (int m = 0; st == HCBR_OK && m < HCBR_METRIC_END; m++)
        if (hcbr_i_is_rank_metric((hcbr_metric)m))
            part->value[m] =
                hcbr_i_rank_over_labels(part->ranks, labels, what->positive, (hcbr_metric)m);
    return st;
}

/* The cost of an answer. A label without costs counts as a wrong answer. */
static double cost_of(const hcbr_i_measured *what, uint32_t truth, hcbr_label given) {
    if (what->cost_label) {
        truth = what->cost_label[truth];
        given = given >= 0 ? (hcbr_label)what->cost_label[given] : given;
    }
    return truth == HCBR_I_NONE ? 1 : hcbr_i_costs_of(what->costs, truth, given);
}

static double mean_cost(const hcbr_i_answers *a, const hcbr_i_measured *what) {
    double sum = 0, all = 0;
    for (uint32_t i = 0; i < a->count; i++) {
        double w = hcbr_i_answer_weight(a, i);
        sum += w * cost_of(what, a->truth[i], a->label[i]);
        all += w;
    }
    return all > 0 ? sum / all : NAN;
}

static void add_gain(hcbr_i_paired *to, double weight, double gain, double constant) {
    to->gain.sum += weight * gain;
    to->gain.squares += weight * gain * gain;
    to->constant += weight * constant;
}

/* The constant answer that is cheapest in the training cases. */
static hcbr_label cheapest(const hcbr_i_measured *what, uint32_t labels) {
    hcbr_label best = 0;
    double least = INFINITY;
    for (uint32_t n = 0; n < labels + what->costs->refuses; n++) {
        hcbr_label given = n < labels ? (hcbr_label)n : HCBR_LABEL_UNKNOWN;
        if (given >= 0 && what->cost_label && what->cost_label[given] == HCBR_I_NONE)
            continue;
        double sum = 0;
        for (uint32_t l = 0; l < labels; l++)
            sum += what->share[l] > 0 ? what->share[l] * cost_of(what, l, given) : 0;
        if (sum < least) {
            least = sum;
            best = given;
        }
    }
    return best;
}

/* Gains case by case over the most frequent label and over the cheapest answer. */
static void measure_gains(hcbr_i_eval_part *part, const hcbr_i_answers *a,
                          const hcbr_i_measured *what, hcbr_label most) {
    hcbr_label cheap = what->costs ? cheapest(what, a->label_count) : HCBR_LABEL_UNKNOWN;
    for (uint32_t i = 0; i < a->count; i++) {
        double w = hcbr_i_answer_weight(a, i);
        hcbr_label truth = (hcbr_label)a->truth[i];
        add_gain(&part->right, w, (a->label[i] == truth) - (most == truth), most == truth);
        if (what->costs) {
            double constant = cost_of(what, a->truth[i], cheap);
            double paid = cost_of(what, a->truth[i], a->label[i]);
            add_gain(&part->cost, w, constant - paid, constant);
            part->paid.sum += w * paid;
            part->paid.squares += w * paid * paid;
        }
    }
}

/* The metrics that follow from counts and losses. */
static void fill_values(double *value, const hcbr_i_counts *counts, const hcbr_i_losses *losses,
                        bool probabilities, hcbr_label positive) {
    for (int m = HCBR_METRIC_ACCURACY; m <= HCBR_METRIC_NPV; m++)
        value[m] = hcbr_i_counts_metric(counts, (hcbr_metric)m,
                                        m < HCBR_METRIC_F1 ? HCBR_LABEL_UNKNOWN : positive);
    value[HCBR_METRIC_DECIDED] =
        hcbr_i_counts_metric(counts, HCBR_METRIC_DECIDED, HCBR_LABEL_UNKNOWN);
    value[HCBR_METRIC_UNKNOWN] =
        hcbr_i_counts_metric(counts, HCBR_METRIC_UNKNOWN, HCBR_LABEL_UNKNOWN);
    value[HCBR_METRIC_LOG_LOSS] = value[HCBR_METRIC_BRIER] = value[HCBR_METRIC_ECE] = NAN;
    if (!probabilities)
        return;
    value[HCBR_METRIC_LOG_LOSS] = losses->log_loss.sum / counts->all;
    value[HCBR_METRIC_BRIER] = losses->brier.sum / counts->all;
    value[HCBR_METRIC_ECE] = hcbr_i_bins_error(&losses->bins);
}

static void add_losses(hcbr_i_losses *losses, const hcbr_i_answers *answers, hcbr_label positive) {
    losses->log_loss = hcbr_i_metric_log_loss(answers);
    losses->brier = hcbr_i_metric_brier(answers, positive);
    hcbr_i_bins_add(&losses->bins, answers, positive);
}

/* Always the most frequent label, with the shares of the training part as probabilities. */
static hcbr_status measure_baseline(hcbr_i_eval_part *part, const hcbr_i_answers *answers,
                                    const hcbr_i_measured *what, hcbr_error *err) {
    const double *share = what->share;
    uint32_t labels = answers->label_count, n = answers->count, most = 0;
    hcbr_label *label = hcbr_i_alloc(n, sizeof *label);
    double *rows = part->probabilities ? hcbr_i_alloc(n, (size_t)labels * sizeof *rows) : NULL;
    hcbr_status st = label && (rows || !part->probabilities) ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t l = 1; l < labels; l++)
        most = share[l] > share[most] ? l : most;
    most = what->most >= 0 ? (uint32_t)what->most : most;
    for (uint32_t k = 0; st == HCBR_OK && k < n; k++) {
        label[k] = (hcbr_label)most;
        if (rows)
            memcpy(rows + (size_t)k * labels, share, labels * sizeof *share);
    }
    if (st == HCBR_OK) {
        hcbr_i_answers always = {n,    labels, answers->truth, label,
                                 NULL, NULL,   rows,           answers->weight};
        hcbr_i_counts_add(&part->baseline_counts, &always);
        if (rows)
            add_losses(&part->baseline_losses, &always, what->positive);
        fill_values(part->baseline, &part->baseline_counts, &part->baseline_losses,
                    part->probabilities, what->positive);
        rank_baseline(part, labels, what->positive);
        if (what->costs)
            part->baseline[HCBR_METRIC_COST] = mean_cost(&always, what);
        part->baseline[HCBR_METRIC_COPIES] = part->value[HCBR_METRIC_COPIES];
        measure_gains(part, answers, what, (hcbr_label)most);
    }
    hcbr_i_free(label);
    hcbr_i_free(rows);
    return st;
}

static hcbr_status keep_chances(hcbr_i_eval_part *part, const hcbr_i_answers *a, hcbr_error *err) {
    part->chance = hcbr_i_alloc_zero(a->count, sizeof *part->chance);
    for (uint32_t i = 0; part->chance && a->probability && i < a->count; i++)
        if (a->label[i] >= 0)
            part->chance[i] = a->probability[(size_t)i * a->label_count + (size_t)a->label[i]];
    return part->chance ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_eval_part_measure(hcbr_i_eval_part *part, const hcbr_i_answers *answers,
                                     const hcbr_i_measured *what, hcbr_error *err) {
    hcbr_status st = hcbr_i_counts_init(&part->counts, answers->label_count, err);
    if (st == HCBR_OK)
        st = keep_chances(part, answers, err);
    if (st == HCBR_OK)
        st = hcbr_i_counts_init(&part->baseline_counts, answers->label_count, err);
    if (st == HCBR_OK)
        st = measure_ranks(part, answers, what, err);
    if (st != HCBR_OK)
        return st;
    double others = part->held_weight - part->copies;
    hcbr_i_counts_add(&part->counts, answers);
    if (part->probabilities)
        add_losses(&part->losses, answers, what->positive);
    fill_values(part->value, &part->counts, &part->losses, part->probabilities, what->positive);
    part->value[HCBR_METRIC_COPIES] = part->copies / part->held_weight;
    part->value[HCBR_METRIC_NEW] = others > 0 ? part->new_right / others : NAN;
    if (what->costs)
        part->value[HCBR_METRIC_COST] = mean_cost(answers, what);
    return measure_baseline(part, answers, what, err);
}
