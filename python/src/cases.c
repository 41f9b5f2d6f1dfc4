/*
 * Cases that were read from files, to learn from more than once, and to look at.
 *
 * The list is finished and never changes: any number of threads may learn from it.
 */
#include "binding.h"

#include <string.h>

static PyObject *text_of(const char *text, size_t length) {
    return PyUnicode_DecodeUTF8(text, (Py_ssize_t)length, "replace");
}

static void cases_dealloc(PyObject *self) {
    PyTypeObject *type = Py_TYPE(self);
    hcbr_cases_free(((cases_object *)self)->cases);
    PyObject_Free(self);
    Py_DECREF(type);
}

/* Keep the cases: they are not freed after the call. */
static hcbr_status keep(void *to, hcbr_cases *cases, settings *o, guard *g) {
    (void)g;
    *(hcbr_cases **)to = cases;
    o->keeps_cases = true;
    return HCBR_OK;
}

static PyObject *cases_read(PyObject *type, PyObject *args, PyObject *keywords) {
    const module_state *state = PyType_GetModuleState((PyTypeObject *)type);
    hcbr_cases *read = NULL;
    if (cases_use(state, args, keywords, keep, (void *)&read) != 0) {
        hcbr_cases_free(read);
        return NULL;
    }
    cases_object *made = PyObject_New(cases_object, (PyTypeObject *)type);
    if (made)
        made->cases = read;
    else
        hcbr_cases_free(read);
    return (PyObject *)made;
}

static hcbr_case case_at(PyObject *self, uint64_t i) {
    hcbr_case one = {.size = sizeof one};
    hcbr_cases_get(((cases_object *)self)->cases, i, &one);
    return one;
}

static uint64_t count_of(PyObject *self) {
    return hcbr_cases_count(((cases_object *)self)->cases);
}

/* ---- columns other than features ------------------------------------------------------------- */

static PyObject *cases_rows(PyObject *self, void *unused) {
    (void)unused;
    return PyLong_FromUnsignedLongLong(count_of(self));
}

static PyObject *cases_label(PyObject *self, void *unused) {
    (void)unused;
    const char *name = hcbr_cases_get_info(((cases_object *)self)->cases).label_column;
    return text_of(name, strlen(name));
}

