/* The JSON Lines parser: what a line means, and where and why a line is refused. */
#include "jsonl_support.h"

/* ---- valid lines ----------------------------------------------------------------------------- */

typedef struct good_line {
    const char *line, *text;
} good_line;

static const good_line good_lines[] = {
    {"{}", ""},
    {" {\t} \r", ""},
    {"{\"a\":1}", "a=1|"},
    {"\t{ \"a\" : 1 , \"b\" : \"x\" } \t", "a=1|b=x|"},
    {"{\"a\":1}\r", "a=1|"},
    {"{\r\"a\"\r:\r1\r}", "a=1|"},
    // numbers stand as they are written
    {"{\"a\":-0,\"b\":0,\"c\":1.50,\"d\":1E+2,\"e\":1e-05,\"f\":-12.5e3}",
     "a=-0|b=0|c=1.50|d=1E+2|e=1e-05|f=-12.5e3|"},
    {"{\"a\":12345678901234567890}", "a=12345678901234567890|"},
    {"{\"a\":123456789012345678901234567890.5}", "a=123456789012345678901234567890.5|"},
    {"{\"a\":1e400,\"b\":0e0}", "a=1e400|b=0e0|"},
    {"{\"12345678901234567890\":7}", "12345678901234567890=7|"},
    // words
    {"{\"a\":true,\"b\":false,\"c\":null}", "a=true|b=false|"},
    {"{\"a\":\"true\"}", "a=true|"},
    // missing values are strings of the list only
    {"{\"a\":\"\",\"b\":\"?\",\"c\":\"NA\",\"d\":\"NaN\",\"e\":\"null\",\"f\":\"na\"}", "f=na|"},
    {"{\"a\":[\"x\",\"?\",null,\"y\"]}", "a=x|a=y|"},
    // lengths around the border of short and long names
    {"{\"abcdefg\":\"1234567\"}", "abcdefg=1234567|"},
    {"{\"abcdefg\":\"12345678\"}", "abcdefg=12345678|"},
    {"{\"abcdefghijklmn\":[],\"b\":\"\\u0031\"}", "b=1|"},
    {"{\"abcdefghijklm\":1,\"abcdefghijklmn\":1,\"abcdefghijklmno\":1}",
     "abcdefghijklm=1|abcdefghijklmn=1|abcdefghijklmno=1|"},
    {"{\"a\":\"12345678\",\"b\":\"1234567890123\",\"c\":\"12345678901234\"}",
     "a=12345678|b=1234567890123|c=12345678901234|"},
    {"{\"\":1}", "=1|"},
    {"{\"a\":{\"\":1},\"\":{\"\":2}}", "a.=1|.=2|"},
    // nesting
    {"{\"a\":{\"b\":{\"c\":1},\"d\":2},\"e\":3}", "a.b.c=1|a.d=2|e=3|"},
    {"{\"a\":{},\"b\":[],\"c\":[{},[]]}", ""},
    {"{\"a\":[1,\"x\",true,[2,[3]],{\"b\":4}]}", "a=1|a=x|a=true|a=2|a=3|a.b=4|"},
    {"{\"a\":[{\"b\":1,\"c\":2},{\"b\":3,\"c\":4}]}", "a.b=1|a.c=2|a.b=3|a.c=4|"},
    {"{\"a\":{\"a\":1},\"b\":{\"a\":2}}", "a.a=1|b.a=2|"},
    {"{\"a.b\":1,\"a\":{\"b\":2}}", "a.b=1|a.b=2|"},
    {"{\"a\":[1,1]}", "a=1|a=1|"},
    {"{ \"a\" : [ 1 , { \"b\" : [ ] } , 2 ] }", "a=1|a=2|"},
    // bare keys
    {"{\"features\":[\"x\",7,\"a long proposition\",null,\"?\",1e3]}",
     "!x|!7|!a long proposition|!1e3|"},
    {"{\"features\":[]}", ""},
    {"{\"features\":[[\"k\",\"?\"],[ \"label\" , \"\" ],\"x\",[\"\\u0041\"],[\"?\"]]}",
     "k=?|label=|!x|!A|!?|"},
    {"{\"features\":\"x\"}", "features=x|"},
    {"{\"features\":{\"a\":[1]}}", "features.a=1|"},
    {"{\"a\":{\"features\":[1,[2]]}}", "a.features=1|a.features=2|"},
    // strings
    {"{\"a\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"}", "a=\"\\/\b\f\n\r\t|"},
    {"{\"a\":\"\\u0041\\u00e9\\u20AC\\uD83D\\uDE00z\"}",
     "a=A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z|"},
    {"{\"a\":\"\\uD800\\uDC00\\uDBFF\\uDFFF\"}", "a=\xF0\x90\x80\x80\xF4\x8F\xBF\xBF|"},
    {"{\"a\":\"\\uFFFF\\u0001\\u07ff\\u0800\"}", "a=\xEF\xBF\xBF\x01\xDF\xBF\xE0\xA0\x80|"},
    {"{\"a\":\"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\"}", "a=\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80|"},
    {"{\"a\":\"\x7F\"}", "a=\x7F|"},
    {"{\"a\":\"'{[,:]}#//\"}", "a='{[,:]}#//|"},
    {"{\"\\u0061\":1,\"\\\"q\\\"\":2}", "a=1|\"q\"=2|"},
    {"{\"caf\xC3\xA9\":{\"\\u00e9\":1}}", "caf\xC3\xA9.\xC3\xA9=1|"},
    {"{\"a\":\"b=c\",\"a=b\":\"c\"}", "a=b=c|a=b=c|"},
    // label, id and keys left out: see the options in the test
    {"{\"y\":\"yes\",\"a\":1}", "a=1|L:yes|"},
    {"{\"a\":1,\"y\":1.0}", "a=1|L:1.0|"},
    {"{\"y\":true,\"a\":1}", "a=1|L:true|"},
    {"{\"y\":\"\\u0041 b\",\"a\":1}", "a=1|L:A b|"},
    {"{\"y\":null,\"a\":1}", "a=1|"},
    {"{\"y\":\"?\",\"a\":1}", "a=1|"},
    {"{\"x\":{\"y\":1}}", "x.y=1|"},
    {"{\"label\":1}", "label=1|"},
    {"{\"who\":{\"id\":18446744073709551616},\"a\":1}", "a=1|I:18446744073709551616|"},
    {"{\"who.id\":\"p 7\",\"y\":0}", "L:0|I:p 7|"},
    {"{\"who\":{\"id\":null}}", ""},
    {"{\"who\":{\"id\":\"NA\"}}", ""},
    {"{\"who\":[{\"id\":1},{\"name\":2}]}", "who.name=2|I:1|"},
    {"{\"skip\":1,\"skipped\":2,\"skip.x\":3}", "skipped=2|"},
    {"{\"skip\":{\"a\":[1,{\"b\":2}]},\"c\":3}", "c=3|"},
    {"{\"d\":{\"e\":{\"f\":1},\"ef\":2,\"e.g\":3}}", "d.ef=2|"},
    {"{\"skip\":{\"features\":[1]},\"features\":[2]}", "!2|"},
};

