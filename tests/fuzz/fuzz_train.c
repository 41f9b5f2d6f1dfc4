/*
 * Small case bases through the whole engine: cases added one by one, a model trained with options
 * that the input chooses, written, read back. What must hold: the model parsed decides every case
 * as the model trained does, bit for bit; another hash key and two threads give the same bytes; a
 * failing allocation is reported and leaves nothing behind.
 *
 * The input: six choices, then per case one byte (label, how many features) and a byte for each
 * feature. From byte '!' on cases are only decided.
 */
#include "add_case.h"
#include "fuzz.h"
#include "row_of.h"

#include <math.h>

#define MOST_CASES 24
#define MOST_FEATURES 15

typedef struct small_case {
    hcbr_feature features[MOST_FEATURES];
    size_t count;
    const char *label;
} small_case;

typedef struct case_list {
    small_case cases[MOST_CASES];
    size_t count, labelled; /**< the first ones are trained with */
} case_list;

/** A feature by a byte: some bare, some with long names, a few the same, some with numbers. */
static hcbr_feature make_feature(unsigned byte, bool numbers) {
    static const char *const values[16] = {"0",
                                           "1",
                                           "2.5",
                                           "-3",
                                           "1e308",
                                           "-1e308",
                                           "nan",
                                           "007",
                                           "1.0",
                                           "1e0",
                                           "2.5",
                                           "-0",
                                           "12345678901234567890",
                                           "12345678901234567891",
                                           "0.1",
                                           "0.1000000000000000055"};
    static char names[256][24];
    if (numbers && byte & 64)
        return (hcbr_feature){byte & 32 ? "n" : "number", byte & 32 ? 1 : 6, values[byte & 15],
                              strlen(values[byte & 15])};
    char *name = names[byte & 255];
    memset(name, 'a' + (int)(byte & 15), 20);
    memset(name + 20, 'a' + (int)(byte >> 4 & 15), 4);
    switch (byte >> 4 & 3) {
    case 0:
        return (hcbr_feature){name, 20, name + 20, 1};
    case 1:
        return (hcbr_feature){name, 3, name + 20, 1};
    case 2:
        return (hcbr_feature){name + 18, 3, NULL, 0};
    default:
        return (hcbr_feature){name + 18, 2, name + 20, 0};
    }
}

static void make_cases(case_list *list, fuzz_input *in, unsigned kind) {
    static const char *const labels[4][4] = {{"no", "yes", "no", "yes"},
                                             {"10", "9", "-1", "1e1"},
                                             {"only", "only", "only", "only"},
                                             {"a", "b", "c", "\xC3\xA4"}};
    bool labelled = true;
    list->count = list->labelled = 0;
    while (in->left > 0 && list->count < MOST_CASES) {
        small_case *x = &list->cases[list->count++];
        unsigned head = fuzz_byte(in);
        labelled = labelled && head != '!';
        list->labelled += labelled;
        x->label = labels[kind & 3][head & 3];
        x->count = head >> 2 & MOST_FEATURES;
        for (size_t i = 0; i < x->count; i++)
            x->features[i] = make_feature(fuzz_byte(in), (kind & 8) != 0);
    }
}

static hcbr_status build(hcbr_model **out, const case_list *list, const hcbr_train_options *options,
                         uint64_t key, bool ids, hcbr_error *err) {
    hcbr_cases *cases;
    *out = NULL;
    hcbr_status st = hcbr_cases_create(&cases, key, err);
    for (size_t i = 0; st == HCBR_OK && i < list->labelled; i++) {
        const small_case *x = &list->cases[i];
        st = add_one_case(cases, x->features, x->count, x->label, ids && i % 3 == 0 ? "n" : NULL,
                          err);
        FUZZ_CHECK(hcbr_cases_count(cases) == i + (st == HCBR_OK));
    }
    if (st == HCBR_OK)
        st = hcbr_cases_finish(cases, err);
    if (st == HCBR_OK)
        st = hcbr_model_train(out, cases, options, err);
    hcbr_cases_free(cases);
    return st;
}

