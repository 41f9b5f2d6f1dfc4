/*
 * Finding features and keys: two open-addressing tables by hash, and two arrays by number.
 *
 * A slot holds the whole of a short name, so most look-ups touch one cache line and no text; of a
 * long name it holds a keyed 120-bit hash, and the text is compared whenever that matches. The
 * feature `n=1` for a number n, which is what nearly every token of a LIBSVM file is, stands in an
 * array at n instead, as long as n is below a limit that grows with the number of features (so
 * memory follows the data, never the value of a number). Invariant: a name whose number is below
 * the limit is looked up in the array only.
 *
 * Keys of plain names (dict.c) have no tables: the key of `n=1` is found as the feature is.
 *
 * Names are looked up in batches, everything of a batch fetched before the first is looked at,
 * because tables of many features do not fit into the caches. Numbers of features follow first
 * appearance, never the tables.
 */
#include "cases/dict.h"

typedef hcbr_i_dict_slot slot;

#define FIRST_LIMIT 4096u
#define LAST_LIMIT (1u << 24) /* above every number of 7 digits */
#define BATCH 32u             /* names fetched together before they are looked at */

/* ---- numbers --------------------------------------------------------------------------------- */

/* The limit that `count` features justify for a number, or the present one. */
static uint32_t limit_for(uint32_t limit, uint32_t number, uint64_t count) {
    uint64_t most = 12 * count + 16 * FIRST_LIMIT;
    if (number >= most || number >= LAST_LIMIT)
        return limit;
    while (limit <= number)
        limit *= 2;
    return limit;
}

/* ---- names ----------------------------------------------------------------------------------- */

/* Key and value of a feature. */
static hcbr_i_long_name feature_text(const hcbr_i_dict *dict, hcbr_i_feature_id feature) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, feature);
    hcbr_i_text key = hcbr_i_dict_key(dict, f.key);
    return (hcbr_i_long_name){key.at, f.value, (uint32_t)key.length, f.value_length};
}

static __attribute__((noinline)) bool same_text(const hcbr_i_dict *dict, hcbr_i_feature_id feature,
                                                const hcbr_i_long_name *name) {
    hcbr_i_long_name have = feature_text(dict, feature);
    return have.key_length == name->key_length && !have.value == !name->value &&
           have.value_length == name->value_length &&
           memcmp(have.key, name->key, have.key_length) == 0 &&
           (!have.value || memcmp(have.value, name->value, have.value_length) == 0);
}

/* Key and value of a name in a block; `buffer` receives those of a packed one. */
static inline hcbr_i_long_name text_of(const hcbr_i_block *block, size_t n,
                                       char buffer[HCBR_I_NAME_TEXT]) {
    hcbr_i_name name = block->names[n];
    if (hcbr_i_name_is_long(name))
        return block->longs[name.lo];
    size_t key_length, value_length;
    bool bare;
    hcbr_i_name_unpack(name, buffer, &key_length, &bare, &value_length);
    return (hcbr_i_long_name){buffer, bare ? NULL : buffer + key_length, (uint32_t)key_length,
                              (uint32_t)value_length};
}

/* ---- features -------------------------------------------------------------------------------- */

/*
 * The loops over names hold the tables in registers: through the dictionary they would be loaded
 * anew after every store.
 */
typedef struct table {
    slot *slots;
    uint64_t mask;
    const uint32_t *direct;
    uint32_t limit;
    uint32_t *marks;
} table;

static inline table table_of(const hcbr_i_dict *dict) {
    return (table){dict->slots, dict->slot_mask, dict->direct, dict->limit, dict->marks};
}

/* Where a name is, or the free slot where it belongs. text is needed for long names only. */
static inline slot *slot_find(const hcbr_i_dict *dict, table t, hcbr_i_name name, uint64_t hash,
                              const hcbr_i_long_name *text) {
    for (uint64_t i = hash & t.mask;; i = (i + 1) & t.mask) {
        slot *s = &t.slots[i];
        if (!s->feature)
            return s;
        if (s->name.lo == name.lo && s->name.hi == name.hi &&
            (!text || same_text(dict, s->feature - 1, text)))
            return s;
    }
}

