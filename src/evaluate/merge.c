/*
 * All parts of an evaluation together: sums, the confusion matrix, and the answers in their order.
 */
#include "evaluate/evaluate.h"

#include <math.h>
#include <stdlib.h>

static void add_sums(hcbr_i_summed *to, hcbr_i_summed from) {
    to->sum += from.sum;
    to->squares += from.squares;
}

static void merge_paired(hcbr_i_paired *to, const hcbr_i_paired *from) {
    add_sums(&to->gain, from->gain);
    to->constant += from->constant;
}

static void merge_losses(hcbr_i_losses *to, const hcbr_i_losses *from) {
    add_sums(&to->log_loss, from->log_loss);
    add_sums(&to->brier, from->brier);
    for (size_t b = 0; b < HCBR_I_ECE_BINS; b++) {
        to->bins.count[b] += from->bins.count[b];
        to->bins.right[b] += from->bins.right[b];
        to->bins.sum[b] += from->bins.sum[b];
    }
}

static hcbr_status merge_parts(hcbr_evaluation *e, hcbr_error *err) {
    hcbr_status st = hcbr_i_counts_init(&e->counts, e->labels.count, err);
    if (st == HCBR_OK)
        st = hcbr_i_counts_init(&e->baseline_counts, e->labels.count, err);
    if (st != HCBR_OK)
        return st;
    for (uint32_t p = 0; p < e->part_count; p++) {
        const hcbr_i_eval_part *part = &e->parts[p];
        hcbr_i_counts_merge(&e->counts, &part->counts);
        hcbr_i_counts_merge(&e->baseline_counts, &part->baseline_counts);
        merge_losses(&e->losses, &part->losses);
        merge_losses(&e->baseline_losses, &part->baseline_losses);
        merge_paired(&e->right, &part->right);
        merge_paired(&e->cost, &part->cost);
        add_sums(&e->paid, part->paid);
        e->has_costs = (p == 0 || e->has_costs) && part->has_costs;
        e->has_cut = e->has_cut || part->has_cut;
        e->probabilities = e->probabilities || part->probabilities;
        if (part->repeat == 0)
            e->held_out += part->held_out;
    }
    for (size_t b = 0; b < HCBR_I_ECE_BINS; b++) {
        const hcbr_i_bins *bins = &e->losses.bins;
        double count = bins->count[b];
        e->reliability[b] =
            (hcbr_reliability){.low = (double)b / HCBR_I_ECE_BINS,
                               .high = (double)(b + 1) / HCBR_I_ECE_BINS,
                               .count = bins->count[b],
                               .probability = count > 0 ? bins->sum[b] / count : NAN,
                               .share = count > 0 ? bins->right[b] / count : NAN};
    }
    return HCBR_OK;
}

/* A decision: truth and answer as one number, no answer last. */
typedef struct pair {
    uint64_t both;
    double weight;
} pair;

static int compare_pairs(const void *a, const void *b) {
    return hcbr_i_order_u64(((const pair *)a)->both, ((const pair *)b)->both);
}

/* Sorted, equal decisions are counted. */
static hcbr_status make_confusion(hcbr_evaluation *e, const uint32_t *truth, const double *weight,
                                  hcbr_error *err) {
    size_t count = 0, all = 0, cells = 0;
    for (uint32_t p = 0; p < e->part_count; p++)
        all += e->parts[p].held_out;
    pair *pairs = hcbr_i_alloc(all, sizeof *pairs);
    if (!pairs)
        return hcbr_i_no_memory(err);
    for (uint32_t p = 0; p < e->part_count; p++)
        for (uint32_t k = 0; k < e->parts[p].held_out; k++) {
            uint32_t i = e->parts[p].test[k];
            pairs[count++] = (pair){(uint64_t)truth[i] << 32 | (uint32_t)e->parts[p].label[k],
                                    weight ? weight[i] : 1};
        }
    if (count)
        qsort(pairs, count, sizeof *pairs, compare_pairs);
    for (size_t n = 0; n < count; n++)
        cells += n == 0 || pairs[n].both != pairs[n - 1].both;
    if ((e->confusion = hcbr_i_alloc(cells, sizeof *e->confusion)))
        for (size_t n = 0; n < count; n++) {
            uint64_t both = pairs[n].both;
            if (n == 0 || both != pairs[n - 1].both)
                e->confusion[e->confusion_count++] = (hcbr_confusion){
                    .truth = (hcbr_label)(both >> 32), .label = (hcbr_label)(uint32_t)both};
            e->confusion[e->confusion_count - 1].count += pairs[n].weight;
        }
    hcbr_i_free(pairs);
    return e->confusion ? HCBR_OK : hcbr_i_no_memory(err);
}

