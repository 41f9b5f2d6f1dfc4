/*
 * Training: a table and its labels, or files, become a model.
 *
 * Labels are passed as codes into a list of texts; they and the weights go to the library as
 * additional columns of the table. The same rows as a file give the same bytes of model.
 */
#include "binding.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The additional columns of a table. */
typedef struct beside {
    const int64_t *codes; /* NULL: the label is a column of the table */
    const double *weight; /* NULL: none */
    const double *group;  /* a number shared by the rows of a group, NaN: none; NULL: no groups */
    arena made;
    hcbr_memory_column names;       /* of the labels */
    struct ArrowSchema name_schema; /* the same for Arrow */
    struct ArrowArray name_array;
    const char **texts; /* the same, each NUL-terminated; NULL: there is no label */
    int64_t label_count;
    lines lines; /* of a table of cases */
} beside;

static int get_labels(beside *b, PyObject *labels) {
    PyObject *list = PySequence_List(labels);
    int failed = list ? texts_column(&b->made, list, &b->name_schema, &b->name_array) : -1;
    const Py_ssize_t count = failed ? 0 : PyList_Size(list);
    b->texts = failed ? NULL : arena_get(&b->made, (size_t)count + 1, sizeof *b->texts);
    if (!failed && (!b->texts || strcmp(b->name_schema.format, "U") != 0)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "labels must be str");
        failed = -1;
    }
    Py_XDECREF(list);
    if (failed)
        return -1;
    const uint8_t *valid = b->name_array.buffers[0]; // NULL: none is missing
    const int64_t *starts = b->name_array.buffers[1];
    const char *bytes = b->name_array.buffers[2];
    for (Py_ssize_t i = 0; i < count; i++) {
        size_t length = (size_t)(starts[i + 1] - starts[i]);
        b->texts[i] = NULL;
        if (valid && !(valid[i / 8] >> i % 8 & 1))
            continue;
        if (!(b->texts[i] = arena_text(&b->made, bytes + starts[i], length)))
            return -1;
        if (!length || memchr(b->texts[i], 0, length)) {
            PyErr_SetString(PyExc_ValueError, "a label is empty or has a NUL");
            return -1;
        }
    }
    b->label_count = count;
    hcbr_memory_column_init(&b->names);
    b->names.type = HCBR_MEMORY_LARGE_UTF8;
    b->names.length = (uint64_t)count;
    b->names.values = starts;
    b->names.validity = valid;
    b->names.text = bytes;
    b->names.text_size = (uint64_t)starts[count];
    return 0;
}

/* A dict: texts of labels that are not texts for the caller, with their types. */
static int get_types(settings *o, PyObject *types) {
    PyObject *name, *type;
    Py_ssize_t at = 0;
    size_t used = 0;
    if (!PyDict_Check(types)) {
        PyErr_SetString(PyExc_TypeError, "types must be a dict");
        return -1;
    }
    hcbr_typed_label *list = arena_get(&o->texts, (size_t)PyDict_Size(types) + 1, sizeof *list);
    while (list && PyDict_Next(types, &at, &name, &type)) {
        Py_ssize_t length;
        const char *text = PyUnicode_AsUTF8AndSize(name, &length);
        const long number = PyLong_AsLong(type);
        if (!text || PyErr_Occurred() || !(text = arena_text(&o->texts, text, (size_t)length)))
            return -1;
        list[used++] = (hcbr_typed_label){text, (hcbr_label_type)number};
    }
    o->train.typed_labels = list;
    o->train.typed_label_count = used;
    return list ? 0 : -1;
}

static int get_beside(beside *b, const table *t, PyObject *codes, PyObject *labels,
                      PyObject *weight, PyObject *group) {
    numpy_array a;
    if (codes != Py_None) {
        if (array_flat(codes, "codes", HCBR_MEMORY_I64, t->rows, &a) != 0 ||
            get_labels(b, labels) != 0)
            return -1;
        b->codes = (const int64_t *)a.data;
        for (uint64_t i = 0; i < t->rows; i++)
            if (b->codes[i] < 0 || b->codes[i] >= b->label_count) {
                PyErr_SetString(PyExc_ValueError, "a code stands for no label");
                return -1;
            }
    }
    if (weight != Py_None) {
        if (array_flat(weight, "weights", HCBR_MEMORY_F64, t->rows, &a) != 0)
            return -1;
        b->weight = (const double *)a.data;
    }
    if (group != Py_None) {
        if (array_flat(group, "groups", HCBR_MEMORY_F64, t->rows, &a) != 0)
            return -1;
        b->group = (const double *)a.data;
    }
    return 0;
}

/* ---- without the GIL ------------------------------------------------------------------------- */