/* Enter a feature whose text is stored; false if it is there already. */
static bool feature_enter(hcbr_i_dict *dict, hcbr_i_feature_id id, hcbr_i_name name,
                          const hcbr_i_long_name *text, uint32_t serial) {
    uint32_t number = hcbr_i_dict_number(name, false);
    if (number < dict->limit) {
        bool fresh = !dict->direct[number];
        dict->direct[number] = id + 1;
        return fresh;
    }
    slot *s = slot_find(dict, table_of(dict), name, hcbr_i_hash_name(&dict->hash, name), text);
    if (s->feature)
        return false;
    *s = (slot){name, id + 1, serial};
    dict->slots_used++;
    return true;
}

static hcbr_status slots_resize(hcbr_i_dict *dict, uint64_t size, hcbr_error *err) {
    slot *slots = hcbr_i_alloc_zero(size, sizeof *slots);
    if (!slots)
        return hcbr_i_no_memory(err);
    uint64_t old = dict->slot_mask + 1;
    dict->slots_used = 0;
    for (uint64_t i = 0; i < old; i++) {
        const slot *s = &dict->slots[i];
        if (!s->feature || hcbr_i_dict_number(s->name, false) < dict->limit)
            continue;
        uint64_t at = hcbr_i_hash_name(&dict->hash, s->name) & (size - 1);
        while (slots[at].feature)
            at = (at + 1) & (size - 1);
        slots[at] = *s;
        dict->slots_used++;
    }
    hcbr_i_free(dict->slots);
    dict->slots = slots;
    dict->slot_mask = size - 1;
    return HCBR_OK;
}

/* Zeros behind the first `old` of an array by number. */
static bool direct_grow(uint32_t **array, size_t old, size_t limit) {
    uint32_t *larger = hcbr_i_regrow(*array, old, limit, sizeof *larger);
    if (!larger)
        return false;
    memset(larger + old, 0, (limit - old) * sizeof *larger);
    *array = larger;
    return true;
}

/* Copy the features below the limit that the slots hold, and the marks with them. */
static bool slots_spread(hcbr_i_dict *dict, uint32_t limit) {
    for (uint64_t i = 0; dict->slots && dict->slots_used > 0 && i <= dict->slot_mask; i++) {
        const slot *s = &dict->slots[i];
        uint32_t number = hcbr_i_dict_number(s->name, false);
        if (!s->feature || number < dict->limit || number >= limit) /* or it was copied before */
            continue;
        if (s->feature > dict->mark_count && !hcbr_i_dict_need_marks(dict))
            return false;
        dict->direct[number] = s->feature;
        dict->marks[s->feature - 1] = s->serial;
    }
    return true;
}

/* Make the arrays longer. What the tables hold of the new range is copied, and not asked again. */
static hcbr_status limit_raise(hcbr_i_dict *dict, uint32_t limit, hcbr_error *err) {
    if (!direct_grow(&dict->direct, dict->limit, limit) ||
        (!dict->plain && !direct_grow(&dict->direct_keys, dict->limit, limit)) ||
        !slots_spread(dict, limit))
        return hcbr_i_no_memory(err);
    if (!dict->plain)
        hcbr_i_dict_keys_spread(dict, limit);
    dict->limit = limit;
    return HCBR_OK;
}

/* The first name that is not plain comes: names and keys as all others have them. */
static hcbr_status unfold(hcbr_i_dict *dict, hcbr_error *err) {
    uint64_t far = 0;
    assert(dict->direct);
    for (size_t f = 0; f < dict->feature_count; f++)
        far += hcbr_i_dict_plain_number(dict, f) >= dict->limit;
    const uint64_t size = hcbr_i_dict_table_size(far);
    uint32_t *direct_keys = hcbr_i_alloc(dict->limit, sizeof *direct_keys);
    hcbr_i_key_slot *key_slots = hcbr_i_alloc_zero(size, sizeof *key_slots);
    hcbr_status st = direct_keys && key_slots ? HCBR_OK : hcbr_i_no_memory(err);
    if (st != HCBR_OK || (st = hcbr_i_dict_unfold(dict, err)) != HCBR_OK) {
        hcbr_i_free(direct_keys);
        hcbr_i_free(key_slots);
        return st;
    }
    memcpy(direct_keys, dict->direct, dict->limit * sizeof *direct_keys);
    dict->direct_keys = direct_keys;
    dict->key_slots = key_slots;
    dict->key_mask = size - 1;
    dict->key_slots_used = 0;
    for (size_t k = 0; far > 0 && k < dict->key_count; k++)
        (void)hcbr_i_dict_key_enter(dict, (hcbr_i_key_id)k);
    return HCBR_OK;
}

