/*
 * The work of a search for changes: it is counted in steps, ends at the limit also where a case has
 * 10,000 columns, and can be stopped in the middle of a case, as can all other reasons. Supports
 * near a case are those of a full score.
 */
#include "add_case.h"
#include "engines.h"
#include "rich/score/support_probe.h"
#include "rounds.h"
#include "row_of.h"
#include "unit/explain/rich_sample.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <hcbr/explain.h>

/* ---- supports near a case -------------------------------------------------------------------- */

/* What makes one row of the other; now and then a variable becomes something else before. */
static size_t list_edits(const hcbr_i_rich_encoder *e, const hcbr_i_rich_row *from,
                         const hcbr_i_rich_row *to, hcbr_i_rich_edit *out) {
    size_t n = 0;
    for (uint32_t v = 0; v < e->column_count + e->bag_count; v++) {
        bool column = v < e->column_count;
        uint32_t was = column ? from->codes[v] : rich_sample_has(from, v - e->column_count);
        uint32_t is = column ? to->codes[v] : rich_sample_has(to, v - e->column_count);
        uint32_t most = column ? e->columns[v].codes : 1;
        if (sample_draw(4) == 0)
            out[n++] = (hcbr_i_rich_edit){v, (uint32_t)sample_draw(most + 1)};
        if (was != is || (n > 0 && out[n - 1].variable == v))
            out[n++] = (hcbr_i_rich_edit){v, is};
    }
    return n;
}

static void probe__gives_the_supports_of_a_full_score(void **state) {
    (void)state;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < test_rounds(60); round++) {
        rich_sample s = {0};
        hcbr_i_rich_probe *probe;
        hcbr_i_rich_scorer *scorer;
        hcbr_decider *decider; // makes the model's features ready to be found
        rich_sample_make(&s, 20 + (uint32_t)sample_draw(100), HCBR_KEEP_NONE,
                         round % 3 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        const hcbr_i_rich_encoder *e = &hcbr_i_model_rich(s.model)->encoder;
        assert_int_equal(hcbr_decider_create(&decider, s.model, NULL, NULL), HCBR_OK);
        assert_int_equal(hcbr_i_rich_probe_create(&probe, hcbr_i_model_rich(s.model), NULL),
                         HCBR_OK);
        assert_int_equal(hcbr_i_rich_scorer_create(&scorer, hcbr_i_model_rich(s.model), NULL),
                         HCBR_OK);
        hcbr_i_rich_row from = {.codes = hcbr_i_alloc(e->column_count, 1)};
        hcbr_i_rich_row *to = hcbr_i_rich_scorer_row(scorer);
        assert_non_null(from.codes);
        for (uint32_t d = 0; d < 8; d++) {
            hcbr_feature f[RICH_FEATURES];
            char text[RICH_FEATURES][RICH_TEXT];
            uint32_t unused;
            rich_sample_encode(&s, f, sample_draw_case(f, text, s.labels, &unused), &from);
            assert_int_equal(hcbr_i_rich_probe_set(probe, &from, NULL), HCBR_OK);
            for (int near = 0; near < 8; near++) { // one after the other: nothing is left behind
                hcbr_i_rich_edit edits[1200];
                double full[4], probability[4], got[4];
                uint64_t visits = 0;
                rich_sample_encode(&s, f, sample_draw_case(f, text, s.labels, &unused), to);
                hcbr_i_rich_score(scorer, full, probability, NULL);
                size_t n = list_edits(e, &from, to, edits);
                assert_true(hcbr_i_rich_probe_score(probe, edits, n, got, &visits));
                assert_true(visits > 0);
                for (uint32_t l = 0; l < hcbr_i_model_rich(s.model)->outputs; l++)
                    assert_true(fabs(got[l] - full[l]) <= 1e-10 * (1 + fabs(full[l])));
            }
        }
        hcbr_i_rich_row_clear(&from);
        hcbr_i_rich_scorer_free(scorer);
        hcbr_i_rich_probe_free(probe);
        hcbr_decider_free(decider);
        hcbr_model_free(s.model);
    }
}

/* ---- wide cases ------------------------------------------------------------------------------ */

enum { COLUMNS = 10000, WIDE_CASES = 36, NAME = 8 };

