/**
 * @file prior.h
 * Knowledge that is not in the data: how important features are, and cases that experts state.
 *
 * Both come from csv files that people write (docs/INPUT.md, "Prior knowledge"), and both are
 * stored in the model.
 */
#ifndef HCBR_PRIOR_H
#define HCBR_PRIOR_H

#include <hcbr/cases.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- importance of features (plain models) --------------------------------------------------- */

/** How important the features of a column, or one feature, are in the weight w (docs/METHOD.md,
 *  section 11). What is not listed has importance 1. A feature goes before its column. */
typedef struct hcbr_emphasis {
    const char *column; /**< column or key; UTF-8, not empty */
    const char *value;  /**< of the feature; NULL: all features of the column, new ones too */
    double importance;  /**< 0 to 1e6, with six decimals at the most; 0: left out, as if it had not
                             been given */
} hcbr_emphasis;
#define HCBR_MOST_IMPORTANCE 1e6

/** What a file says of importances. */
typedef struct hcbr_emphases hcbr_emphases;

/**
 * Read a file of importances and check it against cases.
 *
 * The columns are `column`, `value` (may be missing; empty: the whole column) and `importance`. The
 * order of the lines does not matter.
 *
 * @param out   receives the list, NULL on failure; release with hcbr_emphases_free().
 * @param path  csv file; "-" is standard input.
 * @param cases a finished list: a column or feature that none of its cases has is an error.
 * @return HCBR_OK, HCBR_EDATA (with the place: a name that no case has, a number out of range, one
 *         name twice, no line at all), HCBR_EIO or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_emphases_load(hcbr_emphases **out, const char *path,
                                                        const hcbr_cases *cases, hcbr_error *err);
/** The list, for hcbr_train_options.emphasis; borrowed. */
HCBR_API const hcbr_emphasis *hcbr_emphases_get(const hcbr_emphases *emphases, size_t *count);
/** Release. NULL is fine. */
HCBR_API void hcbr_emphases_free(hcbr_emphases *emphases);

/**
 * Is every name of a list that of a column or feature of some case?
 *
 * @return HCBR_OK, HCBR_EUSAGE that names the first one that is not and what may have been meant,
 *         or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_emphasis_check(const hcbr_emphasis *list, size_t count,
                                                         const hcbr_cases *cases, hcbr_error *err);

/* ---- beliefs (all models) -------------------------------------------------------------------- */

#define HCBR_BELIEF_SOURCE "belief_source" /**< column that says who states the case */
#define HCBR_BELIEF_WEIGHT "belief_weight" /**< column that says how many cases it counts as */

/**
 * Add cases that experts state, behind all that were read.
 *
 * The file has columns of the data, that of the label, `belief_source` and, unless all weights are
 * 1, `belief_weight`. An empty field states nothing. The cases are trained on like others, are
 * never held out, and are shown in reasons as what they are. The order of the lines does not
 * matter.
 *
 * @param cases   a list that is not finished and has the data already.
 * @param path    csv file.
 * @param options how the data was read; NULL for the defaults.
 * @param copies  for plain models: a weight is a whole number n, and the belief becomes n cases;
 *                otherwise any weight from 0 to 1e9, as of hcbr_read_options.weight.
 * @return HCBR_OK, HCBR_EUSAGE (the list is finished, empty, or has beliefs already), HCBR_EDATA
 *         (with the place: a column or label that the data has not, no source, a bad weight, a
 *         statement that is made twice), HCBR_EIO or HCBR_ENOMEM. On failure the list must be
 * freed.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_read_beliefs(hcbr_cases *cases, const char *path,
                                                             const hcbr_read_options *options,
                                                             int copies, hcbr_error *err);

/** How many beliefs a list has; those of weight 0 are none. */
HCBR_API size_t hcbr_cases_belief_count(const hcbr_cases *cases);

/** A case that an expert states. */
typedef struct hcbr_belief {
    size_t size;
    const char *source; /**< ends with NUL; borrowed */
    double weight;
    hcbr_label label;
    uint64_t first; /**< number of its first case, for hcbr_model_get_kept() */
    uint64_t cases; /**< how many cases it is: in a plain model as many as its weight, else 1 */
} hcbr_belief;

#ifdef __cplusplus
}
#endif

#endif
