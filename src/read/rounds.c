/*
 * A large file in rounds: its next bytes are cut into chunks of whole records, which threads parse
 * in parallel, each in a lane of its own, while the chunks of the next round are read.
 *
 * Invariants: chunks end where scan() or a line ends a record, so they have the records one thread
 * would see; hcbr_i_reader_settle() counts the results in the order of the file, so rows, lines,
 * warnings and failures are those of one thread. Bytes are always in one of these places, in order:
 * the unparsed chunks of this round, those of the next, `carry`, the source. Exceptions (a record
 * longer than a chunk, the end of the file, many bad rows) are left to the lane of the reader,
 * which takes its bytes from there (hcbr_i_rounds_read()).
 */
#include "read/reader.h"

#define CHUNK ((size_t)128 << 10)
#ifdef HCBR_FAULTS
size_t hcbr_i_reader_chunk = CHUNK;
#else
#define hcbr_i_reader_chunk CHUNK
#endif
#define CHUNKS_EACH 8u   /* chunks of a round for each thread: the wait for the last is short */
#define MOST_CHUNKS 128u /* but at most this many, or one for each thread */
#define LARGE 4          /* chunks of a file that one thread reads first */

/** Whole records, and the results of parsing them. */
typedef struct chunk {
    char *bytes;
    size_t begin, end; /* the unparsed part */
    uint64_t lines, records, rows, skipped;
    hcbr_i_odd odd;
    uint8_t gap; /* hcbr_i_gap after its last record */
    hcbr_status failed;
    hcbr_error error; /* its line counts from the chunk's first */
    hcbr_i_held held;
} chunk;

/** The chunks of a round. */
typedef struct set {
    chunk *chunks;
    uint32_t count;
} set;

struct hcbr_i_rounds {
    uint32_t threads, width; /* chunks a set has room for */
    size_t size;             /* bytes a chunk has room for */
    hcbr_i_lane *lanes;      /* one for each thread */
    hcbr_i_crew *crew;
    set sets[2];
    unsigned now;   /* set that is parsed; the other one is the next */
    uint32_t first; /* chunk of it to be settled next */
    char *carry;    /* room for `size` bytes */
    size_t carried;
    bool ready;      /* the lanes know the file */
    bool draining;   /* the reader's lane takes the bytes left here before there is a new round */
    bool ended;      /* the source is at its end */
    uint64_t taken;  /* bytes of the source not counted yet */
    hcbr_status met; /* failure of the source, after the last byte */
    hcbr_error error;
    /* of the current round */
    hcbr_i_reader *reader;
    hcbr_i_round_task *task;
    void *context;
};

/* ---- memory ---------------------------------------------------------------------------------- */

static uint32_t threads_of(const hcbr_i_reader *r) {
    return r->options.threads > 0 ? r->options.threads : 1;
}

static uint32_t width_of(const hcbr_i_reader *r) {
    uint32_t threads = threads_of(r);
    if (threads >= MOST_CHUNKS)
        return threads;
    return threads * CHUNKS_EACH < MOST_CHUNKS ? threads * CHUNKS_EACH : MOST_CHUNKS;
}

uint32_t hcbr_i_reader_most_chunks(const hcbr_i_reader *reader) {
    return width_of(reader);
}

uint32_t hcbr_i_reader_threads(const hcbr_i_reader *reader) {
    return threads_of(reader);
}

static void clear_lanes(hcbr_i_rounds *x) {
    for (uint32_t i = 0; x->lanes != NULL && i < x->threads; i++)
        hcbr_i_lane_clear(&x->lanes[i]);
    x->ready = false;
}

void hcbr_i_rounds_free(hcbr_i_rounds *rounds) {
    if (rounds == NULL)
        return;
    hcbr_i_crew_free(rounds->crew);
    clear_lanes(rounds);
    hcbr_i_free(rounds->lanes);
    for (unsigned n = 0; n < 2; n++) {
        for (uint32_t i = 0; rounds->sets[n].chunks != NULL && i < rounds->width; i++) {
            hcbr_i_free(rounds->sets[n].chunks[i].bytes);
            hcbr_i_arena_clear(&rounds->sets[n].chunks[i].held.text);
        }
        hcbr_i_free(rounds->sets[n].chunks);
    }
    hcbr_i_free(rounds->carry);
    hcbr_i_free(rounds);
}

