/*
 * Strengths of single tests, fitted to the cases by dual coordinate descent.
 *
 * Minimised is |mu|^2 / 2 + C sum_i w_i log(1 + exp(-y_i mu.phi(x_i))). Each case i has a number 0
 * <= alpha_i <= C w_i, and mu = sum_i y_i alpha_i phi(x_i) at any time: the strength of a test is a
 * sum over the past cases that pass it. A number passes, for each of up to 16 cuts, "x <= t" or "x
 * > t" of weight 1 / cuts; a value or member has weight 1; phi is scaled so that a case has length
 * 1 on average. Since two cases with codes a and b share 1 - |a - b| / cuts of a number's tests, a
 * column's part of mu.phi(x) is stored as a table over the codes, and one lookup reads it. More
 * than two labels are fitted one against the rest, in parallel; very many one after the other
 * (linear_labels.c). Features of one atom pass the same cases, so their strengths are equal: the
 * partition is implied.
 */
#include "rich/linear/linear_newton.h"

#ifdef HCBR_I_AVX2
#include <immintrin.h>
#endif

#define MOST_CUTS HCBR_I_RICH_MOST_CUTS
#define LEAST 1e-9  /* start of alpha, as a share of C: negligible */
#define HEAVY 1e4   /* C w of a case whose alpha passes alone do not reach */
#define LIGHT 10.0  /* C w of a case that they do */
#define LIFTED 1e3  /* C w of a case that is lifted together with heavy ones */
#define NONE 1e-200 /* C w of a case without influence */

#define SMALL 0.1   /* of the precision: a gradient of a case below this counts as 0 */
#define WORTH 4     /* outputs worth adding four at a time */
#define FEW_MOVED 2 /* if at most every second label changes, each is moved by itself */

enum { ASKED = 1 << 15 }; /* cases of a pass between two progress calls */

typedef hcbr_i_rich_fitter fitter;
typedef hcbr_i_rich_fitting fitting;
typedef hcbr_i_rich_window window;

/* ---- supports and moves ---------------------------------------------------------------------- */

/* to += by from, of `count` numbers. */
typedef void adder(double *to, const double *from, double by, uint32_t count);

static inline void add_pairs(double *to, const double *from, double by, uint32_t count) {
    uint32_t i = 0;
    for (; i + 2 <= count; i += 2)
        hcbr_i_rich_put_pair(to + i,
                             hcbr_i_rich_get_pair(to + i) + by * hcbr_i_rich_get_pair(from + i));
    if (i < count)
        to[i] += by * from[i];
}

#ifdef HCBR_I_AVX2
/* The same: each number is multiplied and added separately. */
HCBR_I_AVX2 static inline void add_fours(double *to, const double *from, double by,
                                         uint32_t count) {
    const __m256d all = _mm256_set1_pd(by);
    uint32_t i = 0;
    for (; i + 4 <= count; i += 4)
        _mm256_storeu_pd(to + i, _mm256_add_pd(_mm256_loadu_pd(to + i),
                                               _mm256_mul_pd(all, _mm256_loadu_pd(from + i))));
    for (; i < count; i++)
        to[i] += by * from[i];
}
#endif

/* Supports of several outputs. */
static inline __attribute__((always_inline)) void
support_with(const fitter *f, const double *strength, uint32_t row, double *out, adder *add) {
    const hcbr_i_rich_table *t = f->table;
    uint32_t k = f->linear->outputs;
    const uint8_t *entry = f->entry + (size_t)row * t->columns;
    for (uint32_t l = 0; l < k; l++)
        out[l] = 0;
    for (uint32_t c = 0; c < t->columns; c++)
        add(out, strength + ((size_t)f->linear->place[c] + entry[c]) * k, 1, k);
    const double *bag = strength + (size_t)f->linear->place[t->columns] * k;
    for (uint64_t j = t->bag_start[row]; j < t->bag_start[row + 1]; j++)
        add(out, bag + (size_t)t->bag[j] * k, 1, k);
}

