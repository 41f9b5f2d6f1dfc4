/*
 * Tables: descriptions of data that other objects hold, in the form that the library takes.
 *
 * A table keeps the objects alive whose memory it describes. Batches of a stream are taken over and
 * released with the table.
 */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static table *new_table(PyObject *type, table_kind kind) {
    table *t = (table *)PyType_GenericAlloc((PyTypeObject *)type, 0); // cleared
    if (t) {
        t->kind = kind;
        t->keep = PyList_New(0);
        if (!t->keep)
            Py_CLEAR(t);
    }
    return t;
}

static void table_dealloc(PyObject *self) {
    table *t = (table *)self;
    PyTypeObject *type = Py_TYPE(self);
    for (size_t i = 0; i < t->pulled_count; i++)
        if (t->pulled[i].release)
            t->pulled[i].release(&t->pulled[i]);
    free(t->pulled);
    if (t->owned && t->owned->release)
        t->owned->release(t->owned);
    features_clear(&t->cases);
    hcbr_writer_free(t->lines);
    free(t->starts);
    arena_clear(&t->made);
    Py_XDECREF(t->keep);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* A name in the arena; NULL with an exception. */
static const char *get_name(table *t, PyObject *names, Py_ssize_t index) {
    PyObject *name = PySequence_GetItem(names, index);
    Py_ssize_t length = 0;
    const char *text =
        name && PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &length) : NULL;
    const char *copy = NULL;
    if (text && strlen(text) != (size_t)length)
        PyErr_SetString(PyExc_ValueError, "a name of a column has a NUL");
    else if (text)
        copy = arena_text(&t->made, text, (size_t)length);
    else if (!PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "names of columns must be str");
    Py_XDECREF(name);
    return copy;
}

/* ---- a matrix -------------------------------------------------------------------------------- */

static int fill_matrix(table *t, PyObject *object, PyObject *names) {
    numpy_array a;
    if (array_get(object, &a) != 0 || PyList_Append(t->keep, object) != 0)
        return -1;
    if (a.dimensions != 2) {
        PyErr_SetString(PyExc_ValueError, "a matrix was expected: an array of two dimensions");
        return -1;
    }
    if (a.shape[0] > 1 && a.strides[0] == 0) {
        PyErr_SetString(PyExc_ValueError, "the rows of the array are one and the same memory");
        return -1;
    }
    t->rows = (uint64_t)a.shape[0];
    t->column_count = (size_t)a.shape[1];
    t->columns = arena_get(&t->made, t->column_count + 2, sizeof *t->columns);
    if (!t->columns)
        return -1;
    for (size_t i = 0; i < t->column_count; i++) {
        hcbr_memory_column *c = &t->columns[i];
        hcbr_memory_column_init(c);
        c->name = names == Py_None ? "" : get_name(t, names, (Py_ssize_t)i);
        if (!c->name)
            return -1;
        c->type = a.type;
        c->length = t->rows;
        c->values = a.data + (int64_t)i * a.strides[1];
        c->stride = a.strides[0];
    }
    return 0;
}

static PyObject *table_matrix(PyObject *type, PyObject *args) {
    PyObject *object, *names = Py_None;
    if (!PyArg_ParseTuple(args, "O|O:matrix", &object, &names))
        return NULL;
    table *t = new_table(type, TABLE_COLUMNS);
    if (t && fill_matrix(t, object, names) != 0)
        Py_CLEAR(t);
    return (PyObject *)t;
}

/* ---- columns of several kinds ---------------------------------------------------------------- */

/* The capsules of an object with __arrow_c_array__, which the table keeps. */
static int take_capsules(table *t, PyObject *item, struct ArrowSchema **schema,
                         struct ArrowArray **made) {
    PyObject *pair = PyObject_CallMethod(item, "__arrow_c_array__", NULL);
    int failed = -1;
    if (pair && PyTuple_Check(pair) && PyTuple_Size(pair) == 2) {
        *schema = PyCapsule_GetPointer(PyTuple_GetItem(pair, 0), "arrow_schema");
        *made = *schema ? PyCapsule_GetPointer(PyTuple_GetItem(pair, 1), "arrow_array") : NULL;
        if (*made && (!(*schema)->release || !(*made)->release))
            PyErr_SetString(PyExc_ValueError, "an Arrow array was used up already");
        else if (*made)
            failed = PyList_Append(t->keep, pair);
    } else if (pair) {
        PyErr_SetString(PyExc_TypeError, "__arrow_c_array__() must give two capsules");
    }
    Py_XDECREF(pair);
    return failed;
}

