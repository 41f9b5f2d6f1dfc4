// A structure of an older, shorter version: options are prepared and results are written as far as
// the caller says, and what lies behind is not touched; what the caller lacks has its default.
#include "base/base.h"

#include <hcbr/hcbr.h>

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

enum { MARK = 0xA5 };

static void expect_marks(const void *bytes, size_t from, size_t to) {
    for (size_t i = from; i < to; i++)
        assert_int_equal(((const unsigned char *)bytes)[i], MARK);
}

/* For every size that a caller may have: the start of the defaults, its own size, nothing more. A
   newer caller finds 0 in fields that are not known here. */
#define CHECK_INIT(type)                                                                           \
    do {                                                                                           \
        union {                                                                                    \
            type value;                                                                            \
            unsigned char bytes[sizeof(type) + 64];                                                \
        } full, some;                                                                              \
        memset(&full, MARK, sizeof full);                                                          \
        type##_init(&full.value);                                                                  \
        assert_int_equal(full.value.size, sizeof full.value);                                      \
        expect_marks(&full, sizeof full.value, sizeof full);                                       \
        for (size_t size = sizeof(size_t); size <= sizeof some; size++) {                          \
            memset(&some, MARK, sizeof some);                                                      \
            (type##_init)(&some.value, size);                                                      \
            assert_int_equal(some.value.size, size);                                               \
            size_t known = size < sizeof full.value ? size : sizeof full.value;                    \
            assert_memory_equal(some.bytes + sizeof size, full.bytes + sizeof size,                \
                                known - sizeof size);                                              \
            for (size_t i = known; i < size; i++)                                                  \
                assert_int_equal(some.bytes[i], 0);                                                \
            expect_marks(&some, size, sizeof some);                                                \
        }                                                                                          \
    } while (0)

static void init__writes_the_callers_bytes(void **state) {
    (void)state;
    CHECK_INIT(hcbr_read_options);
    CHECK_INIT(hcbr_labelled_case);
    CHECK_INIT(hcbr_memory_column);
    CHECK_INIT(hcbr_sparse);
    CHECK_INIT(hcbr_rule);
    CHECK_INIT(hcbr_tune_options);
    CHECK_INIT(hcbr_train_options);
    CHECK_INIT(hcbr_evaluate_options);
    CHECK_INIT(hcbr_audit_options);
    CHECK_INIT(hcbr_explain_options);
    CHECK_INIT(hcbr_flip_options);
    CHECK_INIT(hcbr_group_options);
}

/* ---- results --------------------------------------------------------------------------------- */

static hcbr_cases *make_cases(void) {
    hcbr_cases *cases;
    assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
    for (int i = 0; i < 60; i++) {
        const hcbr_feature f[] = {{"a", 1, &"0123456789"[i % 10], 1},
                                  {"b", 1, i % 3 ? "x" : "y", 1}};
        hcbr_labelled_case one;
        hcbr_labelled_case_init(&one);
        one.features = f;
        one.feature_count = 2;
        one.label = i % 10 < 5 ? "low" : "high";
        assert_int_equal(hcbr_cases_add(cases, &one, NULL), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    return cases;
}

/* Call with the whole structure, then with every shorter one: the same start, and no more. */
#define CHECK_RESULT(type, call)                                                                   \
    do {                                                                                           \
        type full, some, *out = &full;                                                             \
        memset(&full, 0, sizeof full);                                                             \
        full.size = sizeof full;                                                                   \
        call;                                                                                      \
        out = &some;                                                                               \
        for (size_t size = sizeof(size_t); size < sizeof some; size += 4) {                        \
            memset(&some, MARK, sizeof some);                                                      \
            some.size = size;                                                                      \
            call;                                                                                  \
            assert_int_equal(some.size, size);                                                     \
            expect_marks(&some, size, sizeof some);                                                \
        }                                                                                          \
    } while (0)
#define DONE(call) assert_int_equal(call, HCBR_OK)

static void results__are_written_as_far_as_asked(void **state) {
    (void)state;
    const hcbr_feature f[] = {{"a", 1, "7", 1}};
    hcbr_cases *cases = make_cases();
    hcbr_model *model;
    hcbr_decider *d;
    hcbr_explainer *x;
    hcbr_evaluation *e;
    hcbr_audit *audit;
    hcbr_train_options o;
    hcbr_evaluate_options held_out;
    hcbr_train_options_init(&o);
    o.effort = HCBR_EFFORT_LITE;
    hcbr_evaluate_options_init(&held_out);
    held_out.folds = 2;
    held_out.keep_answers = 1;
    held_out.train = &o;
    DONE(hcbr_audit_create(&audit, cases, NULL, NULL));
    DONE(hcbr_evaluate(&e, cases, &held_out, NULL));
    DONE(hcbr_model_train(&model, cases, &o, NULL));
    DONE(hcbr_decider_create(&d, model, NULL, NULL));
    DONE(hcbr_explainer_create(&x, model, NULL, NULL));
    CHECK_RESULT(hcbr_case, hcbr_cases_get(cases, 1, out));
    CHECK_RESULT(hcbr_estimate, DONE(hcbr_model_estimate(cases, &o, out, NULL)));
    CHECK_RESULT(hcbr_model_info, hcbr_model_get_info(model, out));
    CHECK_RESULT(hcbr_label_info, hcbr_model_get_label_info(model, 0, out));
    CHECK_RESULT(hcbr_column, hcbr_model_get_column(model, 0, out));
    CHECK_RESULT(hcbr_kept_case, hcbr_model_get_kept(model, 1, out));
    CHECK_RESULT(hcbr_decision, DONE(hcbr_decider_decide(d, f, 1, out, NULL)));
    CHECK_RESULT(hcbr_explanation, DONE(hcbr_explainer_explain(x, f, 1, NULL, out, NULL)));
    CHECK_RESULT(hcbr_comparison, DONE(hcbr_explainer_compare(x, f, 1, 2, out, NULL)));
    CHECK_RESULT(hcbr_flips, DONE(hcbr_explainer_flip(x, f, 1, NULL, out, NULL)));
    CHECK_RESULT(hcbr_questions, DONE(hcbr_explainer_ask(x, f, 1, 2, out, NULL)));
    CHECK_RESULT(hcbr_case_ranking, DONE(hcbr_explainer_rank(x, 2, out, NULL)));
    CHECK_RESULT(hcbr_group_ranking, DONE(hcbr_explainer_rank_groups(x, NULL, out, NULL)));
    CHECK_RESULT(hcbr_evaluation_info, hcbr_evaluation_get_info(e, out));
    CHECK_RESULT(hcbr_figure, hcbr_evaluation_get_figure(e, HCBR_METRIC_MCC, -1, out));
    CHECK_RESULT(hcbr_part_info, hcbr_evaluation_get_part(e, 0, out));
    CHECK_RESULT(hcbr_confusion, hcbr_evaluation_get_confusion(e, 0, out));
    CHECK_RESULT(hcbr_reliability, hcbr_evaluation_get_reliability(e, 0, out));
    CHECK_RESULT(hcbr_answer, hcbr_evaluation_get_answer(e, 0, out));
    CHECK_RESULT(hcbr_audit_figures, hcbr_audit_get_figures(audit, out));
    CHECK_RESULT(hcbr_finding, hcbr_audit_get(audit, 0, out));
    hcbr_explainer_free(x);
    hcbr_decider_free(d);
    hcbr_model_free(model);
    hcbr_evaluation_free(e);
    hcbr_audit_free(audit);
    hcbr_cases_free(cases);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(init__writes_the_callers_bytes),
        cmocka_unit_test(results__are_written_as_far_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