/* mu += by phi(row), for each of several outputs. */
static inline __attribute__((always_inline)) void
move_with(const fitter *f, double *strength, uint32_t row, const double *by, adder *add) {
    const hcbr_i_rich_table *t = f->table;
    uint32_t k = f->linear->outputs;
    const uint8_t *entry = f->entry + (size_t)row * t->columns;
    for (uint32_t c = 0; c < t->columns; c++) {
        if (entry[c] == 0)
            continue;
        uint32_t place = f->linear->place[c], size = f->linear->place[c + 1] - place - 1;
        double *to = strength + ((size_t)place + 1) * k;
        if (!f->ordered[c]) {
            add(to + (size_t)(entry[c] - 1) * k, by, 1, k);
            continue;
        }
        const double *shared = f->windows[size - 1].at + MOST_CUTS + 1 - entry[c];
        for (uint32_t b = 0; b < size; b++)
            add(to + (size_t)b * k, by, shared[b], k);
    }
    double *bag = strength + (size_t)f->linear->place[t->columns] * k;
    for (uint64_t j = t->bag_start[row]; j < t->bag_start[row + 1]; j++)
        add(bag + (size_t)t->bag[j] * k, by, 1, k);
}

#ifdef HCBR_I_AVX2
HCBR_I_AVX2 static void support_wide(const fitter *f, const double *strength, uint32_t row,
                                     double *out) {
    support_with(f, strength, row, out, add_fours);
}

HCBR_I_AVX2 static void move_wide(const fitter *f, double *strength, uint32_t row,
                                  const double *by) {
    move_with(f, strength, row, by, add_fours);
}
#endif

void hcbr_i_rich_fitter_support(const fitter *f, const double *strength, uint32_t row,
                                double *out) {
    const hcbr_i_rich_table *t = f->table;
    if (f->linear->outputs == 1) {
        const double *bag = strength + f->linear->place[t->columns];
        out[0] = hcbr_i_rich_fitter_columns(f, strength, row);
        for (uint64_t j = t->bag_start[row]; j < t->bag_start[row + 1]; j++)
            out[0] += bag[t->bag[j]];
        return;
    }
#ifdef HCBR_I_AVX2
    if (f->wide) {
        support_wide(f, strength, row, out);
        return;
    }
#endif
    support_with(f, strength, row, out, add_pairs);
}

/* mu += by phi(row), of the only output. */
static void move_only(const fitter *f, double *strength, uint32_t row, double by) {
    const hcbr_i_rich_table *t = f->table;
    const uint32_t *place = f->linear->place;
    const uint8_t *entry = f->entry + (size_t)row * t->columns;
    for (uint32_t c = 0; c < t->columns; c++) {
        uint32_t size = place[c + 1] - place[c] - 1;
        if (!f->ordered[c])
            strength[place[c] + entry[c]] += entry[c] ? by : 0;
        else if (entry[c])
            add_pairs(strength + place[c] + 1, f->windows[size - 1].at + MOST_CUTS + 1 - entry[c],
                      by, size);
    }
    double *bag = strength + place[t->columns];
    for (uint64_t j = t->bag_start[row]; j < t->bag_start[row + 1]; j++)
        bag[t->bag[j]] += by;
}

/* mu += by phi(row), for each output. */
static void move(const fitter *f, double *strength, uint32_t row, const double *by) {
    if (f->linear->outputs == 1) {
        move_only(f, strength, row, by[0]);
        return;
    }
#ifdef HCBR_I_AVX2
    if (f->wide) {
        move_wide(f, strength, row, by);
        return;
    }
#endif
    move_with(f, strength, row, by, add_pairs);
}

