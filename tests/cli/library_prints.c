// What the program prints, made by the library alone.
//
// usage: library_prints predict|explain|html|inspect MODEL DATA
//        library_prints evaluate|audit DATA
#include <hcbr/hcbr.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static hcbr_error err;

static void check(hcbr_status status) {
    if (status == HCBR_OK)
        return;
    fprintf(stderr, "%s:%llu: %s\n", err.file, (unsigned long long)err.line, err.message);
    exit(1);
}

static int print(void *context, const char *bytes, size_t count) {
    return fwrite(bytes, 1, count, context) != count;
}

static hcbr_cases *read_cases(const char *path) {
    hcbr_cases *cases;
    check(hcbr_cases_create(&cases, 0, &err));
    check(hcbr_cases_read(cases, &path, 1, NULL, &err));
    check(hcbr_cases_finish(cases, &err));
    return cases;
}

static void evaluate(hcbr_writer *w, const char *path) {
    hcbr_cases *cases = read_cases(path);
    hcbr_train_options train;
    hcbr_evaluate_options options;
    hcbr_evaluation *result;
    hcbr_train_options_init(&train);
    hcbr_evaluate_options_init(&options);
    train.model = HCBR_MODEL_PLAIN;
    options.train = &train;
    check(hcbr_evaluate(&result, cases, &options, &err));
    check(hcbr_json_evaluation(w, result, hcbr_cases_get_info(cases).skipped, &err));
    hcbr_evaluation_free(result);
    hcbr_cases_free(cases);
}

static void audit(hcbr_writer *w, const char *path) {
    hcbr_cases *cases = read_cases(path);
    hcbr_audit_options options;
    hcbr_audit *result;
    hcbr_audit_options_init(&options);
    options.most = 5; // as the program has it
    check(hcbr_audit_create(&result, cases, &options, &err));
    check(hcbr_json_audit(w, result, &err));
    hcbr_audit_free(result);
    hcbr_cases_free(cases);
}

// The reasons for one row and all that can stand beside them.
static void explain(hcbr_writer *w, const hcbr_model *model, hcbr_explainer *x, hcbr_stream *stream,
                    const hcbr_decision *d, hcbr_form form) {
    hcbr_explained_row row = {.size = sizeof row, .decision = d, .explainer = x};
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_explain_options options;
    hcbr_explain_options_init(&options);
    options.columns = options.atoms; // as the program does
    if (form == HCBR_HTML) {
        options.atoms = 200;
        options.atom_cases = 0;
    }
    check(hcbr_stream_get_row(stream, &row.row, &err));
    check(hcbr_explainer_explain(x, row.row, &options, &e, &err));
    row.explanation = &e;
    check(hcbr_write_explanation(w, form, model, &row, &err));
    check(hcbr_explainer_compare(x, row.row, 2, 1, &c, &err));
    check(hcbr_write_comparison(w, form, model, &c, &err));
    check(hcbr_explainer_flip(x, row.row, NULL, &f, &err));
    check(hcbr_write_flips(w, form, model, &f, &err));
    check(hcbr_explainer_ask(x, row.row, 10, &q, &err));
    check(hcbr_write_questions(w, form, model, &q, &err));
    check(hcbr_write_end(w, form, &err));
    hcbr_row_free(row.row);
}

static void decide(hcbr_writer *w, const char *what, const hcbr_model *model, const char *name,
                   const char *path) {
    int html = strcmp(what, "html") == 0, more;
    hcbr_read_options read;
    hcbr_decider *decider;
    hcbr_explainer *explainer;
    hcbr_stream *stream;
    hcbr_decision d = {.size = sizeof d};
    hcbr_model_get_read_options(model, &read); // nothing but what the model knows
    check(hcbr_decider_create(&decider, model, NULL, &err));
    check(hcbr_explainer_create(&explainer, model, NULL, NULL, &err));
    check(hcbr_stream_create(&stream, decider, &path, 1, &read, &err));
    hcbr_page_options page;
    hcbr_page_options_init(&page);
    page.name = name;
    page.data = path;
    hcbr_writer_set_page(w, &page);
    if (html)
        check(hcbr_html_begin(w, model, &err));
    for (;;) {
        check(hcbr_stream_next(stream, &d, &more, &err));
        if (!more)
            break;
        if (strcmp(what, "predict") == 0)
            check(hcbr_write_decision(w, HCBR_JSON, model, &d, &err));
        else
            explain(w, model, explainer, stream, &d, html ? HCBR_HTML : HCBR_JSON);
    }
    if (html)
        check(hcbr_html_end(w, &err));
    hcbr_stream_free(stream);
    hcbr_explainer_free(explainer);
    hcbr_decider_free(decider);
}

int main(int argc, char **argv) {
    hcbr_writer *w;
    hcbr_model *model = NULL;
    const char *what = argc > 2 ? argv[1] : "";
    check(hcbr_writer_create(&w, print, stdout, &err));
    if (strcmp(what, "evaluate") == 0) {
        evaluate(w, argv[2]);
    } else if (strcmp(what, "audit") == 0) {
        audit(w, argv[2]);
    } else if (argc == 4) {
        check(hcbr_model_load(&model, argv[2], &err));
        if (strcmp(what, "inspect") == 0)
            check(hcbr_json_inspection(w, model, 10, &err));
        else
            decide(w, what, model, argv[2], argv[3]);
    } else {
        return 2;
    }
    hcbr_model_free(model);
    hcbr_writer_free(w);
    return 0;
}