static void jsonl__gives_the_features_of_a_line(void **state) {
    (void)state;
    static const char *const ignore[] = {"skip", "d.e"};
    hcbr_read_options options = options_with("y", "who.id", ignore, 2);
    bench shared; // keys remembered from other lines must change nothing
    assert_int_equal(bench_init(&shared, &options, false), HCBR_OK);
    for (size_t round = 0; round < 2; round++)
        for (size_t i = 0; i < sizeof good_lines / sizeof *good_lines; i++) {
            bench fresh;
            assert_int_equal(bench_init(&fresh, &options, false), HCBR_OK);
            bench *both[] = {&shared, &fresh};
            for (size_t j = 0; j < 2; j++) {
                hcbr_status st = bench_row(both[j], good_lines[i].line, strlen(good_lines[i].line));
                if (st != HCBR_OK)
                    fail_msg("%s: %s", good_lines[i].line, both[j]->err.message);
                char *text = bench_text(both[j]);
                if (strcmp(text, good_lines[i].text) != 0)
                    fail_msg("%s gave %s", good_lines[i].line, text);
                free(text);
            }
            bench_clear(&fresh);
        }
    bench_clear(&shared);
}

/* ---- invalid lines --------------------------------------------------------------------------- */

/** The column is that of the first byte of rest. */
typedef struct bad_line {
    const char *before, *rest, *word;
} bad_line;

