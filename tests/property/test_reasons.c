/*
 * What must hold of any explanation, on random tables with plain and rich models, both scopes, two
 * to five labels or very many, weights, and rules that turn the answer: reasons are for the answer
 * that is given, every influence is listed, and all of them add up.
 *
 * Quick: 150 models of each kind with 6 decisions each; long (--long or HCBR_LONG=1): 3,000.
 */
#include "add_case.h"
#include "harness.h"
#include "row_of.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { KEYS = 4, VALUES = 4, CASES = 150, LABELS = 72, WORDS = 3, MOST = KEYS + WORDS };

static bool long_tier;
static const char *const KEY[KEYS] = {"age", "job", "town", "rank"};
static const char *const VALUE[KEYS][VALUES] = {{"18", "31", "44.5", "70"},
                                                {"clerk", "cook", "judge", "none"},
                                                {"a", "b", "c", "d"},
                                                {"1", "2", "3", "9"}};
static const char *const WORD[WORDS] = {"ape", "bee", "cat"};
static char LABEL[LABELS][4]; /* l10, l11, ... */

typedef struct world {
    hcbr_model *model;
    hcbr_explainer *explainer;
    hcbr_decider *decider;
    int labels;
    bool rich, empty_first; /* the first past case has no features */
} world;

static size_t draw_case(harness_random *r, hcbr_feature *out, int *score) {
    size_t n = 0;
    *score = 0;
    for (int k = 0; k < KEYS; k++) {
        int v = harness_below(r, VALUES + 1);
        if (v == VALUES)
            continue;
        *score += v * (k + 1);
        out[n++] = (hcbr_feature){KEY[k], strlen(KEY[k]), VALUE[k][v], strlen(VALUE[k][v])};
    }
    for (int w = 0; w < WORDS; w++)
        if (harness_below(r, 3) == 0)
            out[n++] = (hcbr_feature){WORD[w], strlen(WORD[w]), NULL, 0};
    return n;
}

static void draw_rule(harness_random *r, int labels, hcbr_rule *rule, hcbr_threshold *thresholds,
                      bool rich) {
    hcbr_rule_init(rule);
    rule->memory = harness_below(r, 5) == 0;
    if (harness_below(r, 3) == 0)
        return;
    for (int l = 0; l < labels; l++)
        thresholds[l] = (hcbr_threshold){
            LABEL[l], harness_below(r, 2) * (rich ? 0.2 + 0.2 * harness_below(r, 4) : 0.05),
            harness_below(r, 2) * (0.5 + 0.1 * harness_below(r, 4)),
            harness_below(r, 3) ? LABEL[harness_below(r, labels)] : NULL};
    rule->thresholds = thresholds;
    rule->threshold_count = (size_t)labels;
}

