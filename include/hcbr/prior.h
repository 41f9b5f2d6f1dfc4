/**
 * @file prior.h
 * Prior knowledge, which is not in the data: importances of features, and cases stated by experts.
 *
 * Both come from csv files written by hand (docs/INPUT.md, "Prior knowledge"), and both are stored
 * in the model.
 */
#ifndef HCBR_PRIOR_H
#define HCBR_PRIOR_H

#include <hcbr/cases.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- importance of features (plain models) --------------------------------------------------- */

/** The importance of a column's features, or of one feature, in the weight w (docs/METHOD.md,
 *  section 11). Unlisted features have importance 1. A feature has priority over its column. */
typedef struct hcbr_emphasis {
    const char *column; /**< column or key; UTF-8, not empty */
    const char *value;  /**< of the feature; NULL: all features of the column, including new ones */
    double importance;  /**< 0 to 1e6, with at most six decimals; 0: left out, as if absent */
} hcbr_emphasis;
#define HCBR_MOST_IMPORTANCE 1e6

/** A list of importances from a file. */
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
 * @return HCBR_OK, HCBR_EDATA (with the place: a name that no case has, a number out of range, a
 *         duplicate name, an empty file), HCBR_EIO or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_emphases_load(hcbr_emphases **out, const char *path,
                                                        const hcbr_cases *cases, hcbr_error *err);
/** The list, for hcbr_train_options.emphasis; borrowed. */
HCBR_API const hcbr_emphasis *hcbr_emphases_get(const hcbr_emphases *emphases, size_t *count);
/** Release. NULL is fine. */
HCBR_API void hcbr_emphases_free(hcbr_emphases *emphases);

/**
 * Check that every name of a list is a column or feature of some case.
 *
 * @return HCBR_OK, HCBR_EUSAGE that names the first unknown one with a suggestion, or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_emphasis_check(const hcbr_emphasis *list, size_t count,
                                                         const hcbr_cases *cases, hcbr_error *err);

/* ---- beliefs (all models) -------------------------------------------------------------------- */

#define HCBR_BELIEF_SOURCE "belief_source" /**< column of the source of a belief */
#define HCBR_BELIEF_WEIGHT "belief_weight" /**< column of the weight, as a number of cases */

/**
 * Add cases stated by experts, after all that were read.
 *
 * The file has columns of the data, that of the label, `belief_source` and, unless all weights are
 * 1, `belief_weight`. An empty field states nothing. The cases are used in training like others,
 * are never held out, and are marked as beliefs in reasons. The order of the lines does not matter.
 *
 * @param cases   a list that is not finished and has the data already.
 * @param path    csv file.
 * @param options reading options of the data; NULL for the defaults.
 * @param copies  for plain models: a weight is a whole number n, and the belief becomes n cases;
 *                otherwise any weight from 0 to 1e9, as of hcbr_read_options.weight.
 * @return HCBR_OK, HCBR_EUSAGE (the list is finished, empty, or has beliefs already), HCBR_EDATA
 *         (with the place: a column or label that the data does not have, no source, a bad weight,
 *         a duplicate statement), HCBR_EIO or HCBR_ENOMEM. On failure the list must be freed.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_cases_read_beliefs(hcbr_cases *cases, const char *path,
                                                             const hcbr_read_options *options,
                                                             int copies, hcbr_error *err);

/** A case stated by an expert. */
typedef struct hcbr_belief {
    size_t size;
    const char *source; /**< ends with NUL; borrowed */
    double weight;
    hcbr_label label;
    uint64_t first; /**< number of its first case, for hcbr_model_get_kept() */
    uint64_t cases; /**< number of its cases: in a plain model its weight, else 1 */
} hcbr_belief;

#ifdef __cplusplus
}
#endif

#endif
