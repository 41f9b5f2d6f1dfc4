/*
 * Records of csv and tsv: RFC 4180 quoting, no trimming, exactly as many fields as columns.
 *
 * Most fields are short, plain ASCII and not quoted. In a coded block (take_coded()) such a value
 * is looked up among the column's earlier values; otherwise (take_fields()) it goes straight from
 * the buffer into the packed name. All other fields go to hcbr_i_csv_field(). Invariants: all paths
 * give the same name for the same content; hcbr_i_csv_scan_record() alone decides the end of an
 * unusable or incomplete record, so that the size of reads does not matter.
 */
#include "read/csv.h"
#include "read/stops.h"

#define WIDE 4 /* columns of a table whose rows hardly have two values */
#define HIGH HCBR_I_EACH(0x80)

#define DOS_END '\x1A' /* the last byte of files of old programs */

void hcbr_i_csv_reset(hcbr_i_csv *csv) {
    csv->ready = csv->named = false;
    csv->passed = 0;
    csv->line = (hcbr_i_text){NULL, 0};
    csv->column_count = 0;
    csv->feature_count = 0;
    csv->upper_count = csv->upper_lines = 0;
    csv->scan = (hcbr_i_csv_scan){0};
    hcbr_i_arena_reset(&csv->text);
}

void hcbr_i_csv_clear(hcbr_i_csv *csv) {
    hcbr_i_free(csv->columns);
    hcbr_i_free(csv->keys);
    hcbr_i_free(csv->features);
    hcbr_i_free(csv->upper);
    hcbr_i_arena_clear(&csv->text);
    memset(csv, 0, sizeof *csv);
}

/** Where the field after a delimiter begins, or the first. */
static inline const char *after_padding(const hcbr_i_csv *csv, const char *at) {
    while (csv->padded && *at == ' ')
        at++;
    return at;
}

/**
 * Marks, by its high bit, the first byte of a word that ends a plain field: a delimiter, a quote, a
 * control byte or one that is not ASCII. Bits above the lowest mean nothing.
 */
static inline uint64_t stops(uint64_t word, uint64_t delimiters) {
    // A byte below its bound borrows into its high bit.
    return ((word - HCBR_I_EACH(' ')) | ((word ^ HCBR_I_EACH('"')) - HCBR_I_EACH(1)) |
            ((word ^ delimiters) - HCBR_I_EACH(1)) | word) &
           HIGH;
}

/** A plain field: its length and, of the first 16 bytes, those that belong to it. */
typedef struct plain {
    size_t length;
    uint64_t low, high;
} plain;

static inline plain find_plain(const char *at, uint64_t delimiters) {
    plain field = {0, hcbr_i_load64(at), 0};
    uint64_t stop = stops(field.low, delimiters);
    if (stop != 0) {
        field.low &= (stop ^ (stop - 1)) >> 8;
        field.length = (size_t)__builtin_ctzll(stop) >> 3;
        return field;
    }
    field.high = hcbr_i_load64(at + 8);
    stop = stops(field.high, delimiters);
    field.high &= (stop ^ (stop - 1)) >> 8;
    for (field.length = 8; stop == 0;) {
        field.length += 8;
        stop = stops(hcbr_i_load64(at + field.length), delimiters);
    }
    field.length += (size_t)__builtin_ctzll(stop) >> 3;
    return field;
}

/** The name of a column with a short value: its length is at most column->room. */
static inline hcbr_i_name pack(const hcbr_i_column *column, plain value) {
    // To multiply by a power of two is to shift over both words at once.
    hcbr_i_u128 bits = (hcbr_i_u128)value.low * column->unit;
    uint64_t low = (uint64_t)bits, high = (uint64_t)(bits >> 64) + value.high * column->unit;
    if (HCBR_I_UNLIKELY(column->key_length >= 8)) {
        high = low; // the key fills the first word
        low = 0;
    }
    return (hcbr_i_name){column->lo | low, (column->hi | high) + ((uint64_t)value.length << 60)};
}

