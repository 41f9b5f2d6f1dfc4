/*
 * Separate numbers: added to a case base as it is read, and their texts.
 *
 * Invariants: the items of a case are all different; while a list is read, items of cases that are
 * not counted yet may follow the others, and are undone or counted later.
 */
#include "cases/append.h"

#include <stdlib.h>

#define FEW 24 /* items of a case that are compared one by one */

uint64_t hcbr_i_cases_item_count(const hcbr_cases *cases) {
    return cases->numbers.start ? cases->numbers.start[cases->case_count] : 0;
}

bool hcbr_i_numbers_room(hcbr_cases *cases, size_t more, uint64_t items, bool spelled) {
    hcbr_i_numbers *n = &cases->numbers;
    const uint64_t have = hcbr_i_cases_item_count(cases);
    const size_t need = (size_t)(have + items), count = cases->case_count;
    const bool first = !n->start, first_spelled = !n->spelling;
    if (first && items == 0)
        return true;
    if (!hcbr_i_grow(&n->start, &n->start_capacity, count + more + 1, sizeof *n->start))
        return false;
    if (first)
        memset(n->start, 0, (count + 1) * sizeof *n->start);
    if (!hcbr_i_grow(&n->value, &n->value_capacity, need, sizeof *n->value) ||
        !hcbr_i_grow(&n->key, &n->key_capacity, need, sizeof *n->key))
        return false;
    if (!n->spelling && !spelled)
        return true;
    if (!hcbr_i_grow(&n->spelling, &n->spelling_capacity, need + 1, 1))
        return false;
    if (first_spelled && n->spelling)
        memset(n->spelling, HCBR_I_SPELLED_SHORTEST, (size_t)have);
    return true;
}

void hcbr_i_numbers_undo(hcbr_cases *cases, const hcbr_cases *before) {
    cases->numbers.other_count = before->numbers.other_count;
    if (!before->numbers.start)
        hcbr_i_numbers_clear(&cases->numbers);
}

/* ---- duplicates in a case -------------------------------------------------------------------- */

/* An item with its text, if that is stored. */
typedef struct entry {
    hcbr_i_item item;
    hcbr_i_text text;
    size_t place;
} entry;

static int compare_entries(const void *a, const void *b) {
    const entry *x = a, *y = b;
    if (x->item.key != y->item.key)
        return x->item.key < y->item.key ? -1 : 1;
    uint64_t p = hcbr_i_bits_of(x->item.value), q = hcbr_i_bits_of(y->item.value);
    if (p != q)
        return p < q ? -1 : 1;
    if (x->item.spelling != y->item.spelling)
        return x->item.spelling < y->item.spelling ? -1 : 1;
    return x->text.at ? hcbr_i_text_compare(x->text.at, x->text.length, y->text.at, y->text.length)
                      : 0;
}

