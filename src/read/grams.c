/*
 * Words of texts and sequences of words (n-grams), counted within a case.
 *
 * options.words or the library's own function (words.c) cuts a text into words; each word, and each
 * sequence of up to options.ngrams words that ends with it, is counted in a small table. At the end
 * of the record they become features: `word=count`, for a column `column:word=count`. All texts of
 * a column in a case are counted together (a key of JSON may have several), but no sequence spans
 * two of them.
 *
 * Invariants: features are in the order of their first appearance, columns in the order of the
 * options, whatever the order of the data; the cost of a case depends on its own words, not on
 * those of a longer case before it.
 */
#include "read/parse.h"

#include <stdio.h>

#define TOO_MANY                                                                                   \
    "found sequences of up to %lu words that take more than %llu bytes, expected fewer: a "        \
    "smaller "                                                                                     \
    "option ngrams (option max_grams raises the limit)"
#define MOST_WORD (UINT32_MAX - 64u) /* bytes of a key that a name can hold */

/** A text that waits for the end of its record. */
typedef struct waiting {
    const hcbr_i_special *special; /**< NULL: of the line */
    hcbr_i_text text;
} waiting;

/** A word or sequence of words of the case. */
typedef struct gram {
    hcbr_i_name id; /**< equal for equal ones only */
    size_t start;   /**< its place in words, unless the id is its text */
    uint32_t length;
    uint32_t count;
} gram;

/** Working memory over all records (p->grams). */
typedef struct grams {
    waiting *waiting;
    size_t waiting_count, waiting_capacity;
    char *words; /**< with a blank after each; only long ones without sequences */
    size_t size, capacity;
    gram *all;
    size_t count, all_capacity;
    hcbr_i_hash_table table;
    hcbr_i_hash_key key;
    size_t *starts; /**< of the last words of the text, as a ring */
    uint32_t most;  /**< words of a sequence */
    uint64_t seen;  /**< words of the text so far */
    uint64_t bytes; /**< taken by the sequences of the case */
    uint64_t most_bytes;
    bool too_long, too_many;
} grams;

static void release(grams *g) {
    if (g == NULL)
        return;
    hcbr_i_free(g->waiting);
    hcbr_i_free(g->words);
    hcbr_i_free(g->all);
    hcbr_i_hash_table_clear(&g->table);
    hcbr_i_free(g->starts);
    hcbr_i_free(g);
}

static grams *create(uint32_t most, uint64_t most_bytes, uint64_t hash_key) {
    grams *g = hcbr_i_alloc_zero(1, sizeof *g);
    if (g == NULL)
        return NULL;
    g->most = most;
    g->most_bytes = most_bytes;
    g->key = hcbr_i_hash_key_make(hash_key);
    g->starts = hcbr_i_alloc(g->most, sizeof *g->starts);
    if (g->starts != NULL)
        return g;
    release(g);
    return NULL;
}

static grams *memory_of(hcbr_i_parser *p) {
    const hcbr_read_options *o = p->options;
    if (p->grams == NULL)
        p->grams = create(hcbr_i_options_ngrams(o), o->max_grams, o->hash_key);
    return p->grams;
}

void hcbr_i_grams_free(hcbr_i_parser *p) {
    release(p->grams);
    p->grams = NULL;
}

void hcbr_i_grams_begin(hcbr_i_parser *p) {
    grams *g = p->grams;
    if (g != NULL)
        g->waiting_count = 0;
}

hcbr_status hcbr_i_grams_keep(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text text,
                              hcbr_error *err) {
    grams *g = memory_of(p);
    if (g == NULL ||
        !hcbr_i_grow(&g->waiting, &g->waiting_capacity, g->waiting_count + 1, sizeof *g->waiting))
        return hcbr_i_no_memory(err);
    g->waiting[g->waiting_count++] = (waiting){special, text};
    return HCBR_OK;
}

/* ---- counting -------------------------------------------------------------------------------- */

static bool same_gram(const void *all, uint32_t number, const void *wanted) {
    const gram *known = (const gram *)all + number;
    const hcbr_i_name *id = wanted;
    return known->id.lo == id->lo && known->id.hi == id->hi;
}

