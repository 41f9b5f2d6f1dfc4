/*
 * Reasons of rich models: contributions of groups and influences of past cases add up to the
 * support, on more than 10,000 random decisions with two and more labels; and influences are those
 * of a slow oracle that follows training again from what docs/FORMAT.md says.
 */
#include "engines.h"
#include "explain/explainer.h"
#include "rich/reasons/leaf_rows.h"
#include "rich/reasons/rich_reasons.h"
#include "rounds.h"
#include "row_of.h"
#include "unit/explain/rich_sample.h"

#include <math.h>
#include <stdio.h>

#include <hcbr/explain.h>

/* ---- sums ------------------------------------------------------------------------------------ */

enum { MOST_NAME = 512 };

/* A feature or test as it is read, numbers spelled alike. Returns its length. */
static size_t write_name(const hcbr_feature *f, char *to) {
    double x;
    char number[HCBR_NUMBER_SIZE];
    size_t n = f->key_length;
    assert_true(f->key_length + f->value_length + HCBR_NUMBER_SIZE + 2 < MOST_NAME);
    memcpy(to, f->key, n);
    if (f->value) {
        const bool is_number = hcbr_number_parse(&x, f->value, f->value_length);
        const size_t length = is_number ? hcbr_number_format(number, x) : f->value_length;
        to[n++] = '=';
        memcpy(to + n, is_number ? number : f->value, length);
        n += length;
    }
    to[n] = 0;
    return n;
}

/* Does every feature of one group stand in the other? */
static bool are_in(const hcbr_explained_atom *a, const hcbr_explained_atom *b) {
    for (size_t i = 0; i < a->feature_count; i++) {
        char own[MOST_NAME], other[MOST_NAME] = "";
        size_t j = 0;
        write_name(&a->features[i], own);
        for (; j < b->feature_count && strcmp(own, other) != 0; j++)
            write_name(&b->features[j], other);
        if (strcmp(own, other) != 0)
            return false;
    }
    return true;
}

/* No two groups read the same. */
static void check_names(const hcbr_explanation *e) {
    for (size_t g = 0; g < e->atom_count; g++)
        for (size_t h = 0; h < g; h++)
            assert_false(e->atoms[g].feature_count == e->atoms[h].feature_count &&
                         are_in(&e->atoms[g], &e->atoms[h]) && are_in(&e->atoms[h], &e->atoms[g]));
}

