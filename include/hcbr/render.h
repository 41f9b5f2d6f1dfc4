/**
 * @file render.h
 * Results as JSON and as a page of HTML: the same bytes from the program, a service or a binding.
 *
 * All output goes to a writer, which passes bytes on to a function of the caller or keeps them:
 *
 *     hcbr_writer_create(&w, NULL, NULL, &err);          // keeps them
 *     hcbr_write_decision(w, HCBR_JSON, model, &decision, &err);
 *     text = hcbr_writer_get(w, &length);
 *
 * A writer remembers its first failure. From then on nothing is written, and every function that
 * returns a status returns that one. So the small functions need no check, and incomplete output is
 * never taken for complete. docs/JSON.md defines the keys.
 *
 * Text is UTF-8. Characters that could control a terminal or a page (hcbr_text_plain()) are
 * escaped, also in text of the data. Numbers are the same in every locale.
 */
#ifndef HCBR_RENDER_H
#define HCBR_RENDER_H

#include <hcbr/audit.h>
#include <hcbr/drift.h>
#include <hcbr/evaluate.h>
#include <hcbr/explain.h>
#include <hcbr/number.h>
#include <hcbr/summary.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- writers --------------------------------------------------------------------------------- */

/**
 * Receives bytes, in order, in pieces of any size. They are borrowed until it returns.
 *
 * @return 0 to continue; any other value is a failure of the writer (HCBR_EIO).
 */
typedef int hcbr_write_fn(void *context, const char *bytes, size_t count);

/** The destination of results. For one thread at a time. */
typedef struct hcbr_writer hcbr_writer;

/**
 * Make a writer.
 *
 * @param out     receives the writer, NULL on failure; release with hcbr_writer_free().
 * @param write   receives the bytes: all of them when a line or page ends, parts of them before.
 *                NULL: they are kept for hcbr_writer_get().
 * @param context passed to `write`; must outlive the writer.
 * @return HCBR_OK or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_writer_create(hcbr_writer **out, hcbr_write_fn *write,
                                                        void *context, hcbr_error *err);

/**
 * Set a progress function for slow computations before writing, which can stop them: the writer
 * then fails with HCBR_ECANCELLED.
 *
 * @param progress of hcbr_json_inspection(): stage "importance"; NULL (the default): none.
 */
HCBR_API void hcbr_writer_watch(hcbr_writer *w, hcbr_progress_fn *progress, void *context);

/** Release a writer. Bytes that were not passed on are lost. NULL is fine. */
HCBR_API void hcbr_writer_free(hcbr_writer *w);

/**
 * Pass on all waiting bytes, and return the status so far.
 *
 * @return HCBR_OK, or the first failure: HCBR_EIO (the function refused bytes), HCBR_ENOMEM, or the
 *         failure of a function below.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_writer_flush(hcbr_writer *w, hcbr_error *err);

/**
 * The bytes of a writer without a function, since it was made or cleared.
 *
 * @param length receives their number; may be NULL.
 * @return the bytes, NUL-terminated, borrowed until the writer is used again; NULL after a failure.
 */
HCBR_API const char *hcbr_writer_get(const hcbr_writer *w, size_t *length);

/** Start again: forget waiting or kept bytes, open brackets and a failure. */
HCBR_API void hcbr_writer_clear(hcbr_writer *w);

/** Bytes, unchanged. */
HCBR_API void hcbr_writer_put(hcbr_writer *w, const char *bytes, size_t count);

/* ---- JSON of the caller ---------------------------------------------------------------------- */