/** Count a gram, which is in words from start on; *fresh: it is new. */
static inline bool count_gram(grams *g, const char *text, size_t start, size_t length,
                              bool *fresh) {
    hcbr_i_name id = length <= HCBR_I_SHORT ? hcbr_i_name_pack(text, length, NULL, 0)
                                            : hcbr_i_hash_text(&g->key, text, length, NULL, 0);
    uint64_t hash = hcbr_i_hash_name(&g->key, id);
    uint32_t known = hcbr_i_hash_table_find(&g->table, hash, same_gram, g->all, &id);
    *fresh = known == HCBR_I_HASH_NONE;
    if (!*fresh) {
        g->all[known].count++;
        return true;
    }
    if (g->count >= INT32_MAX ||
        !hcbr_i_grow(&g->all, &g->all_capacity, g->count + 1, sizeof *g->all) ||
        !hcbr_i_hash_table_add(&g->table, hash, (uint32_t)g->count))
        return false;
    g->all[g->count++] = (gram){id, start, (uint32_t)length, 1};
    return true;
}

/** A word of the text: an hcbr_word_fn. 0, or 1 if memory is short or there are too many words. */
static int add_word(void *to, const char *word, size_t length) {
    grams *g = to;
    size_t start = g->size;
    bool fresh;
    if (length == 0)
        return 0;
    if (g->most == 1 && length <= HCBR_I_SHORT) // its id is its text
        return count_gram(g, word, start, length, &fresh) ? 0 : 1;
    g->too_long = length > MOST_WORD;
    if (g->too_long || !hcbr_i_grow(&g->words, &g->capacity, start + length + 1 + 16, 1))
        return 1;
    memcpy(g->words + start, word, length);
    g->words[start + length] = ' ';
    if (!count_gram(g, g->words + start, start, length, &fresh))
        return 1;
    if (g->most == 1) {
        g->size = fresh ? start + length + 1 : start;
        return 0;
    }
    g->size = start + length + 1;
    g->starts[g->seen++ % g->most] = start;
    for (uint64_t n = 2; n <= g->most && n <= g->seen; n++) {
        size_t from = g->starts[(g->seen - n) % g->most];
        g->too_long = start + length - from > MOST_WORD;
        if (g->too_long || !count_gram(g, g->words + from, from, start + length - from, &fresh))
            return 1;
        g->bytes += fresh ? start + length - from + HCBR_I_GRAM_BYTES : 0;
    }
    g->too_many = g->bytes > g->most_bytes;
    return g->too_many;
}

/* ---- features -------------------------------------------------------------------------------- */

/** The count as text, its length returned. */
static size_t print_count(char text[16], uint32_t count) {
    if (HCBR_I_LIKELY(count < 10)) {
        text[0] = (char)('0' + count);
        return 1;
    }
    return (size_t)snprintf(text, 16, "%lu", (unsigned long)count);
}

/** The same for a word and count that are short and of no column: its id and the digit. */
static inline bool add_short(hcbr_i_block *block, const gram *x) {
    hcbr_i_u128 digit = (hcbr_i_u128)('0' + x->count) << 8 * x->length;
    if (HCBR_I_UNLIKELY(block->name_count == block->name_capacity) &&
        !hcbr_i_grow(&block->names, &block->name_capacity, block->name_count + 1,
                     sizeof *block->names))
        return false;
    // The id is tagged as a bare key; with a value of one byte the tag is two more in its half.
    block->names[block->name_count++] =
        (hcbr_i_name){x->id.lo | (uint64_t)digit,
                      (x->id.hi | (uint64_t)(digit >> 64)) + hcbr_i_name_tag(0, false, 1)};
    return true;
}

static bool add_feature(hcbr_i_block *block, const grams *g, const gram *x, hcbr_i_text column) {
    char number[16], small[HCBR_I_SHORT + 2], word[HCBR_I_NAME_TEXT], *at = small;
    const char *text = word;
    size_t digits, prefix = column.at != NULL ? column.length + 1 : 0;
    if (HCBR_I_LIKELY(prefix == 0 && x->length < HCBR_I_SHORT && x->count < 10))
        return add_short(block, x);
    digits = print_count(number, x->count);
    if (prefix + x->length + digits > HCBR_I_SHORT &&
        (at = hcbr_i_arena_take(&block->arena, prefix + x->length + digits)) == NULL)
        return false;
    if (x->length <= HCBR_I_SHORT) {
        size_t key_length, value_length;
        bool bare;
        hcbr_i_name_unpack(x->id, word, &key_length, &bare, &value_length);
    } else {
        text = g->words + x->start;
    }
    if (prefix > 0) {
        memcpy(at, column.at, column.length);
        at[column.length] = ':';
    }
    memcpy(at + prefix, text, x->length);
    memcpy(at + prefix + x->length, number, digits);
    return hcbr_i_block_add(block, at, prefix + x->length, at + prefix + x->length, digits);
}

