/*
 * Values of Python as options of the library: numbers, texts, lists, dicts.
 *
 * What has another type, or is no such value, is a ValueError that says what was expected.
 */
#include "options.h"

#include <stdlib.h>
#include <string.h>

static int bad(const char *name, const char *expected, PyObject *found) {
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError) ||
        PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyObject *shown = value_shown(NULL, found);
        if (shown)
            PyErr_Format(PyExc_ValueError, "%s=%U: %s was expected", name, shown, expected);
        Py_XDECREF(shown);
    }
    return -1;
}

/* A whole number, which a boolean is not; NULL with an exception. */
static PyObject *get_whole(PyObject *value) {
    if (!PyBool_Check(value))
        return PyNumber_Index(value);
    PyErr_SetString(PyExc_TypeError, "a boolean");
    return NULL;
}

static int get_double(const char *name, PyObject *value, double *out) {
    *out = PyBool_Check(value) ? -1 : PyFloat_AsDouble(value);
    return PyBool_Check(value) || PyErr_Occurred() ? bad(name, "a number", value) : 0;
}

/* True or False, of numpy, too: 1, 0 or -1. Everything else would count as one of them. */
static int get_flag(const char *name, PyObject *value) {
    PyObject *item =
        PyBool_Check(value) ? Py_NewRef(value)
        : PyObject_HasAttrString(value, "dtype") && PyObject_HasAttrString(value, "item")
            ? PyObject_CallMethod(value, "item", NULL)
            : NULL;
    const int yes = item && PyBool_Check(item) ? item == Py_True : -1;
    Py_XDECREF(item);
    if (yes >= 0)
        return yes;
    PyErr_Clear();
    return bad(name,
               strcmp(name, "past_only") == 0
                   ? "True or False (later rows are later cases; sort the data first)"
                   : "True or False",
               value);
}

static char *get_text(settings *o, const char *name, PyObject *value) {
    Py_ssize_t length;
    const char *text = PyUnicode_Check(value) ? PyUnicode_AsUTF8AndSize(value, &length) : NULL;
    if (!text || strlen(text) != (size_t)length) {
        bad(name, "a str", value);
        return NULL;
    }
    return arena_text(&o->texts, text, (size_t)length);
}

static int set_choice(const option *row, void *to, PyObject *value) {
    for (int i = 0; row->words[i]; i++)
        if (PyUnicode_Check(value) && PyUnicode_CompareWithASCIIString(value, row->words[i]) == 0) {
            *(int *)to = i; // every enumeration of the options counts from 0
            return 0;
        }
    char words[128] = "one of";
    for (int i = 0; row->words[i]; i++) {
        strncat(words, i ? ", " : " ", sizeof words - strlen(words) - 1);
        strncat(words, row->words[i], sizeof words - strlen(words) - 1);
    }
    return bad(row->name, words, value);
}

/* The name of a file: a str, bytes, or an object of pathlib. */
static int set_path(settings *o, const option *row, PyObject *value) {
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(value, &bytes))
        return bad(row->name, "the name of a file", value);
    const char *path = arena_text(&o->texts, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    Py_DECREF(bytes);
    *(const char **)((char *)o + row->at) = path;
    return path ? 0 : -1;
}

static int set_texts(settings *o, const option *row, PyObject *value) {
    size_t before = 0;
    const char *const *missing = row->kind == ADDED ? hcbr_read_default_missing(&before) : NULL;
    if (PyUnicode_Check(value) || PyBytes_Check(value))
        return bad(row->name, "a list of str", value);
    PyObject *list = PySequence_List(value);
    const Py_ssize_t count = list ? PyList_Size(list) : -1;
    const char **texts =
        count < 0 ? NULL : arena_get(&o->texts, before + (size_t)count + 1, sizeof *texts);
    int failed = count < 0 ? bad(row->name, "a list of str", value) : texts ? 0 : -1;
    if (texts && before)
        memcpy(texts, missing, before * sizeof *texts);
    for (Py_ssize_t i = 0; !failed && i < count; i++)
        failed =
            (texts[before + (size_t)i] = get_text(o, row->name, PyList_GetItem(list, i))) ? 0 : -1;
    if (!failed) {
        *(const char *const **)((char *)o + row->at) = texts;
        *(size_t *)((char *)o + row->beside) = before + (size_t)count;
    }
    Py_XDECREF(list);
    return failed;
}

