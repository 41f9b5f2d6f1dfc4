/*
 * The dictionary: names and numbers, one to one, in order of first appearance, whatever the length
 * of a name and wherever the border between its key and its value lies.
 */
#include "cases/cases.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A name: value NULL for a bare key. */
typedef struct name {
    const char *key, *value;
} name;

static hcbr_i_dict *make(void) {
    hcbr_i_dict *dict;
    assert_int_equal(hcbr_i_dict_create(&dict, 1, NULL), HCBR_OK);
    return dict;
}

/* Append a name to a block, as a case of its own or to the last one. */
static void put(hcbr_i_block *block, name x, bool new_case) {
    if (new_case) {
        assert_true(hcbr_i_grow(&block->cases, &block->case_capacity, block->case_count + 1,
                                sizeof *block->cases));
        block->cases[block->case_count++] = (hcbr_i_raw_case){.first = block->name_count};
    }
    assert_true(
        hcbr_i_block_add(block, x.key, strlen(x.key), x.value, x.value ? strlen(x.value) : 0));
    block->cases[block->case_count - 1].count++;
}

/* Intern one case; returns how many numbers it has. */
static uint32_t intern(hcbr_i_dict *dict, uint32_t serial, const name *names, size_t count,
                       uint32_t *out) {
    hcbr_i_block block = {0};
    uint32_t length = 0;
    hcbr_error err;
    for (size_t n = 0; n < count; n++)
        put(&block, names[n], n == 0);
    if (hcbr_i_dict_intern(dict, &block, serial, out, &length, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_i_block_clear(&block);
    return length;
}

static uint32_t find(const hcbr_i_dict *dict, const char *key, const char *value) {
    return hcbr_i_dict_find(dict, key, strlen(key), value, value ? strlen(value) : 0);
}

/* Feature `id` has this name, and the name has this number. */
static void expect_name(const hcbr_i_dict *dict, uint32_t id, name x) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, id);
    hcbr_i_text key = hcbr_i_dict_key(dict, f.key);
    assert_int_equal(key.length, strlen(x.key));
    assert_memory_equal(key.at, x.key, key.length);
    assert_int_equal(f.value == NULL, x.value == NULL);
    if (x.value) {
        assert_int_equal(f.value_length, strlen(x.value));
        assert_memory_equal(f.value, x.value, f.value_length);
    }
    assert_int_equal(find(dict, x.key, x.value), id);
}

/* Names that would be equal if key and value were joined, or that differ in one way only. */
static const name different[] = {
    {"a", "b"},
    {"a=b", "c"},
    {"a", "b=c"},
    {"a=b=c", NULL},
    {"a", NULL},
    {"a", ""},
    {"", "a"},
    {"", NULL},
    {"", ""},
    {"ab", NULL},
    {"ab", ""},
    {"\xC3\xA9", "\xC3\xA9"},
    {"12345678901234", NULL}, /* 14 bytes: the longest that are packed */
    {"12345678901234", ""},
    {"", "12345678901234"},
    {"1234567", "8901234"},
    {"12345678", "901234"},
    {"1", "2345678901234"},
    {"1234567890123", "4"},
    {"123456789012345", NULL}, /* 15 bytes: the shortest that are not */
    {"123456789012345", ""},
    {"", "123456789012345"},
    {"1234567", "89012345"},
    {"12345678", "9012345"},
    {"1", "23456789012345"},
    {"12345678901234", "5"},
    {"a key of more than sixteen bytes", "a value of more than sixteen bytes"},
    {"a key of more than sixteen bytes", "a value of more than sixteen byteS"},
    {"a key of more than sixteen byteS", "a value of more than sixteen bytes"},
    {"a key of more than sixteen bytesa", " value of more than sixteen bytes"},
    {"a key of more than sixteen bytes", NULL},
    {"a key of more than sixteen bytes", ""},
    {"a key of more than sixteen bytes=a value of more than sixteen bytes", NULL},
};
#define DIFFERENT ((uint32_t)(sizeof different / sizeof *different))

