/*
 * Training cases key by key: facts about each key, and its values in one place.
 *
 * Numbers are stored case by case; those of some keys at a time are gathered, so that no second
 * copy of all is needed. Nothing here depends on the numbers of the dictionary: keys are sorted by
 * their bytes, values by number or by their bytes.
 */
#include "rich/encode/column_encoding.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST_TOGETHER (1u << 21) /* numbers gathered at once, or ... */
#define PARTS 8u                   /* ... one in this many of all */
#define SMALL 64u                  /* numbers not worth a table */
#define FEW 16u                    /* different amounts searched linearly */

/* ---- all cases ------------------------------------------------------------------------------- */

static bool listed(const char *const *list, size_t count, hcbr_i_text key) {
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == key.length && memcmp(list[i], key.at, key.length) == 0)
            return true;
    return false;
}

static void meet(hcbr_i_rich_maker *m, hcbr_i_key_id key, uint32_t place, double weight) {
    hcbr_i_rich_seen *s = &m->seen[key];
    if (s->last_place == place + 1) {
        s->several = true;
    } else {
        s->weight += weight;
        s->last_place = place + 1;
    }
}

static bool same_name(const void *names, uint32_t n, const void *wanted) {
    const hcbr_i_name *a = (const hcbr_i_name *)names + n, *b = wanted;
    return a->lo == b->lo && a->hi == b->hi;
}

/* Note one of several numbers that the current case has of a key; false: a duplicate, or no
 * memory. */
static bool note(hcbr_i_rich_maker *m, hcbr_i_key_id key, const hcbr_i_rich_entry *x) {
    char room[HCBR_NUMBER_SIZE];
    hcbr_i_text text = {(const char *)&x->value, sizeof x->value};
    if (hcbr_i_rich_entry_wide(m, x)) { // other numbers have the same double
        text = hcbr_i_rich_entry_text(m, x, room);
        if (!hcbr_i_grow(&m->text, &m->text_capacity, text.length + HCBR_NUMBER_SIZE, 1)) {
            m->failed = true;
            return false;
        }
        text = (hcbr_i_text){m->text, hcbr_i_decimal_canonical(m->text, text.at, text.length)};
    }
    hcbr_i_name name = hcbr_i_hash_text(hcbr_i_dict_hash_key(m->cases->dict), (const char *)&key,
                                        sizeof key, text.at, text.length);
    if (hcbr_i_hash_table_find(&m->met, name.lo, same_name, m->met_names, &name) !=
        HCBR_I_HASH_NONE)
        return false;
    m->failed |=
        !hcbr_i_grow(&m->met_names, &m->met_capacity, m->met_count + 1, sizeof *m->met_names) ||
        !hcbr_i_hash_table_add(&m->met, name.lo, (uint32_t)m->met_count);
    if (!m->failed)
        m->met_names[m->met_count++] = name;
    return !m->failed;
}

/* Whether a number of a case is new; false: the case has it already, in another spelling. If the
 * key has words, numbers are texts like them, and each spelling is one. */
static bool is_new(hcbr_i_rich_maker *m, hcbr_i_key_id key, const hcbr_i_rich_entry *x) {
    hcbr_i_rich_seen *s = &m->seen[key];
    if (m->word_start[key] != m->word_start[key + 1])
        return true;
    if (s->first.place != x->place || !s->any) {
        s->first = *x;
        s->any = true;
        s->noted = false;
        return true;
    }
    s->repeats = true;
    if (m->met_place != x->place && m->met_count) {
        m->met_count = 0;
        m->failed |= !hcbr_i_hash_table_restart(&m->met, 1);
    }
    m->met_place = x->place;
    if (!s->noted)
        (void)note(m, key, &s->first);
    s->noted = true;
    return note(m, key, x);
}

