/*
 * The plain engine as sections of a model file (docs/FORMAT.md: atoms, strengths, cases, moves).
 *
 * Gaps between rows of strengths are left out, so that a model fresh from training and the same one
 * loaded give the same bytes. Every index used here is checked; hcbr_i_plain_check() checks the
 * rest.
 */
#include "plain/plain.h"

#define LL(x) ((unsigned long long)(x))

/* ---- writing --------------------------------------------------------------------------------- */

hcbr_i_facts hcbr_i_plain_facts(const hcbr_i_plain *p) {
    hcbr_i_facts facts = {.atoms = p->atoms.count, .moves = p->moves.count};
    for (uint32_t e = 0; !p->strength.mu && e < p->strength.atom_count; e++)
        facts.entries += p->strength.length[e];
    return facts;
}

static void write_atoms(hcbr_i_out *out, const hcbr_i_plain *p) {
    hcbr_i_out_u32s(out, p->atoms.of, p->atoms.feature_count);
}

static void write_strengths(hcbr_i_out *out, const hcbr_i_plain *p) {
    const hcbr_i_strength *s = &p->strength;
    const uint32_t atoms = s->atom_count;
    if (s->mu) {
        hcbr_i_out_f64s(out, s->mu, atoms);
        hcbr_i_out_f64s(out, s->sigma, atoms);
        hcbr_i_out_u32s(out, s->d, 2 * (size_t)atoms);
        return;
    }
    for (uint32_t e = 0; e < atoms; e++)
        hcbr_i_out_f64s(out, s->entry_mu + s->row[e], s->length[e]);
    for (uint32_t e = 0; e < atoms; e++)
        hcbr_i_out_u32s(out, s->entry_label + s->row[e], s->length[e]);
    for (uint32_t e = 0; e < atoms; e++)
        hcbr_i_out_u32s(out, s->entry_count + s->row[e], s->length[e]);
    hcbr_i_out_u32s(out, s->length, atoms);
}

static void write_cases(hcbr_i_out *out, const hcbr_i_plain *p) {
    const hcbr_i_projections *kept = &p->kept;
    for (uint32_t i = 0; i < kept->case_count; i++)
        hcbr_i_out_u32(out, (uint32_t)(kept->start[i + 1] - kept->start[i]));
    hcbr_i_out_u32s(out, kept->atoms, (size_t)kept->start[kept->case_count]);
}

static void write_moves(hcbr_i_out *out, const hcbr_i_plain *p) {
    const hcbr_i_moves *moves = &p->moves;
    if (moves->count == 0)
        return;
    hcbr_i_out_u32s(out, moves->case_of, (size_t)moves->count);
    hcbr_i_out_u32s(out, moves->decided, (size_t)moves->count);
    hcbr_i_out_f64s(out, moves->delta, (size_t)moves->start[moves->count]);
}

bool hcbr_i_plain_has_section(const void *state, hcbr_keep keep, hcbr_i_section section) {
    (void)state;
    return section == HCBR_I_ATOMS || section == HCBR_I_STRENGTHS ||
           (section == HCBR_I_MOVES && keep != HCBR_KEEP_NONE);
}

