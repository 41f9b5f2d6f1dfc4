// Encodings: every byte and random texts come out as iconv has them, whatever the sizes of reads;
// what is guessed depends on the bytes alone, and never on where the first odd one stands.
#include "read_support.h"

#include "read/encoding.h"

#include <iconv.h>

/** Bytes given in pieces. */
typedef struct pieces {
    const char *at;
    size_t left, piece;
} pieces;

static hcbr_status read_piece(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    pieces *p = context;
    size_t n = p->piece < room ? p->piece : room;

    (void)err;
    n = n < p->left ? n : p->left;
    memcpy(to, p->at, n);
    p->at += n;
    p->left -= n;
    *got = n;
    return HCBR_OK;
}

/** Everything that the decoder makes of the bytes; what it says of them in told, or "". */
static text decode_all(const text *bytes, const char *encoding, size_t piece, size_t room,
                       bool live, char told[HCBR_I_TOLD]) {
    pieces p = {bytes->at, bytes->length, piece};
    hcbr_i_decoder d;
    text out = {NULL, 0, 0};
    char *to = malloc(room);
    size_t got;

    assert_non_null(to);
    text_add(&out, "", 0);
    hcbr_i_decoder_init(&d, encoding, false);
    d.is_live = live;
    do {
        assert_int_equal(hcbr_i_decoder_read(&d, read_piece, &p, to, room, &got, NULL), HCBR_OK);
        text_add(&out, to, got);
    } while (got > 0);
    assert_int_equal(hcbr_i_decoder_read(&d, read_piece, &p, to, room, &got, NULL), HCBR_OK);
    assert_int_equal(got, 0);
    told[0] = '\0';
    (void)hcbr_i_decoder_tell(&d, told);
    assert_false(hcbr_i_decoder_tell(&d, told)); // once
    hcbr_i_decoder_clear(&d);
    free(to);
    return out;
}

/** As iconv has it, in place of bytes that are no character 0xFF and the byte. */
static text expected(const char *name, const text *bytes) {
    iconv_t c = iconv_open("UTF-8", name);
    char *in = bytes->at, room[16];
    size_t left = bytes->length;
    text out = {NULL, 0, 0};

    assert_true(c != (iconv_t)-1);
    text_add(&out, "", 0);
    while (left > 0) {
        char *to = room;
        size_t space = sizeof room, one = 1, before = left;
        size_t unit = strstr(name, "16") != NULL ? 2 : strstr(name, "32") != NULL ? 4 : 1;

        for (one = unit; one <= left; one += unit) { // a character at a time
            char *from = in;
            size_t rest = one;

            to = room;
            space = sizeof room;
            if (iconv(c, &from, &rest, &to, &space) != (size_t)-1)
                break;
            iconv(c, NULL, NULL, NULL, NULL);
            if (one == 4 || unit == 1 || one + unit > left) {
                one = 0;
                break;
            }
        }
        if (one == 0) {
            char bad[2] = {(char)0xFF, *in};

            assert_int_equal(unit, 1);
            text_add(&out, bad, 2);
            one = 1;
        } else {
            text_add(&out, room, (size_t)(to - room));
        }
        in += one;
        left = before - one;
    }
    iconv_close(c);
    return out;
}

static void expect_decoded(const text *bytes, const char *encoding, size_t piece, size_t room,
                           const text *wanted) {
    char told[HCBR_I_TOLD];
    text out = decode_all(bytes, encoding, piece, room, false, told);

    assert_int_equal(out.length, wanted->length);
    assert_memory_equal(out.at, wanted->at, wanted->length);
    text_free(&out);
}

static void encoding__every_byte_is_that_of_iconv(void **state) {
    (void)state;
    for (size_t e = 0; e < HCBR_I_ENCODINGS; e++) {
        const char *name = hcbr_i_encodings[e].name;
        text all = {NULL, 0, 0}, wanted;

        for (unsigned b = 1; b < 256; b++) {
            char c = (char)b;

            text_add(&all, &c, 1);
        }
        wanted = expected(name, &all);
        for (size_t piece = 1; piece < 300; piece = piece * 3 + 1)
            for (size_t room = 1; room < 300; room += room < 6 ? 1 : 100)
                expect_decoded(&all, name, piece, room, &wanted);
        text_free(&all);
        text_free(&wanted);
    }
}

