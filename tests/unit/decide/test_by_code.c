/*
 * Cases of tables: a stream, which takes the way by code, decides each as hcbr_decider_decide()
 * does for the features that the test knows it has, whatever the values of the columns.
 */
#include "decide_support.h"
#include "row_of.h"
#include "seed.h"

#include <unistd.h>

static uint64_t seed;

static uint64_t below(uint64_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % n;
}

enum { COLUMNS = 5, ROWS = 4000 };
static const char *const columns[COLUMNS] = {"few", "more", "many", "a column of a long name",
                                             "odd"};

/** A row as the test knows it: its values, "" where one is missing. */
typedef struct row {
    char value[COLUMNS][32];
} row;

/* What the data is like. */
typedef struct kind {
    uint64_t many; /* values of the third column; more than 1024 have no codes */
    unsigned labels;
    bool memory;
} kind;

static row draw_row(const kind *k, uint64_t beyond) {
    static const char *const odd[] = {"\xC3\xA9t\xC3\xA9", "a,b", "say \"no\"", "x", ""};
    row x;
    snprintf(x.value[0], sizeof x.value[0], "%c", 'a' + (int)below(3 + beyond));
    snprintf(x.value[1], sizeof x.value[1], "value %u", (unsigned)below(40 + 10 * beyond));
    snprintf(x.value[2], sizeof x.value[2], "%u", (unsigned)below(k->many * (1 + beyond)));
    snprintf(x.value[3], sizeof x.value[3], "%.*s", (int)below(20), "twenty bytes or less");
    snprintf(x.value[4], sizeof x.value[4], "%s", odd[below(5)]);
    return x;
}

static void write_field(FILE *file, const char *value) {
    if (!strpbrk(value, ",\"")) {
        fputs(value, file);
        return;
    }
    fputc('"', file);
    for (; *value; value++)
        fprintf(file, *value == '"' ? "\"\"" : "%c", *value);
    fputc('"', file);
}

static void write_rows(const char *path, const row *rows, size_t count, unsigned labels) {
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    for (size_t c = 0; c < COLUMNS; c++)
        fprintf(file, "%s,", columns[c]);
    fprintf(file, "label\n");
    for (size_t i = 0; i < count; i++) {
        for (size_t c = 0; c < COLUMNS; c++) {
            write_field(file, rows[i].value[c]);
            fputc(',', file);
        }
        fprintf(file, "%u\n", (below(3) ? (unsigned)rows[i].value[0][0] : (unsigned)i) % labels);
    }
    assert_int_equal(fclose(file), 0);
}

static size_t features_of(const row *x, hcbr_feature *out) {
    size_t count = 0;
    for (size_t c = 0; c < COLUMNS; c++)
        if (x->value[c][0])
            out[count++] =
                (hcbr_feature){columns[c], strlen(columns[c]), x->value[c], strlen(x->value[c])};
    return count;
}

static void same_decision(const hcbr_decision *a, const hcbr_decision *b) {
    assert_int_equal(a->label, b->label);
    assert_int_equal(a->winner, b->winner);
    assert_int_equal(a->reason, b->reason);
    assert_int_equal(a->known_count, b->known_count);
    assert_int_equal(a->feature_count, b->feature_count);
    assert_memory_equal(&a->lead, &b->lead, sizeof a->lead);
    assert_memory_equal(a->support, b->support, a->label_count * sizeof *a->support);
    assert_int_equal(a->unseen_count, b->unseen_count);
    for (size_t n = 0; n < a->unseen_count; n++)
        assert_true(hcbr_i_feature_same(&a->unseen[n], &b->unseen[n]));
}

static hcbr_model *train(const char *path, const kind *k) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    hcbr_error err;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    if (hcbr_cases_read(cases, &path, 1, NULL, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    assert_int_equal(hcbr_cases_get_info(cases).labels, k->labels);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static void run_kind(const kind *k) {
    char path[64];
    const char *const paths[1] = {path};
    static row rows[ROWS];
    snprintf(path, sizeof path, "/tmp/hcbr-by-code-%ld.csv", (long)getpid());
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = draw_row(k, 0);
    write_rows(path, rows, ROWS, k->labels);
    hcbr_model *model = train(path, k);
    for (size_t i = 0; i < ROWS; i++)
        rows[i] = i % 3 ? rows[i] : draw_row(k, i % 2);
    write_rows(path, rows, ROWS, k->labels);
    hcbr_rule rule;
    hcbr_rule_init(&rule);
    rule.memory = k->memory;
    hcbr_decider *by_stream = make_decider(model, &rule), *by_names = make_decider(model, &rule);
    for (int time = 0; time < 2; time++) { // a second stream begins anew
        hcbr_stream *stream;
        assert_int_equal(hcbr_stream_create(&stream, by_stream, paths, 1, NULL, NULL), HCBR_OK);
        for (size_t i = 0; i < ROWS; i++) {
            hcbr_decision a = {.size = sizeof a}, b = {.size = sizeof b};
            hcbr_feature features[COLUMNS];
            hcbr_row_info info = {.size = sizeof info};
            hcbr_row *taken;
            size_t count = features_of(&rows[i], features);
            int more;
            assert_int_equal(hcbr_stream_next(stream, &a, &more, NULL), HCBR_OK);
            assert_int_equal(more, 1);
            assert_int_equal(
                hcbr_decider_decide(by_names, row_by(by_names, features, count), &b, NULL),
                HCBR_OK);
            same_decision(&a, &b);
            assert_int_equal(hcbr_stream_get_row(stream, &taken, NULL), HCBR_OK);
            hcbr_row_get(taken, &info);
            assert_int_equal(info.feature_count, count);
            for (size_t n = 0; n < count; n++)
                assert_true(hcbr_i_feature_same(&info.features[n], &features[n]));
            assert_int_equal(hcbr_decider_decide(by_names, taken, &b, NULL), HCBR_OK);
            same_decision(&a, &b);
            hcbr_row_free(taken);
        }
        hcbr_stream_free(stream);
    }
    hcbr_decider_free(by_stream);
    hcbr_decider_free(by_names);
    hcbr_model_free(model);
    unlink(path);
}

static void by_code__decides_as_by_name(void **state) {
    static const kind kinds[] = {{50, 2, false},  {3000, 2, false}, {50, 3, false},
                                 {3000, 3, true}, {50, 2, true},    {900, 2, false}};
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        run_kind(&kinds[i]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_code__decides_as_by_name),
    };
    seed = test_seed_fresh();
    return cmocka_run_group_tests(tests, NULL, NULL);
}