/** The type of an item of JSON. */
typedef enum hcbr_item_kind {
    HCBR_ITEM_TEXT = 0,     /**< `at` of `whole` bytes, SIZE_MAX: up to its NUL; bytes that are no
                                 UTF-8 become U+FFFD; NULL gives null */
    HCBR_ITEM_KEY = 1,      /**< a key from the data, likewise; its value is next */
    HCBR_ITEM_OPEN = 2,     /**< the bracket `whole`: '{' or '[' */
    HCBR_ITEM_CLOSE = 3,    /**< likewise '}' or ']' */
    HCBR_ITEM_BOOL = 4,     /**< true or, for `whole` 0, false */
    HCBR_ITEM_WHOLE = 5,    /**< the number `whole` */
    HCBR_ITEM_NUMBER = 6,   /**< the shortest decimal that reads back as the same double; null if
                                 infinite or NaN */
    HCBR_ITEM_FEATURE = 7,  /**< `at` an hcbr_feature: "key=value", or the bare key; null if the key
                                 is NULL */
    HCBR_ITEM_FEATURES = 8, /**< a list of `whole` features */
    HCBR_ITEM_BY_LABEL = 9, /**< `at` of `whole` doubles by label of `model`; NULL gives null */
    HCBR_ITEM_COLUMN = 10,  /**< a text: the name of a column, which pages may hide */
    HCBR_ITEM_ID = 11,      /**< a text: the id of a case of `model`, likewise */
    HCBR_ITEM_KIND = 12     /**< `at` an hcbr_kind: the kind of a column (docs/JSON.md); null if it
                                 is of another size */
} hcbr_item_kind;

/** An item of JSON: a value with its key, or a bracket. Make it with a function below. */
typedef struct hcbr_item {
    const char *key; /**< the caller's, without characters to escape; may be NULL */
    hcbr_item_kind kind;
    double number;
    uint64_t whole;
    const void *at; /**< borrowed until the item is written, as is the key */
    const hcbr_model *model;
} hcbr_item;

/** Write items. Commas are inserted automatically; nesting is up to the caller. End an object that
 *  is a whole line with hcbr_write_end(). */
HCBR_API void hcbr_json_put(hcbr_writer *w, const hcbr_item *items, size_t count);

/** The same, in C: HCBR_PUT(w, hcbr_item_open(NULL, '['), hcbr_item_u64(NULL, 7), ...). */
#define HCBR_PUT(w, ...)                                                                           \
    hcbr_json_put((w), (const hcbr_item[]){__VA_ARGS__},                                           \
                  sizeof((const hcbr_item[]){__VA_ARGS__}) / sizeof(hcbr_item))

static inline hcbr_item hcbr_item_make(const char *key, hcbr_item_kind kind, double number,
                                       uint64_t whole, const void *at) {
    const hcbr_item item = {key, kind, number, whole, at, NULL};
    return item;
}
static inline hcbr_item hcbr_item_open(const char *key, char bracket) {
    return hcbr_item_make(key, HCBR_ITEM_OPEN, 0, (unsigned char)bracket, NULL);
}
static inline hcbr_item hcbr_item_close(char bracket) {
    return hcbr_item_make(NULL, HCBR_ITEM_CLOSE, 0, (unsigned char)bracket, NULL);
}
static inline hcbr_item hcbr_item_key(const char *bytes, size_t length) {
    return hcbr_item_make(NULL, HCBR_ITEM_KEY, 0, length, bytes);
}
static inline hcbr_item hcbr_item_text(const char *key, const char *bytes, size_t length) {
    return hcbr_item_make(key, HCBR_ITEM_TEXT, 0, length, bytes);
}
/** A text that ends with NUL. */
static inline hcbr_item hcbr_item_string(const char *key, const char *bytes) {
    return hcbr_item_make(key, HCBR_ITEM_TEXT, 0, SIZE_MAX, bytes);
}
static inline hcbr_item hcbr_item_bool(const char *key, int value) {
    return hcbr_item_make(key, HCBR_ITEM_BOOL, 0, value != 0, NULL);
}
static inline hcbr_item hcbr_item_u64(const char *key, uint64_t value) {
    return hcbr_item_make(key, HCBR_ITEM_WHOLE, 0, value, NULL);
}
static inline hcbr_item hcbr_item_number(const char *key, double value) {
    return hcbr_item_make(key, HCBR_ITEM_NUMBER, value, 0, NULL);
}
static inline hcbr_item hcbr_item_kind_of(const hcbr_kind *kind) {
    return hcbr_item_make(NULL, HCBR_ITEM_KIND, 0, 0, kind);
}
static inline hcbr_item hcbr_item_features(const char *key, const hcbr_feature *list,
                                           size_t count) {
    return hcbr_item_make(key, HCBR_ITEM_FEATURES, 0, count, list);
}

