/*
 * A program of an earlier version: it is compiled with the headers beside it, not with those of
 * today, and linked with the library of today. Every structure that it declares lies in front of
 * bytes that must stay as they are; elements of arrays are reached by their stride.
 */
#include <hcbr/hcbr.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "uses.c:%d: %s\n", __LINE__, #what);                                   \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)
#define OK(call)                                                                                   \
    do {                                                                                           \
        if ((call) != HCBR_OK) {                                                                   \
            fprintf(stderr, "uses.c:%d: %s: %s\n", __LINE__, #call, err.message);                  \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

enum { GUARD = 512, MARK = 0xA5, ROWS = 400 };

/* A structure and the bytes behind it. All of it is MARK at first, but for the size of a result. */
#define GUARDED(type, name)                                                                        \
    struct {                                                                                       \
        type value;                                                                                \
        unsigned char guard[GUARD];                                                                \
    } name##_guarded;                                                                              \
    memset(&name##_guarded, MARK, sizeof name##_guarded);                                          \
    type *name = &name##_guarded.value;                                                            \
    name->size = sizeof *name
#define UNTOUCHED(name) untouched(name##_guarded.guard, #name, __LINE__)

static hcbr_error err;

static void untouched(const unsigned char *guard, const char *name, int line) {
    for (int i = 0; i < GUARD; i++)
        if (guard[i] != MARK) {
            fprintf(stderr, "uses.c:%d: byte %d behind %s was overwritten\n", line, i, name);
            exit(1);
        }
}

static size_t allocations;

static void *allocate(void *context, size_t bytes) {
    (void)context;
    allocations++;
    return malloc(bytes);
}

static void *resize(void *context, void *block, size_t bytes) {
    (void)context;
    return realloc(block, bytes);
}

static void release(void *context, void *block) {
    (void)context;
    free(block);
}

static hcbr_cases *make_cases(int weighted) {
    hcbr_cases *cases;
    OK(hcbr_cases_create(&cases, 0, &err));
    for (int i = 0; i < ROWS; i++) {
        char age[16];
        int length = snprintf(age, sizeof age, "%d", i * 37 % 83);
        const hcbr_feature f[] = {{"age", 3, age, (size_t)length},
                                  {"job", 3, i % 3 ? "clerk" : "cook", (size_t)(i % 3 ? 5 : 4)},
                                  {"member", 6, NULL, 0}};
        GUARDED(hcbr_labelled_case, one);
        hcbr_labelled_case_init(one);
        CHECK(one->weight == 1 && one->group == NULL);
        one->features = f;
        one->feature_count = i % 4 ? 3 : 2;
        one->label = (i * 37 % 83 < 40) != (i % 11 == 0) ? "yes" : "no";
        one->id = i % 2 ? "an id" : NULL;
        one->group = i % 5 ? "g" : "h";
        one->weight = weighted && i % 7 == 0 ? 2 : 1;
        OK(hcbr_cases_add(cases, one, &err));
        UNTOUCHED(one);
    }
    OK(hcbr_cases_finish(cases, &err));
    GUARDED(hcbr_case, x);
    hcbr_cases_get(cases, 1, x);
    CHECK(x->row == 2 && x->id_length == 5 && x->feature_count + x->number_count == 3 &&
          x->weight == 1);
    UNTOUCHED(x);
    return cases;
}

static hcbr_model *train(hcbr_cases *cases, hcbr_model_kind kind) {
    hcbr_model *model;
    const hcbr_threshold threshold = {"no", 0.01, 0, "unknown"};
    const uint32_t passes[] = {0, 1};
    GUARDED(hcbr_train_options, o);
    GUARDED(hcbr_rule, rule);
    GUARDED(hcbr_tune_options, tune);
    GUARDED(hcbr_estimate, estimate);
    hcbr_train_options_init(o);
    hcbr_rule_init(rule);
    hcbr_tune_options_init(tune);
    CHECK(o->model == HCBR_MODEL_RICH && o->rule == NULL && tune->folds == 10);
    rule->thresholds = &threshold;
    rule->threshold_count = 1;
    rule->memory = 1;
    tune->passes = passes;
    tune->pass_count = 2;
    tune->folds = 3;
    o->model = kind;
    o->effort = HCBR_EFFORT_LITE;
    o->rule = rule;
    o->tune = kind == HCBR_MODEL_PLAIN ? tune : NULL;
    OK(hcbr_model_estimate(cases, o, estimate, &err));
    CHECK(estimate->bytes > 0);
    OK(hcbr_model_train(&model, cases, o, &err));
    UNTOUCHED(o), UNTOUCHED(rule), UNTOUCHED(tune), UNTOUCHED(estimate);
    return model;
}

static void look_at(const hcbr_model *model) {
    GUARDED(hcbr_model_info, info);
    GUARDED(hcbr_label_info, label);
    GUARDED(hcbr_column, column);
    GUARDED(hcbr_kept_case, kept);
    GUARDED(hcbr_read_options, read);
    size_t length;
    hcbr_model_get_info(model, info);
    CHECK(info->cases == ROWS && info->labels == 2 && strlen(info->fingerprint) == 32);
    CHECK(info->cut_low <= info->cut_high && info->weight >= ROWS);
    hcbr_model_get_label_info(model, 0, label);
    CHECK(label->cases > 0 && label->weight >= (double)label->cases);
    CHECK(strcmp(hcbr_model_get_label(model, 1, &length), "yes") == 0 && length == 3);
    hcbr_model_get_column(model, 0, column);
    CHECK(column->name_length > 0 && column->name != NULL);
    hcbr_model_get_kept(model, 1, kept);
    CHECK(kept->row == 2 && kept->feature_count > 0);
    hcbr_model_get_read_options(model, read);
    CHECK(read->max_line > 0 && read->threads == 1);
    UNTOUCHED(info), UNTOUCHED(label), UNTOUCHED(column), UNTOUCHED(kept), UNTOUCHED(read);
}

static void check_cases(const hcbr_explained_case *first, size_t stride, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hcbr_explained_case *c = hcbr_at(first, stride, i);
        CHECK(c->index < ROWS && c->row == c->index + 1 && c->label >= 0 && c->label < 2);
        CHECK(isfinite(c->lead) && isfinite(c->influence[0]) && isfinite(c->influence[1]));
    }
}

static void explain(const hcbr_model *model, const hcbr_feature *f, size_t count) {
    hcbr_explainer *x;
    OK(hcbr_explainer_create(&x, model, NULL, &err));
    GUARDED(hcbr_explain_options, o);
    GUARDED(hcbr_explanation, e);
    hcbr_explain_options_init(o);
    CHECK(o->groups == 10);
    o->groups = SIZE_MAX;
    OK(hcbr_explainer_explain(x, f, count, o, e, &err));
    CHECK(e->group_count > 1 && e->all_groups == e->group_count && e->decision->label_count == 2);
    double sum = e->bias[e->label], size = 1;
    for (size_t i = 0; i < e->group_count; i++) {
        const hcbr_explained_group *g = hcbr_at(e->groups, e->group_stride, i);
        sum += g->contribution[e->label];
        size += fabs(g->contribution[e->label]);
        CHECK(g->feature_count > 0 && g->features[0].key_length > 0);
        check_cases(g->cases, e->case_stride, g->shown_cases);
    }
    CHECK(fabs(sum - e->decision->support[e->label]) <= 1e-9 * size);
    CHECK(e->analogy_count > 1);
    check_cases(e->analogies, e->case_stride, e->analogy_count);
    check_cases(e->counter_examples, e->case_stride, e->counter_count);
    check_cases(e->others, e->case_stride, e->other_count);
    UNTOUCHED(o), UNTOUCHED(e);

    GUARDED(hcbr_comparison, both);
    OK(hcbr_explainer_compare(x, f, count, 3, both, &err));
    CHECK(both->past->index == 3);
    for (size_t i = 0; i < both->shared + both->only_here + both->only_there; i++) {
        const hcbr_compared_feature *c = hcbr_at(both->features, both->feature_stride, i);
        CHECK(c->feature.key_length > 0 && isfinite(c->here) && isfinite(c->there));
    }
    UNTOUCHED(both);

    GUARDED(hcbr_flip_options, search);
    GUARDED(hcbr_flips, flips);
    hcbr_flip_options_init(search);
    CHECK(search->limit == HCBR_FLIP_LIMIT);
    search->most = 5;
    OK(hcbr_explainer_flip(x, f, count, search, flips, &err));
    for (size_t i = 0; i < flips->count; i++) {
        const hcbr_flip *flip = hcbr_at(flips->flips, flips->flip_stride, i);
        CHECK(flip->count > 0 && flip->label != flips->label);
        CHECK(flip->changes[0].removed.key || flip->changes[0].added.key);
    }
    UNTOUCHED(search), UNTOUCHED(flips);

    GUARDED(hcbr_questions, questions);
    OK(hcbr_explainer_ask(x, f, 1, 5, questions, &err));
    for (size_t i = 0; i < questions->count; i++) {
        const hcbr_question *q = hcbr_at(questions->questions, questions->question_stride, i);
        CHECK(q->lowest->lead <= q->highest->lead && q->lowest->feature.key_length > 0);
    }
    UNTOUCHED(questions);

    GUARDED(hcbr_case_ranking, ranking);
    const hcbr_explained_case *one;
    OK(hcbr_explainer_rank(x, 7, ranking, &err));
    CHECK(ranking->count == 7);
    check_cases(ranking->cases, ranking->case_stride, ranking->count);
    OK(hcbr_explainer_weigh(x, 5, &one, &err));
    CHECK(one->index == 5);
    UNTOUCHED(ranking);

    hcbr_explainer_free(x);
}

static void decide(const hcbr_model *model, const char *path) {
    const hcbr_feature f[] = {{"age", 3, "35", 2}, {"job", 3, "cook", 4}, {"x", 1, "y", 1}};
    const char *const paths[] = {path};
    hcbr_decider *decider;
    hcbr_stream *stream;
    int more = 1, rows = 0;
    GUARDED(hcbr_decision, d);
    OK(hcbr_decider_create(&decider, model, NULL, &err));
    OK(hcbr_decider_decide(decider, f, 3, d, &err));
    CHECK(d->label_count == 2 && d->feature_count == 3 && d->known_count == 2);
    CHECK(d->unseen_count == 1 && memcmp(d->unseen[0].key, "x", 1) == 0);
    UNTOUCHED(d);
    explain(model, f, 3);
    OK(hcbr_stream_create(&stream, decider, paths, 1, NULL, &err));
    while (more) {
        OK(hcbr_stream_next(stream, d, &more, &err));
        rows += more;
        UNTOUCHED(d);
    }
    CHECK(rows == 3);
    hcbr_stream_free(stream);
    hcbr_decider_free(decider);
}

static void evaluate(const hcbr_cases *cases) {
    hcbr_evaluation *e;
    GUARDED(hcbr_evaluate_options, o);
    GUARDED(hcbr_train_options, train_with);
    GUARDED(hcbr_evaluation_info, info);
    GUARDED(hcbr_figure, figure);
    GUARDED(hcbr_part_info, part);
    GUARDED(hcbr_confusion, cell);
    GUARDED(hcbr_reliability, bin);
    GUARDED(hcbr_answer, answer);
    hcbr_train_options_init(train_with);
    train_with->effort = HCBR_EFFORT_LITE;
    hcbr_evaluate_options_init(o);
    CHECK(o->folds == 10 && o->repeats == 1);
    o->folds = 2;
    o->keep_answers = 1;
    o->train = train_with;
    OK(hcbr_evaluate(&e, cases, o, &err));
    hcbr_evaluation_get_info(e, info);
    CHECK(info->cases == ROWS && info->folds == 2);
    hcbr_evaluation_get_figure(e, HCBR_METRIC_ACCURACY, HCBR_LABEL_UNKNOWN, figure);
    CHECK(figure->mean > 0.5 && figure->mean <= 1 && figure->count == 2);
    hcbr_evaluation_get_baseline(e, HCBR_METRIC_ACCURACY, figure);
    hcbr_evaluation_get_part(e, 1, part);
    CHECK(part->fold == 1 && part->trained + part->held_out == ROWS);
    CHECK(strcmp(hcbr_evaluation_get_label(e, 0, NULL), "no") == 0);
    double all = 0;
    for (size_t i = 0; i < hcbr_evaluation_confusion_count(e); i++) {
        hcbr_evaluation_get_confusion(e, i, cell);
        all += cell->count;
    }
    CHECK(all > ROWS && hcbr_evaluation_reliability_count(e) > 0); // by weight
    hcbr_evaluation_get_reliability(e, 0, bin);
    CHECK(bin->low == 0 && bin->high > 0);
    hcbr_evaluation_get_answer(e, 3, answer);
    CHECK(answer->row > 0 && isfinite(answer->support[0]));
    hcbr_evaluation_free(e);
    UNTOUCHED(o), UNTOUCHED(train_with), UNTOUCHED(info), UNTOUCHED(figure), UNTOUCHED(part);
    UNTOUCHED(cell), UNTOUCHED(bin), UNTOUCHED(answer);
}

static void audit(const hcbr_cases *cases) {
    hcbr_audit *found;
    GUARDED(hcbr_audit_options, o);
    GUARDED(hcbr_audit_figures, figures);
    GUARDED(hcbr_finding, finding);
    hcbr_audit_options_init(o);
    CHECK(o->most == 10);
    OK(hcbr_audit_create(&found, cases, o, &err));
    hcbr_audit_get_figures(found, figures);
    CHECK(figures->cases == ROWS && figures->labels == 2);
    for (size_t i = 0; i < hcbr_audit_count(found); i++) {
        hcbr_audit_get(found, i, finding);
        CHECK(finding->count > 0 && hcbr_audit_count_kind(found, finding->kind) > 0);
    }
    hcbr_audit_free(found);
    UNTOUCHED(o), UNTOUCHED(figures), UNTOUCHED(finding);
}

static void read_file(const char *path) {
    const char *const paths[] = {path};
    hcbr_cases *cases;
    hcbr_preview *first;
    GUARDED(hcbr_read_options, o);
    GUARDED(hcbr_preview_column, column);
    GUARDED(hcbr_preview_case, one);
    hcbr_read_options_init(o);
    CHECK(o->format == HCBR_FORMAT_AUTO && o->min_count == 1 && o->max_grams > 0);
    o->format = HCBR_FORMAT_CSV;
    OK(hcbr_preview_create(&first, paths, 1, o, 10, &err));
    hcbr_preview_get_column(first, 0, column);
    CHECK(column->use == HCBR_USE_LABEL);
    hcbr_preview_get_case(first, 2, one);
    CHECK(one->row == 3 && one->feature_count == 2);
    hcbr_preview_free(first);
    OK(hcbr_cases_create(&cases, 0, &err));
    OK(hcbr_cases_read(cases, paths, 1, o, &err));
    CHECK(hcbr_cases_count(cases) == 3);
    hcbr_cases_free(cases);
    UNTOUCHED(o), UNTOUCHED(column), UNTOUCHED(one);
}

int main(int argc, char **argv) {
    CHECK(argc == 3);
    GUARDED(hcbr_allocator, own);
    own->allocate = allocate;
    own->resize = resize;
    own->release = release;
    OK(hcbr_set_allocator(own, &err));
    UNTOUCHED(own);
    FILE *file = fopen(argv[1], "w");
    CHECK(file && fputs("label,age,job\nyes,12,clerk\nno,70,cook\nyes,30,clerk\n", file) >= 0);
    fclose(file);
    CHECK(hcbr_version_number() >= HCBR_VERSION_NUMBER);
    read_file(argv[1]);
    for (int rich = 0; rich < 2; rich++) {
        hcbr_cases *cases = make_cases(rich); // weights are for rich models
        audit(cases);
        if (rich)
            evaluate(cases);
        hcbr_model *model = train(cases, rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN), *again;
        void *bytes;
        size_t size;
        OK(hcbr_model_save(model, argv[2], &err));
        OK(hcbr_model_load(&again, argv[2], &err));
        OK(hcbr_model_serialize(again, &bytes, &size, &err));
        hcbr_model_free(again);
        OK(hcbr_model_parse(&again, bytes, size, &err));
        hcbr_bytes_free(bytes);
        look_at(again);
        decide(again, argv[1]);
        hcbr_model_free(again);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
    }
    CHECK(allocations > 100);
    puts("a program of the version before works");
    return 0;
}
