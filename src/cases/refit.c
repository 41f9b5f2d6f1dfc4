/*
 * The final form of a complete list with separate numbers.
 *
 * The value `1` of words and ids is read as a feature; if their key has other numbers, it becomes
 * one of these. Words of too few cases are left out, whether features or numbers. Keys are numbered
 * again, since blocks and threads meet features and numbers in an order of their own. Invariant: on
 * failure nothing has changed.
 */
#include "cases/append.h"
#include "cases/dict.h"

#define WATCH 65536u /* features or occurrences between two progress calls */

/* The fate of a feature. */
enum { KEEP = 0, MOVE, DROP };

/* ---- dictionary ------------------------------------------------------------------------------ */

hcbr_status hcbr_i_dict_remake(hcbr_i_dict **out, const hcbr_i_dict *from,
                               const hcbr_i_dict_plan *plan, hcbr_error *err) {
    hcbr_i_dict *dict = NULL;
    hcbr_status st = hcbr_i_dict_create(&dict, 1, err);
    if (st == HCBR_OK) {
        dict->hash = from->hash;
        st = hcbr_i_dict_unfold(dict, err);
    }
    for (uint32_t k = 0; st == HCBR_OK && k < plan->key_count; k++) {
        hcbr_i_text key = hcbr_i_dict_key(from, plan->keys ? plan->keys[k] : k);
        hcbr_i_key_id id;
        st = hcbr_i_dict_append_key(dict, key.at, key.length, &id, err);
    }
    for (uint32_t f = 0; st == HCBR_OK && f < plan->feature_count; f++) {
        if (f % WATCH == 0 && (st = hcbr_i_watch_ask(plan->watch, err)) != HCBR_OK)
            break;
        const uint32_t old = plan->features ? plan->features[f] : f;
        hcbr_i_dict_feature x = hcbr_i_dict_get(from, old);
        if (plan->values && plan->values[old].at)
            x = (hcbr_i_dict_feature){x.key, (uint32_t)plan->values[old].length,
                                      plan->values[old].at};
        st = hcbr_i_dict_append(dict, plan->key_number ? plan->key_number[x.key] : x.key, x.value,
                                x.value ? x.value_length : 0, err);
    }
    *out = st == HCBR_OK ? dict : NULL;
    if (st != HCBR_OK)
        hcbr_i_dict_release(dict);
    return st;
}

/* ---- features and numbers -------------------------------------------------------------------- */

/* How a list is changed. */
typedef struct change {
    const uint8_t *fate;    /* by feature: KEEP, MOVE or DROP */
    const bool *drop;       /* by key: leave its numbers out */
    hcbr_i_feature_id *map; /* by feature that is kept: its new number */
    uint32_t *kept;         /* the opposite */
    uint32_t kept_count;
} change;

/* Append an item to a list; there is room. */
static bool put(hcbr_i_numbers *to, uint64_t at, uint32_t key, double value, uint8_t spelling,
                hcbr_i_text text) {
    to->key[at] = key;
    to->value[at] = value;
    to->spelling[at] = spelling;
    return spelling < HCBR_I_SPELLED_OTHER || hcbr_i_numbers_keep_text(to, at, text);
}

/* The items of a case that stay, and its features that become items. */
static bool copy_items(hcbr_i_numbers *to, const hcbr_cases *from, const change *x, uint32_t i) {
    const hcbr_i_numbers *n = &from->numbers;
    uint64_t at = to->start[i];
    for (uint64_t j = n->start[i]; j < n->start[i + 1]; j++) {
        char room[HCBR_NUMBER_SIZE];
        uint8_t spelling = n->spelling ? n->spelling[j] : HCBR_I_SPELLED_SHORTEST;
        hcbr_i_text text = {NULL, 0};
        if (x->drop[n->key[j]])
            continue;
        if (spelling >= HCBR_I_SPELLED_OTHER)
            text = hcbr_i_numbers_text(n, j, room);
        if (!put(to, at++, n->key[j], n->value[j], spelling, text))
            return false;
    }
    for (uint64_t j = from->start[i]; j < from->start[i + 1]; j++) {
        hcbr_i_dict_feature f;
        double value;
        uint8_t spelling;
        if (x->fate[from->features[j]] != MOVE)
            continue;
        f = hcbr_i_dict_get(from->dict, from->features[j]);
        if (hcbr_i_decimal_read(&value, &spelling, f.value, f.value_length) &&
            !put(to, at++, f.key, value, spelling, (hcbr_i_text){f.value, f.value_length}))
            return false;
    }
    to->start[i + 1] = at;
    return true;
}

