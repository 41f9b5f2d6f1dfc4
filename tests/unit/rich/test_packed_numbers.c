/*
 * Numbers in few bits: what is packed comes back, in as few bits as docs/FORMAT.md says, and a file
 * that packs them in any other way is refused.
 */
#include "add_case.h"
#include "engines.h"
#include "rich/encode/kept_cases.h"
#include "unit/model/model_sample.h"
#include "unit/rich/rich_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 40 };

/* The whole number that gives the value back at a power of ten, by trying those around it. */
static bool find_whole(double value, unsigned power, int64_t *out) {
    double ten = 1;
    for (unsigned p = 0; p < power; p++)
        ten *= 10;
    if (fabs(value * ten) > 0x1p52)
        return false;
    for (int64_t k = (int64_t)(value * ten) - 2; k <= (int64_t)(value * ten) + 2; k++)
        if ((double)k / ten == value && llabs(k) < (int64_t)1 << 51) {
            *out = k;
            return true;
        }
    return false;
}

/* What docs/FORMAT.md says of the head, found by trying. */
static hcbr_i_rich_packed wanted_head(const double *values, size_t count) {
    for (unsigned power = 0; power <= 15; power++) {
        int64_t least = INT64_MAX, most = INT64_MIN, k = 0;
        size_t n = 0;
        for (; n < count && (isnan(values[n]) || find_whole(values[n], power, &k)); n++)
            if (!isnan(values[n])) {
                least = k < least ? k : least;
                most = k > most ? k : most;
            }
        if (n < count)
            continue;
        unsigned bits = 0;
        for (uint64_t x = least <= most ? (uint64_t)(most - least) + 1 : 0; x; x >>= 1)
            bits++;
        return (hcbr_i_rich_packed){
            .base = least <= most ? least : 0, .bits = (uint8_t)bits, .power = (uint8_t)power};
    }
    return (hcbr_i_rich_packed){.bits = HCBR_I_RICH_DOUBLES};
}

static double draw_value(uint64_t *random, unsigned way) {
    int64_t x =
        (int64_t)(rich_draw(random) >> (way & 4 ? 14 : 50)) * (rich_draw(random) & 1 ? 1 : -1);
    double value = (double)x;
    switch (way % 4) {
    case 0:
        break;
    case 1:
        value /= 100;
        break;
    case 2:
        value /= rich_draw(random) % 4 ? 1e3 : 1e7;
        break;
    default:
        value = rich_draw(random) % 8 ? value / 4 : value / 3;
    }
    return value == 0 ? 0 : value;
}

/* Pack the values by hand as a head says, each as the whole number that it is there. */
static unsigned char *pack_as(const hcbr_i_rich_packed *p, const double *values, size_t count) {
    unsigned char *bytes = calloc(count * 8 + 16, 1);
    for (size_t n = 0; n < count; n++) {
        int64_t k = 0;
        uint64_t stored = 0;
        if (p->bits == HCBR_I_RICH_DOUBLES)
            stored = hcbr_i_bits_of(values[n]);
        else if (!isnan(values[n]) && find_whole(values[n], p->power, &k))
            stored = (uint64_t)(k - p->base) + 1;
        hcbr_i_rich_put_bits(bytes, (uint64_t)n * p->bits, p->bits, stored);
    }
    return bytes;
}

/* No other head that says the same numbers is taken for the packed ones. */
static void refuses_others(const hcbr_i_rich_packed *p, const double *values, size_t count) {
    hcbr_i_rich_packed others[4] = {*p, *p, *p, {.bits = HCBR_I_RICH_DOUBLES}};
    int64_t k;
    bool whole = p->bits && p->bits < 50, larger = whole && p->power < 15;
    for (size_t n = 0; n < count; n++)
        larger = larger && (isnan(values[n]) || find_whole(values[n], p->power + 1u, &k));
    others[0].bits++;
    others[1].base--;
    others[1].bits = whole ? hcbr_i_rich_bits_of(((uint64_t)1 << p->bits) + 1) & 63 : 0;
    others[2] = (hcbr_i_rich_packed){
        .power = p->power + 1, .base = p->base * 10, .bits = (uint8_t)(p->bits + 4)};
    for (unsigned way = 0; way < 4; way++) {
        if ((way < 2 && !whole) || (way == 2 && !larger) ||
            (way == 3 && p->bits == HCBR_I_RICH_DOUBLES))
            continue;
        unsigned char *bytes = pack_as(&others[way], values, count);
        for (size_t n = 0; n < count; n++) { // it does say the same
            double x = hcbr_i_rich_unpack(&others[way], bytes, n);
            assert_true(isnan(x) ? isnan(values[n]) : x == values[n]);
        }
        assert_false(hcbr_i_rich_is_packed(&others[way], bytes, count));
        free(bytes);
    }
}