static void look_at_case(hcbr_i_rich_maker *m, uint32_t place) {
    const struct hcbr_cases *c = m->cases;
    uint32_t i = hcbr_i_rich_view_case(m->view, place);
    double w = hcbr_i_rich_weight(m->view, i);
    if (!(w > 0))
        return;
    m->total += w;
    for (uint64_t j = c->start[i]; j < c->start[i + 1]; j++) {
        hcbr_i_feature_id f = c->features[j];
        hcbr_i_key_id k = hcbr_i_dict_get(c->dict, f).key;
        bool number = !isnan(m->word_value[f]);
        hcbr_i_rich_entry x = {m->word_value[f], HCBR_I_RICH_NO_ITEM, place};
        if (number && !is_new(m, k, &x))
            continue;
        m->seen[k].numbers += number;
        m->seen[k].forced += number;
        m->seen[k].words += !number && m->weight[f] == 0;
        m->weight[f] += w;
        meet(m, k, place, w);
    }
    for (uint64_t j = c->numbers.start ? c->numbers.start[i] : 0;
         c->numbers.start && j < c->numbers.start[i + 1]; j++) {
        hcbr_i_rich_entry x = {c->numbers.value[j], j, place};
        if (!is_new(m, c->numbers.key[j], &x))
            continue;
        m->seen[c->numbers.key[j]].numbers++;
        meet(m, c->numbers.key[j], place, w);
    }
}

/* Sort features by key, and find those that are forced to be numbers. */
static void sort_words(hcbr_i_rich_maker *m) {
    const hcbr_i_dict *dict = m->cases->dict;
    uint32_t features = hcbr_i_dict_count(dict), keys = hcbr_i_dict_key_count(dict);
    uint32_t *start = m->word_start; // of key k at k + 1 at first
    for (uint32_t f = 0; f < features; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        start[x.key + 2]++;
        double value;
        if (!m->seen[x.key].is_numeric || !x.value ||
            !hcbr_number_parse(&value, x.value, x.value_length) || !isfinite(value))
            value = NAN;
        m->word_value[f] = value == 0 ? 0 : value;
    }
    for (uint32_t k = 0; k < keys; k++)
        start[k + 2] += start[k + 1];
    for (uint32_t f = 0; f < features; f++)
        m->words[start[hcbr_i_dict_get(dict, f).key + 1]++] = f;
}

/* A key with two values in a case cannot be numeric: make its forced numbers words again. */
static void take_back(hcbr_i_rich_maker *m, uint32_t keys) {
    for (uint32_t k = 0; k < keys; k++) {
        hcbr_i_rich_seen *s = &m->seen[k];
        if (!s->several || !s->forced)
            continue;
        s->numbers -= s->forced;
        for (uint32_t w = m->word_start[k]; w < m->word_start[k + 1]; w++) {
            s->words += !isnan(m->word_value[m->words[w]]) && m->weight[m->words[w]] > 0;
            m->word_value[m->words[w]] = NAN;
        }
    }
}

/* A key, to be sorted by its bytes. */
typedef struct named {
    hcbr_i_text name;
    hcbr_i_key_id key;
} named;

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    return hcbr_i_text_compare(x->name.at, x->name.length, y->name.at, y->name.length);
}

static bool sort_keys(hcbr_i_rich_maker *m, uint32_t keys) {
    named *list = hcbr_i_alloc(keys, sizeof *list);
    if (!list)
        return false;
    for (uint32_t k = 0; k < keys; k++)
        list[k] = (named){hcbr_i_dict_key(m->cases->dict, k), k};
    if (keys)
        qsort(list, keys, sizeof *list, by_name);
    for (uint32_t k = 0; k < keys; k++)
        m->order[k] = list[k].key;
    hcbr_i_free(list);
    return true;
}

