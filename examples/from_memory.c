/*
 * from_memory.c: train a model from a table in memory, with libhcbr.
 *
 *     cc from_memory.c -o from_memory $(pkg-config --cflags --libs hcbr)
 *     ./from_memory
 *
 * Three columns of five rows: numbers with a value that is missing, words as indices of a
 * dictionary, and the label. What a column is for is said by its name, as for a file. Memory is
 * only read, and only during the call.
 */
#include <hcbr/hcbr.h>

#include <stdio.h>
#include <string.h>

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

int main(void) {
    static const double age[5] = {39, 50, 0, 28, 61};
    static const uint8_t known[1] = {
        0x1B}; /* a bit for each row, the lowest first: not the third */
    static const int8_t job[5] = {0, 1, 0, 0, 1};
    static const char jobs[] = "clerkcook";
    static const int32_t job_starts[3] = {0, 5, 9};
    static const uint8_t label[5] = {1, 0, 1, 1, 0};
    hcbr_memory_column words = column("", HCBR_MEMORY_UTF8, 2, job_starts), columns[3];
    hcbr_cases *cases = NULL;
    hcbr_model *model = NULL;
    hcbr_error err;
    hcbr_status st;

    words.text = jobs;
    words.text_size = strlen(jobs);
    columns[0] = column("age", HCBR_MEMORY_F64, 5, age);
    columns[0].validity = known;
    columns[1] = column("job", HCBR_MEMORY_I8, 5, job);
    columns[1].dictionary = &words;
    columns[2] = column("label", HCBR_MEMORY_BOOL, 5, label);

    st = hcbr_cases_create(&cases, 0, &err);
    if (st == HCBR_OK)
        st = hcbr_cases_add_columns(cases, columns, 3, NULL, &err);
    if (st == HCBR_OK)
        st = hcbr_cases_finish(cases, &err);
    if (st == HCBR_OK)
        st = hcbr_model_train(&model, cases, NULL, &err);
    if (st == HCBR_OK)
        printf("%llu cases, %lu labels\n", (unsigned long long)hcbr_cases_count(cases),
               (unsigned long)hcbr_cases_get_info(cases).labels);
    else
        fprintf(stderr, "from_memory: %s\n", err.message);
    hcbr_model_free(model);
    hcbr_cases_free(cases);
    return st == HCBR_OK ? 0 : 1;
}
