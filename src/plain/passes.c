/*
 * Training passes (METHOD 4): the order of the cases, and the record of moves (METHOD 9).
 *
 * The order is one permutation drawn from the seed; every pass follows it. The moves of a case are
 * added up per decided label, so that the record has at most one number for each atom of a case and
 * each wrong label.
 */
#include "plain/plain.h"

#include "plain/passes.h"

/* ---- order ----------------------------------------------------------------------------------- */

void hcbr_i_train_order(uint32_t *order, uint32_t count, uint64_t seed) {
    uint64_t state = hcbr_i_mix(seed);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    hcbr_i_shuffle(order, count, &state);
}

/* ---- record of moves ------------------------------------------------------------------------- */

typedef struct record {
    uint32_t case_of, decided;
    uint64_t start, count;
    uint64_t next; /* of the same case, + 1; by ascending label */
} record;

struct hcbr_i_train_log {
    uint32_t case_count;
    uint64_t *head; /* first record of each case, + 1 */
    record *records;
    size_t record_count, record_capacity;
    double *delta;
    size_t delta_count, delta_capacity;
};

hcbr_status hcbr_i_train_log_create(hcbr_i_train_log **out, uint32_t case_count, hcbr_error *err) {
    hcbr_i_train_log *log = hcbr_i_alloc_zero(1, sizeof *log);
    *out = NULL;
    if (!log)
        return hcbr_i_no_memory(err);
    log->case_count = case_count;
    if (!(log->head = hcbr_i_alloc_zero(case_count, sizeof *log->head))) {
        hcbr_i_train_log_free(log);
        return hcbr_i_no_memory(err);
    }
    *out = log;
    return HCBR_OK;
}

void hcbr_i_train_log_free(hcbr_i_train_log *log) {
    if (!log)
        return;
    hcbr_i_free(log->head);
    hcbr_i_free(log->records);
    hcbr_i_free(log->delta);
    hcbr_i_free(log);
}

hcbr_status hcbr_i_train_log_get(hcbr_i_train_log *log, uint32_t case_number, uint32_t decided,
                                 size_t count, double **delta, hcbr_error *err) {
    if (!hcbr_i_grow(&log->records, &log->record_capacity, log->record_count + 1,
                     sizeof *log->records) ||
        !hcbr_i_grow(&log->delta, &log->delta_capacity, log->delta_count + count,
                     sizeof *log->delta))
        return hcbr_i_no_memory(err);
    uint64_t *link = &log->head[case_number];
    while (*link && log->records[*link - 1].decided < decided)
        link = &log->records[*link - 1].next;
    if (!*link || log->records[*link - 1].decided != decided) {
        record r = {case_number, decided, log->delta_count, count, *link};
        memset(log->delta + log->delta_count, 0, count * sizeof *log->delta);
        log->delta_count += count;
        log->records[log->record_count++] = r;
        *link = log->record_count;
    }
    *delta = log->delta + log->records[*link - 1].start;
    return HCBR_OK;
}

hcbr_status hcbr_i_train_log_finish(const hcbr_i_train_log *log, hcbr_i_moves *out,
                                    hcbr_error *err) {
    *out = (hcbr_i_moves){0};
    out->case_of = hcbr_i_alloc(log->record_count, sizeof *out->case_of);
    out->decided = hcbr_i_alloc(log->record_count, sizeof *out->decided);
    out->start = hcbr_i_alloc(log->record_count + 1, sizeof *out->start);
    out->delta = hcbr_i_alloc(log->delta_count, sizeof *out->delta);
    if (!out->case_of || !out->decided || !out->start || !out->delta) {
        hcbr_i_moves_clear(out);
        return hcbr_i_no_memory(err);
    }
    uint64_t at = 0;
    for (uint32_t i = 0; i < log->case_count; i++)
        for (uint64_t r = log->head[i]; r; r = log->records[r - 1].next) {
            const record *x = &log->records[r - 1];
            out->case_of[out->count] = i;
            out->decided[out->count] = x->decided;
            out->start[out->count++] = at;
            memcpy(out->delta + at, log->delta + x->start, x->count * sizeof *out->delta);
            at += x->count;
        }
    out->start[out->count] = at;
    return HCBR_OK;
}

void hcbr_i_moves_clear(hcbr_i_moves *moves) {
    hcbr_i_free(moves->case_of);
    hcbr_i_free(moves->decided);
    hcbr_i_free(moves->start);
    hcbr_i_free(moves->delta);
    *moves = (hcbr_i_moves){0};
}

/* ---- all passes ------------------------------------------------------------------------------ */

hcbr_status hcbr_i_train_progress(const hcbr_i_train_options *options, uint32_t pass, uint32_t done,
                                  uint32_t case_count, hcbr_error *err) {
    if (!options->progress)
        return HCBR_OK;
    uint64_t before = (uint64_t)pass * case_count + done;
    uint64_t total = (uint64_t)options->passes * case_count;
    if (options->progress(options->progress_context, "train", before, total) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request while training");
}

hcbr_status hcbr_i_train_run(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                             const hcbr_i_projections *projections, const uint32_t *label,
                             const hcbr_i_train_options *options, uint64_t *errors,
                             hcbr_error *err) {
    hcbr_i_train_log *log = NULL;
    uint32_t count = projections->case_count;
    uint32_t *order = hcbr_i_pool_take(options->pool, count, sizeof *order);
    hcbr_status st = order ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK && options->moves)
        st = hcbr_i_train_log_create(&log, count, err);
    if (st == HCBR_OK) {
        if (options->given_order)
            for (uint32_t i = 0; i < count; i++)
                order[i] = i;
        else
            hcbr_i_train_order(order, count, options->seed);
        st = (strength->mu ? hcbr_i_train_binary : hcbr_i_train_many)(
            strength, atoms, projections, label, order, options, log, errors, err);
    }
    if (st == HCBR_OK && options->passes > 0)
        st = hcbr_i_train_progress(options, options->passes, 0, count, err);
    if (st == HCBR_OK && log)
        st = hcbr_i_train_log_finish(log, options->moves, err);
    hcbr_i_train_log_free(log);
    hcbr_i_pool_give(options->pool, order, count, sizeof *order);
    return st;
}
