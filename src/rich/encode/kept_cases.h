/**
 * @file kept_cases.h
 * The training cases in a rich model (kept_cases.c): for every case its merged row and its numbers,
 * for every row its categories and its members of the bag. Codes of numbers follow from the numbers
 * and the cuts.
 */
#ifndef HCBR_I_RICH_KEPT_CASES_H
#define HCBR_I_RICH_KEPT_CASES_H

#include "rich/rich_fit.h"

/** Numbers packed into the fewest bits that distinguish them. */
typedef struct hcbr_i_rich_packed {
    size_t at;     /**< offset in the bytes */
    int64_t base;  /**< whole numbers are this + stored value - 1; a stored 0 means absent */
    uint8_t bits;  /**< of each; 64: doubles */
    uint8_t power; /**< whole numbers are divided by this power of ten */
} hcbr_i_rich_packed;

#define HCBR_I_RICH_DOUBLES 64u
#define HCBR_I_RICH_MOST_BITS 53u  /* of whole numbers */
#define HCBR_I_RICH_MOST_POWER 15u /* every power up to it is a double, and so are quotients */

/** A word of a case in a number key. */
typedef struct hcbr_i_rich_word {
    uint32_t place, feature;
} hcbr_i_rich_word;

/** A number of a case with more digits than its double: its canonical text. */
typedef struct hcbr_i_rich_text {
    uint32_t key, place, length;
    size_t at;
} hcbr_i_rich_text;

typedef struct hcbr_i_rich_past {
    uint32_t count, rows;        /**< cases; merged ones */
    uint32_t *row_of;            /**< by case; HCBR_I_NONE: no weight */
    uint32_t *group;             /**< by row: number of its group; NULL: no groups */
    uint32_t categories;         /**< number of category columns */
    uint8_t *codes;              /**< rows x categories */
    uint64_t *bag_start;         /**< row i has bag[bag_start[i] .. bag_start[i+1]), ascending:
                                      ... */
    uint32_t *bag;               /**< ... members that are features */
    hcbr_i_rich_packed *columns; /**< by dense number, in the order of columns */
    size_t column_count, column_capacity;
    unsigned char *bytes; /**< with 8 more readable ones */
    size_t byte_count, byte_capacity;
    uint64_t *sparse_start; /**< case i has sparse numbers sparse_start[i] .. sparse_start[i+1] */
    uint32_t *sparse_key;   /**< ascending in a case */
    double *sparse_value;
    size_t sparse_count, sparse_key_capacity, sparse_value_capacity;
    hcbr_i_rich_word *words; /**< by case, then by feature */
    size_t word_count, word_capacity;
    hcbr_i_rich_text *texts; /**< by key, then by case */
    size_t text_count, text_capacity;
    char *text;
    size_t text_bytes, text_bytes_capacity;
} hcbr_i_rich_past;

void hcbr_i_rich_past_free(hcbr_i_rich_past *past);

/* Adding to the kept cases; false: no memory. Columns are added in order, everything else by
 * ascending place. */
bool hcbr_i_rich_past_add_column(hcbr_i_rich_past *past, const double *column, size_t count);
bool hcbr_i_rich_past_add_text(hcbr_i_rich_past *past, uint32_t key, uint32_t place,
                               hcbr_i_text text);
bool hcbr_i_rich_past_add_sparse(hcbr_i_rich_past *past, uint32_t place, uint32_t key,
                                 double value);
/** Take over the rows of the table; the past owns row_of afterwards. */
bool hcbr_i_rich_past_end(hcbr_i_rich_past *past, const hcbr_i_rich_encoder *encoder,
                          const hcbr_i_rich_table *table, uint32_t *row_of);

/** Append packed numbers, NAN for absent, to the bytes. False: no memory. */
bool hcbr_i_rich_pack(hcbr_i_rich_packed *out, const double *values, size_t count,
                      unsigned char **bytes, size_t *used, size_t *capacity);
/** The packed number at an index; NAN: absent. bytes: from packed->at on. */
double hcbr_i_rich_unpack(const hcbr_i_rich_packed *packed, const unsigned char *bytes, size_t at);
/** Whether hcbr_i_rich_pack() gives exactly these bytes for their numbers. 8 more bytes must be
 *  readable. */
bool hcbr_i_rich_is_packed(const hcbr_i_rich_packed *packed, const unsigned char *bytes,
                           size_t count);
/** The size of `count` packed numbers in bytes. */
uint64_t hcbr_i_rich_packed_size(const hcbr_i_rich_packed *packed, uint64_t count);

/** Write the value at index `at` in a list of `bits` bits each; bytes are zero at first, with
 *  slack. */
void hcbr_i_rich_put_bits(unsigned char *bytes, uint64_t at, unsigned bits, uint64_t value);
uint64_t hcbr_i_rich_get_bits(const unsigned char *bytes, uint64_t at, unsigned bits);
/** The bits needed for numbers up to `most`. */
unsigned hcbr_i_rich_bits_of(uint64_t most);

/** A past case with its features and numbers. Zero-initialise to start. */
typedef struct hcbr_i_rich_past_case {
    hcbr_i_feature_id *features; /**< ascending */
    size_t feature_count, feature_capacity;
    struct hcbr_i_rich_past_number {
        hcbr_i_key_id key;
        double value;
        hcbr_i_text text; /**< absent: the double is exact */
    } * numbers;          /**< by ascending key */
    size_t number_count, number_capacity;
} hcbr_i_rich_past_case;
/** False: no memory. A case without weight has its numbers only. */
bool hcbr_i_rich_past_get(const hcbr_i_rich_past *past, const hcbr_i_rich_encoder *encoder,
                          uint32_t number, hcbr_i_rich_past_case *out);
/** The identity of a case's numbers; both 0: it has no numbers. */
void hcbr_i_rich_past_identity(const hcbr_i_rich_past *past, const hcbr_i_rich_encoder *encoder,
                               uint32_t number, uint64_t identity[2]);
/** The number of its features. */
size_t hcbr_i_rich_past_features(const hcbr_i_rich_past *past, uint32_t number);
/** The number of its features and numbers. */
uint64_t hcbr_i_rich_past_size(const hcbr_i_rich_past *past, uint32_t number);
void hcbr_i_rich_past_case_clear(hcbr_i_rich_past_case *x);

/** The observer of a pass over all rows; any status but HCBR_OK ends the pass. */
typedef struct hcbr_i_rich_watch {
    hcbr_status (*tell)(void *context, uint64_t done, uint64_t total, hcbr_error *err);
    void *context;
} hcbr_i_rich_watch;

static inline hcbr_status hcbr_i_rich_tell(const hcbr_i_rich_watch *watch, uint64_t done,
                                           uint64_t total, hcbr_error *err) {
    return watch ? watch->tell(watch->context, done, total, err) : HCBR_OK;
}

/** The merged table without its sums and folds: rows of codes and bags. `watch` is called at each
 *  column and regularly between rows, with 0 of 0; may be NULL. */
hcbr_status hcbr_i_rich_past_table(const hcbr_i_rich_past *past, const hcbr_i_rich *rich,
                                   const uint32_t *label, const double *weight,
                                   hcbr_i_rich_table *out, const hcbr_i_rich_watch *watch,
                                   hcbr_error *err);

#endif
