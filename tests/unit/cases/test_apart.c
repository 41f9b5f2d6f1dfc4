/*
 * Numbers apart from names: setting them apart and spelling them again gives the same cases, and
 * equal numbers of a key of numbers are one feature.
 */
#include "add_case.h"
#include "cases/cases.h"

#include <hcbr/cases.h>
#include <hcbr/number.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { CASES = 60, MOST = 8, TEXT = 40 };

/* Groups of texts that are one number; then words. */
static const char *const NUMBERS[][4] = {{"1", "1.0", "1e0", "+1"},
                                         {"-2.5", "-2.50", "-25e-1", "-2.5"},
                                         {"12345678901234567890", "12345678901234567890.0",
                                          "1234567890123456789e1", "12345678901234567890"},
                                         {"12345678901234567891", "12345678901234567891",
                                          "12345678901234567891.00", "12345678901234567891"},
                                         {"0.1", ".1", "1e-1", "0.100"},
                                         {"0", "-0", "0.0", "0e5"},
                                         {"1e300", "10e299", "1e+300", "1e300"}};
static const char *const WORDS[] = {"007", "a", "", "-01", "nan", "1,5", "00.5", "1e999"};
enum { GROUPS = sizeof NUMBERS / sizeof *NUMBERS, WORD_COUNT = sizeof WORDS / sizeof *WORDS };

static uint64_t draw(uint64_t *state) {
    return hcbr_i_mix(++*state);
}

