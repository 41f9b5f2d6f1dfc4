/*
 * Strengths of single tests by Newton's steps, by the definition: every test has a number of its
 * own, and the equations of a step have as many unknowns as there are tests.
 */
#include "reference/naive_rich.h"

#include <stdlib.h>

#define MOST 512 /* tests */

typedef struct newton {
    const naive_table *table;
    const hcbr_i_rich_tuning *tuning;
    const naive_linear *linear;
    uint32_t fold;
    uint32_t label;
    double mu[MOST], off[MOST], step[MOST];
    double curved[MOST][MOST], mass; /* curvatures of pairs of tests, and of all cases */
    bool known;                      /* these are */
    double alpha[NAIVE_ROWS];
} newton;

static double most_of(const newton *n, uint32_t i) {
    double most = naive_seen(n->table, i, n->fold) * n->tuning->linear_c;
    return most > 1e-200 ? most : 0;
}

/* What a case passes, as weights of all tests. */
static void weights_of(const newton *n, uint32_t i, double *phi) {
    uint32_t test[MOST];
    double weight[MOST];
    uint32_t count = naive_tests_of(n->linear, n->table, &n->table->row[i], test, weight);
    memset(phi, 0, n->linear->tests * sizeof *phi);
    for (uint32_t j = 0; j < count; j++)
        phi[test[j]] = weight[j] * sqrt(n->linear->scale);
}

static double product(const newton *n, const double *a, const double *b) {
    double sum = 0;
    for (uint32_t j = 0; j < n->linear->tests; j++)
        sum += a[j] * b[j];
    return sum;
}

/* Alphas by where mu is, and what they would make of it less what it is. */
static void look(newton *n) {
    double phi[MOST];
    for (uint32_t j = 0; j < n->linear->tests; j++)
        n->off[j] = -n->mu[j];
    for (uint32_t i = 0; i < n->table->rows; i++) {
        weights_of(n, i, phi);
        double y = n->table->row[i].label == n->label ? 1 : -1;
        n->alpha[i] = most_of(n, i) / (1 + naive_exp(y * product(n, n->mu, phi)));
        for (uint32_t j = 0; j < n->linear->tests; j++)
            n->off[j] += y * n->alpha[i] * phi[j];
    }
}

static void curve(newton *n) {
    double phi[MOST];
    memset(n->curved, 0, sizeof n->curved);
    n->mass = 0;
    n->known = true;
    for (uint32_t i = 0; i < n->table->rows; i++) {
        weights_of(n, i, phi);
        double p = 1 / (1 + naive_exp(-product(n, n->mu, phi))), h = most_of(n, i) * p * (1 - p);
        n->mass += h;
        for (uint32_t j = 0; j < n->linear->tests; j++)
            for (uint32_t k = 0; k < n->linear->tests; k++)
                n->curved[j][k] += h * phi[j] * phi[k];
    }
}

/* How far supports would move, on average. */
static double deviation(const newton *n) {
    double sum = 0;
    if (!n->known)
        return HUGE_VAL;
    for (uint32_t j = 0; j < n->linear->tests; j++)
        for (uint32_t k = 0; k < n->linear->tests; k++)
            sum += n->off[j] * n->curved[j][k] * n->off[k];
    return n->mass > 0 ? sqrt(fmax(0, sum) / n->mass) : 0;
}

/* (1 + curved) step = off. */
static void solve(newton *n) {
    static double a[MOST][MOST + 1];
    uint32_t size = n->linear->tests;
    for (uint32_t j = 0; j < size; j++) {
        for (uint32_t k = 0; k < size; k++)
            a[j][k] = n->curved[j][k] + (j == k);
        a[j][size] = n->off[j];
    }
    for (uint32_t p = 0; p < size; p++)
        for (uint32_t j = 0; j < size; j++) {
            double by = a[j][p] / a[p][p];
            for (uint32_t k = p; j != p && k <= size; k++)
                a[j][k] -= by * a[p][k];
        }
    for (uint32_t j = 0; j < size; j++)
        n->step[j] = a[j][size] / a[j][j];
}

static void move(newton *n, double by) {
    for (uint32_t j = 0; j < n->linear->tests; j++)
        n->mu[j] += by * n->step[j];
}

/* Is mu found within so many steps? Curvatures are taken anew where a step has gained less than a
 * factor of two, and a step that leads too far up the other side is halved. */
static bool descend(newton *n) {
    double before = HUGE_VAL, slope = 0, precision = 0.25 * n->tuning->linear_precision;
    for (int i = 0; i < 40; i++) {
        look(n);
        if (slope > 0 && product(n, n->off, n->step) < -0.5 * slope) {
            for (uint32_t j = 0; j < n->linear->tests; j++)
                n->step[j] /= 2;
            move(n, -1);
            slope /= 2;
            continue;
        }
        double off = deviation(n);
        if (off >= precision && off >= before / 2) {
            curve(n);
            off = deviation(n);
        }
        if (off < precision)
            return true;
        before = off;
        solve(n);
        slope = product(n, n->off, n->step);
        move(n, 1);
    }
    return false;
}

/* Is it faster than a descent? */
static bool pays(const newton *n) {
    double entries = 0, columns = n->table->columns;
    bool several = n->table->labels > 2;
    for (uint32_t c = 0; c < n->table->columns; c++)
        entries += 1 + n->linear->entries[c];
    if (n->table->rows < n->tuning->newton || n->table->members || columns == 0 ||
        (several && n->table->labels > n->tuning->many))
        return false;
    double widest = (several ? 16 : 40) * (columns * columns < 4 * entries ? 3 : 1);
    return columns + pow(entries, 3) / (30 * n->table->rows * columns) < widest;
}

bool naive_newton(const naive_linear *linear, const naive_table *table,
                  const hcbr_i_rich_tuning *tuning, uint32_t fold, uint32_t label,
                  double alpha[NAIVE_ROWS]) {
    newton *n = calloc(1, sizeof *n);
    *n = (newton){.table = table, .tuning = tuning, .linear = linear, .label = label};
    bool found = pays(n) && descend(n);
    n->fold = fold; // the first is where the others begin
    found = found && (fold == 0 || descend(n));
    memcpy(alpha, n->alpha, sizeof n->alpha);
    free(n);
    return found;
}
