/*
 * The two forms of a case base: numbers separate from names, or spelled as features.
 *
 * Invariant: a case has the same values in both forms. A separate number keeps its spelling, so
 * that spelling it gives the feature it was. If equal numbers are one feature, that feature has
 * their canonical text.
 */
#include "cases/dict.h"

#include <stdlib.h>

/* ---- common parts of both forms -------------------------------------------------------------- */

static void *copy_array(const void *array, size_t count, size_t size, bool *failed) {
    void *copy = array ? hcbr_i_alloc(count, size) : NULL;
    *failed |= array && !copy;
    if (copy && count)
        memcpy(copy, array, count * size);
    return copy;
}

hcbr_status hcbr_i_cases_copy_frame(struct hcbr_cases **out, const struct hcbr_cases *from,
                                    hcbr_error *err) {
    size_t n = from->case_count;
    bool failed = false;
    struct hcbr_cases *to = hcbr_i_alloc_zero(1, sizeof *to);
    *out = to;
    if (!to)
        return hcbr_i_no_memory(err);
    to->case_count = from->case_count;
    to->empty_count = from->empty_count;
    to->rows = from->rows;
    to->skipped = from->skipped;
    to->bytes = from->bytes;
    to->id_bytes = from->id_bytes;
    to->least_count = from->least_count;
    to->keep_rare = from->keep_rare;
    to->as_read = from->as_read;
    to->finished = from->finished;
    to->schema = hcbr_i_schema_share(from->schema);
    to->beliefs = hcbr_i_beliefs_share(from->beliefs);
    to->understood = from->understood;
    to->label = copy_array(from->label, n, sizeof *to->label, &failed);
    to->row = copy_array(from->row, n, sizeof *to->row, &failed);
    to->ids = copy_array(from->ids, from->id_bytes, 1, &failed);
    to->id_start = copy_array(from->id_start, n + 1, sizeof *to->id_start, &failed);
    to->group = copy_array(from->group, n, sizeof *to->group, &failed);
    to->weight = copy_array(from->weight, n, sizeof *to->weight, &failed);
    to->least = copy_array(from->least, from->least_count, sizeof *to->least, &failed);
    if (from->label_name)
        failed |= !(to->label_name = hcbr_i_text_copy(from->label_name, strlen(from->label_name)));
    if (from->bins)
        failed |= !(to->bins = hcbr_i_text_copy(from->bins, strlen(from->bins)));
    hcbr_status st = failed ? hcbr_i_no_memory(err) : HCBR_OK;
    if (st == HCBR_OK)
        st = hcbr_i_labels_copy(&to->labels, &from->labels, err);
    if (st == HCBR_OK)
        st = hcbr_i_dict_create(&to->dict, 0, err);
    return st;
}

/* Copy the keys under the same numbers to an empty dictionary. */
static hcbr_status copy_keys(hcbr_i_dict *to, const hcbr_i_dict *from, hcbr_error *err) {
    hcbr_status st = hcbr_i_dict_unfold(to, err);
    for (uint32_t k = 0; st == HCBR_OK && k < hcbr_i_dict_key_count(from); k++) {
        hcbr_i_text key = hcbr_i_dict_key(from, k);
        hcbr_i_key_id id;
        st = hcbr_i_dict_append_key(to, key.at, key.length, &id, err);
    }
    return st;
}

static hcbr_status copy_feature(hcbr_i_dict *to, const hcbr_i_dict *from, hcbr_i_feature_id id,
                                hcbr_error *err) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(from, id);
    return hcbr_i_dict_append(to, f.key, f.value, f.value ? f.value_length : 0, err);
}

/* Room for the features of all cases. */
static bool room_features(struct hcbr_cases *to, uint64_t count) {
    size_t n = (size_t)to->case_count + 1;
    to->start = hcbr_i_alloc(n, sizeof *to->start);
    to->start_capacity = n;
    to->features = count > SIZE_MAX / 8
                       ? NULL
                       : hcbr_i_alloc_zero((size_t)count + HCBR_I_SLACK, sizeof *to->features);
    to->feature_capacity = (size_t)count + HCBR_I_SLACK;
    if (!to->start || !to->features)
        return false;
    to->start[0] = 0;
    return true;
}

