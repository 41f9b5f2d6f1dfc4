// Tables in memory, case by case: what values of each type are called, what is refused and with
// which words, rows that are skipped, ranges of rows, progress.
#include "read_support.h"

#include <hcbr/hcbr.h>

#define COLUMN(title, kind, count, array)                                                          \
    {                                                                                              \
        .size = sizeof(hcbr_memory_column), .name = (title), .type = (kind), .length = (count),    \
        .values = (array)                                                                          \
    }

/** All rows of a table as text, or the message of a failure. */
static text read_frame(hcbr_i_table *frame, const hcbr_read_options *options, bool labelled) {
    text out = {NULL, 0, 0};
    const hcbr_i_block *block;
    hcbr_i_reader *reader = NULL;
    hcbr_error err;
    hcbr_status st = hcbr_i_reader_create_table(&reader, frame, options, labelled, &err);

    text_print(&out, "%s", "");
    while (st == HCBR_OK && (st = hcbr_i_reader_next(reader, &block, &err)) == HCBR_OK &&
           block != NULL)
        text_block(&out, block);
    if (st != HCBR_OK)
        text_print(&out, "%s: %s", hcbr_status_name(st), err.message);
    hcbr_i_reader_free(reader);
    hcbr_i_table_free(frame);
    return out;
}

static text read_columns(const hcbr_memory_column *columns, size_t count,
                         const hcbr_read_options *options, bool labelled) {
    hcbr_i_table *frame;
    hcbr_error err;
    hcbr_status st = hcbr_i_table_create(&frame, columns, count, &err);
    text out = {NULL, 0, 0};

    if (st == HCBR_OK)
        return read_frame(frame, options, labelled);
    assert_null(frame);
    text_print(&out, "%s: %s", hcbr_status_name(st), err.message);
    return out;
}

/** The text must be this one; it is released. */
static void expect_text(text got, const char *wanted) {
    assert_string_equal(got.at, wanted);
    text_free(&got);
}

/** The text must hold all of these, up to NULL. */
static void expect_words(text got, const char *first, ...) {
    va_list more;

    va_start(more, first);
    for (const char *word = first; word != NULL; word = va_arg(more, const char *))
        if (strstr(got.at, word) == NULL)
            fail_msg("%s: not in: %s", word, got.at);
    va_end(more);
    text_free(&got);
}

/* ---- Arrow ----------------------------------------------------------------------------------- */

static void release_schema(struct ArrowSchema *schema) {
    schema->release = NULL;
}

static void release_array(struct ArrowArray *array) {
    array->release = NULL;
}

/** A record batch of one column. */
typedef struct batch {
    struct ArrowSchema schema, column_schema, item_schema, *columns[1], *items[1];
    struct ArrowArray array, column, item, *column_arrays[1], *item_arrays[1];
    const void *buffers[4], *item_buffers[4];
} batch;

static void make_batch(batch *b, const char *format, int64_t length, int64_t buffers,
                       const void *values, const void *more) {
    memset(b, 0, sizeof *b);
    b->columns[0] = &b->column_schema;
    b->column_arrays[0] = &b->column;
    b->items[0] = &b->item_schema;
    b->item_arrays[0] = &b->item;
    b->schema = (struct ArrowSchema){
        .format = "+s", .n_children = 1, .children = b->columns, .release = release_schema};
    b->array = (struct ArrowArray){
        .length = length, .n_children = 1, .children = b->column_arrays, .release = release_array};
    b->column_schema =
        (struct ArrowSchema){.format = format, .name = "x", .release = release_schema};
    b->buffers[1] = values;
    b->buffers[2] = more;
    b->column = (struct ArrowArray){
        .length = length, .n_buffers = buffers, .buffers = b->buffers, .release = release_array};
}

static text read_batch(const batch *b) {
    hcbr_i_table *frame;
    hcbr_error err;
    hcbr_status st = hcbr_i_table_create_arrow(&frame, &b->schema, &b->array, &err);
    text out = {NULL, 0, 0};

    if (st == HCBR_OK)
        return read_frame(frame, NULL, false);
    text_print(&out, "%s: %s", hcbr_status_name(st), err.message);
    return out;
}

/** The values of a column of Arrow, with a blank before each. */
static void expect_values(const char *format, int64_t length, const void *values,
                          const char *wanted) {
    text got, found = {NULL, 0, 0};
    batch b;

    make_batch(&b, format, length, 2, values, NULL);
    got = read_batch(&b);
    for (const char *at = got.at; (at = strstr(at, " x=")) != NULL;) {
        size_t size = strcspn(at + 3, "\n");

        text_print(&found, " %.*s", (int)size, at + 3);
        at += 3;
    }
    if (found.at == NULL)
        fail_msg("%s", got.at);
    assert_string_equal(found.at, wanted);
    text_free(&found);
    text_free(&got);
}

