/* Cells: text cut to a width, which is never exceeded and used up to its last column. */
#include <hcbr/render.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void cell__takes_every_column_it_may(void **state) {
    (void)state;
    static const struct {
        const char *text;
        size_t width;
    } TEXTS[] = {{"abcde", 5},
                 {"\xC3\xA4"
                  "bc",
                  3},
                 {"a\nb", 4},
                 {"a\\b", 4},
                 {"", 0}};
    for (size_t i = 0; i < sizeof TEXTS / sizeof *TEXTS; i++)
        for (size_t columns = 0; columns < 9; columns++) {
            hcbr_cell cell = {.used = 0};
            int whole = hcbr_cell_add(&cell, TEXTS[i].text, strlen(TEXTS[i].text), columns);
            assert_int_equal(whole != 0, TEXTS[i].width <= columns);
            assert_true(cell.width <= columns);
            assert_true(!whole || cell.width == TEXTS[i].width);
            if (i == 0)
                assert_int_equal(cell.width, columns < 5 ? columns : 5);
        }
}

static void cell__says_that_it_was_cut(void **state) {
    (void)state;
    for (size_t columns = 0; columns < 12; columns++) {
        hcbr_cell cell = {.used = 0};
        hcbr_cell_add_cut(&cell, "abcdefgh", 8, columns);
        assert_int_equal(cell.width, columns < 8 ? columns : 8);
        if (columns >= 3 && columns < 8)
            assert_memory_equal(cell.text + cell.used - 3, "...", 3);
        assert_memory_equal(cell.text, "abcdefgh",
                            columns < 8 ? (columns > 3 ? columns - 3 : 0) : 8);
    }
}

static hcbr_feature get(const void *context, size_t n) {
    const char *const *names = context;
    return (hcbr_feature){names[n % 3], strlen(names[n % 3]), n % 2 ? "1" : NULL, n % 2};
}

static void cell__of_features_is_never_too_wide(void **state) {
    (void)state;
    static const char *const names[] = {"a", "some key", "another key that is long"};
    for (size_t count = 0; count < 2000; count = count * 2 + 1)
        for (size_t columns = 0; columns < 90; columns++) {
            hcbr_cell cell = {.used = 0};
            hcbr_cell_add_features(&cell, get, names, count, columns);
            assert_true(cell.width <= columns && cell.used == cell.width);
        }
    hcbr_cell cell = {.used = 0};
    hcbr_cell_add_features(&cell, get, names, 3, 41);
    assert_int_equal(cell.used, 41);
    assert_memory_equal(cell.text, "a & some key=1 & another key that is long", 41);
    cell = (hcbr_cell){.used = 0};
    hcbr_cell_add_features(&cell, get, names, 3, 40);
    assert_int_equal(cell.used, 22);
    assert_memory_equal(cell.text, "a & some key=1 +1 more", 22);
}

/* Characters beyond U+FFFF stand as they are, or as the two halves that JSON has for them. */
static void json__has_two_halves_of_large_characters(void **state) {
    (void)state;
    size_t escaped = 0;
    for (unsigned code = 0x10000; code < 0x110000; code += 0x133) {
        char text[5], wanted[16];
        hcbr_writer *w;
        size_t length;
        snprintf(text, sizeof text, "%c%c%c%c", (char)(0xF0 | code >> 18),
                 (char)(0x80 | (code >> 12 & 63)), (char)(0x80 | (code >> 6 & 63)),
                 (char)(0x80 | (code & 63)));
        snprintf(wanted, sizeof wanted, "\"\\u%04x\\u%04x\"", 0xD800 + ((code - 0x10000) >> 10),
                 0xDC00 + (code & 0x3FF));
        assert_int_equal(hcbr_writer_create(&w, NULL, NULL, NULL), HCBR_OK);
        HCBR_PUT(w, hcbr_item_text(NULL, text, 4));
        const char *found = hcbr_writer_get(w, &length);
        if (length == 6) {
            assert_memory_equal(found + 1, text, 4);
        } else {
            assert_string_equal(found, wanted);
            escaped += code >> 9 & 1;
        }
        hcbr_writer_free(w);
    }
    assert_true(escaped > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cell__takes_every_column_it_may),
        cmocka_unit_test(cell__says_that_it_was_cut),
        cmocka_unit_test(cell__of_features_is_never_too_wide),
        cmocka_unit_test(json__has_two_halves_of_large_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
