/*
 * The state of the plain engine: its memory, and data derived on demand.
 */
#include "plain/plain.h"

/* Drop the arrays inside the bytes of a file, so that they are not released. */
static void drop_lent(hcbr_i_plain *p, const void *file, size_t size) {
    p->atoms.of = hcbr_i_not_lent(p->atoms.of, file, size);
    p->strength.mu = hcbr_i_not_lent(p->strength.mu, file, size);
    p->strength.sigma = hcbr_i_not_lent(p->strength.sigma, file, size);
    p->strength.d = hcbr_i_not_lent(p->strength.d, file, size);
    p->kept.atoms = hcbr_i_not_lent(p->kept.atoms, file, size);
    p->moves.case_of = hcbr_i_not_lent(p->moves.case_of, file, size);
    p->moves.decided = hcbr_i_not_lent(p->moves.decided, file, size);
    p->moves.delta = hcbr_i_not_lent(p->moves.delta, file, size);
}

void hcbr_i_plain_free(void *state) {
    hcbr_i_plain *p = state;
    if (!p)
        return;
    drop_lent(p, p->file, p->file_size);
    hcbr_i_atoms_clear(&p->atoms);
    hcbr_i_free(atomic_load(&p->index));
    hcbr_i_strength_clear(&p->strength);
    hcbr_i_projections_clear(&p->kept);
    hcbr_i_moves_clear(&p->moves);
    hcbr_i_emphases_release(p->emphases);
    hcbr_i_free(p->units);
    hcbr_i_free(p);
}

hcbr_status hcbr_i_atoms_weigh(hcbr_i_atoms *atoms, const uint32_t *units, uint64_t sum,
                               hcbr_error *err) {
    uint32_t *mass = hcbr_i_alloc_zero(atoms->count, sizeof *mass);
    if (!mass)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < atoms->feature_count; f++)
        mass[atoms->of[f]] += units[f]; // below 2^32, as the sum is
    atoms->mass = mass;
    atoms->mass_all = sum;
    return HCBR_OK;
}

hcbr_status hcbr_i_plain_weigh(hcbr_i_plain *plain, const hcbr_i_dict *dict, hcbr_error *err) {
    uint64_t sum;
    hcbr_status st = hcbr_i_emphases_by_feature(&plain->units, &sum, plain->emphases, dict, err);
    return st == HCBR_OK ? hcbr_i_atoms_weigh(&plain->atoms, plain->units, sum, err) : st;
}

double hcbr_i_plain_case_units(const hcbr_i_plain *plain, const hcbr_i_case *x) {
    uint64_t sum = 0;
    if (!plain->units)
        return (double)x->count;
    for (size_t n = 0; n < x->count; n++)
        sum += hcbr_i_plain_units(plain, &x->items[n]);
    return (double)sum;
}

static hcbr_i_atom_index *index_create(const hcbr_i_atoms *atoms) {
    size_t starts = (size_t)atoms->count + 1, entries;
    hcbr_i_atom_index *index = NULL;
    if (!__builtin_add_overflow(starts, (size_t)atoms->feature_count, &entries) &&
        entries <= (SIZE_MAX - sizeof *index) / sizeof(uint32_t))
        index = hcbr_i_alloc(1, sizeof *index + entries * sizeof(uint32_t));
    if (!index)
        return NULL;
    uint32_t *start = index->start, sum = 0;
    index->features = start + starts;
    /* start[e + 1] runs from the first to past the last feature of e while they are laid down. */
    start[0] = 0;
    for (uint32_t e = 0; e < atoms->count; e++) {
        start[e + 1] = sum;
        sum += atoms->size[e];
    }
    for (uint32_t f = 0; f < atoms->feature_count; f++)
        index->features[start[atoms->of[f] + 1]++] = f;
    return index;
}

const hcbr_i_atom_index *hcbr_i_plain_index(const hcbr_i_plain *plain) {
    hcbr_i_atom_index *index = atomic_load(&plain->index);
    if (index)
        return index;
    hcbr_i_atom_index *made = index_create(&plain->atoms);
    if (!made)
        return NULL;
    /* a cache, so const: of two threads the second discards its own copy */
    hcbr_i_plain *m = (hcbr_i_plain *)(uintptr_t)plain;
    if (atomic_compare_exchange_strong(&m->index, &index, made))
        return made;
    hcbr_i_free(made);
    return index;
}
