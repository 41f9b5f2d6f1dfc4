/*
 * The rich model against the naive one of this folder, on random tables: what kind each column is,
 * its cuts, the rows and folds, every tree, what each family says of every case, how far each is
 * trusted, and the probabilities of held-out cases.
 */
#include "base/simd.h"
#include "property/harness.h"
#include "reference/naive_rich.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <xxhash.h>

#include <cmocka.h>

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define SLOW 1
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define SLOW 1
#endif
#ifndef SLOW
#define SLOW 0
#endif

static bool is_long;

/* ---- tables ---------------------------------------------------------------------------------- */

/* How a table is drawn. */
typedef struct shape {
    uint32_t rows, labels;
    int weights; /* 0 none, 1 whole, 2 fractions, 3 some of them large, 4 some very large */
    int values;  /* of the fine number */
    int missing; /* one value in this many */
    int repeat;  /* one case in this many repeats an earlier one, with its own label or not */
    int words;   /* bare features */
    int groups;  /* 0 none, else about so many */
    bool set, sparse, mixed, constant, category, few, fine;
} shape;

static void add(naive_case *c, const char *key, const char *value) {
    naive_feature *f = &c->feature[c->count++];
    *f = (naive_feature){.bare = !value};
    snprintf(f->key, sizeof f->key, "%s", key);
    if (value)
        snprintf(f->value, sizeof f->value, "%s", value);
}

/* A number in one of the ways it can be written. */
static void add_number(naive_case *c, harness_random *r, const char *key, double x) {
    static const char *const WAY[] = {"%g", "%g", "%g", "%.1f", "%.2e"};
    char text[12];
    snprintf(text, sizeof text, WAY[harness_below(r, 5)], x);
    add(c, key, text);
}

static void draw_words(naive_case *c, harness_random *r, const shape *s) {
    static const char *const WORD[] = {"ape", "bee", "cat", "dog"};
    for (int w = 0; w < s->words; w++)
        if (harness_below(r, 2 + w) == 0)
            add(c, WORD[w], NULL);
    for (int v = 0; s->set && v < 5; v++)
        if (harness_below(r, 3) == 0) {
            char text[8];
            snprintf(text, sizeof text, "s%d", v);
            add(c, "set", text);
        }
}

/* The label follows some of the values, but not always. */
static void draw_case(naive_case *c, harness_random *r, const shape *s) {
    double fine = harness_below(r, s->values) / 4.0 - 3;
    int few = harness_below(r, 4), colour = harness_below(r, 5);
    char text[8];
    *c = (naive_case){.weight = 1};
    if (s->fine && harness_below(r, s->missing))
        add_number(c, r, "x", fine);
    if (s->few && harness_below(r, s->missing))
        add_number(c, r, "few", few * few);
    snprintf(text, sizeof text, "c%d", colour);
    if (s->category && harness_below(r, s->missing))
        add(c, "colour", text);
    if (s->sparse && harness_below(r, 10) == 0)
        add_number(c, r, "rare", 1 + harness_below(r, 12));
    snprintf(text, sizeof text, harness_below(r, 3) ? "%d" : "m%d", harness_below(r, 6));
    if (s->mixed)
        add(c, "mixed", text);
    if (s->constant)
        add(c, "one", "same");
    draw_words(c, r, s);
    int truth = (fine > s->values / 8.0 - 3) + (colour == 2) + (few > 1);
    c->label = (uint32_t)(harness_below(r, 5) ? truth : harness_below(r, 12)) % s->labels;
}

static double draw_weight(harness_random *r, int way) {
    switch (way) {
    case 1:
        return harness_below(r, 4);
    case 2:
        return harness_below(r, 8) ? harness_below(r, 1000) / 400.0 : 0;
    case 3:
        return harness_below(r, 6) ? 1 + harness_below(r, 5) : 20 + harness_below(r, 150);
    case 4:
        return harness_below(r, 6) ? 1 + harness_below(r, 5) : pow(10, 2 + harness_below(r, 4));
    default:
        return 1;
    }
}

