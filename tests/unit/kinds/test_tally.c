// Columns: the verdict on values whose kind is known, whatever their order and division.
#include "cases/cases.h"
#include "kinds/kinds.h"
#include "seed.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 3000, ROOM = 160 };

static uint64_t state;

static unsigned draw(unsigned below) {
    return hcbr_i_draw_below(&state, below);
}

/** Values of a column and its name. */
typedef struct list {
    const char *name;
    unsigned count;
    char text[MOST][ROOM];
} list;

static list values; /* too large for the stack */

static void put(list *l, const char *text) {
    assert_true(l->count < MOST);
    snprintf(l->text[l->count++], ROOM, "%s", text);
}

static void start(const char *name) {
    values.name = name;
    values.count = 0;
}

static void add(hcbr_i_tally *c, const char *text, uint64_t count) {
    size_t length = strlen(text);
    char *copy = malloc(length + (length == 0));
    memcpy(copy, text, length);
    assert_true(hcbr_i_tally_add(c, copy, length, count));
    free(copy);
}

static hcbr_i_kind judge(const hcbr_i_tally *c) {
    hcbr_i_kind kind;
    hcbr_i_tally_judge(&kind, c, values.name, values.name ? strlen(values.name) : 0, 0);
    return kind;
}

static void check_equal(const hcbr_i_kind *a, const hcbr_i_kind *b) {
    char x[HCBR_I_KIND_WHY], y[HCBR_I_KIND_WHY];
    hcbr_i_kind_describe(x, a);
    hcbr_i_kind_describe(y, b);
    assert_string_equal(x, y);
    assert_int_equal(a->kind, b->kind);
    assert_int_equal(a->mark, b->mark);
    assert_int_equal(a->order, b->order);
    assert_int_equal(a->odd, b->odd);
    assert_int_equal(a->distinct, b->distinct);
    assert_int_equal(a->separator, b->separator);
    assert_int_equal(a->ambiguous, b->ambiguous);
    assert_int_equal(a->look, b->look);
}

/** The verdict; the same for shuffled, counted and divided values, and true of each value. */
static hcbr_i_kind verdict(void) {
    hcbr_i_tally whole, counted, parts[3];
    hcbr_i_tally_init(&whole);
    hcbr_i_tally_init(&counted);
    for (unsigned i = 0; i < 3; i++)
        hcbr_i_tally_init(&parts[i]);
    for (unsigned i = 0; i < values.count; i++)
        add(&whole, values.text[i], 1);
    hcbr_i_kind kind = judge(&whole), other;
    for (unsigned i = values.count; i > 1; i--) {
        char swap[ROOM];
        unsigned j = draw(i);
        memcpy(swap, values.text[i - 1], ROOM);
        memcpy(values.text[i - 1], values.text[j], ROOM);
        memcpy(values.text[j], swap, ROOM);
    }
    for (unsigned i = 0; i < values.count; i++)
        add(&parts[draw(3)], values.text[i], 1);
    for (unsigned i = 0; i < values.count; i++) { // each different value once, with its count
        unsigned count = 0, before = 0;
        for (unsigned j = 0; j < values.count; j++)
            if (strcmp(values.text[i], values.text[j]) == 0) {
                count++;
                before += j < i;
            }
        if (before == 0)
            add(&counted, values.text[i], count);
    }
    other = judge(&counted);
    check_equal(&kind, &other);
    assert_true(hcbr_i_tally_merge(&parts[2], &parts[0]));
    assert_true(hcbr_i_tally_merge(&parts[1], &parts[2]));
    other = judge(&parts[1]);
    check_equal(&kind, &other);
    uint64_t odd = 0, forms = 0;
    for (unsigned i = 0; i < values.count; i++) {
        hcbr_i_reading reading;
        hcbr_i_taken taken =
            hcbr_i_kind_take(&reading, &kind, values.text[i], strlen(values.text[i]));
        odd += taken == HCBR_I_TAKEN_ODD;
        forms += taken == HCBR_I_TAKEN_MISSING;
    }
    assert_int_equal(odd, kind.odd);
    if (kind.kind == HCBR_I_KIND_NUMBER || kind.kind == HCBR_I_KIND_DATE)
        assert_int_equal(forms, kind.forms);
    hcbr_i_tally_clear(&whole);
    hcbr_i_tally_clear(&counted);
    for (unsigned i = 0; i < 3; i++)
        hcbr_i_tally_clear(&parts[i]);
    return kind;
}

