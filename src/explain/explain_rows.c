/*
 * Rows explained one after the other, by several threads on request: one row for each thread is
 * read, explained in parallel, each by an explainer of its own, and passed on in order. The stream
 * only reads: the explainer of a row resolves and decides it, once.
 *
 * Invariant: the results and their order are the same for any number of threads; a row is passed on
 * before a failure after it is reported.
 */
#include "explainer.h"

#include <pthread.h>
#include <stdatomic.h>

/* A row in progress, with its results. */
typedef struct place {
    hcbr_explainer *explainer;
    hcbr_decision decision;
    hcbr_explanation explanation;
    hcbr_row *row;   /* NULL: none, or it was handed out */
    double *numbers; /* supports, then probabilities */
    size_t number_capacity;
    hcbr_status status;
    hcbr_error err;
} place;

typedef struct rows {
    const hcbr_explain_rows_options *options;
    hcbr_stream *stream;
    hcbr_explained_row_fn *each;
    void *context;
    hcbr_index *own; /* NULL: the caller's, or one for each explainer */
    hcbr_i_crew *crew;
    place *places;
    uint32_t count;
    uint32_t filled;
    pthread_t caller; /* the only thread that reports progress */
    atomic_bool stop;
    uint64_t row; /* that was read last */
    bool ended;
} rows;

/* ---- a row ----------------------------------------------------------------------------------- */

/* Copy the decision, which the explainer drops at its next call. */
static bool keep_decision(place *p, const hcbr_decision *d) {
    const size_t labels = d->label_count;
    if (!hcbr_i_grow(&p->numbers, &p->number_capacity, 2 * labels + 1, sizeof *p->numbers))
        return false;
    p->decision = *d;
    if (d->support)
        p->decision.support = memcpy(p->numbers, d->support, labels * sizeof *p->numbers);
    if (d->probability)
        p->decision.probability =
            memcpy(p->numbers + labels, d->probability, labels * sizeof *p->numbers);
    return true;
}

/* Read rows until every place has one, the stream ends, or it would have to wait. */
static hcbr_status fill(rows *r, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    r->filled = 0;
    while (r->filled < r->count) {
        int more = 0;
        if (r->filled > 0 && hcbr_stream_must_read(r->stream))
            return HCBR_OK;
        if ((r->ended = r->row >= r->options->last))
            return HCBR_OK;
        hcbr_status st = hcbr_i_stream_read(r->stream, &d, &more, err);
        if ((r->ended = st != HCBR_OK || !more))
            return st;
        r->row = d.row;
        if (r->options->wanted && r->options->wanted(r->context, d.row) == 0) {
            hcbr_i_stream_note(r->stream, 1); // it may well be known
            continue;
        }
        st = hcbr_stream_get_row(r->stream, &r->places[r->filled].row, err);
        if (st != HCBR_OK)
            return st;
        r->filled++;
    }
    return HCBR_OK;
}

/* ---- all rows -------------------------------------------------------------------------------- */

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    rows *r = context;
    if (!atomic_load(&r->stop) && r->options->progress &&
        pthread_equal(pthread_self(), r->caller) &&
        r->options->progress(r->options->progress_context, stage, done, total) != 0)
        atomic_store(&r->stop, true);
    return atomic_load(&r->stop);
}

static void explain_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    rows *r = context;
    (void)worker;
    for (uint64_t n = begin; n < end; n++) {
        place *p = &r->places[n];
        p->explanation = (hcbr_explanation){.size = sizeof p->explanation};
        p->status = hcbr_explainer_explain(p->explainer, p->row, r->options->explain,
                                           &p->explanation, &p->err);
        if (p->status == HCBR_OK && !keep_decision(p, p->explanation.decision))
            p->status = hcbr_i_no_memory(&p->err);
    }
}

