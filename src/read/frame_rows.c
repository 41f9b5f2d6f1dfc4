/*
 * Rows of a table in memory as cases of blocks.
 *
 * A row becomes the names that the same row of a csv file would: values in the order of the
 * columns, those of texts after them. put_number() alone adds numbers, with their spelling.
 * Invariants: an unusable row adds nothing; text in a block is in the caller's memory or in the
 * block's arena. On request, blocks are coded like those of csv: an earlier value is found by its
 * bits, without making its name (values.c).
 */
#include "read/frame.h"

#include <stdio.h>

#define TELL 16384         /* rows between two reports of progress, at most */
#define TELL_VALUES 262144 /* or values */

/** A row that is being read. */
typedef struct row {
    const hcbr_i_table *frame;
    hcbr_i_parser *p;
    uint64_t number;              /**< from 1, for messages */
    size_t first;                 /**< of its names in the block */
    hcbr_i_text name;             /**< of the current column */
    const hcbr_i_column *columns; /**< of the frame */
    const hcbr_i_column *column;  /**< with its role */
    size_t at;                    /**< and its number */
    const uint32_t *codes;        /**< of the values of the row that are known; NULL: of none */
    char room[HCBR_I_CELL_ROOM];  /**< of the current value */
} row;

static hcbr_status fail(const row *r, hcbr_error *err, const char *format, ...) HCBR_I_PRINTF(3, 4);
static hcbr_status fail(const row *r, hcbr_error *err, const char *format, ...) {
    char quoted[200], words[250];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return hcbr_i_fail(err, HCBR_EDATA, "column %s, row %llu: %s",
                       hcbr_i_quote(quoted, r->name.at, r->name.length),
                       (unsigned long long)r->number, words);
}

/* ---- values ---------------------------------------------------------------------------------- */

/** A separate number. A text is passed if it has more digits than the number, and is kept. */
static inline hcbr_status put_item(const row *r, double number, uint8_t spelling, hcbr_i_text text,
                                   hcbr_error *err) {
    hcbr_i_item item = {number, (uint32_t)(r->column - r->columns), spelling,
                        hcbr_i_item_before(r->p->block->name_count - r->first)};
    return hcbr_i_block_add_item(r->p->block, &item, text.at, text.length) ? HCBR_OK
                                                                           : hcbr_i_no_memory(err);
}

