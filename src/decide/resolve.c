/*
 * From names to features of the model: each name of a block is looked up once, names that no past
 * case has are listed, each once. For a number that may not be a feature the key is looked up
 * first.
 */
#include "decide/decide.h"

#define AHEAD HCBR_I_AHEAD
#define TEXT HCBR_NUMBER_SIZE /* room for a packed name or a number */
_Static_assert(TEXT >= HCBR_I_NAME_TEXT, "there is room for both");

/* ---- unseen features ------------------------------------------------------------------------- */

static bool same_unseen(const void *unseen, uint32_t number, const void *wanted) {
    return hcbr_i_feature_same((const hcbr_feature *)unseen + number, wanted);
}

/* Add an unseen feature unless it is there already; returns how many there are now. */
static size_t add_unseen(hcbr_decider *d, const hcbr_feature *x, size_t count) {
    uint64_t h =
        hcbr_i_hash_text(&d->key, x->key, x->key_length, x->value ? x->value : "", x->value_length)
            .lo;
    if (hcbr_i_hash_table_find(&d->table, h, same_unseen, d->unseen, x) != HCBR_I_HASH_NONE)
        return count;
    d->unseen[count] = *x;
    (void)hcbr_i_hash_table_add(&d->table, h, (uint32_t)count); // there is room
    return count + 1;
}

static inline bool is_unseen(const hcbr_decider *d, const hcbr_i_block *block, size_t n) {
    if (d->coded)
        return d->by_code.ids[block->numbers[n]] == HCBR_I_NONE;
    if (!d->numeric)
        return d->ids[n] == HCBR_I_NONE;
    return hcbr_i_by_number_is_unseen(d, block->numbers[n]);
}

size_t hcbr_i_decider_list_unseen(hcbr_decider *d, const hcbr_i_block *block,
                                  const hcbr_i_raw_case *x) {
    const size_t end = x->first + x->count, last = x->first_item + x->item_count;
    size_t count = 0, item = x->first_item;
    (void)hcbr_i_hash_table_restart(&d->table, x->count + x->item_count); // there is memory
    for (size_t n = x->first; n < end || item < last; n++) {
        for (; item < last && (n >= end || block->items[item].before <= n - x->first); item++)
            if (d->by_item.ids[item] == HCBR_I_NONE) {
                hcbr_feature f =
                    hcbr_i_by_item_get(&d->by_item, block, item, d->text + count * TEXT);
                count = add_unseen(d, &f, count);
            }
        if (n < end && is_unseen(d, block, n)) {
            hcbr_feature f = hcbr_i_block_get(block, n, d->text + count * TEXT);
            count = add_unseen(d, &f, count);
        }
    }
    return count;
}

/* ---- names ----------------------------------------------------------------------------------- */

hcbr_status hcbr_i_decider_need_room(hcbr_decider *d, size_t longest, hcbr_error *err) {
    if (!hcbr_i_grow(&d->unseen, &d->unseen_capacity, longest, sizeof *d->unseen) ||
        !hcbr_i_grow(&d->text, &d->text_capacity, longest, TEXT) ||
        !hcbr_i_hash_table_prepare(&d->table, longest))
        return hcbr_i_no_memory(err);
    return HCBR_OK;
}

/* Names from..to that are not in the dictionary: the engine may know another spelling. */
static void find_spelled(hcbr_decider *d, const hcbr_i_block *block, size_t from, size_t to) {
    for (size_t n = from; d->engine->find && n < to; n++) {
        char text[HCBR_I_NAME_TEXT];
        if (d->ids[n] != HCBR_I_NONE)
            continue;
        hcbr_feature f = hcbr_i_block_get(block, n, text);
        d->ids[n] = d->engine->find(d->model->state, &f);
    }
}

