/*
 * Separate numbers of blocks: the key of a file's column is looked up in the model once. A number
 * of a key with cuts goes to the engine unchanged; any other is looked up by its text, as a name
 * would be, and repeated ones of a column are cached.
 */
#include "decide/decide.h"

struct hcbr_i_item_key {
    hcbr_i_key_id key; /* of the model; HCBR_I_NONE: it has none such */
    bool asked, cuts;
    struct remembered {
        uint64_t bits;
        uint8_t spelling;
        bool used;
        hcbr_i_feature_id id;
    } of[HCBR_I_REMEMBERED];
};

void hcbr_i_by_item_clear(hcbr_i_by_item *x) {
    hcbr_i_free(x->columns);
    hcbr_i_free(x->ids);
    hcbr_i_free(x->keys);
    hcbr_i_free(x->text);
    *x = (hcbr_i_by_item){0};
}

static void ask(hcbr_i_item_key *c, const hcbr_model *m, hcbr_i_text key) {
    c->key = hcbr_i_dict_find_key(m->dict, key.at, key.length);
    c->cuts = c->key != HCBR_I_NONE && m->engine->has_cuts(m->state, c->key);
    c->asked = true;
    for (size_t n = 0; n < HCBR_I_REMEMBERED; n++)
        c->of[n].used = false;
}

/* Room for a column that was not met before. */
static bool need_column(hcbr_i_by_item *x, size_t column) {
    if (!hcbr_i_grow(&x->columns, &x->column_capacity, column + 1, sizeof *x->columns))
        return false;
    for (; x->column_count <= column; x->column_count++)
        x->columns[x->column_count].asked = false;
    return true;
}

/* The feature of a number, by its text. */
static hcbr_i_feature_id find(const hcbr_model *m, const hcbr_i_block *block, size_t n,
                              size_t text) {
    char room[HCBR_NUMBER_SIZE];
    const hcbr_feature f = hcbr_i_block_get_item(block, n, text, room);
    return m->engine->find_any(m->state, &f);
}

/* The same where columns repeat their numbers. */
static hcbr_i_feature_id find_again(hcbr_i_item_key *c, const hcbr_model *m,
                                    const hcbr_i_block *block, size_t n, size_t text) {
    const hcbr_i_item *item = &block->items[n];
    const uint64_t bits = hcbr_i_bits_of(item->value);
    if (item->spelling >= HCBR_I_SPELLED_OTHER)
        return find(m, block, n, text);
    struct remembered *r = &c->of[hcbr_i_mix(bits + item->spelling) % HCBR_I_REMEMBERED];
    if (!r->used || r->bits != bits || r->spelling != item->spelling)
        *r = (struct remembered){bits, item->spelling, true, find(m, block, n, text)};
    return r->id;
}

hcbr_status hcbr_i_by_item_load(hcbr_i_by_item *x, const hcbr_model *m, const hcbr_i_block *block,
                                hcbr_error *err) {
    size_t texts = 0;
    hcbr_i_item_key own;
    if (!hcbr_i_grow(&x->ids, &x->id_capacity, block->item_count, sizeof *x->ids) ||
        !hcbr_i_grow(&x->keys, &x->key_capacity, block->item_count, sizeof *x->keys) ||
        !hcbr_i_grow(&x->text, &x->text_capacity, block->spelled_count ? block->item_count : 0,
                     sizeof *x->text))
        return hcbr_i_no_memory(err);
    if (x->names != block->keys || x->serial != block->key_serial)
        x->column_count = 0;
    x->names = block->keys;
    x->serial = block->key_serial;
    for (size_t n = 0; n < block->item_count; n++) {
        const hcbr_i_item *item = &block->items[n];
        hcbr_i_item_key *c = &own;
        if (block->spelled_count)
            x->text[n] = texts;
        own.asked = false;
        if (block->key_serial) {
            if (item->key >= x->column_count && !need_column(x, item->key))
                return hcbr_i_no_memory(err);
            c = &x->columns[item->key];
        }
        if (!c->asked)
            ask(c, m, block->keys[item->key]);
        x->keys[n] = c->key;
        x->ids[n] = c->cuts                  ? HCBR_I_KNOWN_VALUE
                    : c->key == HCBR_I_NONE  ? HCBR_I_NONE
                    : block->key_serial != 0 ? find_again(c, m, block, n, texts)
                                             : find(m, block, n, texts);
        texts += item->spelling >= HCBR_I_SPELLED_OTHER;
    }
    return HCBR_OK;
}

hcbr_feature hcbr_i_by_item_get(const hcbr_i_by_item *x, const hcbr_i_block *block, size_t n,
                                char room[HCBR_NUMBER_SIZE]) {
    return hcbr_i_block_get_item(block, n, block->spelled_count ? x->text[n] : 0, room);
}

hcbr_status hcbr_i_by_item_add(const hcbr_i_by_item *x, const hcbr_i_engine *engine, void *scorer,
                               const hcbr_i_block *block, size_t n, bool *again, hcbr_error *err) {
    const hcbr_i_item *item = &block->items[n];
    hcbr_i_text text = {NULL, 0};
    if (item->spelling == HCBR_I_SPELLED_WIDE)
        text = block->spelled[x->text[n]];
    return engine->number(scorer, x->keys[n], item->value, text, again, err);
}

/* ---- cases of a list ------------------------------------------------------------------------- */

hcbr_status hcbr_i_item_keys_make(hcbr_i_item_key **out, const hcbr_model *m,
                                  const hcbr_i_dict *dict, hcbr_error *err) {
    const uint32_t count = hcbr_i_dict_key_count(dict);
    *out = hcbr_i_alloc(count, sizeof **out);
    if (!*out)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < count; k++)
        ask(&(*out)[k], m, hcbr_i_dict_key(dict, k));
    return HCBR_OK;
}

hcbr_i_feature_id hcbr_i_item_find(hcbr_i_item_key *keys, const hcbr_model *m,
                                   const hcbr_i_dict *dict, const hcbr_i_numbers *numbers,
                                   uint64_t item, hcbr_i_key_id *key) {
    hcbr_i_item_key *c = &keys[numbers->key[item]];
    const uint8_t spelling =
        numbers->spelling ? numbers->spelling[item] : (uint8_t)HCBR_I_SPELLED_SHORTEST;
    const uint64_t bits = hcbr_i_bits_of(numbers->value[item]);
    char room[HCBR_NUMBER_SIZE];
    *key = c->key;
    if (c->cuts || c->key == HCBR_I_NONE)
        return c->cuts ? HCBR_I_KNOWN_VALUE : HCBR_I_NONE;
    struct remembered *r = &c->of[hcbr_i_mix(bits + spelling) % HCBR_I_REMEMBERED];
    if (r->used && r->bits == bits && r->spelling == spelling && spelling < HCBR_I_SPELLED_OTHER)
        return r->id;
    const hcbr_i_text name = hcbr_i_dict_key(dict, numbers->key[item]);
    const hcbr_i_text text = hcbr_i_numbers_text(numbers, item, room);
    const hcbr_feature f = {name.at, name.length, text.at, text.length};
    *r = (struct remembered){bits, spelling, true, m->engine->find_any(m->state, &f)};
    return r->id;
}
