/*
 * The atoms with the most support for a label: largest mu^(l)(e) minus the largest strength of
 * another label, positive ones only, strongest first, ties by atom number.
 *
 * The heap of base holds at most the requested number, so the cost is one look at every atom.
 */
#include "plain/plain.h"

#include <math.h>

/** mu^(l)(e) minus the largest strength of the other labels; labels without an entry have 0. */
static double atom_score(const hcbr_i_strength *strength, hcbr_i_atom_id atom, uint32_t label) {
    if (strength->mu)
        return label == 1 ? strength->mu[atom] : -strength->mu[atom];
    double own = 0, best = -HUGE_VAL;
    uint32_t others = 0;
    uint64_t first = strength->row[atom], end = first + strength->length[atom];
    for (uint64_t i = first; i < end; i++) {
        if (strength->entry_label[i] == label) {
            own = strength->entry_mu[i];
            continue;
        }
        others++;
        if (strength->entry_mu[i] > best)
            best = strength->entry_mu[i];
    }
    if (others + 1 < strength->label_count && best < 0)
        best = 0;
    return strength->label_count == 1 ? own : own - best;
}

/** Scores are by atom. */
static bool is_better(const void *scores, uint32_t a, uint32_t b) {
    const double *score = scores;
    return hcbr_i_larger_first(score[a], a, score[b], b);
}

// NOLINTNEXTLINE(readability-non-const-parameter): the heap writes to atoms.
hcbr_status hcbr_i_plain_rank(const hcbr_i_plain *plain, uint32_t label, uint32_t *atoms,
                              size_t capacity, size_t *count, hcbr_error *err) {
    const uint32_t atom_count = plain->atoms.count;
    hcbr_i_heap heap = {.items = atoms, .most = capacity < atom_count ? capacity : atom_count};
    *count = 0;
    if (heap.most == 0)
        return HCBR_OK;
    double *score = hcbr_i_alloc(atom_count, sizeof *score);
    if (!score)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < atom_count; e++) {
        score[e] = atom_score(&plain->strength, e, label);
        if (score[e] > 0)
            hcbr_i_heap_offer(&heap, e, is_better, score);
    }
    hcbr_i_heap_sort(&heap, is_better, score);
    *count = heap.count;
    hcbr_i_free(score);
    return HCBR_OK;
}
