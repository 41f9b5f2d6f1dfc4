/**
 * @file kept_cases.h
 * What a rich model keeps of its training cases (kept_cases.c): of every case the merged row it
 * belongs to and its numbers, of every row its categories and its members of the bag. Codes of
 * numbers follow from the numbers and the cuts.
 */
#ifndef HCBR_I_RICH_KEPT_CASES_H
#define HCBR_I_RICH_KEPT_CASES_H

#include "rich/rich_fit.h"

/** Numbers in as few bits as tell them apart. */
typedef struct hcbr_i_rich_packed {
    size_t at; /**< where they begin in the bytes */
    int64_t
        base; /**< whole numbers are this + what is stored - 1; 0 is stored where there is none */
    uint8_t bits;  /**< of each; 64: they are doubles */
    uint8_t power; /**< of ten that whole numbers are divided by */
} hcbr_i_rich_packed;

#define HCBR_I_RICH_DOUBLES 64u
#define HCBR_I_RICH_MOST_BITS 53u  /* of whole numbers */
#define HCBR_I_RICH_MOST_POWER 15u /* every power up to it is a double, and so are quotients */

/** A word of a case where numbers are. */
typedef struct hcbr_i_rich_word {
    uint32_t place, feature;
} hcbr_i_rich_word;

/** A number of a case that its double does not tell from others: the text that stands for it. */
typedef struct hcbr_i_rich_text {
    uint32_t key, place, length;
    size_t at;
} hcbr_i_rich_text;

typedef struct hcbr_i_rich_past {
    uint32_t count, rows;        /**< cases; merged ones */
    uint32_t *row_of;            /**< by case; HCBR_I_NONE: it has no weight */
    uint32_t *group;             /**< by row: number of its group; NULL: there are no groups */
    uint32_t categories;         /**< columns that are */
    uint8_t *codes;              /**< rows x categories */
    uint64_t *bag_start;         /**< row i has bag[bag_start[i] .. bag_start[i+1]), rising: ... */
    uint32_t *bag;               /**< ... members that are features */
    hcbr_i_rich_packed *columns; /**< by dense number, in the order of columns */
    size_t column_count, column_capacity;
    unsigned char *bytes; /**< and 8 more that can be read */
    size_t byte_count, byte_capacity;
    uint64_t *sparse_start; /**< case i has sparse numbers sparse_start[i] .. sparse_start[i+1] */
    uint32_t *sparse_key;   /**< rising in a case */
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

/* In the making; false: no memory. Columns come in their order, all else by rising place. */
bool hcbr_i_rich_past_add_column(hcbr_i_rich_past *past, const double *column, size_t count);
bool hcbr_i_rich_past_add_text(hcbr_i_rich_past *past, uint32_t key, uint32_t place,
                               hcbr_i_text text);
bool hcbr_i_rich_past_add_sparse(hcbr_i_rich_past *past, uint32_t place, uint32_t key,
                                 double value);
/** Take rows over from the table; row_of becomes the past's. */
bool hcbr_i_rich_past_end(hcbr_i_rich_past *past, const hcbr_i_rich_encoder *encoder,
                          const hcbr_i_rich_table *table, uint32_t *row_of);

/** Pack numbers, NAN for none, behind the bytes there are. False: no memory. */
bool hcbr_i_rich_pack(hcbr_i_rich_packed *out, const double *values, size_t count,
                      unsigned char **bytes, size_t *used, size_t *capacity);
/** The number at a place of packed ones; NAN: none. bytes: from packed->at on. */
double hcbr_i_rich_unpack(const hcbr_i_rich_packed *packed, const unsigned char *bytes, size_t at);
/** Is that how hcbr_i_rich_pack() packs what they say? 8 more bytes can be read. */
bool hcbr_i_rich_is_packed(const hcbr_i_rich_packed *packed, const unsigned char *bytes,
                           size_t count);
/** How many bytes so many of them take. */
uint64_t hcbr_i_rich_packed_size(const hcbr_i_rich_packed *packed, uint64_t count);

/** Put a value of so many bits to its place among others; bytes are zero at first, with slack. */
void hcbr_i_rich_put_bits(unsigned char *bytes, uint64_t at, unsigned bits, uint64_t value);
uint64_t hcbr_i_rich_get_bits(const unsigned char *bytes, uint64_t at, unsigned bits);
/** Bits of numbers up to `most`. */
unsigned hcbr_i_rich_bits_of(uint64_t most);

/** A past case as it was: features and numbers. Zero-initialise to start. */
typedef struct hcbr_i_rich_past_case {
    hcbr_i_feature_id *features; /**< rising */
    size_t feature_count, feature_capacity;
    struct hcbr_i_rich_past_number {
        hcbr_i_key_id key;
        double value;
        hcbr_i_text text; /**< absent: the double says it */
    } * numbers;          /**< by rising key */
    size_t number_count, number_capacity;
} hcbr_i_rich_past_case;
/** False: no memory. A case of no weight has its numbers alone. */
bool hcbr_i_rich_past_get(const hcbr_i_rich_past *past, const hcbr_i_rich_encoder *encoder,
                          uint32_t number, hcbr_i_rich_past_case *out);
/** What tells its numbers from those of others; both 0: it has none. */
void hcbr_i_rich_past_identity(const hcbr_i_rich_past *past, const hcbr_i_rich_encoder *encoder,
                               uint32_t number, uint64_t identity[2]);
/** How many features it has. */
size_t hcbr_i_rich_past_features(const hcbr_i_rich_past *past, uint32_t number);
/** How many features and numbers it has. */
uint64_t hcbr_i_rich_past_size(const hcbr_i_rich_past *past, uint32_t number);
void hcbr_i_rich_past_case_clear(hcbr_i_rich_past_case *x);

/** Told how far a pass over all rows is; not HCBR_OK: it ends with that. */
typedef struct hcbr_i_rich_watch {
    hcbr_status (*tell)(void *context, uint64_t done, uint64_t total, hcbr_error *err);
    void *context;
} hcbr_i_rich_watch;

static inline hcbr_status hcbr_i_rich_tell(const hcbr_i_rich_watch *watch, uint64_t done,
                                           uint64_t total, hcbr_error *err) {
    return watch ? watch->tell(watch->context, done, total, err) : HCBR_OK;
}

/** The merged table again, but for its sums and folds: rows of codes and bags. `watch` is asked at
 *  each column and now and then between rows, 0 of 0; may be NULL. */
hcbr_status hcbr_i_rich_past_table(const hcbr_i_rich_past *past, const hcbr_i_rich *rich,
                                   const uint32_t *label, const double *weight,
                                   hcbr_i_rich_table *out, const hcbr_i_rich_watch *watch,
                                   hcbr_error *err);

#endif
