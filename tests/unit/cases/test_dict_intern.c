// Features that are numbers, added many at once: the same dictionary as from their names.
#include "../read/read_support.h"
#include "cases/cases.h"

static hcbr_i_dict *make(void) {
    hcbr_i_dict *dict;

    assert_int_equal(hcbr_i_dict_create(&dict, 0, NULL), HCBR_OK);
    return dict;
}

static void expect_same(const hcbr_i_dict *a, const hcbr_i_dict *b) {
    assert_int_equal(hcbr_i_dict_count(a), hcbr_i_dict_count(b));
    assert_int_equal(hcbr_i_dict_key_count(a), hcbr_i_dict_key_count(b));
    assert_int_equal(hcbr_i_dict_longest(a), hcbr_i_dict_longest(b));
    assert_int_equal(hcbr_i_dict_limit(a), hcbr_i_dict_limit(b));
    for (uint32_t f = 0; f < hcbr_i_dict_count(a); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(a, f), y = hcbr_i_dict_get(b, f);

        assert_int_equal(x.key, y.key);
        assert_int_equal(x.value_length, y.value_length);
        assert_memory_equal(x.value, y.value, x.value_length);
    }
    for (uint32_t k = 0; k < hcbr_i_dict_key_count(a); k++) {
        hcbr_i_text x = hcbr_i_dict_key(a, k), y = hcbr_i_dict_key(b, k);

        assert_int_equal(x.length, y.length);
        assert_memory_equal(x.at, y.at, x.length);
    }
}

/** A few different numbers, as one case of names. */
typedef struct numbers {
    uint32_t all[64];
    hcbr_i_name names[64];
    hcbr_i_raw_case x;
    hcbr_i_block block;
} numbers;

static void draw_numbers(numbers *n, uint64_t most, uint64_t *seed) {
    size_t wanted = draw(seed, 64);

    n->x = (hcbr_i_raw_case){.count = 0};
    for (size_t i = 0; i < wanted; i++) {
        uint32_t number = (uint32_t)draw(seed, draw(seed, 6) == 0 ? 10000000 : most);
        bool known = false;

        for (size_t k = 0; k < n->x.count; k++)
            known = known || n->all[k] == number;
        if (known)
            continue;
        n->all[n->x.count] = number;
        n->names[n->x.count++] = hcbr_i_name_of_number(number);
    }
    n->block = (hcbr_i_block){.names = n->names,
                              .name_count = n->x.count,
                              .cases = &n->x,
                              .case_count = 1,
                              .plain_ids = true};
}

static void dict__adds_numbers_as_it_adds_their_names(void **state) {
    uint64_t seed = 5;

    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 40; round++) {
        hcbr_i_dict *a = make(), *b = make();
        uint64_t most = 1 + draw(&seed, 40000);

        for (uint32_t i = 0; i < 100; i++) {
            hcbr_i_feature_id x[64], y[64];
            uint32_t length;
            numbers n;

            draw_numbers(&n, most, &seed);
            if (draw(&seed, 4) == 0) // by name in both: `7=2` has the key of `7=1`
                for (size_t k = 0; k < n.x.count; k++) {
                    char key[10];
                    int size = snprintf(key, sizeof key, "%u", n.all[k]);

                    n.names[k] = hcbr_i_name_pack(key, (size_t)size, "2", 1);
                }
            else
                assert_int_equal(hcbr_i_dict_intern_numbers(a, n.all, n.x.count, i, x, NULL),
                                 HCBR_OK);
            if (n.x.count > 0 && n.names[0].lo != hcbr_i_name_of_number(n.all[0]).lo)
                assert_int_equal(hcbr_i_dict_intern(a, &n.block, i, x, &length, NULL), HCBR_OK);
            assert_int_equal(hcbr_i_dict_intern(b, &n.block, i, y, &length, NULL), HCBR_OK);
            assert_int_equal(length, n.x.count);
            assert_memory_equal(x, y, n.x.count * sizeof *x);
            for (size_t k = 0; k < n.x.count; k++)
                assert_int_equal(hcbr_i_dict_find_number(a, n.all[k]),
                                 hcbr_i_dict_find_number(b, n.all[k]));
        }
        expect_same(a, b);
        hcbr_i_dict_release(a);
        hcbr_i_dict_release(b);
    }
}

