/*
 * Cases of numbers: a stream, which may take the way by number, decides each as
 * hcbr_decider_decide() does, which looks names up.
 */
#include "add_case.h"
#include "decide_support.h"
#include "row_of.h"
#include "seed.h"

#include <unistd.h>

static uint64_t seed;

static uint64_t below(uint64_t n) {
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (seed >> 33) % n;
}

enum { MOST = 24 };

/** A case as the test knows it: numbers, in the order of the data. */
typedef struct numbers {
    uint64_t at[MOST];
    size_t count;
} numbers;

/* What the data is like. */
typedef struct kind {
    uint64_t range;  /* of the numbers that training draws from */
    uint64_t beyond; /* and of those that cases draw from */
    bool rising;     /* no number twice, in order */
    unsigned odd;    /* one token in this many is spelled in an unusual way; 0: none */
    unsigned labels;
    size_t cases;
} kind;

static int by_value(const void *a, const void *b) {
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static numbers draw_case(const kind *k, uint64_t range) {
    numbers x = {.count = below(MOST)};
    for (size_t n = 0; n < x.count; n++)
        x.at[n] = 1 + below(range);
    if (!k->rising)
        return x;
    qsort(x.at, x.count, sizeof *x.at, by_value);
    size_t kept = 0;
    for (size_t n = 0; n < x.count; n++)
        if (kept == 0 || x.at[kept - 1] != x.at[n])
            x.at[kept++] = x.at[n];
    x.count = kept;
    return x;
}

/* The features `n=1` of a case; text has room for all their keys. */
static void spell(const numbers *x, char text[MOST][24], hcbr_feature *out) {
    for (size_t n = 0; n < x->count; n++) {
        int length = snprintf(text[n], sizeof text[n], "%llu", (unsigned long long)x->at[n]);
        out[n] = (hcbr_feature){text[n], (size_t)length, "1", 1};
    }
}

static hcbr_model *train(const kind *k) {
    static const char *const labels[] = {"a", "b", "c"};
    hcbr_cases *cases;
    hcbr_model *model;
    hcbr_train_options o;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    for (size_t i = 0; i < k->cases; i++) {
        char text[MOST][24];
        hcbr_feature features[MOST];
        numbers x = draw_case(k, k->range);
        spell(&x, text, features);
        assert_int_equal(add_one_case(cases, features, x.count, labels[i % k->labels], NULL, NULL),
                         HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    assert_int_equal(hcbr_model_train(&model, cases, &o, NULL), HCBR_OK);
    hcbr_cases_free(cases);
    return model;
}

static void write_case(FILE *f, const kind *k, const numbers *x) {
    static const char *const ways[] = {" 00%llu:1", " %llu", " %llu:1.0", "\t%llu:1e0", "  %llu:1"};
    fputs("a", f);
    for (size_t n = 0; n < x->count; n++) {
        const char *way = " %llu:1";
        if (k->odd && below(k->odd) == 0)
            way = ways[below(sizeof ways / sizeof *ways)];
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
        fprintf(f, way, (unsigned long long)x->at[n]);
#pragma GCC diagnostic pop
    }
    fputs("\n", f);
}

static void compare(const hcbr_decision *found, const hcbr_decision *wanted) {
    assert_int_equal(found->label, wanted->label);
    assert_int_equal(found->winner, wanted->winner);
    assert_int_equal(found->reason, wanted->reason);
    assert_memory_equal(&found->lead, &wanted->lead, sizeof found->lead);
    assert_int_equal(found->known_count, wanted->known_count);
    assert_int_equal(found->feature_count, wanted->feature_count);
    assert_int_equal(found->unseen_count, wanted->unseen_count);
    assert_int_equal(found->label_count, wanted->label_count);
    assert_memory_equal(found->support, wanted->support,
                        found->label_count * sizeof *found->support);
    for (size_t n = 0; n < found->unseen_count; n++) {
        const hcbr_feature *a = &found->unseen[n], *b = &wanted->unseen[n];
        assert_int_equal(a->key_length, b->key_length);
        assert_memory_equal(a->key, b->key, a->key_length);
        assert_int_equal(a->value_length, b->value_length);
        assert_memory_equal(a->value, b->value, a->value_length);
    }
}

/* Decide random cases both ways; returns how many blocks the stream had to spell. */
static uint64_t check(const kind *k) {
    enum { CASES = 1500 };
    static numbers cases[CASES];
    char path[64];
    const char *paths[] = {path};
    hcbr_stream *stream;
    hcbr_model *model = train(k);
    hcbr_decider *by_stream = make_decider(model, NULL), *by_name = make_decider(model, NULL);
    snprintf(path, sizeof path, "/tmp/hcbr-numbers-%ld.libsvm", (long)getpid());
    FILE *f = fopen(path, "wb");
    assert_non_null(f);
    for (size_t i = 0; i < CASES; i++) {
        cases[i] = draw_case(k, k->beyond);
        write_case(f, k, &cases[i]);
    }
    assert_int_equal(fclose(f), 0);
    assert_int_equal(hcbr_stream_create(&stream, by_stream, paths, 1, NULL, NULL), HCBR_OK);
    for (size_t i = 0; i < CASES; i++) {
        char text[MOST][24];
        hcbr_feature features[MOST];
        hcbr_decision found = {.size = sizeof found}, wanted = {.size = sizeof wanted};
        int more;
        spell(&cases[i], text, features);
        assert_int_equal(
            hcbr_decider_decide(by_name, row_by(by_name, features, cases[i].count), &wanted, NULL),
            HCBR_OK);
        assert_int_equal(hcbr_stream_next(stream, &found, &more, NULL), HCBR_OK);
        assert_int_equal(more, 1);
        compare(&found, &wanted);
    }
    uint64_t spellings = by_stream->spellings;
    assert_true(by_stream->loads > 2);
    hcbr_stream_free(stream);
    unlink(path);
    hcbr_decider_free(by_stream);
    hcbr_decider_free(by_name);
    hcbr_model_free(model);
    return spellings;
}

static void numbers__that_rise_are_never_spelled(void **state) {
    (void)state;
    assert_int_equal(check(&(kind){300, 300, true, 0, 2, 200}), 0);
    assert_int_equal(check(&(kind){20000, 20000, true, 0, 2, 3000}), 0); /* more than is cached */
    assert_int_equal(check(&(kind){300, 9999999, true, 0, 2, 200}), 0);  /* hardly one is known */
}

static void numbers__may_fall_and_stand_twice(void **state) {
    (void)state;
    assert_true(check(&(kind){300, 300, false, 0, 2, 200}) > 0);
    check(&(kind){20000, 30000, false, 0, 2, 3000});
}

static void numbers__may_be_large_and_sparse(void **state) {
    (void)state;
    assert_true(check(&(kind){9999999, 9999999, true, 0, 2, 300}) > 0);
    check(&(kind){UINT64_C(1) << 31, UINT64_C(1) << 31, true, 0, 2, 300});
}

static void numbers__may_be_spelled_in_any_way(void **state) {
    (void)state;
    check(&(kind){300, 400, true, 5, 2, 200});
    check(&(kind){300, 400, true, 2000, 2, 200});
    check(&(kind){300, 400, false, 2000, 2, 200});
}

static void numbers__of_many_labels_are_looked_up(void **state) {
    (void)state;
    assert_int_equal(check(&(kind){300, 400, true, 0, 3, 200}), 0);
}

int main(void) {
    seed = test_seed_fresh();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers__that_rise_are_never_spelled),
        cmocka_unit_test(numbers__may_fall_and_stand_twice),
        cmocka_unit_test(numbers__may_be_large_and_sparse),
        cmocka_unit_test(numbers__may_be_spelled_in_any_way),
        cmocka_unit_test(numbers__of_many_labels_are_looked_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
