// Options by name: every name can be set, values come back as they were set, what is out of range
// is refused, and the defaults that help tells are those of the init functions.
#include "add_case.h"
#include "base/base.h"

#include <hcbr/hcbr.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct all {
    hcbr_read_options read;
    hcbr_train_options train;
    hcbr_rule rule;
    hcbr_tune_options tune;
    hcbr_evaluate_options evaluate;
    hcbr_options options;
} all;

static int set_up(void **state) {
    all *a = calloc(1, sizeof *a);
    hcbr_read_options_init(&a->read);
    hcbr_train_options_init(&a->train);
    hcbr_rule_init(&a->rule);
    hcbr_tune_options_init(&a->tune);
    hcbr_evaluate_options_init(&a->evaluate);
    a->options = (hcbr_options){.read = &a->read,
                                .train = &a->train,
                                .rule = &a->rule,
                                .tune = &a->tune,
                                .evaluate = &a->evaluate};
    *state = a;
    return 0;
}

static int tear_down(void **state) {
    all *a = *state;
    hcbr_options_clear(&a->options);
    free(a);
    return 0;
}

static void set(all *a, const char *name, const char *value) {
    hcbr_error err = {0};
    if (hcbr_options_set(&a->options, name, value, &err) != HCBR_OK)
        fail_msg("%s %s: %s", name, value ? value : "(none)", err.message);
}

static void refuses(all *a, const char *name, const char *value, const char *message) {
    hcbr_error err = {0};
    const all before = *a;
    assert_int_equal(hcbr_options_set(&a->options, name, value, &err), HCBR_EUSAGE);
    assert_string_equal(err.message, message);
    // The memory may have grown, the structures have not changed.
    assert_memory_equal(&before.read, &a->read, sizeof before.read);
    assert_memory_equal(&before.train, &a->train, sizeof before.train);
    assert_memory_equal(&before.rule, &a->rule, sizeof before.rule);
    assert_memory_equal(&before.tune, &a->tune, sizeof before.tune);
    assert_memory_equal(&before.evaluate, &a->evaluate, sizeof before.evaluate);
}

static void is(all *a, const char *name, const char *value) {
    char text[400];
    assert_int_equal(hcbr_options_get(&a->options, name, text, sizeof text), strlen(value));
    assert_string_equal(text, value);
}

// ---- the table

static void every_name__is_set_and_comes_back(void **state) {
    static const char *const VALUES[] = {
        [HCBR_OPTION_FLAG] = "true",   [HCBR_OPTION_SHARE] = "0.25",
        [HCBR_OPTION_CHARACTER] = ";", [HCBR_OPTION_TEXT] = "a text",
        [HCBR_OPTION_FILE] = "a/b",    [HCBR_OPTION_TEXTS] = "a\\,b,c",
        [HCBR_OPTION_COUNTS] = "0,7",  [HCBR_OPTION_VALUES] = NULL,
    };
    const hcbr_option *x;
    size_t count = 0;
    char number[32];
    tear_down(state); // each option has a state of its own
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        const char *value = VALUES[x->kind];
        set_up(state);
        if (x->kind == HCBR_OPTION_COUNT || x->kind == HCBR_OPTION_SIZE)
            snprintf(number, sizeof number, "%llu", (unsigned long long)x->least + 1),
                value = number;
        if (x->kind == HCBR_OPTION_WORD)
            value = x->words[1];
        if (x->kind == HCBR_OPTION_PAIRS)
            value = strcmp(x->name, "type") == 0 ? "a b=set:;" : "a b:c";
        if (x->kind == HCBR_OPTION_VALUES)
            value = strcmp(x->name, "cost") == 0 ? "x:y=2,unknown=3" : "x=0.5,y=0.25";
        set(*state, x->name, value);
        if (strcmp(x->name, "na") == 0)
            value = ",?,NA,NaN,null,a\\,b,c";
        if (strcmp(x->name, "cost") == 0)
            value = "x:y=2,unknown=3";
        is(*state, x->name, value);
        tear_down(state);
        count++;
    }
    set_up(state);
    assert_true(count > 70);
    assert_null(hcbr_option_at(count));
}

