/*
 * Values of columns in memory: checks, and access.
 *
 * Invariant: after hcbr_i_vector_check() of a range, hcbr_i_vector_get() of a value in it reads
 * nothing outside of the described memory. Every load goes through memcpy(): nothing is aligned.
 */
#include "read/vector.h"

#include <assert.h>

#define EXACT ((int64_t)1 << 53) /* integers up to it are doubles */

size_t hcbr_i_vector_width(int type) {
    switch (type) {
    case HCBR_MEMORY_I8:
    case HCBR_MEMORY_U8:
    case HCBR_MEMORY_BOOL:
        return 1;
    case HCBR_MEMORY_F16:
    case HCBR_MEMORY_I16:
    case HCBR_MEMORY_U16:
        return 2;
    case HCBR_MEMORY_F32:
    case HCBR_MEMORY_I32:
    case HCBR_MEMORY_U32:
    case HCBR_I_VECTOR_DECIMAL32:
    case HCBR_I_VECTOR_DAYS:
    case HCBR_I_VECTOR_TIME32:
        return 4;
    case HCBR_MEMORY_F64:
    case HCBR_MEMORY_I64:
    case HCBR_MEMORY_U64:
    case HCBR_I_VECTOR_DECIMAL64:
    case HCBR_I_VECTOR_DAYS_MS:
    case HCBR_I_VECTOR_TIMESTAMP:
    case HCBR_I_VECTOR_TIME64:
        return 8;
    case HCBR_I_VECTOR_DECIMAL128:
    case HCBR_MEMORY_UTF8_VIEW:
        return 16;
    default:
        return 0;
    }
}

/* ---- loading --------------------------------------------------------------------------------- */

static inline const unsigned char *place(const hcbr_i_vector *v, uint64_t i) {
    return v->values + (int64_t)i * v->stride;
}

#define LOADER(name, type)                                                                         \
    static inline type name(const void *at) {                                                      \
        type value;                                                                                \
        memcpy(&value, at, sizeof value);                                                          \
        return value;                                                                              \
    }
LOADER(load_f64, double)
LOADER(load_f32, float)
LOADER(load_i16, int16_t)
LOADER(load_i32, int32_t)
LOADER(load_i64, int64_t)
LOADER(load_u8, uint8_t)
LOADER(load_u16, uint16_t)
LOADER(load_u32, uint32_t)
LOADER(load_u64, uint64_t)
LOADER(load_i128, hcbr_i_u128)

/** A byte with a sign. */
static inline int load_i8(const unsigned char *at) {
    return *at < 128 ? *at : *at - 256;
}

/** An integer that is not negative and below 2^63; else INT64_MIN. */
static int64_t load_index(const hcbr_i_vector *v, uint64_t i) {
    const unsigned char *at = place(v, i);
    int64_t index;
    switch (v->type) {
    case HCBR_MEMORY_I8:
        index = load_i8(at);
        break;
    case HCBR_MEMORY_I16:
        index = load_i16(at);
        break;
    case HCBR_MEMORY_I32:
        index = load_i32(at);
        break;
    case HCBR_MEMORY_U8:
        index = load_u8(at);
        break;
    case HCBR_MEMORY_U16:
        index = load_u16(at);
        break;
    case HCBR_MEMORY_U32:
        index = load_u32(at);
        break;
    default: // beyond 2^63 it is negative
        index = load_i64(at);
    }
    return index < 0 ? INT64_MIN : index;
}

int64_t hcbr_i_vector_index(const hcbr_i_vector *v, uint64_t i) {
    return load_index(v, i);
}

/** Offset i of texts or lists; it may be negative. */
static inline int64_t load_offset(const hcbr_i_vector *v, uint64_t i) {
    bool large = v->type == HCBR_MEMORY_LARGE_UTF8 || v->type == HCBR_MEMORY_LARGE_LIST;
    return large ? load_i64(v->values + i * 8) : load_i32(v->values + i * 4);
}

