/*
 * What adding a table from memory takes beside reading the same rows from csv:
 *
 *     columns_time [ROWS [COLUMNS [FILE]]]      (default 300000 14 columns.csv)
 *
 * Writes FILE, with random normal values of 6 digits and two labels, unless it is there. Prints the
 * CPU seconds of hcbr_cases_read() and of hcbr_cases_add_columns() for doubles, floats and texts,
 * the least of three each, for both forms of a list.
 */
#include <hcbr/hcbr.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void must(hcbr_status st, const hcbr_error *err) {
    if (st == HCBR_OK)
        return;
    fprintf(stderr, "columns: %s\n", err->message);
    exit(1);
}

static double uniform(uint64_t *state) {
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return ((double)(*state >> 11) + 0.5) / 9007199254740992.0;
}

/** A table, in memory in three ways. */
typedef struct table {
    size_t rows, columns;
    double *doubles;
    float *floats;
    char *text;
    int32_t *offsets;
    uint8_t *label;
    char (*names)[24];
} table;

static void *get(size_t count, size_t size) {
    void *block = calloc(count ? count : 1, size);
    if (block == NULL)
        exit(1);
    return block;
}

static void draw(table *t) {
    uint64_t state = 1;
    size_t count = t->rows * t->columns, used = 0;
    t->doubles = get(count, sizeof *t->doubles);
    t->floats = get(count, sizeof *t->floats);
    t->text = get(count, 16);
    t->offsets = get(count + t->columns, sizeof *t->offsets);
    t->label = get(t->rows, 1);
    t->names = get(t->columns, sizeof *t->names);
    for (size_t i = 0; i < t->rows; i++)
        t->label[i] = uniform(&state) < 0.5;
    for (size_t c = 0; c < t->columns; c++) {
        snprintf(t->names[c], sizeof *t->names, "x%zu", c + 1);
        for (size_t i = 0; i < t->rows; i++) {
            size_t at = c * t->rows + i;
            double normal =
                sqrt(-2 * log(uniform(&state))) * cos(6.283185307179586 * uniform(&state));
            t->offsets[at + c] = (int32_t)used;
            used += (size_t)sprintf(t->text + used, "%.6g", normal);
            t->doubles[at] = strtod(t->text + t->offsets[at + c], NULL);
            t->floats[at] = (float)t->doubles[at];
        }
        t->offsets[c * t->rows + t->rows + c] = (int32_t)used;
    }
}

static void write_csv(const table *t, const char *path) {
    FILE *out = fopen(path, "w");
    if (out == NULL)
        exit(1);
    fprintf(out, "label");
    for (size_t c = 0; c < t->columns; c++)
        fprintf(out, ",%s", t->names[c]);
    for (size_t i = 0; i < t->rows; i++) {
        fprintf(out, "\n%d", t->label[i]);
        for (size_t c = 0; c < t->columns; c++) {
            const int32_t *at = &t->offsets[c * t->rows + i + c];
            fprintf(out, ",%.*s", (int)(at[1] - at[0]), t->text + at[0]);
        }
    }
    fprintf(out, "\n");
    if (fclose(out) != 0)
        exit(1);
}

/** The CPU seconds of adding the table in one way: csv, doubles, floats or texts. */
static double add(const table *t, const char *path, hcbr_memory_type type, int csv,
                  const hcbr_read_options *options) {
    hcbr_memory_column *columns = get(t->columns + 1, sizeof *columns);
    hcbr_cases *cases;
    hcbr_error err;
    double start, least = 1e9;
    for (size_t c = 0; c <= t->columns; c++) {
        hcbr_memory_column *x = &columns[c];
        x->size = sizeof *x;
        x->length = t->rows;
        x->name = c == 0 ? "label" : t->names[c - 1];
        x->type = c == 0 ? HCBR_MEMORY_U8 : type;
        if (c == 0)
            x->values = t->label;
        else if (type == HCBR_MEMORY_F64)
            x->values = t->doubles + (c - 1) * t->rows;
        else if (type == HCBR_MEMORY_F32)
            x->values = t->floats + (c - 1) * t->rows;
        else
            x->values = t->offsets + (c - 1) * (t->rows + 1);
        x->text = t->text;
        x->text_size = type == HCBR_MEMORY_UTF8 ? INT32_MAX : 0;
    }
    for (int round = 0; round < 3; round++) {
        must(hcbr_cases_create(&cases, 1, &err), &err);
        start = now();
        must(csv ? hcbr_cases_read(cases, &path, 1, options, &err)
                 : hcbr_cases_add_columns(cases, columns, t->columns + 1, options, &err),
             &err);
        least = fmin(least, now() - start);
        hcbr_cases_free(cases);
    }
    free(columns);
    return least;
}

int main(int argc, char **argv) {
    table t = {.rows = argc > 1 ? (size_t)atoll(argv[1]) : 300000,
               .columns = argc > 2 ? (size_t)atoll(argv[2]) : 14};
    const char *path = argc > 3 ? argv[3] : "columns.csv";
    hcbr_read_options options;
    FILE *there;
    draw(&t);
    if ((there = fopen(path, "r")) == NULL)
        write_csv(&t, path);
    else
        fclose(there);
    hcbr_read_options_init(&options);
    for (int form = 0; form < 2; form++) {
        options.numbers = form == 0 ? HCBR_NUMBERS_APART : HCBR_NUMBERS_SPELLED;
        double csv = add(&t, path, HCBR_MEMORY_F64, 1, &options);
        double f64 = add(&t, path, HCBR_MEMORY_F64, 0, &options);
        double f32 = add(&t, path, HCBR_MEMORY_F32, 0, &options);
        double utf8 = add(&t, path, HCBR_MEMORY_UTF8, 0, &options);
        printf("%s  csv %.3f s  f64 %.3f s (%.2f)  f32 %.3f s (%.2f)  texts %.3f s (%.2f)\n",
               form == 0 ? "apart  " : "spelled", csv, f64, f64 / csv, f32, f32 / csv, utf8,
               utf8 / csv);
    }
    return 0;
}