bool hcbr_i_dict_is(const hcbr_i_dict *dict, hcbr_i_feature_id id, const hcbr_feature *x) {
    hcbr_i_long_name name = {x->key, x->value, (uint32_t)x->key_length, (uint32_t)x->value_length};
    return same_text(dict, id, &name);
}

uint32_t hcbr_i_dict_limit(const hcbr_i_dict *dict) {
    return dict->limit;
}

bool hcbr_i_dict_is_numeric(const hcbr_i_dict *dict) {
    return dict->slots_used == 0;
}

const uint32_t *hcbr_i_dict_get_numbers(const hcbr_i_dict *dict) {
    return dict->direct;
}

hcbr_i_feature_id hcbr_i_dict_find_number(const hcbr_i_dict *dict, uint32_t n) {
    if (n < dict->limit)
        return dict->direct[n] - 1;
    if (dict->slots_used == 0)
        return HCBR_I_NONE;
    hcbr_i_name name = hcbr_i_name_of_number(n);
    uint64_t hash = hcbr_i_hash_name(&dict->hash, name);
    return slot_find(dict, table_of(dict), name, hash, NULL)->feature - 1;
}

hcbr_i_feature_id hcbr_i_dict_find(const hcbr_i_dict *dict, const char *key, size_t key_length,
                                   const char *value, size_t value_length) {
    hcbr_i_long_name text = {key, value, (uint32_t)key_length, (uint32_t)value_length};
    hcbr_i_name name = hcbr_i_dict_name(dict, key, key_length, value, value_length);
    uint32_t number = hcbr_i_dict_number(name, false);
    if (number < dict->limit)
        return dict->direct[number] - 1;
    const slot *s = slot_find(dict, table_of(dict), name, hcbr_i_hash_name(&dict->hash, name),
                              hcbr_i_name_is_long(name) ? &text : NULL);
    return s->feature - 1;
}

/* ---- batches --------------------------------------------------------------------------------- */

/* Names of a block on their way: what they are looked up by, already fetched. */
typedef struct batch {
    uint32_t number[BATCH]; /* below the limit; HCBR_I_NONE: by hash */
    uint64_t hash[BATCH];
    hcbr_i_name longs[BATCH]; /* long names as slots hold them */
} batch;

static inline size_t batch_end(const hcbr_i_block *block, size_t from) {
    return block->name_count - from < BATCH ? block->name_count : from + BATCH;
}

/* `plain` is known when this is compiled: see hcbr_i_block. */
static inline __attribute__((always_inline)) void batch_load_as(const hcbr_i_dict *dict,
                                                                const hcbr_i_block *block,
                                                                size_t from, bool plain, batch *b) {
    const hcbr_i_hash_key key = dict->hash;
    const table t = table_of(dict);
    size_t count = batch_end(block, from) - from;
    const hcbr_i_name *names = count > 0 ? block->names + from : NULL; // no name: no array
    for (size_t n = 0; n < count; n++) {
        hcbr_i_name name = names[n];
        uint32_t number = hcbr_i_dict_number(name, plain);
        if (HCBR_I_LIKELY(number < t.limit)) {
            b->number[n] = number;
            __builtin_prefetch(&t.direct[number], 1);
            continue;
        }
        b->number[n] = HCBR_I_NONE;
        if (hcbr_i_name_is_long(name)) {
            const hcbr_i_long_name *x = &block->longs[name.lo];
            name = hcbr_i_hash_text(&key, x->key, x->key_length, x->value, x->value_length);
            b->longs[n] = name;
        }
        b->hash[n] = hcbr_i_hash_name(&key, name);
        __builtin_prefetch(&t.slots[b->hash[n] & t.mask]);
    }
}

static void batch_load(const hcbr_i_dict *dict, const hcbr_i_block *block, size_t from, batch *b) {
    if (block->plain_ids)
        batch_load_as(dict, block, from, true, b);
    else
        batch_load_as(dict, block, from, false, b);
}

/*
 * The slot of a name as it stands in a block, or a free one. A long name stands there as a
 * reference, which no slot ever equals, so it always ends at a free slot: see slot_find_long().
 */
