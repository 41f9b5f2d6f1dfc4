/*
 * Descriptions of columns (hcbr_memory_column) and of sparse matrices (hcbr_sparse) as tables.
 *
 * Invariant: a table has pointers wherever its lengths are not 0, and vectors of at most two
 * levels: a list, or indices, and their targets.
 */
#include "read/frame.h"

static hcbr_status refuse(const char *name, hcbr_error *err, const char *what) {
    char quoted[200];

    return hcbr_i_fail(err, HCBR_EUSAGE, "column %s: %s", hcbr_i_quote(quoted, name, strlen(name)),
                       what);
}

static bool is_integer(int type) {
    return type >= HCBR_MEMORY_I8 && type <= HCBR_MEMORY_U64;
}

/** Set the address of the first value. false: out of range. */
static bool set_values(hcbr_i_vector *v, const hcbr_memory_column *c) {
    int64_t width = (int64_t)hcbr_i_vector_width(v->type), first;

    v->stride = c->stride != 0 && v->type != HCBR_MEMORY_UTF8_VIEW ? c->stride : width;
    if (v->type == HCBR_MEMORY_BITS) {
        v->values = c->values;
        v->bit_first = c->offset;
        return true;
    }
    if (width == 0) // offsets, or nothing
        v->stride = v->type == HCBR_MEMORY_LARGE_UTF8 || v->type == HCBR_MEMORY_LARGE_LIST ? 8 : 4;
    if (c->offset > INT64_MAX || __builtin_mul_overflow((int64_t)c->offset, v->stride, &first))
        return false;
    v->values = c->values;
    if (v->values != NULL)
        v->values += first;
    return true;
}

/** The vector of a column, without its inner one. */
static hcbr_status describe(hcbr_i_vector *v, const hcbr_memory_column *c, const char *name,
                            hcbr_error *err) {
    if (HCBR_I_UNSIZED_NAMED(err, "column", c))
        return HCBR_EUSAGE;
    if ((unsigned)c->type > HCBR_MEMORY_LARGE_LIST)
        return refuse(name, err, "found no type, expected one of hcbr_memory_type");
    if (c->length > INT64_MAX || c->offset > INT64_MAX - c->length)
        return refuse(name, err, "found a length that no memory has");
    if (c->length > 0 && c->values == NULL && c->type != HCBR_MEMORY_NULL)
        return refuse(name, err, "found no values, expected as many as its length says");
    if (c->text_size > 0 && c->text == NULL)
        return refuse(name, err, "found no text, expected as much as text_size says");
    if (c->buffer_count > 0 && (c->buffers == NULL || c->buffer_sizes == NULL))
        return refuse(name, err, "found no buffers, expected as many as buffer_count says");
    *v = (hcbr_i_vector){.type = (int)c->type,
                         .length = c->length,
                         .valid = c->validity,
                         .valid_first = c->offset,
                         .text = c->text,
                         .text_size = c->text_size,
                         .buffers = c->buffers,
                         .buffer_sizes = c->buffer_sizes,
                         .buffer_count = c->buffer_count};
    return set_values(v, c) ? HCBR_OK : refuse(name, err, "found an offset that no memory has");
}

/** The inner vector of a list or of indices. */
static hcbr_status describe_inner(hcbr_i_table *t, hcbr_i_vector **out, const hcbr_memory_column *c,
                                  const char *name, hcbr_error *err) {
    hcbr_i_vector *v = hcbr_i_table_vector(t);
    hcbr_status st;

    if (v == NULL)
        return hcbr_i_no_memory(err);
    if ((st = describe(v, c, name, err)) != HCBR_OK)
        return st;
    if (hcbr_i_vector_is_list(v))
        return refuse(name, err, "found lists inside, expected values");
    *out = v;
    return HCBR_OK;
}

static hcbr_status describe_dictionary(hcbr_i_table *t, hcbr_i_vector *v,
                                       const hcbr_memory_column *values, const char *name,
                                       hcbr_error *err) {
    if (!is_integer(v->type))
        return refuse(name, err, "found a dictionary for values that are no integers");
    if (values->size == sizeof *values && values->dictionary != NULL)
        return refuse(name, err, "found a dictionary of a dictionary, expected values");
    return describe_inner(t, &v->dictionary, values, name, err);
}

static hcbr_status describe_all(hcbr_i_table *t, hcbr_i_vector *v, const hcbr_memory_column *c,
                                const char *name, hcbr_error *err) {
    hcbr_status st = describe(v, c, name, err);

    if (st != HCBR_OK)
        return st;
    if (c->dictionary != NULL)
        return describe_dictionary(t, v, c->dictionary, name, err);
    if (!hcbr_i_vector_is_list(v))
        return HCBR_OK;
    if (c->items == NULL)
        return refuse(name, err, "found no items, expected those of its lists");
    if ((st = describe_inner(t, &v->items, c->items, name, err)) != HCBR_OK ||
        c->items->dictionary == NULL)
        return st;
    return describe_dictionary(t, v->items, c->items->dictionary, name, err);
}

