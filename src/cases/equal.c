/*
 * Equal numbers are equal values: in a key whose values are all numbers, the features of a list
 * that are spellings of one number (`1`, `1.0`, `1e0`) become one, named by the canonical text.
 *
 * Invariants: the result is the list that reading canonical texts gives; a key with another value
 * keeps its spellings separate; on failure nothing has changed. Only features with another spelling
 * are looked up; the others are read and copied.
 */
#include "cases/append.h"
#include "cases/dict.h"

#define BATCH 1024u  /* features entered at a time */
#define WATCH 16384u /* features between two progress calls */

/* Features that are numbers of unusual spelling. */
typedef struct unusual {
    uint32_t *feature; /* ascending */
    size_t count, capacity;
} unusual;

/*
 * Find the keys with numbers only among these features, and the unusual features, which may include
 * some of keys with other values too; `out` may be NULL. false: out of memory.
 */
static inline __attribute__((always_inline)) bool find_keys_among(const hcbr_i_dict *dict,
                                                                  uint32_t begin, uint32_t end,
                                                                  bool *numbers, unusual *out) {
    for (uint32_t f = begin; f < end; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        double value;
        uint8_t spelling;
        if (!numbers[x.key])
            continue;
        numbers[x.key] = x.value && hcbr_i_decimal_read(&value, &spelling, x.value, x.value_length);
        if (!out || !numbers[x.key] || spelling == HCBR_I_SPELLED_SHORTEST)
            continue;
        if (!hcbr_i_grow(&out->feature, &out->capacity, out->count + 1, sizeof *out->feature))
            return false;
        out->feature[out->count++] = f;
    }
    return true;
}

/* The same among all features. */
static hcbr_status find_keys(const hcbr_i_dict *dict, bool *numbers, unusual *out,
                             const hcbr_i_watch *watch, hcbr_error *err) {
    const uint32_t features = dict->plain ? 0 : hcbr_i_dict_count(dict);
    hcbr_status st = HCBR_OK;
    memset(numbers, true, hcbr_i_dict_key_count(dict) * sizeof *numbers);
    for (uint32_t f = 0, end; st == HCBR_OK && f < features; f = end) {
        end = features - f < WATCH ? features : f + WATCH;
        if ((st = hcbr_i_watch_ask(watch, err)) == HCBR_OK &&
            !find_keys_among(dict, f, end, numbers, out))
            st = hcbr_i_no_memory(err);
    }
    return st;
}