/* Labels are numbered by their names; labels without a case are dropped. */
static void number_labels(naive_data *data) {
    bool met[NAIVE_LABELS] = {false};
    uint32_t number[NAIVE_LABELS] = {0};
    for (uint32_t i = 0; i < data->count; i++)
        met[data->item[i].label] = true;
    data->labels = 0;
    for (uint32_t l = 0; l < NAIVE_LABELS; l++)
        number[l] = met[l] ? data->labels++ : 0;
    for (uint32_t i = 0; i < data->count; i++)
        data->item[i].label = number[data->item[i].label];
}

static void draw_data(naive_data *data, harness_random *r, const shape *s) {
    *data = (naive_data){.count = s->rows, .weighted = s->weights > 0};
    data->numeric = harness_below(r, 6) ? NULL : "mixed";
    data->categorical = harness_below(r, 6) ? NULL : "few";
    for (uint32_t i = 0; i < s->rows; i++) {
        naive_case *c = &data->item[i];
        draw_case(c, r, s);
        if (i && harness_below(r, s->repeat) == 0) {
            uint32_t label = c->label;
            *c = data->item[harness_below(r, (int)i)];
            c->label = harness_below(r, 2) ? label : c->label;
        }
        c->weight = draw_weight(r, s->weights);
        if (s->groups) {
            snprintf(c->in, sizeof c->in, "g%d", harness_below(r, s->groups));
            c->group = XXH3_64bits(c->in, strlen(c->in));
        }
    }
    number_labels(data);
}

static shape draw_shape(harness_random *r, bool large) {
    static const int MISSING[] = {3, 8, 1000000};
    shape s = {.rows = 2 + (uint32_t)harness_below(r, harness_below(r, 4) ? 60 : 12),
               .labels = 2 + (uint32_t)harness_below(r, 4),
               .weights = harness_below(r, 2) ? 0 : 1 + harness_below(r, 4),
               .values = 1 + harness_below(r, 3) * 40 + harness_below(r, 6),
               .missing = MISSING[harness_below(r, 3)],
               .repeat = harness_below(r, 2) ? 1000000 : 2 + harness_below(r, 6),
               .words = harness_below(r, 2) ? 0 : 1 + harness_below(r, 4)};
    s.groups = harness_below(r, 4) ? 0 : 1 + harness_below(r, 20);
    s.fine = harness_below(r, 4) > 0;
    s.few = harness_below(r, 2);
    s.category = harness_below(r, 2);
    s.set = harness_below(r, 3) == 0;
    s.sparse = harness_below(r, 3) == 0;
    s.mixed = harness_below(r, 4) == 0;
    s.constant = harness_below(r, 6) == 0;
    if (large) {
        s.rows = 90 + (uint32_t)harness_below(r, 500);
        s.values = 2000;
        s.weights %= 4; // the stack of many very heavy cases is flat: it ends by chance
        s.sparse = s.fine = true;
    }
    return s;
}

/* ---- constants ------------------------------------------------------------------------------- */

static const hcbr_i_rich_effort EFFORT[] = {HCBR_I_RICH_LITE, HCBR_I_RICH_NORMAL, HCBR_I_RICH_MAX};