/** Random characters of Unicode as units of an encoding. */
static void random_units(text *out, const char *name, uint64_t *seed, size_t count) {
    iconv_t c = iconv_open(name, "UTF-32LE");

    assert_true(c != (iconv_t)-1);
    for (size_t i = 0; i < count; i++) {
        static const uint32_t limits[] = {0x80, 0x800, 0xD800, 0x110000};
        uint32_t code = 1 + (uint32_t)draw(seed, limits[draw(seed, 4)] - 1);
        char units[8], *to = units, *from = (char *)&code;
        size_t left = 4, room = sizeof units;

        if ((code >= 0xD800 && code < 0xE000) || code == 0xFEFF)
            code = '\n';
        assert_true(iconv(c, &from, &left, &to, &room) != (size_t)-1);
        text_add(out, units, (size_t)(to - units));
    }
    iconv_close(c);
}

static void encoding__units_are_those_of_iconv(void **state) {
    static const char *const names[] = {"UTF-16LE", "UTF-16BE", "UTF-32LE", "UTF-32BE"};
    uint64_t seed = 3;

    (void)state;
    for (size_t n = 0; n < 4; n++)
        for (size_t round = 0; round < 20; round++) {
            text units = {NULL, 0, 0}, wanted;

            random_units(&units, names[n], &seed, 1 + draw(&seed, 200));
            wanted = expected(names[n], &units);
            expect_decoded(&units, names[n], 1 + draw(&seed, 9), 1 + draw(&seed, 9), &wanted);
            expect_decoded(&units, names[n], 1000000, 1000000, &wanted);
            text_free(&units);
            text_free(&wanted);
        }
}

static void encoding__halves_and_cuts_are_marked(void **state) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *name, *wanted;
    } all[] = {{"a\0\x3D\xD8x\0", 6, "utf-16le", "a\xFF\xA0x"},
               {"a\0\x3D\xD8", 4, "utf-16le", "a\xFF\xA0"},
               {"a\0\x3D\xDE", 4, "utf-16le", "a\xFF\xA0"},
               {"a\0b", 3, "utf-16le", "a\xFF\xA1"},
               {"\0\x11\0\0a\0", 6, "utf-32be", "\xFF\xA2\xFF\xA1"},
               {"\xFE\xFF\0a", 4, "utf-16",
                "\xEF\xBB\xBF"
                "a"},
               {"a\0", 2, "UTF16", "a"}};

    (void)state;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (size_t piece = 1; piece < 5; piece++) {
            text bytes = {NULL, 0, 0}, wanted = {NULL, 0, 0};

            text_add(&bytes, all[i].bytes, all[i].size);
            text_add(&wanted, all[i].wanted, strlen(all[i].wanted));
            expect_decoded(&bytes, all[i].name, piece, 1 + piece % 3, &wanted);
            text_free(&bytes);
            text_free(&wanted);
        }
}

/** What is said of the bytes after so many of ASCII. */
static void expect_told(size_t before, const char *bytes, bool live, const char *words) {
    char told[HCBR_I_TOLD];
    text all = {NULL, 0, 0}, first;

    for (size_t i = 0; i < before; i++)
        text_add(&all, i % 40 == 39 ? "\n" : "x", 1);
    text_add(&all, bytes, strlen(bytes));
    first = decode_all(&all, NULL, 1 << 20, 1 << 18, live, told);
    if (strstr(told, words) == NULL || (words[0] == '\0' && told[0] != '\0'))
        print_message("%s\n", told);
    assert_true(words[0] == '\0' ? told[0] == '\0' : strstr(told, words) != NULL);
    for (size_t piece = 1; piece < 200000; piece = piece * 13 + 2) {
        char again[HCBR_I_TOLD];
        text out = decode_all(&all, NULL, piece, 1 + piece % 70000, live, again);

        assert_string_equal(again, told);
        assert_int_equal(out.length, first.length);
        assert_memory_equal(out.at, first.at, first.length);
        text_free(&out);
    }
    text_free(&first);
    text_free(&all);
}

