/*
 * What columns add: each group divided equally over the columns it tests, found here from the
 * groups that an explanation shows; and with the bias and the rest, the support of every label.
 * Random plain and rich models, of two and more labels, with cases kept and without.
 */
#include "add_case.h"
#include "row_of.h"
#include "seed.h"
#include "unit/explain/rich_sample.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>

#include <hcbr/explain.h>

enum { KEYS = 6, WORDS = 5, MOST = KEYS + WORDS, TEXT = 24, COLUMNS = KEYS + 1, LABELS = 5 };

static uint32_t draw(uint32_t below) {
    return (uint32_t)(sample_draw(below));
}

/* Keys k0 and k1 are numbers, k5 a bare one; words of the column `say`; a value may be missing. */
static size_t draw_case(hcbr_feature *f, char (*text)[2][TEXT], uint32_t labels, uint32_t *label) {
    size_t n = 0;
    *label = draw(labels);
    for (uint32_t k = 0; k < KEYS + WORDS; k++) {
        if (draw(k < KEYS ? 6 : 3) == 0)
            continue;
        if (k < KEYS)
            snprintf(text[n][0], TEXT, "k%u", k);
        else
            snprintf(text[n][0], TEXT, "say:w%u", k - KEYS);
        if (k < 2)
            snprintf(text[n][1], TEXT, "%u.%u", draw(4) + 2 * *label, draw(10));
        else
            snprintf(text[n][1], TEXT, k < KEYS ? "v%u" : "%u", draw(2) + (k % 2 ? *label : 1));
        const char *value = k == KEYS - 1 ? NULL : text[n][1];
        if (k >= KEYS && draw(labels) != *label)
            continue;
        f[n] = (hcbr_feature){text[n][0], strlen(text[n][0]), value, value ? strlen(value) : 0};
        n++;
    }
    return n;
}

