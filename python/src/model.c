/*
 * Models: loading, saving, bytes, and their figures.
 *
 * A model never changes. Deciders and explainers hold working memory of one call: a call takes one
 * from the list of its model, or makes one, and puts it back. The lists are changed with the GIL
 * held only, and a fork holds the GIL: in the child they have the unused ones. Threads of the
 * library live during its calls only, so a fork needs no other action.
 */
#include "binding.h"

#include <string.h>

/* ---- working memory -------------------------------------------------------------------------- */

hcbr_decider *model_take_decider(model *m) {
    if (m->decider_count)
        return m->deciders[--m->decider_count];
    hcbr_decider *made = NULL;
    hcbr_error err;
    if (hcbr_decider_create(&made, m->model, NULL, &err) != HCBR_OK)
        errors_raise(&err);
    return made;
}

void model_return_decider(model *m, hcbr_decider *decider) {
    if (m->decider_count < SPARE)
        m->deciders[m->decider_count++] = decider;
    else
        hcbr_decider_free(decider);
}

static void model_dealloc(PyObject *self) {
    model *m = (model *)self;
    PyTypeObject *type = Py_TYPE(self);
    while (m->decider_count)
        hcbr_decider_free(m->deciders[--m->decider_count]);
    while (m->explainer_count)
        hcbr_explainer_free(m->explainers[--m->explainer_count]);
    hcbr_index_free(m->index);
    hcbr_model_free(m->model);
    Py_XDECREF(m->labels);
    Py_XDECREF(m->label_names);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* ---- making ---------------------------------------------------------------------------------- */

/* The value that a label was given as. */
static PyObject *label_value(const hcbr_model *of, hcbr_label label, const char *name) {
    hcbr_label_info info = {.size = sizeof info};
    double number = 0;
    hcbr_model_get_label_info(of, label, &info);
    switch (info.type) {
    case HCBR_LABEL_TYPE_BOOLEAN:
        return PyBool_FromLong(strcmp(name, "true") == 0);
    case HCBR_LABEL_TYPE_INTEGER:
        return PyLong_FromString(name, NULL, 10);
    case HCBR_LABEL_TYPE_NUMBER:
        if (hcbr_number_parse(&number, name, strlen(name)))
            return PyFloat_FromDouble(number);
        break;
    case HCBR_LABEL_TYPE_TEXT:
        break;
    }
    return PyUnicode_FromString(name);
}

static PyObject *label_names(const hcbr_model *of, uint32_t count, bool typed) {
    PyObject *tuple = PyTuple_New((Py_ssize_t)count);
    for (uint32_t i = 0; tuple && i < count; i++) {
        size_t length;
        const char *name = hcbr_model_get_label(of, (hcbr_label)i, &length);
        PyObject *one = typed ? label_value(of, (hcbr_label)i, name)
                              : PyUnicode_DecodeUTF8(name, (Py_ssize_t)length, "strict");
        if (!one || PyTuple_SetItem(tuple, (Py_ssize_t)i, one) != 0)
            Py_CLEAR(tuple);
    }
    return tuple;
}

PyObject *model_wrap(PyTypeObject *type, hcbr_model *made) {
    model *m = (model *)PyType_GenericAlloc(type, 0); // cleared
    if (!m) {
        hcbr_model_free(made);
        return NULL;
    }
    m->model = made;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(made, &info);
    hcbr_model_get_read_options(made, &m->read);
    m->has_probability = info.model == HCBR_MODEL_RICH || info.calibrate != HCBR_CALIBRATE_NONE;
    m->is_plain_reading = m->read.split_count == 0 && m->read.text_count == 0 &&
                          m->read.presence_count == 0 && m->read.join_count == 0;
    m->label_count = info.labels;
    m->labels = label_names(made, info.labels, true);
    m->label_names = label_names(made, info.labels, false);
    if (!m->labels || !m->label_names)
        Py_CLEAR(m);
    return (PyObject *)m;
}

static PyObject *model_load(PyObject *type, PyObject *path) {
    PyObject *bytes = NULL;
    hcbr_model *made = NULL;
    guard g;
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    const char *name = PyBytes_AsString(bytes);
    guard_begin(&g, NULL);
    hcbr_status status = hcbr_model_load(&made, name, &g.err);
    int failed = guard_end(&g, status);
    Py_DECREF(bytes);
    if (failed) {
        hcbr_model_free(made);
        return NULL;
    }
    return model_wrap((PyTypeObject *)type, made);
}

static PyObject *model_from_bytes(PyObject *type, PyObject *object) {
    char *bytes;
    Py_ssize_t size;
    hcbr_model *made = NULL;
    guard g;
    if (PyBytes_AsStringAndSize(object, &bytes, &size) != 0)
        return NULL;
    guard_begin(&g, NULL); // bytes do not change, and the caller holds them
    hcbr_status status = hcbr_model_parse(&made, bytes, (size_t)size, &g.err);
    if (guard_end(&g, status) != 0) {
        hcbr_model_free(made);
        return NULL;
    }
    return model_wrap((PyTypeObject *)type, made);
}

static PyObject *model_save(PyObject *self, PyObject *path) {
    PyObject *bytes = NULL;
    guard g;
    if (!PyUnicode_FSConverter(path, &bytes))
        return NULL;
    const char *name = PyBytes_AsString(bytes);
    guard_begin(&g, NULL);
    hcbr_status status = hcbr_model_save(((model *)self)->model, name, &g.err);
    int failed = guard_end(&g, status);
    Py_DECREF(bytes);
    return failed ? NULL : Py_NewRef(Py_None);
}

static PyObject *model_to_bytes(PyObject *self, PyObject *unused) {
    (void)unused;
    void *bytes = NULL;
    size_t size = 0;
    guard g;
    guard_begin(&g, NULL);
    hcbr_status status = hcbr_model_serialize(((model *)self)->model, &bytes, &size, &g.err);
    PyObject *made = NULL;
    if (guard_end(&g, status) == 0)
        made = PyBytes_FromStringAndSize(bytes, (Py_ssize_t)size);
    hcbr_bytes_free(bytes);
    return made;
}

/* For pickle: objects that depend on the model share one. */
static PyObject *model_reduce(PyObject *self, PyObject *unused) {
    PyObject *make = PyObject_GetAttrString((PyObject *)Py_TYPE(self), "from_bytes");
    PyObject *bytes = make ? model_to_bytes(self, unused) : NULL;
    PyObject *args = bytes ? PyTuple_Pack(1, bytes) : NULL;
    PyObject *both = args ? PyTuple_Pack(2, make, args) : NULL;
    Py_XDECREF(make);
    Py_XDECREF(bytes);
    Py_XDECREF(args);
    return both;
}

/* ---- properties of a model ------------------------------------------------------------------- */

static PyObject *model_labels(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(((model *)self)->labels);
}

static PyObject *model_label_names(PyObject *self, void *unused) {
    (void)unused;
    return Py_NewRef(((model *)self)->label_names);
}

static PyObject *model_has_probability(PyObject *self, void *unused) {
    (void)unused;
    return PyBool_FromLong(((model *)self)->has_probability);
}

/* The same object as the program's `inspect --json`. */
static PyObject *model_inspect(PyObject *self, PyObject *args) {
    Py_ssize_t top = 0;
    hcbr_writer *w = NULL;
    guard g;
    if (!PyArg_ParseTuple(args, "|n:inspect", &top))
        return NULL;
    guard_begin(&g, NULL);
    hcbr_status status = hcbr_writer_create(&w, NULL, NULL, &g.err);
    if (status == HCBR_OK) {
        hcbr_writer_watch(w, guard_progress, &g);
        status = hcbr_json_inspection(w, ((model *)self)->model, top < 0 ? 0 : (size_t)top, &g.err);
    }
    PyObject *text = NULL;
    if (guard_end(&g, status) == 0) {
        size_t length;
        const char *bytes = hcbr_writer_get(w, &length);
        text = PyUnicode_DecodeUTF8(bytes, (Py_ssize_t)length, "strict");
    }
    hcbr_writer_free(w);
    return text;
}

static PyMethodDef METHODS[] = {
    {"fit", (PyCFunction)(void (*)(void))model_fit, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "fit(data, codes, labels, weight, options, progress): a model of a table or of files."},
    {"load", (PyCFunction)model_load, METH_O | METH_CLASS, "load(path): a model from a file."},
    {"from_bytes", (PyCFunction)model_from_bytes, METH_O | METH_CLASS,
     "from_bytes(bytes): a model from the bytes of a file."},
    {"save", (PyCFunction)model_save, METH_O, "save(path): completely, or not at all."},
    {"to_bytes", (PyCFunction)model_to_bytes, METH_NOARGS, "The bytes that save() writes."},
    {"__reduce__", model_reduce, METH_NOARGS, "For pickle."},
    {"inspect", (PyCFunction)model_inspect, METH_VARARGS, "inspect(top=0): what it holds, JSON."},
    {"decide", (PyCFunction)(void (*)(void))model_decide, METH_VARARGS | METH_KEYWORDS,
     "decide(table, label, probability, support, lead, known, reason, threads, progress)."},
    {"predict_one", (PyCFunction)model_predict_one, METH_O, "predict_one(case): an Answer."},
    {"explain", (PyCFunction)(void (*)(void))model_explain, METH_VARARGS | METH_KEYWORDS,
     "explain(table, atoms, cases, threads, progress): JSON Lines and a Row for each."},
    {"reasons", (PyCFunction)(void (*)(void))model_reasons, METH_VARARGS | METH_KEYWORDS,
     "reasons(case, ...): JSON and HTML of a Row."},
    {"summary", model_summary, METH_VARARGS,
     "summary(cases, most=10): JSON of the reasons of many Rows together."},
    {"row", model_row, METH_O, "row(features): a Row of pairs of key and value."},
    {"importance", (PyCFunction)model_importance, METH_VARARGS,
     "importance(most=0): (name, importance, lead, cases) of each column."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef GETTERS[] = {
    {"labels", model_labels, NULL, "Labels as they were given, in the order of the model.", NULL},
    {"label_names", model_label_names, NULL, "The same as texts.", NULL},
    {"has_probability", model_has_probability, NULL, "Whether answers have probabilities.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_dealloc, (void *)model_dealloc},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GETTERS},
                              {Py_tp_doc, "A model; it never changes."},
                              {0, NULL}};

PyType_Spec model_spec = {.name = "hcbr._hcbr.Model",
                          .basicsize = sizeof(model),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = SLOTS};