static void encoding__guess_is_the_same_wherever_it_begins(void **state) {
    static const size_t before[] = {0, 1, 4095, 4096, 4097, 65536, 300000};

    (void)state;
    for (size_t i = 0; i < sizeof before / sizeof *before; i++)
        for (int live = 0; live < 2; live++) {
            expect_told(before[i], "ab\ncaf\xE9,d\xE9j\xE0 vu\n", live, "windows-1252 (byte 0xE9");
            expect_told(before[i], "ab\n\xCF\xF0\xE8\xE2\xE5\xF2,\xEC\xE8\xF0\n", live,
                        "windows-1251 (byte 0xCF");
            expect_told(before[i], "ab\n\xC5\x99\xC3\xA9 \xC4\x9B,\xE2\x82\xAC\n", live, "");
            expect_told(before[i], "plain\n", live, "");
            expect_told(before[i], "ab\n\x83\x65\x83\x58\x83\x67\n", live,
                        live ? "" : "no encoding fits it well"); // Shift JIS: not known
        }
    expect_told(80, "caf\xE9\n", false, "at line 3;");
}

static void encoding__damaged_utf8_stays_utf8(void **state) {
    (void)state;
    expect_told(7, "\xC3\xA9 \xC3\xA9 \xC3\xA9 \xFF \xC3\xA8\n", false, "");
    // A sequence that is UTF-8 by chance among many bytes that are not.
    expect_told(7, "\xCF\xB8\xF2\xF0 \xC8\xE2\xE0\xED \xD1\xE5\xF0\xE3\xE5\xE9\n", false,
                "windows-1251");
}

static void encoding__a_few_rows_of_central_europe_are_found(void **state) {
    static const char *const central[] = {"Kop\xF8ivnice\nT\xF8inec\n", // Czech
                                          "B\xF8"
                                          "eclav\n",                    //
                                          "D\xEC\xE8\xEDn\nKol\xEDn\n", //
                                          "op\xE6ina\nIvani\xE6-Grad\n\xC8"
                                          "akovec\n", // Croatian
                                          "Gy\xF5r\n\xC9rd\nG\xF6"
                                          "d\xF6ll\xF5\n",                     // Hungarian
                                          "Toru\xF1\nGda\xF1sk\nPozna\xF1\n"}; // Polish
    static const char *const western[] = {"cr\xE8"
                                          "che\ncoll\xE8ge\nsi\xE8"
                                          "cle\n", // French
                                          "K\xF8ge\ns\xF8"
                                          "en\nTroms\xF8\n", // Danish
                                          "N\xBA 3\nC\xE1"
                                          "diz\n", // Spanish
                                          "S\xE3o Paulo\npopula\xE7\xF5"
                                          "es\n",                           // Portuguese
                                          "P\xF5lva\nV\xF5ru\nJ\xF5geva\n", // Estonian
                                          "b\xE6ir\n\xFE"
                                          "etta\nb\xE6inn\n"}; // Icelandic

    (void)state;
    for (size_t i = 0; i < sizeof central / sizeof *central; i++)
        expect_told(0, central[i], false, "windows-1250");
    for (size_t i = 0; i < sizeof western / sizeof *western; i++)
        expect_told(0, western[i], false, "windows-1252");
}

/** What is said at the end of the bytes, all of it. */
static void expect_told_at_end(const char *bytes, size_t size, bool strict, const char *wanted) {
    pieces p = {bytes, size, 3};
    char told[HCBR_I_TOLD], all[2 * HCBR_I_TOLD] = "", to[64];
    hcbr_i_decoder d;
    size_t got;

    hcbr_i_decoder_init(&d, NULL, strict);
    do
        assert_int_equal(hcbr_i_decoder_read(&d, read_piece, &p, to, sizeof to, &got, NULL),
                         HCBR_OK);
    while (got > 0);
    while (hcbr_i_decoder_tell_end(&d, told))
        strcat(strcat(all, told), ";");
    assert_string_equal(all, wanted);
    hcbr_i_decoder_clear(&d);
}

