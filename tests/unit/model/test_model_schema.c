/*
 * The section schema: what was written is read again, and every content that docs/FORMAT.md does
 * not allow is refused, with a message that names the section.
 *
 * The sample has columns "born" (dates), "pay" (numbers with a unit), "tags" (a set) and "word"
 * (as it is). So lengths are at 8 to 24, columns at 24 + 72 c, names at 312: "bornpaytagsword".
 */
#include "unit/model/model_sample.h"

#include <stdlib.h>

enum { COUNT = 4, COLUMN = 72, FIRST = 8 + 4 * COUNT, NAMES = FIRST + COLUMN * COUNT };

static const hcbr_i_schema_column columns[COUNT] = {
    {.name = {"born", 4},
     .kind = {.kind = HCBR_I_KIND_DATE,
              .mark = HCBR_I_MARK_POINT,
              .has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY,
              .order = HCBR_I_ORDER_MDY,
              .ambiguous = true,
              .values = 40,
              .forms = 3,
              .odd = 1,
              .distinct = 29},
     .use = HCBR_I_USE_PARTS},
    {.name = {"pay", 3},
     .kind = {.kind = HCBR_I_KIND_NUMBER,
              .mark = HCBR_I_MARK_COMMA,
              .thousands = '.',
              .million = true,
              .unit = {"kg", 2},
              .values = 38,
              .odd = 2,
              .distinct = 17},
     .use = HCBR_I_USE_NUMBER,
     .said = HCBR_I_SAID_GIVEN},
    {.name = {"tags", 4},
     .kind = {.kind = HCBR_I_KIND_SET,
              .mark = HCBR_I_MARK_POINT,
              .separator = '|',
              .trimmed = true,
              .values = 40,
              .distinct = 12},
     .use = HCBR_I_USE_SET},
    {.name = {"word", 4},
     .kind = {.kind = HCBR_I_KIND_ID,
              .look = HCBR_I_LOOK_TOKEN,
              .mark = HCBR_I_MARK_POINT,
              .values = 40,
              .distinct = 40}},
};

static hcbr_model *build(void) {
    hcbr_model *model = model_sample_build(SAMPLE_PLAIN);
    assert_int_equal(hcbr_i_schema_create(&model->schema, COUNT, NULL), HCBR_OK);
    for (size_t c = 0; c < COUNT; c++)
        assert_int_equal(hcbr_i_schema_add(model->schema, &columns[c], NULL), HCBR_OK);
    hcbr_i_schema_set_ngrams(model->schema, 2);
    return model;
}

static pieces take(void) {
    pieces p = pieces_of(build());
    assert_int_equal(p.length[pieces_find(&p, HCBR_I_SCHEMA)], NAMES + 15);
    return p;
}

static void check_value(size_t at, size_t width, uint64_t value, const char *expected) {
    pieces_check_value(take(), HCBR_I_SCHEMA, at, width, value, expected);
}

/* ---- good ones ------------------------------------------------------------------------------- */

static void schema__is_read_as_it_was_written(void **state) {
    (void)state;
    pieces p = take();
    size_t size;
    unsigned char *bytes = pieces_join(&p, &size);
    hcbr_model *model;
    assert_int_equal(hcbr_model_parse(&model, bytes, size, NULL), HCBR_OK);
    assert_int_equal(hcbr_i_schema_count(model->schema), COUNT);
    assert_int_equal(hcbr_i_schema_ngrams(model->schema), 2);
    for (size_t c = 0; c < COUNT; c++) {
        const hcbr_i_schema_column *a = hcbr_i_schema_get(model->schema, c), *b = &columns[c];
        const hcbr_i_kind *x = &a->kind, *y = &b->kind;
        assert_int_equal(a->name.length, b->name.length);
        assert_memory_equal(a->name.at, b->name.at, b->name.length);
        assert_true(a->use == b->use && a->said == b->said);
        assert_true(x->kind == y->kind && x->look == y->look && x->numbers == y->numbers &&
                    x->plain == y->plain && x->million == y->million &&
                    x->ambiguous == y->ambiguous && x->doubtful == y->doubtful &&
                    x->trimmed == y->trimmed && x->separator == y->separator &&
                    x->mark == y->mark && x->thousands == y->thousands && x->has == y->has &&
                    x->order == y->order && x->clock == y->clock && x->flags == y->flags &&
                    hcbr_i_unit_equal(&x->unit, &y->unit) && x->values == y->values &&
                    x->forms == y->forms && x->odd == y->odd && x->distinct == y->distinct);
    }
    void *again;
    size_t length;
    assert_int_equal(hcbr_model_serialize(model, &again, &length, NULL), HCBR_OK);
    assert_int_equal(length, size);
    assert_memory_equal(again, bytes, size);
    hcbr_bytes_free(again);
    hcbr_model_free(model);
    free(bytes);
    pieces_clear(&p);
}

