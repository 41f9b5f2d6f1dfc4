/*
 * Strengths of single tests by Newton's method, for many cases and few tests.
 *
 * The objective is that of the descent (linear_fit.c). The tests of a column that a case passes are
 * given by its entry a; two entries share K(a, b) of them, and with K = L L' the supports of the
 * entries are L v and the penalty is |v|^2 / 2. With alpha_i = C w_i / (1 + exp(y_i s_i)) and G the
 * sums of y alpha by entry, v is optimal where r = L' G - v is 0. A step solves (1 + L' H L) step =
 * r, H the curvatures C w p (1 - p) summed by pairs of entries. H need not be exact: it is computed
 * from a sample of the cases, and again after a step with too little gain. The first fold model
 * starts from 0; the others start from its solution, with its H.
 *
 * Strengths are rebuilt from the alphas in the end, so they are exactly a sum over the past cases;
 * steps continue until that changes the supports of cases little. Sums are taken in the order of
 * the rows, which follows their content: any number of threads gives the same result.
 */
#include "rich/linear/linear_newton.h"

#ifdef HCBR_I_AVX2
#include <immintrin.h>

#define WORTH 16u /* numbers worth processing in fours */
#endif

#define MOST_ENTRIES 1024 /* tests of all columns */
#define MOST_CELLS 0x1p22 /* curvatures of several labels */
#define MOST_STEPS 40
#define GAIN 2.0       /* least factor by which a step must reduce the deviation */
#define SAMPLE 65536u  /* cases for H, at most twice as many */
#define PARTS 8u       /* of the cases that threads add up by themselves */
#define PRECISION 0.25 /* of the descent's: largest error of rebuilt supports */
#define WIDEST 40      /* cost of H, in columns, from which on a descent is faster ... */
#define WIDEST_MANY 16 /* ... for more than two labels */
#define FACTOR 30.0    /* multiplications of a factorisation that take as long as adding to H */

/* ---- columns --------------------------------------------------------------------------------- */

/* A lower triangle, row after row, of the entries of a column: K = L L'. */
static void factor_column(const hcbr_i_rich_fitter *f, uint32_t column, double *l) {
    uint32_t size = f->linear->place[column + 1] - f->linear->place[column];
    bool ordered = f->table->column[column].ordered;
    memset(l, 0, (size_t)size * size * sizeof *l); // absent values share nothing
    for (uint32_t a = 1; a < size; a++)
        for (uint32_t b = 1; b <= a; b++) {
            double sum = ordered ? hcbr_i_rich_shared((int)(a - b), size - 2) : a == b ? 1 : 0;
            sum *= f->scale;
            for (uint32_t c = 1; c < b; c++)
                sum -= l[a * size + c] * l[b * size + c];
            l[a * size + b] = a == b ? sqrt(sum) : sum / l[b * size + b];
        }
}

/* out = L v, or L' v if `back`. */
static void multiply(const hcbr_i_rich_newton *n, const double *v, double *out, bool back) {
    const uint32_t *place = n->f->linear->place;
    const double *l = n->lower;
    for (uint32_t c = 0; c < n->f->table->columns; c++) {
        uint32_t size = place[c + 1] - place[c];
        const double *from = v + place[c];
        double *to = out + place[c];
        memset(to, 0, size * sizeof *to);
        for (uint32_t a = 0; a < size; a++)
            for (uint32_t b = 0; b <= a; b++) {
                if (back)
                    to[b] += l[a * size + b] * from[a];
                else
                    to[a] += l[a * size + b] * from[b];
            }
        l += (size_t)size * size;
    }
}

/* ---- passes over the cases ------------------------------------------------------------------- */

/* The shared data of a pass. */
typedef struct pass {
    const hcbr_i_rich_newton *n;
    uint32_t fold;
    const double *table;   /* supports by entry */
    double *parts, *alpha; /* to be filled, as in the work */
    const double *each;    /* curvature of each case of the sample ... */
    double *curved;        /* ... and their sums */
} pass;