static PyObject *cases_labels(PyObject *self, void *unused) {
    (void)unused;
    const hcbr_cases *cases = ((cases_object *)self)->cases;
    const uint32_t count = hcbr_cases_get_info(cases).labels;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t i = 0; list && i < count; i++) {
        size_t length;
        const char *text = hcbr_cases_get_label(cases, (hcbr_label)i, &length);
        PyObject *name = text_of(text, length);
        if (!name || PyList_SetItem(list, (Py_ssize_t)i, name) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *cases_codes(PyObject *self, void *unused) {
    (void)unused;
    PyObject *list = PyList_New((Py_ssize_t)count_of(self));
    for (uint64_t i = 0; list && i < count_of(self); i++) {
        PyObject *code = PyLong_FromLong(case_at(self, i).label);
        if (!code || PyList_SetItem(list, (Py_ssize_t)i, code) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *cases_weights(PyObject *self, void *unused) {
    (void)unused;
    PyObject *list = PyList_New((Py_ssize_t)count_of(self));
    for (uint64_t i = 0; list && i < count_of(self); i++) {
        PyObject *weight = PyFloat_FromDouble(case_at(self, i).weight);
        if (!weight || PyList_SetItem(list, (Py_ssize_t)i, weight) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *cases_ids(PyObject *self, void *unused) {
    (void)unused;
    PyObject *list = PyList_New((Py_ssize_t)count_of(self));
    for (uint64_t i = 0; list && i < count_of(self); i++) {
        const hcbr_case one = case_at(self, i);
        PyObject *id = one.id ? text_of(one.id, one.id_length) : Py_NewRef(Py_None);
        if (!id || PyList_SetItem(list, (Py_ssize_t)i, id) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* ---- features -------------------------------------------------------------------------------- */

static PyObject *cases_names(PyObject *self, void *unused) {
    (void)unused;
    const hcbr_cases *cases = ((cases_object *)self)->cases;
    const uint32_t count = hcbr_cases_get_info(cases).keys;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t k = 0; list && k < count; k++) {
        hcbr_feature key;
        hcbr_cases_get_key_name(cases, k, &key);
        PyObject *name = text_of(key.key, key.key_length);
        if (!name || PyList_SetItem(list, (Py_ssize_t)k, name) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* The values of all features, each once: None for a bare key. */
static PyObject *all_values(const hcbr_cases *cases) {
    const uint32_t count = hcbr_cases_get_info(cases).features;
    PyObject *list = PyList_New((Py_ssize_t)count);
    for (uint32_t f = 0; list && f < count; f++) {
        hcbr_feature x;
        hcbr_cases_get_feature(cases, f, &x);
        PyObject *text = x.value ? text_of(x.value, x.value_length) : Py_NewRef(Py_None);
        if (!text || PyList_SetItem(list, (Py_ssize_t)f, text) != 0)
            Py_CLEAR(list);
    }
    return list;
}

/* A value of a case: its key's number and its type, for a pair. A new reference or NULL. */
static PyObject *pair_of(uint32_t key, PyObject *value) {
    PyObject *number = PyLong_FromUnsignedLong(key);
    PyObject *pair = number && value ? PyTuple_Pack(2, number, value) : NULL;
    Py_XDECREF(number);
    return pair;
}

static PyObject *case_values(const hcbr_cases *cases, const hcbr_case *one, PyObject *values) {
    PyObject *list = PyList_New((Py_ssize_t)(one->feature_count + one->number_count));
    for (size_t j = 0; list && j < one->feature_count; j++) {
        const uint32_t f = one->features[j];
        PyObject *pair =
            pair_of(hcbr_cases_get_key(cases, f), PyList_GetItem(values, (Py_ssize_t)f));
        if (!pair || PyList_SetItem(list, (Py_ssize_t)j, pair) != 0)
            Py_CLEAR(list);
    }
    for (size_t j = 0; list && j < one->number_count; j++) {
        char text[HCBR_NUMBER_SIZE];
        size_t length = hcbr_number_format(text, one->numbers[j]);
        PyObject *value = text_of(text, length);
        PyObject *pair = pair_of(one->number_keys[j], value);
        Py_XDECREF(value);
        if (!pair || PyList_SetItem(list, (Py_ssize_t)(one->feature_count + j), pair) != 0)
            Py_CLEAR(list);
    }
    return list;
}

static PyObject *cases_values(PyObject *self, PyObject *unused) {
    (void)unused;
    const hcbr_cases *cases = ((cases_object *)self)->cases;
    PyObject *values = all_values(cases);
    PyObject *list = values ? PyList_New((Py_ssize_t)count_of(self)) : NULL;
    for (uint64_t i = 0; list && i < count_of(self); i++) {
        const hcbr_case one = case_at(self, i);
        PyObject *pairs = case_values(cases, &one, values);
        if (!pairs || PyList_SetItem(list, (Py_ssize_t)i, pairs) != 0)
            Py_CLEAR(list);
    }
    Py_XDECREF(values);
    return list;
}

static PyMethodDef METHODS[] = {
    {"read", (PyCFunction)(void (*)(void))cases_read, METH_VARARGS | METH_KEYWORDS | METH_CLASS,
     "read(data, ...): as Model.fit()."},
    {"values", (PyCFunction)cases_values, METH_NOARGS,
     "Of each case its values: pairs of the number of a name and a text, None for a bare key."},
    {NULL, NULL, 0, NULL}};

static PyGetSetDef GETTERS[] = {
    {"rows", cases_rows, NULL, "How many cases.", NULL},
    {"names", cases_names, NULL, "Names of columns or keys.", NULL},
    {"label", cases_label, NULL, "Where the labels come from.", NULL},
    {"labels", cases_labels, NULL, "All labels, in their order.", NULL},
    {"codes", cases_codes, NULL, "The label of each case: its number.", NULL},
    {"weights", cases_weights, NULL, "The weight of each case.", NULL},
    {"ids", cases_ids, NULL, "The name of each case, or None.", NULL},
    {NULL, NULL, NULL, NULL, NULL}};

static PyType_Slot SLOTS[] = {{Py_tp_dealloc, (void *)cases_dealloc},
                              {Py_tp_methods, METHODS},
                              {Py_tp_getset, GETTERS},
                              {Py_tp_doc, "Cases to learn from, read once."},
                              {0, NULL}};

PyType_Spec cases_spec = {.name = "hcbr._hcbr.Cases",
                          .basicsize = sizeof(cases_object),
                          .flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION,
                          .slots = SLOTS};