/** A feature whose value is `text`, which is copied if it does not live long enough. */
static hcbr_status put_text(const row *r, hcbr_i_text text, bool keep, hcbr_error *err) {
    const hcbr_i_column *c = r->column;
    hcbr_i_block *block = r->p->block;
    uint8_t spelling = HCBR_I_SPELLED_SHORTEST;
    double number;
    bool apart = r->frame->direct && hcbr_i_decimal_read(&number, &spelling, text.at, text.length);
    if (!keep &&
        (apart ? spelling >= HCBR_I_SPELLED_OTHER : c->key_length + text.length > HCBR_I_SHORT) &&
        (text.at = hcbr_i_arena_copy(&block->arena, text.at, text.length)) == NULL)
        return hcbr_i_no_memory(err);
    if (apart)
        return put_item(r, number, spelling, text, err);
    return hcbr_i_block_add(block, c->key, c->key_length, text.at, text.length)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/** A feature whose value is a number. */
static inline hcbr_status put_number(const row *r, double number, hcbr_error *err) {
    char text[HCBR_NUMBER_SIZE];
    if (r->frame->direct)
        return put_item(r, number, HCBR_I_SPELLED_SHORTEST, (hcbr_i_text){NULL, 0}, err);
    return put_text(r, (hcbr_i_text){text, hcbr_number_format(text, number)}, false, err);
}

/** The text of a value that is not missing, as long as the block lives. */
static hcbr_status text_of(const row *r, const hcbr_i_cell *cell, hcbr_i_text *text,
                           hcbr_error *err) {
    char number[HCBR_NUMBER_SIZE];
    *text = cell->text;
    if (cell->kind == HCBR_I_CELL_TEXT)
        return HCBR_OK;
    if (cell->kind == HCBR_I_CELL_NUMBER)
        *text = (hcbr_i_text){number, hcbr_number_format(number, cell->number)};
    text->at = hcbr_i_arena_copy(&r->p->block->arena, text->at, text->length);
    return text->at != NULL ? HCBR_OK : hcbr_i_no_memory(err);
}

/** Whether a value is in the list of missing ones. */
static bool is_na(const row *r, const hcbr_i_cell *cell) {
    char number[HCBR_NUMBER_SIZE];
    if (cell->kind != HCBR_I_CELL_NUMBER)
        return hcbr_i_parser_is_na(r->p, cell->text.at, cell->text.length);
    return r->frame->na_numbers &&
           hcbr_i_parser_is_na(r->p, number, hcbr_number_format(number, cell->number));
}

static hcbr_status take_weight(const row *r, const hcbr_i_cell *cell, hcbr_error *err) {
    double weight = cell->number;
    char quoted[200];
    if (!r->p->weighs)
        return HCBR_OK;
    if (cell->kind == HCBR_I_CELL_MISSING)
        return fail(r, err, "found a missing value, expected a weight, a number from 0 to %g",
                    HCBR_I_MOST_WEIGHT);
    if (cell->kind != HCBR_I_CELL_NUMBER &&
        !hcbr_number_parse(&weight, cell->text.at, cell->text.length))
        return fail(r, err, "found %s, expected a weight, a number from 0 to %g",
                    hcbr_i_quote(quoted, cell->text.at, cell->text.length), HCBR_I_MOST_WEIGHT);
    if (!(weight >= 0 && weight <= HCBR_I_MOST_WEIGHT))
        return fail(r, err, "found %g, expected a weight, a number from 0 to %g", weight,
                    HCBR_I_MOST_WEIGHT);
    r->p->weight = weight;
    return HCBR_OK;
}

static hcbr_status take_label(const row *r, const hcbr_i_cell *cell, hcbr_error *err) {
    const bool kept = r->p->options->labels_as_they_are & HCBR_LABELS_KEPT;
    if (cell->kind != HCBR_I_CELL_MISSING && (kept || !is_na(r, cell)) &&
        (cell->kind == HCBR_I_CELL_NUMBER || cell->text.length > 0))
        return text_of(r, cell, &r->p->label, err);
    r->p->fault = HCBR_I_FAULT_LABEL;
    return r->p->labelled ? fail(r, err, "found a missing value, expected a label") : HCBR_OK;
}

/** A feature or, for a special column, its features. */
static inline hcbr_status take_feature(const row *r, const hcbr_i_cell *cell, hcbr_error *err) {
    hcbr_i_text text;
    if (cell->kind == HCBR_I_CELL_NUMBER) {
        if (HCBR_I_UNLIKELY(r->frame->na_numbers) && is_na(r, cell))
            return HCBR_OK;
        if (HCBR_I_LIKELY(r->column->special == NULL))
            return put_number(r, cell->number, err);
    } else if (is_na(r, cell)) {
        return HCBR_OK;
    } else if (HCBR_I_LIKELY(r->column->special == NULL)) {
        return put_text(r, cell->text, cell->kind == HCBR_I_CELL_TEXT, err);
    }
    hcbr_status st = text_of(r, cell, &text, err);
    return st == HCBR_OK ? hcbr_i_special_take(r->p, r->column->special, text, err) : st;
}

/** Check that a text can be used. */
static hcbr_status check_text(const row *r, hcbr_i_text text, hcbr_error *err) {
    if (HCBR_I_UNLIKELY(text.length > r->p->options->max_line))
        return fail(r, err, "found a text of %zu bytes, expected at most %zu (max_line)",
                    text.length, r->p->options->max_line);
    return hcbr_i_table_check_text(r->name, r->number, text, err);
}

/* ---- coded blocks ---------------------------------------------------------------------------- */

/** A value that gets no code: add its name. */
static inline hcbr_status take_other(const row *r, const hcbr_i_cell *cell, hcbr_error *err) {
    hcbr_i_block *block = r->p->block;
    const size_t count = block->name_count;
    block->name_count = block->other_count; // take_feature() adds it to the names
    hcbr_status st = take_feature(r, cell, err);
    const size_t added = block->name_count - block->other_count;
    block->numbers[count] = HCBR_I_OTHER + (uint32_t)block->other_count;
    block->other_count = block->name_count;
    block->name_count = count + added;
    return st;
}

/** A value that has no code yet: give it one if that is worth it. */
static __attribute__((noinline)) hcbr_status take_new(const row *r, const hcbr_i_cell *cell,
                                                      bool may_be_held, hcbr_i_value *value,
                                                      hcbr_error *err) {
    hcbr_i_block *block = r->p->block;
    char number[HCBR_NUMBER_SIZE];
    hcbr_i_text text = cell->text;
    hcbr_status st = HCBR_OK;
    uint8_t spelling;
    double apart;
    if (cell->kind == HCBR_I_CELL_TEXT && (st = check_text(r, text, err)) != HCBR_OK)
        return st;
    if (r->frame->direct && hcbr_i_decimal_read(&apart, &spelling, text.at, text.length))
        return take_feature(r, cell, err); // among the numbers, which have no codes
    if (may_be_held) {
        if (cell->kind == HCBR_I_CELL_NUMBER)
            text = (hcbr_i_text){number, hcbr_number_format(number, cell->number)};
        st = hcbr_i_values_add(r->p, r->column, r->at, text, value, err);
        if (st != HCBR_OK || value->code != HCBR_I_NO_CODE) {
            block->numbers[block->name_count] = value->code;
            block->name_count += value->code != HCBR_I_MISSING;
            return st;
        }
    }
    return take_other(r, cell, err);
}

/** Row i of the current column, for a coded block that has room. */
static inline hcbr_status take_coded(row *r, const hcbr_i_vector *v, uint64_t i, hcbr_error *err) {
    hcbr_i_block *block = r->p->block;
    hcbr_i_value value = {0, 0, HCBR_I_NO_CODE};
    hcbr_i_cell cell;
    hcbr_i_vector_get(v, i, r->room, &cell);
    if (cell.kind == HCBR_I_CELL_MISSING)
        return HCBR_OK;
    if (cell.kind == HCBR_I_CELL_NUMBER && r->frame->direct)
        return take_feature(r, &cell, err);
    const hcbr_i_value_table *held = &r->p->values->columns[r->at];
    if (held->is_closed && cell.kind == HCBR_I_CELL_NUMBER)
        return take_other(r, &cell, err);
    const bool may_be_held = !held->is_closed && hcbr_i_table_key(&value, &cell);
    if (may_be_held && (value.code = hcbr_i_table_find(held, &value)) != HCBR_I_NO_CODE) {
        block->numbers[block->name_count] = value.code;
        block->name_count += value.code != HCBR_I_MISSING;
        return HCBR_OK;
    }
    return take_new(r, &cell, may_be_held, &value, err);
}

/* ---- columns --------------------------------------------------------------------------------- */

/** One value of the current column. */
static inline hcbr_status take_value(row *r, const hcbr_i_vector *v, uint64_t i, hcbr_error *err) {
    hcbr_i_cell cell;
    hcbr_status st;
    hcbr_i_vector_get(v, i, r->room, &cell);
    if (cell.kind == HCBR_I_CELL_TEXT && (st = check_text(r, cell.text, err)) != HCBR_OK)
        return st;
    switch (r->column->role) {
    case HCBR_I_ROLE_LABEL:
        return take_label(r, &cell, err);
    case HCBR_I_ROLE_WEIGHT:
        return take_weight(r, &cell, err);
    case HCBR_I_ROLE_ID:
    case HCBR_I_ROLE_GROUP:
        if (cell.kind == HCBR_I_CELL_MISSING || is_na(r, &cell))
            return HCBR_OK;
        return text_of(r, &cell, r->column->role == HCBR_I_ROLE_ID ? &r->p->id : &r->p->group, err);
    default:
        return cell.kind == HCBR_I_CELL_MISSING ? HCBR_OK : take_feature(r, &cell, err);
    }
}

/** Row i of the current column. */
static inline hcbr_status take_column(row *r, const hcbr_i_vector *v, uint64_t i, hcbr_error *err) {
    uint64_t at, end;
    hcbr_status st = HCBR_OK;
    if (HCBR_I_LIKELY(!hcbr_i_vector_is_list(v)))
        return take_value(r, v, i, err);
    if (!hcbr_i_vector_is_valid(v, i))
        return HCBR_OK;
    for (hcbr_i_vector_items(v, i, &at, &end); at < end && st == HCBR_OK; at++)
        st = take_value(r, v->items, at, err);
    return st;
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

/** The feature `j=value`. */
static hcbr_status put_cell(const row *r, uint64_t j, double value, hcbr_error *err) {
    char key[48], number[HCBR_NUMBER_SIZE];
    size_t key_length = hcbr_i_decimal_text(key, false, j, 0);
    size_t length = hcbr_number_format(number, value);
    hcbr_i_block *block = r->p->block;
    const char *name = key, *text = number;
    if (key_length + length > HCBR_I_SHORT &&
        ((name = hcbr_i_arena_copy(&block->arena, key, key_length)) == NULL ||
         (text = hcbr_i_arena_copy(&block->arena, number, length)) == NULL))
        return hcbr_i_no_memory(err);
    return hcbr_i_block_add(block, name, key_length, text, length) ? HCBR_OK
                                                                   : hcbr_i_no_memory(err);
}

static hcbr_status take_items(row *r, uint64_t i, hcbr_error *err) {
    const hcbr_i_table *t = r->frame;
    const hcbr_sparse *m = &t->sparse;
    const size_t first = r->p->block->name_count;
    uint64_t at, end;
    r->name = (hcbr_i_text){"(matrix)", 8};
    for (hcbr_i_vector_items(&t->starts, i, &at, &end); at < end; at++) {
        hcbr_i_cell cell = {.kind = HCBR_I_CELL_NUMBER, .number = 1}, index;
        hcbr_status st;
        hcbr_i_vector_get(&t->indices, at, r->room, &index);
        if (index.kind != HCBR_I_CELL_NUMBER || index.number < 0 ||
            (uint64_t)index.number >= m->columns)
            return fail(r, err,
                        "found the index of a column that is not there, expected one from "
                        "0 to below %llu",
                        (unsigned long long)m->columns);
        if (m->values != NULL)
            hcbr_i_vector_get(&t->values, at, r->room, &cell);
        if (cell.kind == HCBR_I_CELL_WORD)
            return fail(r, err, "found an infinite value, expected a finite number");
        if (cell.kind == HCBR_I_CELL_NUMBER &&
            (st = put_cell(r, m->first + (uint64_t)index.number, cell.number, err)) != HCBR_OK)
            return st;
    }
    if (r->p->ignore_count > 0)
        hcbr_i_parser_drop_ignored(r->p, first);
    return HCBR_OK;
}

/* ---- rows ------------------------------------------------------------------------------------ */

/** Add a double as a separate number, if there is room for it. false: it must be added as any other
 value. */
static inline bool take_double(hcbr_i_block *block, const hcbr_i_vector *v, uint64_t i, size_t c,
                               size_t first) {
    double value;
    memcpy(&value, v->values + (int64_t)i * v->stride, sizeof value);
    if (HCBR_I_UNLIKELY(value - value != 0 || !hcbr_i_vector_is_valid(v, i)))
        return false;
    block->items[block->item_count++] =
        (hcbr_i_item){value + 0.0, (uint32_t)c, HCBR_I_SPELLED_SHORTEST, // minus zero is zero
                      hcbr_i_item_before(block->name_count - first)};
    return true;
}

/** Add codes that are known, from column c on; returns the column of the first that is not. */
static inline size_t take_codes(hcbr_i_block *block, const uint32_t *codes, size_t c,
                                size_t count) {
    uint32_t *out = block->numbers + block->name_count;
    for (; c < count && codes[c] != HCBR_I_NO_CODE; c++) {
        *out = codes[c];
        out += codes[c] != HCBR_I_MISSING;
    }
    block->name_count = (size_t)(out - block->numbers);
    return c;
}

static hcbr_status take_row(row *r, hcbr_i_lane *lane, uint64_t i, hcbr_error *err) {
    const hcbr_i_table *t = r->frame;
    hcbr_i_parser *p = r->p;
    hcbr_status st = HCBR_OK;
    p->label = p->id = p->group = (hcbr_i_text){NULL, 0};
    p->fault = HCBR_I_FAULT_NONE;
    p->weight = -1;
    p->line = r->number = lane->row + 1;
    r->first = p->block->name_count;
    hcbr_i_grams_begin(p);
    if (t->direct && !hcbr_i_grow(&p->block->items, &p->block->item_capacity,
                                  p->block->item_count + t->count, sizeof *p->block->items))
        return hcbr_i_no_memory(err);
    if (p->block->coded && !hcbr_i_grow(&p->block->numbers, &p->block->number_capacity,
                                        p->block->name_count + t->count, sizeof *p->block->numbers))
        return hcbr_i_no_memory(err);
    for (size_t c = 0; st == HCBR_OK; c++) {
        if (r->codes != NULL)
            c = take_codes(p->block, r->codes, c, t->count);
        if (c == t->count)
            break;
        if (t->columns[c].doubles && take_double(p->block, &t->columns[c].vector, i, c, r->first))
            continue;
        r->column = &lane->csv.columns[c];
        r->name = t->columns[c].name;
        r->at = c;
        if (p->block->coded && r->column->role == HCBR_I_ROLE_FEATURE)
            st = take_coded(r, &t->columns[c].vector, i, err);
        else if (r->column->role != HCBR_I_ROLE_IGNORED)
            st = take_column(r, &t->columns[c].vector, i, err);
    }
    if (st == HCBR_OK && t->sparse.size > 0)
        st = take_items(r, i, err);
    return st == HCBR_OK ? hcbr_i_grams_end(p, err) : st;
}

/** A row that cannot be used: leave it out, or fail. */
static void drop_row(hcbr_i_lane *lane, hcbr_status st, const hcbr_error *err) {
    const hcbr_read_options *o = lane->p.options;
    if (st == HCBR_EDATA && o->bad_rows == HCBR_BAD_ROWS_AUTO &&
        lane->p.fault == HCBR_I_FAULT_LABEL) {
        hcbr_i_odd_add(&lane->odd, lane->p.fault, lane->row + 1);
    } else if (st == HCBR_EDATA && o->bad_rows == HCBR_BAD_ROWS_SKIP) {
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0, "%s (row skipped)",
                      err->message);
    } else {
        hcbr_i_lane_fail(lane, st, err);
        return;
    }
    lane->skipped++;
    lane->row++;
    lane->file_rows++;
}

static hcbr_status report(hcbr_i_table *t, const hcbr_read_options *o, hcbr_error *err) {
    t->told = t->done;
    if (o->progress == NULL || o->progress(o->progress_context, "read", t->done, t->total) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "reading a table was cancelled");
}

/** Whether progress is due. */
static bool is_due(const hcbr_i_table *t) {
    const uint64_t rows = t->done - t->told;
    return t->done == 0 || rows >= TELL || rows * t->count >= TELL_VALUES;
}

/** Have rows to read, or come to the end. The block is empty: it may point into the last batch. */
static hcbr_status prepare(hcbr_i_table *t, hcbr_i_lane *lane, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    while (st == HCBR_OK && t->next == t->end && !t->ended && (t->bound || t->stream != NULL)) {
        t->ended = t->stream == NULL;
        t->bound = false;
        if (t->stream != NULL)
            st = hcbr_i_arrow_next(t, err);
    }
    if (st == HCBR_OK && !t->ended && !t->bound)
        st = hcbr_i_table_bind(t, lane, err);
    if (st == HCBR_OK && !t->ended && is_due(t))
        st = report(t, lane->p.options, err);
    return st;
}

/** A block begins: let it be coded if it can be, with the codes of its rows, *most at the most. */
static hcbr_status begin_codes(hcbr_i_table *t, hcbr_i_lane *lane, row *r, size_t *most,
                               hcbr_error *err) {
    const uint64_t left = t->end - t->next;
    hcbr_status st;
    if (t->codes == NULL && !hcbr_i_table_is_codable(t, &lane->p))
        return HCBR_OK;
    if ((st = hcbr_i_values_begin(&lane->p, t->count, err)) != HCBR_OK || t->codes == NULL)
        return st;
    *most = HCBR_I_BLOCK / t->count + 1;
    if (*most > left)
        *most = (size_t)left;
    r->codes = hcbr_i_table_codes_get(t->codes, t, &lane->p, *most);
    return r->codes != NULL ? HCBR_OK : hcbr_i_no_memory(err);
}

void hcbr_i_table_fill(hcbr_i_table *frame, hcbr_i_lane *lane) {
    hcbr_i_table *t = frame;
    hcbr_i_block *block = &lane->block;
    row r = {.frame = t, .p = &lane->p};
    size_t most = HCBR_I_BLOCK;
    hcbr_error err;
    lane->p.record = "";
    hcbr_status st = prepare(t, lane, &err);
    if (st == HCBR_OK && t->next < t->end)
        st = begin_codes(t, lane, &r, &most, &err);
    if (st != HCBR_OK) {
        hcbr_i_lane_fail(lane, st, &err);
        return;
    }
    r.columns = lane->csv.columns;
    if (t->direct) {
        block->keys = lane->csv.keys;
        block->key_serial = lane->p.serial;
    }
    for (size_t rows = 0;
         t->next < t->end && rows < most && !hcbr_i_block_is_full(block) && lane->failed == HCBR_OK;
         rows++) {
        const hcbr_i_mark before = hcbr_i_mark_of(block);
        const size_t others = block->other_count;
        if ((st = take_row(&r, lane, t->next, &err)) == HCBR_OK)
            st = hcbr_i_lane_keep(lane, &before, &err);
        t->next++;
        t->done++;
        if (r.codes != NULL)
            r.codes += t->count;
        if (HCBR_I_LIKELY(st == HCBR_OK))
            continue;
        hcbr_i_mark_undo(block, &before);
        block->other_count = others;
        drop_row(lane, st, &err);
    }
}
