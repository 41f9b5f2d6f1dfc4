/*
 * Training with one label or more than two (METHOD 4 and 8): a wrong decision moves strength from
 * the decided label to the true one.
 */
#include "plain/passes.h"

#include <math.h>

#define STEP 256u /* cases between two reports of progress: one may cost as much as all labels */

typedef struct case_data {
    const hcbr_i_atom_id *atoms;
    size_t count;
    double *weights; /* w(e,x) of each atom */
    size_t capacity;
} case_data;

/* The case's atoms and their weights. */
static hcbr_status case_load(case_data *x, const hcbr_i_atoms *atoms, const hcbr_i_projections *p,
                             uint32_t i, hcbr_error *err) {
    x->atoms = p->atoms + p->start[i];
    x->count = (size_t)(p->start[i + 1] - p->start[i]);
    if (!hcbr_i_grow(&x->weights, &x->capacity, x->count, sizeof *x->weights))
        return hcbr_i_no_memory(err);
    uint64_t features = 0;
    for (size_t n = 0; n < x->count; n++)
        features += atoms->mass[x->atoms[n]];
    for (size_t n = 0; n < x->count; n++)
        x->weights[n] = (double)atoms->mass[x->atoms[n]] / (double)features;
    return HCBR_OK;
}

static hcbr_status correct(hcbr_i_strength *strength, const case_data *x, uint32_t i,
                           uint32_t label, uint32_t decided, hcbr_i_train_log *log,
                           hcbr_error *err) {
    double *moved = NULL;
    hcbr_status st = HCBR_OK;
    if (log)
        st = hcbr_i_train_log_get(log, i, decided, x->count, &moved, err);
    for (size_t n = 0; st == HCBR_OK && n < x->count; n++) {
        hcbr_i_atom_id e = x->atoms[n];
        double delta = x->weights[n] *
                       fabs(hcbr_i_strength_difference(hcbr_i_strength_get(strength, e, label),
                                                       hcbr_i_strength_get(strength, e, decided)));
        if (delta == 0)
            continue;
        if ((st = hcbr_i_strength_add(strength, e, label, delta, err)) == HCBR_OK)
            st = hcbr_i_strength_add(strength, e, decided, -delta, err);
        if (moved)
            moved[n] += delta;
    }
    return st;
}

hcbr_status hcbr_i_train_many(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                              const hcbr_i_projections *projections, const uint32_t *label,
                              const uint32_t *order, const hcbr_i_train_options *options,
                              hcbr_i_train_log *log, uint64_t *errors, hcbr_error *err) {
    hcbr_i_gather gather;
    hcbr_status st = hcbr_i_gather_init(&gather, strength, err);
    if (st != HCBR_OK)
        return st;
    case_data x = {0};
    for (uint32_t pass = 0; pass < options->passes; pass++) {
        errors[pass] = 0;
        for (uint32_t n = 0; st == HCBR_OK && n < projections->case_count; n++) {
            uint32_t i = order[n];
            if (n % STEP == 0)
                st = hcbr_i_train_progress(options, pass, n, projections->case_count, err);
            if (st == HCBR_OK)
                st = case_load(&x, atoms, projections, i, err);
            if (st != HCBR_OK || x.count == 0)
                continue;
            hcbr_i_strength_gather(strength, &gather, x.atoms, x.weights, x.count);
            uint32_t decided =
                hcbr_i_strength_decide(strength, &gather, x.atoms, x.weights, x.count);
            if (decided == label[i])
                continue;
            errors[pass]++;
            st = correct(strength, &x, i, label[i], decided, log, err);
            for (size_t a = 0; a < x.count; a++)
                hcbr_i_gather_look(&gather, hcbr_i_strength_get(strength, x.atoms[a], label[i]),
                                   hcbr_i_strength_get(strength, x.atoms[a], decided));
        }
    }
    hcbr_i_free(x.weights);
    hcbr_i_gather_clear(&gather);
    return st;
}
