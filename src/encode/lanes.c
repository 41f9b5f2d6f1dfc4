/*
 * The cases of a large file, chunk by chunk at once: threads parse chunks (read/rounds.c) and look
 * their names up; then the chunks are added to the case base in their order.
 *
 * A round has three steps. At once: names are looked up in the dictionary, which nobody changes
 * meanwhile; names it lacks are collected for each chunk (fresh.c). One after the other: the new
 * names and labels of each chunk are added, in the order of the file. At once: numbers are copied
 * to their place in the case base, those of new names and labels replaced by their final ones.
 * Invariant: numbers, cases and failures are those of one thread.
 */
#include "encode/append.h"

#define NEW 0x80000000u /* the number is one of the chunk's new names; see HCBR_I_MOST_FEATURES */

/* What the dictionary would remember of the case at hand, for each thread. */
typedef struct worker {
    uint32_t *marks; /* by feature: last case that had it */
    size_t capacity;
    uint32_t serial;          /* of the last case; no two cases of a thread have the same */
    hcbr_i_feature_id *found; /* numbers of the names of a block */
    size_t found_capacity;
} worker;

/* Id and group of a case, where there are any. */
typedef struct extra {
    hcbr_i_text id, group;
} extra;

/* The cases of a chunk. */
typedef struct piece {
    hcbr_i_feature_id *features; /* of all cases, one after the other */
    size_t feature_count, feature_capacity;
    uint32_t *lengths, *label; /* by case */
    uint64_t *row;
    size_t count, capacity; /* cases */
    extra *extras;          /* as many as cases once one has an id or a group */
    size_t extra_capacity;
    bool has_extras;
    uint32_t empty;
    hcbr_i_arena text;
    hcbr_i_labels labels; /* of all chunks that were this piece */
    uint32_t *label_map;  /* their numbers in the case base */
    size_t label_map_capacity;
    uint32_t mapped; /* so many of them are known */
    hcbr_i_fresh fresh;
    hcbr_i_feature_id *map; /* numbers of the new names in the dictionary */
    size_t map_capacity;
    uint32_t first;  /* its first case, in the case base */
    uint64_t offset; /* and that one's first feature */
} piece;