/* A list of whole numbers of 0 or more. */
static int set_counts(settings *o, const option *row, PyObject *value) {
    static const char EXPECTED[] = "a list of whole numbers of 0 or more";
    PyObject *list = PyUnicode_Check(value) ? NULL : PySequence_List(value);
    const Py_ssize_t count = list ? PyList_Size(list) : -1;
    uint32_t *numbers = count < 0 ? NULL : arena_get(&o->texts, (size_t)count + 1, sizeof *numbers);
    int failed = count < 0 ? bad(row->name, EXPECTED, value) : numbers ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *whole = get_whole(PyList_GetItem(list, i));
        unsigned long number = whole ? PyLong_AsUnsignedLong(whole) : 0;
        Py_XDECREF(whole);
        failed = PyErr_Occurred() || number > UINT32_MAX ? bad(row->name, EXPECTED, value) : 0;
        numbers[i] = (uint32_t)number;
    }
    if (!failed && count > 0) {
        *(const uint32_t **)((char *)o + row->at) = numbers;
        *(size_t *)((char *)o + row->beside) = (size_t)count;
    }
    Py_XDECREF(list);
    return failed;
}

/* Other sources: each has a file, the key that it shares, and maybe a name. */
static int set_joins(settings *o, const option *row, PyObject *value) {
    static const char EXPECTED[] = "a dict of files and keys, or (key, name)";
    PyObject *path, *key;
    Py_ssize_t at = 0;
    size_t used = 0;
    if (!PyDict_Check(value))
        return bad(row->name, EXPECTED, value);
    hcbr_join *list = arena_get(&o->texts, (size_t)PyDict_Size(value) + 1, sizeof *list);
    if (!list)
        return -1;
    while (PyDict_Next(value, &at, &path, &key)) {
        const int pair = PyTuple_Check(key) && PyTuple_Size(key) == 2;
        PyObject *bytes = NULL;
        hcbr_join *x = &list[used++];
        if (!PyUnicode_FSConverter(path, &bytes))
            return bad(row->name, EXPECTED, value);
        *x = (hcbr_join){
            .path = arena_text(&o->texts, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes))};
        Py_DECREF(bytes);
        x->key = x->path ? get_text(o, row->name, pair ? PyTuple_GetItem(key, 0) : key) : NULL;
        x->name = x->key && pair ? get_text(o, row->name, PyTuple_GetItem(key, 1)) : NULL;
        if (!x->key || (pair && !x->name))
            return -1;
    }
    o->read.join = list;
    o->read.join_count = used;
    return 0;
}

/* A dict of columns and texts: splits at separators, or types of columns. */
static int set_pairs(settings *o, const option *row, PyObject *value) {
    PyObject *key, *text;
    Py_ssize_t at = 0;
    size_t used = 0;
    if (!PyDict_Check(value))
        return bad(row->name, "a dict of columns and str", value);
    const size_t room = (size_t)PyDict_Size(value) + 1;
    hcbr_split *splits = arena_get(&o->texts, room, sizeof *splits);
    hcbr_type *types = arena_get(&o->texts, room, sizeof *types);
    if (!splits || !types)
        return -1;
    while (PyDict_Next(value, &at, &key, &text)) {
        const char *column = get_text(o, row->name, key);
        const char *said = column ? get_text(o, row->name, text) : NULL;
        if (!said)
            return -1;
        splits[used] = (hcbr_split){column, said};
        types[used++] = (hcbr_type){column, said};
    }
    if (row->kind == SPLITS) {
        o->read.split = splits;
        o->read.split_count = used;
    } else {
        o->read.types = types;
        o->read.type_count = used;
    }
    return 0;
}

