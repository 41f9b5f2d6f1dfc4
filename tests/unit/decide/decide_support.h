// Help for the tests of decisions: models of a few one-letter features, and cases to decide.
#ifndef HCBR_TEST_DECIDE_SUPPORT_H
#define HCBR_TEST_DECIDE_SUPPORT_H

#include "engines.h"
#include "row_of.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "add_case.h"
#include "decide/decide.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/** A model of words: a one-letter label, then one-letter features. Not trained. */
static inline hcbr_model *make_model(const char *const *words, size_t count) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (size_t i = 0; i < count; i++) {
        const char label[] = {words[i][0], '\0'};
        hcbr_feature features[16];
        size_t n = 0;
        for (const char *f = words[i] + 1; *f; f++)
            features[n++] = (hcbr_feature){f, 1, NULL, 0};
        assert_int_equal(add_one_case(cases, features, n, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.passes = 0;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

/**
 * A model with one feature `a` and these strengths for labels A, B, ... A strength of NAN: the
 * label has only an empty case. B is the most frequent.
 */
static inline hcbr_model *model_of(const double *mu, uint32_t labels) {
    const char *words[8];
    char text[8][3];
    for (uint32_t l = 0; l < labels; l++) {
        snprintf(text[l], sizeof text[l], isnan(mu[l]) ? "%c" : "%ca", 'A' + (int)l);
        words[l] = text[l];
    }
    words[labels] = "Ba";
    hcbr_model *model = make_model(words, labels + 1);
    hcbr_i_strength *s = &hcbr_i_model_plain(model)->strength;
    assert_int_equal(s->atom_count, 1);
    if (s->mu) {
        s->mu[0] = mu[1] - mu[0];
        s->sigma[0] = mu[1] + mu[0];
        return model;
    }
    for (uint32_t n = 0; n < s->length[0]; n++)
        s->entry_mu[n] = mu[s->entry_label[n]];
    return model;
}

static inline hcbr_decider *make_decider(const hcbr_model *model, const hcbr_rule *rule) {
    hcbr_decider *decider;
    hcbr_error err;
    if (hcbr_decider_create(&decider, model, rule, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    return decider;
}

/** Decide a case of one-letter features; a borrowed decision. */
static inline hcbr_decision decide(hcbr_decider *decider, const char *letters) {
    hcbr_feature features[32];
    hcbr_decision x = {.size = sizeof x};
    size_t count = strlen(letters);
    for (size_t n = 0; n < count; n++)
        features[n] = (hcbr_feature){letters + n, 1, NULL, 0};
    assert_int_equal(hcbr_decider_decide(decider, row_by(decider, features, count), &x, NULL),
                     HCBR_OK);
    return x;
}

/** Decide with a rule of one threshold; do not read the supports. */
static inline hcbr_decision decide_with(const hcbr_model *model, const char *letters,
                                        hcbr_threshold threshold, const char *fallback) {
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.thresholds = &threshold;
    rule.threshold_count = threshold.label != NULL;
    rule.fallback = fallback;
    hcbr_decider *decider = make_decider(model, &rule);
    hcbr_decision x = decide(decider, letters);
    hcbr_decider_free(decider);
    return x;
}

#endif
