/*
 * The table of formats: each is found by its number, name and endings, and option format has it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include <hcbr/options.h>

#include "read/lane.h"

static const hcbr_option *option_format(void) {
    const hcbr_option *o;
    size_t i = 0;
    while ((o = hcbr_option_at(i)) && strcmp(o->name, "format") != 0)
        i++;
    assert_non_null(o);
    return o;
}

static void formats__are_those_of_option_format(void **state) {
    (void)state;
    const hcbr_option *o = option_format();
    char argument[200] = "";
    int count = 0;
    for (; o->words[count]; count++) {
        const hcbr_i_format *f = hcbr_i_format_of((hcbr_format)count);
        assert_non_null(f);
        assert_int_equal(f->id, count);
        assert_string_equal(f->name, o->words[count]);
        assert_string_equal(hcbr_format_name(f->id), f->name);
    }
    assert_null(hcbr_i_format_of((hcbr_format)count));
    char names[HCBR_I_FORMAT_NAMES];
    (void)hcbr_i_format_names(names, false); // "a, b or c"
    for (char *at = strtok(names, ", "); at; at = strtok(NULL, ", "))
        if (strcmp(at, "or") != 0)
            snprintf(argument + strlen(argument), sizeof argument - strlen(argument), "%s%s",
                     argument[0] ? "|" : "", at);
    assert_string_equal(argument, o->argument);
    assert_string_equal(hcbr_i_format_names(names, true), "csv, tsv or jsonl");
}

static void formats__can_be_read(void **state) {
    (void)state;
    int endings = 0;
    for (int i = 1; option_format()->words[i]; i++) {
        const hcbr_i_format *f = hcbr_i_format_of((hcbr_format)i);
        assert_non_null(f->parse);
        assert_true(f->parse != hcbr_i_lane_lines || f->record);
        assert_true(!f->has_columns || (f->delimiter && !f->unnamed && f->fields));
        assert_true(f->unnamed || (!f->has_ids && !f->has_values));
        for (int k = 0; k < 4 && f->endings[k]; k++, endings++) {
            char path[32], upper[64];
            snprintf(path, sizeof path, "a.b/x.%s", f->endings[k]);
            snprintf(upper, sizeof upper, "%s.GZ", path);
            assert_ptr_equal(hcbr_i_format_of_path(path), f); // no other has it
            assert_ptr_equal(hcbr_i_format_of_path(upper), f);
            assert_int_equal(hcbr_format_of_path(path), f->id);
        }
    }
    assert_int_equal(endings, 10);
    assert_ptr_equal(hcbr_i_format_of_path("x.other"), &hcbr_i_format_auto);
    assert_ptr_equal(hcbr_i_format_of_path("csv/x"), &hcbr_i_format_auto);
}

static void sniff__asks_tables_last(void **state) {
    (void)state;
    static const struct {
        const char *line;
        int delimiter;
        const hcbr_i_format *format;
    } LINES[] = {{"{\"a\": 1, \"b\": 2}", 0, &hcbr_i_format_jsonl},
                 {" [{\"a\": 1},", 0, &hcbr_i_format_jsonl},
                 {"[1] 2:3,4", 0, &hcbr_i_format_auto},
                 {"+1 1:2.5\t7:1", 0, &hcbr_i_format_libsvm},
                 {"a,b\tc", 0, &hcbr_i_format_csv},
                 {"a;b\tc|d", 0, &hcbr_i_format_tsv},
                 {"a;b", 0, &hcbr_i_format_csv},
                 {"a|b", 0, &hcbr_i_format_csv},
                 {"a~b\tc", '~', &hcbr_i_format_csv},
                 {"a b", 0, &hcbr_i_format_auto},
                 {"  ", 0, &hcbr_i_format_auto}};
    for (size_t i = 0; i < sizeof LINES / sizeof *LINES; i++)
        assert_ptr_equal(
            hcbr_i_format_sniff(LINES[i].line, strlen(LINES[i].line), LINES[i].delimiter),
            LINES[i].format);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(formats__are_those_of_option_format),
        cmocka_unit_test(formats__can_be_read),
        cmocka_unit_test(sniff__asks_tables_last),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
