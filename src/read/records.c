/*
 * Records into cases: the bytes of a lane are parsed record by record into its block.
 *
 * Only complete records are parsed; the rest waits. Invariants: for any borders of the bytes, the
 * same cases, notices and errors result; an unusable record adds nothing to the block; a lane
 * touches nothing that another lane may change.
 */
#include "read/lane.h"

#include <stdio.h>

/** Fail for good: the block is handed out before. */
void hcbr_i_lane_fail(hcbr_i_lane *lane, hcbr_status st, const hcbr_error *err) {
    lane->failed = st;
    lane->error = *err;
}

/**
 * Fail because a record is too long, even where bad rows are skipped: the row is not bad, the
 * limit is too low.
 */
static bool too_long(hcbr_i_lane *lane) {
    hcbr_error err;
    // Only quotes hold several lines together, and a forgotten one all the rest of the file.
    bool lines = memchr(lane->buffer + lane->begin, '\n', lane->p.options->max_line) != NULL;
    hcbr_i_fail_at(
        &err, HCBR_EDATA, lane->p.file, lane->line, 1,
        "found a record of more than %zu bytes%s, expected a shorter one (option max_line "
        "raises the limit)",
        lane->p.options->max_line,
        lines ? " over several lines, perhaps for want of a closing quote" : "");
    hcbr_i_lane_fail(lane, HCBR_EDATA, &err);
    return true;
}

/** Whether a record has too many bytes before its end of line. Then the lane fails. */
static inline bool is_too_long(hcbr_i_lane *lane, size_t length) {
    return HCBR_I_UNLIKELY(length > lane->p.options->max_line) && too_long(lane);
}

bool hcbr_i_lane_is_full(hcbr_i_lane *lane) {
    size_t length = lane->end - lane->begin;
    return !lane->last && length > lane->p.options->max_line + 1 && is_too_long(lane, length);
}

static void start_record(hcbr_i_lane *lane, const char *record) {
    lane->p.record = record;
    lane->p.line = lane->line;
    lane->p.first = lane->records == 0;
    lane->p.label = (hcbr_i_text){NULL, 0};
    lane->p.id = lane->p.group = (hcbr_i_text){NULL, 0};
    lane->p.weight = -1;
    lane->p.no_row = lane->p.is_short = lane->p.open_quote = false;
    lane->p.fault = HCBR_I_FAULT_NONE;
    lane->p.lines = 1;
}

/** Say so if the first line of a file is plainly of another format. */
static void add_hint(hcbr_i_lane *lane, const char *newline, hcbr_error *err) {
    const char *line = lane->p.record;
    size_t length = (size_t)(newline - line), used = strlen(err->message);
    const hcbr_i_format *looks = hcbr_i_format_sniff(line, length, lane->p.options->delimiter);
    const hcbr_i_format *format = lane->p.format;
    if (looks == &hcbr_i_format_auto || looks == format ||
        (format->suits != NULL && format->suits(line, length, looks)))
        return;
    snprintf(err->message + used, sizeof err->message - used,
             "; this looks like %s (option format %s)", looks->name, looks->name);
}

/** Say that a row was skipped, or keep that for later. false: that cannot be. */
static bool warn(hcbr_i_lane *lane, hcbr_error *err) {
    const hcbr_read_options *options = lane->p.options;
    hcbr_i_held *held = lane->held;
    const char *message;
    if (held == NULL) {
        hcbr_i_notify(options->notify, options->notify_context, HCBR_WARNING, err->file, err->line,
                      err->column, "%s (row skipped)", err->message);
        return true;
    }
    lane->stopped = held->count == HCBR_I_MOST_HELD;
    if (lane->stopped) {
        hcbr_i_lane_fail(lane, HCBR_EDATA, err);
        return false;
    }
    message = hcbr_i_arena_copy(&held->text, err->message, strlen(err->message));
    if (message == NULL) {
        hcbr_i_lane_fail(lane, hcbr_i_no_memory(err), err);
        return false;
    }
    held->all[held->count].line = err->line;
    held->all[held->count].column = err->column;
    held->all[held->count++].message = message;
    return true;
}

