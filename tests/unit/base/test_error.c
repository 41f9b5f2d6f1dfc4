// Errors, notices and quoted text.
#include "base/base.h"

#include <hcbr/version.h>

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static void status__has_a_name(void **context) {
    (void)context;
    assert_string_equal(hcbr_status_name(HCBR_OK), "HCBR_OK");
    assert_string_equal(hcbr_status_name(HCBR_EUSAGE), "HCBR_EUSAGE");
    assert_string_equal(hcbr_status_name(HCBR_EDATA), "HCBR_EDATA");
    assert_string_equal(hcbr_status_name(HCBR_EFORMAT), "HCBR_EFORMAT");
    assert_string_equal(hcbr_status_name(HCBR_EIO), "HCBR_EIO");
    assert_string_equal(hcbr_status_name(HCBR_ENOMEM), "HCBR_ENOMEM");
    assert_string_equal(hcbr_status_name(HCBR_ECANCELLED), "HCBR_ECANCELLED");
    assert_string_equal(hcbr_status_name((hcbr_status)-7), "unknown status");
    assert_string_equal(hcbr_status_name((hcbr_status)1), "unknown status");
}

static void version__has_three_numbers(void **context) {
    (void)context;
    int parts[3], end = 0;
    assert_int_equal(sscanf(hcbr_version(), "%d.%d.%d%n", parts, parts + 1, parts + 2, &end), 3);
    assert_int_equal(hcbr_version()[end], 0);
    assert_string_equal(hcbr_version(), HCBR_VERSION);
    assert_int_equal(parts[0], HCBR_VERSION_MAJOR);
    assert_int_equal(parts[1], HCBR_VERSION_MINOR);
    assert_int_equal(parts[2], HCBR_VERSION_PATCH);
    assert_in_range(parts[1], 0, 999);
    assert_in_range(parts[2], 0, 999);
    assert_int_equal(hcbr_version_number(), 1000000 * parts[0] + 1000 * parts[1] + parts[2]);
    assert_int_equal(hcbr_version_number(), HCBR_VERSION_NUMBER);
}

static void fail__sets_every_field(void **context) {
    (void)context;
    hcbr_error err;
    memset(&err, 0xAA, sizeof err);
    assert_int_equal(hcbr_i_fail(&err, HCBR_EUSAGE, "found %d, expected %s", 3, "4"), HCBR_EUSAGE);
    assert_int_equal(err.status, HCBR_EUSAGE);
    assert_int_equal(err.line, 0);
    assert_int_equal(err.column, 0);
    assert_string_equal(err.file, "");
    assert_string_equal(err.message, "found 3, expected 4");
    memset(&err, 0xAA, sizeof err);
    assert_int_equal(hcbr_i_fail_at(&err, HCBR_EDATA, "a.csv", 17, 4, "bad"), HCBR_EDATA);
    assert_int_equal(err.status, HCBR_EDATA);
    assert_int_equal(err.line, 17);
    assert_int_equal(err.column, 4);
    assert_string_equal(err.file, "a.csv");
    assert_string_equal(err.message, "bad");
    assert_int_equal(hcbr_i_fail_at(&err, HCBR_EDATA, NULL, 1, 2, "x"), HCBR_EDATA);
    assert_string_equal(err.file, "");
    assert_int_equal(hcbr_i_no_memory(&err), HCBR_ENOMEM);
    assert_int_equal(err.status, HCBR_ENOMEM);
    assert_int_equal(err.line, 0);
    assert_string_equal(err.message, "out of memory");
}

static void fail__needs_no_error_to_fill(void **context) {
    (void)context;
    assert_int_equal(hcbr_i_fail(NULL, HCBR_EIO, "x"), HCBR_EIO);
    assert_int_equal(hcbr_i_fail_at(NULL, HCBR_EDATA, "f", 1, 1, "x"), HCBR_EDATA);
    assert_int_equal(hcbr_i_no_memory(NULL), HCBR_ENOMEM);
}

static void fail__may_read_the_error_it_fills(void **context) {
    (void)context;
    hcbr_error err;
    hcbr_i_fail_at(&err, HCBR_EDATA, "a.csv", 1, 1, "inner");
    hcbr_i_fail_at(&err, HCBR_EDATA, err.file, 2, 3, "outer: %s", err.message);
    assert_string_equal(err.file, "a.csv");
    assert_string_equal(err.message, "outer: inner");
}

static void fail__cuts_at_characters(void **context) {
    (void)context;
    for (int shift = 0; shift < 3; shift++) {
        char name[1600], *end = name;
        hcbr_error err;
        for (int i = 0; i < shift; i++)
            *end++ = 'x';
        for (int i = 0; i < 500; i++, end += 3)
            memcpy(end, "\xe2\x82\xac", 3);
        strcpy(end, "/model");
        hcbr_i_fail_at(&err, HCBR_EIO, name, 0, 0, "%s", name);
        size_t length = strlen(err.file);
        assert_in_range(length, 505, 511);
        assert_memory_equal(err.file, "...", 3);
        assert_string_equal(err.file + length - 6, "/model");
        assert_int_equal(hcbr_i_utf8_check(err.file, length), length);
        length = strlen(err.message);
        assert_in_range(length, 505, 511);
        assert_string_equal(err.message + length - 3, "...");
        assert_memory_equal(err.message, name, 500);
        assert_int_equal(hcbr_i_utf8_check(err.message, length), length);
    }
}