static void arrow__shows_decimals_with_all_their_digits(void **state) {
    static const int32_t small[] = {0, 5, -5, 12345, -100};
    static const int64_t large[] = {INT64_MIN, 7};
    hcbr_i_u128 huge[] = {(hcbr_i_u128)1 << 126, 0 - (hcbr_i_u128)1};

    (void)state;
    expect_values("d:9,2,32", 5, small, " 0.00 0.05 -0.05 123.45 -1.00");
    expect_values("d:9,0,32", 5, small, " 0 5 -5 12345 -100");
    expect_values("d:9,-2,32", 5, small, " 0 500 -500 1234500 -10000");
    expect_values("d:9,5,32", 2, small + 3, " 0.12345 -0.00100");
    expect_values("d:19,4,64", 2, large, " -922337203685477.5808 0.0007");
    expect_values("d:38,10", 2, huge, " 8507059173023461586584365185.7942052864 -0.0000000001");
}

static void arrow__shows_dates_and_times_as_iso_8601(void **state) {
    static const int32_t days[] = {0, -1, 19782, -719528, -719529, 2932896, 11016};
    static const int64_t ms[] = {86400000, -1, 0};
    static const int64_t micro[] = {1709251199500000, -1, 0, 1000000};
    static const int32_t seconds[] = {0, 86399, 86400, -1};
    static const int64_t nano[] = {1, 3600000000000, 86399999999999};

    (void)state;
    expect_values("tdD", 7, days,
                  " 1970-01-01 1969-12-31 2024-02-29 0000-01-01 -0001-12-31 9999-12-31 2000-02-29");
    expect_values("tdm", 3, ms, " 1970-01-02 1969-12-31 1970-01-01");
    expect_values("tsu:", 4, micro,
                  " 2024-02-29T23:59:59.5 1969-12-31T23:59:59.999999 1970-01-01T00:00:00 "
                  "1970-01-01T00:00:01");
    expect_values("tsu:Europe/Berlin", 1, micro, " 2024-02-29T23:59:59.5Z");
    expect_values("tss:", 1, ms, " 1972-09-27T00:00:00");
    expect_values("tts", 4, seconds, " 00:00:00 23:59:59 86400 -1");
    expect_values("ttn", 3, nano, " 00:00:00.000000001 01:00:00 23:59:59.999999999");
    expect_values("tDs", 3, nano, " 1 3600000000000 86399999999999");
}

static void arrow__takes_lists_of_a_fixed_size_from_an_offset(void **state) {
    static const int16_t items[] = {1, 2, 3, 4, 5, 6, 7, 8};
    batch b;

    (void)state;
    make_batch(&b, "+w:2", 3, 1, NULL, NULL);
    b.column.offset = 1;
    b.column_schema.n_children = b.column.n_children = 1;
    b.column_schema.children = b.items;
    b.column.children = b.item_arrays;
    b.item_buffers[1] = items;
    b.item_schema = (struct ArrowSchema){.format = "s", .release = release_schema};
    b.item = (struct ArrowArray){
        .length = 8, .n_buffers = 2, .buffers = b.item_buffers, .release = release_array};
    expect_text(read_batch(&b), "1@1 - x=3 x=4\n2@2 - x=5 x=6\n3@3 - x=7 x=8\n");
    b.item.length = 7;
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "fewer items", NULL);
}