hcbr_status hcbr_i_rich_look(hcbr_i_rich_maker *m, hcbr_error *err) {
    const hcbr_i_dict *dict = m->cases->dict;
    const hcbr_i_rich_options *o = m->options;
    size_t keys = hcbr_i_dict_key_count(dict), features = hcbr_i_dict_count(dict);
    m->order = hcbr_i_alloc(keys, sizeof *m->order);
    m->seen = hcbr_i_alloc_zero(keys, sizeof *m->seen);
    m->word_start = hcbr_i_alloc_zero(keys + 2, sizeof *m->word_start);
    m->words = hcbr_i_alloc(features, sizeof *m->words);
    m->weight = hcbr_i_alloc_zero(features, sizeof *m->weight);
    m->word_value = hcbr_i_alloc(features, sizeof *m->word_value);
    m->known = hcbr_i_alloc(features, sizeof *m->known);
    m->entry_start = hcbr_i_alloc_zero(keys + 1, sizeof *m->entry_start);
    m->distinct = hcbr_i_alloc_zero(keys, sizeof *m->distinct);
    if (!m->order || !m->seen || !m->word_start || !m->words || !m->weight || !m->word_value ||
        !m->known || !m->entry_start || !m->distinct || !sort_keys(m, (uint32_t)keys))
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < keys; k++) {
        hcbr_i_text key = hcbr_i_dict_key(dict, k);
        m->seen[k].is_numeric = listed(o->numeric, o->numeric_count, key);
        m->seen[k].is_categorical = listed(o->categorical, o->categorical_count, key);
    }
    sort_words(m);
    for (size_t f = 0; f < features; f++)
        m->known[f] = HCBR_I_NONE;
    const hcbr_i_numbers *n = &m->cases->numbers;
    m->wide = n->spelling && n->start &&
              memchr(n->spelling, HCBR_I_SPELLED_WIDE, (size_t)n->start[m->cases->case_count]);
    uint32_t count = hcbr_i_rich_view_count(m->view);
    for (uint32_t place = 0; place < count; place++)
        look_at_case(m, place);
    take_back(m, (uint32_t)keys);
    return m->failed ? hcbr_i_no_memory(err) : HCBR_OK;
}

/* ---- numbers of some keys -------------------------------------------------------------------- */

/* By key of the case base: index of its next entry; SIZE_MAX: not gathered now. */
static void fill_entries(hcbr_i_rich_maker *m, size_t *next) {
    const struct hcbr_cases *c = m->cases;
    uint32_t count = hcbr_i_rich_view_count(m->view);
    for (uint32_t place = 0; place < count; place++) {
        uint32_t i = hcbr_i_rich_view_case(m->view, place);
        if (m->view->weight && !(hcbr_i_rich_weight(m->view, i) > 0))
            continue;
        for (uint64_t j = c->start[i]; m->options->numeric_count && j < c->start[i + 1]; j++) {
            hcbr_i_rich_entry x = {m->word_value[c->features[j]], HCBR_I_RICH_NO_ITEM, place};
            hcbr_i_key_id key = hcbr_i_dict_get(c->dict, c->features[j]).key;
            size_t *at = &next[key];
            if (!isnan(x.value) && *at != SIZE_MAX && (!m->seen[key].repeats || is_new(m, key, &x)))
                m->entries[(*at)++] = x;
        }
        for (uint64_t j = c->numbers.start ? c->numbers.start[i] : 0;
             c->numbers.start && j < c->numbers.start[i + 1]; j++) {
            size_t *at = &next[c->numbers.key[j]];
            hcbr_i_rich_entry x = {c->numbers.value[j], j, place};
            if (*at != SIZE_MAX &&
                (!m->seen[c->numbers.key[j]].repeats || is_new(m, c->numbers.key[j], &x)))
                m->entries[(*at)++] = x;
        }
    }
}

