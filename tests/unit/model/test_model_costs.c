/*
 * Rules by a cut and by costs in the file: they come back as they were, byte for byte, and every
 * value that breaks a rule of docs/FORMAT.md is refused with its section.
 */
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <math.h>
#include <stdlib.h>

enum { CASES = 60 };

static hcbr_model *train(uint32_t labels, hcbr_model_kind kind, const hcbr_rule *rule) {
    static rich_case drawn[CASES];
    uint64_t random = 5;
    hcbr_train_options options;
    hcbr_model *model;
    rich_cases_draw(drawn, CASES, labels, &random);
    hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_train_options_init(&options);
    options.model = kind;
    options.effort = HCBR_EFFORT_LITE;
    options.keep = HCBR_KEEP_NONE;
    options.rule = rule;
    assert_int_equal(hcbr_model_train(&model, cases, &options, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

/* Where a section stands in a file. */
static size_t section_at(const unsigned char *bytes, uint32_t type, size_t *length) {
    uint32_t count = hcbr_i_u32_at(bytes + 12);
    for (uint32_t i = 0; i < count; i++) {
        const unsigned char *entry = bytes + 24 + 32 * (size_t)i;
        if (hcbr_i_u32_at(entry) != type)
            continue;
        *length = (size_t)hcbr_i_u64_at(entry + 16);
        return (size_t)hcbr_i_u64_at(entry + 8);
    }
    return 0;
}

/* Save, load, save: the same bytes. The caller releases them. */
static unsigned char *bytes_of(const hcbr_model *model, size_t *size) {
    void *bytes, *again;
    size_t again_size;
    hcbr_model *loaded;
    assert_int_equal(hcbr_model_serialize(model, &bytes, size, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_parse(&loaded, bytes, *size, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_serialize(loaded, &again, &again_size, NULL), HCBR_OK);
    assert_int_equal(*size, again_size);
    assert_memory_equal(bytes, again, *size);
    hcbr_bytes_free(again);
    hcbr_model_free(loaded);
    return bytes;
}

typedef struct wrong {
    size_t at; /* in the section */
    size_t width;
    uint64_t bits;
} wrong;

static uint64_t bits_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

/* Each wrong value by itself is refused, and the message names the section. */
static void refuse(unsigned char *bytes, size_t size, uint32_t type, const char *name,
                   const wrong *list, size_t count) {
    size_t length, at = section_at(bytes, type, &length);
    assert_true(at > 0);
    hcbr_i_model_ignore_checksums = true;
    for (size_t i = 0; i < count; i++) {
        unsigned char before[8];
        hcbr_model *model;
        hcbr_error err = {0};
        memcpy(before, bytes + at + list[i].at, list[i].width);
        for (size_t b = 0; b < list[i].width; b++)
            bytes[at + list[i].at + b] = (unsigned char)(list[i].bits >> (8 * b));
        hcbr_status st = hcbr_model_parse(&model, bytes, size, &err);
        if (st != HCBR_EFORMAT || !strstr(err.message, name))
            fail_msg("value %zu of %s: status %d, \"%s\"", i, name, st, err.message);
        memcpy(bytes + at + list[i].at, before, list[i].width);
    }
    hcbr_i_model_ignore_checksums = false;
}

static void cut__comes_back_and_is_checked(void **state) {
    (void)state;
    static const hcbr_cut cut = {0.25, 0.75};
    for (int rich = 0; rich < 2; rich++) {
        hcbr_rule rule;
        hcbr_model_info info = {.size = sizeof info};
        size_t size;
        hcbr_rule_init(&rule);
        rule.cut = &cut;
        rule.fallback = "prior"; // which no threshold contradicts
        hcbr_model *model = train(2, rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, &rule);
        unsigned char *bytes = bytes_of(model, &size);
        hcbr_model_get_info(model, &info);
        assert_true(info.has_cut && info.cut_low == 0.25 && info.cut_high == 0.75 && !info.by_cost);
        const wrong list[] = {{0, 8, bits_of(NAN)},
                              {0, 8, bits_of(-INFINITY)},
                              {8, 8, bits_of(INFINITY)},
                              {8, 8, bits_of(0.125)}};
        refuse(bytes, size, HCBR_I_CUT, "cut: thresholds", list, sizeof list / sizeof *list);
        const wrong eta[] = {{0, 8, bits_of(0.5)}, {16, 8, bits_of(0.5)}};
        refuse(bytes, size, HCBR_I_RULE, "cut: present", eta, 2);
        hcbr_bytes_free(bytes);
        hcbr_model_free(model);
    }
}

static void costs__come_back_and_are_checked(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++) {
        hcbr_rule rule;
        hcbr_model_info info = {.size = sizeof info};
        const char *name[3];
        size_t size;
        hcbr_rule_init(&rule);
        hcbr_model *model = train(labels, HCBR_MODEL_RICH, &rule);
        for (uint32_t l = 0; l < labels; l++)
            name[l] = hcbr_model_get_label(model, (hcbr_label)l, NULL);
        const hcbr_cost costs[] = {
            {name[1], name[0], 7}, {NULL, NULL, 0.25}, {name[0], name[1], 1}}; // the usual one
        rule.fallback = "prior"; // which no threshold contradicts
        rule.costs = costs;
        rule.cost_count = 3;
        hcbr_model *priced = train(labels, HCBR_MODEL_RICH, &rule);
        unsigned char *bytes = bytes_of(priced, &size);
        hcbr_model_get_info(priced, &info);
        assert_true(info.by_cost && !info.has_cut);
        assert_int_equal(info.prices, labels + 1);
        for (uint64_t i = 0; i < info.prices; i++) {
            hcbr_cost cost;
            hcbr_model_get_cost(priced, i, &cost);
            assert_true(cost.given ? strcmp(cost.truth, name[1]) == 0 &&
                                         strcmp(cost.given, name[0]) == 0 && cost.cost == 7
                                   : cost.cost == 0.25);
        }
        // 8 bytes: how many; then truths, answers and costs: (0,-1) (1,0) (1,-1) ...
        size_t n = labels + 1, given = 8 + 4 * n, cost = given + 4 * n;
        const wrong list[] = {{0, 8, n + 1},
                              {0, 8, UINT64_MAX},
                              {8, 4, labels},
                              {given, 4, labels},
                              {given, 4, 0xFFFFFFFE},
                              {given, 4, 0},     // where it is true
                              {given, 4, 1},     // no decision has lost a price
                              {given + 4, 4, 1}, // where it is true
                              {8 + 4, 4, 0},     // out of order or where it is true
                              {given + 8, 4, 0}, // twice
                              {cost, 8, bits_of(-1)},
                              {cost, 8, bits_of(NAN)},
                              {cost + 8, 8, bits_of(1)}, // need not be listed
                              {cost + 8, 8, bits_of(2e6)}};
        refuse(bytes, size, HCBR_I_COSTS, "costs: ", list, sizeof list / sizeof *list);
        const wrong eta[] = {{0, 8, bits_of(0.5)}};
        refuse(bytes, size, HCBR_I_RULE, "costs: present", eta, 1);
        hcbr_bytes_free(bytes);
        hcbr_model_free(priced);
        hcbr_model_free(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cut__comes_back_and_is_checked),
        cmocka_unit_test(costs__come_back_and_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
