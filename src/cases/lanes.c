/*
 * The cases of a large file, many chunks at once: threads parse chunks (read/rounds.c) and look up
 * their names; then the chunks are added to the case base in their order.
 *
 * A round has three steps. In parallel: names are looked up in the dictionary, which does not
 * change; new names are collected for each chunk (fresh.c, lanes_take.c). In sequence: the new
 * names and labels of each chunk are added, in the order of the file. In parallel, with the first
 * step of the next round: numbers are copied to their place in the case base, those of new names
 * and labels replaced by their final ones. Invariants: numbers, cases and failures are those of one
 * thread; a waiting piece is copied before its memory is used again, before the arrays of the case
 * base grow in the next round, and before its cases are read.
 */
#include "cases/lanes.h"

/* ---- in parallel: numbers to their place ----------------------------------------------------- */

/* Store the items of a piece, with keys of the case base; there is room. */
static void place_items(hcbr_i_numbers *to, const hcbr_i_piece *p) {
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

void hcbr_i_piece_copy(hcbr_cases *cases, hcbr_i_piece *p) {
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
        to[n] = feature & HCBR_I_PIECE_NEW ? p->map[feature ^ HCBR_I_PIECE_NEW] : feature;
    }
}

static void copy_pieces(void *context, uint32_t number, uint64_t begin, uint64_t end) {
    hcbr_i_lanes *lanes = context;
    (void)number;
    for (uint64_t i = begin; i < end; i++) {
        hcbr_i_piece *p = &lanes->pieces[i / lanes->piece_count][i % lanes->piece_count];
        if (p->waiting)
            hcbr_i_piece_copy(lanes->cases, p);
    }
}

/* Copy all waiting pieces. */
static void finish_copies(hcbr_i_lanes *lanes) {
    bool any = false;
    for (uint32_t i = 0; lanes->pieces[0] && lanes->pieces[1] && i < lanes->piece_count; i++)
        any = any || lanes->pieces[0][i].waiting || lanes->pieces[1][i].waiting;
    if (any)
        hcbr_i_parallel(lanes->worker_count, 2 * (uint64_t)lanes->piece_count, 1, copy_pieces,
                        lanes);
}

/* ---- memory ---------------------------------------------------------------------------------- */

static void piece_clear(hcbr_i_piece *p) {
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

/* Ready for a round of cases of this base. */
static hcbr_status prepare(hcbr_i_lanes *lanes, hcbr_cases *cases, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_need_tables(cases->dict, err);
    bool done = st == HCBR_OK;
    lanes->now ^= 1;
    for (uint32_t i = 0; done && i < lanes->piece_count; i++) {
        hcbr_i_piece *p = &lanes->pieces[lanes->now][i];
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

/* ---- in sequence: numbers for all ------------------------------------------------------------ */

/* Numbers of the piece's new names in the dictionary. */
static hcbr_status map_names(hcbr_cases *cases, hcbr_i_piece *p, hcbr_error *err) {
    if (!hcbr_i_grow(&p->map, &p->map_capacity, p->fresh.count, sizeof *p->map))
        return hcbr_i_no_memory(err);
    return hcbr_i_fresh_enter(&p->fresh, cases->dict, p->first, p->map, err);
}

static hcbr_status map_labels(hcbr_cases *cases, hcbr_i_piece *p, hcbr_error *err) {
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

/* The same for keys of numbers, with room for these and their texts. */
static hcbr_status map_items(hcbr_cases *cases, hcbr_i_piece *p, hcbr_error *err) {
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

/* Rows, ids, groups and weights, if there are any. */
static hcbr_status place_cases(hcbr_cases *cases, const hcbr_i_piece *p, uint64_t row_base,
                               hcbr_error *err) {
    bool plain = row_base == p->first && p->count == p->row[p->count - 1];
    const hcbr_i_extra none = {.weight = 1};
    hcbr_status st = HCBR_OK;
    if (plain && !p->has_extras && !cases->row && !cases->id_start && !cases->group &&
        !cases->weight)
        return HCBR_OK;
    for (size_t c = 0; st == HCBR_OK && c < p->count; c++) {
        const hcbr_i_extra *x = p->has_extras ? &p->extras[c] : &none;
        st = hcbr_i_append_place(cases, p->first + (uint32_t)c, row_base + p->row[c], x->id,
                                 x->group, x->weight, err);
    }
    return st;
}

/* Count a piece: all of its cases, or none on failure. Its numbers are copied later. */
static hcbr_status add_piece(hcbr_cases *cases, hcbr_i_piece *p, uint64_t row_base,
                             hcbr_error *err) {
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
        st = hcbr_i_reader_round(reader, hcbr_i_lanes_take, *lanes, &chunks, err);
    finish_copies(*lanes);
    if (st != HCBR_OK)
        return st;
    *any = chunks > 0;
    while (st == HCBR_OK && !stop && added < chunks) {
        uint64_t rows;
        hcbr_error other;
        st = hcbr_i_reader_settle(reader, added, &rows, &stop, err);
        hcbr_i_piece *p = &(*lanes)->pieces[(*lanes)->now][added];
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