/* Alphas at the supports of a table of entries, and G, of rows from .. to. */
static void sum_rows(const pass *x, uint32_t from, uint32_t to, double *sums) {
    const hcbr_i_rich_newton *n = x->n;
    const hcbr_i_rich_table *t = n->f->table;
    const uint32_t *place = n->f->linear->place;
    memset(sums, 0, n->size * sizeof *sums);
    for (uint32_t i = from; i < to; i += HCBR_I_RICH_MANY) {
        uint32_t left = to - i, count = left < HCBR_I_RICH_MANY ? left : HCBR_I_RICH_MANY;
        double e[HCBR_I_RICH_MANY] = {0};
        for (uint32_t b = 0; b < count; b++) {
            double s = hcbr_i_rich_fitter_columns(n->f, x->table, i + b);
            e[b] = t->label[i + b] == n->f->label ? s : -s;
        }
        hcbr_i_rich_exp_many(e, hcbr_i_rich_whole_blocks(count));
        for (uint32_t b = 0; b < count; b++) {
            const uint8_t *entry = n->f->entry + (size_t)(i + b) * t->columns;
            double alpha = hcbr_i_rich_fitter_most(n->f, x->fold, i + b) / (1 + e[b]);
            double by = t->label[i + b] == n->f->label ? alpha : -alpha;
            if (x->alpha)
                x->alpha[i + b] = alpha;
            for (uint32_t c = 0; c < t->columns; c++)
                sums[place[c] + entry[c]] += by;
        }
    }
}

/* The first row of a part. */
static uint32_t part_start(const hcbr_i_rich_table *t, uint64_t part) {
    return (uint32_t)(t->rows * part / PARTS);
}

static void sum_parts(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const pass *x = context;
    (void)worker;
    for (uint64_t part = begin; part < end; part++)
        sum_rows(x, part_start(x->n->f->table, part), part_start(x->n->f->table, part + 1),
                 x->parts + part * x->n->size);
}

/* Alphas and G of all rows: the same parts, added in the same order, for any number of threads. */
static void sum_alphas(const hcbr_i_rich_newton *n, const hcbr_i_rich_newton_work *w) {
    pass x = {.n = n, .fold = w->fold, .table = w->table, .parts = w->parts, .alpha = w->alpha};
    hcbr_i_parallel(w->threads, PARTS, 1, sum_parts, &x);
    memset(w->sums, 0, n->size * sizeof *w->sums);
    for (uint32_t part = 0; part < PARTS; part++)
        for (size_t i = 0; i < n->size; i++)
            w->sums[i] += w->parts[part * n->size + i];
}

/* The stride of the sample for H. */
static uint32_t step_of(const hcbr_i_rich_table *t) {
    return t->rows / SAMPLE ? t->rows / SAMPLE : 1;
}

static uint32_t taken_of(const hcbr_i_rich_table *t) {
    return (t->rows + step_of(t) - 1) / step_of(t);
}

/* Rows of H of some columns. */
static void curve_columns(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const pass *x = context;
    const hcbr_i_rich_newton *n = x->n;
    const hcbr_i_rich_table *t = n->f->table;
    const uint32_t *place = n->f->linear->place;
    uint32_t step = step_of(t), taken = taken_of(t);
    (void)worker;
    for (uint64_t c = begin; c < end; c++)
        for (uint32_t j = 0; j < taken; j++) {
            const uint8_t *entry = n->f->entry + (size_t)j * step * t->columns;
            double *to = x->curved + (place[c] + entry[c]) * n->size, h = x->each[j];
            for (uint32_t d = (uint32_t)c; h > 0 && d < t->columns; d++)
                to[place[d] + entry[d]] += h;
        }
}

/* H over a sample, as the upper triangle of a matrix; its sum goes to w->mass. Column after column,
 * so that the sums stay in the cache. */
static void sum_curvatures(const hcbr_i_rich_newton *n, hcbr_i_rich_newton_work *w) {
    const hcbr_i_rich_table *t = n->f->table;
    uint32_t step = step_of(t), taken = taken_of(t);
    double part = (double)taken / t->rows;
    memset(w->curved, 0, n->size * n->size * sizeof *w->curved);
    w->mass = 0;
    for (uint32_t j = 0; j < taken; j++) {
        double p = hcbr_i_rich_logistic(hcbr_i_rich_fitter_columns(n->f, w->table, j * step));
        double h = w->each[j] =
            hcbr_i_rich_fitter_most(n->f, w->fold, j * step) * p * (1 - p) / part;
        w->mass += h > 0 ? h : 0;
    }
    pass x = {.n = n, .each = w->each, .curved = w->curved};
    hcbr_i_parallel(w->threads, t->columns, 1, curve_columns, &x);
}