static const bad_line bad_lines[] = {
    // no object
    {"", "[1]", "'['"},
    {"", "1", "'1'"},
    {"", "\"a\"", "object"},
    {"", "null", "'null'"},
    {"", "a,b,c", "object"},
    {" ", "+1 1:1", "object"},
    {"", "// x", "object"},
    {"", "\xEF\xBB\xBF{}", "byte order mark"},
    {"", "\x01{}", "\\x01"},
    {"", "\xFF{}", "\\xff"},
    {"", "'a'", "object"},
    {"", "}", "object"},
    // after the object
    {"{}", "{}", "the end of the line"},
    {"{\"a\":1} ", "{\"b\":2}", "the end of the line"},
    {"{\"a\":1}", ",", "the end of the line"},
    {"{\"a\":1}", "}", "the end of the line"},
    {"{}\r", "{}", "the end of the line"},
    {"{}", "\xEF\xBB\xBF", "byte order mark"},
    {"{}", "\f", "\\x0c"},
    // objects
    {"{", "", "the end of the line"},
    {"{ ", "\r", "the end of the line"},
    {"{", "'a':1}", "double quotes"},
    {"{", "a:1}", "'a'"},
    {"{", "1:1}", "double quotes"},
    {"{", ",\"a\":1}", "','"},
    {"{", "]", "']'"},
    {"{\"a\":1,", "}", "'}'"},
    {"{\"a\":1, ", ",\"b\":2}", "','"},
    {"{\"a\":1,", "", "the end of the line"},
    {"{\"a\"", "}", "':'"},
    {"{\"a\" ", "1}", "':'"},
    {"{\"a\"", "=1}", "':'"},
    {"{\"a\"", "", "':'"},
    {"{\"a\":", "}", "value"},
    {"{\"a\":", ":1}", "value"},
    {"{\"a\":", "", "the end of the line"},
    {"{\"a\":1", "", "',' or '}'"},
    {"{\"a\":1", ";\"b\":2}", "',' or '}'"},
    {"{\"a\":1 ", "\"b\":2}", "',' or '}'"},
    {"{\"a\":1", "]", "',' or '}'"},
    {"{\"a\":\"x\"", "\"y\"}", "',' or '}'"},
    {"{\"a\":{\"b\":1}", "", "',' or '}'"},
    // lists
    {"{\"a\":[", "", "the end of the line"},
    {"{\"a\":[1", "", "',' or ']'"},
    {"{\"a\":[1,", "]}", "']'"},
    {"{\"a\":[", ",1]}", "','"},
    {"{\"a\":[1", "}", "',' or ']'"},
    {"{\"a\":[1", ":2]}", "',' or ']'"},
    {"{\"a\":[1 ", "2]}", "',' or ']'"},
    {"{\"a\":[{", "]}", "double quotes"},
    // words
    {"{\"a\":", "NaN}", "'NaN'"},
    {"{\"a\":", "Infinity}", "'Infinity'"},
    {"{\"a\":-", "Infinity}", "digit"},
    {"{\"a\":", "True}", "'True'"},
    {"{\"a\":", "undefined}", "'undefined'"},
    {"{\"a\":nul", "}", "null"},
    {"{\"a\":n", "il}", "null"},
    {"{\"a\":tru", "", "true"},
    {"{\"a\":fals", "y}", "false"},
    {"{\"a\":true", "r}", "',' or '}'"},
    {"{\"a\":null", "1}", "',' or '}'"},
    {"{\"a\":", "'x'}", "value"},
    // numbers
    {"{\"a\":0", "1}", "leading 0"},
    {"{\"a\":-0", "1}", "leading 0"},
    {"{\"a\":0", "0}", "leading 0"},
    {"{\"a\":", "+1}", "'+'"},
    {"{\"a\":", ".5}", "'.'"},
    {"{\"a\":-", ".5}", "digit"},
    {"{\"a\":-", "}", "digit"},
    {"{\"a\":-", "-1}", "digit"},
    {"{\"a\":1.", "}", "point"},
    {"{\"a\":1.", "e5}", "point"},
    {"{\"a\":1.", "", "point"},
    {"{\"a\":1e", "}", "exponent"},
    {"{\"a\":1e+", "}", "exponent"},
    {"{\"a\":1e-", "x}", "exponent"},
    {"{\"a\":1e", "", "exponent"},
    {"{\"a\":1e5", ".5}", "',' or '}'"},
    {"{\"a\":1", "_000}", "',' or '}'"},
    {"{\"a\":0", "x1F}", "',' or '}'"},
    {"{\"a\":1.5", ".5}", "',' or '}'"},
    // strings
    {"{\"a", "", "closing quote"},
    {"{\"a\":\"", "", "closing quote"},
    {"{\"a\":\"bcdefghijklmnopq", "\r", "closing quote"},
    {"{\"a\":\"b\\\"}", "", "closing quote"},
    {"{\"a\":\"b", "\tc\"}", "\\x09"},
    {"{\"a\":\"", "\x1F\"}", "\\x1f"},
    {"{\"a\":\"123456789", "\rb\"}", "\\x0d"},
    {"{\"a\":\"x\\", "q\"}", "escape"},
    {"{\"a\":\"x\\", "'\"}", "escape"},
    {"{\"a\":\"x\\", "x41\"}", "escape"},
    {"{\"a\":\"x\\", "U0041\"}", "escape"},
    {"{\"a\":\"x\\", "", "the end of the line"},
    {"{\"a\":\"\\u", "\"}", "hexadecimal"},
    {"{\"a\":\"\\u12", "\"}", "hexadecimal"},
    {"{\"a\":\"\\u12", "G4\"}", "hexadecimal"},
    {"{\"a\":\"\\u", "+123\"}", "hexadecimal"},
    {"{\"a\":\"\\u123", "", "hexadecimal"},
    {"{\"a\":\"x", "\\u0000\"}", "NUL"},
    {"{\"a\":\"x", "\\uD800\"}", "surrogate"},
    {"{\"a\":\"x", "\\uDBFFy\"}", "surrogate"},
    {"{\"a\":\"x", "\\uDC00\"}", "surrogate"},
    {"{\"a\":\"x", "\\uD800\\u0041\"}", "surrogate"},
    {"{\"a\":\"x", "\\uD800\\uD800\\uDC00\"}", "surrogate"},
    {"{\"a\":\"x", "\\uDFFF\\uD800\"}", "surrogate"},
    {"{\"a\":\"x", "\\uD800\\n\"}", "surrogate"},
    {"{\"a\":\"\\uD800\\uDC", "\"}", "hexadecimal"},
    {"{\"", "\\uD800\":1}", "surrogate"},
    // text that is no UTF-8
    {"{\"a\":\"x", "\xFF\"}", "UTF-8"},
    {"{\"a\":\"x", "\x80\"}", "UTF-8"},
    {"{\"a\":\"x", "\xC0\xAF\"}", "UTF-8"},
    {"{\"a\":\"x", "\xED\xA0\x80\"}", "UTF-8"},
    {"{\"a\":\"x", "\xF4\x90\x80\x80\"}", "UTF-8"},
    {"{\"a\":\"x", "\xC3\"}", "UTF-8"},
    {"{\"a\":\"\xC3\xA9 caf", "\xE9\"}", "UTF-8"},
    {"{\"a\":\"x", "\xFF\\q\"}", "UTF-8"},
    {"{\"a\":\"x", "\xFF\t\"}", "UTF-8"},
    {"{\"a\":\"x\\", "q\xFF\"}", "escape"},
    {"{\"a\":\"\\n\xC3\xA9", "\xE9", "UTF-8"},
    {"{\"", "\xFF\":1}", "UTF-8"},
    {"{\"a\":\"", "\xEF\xBB\xBF\"}", "byte order mark"},
    {"{\"a\":", "\xC3\xA9}", "value"},
    {"{\"a\":", "\xE2\x80\x9Cx\xE2\x80\x9D}", "value"},
    {"{\"a\"", "\xC2\xA0:1}", "':'"},
    // duplicate keys
    {"{\"a\":1,", "\"a\":2}", "twice"},
    {"{\"a\":1,\"b\":{\"a\":1},", "\"a\":2}", "twice"},
    {"{\"b\":{\"a\":1,\"c\":[{\"a\":1}],", "\"a\":2}}", "'b.a'"},
    {"{\"a\":1,", "\"\\u0061\":2}", "twice"},
    {"{\"a\":[{\"b\":1},{\"b\":1,", "\"b\":1}]}", "twice"},
    {"{\"a\":null,", "\"a\":null}", "twice"},
    {"{\"\":1,", "\"\":2}", "twice"},
    {"{\"skip\":{\"a\":1,", "\"a\":2}}", "twice"},
    {"{\"y\":1,", "\"y\":1}", "twice"},
    // what is left out is checked too
    {"{\"skip\":\"", "\t\"}", "\\x09"},
    {"{\"skip\":{\"a\":0", "1}}", "leading 0"},
    // label, id and bare keys
    {"{\"y\":", "[1]}", "label"},
    {"{\"y\":", "{\"a\":1}}", "an object as the label"},
    {"{\"who\":{\"id\":", "{}}}", "an object as the id"},
    {"{\"who\":{\"id\":", "[]}}", "a list as the id"},
    {"{\"who\":[{\"id\":1},{\"id\":", "2}]}", "twice"},
    {"{\"who.id\":1,\"who\":{\"id\":", "1}}", "twice"},
    {"{\"features\":[[", "1]]}", "a feature's key"},
    {"{\"features\":[[", "]]}", "a feature's key"},
    {"{\"features\":[[\"a\",", "[\"b\"]]]}", "a feature's value"},
    {"{\"features\":[[\"a\",\"b\"", ",\"c\"]]}", "']' after key and value"},
    {"{\"features\":[1,", "{\"a\":1}]}", "features"},
    {"{\"features\":[", "true]}", "features"},
    {"{\"features\":[", "false]}", "features"},
};