/** The keys `cut` and `costs` of a model's rule, inside an open object. */
HCBR_API void hcbr_json_rule(hcbr_writer *w, const hcbr_model *model);

/* ---- JSON of results ------------------------------------------------------------------------- */

/** The reasons of many decisions together, one object of schema hcbr.summary/1 on a line.
 *  @return HCBR_OK, HCBR_EIO or HCBR_ENOMEM. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_summary(hcbr_writer *w, const hcbr_model *model,
                                                       const hcbr_summed *summed, hcbr_error *err);

/**
 * An evaluation as one line, schema hcbr.evaluate/1.
 *
 * @param skipped_rows rows of the data that were left out.
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_evaluation(hcbr_writer *w,
                                                          const hcbr_evaluation *evaluation,
                                                          uint64_t skipped_rows, hcbr_error *err);

/** A part of the verdict on a model. */
typedef enum hcbr_verdict_part {
    HCBR_SAYS_VERDICT = 0,      /**< how far to rely on it */
    HCBR_SAYS_WHY = 1,          /**< the criterion and the reasons, compared with chance */
    HCBR_SAYS_PROBABILITIES = 2 /**< whether its probabilities are calibrated */
} hcbr_verdict_part;

/** Size of a text of the verdict. */
#define HCBR_VERDICT_SIZE 512

/** A sentence of the verdict, as in JSON, pages and the program; empty for an invalid part. It has
 *  no names of the data. */
HCBR_API void hcbr_verdict_say(const hcbr_evaluation *evaluation, hcbr_verdict_part part,
                               char text[HCBR_VERDICT_SIZE]);

/**
 * Each held-out decision of an evaluation as a line, schema hcbr.evaluate.prediction/1.
 *
 * @param row_base rows of other files before the first one: it is subtracted from each row.
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_answers(hcbr_writer *w,
                                                       const hcbr_evaluation *evaluation,
                                                       uint64_t row_base, hcbr_error *err);

/**
 * Curves of an evaluation as one line, schema hcbr.curves/1: ROC, precision by recall, lift,
 * supports of right and wrong answers, the most typical and the most contested cases. Of long
 * curves some points, at most 200.
 *
 * @param evaluation  with hcbr_evaluate_options.keep_answers; of several repeats the first counts.
 * @param row_base    as for hcbr_json_answers().
 * @return as hcbr_writer_flush(); HCBR_EUSAGE if answers were not kept.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_curves(hcbr_writer *w,
                                                      const hcbr_evaluation *evaluation,
                                                      uint64_t row_base, hcbr_error *err);

/**
 * An audit as one line, schema hcbr.audit/1.
 *
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_audit(hcbr_writer *w, const hcbr_audit *audit,
                                                     hcbr_error *err);

/**
 * Drift as one line, schema hcbr.drift/1.
 *
 * @param skipped_rows rows of the data that were left out.
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_drift(hcbr_writer *w, const hcbr_drift *drift,
                                                     uint64_t skipped_rows, hcbr_error *err);

/**
 * The content of a model as one line, schema hcbr.inspect/1.
 *
 * @param top most atoms of each label, and past cases, to list.
 * @return as hcbr_writer_flush().
 *
 * Cost: with past cases or atoms of a rich model, that of hcbr_explainer_create(),
 * hcbr_importance_add_kept() of its own number of cases, hcbr_explainer_rank() and
 * hcbr_explainer_rank_atoms(). With `top` 0 the importance of columns is not computed.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_inspection(hcbr_writer *w, const hcbr_model *model,
                                                          size_t top, hcbr_error *err);

/**
 * One atom or past case in full, or both, as one line, schema hcbr.inspect/1.
 *
 * @param explainer of the model; NULL: one is made if it is needed.
 * @param atom      its number, below hcbr_model_info.atoms; UINT32_MAX: none.
 * @param index     number of the kept case; UINT64_MAX: none.
 * @param top       atoms of a rich model to list.
 * @return as hcbr_writer_flush(); HCBR_EUSAGE if the model keeps no such case.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_json_inspect_one(hcbr_writer *w, const hcbr_model *model,
                                                           hcbr_explainer *explainer, uint32_t atom,
                                                           uint64_t index, size_t top,
                                                           hcbr_error *err);

/* ---- a case, in each form -------------------------------------------------------------------- */

