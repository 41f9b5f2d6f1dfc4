/*
 * Options of the library, from a dict with their names.
 *
 * The library's table has their types and reads their values from text; here values of Python
 * become such texts. A value of another type, or an invalid one, raises a ValueError with the
 * expected values.
 */
#include "binding.h"

#include <stdlib.h>
#include <string.h>

/* An option that is being set. */
typedef struct setting {
    settings *o;
    const hcbr_option *option;
    PyObject *value;
} setting;

const hcbr_option *option_find(const char *name, size_t length) {
    const hcbr_option *x;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++)
        if (strlen(x->name) == length && memcmp(x->name, name, length) == 0)
            return x;
    return NULL;
}

/* ---- failures -------------------------------------------------------------------------------- */

static int bad(const setting *s, const char *expected) {
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError) ||
        PyErr_ExceptionMatches(PyExc_TypeError) || PyErr_ExceptionMatches(PyExc_ValueError)) {
        PyErr_Clear();
        PyObject *shown = value_shown(NULL, s->value);
        if (shown)
            PyErr_Format(PyExc_ValueError, "%s=%U: %s was expected", s->option->name, shown,
                         expected);
        Py_XDECREF(shown);
    }
    return -1;
}

/* Raise the library's message about a text: "option NAME TEXT: ..." is about the value. */
static int refused(const setting *s, const char *text, const hcbr_error *err) {
    char begin[256];
    snprintf(begin, sizeof begin, "option %s %.160s: ", s->option->name,
             text && *text ? text : "''");
    const size_t length = strlen(begin);
    if (err->status != HCBR_EUSAGE || strncmp(err->message, begin, length) != 0) {
        errors_raise(err);
        return -1;
    }
    PyObject *shown = value_shown(NULL, s->value), *said = options_spell(err->message + length);
    if (shown && said)
        PyErr_Format(PyExc_ValueError, "%s=%U: %U", s->option->name, shown, said);
    Py_XDECREF(shown);
    Py_XDECREF(said);
    return -1;
}

/* ---- values as text, in the arena of the settings; NULL with an exception -------------------- */

static const char *str_text(const setting *s, PyObject *item, const char *expected) {
    Py_ssize_t length;
    const char *text = PyUnicode_Check(item) ? PyUnicode_AsUTF8AndSize(item, &length) : NULL;
    if (!text || strlen(text) != (size_t)length) {
        bad(s, expected);
        return NULL;
    }
    return arena_text(&s->o->texts, text, (size_t)length);
}

/* A file: a str, bytes, or an object of pathlib. */
static const char *path_text(const setting *s, PyObject *item) {
    PyObject *bytes = NULL;
    if (!PyUnicode_FSConverter(item, &bytes)) {
        bad(s, "the name of a file");
        return NULL;
    }
    const char *text =
        arena_text(&s->o->texts, PyBytes_AsString(bytes), (size_t)PyBytes_Size(bytes));
    Py_DECREF(bytes);
    return text;
}

/* A whole number, which a boolean is not. `real`: a float counts too, without its decimals. */
static const char *count_text(const setting *s, PyObject *item, bool real) {
    char expected[64], text[24];
    snprintf(expected, sizeof expected, "a whole number of %llu or more",
             (unsigned long long)s->option->least);
    PyObject *whole = PyBool_Check(item)            ? NULL
                      : real && PyFloat_Check(item) ? PyNumber_Long(item)
                                                    : PyNumber_Index(item);
    const unsigned long long number = whole ? PyLong_AsUnsignedLongLong(whole) : 0;
    const bool failed = !whole || PyErr_Occurred();
    Py_XDECREF(whole);
    if (failed) {
        bad(s, expected);
        return NULL;
    }
    snprintf(text, sizeof text, "%llu", number);
    return arena_text(&s->o->texts, text, strlen(text));
}

static const char *number_text(const setting *s, PyObject *item) {
    char text[HCBR_NUMBER_SIZE];
    const double number = PyBool_Check(item) ? -1 : PyFloat_AsDouble(item);
    if (PyBool_Check(item) || PyErr_Occurred()) {
        bad(s, "a number");
        return NULL;
    }
    hcbr_number_format(text, number);
    return arena_text(&s->o->texts, text, strlen(text));
}

/* True or False, also of numpy. Any other object would be true or false, too. */
static const char *flag_text(const setting *s) {
    PyObject *value = s->value;
    PyObject *item =
        PyBool_Check(value) ? Py_NewRef(value)
        : PyObject_HasAttrString(value, "dtype") && PyObject_HasAttrString(value, "item")
            ? PyObject_CallMethod(value, "item", NULL)
            : NULL;
    const char *text = !item || !PyBool_Check(item) ? NULL : item == Py_True ? "true" : "false";
    Py_XDECREF(item);
    if (text)
        return text;
    PyErr_Clear();
    bad(s, strcmp(s->option->name, "past_only") == 0
               ? "True or False (later rows are later cases; sort the data first)"
               : "True or False");
    return NULL;
}