static void rich_pack__takes_the_fewest_bits(void **state) {
    (void)state;
    uint64_t random = 17, doubles = 0, whole = 0;
    print_message("seed %llu\n", (unsigned long long)random);
    for (uint32_t round = 0; round < 4000; round++) {
        double values[MOST];
        size_t count = rich_draw(&random) % MOST, used = 0, capacity = 0;
        unsigned way = (unsigned)(rich_draw(&random) % 8),
                 none = (unsigned)(rich_draw(&random) % 5);
        unsigned char *bytes = NULL;
        hcbr_i_rich_packed p;
        for (size_t n = 0; n < count; n++)
            values[n] = rich_draw(&random) % 5 < none ? NAN : draw_value(&random, way);
        assert_true(hcbr_i_rich_pack(&p, values, count, &bytes, &used, &capacity));
        hcbr_i_rich_packed wanted = wanted_head(values, count);
        assert_int_equal(p.bits, wanted.bits);
        assert_int_equal(p.power, wanted.power);
        assert_true(p.base == wanted.base);
        assert_int_equal(used, (count * p.bits + 7) / 8);
        for (size_t n = 0; n < count; n++) {
            double x = hcbr_i_rich_unpack(&p, bytes, n);
            assert_int_equal(hcbr_i_bits_of(x), hcbr_i_bits_of(values[n]));
        }
        assert_true(hcbr_i_rich_is_packed(&p, bytes, count));
        refuses_others(&p, values, count);
        if (used * 8 > count * p.bits) { // bits behind the last one
            bytes[used - 1] |= 0x80;
            assert_false(hcbr_i_rich_is_packed(&p, bytes, count));
        }
        doubles += p.bits == HCBR_I_RICH_DOUBLES;
        whole += p.bits != HCBR_I_RICH_DOUBLES;
        hcbr_i_free(bytes);
    }
    assert_true(doubles > 300 && whole > 1000);
}

static void rich_pack__at_the_limits(void **state) {
    (void)state;
    static const struct {
        double values[2];
        unsigned bits, power;
    } CASES[] = {{{0x1p51 - 1, 0}, 52, 0},
                 {{0x1p51, 0}, 64, 0},
                 {{-0x1p51 + 1, 0}, 52, 0},
                 {{-0x1p51, 0}, 64, 0},
                 {{0x1p51 - 1, 1 - 0x1p51}, 52, 0},
                 {{1e-15, 0}, 2, 15},
                 {{1e-16, 0}, 64, 0},
                 {{1e300, 1}, 64, 0},
                 {{1e15, 0.1}, 64, 0},
                 {{7, 7}, 1, 0},
                 {{NAN, NAN}, 0, 0}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        hcbr_i_rich_packed p;
        unsigned char *bytes = NULL;
        size_t used = 0, capacity = 0;
        assert_true(hcbr_i_rich_pack(&p, CASES[i].values, 2, &bytes, &used, &capacity));
        assert_int_equal(p.bits, CASES[i].bits);
        assert_int_equal(p.power, CASES[i].power);
        assert_true(hcbr_i_rich_is_packed(&p, bytes, 2));
        hcbr_i_free(bytes);
    }
}

/* ---- files ----------------------------------------------------------------------------------- */

