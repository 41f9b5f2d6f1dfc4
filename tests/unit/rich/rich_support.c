/* Random case bases for the tests of the rich model, and what is asserted of the models. */
#include "unit/rich/rich_support.h"
#include "add_case.h"
#include "engines.h"

#include <stdio.h>
#include <stdlib.h>

uint64_t rich_draw(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(*state);
}

void rich_cases_draw(rich_case *out, uint32_t count, uint32_t labels, uint64_t *random) {
    for (uint32_t i = 0; i < count; i++) {
        rich_case *c = &out[i];
        c->x = (double)(rich_draw(random) % 400) / 4;
        c->y = (double)(rich_draw(random) % 7);
        c->has_y = rich_draw(random) % 3 != 0;
        c->colour = (uint32_t)(rich_draw(random) % 4);
        c->words = (uint32_t)(rich_draw(random) & rich_draw(random)) & 31;
        uint32_t truth = (c->x > 37 ? 1u : 0u) + (c->colour == 2) + (c->words & 1);
        bool noise = rich_draw(random) % 10 == 0;
        c->label = labels == 0 || noise ? (uint32_t)(rich_draw(random) % (labels ? labels : 2))
                                        : truth % labels;
    }
}

static hcbr_feature pair(const char *key, char *text, size_t length) {
    return (hcbr_feature){key, strlen(key), text, length};
}

size_t rich_case_features(const rich_case *c, hcbr_feature *features, char (*text)[16]) {
    static const char *const WORDS[] = {"ape", "bee", "cat", "dog", "elk"};
    size_t n = 0;
    features[n] = pair("x", text[0], (size_t)snprintf(text[0], 16, "%.2f", c->x));
    n++;
    if (c->has_y) {
        features[n] = pair("y", text[1], (size_t)snprintf(text[1], 16, "%.0f", c->y));
        n++;
    }
    features[n] = pair("colour", text[2], (size_t)snprintf(text[2], 16, "c%u", c->colour));
    n++;
    for (uint32_t w = 0; w < 5; w++)
        if (c->words >> w & 1)
            features[n++] = (hcbr_feature){WORDS[w], 3, NULL, 0};
    return n;
}

/* a, b, c, d; then e4, e5, ... */
static const char *rich_label(char name[8], uint32_t label) {
    snprintf(name, 8, label < 4 ? "%c" : "e%u", label < 4 ? 'a' + label : label);
    return name;
}

hcbr_cases *rich_cases_make(const rich_case *drawn, uint32_t count, const uint32_t *order,
                            const uint32_t *times) {
    char name[8];
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = order ? order[i] : i;
        char text[8][16];
        hcbr_feature features[8];
        size_t n = rich_case_features(&drawn[at], features, text);
        for (uint32_t t = times ? times[at] : 1; t > 0; t--)
            assert_int_equal(
                add_one_case(cases, features, n, rich_label(name, drawn[at].label), NULL, NULL),
                HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

hcbr_model *rich_model_train(hcbr_cases *cases, hcbr_effort effort, uint32_t threads,
                             const double *weight) {
    hcbr_train_options o;
    hcbr_error err;
    hcbr_model *model;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = effort;
    o.threads = threads;
    o.weight = weight;
    if (hcbr_model_train(&model, cases, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    return model;
}

/* The bytes of the rich section: what a model decides by. */
static unsigned char *rich_bytes(const hcbr_model *model, size_t *size) {
    hcbr_i_out out = {0};
    hcbr_i_rich_write(&out, hcbr_i_model_rich(model));
    assert_false(out.failed);
    unsigned char *all = malloc((size_t)out.size + 1);
    *size = 0;
    for (size_t r = 0; r < out.run_count; *size += out.runs[r++].size)
        memcpy(all + *size, hcbr_i_out_run(&out, r), out.runs[r].size);
    hcbr_i_out_clear(&out);
    return all;
}

void assert_same_rich(const hcbr_model *a, const hcbr_model *b) {
    size_t x_size, y_size;
    unsigned char *x = rich_bytes(a, &x_size), *y = rich_bytes(b, &y_size);
    assert_int_equal(x_size, y_size);
    assert_memory_equal(x, y, x_size);
    assert_int_equal(a->prior, b->prior);
    free(x);
    free(y);
}

void assert_same_file(const hcbr_model *a, const hcbr_model *b) {
    void *x, *y;
    size_t x_size, y_size;
    assert_int_equal(hcbr_model_serialize(a, &x, &x_size, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_serialize(b, &y, &y_size, NULL), HCBR_OK);
    assert_int_equal(x_size, y_size);
    assert_memory_equal(x, y, x_size);
    hcbr_bytes_free(x);
    hcbr_bytes_free(y);
}

hcbr_model *rich_model_reload(const hcbr_model *model) {
    void *bytes;
    size_t size;
    hcbr_model *loaded;
    hcbr_error err;
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    if (hcbr_model_parse(&loaded, bytes, size, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_same_file(model, loaded);
    hcbr_bytes_free(bytes);
    return loaded;
}

void assert_train_without_memory(hcbr_cases *cases, const hcbr_train_options *options) {
    hcbr_status st = HCBR_ENOMEM;
    uint64_t n = 0;
    while (st != HCBR_OK) {
        hcbr_model *model = NULL;
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, ++n, false);
        st = hcbr_model_train(&model, cases, options, NULL);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_true(st == HCBR_OK || (st == HCBR_ENOMEM && !model));
        hcbr_model_free(model);
    }
    assert_true(n > 50);
}
