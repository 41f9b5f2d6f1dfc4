/*
 * Models fresh from training: they pass the check a loader makes, their file is that of the same
 * model loaded, and the fingerprint is the one docs/FORMAT.md defines.
 */
#include "add_case.h"
#include "unit/model/model_sample.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

enum { MOST = 12 };

/** A random case base: bit f of features[i] says that case i has feature f. */
typedef struct base {
    uint32_t cases, features, labels;
    uint32_t has[MOST], label[MOST];
} base;

static uint64_t draw(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(*state);
}

static base base_draw(uint64_t *random) {
    base b = {.cases = 1 + (uint32_t)(draw(random) % MOST),
              .features = (uint32_t)(draw(random) % MOST),
              .labels = 1 + (uint32_t)(draw(random) % 4)};
    for (uint32_t i = 0; i < b.cases; i++) {
        b.has[i] = (uint32_t)(draw(random) & draw(random)) & ((1u << b.features) - 1);
        b.label[i] = (uint32_t)(draw(random) % b.labels);
    }
    return b;
}

/** Text of feature f: short and long, bare and with a value, keys shared by some. */
static hcbr_feature feature_text(uint32_t f, char text[64]) {
    const int key = snprintf(text, 32, f % 3 == 0 ? "key %u that is a long one" : "k%u", f / 2);
    const int value = snprintf(text + 32, 32, "%u", f);
    return f % 4 == 1 ? (hcbr_feature){text, (size_t)key, NULL, 0}
                      : (hcbr_feature){text, (size_t)key, text + 32, (size_t)value};
}

