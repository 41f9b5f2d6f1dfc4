/*
 * A block of a large file in one of several threads: its names become numbers of the dictionary,
 * which does not change, or of the new names of the chunk.
 *
 * Invariant: numbers are those that one thread would find in the same chunk.
 */
#include "cases/lanes.h"

#define FIRST_IDS 4096u /* slots of a thread's table at first */

/* ---- memory ---------------------------------------------------------------------------------- */

/* Grow an array to `count` elements with zeros. */
static bool grow_zero(void *array, size_t *capacity, size_t count, size_t size) {
    size_t before = *capacity;
    char *block;
    if (count <= before)
        return true;
    if (!hcbr_i_grow(array, capacity, count, size))
        return false;
    memcpy(&block, array, sizeof block);
    memset(block + before * size, 0, (*capacity - before) * size);
    return true;
}

/* Make room for the cases of a block. */
static bool make_room(hcbr_i_lane_worker *w, hcbr_i_piece *p, const hcbr_i_block *block) {
    size_t count = p->count + block->case_count, lengths = p->capacity, label = p->capacity;
    return hcbr_i_grow(&w->found, &w->found_capacity, block->name_count + 1, sizeof *w->found) &&
           hcbr_i_grow(&p->features, &p->feature_capacity, p->feature_count + block->name_count + 1,
                       sizeof *p->features) &&
           hcbr_i_grow(&p->lengths, &lengths, count, sizeof *p->lengths) &&
           hcbr_i_grow(&p->label, &label, count, sizeof *p->label) &&
           hcbr_i_grow(&p->row, &p->capacity, count, sizeof *p->row);
}

static bool copy_text(hcbr_i_arena *arena, hcbr_i_text *out, hcbr_i_text text) {
    *out = text;
    if (!text.at)
        return true;
    char *copy = hcbr_i_arena_take(arena, text.length + 1);
    if (!copy)
        return false;
    memcpy(copy, text.at, text.length);
    out->at = copy;
    return true;
}

/* ---- separate numbers ------------------------------------------------------------------------ */

/* The number of a block's key among the keys of the piece. */
static hcbr_status find_key(hcbr_i_piece *p, const hcbr_i_block *block, uint32_t key, uint32_t *out,
                            hcbr_error *err) {
    hcbr_i_text name = block->keys[key];
    if (!block->key_serial)
        return hcbr_i_labels_intern(&p->keys, name.at, name.length, out, err);
    hcbr_i_column_keys *columns = &p->columns;
    if (columns->serial != block->key_serial)
        columns->count = 0;
    columns->serial = block->key_serial;
    if (!hcbr_i_grow(&columns->key, &columns->capacity, (size_t)key + 1, sizeof *columns->key))
        return hcbr_i_no_memory(err);
    for (; columns->count <= key; columns->count++)
        columns->key[columns->count] = HCBR_I_NONE;
    hcbr_status st = HCBR_OK;
    if (columns->key[key] == HCBR_I_NONE)
        st = hcbr_i_labels_intern(&p->keys, name.at, name.length, &columns->key[key], err);
    *out = columns->key[key];
    return st;
}

/* Room for the items of a block. Lengths of cases before the first that has any are 0. */
static bool room_items(hcbr_i_piece *p, const hcbr_i_block *block) {
    const bool first = p->item_count == 0;
    if (!hcbr_i_grow(&p->item_lengths, &p->item_lengths_capacity, p->count + block->case_count,
                     sizeof *p->item_lengths) ||
        !hcbr_i_grow(&p->items, &p->item_capacity, p->item_count + block->item_count + 1,
                     sizeof *p->items) ||
        !hcbr_i_grow(&p->spelled, &p->spelled_capacity, p->spelled_count + block->spelled_count + 1,
                     sizeof *p->spelled))
        return false;
    if (first && p->count)
        memset(p->item_lengths, 0, p->count * sizeof *p->item_lengths);
    return true;
}

