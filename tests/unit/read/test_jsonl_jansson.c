/*
 * The JSON Lines parser compared with jansson, on random lines and on lines damaged at random: both
 * accept or both refuse, and what they accept holds the same.
 *
 * Where the two differ on purpose, the test says so by a rule of its own (see intended()):
 *   - a line must be an object, jansson takes lists too;
 *   - numbers stand as text here, so none is too large (jansson: numeric overflow);
 *   - a byte order mark is refused in strings too;
 * - a NUL byte is refused everywhere; jansson 2.14 skips one after a number. Duplicate keys and NUL
 * are refused by both with the flags used. Depth is never reached here.
 */
#include "jsonl_support.h"
#include "seed.h"

#include <inttypes.h>
#include <jansson.h>

enum { LINES = 30000, ROOM = 1 << 14 };

/* ---- random lines ------------------------------------------------------------------------------
 */

typedef struct writer {
    uint64_t random;
    char text[ROOM];
    size_t length;
} writer;

static uint32_t draw(writer *w, uint32_t below) {
    w->random = hcbr_i_mix(w->random);
    return (uint32_t)((w->random >> 32) * below >> 32);
}

static void put(writer *w, const char *text) {
    size_t n = strlen(text);
    if (w->length + n < ROOM) {
        memcpy(w->text + w->length, text, n);
        w->length += n;
    }
}

static void put_blanks(writer *w) {
    static const char *const blanks[] = {"", "", "", "", " ", "\t", "\r", "  "};
    put(w, blanks[draw(w, 8)]);
}

static void put_string(writer *w) {
    static const char *const pieces[] = {"a",
                                         "b",
                                         "xyz",
                                         "0",
                                         "colour",
                                         "a longer piece of text",
                                         "\\n",
                                         "\\\"",
                                         "\\\\",
                                         "\\/",
                                         "\\u0041",
                                         "\\u00e9",
                                         "\\t",
                                         "\\uD83D\\uDE00",
                                         "\\u20ac",
                                         ".",
                                         "=",
                                         "\xC3\xA9",
                                         "\xE2\x82\xAC",
                                         "\xF0\x9F\x98\x80",
                                         "{",
                                         "]",
                                         ",",
                                         ":",
                                         " ",
                                         "\x7F",
                                         "?"};
    put(w, "\"");
    for (uint32_t n = draw(w, 5); n > 0; n--)
        put(w, pieces[draw(w, sizeof pieces / sizeof *pieces)]);
    put(w, "\"");
}

static void put_number(writer *w) {
    static const char *const wholes[] = {"0", "1", "42", "9007199254740993",
                                         "123456789012345678901"};
    static const char *const rest[] = {"",      "",   "",    ".5",   ".000",
                                       ".25e3", "e2", "E-7", "e+10", "e400"};
    put(w, draw(w, 3) == 0 ? "-" : "");
    put(w, wholes[draw(w, 5)]);
    put(w, rest[draw(w, 10)]);
}

static void put_value(writer *w, uint32_t depth);

static void put_object(writer *w, uint32_t depth) {
    // Few keys, so that lines share them and now and then repeat one.
    static const char *const keys[] = {"\"a\"",
                                       "\"b\"",
                                       "\"c\"",
                                       "\"d\"",
                                       "\"aa\"",
                                       "\"ab\"",
                                       "\"\\u0061\"",
                                       "\"a.b\"",
                                       "\"colour\"",
                                       "\"\"",
                                       "\"\\\"\"",
                                       "\"\xC3\xA9\"",
                                       "\"a key that is long\"",
                                       "\"a key that is loud\""};
    uint32_t count = draw(w, 6), key = draw(w, 14);
    put(w, "{");
    put_blanks(w);
    for (uint32_t i = 0; i < count; i++, key++) {
        if (i > 0) {
            put(w, ",");
            put_blanks(w);
        }
        if (draw(w, 8) == 0)
            put_string(w);
        else
            put(w, keys[draw(w, 16) == 0 ? draw(w, 14) : key % 14]);
        put_blanks(w);
        put(w, ":");
        put_blanks(w);
        put_value(w, depth + 1);
        put_blanks(w);
    }
    put(w, "}");
}