/* The same for one output. */
static void move_one(const fitter *f, double *strength, uint32_t row, uint32_t output, double by) {
    const hcbr_i_rich_table *t = f->table;
    uint32_t k = f->linear->outputs;
    const uint8_t *entry = f->entry + (size_t)row * t->columns;
    for (uint32_t c = 0; c < t->columns; c++) {
        uint32_t place = f->linear->place[c], size = f->linear->place[c + 1] - place - 1;
        double *to = strength + ((size_t)place + 1) * k + output;
        const double *shared = f->windows[size ? size - 1 : 0].at + MOST_CUTS + 1 - entry[c];
        if (entry[c] && !f->ordered[c])
            to[(size_t)(entry[c] - 1) * k] += by;
        for (uint32_t b = 0; entry[c] && f->ordered[c] && b < size; b++)
            to[(size_t)b * k] += by * shared[b];
    }
    double *bag = strength + (size_t)f->linear->place[t->columns] * k + output;
    for (uint64_t j = t->bag_start[row]; j < t->bag_start[row + 1]; j++)
        bag[(size_t)t->bag[j] * k] += by;
}

/* ---- one case -------------------------------------------------------------------------------- */

static double sign_of(const fitter *f, uint32_t row, uint32_t output) {
    return f->table->label[row] == (f->linear->outputs == 1 ? f->label : output) ? 1.0 : -1.0;
}

/* Move the alphas of some outputs of a case whose y support is known. Returns the number moved. */
static uint32_t move_alphas(const fitter *f, const fitting *x, uint32_t i, double most,
                            const uint32_t *output, uint32_t count) {
    uint32_t row = hcbr_i_rich_fitting_row(x, i), k = f->linear->outputs, moved = 0;
    double *support = x->room, *by = x->room + k;
    double *alpha = x->alpha + (size_t)i * k, *logit = x->logit + (size_t)i * k;
    double least = fmin(most, HEAVY) * 1e-12, largest = most * (1 - 1e-12);
    double z[HCBR_I_LOG_BLOCK], u[HCBR_I_LOG_BLOCK], b[HCBR_I_LOG_BLOCK];
    for (uint32_t j = 0; j < count; j++) {
        z[j] = alpha[output[j]];
        u[j] = logit[output[j]];
        b[j] = support[output[j]];
    }
    hcbr_i_rich_best_alphas(z, u, b, count, most, f->self[row],
                            SMALL * f->options->tuning.linear_precision);
    for (uint32_t j = 0; j < count; j++) {
        uint32_t l = output[j];
        double best = z[j] < least ? least : z[j] > largest ? largest : z[j];
        by[l] = sign_of(f, row, l) * (best - alpha[l]) * f->scale;
        moved += best != alpha[l];
        alpha[l] = best;
        logit[l] = best == z[j] ? u[j] : hcbr_i_log(best / (most - best));
    }
    return moved;
}

/* Visit one case: returns the largest gradient. If it counts as 0 nothing moves. */
static double visit(const fitter *f, const fitting *x, uint32_t i, double most) {
    uint32_t row = hcbr_i_rich_fitting_row(x, i), k = f->linear->outputs;
    double worst = 0, *support = x->room, *by = x->room + k, *logit = x->logit + (size_t)i * k;
    double small = SMALL * f->options->tuning.linear_precision;
    uint32_t open[HCBR_I_LOG_BLOCK], count = 0, moved = 0;
    hcbr_i_rich_fitter_support(f, x->strength, row, support);
    for (uint32_t l = 0; l < k; l++) {
        support[l] *= sign_of(f, row, l);
        by[l] = 0;
        double off = fabs(support[l] + logit[l]);
        worst = off > worst ? off : worst;
        if (off > small)
            open[count++] = l;
        if (count == HCBR_I_LOG_BLOCK || (count && l + 1 == k)) {
            moved += move_alphas(f, x, i, most, open, count);
            count = 0;
        }
    }
    for (uint32_t l = 0; moved * FEW_MOVED < k && l < k; l++)
        if (by[l] != 0)
            move_one(f, x->strength, row, l, by[l]);
    if (moved * FEW_MOVED >= k)
        move(f, x->strength, row, by);
    return worst;
}

