/*
 * Dates as they are written. A text is parsed once, into numbers and what is known of them; which
 * number is the day and which the month is tried afterwards for each order.
 *
 * Invariant: only days that the calendar has are read.
 */
#include "kinds/kinds.h"

/** A date, parsed. */
typedef struct parts {
    uint32_t a, b, c; /**< three numbers in their order, if `numbers` */
    unsigned a_digits, c_digits;
    bool numbers;         /**< else the moment below is complete */
    hcbr_i_moment moment; /**< the time and zone; year, month and day if they are clear */
} parts;

enum {
    CENTURY_FROM = 69, /* years of two digits: 1969 to 2068 */
    TEXT_MOST = 64     /* bytes of a date */
};

static int32_t full_year(uint32_t year, unsigned digits) {
    return (int32_t)(digits > 2 ? year : year + (year >= CENTURY_FROM ? 1900 : 2000));
}

static void skip_blanks(const char **at, const char *end) {
    size_t size;
    while ((size = hcbr_i_blank_size(*at, end)) > 0)
        *at += size;
}

/* Set the day if the calendar has it; day 0 is a month alone. */
static bool set_day(hcbr_i_moment *m, int32_t year, uint32_t month, uint32_t day) {
    if (year < 1 || year > 9999 || month < 1 || month > 12 || day > hcbr_i_month_days(year, month))
        return false;
    m->year = year;
    m->month = (uint8_t)month;
    m->day = (uint8_t)day;
    m->has |= (uint8_t)(HCBR_I_HAS_DATE | (day ? HCBR_I_HAS_DAY : 0));
    return true;
}

/* ---- with a month's name --------------------------------------------------------------------- */

/* Skip one of these words and the blanks around it, at most once. */
static void skip_word(const char **at, const char *end, const char *const *words) {
    const char *p = *at;
    skip_blanks(&p, end);
    const char first = p < end ? hcbr_i_lower(*p) : 0;
    for (; *words; words++) {
        if (**words != first)
            continue;
        size_t n = strlen(*words);
        if ((size_t)(end - p) > n && hcbr_i_is_word(p, n, *words) &&
            (hcbr_i_blank_size(p + n, end) > 0)) {
            p += n;
            break;
        }
    }
    skip_blanks(&p, end);
    *at = p;
}

/* Skip separators between a day, a month's name and a year: blanks, one of , - / . and "of". */
static void skip_between(const char **at, const char *end) {
    static const char *const of[] = {"of", "de", "del", "d'", NULL};
    skip_blanks(at, end);
    if (*at < end && strchr(",-/.", **at) != NULL)
        ++*at;
    skip_word(at, end, of);
}

/* A day with its ordinal mark: 14, 14., 14th, 1er. */
static bool take_day(uint32_t *day, const char **at, const char *end) {
    static const char *const ordinal[] = {"st", "nd", "rd", "th", "er", "\xC2\xBA", NULL};
    const char *p = *at;
    unsigned digits = hcbr_i_digits_take(day, 2, &p, end);
    if (digits == 0 || *day < 1 || *day > 31 || (p < end && hcbr_i_ascii_digit(*p)))
        return false;
    for (unsigned i = 0; p < end && ordinal[i]; i++) {
        if (*ordinal[i] != hcbr_i_lower(*p))
            continue;
        size_t n = strlen(ordinal[i]);
        if ((size_t)(end - p) >= n && hcbr_i_is_word(p, n, ordinal[i])) {
            p += n;
            break;
        }
    }
    *at = p;
    return true;
}

/* A year of four digits, or of two, perhaps with an apostrophe before them. */
static bool take_year(int32_t *year, bool four, const char **at, const char *end) {
    const char *p = *at;
    uint32_t value;
    bool apostrophe = p < end && *p == '\'';
    p += apostrophe;
    unsigned digits = hcbr_i_digits_take(&value, 4, &p, end);
    if ((digits != 4 || apostrophe) && (digits != 2 || (four && !apostrophe)))
        return false;
    if (p < end && hcbr_i_ascii_digit(*p))
        return false;
    *year = full_year(value, digits);
    *at = p;
    return true;
}