static hcbr_model *make_model(hcbr_model_kind kind, uint32_t labels, hcbr_keep keep) {
    static const char *const texts[] = {"say"};
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    hcbr_read_options read;
    hcbr_error err;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < 60 + draw(60); i++) {
        hcbr_feature f[MOST];
        char text[MOST][2][TEXT], name[16];
        uint32_t label;
        size_t n = draw_case(f, text, labels, &label);
        snprintf(name, sizeof name, "l%u", i < labels ? i : label);
        assert_int_equal(add_one_case(cases, f, n, name, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_read_options_init(&read);
    read.text = texts;
    read.text_count = 1;
    hcbr_train_options_init(&o);
    o.model = kind;
    o.keep = keep;
    o.read = &read;
    if (hcbr_model_train(&model, cases, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_cases_free(cases);
    return model;
}

/* The column that a feature or a test is of, as in `1.5<k0<=3`; COLUMNS: none, as of "any case". */
static uint32_t column_of(const hcbr_feature *f) {
    for (size_t i = 0; i + 1 < f->key_length; i++) {
        if (f->key[i] == 'k' && isdigit((unsigned char)f->key[i + 1]))
            return (uint32_t)(f->key[i + 1] - '0');
        if (f->key_length - i > 4 && memcmp(f->key + i, "say:", 4) == 0)
            return KEYS;
    }
    return COLUMNS;
}

typedef struct naive {
    double by_label[COLUMNS + 1][LABELS]; /* the last is the rest */
    double lead[COLUMNS + 1], absolute[COLUMNS + 1];
    bool met[COLUMNS + 1];
} naive;

static void divide_groups(const hcbr_explanation *e, uint32_t labels, naive *out) {
    memset(out, 0, sizeof *out);
    assert_int_equal(e->atom_count, e->all_atoms);
    for (size_t g = 0; g < e->atom_count; g++) {
        const hcbr_explained_atom *a = &e->atoms[g];
        bool tests[COLUMNS + 1] = {false};
        uint32_t count = 0;
        for (size_t i = 0; i < a->feature_count; i++)
            tests[column_of(&a->features[i])] = true;
        for (uint32_t c = 0; c <= COLUMNS; c++)
            count += tests[c];
        assert_true(count > 0 && (!tests[COLUMNS] || count == 1));
        for (uint32_t c = 0; c <= COLUMNS; c++) {
            if (!tests[c])
                continue;
            out->met[c] = true;
            out->lead[c] += a->lead / count;
            for (uint32_t l = 0; l < labels; l++) {
                out->by_label[c][l] += a->contribution[l] / count;
                out->absolute[c] += fabs(a->contribution[l]) + fabs(a->lead);
            }
        }
    }
}

static void check_sums(const hcbr_explanation *e, uint32_t labels) {
    for (uint32_t l = 0; l < labels; l++) {
        double sum = e->bias[l] + e->rest[l], absolute = fabs(e->bias[l]) + fabs(e->rest[l]);
        for (size_t n = 0; n < e->column_count; n++) {
            const hcbr_explained_column *c = &e->columns[n];
            sum += c->contribution[l];
            absolute += fabs(c->contribution[l]);
        }
        for (size_t g = 0; g < e->atom_count; g++)
            absolute += fabs(e->atoms[g].contribution[l]);
        assert_true(fabs(sum - e->decision->support[l]) <= 1e-12 * absolute);
    }
}

static void check_columns(const hcbr_explanation *e, uint32_t labels) {
    naive expected;
    size_t count = 0;
    divide_groups(e, labels, &expected);
    for (uint32_t c = 0; c < COLUMNS; c++)
        count += expected.met[c];
    assert_int_equal(e->column_count, count);
    assert_int_equal(e->all_columns, count);
    for (uint32_t l = 0; l < labels; l++)
        assert_true(fabs(e->rest[l] - expected.by_label[COLUMNS][l]) <=
                    1e-12 * expected.absolute[COLUMNS]);
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        hcbr_feature name = {.key = c->name, .key_length = c->name_length};
        bool text = c->name_length == 3 && memcmp(c->name, "say", 3) == 0;
        uint32_t k = text ? KEYS : column_of(&name);
        assert_true(text || (c->name_length == 2 && k < KEYS));
        assert_true(expected.met[k]);
        expected.met[k] = false; // each once
        assert_true(fabs(c->lead - expected.lead[k]) <= 1e-12 * expected.absolute[k]);
        for (uint32_t l = 0; l < labels; l++)
            assert_true(fabs(c->contribution[l] - expected.by_label[k][l]) <=
                        1e-12 * expected.absolute[k]);
        if (n == 0)
            continue;
        const hcbr_explained_column *before = &e->columns[n - 1];
        assert_true(fabs(before->lead) >= fabs(c->lead));
        assert_true(
            fabs(before->lead) > fabs(c->lead) ||
            hcbr_i_text_compare(before->name, before->name_length, c->name, c->name_length) < 0);
    }
    check_sums(e, labels);
}

/* With fewer, the first of them; with none, nothing of columns. */
static void check_fewer(hcbr_explainer *x, const hcbr_feature *f, size_t n,
                        const hcbr_explained_column *all, size_t count) {
    hcbr_explain_options o;
    hcbr_explain_options_init(&o);
    o.columns = 2;
    hcbr_explanation e = {.size = sizeof e};
    assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), &o, &e, NULL), HCBR_OK);
    assert_int_equal(e.all_columns, count);
    assert_int_equal(e.column_count, count < 2 ? count : 2);
    for (size_t i = 0; i < e.column_count; i++) {
        assert_true(e.columns[i].name_length == all[i].name_length &&
                    memcmp(e.columns[i].name, all[i].name, all[i].name_length) == 0);
        assert_true(e.columns[i].lead == all[i].lead);
    }
    o.columns = 0;
    assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), &o, &e, NULL), HCBR_OK);
    assert_true(e.columns == NULL && e.rest == NULL && e.all_columns == 0 && e.column_count == 0);
    assert_true(e.label < 0 || e.atom_count > 0);
}

