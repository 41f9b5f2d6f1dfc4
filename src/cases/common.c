/*
 * Values that few cases have stay out of a model (--min-cases): a copy of the list without them.
 *
 * Invariant: the list is the one that reading the data without those values gives. Cases are
 * counted without their weights, so that a value of one heavy case stays out as well.
 */
#include "cases/dict.h"

/** Counts of the values of a list. */
typedef struct tally {
    uint64_t *of_feature; /**< cases that have it */
    uint64_t *of_key;     /**< its values; of a number column a case has one */
    bool *numbers;        /**< by key: its numbers are not features */
    bool *drop;           /**< by feature */
} tally;

static void tally_clear(tally *t) {
    hcbr_i_free(t->of_feature);
    hcbr_i_free(t->of_key);
    hcbr_i_free(t->numbers);
    hcbr_i_free(t->drop);
}

static hcbr_status tally_make(tally *t, const struct hcbr_cases *cases, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    *t = (tally){.of_feature = hcbr_i_alloc_zero(features, sizeof *t->of_feature),
                 .of_key = hcbr_i_alloc_zero(keys, sizeof *t->of_key),
                 .numbers = hcbr_i_alloc_zero(keys, sizeof *t->numbers),
                 .drop = hcbr_i_alloc_zero(features, sizeof *t->drop)};
    if (!t->of_feature || !t->of_key || !t->numbers || !t->drop)
        return hcbr_i_no_memory(err);
    for (uint64_t j = 0; j < cases->start[cases->case_count]; j++) {
        t->of_feature[cases->features[j]]++;
        t->of_key[hcbr_i_dict_get(cases->dict, cases->features[j]).key]++;
    }
    return HCBR_OK;
}

static bool is_number(const hcbr_i_dict_feature *x) {
    double value;
    return x->value && hcbr_number_parse(&value, x->value, x->value_length);
}

/* Values that are not numbers. */
static hcbr_status drop_words(struct hcbr_cases **out, const struct hcbr_cases *cases,
                              uint32_t least, hcbr_error *err) {
    tally t;
    hcbr_status st = tally_make(&t, cases, err);
    for (uint32_t f = 0; st == HCBR_OK && f < hcbr_i_dict_count(cases->dict); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
        t.drop[f] = t.of_feature[f] < least && !is_number(&x);
    }
    if (st == HCBR_OK)
        st = hcbr_i_cases_without(out, cases, t.drop, err);
    tally_clear(&t);
    return st;
}

/* Drop the others, unless they are numbers of a column that enough cases have. */
static hcbr_status drop_numbers(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                uint32_t least, hcbr_i_number_keys_fn *number_keys, void *context,
                                hcbr_error *err) {
    tally t;
    hcbr_status st = tally_make(&t, cases, err);
    if (st == HCBR_OK && number_keys)
        st = number_keys(context, cases, t.numbers, err);
    for (uint32_t f = 0; st == HCBR_OK && f < hcbr_i_dict_count(cases->dict); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
        t.drop[f] = (t.numbers[x.key] && is_number(&x) ? t.of_key[x.key] : t.of_feature[f]) < least;
    }
    if (st == HCBR_OK)
        st = hcbr_i_cases_without(out, cases, t.drop, err);
    tally_clear(&t);
    return st;
}

hcbr_status hcbr_i_cases_common(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                uint32_t least, hcbr_i_number_keys_fn *number_keys, void *context,
                                hcbr_error *err) {
    struct hcbr_cases *spelled = NULL, *words = NULL;
    *out = NULL;
    hcbr_status st =
        cases->apart ? hcbr_i_cases_spell(&spelled, cases, "", NULL, NULL, err) : HCBR_OK;
    if (st == HCBR_OK)
        st = drop_words(&words, spelled ? spelled : cases, least, err);
    hcbr_cases_free(spelled);
    if (st == HCBR_OK)
        st = drop_numbers(out, words, least, number_keys, context, err);
    hcbr_cases_free(words);
    return st;
}
