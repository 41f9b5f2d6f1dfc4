/*
 * Cases with exactly the same features. A held-out case that is also in training is remembered
 * rather than decided, so the figures say how many there are.
 *
 * Sets are found by a hash that the order of the features does not change, and compared feature by
 * feature whenever it matches, so the result is certain.
 */
#include "evaluate/evaluate.h"

typedef struct place {
    uint64_t hash;
    uint32_t first; /* first case with the set, + 1; 0: free */
} place;

/* Are the features of case x among those marked with `mark`? Both cases have as many. */
static bool all_marked(const struct hcbr_cases *cases, uint32_t x, const uint32_t *marks,
                       uint32_t mark) {
    for (uint64_t j = cases->start[x]; j < cases->start[x + 1]; j++)
        if (marks[cases->features[j]] != mark)
            return false;
    return true;
}

static void mark_case(const struct hcbr_cases *cases, uint32_t x, uint32_t *marks) {
    for (uint64_t j = cases->start[x]; j < cases->start[x + 1]; j++)
        marks[cases->features[j]] = x + 1;
}

static uint64_t set_hash(const struct hcbr_cases *cases, uint32_t x, const hcbr_i_hash_key *key) {
    uint64_t sum = cases->start[x + 1] - cases->start[x];
    for (uint64_t j = cases->start[x]; j < cases->start[x + 1]; j++)
        sum += hcbr_i_fold(cases->features[j] ^ key->a, key->b);
    return hcbr_i_fold(sum ^ key->c, key->d);
}

hcbr_status hcbr_i_copies_number(uint32_t *same, const struct hcbr_cases *cases, hcbr_error *err) {
    uint64_t size = 16, mask;
    uint32_t n = cases->case_count, numbers = 0;
    while (size < 2 * (uint64_t)n)
        size *= 2;
    mask = size - 1;
    place *places = hcbr_i_alloc_zero((size_t)size, sizeof *places);
    uint32_t *marks = hcbr_i_alloc_zero(hcbr_i_dict_count(cases->dict), sizeof *marks);
    hcbr_i_hash_key key = hcbr_i_hash_key_make(0);
    hcbr_status st = places && marks ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t x = 0; st == HCBR_OK && x < n; x++) {
        uint64_t hash = set_hash(cases, x, &key), length = cases->start[x + 1] - cases->start[x];
        bool marked = false;
        for (uint64_t i = hash & mask;; i = (i + 1) & mask) {
            place *p = &places[i];
            if (!p->first) {
                *p = (place){hash, x + 1};
                same[x] = numbers++;
                break;
            }
            uint32_t first = p->first - 1;
            if (p->hash != hash || cases->start[first + 1] - cases->start[first] != length)
                continue;
            if (!marked)
                mark_case(cases, x, marks);
            marked = true;
            if (all_marked(cases, first, marks, x + 1)) {
                same[x] = same[first];
                break;
            }
        }
    }
    hcbr_i_free(places);
    hcbr_i_free(marks);
    return st;
}