static void columns__are_equal_parts_of_the_groups(void **state) {
    (void)state;
    uint64_t rests = 0, texts = 0, done = 0;
    for (uint32_t round = 0; round < 36; round++) {
        uint32_t labels = round % 3 == 2 ? LABELS : 2 + round % 2;
        hcbr_model *model = make_model(round % 2 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, labels,
                                       round % 4 < 2 ? HCBR_KEEP_FULL : HCBR_KEEP_NONE);
        hcbr_explainer *x;
        hcbr_explain_options o;
        assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
        hcbr_explain_options_init(&o);
        assert_true(o.columns == SIZE_MAX);
        o.atoms = SIZE_MAX;
        for (uint32_t i = 0; i < 40; i++) {
            hcbr_feature f[MOST];
            char text[MOST][2][TEXT];
            uint32_t label;
            size_t n = draw_case(f, text, labels, &label);
            hcbr_explanation e = {.size = sizeof e};
            o.cases = o.atom_cases = i % 3;
            assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), &o, &e, NULL), HCBR_OK);
            if (e.label < 0) {
                assert_true(e.column_count == 0 && e.rest != NULL);
                continue;
            }
            done++;
            check_columns(&e, labels);
            rests += e.rest[0] != 0;
            for (size_t c = 0; c < e.column_count; c++)
                texts += e.columns[c].name_length == 3;
            hcbr_explained_column shown[COLUMNS];
            memcpy(shown, e.columns, e.column_count * sizeof *shown);
            check_fewer(x, f, n, shown, e.column_count);
        }
        hcbr_explainer_free(x);
        hcbr_model_free(model);
    }
    print_message("%llu cases, of %llu a rest\n", (unsigned long long)done,
                  (unsigned long long)rests);
    assert_true(done > 1000 && texts > 100);
}

/* ---- side by side ---------------------------------------------------------------------------- */

static void check_beside(const hcbr_comparison *a, const hcbr_comparison *b) {
    double moved = a->rest, size = fabs(a->rest) + fabs(a->lead_here) + fabs(a->lead_there);
    assert_true(a->label == b->label && a->against == b->against);
    assert_true(a->shared == b->shared && a->only_here == b->only_here);
    assert_true(a->only_there == b->only_there && a->column_count == b->column_count);
    assert_true(a->lead_here == b->lead_here && a->lead_there == b->lead_there);
    assert_true(a->rest == b->rest);
    for (size_t c = 0; c < a->column_count; c++) {
        const hcbr_compared_column *p = &a->columns[c], *q = &b->columns[c];
        assert_true(p->lead_here == q->lead_here && p->lead_there == q->lead_there);
        assert_true(p->alike == q->alike && p->shared == q->shared);
        moved += p->lead_here - p->lead_there;
        size += fabs(p->lead_here) + fabs(p->lead_there);
    }
    if (!a->past_empty && a->label >= 0)
        assert_true(fabs(moved - (a->lead_here - a->lead_there)) <= 1e-12 * size);
}

/* What one explainer remembers of cases, past cases and leaves is what another one finds out. */
static void beside__is_what_a_new_explainer_says(void **state) {
    (void)state;
    uint64_t done = 0;
    for (uint32_t round = 0; round < 12; round++) {
        const uint32_t labels = round % 3 == 2 ? LABELS : 2 + round % 2;
        hcbr_model *model =
            make_model(round % 4 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, labels, HCBR_KEEP_FULL);
        const uint32_t kept = (uint32_t)hcbr_model_kept_count(model);
        hcbr_explainer *x, *fresh;
        assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
        for (uint32_t i = 0; i < 30; i++) {
            hcbr_feature f[MOST];
            char text[MOST][2][TEXT];
            uint32_t label;
            const size_t n = draw_case(f, text, labels, &label);
            hcbr_explanation e = {.size = sizeof e};
            if (draw(3))
                assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), NULL, &e, NULL),
                                 HCBR_OK);
            for (uint32_t k = 0; k < 6; k++) {
                const uint64_t past = draw(kept < 8 ? kept : 8); // the same ones again
                hcbr_comparison a = {.size = sizeof a}, b = {.size = sizeof b};
                assert_int_equal(hcbr_explainer_compare(x, row_of(x, f, n), past, 0, &a, NULL),
                                 HCBR_OK);
                assert_int_equal(hcbr_explainer_create(&fresh, model, NULL, NULL, NULL), HCBR_OK);
                assert_int_equal(
                    hcbr_explainer_compare(fresh, row_of(fresh, f, n), past, 0, &b, NULL), HCBR_OK);
                check_beside(&a, &b);
                hcbr_explainer_free(fresh);
                done++;
            }
        }
        hcbr_explainer_free(x);
        hcbr_model_free(model);
    }
    assert_true(done == 12 * 30 * 6);
}

