// Features and tests on parts of dates in words: all forms, and other texts, which stay.
#include "model/model.h"
#include "render/render.h"
#include "seed.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

static const hcbr_i_engine engine; // knows no spellings
static hcbr_model model = {.engine = &engine};

static void add(hcbr_i_schema *schema, const char *name, hcbr_i_kind_of kind, hcbr_i_use use) {
    hcbr_i_schema_column c = {.name = {name, strlen(name)}, .use = (uint8_t)use};
    c.kind.kind = kind;
    assert_int_equal(hcbr_i_schema_add(schema, &c, NULL), HCBR_OK);
}

static void name(void) {
    static const char *const names[][2] = {
        {"job", "cook"}, {"job", "no clerk"}, {"job", "a=b"}, {"job not", "x"}, {"t:win", "1"}};
    enum { COUNT = sizeof names / sizeof *names };
    hcbr_i_block block = {0};
    hcbr_i_raw_case all = {.count = COUNT};
    hcbr_i_feature_id ids[COUNT];
    uint32_t number;
    assert_int_equal(hcbr_i_dict_create(&model.dict, 7, NULL), HCBR_OK);
    for (size_t f = 0; f < COUNT; f++)
        assert_true(hcbr_i_block_add(&block, names[f][0], strlen(names[f][0]), names[f][1],
                                     strlen(names[f][1])));
    block.cases = &all;
    block.case_count = 1;
    assert_int_equal(hcbr_i_dict_intern(model.dict, &block, 0, ids, &number, NULL), HCBR_OK);
    block.cases = NULL;
    hcbr_i_block_clear(&block);
}

static int make(void **unused) {
    (void)unused;
    name();
    assert_int_equal(hcbr_i_schema_create(&model.schema, 6, NULL), HCBR_OK);
    add(model.schema, "5<a", HCBR_I_KIND_DATE, HCBR_I_USE_DATE);
    add(model.schema, "n", HCBR_I_KIND_NUMBER, HCBR_I_USE_NUMBER);
    add(model.schema, "p", HCBR_I_KIND_DATE, HCBR_I_USE_PARTS);
    add(model.schema, "p: month", HCBR_I_KIND_DATE, HCBR_I_USE_DATE);
    add(model.schema, "t", HCBR_I_KIND_CATEGORY, HCBR_I_USE_TEXT);
    add(model.schema, "x or y", HCBR_I_KIND_DATE, HCBR_I_USE_DATE);
    return 0;
}

static int drop(void **unused) {
    (void)unused;
    hcbr_i_schema_release(model.schema);
    hcbr_i_dict_release(model.dict);
    return 0;
}

/* What is said of a test, or with a value of a feature; want NULL: it stays. */
static void says(const char *key, const char *value, const char *want) {
    static char room[HCBR_SHOWN_SIZE];
    const hcbr_feature f = {key, strlen(key), value, value ? strlen(value) : 0};
    const hcbr_feature shown = hcbr_shown_feature(&model, &f, room);
    if (!want) {
        assert_ptr_equal(shown.key, key);
        assert_ptr_equal(shown.value, value);
        return;
    }
    assert_ptr_equal(shown.key, room);
    assert_null(shown.value);
    if (shown.key_length != strlen(want) || memcmp(room, want, strlen(want)) != 0)
        fail_msg("'%s' is '%.*s', not '%s'", key, (int)shown.key_length, room, want);
}

static void shown__features(void **unused) {
    (void)unused;
    says("p: day of week", "6", "p: Saturday");
    says("p: month", "3", "p: March");
    says("p: year", "2019", "p: year 2019");
    says("p: day of month", "14", "p: day 14 of the month");
    says("p: day of year", "366", "p: day 366 of the year");
    says("p: hour", "0", "p: 00:00 to 00:59");
    says("p: minute of day", "1439", "p: 23:59");
    says("p: days", "17969", "p: 2019-03-14");
    says("p: days", "-1", "p: 1969-12-31");
    says("p: month: month", "12", "p: month: December");
    says("x or y: month", "1", "x or y: January");
    says("p", "2019-03-14", NULL);
    says("n: month", "3", NULL);
    says("q: month", "3", NULL);
    says("p: month", "0", NULL);
    says("p: month", "13", NULL);
    says("p: month", "3|4", NULL);
    says("p: month", "3.5", NULL);
    says("p: month", "", NULL);
    says("p: month", "may", NULL);
    says("p: days", "1e300", NULL);
    says("p: days", "99999999999", NULL);
    says("p: day of week=", "6", NULL);
}

