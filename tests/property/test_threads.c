/*
 * Several threads at once on what may be shared: a finished list of cases and a model. What they
 * get is, bit for bit, what one thread gets. To be run under the thread sanitizer too.
 */
#include "add_case.h"
#include "harness.h"
#include "row_of.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define THREADS 4
#define QUESTIONS 400

/*
 * Failures are noted and looked at when all have come home: a test must not be left from another
 * thread than its own.
 */
typedef struct crew {
    pthread_barrier_t start; /* so that they really meet */
    void *shared;
    void (*work)(struct crew *crew, int number);
    int failures[THREADS];
    void *results[THREADS];
} crew;

typedef struct member {
    crew *crew;
    int number;
} member;

static void *member_run(void *context) {
    member *m = context;
    pthread_barrier_wait(&m->crew->start);
    m->crew->work(m->crew, m->number);
    return NULL;
}

static void crew_run(crew *c, int count) {
    pthread_t threads[THREADS];
    member members[THREADS];
    assert_int_equal(pthread_barrier_init(&c->start, NULL, (unsigned)count), 0);
    for (int i = 0; i < count; i++) {
        members[i] = (member){c, i};
        assert_int_equal(pthread_create(&threads[i], NULL, member_run, &members[i]), 0);
    }
    for (int i = 0; i < count; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
    for (int i = 0; i < count; i++)
        assert_int_equal(c->failures[i], 0);
    pthread_barrier_destroy(&c->start);
}

/* ---- case bases -------------------------------------------------------------------------------
 */

static oracle_base base;

static hcbr_cases *random_cases(uint64_t seed, int labels, int names) {
    harness_random r = {seed};
    harness_draw(&base, &r, (harness_shape){40, 600, labels, true});
    return harness_cases(&base, &(harness_style){.names = names});
}

static hcbr_model *random_model(uint64_t seed, int labels, int names) {
    hcbr_cases *cases = random_cases(seed, labels, names);
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_error err;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    hcbr_cases_free(cases);
    return model;
}

/* ---- many deciders, one model -----------------------------------------------------------------
 */

typedef struct answer {
    double support[ORACLE_LABELS];
    hcbr_label label, winner;
    hcbr_reason reason;
    uint64_t features, known;
    size_t unseen;
} answer;

/* Names are made on the test's own thread beforehand: harness_feature() keeps them. */
typedef struct questions {
    const hcbr_model *model;
    hcbr_feature features[QUESTIONS][64];
    size_t count[QUESTIONS];
} questions;

static void ask(crew *c, int number) {
    const questions *q = c->shared;
    answer *answers = c->results[number];
    hcbr_rule rule;
    hcbr_decider *decider;
    hcbr_error err;
    hcbr_rule_init(&rule);
    rule.memory = 1;
    if (hcbr_decider_create(&decider, q->model, &rule, &err) != HCBR_OK) {
        c->failures[number]++;
        return;
    }
    for (int i = 0; i < QUESTIONS; i++) {
        hcbr_decision x = {.size = sizeof x};
        if (hcbr_decider_decide(decider, row_by(decider, q->features[i], q->count[i]), &x, &err) !=
            HCBR_OK) {
            c->failures[number]++;
            break;
        }
        memcpy(answers[i].support, x.support, x.label_count * sizeof *x.support);
        answers[i].label = x.label;
        answers[i].winner = x.winner;
        answers[i].reason = x.reason;
        answers[i].features = x.feature_count;
        answers[i].known = x.known_count;
        answers[i].unseen = x.unseen_count;
    }
    hcbr_decider_free(decider);
    rows_free();
}

static void ask_all(int labels, int names, uint64_t seed) {
    static questions q;
    harness_style style = {.names = names, .shuffle = 3};
    harness_random r = {seed};
    crew one = {.shared = &q, .work = ask}, all = one;
    hcbr_model *model = random_model(seed, labels, names);
    q.model = model;
    for (int i = 0; i < QUESTIONS; i++) {
        uint64_t set = i % 4 ? harness_next(&r) & harness_next(&r) : base.set[i];
        set &= ((uint64_t)1 << 40) - 1;
        q.count[i] =
            harness_features(&style, (uint64_t)i, set, harness_below(&r, 3), q.features[i], 64);
    }
    for (int i = 0; i < THREADS; i++) {
        all.results[i] = calloc(QUESTIONS, sizeof(answer));
        assert_non_null(all.results[i]);
    }
    one.results[0] = calloc(QUESTIONS, sizeof(answer));
    assert_non_null(one.results[0]);
    crew_run(&all, THREADS); /* first: it is they who find the model without tables */
    crew_run(&one, 1);
    for (int i = 0; i < THREADS; i++) {
        assert_memory_equal(all.results[i], one.results[0], QUESTIONS * sizeof(answer));
        free(all.results[i]);
    }
    free(one.results[0]);
    hcbr_model_free(model);
}

static void threads__decide_alike_on_one_model(void **state) {
    (void)state;
    uint64_t seed = harness_seed(5);
    for (int labels = 1; labels <= 4; labels++)
        for (int names = 0; names < HARNESS_NAMES; names++)
            ask_all(labels, names, seed + (uint64_t)(labels * HARNESS_NAMES + names));
}

/* ---- tables built on demand ------------------------------------------------------------------ */

static void look_up(crew *c, int number) {
    const hcbr_model *model = c->shared;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_decider *decider = NULL;
    hcbr_error err;
    if (number == 1) { /* one comes with a decider, the others with names */
        c->failures[number] += hcbr_decider_create(&decider, model, NULL, &err) != HCBR_OK;
        hcbr_decider_free(decider);
    }
    hcbr_model_get_info(model, &info);
    for (uint32_t n = 0; n < info.features; n++) {
        uint32_t f = (n + (uint32_t)number * 7) % info.features;
        hcbr_feature name;
        hcbr_model_get_feature(model, f, &name);
        c->failures[number] += hcbr_model_find_feature(model, &name) != f;
    }
    hcbr_feature unknown = {"a feature that no case has", 26, NULL, 0};
    c->failures[number] += hcbr_model_find_feature(model, &unknown) != UINT32_MAX;
}

static void threads__may_be_the_first_to_look_up_names(void **state) {
    (void)state;
    uint64_t seed = harness_seed(6);
    for (int round = 0; round < 40; round++) {
        hcbr_model *model = random_model(seed + (uint64_t)round, 2, round % HARNESS_NAMES);
        crew c = {.shared = model, .work = look_up};
        crew_run(&c, THREADS);
        hcbr_model_free(model);
    }
}

/* ---- training on one list of cases ------------------------------------------------------------
 */

static void build(crew *c, int number) {
    hcbr_train_options o;
    hcbr_model *model = NULL;
    hcbr_error err;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.threads = 1 + (uint32_t)number % 2;
    o.passes = 2;
    c->failures[number] += hcbr_model_train(&model, c->shared, &o, &err) != HCBR_OK;
    c->results[number] = model;
}

/* The list may be released before the models, and these on any thread. */
static void release(crew *c, int number) {
    hcbr_model_free(c->results[number]);
}

static void threads__train_alike_on_one_list_of_cases(void **state) {
    (void)state;
    uint64_t seed = harness_seed(7);
    for (int round = 0; round < 12; round++) {
        hcbr_cases *cases = random_cases(seed + (uint64_t)round, 1 + round % 4, round % 3);
        crew c = {.shared = cases, .work = build};
        crew_run(&c, THREADS);
        hcbr_cases_free(cases);
        void *first = NULL;
        size_t first_size = 0;
        for (int i = 0; i < THREADS; i++) {
            void *bytes;
            size_t size;
            hcbr_error err;
            harness_ok(hcbr_model_serialize(c.results[i], &bytes, &size, &err), &err);
            if (i == 0) {
                first = bytes;
                first_size = size;
                continue;
            }
            assert_int_equal(size, first_size);
            assert_memory_equal(bytes, first, size);
            hcbr_bytes_free(bytes);
        }
        hcbr_bytes_free(first);
        c.work = release;
        crew_run(&c, THREADS);
    }
}

/* Larger, so that every call has threads of its own at work. */
static void threads__train_at_once_with_threads_of_their_own(void **state) {
    (void)state;
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 0, &err), &err);
    for (int i = 0; i < 20000; i++) {
        char text[2][16];
        hcbr_feature f[2];
        for (int k = 0; k < 2; k++) {
            int length = snprintf(text[k], sizeof text[k], "%d", k ? i % 9001 : -(i % 7) - 1);
            f[k] = (hcbr_feature){text[k], (size_t)length, NULL, 0};
        }
        harness_ok(add_one_case(cases, f, 2, i % 5 < 2 ? "a" : "b", NULL, &err), &err);
    }
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    crew c = {.shared = cases, .work = build};
    crew_run(&c, 2);
    hcbr_cases_free(cases);
    void *bytes[2];
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        harness_ok(hcbr_model_serialize(c.results[i], &bytes[i], &size[i], &err), &err);
        hcbr_model_free(c.results[i]);
    }
    assert_int_equal(size[0], size[1]);
    assert_memory_equal(bytes[0], bytes[1], size[0]);
    hcbr_bytes_free(bytes[0]);
    hcbr_bytes_free(bytes[1]);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads__decide_alike_on_one_model),
        cmocka_unit_test(threads__may_be_the_first_to_look_up_names),
        cmocka_unit_test(threads__train_alike_on_one_list_of_cases),
        cmocka_unit_test(threads__train_at_once_with_threads_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
