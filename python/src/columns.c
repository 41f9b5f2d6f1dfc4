/*
 * Columns of Arrow made from arrays of numpy and from lists of Python objects.
 *
 * The new memory is in an arena, and arrays are not copied; the release functions only mark the
 * structures as the interface requires.
 */
#include "binding.h"

#include <string.h>

void arrow_schema_done(struct ArrowSchema *schema) {
    schema->release = NULL;
}

void arrow_array_done(struct ArrowArray *done) {
    done->release = NULL;
}

static int make(arena *a, const char *format, int64_t length, int64_t buffers,
                struct ArrowSchema *schema, struct ArrowArray *out) {
    const void **list = arena_get(a, (size_t)buffers, sizeof *list);
    if (!list)
        return -1;
    memset(list, 0, (size_t)buffers * sizeof *list);
    *schema = (struct ArrowSchema){
        .format = format, .name = "", .flags = ARROW_FLAG_NULLABLE, .release = arrow_schema_done};
    *out = (struct ArrowArray){
        .length = length, .n_buffers = buffers, .buffers = list, .release = arrow_array_done};
    return 0;
}

/* ---- arrays ---------------------------------------------------------------------------------- */

/* A byte each becomes a bit each. */
static const void *pack_bits(arena *a, const numpy_array *from) {
    size_t count = (size_t)from->shape[0];
    uint8_t *bits = arena_get(a, count / 8 + 1, 1);
    if (bits) {
        memset(bits, 0, count / 8 + 1);
        for (size_t i = 0; i < count; i++)
            if (from->data[i])
                bits[i / 8] = (uint8_t)(bits[i / 8] | 1U << i % 8);
    }
    return bits;
}

int array_column(arena *a, const numpy_array *from, struct ArrowSchema *schema,
                 struct ArrowArray *out) {
    static const char *const FORMATS[] = {
        [HCBR_MEMORY_F64] = "g", [HCBR_MEMORY_F32] = "f", [HCBR_MEMORY_F16] = "e",
        [HCBR_MEMORY_I8] = "c",  [HCBR_MEMORY_I16] = "s", [HCBR_MEMORY_I32] = "i",
        [HCBR_MEMORY_I64] = "l", [HCBR_MEMORY_U8] = "C",  [HCBR_MEMORY_U16] = "S",
        [HCBR_MEMORY_U32] = "I", [HCBR_MEMORY_U64] = "L", [HCBR_MEMORY_BOOL] = "b"};
    if (from->dimensions != 1 || (from->shape[0] > 1 && from->strides[0] != from->item)) {
        PyErr_SetString(PyExc_ValueError, "an array of one dimension without gaps was expected");
        return -1;
    }
    if (make(a, FORMATS[from->type], from->shape[0], 2, schema, out) != 0)
        return -1;
    out->buffers[1] = from->type == HCBR_MEMORY_BOOL ? pack_bits(a, from) : from->data;
    return out->buffers[1] ? 0 : -1;
}

/* ---- lists of objects ------------------------------------------------------------------------ */

/* Concatenated texts, with the start of each. */
typedef struct texts {
    char *bytes;
    size_t used, room;
    int64_t *starts; /* count + 1 */
    uint8_t *valid;
    size_t count, item_room;
    int64_t missing;
} texts;

static void texts_clear(texts *t) {
    PyMem_Free(t->bytes);
    PyMem_Free(t->starts);
    PyMem_Free(t->valid);
}

static int grow(void *array_pointer, size_t *room, size_t need, size_t size) {
    void **at = array_pointer;
    if (need <= *room)
        return 0;
    size_t more = *room * 2 > need ? *room * 2 : need + 64;
    void *got = more > SIZE_MAX / 2 / size ? NULL : PyMem_Realloc(*at, more * size);
    if (!got) {
        PyErr_NoMemory();
        return -1;
    }
    *at = got;
    *room = more;
    return 0;
}