/* The additional columns: labels, weights, groups. Their items have 8 bytes; NULL: no such
 * column. */
static const void *beside_values(size_t k, const beside *b) {
    return k == 0 ? (const void *)b->codes : k == 1 ? b->weight : b->group;
}

static const char *beside_name(size_t k, const hcbr_read_options *read) {
    return k == 0 ? read->label : k == 1 ? read->weight : read->group;
}

/* Write the additional columns of the table to `to`, at most three. */
static size_t add_beside(const beside *b, const hcbr_read_options *read, uint64_t rows,
                         hcbr_memory_column *to) {
    size_t used = 0;
    for (size_t k = 0; k < 3; k++) {
        if (!beside_values(k, b))
            continue;
        hcbr_memory_column_init(&to[used]);
        to[used].name = beside_name(k, read);
        to[used].type = k == 0 ? HCBR_MEMORY_I64 : HCBR_MEMORY_F64;
        to[used].length = rows;
        to[used].values = beside_values(k, b);
        to[used++].dictionary = k == 0 ? &b->names : NULL;
    }
    return used;
}

static void feed_done(struct ArrowArrayStream *stream) {
    stream->release = NULL;
}

/* Batches of Arrow with additional columns, as a stream. The memory of a batch lives until the next
 * one. */
typedef struct feed {
    const table *t;
    const hcbr_read_options *read;
    beside *b;
    size_t next;
    uint64_t first;            /* row of the next batch */
    struct ArrowSchema own[3]; /* of the additional columns */
    struct ArrowSchema **schemas;
    struct ArrowArray made[3];
    struct ArrowArray **arrays;
    const void *buffers[3][2];
    void *copies[3];
} feed;

static int feed_schema(struct ArrowArrayStream *stream, struct ArrowSchema *out) {
    feed *f = stream->private_data;
    const struct ArrowSchema *of = f->t->schema;
    size_t used = (size_t)of->n_children;
    f->schemas = malloc((used + 3) * sizeof *f->schemas);
    f->arrays = malloc((used + 3) * sizeof *f->arrays);
    if (!f->schemas || !f->arrays)
        return ENOMEM;
    if (used)
        memcpy(f->schemas, of->children, used * sizeof *f->schemas);
    for (size_t k = 0; k < 3; k++) {
        f->own[k] = (struct ArrowSchema){.format = k == 0 ? "l" : "g",
                                         .name = beside_name(k, f->read),
                                         .dictionary = k == 0 ? &f->b->name_schema : NULL,
                                         .release = arrow_schema_done};
        if (beside_values(k, f->b))
            f->schemas[used++] = &f->own[k];
    }
    *out = *of;
    out->children = f->schemas;
    out->n_children = (int64_t)used;
    out->release = arrow_schema_done; // the table still has it
    return 0;
}

/* Additional items of a batch. If it has an offset they come after as many unused ones. */
static int feed_items(feed *f, size_t k, const struct ArrowArray *batch) {
    const char *from = (const char *)beside_values(k, f->b) + f->first * 8;
    f->buffers[k][0] = NULL;
    f->buffers[k][1] = from;
    if (batch->offset == 0)
        return 0;
    void *copy = calloc((size_t)(batch->length + batch->offset), 8);
    if (!copy)
        return ENOMEM;
    memcpy((char *)copy + batch->offset * 8, from, (size_t)batch->length * 8);
    free(f->copies[k]);
    f->buffers[k][1] = f->copies[k] = copy;
    return 0;
}

static int feed_next(struct ArrowArrayStream *stream, struct ArrowArray *out) {
    feed *f = stream->private_data;
    if (f->next == f->t->batch_count) {
        out->release = NULL;
        return 0;
    }
    const struct ArrowArray *batch = f->t->batches[f->next++];
    size_t used = (size_t)batch->n_children;
    if (used)
        memcpy(f->arrays, batch->children, used * sizeof *f->arrays);
    for (size_t k = 0; k < 3; k++) {
        if (!beside_values(k, f->b))
            continue;
        if (feed_items(f, k, batch) != 0)
            return ENOMEM;
        f->made[k] = (struct ArrowArray){.length = batch->length + batch->offset,
                                         .n_buffers = 2,
                                         .buffers = f->buffers[k],
                                         .dictionary = k == 0 ? &f->b->name_array : NULL,
                                         .release = arrow_array_done};
        f->arrays[used++] = &f->made[k];
    }
    f->first += (uint64_t)batch->length;
    *out = *batch;
    out->children = f->arrays;
    out->n_children = (int64_t)used;
    out->release = arrow_array_done; // the table still has it
    return 0;
}

