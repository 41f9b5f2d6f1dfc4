/* Influences of past cases in a rich model, the slow way; see rich_oracle.h. */
#include "unit/explain/rich_oracle.h"
#include "engines.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

static uint64_t stir(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* ---- encoding -------------------------------------------------------------------------------- */

static void encode(const hcbr_model *m, const hcbr_feature *f, oracle_row *row) {
    const hcbr_i_rich_encoder *e = &hcbr_i_model_rich(m)->encoder;
    hcbr_i_key_id k = hcbr_i_dict_find_key(m->dict, f->key, f->key_length);
    if (k == HCBR_I_NONE)
        return;
    const hcbr_i_rich_key *key = &e->keys[k];
    hcbr_i_feature_id id =
        hcbr_i_dict_find(m->dict, f->key, f->key_length, f->value, f->value_length);
    bool number = key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE;
    uint32_t code = 1;
    if (number) {
        char text[64];
        snprintf(text, sizeof text, "%.*s", (int)f->value_length, f->value);
        for (uint32_t c = 0; c < key->cut_count; c++)
            code += strtod(text, NULL) > e->cuts[key->cut_start + c];
    } else if (id == HCBR_I_NONE || e->code[id] == HCBR_I_NONE) {
        return;
    } else {
        code = e->code[id];
    }
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_CATEGORY)
        row->codes[key->column] = (uint8_t)code;
    if (key->kind == HCBR_I_RICH_BAG)
        row->in[code] = true;
    for (uint32_t level = 0; key->kind == HCBR_I_RICH_SPARSE && level < code; level++)
        row->in[key->bag + level] = true;
}

static uint64_t unit_of(const hcbr_i_rich *r, const oracle_row *row) {
    uint64_t hash = XXH3_64bits_withSeed(row->codes, r->encoder.column_count, r->seed);
    for (uint32_t b = 0; b < r->encoder.bag_count; b++)
        if (row->in[b])
            hash += stir(stir(r->seed ^ 0x6261) + b);
    return stir(hash);
}

static bool same(const oracle_row *a, const oracle_row *b) {
    return a->label == b->label && memcmp(a->codes, b->codes, sizeof a->codes) == 0 &&
           memcmp(a->in, b->in, sizeof a->in) == 0;
}

/* ---- merging and dealing --------------------------------------------------------------------- */

static int by_unit(const void *a, const void *b) {
    const oracle_row *x = a, *y = b;
    if (x->unit != y->unit)
        return x->unit < y->unit ? -1 : 1;
    return (x->label > y->label) - (x->label < y->label);
}

static int divisor_of(int a, int b) {
    return b ? divisor_of(b, a % b) : a;
}

/* What is one case of a label: the factor that all its copies have, 1 with fewer than five rows. */
static int case_of(const rich_oracle *o, uint32_t label) {
    int all = 0, rows = 0;
    for (uint32_t i = 0; i < o->row_count; i++)
        if (o->rows[i].label == label) {
            all = divisor_of(o->rows[i].copies, all);
            rows++;
        }
    return rows < 5 ? 1 : all;
}

/* The rows of the unit that begins at a row, which follow each other. */
static uint32_t end_of(const rich_oracle *o, uint32_t first) {
    uint32_t end = first + 1;
    while (end < o->row_count && o->rows[end].unit == o->rows[first].unit)
        end++;
    return end;
}

static bool is_known(const rich_oracle *o) {
    double whole = 0, apart = 0;
    int units = 0;
    for (uint32_t i = 0; i < o->row_count; i = end_of(o, i), units++) {
        double all = 0, most = 0;
        for (uint32_t j = i; j < end_of(o, i); j++) {
            double cases = o->rows[j].copies / case_of(o, o->rows[j].label);
            all += cases;
            most = fmax(most, cases);
        }
        whole += all;
        apart += all - most;
    }
    return whole >= 20 * units || apart >= 3 * units;
}

/* What a fold has of a label, or of all. */
static double held_by(const rich_oracle *o, int fold, uint32_t label, bool all) {
    double sum = 0;
    for (uint32_t i = 0; i < o->row_count; i++)
        if ((fold < 0 || o->rows[i].fold == fold) && (all || o->rows[i].label == label))
            sum += o->rows[i].copies;
    return sum;
}

static double weight_at(const rich_oracle *o, uint32_t first) {
    double sum = 0;
    for (uint32_t i = first; i < end_of(o, first); i++)
        sum += o->rows[i].copies;
    return sum;
}

