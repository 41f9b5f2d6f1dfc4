/*
 * Strengths of single tests with very many labels: each label is fitted by itself (linear_fit.c),
 * to its own cases and a sample of the others.
 *
 * The cases of other labels are sampled at equal distances in the order of their content, about
 * `rivals` for each case of the label, and each has a bound C w multiplied by the number of cases
 * it represents. So the work follows the cases, not cases times labels, and a strength that no
 * sampled case has moved is 0 and is not stored. Labels are independent: any number of threads
 * gives the same result.
 */
#include "rich/linear/linear_fit.h"

#include <stdlib.h>

/* The result of a label. */
typedef struct fitted {
    uint32_t *row; /* of its sample, ascending */
    double *alpha; /* of each */
    uint32_t rows;
    uint32_t *entry; /* of the strengths other than 0, ascending */
    double *strength;
    size_t entries;
} fitted;

/* Working memory of a thread. */
typedef struct worker {
    hcbr_i_rich_linear one; /* offsets and codes, one output */
    hcbr_i_rich_fitter f;
    hcbr_i_rich_fitting x;
    uint32_t *touched; /* members of the bag that the current label has moved */
    size_t touched_count;
    uint8_t *is_touched; /* by member */
    uint32_t *row;       /* of the current sample */
    double *times;       /* number of cases each represents */
    double *most;        /* how far it may pull */
    double *sum;         /* of the fold models' alphas */
    double room[2];
} worker;

typedef struct all_labels {
    const hcbr_i_rich_fitter *f;
    uint32_t *start, *rows; /* label l has rows[start[l] .. start[l+1]), ascending */
    fitted *labels;
    worker *workers;
    bool *failed; /* by worker */
} all_labels;

/* ---- samples --------------------------------------------------------------------------------- */

/* By label its rows. */
static void list_rows(all_labels *a) {
    const hcbr_i_rich_table *t = a->f->table;
    for (uint32_t i = 0; i < t->rows; i++)
        a->start[t->label[i] + 2]++;
    for (uint32_t l = 0; l < t->labels; l++)
        a->start[l + 2] += a->start[l + 1];
    for (uint32_t i = 0; i < t->rows; i++)
        a->rows[a->start[t->label[i] + 1]++] = i;
}

/* The sample of a label, ascending. Returns its size. */
static uint32_t take_sample(const all_labels *a, uint32_t label, worker *w) {
    const hcbr_i_rich_table *t = a->f->table;
    double rivals = a->f->options->tuning.rivals;
    double part = fmin(1, rivals * t->label_weight[label] / t->total_weight);
    double offset =
        hcbr_i_rich_unit(a->f->options->seed ^ hcbr_i_mix(0x72697661 + (uint64_t)label));
    const uint32_t *own = a->rows + a->start[label], *end = a->rows + a->start[label + 1];
    uint32_t n = 0;
    for (uint64_t j = 0;; j++) {
        double at = part > 0 ? floor(((double)j + offset) / part) : t->rows;
        uint32_t row = at < t->rows ? (uint32_t)at : t->rows;
        for (; own < end && *own < row; own++) {
            w->row[n] = *own;
            w->times[n++] = 1;
        }
        if (row >= t->rows)
            return n;
        if (t->label[row] != label) {
            w->row[n] = row;
            w->times[n++] = 1 / part;
        }
    }
}

/* ---- one label ------------------------------------------------------------------------------- */

/* Note the members of the sample's rows: only their strengths move. */
static void touch(worker *w, uint32_t n) {
    const hcbr_i_rich_table *t = w->f.table;
    w->touched_count = 0;
    for (uint32_t j = 0; j < n; j++)
        for (uint64_t k = t->bag_start[w->row[j]]; k < t->bag_start[w->row[j] + 1]; k++)
            if (!w->is_touched[t->bag[k]]) {
                w->is_touched[t->bag[k]] = 1;
                w->touched[w->touched_count++] = t->bag[k];
            }
}

static void wipe(hcbr_i_rich_fitting *x) {
    const worker *w = x->context;
    size_t tables = w->one.place[w->one.columns];
    memset(x->strength, 0, tables * sizeof *x->strength);
    for (size_t j = 0; j < w->touched_count; j++)
        x->strength[tables + w->touched[j]] = 0;
}

/* Write the supports of the cases that the fold model has not seen. */
static void hold(const worker *w, uint32_t fold, uint32_t label) {
    const hcbr_i_rich_table *t = w->f.table;
    for (uint32_t i = 0; i < t->sample_count; i++) {
        uint32_t row = hcbr_i_rich_sample_row(t, i);
        if (t->fold[row] == fold)
            hcbr_i_rich_fitter_support(&w->f, w->x.strength, row,
                                       w->f.held + (size_t)i * t->labels + label);
    }
}