static void jsonl__refuses_a_line_with_its_place(void **state) {
    (void)state;
    static const char *const ignore[] = {"skip"};
    hcbr_read_options options = options_with("y", "who.id", ignore, 1);
    bench shared;
    assert_int_equal(bench_init(&shared, &options, false), HCBR_OK);
    assert_true(sizeof bad_lines / sizeof *bad_lines >= 80);
    for (size_t i = 0; i < sizeof bad_lines / sizeof *bad_lines; i++) {
        const bad_line *bad = &bad_lines[i];
        char line[256];
        int length = snprintf(line, sizeof line, "%s%s", bad->before, bad->rest);
        bench fresh;
        assert_int_equal(bench_init(&fresh, &options, false), HCBR_OK);
        bench *both[] = {&shared, &fresh};
        for (size_t j = 0; j < 2; j++) {
            bench *b = both[j];
            hcbr_status st = bench_row(b, line, (size_t)length);
            if (st != HCBR_EDATA)
                fail_msg("%s was accepted", line);
            if (b->err.column != strlen(bad->before) + 1 || b->err.line != 7)
                fail_msg("%s: column %llu: %s", line, (unsigned long long)b->err.column,
                         b->err.message);
            if (strstr(b->err.message, bad->word) == NULL)
                fail_msg("%s: %s", line, b->err.message);
            assert_string_equal(b->err.file, "rows.jsonl");
        }
        bench_clear(&fresh);
    }
    bench_clear(&shared);
}