static hcbr_i_rounds *create(const hcbr_i_reader *r) {
    hcbr_i_rounds *x = hcbr_i_alloc_zero(1, sizeof *x);
    bool done = x != NULL;
    if (!done)
        return NULL;
    x->threads = threads_of(r);
    x->width = width_of(r);
    x->size = hcbr_i_reader_chunk;
    x->lanes = hcbr_i_alloc_zero(x->threads, sizeof *x->lanes);
    x->carry = hcbr_i_alloc(x->size, 1);
    x->crew = hcbr_i_crew_create(x->threads);
    done = x->lanes != NULL && x->carry != NULL && x->crew != NULL;
    for (unsigned n = 0; done && n < 2; n++) {
        x->sets[n].chunks = hcbr_i_alloc_zero(x->width, sizeof(chunk));
        done = x->sets[n].chunks != NULL;
        for (uint32_t i = 0; done && i < x->width; i++)
            done =
                (x->sets[n].chunks[i].bytes = hcbr_i_alloc(x->size + 1 + HCBR_I_BEHIND, 1)) != NULL;
    }
    if (!done) {
        hcbr_i_rounds_free(x);
        return NULL;
    }
    return x;
}

void hcbr_i_rounds_reset(hcbr_i_rounds *rounds) {
    if (rounds == NULL)
        return;
    clear_lanes(rounds);
    rounds->sets[0].count = rounds->sets[1].count = 0;
    rounds->first = 0;
    rounds->carried = 0;
    rounds->draining = rounds->ended = false;
    rounds->met = HCBR_OK;
}

/** Make the lanes parsers of this file. */
static void fork_lanes(hcbr_i_rounds *x, const hcbr_i_lane *from) {
    for (uint32_t i = 0; i < x->threads; i++) {
        hcbr_i_lane *lane = &x->lanes[i];
        hcbr_i_parser_fork(&lane->p, &from->p, &lane->block);
        lane->csv = from->csv; // the columns are shared, and do not change
        lane->block.plain_ids = from->block.plain_ids;
        lane->p.numeric = true;
    }
    x->ready = true;
}

/* ---- bytes ----------------------------------------------------------------------------------- */

/** Take bytes of a chunk or of `carry`. */
static size_t take(char *to, size_t room, const char *bytes, size_t size) {
    size_t n = size < room ? size : room;
    memcpy(to, bytes, n);
    return n;
}

/** Bytes taken from the source and not parsed; 0: none. */
static size_t take_left(hcbr_i_rounds *x, char *to, size_t room) {
    size_t got;
    for (unsigned n = 0; n < 2; n++) {
        set *s = &x->sets[n == 0 ? x->now : x->now ^ 1];
        for (uint32_t i = n == 0 ? x->first : 0; i < s->count; i++) {
            chunk *c = &s->chunks[i];
            if (c->begin == c->end)
                continue;
            got = take(to, room, c->bytes + c->begin, c->end - c->begin);
            c->begin += got;
            return got;
        }
        s->count = 0;
    }
    got = take(to, room, x->carry, x->carried);
    x->carried -= got;
    memmove(x->carry, x->carry + got, x->carried);
    return got;
}

hcbr_status hcbr_i_rounds_read(hcbr_i_reader *r, char *to, size_t room, size_t *got,
                               hcbr_error *err) {
    hcbr_i_rounds *x = r->rounds;
    *got = 0;
    if (x != NULL && x->ready) {
        if ((*got = take_left(x, to, room)) > 0)
            return HCBR_OK;
        x->draining = false;
        if (x->met != HCBR_OK && err != NULL)
            *err = x->error;
        if (x->met != HCBR_OK || x->ended)
            return x->met;
    }
    hcbr_status st = hcbr_i_source_read(r->source, to, room, got, err);
    r->bytes += *got;
    r->file_bytes += *got;
    return st;
}

/** The number of a chunk's bytes that are whole records. */
static size_t whole_records(const hcbr_i_lane *lane, const char *bytes, size_t size) {
    if (lane->p.format->whole != NULL)
        return lane->p.format->whole(lane, bytes, size);
    while (size > 0 && bytes[size - 1] != '\n')
        size--;
    return size;
}