/* ---- some cases ------------------------------------------------------------------------------ */

double hcbr_i_rich_fitter_most(const fitter *f, uint32_t fold, uint32_t row) {
    double most = hcbr_i_rich_seen_weight(f->table, row, fold) * f->options->tuning.linear_c;
    return most > NONE ? most : 0;
}

void hcbr_i_rich_fitter_pull(const fitter *f, uint32_t row, const double *alpha, double *strength,
                             double *room) {
    for (uint32_t l = 0; l < f->linear->outputs; l++)
        room[l] = sign_of(f, row, l) * alpha[l] * f->scale;
    move(f, strength, row, room);
}

/* Set the strengths to the exact sum over the cases whose C w is above `least`. */
static void add_up(const fitter *f, fitting *x, double least) {
    x->wipe(x);
    for (uint32_t i = 0; i < x->count; i++)
        if (x->most[i] > least)
            hcbr_i_rich_fitter_pull(f, hcbr_i_rich_fitting_row(x, i),
                                    x->alpha + (size_t)i * f->linear->outputs, x->strength,
                                    x->room);
}

/* Passes over the cases whose C w is above `least`, scaled by `part`, until gradients are small on
 * average. */
static void make_passes(const fitter *f, fitting *x, double least, double part, double small) {
    uint32_t k = f->linear->outputs;
    for (uint32_t i = 0; i < x->count; i++)
        for (size_t at = (size_t)i * k; x->most[i] > least && at < ((size_t)i + 1) * k; at++)
            x->logit[at] = hcbr_i_log(x->alpha[at] / (part * x->most[i] - x->alpha[at]));
    for (uint32_t pass = 0; pass < f->options->tuning.linear_passes; pass++) {
        double off = 0, visits = 0;
        for (uint32_t i = 0; i < x->count; i++) {
            if (!(x->most[i] > least))
                continue;
            off += visit(f, x, i, part * x->most[i]);
            visits++;
            if (x->ticks && i % ASKED == ASKED - 1 && hcbr_i_rich_go_on(f->options, NULL))
                return;
        }
        bool on = least > 0 || !x->ticks || hcbr_i_rich_tick(f->options);
        x->reached = visits > 0 ? off / visits : 0;
        if (!on || off < small * visits)
            break;
    }
}

/*
 * Find the alphas of very heavy cases. A visit moves an alpha by a few units only, while those of
 * contradictory cases reach a good part of C w. So they are first fitted with a small part of the
 * weights, then with ten times as much, starting from alphas ten times as large.
 */
static void lift_heavy(const fitter *f, fitting *x) {
    uint32_t k = f->linear->outputs;
    double heaviest = 0, small = f->options->tuning.linear_precision;
    for (uint32_t i = 0; i < x->count; i++)
        heaviest = fmax(heaviest, x->most[i]);
    if (!f->precise || heaviest <= HEAVY) // cases that merely represent many others may be heavy
        return;
    double part = LIGHT / heaviest;
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t l = 0; l < k && x->most[i] > LIFTED; l++)
            x->alpha[(size_t)i * k + l] = part * x->most[i] * LEAST;
    make_passes(f, x, LIFTED, part, small);
    while (part < 1) {
        double next = fmin(1, 10 * part);
        for (uint32_t i = 0; i < x->count; i++)
            for (uint32_t l = 0; l < k && x->most[i] > LIFTED; l++)
                x->alpha[(size_t)i * k + l] *= next / part;
        part = next;
        add_up(f, x, LIFTED);
        make_passes(f, x, LIFTED, part, small);
    }
}