/** A record that failed: skip it or keep the failure. */
static void drop_record(hcbr_i_lane *lane, hcbr_status st, const char *next, bool left_out,
                        hcbr_error *err) {
    const char *at = lane->p.record;
    bool in_lines = !lane->p.format->has_columns;
    bool final = st != HCBR_EDATA || (!in_lines && !lane->csv.ready);
    if (st == HCBR_EDATA && in_lines && lane->records == 1)
        add_hint(lane, next - 1, err);
    if (final || (!left_out && lane->p.options->bad_rows != HCBR_BAD_ROWS_SKIP)) {
        hcbr_i_lane_fail(lane, st, err);
        return;
    }
    if (!left_out && !warn(lane, err))
        return;
    lane->skipped++;
    if (!lane->p.no_row) {
        lane->row++;
        lane->file_rows++;
    }
    for (lane->p.lines = lane->json.on ? lane->p.lines : 0; at < next && !lane->json.on;
         lane->p.lines++)
        at = (const char *)memchr(at, '\n', (size_t)(next - at)) + 1;
}

/** Make the numbers among the names from `first` on separate. false: out of memory. */
static bool part_numbers(hcbr_i_lane *lane, size_t first) {
    // the value `1` of words and ids is not a measurement, and adds nothing to their name
    bool but_ones = lane->p.format->unnamed || lane->p.special_count > 0;
    return lane->block.numeric || hcbr_i_block_set_apart(&lane->block, first, but_ones);
}