static inline slot *slot_find_short(table t, hcbr_i_name name, uint64_t hash) {
    uint64_t lo = name.lo, hi = name.hi;
    for (uint64_t i = hash & t.mask;; i = (i + 1) & t.mask) {
        slot *s = &t.slots[i];
        if (!s->feature || (s->name.lo == lo && s->name.hi == hi))
            return s;
    }
}

/* Whatever slot_find_short() did not find: a long name, which may be known, or a new name. */
static __attribute__((noinline)) slot *slot_find_long(const hcbr_i_dict *dict,
                                                      const hcbr_i_block *block, const batch *b,
                                                      size_t from, size_t n, slot *s) {
    hcbr_i_name name = block->names[from + n];
    if (!hcbr_i_name_is_long(name))
        return s;
    return slot_find(dict, table_of(dict), b->longs[n], b->hash[n], &block->longs[name.lo]);
}

void hcbr_i_dict_find_block(const hcbr_i_dict *dict, const hcbr_i_block *block,
                            hcbr_i_feature_id *out) {
    const table t = table_of(dict);
    batch batches[2];
    unsigned turn = 0;
    batch_load(dict, block, 0, &batches[0]);
    for (size_t from = 0, ready; from < block->name_count; from = ready, turn ^= 1) {
        const batch *b = &batches[turn];
        ready = batch_end(block, from);
        batch_load(dict, block, ready, &batches[turn ^ 1]);
        for (size_t n = 0; n < ready - from; n++) {
            if (b->number[n] != HCBR_I_NONE) {
                out[from + n] = t.direct[b->number[n]] - 1;
                continue;
            }
            slot *s = slot_find_short(t, block->names[from + n], b->hash[n]);
            if (HCBR_I_UNLIKELY(!s->feature))
                s = slot_find_long(dict, block, b, from, n, s);
            out[from + n] = s->feature - 1;
        }
    }
}

/* ---- interning ------------------------------------------------------------------------------- */

/* What hcbr_i_dict_intern() works on. */
typedef struct intern_job {
    hcbr_i_dict *dict;
    const hcbr_i_block *block;
    size_t new_count; /* features added whose keys are not settled */
    hcbr_error *err;
} intern_job;

/* Give the features that were added their keys, from the first new one on. */
static hcbr_status keys_settle(intern_job *job) {
    hcbr_i_dict *dict = job->dict;
    if (job->new_count == 0)
        return HCBR_OK;
    hcbr_i_dict_entry *features = dict->features + (dict->feature_count - job->new_count);
    char buffer[HCBR_I_NAME_TEXT];
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; st == HCBR_OK && n < job->new_count; n++) {
        hcbr_i_long_name text = text_of(job->block, dict->new_names[n], buffer);
        uint32_t spelled =
            hcbr_i_dict_number(job->block->names[dict->new_names[n]], job->block->plain_ids);
        if (spelled == HCBR_I_NONE)
            spelled = hcbr_i_dict_key_number(text.key, text.key_length);
        st = hcbr_i_dict_key_intern(dict, text.key, text.key_length, spelled, &features[n].key,
                                    job->err);
    }
    job->new_count = 0;
    return st;
}

/* Room for one more feature wherever it may go. */
static hcbr_status make_room(intern_job *job, uint32_t number) {
    hcbr_i_dict *dict = job->dict;
    hcbr_status st = HCBR_OK;
    if (number != HCBR_I_NONE && number >= dict->limit) {
        uint32_t limit = limit_for(dict->limit, number, dict->feature_count);
        if (limit != dict->limit) {
            if ((st = keys_settle(job)) == HCBR_OK) /* every key is in a table when it is moved */
                st = limit_raise(dict, limit, job->err);
        }
    }
    if (st == HCBR_OK && hcbr_i_dict_too_full(dict->slots_used, dict->slot_mask))
        st = slots_resize(dict, hcbr_i_dict_larger(dict->slot_mask), job->err);
    if (st == HCBR_OK && !hcbr_i_grow(&dict->new_names, &dict->new_capacity, job->new_count + 1,
                                      sizeof *dict->new_names))
        st = hcbr_i_no_memory(job->err);
    return st;
}

