/*
 * Limits of the supports of rich models: no case that differs only in the freed variables passes
 * them; and the changes of a case found with them are those found by trying all.
 */
#include "engines.h"
#include "rich/reasons/counterfactual.h"
#include "rich/score/support_bound.h"
#include "row_of.h"
#include "unit/explain/rich_sample.h"

#include <math.h>

#include <hcbr/explain.h>

/* Let everything go in which two rows differ, and something more. */
static void let_differences(hcbr_i_rich_bound *b, const hcbr_i_rich_encoder *e,
                            const hcbr_i_rich_row *x, const hcbr_i_rich_row *y, bool *open) {
    for (uint32_t v = 0; v < e->column_count + e->bag_count; v++) {
        uint32_t member = v - e->column_count;
        bool differs = v < e->column_count
                           ? x->codes[v] != y->codes[v]
                           : rich_sample_has(x, member) != rich_sample_has(y, member);
        open[v] = differs || sample_draw(8) == 0;
        if (open[v])
            assert_true(hcbr_i_rich_bound_let(b, v));
    }
}

static double least_lead(const rich_sample *s, const double *support, uint32_t label) {
    if (s->model->labels.count == 2)
        return label ? 2 * support[0] : -2 * support[0];
    double best = -INFINITY;
    for (uint32_t l = 0; l < s->model->labels.count; l++)
        if (l != label)
            best = fmax(best, support[l]);
    return support[label] - best;
}