/* Those of an effort, or others; few trees where there are many rows. */
static hcbr_i_rich_tuning draw_tuning(harness_random *r, bool large) {
    hcbr_i_rich_tuning t = naive_tuning(EFFORT[harness_below(r, 3)]);
    uint32_t forest[] = {t.forest_trees / 4, 5, 12};
    t.forest_trees = harness_below(r, 8) ? forest[harness_below(r, 3)] : t.forest_trees;
    t.medium = harness_below(r, 3) ? 2000 : 5 + (uint32_t)harness_below(r, 50);
    t.newton = harness_below(r, 2) ? 10000 : 5;
    t.laid = harness_below(r, 2) ? 2000 : 0;
    t.stack_cases = harness_below(r, 3) ? 65536 : 20 + (uint32_t)harness_below(r, 60);
    t.stack_many = harness_below(r, 2) ? 8192 : 10;
    t.forest_trust = harness_below(r, 3) ? 0.1 : 0.6;
    t.linear_trust = harness_below(r, 3) ? 0.1 : 0.5;
    t.large = harness_below(r, 2) ? 10000 : t.medium + (uint32_t)harness_below(r, 20);
    if (harness_below(r, 2)) {
        t.patience = 2 + (uint32_t)harness_below(r, 12);
        t.draw = harness_below(r, 2) ? 1 : 0.6;
        t.most_drawn = harness_below(r, 2) ? 80000 : 20;
        t.fewest_columns = 1 + (uint32_t)harness_below(r, 4);
        t.cases_per_cut = 4 + harness_below(r, 30);
        t.linear_cuts = 1 + (uint32_t)harness_below(r, 20);
        t.linear_passes = 1 + (uint32_t)harness_below(r, 8);
        t.forest_cuts = 1 + harness_below(r, 3);
        t.forest_prior = 0.5 + harness_below(r, 3);
        t.forest_cases = harness_below(r, 2) ? 30000 : 3 + harness_below(r, 60);
    }
    if (large) {
        t.most_trees = 8;
        t.forest_trees = 3;
        t.linear_passes = 4;
    }
    if (harness_below(r, 6) == 0)
        t.family[harness_below(r, 3)] = false;
    if (harness_below(r, 4) == 0) { // three labels are many
        static const double RIVALS[] = {0.3, 1, 2.5, 64};
        t.many = 2;
        t.rivals = RIVALS[harness_below(r, 4)];
        t.samples = harness_below(r, 2) ? 1u << 20 : 20 + (uint32_t)harness_below(r, 100);
        t.fewest_samples = 1 + (uint32_t)harness_below(r, 20);
    }
    return t;
}

static void reference__states_the_constants(void **state) {
    (void)state;
    for (size_t e = 0; e < sizeof EFFORT / sizeof *EFFORT; e++) {
        hcbr_i_rich_tuning a = naive_tuning(EFFORT[e]), b;
        memset(&b, 0, sizeof b);
        hcbr_i_rich_tuning_init(&b, EFFORT[e]);
        assert_memory_equal(a.family, b.family, sizeof a.family);
        const uint32_t whole[2][18] = {
            {a.fewest_numbers, a.linear_cuts, a.linear_passes, a.depth[0], a.depth[1], a.most_trees,
             a.patience, a.fewest_columns, a.forest_trees, a.medium, a.large, a.many, a.samples,
             a.fewest_samples, a.newton, a.laid, a.stack_cases, a.stack_many},
            {b.fewest_numbers, b.linear_cuts, b.linear_passes, b.depth[0], b.depth[1], b.most_trees,
             b.patience, b.fewest_columns, b.forest_trees, b.medium, b.large, b.many, b.samples,
             b.fewest_samples, b.newton, b.laid, b.stack_cases, b.stack_many}};
        const double real[2][22] = {
            {a.linear_precision, a.linear_c,     a.stop_gain,    a.rate,        a.draw,
             a.columns,          a.lambda,       a.least_h,      a.cuts,        a.cases_per_cut,
             a.forest_prior,     a.forest_least, a.forest_cases, a.forest_cuts, a.forest_columns,
             a.stack_pull,       a.rivals,       a.least_draw,   a.most_drawn,  a.forest_first,
             a.forest_trust,     a.linear_trust},
            {b.linear_precision, b.linear_c,     b.stop_gain,    b.rate,        b.draw,
             b.columns,          b.lambda,       b.least_h,      b.cuts,        b.cases_per_cut,
             b.forest_prior,     b.forest_least, b.forest_cases, b.forest_cuts, b.forest_columns,
             b.stack_pull,       b.rivals,       b.least_draw,   b.most_drawn,  b.forest_first,
             b.forest_trust,     b.linear_trust}};
        assert_memory_equal(whole[0], whole[1], sizeof whole[0]);
        assert_memory_equal(real[0], real[1], sizeof real[0]);
    }
}

/* ---- both models ----------------------------------------------------------------------------- */

