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

/** What a decision rests on. */
typedef enum hcbr_reason {
    HCBR_BY_SUPPORT = 0,    /**< the label with the largest support */
    HCBR_BY_MEMORY = 1,     /**< the majority label of identical past cases */
    HCBR_BY_LEAST = 2,      /**< the support is not above eta: the fall-back is given */
    HCBR_BY_SHARE = 3,      /**< the share is not above eta_share: the fall-back is given */
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
    hcbr_label label;  /**< what is answered, or HCBR_LABEL_UNKNOWN */
    hcbr_label winner; /**< the label by rule R1; HCBR_LABEL_UNKNOWN if nothing is known */
    hcbr_reason reason;
    const double *support; /**< s^(l)(x) for every label */
    size_t label_count;
    const double *probability; /**< by label; NULL if the model has none; where nothing is known,
                                    the share of each label among the past cases */
    double lead; /**< support of the winner minus the best other one (0 if nothing is known) */
    uint64_t feature_count;     /**< |x|, each feature once */
    uint64_t known_count;       /**< how many of them the model knows */
    const hcbr_feature *unseen; /**< the others, in the order of the case */
    size_t unseen_count;
    uint64_t row;   /**< data row, from 1 (streams only) */
    const char *id; /**< name of the case, NULL for none (streams only) */
    size_t id_length;
    const char *given; /**< label that stood in the data, NULL for none (streams only) */
    size_t given_length;
    int own_rule; /**< it was decided as the model decides by itself: what the model says of
                       held-out cases is said of such answers, too. 0: by another rule */
    int close;    /**< a close call: were the odds of the label HCBR_CLOSE_ODDS times what they are,
                       or so many times less, the answer would be another. Leaving out one past
                       case may do that. Always 0 where supports decide, not probabilities */
} hcbr_decision;

/** How near to its threshold an answer is a close call, as a ratio of odds. Of rich models trained
 *  with and without one past case, on 16 tables, 21 % of the close calls were decided otherwise,
 *  and .1 % of the others (docs/REASONS.md). */
#define HCBR_CLOSE_ODDS 1.5

/** Held-out cases that say how often something is right. */
#define HCBR_ENOUGH 30

/** How often an answer like this one was right. */
typedef struct hcbr_how_often {
    size_t size;
    double cases;    /**< past cases that, held out of training, got the same label by the same rule
                          with a probability of it in this range; by weight */
    double right;    /**< of them, those whose own label it was */
    double from, to; /**< the range, `from` included, and `to` where it is 1; 0 to 1
                          if the model has no probabilities */
    int enough;      /**< they are HCBR_ENOUGH or more. 0: they are not even in a range of 25 points
                          about the one of 5 that the probability is in */
} hcbr_how_often;

/**
 * Say how often such an answer is right, as far as held-out past cases tell.
 *
 * The range is widened by 5 points on each side, at most twice, while it has fewer than
 * HCBR_ENOUGH cases.
 *
 * @param out filled; out->size must be set.
 * @return 1, or 0 if that is not known: there is no answer, nothing of the case is known, the
 *         memory rule or a rule other than the model's own decided, or the model does not say.
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
 * @param rule  how to decide; NULL for the rule stored in the model.
 * @return HCBR_OK, HCBR_EUSAGE (a label the model does not know, a value out of range, memory
 *         asked of a model that keeps no cases) or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_decider_create(hcbr_decider **out,
                                                         const hcbr_model *model,
                                                         const hcbr_rule *rule, hcbr_error *err);

/** Release a decider. NULL is fine. */
HCBR_API void hcbr_decider_free(hcbr_decider *decider);

/**
 * Decide one case.
 *
 * @param decision receives the decision; decision->size must be set.
 * @param features in any order; a repeated one counts once; UTF-8 without NUL.
 * @return HCBR_OK, HCBR_EDATA or HCBR_ENOMEM.
 *
 * Cost: proportional to the features, and to the labels.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_decider_decide(hcbr_decider *decider,
                                                         const hcbr_feature *features, size_t count,
                                                         hcbr_decision *decision, hcbr_error *err);

/**
 * Number of the past case that a case is itself: of the training data, not only equal to them.
 *
 * Every value is the same and, beside that, the id; or, where the data or the model have no ids,
 * the row and the label that stood in the data.
 *
 * @param features as hcbr_stream_get_case() gives them.
 * @param decision of the same case by hcbr_stream_next(): row, id and given are looked at.
 * @param index    receives the number, for hcbr_model_get_kept(); UINT64_MAX: it is none, or the
 *                 model keeps no cases.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA or HCBR_ENOMEM.
 *
 * Cost: comparing one case; where its row is another one, looking at the ids of all.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_decider_find_itself(hcbr_decider *decider,
                                                              const hcbr_feature *features,
                                                              size_t count,
                                                              const hcbr_decision *decision,
                                                              uint64_t *index, hcbr_error *err);

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
 * @param options NULL for those stored in the model. Copied, but for notify and progress. What
 *                na_only says then holds for the decider. With threads above 1 a large file is read
 *                and decided by as many threads; decisions, their order, warnings and failures are
 *                the same.
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
 * The features of the case that hcbr_stream_next() decided last, in the order of the data, repeated
 * ones included; borrowed until the next call.
 *
 * @return HCBR_OK, HCBR_EUSAGE (no case was decided, the stream has ended, or the case was read by
 *         another thread: options.threads is above 1) or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_get_case(hcbr_stream *stream,
                                                          const hcbr_feature **features,
                                                          size_t *count, hcbr_error *err);

/** A column of a row as it stood in the data, decoded to UTF-8; texts need not end with NUL. */
typedef struct hcbr_field {
    const char *name;
    size_t name_length;
    const char *text; /**< without quotes and escapes; of JSON that is no string, the JSON itself.
                           NULL: the row is too short, or null */
    size_t text_length;
    const char *json; /**< of JSON Lines: the value as it stood there; NULL: of a table */
    size_t json_length;
} hcbr_field;

/**
 * The row of the case that hcbr_stream_next() decided last, with all its columns in their order:
 * those of the label and of the id and those that are ignored too. Of JSON Lines these are the
 * members of the object. Borrowed until the next call.
 *
 * @return HCBR_OK, HCBR_EUSAGE (no case was decided, the stream has ended, the case was read by
 *         another thread: options.threads is above 1; or the data are no csv, tsv or jsonl) or
 *         HCBR_ENOMEM.
 *
 * Cost: parsing the row once more.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_stream_get_row(hcbr_stream *stream,
                                                         const hcbr_field **fields, size_t *count,
                                                         hcbr_error *err);

/**
 * Whether hcbr_stream_next() has to read input, and may wait for it. If so, flush your output
 * first.
 *
 * @return 1 if the next call has to read from a file first, 0 if a case is at hand.
 */
HCBR_API int hcbr_stream_must_read(const hcbr_stream *stream);

/** How many rows were left out so far (::hcbr_bad_rows). */
HCBR_API uint64_t hcbr_stream_skipped_count(const hcbr_stream *stream);

#ifdef __cplusplus
}
#endif
#endif
