/*
 * A new case, resolved once: its values in the form of a model, and their texts. Decisions,
 * explanations and all else about the case take the row.
 *
 * Invariant: a row is one piece of memory. It points into itself and, for names that past cases
 * have, into the model.
 */
#include "decide/decide.h"

#include <stdatomic.h>

/* The parts of a row. */
typedef struct sources {
    hcbr_i_case x;
    const hcbr_feature *features;
    size_t count;
    const hcbr_i_whole_text *texts;
    size_t text_count;
    hcbr_i_raw_case raw; /* id, label and number of a row of a stream */
} sources;

static const char *copy_text(hcbr_i_text text, char **at) {
    char *out = *at;
    if (text.length)
        memcpy(out, text.at, text.length);
    *at += text.length;
    return text.at ? out : NULL;
}

/* Copy the texts of values that no past case has: their sources are temporary. */
static size_t copy_items(hcbr_i_case_item *items, size_t count, hcbr_feature *unseen, char **at) {
    size_t unseen_count = 0;
    for (size_t n = 0; n < count; n++) {
        if (items[n].id != HCBR_I_NONE)
            continue;
        items[n].feature = hcbr_i_feature_copy(&items[n].feature, at);
        if (!items[n].known)
            unseen[unseen_count++] = items[n].feature;
    }
    return unseen_count;
}

/* Number of rows made by the process. */
static atomic_uint_fast64_t rows;

static hcbr_status put_together(hcbr_row **out, const hcbr_decider *d, const sources *s,
                                hcbr_error *err) {
    const size_t items = s->x.count, others = items - s->x.known;
    const hcbr_i_text *id = &s->raw.id, *label = &s->raw.label;
    size_t size = sizeof(hcbr_row) + items * sizeof(hcbr_i_case_item) +
                  (s->count + others + s->text_count) * sizeof(hcbr_feature);
    for (size_t n = 0; n < items; n++)
        if (s->x.items[n].id == HCBR_I_NONE)
            size += hcbr_i_features_size(&s->x.items[n].feature, 1);
    for (size_t n = 0; n < s->text_count; n++)
        size += s->texts[n].column.length + s->texts[n].text.length;
    size += hcbr_i_features_size(s->features, s->count) + id->length + label->length;
    hcbr_row *row = hcbr_i_alloc(size, 1);
    if (!row)
        return hcbr_i_no_memory(err);
    hcbr_i_case_item *item = (hcbr_i_case_item *)(row + 1);
    hcbr_feature *feature = (hcbr_feature *)(item + items), *unseen = feature + s->count;
    hcbr_feature *text = unseen + others;
    char *at = (char *)(text + s->text_count);
    if (items)
        memcpy(item, s->x.items, items * sizeof *item);
    const size_t unseen_count = copy_items(item, items, unseen, &at);
    for (size_t n = 0; n < s->count; n++)
        feature[n] = hcbr_i_feature_copy(&s->features[n], &at);
    for (size_t n = 0; n < s->text_count; n++) {
        const hcbr_i_whole_text *from = &s->texts[n];
        const hcbr_feature whole = {from->column.at, from->column.length, from->text.at,
                                    from->text.length};
        text[n] = hcbr_i_feature_copy(&whole, &at);
    }
    *row = (hcbr_row){.model = d->model,
                      .serial = ++rows,
                      .listed = d->how.listed,
                      .x = {item, items, s->x.known},
                      .unseen = unseen,
                      .unseen_count = unseen_count};
    row->info = (hcbr_row_info){.size = sizeof row->info,
                                .features = feature,
                                .feature_count = s->count,
                                .texts = text,
                                .text_count = s->text_count,
                                .row = s->raw.row,
                                .id = copy_text(*id, &at),
                                .id_length = id->length,
                                .given = copy_text(*label, &at),
                                .given_length = label->length};
    *out = row;
    return HCBR_OK;
}

hcbr_status hcbr_row_create(hcbr_row **out, hcbr_decider *decider, const hcbr_feature *features,
                            size_t count, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, decider))
        return HCBR_EUSAGE;
    sources s = {.features = features, .count = count};
    hcbr_status st = hcbr_i_decider_resolve(decider, features, count, &s.x, err);
    return st == HCBR_OK ? put_together(out, decider, &s, err) : st;
}