/* ---- every field ----------------------------------------------------------------------------- */

/* The values that a byte of a column may have: all others are refused. */
typedef struct field {
    unsigned column, at;
    const char *allowed; /* bytes, with their ranges: "\0\10" is 0 to 8 */
    size_t ranges;
} field;

static bool is_allowed(const field *f, unsigned value) {
    for (size_t i = 0; i < f->ranges; i++)
        if (value >= (unsigned char)f->allowed[2 * i] &&
            value <= (unsigned char)f->allowed[2 * i + 1])
            return true;
    return false;
}

static void schema__each_byte_has_its_range(void **state) {
    (void)state;
    static const field fields[] = {
        {0, 0, "\4\4", 1}, // its use is that of a date
        {1, 0, "\3\3", 1},           {2, 0, "\6\6", 1},   {3, 0, "\7\7", 1}, // it has a look
        {0, 1, "\0\0", 1},           {3, 1, "\0\11", 1},  {0, 2, "\0\77", 1},
        {0, 3, "\0\0", 1},           {2, 3, "\t\t ~", 2}, {0, 4, "\1\2", 1},
        {0, 5, "\0\0,,..''  __", 6}, {0, 6, "\0\17", 1},  {0, 7, "\0\3", 1},
        {0, 8, "\0\3", 1},           {0, 9, "\0\4", 1},   {0, 10, "\0\0\2\3\6\7", 3}, // of a date
        {1, 10, "\0\1\6\7", 2},                                                       // of a number
        {2, 10, "\0\0\5\7", 2},                                                       // of a set
        {3, 10, "\0\0\6\10", 2},                                                      // of an id
        {0, 11, "\0\2", 1},          {0, 12, "\0\0", 1}, // a text has no NUL
        {1, 12, "\2\2", 1},                              // "kg"
        {1, 35, "\0\0", 1},          {0, 36, "\0\0", 1},  {0, 37, "\0\0", 1},
        {0, 38, "\0\0", 1},          {0, 39, "\0\0", 1},
    };
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        for (unsigned value = 0; value < 256; value++)
            check_value(FIRST + (size_t)COLUMN * fields[i].column + fields[i].at, 1, value,
                        is_allowed(&fields[i], value) ? NULL : "section schema: column ");
}

static void schema__counts_fit_each_other(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint64_t value;
        bool good;
    } table[] = {
        {40, 29, true},  {40, 28, false}, {40, 0, false},          {40, UINT64_MAX, true},
        {48, 39, true},  {48, 40, false}, {48, 41, false},         {48, UINT64_MAX, false},
        {56, 37, true},  {56, 38, false}, {56, UINT64_MAX, false}, {64, 40, true},
        {64, 41, false}, {64, 0, true},   {64, UINT64_MAX, false},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check_value(FIRST + table[i].at, 8, table[i].value,
                    table[i].good ? NULL : "section schema: column 0 is of no kind");
}

static void schema__units_are_text(void **state) {
    (void)state;
    static const struct {
        const char *unit;
        size_t length;
        bool good;
    } table[] = {{"\xE2\x82\xAC", 3, true},
                 {"\xE2\x82", 2, false},
                 {"\xC0\x80", 2, false},
                 {"\xED\xA0\x80", 3, false},
                 {"abcdefghijklmnopqrstuvw", 23, true}};
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        pieces p = take();
        unsigned char *at = p.bytes[pieces_find(&p, HCBR_I_SCHEMA)] + FIRST + COLUMN;
        at[12] = (unsigned char)table[i].length;
        memcpy(at + 13, table[i].unit, table[i].length);
        pieces_check(&p, table[i].good ? NULL : "section schema: column 1 is of no kind");
        pieces_clear(&p);
    }
}

/* ---- the whole section ----------------------------------------------------------------------- */

