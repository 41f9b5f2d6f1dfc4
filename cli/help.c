/*
 * Help of the program and of its commands, set in 80 columns from the tables.
 */
#include "opt.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 80, INDENT = 28 };

/*
 * Print words from column `at` on, breaking lines before WIDTH and continuing at column `indent`.
 */
static void print_wrapped(const char *text, int at, int indent) {
    bool first = true;
    while (*text) {
        int length = (int)strcspn(text, " \n");
        if (!first && at + 1 + length > WIDTH) {
            printf("\n%*s", indent, "");
            at = indent;
            first = true;
        }
        printf("%s%.*s", first ? "" : " ", length, text);
        at += length + !first;
        first = false;
        text += length;
        if (text[0] == '\n' && text[1] == '\n') {
            printf("\n\n%*s", indent, "");
            at = indent;
            first = true;
        }
        text += strspn(text, " \n");
    }
    putchar('\n');
}

static void print_option(const opt_spec *spec) {
    char left[64];
    const char *argument = spec->argument ? spec->argument : "";
    const char *blank = spec->argument ? " " : "";
    if (spec->name && spec->letter)
        snprintf(left, sizeof left, "  -%c, --%s%s%s", spec->letter, spec->name, blank, argument);
    else if (spec->name)
        snprintf(left, sizeof left, "      --%s%s%s", spec->name, blank, argument);
    else
        snprintf(left, sizeof left, "  -%c%s%s", spec->letter, blank, argument);
    int length = (int)strlen(left);
    if (length + 2 > INDENT) {
        printf("%s\n%*s", left, INDENT, "");
    } else {
        printf("%-*s", INDENT, left);
    }
    print_wrapped(opt_summary(spec), INDENT, INDENT);
}

void help_command(const struct command *command) {
    const char *group = NULL;
    printf("Usage: hcbr %s %s\n\n", command->name, command->synopsis);
    print_wrapped(command->description, 0, 0);
    for (size_t i = 0; i < opt_count; i++) {
        if (!(opt_table[i].commands & command->bit))
            continue;
        if (opt_table[i].group != group)
            printf("\n%s:\n", opt_table[i].group);
        group = opt_table[i].group;
        print_option(&opt_table[i]);
    }
    printf("\nExamples:\n");
    for (const example *e = command->examples; e->says; e++)
        if (strstr(e->line, command->name)) // the others only prepare
            printf("  %s\n", e->line);
}

void help_program(FILE *file) {
    fprintf(file, "Usage: hcbr COMMAND [options] ...\n\nHypergraph case-based reasoning: decide "
                  "new cases by past cases\nthat share their features.\n\nCommands:\n");
    for (size_t i = 0; i < command_count; i++)
        fprintf(file, "  %-10s%s\n", command_table[i].name, command_table[i].summary);
    fprintf(file, "\n'hcbr help COMMAND' or 'hcbr COMMAND --help' describes a command;\n'hcbr "
                  "--version' prints the version.\n");
}
