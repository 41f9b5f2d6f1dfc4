/*
 * Strengths of single tests by the definition: every test has a number of its own. A number with m
 * cuts passes one of "x <= t" and "x > t" at each, of weight sqrt(1/m); a value or member has the
 * weight 1. Dual coordinate descent visits the cases one after the other, unless Newton's steps are
 * the shorter way (naive_newton.c).
 */
#include "reference/naive_rich.h"

#include <stdlib.h>

#define HEAVY 1e4  /* C w of a case that passes alone do not bring to its alpha */
#define LIFTED 1e3 /* C w of those that are lifted with it */

typedef struct fit {
    const naive_table *table;
    const hcbr_i_rich_tuning *tuning;
    naive_linear *linear;
    uint32_t fold, k;
    uint32_t from, to;        /* outputs that are fitted: all, or with many labels one */
    double times[NAIVE_ROWS]; /* how many cases a case counts as; 0: it takes no part */
    bool precise;             /* a case is very heavy */
    double alpha[NAIVE_ROWS][NAIVE_LABELS];
    double first[NAIVE_ROWS][NAIVE_LABELS]; /* alphas of the first fold model ... */
    double first_most[NAIVE_ROWS];          /* ... the most they could be ... */
    double reached;                         /* ... and how small its gradients became */
} fit;

/* ---- tests ----------------------------------------------------------------------------------- */

/* Up to `cuts` cuts of a column, so that its parts have about equally many cases. */
static void coarsen(naive_linear *a, const naive_table *t, uint32_t column, uint32_t cuts) {
    uint32_t codes = t->column[column].codes, taken = 0;
    double total = 0, sum = 0;
    a->entries[column] = 0;
    for (uint32_t i = 0; i < t->rows; i++)
        total += t->row[i].code[column] ? t->row[i].weight : 0;
    for (uint32_t v = 1; v <= codes; v++) {
        if (!t->column[column].ordered || codes <= cuts + 1) {
            a->entry[column][v] = ++a->entries[column];
            continue;
        }
        bool cut = v == 1; // a part begins
        while (taken < cuts && sum * (cuts + 1) >= total * (taken + 1)) {
            taken++;
            cut = v > 1;
        }
        a->entries[column] += cut;
        a->entry[column][v] = a->entries[column];
        for (uint32_t i = 0; i < t->rows; i++)
            sum += t->row[i].code[column] == v ? t->row[i].weight : 0;
    }
}

static void number_tests(naive_linear *a, const naive_table *t, uint32_t cuts) {
    a->tests = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        coarsen(a, t, c, cuts < 32 ? cuts : 32);
        a->first[c] = a->tests;
        uint32_t m = a->entries[c] - 1;
        a->tests += !t->column[c].ordered ? a->entries[c] : m ? 2 * m : 1;
    }
    a->first[t->columns] = a->tests;
    a->tests += t->members;
}

uint32_t naive_tests_of(const naive_linear *a, const naive_table *t, const naive_row *row,
                        uint32_t *test, double *weight) {
    uint32_t n = 0;
    for (uint32_t c = 0; c < t->columns; c++) {
        uint32_t e = a->entry[c][row->code[c]], m = a->entries[c] - 1;
        if (row->code[c] == 0)
            continue;
        if (!t->column[c].ordered || m == 0) {
            test[n] = a->first[c] + e - 1;
            weight[n++] = 1;
            continue;
        }
        for (uint32_t j = 1; j <= m; j++) { // entry <= j, or entry > j
            test[n] = a->first[c] + 2 * (j - 1) + (e > j);
            weight[n++] = sqrt(1.0 / m);
        }
    }
    for (uint32_t b = 0; b < t->members; b++)
        if (row->has[b]) {
            test[n] = a->first[t->columns] + b;
            weight[n++] = 1;
        }
    return n;
}

enum { MOST_TESTS = NAIVE_KEYS * 32 + NAIVE_MEMBERS };

