/*
 * Dates of ISO 8601 as most are written: 2019-03-14, 2019-03-14 10:20 and 2019-03-14T10:20:30.
 *
 * Eight bytes are looked at together. A pattern turns digits into their values and the marks that
 * must be there into 0; then no byte may be above the largest that is allowed in its place.
 * Invariant: what is read is a day that the calendar has.
 */
#include "kinds/kinds.h"

#define BYTES(a, b, c, d, e, f, g, h)                                                              \
    ((uint64_t)(a) | (uint64_t)(b) << 8 | (uint64_t)(c) << 16 | (uint64_t)(d) << 24 |              \
     (uint64_t)(e) << 32 | (uint64_t)(f) << 40 | (uint64_t)(g) << 48 | (uint64_t)(h) << 56)
#define FIRST UINT64_C(0x8080808080808080) /* the first bit of each byte */

/* Whether no byte of x is above that of `most`, whose bytes are below 128. */
static inline bool within(uint64_t x, uint64_t most) {
    return (((x & ~FIRST) + (~FIRST - most)) & FIRST) == 0 && (x & FIRST) == 0;
}

/* Of pairs of digits, the number of that which begins at byte n. */
static inline uint32_t two(uint64_t digits, unsigned n) {
    return (uint32_t)(digits >> 8 * n & 0xFF) * 10 + (uint32_t)(digits >> (8 * n + 8) & 0xFF);
}

/* The eight bytes of 10:20:30. */
static bool read_time(hcbr_i_moment *out, uint64_t text) {
    const uint64_t x = text ^ BYTES('0', '0', ':', '0', '0', ':', '0', '0');
    if (!within(x, BYTES(2, 9, 0, 5, 9, 0, 5, 9)))
        return false;
    out->hour = (uint8_t)two(x, 0);
    out->minute = (uint8_t)two(x, 3);
    out->second = (uint8_t)two(x, 6);
    out->has |= HCBR_I_HAS_TIME;
    return out->hour < 24;
}

bool hcbr_i_iso_read(hcbr_i_moment *out, const char *text, size_t length) {
    if (length != 10 && length != 16 && length != 19)
        return false;
    const uint64_t x = hcbr_i_load64(text) ^ BYTES('0', '0', '0', '0', '-', '0', '0', '-');
    if (!within(x, BYTES(9, 9, 9, 9, 0, 1, 9, 0)))
        return false;
    const uint32_t tens = (uint32_t)(unsigned char)text[8] - '0',
                   ones = (uint32_t)(unsigned char)text[9] - '0', day = tens * 10 + ones;
    const uint32_t month = two(x, 5);
    const int32_t year = (int32_t)(two(x, 0) * 100 + two(x, 2));
    if (tens > 3 || ones > 9 || day - 1 > 30 || month - 1 > 11 || year < 1 ||
        (day > 28 && day > hcbr_i_month_days(year, month)))
        return false;
    *out = (hcbr_i_moment){.year = year,
                           .month = (uint8_t)month,
                           .day = (uint8_t)day,
                           .has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY};
    if (length == 10)
        return true;
    if (text[10] != ' ' && text[10] != 'T')
        return false;
    if (length == 19)
        return read_time(out, hcbr_i_load64(text + 11));
    /* without seconds: those of the pattern, after the last five of eight bytes */
    return read_time(out, hcbr_i_load64(text + 8) >> 24 | BYTES(0, 0, 0, 0, 0, ':', '0', '0'));
}