hcbr_status hcbr_i_rich_gather(hcbr_i_rich_maker *m, uint32_t from, uint32_t *to, hcbr_error *err) {
    uint32_t keys = hcbr_i_dict_key_count(m->cases->dict);
    uint64_t all = m->cases->numbers.start ? m->cases->numbers.start[m->cases->case_count] : 0;
    uint64_t most = all / PARTS > FEWEST_TOGETHER ? all / PARTS : FEWEST_TOGETHER, sum = 0;
    size_t *next = hcbr_i_alloc(keys, sizeof *next);
    if (!next)
        return hcbr_i_no_memory(err);
    memset(next, 0xFF, keys * sizeof *next); // SIZE_MAX
    for (uint32_t k = 0; k < keys; k++)
        m->seen[k].any = false;
    m->met_place = UINT32_MAX; // names of the last case are from an earlier pass
    for (*to = from; *to < keys; ++*to) {
        uint64_t numbers = m->seen[m->order[*to]].numbers;
        if (*to > from && sum + numbers > most)
            break;
        m->entry_start[*to] = sum;
        next[m->order[*to]] = (size_t)sum;
        sum += numbers;
        m->entry_start[*to + 1] = sum;
    }
    bool ok = hcbr_i_grow(&m->entries, &m->entry_capacity, (size_t)sum + 1, sizeof *m->entries);
    if (ok && sum)
        fill_entries(m, next);
    hcbr_i_free(next);
    return ok && !m->failed ? HCBR_OK : hcbr_i_no_memory(err);
}

/* ---- sorting --------------------------------------------------------------------------------- */

/* Bits of a double that rise with it, and back. */
static uint64_t rising(double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits >> 63 ? ~bits : bits | (uint64_t)1 << 63;
}

