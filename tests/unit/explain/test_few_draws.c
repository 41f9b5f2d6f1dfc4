/*
 * Reasons of rich models whose trees of the forest draw a few of the cases, as they do where there
 * are many: influences, what cases add to a case just like them, and groups are those of the
 * oracle, which draws by what the options say.
 */
#include "explain/explainer.h"
#include "rich/rich_fit.h"
#include "row_of.h"
#include "unit/explain/rich_sample.h"

#include <math.h>

/* A model whose trees draw 3 to 60 of the cases on average. */
static hcbr_explainer *make(rich_sample *s, uint32_t round) {
    hcbr_explainer *x;
    double before = hcbr_i_rich_forest_cases;
    uint32_t cases = 20 + (uint32_t)sample_draw(round % 10 == 9 ? 240 : 70);
    *s = (rich_sample){0};
    hcbr_i_rich_forest_cases = 3 + (double)sample_draw(58);
    rich_sample_make(s, cases, HCBR_KEEP_FULL, round % 2 ? HCBR_EFFORT_LITE : HCBR_EFFORT_NORMAL);
    if (round % 3 == 0)
        rich_sample_reload(s);
    assert_int_equal(hcbr_explainer_create(&x, s->model, NULL, NULL, NULL), HCBR_OK);
    s->forest_cases = hcbr_i_rich_forest_cases;
    hcbr_i_rich_forest_cases = before;
    return x;
}

static bool is_part(const rich_sample *s) {
    return hcbr_i_model_rich(s->model)->family[2] && hcbr_i_model_rich(s->model)->kept.part < 1;
}

/* ---- influences ------------------------------------------------------------------------------ */

static void few_draws__give_the_influences_of_the_oracle(void **state) {
    int parts = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < 60; round++) {
        static rich_oracle oracle;
        rich_sample s;
        hcbr_explainer *x = make(&s, round);
        hcbr_explain_options o;
        hcbr_explain_options_init(&o);
        o.cases = SIZE_MAX;
        rich_oracle_init(&oracle, s.model);
        oracle.forest_cases = s.forest_cases;
        for (int d = 0; d < 4; d++) {
            hcbr_feature f[RICH_FEATURES];
            char text[RICH_FEATURES][RICH_TEXT];
            uint32_t label;
            hcbr_explanation e = {.size = sizeof e};
            size_t n = sample_draw_case(f, text, s.labels, &label);
            assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), &o, &e, NULL), HCBR_OK);
            if (e.label < 0)
                continue;
            rich_oracle_explain(&oracle, f, n);
            rich_oracle_compare(&oracle, &e);
            parts += is_part(&s);
        }
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
    assert_true(parts > 60);
}

/* ---- contributions of a case to itself ------------------------------------------------------- */

