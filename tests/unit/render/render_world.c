/*
 * Models and cases whose names hold every kind of character.
 */
#include "render_world.h"
#include "explain/explainer.h"
#include "row_of.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

enum { CASES = 60 };

static const char *const LABELS[] = {"unknown", "<b>&\"'", "\xE2\x80\xAE\x01\n"};

const hcbr_feature world_case[WORLD_FEATURES] = {
    {"x", 1, "3", 1},
    {"<script>\"&'", 11, "\\\t\x7F\xC2\x85", 5},
    {"never\xEF\xBB\xBF", 8, NULL, 0},
};

static hcbr_cases *make_cases(void) {
    hcbr_cases *cases;
    hcbr_error err;
    assert_int_equal(hcbr_cases_create(&cases, 0, &err), HCBR_OK);
    for (unsigned i = 0; i < CASES; i++) {
        char number[8], id[16];
        uint64_t r = hcbr_i_mix(i + 1);
        int length = snprintf(number, sizeof number, "%d", (int)(r % 9));
        hcbr_feature f[3] = {
            {"x", 1, number, (size_t)length}, world_case[1], {"\xF0\x9F\x98\x80", 4, "z", 1}};
        snprintf(id, sizeof id, "\"id\n%u", i);
        const char *label = LABELS[r % 9 < 4 ? 0 : r % 9 < 7 ? 1 : 2];
        hcbr_labelled_case one;
        hcbr_labelled_case_init(&one);
        one.features = f + (i % 3 == 0);
        one.feature_count = 2;
        one.label = label;
        one.id = i % 2 ? id : NULL;
        assert_int_equal(hcbr_cases_add(cases, &one, &err), HCBR_OK);
    }
    assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
    return cases;
}

render_world world_make(hcbr_model_kind kind, hcbr_keep keep) {
    render_world world = {.cases = make_cases()};
    hcbr_train_options o;
    hcbr_error err = {0};
    hcbr_train_options_init(&o);
    o.model = kind;
    o.keep = keep;
    if (hcbr_model_train(&world.model, world.cases, &o, &err) != HCBR_OK ||
        hcbr_explainer_create(&world.explainer, world.model, NULL, NULL, &err) != HCBR_OK ||
        hcbr_row_create(&world.row, world.explainer->decider, world_case, WORLD_FEATURES, &err) !=
            HCBR_OK)
        fail_msg("%s", err.message);
    return world;
}

void world_free(render_world *w) {
    hcbr_row_free(w->row);
    hcbr_explainer_free(w->explainer);
    hcbr_model_free(w->model);
    hcbr_cases_free(w->cases);
}

static hcbr_status write_explanation(const render_world *world, hcbr_writer *w, hcbr_form form,
                                     const hcbr_explanation *e, hcbr_error *err) {
    const hcbr_explained_row row = {
        .size = sizeof row, .decision = e->decision, .explanation = e, .row = world->row};
    return hcbr_write_explanation(w, form, world->model, &row, err);
}

static hcbr_status write_reasons(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_explainer *x = world->explainer;
    hcbr_status st;
    if ((st = hcbr_explainer_explain(x, world->row, NULL, &e, err)) != HCBR_OK ||
        (st = write_explanation(world, w, HCBR_JSON, &e, err)) != HCBR_OK)
        return st;
    if (hcbr_model_kept_count(world->model) > 0 &&
        ((st = hcbr_explainer_compare(x, world->row, 1, 1, &c, err)) != HCBR_OK ||
         (st = hcbr_write_comparison(w, HCBR_JSON, world->model, &c, err)) != HCBR_OK))
        return st;
    if ((st = hcbr_explainer_flip(x, world->row, NULL, &f, err)) != HCBR_OK ||
        (st = hcbr_write_flips(w, HCBR_JSON, world->model, &f, err)) != HCBR_OK ||
        (st = hcbr_explainer_ask(x, world->row, 5, &q, err)) != HCBR_OK ||
        (st = hcbr_write_questions(w, HCBR_JSON, world->model, &q, err)) != HCBR_OK)
        return st;
    return hcbr_write_end(w, HCBR_JSON, err);
}