/* Thresholds: those of eta and eta_share of one label are one. */
static int set_thresholds(settings *o, const option *row, PyObject *value) {
    PyObject *label, *least;
    Py_ssize_t at = 0;
    if (!PyDict_Check(value))
        return bad(row->name, "a dict of labels and numbers", value);
    size_t used = o->rule.threshold_count;
    hcbr_threshold *list =
        arena_get(&o->texts, used + (size_t)PyDict_Size(value) + 1, sizeof *list);
    if (!list)
        return -1;
    if (used)
        memcpy(list, o->rule.thresholds, used * sizeof *list);
    while (PyDict_Next(value, &at, &label, &least)) {
        const char *name = get_text(o, row->name, label);
        double number;
        if (!name || get_double(row->name, least, &number) != 0)
            return -1;
        size_t i = 0;
        while (i < used && strcmp(list[i].label, name) != 0)
            i++;
        if (i == used)
            list[used++] = (hcbr_threshold){.label = name};
        *(row->kind == ETA ? &list[i].eta : &list[i].eta_share) = number;
    }
    o->rule.thresholds = list;
    o->rule.threshold_count = used;
    return 0;
}

/* Importances: keys are columns, or pairs of a column and a value. */
static int set_emphasis(settings *o, const option *row, PyObject *value) {
    static const char EXPECTED[] = "a dict of columns, or (column, value), and numbers";
    PyObject *key, *number;
    Py_ssize_t at = 0;
    size_t used = 0;
    if (!PyDict_Check(value))
        return bad(row->name, EXPECTED, value);
    hcbr_emphasis *list = arena_get(&o->texts, (size_t)PyDict_Size(value) + 1, sizeof *list);
    if (!list)
        return -1;
    while (PyDict_Next(value, &at, &key, &number)) {
        const int pair = PyTuple_Check(key) && PyTuple_Size(key) == 2;
        hcbr_emphasis *x = &list[used++];
        *x = (hcbr_emphasis){0};
        if (get_double(row->name, number, &x->importance) != 0)
            return -1;
        if (!pair && !PyUnicode_Check(key))
            return bad(row->name, EXPECTED, value);
        x->column = get_text(o, row->name, pair ? PyTuple_GetItem(key, 0) : key);
        if (!x->column)
            return -1;
        if (!pair)
            continue;
        PyObject *text = PyObject_Str(PyTuple_GetItem(key, 1)); // 1 is the value '1'
        x->value = text ? get_text(o, row->name, text) : NULL;
        Py_XDECREF(text);
        if (!x->value)
            return -1;
    }
    o->train.emphasis = list;
    o->train.emphasis_count = used;
    return 0;
}

static int set_cost(settings *o, const option *row, PyObject *value) {
    static const char *const WORDS[] = {"fp", "fn", "unknown"};
    double *const to[] = {&o->tune.cost_fp, &o->tune.cost_fn, &o->tune.cost_unknown};
    if (!PyDict_Check(value))
        return bad(row->name, "a dict of fp, fn and unknown", value);
    Py_ssize_t known = 0;
    for (size_t i = 0; i < 3; i++) {
        PyObject *cost = PyDict_GetItemString(value, WORDS[i]);
        if (!cost)
            continue;
        known++;
        if (get_double(row->name, cost, to[i]) != 0)
            return -1;
    }
    if (known != PyDict_Size(value))
        return bad(row->name, "a dict of fp, fn and unknown", value);
    o->tune.goal = HCBR_GOAL_COST;
    return 0;
}

