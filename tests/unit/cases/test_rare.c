// Words in too few cases: the case base without them is the one that never had them.
#include "../read/read_support.h"
#include "../read/words_support.h"
#include "seed.h"

#include <hcbr/hcbr.h>

/** Bytes of the model of a text, or of a column of texts. */
static void *model_of(const char *bytes, uint32_t min_count, hcbr_numbers numbers,
                      const char *ending, const char *column, size_t *size) {
    const char *const columns[] = {column};
    char path[64];
    const char *paths[1] = {path};
    hcbr_read_options o;
    hcbr_train_options train;
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_error err;
    void *out = NULL;

    hcbr_read_options_init(&o);
    hcbr_train_options_init(&train);
    train.model = HCBR_MODEL_PLAIN;
    o.words = test_words;
    o.min_count = min_count;
    o.numbers = numbers;
    o.text = columns;
    o.text_count = column != NULL;
    write_file(path, ending, bytes, strlen(bytes));
    assert_int_equal(hcbr_cases_create(&cases, 0, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_read(cases, paths, 1, &o, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
    assert_int_equal(hcbr_model_train(&model, cases, &train, &err), HCBR_OK);
    assert_int_equal(hcbr_model_serialize(model, &out, size, &err), HCBR_OK);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    unlink(path);
    return out;
}

static void same_models(const char *a, uint32_t min_count, const char *b) {
    size_t x_size, y_size;
    void *x = model_of(a, min_count, HCBR_NUMBERS_APART, ".txt", NULL, &x_size);
    void *y = model_of(b, 1, HCBR_NUMBERS_APART, ".txt", NULL, &y_size);

    assert_int_equal(x_size, y_size);
    assert_memory_equal(x, y, x_size);
    hcbr_bytes_free(x);
    hcbr_bytes_free(y);
}

static void rare__words_leave_no_trace(void **state) {
    (void)state;
    same_models("p\ta b b c\nq\tb d\np\tc\nq\te\n", 2, "p\tb b c\nq\tb\np\tc\nq\t\n");
    same_models("p\ta b\nq\tc d\n", 2, "p\t\nq\t\n");
    same_models("p\ta a a\nq\ta b\n", 2, "p\ta a a\nq\ta\n"); // a count is no word
    same_models("p\ta b\nq\ta b\n", 2, "p\ta b\nq\ta b\n");
    same_models("p\ta b\nq\ta b\n", UINT32_MAX, "p\t\nq\t\n");
}

/** Only words of texts are counted: other columns stay as they are. */
static void other_columns_stay(hcbr_numbers numbers, const char *const left[3]) {
    size_t size;
    hcbr_model *model;
    hcbr_error err;
    void *bytes = model_of("label,t,tt,t:x\np,x y,1,1\nq,y z,2,\n", 2, numbers, ".csv", "t", &size);

    assert_int_equal(hcbr_model_parse(&model, bytes, size, &err), HCBR_OK);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    // `t:x`, a column, is called like a word that one case has: it goes with it
    assert_int_equal(info.features, 3);
    for (uint32_t f = 0; f < 3; f++) {
        hcbr_feature x;
        char name[32];
        hcbr_model_get_feature(model, f, &x);
        snprintf(name, sizeof name, "%.*s=%.*s", (int)x.key_length, x.key, (int)x.value_length,
                 x.value);
        assert_string_equal(name, left[f]);
    }
    hcbr_model_free(model);
    hcbr_bytes_free(bytes);
}

static void rare__other_columns_stay(void **state) {
    (void)state;
    other_columns_stay(HCBR_NUMBERS_SPELLED, (const char *[]){"tt=1", "t:y=1", "tt=2"});
    // numbers that stood apart are named behind the words of their case
    other_columns_stay(HCBR_NUMBERS_APART, (const char *[]){"t:y=1", "tt=1", "tt=2"});
}

static void rare__agrees_with_counting(void **state) {
    (void)state;
    uint64_t seed = test_seed_fresh();

    for (int round = 0; round < 300; round++) {
        char words[8][12];
        size_t lengths[8];
        unsigned in_cases[26] = {0}, least = 1 + (unsigned)draw(&seed, 4);
        text all = {NULL, 0, 0}, kept = {NULL, 0, 0};

        for (int i = 0; i < 8; i++) {
            unsigned seen = 0;
            lengths[i] = draw(&seed, 12);
            for (size_t k = 0; k < lengths[i]; k++) {
                unsigned word = (unsigned)draw(&seed, 9);
                words[i][k] = (char)('a' + word);
                in_cases[word] += !(seen >> word & 1);
                seen |= 1u << word;
            }
        }
        for (int i = 0; i < 8; i++) {
            text_print(&all, "%d\t", i % 2);
            text_print(&kept, "%d\t", i % 2);
            for (size_t k = 0; k < lengths[i]; k++) {
                text_print(&all, " %c", words[i][k]);
                if (in_cases[words[i][k] - 'a'] >= least)
                    text_print(&kept, " %c", words[i][k]);
            }
            text_print(&all, "\n");
            text_print(&kept, "\n");
        }
        same_models(all.at, least, kept.at);
        text_free(&all);
        text_free(&kept);
    }
}

/** Every allocation of finishing made to fail: nothing has changed, and it can be done again. */
static void rare__failures_change_nothing(void **state) {
    (void)state;
    char path[64];
    const char *paths[1] = {path};
    hcbr_read_options o;
    hcbr_cases *cases;
    hcbr_error err;
    hcbr_status st = HCBR_ENOMEM;

    hcbr_read_options_init(&o);
    o.words = test_words;
    o.min_count = 2;
    write_file(path, ".txt", "p\ta b c\nq\tb d e\n", 16);
    assert_int_equal(hcbr_cases_create(&cases, 0, &err), HCBR_OK);
    assert_int_equal(hcbr_cases_read(cases, paths, 1, &o, &err), HCBR_OK);
    uint64_t n = 1;
    for (; st != HCBR_OK; n++) {
        assert_int_equal(hcbr_cases_get_info(cases).features, 5);
        assert_int_equal(hcbr_cases_get_info(cases).occurrences, 6);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
        st = hcbr_cases_finish(cases, &err);
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_true(st == HCBR_OK || st == HCBR_ENOMEM);
    }
    assert_true(n > 10);
    assert_int_equal(hcbr_cases_get_info(cases).features, 1);
    assert_int_equal(hcbr_cases_get_info(cases).occurrences, 2);
    hcbr_cases_free(cases);
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rare__words_leave_no_trace),
        cmocka_unit_test(rare__other_columns_stay),
        cmocka_unit_test(rare__agrees_with_counting),
        cmocka_unit_test(rare__failures_change_nothing),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