/* Keep the strengths other than 0, and the alphas. False: no memory. */
static bool keep(worker *w, uint32_t n, fitted *out) {
    const double *strength = w->x.strength;
    uint32_t tables = w->one.place[w->one.columns];
    size_t most = tables + w->touched_count;
    if (w->touched_count)
        qsort(w->touched, w->touched_count, sizeof *w->touched, hcbr_i_compare_u32);
    *out = (fitted){.row = hcbr_i_alloc(n, sizeof *out->row),
                    .alpha = hcbr_i_alloc(n, sizeof *out->alpha),
                    .rows = n};
    size_t count = 0;
    for (size_t e = 0; e < most; e++)
        count += strength[e < tables ? e : tables + w->touched[e - tables]] != 0;
    out->entry = hcbr_i_alloc(count, sizeof *out->entry);
    out->strength = hcbr_i_alloc(count, sizeof *out->strength);
    if (!out->row || !out->alpha || !out->entry || !out->strength)
        return false;
    for (size_t e = 0; e < most; e++) {
        uint32_t entry = e < tables ? (uint32_t)e : tables + w->touched[e - tables];
        if (strength[entry] != 0) {
            out->entry[out->entries] = entry;
            out->strength[out->entries++] = strength[entry];
        }
    }
    for (uint32_t j = 0; j < n; j++) {
        out->row[j] = w->row[j];
        out->alpha[j] = w->sum[j];
    }
    return true;
}

/* An alpha as it is stored: as one or two floats. */
static double as_kept(const hcbr_i_rich_fitter *f, double alpha) {
    double high = (double)(float)alpha;
    return f->precise ? high + (double)(float)(alpha - high) : high;
}

/* False: no memory, or stopped. */
static bool fit_label(all_labels *a, worker *w, uint32_t label) {
    uint32_t n = take_sample(a, label, w);
    w->f.label = label;
    w->x.count = n;
    touch(w, n);
    for (uint32_t j = 0; j < n; j++)
        w->sum[j] = 0;
    for (uint32_t fold = 0; fold < HCBR_I_RICH_FOLDS; fold++) {
        for (uint32_t j = 0; j < n; j++)
            w->most[j] = hcbr_i_rich_fitter_most(&w->f, fold, w->row[j]) * w->times[j];
        wipe(&w->x);
        hcbr_i_rich_fitter_fit(&w->f, &w->x);
        hold(w, fold, label);
        for (uint32_t j = 0; j < n; j++)
            w->sum[j] += as_kept(&w->f, w->x.alpha[j]);
        if (!hcbr_i_rich_tick(w->f.options))
            return false;
    }
    wipe(&w->x);
    for (uint32_t j = 0; j < n; j++) { // reasons add up the same terms
        w->sum[j] = as_kept(&w->f, w->sum[j] / HCBR_I_RICH_FOLDS);
        hcbr_i_rich_fitter_pull(&w->f, w->row[j], &w->sum[j], w->x.strength, w->room);
    }
    bool ok = keep(w, n, &a->labels[label]);
    for (size_t j = 0; j < w->touched_count; j++)
        w->is_touched[w->touched[j]] = 0;
    wipe(&w->x);
    return ok;
}

static void fit_labels(void *context, uint32_t number, uint64_t begin, uint64_t end) {
    all_labels *a = context;
    for (uint64_t l = begin; l < end && !a->failed[number]; l++)
        a->failed[number] = !fit_label(a, &a->workers[number], (uint32_t)l);
}

/* ---- all labels ------------------------------------------------------------------------------ */

/* From lists by label to lists by entry. */
static bool turn_strengths(hcbr_i_rich_lists *out, const fitted *labels, uint32_t count,
                           size_t entries) {
    if (!(out->start = hcbr_i_alloc_zero(entries + 1, sizeof *out->start)))
        return false;
    for (uint32_t l = 0; l < count; l++)
        for (size_t i = 0; i < labels[l].entries; i++)
            out->start[labels[l].entry[i] + 1]++;
    uint64_t *next = hcbr_i_alloc(entries, sizeof *next);
    bool ok = next && hcbr_i_rich_lists_init(out, entries);
    for (size_t e = 0; ok && e < entries; e++)
        next[e] = out->start[e];
    for (uint32_t l = 0; ok && l < count; l++)
        for (size_t i = 0; i < labels[l].entries; i++) {
            uint64_t at = next[labels[l].entry[i]]++;
            out->label[at] = l;
            out->value[at] = labels[l].strength[i];
        }
    hcbr_i_free(next);
    return ok;
}