static bool room_numbers(hcbr_i_numbers *to, uint32_t cases, uint64_t count, bool spelled) {
    size_t n = (size_t)count;
    to->start = hcbr_i_alloc((size_t)cases + 1, sizeof *to->start);
    to->value = hcbr_i_alloc(n, sizeof *to->value);
    to->key = hcbr_i_alloc(n, sizeof *to->key);
    to->spelling = spelled ? hcbr_i_alloc(n, 1) : NULL;
    to->start_capacity = (size_t)cases + 1;
    to->value_capacity = to->key_capacity = n;
    to->spelling_capacity = spelled ? n : 0;
    if (!to->start || !to->value || !to->key || (spelled && !to->spelling))
        return false;
    to->start[0] = 0;
    return true;
}

/* ---- apart ----------------------------------------------------------------------------------- */

enum { ASKS = 16384 }; /* values between two progress calls */

/* The new form of a feature. */
typedef struct fate {
    double value;
    hcbr_i_feature_id id; /* as a feature; HCBR_I_NONE: it becomes a number */
    uint8_t spelling;
} fate;

/* Split the features into numbers and others, which keep their order. */
static hcbr_status divide(struct hcbr_cases *to, const struct hcbr_cases *cases, fate *fates,
                          bool *spelled, hcbr_error *err) {
    const hcbr_i_dict *from = cases->dict;
    hcbr_status st = copy_keys(to->dict, from, err);
    for (uint32_t f = 0; st == HCBR_OK && f < hcbr_i_dict_count(from); f++) {
        if (f % ASKS == 0 && (st = hcbr_i_watch_ask(&cases->watch, err)) != HCBR_OK)
            break;
        hcbr_i_dict_feature x = hcbr_i_dict_get(from, f);
        fates[f] = (fate){.id = HCBR_I_NONE};
        if (x.value &&
            hcbr_i_decimal_read(&fates[f].value, &fates[f].spelling, x.value, x.value_length)) {
            *spelled |= fates[f].spelling != HCBR_I_SPELLED_SHORTEST;
            continue;
        }
        fates[f].id = hcbr_i_dict_count(to->dict);
        st = copy_feature(to->dict, from, f, err);
    }
    return st;
}

/* The cases, now that every feature has its fate. */
static hcbr_status part_cases(struct hcbr_cases *to, const struct hcbr_cases *from,
                              const fate *fates, bool spelled, hcbr_error *err) {
    uint64_t all = from->start[from->case_count], numbers = 0, items = 0, at = 0, asked = 0;
    for (uint64_t j = 0; j < all; j++)
        numbers += fates[from->features[j]].id == HCBR_I_NONE;
    hcbr_i_numbers *n = &to->numbers;
    if (!room_features(to, all - numbers) || !room_numbers(n, from->case_count, numbers, spelled))
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < from->case_count; i++) {
        const uint64_t now = from->start[i] / ASKS;
        hcbr_status st = now > asked ? hcbr_i_watch_ask(&from->watch, err) : HCBR_OK;
        if (st != HCBR_OK)
            return st;
        asked = now;
        for (uint64_t j = from->start[i]; j < from->start[i + 1]; j++) {
            const fate *x = &fates[from->features[j]];
            if (x->id != HCBR_I_NONE) {
                to->features[at++] = x->id;
                continue;
            }
            hcbr_i_dict_feature f = hcbr_i_dict_get(from->dict, from->features[j]);
            n->value[items] = x->value;
            n->key[items] = f.key;
            if (spelled)
                n->spelling[items] = x->spelling;
            if (x->spelling >= HCBR_I_SPELLED_OTHER &&
                !hcbr_i_numbers_keep_text(n, items, (hcbr_i_text){f.value, f.value_length}))
                return hcbr_i_no_memory(err);
            items++;
        }
        to->start[i + 1] = at;
        n->start[i + 1] = items;
    }
    return HCBR_OK;
}

