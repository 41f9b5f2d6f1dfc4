/*
 * Cases with exactly the same features: held-out cases that are also in training are answered by
 * memory as much as by judgement, and a reader of the figures must know their number.
 *
 * Sets are found by a hash that does not depend on the order of the features, and compared feature
 * by feature if the hash matches: the result is certain. For separate numbers, sets count as equal
 * if 128 bits of their values' hash are.
 */
#include "evaluate/evaluate.h"

#define WATCH 16384u /* features between two progress calls */

/* Whether the features of case x are among those marked with `mark`. Both cases have the same
 * number. */
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

/* A case whose set is searched. */
typedef struct wanted_set {
    uint32_t x;
    uint32_t *marks; /* by feature: case that has it, + 1 */
    bool *marked;    /* those of x are marked: only if a hash is equal */
} wanted_set;

static bool same_set(const void *owner, uint32_t first, const void *wanted) {
    const struct hcbr_cases *cases = owner;
    const wanted_set *w = wanted;
    if (cases->start[first + 1] - cases->start[first] !=
        cases->start[w->x + 1] - cases->start[w->x])
        return false;
    if (!*w->marked)
        mark_case(cases, w->x, w->marks);
    *w->marked = true;
    return all_marked(cases, first, w->marks, w->x + 1);
}

static bool same_hash(const void *owner, uint32_t first, const void *wanted) {
    return memcmp(((const uint64_t(*)[2])owner)[first], wanted, 2 * sizeof(uint64_t)) == 0;
}

/* The same for a list with separate numbers. */
static hcbr_status number_apart(uint32_t *same, const struct hcbr_cases *cases,
                                const hcbr_i_watch *watch, hcbr_error *err) {
    const uint32_t n = cases->case_count;
    uint32_t numbers = 0;
    hcbr_i_hash_table table = {0};
    uint64_t(*hash)[2] = hcbr_i_alloc(n, sizeof *hash);
    hcbr_status st = hash && hcbr_i_hash_table_reserve(&table, n) ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_hash(hash, cases, watch, err);
    for (uint32_t x = 0; st == HCBR_OK && x < n; x++) {
        const uint64_t mixed = hcbr_i_mix(hash[x][0]);
        uint32_t first = hcbr_i_hash_table_find(&table, mixed, same_hash, hash, hash[x]);
        same[x] = first != HCBR_I_HASH_NONE ? same[first] : numbers++;
        if (first == HCBR_I_HASH_NONE)
            (void)hcbr_i_hash_table_add(&table, mixed, x); // there is room
    }
    hcbr_i_hash_table_clear(&table);
    hcbr_i_free(hash);
    return st;
}

hcbr_status hcbr_i_copies_number(uint32_t *same, const struct hcbr_cases *cases,
                                 const hcbr_i_watch *watch, hcbr_error *err) {
    if (cases->apart)
        return number_apart(same, cases, watch, err);
    uint32_t n = cases->case_count, numbers = 0;
    hcbr_i_hash_table table = {0}; /* of the first case with each set */
    uint32_t *marks = hcbr_i_alloc_zero(hcbr_i_dict_count(cases->dict), sizeof *marks);
    hcbr_i_hash_key key = hcbr_i_hash_key_make(0);
    hcbr_status st =
        marks && hcbr_i_hash_table_reserve(&table, n) ? HCBR_OK : hcbr_i_no_memory(err);
    uint64_t asked = 0; /* features at the last progress call */
    for (uint32_t x = 0; st == HCBR_OK && x < n; x++) {
        if (cases->start[x] - asked >= WATCH) {
            asked = cases->start[x];
            if ((st = hcbr_i_watch_ask(watch, err)) != HCBR_OK)
                break;
        }
        uint64_t hash = set_hash(cases, x, &key);
        bool marked = false;
        uint32_t first =
            hcbr_i_hash_table_find(&table, hash, same_set, cases, &(wanted_set){x, marks, &marked});
        same[x] = first != HCBR_I_HASH_NONE ? same[first] : numbers++;
        if (first == HCBR_I_HASH_NONE)
            (void)hcbr_i_hash_table_add(&table, hash, x); // there is room
    }
    hcbr_i_hash_table_clear(&table);
    hcbr_i_free(marks);
    return st;
}
