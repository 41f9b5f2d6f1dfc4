/**
 * @file preview.h
 * A preview of reading: the use of each column, and the first cases as sets of features.
 */
#ifndef HCBR_PREVIEW_H
#define HCBR_PREVIEW_H

#include <hcbr/cases.h>
#include <hcbr/model.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The use of a column or key. */
typedef enum hcbr_column_use {
    HCBR_USE_VALUE = 0,    /**< features `column=value` */
    HCBR_USE_LABEL = 1,    /**< the label */
    HCBR_USE_ID = 2,       /**< the name of the case */
    HCBR_USE_GROUP = 3,    /**< the group of the case */
    HCBR_USE_IGNORED = 4,  /**< left out */
    HCBR_USE_SPLIT = 5,    /**< features `column=part` */
    HCBR_USE_TEXT = 6,     /**< features `column:word=count`; of the text format `word=count` */
    HCBR_USE_PRESENCE = 7, /**< the bare key */
    HCBR_USE_NAMES = 8,    /**< bare keys, each a feature by itself */
    HCBR_USE_WEIGHT = 9    /**< the weight of the case */
} hcbr_column_use;

/** The first cases of some files. */
typedef struct hcbr_preview hcbr_preview;

/** A column of the first cases. */
typedef struct hcbr_preview_column {
    size_t size;      /**< size of this structure, to be set by the caller */
    const char *name; /**< empty if the format has no columns */
    size_t name_length;
    hcbr_column_use use;
    const char *separator; /**< of HCBR_USE_SPLIT, else NULL */
    uint64_t cases;        /**< number of the first cases with a value; the label's: with a label */
    uint64_t distinct;     /**< different values, parts or words in them */
    uint64_t words;        /**< of HCBR_USE_VALUE: cases whose value is not a number */
    int number;            /**< of HCBR_USE_VALUE: judging by these cases, a rich model would treat
                                it as a number: three or more different values, one for each case,
                                all of them numbers */
} hcbr_preview_column;

/** One of the first cases. */
typedef struct hcbr_preview_case {
    size_t size;  /**< size of this structure, to be set by the caller */
    uint64_t row; /**< data row over all files, from 1 */
    const char *label;
    size_t label_length;
    const char *id; /**< NULL: none */
    size_t id_length;
    const hcbr_feature *features; /**< in the order of the data, each once */
    size_t feature_count;
} hcbr_preview_case;

/**
 * Read the first cases of files as hcbr_cases_read() would.
 *
 * @param out     receives them, NULL on failure; release with hcbr_preview_free().
 * @param paths   files; "-" is standard input.
 * @param count   number of files.
 * @param options reading options; NULL for the defaults. `min_count` is not applied.
 * @param cases   the most cases to read.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA, HCBR_EIO, HCBR_ENOMEM or HCBR_ECANCELLED.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_preview_create(hcbr_preview **out,
                                                         const char *const *paths, size_t count,
                                                         const hcbr_read_options *options,
                                                         size_t cases, hcbr_error *err);
/**
 * Convert the cases as for a model: columns by their kinds (hcbr_cases_get_kind()), texts to words,
 * dates to parts. Columns of the preview do not change; `min_count` is not applied.
 *
 * @param preview its cases change; on failure some of them may have changed.
 * @param cases   the finished list of the same files.
 * @param options of training; NULL for the defaults.
 * @return HCBR_OK, HCBR_EUSAGE or HCBR_ENOMEM.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_preview_understand(hcbr_preview *preview,
                                                             const hcbr_cases *cases,
                                                             const hcbr_train_options *options,
                                                             hcbr_error *err);
/** Release it. NULL is fine. */
HCBR_API void hcbr_preview_free(hcbr_preview *preview);

/** The format the files were read as. */
HCBR_API hcbr_format hcbr_preview_get_format(const hcbr_preview *preview);
/** The number of columns or keys. Columns of csv and tsv are in file order, others in order of
 *  appearance. */
HCBR_API size_t hcbr_preview_column_count(const hcbr_preview *preview);
/** A column; its text lives as long as the preview. */
HCBR_API void hcbr_preview_get_column(const hcbr_preview *preview, size_t index,
                                      hcbr_preview_column *column);
/** The number of cases read. */
HCBR_API size_t hcbr_preview_case_count(const hcbr_preview *preview);
/** A case; its text lives as long as the preview. */
HCBR_API void hcbr_preview_get_case(const hcbr_preview *preview, size_t index,
                                    hcbr_preview_case *one);

#ifdef __cplusplus
}
#endif
#endif
