/*
 * Columns of many different values, of which a part is counted: the verdict is that of all of them,
 * what is told is exact, and the order of the values does not matter.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cases/cases.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 3000, ROOM = 64 };

/* Different values with their counts. */
typedef struct column {
    char text[MOST][ROOM];
    uint32_t count[MOST];
    size_t different;
} column;

static uint64_t draw_state;
static bool listed; /* what tallies are told */

static uint64_t draw(uint64_t below) {
    return hcbr_i_mix(++draw_state) % below;
}

static const char *const shapes[] = {"text", "name", "token", "mail", "url",
                                     "word", "date", "money", "mixed"};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static void make_value(char out[ROOM], unsigned shape, unsigned i) {
    static const char *const words[] = {"red", "house", "of", "the", "Green", "7", "hill", "old"};
    const char *a = words[draw(8)], *b = words[draw(8)], *c = words[draw(8)];
    switch (shape) {
    case 0:
        snprintf(out, ROOM, "the %s %s %s %u", a, b, c, i);
        break;
    case 1:
        snprintf(out, ROOM, "X%u Smith, Mr. %s", i, a);
        break;
    case 2:
        snprintf(out, ROOM, "tt%07u", i * 7);
        break;
    case 3:
        snprintf(out, ROOM, "n%u@example.org", i);
        break;
    case 4:
        snprintf(out, ROOM, "https://example.org/%s/%u", a, i);
        break;
    case 5:
        snprintf(out, ROOM, "w%c%c%c%c", 'a' + i % 26, 'a' + i / 26 % 26, 'a' + i / 676 % 26, 'q');
        break;
    case 6:
        snprintf(out, ROOM, "20%02u-%02u-%02u", i / 336 % 100, i / 28 % 12 + 1, i % 28 + 1);
        break;
    case 7:
        snprintf(out, ROOM, "$%u.%02u", i, i % 100);
        break;
    default:
        snprintf(out, ROOM, i % 3 ? "%u kg" : "no. %u", i);
    }
}

static void make_column(column *c, unsigned shape, size_t different, unsigned most) {
    c->different = 0;
    for (unsigned i = 0; i < different; i++) {
        make_value(c->text[c->different], shape, i);
        c->count[c->different++] = 1 + (uint32_t)draw(most);
    }
    static const char *const forms[] = {"n/a", "-", "None"};
    for (unsigned i = 0; i < 3; i++) {
        snprintf(c->text[c->different], ROOM, "%s", forms[i]);
        c->count[c->different++] = i == 0 ? 200 : 1;
    }
}

static void shuffle(column *c) {
    for (size_t i = c->different; i > 1; i--) {
        const size_t j = draw(i);
        char text[ROOM];
        memcpy(text, c->text[i - 1], ROOM);
        memcpy(c->text[i - 1], c->text[j], ROOM);
        memcpy(c->text[j], text, ROOM);
        const uint32_t count = c->count[i - 1];
        c->count[i - 1] = c->count[j];
        c->count[j] = count;
    }
}

/* The verdict by a part; false: all values are needed. */
static bool judge_part(const column *c, hcbr_i_kind *out) {
    hcbr_i_dict *dict;
    hcbr_i_block block = {0};
    hcbr_i_raw_case all = {.count = c->different};
    uint32_t *ids = calloc(MOST, sizeof *ids), *count = calloc(MOST, sizeof *count), length;
    uint64_t *sign = calloc(MOST, sizeof *sign);
    hcbr_i_tally tally;
    uint64_t values = 0;
    bool enough;
    assert_int_equal(hcbr_i_dict_create(&dict, 7, NULL), HCBR_OK);
    for (size_t i = 0; i < c->different; i++)
        assert_true(hcbr_i_block_add(&block, "k", 1, c->text[i], strlen(c->text[i])));
    block.cases = &all;
    block.case_count = 1;
    assert_int_equal(hcbr_i_dict_intern(dict, &block, 0, ids, &length, NULL), HCBR_OK);
    assert_int_equal(length, c->different);
    block.cases = NULL;
    hcbr_i_block_clear(&block);
    for (size_t i = 0; i < c->different; i++) {
        count[ids[i]] = c->count[i];
        values += c->count[i];
        sign[ids[i]] = hcbr_i_value_sign(c->text[i], strlen(c->text[i]));
    }
    const hcbr_i_many many = {dict, ids, (uint32_t)c->different, values, count, sign, true};
    hcbr_i_tally_init(&tally);
    tally.listed = listed;
    assert_true(hcbr_i_many_count(&tally, &many, &enough));
    if (enough)
        hcbr_i_tally_judge(out, &tally, "k", 1, c->different);
    else
        assert_int_equal(tally.values, 0);
    assert_true(tally.listed == listed); // for what is counted next
    hcbr_i_tally_clear(&tally);
    hcbr_i_dict_release(dict);
    free(ids);
    free(count);
    free(sign);
    return enough;
}

