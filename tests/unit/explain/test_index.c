/*
 * A shared index: the same explanations, bit for bit, for any memory, any number of threads that
 * make it and any number that use it; its memory is bounded; making it can be stopped. Trees are
 * followed once for all who share it.
 */
#include "add_case.h"
#include "row_of.h"
#include "seed.h"
#include "unit/explain/rich_sample.h"

#include "rich/reasons/leaf_rows.h"

#include <hcbr/allocator.h>
#include <hcbr/explain.h>
#include <hcbr/render.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

enum { CASES = 400, KEYS = 4, TEXT = 16, ASKED = 12, USERS = 4 };

/* ---- counted memory -------------------------------------------------------------------------- */

static atomic_size_t live;

static void *take(void *context, size_t bytes) {
    (void)context;
    size_t *block = malloc(bytes + 16);
    if (!block)
        return NULL;
    *block = bytes;
    atomic_fetch_add(&live, bytes);
    return (char *)block + 16;
}

static void give(void *context, void *block) {
    (void)context;
    size_t *at = (size_t *)(void *)((char *)block - 16);
    atomic_fetch_sub(&live, *at);
    free(at);
}

static void *retake(void *context, void *block, size_t bytes) {
    size_t before = block ? *(size_t *)(void *)((char *)block - 16) : 0;
    void *other = take(context, bytes);
    if (!other || !block)
        return other;
    memcpy(other, block, before < bytes ? before : bytes);
    give(context, block);
    return other;
}

/* ---- models ---------------------------------------------------------------------------------- */

static size_t make_case(hcbr_feature *f, char (*text)[2][TEXT], uint32_t labels, uint32_t *label) {
    *label = (uint32_t)sample_draw(labels);
    for (uint32_t k = 0; k < KEYS; k++) {
        snprintf(text[k][0], TEXT, "k%u", k);
        if (k < 2)
            snprintf(text[k][1], TEXT, "%u.%u", (uint32_t)sample_draw(3) + *label,
                     (uint32_t)sample_draw(10));
        else
            snprintf(text[k][1], TEXT, "v%u", (uint32_t)sample_draw(3) + *label / 2);
        f[k] = (hcbr_feature){text[k][0], strlen(text[k][0]), text[k][1], strlen(text[k][1])};
    }
    return KEYS;
}