void naive_linear_support(const naive_linear *a, const naive_table *t, const naive_row *row,
                          double *support) {
    uint32_t test[MOST_TESTS], k = naive_outputs(t->labels);
    double weight[MOST_TESTS];
    uint32_t n = naive_tests_of(a, t, row, test, weight);
    for (uint32_t l = 0; l < k; l++) {
        support[l] = 0;
        for (uint32_t j = 0; j < n; j++)
            support[l] += weight[j] * a->strength[test[j]][l];
    }
}

/* A case pulls by so much for each output that is fitted. */
static void pull(const fit *f, const naive_row *row, const double *by) {
    uint32_t test[MOST_TESTS];
    double weight[MOST_TESTS];
    uint32_t n = naive_tests_of(f->linear, f->table, row, test, weight);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t l = f->from; l < f->to; l++)
            f->linear->strength[test[j]][l] += by[l] * f->linear->scale * weight[j];
}

static void forget(const fit *f) {
    for (uint32_t j = 0; j < f->linear->tests; j++)
        for (uint32_t l = f->from; l < f->to; l++)
            f->linear->strength[j][l] = 0;
}

/* phi.phi before it is scaled: each column a case has, and each member, counts 1. */
static double size_of(const naive_table *t, const naive_row *row) {
    double size = 0;
    for (uint32_t c = 0; c < t->columns; c++)
        size += row->code[c] != 0;
    for (uint32_t b = 0; b < t->members; b++)
        size += row->has[b];
    return size;
}

/* ---- one case -------------------------------------------------------------------------------- */

static double sign_of(const naive_table *t, uint32_t i, uint32_t output) {
    return t->row[i].label == (t->labels == 2 ? 1 : output) ? 1 : -1;
}

/* Newton's steps to the alpha in (0, most) at which a (z - alpha) + b + log(z / (most - z)) is 0,
 * on the side of the nearer border; they end at a tenth of the precision. */
static double best_alpha(double alpha, double most, double a, double b, double precision) {
    double other = most - alpha;
    if (fabs(b + naive_log(alpha / other)) <= 0.1 * precision)
        return alpha; // it is where it should be
    bool swap = 0.5 * a * (other - alpha) + b < 0;
    double side = swap ? -b : b, old = swap ? other : alpha, first = fmin(1, 0.1 * most);
    double z = most - old < 0.5 * most ? 0.1 * old : old;
    if (z == old && old < 0.1 * first && side + naive_log(old / (most - old)) < -2)
        z = first; // a long way from next to nothing
    for (int step = 0; step <= 30; step++) {
        double slope = a * (z - old) + side + naive_log(z / (most - z));
        if (step == 30 || fabs(slope) <= 0.1 * precision)
            break;
        double next = z - slope / (a + most / (most - z) / z);
        z = next <= 0 ? 0.1 * z : next;
    }
    z = swap ? most - z : z;
    return fmin(fmax(z, fmin(most, HEAVY) * 1e-12), most * (1 - 1e-12));
}

/* Visit a case. Returns the largest gradient. */
static double visit(fit *f, uint32_t i, double most) {
    const naive_row *row = &f->table->row[i];
    double support[NAIVE_LABELS], by[NAIVE_LABELS], worst = 0;
    naive_linear_support(f->linear, f->table, row, support);
    for (uint32_t l = f->from; l < f->to; l++) {
        double y = sign_of(f->table, i, l), old = f->alpha[i][l], b = y * support[l];
        worst = fmax(worst, fabs(b + naive_log(old / (most - old))));
        f->alpha[i][l] = best_alpha(old, most, f->linear->scale * size_of(f->table, row), b,
                                    f->tuning->linear_precision);
        by[l] = y * (f->alpha[i][l] - old);
    }
    pull(f, row, by);
    return worst;
}

/* ---- fold models ----------------------------------------------------------------------------- */

/* C times the copies that a fold model sees. */
static double most_of(const fit *f, uint32_t i) {
    double most = naive_seen(f->table, i, f->fold) * f->tuning->linear_c;
    return most > 1e-200 ? most * f->times[i] : 0;
}