/** Append to the chunk until it is full or there is no more. */
static void fill_chunk(hcbr_i_rounds *x, chunk *c) {
    size_t got = 1;
    while (c->end < x->size && got > 0) {
        x->met = hcbr_i_source_read(x->reader->source, c->bytes + c->end, x->size - c->end, &got,
                                    &x->error);
        if (x->met != HCBR_OK)
            return;
        c->end += got;
        x->taken += got;
    }
    x->ended = got == 0;
}

/** Read the chunks of the next round. */
static void read_ahead(hcbr_i_rounds *x) {
    set *s = &x->sets[x->now ^ 1];
    s->count = 0;
    while (s->count < x->width && !x->ended && x->met == HCBR_OK) {
        chunk *c = &s->chunks[s->count];
        c->begin = 0;
        c->end = x->carried;
        memcpy(c->bytes, x->carry, x->carried);
        fill_chunk(x, c);
        size_t whole = whole_records(&x->reader->lane, c->bytes, c->end);
        x->carried = c->end - whole;
        memcpy(x->carry, c->bytes + whole, x->carried);
        c->end = whole;
        c->bytes[whole] = '\n';
        memset(c->bytes + whole + 1, 0, HCBR_I_BEHIND);
        if (whole == 0) // a record that is longer
            return;
        s->count++;
    }
}

/* ---- rounds ---------------------------------------------------------------------------------- */

/** Parse a chunk in a lane and hand its blocks out. */
static void parse_chunk(const hcbr_i_rounds *x, hcbr_i_lane *lane, uint32_t worker, uint32_t number,
                        chunk *c) {
    size_t before = SIZE_MAX;
    lane->buffer = c->bytes;
    lane->begin = c->begin;
    lane->end = c->end;
    lane->seen = 0;
    lane->csv.scan = (hcbr_i_csv_scan){0, 0};
    lane->csv.gap = HCBR_I_GAP_UNKNOWN;
    lane->line = 1;
    lane->records = 1; // none of them is the first of its file
    lane->row = lane->file_rows = lane->skipped = 0;
    lane->failed = HCBR_OK;
    lane->stopped = false;
    lane->odd = (hcbr_i_odd){0};
    lane->held = &c->held;
    c->held.count = 0;
    hcbr_i_arena_reset(&c->held.text);
    while (lane->failed == HCBR_OK && lane->begin < lane->end && lane->begin != before) {
        hcbr_error err;
        hcbr_status st = HCBR_OK;
        before = lane->begin;
        hcbr_i_block_reset(&lane->block);
        hcbr_i_lane_parse(lane);
        if (lane->block.case_count > 0)
            st = x->task(x->context, worker, number, &lane->block, &err);
        if (st != HCBR_OK)
            hcbr_i_lane_fail(lane, st, &err);
    }
    c->begin = lane->begin;
    c->lines = lane->line - 1;
    c->records = lane->records - 1;
    c->rows = lane->row;
    c->skipped = lane->skipped;
    c->odd = lane->odd;
    c->gap = lane->csv.gap;
    c->failed = lane->stopped && lane->failed == HCBR_EDATA ? HCBR_OK : lane->failed;
    if (c->failed != HCBR_OK)
        c->error = lane->error;
}

/** Piece 0 reads, the others parse. */
static void work(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    hcbr_i_rounds *x = context;
    for (uint64_t piece = begin; piece < end; piece++) {
        uint32_t number = (uint32_t)piece - 1;
        if (piece > 0)
            parse_chunk(x, &x->lanes[worker], worker, number, &x->sets[x->now].chunks[number]);
        else if (hcbr_i_source_is_ours(x->reader->source))
            read_ahead(x);
    }
}

bool hcbr_i_reader_is_large(const hcbr_i_reader *reader) {
    const hcbr_i_reader *r = reader;
    const hcbr_i_lane *lane = &r->lane;
    if (r->options.threads < 2 || r->source == NULL || lane->failed != HCBR_OK || lane->last ||
        r->file_bytes < LARGE * hcbr_i_reader_chunk || r->outcomes.file != NULL ||
        r->names != NULL || r->joins != NULL || lane->json.on || r->cr_lines || r->cr_twice ||
        lane->csv.rest || (r->rounds != NULL && r->rounds->draining))
        return false;
    return lane->p.format->is_known == NULL || lane->p.format->is_known(lane);
}