/* Append the feature of name n. Keys are looked up later, those of many features together. */
static hcbr_status feature_append(intern_job *job, size_t n, uint32_t number,
                                  const hcbr_i_long_name *text) {
    hcbr_i_dict *dict = job->dict;
    if (dict->plain && number != HCBR_I_NONE)
        return hcbr_i_dict_append_plain(dict, number, job->err);
    hcbr_status st = dict->plain ? unfold(dict, job->err) : HCBR_OK;
    if (st == HCBR_OK)
        st = hcbr_i_dict_append(dict, HCBR_I_NONE, text->value, text->value_length, job->err);
    if (st == HCBR_OK)
        dict->new_names[job->new_count++] = (uint32_t)n;
    return st;
}

/*
 * Name n of the batch was not found when it was looked up: add it, unless the limit was raised
 * meanwhile and it is there after all: then *known receives the feature + 1, else 0.
 */
static __attribute__((noinline)) hcbr_status feature_add(intern_job *job, const batch *b,
                                                         size_t from, size_t n, uint32_t serial,
                                                         uint32_t *known) {
    hcbr_i_dict *dict = job->dict;
    hcbr_i_name name = job->block->names[from + n];
    bool is_long = hcbr_i_name_is_long(name);
    uint32_t number = b->number[n] != HCBR_I_NONE ? b->number[n] : hcbr_i_dict_number(name, false);
    char buffer[HCBR_I_NAME_TEXT];
    hcbr_status st = make_room(job, number);
    *known = 0;
    if (st != HCBR_OK)
        return st;
    if (number < dict->limit && (*known = dict->direct[number]))
        return HCBR_OK;
    hcbr_i_long_name text = text_of(job->block, from + n, buffer);
    st = feature_append(job, from + n, number, &text);
    if (st != HCBR_OK)
        return st;
    if (number < dict->limit) {
        if (!dict->plain)
            __builtin_prefetch(&dict->direct_keys[number], 1); /* for keys_settle() */
        dict->direct[number] = (uint32_t)dict->feature_count;
        if (!hcbr_i_dict_need_marks(dict))
            return hcbr_i_no_memory(job->err);
        dict->marks[dict->feature_count - 1] = serial;
    } else {
        (void)feature_enter(dict, (hcbr_i_feature_id)(dict->feature_count - 1),
                            is_long ? b->longs[n] : name, is_long ? &text : NULL, serial);
    }
    return HCBR_OK;
}

/* The names [n, end) of a batch, which belong to case `serial`; *out is moved behind them. */
static inline hcbr_status intern_run(intern_job *job, const batch *b, size_t from, size_t n,
                                     size_t end, uint32_t serial, hcbr_i_feature_id **out) {
    hcbr_i_feature_id *to = *out;
    const hcbr_i_name *names = job->block->names + from;
    table t = table_of(job->dict);
    for (; n < end; n++) {
        uint32_t feature, *mark; /* the feature + 1, and its serial */
        if (HCBR_I_LIKELY(b->number[n] != HCBR_I_NONE)) {
            feature = t.direct[b->number[n]];
            mark = feature ? &t.marks[feature - 1] : NULL;
        } else {
            slot *s = slot_find_short(t, names[n], b->hash[n]);
            if (HCBR_I_UNLIKELY(!s->feature) && hcbr_i_name_is_long(names[n])) {
                /* it is compared by text, and the newest features still lack their keys */
                hcbr_status st = keys_settle(job);
                if (st != HCBR_OK)
                    return st;
                s = slot_find_long(job->dict, job->block, b, from, n, s);
            }
            feature = s->feature;
            mark = &s->serial;
        }
        if (HCBR_I_UNLIKELY(!feature)) {
            uint32_t known;
            hcbr_status st = feature_add(job, b, from, n, serial, &known);
            if (st != HCBR_OK)
                return st;
            t = table_of(job->dict);
            if (!known) {
                *to++ = (hcbr_i_feature_id)(job->dict->feature_count - 1);
                continue;
            }
            feature = known;
            mark = &t.marks[known - 1];
        }
        *to = feature - 1;
        to += *mark != serial;
        *mark = serial;
    }
    *out = to;
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_intern(hcbr_i_dict *dict, const hcbr_i_block *block, uint32_t serial,
                               hcbr_i_feature_id *out, uint32_t *lengths, hcbr_error *err) {
    intern_job job = {dict, block, 0, err};
    batch batches[2]; /* the one at hand, names [from, ready), and the next one on its way */
    size_t from = 0, ready = 0, n = 0;
    unsigned turn = 0;
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    if (st == HCBR_OK && dict->slots_used < dict->feature_count && !hcbr_i_dict_need_marks(dict))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        batch_load(dict, block, 0, &batches[0]);
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++, serial++) {
        hcbr_i_feature_id *first = out;
        size_t end = n + block->cases[c].count;
        while (st == HCBR_OK && n < end) {
            if (n == ready) {
                from = n;
                ready = batch_end(block, n);
                turn ^= 1;
                batch_load(dict, block, ready, &batches[turn]);
            }
            size_t stop = end < ready ? end : ready;
            st = intern_run(&job, &batches[turn ^ 1], from, n - from, stop - from, serial, &out);
            n = stop;
        }
        lengths[c] = (uint32_t)(out - first);
    }
    return st == HCBR_OK ? keys_settle(&job) : st;
}

