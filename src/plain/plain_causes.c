/*
 * The inverted index of the kept cases: for each atom its past cases and the moves of training on
 * it, and for each case the divisor of its shares (METHOD 2.3).
 *
 * Invariant: the lists of an atom are ascending by case, so that they can be walked in parallel.
 */
#include "plain/plain_reasons.h"

double hcbr_i_causes_part(const hcbr_i_causes *c, hcbr_i_atom_id atom, uint32_t label) {
    const hcbr_i_plain *m = c->plain;
    double size = m->atoms.mass[atom], total = m->strength.total[label];
    if (!(total > 0))
        return 0;
    return size * size * (double)hcbr_i_strength_count(&m->strength, atom, label) /
           ((double)m->atoms.mass_all * total);
}

/* Lists of atoms: count, add up, fill. */
static void list_cases(hcbr_i_causes *c) {
    const hcbr_i_projections *kept = &c->plain->kept;
    uint64_t all = kept->start[kept->case_count];
    for (uint64_t k = 0; k < all; k++)
        c->start[kept->atoms[k] + 1]++;
    for (uint32_t e = 0; e < c->plain->atoms.count; e++)
        c->start[e + 1] += c->start[e];
    for (uint32_t i = 0; i < kept->case_count; i++)
        for (uint64_t k = kept->start[i]; k < kept->start[i + 1]; k++)
            c->cases[c->start[kept->atoms[k]]++] = i;
    for (uint32_t e = c->plain->atoms.count; e > 0; e--) // each start is now that of the next atom
        c->start[e] = c->start[e - 1];
    c->start[0] = 0;
}

static void list_moves(hcbr_i_causes *c) {
    const hcbr_i_projections *kept = &c->plain->kept;
    const hcbr_i_moves *moves = &c->plain->moves;
    for (int fill = 0; fill < 2; fill++) {
        for (uint64_t r = 0; r < moves->count; r++) {
            uint32_t i = moves->case_of[r];
            const hcbr_i_atom_id *atoms = kept->atoms + kept->start[i];
            const double *delta = moves->delta + moves->start[r];
            for (uint64_t j = 0; j < moves->start[r + 1] - moves->start[r]; j++) {
                if (delta[j] == 0)
                    continue;
                if (fill)
                    c->moves[c->move_start[atoms[j]]++] =
                        (hcbr_i_atom_move){i, moves->decided[r], delta[j]};
                else
                    c->move_start[atoms[j] + 1]++;
            }
        }
        for (uint32_t e = 0; !fill && e < c->plain->atoms.count; e++)
            c->move_start[e + 1] += c->move_start[e];
    }
    for (uint32_t e = c->plain->atoms.count; e > 0; e--)
        c->move_start[e] = c->move_start[e - 1];
    c->move_start[0] = 0;
}

static double inverse_of(const hcbr_i_plain *m, uint32_t i, uint32_t label) {
    double divisor = 0;
    for (uint64_t k = m->kept.start[i]; k < m->kept.start[i + 1]; k++) {
        hcbr_i_atom_id e = m->kept.atoms[k];
        divisor += (double)hcbr_i_strength_count(&m->strength, e, label) * (double)m->atoms.mass[e];
    }
    return divisor > 0 ? 1 / divisor : 0;
}

static void find_inverses(hcbr_i_causes *c) {
    const hcbr_i_plain *m = c->plain;
    const uint32_t labels = c->frame->label_count;
    for (uint32_t i = 0; i < m->kept.case_count; i++) {
        if (c->frame->scope == HCBR_SCOPE_CLASS) {
            c->inverse[i] = inverse_of(m, i, c->frame->kept_label[i]);
            continue;
        }
        for (uint32_t l = 0; l < labels; l++)
            c->inverse[(size_t)i * labels + l] = inverse_of(m, i, l);
    }
}

hcbr_status hcbr_i_causes_init(hcbr_i_causes *c, const hcbr_i_plain *plain,
                               const hcbr_i_frame *frame, hcbr_error *err) {
    size_t atoms = plain->atoms.count, cases = 0, incidences = 0, moved = 0;
    *c = (hcbr_i_causes){.plain = plain, .frame = frame};
    if (frame->keep != HCBR_KEEP_NONE) {
        cases = plain->kept.case_count;
        incidences = (size_t)plain->kept.start[cases];
        moved = plain->moves.count ? (size_t)plain->moves.start[plain->moves.count] : 0;
    }
    size_t labels = frame->scope == HCBR_SCOPE_CLASS ? 1 : frame->label_count;
    c->start = hcbr_i_alloc_zero(atoms + 1, sizeof *c->start);
    c->move_start = hcbr_i_alloc_zero(atoms + 1, sizeof *c->move_start);
    c->cases = hcbr_i_alloc(incidences, sizeof *c->cases);
    c->moves = hcbr_i_alloc(moved, sizeof *c->moves);
    c->inverse = hcbr_i_alloc(cases, labels * sizeof *c->inverse);
    if (!c->start || !c->move_start || !c->cases || !c->moves || !c->inverse) {
        hcbr_i_causes_clear(c);
        return hcbr_i_no_memory(err);
    }
    if (cases) {
        list_cases(c);
        list_moves(c);
        find_inverses(c);
    }
    return HCBR_OK;
}

void hcbr_i_causes_clear(hcbr_i_causes *c) {
    hcbr_i_free(c->start);
    hcbr_i_free(c->move_start);
    hcbr_i_free(c->cases);
    hcbr_i_free(c->moves);
    hcbr_i_free(c->inverse);
    *c = (hcbr_i_causes){0};
}

/* ---- the index of the engine ----------------------------------------------------------------- */

hcbr_status hcbr_i_plain_index_create(void **out, const void *state, const hcbr_i_frame *frame,
                                      const hcbr_i_index_options *options, hcbr_error *err) {
    (void)options; // every explanation needs all of it, and one pass makes it
    *out = NULL;
    hcbr_i_causes *causes = hcbr_i_alloc_zero(1, sizeof *causes);
    if (!causes)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_causes_init(causes, state, frame, err);
    if (st == HCBR_OK)
        *out = causes;
    else
        hcbr_i_free(causes);
    return st;
}

void hcbr_i_plain_index_free(void *index) {
    if (index)
        hcbr_i_causes_clear(index);
    hcbr_i_free(index);
}