static hcbr_model *make_model(hcbr_model_kind kind, uint32_t labels, hcbr_keep keep) {
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    hcbr_error err;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        hcbr_feature f[KEYS];
        char text[KEYS][2][TEXT], name[16];
        uint32_t label;
        size_t n = make_case(f, text, labels, &label);
        snprintf(name, sizeof name, "l%u", i < labels ? i : label);
        assert_int_equal(add_one_case(cases, f, n, name, NULL, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = kind;
    o.keep = keep;
    o.passes = 1;
    if (hcbr_model_train(&model, cases, &o, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    hcbr_cases_free(cases);
    return model;
}

/* ---- explanations as bytes ------------------------------------------------------------------- */

typedef struct questions {
    const hcbr_model *model;
    hcbr_feature f[ASKED][KEYS];
    char text[ASKED][KEYS][2][TEXT];
} questions;

/* All questions to one explainer; NULL: it failed. */
static char *answer(const questions *q, hcbr_explainer *x) {
    hcbr_writer *w;
    hcbr_explain_options o;
    hcbr_explain_options_init(&o);
    o.atoms = 20;
    o.cases = o.atom_cases = 7;
    bool ok = hcbr_writer_create(&w, NULL, NULL, NULL) == HCBR_OK;
    for (uint32_t i = 0; ok && i < ASKED; i++) {
        hcbr_explanation e = {.size = sizeof e};
        hcbr_comparison c = {.size = sizeof c};
        bool kept = hcbr_model_kept_count(q->model) > 0;
        hcbr_explained_row row = {.size = sizeof row, .explanation = &e};
        ok = hcbr_explainer_explain(x, row_of(x, q->f[i], KEYS), &o, &e, NULL) == HCBR_OK;
        row.decision = e.decision;
        ok = ok && hcbr_write_explanation(w, HCBR_JSON, q->model, &row, NULL) == HCBR_OK &&
             (!kept ||
              hcbr_explainer_compare(x, row_of(x, q->f[i], KEYS), i, 1, &c, NULL) == HCBR_OK) &&
             (!kept || hcbr_write_comparison(w, HCBR_JSON, q->model, &c, NULL) == HCBR_OK) &&
             hcbr_write_end(w, HCBR_JSON, NULL) == HCBR_OK;
    }
    size_t length = 0;
    const char *text = ok ? hcbr_writer_get(w, &length) : NULL;
    char *out = text ? malloc(length + 1) : NULL;
    if (out) {
        memcpy(out, text, length);
        out[length] = 0;
    }
    hcbr_writer_free(w);
    return out;
}

typedef struct user {
    const questions *q;
    const hcbr_index *index;
    char *said;
} user;

static void *use(void *context) {
    user *u = context;
    hcbr_explainer *x;
    if (hcbr_explainer_create(&x, u->index->model, u->index, NULL, NULL) != HCBR_OK)
        return NULL;
    u->said = answer(u->q, x);
    hcbr_explainer_free(x);
    rows_free();
    return NULL;
}

static void check_index(const questions *q, uint64_t memory, uint32_t threads, const char *said) {
    hcbr_index *index;
    hcbr_index_options o;
    user users[USERS];
    pthread_t thread[USERS];
    uint64_t follows = hcbr_i_rich_follows;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(q->model, &info);
    hcbr_index_options_init(&o);
    o.max_memory = memory;
    o.threads = threads;
    assert_int_equal(hcbr_index_create(&index, q->model, &o, NULL), HCBR_OK);
    for (uint32_t u = 0; u < USERS; u++) {
        users[u] = (user){q, index, NULL};
        assert_int_equal(pthread_create(&thread[u], NULL, use, &users[u]), 0);
    }
    for (uint32_t u = 0; u < USERS; u++) {
        pthread_join(thread[u], NULL);
        assert_non_null(users[u].said);
        assert_string_equal(users[u].said, said);
        free(users[u].said);
    }
    follows = hcbr_i_rich_follows - follows;
    assert_int_equal(follows, info.model == HCBR_MODEL_RICH && info.keep != HCBR_KEEP_NONE);
    hcbr_index_free(index);
}

static void index__gives_the_same_explanations(void **state) {
    (void)state;
    for (uint32_t round = 0; round < 6; round++) {
        uint32_t labels = round < 4 ? 2 : 4;
        hcbr_model *model = make_model(round % 2 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, labels,
                                       round == 3 ? HCBR_KEEP_NONE : HCBR_KEEP_FULL);
        questions q = {.model = model};
        uint32_t label;
        for (uint32_t i = 0; i < ASKED; i++)
            make_case(q.f[i], q.text[i], labels, &label);
        hcbr_explainer *x;
        assert_int_equal(hcbr_explainer_create(&x, model, NULL, NULL, NULL), HCBR_OK);
        char *said = answer(&q, x);
        assert_non_null(said);
        hcbr_explainer_free(x);
        check_index(&q, 0, 1, said);
        check_index(&q, UINT64_MAX, 1, said);
        check_index(&q, UINT64_MAX, 3, said);
        check_index(&q, 100000, 9, said);
        free(said);
        hcbr_model_free(model);
    }
}

/* Bytes that an index of so much memory holds. */
static size_t held(const hcbr_model *model, uint64_t memory) {
    hcbr_index *index;
    hcbr_index_options o;
    size_t before = atomic_load(&live);
    hcbr_index_options_init(&o);
    o.max_memory = memory;
    assert_int_equal(hcbr_index_create(&index, model, &o, NULL), HCBR_OK);
    size_t out = atomic_load(&live) - before;
    hcbr_index_free(index);
    assert_true(atomic_load(&live) == before);
    return out;
}

static void index__holds_no_more_than_it_may(void **state) {
    (void)state;
    hcbr_model *model = make_model(HCBR_MODEL_RICH, 3, HCBR_KEEP_FULL);
    size_t least = held(model, 0), most = held(model, UINT64_MAX);
    assert_true(most > least);
    assert_true(held(model, most - least) == most);
    assert_true(held(model, most - least - 1) == least); // of one chunk
    for (uint64_t memory = 1; memory < 2 * most; memory *= 3)
        assert_true(held(model, memory) <= least + memory);
    hcbr_model_free(model);
}

typedef struct stopper {
    uint32_t calls, stop;
    uint32_t before; /* calls before trees are followed: how long that takes is not known */
    pthread_t caller;
} stopper;

static int tell(void *context, const char *stage, uint64_t done, uint64_t total) {
    stopper *s = context;
    assert_string_equal(stage, "index");
    assert_true(done <= total && pthread_equal(pthread_self(), s->caller));
    s->before += total == 0;
    return ++s->calls == s->stop;
}

static void index__can_be_stopped(void **state) {
    (void)state;
    hcbr_model *model = make_model(HCBR_MODEL_RICH, 2, HCBR_KEEP_FULL);
    size_t before = atomic_load(&live);
    for (uint32_t threads = 1; threads < 4; threads++)
        for (uint32_t stop = 0; stop < KEYS + 5; stop++) {
            stopper s = {.stop = stop, .caller = pthread_self()};
            hcbr_index *index;
            hcbr_index_options o;
            hcbr_index_options_init(&o);
            o.threads = threads;
            o.progress = tell;
            o.progress_context = &s;
            hcbr_status st = hcbr_index_create(&index, model, &o, NULL);
            bool told = s.calls > 0 && s.calls >= stop; // another thread may have had all the work
            assert_int_equal(st, stop > 0 && told ? HCBR_ECANCELLED : HCBR_OK);
            assert_true((index == NULL) == (st != HCBR_OK));
            assert_true(threads > 1 || told);
            if (stop == 0) // each column, and rows twice
                assert_int_equal(s.before, KEYS + 2);
            hcbr_index_free(index);
            assert_true(atomic_load(&live) == before);
        }
    hcbr_model_free(model);
    hcbr_index_free(NULL);
}

int main(void) {
    const hcbr_allocator counted = {sizeof counted, take, retake, give, NULL};
    sample_seed = test_seed_fresh();
    if (hcbr_set_allocator(&counted, NULL) != HCBR_OK)
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(index__gives_the_same_explanations),
        cmocka_unit_test(index__holds_no_more_than_it_may),
        cmocka_unit_test(index__can_be_stopped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
