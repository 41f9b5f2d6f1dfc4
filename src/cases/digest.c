/*
 * The digest of a list of cases, the same for both forms of numbers.
 *
 * It is a sum over occurrences. So it needs no search for equal numbers, and a list whose features
 * have signatures (plain/signature.c) takes it from these.
 */
#include "cases/cases.h"

#include <stdlib.h>

#define XXH_INLINE_ALL /* names are short: a call would cost as much as the hash */
#include <xxhash.h>

#define WATCH 16384u            /* values between two progress calls */
#define TOGETHER 1024u          /* cases that a thread adds up at a time */
#define MOST_UNASKED (1u << 18) /* values that threads add up between two progress calls */
#define PARTS 256u              /* that hashes are counted in */
#define PART_OF(hash) ((size_t)((hash) >> 56))

/* The hash of a number: its double is the seed, which leaves most names short. */
static inline XXH128_hash_t hash_number(char *scratch, hcbr_i_text key, double value) {
    memcpy(scratch, key.at, key.length);
    scratch[key.length] = scratch[key.length + 1] = '\0';
    return XXH3_128bits_withSeed(scratch, key.length + 2, hcbr_i_bits_of(value));
}

/* The hash of key and value; see hcbr_i_digest_value(). */
static inline XXH128_hash_t hash_value(char *scratch, hcbr_i_text key, hcbr_i_text value,
                                       bool numbers) {
    size_t length = key.length;
    double number;
    uint8_t spelling;
    if (numbers && value.length == 1 && *value.at == '1')
        return hash_number(scratch, key, 1); /* as all are in many files */
    bool is_number =
        numbers && value.at && hcbr_i_decimal_read(&number, &spelling, value.at, value.length);
    if (is_number && spelling != HCBR_I_SPELLED_WIDE)
        return hash_number(scratch, key, number);
    memcpy(scratch, key.at, key.length);
    if (value.at) { /* names hold no NUL: it separates the key from the value */
        scratch[length++] = '\0';
        if (is_number)
            length += hcbr_i_decimal_canonical(scratch + length, value.at, value.length);
        else {
            memcpy(scratch + length, value.at, value.length);
            length += value.length;
        }
    }
    return XXH3_128bits(scratch, length);
}

void hcbr_i_digest_value(uint64_t hash[2], char *scratch, hcbr_i_text key, hcbr_i_text value,
                         bool numbers) {
    XXH128_hash_t h = hash_value(scratch, key, value, numbers);
    hash[0] = h.low64;
    hash[1] = h.high64;
}

/* The state of the sum. */
typedef struct digester {
    const struct hcbr_cases *cases;
    bool *numbers;       /* by key: all values are numbers */
    XXH128_hash_t *hash; /* by feature */
    char *scratch;
    size_t room;         /* for it */
    XXH128_hash_t *seen; /* hashes of a case's numbers, if a key repeats */
    size_t seen_capacity;
    uint64_t sums[2], values; /* the sums, and the number of values added */
    bool failed;              /* memory was short */
} digester;

static void add(digester *d, XXH128_hash_t hash, uint64_t mixed) {
    d->values++;
    d->sums[0] += hash.low64 * mixed;
    d->sums[1] += hash.high64 * mixed;
}

static XXH128_hash_t hash_item(const digester *d, uint64_t item) {
    const hcbr_i_numbers *n = &d->cases->numbers;
    char room[HCBR_NUMBER_SIZE];
    hcbr_i_text key = hcbr_i_dict_key(d->cases->dict, n->key[item]);
    bool wide = n->spelling && n->spelling[item] == HCBR_I_SPELLED_WIDE;
    if (d->numbers[n->key[item]] && !wide)
        return hash_number(d->scratch, key, n->value[item]);
    return hash_value(d->scratch, key, hcbr_i_numbers_text(n, item, room),
                      d->numbers[n->key[item]]);
}

static int compare_hashes(const void *a, const void *b) {
    const XXH128_hash_t *x = a, *y = b;
    if (x->low64 != y->low64)
        return x->low64 < y->low64 ? -1 : 1;
    return (x->high64 > y->high64) - (x->high64 < y->high64);
}