void hcbr_i_plain_write(hcbr_i_out *out, const void *state, const hcbr_i_frame *frame,
                        hcbr_i_section section) {
    const hcbr_i_plain *p = state;
    (void)frame;
    switch (section) {
    case HCBR_I_ATOMS:
        write_atoms(out, p);
        break;
    case HCBR_I_STRENGTHS:
        write_strengths(out, p);
        break;
    case HCBR_I_CASES:
        write_cases(out, p);
        break;
    case HCBR_I_MOVES:
        write_moves(out, p);
        break;
    default:
        break;
    }
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status read_atoms(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_i_in *in,
                              hcbr_error *err) {
    hcbr_i_atoms *atoms = &p->atoms;
    hcbr_status st;
    if ((st = hcbr_i_in_lend(in, m->feature_count, 4, "atoms of features", &atoms->of, err)) !=
            HCBR_OK ||
        (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    atoms->feature_count = m->feature_count;
    atoms->count = m->facts.atoms;
    atoms->size = hcbr_i_alloc_zero(p->atoms.count, sizeof *atoms->size);
    atoms->degree = hcbr_i_alloc_zero(p->atoms.count, sizeof *atoms->degree);
    if (!atoms->size || !atoms->degree)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < m->feature_count; f++) {
        if (atoms->of[f] >= p->atoms.count)
            return hcbr_i_model_bad(
                err, in->section, "feature %lu is in atom %lu, expected one below %lu",
                (unsigned long)f, (unsigned long)atoms->of[f], (unsigned long)p->atoms.count);
        atoms->size[atoms->of[f]]++;
    }
    atoms->mass = atoms->size;
    atoms->mass_all = atoms->feature_count;
    return HCBR_OK;
}

/** d(e), the sum of an atom's counts. */
static hcbr_status set_degree(hcbr_i_plain *p, const hcbr_i_frame *m, uint32_t atom,
                              const uint32_t *counts_of, uint32_t length, hcbr_error *err) {
    uint64_t sum = 0; // below 2^64: fewer than 2^32 terms below 2^32
    for (uint32_t i = 0; i < length; i++)
        sum += counts_of[i];
    if (sum > m->case_count - m->empty_count)
        return hcbr_i_model_bad(err, HCBR_I_STRENGTHS,
                                "atom %lu is in %llu cases, expected at most %llu",
                                (unsigned long)atom, LL(sum), LL(m->case_count - m->empty_count));
    p->atoms.degree[atom] = (uint32_t)sum;
    return HCBR_OK;
}

static hcbr_status read_two(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_i_in *in,
                            hcbr_error *err) {
    hcbr_i_strength *s = &p->strength;
    hcbr_status st;
    if ((st = hcbr_i_in_lend(in, p->atoms.count, 8, "mu", &s->mu, err)) != HCBR_OK ||
        (st = hcbr_i_in_lend(in, p->atoms.count, 8, "sigma", &s->sigma, err)) != HCBR_OK ||
        (st = hcbr_i_in_lend(in, 2 * (uint64_t)p->atoms.count, 4, "counts", &s->d, err)) != HCBR_OK)
        return st;
    const uint64_t filled = m->case_count - m->empty_count;
    bool good = true;
    for (size_t e = 0; e < p->atoms.count; e++) {
        uint64_t sum = (uint64_t)s->d[2 * e] + s->d[2 * e + 1];
        good &= sum <= filled;
        p->atoms.degree[e] = (uint32_t)sum;
    }
    for (uint32_t e = 0; !good && e < p->atoms.count && st == HCBR_OK; e++) // find which one
        st = set_degree(p, m, e, s->d + 2 * (size_t)e, 2, err);
    return st;
}

static hcbr_status read_sparse(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_i_in *in,
                               hcbr_error *err) {
    hcbr_i_strength *s = &p->strength;
    uint64_t sum = 0;
    hcbr_status st;
    if ((st = hcbr_i_in_f64s(in, m->facts.entries, "mu", &s->entry_mu, err)) != HCBR_OK ||
        (st = hcbr_i_in_u32s(in, m->facts.entries, "labels", &s->entry_label, err)) != HCBR_OK ||
        (st = hcbr_i_in_u32s(in, m->facts.entries, "counts", &s->entry_count, err)) != HCBR_OK ||
        (st = hcbr_i_in_u32s(in, p->atoms.count, "lengths", &s->length, err)) != HCBR_OK)
        return st;
    s->entry_count_all = m->facts.entries;
    s->entry_capacity = (size_t)m->facts.entries;
    s->row = hcbr_i_alloc(p->atoms.count, sizeof *s->row);
    if (!s->row)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < p->atoms.count; e++) {
        s->row[e] = sum;
        if (s->length[e] > m->facts.entries - sum)
            return hcbr_i_model_bad(
                err, in->section, "atom %lu has %lu entries, but only %llu are left",
                (unsigned long)e, (unsigned long)s->length[e], LL(m->facts.entries - sum));
        if ((st = set_degree(p, m, e, s->entry_count + sum, s->length[e], err)) != HCBR_OK)
            return st;
        sum += s->length[e];
    }
    if (sum != m->facts.entries)
        return hcbr_i_model_bad(err, in->section, "atoms have %llu entries, expected %llu", LL(sum),
                                LL(m->facts.entries));
    return HCBR_OK;
}

static hcbr_status read_strengths(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_i_in *in,
                                  hcbr_error *err) {
    p->strength.atom_count = p->atoms.count;
    hcbr_status st = m->label_count == 2 ? read_two(p, m, in, err) : read_sparse(p, m, in, err);
    return st == HCBR_OK ? hcbr_i_in_end(in, err) : st;
}

static hcbr_status read_cases(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_i_in *in,
                              hcbr_error *err) {
    const uint32_t cases = (uint32_t)m->case_count;
    const unsigned char *lengths;
    uint64_t sum = 0;
    hcbr_status st;
    if ((st = hcbr_i_in_take(in, cases, 4, "lengths", &lengths, err)) != HCBR_OK)
        return st;
    p->kept.case_count = cases;
    p->kept.start = hcbr_i_alloc((size_t)cases + 1, sizeof *p->kept.start);
    if (!p->kept.start)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases; i++) {
        p->kept.start[i] = sum;
        sum += hcbr_i_u32_at(lengths + 4 * (size_t)i);
    }
    p->kept.start[cases] = sum;
    if ((st = hcbr_i_in_lend(in, sum, 4, "atoms of cases", &p->kept.atoms, err)) != HCBR_OK)
        return st;
    return hcbr_i_in_end(in, err);
}

