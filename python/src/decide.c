/*
 * Decisions: of one case, as an object of Python; of a table, into arrays of the caller.
 *
 * A case is read as the model reads cases. If its keys are sets, texts or joined, it goes to the
 * library as a line of jsonl, for the same result; else its features are made here.
 */
#include "binding.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cases as lines of jsonl ----------------------------------------------------------------- */

static const char LINE_PATH[] = "a case of Python";

/* A line as a file that the library can read. */
typedef struct line {
    const char *bytes;
    size_t length, used;
} line;

static hcbr_status line_read(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    (void)err;
    line *l = context;
    *got = l->length - l->used < room ? l->length - l->used : room;
    memcpy(to, l->bytes + l->used, *got);
    l->used += *got;
    return HCBR_OK;
}

static void line_close(void *context) {
    (void)context;
}

static hcbr_status line_open(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    (void)err;
    if (strcmp(path, LINE_PATH) == 0) // else a joined source, which is an ordinary file
        *input = (hcbr_input){line_read, line_close, context, HCBR_FORMAT_JSONL};
    return HCBR_OK;
}

/* Columns that the case lacks are not known; a file without them might be the wrong one. */
static int complete(const hcbr_read_options *read, PyObject *dict) {
    int failed = 0;
    for (size_t i = 0; !failed && i < read->text_count + read->split_count + read->presence_count;
         i++) {
        const size_t s = i - read->text_count, p = s - read->split_count;
        const char *name = i < read->text_count    ? read->text[i]
                           : s < read->split_count ? read->split[s].column
                                                   : read->presence[p];
        if (!PyDict_GetItemString(dict, name))
            failed = PyDict_SetItemString(dict, name, Py_None);
    }
    return failed;
}

/* The features that the library reads from a dict. */
static int read_line(model *m, features *f, const char *bytes, size_t length) {
    hcbr_read_options read = m->read;
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_decider *decider = model_take_decider(m);
    hcbr_stream *stream = NULL;
    hcbr_row *row = NULL;
    hcbr_row_info info = {.size = sizeof info};
    const char *path = LINE_PATH;
    int more = 0, failed = -1;
    line one = {bytes, length, 0};
    hcbr_error err;
    if (!decider)
        return -1;
    read.format = HCBR_FORMAT_JSONL;
    read.open = line_open;
    read.open_context = &one;
    read.bad_rows = HCBR_BAD_ROWS_STOP;
    if (hcbr_stream_create(&stream, decider, &path, 1, &read, &err) != HCBR_OK ||
        hcbr_stream_next(stream, &decision, &more, &err) != HCBR_OK ||
        (more && hcbr_stream_get_row(stream, &row, &err) != HCBR_OK)) {
        errors_raise(&err);
    } else {
        failed = 0;
        if (row)
            hcbr_row_get(row, &info);
        for (size_t i = 0; i < info.feature_count && !failed; i++)
            failed = features_put(f, &info.features[i]);
    }
    hcbr_row_free(row);
    hcbr_stream_free(stream);
    model_return_decider(m, decider);
    return failed;
}

int model_add_features(model *m, features *f, PyObject *one) {
    const bool text = PyUnicode_Check(one);
    if (m->is_plain_reading || (!PyDict_Check(one) && !(text && m->read.text_count)))
        return features_add(f, one);
    PyObject *dict = text ? PyDict_New() : PyDict_Copy(one);
    hcbr_writer *w = NULL;
    hcbr_error err;
    int failed = dict ? 0 : -1;
    if (!failed && text)
        failed = PyDict_SetItemString(dict, m->read.text[0], one);
    if (!failed && hcbr_writer_create(&w, NULL, NULL, &err) != HCBR_OK) {
        errors_raise(&err);
        failed = -1;
    }
    failed = failed || complete(&m->read, dict) || json_write(w, dict, 1) ? -1 : 0;
    if (!failed) {
        size_t length = 0;
        hcbr_writer_put(w, "\n", 1);
        const char *bytes = hcbr_writer_get(w, &length);
        failed = bytes ? read_line(m, f, bytes, length) : (PyErr_NoMemory(), -1);
    }
    hcbr_writer_free(w);
    Py_XDECREF(dict);
    return failed;
}

/* ---- one case -------------------------------------------------------------------------------- */

static PyStructSequence_Field FIELDS[] = {
    {"label", "what is answered, or None"},
    {"probability", "of each label, a dict; None if the model has none"},
    {"support", "of each label, a dict"},
    {"known", "share of the features that the model knows; None for an empty case"},
    {"reason", "what the answer rests on"},
    {"unseen", "features that no past case has"},
    {NULL, NULL}};

static PyStructSequence_Desc ANSWER = {"hcbr.Answer", "The answer to one case.", FIELDS, 6};