static void entries__of_one_name_differ_in_help_and_commands_only(void **state) {
    (void)state;
    const hcbr_option *x, *y;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        assert_true(x->name && x->help && x->section && x->commands);
        assert_int_equal(x->argument == NULL, x->kind == HCBR_OPTION_FLAG);
        assert_int_equal(x->words != NULL, x->kind == HCBR_OPTION_WORD);
        assert_true(x->least <= x->most);
        for (size_t j = 0; j < i && (y = hcbr_option_at(j)); j++)
            if (strcmp(x->name, y->name) == 0) {
                assert_false(x->commands & y->commands);
                assert_true(x->part == y->part && x->at == y->at && x->kind == y->kind &&
                            x->least == y->least && x->most == y->most);
            }
    }
}

static void words_of_help__are_words_of_the_enumeration(void **state) {
    const hcbr_option *x;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        char list[100], *word, *rest = list;
        if (x->kind != HCBR_OPTION_WORD)
            continue;
        snprintf(list, sizeof list, "%s", x->argument);
        while ((word = strtok_r(rest, "|", &rest))) {
            set(*state, x->name, word);
            is(*state, x->name, word);
            memset(&((all *)*state)->options.given, 0, sizeof((all *)*state)->options.given);
        }
    }
}

// "(default: 64M)" of a number, a size, a share or a word is what the init functions set.
static void defaults__told_by_help_are_those_of_the_init_functions(void **state) {
    const hcbr_option *x;
    size_t told = 0;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        const char *at = strstr(x->help, "(default: ");
        char text[100];
        // Studies choose their own; the memory of the machine is not known here.
        if (!at || x->commands == HCBR_FOR_STUDY || x->kind == HCBR_OPTION_TEXT ||
            x->kind == HCBR_OPTION_CHARACTER || !strcmp(x->name, "max_memory") ||
            x->kind == HCBR_OPTION_TEXTS || x->kind == HCBR_OPTION_PAIRS ||
            !strcmp(x->name, "header") || !strcmp(x->name, "format") ||
            !strcmp(x->name, "ngrams") || !strcmp(x->name, "dates") || !strcmp(x->name, "metric"))
            continue;
        at += strlen("(default: ");
        if (strcmp(x->name, "importance") == 0)
            continue; // of each column, in its file
        hcbr_options_get(&((all *)*state)->options, x->name, text, sizeof text);
        if (strncmp(at, text, strlen(text)) != 0 || at[strlen(text)] != ')')
            fail_msg("%s: help says %s, the default is %s", x->name, at, text);
        told++;
    }
    assert_true(told > 20);
}

static void ranges__end_where_the_table_says(void **state) {
    const hcbr_option *x;
    char number[32], message[200];
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        if (x->kind != HCBR_OPTION_COUNT && x->kind != HCBR_OPTION_SIZE)
            continue;
        const uint64_t ends[] = {x->least, x->most};
        for (int end = 0; end < 2; end++) {
            snprintf(number, sizeof number, "%llu", (unsigned long long)ends[end]);
            set(*state, x->name, number);
            if (ends[end] == 0 || ends[end] == UINT64_MAX)
                continue;
            snprintf(number, sizeof number, "%llu",
                     (unsigned long long)(end ? x->most + 1 : x->least - 1));
            snprintf(message, sizeof message,
                     "option %s %s: a number from %llu to %llu was expected", x->name, number,
                     (unsigned long long)x->least, (unsigned long long)x->most);
            refuses(*state, x->name, number, message);
        }
        snprintf(message, sizeof message, "option %s 7x: a whole number was expected", x->name);
        refuses(*state, x->name, "7x", message);
        snprintf(message, sizeof message, "option %s '': a whole number was expected", x->name);
        refuses(*state, x->name, "", message);
    }
    refuses(*state, "seed", "18446744073709551616",
            "option seed 18446744073709551616: a number from 0 to 18446744073709551615 was "
            "expected");
}

// ---- values

