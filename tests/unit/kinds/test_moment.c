// Dates: the calendar against counting day by day; each way of writing a date, read again.
#include "kinds/kinds.h"
#include "seed.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static uint64_t state;

static unsigned draw(unsigned below) {
    return hcbr_i_draw_below(&state, below);
}

/** Read from an exact heap copy, so that the sanitizer sees any read beyond the text. */
static bool moment_read(hcbr_i_moment *m, hcbr_i_order order, const char *text) {
    size_t length = strlen(text);
    char *copy = malloc(length + (length == 0));
    memcpy(copy, text, length);
    bool answer = hcbr_i_moment_read(m, order, copy, length);
    hcbr_i_moment first;
    unsigned orders = hcbr_i_moment_orders(&first, copy, length);
    assert_int_equal(orders >> order & 1, answer);
    free(copy);
    return answer;
}

static bool leap(int year) {
    return year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
}

/* Every day of ten thousand years, one after the other. */
static void calendar__every_day(void **unused) {
    int64_t days = hcbr_i_days_of(-4, 1, 1), weekday = -1;
    static const unsigned lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    (void)unused;
    assert_int_equal(hcbr_i_days_of(1970, 1, 1), 0);
    assert_int_equal(hcbr_i_days_of(2000, 3, 1), 11017);
    for (int year = -4; year < 9999; year++) {
        int64_t of_year = 1;
        for (unsigned month = 1; month <= 12; month++) {
            unsigned length = lengths[month - 1] + (month == 2 && leap(year));
            assert_int_equal(hcbr_i_month_days(year, month), length);
            for (unsigned day = 1; day <= length; day++, days++, of_year++) {
                hcbr_i_moment m = {.year = year,
                                   .month = (uint8_t)month,
                                   .day = (uint8_t)day,
                                   .has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY};
                int32_t y;
                uint8_t mo, d;
                int64_t part;
                if (hcbr_i_days_of(year, month, day) != days)
                    fail_msg("%d-%u-%u", year, month, day);
                hcbr_i_day_of_days(days, &y, &mo, &d);
                if (y != year || mo != month || d != day)
                    fail_msg("%d-%u-%u is %d-%u-%u", year, month, day, y, mo, d);
                if (!hcbr_i_moment_part(&part, &m, HCBR_I_PART_WEEKDAY) ||
                    (weekday >= 0 && part != weekday % 7 + 1))
                    fail_msg("%d-%u-%u is weekday %d", year, month, day, (int)part);
                weekday = part;
                if (!hcbr_i_moment_part(&part, &m, HCBR_I_PART_YEAR_DAY) || part != of_year)
                    fail_msg("%d-%u-%u is day %d", year, month, day, (int)part);
            }
        }
    }
    assert_int_equal(hcbr_i_month_days(2000, 0), 0);
    assert_int_equal(hcbr_i_month_days(2000, 13), 0);
}

static void calendar__parts(void **unused) {
    hcbr_i_moment m;
    int64_t value;
    (void)unused;
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "2019-03-14 14:05:09.5"));
    static const int64_t want[] = {2019, 3, 14, 4, 73, 14, 845, 17969};
    for (unsigned part = 0; part < HCBR_I_PARTS; part++) {
        assert_true(hcbr_i_moment_part(&value, &m, (hcbr_i_part_of)part));
        assert_int_equal(value, want[part]);
    }
    assert_string_equal(hcbr_i_part_name(HCBR_I_PART_WEEKDAY), "day of week");
    assert_string_equal(hcbr_i_weekday_name(4), "Thursday");
    assert_int_equal(m.nano, 500000000);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "14:05"));
    assert_false(hcbr_i_moment_part(&value, &m, HCBR_I_PART_YEAR));
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "May 1939"));
    assert_false(hcbr_i_moment_part(&value, &m, HCBR_I_PART_DAY));
    assert_true(hcbr_i_moment_part(&value, &m, HCBR_I_PART_DAYS));
    assert_int_equal(value, hcbr_i_days_of(1939, 5, 1));
}

static const char *const english[] = {"January",   "February", "March",    "April",
                                      "May",       "June",     "July",     "August",
                                      "September", "October",  "November", "December"};
static const char *const german[] = {"Januar",    "Februar", "M\xC3\xA4rz", "April",
                                     "Mai",       "Juni",    "Juli",        "August",
                                     "September", "Oktober", "November",    "Dezember"};
