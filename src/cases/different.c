/*
 * Duplicate cases: columns and labels are judged by different rows, so that a row of weight n, n
 * copies of it and a single row give the same verdict.
 *
 * Equal numbers are equal values in any spelling. Two rows count as equal if 64 bits of their
 * hashes are; the chance that different rows collide is negligible. The hashes depend on numbers of
 * features, and never leave this file.
 */
#include "cases/dict.h"

#define WATCH 16384u /* values between two progress calls ... */
#define TOGETHER 64u /* ... which come between groups of this many cases */
#define SPREAD 0x9E3779B97F4A7C15u

typedef struct rows {
    const struct hcbr_cases *cases;
    uint64_t *feature; /* by feature: its hash */
    uint64_t *key;     /* by key: the factor of its numbers */
    uint64_t *seen;    /* hashes of rows, open addressing; 0: none */
    size_t mask;
    bool wide;   /* some numbers are more than a double holds */
    bool labels; /* count, too */
} rows;

/* Numbers are many: one multiplication each, by a factor of their key. */
static inline uint64_t hash_number(uint64_t factor, double value) {
    return hcbr_i_fold(hcbr_i_bits_of(value + 0.0) + SPREAD, factor); // -0 is 0
}

/* Allocate, and hash the features. If numbers are features, they hash by their values. */
static bool prepare(rows *r, const struct hcbr_cases *cases, bool labels) {
    const uint32_t count = hcbr_i_dict_count(cases->dict);
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    *r = (rows){.cases = cases, .labels = labels};
    for (size_t n = 0; n < cases->numbers.other_count; n++)
        r->wide |= cases->numbers.spelling[cases->numbers.other[n]] == HCBR_I_SPELLED_WIDE;
    r->mask = hcbr_i_hashes_mask(cases->case_count);
    r->seen = hcbr_i_alloc_zero(r->mask + 1, sizeof *r->seen);
    r->feature = hcbr_i_alloc(count, sizeof *r->feature);
    r->key = hcbr_i_alloc(keys, sizeof *r->key);
    if (!r->seen || !r->feature || !r->key)
        return false;
    for (uint32_t k = 0; k < keys; k++)
        r->key[k] = hcbr_i_mix(k) | 1;
    for (uint32_t f = 0; f < count; f++) {
        double value;
        uint8_t spelling;
        r->feature[f] = hcbr_i_mix(f);
        if (cases->apart)
            continue;
        const hcbr_i_dict_feature x = hcbr_i_dict_look(cases->dict, f);
        if (x.value && hcbr_i_decimal_read(&value, &spelling, x.value, x.value_length) &&
            spelling != HCBR_I_SPELLED_WIDE)
            r->feature[f] = hash_number(r->key[x.key], value);
    }
    return true;
}

/* The hash of a number's text beyond its double. */
static uint64_t hash_wide(const rows *r, uint64_t at) {
    const hcbr_i_numbers *n = &r->cases->numbers;
    char room[HCBR_NUMBER_SIZE];
    const hcbr_i_text text = hcbr_i_numbers_text(n, at, room);
    return hcbr_i_fold(hcbr_i_value_hash(text.at, text.length), r->key[n->key[at]]);
}

/* The sum over the values of a case, in any order. */
static inline uint64_t hash_case(const rows *r, uint32_t i) {
    const struct hcbr_cases *c = r->cases;
    const hcbr_i_numbers *n = &c->numbers;
    const uint64_t *feature = r->feature, *factor = r->key;
    uint64_t sum = 0;
    for (const uint32_t *f = c->features + c->start[i], *end = c->features + c->start[i + 1];
         f < end; f++)
        sum += feature[*f];
    if (!n->start)
        return sum;
    const uint32_t *key = n->key;
    const double *value = n->value;
    const uint64_t begin = n->start[i], end = n->start[i + 1];
    for (uint64_t at = begin; at < end; at++)
        sum += hash_number(factor[key[at]], value[at]);
    for (uint64_t at = begin; r->wide && at < end; at++)
        if (n->spelling[at] == HCBR_I_SPELLED_WIDE)
            sum += hash_wide(r, at);
    return sum;
}

/* Some cases; returns the number of those that are not copies. */
static uint32_t look_at(const rows *r, bool *copy, uint32_t begin, uint32_t end) {
    const uint32_t *label = r->labels ? r->cases->label : NULL;
    uint32_t different = 0;
    for (uint32_t i = begin; i < end; i++) {
        const uint64_t hash = hash_case(r, i);
        copy[i] = hcbr_i_hashes_meet(r->seen, r->mask,
                                     label ? hcbr_i_mix(hash) + hcbr_i_mix(label[i]) : hash);
        different += !copy[i];
    }
    return different;
}

static uint64_t values_before(const hcbr_cases *c, uint32_t i) {
    return c->start[i] + (c->numbers.start ? c->numbers.start[i] : 0);
}

hcbr_status hcbr_i_cases_warn_ids(const hcbr_cases *cases, uint32_t from, hcbr_notify_fn *notify,
                                  void *context, hcbr_error *err) {
    const size_t mask = hcbr_i_hashes_mask(cases->case_count);
    uint64_t count = 0;
    hcbr_i_text first = {NULL, 0};
    char quoted[200];
    if (!cases->id_start || cases->group || !notify)
        return HCBR_OK;
    uint64_t *seen = hcbr_i_alloc_zero(mask + 1, sizeof *seen);
    if (!seen)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++) {
        const hcbr_i_text id = {cases->ids + cases->id_start[i],
                                (size_t)(cases->id_start[i + 1] - cases->id_start[i])};
        if (id.length == 0 ||
            !hcbr_i_hashes_meet(seen, mask, hcbr_i_value_hash(id.at, id.length)) || i < from)
            continue;
        first = count++ ? first : id;
    }
    hcbr_i_free(seen);
    if (count)
        hcbr_i_notify(
            notify, context, HCBR_WARNING, NULL, 0, 0,
            "%llu row%s the id of an earlier one, such as %s: if the rows of an id belong "
            "together, give its column to option group instead of option id",
            (unsigned long long)count, count == 1 ? " has" : "s have",
            hcbr_i_quote(quoted, first.at, first.length));
    return HCBR_OK;
}

hcbr_status hcbr_i_cases_find_copies(bool *copy, uint32_t *different, const hcbr_cases *cases,
                                     bool labels, hcbr_error *err) {
    const uint32_t count = cases->case_count;
    rows r;
    hcbr_status st = prepare(&r, cases, labels) ? HCBR_OK : hcbr_i_no_memory(err);
    *different = 0;
    for (uint32_t i = 0, end; st == HCBR_OK && i < count; i = end) {
        for (end = i; end < count && values_before(cases, end) - values_before(cases, i) < WATCH;)
            end = count - end > TOGETHER ? end + TOGETHER : count;
        if ((st = hcbr_i_watch_ask(&cases->watch, err)) == HCBR_OK)
            *different += look_at(&r, copy, i, end);
    }
    hcbr_i_free(r.feature);
    hcbr_i_free(r.key);
    hcbr_i_free(r.seen);
    return st;
}