static void sizes__have_units(void **state) {
    all *a = *state;
    set(a, "max_line", "3M");
    assert_int_equal(a->read.max_line, 3 << 20);
    is(a, "max_line", "3M");
    set(a, "max_line", "1025");
    is(a, "max_line", "1025");
    set(a, "max_memory", "2G");
    assert_true(a->train.max_memory == 2147483648.0);
    is(a, "max_memory", "2G");
    refuses(a, "min_cases", "1K", "option min_cases 1K: a whole number was expected");
    refuses(a, "max_line", "1T", "option max_line 1T: a whole number was expected");
    refuses(a, "max_line", "99999999999G",
            "option max_line 99999999999G: a number from 1 to 4294967295 was expected");
}

static void words__are_listed_as_help_does(void **state) {
    refuses(*state, "format", "xml",
            "option format xml: csv, tsv, jsonl, libsvm, text or cases was expected");
    refuses(*state, "dates", "", "option dates '': dmy or mdy was expected");
}

static void flags__are_true_or_false(void **state) {
    all *a = *state;
    set(a, "no_label", NULL);
    assert_int_equal(a->read.label_need, HCBR_LABEL_NONE);
    set(a, "no_label", "false");
    assert_int_equal(a->read.label_need, HCBR_LABEL_NEEDED);
    set(a, "prune", "true");
    assert_true(a->train.prune == HCBR_PRUNE_CHOOSE);
    set(a, "prune", "false");
    assert_true(a->train.prune == 0);
    refuses(a, "strict", "yes", "option strict yes: true or false was expected");
}

static void characters__have_names(void **state) {
    all *a = *state;
    set(a, "delimiter", "tab");
    assert_int_equal(a->read.delimiter, '\t');
    is(a, "delimiter", "tab");
    set(a, "quote", "none");
    assert_int_equal(a->read.quote, -1);
    refuses(a, "escape", " ",
            "option escape  : one ASCII character (no blank) or none was expected");
    refuses(a, "delimiter", "",
            "option delimiter '': one ASCII character (no quote, no end of line) or tab was "
            "expected");
    refuses(a, "delimiter", "\"",
            "option delimiter \": one ASCII character (no quote, no end of line) or tab was "
            "expected");
}

static void lists__replace_what_was_there_and_grow(void **state) {
    static const char *const STORED[] = {"old"};
    all *a = *state;
    a->read.ignore = STORED;
    a->read.ignore_count = 1;
    set(a, "ignore", "a\\,b,c");
    set(a, "ignore", "d");
    assert_int_equal(a->read.ignore_count, 3);
    assert_string_equal(a->read.ignore[0], "a,b");
    assert_string_equal(a->read.ignore[2], "d");
    set(a, "numeric", NULL);
    assert_non_null(a->train.numeric);
    assert_int_equal(a->train.numeric_count, 0);
    refuses(a, "try_passes", "1,,2",
            "option try_passes 1,,2: numbers separated by commas were expected");
}

static void missing_values__are_added_or_replaced(void **state) {
    static const char *const STORED[] = {"x"};
    all *a = *state;
    a->read.na = STORED;
    a->read.na_count = 1;
    set(a, "na", "y");
    is(a, "na", "x,y");
    assert_int_equal(a->read.na_only, 0);
    refuses(a, "na_only", "z",
            "option na adds to the list that option na_only gives: name all values in one of them");
    tear_down(state);
    set_up(state);
    a = *state;
    set(a, "na_only", "");
    assert_int_equal(a->read.na_count, 1);
    assert_int_equal(a->read.na_only, 1);
}

static void pairs__are_cut_at_their_mark_or_given_apart(void **state) {
    all *a = *state;
    set(a, "split", "a:b:;");
    set(a, "split", "c::");
    set(a, "split.d:e", ": ");
    assert_int_equal(a->read.split_count, 3);
    assert_string_equal(a->read.split[0].column, "a:b");
    assert_string_equal(a->read.split[1].separator, ":");
    assert_string_equal(a->read.split[2].column, "d:e");
    assert_string_equal(a->read.split[2].separator, ": ");
    set(a, "type", "a=b=set:=");
    assert_string_equal(a->read.types[0].column, "a=b");
    assert_string_equal(a->read.types[0].kind, "set:=");
    refuses(a, "split", "ab",
            "option split ab: COL:SEP was expected, a column and what separates its parts");
    refuses(a, "type", "=x", "option type =x: COL=KIND was expected, a column and what it is");
    set(a, "split", NULL);
    assert_int_equal(a->read.split_count, 0);
}