static hcbr_status add_columns(hcbr_i_table *t, const hcbr_memory_column *columns, size_t count,
                               uint64_t rows, hcbr_error *err) {
    char quoted[200];

    for (size_t i = 0; i < count; i++) {
        const hcbr_memory_column *c = &columns[i];
        if (HCBR_I_UNSIZED_NAMED(err, "columns", c))
            return HCBR_EUSAGE;
        hcbr_i_table_column *to = hcbr_i_table_column_add(t);
        const char *name = c->name != NULL ? c->name : "";
        hcbr_status st;

        if (to == NULL)
            return hcbr_i_no_memory(err);
        to->name = (hcbr_i_text){name, strlen(name)};
        if ((st = describe_all(t, &to->vector, c, name, err)) != HCBR_OK)
            return st;
        if (c->length != rows)
            return hcbr_i_fail(err, HCBR_EUSAGE, "column %s: found %llu values, expected %llu",
                               hcbr_i_quote(quoted, name, to->name.length),
                               (unsigned long long)c->length, (unsigned long long)rows);
    }
    return HCBR_OK;
}

static hcbr_status begin(hcbr_i_table **out, const hcbr_memory_column *columns, size_t count,
                         uint64_t rows, hcbr_error *err) {
    hcbr_i_table *t = hcbr_i_alloc_zero(1, sizeof *t);
    hcbr_status st;

    *out = NULL;
    if (t == NULL)
        return hcbr_i_no_memory(err);
    t->end = t->total = rows;
    st = hcbr_i_no_list(columns, count, "columns", err) ? HCBR_EUSAGE
                                                        : add_columns(t, columns, count, rows, err);
    if (st != HCBR_OK) {
        hcbr_i_table_free(t);
        return st;
    }
    *out = t;
    return HCBR_OK;
}

hcbr_status hcbr_i_table_create(hcbr_i_table **out, const hcbr_memory_column *columns, size_t count,
                                hcbr_error *err) {
    *out = NULL;
    if (columns == NULL || count == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found no column, expected at least one");
    if (HCBR_I_UNSIZED(err, columns))
        return HCBR_EUSAGE;
    return begin(out, columns, count, columns->length, err);
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

static bool is_index(hcbr_memory_type type) {
    return type == HCBR_MEMORY_I32 || type == HCBR_MEMORY_I64;
}

static hcbr_status check_sparse(const hcbr_sparse *m, hcbr_error *err) {
    if (HCBR_I_UNSIZED_NAMED(err, "matrix", m))
        return HCBR_EUSAGE;
    if (!is_index(m->start_type) || !is_index(m->index_type) ||
        (m->values != NULL && m->value_type != HCBR_MEMORY_F64 && m->value_type != HCBR_MEMORY_F32))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a matrix of other types, expected integers of 32 or 64 bits for "
                           "starts and indices and f64 or f32 for values");
    if (m->rows >= INT64_MAX || m->count > INT64_MAX || m->columns > INT64_MAX ||
        m->first > INT64_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found a matrix of a size that no memory has");
    if ((m->rows > 0 && m->starts == NULL) || (m->count > 0 && m->indices == NULL))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a matrix without starts or indices, expected both");
    return HCBR_OK;
}

/** An array of a matrix as a vector. */
static hcbr_i_vector vector_of(const void *values, hcbr_memory_type type, uint64_t length) {
    return (hcbr_i_vector){.type = (int)type,
                           .length = length,
                           .values = values,
                           .stride = (int64_t)hcbr_i_vector_width((int)type)};
}

hcbr_status hcbr_i_table_create_sparse(hcbr_i_table **out, const hcbr_sparse *matrix,
                                       const hcbr_memory_column *columns, size_t count,
                                       hcbr_error *err) {
    hcbr_status st = check_sparse(matrix, err);

    *out = NULL;
    if (st != HCBR_OK || (st = begin(out, columns, count, matrix->rows, err)) != HCBR_OK)
        return st;
    (*out)->sparse = *matrix;
    (*out)->items = (hcbr_i_vector){.type = HCBR_MEMORY_NULL, .length = matrix->count};
    (*out)->starts = (hcbr_i_vector){
        .type = matrix->start_type == HCBR_MEMORY_I32 ? HCBR_MEMORY_LIST : HCBR_MEMORY_LARGE_LIST,
        .length = matrix->rows,
        .values = matrix->starts,
        .items = &(*out)->items};
    (*out)->indices = vector_of(matrix->indices, matrix->index_type, matrix->count);
    (*out)->values = vector_of(matrix->values, matrix->value_type, matrix->count);
    return HCBR_OK;
}