/** Names from joined sources, separate numbers, and room for the case. */
static __attribute__((noinline)) hcbr_status complete_case(hcbr_i_lane *lane, size_t first,
                                                           hcbr_error *err) {
    hcbr_i_block *block = &lane->block;
    hcbr_status st;
    if (lane->p.joins != NULL &&
        (st = hcbr_i_joins_apply(&lane->p, first, &lane->joined, err)) != HCBR_OK)
        return st;
    if (lane->p.parts_numbers && !block->coded && block->key_serial == 0 &&
        !part_numbers(lane, first))
        return hcbr_i_no_memory(err);
    if (lane->p.unlabelled)
        lane->p.label = (hcbr_i_text){"", 0};
    if (lane->p.names == NULL && !hcbr_i_parser_bin(&lane->p, &lane->p.label, &block->arena))
        return hcbr_i_no_memory(err);
    return hcbr_i_grow(&block->cases, &block->case_capacity, block->case_count + 1,
                       sizeof *block->cases)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/**
 * The names of a case were added, and they are the last of the block: make it one. Names from
 * joined sources are added here, in the thread of the lane.
 */
static inline hcbr_status keep_case(hcbr_i_lane *lane, const hcbr_i_mark *before, hcbr_error *err) {
    hcbr_i_block *block = &lane->block;
    const size_t first = before->names;
    if (HCBR_I_UNLIKELY(lane->p.weight == 0)) { // as if it were not there
        hcbr_i_mark_undo(block, before);
        lane->file_rows++;
        lane->row++;
        return HCBR_OK;
    }
    lane->joined = 0;
    if (HCBR_I_UNLIKELY(lane->p.joins != NULL || lane->p.unlabelled || lane->p.cuts != NULL ||
                        block->case_count == block->case_capacity ||
                        (lane->p.parts_numbers && !block->coded && block->key_serial == 0))) {
        hcbr_status st = complete_case(lane, first, err);
        if (st != HCBR_OK)
            return st;
    }
    lane->file_rows++;
    block->cases[block->case_count++] =
        (hcbr_i_raw_case){.row = ++lane->row,
                          .line = lane->p.line,
                          .first = first,
                          .count = block->name_count - first,
                          .joined = lane->joined,
                          .first_item = before->items,
                          .item_count = block->item_count - before->items,
                          .label = lane->p.label,
                          .id = lane->p.id,
                          .group = lane->p.group,
                          .weight = lane->p.weighs ? lane->p.weight : 1,
                          .record = lane->p.record};
    return HCBR_OK;
}

hcbr_status hcbr_i_lane_keep(hcbr_i_lane *lane, const hcbr_i_mark *before, hcbr_error *err) {
    return keep_case(lane, before, err);
}

/** The record may be the last of the file: parse it again when more is known. */
static void wait(hcbr_i_lane *lane, const hcbr_i_mark *before) {
    hcbr_i_mark_undo(&lane->block, before);
    lane->records--; // it was not met yet
    lane->waits = true;
    if (lane->held == NULL)
        return;
    lane->stopped = true; // the lane of the reader takes it
    hcbr_i_lane_fail(lane, HCBR_EDATA, &(hcbr_error){.status = HCBR_EDATA});
}

/** Whether a record has no other mistake than its fault. A short row that was accepted may fail
 later. */
static bool is_odd(const hcbr_i_parser *p, hcbr_status st) {
    return p->fault == HCBR_I_FAULT_SHORT ? st == HCBR_OK : p->fault != HCBR_I_FAULT_NONE;
}

/** A record was parsed up to `next`: keep its case, or undo its additions. */
static inline void end_record(hcbr_i_lane *lane, hcbr_status st, const hcbr_i_mark *before,
                              const char *next, hcbr_error *err) {
    bool left_out = false;
    lane->records++;
    if (HCBR_I_UNLIKELY(is_odd(&lane->p, st))) {
        hcbr_i_verdict verdict = hcbr_i_odd_judge(lane, st, next);
        if (verdict == HCBR_I_WAIT) {
            wait(lane, before);
            return;
        }
        left_out = verdict == HCBR_I_LEAVE_OUT;
        st = verdict == HCBR_I_KEEP ? HCBR_OK : HCBR_EDATA;
    }
    if (HCBR_I_LIKELY(st == HCBR_OK && !lane->p.no_row))
        st = keep_case(lane, before, err);
    if (HCBR_I_UNLIKELY(st != HCBR_OK)) {
        hcbr_i_mark_undo(&lane->block, before);
        drop_record(lane, st, next, left_out, err);
        if (HCBR_I_UNLIKELY(lane->stopped)) {
            lane->records--; // it was not met yet
            return;
        }
    }
    lane->line += lane->p.lines;
    lane->begin = (size_t)(next - lane->buffer);
}

static bool is_blank_line(const char *line) {
    return *hcbr_i_skip_blanks(line) == '\n';
}

void hcbr_i_lane_lines(hcbr_i_lane *lane) {
    hcbr_i_block *block = &lane->block;
    hcbr_error err;
    while (lane->begin < lane->end && !hcbr_i_block_is_full(block) && lane->failed == HCBR_OK) {
        const char *line = lane->buffer + lane->begin;
        const char *newline = memchr(line + lane->seen, '\n', lane->end - lane->begin - lane->seen);
        const hcbr_i_mark before = hcbr_i_mark_of(block);
        if (newline == NULL) {
            lane->seen = lane->end - lane->begin;
            return;
        }
        lane->seen = 0;
        if (is_too_long(lane, (size_t)(newline - line) - (newline > line && newline[-1] == '\r')))
            return;
        if (HCBR_I_UNLIKELY((unsigned char)*line <= ' ') && is_blank_line(line) &&
            !lane->p.blank_rows) {
            lane->line++;
            lane->begin = (size_t)(newline + 1 - lane->buffer);
            continue;
        }
        start_record(lane, line);
        hcbr_status st = lane->p.format->record(&lane->p, line, newline, &err);
        end_record(lane, st, &before, newline + 1, &err);
    }
}

void hcbr_i_lane_objects(hcbr_i_lane *lane) {
    hcbr_i_block *block = &lane->block;
    hcbr_error err;
    while (lane->begin < lane->end && !hcbr_i_block_is_full(block) && lane->failed == HCBR_OK) {
        const hcbr_i_mark before = hcbr_i_mark_of(block);
        const char *end, *line;
        if (hcbr_i_json_next(lane, &end) != HCBR_I_NEXT_OBJECT)
            return;
        line = lane->buffer + lane->begin;
        if (is_too_long(lane, (size_t)(end - line)))
            return;
        char after = *end;
        lane->buffer[end - lane->buffer] = '\n'; // the end of a line of jsonl
        start_record(lane, line);
        lane->p.joined_lines = true;
        hcbr_status st = lane->p.format->record(&lane->p, line, end, &err);
        lane->buffer[end - lane->buffer] = after;
        lane->p.lines = lane->json.lines;
        hcbr_i_json_done(lane, end);
        end_record(lane, st, &before, end, &err);
    }
}

/** Whether the incomplete record exceeds the longest allowed, over several lines. */
static bool is_endless(const hcbr_i_lane *lane) {
    return !lane->last && lane->end - lane->begin > lane->p.options->max_line + 1 &&
           memchr(lane->buffer + lane->begin, '\n', lane->p.options->max_line) != NULL;
}

/** Whether a record may have a better reading than this one. */
static inline bool is_doubtful(const hcbr_i_lane *lane, hcbr_status st, const char *next) {
    const hcbr_i_parser *p = &lane->p;
    if (!p->takes_short || !lane->csv.ready || next == NULL)
        return false;
    if (HCBR_I_LIKELY(st == HCBR_OK))
        return p->fault == HCBR_I_FAULT_SHORT ||
               (p->fault == HCBR_I_FAULT_NONE && !p->no_row &&
                hcbr_i_csv_is_swallowed(&lane->csv, p->record, next)) ||
               (p->fault == HCBR_I_FAULT_LONG && hcbr_i_csv_is_off(&lane->csv, p->record, next));
    return st == HCBR_EDATA && (p->is_short || (p->fault == HCBR_I_FAULT_NONE &&
                                                (p->bad_quote || p->bad_count || p->open_quote)));
}

/** Leave the record to the lane of the reader, which has the following bytes. */
static hcbr_status hand_over(hcbr_i_lane *lane, const char **next) {
    lane->stopped = true;
    hcbr_i_lane_fail(lane, HCBR_EDATA, &(hcbr_error){.status = HCBR_EDATA});
    *next = NULL;
    return HCBR_OK;
}

/**
 * If another table begins with the record, leave out the rest of the file. true: the record is
 * done, or to be read again.
 */
static bool ends_table(hcbr_i_lane *lane, const char **next) {
    const char *limit = lane->buffer + lane->end;
    const hcbr_i_csv_begun begun = hcbr_i_csv_begins(&lane->p, &lane->csv, *next, limit);
    if (begun == HCBR_I_CSV_NO_TABLE || (begun == HCBR_I_CSV_MORE && lane->last))
        return false;
    if (lane->held != NULL) {
        (void)hand_over(lane, next);
        return true;
    }
    if (begun == HCBR_I_CSV_MORE) {
        lane->waits = lane->end - lane->begin < lane->p.options->max_line;
        return lane->waits;
    }
    lane->csv.rest = true;
    hcbr_i_odd_add(&lane->odd, HCBR_I_FAULT_TABLE, lane->line);
    return true;
}

/** Leave out the rest of the file. */
static void skip_rest(hcbr_i_lane *lane) {
    const char *at = lane->buffer + lane->begin, *end = lane->buffer + lane->end, *newline;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))) != NULL; at = newline + 1) {
        lane->line++;
        if (newline - at < 2 && hcbr_i_csv_line_ends(at))
            continue;
        lane->row++;
        lane->file_rows++;
        lane->skipped++;
    }
    lane->begin = (size_t)(at - lane->buffer);
}