static void expect_all_different(const hcbr_i_dict *dict) {
    assert_int_equal(hcbr_i_dict_count(dict), DIFFERENT);
    for (uint32_t n = 0; n < DIFFERENT; n++)
        expect_name(dict, n, different[n]);
    assert_int_equal(find(dict, "a", "c"), HCBR_I_NONE);
    assert_int_equal(find(dict, "12345678901235", NULL), HCBR_I_NONE);
    assert_int_equal(find(dict, "a key of more than sixteen bytes", "x"), HCBR_I_NONE);
}

static void dict__tells_all_names_apart(void **state) {
    (void)state;
    hcbr_i_dict *dict = make();
    uint32_t out[DIFFERENT];
    assert_int_equal(intern(dict, 0, different, DIFFERENT, out), DIFFERENT);
    for (uint32_t n = 0; n < DIFFERENT; n++)
        assert_int_equal(out[n], n); /* by first appearance */
    expect_all_different(dict);
    assert_int_equal(intern(dict, 1, different, DIFFERENT, out), DIFFERENT);
    for (uint32_t n = 0; n < DIFFERENT; n++)
        assert_int_equal(out[n], n);
    assert_int_equal(hcbr_i_dict_count(dict), DIFFERENT);
    hcbr_i_dict_drop_tables(dict);
    assert_int_equal(hcbr_i_dict_need_tables(dict, NULL), HCBR_OK);
    expect_all_different(dict);
    hcbr_i_dict_release(dict);
}

static void dict__numbers_keys_by_first_use(void **state) {
    (void)state;
    hcbr_i_dict *dict = make();
    const name names[] = {{"b", "1"},
                          {"a", "1"},
                          {"b", "a long value of it, very long"},
                          {"a long key of a feature", NULL},
                          {"a", NULL},
                          {"c", ""}};
    const char *const keys[] = {"b", "a", "a long key of a feature", "c"};
    uint32_t out[6];
    assert_int_equal(intern(dict, 0, names, 6, out), 6);
    assert_int_equal(hcbr_i_dict_key_count(dict), 4);
    for (uint32_t k = 0; k < 4; k++) {
        hcbr_i_text key = hcbr_i_dict_key(dict, k);
        assert_int_equal(key.length, strlen(keys[k]));
        assert_memory_equal(key.at, keys[k], key.length);
        assert_int_equal(hcbr_i_dict_find_key(dict, keys[k], key.length), k);
    }
    assert_int_equal(hcbr_i_dict_find_key(dict, "d", 1), HCBR_I_NONE);
    assert_int_equal(hcbr_i_dict_find_key(dict, "", 0), HCBR_I_NONE);
    assert_true(hcbr_i_dict_longest(dict) >= 23 + 0 && hcbr_i_dict_longest(dict) >= 1 + 29);
    hcbr_i_dict_release(dict);
}

/* Within a case a name counts once; in the next case it counts again. */
static void dict__leaves_out_what_a_case_repeats(void **state) {
    (void)state;
    hcbr_i_dict *dict = make();
    const name a = {"a", NULL}, b = {"b", "1"}, l = {"a long name of a feature", "with a value"};
    const name first[] = {a, l, a, b, l, l, b, a}, second[] = {l, l, b, b};
    hcbr_i_block block = {0};
    uint32_t out[12], lengths[3];
    hcbr_error err;
    for (size_t n = 0; n < 8; n++)
        put(&block, first[n], n == 0);
    for (size_t n = 0; n < 4; n++) /* two cases of the same names in one block */
        put(&block, second[n], n == 0);
    assert_true(hcbr_i_grow(&block.cases, &block.case_capacity, 3, sizeof *block.cases));
    block.cases[block.case_count++] = (hcbr_i_raw_case){.first = block.name_count}; /* empty */
    assert_int_equal(hcbr_i_dict_intern(dict, &block, 7, out, lengths, &err), HCBR_OK);
    assert_int_equal(lengths[0], 3);
    assert_int_equal(lengths[1], 2);
    assert_int_equal(lengths[2], 0);
    const uint32_t expected[] = {0, 1, 2, 1, 2};
    assert_memory_equal(out, expected, sizeof expected);
    hcbr_i_block_clear(&block);
    assert_int_equal(intern(dict, 10, first, 8, out), 3);
    hcbr_i_dict_release(dict);
}