hcbr_status hcbr_i_decider_find_names(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_status st;
    d->numeric = false;
    d->spellings += block->numeric;
    if ((block->numeric && !hcbr_i_block_spell(&d->spelled, block)) ||
        !hcbr_i_grow(&d->ids, &d->id_capacity, block->name_count + AHEAD, sizeof *d->ids))
        return hcbr_i_no_memory(err);
    if (!block->coded)
        hcbr_i_dict_find_block(d->model->dict, block->numeric ? &d->spelled : block, d->ids);
    else if ((st = hcbr_i_by_code_find(&d->by_code, d->model, block, d->ids, err)) != HCBR_OK)
        return st;
    find_spelled(d, block->numeric ? &d->spelled : block, 0, block->name_count);
    for (size_t n = block->name_count; n < block->name_count + AHEAD; n++)
        d->ids[n] = HCBR_I_NONE; // gather_pair() looks beyond the last name
    return HCBR_OK;
}

void hcbr_i_decider_mark(hcbr_decider *d) {
    if (++d->serial)
        return;
    if (d->marks)
        memset(d->marks, 0, d->mark_count * sizeof *d->marks);
    d->serial = 1;
    if (d->by_name)
        hcbr_i_name_table_reset(d->by_name);
}

/* Marks of features, to find duplicates. */
static hcbr_status need_marks(hcbr_decider *d, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(d->model->dict);
    if (d->marks)
        return HCBR_OK;
    if (!(d->marks = hcbr_i_alloc_zero(features, sizeof *d->marks)))
        return hcbr_i_no_memory(err);
    d->mark_count = features;
    return HCBR_OK;
}

hcbr_status hcbr_i_decider_unique(hcbr_decider *d, const hcbr_i_feature_id *ids, size_t count,
                                  hcbr_i_feature_id *out, size_t *out_count, hcbr_error *err) {
    hcbr_status st = need_marks(d, err);
    *out_count = 0;
    if (st != HCBR_OK)
        return st;
    hcbr_i_decider_mark(d);
    for (size_t n = 0; n < count; n++)
        if (ids[n] != HCBR_I_NONE && d->marks[ids[n]] != d->serial) {
            d->marks[ids[n]] = d->serial;
            out[(*out_count)++] = ids[n];
        }
    return HCBR_OK;
}

/* ---- a case by itself ------------------------------------------------------------------------ */

/* The place of a name or a separate number in the order of a case. */
typedef struct place {
    const hcbr_i_block *block;
    const hcbr_i_raw_case *x;
    size_t name, item;
    bool is_item;
} place;

/* The next place of a case; false: no more. */
static bool next_place(place *p) {
    const hcbr_i_raw_case *x = p->x;
    p->item += p->is_item;
    p->is_item =
        p->item < x->item_count &&
        (p->name == x->count || p->block->items[x->first_item + p->item].before <= p->name);
    return p->is_item || p->name++ < x->count;
}

/* Whether it is a number of a key with cuts. Sets its key, HCBR_I_NONE: unknown. */
static bool find_number(hcbr_decider *d, const place *p, hcbr_i_case_item *out) {
    const hcbr_feature *f = &out->feature;
    if (p->is_item) {
        const size_t n = p->x->first_item + p->item;
        out->key = d->by_item.keys[n];
        out->number = p->block->items[n].value;
        return d->by_item.ids[n] == HCBR_I_KNOWN_VALUE;
    }
    out->key = hcbr_i_dict_find_key(d->model->dict, f->key, f->key_length);
    return hcbr_i_decider_is_number(d, out->key, f, &out->number);
}

/* Add the values that are not features after those that are, each once: the engine compares known
 * numbers itself, as in a decision; the rest are compared by their texts. */