/* ---- setting --------------------------------------------------------------------------------- */

static int put(const setting *s, const char *name, const char *text) {
    hcbr_error err;
    return hcbr_options_set(&s->o->all, name, text, &err) == HCBR_OK ? 0 : refused(s, text, &err);
}

/* A text of a list, its commas marked. */
static char *put_item(char *to, const char *text) {
    for (; *text; text++) {
        if (*text == ',')
            *to++ = '\\';
        *to++ = *text;
    }
    *to = '\0';
    return to;
}

/* A list: its items joined by commas. An item that ends with a backslash, which would escape the
 * comma, is the last of its text; the next text adds to the list. */
static int set_list(const setting *s, bool texts) {
    const char *expected = texts ? "a list of str" : "a list of whole numbers of 0 or more";
    if (PyUnicode_Check(s->value) || PyBytes_Check(s->value))
        return bad(s, expected);
    PyObject *list = PySequence_List(s->value);
    const Py_ssize_t count = list ? PyList_Size(list) : -1;
    const char **items =
        count < 0 ? NULL : arena_get(&s->o->texts, (size_t)count + 1, sizeof *items);
    int failed = count < 0 ? bad(s, expected) : items ? 0 : -1;
    size_t bytes = 1;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        PyObject *item = PyList_GetItem(list, i);
        items[i] = texts ? str_text(s, item, expected) : count_text(s, item, false);
        failed = items[i] ? 0 : -1;
        bytes += failed ? 0 : 2 * strlen(items[i]) + 1;
    }
    char *joined = failed ? NULL : arena_get(&s->o->texts, bytes, 1), *to = joined;
    if (!failed && count == 0)
        failed = put(s, s->option->name, NULL);
    for (Py_ssize_t i = 0; joined && !failed && i < count; i++) {
        to = put_item(to, items[i]);
        if (i + 1 < count && (to == joined || to[-1] != '\\')) {
            *to++ = ',';
            continue;
        }
        failed = put(s, s->option->name, joined);
        to = joined;
    }
    Py_XDECREF(list);
    return failed || (count > 0 && !joined) ? -1 : 0;
}

/* A source to join: KEY@NAME of a key, or of (key, name). */
static const char *join_text(const setting *s, PyObject *item, const char *expected) {
    const bool pair = PyTuple_Check(item) && PyTuple_Size(item) == 2;
    const char *key = str_text(s, pair ? PyTuple_GetItem(item, 0) : item, expected);
    const char *name = key && pair ? str_text(s, PyTuple_GetItem(item, 1), expected) : "";
    if (!key || !name)
        return NULL;
    if (strchr(name, '@')) {
        bad(s, "a name without @");
        return NULL;
    }
    const size_t size = strlen(key) + strlen(name) + 2;
    char *text = arena_get(&s->o->texts, size, 1);
    if (text)
        snprintf(text, size, "%s@%s", key, name);
    return text;
}

/* A dict of columns, labels or files, and of their settings. */
static int set_dict(const setting *s) {
    const bool values = s->option->kind == HCBR_OPTION_VALUES;
    const bool join = strcmp(s->option->name, "join") == 0;
    const char *expected = values ? "a dict of names and numbers"
                           : join ? "a dict of files and keys, or (key, name)"
                                  : "a dict of columns and str";
    PyObject *key, *item;
    Py_ssize_t at = 0;
    if (!PyDict_Check(s->value))
        return bad(s, expected);
    if (PyDict_Size(s->value) == 0)
        return put(s, s->option->name, NULL);
    while (PyDict_Next(s->value, &at, &key, &item)) {
        const char *first = join ? path_text(s, key) : str_text(s, key, expected);
        const char *text = !first   ? NULL
                           : values ? number_text(s, item)
                           : join   ? join_text(s, item, expected)
                                    : str_text(s, item, expected);
        const size_t size = text ? strlen(s->option->name) + strlen(first) + 2 : 0;
        char *name = text ? arena_get(&s->o->texts, size, 1) : NULL;
        if (!name)
            return -1;
        snprintf(name, size, "%s.%s", s->option->name, first);
        if (put(s, name, text) != 0)
            return -1;
    }
    return 0;
}

