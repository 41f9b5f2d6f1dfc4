/*
 * What a case gathers for each label, and rule R1 with its ties (METHOD 3); single strengths.
 */
#include "strength/strength.h"

#include <math.h>

void hcbr_i_strength_clear(hcbr_i_strength *s) {
    hcbr_i_free(s->total);
    hcbr_i_free(s->cases);
    hcbr_i_free(s->mu);
    hcbr_i_free(s->sigma);
    hcbr_i_free(s->d);
    hcbr_i_free(s->row);
    hcbr_i_free(s->length);
    hcbr_i_free(s->entry_label);
    hcbr_i_free(s->entry_count);
    hcbr_i_free(s->entry_mu);
    *s = (hcbr_i_strength){0};
}

/* ---- single strengths ------------------------------------------------------------------------ */

/* The first entry of an atom whose label is not below this one, or its end. */
static uint64_t entry_find(const hcbr_i_strength *s, hcbr_i_atom_id atom, uint32_t label) {
    uint64_t low = s->row[atom], high = low + s->length[atom];
    while (low < high) {
        uint64_t middle = (low + high) / 2;
        if (s->entry_label[middle] < label)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool entry_is(const hcbr_i_strength *s, uint64_t at, hcbr_i_atom_id atom, uint32_t label) {
    return at < s->row[atom] + s->length[atom] && s->entry_label[at] == label;
}

double hcbr_i_strength_get(const hcbr_i_strength *s, hcbr_i_atom_id atom, uint32_t label) {
    if (s->mu)
        return (s->sigma[atom] + (label ? s->mu[atom] : -s->mu[atom])) / 2;
    uint64_t at = entry_find(s, atom, label);
    return entry_is(s, at, atom, label) ? s->entry_mu[at] : 0;
}

uint32_t hcbr_i_strength_count(const hcbr_i_strength *s, hcbr_i_atom_id atom, uint32_t label) {
    if (s->mu)
        return s->d[2 * (size_t)atom + label];
    uint64_t at = entry_find(s, atom, label);
    return entry_is(s, at, atom, label) ? s->entry_count[at] : 0;
}

/* Room for `need` entries in all three arrays. */
static bool entries_grow(hcbr_i_strength *s, size_t need) {
    size_t a = s->entry_capacity, b = a;
    return hcbr_i_grow(&s->entry_label, &a, need, sizeof *s->entry_label) &&
           hcbr_i_grow(&s->entry_count, &b, need, sizeof *s->entry_count) &&
           hcbr_i_grow(&s->entry_mu, &s->entry_capacity, need, sizeof *s->entry_mu);
}

/* Move an atom's entries to the end of the arrays, where there is room for one more. */
static bool entries_move(hcbr_i_strength *s, hcbr_i_atom_id atom) {
    uint64_t from = s->row[atom], to = s->entry_count_all;
    uint32_t length = s->length[atom];
    if (from + length == to) /* the last already */
        return entries_grow(s, (size_t)to + 1);
    if (!entries_grow(s, (size_t)to + length + 1))
        return false;
    memcpy(s->entry_label + to, s->entry_label + from, length * sizeof *s->entry_label);
    memcpy(s->entry_count + to, s->entry_count + from, length * sizeof *s->entry_count);
    memcpy(s->entry_mu + to, s->entry_mu + from, length * sizeof *s->entry_mu);
    s->row[atom] = to;
    s->entry_count_all = to + length;
    return true;
}

hcbr_status hcbr_i_strength_add(hcbr_i_strength *s, hcbr_i_atom_id atom, uint32_t label,
                                double delta, hcbr_error *err) {
    uint64_t at = entry_find(s, atom, label);
    if (!entry_is(s, at, atom, label)) {
        uint64_t offset = at - s->row[atom];
        if (!entries_move(s, atom))
            return hcbr_i_no_memory(err);
        at = s->row[atom] + offset;
        size_t behind = s->length[atom] - (size_t)offset;
        memmove(s->entry_label + at + 1, s->entry_label + at, behind * sizeof *s->entry_label);
        memmove(s->entry_count + at + 1, s->entry_count + at, behind * sizeof *s->entry_count);
        memmove(s->entry_mu + at + 1, s->entry_mu + at, behind * sizeof *s->entry_mu);
        s->entry_label[at] = label;
        s->entry_count[at] = 0;
        s->entry_mu[at] = 0;
        s->length[atom]++;
        s->entry_count_all++;
    }
    s->entry_mu[at] += delta;
    return HCBR_OK;
}

/* ---- supports -------------------------------------------------------------------------------- */

hcbr_status hcbr_i_gather_init(hcbr_i_gather *gather, uint32_t label_count, hcbr_error *err) {
    gather->label_count = label_count;
    gather->support = hcbr_i_alloc_zero(label_count, sizeof *gather->support);
    gather->magnitude = hcbr_i_alloc_zero(label_count, sizeof *gather->magnitude);
    if (gather->support && gather->magnitude)
        return HCBR_OK;
    hcbr_i_gather_clear(gather);
    return hcbr_i_no_memory(err);
}

void hcbr_i_gather_clear(hcbr_i_gather *gather) {
    hcbr_i_free(gather->support);
    hcbr_i_free(gather->magnitude);
    *gather = (hcbr_i_gather){0};
}

void hcbr_i_strength_gather(const hcbr_i_strength *s, hcbr_i_gather *gather,
                            const hcbr_i_atom_id *atoms, const double *weights, size_t count) {
    memset(gather->support, 0, gather->label_count * sizeof *gather->support);
    memset(gather->magnitude, 0, gather->label_count * sizeof *gather->magnitude);
    for (size_t n = 0; n < count; n++) {
        uint64_t end = s->row[atoms[n]] + s->length[atoms[n]];
        for (uint64_t c = s->row[atoms[n]]; c < end; c++) {
            double term = weights[n] * s->entry_mu[c];
            gather->support[s->entry_label[c]] += term;
            gather->magnitude[s->entry_label[c]] += fabs(term);
        }
    }
}

/* Do two labels tie? The bound on the terms settles it almost always. */
static bool tie(const hcbr_i_strength *s, const hcbr_i_gather *gather, uint32_t a, uint32_t b,
                const hcbr_i_atom_id *atoms, const double *weights, size_t count) {
    double difference = fabs(gather->support[a] - gather->support[b]);
    if (difference > HCBR_I_TIE * (gather->magnitude[a] + gather->magnitude[b]))
        return false;
    double sum = 0, terms = 0;
    for (size_t n = 0; n < count; n++) {
        double term = weights[n] * hcbr_i_strength_difference(hcbr_i_strength_get(s, atoms[n], a),
                                                              hcbr_i_strength_get(s, atoms[n], b));
        sum += term;
        terms += fabs(term);
    }
    return fabs(sum) <= HCBR_I_TIE * terms;
}

uint32_t hcbr_i_strength_decide(const hcbr_i_strength *s, const hcbr_i_gather *gather,
                                const hcbr_i_atom_id *atoms, const double *weights, size_t count) {
    uint32_t best = HCBR_I_NONE;
    for (uint32_t l = 0; l < gather->label_count; l++)
        if (s->total[l] > 0 && (best == HCBR_I_NONE || gather->support[l] > gather->support[best]))
            best = l;
    for (uint32_t l = 0; best != HCBR_I_NONE && l < best; l++)
        if (s->total[l] > 0 && tie(s, gather, l, best, atoms, weights, count))
            return l;
    return best;
}
