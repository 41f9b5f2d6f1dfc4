/*
 * Record batches of the Arrow C data interface as tables.
 *
 * The interface has no lengths of buffers, and a producer may be wrong: counts, lengths and
 * pointers are checked before anything is read, offsets and indices by hcbr_i_vector_check().
 * Invariants: borrowed memory is never released, memory of a stream always is; an unknown format
 * fails only if its column is used.
 */
#include "read/frame.h"

#include <errno.h>

#define MOST_SCALE 255 /* digits of a decimal after or before its point */

/** A column and its array, while it is looked at. */
typedef struct field {
    hcbr_i_table *frame;
    const char *name;
    const struct ArrowSchema *schema;
    const struct ArrowArray *array;
} field;

static hcbr_status refuse(const field *f, hcbr_error *err, const char *what) {
    char quoted[200];
    return hcbr_i_fail(err, HCBR_EDATA, "column %s: %s",
                       hcbr_i_quote(quoted, f->name, strlen(f->name)), what);
}

/* ---- formats --------------------------------------------------------------------------------- */

/** An integer, perhaps with a minus sign; *at moves to after it. false: none. */
static bool take_integer(const char **at, int64_t *out) {
    bool negative = **at == '-';
    const char *digits = *at + negative;
    *out = 0;
    for (*at = digits; **at >= '0' && **at <= '9'; ++*at)
        if (*out < INT64_MAX / 20)
            *out = *out * 10 + (**at - '0');
    *out = negative ? -*out : *out;
    return *at > digits;
}

/** d:precision,scale[,bits] */
static bool set_decimal(hcbr_i_vector *v, const char *format) {
    int64_t precision, scale, bits = 128;
    format += 2;
    if (!take_integer(&format, &precision) || *format++ != ',' || !take_integer(&format, &scale) ||
        (*format == ',' && (format++, !take_integer(&format, &bits))) || *format != '\0' ||
        scale < -MOST_SCALE || scale > MOST_SCALE)
        return false;
    v->scale = (int)scale;
    v->type = bits == 32    ? HCBR_I_VECTOR_DECIMAL32
              : bits == 64  ? HCBR_I_VECTOR_DECIMAL64
              : bits == 128 ? HCBR_I_VECTOR_DECIMAL128
                            : -1;
    return v->type >= 0;
}

/** Dates and times: tdD tdm tts ttm ttu ttn tss:zone tsm: tsu: tsn: tDs tDm tDu tDn */
static bool set_time(hcbr_i_vector *v, const char *format) {
    static const char units[] = "smun";
    const char *unit = format[2] != '\0' ? strchr(units, format[2]) : NULL;
    if (format[1] == 'd') {
        v->type = format[2] == 'D' ? HCBR_I_VECTOR_DAYS : HCBR_I_VECTOR_DAYS_MS;
        return (format[2] == 'D' || format[2] == 'm') && format[3] == '\0';
    }
    if (unit == NULL)
        return false;
    v->scale = 3 * (int)(unit - units);
    if (format[1] == 's') {
        v->type = HCBR_I_VECTOR_TIMESTAMP;
        v->zoned = format[3] == ':' && format[4] != '\0';
        return format[3] == ':';
    }
    v->type = format[1] == 'D' ? HCBR_MEMORY_I64
              : v->scale <= 3  ? HCBR_I_VECTOR_TIME32
                               : HCBR_I_VECTOR_TIME64;
    return (format[1] == 'D' || format[1] == 't') && format[3] == '\0';
}

/** The type of a format. false: unknown. */
static bool set_type(hcbr_i_vector *v, const char *format) {
    static const struct {
        const char *format;
        int type;
    } known[] = {
        {"n", HCBR_MEMORY_NULL},       {"b", HCBR_MEMORY_BITS},  {"c", HCBR_MEMORY_I8},
        {"C", HCBR_MEMORY_U8},         {"s", HCBR_MEMORY_I16},   {"S", HCBR_MEMORY_U16},
        {"i", HCBR_MEMORY_I32},        {"I", HCBR_MEMORY_U32},   {"l", HCBR_MEMORY_I64},
        {"L", HCBR_MEMORY_U64},        {"e", HCBR_MEMORY_F16},   {"f", HCBR_MEMORY_F32},
        {"g", HCBR_MEMORY_F64},        {"u", HCBR_MEMORY_UTF8},  {"U", HCBR_MEMORY_LARGE_UTF8},
        {"vu", HCBR_MEMORY_UTF8_VIEW}, {"+l", HCBR_MEMORY_LIST}, {"+L", HCBR_MEMORY_LARGE_LIST}};
    int64_t each;
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(format, known[i].format) == 0) {
            v->type = known[i].type;
            return true;
        }
    if (strncmp(format, "d:", 2) == 0)
        return set_decimal(v, format);
    if (format[0] == 't' && format[1] != '\0')
        return set_time(v, format);
    if (strncmp(format, "+w:", 3) != 0)
        return false;
    v->type = HCBR_I_VECTOR_FIXED_LIST;
    format += 3;
    if (!take_integer(&format, &each) || *format != '\0' || each < 0)
        return false;
    v->each = (uint64_t)each;
    return true;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/** The least number of buffers of an array of a type. */
