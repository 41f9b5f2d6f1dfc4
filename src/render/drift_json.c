/*
 * Drift as JSON (docs/JSON.md, hcbr.drift/1).
 */
#include "render/render.h"

#include <hcbr/drift.h>

enum { BINS = 12, NEW = 10 }; /* of a column that are listed */

static void put_bin(hcbr_writer *w, const hcbr_drift_bin *b) {
    static const char *const KINDS[] = {"value", "range", "rare", "missing", "below", "above"};
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "kind"), hcbr_json_string(w, KINDS[b->kind]);
    hcbr_json_key(w, "value"), hcbr_json_text(w, b->value, b->value_length);
    hcbr_json_key(w, "low"), hcbr_json_number(w, b->low);
    hcbr_json_key(w, "high"), hcbr_json_number(w, b->high);
    hcbr_json_key(w, "trained"), hcbr_json_number(w, b->share[0]);
    hcbr_json_key(w, "here"), hcbr_json_number(w, b->share[1]);
    hcbr_json_close(w, '}');
}

static void put_new(hcbr_writer *w, const hcbr_drift_new *x) {
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "name"), hcbr_json_text(w, x->name, x->name_length);
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, x->cases);
    hcbr_json_close(w, '}');
}

/* The first bins of a column (kind HCBR_DRIFT_COLUMN, by its index) or of another comparison. */
static void put_bins(hcbr_writer *w, const hcbr_drift *drift, const hcbr_drift_part *p,
                     hcbr_drift_kind kind, uint32_t column) {
    hcbr_json_key(w, "bins"), hcbr_json_open(w, '[');
    for (uint64_t n = 0; n < p->bin_count && n < BINS; n++) {
        hcbr_drift_bin b = {.size = sizeof b};
        if (kind == HCBR_DRIFT_COLUMN)
            hcbr_drift_get_column_bin(drift, column, n, &b);
        else
            hcbr_drift_get_bin(drift, kind, n, &b);
        put_bin(w, &b);
    }
    hcbr_json_close(w, ']');
}

/* The figures of a comparison, inside an open object. */
static void put_figures(hcbr_writer *w, const hcbr_drift_part *p) {
    hcbr_json_key(w, "compared"), hcbr_json_bool(w, p->compared);
    hcbr_json_key(w, "drift"), hcbr_json_number(w, p->drift);
    hcbr_json_key(w, "shift"), hcbr_json_number(w, p->shift);
    hcbr_json_key(w, "chance"), hcbr_json_number(w, p->chance);
}

static void put_part(hcbr_writer *w, const hcbr_drift *drift, hcbr_drift_kind kind) {
    hcbr_drift_part p = {.size = sizeof p};
    hcbr_drift_get_part(drift, kind, &p);
    hcbr_json_key(w, hcbr_drift_kind_name(kind)), hcbr_json_open(w, '{');
    put_figures(w, &p);
    if (kind == HCBR_DRIFT_LABELS)
        hcbr_json_key(w, "new_count"), hcbr_json_u64(w, p.new_count);
    put_bins(w, drift, &p, kind, 0);
    hcbr_json_close(w, '}');
}

static void put_column(hcbr_writer *w, const hcbr_drift *drift, uint32_t index) {
    hcbr_drift_part p = {.size = sizeof p};
    hcbr_drift_get_column(drift, index, &p);
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "name"), hcbr_json_text(w, p.name, p.name_length);
    put_figures(w, &p);
    hcbr_json_key(w, "gone"), hcbr_json_bool(w, p.gone);
    hcbr_json_key(w, "missing_trained"), hcbr_json_number(w, p.missing[0]);
    hcbr_json_key(w, "missing_here"), hcbr_json_number(w, p.missing[1]);
    hcbr_json_key(w, "unseen"), hcbr_json_number(w, p.unseen);
    hcbr_json_key(w, "new_count"), hcbr_json_u64(w, p.new_count);
    hcbr_json_key(w, "gone_count"), hcbr_json_u64(w, p.gone_count);
    hcbr_json_key(w, "new"), hcbr_json_open(w, '[');
    for (uint64_t n = 0; n < p.new_count && n < NEW; n++) {
        hcbr_drift_new x = {.size = sizeof x};
        hcbr_drift_get_new_value(drift, index, n, &x);
        put_new(w, &x);
    }
    hcbr_json_close(w, ']');
    put_bins(w, drift, &p, HCBR_DRIFT_COLUMN, index);
    hcbr_json_close(w, '}');
}

static void put_info(hcbr_writer *w, const hcbr_drift_info *i) {
    hcbr_json_key(w, "drift"), hcbr_json_number(w, i->drift);
    hcbr_json_key(w, "worst"), hcbr_json_string(w, hcbr_drift_kind_name(i->worst));
    hcbr_json_key(w, "limit"), hcbr_json_number(w, i->limit);
    hcbr_json_key(w, "drifted"), hcbr_json_bool(w, i->drifted);
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, i->cases);
    hcbr_json_key(w, "labelled"), hcbr_json_u64(w, i->labelled);
    hcbr_json_key(w, "trained"), hcbr_json_u64(w, i->trained);
    hcbr_json_key(w, "kept"), hcbr_json_u64(w, i->kept);
    hcbr_json_key(w, "features"), hcbr_json_u64(w, i->features);
    hcbr_json_key(w, "unseen"), hcbr_json_u64(w, i->unseen);
    hcbr_json_key(w, "unseen_cases"), hcbr_json_u64(w, i->unseen_cases);
    hcbr_json_key(w, "unknown_cases"), hcbr_json_u64(w, i->unknown_cases);
    hcbr_json_key(w, "gone_columns"), hcbr_json_u64(w, i->gone_columns);
    hcbr_json_key(w, "drifted_columns"), hcbr_json_u64(w, i->drifted_columns);
}

hcbr_status hcbr_json_drift(hcbr_writer *w, const hcbr_drift *drift, uint64_t skipped_rows,
                            hcbr_error *err) {
    if (HCBR_I_NULL(err, w, drift))
        return HCBR_EUSAGE;
    hcbr_drift_info info = {.size = sizeof info};
    hcbr_drift_get_info(drift, &info);
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.drift/1");
    put_info(w, &info);
    hcbr_json_key(w, "skipped_rows"), hcbr_json_u64(w, skipped_rows);
    for (int k = HCBR_DRIFT_LABELS; k <= HCBR_DRIFT_SCORES; k++)
        put_part(w, drift, (hcbr_drift_kind)k);
    hcbr_json_key(w, "columns"), hcbr_json_open(w, '[');
    for (uint32_t n = 0; n < info.columns; n++)
        put_column(w, drift, n);
    hcbr_json_close(w, ']');
    hcbr_json_key(w, "new_columns"), hcbr_json_open(w, '[');
    for (uint32_t n = 0; n < info.new_columns; n++) {
        hcbr_drift_new x = {.size = sizeof x};
        hcbr_drift_get_new_column(drift, n, &x);
        put_new(w, &x);
    }
    hcbr_json_close(w, ']');
    return hcbr_write_end(w, HCBR_JSON, err);
}
