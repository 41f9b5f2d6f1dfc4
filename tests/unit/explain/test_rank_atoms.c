/*
 * Groups of a rich model as a whole: without past cases all groups add up to all leaves of the
 * model; with them, nothing depends on what is kept ready; a plain model has none. What a group
 * adds to past cases is rebuilt from their reasons in tests/cli/test_inspect_rich.py.
 */
#include "add_case.h"
#include "engines.h"
#include "explain/explainer.h"
#include "rich/reasons/rich_reasons.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include <hcbr/explain.h>

enum { CASES = 80 };

static uint64_t seed = 4711;

static uint64_t draw(uint64_t below) {
    seed += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(seed) % below;
}

static hcbr_model *make(uint32_t labels, hcbr_keep keep, hcbr_model_kind kind) {
    static const char *const LABELS[] = {"p", "q", "r", "s"}, *const WORDS[] = {"ape", "bee"};
    hcbr_cases *list;
    hcbr_model *model;
    hcbr_error err;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&list, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        hcbr_feature f[5];
        char text[3][16];
        size_t n = 0;
        uint64_t x = draw(30), colour = draw(4);
        snprintf(text[0], sizeof text[0], "%d", (int)x);
        f[n++] = (hcbr_feature){"x", 1, text[0], strlen(text[0])};
        snprintf(text[1], sizeof text[1], "c%d", (int)colour);
        if (draw(5))
            f[n++] = (hcbr_feature){"colour", 6, text[1], 2};
        snprintf(text[2], sizeof text[2], "%d", (int)draw(9));
        if (draw(12) == 0)
            f[n++] = (hcbr_feature){"rare", 4, text[2], 1};
        for (int w = 0; w < 2; w++)
            if (draw(3) == 0)
                f[n++] = (hcbr_feature){WORDS[w], 3, NULL, 0};
        const char *label = LABELS[draw(6) ? (uint32_t)((x > 14) + (colour == 1)) % labels
                                           : (uint32_t)draw(labels)];
        assert_int_equal(add_one_case(list, f, n, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(list, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = kind;
    o.keep = keep;
    if (hcbr_model_train(&model, list, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_cases_free(list);
    return model;
}

static hcbr_atom_ranking all_atoms(hcbr_explainer *x, hcbr_atom_kind kind, hcbr_label label) {
    hcbr_atom_ranking r = {.size = sizeof r};
    hcbr_atom_options o;
    hcbr_atom_options_init(&o);
    o.kind = kind;
    o.label = label;
    o.most = SIZE_MAX;
    assert_int_equal(hcbr_explainer_rank_atoms(x, &o, &r, NULL), HCBR_OK);
    assert_int_equal(r.count, r.all);
    assert_true(r.all <= r.in_model);
    return r;
}

/* What all leaves add to one label, each as if every tree ended in one like it. */
static double leaves_of(const hcbr_i_rich *rich, uint32_t label) {
    double sum = 0;
    uint32_t k = rich->outputs, at = k == 1 ? 0 : label;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        for (size_t n = 0; n < rich->boosted.model[j].leaf_count; n++)
            sum += rich->stack.trust[1] / 5 * rich->boosted.model[j].values[n * k + at];
    for (size_t n = 0; n < rich->forest.leaf_count; n++) {
        double p[4];
        hcbr_i_rich_leaf_shares(rich, n, p);
        double z = 0;
        for (uint32_t l = 0; l < k && k > 1; l++) // the logarithm over the mean of all
            z += (log(p[label]) - log(p[l])) / k;
        if (k == 1)
            z = log(p[0]) - log(1 - p[0]);
        sum += rich->stack.trust[2] / (double)rich->forest.tree_count * z;
    }
    return k == 1 && label == 0 ? -sum : sum;
}

static void groups__without_cases_add_up_to_all_leaves(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t labels = 2; labels <= 4; labels++) {
        hcbr_model *m = make(labels, HCBR_KEEP_NONE, HCBR_MODEL_RICH);
        hcbr_explainer *x;
        assert_int_equal(hcbr_explainer_create(&x, m, NULL, NULL, NULL), HCBR_OK);
        hcbr_atom_ranking r = all_atoms(x, HCBR_ATOM_TESTS, HCBR_LABEL_UNKNOWN);
        uint64_t trees = 0, leaves = hcbr_i_model_rich(m)->forest.leaf_count;
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
            leaves += hcbr_i_model_rich(m)->boosted.model[j].leaf_count;
        for (uint32_t l = 0; l < labels; l++) {
            double sum = 0, size = 0;
            for (size_t n = 0; n < r.count; n++) {
                sum += r.atoms[n].contribution[l];
                size += fabs(r.atoms[n].contribution[l]);
            }
            assert_true(fabs(sum - leaves_of(hcbr_i_model_rich(m), l)) <= 1e-9 * (1 + size));
        }
        for (size_t n = 0; n < r.count; n++) {
            const hcbr_ranked_atom *g = &r.atoms[n];
            trees += g->trees;
            assert_null(g->cases);
            assert_true(g->average == g->lead);
            assert_true(n == 0 || g->average <= r.atoms[n - 1].average);
        }
        assert_true(trees <= leaves && (r.all < r.in_model || trees == leaves));
        hcbr_explainer_free(x);
        hcbr_model_free(m);
    }
}

static void check_same(const hcbr_atom_ranking *a, const hcbr_atom_ranking *b, uint32_t labels) {
    assert_int_equal(a->count, b->count);
    for (size_t n = 0; n < a->count; n++) {
        const hcbr_ranked_atom *p = &a->atoms[n], *q = &b->atoms[n];
        assert_int_equal(p->feature_count, q->feature_count);
        for (size_t i = 0; i < p->feature_count; i++)
            assert_true(hcbr_i_feature_same(&p->features[i], &q->features[i]));
        assert_int_equal(p->label, q->label);
        assert_memory_equal(p->contribution, q->contribution, labels * sizeof *p->contribution);
        assert_memory_equal(p->cases, q->cases, labels * sizeof *p->cases);
        assert_true(p->average == q->average);
    }
}

static void groups__do_not_depend_on_what_is_kept_ready(void **state) {
    (void)state;
    size_t before = hcbr_i_index_most;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (uint32_t labels = 2; labels <= 4; labels++) {
        hcbr_model *m = make(labels, HCBR_KEEP_ANONYMOUS, HCBR_MODEL_RICH);
        hcbr_explainer *x, *y;
        assert_int_equal(hcbr_explainer_create(&x, m, NULL, NULL, NULL), HCBR_OK);
        hcbr_i_index_most = 0;
        assert_int_equal(hcbr_explainer_create(&y, m, NULL, NULL, NULL), HCBR_OK);
        hcbr_i_index_most = before;
        for (int kind = 0; kind < 2; kind++)
            for (int label = HCBR_LABEL_UNKNOWN; label < (int)labels; label++) {
                if (label < 0 && label != HCBR_LABEL_UNKNOWN)
                    continue;
                hcbr_atom_ranking a = all_atoms(x, (hcbr_atom_kind)kind, label);
                hcbr_atom_ranking b = all_atoms(y, (hcbr_atom_kind)kind, label);
                check_same(&a, &b, labels);
                for (size_t n = 0; n < a.count; n++)
                    assert_true(a.atoms[n].lead > 0 && a.atoms[n].case_count <= CASES &&
                                (label < 0 || a.atoms[n].label == label));
            }
        hcbr_explainer_free(x);
        hcbr_explainer_free(y);
        hcbr_model_free(m);
    }
}

static void groups__of_a_plain_model_are_none(void **state) {
    (void)state;
    hcbr_model *m = make(2, HCBR_KEEP_FULL, HCBR_MODEL_PLAIN);
    hcbr_explainer *x;
    hcbr_atom_ranking r = {.size = sizeof r, .count = 7};
    assert_int_equal(hcbr_explainer_create(&x, m, NULL, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_explainer_rank_atoms(x, NULL, &r, NULL), HCBR_OK);
    assert_true(r.count == 0 && r.all == 0 && r.in_model == 0);
    hcbr_explainer_free(x);
    hcbr_model_free(m);
}

static void groups__refuse_what_the_model_has_not(void **state) {
    (void)state;
    hcbr_model *m = make(2, HCBR_KEEP_FULL, HCBR_MODEL_RICH);
    hcbr_explainer *x;
    hcbr_atom_options right, wrong[3];
    assert_int_equal(hcbr_explainer_create(&x, m, NULL, NULL, NULL), HCBR_OK);
    hcbr_atom_options_init(&right);
    for (int i = 0; i < 3; i++)
        wrong[i] = right;
    wrong[0].kind = (hcbr_atom_kind)2;
    wrong[1].label = 2;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(m, &info);
    wrong[2].atom = (uint32_t)info.atoms;
    for (int i = 0; i < 3; i++) {
        hcbr_atom_ranking r = {.size = sizeof r, .count = 7};
        hcbr_error err = {0};
        assert_int_equal(hcbr_explainer_rank_atoms(x, &wrong[i], &r, &err), HCBR_EUSAGE);
        assert_true(r.count == 7 && strstr(err.message, "no "));
    }
    right.label = 1;
    right.atom = (uint32_t)info.atoms - 1;
    hcbr_atom_ranking r = {.size = sizeof r};
    assert_int_equal(hcbr_explainer_rank_atoms(x, &right, &r, NULL), HCBR_OK);
    hcbr_explainer_free(x);
    hcbr_model_free(m);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(groups__without_cases_add_up_to_all_leaves),
        cmocka_unit_test(groups__do_not_depend_on_what_is_kept_ready),
        cmocka_unit_test(groups__of_a_plain_model_are_none),
        cmocka_unit_test(groups__refuse_what_the_model_has_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