void hcbr_i_vector_items(const hcbr_i_vector *v, uint64_t i, uint64_t *begin, uint64_t *end) {
    if (v->type == HCBR_I_VECTOR_FIXED_LIST) {
        *begin = i * v->each;
        *end = *begin + v->each;
        return;
    }
    *begin = (uint64_t)load_offset(v, i);
    *end = (uint64_t)load_offset(v, i + 1);
}

/* ---- checks ---------------------------------------------------------------------------------- */

static hcbr_status fail_value(const char *name, uint64_t i, hcbr_error *err, const char *what,
                              int64_t found, uint64_t limit) {
    char quoted[200];
    return hcbr_i_fail(err, HCBR_EDATA,
                       "column %s, value %llu: found %s %lld, expected one from 0 to %llu that is "
                       "not below the one before it",
                       hcbr_i_quote(quoted, name, strlen(name)), (unsigned long long)i + 1, what,
                       (long long)found, (unsigned long long)limit);
}

/** Check offsets of texts and lists, including those of missing ones. */
static hcbr_status check_offsets(const hcbr_i_vector *v, uint64_t begin, uint64_t end,
                                 uint64_t limit, const char *name, hcbr_error *err) {
    int64_t before = 0;
    for (uint64_t i = begin; i <= end; i++) {
        int64_t offset = load_offset(v, i);
        if (HCBR_I_UNLIKELY(offset < before || (uint64_t)offset > limit))
            return fail_value(name, i, err, "the offset", offset, limit);
        before = offset;
    }
    return HCBR_OK;
}

/** The first index of 32 bits that may be outside of the dictionary; none is missing. */
static uint64_t skip_good(const hcbr_i_vector *v, uint64_t begin, uint64_t end) {
    const uint32_t limit = (uint32_t)v->dictionary->length;
    const unsigned char *at = place(v, begin);
    while (begin < end && load_u32(at) < limit) {
        at += v->stride;
        begin++;
    }
    return begin;
}

static hcbr_status check_indices(const hcbr_i_vector *v, uint64_t begin, uint64_t end,
                                 const char *name, hcbr_error *err) {
    char quoted[200];
    if (v->type == HCBR_MEMORY_I32 && v->valid == NULL && v->dictionary->length <= INT32_MAX)
        begin = skip_good(v, begin, end);
    for (uint64_t i = begin; i < end; i++) {
        int64_t index;
        if (!hcbr_i_vector_is_valid(v, i))
            continue; // missing values may be anything
        index = load_index(v, i);
        if (HCBR_I_UNLIKELY(index < 0 || (uint64_t)index >= v->dictionary->length))
            return hcbr_i_fail(err, HCBR_EDATA,
                               "column %s, value %llu: found an index outside of its dictionary, "
                               "expected one from 0 to below %llu",
                               hcbr_i_quote(quoted, name, strlen(name)), (unsigned long long)i + 1,
                               (unsigned long long)v->dictionary->length);
    }
    return hcbr_i_vector_check(v->dictionary, 0, v->dictionary->length, name, err);
}

/** Bytes 0 to 3 of a view are its length; at most 12 bytes are in it, more in a buffer. */
#define INSIDE 12

