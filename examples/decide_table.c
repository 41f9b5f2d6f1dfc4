/*
 * decide_table.c: decide a table in memory at once, with libhcbr.
 *
 *     cc decide_table.c -o decide_table $(pkg-config --cflags --libs hcbr)
 *     ./decide_table
 *
 * A model is trained from a table of temperatures and coughs, then two threads decide new rows into
 * arrays: the label of each row, the probability of each label, and how much of the row was known.
 */
#include <hcbr/hcbr.h>

#include <stdio.h>

#define PAST 8
#define NEW 3

static hcbr_memory_column column(const char *name, hcbr_memory_type type, size_t length,
                                 const void *values) {
    hcbr_memory_column c;
    hcbr_memory_column_init(&c);
    c.name = name;
    c.type = type;
    c.length = length;
    c.values = values;
    return c;
}

static hcbr_status train(hcbr_model **model, hcbr_error *err) {
    static const float heat[PAST] = {36.6F, 39.1F, 36.9F, 38.7F, 37.0F, 39.4F, 36.7F, 38.9F};
    static const uint8_t cough[PAST] = {0, 1, 0, 1, 1, 1, 0, 0},
                         ill[PAST] = {0, 1, 0, 1, 0, 1, 0, 1};
    const hcbr_memory_column columns[] = {column("heat", HCBR_MEMORY_F32, PAST, heat),
                                          column("cough", HCBR_MEMORY_BOOL, PAST, cough),
                                          column("ill", HCBR_MEMORY_BOOL, PAST, ill)};
    hcbr_read_options read;
    hcbr_train_options options;
    hcbr_cases *cases = NULL;
    hcbr_status st;

    hcbr_read_options_init(&read);
    read.label = "ill";
    hcbr_train_options_init(&options);
    options.read = &read; /* kept in the model: new rows are read in the same way */
    if ((st = hcbr_cases_create(&cases, 0, err)) == HCBR_OK &&
        (st = hcbr_cases_add_columns(cases, columns, 3, &read, err)) == HCBR_OK &&
        (st = hcbr_cases_finish(cases, err)) == HCBR_OK)
        st = hcbr_model_train(model, cases, &options, err);
    hcbr_cases_free(cases);
    return st;
}

int main(void) {
    static const double heat[NEW] = {39.2, 36.8, 38.8};
    static const uint8_t cough[NEW] = {1, 0, 0};
    const hcbr_memory_column columns[] = {column("heat", HCBR_MEMORY_F64, NEW, heat),
                                          column("cough", HCBR_MEMORY_BOOL, NEW, cough)};
    hcbr_label label[NEW];
    double probability[NEW * 2], known[NEW]; /* there are two labels */
    hcbr_answers answers;
    hcbr_read_options read;
    hcbr_model *model = NULL;
    hcbr_error err;
    hcbr_status st = train(&model, &err);

    hcbr_answers_init(&answers);
    answers.room = NEW;
    answers.label = label;
    answers.probability = probability;
    answers.known = known;
    if (st == HCBR_OK) {
        hcbr_model_get_read_options(model, &read);
        read.threads = 2;
        st = hcbr_model_decide_columns(model, NULL, columns, 2, &read, &answers, &err);
    }
    for (size_t i = 0; st == HCBR_OK && i < answers.count; i++)
        printf("row %zu: ill %s, probability %.2f, %.0f %% known\n", i + 1,
               label[i] < 0 ? "unknown" : hcbr_model_get_label(model, label[i], NULL),
               probability[2 * i + 1], 100 * known[i]);
    if (st != HCBR_OK)
        fprintf(stderr, "decide_table: %s\n", err.message);
    hcbr_model_free(model);
    return st == HCBR_OK ? 0 : 1;
}