/* All items of the changed list. */
static bool make_items(hcbr_i_numbers *to, const hcbr_cases *from, const change *x) {
    const uint64_t features = from->start[from->case_count];
    size_t count = (size_t)hcbr_i_cases_item_count(from);
    for (uint64_t j = 0; j < features; j++)
        count += x->fate[from->features[j]] == MOVE;
    to->start_capacity = (size_t)from->case_count + 1;
    to->value_capacity = to->key_capacity = to->spelling_capacity = count;
    to->start = hcbr_i_alloc(to->start_capacity, sizeof *to->start);
    to->value = hcbr_i_alloc(count, sizeof *to->value);
    to->key = hcbr_i_alloc(count, sizeof *to->key);
    to->spelling = hcbr_i_alloc(count, 1);
    if (!to->start || !to->value || !to->key || !to->spelling)
        return false;
    to->start[0] = 0;
    for (uint32_t i = 0; i < from->case_count; i++)
        if (!copy_items(to, from, x, i))
            return false;
    return true;
}

/* The features that stay, case by case. Cannot fail. */
static void keep_features(hcbr_cases *cases, const change *x) {
    uint64_t to = 0, from = 0;
    cases->empty_count = 0;
    for (uint32_t i = 0; i < cases->case_count; i++) {
        const uint64_t first = to;
        for (; from < cases->start[i + 1]; from++)
            if (x->fate[cases->features[from]] == KEEP)
                cases->features[to++] = x->map[cases->features[from]];
        cases->start[i + 1] = to;
        cases->empty_count += to == first && cases->numbers.start[i] == cases->numbers.start[i + 1];
    }
}

static hcbr_status apply(hcbr_cases *cases, const uint8_t *fate, const bool *drop,
                         hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    hcbr_i_numbers items = {0};
    hcbr_i_dict *dict = NULL;
    change x = {.fate = fate,
                .drop = drop,
                .map = hcbr_i_alloc(features, sizeof *x.map),
                .kept = hcbr_i_alloc(features, sizeof *x.kept)};
    hcbr_status st = x.map && x.kept ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++)
        if (fate[f] == KEEP) {
            x.map[f] = x.kept_count;
            x.kept[x.kept_count++] = f;
        }
    if (st == HCBR_OK && !make_items(&items, cases, &x))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        hcbr_i_dict_plan plan = {.key_count = hcbr_i_dict_key_count(cases->dict),
                                 .features = x.kept,
                                 .feature_count = x.kept_count};
        st = hcbr_i_dict_remake(&dict, cases->dict, &plan, err);
    }
    if (st == HCBR_OK) {
        hcbr_i_dict_release(cases->dict);
        cases->dict = dict;
        hcbr_i_numbers_clear(&cases->numbers);
        cases->numbers = items;
        keep_features(cases, &x);
    } else {
        hcbr_i_numbers_clear(&items);
    }
    hcbr_i_free(x.map);
    hcbr_i_free(x.kept);
    return st;
}

/* Find the keys with numbers. */
static void mark_keys(const hcbr_cases *cases, bool *has) {
    const uint64_t count = hcbr_i_cases_item_count(cases);
    for (uint64_t j = 0; j < count; j++)
        has[cases->numbers.key[j]] = true;
}

/* Whether the value of the feature is a number. */
static bool is_number(const hcbr_i_dict_feature *x) {
    double value;
    uint8_t spelling;
    return x->value && hcbr_i_decimal_read(&value, &spelling, x->value, x->value_length);
}

/* Features of keys that have numbers become numbers, if they are. */
static hcbr_status unify(hcbr_cases *cases, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    bool any = false, *has = hcbr_i_alloc_zero(keys, sizeof *has);
    bool *none = hcbr_i_alloc_zero(keys, sizeof *none);
    uint8_t *fate = hcbr_i_alloc_zero(features, sizeof *fate);
    hcbr_status st = has && none && fate ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        mark_keys(cases, has);
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
        if (has[x.key] && is_number(&x)) {
            fate[f] = MOVE;
            any = true;
        }
    }
    if (st == HCBR_OK && any)
        st = apply(cases, fate, none, err);
    hcbr_i_free(has);
    hcbr_i_free(none);
    hcbr_i_free(fate);
    return st;
}

