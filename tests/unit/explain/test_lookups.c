/*
 * A case is resolved once: whatever is asked about it, and however much, each of its names is
 * looked up in the dictionary once, and the key of a name that no past case has once more. What is
 * said of a case does not depend on what was asked before.
 */
#include "add_case.h"
#include "row_of.h"
#include "unit/explain/rich_sample.h"

#include "cases/cases.h"

#include <hcbr/explain.h>

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { CASES = 80, KEYS = 6 };

/* Cases of KEYS values, the last a number; what is asked about is one of them, or has new values.
 */
static size_t make_case(hcbr_feature *f, char text[KEYS][2][24], uint32_t i, uint32_t unseen) {
    for (uint32_t k = 0; k < KEYS; k++) {
        snprintf(text[k][0], sizeof text[k][0], "key%u", k);
        if (k < unseen)
            snprintf(text[k][1], sizeof text[k][1], "new%u", i);
        else if (k == KEYS - 1)
            snprintf(text[k][1], sizeof text[k][1], "%u.5", i % 9);
        else
            snprintf(text[k][1], sizeof text[k][1], "v%u", (i / (k + 1)) % 3);
        f[k] = (hcbr_feature){text[k][0], strlen(text[k][0]), text[k][1], strlen(text[k][1])};
    }
    return KEYS;
}

static hcbr_model *make_model(hcbr_model_kind kind, uint32_t labels) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        char text[KEYS][2][24], label[24];
        hcbr_feature f[KEYS];
        size_t count = make_case(f, text, i, 0);
        snprintf(label, sizeof label, "l%u", (i / 2) % labels);
        assert_int_equal(add_one_case(cases, f, count, label, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = kind;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

typedef enum question { EXPLAIN, COMPARE, FLIP, ASK, QUESTIONS } question;

static void ask(hcbr_explainer *x, question what, const hcbr_row *row) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips flips = {.size = sizeof flips};
    hcbr_questions q = {.size = sizeof q};
    hcbr_status st = what == EXPLAIN   ? hcbr_explainer_explain(x, row, NULL, &e, NULL)
                     : what == COMPARE ? hcbr_explainer_compare(x, row, 3, 1, &c, NULL)
                     : what == FLIP    ? hcbr_explainer_flip(x, row, NULL, &flips, NULL)
                                       : hcbr_explainer_ask(x, row, 10, &q, NULL);
    assert_int_equal(st, HCBR_OK);
}

static void lookups__are_one_for_each_feature_of_a_row_and_none_afterwards(void **state) {
    (void)state;
    for (int kind = HCBR_MODEL_PLAIN; kind <= HCBR_MODEL_RICH; kind++)
        for (uint32_t labels = 2; labels <= 3; labels++) {
            hcbr_model *model = make_model((hcbr_model_kind)kind, labels);
            hcbr_explainer *x;
            assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
            for (uint32_t n = 0; n < 12; n++) {
                char text[KEYS][2][24];
                hcbr_feature f[KEYS];
                hcbr_decision d = {.size = sizeof d};
                const size_t count = make_case(f, text, n, n % 3);
                uint64_t before = hcbr_i_dict_lookups;
                const hcbr_row *row = row_of(x, f, count);
                assert_int_equal(hcbr_i_dict_lookups - before, count + n % 3);
                before = hcbr_i_dict_lookups;
                for (uint32_t what = 0; what < 2 * QUESTIONS; what++)
                    ask(x, (question)((what + n) % QUESTIONS), row);
                assert_int_equal(hcbr_decider_decide(x->decider, row, &d, NULL), HCBR_OK);
                assert_int_equal(hcbr_i_dict_lookups, before);
            }
            hcbr_explainer_free(x);
            hcbr_model_free(model);
        }
}

/* ---- several questions ----------------------------------------------------------------------- */

/* What is compared of an answer: numbers that depend on every feature, and all that is unseen. */
typedef struct gist {
    double lead, support[3];
    uint64_t known, tried;
    size_t unseen_count, flip_count, question_count, shared;
    char unseen[256];
} gist;

static gist gist_of(hcbr_explainer *x, const hcbr_feature *f, size_t count) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips flips = {.size = sizeof flips};
    hcbr_questions q = {.size = sizeof q};
    gist g;
    memset(&g, 0, sizeof g); // it is compared as bytes
    assert_int_equal(hcbr_explainer_explain(x, row_of(x, f, count), NULL, &e, NULL), HCBR_OK);
    const hcbr_decision *d = e.decision;
    g.lead = e.lead;
    memcpy(g.support, d->support, d->label_count * sizeof *g.support);
    g.known = d->known_count;
    g.unseen_count = d->unseen_count;
    for (size_t i = 0, at = 0; i < d->unseen_count; i++)
        at += (size_t)snprintf(g.unseen + at, sizeof g.unseen - at, "%.*s=%.*s,",
                               (int)d->unseen[i].key_length, d->unseen[i].key,
                               d->unseen[i].value ? (int)d->unseen[i].value_length : 1,
                               d->unseen[i].value ? d->unseen[i].value : "?");
    assert_int_equal(hcbr_explainer_flip(x, row_of(x, f, count), NULL, &flips, NULL), HCBR_OK);
    g.flip_count = flips.count;
    g.tried = flips.tried;
    assert_int_equal(hcbr_explainer_ask(x, row_of(x, f, count), 10, &q, NULL), HCBR_OK);
    g.question_count = q.count;
    assert_int_equal(hcbr_explainer_compare(x, row_of(x, f, count), 3, 1, &c, NULL), HCBR_OK);
    g.shared = c.shared;
    return g;
}

