/*
 * A damaged rich section is refused, or gives a model that can be used: checksums are made right,
 * so that only the structural check can refuse it.
 */
#include "engines.h"
#include "rounds.h"
#include "row_of.h"
#include "unit/model/model_sample.h"
#include "unit/rich/rich_support.h"

#include <hcbr/decision.h>

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum { CASES = 90 };

static void use(const hcbr_model *model, const rich_case *cases) {
    hcbr_decider *d;
    assert_int_equal(hcbr_decider_create(&d, model, NULL, NULL), HCBR_OK);
    for (uint32_t i = 0; i < CASES; i++) {
        char text[8][16];
        hcbr_feature features[8];
        hcbr_decision x = {.size = sizeof x};
        size_t n = rich_case_features(&cases[i], features, text);
        assert_int_equal(hcbr_decider_decide(d, row_by(d, features, n), &x, NULL), HCBR_OK);
    }
    hcbr_decider_free(d);
}

static void rich_file__damaged_is_refused_or_usable(void **state) {
    (void)state;
    uint64_t random = 99, refused = 0, usable = 0;
    print_message("seed %llu\n", (unsigned long long)random);
    static const uint32_t LABELS[] = {2, 3, 70}; // 70 are listed
    for (size_t way = 0; way < sizeof LABELS / sizeof *LABELS; way++) {
        uint32_t labels = LABELS[way];
        rich_case drawn[CASES];
        void *bytes;
        size_t size;
        rich_cases_draw(drawn, CASES, labels, &random);
        for (uint32_t i = 0; labels > 3 && i < labels; i++)
            drawn[i].label = i; // all of them
        hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_model *model =
            rich_model_train(cases, labels > 3 ? HCBR_EFFORT_LITE : HCBR_EFFORT_NORMAL, 1, NULL);
        assert_int_equal(!hcbr_i_model_rich(model)->linear.strength, labels > 3);
        assert_int_equal(hcbr_model_serialize(model, &bytes, &size, NULL), HCBR_OK);
        pieces p = pieces_take(bytes, size);
        uint32_t rich = pieces_find(&p, HCBR_I_RICH);
        for (uint32_t round = 0; round < test_rounds(3000); round++) {
            size_t at = rich_draw(&random) % (round % 3 ? p.length[rich] - 3 : 2000) & ~(size_t)3;
            unsigned char before[4], *place = p.bytes[rich] + at;
            static const uint32_t VALUES[] = {0, 1, 2, 255, 256, 0x7FFFFFFF, UINT32_MAX};
            uint32_t pick = (uint32_t)(rich_draw(&random) % 9);
            memcpy(before, place, 4);
            put_value(place, 4,
                      pick < 7 ? VALUES[pick] : rich_draw(&random) >> (32 + pick % 2 * 24));
            size_t whole;
            unsigned char *file = pieces_join(&p, &whole);
            hcbr_model *loaded;
            hcbr_status st = hcbr_model_parse(&loaded, file, whole, NULL);
            assert_true(st == HCBR_OK || st == HCBR_EFORMAT);
            if (st == HCBR_OK) {
                use(loaded, drawn);
                usable++;
            } else {
                refused++;
            }
            hcbr_model_free(loaded);
            free(file);
            memcpy(place, before, 4);
        }
        for (uint32_t cut = 1; cut <= 64; cut++) { // bytes too few or too many
            pieces_resize(&p, rich, p.length[rich] + (cut == 1 ? 1 : (size_t)-1));
            size_t whole;
            unsigned char *file = pieces_join(&p, &whole);
            hcbr_model *loaded;
            if (cut != 2) // that one takes back the byte added before
                assert_int_equal(hcbr_model_parse(&loaded, file, whole, NULL), HCBR_EFORMAT);
            free(file);
        }
        pieces_clear(&p);
        hcbr_bytes_free(bytes);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
    print_message("%llu refused, %llu usable\n", (unsigned long long)refused,
                  (unsigned long long)usable);
    assert_true(refused > test_rounds(500) && usable > test_rounds(100));
}

/* Is this number looked at before anything is written? */
static void refuses_to_write(const hcbr_model *model, double *number, double least, double most) {
    const double before = *number, wrong[] = {NAN, INFINITY, -INFINITY, least, most};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        void *bytes;
        size_t size;
        hcbr_error err;
        char path[] = "/tmp/hcbr-rich-XXXXXX";
        int file = mkstemp(path);
        assert_true(file >= 0);
        assert_int_equal(write(file, "old", 3), 3);
        *number = wrong[i];
        assert_int_equal(hcbr_model_serialize(model, &bytes, &size, &err), HCBR_EFORMAT);
        assert_null(bytes);
        assert_non_null(strstr(err.message, "could not be loaded"));
        assert_int_equal(hcbr_model_save(model, path, &err), HCBR_EFORMAT);
        assert_int_equal(lseek(file, 0, SEEK_END), 3); // what was there still is
        close(file);
        unlink(path);
    }
    *number = before;
}

static void rich_model__that_could_not_be_loaded_is_not_written(void **state) {
    (void)state;
    for (uint32_t labels = 2; labels <= 3; labels++) {
        uint64_t random = 11;
        rich_case drawn[CASES];
        double weight[CASES];
        rich_cases_draw(drawn, CASES, labels, &random);
        for (uint32_t i = 0; i < CASES; i++)
            weight[i] = i % 2 ? 1 : 1e6;
        hcbr_cases *cases = rich_cases_make(drawn, CASES, NULL, NULL);
        hcbr_model *model = rich_model_train(cases, HCBR_EFFORT_NORMAL, 1, weight);
        hcbr_i_rich *r = hcbr_i_model_rich(model);
        uint32_t k = r->outputs;
        hcbr_i_rich_forest *last = &r->boosted.model[HCBR_I_RICH_FOLDS - 1];
        assert_non_null(r->kept.alpha_low);
        refuses_to_write(model, &r->stack.bias[k - 1], -1e19, 1e19);
        refuses_to_write(model, &r->stack.trust[2], -1e-9, 1e19);
        refuses_to_write(model, &r->stack.power, -1e-9, 1.001);
        refuses_to_write(model, &r->stack.scale, -1e-9, 1e19);
        refuses_to_write(model, &r->boosted.start[5 * k - 1], -1e19, 1e19);
        refuses_to_write(model, &last->values[last->leaf_count * k - 1], -1e19, 1e19);
        double *share = k == 1 ? &r->forest.values[r->forest.leaf_count - 1]
                               : &r->shares.rest[r->forest.leaf_count - 1];
        refuses_to_write(model, share, 0, k == 1 ? 1 : 1.5);
        refuses_to_write(model, &r->linear.strength[0], -1e19, 1e19);
        refuses_to_write(model, &r->encoder.cuts[0], NAN, INFINITY);
        refuses_to_write(model, &r->kept.scale, -1, 1e7);
        refuses_to_write(model, &r->kept.weight[CASES - 1], -1, 1e10);
        refuses_to_write(model, &model->rule.eta[0], -1, -2);
        float alpha = r->kept.alpha[0];
        r->kept.alpha[0] = NAN;
        assert_int_equal(hcbr_model_save(model, "/nowhere/at/all", NULL), HCBR_EFORMAT);
        r->kept.alpha[0] = alpha;
        r->kept.alpha_low[0] = 1e30F;
        assert_int_equal(hcbr_model_save(model, "/nowhere/at/all", NULL), HCBR_EFORMAT);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rich_file__damaged_is_refused_or_usable),
        cmocka_unit_test(rich_model__that_could_not_be_loaded_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