hcbr_status hcbr_i_dict_add_key(hcbr_i_dict *dict, const char *key, size_t length,
                                hcbr_i_key_id *out, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(dict, err);
    if (st == HCBR_OK && dict->plain)
        st = unfold(dict, err);
    if (st == HCBR_OK)
        st = hcbr_i_dict_key_intern(dict, key, length, hcbr_i_dict_key_number(key, length), out,
                                    err);
    return st;
}

/* ---- tables from names ----------------------------------------------------------------------- */

void hcbr_i_dict_drop_tables(hcbr_i_dict *dict) {
    hcbr_i_free(dict->slots);
    hcbr_i_free(dict->key_slots);
    hcbr_i_free(dict->direct);
    hcbr_i_free(dict->direct_keys);
    hcbr_i_free(dict->new_names);
    hcbr_i_free(dict->marks);
    dict->slots = NULL;
    dict->key_slots = NULL;
    dict->direct = NULL;
    dict->direct_keys = NULL;
    dict->new_names = NULL;
    dict->marks = NULL;
    dict->mark_count = dict->mark_capacity = 0;
    dict->limit = 0;
    dict->slots_used = dict->key_slots_used = 0;
    dict->new_capacity = 0;
}

/* Empty tables with room for all names. */
static hcbr_status tables_create(hcbr_i_dict *dict, const uint32_t *spelled, hcbr_error *err) {
    uint32_t limit = FIRST_LIMIT;
    uint64_t features = 0, keys = 0;
    for (size_t k = 0; k < dict->key_count; k++)
        if (spelled[k] >= limit && spelled[k] != HCBR_I_NONE)
            limit = limit_for(limit, spelled[k], dict->feature_count);
    for (size_t k = 0; k < dict->key_count; k++)
        keys += spelled[k] >= limit;
    /* about so many features go by number: one for each key that does */
    if (dict->feature_count > dict->key_count - keys)
        features = dict->feature_count - (dict->key_count - keys);
    hcbr_status st = limit_raise(dict, limit, err);
    if (st != HCBR_OK)
        return st;
    dict->slot_mask = hcbr_i_dict_table_size(features) - 1;
    dict->key_mask = hcbr_i_dict_table_size(keys) - 1;
    dict->slots = hcbr_i_alloc_zero(dict->slot_mask + 1, sizeof *dict->slots);
    if (dict->slots && !dict->plain)
        dict->key_slots = hcbr_i_alloc_zero(dict->key_mask + 1, sizeof *dict->key_slots);
    return dict->slots && (dict->plain || dict->key_slots) ? HCBR_OK : hcbr_i_no_memory(err);
}

/* The number n of a feature if it is `n=1` and goes by number, else HCBR_I_NONE. */
static inline uint32_t number_of_feature(const hcbr_i_dict *dict, const uint32_t *spelled,
                                         size_t feature) {
    if (dict->plain)
        return spelled[feature] < dict->limit ? spelled[feature] : HCBR_I_NONE;
    const hcbr_i_dict_entry *f = &dict->features[feature];
    uint32_t number = spelled[f->key];
    bool one = f->value_length == 1 && dict->values[f->value] == '1';
    return one && number < dict->limit ? number : HCBR_I_NONE;
}

/* Enter the features that go by number; *others receives how many do not. As
 * hcbr_i_dict_keys_enter(). */