static hcbr_status hand_out(rows *r, hcbr_error *err) {
    for (uint32_t n = 0; n < r->filled; n++) {
        place *p = &r->places[n];
        if (p->status != HCBR_OK) {
            if (err)
                *err = p->err;
            return p->status;
        }
        const hcbr_explained_row row = {.size = sizeof row,
                                        .decision = &p->decision,
                                        .explanation = &p->explanation,
                                        .row = p->row,
                                        .explainer = p->explainer};
        hcbr_status st = hcbr_i_stream_note_decision(r->stream, &p->decision, err);
        if (st != HCBR_OK)
            return st;
        p->row = NULL; // now the receiver's
        if (r->each(r->context, &row) != 0)
            return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
    }
    return HCBR_OK;
}

static hcbr_status run(rows *r, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    while (st == HCBR_OK && !r->ended) {
        hcbr_error later = {0};
        hcbr_status read = fill(r, &later);
        if (r->filled > 0 && watch(r, "explain", 0, 1)) // other threads may do all of it
            return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
        if (r->filled > 0)
            hcbr_i_crew_run(r->crew, r->filled, 1, explain_some, r);
        st = hand_out(r, err);
        if (st == HCBR_OK && read != HCBR_OK) {
            st = read;
            if (err)
                *err = later;
        }
    }
    return st;
}

/* Whether an explanation uses past cases. */
static bool looks_back(const hcbr_explain_options *options) {
    hcbr_explain_options o;
    hcbr_explain_options_init(&o);
    if (options)
        o = *options;
    return o.cases > 0 || o.atom_cases > 0;
}

static hcbr_status start(rows *r, const hcbr_model *model, const hcbr_rule *rule, hcbr_error *err) {
    const hcbr_explain_rows_options *o = r->options;
    const hcbr_index *index = o->index;
    hcbr_status st = HCBR_OK;
    r->crew = hcbr_i_crew_create(r->count);
    r->places = hcbr_i_alloc_zero(r->count, sizeof *r->places);
    if (!r->crew || !r->places)
        return hcbr_i_no_memory(err);
    if (!index && r->count > 1 && looks_back(o->explain)) {
        hcbr_index_options how;
        hcbr_index_options_init(&how);
        how.threads = r->count;
        how.progress = watch;
        how.progress_context = r;
        st = hcbr_index_create(&r->own, model, &how, err);
        index = r->own;
    }
    for (uint32_t n = 0; st == HCBR_OK && n < r->count; n++) {
        hcbr_explainer **x = &r->places[n].explainer;
        st = hcbr_explainer_create(x, model, index, rule, err);
        if (st == HCBR_OK)
            hcbr_explainer_watch(*x, watch, r);
    }
    return st;
}

hcbr_status hcbr_explain_rows(const hcbr_model *model, hcbr_stream *stream, const hcbr_rule *rule,
                              const hcbr_explain_rows_options *options, hcbr_explained_row_fn *each,
                              void *context, hcbr_error *err) {
    if (!each)
        return hcbr_i_fail(err, HCBR_EUSAGE, "argument each is NULL, expected a function");
    if (HCBR_I_NULL(err, model, stream) || HCBR_I_UNSIZED(err, rule, options))
        return HCBR_EUSAGE;
    hcbr_explain_rows_options o;
    hcbr_explain_rows_options_init(&o);
    if (options)
        o = *options;
    if (HCBR_I_UNSIZED(err, o.explain))
        return HCBR_EUSAGE;
    rows r = {.options = &o,
              .stream = stream,
              .each = each,
              .context = context,
              .count = o.threads > 0 ? o.threads : 1,
              .caller = pthread_self()};
    atomic_init(&r.stop, false);
    hcbr_status st = start(&r, model, rule, err);
    if (st == HCBR_OK && (st = run(&r, err)) == HCBR_OK)
        hcbr_i_stream_warn(stream);
    for (uint32_t n = 0; r.places && n < r.count; n++) {
        hcbr_explainer_free(r.places[n].explainer);
        hcbr_row_free(r.places[n].row);
        hcbr_i_free(r.places[n].numbers);
    }
    hcbr_i_free(r.places);
    hcbr_i_crew_free(r.crew);
    hcbr_index_free(r.own);
    return st;
}
