/*
 * Leaving out the features with the least information gain (docs/STUDY.md, prune): of plain models.
 *
 * The share that is kept is given, or the one with the most right answers to held-out cases, the
 * smallest of equals. Held-out cases have no part in the choice of features: gains are computed in
 * the training cases of each fold.
 */
#include "model/model.h"

#define FOLDS 5u

static const double SHARES[] = {1, 0.7, 0.5, 0.35, 0.25, 0.15, 0.1, 0.05, 0.02, 0.01};
enum { CHOICES = sizeof SHARES / sizeof SHARES[0] };

/* Right answers of a fold with a share of the features. */
static hcbr_status try_share(uint64_t *right, const hcbr_cases *cases, const uint32_t *train,
                             uint32_t trained, const uint32_t *test, uint32_t tested, double share,
                             const hcbr_train_options *o, const hcbr_i_emphases *emphases,
                             hcbr_error *err) {
    const hcbr_i_engine *engine = hcbr_i_engine_of(HCBR_MODEL_PLAIN);
    const hcbr_i_part_options how = {.scope = o->scope,
                                     .passes = o->passes,
                                     .seed = o->seed,
                                     .given_order = o->given_order != 0,
                                     .emphases = emphases,
                                     .progress = o->progress,
                                     .progress_context = o->progress_context};
    hcbr_cases *less = NULL;
    void *part = NULL;
    bool *drop = hcbr_i_alloc_zero(hcbr_i_dict_count(cases->dict), sizeof *drop);
    double *support = hcbr_i_alloc_zero(cases->labels.count, sizeof *support), lead;
    hcbr_status st = drop && support ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_drop_dull(drop, cases, train, trained, share, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_without(&less, cases, drop, err);
    if (st == HCBR_OK && (st = engine->part_create(&part, less, train, trained, &how)) != HCBR_OK)
        st = st == HCBR_ECANCELLED ? hcbr_i_fail(err, st, "stopped on request")
             : st == HCBR_ENOMEM   ? hcbr_i_no_memory(err)
                                   : hcbr_i_fail(err, st, "a held-out part cannot be used");
    for (uint32_t k = 0; st == HCBR_OK && k < tested; k++)
        *right +=
            engine->part_decide(part, test[k], support, &lead) == (hcbr_label)cases->label[test[k]];
    engine->part_free(part);
    hcbr_cases_free(less);
    hcbr_i_free(drop);
    hcbr_i_free(support);
    return st;
}

static hcbr_status choose(double *share, const hcbr_cases *cases, const hcbr_train_options *o,
                          const hcbr_i_emphases *emphases, hcbr_error *err) {
    uint32_t n = cases->case_count, trained, tested;
    uint64_t right[CHOICES] = {0};
    hcbr_i_folds folds;
    hcbr_i_fold_options how = {.folds = FOLDS,
                               .seed = o->seed,
                               .by_group = cases->group != NULL,
                               .together = true,
                               .fewer = true};
    *share = 1;
    hcbr_status st = hcbr_i_folds_make(&folds, cases, &how, err);
    if (st != HCBR_OK)
        return st == HCBR_EDATA ? HCBR_OK : st; // nothing can be held out
    uint32_t *train = hcbr_i_alloc(n, sizeof *train), *test = hcbr_i_alloc(n, sizeof *test);
    st = train && test ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t f = 0; st == HCBR_OK && f < folds.count; f++) {
        hcbr_i_folds_split(&folds, f, train, &trained, test, &tested);
        for (int k = 0; st == HCBR_OK && k < CHOICES; k++)
            st = try_share(&right[k], cases, train, trained, test, tested, SHARES[k], o, emphases,
                           err);
    }
    uint64_t best = 0;
    for (int k = 0; k < CHOICES; k++)
        if (right[k] >= best) {
            best = right[k];
            *share = SHARES[k];
        }
    hcbr_i_free(train);
    hcbr_i_free(test);
    hcbr_i_folds_clear(&folds);
    return st;
}

hcbr_status hcbr_i_model_prune(hcbr_cases **out, const hcbr_cases *cases,
                               const hcbr_train_options *o, const hcbr_i_emphases *emphases,
                               hcbr_error *err) {
    uint32_t features = hcbr_i_dict_count(cases->dict), left = 0;
    double share = o->prune;
    bool *drop = hcbr_i_alloc_zero(features, sizeof *drop);
    hcbr_status st = drop ? HCBR_OK : hcbr_i_no_memory(err);
    *out = NULL;
    if (st == HCBR_OK && share == HCBR_PRUNE_CHOOSE)
        st = choose(&share, cases, o, emphases, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_drop_dull(drop, cases, NULL, cases->case_count, share, err);
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++)
        left += !drop[f];
    if (st == HCBR_OK)
        st = hcbr_i_cases_without(out, cases, drop, err);
    if (st == HCBR_OK && o->prune == HCBR_PRUNE_CHOOSE)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_NOTE, NULL, 0, 0,
                      "%u of %u features stay: with more or fewer no more held-out cases are right",
                      left, features);
    hcbr_i_free(drop);
    return st;
}