/* The items of a block's case become the last ones of the piece. */
static hcbr_status add_items(hcbr_i_piece *p, const hcbr_i_block *block, const hcbr_i_raw_case *raw,
                             size_t *texts, hcbr_error *err) {
    hcbr_i_item *to = p->items + p->item_count;
    hcbr_i_text *spelled = p->spelled + p->spelled_count;
    size_t count = raw->item_count, kept = 0;
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        to[n] = block->items[raw->first_item + n];
        const uint32_t key = to[n].key;
        if (HCBR_I_LIKELY(block->key_serial && p->columns.serial == block->key_serial &&
                          key < p->columns.count && p->columns.key[key] != HCBR_I_NONE))
            to[n].key = p->columns.key[key];
        else
            st = find_key(p, block, key, &to[n].key, err);
        p->unusual |= to[n].spelling != HCBR_I_SPELLED_SHORTEST;
        if (to[n].spelling >= HCBR_I_SPELLED_OTHER &&
            !copy_text(&p->text, &spelled[kept++], block->spelled[(*texts)++]))
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK && !block->key_serial && !hcbr_i_items_unique(to, &count, spelled, &kept))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        p->item_count += count;
        p->spelled_count += kept;
        p->item_lengths[p->count] = (uint32_t)count;
    }
    return st;
}

/* ---- ids outside the dictionary's array ------------------------------------------------------ */

static bool id_is_free(const void *slot) {
    return ((const hcbr_i_known_id *)slot)->feature == HCBR_I_NONE;
}

static bool id_is(const void *slot, const void *wanted) {
    return ((const hcbr_i_known_id *)slot)->id == *(const uint32_t *)wanted;
}

static inline uint64_t id_hash(const hcbr_i_lane_worker *w, uint32_t id) {
    return id * w->id_key >> 32;
}

static uint64_t slot_hash(const void *owner, const void *slot) {
    return id_hash(owner, ((const hcbr_i_known_id *)slot)->id);
}

/* The slot of an id in the thread's table, or the free one where it belongs. */
static inline hcbr_i_known_id *id_find(const hcbr_i_lane_worker *w, uint32_t id) {
    return hcbr_i_hash_slots_find(w->ids, sizeof *w->ids, w->id_mask, id_hash(w, id), id_is_free,
                                  id_is, &id);
}

/* An empty table of `count` slots. */
static bool ids_create(hcbr_i_lane_worker *w, size_t count) {
    hcbr_i_known_id *ids = hcbr_i_alloc(count, sizeof *ids);
    if (!ids)
        return false;
    memset(ids, 0xFF, count * sizeof *ids);
    w->ids = ids;
    w->id_mask = count - 1;
    return true;
}

/* Twice the slots. */
static bool ids_grow(hcbr_i_lane_worker *w) {
    hcbr_i_known_id *old = w->ids;
    size_t count = w->id_mask + 1;
    if (!ids_create(w, 2 * count))
        return false;
    (void)hcbr_i_hash_slots_move(w->ids, w->id_mask, old, count, sizeof *old, id_is_free, slot_hash,
                                 w);
    hcbr_i_free(old);
    return true;
}

/* The feature `id=1`, met in the chunk for the first time; NONE: no memory. */
static __attribute__((noinline)) uint32_t id_add(const hcbr_i_dict *dict, hcbr_i_lane_worker *w,
                                                 hcbr_i_piece *p, uint32_t id) {
    uint32_t feature = hcbr_i_dict_find_number(dict, id);
    if (w->id_count > w->id_mask / 2 && !ids_grow(w))
        return HCBR_I_NONE;
    if (feature == HCBR_I_NONE) {
        uint32_t number = hcbr_i_fresh_add_id(&p->fresh, id);
        if (number == HCBR_I_NONE)
            return HCBR_I_NONE;
        feature = number | HCBR_I_PIECE_NEW;
    }
    *id_find(w, id) = (hcbr_i_known_id){id, feature};
    w->id_count++;
    return feature;
}