/* 14 March 2019, 14-Mar-19 */
static bool day_month_year(parts *out, const char **at, const char *end) {
    const char *p = *at;
    uint32_t day;
    int32_t year;
    if (!take_day(&day, &p, end))
        return false;
    skip_between(&p, end);
    unsigned month = hcbr_i_month_take(&p, end);
    if (month == 0)
        return false;
    skip_between(&p, end);
    if (!take_year(&year, false, &p, end) || !set_day(&out->moment, year, month, day))
        return false;
    *at = p;
    return true;
}

/* Mar 14 10:00:00 2019, as C libraries write it, with a zone or not. */
static bool day_time_year(parts *out, unsigned month, uint32_t day, const char **at,
                          const char *end) {
    const char *p = *at;
    int32_t year;
    skip_blanks(&p, end);
    if (p == *at || !hcbr_i_time_take(&out->moment, &p, end))
        return false;
    (void)hcbr_i_zone_take(&out->moment, &p, end);
    skip_blanks(&p, end);
    if (!take_year(&year, true, &p, end) || !set_day(&out->moment, year, month, day))
        return false;
    *at = p;
    return true;
}

/* March 14, 2019; Mar 2019; Mar 14 10:00:00 2019 */
static bool month_day_year(parts *out, const char **at, const char *end) {
    const char *p = *at;
    uint32_t day;
    int32_t year;
    unsigned month = hcbr_i_month_take(&p, end);
    if (month == 0)
        return false;
    skip_between(&p, end);
    const char *behind_month = p;
    if (take_day(&day, &p, end)) {
        const char *behind_day = p;
        skip_between(&p, end);
        if (p > behind_day && take_year(&year, false, &p, end) && (p == end || *p != ':')) {
            *at = p;
            return set_day(&out->moment, year, month, day);
        }
        p = behind_day;
        if (day_time_year(out, month, day, &p, end)) {
            *at = p;
            return true;
        }
    }
    p = behind_month;
    if (!take_year(&year, true, &p, end) || !set_day(&out->moment, year, month, 0))
        return false;
    *at = p;
    return true;
}

/* 2019 March 14; 1939, May */
static bool year_month_day(parts *out, const char **at, const char *end) {
    const char *p = *at;
    uint32_t day = 0;
    int32_t year;
    if (!take_year(&year, true, &p, end))
        return false;
    skip_between(&p, end);
    unsigned month = hcbr_i_month_take(&p, end);
    if (month == 0)
        return false;
    const char *behind = p;
    skip_between(&p, end);
    if (p == behind || !take_day(&day, &p, end)) {
        day = 0;
        p = behind;
    }
    if (!set_day(&out->moment, year, month, day))
        return false;
    *at = p;
    return true;
}

/* The first month of a quarter: 2019Q1, 2019-Q1, 2019 q1; Q1 2019, Q1/2019. */
static bool quarter(parts *out, const char **at, const char *end) {
    const char *p = *at;
    int32_t year = 0;
    bool year_first = hcbr_i_ascii_digit(*p);
    if (year_first) {
        if (!take_year(&year, true, &p, end))
            return false;
        skip_between(&p, end);
    }
    if (end - p < 2 || hcbr_i_lower(*p) != 'q' || p[1] < '1' || p[1] > '4')
        return false;
    uint32_t month = (uint32_t)(p[1] - '0') * 3 - 2;
    p += 2;
    if (!year_first) {
        skip_between(&p, end);
        if (!take_year(&year, true, &p, end))
            return false;
    }
    if (p < end || !set_day(&out->moment, year, month, 0))
        return false;
    *at = p;
    return true;
}

/* ---- in numbers ------------------------------------------------------------------------------ */