static int take_column(table *t, PyObject *item, const char *name, struct ArrowSchema **schema,
                       struct ArrowArray **made) {
    *schema = arena_get(&t->made, 1, sizeof **schema);
    *made = arena_get(&t->made, 1, sizeof **made);
    if (!*schema || !*made)
        return -1;
    int failed;
    numpy_array a;
    if (PyList_Check(item)) {
        PyObject *copy = PySequence_List(item); // a private copy, which cannot change
        failed = copy ? texts_column(&t->made, copy, *schema, *made) : -1;
        Py_XDECREF(copy);
        if (failed)
            errors_in_column(name);
    } else if (PyObject_HasAttrString(item, "__arrow_c_array__")) {
        struct ArrowSchema *given;
        failed = take_capsules(t, item, &given, made);
        if (!failed)
            **schema = *given; // with another name; the rest stays the capsule's
    } else {
        failed = array_get(item, &a) || array_column(&t->made, &a, *schema, *made) ||
                         PyList_Append(t->keep, item)
                     ? -1
                     : 0;
    }
    if (!failed) {
        (*schema)->name = name;
        (*schema)->release = arrow_schema_done;
    }
    return failed;
}

static int fill_columns(table *t, PyObject *names, PyObject *items) {
    const Py_ssize_t count = PySequence_Size(items);
    struct ArrowSchema *schema = arena_get(&t->made, 1, sizeof *schema);
    struct ArrowArray *batch = arena_get(&t->made, 1, sizeof *batch);
    static const void *NO_BUFFER[1];
    if (count < 0 || !schema || !batch)
        return -1;
    *schema = (struct ArrowSchema){.format = "+s", .name = "", .release = arrow_schema_done};
    *batch = (struct ArrowArray){.n_buffers = 1, .buffers = NO_BUFFER, .release = arrow_array_done};
    schema->children = arena_get(&t->made, (size_t)count + 1, sizeof *schema->children);
    batch->children = arena_get(&t->made, (size_t)count + 1, sizeof *batch->children);
    t->batches = arena_get(&t->made, 1, sizeof *t->batches);
    if (!schema->children || !batch->children || !t->batches)
        return -1;
    for (Py_ssize_t i = 0; i < count; i++) {
        const char *name = get_name(t, names, i);
        PyObject *item = name ? PySequence_GetItem(items, i) : NULL;
        int failed =
            item ? take_column(t, item, name, &schema->children[i], &batch->children[i]) : -1;
        Py_XDECREF(item);
        if (failed || PyErr_CheckSignals() != 0)
            return -1;
        if (batch->children[i]->length != batch->children[0]->length) {
            PyErr_SetString(PyExc_ValueError, "the columns differ in length");
            return -1;
        }
    }
    schema->n_children = batch->n_children = count;
    batch->length = count ? batch->children[0]->length : 0;
    t->rows = (uint64_t)batch->length;
    t->schema = schema;
    t->batches[0] = batch;
    t->batch_count = 1;
    return 0;
}

static PyObject *table_columns(PyObject *type, PyObject *args) {
    PyObject *names, *items;
    if (!PyArg_ParseTuple(args, "OO:columns", &names, &items))
        return NULL;
    table *t = new_table(type, TABLE_ARROW);
    if (t && fill_columns(t, names, items) != 0)
        Py_CLEAR(t);
    return (PyObject *)t;
}

/* ---- streams --------------------------------------------------------------------------------- */

static int stream_failed(struct ArrowArrayStream *stream, int code) {
    const char *why = stream->get_last_error ? stream->get_last_error(stream) : NULL;
    PyErr_Format(PyExc_ValueError, "an Arrow stream failed: %s", why ? why : strerror(code));
    return -1;
}

/* One more batch; *more is 0 at the end. */
static int pull_one(table *t, struct ArrowArrayStream *stream, size_t *room, bool *more) {
    if (t->pulled_count == *room) {
        size_t next = *room ? *room * 2 : 16;
        struct ArrowArray *list = realloc(t->pulled, next * sizeof *list);
        if (!list) {
            PyErr_NoMemory();
            return -1;
        }
        t->pulled = list;
        *room = next;
    }
    struct ArrowArray *to = &t->pulled[t->pulled_count];
    memset(to, 0, sizeof *to);
    int code;
    Py_BEGIN_ALLOW_THREADS code = stream->get_next(stream, to);
    Py_END_ALLOW_THREADS if (code != 0) return stream_failed(stream, code);
    *more = to->release != NULL;
    t->pulled_count += *more;
    if (*more && (to->length < 0 || to->offset < 0)) {
        PyErr_SetString(PyExc_ValueError, "an Arrow batch has a negative length");
        return -1;
    }
    t->rows += *more ? (uint64_t)to->length : 0;
    return 0;
}

