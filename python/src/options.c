/*
 * Options of the library, from a dict with the names of the command line: a `-` is a `_`.
 *
 * One table says what each name sets; options_set.c sets it. Texts are copied into the arena of the
 * options.
 */
#include "options.h"

#include <stddef.h>
#include <string.h>

static const char *const MODELS[] = {"plain", "rich", NULL};
static const char *const EFFORTS[] = {"lite", "normal", "max", NULL};
static const char *const SCOPES[] = {"class", "all", NULL};
static const char *const KEEPS[] = {"none", "anonymous", "full", NULL};
static const char *const EQUALS[] = {"beside", "apart", "together", NULL};
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

static const option TABLE[] = {
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
    SET("belief", PATH, belief),
    SET("prune", CHOOSE, train.prune),
    SET("max_memory", BYTES, train.max_memory),
    LISTED("numeric", TEXTS, train.numeric, train.numeric_count),
    LISTED("categorical", TEXTS, train.categorical, train.categorical_count),
    CHOSEN("format", read.format, FORMATS),
    SET("label", TEXT, read.label),
    SET("id", TEXT, read.id),
    SET("weight", TEXT, read.weight),
    SET("group", TEXT, read.group),
    LISTED("ignore", TEXTS, read.ignore, read.ignore_count),
    LISTED("na", ADDED, read.na, read.na_count),
    LISTED("na_only", TEXTS, read.na, read.na_count),
    OF_ITS_OWN("type", TYPES),
    CHOSEN("dates", read.dates, DATES),
    SET("bins", TEXT, read.bins),
    LISTED("split", SPLITS, read.split, read.split_count),
    LISTED("text", TEXTS, read.text, read.text_count),
    LISTED("presence", TEXTS, read.presence, read.presence_count),
    COUNTED("ngrams", read.ngrams, 1),
    COUNTED("min_count", read.min_count, 1),
    SET("no_header", FLAG, read.no_header),
    OF_ITS_OWN("header", HEADER),
    SET("delimiter", BYTE, read.delimiter),
    SET("quote", MARK, read.quote),
    SET("escape", MARK, read.escape),
    SET("encoding", TEXT, read.encoding),
    SET("strict", FLAG, read.strict),
    CHOSEN("bad_rows", read.bad_rows, BAD_ROWS),
    SET("outcomes", PATH, read.outcomes),
    SET("names", PATH, read.names),
    LISTED("join", JOINS, read.join, read.join_count),
    SET("no_label", NO_LABEL, read.label_need),
    SET("labels_as_they_are", FLAG, read.labels_as_they_are),
    {"max_line", U64, AT(read.max_line), 0, NULL, 1},
    {"max_depth", U64, AT(read.max_depth), 0, NULL, 1},
    {"max_names", U64, AT(read.max_names), 0, NULL, 1},
    COUNTED("max_expand", read.max_expand, 1),
    COUNTED("max_window", read.max_window, 1),
    {"max_grams", U64, AT(read.max_grams), 0, NULL, 1},
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
    CHOSEN("equal_rows", evaluate.equal, EQUALS),
    SET("positive", TEXT, tune.positive),
    {"at", U64, AT(evaluate.at), 0, NULL, 1},
    LISTED("try_passes", COUNTS, tune.passes, tune.pass_count),
    SET("try_scopes", FLAG, tune.choose_scope),
};

_Static_assert(sizeof(size_t) == sizeof(uint64_t), "lengths are set as uint64_t");

static int set_named(settings *o, PyObject *name, PyObject *value) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, TABLE[i].name) == 0)
            return value == Py_None ? 0 : option_set(o, &TABLE[i], value);
    PyErr_Format(PyExc_TypeError, "there is no option %R", name);
    return -1;
}

const option *option_find(const char *name, size_t length) {
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strlen(TABLE[i].name) == length && memcmp(TABLE[i].name, name, length) == 0)
            return &TABLE[i];
    return NULL;
}

static bool is_given(PyObject *dict, const char *name) {
    PyObject *value = PyDict_GetItemString(dict, name);
    return value && value != Py_None;
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
    if (dict && dict != Py_None && is_given(dict, "na") && is_given(dict, "na_only")) {
        PyErr_SetString(PyExc_ValueError,
                        "na adds to the values that na_only gives: name all in one of them");
        return -1;
    }
    o->read.na_only = dict && dict != Py_None && is_given(dict, "na_only");
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