static void put_list(writer *w, uint32_t depth) {
    put(w, "[");
    put_blanks(w);
    for (uint32_t i = 0, count = draw(w, 4); i < count; i++) {
        if (i > 0)
            put(w, ",");
        put_blanks(w);
        put_value(w, depth + 1);
        put_blanks(w);
    }
    put(w, "]");
}

static void put_value(writer *w, uint32_t depth) {
    static const char *const words[] = {"true", "false", "null"};
    uint32_t kind = draw(w, depth < 5 ? 12 : 8);
    if (kind < 4)
        put_string(w);
    else if (kind < 7)
        put_number(w);
    else if (kind == 7)
        put(w, words[draw(w, 3)]);
    else if (kind < 10)
        put_object(w, depth);
    else
        put_list(w, depth);
}

/** Change a few bytes: what JSON is made of, and what it must not hold. No '\n': one line. */
static void damage(writer *w) {
    static const char bytes[] =
        "\"\\{}[]:,0123456789.eE+-truefalsn u/b \t\r\x01\x1F\x7F\x80\xBF\xC0\xC3"
        "\xE2\xED\xEF\xBB\xF0\xF4\xFF'N";
    for (uint32_t n = 1 + draw(w, 3); n > 0 && w->length > 0; n--) {
        size_t at = draw(w, (uint32_t)w->length);
        char byte = bytes[draw(w, sizeof bytes)]; // NUL too
        switch (draw(w, 5)) {
        case 0: // another byte
            w->text[at] = byte;
            break;
        case 1: // one more
            if (w->length < ROOM) {
                memmove(w->text + at + 1, w->text + at, w->length - at);
                w->text[at] = byte;
                w->length++;
            }
            break;
        case 2: // one less
            memmove(w->text + at, w->text + at + 1, w->length - at - 1);
            w->length--;
            break;
        case 3: // a piece of the line copied over another
        {
            size_t from = draw(w, (uint32_t)w->length), size = draw(w, 12);
            size_t last = from > at ? from : at;
            size = size < w->length - last ? size : w->length - last;
            memmove(w->text + at, w->text + from, size);
            break;
        }
        default: // the end cut off
            if (draw(w, 4) == 0)
                w->length = at;
        }
    }
}

/* ---- results of jansson ---------------------------------------------------------------------- */

/** Where the comparison stands: the next name of the block. */
typedef struct comparison {
    const bench *b;
    size_t next;
    bool same;
} comparison;

static void compare_scalar(comparison *c, const char *path, size_t path_length,
                           const json_t *value) {
    if (json_is_null(value) || !c->same)
        return;
    if (json_is_string(value) && strcmp(json_string_value(value), "?") == 0)
        return; // the list of missing values of this test
    if (c->next == c->b->block.name_count) {
        c->same = false;
        return;
    }
    char room[HCBR_I_NAME_TEXT], number[512];
    hcbr_feature f = bench_feature(c->b, c->next++, room);
    c->same =
        f.value != NULL && f.key_length == path_length && memcmp(f.key, path, path_length) == 0;
    if (!c->same)
        return;
    if (json_is_string(value)) {
        c->same = f.value_length == json_string_length(value) &&
                  memcmp(f.value, json_string_value(value), f.value_length) == 0;
    } else if (json_is_boolean(value)) {
        const char *word = json_is_true(value) ? "true" : "false";
        c->same = f.value_length == strlen(word) && memcmp(f.value, word, f.value_length) == 0;
    } else {
        char *end;
        c->same = f.value_length < sizeof number;
        memcpy(number, f.value, c->same ? f.value_length : 0);
        number[c->same ? f.value_length : 0] = '\0';
        c->same = c->same && strtod(number, &end) == json_real_value(value) && *end == '\0';
    }
}