void hcbr_i_rich_fitter_fit(const fitter *f, fitting *x) {
    uint32_t k = f->linear->outputs;
    double small = f->options->tuning.linear_precision;
    if (x->begun) {
        small = fmax(small, x->reached);
        add_up(f, x, 0);
    } else {
        for (uint32_t i = 0; i < x->count; i++)
            for (uint32_t l = 0; l < k; l++)
                x->alpha[(size_t)i * k + l] = fmin(x->most[i], HEAVY) * LEAST;
        lift_heavy(f, x);
    }
    make_passes(f, x, 0, 1, small);
    if (!x->begun) // otherwise they are sums of alphas already
        add_up(f, x, 0);
    for (uint32_t i = 0; i < x->count; i++)
        for (uint32_t l = 0; l < k && !(x->most[i] > 0); l++)
            x->alpha[(size_t)i * k + l] = 0;
}

/* ---- the model of a fold --------------------------------------------------------------------- */

/* All labels side by side. */
typedef struct fold_models {
    fitter f, *one;             /* of all labels, and by label */
    hcbr_i_rich_newton *newton; /* by output; NULL: not by Newton's steps */
    bool *newton_failed;
    float *alpha[HCBR_I_RICH_FOLDS]; /* by fold model, rows x outputs */
    float *low[HCBR_I_RICH_FOLDS];   /* likewise, the rounding error of alpha; NULL: negligible */
    bool failed[HCBR_I_RICH_FOLDS];
    double reached;   /* by the first one's passes: enough for the others */
    uint32_t fitted;  /* number fitted; those being fitted come next */
    uint32_t threads; /* threads for each of them */
} fold_models;

static void fill_windows(window *windows) {
    for (uint32_t m = 0; m <= MOST_CUTS; m++)
        for (int d = -(int)MOST_CUTS; d <= (int)MOST_CUTS; d++)
            windows[m].at[(int)MOST_CUTS + d] = hcbr_i_rich_shared(d, m);
}

static void wipe_all(fitting *x) {
    const hcbr_i_rich_linear *a = x->context;
    memset(x->strength, 0, hcbr_i_rich_linear_size(a) * a->outputs * sizeof *x->strength);
}

static void keep_alphas(fold_models *j, uint32_t fold, const double *alpha) {
    for (size_t at = 0; at < (size_t)j->f.table->rows * j->f.linear->outputs; at++) {
        j->alpha[fold][at] = (float)alpha[at];
        if (j->f.precise)
            j->low[fold][at] = (float)(alpha[at] - (double)j->alpha[fold][at]);
    }
}

/* Supports of the cases that the fold model has not seen. */
static void hold(const fitter *f, uint32_t fold, const double *strength) {
    const hcbr_i_rich_table *t = f->table;
    for (uint32_t i = 0; i < t->sample_count; i++) {
        uint32_t row = hcbr_i_rich_sample_row(t, i);
        if (t->fold[row] == fold)
            hcbr_i_rich_fitter_support(f, strength, row, f->held + (size_t)i * f->linear->outputs);
    }
}

/* Alphas and strengths of a fold model by Newton's steps, label by label; *found: of all labels.
 * False: no memory. */
static bool step_fold(const fold_models *j, uint32_t fold, fitting *x, bool *found) {
    uint32_t k = j->f.linear->outputs, rows = j->f.table->rows;
    size_t size = hcbr_i_rich_linear_size(j->f.linear);
    if (k == 1)
        return hcbr_i_rich_newton_fold(&j->newton[0], fold, j->threads, x->alpha, x->strength,
                                       found);
    double *alpha = hcbr_i_alloc(rows + size, sizeof *alpha);
    double *strength = alpha ? alpha + rows : NULL;
    bool ok = alpha;
    *found = ok;
    for (uint32_t l = 0; ok && *found && l < k; l++) {
        ok = hcbr_i_rich_newton_fold(&j->newton[l], fold, j->threads, alpha, strength, found);
        for (uint32_t i = 0; ok && *found && i < rows; i++)
            x->alpha[(size_t)i * k + l] = alpha[i];
        for (size_t i = 0; ok && *found && i < size; i++)
            x->strength[i * k + l] = strength[i];
    }
    if (ok && !*found) // the descent starts from 0
        x->wipe(x);
    hcbr_i_free(alpha);
    return ok;
}