static void schema__head_and_lengths_count(void **state) {
    (void)state;
    static const struct {
        size_t at;
        uint64_t value;
        const char *expected;
    } table[] = {
        {0, 1, NULL},
        {0, 16, NULL},
        {0, 0, "schema: sequences of 0 words and 4 columns, expected 1 to 16"},
        {0, 17, "schema: sequences of 17 words"},
        {0, UINT32_MAX, "schema: sequences of 4294967295 words"},
        {4, 0, "and 0 columns, expected 1 to 16 and one column or more"},
        {4, 3, "section schema: "},
        {4, 5, "section schema: "},
        {4, UINT32_MAX, "section schema: "},
        {8, 3, "section schema: "},
        {8, 5, "section schema: "},
        {8, UINT32_MAX, "section schema: "},
        {20, 5, "section schema: "},
        {20, 3, "schema: 1 bytes left, expected its end"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        check_value(table[i].at, 4, table[i].value, table[i].expected);
    static const int changes[] = {-400, -100, -8, -4, -1, 1, 4, 8, 72, 1000};
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++) {
        pieces p = take();
        const uint32_t index = pieces_find(&p, HCBR_I_SCHEMA);
        const size_t length = p.length[index];
        const bool all = changes[i] < 0 && (size_t)-changes[i] > length;
        pieces_resize(&p, index, all ? 0 : length + (size_t)changes[i]);
        pieces_check(&p, "section schema: ");
        pieces_clear(&p);
    }
}

static void schema__names_rise(void **state) {
    (void)state;
    check_value(NAMES, 4, 0x7A6E6F71, "schema: name 1 is not above the one before it"); // qonz
    check_value(NAMES + 4, 3, 0x6F7262, NULL);                             // bro, above born
    check_value(NAMES + 4, 3, 0x727062, NULL);                             // bpr
    check_value(NAMES + 4, 3, 0x726F62, "schema: name 1 is not above");    // bor, below born
    check_value(NAMES + 7, 4, 0x64726F77, "schema: name 3 is not above");  // word twice
    check_value(NAMES + 11, 4, 0x73676174, "schema: name 3 is not above"); // tags twice
    check_value(NAMES, 1, 0, "section schema: ");
    check_value(NAMES, 1, 0xC3, "section schema: ");
    check_value(NAMES + 14, 1, 0xFF, "section schema: ");
}

static void schema__of_nothing_is_none(void **state) {
    (void)state;
    pieces p = take();
    const uint32_t index = pieces_find(&p, HCBR_I_SCHEMA);
    for (size_t c = 0; c < COUNT; c++)
        p.bytes[index][FIRST + COLUMN * c + 10] = HCBR_I_USE_AS_IT_IS;
    pieces_check(&p, "section schema: every column stays as it is");
    p.bytes[index][FIRST + COLUMN * 3 + 10] = HCBR_I_USE_NOTHING;
    pieces_check(&p, NULL);
    pieces_remove(&p, index);
    pieces_check(&p, NULL);
    pieces_clear(&p);
}

/* Of the section listed only the presence counts: it has no bytes, and is required. */
static void listed__is_there_or_not(void **state) {
    (void)state;
    for (unsigned with_schema = 0; with_schema < 2; with_schema++) {
        hcbr_model *model = with_schema ? build() : model_sample_build(SAMPLE_PLAIN);
        model->read.listed = true;
        pieces p = pieces_of(model);
        const uint32_t index = pieces_find(&p, HCBR_I_LISTED);
        assert_int_equal(p.length[index], 0);
        assert_int_equal(p.flags[index], 1); // required
        size_t size;
        unsigned char *bytes = pieces_join(&p, &size);
        assert_int_equal(hcbr_model_parse(&model, bytes, size, NULL), HCBR_OK);
        hcbr_read_options read;
        hcbr_model_get_read_options(model, &read);
        assert_int_equal(read.na_only, 1);
        assert_int_equal(hcbr_i_schema_is_listed(model->schema), with_schema);
        void *again;
        size_t length;
        assert_int_equal(hcbr_model_serialize(model, &again, &length, NULL), HCBR_OK);
        assert_true(length == size && memcmp(again, bytes, size) == 0);
        hcbr_bytes_free(again);
        hcbr_model_free(model);
        free(bytes);
        pieces_resize(&p, index, 1);
        pieces_check(&p, "section listed: 1 bytes left, expected its end");
        pieces_remove(&p, index);
        pieces_check(&p, NULL);
        bytes = pieces_join(&p, &size);
        assert_int_equal(hcbr_model_parse(&model, bytes, size, NULL), HCBR_OK);
        hcbr_model_get_read_options(model, &read);
        assert_int_equal(read.na_only, 0);
        hcbr_model_free(model);
        free(bytes);
        pieces_clear(&p);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schema__is_read_as_it_was_written),
        cmocka_unit_test(schema__each_byte_has_its_range),
        cmocka_unit_test(schema__counts_fit_each_other),
        cmocka_unit_test(schema__units_are_text),
        cmocka_unit_test(schema__head_and_lengths_count),
        cmocka_unit_test(schema__names_rise),
        cmocka_unit_test(schema__of_nothing_is_none),
        cmocka_unit_test(listed__is_there_or_not),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