static hcbr_status add_others(hcbr_decider *d, place p, hcbr_i_case *out, hcbr_error *err) {
    const size_t first = out->count;
    size_t unseen = 0, none, at = 0;
    (void)hcbr_i_hash_table_restart(&d->table, p.x->count + p.x->item_count); // there is memory
    hcbr_status st = d->engine->gather(d->scorer, d->joined, 0, &none, err);  // an empty case
    while (st == HCBR_OK && next_place(&p)) {
        hcbr_i_case_item item = {.id = HCBR_I_NONE};
        char *room = d->text + (out->count - first) * TEXT;
        bool again = false;
        if (d->joined[at++] != HCBR_I_NONE)
            continue;
        item.feature =
            p.is_item ? hcbr_i_by_item_get(&d->by_item, p.block, p.x->first_item + p.item, room)
                      : hcbr_i_block_get(p.block, p.x->first + p.name - 1, room);
        item.known = find_number(d, &p, &item);
        if (item.known)
            st = hcbr_i_decider_add_number(d, &item, &again, err);
        else if (d->emphases && hcbr_i_emphases_units(d->emphases, &item.feature) == 0)
            continue; // as if it had not been given
        else {
            const size_t before = unseen;
            unseen = add_unseen(d, &item.feature, unseen);
            again = unseen == before;
        }
        if (again)
            continue;
        d->items[out->count++] = item;
        out->known += item.known;
    }
    return st;
}

/* Resolve the only case of a block. */
static hcbr_status resolve_case(hcbr_decider *d, const hcbr_i_block *view, hcbr_i_case *out,
                                hcbr_error *err) {
    const hcbr_i_frame frame = hcbr_i_model_frame(d->model);
    const hcbr_i_block *block = view;
    size_t known = 0, count = 0;
    hcbr_status st = hcbr_i_decider_take(d, view, err);
    if (d->takes)
        block = &d->taken;
    const size_t all = block->name_count + block->item_count;
    d->coded = d->named = false;
    d->held_count = 0;
    d->loads++;
    if (st != HCBR_OK || (st = hcbr_i_decider_need_room(d, all, err)) != HCBR_OK ||
        (st = hcbr_i_by_item_load(&d->by_item, d->model, block, err)) != HCBR_OK ||
        (st = hcbr_i_decider_find_names(d, block, err)) != HCBR_OK)
        return st;
    if (!hcbr_i_grow(&d->items, &d->item_capacity, all, sizeof *d->items) ||
        !hcbr_i_grow(&d->joined, &d->joined_capacity, all, sizeof *d->joined) ||
        !hcbr_i_grow(&d->same, &d->same_capacity, all, sizeof *d->same))
        return hcbr_i_no_memory(err);
    place p = {.block = block, .x = &block->cases[0]};
    for (place q = p; next_place(&q);) {
        const hcbr_i_feature_id id = q.is_item ? d->by_item.ids[q.item] : d->ids[q.name - 1];
        d->joined[count++] = id == HCBR_I_KNOWN_VALUE ? HCBR_I_NONE : id;
    }
    if ((st = hcbr_i_decider_unique(d, d->joined, all, d->same, &known, err)) != HCBR_OK)
        return st;
    *out = (hcbr_i_case){.items = d->items, .count = known, .known = known};
    for (size_t n = 0; n < known; n++)
        d->items[n] = (hcbr_i_case_item){hcbr_i_frame_feature(&frame, d->same[n]), d->same[n],
                                         hcbr_i_dict_get(d->model->dict, d->same[n]).key, true, 0};
    return known < all ? add_others(d, p, out, err) : HCBR_OK;
}

hcbr_status hcbr_i_decider_resolve_view(hcbr_decider *d, hcbr_i_block *view, hcbr_i_case *out,
                                        hcbr_error *err) {
    hcbr_i_raw_case whole = {.count = view->name_count, .item_count = view->item_count};
    view->cases = &whole;
    view->case_count = 1;
    hcbr_status st = resolve_case(d, view, out, err);
    view->cases = NULL;
    view->case_count = 0;
    return st;
}

hcbr_status hcbr_i_decider_resolve(hcbr_decider *d, const hcbr_feature *features, size_t count,
                                   hcbr_i_case *out, hcbr_error *err) {
    hcbr_i_block_reset(&d->block);
    hcbr_status st = hcbr_i_block_fill(&d->block, features, count, err);
    if (st == HCBR_OK && d->engine->number && !hcbr_i_block_set_apart(&d->block, 0, true))
        st = hcbr_i_no_memory(err);
    hcbr_i_block view = d->block;
    return st == HCBR_OK ? hcbr_i_decider_resolve_view(d, &view, out, err) : st;
}