static void jsonl__refuses_a_nul_byte(void **state) {
    (void)state;
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    assert_int_equal(bench_row(&b, "{\"a\":\"x\0y\"}", 11), HCBR_EDATA);
    assert_int_equal(b.err.column, 8);
    assert_int_equal(bench_row(&b, "{\"a\":\0}", 7), HCBR_EDATA);
    assert_int_equal(b.err.column, 6);
    assert_int_equal(bench_row(&b, "{\"a\":\"\\\0\"}", 10), HCBR_EDATA);
    assert_int_equal(b.err.column, 8);
    bench_clear(&b);
}

/** A good line cut anywhere is refused at the cut, whatever stands behind the line. */
static void jsonl__refuses_a_line_cut_anywhere_at_the_cut(void **state) {
    (void)state;
    static const char line[] =
        "{\"ab\": [1.5e3, -0, true, null, {\"c\": \"\\n\\u20AC \\uD83D\\uDE00 x\"}], "
        "\"a long key of many bytes\": {\"d\": \"a long value of many bytes\"}}";
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    assert_int_equal(bench_row(&b, line, sizeof line - 1), HCBR_OK);
    const char *pair = strstr(line, "\\uD83D");
    for (size_t length = 1; length < sizeof line - 1; length++) {
        assert_int_equal(bench_row(&b, line, length), HCBR_EDATA);
        size_t column = length + 1;
        if (length >= (size_t)(pair - line) + 6 && length < (size_t)(pair - line) + 8)
            column = (size_t)(pair - line) + 1; // half a pair is named at its backslash
        assert_int_equal(b.err.column, column);
    }
    bench_clear(&b);
}