static void few_draws__rank_cases_as_the_oracle_does(void **state) {
    uint64_t ranked = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < 20; round++) {
        static rich_oracle oracle;
        rich_sample s;
        hcbr_explainer *x = make(&s, round);
        hcbr_case_ranking r = {.size = sizeof r};
        rich_oracle_init(&oracle, s.model);
        oracle.forest_cases = s.forest_cases;
        assert_int_equal(hcbr_explainer_rank(x, UINT64_MAX, SIZE_MAX, &r, NULL), HCBR_OK);
        for (size_t i = 0; i < r.count; i++) {
            const uint64_t index = r.cases[i].index;
            hcbr_feature *own;
            size_t n;
            double all = 0;
            assert_int_equal(hcbr_model_copy_kept(s.model, index, &own, &n, NULL), HCBR_OK);
            rich_oracle_explain(&oracle, own, n);
            hcbr_bytes_free(own);
            for (uint32_t l = 0; l < s.model->labels.count; l++) {
                double wanted = oracle.influence[index][l];
                assert_true(fabs(r.cases[i].influence[l] - wanted) <= 1e-8 * (1 + fabs(wanted)));
                all += fabs(wanted);
            }
            assert_true(fabs(r.cases[i].lead - all) <= 1e-8 * (1 + all));
        }
        ranked += is_part(&s) ? r.count : 0;
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
    assert_true(ranked > 400);
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The group of an explanation that asks the same; NULL: the case does not have it. */
static const hcbr_explained_atom *find(const hcbr_explanation *e, const hcbr_ranked_atom *g) {
    for (size_t i = 0; i < e->atom_count; i++) {
        const hcbr_explained_atom *a = &e->atoms[i];
        bool same = a->kind == g->kind && a->feature_count == g->feature_count;
        for (size_t k = 0; same && k < g->feature_count; k++)
            same = hcbr_i_feature_same(&a->features[k], &g->features[k]);
        if (same)
            return a;
    }
    return NULL;
}

/* What a group adds is the mean of what it adds to the past cases that have it. A case without
 * features may have it, too, but no reasons are given for the answer on it. */
static void few_draws__give_groups_their_mean_over_cases(void **state) {
    uint64_t found = 0;
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < 8; round++) {
        rich_sample s;
        hcbr_explainer *x = make(&s, round), *each;
        hcbr_atom_ranking r = {.size = sizeof r};
        hcbr_atom_options options;
        hcbr_explain_options o;
        hcbr_atom_options_init(&options);
        options.kind = HCBR_ATOM_TESTS;
        options.most = 200;
        hcbr_explain_options_init(&o);
        o.atoms = SIZE_MAX;
        assert_int_equal(hcbr_explainer_create(&each, s.model, NULL, NULL, NULL), HCBR_OK);
        assert_int_equal(hcbr_explainer_rank_atoms(x, &options, &r, NULL), HCBR_OK);
        const double *given = hcbr_i_model_rich(s.model)->kept.weight;
        double sum[200][ORACLE_K] = {0}, weight[200] = {0};
        uint64_t have[200] = {0}, nothing = 0; // cases; those of which nothing is said
        for (uint32_t i = 0; i < hcbr_model_kept_count(s.model); i++) {
            hcbr_feature *own;
            size_t n;
            hcbr_explanation e = {.size = sizeof e};
            double w = given ? given[i] : 1;
            assert_int_equal(hcbr_model_copy_kept(s.model, i, &own, &n, NULL), HCBR_OK);
            assert_int_equal(hcbr_explainer_explain(each, row_of(each, own, n), &o, &e, NULL),
                             HCBR_OK);
            for (size_t g = 0; g < r.count; g++) {
                const hcbr_explained_atom *a = find(&e, &r.atoms[g]);
                weight[g] += a ? w : 0;
                have[g] += a && w > 0;
                for (uint32_t l = 0; a && l < s.model->labels.count; l++)
                    sum[g][l] += w * a->contribution[l];
            }
            nothing += w > 0 && e.atom_count == 0;
            hcbr_bytes_free(own);
        }
        for (size_t g = 0; g < r.count; g++) {
            assert_true(have[g] <= r.atoms[g].case_count);
            if (r.atoms[g].feature_count == 1 && have[g] < r.atoms[g].case_count)
                continue; // where it asks for the very value of a case it is a part of its feature
            assert_true(have[g] + nothing >= r.atoms[g].case_count);
            for (uint32_t l = 0; have[g] == r.atoms[g].case_count && l < s.model->labels.count;
                 l++) {
                double wanted = sum[g][l] / weight[g], is = r.atoms[g].contribution[l];
                assert_true(fabs(is - wanted) <= 1e-9 * (1 + fabs(wanted)));
                found += is_part(&s);
            }
        }
        hcbr_explainer_free(each);
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
    assert_true(found > 400);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_draws__give_the_influences_of_the_oracle),
        cmocka_unit_test(few_draws__rank_cases_as_the_oracle_does),
        cmocka_unit_test(few_draws__give_groups_their_mean_over_cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