/* Change a little of a case: one name more or less, another order, a value that is empty, absent or
 * one byte longer, all of it in memory that was used before. */
static size_t vary(hcbr_feature *f, size_t count, uint32_t how) {
    hcbr_feature first = f[0];
    switch (how) {
    case 0:
        return count;
    case 1:
        return count - 1;
    case 2:
        f[0] = f[1];
        f[1] = first;
        return count;
    case 3:
        f[0].value = NULL;
        return count;
    case 4:
        f[0].value_length = 0;
        return count;
    case 5:
        f[0].value_length--;
        return count;
    case 6:
        f[0].key_length--;
        return count;
    case 7:
        f[1] = f[0]; // given twice
        return count;
    default:
        return 0;
    }
}

static void explainer__says_the_same_whatever_it_was_asked_before(void **state) {
    (void)state;
    for (int kind = HCBR_MODEL_PLAIN; kind <= HCBR_MODEL_RICH; kind++)
        for (uint32_t labels = 2; labels <= 3; labels++) {
            hcbr_model *model = make_model((hcbr_model_kind)kind, labels);
            hcbr_explainer *used, *fresh;
            assert_int_equal(hcbr_explainer_create(&used, model, NULL, NULL, NULL), HCBR_OK);
            for (uint32_t unseen = 0; unseen < 3; unseen++)
                for (uint32_t a = 0; a < 9; a++)
                    for (uint32_t b = 0; b < 9; b++) {
                        char text[KEYS][2][24];
                        hcbr_feature f[KEYS];
                        for (uint32_t round = 0; round < 2; round++) {
                            size_t count = make_case(f, text, 7, unseen);
                            count = vary(f, count, round ? b : a);
                            gist said = gist_of(used, f, count);
                            if (round == 0)
                                continue;
                            assert_int_equal(hcbr_explainer_create(&fresh, model, NULL, NULL, NULL),
                                             HCBR_OK);
                            gist other = gist_of(fresh, f, count);
                            assert_memory_equal(&said, &other, sizeof said);
                            hcbr_explainer_free(fresh);
                        }
                    }
            hcbr_explainer_free(used);
            hcbr_model_free(model);
        }
}

/* ---- rows of a file -------------------------------------------------------------------------- */

enum { ROWS = 8 };

/* What a decision says that does not point elsewhere. */
typedef struct said {
    hcbr_label label, winner;
    hcbr_reason reason;
    double lead, support[3], probability[3];
    uint64_t features, known, row;
} said;

static said said_of(const hcbr_decision *d) {
    said s;
    memset(&s, 0, sizeof s); // it is compared as bytes
    s.label = d->label;
    s.winner = d->winner;
    s.reason = d->reason;
    s.lead = d->lead;
    memcpy(s.support, d->support, d->label_count * sizeof *s.support);
    if (d->probability)
        memcpy(s.probability, d->probability, d->label_count * sizeof *s.probability);
    s.features = d->feature_count;
    s.known = d->known_count;
    s.row = d->row;
    return s;
}

typedef struct counted {
    uint64_t before;
    uint32_t rows;
    uint32_t unseen[ROWS];
    said decided[ROWS]; /* by a stream alone */
} counted;

/* All that the program asks of a row. */
static int ask_all(void *context, const hcbr_explained_row *row) {
    counted *c = context;
    const hcbr_decision *d = row->decision;
    const said s = said_of(d);
    assert_memory_equal(&s, &c->decided[c->rows], sizeof s);
    hcbr_row_info info = {.size = sizeof info};
    hcbr_row_get(row->row, &info);
    for (uint32_t what = 0; what < QUESTIONS; what++)
        ask(row->explainer, (question)what, row->row);
    assert_true(hcbr_i_dict_lookups - c->before <= KEYS + d->unseen_count);
    ask(row->explainer, (question)0, row_of(row->explainer, info.features, info.feature_count - 1));
    const said after = said_of(d); // it stays what it was, whatever the explainer was asked
    assert_memory_equal(&after, &s, sizeof s);
    assert_int_equal(info.feature_count, KEYS);
    assert_int_equal(d->unseen_count, c->unseen[c->rows]);
    assert_int_equal(d->row, ++c->rows);
    c->before = hcbr_i_dict_lookups;
    hcbr_row_free(row->row);
    return 0;
}

