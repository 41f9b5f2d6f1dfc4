/*
 * Codes of the values of a table, column by column: earlier values of a column are found in a loop
 * over one column of known type.
 *
 * Invariant: a code found here is the one that the value would get by itself. Other values are left
 * to frame_rows.c, row by row, so that failures come in the order of rows.
 */
#include "read/frame.h"

#define MOST_INDICES (1u << 16) /* of a dictionary whose codes are remembered */

/** How the codes of a column are found. */
typedef enum way {
    BY_NOTHING, /**< it gives no names: each row must be looked at, or none */
    BY_INDEX,   /**< values are few, and numbered: in a dictionary, bytes, bits */
    BY_F64,
    BY_I32,
    BY_I64,
    BY_CELL /**< any other type */
} way;

typedef struct column {
    way way;
    uint32_t code;      /**< BY_NOTHING: of all rows */
    uint32_t *by_index; /**< BY_INDEX; HCBR_I_NO_CODE: not found yet */
} column;

struct hcbr_i_table_codes {
    size_t count;
    uint32_t *codes; /**< row by row, one for each column */
    size_t capacity;
    column *columns;
};

bool hcbr_i_table_is_codable(const hcbr_i_table *t, const hcbr_i_parser *p) {
    bool lists = false, names = false;
    for (size_t c = 0; c < t->count; c++) {
        lists = lists || hcbr_i_vector_is_list(&t->columns[c].vector);
        names = names || t->columns[c].names;
    }
    return p->coded && p->special_count == 0 && p->joins == NULL && t->sparse.size == 0 && !lists &&
           names;
}

/* ---- life ------------------------------------------------------------------------------------ */

static uint64_t index_count(const hcbr_i_vector *v) {
    if (v->dictionary != NULL)
        return v->dictionary->length;
    return v->type == HCBR_MEMORY_BITS || v->type == HCBR_MEMORY_BOOL ? 2 : 256;
}

static way way_of(const hcbr_i_vector *v) {
    if (v->dictionary != NULL)
        return v->dictionary->length > MOST_INDICES ? BY_CELL : BY_INDEX;
    switch (v->type) {
    case HCBR_MEMORY_BITS:
    case HCBR_MEMORY_BOOL:
    case HCBR_MEMORY_U8:
    case HCBR_MEMORY_I8:
        return BY_INDEX;
    case HCBR_MEMORY_F64:
        return BY_F64;
    case HCBR_MEMORY_I32:
        return BY_I32;
    case HCBR_MEMORY_I64:
        return BY_I64;
    default:
        return BY_CELL;
    }
}

static bool start_column(column *to, const hcbr_i_table_column *from, const hcbr_i_column *as) {
    const hcbr_i_vector *v = &from->vector;
    *to = (column){.way = BY_NOTHING, .code = HCBR_I_NO_CODE};
    if (as->role == HCBR_I_ROLE_IGNORED)
        to->code = HCBR_I_MISSING;
    if (!from->names)
        return true;
    to->way = way_of(v);
    if (to->way != BY_INDEX)
        return true;
    const size_t count = (size_t)index_count(v);
    if ((to->by_index = hcbr_i_alloc(count, sizeof *to->by_index)) == NULL)
        return false;
    for (size_t i = 0; i < count; i++)
        to->by_index[i] = HCBR_I_NO_CODE;
    return true;
}

void hcbr_i_table_codes_free(hcbr_i_table_codes *codes) {
    if (codes == NULL)
        return;
    for (size_t c = 0; codes->columns != NULL && c < codes->count; c++)
        hcbr_i_free(codes->columns[c].by_index);
    hcbr_i_free(codes->columns);
    hcbr_i_free(codes->codes);
    hcbr_i_free(codes);
}

hcbr_i_table_codes *hcbr_i_table_codes_create(const hcbr_i_table *t, const hcbr_i_lane *lane) {
    hcbr_i_table_codes *x = hcbr_i_alloc_zero(1, sizeof *x);
    bool done = x != NULL;
    if (!done)
        return NULL;
    x->count = t->count;
    x->columns = hcbr_i_alloc_zero(t->count, sizeof *x->columns);
    done = x->columns != NULL;
    for (size_t c = 0; done && c < t->count; c++)
        done = start_column(&x->columns[c], &t->columns[c], &lane->csv.columns[c]);
    if (done)
        return x;
    hcbr_i_table_codes_free(x);
    return NULL;
}

/* ---- codes ----------------------------------------------------------------------------------- */

/** A column of the current table, and the destination of its codes: one for each row, `step`
 *  apart. */
typedef struct span {
    const hcbr_i_vector *v;
    const hcbr_i_value_table *held;
    uint64_t first, rows;
    uint32_t *out;
    size_t step;
} span;

