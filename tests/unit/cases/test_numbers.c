/*
 * Lists whose numbers stand apart: whatever the threads, the blocks and the way the cases came, a
 * list has the same numbers and features, those of the list with all numbers spelled.
 */
#include "../read/read_support.h"
#include "add_case.h"
#include "cases/cases.h"
#include "seed.h"

#include <stdlib.h>
#include <unistd.h>

/* ---- lists as text --------------------------------------------------------------------------- */

static int compare_lines(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Key and value of all that case i has, sorted; `apart`: say which are numbers. */
static void write_case(text *out, const hcbr_cases *cases, uint32_t i, bool apart) {
    const hcbr_i_numbers *n = &cases->numbers;
    char *lines[4000];
    size_t count = 0;
    for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++) {
        hcbr_feature x;
        text line = {NULL, 0, 0};
        hcbr_cases_get_feature(cases, cases->features[j], &x);
        text_add(&line, x.key, x.key_length);
        text_print(&line, "%s", x.value ? "=" : "");
        text_add(&line, x.value, x.value_length);
        lines[count++] = line.at;
    }
    for (uint64_t j = n->start ? n->start[i] : 0; n->start && j < n->start[i + 1]; j++) {
        char room[HCBR_NUMBER_SIZE];
        hcbr_i_text key = hcbr_i_dict_key(cases->dict, n->key[j]);
        hcbr_i_text value = hcbr_i_numbers_text(n, j, room);
        text line = {NULL, 0, 0};
        text_add(&line, key.at, key.length);
        text_print(&line, "=");
        text_add(&line, value.at, value.length);
        if (apart)
            text_print(&line, " (%a)", n->value[j]);
        lines[count++] = line.at;
    }
    assert_true(count < sizeof lines / sizeof *lines);
    qsort(lines, count, sizeof *lines, compare_lines);
    for (size_t k = 0; k < count; k++) {
        text_print(out, " [%s]", lines[k]);
        free(lines[k]);
    }
}

static void write_values(text *out, const hcbr_cases *cases, bool apart) {
    text_print(out, "%u cases, %u empty\n", cases->case_count, cases->empty_count);
    for (uint32_t i = 0; i < cases->case_count; i++) {
        text_print(out, "%s", cases->labels.names[cases->label[i]]);
        write_case(out, cases, i, apart);
        text_print(out, "\n");
    }
}

/* All numbers of keys and features, and the items as they stand. */
static void write_all(text *out, const hcbr_cases *cases) {
    const hcbr_i_numbers *n = &cases->numbers;
    for (uint32_t k = 0; k < hcbr_i_dict_key_count(cases->dict); k++) {
        hcbr_i_text key = hcbr_i_dict_key(cases->dict, k);
        text_print(out, "key %u %.*s\n", k, (int)key.length, key.at);
    }
    for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(cases->dict, f);
        text_print(out, "feature %u %u=%.*s\n", f, x.key, (int)x.value_length,
                   x.value ? x.value : "");
    }
    for (uint32_t i = 0; i < cases->case_count; i++) {
        for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++)
            text_print(out, " %u", cases->features[j]);
        for (uint64_t j = n->start ? n->start[i] : 0; n->start && j < n->start[i + 1]; j++)
            text_print(out, " %u:%a/%u", n->key[j], n->value[j], n->spelling ? n->spelling[j] : 0);
        text_print(out, "\n");
    }
    write_values(out, cases, true);
}

/* ---- random files ---------------------------------------------------------------------------- */

static const char *const VALUES[] = {
    "1",     "1.0",   "1e0",      "+1",       "-2.5",
    "-2.50", "0.1",   ".1",       "0",        "-0",
    "007",   "00.5",  "red",      "",         "NA",
    ">90",   "1e999", "1e-400",   "123456.7", "12345678901234567890",
    "5.",    "x1",    "1-2",      "-",        "2021",
    "0.25",  "0.250", "-0.00001", "0.000001", "12345678901234567891",
    "1",     "2",     "3",        "4",        "5",
    "6",     "7.5",   "8.25",     "-9.125",   "1000000"};
enum { VALUE_COUNT = sizeof VALUES / sizeof *VALUES };

static const char *draw_value(uint64_t *seed) {
    return VALUES[draw(seed, VALUE_COUNT)];
}

