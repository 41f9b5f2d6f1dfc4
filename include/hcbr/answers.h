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
 * Where answers go. Fill with hcbr_answers_init(), then set `room` and the arrays that are wanted;
 * NULL means that it is not. Row i of the table is element i of an array.
 */
typedef struct hcbr_answers {
    size_t size;         /**< size of this structure */
    uint64_t room;       /**< rows that every array has room for */
    uint64_t count;      /**< receives the rows of the table; 0 on failure */
    hcbr_label *label;   /**< what is answered, or HCBR_LABEL_UNKNOWN */
    double *probability; /**< of every label, row after row: those of row i begin at i times
                              hcbr_model_info.labels */
    double *support;     /**< of every label, likewise */
    double *lead;        /**< support of the winner minus the best other one */
    double *known;       /**< share of the row's features that the model knows; 0 if it has none */
    uint8_t *reason;     /**< an hcbr_reason, or HCBR_ROW_SKIPPED */
} hcbr_answers;

/** Set every field to 0, and the size (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_answers_init(hcbr_answers *answers, size_t size);
#define hcbr_answers_init(answers) hcbr_answers_init(HCBR_SIZED(answers))

/**
 * Decide the rows of columns, in their order.
 *
 * What columns are for is said by their names, as in hcbr_cases_add_columns(). A label is neither
 * needed nor a feature. Columns that training did not have, and columns of training that are
 * absent, are reported as warnings.
 *
 * @param model   decides; it does not change.
 * @param rule    how to decide; NULL for the rule stored in the model.
 * @param columns of one length, with names that all differ.
 * @param count   how many; at least one.
 * @param options how to read them; NULL for those stored in the model, which
 *                hcbr_model_get_read_options() gives to be changed. `threads` read and decide.
 *                `progress` is called with the stage "decide" and counts rows. `names` and
 *                `outcomes` must be NULL; what speaks of files alone is not used.
 * @param answers receives the answers. Nothing beyond the rows of the table is written. After a
 *                failure the content of the arrays is not specified.
 * @return HCBR_OK; HCBR_EUSAGE: a description, option or rule that cannot be, too little room, or
 *         probabilities asked of a model that has none; HCBR_EDATA: as in hcbr_cases_add_columns(),
 *         of the first such row; HCBR_EIO, HCBR_ENOMEM or HCBR_ECANCELLED.
 *
 * Cost: that of a decider for each thread, then that of deciding the rows; no memory by rows.
 * Joined sources (`join`) are read by one thread. Threads: any number of calls at once; no thread
 * is left behind.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_model_decide_columns(
    const hcbr_model *model, const hcbr_rule *rule, const hcbr_memory_column *columns, size_t count,
    const hcbr_read_options *options, hcbr_answers *answers, hcbr_error *err);

/**
 * The same for a record batch of the Arrow C data interface; see hcbr_cases_add_arrow().
 *
 * @param schema a struct, `+s`; its children are the columns.
 * @param array  goes with it. Neither is released nor changed.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status
hcbr_model_decide_arrow(const hcbr_model *model, const hcbr_rule *rule,
                        const struct ArrowSchema *schema, const struct ArrowArray *array,
                        const hcbr_read_options *options, hcbr_answers *answers, hcbr_error *err);

/**
 * The same for the rows of a sparse matrix; see hcbr_cases_add_sparse(). Columns are not compared
 * with those of training.
 *
 * @param matrix  its rows may come in any order of columns.
 * @param columns what else the rows have; NULL if `count` is 0.
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
 * given labels, features and warnings are the same. Rows are read as they are asked for, by one
 * thread.
 *
 * @param out     receives the stream, NULL on failure; release with hcbr_stream_free().
 * @param decider must outlive the stream.
 * @param columns as for hcbr_model_decide_columns(). All memory that they describe must stay as it
 *                is until the stream is released; the descriptions themselves are copied.
 * @param options as for hcbr_model_decide_columns(). `progress` is called with the stage "read".
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA, HCBR_EIO or HCBR_ENOMEM. What is wrong with a row is
 *         told by hcbr_stream_next(); of columns that cannot be read as described, the first call
 *         of it tells.
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
