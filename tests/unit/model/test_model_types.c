/*
 * The types of labels in the file: they come back as they were given, change nothing else, and what
 * a name does not spell is refused.
 */
#include "unit/model/model_sample.h"

#include <stdlib.h>
#include <string.h>

enum { CASES = 40 };

static const char *const NAMES[] = {"-12", "0", "0.5", "true", "x"};
enum { LABELS = sizeof NAMES / sizeof *NAMES };

/* A model whose labels are NAMES. */
static hcbr_status train(hcbr_model **out, const hcbr_typed_label *typed, size_t count,
                         hcbr_error *err) {
    hcbr_cases *cases;
    hcbr_train_options options;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (size_t i = 0; i < CASES; i++) {
        const char value[2] = {(char)('a' + i % 7), '\0'};
        const hcbr_feature feature = {
            .key = "k", .key_length = 1, .value = value, .value_length = 1};
        hcbr_labelled_case one;
        hcbr_labelled_case_init(&one);
        one.features = &feature;
        one.feature_count = 1;
        one.label = NAMES[i % LABELS];
        assert_int_equal(hcbr_cases_add(cases, &one, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&options);
    options.effort = HCBR_EFFORT_LITE;
    options.typed_labels = typed;
    options.typed_label_count = count;
    hcbr_status status = hcbr_model_train(out, cases, &options, err);
    hcbr_cases_free(cases);
    return status;
}

static const hcbr_typed_label TYPED[] = {
    {"-12", HCBR_LABEL_TYPE_INTEGER}, {"0", HCBR_LABEL_TYPE_INTEGER},
    {"0.5", HCBR_LABEL_TYPE_NUMBER},  {"true", HCBR_LABEL_TYPE_BOOLEAN},
    {"x", HCBR_LABEL_TYPE_TEXT},      {"7", HCBR_LABEL_TYPE_NUMBER}}; // no case has it

static void types__come_back(void **state) {
    hcbr_model *model, *loaded;
    void *bytes;
    size_t size;
    (void)state;
    assert_int_equal(train(&model, TYPED, 6, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_parse(&loaded, bytes, size, NULL), HCBR_OK);
    for (size_t i = 0; i < LABELS; i++) {
        hcbr_label_info info = {.size = sizeof info};
        hcbr_label label = hcbr_model_find_label(loaded, NAMES[i], strlen(NAMES[i]));
        hcbr_model_get_label_info(loaded, label, &info);
        assert_int_equal(info.type, TYPED[i].type);
    }
    hcbr_bytes_free(bytes);
    hcbr_model_free(loaded);
    hcbr_model_free(model);
}

/* Without the section, which is optional, it is the model of texts. */
static void types__change_nothing_else(void **state) {
    hcbr_model *typed, *texts, *none;
    void *expected, *same;
    size_t size, length;
    (void)state;
    assert_int_equal(train(&typed, TYPED, 6, NULL), HCBR_OK);
    assert_int_equal(train(&texts, NULL, 0, NULL), HCBR_OK);
    assert_int_equal(train(&none, TYPED + 4, 2, NULL), HCBR_OK); // texts, and what is not there
    pieces p = pieces_of(typed);
    const uint32_t index = pieces_find(&p, HCBR_I_TYPES);
    assert_int_equal(p.flags[index], 0);
    assert_int_equal(p.length[index], LABELS);
    pieces_remove(&p, index);
    unsigned char *bytes = pieces_join(&p, &size);
    assert_int_equal(hcbr_model_serialize(texts, &expected, &length, NULL), HCBR_OK);
    assert_int_equal(size, length);
    assert_memory_equal(bytes, expected, size);
    assert_int_equal(hcbr_model_serialize(none, &same, &length, NULL), HCBR_OK);
    assert_int_equal(size, length);
    assert_memory_equal(same, expected, size);
    hcbr_bytes_free(same);
    hcbr_bytes_free(expected);
    free(bytes);
    pieces_clear(&p);
    hcbr_model_free(texts);
    hcbr_model_free(none);
}

static pieces take(void) {
    hcbr_model *model;
    assert_int_equal(train(&model, TYPED, 6, NULL), HCBR_OK);
    return pieces_of(model);
}

static void types__that_names_do_not_spell(void **state) {
    static const struct {
        const char *name;
        hcbr_label_type type;
    } wrong[] = {{"x", HCBR_LABEL_TYPE_BOOLEAN},   {"True", HCBR_LABEL_TYPE_BOOLEAN},
                 {"0.5", HCBR_LABEL_TYPE_INTEGER}, {"-0", HCBR_LABEL_TYPE_INTEGER},
                 {"007", HCBR_LABEL_TYPE_INTEGER}, {"-", HCBR_LABEL_TYPE_INTEGER},
                 {"", HCBR_LABEL_TYPE_INTEGER},    {"1.0", HCBR_LABEL_TYPE_NUMBER},
                 {"nan", HCBR_LABEL_TYPE_NUMBER},  {"x", HCBR_LABEL_TYPE_NUMBER},
                 {"x", (hcbr_label_type)4}};
    hcbr_error err;
    hcbr_model *model;
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const hcbr_typed_label one = {wrong[i].name, wrong[i].type};
        assert_int_equal(train(&model, &one, 1, &err), HCBR_EUSAGE);
        assert_null(model);
        assert_non_null(strstr(err.message, "expected its name to spell a value"));
    }
    // by bytes: -12, 0, 0.5, true, x
    pieces_check_value(take(), HCBR_I_TYPES, 4, 1, HCBR_LABEL_TYPE_INTEGER,
                       "section types: label 4 has type 2");
    pieces_check_value(take(), HCBR_I_TYPES, 2, 1, HCBR_LABEL_TYPE_BOOLEAN,
                       "section types: label 2 has type 1");
    pieces_check_value(take(), HCBR_I_TYPES, 0, 1, 4, "section types: label 0 has type 4");
    pieces_check_value(take(), HCBR_I_TYPES, 1, 1, HCBR_LABEL_TYPE_NUMBER, NULL);
    pieces_check_value(take(), HCBR_I_TYPES, 0, 4, 0, "section types: all are texts");
    pieces p = take();
    const uint32_t index = pieces_find(&p, HCBR_I_TYPES);
    pieces_resize(&p, index, LABELS + 1);
    pieces_check(&p, "section types: 1 bytes left, expected its end");
    pieces_resize(&p, index, LABELS - 1);
    pieces_check(&p, "section types");
    pieces_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types__come_back),
        cmocka_unit_test(types__change_nothing_else),
        cmocka_unit_test(types__that_names_do_not_spell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