/** The form of output. */
typedef enum hcbr_form {
    HCBR_JSON = 0, /**< docs/JSON.md */
    HCBR_HTML = 1, /**< a part of a page, between hcbr_html_begin() and hcbr_html_end() */
    HCBR_TEXT = 2  /**< sentences for a terminal */
} hcbr_form;

/**
 * Finds the text of a past case in the training data, to show it with its words marked.
 *
 * @param row    of the training data.
 * @param text   receives it, borrowed until the next call.
 * @return 1, or 0 if there is no such text.
 */
typedef int hcbr_page_text_fn(void *context, uint64_t row, const char *column, size_t column_length,
                              const char **text, size_t *length);

/** Options of pages. Fill with hcbr_page_options_init(). Texts must outlive the writer. */
typedef struct hcbr_page_options {
    size_t size;
    const char *name;        /**< of the model, for display; NULL: not shown, and explanations have
                                  no key `origin` */
    const char *data;        /**< name of the data, for display; NULL: not shown */
    const char *past;        /**< name of the training data, likewise */
    const char *date;        /**< NULL: pages are the same on every day */
    const char *index;       /**< address of a page that lists all cases; may be NULL */
    int list;                /**< not 0: the page is that list, of decisions */
    const char *address;     /**< of the page of the next decision */
    const char *const *hide; /**< columns kept off the page; a test that names one is not shown at
                                  all */
    size_t hide_count;
    hcbr_page_text_fn *past_text; /**< texts of past cases; NULL: not shown */
    void *text_context;
    size_t top;    /**< most combinations, single values, and columns of a comparison, of each case,
                        among those of the result; default 10 */
    size_t beside; /**< most past cases for, and against, that are compared with the case, among
                        those of the explanation; default all */
} hcbr_page_options;

/** Set every field to its default. */
#define hcbr_page_options_init(options) HCBR_INIT(hcbr_page_options, options)

/** Whether a feature, or a test of an explanation, names a hidden column. 1 or 0. */
HCBR_API int hcbr_page_hides(const hcbr_page_options *options, const hcbr_feature *feature);

/** Set the page options of a writer; before hcbr_html_begin(). */
HCBR_API void hcbr_writer_set_page(hcbr_writer *w, const hcbr_page_options *options);

