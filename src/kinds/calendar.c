/*
 * The proleptic Gregorian calendar: days as numbers, and the parts of a moment.
 *
 * A year is counted from March on, so that the leap day is its last; 400 years have the same number
 * of days as any other 400. Invariant: hcbr_i_day_of_days() undoes hcbr_i_days_of() for every day.
 */
#include "kinds/kinds.h"

enum {
    ERA_YEARS = 400,
    ERA_DAYS = 146097,
    TO_EPOCH = 719468, /* days from 0000-03-01 to 1970-01-01 */
    DAY_SECONDS = 86400
};

/* The quotient rounded down. */
static int64_t divide_down(int64_t a, int64_t b) {
    return a / b - (a % b < 0);
}

int64_t hcbr_i_days_of(int32_t year, unsigned month, unsigned day) {
    int64_t from_march = (int64_t)year - (month <= 2);
    int64_t era = divide_down(from_march, ERA_YEARS);
    int64_t of_era = from_march - era * ERA_YEARS;
    int64_t of_year = (int64_t)((153 * ((month + 9) % 12) + 2) / 5 + day) - 1;
    return era * ERA_DAYS + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_EPOCH;
}

void hcbr_i_day_of_days(int64_t days, int32_t *year, uint8_t *month, uint8_t *day) {
    days += TO_EPOCH;
    int64_t era = divide_down(days, ERA_DAYS);
    int64_t of_era = days - era * ERA_DAYS;
    int64_t years = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
    int64_t of_year = of_era - (365 * years + years / 4 - years / 100);
    int64_t from_march = (5 * of_year + 2) / 153;
    *day = (uint8_t)(of_year - (153 * from_march + 2) / 5 + 1);
    *month = (uint8_t)(from_march < 10 ? from_march + 3 : from_march - 9);
    *year = (int32_t)(years + era * ERA_YEARS + (*month <= 2));
}

unsigned hcbr_i_month_days(int32_t year, unsigned month) {
    static const uint8_t days[] = {0, 31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return month > 12 ? 0 : days[month] + (unsigned)(month == 2 && leap);
}

hcbr_i_moment hcbr_i_moment_of_epoch(int64_t seconds) {
    hcbr_i_moment moment = {.has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY | HCBR_I_HAS_TIME |
                                   HCBR_I_HAS_ZONE};
    int64_t days = divide_down(seconds, DAY_SECONDS);
    int64_t of_day = seconds - days * DAY_SECONDS;
    hcbr_i_day_of_days(days, &moment.year, &moment.month, &moment.day);
    moment.hour = (uint8_t)(of_day / 3600);
    moment.minute = (uint8_t)(of_day / 60 % 60);
    moment.second = (uint8_t)(of_day % 60);
    return moment;
}

unsigned hcbr_i_moment_parts(int64_t value[HCBR_I_PARTS], const hcbr_i_moment *m) {
    unsigned has = 0;
    if (m->has & HCBR_I_HAS_DATE) {
        const int64_t days = hcbr_i_days_of(m->year, m->month, m->day ? m->day : 1);
        has = 1U << HCBR_I_PART_YEAR | 1U << HCBR_I_PART_MONTH | 1U << HCBR_I_PART_DAYS;
        value[HCBR_I_PART_YEAR] = m->year;
        value[HCBR_I_PART_MONTH] = m->month;
        value[HCBR_I_PART_DAYS] = days;
        if (m->has & HCBR_I_HAS_DAY) {
            has |= 1U << HCBR_I_PART_DAY | 1U << HCBR_I_PART_WEEKDAY | 1U << HCBR_I_PART_YEAR_DAY;
            value[HCBR_I_PART_DAY] = m->day;
            /* 1970-01-01 was a Thursday */
            value[HCBR_I_PART_WEEKDAY] = days + 3 - divide_down(days + 3, 7) * 7 + 1;
            value[HCBR_I_PART_YEAR_DAY] = days - hcbr_i_days_of(m->year, 1, 1) + 1;
        }
    }
    if (m->has & HCBR_I_HAS_TIME) {
        has |= 1U << HCBR_I_PART_HOUR | 1U << HCBR_I_PART_MINUTE;
        value[HCBR_I_PART_HOUR] = m->hour;
        value[HCBR_I_PART_MINUTE] = m->hour * 60 + m->minute;
    }
    return has;
}

bool hcbr_i_moment_part(int64_t *value, const hcbr_i_moment *m, hcbr_i_part_of part) {
    int64_t all[HCBR_I_PARTS];
    const bool has = part < HCBR_I_PARTS && hcbr_i_moment_parts(all, m) >> part & 1;
    *value = has ? all[part] : 0;
    return has;
}

/* A number with at least `least` digits. */
static size_t put_digits(char *out, uint64_t number, unsigned least) {
    char digits[24];
    unsigned count = 0;
    for (; number > 0 || count < least; number /= 10)
        digits[count++] = (char)('0' + number % 10);
    for (unsigned i = 0; i < count; i++)
        out[i] = digits[count - 1 - i];
    return count;
}

/* A sign of punctuation and two digits. */
static size_t put_pair(char *out, char sign, unsigned number) {
    out[0] = sign;
    return 1 + put_digits(out + 1, number, 2);
}

/* Seconds and their fraction, without zeros at the end. */
static size_t put_seconds(char *out, const hcbr_i_moment *m) {
    if (m->second == 0 && m->nano == 0)
        return 0;
    size_t n = put_pair(out, ':', m->second);
    if (m->nano == 0)
        return n;
    out[n++] = '.';
    n += put_digits(out + n, m->nano, 9);
    while (out[n - 1] == '0')
        n--;
    return n;
}

size_t hcbr_i_moment_write(char out[HCBR_I_MOMENT_TEXT], const hcbr_i_moment *m) {
    size_t n = 0;
    if (m->has & HCBR_I_HAS_DATE) {
        if (m->year < 0)
            out[n++] = '-';
        n += put_digits(out + n, (uint64_t)(m->year < 0 ? -(int64_t)m->year : m->year), 4);
        n += put_pair(out + n, '-', m->month);
    }
    if (m->has & HCBR_I_HAS_DAY)
        n += put_pair(out + n, '-', m->day);
    if (m->has & HCBR_I_HAS_TIME) {
        if (n > 0)
            out[n++] = ' ';
        n += put_digits(out + n, m->hour, 2);
        n += put_pair(out + n, ':', m->minute);
        n += put_seconds(out + n, m);
    }
    return n;
}

const char *hcbr_i_part_name(hcbr_i_part_of part) {
    static const char *const names[HCBR_I_PARTS] = {"year",          "month",       "day of month",
                                                    "day of week",   "day of year", "hour",
                                                    "minute of day", "days"};
    assert(part < HCBR_I_PARTS);
    return names[part];
}

const char *hcbr_i_weekday_name(unsigned weekday) {
    static const char *const names[] = {"Monday", "Tuesday",  "Wednesday", "Thursday",
                                        "Friday", "Saturday", "Sunday"};
    assert(weekday >= 1 && weekday <= 7);
    return names[weekday - 1];
}
