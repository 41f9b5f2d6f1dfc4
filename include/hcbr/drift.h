/**
 * @file drift.h
 * Drift: whether new cases still look like those a model was built from, by a comparison of
 * columns, values, labels, answers and scores.
 *
 * Each comparison is of two distributions over bins: the values of a column that at least five
 * training cases have, one bin for rarer and new values together, tenths of the numbers of a
 * column, cases without a value. The shift is half the sum of the absolute differences of the
 * shares (total variation): the least share of the cases whose value would have to change. Small
 * data shift by chance. The part explained by chance is subtracted, and the rest is the drift:
 *
 *     chance = 1/2 sum over bins of sqrt(2/pi p (1 - p) (1/n + 1/m))
 *            + sqrt((1/n + 1/m) ln(20 C) / 2)
 *     drift  = max(0, shift - chance)
 *
 * for n training cases, m new ones, the share p of a bin among all of them and C comparisons. The
 * first term is the expected shift without drift. The second is exceeded by chance in at most one
 * of twenty runs (McDiarmid's inequality), for all comparisons of a run together.
 */
#ifndef HCBR_DRIFT_H
#define HCBR_DRIFT_H

#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The subject of a comparison. */
typedef enum hcbr_drift_kind {
    HCBR_DRIFT_COLUMN = 0,  /**< the values of a column; the values of a text column are its words,
                                 and all bare features are one column without a name */
    HCBR_DRIFT_LABELS = 1,  /**< labels of the data, if they have any */
    HCBR_DRIFT_ANSWERS = 2, /**< answers of the model */
    HCBR_DRIFT_SCORES = 3   /**< certainty: with two labels the probability of the second one,
                                 otherwise the largest; without probabilities the lead of the second
                                 label, or of the answer. In-sample scores are higher, so scores can
                                 shift without any drift: they do not count for the limit */
} hcbr_drift_kind;

/** Name of a kind: "column", "labels", "answers", "scores"; NULL for an invalid value. */
HCBR_API const char *hcbr_drift_kind_name(hcbr_drift_kind kind);

/** Options of a comparison. Fill with hcbr_drift_options_init(). */
typedef struct hcbr_drift_options {
    size_t size;
    double limit;               /**< largest acceptable drift, 0 to 1; default 0.1 */
    const hcbr_rule *rule;      /**< rule of decision; NULL: the one stored in the model */
    hcbr_progress_fn *progress; /**< stages "past" and "drift", in cases; may be NULL */
    void *progress_context;
} hcbr_drift_options;

/** Set every field to its default. */
#define hcbr_drift_options_init(options) HCBR_INIT(hcbr_drift_options, options)

/** The result of a comparison; never changes. */
typedef struct hcbr_drift hcbr_drift;

/**
 * Compare new cases with those that a model was built from.
 *
 * The order of the cases does not matter, nor do weights: each counts once. The training cases
 * themselves have no drift. The comparisons depend on the cases that the model keeps: without any
 * (HCBR_KEEP_NONE), numbers, answers and scores are not compared, and columns only by the cases
 * that have a value.
 *
 * A column that training did not have changes no answer: it is reported, but has no drift.
 *
 * @param out     receives the result, NULL on failure; release with hcbr_drift_free().
 * @param model   must outlive the result.
 * @param stream  an unread stream of that model, with one thread; used up. Labels are not needed.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE (an invalid limit or rule), HCBR_EDATA (no cases), HCBR_ENOMEM,
 *         HCBR_ECANCELLED, or the status of hcbr_stream_next().
 *
 * Cost: that of deciding the new cases and the kept ones; 8 bytes for each number of the kept ones,
 * and the texts of new values and columns.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_drift_measure(hcbr_drift **out, const hcbr_model *model,
                                                        hcbr_stream *stream,
                                                        const hcbr_drift_options *options,
                                                        hcbr_error *err);

/** Release a result. NULL is fine. */
HCBR_API void hcbr_drift_free(hcbr_drift *drift);

/** The figures of a comparison. */
typedef struct hcbr_drift_info {
    size_t size;
    double drift;             /**< the largest of all comparisons except that of scores */
    hcbr_drift_kind worst;    /**< the comparison with this drift, for columns the first one;
                                   HCBR_DRIFT_COLUMN if it is 0 */
    double limit;             /**< as given */
    int drifted;              /**< drift is above the limit */
    uint64_t cases;           /**< new cases */
    uint64_t labelled;        /**< of them with a label */
    uint64_t trained;         /**< training cases */
    uint64_t kept;            /**< of them kept by the model: 0 or all */
    uint64_t features;        /**< sum over the new cases */
    uint64_t unseen;          /**< of them not in training */
    uint64_t unseen_cases;    /**< new cases with at least one such feature */
    uint64_t unknown_cases;   /**< new cases without any known feature */
    uint32_t columns;         /**< columns of training */
    uint32_t gone_columns;    /**< of them, without a value in any new case */
    uint32_t new_columns;     /**< columns of the new cases only */
    uint32_t drifted_columns; /**< columns with a drift above the limit */
} hcbr_drift_info;