/* The start of a fold model's descent: the first one at 0, the others at the first one's alphas,
 * where it has seen the cases. Heavy ones are lifted again. */
static void begin_fold(const fold_models *j, uint32_t fold, fitting *x) {
    const fitter *f = &j->f;
    uint32_t k = f->linear->outputs;
    x->begun = fold > 0 && !f->precise;
    x->reached = x->begun ? j->reached : 0;
    for (uint32_t i = 0; x->begun && i < x->count; i++) {
        double most = x->most[i], before = hcbr_i_rich_fitter_most(f, 0, i);
        double part = before > 0 ? most / before : 0;
        for (uint32_t l = 0; l < k; l++) {
            size_t at = (size_t)i * k + l;
            double alpha = fmax(part * (double)j->alpha[0][at], fmin(most, HEAVY) * LEAST);
            x->alpha[at] = fmin(alpha, most * (1 - 1e-12));
        }
    }
}

static void fit_fold(fold_models *j, uint32_t fold) {
    const fitter *f = &j->f;
    uint32_t k = f->linear->outputs, rows = f->table->rows;
    hcbr_i_rich_linear places = *f->linear;
    double *most = hcbr_i_alloc(rows, sizeof *most);
    fitting x = {.count = rows, .most = most, .wipe = wipe_all, .context = &places, .ticks = true};
    x.alpha = hcbr_i_alloc(rows, 2 * k * sizeof *x.alpha);
    x.logit = x.alpha ? x.alpha + (size_t)rows * k : NULL;
    x.strength = hcbr_i_alloc_zero(hcbr_i_rich_linear_size(f->linear), k * sizeof *x.strength);
    x.room = hcbr_i_alloc(2, k * sizeof *x.room);
    j->alpha[fold] = hcbr_i_alloc(rows, k * sizeof *j->alpha[fold]);
    j->low[fold] = f->precise ? hcbr_i_alloc(rows, k * sizeof *j->low[fold]) : NULL;
    j->failed[fold] = !most || !x.alpha || !x.strength || !x.room || !j->alpha[fold] ||
                      (f->precise && !j->low[fold]) || hcbr_i_rich_go_on(f->options, NULL);
    bool found = false;
    if (!j->failed[fold] && j->newton)
        j->failed[fold] = !step_fold(j, fold, &x, &found);
    if (!j->failed[fold]) {
        for (uint32_t i = 0; i < rows; i++)
            most[i] = hcbr_i_rich_fitter_most(f, fold, i);
        if (!found) {
            begin_fold(j, fold, &x);
            hcbr_i_rich_fitter_fit(f, &x);
            if (fold == 0) // it is alone
                j->reached = x.reached;
        }
        // Once training is stopped, the rest would be wasted.
        j->failed[fold] = hcbr_i_rich_go_on(f->options, NULL) != HCBR_OK;
    }
    if (!j->failed[fold]) {
        hold(f, fold, x.strength);
        keep_alphas(j, fold, x.alpha);
    }
    hcbr_i_free(most);
    hcbr_i_free(x.alpha);
    hcbr_i_free(x.strength);
    hcbr_i_free(x.room);
}

static void fit_folds(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    (void)worker;
    fold_models *j = context;
    for (uint64_t i = begin; i < end; i++)
        fit_fold(j, j->fitted + (uint32_t)i);
}

/* ---- the fit --------------------------------------------------------------------------------- */

/* Add the alpha of a row to the sums by entry. */
static void add_alpha(const fitter *f, uint32_t row, double alpha, double *sums) {
    const uint8_t *entry = f->entry + (size_t)row * f->table->columns;
    double by = sign_of(f, row, 0) * alpha;
    for (uint32_t c = 0; c < f->table->columns; c++)
        sums[f->linear->place[c] + entry[c]] += by;
}