static void sources__take_the_place_of_stored_ones(void **state) {
    static const hcbr_join STORED[] = {{NULL, "id", "visits"}, {NULL, "id", "homes"}};
    all *a = *state;
    a->read.join = STORED;
    a->read.join_count = 2;
    set(a, "join", "dir:1/homes.csv:no@x");
    assert_int_equal(a->read.join_count, 3);
    set(a, "join", "dir/homes.csv:id");
    set(a, "join.a:b", "c@d@");
    assert_int_equal(a->read.join_count, 4);
    assert_string_equal(a->read.join[0].path, "dir:1/homes.csv");
    assert_string_equal(a->read.join[0].name, "x");
    assert_null(a->read.join[1].name);
    assert_string_equal(a->read.join[2].path, "a:b");
    assert_string_equal(a->read.join[2].key, "c@d");
    assert_null(a->read.join[2].name);
    assert_string_equal(a->read.join[3].name, "visits");
    for (int i = 0; i < 4; i++) {
        static const char *const BAD[] = {"file", "file:", ":key", "file:key@"};
        char message[200];
        snprintf(message, sizeof message,
                 "option join %s: FILE:KEY or FILE:KEY@NAME was expected, a file and the column or "
                 "key that it has in common with DATA",
                 BAD[i]);
        refuses(a, "join", BAD[i], message);
    }
}

static void thresholds__change_label_by_label(void **state) {
    static const hcbr_threshold STORED[] = {{"a", 1, 0, "b"}, {"c", 2, 0, "b"}};
    static const hcbr_cut CUT = {0, 0};
    all *a = *state;
    a->rule.thresholds = STORED;
    a->rule.threshold_count = 2;
    a->rule.cut = &CUT;
    set(a, "eta", "a=3,x,y=0.5,p\\,q=1");
    set(a, "eta_share", "a=0.25");
    set(a, "eta.m=1,n", "7");
    assert_null(a->rule.cut);
    assert_int_equal(a->rule.threshold_count, 5);
    assert_string_equal(a->rule.thresholds[0].fallback, "b");
    assert_true(a->rule.thresholds[0].eta == 3 && a->rule.thresholds[0].eta_share == 0.25);
    assert_string_equal(a->rule.thresholds[2].label, "x,y");
    assert_string_equal(a->rule.thresholds[3].label, "p,q");
    assert_string_equal(a->rule.thresholds[4].label, "m=1,n");
    set(a, "fallback", "unknown");
    assert_null(a->rule.thresholds[0].fallback);
    assert_string_equal(STORED[0].fallback, "b");
    refuses(a, "eta", "a", "option eta a: LABEL=NUMBER was expected");
    refuses(a, "eta", "a=1,b=-1", "option eta b=-1: a number of 0 or more was expected");
    refuses(a, "eta_share", "a=1", "option eta_share a=1: a number from 0 to below 1 was expected");
    refuses(a, "eta", "=1", "option eta =1: LABEL=NUMBER was expected");
}

static void costs__are_sides_or_pairs(void **state) {
    all *a = *state;
    set(a, "cost", "fp=2,fn=3");
    set(a, "cost", "unknown=0.5");
    assert_int_equal(a->tune.goal, HCBR_GOAL_COST);
    is(a, "cost", "fp=2,fn=3,unknown=0.5");
    refuses(a, "cost", "fp=1", "option cost fp=1: fp is given twice");
    refuses(a, "cost", "a:b=1",
            "option cost a:b=1: fp and fn and pairs of labels exclude each other");
    refuses(a, "metric", "mcc",
            "option metric, option cost and option max_error exclude each other");
    tear_down(state);
    set_up(state);
    a = *state;
    set(a, "cost", "a:b=4,unknown=1");
    set(a, "cost", "a:unknown=2");
    assert_int_equal(a->tune.cost_count, 3);
    assert_null(a->tune.costs[1].truth);
    assert_null(a->tune.costs[2].given);
    refuses(a, "cost", "a:b=1", "option cost a:b=1: a:b is given twice");
    refuses(a, "cost", "a:a=1", "option cost a:a=1: found a:a, but a right answer costs nothing");
    refuses(a, "cost", "x=1", "option cost x=1: found x, expected fp, fn, unknown or TRUE:GIVEN");
    refuses(a, "cost", "a:b",
            "option cost a:b: fp=V,fn=V,unknown=V or TRUE:GIVEN=V,... with V from 0 to 1e6 was "
            "expected");
}

