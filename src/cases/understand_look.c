/*
 * Facts about the columns of a list: the number of different rows with each feature, and cheap
 * facts about the numbers of each key. Invariant: nothing here depends on the order of the cases
 * except which numbers come first while they are few.
 */
#include "cases/dict.h"
#include "cases/understand.h"

#include <math.h>

#define WHOLE 1e15 /* whole numbers that are looked at */

void hcbr_i_judge_clear(hcbr_i_judge *j) {
    hcbr_i_free(j->keys);
    hcbr_i_free(j->numbers);
    hcbr_i_free(j->few);
    hcbr_i_free(j->tally);
    hcbr_i_free(j->key_of);
    hcbr_i_free(j->count);
    hcbr_i_free(j->sign);
    hcbr_i_free(j->order);
    hcbr_i_free(j->start);
    hcbr_i_free(j->sorted);
    hcbr_i_free(j->copy);
}

bool hcbr_i_judge_init(hcbr_i_judge *j, const hcbr_cases *cases) {
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    *j = (hcbr_i_judge){.cases = cases,
                        .keys = hcbr_i_alloc_zero(keys, sizeof *j->keys),
                        .numbers = hcbr_i_alloc_zero(keys, sizeof *j->numbers),
                        .few = hcbr_i_alloc(keys, sizeof *j->few),
                        .tally = hcbr_i_alloc_zero(keys, sizeof *j->tally),
                        .key_of = hcbr_i_alloc(features, sizeof *j->key_of),
                        .count = hcbr_i_alloc_zero(features, sizeof *j->count),
                        .sign = hcbr_i_alloc(features, sizeof *j->sign),
                        .order = hcbr_i_alloc(features, sizeof *j->order),
                        .start = hcbr_i_alloc_zero((size_t)keys + 2, sizeof *j->start),
                        .sorted = hcbr_i_alloc(keys, sizeof *j->sorted),
                        .copy = hcbr_i_alloc(cases->case_count, sizeof *j->copy),
                        .key_count = keys,
                        .feature_count = features};
    return j->copy && j->keys && j->numbers && j->few && j->tally && j->key_of && j->count &&
           j->sign && j->order && j->start && j->sorted;
}

/* Count one of the first different numbers. */
static void meet_few(hcbr_i_number_facts *x, hcbr_i_few_facts *few, double value) {
    unsigned n = 0;
    while (n < x->few_count && few->value[n] != value)
        n++;
    if (n == x->few_count) {
        few->value[x->few_count++] = value;
        few->count[n] = 0;
    }
    few->count[n]++;
}

/* A number of a key that has shown no decimal point yet. */
static inline void meet_whole(hcbr_i_number_facts *x, hcbr_i_few_facts *few, double value,
                              uint8_t spelling) {
    if (HCBR_I_UNLIKELY(x->few_count <= HCBR_I_FEW))
        meet_few(x, few, value);
    if (HCBR_I_LIKELY(spelling == HCBR_I_SPELLED_SHORTEST && fabs(value) < WHOLE &&
                      (double)(int64_t)value == value))
        return;
    x->broken = true;
    x->pointed = hcbr_i_number_is_pointed(value, spelling);
}

static void meet_again(hcbr_i_judge *j, hcbr_i_key_id key) {
    j->keys[key].several = true;
}

/* The numbers of case i. */
static void look_at_numbers(hcbr_i_judge *j, uint32_t i) {
    const hcbr_i_numbers *n = &j->cases->numbers;
    hcbr_i_number_facts *facts = j->numbers;
    hcbr_i_few_facts *few = j->few;
    const uint8_t *spelling = n->spelling;
    const uint32_t *key = n->key;
    const double *value = n->value;
    for (uint64_t at = n->start[i], end = n->start[i + 1]; at < end; at++) {
        hcbr_i_number_facts *x = &facts[key[at]];
        const double number = value[at];
        if (HCBR_I_UNLIKELY(x->last == i + 1))
            meet_again(j, key[at]);
        x->last = i + 1;
        x->count++;
        x->least = number < x->least ? number : x->least;
        x->most = number > x->most ? number : x->most;
        if (!x->pointed)
            meet_whole(x, &few[key[at]], number, spelling ? spelling[at] : HCBR_I_SPELLED_SHORTEST);
    }
}