hcbr_status hcbr_i_dict_number_keys(const hcbr_i_dict *dict, bool *numbers,
                                    const hcbr_i_watch *watch, hcbr_error *err) {
    return find_keys(dict, numbers, NULL, watch, err);
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
    (void)find_keys(dict, numbers, NULL, NULL, NULL);
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

hcbr_status hcbr_i_dict_check_numbers(const hcbr_i_dict *dict, bool *canonical, hcbr_error *err) {
    unusual list = {0};
    char *text = NULL;
    size_t capacity = 0;
    bool *numbers = hcbr_i_alloc(hcbr_i_dict_key_count(dict), sizeof *numbers);
    bool ok = numbers && find_keys(dict, numbers, &list, NULL, NULL) == HCBR_OK;
    *canonical = true;
    for (size_t n = 0; ok && *canonical && n < list.count; n++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, list.feature[n]);
        if (!numbers[x.key])
            continue;
        if (!(ok = hcbr_i_grow(&text, &capacity, x.value_length + HCBR_NUMBER_SIZE, 1)))
            break;
        assert(text);
        size_t length = hcbr_i_decimal_canonical(text, x.value, x.value_length);
        *canonical = hcbr_i_text_compare(text, length, x.value, x.value_length) == 0;
    }
    hcbr_i_free(numbers);
    hcbr_i_free(list.feature);
    hcbr_i_free(text);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

/* ---- spellings of one number ----------------------------------------------------------------- */

/* The state: the features that change, and their canonical names. */
typedef struct merging {
    const hcbr_i_dict *from;
    unusual list;           /* at last only those that are not canonical */
    hcbr_i_dict *names;     /* canonical names, each once */
    hcbr_i_feature_id *map; /* by feature: the first of its equals, in the end its number */
    hcbr_i_text *values;    /* by feature: its canonical text, if that is another */
    uint32_t *kept;         /* the first ones, ascending */
    uint32_t kept_count;
    uint32_t *keys, *key_number; /* in the order in which features have them, and the opposite */
    uint32_t key_count;
    char *text; /* working memory for a canonical text */
    size_t text_capacity;
} merging;

/* Put the names of the features of the list into a block, from `first` on. Each feature that is not
 * canonical becomes a case, and stays in the list from `*kept` on. */
static bool fill(merging *m, hcbr_i_block *block, const bool *numbers, size_t first, size_t count,
                 size_t *kept) {
    for (size_t n = 0; n < count; n++) {
        const hcbr_i_feature_id f = m->list.feature[first + n];
        hcbr_i_dict_feature x = hcbr_i_dict_get(m->from, f);
        hcbr_i_text key = hcbr_i_dict_key(m->from, x.key);
        if (!numbers[x.key])
            continue;
        if (!hcbr_i_grow(&m->text, &m->text_capacity, x.value_length + HCBR_NUMBER_SIZE, 1))
            return false;
        size_t length = hcbr_i_decimal_canonical(m->text, x.value, x.value_length);
        if (hcbr_i_text_compare(m->text, length, x.value, x.value_length) == 0)
            continue;
        char *copy = hcbr_i_arena_take(&block->arena, length + 1);
        if (!copy)
            return false;
        memcpy(copy, m->text, length);
        if (!hcbr_i_block_add(block, key.at, key.length, copy, length))
            return false;
        m->list.feature[(*kept)++] = f;
    }
    return true;
}

/* m->names has the names of the features to change; id[n] is the name of feature n of the list. */
static hcbr_status enter(merging *m, const bool *numbers, hcbr_i_feature_id *id,
                         const hcbr_i_watch *watch, hcbr_error *err) {
    const size_t count = m->list.count;
    hcbr_i_raw_case each[BATCH];
    hcbr_i_block block = {.cases = each};
    uint32_t lengths[BATCH];
    hcbr_status st = HCBR_OK;
    size_t kept = 0;
    for (uint32_t n = 0; n < BATCH; n++)
        each[n] = (hcbr_i_raw_case){.first = n, .count = 1};
    for (size_t n = 0; st == HCBR_OK && n < count; n += BATCH) {
        const size_t before = kept;
        hcbr_i_block_reset(&block);
        if ((st = hcbr_i_watch_ask(watch, err)) != HCBR_OK)
            break;
        if (!fill(m, &block, numbers, n, count - n < BATCH ? count - n : BATCH, &kept))
            st = hcbr_i_no_memory(err);
        block.case_count = kept - before;
        if (st == HCBR_OK) /* no two cases have the same number */
            st = hcbr_i_dict_intern(m->names, &block, (uint32_t)n, id + before, lengths, err);
    }
    m->list.count = kept;
    block.cases = NULL;
    hcbr_i_block_clear(&block);
    return st;
}

/*
 * Set m->map to the first of equal features: those in the list with one name, and the feature that
 * has that name already.
 */
static hcbr_status join(merging *m, hcbr_i_dict *from, const hcbr_i_feature_id *id,
                        hcbr_error *err) {
    const uint32_t names = hcbr_i_dict_count(m->names), features = hcbr_i_dict_count(from);
    hcbr_i_feature_id *first = hcbr_i_alloc(names, sizeof *first);
    hcbr_status st = first ? hcbr_i_dict_need_tables(from, err) : hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < features; f++)
        m->map[f] = f;
    for (uint32_t n = 0; st == HCBR_OK && n < names; n++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(m->names, n);
        hcbr_i_text key = hcbr_i_dict_key(m->names, x.key);
        first[n] = hcbr_i_dict_find(from, key.at, key.length, x.value, x.value_length);
    }
    for (size_t i = m->list.count; st == HCBR_OK && i-- > 0;) { /* descending: the last is the
                                                                   first */
        const hcbr_i_feature_id f = m->list.feature[i];
        if (f < first[id[i]]) {
            hcbr_i_dict_feature x = hcbr_i_dict_get(m->names, id[i]);
            if (first[id[i]] != HCBR_I_NONE)
                m->map[first[id[i]]] = f;
            m->values[f] = (hcbr_i_text){x.value, x.value_length};
            first[id[i]] = f;
        }
    }
    for (size_t i = 0; st == HCBR_OK && i < m->list.count; i++)
        m->map[m->list.feature[i]] = first[id[i]];
    hcbr_i_free(first);
    return st;
}

