/*
 * The memory rule (METHOD 3): the majority label of past cases identical to a new one.
 *
 * Past cases are grouped by their set of features once; of each group only the majority label is
 * kept.
 */
#include "decide/decide.h"

#include <stdlib.h>

/* The group, label and weight of a past case (sums of weights are exact). */
typedef struct vote {
    uint64_t of;
    double weight;
} vote;

struct hcbr_i_memory {
    uint64_t *start; /* past case i has features[start[i] ..), ascending */
    uint32_t *features;
    uint64_t (*values)[2];    /* by case: the identity of its values that are not features */
    hcbr_i_hash_table groups; /* by their sets */
    uint32_t *first;          /* by group: its first case */
    hcbr_label *majority;     /* by group */
    uint32_t group_count;
    hcbr_i_hash_key key;
};

static int compare_votes(const void *a, const void *b) {
    return hcbr_i_order_u64(((const vote *)a)->of, ((const vote *)b)->of);
}

static uint64_t set_hash(const hcbr_i_memory *m, const uint32_t *features, size_t count,
                         const uint64_t values[2]) {
    uint64_t h = m->key.a ^ count ^ values[0];
    for (size_t n = 0; n < count; n++)
        h = hcbr_i_fold(h ^ features[n], m->key.b) + m->key.c;
    return h;
}

/* A sorted set of features that is looked for. */
typedef struct wanted_set {
    const uint32_t *features;
    size_t count;
    const uint64_t *values;
} wanted_set;

static bool same_set(const void *memory, uint32_t group, const void *wanted) {
    const hcbr_i_memory *m = memory;
    const wanted_set *w = wanted;
    uint32_t x = m->first[group];
    return m->values[x][0] == w->values[0] && m->values[x][1] == w->values[1] &&
           m->start[x + 1] - m->start[x] == w->count &&
           (w->count == 0 ||
            memcmp(m->features + m->start[x], w->features, w->count * sizeof *w->features) == 0);
}

static uint32_t group_find(const hcbr_i_memory *m, const uint32_t *features, size_t count,
                           const uint64_t values[2], uint64_t hash) {
    return hcbr_i_hash_table_find(&m->groups, hash, same_set, m,
                                  &(wanted_set){features, count, values});
}

/* The label that weighs most in a run of one group, HCBR_LABEL_UNKNOWN on a tie. */
static hcbr_label run_majority(const vote *votes, size_t count) {
    hcbr_label best = HCBR_LABEL_UNKNOWN;
    double most = 0;
    for (size_t n = 0, end; n < count; n = end) {
        double sum = 0;
        for (end = n; end < count && votes[end].of == votes[n].of; end++)
            sum += votes[end].weight;
        if (sum == most)
            best = HCBR_LABEL_UNKNOWN;
        else if (sum > most) {
            most = sum;
            best = (hcbr_label)(uint32_t)votes[n].of;
        }
    }
    return best;
}

/* Group the past cases: a vote of each case that is not empty. */
static size_t group_cases(hcbr_i_memory *m, const hcbr_model *model, vote *votes) {
    const double *weight = hcbr_i_model_past(model).weight;
    size_t vote_count = 0;
    for (uint32_t i = 0; i < model->case_count; i++) {
        uint32_t *features = m->features + m->start[i];
        size_t count = (size_t)(m->start[i + 1] - m->start[i]);
        if (!count && !m->values[i][0] && !m->values[i][1])
            continue;
        if (count)
            qsort(features, count, sizeof *features, hcbr_i_compare_u32);
        uint64_t hash = set_hash(m, features, count, m->values[i]);
        uint32_t group = group_find(m, features, count, m->values[i], hash);
        if (group == HCBR_I_HASH_NONE) {
            group = m->group_count++;
            m->first[group] = i;
            (void)hcbr_i_hash_table_add(&m->groups, hash, group); // there is room
        }
        votes[vote_count++] =
            (vote){(uint64_t)group << 32 | model->kept_label[i], weight ? weight[i] : 1};
    }
    return vote_count;
}

/* The features of all past cases. */
static bool list_cases(hcbr_i_memory *m, const hcbr_i_past *past, size_t cases) {
    m->start = hcbr_i_alloc(cases + 1, sizeof *m->start);
    m->values = hcbr_i_alloc_zero(cases, sizeof *m->values);
    if (!m->start || !m->values)
        return false;
    for (size_t i = 0; past->numbers && i < cases; i++)
        past->numbers(past->state, i, m->values[i]);
    m->start[0] = 0;
    for (size_t i = 0; i < cases; i++)
        m->start[i + 1] = m->start[i] + past->size(past->state, i);
    m->features = hcbr_i_alloc((size_t)m->start[cases], sizeof *m->features);
    bool ok = m->features;
    for (size_t i = 0; ok && i < cases; i++)
        ok = past->list(past->state, i, m->features + m->start[i]);
    return ok;
}

hcbr_status hcbr_i_memory_create(hcbr_i_memory **out, const hcbr_model *model, hcbr_error *err) {
    *out = NULL;
    if (model->keep == HCBR_KEEP_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "the memory rule needs the past cases, but the model keeps none: "
                           "train it with option keep_cases anonymous or full");
    const hcbr_i_frame frame = hcbr_i_model_frame(model);
    size_t cases = (size_t)model->case_count;
    hcbr_i_memory *m = hcbr_i_alloc_zero(1, sizeof *m);
    vote *votes = hcbr_i_alloc(cases, sizeof *votes);
    if (m) {
        m->key = hcbr_i_hash_key_make(0);
        m->first = hcbr_i_alloc(cases, sizeof *m->first);
        m->majority = hcbr_i_alloc(cases, sizeof *m->majority);
    }
    if (!m || !votes || !m->first || !m->majority || !list_cases(m, &frame.past, cases) ||
        !hcbr_i_hash_table_reserve(&m->groups, cases)) {
        hcbr_i_free(votes);
        hcbr_i_memory_free(m);
        return hcbr_i_no_memory(err);
    }
    size_t count = group_cases(m, model, votes);
    qsort(votes, count, sizeof *votes, compare_votes);
    for (size_t n = 0, end; n < count; n = end) {
        for (end = n; end < count && votes[end].of >> 32 == votes[n].of >> 32;)
            end++;
        m->majority[votes[n].of >> 32] = run_majority(votes + n, end - n);
    }
    hcbr_i_free(votes);
    *out = m;
    return HCBR_OK;
}

void hcbr_i_memory_free(hcbr_i_memory *m) {
    if (!m)
        return;
    hcbr_i_free(m->start);
    hcbr_i_free(m->features);
    hcbr_i_free(m->values);
    hcbr_i_hash_table_clear(&m->groups);
    hcbr_i_free(m->first);
    hcbr_i_free(m->majority);
    hcbr_i_free(m);
}

hcbr_label hcbr_i_memory_find(const hcbr_i_memory *m, hcbr_i_feature_id *features, size_t count,
                              const uint64_t values[2]) {
    if (count)
        qsort(features, count, sizeof *features, hcbr_i_compare_u32);
    uint32_t group = group_find(m, features, count, values, set_hash(m, features, count, values));
    return group != HCBR_I_HASH_NONE ? m->majority[group] : HCBR_LABEL_UNKNOWN;
}
