/*
 * Values of Python as texts for the library: those that a file or a column in memory would give
 * (hcbr/columns.h). Equal numbers of any type are one text.
 */
#include "binding.h"

#include <math.h>
#include <string.h>

bool value_is_list(PyObject *object) {
    return PyList_Check(object) || PyTuple_Check(object) || PyAnySet_Check(object);
}

bool value_is_array(PyObject *object) {
    // The most frequent types are tested first; numbers of numpy are not sequences.
    if (PyUnicode_Check(object) || PyFloat_Check(object) || PyLong_Check(object) ||
        !PySequence_Check(object) || !PyObject_HasAttrString(object, "__array_interface__"))
        return false;
    PyObject *dimensions = PyObject_GetAttrString(object, "ndim");
    long count = dimensions && PyLong_Check(dimensions) ? PyLong_AsLong(dimensions) : 0;
    Py_XDECREF(dimensions);
    PyErr_Clear();
    return count == 1;
}

void value_clear(value_text *v) {
    Py_CLEAR(v->owner);
}

static int from_str(PyObject *object, value_text *out) {
    Py_ssize_t length;
    out->text = PyUnicode_AsUTF8AndSize(object, &length); // fails for lone surrogates
    if (!out->text)
        return -1;
    out->length = (size_t)length;
    out->owner = Py_NewRef(object);
    return 0;
}

static int from_double(double value, value_text *out) {
    if (isnan(value))
        return 0;
    if (value == 0)
        value = 0; // minus zero is 0
    out->length = hcbr_number_format(out->room, value);
    out->text = out->room;
    return 0;
}

static int from_int(PyObject *object, value_text *out) {
    int overflow;
    long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    if (value == -1 && PyErr_Occurred())
        return -1;
    if (overflow) {
        PyObject *digits = PyObject_Str(object);
        int failed = digits ? from_str(digits, out) : -1;
        Py_XDECREF(digits);
        return failed;
    }
    char *end = out->room + sizeof out->room, *at = end;
    unsigned long long rest =
        value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do
        *--at = (char)('0' + rest % 10);
    while (rest /= 10);
    if (value < 0)
        *--at = '-';
    out->text = at;
    out->length = (size_t)(end - at);
    return 0;
}

/* The moment in UTC, as columns of Arrow have it; the object itself if it has no time zone. */
static PyObject *in_utc(PyObject *object) {
    PyObject *zone = PyObject_HasAttrString(object, "astimezone")
                         ? PyObject_GetAttrString(object, "tzinfo")
                         : Py_NewRef(Py_None);
    PyObject *moved = zone == Py_None ? Py_NewRef(object) : NULL;
    if (zone && !moved) {
        PyObject *module = PyImport_ImportModule("datetime");
        PyObject *zones = module ? PyObject_GetAttrString(module, "timezone") : NULL;
        PyObject *utc = zones ? PyObject_GetAttrString(zones, "utc") : NULL;
        moved = utc ? PyObject_CallMethod(object, "astimezone", "O", utc) : NULL;
        Py_XDECREF(module);
        Py_XDECREF(zones);
        Py_XDECREF(utc);
    }
    Py_XDECREF(zone);
    return moved;
}

/* The text that a date or a time has in a file: a fraction without zeros at its end, UTC as Z. */
static PyObject *date_text(PyObject *object) {
    PyObject *moved = in_utc(object);
    PyObject *text = moved ? PyObject_CallMethod(moved, "isoformat", NULL) : NULL;
    Py_XDECREF(moved);
    if (!text || !PyUnicode_Check(text))
        return text;
    Py_ssize_t length;
    char room[64];
    const char *bytes = PyUnicode_AsUTF8AndSize(text, &length);
    if (!bytes || length >= (Py_ssize_t)sizeof room)
        return text; // invalid UTF-8 is refused later
    memcpy(room, bytes, (size_t)length + 1);
    char *zone = strstr(room, "+00:00");
    if (zone && !zone[6])
        memcpy(zone, "Z", 2);
    char *point = strchr(room, '.'), *end = point ? point + 1 + strspn(point + 1, "0123456789") : 0;
    for (char *last = end; last && last[-1] == '0'; last--)
        memmove(last - 1, last, strlen(last) + 1);
    Py_DECREF(text);
    return PyUnicode_FromString(room);
}