static hcbr_status set_apart(struct hcbr_cases *to, const struct hcbr_cases *cases,
                             hcbr_error *err) {
    fate *fates = hcbr_i_alloc(hcbr_i_dict_count(cases->dict), sizeof *fates);
    bool spelled = false;
    hcbr_status st = fates ? divide(to, cases, fates, &spelled, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = part_cases(to, cases, fates, spelled, err);
    hcbr_i_free(fates);
    to->apart = true;
    return st == HCBR_OK ? hcbr_i_cases_order_keys(to, err) : st;
}

/* ---- spelled --------------------------------------------------------------------------------- */

/* A number that has become a feature. */
typedef struct place {
    hcbr_i_name name;
    hcbr_i_feature_id id; /* + 1; 0: free */
} place;

/* A number of a case, to be sorted. */
typedef struct keyed_item {
    uint64_t item;
    hcbr_i_key_id key;
} keyed_item;

typedef struct speller {
    struct hcbr_cases *to;
    const struct hcbr_cases *from;
    bool *canonical; /* by key: equal numbers are one feature */
    place *places;   /* of the numbers met so far */
    size_t mask, used;
    hcbr_i_hash_key hash;
    uint32_t *marks; /* by feature: last case that had it, + 1 */
    size_t mark_capacity;
    char *text; /* room for the longest number */
    size_t text_capacity;
    hcbr_i_watch watch; /* reports the cases spelled */
} speller;

enum {
    RANGE = 4096,        /* cases between two reports, at most */
    RANGE_ITEMS = 65536, /* or numbers */
    MOVED = 1 << 18      /* places that are moved between two questions */
};
#ifdef HCBR_FAULTS
size_t hcbr_i_spell_moved = MOVED;
#else
#define hcbr_i_spell_moved ((size_t)MOVED)
#endif

/* Find the keys with numbers only. */
static bool find_canonical(speller *s) {
    uint32_t keys = hcbr_i_dict_key_count(s->from->dict);
    if (!(s->canonical = hcbr_i_alloc(keys, sizeof *s->canonical)))
        return false;
    memset(s->canonical, true, keys * sizeof *s->canonical);
    for (uint32_t f = 0; f < hcbr_i_dict_count(s->from->dict); f++)
        s->canonical[hcbr_i_dict_get(s->from->dict, f).key] = false;
    return true;
}

static bool is_free(const void *slot) {
    return ((const place *)slot)->id == 0;
}

static bool is_name(const void *slot, const void *wanted) {
    const hcbr_i_name *have = &((const place *)slot)->name, *name = wanted;
    return have->lo == name->lo && have->hi == name->hi;
}

static uint64_t hash_of(const void *owner, const void *slot) {
    (void)owner;
    return ((const place *)slot)->name.lo; // keyed: see hcbr_i_hash_text()
}

/* Twice the room. */
static hcbr_status grow_places(speller *s, hcbr_error *err) {
    size_t size = s->places ? (s->mask + 1) * 2 : 1024, before = s->places ? s->mask + 1 : 0;
    place *places = hcbr_i_alloc(size, sizeof *places);
    hcbr_status st = places ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t at = 0; st == HCBR_OK && at < size;
         at += hcbr_i_spell_moved) { // new memory takes time
        size_t count = size - at < hcbr_i_spell_moved ? size - at : hcbr_i_spell_moved;
        st = hcbr_i_watch_ask(&s->watch, err);
        if (st == HCBR_OK)
            memset(places + at, 0, count * sizeof *places);
    }
    for (size_t at = 0; st == HCBR_OK && at < before; at += hcbr_i_spell_moved) {
        size_t count = before - at < hcbr_i_spell_moved ? before - at : hcbr_i_spell_moved;
        st = hcbr_i_watch_ask(&s->watch, err);
        if (st == HCBR_OK)
            (void)hcbr_i_hash_slots_move(places, size - 1, s->places + at, count, sizeof *places,
                                         is_free, hash_of, NULL);
    }
    if (st != HCBR_OK) {
        hcbr_i_free(places);
        return st;
    }
    hcbr_i_free(s->places);
    s->places = places;
    s->mask = size - 1;
    return HCBR_OK;
}

/* The text of an item as a feature. False: no memory. */
static bool text_of(speller *s, uint64_t item, char room[HCBR_NUMBER_SIZE], hcbr_i_text *out) {
    const hcbr_i_numbers *n = &s->from->numbers;
    *out = hcbr_i_numbers_text(n, item, room);
    if (!s->canonical[n->key[item]])
        return true;
    if (!hcbr_i_grow(&s->text, &s->text_capacity, out->length + HCBR_NUMBER_SIZE, 1))
        return false;
    *out = (hcbr_i_text){s->text, hcbr_i_decimal_canonical(s->text, out->at, out->length)};
    return true;
}