static void check_groups(const hcbr_explanation *e, size_t labels) {
    assert_int_equal(e->atom_count, e->all_atoms);
    double lead = 0;
    for (size_t l = 0; l < labels; l++) {
        double sum = e->bias[l], absolute = fabs(e->bias[l]);
        for (size_t g = 0; g < e->atom_count; g++) {
            sum += e->atoms[g].contribution[l];
            absolute += fabs(e->atoms[g].contribution[l]);
        }
        assert_true(fabs(sum - e->decision->support[l]) <= 1e-12 * absolute);
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
    assert_true(fabs(lead - e->decision->lead) <= 1e-9 * (1 + fabs(lead)));
}

static void check_cases(const hcbr_explanation *e, size_t labels) {
    for (size_t l = 0; l < labels; l++) {
        double sum = e->bias[l], absolute = e->influence_absolute[l] + fabs(e->bias[l]);
        const hcbr_explained_case *lists[] = {e->cases_for, e->cases_against, e->others};
        const size_t counts[] = {e->for_count, e->against_count, e->other_count};
        assert_true(counts[0] == e->all_for && counts[1] == e->all_against);
        assert_int_equal(counts[2], e->all_others);
        for (int list = 0; list < 3; list++)
            for (size_t n = 0; n < counts[list]; n++)
                sum += lists[list][n].influence[l];
        assert_true(fabs(e->influence_sum[l] - e->decision->support[l]) <= 1e-12 * absolute);
        assert_true(fabs(sum - e->decision->support[l]) <= 1e-12 * absolute);
    }
}

enum { MOST_CASES = 512 };

/* However a number is spelled. */
static bool is_same_value(const hcbr_feature *a, const hcbr_feature *b) {
    double x, y;
    if (!a->value || !b->value)
        return !a->value && !b->value;
    if (hcbr_number_parse(&x, a->value, a->value_length) &&
        hcbr_number_parse(&y, b->value, b->value_length))
        return x == y;
    return a->value_length == b->value_length && memcmp(a->value, b->value, a->value_length) == 0;
}

static bool has_feature(const hcbr_feature *list, size_t count, const hcbr_feature *f) {
    for (size_t n = 0; n < count; n++)
        if (list[n].key_length == f->key_length &&
            memcmp(list[n].key, f->key, f->key_length) == 0 && is_same_value(&list[n], f))
            return true;
    return false;
}

/* Does another value of the same column count instead? The largest number does, or the last. */
static bool is_passed_over(const hcbr_explained_atom *a, const hcbr_feature *f) {
    for (size_t n = 0; n < a->feature_count; n++) {
        const hcbr_feature *g = &a->features[n];
        double x, y;
        if (!f->value || !g->value || g->key_length != f->key_length ||
            memcmp(g->key, f->key, f->key_length) != 0)
            continue;
        if (hcbr_number_parse(&x, f->value, f->value_length) &&
                    hcbr_number_parse(&y, g->value, g->value_length)
                ? y > x
                : g > f)
            return true;
    }
    return false;
}

/* Past cases that have the features of a group, counted one by one. */
static uint64_t count_having(const hcbr_model *model, const hcbr_explained_atom *a) {
    uint64_t have = 0;
    for (uint64_t i = 0; i < hcbr_model_kept_count(model); i++) {
        hcbr_feature *list;
        size_t count, has = 0;
        assert_int_equal(hcbr_model_copy_kept(model, i, &list, &count, NULL), HCBR_OK);
        while (has < a->feature_count && (is_passed_over(a, &a->features[has]) ||
                                          has_feature(list, count, &a->features[has])))
            has++;
        have += has == a->feature_count;
        hcbr_bytes_free(list);
    }
    return have;
}

/* The past cases of a group that has them all add up to the group. Its count is of those that have
 * it, whether they weigh through it or not. */
static void check_group_cases(const hcbr_model *model, const hcbr_explanation *e, size_t labels) {
    for (size_t g = 0; g < e->atom_count; g++) {
        const hcbr_explained_atom *a = &e->atoms[g];
        if (a->kind == HCBR_ATOM_FEATURES)
            assert_int_equal(a->case_count, count_having(model, a));
        else
            assert_true(a->case_count >= a->shown_cases &&
                        a->case_count <= hcbr_model_kept_count(model));
        bool there[MOST_CASES] = {false};
        for (size_t n = 0; n < a->shown_cases; n++) { // each of them once
            assert_true(a->cases[n].index < MOST_CASES && !there[a->cases[n].index]);
            there[a->cases[n].index] = true;
        }
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

static uint64_t explain_some(rich_sample *s, hcbr_explainer *x, uint32_t decisions) {
    uint64_t done = 0;
    hcbr_explain_options o;
    hcbr_error err;
    hcbr_explain_options_init(&o);
    o.atoms = o.cases = SIZE_MAX;
    for (uint32_t d = 0; d < decisions; d++) {
        hcbr_feature f[RICH_FEATURES];
        char text[RICH_FEATURES][RICH_TEXT];
        uint32_t label;
        hcbr_explanation e = {.size = sizeof e};
        size_t n = sample_draw_case(f, text, s->labels, &label), labels = s->model->labels.count;
        o.atom_cases = d % 8 == 0 ? SIZE_MAX : 2;
        if (hcbr_explainer_explain(x, row_of(x, f, n), &o, &e, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        if (e.label < 0)
            continue;
        done++;
        check_groups(&e, labels);
        if (d % 4 == 0)
            check_names(&e);
        if (e.no_cases) {
            assert_null(e.influence_sum);
            assert_int_equal(e.all_for, 0);
            continue;
        }
        check_cases(&e, labels);
        if (o.atom_cases == SIZE_MAX)
            check_group_cases(s->model, &e, labels);
        for (size_t c = 0; c < e.for_count; c++)
            assert_true((e.cases_for[c].id != NULL) == (s->model->keep == HCBR_KEEP_FULL));
    }
    return done;
}

static void reasons__add_up_to_the_support(void **state) {
    (void)state;
    uint64_t done = 0;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; done < test_rounds(10500); round++) {
        rich_sample s = {0};
        hcbr_explainer *x;
        hcbr_error err;
        rich_sample_make(&s, 20 + (uint32_t)sample_draw(100),
                         (hcbr_keep)(round % 4 == 3 ? 0 : 1 + round % 2),
                         round % 3 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        if (round % 2)
            rich_sample_reload(&s);
        hcbr_i_index_most = round % 5 == 4 ? 0 : SIZE_MAX; // 0: no residuals are kept
        if (hcbr_explainer_create(&x, s.model, NULL, NULL, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        done += explain_some(&s, x, 120);
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
    hcbr_i_index_most = SIZE_MAX;
    print_message("%llu decisions\n", (unsigned long long)done);
}

/* ---- the oracle ------------------------------------------------------------------------------ */

static void reasons__are_those_of_the_oracle(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < test_rounds(40); round++) {
        static rich_oracle oracle;
        rich_sample s = {0};
        hcbr_explainer *x;
        hcbr_error err;
        hcbr_explain_options o;
        hcbr_explain_options_init(&o);
        o.cases = SIZE_MAX;
        uint32_t most = round % 10 == 9 ? 240 : 40; // of more than one block, too
        rich_sample_make(&s, 10 + most / 2 + (uint32_t)sample_draw(most), HCBR_KEEP_FULL,
                         HCBR_EFFORT_NORMAL);
        hcbr_i_index_most = round % 2 ? SIZE_MAX : 0;
        if (hcbr_explainer_create(&x, s.model, NULL, NULL, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        rich_oracle_init(&oracle, s.model);
        assert_int_equal(oracle.row_count, hcbr_i_model_rich(s.model)->rows);
        for (int d = 0; d < 3; d++) {
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
        }
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
}

/* ---- kept residuals -------------------------------------------------------------------------- */

static void same_numbers(const double *a, const double *b, size_t count) {
    assert_memory_equal(a, b, count * sizeof *a);
}

static void same_cases(const hcbr_explained_case *a, const hcbr_explained_case *b, size_t count,
                       size_t labels) {
    for (size_t n = 0; n < count; n++) {
        assert_int_equal(a[n].index, b[n].index);
        assert_true(a[n].lead == b[n].lead);
        same_numbers(a[n].influence, b[n].influence, labels);
    }
}

/* Two explanations are the same to the last bit. */
static void same_reasons(const hcbr_explanation *a, const hcbr_explanation *b, size_t labels) {
    assert_int_equal(a->label, b->label);
    assert_int_equal(a->atom_count, b->atom_count);
    assert_int_equal(a->for_count, b->for_count);
    assert_int_equal(a->against_count, b->against_count);
    assert_true(a->all_for == b->all_for && a->all_against == b->all_against);
    if (a->label < 0)
        return;
    same_numbers(a->bias, b->bias, labels);
    same_numbers(a->influence_sum, b->influence_sum, labels);
    same_numbers(a->influence_absolute, b->influence_absolute, labels);
    same_cases(a->cases_for, b->cases_for, a->for_count, labels);
    same_cases(a->cases_against, b->cases_against, a->against_count, labels);
    for (size_t g = 0; g < a->atom_count; g++) {
        assert_int_equal(a->atoms[g].case_count, b->atoms[g].case_count);
        assert_int_equal(a->atoms[g].shown_cases, b->atoms[g].shown_cases);
        same_numbers(a->atoms[g].contribution, b->atoms[g].contribution, labels);
        same_cases(a->atoms[g].cases, b->atoms[g].cases, a->atoms[g].shown_cases, labels);
    }
}

/* Some of the reasons of `all`, those that weigh most. */
static void check_few(const hcbr_explanation *few, const hcbr_explanation *all,
                      const hcbr_explain_options *o, size_t labels) {
    const hcbr_explained_case *sides[] = {all->cases_for, all->cases_against};
    size_t counts[] = {all->for_count, all->against_count};
    assert_int_equal(few->label, all->label);
    if (few->label < 0)
        return;
    assert_int_equal(few->all_atoms, all->all_atoms);
    assert_int_equal(few->atom_count, o->atoms < all->all_atoms ? o->atoms : all->all_atoms);
    same_numbers(few->bias, all->bias, labels);
    for (size_t g = 0; g < few->atom_count; g++) {
        assert_int_equal(few->atoms[g].kind, all->atoms[g].kind);
        same_numbers(few->atoms[g].contribution, all->atoms[g].contribution, labels);
    }
    if (o->cases == 0 && o->atom_cases == 0) { // they were not looked at
        assert_string_equal(few->no_cases, "none were asked for");
        assert_true(!few->influence_sum && !few->influence_absolute && few->all_for == 0);
        for (size_t g = 0; g < few->atom_count; g++)
            assert_true(few->atoms[g].case_count == 0 && few->atoms[g].shown_cases == 0);
        return;
    }
    assert_null(few->no_cases);
    assert_true(few->all_for == all->all_for && few->all_against == all->all_against);
    same_numbers(few->influence_sum, all->influence_sum, labels);
    assert_int_equal(few->for_count, o->cases < counts[0] ? o->cases : counts[0]);
    assert_int_equal(few->against_count, o->cases < counts[1] ? o->cases : counts[1]);
    same_cases(few->cases_for, sides[0], few->for_count, labels);
    same_cases(few->cases_against, sides[1], few->against_count, labels);
    for (size_t g = 0; g < few->atom_count; g++) {
        const hcbr_explained_atom *a = &few->atoms[g], *b = &all->atoms[g];
        assert_int_equal(a->case_count, b->case_count);
        assert_int_equal(a->shown_cases,
                         o->atom_cases < b->shown_cases ? o->atom_cases : b->shown_cases);
        same_cases(a->cases, b->cases, a->shown_cases, labels);
    }
}

static void reasons__few_are_the_first_of_all(void **state) {
    (void)state;
    for (uint32_t round = 0; round < test_rounds(60); round++) {
        rich_sample s = {0};
        hcbr_explainer *x[2];
        rich_sample_make(&s, 20 + (uint32_t)sample_draw(round % 10 == 9 ? 200 : 60), HCBR_KEEP_FULL,
                         round % 2 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        for (int i = 0; i < 2; i++)
            assert_int_equal(hcbr_explainer_create(&x[i], s.model, NULL, NULL, NULL), HCBR_OK);
        for (uint32_t d = 0; d < 10; d++) {
            hcbr_feature f[RICH_FEATURES];
            char text[RICH_FEATURES][RICH_TEXT];
            uint32_t label;
            hcbr_explanation few = {.size = sizeof few}, all = {.size = sizeof all};
            size_t n = sample_draw_case(f, text, s.labels, &label);
            hcbr_explain_options o = {sizeof o, SIZE_MAX, SIZE_MAX, SIZE_MAX, SIZE_MAX};
            assert_int_equal(hcbr_explainer_explain(x[0], row_of(x[0], f, n), &o, &all, NULL),
                             HCBR_OK);
            o = (hcbr_explain_options){sizeof o, (size_t)sample_draw(6), (size_t)sample_draw(8),
                                       (size_t)sample_draw(4), (size_t)sample_draw(3)};
            if (d % 4 == 0)
                o.cases = o.atom_cases = 0;
            assert_int_equal(hcbr_explainer_explain(x[1], row_of(x[1], f, n), &o, &few, NULL),
                             HCBR_OK);
            check_few(&few, &all, &o, s.model->labels.count);
        }
        for (int i = 0; i < 2; i++)
            hcbr_explainer_free(x[i]);
        hcbr_model_free(s.model);
    }
}

static void same_ranks(hcbr_explainer *a, hcbr_explainer *b, size_t labels) {
    hcbr_case_ranking first = {.size = sizeof first}, second = first;
    assert_int_equal(hcbr_explainer_rank(a, UINT64_MAX, SIZE_MAX, &first, NULL), HCBR_OK);
    assert_int_equal(hcbr_explainer_rank(b, UINT64_MAX, SIZE_MAX, &second, NULL), HCBR_OK);
    assert_int_equal(first.count, second.count);
    same_cases(first.cases, second.cases, first.count, labels);
    for (size_t n = 0; n < first.count; n++) { // each alone
        assert_int_equal(hcbr_explainer_rank(b, first.cases[n].index, 1, &second, NULL), HCBR_OK);
        assert_int_equal(second.count, 1);
        same_cases(&first.cases[n], second.cases, 1, labels);
    }
    assert_int_equal(hcbr_explainer_rank(b, UINT32_MAX, 1, &second, NULL), HCBR_EUSAGE);
}

static hcbr_explainer *explainer_make(const hcbr_model *model, size_t most) {
    hcbr_explainer *x;
    hcbr_error err;
    hcbr_i_index_most = most;
    if (hcbr_explainer_create(&x, model, NULL, NULL, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_i_index_most = SIZE_MAX;
    return x;
}

static const hcbr_i_rich_causes *causes_of(const hcbr_explainer *x) {
    return hcbr_i_reasons_of(&x->a)->causes;
}

/* Are all residuals? */
static bool is_kept(const hcbr_explainer *x) {
    const hcbr_i_rich_leaves *leaves = &causes_of(x)->leaves;
    return leaves->kept == leaves->chunks && leaves->residual;
}

/* Bytes of all that an explainer keeps of residuals; behind them there are 32 to read. */
static size_t kept_bytes(const hcbr_i_rich_causes *c) {
    const hcbr_i_rich_leaves *x = &c->leaves;
    size_t units = (size_t)x->kept * HCBR_I_RICH_FOLDS, starts = 0;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        starts += c->rich->boosted.model[j].leaf_count + 1;
    return (units + 1) * sizeof *x->first + x->kept * starts * sizeof *x->start +
           (size_t)x->first[units] * (sizeof *x->row + (size_t)x->width * c->rich->outputs) + 32;
}

static hcbr_explainer *explainer_asked(const hcbr_model *model, size_t most) {
    hcbr_explainer *x = explainer_make(model, most);
    hcbr_explanation e = {.size = sizeof e};
    const hcbr_feature f = {"x", 1, "5", 1};
    assert_int_equal(hcbr_explainer_explain(x, row_of(x, &f, 1), NULL, &e, NULL), HCBR_OK);
    return x;
}

/* Chunks of one block, of some and of all; memory for all of them, for none and for some. */
static void reasons__do_not_depend_on_what_is_kept(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    uint32_t whole = hcbr_i_rich_chunk_rows, partial = 0;
    for (uint32_t round = 0; round < 16; round++) {
        rich_sample s = {0};
        hcbr_i_rich_chunk_rows = round % 3 == 0 ? 1 : round % 3 == 1 ? 1024 : whole;
        rich_sample_make(&s, round % 4 ? 100 + (uint32_t)sample_draw(400) : 128 * (1 + round % 3),
                         round % 2 ? HCBR_KEEP_FULL : HCBR_KEEP_ANONYMOUS, HCBR_EFFORT_NORMAL);
        size_t labels = s.model->labels.count;
        hcbr_explainer *kept = explainer_make(s.model, SIZE_MAX);
        hcbr_explainer *followed = explainer_make(s.model, 0);
        hcbr_explainer *some = explainer_asked(s.model, SIZE_MAX);
        size_t bytes = causes_of(some)->boosted_count ? kept_bytes(causes_of(some)) : 1;
        hcbr_explainer_free(some);
        some = explainer_make(s.model, bytes / 4 + (size_t)sample_draw(bytes / 2 + 1));
        hcbr_explain_options o;
        hcbr_explain_options_init(&o);
        o.atoms = o.cases = SIZE_MAX;
        o.atom_cases = 4;
        if (round % 3 == 0) // before residuals were asked for
            same_ranks(kept, followed, labels);
        for (int d = 0; d < 6; d++) {
            hcbr_feature f[RICH_FEATURES];
            char text[RICH_FEATURES][RICH_TEXT];
            uint32_t label;
            hcbr_explanation a = {.size = sizeof a}, b = {.size = sizeof b}, c = b;
            size_t n = sample_draw_case(f, text, s.labels, &label);
            o.atoms = d % 2 ? (size_t)sample_draw(6) : SIZE_MAX;
            assert_int_equal(hcbr_explainer_explain(kept, row_of(kept, f, n), &o, &a, NULL),
                             HCBR_OK);
            assert_int_equal(hcbr_explainer_explain(followed, row_of(followed, f, n), &o, &b, NULL),
                             HCBR_OK);
            assert_int_equal(hcbr_explainer_explain(some, row_of(some, f, n), &o, &c, NULL),
                             HCBR_OK);
            same_reasons(&a, &b, labels);
            same_reasons(&a, &c, labels);
        }
        partial += causes_of(some)->leaves.kept > 0 && !is_kept(some);
        assert_true(is_kept(kept) || causes_of(kept)->boosted_count == 0);
        assert_int_equal(causes_of(followed)->leaves.kept, 0);
        assert_true(causes_of(some)->leaves.kept <= causes_of(some)->leaves.chunks);
        same_ranks(kept, followed, labels);
        hcbr_explainer_free(kept);
        hcbr_explainer_free(followed);
        hcbr_explainer_free(some);
        hcbr_model_free(s.model);
    }
    hcbr_i_rich_chunk_rows = whole;
    assert_true(partial > 0);
}

/* Memory that is granted is enough, or one chunk less is kept. */
static void reasons__keep_no_more_than_is_granted(void **state) {
    (void)state;
    rich_sample s = {0};
    rich_sample_make(&s, 300, HCBR_KEEP_FULL, HCBR_EFFORT_NORMAL);
    uint32_t whole = hcbr_i_rich_chunk_rows;
    for (int chunks = 0; chunks < 2; chunks++) {
        hcbr_i_rich_chunk_rows = chunks ? 1 : whole;
        hcbr_explainer *x = explainer_asked(s.model, SIZE_MAX);
        uint32_t all = causes_of(x)->leaves.chunks;
        assert_true(causes_of(x)->boosted_count > 0 && is_kept(x));
        assert_int_equal(all, chunks ? causes_of(x)->blocks.count : 1);
        size_t enough = kept_bytes(causes_of(x));
        hcbr_explainer_free(x);
        for (uint32_t less = 0; less < 2; less++) {
            x = explainer_asked(s.model, enough - less);
            const hcbr_i_rich_leaves *leaves = &causes_of(x)->leaves;
            assert_int_equal(leaves->kept, all - less);
            assert_true(leaves->kept > 0 ||
                        (!leaves->residual && !leaves->row && !leaves->first && !leaves->start));
            assert_true(leaves->kept == 0 || kept_bytes(causes_of(x)) <= enough - less);
            hcbr_explainer_free(x);
        }
    }
    hcbr_i_rich_chunk_rows = whole;
    hcbr_model_free(s.model);
}

/* One allocation of an explanation fails, whichever: the next explanation is as if none had. */
static void reasons__go_on_after_memory_was_short(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < 4; round++) {
        rich_sample s = {0};
        rich_sample_make(&s, 200, HCBR_KEEP_FULL, HCBR_EFFORT_NORMAL);
        size_t most = round % 2 ? SIZE_MAX : 0, labels = s.model->labels.count;
        hcbr_explainer *whole = explainer_make(s.model, most);
        hcbr_feature f[2] = {{"x", 1, "5.25", 4}, {"ape", 3, NULL, 0}};
        hcbr_explanation expected = {.size = sizeof expected};
        assert_int_equal(hcbr_explainer_explain(whole, row_of(whole, f, 2), NULL, &expected, NULL),
                         HCBR_OK);
        bool failed = true;
        int without = 0; // times that residuals were not kept, which goes without them
        for (uint64_t n = 1; failed; n++) {
            hcbr_explainer *x = explainer_make(s.model, most);
            hcbr_explanation e = {.size = sizeof e};
            hcbr_error err = {0};
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
            hcbr_row *row;
            hcbr_status st = hcbr_row_create(&row, x->decider, f, 2, &err);
            if (st == HCBR_OK)
                st = hcbr_explainer_explain(x, row, NULL, &e, &err);
            failed = hcbr_i_fault_count(HCBR_I_FAULT_ALLOC) >= n;
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
            if (st == HCBR_OK) {
                same_reasons(&e, &expected, labels);
                without += failed;
                assert_true(!failed || causes_of(x)->leaves.kept == 0);
            } else {
                assert_true(failed && st == HCBR_ENOMEM);
            }
            assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, 2), NULL, &e, NULL), HCBR_OK);
            same_reasons(&e, &expected, labels);
            hcbr_row_free(row);
            hcbr_explainer_free(x);
        }
        // Who was drawn, how many, four lists, and what is worked with to fill them.
        assert_int_equal(without, most > 0 && causes_of(whole)->boosted_count > 0 ? 8 : 0);
        hcbr_explainer_free(whole);
        hcbr_model_free(s.model);
    }
}

/* ---- comparisons, changes, questions --------------------------------------------------------- */

static void check_comparison(hcbr_explainer *x, const rich_sample *s, const hcbr_feature *f,
                             size_t n) {
    hcbr_comparison c = {.size = sizeof c};
    hcbr_explanation e = {.size = sizeof e};
    hcbr_explain_options o;
    hcbr_error err;
    uint64_t index = sample_draw(hcbr_model_kept_count(s->model));
    hcbr_explain_options_init(&o);
    o.cases = SIZE_MAX;
    if (hcbr_explainer_compare(x, row_of(x, f, n), index, 1, &c, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    if (c.label < 0)
        return;
    double sum = c.rest, absolute = fabs(c.rest) + fabs(c.lead_here) + fabs(c.lead_there);
    for (size_t i = 0; i < c.shared + c.only_here + c.only_there; i++) {
        sum += c.features[i].here - c.features[i].there;
        absolute += fabs(c.features[i].here) + fabs(c.features[i].there);
    }
    assert_true(fabs(sum - (c.lead_here - c.lead_there)) <= 1e-11 * absolute);
    double past = c.past->lead, there = c.lead_there, here = c.lead_here;
    hcbr_label label = c.label, against = c.against;
    assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), &o, &e, NULL), HCBR_OK);
    assert_true(here == e.decision->lead);
    for (int side = 0; side < 2; side++) { // the influence is that of the explanation
        const hcbr_explained_case *list = side ? e.cases_against : e.cases_for;
        for (size_t i = 0; i < (side ? e.against_count : e.for_count); i++)
            if (list[i].index == index)
                assert_true(fabs(list[i].lead - past) <= 1e-12 * (1 + fabs(past)));
    }
    hcbr_feature *own; // and lead_there that of a decision on the past case
    size_t count = 0;
    assert_int_equal(hcbr_model_copy_kept(s->model, index, &own, &count, NULL), HCBR_OK);
    hcbr_decision d = {.size = sizeof d};
    assert_int_equal(hcbr_explainer_explain(x, row_of(x, own, count), NULL, &e, NULL), HCBR_OK);
    hcbr_bytes_free(own);
    d = *e.decision;
    if (d.winner >= 0)
        assert_true(fabs(d.support[label] - (against >= 0 ? d.support[against] : 0) - there) <=
                    1e-11 * absolute);
}

/* Every change of one value that training has seen, tried by deciding. */
static bool one_change_does(hcbr_decider *decider, const hcbr_model *m, const hcbr_feature *f,
                            size_t n, hcbr_label answer) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_feature changed[RICH_FEATURES + 1];
    char kept_text[2 * RICH_TEXT];
    hcbr_decision d = {.size = sizeof d};
    hcbr_model_get_info(m, &info);
    for (size_t i = 0; i < n; i++) { // leave one out
        size_t count = 0;
        for (size_t k = 0; k < n; k++)
            if (k != i)
                changed[count++] = f[k];
        assert_int_equal(hcbr_decider_decide(decider, row_by(decider, changed, count), &d, NULL),
                         HCBR_OK);
        if (d.winner >= 0 && d.label != answer)
            return true;
    }
    for (uint64_t v = 0; v < info.features + info.cases * 8; v++) { // put one in, for its key's
        hcbr_feature more, *past;
        size_t count = 0, past_count;
        if (v < info.features) {
            hcbr_model_get_feature(m, (uint32_t)v, &more);
        } else { // a number that a past case has
            uint64_t number = (v - info.features) / 8, which = (v - info.features) % 8;
            if (number >= hcbr_model_kept_count(m))
                break;
            assert_int_equal(hcbr_model_copy_kept(m, number, &past, &past_count, NULL), HCBR_OK);
            if (which < past_count)
                more = past[which];
            char text[2 * RICH_TEXT] = {0};
            bool there = which < past_count && more.value && more.key_length < RICH_TEXT &&
                         more.value_length < RICH_TEXT;
            if (there) {
                memcpy(text, more.key, more.key_length);
                memcpy(text + RICH_TEXT, more.value, more.value_length);
                memcpy(kept_text, text, sizeof kept_text);
                more.key = kept_text;
                more.value = kept_text + RICH_TEXT;
            }
            hcbr_bytes_free(past);
            if (!there)
                continue;
        }
        for (size_t k = 0; k < n; k++)
            if (f[k].key_length != more.key_length ||
                memcmp(f[k].key, more.key, more.key_length) != 0)
                changed[count++] = f[k];
        changed[count++] = more;
        assert_int_equal(hcbr_decider_decide(decider, row_by(decider, changed, count), &d, NULL),
                         HCBR_OK);
        if (d.winner >= 0 && d.label != answer)
            return true;
    }
    return false;
}

/* Make the changes; the answer is the one that was promised. */
static void check_flip(hcbr_decider *decider, const hcbr_feature *f, size_t n,
                       const hcbr_flip *flip) {
    hcbr_feature changed[2 * RICH_FEATURES];
    hcbr_decision d = {.size = sizeof d};
    size_t count = 0;
    for (size_t i = 0; i < n; i++) {
        bool stays = true;
        for (size_t c = 0; c < flip->count; c++)
            stays &= !flip->changes[c].removed.key ||
                     !hcbr_i_feature_same(&flip->changes[c].removed, &f[i]);
        if (stays)
            changed[count++] = f[i];
    }
    for (size_t c = 0; c < flip->count; c++)
        if (flip->changes[c].added.key)
            changed[count++] = flip->changes[c].added;
    assert_int_equal(hcbr_decider_decide(decider, row_by(decider, changed, count), &d, NULL),
                     HCBR_OK);
    assert_int_equal(d.label, flip->label);
    assert_true(fabs(d.lead - flip->lead) <= 1e-12 * (1 + fabs(d.lead)));
}

static void check_changes(hcbr_explainer *x, hcbr_decider *decider, const rich_sample *s,
                          const hcbr_feature *f, size_t n) {
    hcbr_flips flips = {.size = sizeof flips};
    hcbr_questions q = {.size = sizeof q};
    assert_int_equal(hcbr_explainer_flip(x, row_of(x, f, n), NULL, &flips, NULL), HCBR_OK);
    for (size_t i = 0; i < flips.count; i++) {
        assert_true(flips.flips[i].label != flips.label);
        assert_int_equal(flips.flips[i].count, flips.flips[0].count);
        check_flip(decider, f, n, &flips.flips[i]);
    }
    hcbr_decision d = {.size = sizeof d};
    assert_int_equal(hcbr_decider_decide(decider, row_by(decider, f, n), &d, NULL), HCBR_OK);
    if (d.winner >= 0) {
        bool one = flips.count && flips.flips[0].count == 1;
        assert_int_equal(one, one_change_does(decider, s->model, f, n, d.label));
        assert_true(!one || flips.exact);
    }
    assert_int_equal(hcbr_explainer_ask(x, row_of(x, f, n), SIZE_MAX, &q, NULL), HCBR_OK);
    for (size_t i = 0; i < q.count; i++) {
        hcbr_feature longer[RICH_FEATURES + 1];
        const hcbr_possible_value *o = q.questions[i].lowest;
        memcpy(longer, f, n * sizeof *f);
        longer[n] = o->feature;
        assert_int_equal(hcbr_decider_decide(decider, row_by(decider, longer, n + 1), &d, NULL),
                         HCBR_OK);
        assert_int_equal(d.label, o->label);
        double lead = d.winner == q.label ? d.lead : o->lead;
        assert_true(fabs(lead - o->lead) <= 1e-11 * (1 + fabs(lead)));
        assert_true(o->lead <= q.questions[i].highest->lead);
        assert_true(i == 0 || q.questions[i - 1].expected >= q.questions[i].expected);
    }
}

static void reasons__compare_change_and_ask(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < test_rounds(25); round++) {
        rich_sample s = {0};
        hcbr_explainer *x;
        hcbr_decider *decider;
        hcbr_case_ranking ranked = {.size = sizeof ranked};
        rich_sample_make(&s, 15 + (uint32_t)sample_draw(60), HCBR_KEEP_FULL,
                         round % 2 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        assert_int_equal(hcbr_explainer_create(&x, s.model, NULL, NULL, NULL), HCBR_OK);
        assert_int_equal(hcbr_decider_create(&decider, s.model, NULL, NULL), HCBR_OK);
        for (int d = 0; d < 6; d++) {
            hcbr_feature f[RICH_FEATURES];
            char text[RICH_FEATURES][RICH_TEXT];
            uint32_t label;
            size_t n = sample_draw_case(f, text, s.labels, &label);
            check_comparison(x, &s, f, n);
            check_changes(x, decider, &s, f, n);
        }
        assert_int_equal(hcbr_explainer_rank(x, UINT64_MAX, 5, &ranked, NULL), HCBR_OK);
        hcbr_explained_case first = ranked.cases[0];
        for (size_t i = 1; i < ranked.count; i++)
            assert_true(ranked.cases[i].lead <= ranked.cases[i - 1].lead);
        hcbr_feature *own; // what it adds to a case just like it
        size_t n = 0;
        assert_int_equal(hcbr_model_copy_kept(s.model, first.index, &own, &n, NULL), HCBR_OK);
        hcbr_comparison c = {.size = sizeof c};
        assert_int_equal(hcbr_explainer_compare(x, row_of(x, own, n), first.index, 1, &c, NULL),
                         HCBR_OK);
        hcbr_bytes_free(own);
        double all = 0;
        for (uint32_t l = 0; l < s.model->labels.count; l++)
            all += fabs(c.past->influence[l]);
        assert_true(n == 0 || fabs(all - first.lead) <= 1e-11 * (1 + all));
        hcbr_decider_free(decider);
        hcbr_explainer_free(x);
        hcbr_model_free(s.model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reasons__add_up_to_the_support),
        cmocka_unit_test(reasons__are_those_of_the_oracle),
        cmocka_unit_test(reasons__few_are_the_first_of_all),
        cmocka_unit_test(reasons__do_not_depend_on_what_is_kept),
        cmocka_unit_test(reasons__keep_no_more_than_is_granted),
        cmocka_unit_test(reasons__go_on_after_memory_was_short),
        cmocka_unit_test(reasons__compare_change_and_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
