/**
 * @file decision.h
 * Deciding new cases with a model: one by one, or as they are read from files.
 */
#ifndef HCBR_DECISION_H
#define HCBR_DECISION_H

#include <hcbr/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The basis of a decision. */
typedef enum hcbr_reason {
    HCBR_BY_SUPPORT = 0,    /**< the label with the largest support */
    HCBR_BY_MEMORY = 1,     /**< the majority label of identical past cases */
    HCBR_BY_LEAST = 2,      /**< the support is not above eta: the fallback */
    HCBR_BY_SHARE = 3,      /**< the share is not above eta_share: the fallback */
    HCBR_NOTHING_KNOWN = 4, /**< no feature of the case is known */
    HCBR_EMPTY_CASE = 5,    /**< the case has no feature */
    HCBR_BY_CUT = 6, /**< by the cut, which differs from the label with the largest support */
    HCBR_BY_COST = 7 /**< another answer than the largest support has a lower expected cost */
} hcbr_reason;

/** Name of a reason: "support", "memory", "eta", "eta-share", "nothing known", "empty case", "cut",
 *  "cost". */
HCBR_API const char *hcbr_reason_name(hcbr_reason reason);

/** A decision. All pointers are borrowed until the next call with the same decider or stream. */
typedef struct hcbr_decision {
    size_t size;
    hcbr_label label;  /**< the answer, or HCBR_LABEL_UNKNOWN */
    hcbr_label winner; /**< the label by rule R1; HCBR_LABEL_UNKNOWN if nothing is known */
    hcbr_reason reason;
    const double *support; /**< s^(l)(x) for every label */
    size_t label_count;
    const double *probability; /**< by label; NULL if the model has none; if nothing is known, the
                                    share of each label among the past cases */
    double lead; /**< support of the winner minus the best other one (0 if nothing is known) */
    uint64_t feature_count;     /**< |x|, each feature once */
    uint64_t known_count;       /**< number of them that the model knows */
    const hcbr_feature *unseen; /**< the others, in the order of the case */
    size_t unseen_count;
    uint64_t row;   /**< data row, from 1 (streams only) */
    const char *id; /**< name of the case, NULL for none (streams only) */
    size_t id_length;
    const char *given; /**< label in the data, NULL for none (streams only) */
    size_t given_length;
    int own_rule; /**< it was decided by the model's own rule: the model's held-out figures hold for
                       such answers, too. 0: by another rule */
    int close;    /**< a close call: the answer would change if the odds of the label were
                       HCBR_CLOSE_ODDS times higher or lower, as can happen without one past case.
                       Always 0 if supports decide, not probabilities */
} hcbr_decision;

/** How near to its threshold an answer is a close call, as a ratio of odds. Of rich models trained
 *  with and without one past case, on 16 tables, 21 % of the close calls were decided otherwise,
 *  and .1 % of the others (docs/REASONS.md). */
#define HCBR_CLOSE_ODDS 1.5

/** The number of held-out cases that is enough for a rate. */
#define HCBR_ENOUGH 30

/** How often an answer like this one was right. */
typedef struct hcbr_how_often {
    size_t size;
    double cases;    /**< past cases that, held out of training, got the same answer by the same
                          rule with a probability of it in this range; by weight */
    double right;    /**< of them, those with this label as their own */
    double from, to; /**< the range, `from` included, and `to` if it is 1; 0 to 1 if the model has
                          no probabilities */
    int enough;      /**< there are HCBR_ENOUGH or more. 0: not even in a range of 25 points around
                          the one of 5 with the probability */
} hcbr_how_often;

/**
 * Compute how often such an answer is right, from held-out past cases.
 *
 * The range is widened by 5 points on each side, at most twice, while it has fewer than HCBR_ENOUGH
 * cases.
 *
 * @param out filled; out->size must be set.
 * @return 1, or 0 if that is unknown: there is no answer, nothing of the case is known, the memory
 *         rule or a rule other than the model's own decided, or the model has no held-out figures.
 */
HCBR_API int hcbr_decision_how_often(const hcbr_model *model, const hcbr_decision *decision,
                                     hcbr_how_often *out);

/** Working memory to decide with one model; one per thread. */
typedef struct hcbr_decider hcbr_decider;

/**
 * Prepare to decide.
 *
 * @param out   receives the decider, NULL on failure; release with hcbr_decider_free().
 * @param model must outlive the decider.
 * @param rule  the rule of decision; NULL for the one stored in the model.
 * @return HCBR_OK, HCBR_EUSAGE (a label the model does not know, a value out of range, the memory
 *         rule for a model without cases) or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_decider_create(hcbr_decider **out,
                                                         const hcbr_model *model,
                                                         const hcbr_rule *rule, hcbr_error *err);

/** Release a decider. NULL is fine. */
HCBR_API void hcbr_decider_free(hcbr_decider *decider);

/**
 * A new case as a model sees it: its values are looked up and its numbers read once, when the row
 * is made. It has copies of all texts, and it does not change: threads may share it.
 */
typedef struct hcbr_row hcbr_row;

/** The sources of a row; borrowed from it. */
typedef struct hcbr_row_info {
    size_t size;
    const hcbr_feature *features; /**< in the order of the data, repeated ones included */
    size_t feature_count;
    const hcbr_feature *texts; /**< columns of texts that were split into words while they were
                                    read: the column and its whole text (streams only) */
    size_t text_count;
    uint64_t row;   /**< data row, from 1; 0: features were given */
    const char *id; /**< name of the case, NULL for none (streams only) */
    size_t id_length;
    const char *given; /**< label in the data, NULL for none (streams only) */
    size_t given_length;
} hcbr_row_info;

