/*
 * Calls of the library without the GIL, with interrupts, progress, warnings and exceptions.
 *
 * The invariant: between guard_begin() and guard_end() the thread has no GIL, except inside
 * guard_progress() while it calls Python. An exception raised there stays set, and guard_end()
 * reports it.
 */
#include "binding.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static PyObject *base_error, *data_error, *usage_error, *format_error, *data_warning;

/* ---- exceptions ------------------------------------------------------------------------------ */

static PyObject *add(PyObject *module, const char *name, const char *what, PyObject *first,
                     PyObject *second) {
    PyObject *bases = second ? PyTuple_Pack(2, first, second) : PyTuple_Pack(1, first);
    PyObject *made = bases ? PyErr_NewExceptionWithDoc(name, what, bases, NULL) : NULL;
    Py_XDECREF(bases);
    if (made && PyModule_AddObjectRef(module, strchr(name, '.') + 1, made) == 0)
        return made;
    Py_XDECREF(made);
    return NULL;
}

int errors_add(PyObject *module) {
    if (base_error) // a second interpreter or import: the types of the first are used
        return PyModule_AddObjectRef(module, "Error", base_error) ||
                       PyModule_AddObjectRef(module, "DataError", data_error) ||
                       PyModule_AddObjectRef(module, "UsageError", usage_error) ||
                       PyModule_AddObjectRef(module, "ModelError", format_error) ||
                       PyModule_AddObjectRef(module, "DataWarning", data_warning)
                   ? -1
                   : 0;
    base_error = add(module, "hcbr.Error", "What hcbr raises.", PyExc_Exception, NULL);
    if (!base_error)
        return -1;
    data_error = add(module, "hcbr.DataError", "The data cannot be used; says where and why.",
                     base_error, PyExc_ValueError);
    usage_error = add(module, "hcbr.UsageError", "An option or argument has no such value.",
                      base_error, PyExc_ValueError);
    format_error = add(module, "hcbr.ModelError", "Not a model of hcbr, or a damaged one.",
                       base_error, PyExc_ValueError);
    data_warning = add(module, "hcbr.DataWarning", "Something about the data to know.",
                       PyExc_UserWarning, NULL);
    return data_error && usage_error && format_error && data_warning ? 0 : -1;
}

/* The reason with its place, as the program writes it. */
static PyObject *full_message(const hcbr_error *err) {
    PyObject *message = options_spell(err->message);
    PyObject *file = PyUnicode_DecodeUTF8(err->file, (Py_ssize_t)strlen(err->file), "replace");
    PyObject *all = NULL;
    if (message && file && err->file[0] && err->line)
        all = PyUnicode_FromFormat("%U:%llu: %U", file, (unsigned long long)err->line, message);
    else if (message && file && err->file[0])
        all = PyUnicode_FromFormat("%U: %U", file, message);
    else if (message)
        all = Py_NewRef(message);
    Py_XDECREF(message);
    Py_XDECREF(file);
    return all;
}

/* The Python exception for a system error, with which the message of the library ends. */
static PyObject *os_error(const char *message) {
    const struct {
        int number;
        PyObject *type;
    } known[] = {{ENOENT, PyExc_FileNotFoundError},
                 {EACCES, PyExc_PermissionError},
                 {EPERM, PyExc_PermissionError},
                 {EISDIR, PyExc_IsADirectoryError},
                 {ENOTDIR, PyExc_NotADirectoryError}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const char *said = strerror(known[i].number);
        const size_t length = strlen(message), end = strlen(said);
        if (length >= end && strcmp(message + length - end, said) == 0)
            return known[i].type;
    }
    return PyExc_OSError;
}

void errors_raise(const hcbr_error *err) {
    PyObject *type = base_error;
    switch (err->status) {
    case HCBR_EUSAGE:
        type = usage_error;
        break;
    case HCBR_EDATA:
        type = data_error;
        break;
    case HCBR_EFORMAT:
        type = format_error;
        break;
    case HCBR_EIO:
        type = os_error(err->message);
        break;
    case HCBR_ENOMEM:
        type = PyExc_MemoryError;
        break;
    default:
        break;
    }
    PyObject *message = full_message(err);
    if (message)
        PyErr_SetObject(type, message);
    Py_XDECREF(message);
}

void errors_in_column(const char *name) {
    PyObject *type, *value, *trace;
    const bool is_type = PyErr_ExceptionMatches(PyExc_TypeError);
    if (!is_type && !PyErr_ExceptionMatches(PyExc_ValueError))
        return; // of the interpreter, not of the value
    PyErr_Fetch(&type, &value, &trace);
    PyErr_Format(is_type ? PyExc_TypeError : PyExc_ValueError, "column '%s': %S", name,
                 value ? value : Py_None);
    Py_XDECREF(type);
    Py_XDECREF(value);
    Py_XDECREF(trace);
}

/* ---- calls ----------------------------------------------------------------------------------- */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

void guard_begin(guard *g, PyObject *progress) {
    memset(g, 0, sizeof *g);
    g->progress = progress == Py_None ? NULL : progress;
    g->asked = now();
    g->thread = PyEval_SaveThread();
}

int guard_progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    static const double EVERY = 0.05; // seconds: an interrupt is noticed soon, at no cost
    guard *g = context;
    double time = now();
    if (time - g->asked < EVERY)
        return 0;
    g->asked = time;
    PyEval_RestoreThread(g->thread);
    int stop = PyErr_Occurred() || PyErr_CheckSignals() != 0;
    if (!stop && g->progress) {
        PyObject *said = PyObject_CallFunction(g->progress, "sKK", stage, (unsigned long long)done,
                                               (unsigned long long)total);
        stop = !said;
        Py_XDECREF(said);
    }
    g->thread = PyEval_SaveThread();
    return stop;
}

void guard_notify(void *context, hcbr_notice kind, const hcbr_error *where) {
    guard *g = context;
    size_t length = strlen(where->message) + 1;
    if (kind != HCBR_WARNING)
        return;
    char *more = realloc(g->notices, g->notice_size + length);
    if (!more)
        return; // a warning less
    memcpy(more + g->notice_size, where->message, length);
    g->notices = more;
    g->notice_size += length;
}

/* Give the warnings; 0, or -1 if a warning is an exception. */
static int warn(guard *g) {
    int failed = 0;
    for (size_t at = 0; at < g->notice_size && !failed; at += strlen(g->notices + at) + 1) {
        // Not PyErr_WarnEx(): the text may hold anything, and must be UTF-8 to become a str.
        PyObject *text = options_spell(g->notices + at);
        failed = text ? PyErr_WarnFormat(data_warning, 2, "%U", text) : -1;
        Py_XDECREF(text);
    }
    return failed;
}

int guard_end(guard *g, hcbr_status status) {
    PyEval_RestoreThread(g->thread);
    int failed = 0;
    if (status != HCBR_OK) {
        failed = -1;
        if (!PyErr_Occurred())
            errors_raise(&g->err);
    } else if (PyErr_Occurred()) {
        failed = -1; // interrupted after all was done
    } else {
        failed = warn(g);
    }
    free(g->notices);
    g->notices = NULL;
    return failed;
}
