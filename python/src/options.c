/*
 * Options of the library, from a dict with the names of the command line: a `-` is a `_`.
 *
 * One table says what each name sets. Texts are copied into the arena of the options.
 */
#include "binding.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

typedef enum kind {
    CHOICE,    /* an enumeration: one of the words, by its number */
    FLAG,      /* int */
    U32,       /* uint32_t, at least `least` */
    U64,       /* uint64_t, likewise */
    DOUBLE,    /* double */
    BYTES,     /* double that is a number of bytes */
    BYTE,      /* int: an ASCII character */
    TEXT,      /* const char * */
    TEXTS,     /* const char *const *, and the count `beside` */
    SPLITS,    /* dict of column and separator */
    TYPES,     /* dict of column and kind */
    ETA,       /* dict of label and least support */
    ETA_SHARE, /* dict of label and least share */
    METRIC,    /* a goal of tuning */
    MAX_ERROR, /* a goal of tuning */
    COST,      /* a goal of tuning: dict of fp, fn and unknown */
    EMPHASIS   /* dict of columns, or of columns with values, and numbers */
} kind;

static const char *const MODELS[] = {"plain", "rich", NULL};
static const char *const EFFORTS[] = {"lite", "normal", "max", NULL};
static const char *const SCOPES[] = {"class", "all", NULL};
static const char *const KEEPS[] = {"none", "anonymous", "full", NULL};
static const char *const CALIBRATES[] = {"none", "platt", "isotonic", NULL};
static const char *const BAD_ROWS[] = {"stop", "skip", "auto", NULL};
static const char *const DATES[] = {"auto", "dmy", "mdy", NULL};
static const char *const FORMATS[] = {"auto",  "csv",  "tsv",   "libsvm",
                                      "jsonl", "text", "cases", NULL};
static const char *const METRICS[] = {"none", "accuracy", "balanced", "f1", "mcc", NULL};

#define AT(field) offsetof(settings, field)
#define SET(name, kind, field)                                                                     \
    { name, kind, AT(field), 0, NULL, 0 }
#define CHOSEN(name, field, words)                                                                 \
    { name, CHOICE, AT(field), 0, words, 0 }
#define COUNTED(name, field, least)                                                                \
    { name, U32, AT(field), 0, NULL, least }
#define LISTED(name, kind, field, count)                                                           \
    { name, kind, AT(field), AT(count), NULL, 0 }
#define OF_ITS_OWN(name, kind)                                                                     \
    { name, kind, 0, 0, NULL, 0 }

static const struct row {
    const char *name;
    kind kind;
    size_t at, beside;
    const char *const *words;
    uint64_t least;
} TABLE[] = {
    CHOSEN("model", train.model, MODELS),
    CHOSEN("effort", train.effort, EFFORTS),
    CHOSEN("scope", train.scope, SCOPES),
    COUNTED("passes", train.passes, 0),
    SET("seed", U64, train.seed),
    SET("given_order", FLAG, train.given_order),
    {"threads", U32, AT(train.threads), AT(read.threads), NULL, 1},
    CHOSEN("keep_cases", train.keep, KEEPS),
    CHOSEN("calibrate", train.calibrate, CALIBRATES),
    COUNTED("min_cases", train.min_cases, 1),
    OF_ITS_OWN("importance", EMPHASIS),
    SET("max_memory", BYTES, train.max_memory),
    LISTED("numeric", TEXTS, train.numeric, train.numeric_count),
    LISTED("categorical", TEXTS, train.categorical, train.categorical_count),
    CHOSEN("format", read.format, FORMATS),
    SET("label", TEXT, read.label),
    SET("id", TEXT, read.id),
    SET("weight", TEXT, read.weight),
    SET("group", TEXT, read.group),
    LISTED("ignore", TEXTS, read.ignore, read.ignore_count),
    LISTED("na", TEXTS, read.na, read.na_count),
    OF_ITS_OWN("type", TYPES),
    CHOSEN("dates", read.dates, DATES),
    SET("bins", TEXT, read.bins),
    LISTED("split", SPLITS, read.split, read.split_count),
    LISTED("text", TEXTS, read.text, read.text_count),
    LISTED("presence", TEXTS, read.presence, read.presence_count),
    COUNTED("ngrams", read.ngrams, 1),
    COUNTED("min_count", read.min_count, 1),
    SET("no_header", FLAG, read.no_header),
    SET("delimiter", BYTE, read.delimiter),
    SET("encoding", TEXT, read.encoding),
    SET("strict", FLAG, read.strict),
    CHOSEN("bad_rows", read.bad_rows, BAD_ROWS),
    SET("outcomes", TEXT, read.outcomes),
    OF_ITS_OWN("eta", ETA),
    OF_ITS_OWN("eta_share", ETA_SHARE),
    SET("fallback", TEXT, rule.fallback),
    SET("memory", FLAG, rule.memory),
    {"metric", METRIC, AT(tune.goal), 0, METRICS, 0},
    SET("max_error", MAX_ERROR, tune.max_error),
    OF_ITS_OWN("cost", COST),
    SET("confidence", DOUBLE, tune.confidence),
    {"folds", U32, AT(evaluate.folds), AT(tune.folds), NULL, 1},
    COUNTED("repeats", evaluate.repeats, 1),
    SET("holdout", DOUBLE, evaluate.holdout),
    SET("past_only", FLAG, evaluate.past_only),
    SET("positive", TEXT, tune.positive),
};