static void kind_is(hcbr_i_kind_of want) {
    hcbr_i_kind kind = verdict();
    char why[HCBR_I_KIND_WHY];
    hcbr_i_kind_describe(why, &kind);
    if (kind.kind != want)
        fail_msg("%s is %s (%s), expected %s", values.name ? values.name : "?",
                 hcbr_i_kind_name(kind.kind), why, hcbr_i_kind_name(want));
}

/** `rounds` values drawn from a list that ends with NULL. */
static void put_of(const char *const *words, unsigned rounds) {
    unsigned count = 0;
    while (words[count])
        count++;
    for (unsigned i = 0; i < rounds; i++)
        put(&values, words[i < count ? i : draw(count)]);
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void tally__few_values(void **unused) {
    (void)unused;
    start(NULL);
    kind_is(HCBR_I_KIND_EMPTY);
    put_of(WORDS("-", "N/A"), 10);
    kind_is(HCBR_I_KIND_EMPTY);
    start(NULL);
    put_of(WORDS("x"), 5);
    kind_is(HCBR_I_KIND_CONSTANT);
    start(NULL);
    put_of(WORDS("red", "green", "blue"), 50);
    kind_is(HCBR_I_KIND_CATEGORY);
    start(NULL);
    put_of(WORDS("3", "4.5", "1e3"), 3);
    kind_is(HCBR_I_KIND_NUMBER);
    start(NULL);
    put_of(WORDS("2019-03-14"), 1);
    kind_is(HCBR_I_KIND_DATE);
}

/* A mark where something holds and nothing where not. */
static void tally__one_sided(void **unused) {
    hcbr_i_tally c;
    (void)unused;
    start("dna");
    hcbr_i_tally_init(&c);
    add(&c, "Y", 5);
    assert_int_equal(judge(&c).kind, HCBR_I_KIND_CONSTANT);
    c.missing = 7;
    assert_int_equal(judge(&c).kind, HCBR_I_KIND_FLAG);
    hcbr_i_tally_clear(&c);
    add(&c, "X", 5);
    c.missing = 7;
    assert_int_equal(judge(&c).kind, HCBR_I_KIND_CATEGORY);
    hcbr_i_tally_clear(&c);
}

static void tally__flags(void **unused) {
    static const char *const pairs[][3] = {
        {"yes", "no", NULL},  {"Y", "n", NULL},    {"TRUE", "False", NULL}, {"t", "f", NULL},
        {"on", "OFF", NULL},  {"0", "1", NULL},    {"1.0", "0.0", NULL},    {"-1", "1", NULL},
        {"oui", "non", NULL}, {"ja", "nein", NULL}};
    static const char *const none[][4] = {{"yes", "true", NULL},
                                          {"y", "f", NULL},
                                          {"yes", "no", "unknown"},
                                          {"no", "off", NULL},
                                          {"male", "female", NULL}};
    (void)unused;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        start(pairs[i][0]);
        put_of(pairs[i], 40);
        kind_is(HCBR_I_KIND_FLAG);
        put(&values, "n/a");
        kind_is(HCBR_I_KIND_FLAG);
        put(&values, "maybe");
        assert_int_not_equal(verdict().kind, HCBR_I_KIND_FLAG);
    }
    for (size_t i = 0; i < sizeof none / sizeof *none; i++) {
        start(none[i][0]);
        put_of(none[i], 40);
        kind_is(HCBR_I_KIND_CATEGORY);
    }
}

