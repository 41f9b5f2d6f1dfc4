/*
 * Reasons of rich models: contributions of groups and influences of past cases add up to the
 * support, on more than 10,000 random decisions with two and more labels; and influences are those
 * of a slow oracle that follows training again from what docs/FORMAT.md says.
 */
#include "unit/explain/rich_oracle.h"

#include <math.h>
#include <stdio.h>

#include <hcbr/explain.h>

enum { MOST_FEATURES = 10, TEXT = 24 };

static uint64_t seed = 20260;

static uint64_t draw(uint64_t below) {
    seed += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(seed) % below;
}

/* A case: two numbers, one of them often missing, a number that is mostly missing, a category and
 * words. Returns how many features. */
static size_t draw_case(hcbr_feature *f, char (*text)[TEXT], uint32_t labels, uint32_t *label) {
    static const char *const WORDS[] = {"ape", "bee", "cat", "dog"};
    size_t n = 0;
    double x = (double)draw(40) / 4;
    uint64_t colour = draw(4), words = draw(16) & draw(16);
    if (draw(30) == 0) { // nothing is known of it
        *label = (uint32_t)draw(labels);
        return 0;
    }
    snprintf(text[n], TEXT, "%.2f", x);
    f[n] = (hcbr_feature){"x", 1, text[n], strlen(text[n])};
    n++;
    if (draw(3)) {
        snprintf(text[n], TEXT, "%d", (int)draw(6));
        f[n] = (hcbr_feature){"y", 1, text[n], 1};
        n++;
    }
    if (draw(12) == 0) {
        snprintf(text[n], TEXT, "%d", (int)draw(9));
        f[n] = (hcbr_feature){"z", 1, text[n], 1};
        n++;
    }
    snprintf(text[n], TEXT, "c%d", (int)colour);
    f[n] = (hcbr_feature){"colour", 6, text[n], 2};
    n++;
    for (int w = 0; w < 4; w++)
        if (words >> w & 1)
            f[n++] = (hcbr_feature){WORDS[w], 3, NULL, 0};
    *label = (uint32_t)(((x > 4) + (colour == 2) + (int)(words & 1)) % (int)labels);
    if (draw(8) == 0)
        *label = (uint32_t)draw(labels);
    return n;
}

typedef struct sample {
    hcbr_model *model;
    double copies[ORACLE_CASES];
    bool weighted;
    uint32_t labels;
} sample;

