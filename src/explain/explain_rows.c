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

/* A row in progress, with copies of the results of the stream and the explainer. */
typedef struct place {
    hcbr_explainer *explainer;
    hcbr_decision decision;
    hcbr_explanation explanation;
    hcbr_feature *features; /* of the row */
    size_t feature_count, feature_capacity;
    char *text; /* of these, id and label */
    size_t text_capacity;
    hcbr_feature *unseen;
    size_t unseen_capacity;
    char *unseen_text;
    size_t unseen_text_capacity;
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

static const char *copy_text(const char *text, size_t length, char **at) {
    char *out = *at;
    if (!text)
        return NULL;
    memcpy(out, text, length);
    *at += length;
    return out;
}

/* The row as it was read. */
static bool keep_row(place *p, const hcbr_decision *d, const hcbr_feature *features, size_t count) {
    size_t size = hcbr_i_features_size(features, count) + d->id_length + d->given_length + 1;
    if (!hcbr_i_grow(&p->features, &p->feature_capacity, count + 1, sizeof *p->features) ||
        !hcbr_i_grow(&p->text, &p->text_capacity, size, 1))
        return false;
    char *at = p->text;
    for (size_t i = 0; i < count; i++)
        p->features[i] = hcbr_i_feature_copy(&features[i], &at);
    p->feature_count = count;
    p->decision = *d;
    p->decision.id = copy_text(d->id, d->id_length, &at);
    p->decision.given = copy_text(d->given, d->given_length, &at);
    return true;
}

/* Copy the decision, which the explainer drops at its next call. */
static bool keep_decision(place *p, const hcbr_decision *d) {
    const hcbr_decision read = p->decision;
    size_t labels = d->label_count, unseen = d->unseen_count;
    if (!hcbr_i_grow(&p->unseen, &p->unseen_capacity, unseen + 1, sizeof *p->unseen) ||
        !hcbr_i_grow(&p->unseen_text, &p->unseen_text_capacity,
                     hcbr_i_features_size(d->unseen, unseen) + 1, 1) ||
        !hcbr_i_grow(&p->numbers, &p->number_capacity, 2 * labels + 1, sizeof *p->numbers))
        return false;
    char *at = p->unseen_text;
    for (size_t i = 0; i < unseen; i++)
        p->unseen[i] = hcbr_i_feature_copy(&d->unseen[i], &at);
    p->decision = *d;
    p->decision.unseen = p->unseen;
    if (d->support)
        p->decision.support = memcpy(p->numbers, d->support, labels * sizeof *p->numbers);
    if (d->probability)
        p->decision.probability =
            memcpy(p->numbers + labels, d->probability, labels * sizeof *p->numbers);
    p->decision.row = read.row;
    p->decision.id = read.id;
    p->decision.id_length = read.id_length;
    p->decision.given = read.given;
    p->decision.given_length = read.given_length;
    return true;
}

/* Read rows until every place has one, the stream ends, or it would have to wait. */
static hcbr_status fill(rows *r, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    r->filled = 0;
    while (r->filled < r->count) {
        const hcbr_feature *features;
        size_t count;
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
        st = hcbr_stream_get_case(r->stream, &features, &count, err);
        if (st == HCBR_OK && !keep_row(&r->places[r->filled], &d, features, count))
            st = hcbr_i_no_memory(err);
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
        hcbr_explain_options how;
        hcbr_explain_options_init(&how);
        if (r->options->explain)
            how = *r->options->explain;
        how.read = &p->decision;
        p->explanation = (hcbr_explanation){.size = sizeof p->explanation};
        p->status = hcbr_explainer_explain(p->explainer, p->features, p->feature_count, &how,
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
                                        .features = p->features,
                                        .feature_count = p->feature_count,
                                        .explainer = p->explainer};
        hcbr_status st = hcbr_i_stream_note_decision(r->stream, &p->decision, err);
        if (st != HCBR_OK)
            return st;
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
        st = index ? hcbr_explainer_create_shared(x, index, rule, err)
                   : hcbr_explainer_create(x, model, rule, err);
        if (st == HCBR_OK) {
            (*x)->decider->how.listed = hcbr_i_stream_is_listed(r->stream);
            hcbr_explainer_watch(*x, watch, r);
        }
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
        hcbr_i_free(r.places[n].features);
        hcbr_i_free(r.places[n].text);
        hcbr_i_free(r.places[n].unseen);
        hcbr_i_free(r.places[n].unseen_text);
        hcbr_i_free(r.places[n].numbers);
    }
    hcbr_i_free(r.places);
    hcbr_i_crew_free(r.crew);
    hcbr_index_free(r.own);
    return st;
}