/** A number with `places` places, grouped by `mark`. */
static void put_number(const char *front, const char *mark, const char *decimal, unsigned places,
                       const char *back) {
    char digits[32], text[ROOM], *p = text;
    unsigned n = (unsigned)sprintf(digits, "%u", draw(4) ? draw(1000000) : draw(1000));
    p += sprintf(p, "%s", front);
    for (unsigned i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            p += sprintf(p, "%s", mark);
        *p++ = digits[i];
    }
    if (places > 0)
        p += sprintf(p, "%s%0*u", decimal, (int)places, draw(places == 2 ? 100 : 10));
    sprintf(p, "%s", back);
    put(&values, text);
}

static void tally__disguises(void **unused) {
    static const struct {
        const char *front, *mark, *decimal, *back;
        unsigned places, want;
        bool ambiguous;
    } forms[] = {
        {"$", ",", ".", "", 2, HCBR_I_MARK_POINT, false},
        {"", ".", ",", " \xE2\x82\xAC", 2, HCBR_I_MARK_COMMA, false},
        {"", " ", ",", "", 1, HCBR_I_MARK_COMMA, false},
        {"CHF ", "'", ".", "", 2, HCBR_I_MARK_POINT, false},
        {"", "", ".", "%", 1, HCBR_I_MARK_POINT, false},
        {"", "", "", " kg", 0, HCBR_I_MARK_POINT, false},
        {"", ",", "", "", 0, HCBR_I_MARK_POINT, false}, // 1,234 and 987
        {"", ".", "", "", 0, HCBR_I_MARK_COMMA, true},  // 1.234 and 987: a guess
        {"", "\xC2\xA0", "", "", 0, HCBR_I_MARK_POINT, false},
        {"", "", ",", "", 1, HCBR_I_MARK_COMMA, false},
        {"", "", "", "", 0, HCBR_I_MARK_POINT, false},
    };
    (void)unused;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        start(forms[i].mark);
        for (unsigned j = 0; j < 400; j++)
            put_number(forms[i].front, forms[i].mark, forms[i].decimal, forms[i].places,
                       forms[i].back);
        kind_is(HCBR_I_KIND_NUMBER);
        hcbr_i_kind kind = verdict();
        assert_int_equal(kind.mark, forms[i].want);
        assert_int_equal(kind.ambiguous, forms[i].ambiguous);
        assert_int_equal(kind.odd, 0);
        for (unsigned j = 0; j < 20; j++) // 5 %, few different ones
            put(&values, j % 2 ? ">90" : "refused");
        put(&values, "n/a");
        kind_is(HCBR_I_KIND_NUMBER);
        assert_int_equal(verdict().odd, 20);
        for (unsigned j = 0; j < 90; j++) // above a fifth
            put(&values, "refused");
        assert_int_not_equal(verdict().kind, HCBR_I_KIND_NUMBER);
    }
}

/* Words for missing values are not counted as distinct values of a kind without them. */
static void tally__forms_are_no_values(void **unused) {
    char text[ROOM];
    (void)unused;
    for (unsigned forms = 0; forms < 10; forms++) {
        start("day");
        for (unsigned i = 0; i < 60; i++) {
            sprintf(text, "2019-03-%02u", 1 + i % 30);
            put(&values, text);
        }
        for (unsigned i = 0; i < forms; i++)
            put(&values, i % 2 ? "N/A" : "--");
        hcbr_i_kind kind = verdict();
        assert_int_equal(kind.kind, HCBR_I_KIND_DATE);
        assert_int_equal(kind.forms, forms);
        assert_int_equal(kind.distinct, 30);
        assert_int_equal(hcbr_i_use_of(&kind), HCBR_I_USE_DATE); // half of them come again
    }
}

