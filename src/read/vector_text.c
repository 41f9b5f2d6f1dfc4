/*
 * Texts of exact decimals, dates and times of columns in memory: ISO 8601, the years of the
 * Gregorian calendar before 1582 too, at least four digits, with a minus sign before year 0.
 *
 * Invariant: different values of one type have different texts; no text has a needless zero after
 * the point of a second, and none depends on the locale or the time zone of the machine.
 */
#include "read/vector.h"

#include <stdio.h>

size_t hcbr_i_decimal_text(char *out, bool negative, hcbr_i_u128 size, int scale) {
    char digits[40];
    int count = 0, n = 0;
    bool zero = size == 0;
    for (; size > 0 || count == 0; size /= 10)
        digits[count++] = (char)('0' + (int)(size % 10));
    if (negative)
        out[n++] = '-';
    if (count <= scale) {
        out[n++] = '0';
        out[n++] = '.';
        for (int i = count; i < scale; i++)
            out[n++] = '0';
        while (count > 0)
            out[n++] = digits[--count];
        return (size_t)n;
    }
    while (count > 0) {
        out[n++] = digits[--count];
        if (count == scale && scale > 0)
            out[n++] = '.';
    }
    for (int i = scale; i < 0 && !zero; i++)
        out[n++] = '0';
    return (size_t)n;
}

/** A day of the calendar. */
typedef struct date {
    int64_t year;
    unsigned month, day;
} date;

/** By the algorithm of Howard Hinnant: years begin in March, 400 of them are 146097 days. */
static date date_of(int64_t days) {
    int64_t shifted = days + 719468, era = shifted / 146097 - (shifted % 146097 < 0);
    unsigned of_era = (unsigned)(shifted - era * 146097);
    unsigned year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    unsigned of_year = of_era - (365 * year + year / 4 - year / 100);
    unsigned month = (5 * of_year + 2) / 153;
    unsigned day = of_year - (153 * month + 2) / 5 + 1;
    month = month < 10 ? month + 3 : month - 9;
    return (date){(int64_t)year + era * 400 + (month <= 2), month, day};
}

size_t hcbr_i_date_text(char *out, int64_t days) {
    date d = date_of(days);
    return (size_t)snprintf(out, 48, "%s%04lld-%02u-%02u", d.year < 0 ? "-" : "",
                            (long long)(d.year < 0 ? -d.year : d.year), d.month, d.day);
}

size_t hcbr_i_time_text(char *out, uint64_t time, int digits) {
    uint64_t unit = 1, seconds;
    for (int i = 0; i < digits; i++)
        unit *= 10;
    seconds = time / unit;
    size_t n = (size_t)snprintf(out, 16, "%02u:%02u:%02u", (unsigned)(seconds / 3600),
                                (unsigned)(seconds / 60 % 60), (unsigned)(seconds % 60));
    time %= unit;
    if (time == 0)
        return n;
    n += (size_t)snprintf(out + n, 16, ".%0*llu", digits, (unsigned long long)time);
    while (out[n - 1] == '0')
        n--;
    return n;
}

size_t hcbr_i_timestamp_text(char *out, int64_t time, int digits, bool zoned) {
    int64_t day = 86400, days;
    for (int i = 0; i < digits; i++)
        day *= 10;
    days = time / day - (time % day < 0);
    size_t n = hcbr_i_date_text(out, days);
    out[n++] = 'T';
    n += hcbr_i_time_text(out + n, (uint64_t)(time - days * day), digits);
    if (zoned)
        out[n++] = 'Z';
    return n;
}