static void arrow__refuses_what_a_producer_gets_wrong(void **state) {
    static const int32_t falls[] = {0, 3, 1}, negative[] = {-1, 0, 1}, fine[] = {0, 1, 2};
    static const uint8_t bitmap[] = {1};
    batch b;

    (void)state;
    make_batch(&b, "u", 2, 3, falls, "abc");
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "offset", NULL);
    make_batch(&b, "u", 2, 3, negative, "abc");
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "offset", NULL);
    make_batch(&b, "u", 2, 3, fine, NULL);
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "no text", NULL);
    make_batch(&b, "u", 2, 2, fine, "ab");
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "number of buffers", NULL);
    make_batch(&b, "i", 2, 2, NULL, NULL);
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "no values", NULL);
    make_batch(&b, "i", 2, 2, fine, NULL);
    b.column.length = 1;
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "fewer values", NULL);
    b.column.length = -1;
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "length", NULL);
    make_batch(&b, "i", 2, 2, fine, NULL);
    b.column.null_count = 1;
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "bitmap", NULL);
    b.buffers[0] = bitmap;
    expect_text(read_batch(&b), "1@1 - x=0\n2@2 -\n");
    b.column.release = NULL;
    expect_words(read_batch(&b), "HCBR_EDATA", "'x'", "released", NULL);
    make_batch(&b, "i", 2, 2, fine, NULL);
    b.array.n_children = 0;
    expect_words(read_batch(&b), "HCBR_EDATA", "schema", NULL);
    make_batch(&b, "i", 2, 2, fine, NULL);
    b.schema.format = "i";
    expect_words(read_batch(&b), "HCBR_EUSAGE", "struct", NULL);
    static const char *const unknown[] = {"z",   "Z",     "+s",  "+vl", "d:", "d:9,2,256",
                                          "tiM", "tsx:",  "tsu", "w:4", "",   "d:9,999",
                                          "+w:", "+w:-1", "ttx", "ii",  "vz", "d:9,2,"};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        make_batch(&b, unknown[i], 2, 2, fine, NULL);
        expect_words(read_batch(&b), "HCBR_EUSAGE", "'x'", "format", NULL);
    }
}

static void arrow__leaves_ignored_columns_alone(void **state) {
    static const char *const ignore[] = {"x"};
    hcbr_read_options options;
    hcbr_i_table *frame;
    hcbr_error err;
    batch b;

    (void)state;
    hcbr_read_options_init(&options);
    options.ignore = ignore;
    options.ignore_count = 1;
    make_batch(&b, "some day", 2, 0, NULL, NULL);
    assert_int_equal(hcbr_i_table_create_arrow(&frame, &b.schema, &b.array, &err), HCBR_OK);
    expect_text(read_frame(frame, &options, false), "1@1 -\n2@2 -\n");
}

/* ---- columns --------------------------------------------------------------------------------- */

static const int64_t three[] = {1, INT64_MIN, 9007199254740993};
static const double labels[] = {0.5, -0.0, 1e300};

static void columns__are_named_and_used_as_those_of_files(void **state) {
    static const uint64_t wide[] = {UINT64_MAX, 1, 0};
    static const float single[] = {0.1F, 16777216.0F, 1e-7F};
    hcbr_memory_column c[] = {
        COLUMN("y", HCBR_MEMORY_F64, 3, labels), COLUMN("", HCBR_MEMORY_I64, 3, three),
        COLUMN("who", HCBR_MEMORY_U64, 3, wide), COLUMN("f", HCBR_MEMORY_F32, 3, single),
        COLUMN("none", HCBR_MEMORY_NULL, 3, NULL)};
    hcbr_read_options options;

    (void)state;
    hcbr_read_options_init(&options);
    options.id = "who";
    expect_text(read_columns(c, 5, &options, true), "1@1 0.5 [18446744073709551615] 2=1 f=0.1\n"
                                                    "2@2 0 [1] 2=-9223372036854775808 f=16777216\n"
                                                    "3@3 1e300 [0] 2=9007199254740993 f=1e-7\n");
    options.label = "z";
    expect_words(read_columns(c, 5, &options, true), "HCBR_EDATA", "'y', '2', 'who'", "'z'", NULL);
    c[4].name = "y";
    expect_words(read_columns(c, 5, NULL, true), "HCBR_EDATA", "second column 'y'", NULL);
    c[4].name = "\xFF";
    expect_words(read_columns(c, 5, NULL, true), "HCBR_EDATA", "0xff", NULL);
}