static int pull_all(table *t, struct ArrowArrayStream *stream) {
    struct ArrowSchema *schema = arena_get(&t->made, 1, sizeof *schema);
    size_t room = 0;
    bool more = true;
    if (!schema)
        return -1;
    if (!stream->release) {
        PyErr_SetString(PyExc_ValueError, "an Arrow stream was used up already");
        return -1;
    }
    memset(schema, 0, sizeof *schema);
    int code = stream->get_schema(stream, schema);
    if (code != 0)
        return stream_failed(stream, code);
    t->schema = t->owned = schema;
    if (!(t->pulled = malloc(sizeof *t->pulled))) {
        PyErr_NoMemory();
        return -1;
    }
    room = 1;
    if (!schema->format || strcmp(schema->format, "+s") != 0) {
        PyErr_SetString(PyExc_ValueError, "a table of Arrow was expected, not a single column");
        return -1;
    }
    while (more)
        if (pull_one(t, stream, &room, &more) != 0 || PyErr_CheckSignals() != 0)
            return -1;
    t->batch_count = t->pulled_count;
    t->batches = arena_get(&t->made, t->batch_count + 1, sizeof *t->batches);
    if (!t->batches)
        return -1;
    for (size_t i = 0; i < t->batch_count; i++)
        t->batches[i] = &t->pulled[i];
    return 0;
}

static int fill_stream(table *t, PyObject *object) {
    if (PyObject_HasAttrString(object, "__arrow_c_stream__")) {
        PyObject *capsule = PyObject_CallMethod(object, "__arrow_c_stream__", NULL);
        struct ArrowArrayStream *stream =
            capsule ? PyCapsule_GetPointer(capsule, "arrow_array_stream") : NULL;
        int failed = stream ? pull_all(t, stream) : -1;
        Py_XDECREF(capsule);
        return failed;
    }
    t->batches = arena_get(&t->made, 1, sizeof *t->batches);
    if (!t->batches || take_capsules(t, object, &t->schema, &t->batches[0]) != 0)
        return -1;
    if (!t->schema->format || strcmp(t->schema->format, "+s") != 0 || t->batches[0]->length < 0) {
        PyErr_SetString(PyExc_ValueError, "a table of Arrow was expected, not a single column");
        return -1;
    }
    t->batch_count = 1;
    t->rows = (uint64_t)t->batches[0]->length;
    return 0;
}

/* Rename the columns. The producer's description stays unchanged: its release function may free the
 * names. */
static int rename_columns(table *t, PyObject *names) {
    const Py_ssize_t count = (Py_ssize_t)t->schema->n_children;
    struct ArrowSchema *schema = arena_get(&t->made, 1, sizeof *schema);
    if (!schema || PySequence_Size(names) != count) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a name for each column was expected");
        return -1;
    }
    *schema = *t->schema;
    schema->children = arena_get(&t->made, (size_t)count + 1, sizeof *schema->children);
    for (Py_ssize_t i = 0; schema->children && i < count; i++) {
        struct ArrowSchema *child = arena_get(&t->made, 1, sizeof *child);
        const char *name = child ? get_name(t, names, i) : NULL;
        if (!name)
            return -1;
        *child = *t->schema->children[i];
        child->name = name;
        schema->children[i] = child;
    }
    t->schema = schema;
    return schema->children ? 0 : -1;
}

static PyObject *table_stream(PyObject *type, PyObject *args) {
    PyObject *object, *names = Py_None;
    if (!PyArg_ParseTuple(args, "O|O:stream", &object, &names))
        return NULL;
    table *t = new_table(type, TABLE_ARROW);
    if (t && (fill_stream(t, object) != 0 || (names != Py_None && rename_columns(t, names) != 0)))
        Py_CLEAR(t);
    return (PyObject *)t;
}

/* ---- sparse matrices ------------------------------------------------------------------------- */