int answer_add(PyObject *module) {
    module_state *state = PyModule_GetState(module);
    state->answer_type = (PyObject *)PyStructSequence_NewType(&ANSWER);
    return state->answer_type ? PyModule_AddObjectRef(module, "Answer", state->answer_type) : -1;
}

static PyObject *by_label(const model *m, const double *values, size_t count) {
    if (!values)
        return Py_NewRef(Py_None);
    PyObject *dict = PyDict_New();
    for (size_t i = 0; dict && i < count; i++) {
        PyObject *number = PyFloat_FromDouble(values[i]);
        if (!number || PyDict_SetItem(dict, PyTuple_GetItem(m->labels, (Py_ssize_t)i), number) != 0)
            Py_CLEAR(dict);
        Py_XDECREF(number);
    }
    return dict;
}

/* key=value, or the key. */
static PyObject *feature_text(const hcbr_feature *f) {
    PyObject *key = PyUnicode_DecodeUTF8(f->key, (Py_ssize_t)f->key_length, "replace");
    if (!key || !f->value)
        return key;
    PyObject *value = PyUnicode_DecodeUTF8(f->value, (Py_ssize_t)f->value_length, "replace");
    PyObject *both = value ? PyUnicode_FromFormat("%U=%U", key, value) : NULL;
    Py_DECREF(key);
    Py_XDECREF(value);
    return both;
}

static PyObject *unseen_list(const hcbr_decision *d) {
    PyObject *list = PyList_New((Py_ssize_t)d->unseen_count);
    for (size_t i = 0; list && i < d->unseen_count; i++) {
        PyObject *text = feature_text(&d->unseen[i]);
        if (!text || PyList_SetItem(list, (Py_ssize_t)i, text) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *make_answer(const model *m, const hcbr_decision *d) {
    const module_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)m));
    PyObject *answer = PyStructSequence_New((PyTypeObject *)state->answer_type);
    PyObject *values[6] = {
        Py_NewRef(d->label < 0 ? Py_None : PyTuple_GetItem(m->labels, d->label)),
        by_label(m, d->probability, d->label_count),
        by_label(m, d->support, d->label_count),
        d->feature_count ? PyFloat_FromDouble((double)d->known_count / (double)d->feature_count)
                         : Py_NewRef(Py_None),
        PyUnicode_FromString(hcbr_reason_name(d->reason)),
        unseen_list(d)};
    bool good = answer != NULL;
    for (int i = 0; i < 6; i++)
        good = good && values[i];
    for (int i = 0; i < 6; i++) {
        if (good)
            PyStructSequence_SetItem(answer, i, values[i]); // takes it over
        else
            Py_XDECREF(values[i]);
    }
    if (!good)
        Py_CLEAR(answer);
    return answer;
}

PyObject *model_predict_one(PyObject *self, PyObject *one) {
    model *m = (model *)self;
    features f = {.options = &m->read};
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_error err;
    PyObject *answer = NULL;
    hcbr_decider *decider = NULL;
    hcbr_row *row = NULL;
    if (model_add_features(m, &f, one) == 0 && (decider = model_take_decider(m))) {
        // A few microseconds: giving the GIL away would cost more.
        if (hcbr_row_create(&row, decider, f.items, f.count, &err) == HCBR_OK &&
            hcbr_decider_decide(decider, row, &decision, &err) == HCBR_OK)
            answer = make_answer(m, &decision);
        else
            errors_raise(&err);
        hcbr_row_free(row);
        model_return_decider(m, decider);
    }
    features_clear(&f);
    return answer;
}

/* ---- a table --------------------------------------------------------------------------------- */

/* An array to write to; None: it is not wanted. 0 or -1. */
static int get_target(PyObject *object, const char *what, hcbr_memory_type type, uint64_t count,
                      void *to) {
    numpy_array a;
    *(void **)to = NULL;
    if (object == Py_None)
        return 0;
    if (array_flat(object, what, type, count, &a) != 0)
        return -1;
    if (!a.writable) {
        PyErr_Format(PyExc_ValueError, "%s: the array cannot be written to", what);
        return -1;
    }
    *(void **)to = a.data;
    return 0;
}

static void move(hcbr_answers *a, uint64_t rows, uint32_t labels) {
    a->room -= rows;
    a->label = a->label ? a->label + rows : NULL;
    a->probability = a->probability ? a->probability + rows * labels : NULL;
    a->support = a->support ? a->support + rows * labels : NULL;
    a->lead = a->lead ? a->lead + rows : NULL;
    a->known = a->known ? a->known + rows : NULL;
    a->reason = a->reason ? a->reason + rows : NULL;
}