static void make_world(world *w, harness_random *r, bool rich) {
    hcbr_cases *cases;
    hcbr_error err = {0};
    hcbr_train_options o;
    hcbr_rule rule;
    hcbr_threshold thresholds[LABELS];
    double weight[CASES];
    bool many = harness_below(r, 12) == 0; // so many that they are fitted on samples
    int count = many ? CASES - harness_below(r, 50) : 12 + harness_below(r, 48);
    *w = (world){.labels = many ? LABELS - harness_below(r, 8) : 2 + harness_below(r, 4),
                 .rich = rich};
    w->empty_first = harness_below(r, 2);
    harness_ok(hcbr_cases_create(&cases, 1, &err), &err);
    for (int i = 0; i < count; i++) {
        hcbr_feature f[MOST];
        int score;
        size_t n = draw_case(r, f, &score);
        int label = i < w->labels ? i : (score / 4 + harness_below(r, 2)) % w->labels;
        if ((i == 0 && w->empty_first) || harness_below(r, 20) == 0)
            n = 0;
        weight[i] = i < w->labels ? 1 : 0.5 * harness_below(r, 5);
        harness_ok(add_one_case(cases, f, n, LABEL[label], NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    hcbr_train_options_init(&o);
    o.model = rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
    o.effort = harness_below(r, 3) ? HCBR_EFFORT_LITE : HCBR_EFFORT_NORMAL;
    o.weight = rich && harness_below(r, 2) ? weight : NULL;
    o.scope = harness_below(r, 2) ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    o.passes = (uint32_t)harness_below(r, 3);
    o.seed = harness_next(r);
    harness_ok(hcbr_model_train(&w->model, cases, &o, &err), &err);
    draw_rule(r, w->labels, &rule, thresholds, rich);
    w->decider = harness_decider(w->model, &rule);
    harness_ok(hcbr_explainer_create(&w->explainer, w->model, NULL, &rule, &err), &err);
    hcbr_cases_free(cases);
}

static void free_world(world *w) {
    hcbr_explainer_free(w->explainer);
    hcbr_decider_free(w->decider);
    hcbr_model_free(w->model);
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* The label that the reasons are for, and their lead. */
static void check_label(const hcbr_decision *d, const hcbr_explanation *e) {
    hcbr_label expected = d->label >= 0 && d->winner >= 0 ? d->label : d->winner;
    assert_int_equal(e->label, expected);
    if (expected < 0)
        return;
    if (expected != d->winner)
        assert_int_equal(e->against, d->winner);
    assert_int_not_equal(e->against, e->label);
    double lead = d->support[e->label] - (e->against >= 0 ? d->support[e->against] : 0);
    assert_true(fabs(lead - e->lead) <= 1e-12 * (1 + fabs(d->support[e->label])));
    double sum = e->bias[e->label] - (e->against >= 0 ? e->bias[e->against] : 0), size = fabs(sum);
    assert_int_equal(e->atom_count, e->all_atoms);
    for (size_t g = 0; g < e->atom_count; g++) {
        sum += e->atoms[g].lead;
        size += fabs(e->atoms[g].lead);
    }
    assert_true(fabs(sum - e->lead) <= 1e-9 * size);
}

/* Every past case once, and for every label they add up. */
static void check_sums(const world *w, const hcbr_decision *d, const hcbr_explanation *e) {
    const hcbr_explained_case *lists[3] = {e->cases_for, e->cases_against, e->others};
    const size_t counts[3] = {e->for_count, e->against_count, e->other_count};
    const uint64_t all[3] = {e->all_for, e->all_against, e->all_others};
    bool shown[CASES] = {false};
    double sum[LABELS], size[LABELS];
    for (int l = 0; l < w->labels; l++)
        size[l] = fabs(sum[l] = e->bias[l]);
    for (int list = 0; list < 3; list++) {
        assert_int_equal(counts[list], all[list]);
        for (size_t n = 0; n < counts[list]; n++) {
            const hcbr_explained_case *c = &lists[list][n];
            bool any = false;
            assert_false(shown[c->index]);
            shown[c->index] = true;
            assert_true(list == 0 ? c->lead > 0 : list == 1 ? c->lead < 0 : c->lead == 0);
            for (int l = 0; l < w->labels; l++) {
                sum[l] += c->influence[l];
                size[l] += fabs(c->influence[l]);
                any |= c->influence[l] != 0;
            }
            assert_true(any);
        }
    }
    for (int l = 0; l < w->labels; l++)
        assert_true(fabs(sum[l] - d->support[l]) <= 1e-9 * size[l]);
}

/* Beside a past case: the same two labels, and differences that add up; an empty case has no lead
 * and shares nothing. */
static void check_versus(const world *w, const hcbr_feature *f, size_t n, uint64_t index,
                         const hcbr_explanation *e) {
    hcbr_comparison c = {.size = sizeof c};
    hcbr_kept_case kept = {.size = sizeof kept};
    hcbr_error err = {0};
    hcbr_label label = e->label, against = e->against;
    double lead = e->lead, influence = 0, support[LABELS] = {0};
    const hcbr_explained_case *lists[2] = {e->cases_for, e->cases_against};
    for (int list = 0; list < 2; list++)
        for (size_t i = 0; i < (list ? e->against_count : e->for_count); i++)
            if (lists[list][i].index == index)
                influence = lists[list][i].lead;
    memcpy(support, e->decision->support, (size_t)w->labels * sizeof *support);
    harness_ok(hcbr_explainer_compare(w->explainer, row_of(w->explainer, f, n), index, 1, &c, &err),
               &err);
    hcbr_model_get_kept(w->model, index, &kept);
    assert_int_equal(c.label, label);
    assert_int_equal(c.against, against);
    assert_true(c.lead_here == lead);
    assert_int_equal(c.past_empty, kept.feature_count == 0);
    double sum = c.rest, size = fabs(c.rest) + fabs(c.lead_here) + fabs(c.lead_there);
    for (size_t i = 0; i < c.shared + c.only_here + c.only_there; i++) {
        sum += c.features[i].here - c.features[i].there;
        size += fabs(c.features[i].here) + fabs(c.features[i].there);
    }
    assert_true(fabs(sum - (c.lead_here - c.lead_there)) <= 1e-9 * size);
    if (label >= 0)
        assert_true(fabs(c.past->lead - influence) <= 1e-9 * (1 + fabs(influence)));
    if (kept.feature_count == 0) {
        assert_true(c.lead_there == 0 && c.shared + c.only_there == 0);
        if (!w->rich)
            assert_true(c.past->lead == 0);
    }
}

/* Other calls speak of the same label. */
static void check_others(const world *w, const hcbr_feature *f, size_t n, const hcbr_decision *d,
                         hcbr_label label, double lead) {
    hcbr_flips flips = {.size = sizeof flips};
    hcbr_questions q = {.size = sizeof q};
    hcbr_error err = {0};
    hcbr_flip_options o;
    hcbr_label answer = d->label;
    hcbr_flip_options_init(&o);
    o.limit = 1000000;
    harness_ok(hcbr_explainer_flip(w->explainer, row_of(w->explainer, f, n), &o, &flips, &err),
               &err);
    assert_int_equal(flips.label, answer);
    assert_int_equal(flips.nothing_known, label < 0);
    assert_true(flips.steps <= flips.limit && flips.limit == o.limit);
    for (size_t i = 0; i < flips.count; i++) {
        const hcbr_flip *x = &flips.flips[i];
        hcbr_label of = x->label >= 0 ? x->label : x->winner;
        double best = -INFINITY;
        for (int l = 0; l < w->labels; l++) {
            hcbr_label_info info = {.size = sizeof info};
            hcbr_model_get_label_info(w->model, l, &info);
            if (l != of && (w->rich || info.total > 0) && x->support[l] > best)
                best = x->support[l];
        }
        assert_int_not_equal(x->label, answer);
        assert_true(fabs(x->support[of] - (isinf(best) ? 0 : best) - x->lead) <= 1e-9);
    }
    harness_ok(hcbr_explainer_ask(w->explainer, row_of(w->explainer, f, n), 3, &q, &err), &err);
    if (label >= 0)
        assert_true(q.of == label && q.lead == lead);
}

static void check_world(harness_random *r, bool rich, uint64_t *turned, uint64_t *without_lead,
                        uint64_t *empty) {
    world w;
    make_world(&w, r, rich);
    for (int k = 0; k < 6; k++) {
        hcbr_feature f[MOST];
        hcbr_explanation e = {.size = sizeof e};
        hcbr_explain_options o;
        hcbr_error err = {0};
        int score;
        size_t n = draw_case(r, f, &score);
        hcbr_decision d = {.size = sizeof d};
        harness_ok(hcbr_decider_decide(w.decider, row_by(w.decider, f, n), &d, &err), &err);
        hcbr_explain_options_init(&o);
        o.atoms = o.cases = SIZE_MAX;
        harness_ok(hcbr_explainer_explain(w.explainer, row_of(w.explainer, f, n), &o, &e, &err),
                   &err);
        assert_int_equal(e.decision->label, d.label);
        check_label(&d, &e);
        check_sums(&w, &d, &e);
        hcbr_label label = e.label;
        double lead = e.lead;
        *turned += label >= 0 && label != d.winner;
        *without_lead += e.all_others;
        *empty += w.empty_first && label >= 0 && k == 0;
        check_versus(&w, f, n, k == 0 ? 0 : harness_next(r) % hcbr_model_kept_count(w.model), &e);
        check_others(&w, f, n, &d, label, lead);
    }
    free_world(&w);
}

static void reasons__are_for_the_answer_and_add_up(void **unused) {
    (void)unused;
    const uint64_t seed = harness_seed(20261118), count = long_tier ? 3000 : 150;
    for (int rich = 0; rich < 2; rich++) {
        uint64_t turned = 0, without_lead = 0, empty = 0;
        for (uint64_t n = 0; n < count; n++) {
            harness_random r = {seed + n * 0x2545F4914F6CDD1Du};
            check_world(&r, rich, &turned, &without_lead, &empty);
        }
        print_message(
            "%s: %llu answers turned, %llu past cases without a lead, %llu times beside an "
            "empty one\n",
            rich ? "rich" : "plain", (unsigned long long)turned, (unsigned long long)without_lead,
            (unsigned long long)empty);
        assert_true(turned > count / 4 && without_lead > (rich ? 0 : count) && empty > count / 4);
    }
}

int main(int argc, char **argv) {
    for (int l = 0; l < LABELS; l++)
        snprintf(LABEL[l], sizeof LABEL[l], "l%d", 10 + l);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons__are_for_the_answer_and_add_up),
    };
    long_tier = harness_long(argc, argv);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
