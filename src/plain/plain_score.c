/*
 * Supports of a case and rule R1 (METHOD 3) by the strengths of the atoms of its features.
 *
 * Duplicate features count once: known ones are marked with the number of the current case. With
 * two labels one sum decides, which is exact where the difference of two sums might have lost it.
 */
#include "plain/plain_score.h"

#define AHEAD HCBR_I_AHEAD

/** The contribution of a feature, in one place so that a lookup touches one line. */
typedef struct hcbr_i_feature_part {
    double mu, sigma; /**< of its atom, times its importance; two labels only */
    uint32_t atom;
    uint32_t serial; /**< last case that had the feature */
} hcbr_i_feature_part;

typedef struct plain_scorer {
    const hcbr_i_plain *plain;
    hcbr_i_feature_part *parts; /* NULL: not needed yet */
    uint32_t serial;            /* number of the current case */
    hcbr_i_gather gather;
    hcbr_i_pair_sums sums; /* two labels */
    hcbr_i_atom_id *atoms; /* of the case's known features */
    size_t known, atom_capacity;
    uint64_t units; /* of them, if features are not equally important */
    double *weights;
    size_t weight_capacity;
} plain_scorer;

void hcbr_i_plain_scorer_free(void *scorer) {
    plain_scorer *d = scorer;
    if (!d)
        return;
    hcbr_i_gather_clear(&d->gather);
    hcbr_i_free(d->parts);
    hcbr_i_free(d->atoms);
    hcbr_i_free(d->weights);
    hcbr_i_free(d);
}

hcbr_status hcbr_i_plain_scorer_create(void **out, const void *state, const hcbr_i_frame *frame,
                                       hcbr_error *err) {
    (void)frame;
    plain_scorer *d = *out = hcbr_i_alloc_zero(1, sizeof *d);
    if (!d)
        return hcbr_i_no_memory(err);
    d->plain = state;
    hcbr_status st = hcbr_i_gather_init(&d->gather, &d->plain->strength, err);
    if (st != HCBR_OK) {
        hcbr_i_plain_scorer_free(d);
        *out = NULL;
    }
    return st;
}

double *hcbr_i_plain_support(void *scorer) {
    return ((plain_scorer *)scorer)->gather.support;
}

/* ---- gathering ------------------------------------------------------------------------------- */

static hcbr_status parts_need(plain_scorer *d, hcbr_error *err) {
    const hcbr_i_plain *plain = d->plain;
    uint32_t features = plain->atoms.feature_count;
    if (d->parts)
        return HCBR_OK;
    if (!(d->parts = hcbr_i_alloc_zero(features, sizeof *d->parts)))
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < features; f++) {
        uint32_t e = plain->atoms.of[f];
        d->parts[f].atom = e;
        if (plain->strength.mu) {
            const double units = plain->units ? plain->units[f] : 1;
            d->parts[f].mu = units * plain->strength.mu[e];
            d->parts[f].sigma = units * plain->strength.sigma[e];
        }
    }
    return HCBR_OK;
}

/* Mark a new case. Serials start again after 2^32 cases, with all marks wiped. */
static void next_serial(plain_scorer *d) {
    if (++d->serial)
        return;
    for (uint32_t f = 0; f < d->plain->atoms.feature_count; f++)
        d->parts[f].serial = 0;
    d->serial = 1;
}

/* Gather with two labels; returns how many different features are known. */
static size_t gather_pair(const plain_scorer *d, const hcbr_i_feature_id *ids, size_t count,
                          hcbr_i_pair_sums *out) {
    hcbr_i_feature_part *parts = d->parts;
    const uint32_t serial = d->serial;
    hcbr_i_pair_sums sums = {0, 0, 0};
    size_t known = 0;
    for (size_t n = 0; n < count; n++) {
        hcbr_i_feature_id ahead = ids[n + AHEAD]; /* perhaps of a later case */
        __builtin_prefetch(&parts[ahead == HCBR_I_NONE ? 0 : ahead], 1);
        if (HCBR_I_UNLIKELY(ids[n] == HCBR_I_NONE))
            continue;
        hcbr_i_feature_part *part = &parts[ids[n]];
        if (HCBR_I_UNLIKELY(part->serial == serial))
            continue;
        part->serial = serial;
        known++;
        sums.mu += part->mu;
        sums.magnitude += fabs(part->mu);
        sums.sigma += part->sigma;
    }
    *out = sums;
    return known;
}

/* The atoms of the different known features, one entry per feature. */
static size_t gather_atoms(plain_scorer *d, const hcbr_i_feature_id *ids, size_t count) {
    size_t known = 0;
    for (size_t n = 0; n < count; n++) {
        if (ids[n] == HCBR_I_NONE || d->parts[ids[n]].serial == d->serial)
            continue;
        d->parts[ids[n]].serial = d->serial;
        d->atoms[known++] = d->parts[ids[n]].atom;
    }
    return known;
}