static void fail__keeps_what_just_fits(void **context) {
    (void)context;
    char name[513];
    hcbr_error err;
    memset(name, 'n', sizeof name);
    name[511] = 0;
    hcbr_i_fail_at(&err, HCBR_EIO, name, 0, 0, "%s", name);
    assert_string_equal(err.file, name);
    assert_string_equal(err.message, name);
    name[511] = 'n';
    name[512] = 0;
    hcbr_i_fail_at(&err, HCBR_EIO, name, 0, 0, "%s", name);
    assert_int_equal(strlen(err.file), 511);
    assert_memory_equal(err.file, "...n", 4);
}

static void fail__writes_one_line(void **context) {
    (void)context;
    hcbr_error err;
    hcbr_i_fail(&err, HCBR_EDATA, "a%sb", "\n\t\x1b\x7f");
    assert_string_equal(err.message, "a????b");
}

typedef struct heard {
    int count;
    hcbr_notice kind;
    hcbr_error where;
} heard;

static void listen(void *context, hcbr_notice kind, const hcbr_error *where) {
    heard *h = context;
    h->count++;
    h->kind = kind;
    h->where = *where;
}

static void notify__tells_the_listener(void **context) {
    (void)context;
    heard h = {0};
    hcbr_i_notify(NULL, NULL, HCBR_NOTE, NULL, 0, 0, "nobody");
    hcbr_i_notify(listen, &h, HCBR_WARNING, "f.csv", 3, 9, "%u rows", 2u);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.kind, HCBR_WARNING);
    assert_int_equal(h.where.status, HCBR_OK);
    assert_int_equal(h.where.line, 3);
    assert_int_equal(h.where.column, 9);
    assert_string_equal(h.where.file, "f.csv");
    assert_string_equal(h.where.message, "2 rows");
}

static const char *quote(const char *text, size_t length) {
    static char buffer[200];
    char *copy = malloc(length + (length == 0)); // exact, so that the sanitizer sees over-reads
    memcpy(copy, text, length);
    memset(buffer, 'Z', sizeof buffer);
    const char *quoted = hcbr_i_quote(buffer, copy, length);
    free(copy);
    assert_ptr_equal(quoted, buffer);
    assert_non_null(memchr(buffer, 0, sizeof buffer));
    return buffer;
}

static void quote__shows_text_safely(void **context) {
    (void)context;
    assert_string_equal(quote("", 0), "''");
    assert_string_equal(quote("abc", 3), "'abc'");
    assert_string_equal(quote("a\0b\n", 4), "'a\\x00b\\x0a'");
    assert_string_equal(quote("\x1b[31m\x7f", 6), "'\\x1b[31m\\x7f'");
    assert_string_equal(quote("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", 9),
                        "'\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80'");
    assert_string_equal(quote("\xff\xc3", 2), "'\\xff\\xc3'");
    assert_string_equal(quote("\xe2\x82", 2), "'\\xe2\\x82'");
    assert_string_equal(quote("\xc2\x9b", 2), "'\\xc2\\x9b'"); // a control character of terminals
    assert_string_equal(quote("\xc2\xa0", 2), "'\xc2\xa0'");
    assert_string_equal(quote("\x80", 1), "'\\x80'");
}

static void quote__cuts_long_text(void **context) {
    (void)context;
    char text[300];
    memset(text, 'a', sizeof text);
    assert_string_equal(quote(text, 40), "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'");
    assert_string_equal(quote(text, 41), "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...'");
    memset(text, 1, sizeof text);
    assert_int_equal(strlen(quote(text, sizeof text)), 40 * 4 + 5);
    memset(text, 'a', 39);
    memcpy(text + 39, "\xf0\x9f\x98\x80", 4);
    const char *quoted = quote(text, 100);
    assert_int_equal(hcbr_i_utf8_check(quoted, strlen(quoted)), strlen(quoted));
    assert_string_equal(quoted + 40, "\xf0\x9f\x98\x80...'");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(status__has_a_name),
        cmocka_unit_test(version__has_three_numbers),
        cmocka_unit_test(fail__sets_every_field),
        cmocka_unit_test(fail__needs_no_error_to_fill),
        cmocka_unit_test(fail__may_read_the_error_it_fills),
        cmocka_unit_test(fail__cuts_at_characters),
        cmocka_unit_test(fail__keeps_what_just_fits),
        cmocka_unit_test(fail__writes_one_line),
        cmocka_unit_test(notify__tells_the_listener),
        cmocka_unit_test(quote__shows_text_safely),
        cmocka_unit_test(quote__cuts_long_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