static int fill_sparse(table *t, PyObject *starts, PyObject *indices, PyObject *values,
                       unsigned long long columns) {
    numpy_array a, b, c;
    if (array_get(starts, &a) != 0 || array_get(indices, &b) != 0 || array_get(values, &c) != 0)
        return -1;
    if (array_flat(indices, "indices", b.type, (uint64_t)b.shape[0], &b) != 0 ||
        array_flat(starts, "starts", b.type, (uint64_t)a.shape[0], &a) != 0 ||
        array_flat(values, "values", c.type, (uint64_t)b.shape[0], &c) != 0)
        return -1;
    if (a.shape[0] < 1 || (a.type != HCBR_MEMORY_I32 && a.type != HCBR_MEMORY_I64) ||
        (c.type != HCBR_MEMORY_F64 && c.type != HCBR_MEMORY_F32)) {
        PyErr_SetString(PyExc_TypeError, "a sparse matrix of other types was expected");
        return -1;
    }
    hcbr_sparse_init(&t->sparse);
    t->rows = t->sparse.rows = (uint64_t)a.shape[0] - 1;
    t->sparse.columns = columns;
    t->sparse.starts = a.data;
    t->sparse.start_type = a.type;
    t->sparse.indices = b.data;
    t->sparse.index_type = b.type;
    t->sparse.values = c.data;
    t->sparse.value_type = c.type;
    t->sparse.count = (uint64_t)b.shape[0];
    t->sparse.first = 1; // as the columns of a matrix without names
    t->columns = arena_get(&t->made, 2, sizeof *t->columns);
    return !t->columns || PyList_Append(t->keep, starts) || PyList_Append(t->keep, indices) ||
                   PyList_Append(t->keep, values)
               ? -1
               : 0;
}