static int64_t buffer_count(const hcbr_i_vector *v) {
    switch (v->type) {
    case HCBR_MEMORY_NULL:
        return 0;
    case HCBR_MEMORY_UTF8:
    case HCBR_MEMORY_LARGE_UTF8:
    case HCBR_MEMORY_UTF8_VIEW:
        return 3;
    case HCBR_I_VECTOR_FIXED_LIST:
        return 1;
    default:
        return 2;
    }
}

/** Counts, lengths and pointers of an array, of which [offset, offset + length) is used. */
static hcbr_status check_array(const field *f, const hcbr_i_vector *v, hcbr_error *err) {
    const struct ArrowArray *a = f->array;
    const int64_t least = buffer_count(v);
    if (a->length < 0 || a->offset < 0 || a->length > INT64_MAX - 1 - a->offset)
        return refuse(f, err, "found a length or an offset that cannot be");
    if (a->n_buffers < least ||
        (a->n_buffers > least && v->type != HCBR_MEMORY_UTF8_VIEW && v->type != HCBR_MEMORY_NULL))
        return refuse(f, err, "found another number of buffers than its format has");
    if (least > 0 && a->buffers == NULL)
        return refuse(f, err, "found no buffers, expected those of its format");
    if (least > 0 && a->null_count > 0 && a->buffers[0] == NULL)
        return refuse(f, err, "found missing values but no bitmap that says which");
    if (least > 1 && a->length > 0 && a->buffers[1] == NULL)
        return refuse(f, err, "found no values, expected as many as its length says");
    if (v->type == HCBR_MEMORY_UTF8_VIEW && a->n_buffers > 3 &&
        a->buffers[a->n_buffers - 1] == NULL)
        return refuse(f, err, "found buffers of texts without their sizes");
    return HCBR_OK;
}

/** Where values begin. false: no address says so. */
static bool set_values(hcbr_i_vector *v, const struct ArrowArray *a) {
    int64_t width = (int64_t)hcbr_i_vector_width(v->type), first;
    v->stride = width;
    if (v->type == HCBR_MEMORY_NULL || v->type == HCBR_I_VECTOR_FIXED_LIST)
        return true;
    v->values = a->buffers[1];
    if (v->type == HCBR_MEMORY_BITS) {
        v->bit_first = (uint64_t)a->offset;
        return true;
    }
    if (width == 0)
        width = v->type == HCBR_MEMORY_LARGE_UTF8 || v->type == HCBR_MEMORY_LARGE_LIST ? 8 : 4;
    if (__builtin_mul_overflow(a->offset, width, &first))
        return false;
    if (v->values != NULL)
        v->values += first;
    return true;
}

/** Texts end at the last offset: there is no other length. */
static hcbr_status set_text(const field *f, hcbr_i_vector *v, hcbr_error *err) {
    const struct ArrowArray *a = f->array;
    int64_t last;
    int32_t small;
    if (v->type == HCBR_MEMORY_UTF8_VIEW) {
        v->buffers = (const void *const *)a->buffers + 2;
        v->buffer_count = (uint64_t)a->n_buffers - 3;
        v->buffer_sizes = a->buffers[a->n_buffers - 1];
        return HCBR_OK;
    }
    if (a->length == 0)
        return HCBR_OK;
    if (v->type == HCBR_MEMORY_UTF8) {
        memcpy(&small, v->values + a->length * 4, sizeof small);
        last = small;
    } else {
        memcpy(&last, v->values + a->length * 8, sizeof last);
    }
    if (last < 0)
        return refuse(f, err, "found a negative offset, expected one from 0 on");
    if (last > 0 && a->buffers[2] == NULL)
        return refuse(f, err, "found no text, expected as much as its offsets say");
    v->text = a->buffers[2];
    v->text_size = (uint64_t)last;
    return HCBR_OK;
}

