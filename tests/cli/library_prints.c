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
    check(hcbr_json_evaluation(w, result, hcbr_cases_skipped_count(cases), &err));
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

/* The text of a row as it stands in the data, for pages; 0: there is none. */
static size_t find_text(const hcbr_cases *texts, const hcbr_explanation *e, uint64_t row,
                        hcbr_page_text *out) {
    hcbr_case c = {.size = sizeof c};
    if (!e->word_count)
        return 0;
    hcbr_cases_get(texts, row - 1, &c);
    for (size_t i = 0; i < c.feature_count; i++) {
        hcbr_feature f;
        hcbr_cases_get_feature(texts, c.features[i], &f);
        *out = (hcbr_page_text){"text", 4, f.value, f.value_length};
    }
    return 1;
}

// The reasons for one row and all that can stand beside them.
static void explain(hcbr_writer *w, const hcbr_model *model, hcbr_explainer *x, hcbr_stream *stream,
                    const hcbr_decision *d, const char *name, const hcbr_cases *texts, int html) {
    hcbr_page_text text;
    const hcbr_feature *features;
    size_t count;
    hcbr_explanation e = {.size = sizeof e};
    hcbr_comparison c = {.size = sizeof c};
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_explain_options options;
    hcbr_explain_options_init(&options);
    options.columns = options.atoms; // as the program does
    options.read = d;
    if (html) {
        options.atoms = 200;
        options.atom_cases = 0;
    }
    check(hcbr_stream_get_case(stream, &features, &count, &err));
    check(hcbr_explainer_explain(x, features, count, &options, &e, &err));
    if (html)
        hcbr_html_case(w, features, count, &text, find_text(texts, &e, d->row, &text));
    check(html ? hcbr_html_explanation(w, model, d, &e, &err)
               : hcbr_json_explanation(w, model, d, &e, &err));
    if (!html)
        check(hcbr_json_origin(w, model, name, &err));
    check(html ? hcbr_html_beside(w, model, x, features, count, &e, &err)
               : hcbr_json_beside(w, model, x, features, count, &e, &err));
    check(hcbr_explainer_compare(x, features, count, 2, &c, &err));
    check(html ? hcbr_html_comparison(w, model, &c, 10, &err)
               : hcbr_json_comparison(w, model, &c, &err));
    check(hcbr_explainer_flip(x, features, count, NULL, &f, &err));
    check(html ? hcbr_html_flips(w, model, &f, &err) : hcbr_json_flips(w, model, &f, &err));
    check(hcbr_explainer_ask(x, features, count, 10, &q, &err));
    check(html ? hcbr_html_questions(w, model, &q, &err) : hcbr_json_questions(w, model, &q, &err));
    check(html ? hcbr_html_end_case(w, &err) : hcbr_json_end(w, &err));
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
    check(hcbr_explainer_create(&explainer, model, NULL, &err));
    check(hcbr_stream_create(&stream, decider, &path, 1, &read, &err));
    hcbr_page_options page;
    hcbr_page_options_init(&page);
    page.data = path;
    hcbr_writer_set_page(w, &page);
    hcbr_cases *texts;
    hcbr_read_options whole = read;
    whole.text = NULL;
    whole.text_count = 0;
    whole.label_need = HCBR_LABEL_OPTIONAL;
    check(hcbr_cases_create(&texts, 0, &err));
    check(hcbr_cases_read(texts, &path, 1, &whole, &err));
    check(hcbr_cases_finish(texts, &err));
    if (html)
        check(hcbr_html_begin(w, model, name, &err));
    for (;;) {
        check(hcbr_stream_next(stream, &d, &more, &err));
        if (!more)
            break;
        if (strcmp(what, "predict") == 0)
            check(hcbr_json_decision(w, model, &d, &err));
        else
            explain(w, model, explainer, stream, &d, name, texts, html);
    }
    if (html)
        check(hcbr_html_end(w, &err));
    hcbr_cases_free(texts);
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
