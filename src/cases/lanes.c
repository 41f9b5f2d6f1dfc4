/*
 * The cases of a large file, chunk by chunk at once: threads parse chunks (read/rounds.c) and look
 * their names up; then the chunks are added to the case base in their order.
 *
 * A round has three steps. At once: names are looked up in the dictionary, which nobody changes
 * meanwhile; names it lacks are collected for each chunk (fresh.c). One after the other: the new
 * names and labels of each chunk are added, in the order of the file. At once, together with the
 * first step of the next round: numbers are copied to their place in the case base, those of new
 * names and labels replaced by their final ones. Invariants: numbers, cases and failures are those
 * of one thread; a piece that waits to be copied is copied before its memory is used again, before
 * the arrays of the case base grow in the next round, and before anybody looks at its cases.
 */
#include "cases/append.h"
#include "cases/dict.h"

#define NEW 0x80000000u /* the number is one of the chunk's new names; see HCBR_I_MOST_FEATURES */

#define FIRST_BITS 12 /* of the places of a thread's table at first */

/* What became of the name `id=1`, which the dictionary has not in its own array. */
typedef struct known_id {
    uint32_t id;
    uint32_t feature; /* of the dictionary, or NEW; HCBR_I_NONE: a free place */
} known_id;

/* What the dictionary would remember of the case at hand, for each thread. */
typedef struct worker {
    uint32_t *marks; /* by feature: last case that had it */
    size_t marks_capacity;
    known_id *ids;   /* of the chunk at hand, by the upper bits of id * id_key */
    size_t id_count; /* of them that are used */
    unsigned id_bits;
    uint64_t id_key;          /* odd, random */
    uint32_t serial;          /* of the last case; no two cases of a thread have the same */
    hcbr_i_feature_id *found; /* numbers of the names of a block */
    size_t found_capacity;
    hcbr_i_coded coded;
    size_t next; /* of the names of coded.rest, which are not found */
} worker;

/* Id, group and weight of a case, where there are any. */
typedef struct extra {
    hcbr_i_text id, group;
    double weight;
} extra;

/* The cases of a chunk. */
typedef struct piece {
    hcbr_i_feature_id *features; /* of all cases, one after the other */
    size_t feature_count, feature_capacity;
    uint32_t *lengths, *label; /* by case */
    uint64_t *row;
    size_t count, capacity; /* cases */
    extra *extras;          /* as many as cases once one has any of them */
    size_t extra_capacity;
    bool has_extras;
    uint32_t empty;
    hcbr_i_item *items; /* numbers that stand apart; keys are those below */
    size_t item_count, item_capacity;
    uint32_t *item_lengths; /* by case; as many as cases once one has any */
    size_t item_lengths_capacity;
    hcbr_i_text *spelled; /* texts of those that are spelled OTHER or WIDE */
    size_t spelled_count, spelled_capacity;
    bool unusual;       /* one of them is not spelled as the shortest text */
    hcbr_i_labels keys; /* of all chunks that were this piece */
    hcbr_i_column_keys columns;
    uint32_t *key_map; /* their numbers in the case base */
    size_t key_map_capacity;
    uint32_t keys_mapped;
    hcbr_i_arena text;
    hcbr_i_labels labels; /* of all chunks that were this piece */
    uint32_t *label_map;  /* their numbers in the case base */
    size_t label_map_capacity;
    uint32_t mapped; /* so many of them are known */
    hcbr_i_fresh fresh;
    bool begun;             /* by the thread that works on it */
    hcbr_i_feature_id *map; /* numbers of the new names in the dictionary */
    size_t map_capacity;
    uint32_t first;  /* its first case, in the case base */
    uint64_t offset; /* and that one's first feature */
    uint64_t item_offset;
    bool waiting; /* it is counted in, and still to be copied */
} piece;

struct hcbr_i_lanes {
    worker *workers;
    uint32_t worker_count;
    piece *pieces[2]; /* of the round at hand and of the one before, in turns */
    uint32_t piece_count;
    unsigned now;
    hcbr_cases *cases; /* of the round at hand */
};

/* ---- at once: numbers that stand apart ---------------------------------------------------------
 */