/** Both models decide every case alike; rare: they need not know all values of past cases. */
static void compare(const case_list *list, const hcbr_model *a, const hcbr_model *b, bool rare) {
    hcbr_decider *deciders[2];
    hcbr_decision d[2];
    hcbr_error err;
    FUZZ_CHECK_OK(hcbr_decider_create(&deciders[0], a, NULL, &err), err);
    FUZZ_CHECK_OK(hcbr_decider_create(&deciders[1], b, NULL, &err), err);
    for (size_t i = 0; i < list->count; i++) {
        const small_case *x = &list->cases[i];
        for (int m = 0; m < 2; m++) {
            d[m].size = sizeof d[m];
            FUZZ_CHECK_OK(hcbr_decider_decide(
                              deciders[m], row_by(deciders[m], x->features, x->count), &d[m], &err),
                          err);
        }
        FUZZ_CHECK(d[0].label == d[1].label && d[0].winner == d[1].winner);
        FUZZ_CHECK(d[0].reason == d[1].reason && d[0].unseen_count == d[1].unseen_count);
        FUZZ_CHECK(i >= list->labelled || rare || d[0].unseen_count == 0);
        for (size_t l = 0; l < d[0].label_count; l++)
            FUZZ_CHECK(isfinite(d[0].support[l]) && d[0].support[l] == d[1].support[l]);
    }
    hcbr_decider_free(deciders[0]);
    hcbr_decider_free(deciders[1]);
}

static void choose(hcbr_train_options *o, hcbr_rule *r, hcbr_threshold *threshold,
                   const case_list *list, fuzz_input *in) {
    static double weight[MOST_CASES];
    static const char *const numeric = "number";
    unsigned flags = fuzz_choice(in), passes = fuzz_choice(in), rule = fuzz_choice(in);
    hcbr_train_options_init(o);
    hcbr_rule_init(r);
    o->rule = r;
    o->scope = flags & 1 ? HCBR_SCOPE_ALL : HCBR_SCOPE_CLASS;
    o->given_order = (flags & 2) != 0;
    o->keep = (hcbr_keep)((flags >> 2 & 3) % 3);
    o->passes = passes % 4;
    o->seed = passes;
    o->min_cases = passes & 16 ? 2 : 1;
    o->numeric = &numeric;
    o->numeric_count = passes & 8 && flags & 16;
    r->memory = (rule & 1) && o->keep != HCBR_KEEP_NONE;
    r->fallback = rule & 2 ? "prior" : rule & 4 ? "unknown" : NULL;
    if (flags & 16) {
        o->model = HCBR_MODEL_RICH;
        o->effort = flags & 32 ? HCBR_EFFORT_NORMAL : HCBR_EFFORT_LITE;
        for (size_t i = 0; i < MOST_CASES; i++)
            weight[i] = 0.5 * (double)(1 + (i + passes) % 4);
        o->weight = passes & 32 ? weight : NULL;
    }
    if ((rule & 8) && list->labelled > 0) {
        *threshold = (hcbr_threshold){list->cases[0].label, (rule >> 4) / 8.0, .55, NULL};
        r->thresholds = threshold;
        r->threshold_count = 1;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static case_list list;
    fuzz_input in = {data, size};
    hcbr_train_options options;
    hcbr_threshold threshold;
    hcbr_rule rule;
    hcbr_model *model, *again;
    hcbr_error err;
    void *bytes, *other;
    size_t length, other_length;
    unsigned kind = fuzz_choice(&in), fault = fuzz_choice(&in), twice = fuzz_choice(&in);
    fuzz_input choices = in;
    in.at += in.left < 3 ? in.left : 3;
    in.left -= in.left < 3 ? in.left : 3;
    make_cases(&list, &in, kind);
    choose(&options, &rule, &threshold, &list, &choices);

    fuzz_arm(fault < 32 ? fault : 0);
    hcbr_status st = build(&model, &list, &options, 7, (kind & 4) != 0, &err);
    bool failed = fuzz_disarm();
    FUZZ_CHECK((st == HCBR_OK) == (model != NULL));
    if (model == NULL) {
        fuzz_check_error(st, &err);
        FUZZ_CHECK(list.labelled == 0 ? st == HCBR_EDATA || failed : st == HCBR_ENOMEM && failed);
        return 0;
    }
    again = fuzz_reload(model, &bytes, &length);
    compare(&list, model, again, options.min_cases > 1);
    if (twice % 8 == 7) {
        options.threads = twice >= 56 ? 2 : 1;
        hcbr_model_free(again);
        FUZZ_CHECK_OK(build(&again, &list, &options, 8, (kind & 4) != 0, &err), err);
        FUZZ_CHECK_OK(hcbr_model_serialize(again, &other, &other_length, &err), err);
        FUZZ_CHECK(other_length == length && memcmp(other, bytes, length) == 0);
        hcbr_bytes_free(other);
        fuzz_use_model(model);
    }
    hcbr_bytes_free(bytes);
    hcbr_model_free(again);
    hcbr_model_free(model);
    return 0;
}