static uint64_t draw_of(const rich_oracle *o, uint32_t first) {
    return stir(hcbr_i_model_rich(o->model)->seed + stir(o->rows[first].unit));
}

/* The fold that the unit of a row unbalances least; only empty ones if they are as many as units.
 */
static int best_fold(const rich_oracle *o, uint32_t first, uint32_t left) {
    double all = held_by(o, -1, 0, true), least = 0, own = weight_at(o, first);
    int best = -1, empty = 0;
    for (int f = 0; f < HCBR_I_RICH_FOLDS; f++)
        empty += held_by(o, f, 0, true) == 0;
    for (int f = 0; f < HCBR_I_RICH_FOLDS; f++) {
        double have = held_by(o, f, 0, true), cost = own * (2 * have + own) / all;
        for (uint32_t i = first; i < end_of(o, first); i++) {
            uint32_t l = o->rows[i].label;
            cost += o->rows[i].copies * (2 * held_by(o, f, l, false) + o->rows[i].copies) /
                    held_by(o, -1, l, false);
        }
        if (((int)left > empty || have == 0) && (best < 0 || cost < least)) {
            best = f;
            least = cost;
        }
    }
    return best;
}

static bool is_only(const rich_oracle *o, uint32_t first) {
    for (uint32_t i = first; i < end_of(o, first); i++)
        if (held_by(o, -1, o->rows[i].label, false) == o->rows[i].copies)
            return true;
    return false;
}

static void deal(rich_oracle *o) {
    uint32_t left = 0;
    bool only[ORACLE_CASES] = {false};
    for (uint32_t i = 0; i < o->row_count; i++)
        o->rows[i].fold = -1;
    for (uint32_t i = 0; i < o->row_count; i = end_of(o, i), left++)
        only[i] = is_only(o, i);
    for (; left > 0; left--) {
        uint32_t best = HCBR_I_NONE;
        for (uint32_t i = 0; i < o->row_count; i = end_of(o, i)) {
            if (o->rows[i].fold >= 0)
                continue;
            double w = weight_at(o, i), of_best = best == HCBR_I_NONE ? 0 : weight_at(o, best);
            if (best == HCBR_I_NONE || w > of_best ||
                (w == of_best && draw_of(o, i) < draw_of(o, best)))
                best = i;
        }
        int fold = best_fold(o, best, left);
        for (uint32_t i = best; i < end_of(o, best); i++)
            o->rows[i].fold = fold;
    }
    o->all_seen = is_known(o);
    for (uint32_t i = 0; i < o->row_count; i = end_of(o, i))
        for (uint32_t j = i; only[i] && !o->all_seen && j < end_of(o, i); j++)
            o->rows[j].fold = HCBR_I_RICH_FOLDS;
}

/* The copies of a row that a fold model sees. */
static int seen_by(const rich_oracle *o, const oracle_row *row, uint32_t fold) {
    return row->fold == (int)fold && !o->all_seen ? 0 : row->copies;
}

void rich_oracle_init(rich_oracle *o, const hcbr_model *model) {
    const double *copies = hcbr_i_model_rich(model)->kept.weight;
    oracle_row each[ORACLE_CASES];
    uint32_t count = (uint32_t)hcbr_model_kept_count(model);
    *o = (rich_oracle){.model = model, .forest_cases = 50000};
    assert_true(count <= ORACLE_CASES && model->labels.count <= ORACLE_K);
    assert_true(hcbr_i_model_rich(model)->encoder.column_count <= ORACLE_COLUMNS &&
                hcbr_i_model_rich(model)->encoder.bag_count <= ORACLE_BAG);
    memset(each, 0, sizeof each);
    for (uint32_t i = 0; i < count; i++) {
        each[i].label = model->kept_label[i];
        hcbr_feature *features;
        size_t n_features;
        assert_int_equal(hcbr_model_copy_kept(model, i, &features, &n_features, NULL), HCBR_OK);
        for (size_t f = 0; f < n_features; f++)
            encode(model, &features[f], &each[i]);
        hcbr_bytes_free(features);
        each[i].unit = unit_of(hcbr_i_model_rich(model), &each[i]);
        each[i].hash = stir(each[i].unit + stir(each[i].label));
        uint32_t at = 0;
        while (at < o->row_count && !same(&o->rows[at], &each[i]))
            at++;
        int n = copies ? (int)copies[i] : 1;
        if (at == o->row_count && n > 0)
            o->rows[o->row_count++] = each[i];
        if (n > 0)
            o->rows[at].copies += n;
    }
    qsort(o->rows, o->row_count, sizeof *o->rows, by_unit);
    for (uint32_t i = 0; i < count; i++) {
        o->row_of[i] = HCBR_I_NONE;
        for (uint32_t r = 0; r < o->row_count; r++)
            if (same(&o->rows[r], &each[i]) && (!copies || copies[i] > 0))
                o->row_of[i] = r;
    }
    deal(o);
}