static hcbr_i_feature_id numbers_enter(hcbr_i_dict *dict, const uint32_t *spelled, size_t *others) {
    const uint32_t count = (uint32_t)dict->feature_count;
    uint32_t *features = dict->direct;
    *others = 0;
    for (uint32_t f = 0; f < count; f++) {
        if (f + BATCH < count) {
            uint32_t ahead = spelled[dict->plain ? f + BATCH : dict->features[f + BATCH].key];
            __builtin_prefetch(&features[ahead < dict->limit ? ahead : 0], 1);
        }
        uint32_t number = number_of_feature(dict, spelled, f);
        if (HCBR_I_UNLIKELY(number == HCBR_I_NONE)) {
            ++*others;
            continue;
        }
        if (features[number])
            return f;
        features[number] = f + 1;
    }
    return HCBR_I_NONE;
}

/* Enter the features that do not go by number; *twice as hcbr_i_dict_keys_enter() returns it. */
static hcbr_status features_enter(hcbr_i_dict *dict, const uint32_t *spelled,
                                  hcbr_i_feature_id *twice, hcbr_error *err) {
    hcbr_i_name names[BATCH];
    hcbr_i_feature_id ids[BATCH];
    const table t = table_of(dict);
    *twice = HCBR_I_NONE;
    for (size_t f = 0; f < dict->feature_count;) {
        size_t count = 0;
        for (; count < BATCH && f < dict->feature_count; f++) {
            if (number_of_feature(dict, spelled, f) != HCBR_I_NONE)
                continue;
            hcbr_i_long_name x = feature_text(dict, ids[count] = (hcbr_i_feature_id)f);
            hcbr_i_name name = hcbr_i_dict_name(dict, x.key, x.key_length, x.value, x.value_length);
            __builtin_prefetch(&t.slots[hcbr_i_hash_name(&dict->hash, name) & t.mask], 1);
            names[count++] = name;
        }
        for (size_t n = 0; n < count; n++) {
            hcbr_i_long_name x = feature_text(dict, ids[n]);
            if (hcbr_i_dict_too_full(dict->slots_used, dict->slot_mask)) {
                hcbr_status st = slots_resize(dict, hcbr_i_dict_larger(dict->slot_mask), err);
                if (st != HCBR_OK)
                    return st;
            }
            if (!feature_enter(dict, ids[n], names[n], hcbr_i_name_is_long(names[n]) ? &x : NULL,
                               HCBR_I_NONE)) {
                *twice = ids[n];
                return HCBR_OK;
            }
        }
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_dict_build(hcbr_i_dict *dict, hcbr_i_key_id *key_twice,
                              hcbr_i_feature_id *feature_twice, hcbr_error *err) {
    hcbr_i_dict_drop_tables(dict);
    *key_twice = *feature_twice = HCBR_I_NONE;
    uint32_t *spelled = hcbr_i_dict_keys_spelled(dict);
    if (!spelled)
        return hcbr_i_no_memory(err);
    hcbr_status st = tables_create(dict, spelled, err);
    size_t others = 0;
    if (st == HCBR_OK)
        *key_twice = hcbr_i_dict_keys_enter(dict, spelled);
    if (st == HCBR_OK && *key_twice == HCBR_I_NONE)
        *feature_twice = numbers_enter(dict, spelled, &others);
    if (st == HCBR_OK && *key_twice == HCBR_I_NONE && *feature_twice == HCBR_I_NONE && others > 0)
        st = features_enter(dict, spelled, feature_twice, err);
    hcbr_i_free(spelled);
    if (st == HCBR_OK && *key_twice == HCBR_I_NONE && *feature_twice == HCBR_I_NONE)
        return HCBR_OK;
    hcbr_i_dict_drop_tables(dict);
    return st != HCBR_OK ? st : hcbr_i_fail(err, HCBR_EFORMAT, "a name stands there twice");
}

hcbr_status hcbr_i_dict_need_tables(hcbr_i_dict *dict, hcbr_error *err) {
    hcbr_i_key_id key;
    hcbr_i_feature_id feature;
    pthread_mutex_lock(&dict->lock);
    hcbr_status st = dict->slots ? HCBR_OK : hcbr_i_dict_build(dict, &key, &feature, err);
    pthread_mutex_unlock(&dict->lock);
    return st;
}