/**
 * Read the record in another way, if there is a likelier one; it may then end before *next. A lane
 * of a chunk leaves that to the lane of the reader, since the chunk may end within a record then.
 */
static __attribute__((noinline)) hcbr_status mend(hcbr_i_lane *lane, hcbr_status st,
                                                  const hcbr_i_mark *before, const char **next,
                                                  hcbr_error *err) {
    hcbr_i_parser *p = &lane->p;
    hcbr_error other;
    hcbr_i_csv_reading found;
    hcbr_status tried = hcbr_i_csv_find_mend(p, &lane->csv, *next, &found, &other);
    p->bad_quote = p->bad_count = false;
    if (tried != HCBR_OK) {
        *err = other;
        return tried;
    }
    if (found.end != *next && lane->held != NULL)
        return hand_over(lane, next);
    if (found.end != *next) {
        lane->csv.scan = (hcbr_i_csv_scan){0};
        p->open_quote = false;
        *next = found.end;
    }
    if (found.cells != NULL) {
        hcbr_i_mark_undo(&lane->block, before);
        return hcbr_i_csv_take_mend(p, &lane->csv, &found, err);
    }
    if (found.fault != HCBR_I_FAULT_NONE)
        p->fault = (uint8_t)found.fault;
    return st;
}

void hcbr_i_lane_table(hcbr_i_lane *lane) {
    hcbr_i_block *block = &lane->block;
    const char *limit = lane->buffer + lane->end;
    hcbr_error err;
    while (lane->begin < lane->end && !hcbr_i_block_is_full(block) && lane->failed == HCBR_OK &&
           !lane->waits && !lane->csv.rest) {
        const char *record = lane->buffer + lane->begin, *next;
        const hcbr_i_mark before = hcbr_i_mark_of(block);
        size_t length;
        start_record(lane, record);
        hcbr_status st = hcbr_i_csv_record(&lane->p, &lane->csv, limit, lane->last, &next, &err);
        if (next == NULL && st == HCBR_OK && HCBR_I_UNLIKELY(is_endless(lane))) {
            lane->p.open_quote = true;
            next = limit;
            st = HCBR_EDATA;
        }
        if (next == NULL && st == HCBR_OK) {
            hcbr_i_mark_undo(block, &before);
            return;
        }
        if (HCBR_I_UNLIKELY(st == HCBR_EDATA && lane->p.open_quote) &&
            hcbr_i_csv_is_open(&lane->p, &lane->csv, next))
            lane->p.fault = HCBR_I_FAULT_OPEN;
        if (HCBR_I_UNLIKELY(lane->p.fault != HCBR_I_FAULT_NONE || st == HCBR_EDATA ||
                            lane->p.lines > 1) &&
            is_doubtful(lane, st, next) && !ends_table(lane, &next))
            st = mend(lane, st, &before, &next, &err);
        if (lane->stopped || lane->waits || lane->csv.rest) {
            hcbr_i_mark_undo(block, &before);
            break;
        }
        if (next == NULL)
            next = record; // out of memory: nothing was consumed
        length = (size_t)(next - record);
        length -= length > 0;
        if (is_too_long(lane, length - (length > 0 && record[length - 1] == '\r'))) {
            hcbr_i_mark_undo(block, &before);
            return;
        }
        end_record(lane, st, &before, next, &err);
    }
    if (lane->csv.rest)
        skip_rest(lane);
}

void hcbr_i_lane_parse(hcbr_i_lane *lane) {
    lane->waits = false;
    lane->p.format->parse(lane);
}

void hcbr_i_lane_clear(hcbr_i_lane *lane) {
    hcbr_i_parser_clear(&lane->p);
    hcbr_i_block_clear(&lane->block);
}
