/*
 * A sample of the different values of a column: those with the smallest hashes.
 *
 * Invariant: `order` has the values by their hashes, at most `limit` of them, and each count is
 * exact. A value in the final sample was kept from its first occurrence on, because the largest
 * kept hash never rises.
 */
#include "kinds/kinds.h"

#include <xxhash.h>

enum { FIRST_ROOM = 8, NEAR_UNIQUE = 5 };

uint64_t hcbr_i_value_hash(const char *text, size_t length) {
    if (length > 16)
        return XXH3_64bits(text, length);
    hcbr_i_u128 bytes = hcbr_i_bytes_load(text, length);
    uint64_t low = (uint64_t)bytes, high = (uint64_t)(bytes >> 64);
    return hcbr_i_mix(hcbr_i_fold(low ^ 0x9E3779B97F4A7C15u, high ^ 0xD1B54A32D192ED03u) + length);
}

bool hcbr_i_sample_grow(hcbr_i_sample *sample) {
    size_t room = sample->capacity ? sample->limit : FIRST_ROOM; /* few values, or many */
    room = room < sample->limit ? room : sample->limit;
    hcbr_i_sampled *values = hcbr_i_realloc(sample->values, room, sizeof *values);
    if (values == NULL)
        return false;
    sample->values = values;
    sample->capacity = room;
    return true;
}

/* The first value whose hash is not below `hash`. */
static size_t find_place(const hcbr_i_sample *sample, uint64_t hash) {
    size_t low = 0, high = sample->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (hcbr_i_sample_get(sample, middle)->hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool hcbr_i_sample_count(hcbr_i_sample *sample, uint64_t hash, uint64_t count, size_t *belongs) {
    uint8_t *hint = &sample->hint[hash % sizeof sample->hint];
    size_t place = *hint;
    if (place >= sample->count || sample->values[place].hash != hash) {
        *belongs = place = find_place(sample, hash);
        if (place == sample->count || hcbr_i_sample_get(sample, place)->hash != hash)
            return false;
        place = sample->order[place];
        *hint = (uint8_t)place;
    }
    sample->values[place].count += count;
    return true;
}

void hcbr_i_sample_insert(hcbr_i_sample *sample, size_t place, uint64_t hash, const char *text,
                          size_t length, uint64_t count) {
    bool full = sample->count == sample->limit;
    /* the largest of a full one makes room */
    size_t free = full ? sample->order[sample->count - 1] : sample->count;
    hcbr_i_sampled *value = sample->values + free;
    sample->count += !full;
    assert(sample->count <= sample->capacity && sample->count <= HCBR_I_SAMPLE_MOST);
    memmove(sample->order + place + 1, sample->order + place, sample->count - 1 - place);
    sample->order[place] = (uint8_t)free;
    value->hash = hash;
    value->count = count;
    value->length = length > UINT32_MAX ? UINT32_MAX : (uint32_t)length;
    memcpy(value->text, text, length < HCBR_I_SAMPLE_TEXT ? length : HCBR_I_SAMPLE_TEXT);
    if (sample->count == sample->limit)
        sample->bound = hcbr_i_sample_get(sample, sample->count - 1)->hash;
}

void hcbr_i_sample_add_now(hcbr_i_sample *sample, uint64_t hash, const char *text, size_t length,
                           uint64_t count) {
    size_t place;
    if (!hcbr_i_sample_count(sample, hash, count, &place))
        hcbr_i_sample_insert(sample, place, hash, text, length, count);
}

void hcbr_i_sample_merge(hcbr_i_sample *into, const hcbr_i_sample *from) {
    for (size_t i = 0; i < from->count; i++) {
        const hcbr_i_sampled *value = from->values + i;
        size_t kept = value->length < HCBR_I_SAMPLE_TEXT ? value->length : HCBR_I_SAMPLE_TEXT;
        hcbr_i_sample_add(into, value->hash, value->text, kept, value->count);
        if (kept == value->length)
            continue;
        size_t place = find_place(into, value->hash);
        if (place < into->count && hcbr_i_sample_get(into, place)->hash == value->hash)
            into->values[into->order[place]].length = value->length;
    }
}

uint64_t hcbr_i_sample_distinct(const hcbr_i_sample *sample, uint64_t values) {
    uint64_t counted = 0;
    for (size_t i = 0; i < sample->count; i++)
        counted += sample->values[i].count;
    if (sample->count < sample->limit || counted == 0)
        return sample->count;
    /* Nearly all different: the counts in the sample say more than the spread of its hashes. */
    if (counted * (NEAR_UNIQUE - 1) <= (uint64_t)sample->count * NEAR_UNIQUE)
        return values < counted ? values
                                : (uint64_t)((hcbr_i_u128)values * sample->count / counted);
    uint64_t last = hcbr_i_sample_get(sample, sample->count - 1)->hash;
    hcbr_i_u128 estimate = ((hcbr_i_u128)(sample->count - 1) << 64) / (last ? last : 1);
    if (estimate > values)
        return values;
    return estimate < sample->count ? sample->count : (uint64_t)estimate;
}