/* ---- trees ----------------------------------------------------------------------------------- */

static uint32_t leaf_at(const hcbr_i_rich_forest *f, uint32_t columns, size_t node,
                        const oracle_row *row) {
    const hcbr_i_rich_node *x = &f->nodes[node];
    if (x->test == HCBR_I_RICH_LEAF)
        return x->no;
    bool holds = x->test < columns ? row->codes[x->test] >= x->lo && row->codes[x->test] <= x->hi
                                   : row->in[x->test - columns];
    return leaf_at(f, columns, holds ? node + 1 : x->no, row);
}

static uint32_t leaf_of(const rich_oracle *o, const hcbr_i_rich_forest *f, size_t tree,
                        const oracle_row *row) {
    return leaf_at(f, hcbr_i_model_rich(o->model)->encoder.column_count, f->start[tree], row);
}

/* Residuals of a row before a tree, and curvatures. */
static void residuals(const rich_oracle *o, uint32_t fold, size_t tree, const oracle_row *row,
                      double *r, double *h) {
    const hcbr_i_rich_boosted *b = &hcbr_i_model_rich(o->model)->boosted;
    const hcbr_i_rich_forest *f = &b->model[fold];
    uint32_t k = b->outputs;
    double s[ORACLE_K], sum = 0, w = seen_by(o, row, fold);
    for (uint32_t l = 0; l < k; l++) {
        s[l] = b->start[fold * k + l];
        for (size_t t = 0; t < tree; t++)
            s[l] += f->values[(size_t)leaf_of(o, f, t, row) * k + l];
    }
    if (k == 1) {
        double p = 1 / (1 + exp(-s[0]));
        r[0] = w * (row->label - p);
        h[0] = w * p * (1 - p);
        return;
    }
    for (uint32_t l = 0; l < k; l++)
        sum += exp(s[l]);
    for (uint32_t l = 0; l < k; l++) {
        double p = exp(s[l]) / sum;
        r[l] = w * ((row->label == l) - p);
        h[l] = w * p * (1 - p);
    }
}

static void add(rich_oracle *o, uint32_t row, uint32_t output, double value) {
    uint32_t k = hcbr_i_model_rich(o->model)->outputs;
    for (uint32_t i = 0; i < hcbr_model_kept_count(o->model); i++) {
        if (o->row_of[i] != row)
            continue;
        double w = hcbr_i_model_rich(o->model)->kept.weight
                       ? hcbr_i_model_rich(o->model)->kept.weight[i]
                       : 1;
        double part = value * w / o->rows[row].copies;
        o->influence[i][k == 1 ? 1 : output] += part;
        if (k == 1)
            o->influence[i][0] -= part;
    }
}

static void add_bias(rich_oracle *o, uint32_t output, double value) {
    uint32_t k = hcbr_i_model_rich(o->model)->outputs;
    o->bias[k == 1 ? 1 : output] += value;
    if (k == 1)
        o->bias[0] -= value;
}

static void boosted(rich_oracle *o, const oracle_row *x) {
    const hcbr_i_rich *rich = hcbr_i_model_rich(o->model);
    const hcbr_i_rich_kept *kept = &rich->kept;
    uint32_t k = rich->outputs;
    double beta = rich->stack.trust[1];
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &rich->boosted.model[j];
        uint64_t key = stir(rich->seed ^ stir(0x626F6F7374 + j));
        for (uint32_t l = 0; l < k; l++)
            add_bias(o, l, beta * rich->boosted.start[j * k + l] / 5);
        for (size_t t = 0; t < f->tree_count; t++) {
            double r[ORACLE_CASES][ORACLE_K], h[ORACLE_K], sum[ORACLE_K] = {0};
            double divisor[ORACLE_K];
            bool drawn[ORACLE_CASES];
            uint32_t leaf = leaf_of(o, f, t, x);
            for (uint32_t l = 0; l < k; l++)
                divisor[l] = kept->lambda;
            for (uint32_t i = 0; i < o->row_count; i++) {
                const oracle_row *row = &o->rows[i];
                drawn[i] = seen_by(o, row, j) > 0 && leaf_of(o, f, t, row) == leaf &&
                           (double)stir(row->hash ^ stir(key ^ t)) <= kept->draw * 0x1p64;
                if (!drawn[i])
                    continue;
                residuals(o, j, t, row, r[i], h);
                for (uint32_t l = 0; l < k; l++) {
                    divisor[l] += h[l];
                    sum[l] += r[i][l];
                }
            }
            for (uint32_t l = 0; l < k; l++) { // the leaf is what the cases make it
                double value = f->values[(size_t)leaf * k + l];
                if (fabs(sum[l]) > 64 * divisor[l]) // the most a leaf may add
                    divisor[l] = fabs(sum[l]) / 64;
                assert_true(fabs(kept->rate * sum[l] / divisor[l] - value) < 1e-9);
                for (uint32_t i = 0; i < o->row_count; i++)
                    if (drawn[i])
                        add(o, i, l, beta * kept->rate * r[i][l] / divisor[l] / 5);
            }
        }
    }
}