/* The numbers of a case. Spellings of one number count once. */
static bool add_items(digester *d, uint64_t begin, uint64_t end, uint64_t mixed) {
    const hcbr_i_key_id *key = d->cases->numbers.key;
    bool rising = true;
    for (uint64_t j = begin + 1; j < end; j++)
        rising &= key[j] > key[j - 1];
    if (rising) {
        for (uint64_t j = begin; j < end; j++)
            add(d, hash_item(d, j), mixed);
        return true;
    }
    const size_t count = (size_t)(end - begin);
    if (!hcbr_i_grow(&d->seen, &d->seen_capacity, count, sizeof *d->seen))
        return false;
    for (size_t n = 0; n < count; n++)
        d->seen[n] = hash_item(d, begin + n);
    qsort(d->seen, count, sizeof *d->seen, compare_hashes);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || compare_hashes(&d->seen[n - 1], &d->seen[n]) != 0)
            add(d, d->seen[n], mixed);
    return true;
}

/* Find the keys with numbers only, and hash all features. */
static hcbr_status prepare(digester *d, const hcbr_i_watch *watch, hcbr_error *err) {
    const hcbr_i_dict *dict = d->cases->dict;
    const hcbr_i_numbers *n = &d->cases->numbers;
    const uint32_t features = hcbr_i_dict_count(dict), keys = hcbr_i_dict_key_count(dict);
    size_t longest = hcbr_i_dict_longest(dict);
    for (size_t t = 0; t < n->other_count; t++)
        longest += (size_t)(n->text_start[t + 1] - n->text_start[t]); /* more than enough */
    d->numbers = hcbr_i_alloc(keys, sizeof *d->numbers);
    d->hash = hcbr_i_alloc(features, sizeof *d->hash);
    d->room = longest + HCBR_NUMBER_SIZE + HCBR_I_DIGEST_ROOM;
    d->scratch = hcbr_i_alloc(d->room, 1);
    if (!d->numbers || !d->hash || !d->scratch)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_dict_number_keys(dict, d->numbers, watch, err);
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++) {
        if (f % WATCH == 0 && (st = hcbr_i_watch_ask(watch, err)) != HCBR_OK)
            break;
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        d->hash[f] = hash_value(d->scratch, hcbr_i_dict_key(dict, x.key),
                                (hcbr_i_text){x.value, x.value_length}, d->numbers[x.key]);
    }
    return st;
}

/* Add all values of a case. False: no memory. */
static bool add_case(digester *d, uint32_t i, uint64_t mixed) {
    const struct hcbr_cases *cases = d->cases;
    const hcbr_i_numbers *n = &cases->numbers;
    for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++)
        add(d, d->hash[cases->features[j]], mixed);
    return !n->start || add_items(d, n->start[i], n->start[i + 1], mixed);
}

static void clear(digester *d) {
    hcbr_i_free(d->numbers);
    hcbr_i_free(d->hash);
    hcbr_i_free(d->scratch);
    hcbr_i_free(d->seen);
}

/* Cases added up between two progress calls. */
typedef struct slice {
    digester *d; /* by thread */
    uint64_t from;
} slice;

/* Add up some cases. The sum does not depend on the threads or the order. */
static void add_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const slice *x = context;
    digester *own = x->d + worker, d = *own; // others write next to it
    for (uint64_t i = x->from + begin; i < x->from + end && !d.failed; i++)
        d.failed = !add_case(&d, (uint32_t)i, hcbr_i_mix(i));
    *own = d;
}

hcbr_status hcbr_i_cases_digest(uint64_t digest[2], uint64_t *occurrences,
                                const struct hcbr_cases *cases, uint32_t threads,
                                const hcbr_i_watch *watch, hcbr_error *err) {
    threads = threads ? threads : 1;
    digester *d = hcbr_i_alloc_zero(threads, sizeof *d);
    if (!d)
        return hcbr_i_no_memory(err);
    d[0].cases = cases;
    hcbr_status st = prepare(&d[0], watch, err);
    bool failed = false;
    for (uint32_t i = 1; st == HCBR_OK && i < threads; i++) { // names and hashes are shared
        d[i] = d[0];
        failed |= !(d[i].scratch = hcbr_i_alloc(d[0].room, 1));
    }
    uint64_t items = cases->start[cases->case_count] + hcbr_i_cases_item_count(cases);
    slice x = {.d = d};
    uint64_t size = MOST_UNASKED / (1 + items / (1 + (uint64_t)cases->case_count)) + 1, end = 0;
    while (st == HCBR_OK && !failed && end < cases->case_count) { // as often for any threads
        st = hcbr_i_watch_ask(watch, err);
        x.from = end;
        end = cases->case_count - end > size ? end + size : cases->case_count;
        if (st == HCBR_OK)
            hcbr_i_parallel(threads, end - x.from, TOGETHER, add_some, &x);
    }
    digest[0] = digest[1] = *occurrences = 0;
    for (uint32_t i = 0; i < threads; i++) {
        digest[0] += d[i].sums[0];
        digest[1] += d[i].sums[1];
        *occurrences += d[i].values;
        failed |= d[i].failed;
        if (i > 0) {
            d[i].numbers = NULL;
            d[i].hash = NULL;
        }
        clear(&d[i]);
    }
    hcbr_i_free(d);
    return st == HCBR_OK && failed ? hcbr_i_no_memory(err) : st;
}