/* ---- limits -----------------------------------------------------------------------------------
 */

/** An object with `depth` levels of objects and lists in turn. Returns its length. */
static size_t nest(char *line, size_t depth) {
    size_t n = 0;
    for (size_t i = 0; i < depth; i++) {
        if (i % 2 == 0) {
            memcpy(line + n, "{\"a\":", 5);
            n += 5;
        } else {
            line[n++] = '[';
        }
    }
    line[n++] = '1';
    for (size_t i = depth; i-- > 0;)
        line[n++] = i % 2 == 0 ? '}' : ']';
    return n;
}

static void jsonl__holds_the_depth(void **state) {
    (void)state;
    size_t most = 100000;
    char *line = malloc(8 * most);
    assert_non_null(line);
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    assert_int_equal(bench_row(&b, line, nest(line, 32)), HCBR_OK);
    assert_int_equal(bench_row(&b, line, nest(line, 33)), HCBR_EDATA);
    assert_int_equal(b.err.column, 16 * 6 + 1); // 16 objects and lists of 6 bytes before it
    assert_non_null(strstr(b.err.message, "option max_depth"));
    assert_non_null(strstr(b.err.message, "32"));
    assert_int_equal(bench_row(&b, line, nest(line, most)), HCBR_EDATA);
    assert_int_equal(b.err.column, 16 * 6 + 1);
    bench_clear(&b);

    hcbr_read_options options = options_with(NULL, NULL, NULL, 0);
    options.max_depth = 2000;
    options.max_names = 1 << 20; // a thousand names, of 1000 bytes on average
    assert_int_equal(bench_init(&b, &options, false), HCBR_OK);
    assert_int_equal(bench_row(&b, line, nest(line, 2000)), HCBR_OK);
    char room[HCBR_I_NAME_TEXT];
    assert_int_equal(bench_feature(&b, 0, room).key_length, 1999); // a.a. ... .a
    assert_int_equal(bench_row(&b, line, nest(line, 2001)), HCBR_EDATA);
    bench_clear(&b);

    options.max_depth = 1;
    assert_int_equal(bench_init(&b, &options, false), HCBR_OK);
    assert_int_equal(bench_row(&b, "{\"a\":1}", 7), HCBR_OK);
    assert_int_equal(bench_row(&b, "{\"a\":{}}", 8), HCBR_EDATA);
    assert_int_equal(b.err.column, 6);
    bench_clear(&b);
    free(line);
}

