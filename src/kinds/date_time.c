/*
 * Times of day as they are written, and digits as moments: 14:05, 2:05 pm, 14:05:09.5, 1405 after
 * the T of ISO 8601; 20190314, seconds and milliseconds since 1970.
 */
#include "kinds/kinds.h"

unsigned hcbr_i_digits_take(uint32_t *value, unsigned most, const char **at, const char *end) {
    unsigned n = 0;
    *value = 0;
    for (; n < most && *at < end && hcbr_i_ascii_digit(**at); n++)
        *value = *value * 10 + (uint32_t)(*(*at)++ - '0');
    return n;
}

/* A fraction of a second, to nanoseconds; further digits are dropped. */
static void take_fraction(hcbr_i_moment *out, const char **at, const char *end) {
    const char *p = *at;
    uint32_t nano = 0, unit = 100000000;
    if (end - p < 2 || (*p != '.' && *p != ',') || !hcbr_i_ascii_digit(p[1]))
        return;
    for (p++; p < end && hcbr_i_ascii_digit(*p); p++, unit /= 10)
        nano += (uint32_t)(*p - '0') * unit;
    out->nano = nano;
    *at = p;
}

/* am, pm, a.m., p.m. after an hour from 1 to 12; false after any other. */
static bool take_half(hcbr_i_moment *out, const char **at, const char *end, bool *found) {
    const char *p = *at;
    size_t size;
    *found = false;
    while ((size = hcbr_i_blank_size(p, end)) > 0)
        p += size;
    if (end - p < 2)
        return true;
    char half = hcbr_i_lower(*p++);
    bool dots = *p == '.';
    p += dots;
    if ((half != 'a' && half != 'p') || p == end || hcbr_i_lower(*p) != 'm')
        return true;
    p++;
    p += dots && p < end && *p == '.';
    if (p < end && hcbr_i_lower(*p) >= 'a' && hcbr_i_lower(*p) <= 'z')
        return true;
    if (out->hour < 1 || out->hour > 12)
        return false;
    out->hour = (uint8_t)(out->hour % 12 + (half == 'p' ? 12 : 0));
    *found = true;
    *at = p;
    return true;
}

bool hcbr_i_time_take(hcbr_i_moment *out, const char **at, const char *end) {
    const char *p = *at;
    uint32_t hour, minute = 0, second = 0;
    bool half;
    unsigned digits = hcbr_i_digits_take(&hour, 2, &p, end);
    if (digits == 0)
        return false;
    bool colon = p < end && *p == ':';
    bool compact =
        digits == 2 && end - p >= 2 && hcbr_i_ascii_digit(*p) && hcbr_i_ascii_digit(p[1]);
    if (colon || compact) {
        p += colon;
        if (hcbr_i_digits_take(&minute, 2, &p, end) != 2)
            return false;
        if (p < end && ((colon && *p == ':') || (compact && hcbr_i_ascii_digit(*p)))) {
            p += colon;
            if (hcbr_i_digits_take(&second, 2, &p, end) != 2)
                return false;
            take_fraction(out, &p, end);
        }
    }
    if (hour > 23 || minute > 59 || second > 60 || (second == 60 && minute != 59) ||
        (p < end && hcbr_i_ascii_digit(*p)))
        return false;
    out->hour = (uint8_t)hour;
    out->minute = (uint8_t)minute;
    out->second = (uint8_t)second;
    if (!take_half(out, &p, end, &half) || (!half && !colon && !compact))
        return false;
    out->has |= HCBR_I_HAS_TIME;
    *at = p;
    return true;
}

bool hcbr_i_clock_read(hcbr_i_moment *out, hcbr_i_clock clock, const char *text, size_t length) {
    static const size_t lengths[HCBR_I_CLOCKS] = {0, 8, 9, 12};
    uint64_t value = 0;
    if (clock == HCBR_I_CLOCK_NONE || clock >= HCBR_I_CLOCKS || length < lengths[clock] ||
        length > lengths[clock] + (clock != HCBR_I_CLOCK_COMPACT))
        return false;
    for (size_t i = 0; i < length; i++) {
        if (!hcbr_i_ascii_digit(text[i]))
            return false;
        value = value * 10 + (uint64_t)(text[i] - '0');
    }
    if (clock != HCBR_I_CLOCK_COMPACT) {
        if (*text == '0')
            return false;
        bool millis = clock == HCBR_I_CLOCK_MILLIS;
        *out = hcbr_i_moment_of_epoch((int64_t)(millis ? value / 1000 : value));
        out->nano = (uint32_t)(millis ? value % 1000 * 1000000 : 0);
        return true;
    }
    hcbr_i_moment day = {.year = (int32_t)(value / 10000),
                         .month = (uint8_t)(value / 100 % 100),
                         .day = (uint8_t)(value % 100),
                         .has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY};
    if (day.year < 1800 || day.year > 2199 || day.day < 1 ||
        day.day > hcbr_i_month_days(day.year, day.month))
        return false;
    *out = day;
    return true;
}
