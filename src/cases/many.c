/*
 * A column of many different values, counted by a sample.
 *
 * Texts, names, ids and addresses are recognised from a few hundred values. Only numbers in
 * disguise and dates need all values, because those that do not fit are counted and reported. So of
 * the rare values a part is counted, chosen by a hash, and its counts are scaled. Invariants: the
 * number of values and of those that mean missing is exact, and so is that of different ones except
 * for forms of missing among them; the verdict depends on the values and their counts.
 */
#include "cases/dict.h"

enum {
    PART = 96,      /* rare values counted, about */
    FIRST_PART = 8, /* one in this many of them is counted first */
    LEAST = 32,     /* fewer are not a sample: the hash failed */
    FREQUENT = 512, /* a value with more than one in this many occurrences is frequent */
    FORM_MOST = 24  /* bytes of a value that means missing, with blanks around it */
};

uint64_t hcbr_i_value_sign(const char *text, size_t length) {
    const char *at = text;
    if (length < 8)
        return hcbr_i_mix((uint64_t)hcbr_i_bytes_load(text, length) + length);
    const uint64_t last = hcbr_i_load64(at + length - 8);
    return hcbr_i_mix(hcbr_i_mix(hcbr_i_load64(at) ^ (last << 29 | last >> 35)) +
                      hcbr_i_load64(at + (length - 8) / 2) + length);
}

/* The rare values: their number, how many are different, and the count from which a value is
 * frequent. */
typedef struct rare {
    uint64_t values;
    uint32_t different, below;
} rare;

static rare find_rare(const hcbr_i_many *many) {
    rare r = {.below = (uint32_t)(many->values / FREQUENT) + 2};
    for (uint32_t i = 0; i < many->feature_count; i++) {
        const uint32_t count = many->count[many->features[i]];
        if (count >= r.below)
            continue;
        r.different += count > 0;
        r.values += count;
    }
    return r;
}

/* Whether numbers in disguise, codes and dates are fewer than half, so that the column is not one
 * of these. */
static bool is_clear(const hcbr_i_tally *t) {
    const uint64_t point = t->fits[HCBR_I_MARK_POINT], comma = t->fits[HCBR_I_MARK_COMMA];
    return (t->plain + (point > comma ? point : comma) + t->moments + t->codes) * 2 <
           t->values - t->forms;
}

/* Some of the features. */
typedef struct part {
    const uint32_t *features;
    uint32_t count;
} part;

/* The values whose sign is not above the bound; all of them if there is no room. */
static part find_part(const hcbr_i_many *many, uint64_t bound, uint32_t room[2 * PART]) {
    const uint32_t *at = many->features, *const end = at + many->feature_count;
    const uint64_t *const sign = many->sign;
    uint32_t count = 0;
    for (; at < end; at++) {
        if (sign[*at] > bound)
            continue;
        if (count == 2 * PART)
            return (part){many->features, many->feature_count};
        room[count++] = *at;
    }
    return (part){room, count};
}

/* Add the rare values of a list whose sign is above `after` and not above `bound` to `some`. */
static bool choose(hcbr_i_tally *some, const hcbr_i_many *many, const rare *r, const part *of,
                   uint64_t after, uint64_t bound, uint32_t *chosen) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < of->count; i++) {
        const uint32_t f = of->features[i], count = many->count[f];
        if (many->sign[f] > bound || many->sign[f] <= after || count == 0 || count >= r->below)
            continue;
        const hcbr_i_dict_feature x = hcbr_i_dict_look(many->dict, f);
        if (x.value && !hcbr_i_says_missing(some->listed, x.value, x.value_length)) {
            ok = hcbr_i_tally_add(some, x.value, x.value_length, count);
            ++*chosen;
        }
    }
    return ok;
}

/* Count the frequent values, and the rare ones that mean missing, which are removed from the rare
 ones. */
static bool add_certain(hcbr_i_tally *all, const hcbr_i_many *many, rare *r) {
    const uint32_t *at = many->features, *const end = at + many->feature_count;
    const uint32_t *const counts = many->count, below = r->below;
    const hcbr_i_dict *const dict = many->dict;
    bool ok = true;
    for (; ok && at < end; at++) {
        const uint32_t count = counts[*at];
        const hcbr_i_dict_feature x = hcbr_i_dict_look(dict, *at);
        if (!x.value)
            continue;
        if (count < below) {
            if (x.value_length > FORM_MOST ||
                !hcbr_i_says_missing(all->listed, x.value, x.value_length))
                continue;
            r->values -= count;
        }
        ok = hcbr_i_tally_add(all, x.value, x.value_length, count);
    }
    return ok;
}

/* At least two dates of ISO 8601, and no other value: they are counted without a sample, which the
   verdict does not use. */
static bool add_dates(hcbr_i_tally *tally, const hcbr_i_many *many) {
    uint64_t days = 0, times = 0;
    for (uint32_t i = 0; i < many->feature_count; i++) {
        const uint32_t f = many->features[i];
        const hcbr_i_dict_feature x = hcbr_i_dict_look(many->dict, f);
        hcbr_i_moment m;
        if (!x.value || many->count[f] == 0 || !hcbr_i_iso_read(&m, x.value, x.value_length))
            return false;
        *(m.has & HCBR_I_HAS_TIME ? &times : &days) += many->count[f];
    }
    if (many->feature_count < 2)
        return false;
    hcbr_i_tally_add_iso(tally, days, times);
    return true;
}

bool hcbr_i_many_count(hcbr_i_tally *tally, const hcbr_i_many *many, bool *enough) {
    *enough = many->alone && add_dates(tally, many);
    if (*enough || many->feature_count <= 2 * PART)
        return true;
    rare r = find_rare(many);
    uint32_t chosen = 0;
    if (r.different <= 2 * PART)
        return true;
    hcbr_i_tally some;
    hcbr_i_tally_init(&some);
    some.listed = tally->listed;
    some.expected = UINT64_MAX; // all are read: is_clear() uses the counts
    const uint64_t bound = UINT64_MAX / r.different * PART, first = bound / FIRST_PART;
    uint32_t room[2 * PART];
    const part few = find_part(many, bound, room);
    bool ok = choose(&some, many, &r, &few, 0, first, &chosen);
    if (ok && is_clear(&some)) // for most columns a few values show that all are needed
        ok = choose(&some, many, &r, &few, first, bound, &chosen);
    if (ok && chosen >= LEAST && is_clear(&some)) {
        tally->expected = UINT64_MAX;
        ok = add_certain(tally, many, &r);
        hcbr_i_tally_scale(&some, r.values);
        ok = ok && hcbr_i_tally_merge(&some, tally); // the smaller one to the larger one
        const hcbr_i_tally certain = *tally;
        *tally = some;
        some = certain;
        *enough = ok && is_clear(tally);
    }
    hcbr_i_tally_clear(&some);
    if (!*enough)
        hcbr_i_tally_clear(tally);
    return ok;
}