/* ---- the equations --------------------------------------------------------------------------- */

#ifdef HCBR_I_AVX2
/* to += by from, of `count` numbers but the last few. Returns how many. */
HCBR_I_AVX2 static size_t add_fours(double *to, const double *from, double by, size_t count) {
    const __m256d all = _mm256_set1_pd(by);
    size_t i = 0;
    for (; i + 4 <= count; i += 4)
        _mm256_storeu_pd(to + i, _mm256_add_pd(_mm256_loadu_pd(to + i),
                                               _mm256_mul_pd(all, _mm256_loadu_pd(from + i))));
    return i;
}
#endif

/* to += by from, of `count` numbers; the result does not depend on the vector width. */
static inline void add_times(double *to, const double *from, double by, size_t count) {
    hcbr_i_rich_pair both = {by, by};
    size_t i = 0;
#ifdef HCBR_I_AVX2
    if (count >= WORTH && hcbr_i_simd())
        i = add_fours(to, from, by, count);
#endif
    for (; i + 2 <= count; i += 2)
        hcbr_i_rich_put_pair(to + i,
                             hcbr_i_rich_get_pair(to + i) + both * hcbr_i_rich_get_pair(from + i));
    if (i < count)
        to[i] += by * from[i];
}

/* One block of L' H L in its place: from rows and columns of the entries of two columns. */
static void turn_block(double *block, size_t step, const double *la, uint32_t a, const double *lb,
                       uint32_t b, double *room) {
    memset(room, 0, (size_t)a * b * sizeof *room);
    for (uint32_t i = 0; i < a; i++) // L' of the one
        for (uint32_t k = 0; k <= i; k++)
            if (la[i * a + k] != 0)
                add_times(room + (size_t)k * b, block + i * step, la[i * a + k], b);
    for (uint32_t i = 0; i < a; i++) // L of the other
        for (uint32_t k = 0; k < b; k++) {
            double sum = 0;
            for (uint32_t j = k; j < b; j++)
                sum += room[i * b + j] * lb[j * b + k];
            block[i * step + k] = sum;
        }
}

static void turn(const hcbr_i_rich_newton *n, hcbr_i_rich_newton_work *w) {
    const uint32_t *place = n->f->linear->place;
    const double *la = n->lower;
    for (uint32_t c = 0; c < n->f->table->columns; c++) {
        uint32_t a = place[c + 1] - place[c];
        const double *lb = la;
        for (uint32_t d = c; d < n->f->table->columns; d++) {
            uint32_t b = place[d + 1] - place[d];
            turn_block(w->curved + place[c] * n->size + place[d], n->size, la, a, lb, b, w->room);
            lb += (size_t)b * b;
        }
        la += (size_t)a * a;
    }
}

/* Upper triangle R of 1 + curved = R' R. It is positive definite: no pivot is below 1. */
static void factor(const hcbr_i_rich_newton *n, const hcbr_i_rich_newton_work *w, double *r) {
    size_t size = n->size;
    for (size_t i = 0; i < size; i++)
        for (size_t j = i; j < size; j++)
            r[i * size + j] = w->curved[i * size + j] + (i == j);
    for (size_t k = 0; k < size; k++) {
        double pivot = 1 / sqrt(fmax(r[k * size + k], 0.5));
        for (size_t j = k; j < size; j++)
            r[k * size + j] *= pivot;
        for (size_t i = k + 1; i < size; i++)
            if (r[k * size + i] != 0)
                add_times(r + i * size + i, r + k * size + i, -r[k * size + i], size - i);
    }
}

/* Sum of the products of two lists, in four chains, so that none waits for the one before. */
static double product(const double *a, const double *b, size_t count) {
    hcbr_i_rich_pair sum[2] = {{0, 0}, {0, 0}};
    double rest = 0;
    size_t i = 0;
    for (; i + 4 <= count; i += 4) {
        sum[0] += hcbr_i_rich_get_pair(a + i) * hcbr_i_rich_get_pair(b + i);
        sum[1] += hcbr_i_rich_get_pair(a + i + 2) * hcbr_i_rich_get_pair(b + i + 2);
    }
    for (; i < count; i++)
        rest += a[i] * b[i];
    sum[0] += sum[1];
    return sum[0][0] + sum[0][1] + rest;
}

