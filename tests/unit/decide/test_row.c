/*
 * A row is decided as the stream that it was taken from decides, and as a row of its own features
 * is; it keeps what stood in the data when the stream has gone on.
 */
#define _GNU_SOURCE // memmem()
#include "decide_support.h"
#include "seed.h"

#include <unistd.h>

static uint64_t seed;

static uint64_t below(uint64_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % n;
}

enum { ROWS = 300 };
static char path[] = "/tmp/hcbr-row-XXXXXX";

/* Numbers of every spelling, names, dates, texts; some are absent. */
static void write_rows(bool json) {
    static const char *const NUMBERS[] = {"1.50", "2", "-0", "1e3", "12 kg", "0.1", "?", "7"};
    static const char *const WORDS[] = {"good", "bad", "fine", "never", "again"};
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, json ? "" : "id,number,whole,name,day,note,label\n");
    for (int i = 0; i < ROWS; i++) {
        const char *number = NUMBERS[below(8)], *a = WORDS[below(5)], *b = WORDS[below(5)];
        const int whole = (int)below(40), name = (int)below(6), day = 1 + (int)below(28);
        const char *form = json ? "{\"id\":\"c%d\",\"number\":\"%s\",\"whole\":%d,\"name\":\"n%d\","
                                  "\"day\":\"2024-05-%02d\",\"note\":\"%s, %s\",\"label\":\"%s\"}\n"
                                : "c%d,%s,%d,n%d,2024-05-%02d,\"%s, %s\",%s\n";
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        fprintf(file, form, i, number, whole, name, day, a, b,
                whole + (*a == 'g' ? 9 : 0) > 20 ? "yes" : "no");
#pragma GCC diagnostic pop
    }
    assert_int_equal(fclose(file), 0);
}

