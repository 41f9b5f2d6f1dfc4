/*
 * Arrays of numpy, described by their __array_interface__.
 *
 * The buffer protocol is not in the limited interface before CPython 3.11. An array has the same
 * information in a dict. Only true arrays of numpy are accepted: another object could name any
 * address.
 */
#include "binding.h"

#include <string.h>

static PyObject *array_type; /* numpy.ndarray, once it was needed */

static int is_array(PyObject *object) {
    if (!array_type) {
        PyObject *numpy = PyImport_ImportModule("numpy");
        array_type = numpy ? PyObject_GetAttrString(numpy, "ndarray") : NULL;
        Py_XDECREF(numpy);
        if (!array_type)
            return -1;
    }
    return (PyObject *)Py_TYPE(object) == array_type;
}

static int get_type(PyObject *typestr, numpy_array *out) {
    static const struct {
        char kind;
        int item;
        hcbr_memory_type type;
    } TYPES[] = {{'f', 8, HCBR_MEMORY_F64}, {'f', 4, HCBR_MEMORY_F32}, {'f', 2, HCBR_MEMORY_F16},
                 {'i', 1, HCBR_MEMORY_I8},  {'i', 2, HCBR_MEMORY_I16}, {'i', 4, HCBR_MEMORY_I32},
                 {'i', 8, HCBR_MEMORY_I64}, {'u', 1, HCBR_MEMORY_U8},  {'u', 2, HCBR_MEMORY_U16},
                 {'u', 4, HCBR_MEMORY_U32}, {'u', 8, HCBR_MEMORY_U64}, {'b', 1, HCBR_MEMORY_BOOL}};
    const char *text = PyUnicode_AsUTF8AndSize(typestr, NULL);
    if (!text)
        return -1;
    const uint16_t one = 1;
    const char native = *(const char *)&one ? '<' : '>';
    for (size_t i = 0; i < sizeof TYPES / sizeof *TYPES; i++)
        if (strlen(text) == 3 && (text[0] == native || text[0] == '|') &&
            text[1] == TYPES[i].kind && text[2] == '0' + TYPES[i].item) {
            out->type = TYPES[i].type;
            out->kind = TYPES[i].kind;
            out->item = TYPES[i].item;
            return 0;
        }
    PyErr_Format(PyExc_TypeError, "an array of type %U cannot be used as it is", typestr);
    return -1;
}

static int get_numbers(PyObject *tuple, int count, int64_t *out) {
    for (int i = 0; i < count; i++) {
        PyObject *item = PyTuple_GetItem(tuple, i);
        out[i] = item ? PyLong_AsLongLong(item) : -1;
        if (out[i] == -1 && PyErr_Occurred())
            return -1;
    }
    return 0;
}

/* Borrowed; NULL with an exception if it is not there. */
static PyObject *get(PyObject *dict, const char *name) {
    PyObject *found = PyDict_GetItemString(dict, name);
    if (!found)
        PyErr_Format(PyExc_ValueError, "__array_interface__ has no %s", name);
    return found;
}

static int describe(PyObject *dict, numpy_array *out) {
    PyObject *shape, *data, *typestr, *strides = PyDict_GetItemString(dict, "strides");
    if (!(shape = get(dict, "shape")) || !(data = get(dict, "data")) ||
        !(typestr = get(dict, "typestr")) || get_type(typestr, out) != 0)
        return -1;
    out->dimensions = (int)PyTuple_Size(shape);
    if (out->dimensions < 1 || out->dimensions > 2) {
        PyErr_Format(PyExc_ValueError, "an array of %d dimensions was found, expected 1 or 2",
                     out->dimensions);
        return -1;
    }
    if (get_numbers(shape, out->dimensions, out->shape) != 0)
        return -1;
    if (strides && strides != Py_None) {
        if (get_numbers(strides, out->dimensions, out->strides) != 0)
            return -1;
    } else {
        out->strides[out->dimensions - 1] = out->item;
        if (out->dimensions == 2)
            out->strides[0] = out->item * out->shape[1];
    }
    out->data = PyLong_AsVoidPtr(PyTuple_GetItem(data, 0));
    out->writable = PyTuple_GetItem(data, 1) == Py_False;
    return PyErr_Occurred() ? -1 : 0;
}

int array_get(PyObject *object, numpy_array *out) {
    memset(out, 0, sizeof *out);
    int good = is_array(object);
    if (good < 0)
        return -1;
    if (!good) {
        PyErr_Format(PyExc_TypeError, "an array of numpy was expected, not %R",
                     (PyObject *)Py_TYPE(object));
        return -1;
    }
    PyObject *dict = PyObject_GetAttrString(object, "__array_interface__");
    int failed = dict && PyDict_Check(dict) ? describe(dict, out) : -1;
    Py_XDECREF(dict);
    return failed;
}

int array_flat(PyObject *object, const char *what, hcbr_memory_type type, uint64_t count,
               numpy_array *out) {
    if (array_get(object, out) != 0)
        return -1;
    uint64_t items = (uint64_t)out->shape[0];
    bool flat = out->shape[0] <= 1 || out->strides[0] == out->item;
    if (out->dimensions == 2) {
        items *= (uint64_t)out->shape[1];
        flat = items <= 1 ||
               (out->strides[1] == out->item && out->strides[0] == out->item * out->shape[1]);
    }
    if (out->type != type || !flat || items != count) {
        PyErr_Format(PyExc_ValueError, "%s: an array of another type, shape or order was expected",
                     what);
        return -1;
    }
    return 0;
}
