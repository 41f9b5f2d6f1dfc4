/*
 * Manual pages in roff, made from the tables of commands and options.
 *
 * Text is escaped so that roff takes no word as a request, and options keep their dashes.
 */
#include "opt.h"

#include <hcbr/hcbr.h>

#include <ctype.h>

/* Of the release the pages describe. */
#define DATE "2026-11-15"

/* Text of one paragraph: backslashes and dashes escaped, no line beginning with a request. */
static void put_text(const char *text) {
    bool start = true;
    for (; *text; text++) {
        if (text[0] == '\n' && text[1] == '\n') {
            printf("\n.PP\n");
            text++;
            start = true;
            continue;
        }
        if (start && (*text == '.' || *text == '\''))
            printf("\\&");
        if (*text == '\\')
            printf("\\e");
        else if (*text == '-')
            printf("\\-");
        else
            putchar(*text);
        start = *text == '\n';
    }
    putchar('\n');
}

static void put_title(const struct command *command) {
    printf(".TH HCBR%s", command ? "\\-" : "");
    for (const char *at = command ? command->name : ""; *at; at++)
        putchar(toupper((unsigned char)*at));
    printf(" 1 " DATE " \"hcbr %s\" \"User Commands\"\n", hcbr_version());
    printf(".SH NAME\nhcbr%s%s \\- %s\n", command ? "\\-" : "", command ? command->name : "",
           command ? command->summary : "decide new cases by past cases that share their features");
}

static void put_option(const opt_spec *spec) {
    printf(".TP\n");
    if (spec->letter)
        printf("\\fB\\-%c\\fR%s", spec->letter, spec->name ? ", " : "");
    if (spec->name) {
        printf("\\fB\\-\\-");
        for (const char *at = spec->name; *at; at++)
            printf(*at == '-' ? "\\-" : "%c", *at);
        printf("\\fR");
    }
    if (spec->argument)
        printf(" \\fI%s\\fR", spec->argument);
    putchar('\n');
    put_text(opt_summary(spec));
}

static void put_options(const struct command *command) {
    const char *group = NULL;
    printf(".SH OPTIONS\n");
    for (size_t i = 0; i < opt_count; i++) {
        if (!(opt_table[i].commands & command->bit))
            continue;
        if (opt_table[i].group != group)
            printf(".SS %s\n", opt_table[i].group);
        group = opt_table[i].group;
        put_option(&opt_table[i]);
    }
}

static void put_exit_status(void) {
    static const struct {
        int code;
        const char *means;
    } CODES[] = {{EXIT_DONE, "Done, or the reader of a pipe has closed it."},
                 {EXIT_USAGE, "The command line has a mistake."},
                 {EXIT_DATA, "The data cannot be used; the message says where."},
                 {EXIT_MODEL, "The model file is damaged, of an unknown version, or not a model."},
                 {EXIT_IO, "A file could not be opened, read or written."},
                 {EXIT_MEMORY, "Out of memory."},
                 {130,
                  "Stopped by SIGINT (Ctrl-C). For other signals it is also 128 plus the number "
                  "of the signal: SIGTERM 143, SIGHUP 129, SIGQUIT 131, SIGXCPU 152. Temporary "
                  "files are removed. If a file would exceed the limit of ulimit -f, the status "
                  "is 5."}};
    printf(".SH EXIT STATUS\n");
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++) {
        printf(".TP\n.B %d\n", CODES[i].code);
        put_text(CODES[i].means);
    }
    printf(".PP\nIf the status is not 0, no output file is written.\n");
}

static void put_examples(const struct command *command) {
    printf(".SH EXAMPLES\n");
    for (const example *e = command->examples; e->says; e++) {
        if (e > command->examples)
            printf(".PP\n");
        put_text(e->says);
        printf(".PP\n.RS 4\n.nf\n$ ");
        put_text(e->line);
        if (e->shows)
            put_text(e->shows);
        printf(".fi\n.RE\n");
    }
}

static void put_files(void) {
    printf(".SH FILES\n.TP\n.I *.hcbr\n");
    put_text("Models, by convention; any name is allowed. hcbr-model(5) describes them.");
    printf(".TP\n.I *.csv *.tsv *.tab *.jsonl *.ndjson *.libsvm *.svm *.txt *.cases\n");
    put_text("Data, also with .gz or .zst added; the ending determines the format. hcbr-input(5) "
             "describes them.");
    put_text("\n\nA file that is read, also through a link or from standard input, is never "
             "written, and no file is written twice. A command line that would do so is refused "
             "before any file is changed.");
    put_text("\n\nNo other file is read: there is no configuration, and no environment variable "
             "changes a result.");
}