static const char *const french[] = {"janvier",   "f\xC3\xA9vrier", "mars",     "avril",
                                     "mai",       "juin",           "juillet",  "ao\xC3\xBBt",
                                     "septembre", "octobre",        "novembre", "d\303\251cembre"};
static const char *const spanish[] = {"enero",      "febrero", "marzo",     "abril",
                                      "mayo",       "junio",   "julio",     "agosto",
                                      "septiembre", "octubre", "noviembre", "diciembre"};
static const char *const italian[] = {"gennaio",   "febbraio", "marzo",    "aprile",
                                      "maggio",    "giugno",   "luglio",   "agosto",
                                      "settembre", "ottobre",  "novembre", "dicembre"};

enum { FORMATS = 28 };

/** A day in one of the formats; returns the order in which it is to be read. */
static hcbr_i_order print_day(char out[120], unsigned format, int y, unsigned m, unsigned d) {
    int yy = y % 100;
    const char *name = english[m - 1];
    const char *ordinal = d % 10 == 1 && d != 11   ? "st"
                          : d % 10 == 2 && d != 12 ? "nd"
                          : d % 10 == 3 && d != 13 ? "rd"
                                                   : "th";
    switch (format) {
    case 0:
        sprintf(out, "%04d-%02u-%02u", y, m, d);
        break;
    case 1:
        sprintf(out, "%04d/%u/%u", y, m, d);
        break;
    case 2:
        sprintf(out, "%04d.%02u.%02u", y, m, d);
        break;
    case 3:
        sprintf(out, "%u/%u/%04d", d, m, y);
        return HCBR_I_ORDER_DMY;
    case 4:
        sprintf(out, "%02u-%02u-%04d", d, m, y);
        return HCBR_I_ORDER_DMY;
    case 5:
        sprintf(out, "%02u.%02u.%04d", d, m, y);
        return HCBR_I_ORDER_DMY;
    case 6:
        sprintf(out, "%u. %u. %04d", d, m, y);
        return HCBR_I_ORDER_DMY;
    case 7:
        sprintf(out, "%u/%u/%04d", m, d, y);
        return HCBR_I_ORDER_MDY;
    case 8:
        sprintf(out, "%02u-%02u-%04d", m, d, y);
        return HCBR_I_ORDER_MDY;
    case 9:
        sprintf(out, "%u/%u/%02d", d, m, yy);
        return HCBR_I_ORDER_DMY;
    case 10:
        sprintf(out, "%02u/%02u/%02d", m, d, yy);
        return HCBR_I_ORDER_MDY;
    case 11:
        sprintf(out, "%02d-%02u-%02u", yy, m, d);
        return HCBR_I_ORDER_YMD;
    case 12:
        sprintf(out, "%s %u, %04d", name, d, y);
        break;
    case 13:
        sprintf(out, "%.3s %u, %04d", name, d, y);
        break;
    case 14:
        sprintf(out, "%.3s. %u%s, %04d", name, d, ordinal, y);
        break;
    case 15:
        sprintf(out, "%u %s %04d", d, name, y);
        break;
    case 16:
        sprintf(out, "%02u-%.3s-%02d", d, name, yy);
        break;
    case 17:
        sprintf(out, "%u%s of %s %04d", d, ordinal, name, y);
        break;
    case 18:
        sprintf(out, "%u. %s %04d", d, german[m - 1], y);
        break;
    case 19:
        sprintf(out, "%u%s %s %04d", d, d == 1 ? "er" : "", french[m - 1], y);
        break;
    case 20:
        sprintf(out, "%u de %s de %04d", d, spanish[m - 1], y);
        break;
    case 21:
        sprintf(out, "%u %s %04d", d, italian[m - 1], y);
        break;
    case 22:
        sprintf(out, "%04d %s %u", y, name, d);
        break;
    case 23:
        sprintf(out, "%04d-%03d", y, (int)(hcbr_i_days_of(y, m, d) - hcbr_i_days_of(y, 1, 1)) + 1);
        break;
    case 24:
        sprintf(out, "%02u/%.3s/%04d", d, name, y);
        break;
    case 25:
        sprintf(out, "%.3s-%02u-%04d", name, d, y);
        break;
    case 26:
        sprintf(out, " %04d-%02u-%02u\t", y, m, d);
        break;
    default:
        sprintf(out, "%02u %.3s '%02d", d, name, yy);
        break;
    }
    return HCBR_I_ORDER_CLEAR;
}