struct hcbr_i_lanes {
    worker *workers;
    uint32_t worker_count;
    piece *pieces;
    uint32_t piece_count;
    hcbr_cases *cases; /* of the round at hand */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static void piece_clear(piece *p) {
    hcbr_i_free(p->features);
    hcbr_i_free(p->lengths);
    hcbr_i_free(p->label);
    hcbr_i_free(p->row);
    hcbr_i_free(p->extras);
    hcbr_i_arena_clear(&p->text);
    hcbr_i_labels_clear(&p->labels);
    hcbr_i_free(p->label_map);
    hcbr_i_fresh_clear(&p->fresh);
    hcbr_i_free(p->map);
}

void hcbr_i_lanes_free(hcbr_i_lanes *lanes) {
    if (!lanes)
        return;
    for (uint32_t i = 0; lanes->pieces && i < lanes->piece_count; i++)
        piece_clear(&lanes->pieces[i]);
    for (uint32_t i = 0; lanes->workers && i < lanes->worker_count; i++) {
        hcbr_i_free(lanes->workers[i].marks);
        hcbr_i_free(lanes->workers[i].found);
    }
    hcbr_i_free(lanes->pieces);
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
    lanes->pieces = hcbr_i_alloc_zero(lanes->piece_count, sizeof *lanes->pieces);
    if (lanes->workers && lanes->pieces)
        return lanes;
    hcbr_i_lanes_free(lanes);
    return NULL;
}

/* Marks for all features there are. */
static bool marks_grow(worker *w, size_t features) {
    size_t before = w->capacity;
    if (!hcbr_i_grow(&w->marks, &w->capacity, features + 1, sizeof *w->marks))
        return false;
    memset(w->marks + before, 0, (w->capacity - before) * sizeof *w->marks);
    return true;
}

/* Ready for a round of cases of this base. */
static hcbr_status prepare(hcbr_i_lanes *lanes, hcbr_cases *cases, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(cases->dict, err);
    bool done = st == HCBR_OK;
    for (uint32_t i = 0; done && i < lanes->worker_count; i++)
        done = marks_grow(&lanes->workers[i], hcbr_i_dict_count(cases->dict));
    for (uint32_t i = 0; done && i < lanes->piece_count; i++) {
        piece *p = &lanes->pieces[i];
        p->feature_count = p->count = 0;
        p->has_extras = false;
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

/* Id and group of the case that is added next. */
static bool add_extra(piece *p, const hcbr_i_raw_case *raw) {
    if (!p->has_extras && !raw->id.at && !raw->group.at)
        return true;
    if (!hcbr_i_grow(&p->extras, &p->extra_capacity, p->count + 1, sizeof *p->extras))
        return false;
    if (!p->has_extras)
        memset(p->extras, 0, p->count * sizeof *p->extras);
    p->has_extras = true;
    return copy_text(&p->text, &p->extras[p->count].id, raw->id) &&
           copy_text(&p->text, &p->extras[p->count].group, raw->group);
}

/* A name the dictionary does not know; *new: the case did not have it yet. NONE: no memory. */
static __attribute__((noinline)) uint32_t add_new(piece *p, const hcbr_i_block *block, size_t n,
                                                  uint32_t serial, bool *new) {
    uint32_t number = hcbr_i_fresh_intern(&p->fresh, block, n);
    if (number == HCBR_I_NONE)
        return HCBR_I_NONE;
    *new = p->fresh.serial[number] != serial;
    p->fresh.serial[number] = serial;
    return number | NEW;
}

/* The features of a case, each once. */
static bool add_features(worker *w, piece *p, const hcbr_i_block *block, size_t n, size_t end) {
    hcbr_i_feature_id *to = p->features + p->feature_count, *first = to;
    const hcbr_i_feature_id *found = w->found;
    uint32_t serial = ++w->serial, *marks = w->marks;
    for (; n < end; n++) {
        uint32_t feature = found[n];
        if (HCBR_I_LIKELY(feature != HCBR_I_NONE)) {
            *to = feature;
            to += marks[feature] != serial;
            marks[feature] = serial;
            continue;
        }
        bool new;
        if ((feature = add_new(p, block, n, serial, &new)) == HCBR_I_NONE)
            return false;
        *to = feature;
        to += new;
    }
    p->lengths[p->count] = (uint32_t)(to - first);
    p->empty += to == first;
    p->feature_count += (size_t)(to - first);
    return true;
}

static hcbr_status add_cases(worker *w, piece *p, const hcbr_i_block *block, hcbr_error *err) {
    size_t n = 0;
    for (size_t c = 0; c < block->case_count; c++) {
        const hcbr_i_raw_case *raw = &block->cases[c];
        hcbr_status st = hcbr_i_labels_intern(&p->labels, raw->label.at, raw->label.length,
                                              &p->label[p->count], err);
        if (st != HCBR_OK)
            return st;
        if (!add_extra(p, raw) || !add_features(w, p, block, n, n + raw->count))
            return hcbr_i_no_memory(err);
        n += raw->count;
        p->row[p->count++] = raw->row;
    }
    return HCBR_OK;
}

/* A block of a chunk becomes cases of its piece; on failure the piece has none at all. */
static hcbr_status take_block(void *context, uint32_t number, uint32_t chunk,
                              const hcbr_i_block *block, hcbr_error *err) {
    hcbr_i_lanes *lanes = context;
    worker *w = &lanes->workers[number];
    piece *p = &lanes->pieces[chunk];
    hcbr_status st = make_room(w, p, block) ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        p->fresh.names.plain_ids = block->plain_ids;
        hcbr_i_dict_find_block(lanes->cases->dict, block, w->found);
        st = add_cases(w, p, block, err);
    }
    if (st != HCBR_OK)
        p->count = 0;
    return st;
}

/* ---- one after the other: numbers for all ---------------------------------------------------- */

/* Numbers of the piece's new names in the dictionary. */
static hcbr_status map_names(hcbr_cases *cases, piece *p, hcbr_error *err) {
    hcbr_i_block names = p->fresh.names;
    hcbr_i_raw_case all = {.count = names.name_count};
    uint32_t length;
    if (names.name_count == 0)
        return HCBR_OK;
    if (!hcbr_i_grow(&p->map, &p->map_capacity, names.name_count, sizeof *p->map))
        return hcbr_i_no_memory(err);
    names.cases = &all;
    names.case_count = 1;
    return hcbr_i_dict_intern(cases->dict, &names, p->first, p->map, &length, err);
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

/* Rows, ids and groups, where there is anything to be stored. */
static hcbr_status place_cases(hcbr_cases *cases, const piece *p, uint64_t row_base,
                               hcbr_error *err) {
    bool plain = row_base == p->first && p->count == p->row[p->count - 1];
    const extra none = {.id = {NULL, 0}};
    hcbr_status st = HCBR_OK;
    if (plain && !p->has_extras && !cases->row && !cases->id_start && !cases->group)
        return HCBR_OK;
    for (size_t c = 0; st == HCBR_OK && c < p->count; c++) {
        const extra *x = p->has_extras ? &p->extras[c] : &none;
        st = hcbr_i_append_place(cases, p->first + (uint32_t)c, row_base + p->row[c], x->id,
                                 x->group, err);
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
    uint32_t mapped = p->mapped;
    hcbr_status st = hcbr_i_append_room(cases, p->count, p->feature_count, err);
    if (st == HCBR_OK && (st = map_names(cases, p, err)) == HCBR_OK &&
        (st = map_labels(cases, p, err)) == HCBR_OK)
        st = place_cases(cases, p, row_base, err);
    if (st != HCBR_OK) {
        hcbr_i_append_undo(cases, &mark);
        p->mapped = mapped;
        return st;
    }
    cases->case_count += (uint32_t)p->count;
    cases->empty_count += p->empty;
    cases->start[cases->case_count] = p->offset + p->feature_count;
    cases->rows = row_base + p->row[p->count - 1];
    return HCBR_OK;
}

/* ---- at once: numbers to their place --------------------------------------------------------- */

static void copy_piece(hcbr_cases *cases, const piece *p) {
    uint64_t at = p->offset;
    for (size_t c = 0; c < p->count; c++) {
        cases->label[p->first + c] = p->label_map[p->label[c]];
        cases->start[p->first + c] = at;
        at += p->lengths[c];
    }
    hcbr_i_feature_id *to = cases->features + p->offset;
    if (p->fresh.names.name_count == 0) {
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
    for (uint64_t i = begin; i < end; i++)
        if (lanes->pieces[i].count)
            copy_piece(lanes->cases, &lanes->pieces[i]);
}

hcbr_status hcbr_i_lanes_round(hcbr_i_lanes **lanes, hcbr_cases *cases, hcbr_i_reader *reader,
                               uint64_t row_base, bool *any, hcbr_error *err) {
    uint32_t chunks, added = 0;
    bool stop = false;
    *any = false;
    if (!hcbr_i_reader_is_large(reader))
        return HCBR_OK;
    if (!*lanes && !(*lanes = create(reader)))
        return hcbr_i_no_memory(err);
    hcbr_status st = prepare(*lanes, cases, err);
    if (st == HCBR_OK)
        st = hcbr_i_reader_round(reader, take_block, *lanes, &chunks, err);
    if (st != HCBR_OK)
        return st;
    *any = chunks > 0;
    while (st == HCBR_OK && !stop && added < chunks) {
        uint64_t rows;
        hcbr_error other;
        st = hcbr_i_reader_settle(reader, added, &rows, &stop, err);
        hcbr_status full = add_piece(cases, &(*lanes)->pieces[added], row_base + rows, &other);
        if (full == HCBR_OK) {
            added++;
        } else if (st == HCBR_OK) {
            st = full;
            if (err)
                *err = other;
        }
    }
    hcbr_i_parallel((*lanes)->worker_count, added, 1, copy_pieces, *lanes);
    return st;
}
