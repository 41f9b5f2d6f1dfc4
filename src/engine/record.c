/*
 * Decisions of held-out cases (record.h).
 *
 * Invariant: answers are added up in the order in which they come, so that rounding is the same
 * everywhere.
 */
#include "engine/record.h"

#include "engine/model_frame.h"

#define RANGES (HCBR_HELDOUT_BINS + 1) /* the last one is for unknown probabilities */

uint32_t hcbr_i_record_range(double probability) {
    const double at = probability * HCBR_HELDOUT_BINS;
    return !(probability > 0)        ? HCBR_HELDOUT_BINS
           : at >= HCBR_HELDOUT_BINS ? HCBR_HELDOUT_BINS - 1
                                     : (uint32_t)at;
}

/* ---- room ------------------------------------------------------------------------------------ */

bool hcbr_i_record_room(hcbr_i_record *r, size_t cases) {
    r->answer = hcbr_i_alloc(cases, sizeof *r->answer);
    r->chance = hcbr_i_alloc_zero(cases, sizeof *r->chance);
    if (!r->answer || !r->chance)
        return false;
    for (size_t i = 0; i < cases; i++)
        r->answer[i] = HCBR_I_NONE;
    return true;
}

bool hcbr_i_record_room_rows(hcbr_i_record *r, uint32_t entries, uint32_t labels) {
    r->rows.labels = labels;
    r->rows.probability = hcbr_i_alloc(entries, labels * sizeof *r->rows.probability);
    r->rows.entry = hcbr_i_alloc(entries, sizeof *r->rows.entry);
    return r->rows.probability && r->rows.entry;
}

static void rows_clear(hcbr_i_held_rows *rows) {
    hcbr_i_free(rows->probability);
    hcbr_i_free(rows->entry);
    *rows = (hcbr_i_held_rows){0};
}

void hcbr_i_record_clear(hcbr_i_record *r) {
    hcbr_i_free(r->answer);
    hcbr_i_free(r->chance);
    hcbr_i_free(r->answered);
    rows_clear(&r->rows);
    *r = (hcbr_i_record){0};
}

/* ---- answers --------------------------------------------------------------------------------- */

uint32_t hcbr_i_record_note(hcbr_i_record *r, const double *probability, uint32_t truth,
                            double weight) {
    hcbr_i_held_rows *rows = &r->rows;
    memcpy(rows->probability + (size_t)rows->count * rows->labels, probability,
           rows->labels * sizeof *probability);
    rows->entry[rows->count] = (hcbr_i_held_answer){.truth = truth, .weight = weight};
    return rows->count++;
}

void hcbr_i_record_set(hcbr_i_record *r, size_t number, const hcbr_i_held_answer *a) {
    const double p = a->probability, parts = p * 255 + 0.5;
    r->answer[number] = a->label < 0 ? HCBR_I_NONE : (uint32_t)a->label;
    r->chance[number] = (uint8_t)(a->label < 0 ? 0 : parts < 1 ? p > 0 : parts > 255 ? 255 : parts);
}

bool hcbr_i_record_decide(hcbr_i_record *r, size_t cases,
                          hcbr_label (*decide)(const void *rule, const double *probability),
                          const void *rule) {
    hcbr_i_held_rows *rows = &r->rows;
    for (uint32_t n = 0; n < rows->count; n++) {
        const double *p = rows->probability + (size_t)n * rows->labels;
        rows->entry[n].label = decide(rule, p);
        rows->entry[n].probability = rows->entry[n].label < 0 ? 0 : p[rows->entry[n].label];
    }
    for (size_t i = 0; r->answer && i < cases; i++)
        if (r->answer[i] != HCBR_I_NONE)
            hcbr_i_record_set(r, i, &rows->entry[r->answer[i]]);
    const bool ok = hcbr_i_record_sum(r, rows->entry, rows->count, rows->labels);
    rows_clear(rows);
    return ok;
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void add_up(hcbr_heldout_bin *sums, const hcbr_i_held_answer *a) {
    const bool right = a->truth == (uint32_t)a->label;
    hcbr_heldout_bin *sum = &sums[hcbr_i_record_range(a->probability)];
    sum->cases += a->weight;
    sum->right += right ? a->weight : 0;
    sum->probability += a->probability > 0 ? a->probability * a->weight : 0;
}

static bool add_ranges(hcbr_i_record *r, uint32_t label, const hcbr_heldout_bin *sums) {
    if (!hcbr_i_grow(&r->answered, &r->answered_capacity, r->answered_count + RANGES,
                     sizeof *r->answered))
        return false;
    for (uint32_t b = 0; b < RANGES; b++)
        if (sums[b].cases > 0)
            r->answered[r->answered_count++] = (hcbr_i_answered){label, b, sums[b]};
    return true;
}

bool hcbr_i_record_sum(hcbr_i_record *r, const hcbr_i_held_answer *answers, size_t count,
                       uint32_t labels) {
    size_t *start = hcbr_i_alloc_zero((size_t)labels + 2, sizeof *start); // of a label, + 1
    size_t *list = hcbr_i_alloc(count, sizeof *list);
    bool ok = start && list;
    for (size_t n = 0; ok && n < count; n++)
        if (answers[n].label >= 0)
            start[answers[n].label + 2]++;
    for (size_t l = 0; ok && l < labels; l++)
        start[l + 2] += start[l + 1];
    for (size_t n = 0; ok && n < count; n++)
        if (answers[n].label >= 0)
            list[start[answers[n].label + 1]++] = n;
    for (uint32_t l = 0; ok && l < labels; l++) {
        hcbr_heldout_bin sums[RANGES] = {{0}};
        for (size_t n = start[l]; n < start[l + 1]; n++)
            add_up(sums, &answers[list[n]]);
        ok = start[l] == start[l + 1] || add_ranges(r, l, sums);
    }
    hcbr_i_free(start);
    hcbr_i_free(list);
    return ok;
}

hcbr_heldout hcbr_i_record_of(const hcbr_i_record *r, hcbr_label label) {
    hcbr_heldout out = {.size = sizeof out};
    for (size_t n = 0; n < r->answered_count; n++) {
        const hcbr_i_answered *a = &r->answered[n];
        if (label >= 0 && a->label != (uint32_t)label)
            continue;
        out.cases += a->sum.cases;
        out.right += a->sum.right;
        if (a->range == HCBR_HELDOUT_BINS)
            continue;
        out.bins[a->range].cases += a->sum.cases;
        out.bins[a->range].right += a->sum.right;
        out.bins[a->range].probability += a->sum.probability;
    }
    return out;
}

/* ---- supports -------------------------------------------------------------------------------- */

void hcbr_i_heldout_clear(hcbr_i_heldout *heldout) {
    hcbr_i_free(heldout->support);
    hcbr_i_free(heldout->label);
    hcbr_i_free(heldout->weight);
    hcbr_i_free(heldout->lead);
    hcbr_i_free(heldout->winner);
    hcbr_i_free(heldout->fold);
    *heldout = (hcbr_i_heldout){0};
}
