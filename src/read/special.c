/*
 * Columns and keys that are not read as `column=value`: sets of parts, texts, and columns of
 * presence.
 *
 * Invariant: the same value gives the same features in every format; parts point into the value, so
 * their text lives as long.
 */
#define _GNU_SOURCE // memmem()
#include "read/parse.h"

const char *hcbr_i_change_name(hcbr_i_change change) {
    static const char *const names[] = {"split", "text", "presence"};

    return names[change];
}

const hcbr_i_special *hcbr_i_parser_special(const hcbr_i_parser *p, const char *name,
                                            size_t length) {
    for (size_t i = 0; i < p->special_count; i++) {
        hcbr_i_special *s = &p->specials[i];

        if (s->column.length != length || memcmp(s->column.at, name, length) != 0)
            continue;
        atomic_store_explicit(&s->met, true, memory_order_relaxed);
        return s;
    }
    return NULL;
}

/** One feature for each part that is neither empty nor missing. */
static hcbr_status take_parts(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text value,
                              hcbr_error *err) {
    const char *at = value.at, *end = value.at + value.length;

    for (;;) {
        const char *stop =
            special->separator.length == 1
                ? memchr(at, special->separator.at[0], (size_t)(end - at))
                : memmem(at, (size_t)(end - at), special->separator.at, special->separator.length);
        size_t length = (size_t)((stop != NULL ? stop : end) - at);

        if (length > 0 && !hcbr_i_parser_is_na(p, at, length) &&
            !hcbr_i_block_add(p->block, special->column.at, special->column.length, at, length))
            return hcbr_i_no_memory(err);
        if (stop == NULL)
            return HCBR_OK;
        at = stop + special->separator.length;
    }
}

static bool keep_whole(hcbr_i_block *block, hcbr_i_text column, hcbr_i_text text) {
    if (!hcbr_i_grow(&block->texts, &block->text_capacity, block->text_count + 1,
                     sizeof *block->texts))
        return false;
    block->texts[block->text_count++] = (hcbr_i_whole_text){block->case_count, column, text};
    return true;
}

hcbr_status hcbr_i_special_take(hcbr_i_parser *p, const hcbr_i_special *special, hcbr_i_text value,
                                hcbr_error *err) {
    switch (special->change) {
    case HCBR_I_CHANGE_SPLIT:
        return take_parts(p, special, value, err);
    case HCBR_I_CHANGE_TEXT:
        if (!keep_whole(p->block, special->column, value))
            return hcbr_i_no_memory(err);
        return hcbr_i_grams_keep(p, special, value, err);
    case HCBR_I_CHANGE_PRESENCE:
        break;
    }
    return hcbr_i_block_add(p->block, special->column.at, special->column.length, NULL, 0)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}