/** Cases of numbers in any order, some repeated, as a numeric block and as one of names. */
typedef struct both {
    uint32_t numbers[600 + HCBR_I_AHEAD];
    hcbr_i_name names[600];
    hcbr_i_raw_case cases[20];
    hcbr_i_block numeric, named;
} both;

static void draw_cases(both *b, uint64_t most, uint64_t *seed) {
    size_t count = 0, cases = 1 + draw(seed, 20);

    memset(b->numbers, 0, sizeof b->numbers);
    for (size_t c = 0; c < cases; c++) {
        bool rising = draw(seed, 2) == 0;
        uint32_t number = 0;

        b->cases[c] = (hcbr_i_raw_case){.count = draw(seed, 30)};
        for (size_t i = 0; i < b->cases[c].count; i++) {
            uint64_t range = draw(seed, 8) == 0 ? 9000000 : most;

            number = rising ? number + 1 + (uint32_t)draw(seed, 1 + range / 30)
                            : 1 + (uint32_t)draw(seed, range);
            b->numbers[count] = number;
            b->names[count++] = hcbr_i_name_of_number(number);
        }
    }
    b->named = (hcbr_i_block){
        .names = b->names, .name_count = count, .cases = b->cases, .case_count = cases};
    b->numeric = b->named;
    b->numeric.names = NULL;
    b->numeric.numbers = b->numbers;
    b->numeric.numeric = true;
}

static void dict__adds_cases_of_numbers_as_it_adds_their_names(void **state) {
    uint64_t seed = 11;

    (void)state;
    print_message("seed %llu\n", (unsigned long long)seed);
    for (int round = 0; round < 60; round++) {
        hcbr_i_dict *a = make(), *b = make();
        uint64_t most = 1 + draw(&seed, draw(&seed, 2) ? 40 : 40000);
        uint32_t serial = 0;

        for (int i = 0; i < 20; i++) {
            hcbr_i_feature_id x[600], y[600];
            uint32_t mine[20], theirs[20];
            size_t kept = 0, far;
            both cases;

            draw_cases(&cases, most, &seed);
            if (i > 9 && round % 2 && cases.named.name_count > 0) { // one that is not plain
                cases.names[0] = hcbr_i_name_pack("7", 1, "2", 1);
                assert_int_equal(hcbr_i_dict_intern(a, &cases.named, serial, x, mine, NULL),
                                 HCBR_OK);
            } else {
                assert_int_equal(
                    hcbr_i_dict_intern_cases(a, &cases.numeric, serial, x, mine, &far, NULL),
                    HCBR_OK);
                assert_true(far <= cases.numeric.name_count);
            }
            assert_int_equal(hcbr_i_dict_intern(b, &cases.named, serial, y, theirs, NULL), HCBR_OK);
            for (size_t c = 0; c < cases.named.case_count; c++, serial++) {
                assert_int_equal(mine[c], theirs[c]);
                kept += mine[c];
            }
            assert_memory_equal(x, y, kept * sizeof *x);
        }
        expect_same(a, b);
        hcbr_i_dict_release(a);
        hcbr_i_dict_release(b);
    }
}

static void dict__reports_that_memory_is_short(void **state) {
    uint32_t some[] = {1, 2, 9000000, 3, 5000, 10000};
    uint64_t calls = UINT64_MAX, failed = 0;

    (void)state;
    for (uint64_t n = 1; calls >= n - 1; n++) {
        hcbr_i_dict *dict = make();
        hcbr_i_feature_id out[6];
        hcbr_error err;
        hcbr_status st;

        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        st = hcbr_i_dict_intern_numbers(dict, some, 6, 0, out, &err);
        calls = hcbr_i_fault_count(HCBR_I_FAULT_ALLOC);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        if (st != HCBR_OK)
            assert_int_equal(st, HCBR_ENOMEM);
        else
            assert_int_equal(hcbr_i_dict_count(dict), 6);
        failed += st != HCBR_OK;
        hcbr_i_dict_truncate(dict, 0, 0); // as a caller takes back what had begun
        assert_int_equal(hcbr_i_dict_count(dict), 0);
        hcbr_i_dict_release(dict);
    }
    assert_true(failed >= 5);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dict__adds_numbers_as_it_adds_their_names),
        cmocka_unit_test(dict__adds_cases_of_numbers_as_it_adds_their_names),
        cmocka_unit_test(dict__reports_that_memory_is_short),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