/** The code of a value of whatever type. */
static uint32_t find_cell(const span *s, uint64_t i) {
    char room[HCBR_I_CELL_ROOM];
    hcbr_i_value value;
    hcbr_i_cell cell;
    hcbr_i_vector_get(s->v, i, room, &cell);
    if (cell.kind == HCBR_I_CELL_MISSING)
        return HCBR_I_MISSING;
    return hcbr_i_table_key(&value, &cell) ? hcbr_i_table_find(s->held, &value) : HCBR_I_NO_CODE;
}

static inline uint32_t find_number(const span *s, double number) {
    hcbr_i_value value = {.high = HCBR_I_NUMBER_KEY};
    if (HCBR_I_UNLIKELY(!(number - number == 0)))
        return number != number ? HCBR_I_MISSING : HCBR_I_NO_CODE; // inf is a word
    number += 0.0;                                                 // minus zero is zero
    memcpy(&value.low, &number, sizeof value.low);
    return hcbr_i_table_find(s->held, &value);
}

#define NUMBERS(name, type, is_number)                                                             \
    static void name(const span *s) {                                                              \
        const unsigned char *at = s->v->values + (int64_t)s->first * s->v->stride;                 \
        uint32_t *out = s->out;                                                                    \
        for (uint64_t i = 0; i < s->rows; i++, out += s->step) {                                   \
            type value;                                                                            \
            memcpy(&value, at + (int64_t)i * s->v->stride, sizeof value);                          \
            *out = HCBR_I_UNLIKELY(!hcbr_i_vector_is_valid(s->v, s->first + i)) ? HCBR_I_MISSING   \
                   : (is_number) ? find_number(s, (double)value)                                   \
                                 : HCBR_I_NO_CODE;                                                 \
        }                                                                                          \
    }
NUMBERS(find_f64, double, true)
NUMBERS(find_i32, int32_t, true)
NUMBERS(find_i64, int64_t, value >= -((int64_t)1 << 53) && value <= (int64_t)1 << 53)

/** Number of a value in its dictionary or type, which was checked. */
static inline size_t index_of(const hcbr_i_vector *v, uint64_t i) {
    const unsigned char *at = v->values + (int64_t)i * v->stride;
    int32_t index;
    if (v->type == HCBR_MEMORY_BITS)
        return v->values[(v->bit_first + i) / 8] >> (v->bit_first + i) % 8 & 1;
    if (v->type == HCBR_MEMORY_BOOL)
        return *at != 0;
    if (v->type == HCBR_MEMORY_I32) {
        memcpy(&index, at, sizeof index);
        return (size_t)index;
    }
    return v->dictionary != NULL ? (size_t)hcbr_i_vector_index(v, i) : *at;
}

static void find_indexed(const span *s, uint32_t *by_index) {
    uint32_t *out = s->out;
    for (uint64_t i = s->first; i < s->first + s->rows; i++, out += s->step) {
        if (HCBR_I_UNLIKELY(!hcbr_i_vector_is_valid(s->v, i))) {
            *out = HCBR_I_MISSING;
            continue;
        }
        uint32_t *code = &by_index[index_of(s->v, i)];
        if (HCBR_I_UNLIKELY(*code == HCBR_I_NO_CODE))
            *code = find_cell(s, i);
        *out = *code;
    }
}

/** The same for indices of 32 bits, of which none is missing. */
static void find_i32_indexed(const span *s, uint32_t *by_index) {
    const unsigned char *at = s->v->values + (int64_t)s->first * s->v->stride;
    uint32_t *out = s->out;
    for (uint64_t i = 0; i < s->rows; i++, out += s->step, at += s->v->stride) {
        uint32_t index;
        memcpy(&index, at, sizeof index);
        if (HCBR_I_UNLIKELY(by_index[index] == HCBR_I_NO_CODE))
            by_index[index] = find_cell(s, s->first + i);
        *out = by_index[index];
    }
}

static void find_column(const column *c, const span *s) {
    switch (c->way) {
    case BY_INDEX:
        if (s->v->type == HCBR_MEMORY_I32 && s->v->valid == NULL)
            find_i32_indexed(s, c->by_index);
        else
            find_indexed(s, c->by_index);
        return;
    case BY_F64:
        find_f64(s);
        return;
    case BY_I32:
        find_i32(s);
        return;
    case BY_I64:
        find_i64(s);
        return;
    case BY_CELL:
    case BY_NOTHING:
        for (uint64_t i = 0; i < s->rows; i++)
            s->out[i * s->step] = c->way == BY_CELL ? find_cell(s, s->first + i) : c->code;
        return;
    }
}

const uint32_t *hcbr_i_table_codes_get(hcbr_i_table_codes *codes, const hcbr_i_table *t,
                                       const hcbr_i_parser *p, uint64_t rows) {
    if (!hcbr_i_grow(&codes->codes, &codes->capacity, (size_t)rows * codes->count,
                     sizeof *codes->codes))
        return NULL;
    for (size_t c = 0; c < codes->count; c++) {
        const span s = {
            &t->columns[c].vector, &p->values->columns[c], t->next, rows, codes->codes + c,
            codes->count};

        find_column(&codes->columns[c], &s);
    }
    return codes->codes;
}