/* Importances: keys are columns, or pairs of a column and a value. */
static int set_emphasis(const setting *s) {
    static const char EXPECTED[] = "a dict of columns, or (column, value), and numbers";
    PyObject *key, *number;
    Py_ssize_t at = 0;
    size_t used = 0;
    if (!PyDict_Check(s->value))
        return bad(s, EXPECTED);
    hcbr_emphasis *list = arena_get(&s->o->texts, (size_t)PyDict_Size(s->value) + 1, sizeof *list);
    if (!list)
        return -1;
    while (PyDict_Next(s->value, &at, &key, &number)) {
        const bool pair = PyTuple_Check(key) && PyTuple_Size(key) == 2;
        hcbr_emphasis *x = &list[used++];
        *x = (hcbr_emphasis){0};
        x->importance = PyBool_Check(number) ? -1 : PyFloat_AsDouble(number);
        if (PyBool_Check(number) || PyErr_Occurred())
            return bad(s, "a number");
        x->column = str_text(s, pair ? PyTuple_GetItem(key, 0) : key, EXPECTED);
        if (!x->column)
            return -1;
        if (!pair)
            continue;
        PyObject *text = PyObject_Str(PyTuple_GetItem(key, 1)); // 1 is the value '1'
        x->value = text ? str_text(s, text, EXPECTED) : NULL;
        Py_XDECREF(text);
        if (!x->value)
            return -1;
    }
    s->o->train.emphasis = list;
    s->o->train.emphasis_count = used;
    return 0;
}

static int set_option(const setting *s) {
    const hcbr_option *x = s->option;
    const char *text = NULL;
    if (strcmp(x->name, "importance") == 0)
        return set_emphasis(s);
    switch (x->kind) {
    case HCBR_OPTION_TEXTS:
    case HCBR_OPTION_COUNTS:
        return set_list(s, x->kind == HCBR_OPTION_TEXTS);
    case HCBR_OPTION_PAIRS:
    case HCBR_OPTION_VALUES:
        return set_dict(s);
    case HCBR_OPTION_FLAG:
        text = flag_text(s);
        break;
    case HCBR_OPTION_COUNT:
    case HCBR_OPTION_SIZE:
        text = count_text(s, s->value, x->real);
        break;
    case HCBR_OPTION_SHARE:
        text = number_text(s, s->value);
        break;
    case HCBR_OPTION_FILE:
        text = path_text(s, s->value);
        break;
    case HCBR_OPTION_WORD:
    case HCBR_OPTION_CHARACTER:
    case HCBR_OPTION_TEXT:
        text = str_text(s, s->value, "a str");
    }
    return text ? put(s, x->name, text) : -1;
}

static int set_named(settings *o, PyObject *name, PyObject *value) {
    Py_ssize_t length = 0;
    const char *text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &length) : NULL;
    const setting s = {o, text ? option_find(text, (size_t)length) : NULL, value};
    if (s.option)
        return value == Py_None ? 0 : set_option(&s);
    if (!PyErr_Occurred())
        PyErr_Format(PyExc_TypeError, "there is no option %R", name);
    return -1;
}

int options_get(settings *o, PyObject *dict) {
    PyObject *name, *value;
    Py_ssize_t at = 0;
    memset(o, 0, sizeof *o);
    hcbr_read_options_init(&o->read);
    hcbr_train_options_init(&o->train);
    hcbr_tune_options_init(&o->tune);
    o->tune.goal = HCBR_GOAL_NONE; // until a goal is given
    hcbr_evaluate_options_init(&o->evaluate);
    hcbr_rule_init(&o->rule);
    o->all = (hcbr_options){.read = &o->read,
                            .train = &o->train,
                            .rule = &o->rule,
                            .tune = &o->tune,
                            .evaluate = &o->evaluate};
    if (dict && dict != Py_None && !PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "options must be a dict");
        return -1;
    }
    while (dict && dict != Py_None && PyDict_Next(dict, &at, &name, &value))
        if (set_named(o, name, value) != 0)
            return -1;
    o->train.read = &o->read;
    o->train.rule = &o->rule;
    o->evaluate.train = &o->train;
    if (o->tune.goal != HCBR_GOAL_NONE)
        o->train.tune = &o->tune;
    if (o->train.model == HCBR_MODEL_PLAIN)
        o->read.numbers = HCBR_NUMBERS_SPELLED;
    return 0;
}

void options_clear(settings *o) {
    hcbr_options_clear(&o->all);
    arena_clear(&o->texts);
}

/* ---- the table for Python -------------------------------------------------------------------- */

PyObject *options_table(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    const hcbr_option *x;
    PyObject *all = PyDict_New();
    for (size_t i = 0; all && (x = hcbr_option_at(i)); i++) {
        if (PyDict_GetItemString(all, x->name)) // another meaning of it
            continue;
        PyObject *help = options_spell(x->help);
        if (!help || PyDict_SetItemString(all, x->name, help) != 0)
            Py_CLEAR(all);
        Py_XDECREF(help);
    }
    return all;
}