/* The strengths of the model, from the mean of the fold models' alphas as stored: reasons add up
 * the same terms. */
static bool average(hcbr_i_rich_linear *out, hcbr_i_rich_kept *kept, const fold_models *j) {
    const fitter *f = &j->f;
    uint32_t k = out->outputs;
    bool simple = j->newton && k == 1;
    size_t size = simple ? j->newton[0].size : 0;
    double *room = hcbr_i_alloc(2 * ((size_t)k + size), sizeof *room), *alpha = room + k;
    if (!room)
        return false;
    double *sums = alpha + k;
    memset(sums, 0, size * sizeof *sums);
    for (uint32_t i = 0; i < f->table->rows; i++) {
        for (uint32_t l = 0; l < k; l++) {
            size_t at = (size_t)i * k + l;
            double sum = 0;
            for (uint32_t fold = 0; fold < HCBR_I_RICH_FOLDS; fold++)
                sum += (double)j->alpha[fold][at] + (f->precise ? (double)j->low[fold][at] : 0);
            kept->alpha[at] = (float)(sum / HCBR_I_RICH_FOLDS);
            if (f->precise)
                kept->alpha_low[at] = (float)(sum / HCBR_I_RICH_FOLDS - (double)kept->alpha[at]);
            alpha[l] = hcbr_i_rich_alpha(kept, at);
        }
        if (simple)
            add_alpha(f, i, alpha[0], sums);
        else
            hcbr_i_rich_fitter_pull(f, i, alpha, out->strength, room);
    }
    if (simple)
        hcbr_i_rich_newton_rebuild(&j->newton[0], sums, out->strength, sums + size);
    hcbr_i_free(room);
    return true;
}

/* The first fold model by Newton's steps, for some labels. */
static void start_newtons(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    fold_models *j = context;
    (void)worker;
    for (uint64_t l = begin; l < end; l++) {
        j->one[l] = j->f;
        j->one[l].label = j->f.linear->outputs == 1 ? j->f.label : (uint32_t)l;
        j->newton_failed[l] = !hcbr_i_rich_newton_init(&j->newton[l], &j->one[l], j->threads);
    }
}

/* False: no memory. */
static bool newtons_init(fold_models *j) {
    uint32_t k = j->f.linear->outputs;
    j->newton = hcbr_i_alloc_zero(k, sizeof *j->newton);
    j->one = hcbr_i_alloc(k, sizeof *j->one);
    j->newton_failed = hcbr_i_alloc_zero(k, sizeof *j->newton_failed);
    if (!j->newton || !j->one || !j->newton_failed)
        return false;
    j->threads = k == 1 ? j->f.options->threads : 1;
    hcbr_i_parallel(j->f.options->threads, k, 1, start_newtons, j);
    bool ok = true;
    for (uint32_t l = 0; l < k; l++)
        ok = ok && !j->newton_failed[l];
    return ok;
}

static void newtons_clear(fold_models *j) {
    for (uint32_t l = 0; j->newton && l < j->f.linear->outputs; l++)
        hcbr_i_rich_newton_clear(&j->newton[l]);
    hcbr_i_free(j->newton);
    hcbr_i_free(j->one);
    hcbr_i_free(j->newton_failed);
}

/* Fit some fold models, from the first unfitted one on. */
static void fit_some(fold_models *j, uint32_t count) {
    j->threads = count == 1 ? j->f.options->threads : 1;
    hcbr_i_parallel(j->f.options->threads, count, 1, fit_folds, j);
    j->fitted += count;
}

