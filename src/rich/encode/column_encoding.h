/**
 * @file column_encoding.h
 * Making an encoder: what the stages of it share; private to src/rich.
 */
#ifndef HCBR_I_RICH_COLUMN_ENCODING_H
#define HCBR_I_RICH_COLUMN_ENCODING_H

#include "rich/rich.h"

/** A number of the key at hand, as a case has it. */
typedef struct hcbr_i_rich_entry {
    double value;
    uint64_t item;  /**< of the case base; HCBR_I_RICH_NO_ITEM: it stood among the words */
    uint32_t place; /**< of its case in the view */
} hcbr_i_rich_entry;
#define HCBR_I_RICH_NO_ITEM UINT64_MAX

/** A value of a number among the training cases. */
typedef struct hcbr_i_rich_amount {
    double value, weight;
} hcbr_i_rich_amount;

/** What is seen of a key. */
typedef struct hcbr_i_rich_seen {
    uint32_t words, last_place; /**< different words; the last case that has it, + 1 */
    uint64_t numbers;           /**< of all cases */
    uint64_t forced;            /**< those of them that stood among the words */
    hcbr_i_rich_entry first;    /**< of the last case that has numbers of it, */
    bool any, noted;            /**< if there is one; it is among the maker's names */
    double weight;              /**< of the cases that have it */
    bool several;               /**< two values in a case */
    bool repeats;               /**< two numbers in a case, which may be one */
    bool is_numeric, is_categorical;
} hcbr_i_rich_seen;

/** A value of the key at hand that becomes a feature, to be sorted. */
typedef struct hcbr_i_rich_value {
    hcbr_i_text text;      /**< at NULL: a bare key */
    size_t at;             /**< of a number: where its text stands in maker->text */
    double weight;         /**< of the cases that have it */
    hcbr_i_feature_id old; /**< in the case base; HCBR_I_NONE: a number */
    size_t first, count;   /**< of a number: entries[first ..), which are sorted */
} hcbr_i_rich_value;

/** An encoder in the making. */
typedef struct hcbr_i_rich_maker {
    const hcbr_i_rich_view *view;
    const hcbr_i_rich_options *options;
    const struct hcbr_cases *cases; /**< apart */
    hcbr_i_rich_encoder *out;
    hcbr_i_rich_coded *coded;
    struct hcbr_i_rich_past *past; /**< what is kept of the cases; NULL: nothing */
    hcbr_i_key_id *order;          /**< keys of the case base by their bytes */
    hcbr_i_rich_seen *seen;        /**< by key there, as ... */
    uint32_t *word_start, *words;  /**< ... features of key k: words[word_start[k] ..) */
    double *weight;                /**< of the cases that have a feature, by feature there */
    double *word_value;            /**< by feature there: a number where one is forced, or NAN */
    hcbr_i_feature_id *known;      /**< by feature there: the encoder's */
    hcbr_i_feature_id *item_known; /**< by item there, if it became one; NULL: none did */
    double total;                  /**< weight of all cases */
    hcbr_i_rich_entry *entries;    /**< of some keys, one after the other */
    uint64_t *entry_start;         /**< by place in order, of these */
    size_t entry_capacity;
    hcbr_i_rich_amount *gathered; /**< different numbers and their weights, of keys ... */
    uint32_t *distinct;           /**< ... that may be numbers, by place in order: how many */
    size_t gathered_capacity;
    hcbr_i_rich_amount *amounts; /**< those of the key at hand */
    hcbr_i_rich_value *values;   /**< of the key at hand */
    size_t value_capacity;
    char *text; /**< of its numbers */
    size_t text_used, text_capacity;
    double *column; /**< of a dense number: by place, NAN if absent */
    size_t code_capacity, cut_capacity, few_capacity, column_capacity;
    /* numbers that are mostly absent, by rising key */
    struct hcbr_i_rich_sparse {
        double value;
        uint32_t place, key;
        uint8_t code;
    } * sparse;
    size_t sparse_count, sparse_capacity;
    /* numbers of keys of which the case at hand has several */
    hcbr_i_hash_table met;
    hcbr_i_name *met_names;
    size_t met_count, met_capacity;
    uint32_t met_place;
    bool wide;       /**< some numbers are more than a double tells apart */
    bool failed;     /**< memory was short */
    uint32_t doubts; /**< columns to warn about */
} hcbr_i_rich_maker;

/** How many cases the view has, and which one stands at a place. */
static inline uint32_t hcbr_i_rich_view_count(const hcbr_i_rich_view *view) {
    return view->index ? view->count : view->cases->case_count;
}
static inline uint32_t hcbr_i_rich_view_case(const hcbr_i_rich_view *view, uint32_t place) {
    return view->index ? view->index[place] : place;
}

/** Look at all cases: keys in order, what is seen of them (column_values.c). */
hcbr_status hcbr_i_rich_look(hcbr_i_rich_maker *maker, hcbr_error *err);
/** Gather the numbers of keys order[from .. *to): as many keys as fit at once. */
hcbr_status hcbr_i_rich_gather(hcbr_i_rich_maker *maker, uint32_t from, uint32_t *to,
                               hcbr_error *err);
/** May the numbers of a key be taken as such? Then no text of them is needed. */
static inline bool hcbr_i_rich_may_be_number(const hcbr_i_rich_seen *s) {
    return !s->several && s->numbers > 0 && (s->is_numeric || (!s->is_categorical && !s->words));
}
/** The different numbers of the keys that are gathered, from .. to, and their weights
 *  (number_weights.c). False: no memory. */
bool hcbr_i_rich_weigh(hcbr_i_rich_maker *maker, uint32_t from, uint32_t to);
/** Sort the amounts of a key by value, those of equal values added up. Returns how many are left.
 *  spare: room for as many. */
uint32_t hcbr_i_rich_sort_amounts(hcbr_i_rich_amount *amounts, hcbr_i_rich_amount *spare,
                                  size_t count);
/** Sort by 64-bit keys, stably; both arrays have room for count. The result is in `a`. */
typedef struct hcbr_i_rich_keyed {
    uint64_t key, load;
} hcbr_i_rich_keyed;
void hcbr_i_rich_sort_keyed(hcbr_i_rich_keyed *a, hcbr_i_rich_keyed *b, size_t count);
/** The values of a key as texts, sorted, equal ones as one; words and numbers. */
hcbr_status hcbr_i_rich_list_values(hcbr_i_rich_maker *maker, hcbr_i_key_id key,
                                    hcbr_i_rich_entry *entries, size_t count, uint32_t *out,
                                    hcbr_error *err);
/** The text of an entry as it was read; room is used where it is not stored. */
hcbr_i_text hcbr_i_rich_entry_text(const hcbr_i_rich_maker *m, const hcbr_i_rich_entry *x,
                                   char room[HCBR_NUMBER_SIZE]);
/** Is the double less than all there is of the number? */
bool hcbr_i_rich_entry_wide(const hcbr_i_rich_maker *maker, const hcbr_i_rich_entry *entry);

/** Cuts of a key of numbers by its different values, ascending (bin_edges.c); their count. */
#define HCBR_I_RICH_MOST_CUTS 248u
uint32_t hcbr_i_rich_cut(const hcbr_i_rich_amount *values, uint32_t count, bool sparse,
                         double *cuts);

#endif