/* From alphas by label to alphas by row. */
static bool turn_alphas(hcbr_i_rich_kept *kept, const fitted *labels, uint32_t count, uint32_t rows,
                        bool precise) {
    uint64_t *start = hcbr_i_alloc_zero((size_t)rows + 2, sizeof *start);
    if (!(kept->alpha_start = start))
        return false;
    for (uint32_t l = 0; l < count; l++)
        for (uint32_t j = 0; j < labels[l].rows; j++)
            start[labels[l].row[j] + 2]++;
    for (uint32_t i = 0; i < rows; i++)
        start[i + 2] += start[i + 1];
    size_t all = (size_t)start[rows + 1];
    kept->alpha_label = hcbr_i_alloc(all, sizeof *kept->alpha_label);
    kept->alpha = hcbr_i_alloc(all, sizeof *kept->alpha);
    kept->alpha_low = precise ? hcbr_i_alloc(all, sizeof *kept->alpha_low) : NULL;
    if (!kept->alpha_label || !kept->alpha || (precise && !kept->alpha_low))
        return false;
    for (uint32_t l = 0; l < count; l++)
        for (uint32_t j = 0; j < labels[l].rows; j++) {
            uint64_t at = start[labels[l].row[j] + 1]++;
            kept->alpha_label[at] = l;
            kept->alpha[at] = (float)labels[l].alpha[j];
            if (precise)
                kept->alpha_low[at] = (float)(labels[l].alpha[j] - (double)kept->alpha[at]);
        }
    return true;
}

static bool worker_init(worker *w, const hcbr_i_rich_fitter *f) {
    const hcbr_i_rich_table *t = f->table;
    *w = (worker){.one = *f->linear, .f = *f};
    w->one.outputs = 1;
    w->f.linear = &w->one;
    w->x = (hcbr_i_rich_fitting){.wipe = wipe, .context = w, .room = w->room};
    w->x.strength = hcbr_i_alloc_zero(hcbr_i_rich_linear_size(f->linear), sizeof *w->x.strength);
    w->x.alpha = hcbr_i_alloc(t->rows, 2 * sizeof *w->x.alpha);
    w->x.logit = w->x.alpha ? w->x.alpha + t->rows : NULL;
    w->x.most = w->most = hcbr_i_alloc(t->rows, sizeof *w->most);
    w->x.row = w->row = hcbr_i_alloc(t->rows, sizeof *w->row);
    w->touched = hcbr_i_alloc(t->bag_count, sizeof *w->touched);
    w->is_touched = hcbr_i_alloc_zero(t->bag_count, 1);
    w->times = hcbr_i_alloc(t->rows, sizeof *w->times);
    w->sum = hcbr_i_alloc(t->rows, sizeof *w->sum);
    return w->x.strength && w->x.alpha && w->most && w->row && w->touched && w->is_touched &&
           w->times && w->sum;
}

static void worker_clear(worker *w) {
    hcbr_i_free(w->x.strength);
    hcbr_i_free(w->x.alpha);
    hcbr_i_free(w->most);
    hcbr_i_free(w->touched);
    hcbr_i_free(w->is_touched);
    hcbr_i_free(w->row);
    hcbr_i_free(w->times);
    hcbr_i_free(w->sum);
}

static void labels_clear(all_labels *a, uint32_t threads) {
    for (uint32_t v = 0; a->workers && v < threads; v++)
        worker_clear(&a->workers[v]);
    for (uint32_t l = 0; a->labels && l < a->f->table->labels; l++) {
        hcbr_i_free(a->labels[l].row);
        hcbr_i_free(a->labels[l].alpha);
        hcbr_i_free(a->labels[l].entry);
        hcbr_i_free(a->labels[l].strength);
    }
    hcbr_i_free(a->workers);
    hcbr_i_free(a->labels);
    hcbr_i_free(a->failed);
    hcbr_i_free(a->start);
    hcbr_i_free(a->rows);
}

bool hcbr_i_rich_labels_fit(hcbr_i_rich_linear *out, hcbr_i_rich_kept *kept,
                            const hcbr_i_rich_fitter *f) {
    uint32_t labels = f->table->labels, threads = f->options->threads;
    all_labels a = {.f = f};
    a.start = hcbr_i_alloc_zero((size_t)labels + 2, sizeof *a.start);
    a.rows = hcbr_i_alloc(f->table->rows, sizeof *a.rows);
    a.labels = hcbr_i_alloc_zero(labels, sizeof *a.labels);
    a.workers = hcbr_i_alloc_zero(threads, sizeof *a.workers);
    a.failed = hcbr_i_alloc_zero(threads, sizeof *a.failed);
    bool ok = a.start && a.rows && a.labels && a.workers && a.failed;
    for (uint32_t v = 0; ok && v < threads; v++)
        ok = worker_init(&a.workers[v], f);
    if (ok) {
        list_rows(&a);
        hcbr_i_parallel(threads, labels, 1, fit_labels, &a);
    }
    for (uint32_t v = 0; ok && v < threads; v++)
        ok = !a.failed[v];
    ok = ok && turn_strengths(&out->lists, a.labels, labels, hcbr_i_rich_linear_size(out)) &&
         turn_alphas(kept, a.labels, labels, f->table->rows, f->precise);
    labels_clear(&a, threads);
    return ok;
}