static hcbr_status describe(const field *f, hcbr_i_vector *v, bool inner, const char **unknown,
                            hcbr_error *err);

/** The dictionary or the items of an array. */
static hcbr_status describe_inner(const field *f, const struct ArrowSchema *schema,
                                  const struct ArrowArray *array, hcbr_i_vector **out,
                                  const char **unknown, hcbr_error *err) {
    field inside = {f->frame, f->name, schema, array};
    hcbr_i_vector *v;
    if (schema == NULL || array == NULL)
        return refuse(f, err, "found no array inside, expected that of its format");
    if ((v = hcbr_i_table_vector(f->frame)) == NULL)
        return hcbr_i_no_memory(err);
    *out = v;
    return describe(&inside, v, true, unknown, err);
}

static hcbr_status describe_list(const field *f, hcbr_i_vector *v, const char **unknown,
                                 hcbr_error *err) {
    const struct ArrowSchema *schema = f->schema;
    const struct ArrowArray *array = f->array;
    uint64_t last, skipped;
    if (schema->n_children != 1 || array->n_children != 1 || schema->children == NULL ||
        array->children == NULL)
        return refuse(f, err, "found lists without items, expected one array of them");
    hcbr_status st =
        describe_inner(f, schema->children[0], array->children[0], &v->items, unknown, err);
    if (st != HCBR_OK || *unknown != NULL || v->type != HCBR_I_VECTOR_FIXED_LIST)
        return st;
    if (__builtin_mul_overflow((uint64_t)array->offset, v->each, &skipped) ||
        __builtin_mul_overflow((uint64_t)array->offset + v->length, v->each, &last) ||
        last > v->items->length)
        return refuse(f, err, "found fewer items than its lists have");
    hcbr_i_vector *items = v->items; // the items of the first list come first
    items->valid_first += skipped;
    items->bit_first += skipped;
    items->length -= skipped;
    if (items->values != NULL && items->type != HCBR_MEMORY_BITS) {
        int64_t stride = items->stride != 0                      ? items->stride
                         : items->type == HCBR_MEMORY_LARGE_UTF8 ? 8
                                                                 : 4;
        items->values += (int64_t)skipped * stride;
    }
    return HCBR_OK;
}

/** The vector of an array; *unknown receives a format that is not understood. */
static hcbr_status describe(const field *f, hcbr_i_vector *v, bool inner, const char **unknown,
                            hcbr_error *err) {
    const struct ArrowArray *a = f->array;
    hcbr_status st;
    *v = (hcbr_i_vector){.type = HCBR_MEMORY_NULL};
    if (a->release == NULL || f->schema->format == NULL)
        return refuse(f, err, "found an array that was released, expected one that was not");
    if (!set_type(v, f->schema->format) || (inner && hcbr_i_vector_is_list(v))) {
        *unknown = f->schema->format;
        return HCBR_OK;
    }
    if ((st = check_array(f, v, err)) != HCBR_OK)
        return st;
    v->length = (uint64_t)a->length;
    v->valid_first = (uint64_t)a->offset;
    if (buffer_count(v) > 0 && a->null_count != 0)
        v->valid = a->buffers[0];
    if (!set_values(v, a))
        return refuse(f, err, "found an offset that no memory has");
    if (f->schema->dictionary != NULL) {
        if (v->type < HCBR_MEMORY_I8 || v->type > HCBR_MEMORY_U64 ||
            f->schema->dictionary->dictionary != NULL) {
            *unknown = f->schema->format;
            return HCBR_OK;
        }
        return describe_inner(f, f->schema->dictionary, a->dictionary, &v->dictionary, unknown,
                              err);
    }
    if (hcbr_i_vector_is_list(v))
        return describe_list(f, v, unknown, err);
    if (buffer_count(v) == 3)
        return set_text(f, v, err);
    return HCBR_OK;
}

/* ---- batches --------------------------------------------------------------------------------- */

static hcbr_status check_batch(const struct ArrowSchema *schema, const struct ArrowArray *array,
                               hcbr_error *err) {
    if (schema->format == NULL || strcmp(schema->format, "+s") != 0)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found an array that is no struct, expected a record batch (+s)");
    if (array->n_children != schema->n_children || array->n_children < 0 ||
        (array->n_children > 0 && (array->children == NULL || schema->children == NULL)))
        return hcbr_i_fail(err, HCBR_EDATA,
                           "found a record batch whose columns are not those of its schema");
    if (array->length < 0 || array->offset < 0 || array->length > INT64_MAX - array->offset)
        return hcbr_i_fail(err, HCBR_EDATA,
                           "found a record batch with a length or an offset that cannot be");
    if (array->null_count > 0)
        return hcbr_i_fail(err, HCBR_EDATA, "found missing rows, expected a record batch");
    return HCBR_OK;
}