/* The mean of absolute leads, over all cases that were added. */
static void importance__is_the_mean_of_absolute_leads(void **state) {
    (void)state;
    double absolute[COLUMNS] = {0}, lead[COLUMNS] = {0};
    uint64_t cases[COLUMNS] = {0}, all = 0;
    hcbr_model *model = make_model(HCBR_MODEL_RICH, 3, HCBR_KEEP_NONE);
    hcbr_explainer *x;
    hcbr_importance *sum;
    hcbr_explain_options few;
    hcbr_important_columns out = {.size = sizeof out};
    hcbr_explain_options_init(&few);
    few.columns = 1;
    assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
    assert_int_equal(hcbr_importance_create(&sum, NULL), HCBR_OK);
    assert_int_equal(hcbr_importance_get(sum, &out, NULL), HCBR_OK);
    assert_true(out.count == 0 && out.cases == 0);
    for (uint32_t i = 0; i < 50; i++) {
        hcbr_feature f[MOST];
        char text[MOST][2][TEXT];
        uint32_t label;
        size_t n = i == 7 ? 0 : draw_case(f, text, 3, &label); // nothing weighs in an empty one
        hcbr_explanation e = {.size = sizeof e};
        assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), &few, &e, NULL), HCBR_OK);
        if (e.all_columns > 1)
            assert_int_equal(hcbr_importance_add(sum, &e, NULL), HCBR_EUSAGE);
        assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, n), NULL, &e, NULL), HCBR_OK);
        assert_int_equal(hcbr_importance_add(sum, &e, NULL), HCBR_OK);
        all++;
        for (size_t c = 0; c < e.column_count; c++) {
            hcbr_feature name = {.key = e.columns[c].name, .key_length = e.columns[c].name_length};
            uint32_t k = name.key_length == 3 ? KEYS : column_of(&name);
            absolute[k] += fabs(e.columns[c].lead);
            lead[k] += e.columns[c].lead;
            cases[k]++;
        }
    }
    assert_int_equal(hcbr_importance_get(sum, &out, NULL), HCBR_OK);
    assert_int_equal(out.cases, all);
    for (size_t n = 0; n < out.count; n++) {
        const hcbr_important_column *c = &out.columns[n];
        hcbr_feature name = {.key = c->name, .key_length = c->name_length};
        uint32_t k = c->name_length == 3 ? KEYS : column_of(&name);
        assert_true(fabs(c->importance - absolute[k] / (double)all) <= 1e-12 * absolute[k]);
        assert_true(fabs(c->lead - lead[k] / (double)all) <= 1e-12 * absolute[k]);
        assert_int_equal(c->cases, cases[k]);
        assert_true(n == 0 || out.columns[n - 1].importance >= c->importance);
        cases[k] = 0;
    }
    for (uint32_t k = 0; k < COLUMNS; k++)
        assert_int_equal(cases[k], 0);
    hcbr_importance_free(sum);
    hcbr_importance_free(NULL);
    hcbr_explainer_free(x);
    hcbr_model_free(model);
}

int main(void) {
    sample_seed = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns__are_equal_parts_of_the_groups),
        cmocka_unit_test(beside__is_what_a_new_explainer_says),
        cmocka_unit_test(importance__is_the_mean_of_absolute_leads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