static int set_count(settings *o, const option *row, PyObject *value) {
    PyObject *whole = get_whole(value);
    unsigned long long number = whole ? PyLong_AsUnsignedLongLong(whole) : 0;
    Py_XDECREF(whole);
    if (PyErr_Occurred() || number < row->least || (row->kind == U32 && number > UINT32_MAX))
        return bad(row->name,
                   row->least ? "a whole number of 1 or more" : "a whole number of 0 or more",
                   value);
    if (row->kind == U64) {
        *(uint64_t *)((char *)o + row->at) = number;
        return 0;
    }
    *(uint32_t *)((char *)o + row->at) = (uint32_t)number;
    if (row->beside)
        *(uint32_t *)((char *)o + row->beside) = (uint32_t)number;
    return 0;
}

static int set_double(settings *o, const option *row, PyObject *value) {
    if (get_double(row->name, value, (double *)((char *)o + row->at)) != 0)
        return -1;
    if (row->kind == MAX_ERROR)
        o->tune.goal = HCBR_GOAL_MAX_ERROR;
    return 0;
}

/* Lines of the header; 0 is what no_header says. */
static int set_header(settings *o, const option *row, PyObject *value) {
    PyObject *whole = get_whole(value);
    long count = whole ? PyLong_AsLong(whole) : -1;
    Py_XDECREF(whole);
    if (PyErr_Occurred() || count < 0 || count > 16)
        return bad(row->name, "a whole number from 0 to 16", value);
    o->read.header = (uint32_t)count;
    o->read.no_header = count == 0;
    return 0;
}

/* A character of ASCII; a mark may also be "none", a delimiter "tab". */
static int set_byte(settings *o, const option *row, PyObject *value) {
    const char *text = get_text(o, row->name, value);
    if (!text)
        return -1;
    if (row->kind == MARK && strcmp(text, "none") == 0) {
        *(int *)((char *)o + row->at) = -1;
        return 0;
    }
    if (row->kind == BYTE && strcmp(text, "tab") == 0)
        text = "\t";
    if (strlen(text) != 1 || (unsigned char)text[0] >= 0x7f ||
        (row->kind == MARK && (unsigned char)text[0] <= ' '))
        return bad(row->name, "a character of ASCII", value);
    *(int *)((char *)o + row->at) = (unsigned char)text[0];
    return 0;
}

int option_set(settings *o, const option *row, PyObject *value) {
    void *to = (char *)o + row->at;
    int yes;
    switch (row->kind) {
    case CHOICE:
    case METRIC:
        return set_choice(row, to, value);
    case FLAG:
        yes = get_flag(row->name, value);
        *(int *)to = yes > 0;
        return yes < 0 ? -1 : 0;
    case NO_LABEL:
        yes = get_flag(row->name, value);
        o->read.label_need = yes > 0 ? HCBR_LABEL_NONE : HCBR_LABEL_NEEDED;
        return yes < 0 ? -1 : 0;
    case CHOOSE:
        yes = get_flag(row->name, value);
        *(double *)to = yes > 0 ? HCBR_PRUNE_CHOOSE : 0;
        return yes < 0 ? -1 : 0;
    case U32:
    case U64:
        return set_count(o, row, value);
    case DOUBLE:
    case BYTES:
    case MAX_ERROR:
        return set_double(o, row, value);
    case BYTE:
    case MARK:
        return set_byte(o, row, value);
    case TEXT:
        *(const char **)to = get_text(o, row->name, value);
        return *(const char **)to ? 0 : -1;
    case PATH:
        return set_path(o, row, value);
    case HEADER:
        return set_header(o, row, value);
    case COUNTS:
        return set_counts(o, row, value);
    case JOINS:
        return set_joins(o, row, value);
    case TEXTS:
    case ADDED:
        return set_texts(o, row, value);
    case SPLITS:
    case TYPES:
        return set_pairs(o, row, value);
    case ETA:
    case ETA_SHARE:
        return set_thresholds(o, row, value);
    case COST:
        return set_cost(o, row, value);
    case EMPHASIS:
        return set_emphasis(o, row, value);
    }
    return -1;
}
