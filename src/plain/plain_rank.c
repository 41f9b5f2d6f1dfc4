/*
 * The atoms that speak most for a label: largest mu^(l)(e) minus the largest strength of another
 * label, positive ones only, strongest first, equal ones by atom number.
 *
 * A heap of the best atoms so far, its worst on top, holds at most the number asked for, so the
 * cost is one look at every atom, whatever the number.
 */
#include "model/model.h"

#include <math.h>

typedef struct ranked {
    double score;
    hcbr_i_atom_id atom;
} ranked;

static bool is_better(ranked a, ranked b) {
    return a.score > b.score || (!(a.score < b.score) && a.atom < b.atom);
}

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

/** Restore the heap below place i: no child is worse than its parent. */
static void sink(ranked *heap, size_t count, size_t i) {
    ranked moving = heap[i];
    for (;;) {
        size_t child = 2 * i + 1;
        if (child >= count)
            break;
        if (child + 1 < count && is_better(heap[child], heap[child + 1]))
            child++;
        if (!is_better(moving, heap[child]))
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = moving;
}

static void rise(ranked *heap, size_t i) {
    ranked moving = heap[i];
    while (i > 0 && is_better(heap[(i - 1) / 2], moving)) {
        heap[i] = heap[(i - 1) / 2];
        i = (i - 1) / 2;
    }
    heap[i] = moving;
}

hcbr_status hcbr_model_rank_atoms(const hcbr_model *model, hcbr_label label, uint32_t *atoms,
                                  size_t capacity, size_t *count, hcbr_error *err) {
    const uint32_t atom_count = model->plain->atoms.count;
    size_t room = capacity < atom_count ? capacity : atom_count, used = 0;
    *count = 0;
    if (room == 0)
        return HCBR_OK;
    ranked *heap = hcbr_i_alloc(room, sizeof *heap);
    if (!heap)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < atom_count; e++) {
        ranked candidate = {atom_score(&model->plain->strength, e, (uint32_t)label), e};
        if (!(candidate.score > 0))
            continue;
        if (used < room) {
            heap[used] = candidate;
            rise(heap, used++);
        } else if (is_better(candidate, heap[0])) {
            heap[0] = candidate;
            sink(heap, used, 0);
        }
    }
    *count = used;
    while (used > 0) { // the worst one goes to the end
        atoms[used - 1] = heap[0].atom;
        heap[0] = heap[--used];
        if (used > 0)
            sink(heap, used, 0);
    }
    hcbr_i_free(heap);
    return HCBR_OK;
}
