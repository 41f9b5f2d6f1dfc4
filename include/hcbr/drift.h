/**
 * @file drift.h
 * Do new cases still look like those a model was built from? Columns, values, labels, answers and
 * scores of both, side by side.
 *
 * Each of them is a distribution over bins: the values of a column that at least five training
 * cases have, one bin for rarer and new values together, tenths of the numbers of a column, cases
 * without a value. The shift is half the sum of the absolute differences of the shares (total
 * variation): the least share of the cases whose value would have to change. Small data shift by
 * chance. What chance explains is subtracted, and what is left is the drift:
 *
 *     chance = 1/2 sum over bins of sqrt(2/pi p (1 - p) (1/n + 1/m))
 *            + sqrt((1/n + 1/m) ln(20 C) / 2)
 *     drift  = max(0, shift - chance)
 *
 * for n training cases, m new ones, the share p of a bin among all of them and C comparisons. The
 * first term is what is expected without any drift. The second is exceeded by chance in one of
 * twenty runs at the most (McDiarmid's inequality), for all comparisons of a run together.
 */
#ifndef HCBR_DRIFT_H
#define HCBR_DRIFT_H

#include <hcbr/decision.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What is compared. */
typedef enum hcbr_drift_kind {
    HCBR_DRIFT_COLUMN = 0,  /**< the values of a column; words of a column of texts are its values,
                                 and all bare features are one column without a name */
    HCBR_DRIFT_LABELS = 1,  /**< labels of the data, if they have any */
    HCBR_DRIFT_ANSWERS = 2, /**< what the model answers */
    HCBR_DRIFT_SCORES = 3   /**< how sure it is: with two labels the probability of the second one,
                                 else the largest; without probabilities the lead of the second
                                 label, or of the answer. A model is surer of the cases it was
                                 built from than of new ones, so scores can shift though nothing
                                 else does: they do not count for the limit */
} hcbr_drift_kind;

/** Name of a kind: "column", "labels", "answers", "scores"; NULL for a value that is none. */
HCBR_API const char *hcbr_drift_kind_name(hcbr_drift_kind kind);

/** How to compare. Fill with hcbr_drift_options_init(). */
typedef struct hcbr_drift_options {
    size_t size;
    double limit;               /**< drift above it is too much, 0 to 1; default 0.1 */
    const hcbr_rule *rule;      /**< how answers are given; NULL: the rule stored in the model */
    hcbr_progress_fn *progress; /**< stages "past" and "drift", in cases; may be NULL */
    void *progress_context;
} hcbr_drift_options;

/** Set every field to its default (see HCBR_SIZED in status.h). */
HCBR_API void hcbr_drift_options_init(hcbr_drift_options *options, size_t size);
#define hcbr_drift_options_init(options) hcbr_drift_options_init(HCBR_SIZED(options))

/** The result of a comparison; never changes. */
typedef struct hcbr_drift hcbr_drift;

/**
 * Compare new cases with those that a model was built from.
 *
 * The order of the cases does not matter, nor do weights: each counts once. The training cases
 * themselves have no drift. What is compared depends on what the model keeps of its cases: without
 * any (HCBR_KEEP_NONE), numbers, answers and scores are not compared, and of a column only the
 * cases that have a value.
 *
 * A column that training did not have changes no answer: it is reported, but has no drift.
 *
 * @param out     receives the result, NULL on failure; release with hcbr_drift_free().
 * @param model   must outlive the result.
 * @param stream  of that model, of which nothing was read, with one thread; used up. Labels are not
 *                needed.
 * @param options NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE (a limit or rule that cannot be), HCBR_EDATA (there is no case),
 *         HCBR_ENOMEM, HCBR_ECANCELLED, or what hcbr_stream_next() returned.
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

/** All of it in figures. */
typedef struct hcbr_drift_info {
    size_t size;
    double drift; /**< the largest of all comparisons but that of scores */
    hcbr_drift_kind
        worst;         /**< where it is: of columns the first one; HCBR_DRIFT_COLUMN if it is 0 */
    double limit;      /**< as given */
    int drifted;       /**< drift is above the limit */
    uint64_t cases;    /**< new ones */
    uint64_t labelled; /**< of them with a label */
    uint64_t trained;  /**< training cases */
    uint64_t kept;     /**< of them kept by the model: 0 or all */
    uint64_t features; /**< of the new cases, added up */
    uint64_t unseen;   /**< of them never seen in training */
    uint64_t unseen_cases;    /**< new cases with at least one such feature */
    uint64_t unknown_cases;   /**< new cases of which no feature is known */
    uint32_t columns;         /**< that training had */
    uint32_t gone_columns;    /**< of them no new case has a value */
    uint32_t new_columns;     /**< that only the new cases have */
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
    int compared;        /**< 0: the model does not know how it was, or the data do not have it */
    int gone;            /**< of a column: no new case has a value */
    double shift;        /**< total variation, 0 to 1; NaN, as the next two, if not compared */
    double chance;       /**< what chance explains of it */
    double drift;        /**< what is left */
    double missing[2];   /**< share of the training cases and of the new ones without a value; NaN:
                              not known */
    double unseen;       /**< of a column: share of its values in the new cases that training never
                              saw; 0 for numbers in order; NaN if there are none */
    uint64_t new_count;  /**< different values or labels that training never saw */
    uint64_t gone_count; /**< bins of training that no new case has */
    uint64_t bin_count;
} hcbr_drift_part;

/** Fill out with a column, 0 <= index < info.columns: by falling drift, then by falling shift, then
 *  by name; those not compared last. out->size must be set. */
HCBR_API void hcbr_drift_get_column(const hcbr_drift *drift, uint32_t index, hcbr_drift_part *out);

/** The same for labels, answers or scores; for another kind nothing is compared. */
HCBR_API void hcbr_drift_get_part(const hcbr_drift *drift, hcbr_drift_kind kind,
                                  hcbr_drift_part *out);

/** What a bin holds. */
typedef enum hcbr_drift_bin_kind {
    HCBR_DRIFT_VALUE = 0,   /**< one value, word or label */
    HCBR_DRIFT_RANGE = 1,   /**< numbers above `low` up to `high` */
    HCBR_DRIFT_RARE = 2,    /**< values of fewer than five training cases, and new ones */
    HCBR_DRIFT_MISSING = 3, /**< no value; of answers no label */
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

/** Fill out with bin `index` of a column, those first whose share changed most; out->size must be
 *  set. */
HCBR_API void hcbr_drift_get_column_bin(const hcbr_drift *drift, uint32_t column, uint64_t index,
                                        hcbr_drift_bin *out);
/** The same for labels, answers or scores; empty for what is not there. */
HCBR_API void hcbr_drift_get_bin(const hcbr_drift *drift, hcbr_drift_kind kind, uint64_t index,
                                 hcbr_drift_bin *out);

/** A value or column that is new, and in how many cases. */
typedef struct hcbr_drift_new {
    size_t size;
    const char *name; /**< not NUL-terminated; borrowed */
    size_t name_length;
    uint64_t cases;
} hcbr_drift_new;

/** Fill out with new value `index` below new_count of a column, the most frequent first, equal ones
 *  by their bytes; out->size must be set. */
HCBR_API void hcbr_drift_get_new_value(const hcbr_drift *drift, uint32_t column, uint64_t index,
                                       hcbr_drift_new *out);
/** The same for column `index` below info.new_columns. */
HCBR_API void hcbr_drift_get_new_column(const hcbr_drift *drift, uint32_t index,
                                        hcbr_drift_new *out);

#ifdef __cplusplus
}
#endif
#endif
