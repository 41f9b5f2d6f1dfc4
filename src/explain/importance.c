/*
 * How much columns weigh over many cases: the mean of the absolute lead that each adds.
 *
 * Invariant: names are copied, and a case is added whole or not at all.
 */
#include "explainer.h"

#include <math.h>
#include <stdlib.h>

#define MOST 1000u      /* past cases to be explained */
#define LEAST 100u      /* where there are as many */
#define LOOKS 20000000u /* at past cases, by all of them */

typedef struct sum {
    char *name; /* owned */
    size_t length;
    double absolute, lead;
    uint64_t cases;
} sum;

struct hcbr_importance {
    sum *columns;
    size_t count, capacity;
    hcbr_i_hash_table table; /* of the columns by name */
    hcbr_i_hash_key key;
    uint64_t cases;
    uint32_t *found; /* by column of the current case */
    size_t found_capacity;
    hcbr_important_column *shown;
    size_t shown_capacity;
};

/* ---- case by case ---------------------------------------------------------------------------- */

hcbr_status hcbr_importance_create(hcbr_importance **out, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out))
        return HCBR_EUSAGE;
    *out = hcbr_i_alloc_zero(1, sizeof **out);
    if (!*out)
        return hcbr_i_no_memory(err);
    (*out)->key = hcbr_i_hash_key_make(0);
    return HCBR_OK;
}

void hcbr_importance_free(hcbr_importance *x) {
    if (!x)
        return;
    for (size_t n = 0; n < x->count; n++)
        hcbr_i_free(x->columns[n].name);
    hcbr_i_hash_table_clear(&x->table);
    hcbr_i_free(x->columns);
    hcbr_i_free(x->found);
    hcbr_i_free(x->shown);
    hcbr_i_free(x);
}

static bool is_named(const void *owner, uint32_t number, const void *wanted) {
    const sum *columns = owner;
    return hcbr_i_text_same((hcbr_i_text){columns[number].name, columns[number].length},
                            *(const hcbr_i_text *)wanted);
}

/* The number of a column, which is added without any case if it is new; false: no memory. */
static bool find(hcbr_importance *x, hcbr_i_text name, uint32_t *number) {
    uint64_t hash =
        hcbr_i_hash_name(&x->key, hcbr_i_hash_text(&x->key, name.at, name.length, NULL, 0));
    *number = hcbr_i_hash_table_find(&x->table, hash, is_named, x->columns, &name);
    if (*number != HCBR_I_HASH_NONE)
        return true;
    if (!hcbr_i_grow(&x->columns, &x->capacity, x->count + 1, sizeof *x->columns))
        return false;
    char *copy = hcbr_i_text_copy(name.at, name.length);
    if (!copy || !hcbr_i_hash_table_add(&x->table, hash, (uint32_t)x->count)) {
        hcbr_i_free(copy);
        return false;
    }
    *number = (uint32_t)x->count;
    x->columns[x->count++] = (sum){.name = copy, .length = name.length};
    return true;
}

hcbr_status hcbr_importance_add(hcbr_importance *x, const hcbr_explanation *explanation,
                                hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "importance, explanation", x, explanation) ||
        HCBR_I_UNSIZED(err, explanation))
        return HCBR_EUSAGE;
    const hcbr_explanation *e = explanation;
    if (!e->rest || e->column_count < e->all_columns)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "the explanation shows %llu of %llu columns, expected all",
                           (unsigned long long)e->column_count, (unsigned long long)e->all_columns);
    if (!hcbr_i_grow(&x->found, &x->found_capacity, e->column_count, sizeof *x->found))
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        if (!find(x, (hcbr_i_text){c->name, c->name_length}, &x->found[n]))
            return hcbr_i_no_memory(err);
    }
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        sum *to = &x->columns[x->found[n]];
        to->absolute += fabs(c->lead);
        to->lead += c->lead;
        to->cases++;
    }
    x->cases++;
    return HCBR_OK;
}

/* ---- past cases ------------------------------------------------------------------------------ */

