/*
 * Progress of rich training: it never goes back, and the callback may stop it at any step.
 */
#include "unit/rich/rich_support.h"

enum { CASES = 120 };

typedef struct watcher {
    uint64_t calls, stop_at; /* 0: never */
    uint64_t last;
    uint64_t after; /* calls after the stop was asked for */
    uint64_t train; /* calls of the stages of rich training */
    uint64_t early; /* of these, before anything is fitted */
    uint64_t late;  /* and after all families */
    uint32_t stage; /* the last of them */
    uint32_t met;   /* a bit for each */
} watcher;

static int watch(void *context, const char *stage, uint64_t done, uint64_t total) {
    watcher *w = context;
    w->calls++;
    static const char *const stages[] = {"columns", "boosted", "atoms", "votes", "trust"};
    uint32_t at = 0;
    while (at < 5 && strcmp(stage, stages[at]) != 0)
        at++;
    if (at < 5) {
        assert_true(at >= w->stage); // none comes back
        w->last = at == w->stage ? w->last : 0;
        w->met |= 1u << at;
        w->stage = at;
        assert_true(done >= w->last && done <= total && total > 0);
        w->last = done;
        w->train++;
        w->early += done == 0;
        w->late += at == 4;
    }
    if (!w->stop_at || w->calls < w->stop_at)
        return 0;
    w->after++;
    return 1;
}

static hcbr_status run(hcbr_cases *cases, watcher *w, uint32_t threads, hcbr_effort effort) {
    hcbr_train_options o;
    hcbr_error err = {0};
    hcbr_model *model = NULL;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_RICH;
    o.effort = effort;
    o.threads = threads;
    o.progress = watch;
    o.progress_context = w;
    hcbr_status st = hcbr_model_train(&model, cases, &o, &err);
    assert_true((st == HCBR_OK) == (model != NULL));
    assert_true(st == HCBR_OK || st == HCBR_ECANCELLED);
    hcbr_model_free(model);
    return st;
}

static void pace__goes_forward_and_can_be_stopped_at_any_step(void **state) {
    (void)state;
    uint64_t random = 20261120;
    rich_case drawn[CASES];
    rich_cases_draw(drawn, CASES, 3, &random);
    hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
    for (int effort = HCBR_EFFORT_LITE; effort <= HCBR_EFFORT_NORMAL; effort++) {
        watcher all = {0};
        assert_int_equal(run(cases, &all, 1, (hcbr_effort)effort), HCBR_OK);
        assert_true(all.train > 50 && all.last > 900);
        assert_true(all.early >
                    hcbr_cases_get_info(cases).keys); // after each key, however long it is
        assert_true(all.late > 2);                    // between the steps of the stack
        assert_int_equal(all.met, effort == HCBR_EFFORT_LITE ? 0x1D : 0x1F); // lite: no boosting
        for (uint64_t at = 1; at <= all.calls; at += at < 20 ? 1 : 17) {
            watcher w = {.stop_at = at};
            assert_int_equal(run(cases, &w, 1, (hcbr_effort)effort), HCBR_ECANCELLED);
            assert_int_equal(w.after, 1); // nothing is asked again
        }
    }
    for (uint32_t threads = 2; threads <= 4; threads++) {
        watcher w = {.stop_at = 3}; // each family reports as it begins, in any thread
        assert_int_equal(run(cases, &w, threads, HCBR_EFFORT_NORMAL), HCBR_ECANCELLED);
    }
    hcbr_cases_free(cases);
}

static void pace__estimates_grow_with_the_cases_and_the_effort(void **state) {
    (void)state;
    uint64_t random = 1;
    rich_case drawn[CASES];
    hcbr_estimate few = {.size = sizeof few}, many = few, lite = few, plain = few;
    hcbr_train_options o;
    rich_cases_draw(drawn, CASES, 2, &random);
    hcbr_cases *a = rich_cases_make(drawn, CASES / 2, NULL, NULL);
    hcbr_cases *b = rich_cases_make(drawn, CASES, NULL, NULL);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    assert_int_equal(hcbr_model_estimate(b, &o, &plain, NULL), HCBR_OK);
    o.model = HCBR_MODEL_RICH;
    assert_int_equal(hcbr_model_estimate(a, &o, &few, NULL), HCBR_OK);
    assert_int_equal(hcbr_model_estimate(b, &o, &many, NULL), HCBR_OK);
    o.effort = HCBR_EFFORT_LITE;
    assert_int_equal(hcbr_model_estimate(b, &o, &lite, NULL), HCBR_OK);
    assert_true(few.seconds > 0 && many.seconds > 1.5 * few.seconds && many.bytes > few.bytes);
    assert_true(lite.seconds < many.seconds && plain.seconds < lite.seconds);
    hcbr_cases_free(a);
    hcbr_cases_free(b);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pace__goes_forward_and_can_be_stopped_at_any_step),
        cmocka_unit_test(pace__estimates_grow_with_the_cases_and_the_effort),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
