// The page of explanations: every element is closed, no name of the data is markup, nothing comes
// from elsewhere, and no locale changes a byte.
#include "render_world.h"

#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { DEEPEST = 32, LONGEST = 16 };

static char *page_of(const render_world *world) {
    hcbr_writer *w;
    hcbr_error err = {0};
    assert_int_equal(hcbr_writer_create(&w, NULL, NULL, NULL), HCBR_OK);
    if (world_write_page(world, w, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    char *page = strdup(hcbr_writer_get(w, NULL));
    assert_non_null(page);
    hcbr_writer_free(w);
    return page;
}

/* Read a tag behind its '<': names, and attributes with values in quotes. Returns its end. */
static const char *read_tag(const char *at, char name[LONGEST], bool *closed) {
    size_t n = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789");
    assert_true(n > 0 && n < LONGEST);
    memcpy(name, at, n);
    name[n] = 0;
    at += n;
    while (*at == ' ') {
        n = strcspn(++at, "=\"<> ");
        assert_true(n > 0 && at[n] == '=' && at[n + 1] == '"');
        at = strchr(at + n + 2, '"');
        assert_non_null(at);
        at++;
    }
    *closed = *at == '/';
    at += *closed;
    assert_int_equal(*at, '>');
    return at + 1;
}

/* A text without markup: & begins an entity. */
static const char *read_text(const char *at) {
    static const char *const ENTITIES[] = {"&amp;", "&lt;", "&gt;", "&quot;", "&#39;"};
    while (*at && *at != '<') {
        assert_int_not_equal(*at, '>');
        if (*at == '&') {
            size_t i = 0;
            while (i < 5 && strncmp(at, ENTITIES[i], strlen(ENTITIES[i])) != 0)
                i++;
            assert_true(i < 5);
        }
        at++;
    }
    return at;
}

static void expect_well_formed(const char *page) {
    static const char DOCTYPE[] = "<!DOCTYPE html>\n";
    char open[DEEPEST][LONGEST], name[LONGEST];
    size_t depth = 0, elements = 0;
    assert_memory_equal(page, DOCTYPE, strlen(DOCTYPE));
    for (const char *at = page + strlen(DOCTYPE); *at;) {
        bool closed, end = at[0] == '<' && at[1] == '/';
        if (*at != '<') {
            at = read_text(at);
            continue;
        }
        at = read_tag(at + 1 + end, name, &closed);
        if (end) {
            assert_true(depth > 0 && !closed);
            assert_string_equal(name, open[--depth]);
        } else if (!closed && strcmp(name, "meta") != 0) {
            assert_true(depth < DEEPEST);
            memcpy(open[depth++], name, LONGEST);
            elements++;
            if (strcmp(name, "style") == 0)
                at = strstr(at, "</style>");
        }
    }
    assert_int_equal(depth, 0);
    assert_true(elements > 50);
}

static void html__is_well_formed_whatever_the_names_hold(void **state) {
    (void)state;
    static const hcbr_model_kind KINDS[] = {HCBR_MODEL_PLAIN, HCBR_MODEL_RICH};
    static const hcbr_keep KEEPS[] = {HCBR_KEEP_NONE, HCBR_KEEP_FULL};
    for (size_t k = 0; k < 4; k++) {
        render_world world = world_make(KINDS[k % 2], KEEPS[k / 2]);
        char *page = page_of(&world);
        expect_well_formed(page);
        assert_null(strstr(page, "<script"));
        assert_null(strstr(page, "http:"));
        assert_null(strstr(page, "https:"));
        assert_non_null(strstr(page, "<bdi>&lt;/bdi&gt;&lt;i&gt;</bdi>"));     // the model
        assert_non_null(strstr(page, "&lt;script&gt;&quot;&amp;&#39;="));      // a key
        assert_non_null(strstr(page, "<bdi>&quot;unknown&quot;</bdi>"));       // a label
        assert_non_null(strstr(page, "<bdi>\\xe2\\x80\\xae\\x01\\x0a</bdi>")); // another
        for (const char *at = page; *at; at += strcspn(at, "\n") + (strchr(at, '\n') != NULL)) {
            size_t length = strcspn(at, "\n");
            assert_int_equal(hcbr_text_plain(at, length), length);
        }
        free(page);
        world_free(&world);
    }
}

/* The locale is made with the tests (tests/CMakeLists.txt); tools/setup test installs what for. */
static void html__has_a_point_in_every_locale(void **state) {
    (void)state;
    render_world world = world_make(HCBR_MODEL_RICH, HCBR_KEEP_FULL);
    char *page = page_of(&world);
    assert_int_equal(setenv("LOCPATH", HCBR_TEST_LOCALES, 1), 0);
    assert_non_null(setlocale(LC_ALL, "de_DE.UTF-8"));
    assert_string_equal(localeconv()->decimal_point, ",");
    char *other = page_of(&world);
    setlocale(LC_ALL, "C");
    assert_string_equal(other, page);
    free(other);
    free(page);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html__is_well_formed_whatever_the_names_hold),
        cmocka_unit_test(html__has_a_point_in_every_locale),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
