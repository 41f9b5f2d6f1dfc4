// Columns, value by value: what is counted, when memory is short, and what names say.
#include "kinds/kinds.h"
#include "seed.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROOM = 160 };

static uint64_t state;

static unsigned draw(unsigned below) {
    return hcbr_i_draw_below(&state, below);
}

static void tally__no_memory(void **unused) {
    (void)unused;
    for (uint64_t n = 1; n < 12; n++) {
        hcbr_i_tally c, other;
        bool failed = false;
        char text[ROOM];
        hcbr_i_tally_init(&c);
        hcbr_i_tally_init(&other);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        for (unsigned i = 0; i < 50; i++) {
            sprintf(text, "%u kg x%u", i, i);
            if (!hcbr_i_tally_add(&c, text, strlen(text), 1)) {
                failed = true;
                assert_int_equal(c.values, i);
                assert_int_equal(c.different.count, i);
                assert_true(hcbr_i_tally_add(&c, text, strlen(text), 1));
            }
        }
        assert_int_equal(c.values, 50);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
        assert_false(hcbr_i_tally_merge(&other, &c));
        assert_int_equal(other.values, 0);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_true(failed || n > 6); // one for each sample, one more for that of all values
        hcbr_i_tally_clear(&c);
        hcbr_i_tally_clear(&other);
    }
}

static void tally__distinct(void **unused) {
    (void)unused;
    for (unsigned different = 100; different <= 100000; different *= 10) {
        hcbr_i_tally c;
        char text[ROOM];
        hcbr_i_tally_init(&c);
        for (unsigned i = 0; i < different; i++) {
            sprintf(text, "v%u", i);
            assert_true(hcbr_i_tally_add(&c, text, strlen(text), 1 + i % 7));
        }
        uint64_t have = hcbr_i_sample_distinct(&c.different, c.values);
        assert_true(have > different * 2 / 3 && have < different * 3 / 2);
        hcbr_i_tally_clear(&c);
    }
}

/* A plain number counts the same by its text and by its value. */
static void tally__by_value(void **unused) {
    static const char *const fixed[] = {"0",         "1",          "-1",
                                        "1.0",       "0.000",      "1.234",
                                        "0.234",     "1.230",      "999.999",
                                        "1000.125",  "1e-7",       "1.5e-7",
                                        "1e17",      "1.5e300",    "99999999999999999",
                                        "20190314",  "1552521600", "1552521600123",
                                        "-20190314", "12.5",       "7.25"};
    hcbr_i_tally by_value, by_text;
    (void)unused;
    for (unsigned round = 0; round < 20000; round++) {
        char text[ROOM];
        double value;
        uint8_t spelling;
        if (round < sizeof fixed / sizeof *fixed)
            strcpy(text, fixed[round]);
        else
            sprintf(text, "%s%u%s%0*u", draw(3) ? "" : "-", draw(2) ? draw(2000) : draw(100000000),
                    draw(3) ? "." : "", (int)(1 + draw(4)), draw(10));
        if (!hcbr_i_decimal_read(&value, &spelling, text, strlen(text)) ||
            spelling >= HCBR_I_SPELLED_OTHER)
            continue;
        hcbr_i_tally_init(&by_value);
        hcbr_i_tally_init(&by_text);
        assert_true(hcbr_i_tally_add_number(&by_value, value, spelling, 3));
        hcbr_i_tally_add_spelled(&by_text, text, strlen(text), value, 3);
        assert_int_equal(by_value.different.count, 1);
        assert_int_equal(by_value.different.values->length, strlen(text));
        assert_memory_equal(by_value.different.values->text, text, strlen(text));
        hcbr_i_free(by_value.different.values);
        hcbr_i_free(by_value.not_dates.values);
        by_value.different = by_text.different;
        by_value.not_dates = by_text.not_dates;
        by_value.values = 0;
        if (memcmp(&by_value, &by_text, sizeof by_text) != 0)
            fail_msg("'%s' counts otherwise by its value", text);
    }
}

