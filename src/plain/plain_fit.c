/*
 * Building the plain engine: partition, strengths, training (METHOD 2-4). Without a model, the
 * atoms alone describe a list of cases.
 */
#include "plain/plain_part.h"

/* ---- before training ------------------------------------------------------------------------- */

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

static hcbr_status learn(hcbr_i_plain *p, hcbr_i_fitted *out, hcbr_cases *cases,
                         const hcbr_i_fit_options *options, hcbr_error *err) {
    const hcbr_train_options *o = options->train;
    uint32_t threads = o->threads ? o->threads : 1;
    hcbr_i_pool pool = {0};
    hcbr_i_partition_options partition = {.threads = threads,
                                          .in_place = options->owned,
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
        out->digest[i] = p->atoms.signature_digest[i];
    if (st == HCBR_OK && p->emphases)
        st = hcbr_i_plain_weigh(p, cases->dict, err);
    if (st == HCBR_OK)
        st = hcbr_i_strength_build(&p->strength, cases, &p->atoms, &p->kept, o->scope, &means, err);
    hcbr_i_free(p->atoms.labels); // the strengths have it now
    p->atoms.labels = NULL;
    if (st == HCBR_OK)
        st = hcbr_i_ask(o->progress, o->progress_context, "train", 0, 0, err);
    if (st == HCBR_OK)
        st = hcbr_i_train_run(&p->strength, &p->atoms, &p->kept, cases->label, &train,
                              out->pass_errors, err);
    hcbr_i_pool_clear(&pool);
    return st;
}

/* ---- its own cases --------------------------------------------------------------------------- */

/* The in-sample decision of one case. */
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

static hcbr_status decide_own(const hcbr_i_plain *p, hcbr_i_own_answers *out, hcbr_error *err) {
    uint32_t cases = p->kept.case_count, longest = 0;
    hcbr_i_gather gather = {0};
    for (uint32_t i = 0; i < cases; i++)
        if (p->kept.start[i + 1] - p->kept.start[i] > longest)
            longest = (uint32_t)(p->kept.start[i + 1] - p->kept.start[i]);
    double *weights = hcbr_i_alloc(longest, sizeof *weights);
    out->winner = hcbr_i_alloc(cases, sizeof *out->winner);
    out->support = hcbr_i_alloc_zero(cases, sizeof *out->support);
    out->other = hcbr_i_alloc_zero(cases, sizeof *out->other);
    hcbr_status st = weights && out->winner && out->support && out->other
                         ? hcbr_i_gather_init(&gather, &p->strength, err)
                         : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases; i++)
        out->winner[i] = decide_one(p, &gather, weights, i, &out->support[i], &out->other[i]);
    hcbr_i_gather_clear(&gather);
    hcbr_i_free(weights);
    return st;
}

/* ---- the fit --------------------------------------------------------------------------------- */

/* Keep the cases as requested, some arrays borrowed from the list. */
static void keep_cases(hcbr_i_plain *p, hcbr_i_fitted *out, hcbr_keep keep) {
    if (keep == HCBR_KEEP_NONE)
        hcbr_i_projections_clear(&p->kept);
    out->borrowed = p->kept.borrowed;
    p->kept.borrowed = false;
    hcbr_i_free(p->strength.cases);
    p->strength.cases = NULL;
}

hcbr_status hcbr_i_plain_fit(void **state, hcbr_i_fitted *out, struct hcbr_cases *cases,
                             const hcbr_i_fit_options *options, hcbr_error *err) {
    const uint32_t labels = cases->labels.count;
    const hcbr_train_options *o = options->train;
    hcbr_i_plain *p = *state = hcbr_i_alloc_zero(1, sizeof *p);
    out->pass_errors = hcbr_i_alloc_zero(o->passes, sizeof *out->pass_errors);
    out->label_total = hcbr_i_alloc(labels, sizeof *out->label_total);
    if (!p || !out->pass_errors || !out->label_total)
        return hcbr_i_no_memory(err);
    p->emphases = hcbr_i_emphases_share(options->emphases);
    out->dict = hcbr_i_dict_share(cases->dict);
    out->value_count = hcbr_i_dict_count(cases->dict);
    out->occurrence_count = cases->start[cases->case_count]; // before it is used up
    hcbr_status st = learn(p, out, cases, options, err);
    if (st == HCBR_OK && options->own)
        st = decide_own(p, &out->own, err);
    if (st != HCBR_OK)
        return st;
    memcpy(out->label_total, p->strength.total, labels * sizeof *out->label_total);
    out->facts = hcbr_i_plain_facts(p);
    keep_cases(p, out, o->keep);
    return HCBR_OK;
}
