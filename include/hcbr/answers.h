/**
 * @file answers.h
 * Tables in memory: all rows decided into arrays of the caller, by any number of threads; or read
 * as a stream, to be decided or explained row by row.
 *
 * Tables are described as in columns.h. Every row gets the answer that hcbr_stream_next() gives for
 * the same row of a file, bit by bit, whatever the number of threads.
 */
#ifndef HCBR_ANSWERS_H
#define HCBR_ANSWERS_H

#include <hcbr/columns.h>
#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/** In `reason`: the row was skipped (HCBR_BAD_ROWS_SKIP), its label is HCBR_LABEL_UNKNOWN and its
 *  numbers are NaN. */
#define HCBR_ROW_SKIPPED 255

/**
 * Arrays for answers. Fill with hcbr_answers_init(), then set `room` and the arrays wanted; the
 * others stay NULL. Row i of the table is element i of an array.
 */
typedef struct hcbr_answers {
    size_t size;         /**< size of this structure */
    uint64_t room;       /**< rows that every array has room for */
    uint64_t count;      /**< receives the rows of the table; 0 on failure */
    hcbr_label *label;   /**< the answer, or HCBR_LABEL_UNKNOWN */
    double *probability; /**< of every label, row after row: those of row i begin at i times
                              hcbr_model_info.labels */
    double *support;     /**< of every label, in the same order */
    double *lead;        /**< support of the winner minus the best other one */
    double *known;       /**< share of the row's features that the model knows; 0 if it has none */
    uint8_t *reason;     /**< an hcbr_reason, or HCBR_ROW_SKIPPED */
} hcbr_answers;

/** Set every field to 0, and the size. */
#define hcbr_answers_init(answers) HCBR_INIT(hcbr_answers, answers)

/**
 * Decide the rows of columns, in their order.
 *
 * The use of a column follows from its name, as in hcbr_cases_add_columns(). A label is neither
 * needed nor a feature. Columns that training did not have, and columns of training that are
 * absent, are reported as warnings.
 *
 * @param model   not changed.
 * @param rule    the rule of decision; NULL for the one stored in the model.
 * @param columns of equal length, with different names.
 * @param count   number of columns; at least one.
 * @param options reading options; NULL for those stored in the model, which
 *                hcbr_model_get_read_options() copies for changes. `threads` read and decide.
 *                `progress` is called with the stage "decide" and counts rows. `names` and
 *                `outcomes` must be NULL; options about files are ignored.
 * @param answers receives the answers. Elements beyond the rows of the table are not written. After
 *                a failure the content of the arrays is unspecified.
 * @return HCBR_OK; HCBR_EUSAGE: an invalid description, option or rule, too little room, or
 *         probabilities of a model without them; HCBR_EDATA: as in hcbr_cases_add_columns(), for
 *         the first such row; HCBR_EIO, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: that of a decider for each thread, then that of deciding the rows; no memory by rows.
 * Joined sources (`join`) are read by one thread. Threads: any number of concurrent calls; all
 * threads of a call end with it.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_decide_columns(
    const hcbr_model *model, const hcbr_rule *rule, const hcbr_memory_column *columns, size_t count,
    const hcbr_read_options *options, hcbr_answers *answers, hcbr_error *err);

/**
 * The same for a record batch of the Arrow C data interface; see hcbr_cases_add_arrow().
 *
 * @param schema a struct, `+s`; its children are the columns.
 * @param array  of this schema. Neither is released or changed.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status
hcbr_model_decide_arrow(const hcbr_model *model, const hcbr_rule *rule,
                        const struct ArrowSchema *schema, const struct ArrowArray *array,
                        const hcbr_read_options *options, hcbr_answers *answers, hcbr_error *err);

/**
 * The same for the rows of a sparse matrix; see hcbr_cases_add_sparse(). Columns are not compared
 * with those of training.
 *
 * @param matrix  the columns of a row may be in any order.
 * @param columns further columns of the rows; NULL if `count` is 0.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status
hcbr_model_decide_sparse(const hcbr_model *model, const hcbr_rule *rule, const hcbr_sparse *matrix,
                         const hcbr_memory_column *columns, size_t count,
                         const hcbr_read_options *options, hcbr_answers *answers, hcbr_error *err);

/* ---- row by row ------------------------------------------------------------------------------ */

/**
 * Decide the rows of columns one by one, or explain them with hcbr_explain_rows().
 *
 * The stream is like one of a csv file with these columns (hcbr_stream_create()): decisions, ids,
 * given labels, features and warnings are the same. Rows are read on demand, by one thread.
 *
 * @param out     receives the stream, NULL on failure; release with hcbr_stream_free().
 * @param decider must outlive the stream.
 * @param columns as for hcbr_model_decide_columns(). The memory that they describe must not change
 *                until the stream is released; the descriptions themselves are copied.
 * @param options as for hcbr_model_decide_columns(). `progress` is called with the stage "read".
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA, HCBR_EIO or HCBR_ENOMEM. Mistakes in a row are reported
 *         by hcbr_stream_next(); columns that do not match their description, by its first call.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_create_columns(
    hcbr_stream **out, hcbr_decider *decider, const hcbr_memory_column *columns, size_t count,
    const hcbr_read_options *options, hcbr_error *err);

/** The same for a record batch of the Arrow C data interface; see hcbr_cases_add_arrow(). */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_create_arrow(
    hcbr_stream **out, hcbr_decider *decider, const struct ArrowSchema *schema,
    const struct ArrowArray *array, const hcbr_read_options *options, hcbr_error *err);

/** The same for the rows of a sparse matrix; see hcbr_model_decide_sparse(). */
HCBR_API HCBR_MUST_CHECK hcbr_status
hcbr_stream_create_sparse(hcbr_stream **out, hcbr_decider *decider, const hcbr_sparse *matrix,
                          const hcbr_memory_column *columns, size_t count,
                          const hcbr_read_options *options, hcbr_error *err);

#ifdef __cplusplus
}
#endif
#endif