static void some__set_more_than_one_field(void **state) {
    all *a = *state;
    set(a, "threads", "3");
    assert_true(a->train.threads == 3 && a->read.threads == 3 && a->evaluate.threads == 3);
    set(a, "seed", "5");
    assert_true(a->train.seed == 5 && a->evaluate.seed == 5);
    set(a, "folds", "4");
    assert_true(a->evaluate.folds == 4 && a->tune.folds == 4);
    set(a, "positive", "p");
    assert_string_equal(a->tune.positive, a->evaluate.positive);
    set(a, "header", "0");
    assert_true(a->read.no_header && a->read.header == 0);
    set(a, "header", "2");
    assert_true(!a->read.no_header && a->read.header == 2);
    set(a, "max_error", "0.1");
    assert_int_equal(a->tune.goal, HCBR_GOAL_MAX_ERROR);
}

static void names__that_are_none_are_refused_with_the_nearest(void **state) {
    refuses(*state, "min_case", "2",
            "there is no option 'min_case'; did you mean option min_cases?");
    refuses(*state, "min_cases.x", "2",
            "there is no option 'min_cases.x'; did you mean option min_cases?");
    refuses(*state, "wholly unlike", "2", "there is no option 'wholly unlike'");
    refuses(*state, "min_cases", NULL, "option min_cases '': a value was expected");
    assert_int_equal(hcbr_options_get(&((all *)*state)->options, "min_case", NULL, 0), SIZE_MAX);
}

static void structures__that_the_caller_has_not_are_left_out(void **state) {
    all *a = *state;
    hcbr_options none = {0};
    char text[4];
    const hcbr_option *x;
    (void)a;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++)
        if (x->kind == HCBR_OPTION_FLAG || x->kind == HCBR_OPTION_TEXTS) {
            memset(none.given, 0, sizeof none.given);
            assert_int_equal(hcbr_options_set(&none, x->name, NULL, NULL), HCBR_OK);
            assert_int_equal(hcbr_options_get(&none, x->name, text, sizeof text), SIZE_MAX);
        }
    hcbr_options_clear(&none);
    hcbr_options_clear(NULL);
}

static void text__that_has_no_room_is_cut(void **state) {
    char text[4];
    set(*state, "label", "outcome");
    assert_int_equal(hcbr_options_get(&((all *)*state)->options, "label", text, sizeof text), 7);
    assert_string_equal(text, "out");
}

static void memory__that_is_short_changes_nothing(void **state) {
    static const char *const VALUES[][2] = {
        {"label", "a"},     {"ignore", "a,b"},     {"join", "a:b"}, {"split", "a:b"},
        {"type", "a=text"}, {"try_passes", "1,2"}, {"eta", "a=1"},  {"cost", "fp=1"},
        {"split.a", "b"},   {"join.a", "b@c"},     {"eta.a", "1"},  {"fallback", "prior"}};
    for (size_t i = 0; i < sizeof VALUES / sizeof *VALUES; i++)
        for (uint64_t n = 1, st = 1; st; n++) {
            hcbr_error err = {0};
            tear_down(state);
            set_up(state);
            const all *a = *state, before = *a;
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, true);
            st = (uint64_t)-hcbr_options_set(&((all *)*state)->options, VALUES[i][0], VALUES[i][1],
                                             &err);
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
            if (!st)
                break;
            assert_int_equal(err.status, HCBR_ENOMEM);
            assert_memory_equal(&before.read, &a->read, sizeof before.read);
            assert_memory_equal(&before.rule, &a->rule, sizeof before.rule);
            assert_memory_equal(&before.tune, &a->tune, sizeof before.tune);
            assert_true(n < 20);
        }
}