/* ---- forest ---------------------------------------------------------------------------------- */

static int poisson(double mean, uint64_t key) {
    double u = (double)(stir(key) >> 11) * 0x1p-53, term = exp(-mean), sum = term;
    int m = 0;
    for (; u >= sum && m < 7; sum += term)
        term *= mean / ++m;
    return m;
}

/* What a share of label j does to the support of label l (RICH, Reasons). */
static double effect(const double *p, uint32_t labels, uint32_t l, uint32_t j) {
    double sum = 0;
    for (uint32_t k = 0; k < labels; k++) {
        double apart = p[l] - p[k];
        double lambda =
            fabs(apart) > 1e-6 * p[l] ? (log(p[l]) - log(p[k])) / apart : 2 / (p[l] + p[k]);
        if (k != l && (j == l || j == k))
            sum += (j == l ? lambda : -lambda) / labels;
    }
    return sum;
}

/* What a leaf says of each label, or of the second of two. */
static void shares_of(const hcbr_i_rich *rich, uint32_t leaf, double *value) {
    const hcbr_i_rich_lists *lists = &rich->shares.lists;
    if (rich->labels == 2) {
        value[0] = rich->forest.values[leaf];
        return;
    }
    for (uint32_t l = 0; l < rich->labels; l++) {
        value[l] = rich->shares.prior[l] * rich->shares.rest[leaf];
        for (uint64_t i = lists->start[leaf]; i < lists->start[leaf + 1]; i++)
            value[l] += lists->label[i] == l ? lists->value[i] : 0;
    }
}

static void forest(rich_oracle *o, const oracle_row *x) {
    const hcbr_i_rich *rich = hcbr_i_model_rich(o->model);
    const hcbr_i_rich_forest *f = &rich->forest;
    uint32_t labels = rich->labels, k = rich->outputs;
    double p[ORACLE_K] = {0}, pi[ORACLE_K] = {0}, all = 0, beta = rich->stack.trust[2];
    double trees = (double)f->tree_count, a = rich->kept.prior;
    for (size_t t = 0; t < f->tree_count; t++) {
        double value[ORACLE_K];
        shares_of(rich, leaf_of(o, f, t, x), value);
        for (uint32_t l = 0; l < labels; l++)
            p[l] += (k > 1 ? value[l] : l ? value[0] : 1 - value[0]) / trees;
    }
    for (uint32_t i = 0; i < o->row_count; i++) {
        pi[o->rows[i].label] += o->rows[i].copies;
        all += o->rows[i].copies;
    }
    double part = fmin(1, o->forest_cases / o->row_count); // how often a unit is drawn
    assert_true(rich->kept.part == part);
    for (size_t t = 0; t < f->tree_count; t++) {
        uint64_t key = stir(rich->seed ^ stir(0x766F7465 + t));
        uint32_t leaf = leaf_of(o, f, t, x);
        double n = a, value[ORACLE_K], of[ORACLE_K] = {0};
        int m[ORACLE_CASES] = {0};
        for (uint32_t i = 0; i < o->row_count; i++)
            if (leaf_of(o, f, t, &o->rows[i]) == leaf)
                n += m[i] = o->rows[i].copies * poisson(part, o->rows[i].unit ^ key);
        shares_of(rich, leaf, value);
        for (uint32_t i = 0; i < o->row_count; i++)
            of[o->rows[i].label] += m[i];
        for (uint32_t l = k == 1; l < labels; l++) { // the leaf is what the draws make it
            double prior = (pi[l] + 0.5) / (all + 0.5 * labels);
            assert_true(fabs((of[l] + a * prior) / n - value[k == 1 ? 0 : l]) < 1e-9);
        }
        for (uint32_t l = k == 1; l < labels; l++)
            for (uint32_t j = 0; j < labels; j++) {
                // two labels: s = logit p is twice what the mean of logarithms gives
                double by = effect(p, labels, l, j) * beta / trees * (k == 1 ? 2 : 1);
                double prior = (pi[j] + 0.5) / (all + 0.5 * labels);
                add_bias(o, k == 1 ? 0 : l, by * a * prior / n);
                for (uint32_t i = 0; i < o->row_count; i++)
                    if (o->rows[i].label == j && m[i] > 0)
                        add(o, i, k == 1 ? 0 : l, by * m[i] / n);
            }
    }
}

