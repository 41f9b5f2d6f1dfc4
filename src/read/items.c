/*
 * Separate numbers of a block.
 *
 * The parser of csv adds them directly (csv.c), with the columns of the file as keys; in all other
 * cases the names of a record are searched when it is complete.
 */
#include "read/parse.h"

bool hcbr_i_block_add_item(hcbr_i_block *block, const hcbr_i_item *item, const char *text,
                           size_t length) {
    if (!hcbr_i_grow(&block->items, &block->item_capacity, block->item_count + 1,
                     sizeof *block->items))
        return false;
    if (item->spelling >= HCBR_I_SPELLED_OTHER) {
        if (!hcbr_i_grow(&block->spelled, &block->spelled_capacity, block->spelled_count + 1,
                         sizeof *block->spelled))
            return false;
        block->spelled[block->spelled_count++] = (hcbr_i_text){text, length};
    }
    block->items[block->item_count++] = *item;
    return true;
}

/** Add an item with a key of its own. Text of a short name is copied, since that is packed. */
static bool add_own(hcbr_i_block *block, const hcbr_feature *x, bool is_short,
                    const hcbr_i_item *item) {
    hcbr_i_item own = *item;
    const char *key = x->key, *value = x->value;
    if (!hcbr_i_grow(&block->own_keys, &block->own_key_capacity, block->own_key_count + 1,
                     sizeof *block->own_keys))
        return false;
    block->keys = block->own_keys; // of the items before as well
    block->key_serial = 0;
    if (is_short) {
        char *copy = hcbr_i_arena_take(&block->arena, x->key_length + x->value_length + 1);
        if (copy == NULL)
            return false;
        memcpy(copy, x->key, x->key_length);
        memcpy(copy + x->key_length, x->value, x->value_length);
        key = copy;
        value = copy + x->key_length;
    }
    own.key = (uint32_t)block->own_key_count;
    if (!hcbr_i_block_add_item(block, &own, value, x->value_length))
        return false;
    block->own_keys[block->own_key_count++] = (hcbr_i_text){key, x->key_length};
    return true;
}

bool hcbr_i_block_add_whole(hcbr_i_block *block, hcbr_i_text key, int64_t value, size_t before) {
    if (!hcbr_i_grow(&block->own_keys, &block->own_key_capacity, block->own_key_count + 1,
                     sizeof *block->own_keys) ||
        !hcbr_i_grow(&block->items, &block->item_capacity, block->item_count + 1,
                     sizeof *block->items))
        return false;
    block->keys = block->own_keys; // of the items before as well
    block->key_serial = 0;
    block->items[block->item_count++] = (hcbr_i_item){.value = (double)value,
                                                      .key = (uint32_t)block->own_key_count,
                                                      .spelling = HCBR_I_SPELLED_SHORTEST,
                                                      .before = hcbr_i_item_before(before)};
    block->own_keys[block->own_key_count++] = key;
    return true;
}

bool hcbr_i_block_set_apart(hcbr_i_block *block, size_t first, bool but_ones) {
    size_t kept = first;
    for (size_t n = first; n < block->name_count; n++) {
        const hcbr_i_name name = block->names[n];
        char text[HCBR_I_NAME_TEXT];
        hcbr_feature x = hcbr_i_block_get(block, n, text);
        hcbr_i_item item = {0};
        if (x.value == NULL || (but_ones && x.value_length == 1 && *x.value == '1') ||
            !hcbr_i_decimal_read(&item.value, &item.spelling, x.value, x.value_length))
            block->names[kept++] = name;
        else {
            item.before = hcbr_i_item_before(kept - first);
            if (!add_own(block, &x, !hcbr_i_name_is_long(name), &item))
                return false;
        }
    }
    block->name_count = kept;
    return true;
}

hcbr_feature hcbr_i_block_get_item(const hcbr_i_block *block, size_t n, size_t text,
                                   char room[HCBR_NUMBER_SIZE]) {
    const hcbr_i_item *item = &block->items[n];
    const hcbr_i_text key = block->keys[item->key];
    hcbr_i_text value = {room, 0};
    if (item->spelling >= HCBR_I_SPELLED_OTHER)
        value = block->spelled[text];
    else
        value.length = hcbr_i_decimal_spell(room, item->value, item->spelling);
    return (hcbr_feature){key.at, key.length, value.at, value.length};
}