/* Count the cases of each key; a word has one value in a case. */
static void count_keys(const hcbr_cases *cases, uint64_t *count) {
    const uint64_t features = cases->start[cases->case_count];
    const uint64_t items = hcbr_i_cases_item_count(cases);
    for (uint64_t j = 0; j < features; j++)
        count[hcbr_i_dict_get(cases->dict, cases->features[j]).key]++;
    for (uint64_t j = 0; j < items; j++)
        count[cases->numbers.key[j]]++;
}

hcbr_status hcbr_i_numbers_drop_rare(hcbr_cases *cases, hcbr_error *err) {
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    bool any = false, *drop = hcbr_i_alloc_zero(keys, sizeof *drop);
    uint64_t *count = hcbr_i_alloc_zero(keys, sizeof *count);
    uint8_t *fate = hcbr_i_alloc_zero(features, sizeof *fate);
    hcbr_status st = drop && count && fate ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        count_keys(cases, count);
    for (uint32_t k = 0; st == HCBR_OK && k < keys && k < cases->least_count; k++)
        any |= drop[k] = count[k] < cases->least[k];
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++)
        fate[f] = drop[hcbr_i_dict_get(cases->dict, f).key] ? DROP : KEEP;
    if (st == HCBR_OK && any)
        st = apply(cases, fate, drop, err);
    if (st == HCBR_OK)
        cases->least_count = 0;
    hcbr_i_free(drop);
    hcbr_i_free(count);
    hcbr_i_free(fate);
    return st;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Number a key or feature unless it is numbered. */
static void order_one(uint32_t one, uint32_t *number, uint32_t *order, uint32_t *used) {
    if (number[one] == HCBR_I_NONE) {
        order[*used] = one;
        number[one] = (*used)++;
    }
}

/* Number the keys by first appearance; returns how many are used. */
static uint32_t find_order(const hcbr_cases *cases, uint32_t *number, uint32_t *order) {
    const hcbr_i_numbers *n = &cases->numbers;
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    uint32_t used = 0;
    memset(number, 0xFF, keys * sizeof *number); // HCBR_I_NONE
    for (uint32_t i = 0; used < keys && i < cases->case_count; i++) {
        for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++)
            order_one(hcbr_i_dict_get(cases->dict, cases->features[j]).key, number, order, &used);
        for (uint64_t j = n->start[i]; j < n->start[i + 1]; j++)
            order_one(n->key[j], number, order, &used);
    }
    return used;
}

/* Move the minimal counts of words with their keys. */
static void order_least(hcbr_cases *cases, const uint32_t *order, uint32_t used, uint32_t *least) {
    if (cases->least_count == 0)
        return;
    for (uint32_t k = 0; k < used; k++)
        least[k] = order[k] < cases->least_count ? cases->least[order[k]] : 0;
    memcpy(cases->least, least, used * sizeof *least);
    cases->least_count = used;
}

hcbr_status hcbr_i_cases_order_keys(hcbr_cases *cases, hcbr_error *err) {
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    if (!cases->numbers.start)
        return HCBR_OK; /* as features number them */
    uint32_t *number = hcbr_i_alloc(keys, sizeof *number);
    uint32_t *order = hcbr_i_alloc(keys, sizeof *order), used = 0;
    hcbr_i_dict *dict = NULL;
    bool same = true;
    hcbr_status st = number && order ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK && cases->least_count &&
        !hcbr_i_grow(&cases->least, &cases->least_capacity, keys, sizeof *cases->least))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        used = find_order(cases, number, order);
        same = used == keys;
        for (uint32_t k = 0; same && k < keys; k++)
            same = order[k] == k;
    }
    if (st == HCBR_OK && !same) {
        hcbr_i_dict_plan plan = {.keys = order,
                                 .key_count = used,
                                 .key_number = number,
                                 .feature_count = hcbr_i_dict_count(cases->dict)};
        st = hcbr_i_dict_remake(&dict, cases->dict, &plan, err);
    }
    if (st == HCBR_OK && !same) {
        const uint64_t items = hcbr_i_cases_item_count(cases);
        hcbr_i_dict_release(cases->dict);
        cases->dict = dict;
        for (uint64_t j = 0; j < items; j++)
            cases->numbers.key[j] = number[cases->numbers.key[j]];
        order_least(cases, order, used, number); /* which is not needed any more */
    }
    hcbr_i_free(number);
    hcbr_i_free(order);
    return st;
}

