/*
 * What deciding a table in memory takes beside the engine alone:
 *
 *     decide [ROWS [RUNS [ONLY]]]      (default 20000 5; ONLY: the measurement of this number)
 *
 * For tables of words, of numbers that come again and of numbers that hardly do, plain and rich
 * models, two and five labels: CPU seconds of
 * - engine: hcbr_i_decider_run_case() of rows that were resolved before, which is what the engine
 *   and the rule take when every name has been looked up and every case stands ready;
 * - batch: hcbr_model_decide_columns() of the whole table by one thread, with its deciders,
 *   reading the columns, looking names up and writing label, supports, lead, share and reason;
 * the least of all runs, which take turns, and engine / batch: the speed of the batch as a share of
 * that of the engine. Labels of both are compared. On a machine that has other work count
 * instructions instead: valgrind --tool=callgrind --toggle-collect=run_engine
 * --toggle-collect=run_batch, with RUNS 1. Uses functions that the shared library does not
 * export: link it with the static one.
 */
#include "decide/decide.h"

#include <hcbr/hcbr.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define COLUMNS 14
#define TRAIN 4000
#define NEAR 64 /* resolved rows at a time */

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(hcbr_status st, const hcbr_error *err) {
    if (st == HCBR_OK)
        return;
    fprintf(stderr, "decide: %s\n", err->message);
    exit(1);
}

static void *get(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (block == NULL)
        exit(1);
    return block;
}

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/* ---- tables ---------------------------------------------------------------------------------- */

typedef enum shape { WORDS, FEW_NUMBERS, NUMBERS } shape;
static const char *const shape_names[] = {"words", "few numbers", "numbers"};

typedef struct table {
    size_t rows;
    int32_t *codes[COLUMNS]; /* of words */
    double *values[COLUMNS];
    uint8_t *label;
    hcbr_memory_column words, columns[COLUMNS + 1];
    char names[COLUMNS][8], text[40 * 6];
    int32_t starts[41];
} table;

static void draw(table *t, shape as, size_t rows, unsigned labels) {
    uint64_t state = 7 + (uint64_t)as;
    t->rows = rows;
    t->label = get(rows, 1);
    for (int w = 0; w < 40; w++) {
        snprintf(t->text + 6 * (size_t)w, 7, "word%02d", w);
        t->starts[w + 1] = 6 * (w + 1);
    }
    hcbr_memory_column_init(&t->words);
    t->words.type = HCBR_MEMORY_UTF8;
    t->words.length = 40;
    t->words.values = t->starts;
    t->words.text = t->text;
    t->words.text_size = sizeof t->text;
    double *sum = get(rows, sizeof *sum);
    for (size_t c = 0; c <= COLUMNS; c++) {
        hcbr_memory_column *to = &t->columns[c];
        hcbr_memory_column_init(to);
        to->length = rows;
        if (c == COLUMNS)
            break;
        snprintf(t->names[c], sizeof t->names[c], "c%zu", c);
        to->name = t->names[c];
        t->codes[c] = get(rows, sizeof **t->codes);
        t->values[c] = get(rows, sizeof **t->values);
        for (size_t i = 0; i < rows; i++) {
            double u = uniform(&state), v = sqrt(-2 * log(u)) * cos(6.283185307 * uniform(&state));
            t->codes[c][i] = (int32_t)(u * 40);
            t->values[c][i] = as == NUMBERS ? round(v * 1e5) / 1e5 : floor(u * 60) / 4;
            sum[i] += c % 3 == 0 ? (as == NUMBERS ? v : u - 0.5) : 0;
        }
        to->type = as == WORDS ? HCBR_MEMORY_I32 : HCBR_MEMORY_F64;
        to->values = as == WORDS ? (void *)t->codes[c] : (void *)t->values[c];
        to->dictionary = as == WORDS ? &t->words : NULL;
    }
    for (size_t i = 0; i < rows; i++) {
        double s = sum[i] + (uniform(&state) - 0.5);
        t->label[i] = labels == 2 ? s > 0
                                  : (uint8_t)(s < -1  ? 0
                                              : s < 0 ? 1
                                              : s < 1 ? 2
                                              : s < 2 ? 3
                                                      : 4);
    }
    t->columns[COLUMNS].name = "label";
    t->columns[COLUMNS].type = HCBR_MEMORY_U8;
    t->columns[COLUMNS].values = t->label;
    free(sum);
}

static void table_free(table *t) {
    for (size_t c = 0; c < COLUMNS; c++) {
        free(t->codes[c]);
        free(t->values[c]);
    }
    free(t->label);
}

static void set_length(table *t, size_t rows) {
    for (size_t c = 0; c <= COLUMNS; c++)
        t->columns[c].length = rows;
}

static hcbr_model *train(table *t, hcbr_model_kind kind) {
    hcbr_train_options options;
    hcbr_cases *cases = NULL;
    hcbr_model *model = NULL;
    hcbr_error err;
    set_length(t, t->rows < TRAIN ? t->rows : TRAIN);
    must(hcbr_cases_create(&cases, 1, &err), &err);
    must(hcbr_cases_add_columns(cases, t->columns, COLUMNS + 1, NULL, &err), &err);
    must(hcbr_cases_finish(cases, &err), &err);
    hcbr_train_options_init(&options);
    options.model = kind;
    must(hcbr_model_train(&model, cases, &options, &err), &err);
    hcbr_cases_free(cases);
    set_length(t, t->rows);
    return model;
}