/** Append a time of day and a zone. */
static void print_time(char *out, unsigned format, hcbr_i_moment *m) {
    out += strlen(out);
    m->has |= HCBR_I_HAS_TIME;
    switch (format) {
    case 0:
        sprintf(out, " %02u:%02u", m->hour, m->minute), m->second = 0;
        break;
    case 1:
        sprintf(out, " %u:%02u:%02u", m->hour, m->minute, m->second);
        break;
    case 2:
        sprintf(out, "T%02u:%02u:%02uZ", m->hour, m->minute, m->second), m->has |= HCBR_I_HAS_ZONE;
        break;
    case 3:
        sprintf(out, ", %u:%02u %s", (m->hour + 11U) % 12 + 1, m->minute,
                m->hour < 12 ? "AM" : "p.m."),
            m->second = 0;
        break;
    case 4:
        sprintf(out, " %02u:%02u:%02u.123456 +0530", m->hour, m->minute, m->second),
            m->nano = 123456000, m->zone = 330, m->has |= HCBR_I_HAS_ZONE;
        break;
    default:
        sprintf(out, " at %02u:%02u:%02u EST", m->hour, m->minute, m->second),
            m->zone = -300, m->has |= HCBR_I_HAS_ZONE;
        break;
    }
}

static void check_same(const char *text, const hcbr_i_moment *have, const hcbr_i_moment *want) {
    if (have->year != want->year || have->month != want->month || have->day != want->day ||
        have->hour != want->hour || have->minute != want->minute || have->second != want->second ||
        have->nano != want->nano || have->zone != want->zone || have->has != want->has)
        fail_msg("'%s' is %d-%u-%u %u:%u:%u.%u, has %x", text, have->year, have->month, have->day,
                 have->hour, have->minute, have->second, have->nano, have->has);
}

static void moment__round_trip(void **unused) {
    (void)unused;
    for (int round = 0; round < 200000; round++) {
        char text[160];
        hcbr_i_moment want = {.has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY}, have;
        unsigned format = draw(FORMATS);
        want.year = format == 9 || format == 10 || format == 11 || format == 16 || format == 27
                        ? (int)(1969 + draw(100))
                        : (int)(1 + draw(9999));
        want.month = (uint8_t)(1 + draw(12));
        want.day = (uint8_t)(1 + draw(hcbr_i_month_days(want.year, want.month)));
        hcbr_i_order order = print_day(text, format, want.year, want.month, want.day);
        if (draw(2) && format != 26) {
            want.hour = (uint8_t)draw(24);
            want.minute = (uint8_t)draw(60);
            want.second = (uint8_t)draw(60);
            print_time(text, draw(6), &want);
        }
        char whole[200] = "";
        int64_t weekday;
        hcbr_i_moment_part(&weekday, &want, HCBR_I_PART_WEEKDAY);
        if (draw(4) == 0)
            sprintf(whole, draw(2) ? "%.3s, " : "%s ", hcbr_i_weekday_name((unsigned)weekday));
        strcat(whole, text);
        if (!moment_read(&have, order, whole))
            fail_msg("'%s' is no date in order %d", whole, (int)order);
        check_same(whole, &have, &want);
    }
}

/* Weeks of ISO 8601, from the definition: the week of a Thursday is of that Thursday's year. */
static void written_is(hcbr_i_order order, const char *text, const char *want) {
    char out[HCBR_I_MOMENT_TEXT + 1];
    hcbr_i_moment m;
    assert_true(moment_read(&m, order, text));
    out[hcbr_i_moment_write(out, &m)] = '\0';
    assert_string_equal(out, want);
}