/* A value of an unusual type: a number of numpy by its own value, a date by its ISO text, a missing
 * value of pandas. */
static int from_other(PyObject *object, value_text *out) {
    PyObject *item = NULL, *text = NULL;
    int failed = -1;
    if (PyObject_HasAttrString(object, "isoformat")) {
        PyObject *self_equal = PyObject_RichCompare(object, object, Py_EQ); // NaT is not itself
        int same = self_equal ? PyObject_IsTrue(self_equal) : -1;
        Py_XDECREF(self_equal);
        if (same < 0)
            return -1;
        if (!same)
            return 0;
        text = date_text(object);
        failed = text && PyUnicode_Check(text) ? from_str(text, out) : -1;
    } else if (PyObject_HasAttrString(object, "dtype") && PyObject_HasAttrString(object, "item")) {
        item = PyObject_CallMethod(object, "item", NULL);
        if (!item && PyErr_ExceptionMatches(PyExc_ValueError)) // an array of several values
            PyErr_Clear();
        if (item && Py_TYPE(item) != Py_TYPE(object) &&
            (PyUnicode_Check(item) || PyLong_Check(item) || PyFloat_Check(item) ||
             item == Py_None || PyObject_HasAttrString(item, "isoformat")))
            failed = value_get(item, out);
        else if (!PyErr_Occurred())
            PyErr_Format(PyExc_TypeError, "a value of type %R cannot be a feature",
                         (PyObject *)Py_TYPE(object));
    } else {
        PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
        bool missing = name && PyUnicode_CompareWithASCIIString(name, "NAType") == 0;
        bool exact = name && (PyUnicode_CompareWithASCIIString(name, "Decimal") == 0 ||
                              PyUnicode_CompareWithASCIIString(name, "UUID") == 0);
        Py_XDECREF(name);
        if (missing)
            return 0;
        if (exact) {
            text = PyObject_Str(object);
            failed = text ? from_str(text, out) : -1;
        } else {
            PyErr_Format(PyExc_TypeError, "a value of type %R cannot be a feature",
                         (PyObject *)Py_TYPE(object));
        }
    }
    if (failed && !PyErr_Occurred())
        PyErr_SetString(PyExc_TypeError, "isoformat() must give a str");
    Py_XDECREF(item);
    Py_XDECREF(text);
    return failed;
}

int value_get(PyObject *object, value_text *out) {
    out->text = NULL;
    out->length = 0;
    out->owner = NULL;
    if (PyUnicode_Check(object))
        return from_str(object, out);
    if (object == Py_None)
        return 0;
    if (object == Py_True || object == Py_False) {
        out->text = object == Py_True ? "true" : "false";
        out->length = strlen(out->text);
        return 0;
    }
    if (PyFloat_Check(object))
        return from_double(PyFloat_AsDouble(object), out);
    if (PyLong_Check(object))
        return from_int(object, out);
    return from_other(object, out);
}

static bool is_short(PyObject *object) {
    return object == Py_None || PyUnicode_Check(object) || PyLong_Check(object) ||
           PyFloat_Check(object);
}

PyObject *value_shown(PyObject *module, PyObject *object) {
    static const Py_ssize_t MOST = 60; // characters
    (void)module;
    PyObject *item = NULL, *said = NULL;
    if (!is_short(object) && PyObject_HasAttrString(object, "dtype"))
        item = PyObject_CallMethod(object, "item", NULL); // fails for several values
    PyErr_Clear();
    if (is_short(item ? item : object))
        said = PyObject_Repr(item ? item : object); // fails for numbers of very many digits
    Py_XDECREF(item);
    PyErr_Clear();
    if (said && PyUnicode_GetLength(said) > MOST) {
        PyObject *cut = PyUnicode_Substring(said, 0, MOST);
        Py_DECREF(said);
        said = cut ? PyUnicode_FromFormat("%U...", cut) : NULL;
        Py_XDECREF(cut);
        return said;
    }
    if (said)
        return said;
    PyObject *name = PyObject_GetAttrString((PyObject *)Py_TYPE(object), "__name__");
    said = name ? PyUnicode_FromFormat("<%U>", name) : NULL;
    Py_XDECREF(name);
    return said;
}