/**
 * A decision: as a line of JSON, schema hcbr.predict/1; as a row of a page that lists cases
 * (hcbr_page_options.list); or as sentences, each on a line: the answer, its probability, how often
 * such an answer is right, and the threshold if there is one.
 *
 * @param model the model of the decision.
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_decision(hcbr_writer *w, hcbr_form form,
                                                         const hcbr_model *model,
                                                         const hcbr_decision *decision,
                                                         hcbr_error *err);

/**
 * The reasons for a decision, as JSON of schema hcbr.explain/1 or as HTML.
 *
 * The case stays open: the next three functions may follow, for JSON also keys of the caller, then
 * hcbr_write_end().
 *
 * @param row its decision has row, id and given label. With an explainer, which must have made the
 *            explanation last, its past cases are compared with row->row, value by value, and the
 *            explanation becomes invalid; without one it stays valid, and row->row may be NULL.
 *            HTML shows the values of row->row, and its complete texts.
 * @return as hcbr_writer_flush(), or as hcbr_explainer_compare().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_explanation(hcbr_writer *w, hcbr_form form,
                                                            const hcbr_model *model,
                                                            const hcbr_explained_row *row,
                                                            hcbr_error *err);
/** A comparison with a past case, in JSON the key `versus`; in words one line: the held-out answer
 *  of the past case, and the differences or similarities. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_comparison(hcbr_writer *w, hcbr_form form,
                                                           const hcbr_model *model,
                                                           const hcbr_comparison *comparison,
                                                           hcbr_error *err);
/** Changes that give another answer, in JSON the key `flip`; in words only the message that none
 *  was found, with the limits of the search. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_flips(hcbr_writer *w, hcbr_form form,
                                                      const hcbr_model *model,
                                                      const hcbr_flips *flips, hcbr_error *err);
/** Open questions, in JSON the key `ask`. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_questions(hcbr_writer *w, hcbr_form form,
                                                          const hcbr_model *model,
                                                          const hcbr_questions *questions,
                                                          hcbr_error *err);
/** End a case, or an object of JSON of the caller, with its line. Passes all bytes on. @return as
 *  hcbr_writer_flush(). */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_write_end(hcbr_writer *w, hcbr_form form,
                                                    hcbr_error *err);

/**
 * Begin a page of explanations, or of a list of cases that have a page each. It has no scripts and
 * loads nothing; it can be printed and is readable without colours. It names its model and data
 * (hcbr_page_options).
 *
 * @return as hcbr_writer_flush().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_html_begin(hcbr_writer *w, const hcbr_model *model,
                                                     hcbr_error *err);
/** End the page, with a list of its cases if they are many. Passes all bytes on. */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_html_end(hcbr_writer *w, hcbr_error *err);

/* ---- figures and names for people ------------------------------------------------------------ */

/** Classes of sizes: 1, 2-9, 10-99, ... */
#define HCBR_HYPERGRAPH_CLASSES 6

/** The case base of a model as a hypergraph, in numbers: features are vertices, cases are edges. */
typedef struct hcbr_hypergraph {
    size_t size;
    uint64_t sizes[HCBR_HYPERGRAPH_CLASSES];   /**< atoms by number of features */
    uint64_t degrees[HCBR_HYPERGRAPH_CLASSES]; /**< atoms by number of cases */
    uint64_t incidences;                       /**< sum of the atoms of all cases */
    uint64_t largest, most;  /**< most features of an atom, most cases of an atom */
    uint64_t shared;         /**< occurrences of features that more than one case has */
    uint64_t least, longest; /**< atoms of a case; least is UINT64_MAX: cases are not kept, or the
                                  model is rich */
} hcbr_hypergraph;

/** Fill out; out->size must be set. Cost: one pass over the atoms and the kept cases. */
HCBR_API void hcbr_hypergraph_measure(const hcbr_model *model, hcbr_hypergraph *out);

/** The contents of a model that a reader can see about the cases it was trained on. */
typedef struct hcbr_reveals {
    size_t size;
    uint64_t cases;              /**< complete cases in it; 0 with HCBR_KEEP_NONE */
    uint64_t values;             /**< names of values: its features */
    uint64_t of_one_case;        /**< of them: of a single case */
    uint64_t least_cases;        /**< fewest cases of one of them; 0: no values */
    uint32_t number_columns;     /**< of a rich model: number columns, whose cuts it contains */
    uint32_t exact_columns;      /**< of them: columns with so few distinct values that it contains
                                      these, too */
    uint64_t cuts, exact_values; /**< of all these columns */
} hcbr_reveals;