static void random_csv(text *out, size_t rows, uint64_t *seed) {
    text_print(out, "label,a,b,\"a rather long name\",d,7\n");
    for (size_t i = 0; i < rows; i++) {
        text_print(out, "l%d", (int)draw(seed, 3));
        for (int f = 0; f < 5; f++) {
            const char *value = f == 3 && draw(seed, 30) ? "4.5" : draw_value(seed);
            text_print(out, draw(seed, 9) ? ",%s" : ",\"%s\"", value);
        }
        text_print(out, draw(seed, 9) ? "\n" : "\r\n");
    }
}

static void random_jsonl(text *out, size_t rows, uint64_t *seed) {
    for (size_t i = 0; i < rows; i++) {
        text_print(out, "{\"label\":\"l%d\"", (int)draw(seed, 3));
        if (draw(seed, 2))
            text_print(out, ",\"a\":%d", (int)draw(seed, 5));
        if (draw(seed, 2))
            text_print(out, ",\"b\":\"%s\"", draw_value(seed));
        if (draw(seed, 2))
            text_print(out, ",\"c\":{\"d\":%.3f}", (double)draw(seed, 1000) / 8);
        text_print(out, ",\"list of numbers\":[");
        for (uint64_t n = draw(seed, draw(seed, 6) ? 4 : 60); n-- > 0;)
            text_print(out, "\"%s\",", draw_value(seed));
        text_print(out, "3]}\n");
    }
}

static void random_libsvm(text *out, size_t rows, uint64_t *seed) {
    for (size_t i = 0; i < rows; i++) {
        text_print(out, "%d", (int)draw(seed, 2));
        for (uint64_t n = draw(seed, 6), id = 1; n-- > 0; id += 1 + draw(seed, 3)) {
            const bool one = id > 4 || draw(seed, 3);
            text_print(out, " %d:", (int)id);
            text_print(out, one ? "1" : "%.2f", (double)draw(seed, 100) / 4);
        }
        text_print(out, "\n");
    }
}

static const struct {
    const char *ending;
    void (*make)(text *out, size_t rows, uint64_t *seed);
} FORMATS[] = {{".csv", random_csv}, {".jsonl", random_jsonl}, {".libsvm", random_libsvm}};

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_cases *read_list(const char *const *paths, size_t count, uint32_t threads,
                             hcbr_numbers numbers) {
    hcbr_read_options options;
    hcbr_cases *cases;
    hcbr_error err;
    hcbr_read_options_init(&options);
    options.threads = threads;
    options.numbers = numbers;
    assert_int_equal(hcbr_cases_create(&cases, 0, NULL), HCBR_OK);
    if (hcbr_cases_read(cases, paths, count, &options, &err) != HCBR_OK)
        fail_msg("%s:%d: %s", err.file, (int)err.line, err.message);
    assert_int_equal(hcbr_cases_finish(cases, NULL), HCBR_OK);
    assert_int_equal(cases->apart, numbers == HCBR_NUMBERS_APART);
    return cases;
}

static void numbers__are_the_same_for_all_threads_and_blocks(void **context) {
    uint64_t seed = test_seed(7301);
    (void)context;
    for (int round = 0; round < 60; round++) {
        text first = {NULL, 0, 0};
        char path[2][64];
        const char *paths[] = {path[0], path[1]};
        const size_t format = (size_t)draw(&seed, 3);
        for (int i = 0; i < 2; i++) {
            text bytes = {NULL, 0, 0};
            FORMATS[format].make(&bytes, 5 + (size_t)draw(&seed, 300), &seed);
            write_file(path[i], FORMATS[format].ending, bytes.at, bytes.length);
            text_free(&bytes);
        }
        for (int way = 0; way < 5; way++) {
            text found = {NULL, 0, 0};
            hcbr_i_reader_chunk = way < 2 ? 1 << 20 : 100 + (size_t)draw(&seed, 2000);
            hcbr_i_reader_buffer = way == 0 ? 1 << 20 : 50 + (size_t)draw(&seed, 3000);
            hcbr_cases *cases =
                read_list(paths, 2, way < 2 ? 1 : 2 + (uint32_t)draw(&seed, 3), HCBR_NUMBERS_APART);
            write_all(&found, cases);
            hcbr_cases_free(cases);
            if (way == 0)
                first = found;
            else {
                assert_string_equal(found.at, first.at);
                text_free(&found);
            }
        }
        text_free(&first);
        unlink(path[0]);
        unlink(path[1]);
    }
    hcbr_i_reader_chunk = 1 << 20;
}