/* Where all that is missing is listed, forms are odd values; blanks alone are not. */
static void tally__forms_may_be_values(void **unused) {
    static const char *const forms[] = {"N/A",  "#N/A", "n/a", "-",   "None",   "null",
                                        "NULL", ".",    "?",   "NaN", "1.#IND", "\xE2\x80\x94"};
    char text[ROOM];
    (void)unused;
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++)
        for (unsigned listed = 0; listed < 2; listed++) {
            hcbr_i_tally c;
            hcbr_i_tally_init(&c);
            c.listed = listed;
            for (unsigned i = 0; i < 90; i++) {
                sprintf(text, "%u.5", i);
                add(&c, text, 1);
            }
            add(&c, forms[f], 6);
            add(&c, " \xC2\xA0", 3);
            add(&c, "", 1);
            values.name = "amount";
            const hcbr_i_kind kind = judge(&c);
            assert_int_equal(kind.kind, HCBR_I_KIND_NUMBER);
            assert_int_equal(kind.forms, listed ? 4 : 10);
            assert_int_equal(kind.odd, listed ? 6 : 0);
            assert_int_equal(kind.distinct, listed ? 91 : 90);
            hcbr_i_tally_clear(&c);
        }
}

/* Marks that do not agree: what does not fit the most is odd, but for plain numbers. */
static void tally__marks(void **unused) {
    char text[ROOM];
    (void)unused;
    hcbr_i_kind kind;
    for (unsigned plain = 0; plain < 2; plain++) {
        start("commas and a few points");
        for (unsigned i = 0; i < 100; i++) {
            sprintf(text, i < 97 ? "%u,5" : plain ? "%u.5" : "1,%u.5", 110 + i);
            put(&values, text);
        }
        kind = verdict();
        assert_true(kind.kind == HCBR_I_KIND_NUMBER && kind.mark == HCBR_I_MARK_COMMA);
        assert_int_equal(kind.odd, plain ? 0 : 3);
    }
    for (unsigned above = 0; above < 2; above++) { // 1234 shows that 1.234 has no thousands
        start("three places");
        for (unsigned i = 0; i < 100; i++) {
            sprintf(text, i % 2 ? "%u.%03u" : "%u", 100 + i + (i % 4 ? 0 : 3000 * above),
                    100 + 7 * i);
            put(&values, text);
        }
        kind = verdict();
        assert_int_equal(kind.kind, HCBR_I_KIND_NUMBER);
        assert_int_equal(kind.mark, above ? HCBR_I_MARK_POINT : HCBR_I_MARK_COMMA);
    }
}

/* A word behind a few numbers is no unit of the others. */
static void tally__units(void **unused) {
    (void)unused;
    start("doors");
    put_of(WORDS("2", "3", "4", "5more"), 100);
    kind_is(HCBR_I_KIND_CATEGORY);
    start("weight");
    put_of(WORDS("2 kg", "3 kg", "4 kg", "5", "6.5kg", "7 KG"), 100);
    kind_is(HCBR_I_KIND_NUMBER);
    start("two units");
    put_of(WORDS("2 kg", "3 lb", "4 kg", "5 lb", "6 kg", "7 lb"), 100);
    assert_int_not_equal(verdict().kind, HCBR_I_KIND_NUMBER);
    start("scaled");
    put_of(WORDS("2k", "3m", "4b", "5m", "600", "7m"), 100);
    assert_true(verdict().kind == HCBR_I_KIND_NUMBER && verdict().million);
    hcbr_i_reading reading;
    hcbr_i_kind kind = verdict();
    assert_int_equal(hcbr_i_kind_take(&reading, &kind, "3m", 2), HCBR_I_TAKEN_NUMBER);
    assert_int_equal(reading.length, 7);
    assert_memory_equal(reading.number, "3000000", 7);
}

/* At most three different odd values in a fifth; any number of them in a twentieth. */
static void tally__odd_values(void **unused) {
    (void)unused;
    for (unsigned different = 1; different <= 5; different++)
        for (unsigned odd = different; odd <= 30; odd++) {
            char text[ROOM];
            start("age");
            for (unsigned i = 0; i < 100 - odd; i++) {
                sprintf(text, "%u", 20 + i);
                put(&values, text);
            }
            for (unsigned i = 0; i < odd; i++) {
                sprintf(text, "odd%c", 'a' + (int)(i % different));
                put(&values, text);
            }
            bool number = odd <= 5 || (different <= 3 && odd <= 20);
            assert_int_equal(verdict().kind == HCBR_I_KIND_NUMBER, number);
        }
}

