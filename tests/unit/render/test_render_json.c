// JSON of results, read back by jansson: it is valid whatever the names hold, texts and numbers
// come back as they were, and the figures are those of the structures.
#include "render_world.h"
#include "row_of.h"
#include "seed.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <jansson.h>

#include <cmocka.h>

static hcbr_writer *make(void) {
    hcbr_writer *w;
    assert_int_equal(hcbr_writer_create(&w, NULL, NULL, NULL), HCBR_OK);
    return w;
}

static json_t *parse(const char *text, size_t length) {
    json_error_t err;
    json_t *value = json_loadb(text, length, JSON_REJECT_DUPLICATES, &err);
    if (!value)
        fail_msg("%s at %d: %.200s", err.text, err.position, text);
    return value;
}

/* The object of a line, which must hold nothing a terminal could be steered by. */
static json_t *parse_line(const char *text, size_t length) {
    assert_true(length > 2 && text[length - 1] == '\n');
    assert_int_equal(hcbr_text_plain(text, length - 1), length - 1);
    return parse(text, length);
}

static double number(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    if (!json_is_number(value))
        fail_msg("no number %s", key);
    return json_number_value(value);
}

/* ---- pieces ---------------------------------------------------------------------------------- */

/* What is no UTF-8 becomes U+FFFD. */
static size_t expected_text(char *to, const char *from, size_t length) {
    size_t n = 0;
    for (size_t i = 0, used; i < length; i += used) {
        bool good = hcbr_text_code(from + i, length - i, &used) >= 0;
        memcpy(to + n, good ? from + i : "\xEF\xBF\xBD", good ? used : 3);
        n += good ? used : 3;
    }
    return n;
}

static void json__gives_any_bytes_back(void **state) {
    (void)state;
    uint64_t random = test_seed_fresh();
    hcbr_writer *w = make();
    for (int round = 0; round < 3000; round++) {
        char bytes[40], expected[120];
        size_t length = hcbr_i_mix(random++) % sizeof bytes, size;
        for (size_t i = 0; i < length; i++) {
            uint64_t r = hcbr_i_mix(random++);
            bytes[i] = r % 3 ? (char)(r >> 8) : "\"\\/\n\t\x01\xE2\x80\xAE"[(r >> 8) % 9];
            bytes[i] = bytes[i] ? bytes[i] : ' ';
        }
        hcbr_feature bare = {bytes, length, NULL, 0}, pair = {bytes, length, bytes, length};
        hcbr_writer_clear(w);
        HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_key(bytes, length),
                 hcbr_item_text(NULL, bytes, length),
                 hcbr_item_make("feature ", HCBR_ITEM_FEATURE, 0, 1, &bare),
                 hcbr_item_make("pair ", HCBR_ITEM_FEATURE, 0, 1, &pair),
                 hcbr_item_text("none ", NULL, 0));
        assert_int_equal(hcbr_write_end(w, HCBR_JSON, NULL), HCBR_OK);
        const char *text = hcbr_writer_get(w, &size);
        json_t *object = parse_line(text, size), *value;
        size_t n = expected_text(expected, bytes, length);
        value = json_object_get(object, "feature ");
        assert_int_equal(json_string_length(value), n);
        assert_memory_equal(json_string_value(value), expected, n);
        value = json_object_get(object, "pair ");
        assert_int_equal(json_string_length(value), 2 * n + 1);
        assert_int_equal(json_string_value(value)[n], '=');
        assert_memory_equal(json_string_value(value) + n + 1, expected, n);
        assert_true(json_is_null(json_object_get(object, "none ")));
        value = json_object_iter_value(json_object_iter(object));
        assert_int_equal(json_string_length(value), n);
        assert_memory_equal(json_string_value(value), expected, n);
        json_decref(object);
    }
    hcbr_writer_free(w);
}

static void json__gives_any_number_back(void **state) {
    (void)state;
    uint64_t random = test_seed_fresh();
    hcbr_writer *w = make();
    HCBR_PUT(w, hcbr_item_open(NULL, '['));
    double values[4000];
    static const double edges[] = {INFINITY, -INFINITY, NAN, DBL_MAX, -DBL_MIN, 0, 5e-324};
    for (size_t i = 0; i < 4000; i++) {
        values[i] =
            i < sizeof edges / sizeof *edges ? edges[i] : hcbr_i_from_bits(hcbr_i_mix(random++));
        HCBR_PUT(w, hcbr_item_number(NULL, values[i]));
    }
    HCBR_PUT(w, hcbr_item_u64(NULL, UINT64_C(9223372036854775807)), hcbr_item_u64(NULL, 0),
             hcbr_item_bool(NULL, 17), hcbr_item_bool(NULL, 0), hcbr_item_close(']'));
    size_t length;
    const char *text = hcbr_writer_get(w, &length);
    json_t *list = parse(text, length);
    assert_int_equal(json_array_size(list), 4004);
    for (size_t i = 0; i < 4000; i++) {
        const json_t *x = json_array_get(list, i);
        if (values[i] - values[i] == 0) {
            double back = json_number_value(x);
            assert_true(json_is_number(x) && back == values[i]);
        } else {
            assert_true(json_is_null(x));
        }
    }
    assert_int_equal(json_integer_value(json_array_get(list, 4000)), INT64_MAX);
    assert_int_equal(json_integer_value(json_array_get(list, 4001)), 0);
    assert_true(json_is_true(json_array_get(list, 4002)));
    assert_true(json_is_false(json_array_get(list, 4003)));
    json_decref(list);
    hcbr_writer_free(w);
}

