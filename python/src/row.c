/*
 * Rows: new cases as a model sees them, resolved once. An explanation keeps its row, for all that
 * is asked of the case later.
 */
#include "binding.h"

PyObject *row_wrap(PyObject *m, hcbr_row *made) {
    const module_state *state = PyType_GetModuleState(Py_TYPE(m));
    row_object *row = (row_object *)PyType_GenericAlloc((PyTypeObject *)state->row_type, 0);
    if (!row) {
        hcbr_row_free(made);
        return NULL;
    }
    row->model = Py_NewRef(m); // whose names the row points to
    row->row = made;
    return (PyObject *)row;
}

static void row_dealloc(PyObject *self) {
    row_object *row = (row_object *)self;
    PyTypeObject *type = Py_TYPE(self);
    hcbr_row_free(row->row);
    Py_XDECREF(row->model);
    PyObject_Free(self);
    Py_DECREF(type);
}

hcbr_row *row_of(const model *m, PyObject *object) {
    const module_state *state = PyType_GetModuleState(Py_TYPE((PyObject *)m));
    if ((PyObject *)Py_TYPE(object) == state->row_type)
        return ((row_object *)object)->row;
    PyErr_SetString(PyExc_TypeError, "a Row of the model was expected");
    return NULL;
}

/* Pairs (key, value) of Python; value None: a bare key. */
static int get_pairs(features *f, PyObject *object) {
    PyObject *list = PySequence_List(object);
    int failed = list ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < PyList_Size(list); i++) {
        PyObject *pair = PyList_GetItem(list, i);
        PyObject *key = PySequence_GetItem(pair, 0),
                 *value = key ? PySequence_GetItem(pair, 1) : NULL;
        Py_ssize_t lengths[2] = {0, 0};
        hcbr_feature one = {0};
        failed = -1;
        if (value && (one.key = PyUnicode_AsUTF8AndSize(key, &lengths[0])) &&
            (value == Py_None || (one.value = PyUnicode_AsUTF8AndSize(value, &lengths[1])))) {
            one.key_length = (size_t)lengths[0];
            one.value_length = (size_t)lengths[1];
            failed = features_put(f, &one);
        }
        Py_XDECREF(key);
        Py_XDECREF(value);
    }
    Py_XDECREF(list);
    return failed;
}

PyObject *model_row(PyObject *self, PyObject *pairs) {
    model *m = (model *)self;
    features f = {0};
    hcbr_row *made = NULL;
    hcbr_error err;
    hcbr_decider *decider = get_pairs(&f, pairs) == 0 ? model_take_decider(m) : NULL;
    if (decider) {
        if (hcbr_row_create(&made, decider, f.items, f.count, &err) != HCBR_OK)
            errors_raise(&err);
        model_return_decider(m, decider);
    }
    features_clear(&f);
    return made ? row_wrap(self, made) : NULL;
}

static PyObject *row_features(PyObject *self, void *closure) {
    hcbr_row_info info = {.size = sizeof info};
    (void)closure;
    hcbr_row_get(((row_object *)self)->row, &info);
    PyObject *list = PyList_New((Py_ssize_t)info.feature_count);
    for (size_t i = 0; list && i < info.feature_count; i++) {
        const hcbr_feature *f = &info.features[i];
        PyObject *pair = Py_BuildValue("(s#z#)", f->key, (Py_ssize_t)f->key_length, f->value,
                                       (Py_ssize_t)f->value_length);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)i, pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* For pickle: the model makes it again. */
static PyObject *row_reduce(PyObject *self, PyObject *unused) {
    (void)unused;
    PyObject *make = PyObject_GetAttrString(((row_object *)self)->model, "row");
    PyObject *list = make ? row_features(self, NULL) : NULL;
    PyObject *both = list ? Py_BuildValue("(O(O))", make, list) : NULL;
    Py_XDECREF(make);
    Py_XDECREF(list);
    return both;
}

static PyMethodDef METHODS[] = {{"__reduce__", row_reduce, METH_NOARGS, NULL},
                                {NULL, NULL, 0, NULL}};

static PyGetSetDef GETTERS[] = {
    {"features", row_features, NULL, "Pairs of key and value; None: a bare key.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_dealloc, (void *)row_dealloc},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GETTERS},
                              {Py_tp_doc, "A new case as a model sees it."},
                              {0, NULL}};

PyType_Spec row_spec = {.name = "hcbr._hcbr.Row",
                        .basicsize = sizeof(row_object),
                        .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                        .slots = SLOTS};
