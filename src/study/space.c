/*
 * A part of the cases as a matrix of weights: a plain model of the training cases, its strengths,
 * and w(e,x) of the cases it was built from and of those held out.
 */
#include "study/space.h"

#include <math.h>

enum { INNER = 5 }; /* one in so many training cases chooses a penalty */

void hcbr_i_space_clear(hcbr_i_space *space) {
    hcbr_i_free(space->start);
    hcbr_i_free(space->atom);
    hcbr_i_free(space->weight);
    hcbr_i_free(space->positive);
    *space = (hcbr_i_space){0};
}

double hcbr_i_space_mcc_of(double tp, double fp, double fn, double tn) {
    /* in this order it is exactly 1 if all is right */
    double below = sqrt((tp + fp) * (tp + fn)) * sqrt((tn + fp) * (tn + fn));
    return below > 0 ? (tp * tn - fp * fn) / below : 0;
}

double hcbr_i_space_mcc(const hcbr_i_space *space, const double *mu) {
    double count[2][2] = {{0}};
    for (uint32_t i = 0; i < space->case_count; i++) {
        double sum = 0, sizes = 0;
        for (uint64_t j = space->start[i]; j < space->start[i + 1]; j++) {
            double term = space->weight[j] * mu[space->atom[j]];
            sum += term;
            sizes += fabs(term);
        }
        count[space->positive[i]][sum > 0x1p-40 * sizes]++;
    }
    return hcbr_i_space_mcc_of(count[1][1], count[0][1], count[1][0], count[0][0]);
}

double hcbr_i_space_fitness(const hcbr_i_space *space, const double *mu, const double *changed) {
    double square = 0;
    for (uint32_t e = 0; e < space->atom_count; e++)
        square += (changed[e] - mu[e]) * (changed[e] - mu[e]);
    return hcbr_i_space_mcc(space, changed) - HCBR_I_SPACE_PENALTY * square;
}

void hcbr_i_space_part_clear(hcbr_i_space_part *p) {
    hcbr_i_study_lists_clear(&p->lists);
    hcbr_model_free(p->model);
    hcbr_cases_free(p->cases);
    hcbr_i_free(p->known);
    hcbr_i_free(p->atom);
    hcbr_i_free(p->back);
    hcbr_i_free(p->at);
    hcbr_i_free(p->mu);
    hcbr_i_free(p->found);
    hcbr_i_space_clear(&p->train);
    hcbr_i_space_clear(&p->test);
    hcbr_i_space_clear(&p->most);
    hcbr_i_space_clear(&p->rest);
}

/* Which of a list of cases a matrix takes: all, or by their place, one in INNER or the others. */
typedef enum taking { TAKE_ALL, TAKE_MOST, TAKE_REST } taking;
static bool takes(taking which, uint32_t k) {
    return which == TAKE_ALL || (which == TAKE_REST) == (k % INNER == 0);
}

static hcbr_status make_matrix(hcbr_i_space *out, const hcbr_i_space_part *p, uint32_t atoms,
                               const struct hcbr_cases *cases, const uint32_t *list, uint32_t count,
                               taking which, hcbr_error *err) {
    uint64_t entries = 0, used = 0;
    for (uint32_t k = 0; k < count; k++)
        entries += takes(which, k) ? cases->start[list[k] + 1] - cases->start[list[k]] : 0;
    *out = (hcbr_i_space){.atom_count = atoms,
                          .start = hcbr_i_alloc_zero((size_t)count + 1, sizeof *out->start),
                          .atom = hcbr_i_alloc(entries, sizeof *out->atom),
                          .weight = hcbr_i_alloc(entries, sizeof *out->weight),
                          .positive = hcbr_i_alloc(count, 1)};
    if (!out->start || !out->atom || !out->weight || !out->positive)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < atoms; e++)
        p->at[e] = HCBR_I_NONE;
    for (uint32_t k = 0; k < count; k++) {
        if (!takes(which, k))
            continue;
        uint64_t first = cases->start[list[k]], last = cases->start[list[k] + 1], begin = used;
        for (uint64_t j = first; j < last; j++) {
            uint32_t e = p->atom[cases->features[j]];
            if (e == HCBR_I_NONE)
                continue;
            if (p->at[e] == HCBR_I_NONE || p->at[e] < begin || out->atom[p->at[e]] != e) {
                p->at[e] = (uint32_t)used;
                out->atom[used] = e;
                out->weight[used++] = 0;
            }
            out->weight[p->at[e]] += 1;
        }
        for (uint64_t j = begin; j < used; j++)
            out->weight[j] /= (double)(last - first);
        out->positive[out->case_count++] = cases->label[list[k]] == 1;
        out->start[out->case_count] = used;
    }
    return HCBR_OK;
}