static hcbr_status check_views(const hcbr_i_vector *v, uint64_t begin, uint64_t end,
                               const char *name, hcbr_error *err) {
    char quoted[200];
    for (uint64_t i = begin; i < end; i++) {
        const unsigned char *view = place(v, i);
        int32_t length, buffer, offset;
        if (!hcbr_i_vector_is_valid(v, i))
            continue;
        length = load_i32(view);
        if (length >= 0 && length <= INSIDE)
            continue;
        buffer = load_i32(view + 8);
        offset = load_i32(view + 12);
        if (length < 0 || buffer < 0 || (uint64_t)buffer >= v->buffer_count || offset < 0 ||
            v->buffers[buffer] == NULL || (int64_t)offset + length > v->buffer_sizes[buffer])
            return hcbr_i_fail(err, HCBR_EDATA,
                               "column %s, value %llu: found a view of %ld bytes at %ld of buffer "
                               "%ld, expected one within %llu buffers",
                               hcbr_i_quote(quoted, name, strlen(name)), (unsigned long long)i + 1,
                               (long)length, (long)offset, (long)buffer,
                               (unsigned long long)v->buffer_count);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_vector_check(const hcbr_i_vector *v, uint64_t begin, uint64_t end,
                                const char *name, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    uint64_t first, last, unused;
    assert(begin <= end && end <= v->length);
    if (begin == end)
        return HCBR_OK;
    if (v->dictionary != NULL)
        return check_indices(v, begin, end, name, err);
    if (v->type == HCBR_MEMORY_UTF8_VIEW)
        return check_views(v, begin, end, name, err);
    if (v->type == HCBR_MEMORY_UTF8 || v->type == HCBR_MEMORY_LARGE_UTF8)
        return check_offsets(v, begin, end, v->text_size, name, err);
    if (!hcbr_i_vector_is_list(v))
        return HCBR_OK;
    if (v->type != HCBR_I_VECTOR_FIXED_LIST)
        st = check_offsets(v, begin, end, v->items->length, name, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_vector_items(v, begin, &first, &unused);
    hcbr_i_vector_items(v, end - 1, &unused, &last);
    return hcbr_i_vector_check(v->items, first, last, name, err);
}

/* ---- values ---------------------------------------------------------------------------------- */

static inline void set_word(hcbr_i_cell *cell, const char *text, size_t length) {
    cell->kind = HCBR_I_CELL_WORD;
    cell->text = (hcbr_i_text){text, length};
}

static inline void set_double(hcbr_i_cell *cell, double value) {
    if (HCBR_I_LIKELY(value - value == 0)) {
        cell->kind = HCBR_I_CELL_NUMBER;
        cell->number = value + 0.0; // minus zero is zero
    } else if (value != value) {
        cell->kind = HCBR_I_CELL_MISSING;
    } else {
        set_word(cell, value < 0 ? "-inf" : "inf", value < 0 ? 4 : 3);
    }
}

/** An integer, given by its sign and size. */
static inline void set_integer(hcbr_i_cell *cell, bool negative, uint64_t size, char *room) {
    if (HCBR_I_LIKELY(size <= (uint64_t)EXACT)) {
        cell->kind = HCBR_I_CELL_NUMBER;
        cell->number = (double)(negative ? -(int64_t)size : (int64_t)size);
        return;
    }
    set_word(cell, room, hcbr_i_decimal_text(room, negative, size, 0));
}

static inline void set_signed(hcbr_i_cell *cell, int64_t value, char *room) {
    set_integer(cell, value < 0, value < 0 ? 0 - (uint64_t)value : (uint64_t)value, room);
}

static void set_decimal(hcbr_i_cell *cell, const hcbr_i_vector *v, const unsigned char *at,
                        char *room) {
    hcbr_i_u128 size;
    if (v->type == HCBR_I_VECTOR_DECIMAL32)
        size = (hcbr_i_u128)load_i32(at);
    else if (v->type == HCBR_I_VECTOR_DECIMAL64)
        size = (hcbr_i_u128)load_i64(at);
    else
        size = load_i128(at);
    bool negative = size >> 127 != 0;
    set_word(cell, room, hcbr_i_decimal_text(room, negative, negative ? 0 - size : size, v->scale));
}

static void set_text(hcbr_i_cell *cell, const hcbr_i_vector *v, uint64_t i) {
    cell->kind = HCBR_I_CELL_TEXT;
    if (v->type != HCBR_MEMORY_UTF8_VIEW) {
        int64_t begin = load_offset(v, i), end = load_offset(v, i + 1);
        cell->text = (hcbr_i_text){v->text != NULL ? v->text + begin : "", (size_t)(end - begin)};
        return;
    }
    const unsigned char *view = place(v, i);
    int32_t length = load_i32(view);
    if (length <= INSIDE) {
        cell->text = (hcbr_i_text){(const char *)view + 4, (size_t)length};
        return;
    }
    cell->text.at = (const char *)v->buffers[load_i32(view + 8)] + load_i32(view + 12);
    cell->text.length = (size_t)length;
}

/** Invalid times of day are shown as integers. */
static void set_time(hcbr_i_cell *cell, const hcbr_i_vector *v, int64_t time, char *room) {
    int64_t day = 86400;
    for (int i = 0; i < v->scale; i++)
        day *= 10;
    if (time < 0 || time >= day)
        set_signed(cell, time, room);
    else
        set_word(cell, room, hcbr_i_time_text(room, (uint64_t)time, v->scale));
}

void hcbr_i_vector_get(const hcbr_i_vector *v, uint64_t i, char room[HCBR_I_CELL_ROOM],
                       hcbr_i_cell *cell) {
    cell->kind = HCBR_I_CELL_MISSING;
    if (!hcbr_i_vector_is_valid(v, i))
        return;
    if (v->dictionary != NULL) {
        i = (uint64_t)load_index(v, i);
        v = v->dictionary;
        if (!hcbr_i_vector_is_valid(v, i))
            return;
    }
    const unsigned char *at = hcbr_i_vector_width(v->type) > 0 ? place(v, i) : v->values;
    switch (v->type) {
    case HCBR_MEMORY_F64:
        set_double(cell, load_f64(at));
        return;
    case HCBR_MEMORY_F32:
        set_double(cell, hcbr_i_number_of_f32(load_f32(at)));
        return;
    case HCBR_MEMORY_F16:
        set_double(cell, hcbr_i_number_of_f16(load_u16(at)));
        return;
    case HCBR_MEMORY_I8:
        set_signed(cell, load_i8(at), room);
        return;
    case HCBR_MEMORY_I16:
        set_signed(cell, load_i16(at), room);
        return;
    case HCBR_MEMORY_I32:
        set_signed(cell, load_i32(at), room);
        return;
    case HCBR_MEMORY_I64:
        set_signed(cell, load_i64(at), room);
        return;
    case HCBR_MEMORY_U8:
        set_signed(cell, load_u8(at), room);
        return;
    case HCBR_MEMORY_U16:
        set_signed(cell, load_u16(at), room);
        return;
    case HCBR_MEMORY_U32:
        set_signed(cell, load_u32(at), room);
        return;
    case HCBR_MEMORY_U64:
        set_integer(cell, false, load_u64(at), room);
        return;
    case HCBR_MEMORY_BOOL:
    case HCBR_MEMORY_BITS: {
        uint64_t bit = v->bit_first + i;
        bool set = v->type == HCBR_MEMORY_BOOL ? *at != 0 : (at[bit / 8] >> bit % 8 & 1) != 0;
        set_word(cell, set ? "true" : "false", set ? 4 : 5);
        return;
    }
    case HCBR_MEMORY_UTF8:
    case HCBR_MEMORY_LARGE_UTF8:
    case HCBR_MEMORY_UTF8_VIEW:
        set_text(cell, v, i);
        return;
    case HCBR_I_VECTOR_DECIMAL32:
    case HCBR_I_VECTOR_DECIMAL64:
    case HCBR_I_VECTOR_DECIMAL128:
        set_decimal(cell, v, at, room);
        return;
    case HCBR_I_VECTOR_DAYS:
        set_word(cell, room, hcbr_i_date_text(room, load_i32(at)));
        return;
    case HCBR_I_VECTOR_DAYS_MS: {
        int64_t ms = load_i64(at), days = ms / 86400000;
        set_word(cell, room, hcbr_i_date_text(room, days - (ms < days * 86400000)));
        return;
    }
    case HCBR_I_VECTOR_TIMESTAMP:
        set_word(cell, room, hcbr_i_timestamp_text(room, load_i64(at), v->scale, v->zoned));
        return;
    case HCBR_I_VECTOR_TIME32:
        set_time(cell, v, load_i32(at), room);
        return;
    case HCBR_I_VECTOR_TIME64:
        set_time(cell, v, load_i64(at), room);
        return;
    default:
        return;
    }
}