/* The items of a piece, with keys of the case base, where there is room for them. */
static void place_items(hcbr_i_numbers *to, const piece *p) {
    uint64_t at = p->item_offset;
    if (!to->start)
        return;
    for (size_t c = 0; c < p->count; c++) {
        to->start[p->first + c] = at;
        at += p->item_count ? p->item_lengths[c] : 0;
    }
    for (size_t n = 0; n < p->item_count; n++) {
        to->value[p->item_offset + n] = p->items[n].value;
        to->key[p->item_offset + n] = p->key_map[p->items[n].key];
    }
    for (size_t n = 0; to->spelling && n < p->item_count; n++)
        to->spelling[p->item_offset + n] = p->items[n].spelling;
}

/* The number of a block's key among those of the piece. */
static hcbr_status find_key(piece *p, const hcbr_i_block *block, uint32_t key, uint32_t *out,
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

static bool copy_text(hcbr_i_arena *arena, hcbr_i_text *out, hcbr_i_text text);

/* Room for the items of a block. Lengths of cases before the first that has any are 0. */
static bool room_items(piece *p, const hcbr_i_block *block) {
    const bool first = p->item_count == 0;
    if (!hcbr_i_grow(&p->item_lengths, &p->item_lengths_capacity, p->count + block->case_count,
                     sizeof *p->item_lengths) ||
        !hcbr_i_grow(&p->items, &p->item_capacity, p->item_count + block->item_count,
                     sizeof *p->items) ||
        !hcbr_i_grow(&p->spelled, &p->spelled_capacity, p->spelled_count + block->spelled_count,
                     sizeof *p->spelled))
        return false;
    if (first && p->count)
        memset(p->item_lengths, 0, p->count * sizeof *p->item_lengths);
    return true;
}

/* The items of a block's case become the last ones of the piece. */
static hcbr_status add_items(piece *p, const hcbr_i_block *block, const hcbr_i_raw_case *raw,
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

/* ---- at once: numbers to their place --------------------------------------------------------- */

static void copy_piece(hcbr_cases *cases, piece *p) {
    uint64_t at = p->offset;
    p->waiting = false;
    for (size_t c = 0; c < p->count; c++) {
        cases->label[p->first + c] = p->label_map[p->label[c]];
        cases->start[p->first + c] = at;
        at += p->lengths[c];
    }
    place_items(&cases->numbers, p);
    hcbr_i_feature_id *to = cases->features + p->offset;
    if (p->fresh.count == 0) {
        memcpy(to, p->features, p->feature_count * sizeof *to);
        return;
    }
    for (size_t n = 0; n < p->feature_count; n++) {
        uint32_t feature = p->features[n];
        to[n] = feature & NEW ? p->map[feature ^ NEW] : feature;
    }
}

static void copy_pieces(void *context, uint32_t number, uint64_t begin, uint64_t end) {
    hcbr_i_lanes *lanes = context;
    (void)number;
    for (uint64_t i = begin; i < end; i++) {
        piece *p = &lanes->pieces[i / lanes->piece_count][i % lanes->piece_count];
        if (p->waiting)
            copy_piece(lanes->cases, p);
    }
}

/* Copy what waits, if anything does. */
static void finish_copies(hcbr_i_lanes *lanes) {
    bool any = false;
    for (uint32_t i = 0; lanes->pieces[0] && lanes->pieces[1] && i < lanes->piece_count; i++)
        any = any || lanes->pieces[0][i].waiting || lanes->pieces[1][i].waiting;
    if (any)
        hcbr_i_parallel(lanes->worker_count, 2 * (uint64_t)lanes->piece_count, 1, copy_pieces,
                        lanes);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void piece_clear(piece *p) {
    hcbr_i_free(p->features);
    hcbr_i_free(p->lengths);
    hcbr_i_free(p->label);
    hcbr_i_free(p->row);
    hcbr_i_free(p->extras);
    hcbr_i_free(p->items);
    hcbr_i_free(p->item_lengths);
    hcbr_i_free(p->spelled);
    hcbr_i_labels_clear(&p->keys);
    hcbr_i_free(p->columns.key);
    hcbr_i_free(p->key_map);
    hcbr_i_arena_clear(&p->text);
    hcbr_i_labels_clear(&p->labels);
    hcbr_i_free(p->label_map);
    hcbr_i_fresh_clear(&p->fresh);
    hcbr_i_free(p->map);
}

void hcbr_i_lanes_free(hcbr_i_lanes *lanes) {
    if (!lanes)
        return;
    finish_copies(lanes);
    for (unsigned n = 0; n < 2; n++) {
        for (uint32_t i = 0; lanes->pieces[n] && i < lanes->piece_count; i++)
            piece_clear(&lanes->pieces[n][i]);
        hcbr_i_free(lanes->pieces[n]);
    }
    for (uint32_t i = 0; lanes->workers && i < lanes->worker_count; i++) {
        hcbr_i_free(lanes->workers[i].marks);
        hcbr_i_free(lanes->workers[i].ids);
        hcbr_i_free(lanes->workers[i].found);
        hcbr_i_coded_clear(&lanes->workers[i].coded);
    }
    hcbr_i_free(lanes->workers);
    hcbr_i_free(lanes);
}

static hcbr_i_lanes *create(const hcbr_i_reader *reader) {
    hcbr_i_lanes *lanes = hcbr_i_alloc_zero(1, sizeof *lanes);
    if (!lanes)
        return NULL;
    lanes->worker_count = hcbr_i_reader_threads(reader);
    lanes->piece_count = hcbr_i_reader_most_chunks(reader);
    lanes->workers = hcbr_i_alloc_zero(lanes->worker_count, sizeof *lanes->workers);
    for (unsigned n = 0; n < 2; n++)
        lanes->pieces[n] = hcbr_i_alloc_zero(lanes->piece_count, sizeof **lanes->pieces);
    if (lanes->workers && lanes->pieces[0] && lanes->pieces[1])
        return lanes;
    hcbr_i_lanes_free(lanes);
    return NULL;
}

/* Zeros behind what there is, up to `count` elements. */
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

/* Ready for a round of cases of this base. */
static hcbr_status prepare(hcbr_i_lanes *lanes, hcbr_cases *cases, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(cases->dict, err);
    bool done = st == HCBR_OK;
    lanes->now ^= 1;
    for (uint32_t i = 0; done && i < lanes->piece_count; i++) {
        piece *p = &lanes->pieces[lanes->now][i];
        p->feature_count = p->count = 0;
        p->item_count = p->spelled_count = 0;
        p->unusual = false;
        p->has_extras = p->begun = false;
        p->empty = 0;
        hcbr_i_arena_reset(&p->text);
        done = hcbr_i_fresh_reset(&p->fresh);
    }
    lanes->cases = cases;
    return done || st != HCBR_OK ? st : hcbr_i_no_memory(err);
}

/* ---- at once: names to numbers --------------------------------------------------------------- */

/* Room for the cases of a block, wherever they may go. */
static bool make_room(worker *w, piece *p, const hcbr_i_block *block) {
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

/* Id, group and weight of the case that is added next. */
static bool add_extra(piece *p, const hcbr_i_raw_case *raw) {
    if (!p->has_extras && !raw->id.at && !raw->group.at && raw->weight == 1)
        return true;
    if (!hcbr_i_grow(&p->extras, &p->extra_capacity, p->count + 1, sizeof *p->extras))
        return false;
    for (size_t c = 0; !p->has_extras && c < p->count; c++)
        p->extras[c] = (extra){.weight = 1};
    p->has_extras = true;
    p->extras[p->count].weight = raw->weight;
    return copy_text(&p->text, &p->extras[p->count].id, raw->id) &&
           copy_text(&p->text, &p->extras[p->count].group, raw->group);
}

/* The place of an id in the thread's table, or the free one where it belongs. A place holds id and
 * feature: the table of base would have to look the feature up elsewhere. */
static inline known_id *id_find(const worker *w, uint32_t id) {
    size_t mask = ((size_t)1 << w->id_bits) - 1;
    for (size_t i = (size_t)(id * w->id_key >> (64 - w->id_bits));; i = (i + 1) & mask)
        if (w->ids[i].id == id || w->ids[i].feature == HCBR_I_NONE)
            return &w->ids[i];
}

/* An empty table of so many places. */
static bool ids_create(worker *w, unsigned bits) {
    known_id *ids = hcbr_i_alloc((size_t)1 << bits, sizeof *ids);
    if (!ids)
        return false;
    memset(ids, 0xFF, sizeof *ids << bits);
    w->ids = ids;
    w->id_bits = bits;
    return true;
}

/* Twice the places. */
static bool ids_grow(worker *w) {
    known_id *old = w->ids;
    size_t count = (size_t)1 << w->id_bits;
    if (!ids_create(w, w->id_bits + 1))
        return false;
    for (size_t i = 0; i < count; i++)
        if (old[i].feature != HCBR_I_NONE)
            *id_find(w, old[i].id) = old[i];
    hcbr_i_free(old);
    return true;
}

/* The feature `id=1`, met in the chunk for the first time; NONE: no memory. */
static __attribute__((noinline)) uint32_t id_add(const hcbr_i_dict *dict, worker *w, piece *p,
                                                 uint32_t id) {
    uint32_t feature = hcbr_i_dict_find_number(dict, id);
    if (w->id_count >= (size_t)1 << (w->id_bits - 1) && !ids_grow(w))
        return HCBR_I_NONE;
    if (feature == HCBR_I_NONE) {
        uint32_t number = hcbr_i_fresh_add_id(&p->fresh, id);
        if (number == HCBR_I_NONE)
            return HCBR_I_NONE;
        feature = number | NEW;
    }
    *id_find(w, id) = (known_id){id, feature};
    w->id_count++;
    return feature;
}

/* The feature `id=1`, which hcbr_i_dict_find_case() did not find; NONE: no memory. */
static inline uint32_t find_id(const hcbr_i_dict *dict, worker *w, piece *p, uint32_t id) {
    const known_id *at = id_find(w, id);
    return HCBR_I_LIKELY(at->feature != HCBR_I_NONE) ? at->feature : id_add(dict, w, p, id);
}

/* The feature of a name that was not found; NONE: no memory. */
static uint32_t find_other(const hcbr_i_dict *dict, worker *w, piece *p, const hcbr_i_block *block,
                           size_t n) {
    uint32_t id = hcbr_i_dict_number(block->names[n], false);
    if (id != HCBR_I_NONE)
        return find_id(dict, w, p, id);
    uint32_t number = hcbr_i_fresh_intern(&p->fresh, block, n);
    return number == HCBR_I_NONE ? HCBR_I_NONE : number | NEW;
}

/* Leave repeated features of a case out; *count is how many there are. false: no memory. */
static bool drop_repeated(const hcbr_i_dict *dict, worker *w, piece *p, hcbr_i_feature_id *features,
                          size_t *count) {
    hcbr_i_feature_id *to = features;
    if (!grow_zero(&w->marks, &w->marks_capacity, hcbr_i_dict_count(dict), sizeof *w->marks))
        return false;
    uint32_t serial = ++w->serial, *marks = w->marks;
    for (size_t n = 0; n < *count; n++) {
        uint32_t feature = features[n];
        uint32_t *mark =
            HCBR_I_UNLIKELY(feature & NEW) ? &p->fresh.serial[feature ^ NEW] : &marks[feature];
        *to = feature;
        to += *mark != serial;
        *mark = serial;
    }
    *count = (size_t)(to - features);
    return true;
}

/* The features of a case of a numeric block. */
static bool add_numbers(const hcbr_i_dict *dict, worker *w, piece *p, const hcbr_i_block *block,
                        size_t first, size_t *count) {
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
static bool add_names(const hcbr_i_dict *dict, worker *w, piece *p, const hcbr_i_block *block,
                      size_t first, size_t *count) {
    hcbr_i_feature_id *to = p->features + p->feature_count;
    for (size_t n = 0; n < *count; n++) {
        to[n] = w->found[first + n];
        if (HCBR_I_UNLIKELY(to[n] == HCBR_I_NONE) &&
            (to[n] = find_other(dict, w, p, block, first + n)) == HCBR_I_NONE)
            return false;
    }
    return drop_repeated(dict, w, p, to, count);
}

/* Those of a coded block are all different and in their place; the names that were not found stand
 * apart, in their order. */
static bool add_coded(const hcbr_i_dict *dict, worker *w, piece *p, size_t count) {
    const hcbr_i_block *rest = &w->coded.rest;
    hcbr_i_feature_id *to = p->features + p->feature_count;
    for (size_t n = 0; n < count && w->next < rest->name_count; n++)
        if (to[n] == HCBR_I_NONE &&
            (to[n] = find_other(dict, w, p, rest, w->next++)) == HCBR_I_NONE)
            return false;
    return true;
}

static bool add_features(const hcbr_i_dict *dict, worker *w, piece *p, const hcbr_i_block *block,
                         size_t first, size_t count) {
    if (block->coded     ? !add_coded(dict, w, p, count)
        : block->numeric ? !add_numbers(dict, w, p, block, first, &count)
                         : !add_names(dict, w, p, block, first, &count))
        return false;
    p->lengths[p->count] = (uint32_t)count;
    p->feature_count += count;
    return true;
}

static hcbr_status add_cases(const hcbr_i_dict *dict, worker *w, piece *p,
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

/* A chunk begins: what the dictionary knows does not change until its end. */
static bool begin_piece(worker *w, piece *p) {
    if (p->begun)
        return true;
    p->begun = true;
    if (!w->ids) {
        w->id_key = hcbr_i_hash_key_make(0).a | 1;
        if (!ids_create(w, FIRST_BITS))
            return false;
    } else if (w->id_count) {
        /* as large as the last chunk needed it: later ones have fewer new names */
        while (w->id_bits > FIRST_BITS && w->id_count < (size_t)1 << (w->id_bits - 3))
            w->id_bits--;
        memset(w->ids, 0xFF, sizeof *w->ids << w->id_bits);
    }
    w->id_count = 0;
    return true;
}

/* A block of a chunk becomes cases of its piece; on failure the piece has none at all. */
static hcbr_status take_block(void *context, uint32_t number, uint32_t chunk,
                              const hcbr_i_block *block, hcbr_error *err) {
    hcbr_i_lanes *lanes = context;
    worker *w = &lanes->workers[number];
    piece *p = &lanes->pieces[lanes->now][chunk], *before = &lanes->pieces[lanes->now ^ 1][chunk];
    const hcbr_i_dict *dict = lanes->cases->dict;
    if (before->waiting) /* nobody else has this chunk's number */
        copy_piece(lanes->cases, before);
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

/* ---- one after the other: numbers for all ---------------------------------------------------- */

/* Numbers of the piece's new names in the dictionary. */
static hcbr_status map_names(hcbr_cases *cases, piece *p, hcbr_error *err) {
    if (!hcbr_i_grow(&p->map, &p->map_capacity, p->fresh.count, sizeof *p->map))
        return hcbr_i_no_memory(err);
    return hcbr_i_fresh_enter(&p->fresh, cases->dict, p->first, p->map, err);
}

static hcbr_status map_labels(hcbr_cases *cases, piece *p, hcbr_error *err) {
    if (!hcbr_i_grow(&p->label_map, &p->label_map_capacity, p->labels.count, sizeof *p->label_map))
        return hcbr_i_no_memory(err);
    for (; p->mapped < p->labels.count; p->mapped++) {
        hcbr_status st =
            hcbr_i_labels_intern(&cases->labels, p->labels.names[p->mapped],
                                 p->labels.lengths[p->mapped], &p->label_map[p->mapped], err);
        if (st != HCBR_OK)
            return st;
    }
    return HCBR_OK;
}

/* The same of keys of numbers, with room for these and the texts that are kept. */
static hcbr_status map_items(hcbr_cases *cases, piece *p, hcbr_error *err) {
    p->item_offset = hcbr_i_cases_item_count(cases);
    if (!hcbr_i_numbers_room(cases, p->count, p->item_count, p->unusual) ||
        !hcbr_i_grow(&p->key_map, &p->key_map_capacity, p->keys.count, sizeof *p->key_map))
        return hcbr_i_no_memory(err);
    for (; p->keys_mapped < p->keys.count; p->keys_mapped++) {
        hcbr_status st =
            hcbr_i_dict_add_key(cases->dict, p->keys.names[p->keys_mapped],
                                p->keys.lengths[p->keys_mapped], &p->key_map[p->keys_mapped], err);
        if (st != HCBR_OK)
            return st;
    }
    for (size_t n = 0, t = 0; t < p->spelled_count; n++)
        if (p->items[n].spelling >= HCBR_I_SPELLED_OTHER &&
            !hcbr_i_numbers_keep_text(&cases->numbers, p->item_offset + n, p->spelled[t++]))
            return hcbr_i_no_memory(err);
    return HCBR_OK;
}

/* Rows, ids, groups and weights, where there is anything to be stored. */
static hcbr_status place_cases(hcbr_cases *cases, const piece *p, uint64_t row_base,
                               hcbr_error *err) {
    bool plain = row_base == p->first && p->count == p->row[p->count - 1];
    const extra none = {.weight = 1};
    hcbr_status st = HCBR_OK;
    if (plain && !p->has_extras && !cases->row && !cases->id_start && !cases->group &&
        !cases->weight)
        return HCBR_OK;
    for (size_t c = 0; st == HCBR_OK && c < p->count; c++) {
        const extra *x = p->has_extras ? &p->extras[c] : &none;
        st = hcbr_i_append_place(cases, p->first + (uint32_t)c, row_base + p->row[c], x->id,
                                 x->group, x->weight, err);
    }
    return st;
}

/* Count a piece in: all of its cases, or none on failure. Its numbers are still to be copied. */
static hcbr_status add_piece(hcbr_cases *cases, piece *p, uint64_t row_base, hcbr_error *err) {
    p->first = cases->case_count;
    p->offset = cases->start[cases->case_count];
    if (p->count == 0)
        return HCBR_OK;
    const hcbr_i_append_mark mark = hcbr_i_append_begin(cases);
    uint32_t mapped = p->mapped, keys_mapped = p->keys_mapped;
    hcbr_status st = hcbr_i_append_room(cases, p->count, p->feature_count, err);
    if (st == HCBR_OK && (st = map_names(cases, p, err)) == HCBR_OK &&
        (st = map_items(cases, p, err)) == HCBR_OK && (st = map_labels(cases, p, err)) == HCBR_OK)
        st = place_cases(cases, p, row_base, err);
    if (st != HCBR_OK) {
        hcbr_i_append_undo(cases, &mark);
        p->mapped = mapped;
        p->keys_mapped = keys_mapped;
        return st;
    }
    cases->case_count += (uint32_t)p->count;
    cases->empty_count += p->empty;
    cases->start[cases->case_count] = p->offset + p->feature_count;
    if (cases->numbers.start)
        cases->numbers.start[cases->case_count] = p->item_offset + p->item_count;
    cases->rows = row_base + p->row[p->count - 1];
    p->waiting = true;
    return HCBR_OK;
}

hcbr_status hcbr_i_lanes_round(hcbr_i_lanes **lanes, hcbr_cases *cases, hcbr_i_reader *reader,
                               uint64_t row_base, bool *any, hcbr_error *err) {
    uint32_t chunks, added = 0;
    bool stop = false;
    *any = false;
    if (!hcbr_i_reader_is_large(reader)) {
        if (*lanes)
            finish_copies(*lanes);
        return HCBR_OK;
    }
    if (!*lanes && !(*lanes = create(reader)))
        return hcbr_i_no_memory(err);
    hcbr_status st = prepare(*lanes, cases, err);
    if (st == HCBR_OK)
        st = hcbr_i_reader_round(reader, take_block, *lanes, &chunks, err);
    finish_copies(*lanes);
    if (st != HCBR_OK)
        return st;
    *any = chunks > 0;
    while (st == HCBR_OK && !stop && added < chunks) {
        uint64_t rows;
        hcbr_error other;
        st = hcbr_i_reader_settle(reader, added, &rows, &stop, err);
        piece *p = &(*lanes)->pieces[(*lanes)->now][added];
        hcbr_status full = add_piece(cases, p, row_base + rows, &other);
        if (full == HCBR_OK) {
            added++;
        } else if (st == HCBR_OK) {
            st = full;
            if (err)
                *err = other;
        }
    }
    return st;
}