// What the table says a model stores, it gives back: all of reading, and nothing else of reading.
static void models__store_what_the_table_says(void **state) {
    (void)state;
    const hcbr_option *x;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        if (x->part != HCBR_OPTION_OF_READ || !strcmp(x->name, "no_label") ||
            !strcmp(x->name, "join") || !strcmp(x->name, "bins") || !strcmp(x->name, "label"))
            continue; // no label: no model; a path is not stored; label and ranges: of the cases
        hcbr_read_options read, back;
        hcbr_train_options train;
        hcbr_cases *cases;
        hcbr_model *model;
        hcbr_error err = {0};
        char before[100], after[100], number[32];
        const char *value = x->kind == HCBR_OPTION_WORD        ? x->words[1]
                            : x->kind == HCBR_OPTION_FLAG      ? "true"
                            : x->kind == HCBR_OPTION_CHARACTER ? ";"
                            : x->kind == HCBR_OPTION_PAIRS     ? "s=text"
                                                               : "utf-8";
        if (x->kind == HCBR_OPTION_COUNT || x->kind == HCBR_OPTION_SIZE)
            snprintf(number, sizeof number, "%llu", (unsigned long long)x->least + 1),
                value = number;
        if (strcmp(x->name, "split") == 0)
            value = "s:;";
        assert_int_equal(hcbr_cases_create(&cases, 1, &err), HCBR_OK);
        for (int n = 0; n < 8; n++) {
            hcbr_feature f = {"k", 1, n % 2 ? "u" : "v", 1};
            assert_int_equal(add_one_case(cases, &f, 1, n % 2 ? "a" : "b", NULL, &err), HCBR_OK);
        }
        assert_int_equal(hcbr_cases_finish(cases, &err), HCBR_OK);
        hcbr_read_options_init(&read);
        hcbr_train_options_init(&train);
        train.read = &read;
        train.effort = HCBR_EFFORT_LITE;
        hcbr_options set_in = {.read = &read}, got = {.read = &back};
        if (hcbr_options_set(&set_in, x->name, value, &err) != HCBR_OK ||
            hcbr_model_train(&model, cases, &train, &err) != HCBR_OK)
            fail_msg("%s %s: %s", x->name, value, err.message);
        hcbr_model_get_read_options(model, &back);
        hcbr_options_get(&set_in, x->name, before, sizeof before);
        hcbr_options_get(&got, x->name, after, sizeof after);
        if ((strcmp(before, after) == 0) != (x->stored != 0))
            fail_msg("%s: %s was set, the model has %s, stored is %d", x->name, before, after,
                     x->stored);
        hcbr_model_free(model);
        hcbr_cases_free(cases);
        hcbr_options_clear(&set_in);
    }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(every_name__is_set_and_comes_back),
        TEST(entries__of_one_name_differ_in_help_and_commands_only),
        TEST(words_of_help__are_words_of_the_enumeration),
        TEST(defaults__told_by_help_are_those_of_the_init_functions),
        TEST(ranges__end_where_the_table_says),
        TEST(sizes__have_units),
        TEST(words__are_listed_as_help_does),
        TEST(flags__are_true_or_false),
        TEST(characters__have_names),
        TEST(lists__replace_what_was_there_and_grow),
        TEST(missing_values__are_added_or_replaced),
        TEST(pairs__are_cut_at_their_mark_or_given_apart),
        TEST(sources__take_the_place_of_stored_ones),
        TEST(thresholds__change_label_by_label),
        TEST(costs__are_sides_or_pairs),
        TEST(some__set_more_than_one_field),
        TEST(names__that_are_none_are_refused_with_the_nearest),
        TEST(structures__that_the_caller_has_not_are_left_out),
        TEST(text__that_has_no_room_is_cut),
        TEST(memory__that_is_short_changes_nothing),
        TEST(models__store_what_the_table_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
