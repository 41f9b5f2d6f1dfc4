/*
 * Drift from its options to its result: training cases are decided again and counted, then the new
 * ones.
 */
#include "drift/drift.h"

#include <math.h>

#define TOLD 4096u /* cases between two reports */

const char *hcbr_drift_kind_name(hcbr_drift_kind kind) {
    static const char *const NAMES[] = {"column", "labels", "answers", "scores"};
    return (unsigned)kind <= HCBR_DRIFT_SCORES ? NAMES[kind] : NULL;
}

static hcbr_status tell(const hcbr_drift_options *o, const char *stage, uint64_t done,
                        uint64_t total, hcbr_error *err) {
    return done % TOLD ? HCBR_OK
                       : hcbr_i_ask(o->progress, o->progress_context, stage, done, total, err);
}

/* ---- training -------------------------------------------------------------------------------- */

static hcbr_status count_kept(hcbr_drift *d, hcbr_decider *decider, uint64_t index,
                              hcbr_error *err) {
    hcbr_feature *features;
    size_t count;
    hcbr_i_case x;
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_status st = hcbr_model_copy_kept(decider->model, index, &features, &count, err);
    if (st == HCBR_OK)
        st = hcbr_i_decider_resolve(decider, features, count, &x, err);
    if (st == HCBR_OK)
        st = hcbr_i_decider_run_case(decider, &x, &decision, err);
    if (st == HCBR_OK)
        st = hcbr_i_drift_count(&d->counts, HCBR_I_TRAINED, &x, &decision, err);
    hcbr_bytes_free(features);
    return st;
}

static hcbr_status count_training(hcbr_drift *d, hcbr_decider *decider, const hcbr_drift_options *o,
                                  hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    d->info.kept = hcbr_model_kept_count(decider->model);
    d->info.trained = decider->model->case_count;
    if (d->info.kept == 0)
        hcbr_i_drift_count_known(&d->counts);
    for (uint64_t i = 0; st == HCBR_OK && i < d->info.kept; i++)
        if ((st = tell(o, "past", i, d->info.kept, err)) == HCBR_OK)
            st = count_kept(d, decider, i, err);
    if (st == HCBR_OK)
        hcbr_i_drift_counts_cut(&d->counts);
    return st;
}

/* ---- new cases ------------------------------------------------------------------------------- */

static hcbr_status count_new(hcbr_drift *d, hcbr_decider *decider, hcbr_stream *stream,
                             hcbr_error *err) {
    hcbr_row *row;
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_status st = hcbr_stream_get_row(stream, &row, err);
    if (st == HCBR_OK)
        st = hcbr_i_decider_run_row(decider, row, &decision, err);
    if (st == HCBR_OK) {
        hcbr_i_stream_note(stream, row->x.known);
        st = hcbr_i_drift_count(&d->counts, HCBR_I_HERE, &row->x, &decision, err);
    }
    hcbr_row_free(row);
    return st;
}

static hcbr_status count_stream(hcbr_drift *d, hcbr_decider *decider, hcbr_stream *stream,
                                const hcbr_drift_options *o, hcbr_error *err) {
    hcbr_decision read = {.size = sizeof read};
    for (uint64_t rows = 0;; rows++) {
        int more = 0;
        hcbr_status st = tell(o, "drift", rows, 0, err);
        if (st == HCBR_OK)
            st = hcbr_i_stream_read(stream, &read, &more, err);
        if (st == HCBR_OK && !more)
            return rows ? HCBR_OK : hcbr_i_fail(err, HCBR_EDATA, "found no case, expected some");
        if (st == HCBR_OK)
            st = count_new(d, decider, stream, err);
        if (st != HCBR_OK)
            return st;
    }
}

/* ---- a comparison ---------------------------------------------------------------------------- */

static void take_figures(hcbr_drift *d) {
    const hcbr_i_drift_counts *c = &d->counts;
    d->info.cases = c->case_count[HCBR_I_HERE];
    d->info.labelled = c->labelled;
    d->info.features = c->features;
    d->info.unseen = c->unseen;
    d->info.unseen_cases = c->unseen_cases;
    d->info.unknown_cases = c->unknown_cases;
}

