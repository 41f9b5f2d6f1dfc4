/**
 * @file encoder.h
 * The encoding of cases in a rich model: every key is a dense column of codes or members of a bag;
 * private to src/rich.
 */
#ifndef HCBR_I_RICH_ENCODER_H
#define HCBR_I_RICH_ENCODER_H

#include "engine/engine.h"

#define HCBR_I_RICH_CODES 256 /* codes of a dense column: 0 is "absent" */
#define HCBR_I_RICH_EXACT 8u  /* numbers with up to this many values may be categories */

typedef enum hcbr_i_rich_kind {
    HCBR_I_RICH_UNUSED = 0,   /**< not used: in no training case */
    HCBR_I_RICH_NUMBER = 1,   /**< dense column, codes ordered */
    HCBR_I_RICH_CATEGORY = 2, /**< dense column, a code per value */
    HCBR_I_RICH_BAG = 3,      /**< each feature is a member of the bag or not */
    HCBR_I_RICH_SPARSE = 4    /**< number that is mostly absent: "present" and "> t" in the bag */
} hcbr_i_rich_kind;

/** The encoding of a key's features. */
typedef struct hcbr_i_rich_key {
    hcbr_i_rich_kind kind;
    uint32_t column;    /**< of NUMBER and CATEGORY */
    uint32_t bag;       /**< of SPARSE: "present"; "> cut j" is bag + 1 + j */
    uint32_t cut_start; /**< of NUMBER and SPARSE: their cuts, ascending */
    uint32_t cut_count;
    uint32_t value_count; /**< distinct values in training */
    uint32_t value_start; /**< of NUMBER with few values: index of the first in values */
    uint32_t count_start; /**< of NUMBER and SPARSE: index of code 1 in counts */
    bool all_numbers;     /**< of CATEGORY and BAG: spellings of one number are one feature */
} hcbr_i_rich_key;

/** A dense column as used by trees and linear model. */
typedef struct hcbr_i_rich_column {
    hcbr_i_key_id key;
    bool ordered;
    bool exact;    /**< ordered, with few values: equality is tested too */
    uint8_t codes; /**< codes 1..codes are in use */
} hcbr_i_rich_column;

typedef struct hcbr_i_rich_encoder {
    hcbr_i_dict *dict; /**< keys sorted by bytes; features by key, then by the bytes of the value, a
                            bare key first. Numbers of NUMBER and SPARSE keys are not among them */
    uint32_t key_count, feature_count;
    hcbr_i_rich_key *keys;
    uint32_t *code; /**< by feature, of CATEGORY: code; of BAG: member; HCBR_I_NONE: an unused word
                         of a number key */
    double *cuts;
    uint32_t cut_count;
    double *values; /**< of numbers with few values, by code */
    uint32_t value_count;
    hcbr_i_rich_column *columns;
    uint32_t column_count;
    uint32_t bag_count;
    bool has_spellings; /**< some key of features has numbers only */
} hcbr_i_rich_encoder;

/** A case as codes, with room for column_count codes and for the bag. */
typedef struct hcbr_i_rich_row {
    uint8_t *codes;
    uint32_t *bag; /**< ascending, without duplicates */
    uint32_t bag_count;
    size_t bag_capacity;
} hcbr_i_rich_row;

/** Whether the values of a key are numbers with cuts. */
static inline bool hcbr_i_rich_is_number(const hcbr_i_rich_key *key) {
    return key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE;
}

/**
 * Compute the offsets of columns, members, cuts and codes from the dictionary and from kind,
 * cut_count and value_count of the keys. False: no memory.
 */
bool hcbr_i_rich_encoder_place(hcbr_i_rich_encoder *encoder);
void hcbr_i_rich_encoder_clear(hcbr_i_rich_encoder *encoder);
/** The number of values that cases are counted by: features, then the codes of numbers with
 *  cuts. */
uint32_t hcbr_i_rich_value_count(const hcbr_i_rich_encoder *encoder);
/** The key of a member of the bag. */
hcbr_i_key_id hcbr_i_rich_key_of_member(const hcbr_i_rich_encoder *encoder, uint32_t member);
/** Code of a number by its cuts: 1 + the number of cuts below it. */
uint8_t hcbr_i_rich_code(const double *cuts, uint32_t count, double value);
/** Encode a case: begin, add its features and numbers in any order, end. False: no memory. */
void hcbr_i_rich_row_begin(const hcbr_i_rich_encoder *encoder, hcbr_i_rich_row *row);
/** A feature of the encoder's dictionary. */
bool hcbr_i_rich_row_add(const hcbr_i_rich_encoder *encoder, hcbr_i_feature_id feature,
                         hcbr_i_rich_row *row);
/** A number of a key with cuts. */
bool hcbr_i_rich_row_add_number(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id key, double value,
                                hcbr_i_rich_row *row);
/** A value by its text (NULL: a bare key), if it is known; needs the tables of the dictionary. */
bool hcbr_i_rich_row_add_text(const hcbr_i_rich_encoder *encoder, const hcbr_feature *feature,
                              hcbr_i_rich_row *row, bool *known);
/** The encoder's keys by those of a list of cases, or HCBR_I_NONE; needs the tables of the
 *  dictionary. NULL: no memory. */
hcbr_i_key_id *hcbr_i_rich_keys_of(const hcbr_i_rich_encoder *encoder,
                                   const struct hcbr_cases *cases);
/** All known values of a case of such a list. */
bool hcbr_i_rich_row_add_case(const hcbr_i_rich_encoder *encoder, const struct hcbr_cases *cases,
                              uint32_t number, const hcbr_i_key_id *keys, hcbr_i_rich_row *row);
/** The feature of a name; for a key of numbers, in any spelling. HCBR_I_NONE: none. Needs the
 *  tables of the dictionary. */
hcbr_i_feature_id hcbr_i_rich_find(const hcbr_i_rich_encoder *e, const hcbr_feature *x);
/** The feature of a member of the bag, which is not of a sparse number. */
hcbr_i_feature_id hcbr_i_rich_member_feature(const hcbr_i_rich_encoder *encoder, uint32_t member);
/** Whether a text is a number where numbers are expected. Leading zeros are accepted. */
bool hcbr_i_rich_plain_number(const hcbr_i_rich_key *key, const char *text, size_t length,
                              double *value);
/** The same for a new case, whose numbers may be in disguise, as in a column of training: `3,000`.
 *  The point is the decimal mark, since training had plain numbers. */
bool hcbr_i_rich_number(const hcbr_i_rich_key *key, const char *text, size_t length, double *value);
void hcbr_i_rich_row_end(hcbr_i_rich_row *row);
void hcbr_i_rich_row_clear(hcbr_i_rich_row *row);

/** Add codes lo..hi, below HCBR_I_RICH_CODES, to a set of them. */
static inline void hcbr_i_rich_add_codes(uint64_t set[HCBR_I_RICH_CODES / 64], uint32_t lo,
                                         uint32_t hi) {
    for (uint32_t word = lo / 64; lo <= hi && word <= hi / 64; word++) {
        uint32_t from = word == lo / 64 ? lo % 64 : 0, to = word == hi / 64 ? hi % 64 : 63;
        set[word] |= UINT64_MAX >> (63 - to) & UINT64_MAX << from;
    }
}

#endif