static int compare_places(const void *a, const void *b) {
    const entry *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Whether any key repeats. Only then can an item. */
static bool has_repeated_key(const hcbr_i_item *items, size_t count) {
    if (count > FEW)
        return true;
    for (size_t a = 1; a < count; a++)
        for (size_t b = 0; b < a; b++)
            if (items[a].key == items[b].key)
                return true;
    return false;
}

bool hcbr_i_items_unique(hcbr_i_item *items, size_t *count, hcbr_i_text *text, size_t *texts) {
    size_t left = 0, t = 0;
    if (!has_repeated_key(items, *count))
        return true;
    entry *all = hcbr_i_alloc(*count, sizeof *all);
    if (!all)
        return false;
    for (size_t n = 0; n < *count; n++) {
        bool stored = items[n].spelling >= HCBR_I_SPELLED_OTHER;
        all[n] = (entry){items[n], stored ? text[t] : (hcbr_i_text){NULL, 0}, n};
        t += stored;
    }
    qsort(all, *count, sizeof *all, compare_entries);
    for (size_t n = 0; n < *count;) {
        size_t first = n, best = n;
        for (n++; n < *count && compare_entries(&all[first], &all[n]) == 0; n++)
            best = all[n].place < all[best].place ? n : best;
        all[left++] = all[best];
    }
    qsort(all, left, sizeof *all, compare_places);
    t = 0;
    for (size_t n = 0; n < left; n++) {
        items[n] = all[n].item;
        if (all[n].text.at)
            text[t++] = all[n].text;
    }
    *count = left;
    *texts = t;
    hcbr_i_free(all);
    return true;
}

/* ---- the items of a block -------------------------------------------------------------------- */

/* Forget the columns of an earlier file. */
static bool begin_columns(hcbr_i_column_keys *columns, const hcbr_i_block *block) {
    size_t count = 0;
    if (columns->serial != block->key_serial)
        columns->count = 0;
    columns->serial = block->key_serial;
    for (size_t n = 0; n < block->item_count; n++)
        count = block->items[n].key >= count ? (size_t)block->items[n].key + 1 : count;
    if (!hcbr_i_grow(&columns->key, &columns->capacity, count, sizeof *columns->key))
        return false;
    for (; columns->count < count; columns->count++)
        columns->key[columns->count] = HCBR_I_NONE;
    return true;
}

/* Append an item; there is room. */
static inline void put(hcbr_i_numbers *to, uint64_t at, const hcbr_i_item *item, uint32_t key) {
    to->value[at] = item->value;
    to->key[at] = key;
    if (to->spelling)
        to->spelling[at] = item->spelling;
}

/* Items of columns: a case has each column once. */
static hcbr_status add_columns(hcbr_cases *cases, hcbr_i_column_keys *columns,
                               const hcbr_i_block *block, hcbr_error *err) {
    hcbr_i_numbers *to = &cases->numbers;
    uint64_t at = hcbr_i_cases_item_count(cases);
    size_t texts = 0, n = 0;
    if (!begin_columns(columns, block))
        return hcbr_i_no_memory(err);
    for (size_t c = 0; c < block->case_count; c++) {
        for (size_t end = n + block->cases[c].item_count; n < end; n++, at++) {
            const hcbr_i_item *item = &block->items[n];
            uint32_t *key = &columns->key[item->key];
            if (HCBR_I_UNLIKELY(*key == HCBR_I_NONE)) {
                hcbr_i_text name = block->keys[item->key];
                hcbr_status st = hcbr_i_dict_add_key(cases->dict, name.at, name.length, key, err);
                if (st != HCBR_OK)
                    return st;
            }
            put(to, at, item, *key);
            if (HCBR_I_UNLIKELY(item->spelling >= HCBR_I_SPELLED_OTHER) &&
                !hcbr_i_numbers_keep_text(to, at, block->spelled[texts++]))
                return hcbr_i_no_memory(err);
        }
        to->start[cases->case_count + c + 1] = at;
    }
    return HCBR_OK;
}

/* Copies of a case's items, with keys of the dictionary. */
static hcbr_status map_items(hcbr_cases *cases, const hcbr_i_block *block, size_t first,
                             size_t count, hcbr_i_item *out, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        hcbr_i_text name = block->keys[block->items[first + n].key];
        out[n] = block->items[first + n];
        st = hcbr_i_dict_add_key(cases->dict, name.at, name.length, &out[n].key, err);
    }
    return st;
}

/* Items with any keys. */
static hcbr_status add_any(hcbr_cases *cases, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_i_numbers *to = &cases->numbers;
    hcbr_i_item *items = hcbr_i_alloc(block->item_count, sizeof *items);
    hcbr_i_text *text = hcbr_i_alloc(block->spelled_count, sizeof *text);
    hcbr_status st = items && text ? HCBR_OK : hcbr_i_no_memory(err);
    uint64_t at = hcbr_i_cases_item_count(cases);
    size_t done = 0;
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++) {
        size_t first = block->cases[c].first_item, count = block->cases[c].item_count, texts = 0;
        st = map_items(cases, block, first, count, items, err);
        for (size_t n = 0; st == HCBR_OK && n < count; n++)
            if (items[n].spelling >= HCBR_I_SPELLED_OTHER)
                text[texts++] = block->spelled[done++];
        if (st == HCBR_OK && !hcbr_i_items_unique(items, &count, text, &texts))
            st = hcbr_i_no_memory(err);
        for (size_t n = 0, t = 0; st == HCBR_OK && n < count; n++, at++) {
            put(to, at, &items[n], items[n].key);
            if (items[n].spelling >= HCBR_I_SPELLED_OTHER &&
                !hcbr_i_numbers_keep_text(to, at, text[t++]))
                st = hcbr_i_no_memory(err);
        }
        to->start[cases->case_count + c + 1] = at;
    }
    hcbr_i_free(items);
    hcbr_i_free(text);
    return st;
}