/* The observer of the number of cases done, instead of the progress in each. */
typedef struct cases_watch {
    hcbr_progress_fn *progress; /* may be NULL */
    void *context;
    uint64_t done, total;
} cases_watch;

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    const cases_watch *w = context;
    (void)stage, (void)done, (void)total;
    return w->progress ? w->progress(w->context, "importance", w->done, w->total) : 0;
}

static hcbr_status add_one(hcbr_importance *x, hcbr_explainer *explainer, uint64_t index,
                           const hcbr_explain_options *options, hcbr_error *err) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_feature *features;
    hcbr_row *row = NULL;
    size_t count;
    hcbr_status st = hcbr_model_copy_kept(explainer->model, index, &features, &count, err);
    if (st == HCBR_OK)
        st = hcbr_row_create(&row, explainer->decider, features, count, err);
    hcbr_bytes_free(features);
    if (st == HCBR_OK)
        st = hcbr_explainer_explain(explainer, row, options, &e, err);
    if (st == HCBR_OK)
        st = hcbr_importance_add(x, &e, err);
    hcbr_row_free(row);
    return st;
}

/* As many cases as take little time: each may look at all that are kept. */
static uint64_t enough(uint64_t kept) {
    const uint64_t quick = LOOKS / (kept ? kept : 1);
    return quick > MOST ? MOST : quick < LEAST ? LEAST : quick;
}

/* Number i of m evenly spaced ones of n, without overflow. */
static uint64_t spaced(uint64_t i, uint64_t m, uint64_t n) {
    return i * (n / m) + i * (n % m) / m;
}

hcbr_status hcbr_importance_add_kept(hcbr_importance *x, hcbr_explainer *explainer, uint64_t most,
                                     hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "importance, explainer", x, explainer))
        return HCBR_EUSAGE;
    const uint64_t kept = hcbr_model_kept_count(explainer->model);
    most = most ? most : enough(kept);
    cases_watch w = {.progress = explainer->a.progress,
                     .context = explainer->a.progress_context,
                     .total = kept < most ? kept : most};
    hcbr_explain_options o;
    hcbr_status st = HCBR_OK;
    hcbr_explain_options_init(&o);
    o.atoms = o.cases = o.atom_cases = 0;
    hcbr_explainer_watch(explainer, watch, &w);
    for (; st == HCBR_OK && w.done < w.total; w.done++)
        st = watch(&w, "", 0, 0) ? hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request")
                                 : add_one(x, explainer, spaced(w.done, w.total, kept), &o, err);
    if (st == HCBR_OK && w.total > 0 && watch(&w, "", 0, 0))
        st = hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
    hcbr_explainer_watch(explainer, w.progress, w.context);
    return st;
}

/* ---- results --------------------------------------------------------------------------------- */

static int compare_columns(const void *a, const void *b) {
    const hcbr_important_column *p = a, *q = b;
    int order = hcbr_i_order_double(q->importance, p->importance);
    return order ? order : hcbr_i_text_compare(p->name, p->name_length, q->name, q->name_length);
}

hcbr_status hcbr_importance_get(hcbr_importance *x, hcbr_important_columns *columns,
                                hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "importance, columns", x, columns) || HCBR_I_UNSIZED(err, columns))
        return HCBR_EUSAGE;
    hcbr_important_columns out = {.size = columns->size, .cases = x->cases};
    double cases = x->cases ? (double)x->cases : 1;
    if (!hcbr_i_grow(&x->shown, &x->shown_capacity, x->count + 1, sizeof *x->shown))
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < x->count; n++)
        if (x->columns[n].cases > 0) // not of a case that could not be added
            x->shown[out.count++] = (hcbr_important_column){
                x->columns[n].name, x->columns[n].length, x->columns[n].absolute / cases,
                x->columns[n].lead / cases, x->columns[n].cases};
    if (out.count)
        qsort(x->shown, out.count, sizeof *x->shown, compare_columns);
    out.columns = x->shown;
    hcbr_i_hand_out(columns, &out, sizeof out);
    return HCBR_OK;
}