/** Fill out; out->size must be set. Cost: one pass over the atoms. */
HCBR_API void hcbr_reveals_measure(const hcbr_model *model, hcbr_reveals *out);

/** Name of a class: "1", "2-9", ..., "10000 or more". */
HCBR_API const char *hcbr_hypergraph_class_name(int number);

/** Strength of an atom of a plain model for a label, minus the largest one for another label. */
HCBR_API double hcbr_atom_lead(const hcbr_model *model, uint32_t atom, hcbr_label label);

/** Name of a fallback label, borrowed from the model; "prior", "auto" and "unknown" too. */
HCBR_API const char *hcbr_fallback_name(const hcbr_model *model, hcbr_label label);
/** "plain" or "rich". */
HCBR_API const char *hcbr_model_kind_name(hcbr_model_kind kind);
/** "unused", "number", "category" or "name". */
HCBR_API const char *hcbr_column_kind_name(hcbr_column_kind kind);

/** Room for hcbr_percent_say(), with the final NUL. */
#define HCBR_PERCENT_SIZE 32

/** A share for display, `87.3 %`; with more digits near 0 and 1, so that only these are 0 % and 100
 *  %. A probability is never certain: 1 is `more than 99.9999 %` unless `certain`. */
HCBR_API void hcbr_percent_say(char text[HCBR_PERCENT_SIZE], double share, int certain);

/** Room for hcbr_shown_feature(). */
#define HCBR_SHOWN_SIZE 4096

/**
 * A feature or a test of a model for display, if it is about a part of a date or tests a number:
 * `pickup: day of week=6` is `pickup: Saturday`, `pickup: days>17968.5` is `pickup > 2019-03-13`,
 * `14.4542<fare<=14.4583` is `fare 14.45 to 14.46`.
 *
 * @param feature of the model, or a test of an explanation: a key without a value.
 * @param room    receives the words.
 * @return a bare key, which points into room; or the feature unchanged.
 *
 * Threads: any.
 */
HCBR_API hcbr_feature hcbr_shown_feature(const hcbr_model *model, const hcbr_feature *feature,
                                         char room[HCBR_SHOWN_SIZE]);

/**
 * The same without the name of the column, for display next to that name: `pickup: day of week=6`
 * is `Saturday`, `fare=14.45` is `14.45`, a bare key the key.
 *
 * @param length receives its length; there is no NUL.
 * @return text that belongs to the feature, or in room.
 *
 * Threads: any.
 */
HCBR_API const char *hcbr_shown_value(const hcbr_model *model, const hcbr_feature *feature,
                                      char room[HCBR_SHOWN_SIZE], size_t *length);

/* ---- text cut to a width --------------------------------------------------------------------- */

/** A piece of a line: bytes, without a NUL, and their width in columns. Zero it to start. */
typedef struct hcbr_cell {
    char text[512];
    size_t used;
    size_t width;
} hcbr_cell;

/** Feature n of a list. */
typedef hcbr_feature hcbr_feature_fn(const void *context, size_t n);

/** Append text, escaped, up to `columns` of the cell; 0 if it was cut. */
HCBR_API int hcbr_cell_add(hcbr_cell *c, const char *text, size_t length, size_t columns);
/** Append text, cut with three dots if it does not fit. */
HCBR_API void hcbr_cell_add_cut(hcbr_cell *c, const char *text, size_t length, size_t columns);
/** Append features joined with " & ", as many as fit, then the number of the others. */
HCBR_API void hcbr_cell_add_features(hcbr_cell *c, hcbr_feature_fn *get, const void *context,
                                     size_t count, size_t columns);

/* ---- sentences ------------------------------------------------------------------------------- */

/** Room for hcbr_finding_say(), with the final NUL. */
#define HCBR_FINDING_SIZE 2600

/** A finding of an audit as one sentence. */
HCBR_API void hcbr_finding_say(const hcbr_audit *audit, const hcbr_finding *finding,
                               char text[HCBR_FINDING_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