static void tally__names(void **unused) {
    (void)unused;
    assert_int_equal(hcbr_i_name_says("PassengerId", 11), HCBR_I_NAME_ID | HCBR_I_NAME_KEY);
    assert_int_equal(hcbr_i_name_says("created_at", 10), HCBR_I_NAME_TIME);
    assert_int_equal(hcbr_i_name_says("zip code", 8), HCBR_I_NAME_CODE);
    assert_int_equal(hcbr_i_name_says("paid", 4), 0);
    assert_int_equal(hcbr_i_name_says("", 0), 0);
    assert_true(hcbr_i_is_missing_form("  #N/A ", 7));
    assert_true(hcbr_i_is_missing_form("\xE2\x80\x94", 3));
    assert_true(hcbr_i_is_missing_form("Not available", 13));
    assert_true(hcbr_i_is_missing_form("missing", 7));
    assert_true(hcbr_i_is_missing_form("k.A.", 4));
    assert_false(hcbr_i_is_missing_form("nothing", 7));
    assert_false(hcbr_i_is_missing_form("n", 1));
    assert_false(hcbr_i_is_missing_form("none of these", 13));
}

/* What is counted without a reader is what the reader says. */
static void tally__short_ways(void **unused) {
    (void)unused;
    for (unsigned round = 0; round < 30000; round++) {
        char text[ROOM];
        hcbr_i_moment m;
        hcbr_i_tally c;
        hcbr_i_tally_init(&c);
        int length = sprintf(text, "%04u-%02u-%02u", draw(4) ? 1880 + draw(260) : draw(10000),
                             draw(14), draw(33));
        if (draw(2))
            length += sprintf(text + length, "%c%02u:%02u:%02u", "T t_"[draw(4)], draw(26),
                              draw(62), draw(62));
        if (draw(8) == 0)
            text[draw((unsigned)length)] = "0:- /x"[draw(6)];
        const unsigned orders = hcbr_i_moment_orders(&m, text, (size_t)length);
        assert_true(hcbr_i_tally_add(&c, text, (size_t)length, 3));
        const bool number = c.plain > 0;
        for (unsigned order = 0; !number && order < 4; order++)
            if (c.orders[order] != (orders >> order & 1 ? 3U : 0U))
                fail_msg("'%s' in order %u", text, order);
        if (!number && (c.moments != (orders ? 3U : 0U) ||
                        c.with_time != (orders && m.has & HCBR_I_HAS_TIME ? 3U : 0U) ||
                        c.with_day != (orders && m.has & HCBR_I_HAS_DAY ? 3U : 0U) ||
                        c.only_times != (orders && !(m.has & HCBR_I_HAS_DATE) ? 3U : 0U) ||
                        c.with_zone != (orders && m.has & HCBR_I_HAS_ZONE ? 3U : 0U)))
            fail_msg("'%s' has other parts", text);
        hcbr_i_tally_clear(&c);
        uint64_t whole = round ? draw(1000000000) : 0, more = draw(10000000);
        for (unsigned n = draw(18); n < 17; n++)
            whole /= 10;
        whole = draw(2) ? whole : draw(3) ? 18000000 + draw(4500000) : whole * 10000000 + more;
        length = sprintf(text, "%llu", (unsigned long long)whole);
        assert_true(hcbr_i_tally_add(&c, text, (size_t)length, 3));
        for (unsigned clock = HCBR_I_CLOCK_COMPACT; clock < HCBR_I_CLOCKS; clock++)
            if (c.clocks[clock] !=
                (hcbr_i_clock_read(&m, (hcbr_i_clock)clock, text, (size_t)length) ? 3U : 0U))
                fail_msg("%s by clock %u", text, clock);
        if (c.shortest != (uint32_t)length || c.longest != (uint32_t)length)
            fail_msg("%s has %u digits", text, c.longest);
        hcbr_i_tally_clear(&c);
    }
}

int main(void) {
    state = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tally__no_memory), cmocka_unit_test(tally__distinct),
        cmocka_unit_test(tally__by_value),  cmocka_unit_test(tally__short_ways),
        cmocka_unit_test(tally__names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
