/*
 * All rows of a table in memory, many ranges at once: each thread reads the next free range in a
 * lane of its own, and passes its blocks on.
 *
 * Invariants: ranges depend on the table alone, never on the number of threads; a failure is that
 * of the first row that fails, since all ranges before it are read to their end. Warnings are sent
 * on the thread of the call, in the order of rows: a range with warnings is read again for them.
 */
#include "read/frame.h"
#include "read/reader.h"

#define ROWS 1024 /* of a range: few enough to stop soon */
#ifdef HCBR_FAULTS
size_t hcbr_i_table_range = ROWS;
#else
#define hcbr_i_table_range ROWS
#endif

/** A thread's own. */
typedef struct hand {
    hcbr_i_lane lane;
    hcbr_i_table rows; /**< the table, at the current range */
    uint64_t at;       /**< range that failed */
    hcbr_status failed;
    hcbr_error error;
} hand;

typedef struct job {
    const hcbr_i_reader *reader;
    hcbr_i_round_task *task;
    void *context;
    hcbr_read_options quiet; /**< of the lanes: they give no warnings */
    hand *hands;
    uint32_t count;
    uint64_t first, rows;       /**< of the table: number of its first row, how many */
    uint8_t *dropped;           /**< by range: whether it has rows that were left out */
    atomic_uint_fast64_t stop;  /**< ranges from this one on need not be read */
    atomic_uint_fast64_t done;  /**< rows */
    const char *stage;          /**< of progress */
    hcbr_progress_fn *progress; /**< NULL: none */
    void *progress_context;
    bool cancelled; /**< by the caller, on his thread */
} job;

static uint64_t range_count(uint64_t rows) {
    return rows / hcbr_i_table_range + (rows % hcbr_i_table_range != 0);
}

uint32_t hcbr_i_reader_range_threads(const hcbr_i_reader *reader) {
    const uint64_t ranges = range_count(reader->frame->end - reader->frame->next);
    uint32_t threads = hcbr_i_reader_threads(reader);
    if (reader->joins != NULL) // how much they add is counted in the order of rows
        threads = 1;
    if (threads > ranges)
        threads = (uint32_t)ranges;
    return threads > 0 ? threads : 1;
}