static void columns__refuse_descriptions_that_cannot_be(void **state) {
    static const int32_t offsets[] = {0, 1, 1, 2};
    static const uint8_t codes[] = {0, 1, 2};
    hcbr_memory_column y = COLUMN("y", HCBR_MEMORY_F64, 3, labels), c[2], inner, deep;

    (void)state;
    expect_words(read_columns(NULL, 0, NULL, true), "HCBR_EUSAGE", "no column", NULL);
#define REFUSE(change, status, words)                                                              \
    do {                                                                                           \
        c[0] = y;                                                                                  \
        c[1] = (hcbr_memory_column)COLUMN("x", HCBR_MEMORY_UTF8, 3, offsets);                      \
        c[1].text = "ab";                                                                          \
        c[1].text_size = 2;                                                                        \
        inner = (hcbr_memory_column)COLUMN("", HCBR_MEMORY_F64, 2, labels);                        \
        deep = inner;                                                                              \
        change;                                                                                    \
        expect_words(read_columns(c, 2, NULL, true), status, "'x'", words, NULL);                  \
    } while (0)
    REFUSE(c[1].type = (hcbr_memory_type)99, "HCBR_EUSAGE", "type");
    REFUSE(c[1].length = 2, "HCBR_EUSAGE", "expected 3");
    REFUSE(c[1].length = UINT64_MAX, "HCBR_EUSAGE", "length");
    REFUSE(c[1].offset = UINT64_MAX, "HCBR_EUSAGE", "length");
    REFUSE((c[1].type = HCBR_MEMORY_F64, c[1].stride = INT64_MAX, c[1].offset = 2), "HCBR_EUSAGE",
           "offset");
    REFUSE(c[1].values = NULL, "HCBR_EUSAGE", "no values");
    REFUSE(c[1].text = NULL, "HCBR_EUSAGE", "no text");
    REFUSE(c[1].text_size = 1, "HCBR_EDATA", "offset 2");
    REFUSE(c[1].buffer_count = 1, "HCBR_EUSAGE", "buffers");
    REFUSE(c[1].dictionary = &inner, "HCBR_EUSAGE", "no integers");
    REFUSE(c[1].type = HCBR_MEMORY_LIST, "HCBR_EUSAGE", "no items");
    REFUSE((c[1].type = HCBR_MEMORY_LIST, c[1].items = &inner, inner.type = HCBR_MEMORY_LIST),
           "HCBR_EUSAGE", "lists inside");
    REFUSE((c[1].type = HCBR_MEMORY_LIST, c[1].items = &inner, inner.length = 1), "HCBR_EDATA",
           "offset 2");
    REFUSE((c[1].type = HCBR_MEMORY_U8, c[1].values = codes, c[1].dictionary = &inner),
           "HCBR_EDATA", "outside of its dictionary");
    REFUSE((c[1].type = HCBR_MEMORY_U8, c[1].values = codes, c[1].dictionary = &inner,
            inner.type = HCBR_MEMORY_U8, inner.dictionary = &deep),
           "HCBR_EUSAGE", "dictionary of a dictionary");
#undef REFUSE
    c[1].size = 8; // its name may be beyond it
    expect_words(read_columns(c, 2, NULL, true), "HCBR_EUSAGE", "size of argument columns", NULL);
    c[0] = (hcbr_memory_column)COLUMN("label", HCBR_MEMORY_LIST, 3, offsets);
    inner = (hcbr_memory_column)COLUMN("", HCBR_MEMORY_F64, 2, labels);
    c[0].items = &inner;
    expect_words(read_columns(c, 1, NULL, true), "HCBR_EUSAGE", "'label'", "lists as the label",
                 NULL);
}

static void views__must_stay_within_their_buffers(void **state) {
    static const char bytes[] = "0123456789abcdef";
    const void *buffers[] = {bytes};
    int64_t sizes[] = {16};
    int32_t view[4] = {14, 0, 0, 2};
    hcbr_memory_column c = COLUMN("x", HCBR_MEMORY_UTF8_VIEW, 1, view);

    (void)state;
    c.buffers = buffers;
    c.buffer_sizes = sizes;
    c.buffer_count = 1;
    expect_text(read_columns(&c, 1, NULL, false), "1@1 - x=23456789abcdef\n");
    for (int wrong = 0; wrong < 6; wrong++) {
        int32_t bad[6][4] = {{14, 0, 0, 3},  {14, 0, 1, 0},        {14, 0, -1, 0},
                             {14, 0, 0, -1}, {INT32_MAX, 0, 0, 2}, {-1, 0, 0, 0}};

        memcpy(view, bad[wrong], sizeof view);
        expect_words(read_columns(&c, 1, NULL, false), "HCBR_EDATA", "'x'", "view", NULL);
    }
}

static void columns__skip_rows_that_cannot_be_used(void **state) {
    static const int32_t offsets[] = {0, 1, 2, 4, 7, 8};
    static const char bytes[] = {'a', '\xFF', 'b', '\0', '\xEF', '\xBB', '\xBF', 'c'};
    static const double weights[] = {1, 1, 1, 1, 0};
    hcbr_memory_column c[] = {COLUMN("x", HCBR_MEMORY_UTF8, 5, offsets),
                              COLUMN("w", HCBR_MEMORY_F64, 5, weights),
                              COLUMN("y", HCBR_MEMORY_F64, 5, weights)};
    hcbr_read_options options;

    (void)state;
    c[0].text = bytes;
    c[0].text_size = sizeof bytes;
    hcbr_read_options_init(&options);
    options.weight = "w";
    expect_words(read_columns(c, 3, &options, true), "1@1 1 x=a", "column 'x', row 2", "0xff",
                 NULL);
    options.bad_rows = HCBR_BAD_ROWS_SKIP;
    expect_text(read_columns(c, 3, &options, true), "1@1 1 x=a\n");
    options.weight = NULL;
    options.max_line = 1;
    expect_text(read_columns(c, 3, &options, true), "1@1 1 x=a w=1\n5@5 0 x=c w=0\n");
}