static void put_environment(void) {
    printf(".SH ENVIRONMENT\n.TP\n.B NO_COLOR\n");
    put_text("If it is set and not empty, results are not coloured. Else the answer and the "
             "headings are bold on a terminal, and a verdict may be red or green, whose words say "
             "the same. What is written to a pipe or a file never is coloured.");
    printf(".TP\n.B TERM\n");
    put_text("If it is dumb, empty or not set, nothing is coloured, and no progress is shown.");
}

static void put_see_also(const struct command *command) {
    printf(".SH SEE ALSO\n");
    if (command)
        printf(".BR hcbr (1)");
    bool first = !command;
    for (size_t i = 0; i < command_count; i++) {
        if (&command_table[i] == command)
            continue;
        printf("%s.BR hcbr\\-%s (1)", first ? "" : ",\n", command_table[i].name);
        first = false;
    }
    printf(",\n.BR hcbr\\-input (5),\n.BR hcbr\\-model (5)\n");
}

static int print_command(const struct command *command) {
    put_title(command);
    printf(".SH SYNOPSIS\n.B hcbr %s\n", command->name);
    put_text(command->synopsis);
    printf(".SH DESCRIPTION\n");
    put_text(command->description);
    put_options(command);
    printf(".SH OUTPUT\n");
    put_text(command->output);
    put_exit_status();
    put_environment();
    put_files();
    put_examples(command);
    put_see_also(command);
    return EXIT_DONE;
}

int man_print(const struct command *command) {
    if (command)
        return print_command(command);
    put_title(NULL);
    printf(".SH SYNOPSIS\n.B hcbr\n");
    put_text("COMMAND [options] ...");
    printf(".SH DESCRIPTION\n");
    put_text(
        "Hypergraph case-based reasoning. A case is a set of features with a label. Features that "
        "occur in exactly the same past cases form an atom, and each atom gets a strength for "
        "every label from the cases that have it. A new case gets the label for which its atoms "
        "give the largest support.\n\nhcbr-input(5) describes the data that can be read: tables, "
        "JSON Lines and others. Results go to standard output, messages to standard error.");
    printf(".SH COMMANDS\n");
    for (size_t i = 0; i < command_count; i++) {
        printf(".TP\n.BR hcbr\\-%s (1)\n", command_table[i].name);
        put_text(command_table[i].summary);
    }
    put_text("\n\nhcbr help COMMAND describes a command and its options, as hcbr COMMAND --help "
             "does.");
    printf(".SH OPTIONS\n.TP\n\\fB\\-h\\fR, \\fB\\-\\-help\\fR\nList the commands.\n"
           ".TP\n\\fB\\-\\-version\\fR\nPrint the version.\n");
    put_exit_status();
    put_environment();
    put_files();
    put_examples(&command_table[0]);
    put_see_also(NULL);
    return EXIT_DONE;
}

/* ---- the table of options, for tools/options ------------------------------------------------- */

int man_print_options(void) {
    static const char *const KINDS[] = {"flag", "count", "size",  "share",  "word",  "character",
                                        "text", "file",  "texts", "counts", "pairs", "values"};
    static const char *const PARTS[] = {"read", "train", "rule", "tune", "evaluate", "caller"};
    char help[1000];
    const hcbr_option *x;
    for (size_t i = 0; (x = hcbr_option_at(i)); i++) {
        printf("%s\t%s\t%s\t%s\t%s\t", x->name, KINDS[x->kind], PARTS[x->part], x->section,
               x->argument ? x->argument : "");
        for (size_t k = 0; x->words && x->words[k]; k++)
            printf("%s%s", k ? " " : "", x->words[k]);
        printf("\t%s\t", x->real ? "real" : "");
        for (size_t c = 0, count = 0; c < command_count; c++)
            if (x->commands & command_table[c].bit)
                printf("%s%s", count++ ? " " : "", command_table[c].name);
        opt_spell(help, sizeof help, x->help);
        printf("\t%s\n", help);
    }
    return EXIT_DONE;
}
