/*
 * Building the plain engine: partition, strengths, training (METHOD 2-4). The atoms alone are there
 * for those who look at a list of cases without a model.
 */
#include "plain/plain_part.h"

/* ---- before it is built ---------------------------------------------------------------------- */

void hcbr_i_plain_estimate(const hcbr_i_shape *s, hcbr_estimate *out) {
    double pairs = s->labels > 2 ? s->pairs : 0, scores = s->labels > 2 ? s->cases * s->labels : 0;
    out->seconds +=
        5e-8 * s->occurrences * (1 + s->passes) + (1.5e-9 * pairs + 0.35e-9 * scores) * s->passes;
}

hcbr_status hcbr_i_plain_group(uint32_t **out, uint32_t *count, const struct hcbr_cases *cases,
                               uint32_t threads, hcbr_progress_fn *progress, void *context,
                               hcbr_error *err) {
    hcbr_i_atoms atoms = {0};
    hcbr_i_projections projections = {0};
    const hcbr_i_partition_options options = {
        .threads = threads, .progress = progress, .progress_context = context};
    hcbr_status st = hcbr_i_partition_build(&atoms, &projections, cases, &options, err);
    hcbr_i_projections_clear(&projections);
    *out = atoms.of;
    *count = atoms.count;
    atoms.of = NULL; // now the caller's
    hcbr_i_atoms_clear(&atoms);
    return st;
}

/* ---- the model ------------------------------------------------------------------------------- */

hcbr_status hcbr_i_plain_fit(hcbr_i_plain *p, hcbr_cases *cases, const hcbr_train_options *o,
                             uint64_t digest[2], uint64_t *pass_errors, hcbr_error *err) {
    uint32_t threads = o->threads ? o->threads : 1;
    hcbr_i_pool pool = {0};
    hcbr_i_partition_options partition = {.threads = threads,
                                          .in_place = o->consume != 0,
                                          .pool = &pool,
                                          .progress = o->progress,
                                          .progress_context = o->progress_context};
    hcbr_i_train_options train = {.passes = o->passes,
                                  .seed = o->seed,
                                  .given_order = o->given_order,
                                  .moves = o->keep == HCBR_KEEP_NONE ? NULL : &p->moves,
                                  .pool = &pool,
                                  .progress = o->progress,
                                  .progress_context = o->progress_context};
    const hcbr_i_watch watch = {o->progress, o->progress_context, "strength", 0, 0};
    const hcbr_i_means means = {threads, &pool, &watch};
    hcbr_status st = hcbr_i_partition_build(&p->atoms, &p->kept, cases, &partition, err);
    for (int i = 0; st == HCBR_OK && i < 2; i++)
        digest[i] = p->atoms.signature_digest[i];
    if (st == HCBR_OK && p->emphases)
        st = hcbr_i_plain_weigh(p, cases->dict, err);
    if (st == HCBR_OK)
        st = hcbr_i_strength_build(&p->strength, cases, &p->atoms, &p->kept, o->scope, &means, err);
    hcbr_i_free(p->atoms.labels); // the strengths have it now
    p->atoms.labels = NULL;
    if (st == HCBR_OK)
        st = hcbr_i_ask(o->progress, o->progress_context, "train", 0, 0, err);
    if (st == HCBR_OK)
        st = hcbr_i_train_run(&p->strength, &p->atoms, &p->kept, cases->label, &train, pass_errors,
                              err);
    hcbr_i_pool_clear(&pool);
    return st;
}

/* ---- its own cases --------------------------------------------------------------------------- */

/* Of one case. */
static uint32_t decide_one(const hcbr_i_plain *p, hcbr_i_gather *gather, double *weights,
                           uint32_t i, double *support, double *other) {
    const hcbr_i_strength *s = &p->strength;
    const hcbr_i_atom_id *atoms = p->kept.atoms + p->kept.start[i];
    size_t count = (size_t)(p->kept.start[i + 1] - p->kept.start[i]);
    double features = 0, mu = 0, sigma = 0, magnitude = 0;
    for (size_t n = 0; n < count; n++)
        features += p->atoms.mass[atoms[n]];
    if (count == 0)
        return HCBR_I_NONE;
    if (s->mu) {
        for (size_t n = 0; n < count; n++) {
            mu += p->atoms.mass[atoms[n]] * s->mu[atoms[n]];
            magnitude += p->atoms.mass[atoms[n]] * fabs(s->mu[atoms[n]]);
            sigma += p->atoms.mass[atoms[n]] * s->sigma[atoms[n]];
        }
        uint32_t winner = mu > HCBR_I_TIE * magnitude;
        *support = (sigma + (winner ? mu : -mu)) / 2 / features;
        *other = (sigma - (winner ? mu : -mu)) / 2 / features;
        return winner;
    }
    for (size_t n = 0; n < count; n++)
        weights[n] = p->atoms.mass[atoms[n]] / features;
    hcbr_i_strength_gather(s, gather, atoms, weights, count);
    uint32_t winner = hcbr_i_strength_decide(s, gather, atoms, weights, count);
    if (winner == HCBR_I_NONE)
        return winner;
    *other = NAN;
    for (uint32_t l = 0; l < s->label_count; l++)
        if (l != winner && !(gather->support[l] <= *other))
            *other = gather->support[l];
    *support = gather->support[winner];
    return winner;
}

hcbr_status hcbr_i_plain_decide_own(const hcbr_i_plain *p, uint32_t *winner, double *support,
                                    double *other, hcbr_error *err) {
    uint32_t cases = p->kept.case_count, longest = 0;
    hcbr_i_gather gather = {0};
    for (uint32_t i = 0; i < cases; i++)
        if (p->kept.start[i + 1] - p->kept.start[i] > longest)
            longest = (uint32_t)(p->kept.start[i + 1] - p->kept.start[i]);
    double *weights = hcbr_i_alloc(longest, sizeof *weights);
    hcbr_status st =
        weights ? hcbr_i_gather_init(&gather, &p->strength, err) : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases; i++)
        winner[i] = decide_one(p, &gather, weights, i, &support[i], &other[i]);
    hcbr_i_gather_clear(&gather);
    hcbr_i_free(weights);
    return st;
}