/* The same if features differ in importance: weights receive their units. */
static hcbr_status gather_weighed(plain_scorer *d, const hcbr_i_feature_id *ids, size_t count,
                                  size_t *known, hcbr_error *err) {
    if (!hcbr_i_grow(&d->atoms, &d->atom_capacity, count, sizeof *d->atoms) ||
        !hcbr_i_grow(&d->weights, &d->weight_capacity, count, sizeof *d->weights))
        return hcbr_i_no_memory(err);
    d->sums = (hcbr_i_pair_sums){0, 0, 0};
    d->known = d->units = 0;
    for (size_t n = 0; n < count; n++) {
        if (ids[n] == HCBR_I_NONE || d->parts[ids[n]].serial == d->serial)
            continue;
        hcbr_i_feature_part *part = &d->parts[ids[n]];
        part->serial = d->serial;
        d->sums.mu += part->mu;
        d->sums.magnitude += fabs(part->mu);
        d->sums.sigma += part->sigma;
        d->units += d->plain->units[ids[n]];
        d->weights[d->known] = d->plain->units[ids[n]];
        d->atoms[d->known++] = part->atom;
    }
    *known = d->known;
    return HCBR_OK;
}

hcbr_status hcbr_i_plain_gather(void *scorer, const hcbr_i_feature_id *ids, size_t count,
                                size_t *known, hcbr_error *err) {
    plain_scorer *d = scorer;
    hcbr_status st = parts_need(d, err);
    if (st != HCBR_OK)
        return st;
    next_serial(d);
    if (d->plain->units)
        return gather_weighed(d, ids, count, known, err);
    if (d->plain->strength.mu) {
        *known = gather_pair(d, ids, count, &d->sums);
        return HCBR_OK;
    }
    if (!hcbr_i_grow(&d->atoms, &d->atom_capacity, count, sizeof *d->atoms) ||
        !hcbr_i_grow(&d->weights, &d->weight_capacity, count, sizeof *d->weights))
        return hcbr_i_no_memory(err);
    *known = d->known = gather_atoms(d, ids, count);
    return HCBR_OK;
}

/* ---- scores ---------------------------------------------------------------------------------- */

bool hcbr_i_plain_has_pairs(const void *state) {
    const hcbr_i_plain *plain = state;
    return plain->strength.mu && !plain->units;
}

void hcbr_i_plain_pairs(const void *state, const hcbr_i_feature_id *features, size_t count,
                        hcbr_i_pair *out) {
    const hcbr_i_plain *plain = state;
    const uint32_t *of = plain->atoms.of;
    const double *mu = plain->strength.mu, *sigma = plain->strength.sigma;
    for (size_t n = 0; n < count; n++) {
        if (features[n] == HCBR_I_NONE) {
            out[n] = HCBR_I_ABSENT;
            continue;
        }
        const uint32_t e = of[features[n]];
        /* adding 0 turns a sigma of -0, which means the same, into 0 */
        out[n] = (hcbr_i_pair){mu[e], sigma[e] + 0.0};
    }
}

hcbr_i_score hcbr_i_plain_score_pair(void *scorer, const hcbr_i_pair_sums *sums,
                                     uint64_t features) {
    const plain_scorer *d = scorer;
    double *support = d->gather.support;
    support[0] = (sums->sigma - sums->mu) / 2 / (double)features;
    support[1] = (sums->sigma + sums->mu) / 2 / (double)features;
    uint32_t winner = sums->mu > HCBR_I_TIE * sums->magnitude;
    bool alone = !(d->plain->strength.total[1 - winner] > 0);
    /* exact: the difference of the supports may have lost it; for equal ones it is not -0 */
    double lead = alone ? support[winner] : (winner ? sums->mu : 0 - sums->mu) / (double)features;
    return (hcbr_i_score){winner, alone ? HCBR_I_NONE : 1 - winner, lead};
}

// NOLINTNEXTLINE(readability-non-const-parameter): other engines fill it.
hcbr_i_score hcbr_i_plain_score(void *scorer, uint64_t features, double *probability) {
    plain_scorer *d = scorer;
    const hcbr_i_strength *s = &d->plain->strength;
    (void)probability;
    if (d->plain->units)
        features += d->units;
    if (s->mu)
        return hcbr_i_plain_score_pair(d, &d->sums, features);
    for (size_t n = 0; n < d->known; n++)
        d->weights[n] = (d->plain->units ? d->weights[n] : 1) / (double)features;
    hcbr_i_strength_gather(s, &d->gather, d->atoms, d->weights, d->known);
    uint32_t winner = hcbr_i_strength_decide(s, &d->gather, d->atoms, d->weights, d->known);
    const double *support = d->gather.support;
    uint32_t best = HCBR_I_NONE;
    for (uint32_t l = 0; l < d->gather.label_count; l++)
        if (l != winner && s->total[l] > 0 && (best == HCBR_I_NONE || support[l] > support[best]))
            best = l;
    return (hcbr_i_score){winner, best,
                          support[winner] - (best == HCBR_I_NONE ? 0 : support[best])};
}