/* ---- the engine alone ------------------------------------------------------------------------ */

/* A resolved row: items of its own, with their texts. */
typedef struct resolved {
    hcbr_i_case of;
    hcbr_i_case_item items[COLUMNS];
    char text[COLUMNS][64];
} resolved;

static void resolve(hcbr_decider *decider, const table *t, size_t i, resolved *to) {
    char values[COLUMNS][HCBR_NUMBER_SIZE];
    hcbr_feature features[COLUMNS];
    hcbr_error err;
    for (size_t c = 0; c < COLUMNS; c++) {
        features[c] = (hcbr_feature){t->names[c], strlen(t->names[c]), NULL, 6};
        features[c].value = t->text + 6 * (size_t)t->codes[c][i];
        if (!t->columns[c].dictionary) {
            features[c].value_length = hcbr_number_format(values[c], t->values[c][i]);
            features[c].value = values[c];
        }
    }
    must(hcbr_i_decider_resolve(decider, features, COLUMNS, &to->of, &err), &err);
    for (size_t n = 0; n < to->of.count; n++) {
        hcbr_feature *f = &to->items[n].feature;
        to->items[n] = to->of.items[n];
        memcpy(to->text[n], f->key, f->key_length);
        memcpy(to->text[n] + f->key_length, f->value, f->value_length);
        f->key = to->text[n];
        f->value = to->text[n] + f->key_length;
    }
    to->of.items = to->items;
}

/* Rows that were just resolved, few enough to be in the cache. */
static __attribute__((noinline)) double run_engine(hcbr_decider *decider, const resolved *rows,
                                                   size_t count, hcbr_label *label) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_error err;
    double begin = now();
    for (size_t i = 0; i < count; i++) {
        must(hcbr_i_decider_run_case(decider, &rows[i].of, &d, &err), &err);
        label[i] = d.label;
    }
    return now() - begin;
}

static __attribute__((noinline)) double run_batch(const hcbr_model *model, const table *t,
                                                  hcbr_answers *answers) {
    hcbr_error err;
    double begin = now();
    must(hcbr_model_decide_columns(model, NULL, t->columns, COLUMNS, NULL, answers, &err), &err);
    return now() - begin;
}

static void measure(shape as, unsigned labels, hcbr_model_kind kind, size_t rows, int runs) {
    table *t = get(1, sizeof *t);
    hcbr_answers answers;
    hcbr_decider *decider = NULL;
    hcbr_error err;
    double engine = HUGE_VAL, batch = HUGE_VAL;
    draw(t, as, rows, labels);
    hcbr_model *model = train(t, kind);
    resolved *near = get(NEAR, sizeof *near);
    hcbr_label *label = get(rows, sizeof *label);
    must(hcbr_decider_create(&decider, model, NULL, &err), &err);
    hcbr_answers_init(&answers);
    answers.room = rows;
    answers.label = get(rows, sizeof *answers.label);
    answers.support = get(rows * labels, sizeof(double));
    answers.lead = get(rows, sizeof(double));
    answers.known = get(rows, sizeof(double));
    answers.reason = get(rows, 1);
    for (int r = 0; r < runs; r++) {
        double sum = 0;
        for (size_t i = 0; i < rows; i += NEAR) {
            const size_t count = rows - i < NEAR ? rows - i : NEAR;
            for (size_t k = 0; k < count; k++)
                resolve(decider, t, i + k, &near[k]);
            sum += run_engine(decider, near, count, label + i);
        }
        engine = fmin(engine, sum);
        batch = fmin(batch, run_batch(model, t, &answers));
    }
    bool same = memcmp(label, answers.label, rows * sizeof *label) == 0;
    printf("%-12s %-6s %u labels  engine %8.3f  batch %8.3f us a row  ratio %.2f%s\n",
           shape_names[as], kind == HCBR_MODEL_RICH ? "rich" : "plain", labels,
           1e6 * engine / (double)rows, 1e6 * batch / (double)rows, engine / batch,
           same ? "" : "  LABELS DIFFER");
    fflush(stdout);
    hcbr_decider_free(decider);
    hcbr_model_free(model);
    free(near);
    free(label);
    free(answers.label);
    free(answers.support);
    free(answers.lead);
    free(answers.known);
    free(answers.reason);
    table_free(t);
    free(t);
}

int main(int argc, char **argv) {
    const size_t rows = argc > 1 ? strtoull(argv[1], NULL, 10) : 20000;
    const int runs = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 5;
    const long only = argc > 3 ? strtol(argv[3], NULL, 10) : -1;
    for (int n = 0; n < 12; n++)
        if (only < 0 || only == n)
            measure((shape)(n / 4), n / 2 % 2 ? 5 : 2, n % 2 ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN,
                    rows, runs);
    return 0;
}