/* Fit all labels together; *wanted: whether `more` asked for all fold models. */
static bool fit_all(hcbr_i_rich_linear *out, hcbr_i_rich_kept *kept, const fitter *f,
                    hcbr_i_rich_more *more, void *context, bool *wanted) {
    fold_models j = {.f = *f};
    size_t each = out->outputs * sizeof *kept->alpha;
    out->strength =
        hcbr_i_alloc_zero(hcbr_i_rich_linear_size(out), out->outputs * sizeof *out->strength);
    kept->alpha = hcbr_i_alloc(f->table->rows, each);
    kept->alpha_low = f->precise ? hcbr_i_alloc(f->table->rows, each) : NULL;
    bool ok = out->strength && kept->alpha && (kept->alpha_low || !f->precise) &&
              (!hcbr_i_rich_newton_pays(f) || newtons_init(&j));
    if (ok) {
        fit_some(&j, 1);
        ok = !j.failed[0];
        *wanted = ok && (!more || more(context));
    }
    if (ok && *wanted)
        fit_some(&j, HCBR_I_RICH_FOLDS - j.fitted);
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++)
        ok = ok && !j.failed[k];
    ok = ok && (!*wanted || average(out, kept, &j));
    for (uint32_t k = 0; k < HCBR_I_RICH_FOLDS; k++) {
        hcbr_i_free(j.alpha[k]);
        hcbr_i_free(j.low[k]);
    }
    newtons_clear(&j);
    return ok;
}

hcbr_status hcbr_i_rich_linear_fit(hcbr_i_rich_linear *out, hcbr_i_rich_kept *kept,
                                   const hcbr_i_rich_table *table,
                                   const hcbr_i_rich_options *options, double *held,
                                   hcbr_i_rich_more *more, void *context, hcbr_error *err) {
    *out = (hcbr_i_rich_linear){.outputs = hcbr_i_rich_outputs(table->labels),
                                .columns = table->columns,
                                .bag_count = table->bag_count};
    size_t cells = 0;
    uint8_t *entry = NULL;
    if (!__builtin_mul_overflow((size_t)table->rows, (size_t)table->columns, &cells))
        entry = hcbr_i_alloc(cells, 1);
    double *self = hcbr_i_alloc(table->rows, sizeof *self);
    window *windows = hcbr_i_alloc(MOST_CUTS + 1, sizeof *windows);
    bool *ordered = hcbr_i_alloc(table->columns, sizeof *ordered);
    bool ok = entry && self && windows && ordered &&
              hcbr_i_rich_entries_init(out, table, options->tuning.linear_cuts);
    bool many = table->labels > options->tuning.many, wanted = true;
    fitter f = {.table = table, .options = options, .linear = out, .entry = entry, .self = self};
    f.windows = windows;
    f.ordered = ordered;
    f.wide = hcbr_i_simd() && out->outputs >= WORTH;
    for (uint32_t c = 0; ordered && c < table->columns; c++)
        ordered[c] = table->column[c].ordered;
    f.held = held;
    f.label = 1;
    for (uint32_t i = 0; i < table->rows; i++)
        f.precise |= table->weight[i] * options->tuning.linear_c > HEAVY;
    if (ok) {
        fill_windows(windows);
        kept->scale = f.scale = hcbr_i_rich_entries_fill(out, table, entry, self);
        ok = many ? hcbr_i_rich_labels_fit(out, kept, &f)
                  : fit_all(out, kept, &f, more, context, &wanted);
    }
    hcbr_i_free(entry);
    hcbr_i_free(self);
    hcbr_i_free(windows);
    hcbr_i_free(ordered);
    if (ok && wanted)
        return HCBR_OK;
    hcbr_i_rich_linear_clear(out);
    hcbr_i_free(kept->alpha);
    hcbr_i_free(kept->alpha_low);
    kept->alpha = kept->alpha_low = NULL;
    kept->scale = 0;
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

void hcbr_i_rich_linear_clear(hcbr_i_rich_linear *linear) {
    hcbr_i_free(linear->place);
    hcbr_i_free(linear->coarse);
    hcbr_i_free(linear->strength);
    hcbr_i_rich_lists_clear(&linear->lists);
    *linear = (hcbr_i_rich_linear){0};
}