/* The header is compared with the model before the first row. */
static int begin_row(void *context, uint64_t row) {
    counted *c = context;
    if (row == 1)
        c->before = hcbr_i_dict_lookups;
    return 1;
}

static int want_none(void *context, uint64_t row) {
    (void)row;
    ++*(uint32_t *)context;
    return 0;
}

static int none_is_explained(void *context, const hcbr_explained_row *row) {
    (void)context;
    (void)row;
    fail();
    return 1;
}

static hcbr_stream *open_rows(hcbr_decider *decider, const char *path) {
    hcbr_stream *stream;
    hcbr_read_options read;
    hcbr_read_options_init(&read);
    read.format = HCBR_FORMAT_CSV;
    assert_int_equal(hcbr_stream_create(&stream, decider, &path, 1, &read, NULL), HCBR_OK);
    return stream;
}

static void decide_rows(hcbr_decider *decider, const char *path, counted *c) {
    hcbr_stream *stream = open_rows(decider, path);
    hcbr_decision d = {.size = sizeof d};
    int more = 1;
    for (uint32_t i = 0; i <= ROWS; i++) {
        assert_int_equal(hcbr_stream_next(stream, &d, &more, NULL), HCBR_OK);
        assert_int_equal(more, i < ROWS);
        if (more)
            c->decided[i] = said_of(&d);
    }
    hcbr_stream_free(stream);
}

static void write_rows(const char *path, counted *c) {
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    for (uint32_t k = 0; k < KEYS; k++)
        fprintf(file, "%skey%u", k ? "," : "", k);
    for (uint32_t i = 0; i < ROWS; i++) {
        char text[KEYS][2][24];
        hcbr_feature f[KEYS];
        c->unseen[i] = i % 3;
        make_case(f, text, i, c->unseen[i]);
        for (uint32_t k = 0; k < KEYS; k++)
            fprintf(file, "%c%s", k ? ',' : '\n', text[k][1]);
    }
    fprintf(file, "\n");
    assert_int_equal(fclose(file), 0);
}

/* Skipped rows are read, and only the names of the header are looked up. */
static void passed_over(const hcbr_model *model, hcbr_decider *decider, const char *path) {
    hcbr_stream *stream = open_rows(decider, path);
    hcbr_explain_rows_options o;
    uint32_t rows = 0;
    hcbr_explain_rows_options_init(&o);
    o.wanted = want_none;
    uint64_t before = hcbr_i_dict_lookups;
    assert_int_equal(hcbr_explain_rows(model, stream, NULL, &o, none_is_explained, &rows, NULL),
                     HCBR_OK);
    assert_int_equal(rows, ROWS);
    assert_true(hcbr_i_dict_lookups - before <= KEYS);
    hcbr_stream_free(stream);
}

static void lookups__are_at_most_one_for_each_feature_of_a_stream(void **state) {
    (void)state;
    char path[] = "/tmp/hcbr-lookups-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    for (int kind = HCBR_MODEL_PLAIN; kind <= HCBR_MODEL_RICH; kind++)
        for (uint32_t labels = 2; labels <= 3; labels++) {
            hcbr_model *model = make_model((hcbr_model_kind)kind, labels);
            hcbr_decider *decider;
            hcbr_explain_rows_options o;
            hcbr_error err = {0};
            counted c = {.rows = 0};
            write_rows(path, &c);
            hcbr_explain_rows_options_init(&o);
            o.wanted = begin_row;
            assert_int_equal(hcbr_decider_create(&decider, model, NULL, NULL), HCBR_OK);
            decide_rows(decider, path, &c);
            hcbr_stream *stream = open_rows(decider, path);
            hcbr_status st = hcbr_explain_rows(model, stream, NULL, &o, ask_all, &c, &err);
            if (st != HCBR_OK)
                fail_msg("%s", err.message);
            assert_int_equal(c.rows, ROWS);
            hcbr_stream_free(stream);
            passed_over(model, decider, path);
            hcbr_decider_free(decider);
            hcbr_model_free(model);
        }
    unlink(path);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lookups__are_one_for_each_feature_of_a_row_and_none_afterwards),
        cmocka_unit_test(explainer__says_the_same_whatever_it_was_asked_before),
        cmocka_unit_test(lookups__are_at_most_one_for_each_feature_of_a_stream),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