/* The model of the part, its strengths, and the atom of each feature of all cases. */
static hcbr_status fit(hcbr_i_space_part *p, const hcbr_i_study_job *job,
                       const hcbr_i_asked_stop *stop, hcbr_error *err) {
    const struct hcbr_cases *cases = job->cases;
    uint32_t features = hcbr_i_dict_count(cases->dict);
    hcbr_train_options o = job->train;
    o.consume = 0;
    o.progress = stop->ask;
    o.progress_context = stop->context;
    p->known = hcbr_i_alloc(features, sizeof *p->known);
    p->atom = hcbr_i_alloc(features, sizeof *p->atom);
    p->back = hcbr_i_alloc(cases->labels.count, sizeof *p->back);
    if (!p->known || !p->atom || !p->back)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_cases_subset(&p->cases, cases, p->lists.train, p->lists.train_count,
                                         p->known, p->back, err);
    if (st != HCBR_OK || p->cases->labels.count < 2)
        return st;
    if ((st = hcbr_model_train(&p->model, p->cases, &o, err)) != HCBR_OK)
        return st;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(p->model, &info);
    for (uint32_t f = 0; f < features; f++) {
        uint32_t known = HCBR_I_NONE;
        if (p->known[f] != HCBR_I_NONE) {
            hcbr_feature name;
            hcbr_cases_get_feature(cases, f, &name);
            known = hcbr_model_find_feature(p->model, &name);
        }
        p->atom[f] = known == HCBR_I_NONE ? HCBR_I_NONE : hcbr_model_get_atom(p->model, known);
    }
    p->at = hcbr_i_alloc(info.atoms, sizeof *p->at);
    p->mu = hcbr_i_alloc(info.atoms, sizeof *p->mu);
    p->found = hcbr_i_alloc(info.atoms, sizeof *p->found);
    if (!p->at || !p->mu || !p->found)
        return hcbr_i_no_memory(err);
    for (uint32_t e = 0; e < info.atoms; e++)
        p->mu[e] = hcbr_model_get_atom_strength(p->model, e, 1) -
                   hcbr_model_get_atom_strength(p->model, e, 0);
    const hcbr_i_study_lists *l = &p->lists;
    st = make_matrix(&p->train, p, info.atoms, cases, l->train, l->train_count, TAKE_ALL, err);
    if (st == HCBR_OK)
        st = make_matrix(&p->test, p, info.atoms, cases, l->test, l->test_count, TAKE_ALL, err);
    if (st == HCBR_OK)
        st = make_matrix(&p->most, p, info.atoms, cases, l->train, l->train_count, TAKE_MOST, err);
    if (st == HCBR_OK)
        st = make_matrix(&p->rest, p, info.atoms, cases, l->train, l->train_count, TAKE_REST, err);
    return st;
}

hcbr_status hcbr_i_space_part_make(hcbr_i_space_part *p, const hcbr_i_study_job *job,
                                   const hcbr_i_study_folds *folds, uint32_t index,
                                   const hcbr_i_asked_stop *stop, hcbr_error *err) {
    hcbr_status st = hcbr_i_study_lists_make(&p->lists, folds, index, err);
    return st == HCBR_OK ? fit(p, job, stop, err) : st;
}
