/*
 * A model of a part of a base, which decides other cases of it: partition, strengths and training
 * see the cases of the part alone. Features and labels are translated to those of the part and
 * back, so nothing is looked up by name.
 */
#include "plain/plain_part.h"

typedef struct part_model {
    const struct hcbr_cases *base;
    struct hcbr_cases *cases; /* of the part */
    hcbr_i_feature_id *known; /* by feature of the base */
    uint32_t *label;          /* by label of the part: that of the base */
    hcbr_i_atoms atoms;
    hcbr_i_projections projections;
    hcbr_i_strength strength;
    hcbr_i_gather gather;
    uint64_t *errors;
    uint32_t *units;      /* by feature of the base; NULL: each counts 1 */
    hcbr_i_atom_id *list; /* atoms of the current case, each with a weight */
    double *weights;
} part_model;

void hcbr_i_plain_part_free(void *part) {
    part_model *p = part;
    if (!p)
        return;
    hcbr_cases_free(p->cases);
    hcbr_i_free(p->known);
    hcbr_i_free(p->label);
    hcbr_i_atoms_clear(&p->atoms);
    hcbr_i_projections_clear(&p->projections);
    hcbr_i_strength_clear(&p->strength);
    hcbr_i_gather_clear(&p->gather);
    hcbr_i_free(p->errors);
    hcbr_i_free(p->units);
    hcbr_i_free(p->list);
    hcbr_i_free(p->weights);
    hcbr_i_free(p);
}

static size_t longest_case(const struct hcbr_cases *cases) {
    uint64_t longest = 0;
    for (uint32_t i = 0; i < cases->case_count; i++)
        if (cases->start[i + 1] - cases->start[i] > longest)
            longest = cases->start[i + 1] - cases->start[i];
    return (size_t)longest;
}

/* Units of the features of the base, and of the atoms of the part. */
static hcbr_status weigh(part_model *p, const hcbr_i_emphases *emphases) {
    uint32_t *units = NULL;
    uint64_t sum;
    hcbr_status st = hcbr_i_emphases_by_feature(&p->units, &sum, emphases, p->base->dict, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_emphases_by_feature(&units, &sum, emphases, p->cases->dict, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_atoms_weigh(&p->atoms, units, sum, NULL);
    hcbr_i_free(units);
    return st;
}

static hcbr_status build(part_model *p, const uint32_t *cases, uint32_t count,
                         const hcbr_i_part_options *o) {
    const hcbr_i_watch watch = {o->progress, o->progress_context, "part", 0, 1};
    const hcbr_i_means means = {.threads = 1, .watch = &watch};
    hcbr_i_partition_options partition = {.threads = 1,
                                          .in_place = true,
                                          .progress = o->progress,
                                          .progress_context = o->progress_context};
    hcbr_i_train_options passes = {.passes = o->passes,
                                   .seed = o->seed,
                                   .given_order = o->given_order,
                                   .progress = o->progress,
                                   .progress_context = o->progress_context};
    size_t longest = longest_case(p->base);
    p->known = hcbr_i_alloc(hcbr_i_dict_count(p->base->dict), sizeof *p->known);
    p->label = hcbr_i_alloc(p->base->labels.count, sizeof *p->label);
    p->errors = hcbr_i_alloc_zero(o->passes, sizeof *p->errors);
    p->list = hcbr_i_alloc(longest, sizeof *p->list);
    p->weights = hcbr_i_alloc(longest, sizeof *p->weights);
    if (!p->known || !p->label || !p->errors || !p->list || !p->weights)
        return HCBR_ENOMEM;
    hcbr_status st =
        hcbr_i_cases_subset(&p->cases, p->base, cases, count, p->known, p->label, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_partition_build(&p->atoms, &p->projections, p->cases, &partition, NULL);
    if (st == HCBR_OK && o->emphases)
        st = weigh(p, o->emphases);
    if (st == HCBR_OK)
        st = hcbr_i_strength_build(&p->strength, p->cases, &p->atoms, &p->projections, o->scope,
                                   &means, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_train_run(&p->strength, &p->atoms, &p->projections, p->cases->label, &passes,
                              p->errors, NULL);
    if (st == HCBR_OK)
        st = hcbr_i_gather_init(&p->gather, &p->strength, NULL);
    return st;
}

hcbr_status hcbr_i_plain_part_create(void **out, const struct hcbr_cases *base,
                                     const uint32_t *cases, uint32_t count,
                                     const hcbr_i_part_options *options) {
    part_model *p = *out = hcbr_i_alloc_zero(1, sizeof *p);
    if (!p)
        return HCBR_ENOMEM;
    p->base = base;
    hcbr_status st = build(p, cases, count, options);
    if (st != HCBR_OK) {
        hcbr_i_plain_part_free(p);
        *out = NULL;
    }
    return st;
}

/* Two labels: sums in the order of the case's features, as the decider has them. */
static uint32_t decide_pair(part_model *p, size_t known, double size, double *lead) {
    double mu = 0, magnitude = 0, sigma = 0;
    for (size_t n = 0; n < known; n++) {
        mu += p->weights[n] * p->strength.mu[p->list[n]];
        magnitude += p->weights[n] * fabs(p->strength.mu[p->list[n]]);
        sigma += p->weights[n] * p->strength.sigma[p->list[n]];
    }
    p->gather.support[0] = (sigma - mu) / 2 / size;
    p->gather.support[1] = (sigma + mu) / 2 / size;
    const uint32_t winner = mu > HCBR_I_TIE * magnitude;
    if (p->strength.total[!winner] > 0)
        *lead = (winner ? mu : 0 - mu) / size;
    else
        *lead = p->gather.support[winner];
    return winner;
}

static uint32_t decide_many(part_model *p, size_t known, double size, double *lead) {
    const double *support = p->gather.support;
    double best = 0;
    bool any = false;
    for (size_t n = 0; n < known; n++)
        p->weights[n] /= size;
    hcbr_i_strength_gather(&p->strength, &p->gather, p->list, p->weights, known);
    const uint32_t winner =
        hcbr_i_strength_decide(&p->strength, &p->gather, p->list, p->weights, known);
    for (uint32_t l = 0; l < p->gather.label_count; l++)
        if (l != winner && p->strength.total[l] > 0 && (!any || support[l] > best)) {
            best = support[l];
            any = true;
        }
    *lead = support[winner] - best;
    return winner;
}

hcbr_label hcbr_i_plain_part_decide(void *part, uint32_t i, double *support, double *lead) {
    part_model *p = part;
    const uint64_t *start = p->base->start;
    double size = 0;
    size_t known = 0;
    for (uint64_t j = start[i]; j < start[i + 1]; j++) {
        hcbr_i_feature_id f = p->known[p->base->features[j]];
        const double units = p->units ? p->units[p->base->features[j]] : 1;
        size += units;
        if (f != HCBR_I_NONE) {
            p->weights[known] = units;
            p->list[known++] = p->atoms.of[f];
        }
    }
    if (!known)
        return HCBR_LABEL_UNKNOWN;
    const uint32_t winner =
        p->strength.mu ? decide_pair(p, known, size, lead) : decide_many(p, known, size, lead);
    for (uint32_t l = 0; l < p->gather.label_count; l++)
        support[p->label[l]] = p->gather.support[l];
    return (hcbr_label)p->label[winner];
}