/* 2019-W11-4 and 2019-073, after the year and its hyphen. */
static bool week_or_ordinal(parts *out, int32_t year, const char **at, const char *end) {
    const char *p = *at;
    uint32_t number, day = 1;
    bool week = p < end && *p == 'W';
    p += week;
    if (hcbr_i_digits_take(&number, week ? 2 : 3, &p, end) != (week ? 2U : 3U) || number < 1 ||
        (p < end && hcbr_i_ascii_digit(*p)))
        return false;
    int64_t first = hcbr_i_days_of(year, 1, 1), days;
    if (week) {
        if (end - p < 2 || *p != '-' || number > 53)
            return false;
        p++;
        if (hcbr_i_digits_take(&day, 1, &p, end) != 1 || day < 1 || day > 7)
            return false;
        /* Week 1 has the fourth of January in it; weeks begin on Monday. */
        int64_t fourth = first + 3, weekday = ((fourth + 3) % 7 + 7) % 7;
        days = fourth - weekday + (int64_t)(number - 1) * 7 + (int64_t)day - 1;
        if (number == 53 && days - (int64_t)day + 4 >= hcbr_i_days_of(year + 1, 1, 1))
            return false; /* its Thursday is of the next year: there is no week 53 */
    } else {
        days = first + number - 1;
        if (days >= hcbr_i_days_of(year + 1, 1, 1))
            return false;
    }
    hcbr_i_day_of_days(days, &out->moment.year, &out->moment.month, &out->moment.day);
    out->moment.has |= HCBR_I_HAS_DATE | HCBR_I_HAS_DAY;
    *at = p;
    return true;
}

/* Three numbers with the same mark between them, or a year and a month. */
static bool numbers(parts *out, const char **at, const char *end) {
    const char *p = *at;
    out->a_digits = hcbr_i_digits_take(&out->a, 4, &p, end);
    if (out->a_digits == 0 || out->a_digits == 3 || p == end || strchr("/-.", *p) == NULL)
        return false;
    char mark = *p++;
    bool year_first = out->a_digits == 4;
    if (year_first && mark == '-' && week_or_ordinal(out, (int32_t)out->a, &p, end)) {
        *at = p;
        return true;
    }
    if (mark == '.') /* 14. 3. 2019 */
        skip_blanks(&p, end);
    unsigned digits = hcbr_i_digits_take(&out->b, 2, &p, end);
    if (digits == 0)
        return false;
    if (year_first && digits == 2 && (mark == '-' || mark == '/') &&
        (p == end || (*p != mark && !hcbr_i_ascii_digit(*p)))) {
        *at = p;
        return set_day(&out->moment, (int32_t)out->a, out->b, 0);
    }
    if (p == end || *p != mark) { /* 03/2019 */
        p = *at;
        digits = hcbr_i_digits_take(&out->a, 2, &p, end);
        mark = digits > 0 && p < end ? *p++ : 0;
        if ((mark != '/' && mark != '-') || hcbr_i_digits_take(&out->c, 4, &p, end) != 4 ||
            (p < end && (hcbr_i_ascii_digit(*p) || *p == mark)))
            return false;
        *at = p;
        return set_day(&out->moment, (int32_t)out->c, out->a, 0);
    }
    p++;
    if (mark == '.')
        skip_blanks(&p, end);
    out->c_digits = hcbr_i_digits_take(&out->c, year_first ? 2 : 4, &p, end);
    if ((p < end && hcbr_i_ascii_digit(*p)) || out->c_digits == 0)
        return false;
    *at = p;
    if (year_first)
        return out->c > 0 && set_day(&out->moment, (int32_t)out->a, out->b, out->c);
    out->numbers = true;
    return out->c_digits == 4 || out->c_digits == 2;
}

/* 20190314T1405: the date of the compact form of ISO 8601, with its time. */
static bool compact(parts *out, const char **at, const char *end) {
    hcbr_i_moment day;
    if (end - *at < 11 || (*at)[8] != 'T' || !hcbr_i_clock_read(&day, HCBR_I_CLOCK_COMPACT, *at, 8))
        return false;
    *at += 8;
    return set_day(&out->moment, day.year, day.month, day.day);
}

/* ---- both together --------------------------------------------------------------------------- */

/* A time after a date, and the word that joins them. */
static bool take_rest(parts *out, const char *at, const char *end) {
    static const char *const joins[] = {"at", "um", "\xC3\xA0", "a", NULL};
    const char *p = at;
    if (p < end && !(out->moment.has & HCBR_I_HAS_TIME)) {
        if (*p == 'T' || *p == 't' || *p == ':' || *p == '_') {
            p++;
        } else {
            p += *p == ',';
            skip_word(&p, end, joins);
        }
        if (p == at || !hcbr_i_time_take(&out->moment, &p, end))
            return false;
    }
    if (p < end)
        (void)hcbr_i_zone_take(&out->moment, &p, end);
    return p == end;
}

