/*
 * New cases with their columns in the form of the model: the schema converts every value of a
 * column as in training (cases/schema.c).
 *
 * Invariant: a file, a table in memory and a row give the same result.
 */
#include "decide/decide.h"

/* The column of a name, if its values become something else. */
static const hcbr_i_schema_column *find_column(const hcbr_decider *d, const char *name,
                                               size_t length) {
    const hcbr_i_schema_column *c = hcbr_i_schema_find(d->model->schema, name, length);
    return c && c->use != HCBR_I_USE_AS_IT_IS ? c : NULL;
}

/* Start with an empty block, if there is anything to do. */
static hcbr_status begin(hcbr_decider *d, hcbr_error *err) {
    const hcbr_i_schema *schema = d->model->schema;
    d->takes = hcbr_i_schema_changes(schema);
    if (!d->takes)
        return HCBR_OK;
    hcbr_i_block_reset(&d->taken);
    return d->how.words ? HCBR_OK
                        : hcbr_i_splitter_create(&d->how.words, hcbr_i_schema_ngrams(schema), err);
}

/* Add the new form of a column's value; its numbers are separate if the engine needs that. */
static hcbr_status take(hcbr_decider *d, const hcbr_i_schema_column *c, const hcbr_feature *f,
                        bool apart, hcbr_error *err) {
    d->how.apart = apart;
    return hcbr_i_schema_take(c, &d->how, &d->taken, f->value, f->value_length, err);
}

/* The number of a column's own key in `taken`; HCBR_I_NONE: out of memory. */
static uint32_t own_key(hcbr_decider *d, const hcbr_i_block *block, uint32_t key) {
    hcbr_i_block *to = &d->taken;
    size_t before = d->own_capacity;
    if (!hcbr_i_grow(&d->own_key, &d->own_capacity, (size_t)key + 1, sizeof *d->own_key))
        return HCBR_I_NONE;
    if (d->own_capacity > before)
        memset(d->own_key + before, 0, (d->own_capacity - before) * sizeof *d->own_key);
    if (d->own_key[key] == 0) {
        if (!hcbr_i_grow(&to->own_keys, &to->own_key_capacity, to->own_key_count + 1,
                         sizeof *to->own_keys))
            return HCBR_I_NONE;
        to->own_keys[to->own_key_count++] = block->keys[key];
        to->keys = to->own_keys;
        d->own_key[key] = (uint32_t)to->own_key_count;
    }
    to->keys = to->own_keys;
    return d->own_key[key] - 1;
}

/* A separate number. */
static hcbr_status take_item(hcbr_decider *d, const hcbr_i_block *block, size_t n, size_t text,
                             size_t names, hcbr_error *err) {
    hcbr_i_item item = block->items[n];
    const hcbr_i_text key = block->keys[item.key];
    const hcbr_i_schema_column *c = find_column(d, key.at, key.length);
    if (c && hcbr_i_use_changes_numbers(c)) {
        char room[HCBR_NUMBER_SIZE];
        const hcbr_feature f = hcbr_i_block_get_item(block, n, text, room);
        return take(d, c, &f, true, err);
    }
    item.key = own_key(d, block, item.key);
    item.before = hcbr_i_item_before(names);
    hcbr_i_text spelled = {NULL, 0};
    if (item.spelling >= HCBR_I_SPELLED_OTHER)
        spelled = block->spelled[text];
    return item.key != HCBR_I_NONE &&
                   hcbr_i_block_add_item(&d->taken, &item, spelled.at, spelled.length)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/* A name of a block. */
static hcbr_status take_name(hcbr_decider *d, const hcbr_i_block *block, size_t n, bool apart,
                             hcbr_error *err) {
    char text[HCBR_I_NAME_TEXT];
    const hcbr_feature f = hcbr_i_block_get(block, n, text);
    const hcbr_i_schema_column *c = f.value ? find_column(d, f.key, f.key_length) : NULL;
    if (c)
        return take(d, c, &f, apart, err);
    return hcbr_i_block_add(&d->taken, f.key, f.key_length, f.value, f.value_length)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

static hcbr_status take_case(hcbr_decider *d, const hcbr_i_block *block, const hcbr_i_raw_case *x,
                             size_t *texts, hcbr_error *err) {
    hcbr_i_block *to = &d->taken;
    const bool apart = d->engine->number != NULL;
    const size_t first = to->name_count, first_item = to->item_count;
    hcbr_status st = HCBR_OK;
    for (size_t n = x->first; st == HCBR_OK && n < x->first + x->count; n++)
        st = take_name(d, block, n, apart, err);
    for (size_t n = x->first_item; st == HCBR_OK && n < x->first_item + x->item_count; n++) {
        const bool spelled = block->items[n].spelling >= HCBR_I_SPELLED_OTHER;
        st = take_item(d, block, n, *texts, to->name_count - first, err);
        *texts += spelled;
    }
    if (st == HCBR_OK &&
        !hcbr_i_grow(&to->cases, &to->case_capacity, to->case_count + 1, sizeof *to->cases))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_raw_case *copy = &to->cases[to->case_count++];
    *copy = *x;
    copy->first = first;
    copy->count = to->name_count - first;
    copy->first_item = first_item;
    copy->item_count = to->item_count - first_item;
    return HCBR_OK;
}

hcbr_status hcbr_i_decider_take(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_status st = begin(d, err);
    size_t texts = 0;
    if (st != HCBR_OK || !d->takes)
        return st;
    if (block->numeric) {
        if (!hcbr_i_block_spell(&d->spelled, block))
            return hcbr_i_no_memory(err);
        d->spelled.cases = NULL;
    }
    for (size_t k = 0; k < d->own_capacity; k++)
        d->own_key[k] = 0;
    hcbr_i_block view = block->numeric ? d->spelled : *block;
    view.cases = block->cases;
    view.case_count = block->case_count;
    for (size_t c = 0; st == HCBR_OK && c < view.case_count; c++)
        st = take_case(d, &view, &view.cases[c], &texts, err);
    return st;
}