static void json__has_commas_between_items_only(void **state) {
    (void)state;
    hcbr_writer *w = make();
    static const hcbr_feature f[] = {{"a", 1, "b", 1}, {"c", 1, NULL, 0}, {NULL, 0, NULL, 0}};
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_open("a", '['), hcbr_item_open(NULL, '['),
             hcbr_item_close(']'), hcbr_item_open(NULL, '{'), hcbr_item_close('}'),
             hcbr_item_string(NULL, NULL), hcbr_item_number(NULL, -0.5), hcbr_item_close(']'),
             hcbr_item_features("b", f, 3));
    assert_int_equal(hcbr_write_end(w, HCBR_JSON, NULL), HCBR_OK);
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_string("c", NULL));
    assert_int_equal(hcbr_write_end(w, HCBR_JSON, NULL), HCBR_OK);
    assert_string_equal(hcbr_writer_get(w, NULL), "{\"a\":[[],{},null,-0.5],\"b\":[\"a=b\",\"c\","
                                                  "null]}\n{\"c\":null}\n");
    hcbr_writer_free(w);
}

/* ---- results --------------------------------------------------------------------------------- */

static json_t *find_schema(json_t *const *lines, size_t count, const char *schema) {
    for (size_t i = 0; i < count; i++)
        if (strcmp(json_string_value(json_object_get(lines[i], "schema")), schema) == 0)
            return lines[i];
    fail_msg("no line of %s", schema);
    return NULL;
}

/* An object by label holds these numbers, in the order of the labels. */
static void expect_by_label(const json_t *object, const char *key, const double *values) {
    json_t *by = json_object_get(object, key);
    size_t n = 0;
    assert_int_equal(json_object_size(by), 3);
    for (void *at = json_object_iter(by); at; at = json_object_iter_next(by, at))
        assert_true(json_number_value(json_object_iter_value(at)) == values[n++]);
}

static void check_reasons(const render_world *world, json_t *line) {
    hcbr_explanation e = {.size = sizeof e};
    assert_int_equal(hcbr_explainer_explain(world->explainer,
                                            row_of(world->explainer, world_case, WORLD_FEATURES),
                                            NULL, &e, NULL),
                     HCBR_OK);
    assert_true(number(line, "lead") == e.lead);
    expect_by_label(line, "support", e.decision->support);
    expect_by_label(line, "bias", e.bias);
    json_t *atoms = json_object_get(line, "atoms");
    assert_int_equal(json_array_size(atoms), e.atom_count);
    for (size_t n = 0; n < e.atom_count; n++) {
        json_t *atom = json_array_get(atoms, n);
        const hcbr_explained_atom *group = &e.atoms[n];
        assert_true(number(atom, "lead") == group->lead);
        expect_by_label(atom, "contribution", group->contribution);
        assert_int_equal(json_array_size(json_object_get(atom, "features")), group->feature_count);
    }
    json_t *cases = json_object_get(line, "cases");
    if (e.no_cases) {
        assert_true(json_is_null(cases));
        assert_string_equal(json_string_value(json_object_get(line, "no_cases")), e.no_cases);
    } else {
        expect_by_label(line, "influence_sum", e.influence_sum);
        assert_int_equal(json_array_size(cases), e.for_count + e.against_count + e.other_count);
        if (e.for_count)
            assert_true(number(json_array_get(cases, 0), "lead") == e.cases_for[0].lead);
        assert_true(json_is_object(json_object_get(line, "versus")));
    }
    hcbr_flips f = {.size = sizeof f};
    assert_int_equal(hcbr_explainer_flip(world->explainer,
                                         row_of(world->explainer, world_case, WORLD_FEATURES), NULL,
                                         &f, NULL),
                     HCBR_OK);
    const json_t *flip = json_object_get(line, "flip");
    assert_int_equal(json_array_size(json_object_get(flip, "flips")), f.count);
    assert_int_equal((uint64_t)number(flip, "tried"), f.tried);
    assert_true(json_is_array(json_object_get(json_object_get(line, "ask"), "questions")));
}

