/*
 * Scoring: codes of a case -> support of each family -> blended supports and probabilities.
 *
 * The support of a case is bias + sum over families of trust x support by the family; that of the
 * boosted family is the mean of its juries.
 */
#include "rich/fit/rich_math.h"
#include "rich/rich.h"

#define EMPTY_PULL                                                                                 \
    5.0 /* cases' worth: how far the shares of all labels count beside empty ones                  \
         */

struct hcbr_i_rich_scorer {
    const hcbr_i_rich *rich;
    hcbr_i_rich_row row;
    uint32_t *in_bag, stamp;
    double *parts;  /* FAMILIES x outputs */
    uint32_t *leaf; /* by voting tree */
};

hcbr_status hcbr_i_rich_scorer_create(hcbr_i_rich_scorer **out, const hcbr_i_rich *rich,
                                      hcbr_error *err) {
    hcbr_i_rich_scorer *s = hcbr_i_alloc_zero(1, sizeof *s);
    *out = NULL;
    if (!s)
        return hcbr_i_no_memory(err);
    s->rich = rich;
    s->row.codes = hcbr_i_alloc(rich->encoder.column_count, 1);
    s->in_bag = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *s->in_bag);
    s->parts = hcbr_i_alloc_zero(HCBR_I_RICH_FAMILIES, rich->outputs * sizeof *s->parts);
    s->leaf = hcbr_i_alloc(rich->votes.tree_count, sizeof *s->leaf);
    if (!s->row.codes || !s->in_bag || !s->parts || !s->leaf) {
        hcbr_i_rich_scorer_free(s);
        return hcbr_i_no_memory(err);
    }
    *out = s;
    return HCBR_OK;
}

void hcbr_i_rich_scorer_free(hcbr_i_rich_scorer *scorer) {
    if (!scorer)
        return;
    hcbr_i_rich_row_clear(&scorer->row);
    hcbr_i_free(scorer->in_bag);
    hcbr_i_free(scorer->parts);
    hcbr_i_free(scorer->leaf);
    hcbr_i_free(scorer);
}

static void score_atoms(const hcbr_i_rich_scorer *s, double *to) {
    const hcbr_i_rich_atoms *a = &s->rich->atoms;
    for (uint32_t l = 0; l < a->outputs; l++)
        to[l] = 0;
    for (uint32_t c = 0; c < a->columns; c++) {
        uint8_t entry = a->coarse[(size_t)c * HCBR_I_RICH_CODES + s->row.codes[c]];
        hcbr_i_rich_atoms_add(a, (size_t)a->place[c] + entry, 1, to);
    }
    for (uint32_t j = 0; j < s->row.bag_count; j++)
        hcbr_i_rich_atoms_add(a, (size_t)a->place[a->columns] + s->row.bag[j], 1, to);
}

/* The leaf of a tree the case ends in. */
static uint32_t leaf_of(const hcbr_i_rich_scorer *s, const hcbr_i_rich_forest *f, size_t tree) {
    return hcbr_i_rich_find_leaf(f->nodes + f->start[tree], s->row.codes,
                                 s->rich->encoder.column_count, s->in_bag, s->stamp, f->nodes);
}

/* Sum of the values of the leaves the case ends in. */
static void add_forest(const hcbr_i_rich_scorer *s, const hcbr_i_rich_forest *f, double *to) {
    for (size_t tree = 0; tree < f->tree_count; tree++) {
        uint32_t leaf = leaf_of(s, f, tree);
        for (uint32_t l = 0; l < f->outputs; l++)
            to[l] += f->values[(size_t)leaf * f->outputs + l];
    }
}

static void score_boosted(const hcbr_i_rich_scorer *s, double *to) {
    const hcbr_i_rich_boosted *b = &s->rich->boosted;
    uint32_t k = b->outputs;
    for (uint32_t l = 0; l < k; l++) {
        to[l] = 0;
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
            to[l] += b->start[(size_t)j * k + l];
    }
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        add_forest(s, &b->jury[j], to);
    for (uint32_t l = 0; l < k; l++)
        to[l] /= HCBR_I_RICH_FOLDS;
}

static void score_votes(const hcbr_i_rich_scorer *s, double *to) {
    const hcbr_i_rich_forest *f = &s->rich->votes;
    for (size_t tree = 0; tree < f->tree_count; tree++)
        s->leaf[tree] = leaf_of(s, f, tree);
    hcbr_i_rich_mean_shares(s->rich, s->leaf, 1, to);
    hcbr_i_rich_votes_support(to, s->rich->labels, to);
}

void hcbr_i_rich_of_nothing(const hcbr_i_rich *rich, const double *share, double *probability) {
    double all = EMPTY_PULL;
    for (uint32_t l = 0; rich->empty && l < rich->labels; l++)
        all += rich->empty[l];
    for (uint32_t l = 0; l < rich->labels; l++)
        probability[l] = rich->empty ? (rich->empty[l] + EMPTY_PULL * share[l]) / all : share[l];
}

void hcbr_i_rich_probabilities(const hcbr_i_rich *rich, const double *support,
                               double *probability) {
    if (rich->labels == 2) {
        probability[1] = hcbr_i_rich_logistic(support[0]);
        probability[0] = hcbr_i_rich_logistic(-support[0]);
        return;
    }
    double most = support[0], sum = 0;
    for (uint32_t l = 1; l < rich->labels; l++)
        most = fmax(most, support[l]);
    for (uint32_t l = 0; l < rich->labels; l++)
        sum += probability[l] = hcbr_i_rich_exp(support[l] - most);
    for (uint32_t l = 0; l < rich->labels; l++)
        probability[l] /= sum;
}

hcbr_i_rich_row *hcbr_i_rich_scorer_row(hcbr_i_rich_scorer *scorer) {
    return &scorer->row;
}

void hcbr_i_rich_score(hcbr_i_rich_scorer *scorer, double *support, double *probability,
                       double *parts) {
    const hcbr_i_rich *rich = scorer->rich;
    uint32_t k = rich->outputs;
    parts = parts ? parts : scorer->parts;
    if (++scorer->stamp == 0) {
        memset(scorer->in_bag, 0, rich->encoder.bag_count * sizeof *scorer->in_bag);
        scorer->stamp = 1;
    }
    for (uint32_t j = 0; j < scorer->row.bag_count; j++)
        scorer->in_bag[scorer->row.bag[j]] = scorer->stamp;
    if (rich->family[0])
        score_atoms(scorer, parts);
    if (rich->family[1])
        score_boosted(scorer, parts + k);
    if (rich->family[2])
        score_votes(scorer, parts + 2 * (size_t)k);
    for (uint32_t l = 0; l < k; l++) {
        support[l] = rich->blend.bias[l];
        for (uint32_t f = 0; f < HCBR_I_RICH_FAMILIES; f++)
            if (rich->family[f])
                support[l] += rich->blend.trust[f] * parts[f * (size_t)k + l];
    }
    hcbr_i_rich_probabilities(rich, support, probability);
}