static void shown__tests(void **unused) {
    (void)unused;
    says("p: days>17968.5", NULL, "p > 2019-03-13");
    says("p: days<=17969.5", NULL, "p <= 2019-03-14");
    says("-3.5<p: days<=-0.5", NULL, "1969-12-28 < p <= 1969-12-31");
    says("p: days not 17969|17970", NULL, "p: not 2019-03-14 nor 2019-03-15");
    says("not p: days=17969", NULL, "p: not 2019-03-14");
    says("not p: month=3", NULL, "p: not March");
    says("p: day of week>5.5", NULL, "p: Saturday to Sunday");
    says("p: day of week>6", NULL, "p: Sunday");
    says("p: day of week<=1.5", NULL, "p: Monday");
    says("3.5<p: month<=6.5", NULL, "p: April to June");
    says("p: month=1|3", NULL, "p: January or March");
    says("p: month not 1|3 nor missing", NULL, "p: not January nor March nor missing");
    says("p: hour>17.5", NULL, "p: 18:00 or later");
    says("p: hour<=8.5", NULL, "p: before 09:00");
    says("p: minute of day<=1439", NULL, "p: 00:00 to 23:59");
    says("p: year<=2018.5", NULL, "p: year 2018 or earlier");
    says("p: year>2018.5", NULL, "p: year 2019 or later");
    says("2016.5<p: year<=2018.5", NULL, "p: year 2017 to 2018");
    says("p: day of month>20", NULL, "p: day 21 to 31 of the month");
    says("(p: month<=2.5 or p: month>11.5)", NULL, "(p: January to February or December)");
    says("(p: days<=2.5 or p: days>11.5 or missing)", NULL,
         "(p <= 1970-01-03 or p > 1970-01-12 or missing)");
    says("5<a: month>3", NULL, "5<a: April to December");
    says("(x or y: month=1 or missing)", NULL, "(x or y: January or missing)");
    says("p: month: month>1.5", NULL, "p: month: February to December");
    // no test on a part, or none that there is
    says("p: month missing", NULL, NULL);
    says("p: month known", NULL, NULL);
    says("p: month", NULL, NULL);
    says("p: months>3", NULL, NULL);
    says("n: month>3", NULL, NULL);
    says("3<p: month", NULL, NULL);
    says("3<p: month>4", NULL, NULL);
    says("p: month<=", NULL, NULL);
    says("p: month>12.5", NULL, NULL);
    says("6.5<p: month<=3.5", NULL, NULL);
    says("p: month>3 or ", NULL, NULL);
    says("p: month>3 or p: hour>3", NULL, NULL);
    says("p: month>3 and more", NULL, NULL);
    says("not p: month>3", NULL, NULL);
    says("(p: month>3", NULL, NULL);
    says("missing", NULL, NULL);
    says("", NULL, NULL);
}

/* Whatever stands there is read within its bounds and fits into the room. */
static void shown__anything(void **unused) {
    static const char *const words[] = {
        "p", ": ",   "month",   "days",  "hour",  "<=",   ">",     "<",    "=",
        "|", " or ", "(",       ")",     "not ",  "3",    "17969", "-1.5", "5<a",
        ":", " ",    "missing", " nor ", " not ", "year", "1e400", ".",    "x or y"};
    uint64_t state = test_seed_fresh();
    char room[HCBR_SHOWN_SIZE];
    (void)unused;
    for (unsigned round = 0; round < 100000; round++) {
        char text[400] = "";
        const unsigned count = hcbr_i_draw_below(&state, 12);
        for (unsigned i = 0; i < count; i++)
            strcat(text, words[hcbr_i_draw_below(&state, sizeof words / sizeof *words)]);
        const size_t length = strlen(text);
        char *copy = malloc(length + 1);
        memcpy(copy, text, length);
        copy = realloc(copy, length + (length == 0));
        const hcbr_feature f = {copy, length, NULL, 0};
        const hcbr_feature shown = hcbr_shown_feature(&model, &f, room);
        assert_true(shown.key == copy || shown.key_length < HCBR_SHOWN_SIZE);
        free(copy);
    }
    char *many = malloc(20000);
    strcpy(many, "p: month=1");
    for (unsigned i = 0; i < 5000; i++)
        strcpy(many + 10 + 2 * i, "|1");
    says(many, NULL, NULL); // too long for the room
    free(many);
}

static void shown__categories(void **unused) {
    (void)unused;
    says("job=cook|no clerk", NULL, "job: \"cook\" or \"no clerk\"");
    says("job not cook", NULL, "job: not \"cook\"");
    says("job not cook|a=b", NULL, "job: not \"cook\" nor \"a=b\"");
    says("job=a=b|cook", NULL, "job: \"a=b\" or \"cook\"");
    says("job not cook nor missing", NULL, "job: not \"cook\" nor missing");
    says("(job=cook or missing)", NULL, "job: \"cook\" or missing");
    says("job not=x|x", NULL, "job not: \"x\" or \"x\"");
    // it stays: said well already, unknown values or keys, and no tests
    says("job=cook", NULL, NULL);
    says("job=cook|nurse", NULL, NULL);
    says("job=cook|", NULL, NULL);
    says("job not ", NULL, NULL);
    says("town not cook", NULL, NULL);
    says("job missing", NULL, NULL);
    says("job=cook|no clerk nor missing", NULL, NULL);
    says("(job not cook or missing)", NULL, NULL);
    says("job", "cook", NULL);
}

/* What asks something else of a text reads otherwise. */
static void shown__words(void **unused) {
    (void)unused;
    says("t:win", "1", "\"win\"");
    says("t:win=1", NULL, "\"win\"");
    says("t:win", "2", "\"win\" 2 times");
    says("t:win=3", NULL, "\"win\" 3 times");
    says("t:win known", NULL, "\"win\" once or more");
    says("t:win missing", NULL, "no \"win\"");
    says("not t:win=1", NULL, "no \"win\"");
    says("t:lose known", NULL, NULL);
    says("t:win known known", NULL, NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shown__features), cmocka_unit_test(shown__tests),
        cmocka_unit_test(shown__categories), cmocka_unit_test(shown__words),
        cmocka_unit_test(shown__anything)};
    return cmocka_run_group_tests(tests, make, drop);
}