/* Facts about the features. */
static bool look_at_features(hcbr_i_judge *j) {
    const uint32_t count = j->feature_count;
    const hcbr_i_dict *dict = j->cases->dict;
    uint32_t *key_of = j->key_of, *start = j->start;
    hcbr_i_key_facts *keys = j->keys;
    uint64_t *sign = j->sign;
    for (uint32_t f = 0; f < count; f++) {
        const hcbr_i_dict_feature x = hcbr_i_dict_look(dict, f);
        if (HCBR_I_UNLIKELY(f % HCBR_I_JUDGE_ASKS == 0) && !hcbr_i_judge_asks(j))
            return false;
        key_of[f] = x.key;
        start[x.key + 2]++;
        if (x.value) {
            keys[x.key].words = true;
            keys[x.key].bytes += x.value_length;
            sign[f] = hcbr_i_value_sign(x.value, x.value_length);
        } else {
            keys[x.key].left = true;
            sign[f] = 0;
        }
    }
    return true;
}

/* Count the values of each key. */
static bool look_at_cases(hcbr_i_judge *j) {
    const hcbr_cases *c = j->cases;
    const uint32_t *key_of = j->key_of, *features = c->features;
    hcbr_i_number_facts *facts = j->numbers;
    uint32_t *count = j->count;
    uint64_t asked = 0; /* values at the last progress call */
    for (uint32_t k = 0; k < j->key_count; k++)
        facts[k] = (hcbr_i_number_facts){.least = INFINITY, .most = -INFINITY};
    for (uint32_t i = 0; i < c->case_count; i++) {
        const uint64_t met = c->start[i] + (c->numbers.start ? c->numbers.start[i] : 0);
        if (HCBR_I_UNLIKELY(met - asked >= HCBR_I_JUDGE_ASKS)) {
            asked = met;
            if (!hcbr_i_judge_asks(j))
                return false;
        }
        if (j->copy[i])
            continue;
        for (uint64_t at = c->start[i], end = c->start[i + 1]; at < end; at++) {
            const uint32_t f = features[at];
            uint32_t *last = &facts[key_of[f]].last;
            count[f]++;
            if (HCBR_I_UNLIKELY(*last == i + 1))
                meet_again(j, key_of[f]);
            *last = i + 1;
        }
        if (c->numbers.start)
            look_at_numbers(j, i);
    }
    for (uint32_t k = 0; k < j->key_count; k++)
        j->keys[k].numbers = facts[k].count;
    return true;
}

/* Features by key. */
static void sort_features(hcbr_i_judge *j) {
    for (uint32_t k = 0; k < j->key_count; k++)
        j->start[k + 2] += j->start[k + 1];
    const uint32_t features = j->feature_count, *key_of = j->key_of, *count = j->count;
    uint32_t *order = j->order, *start = j->start + 1;
    hcbr_i_key_facts *keys = j->keys;
    for (uint32_t f = 0; f < features; f++) {
        hcbr_i_key_facts *key = &keys[key_of[f]];
        order[start[key_of[f]]++] = f;
        key->different += count[f] > 0;
        key->others += count[f];
    }
}

hcbr_status hcbr_i_judge_look(hcbr_i_judge *j) {
    hcbr_status st = hcbr_i_cases_find_copies(j->copy, &j->rows, j->cases, false, j->err);
    if (st == HCBR_OK && (!look_at_features(j) || !look_at_cases(j)))
        st = j->stopped;
    if (st == HCBR_OK)
        sort_features(j);
    return st;
}