static void numbers__are_those_of_the_spelled_list(void **context) {
    uint64_t seed = test_seed(7302);
    (void)context;
    for (int round = 0; round < 150; round++) {
        const size_t format = (size_t)draw(&seed, 3);
        text bytes = {NULL, 0, 0}, read = {NULL, 0, 0}, set = {NULL, 0, 0};
        char path[64];
        const char *paths[] = {path};
        hcbr_cases *spelled, *apart, *copy;
        FORMATS[format].make(&bytes, 1 + (size_t)draw(&seed, 80), &seed);
        write_file(path, FORMATS[format].ending, bytes.at, bytes.length);
        apart = read_list(paths, 1, 1, HCBR_NUMBERS_APART);
        spelled = read_list(paths, 1, 1, HCBR_NUMBERS_AS_READ);
        assert_int_equal(hcbr_i_cases_set_apart(&copy, spelled, NULL), HCBR_OK);
        // `1` of ids that have no other number is a feature when it is read
        write_values(&read, apart, format < 2);
        write_values(&set, copy, format < 2);
        assert_string_equal(read.at, set.at);
        hcbr_cases_free(spelled);
        hcbr_cases_free(apart);
        hcbr_cases_free(copy);
        text_free(&bytes);
        text_free(&read);
        text_free(&set);
        unlink(path);
    }
}

/* A key has its numbers all apart or all as features. */
static void numbers__of_a_key_are_all_apart(void **context) {
    static const char bytes[] = "1 3:1 4:1 5:1\n0 3:2.5 5:1\n1 3:1 4:1\n";
    char path[64];
    const char *paths[] = {path};
    text found = {NULL, 0, 0};
    (void)context;
    write_file(path, ".libsvm", bytes, sizeof bytes - 1);
    hcbr_cases *cases = read_list(paths, 1, 1, HCBR_NUMBERS_APART);
    write_values(&found, cases, true);
    assert_string_equal(found.at, "3 cases, 0 empty\n"
                                  "1 [3=1 (0x1p+0)] [4=1] [5=1]\n"
                                  "0 [3=2.5 (0x1.4p+1)] [5=1]\n"
                                  "1 [3=1 (0x1p+0)] [4=1]\n");
    hcbr_cases_free(cases);
    text_free(&found);
    unlink(path);
}

static void numbers__may_be_all_a_case_has(void **context) {
    static const char bytes[] = "label,a,b\nx,1,?\ny,?,?\nx,?,red\n";
    char path[64];
    const char *paths[] = {path};
    (void)context;
    write_file(path, ".csv", bytes, sizeof bytes - 1);
    hcbr_cases *cases = read_list(paths, 1, 1, HCBR_NUMBERS_APART);
    assert_int_equal(hcbr_cases_get_info(cases).empty, 1);
    assert_int_equal(hcbr_cases_get_info(cases).features, 1);
    assert_int_equal(hcbr_cases_get_info(cases).keys, 2);
    hcbr_cases_free(cases);
    unlink(path);
}

/* Cases that are added one by one are those of a file. */
static void numbers__may_be_added(void **context) {
    uint64_t seed = test_seed(7303);
    (void)context;
    for (int round = 0; round < 40; round++) {
        text bytes = {NULL, 0, 0}, read = {NULL, 0, 0}, added = {NULL, 0, 0};
        char path[64];
        const char *paths[] = {path};
        hcbr_cases *one, *other;
        text_print(&bytes, "label,a,b,c\n");
        assert_int_equal(hcbr_cases_create(&one, 0, NULL), HCBR_OK);
        for (size_t rows = 1 + (size_t)draw(&seed, 40); rows-- > 0;) {
            hcbr_feature x[4];
            size_t count = 0;
            text_print(&bytes, "l");
            for (int c = 0; c < 3; c++) {
                static const char *const keys[] = {"a", "b", "c"};
                const char *value = draw_value(&seed);
                text_print(&bytes, ",%s", value);
                if (*value && strcmp(value, "NA") != 0)
                    x[count++] = (hcbr_feature){keys[c], 1, value, strlen(value)};
            }
            text_print(&bytes, "\n");
            if (count > 0 && draw(&seed, 2)) { // twice is once
                x[count] = x[draw(&seed, count)];
                count++;
            }
            assert_int_equal(add_one_case(one, x, count, "l", NULL, NULL), HCBR_OK);
        }
        assert_int_equal(hcbr_cases_finish(one, NULL), HCBR_OK);
        write_file(path, ".csv", bytes.at, bytes.length);
        other = read_list(paths, 1, 1, HCBR_NUMBERS_APART);
        write_all(&read, other);
        write_all(&added, one);
        assert_string_equal(read.at, added.at);
        hcbr_cases_free(one);
        hcbr_cases_free(other);
        text_free(&bytes);
        text_free(&read);
        text_free(&added);
        unlink(path);
    }
}