/** Add a value to a coded block if it is a number and numbers are separate. */
static inline __attribute__((always_inline)) bool take_number(hcbr_i_parser *p,
                                                              const hcbr_i_csv *csv,
                                                              const hcbr_i_column *column,
                                                              hcbr_i_text value, bool *taken) {
    hcbr_i_item item = {.key = (uint32_t)(column - csv->columns)};
    *taken = p->parts_numbers && p->block->coded &&
             hcbr_i_decimal_read(&item.value, &item.spelling, value.at, value.length);
    return !*taken || hcbr_i_block_add_item(p->block, &item, value.at, value.length);
}

/** See hcbr_i_csv_take_value(). */
static inline __attribute__((always_inline)) hcbr_status
take_value(hcbr_i_parser *p, const hcbr_i_csv *csv, const hcbr_i_column *column, const char *at,
           hcbr_i_text value, hcbr_error *err) {
    bool taken;
    switch (column->role) {
    case HCBR_I_ROLE_LABEL:
        return hcbr_i_parser_take_label(p, at, value.at, value.length, err);
    case HCBR_I_ROLE_ID:
        if (!hcbr_i_parser_is_na(p, value.at, value.length))
            p->id = value;
        return HCBR_OK;
    case HCBR_I_ROLE_GROUP:
        if (!hcbr_i_parser_is_na(p, value.at, value.length))
            p->group = value;
        return HCBR_OK;
    case HCBR_I_ROLE_WEIGHT:
        return hcbr_i_parser_take_weight(p, at, value.at, value.length, err);
    case HCBR_I_ROLE_FEATURE:
    case HCBR_I_ROLE_KEY:
        if (HCBR_I_UNLIKELY(column->special != NULL))
            return hcbr_i_parser_is_na(p, value.at, value.length)
                       ? HCBR_OK
                       : hcbr_i_special_take(p, column->special, value, err);
        if (hcbr_i_parser_is_na(p, value.at, value.length))
            return HCBR_OK;
        if (!take_number(p, csv, column, value, &taken) ||
            (!taken &&
             !hcbr_i_block_add(p->block, column->key, column->key_length, value.at, value.length)))
            return hcbr_i_no_memory(err);
        return HCBR_OK;
    default:
        return HCBR_OK;
    }
}

hcbr_status hcbr_i_csv_take_value(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                  const hcbr_i_column *column, const char *at, hcbr_i_text value,
                                  hcbr_error *err) {
    return take_value(p, csv, column, at, value, err);
}

/** A field that is not a short plain value of a feature; *stop receives its end. */
static hcbr_status take_any(hcbr_i_parser *p, const hcbr_i_csv *csv, const hcbr_i_column *column,
                            const char *at, const char *limit, const char **stop, hcbr_error *err) {
    hcbr_i_text value = {at, (size_t)(*stop - at)};
    hcbr_status st;
    if (**stop != csv->delimiter && !hcbr_i_csv_line_ends(*stop) &&
        (st = hcbr_i_csv_field(p, csv, at, limit, &p->block->arena, &value, stop, err)) != HCBR_OK)
        return st;
    return take_value(p, csv, column, at, value, err);
}

/** There are more fields than columns: end the record, with its names so far, there if allowed. */
static __attribute__((noinline)) hcbr_status end_long(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                                      const char *stop, size_t names,
                                                      const char **newline, hcbr_error *err) {
    hcbr_status st = hcbr_i_csv_too_many(p, csv, &stop, err);
    if (st != HCBR_OK)
        return st;
    p->block->name_count = names;
    *newline = *stop == '\n' ? stop : stop + 1;
    return HCBR_OK;
}