typedef struct wide {
    char (*names)[NAME];
    hcbr_feature *features;
    hcbr_model *model;
    hcbr_explainer *explainer;
} wide;

/* A case of all columns but some, which stay to be asked for; a few of them go with the label. */
static size_t draw_wide(const wide *w, uint32_t label, hcbr_feature *out) {
    static const char *const VALUES[] = {"0", "1", "2.5", "north", "south", "7"};
    size_t n = 0;
    for (uint32_t c = 0; c < COLUMNS; c++) {
        if (sample_draw(50) == 0)
            continue;
        const char *value = VALUES[c % 2 ? sample_draw(3) : 3 + sample_draw(3)];
        if (c % 400 == 0 && sample_draw(4))
            value = VALUES[3 + label % 3];
        out[n++] = (hcbr_feature){w->names[c], strlen(w->names[c]), value, strlen(value)};
    }
    return n;
}

static void make_wide(wide *w, uint32_t labels, bool rich, uint32_t threads) {
    static const char *const LABELS[] = {"p", "q", "r"};
    hcbr_cases *list;
    hcbr_train_options o;
    hcbr_error err;
    w->names = calloc(COLUMNS, sizeof *w->names);
    w->features = calloc(COLUMNS, sizeof *w->features);
    assert_true(w->names && w->features);
    for (uint32_t c = 0; c < COLUMNS; c++)
        snprintf(w->names[c], NAME, "c%u", c);
    assert_int_equal(hcbr_cases_create(&list, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < WIDE_CASES; i++) {
        size_t n = draw_wide(w, i % labels, w->features);
        assert_int_equal(add_one_case(list, w->features, n, LABELS[i % labels], NULL, NULL),
                         HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(list, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN;
    o.effort = HCBR_EFFORT_LITE;
    o.threads = threads;
    if (hcbr_model_train(&w->model, list, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_int_equal(hcbr_explainer_create(&w->explainer, w->model, NULL, NULL, NULL), HCBR_OK);
    hcbr_cases_free(list);
}

static void free_wide(wide *w) {
    hcbr_explainer_free(w->explainer);
    hcbr_model_free(w->model);
    free(w->features);
    free(w->names);
}

/* What the caller is told, and when it wants to stop. */
typedef struct watcher {
    uint64_t calls, stop_at; /* 0: never */
    uint64_t done, total;
    const char *stage;
} watcher;

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    watcher *w = context;
    if (w->stage && strcmp(w->stage, stage) == 0)
        assert_true(done >= w->done || total != w->total);
    assert_true(total == 0 || done <= total);
    w->stage = stage;
    w->done = done;
    w->total = total;
    return ++w->calls == w->stop_at;
}

static hcbr_flips flip(const wide *w, size_t n, uint64_t limit) {
    hcbr_flips out = {.size = sizeof out};
    hcbr_flip_options o;
    hcbr_flip_options_init(&o);
    o.limit = limit;
    assert_int_equal(
        hcbr_explainer_flip(w->explainer, row_of(w->explainer, w->features, n), &o, &out, NULL),
        HCBR_OK);
    assert_true(out.steps <= limit && out.limit == limit);
    return out;
}

static void steps__end_at_the_limit_on_10000_columns(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++)
        for (int rich = 0; rich < 2; rich++) {
            static const uint64_t LIMITS[] = {0, 1000, 1000000, 12000000};
            uint64_t seed = sample_seed, before = 0;
            wide w[2];
            for (int i = 0; i < 2; i++) { // the same model and case, however many threads
                sample_seed = seed;
                make_wide(&w[i], labels, rich, i ? 4 : 1);
            }
            size_t n = 0;
            for (int i = 0; i < 2; i++) {
                seed = i == 0 ? sample_seed : seed;
                sample_seed = seed;
                n = draw_wide(&w[i], 1, w[i].features);
            }
            watcher seen = {0};
            hcbr_explainer_watch(w[0].explainer, watch, &seen);
            for (size_t k = 0; k < sizeof LIMITS / sizeof *LIMITS; k++) {
                hcbr_flips a = flip(&w[0], n, LIMITS[k]), b = flip(&w[1], n, LIMITS[k]);
                assert_true(a.steps == b.steps && a.tried == b.tried && a.count == b.count);
                assert_true(a.searched == b.searched && a.exact == b.exact);
                assert_true(a.steps >= before || a.count > 0);
                before = a.steps;
                for (size_t i = 0; i < a.count; i++)
                    assert_true(a.flips[i].lead == b.flips[i].lead &&
                                a.flips[i].count == b.flips[i].count);
                if (LIMITS[k] == 0)
                    assert_true(a.limited && a.count == 0 && a.tried == 0 && !a.exhaustive);
            }
            // told at least every 2^23 steps, and of no more than were taken
            assert_true(seen.calls >= before >> 23 && seen.done <= before);
            hcbr_questions q = {.size = sizeof q}; // every open key is looked at
            assert_int_equal(hcbr_explainer_ask(w[0].explainer,
                                                row_of(w[0].explainer, w[0].features, n), 3, &q,
                                                NULL),
                             HCBR_OK);
            assert_int_equal(q.all, COLUMNS - n);
            assert_int_equal(q.count, 3);
            for (int i = 0; i < 2; i++)
                free_wide(&w[i]);
        }
}

/* ---- being stopped --------------------------------------------------------------------------- */

enum { EXPLAIN, COMPARE, FLIP, ASK, CALLS };

/* Some call; *figure receives something of its result. */
static hcbr_status call(const wide *w, int which, size_t n, double *figure, hcbr_error *err) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_flip_options o;
    hcbr_status st = HCBR_OK;
    hcbr_flip_options_init(&o);
    o.limit = 40000000;
    switch (which) {
    case EXPLAIN:
        st = hcbr_explainer_explain(w->explainer, row_of(w->explainer, w->features, n), NULL, &e,
                                    err);
        *figure = st == HCBR_OK ? e.influence_sum[0] + (double)e.all_for : 0;
        break;
    case COMPARE:
        st = hcbr_explainer_compare(w->explainer, row_of(w->explainer, w->features, n), 3, 1, &c,
                                    err);
        *figure = st == HCBR_OK ? c.past->lead + c.lead_there : 0;
        break;
    case FLIP:
        st = hcbr_explainer_flip(w->explainer, row_of(w->explainer, w->features, n), &o, &f, err);
        *figure = st == HCBR_OK ? (double)f.steps + (double)f.count : 0;
        break;
    default:
        st = hcbr_explainer_ask(w->explainer, row_of(w->explainer, w->features, n), 2, &q, err);
        *figure = st == HCBR_OK ? q.questions[0].lowest->lead + (double)q.all : 0;
    }
    return st;
}

/* Stop a call each time that it tells something; the next one is as if it had not been. */
static void stop_everywhere(const wide *w, int which, size_t n) {
    double expected, got;
    watcher all = {0};
    hcbr_explainer_watch(w->explainer, watch, &all);
    assert_int_equal(call(w, which, n, &expected, NULL), HCBR_OK);
    assert_true(all.calls > 0);
    uint64_t calls = all.calls;
    for (uint64_t at = 1; at <= calls; at += 1 + calls / 4) {
        watcher some = {.stop_at = at};
        hcbr_error err = {0};
        hcbr_explainer_watch(w->explainer, watch, &some);
        assert_int_equal(call(w, which, n, &got, &err), HCBR_ECANCELLED);
        assert_int_equal(err.status, HCBR_ECANCELLED);
        assert_int_equal(some.calls, at); // and no later
        hcbr_explainer_watch(w->explainer, NULL, NULL);
        assert_int_equal(call(w, which, n, &got, NULL), HCBR_OK);
        assert_true(got == expected);
    }
}

static void calls__are_stopped_in_the_middle_of_a_case(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++)
        for (int rich = 0; rich < 2; rich++) {
            wide w;
            make_wide(&w, labels, rich, 1);
            size_t n = draw_wide(&w, 1, w.features);
            for (int which = 0; which < CALLS; which++)
                stop_everywhere(&w, which, n);
            free_wide(&w);
        }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(probe__gives_the_supports_of_a_full_score),
        cmocka_unit_test(steps__end_at_the_limit_on_10000_columns),
        cmocka_unit_test(calls__are_stopped_in_the_middle_of_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