static hcbr_cases *make_cases(const naive_data *data) {
    static const char *const LABEL[] = {"la", "lb", "lc", "ld", "le", "lf"};
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (uint32_t i = 0; i < data->count; i++) {
        const naive_case *c = &data->item[i];
        hcbr_feature f[NAIVE_FEATURES];
        for (uint32_t j = 0; j < c->count; j++) {
            const naive_feature *x = &c->feature[j];
            f[j] = (hcbr_feature){x->key, strlen(x->key), x->bare ? NULL : x->value,
                                  x->bare ? 0 : strlen(x->value)};
        }
        hcbr_labelled_case one;
        hcbr_labelled_case_init(&one);
        one.features = f;
        one.feature_count = c->count;
        one.label = LABEL[c->label];
        one.group = c->in;
        assert_int_equal(hcbr_cases_add(cases, &one, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_get_info(cases).labels, data->labels);
    return cases;
}

/* What is compared, and where it is. */
typedef struct pair {
    const naive_data *data;
    const naive_model *naive;
    const hcbr_i_rich *rich;
    const hcbr_cases *cases;
    uint32_t table; /* number of the table */
    bool few_draws; /* by the trees of the forest */
    double loose;   /* what sums of heavy cases lose by rounding, where 1 is usual */
    double stacked; /* likewise of the stack: a fold of one very heavy case makes its loss so flat
                       that it ends by chance, and it is not compared */
} pair;

static void close_to(const pair *p, const char *what, uint32_t at, double naive, double rich,
                     double precision) {
    if (!(fabs(naive - rich) <= precision * (1 + fabs(naive))))
        fail_msg("table %u: %s of %u is %.17g, %.17g by the definition", p->table, what, at, rich,
                 naive);
}

static void same(const pair *p, const char *what, uint32_t at, uint64_t naive, uint64_t rich) {
    if (naive != rich)
        fail_msg("table %u: %s of %u is %llu, %llu by the definition", p->table, what, at,
                 (unsigned long long)rich, (unsigned long long)naive);
}

static void compare_columns(const pair *p) {
    const hcbr_i_rich_encoder *e = &p->rich->encoder;
    const naive_table *t = &p->naive->table;
    same(p, "columns", 0, t->columns, e->column_count);
    same(p, "members", 0, t->members, e->bag_count);
    same(p, "rows", 0, t->rows, p->rich->rows);
    for (uint32_t k = 0; k < e->key_count; k++) {
        hcbr_i_text name = hcbr_i_dict_key(e->dict, k);
        const naive_key *key = NULL;
        for (uint32_t j = 0; j < t->key_count; j++)
            if (strlen(t->key[j].name) == name.length &&
                memcmp(t->key[j].name, name.at, name.length) == 0)
                key = &t->key[j];
        same(p, "kind", k, key ? key->kind : HCBR_I_RICH_UNUSED, e->keys[k].kind);
        if (!key)
            continue;
        same(p, "cuts", k, key->cut_count, e->keys[k].cut_count);
        for (uint32_t j = 0; j < key->cut_count; j++)
            close_to(p, "cut", j, key->cut[j], e->cuts[e->keys[k].cut_start + j], 0);
    }
}

/* Nodes of a tree that begins at `at`. Returns the one behind it. */
static uint32_t compare_tree(const pair *p, const hcbr_i_rich_forest *f, uint32_t at,
                             const naive_tree *tree, uint32_t node) {
    const hcbr_i_rich_node *a = &f->nodes[at];
    const naive_node *b = &tree->node[node];
    same(p, "test", at, b->test, a->test);
    if (b->test == UINT32_MAX) {
        for (uint32_t l = 0; l < f->outputs; l++)
            close_to(p, "value", at, b->value[l], f->values[(size_t)a->no * f->outputs + l], 1e-15);
        return at + 1;
    }
    same(p, "least code", at, b->lo, a->lo);
    same(p, "largest code", at, b->hi, a->hi);
    uint32_t next = compare_tree(p, f, at + 1, tree, b->yes);
    same(p, "other part", at, next, a->no);
    return compare_tree(p, f, next, tree, b->no);
}

static void compare_trees(const pair *p, const hcbr_i_rich_forest *f, uint32_t trees,
                          const naive_tree *tree) {
    same(p, "trees", 0, trees, f->tree_count);
    for (uint32_t i = 0; i < trees; i++)
        compare_tree(p, f, f->start[i], &tree[i], 0);
}

/* Of all labels or, with many, of those that are listed. */
static double alpha_of(const hcbr_i_rich *rich, uint32_t row, uint32_t label) {
    const hcbr_i_rich_kept *kept = &rich->kept;
    if (!kept->alpha_start)
        return hcbr_i_rich_alpha(kept, (size_t)row * rich->outputs + label);
    for (uint64_t i = kept->alpha_start[row]; i < kept->alpha_start[row + 1]; i++)
        if (kept->alpha_label[i] == label)
            return hcbr_i_rich_alpha(kept, i);
    return 0;
}

static void compare_families(const pair *p) {
    const naive_model *m = p->naive;
    uint32_t k = naive_outputs(m->table.labels);
    for (uint32_t j = 0; m->on[1] && j < NAIVE_FOLDS; j++) {
        compare_trees(p, &p->rich->boosted.model[j], m->boosted[j].trees, m->boosted[j].tree);
        for (uint32_t l = 0; l < k; l++)
            close_to(p, "start", l, m->boosted[j].start[l], p->rich->boosted.start[j * k + l],
                     1e-15);
    }
    if (m->on[2])
        compare_trees(p, &p->rich->forest, m->forest.trees, m->forest.tree);
    for (uint32_t i = 0; m->on[0] && i < m->table.rows; i++)
        for (uint32_t l = 0; l < k; l++) // kept as floats
            close_to(p, "alpha", i, m->linear.alpha[i][l], alpha_of(p->rich, i, l),
                     3e-7 * p->loose);
    // a flat loss (few draws, few cases) lets the linear model's rounding move its least place
    // further
    double flat = p->few_draws ? 10 : 1;
    for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
        close_to(p, "trust", f, m->stack.trust[f], p->rich->stack.trust[f],
                 1e-8 * flat * p->stacked);
    for (uint32_t l = 0; l < k; l++)
        close_to(p, "bias", l, m->stack.bias[l], p->rich->stack.bias[l], 1e-8 * flat * p->stacked);
    close_to(p, "scale", 0, m->stack.scale, p->rich->stack.scale, 1e-7 * flat * p->stacked);
    close_to(p, "power", 0, m->stack.power, p->rich->stack.power, 1e-7 * flat * p->stacked);
}

/* Has a case two values of a column that no training case has two of? Either may count. */
static bool doubtful(const pair *p, const naive_case *c) {
    for (uint32_t i = 0; i < c->count; i++)
        for (uint32_t j = 0; j < i; j++)
            if (strcmp(c->feature[i].key, c->feature[j].key) == 0)
                for (uint32_t k = 0; k < p->naive->table.key_count; k++)
                    if (!p->naive->table.key[k].several &&
                        strcmp(p->naive->table.key[k].name, c->feature[i].key) == 0)
                        return true;
    return false;
}

static void make_row(const pair *p, uint32_t i, const hcbr_i_key_id *keys, hcbr_i_rich_row *row) {
    hcbr_i_rich_row_begin(&p->rich->encoder, row);
    assert_true(hcbr_i_rich_row_add_case(&p->rich->encoder, p->cases, i, keys, row));
    hcbr_i_rich_row_end(row);
}

/* Cases that are scored together come to what each comes to alone, to the bit, whatever the
 * processor can do at once. */
static void compare_held(const pair *p, hcbr_i_rich_scorer *scorer, const hcbr_i_key_id *keys) {
    double support[2][NAIVE_LABELS], probability[2][NAIVE_LABELS];
    const size_t outputs = p->rich->outputs, labels = p->rich->labels;
    for (int way = 0; way < 3; way++) {
        uint32_t count = p->data->count;
        hcbr_i_simd_narrow = way > 0;
        hcbr_i_simd_off = way > 1;
        assert_true(hcbr_i_rich_scorer_reserve(scorer, &count));
        for (uint32_t i = 0; i < count; i++) {
            make_row(p, i, keys, hcbr_i_rich_scorer_row(scorer));
            hcbr_i_rich_hold(scorer);
        }
        hcbr_i_rich_score_held(scorer);
        hcbr_i_rich_scorer *one;
        assert_int_equal(hcbr_i_rich_scorer_create(&one, p->rich, NULL), HCBR_OK);
        for (uint32_t i = 0; i < count; i++) {
            make_row(p, i, keys, hcbr_i_rich_scorer_row(one));
            hcbr_i_rich_score(one, support[0], probability[0], NULL);
            hcbr_i_rich_get_held(scorer, i, support[1], probability[1], NULL);
            assert_memory_equal(support[0], support[1], outputs * sizeof **support);
            assert_memory_equal(probability[0], probability[1], labels * sizeof **probability);
        }
        hcbr_i_rich_scorer_free(one);
    }
    hcbr_i_simd_off = hcbr_i_simd_narrow = false;
}

/* All cases, those too that were not trained on. */
static void compare_scores(const pair *p) {
    hcbr_i_rich_scorer *scorer;
    uint32_t labels = p->naive->table.labels, k = naive_outputs(labels);
    assert_int_equal(hcbr_i_rich_scorer_create(&scorer, p->rich, NULL), HCBR_OK);
    hcbr_i_rich_scorer_want_parts(scorer);
    hcbr_i_rich_row *row = hcbr_i_rich_scorer_row(scorer);
    assert_int_equal(hcbr_i_dict_need_tables(p->rich->encoder.dict, NULL), HCBR_OK);
    hcbr_i_key_id *keys = hcbr_i_rich_keys_of(&p->rich->encoder, p->cases);
    assert_non_null(keys);
    for (uint32_t i = 0; i < p->data->count; i++) {
        double support[2][NAIVE_LABELS], probability[2][NAIVE_LABELS];
        double naive[NAIVE_FAMILIES][NAIVE_LABELS], parts[NAIVE_FAMILIES * NAIVE_LABELS];
        if (doubtful(p, &p->data->item[i]))
            continue;
        make_row(p, i, keys, row);
        hcbr_i_rich_score(scorer, support[1], probability[1], parts);
        naive_score(p->naive, &p->data->item[i], support[0], probability[0], naive);
        for (uint32_t l = 0; l < k; l++) {
            static const char *const FAMILY[] = {"atoms", "boosted", "votes"};
            for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
                if (p->naive->on[f])
                    close_to(p, FAMILY[f], i, naive[f][l], parts[f * k + l],
                             f ? 1e-12 : 1e-6 * p->loose);
            close_to(p, "support", i, support[0][l], support[1][l], 1e-6 * p->stacked);
        }
        for (uint32_t l = 0; l < labels; l++)
            close_to(p, "probability", i, probability[0][l], probability[1][l], 1e-6 * p->stacked);
    }
    compare_held(p, scorer, keys);
    hcbr_i_free(keys);
    hcbr_i_rich_scorer_free(scorer);
}

/* Has none of the cases of a row any feature? */
static bool is_empty(const pair *p, const naive_data *trained, uint32_t row) {
    for (uint32_t i = 0; i < trained->count; i++)
        if (p->naive->table.row_of[i] == row && trained->item[i].count)
            return false;
    return true;
}

/* An entry for each row. */
static void compare_honest(const pair *p, const naive_data *trained,
                           const hcbr_i_rich_heldout *honest) {
    const naive_table *t = &p->naive->table;
    uint32_t rows = t->labels > 1 ? t->rows : 0;
    same(p, "entries", 0, rows, honest->count);
    for (uint32_t row = 0; row < rows; row++) {
        const naive_row *x = &t->row[row];
        bool held = x->fold < NAIVE_FOLDS;
        double probability[NAIVE_LABELS] = {0};
        same(p, "fold", row, held ? x->fold : UINT32_MAX, honest->fold[row]);
        same(p, "label", row, x->label, honest->label[row]);
        same(p, "emptiness", row, is_empty(p, trained, row), honest->empty[row]);
        close_to(p, "weight", row, x->weight, honest->weight[row], 0);
        if (held)
            naive_honest(p->naive, row, probability);
        for (uint32_t l = 0; l < t->labels; l++)
            close_to(p, "held-out probability", row, probability[l],
                     honest->probability[(size_t)row * t->labels + l], 1e-8 * p->stacked);
    }
}

/* ---- one table ------------------------------------------------------------------------------- */

/* Some cases of a list, in another order; out[i] is item index[i]. */
static void choose_cases(naive_data *out, const naive_data *data, harness_random *r,
                         uint32_t *index) {
    int order[NAIVE_ROWS];
    harness_permute(r, order, (int)data->count);
    *out = *data;
    out->count = data->count - (uint32_t)harness_below(r, 1 + (int)data->count / 4);
    for (uint32_t i = 0; i < out->count; i++) {
        index[i] = (uint32_t)order[i];
        out->item[i] = data->item[order[i]];
    }
}

static void compare_table(uint32_t number, uint64_t seed, bool large) {
    static naive_data data, trained;
    static double weight[NAIVE_ROWS];
    static uint32_t index[NAIVE_ROWS];
    harness_random r = {seed + (uint64_t)number * 1000003};
    shape s = draw_shape(&r, large);
    draw_data(&data, &r, &s);
    bool some = harness_below(&r, 3) == 0;
    hcbr_cases *cases = make_cases(&data);
    hcbr_i_rich_heldout honest = {0};
    hcbr_i_rich_options o = {.tuning = draw_tuning(&r, large),
                             .seed = harness_next(&r),
                             .threads = 1 + (uint32_t)harness_below(&r, 2),
                             .numeric = &data.numeric,
                             .numeric_count = data.numeric != NULL,
                             .categorical = &data.categorical,
                             .categorical_count = data.categorical != NULL,
                             .heldout = harness_below(&r, 3) ? &honest : NULL};
    trained = data;
    if (some)
        choose_cases(&trained, &data, &r, index);
    for (uint32_t i = 0; i < data.count; i++)
        weight[i] = data.item[i].weight;
    hcbr_i_rich_view view = {.cases = cases,
                             .index = some ? index : NULL,
                             .count = some ? trained.count : 0,
                             .weight = data.weighted ? weight : NULL};
    hcbr_i_rich *rich;
    assert_int_equal(hcbr_i_rich_train(&rich, &view, &o, NULL), HCBR_OK);
    naive_model *naive = naive_train(&trained, &o.tuning, o.seed, o.heldout != NULL);
    pair p = {&data,
              naive,
              rich,
              cases,
              number,
              o.tuning.forest_cases < 50000,
              s.weights == 4 ? 1e5 : 1,
              s.weights == 4 ? HUGE_VAL : 1};
    compare_columns(&p);
    compare_families(&p);
    compare_scores(&p);
    if (o.heldout)
        compare_honest(&p, &trained, &honest);
    hcbr_i_rich_heldout_clear(&honest);
    naive_free(naive);
    hcbr_i_rich_free(rich);
    hcbr_cases_free(cases);
}

static void reference__agrees_on_small_tables(void **state) {
    (void)state;
    uint64_t seed = harness_seed(20261120);
    uint32_t tables = is_long ? 40000 : SLOW ? 220 : 2000;
    for (uint32_t i = 0; i < tables; i++)
        compare_table(i, seed, false);
}

static void reference__agrees_where_numbers_are_many(void **state) {
    (void)state;
    uint64_t seed = harness_seed(20261121);
    uint32_t tables = is_long ? 800 : SLOW ? 8 : 40;
    for (uint32_t i = 0; i < tables; i++)
        compare_table(i, seed, true);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reference__states_the_constants),
        cmocka_unit_test(reference__agrees_on_small_tables),
        cmocka_unit_test(reference__agrees_where_numbers_are_many),
    };
    is_long = harness_long(argc, argv);
    return cmocka_run_group_tests_name("rich reference", tests, NULL, NULL);
}