/** Fill info; info->size must be set. */
HCBR_API void hcbr_drift_get_info(const hcbr_drift *drift, hcbr_drift_info *info);

/** One comparison. Texts are borrowed from the result. */
typedef struct hcbr_drift_part {
    size_t size;
    hcbr_drift_kind kind;
    const char *name; /**< of a column; not NUL-terminated; else NULL */
    size_t name_length;
    int compared;        /**< 0: the model lacks the figures of training, or the data lack the
                              values */
    int gone;            /**< of a column: no new case has a value */
    double shift;        /**< total variation, 0 to 1; NaN, as the next two, if not compared */
    double chance;       /**< the part explained by chance */
    double drift;        /**< the rest */
    double missing[2];   /**< share of the training cases and of the new ones without a value; NaN:
                              unknown */
    double unseen;       /**< of a column: share of its values in the new cases that are not in
                              training; 0 for ordered numbers; NaN without values */
    uint64_t new_count;  /**< different values or labels that are not in training */
    uint64_t gone_count; /**< bins of training without new cases */
    uint64_t bin_count;
} hcbr_drift_part;

/** Fill out with a column, 0 <= index < info.columns, sorted by descending drift, then by
 *  descending shift, then by name; columns that were not compared come last. out->size must be
 *  set. */
HCBR_API void hcbr_drift_get_column(const hcbr_drift *drift, uint32_t index, hcbr_drift_part *out);

/** The same for labels, answers or scores; not compared for another kind. */
HCBR_API void hcbr_drift_get_part(const hcbr_drift *drift, hcbr_drift_kind kind,
                                  hcbr_drift_part *out);

/** The content of a bin. */
typedef enum hcbr_drift_bin_kind {
    HCBR_DRIFT_VALUE = 0,   /**< one value, word or label */
    HCBR_DRIFT_RANGE = 1,   /**< numbers above `low` up to `high` */
    HCBR_DRIFT_RARE = 2,    /**< values of fewer than five training cases, and new ones */
    HCBR_DRIFT_MISSING = 3, /**< no value; for answers, no label */
    HCBR_DRIFT_BELOW = 4,   /**< numbers below `high`, the least of training */
    HCBR_DRIFT_ABOVE = 5    /**< numbers above `low`, the largest of training */
} hcbr_drift_bin_kind;

/** A bin. */
typedef struct hcbr_drift_bin {
    size_t size;
    hcbr_drift_bin_kind kind;
    const char *value; /**< of HCBR_DRIFT_VALUE, not NUL-terminated; borrowed; else NULL */
    size_t value_length;
    double low, high; /**< of ranges; `low` of the first range is the least of training, which
                           belongs to it; else NaN */
    double share[2];  /**< of training and of the new cases */
} hcbr_drift_bin;

/** Fill out with bin `index` of a column, sorted by descending change of the share; out->size must
 *  be set. */
HCBR_API void hcbr_drift_get_column_bin(const hcbr_drift *drift, uint32_t column, uint64_t index,
                                        hcbr_drift_bin *out);
/** The same for labels, answers or scores; empty for an invalid index. */
HCBR_API void hcbr_drift_get_bin(const hcbr_drift *drift, hcbr_drift_kind kind, uint64_t index,
                                 hcbr_drift_bin *out);

/** A new value or column, with its number of cases. */
typedef struct hcbr_drift_new {
    size_t size;
    const char *name; /**< not NUL-terminated; borrowed */
    size_t name_length;
    uint64_t cases;
} hcbr_drift_new;

/** Fill out with new value `index` below new_count of a column, the most frequent first, ties by
 *  bytes; out->size must be set. */
HCBR_API void hcbr_drift_get_new_value(const hcbr_drift *drift, uint32_t column, uint64_t index,
                                       hcbr_drift_new *out);
/** The same for column `index` below info.new_columns. */
HCBR_API void hcbr_drift_get_new_column(const hcbr_drift *drift, uint32_t index,
                                        hcbr_drift_new *out);

#ifdef __cplusplus
}
#endif
#endif