/**
 * Make a row of a case.
 *
 * @param out      receives the row, NULL on failure; release with hcbr_row_free().
 * @param decider  of the model; it need not outlive the row.
 * @param features in any order; a repeated one counts once; UTF-8 without NUL.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA or HCBR_ENOMEM.
 *
 * Cost: one look-up for each feature.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_row_create(hcbr_row **out, hcbr_decider *decider,
                                                     const hcbr_feature *features, size_t count,
                                                     hcbr_error *err);

/** Release a row. NULL is fine. */
HCBR_API void hcbr_row_free(hcbr_row *row);

/** The sources of a row; info->size must be set. */
HCBR_API void hcbr_row_get(const hcbr_row *row, hcbr_row_info *info);

/**
 * Decide a row.
 *
 * @param row      of the decider's model.
 * @param decision receives the decision, which borrows from the row too; decision->size must be
 *                 set.
 * @return HCBR_OK, HCBR_EUSAGE (a row of another model) or HCBR_ENOMEM.
 *
 * Cost: proportional to the features, and to the labels.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_decider_decide(hcbr_decider *decider, const hcbr_row *row,
                                                         hcbr_decision *decision, hcbr_error *err);

/** Decides cases as they are read, from files or from a table in memory (answers.h). One thread at
 *  a time. */
typedef struct hcbr_stream hcbr_stream;

/**
 * Open files of cases to decide.
 *
 * Reads as hcbr_cases_read() does, but a label is neither needed nor a feature. Columns that
 * training did not have, and columns of training that are absent, are reported as warnings.
 *
 * @param out     receives the stream, NULL on failure; release with hcbr_stream_free().
 * @param decider must outlive the stream.
 * @param paths   files; "-" is standard input. Copied.
 * @param options NULL for those stored in the model. Copied, except notify and progress. na_only
 *                then applies to the decider. With threads above 1 a large file is read and decided
 *                by as many threads; decisions, their order, warnings and failures are the same.
 * @return HCBR_OK, HCBR_EUSAGE or HCBR_ENOMEM. Files are opened by hcbr_stream_next().
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_create(hcbr_stream **out, hcbr_decider *decider,
                                                        const char *const *paths, size_t count,
                                                        const hcbr_read_options *options,
                                                        hcbr_error *err);

/** Release a stream. NULL is fine. */
HCBR_API void hcbr_stream_free(hcbr_stream *stream);

/**
 * Read and decide the next case.
 *
 * @param decision receives the decision; decision->size must be set.
 * @param more     receives 1 if there was a case, 0 at the end of the files.
 * @return HCBR_OK, HCBR_EDATA, HCBR_EIO, HCBR_ENOMEM or HCBR_ECANCELLED. After a failure the
 *         stream can only be released.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_next(hcbr_stream *stream, hcbr_decision *decision,
                                                      int *more, hcbr_error *err);

/**
 * The last case of hcbr_stream_next(), as a row.
 *
 * @param out receives the row, NULL on failure; release with hcbr_row_free().
 * @return HCBR_OK, HCBR_EUSAGE (no case was decided, the stream has ended, or the case was read by
 *         another thread: options.threads is above 1) or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_get_row(hcbr_stream *stream, hcbr_row **out,
                                                         hcbr_error *err);

/**
 * Find the past case that the case decided last is: itself a part of the training data, not only
 * equal to one.
 *
 * Every value is the same and the id, too; or, if the data or the model have no ids, the row and
 * the label in the data.
 *
 * @param index receives the number, for hcbr_model_get_kept(); UINT64_MAX: not a past case, or the
 *              model keeps no cases.
 * @return HCBR_OK, HCBR_EUSAGE or HCBR_ENOMEM.
 *
 * Cost: comparing one case, if its row and label or its id are those of a past case; if only its id
 * is, searching the ids of all.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_find_itself(hcbr_stream *stream, uint64_t *index,
                                                             hcbr_error *err);

/** A column of a row as it is in the data, decoded to UTF-8; texts need not end with NUL. */
typedef struct hcbr_field {
    const char *name;
    size_t name_length;
    const char *text; /**< without quotes and escapes; for JSON other than strings, the JSON itself.
                           NULL: the row is too short, or null */
    size_t text_length;
    const char *json; /**< of JSON Lines: the value in the data; NULL: of a table */
    size_t json_length;
} hcbr_field;

/**
 * The last case of hcbr_stream_next() with all columns of its row in order, including those of
 * label and id and ignored ones. Of JSON Lines these are the members of the object. Borrowed until
 * the next call.
 *
 * @return HCBR_OK, HCBR_EUSAGE (no case was decided, the stream has ended, the case was read by
 *         another thread: options.threads is above 1; or the data are not csv, tsv or jsonl) or
 *         HCBR_ENOMEM.
 *
 * Cost: parsing the row once more.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_get_fields(hcbr_stream *stream,
                                                            const hcbr_field **fields,
                                                            size_t *count, hcbr_error *err);

/**
 * Whether hcbr_stream_next() has to read input, and may wait for it. If so, flush your output
 * first.
 *
 * @return 1 if the next call has to read from a file first, 0 if a case is ready.
 */
HCBR_API int hcbr_stream_must_read(const hcbr_stream *stream);

/** The number of rows left out so far (::hcbr_bad_rows). */
HCBR_API uint64_t hcbr_stream_skipped_count(const hcbr_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