/* Tables and texts grow many times over; every name keeps its number. */
static void dict__holds_many_names(void **state) {
    (void)state;
    enum { CASES = 1500, EACH = 80, ALL = CASES * EACH };
    hcbr_i_dict *dict = make();
    static char key[ALL][40], value[ALL][12];
    static hcbr_i_feature_id out[EACH + 1];
    for (uint32_t i = 0; i < CASES; i++) {
        name names[EACH + 1];
        for (uint32_t n = 0; n < EACH; n++) {
            uint32_t f = i * EACH + n;
            snprintf(key[f], sizeof key[f], f % 3 ? "%u" : "a key with a long name, %u", f / 2);
            snprintf(value[f], sizeof value[f], "%u", f % 2);
            names[n] = (name){key[f], value[f]};
        }
        names[EACH] = (name){key[i], value[i]}; /* of an earlier case; of this one if it is 0 */
        assert_int_equal(intern(dict, i, names, EACH + 1, out), i ? EACH + 1 : EACH);
        assert_int_equal(i ? out[EACH] : i, i);
        assert_int_equal(out[0], i * EACH);
    }
    assert_int_equal(hcbr_i_dict_count(dict), ALL);
    for (int round = 0; round < 2; round++) {
        for (uint32_t f = 0; f < ALL; f++)
            assert_int_equal(find(dict, key[f], value[f]), f);
        assert_int_equal(find(dict, "a key with a long name, 0", "2"), HCBR_I_NONE);
        hcbr_i_dict_drop_tables(dict);
        assert_int_equal(hcbr_i_dict_need_tables(dict, NULL), HCBR_OK);
    }
    expect_name(dict, ALL - 1, (name){key[ALL - 1], value[ALL - 1]});
    hcbr_i_dict_release(dict);
}

static void dict__finds_the_names_of_a_block(void **state) {
    (void)state;
    hcbr_i_dict *dict = make();
    const name known[] = {{"a", NULL}, {"a long name of a feature", "1"}};
    const name asked[] = {{"a", ""},
                          {"a", NULL},
                          {"a long name of a feature", "2"},
                          {"a long name of a feature", "1"},
                          {"a", NULL}};
    const uint32_t expected[] = {HCBR_I_NONE, 0, HCBR_I_NONE, 1, 0};
    uint32_t out[5];
    hcbr_i_block block = {0};
    assert_int_equal(intern(dict, 0, known, 2, out), 2);
    for (size_t n = 0; n < 5; n++)
        put(&block, asked[n], n == 0);
    hcbr_i_dict_find_block(dict, &block, out);
    assert_memory_equal(out, expected, sizeof expected);
    assert_int_equal(hcbr_i_dict_count(dict), 2);
    hcbr_i_block_clear(&block);
    hcbr_i_dict_release(dict);
}