static PyObject *table_sparse(PyObject *type, PyObject *args) {
    PyObject *starts, *indices, *values;
    unsigned long long columns;
    if (!PyArg_ParseTuple(args, "OOOK:sparse", &starts, &indices, &values, &columns))
        return NULL;
    table *t = new_table(type, TABLE_SPARSE);
    if (t && fill_sparse(t, starts, indices, values, columns) != 0)
        Py_CLEAR(t);
    return (PyObject *)t;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* Add a case: its features as a model reads them, or a line to learn from. */
static int add_case(table *t, model *m, PyObject *one, size_t *end) {
    if (m) {
        int failed = model_add_features(m, &t->cases, one);
        *end = t->cases.count;
        return failed;
    }
    if (lines_add(t->lines, one) != 0)
        return -1;
    if (hcbr_writer_get(t->lines, end))
        return 0;
    PyErr_NoMemory();
    return -1;
}

static int fill_cases(table *t, PyObject *list, model *m) {
    PyObject *copy = PySequence_List(list); // an object that lies about its length has this one
    const Py_ssize_t count = copy ? PyList_Size(copy) : -1;
    int failed = count < 0 ? -1 : 0;
    hcbr_error err;
    t->starts = failed ? NULL : calloc((size_t)count + 1, sizeof *t->starts);
    if (!failed &&
        (!t->starts || (!m && hcbr_writer_create(&t->lines, NULL, NULL, &err) != HCBR_OK))) {
        PyErr_NoMemory();
        failed = -1;
    }
    t->cases.options = m ? &m->read : NULL;
    for (Py_ssize_t i = 0; t->starts && !failed && i < count; i++) {
        failed = add_case(t, m, PyList_GetItem(copy, i), &t->starts[i + 1]);
        if (!failed && i % 4096 == 0)
            failed = PyErr_CheckSignals(); // Ctrl-C
    }
    t->rows = failed ? 0 : (uint64_t)count;
    t->cases.options = NULL; // the model may go
    Py_XDECREF(copy);
    return failed;
}

static PyObject *table_cases(PyObject *type, PyObject *args) {
    PyObject *list, *of = Py_None;
    if (!PyArg_ParseTuple(args, "O|O:cases", &list, &of))
        return NULL;
    const module_state *state = PyType_GetModuleState((PyTypeObject *)type);
    if (of != Py_None && (PyObject *)Py_TYPE(of) != state->model_type) {
        PyErr_SetString(PyExc_TypeError, "a model was expected");
        return NULL;
    }
    table *t = new_table(type, of == Py_None ? TABLE_LINES : TABLE_CASES);
    if (t && fill_cases(t, list, of == Py_None ? NULL : (model *)of) != 0)
        Py_CLEAR(t);
    return (PyObject *)t;
}

/* ---- properties of a table ------------------------------------------------------------------- */

static PyObject *table_rows(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLongLong(((table *)self)->rows);
}

static PyObject *table_names(PyObject *self, void *unused) {
    (void)unused;
    table *t = (table *)self;
    bool arrow = t->kind == TABLE_ARROW;
    const Py_ssize_t count = (Py_ssize_t)(arrow ? (size_t)t->schema->n_children : t->column_count);
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        const char *name = arrow ? t->schema->children[i]->name : t->columns[i].name;
        PyObject *text = name ? PyUnicode_DecodeUTF8(name, (Py_ssize_t)strlen(name), "replace")
                              : PyUnicode_FromString("");
        if (!text || PyList_SetItem(list, i, text) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* Whether one of `count` floating-point numbers, `stride` bytes apart, is infinite. */
static bool any_infinite(const char *at, uint64_t count, int64_t stride, bool wide,
                         const uint8_t *valid, int64_t first) {
    for (uint64_t i = 0; at && i < count; i++, at += stride) {
        double value;
        float narrow;
        if (wide)
            memcpy(&value, at, sizeof value);
        else
            memcpy(&narrow, at, sizeof narrow), value = (double)narrow;
        const int64_t bit = first + (int64_t)i;
        if (isinf(value) && (!valid || (valid[bit / 8] >> bit % 8 & 1)))
            return true;
    }
    return false;
}

static bool batch_has_infinity(const table *t, const struct ArrowArray *batch) {
    for (int64_t k = 0; k < batch->n_children && k < t->schema->n_children; k++) {
        const char *format = t->schema->children[k]->format;
        const struct ArrowArray *c = batch->children[k];
        const bool wide = strcmp(format, "g") == 0;
        const int64_t item = wide ? sizeof(double) : sizeof(float);
        if ((wide || strcmp(format, "f") == 0) && !c->dictionary && c->n_buffers == 2 &&
            c->buffers[1] && c->length > 0 &&
            any_infinite((const char *)c->buffers[1] + c->offset * item, (uint64_t)c->length, item,
                         wide, c->buffers[0], c->offset))
            return true;
    }
    return false;
}

static PyObject *table_has_infinity(PyObject *self, PyObject *unused) {
    (void)unused;
    const table *t = (table *)self;
    bool found = false;
    for (size_t i = 0; t->kind == TABLE_COLUMNS && i < t->column_count && !found; i++) {
        const hcbr_memory_column *c = &t->columns[i];
        if (c->type == HCBR_MEMORY_F64 || c->type == HCBR_MEMORY_F32)
            found =
                any_infinite(c->values, c->length, c->stride, c->type == HCBR_MEMORY_F64, NULL, 0);
    }
    for (size_t b = 0; t->kind == TABLE_ARROW && b < t->batch_count && !found; b++)
        found = batch_has_infinity(t, t->batches[b]);
    return PyBool_FromLong(found);
}

static PyMethodDef METHODS[] = {
    {"matrix", (PyCFunction)table_matrix, METH_VARARGS | METH_CLASS,
     "matrix(array, names=None): an array of numpy of two dimensions, not copied."},
    {"columns", (PyCFunction)table_columns, METH_VARARGS | METH_CLASS,
     "columns(names, items): arrays of numpy, Arrow arrays, and lists of objects."},
    {"stream", (PyCFunction)table_stream, METH_VARARGS | METH_CLASS,
     "stream(object, names=None): what has __arrow_c_stream__ or __arrow_c_array__."},
    {"sparse", (PyCFunction)table_sparse, METH_VARARGS | METH_CLASS,
     "sparse(starts, indices, values, columns): compressed rows, not copied."},
    {"cases", (PyCFunction)table_cases, METH_VARARGS | METH_CLASS,
     "cases(list, model=None): dicts, sets, lists and texts; without a model to learn from."},
    {"has_infinity", (PyCFunction)table_has_infinity, METH_NOARGS,
     "Whether a column has an infinite number."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef GETTERS[] = {{"rows", table_rows, NULL, "How many rows.", NULL},
                                {"names", table_names, NULL, "Names of the columns.", NULL},
                                {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_dealloc, (void *)table_dealloc},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GETTERS},
                              {Py_tp_doc, "Data to learn from or to decide, not copied."},
                              {0, NULL}};

PyType_Spec table_spec = {.name = "hcbr._hcbr.Table",
                          .basicsize = sizeof(table),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = SLOTS};
