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

/* Keys of possible numbers of a key with cuts; HCBR_I_NONE for others. */
static hcbr_status find_keys(hcbr_decider *d, const hcbr_feature *features, size_t count,
                             hcbr_error *err) {
    if (!hcbr_i_grow(&d->key_of, &d->key_capacity, count, sizeof *d->key_of))
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < count; n++) {
        const hcbr_feature *f = &features[n];
        double value;
        uint8_t spelling;
        d->key_of[n] = HCBR_I_NONE;
        if (d->engine->has_cuts && f->value &&
            hcbr_i_decimal_read(&value, &spelling, f->value, f->value_length))
            d->key_of[n] = hcbr_i_dict_find_key(d->model->dict, f->key, f->key_length);
    }
    return HCBR_OK;
}

static bool is_number(const hcbr_decider *d, size_t n) {
    return d->key_of[n] != HCBR_I_NONE && d->engine->has_cuts(d->model->state, d->key_of[n]);
}

/* Look names up, except numbers of keys with cuts, which have no feature. */
static hcbr_status find_features(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    const size_t count = block->name_count;
    if (!hcbr_i_grow(&d->ids, &d->id_capacity, count + AHEAD, sizeof *d->ids))
        return hcbr_i_no_memory(err);
    for (size_t n = count; n < count + AHEAD; n++)
        d->ids[n] = HCBR_I_NONE; // readable after the last
    for (size_t from = 0, to = 0; from < count; from = to) {
        while (to < count && !is_number(d, to))
            to++;
        hcbr_i_block run = *block;
        run.names += from;
        run.name_count = to - from;
        hcbr_i_dict_find_block(d->model->dict, &run, d->ids + from);
        find_spelled(d, block, from, to);
        for (; to < count && is_number(d, to); to++)
            d->ids[to] = HCBR_I_NONE;
    }
    return HCBR_OK;
}

/* Whether the engine uses a value that is not a feature. *again: the case already has it, perhaps
 * in another spelling. */
static hcbr_status find_value(hcbr_decider *d, hcbr_i_key_id key, const hcbr_feature *f,
                              bool *known, bool *again, hcbr_error *err) {
    *known = *again = false;
    return key != HCBR_I_NONE && d->engine->value
               ? d->engine->value(d->scorer, key, f, known, again, err)
               : HCBR_OK;
}

/* Names that are not features go after those that are, each value once: the engine compares those
 * it knows, as in a decision; the others are compared by their texts. */
static hcbr_status add_others(hcbr_decider *d, hcbr_i_case *out, hcbr_error *err) {
    const size_t count = d->block.name_count, first = out->count;
    size_t unseen = 0, none;
    (void)hcbr_i_hash_table_restart(&d->table, count);                    // there is memory
    hcbr_status st = d->engine->gather(d->scorer, d->ids, 0, &none, err); // an empty case
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        if (d->ids[n] != HCBR_I_NONE)
            continue;
        const hcbr_feature f =
            hcbr_i_block_get(&d->block, n, d->text + (out->count - first) * TEXT);
        hcbr_i_key_id key = d->key_of[n];
        bool is_known, again;
        if (key == HCBR_I_NONE)
            key = hcbr_i_dict_find_key(d->model->dict, f.key, f.key_length);
        st = find_value(d, key, &f, &is_known, &again, err);
        if (!is_known && d->emphases && hcbr_i_emphases_units(d->emphases, &f) == 0)
            continue; // as if it had not been given
        if (!is_known) {
            const size_t before = unseen;
            unseen = add_unseen(d, &f, unseen);
            again = unseen == before;
        }
        if (again)
            continue;
        d->items[out->count++] = (hcbr_i_case_item){f, HCBR_I_NONE, key, is_known};
        out->known += is_known;
    }
    return st;
}

hcbr_status hcbr_i_decider_resolve(hcbr_decider *d, const hcbr_feature *features, size_t count,
                                   hcbr_i_case *out, hcbr_error *err) {
    const hcbr_model *m = d->model;
    const hcbr_i_frame frame = hcbr_i_model_frame(m);
    size_t known = 0;
    hcbr_status st = hcbr_i_decider_take_features(d, features, count, err);
    if (st != HCBR_OK)
        return st;
    if (d->takes) {
        features = d->features;
        count = d->taken.name_count;
    }
    hcbr_i_block_reset(&d->block);
    st = hcbr_i_block_fill(&d->block, features, count, err);
    d->coded = d->named = d->numeric = false;
    if (st != HCBR_OK || (st = hcbr_i_decider_need_room(d, count, err)) != HCBR_OK ||
        (st = find_keys(d, features, count, err)) != HCBR_OK ||
        (st = find_features(d, &d->block, err)) != HCBR_OK)
        return st;
    if (!hcbr_i_grow(&d->items, &d->item_capacity, count, sizeof *d->items) ||
        !hcbr_i_grow(&d->same, &d->same_capacity, count, sizeof *d->same))
        return hcbr_i_no_memory(err);
    d->loads++;
    if ((st = hcbr_i_decider_unique(d, d->ids, count, d->same, &known, err)) != HCBR_OK)
        return st;
    *out = (hcbr_i_case){.items = d->items, .count = known, .known = known};
    for (size_t n = 0; n < known; n++)
        d->items[n] = (hcbr_i_case_item){hcbr_i_frame_feature(&frame, d->same[n]), d->same[n],
                                         hcbr_i_dict_get(m->dict, d->same[n]).key, true};
    return known < count ? add_others(d, out, err) : HCBR_OK;
}