static hcbr_model *train(hcbr_model_kind kind, const hcbr_read_options *read) {
    const char *paths[] = {path};
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    hcbr_error err = {0};
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    if (hcbr_cases_read(cases, paths, 1, read, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static void same(const hcbr_decision *a, const hcbr_decision *b) {
    assert_int_equal(a->label, b->label);
    assert_int_equal(a->reason, b->reason);
    assert_memory_equal(&a->lead, &b->lead, sizeof a->lead);
    assert_memory_equal(a->support, b->support, a->label_count * sizeof *a->support);
    assert_int_equal(a->feature_count, b->feature_count);
    assert_int_equal(a->known_count, b->known_count);
    assert_int_equal(a->unseen_count, b->unseen_count);
    for (size_t n = 0; n < a->unseen_count; n++)
        assert_true(hcbr_i_feature_same(&a->unseen[n], &b->unseen[n]));
}

/* Rows of a whole stream, used when it is gone. */
static void check(const hcbr_model *model, const hcbr_read_options *read, bool texts) {
    const char *paths[] = {path};
    static hcbr_row *rows[ROWS];
    hcbr_decider *streams = make_decider(model, NULL), *other = make_decider(model, NULL);
    hcbr_stream *stream;
    assert_int_equal(hcbr_stream_create(&stream, streams, paths, 1, read, NULL), HCBR_OK);
    for (int i = 0; i < ROWS; i++) {
        hcbr_decision a = {.size = sizeof a}, b = {.size = sizeof b};
        uint64_t itself;
        int more;
        assert_int_equal(hcbr_stream_next(stream, &a, &more, NULL), HCBR_OK);
        assert_int_equal(more, 1);
        assert_int_equal(hcbr_stream_find_itself(stream, &itself, NULL), HCBR_OK);
        assert_int_equal(itself, i);
        assert_int_equal(hcbr_stream_get_row(stream, &rows[i], NULL), HCBR_OK);
        assert_int_equal(hcbr_decider_decide(other, rows[i], &b, NULL), HCBR_OK);
        same(&a, &b);
        assert_true(a.row == b.row && a.id_length == b.id_length);
        assert_memory_equal(a.id, b.id, a.id_length);
        assert_memory_equal(a.given, b.given, a.given_length);
    }
    hcbr_stream_free(stream);
    hcbr_decider_free(streams);
    for (int i = 0; i < ROWS; i++) {
        hcbr_decision a = {.size = sizeof a}, b = {.size = sizeof b};
        hcbr_row_info info = {.size = sizeof info};
        char id[16];
        uint64_t itself;
        hcbr_row *again;
        hcbr_row_get(rows[i], &info);
        assert_int_equal(info.row, i + 1);
        assert_int_equal(info.id_length, (size_t)snprintf(id, sizeof id, "c%d", i));
        assert_memory_equal(info.id, id, info.id_length);
        assert_int_equal(info.text_count, texts);
        if (texts) { // whole, beside its words
            assert_memory_equal(info.texts->key, "note", 4);
            assert_non_null(memmem(info.texts->value, info.texts->value_length, ", ", 2));
        }
        assert_int_equal(hcbr_i_row_find_itself(rows[i], &itself, NULL), HCBR_OK);
        assert_int_equal(itself, i);
        assert_int_equal(hcbr_row_create(&again, other, info.features, info.feature_count, NULL),
                         HCBR_OK);
        assert_int_equal(hcbr_i_row_find_itself(again, &itself, NULL), HCBR_OK);
        assert_true(itself == UINT64_MAX); // equal, but no row of the data
        hcbr_decider *twin = make_decider(model, NULL);
        assert_int_equal(hcbr_decider_decide(other, rows[i], &a, NULL), HCBR_OK);
        assert_int_equal(hcbr_decider_decide(twin, again, &b, NULL), HCBR_OK);
        same(&a, &b);
        hcbr_decider_free(twin);
        hcbr_row_free(again);
        hcbr_row_free(rows[i]);
    }
    hcbr_decider_free(other);
}

static void row__is_decided_as_its_stream_decides(void **state) {
    (void)state;
    for (int kind = 0; kind < 2; kind++)
        for (int form = 0; form < 4; form++) {
            static const char *const text[] = {"note"};
            hcbr_read_options read;
            hcbr_read_options_init(&read);
            write_rows(form % 2);
            read.format = form % 2 ? HCBR_FORMAT_JSONL : HCBR_FORMAT_CSV;
            read.id = "id";
            read.label = "label";
            read.text = form / 2 ? text : NULL;
            read.text_count = (size_t)(form / 2);
            hcbr_model *model = train(kind ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, &read);
            check(model, &read, form / 2);
            hcbr_model_free(model);
        }
    unlink(path);
}

/* Where row and label say that a case is not a past case, its values are not looked up. */
static void stream__looks_up_no_case_that_cannot_be_past(void **state) {
    (void)state;
    const char *paths[] = {path};
    hcbr_read_options read;
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "a,b,label\n1,x,yes\n2,y,no\n1,y,yes\n3,x,no\n");
    assert_int_equal(fclose(file), 0);
    hcbr_read_options_init(&read);
    hcbr_model *model = train(HCBR_MODEL_PLAIN, &read);
    file = fopen(path, "w");
    assert_non_null(file);
    fprintf(file, "a,b,label\n1,x,yes\n2,y,yes\n1,x,yes\n3,x,no\n1,x,yes\n");
    assert_int_equal(fclose(file), 0);
    hcbr_decider *decider = make_decider(model, NULL);
    hcbr_stream *stream;
    assert_int_equal(hcbr_stream_create(&stream, decider, paths, 1, &read, NULL), HCBR_OK);
    for (uint64_t i = 0; i < 5;
         i++) { // the third has other values, the fifth is no row of training
        static const bool past[] = {true, false, false, true, false};
        static const bool compared[] = {true, false, true, true, false};
        hcbr_decision d = {.size = sizeof d};
        uint64_t itself;
        int more;
        assert_int_equal(hcbr_stream_next(stream, &d, &more, NULL), HCBR_OK);
        const uint64_t before = hcbr_i_dict_lookups;
        assert_int_equal(hcbr_stream_find_itself(stream, &itself, NULL), HCBR_OK);
        assert_true(itself == (past[i] ? i : UINT64_MAX));
        assert_true((hcbr_i_dict_lookups > before) == compared[i]);
    }
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
}

static void row__is_of_one_model(void **state) {
    (void)state;
    static const char *const words[] = {"Aab", "Bbc"};
    const hcbr_feature f = {"a", 1, NULL, 0};
    hcbr_model *model = make_model(words, 2), *other = make_model(words, 2);
    hcbr_decider *d = make_decider(model, NULL);
    hcbr_explainer *x;
    hcbr_decision decision = {.size = sizeof decision};
    hcbr_explanation e = {.size = sizeof e};
    hcbr_row *row;
    assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
    hcbr_decider *made = make_decider(other, NULL);
    assert_int_equal(hcbr_row_create(&row, made, &f, 1, NULL), HCBR_OK);
    assert_int_equal(hcbr_decider_decide(d, row, &decision, NULL), HCBR_EUSAGE);
    assert_int_equal(hcbr_explainer_explain(x, row, NULL, &e, NULL), HCBR_EUSAGE);
    hcbr_row_free(row);
    hcbr_row_free(NULL);
    hcbr_explainer_free(x);
    hcbr_decider_free(made);
    hcbr_decider_free(d);
    hcbr_model_free(other);
    hcbr_model_free(model);
}

int main(void) {
    seed = test_seed_fresh();
    close(mkstemp(path));
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(row__is_decided_as_its_stream_decides),
        cmocka_unit_test(stream__looks_up_no_case_that_cannot_be_past),
        cmocka_unit_test(row__is_of_one_model),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
