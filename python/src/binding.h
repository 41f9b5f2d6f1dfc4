/*
 * Shared by the files of the extension module.
 *
 * The module uses the limited interface of CPython 3.10 and the public headers of libhcbr, nothing
 * else. Functions that can fail return -1 or NULL with a Python exception set, as CPython's do.
 */
#ifndef HCBR_PYTHON_BINDING_H
#define HCBR_PYTHON_BINDING_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <hcbr/hcbr.h>

#include <stdbool.h>

/* ---- calls of the library without the GIL (guard.c) ------------------------------------------ */

/* A call of the library: the GIL is released from guard_begin() to guard_end(). The progress
 * function takes it back now and then, to let signals interrupt and to report. Notices are kept
 * and become Python warnings at the end. */
typedef struct guard {
    PyThreadState *thread;
    PyObject *progress; /* callable (stage, done, total), or NULL; borrowed */
    double asked;       /* when the GIL was last taken, in seconds */
    char *notices;      /* warnings, each NUL-terminated */
    size_t notice_size;
    hcbr_error err;
} guard;

void guard_begin(guard *g, PyObject *progress);
/* Take the GIL back, give the warnings, and turn a failure into an exception: 0, or -1. */
int guard_end(guard *g, hcbr_status status);
int guard_progress(void *context, const char *stage, uint64_t done, uint64_t total);
void guard_notify(void *context, hcbr_notice kind, const hcbr_error *where);

/* Make the exceptions of the module; 0 or -1. */
int errors_add(PyObject *module);
/* Raise the Python exception for a failure of the library. */
void errors_raise(const hcbr_error *err);
/* Say in the exception that is set, if it is of a value, which column has it. */
void errors_in_column(const char *name);

/* ---- memory of a result's lifetime (arena.c) ------------------------------------------------- */

/* Blocks that are released together. Zero it to start. */
typedef struct arena {
    struct arena_block *last;
} arena;

/* Aligned for any type, not cleared; NULL with MemoryError. */
void *arena_get(arena *a, size_t count, size_t size);
/* A NUL-terminated copy of a text. */
char *arena_text(arena *a, const char *text, size_t length);
void arena_clear(arena *a);

/* ---- arrays of numpy (array.c) --------------------------------------------------------------- */

/* An array of numpy as its __array_interface__ describes it. */
typedef struct numpy_array {
    char *data;
    hcbr_memory_type type;
    char kind; /* of its type string: b i u f */
    int item;  /* bytes */
    int dimensions;
    int64_t shape[2], strides[2]; /* in bytes */
    bool writable;
} numpy_array;

/* Describe an array of one or two dimensions of booleans or numbers; 0 or -1. The array must stay
 * alive as long as `out` is used. */
int array_get(PyObject *object, numpy_array *out);
/* The same of an array whose items follow each other, of a type, with `count` of them. */
int array_flat(PyObject *object, const char *what, hcbr_memory_type type, uint64_t count,
               numpy_array *out);

/* ---- values of Python as text (value.c) ------------------------------------------------------ */

/* A text; `room` holds it where no object does. */
typedef struct value_text {
    const char *text; /* NULL: missing */
    size_t length;
    PyObject *owner; /* of the text; NULL: none */
    char room[HCBR_NUMBER_SIZE];
} value_text;

/* The text that a number, boolean or string is, None and NaN are missing; 0 or -1. */
int value_get(PyObject *object, value_text *out);
void value_clear(value_text *v);
/* A value for a message: short, and without the content of a user's object. */
PyObject *value_shown(PyObject *module, PyObject *object);
/* Whether it is a list, tuple, set or frozenset. */
bool value_is_list(PyObject *object);
/* Whether it is an array of one dimension. As the value of a column it is used like a list. */
bool value_is_array(PyObject *object);

/* ---- cases as Python objects (case.c) -------------------------------------------------------- */