static void frames__can_be_read_in_ranges(void **state) {
    hcbr_memory_column c[] = {COLUMN("y", HCBR_MEMORY_F64, 3, labels),
                              COLUMN("x", HCBR_MEMORY_I64, 3, three)};
    hcbr_i_table *frame;
    hcbr_error err;

    (void)state;
    assert_int_equal(hcbr_i_table_create(&frame, c, 2, &err), HCBR_OK);
    assert_int_equal(hcbr_i_table_rows(frame), 3);
    hcbr_i_table_set_range(frame, 1, 2);
    expect_text(read_frame(frame, NULL, true), "1@1 0 x=-9223372036854775808\n");
}

/* ---- progress -------------------------------------------------------------------------------- */

typedef struct progress {
    uint64_t calls, last, stop, total;
} progress;

static int count_progress(void *context, const char *stage, uint64_t done, uint64_t total) {
    progress *p = context;

    assert_string_equal(stage, "read");
    assert_int_equal(total, p->total);
    assert_true(done >= p->last && done <= total);
    p->last = done;
    return ++p->calls == p->stop;
}

static void columns__report_progress_and_can_be_stopped(void **state) {
    static uint8_t values[100000];
    hcbr_memory_column c = COLUMN("y", HCBR_MEMORY_U8, 100000, values);
    progress p = {.total = 100000};
    hcbr_read_options options;
    hcbr_cases *cases;
    hcbr_error err;

    (void)state;
    hcbr_read_options_init(&options);
    options.progress = count_progress;
    options.progress_context = &p;
    assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_add_columns(cases, &c, 1, &options, &err), HCBR_OK);
    assert_true(p.calls > 3 && p.last > 50000);
    assert_int_equal(hcbr_cases_count(cases), 100000);
    p = (progress){.stop = 3, .total = 100000};
    assert_int_equal(hcbr_cases_add_columns(cases, &c, 1, &options, &err), HCBR_ECANCELLED);
    assert_int_equal(hcbr_cases_count(cases), 100000);
    assert_int_equal(hcbr_cases_get_info(cases).rows, 100000);
    hcbr_cases_free(cases);
}

/* Few rows of many values are reported as often as many rows of few. */
static void columns__report_wide_rows_more_often(void **state) {
    enum { ROWS = 4000, COLUMNS = 400 };
    static uint8_t values[ROWS];
    static char names[COLUMNS][8];
    static hcbr_memory_column columns[COLUMNS];
    progress p = {.total = ROWS};
    hcbr_read_options options;
    hcbr_cases *cases;
    hcbr_error err;

    (void)state;
    for (int c = 0; c < COLUMNS; c++) {
        snprintf(names[c], sizeof names[c], "x%d", c);
        columns[c] = (hcbr_memory_column)COLUMN(names[c], HCBR_MEMORY_U8, ROWS, values);
    }
    hcbr_read_options_init(&options);
    options.label = "x0";
    options.progress = count_progress;
    options.progress_context = &p;
    assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_add_columns(cases, columns, COLUMNS, &options, &err), HCBR_OK);
    assert_true(p.calls >= ROWS * COLUMNS / (2 * 262144) && p.last > ROWS / 2);
    assert_int_equal(hcbr_cases_count(cases), ROWS);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(arrow__shows_decimals_with_all_their_digits),
        cmocka_unit_test(arrow__shows_dates_and_times_as_iso_8601),
        cmocka_unit_test(arrow__takes_lists_of_a_fixed_size_from_an_offset),
        cmocka_unit_test(arrow__refuses_what_a_producer_gets_wrong),
        cmocka_unit_test(arrow__leaves_ignored_columns_alone),
        cmocka_unit_test(columns__are_named_and_used_as_those_of_files),
        cmocka_unit_test(columns__refuse_descriptions_that_cannot_be),
        cmocka_unit_test(views__must_stay_within_their_buffers),
        cmocka_unit_test(columns__skip_rows_that_cannot_be_used),
        cmocka_unit_test(frames__can_be_read_in_ranges),
        cmocka_unit_test(columns__report_progress_and_can_be_stopped),
        cmocka_unit_test(columns__report_wide_rows_more_often),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