static hcbr_status add_batches(hcbr_cases *cases, const table *t, beside *b,
                               const hcbr_read_options *read, hcbr_error *err) {
    feed f = {.t = t, .read = read, .b = b};
    struct ArrowArrayStream stream = {
        .get_schema = feed_schema, .get_next = feed_next, .release = feed_done, .private_data = &f};
    hcbr_status status = hcbr_cases_add_arrow_stream(cases, &stream, read, err);
    for (size_t k = 0; k < 3; k++)
        free(f.copies[k]);
    free(f.schemas);
    free(f.arrays);
    return status;
}

static hcbr_status add_table(hcbr_cases *cases, const table *t, beside *b,
                             const hcbr_read_options *read, guard *g) {
    hcbr_status status;
    switch (t->kind) {
    case TABLE_COLUMNS: {
        hcbr_memory_column *columns = malloc((t->column_count + 3) * sizeof *columns);
        if (!columns)
            return g->err.status = HCBR_ENOMEM;
        memcpy(columns, t->columns, t->column_count * sizeof *columns);
        size_t more = add_beside(b, read, t->rows, columns + t->column_count);
        status = hcbr_cases_add_columns(cases, columns, t->column_count + more, read, &g->err);
        free(columns);
        return status;
    }
    case TABLE_SPARSE: {
        hcbr_memory_column columns[3];
        size_t more = add_beside(b, read, t->rows, columns);
        return hcbr_cases_add_sparse(cases, &t->sparse, columns, more, read, &g->err);
    }
    case TABLE_ARROW:
        return add_batches(cases, t, b, read, &g->err);
    case TABLE_LINES: {
        hcbr_read_options from = *read;
        const char *path = LINES_PATH;
        from.open = lines_input;
        from.open_context = &b->lines;
        from.format = HCBR_FORMAT_JSONL;
        return hcbr_cases_read(cases, &path, 1, &from, &g->err);
    }
    case TABLE_CASES:
        break; // refused before
    }
    return HCBR_OK;
}

static void watch(settings *o, guard *g) {
    o->read.notify = o->train.notify = o->evaluate.notify = guard_notify;
    o->read.progress = o->train.progress = o->evaluate.progress = guard_progress;
    o->read.notify_context = o->train.notify_context = o->evaluate.notify_context = g;
    o->read.progress_context = o->train.progress_context = o->evaluate.progress_context = g;
}

/* Whether it is a column of the table, or a key of some case. */
static bool has_column(const hcbr_cases *cases, const table *t, const char *name) {
    const size_t length = strlen(name);
    for (uint32_t k = 0; k < hcbr_cases_get_info(cases).keys; k++) {
        hcbr_feature key;
        hcbr_cases_get_key_name(cases, k, &key);
        if (key.key_length == length && memcmp(key.key, name, length) == 0)
            return true;
    }
    for (size_t i = 0; t && t->kind == TABLE_COLUMNS && i < t->column_count; i++)
        if (strcmp(t->columns[i].name, name) == 0)
            return true;
    for (int64_t i = 0; t && t->kind == TABLE_ARROW && i < t->schema->n_children; i++)
        if (t->schema->children[i]->name && strcmp(t->schema->children[i]->name, name) == 0)
            return true;
    return false;
}

/* A column that `numeric` or `categorical` names and nothing has is a mistake, as in the program.
 */
static hcbr_status check_columns(const hcbr_cases *cases, const table *t,
                                 const hcbr_train_options *o, hcbr_error *err) {
    for (size_t i = 0; i < o->numeric_count + o->categorical_count; i++) {
        const bool numeric = i < o->numeric_count;
        const char *name = numeric ? o->numeric[i] : o->categorical[i - o->numeric_count];
        if (has_column(cases, t, name))
            continue;
        err->status = HCBR_EUSAGE;
        snprintf(err->message, sizeof err->message, "%s '%s': no case has this column or key",
                 numeric ? "numeric" : "categorical", name);
        return err->status;
    }
    return HCBR_OK;
}

/* ---- functions of the module ----------------------------------------------------------------- */

static const char **get_paths(arena *a, PyObject *list, size_t *count) {
    PyObject *copy = PySequence_List(list);
    const char **paths = NULL;
    const Py_ssize_t size = copy ? PyList_Size(copy) : -1;
    if (size >= 0)
        paths = arena_get(a, (size_t)size + 1, sizeof *paths);
    for (Py_ssize_t i = 0; paths && i < size; i++) {
        PyObject *bytes = NULL;
        paths[i] = PyUnicode_FSConverter(PyList_GetItem(copy, i), &bytes)
                       ? arena_text(a, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes))
                       : NULL;
        Py_XDECREF(bytes);
        if (!paths[i])
            paths = NULL;
    }
    *count = paths ? (size_t)size : 0;
    Py_XDECREF(copy);
    return paths;
}