/* ---- features ----------------------------------------------------------------------------------
 */

/* Number features and their keys by first appearance in cases without separate numbers. */
static hcbr_status number_names(const hcbr_cases *cases, uint32_t *feature, uint32_t *features,
                                uint32_t *key, uint32_t *keys, uint32_t used[2],
                                const hcbr_i_watch *watch, hcbr_error *err) {
    memset(feature, 0xFF, hcbr_i_dict_count(cases->dict) * sizeof *feature); // HCBR_I_NONE
    memset(key, 0xFF, hcbr_i_dict_key_count(cases->dict) * sizeof *key);
    used[0] = used[1] = 0;
    for (uint64_t j = 0; j < cases->start[cases->case_count]; j++) {
        hcbr_status st = j % WATCH == 0 ? hcbr_i_watch_ask(watch, err) : HCBR_OK;
        if (st != HCBR_OK)
            return st;
        uint32_t f = cases->features[j], k = hcbr_i_dict_get(cases->dict, f).key;
        order_one(f, feature, features, &used[0]);
        order_one(k, key, keys, &used[1]);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_cases_order_features(hcbr_cases *cases, const hcbr_i_watch *watch,
                                        hcbr_error *err) {
    const uint32_t all = hcbr_i_dict_count(cases->dict);
    const uint32_t all_keys = hcbr_i_dict_key_count(cases->dict);
    uint32_t *feature = hcbr_i_alloc(all, sizeof *feature), used[2];
    uint32_t *features = hcbr_i_alloc(all, sizeof *features);
    uint32_t *key = hcbr_i_alloc(all_keys, sizeof *key);
    uint32_t *keys = hcbr_i_alloc(all_keys, sizeof *keys);
    hcbr_i_dict *dict = NULL;
    hcbr_status st = feature && features && key && keys ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = number_names(cases, feature, features, key, keys, used, watch, err);
    if (st == HCBR_OK) {
        hcbr_i_dict_plan plan = {.keys = keys,
                                 .key_count = used[1],
                                 .key_number = key,
                                 .features = features,
                                 .feature_count = used[0],
                                 .watch = watch};
        st = hcbr_i_dict_remake(&dict, cases->dict, &plan, err);
    }
    if (st == HCBR_OK && cases->least_count &&
        !hcbr_i_grow(&cases->least, &cases->least_capacity, all_keys, sizeof *cases->least)) {
        hcbr_i_dict_release(dict);
        st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK) {
        hcbr_i_dict_release(cases->dict);
        cases->dict = dict;
        for (uint64_t j = 0; j < cases->start[cases->case_count]; j++)
            cases->features[j] = feature[cases->features[j]];
        order_least(cases, keys, used[1], key); /* which is not needed any more */
    }
    hcbr_i_free(feature);
    hcbr_i_free(features);
    hcbr_i_free(key);
    hcbr_i_free(keys);
    return st;
}

/* ---- a list of cases ------------------------------------------------------------------------- */

/* Release the memory kept for more. */
static void *shrink(void *array, size_t *capacity, size_t count, size_t size) {
    void *smaller = array && count && count < *capacity ? hcbr_i_realloc(array, count, size) : NULL;
    if (smaller)
        *capacity = count;
    return smaller ? smaller : array;
}

hcbr_status hcbr_i_numbers_finish(hcbr_cases *cases, hcbr_error *err) {
    hcbr_i_numbers *n = &cases->numbers;
    if (!n->start)
        return HCBR_OK;
    hcbr_status st = unify(cases, err);
    if (st == HCBR_OK && !cases->keep_rare && cases->least_count)
        st = hcbr_i_numbers_drop_rare(cases, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_order_keys(cases, err);
    if (st != HCBR_OK)
        return st;
    const size_t count = (size_t)hcbr_i_cases_item_count(cases);
    n->start =
        shrink(n->start, &n->start_capacity, (size_t)cases->case_count + 1, sizeof *n->start);
    n->value = shrink(n->value, &n->value_capacity, count, sizeof *n->value);
    n->key = shrink(n->key, &n->key_capacity, count, sizeof *n->key);
    n->spelling = shrink(n->spelling, &n->spelling_capacity, count, 1);
    return HCBR_OK;
}