/** The fields of the record; *newline receives its '\n', which may be the one at limit. */
static hcbr_status take_fields(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit,
                               const char **newline, hcbr_error *err) {
    const uint64_t delimiters = HCBR_I_EACH((unsigned char)csv->delimiter);
    const hcbr_i_column *column = csv->columns, *end = column + csv->column_count;
    const char delimiter = csv->delimiter, *at = after_padding(csv, p->record), *stop;
    hcbr_i_block *block = p->block;
    hcbr_status st;
    if (!hcbr_i_grow(&block->names, &block->name_capacity, block->name_count + csv->column_count,
                     sizeof *block->names))
        return hcbr_i_no_memory(err);
    hcbr_i_name *out = block->names + block->name_count;
    for (;; at = after_padding(csv, stop + 1)) {
        plain field = find_plain(at, delimiters);
        char c = at[field.length];
        stop = at + field.length;
        if (HCBR_I_UNLIKELY((ptrdiff_t)field.length > column->room ||
                            (c != delimiter && !hcbr_i_csv_line_ends(stop)))) {
            block->name_count = (size_t)(out - block->names);
            if ((st = take_any(p, csv, column, at, limit, &stop, err)) != HCBR_OK)
                return st;
            // A set may have given many: there must be room for the columns that follow.
            if (!hcbr_i_grow(&block->names, &block->name_capacity,
                             block->name_count + (size_t)(end - column), sizeof *block->names))
                return hcbr_i_no_memory(err);
            out = block->names + block->name_count;
            c = *stop;
        } else if (HCBR_I_LIKELY(!hcbr_i_parser_is_na(p, at, field.length))) {
            *out++ = pack(column, field);
        }
        column++;
        if (HCBR_I_UNLIKELY(c != delimiter))
            break;
        if (HCBR_I_UNLIKELY(column == end))
            return end_long(p, csv, stop, (size_t)(out - block->names), newline, err);
    }
    block->name_count = (size_t)(out - block->names);
    if (column != end && (st = hcbr_i_csv_wrong_count(p, csv, stop, (size_t)(column - csv->columns),
                                                      err)) != HCBR_OK)
        return st;
    *newline = *stop == '\n' ? stop : stop + 1;
    return HCBR_OK;
}

/* ---- coded blocks ---------------------------------------------------------------------------- */

/** A field that is not cached: cache it now, or read it as usual. *out moves to after its code. */
static inline __attribute__((always_inline)) hcbr_status
take_new(hcbr_i_parser *p, const hcbr_i_csv *csv, size_t number, const char *at, const char *limit,
         const char **stop, uint32_t **out, hcbr_error *err) {
    const hcbr_i_column *column = &csv->columns[number];
    hcbr_i_block *block = p->block;
    const size_t length = (size_t)(*stop - at), count = (size_t)(*out - block->numbers);
    hcbr_status st;
    if (column->role == HCBR_I_ROLE_FEATURE && length <= HCBR_I_VALUE &&
        (**stop == csv->delimiter || hcbr_i_csv_line_ends(*stop))) {
        hcbr_i_u128 bytes = hcbr_i_bytes_load(at, length);
        hcbr_i_value value = {(uint64_t)bytes, (uint64_t)(bytes >> 64), HCBR_I_NO_CODE};
        st = hcbr_i_values_add(p, column, number, (hcbr_i_text){at, length}, &value, err);
        if (st != HCBR_OK || value.code != HCBR_I_NO_CODE) {
            **out = value.code;
            *out += value.code != HCBR_I_MISSING;
            return st;
        }
    }
    block->name_count = block->other_count; // take_any() adds it to the names
    st = take_any(p, csv, column, at, limit, stop, err);
    if (block->name_count > block->other_count)
        *(*out)++ = HCBR_I_OTHER + (uint32_t)block->other_count;
    block->other_count = block->name_count;
    block->name_count = count;
    return st;
}

/** The code of a value, of HCBR_I_VALUE bytes at most; HCBR_I_NO_CODE: it is not held. */
static inline uint32_t find_code(const hcbr_i_value_table *table, const char *at, size_t length) {
    static const unsigned char edge[2 * HCBR_I_VALUE] = {0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                                         0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF,
                                                         0xFF, 0xFF, 0xFF, 0xFF}; // then zeros
    const unsigned char *mask = edge + HCBR_I_VALUE - length;
    uint64_t low = hcbr_i_load64(at) & hcbr_i_load64(mask);
    uint64_t high = hcbr_i_load64(at + 8) & hcbr_i_load64(mask + 8);
    const hcbr_i_value *place = hcbr_i_value_place(table, low, high);
    for (size_t n = 0; n < HCBR_I_NEAR; n++)
        if (HCBR_I_LIKELY(place[n].low == low && place[n].high == high))
            return place[n].code;
    return HCBR_I_NO_CODE;
}