/* One spelling of a moment, which is read as the same one again. */
static void moment__written(void **unused) {
    char out[HCBR_I_MOMENT_TEXT], want[80];
    (void)unused;
    for (unsigned round = 0; round < 20000; round++) {
        hcbr_i_moment m = {.year = (int32_t)draw(9000) + 1000,
                           .month = (uint8_t)(draw(12) + 1),
                           .day = (uint8_t)(draw(28) + 1),
                           .hour = (uint8_t)draw(24),
                           .minute = (uint8_t)draw(60),
                           .second = (uint8_t)(draw(2) ? 0 : draw(60)),
                           .nano = draw(2) ? 0 : draw(10) * 100000000,
                           .has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY | HCBR_I_HAS_TIME};
        hcbr_i_moment again;
        size_t length = hcbr_i_moment_write(out, &m);
        assert_true(hcbr_i_moment_read(&again, HCBR_I_ORDER_CLEAR, out, length));
        assert_memory_equal(&again, &m, sizeof m);
        sprintf(want, "%04d-%02u-%02u %02u:%02u", (int)m.year, m.month, m.day, m.hour, m.minute);
        if (m.second || m.nano)
            sprintf(want + strlen(want), m.nano ? ":%02u.%u" : ":%02u", m.second,
                    (unsigned)(m.nano / 100000000));
        assert_int_equal(length, strlen(want));
        assert_memory_equal(out, want, length);
    }
    written_is(HCBR_I_ORDER_DMY, "14/03/2019", "2019-03-14");
    written_is(HCBR_I_ORDER_MDY, "3/4/19", "2019-03-04");
    written_is(HCBR_I_ORDER_CLEAR, "March 2019", "2019-03");
    written_is(HCBR_I_ORDER_CLEAR, "8:21 pm", "20:21");
    written_is(HCBR_I_ORDER_CLEAR, "20:21:00.000", "20:21");
    written_is(HCBR_I_ORDER_CLEAR, "00:00:09", "00:00:09");
    written_is(HCBR_I_ORDER_CLEAR, "2019-03-14T20:21:09.0625+02:00", "2019-03-14 20:21:09.0625");
    hcbr_i_moment old = {.year = -44, .month = 3, .day = 15, .has = 3};
    assert_int_equal(hcbr_i_moment_write(out, &old), 11);
    assert_memory_equal(out, "-0044-03-15", 11);
}

static void moment__weeks(void **unused) {
    (void)unused;
    for (int64_t days = hcbr_i_days_of(1900, 1, 1); days < hcbr_i_days_of(2101, 1, 1); days++) {
        int64_t weekday = ((days + 3) % 7 + 7) % 7, thursday = days - weekday + 3;
        int32_t year;
        uint8_t month, day;
        char text[40];
        hcbr_i_moment m;
        hcbr_i_day_of_days(thursday, &year, &month, &day);
        int week = (int)((thursday - hcbr_i_days_of(year, 1, 1)) / 7) + 1;
        sprintf(text, "%04d-W%02d-%d", (int)year, week, (int)weekday + 1);
        if (!moment_read(&m, HCBR_I_ORDER_CLEAR, text) ||
            hcbr_i_days_of(m.year, m.month, m.day) != days)
            fail_msg("'%s' is %d-%u-%u", text, m.year, m.month, m.day);
        if (week == 52 && weekday == 0) { // is there a week 53?
            hcbr_i_day_of_days(thursday + 7, &m.year, &month, &day);
            bool more = m.year == year;
            sprintf(text, "%04d-W53-1", (int)year);
            assert_int_equal(moment_read(&m, HCBR_I_ORDER_CLEAR, text), more);
        }
    }
}

static void moment__none(void **unused) {
    static const char *const none[] = {"",
                                       " ",
                                       "2019-02-29",
                                       "2019-02-30",
                                       "30/02/2019",
                                       "2019",
                                       "May",
                                       "May 5",
                                       "5 May",
                                       "12.05",
                                       "1.2.3.4",
                                       "25:00",
                                       "12:60",
                                       "13 pm",
                                       "0 am",
                                       "2019-13-01",
                                       "2019-00-10",
                                       "2019-01-00",
                                       "00/01/2019",
                                       "1/1/1",
                                       "1/1/123",
                                       "1/1/12345",
                                       "2019-366",
                                       "2019-000",
                                       "2019-W00-1",
                                       "2019-W01-8",
                                       "2019-W53-1",
                                       "1405",
                                       "jui 3, 2020",
                                       "Mo 14",
                                       "Foo 3, 2020",
                                       "2019-03-14T",
                                       "2019-03-14 25:00",
                                       "2019-03-14 24:10",
                                       "2019-03-14T24:10:00",
                                       "3/4",
                                       "2019-03-14 10:00 +15:00",
                                       "14 March",
                                       "2019-03-14x",
                                       "12:30:61",
                                       "0000-01-01",
                                       "32 March 2019",
                                       "29 Feb 2019",
                                       "555-12-3456",
                                       "2019--03",
                                       "2019-03-",
                                       "10:00:60",
                                       "Monday",
                                       "Monday 10:00",
                                       "1,234",
                                       "2019/13",
                                       "13/2019",
                                       "12-2019-03",
                                       "2019Q5",
                                       "Q1"};
    hcbr_i_moment m;
    (void)unused;
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        for (unsigned order = 0; order < 4; order++)
            if (moment_read(&m, (hcbr_i_order)order, none[i]))
                fail_msg("'%s' is no date", none[i]);
}

