/*
 * A column of many different values, counted by a part of them.
 *
 * Texts, names, ids and addresses show what they are in a few hundred values; only numbers in
 * disguise and dates need all of them, because those that do not fit are counted and told. So of
 * the values that are rare a part is counted, chosen by a hash, and its counts are scaled.
 * Invariants: the number of values and of those that say missing is exact, and that of different
 * ones but for the forms of missing among them; the verdict depends on the values and how often
 * each occurs.
 */
#include "cases/dict.h"

enum {
    PART = 96,     /* rare values that are counted, about */
    FIRST_PART = 8, /* one in so many of them is looked at first */
    LEAST = 32,     /* fewer show nothing: the hash failed */
    FREQUENT = 512, /* a value that is more than one in so many is */
    FORM_MOST = 24  /* bytes of a value that says missing, with blanks around it */
};

uint64_t hcbr_i_value_sign(const char *text, size_t length) {
    const char *at = text;
    if (length < 8)
        return hcbr_i_mix((uint64_t)hcbr_i_bytes_load(text, length) + length);
    const uint64_t last = hcbr_i_load64(at + length - 8);
    return hcbr_i_mix(hcbr_i_mix(hcbr_i_load64(at) ^ (last << 29 | last >> 35)) +
                      hcbr_i_load64(at + (length - 8) / 2) + length);
}

/* Values that are rare, how many different ones, and from which count on a value is not. */
typedef struct rare {
    uint64_t values;
    uint32_t different, below;
} rare;

static rare find_rare(const hcbr_i_many *many) {
    uint64_t values = 0;
    rare r = {0};
    for (uint32_t i = 0; i < many->feature_count; i++)
        values += many->count[many->features[i]];
    r.below = (uint32_t)(values / FREQUENT) + 2;
    for (uint32_t i = 0; i < many->feature_count; i++) {
        const uint32_t count = many->count[many->features[i]];
        r.different += count > 0 && count < r.below;
        r.values += count < r.below ? count : 0;
    }
    return r;
}

/* Numbers in disguise, codes and dates are fewer than half: it is none of their columns. */
static bool is_clear(const hcbr_i_tally *t) {
    const uint64_t point = t->fits[HCBR_I_MARK_POINT], comma = t->fits[HCBR_I_MARK_COMMA];
    return (t->plain + (point > comma ? point : comma) + t->moments + t->codes) * 2 <
           t->values - t->forms;
}

/* Count the rare values whose sign is above `after` and not above `bound` to `some`. */
static bool choose(hcbr_i_tally *some, const hcbr_i_many *many, const rare *r, uint64_t after,
                   uint64_t bound, uint32_t *chosen) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < many->feature_count; i++) {
        const uint32_t f = many->features[i], count = many->count[f];
        if (many->sign[f] > bound || many->sign[f] <= after || count == 0 || count >= r->below)
            continue;
        const hcbr_i_dict_feature x = hcbr_i_dict_look(many->dict, f);
        if (x.value && !hcbr_i_is_missing_form(x.value, x.value_length)) {
            ok = hcbr_i_tally_add(some, x.value, x.value_length, count);
            ++*chosen;
        }
    }
    return ok;
}

static bool add_frequent(hcbr_i_tally *all, const hcbr_i_many *many, const rare *r) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < many->feature_count; i++) {
        const uint32_t f = many->features[i], count = many->count[f];
        if (count < r->below)
            continue;
        const hcbr_i_dict_feature x = hcbr_i_dict_look(many->dict, f);
        ok = !x.value || hcbr_i_tally_add(all, x.value, x.value_length, count);
    }
    return ok;
}

/* Count the rare values that say missing; they are taken from the others. */
static bool add_forms(hcbr_i_tally *all, const hcbr_i_many *many, rare *r) {
    bool ok = true;
    for (uint32_t i = 0; ok && i < many->feature_count; i++) {
        const uint32_t f = many->features[i], count = many->count[f];
        const hcbr_i_dict_feature x = hcbr_i_dict_look(many->dict, f);
        if (count >= r->below || !x.value || x.value_length > FORM_MOST ||
            !hcbr_i_is_missing_form(x.value, x.value_length))
            continue;
        ok = hcbr_i_tally_add(all, x.value, x.value_length, count);
        r->values -= count;
    }
    return ok;
}

/* Two dates of ISO 8601 or more, and nothing else? Then they are counted, without a sample: the
   verdict does not ask for it. */
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
    const uint64_t bound = UINT64_MAX / r.different * PART, first = bound / FIRST_PART;
    bool ok = choose(&some, many, &r, 0, first, &chosen);
    if (ok && is_clear(&some)) // of most columns a few values say that all are needed
        ok = choose(&some, many, &r, first, bound, &chosen);
    if (ok && chosen >= LEAST && is_clear(&some)) {
        ok = add_frequent(tally, many, &r) && add_forms(tally, many, &r);
        hcbr_i_tally_scale(&some, r.values);
        ok = ok && hcbr_i_tally_merge(tally, &some);
        *enough = ok && is_clear(tally);
    }
    hcbr_i_tally_clear(&some);
    if (!*enough)
        hcbr_i_tally_clear(tally);
    return ok;
}