static hcbr_status write_decision(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_decider *decider;
    hcbr_decision d = {.size = sizeof d};
    hcbr_status st = hcbr_decider_create(&decider, world->model, NULL, err);
    if (st == HCBR_OK && (st = hcbr_decider_decide(decider, world->row, &d, err)) == HCBR_OK)
        st = hcbr_write_decision(w, HCBR_JSON, world->model, &d, err);
    hcbr_decider_free(decider);
    return st;
}

static hcbr_status write_evaluation(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_evaluate_options o;
    hcbr_train_options train;
    hcbr_evaluation *result;
    hcbr_evaluate_options_init(&o);
    hcbr_train_options_init(&train);
    train.model = HCBR_MODEL_PLAIN;
    o.train = &train;
    o.folds = 3;
    o.keep_answers = 1;
    hcbr_status st = hcbr_evaluate(&result, world->cases, &o, err);
    if (st == HCBR_OK && (st = hcbr_json_evaluation(w, result, 7, err)) == HCBR_OK)
        st = hcbr_json_answers(w, result, 0, err);
    hcbr_evaluation_free(result);
    return st;
}

static hcbr_status write_audit(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_audit *audit;
    hcbr_status st = hcbr_audit_create(&audit, world->cases, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_json_audit(w, audit, err);
    hcbr_audit_free(audit);
    return st;
}

static hcbr_status write_model(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_status st = hcbr_json_inspection(w, world->model, 3, err);
    if (st != HCBR_OK)
        return st;
    const bool kept = hcbr_model_kept_count(world->model) > 0;
    return hcbr_json_inspect_one(w, world->model, NULL, 1, kept ? 3 : UINT64_MAX, 2, err);
}

hcbr_status world_write(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_status st;
    if ((st = write_decision(world, w, err)) != HCBR_OK ||
        (st = write_reasons(world, w, err)) != HCBR_OK ||
        (st = write_audit(world, w, err)) != HCBR_OK ||
        (st = write_model(world, w, err)) != HCBR_OK)
        return st;
    return write_evaluation(world, w, err);
}

hcbr_status world_write_page(const render_world *world, hcbr_writer *w, hcbr_error *err) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_explainer *x = world->explainer;
    hcbr_page_options page;
    hcbr_status st;
    hcbr_page_options_init(&page);
    page.name = "</bdi><i>";
    page.top = 1;
    hcbr_writer_set_page(w, &page);
    if ((st = hcbr_html_begin(w, world->model, err)) != HCBR_OK ||
        (st = hcbr_explainer_explain(x, world->row, NULL, &e, err)) != HCBR_OK ||
        (st = write_explanation(world, w, HCBR_HTML, &e, err)) != HCBR_OK)
        return st;
    if (hcbr_model_kept_count(world->model) > 0 &&
        ((st = hcbr_explainer_compare(x, world->row, 1, 1, &c, err)) != HCBR_OK ||
         (st = hcbr_write_comparison(w, HCBR_HTML, world->model, &c, err)) != HCBR_OK))
        return st;
    if ((st = hcbr_explainer_flip(x, world->row, NULL, &f, err)) != HCBR_OK ||
        (st = hcbr_write_flips(w, HCBR_HTML, world->model, &f, err)) != HCBR_OK ||
        (st = hcbr_explainer_ask(x, world->row, 5, &q, err)) != HCBR_OK ||
        (st = hcbr_write_questions(w, HCBR_HTML, world->model, &q, err)) != HCBR_OK ||
        (st = hcbr_write_end(w, HCBR_HTML, err)) != HCBR_OK)
        return st;
    return hcbr_html_end(w, err);
}