/* The strengths are what the cases add whose C w is above `least`. */
static void sum_over_cases(fit *f, double least) {
    forget(f);
    for (uint32_t i = 0; i < f->table->rows; i++) {
        double by[NAIVE_LABELS];
        if (most_of(f, i) <= least)
            continue;
        for (uint32_t l = f->from; l < f->to; l++)
            by[l] = sign_of(f->table, i, l) * f->alpha[i][l];
        pull(f, &f->table->row[i], by);
    }
}

/* Passes over the cases whose C w is above `least`, with a part of their weights, until gradients
 * are small on average. Returns how small they became. */
static double make_passes(fit *f, double least, double part, double small) {
    double reached = 0;
    for (uint32_t pass = 0; pass < f->tuning->linear_passes; pass++) {
        double off = 0, visits = 0;
        for (uint32_t i = 0; i < f->table->rows; i++)
            if (most_of(f, i) > least) {
                off += visit(f, i, part * most_of(f, i));
                visits++;
            }
        reached = visits > 0 ? off / visits : 0;
        if (off < small * visits)
            break;
    }
    return reached;
}

/* Very heavy cases are fitted first, with a small part of their weights, then with ten times as
 * much from alphas ten times as large. */
static void lift_heavy(fit *f) {
    double heaviest = 0;
    for (uint32_t i = 0; i < f->table->rows; i++)
        heaviest = fmax(heaviest, most_of(f, i));
    if (!f->precise || heaviest <= HEAVY)
        return;
    double part = 10 / heaviest;
    for (uint32_t i = 0; i < f->table->rows; i++)
        for (uint32_t l = f->from; l < f->to && most_of(f, i) > LIFTED; l++)
            f->alpha[i][l] = part * most_of(f, i) * 1e-9;
    make_passes(f, LIFTED, part, f->tuning->linear_precision);
    while (part < 1) {
        double next = fmin(1, 10 * part);
        for (uint32_t i = 0; i < f->table->rows; i++)
            for (uint32_t l = f->from; l < f->to && most_of(f, i) > LIFTED; l++)
                f->alpha[i][l] *= next / part;
        sum_over_cases(f, LIFTED);
        make_passes(f, LIFTED, part = next, f->tuning->linear_precision);
    }
}

/* What is kept of an alpha: a float, and another one where cases are heavy. */
static double keep(double alpha, bool precise) {
    double high = (double)(float)alpha;
    return precise ? high + (double)(float)(alpha - high) : high;
}

/* With few labels and no heavy cases the fold models after the first begin with its alphas. */
static bool begins_anew(const fit *f) {
    return f->fold == 0 || f->precise || f->table->labels > f->tuning->many;
}

/* Where descent begins: near 0, or at the first fold model's alphas as far as it has seen the
 * cases. */
static void begin(fit *f) {
    bool first = begins_anew(f);
    for (uint32_t i = 0; i < f->table->rows; i++)
        for (uint32_t l = f->from; l < f->to; l++) {
            double most = most_of(f, i), seen = f->first_most[i];
            double alpha = first || seen <= 0 ? 0 : keep(f->first[i][l], false) * most / seen;
            f->alpha[i][l] = fmin(fmax(alpha, 1e-9 * fmin(most, HEAVY)), most * (1 - 1e-12));
        }
    forget(f);
    if (!first)
        sum_over_cases(f, 0);
}

