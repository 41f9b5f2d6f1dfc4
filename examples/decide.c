/*
 * decide.c: train a model from a file of past cases and decide a new one, with libhcbr.
 *
 *     cc decide.c -o decide $(pkg-config --cflags --libs hcbr)
 *     ./decide votes.csv
 *
 * The new case is a member of parliament of whom three votes are known, one of them on a question
 * that no past case has: the model says so instead of passing over it.
 *
 * The pattern of every program that uses the library: each call returns a status, the last
 * parameter receives the reason of a failure, and what was got through `T **out` is released by
 * its own free function, which accepts NULL. The file compiles as C11 and as C++17.
 */
#include <hcbr/hcbr.h>

#include <stdio.h>
#include <string.h>

static hcbr_feature feature(const char *key, const char *value) {
    hcbr_feature f;
    f.key = key;
    f.key_length = strlen(key);
    f.value = value;
    f.value_length = strlen(value);
    return f;
}

/* Read the file and build a model. Nothing of the cases is needed afterwards. */
static hcbr_status train(hcbr_model **model, const char *path, hcbr_error *err) {
    hcbr_cases *cases = NULL;
    hcbr_status st = hcbr_cases_create(&cases, 0, err);
    if (st == HCBR_OK) {
        st = hcbr_cases_read(cases, &path, 1, NULL, err); /* NULL: the default options */
    }
    if (st == HCBR_OK) {
        st = hcbr_cases_finish(cases, err);
    }
    if (st == HCBR_OK) {
        st = hcbr_model_train(model, cases, NULL, err);
    }
    hcbr_cases_free(cases);
    return st;
}

/* Everything a decision says points into the decider or the row: use it before the next one. */
static void print_decision(const hcbr_model *model, const hcbr_decision *decision) {
    if (decision->label == HCBR_LABEL_UNKNOWN) {
        printf("undecided: %s\n", hcbr_reason_name(decision->reason));
    } else {
        printf("decided: %s\n", hcbr_model_get_label(model, decision->label, NULL));
    }
    for (size_t l = 0; l < decision->label_count; l++) {
        char text[HCBR_NUMBER_SIZE];
        hcbr_number_round(text, decision->support[l], 4);
        printf("support for %s: %s\n", hcbr_model_get_label(model, (hcbr_label)l, NULL), text);
    }
    for (size_t i = 0; i < decision->unseen_count; i++) {
        const hcbr_feature *f = &decision->unseen[i];
        printf("never seen: %.*s=%.*s\n", (int)f->key_length, f->key, (int)f->value_length,
               f->value);
    }
}

int main(int argc, char **argv) {
    hcbr_error err;
    hcbr_model *model = NULL;
    hcbr_decider *decider = NULL;
    hcbr_row *row = NULL;
    hcbr_decision decision;
    const hcbr_feature votes[] = {
        feature("physician-fee-freeze", "n"),
        feature("education-spending", "n"),
        feature("space-station", "y"),
    };
    const size_t vote_count = sizeof votes / sizeof votes[0];

    decision.size = sizeof decision;
    hcbr_status st = train(&model, argc > 1 ? argv[1] : "votes.csv", &err);
    if (st == HCBR_OK) {
        st = hcbr_decider_create(&decider, model, NULL, &err); /* NULL: the model's own rule */
    }
    if (st == HCBR_OK) {
        st = hcbr_row_create(&row, decider, votes, vote_count, &err); /* looked up once */
    }
    if (st == HCBR_OK) {
        st = hcbr_decider_decide(decider, row, &decision, &err);
    }
    if (st == HCBR_OK) {
        print_decision(model, &decision);
    } else {
        fprintf(stderr, "decide: %s%s%s\n", err.file, err.file[0] != '\0' ? ": " : "", err.message);
    }
    hcbr_row_free(row);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    return st == HCBR_OK ? 0 : 1;
}