/** Whether a number may begin with this byte. */
static inline bool starts_number(char c) {
    return hcbr_i_is_digit(c) || c == '-' || c == '+' || c == '.';
}

/** Add a short plain field as a separate number, if it is one and there is room; returns whether it
 *  was added. */
static inline bool take_item(hcbr_i_parser *p, const hcbr_i_column *column, size_t number,
                             const char *at, size_t length, size_t before, bool *failed) {
    hcbr_i_item item = {.key = (uint32_t)number, .before = hcbr_i_item_before(before)};
    if (column->role != HCBR_I_ROLE_FEATURE || hcbr_i_parser_is_na(p, at, length) ||
        !hcbr_i_decimal_read(&item.value, &item.spelling, at, length))
        return false;
    if (HCBR_I_LIKELY(item.spelling < HCBR_I_SPELLED_OTHER))
        p->block->items[p->block->item_count++] = item;
    else
        *failed = !hcbr_i_block_add_item(p->block, &item, at, length);
    return true;
}

/** As take_fields(), for a coded block. `apart`: p->parts_numbers; padded: csv->padded. */
static inline __attribute__((always_inline)) hcbr_status
take_coded_as(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit, const char **newline,
              const bool apart, const bool padded, hcbr_error *err) {
    const char delimiter = csv->delimiter, *at = p->record, *from = at, *stop;
    const size_t count = csv->column_count;
    const hcbr_i_value_table *values = p->values->columns;
    hcbr_i_block *block = p->block;
    uint64_t marks = hcbr_i_stops(from, delimiter);
    const size_t first = block->name_count;
    size_t number = 0;
    if (!hcbr_i_grow(&block->numbers, &block->number_capacity, block->name_count + count,
                     sizeof *block->numbers) ||
        (apart && !hcbr_i_grow(&block->items, &block->item_capacity, block->item_count + count,
                               sizeof *block->items)))
        return hcbr_i_no_memory(err);
    uint32_t *out = block->numbers + block->name_count;
    for (;; at = stop + 1) {
        if (padded)
            at = after_padding(csv, at);
        bool failed = false;
        uint32_t code = HCBR_I_NO_CODE;
        while (marks == 0) // the '\n' at limit ends it
            marks = hcbr_i_stops(from += HCBR_I_STOPS, delimiter);
        stop = from + __builtin_ctzll(marks);
        marks &= marks - 1;
        char c = *stop;
        if (HCBR_I_LIKELY(stop - at <= HCBR_I_VALUE &&
                          (c == delimiter || hcbr_i_csv_line_ends(stop))))
            code = apart && starts_number(*at) &&
                           take_item(p, &csv->columns[number], number, at, (size_t)(stop - at),
                                     (size_t)(out - block->numbers) - first, &failed)
                       ? HCBR_I_MISSING // among the names
                       : find_code(&values[number], at, (size_t)(stop - at));
        if (apart && HCBR_I_UNLIKELY(failed))
            return hcbr_i_no_memory(err);
        if (HCBR_I_LIKELY(code != HCBR_I_NO_CODE)) {
            *out = code;
            out += code != HCBR_I_MISSING;
        } else {
            const char *end = stop;
            uint32_t *next = out; // addresses of its own: the loop holds the others in registers
            const size_t items = block->item_count;
            hcbr_status st = take_new(p, csv, number, at, limit, &end, &next, err);
            if (st != HCBR_OK)
                return st;
            if (apart && block->item_count > items)
                block->items[items].before =
                    hcbr_i_item_before((size_t)(out - block->numbers) - first);
            stop = end;
            out = next;
            c = *stop;
            if (stop < from + HCBR_I_STOPS - 1)
                marks &= UINT64_MAX << 1 << (stop - from);
            else
                marks = hcbr_i_stops(from = stop + 1, delimiter);
        }
        number++;
        if (HCBR_I_UNLIKELY(c != delimiter))
            break;
        if (HCBR_I_UNLIKELY(number == count))
            return end_long(p, csv, stop, (size_t)(out - block->numbers), newline, err);
    }
    if (number != count) {
        hcbr_status st = hcbr_i_csv_wrong_count(p, csv, stop, number, err);
        if (st != HCBR_OK)
            return st;
    }
    block->name_count = (size_t)(out - block->numbers);
    *newline = *stop == '\n' ? stop : stop + 1;
    return HCBR_OK;
}