/* Check the arguments that belong to a table; 0 or -1. */
static int prepare(beside *b, const table *t, const settings *o) {
    if (t->kind == TABLE_CASES || (t->kind == TABLE_LINES && !b->codes)) {
        PyErr_SetString(PyExc_ValueError, "cases to learn from need labels beside them");
        return -1;
    }
    for (size_t k = 0; k < 3; k++) {
        if (!beside_values(k, b) || beside_name(k, &o->read))
            continue;
        PyErr_SetString(PyExc_ValueError, "labels, weights or groups have no name");
        return -1;
    }
    if (t->kind != TABLE_LINES)
        return 0;
    b->lines = (lines){.t = t, .codes = b->codes, .weight = b->weight, .group = b->group};
    return lines_open(&b->lines, b->texts, (size_t)b->label_count, &o->read);
}

int cases_use(const module_state *state, PyObject *args, PyObject *keywords, use_fn *use,
              void *to) {
    static char *names[] = {"data",     "codes", "labels", "weight", "options",
                            "progress", "group", "types",  NULL};
    PyObject *data, *codes = Py_None, *labels = Py_None, *weight = Py_None;
    PyObject *given = Py_None, *progress = Py_None, *group = Py_None;
    PyObject *types = Py_None;
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O|OOOOOOO:fit", names, &data, &codes, &labels,
                                     &weight, &given, &progress, &group, &types))
        return -1;
    const table *t = (PyObject *)Py_TYPE(data) == state->table_type ? (table *)data : NULL;
    hcbr_cases *cases = NULL, *own = NULL;
    if ((PyObject *)Py_TYPE(data) == state->cases_type)
        own = ((cases_object *)data)->cases;
    beside b = {0};
    settings o;
    size_t count = 0;
    const char **paths = NULL;
    int failed = options_get(&o, given);
    if (!failed && types != Py_None)
        failed = get_types(&o, types);
    if (!failed && t)
        failed = get_beside(&b, t, codes, labels, weight, group) || prepare(&b, t, &o) ? -1 : 0;
    else if (!failed && !own)
        failed = (paths = get_paths(&b.made, data, &count)) ? 0 : -1;
    if (!failed) {
        guard g;
        guard_begin(&g, progress);
        watch(&o, &g);
        if (b.codes) // the caller gives their types
            o.read.labels_as_they_are |= HCBR_LABELS_ALL | HCBR_LABELS_KEPT;
        else if (t && !o.read.na)
            o.read.labels_as_they_are |= HCBR_LABELS_KEPT;
        o.keeps_cases = own != NULL;
        hcbr_status status = own ? HCBR_OK : hcbr_cases_create(&cases, 0, &g.err);
        if (status == HCBR_OK && !own)
            status = t ? add_table(cases, t, &b, &o.read, &g)
                       : hcbr_cases_read(cases, paths, count, &o.read, &g.err);
        if (status == HCBR_OK && !own && o.all.belief)
            status = hcbr_cases_read_beliefs(cases, o.all.belief, &o.read,
                                             o.train.model == HCBR_MODEL_PLAIN, &g.err);
        if (status == HCBR_OK && !own) {
            hcbr_cases_watch(cases, guard_progress, &g);
            status = hcbr_cases_finish(cases, &g.err);
        }
        if (status == HCBR_OK && o.train.emphasis_count && o.train.model == HCBR_MODEL_PLAIN)
            status = hcbr_emphasis_check(o.train.emphasis, o.train.emphasis_count,
                                         own ? own : cases, &g.err);
        if (status == HCBR_OK)
            status = check_columns(own ? own : cases, t, &o.train, &g.err);
        if (status == HCBR_OK)
            status = use(to, own ? own : cases, &o, &g);
        if (!o.keeps_cases)
            hcbr_cases_free(cases);
        failed = guard_end(&g, status);
    }
    options_clear(&o);
    lines_close(&b.lines);
    arena_clear(&b.made);
    return failed;
}

/* Cases become a model, and are used up unless others need them. */
static hcbr_status train(void *to, hcbr_cases *cases, settings *o, guard *g) {
    o->train.consume = !o->keeps_cases;
    return hcbr_model_train(to, cases, &o->train, &g->err);
}

PyObject *model_fit(PyObject *type, PyObject *args, PyObject *keywords) {
    const module_state *state = PyType_GetModuleState((PyTypeObject *)type);
    hcbr_model *made = NULL;
    if (cases_use(state, args, keywords, train, &made) != 0) {
        hcbr_model_free(made);
        return NULL;
    }
    return model_wrap((PyTypeObject *)type, made);
}