static hcbr_status read_moves(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_i_in *in,
                              hcbr_error *err) {
    hcbr_i_moves *moves = &p->moves;
    uint64_t sum = 0;
    hcbr_status st;
    if ((st = hcbr_i_in_lend(in, m->facts.moves, 4, "cases", &moves->case_of, err)) != HCBR_OK ||
        (st = hcbr_i_in_lend(in, m->facts.moves, 4, "labels", &moves->decided, err)) != HCBR_OK)
        return st;
    moves->count = m->facts.moves;
    moves->start = hcbr_i_alloc((size_t)m->facts.moves + 1, sizeof *moves->start);
    if (!moves->start)
        return hcbr_i_no_memory(err);
    for (uint64_t r = 0; r < m->facts.moves; r++) {
        const uint32_t i = moves->case_of[r];
        if (i >= p->kept.case_count)
            return hcbr_i_model_bad(err, in->section,
                                    "record %llu is of case %lu, expected one below %lu", LL(r),
                                    (unsigned long)i, (unsigned long)p->kept.case_count);
        moves->start[r] = sum;
        sum += p->kept.start[i + 1] - p->kept.start[i];
        if (sum > in->left / 8)
            return hcbr_i_model_bad(err, in->section,
                                    "%zu bytes left, expected at least %llu deltas of 8 bytes",
                                    in->left, LL(sum));
    }
    moves->start[m->facts.moves] = sum;
    if ((st = hcbr_i_in_lend(in, sum, 8, "deltas", &moves->delta, err)) != HCBR_OK)
        return st;
    return hcbr_i_in_end(in, err);
}

/* Units of the features, by the importances of the model. */
static hcbr_status read_units(hcbr_i_plain *p, const hcbr_i_frame *m, hcbr_error *err) {
    hcbr_error why = {0};
    p->emphases = hcbr_i_emphases_share(m->emphases);
    hcbr_status st = hcbr_i_plain_weigh(p, m->dict, &why);
    if (st == HCBR_ENOMEM)
        return hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        return hcbr_i_model_bad(err, HCBR_I_IMPORTANCE, "%s", why.message);
    for (uint32_t f = 0; f < m->feature_count; f++)
        if (p->units[f] == 0)
            return hcbr_i_model_bad(err, HCBR_I_IMPORTANCE,
                                    "feature %lu has importance 0, expected none that has",
                                    (unsigned long)f);
    return HCBR_OK;
}

hcbr_status hcbr_i_plain_read(void **state, const hcbr_i_frame *m, hcbr_i_in *s, hcbr_error *err) {
    hcbr_i_plain *p = *state = hcbr_i_alloc_zero(1, sizeof *p);
    hcbr_status st;
    if (!p)
        return hcbr_i_no_memory(err);
    p->file = m->file;
    p->file_size = m->file_size;
    p->strength.label_count = m->label_count;
    p->strength.total = hcbr_i_alloc(m->label_count, sizeof *p->strength.total);
    if (!p->strength.total)
        return hcbr_i_no_memory(err);
    memcpy(p->strength.total, m->label_total, m->label_count * sizeof *p->strength.total);
    if ((st = read_atoms(p, m, &s[HCBR_I_ATOMS], err)) != HCBR_OK ||
        (st = read_strengths(p, m, &s[HCBR_I_STRENGTHS], err)) != HCBR_OK ||
        (m->emphases && (st = read_units(p, m, err)) != HCBR_OK) || m->keep == HCBR_KEEP_NONE ||
        (st = read_cases(p, m, &s[HCBR_I_CASES], err)) != HCBR_OK)
        return st;
    return read_moves(p, m, &s[HCBR_I_MOVES], err);
}