static hcbr_status take_coded(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit,
                              const char **newline, hcbr_error *err) {
    return csv->padded ? take_coded_as(p, csv, limit, newline, false, true, err)
                       : take_coded_as(p, csv, limit, newline, false, false, err);
}

/** The same for a block with separate numbers. */
static __attribute__((noinline)) hcbr_status take_apart(hcbr_i_parser *p, const hcbr_i_csv *csv,
                                                        const char *limit, const char **newline,
                                                        hcbr_error *err) {
    p->block->keys = csv->keys;
    p->block->key_serial = p->serial;
    return csv->padded ? take_coded_as(p, csv, limit, newline, true, true, err)
                       : take_coded_as(p, csv, limit, newline, true, false, err);
}

/** Whether the names of a block may be codes. Other code that adds names needs the names. */
static bool is_codable(const hcbr_i_parser *p) {
    return p->coded && p->special_count == 0 && p->joins == NULL && !p->is_joined;
}

/** A block that begins is coded where it may be. */
static hcbr_status begin_block(hcbr_i_parser *p, const hcbr_i_csv *csv, hcbr_error *err) {
    if (p->block->coded || p->block->case_count > 0 || !is_codable(p))
        return HCBR_OK;
    return hcbr_i_values_begin(p, csv->column_count, err);
}

/** The fields of the record: see take_fields(). On failure the block has no more names. */
static hcbr_status take_record(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit,
                               const char **newline, hcbr_error *err) {
    hcbr_i_block *block = p->block;
    size_t others = block->other_count;
    hcbr_status st = begin_block(p, csv, err);
    if (!block->coded)
        return st == HCBR_OK ? take_fields(p, csv, limit, newline, err) : st;
    if (st == HCBR_OK)
        st = p->parts_numbers ? take_apart(p, csv, limit, newline, err)
                              : take_coded(p, csv, limit, newline, err);
    if (st != HCBR_OK || *newline == limit) // the row is dropped or read again
        block->other_count = others;
    return st;
}

/** The row, which ends at `end`, has hardly a feature: fail if it is a remark. */
static __attribute__((noinline)) hcbr_status judge_empty(hcbr_i_parser *p, hcbr_i_csv *csv,
                                                         const char *end) {
    if (p->fault != HCBR_I_FAULT_NONE || !p->takes_short || csv->column_count < 3 ||
        !hcbr_i_csv_is_remark(p, csv, end)) {
        if (!p->is_short)
            csv->gap = hcbr_i_csv_is_blank(csv, p->record, end) ? HCBR_I_GAP_YES : HCBR_I_GAP_NO;
        return HCBR_OK;
    }
    p->fault = HCBR_I_FAULT_REMARK;
    return HCBR_EDATA;
}

/** Called for a row that is not short and has values: find whether it is the first below an empty
 *  line. */
static __attribute__((noinline)) void judge_below(hcbr_i_parser *p, hcbr_i_csv *csv,
                                                  const char *end) {
    if (csv->numbers != 0 && p->fault == HCBR_I_FAULT_NONE &&
        hcbr_i_csv_has_names(csv, p->record, end)) {
        p->fault = HCBR_I_FAULT_OTHER;
        if (csv->gap == HCBR_I_GAP_UNKNOWN)
            return; // the lane of the reader knows
    }
    csv->gap = HCBR_I_GAP_NO;
}

/** An empty record is not a row. */
static bool is_empty(const hcbr_i_parser *p, const char *limit, const char **end) {
    const char *newline = p->record;
    newline += *newline == DOS_END && p->takes_short;
    newline += *newline == '\r';

    if (newline >= limit || *newline != '\n')
        return false;
    *end = newline + 1;
    return true;
}