/* A number that every case has, and one that one in ten has. */
static hcbr_model *train(void) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (unsigned i = 0; i < 100; i++) {
        char x[16], y[16];
        hcbr_feature features[2] = {
            {"x", 1, x, (size_t)snprintf(x, sizeof x, "%u.%u", i * 7 % 50, i % 10)},
            {"y", 1, y, (size_t)snprintf(y, sizeof y, "%u", i % 70)}};
        assert_int_equal(
            add_one_case(cases, features, i % 10 ? 1 : 2, i % 3 ? "a" : "b", NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = HCBR_EFFORT_LITE;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static hcbr_status reload(const hcbr_model *model) {
    void *bytes;
    size_t size;
    hcbr_model *loaded;
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    hcbr_status st = hcbr_model_parse(&loaded, bytes, size, NULL);
    hcbr_bytes_free(bytes);
    hcbr_model_free(loaded);
    return st;
}

static void rich_pack__column_of_more_bits_is_refused(void **state) {
    (void)state;
    hcbr_model *model = train();
    hcbr_i_rich_past *past = hcbr_i_model_rich(model)->past;
    assert_int_equal(reload(model), HCBR_OK);
    assert_int_equal(past->column_count, 1);
    double values[100];
    for (size_t n = 0; n < 100; n++)
        values[n] = hcbr_i_rich_unpack(&past->columns[0], past->bytes, n);
    hcbr_i_rich_packed more = past->columns[0];
    more.bits++;
    unsigned char *bytes = pack_as(&more, values, 100), *before = past->bytes;
    past->bytes = bytes;
    past->columns[0] = more;
    assert_int_equal(reload(model), HCBR_EFORMAT);
    past->bytes = before;
    free(bytes);
    hcbr_model_free(model);
}

/* The list of the sparse number is the end of the section. */
static void rich_pack__sparse_number_of_more_bits_is_refused(void **state) {
    (void)state;
    hcbr_model *model = train(), *loaded;
    const hcbr_i_rich_past *past = hcbr_i_model_rich(model)->past;
    const size_t count = past->sparse_count;
    void *bytes;
    size_t size, whole;
    assert_int_equal(count, 10);
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    pieces p = pieces_take(bytes, size);
    uint32_t section = pieces_find(&p, HCBR_I_CASES);
    hcbr_i_rich_packed head = wanted_head(past->sparse_value, count);
    size_t list = (count * head.bits + 7) / 8, at = p.length[section] - list - 12;
    assert_int_equal(p.bytes[section][at], head.bits);
    head.bits++;
    unsigned char *other = pack_as(&head, past->sparse_value, count);
    list = (count * head.bits + 7) / 8;
    pieces_resize(&p, section, at + 12 + list);
    p.bytes[section][at]++;
    memcpy(p.bytes[section] + at + 12, other, list);
    unsigned char *file = pieces_join(&p, &whole);
    assert_int_equal(hcbr_model_parse(&loaded, file, whole, NULL), HCBR_EFORMAT);
    free(file);
    free(other);
    pieces_clear(&p);
    hcbr_bytes_free(bytes);
    hcbr_model_free(model);
}

/* ---- numbers as texts ------------------------------------------------------------------------ */

/* Long decimals (n), numbers that are categories (c), words among numbers (w). */
static hcbr_model *train_texts(void) {
    static const char *const digits[] = {"12345678901234567890", "0.12345678901234567891", "5"};
    const char *const numeric = "w";
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (unsigned i = 0; i < 60; i++) {
        char w[16];
        snprintf(w, sizeof w, "%u", i % 20);
        const char *words = i % 7 ? w : "ab", *n = digits[i % 3], *c = i % 2 ? "20" : "1";
        hcbr_feature features[3] = {
            {"n", 1, n, strlen(n)}, {"c", 1, c, strlen(c)}, {"w", 1, words, strlen(words)}};
        assert_int_equal(add_one_case(cases, features, 3, i % 3 ? "a" : "b", NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = HCBR_EFFORT_LITE;
    o.numeric = &numeric;
    o.numeric_count = 1;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

/* A digit more or less, a number that its double tells, another notation, and no number at all. */
static void rich_pack__text_of_another_number_is_refused(void **state) {
    (void)state;
    static const char *const wrong[] = {"12345678901234577890", "12345678901234567000",
                                        "1234567890123456789.", "+1234567890123456789",
                                        "01234567890123456789", "1234567890123456789x"};
    hcbr_model *model = train_texts();
    hcbr_i_rich_past *past = hcbr_i_model_rich(model)->past;
    assert_int_equal(past->text_count, 40);
    assert_int_equal(past->texts[0].length, 20);
    assert_int_equal(reload(model), HCBR_OK);
    for (size_t n = 0; n < sizeof wrong / sizeof *wrong; n++) {
        char before[20];
        memcpy(before, past->text, 20);
        memcpy(past->text, wrong[n], 20);
        assert_int_equal(reload(model), HCBR_EFORMAT);
        memcpy(past->text, before, 20);
    }
    past->texts[0].place = 2; // which has a 5
    assert_int_equal(reload(model), HCBR_EFORMAT);
    hcbr_model_free(model);
}

/* Features rise by key and value: c=1, c=20, w=ab. */
static void rich_pack__feature_in_another_spelling_is_refused(void **state) {
    (void)state;
    static const struct {
        const char *values;
        hcbr_status status;
    } FILES[] = {{"120ab", HCBR_OK},      {"121ac", HCBR_OK},      {"12.ab", HCBR_EFORMAT},
                 {"1+2ab", HCBR_EFORMAT}, {"12012", HCBR_EFORMAT}, {"12007", HCBR_EFORMAT},
                 {"12xab", HCBR_OK}};
    hcbr_model *model = train_texts(), *loaded;
    void *bytes;
    size_t size, whole;
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    pieces p = pieces_take(bytes, size);
    uint32_t section = pieces_find(&p, HCBR_I_FEATURES);
    for (size_t n = 0; n < sizeof FILES / sizeof *FILES; n++) {
        memcpy(p.bytes[section] + p.length[section] - 5, FILES[n].values, 5);
        unsigned char *file = pieces_join(&p, &whole);
        assert_int_equal(hcbr_model_parse(&loaded, file, whole, NULL), FILES[n].status);
        hcbr_model_free(loaded);
        free(file);
    }
    pieces_clear(&p);
    hcbr_bytes_free(bytes);
    hcbr_model_free(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rich_pack__takes_the_fewest_bits),
        cmocka_unit_test(rich_pack__at_the_limits),
        cmocka_unit_test(rich_pack__column_of_more_bits_is_refused),
        cmocka_unit_test(rich_pack__sparse_number_of_more_bits_is_refused),
        cmocka_unit_test(rich_pack__text_of_another_number_is_refused),
        cmocka_unit_test(rich_pack__feature_in_another_spelling_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