/* The feature `id=1`, which hcbr_i_dict_find_case() did not find; NONE: no memory. */
static inline uint32_t find_id(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                               uint32_t id) {
    const hcbr_i_known_id *at = id_find(w, id);
    return HCBR_I_LIKELY(at->feature != HCBR_I_NONE) ? at->feature : id_add(dict, w, p, id);
}

/* Begin a chunk: the dictionary's names do not change until its end. */
static bool begin_piece(hcbr_i_lane_worker *w, hcbr_i_piece *p) {
    if (p->begun)
        return true;
    p->begun = true;
    if (!w->ids) {
        w->id_key = hcbr_i_hash_key_make(0).a | 1;
        if (!ids_create(w, FIRST_IDS))
            return false;
    } else if (w->id_count) {
        /* as large as the last chunk needed it: later ones have fewer new names */
        while (w->id_mask >= FIRST_IDS && w->id_count <= w->id_mask / 8)
            w->id_mask /= 2;
        memset(w->ids, 0xFF, (w->id_mask + 1) * sizeof *w->ids);
    }
    w->id_count = 0;
    return true;
}

/* ---- names to numbers ------------------------------------------------------------------------ */

/* Id, group and weight of the case that is added next. */
static bool add_extra(hcbr_i_piece *p, const hcbr_i_raw_case *raw) {
    if (!p->has_extras && !raw->id.at && !raw->group.at && raw->weight == 1)
        return true;
    if (!hcbr_i_grow(&p->extras, &p->extra_capacity, p->count + 1, sizeof *p->extras))
        return false;
    for (size_t c = 0; !p->has_extras && c < p->count; c++)
        p->extras[c] = (hcbr_i_extra){.weight = 1};
    p->has_extras = true;
    p->extras[p->count].weight = raw->weight;
    return copy_text(&p->text, &p->extras[p->count].id, raw->id) &&
           copy_text(&p->text, &p->extras[p->count].group, raw->group);
}

/* The feature of a name that was not found; NONE: no memory. */
static uint32_t find_other(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                           const hcbr_i_block *block, size_t n) {
    uint32_t id = hcbr_i_dict_number(block->names[n], false);
    if (id != HCBR_I_NONE)
        return find_id(dict, w, p, id);
    uint32_t number = hcbr_i_fresh_intern(&p->fresh, block, n);
    return number == HCBR_I_NONE ? HCBR_I_NONE : number | HCBR_I_PIECE_NEW;
}

/* Leave repeated features of a case out; *count is how many there are. false: no memory. */
static bool drop_repeated(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                          hcbr_i_feature_id *features, size_t *count) {
    hcbr_i_feature_id *to = features;
    if (!grow_zero(&w->marks, &w->marks_capacity, hcbr_i_dict_count(dict), sizeof *w->marks))
        return false;
    uint32_t serial = ++w->serial, *marks = w->marks;
    for (size_t n = 0; n < *count; n++) {
        uint32_t feature = features[n];
        uint32_t *mark = HCBR_I_UNLIKELY(feature & HCBR_I_PIECE_NEW)
                             ? &p->fresh.serial[feature ^ HCBR_I_PIECE_NEW]
                             : &marks[feature];
        *to = feature;
        to += *mark != serial;
        *mark = serial;
    }
    *count = (size_t)(to - features);
    return true;
}

/* The features of a case of a numeric block. */
static bool add_numbers(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                        const hcbr_i_block *block, size_t first, size_t *count) {
    if (*count == 0) // there may be no list to point into
        return true;
    hcbr_i_feature_id *to = p->features + p->feature_count;
    const uint32_t *numbers = block->numbers + first;
    bool missing, rising = hcbr_i_dict_find_case(dict, numbers, *count, to, &missing);
    for (size_t n = 0; missing && n < *count; n++)
        if (to[n] == HCBR_I_NONE && (to[n] = find_id(dict, w, p, numbers[n])) == HCBR_I_NONE)
            return false;
    return rising || drop_repeated(dict, w, p, to, count);
}