/* The identity of an item's number within its key. */
static hcbr_i_name name_of(const speller *s, uint64_t item) {
    const hcbr_i_numbers *n = &s->from->numbers;
    uint8_t spelling = n->spelling ? n->spelling[item] : HCBR_I_SPELLED_SHORTEST;
    bool canonical = s->canonical[n->key[item]];
    char room[HCBR_NUMBER_SIZE], all[16];
    bool wide = spelling == HCBR_I_SPELLED_WIDE;
    memcpy(all, &n->key[item], 4);
    all[4] = (char)(canonical && !wide ? 0 : spelling);
    if (wide || (spelling == HCBR_I_SPELLED_OTHER && !canonical)) {
        hcbr_i_text text = hcbr_i_numbers_text(n, item, room);
        return hcbr_i_hash_text(&s->hash, all, 5, text.at, text.length);
    }
    memcpy(all + 5, &n->value[item], sizeof *n->value);
    return hcbr_i_hash_text(&s->hash, all, 5 + sizeof *n->value, NULL, 0);
}

/* The feature of an item, added if it is new. */
static hcbr_status intern(speller *s, uint64_t item, hcbr_i_feature_id *out, hcbr_error *err) {
    char room[HCBR_NUMBER_SIZE];
    hcbr_i_text text = {NULL, 0};
    if (!s->places || s->used * 2 > s->mask) { // half full
        hcbr_status st = grow_places(s, err);
        if (st != HCBR_OK)
            return st;
    }
    hcbr_i_key_id key = s->from->numbers.key[item];
    bool wide = s->from->numbers.spelling &&
                s->from->numbers.spelling[item] == HCBR_I_SPELLED_WIDE && s->canonical[key];
    hcbr_i_name name = name_of(s, item);
    if (wide) { // its spellings differ: the canonical text identifies it
        if (!text_of(s, item, room, &text))
            return hcbr_i_no_memory(err);
        name = hcbr_i_hash_text(&s->hash, (const char *)&key, sizeof key, text.at, text.length);
    }
    place *at =
        hcbr_i_hash_slots_find(s->places, sizeof *at, s->mask, name.lo, is_free, is_name, &name);
    if (at->id) {
        *out = at->id - 1;
        return HCBR_OK;
    }
    if (!text.at && !text_of(s, item, room, &text))
        return hcbr_i_no_memory(err);
    *out = hcbr_i_dict_count(s->to->dict);
    *at = (place){name, *out + 1};
    s->used++;
    return hcbr_i_dict_append(s->to->dict, key, text.at, text.length, err);
}

/* Add a feature to a case unless it has it. */
static hcbr_status add_once(speller *s, uint32_t i, hcbr_i_feature_id id, uint64_t *at,
                            hcbr_error *err) {
    size_t before = s->mark_capacity;
    if (!hcbr_i_grow(&s->marks, &s->mark_capacity, (size_t)id + 1, sizeof *s->marks))
        return hcbr_i_no_memory(err);
    if (s->mark_capacity > before)
        memset(s->marks + before, 0, (s->mark_capacity - before) * sizeof *s->marks);
    if (s->marks[id] == i + 1)
        return HCBR_OK;
    s->marks[id] = i + 1;
    s->to->features[(*at)++] = id;
    return HCBR_OK;
}

static int by_key(const void *a, const void *b) {
    const keyed_item *x = a, *y = b;
    int order = hcbr_i_order_u32(x->key, y->key);
    return order ? order : hcbr_i_order_u64(x->item, y->item);
}

/* Sort the items of a case by key; those of one key keep their order. */
static void sort_items(keyed_item *items, size_t count) {
    for (size_t n = 1; n < count; n++)
        if (items[n - 1].key > items[n].key) {
            qsort(items, count, sizeof *items, by_key);
            return;
        }
}

static hcbr_status spell_case(speller *s, uint32_t i, keyed_item *items, uint64_t *at,
                              hcbr_error *err) {
    const hcbr_i_numbers *from = &s->from->numbers;
    size_t count = 0;
    for (uint64_t j = s->from->start[i]; j < s->from->start[i + 1]; j++)
        s->to->features[(*at)++] = s->from->features[j];
    for (uint64_t n = from->start ? from->start[i] : 0; from->start && n < from->start[i + 1]; n++)
        items[count++] = (keyed_item){n, from->key[n]};
    sort_items(items, count);
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        hcbr_i_feature_id id = 0;
        if ((st = intern(s, items[n].item, &id, err)) == HCBR_OK)
            st = add_once(s, i, id, at, err);
    }
    s->to->start[i + 1] = *at;
    return st;
}