/** One of the pieces that a text is made of, and what it is in UTF-8. */
static void add_part(text *bytes, text *wanted, uint32_t draw) {
    static const char *const good[] = {"\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x8C\xB3", "\xC4\x9B"};
    static const char *const bad[][2] = {{"\xE9", "\xC3\xA9"},
                                         {"\x80", "\xE2\x82\xAC"},
                                         {"\xE2\x82", "\xC3\xA2\xE2\x80\x9A"},
                                         {"\xF0\x9F\x8C", "\xC3\xB0\xC5\xB8\xC5\x92"}};
    const char *one = draw % 16 < 8 ? "ab,c\n" : draw % 16 < 15 ? good[draw >> 8 & 3] : NULL;

    if (one == NULL) {
        text_add(bytes, bad[draw >> 8 & 3][0], strlen(bad[draw >> 8 & 3][0]));
        text_add(bytes, "x", 1);
        text_add(wanted, bad[draw >> 8 & 3][1], strlen(bad[draw >> 8 & 3][1]));
        text_add(wanted, "x", 1);
        return;
    }
    text_add(bytes, one, strlen(one));
    text_add(wanted, one, strlen(one));
}

static void encoding__a_few_bytes_of_utf8_are_mended(void **state) {
    uint32_t draw = 7;

    (void)state;
    for (unsigned round = 0; round < 40; round++) {
        const size_t sizes[] = {1, 2, 3, 5, 16, 17, 300, 70000};
        text bytes = {NULL, 0, 0}, wanted = {NULL, 0, 0};

        for (unsigned i = 0; i < 8; i++) { // so that it is UTF-8
            text_add(&bytes, "\xC3\xA9", 2);
            text_add(&wanted, "\xC3\xA9", 2);
        }
        for (unsigned i = 0; i < (round % 4 == 0 ? 40000U : 90U); i++)
            add_part(&bytes, &wanted, (draw = draw * 1664525 + 1013904223) >> 4);
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
            if (bytes.length < 10000 || sizes[i] > 15)
                expect_decoded(&bytes, NULL, sizes[i], sizes[(i + round) % 8], &wanted);
        text_free(&bytes);
        text_free(&wanted);
    }
}

static void encoding__mended_bytes_are_few_and_said(void **state) {
    static const char one[] = "\xC3\xA9\n\xC3\xA9\ncaf\xE9\n";
    static const char many[] = "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\n\xE9\n\xE9\n";
    text late = {NULL, 0, 0}, wanted = {NULL, 0, 0};

    (void)state;
    expect_told_at_end(one, sizeof one - 1, false,
                       "1 byte is no UTF-8, read as windows-1252: line 3 (option strict refuses "
                       "this);");
    expect_told_at_end(many, sizeof many - 1, false,
                       "2 bytes are no UTF-8, read as windows-1252: lines 2, 3 (option strict "
                       "refuses this);");
    expect_told_at_end(one, sizeof one - 1, true, "");
    expect_told_at_end("\xEF\xBB\xBF\xC3\xA9\n\xE9", 7, false,
                       "1 byte is no UTF-8, read as windows-1252: line 2 (option strict refuses "
                       "this);");
    // Behind what was looked at: two for each bad byte, the third stays what it is.
    text_add(&late, "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", 8);
    for (size_t i = 0; i < 70000; i++)
        text_add(&late, "x", 1);
    text_add(&wanted, late.at, late.length);
    text_add(&late, "\xE9\xE9\xE9\x81", 4);
    text_add(&wanted, "\xC3\xA9\xC3\xA9\xE9\x81", 6);
    for (size_t piece = 1; piece < 100000; piece = piece * 7 + 3)
        expect_decoded(&late, NULL, piece, 1 + piece % 70000, &wanted);
    text_free(&late);
    text_free(&wanted);
}