static void check_model(const render_world *world, json_t *line) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(world->model, &info);
    assert_int_equal((uint64_t)number(line, "cases"), info.cases);
    assert_int_equal((uint64_t)number(line, "atoms"), info.atoms);
    assert_string_equal(json_string_value(json_object_get(line, "fingerprint")), info.fingerprint);
    assert_int_equal(json_array_size(json_object_get(line, "labels")), info.labels);
    bool kept = info.keep != HCBR_KEEP_NONE;
    assert_true(json_is_array(json_object_get(line, "weightiest")) == kept);
    hcbr_hypergraph h = {.size = sizeof h};
    hcbr_hypergraph_measure(world->model, &h);
    uint64_t atoms = 0;
    for (int c = 0; c < HCBR_HYPERGRAPH_CLASSES; c++)
        atoms += h.sizes[c];
    assert_int_equal(atoms, info.atoms);
    const json_t *graph = json_object_get(line, "hypergraph");
    assert_int_equal((uint64_t)number(graph, "incidences"), h.incidences);
}

static void check_lines(const render_world *world, json_t *const *lines, size_t count) {
    check_reasons(world, find_schema(lines, count, "hcbr.explain/1"));
    check_model(world, find_schema(lines, count, "hcbr.inspect/1"));
    json_t *line = find_schema(lines, count, "hcbr.predict/1");
    assert_true(number(line, "known") == 2.0 / 3);
    json_t *unseen = json_object_get(line, "unseen");
    assert_int_equal(json_array_size(unseen), 1);
    assert_string_equal(json_string_value(json_array_get(unseen, 0)), "never\xEF\xBB\xBF");
    line = find_schema(lines, count, "hcbr.audit/1");
    assert_int_equal((uint64_t)number(line, "cases"), 60);
    line = find_schema(lines, count, "hcbr.evaluate/1");
    assert_int_equal((uint64_t)number(line, "skipped_rows"), 7);
    assert_int_equal(json_array_size(json_object_get(line, "parts")), 3);
    double accuracy = number(json_object_get(line, "accuracy"), "pooled");
    size_t right = 0, answers = 0;
    for (size_t i = 0; i < count; i++) {
        const char *schema = json_string_value(json_object_get(lines[i], "schema"));
        if (strcmp(schema, "hcbr.evaluate.prediction/1") != 0)
            continue;
        answers++;
        right += (size_t)json_equal(json_object_get(lines[i], "truth"),
                                    json_object_get(lines[i], "label"));
    }
    assert_int_equal(answers, 60);
    assert_true(accuracy == (double)right / (double)answers);
}

static void json__of_results_holds_their_figures(void **state) {
    (void)state;
    static const hcbr_model_kind KINDS[] = {HCBR_MODEL_PLAIN, HCBR_MODEL_RICH};
    static const hcbr_keep KEEPS[] = {HCBR_KEEP_NONE, HCBR_KEEP_ANONYMOUS, HCBR_KEEP_FULL};
    for (size_t k = 0; k < 6; k++) {
        render_world world = world_make(KINDS[k % 2], KEEPS[k / 2]);
        hcbr_writer *w = make();
        hcbr_error err = {0};
        json_t *lines[100];
        size_t count = 0, length;
        if (world_write(&world, w, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        const char *at = hcbr_writer_get(w, &length), *end = at + length;
        while (at < end) {
            const char *next = memchr(at, '\n', (size_t)(end - at));
            assert_non_null(next);
            assert_true(count < 100);
            lines[count++] = parse_line(at, (size_t)(next + 1 - at));
            at = next + 1;
        }
        check_lines(&world, lines, count);
        while (count > 0)
            json_decref(lines[--count]);
        hcbr_writer_free(w);
        world_free(&world);
    }
}

static void json__of_no_such_case_fails(void **state) {
    (void)state;
    render_world world = world_make(HCBR_MODEL_PLAIN, HCBR_KEEP_NONE);
    hcbr_writer *w = make();
    hcbr_error err = {0};
    assert_int_equal(hcbr_json_inspect_one(w, world.model, NULL, UINT32_MAX, 3, 2, &err),
                     HCBR_EUSAGE);
    assert_int_equal(err.status, HCBR_EUSAGE);
    assert_int_equal(hcbr_write_end(w, HCBR_JSON, NULL), HCBR_EUSAGE);
    assert_null(hcbr_writer_get(w, NULL));
    hcbr_writer_free(w);
    world_free(&world);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(json__gives_any_bytes_back),
        cmocka_unit_test(json__gives_any_number_back),
        cmocka_unit_test(json__has_commas_between_items_only),
        cmocka_unit_test(json__of_results_holds_their_figures),
        cmocka_unit_test(json__of_no_such_case_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