/* Keys `n..` have numbers alone, keys `m..` words as well. */
static hcbr_cases *make(uint64_t seed) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    cases->formed = cases->as_read = true; // spelled, each spelling a feature
    for (uint32_t i = 0; i < CASES; i++) {
        hcbr_feature list[MOST];
        char keys[MOST][4];
        size_t count = (size_t)(draw(&seed) % MOST);
        for (size_t f = 0; f < count; f++) {
            bool mixed = draw(&seed) % 2;
            snprintf(keys[f], sizeof keys[f], "%c%d", mixed ? 'm' : 'n', (int)(draw(&seed) % 3));
            const char *value = mixed && draw(&seed) % 3 == 0
                                    ? WORDS[draw(&seed) % WORD_COUNT]
                                    : NUMBERS[draw(&seed) % GROUPS][draw(&seed) % 4];
            bool bare = mixed && draw(&seed) % 9 == 0;
            list[f] = (hcbr_feature){keys[f], 2, bare ? NULL : value, bare ? 0 : strlen(value)};
        }
        char id[16];
        snprintf(id, sizeof id, "c%u", i);
        assert_int_equal(add_one_case(cases, list, count, i % 2 ? "yes" : "no", id, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

static int by_text(const void *a, const void *b) {
    return strcmp(a, b);
}

/* The values of a case as sorted texts, those of keys `n` with their canonical text if asked for.
 * Returns how many are different. */
static size_t list(const hcbr_cases *c, uint32_t i, bool canonical, char (*out)[TEXT]) {
    size_t n = 0, kept = 0;
    char room[HCBR_NUMBER_SIZE], text[TEXT + HCBR_NUMBER_SIZE];
    for (uint64_t j = c->start[i]; j < c->start[i + 1]; j++) {
        hcbr_i_dict_feature f = hcbr_i_dict_get(c->dict, c->features[j]);
        hcbr_i_text key = hcbr_i_dict_key(c->dict, f.key);
        size_t length = f.value_length;
        if (f.value && canonical && key.at[0] == 'n')
            length = hcbr_i_decimal_canonical(text, f.value, f.value_length);
        else if (f.value)
            memcpy(text, f.value, length);
        snprintf(out[n++], TEXT, "%.*s%c%.*s", (int)key.length, key.at, f.value ? '=' : '!',
                 f.value ? (int)length : 0, text);
    }
    const hcbr_i_numbers *numbers = &c->numbers;
    for (uint64_t j = numbers->start ? numbers->start[i] : 0;
         numbers->start && j < numbers->start[i + 1]; j++) {
        hcbr_i_text key = hcbr_i_dict_key(c->dict, numbers->key[j]);
        hcbr_i_text value = hcbr_i_numbers_text(numbers, j, room);
        size_t length = value.length;
        if (canonical && key.at[0] == 'n')
            length = hcbr_i_decimal_canonical(text, value.at, value.length);
        else
            memcpy(text, value.at, length);
        snprintf(out[n++], TEXT, "%.*s=%.*s", (int)key.length, key.at, (int)length, text);
    }
    qsort(out, n, sizeof *out, by_text);
    for (size_t k = 0; k < n; k++)
        if (kept == 0 || strcmp(out[kept - 1], out[k]) != 0)
            memmove(out[kept++], out[k], TEXT);
    return kept;
}

static void assert_same_cases(const hcbr_cases *a, const hcbr_cases *b, bool canonical) {
    assert_int_equal(a->case_count, b->case_count);
    assert_int_equal(a->empty_count, b->empty_count);
    assert_memory_equal(a->label, b->label, a->case_count * sizeof *a->label);
    assert_int_equal(a->id_bytes, b->id_bytes);
    assert_memory_equal(a->ids, b->ids, a->id_bytes);
    for (uint32_t i = 0; i < a->case_count; i++) {
        char x[MOST][TEXT], y[MOST][TEXT];
        size_t n = list(a, i, canonical, x);
        assert_int_equal(list(b, i, canonical, y), n);
        for (size_t k = 0; k < n; k++)
            assert_string_equal(x[k], y[k]);
    }
}

static uint64_t number_count(const hcbr_cases *c) {
    return c->numbers.start ? c->numbers.start[c->case_count] : 0;
}

static void apart__has_no_number_among_its_features(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        hcbr_cases *cases = make(seed), *apart;
        assert_int_equal(hcbr_i_cases_set_apart(&apart, cases, NULL), HCBR_OK);
        assert_true(apart->apart);
        double value;
        uint8_t spelling;
        for (uint32_t f = 0; f < hcbr_i_dict_count(apart->dict); f++) {
            hcbr_i_dict_feature x = hcbr_i_dict_get(apart->dict, f);
            assert_false(x.value &&
                         hcbr_i_decimal_read(&value, &spelling, x.value, x.value_length));
        }
        assert_same_cases(cases, apart, false);
        assert_int_equal(hcbr_i_dict_key_count(apart->dict), hcbr_i_dict_key_count(cases->dict));
        hcbr_cases_free(apart);
        hcbr_cases_free(cases);
    }
}

/* No case has a feature twice; a feature that was a number comes behind those of lower keys. */
static void assert_in_order(const hcbr_cases *spelled, const hcbr_cases *apart) {
    for (uint32_t i = 0; i < spelled->case_count; i++) {
        const uint64_t words = apart->start[i + 1] - apart->start[i];
        hcbr_i_text before = {NULL, 0};
        for (uint64_t j = spelled->start[i]; j < spelled->start[i + 1]; j++) {
            for (uint64_t k = spelled->start[i]; k < j; k++)
                assert_int_not_equal(spelled->features[k], spelled->features[j]);
            if (j - spelled->start[i] < words)
                continue;
            hcbr_i_text key = hcbr_i_dict_key(
                spelled->dict, hcbr_i_dict_get(spelled->dict, spelled->features[j]).key);
            uint32_t now = hcbr_i_dict_find_key(apart->dict, key.at, key.length);
            assert_true(!before.at ||
                        hcbr_i_dict_find_key(apart->dict, before.at, before.length) <= now);
            before = key;
        }
    }
}

/* In keys of numbers alone there are as many features as different numbers. */
static void spelled__makes_equal_numbers_one(void **state) {
    (void)state;
    for (uint64_t seed = 1; seed < 20; seed++) {
        hcbr_cases *cases = make(seed), *apart, *spelled;
        bool met[3][GROUPS] = {{false}};
        size_t different = 0, found = 0;
        for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
            hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
            hcbr_i_text key = hcbr_i_dict_key(cases->dict, x.key);
            for (size_t g = 0; key.at[0] == 'n' && g < GROUPS; g++)
                for (size_t k = 0; k < 4; k++)
                    if (strlen(NUMBERS[g][k]) == x.value_length &&
                        memcmp(NUMBERS[g][k], x.value, x.value_length) == 0 &&
                        !met[key.at[1] - '0'][g]) {
                        met[key.at[1] - '0'][g] = true;
                        different++;
                    }
        }
        assert_int_equal(hcbr_i_cases_set_apart(&apart, cases, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_cases_spell(&spelled, apart, "", NULL, NULL, NULL), HCBR_OK);
        for (uint32_t f = 0; f < hcbr_i_dict_count(spelled->dict); f++)
            found +=
                hcbr_i_dict_key(spelled->dict, hcbr_i_dict_get(spelled->dict, f).key).at[0] == 'n';
        assert_int_equal(found, different);
        assert_false(spelled->apart);
        assert_int_equal(number_count(spelled), 0);
        assert_same_cases(cases, spelled, true);
        assert_same_cases(apart, spelled, true);
        hcbr_i_key_id key_twice;
        hcbr_i_feature_id feature_twice;
        assert_int_equal(hcbr_i_dict_build(spelled->dict, &key_twice, &feature_twice, NULL),
                         HCBR_OK);
        assert_int_equal(hcbr_i_dict_need_tables(apart->dict, NULL), HCBR_OK);
        assert_in_order(spelled, apart);
        hcbr_cases_free(spelled);
        hcbr_cases_free(apart);
        hcbr_cases_free(cases);
    }
}

/* Thousands of numbers, each met twice: their table grows in steps of any size and loses none. */
static void spelled__finds_numbers_again_after_growth(void **state) {
    enum { DIFFERENT = 3000 };
    (void)state;
    const size_t usual = hcbr_i_spell_moved;
    for (size_t moved = 1; moved < 2000; moved = moved * 5 + 2) {
        hcbr_cases *cases, *apart, *spelled;
        assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
        cases->formed = cases->as_read = true; // as in make()
        for (int i = 0; i < 2 * DIFFERENT; i++) {
            char text[16];
            snprintf(text, sizeof text, "%d", i % DIFFERENT);
            hcbr_feature feature = {"n", 1, text, strlen(text)};
            assert_int_equal(add_one_case(cases, &feature, 1, i % 2 ? "a" : "b", NULL, NULL),
                             HCBR_OK);
        }
        assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_cases_set_apart(&apart, cases, NULL), HCBR_OK);
        hcbr_i_spell_moved = moved;
        assert_int_equal(hcbr_i_cases_spell(&spelled, apart, "", NULL, NULL, NULL), HCBR_OK);
        hcbr_i_spell_moved = usual;
        assert_int_equal(hcbr_i_dict_count(spelled->dict), DIFFERENT);
        assert_same_cases(cases, spelled, true);
        hcbr_cases_free(spelled);
        hcbr_cases_free(apart);
        hcbr_cases_free(cases);
    }
}

/* An hcbr_progress_fn: counts, and stops as context says. */
typedef struct told {
    uint64_t count, last;
    int answer;
} told;

static int tell(void *context, const char *stage, uint64_t done, uint64_t total) {
    told *t = context;
    assert_string_equal(stage, "numbers");
    assert_true(done <= total && done >= t->last);
    t->last = done;
    t->count++;
    return t->answer;
}

static void spelled__tells_and_stops(void **state) {
    (void)state;
    hcbr_cases *cases = make(1), *apart, *spelled;
    assert_int_equal(hcbr_i_cases_set_apart(&apart, cases, NULL), HCBR_OK);
    for (int answer = 0; answer < 2; answer++) {
        told t = {.answer = answer};
        hcbr_error err = {0};
        assert_int_equal(hcbr_i_cases_spell(&spelled, apart, "numbers", tell, &t, &err),
                         answer ? HCBR_ECANCELLED : HCBR_OK);
        assert_true(t.count > 0);
        assert_true((spelled == NULL) == (answer != 0));
        hcbr_cases_free(spelled);
    }
    hcbr_cases_free(apart);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(apart__has_no_number_among_its_features),
        cmocka_unit_test(spelled__makes_equal_numbers_one),
        cmocka_unit_test(spelled__finds_numbers_again_after_growth),
        cmocka_unit_test(spelled__tells_and_stops),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
