/**
 * @file column_encoding.h
 * Building an encoder: shared by its steps; private to src/rich.
 */
#ifndef HCBR_I_RICH_COLUMN_ENCODING_H
#define HCBR_I_RICH_COLUMN_ENCODING_H

#include "rich/rich.h"

/** A number of the current key in a case. */
typedef struct hcbr_i_rich_entry {
    double value;
    uint64_t item;  /**< of the case base; HCBR_I_RICH_NO_ITEM: it came from the words */
    uint32_t place; /**< of its case in the view */
} hcbr_i_rich_entry;
#define HCBR_I_RICH_NO_ITEM UINT64_MAX

/** A value of a number key in training, with its weight. */
typedef struct hcbr_i_rich_amount {
    double value, weight;
} hcbr_i_rich_amount;

/** Facts about a key. */
typedef struct hcbr_i_rich_seen {
    uint32_t words, last_place; /**< different words; the last case with the key, + 1 */
    uint64_t numbers;           /**< of all cases */
    uint64_t forced;            /**< those that came from the words */
    hcbr_i_rich_entry first;    /**< of the last case with a number of it, */
    bool any, noted;            /**< if any; it is among the maker's names */
    double weight;              /**< of the cases with the key */
    bool several;               /**< two values in a case */
    bool repeats;               /**< two numbers in a case, perhaps equal */
    bool is_numeric, is_categorical;
} hcbr_i_rich_seen;

/** A value of the current key that becomes a feature, to be sorted. */
typedef struct hcbr_i_rich_value {
    hcbr_i_text text;      /**< at NULL: a bare key */
    size_t at;             /**< of a number: offset of its text in maker->text */
    double weight;         /**< of the cases with it */
    hcbr_i_feature_id old; /**< in the case base; HCBR_I_NONE: a number */
    size_t first, count;   /**< of a number: entries[first ..), sorted */
} hcbr_i_rich_value;

/** The state of building an encoder. */
typedef struct hcbr_i_rich_maker {
    const hcbr_i_rich_view *view;
    const hcbr_i_rich_options *options;
    const struct hcbr_cases *cases; /**< with separate numbers */
    hcbr_i_rich_encoder *out;
    hcbr_i_rich_coded *coded;
    struct hcbr_i_rich_past *past; /**< the kept cases; may be NULL */
    hcbr_i_key_id *order;          /**< keys of the case base, sorted by bytes */
    hcbr_i_rich_seen *seen;        /**< by key there */
    uint32_t *word_start, *words;  /**< features of key k there: words[word_start[k] ..) */
    double *weight;                /**< of the cases with a feature, by feature there */
    double *word_value;            /**< by feature there: its number if the key is forced to be one,
                                        or NAN */
    hcbr_i_feature_id *known;      /**< by feature there: the encoder's feature */
    hcbr_i_feature_id *item_known; /**< by item there: the feature it became; NULL: none did */
    double total;                  /**< weight of all cases */
    hcbr_i_rich_entry *entries;    /**< of some keys, one after the other */
    uint64_t *entry_start;         /**< by place in order */
    size_t entry_capacity;
    hcbr_i_rich_amount *gathered; /**< different numbers and their weights, for the keys ... */
    uint32_t *distinct;           /**< ... that may be numbers, by place in order: their count */
    size_t gathered_capacity;
    hcbr_i_rich_amount *amounts; /**< those of the current key */
    hcbr_i_rich_value *values;   /**< of the current key */
    size_t value_capacity;
    char *text; /**< of its numbers */
    size_t text_used, text_capacity;
    double *column; /**< of a dense number: by place, NAN if absent */
    size_t code_capacity, cut_capacity, few_capacity, column_capacity;
    /* numbers that are mostly absent, by ascending key */
    struct hcbr_i_rich_sparse {
        double value;
        uint32_t place, key;
        uint8_t code;
    } * sparse;
    size_t sparse_count, sparse_capacity;
    /* numbers of keys that the current case has several of */
    hcbr_i_hash_table met;
    hcbr_i_name *met_names;
    size_t met_count, met_capacity;
    uint32_t met_place;
    bool wide;       /**< some numbers have more digits than their double */
    bool failed;     /**< memory was short */
    uint32_t doubts; /**< columns to warn about */
} hcbr_i_rich_maker;

/** The number of cases in a view, and the case at a place of it. */
static inline uint32_t hcbr_i_rich_view_count(const hcbr_i_rich_view *view) {
    return view->index ? view->count : view->cases->case_count;
}
static inline uint32_t hcbr_i_rich_view_case(const hcbr_i_rich_view *view, uint32_t place) {
    return view->index ? view->index[place] : place;
}

/** Scan all cases: sort the keys and collect facts about them (column_values.c). */
hcbr_status hcbr_i_rich_look(hcbr_i_rich_maker *maker, hcbr_error *err);
/** Gather the numbers of keys order[from .. *to): as many keys as fit at once. */
hcbr_status hcbr_i_rich_gather(hcbr_i_rich_maker *maker, uint32_t from, uint32_t *to,
                               hcbr_error *err);
/** Whether the numbers of a key may be treated as numbers. Then their texts are not needed. */
static inline bool hcbr_i_rich_may_be_number(const hcbr_i_rich_seen *s) {
    return !s->several && s->numbers > 0 && (s->is_numeric || (!s->is_categorical && !s->words));
}
/** The different numbers of the gathered keys, from .. to, with their weights (number_weights.c).
 *  False: no memory. */
bool hcbr_i_rich_weigh(hcbr_i_rich_maker *maker, uint32_t from, uint32_t to);
/** Sort the amounts of a key by value, and add up equal ones. Returns the number left. spare: room
 *  for as many. */
uint32_t hcbr_i_rich_sort_amounts(hcbr_i_rich_amount *amounts, hcbr_i_rich_amount *spare,
                                  size_t count);
/** Sort by 64-bit keys, stably; both arrays have room for count. The result is in `a`. */
typedef struct hcbr_i_rich_keyed {
    uint64_t key, load;
} hcbr_i_rich_keyed;
void hcbr_i_rich_sort_keyed(hcbr_i_rich_keyed *a, hcbr_i_rich_keyed *b, size_t count);
/** The values of a key as texts, words and numbers, sorted and without duplicates. */
hcbr_status hcbr_i_rich_list_values(hcbr_i_rich_maker *maker, hcbr_i_key_id key,
                                    hcbr_i_rich_entry *entries, size_t count, uint32_t *out,
                                    hcbr_error *err);
/** The text of an entry as it was read; room is used if the text is not stored. */
hcbr_i_text hcbr_i_rich_entry_text(const hcbr_i_rich_maker *m, const hcbr_i_rich_entry *x,
                                   char room[HCBR_NUMBER_SIZE]);
/** Whether the number has more digits than its double. */
bool hcbr_i_rich_entry_wide(const hcbr_i_rich_maker *maker, const hcbr_i_rich_entry *entry);

/** Bin edges of a number key from its different values, ascending (bin_edges.c); returns their
 *  count. */
#define HCBR_I_RICH_MOST_CUTS 248u
uint32_t hcbr_i_rich_cut(const hcbr_i_rich_amount *values, uint32_t count, bool sparse,
                         double *cuts);

#endif