static int by_value(const void *a, const void *b) {
    const hcbr_i_rich_amount *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

void hcbr_i_rich_sort_keyed(hcbr_i_rich_keyed *a, hcbr_i_rich_keyed *b, size_t count) {
    size_t table[8][256] = {{0}};
    for (size_t i = 0; i < count; i++)
        for (int byte = 0; byte < 8; byte++)
            table[byte][a[i].key >> (8 * byte) & 255]++;
    hcbr_i_rich_keyed *from = a, *to = b;
    for (int byte = 0; byte < 8; byte++) {
        size_t *next = table[byte], sum = 0;
        if (count == 0 || next[from[0].key >> (8 * byte) & 255] == count)
            continue; // all alike
        for (int v = 0; v < 256; v++) {
            size_t n = next[v];
            next[v] = sum;
            sum += n;
        }
        for (size_t i = 0; i < count; i++)
            to[next[from[i].key >> (8 * byte) & 255]++] = from[i];
        hcbr_i_rich_keyed *swap = from;
        from = to;
        to = swap;
    }
    if (from != a)
        memcpy(a, from, count * sizeof *a);
}

/* The amounts as keyed weights, and back. */
static void sort_many(hcbr_i_rich_amount *v, hcbr_i_rich_amount *spare, size_t count) {
    _Static_assert(sizeof(hcbr_i_rich_amount) == sizeof(hcbr_i_rich_keyed), "both are 16 bytes");
    hcbr_i_rich_keyed *a = (hcbr_i_rich_keyed *)(void *)v;
    for (size_t i = 0; i < count; i++) {
        hcbr_i_rich_amount x = v[i];
        hcbr_i_rich_keyed keyed = {.key = rising(x.value)};
        memcpy(&keyed.load, &x.weight, sizeof keyed.load);
        memcpy(&v[i], &keyed, sizeof keyed);
    }
    hcbr_i_rich_sort_keyed(a, (hcbr_i_rich_keyed *)(void *)spare, count);
    for (size_t i = 0; i < count; i++) {
        hcbr_i_rich_keyed keyed;
        hcbr_i_rich_amount x;
        memcpy(&keyed, &v[i], sizeof keyed);
        uint64_t bits = keyed.key >> 63 ? keyed.key & ~((uint64_t)1 << 63) : ~keyed.key;
        memcpy(&x.value, &bits, sizeof bits);
        memcpy(&x.weight, &keyed.load, sizeof keyed.load);
        v[i] = x;
    }
}

/* Write the different amounts to `spare`, in order of appearance. Returns their number; FEW + 1:
 more. */
static uint32_t meet_few(const hcbr_i_rich_amount *amounts, hcbr_i_rich_amount *spare,
                         size_t count) {
    uint32_t distinct = 0;
    for (size_t i = 0; i < count; i++) {
        uint32_t at = 0;
        while (at < distinct && spare[at].value != amounts[i].value)
            at++;
        if (at < distinct)
            spare[at].weight += amounts[i].weight;
        else if (distinct == FEW)
            return FEW + 1;
        else
            spare[distinct++] = amounts[i];
    }
    return distinct;
}

uint32_t hcbr_i_rich_sort_amounts(hcbr_i_rich_amount *amounts, hcbr_i_rich_amount *spare,
                                  size_t count) {
    uint32_t distinct = count > SMALL ? meet_few(amounts, spare, count) : FEW + 1;
    if (distinct <= FEW) {
        memcpy(amounts, spare, distinct * sizeof *amounts);
        qsort(amounts, distinct, sizeof *amounts, by_value);
        return distinct;
    }
    distinct = 0;
    if (count > SMALL)
        sort_many(amounts, spare, count);
    else if (count)
        qsort(amounts, count, sizeof *amounts, by_value);
    for (size_t i = 0; i < count; i++) {
        if (distinct && amounts[distinct - 1].value == amounts[i].value)
            amounts[distinct - 1].weight += amounts[i].weight;
        else
            amounts[distinct++] = amounts[i];
    }
    return distinct;
}

/* ---- values as texts ------------------------------------------------------------------------- */

hcbr_i_text hcbr_i_rich_entry_text(const hcbr_i_rich_maker *m, const hcbr_i_rich_entry *x,
                                   char room[HCBR_NUMBER_SIZE]) {
    if (x->item != HCBR_I_RICH_NO_ITEM)
        return hcbr_i_numbers_text(&m->cases->numbers, x->item, room);
    return (hcbr_i_text){room, hcbr_number_format(room, x->value)};
}

static uint8_t spelling_of(const hcbr_i_rich_maker *m, const hcbr_i_rich_entry *x) {
    const hcbr_i_numbers *n = &m->cases->numbers;
    return x->item == HCBR_I_RICH_NO_ITEM || !n->spelling ? HCBR_I_SPELLED_SHORTEST
                                                          : n->spelling[x->item];
}

bool hcbr_i_rich_entry_wide(const hcbr_i_rich_maker *m, const hcbr_i_rich_entry *x) {
    return m->wide && spelling_of(m, x) == HCBR_I_SPELLED_WIDE;
}

static int by_entry(const void *a, const void *b) {
    const hcbr_i_rich_entry *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->item > y->item) - (x->item < y->item);
}

static int by_text(const void *a, const void *b) {
    const hcbr_i_rich_value *x = a, *y = b;
    if (!x->text.at || !y->text.at)
        return (x->text.at != NULL) - (y->text.at != NULL);
    return hcbr_i_text_compare(x->text.at, x->text.length, y->text.at, y->text.length);
}

/* Append a run of entries with one text. */
static bool add_run(hcbr_i_rich_maker *m, uint32_t *count, size_t first, size_t length,
                    bool canonical, const hcbr_i_rich_entry *entries) {
    char room[HCBR_NUMBER_SIZE];
    hcbr_i_text text = hcbr_i_rich_entry_text(m, &entries[first], room);
    if (!hcbr_i_grow(&m->values, &m->value_capacity, (size_t)*count + 1, sizeof *m->values) ||
        !hcbr_i_grow(&m->text, &m->text_capacity, m->text_used + text.length + HCBR_NUMBER_SIZE, 1))
        return false;
    char *to = m->text + m->text_used;
    if (canonical)
        text.length = hcbr_i_decimal_canonical(to, text.at, text.length);
    else
        memcpy(to, text.at, text.length);
    double weight = 0;
    for (size_t n = first; n < first + length; n++)
        weight += hcbr_i_rich_weight(m->view, hcbr_i_rich_view_case(m->view, entries[n].place));
    m->values[(*count)++] = (hcbr_i_rich_value){.text = {NULL, text.length},
                                                .at = m->text_used,
                                                .weight = weight,
                                                .old = HCBR_I_NONE,
                                                .first = first,
                                                .count = length};
    m->text_used += text.length;
    return true;
}