/** Give the table the columns of a batch. */
static hcbr_status bind(hcbr_i_table *t, const struct ArrowSchema *schema,
                        const struct ArrowArray *array, hcbr_error *err) {
    hcbr_status st = check_batch(schema, array, err);
    hcbr_i_table_reset(t);
    for (int64_t i = 0; st == HCBR_OK && i < array->n_children; i++) {
        hcbr_i_table_column *c = hcbr_i_table_column_add(t);
        field f = {t, "", schema->children[i], array->children[i]};
        if (c == NULL)
            return hcbr_i_no_memory(err);
        if (f.schema == NULL || f.array == NULL)
            return hcbr_i_fail(err, HCBR_EDATA, "found a column without schema or array");
        if (f.schema->name != NULL)
            f.name = f.schema->name;
        c->name = (hcbr_i_text){f.name, strlen(f.name)};
        st = describe(&f, &c->vector, false, &c->unknown, err);
        if (st == HCBR_OK && c->unknown == NULL && f.array->length < array->offset + array->length)
            st = refuse(&f, err, "found fewer values than the record batch has rows");
    }
    if (st != HCBR_OK)
        return st;
    t->next = (uint64_t)array->offset;
    t->end = (uint64_t)(array->offset + array->length);
    return HCBR_OK;
}

hcbr_status hcbr_i_table_create_arrow(hcbr_i_table **out, const struct ArrowSchema *schema,
                                      const struct ArrowArray *array, hcbr_error *err) {
    hcbr_i_table *t = hcbr_i_alloc_zero(1, sizeof *t);
    hcbr_status st;
    *out = NULL;
    if (t == NULL)
        return hcbr_i_no_memory(err);
    if (schema->release == NULL || array->release == NULL)
        st = hcbr_i_fail(err, HCBR_EUSAGE, "found a record batch that was released");
    else
        st = bind(t, schema, array, err);
    if (st != HCBR_OK) {
        hcbr_i_table_free(t);
        return st;
    }
    t->total = t->end - t->next;
    *out = t;
    return HCBR_OK;
}

/* ---- streams --------------------------------------------------------------------------------- */

static void release_batch(hcbr_i_table *t) {
    if (t->batch.release != NULL)
        t->batch.release(&t->batch);
    t->batch.release = NULL;
}

void hcbr_i_arrow_release(hcbr_i_table *frame) {
    release_batch(frame);
    if (frame->schema.release != NULL)
        frame->schema.release(&frame->schema);
    frame->schema.release = NULL;
}

/** Report the failure of a function of the stream. */
static hcbr_status fail_stream(struct ArrowArrayStream *stream, int code, hcbr_error *err) {
    const char *reason = stream->get_last_error != NULL ? stream->get_last_error(stream) : NULL;
    char quoted[200];
    if (code == ENOMEM)
        return hcbr_i_no_memory(err);
    return hcbr_i_fail(err, HCBR_EIO, "the stream of record batches failed with code %d: %s", code,
                       reason != NULL ? hcbr_i_quote(quoted, reason, strlen(reason))
                                      : "no reason was given");
}

hcbr_status hcbr_i_arrow_next(hcbr_i_table *frame, hcbr_error *err) {
    hcbr_i_table *t = frame;
    int code;
    release_batch(t);
    if ((code = t->stream->get_next(t->stream, &t->batch)) != 0) {
        t->batch.release = NULL; // the result of a failed call is invalid
        return fail_stream(t->stream, code, err);
    }
    if (t->batch.release == NULL) {
        t->ended = true;
        return HCBR_OK;
    }
    return bind(t, &t->schema, &t->batch, err);
}

hcbr_status hcbr_i_table_create_stream(hcbr_i_table **out, struct ArrowArrayStream *stream,
                                       hcbr_error *err) {
    hcbr_i_table *t;
    int code;
    *out = NULL;
    if (stream->release == NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found a stream that was released");
    if ((t = hcbr_i_alloc_zero(1, sizeof *t)) == NULL)
        return hcbr_i_no_memory(err);
    if ((code = stream->get_schema(stream, &t->schema)) != 0) {
        t->schema.release = NULL;
        hcbr_i_table_free(t);
        return fail_stream(stream, code, err);
    }
    t->stream = stream;
    *out = t;
    return HCBR_OK;
}