static void fit_fold(fit *f, naive_held *held) {
    const naive_table *t = f->table;
    begin(f);
    double alpha[NAIVE_LABELS][NAIVE_ROWS];
    bool newton = !f->precise;
    for (uint32_t l = f->from; newton && l < f->to; l++)
        newton = naive_newton(f->linear, t, f->tuning, f->fold, t->labels == 2 ? 1 : l, alpha[l]);
    for (uint32_t i = 0; newton && i < t->rows; i++)
        for (uint32_t l = f->from; l < f->to; l++)
            f->alpha[i][l] = alpha[l][i];
    if (!newton) {
        lift_heavy(f);
        double small = fmax(f->tuning->linear_precision, begins_anew(f) ? 0 : f->reached);
        double reached = make_passes(f, 0, 1, small);
        f->reached = f->fold ? f->reached : reached;
    }
    for (uint32_t i = 0; f->fold == 0 && i < t->rows; i++) {
        f->first_most[i] = most_of(f, i);
        memcpy(f->first[i], f->alpha[i], sizeof f->first[i]);
    }
    sum_over_cases(f, 0);
    for (uint32_t i = 0; i < t->rows; i++) {
        double support[NAIVE_LABELS];
        naive_linear_support(f->linear, t, &t->row[i], support);
        for (uint32_t l = f->from; t->row[i].fold == f->fold && l < f->to; l++)
            held->support[i][l] = support[l];
    }
}

/* With many labels: the cases of one, and every so many of the others, which stand for these. */
static void take_sample(fit *f, uint32_t label, uint64_t seed) {
    const naive_table *t = f->table;
    double part = fmin(1, f->tuning->rivals * t->label_weight[label] / t->total);
    double offset = (double)(naive_mix(seed ^ naive_mix(0x72697661 + label)) >> 11) * 0x1p-53;
    for (uint32_t i = 0; i < t->rows; i++)
        f->times[i] = t->row[i].label == label;
    for (double j = 0; part > 0 && floor((j + offset) / part) < t->rows; j++) {
        uint32_t i = (uint32_t)floor((j + offset) / part);
        if (t->row[i].label != label)
            f->times[i] = 1 / part;
    }
}

/* Fit the current outputs: their alphas, the mean of the fold models'. */
static void fit_outputs(fit *f, naive_held *held) {
    static double sum[NAIVE_ROWS][NAIVE_LABELS];
    memset(sum, 0, sizeof sum);
    for (f->fold = 0; f->fold < NAIVE_FOLDS; f->fold++) {
        fit_fold(f, held);
        for (uint32_t i = 0; i < f->table->rows; i++)
            for (uint32_t l = f->from; l < f->to; l++)
                sum[i][l] += most_of(f, i) > 0 ? keep(f->alpha[i][l], f->precise) : 0;
    }
    for (uint32_t i = 0; i < f->table->rows; i++)
        for (uint32_t l = f->from; l < f->to; l++)
            f->linear->alpha[i][l] = keep(sum[i][l] / NAIVE_FOLDS, f->precise);
}

void naive_linear_fit(naive_linear *out, const naive_table *table, const hcbr_i_rich_tuning *tuning,
                      uint64_t seed, naive_held *held) {
    fit *f = calloc(1, sizeof *f);
    double size = 0;
    memset(out, 0, sizeof *out);
    *f = (fit){.table = table, .tuning = tuning, .linear = out, .k = naive_outputs(table->labels)};
    number_tests(out, table, tuning->linear_cuts);
    for (uint32_t i = 0; i < table->rows; i++)
        size += table->row[i].weight * size_of(table, &table->row[i]);
    out->scale = size > 0 ? fmin(table->total / size, 1) : 1;
    for (uint32_t i = 0; i < table->rows; i++) {
        f->precise |= table->row[i].weight * tuning->linear_c > HEAVY;
        f->times[i] = 1;
    }
    bool many = table->labels > tuning->many;
    f->to = f->k;
    if (!many)
        fit_outputs(f, held);
    for (uint32_t l = 0; many && l < table->labels; l++) {
        f->from = l;
        f->to = l + 1;
        take_sample(f, l, seed);
        fit_outputs(f, held);
    }
    f->from = 0;
    f->to = f->k;
    forget(f);
    for (uint32_t i = 0; i < table->rows; i++) {
        double by[NAIVE_LABELS];
        for (uint32_t l = 0; l < f->k; l++)
            by[l] = sign_of(table, i, l) * out->alpha[i][l];
        pull(f, &table->row[i], by);
    }
    free(f);
}