hcbr_status hcbr_drift_measure(hcbr_drift **out, const hcbr_model *model, hcbr_stream *stream,
                               const hcbr_drift_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, model, stream) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_drift_options o;
    hcbr_drift_options_init(&o);
    if (options)
        o = *options;
    if (!(o.limit >= 0 && o.limit <= 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "option limit is %g, expected 0 to 1", o.limit);
    hcbr_decider *decider = NULL;
    hcbr_drift *d = hcbr_i_alloc_zero(1, sizeof *d);
    if (!d)
        return hcbr_i_no_memory(err);
    d->info.limit = o.limit;
    hcbr_status st = hcbr_decider_create(&decider, model, o.rule, err);
    if (st == HCBR_OK)
        st = hcbr_i_drift_counts_init(&d->counts, model, err);
    if (st == HCBR_OK)
        st = count_training(d, decider, &o, err);
    if (st == HCBR_OK)
        st = count_stream(d, decider, stream, &o, err);
    if (st == HCBR_OK) {
        take_figures(d);
        st = hcbr_i_drift_compare(d, err);
    }
    hcbr_decider_free(decider);
    if (st == HCBR_OK)
        *out = d;
    else
        hcbr_drift_free(d);
    return st;
}

void hcbr_drift_free(hcbr_drift *d) {
    if (!d)
        return;
    for (uint32_t n = 0; d->columns && n < d->info.columns; n++)
        hcbr_i_free(d->columns[n].bins);
    for (int k = 0; k <= HCBR_DRIFT_SCORES; k++)
        hcbr_i_free(d->parts[k].bins);
    hcbr_i_free(d->columns);
    hcbr_i_free(d->new_values);
    hcbr_i_free(d->new_columns);
    hcbr_i_drift_counts_clear(&d->counts);
    hcbr_i_free(d);
}

/* ---- results --------------------------------------------------------------------------------- */

void hcbr_drift_get_info(const hcbr_drift *d, hcbr_drift_info *info) {
    hcbr_i_hand_out(info, &d->info, sizeof d->info);
}

static void show(const hcbr_i_drift_part *p, hcbr_drift_part *out) {
    const hcbr_drift_part full = {.kind = p->kind,
                                  .name = p->name.at,
                                  .name_length = p->name.length,
                                  .compared = p->compared,
                                  .gone = p->gone,
                                  .shift = p->shift,
                                  .chance = p->chance,
                                  .drift = p->drift,
                                  .missing = {p->missing[0], p->missing[1]},
                                  .unseen = p->unseen,
                                  .new_count = p->new_count,
                                  .gone_count = p->gone_count,
                                  .bin_count = p->bin_count};
    hcbr_i_hand_out(out, &full, sizeof full);
}

void hcbr_drift_get_column(const hcbr_drift *d, uint32_t index, hcbr_drift_part *out) {
    show(&d->columns[index], out);
}

/* Columns are stored elsewhere: their entry here is empty. */
static const hcbr_i_drift_part *part_of(const hcbr_drift *d, hcbr_drift_kind kind) {
    return &d->parts[(unsigned)kind <= HCBR_DRIFT_SCORES ? kind : HCBR_DRIFT_COLUMN];
}

void hcbr_drift_get_part(const hcbr_drift *d, hcbr_drift_kind kind, hcbr_drift_part *out) {
    show(part_of(d, kind), out);
}

static void show_bin(const hcbr_i_drift_part *p, size_t n, hcbr_drift_bin *out) {
    static const hcbr_drift_bin none = {.low = NAN, .high = NAN};
    if (n >= p->bin_count) {
        hcbr_i_hand_out(out, &none, sizeof none);
        return;
    }
    const hcbr_i_drift_bin *b = &p->bins[n];
    const hcbr_drift_bin full = {
        .kind = b->kind,
        .value = b->value.at,
        .value_length = b->value.length,
        .low = b->low,
        .high = b->high,
        .share = {hcbr_i_drift_share(p, n, HCBR_I_TRAINED), hcbr_i_drift_share(p, n, HCBR_I_HERE)}};
    hcbr_i_hand_out(out, &full, sizeof full);
}

void hcbr_drift_get_column_bin(const hcbr_drift *d, uint32_t column, uint64_t index,
                               hcbr_drift_bin *out) {
    show_bin(&d->columns[column], (size_t)index, out);
}

void hcbr_drift_get_bin(const hcbr_drift *d, hcbr_drift_kind kind, uint64_t index,
                        hcbr_drift_bin *out) {
    show_bin(part_of(d, kind), (size_t)index, out);
}

static void show_new(const hcbr_i_drift_new *x, hcbr_drift_new *out) {
    const hcbr_drift_new full = {
        .name = x->name.at, .name_length = x->name.length, .cases = x->cases};
    hcbr_i_hand_out(out, &full, sizeof full);
}

void hcbr_drift_get_new_value(const hcbr_drift *d, uint32_t column, uint64_t index,
                              hcbr_drift_new *out) {
    show_new(&d->new_values[d->columns[column].first_new + index], out);
}

void hcbr_drift_get_new_column(const hcbr_drift *d, uint32_t index, hcbr_drift_new *out) {
    show_new(&d->new_columns[index], out);
}