/* Room for all that the cases have, and for the items of the longest one. */
static hcbr_status room_spelled(speller *s, keyed_item **items, hcbr_error *err) {
    const hcbr_i_numbers *from = &s->from->numbers;
    uint64_t all = hcbr_i_cases_item_count(s->from), longest = 0;
    for (uint32_t i = 0; all && i < s->from->case_count; i++)
        longest = from->start[i + 1] - from->start[i] > longest
                      ? from->start[i + 1] - from->start[i]
                      : longest;
    *items = hcbr_i_alloc((size_t)longest, sizeof **items);
    return *items && room_features(s->to, s->from->start[s->from->case_count] + all)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

/* The end of the next range of cases; asks the observer first. */
static hcbr_status next_range(speller *s, uint32_t first, uint32_t *end, hcbr_error *err) {
    const uint64_t *start = s->from->numbers.start;
    const uint32_t count = s->from->case_count;
    uint32_t at = first + 1;
    while (at < count && at - first < RANGE &&
           (!start || start[at + 1] - start[first] <= RANGE_ITEMS))
        at++;
    *end = at;
    s->watch.done = first;
    return hcbr_i_watch_ask(&s->watch, err);
}

/* The features that need no spelling. */
static hcbr_status copy_features(const speller *s, hcbr_error *err) {
    const uint32_t count = hcbr_i_dict_count(s->from->dict);
    hcbr_status st = copy_keys(s->to->dict, s->from->dict, err);
    for (uint32_t f = 0; st == HCBR_OK && f < count; f++) {
        if (f % RANGE_ITEMS == 0)
            st = hcbr_i_watch_ask(&s->watch, err);
        if (st == HCBR_OK)
            st = copy_feature(s->to->dict, s->from->dict, f, err);
    }
    return st;
}

static hcbr_status spell(struct hcbr_cases *to, const struct hcbr_cases *cases,
                         const hcbr_i_watch *watch, hcbr_error *err) {
    speller s = {.to = to, .from = cases, .hash = hcbr_i_hash_key_make(0), .watch = *watch};
    uint64_t at = 0;
    keyed_item *items = NULL;
    hcbr_status st = copy_features(&s, err);
    if (st == HCBR_OK && !find_canonical(&s))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = room_spelled(&s, &items, err);
    for (uint32_t i = 0, end; st == HCBR_OK && i < cases->case_count;) {
        st = next_range(&s, i, &end, err);
        for (; st == HCBR_OK && i < end; i++)
            st = spell_case(&s, i, items, &at, err);
    }
    hcbr_i_free(items);
    hcbr_i_free(s.canonical);
    hcbr_i_free(s.places);
    hcbr_i_free(s.marks);
    hcbr_i_free(s.text);
    return st;
}

/* ---- copies ---------------------------------------------------------------------------------- */

hcbr_status hcbr_i_cases_set_apart(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                   hcbr_error *err) {
    struct hcbr_cases *to;
    assert(!cases->apart);
    hcbr_status st = hcbr_i_cases_copy_frame(&to, cases, err);
    if (st == HCBR_OK)
        st = set_apart(to, cases, err);
    *out = st == HCBR_OK ? to : NULL;
    if (st != HCBR_OK)
        hcbr_cases_free(to);
    return st;
}

hcbr_status hcbr_i_cases_spell(struct hcbr_cases **out, const struct hcbr_cases *cases,
                               const char *stage, hcbr_progress_fn *progress, void *context,
                               hcbr_error *err) {
    hcbr_i_watch watch = {progress, context, stage, 0, cases->case_count};
    struct hcbr_cases *to;
    hcbr_status st = hcbr_i_cases_copy_frame(&to, cases, err);
    if (st == HCBR_OK)
        st = spell(to, cases, &watch, err);
    watch.done = cases->case_count;
    if (st == HCBR_OK)
        st = hcbr_i_watch_ask(&watch, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_order_features(to, &watch, err);
    if (st == HCBR_OK && !to->as_read)
        hcbr_i_dict_settle(to->dict); // as of a list that was read so
    *out = st == HCBR_OK ? to : NULL;
    if (st != HCBR_OK)
        hcbr_cases_free(to);
    return st;
}