/* How often each answer was right. */
static hcbr_status make_record(hcbr_evaluation *e, const uint32_t *truth, const double *weight,
                               hcbr_error *err) {
    size_t all = 0, count = 0;
    for (uint32_t p = 0; p < e->part_count; p++)
        all += e->parts[p].held_out;
    hcbr_i_held_answer *list = hcbr_i_alloc(all, sizeof *list);
    for (uint32_t p = 0; list && p < e->part_count; p++) {
        hcbr_i_eval_part *part = &e->parts[p];
        for (uint32_t k = 0; k < part->held_out; k++)
            list[count++] =
                (hcbr_i_held_answer){part->label[k], part->chance[k], truth[part->test[k]],
                                     weight ? weight[part->test[k]] : 1};
        hcbr_i_free(part->chance);
        part->chance = NULL;
    }
    const bool ok = list && hcbr_i_record_sum(&e->record, list, count, e->labels.count);
    hcbr_i_free(list);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

hcbr_status hcbr_i_evaluation_merge(hcbr_evaluation *e, const uint32_t *truth, const double *weight,
                                    hcbr_error *err) {
    hcbr_status st = merge_parts(e, err);
    if (st == HCBR_OK)
        st = make_confusion(e, truth, weight, err);
    if (st == HCBR_OK)
        st = make_record(e, truth, weight, err);
    if (st == HCBR_OK)
        st = hcbr_i_evaluation_pool(e, truth, weight, err);
    return st == HCBR_OK ? hcbr_i_evaluation_redraw(e, err) : st;
}

/* ---- kept answers ---------------------------------------------------------------------------- */

static void *copy_array(const void *array, size_t count, size_t size) {
    void *copy = hcbr_i_alloc(count, size);
    if (copy && count)
        memcpy(copy, array, count * size);
    return copy;
}

/* Kept answers in their order: by repeat, then by case. Each part has its cases in order. */
hcbr_status hcbr_i_evaluation_order(hcbr_evaluation *e, const struct hcbr_cases *cases,
                                    hcbr_error *err) {
    size_t n = cases->case_count;
    uint64_t *place = hcbr_i_alloc(n, sizeof *place);
    size_t all = 0;
    for (uint32_t p = 0; p < e->part_count; p++)
        all += e->parts[p].held_out;
    e->answers = hcbr_i_alloc(all, sizeof *e->answers);
    e->truth = copy_array(cases->label, n, sizeof *e->truth);
    bool ok = place && e->answers && e->truth;
    if (ok && cases->row)
        ok = (e->row = copy_array(cases->row, n, sizeof *e->row));
    if (ok && cases->id_start)
        ok = (e->ids = copy_array(cases->ids, cases->id_bytes, 1)) &&
             (e->id_start = copy_array(cases->id_start, n + 1, sizeof *e->id_start));
    for (uint32_t r = 0; ok && r < e->repeats; r++) {
        memset(place, 0xFF, n * sizeof *place);
        for (uint32_t p = r * e->fold_count; p < (r + 1) * e->fold_count; p++)
            for (uint32_t k = 0; k < e->parts[p].held_out; k++)
                place[e->parts[p].test[k]] = (uint64_t)p << 32 | k;
        for (size_t i = 0; i < n; i++)
            if (place[i] != UINT64_MAX)
                e->answers[e->answer_count++] = place[i];
    }
    hcbr_i_free(place);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

void hcbr_i_evaluation_drop(hcbr_evaluation *e) {
    for (uint32_t p = 0; p < e->part_count; p++) {
        hcbr_i_eval_part *part = &e->parts[p];
        hcbr_i_free(part->test);
        hcbr_i_free(part->label);
        hcbr_i_free(part->reason);
        hcbr_i_free(part->copy);
        hcbr_i_free(part->support);
        hcbr_i_free(part->difference);
        part->test = NULL;
        part->label = NULL;
        part->reason = part->copy = NULL;
        part->support = part->difference = NULL;
    }
}