static hcbr_cases *base_cases(const base *b, bool ids) {
    static const char *const names[] = {"10", "9", "x y", "-1"};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < b->cases; i++) {
        char text[MOST][64], id[16];
        hcbr_feature features[MOST];
        size_t count = 0;
        for (uint32_t f = 0; f < b->features; f++)
            if (b->has[i] >> f & 1)
                features[count++] = feature_text(f, text[f]);
        snprintf(id, sizeof id, "c%u", i);
        assert_int_equal(add_one_case(cases, features, count, names[b->label[i]],
                                      ids && i % 2 ? id : NULL, NULL),
                         HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

static hcbr_model *train(hcbr_cases *cases, uint64_t *random, hcbr_keep keep) {
    hcbr_train_options options;
    hcbr_model *model;
    hcbr_error err;
    hcbr_train_options_init(&options);
    options.model = HCBR_MODEL_PLAIN;
    options.keep = keep;
    options.passes = (uint32_t)(draw(random) % 4);
    options.scope = draw(random) % 2 ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    options.seed = draw(random);
    options.given_order = draw(random) % 2;
    options.threads = 1 + (uint32_t)(draw(random) % 3);
    assert_int_equal(hcbr_model_train(&model, cases, &options, &err), HCBR_OK);
    return model;
}

static void trained_model__is_valid_and_the_same_when_loaded(void **state) {
    (void)state;
    const uint64_t seed = 4711;
    uint64_t random = seed;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 1500; round++) {
        base b = base_draw(&random);
        hcbr_cases *cases = base_cases(&b, round % 2);
        hcbr_model *model = train(cases, &random, (hcbr_keep)(draw(&random) % 3)), *loaded;
        void *bytes, *again;
        size_t size, again_size;
        hcbr_error err = {.message = ""};
        hcbr_cases_free(cases);
        if (hcbr_i_model_validate(model, true, &err) != HCBR_OK)
            fail_msg("round %d: %s", round, err.message);
        assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
        if (hcbr_model_parse(&loaded, bytes, size, &err) != HCBR_OK)
            fail_msg("round %d: %s", round, err.message);
        assert_int_equal(hcbr_model_serialize(loaded, &again, &again_size, NULL), HCBR_OK);
        assert_int_equal(size, again_size);
        assert_memory_equal(bytes, again, size);
        assert_int_equal(hcbr_i_dict_key_count(model->dict), hcbr_i_dict_key_count(loaded->dict));
        for (uint32_t f = 0; f < b.features; f++) {
            char text[64];
            const hcbr_feature feature = feature_text(f, text);
            assert_int_equal(hcbr_model_find_feature(model, &feature),
                             hcbr_model_find_feature(loaded, &feature));
        }
        hcbr_bytes_free(bytes);
        hcbr_bytes_free(again);
        hcbr_model_free(model);
        hcbr_model_free(loaded);
    }
}

/** Does a case have the feature? */
static bool is_used(const base *b, uint32_t f) {
    for (uint32_t i = 0; i < b->cases; i++)
        if (b->has[i] >> f & 1)
            return true;
    return false;
}

/** Have all features with its key that a case has a number as value? */
static bool is_of_numbers(const base *b, uint32_t f) {
    char text[64], other[64];
    const hcbr_feature x = feature_text(f, text);
    for (uint32_t g = 0; g < b->features; g++) {
        const hcbr_feature y = feature_text(g, other);
        if (is_used(b, g) && y.key_length == x.key_length &&
            memcmp(x.key, y.key, x.key_length) == 0 && !y.value)
            return false;
    }
    return true;
}

/** The fingerprint as section 4 of docs/FORMAT.md says, from the case base itself. */
static void fingerprint_of(const base *b, const hcbr_model *model, char out[33]) {
    unsigned char bytes[1024];
    uint64_t low = 0, high = 0;
    size_t at = 32;
    for (uint32_t f = 0; f < b->features; f++) {
        char text[64];
        const hcbr_feature x = feature_text(f, text);
        if (!is_used(b, f))
            continue;
        size_t size = x.key_length;
        uint64_t number = 0; // the seed, of a number
        memcpy(bytes, x.key, x.key_length);
        if (x.value) {
            bytes[size++] = 0;
            if (is_of_numbers(b, f)) {
                bytes[size++] = 0;
                number = hcbr_i_bits_of(f);
            } else {
                memcpy(bytes + size, x.value, x.value_length);
                size += x.value_length;
            }
        }
        const XXH128_hash_t h = XXH3_128bits_withSeed(bytes, size, number);
        for (uint32_t i = 0; i < b->cases; i++)
            if (b->has[i] >> f & 1) {
                low += h.low64 * hcbr_i_mix(i);
                high += h.high64 * hcbr_i_mix(i);
            }
    }
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    put_value(bytes, 8, low);
    put_value(bytes + 8, 8, high);
    put_value(bytes + 16, 8, b->cases);
    put_value(bytes + 24, 8, info.labels);
    for (hcbr_label l = 0; l < (hcbr_label)info.labels; l++) {
        size_t length;
        const char *name = hcbr_model_get_label(model, l, &length);
        put_value(bytes + at, 8, length);
        memcpy(bytes + at + 8, name, length);
        at += 8 + length;
    }
    for (uint64_t i = 0; i < b->cases; i++, at += 4) {
        hcbr_kept_case kept = {.size = sizeof kept};
        hcbr_model_get_kept(model, i, &kept);
        put_value(bytes + at, 4, (uint64_t)kept.label);
    }
    const XXH128_hash_t h = XXH3_128bits(bytes, at);
    snprintf(out, 33, "%016llx%016llx", (unsigned long long)h.high64, (unsigned long long)h.low64);
}

static void trained_model__has_the_documented_fingerprint(void **state) {
    (void)state;
    const uint64_t seed = 1234;
    uint64_t random = seed;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 200; round++) {
        base b = base_draw(&random);
        hcbr_cases *cases = base_cases(&b, false);
        hcbr_model *model = train(cases, &random, HCBR_KEEP_ANONYMOUS);
        hcbr_model_info info = {.size = sizeof info};
        char expected[33];
        hcbr_model_get_info(model, &info);
        fingerprint_of(&b, model, expected);
        assert_string_equal(info.fingerprint, expected);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
}

static void trained_model__finds_features_even_without_memory(void **state) {
    (void)state;
    base b = {.cases = 2, .features = 9, .labels = 2, .has = {0x1FF, 0x0F0}, .label = {0, 1}};
    hcbr_cases *cases = base_cases(&b, false);
    uint64_t random = 1;
    hcbr_model *model = train(cases, &random, HCBR_KEEP_FULL);
    const hcbr_feature absent = {"k1", 2, "", 0};
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, true);
    for (int ready = 0; ready < 2; ready++) {
        for (uint32_t f = 0; f < b.features; f++) {
            char text[64];
            const hcbr_feature feature = feature_text(f, text);
            uint32_t found = hcbr_model_find_feature(model, &feature);
            hcbr_feature named;
            assert_true(found < b.features);
            hcbr_model_get_feature(model, found, &named);
            assert_true(hcbr_i_feature_same(&named, &feature));
        }
        assert_int_equal(hcbr_model_find_feature(model, &absent), UINT32_MAX);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    }
    hcbr_model_free(model);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trained_model__is_valid_and_the_same_when_loaded),
        cmocka_unit_test(trained_model__has_the_documented_fingerprint),
        cmocka_unit_test(trained_model__finds_features_even_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
