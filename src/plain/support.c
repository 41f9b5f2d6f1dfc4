/*
 * The supports of a case for each label, and rule R1 with its ties (METHOD 3); single strengths.
 */
#include "plain/plain.h"

#include <math.h>

void hcbr_i_strength_clear(hcbr_i_strength *s) {
    hcbr_i_free(s->total);
    hcbr_i_free(s->cases);
    hcbr_i_free(s->mu);
    hcbr_i_free(s->sigma);
    hcbr_i_free(s->d);
    hcbr_i_free(s->row);
    hcbr_i_free(s->length);
    hcbr_i_free(s->spare);
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

/* Make room for one more entry of an atom. Entries without room are moved to the end of the arrays,
 * with room for half as many again. So gaps take at most a few times the space in use. */
static bool entries_room(hcbr_i_strength *s, hcbr_i_atom_id atom) {
    uint64_t from = s->row[atom], to = s->entry_count_all;
    uint32_t length = s->length[atom];
    if (s->spare && s->spare[atom] > 0) {
        s->spare[atom]--;
        return true;
    }
    uint32_t spare = length / 2 + 4;
    if ((!s->spare && !(s->spare = hcbr_i_alloc_zero(s->atom_count, sizeof *s->spare))) ||
        !entries_grow(s, (size_t)to + length + 1 + spare))
        return false;
    memcpy(s->entry_label + to, s->entry_label + from, length * sizeof *s->entry_label);
    memcpy(s->entry_count + to, s->entry_count + from, length * sizeof *s->entry_count);
    memcpy(s->entry_mu + to, s->entry_mu + from, length * sizeof *s->entry_mu);
    s->row[atom] = to;
    s->spare[atom] = spare;
    s->entry_count_all = to + length + 1 + spare;
    return true;
}

hcbr_status hcbr_i_strength_add(hcbr_i_strength *s, hcbr_i_atom_id atom, uint32_t label,
                                double delta, hcbr_error *err) {
    uint64_t at = entry_find(s, atom, label);
    if (!entry_is(s, at, atom, label)) {
        uint64_t offset = at - s->row[atom];
        if (!entries_room(s, atom))
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
    }
    s->entry_mu[at] += delta;
    return HCBR_OK;
}

/* ---- supports -------------------------------------------------------------------------------- */

hcbr_status hcbr_i_gather_init(hcbr_i_gather *gather, const hcbr_i_strength *s, hcbr_error *err) {
    *gather = (hcbr_i_gather){.label_count = s->label_count, .all = true};
    gather->support = hcbr_i_alloc_zero(s->label_count, sizeof *gather->support);
    if (!gather->support)
        return hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < s->label_count; l++)
        gather->all &= s->total[l] > 0;
    for (uint32_t e = 0; s->row && e < s->atom_count; e++)
        for (uint64_t c = s->row[e]; c < s->row[e] + s->length[e]; c++)
            hcbr_i_gather_look(gather, s->entry_mu[c], 0);
    return HCBR_OK;
}

void hcbr_i_gather_clear(hcbr_i_gather *gather) {
    hcbr_i_free(gather->support);
    *gather = (hcbr_i_gather){0};
}

void hcbr_i_strength_gather(const hcbr_i_strength *s, hcbr_i_gather *gather,
                            const hcbr_i_atom_id *atoms, const double *weights, size_t count) {
    memset(gather->support, 0, gather->label_count * sizeof *gather->support);
    for (size_t n = 0; n < count; n++) {
        const uint32_t *label = s->entry_label + s->row[atoms[n]];
        const double *mu = s->entry_mu + s->row[atoms[n]], weight = weights[n];
        for (uint32_t c = 0; c < s->length[atoms[n]]; c++)
            gather->support[label[c]] += weight * mu[c];
    }
}

/* Whether two labels tie. */
static bool tie(const hcbr_i_strength *s, uint32_t a, uint32_t b, const hcbr_i_atom_id *atoms,
                const double *weights, size_t count) {
    double sum = 0, terms = 0;
    for (size_t n = 0; n < count; n++) {
        double term = weights[n] * hcbr_i_strength_difference(hcbr_i_strength_get(s, atoms[n], a),
                                                              hcbr_i_strength_get(s, atoms[n], b));
        sum += term;
        terms += fabs(term);
    }
    return fabs(sum) <= HCBR_I_TIE * terms;
}

/* The largest support of the labels with strength; four chains, so that none waits for another. */
static double largest_support(const hcbr_i_strength *s, const hcbr_i_gather *gather) {
    const double *support = gather->support;
    double most[4] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
    uint32_t l = 0;
    for (; gather->all && l + 4 <= gather->label_count; l += 4)
        for (uint32_t i = 0; i < 4; i++)
            most[i] = support[l + i] > most[i] ? support[l + i] : most[i];
    for (; l < gather->label_count; l++)
        if (s->total[l] > 0 && support[l] > most[0])
            most[0] = support[l];
    return fmax(fmax(most[0], most[1]), fmax(most[2], most[3]));
}

uint32_t hcbr_i_strength_decide(const hcbr_i_strength *s, const hcbr_i_gather *gather,
                                const hcbr_i_atom_id *atoms, const double *weights, size_t count) {
    const double *support = gather->support;
    double most = largest_support(s, gather);
    // Weights add up to at most 1, so the terms of a difference are at most this.
    double near = most - 2 * HCBR_I_TIE * gather->largest;
    uint32_t best = HCBR_I_NONE, l = 0;
    for (; l < gather->label_count; l++) {
        if (!(support[l] >= near) || !(gather->all || s->total[l] > 0))
            continue;
        if (support[l] == most) // usually the first label near it
            return l;
        for (best = l + 1; support[best] != most || !(s->total[best] > 0);)
            best++;
        break;
    }
    for (; best != HCBR_I_NONE && l < best; l++)
        if (support[l] >= near && s->total[l] > 0 && tie(s, l, best, atoms, weights, count))
            return l;
    return best;
}