/** Count the words of all waiting texts of one column. */
static hcbr_status count_column(hcbr_i_parser *p, grams *g, const hcbr_i_special *special,
                                hcbr_error *err) {
    hcbr_words_fn *split = p->options->words ? p->options->words : hcbr_words_split;
    for (size_t i = 0; i < g->waiting_count; i++) {
        const waiting *w = &g->waiting[i];
        if (w->special != special)
            continue;
        g->seen = 0;
        g->too_long = g->too_many = false;
        if (split(p->options->words_context, w->text.at, w->text.length, add_word, g) == 0)
            continue;
        if (g->too_long)
            return hcbr_i_parser_fail(p, p->record, err,
                                      "found words of more than 4 GiB, expected shorter ones");
        if (g->too_many)
            return hcbr_i_parser_fail(p, p->record, err, TOO_MANY,
                                      (unsigned long)p->options->ngrams,
                                      (unsigned long long)p->options->max_grams);
        return hcbr_i_no_memory(err);
    }
    return HCBR_OK;
}

/** Turn the counts into features, and reset them; false: out of memory. */
static bool add_features(hcbr_i_block *block, grams *g, hcbr_i_text column, bool counted) {
    for (size_t i = 0; counted && i < g->count; i++)
        counted = add_feature(block, g, &g->all[i], column);
    (void)hcbr_i_hash_table_restart(&g->table, g->count); // it has held as many
    g->count = 0;
    g->size = 0;
    g->bytes = 0;
    return counted;
}

static hcbr_status end_column(hcbr_i_parser *p, grams *g, const hcbr_i_special *special,
                              hcbr_error *err) {
    hcbr_i_text none = {NULL, 0};
    hcbr_status st = count_column(p, g, special, err);
    if (!add_features(p->block, g, special != NULL ? special->column : none, st == HCBR_OK) &&
        st == HCBR_OK)
        st = hcbr_i_no_memory(err);
    return st;
}

hcbr_status hcbr_i_grams_check(const hcbr_i_parser *p, uint64_t bytes, hcbr_error *err) {
    const hcbr_read_options *o = p->options;
    if (hcbr_i_options_ngrams(o) == 1 || bytes <= o->max_grams ||
        (o->text_count == 0 && !p->format->has_words))
        return HCBR_OK;
    return hcbr_i_fail_at(err, HCBR_EDATA, p->file, 0, 0, TOO_MANY, (unsigned long)o->ngrams,
                          (unsigned long long)o->max_grams);
}

hcbr_status hcbr_i_grams_end(hcbr_i_parser *p, hcbr_error *err) {
    grams *g = p->grams;
    hcbr_status st = HCBR_OK;
    if (g == NULL || g->waiting_count == 0)
        return HCBR_OK;
    if (g->waiting[0].special == NULL)
        st = end_column(p, g, NULL, err);
    for (size_t i = 0; st == HCBR_OK && i < p->special_count; i++)
        if (p->specials[i].change == HCBR_I_CHANGE_TEXT)
            st = end_column(p, g, &p->specials[i], err);
    g->waiting_count = 0;
    return st;
}

/* ---- outside of reading ---------------------------------------------------------------------- */

struct hcbr_i_splitter {
    grams *grams;
};

hcbr_status hcbr_i_splitter_create(hcbr_i_splitter **out, uint32_t ngrams, hcbr_error *err) {
    hcbr_read_options defaults;
    hcbr_read_options_init(&defaults);
    *out = hcbr_i_alloc_zero(1, sizeof **out);
    if (*out != NULL && ((*out)->grams = create(ngrams, defaults.max_grams, 0)) != NULL)
        return HCBR_OK;
    hcbr_i_free(*out);
    *out = NULL;
    return hcbr_i_no_memory(err);
}

void hcbr_i_splitter_free(hcbr_i_splitter *splitter) {
    if (splitter != NULL)
        release(splitter->grams);
    hcbr_i_free(splitter);
}

hcbr_status hcbr_i_splitter_add(hcbr_i_splitter *splitter, hcbr_i_block *to, hcbr_i_text column,
                                hcbr_i_text text, hcbr_error *err) {
    grams *g = splitter->grams;
    g->seen = 0;
    g->too_long = g->too_many = false;
    if (add_features(to, g, column, hcbr_words_split(NULL, text.at, text.length, add_word, g) == 0))
        return HCBR_OK;
    if (g->too_many)
        return hcbr_i_fail(err, HCBR_EDATA, TOO_MANY, (unsigned long)g->most,
                           (unsigned long long)g->most_bytes);
    return hcbr_i_no_memory(err);
}