/* ---- linear model ---------------------------------------------------------------------------- */

/* Part of the tests of a number that two entries pass alike, test by test. */
static double alike(uint32_t a, uint32_t b, uint32_t entries) {
    double same_side = 0;
    for (uint32_t cut = 1; cut < entries; cut++)
        same_side += (a > cut) == (b > cut);
    return entries > 1 ? same_side / (entries - 1) : 1;
}

static void atoms(rich_oracle *o, const oracle_row *x) {
    const hcbr_i_rich *rich = hcbr_i_model_rich(o->model);
    const hcbr_i_rich_linear *a = &rich->linear;
    uint32_t k = rich->outputs;
    for (uint32_t i = 0; i < o->row_count; i++) {
        const oracle_row *row = &o->rows[i];
        double shared = 0;
        for (uint32_t c = 0; c < a->columns; c++) {
            uint32_t here = a->coarse[c * HCBR_I_RICH_CODES + x->codes[c]];
            uint32_t there = a->coarse[c * HCBR_I_RICH_CODES + row->codes[c]];
            if (here == 0 || there == 0)
                continue;
            shared += rich->encoder.columns[c].ordered
                          ? alike(here, there, a->place[c + 1] - a->place[c] - 1)
                          : here == there;
        }
        for (uint32_t b = 0; b < a->bag_count; b++)
            shared += x->in[b] && row->in[b];
        for (uint32_t l = 0; l < k; l++) {
            double y = (k == 1 ? row->label == 1 : row->label == l) ? 1 : -1;
            add(o, i, l,
                rich->stack.trust[0] * rich->kept.scale * shared * y *
                    (double)rich->kept.alpha[i * k + l]);
        }
    }
}

void rich_oracle_explain(rich_oracle *o, const hcbr_feature *features, size_t count) {
    const hcbr_i_rich *rich = hcbr_i_model_rich(o->model);
    oracle_row x;
    memset(&x, 0, sizeof x);
    for (size_t i = 0; i < count; i++)
        encode(o->model, &features[i], &x);
    memset(o->influence, 0, sizeof o->influence);
    memset(o->bias, 0, sizeof o->bias);
    for (uint32_t l = 0; l < rich->outputs; l++)
        add_bias(o, l, rich->stack.bias[l]);
    if (rich->family[0])
        atoms(o, &x);
    if (rich->family[1])
        boosted(o, &x);
    if (rich->family[2])
        forest(o, &x);
}

void rich_oracle_compare(const rich_oracle *o, const hcbr_explanation *e) {
    size_t labels = o->model->labels.count;
    bool shown[ORACLE_CASES] = {false};
    double most = 0;
    for (uint32_t i = 0; i < hcbr_model_kept_count(o->model); i++)
        for (size_t l = 0; l < labels; l++)
            most = fmax(most, fabs(o->influence[i][l]));
    for (size_t l = 0; l < labels; l++)
        assert_true(fabs(e->bias[l] - o->bias[l]) <= 1e-8 * (1 + fabs(o->bias[l])));
    for (int side = 0; side < 2; side++) {
        const hcbr_explained_case *list = side ? e->cases_against : e->cases_for;
        for (size_t n = 0; n < (side ? e->against_count : e->for_count); n++) {
            shown[list[n].index] = true;
            for (size_t l = 0; l < labels; l++)
                assert_true(fabs(list[n].influence[l] - o->influence[list[n].index][l]) <=
                            1e-8 * most);
        }
    }
    for (uint32_t i = 0; i < hcbr_model_kept_count(o->model); i++) {
        double lead = o->influence[i][e->label];
        if (e->against >= 0)
            lead -= o->influence[i][e->against];
        assert_true(shown[i] || fabs(lead) <= 1e-8 * most);
    }
}
