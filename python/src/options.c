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
    TEXT,      /* const char * */
    TEXTS,     /* const char *const *, and the count `beside` */
    SPLITS,    /* dict of column and separator */
    TYPES,     /* dict of column and kind */
    ETA,       /* dict of label and least support */
    ETA_SHARE, /* dict of label and least share */
    METRIC,    /* a goal of tuning */
    MAX_ERROR, /* a goal of tuning */
    COST       /* a goal of tuning: dict of fp, fn and unknown */
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

static const struct row {
    const char *name;
    kind kind;
    size_t at, beside;
    const char *const *words;
    uint64_t least;
} TABLE[] = {
    {"model", CHOICE, AT(train.model), 0, MODELS, 0},
    {"effort", CHOICE, AT(train.effort), 0, EFFORTS, 0},
    {"scope", CHOICE, AT(train.scope), 0, SCOPES, 0},
    {"passes", U32, AT(train.passes), 0, NULL, 0},
    {"seed", U64, AT(train.seed), 0, NULL, 0},
    {"given_order", FLAG, AT(train.given_order), 0, NULL, 0},
    {"threads", U32, AT(train.threads), AT(read.threads), NULL, 1},
    {"keep_cases", CHOICE, AT(train.keep), 0, KEEPS, 0},
    {"calibrate", CHOICE, AT(train.calibrate), 0, CALIBRATES, 0},
    {"min_cases", U32, AT(train.min_cases), 0, NULL, 1},
    {"max_memory", BYTES, AT(train.max_memory), 0, NULL, 0},
    {"numeric", TEXTS, AT(train.numeric), AT(train.numeric_count), NULL, 0},
    {"categorical", TEXTS, AT(train.categorical), AT(train.categorical_count), NULL, 0},
    {"format", CHOICE, AT(read.format), 0, FORMATS, 0},
    {"label", TEXT, AT(read.label), 0, NULL, 0},
    {"id", TEXT, AT(read.id), 0, NULL, 0},
    {"weight", TEXT, AT(read.weight), 0, NULL, 0},
    {"group", TEXT, AT(read.group), 0, NULL, 0},
    {"ignore", TEXTS, AT(read.ignore), AT(read.ignore_count), NULL, 0},
    {"na", TEXTS, AT(read.na), AT(read.na_count), NULL, 0},
    {"type", TYPES, 0, 0, NULL, 0},
    {"dates", CHOICE, AT(read.dates), 0, DATES, 0},
    {"bins", TEXT, AT(read.bins), 0, NULL, 0},
    {"split", SPLITS, AT(read.split), AT(read.split_count), NULL, 0},
    {"text", TEXTS, AT(read.text), AT(read.text_count), NULL, 0},
    {"presence", TEXTS, AT(read.presence), AT(read.presence_count), NULL, 0},
    {"ngrams", U32, AT(read.ngrams), 0, NULL, 1},
    {"min_count", U32, AT(read.min_count), 0, NULL, 1},
    {"no_header", FLAG, AT(read.no_header), 0, NULL, 0},
    {"encoding", TEXT, AT(read.encoding), 0, NULL, 0},
    {"strict", FLAG, AT(read.strict), 0, NULL, 0},
    {"bad_rows", CHOICE, AT(read.bad_rows), 0, BAD_ROWS, 0},
    {"outcomes", TEXT, AT(read.outcomes), 0, NULL, 0},
    {"eta", ETA, 0, 0, NULL, 0},
    {"eta_share", ETA_SHARE, 0, 0, NULL, 0},
    {"fallback", TEXT, AT(rule.fallback), 0, NULL, 0},
    {"memory", FLAG, AT(rule.memory), 0, NULL, 0},
    {"metric", METRIC, AT(tune.goal), 0, METRICS, 0},
    {"max_error", MAX_ERROR, AT(tune.max_error), 0, NULL, 0},
    {"cost", COST, 0, 0, NULL, 0},
    {"confidence", DOUBLE, AT(tune.confidence), 0, NULL, 0},
    {"folds", U32, AT(evaluate.folds), AT(tune.folds), NULL, 1},
    {"repeats", U32, AT(evaluate.repeats), 0, NULL, 1},
    {"holdout", DOUBLE, AT(evaluate.holdout), 0, NULL, 0},
    {"past_only", FLAG, AT(evaluate.past_only), 0, NULL, 0},
    {"positive", TEXT, AT(tune.positive), 0, NULL, 0},
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
