// Coded blocks of csv and tsv: codes stand for the names that uncoded blocks have, whatever the
// number and the kind of values; where fields end is the same on every machine.
#include "read/stops.h"

#include "read_support.h"

#define VALUES 3000 /* more than a column holds */

static void stops__are_the_same_by_any_way(void **state) {
    static const char likely[] = ",;\t\"\n\r\x1F ~\x7F\x80\xFF\0#!0a";
    uint64_t seed = 20261116;

    (void)state;
    for (int round = 0; round < 20000; round++) {
        char bytes[HCBR_I_STOPS], delimiter = ",;\t|"[draw(&seed, 4)];
        uint64_t wanted = 0;

        for (size_t i = 0; i < sizeof bytes; i++) {
            unsigned char c = (unsigned char)draw(&seed, 256);

            if (draw(&seed, 3) == 0)
                c = (unsigned char)likely[draw(&seed, sizeof likely)];

            bytes[i] = (char)c;
            wanted |= (uint64_t)(c < 0x20 || c >= 0x80 || c == '"' || (char)c == delimiter) << i;
        }
        assert_int_equal(hcbr_i_stops(bytes, delimiter), wanted);
        assert_int_equal(hcbr_i_stops_plain(bytes, delimiter), wanted);
    }
}

/** Values of a column: few, many, long, quoted, missing, not ASCII. */
static void draw_cell(text *out, uint64_t *seed, size_t column) {
    static const char *const odd[] = {"",
                                      "?",
                                      "NA",
                                      "\"a,b\"",
                                      "é",
                                      "\"x\"\"y\"",
                                      "sixteen bytes ok",
                                      "seventeen bytes ..",
                                      "\"\"",
                                      "exactly8"};

    if (column == 0)
        text_print(out, "v%llu", (unsigned long long)draw(seed, 5));
    else if (column == 1)
        text_print(out, "%llu", (unsigned long long)draw(seed, VALUES));
    else if (column == 2)
        text_print(out, "%s", odd[draw(seed, sizeof odd / sizeof *odd)]);
    else
        text_print(out, "a value of some length %llu", (unsigned long long)draw(seed, 3));
}

static void values__have_codes_for_the_same_names(void **state) {
    text file = {NULL, 0, 0}, names = {NULL, 0, 0}, codes = {NULL, 0, 0};
    job j = job_make(".csv", true);
    uint64_t seed = 7;

    (void)state;
    text_print(&file, "few,many,odd,a rather long name of a column,label\n");
    for (size_t row = 0; row < 3 * VALUES; row++) {
        for (size_t column = 0; column < 4; column++) {
            draw_cell(&file, &seed, column);
            text_add(&file, ",", 1);
        }
        text_print(&file, "%s\n", row % 2 ? "yes" : "no");
    }
    assert_int_equal(read_bytes(&names, file.at, file.length, &j), HCBR_OK);
    j.numeric = true;
    assert_int_equal(read_bytes(&codes, file.at, file.length, &j), HCBR_OK);
    assert_string_equal(codes.at, names.at);
    text_free(&file);
    text_free(&names);
    text_free(&codes);
}

/** Read a file with codes and count, over its blocks, names that have one. */
static void count_coded(const char *path, size_t *coded, size_t *others) {
    job j = job_make(".csv", true);
    hcbr_i_reader *reader;
    const hcbr_i_block *block;

    *coded = *others = 0;
    assert_int_equal(hcbr_i_reader_create(&reader, &path, 1, &j.options, true, NULL), HCBR_OK);
    hcbr_i_reader_set_coded(reader);
    while (hcbr_i_reader_next(reader, &block, NULL) == HCBR_OK && block != NULL) {
        assert_true(block->coded);
        for (size_t n = 0; n < block->name_count; n++)
            *(block->numbers[n] < HCBR_I_OTHER ? coded : others) += 1;
    }
    hcbr_i_reader_free(reader);
}

static void values__are_few_or_have_no_codes(void **state) {
    text file = {NULL, 0, 0};
    char path[64];
    size_t coded, others;

    (void)state;
    text_print(&file, "few,all different,label\n");
    for (size_t row = 0; row < 2 * VALUES; row++)
        text_print(&file, "v%zu,%zu,%zu\n", row % 7, row, row % 2);
    write_file(path, ".csv", file.at, file.length);
    count_coded(path, &coded, &others);
    assert_int_equal(coded + others, 4 * VALUES);
    assert_true(coded >= 2 * VALUES); // all of the few
    assert_true(coded <= 3 * VALUES && others >= VALUES);
    unlink(path);
    text_free(&file);
}

// A code is of one file: the next one has other columns.
static void values__of_another_file_are_others(void **state) {
    char paths[2][64];
    const char *const list[2] = {paths[0], paths[1]};
    text names = {NULL, 0, 0};
    job j = job_make(".csv", true);

    (void)state;
    write_file(paths[0], ".csv", "a,b,label\nx,y,1\nx,z,2\n", 22);
    write_file(paths[1], ".csv", "b,a,label\nx,y,1\ny,x,2\n", 22);
    j.numeric = true;
    assert_int_equal(read_paths(&names, list, 2, &j), HCBR_OK);
    assert_string_equal(names.at, "1@2 1 a=x b=y\n2@3 2 a=x b=z\n3@2 1 b=x a=y\n4@3 2 b=y a=x\n");
    unlink(paths[0]);
    unlink(paths[1]);
    text_free(&names);
}

// A bad row leaves nothing behind, neither names with codes nor others.
static void values__of_bad_rows_are_dropped(void **state) {
    job j = job_make(".csv", true);

    (void)state;
    j.options.bad_rows = HCBR_BAD_ROWS_SKIP;
    expect(&j,
           "a,b,label\nnew,a value of many bytes,1,more\nx,\"q\"\"q\",1\nnew,\"un\n"
           "x,another value of many,2\n",
           "2@3 1 a=x b=q\"q\n"
           "warning 2:29 found more than 3 fields, expected 3 (row skipped)\n"
           "warning 4:5 found a quote that is never closed, expected another one "
           "(option quote none takes quotes as they stand) (row skipped)\n");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stops__are_the_same_by_any_way),
        cmocka_unit_test(values__have_codes_for_the_same_names),
        cmocka_unit_test(values__are_few_or_have_no_codes),
        cmocka_unit_test(values__of_another_file_are_others),
        cmocka_unit_test(values__of_bad_rows_are_dropped),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