/* Cases whose reading fails anywhere leave the list as it was. */
static void numbers__survive_faults(void **context) {
    uint64_t seed = test_seed(7304);
    (void)context;
    for (size_t format = 0; format < 3; format++) {
        text bytes = {NULL, 0, 0}, wanted = {NULL, 0, 0};
        char path[64];
        const char *paths[] = {path};
        FORMATS[format].make(&bytes, 60, &seed);
        write_file(path, FORMATS[format].ending, bytes.at, bytes.length);
        hcbr_i_reader_chunk = 400;
        hcbr_cases *good = read_list(paths, 1, 2, HCBR_NUMBERS_APART);
        write_all(&wanted, good);
        hcbr_cases_free(good);
        for (uint64_t n = 1;; n++) {
            hcbr_read_options options;
            hcbr_cases *cases;
            hcbr_read_options_init(&options);
            options.threads = 2;
            assert_int_equal(hcbr_cases_create(&cases, 1, NULL), HCBR_OK);
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
            hcbr_status st = hcbr_cases_read(cases, paths, 1, &options, NULL);
            if (st == HCBR_OK)
                st = hcbr_cases_finish(cases, NULL);
            const bool reached = hcbr_i_fault_count(HCBR_I_FAULT_ALLOC) >= n;
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
            if (st == HCBR_OK) {
                text found = {NULL, 0, 0};
                write_all(&found, cases);
                assert_string_equal(found.at, wanted.at);
                text_free(&found);
            }
            hcbr_cases_free(cases);
            if (!reached)
                break;
        }
        text_free(&bytes);
        text_free(&wanted);
        unlink(path);
    }
    hcbr_i_reader_chunk = 1 << 20;
}

/* Some cases of a list are the list of their rows. */
static void numbers__of_some_cases_are_those_of_their_rows(void **context) {
    uint64_t seed = test_seed(7305);
    (void)context;
    for (int round = 0; round < 60; round++) {
        text all = {NULL, 0, 0}, some = {NULL, 0, 0}, one = {NULL, 0, 0}, other = {NULL, 0, 0};
        char path[2][64];
        const char *paths[] = {path[0]}, *part[] = {path[1]};
        uint32_t which[400], count = 0;
        random_csv(&all, 1 + (size_t)draw(&seed, 300), &seed);
        const char *line = strchr(all.at, '\n') + 1;
        text_add(&some, all.at, (size_t)(line - all.at));
        for (uint32_t i = 0; *line; i++) {
            const char *end = strchr(line, '\n') + 1;
            if (i == 0 || draw(&seed, 3)) {
                text_add(&some, line, (size_t)(end - line));
                which[count++] = i;
            }
            line = end;
        }
        write_file(path[0], ".csv", all.at, all.length);
        write_file(path[1], ".csv", some.at, some.length);
        hcbr_cases *base = read_list(paths, 1, 1, HCBR_NUMBERS_APART), *subset;
        hcbr_cases *read = read_list(part, 1, 1, HCBR_NUMBERS_APART);
        uint32_t *known = malloc((hcbr_cases_get_info(base).features + 1) * sizeof *known),
                 labels[8];
        assert_int_equal(hcbr_i_cases_subset(&subset, base, which, count, known, labels, NULL),
                         HCBR_OK);
        write_all(&one, subset);
        write_all(&other, read);
        assert_string_equal(one.at, other.at);
        free(known);
        hcbr_cases_free(base);
        hcbr_cases_free(subset);
        hcbr_cases_free(read);
        text_free(&all);
        text_free(&some);
        text_free(&one);
        text_free(&other);
        unlink(path[0]);
        unlink(path[1]);
    }
}

static int stand_apart(void **context) {
    (void)context;
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers__of_a_key_are_all_apart),
        cmocka_unit_test(numbers__may_be_all_a_case_has),
        cmocka_unit_test(numbers__are_those_of_the_spelled_list),
        cmocka_unit_test(numbers__are_the_same_for_all_threads_and_blocks),
        cmocka_unit_test(numbers__may_be_added),
        cmocka_unit_test(numbers__of_some_cases_are_those_of_their_rows),
        cmocka_unit_test(numbers__survive_faults),
    };
    return cmocka_run_group_tests(tests, stand_apart, NULL);
}