/** Flatten by recursion over jansson's tree, as unlike the parser as can be. */
static void compare_value(comparison *c, const char *path, size_t path_length, bool top,
                          json_t *value) {
    if (json_is_array(value)) {
        size_t i;
        json_t *item;
        json_array_foreach(value, i, item) compare_value(c, path, path_length, false, item);
    } else if (json_is_object(value)) {
        const char *key;
        json_t *inner;
        json_object_foreach(value, key, inner) {
            size_t key_length = strlen(key), dot = top ? 0 : 1;
            char *longer = malloc(path_length + dot + key_length + 1);
            assert_non_null(longer);
            memcpy(longer, path, path_length);
            memcpy(longer + path_length, ".", dot);
            memcpy(longer + path_length + dot, key, key_length);
            compare_value(c, longer, path_length + dot + key_length, false, inner);
            free(longer);
        }
    } else {
        compare_scalar(c, path, path_length, value);
    }
}

/** Do the two differ as they should? */
static bool intended(const writer *w, const json_t *tree, const json_error_t *reason, bool ours) {
    if (ours)
        return json_error_code(reason) == json_error_numeric_overflow;
    if (json_is_array(tree) || memchr(w->text, '\0', w->length) != NULL)
        return true;
    for (size_t i = 0; i + 3 <= w->length; i++)
        if (memcmp(w->text + i, "\xEF\xBB\xBF", 3) == 0)
            return true;
    return false;
}

static bool is_blank(const writer *w) {
    for (size_t i = 0; i < w->length; i++)
        if (strchr(" \t\r", w->text[i]) == NULL || w->text[i] == '\0')
            return false;
    return true;
}

static void check_line(bench *b, const writer *w, size_t *accepted) {
    json_error_t reason;
    json_t *tree =
        json_loadb(w->text, w->length, JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &reason);
    hcbr_status st = bench_row(b, w->text, w->length);
    if (st != HCBR_OK && st != HCBR_EDATA)
        fail_msg("status %s", hcbr_status_name(st));
    if ((tree != NULL) != (st == HCBR_OK) && !intended(w, tree, &reason, st == HCBR_OK))
        fail_msg("%.*s\njansson: %s\nhcbr: %s", (int)w->length, w->text,
                 tree == NULL ? reason.text : "fine", st == HCBR_OK ? "fine" : b->err.message);
    if (st == HCBR_EDATA)
        assert_in_range(b->err.column, 1, w->length + 1);
    if (tree != NULL && st == HCBR_OK) {
        comparison c = {b, 0, true};
        compare_value(&c, "", 0, true, tree);
        if (!c.same || c.next != b->block.name_count)
            fail_msg("%.*s\nnot the same at name %zu", (int)w->length, w->text, c.next);
        ++*accepted;
    }
    json_decref(tree);
}

static void jsonl__agrees_with_jansson_on_random_lines(void **state) {
    (void)state;
    static const char *const na[] = {"?"};
    uint64_t seed = test_seed_fresh();
    hcbr_read_options options = options_with("no such key", NULL, NULL, 0);
    options.na = na;
    options.na_count = 1;
    bench b;
    assert_int_equal(bench_init(&b, &options, false), HCBR_OK);
    writer *w = malloc(sizeof *w);
    assert_non_null(w);
    w->random = seed;
    size_t accepted = 0, lines = 0;
    while (lines < LINES) {
        w->length = 0;
        put_blanks(w);
        put_object(w, 0);
        put_blanks(w);
        if (draw(w, 2) == 0)
            damage(w);
        if (is_blank(w))
            continue; // no row: the reader does not give it to a parser
        check_line(&b, w, &accepted);
        lines++;
    }
    // the comparison means something only if both kinds of lines are many
    assert_in_range(accepted, LINES / 4, LINES * 9 / 10);
    free(w);
    bench_clear(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jsonl__agrees_with_jansson_on_random_lines),
    };
    return cmocka_run_group_tests_name("jsonl_jansson", tests, NULL, NULL);
}