static void orders_are(const char *text, unsigned want) {
    hcbr_i_moment m;
    unsigned have = hcbr_i_moment_orders(&m, text, strlen(text));
    if (have != want)
        fail_msg("'%s' has the orders %x, expected %x", text, have, want);
}

static void moment__orders(void **unused) {
    enum { D = 1 << HCBR_I_ORDER_DMY, M = 1 << HCBR_I_ORDER_MDY, Y = 1 << HCBR_I_ORDER_YMD };
    (void)unused;
    orders_are("14/03/2019", D);
    orders_are("03/14/2019", M);
    orders_are("03/04/2019", D | M);
    orders_are("14-03-19", D | Y);
    orders_are("01-02-03", D | M | Y);
    orders_are("99-02-03", Y);
    orders_are("2019-03-14", 15);
    orders_are("14 Mar 2019", 15);
    orders_are("14:05", 15);
    orders_are("32/01/2019", 0);
    hcbr_i_moment m;
    assert_true(moment_read(&m, HCBR_I_ORDER_DMY, "1/2/68") && m.year == 2068);
    assert_true(moment_read(&m, HCBR_I_ORDER_DMY, "1/2/69") && m.year == 1969);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "Thu Mar 14 10:00:00 UTC 2019") &&
                m.hour == 10);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "14/Mar/2019:10:11:12 +0100") && m.zone == 60);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "20190314T1405") && m.minute == 5);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "mercredi 3 juillet 2019") && m.month == 7);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "1939, May") && m.day == 0);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "Mar 2019") && m.month == 3);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "2019Q3") && m.month == 7 && m.day == 0);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "Q4 2019") && m.month == 10);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "2:05 pm") && m.hour == 14);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "12 am") && m.hour == 0);
    assert_true(moment_read(&m, HCBR_I_ORDER_CLEAR, "23:59:60") && m.second == 60);
}

static void moment__clocks(void **unused) {
    hcbr_i_moment m;
    (void)unused;
    assert_true(hcbr_i_clock_read(&m, HCBR_I_CLOCK_COMPACT, "20190314", 8));
    assert_true(m.year == 2019 && m.month == 3 && m.day == 14);
    assert_false(hcbr_i_clock_read(&m, HCBR_I_CLOCK_COMPACT, "20190230", 8));
    assert_false(hcbr_i_clock_read(&m, HCBR_I_CLOCK_COMPACT, "20191301", 8));
    assert_false(hcbr_i_clock_read(&m, HCBR_I_CLOCK_COMPACT, "2019031", 7));
    for (int round = 0; round < 10000; round++) {
        char text[32];
        int64_t seconds = 100000000 + (int64_t)(hcbr_i_mix(state++) % 9000000000u);
        size_t length = (size_t)sprintf(text, "%lld", (long long)seconds);
        assert_true(hcbr_i_clock_read(&m, HCBR_I_CLOCK_SECONDS, text, length));
        int64_t back = hcbr_i_days_of(m.year, m.month, m.day) * 86400 + m.hour * 3600 +
                       m.minute * 60 + m.second;
        assert_true(back == seconds);
        memcpy(text + length, "789", 4);
        hcbr_i_moment same;
        assert_true(hcbr_i_clock_read(&same, HCBR_I_CLOCK_MILLIS, text, length + 3));
        assert_true(same.nano == 789000000 && same.second == m.second && same.day == m.day);
    }
    hcbr_i_moment before = hcbr_i_moment_of_epoch(-1);
    assert_true(before.year == 1969 && before.hour == 23 && before.second == 59);
}

int main(void) {
    state = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calendar__every_day), cmocka_unit_test(calendar__parts),
        cmocka_unit_test(moment__round_trip),  cmocka_unit_test(moment__weeks),
        cmocka_unit_test(moment__none),        cmocka_unit_test(moment__orders),
        cmocka_unit_test(moment__clocks),      cmocka_unit_test(moment__written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