/* Cases one by one. */
static hcbr_status decide_cases(hcbr_decider *decider, const table *t, hcbr_answers a, guard *g) {
    hcbr_decision d = {.size = sizeof d};
    for (uint64_t i = 0; i < t->rows; i++) {
        hcbr_row *row;
        hcbr_status status = hcbr_row_create(&row, decider, t->cases.items + t->starts[i],
                                             t->starts[i + 1] - t->starts[i], &g->err);
        if (status == HCBR_OK)
            status = hcbr_decider_decide(decider, row, &d, &g->err);
        hcbr_row_free(row); // labels and numbers are the decider's
        if (status != HCBR_OK)
            return status;
        const size_t labels = d.label_count;
        if (a.label)
            a.label[i] = d.label;
        if (a.probability && d.probability)
            memcpy(a.probability + i * labels, d.probability, labels * sizeof(double));
        if (a.support)
            memcpy(a.support + i * labels, d.support, labels * sizeof(double));
        if (a.lead)
            a.lead[i] = d.lead;
        if (a.known)
            a.known[i] = d.feature_count ? (double)d.known_count / (double)d.feature_count : 0;
        if (a.reason)
            a.reason[i] = (uint8_t)d.reason;
        if (i % 256 == 0 && guard_progress(g, "decide", i, t->rows))
            return HCBR_ECANCELLED;
    }
    return HCBR_OK;
}

static hcbr_status decide_table(const model *m, hcbr_decider *decider, const table *t,
                                const hcbr_read_options *read, hcbr_answers *a, guard *g) {
    hcbr_status status = HCBR_OK;
    switch (t->kind) {
    case TABLE_COLUMNS:
        return hcbr_model_decide_columns(m->model, NULL, t->columns, t->column_count, read, a,
                                         &g->err);
    case TABLE_SPARSE:
        return hcbr_model_decide_sparse(m->model, NULL, &t->sparse, NULL, 0, read, a, &g->err);
    case TABLE_ARROW:
        for (size_t i = 0; i < t->batch_count && status == HCBR_OK; i++) {
            status =
                hcbr_model_decide_arrow(m->model, NULL, t->schema, t->batches[i], read, a, &g->err);
            move(a, (uint64_t)t->batches[i]->length, m->label_count);
        }
        return status;
    case TABLE_CASES:
        return decide_cases(decider, t, *a, g);
    case TABLE_LINES:
        break; // refused before
    }
    return status;
}

PyObject *model_decide(PyObject *self, PyObject *args, PyObject *keywords) {
    static char *names[] = {"table", "label",  "probability", "support",  "lead",
                            "known", "reason", "threads",     "progress", NULL};
    PyObject *data, *to[6] = {Py_None, Py_None, Py_None, Py_None, Py_None, Py_None};
    PyObject *progress = Py_None;
    unsigned int threads = 1;
    model *m = (model *)self;
    const module_state *state = PyType_GetModuleState(Py_TYPE(self));
    if (!PyArg_ParseTupleAndKeywords(args, keywords, "O!|OOOOOOIO:decide", names,
                                     (PyTypeObject *)state->table_type, &data, &to[0], &to[1],
                                     &to[2], &to[3], &to[4], &to[5], &threads, &progress))
        return NULL;
    const table *t = (table *)data;
    const uint64_t labels = m->label_count;
    hcbr_answers a;
    hcbr_answers_init(&a);
    a.room = t->rows;
    if (get_target(to[0], "label", HCBR_MEMORY_I32, t->rows, &a.label) != 0 ||
        get_target(to[1], "probability", HCBR_MEMORY_F64, t->rows * labels, &a.probability) != 0 ||
        get_target(to[2], "support", HCBR_MEMORY_F64, t->rows * labels, &a.support) != 0 ||
        get_target(to[3], "lead", HCBR_MEMORY_F64, t->rows, &a.lead) != 0 ||
        get_target(to[4], "known", HCBR_MEMORY_F64, t->rows, &a.known) != 0 ||
        get_target(to[5], "reason", HCBR_MEMORY_U8, t->rows, &a.reason) != 0)
        return NULL;
    if (a.probability && !m->has_probability) {
        PyErr_SetString(PyExc_ValueError, "the model has no probabilities");
        return NULL;
    }
    if (t->kind == TABLE_LINES) {
        PyErr_SetString(PyExc_ValueError, "these cases are to learn from");
        return NULL;
    }
    hcbr_decider *decider = t->kind == TABLE_CASES ? model_take_decider(m) : NULL;
    if (t->kind == TABLE_CASES && !decider)
        return NULL;
    guard g;
    hcbr_read_options read = m->read;
    guard_begin(&g, progress);
    read.threads = threads ? threads : 1;
    read.notify = guard_notify;
    read.progress = guard_progress;
    read.notify_context = read.progress_context = &g;
    hcbr_status status = decide_table(m, decider, t, &read, &a, &g);
    int failed = guard_end(&g, status);
    if (decider)
        model_return_decider(m, decider);
    return failed ? NULL : Py_NewRef(Py_None);
}