/* The features of a case of a block of names, which were looked up. */
static bool add_names(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                      const hcbr_i_block *block, size_t first, size_t *count) {
    hcbr_i_feature_id *to = p->features + p->feature_count;
    for (size_t n = 0; n < *count; n++) {
        to[n] = w->found[first + n];
        if (HCBR_I_UNLIKELY(to[n] == HCBR_I_NONE) &&
            (to[n] = find_other(dict, w, p, block, first + n)) == HCBR_I_NONE)
            return false;
    }
    return drop_repeated(dict, w, p, to, count);
}

/* The features of a coded block are all different and in place; names that were not found are
 * separate, in their order. */
static bool add_coded(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                      size_t count) {
    const hcbr_i_block *rest = &w->coded.rest;
    hcbr_i_feature_id *to = p->features + p->feature_count;
    for (size_t n = 0; n < count && w->next < rest->name_count; n++)
        if (to[n] == HCBR_I_NONE &&
            (to[n] = find_other(dict, w, p, rest, w->next++)) == HCBR_I_NONE)
            return false;
    return true;
}

static bool add_features(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                         const hcbr_i_block *block, size_t first, size_t count) {
    if (block->coded     ? !add_coded(dict, w, p, count)
        : block->numeric ? !add_numbers(dict, w, p, block, first, &count)
                         : !add_names(dict, w, p, block, first, &count))
        return false;
    p->lengths[p->count] = (uint32_t)count;
    p->feature_count += count;
    return true;
}

static hcbr_status add_cases(const hcbr_i_dict *dict, hcbr_i_lane_worker *w, hcbr_i_piece *p,
                             const hcbr_i_block *block, hcbr_error *err) {
    size_t n = 0, texts = 0;
    const bool apart = p->item_count + block->item_count > 0;
    if (apart && !room_items(p, block))
        return hcbr_i_no_memory(err);
    for (size_t c = 0; c < block->case_count; c++) {
        const hcbr_i_raw_case *raw = &block->cases[c];
        hcbr_status st = hcbr_i_labels_intern(&p->labels, raw->label.at, raw->label.length,
                                              &p->label[p->count], err);
        if (st != HCBR_OK)
            return st;
        if (!add_extra(p, raw) || !add_features(dict, w, p, block, n, raw->count))
            return hcbr_i_no_memory(err);
        if (apart && (st = add_items(p, block, raw, &texts, err)) != HCBR_OK)
            return st;
        p->empty += p->lengths[p->count] == 0 && raw->item_count == 0;
        n += raw->count;
        p->row[p->count++] = raw->row;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_lanes_take(void *context, uint32_t number, uint32_t chunk,
                              const hcbr_i_block *block, hcbr_error *err) {
    hcbr_i_lanes *lanes = context;
    hcbr_i_lane_worker *w = &lanes->workers[number];
    hcbr_i_piece *p = &lanes->pieces[lanes->now][chunk],
                 *before = &lanes->pieces[lanes->now ^ 1][chunk];
    const hcbr_i_dict *dict = lanes->cases->dict;
    if (before->waiting) /* no other thread has this chunk's number */
        hcbr_i_piece_copy(lanes->cases, before);
    hcbr_status st = begin_piece(w, p) && make_room(w, p, block) ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        w->next = 0;
        if (block->coded)
            st = hcbr_i_coded_find(&w->coded, dict, block, p->features + p->feature_count, err);
        else if (!block->numeric)
            hcbr_i_dict_find_block(dict, block, w->found);
    }
    if (st == HCBR_OK)
        st = add_cases(dict, w, p, block, err);
    if (st != HCBR_OK)
        p->count = 0;
    return st;
}