hcbr_status hcbr_i_cases_hash(uint64_t (*hash)[2], const struct hcbr_cases *cases,
                              const hcbr_i_watch *watch, hcbr_error *err) {
    digester d = {.cases = cases};
    hcbr_status st = prepare(&d, watch, err);
    uint64_t asked = 0;
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i++) {
        if (d.values - asked >= WATCH) {
            asked = d.values;
            st = hcbr_i_watch_ask(watch, err);
        }
        d.sums[0] = d.sums[1] = 0;
        if (st == HCBR_OK && !add_case(&d, i, 1))
            st = hcbr_i_no_memory(err);
        memcpy(hash[i], d.sums, sizeof d.sums);
    }
    clear(&d);
    return st;
}

/* Count the different hashes. They are moved into parts, so that the set of one part stays in the
 * cache, with a progress call after each. */
static hcbr_status count_different(uint64_t *different, uint64_t *hash, size_t count,
                                   const hcbr_i_watch *watch, hcbr_error *err) {
    size_t start[PARTS + 1] = {0}, next[PARTS], most = 0;
    hcbr_status st = HCBR_OK;
    for (size_t n = 0; n < count; n++)
        start[PART_OF(hash[n]) + 1]++;
    for (size_t p = 0; p < PARTS; p++) {
        most = start[p + 1] > most ? start[p + 1] : most;
        start[p + 1] += start[p];
        next[p] = start[p];
    }
    uint64_t *seen = hcbr_i_alloc(hcbr_i_hashes_mask(most) + 1, sizeof *seen);
    if (!seen)
        return hcbr_i_no_memory(err);
    for (size_t p = 0; p < PARTS; p++) /* move each hash to its part, then the hash that was
                                          there */
        while (next[p] < start[p + 1]) {
            const size_t from = next[p];
            const uint64_t x = hash[from];
            const size_t to = next[PART_OF(x)]++;
            hash[from] = hash[to];
            hash[to] = x;
        }
    for (size_t p = 0; st == HCBR_OK && p < PARTS; p++) {
        const size_t mask = hcbr_i_hashes_mask(start[p + 1] - start[p]);
        memset(seen, 0, (mask + 1) * sizeof *seen);
        for (size_t n = start[p]; n < start[p + 1]; n++)
            *different += !hcbr_i_hashes_meet(seen, mask, hash[n]);
        st = hcbr_i_watch_ask(watch, err);
    }
    hcbr_i_free(seen);
    return st;
}

hcbr_status hcbr_i_cases_value_count(uint32_t *out, const struct hcbr_cases *cases,
                                     const hcbr_i_watch *watch, hcbr_error *err) {
    const size_t items = (size_t)hcbr_i_cases_item_count(cases);
    uint64_t different = hcbr_i_dict_count(cases->dict);
    *out = (uint32_t)different;
    if (items == 0)
        return HCBR_OK;
    digester d = {.cases = cases};
    uint64_t *hash = hcbr_i_alloc(items, sizeof *hash);
    hcbr_status st = hash ? prepare(&d, watch, err) : hcbr_i_no_memory(err);
    for (size_t n = 0; st == HCBR_OK && n < items; n++) {
        hash[n] = hash_item(&d, n).low64;
        if (n % WATCH == 0)
            st = hcbr_i_watch_ask(watch, err);
    }
    if (st == HCBR_OK)
        st = count_different(&different, hash, items, watch, err);
    *out = different < UINT32_MAX ? (uint32_t)different : UINT32_MAX;
    clear(&d);
    hcbr_i_free(hash);
    return st;
}
