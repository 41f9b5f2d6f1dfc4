/*
 * The partition by signatures against partition refinement, with signatures cut to 8, 16 and 24
 * bits so that different features collide: the result must be exact all the same.
 */
#include "add_case.h"
#include "plain/plain.h"
#include "rounds.h"

#include <hcbr/cases.h>

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* A case base as lists of features, and what refinement says of it. */
typedef struct sample {
    uint32_t features, cases;
    uint64_t *start;   /* cases + 1 */
    uint32_t *feature; /* distinct within a case */
    uint32_t *block;   /* of each feature, by refinement; UINT32_MAX if no case has it */
} sample;

static uint64_t next(uint64_t *state) {
    uint64_t x = *state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    x = (x ^ (x >> 32)) * 0xD6E8FEB86659FD93u;
    return x ^ (x >> 32);
}

static void *get(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    assert_non_null(block);
    return block;
}

static void sample_clear(sample *s) {
    free(s->start);
    free(s->feature);
    free(s->block);
}

/* Most blocks refinement can number: each occurrence opens at most one. */
static size_t block_limit(const sample *s) {
    return s->start[s->cases] + 1;
}

/* Every case in turn takes its features out of their blocks into new ones. */
static void refine(sample *s) {
    uint32_t blocks = 1;
    uint32_t *moved = get(block_limit(s), sizeof *moved), *met = get(block_limit(s), sizeof *met);
    s->block = get(s->features, sizeof *s->block);
    for (uint32_t i = 0; i < s->cases; i++) {
        for (uint64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            uint32_t *b = &s->block[s->feature[k]];
            if (met[*b] != i + 1) { /* first feature of this block in this case */
                met[*b] = i + 1;
                moved[*b] = blocks++;
            }
            *b = moved[*b];
        }
    }
    for (uint32_t f = 0; f < s->features; f++)
        if (s->block[f] == 0)
            s->block[f] = UINT32_MAX;
    free(moved);
    free(met);
}