static void encoding__zeros_at_the_end_are_left_out(void **state) {
    static const struct {
        const char *bytes;
        size_t size, left;
    } files[] = {{"ab\n\0\0\0", 6, 3},     {"ab\n\0\0c\n\0", 8, 7}, {"ab\0\0\n", 5, 5},
                 {"\0\0\0", 3, 3},         {"\0a\0", 3, 2},         {"caf\xE9\n\0\0", 7, 6},
                 {"\xC3\xA9\n\0\0", 5, 3}, {"ab\n", 3, 3}};

    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (size_t piece = 1; piece < 9; piece++)
            for (size_t room = 1; room < 9; room++) {
                text bytes = {NULL, 0, 0};
                char told[HCBR_I_TOLD];

                text_add(&bytes, files[i].bytes, files[i].size);
                text out = decode_all(&bytes, NULL, piece, room, false, told);
                assert_int_equal(out.length, files[i].left);
                if (files[i].bytes[3] != '\xE9')
                    assert_memory_equal(out.at, files[i].bytes, files[i].left);
                text_free(&out);
                text_free(&bytes);
            }
    expect_told_at_end("ab\n\0\0", 5, false,
                       "2 zero bytes at the end of the file are left out (option strict refuses "
                       "this);");
    expect_told_at_end("ab\n\0\0c", 6, false, "");
    expect_told_at_end("ab\n\0\0", 5, true, "");
    expect_told_at_end("\xFF\xFE"
                       "a\0\n\0\0\0",
                       8, false,
                       "1 zero byte at the end of the file is left out (option strict refuses "
                       "this);");
}

static void encoding__spoilt_text_is_read_and_said(void **state) {
    // Accents that became two signs each: letters and signs of no language.
    static const char many[] = "Pen\xCC\xA9lope,Chape\xCC_\xE5\xB1o\nRen\xCC\xA9\xCC_\n";

    (void)state;
    expect_told(50, many, false, "no encoding fits it well");
    expect_told(50, many, false, "windows-1252 (byte 0xCC");
    expect_told(50, many, true, "");                 // of a line that is all there is yet
    expect_told(50, "Pen\xCC\xA9lope\n", false, ""); // which is UTF-8
    expect_told(50, "Chape\xCC_o\n", false, "no encoding fits it well");
    expect_told(50, "Chape\xCC_o\n", true, "");
    expect_told(50, "Chape\xCC_o\x01\x02\n", false, ""); // no text
    // A byte that windows-1252 does not have, far from those that decided.
    text bytes = {NULL, 0, 0}, wanted = {NULL, 0, 0};
    text_add(&bytes, many, strlen(many));
    for (size_t i = 0; i < 70000; i++)
        text_add(&bytes, "x", 1);
    char told[HCBR_I_TOLD];
    text before = decode_all(&bytes, NULL, 1 << 20, 1 << 18, false, told);
    text_add(&wanted, before.at, before.length);
    text_add(&wanted, "\xEF\xBF\xBD\xC3\x8C", 5);
    text_add(&bytes, "\x81\xCC", 2);
    for (size_t piece = 1; piece < 100000; piece = piece * 7 + 3)
        expect_decoded(&bytes, NULL, piece, 1 + piece % 70000, &wanted);
    text_free(&before);
    text_free(&bytes);
    text_free(&wanted);
}

static void encoding__names(void **state) {
    static const char *const good[] = {
        "utf-8",   "UTF8",     "Windows-1252", "cp1252", "latin1", "ISO_8859-15",
        "latin-9", "macRoman", "1251",         "auto",   ""};
    static const char *const bad[] = {
        "utf-7",   "cp", "latin",       "-",
        " cp1252", "x",  "cp1252 1252", "a name that is longer than any encoding has"};
    hcbr_i_charset c;

    (void)state;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_true(hcbr_i_charset_find(&c, good[i]));
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_false(hcbr_i_charset_find(&c, bad[i]));
    assert_true(hcbr_i_charset_find(&c, NULL) && c.name == NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(encoding__every_byte_is_that_of_iconv),
        cmocka_unit_test(encoding__units_are_those_of_iconv),
        cmocka_unit_test(encoding__halves_and_cuts_are_marked),
        cmocka_unit_test(encoding__guess_is_the_same_wherever_it_begins),
        cmocka_unit_test(encoding__damaged_utf8_stays_utf8),
        cmocka_unit_test(encoding__a_few_rows_of_central_europe_are_found),
        cmocka_unit_test(encoding__a_few_bytes_of_utf8_are_mended),
        cmocka_unit_test(encoding__mended_bytes_are_few_and_said),
        cmocka_unit_test(encoding__zeros_at_the_end_are_left_out),
        cmocka_unit_test(encoding__spoilt_text_is_read_and_said),
        cmocka_unit_test(encoding__names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