static void put_days(const char *format, unsigned count, unsigned days) {
    for (unsigned i = 0; i < count; i++) {
        char text[ROOM];
        unsigned m = 1 + draw(12), d = 1 + draw(days), y = 1990 + draw(30);
        char *p = text;
        for (const char *f = format; *f; f++)
            p += *f == 'd'   ? sprintf(p, "%02u", d)
                 : *f == 'm' ? sprintf(p, "%02u", m)
                 : *f == 'y' ? sprintf(p, "%u", y)
                 : *f == 's' ? sprintf(p, "%02u", y % 100)
                             : sprintf(p, "%c", *f);
        put(&values, text);
    }
}

/* Where moments are whole numbers, so that what reasons show can be written into the column. */
static void takes_a_date_written_out(void) {
    hcbr_i_reading reading;
    const hcbr_i_kind kind = verdict();
    assert_int_equal(hcbr_i_kind_take(&reading, &kind, "2019-03-14", 10), HCBR_I_TAKEN_MOMENT);
    assert_int_equal(reading.moment.year, 2019);
    assert_int_equal(reading.moment.day, 14);
    assert_int_equal(hcbr_i_kind_take(&reading, &kind, "2019-03-14 20:21", 16),
                     HCBR_I_TAKEN_MOMENT);
    assert_int_equal(reading.moment.minute, 21);
    assert_int_equal(hcbr_i_kind_take(&reading, &kind, "20:21", 5), HCBR_I_TAKEN_ODD);
    assert_int_equal(hcbr_i_kind_take(&reading, &kind, "2019", 4), HCBR_I_TAKEN_ODD);
    assert_int_equal(hcbr_i_kind_take(&reading, &kind, "2019-02-30", 10), HCBR_I_TAKEN_ODD);
}

static void tally__dates(void **unused) {
    static const struct {
        const char *format;
        hcbr_i_order want;
    } forms[] = {{"y-m-d", HCBR_I_ORDER_CLEAR}, {"d/m/y", HCBR_I_ORDER_DMY},
                 {"m/d/y", HCBR_I_ORDER_MDY},   {"d.m.s", HCBR_I_ORDER_DMY},
                 {"m/d/s", HCBR_I_ORDER_MDY},   {"s-m-d", HCBR_I_ORDER_YMD},
                 {"y/m", HCBR_I_ORDER_CLEAR},   {"y-m-d 10:20", HCBR_I_ORDER_CLEAR}};
    (void)unused;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        start(forms[i].format);
        put_days(forms[i].format, 300, 28);
        put(&values, "-");
        kind_is(HCBR_I_KIND_DATE);
        hcbr_i_kind kind = verdict();
        assert_int_equal(kind.order, forms[i].want);
        assert_false(kind.ambiguous);
    }
    for (unsigned round = 0; round < 20; round++) { // four odd values that are all different
        start("odd dates");
        put_days("y-m-d", 16, 28);
        put_of(WORDS("early", "late", "soon", "never"), 4);
        assert_int_not_equal(verdict().kind, HCBR_I_KIND_DATE);
    }
    start("twelve"); // no day above 12
    put_days("d/m/y", 300, 12);
    assert_true(verdict().kind == HCBR_I_KIND_DATE && verdict().ambiguous);
    start("firsts"); // the first of each month
    put_days("m/d/y", 300, 1);
    assert_true(verdict().order == HCBR_I_ORDER_MDY && verdict().ambiguous);
    start("compact");
    put_days("ymd", 100, 28);
    assert_int_equal(verdict().clock, HCBR_I_CLOCK_COMPACT);
    takes_a_date_written_out();
    start("count"); // epochs only where the name says so
    for (unsigned i = 0; i < 50; i++) {
        char text[ROOM];
        sprintf(text, "%u", 1500000000 + draw(100000000));
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_NUMBER);
    values.name = "created_at";
    kind_is(HCBR_I_KIND_DATE);
    assert_int_equal(verdict().clock, HCBR_I_CLOCK_SECONDS);
    takes_a_date_written_out();
}