/* A text that begins with a digit. */
static bool from_digit(parts *out, const char *at, const char *end, bool weekday) {
    const char *start = at;
    unsigned digits = 1; /* a day, an hour or a year, or a date of eight digits */
    while (digits < 9 && at + digits < end && hcbr_i_ascii_digit(at[digits]))
        digits++;
    if (digits > 2 && digits != 4 && digits != 8)
        return false;
    if (numbers(out, &at, end) || compact(out, &at, end))
        return take_rest(out, at, end);
    out->numbers = false;
    out->moment.has = 0;
    at = start;
    if (day_month_year(out, &at, end) || year_month_day(out, &at, end) || quarter(out, &at, end))
        return take_rest(out, at, end);
    at = start;
    bool four = end - at > 2 && hcbr_i_ascii_digit(at[1]) && hcbr_i_ascii_digit(at[2]);
    if (weekday || four || /* four digits alone are not a time */
        !hcbr_i_time_take(&out->moment, &at, end))
        return false;
    (void)hcbr_i_zone_take(&out->moment, &at, end);
    return at == end;
}

static bool take_apart(parts *out, const char *text, size_t length) {
    const char *at = text, *end = text + length;
    memset(out, 0, sizeof *out);
    if (length > TEXT_MOST)
        return false;
    hcbr_i_trim(&at, &end);
    if (at == end)
        return false;
    if (hcbr_i_ascii_digit(*at))
        return from_digit(out, at, end, false);
    const char *start = at; /* `Mar` may be March or martedì: the month comes first */
    if ((month_day_year(out, &at, end) || quarter(out, &at, end)) && take_rest(out, at, end))
        return true;
    memset(out, 0, sizeof *out);
    at = start;
    if (!hcbr_i_weekday_take(&at, end) || at == end)
        return false;
    if (hcbr_i_ascii_digit(*at))
        return from_digit(out, at, end, true);
    return month_day_year(out, &at, end) && take_rest(out, at, end);
}

/* The date in an order; false if the calendar does not have it. */
static bool settle(hcbr_i_moment *out, const parts *p, hcbr_i_order order) {
    *out = p->moment;
    if (!p->numbers)
        return true;
    if (order == HCBR_I_ORDER_CLEAR || (p->c_digits == 4 && order == HCBR_I_ORDER_YMD))
        return false;
    if (order == HCBR_I_ORDER_YMD)
        return p->a_digits == 2 && p->c > 0 && set_day(out, full_year(p->a, 2), p->b, p->c);
    uint32_t day = order == HCBR_I_ORDER_DMY ? p->a : p->b;
    return day > 0 &&
           set_day(out, full_year(p->c, p->c_digits), order == HCBR_I_ORDER_DMY ? p->b : p->a, day);
}

unsigned hcbr_i_moment_orders(hcbr_i_moment *out, const char *text, size_t length) {
    parts p;
    hcbr_i_moment other;
    unsigned orders = 0;
    if (hcbr_i_iso_read(out, text, length))
        return 0xF;
    memset(out, 0, sizeof *out);
    if (!take_apart(&p, text, length))
        return 0;
    for (unsigned order = HCBR_I_ORDER_CLEAR; order <= HCBR_I_ORDER_YMD; order++)
        if (settle(&other, &p, (hcbr_i_order)order)) {
            if (orders == 0)
                *out = other;
            orders |= 1U << order;
        }
    return orders;
}

bool hcbr_i_moment_read(hcbr_i_moment *out, hcbr_i_order order, const char *text, size_t length) {
    parts p;
    if (hcbr_i_iso_read(out, text, length))
        return true;
    memset(out, 0, sizeof *out);
    if (!take_apart(&p, text, length) || !settle(out, &p, order)) {
        memset(out, 0, sizeof *out);
        return false;
    }
    return true;
}