static int bad(const char *name, const char *expected, PyObject *found) {
    if (!PyErr_Occurred() || PyErr_ExceptionMatches(PyExc_OverflowError) ||
        PyErr_ExceptionMatches(PyExc_TypeError)) {
        PyErr_Clear();
        PyErr_Format(PyExc_ValueError, "%s=%R: %s was expected", name, found, expected);
    }
    return -1;
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

static int set_choice(const struct row *row, void *to, PyObject *value) {
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

static int set_texts(settings *o, const struct row *row, PyObject *value) {
    if (PyUnicode_Check(value) || PyBytes_Check(value))
        return bad(row->name, "a list of str", value);
    PyObject *list = PySequence_List(value);
    const Py_ssize_t count = list ? PyList_Size(list) : -1;
    const char **texts = count < 0 ? NULL : arena_get(&o->texts, (size_t)count + 1, sizeof *texts);
    int failed = count < 0 ? bad(row->name, "a list of str", value) : texts ? 0 : -1;
    for (Py_ssize_t i = 0; !failed && i < count; i++)
        failed = (texts[i] = get_text(o, row->name, PyList_GetItem(list, i))) ? 0 : -1;
    if (!failed) {
        *(const char *const **)((char *)o + row->at) = texts;
        *(size_t *)((char *)o + row->beside) = (size_t)count;
    }
    Py_XDECREF(list);
    return failed;
}

/* A dict of columns and texts: splits at separators, or types of columns. */
static int set_pairs(settings *o, const struct row *row, PyObject *value) {
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
static int set_thresholds(settings *o, const struct row *row, PyObject *value) {
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
        double number = name ? PyFloat_AsDouble(least) : -1;
        if (!name || (number == -1 && PyErr_Occurred()))
            return name ? bad(row->name, "numbers", value) : -1;
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
static int set_emphasis(settings *o, const struct row *row, PyObject *value) {
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
        *x = (hcbr_emphasis){.importance = PyFloat_AsDouble(number)};
        if (x->importance == -1 && PyErr_Occurred())
            return bad(row->name, EXPECTED, value);
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

static int set_cost(settings *o, const struct row *row, PyObject *value) {
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
        *to[i] = PyFloat_AsDouble(cost);
        if (*to[i] == -1 && PyErr_Occurred())
            return bad(row->name, "numbers", value);
    }
    if (known != PyDict_Size(value))
        return bad(row->name, "a dict of fp, fn and unknown", value);
    o->tune.goal = HCBR_GOAL_COST;
    return 0;
}

static int set_count(settings *o, const struct row *row, PyObject *value) {
    PyObject *whole = PyNumber_Index(value);
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

static int set_double(settings *o, const struct row *row, PyObject *value) {
    double number = PyFloat_AsDouble(value);
    if (PyErr_Occurred())
        return bad(row->name, "a number", value);
    *(double *)((char *)o + row->at) = number;
    if (row->kind == MAX_ERROR)
        o->tune.goal = HCBR_GOAL_MAX_ERROR;
    return 0;
}

static int set_byte(settings *o, const struct row *row, PyObject *value) {
    const char *text = get_text(o, row->name, value);
    if (!text)
        return -1;
    if (strlen(text) != 1)
        return bad(row->name, "a character of ASCII", value);
    *(int *)((char *)o + row->at) = (unsigned char)text[0];
    return 0;
}

static int set(settings *o, const struct row *row, PyObject *value) {
    void *to = (char *)o + row->at;
    int yes;
    switch (row->kind) {
    case CHOICE:
    case METRIC:
        return set_choice(row, to, value);
    case FLAG:
        yes = PyObject_IsTrue(value);
        *(int *)to = yes > 0;
        return yes < 0 ? -1 : 0;
    case U32:
    case U64:
        return set_count(o, row, value);
    case DOUBLE:
    case BYTES:
    case MAX_ERROR:
        return set_double(o, row, value);
    case BYTE:
        return set_byte(o, row, value);
    case TEXT:
        *(const char **)to = get_text(o, row->name, value);
        return *(const char **)to ? 0 : -1;
    case TEXTS:
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

static int set_named(settings *o, PyObject *name, PyObject *value) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, TABLE[i].name) == 0)
            return value == Py_None ? 0 : set(o, &TABLE[i], value);
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
    if (dict && dict != Py_None && !PyDict_Check(dict)) {
        PyErr_SetString(PyExc_TypeError, "options must be a dict");
        return -1;
    }
    while (dict && dict != Py_None && PyDict_Next(dict, &at, &name, &value))
        if (set_named(o, name, value) != 0)
            return -1;
    o->train.read = &o->read;
    o->train.rule = &o->rule;
    if (o->tune.goal != HCBR_GOAL_NONE)
        o->train.tune = &o->tune;
    if (o->train.model == HCBR_MODEL_PLAIN)
        o->read.numbers = HCBR_NUMBERS_SPELLED;
    return 0;
}

PyObject *options_names(PyObject *module, PyObject *unused) {
    (void)module, (void)unused;
    const Py_ssize_t count = sizeof TABLE / sizeof *TABLE;
    PyObject *list = PyList_New(count);
    for (Py_ssize_t i = 0; list && i < count; i++) {
        PyObject *name = PyUnicode_FromString(TABLE[i].name);
        if (!name || PyList_SetItem(list, i, name) != 0)
            Py_CLEAR(list);
    }
    return list;
}

void options_clear(settings *o) {
    arena_clear(&o->texts);
}