static hcbr_cases *make_cases(const sample *s) {
    hcbr_cases *cases = NULL;
    hcbr_error err = {0};
    hcbr_feature *list = get(s->features, sizeof *list);
    char(*name)[12] = get(s->features, sizeof *name);
    assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
    for (uint32_t i = 0; i < s->cases; i++) {
        size_t n = 0;
        for (uint64_t k = s->start[i]; k < s->start[i + 1]; k++, n++) {
            snprintf(name[n], sizeof name[n], "%u", s->feature[k]);
            list[n] = (hcbr_feature){name[n], strlen(name[n]), NULL, 0};
        }
        assert_int_equal(add_one_case(cases, list, n, i % 2 ? "a" : "b", NULL, &err), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
    free(list);
    free(name);
    return cases;
}

/* Atoms and blocks name the same groups; sizes, degrees and numbering are as promised. */
static void expect_atoms(const hcbr_i_atoms *atoms, const sample *s, const uint32_t *number) {
    uint32_t *block = get(atoms->count, sizeof *block), *size = get(atoms->count, sizeof *size);
    uint32_t *first = get(atoms->count, sizeof *first), *degree = get(s->features, sizeof *degree);
    uint32_t blocks = 0, *seen = get(block_limit(s), sizeof *seen);
    memset(first, 0xFF, atoms->count * sizeof *first);
    for (uint64_t k = 0; k < s->start[s->cases]; k++)
        degree[s->feature[k]]++;
    for (uint32_t f = 0; f < s->features; f++) {
        if (s->block[f] == UINT32_MAX)
            continue;
        uint32_t e = atoms->of[number[f]];
        assert_in_range(e, 0, atoms->count - 1);
        if (size[e]++ == 0)
            block[e] = s->block[f];
        assert_int_equal(block[e], s->block[f]);
        assert_int_equal(atoms->degree[e], degree[f]);
        blocks += seen[s->block[f]]++ == 0;
        if (number[f] < first[e])
            first[e] = number[f];
    }
    assert_int_equal(atoms->count, blocks); /* with the above: the same groups */
    for (uint32_t e = 0; e < atoms->count; e++) {
        assert_int_equal(atoms->size[e], size[e]);
        if (e > 0) {
            assert_true(atoms->degree[e - 1] >= atoms->degree[e]);
            if (atoms->degree[e - 1] == atoms->degree[e])
                assert_true(first[e - 1] < first[e]);
        }
    }
    free(block);
    free(size);
    free(first);
    free(degree);
    free(seen);
}

/* Each case projects to the distinct atoms of its features. */
static void expect_projections(const hcbr_i_atoms *atoms, const hcbr_i_projections *p,
                               const sample *s, const uint32_t *number) {
    uint32_t *mark = get(atoms->count, sizeof *mark);
    assert_int_equal(p->case_count, s->cases);
    for (uint32_t i = 0; i < s->cases; i++) {
        uint64_t distinct = 0;
        for (uint64_t k = p->start[i]; k < p->start[i + 1]; k++) {
            assert_true(mark[p->atoms[k]] != i + 1);
            mark[p->atoms[k]] = i + 1;
            distinct += atoms->size[p->atoms[k]];
        }
        assert_int_equal(distinct, s->start[i + 1] - s->start[i]);
        for (uint64_t k = s->start[i]; k < s->start[i + 1]; k++)
            assert_int_equal(mark[atoms->of[number[s->feature[k]]]], i + 1);
    }
    free(mark);
}

/* Build with cut signatures and compare; returns how often hashes were drawn. */
static uint32_t expect_exact_as(sample *s, uint64_t mask, uint32_t threads, bool in_place) {
    hcbr_cases *cases = make_cases(s);
    uint32_t attempts = 0, count = 0;
    hcbr_i_partition_options options = {
        .threads = threads, .in_place = in_place, .forged_mask = mask, .attempts = &attempts};
    hcbr_i_atoms atoms = {0};
    hcbr_i_projections projections = {0};
    hcbr_error err = {0};
    uint32_t *number = get(s->features, sizeof *number); /* features by first appearance */
    memset(number, 0xFF, s->features * sizeof *number);
    for (uint64_t k = 0; k < s->start[s->cases]; k++)
        if (number[s->feature[k]] == UINT32_MAX)
            number[s->feature[k]] = count++;
    if (hcbr_i_partition_build(&atoms, &projections, cases, &options, &err) != HCBR_OK)
        fail_msg("%s", err.message);
    assert_int_equal(atoms.feature_count, count);
    if (!s->block)
        refine(s);
    expect_atoms(&atoms, s, number);
    expect_projections(&atoms, &projections, s, number);
    hcbr_i_atoms_clear(&atoms);
    hcbr_i_projections_clear(&projections);
    hcbr_cases_free(cases);
    free(number);
    return attempts;
}

/* The same, apart from the features of the case base and written over them. */
static uint32_t expect_exact(sample *s, uint64_t mask, uint32_t threads) {
    uint32_t attempts = expect_exact_as(s, mask, threads, false);
    assert_int_equal(expect_exact_as(s, mask, threads, true) > 1, attempts > 1);
    return attempts;
}

/* Cases of random features, some of which follow each other everywhere. */
static sample draw(uint64_t seed, uint32_t most_features, uint32_t most_cases) {
    uint64_t state = seed;
    sample s = {.features = 1 + (uint32_t)(next(&state) % most_features),
                .cases = 1 + (uint32_t)(next(&state) % most_cases)};
    uint64_t density = 1 + next(&state) % 15, n = 0;
    uint32_t *leader = get(s.features, sizeof *leader);
    bool *in = get(s.features, sizeof *in);
    s.start = get(s.cases + 1, sizeof *s.start);
    s.feature = get((size_t)s.features * s.cases, sizeof *s.feature);
    for (uint32_t f = 0; f < s.features; f++)
        leader[f] = f > 0 && next(&state) % 3 == 0 ? leader[next(&state) % f] : f;
    for (uint32_t i = 0; i < s.cases; i++) {
        for (uint32_t f = 0; f < s.features; f++)
            in[f] = leader[f] == f ? next(&state) % 16 < density : in[leader[f]];
        for (uint32_t f = 0; f < s.features; f++)
            if (in[f])
                s.feature[n++] = f;
        s.start[i + 1] = n;
    }
    free(leader);
    free(in);
    return s;
}

/* A feature for every pair of cases: all of degree 2, no two alike. */
static sample pairs(uint32_t cases) {
    sample s = {.features = cases * (cases - 1) / 2, .cases = cases};
    uint64_t n = 0;
    s.start = get(cases + 1, sizeof *s.start);
    s.feature = get((size_t)s.features * 2, sizeof *s.feature);
    for (uint32_t i = 0; i < cases; i++) {
        for (uint32_t a = 0, f = 0; a < cases; a++)
            for (uint32_t b = a + 1; b < cases; b++, f++)
                if (a == i || b == i)
                    s.feature[n++] = f;
        s.start[i + 1] = n;
    }
    return s;
}

static void partition__equals_refinement(void **state) {
    (void)state;
    const uint64_t seed = 11;
    print_message("seed %" PRIu64 "\n", seed);
    for (uint64_t k = 0; k < 400; k++) {
        sample s = draw(seed + k * 1000, k < 300 ? 60 : 600, k % 2 ? 200 : 12);
        assert_int_equal(expect_exact(&s, 0, 1 + (uint32_t)k % 4), 1);
        sample_clear(&s);
    }
}

/* With 8 bits many case bases collide; whatever happens the atoms are right. */
static void partition__survives_random_collisions(void **state) {
    (void)state;
    const uint64_t seed = 12;
    uint32_t again = 0;
    print_message("seed %" PRIu64 "\n", seed);
    for (uint64_t k = 0; k < test_rounds(300); k++) {
        sample s = draw(seed + k * 1000, 600, k % 2 ? 200 : 12);
        again += expect_exact(&s, 0xFF, 1 + (uint32_t)k % 4) > 1;
        sample_clear(&s);
    }
    assert_true(again > test_rounds(30));
}

static void partition__is_exact_when_signatures_collide(void **state) {
    (void)state;
    /* pairs of 64, 64 and 220 cases: 2016, 2016 and 24090 features of equal degree */
    static const struct {
        uint64_t mask;
        uint32_t cases;
    } forged[] = {{0xFF, 64}, {0xFFFF, 64}, {0xFFFFFF, 220}};
    for (size_t k = 0; k < sizeof forged / sizeof *forged; k++) {
        sample s = pairs(forged[k].cases);
        for (uint32_t threads = 1; threads <= 3; threads++)
            assert_true(expect_exact(&s, forged[k].mask, threads) > 1);
        assert_int_equal(expect_exact(&s, 0, 2), 1);
        sample_clear(&s);
    }
}

/* No features at all, and one case of one feature. */
static void partition__handles_the_smallest_bases(void **state) {
    (void)state;
    for (uint64_t n = 0; n < 2; n++) {
        sample s = {.features = 1, .cases = 1};
        s.start = get(2, sizeof *s.start);
        s.feature = get(1, sizeof *s.feature);
        s.start[1] = n;
        assert_int_equal(expect_exact(&s, 0, 1), 1);
        sample_clear(&s);
    }
}

/* An hcbr_progress_fn: stops when the number that context points to has come down to 0. */
static int stop_later(void *context, const char *stage, uint64_t done, uint64_t total) {
    uint32_t *left = context;
    assert_string_equal(stage, "partition");
    assert_true(done <= total);
    return --*left == 0;
}

/* Stopped at any question: no atoms, and the list is as it was. In place it can only be released,
 * since projections are written over it at last. */
static uint32_t stop_everywhere(const sample *s, bool in_place) {
    hcbr_status st = HCBR_ECANCELLED;
    uint32_t asked = 0;
    while (st == HCBR_ECANCELLED) {
        hcbr_cases *cases = make_cases(s);
        const uint64_t occurrences = cases->start[cases->case_count];
        uint32_t *before = get(occurrences, sizeof *before), left = ++asked;
        memcpy(before, cases->features, occurrences * sizeof *before);
        hcbr_i_partition_options options = {
            .threads = 2, .in_place = in_place, .progress = stop_later, .progress_context = &left};
        hcbr_i_atoms atoms = {0};
        hcbr_i_projections projections = {0};
        hcbr_error err = {0};
        st = hcbr_i_partition_build(&atoms, &projections, cases, &options, &err);
        assert_int_equal(st, left == 0 ? HCBR_ECANCELLED : HCBR_OK); // no further progress call
        assert_int_equal(st, err.status);
        if (st == HCBR_ECANCELLED) { // nothing is half-done
            assert_null(atoms.of);
            assert_null(projections.atoms);
        }
        if (!in_place)
            assert_memory_equal(before, cases->features, occurrences * sizeof *before);
        hcbr_i_atoms_clear(&atoms);
        hcbr_i_projections_clear(&projections);
        hcbr_cases_free(cases);
        free(before);
    }
    assert_int_equal(st, HCBR_OK);
    return asked;
}

static void partition__stops_when_asked_to(void **state) {
    (void)state;
    sample s = draw(5, 600, 40);
    // signatures (3), digest (2), groups (3), numbers, projections: each asks
    assert_true(stop_everywhere(&s, false) > 10);
    assert_true(stop_everywhere(&s, true) > 10);
    sample_clear(&s);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(partition__equals_refinement),
        cmocka_unit_test(partition__survives_random_collisions),
        cmocka_unit_test(partition__is_exact_when_signatures_collide),
        cmocka_unit_test(partition__handles_the_smallest_bases),
        cmocka_unit_test(partition__stops_when_asked_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
