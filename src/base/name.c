/*
 * Names of features in 16 bytes. Packing is injective: the bytes of key and value in order, then
 * zeros, and a tag with both lengths in the last byte.
 */
#include "base/base.h"

#include <assert.h>

/** The first n <= 8 bytes. Two overlapping loads replace one of odd length. */
static uint64_t load_up_to_8(const unsigned char *b, size_t n) {
    if (n == 8)
        return hcbr_i_load64(b);
    if (n >= 4) {
        const unsigned char *last = b + n - 4;
        uint64_t low =
            (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24;
        uint64_t high = (uint64_t)last[0] | (uint64_t)last[1] << 8 | (uint64_t)last[2] << 16 |
                        (uint64_t)last[3] << 24;
        return low | high << (8 * (n - 4));
    }
    if (n == 0)
        return 0;
    return b[0] | (uint64_t)b[n / 2] << (8 * (n / 2)) | (uint64_t)b[n - 1] << (8 * (n - 1));
}

hcbr_i_u128 hcbr_i_bytes_load(const char *text, size_t n) {
    const unsigned char *b = (const unsigned char *)text;
    assert(n <= 16);
    if (n <= 8)
        return load_up_to_8(b, n);
    uint64_t high = hcbr_i_load64(b + n - 8) >> (8 * (16 - n));
    return (hcbr_i_u128)high << 64 | hcbr_i_load64(b);
}

hcbr_i_name hcbr_i_name_pack(const char *key, size_t key_length, const char *value,
                             size_t value_length) {
    assert(key_length <= HCBR_I_SHORT && value_length <= HCBR_I_SHORT - key_length);
    hcbr_i_u128 bytes = hcbr_i_bytes_load(key, key_length);
    if (value != NULL)
        bytes |= hcbr_i_bytes_load(value, value_length) << (8 * key_length);
    hcbr_i_name name = {(uint64_t)bytes, (uint64_t)(bytes >> 64)};
    name.hi |= hcbr_i_name_tag(key_length, value == NULL, value_length);
    return name;
}