/* Turn first ones into numbers, with the keys in order of first use. */
static void number(merging *m) {
    const uint32_t features = hcbr_i_dict_count(m->from);
    memset(m->key_number, 0xFF, hcbr_i_dict_key_count(m->from) * sizeof *m->key_number);
    for (uint32_t f = 0; f < features; f++) {
        const hcbr_i_key_id key = m->from->features[f].key;
        if (m->key_number[key] == HCBR_I_NONE) {
            m->key_number[key] = m->key_count;
            m->keys[m->key_count++] = key;
        }
        if (m->map[f] != f) {
            m->map[f] = m->map[m->map[f]]; /* which has its number: it is smaller */
            continue;
        }
        m->kept[m->kept_count] = f;
        m->map[f] = m->kept_count++;
    }
}

/* A dictionary of the canonical texts in place of `from`; m->map are the numbers in it. */
static hcbr_status rename_features(merging *m, hcbr_i_dict *from, const hcbr_i_feature_id *id,
                                   hcbr_i_dict **out, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(from), keys = hcbr_i_dict_key_count(from);
    m->map = hcbr_i_alloc(features, sizeof *m->map);
    m->values = hcbr_i_alloc_zero(features, sizeof *m->values);
    m->kept = hcbr_i_alloc(features, sizeof *m->kept);
    m->keys = hcbr_i_alloc(keys, sizeof *m->keys);
    m->key_number = hcbr_i_alloc(keys, sizeof *m->key_number);
    if (!m->map || !m->values || !m->kept || !m->keys || !m->key_number)
        return hcbr_i_no_memory(err);
    hcbr_status st = join(m, from, id, err);
    if (st != HCBR_OK)
        return st;
    number(m);
    const hcbr_i_dict_plan plan = {.keys = m->keys,
                                   .key_count = m->key_count,
                                   .key_number = m->key_number,
                                   .features = m->kept,
                                   .feature_count = m->kept_count,
                                   .values = m->values};
    return hcbr_i_dict_remake(out, from, &plan, err);
}

static void merging_clear(merging *m) {
    hcbr_i_dict_release(m->names);
    hcbr_i_free(m->list.feature);
    hcbr_i_free(m->map);
    hcbr_i_free(m->values);
    hcbr_i_free(m->kept);
    hcbr_i_free(m->keys);
    hcbr_i_free(m->key_number);
    hcbr_i_free(m->text);
}

/* Replace the features of the cases, each once. Cannot fail. */
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

/* *out is the new dictionary, and m->map the features in it; NULL: no change. */
static hcbr_status merge(merging *m, hcbr_i_dict *from, hcbr_i_dict **out,
                         const hcbr_i_watch *watch, hcbr_error *err) {
    bool *numbers = hcbr_i_alloc(hcbr_i_dict_key_count(from), sizeof *numbers);
    hcbr_i_feature_id *id = NULL;
    hcbr_status st =
        numbers ? find_keys(from, numbers, &m->list, watch, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK && m->list.count > 0) {
        id = hcbr_i_alloc(m->list.count, sizeof *id);
        st = id ? hcbr_i_dict_create(&m->names, 1, err) : hcbr_i_no_memory(err);
        if (st == HCBR_OK) {
            m->names->hash = from->hash;
            st = enter(m, numbers, id, watch, err);
        }
    }
    if (st == HCBR_OK && m->list.count > 0)
        st = rename_features(m, from, id, out, err);
    hcbr_i_free(numbers);
    hcbr_i_free(id);
    return st;
}

hcbr_status hcbr_i_cases_merge_equal(hcbr_cases *cases, hcbr_i_feature_id *known, uint32_t count,
                                     hcbr_error *err) {
    if (cases->dict->plain || cases->apart || cases->as_read)
        return HCBR_OK;
    merging m = {.from = cases->dict};
    hcbr_i_dict *dict = NULL;
    hcbr_status st = merge(&m, cases->dict, &dict, &cases->watch, err);
    if (st == HCBR_OK && dict) {
        uint32_t *marks = m.kept;                          /* as many as there are features now */
        memset(marks, 0xFF, m.kept_count * sizeof *marks); /* no case has such a number */
        replace(cases, m.map, marks);
        for (uint32_t f = 0; f < count; f++)
            if (known[f] != HCBR_I_NONE)
                known[f] = m.map[known[f]];
        hcbr_i_dict_release(cases->dict);
        cases->dict = dict;
    }
    merging_clear(&m);
    return st;
}