/* Solve R' R x = x in place. */
static void solve(const double *r, size_t size, double *x) {
    for (size_t k = 0; k < size; k++) {
        x[k] /= r[k * size + k];
        add_times(x + k + 1, r + k * size + k + 1, -x[k], size - k - 1);
    }
    for (size_t k = size; k-- > 0;)
        x[k] = (x[k] - product(r + k * size + k + 1, x + k + 1, size - k - 1)) / r[k * size + k];
}

/* The movement of supports if strengths are rebuilt: the root of the mean square by curvature. */
static double deviation(const hcbr_i_rich_newton *n, const hcbr_i_rich_newton_work *w) {
    double sum = 0;
    for (size_t i = 0; i < n->size; i++) {
        const double *row = w->curved + i * n->size;
        double after = product(row + i + 1, w->off + i + 1, n->size - i - 1);
        sum += (row[i] * w->off[i] + 2 * after) * w->off[i];
    }
    return w->mass > 0 ? sqrt(fmax(sum, 0) / w->mass) : 0;
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* Allocate matrices of its own. False: no memory. */
static bool room_matrices(const hcbr_i_rich_newton *n, hcbr_i_rich_newton_work *w) {
    uint32_t widest = 0;
    for (uint32_t c = 0; c < n->f->table->columns; c++) {
        uint32_t size = n->f->linear->place[c + 1] - n->f->linear->place[c];
        widest = size > widest ? size : widest;
    }
    size_t cells = n->size * n->size, room = (size_t)widest * widest;
    w->owned = hcbr_i_alloc(2 * cells + room + taken_of(n->f->table), sizeof *w->owned);
    if (!w->owned)
        return false;
    w->curved = w->owned;
    w->factor = w->curved + cells;
    w->room = w->factor + cells;
    w->each = w->room + room;
    return true;
}

/* Compute H at v. False: no memory. */
static bool refresh(const hcbr_i_rich_newton *n, hcbr_i_rich_newton_work *w) {
    if (!w->owned && !room_matrices(n, w))
        return false;
    sum_curvatures(n, w);
    turn(n, w);
    factor(n, w, w->factor);
    return true;
}

/* Compute the step at v; false: it has converged or failed. */
static bool step_on(const hcbr_i_rich_newton *n, hcbr_i_rich_newton_work *w) {
    double precision = PRECISION * n->f->options->tuning.linear_precision;
    double off = w->curved ? deviation(n, w) : HUGE_VAL;
    if (!w->curved || (!(off < precision) && !(off < w->before / GAIN))) {
        if (!refresh(n, w)) {
            w->failed = true;
            return false;
        }
        off = deviation(n, w);
    }
    w->right = off < precision;
    if (w->right)
        return false;
    w->before = off;
    memcpy(w->step, w->off, n->size * sizeof *w->step);
    solve(w->factor, n->size, w->step);
    w->slope = product(w->off, w->step, n->size);
    add_times(w->v, w->step, 1, n->size);
    return true;
}

/* Steps from w->v until it is right. */
static void descend(const hcbr_i_rich_newton *n, hcbr_i_rich_newton_work *w) {
    w->slope = 0;
    w->before = HUGE_VAL;
    for (int i = 0; i < MOST_STEPS && hcbr_i_rich_tick(n->f->options); i++) {
        multiply(n, w->v, w->table, false);
        sum_alphas(n, w);
        multiply(n, w->sums, w->off, true);
        add_times(w->off, w->v, -1, n->size);
        if (w->slope > 0 && product(w->off, w->step, n->size) < -0.5 * w->slope) {
            for (size_t j = 0; j < n->size; j++) // too far: half of it, from its start
                w->step[j] *= 0.5;
            add_times(w->v, w->step, -1, n->size);
            w->slope *= 0.5;
        } else if (!step_on(n, w)) {
            return;
        }
    }
}

/* ---- fold models ----------------------------------------------------------------------------- */

/* Vectors in one block; matrices are allocated when needed. */
static bool work_init(hcbr_i_rich_newton_work *w, const hcbr_i_rich_newton *n, uint32_t fold,
                      uint32_t threads) {
    *w = (hcbr_i_rich_newton_work){.fold = fold, .threads = threads};
    w->v = hcbr_i_alloc_zero((5 + PARTS) * n->size, sizeof *w->v);
    if (!w->v)
        return false;
    w->table = w->v + n->size;
    w->sums = w->table + n->size;
    w->off = w->sums + n->size;
    w->step = w->off + n->size;
    w->parts = w->step + n->size;
    return true;
}

static void work_clear(hcbr_i_rich_newton_work *w) {
    hcbr_i_free(w->v);
    hcbr_i_free(w->owned);
}

bool hcbr_i_rich_newton_pays(const hcbr_i_rich_fitter *f) {
    const hcbr_i_rich_table *t = f->table;
    double entries = (double)hcbr_i_rich_linear_size(f->linear), columns = t->columns;
    if (t->rows < f->options->tuning.newton || t->bag_count || f->precise || columns == 0 ||
        entries > MOST_ENTRIES)
        return false;
    bool two = f->linear->outputs == 1;
    double cost = columns + entries * entries * entries / (FACTOR * t->rows * columns);
    double widest = two ? WIDEST : WIDEST_MANY;
    if (columns * columns < 4 * entries) // numbers: a descent adds to many entries of each
        widest *= 3;
    return cost < widest && (two || f->linear->outputs * entries * entries <= MOST_CELLS);
}

bool hcbr_i_rich_newton_init(hcbr_i_rich_newton *n, const hcbr_i_rich_fitter *f, uint32_t threads) {
    const uint32_t *place = f->linear->place;
    size_t cells = 0;
    *n = (hcbr_i_rich_newton){.f = f, .size = hcbr_i_rich_linear_size(f->linear)};
    for (uint32_t c = 0; c < f->table->columns; c++)
        cells += (size_t)(place[c + 1] - place[c]) * (place[c + 1] - place[c]);
    n->lower = hcbr_i_alloc(cells, sizeof *n->lower);
    n->alpha = hcbr_i_alloc(f->table->rows, sizeof *n->alpha);
    if (!n->lower || !n->alpha || !work_init(&n->first, n, 0, threads)) {
        hcbr_i_rich_newton_clear(n);
        return false;
    }
    double *l = n->lower;
    for (uint32_t c = 0; c < f->table->columns; c++) {
        factor_column(f, c, l);
        l += (size_t)(place[c + 1] - place[c]) * (place[c + 1] - place[c]);
    }
    n->first.alpha = n->alpha;
    descend(n, &n->first);
    if (!n->first.failed)
        return true;
    hcbr_i_rich_newton_clear(n);
    return false;
}

/* Fit a fold model from the solution of the first one. False: no memory. */
static bool follow(const hcbr_i_rich_newton *n, uint32_t fold, uint32_t threads, double *alpha,
                   double *strength, bool *right) {
    hcbr_i_rich_newton_work w;
    if (!work_init(&w, n, fold, threads))
        return false;
    memcpy(w.v, n->first.v, n->size * sizeof *w.v);
    w.curved = n->first.curved;
    w.factor = n->first.factor;
    w.mass = n->first.mass;
    w.alpha = alpha;
    descend(n, &w);
    *right = w.right;
    if (w.right)
        hcbr_i_rich_newton_rebuild(n, w.sums, strength, w.off);
    bool failed = w.failed;
    work_clear(&w);
    return !failed;
}

bool hcbr_i_rich_newton_fold(const hcbr_i_rich_newton *n, uint32_t fold, uint32_t threads,
                             double *alpha, double *strength, bool *right) {
    *right = n->first.right;
    if (!*right)
        return true;
    if (fold > 0)
        return follow(n, fold, threads, alpha, strength, right);
    memcpy(alpha, n->alpha, n->f->table->rows * sizeof *alpha);
    hcbr_i_rich_newton_rebuild(n, n->first.sums, strength, n->first.off);
    return true;
}

void hcbr_i_rich_newton_rebuild(const hcbr_i_rich_newton *n, const double *sums, double *strength,
                                double *room) {
    multiply(n, sums, room, true);
    multiply(n, room, strength, false);
}

void hcbr_i_rich_newton_clear(hcbr_i_rich_newton *n) {
    hcbr_i_free(n->lower);
    hcbr_i_free(n->alpha);
    work_clear(&n->first);
    *n = (hcbr_i_rich_newton){0};
}
