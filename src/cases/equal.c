/*
 * Equal numbers are equal values: in a key whose values are all numbers, the features of a list
 * that are spellings of one number (`1`, `1.0`, `1e0`) become one, named by the canonical text.
 *
 * Invariants: the list is then the one that reading canonical texts gives; a key with a value that
 * is no number keeps its spellings apart; on failure nothing has changed. A list whose numbers are
 * all spelled canonically, as nearly every one is, costs a look at each feature.
 */
#include "cases/append.h"
#include "cases/dict.h"

#define BATCH 1024u /* features that are entered at a time */

/* hcbr_i_dict_number_keys(); *unusual: a number is not spelled as the shortest text. */
static void find_keys(const hcbr_i_dict *dict, bool *numbers, bool *unusual) {
    const uint32_t keys = hcbr_i_dict_key_count(dict), features = hcbr_i_dict_count(dict);
    memset(numbers, true, keys * sizeof *numbers);
    for (uint32_t f = 0; !dict->plain && f < features; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        double value;
        uint8_t spelling;
        if (!numbers[x.key])
            continue;
        numbers[x.key] = x.value && hcbr_i_decimal_read(&value, &spelling, x.value, x.value_length);
        *unusual |= numbers[x.key] && spelling != HCBR_I_SPELLED_SHORTEST;
    }
}

void hcbr_i_dict_number_keys(const hcbr_i_dict *dict, bool *numbers) {
    bool unusual = false;
    find_keys(dict, numbers, &unusual);
}

void hcbr_i_dict_settle(hcbr_i_dict *dict) {
    dict->settled = true;
}

bool hcbr_i_dict_know_keys(hcbr_i_dict *dict) {
    bool any = false;
    if (dict->plain || dict->key_count == 0)
        return true; /* all have the value `1` */
    bool *numbers = hcbr_i_alloc(dict->key_count, sizeof *numbers);
    if (!numbers)
        return false;
    hcbr_i_dict_number_keys(dict, numbers);
    for (size_t k = 0; k < dict->key_count && !any; k++)
        any = numbers[k];
    if (any)
        dict->number_keys = numbers;
    else
        hcbr_i_free(numbers);
    return true;
}

bool hcbr_i_dict_respell(const hcbr_i_dict *dict, const hcbr_feature *x,
                         char room[HCBR_I_LONGEST_SPELLING + HCBR_NUMBER_SIZE], hcbr_feature *out) {
    double value;
    uint8_t spelling;
    if (!hcbr_i_dict_may_respell(dict) || !x->value || x->value_length > HCBR_I_LONGEST_SPELLING ||
        !hcbr_i_decimal_read(&value, &spelling, x->value, x->value_length) ||
        spelling == HCBR_I_SPELLED_SHORTEST)
        return false;
    hcbr_i_key_id key = hcbr_i_dict_find_key(dict, x->key, x->key_length);
    if (key == HCBR_I_NONE || (!dict->plain && !dict->number_keys[key]))
        return false;
    *out = *x;
    out->value = room;
    out->value_length = hcbr_i_decimal_canonical(room, x->value, x->value_length);
    return hcbr_i_text_compare(room, out->value_length, x->value, x->value_length) != 0;
}

/* Working memory for canonical texts. */
typedef struct room {
    char *text;
    size_t capacity;
} room;

/* The canonical text of a number; *text is that or its own. false: out of memory. */
static bool canonical(room *r, hcbr_i_text *text) {
    double value;
    uint8_t spelling;
    if (!hcbr_i_decimal_read(&value, &spelling, text->at, text->length) ||
        spelling == HCBR_I_SPELLED_SHORTEST)
        return true;
    if (!hcbr_i_grow(&r->text, &r->capacity, text->length + HCBR_NUMBER_SIZE, 1))
        return false;
    size_t length = hcbr_i_decimal_canonical(r->text, text->at, text->length);
    *text = (hcbr_i_text){r->text, length};
    return true;
}

/* Is any feature of keys of numbers not spelled canonically? */
static hcbr_status look(const hcbr_i_dict *dict, const bool *numbers, room *r, bool *any,
                        hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(dict);
    for (uint32_t f = 0; f < features && !*any; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        hcbr_i_text text = {x.value, x.value_length};
        if (!numbers[x.key])
            continue;
        if (!canonical(r, &text))
            return hcbr_i_no_memory(err);
        *any = hcbr_i_text_compare(text.at, text.length, x.value, x.value_length) != 0;
    }
    return HCBR_OK;
}