static void bounds__are_never_passed(void **state) {
    (void)state;
    uint64_t close = 0, all = 0;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    for (uint32_t round = 0; round < 60; round++) {
        rich_sample s = {0};
        hcbr_i_rich_bound *b;
        hcbr_i_rich_scorer *scorer;
        double support[4], probability[4];
        bool open[600];
        rich_sample_make(&s, 20 + (uint32_t)sample_draw(100), HCBR_KEEP_NONE,
                         round % 3 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        const hcbr_i_rich_encoder *e = &hcbr_i_model_rich(s.model)->encoder;
        assert_true(e->column_count + e->bag_count <= 600);
        assert_int_equal(hcbr_i_rich_bound_create(&b, hcbr_i_model_rich(s.model), NULL), HCBR_OK);
        assert_int_equal(hcbr_i_rich_scorer_create(&scorer, hcbr_i_model_rich(s.model), NULL),
                         HCBR_OK);
        hcbr_decider *decider; // makes the model's features ready to be found
        assert_int_equal(hcbr_decider_create(&decider, s.model, NULL, NULL), HCBR_OK);
        hcbr_i_rich_row from = {.codes = hcbr_i_alloc(e->column_count, 1)};
        assert_non_null(from.codes);
        for (uint32_t d = 0; d < 40; d++) {
            hcbr_feature f[RICH_FEATURES], g[RICH_FEATURES];
            char text[2][RICH_FEATURES][RICH_TEXT];
            uint32_t unused, label = (uint32_t)sample_draw(s.model->labels.count);
            uint64_t visits = 0;
            rich_sample_encode(&s, f, sample_draw_case(f, text[0], s.labels, &unused), &from);
            hcbr_i_rich_row *to = hcbr_i_rich_scorer_row(scorer);
            rich_sample_encode(&s, g, sample_draw_case(g, text[1], s.labels, &unused), to);
            hcbr_i_rich_score(scorer, support, probability, NULL);
            let_differences(b, e, &from, to, open);
            double bound = hcbr_i_rich_bound_lead(b, &from, label, &visits);
            assert_true(bound <= least_lead(&s, support, label));
            for (uint32_t v = 0; v < e->column_count + e->bag_count; v++)
                if (open[v])
                    hcbr_i_rich_bound_hold(b, v);
            // with nothing let go it is the lead itself
            bound = hcbr_i_rich_bound_lead(b, to, label, &visits);
            double lead = least_lead(&s, support, label);
            assert_true(bound <= lead && visits > 0);
            close += bound >= lead - 1e-6 * (1 + fabs(lead));
            all++;
        }
        hcbr_i_rich_row_clear(&from);
        hcbr_decider_free(decider);
        hcbr_i_rich_scorer_free(scorer);
        hcbr_i_rich_bound_free(b);
        hcbr_model_free(s.model);
    }
    assert_true(close > all / 2); // of many labels each family takes the least by itself
}

static hcbr_feature changed(const hcbr_change *c) {
    return c->removed.key ? c->removed : c->added;
}

/* Do other flips change the same keys as this one, and, of one change, to the same value? */
static bool is_among(const hcbr_flip *flip, const hcbr_flips *others) {
    for (size_t n = 0; n < others->count; n++) {
        const hcbr_flip *other = &others->flips[n];
        size_t same = 0;
        for (size_t i = 0; i < flip->count; i++)
            for (size_t k = 0; k < other->count; k++) {
                hcbr_feature a = changed(&flip->changes[i]), b = changed(&other->changes[k]);
                same += a.key_length == b.key_length && !memcmp(a.key, b.key, a.key_length) &&
                        (flip->count > 1 || other->lead == flip->lead);
            }
        if (same >= flip->count)
            return true;
    }
    return false;
}

/* Sets of changes that are bounded are those that all are tried of. */
static void flips__bounded_are_those_of_all(void **state) {
    (void)state;
    uint64_t sizes[5] = {0}, fours = 0;
    print_message("seed %llu\n", (unsigned long long)sample_seed);
    // Four changes are rare: it goes on until some answer took them, or it is clear that none will.
    for (uint32_t round = 0; round < 60 || (fours == 0 && round < 1000); round++) {
        rich_sample s = {0};
        hcbr_explainer *x[2];
        rich_sample_make(&s, 20 + (uint32_t)sample_draw(100), HCBR_KEEP_NONE,
                         round % 3 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE);
        for (int i = 0; i < 2; i++)
            assert_int_equal(hcbr_explainer_create(&x[i], s.model, NULL, NULL, NULL), HCBR_OK);
        for (uint32_t d = 0; d < 10; d++) {
            static const char *const FIXED[] = {"x", "colour", "y"};
            hcbr_feature f[RICH_FEATURES];
            char text[RICH_FEATURES][RICH_TEXT];
            uint32_t label;
            hcbr_flips all = {.size = sizeof all}, some = {.size = sizeof some};
            hcbr_flip_options o;
            hcbr_flip_options_init(&o);
            o.most = 100;
            o.limit = UINT64_MAX;
            o.fixed = FIXED;
            o.fixed_count = (size_t)sample_draw(4);
            size_t n = sample_draw_case(f, text, s.labels, &label);
            assert_int_equal(hcbr_explainer_flip(x[0], row_of(x[0], f, n), &o, &all, NULL),
                             HCBR_OK);
            hcbr_i_flip_sets = 0;
            assert_int_equal(hcbr_explainer_flip(x[1], row_of(x[1], f, n), &o, &some, NULL),
                             HCBR_OK);
            hcbr_i_flip_sets = HCBR_I_FLIP_ALL;
            assert_int_equal(all.label, some.label);
            size_t size = all.count ? all.flips[0].count : 0;
            sizes[size <= HCBR_I_FLIP_EXACT ? size : HCBR_I_FLIP_EXACT + 1]++;
            if (size > HCBR_I_FLIP_EXACT) { // the rest is greedy, and sets of three are ruled out
                assert_int_equal(all.exact, size == HCBR_I_FLIP_EXACT + 1);
                fours += size == HCBR_I_FLIP_EXACT + 1;
                continue;
            }
            assert_true(some.exact == all.exact && (some.count > 0) == (all.count > 0));
            for (size_t i = 0; i < some.count; i++)
                assert_int_equal(some.flips[i].count, size);
            if (all.count >= HCBR_I_FLIP_KEEP || some.count >= HCBR_I_FLIP_KEEP)
                continue; // not all were kept
            assert_int_equal(some.count, all.count);
            // The columns are the same; of several changes the values need not be: those that are
            // found first are drawn nearer one after the other.
            for (size_t i = 0; i < some.count; i++)
                assert_true(is_among(&some.flips[i], &all));
        }
        for (int i = 0; i < 2; i++)
            hcbr_explainer_free(x[i]);
        hcbr_model_free(s.model);
    }
    print_message("flips of 1, 2, 3, more changes: %d %d %d %d; none: %d\n", (int)sizes[1],
                  (int)sizes[2], (int)sizes[3], (int)sizes[4], (int)sizes[0]);
    assert_true(sizes[2] > 0 && sizes[3] > 0 && fours > 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds__are_never_passed),
        cmocka_unit_test(flips__bounded_are_those_of_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