/** The lane of the reader gives its unparsed bytes to the first chunk. false: too many. */
static bool begin(hcbr_i_rounds *x, hcbr_i_lane *lane) {
    size_t left = lane->end - lane->begin;
    if (left >= x->size)
        return false;
    if (!x->ready)
        fork_lanes(x, lane);
    memcpy(x->carry, lane->buffer + lane->begin, left);
    x->carried = left;
    lane->begin = lane->end = lane->seen = 0;
    lane->csv.scan = (hcbr_i_csv_scan){0, 0};
    return true;
}

/** Count the bytes read ahead. */
static void count_bytes(hcbr_i_reader *r) {
    r->bytes += r->rounds->taken;
    r->file_bytes += r->rounds->taken;
    r->rounds->taken = 0;
}

hcbr_status hcbr_i_reader_round(hcbr_i_reader *reader, hcbr_i_round_task *task, void *context,
                                uint32_t *chunks, hcbr_error *err) {
    hcbr_i_reader *r = reader;
    hcbr_i_rounds *x = r->rounds;
    hcbr_status st;
    *chunks = 0;
    if (!hcbr_i_reader_is_large(r))
        return HCBR_OK;
    if (x == NULL && (x = r->rounds = create(r)) == NULL)
        return hcbr_i_no_memory(err);
    x->reader = r;
    x->task = task;
    x->context = context;
    if (x->sets[x->now ^ 1].count == 0) {
        if (x->ended || x->met != HCBR_OK || !begin(x, &r->lane))
            return HCBR_OK;
        read_ahead(x);
        count_bytes(r);
        x->draining = x->sets[x->now ^ 1].count == 0;
        if (x->draining)
            return HCBR_OK;
    }
    x->now ^= 1;
    x->first = 0;
    x->sets[x->now ^ 1].count = 0;
    if (!hcbr_i_source_is_ours(r->source))
        read_ahead(x);
    hcbr_i_crew_run(x->crew, (uint64_t)x->sets[x->now].count + 1, 1, work, x);
    count_bytes(r);
    x->draining = x->sets[x->now ^ 1].count == 0;
    *chunks = x->sets[x->now].count;
    if ((st = hcbr_i_reader_report(r, &r->lane.error)) != HCBR_OK) {
        r->lane.failed = st;
        if (err != NULL)
            *err = r->lane.error;
        *chunks = 0;
    }
    return st;
}

/** Give the warnings of a chunk, whose first line has this number. */
static void give_held(const hcbr_i_reader *r, const hcbr_i_held *held, uint64_t line) {
    for (size_t i = 0; i < held->count; i++)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_WARNING, r->lane.p.file,
                      line + held->all[i].line - 1, held->all[i].column, "%s (row skipped)",
                      held->all[i].message);
}

hcbr_status hcbr_i_reader_settle(hcbr_i_reader *reader, uint32_t chunk_number, uint64_t *rows,
                                 bool *stop, hcbr_error *err) {
    hcbr_i_rounds *x = reader->rounds;
    set *s = &x->sets[x->now];
    chunk *c = &s->chunks[chunk_number];
    hcbr_i_lane *lane = &reader->lane;
    uint64_t line = lane->line;
    *rows = lane->row;
    *stop = false;
    x->first = chunk_number;
    give_held(reader, &c->held, line);
    hcbr_i_odd_merge(&lane->odd, &c->odd, line - 1);
    lane->line += c->lines;
    lane->records += c->records;
    lane->file_rows += c->rows;
    lane->row += c->rows;
    lane->skipped += c->skipped;
    lane->csv.gap = c->gap == HCBR_I_GAP_UNKNOWN ? lane->csv.gap : c->gap;
    if (c->failed != HCBR_OK) {
        if (c->error.line > 0)
            c->error.line += line - 1;
        hcbr_i_lane_fail(lane, c->failed, &c->error);
        if (err != NULL)
            *err = c->error;
        return c->failed;
    }
    if (c->begin < c->end) {
        *stop = x->draining = true;
        for (uint32_t i = chunk_number + 1; i < s->count; i++)
            s->chunks[i].begin = 0;
    }
    return HCBR_OK;
}