/* Whether any of them is not spelled SHORTEST. */
static bool is_spelled(const hcbr_i_block *block) {
    uint8_t any = HCBR_I_SPELLED_SHORTEST;
    for (size_t n = 0; n < block->item_count; n++)
        any |= block->items[n].spelling;
    return any != HCBR_I_SPELLED_SHORTEST;
}

hcbr_status hcbr_i_append_items(hcbr_cases *cases, hcbr_i_column_keys *columns,
                                const hcbr_i_block *block, hcbr_error *err) {
    bool spelled = !cases->numbers.spelling && is_spelled(block);
    if (!hcbr_i_numbers_room(cases, block->case_count, block->item_count, spelled))
        return hcbr_i_no_memory(err);
    if (!cases->numbers.start)
        return HCBR_OK;
    return columns && block->key_serial ? add_columns(cases, columns, block, err)
                                        : add_any(cases, block, err);
}

/* ---- memory and texts ------------------------------------------------------------------------ */

void hcbr_i_numbers_drop(hcbr_i_numbers *numbers) {
    hcbr_i_free(numbers->value);
    hcbr_i_free(numbers->key);
    hcbr_i_free(numbers->spelling);
    hcbr_i_free(numbers->other);
    hcbr_i_free(numbers->text_start);
    hcbr_i_free(numbers->text);
    *numbers = (hcbr_i_numbers){.start = numbers->start, .start_capacity = numbers->start_capacity};
}

void hcbr_i_numbers_clear(hcbr_i_numbers *numbers) {
    hcbr_i_numbers_drop(numbers);
    hcbr_i_free(numbers->start);
    *numbers = (hcbr_i_numbers){0};
}

/* The stored text of an item. */
static hcbr_i_text stored_text(const hcbr_i_numbers *numbers, uint64_t item) {
    size_t low = 0, high = numbers->other_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers->other[middle] < item)
            low = middle + 1;
        else
            high = middle;
    }
    uint64_t at = numbers->text_start[low];
    return (hcbr_i_text){numbers->text + at, (size_t)(numbers->text_start[low + 1] - at)};
}

hcbr_i_text hcbr_i_numbers_text(const hcbr_i_numbers *numbers, uint64_t item,
                                char room[HCBR_NUMBER_SIZE]) {
    uint8_t spelling = numbers->spelling ? numbers->spelling[item] : HCBR_I_SPELLED_SHORTEST;
    if (spelling == HCBR_I_SPELLED_OTHER || spelling == HCBR_I_SPELLED_WIDE)
        return stored_text(numbers, item);
    return (hcbr_i_text){room, hcbr_i_decimal_spell(room, numbers->value[item], spelling)};
}

bool hcbr_i_numbers_keep_text(hcbr_i_numbers *to, uint64_t item, hcbr_i_text text) {
    size_t at = to->other_count ? (size_t)to->text_start[to->other_count] : 0;
    if (!hcbr_i_grow(&to->other, &to->other_capacity, to->other_count + 1, sizeof *to->other) ||
        !hcbr_i_grow(&to->text_start, &to->text_start_capacity, to->other_count + 2,
                     sizeof *to->text_start) ||
        !hcbr_i_grow(&to->text, &to->text_capacity, at + text.length + 1, 1))
        return false;
    memcpy(to->text + at, text.at, text.length);
    to->text_start[0] = 0;
    to->other[to->other_count++] = item;
    to->text_start[to->other_count] = at + text.length;
    return true;
}
