/*
 * One model, byte for byte (METHOD 7): for any number of threads and any hash key, and again after
 * it was saved and loaded; decisions of a loaded model are those of the first, bit for bit.
 */
#include "add_case.h"
#include "harness.h"

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static bool long_tier;

typedef struct bytes {
    void *data;
    size_t size;
} bytes;

static bytes serialize(const hcbr_model *model) {
    bytes b = {NULL, 0};
    hcbr_error err = {0};
    harness_ok(hcbr_model_serialize(model, &b.data, &b.size, &err), &err);
    return b;
}

static void expect_equal(bytes a, bytes b) {
    assert_int_equal(a.size, b.size);
    assert_memory_equal(a.data, b.data, a.size);
}

/* ---- many cases, for work in pieces ---------------------------------------------------------- */

typedef struct crowd {
    int cases, features, labels, length;
    uint64_t seed;
} crowd;

/* Feature numbers with many rare ones; some cases are empty. */
static hcbr_cases *crowd_cases(const crowd *c, uint64_t hash_key) {
    harness_random r = {c->seed};
    hcbr_cases *cases = NULL;
    hcbr_error err = {0};
    harness_ok(hcbr_cases_create(&cases, hash_key, &err), &err);
    for (int i = 0; i < c->cases; i++) {
        char text[64][40];
        hcbr_feature features[64];
        int n = harness_below(&r, c->length);
        for (int k = 0; k < n; k++) {
            int top = 1 + harness_below(&r, c->features);
            int f = harness_below(&r, top); /* small numbers more often */
            snprintf(text[k], sizeof text[k], f % 7 ? "f%d" : "a name of more than 14 bytes %d", f);
            features[k] = (hcbr_feature){text[k], strlen(text[k]), NULL, 0};
        }
        const char *label = harness_label(0, harness_below(&r, c->labels));
        harness_ok(add_one_case(cases, features, (size_t)n, label, i % 3 ? NULL : "id", &err),
                   &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    return cases;
}

static bytes crowd_bytes(const crowd *c, uint64_t hash_key, const hcbr_train_options *options) {
    hcbr_cases *cases = crowd_cases(c, hash_key);
    hcbr_model *model = NULL;
    hcbr_error err = {0};
    harness_ok(hcbr_model_train(&model, cases, options, &err), &err);
    bytes b = serialize(model);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    return b;
}

static void model__has_the_same_bytes_for_any_threads_and_hash_key(void **state) {
    (void)state;
    static const uint32_t threads[] = {1, 2, 3, 8, 8, 3};
    const int rounds = long_tier ? 40 : 8;
    for (int k = 0; k < rounds; k++) {
        crowd c = {long_tier ? 20000 : 3000, 2500, 1 + k % 4, 30, 77 + (uint64_t)k};
        hcbr_train_options options;
        hcbr_train_options_init(&options);
        options.model = HCBR_MODEL_PLAIN;
        options.scope = k & 4 ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
        options.passes = (uint32_t)k % 3;
        options.keep = k % 3 == 0 ? HCBR_KEEP_NONE : HCBR_KEEP_FULL;
        print_message("seed %" PRIu64 "\n", c.seed);
        bytes first = crowd_bytes(&c, 1, &options);
        assert_true(first.size > 100);
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            options.threads = threads[t];
            options.consume = t % 2; /* written over the cases or apart from them: the same */
            bytes other = crowd_bytes(&c, 1000 + t * 7919, &options);
            expect_equal(first, other);
            hcbr_bytes_free(other.data);
        }
        bytes drawn = crowd_bytes(&c, 0, &options); /* a key from the system */
        expect_equal(first, drawn);
        hcbr_bytes_free(drawn.data);
        hcbr_bytes_free(first.data);
    }
}

static void small_models__have_the_same_bytes_for_any_threads_and_hash_key(void **state) {
    (void)state;
    harness_random r = {harness_seed(31)};
    for (int k = 0; k < (long_tier ? 3000 : 200); k++) {
        static oracle_base base;
        harness_draw(&base, &r, (harness_shape){60, 200, 4, false});
        harness_style style = {harness_below(&r, HARNESS_NAMES), 0, harness_next(&r) | 1, 1};
        hcbr_train_options options;
        hcbr_train_options_init(&options);
        options.model = HCBR_MODEL_PLAIN;
        options.passes = (uint32_t)harness_below(&r, 3);
        options.scope = harness_below(&r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
        hcbr_model *one = harness_train(&base, &style, &options);
        style.hash_key = harness_next(&r) | 1;
        options.threads = 2 + (uint32_t)harness_below(&r, 3);
        options.consume = (int)harness_below(&r, 2);
        hcbr_model *two = harness_train(&base, &style, &options);
        bytes a = serialize(one), b = serialize(two);
        expect_equal(a, b);
        hcbr_bytes_free(a.data);
        hcbr_bytes_free(b.data);
        hcbr_model_free(one);
        hcbr_model_free(two);
    }
}

/* The seed of training must reach the model, or the tests above would compare too little. */
static void model__differs_with_seed_and_scope(void **state) {
    (void)state;
    crowd c = {2000, 300, 2, 20, 5};
    hcbr_train_options options;
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    bytes one = crowd_bytes(&c, 1, &options);
    options.seed = 2;
    bytes two = crowd_bytes(&c, 1, &options);
    options.scope = HCBR_SCOPE_ALL;
    bytes all = crowd_bytes(&c, 1, &options);
    assert_true(one.size != two.size || memcmp(one.data, two.data, one.size) != 0);
    assert_true(all.size != two.size || memcmp(all.data, two.data, all.size) != 0);
    hcbr_bytes_free(one.data);
    hcbr_bytes_free(two.data);
    hcbr_bytes_free(all.data);
}

/* ---- save and load -------------------------------------------------------------------------- */

static void expect_same_decisions(const hcbr_model *a, const hcbr_model *b, harness_random *r,
                                  const harness_style *style, int labels) {
    hcbr_decider *da = harness_decider(a, NULL), *db = harness_decider(b, NULL);
    for (int n = 0; n < 20; n++) {
        uint64_t set = harness_next(r) & harness_next(r);
        hcbr_decision x = harness_decide(da, style, set, n % 3);
        hcbr_decision y = harness_decide(db, style, set, n % 3);
        assert_int_equal(x.label, y.label);
        assert_int_equal(x.winner, y.winner);
        assert_int_equal(x.reason, y.reason);
        assert_int_equal(x.known_count, y.known_count);
        assert_int_equal(x.unseen_count, y.unseen_count);
        assert_memory_equal(x.support, y.support, (size_t)labels * sizeof(double));
    }
    hcbr_decider_free(da);
    hcbr_decider_free(db);
}

static void loaded_model__is_the_same_bit_for_bit(void **state) {
    (void)state;
    harness_random r = {harness_seed(32)};
    char folder[256], path[300];
    const char *temporary = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/hcbr-test-XXXXXX", temporary ? temporary : "/tmp");
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/model", folder);
    for (int k = 0; k < (long_tier ? 3000 : 200); k++) {
        static oracle_base base;
        hcbr_error err = {0};
        hcbr_train_options options;
        hcbr_model *loaded = NULL, *parsed = NULL;
        harness_draw(&base, &r, (harness_shape){60, 200, 4, false});
        harness_style style = {harness_below(&r, HARNESS_NAMES), harness_below(&r, HARNESS_LABELS),
                               harness_next(&r) | 1, harness_next(&r) | 1};
        hcbr_threshold threshold = {harness_label(style.labels, 0), .25, .75, "prior"};
        hcbr_train_options_init(&options);
        options.model = HCBR_MODEL_PLAIN;
        options.passes = (uint32_t)harness_below(&r, 4);
        options.scope = harness_below(&r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
        options.given_order = harness_below(&r, 2);
        options.seed = harness_next(&r);
        options.keep = (hcbr_keep)harness_below(&r, 3);
        hcbr_rule rule;
        hcbr_rule_init(&rule);
        options.rule = &rule;
        rule.memory = options.keep != HCBR_KEEP_NONE && harness_below(&r, 2);
        rule.thresholds = &threshold;
        rule.threshold_count = (size_t)harness_below(&r, 2);
        hcbr_model *model = harness_train(&base, &style, &options);
        bytes first = serialize(model);
        harness_ok(hcbr_model_save(model, path, &err), &err);
        harness_ok(hcbr_model_load(&loaded, path, &err), &err);
        harness_ok(hcbr_model_parse(&parsed, first.data, first.size, &err), &err);
        bytes second = serialize(loaded), third = serialize(parsed);
        expect_equal(first, second);
        expect_equal(first, third);
        expect_same_decisions(model, loaded, &r, &style, base.labels);
        expect_same_decisions(model, parsed, &r, &style, base.labels);
        hcbr_bytes_free(first.data);
        hcbr_bytes_free(second.data);
        hcbr_bytes_free(third.data);
        hcbr_model_free(model);
        hcbr_model_free(loaded);
        hcbr_model_free(parsed);
    }
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* nothing temporary was left behind */
}

/* ---- loading without cases ------------------------------------------------------------------ */

/* Flip a bit of a file anywhere: it is refused, with the cases and without. */
static void expect_damage_is_seen(const char *path, size_t size, harness_random *r) {
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    long at = (long)(harness_next(r) % size);
    for (int back = 0; back < 2; back++) {
        hcbr_model *model = NULL;
        hcbr_error err = {0};
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        int byte = fgetc(file);
        assert_int_equal(fseek(file, at, SEEK_SET), 0);
        assert_int_equal(fputc(byte ^ 16, file), byte ^ 16);
        assert_int_equal(fflush(file), 0);
        assert_int_equal(hcbr_model_load_without_cases(&model, path, &err),
                         back ? HCBR_OK : HCBR_EFORMAT);
        assert_true((model != NULL) == (back == 1));
        hcbr_model_free(model);
    }
    fclose(file);
}

/* It is the model that had been trained to keep no cases, and decides as the whole one. */
static void model_without_cases__is_one_that_keeps_none(void **state) {
    (void)state;
    harness_random r = {harness_seed(33)};
    char path[256];
    const char *temporary = getenv("TMPDIR");
    int without = 0, whole = 0;
    snprintf(path, sizeof path, "%s/hcbr-test-XXXXXX", temporary ? temporary : "/tmp");
    int made = mkstemp(path);
    assert_true(made >= 0);
    close(made);
    for (int k = 0; k < (long_tier ? 600 : 40); k++) {
        static oracle_base base;
        static double weight[1000];
        hcbr_error err = {0};
        hcbr_train_options options;
        hcbr_rule rule;
        hcbr_model *loaded = NULL;
        harness_draw(&base, &r, (harness_shape){60, 200, 4, false});
        harness_style style = {harness_below(&r, HARNESS_NAMES), harness_below(&r, HARNESS_LABELS),
                               harness_next(&r) | 1, harness_next(&r) | 1};
        hcbr_train_options_init(&options);
        hcbr_rule_init(&rule);
        options.model = k % 5 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
        options.effort = k % 2 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE;
        options.keep = (hcbr_keep)harness_below(&r, 3);
        options.rule = &rule;
        for (int i = 0; i < 1000; i++)
            weight[i] = 1 + harness_below(&r, 5);
        options.weight = options.model == HCBR_MODEL_RICH && k % 3 == 0 ? weight : NULL;
        rule.memory = options.keep != HCBR_KEEP_NONE && harness_below(&r, 4) == 0;
        hcbr_model *model = harness_train(&base, &style, &options);
        bytes all = serialize(model);
        harness_ok(hcbr_model_save(model, path, &err), &err);
        harness_ok(hcbr_model_load_without_cases(&loaded, path, &err), &err);
        expect_same_decisions(model, loaded, &r, &style, base.labels);
        expect_damage_is_seen(path, all.size, &r);
        bytes found = serialize(loaded);
        if (options.model == HCBR_MODEL_RICH && !rule.memory && all.size >= 1024) {
            options.keep = HCBR_KEEP_NONE;
            hcbr_model *bare = harness_train(&base, &style, &options);
            bytes expected = serialize(bare);
            expect_equal(expected, found);
            hcbr_bytes_free(expected.data);
            hcbr_model_free(bare);
            without += all.size > found.size;
        } else {
            expect_equal(all, found);
            whole++;
        }
        hcbr_bytes_free(found.data);
        hcbr_bytes_free(all.data);
        hcbr_model_free(loaded);
        hcbr_model_free(model);
    }
    assert_true(without > 5 && whole > 5);
    assert_int_equal(unlink(path), 0);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model__has_the_same_bytes_for_any_threads_and_hash_key),
        cmocka_unit_test(small_models__have_the_same_bytes_for_any_threads_and_hash_key),
        cmocka_unit_test(model__differs_with_seed_and_scope),
        cmocka_unit_test(loaded_model__is_the_same_bit_for_bit),
        cmocka_unit_test(model_without_cases__is_one_that_keeps_none),
    };
    long_tier = harness_long(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