static void tally__ids(void **unused) {
    char text[ROOM];
    (void)unused;
    start("n");
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "%u", 1 + i);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_ID);
    start("year");
    for (unsigned i = 0; i < 100; i++) {
        sprintf(text, "%u", 1900 + i);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_NUMBER);
    start("PassengerId");
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "%u", 1000 + 7 * i);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_ID);
    values.name = "weight";
    kind_is(HCBR_I_KIND_NUMBER);
    start("card"); // of more digits than any amount has
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "4%09u%06u", draw(1000000000), i);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_ID);
    start("mail");
    for (unsigned i = 0; i < 30; i++) {
        sprintf(text, "ann%u@example.org", i % 20);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_ID);
    start("imdb");
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "tt%06u", 77 * i);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_ID);
    start("case_id"); // names of cases, of several words
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "Case of Smith and %c%c%u others v. State", 'A' + (int)draw(26),
                'a' + (int)draw(26), i);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_ID);
    assert_int_equal(verdict().look, HCBR_I_LOOK_NAMED);
    values.name = "case"; // whose name does not say so
    kind_is(HCBR_I_KIND_TEXT);
    start("id"); // texts that repeat are not ids
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "the %u words of a sentence", i % 100);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_TEXT);
    start("zip"); // codes with zeros at the front
    for (unsigned i = 0; i < 300; i++) {
        sprintf(text, "%05u", i < 6 ? 2134 + i : 10000 + draw(90000));
        put(&values, text);
    }
    assert_int_not_equal(verdict().kind, HCBR_I_KIND_NUMBER);
}

static void tally__texts_and_sets(void **unused) {
    static const char *const words[] = {"red",  "ball", "the",  "sea",   "house", "runs",
                                        "over", "hill", "from", "green", "small", "old"};
    char text[ROOM];
    (void)unused;
    start("note");
    for (unsigned i = 0; i < 200; i++) {
        sprintf(text, "%s %s, %s %s", words[draw(12)], words[draw(12)], words[draw(12)],
                words[draw(12)]);
        put(&values, text);
    }
    kind_is(HCBR_I_KIND_TEXT);
    start("few"); // sentences that are answers of a form
    put_of(WORDS("it is so", "it is not so", "I do not know"), 200);
    kind_is(HCBR_I_KIND_CATEGORY);
    static const char separators[] = "|;,/";
    for (unsigned s = 0; s < 4; s++) {
        start("tags");
        for (unsigned i = 0; i < 200; i++) {
            char *p = text;
            for (unsigned n = 1 + draw(4), j = 0; j < n; j++)
                p += sprintf(p, "%s%s%c", j > 0 && s % 2 == 0 ? " " : "", words[draw(12)],
                             separators[s]);
            p[-1] = 0;
            put(&values, text);
        }
        kind_is(HCBR_I_KIND_SET);
        assert_int_equal(verdict().separator, separators[s]);
        assert_int_equal(verdict().trimmed, s % 2 == 0);
    }
}

int main(void) {
    state = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tally__few_values),
        cmocka_unit_test(tally__flags),
        cmocka_unit_test(tally__one_sided),
        cmocka_unit_test(tally__disguises),
        cmocka_unit_test(tally__odd_values),
        cmocka_unit_test(tally__forms_are_no_values),
        cmocka_unit_test(tally__units),
        cmocka_unit_test(tally__marks),
        cmocka_unit_test(tally__forms_may_be_values),
        cmocka_unit_test(tally__dates),
        cmocka_unit_test(tally__ids),
        cmocka_unit_test(tally__texts_and_sets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