/* What is cut off is gone, text and all; the rest is as before, and new names take its numbers. */
static void dict__forgets_what_is_truncated(void **state) {
    (void)state;
    hcbr_i_dict *dict = make();
    const name first[] = {{"a", "1"}, {"the key of a long name", "1"}};
    const name second[] = {{"b", "1"},
                           {"a", "2"},
                           {"the key of a long name", "2"},
                           {"another key of long names", NULL}};
    uint32_t out[4];
    assert_int_equal(intern(dict, 0, first, 2, out), 2);
    for (int round = 0; round < 3; round++) {
        assert_int_equal(intern(dict, 1, second, 4, out), 4);
        assert_int_equal(hcbr_i_dict_key_count(dict), 4);
        hcbr_i_dict_truncate(dict, 2, 2);
        assert_int_equal(hcbr_i_dict_need_tables(dict, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_dict_count(dict), 2);
        assert_int_equal(hcbr_i_dict_key_count(dict), 2);
        for (uint32_t n = 0; n < 2; n++)
            expect_name(dict, n, first[n]);
        for (uint32_t n = 0; n < 4; n++)
            assert_int_equal(find(dict, second[n].key, second[n].value), HCBR_I_NONE);
        assert_int_equal(hcbr_i_dict_find_key(dict, "b", 1), HCBR_I_NONE);
    }
    /* a case that failed leaves no marks on known features: its number is used again */
    assert_int_equal(intern(dict, 5, first, 2, out), 2);
    hcbr_i_dict_truncate(dict, 2, 2);
    assert_int_equal(intern(dict, 5, first, 2, out), 2);
    assert_int_equal(intern(dict, 6, second, 4, out), 4);
    for (uint32_t n = 0; n < 4; n++)
        assert_int_equal(out[n], 2 + n);
    hcbr_i_dict_truncate(dict, 0, 0);
    assert_int_equal(intern(dict, 0, second, 4, out), 4);
    expect_name(dict, 3, second[3]);
    hcbr_i_dict_release(dict);
}

/* ---- loading ----------------------------------------------------------------------------------
 */

/* Names as a loader has them, collected one by one. */
typedef struct loading {
    uint32_t key_lengths[8], keys[8], value_lengths[8], key_count, feature_count;
    char key_text[200], value_text[200];
} loading;

static void load_key(loading *l, const char *key) {
    strcat(l->key_text, key);
    l->key_lengths[l->key_count++] = (uint32_t)strlen(key);
}

static void load_feature(loading *l, uint32_t key, const char *value) {
    if (value)
        strcat(l->value_text, value);
    l->keys[l->feature_count] = key;
    l->value_lengths[l->feature_count++] = value ? (uint32_t)strlen(value) : HCBR_I_NONE;
}

static hcbr_status load(const loading *l, hcbr_i_dict **dict, uint32_t *key, uint32_t *feature) {
    hcbr_i_dict_names names = {l->key_count,
                               l->feature_count,
                               l->key_lengths,
                               l->keys,
                               l->value_lengths,
                               {l->key_text, strlen(l->key_text)},
                               {l->value_text, strlen(l->value_text)}};
    *dict = make();
    assert_int_equal(hcbr_i_dict_load(*dict, &names, NULL), HCBR_OK);
    return hcbr_i_dict_build(*dict, key, feature, NULL);
}

static void dict__refuses_names_that_stand_twice(void **state) {
    (void)state;
    static const name twice[] = {{"a", NULL}, {"a", ""}, {"a", "1"}, {"a", "a value that is long"}};
    uint32_t key, id;
    hcbr_i_dict *dict;
    for (size_t n = 0; n < 4; n++) {
        loading l = {.key_count = 0};
        load_key(&l, "a");
        load_key(&l, "a key of a name that is long");
        for (size_t k = 0; k < 4; k++)
            load_feature(&l, 0, twice[k].value);
        load_feature(&l, 1, NULL);
        assert_int_equal(load(&l, &dict, &key, &id), HCBR_OK);
        assert_int_equal(key, HCBR_I_NONE);
        assert_int_equal(id, HCBR_I_NONE);
        for (uint32_t k = 0; k < 4; k++)
            expect_name(dict, k, twice[k]);
        hcbr_i_dict_release(dict);
        load_feature(&l, 0, twice[n].value);
        assert_int_equal(load(&l, &dict, &key, &id), HCBR_EFORMAT);
        assert_int_equal(key, HCBR_I_NONE);
        assert_int_equal(id, 5);
        hcbr_i_dict_release(dict);
    }
    loading l = {.key_count = 0};
    load_key(&l, "a key of a name that is long");
    load_key(&l, "b");
    load_key(&l, "a key of a name that is long");
    assert_int_equal(load(&l, &dict, &key, &id), HCBR_EFORMAT);
    assert_int_equal(key, 2);
    assert_int_equal(id, HCBR_I_NONE);
    hcbr_i_dict_release(dict);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dict__tells_all_names_apart),
        cmocka_unit_test(dict__numbers_keys_by_first_use),
        cmocka_unit_test(dict__leaves_out_what_a_case_repeats),
        cmocka_unit_test(dict__holds_many_names),
        cmocka_unit_test(dict__finds_the_names_of_a_block),
        cmocka_unit_test(dict__forgets_what_is_truncated),
        cmocka_unit_test(dict__refuses_names_that_stand_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
