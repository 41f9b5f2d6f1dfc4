/*
 * The names of a block: looked up, and added if they are new.
 *
 * Names are looked up in batches, whose memory is prefetched, because tables of many features do
 * not fit into the caches. Invariant: features are numbered by first appearance, whatever the
 * batches.
 */
#include "cases/dict_slots.h"

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

/* ---- batches --------------------------------------------------------------------------------- */

/* Names of a block with their prefetched lookup keys. */
typedef struct batch {
    uint32_t number[HCBR_I_DICT_BATCH]; /* below the limit; HCBR_I_NONE: by hash */
    uint64_t hash[HCBR_I_DICT_BATCH];
    hcbr_i_name longs[HCBR_I_DICT_BATCH]; /* long names as slots hold them */
} batch;

static inline size_t batch_end(const hcbr_i_block *block, size_t from) {
    return block->name_count - from < HCBR_I_DICT_BATCH ? block->name_count
                                                        : from + HCBR_I_DICT_BATCH;
}

/* `plain` is a compile-time constant: see hcbr_i_block. */
static inline __attribute__((always_inline)) void batch_load_as(const hcbr_i_dict *dict,
                                                                const hcbr_i_block *block,
                                                                size_t from, bool plain, batch *b) {
    const hcbr_i_hash_key key = dict->hash;
    const hcbr_i_dict_slots t = hcbr_i_dict_slots_of(dict);
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

/* The slow path of hcbr_i_dict_slot_find_short(): a long name, which may be known, or a new
 * name. */
static __attribute__((noinline)) hcbr_i_dict_slot *slot_find_long(const hcbr_i_dict *dict,
                                                                  const hcbr_i_block *block,
                                                                  const batch *b, size_t from,
                                                                  size_t n, hcbr_i_dict_slot *s) {
    hcbr_i_name name = block->names[from + n];
    if (!hcbr_i_name_is_long(name))
        return s;
    return hcbr_i_dict_slot_find(dict, hcbr_i_dict_slots_of(dict), b->longs[n], b->hash[n],
                                 &block->longs[name.lo]);
}

/* The feature of a number whose spelling is not in the dictionary. */
static __attribute__((noinline)) hcbr_i_feature_id
find_spelled(const hcbr_i_dict *dict, const hcbr_i_block *block, size_t n) {
    char text[HCBR_I_NAME_TEXT], room[HCBR_I_LONGEST_SPELLING + HCBR_NUMBER_SIZE];
    hcbr_feature x = hcbr_i_block_get(block, n, text), other;
    if (!hcbr_i_dict_respell(dict, &x, room, &other))
        return HCBR_I_NONE;
    return hcbr_i_dict_find(dict, other.key, other.key_length, other.value, other.value_length);
}

void hcbr_i_dict_find_block(const hcbr_i_dict *dict, const hcbr_i_block *block,
                            hcbr_i_feature_id *out) {
    hcbr_i_dict_count_lookups(block->name_count);
    const hcbr_i_dict_slots t = hcbr_i_dict_slots_of(dict);
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
            hcbr_i_dict_slot *s =
                hcbr_i_dict_slot_find_short(t, block->names[from + n], b->hash[n]);
            if (HCBR_I_UNLIKELY(!s->feature))
                s = slot_find_long(dict, block, b, from, n, s);
            out[from + n] = s->feature - 1;
            if (HCBR_I_UNLIKELY(!s->feature) && hcbr_i_dict_may_respell(dict))
                out[from + n] = find_spelled(dict, block, from + n);
        }
    }
}

/* ---- interning ------------------------------------------------------------------------------- */

/* The state of hcbr_i_dict_intern(). */
typedef struct intern_job {
    hcbr_i_dict *dict;
    const hcbr_i_block *block;
    size_t new_count; /* features added whose keys are not settled */
    hcbr_error *err;
} intern_job;

/* Set the keys of the features that were added, from the first new one on. */
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

/* Make room for one more feature in names and tables. */
static hcbr_status make_room(intern_job *job, uint32_t number) {
    hcbr_i_dict *dict = job->dict;
    hcbr_status st = HCBR_OK;
    if (HCBR_I_UNLIKELY(hcbr_i_dict_is_raised(dict, number)) &&
        (st = keys_settle(job)) == HCBR_OK) /* every key is in a table when it is moved */
        st = hcbr_i_dict_raise(dict, number, job->err);
    if (st == HCBR_OK)
        st = hcbr_i_dict_slots_need(dict, job->err);
    if (st == HCBR_OK && !hcbr_i_grow(&dict->new_names, &dict->new_capacity, job->new_count + 1,
                                      sizeof *dict->new_names))
        st = hcbr_i_no_memory(job->err);
    return st;
}

/* Append the feature of name n. Its key is looked up later, with those of many features. */
static hcbr_status feature_append(intern_job *job, size_t n, uint32_t number,
                                  const hcbr_i_long_name *text) {
    hcbr_i_dict *dict = job->dict;
    if (dict->plain && number != HCBR_I_NONE)
        return hcbr_i_dict_append_plain(dict, number, job->err);
    hcbr_status st = dict->plain ? hcbr_i_dict_unfold_tables(dict, job->err) : HCBR_OK;
    if (st == HCBR_OK)
        st = hcbr_i_dict_append(dict, HCBR_I_NONE, text->value, text->value_length, job->err);
    if (st == HCBR_OK)
        dict->new_names[job->new_count++] = (uint32_t)n;
    return st;
}

/*
 * Add name n of the batch, which was not found. The limit may have been raised since, so that it is
 * found now: then *known receives the feature + 1, else 0.
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
        (void)hcbr_i_dict_enter(dict, (hcbr_i_feature_id)(dict->feature_count - 1),
                                is_long ? b->longs[n] : name, is_long ? &text : NULL, serial);
    }
    return HCBR_OK;
}

/* The names [n, end) of a batch, which belong to case `serial`; *out moves to after them. */
static inline hcbr_status intern_run(intern_job *job, const batch *b, size_t from, size_t n,
                                     size_t end, uint32_t serial, hcbr_i_feature_id **out) {
    hcbr_i_feature_id *to = *out;
    const hcbr_i_name *names = job->block->names + from;
    hcbr_i_dict_slots t = hcbr_i_dict_slots_of(job->dict);
    for (; n < end; n++) {
        uint32_t feature, *mark; /* the feature + 1, and its serial */
        if (HCBR_I_LIKELY(b->number[n] != HCBR_I_NONE)) {
            feature = t.direct[b->number[n]];
            mark = feature ? &t.marks[feature - 1] : NULL;
        } else {
            hcbr_i_dict_slot *s = hcbr_i_dict_slot_find_short(t, names[n], b->hash[n]);
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
            t = hcbr_i_dict_slots_of(job->dict);
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
    batch batches[2]; /* the current one, names [from, ready), and the next one, being fetched */
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
