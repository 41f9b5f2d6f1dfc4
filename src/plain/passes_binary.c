/*
 * Training with two labels (METHOD 4).
 *
 * One number per atom is enough: nu(e) = |e| mu(e). Then |x| s(x) is the sum of nu over the case's
 * atoms, and a wrong decision changes nu by 2 y (|e|/|x|) |nu|. Storing the two strengths instead
 * would lose their difference to cancellation.
 */
#include "plain/passes.h"

#include <math.h>

/* Number of cases that data are prefetched ahead; each step uses what an earlier one fetched. */
#define AHEAD_START 32
#define AHEAD_ATOMS 16
#define AHEAD_NU 4
#define LINE 16u      /* atoms that a cache line holds */
#define CACHED 32768u /* strengths that a second-level cache holds: no prefetch needed */

typedef struct pass_data {
    double *nu;
    const hcbr_i_atoms *atoms;
    const hcbr_i_projections *projections;
    const uint32_t *label;
    const uint32_t *order;
    hcbr_i_train_log *log;
    uint64_t *wide; /* by atom a bit: size above 1 */
    bool far_away;  /* the strengths do not fit into a near cache: prefetch them */
} pass_data;

/* Always inline: a function that only fetches does nothing, and gcc would drop the call. */
static inline __attribute__((always_inline)) void fetch(const pass_data *d, uint32_t n) {
    const hcbr_i_projections *p = d->projections;
    if (HCBR_I_UNLIKELY(n + AHEAD_START >= p->case_count))
        return;
    __builtin_prefetch(&p->start[d->order[n + AHEAD_START]]);
    __builtin_prefetch(&d->label[d->order[n + AHEAD_START]]);
    uint32_t later = d->order[n + AHEAD_ATOMS];
    uint64_t end = p->start[later + 1];
    for (uint64_t j = p->start[later]; j < end; j += LINE)
        __builtin_prefetch(&p->atoms[j]);
    __builtin_prefetch(&p->atoms[end]);
    if (d->far_away) {
        uint32_t near = d->order[n + AHEAD_NU];
        for (uint64_t j = p->start[near]; j < p->start[near + 1]; j++)
            __builtin_prefetch(&d->nu[p->atoms[j]], 1);
    }
}

/* Most atoms have one feature, and bits fit a near cache that sizes do not fit. */
static inline uint32_t size_of(const pass_data *d, bool far, hcbr_i_atom_id atom) {
    return !far || d->wide[atom / 64] >> atom % 64 & 1 ? d->atoms->mass[atom] : 1;
}

/* A wrongly decided case moves its atoms towards its label. */
static inline __attribute__((always_inline)) hcbr_status correct(const pass_data *d, bool far,
                                                                 uint32_t i, hcbr_error *err) {
    const hcbr_i_projections *p = d->projections;
    const hcbr_i_atom_id *atoms = p->atoms + p->start[i];
    size_t count = (size_t)(p->start[i + 1] - p->start[i]);
    double *moved = NULL;
    if (d->log) {
        hcbr_status st = hcbr_i_train_log_get(d->log, i, 1 - d->label[i], count, &moved, err);
        if (st != HCBR_OK)
            return st;
    }
    uint64_t features = 0;
    for (size_t n = 0; n < count; n++)
        features += size_of(d, far, atoms[n]);
    for (size_t n = 0; n < count; n++) {
        double *nu = &d->nu[atoms[n]], size = size_of(d, far, atoms[n]);
        double delta = size / (double)features * fabs(*nu);
        *nu += d->label[i] ? 2 * delta : -2 * delta;
        if (moved)
            moved[n] += delta / size;
    }
    return HCBR_OK;
}

static hcbr_status run_pass(const pass_data *d, const hcbr_i_train_options *options, uint32_t pass,
                            uint64_t *errors, hcbr_error *err) {
    const hcbr_i_projections *p = d->projections;
    const hcbr_i_atom_id *atoms = p->atoms;
    const double *nu = d->nu;
    uint64_t wrong = 0;
    for (uint32_t n = 0; n < p->case_count; n++) {
        if (n % HCBR_I_TRAIN_STEP == 0 &&
            hcbr_i_train_progress(options, pass, n, p->case_count, err) != HCBR_OK)
            return HCBR_ECANCELLED;
        fetch(d, n);
        uint32_t i = d->order[n];
        uint64_t j = p->start[i], end = p->start[i + 1];
        if (j == end)
            continue;
        double sum = 0, magnitude = 0;
        for (; j < end; j++) {
            double x = nu[atoms[j]];
            sum += x;
            magnitude += fabs(x);
        }
        uint32_t decided = sum > HCBR_I_TIE * magnitude;
        if (decided == d->label[i])
            continue;
        wrong++;
        hcbr_status st = d->far_away ? correct(d, true, i, err) : correct(d, false, i, err);
        if (st != HCBR_OK)
            return st;
    }
    *errors = wrong;
    return HCBR_OK;
}

hcbr_status hcbr_i_train_binary(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                                const hcbr_i_projections *projections, const uint32_t *label,
                                const uint32_t *order, const hcbr_i_train_options *options,
                                hcbr_i_train_log *log, uint64_t *errors, hcbr_error *err) {
    /* atoms of one feature each: nu is mu */
    const bool same = atoms->count == atoms->feature_count && atoms->mass == atoms->size;
    pass_data d = {same ? strength->mu
                        : hcbr_i_pool_take(options->pool, atoms->count, sizeof(double)),
                   atoms,
                   projections,
                   label,
                   order,
                   log,
                   hcbr_i_alloc_zero((size_t)atoms->count / 64 + 1, sizeof(uint64_t)),
                   atoms->count > CACHED};
    hcbr_status st = d.nu && d.wide ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t e = 0; !same && st == HCBR_OK && e < atoms->count; e++) {
        d.nu[e] = (double)atoms->mass[e] * strength->mu[e];
        d.wide[e / 64] |= (uint64_t)(atoms->mass[e] > 1) << e % 64;
    }
    for (uint32_t pass = 0; st == HCBR_OK && pass < options->passes; pass++)
        st = run_pass(&d, options, pass, &errors[pass], err);
    /* an atom that was not moved keeps its bits */
    for (uint32_t e = 0; !same && st == HCBR_OK && e < atoms->count; e++)
        if (d.nu[e] != (double)atoms->mass[e] * strength->mu[e])
            strength->mu[e] = d.nu[e] / (double)atoms->mass[e];
    if (!same)
        hcbr_i_pool_give(options->pool, d.nu, atoms->count, sizeof *d.nu);
    hcbr_i_free(d.wide);
    return st;
}
