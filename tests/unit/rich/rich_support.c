/* Random case bases for the tests of the rich model. */
#include "unit/rich/rich_support.h"

#include <stdio.h>

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

hcbr_cases *rich_cases_make(const rich_case *drawn, uint32_t count, const uint32_t *order,
                            const uint32_t *times) {
    static const char *const LABELS[] = {"a", "b", "c", "d"};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = order ? order[i] : i;
        char text[8][16];
        hcbr_feature features[8];
        size_t n = rich_case_features(&drawn[at], features, text);
        for (uint32_t t = times ? times[at] : 1; t > 0; t--)
            assert_int_equal(
                hcbr_cases_add(cases, features, n, LABELS[drawn[at].label], NULL, NULL), HCBR_OK);
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
