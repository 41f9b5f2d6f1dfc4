/*
 * The matrices of weights of a part: a plain model of the training cases, its strengths, and w(e,x)
 * of the training cases and of the held-out ones.
 */
#include "space.h"

#include <math.h>

enum { INNER = 5 }; /* one in INNER training cases chooses a penalty */

void space_clear(space *s) {
    free(s->start);
    free(s->atom);
    free(s->weight);
    free(s->positive);
    *s = (space){0};
}

double space_mcc_of(double tp, double fp, double fn, double tn) {
    /* in this order it is exactly 1 if all are right */
    double below = sqrt((tp + fp) * (tp + fn)) * sqrt((tn + fp) * (tn + fn));
    return below > 0 ? (tp * tn - fp * fn) / below : 0;
}

double space_mcc(const space *s, const double *mu) {
    double count[2][2] = {{0}};
    for (uint32_t i = 0; i < s->case_count; i++) {
        double sum = 0, sizes = 0;
        for (uint64_t j = s->start[i]; j < s->start[i + 1]; j++) {
            double term = s->weight[j] * mu[s->atom[j]];
            sum += term;
            sizes += fabs(term);
        }
        count[s->positive[i]][sum > 0x1p-40 * sizes]++;
    }
    return space_mcc_of(count[1][1], count[0][1], count[1][0], count[0][0]);
}

double space_fitness(const space *s, const double *mu, const double *changed) {
    double square = 0;
    for (uint32_t e = 0; e < s->atom_count; e++)
        square += (changed[e] - mu[e]) * (changed[e] - mu[e]);
    return space_mcc(s, changed) - SPACE_PENALTY * square;
}

void space_part_clear(space_part *p) {
    study_lists_clear(&p->lists);
    hcbr_model_free(p->model);
    free(p->atom);
    free(p->at);
    free(p->mu);
    free(p->found);
    space_clear(&p->train);
    space_clear(&p->test);
    space_clear(&p->most);
    space_clear(&p->rest);
}

/* The cases of a list that a matrix has: all, or by their place, one in INNER or the others. */
typedef enum taking { TAKE_ALL, TAKE_MOST, TAKE_REST } taking;
static bool takes(taking which, uint64_t k) {
    return which == TAKE_ALL || (which == TAKE_REST) == (k % INNER == 0);
}

static void make_matrix(space *out, const space_part *p, uint32_t atoms, const hcbr_cases *cases,
                        const uint64_t *list, uint64_t count, taking which) {
    hcbr_case x = {.size = sizeof x};
    uint64_t entries = 0, used = 0;
    for (uint64_t k = 0; k < count; k++) {
        hcbr_cases_get(cases, list[k], &x);
        entries += takes(which, k) ? x.feature_count : 0;
    }
    *out = (space){.atom_count = atoms,
                   .start = study_alloc((size_t)count + 1, sizeof *out->start),
                   .atom = study_alloc(entries, sizeof *out->atom),
                   .weight = study_alloc(entries, sizeof *out->weight),
                   .positive = study_alloc(count, 1)};
    memset(p->at, 0xFF, atoms * sizeof *p->at); // UINT64_MAX
    for (uint64_t k = 0; k < count; k++) {
        if (!takes(which, k))
            continue;
        uint64_t begin = used;
        hcbr_cases_get(cases, list[k], &x);
        for (size_t j = 0; j < x.feature_count; j++) {
            uint32_t e = p->atom[x.features[j]];
            if (e == STUDY_NONE)
                continue;
            if (p->at[e] == UINT64_MAX || p->at[e] < begin) {
                p->at[e] = used;
                out->atom[used] = e;
                out->weight[used++] = 0;
            }
            out->weight[p->at[e]] += 1;
        }
        for (uint64_t j = begin; j < used; j++)
            out->weight[j] /= (double)x.feature_count;
        out->positive[out->case_count++] = x.label == 1;
        out->start[out->case_count] = used;
    }
}

/* The atom of each feature of all cases. */
static void find_atoms(space_part *p, const hcbr_cases *cases) {
    uint32_t features = hcbr_cases_get_info(cases).features;
    p->atom = study_alloc(features, sizeof *p->atom);
    for (uint32_t f = 0; f < features; f++) {
        hcbr_feature name;
        hcbr_cases_get_feature(cases, f, &name);
        uint32_t known = hcbr_model_find_feature(p->model, &name);
        p->atom[f] = known == UINT32_MAX ? STUDY_NONE : hcbr_model_get_atom(p->model, known);
    }
}

/* The model of the part; NULL if its cases have one label. */
static hcbr_status train(space_part *p, const study *s, const study_stop *stop, hcbr_error *err) {
    hcbr_train_options o = s->train;
    hcbr_cases *cases = NULL;
    o.consume = 1;
    o.keep = o.rule && o.rule->memory ? HCBR_KEEP_ANONYMOUS : HCBR_KEEP_NONE;
    o.threads = 1;
    o.progress = stop->ask;
    o.progress_context = stop->context;
    hcbr_status st =
        hcbr_cases_copy(&cases, s->cases, NULL, p->lists.train, p->lists.train_count, err);
    if (st == HCBR_OK && hcbr_cases_get_info(cases).labels == 2)
        st = hcbr_model_train(&p->model, cases, &o, err);
    hcbr_cases_free(cases);
    return st;
}

hcbr_status space_part_make(space_part *p, const study *s, const study_folds *folds, uint32_t index,
                            const study_stop *stop, hcbr_error *err) {
    const study_lists *l = &p->lists;
    study_lists_make(&p->lists, folds, index);
    hcbr_status st = train(p, s, stop, err);
    if (st != HCBR_OK || !p->model)
        return st;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(p->model, &info);
    find_atoms(p, s->cases);
    p->at = study_alloc(info.atoms, sizeof *p->at);
    p->mu = study_alloc(info.atoms, sizeof *p->mu);
    p->found = study_alloc(info.atoms, sizeof *p->found);
    for (uint32_t e = 0; e < info.atoms; e++)
        p->mu[e] = hcbr_model_get_atom_strength(p->model, e, 1) -
                   hcbr_model_get_atom_strength(p->model, e, 0);
    make_matrix(&p->train, p, info.atoms, s->cases, l->train, l->train_count, TAKE_ALL);
    make_matrix(&p->test, p, info.atoms, s->cases, l->test, l->test_count, TAKE_ALL);
    make_matrix(&p->most, p, info.atoms, s->cases, l->train, l->train_count, TAKE_MOST);
    make_matrix(&p->rest, p, info.atoms, s->cases, l->train, l->train_count, TAKE_REST);
    return HCBR_OK;
}