static int texts_add(texts *t, PyObject *object) {
    value_text v;
    if (value_get(object, &v) != 0)
        return -1;
    size_t starts = t->item_room, valid = t->item_room;
    int failed = grow(&t->bytes, &t->room, t->used + v.length + 1, 1);
    if (!failed && t->count + 2 > t->item_room) {
        failed = grow(&t->starts, &starts, t->count + 2, sizeof *t->starts) ||
                         grow(&t->valid, &valid, t->count + 2, 1)
                     ? -1
                     : 0;
        t->item_room = starts < valid ? starts : valid;
    }
    if (!failed) {
        if (v.length && t->bytes)
            memcpy(t->bytes + t->used, v.text, v.length);
        t->starts[t->count] = (int64_t)t->used;
        t->valid[t->count++] = v.text != NULL;
        t->missing += !v.text;
        t->used += v.length;
        t->starts[t->count] = (int64_t)t->used;
    }
    value_clear(&v);
    return failed;
}

static const void *keep(arena *a, const void *from, size_t count, size_t size) {
    void *to = arena_get(a, count ? count : 1, size);
    if (to && from && count)
        memcpy(to, from, count * size);
    return to;
}

/* Texts as a column of large_utf8. */
static int texts_make(arena *a, const texts *t, struct ArrowSchema *schema,
                      struct ArrowArray *out) {
    static const int64_t NONE[1];
    if (make(a, "U", (int64_t)t->count, 3, schema, out) != 0)
        return -1;
    out->null_count = t->missing;
    if (t->missing) {
        uint8_t *bits = arena_get(a, t->count / 8 + 1, 1);
        if (!bits)
            return -1;
        memset(bits, 0, t->count / 8 + 1);
        for (size_t i = 0; i < t->count; i++)
            if (t->valid[i])
                bits[i / 8] = (uint8_t)(bits[i / 8] | 1U << i % 8);
        out->buffers[0] = bits;
    }
    out->buffers[1] = keep(a, t->count ? t->starts : NONE, t->count + 1, sizeof *t->starts);
    out->buffers[2] = keep(a, t->bytes, t->used, 1);
    return out->buffers[1] && out->buffers[2] ? 0 : -1;
}

/* A list column: each object is a list of items, or a single item. */
static int lists_make(arena *a, const int64_t *starts, size_t count, const texts *items,
                      struct ArrowSchema *schema, struct ArrowArray *out) {
    struct ArrowSchema **inner_schema = arena_get(a, 1, sizeof *inner_schema);
    struct ArrowArray **inner = arena_get(a, 1, sizeof *inner);
    if (!inner_schema || !inner || !(*inner_schema = arena_get(a, 1, sizeof **inner_schema)) ||
        !(*inner = arena_get(a, 1, sizeof **inner)) ||
        texts_make(a, items, *inner_schema, *inner) != 0 ||
        make(a, "+L", (int64_t)count, 2, schema, out) != 0)
        return -1;
    schema->n_children = out->n_children = 1;
    schema->children = inner_schema;
    out->children = inner;
    out->buffers[1] = keep(a, starts, count + 1, sizeof *starts);
    return out->buffers[1] ? 0 : -1;
}

static int add_items(texts *t, PyObject *list) {
    PyObject *items = PySequence_List(list);
    int failed = items ? 0 : -1;
    if (items && PyAnySet_Check(list) && PyList_Sort(items) != 0)
        PyErr_Clear(); // of several types: the order of the set will do
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(items); i++)
        failed = texts_add(t, PyList_GetItem(items, i));
    Py_XDECREF(items);
    return failed;
}

static bool holds_items(PyObject *object) {
    return value_is_list(object) || value_is_array(object);
}

int texts_column(arena *a, PyObject *list, struct ArrowSchema *schema, struct ArrowArray *out) {
    const Py_ssize_t count = PyList_Size(list);
    texts t = {0};
    int failed = count < 0 ? -1 : 0;
    bool any_list = false;
    for (Py_ssize_t i = 0; !failed && i < count && !any_list; i++)
        any_list = holds_items(PyList_GetItem(list, i));
    int64_t *starts = any_list ? PyMem_Calloc((size_t)count + 1, sizeof *starts) : NULL;
    if (any_list && !starts) {
        PyErr_NoMemory();
        failed = -1;
    }
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *item = PyList_GetItem(list, i); // the list is the module's own: it cannot shrink
        failed = any_list && holds_items(item) ? add_items(&t, item) : texts_add(&t, item);
        if (starts)
            starts[i + 1] = (int64_t)t.count;
    }
    if (!failed)
        failed = any_list ? lists_make(a, starts, (size_t)count, &t, schema, out)
                          : texts_make(a, &t, schema, out);
    PyMem_Free(starts);
    texts_clear(&t);
    return failed;
}