/* Features of one or more cases. Zero it to start; texts are copied. */
typedef struct features {
    arena texts;
    hcbr_feature *items;
    size_t count, room;
    const hcbr_read_options *options; /* for missing values and the roles of keys */
    bool any_word;                    /* a case was a text */
} features;

/* Add the features of a dict, set, list, tuple or text; 0 or -1. */
int features_add(features *f, PyObject *one);
/* Add a copy of a feature; 0 or -1. */
int features_put(features *f, const hcbr_feature *one);
void features_clear(features *f);

/* ---- tables (table.c, columns.c) ------------------------------------------------------------- */

typedef enum table_kind {
    TABLE_COLUMNS,
    TABLE_ARROW,
    TABLE_SPARSE,
    TABLE_CASES, /* to be decided: features */
    TABLE_LINES  /* to learn from: lines of jsonl */
} table_kind;

/* A table to learn from or to decide. It never changes. */
typedef struct table {
    PyObject ob_base;
    table_kind kind;
    uint64_t rows;
    PyObject *keep; /* list of objects whose memory is described */
    arena made;
    hcbr_memory_column *columns; /* TABLE_COLUMNS */
    size_t column_count;
    struct ArrowSchema *schema; /* TABLE_ARROW: of all batches */
    struct ArrowSchema *owned;  /* the one that came from a stream, to be released */
    struct ArrowArray **batches;
    size_t batch_count;
    struct ArrowArray *pulled; /* batches that came from a stream, to be released */
    size_t pulled_count;
    hcbr_sparse sparse; /* TABLE_SPARSE */
    features cases;     /* TABLE_CASES */
    size_t *starts;     /* of each case: its first feature or byte; rows + 1 of them */
    hcbr_writer *lines; /* TABLE_LINES: each case as an object of JSON */
} table;

/* Objects of a list as texts, or as lists of texts: a column of Arrow, in the arena. 0 or -1. */
int texts_column(arena *a, PyObject *list, struct ArrowSchema *schema, struct ArrowArray *out);
/* A flat array of numpy as a column of Arrow. 0 or -1. */
int array_column(arena *a, const numpy_array *from, struct ArrowSchema *schema,
                 struct ArrowArray *out);
/* The release function of memory owned by the arena: it only marks the structure. */
void arrow_schema_done(struct ArrowSchema *schema);
void arrow_array_done(struct ArrowArray *done);

extern PyType_Spec table_spec;

/* ---- cases to learn from (lines.c) ----------------------------------------------------------- */

/* Lines of jsonl that a table, labels and weights are read as. */
typedef struct lines {
    const table *t;
    const int64_t *codes;
    const double *weight, *group; /* NULL: none */
    const char *weight_key, *group_key;
    char **begins; /* of each label: how its lines begin */
    const char *bodies;
    arena made;
    hcbr_writer *line;
    const char *text; /* of the line that is being read */
    size_t length, used;
    uint64_t row;
} lines;

/* A value as JSON: texts and numbers as strings. 0 or -1. */
int json_write(hcbr_writer *w, PyObject *value, int depth);
/* A case as an object of JSON. 0 or -1. */
int lines_add(hcbr_writer *w, PyObject *one);
/* Prepare to read; t, codes and weight are set. 0 or -1. */
int lines_open(lines *l, const char *const *labels, size_t count, const hcbr_read_options *read);
void lines_close(lines *l);
/* The function that opens LINES_PATH; its context is the lines. */
hcbr_status lines_input(void *context, const char *path, hcbr_input *input, hcbr_error *err);
extern const char LINES_PATH[];

/* ---- options (options.c) ----------------------------------------------------------------------
 */

/* Options of the library, from a dict by their names. Must not be moved: parts point to others. */
typedef struct settings {
    arena texts;
    hcbr_options all; /* of the structures below; has the name of a file of beliefs */
    hcbr_read_options read;
    hcbr_train_options train;
    hcbr_tune_options tune;
    hcbr_evaluate_options evaluate;
    hcbr_rule rule;
    bool keeps_cases; /* the cases live on after the call */
} settings;