/** The end of a header that has several lines because a quote is missing. */
static hcbr_status find_header_end(hcbr_i_parser *p, hcbr_i_csv *csv, const char **end,
                                   hcbr_error *err) {
    hcbr_i_csv_reading mend;
    hcbr_status st = hcbr_i_csv_find_names(p, csv, *end, &mend, err);
    if (st == HCBR_OK && mend.cells != NULL) {
        p->open_quote = p->open_quote && mend.end == *end;
        *end = mend.end;
    }
    return st;
}

hcbr_status hcbr_i_csv_record(hcbr_i_parser *p, hcbr_i_csv *csv, const char *limit, bool last,
                              const char **end, hcbr_error *err) {
    const char *newline = NULL, *next = NULL;
    const size_t before = p->block->name_count + p->block->item_count;
    hcbr_status st;
    *end = NULL;
    if (is_empty(p, limit, end)) {
        csv->scan = (hcbr_i_csv_scan){0};
        csv->gap = HCBR_I_GAP_YES;
        p->no_row = true;
        return HCBR_OK;
    }
    if (!csv->ready || csv->odd || csv->scan.offset > 0) {
        next = hcbr_i_csv_scan_record(csv, p->record, limit);
        if (next == NULL && !last)
            return HCBR_OK;
        p->open_quote = next == NULL;
        if (next == NULL)
            next = limit;
        csv->scan = (hcbr_i_csv_scan){0};
    }
    if (!csv->ready) {
        if (!csv->named && (st = find_header_end(p, csv, &next, err)) != HCBR_OK)
            return st;
        *end = next;
        if ((st = hcbr_i_csv_header(p, csv, next, err)) != HCBR_OK)
            return st;
        if (csv->ready && !hcbr_i_csv_set_keys(csv))
            return hcbr_i_no_memory(err);
        csv->gap = HCBR_I_GAP_NO;
        if (!csv->no_header) {
            p->no_row = true;
            return HCBR_OK;
        }
        p->lines = 1;
    }
    if (p->takes_short && hcbr_i_csv_is_aside(p, csv, limit)) {
        if (next == NULL && (next = hcbr_i_csv_scan_record(csv, p->record, limit)) == NULL && !last)
            return HCBR_OK;
        csv->scan = (hcbr_i_csv_scan){0};
        *end = next == NULL ? limit : next;
        return hcbr_i_parser_fail(p, p->record, err, "found a line that is no row, expected one");
    }
    hcbr_i_grams_begin(p);
    if (csv->odd) {
        const uint8_t gap = csv->gap;
        *end = next;
        st = begin_block(p, csv, err);
        if (st == HCBR_OK)
            st = hcbr_i_csv_take_odd(p, csv, next, err);
        if (st == HCBR_OK)
            st = judge_empty(p, csv, next);
        if (st == HCBR_OK && gap != HCBR_I_GAP_NO && csv->gap == HCBR_I_GAP_NO && !p->is_short) {
            csv->gap = gap;
            judge_below(p, csv, next);
        }
        return st == HCBR_OK ? hcbr_i_grams_end(p, err) : st;
    }
    st = take_record(p, csv, limit, &newline, err);
    if (st == HCBR_OK && newline < limit) {
        *end = newline + 1;
        // In a wide table another field may hold a blank.
        if (HCBR_I_UNLIKELY(p->block->name_count + p->block->item_count <
                            before + 2 + (csv->column_count > WIDE))) {
            if ((st = judge_empty(p, csv, *end)) != HCBR_OK)
                return st;
        } else if (HCBR_I_UNLIKELY(csv->gap != HCBR_I_GAP_NO) && !p->is_short) {
            judge_below(p, csv, *end);
        }
        return hcbr_i_grams_end(p, err);
    }
    if (st != HCBR_OK && st != HCBR_EDATA)
        return st;
    // Not complete, or of no use: only a scan of the whole can say which.
    if (next == NULL)
        next = hcbr_i_csv_scan_record(csv, p->record, limit);
    if (next == NULL && !last) {
        p->bad_quote = p->bad_count = false; // it will be met again
        return HCBR_OK;
    }
    p->open_quote = p->open_quote || next == NULL;
    csv->scan = (hcbr_i_csv_scan){0};
    *end = next == NULL ? limit : next;
    return st;
}