hcbr_status hcbr_i_reader_bind(hcbr_i_reader *reader, hcbr_error *err) {
    return hcbr_i_table_bind(reader->frame, &reader->lane, err);
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/** Report progress, which may stop the call. On the caller's thread only. */
static void report(job *j) {
    uint64_t done = atomic_load_explicit(&j->done, memory_order_relaxed);
    if (j->progress == NULL || j->cancelled ||
        j->progress(j->progress_context, j->stage, done, j->rows) == 0)
        return;
    j->cancelled = true;
    atomic_store_explicit(&j->stop, 0, memory_order_relaxed);
}

/** Nothing after a range that failed is needed. */
static void stop_at(job *j, uint64_t range) {
    uint_fast64_t now = atomic_load_explicit(&j->stop, memory_order_relaxed);
    while (range < now && !atomic_compare_exchange_weak_explicit(
                              &j->stop, &now, range, memory_order_relaxed, memory_order_relaxed))
        continue;
}

static bool is_needed(job *j, uint64_t range) {
    return range < atomic_load_explicit(&j->stop, memory_order_relaxed);
}

/** Set a lane to the rows [begin, end). */
static void go_to(const job *j, hand *h, uint64_t begin, uint64_t end) {
    h->rows.next = j->first + begin;
    h->rows.end = j->first + end;
    h->lane.row = begin;
    h->lane.skipped = h->lane.file_rows = 0;
    h->lane.failed = HCBR_OK;
}

/** Read the rows [begin, end), which are a range, and hand their blocks out. */
static void read_range(void *context, uint32_t number, uint64_t begin, uint64_t end) {
    job *j = context;
    hand *h = &j->hands[number];
    hcbr_i_lane *lane = &h->lane;
    const uint64_t range = begin / hcbr_i_table_range;
    if (!is_needed(j, range))
        return;
    go_to(j, h, begin, end);
    while (h->rows.next < h->rows.end && lane->failed == HCBR_OK && is_needed(j, range)) {
        const uint64_t from = h->rows.next;
        hcbr_error err;
        hcbr_status st = HCBR_OK;
        hcbr_i_block_reset(&lane->block);
        hcbr_i_table_fill(&h->rows, lane);
        if (lane->block.case_count > 0)
            st = j->task(j->context, number, (uint32_t)range, &lane->block, &err);
        if (st != HCBR_OK)
            hcbr_i_lane_fail(lane, st, &err);
        atomic_fetch_add_explicit(&j->done, h->rows.next - from, memory_order_relaxed);
        if (number == 0) // the thread of the call
            report(j);
    }
    j->dropped[range] = lane->skipped > 0;
    if (lane->failed != HCBR_OK && h->failed == HCBR_OK) {
        h->at = range;
        h->failed = lane->failed;
        h->error = lane->error;
        stop_at(j, range);
    }
}

/** Give the warnings of rows that were left out, up to a range. */
static void give_warnings(job *j, uint64_t last) {
    hand *h = &j->hands[0];
    if (j->reader->options.notify == NULL)
        return;
    h->lane.p.options = &j->reader->options;
    h->rows.told = h->rows.done = 0;
    for (uint64_t range = 0; range < range_count(j->rows) && range <= last; range++) {
        uint64_t begin = range * hcbr_i_table_range;
        if (!j->dropped[range])
            continue;
        uint64_t left = j->rows - begin;
        go_to(j, h, begin, begin + (left < hcbr_i_table_range ? left : hcbr_i_table_range));
        while (h->rows.next < h->rows.end && h->lane.failed == HCBR_OK) {
            hcbr_i_block_reset(&h->lane.block);
            hcbr_i_table_fill(&h->rows, &h->lane);
        }
    }
}

/** How it ended: the first failure counts. */
static hcbr_status finish(job *j, hcbr_error *err) {
    const hand *first = NULL;
    if (j->cancelled)
        return hcbr_i_fail(err, HCBR_ECANCELLED, "reading a table was cancelled");
    for (uint32_t i = 0; i < j->count; i++) {
        const hand *h = &j->hands[i];
        if (h->failed != HCBR_OK && (first == NULL || h->at < first->at))
            first = h;
    }
    if (first != NULL && err != NULL)
        *err = first->error;
    give_warnings(j, first != NULL ? first->at : UINT64_MAX);
    return first != NULL ? first->failed : HCBR_OK;
}

static void clear(job *j) {
    for (uint32_t i = 0; j->hands != NULL && i < j->count; i++) {
        hcbr_i_lane_clear(&j->hands[i].lane);
        hcbr_i_table_codes_free(j->hands[i].rows.codes);
    }
    hcbr_i_free(j->hands);
    hcbr_i_free(j->dropped);
}

/** A lane for each thread, like that of the reader. */
static bool prepare(job *j) {
    const hcbr_i_lane *from = &j->reader->lane;
    j->hands = hcbr_i_alloc_zero(j->count, sizeof *j->hands);
    j->dropped = hcbr_i_alloc_zero((size_t)range_count(j->rows), sizeof *j->dropped);
    if (j->hands == NULL || j->dropped == NULL)
        return false;
    for (uint32_t i = 0; i < j->count; i++) {
        hand *h = &j->hands[i];
        hcbr_i_parser_fork(&h->lane.p, &from->p, &h->lane.block);
        h->lane.p.options = &j->quiet;
        h->lane.csv = from->csv; // the columns are shared, and do not change
        h->rows = *j->reader->frame;
        if (hcbr_i_table_is_codable(&h->rows, &h->lane.p) &&
            (h->rows.codes = hcbr_i_table_codes_create(&h->rows, &h->lane)) == NULL)
            return false;
    }
    return true;
}

/* ---- in sequence ----------------------------------------------------------------------------- */

/** All rows by the reader itself. */
static hcbr_status read_all(job *j, hcbr_i_reader *reader, hcbr_error *err) {
    const hcbr_i_block *block;
    hcbr_status st = HCBR_OK;
    while (st == HCBR_OK && !j->cancelled &&
           (st = hcbr_i_reader_next(reader, &block, err)) == HCBR_OK && block != NULL) {
        st = j->task(j->context, 0, 0, block, err);
        atomic_store_explicit(&j->done, reader->frame->done, memory_order_relaxed);
        if (st == HCBR_OK)
            report(j);
    }
    return j->cancelled ? finish(j, err) : st;
}

hcbr_status hcbr_i_reader_ranges(hcbr_i_reader *reader, hcbr_i_round_task *task, void *context,
                                 const char *stage, hcbr_error *err) {
    hcbr_i_table *table = reader->frame;
    job j = {.reader = reader,
             .task = task,
             .context = context,
             .quiet = reader->options,
             .count = hcbr_i_reader_range_threads(reader),
             .first = table->next,
             .rows = table->end - table->next,
             .stage = stage,
             .progress = reader->options.progress,
             .progress_context = reader->options.progress_context};
    hcbr_status st;
    atomic_init(&j.stop, UINT64_MAX);
    atomic_init(&j.done, 0);
    reader->options.progress = NULL; // it is reported here
    j.quiet.progress = NULL;
    j.quiet.notify = NULL;
    report(&j);
    if (j.cancelled)
        return finish(&j, err);
    if (reader->joins != NULL)
        return read_all(&j, reader, err);
    if (prepare(&j)) {
        hcbr_i_parallel(j.count, j.rows, hcbr_i_table_range, read_range, &j);
        st = finish(&j, err);
    } else {
        st = hcbr_i_no_memory(err);
    }
    clear(&j);
    return st;
}