/* Fill from a dict; NULL or None: the defaults. 0, or -1. */
int options_get(settings *o, PyObject *dict);
void options_clear(settings *o);
/* The option of a name of `length` bytes; NULL if unknown. */
const hcbr_option *option_find(const char *name, size_t length);
/* A message of the library, in which the options that it names are parameters (spell.c). */
PyObject *options_spell(const char *text);
PyObject *options_in_python(PyObject *module, PyObject *text);
/* All options: a dict of names and descriptions. */
PyObject *options_table(PyObject *module, PyObject *unused);

/* ---- models (model.c, fit.c, decide.c, explain.c) -------------------------------------------- */

enum { SPARE = 8 }; /* deciders and explainers that are kept for the next call */

typedef struct model {
    PyObject ob_base;
    hcbr_model *model;
    hcbr_read_options read; /* those stored in the model, borrowed from it */
    PyObject *labels;       /* tuple: as they were given, texts or numbers or booleans */
    PyObject *label_names;  /* tuple of str: the same as texts */
    uint32_t label_count;
    bool has_probability;
    bool is_plain_reading; /* every key of a case is a feature or left out: no sets, no texts. The
                              decider knows their values */
    hcbr_decider *deciders[SPARE];
    size_t decider_count;
    hcbr_index *index; /* of the explainers; NULL until it is needed */
    hcbr_explainer *explainers[SPARE];
    size_t explainer_count;
} model;

typedef struct module_state {
    PyObject *model_type, *table_type, *cases_type, *answer_type, *row_type;
} module_state;

/* A new object of the type that takes the model over; releases it on failure. */
PyObject *model_wrap(PyTypeObject *type, hcbr_model *made);

/* Add the features of a case as the model reads cases; 0 or -1. */
int model_add_features(model *m, features *f, PyObject *one);

hcbr_decider *model_take_decider(model *m);
void model_return_decider(model *m, hcbr_decider *decider);

PyObject *model_fit(PyObject *type, PyObject *args, PyObject *keywords);
PyObject *model_decide(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *model_predict_one(PyObject *self, PyObject *one);
PyObject *model_explain(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *model_reasons(PyObject *self, PyObject *args, PyObject *keywords);
PyObject *model_summary(PyObject *self, PyObject *args);
PyObject *model_importance(PyObject *self, PyObject *args);
PyObject *model_row(PyObject *self, PyObject *pairs);
int answer_add(PyObject *module);

/* A new case, resolved (row.c). */
typedef struct row_object {
    PyObject ob_base;
    PyObject *model;
    hcbr_row *row;
} row_object;

/* A new object that takes the row over; releases it on failure. */
PyObject *row_wrap(PyObject *m, hcbr_row *made);
/* The row of an object; NULL with an exception. */
hcbr_row *row_of(const model *m, PyObject *object);

/* A use of cases, without the GIL. */
typedef hcbr_status use_fn(void *to, hcbr_cases *cases, settings *o, guard *g);
/* Read the cases of a table or of files, or take existing ones, by the arguments of Model.fit(),
 * and use them. 0 or -1. */
int cases_use(const module_state *state, PyObject *args, PyObject *keywords, use_fn *use, void *to);
PyObject *study_evaluate(PyObject *module, PyObject *args, PyObject *keywords);
PyObject *study_audit(PyObject *module, PyObject *args, PyObject *keywords);

/* Cases that were read from files (cases.c). */
typedef struct cases_object {
    PyObject ob_base;
    hcbr_cases *cases; /* finished */
} cases_object;

extern PyType_Spec model_spec;
extern PyType_Spec cases_spec;
extern PyType_Spec row_spec;
extern struct PyModuleDef hcbr_module;

#endif