void hcbr_row_free(hcbr_row *row) {
    hcbr_i_free(row);
}

void hcbr_row_get(const hcbr_row *row, hcbr_row_info *info) {
    hcbr_i_hand_out(info, &row->info, sizeof row->info);
}

hcbr_status hcbr_i_row_check(const hcbr_row *row, const hcbr_model *model, hcbr_error *err) {
    return row->model == model
               ? HCBR_OK
               : hcbr_i_fail(err, HCBR_EUSAGE, "found a row of another model, expected this one's");
}

/* ---- a case of a block ----------------------------------------------------------------------- */

/* The features of a case of a block in its order, and its names in d->block. */
static bool list_case(hcbr_decider *d, const hcbr_i_block *block, const hcbr_i_raw_case *x,
                      size_t texts) {
    const size_t all = x->count + x->item_count, last = x->first_item + x->item_count;
    size_t item = x->first_item, name = 0;
    hcbr_i_block_reset(&d->block);
    if (!hcbr_i_grow(&d->features, &d->feature_capacity, all, sizeof *d->features) ||
        !hcbr_i_grow(&d->room, &d->room_capacity, all, HCBR_NUMBER_SIZE))
        return false;
    for (size_t n = 0; n < all; n++) {
        char *room = d->room + n * HCBR_NUMBER_SIZE;
        hcbr_feature *f = &d->features[n];
        if (item < last && (name == x->count || block->items[item].before <= name)) {
            *f = hcbr_i_block_get_item(block, item, texts, room);
            texts += block->items[item++].spelling >= HCBR_I_SPELLED_OTHER;
            continue;
        }
        *f = hcbr_i_block_get(block, x->first + name++, room);
        if (!hcbr_i_block_add(&d->block, f->key, f->key_length, f->value, f->value_length))
            return false;
    }
    return true;
}

hcbr_status hcbr_i_row_make(hcbr_row **out, hcbr_decider *d, const hcbr_i_block *block,
                            const hcbr_i_raw_case *x, size_t texts, hcbr_error *err) {
    const size_t place = (size_t)(x - block->cases);
    sources s = {.raw = *x, .count = x->count + x->item_count, .texts = block->texts};
    size_t behind = 0;
    while (behind < block->text_count && block->texts[behind].place <= place)
        s.texts += block->texts[behind++].place < place;
    s.text_count = behind - (size_t)(s.texts - block->texts);
    if (!list_case(d, block, x, texts))
        return hcbr_i_no_memory(err);
    hcbr_i_block view = d->block;
    view.items = x->item_count ? block->items + x->first_item : NULL;
    view.item_count = x->item_count;
    view.spelled = block->spelled_count ? block->spelled + texts : NULL;
    view.spelled_count = block->spelled_count - texts;
    view.keys = block->keys;
    view.key_serial = block->key_serial;
    s.features = d->features;
    hcbr_status st = hcbr_i_decider_resolve_view(d, &view, &s.x, err);
    return st == HCBR_OK ? put_together(out, d, &s, err) : st;
}

/* ---- decided --------------------------------------------------------------------------------- */

hcbr_status hcbr_decider_decide(hcbr_decider *d, const hcbr_row *row, hcbr_decision *decision,
                                hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "decider, row, decision", d, row, decision) ||
        HCBR_I_UNSIZED(err, decision))
        return HCBR_EUSAGE;
    hcbr_status st = hcbr_i_row_check(row, d->model, err);
    return st == HCBR_OK ? hcbr_i_decider_run_row(d, row, decision, err) : st;
}

hcbr_status hcbr_i_decider_run_row(hcbr_decider *d, const hcbr_row *row, hcbr_decision *decision,
                                   hcbr_error *err) {
    hcbr_decision full = {.size = sizeof full};
    hcbr_status st = hcbr_i_decider_run_case(d, &row->x, &full, err);
    if (st != HCBR_OK)
        return st;
    full.unseen = row->unseen;
    full.unseen_count = row->unseen_count;
    full.row = row->info.row;
    full.id = row->info.id;
    full.id_length = row->info.id_length;
    full.given = row->info.given;
    full.given_length = row->info.given_length;
    hcbr_i_hand_out(decision, &full, sizeof full);
    return HCBR_OK;
}