static void sample_make(sample *s, uint32_t cases, hcbr_keep keep, hcbr_effort effort) {
    static const char *const LABELS[] = {"p", "q", "r", "s"};
    hcbr_cases *list;
    hcbr_error err;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&list, 0, NULL), HCBR_OK);
    s->labels = 2 + (uint32_t)draw(3);
    s->weighted = draw(3) == 0;
    for (uint32_t i = 0; i < cases;) {
        hcbr_feature f[MOST_FEATURES];
        char text[MOST_FEATURES][TEXT];
        uint32_t label;
        size_t n = draw_case(f, text, s->labels, &label);
        for (uint64_t times = 1 + (draw(6) == 0); times > 0 && i < cases; times--) {
            s->copies[i] = i ? (double)draw(4) : 1;
            i++;
            assert_int_equal(hcbr_cases_add(list, f, n, LABELS[label], "an id", NULL), HCBR_OK);
        }
    }
    assert_int_equal(hcbr_cases_finish(list, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = effort;
    o.seed = draw(1000);
    o.keep = keep;
    o.weight = s->weighted ? s->copies : NULL;
    if (hcbr_model_train(&s->model, list, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_cases_free(list);
}

/* The same model after it was written and read. */
static void reload(sample *s) {
    void *bytes;
    size_t size;
    hcbr_error err;
    assert_int_equal(hcbr_model_serialize(s->model, &bytes, &size, NULL), HCBR_OK);
    hcbr_model_free(s->model);
    if (hcbr_model_parse(&s->model, bytes, size, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_bytes_free(bytes);
}

/* ---- sums ------------------------------------------------------------------------------------ */

static void check_groups(const hcbr_explanation *e, size_t labels) {
    assert_int_equal(e->atom_count, e->all_atoms);
    double lead = 0;
    for (size_t l = 0; l < labels; l++) {
        double sum = e->bias[l], absolute = fabs(e->bias[l]);
        for (size_t g = 0; g < e->atom_count; g++) {
            sum += e->atoms[g].contribution[l];
            absolute += fabs(e->atoms[g].contribution[l]);
        }
        assert_true(fabs(sum - e->decision.support[l]) <= 1e-12 * absolute);
    }
    for (size_t g = 0; g < e->atom_count; g++) {
        const hcbr_explained_atom *a = &e->atoms[g];
        double expected = a->contribution[e->label];
        if (e->against >= 0)
            expected -= a->contribution[e->against];
        assert_true(fabs(expected - a->lead) <= 1e-12 * (1 + fabs(a->lead)));
        assert_true(g == 0 || fabs(a->lead) <= fabs(e->atoms[g - 1].lead));
        assert_true(a->feature_count > 0 && a->weight >= 0 && a->weight <= 1);
        lead += a->lead;
    }
    lead += e->bias[e->label] - (e->against >= 0 ? e->bias[e->against] : 0);
    assert_true(fabs(lead - e->decision.lead) <= 1e-9 * (1 + fabs(lead)));
}

static void check_cases(const hcbr_explanation *e, size_t labels) {
    for (size_t l = 0; l < labels; l++) {
        double sum = e->bias[l], absolute = e->influence_absolute[l] + fabs(e->bias[l]);
        for (int side = 0; side < 2; side++) {
            const hcbr_explained_case *list = side ? e->counter_examples : e->analogies;
            size_t count = side ? e->counter_count : e->analogy_count;
            assert_int_equal(count, side ? e->all_against : e->all_for);
            for (size_t n = 0; n < count; n++)
                sum += list[n].influence[l];
        }
        assert_true(fabs(e->influence_sum[l] - e->decision.support[l]) <= 1e-12 * absolute);
        assert_true(fabs(sum - e->decision.support[l]) <= 1e-12 * absolute || labels > 2);
    }
}

/* The past cases of a group that has them all add up to the group. */
static void check_group_cases(const hcbr_explanation *e, size_t labels) {
    for (size_t g = 0; g < e->atom_count; g++) {
        const hcbr_explained_atom *a = &e->atoms[g];
        assert_int_equal(a->shown_cases, a->case_count);
        for (size_t l = 0; l < labels; l++) {
            double sum = 0, absolute = fabs(a->contribution[l]);
            for (size_t n = 0; n < a->shown_cases; n++) {
                sum += a->cases[n].influence[l];
                absolute += fabs(a->cases[n].influence[l]);
            }
            assert_true(fabs(sum - a->contribution[l]) <= 1e-11 * absolute + 1e-15);
        }
    }
}

static uint64_t explain_some(sample *s, hcbr_explainer *x, uint32_t decisions) {
    uint64_t done = 0;
    hcbr_explain_options o;
    hcbr_error err;
    hcbr_explain_options_init(&o);
    o.top = o.cases = SIZE_MAX;
    for (uint32_t d = 0; d < decisions; d++) {
        hcbr_feature f[MOST_FEATURES];
        char text[MOST_FEATURES][TEXT];
        uint32_t label;
        hcbr_explanation e = {.size = sizeof e};
        size_t n = draw_case(f, text, s->labels, &label), labels = s->model->labels.count;
        o.atom_cases = d % 8 == 0 ? SIZE_MAX : 2;
        if (hcbr_explainer_explain(x, f, n, &o, &e, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        if (e.label < 0)
            continue;
        done++;
        check_groups(&e, labels);
        if (e.no_cases) {
            assert_null(e.influence_sum);
            assert_int_equal(e.all_for, 0);
            continue;
        }
        check_cases(&e, labels);
        if (o.atom_cases == SIZE_MAX)
            check_group_cases(&e, labels);
        for (size_t c = 0; c < e.analogy_count; c++)
            assert_true((e.analogies[c].id != NULL) == (s->model->keep == HCBR_KEEP_FULL));
    }
    return done;
}

static void reasons__add_up_to_the_support(void **state) {
    (void)state;
    uint64_t done = 0;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t round = 0; done < 10500; round++) {
        sample s = {0};
        hcbr_explainer *x;
        hcbr_error err;
        sample_make(&s, 20 + (uint32_t)draw(100), (hcbr_keep)(round % 4 == 3 ? 0 : 1 + round % 2),
                    round % 3 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        if (round % 2)
            reload(&s);
        if (hcbr_explainer_create(&x, s.model, NULL, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        done += explain_some(&s, x, 120);
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
    print_message("%llu decisions\n", (unsigned long long)done);
}

/* ---- the oracle ------------------------------------------------------------------------------ */

static void compare(const rich_oracle *o, const hcbr_explanation *e, size_t labels) {
    bool shown[ORACLE_CASES] = {false};
    double most = 0;
    for (uint32_t i = 0; i < o->model->kept.case_count; i++)
        for (size_t l = 0; l < labels; l++)
            most = fmax(most, fabs(o->influence[i][l]));
    for (size_t l = 0; l < labels; l++)
        assert_true(fabs(e->bias[l] - o->bias[l]) <= 1e-8 * (1 + fabs(o->bias[l])));
    for (int side = 0; side < 2; side++) {
        const hcbr_explained_case *list = side ? e->counter_examples : e->analogies;
        for (size_t n = 0; n < (side ? e->counter_count : e->analogy_count); n++) {
            shown[list[n].index] = true;
            for (size_t l = 0; l < labels; l++)
                assert_true(fabs(list[n].influence[l] - o->influence[list[n].index][l]) <=
                            1e-8 * most);
        }
    }
    for (uint32_t i = 0; i < o->model->kept.case_count; i++) {
        double lead = o->influence[i][e->label];
        if (e->against >= 0)
            lead -= o->influence[i][e->against];
        assert_true(shown[i] || fabs(lead) <= 1e-8 * most);
    }
}

static void reasons__are_those_of_the_oracle(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t round = 0; round < 40; round++) {
        static rich_oracle oracle;
        sample s = {0};
        hcbr_explainer *x;
        hcbr_error err;
        hcbr_explain_options o;
        hcbr_explain_options_init(&o);
        o.cases = SIZE_MAX;
        sample_make(&s, 10 + (uint32_t)draw(40), HCBR_KEEP_FULL, HCBR_EFFORT_NORMAL);
        if (hcbr_explainer_create(&x, s.model, NULL, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        rich_oracle_init(&oracle, s.model);
        assert_int_equal(oracle.row_count, s.model->rich->rows);
        for (int d = 0; d < 3; d++) {
            hcbr_feature f[MOST_FEATURES];
            char text[MOST_FEATURES][TEXT];
            uint32_t label;
            hcbr_explanation e = {.size = sizeof e};
            size_t n = draw_case(f, text, s.labels, &label);
            assert_int_equal(hcbr_explainer_explain(x, f, n, &o, &e, NULL), HCBR_OK);
            if (e.label < 0)
                continue;
            rich_oracle_explain(&oracle, f, n);
            compare(&oracle, &e, s.model->labels.count);
        }
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons__add_up_to_the_support),
        cmocka_unit_test(reasons__are_those_of_the_oracle),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