/* Sort entries as by_entry() does. If items ascend, as in most cases, sorting by value is enough.
 * False: no memory. */
static bool sort_entries(hcbr_i_rich_entry *entries, size_t count) {
    bool rise = count > SMALL;
    for (size_t n = 1; rise && n < count; n++)
        rise = entries[n - 1].item < entries[n].item;
    if (!rise) {
        if (count)
            qsort(entries, count, sizeof *entries, by_entry);
        return true;
    }
    hcbr_i_rich_entry *sorted = hcbr_i_alloc(count, sizeof *sorted);
    hcbr_i_rich_keyed *keyed = hcbr_i_alloc(count, 2 * sizeof *keyed);
    bool ok = sorted && keyed;
    for (size_t n = 0; ok && n < count; n++)
        keyed[n] = (hcbr_i_rich_keyed){rising(entries[n].value), n};
    if (ok)
        hcbr_i_rich_sort_keyed(keyed, keyed + count, count);
    for (size_t n = 0; ok && n < count; n++)
        sorted[n] = entries[keyed[n].load];
    if (ok)
        memcpy(entries, sorted, count * sizeof *entries);
    hcbr_i_free(sorted);
    hcbr_i_free(keyed);
    return ok;
}

/* Numbers as runs of entries with one text; each spelling is a text unless `canonical`. */
static bool list_numbers(hcbr_i_rich_maker *m, hcbr_i_rich_entry *entries, size_t count,
                         bool canonical, uint32_t *out) {
    if (!sort_entries(entries, count))
        return false;
    for (size_t n = 0, end; n < count; n = end) {
        uint8_t spelling = spelling_of(m, &entries[n]);
        bool alone = spelling >= HCBR_I_SPELLED_OTHER;
        for (end = n + 1; end < count && entries[end].value == entries[n].value; end++) {
            uint8_t other = spelling_of(m, &entries[end]);
            if (canonical ? (spelling == HCBR_I_SPELLED_WIDE) || (other == HCBR_I_SPELLED_WIDE)
                          : alone || other != spelling)
                break;
        }
        if (!add_run(m, out, n, end - n, canonical, entries))
            return false;
    }
    return true;
}

hcbr_status hcbr_i_rich_list_values(hcbr_i_rich_maker *m, hcbr_i_key_id key,
                                    hcbr_i_rich_entry *entries, size_t count, uint32_t *out,
                                    hcbr_error *err) {
    const hcbr_i_dict *dict = m->cases->dict;
    bool canonical = m->seen[key].words == 0;
    *out = 0;
    m->text_used = 0;
    if (!list_numbers(m, entries, count, canonical, out))
        return hcbr_i_no_memory(err);
    for (uint32_t v = 0; v < *out; v++)
        m->values[v].text.at = m->text + m->values[v].at;
    for (uint32_t w = m->word_start[key]; w < m->word_start[key + 1]; w++) {
        hcbr_i_feature_id f = m->words[w];
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        if (!(m->weight[f] > 0) || !isnan(m->word_value[f]))
            continue;
        if (!hcbr_i_grow(&m->values, &m->value_capacity, (size_t)*out + 1, sizeof *m->values))
            return hcbr_i_no_memory(err);
        m->values[(*out)++] = (hcbr_i_rich_value){
            .text = {x.value, x.value ? x.value_length : 0}, .weight = m->weight[f], .old = f};
    }
    if (*out)
        qsort(m->values, *out, sizeof *m->values, by_text);
    return HCBR_OK;
}
