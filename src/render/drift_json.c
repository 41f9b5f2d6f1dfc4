/*
 * Drift as JSON (docs/JSON.md, hcbr.drift/1).
 */
#include "render/items.h"

#include <hcbr/drift.h>

enum { BINS = 12, NEW = 10 }; /* of a column that are listed */

static void put_bin(hcbr_writer *w, const hcbr_drift_bin *b) {
    static const char *const KINDS[] = {"value", "range", "rare", "missing", "below", "above"};
    PUT(w, OPEN(NULL, '{'), STRING("kind", KINDS[b->kind]),
        TEXT("value", b->value, b->value_length), NUMBER("low", b->low), NUMBER("high", b->high),
        NUMBER("trained", b->share[0]), NUMBER("here", b->share[1]), CLOSE('}'));
}

static void put_new(hcbr_writer *w, const hcbr_drift_new *x) {
    PUT(w, OPEN(NULL, '{'), TEXT("name", x->name, x->name_length), U64("cases", x->cases),
        CLOSE('}'));
}

/* The first bins of a column (kind HCBR_DRIFT_COLUMN, by its index) or of another comparison. */
static void put_bins(hcbr_writer *w, const hcbr_drift *drift, const hcbr_drift_part *p,
                     hcbr_drift_kind kind, uint32_t column) {
    PUT(w, OPEN("bins", '['));
    for (uint64_t n = 0; n < p->bin_count && n < BINS; n++) {
        hcbr_drift_bin b = {.size = sizeof b};
        if (kind == HCBR_DRIFT_COLUMN)
            hcbr_drift_get_column_bin(drift, column, n, &b);
        else
            hcbr_drift_get_bin(drift, kind, n, &b);
        put_bin(w, &b);
    }
    PUT(w, CLOSE(']'));
}

/* The figures of a comparison, inside an open object. */
static void put_figures(hcbr_writer *w, const hcbr_drift_part *p) {
    PUT(w, BOOL("compared", p->compared), NUMBER("drift", p->drift), NUMBER("shift", p->shift),
        NUMBER("chance", p->chance));
}

static void put_part(hcbr_writer *w, const hcbr_drift *drift, hcbr_drift_kind kind) {
    hcbr_drift_part p = {.size = sizeof p};
    hcbr_drift_get_part(drift, kind, &p);
    PUT(w, OPEN(hcbr_drift_kind_name(kind), '{'));
    put_figures(w, &p);
    if (kind == HCBR_DRIFT_LABELS)
        PUT(w, U64("new_count", p.new_count));
    put_bins(w, drift, &p, kind, 0);
    PUT(w, CLOSE('}'));
}

static void put_column(hcbr_writer *w, const hcbr_drift *drift, uint32_t index) {
    hcbr_drift_part p = {.size = sizeof p};
    hcbr_drift_get_column(drift, index, &p);
    PUT(w, OPEN(NULL, '{'), TEXT("name", p.name, p.name_length));
    put_figures(w, &p);
    PUT(w, BOOL("gone", p.gone), NUMBER("missing_trained", p.missing[0]),
        NUMBER("missing_here", p.missing[1]), NUMBER("unseen", p.unseen),
        U64("new_count", p.new_count), U64("gone_count", p.gone_count), OPEN("new", '['));
    for (uint64_t n = 0; n < p.new_count && n < NEW; n++) {
        hcbr_drift_new x = {.size = sizeof x};
        hcbr_drift_get_new_value(drift, index, n, &x);
        put_new(w, &x);
    }
    PUT(w, CLOSE(']'));
    put_bins(w, drift, &p, HCBR_DRIFT_COLUMN, index);
    PUT(w, CLOSE('}'));
}

static void put_info(hcbr_writer *w, const hcbr_drift_info *i) {
    PUT(w, NUMBER("drift", i->drift), STRING("worst", hcbr_drift_kind_name(i->worst)),
        NUMBER("limit", i->limit), BOOL("drifted", i->drifted), U64("cases", i->cases),
        U64("labelled", i->labelled), U64("trained", i->trained), U64("kept", i->kept),
        U64("features", i->features), U64("unseen", i->unseen),
        U64("unseen_cases", i->unseen_cases), U64("unknown_cases", i->unknown_cases),
        U64("gone_columns", i->gone_columns), U64("drifted_columns", i->drifted_columns));
}

hcbr_status hcbr_json_drift(hcbr_writer *w, const hcbr_drift *drift, uint64_t skipped_rows,
                            hcbr_error *err) {
    if (HCBR_I_NULL(err, w, drift))
        return HCBR_EUSAGE;
    hcbr_drift_info info = {.size = sizeof info};
    hcbr_drift_get_info(drift, &info);
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.drift/1"));
    put_info(w, &info);
    PUT(w, U64("skipped_rows", skipped_rows));
    for (int k = HCBR_DRIFT_LABELS; k <= HCBR_DRIFT_SCORES; k++)
        put_part(w, drift, (hcbr_drift_kind)k);
    PUT(w, OPEN("columns", '['));
    for (uint32_t n = 0; n < info.columns; n++)
        put_column(w, drift, n);
    PUT(w, CLOSE(']'), OPEN("new_columns", '['));
    for (uint32_t n = 0; n < info.new_columns; n++) {
        hcbr_drift_new x = {.size = sizeof x};
        hcbr_drift_get_new_column(drift, n, &x);
        put_new(w, &x);
    }
    PUT(w, CLOSE(']'));
    return hcbr_write_end(w, HCBR_JSON, err);
}