static void judge_all(const column *c, hcbr_i_kind *out) {
    hcbr_i_tally tally;
    hcbr_i_tally_init(&tally);
    tally.listed = listed;
    for (size_t i = 0; i < c->different; i++)
        assert_true(hcbr_i_tally_add(&tally, c->text[i], strlen(c->text[i]), c->count[i]));
    hcbr_i_tally_judge(out, &tally, "k", 1, c->different);
    hcbr_i_tally_clear(&tally);
}

/* Different forms of missing, three of them, are known as far as they were kept. */
static bool is_same(const hcbr_i_kind *a, const hcbr_i_kind *b) {
    return a->kind == b->kind && a->look == b->look && a->values == b->values &&
           a->forms == b->forms && a->odd == b->odd && a->separator == b->separator &&
           a->distinct + 3 >= b->distinct && b->distinct + 3 >= a->distinct;
}

static void many__says_what_all_values_say(void **state) {
    (void)state;
    column *c = malloc(sizeof *c);
    for (unsigned shape = 0; shape < SHAPES; shape++)
        for (unsigned round = 0; round < 6; round++) {
            hcbr_i_kind part = {0}, all, again = {0};
            make_column(c, shape, 700 + 400 * round, round % 2 ? 1 : 4);
            const bool enough = judge_part(c, &part);
            if (enough != (shape < 6))
                fail_msg("%s, round %u: %d", shapes[shape], round, enough);
            judge_all(c, &all);
            if (enough && !is_same(&part, &all))
                fail_msg("%s, round %u: kind %d, of all values %d", shapes[shape], round, part.kind,
                         all.kind);
            shuffle(c);
            assert_true(judge_part(c, &again) == enough);
            assert_true(!enough || is_same(&again, &part));
        }
    free(c);
}

/* Where all that is missing is listed, the three forms are values. */
static void many__forms_may_be_values(void **state) {
    listed = true;
    many__says_what_all_values_say(state);
    column *c = malloc(sizeof *c);
    hcbr_i_kind kind;
    make_column(c, 0, 900, 1);
    snprintf(c->text[900], ROOM, "  "); // blanks are not a form
    assert_true(judge_part(c, &kind));
    assert_int_equal(kind.forms, 200);
    free(c);
    listed = false;
}

/* A few values that are most of the column are all looked at. */
static void many__frequent_values_count(void **state) {
    (void)state;
    column *c = malloc(sizeof *c);
    hcbr_i_kind kind;
    make_column(c, 0, 1000, 1);
    for (unsigned i = 0; i < 40; i++) {
        snprintf(c->text[c->different], ROOM, "$%u", i);
        c->count[c->different++] = 1000;
    }
    assert_false(judge_part(c, &kind));
    judge_all(c, &kind);
    assert_int_equal(kind.kind, HCBR_I_KIND_NUMBER);
    assert_int_equal(kind.odd, 1000);
    free(c);
}

static void many__few_values_are_all_counted(void **state) {
    (void)state;
    column *c = malloc(sizeof *c);
    hcbr_i_kind kind;
    make_column(c, 0, 189, 1); // and three forms, one of them frequent: 2 * 96
    assert_false(judge_part(c, &kind));
    make_column(c, 0, 193, 1);
    assert_true(judge_part(c, &kind));
    free(c);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(many__says_what_all_values_say),
        cmocka_unit_test(many__forms_may_be_values),
        cmocka_unit_test(many__frequent_values_count),
        cmocka_unit_test(many__few_values_are_all_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