/* Put the names of features from `first` on into a block: a case for each. */
static bool fill(hcbr_i_block *block, const hcbr_i_dict *dict, const bool *numbers, uint32_t first,
                 uint32_t count, room *r) {
    for (uint32_t n = 0; n < count; n++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, first + n);
        hcbr_i_text key = hcbr_i_dict_key(dict, x.key), text = {x.value, x.value_length};
        if (numbers[x.key]) {
            if (!canonical(r, &text))
                return false;
            char *copy = hcbr_i_arena_take(&block->arena, text.length + 1);
            if (!copy)
                return false;
            memcpy(copy, text.at, text.length);
            text.at = copy;
        }
        if (!hcbr_i_block_add(block, key.at, key.length, text.at, text.at ? text.length : 0))
            return false;
    }
    return true;
}

/* A dictionary of the canonical texts; map[f] is the feature that f has become. */
static hcbr_status enter(hcbr_i_dict *to, const hcbr_i_dict *from, const bool *numbers,
                         hcbr_i_feature_id *map, room *r, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(from);
    hcbr_i_raw_case each[BATCH];
    hcbr_i_block block = {.cases = each};
    uint32_t lengths[BATCH];
    hcbr_status st = HCBR_OK;
    for (uint32_t n = 0; n < BATCH; n++)
        each[n] = (hcbr_i_raw_case){.first = n, .count = 1};
    for (uint32_t f = 0; st == HCBR_OK && f < features; f += BATCH) {
        const uint32_t count = features - f < BATCH ? features - f : BATCH;
        hcbr_i_block_reset(&block);
        block.case_count = count;
        if (!fill(&block, from, numbers, f, count, r))
            st = hcbr_i_no_memory(err);
        if (st == HCBR_OK) /* no case has the number of another one */
            st = hcbr_i_dict_intern(to, &block, f, map + f, lengths, err);
    }
    block.cases = NULL;
    hcbr_i_block_clear(&block);
    return st;
}

/* Give the cases their new features, each once. Cannot fail. */
static void replace(hcbr_cases *cases, const hcbr_i_feature_id *map, uint32_t *marks) {
    uint64_t to = 0, from = 0;
    for (uint32_t i = 0; i < cases->case_count; i++) {
        for (; from < cases->start[i + 1]; from++) {
            hcbr_i_feature_id f = map[cases->features[from]];
            cases->features[to] = f;
            to += marks[f] != i;
            marks[f] = i;
        }
        cases->start[i + 1] = to;
    }
    memset(cases->features + to, 0, HCBR_I_SLACK * sizeof *cases->features);
}

hcbr_status hcbr_i_cases_merge_equal(hcbr_cases *cases, hcbr_i_feature_id *known, uint32_t count,
                                     hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    if (cases->dict->plain || cases->apart || cases->as_read)
        return HCBR_OK;
    hcbr_i_dict *dict = NULL;
    room r = {NULL, 0};
    bool any = false, *numbers = hcbr_i_alloc(hcbr_i_dict_key_count(cases->dict), sizeof *numbers);
    hcbr_i_feature_id *map = NULL;
    uint32_t *marks = NULL;
    hcbr_status st = numbers ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        bool unusual = false;
        find_keys(cases->dict, numbers, &unusual);
        if (unusual)
            st = look(cases->dict, numbers, &r, &any, err);
    }
    if (st == HCBR_OK && any) {
        map = hcbr_i_alloc(features, sizeof *map);
        marks = hcbr_i_alloc(features, sizeof *marks);
        st = map && marks ? hcbr_i_dict_create(&dict, 1, err) : hcbr_i_no_memory(err);
        if (st == HCBR_OK) {
            dict->hash = cases->dict->hash;
            st = enter(dict, cases->dict, numbers, map, &r, err);
        }
    }
    if (st == HCBR_OK && any) {
        hcbr_i_dict *old = cases->dict;
        memset(marks, 0xFF, features * sizeof *marks); /* no case has such a number */
        replace(cases, map, marks);
        for (uint32_t f = 0; f < count; f++)
            if (known[f] != HCBR_I_NONE)
                known[f] = map[known[f]];
        hcbr_i_dict_drop_tables(dict);
        cases->dict = dict;
        dict = old;
    }
    hcbr_i_dict_release(dict);
    hcbr_i_free(numbers);
    hcbr_i_free(map);
    hcbr_i_free(marks);
    hcbr_i_free(r.text);
    return st;
}