/** A long outer key in front of many inner ones would give names far larger than the line. */
static void jsonl__holds_the_size_of_dotted_names(void **state) {
    (void)state;
    enum { OUTER = 100000, INNER = 20000 };
    char *line = malloc(OUTER + 16 * INNER + 16);
    assert_non_null(line);
    size_t n = 0;
    n += (size_t)sprintf(line, "{\"");
    memset(line + n, 'k', OUTER);
    n += OUTER;
    n += (size_t)sprintf(line + n, "\":{");
    for (size_t i = 0; i < INNER; i++)
        n += (size_t)sprintf(line + n, "%s\"%zu\":1", i == 0 ? "" : ",", i);
    n += (size_t)sprintf(line + n, "}}");
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    for (int round = 0; round < 2; round++) { // whether the names are known already or not
        assert_int_equal(bench_row(&b, line, n), HCBR_EDATA);
        assert_non_null(strstr(b.err.message, "option max_names"));
        // each name has OUTER + 1 bytes and its digits; the limit is 64 KiB + 12 times the line
        size_t sum = 0, i = 0, column = OUTER + 6;
        for (;; i++) {
            size_t digits = (size_t)snprintf(NULL, 0, "%zu", i);
            if ((sum += OUTER + 1 + digits) > 65536 + 12 * n)
                break;
            column += digits + 5;
        }
        assert_int_equal(b.err.column, column);
    }
    bench_clear(&b);
    free(line);
}

static void jsonl__takes_long_strings_in_place(void **state) {
    (void)state;
    enum { LONG = 65536 };
    char *line = malloc(LONG + 64), *text = malloc(LONG);
    assert_non_null(line);
    assert_non_null(text);
    for (size_t i = 0; i < LONG; i++)
        text[i] = (char)('a' + i % 26);
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    size_t n = (size_t)sprintf(line, "{\"key\":\"");
    memcpy(line + n, text, LONG);
    n += LONG;
    n += (size_t)sprintf(line + n, "\"}");
    assert_int_equal(bench_row(&b, line, n), HCBR_OK);
    char room[HCBR_I_NAME_TEXT];
    hcbr_feature f = bench_feature(&b, 0, room);
    assert_int_equal(f.value_length, LONG);
    assert_memory_equal(f.value, text, LONG);
    assert_ptr_equal(f.value, b.buffer + 8);
    bench_clear(&b);
    free(line);
    free(text);
}

/** Every position of a special byte in a string, for the search in words. */
static void jsonl__finds_the_end_of_a_string_at_every_offset(void **state) {
    (void)state;
    static const char special[] = "\"\\\x1F\xC3";
    bench b;
    assert_int_equal(bench_init(&b, NULL, false), HCBR_OK);
    for (size_t lead = 0; lead < 12; lead++)
        for (size_t length = 0; length < 40; length++)
            for (size_t kind = 0; special[kind] != '\0'; kind++) {
                char line[128], expected[64];
                size_t n = (size_t)sprintf(line, "%*s{\"k\":\"x", (int)lead, "");
                size_t first = n - 1;
                for (size_t i = 0; i < length; i++)
                    line[n++] = "!#[]~ \x7Fz"[i % 8]; // neighbours of the special bytes
                memcpy(expected, line + first, length + 1);
                expected[length + 1] = '\0';
                size_t place = n;
                line[n++] = special[kind];
                n += (size_t)sprintf(line + n, "%s", kind == 0 ? "}" : "\"}");
                hcbr_status st = bench_row(&b, line, n);
                if (kind == 0) {
                    assert_int_equal(st, HCBR_OK);
                    char room[HCBR_I_NAME_TEXT];
                    hcbr_feature f = bench_feature(&b, 0, room);
                    assert_int_equal(f.value_length, length + 1);
                    assert_memory_equal(f.value, expected, length + 1);
                } else {
                    assert_int_equal(st, HCBR_EDATA);
                    // an escaped quote leaves the string open to the end of the line
                    assert_int_equal(b.err.column, kind == 1 ? n + 1 : place + 1);
                }
            }
    bench_clear(&b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(jsonl__gives_the_features_of_a_line),
        cmocka_unit_test(jsonl__refuses_a_line_with_its_place),
        cmocka_unit_test(jsonl__refuses_a_nul_byte),
        cmocka_unit_test(jsonl__refuses_a_line_cut_anywhere_at_the_cut),
        cmocka_unit_test(jsonl__holds_the_depth),
        cmocka_unit_test(jsonl__holds_the_size_of_dotted_names),
        cmocka_unit_test(jsonl__takes_long_strings_in_place),
        cmocka_unit_test(jsonl__finds_the_end_of_a_string_at_every_offset),
    };
    return cmocka_run_group_tests_name("jsonl", tests, NULL, NULL);
}
