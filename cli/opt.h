/**
 * @file opt.h
 * Commands and options of the program: one table from which parsing, help and manual pages come.
 */
#ifndef HCBR_CLI_OPT_H
#define HCBR_CLI_OPT_H

#include <hcbr/options.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum {
    EXIT_DONE = 0,
    EXIT_NO = 1, /**< a negative answer */
    EXIT_USAGE = 2,
    EXIT_DATA = 3,
    EXIT_MODEL = 4,
    EXIT_IO = 5,
    EXIT_MEMORY = 6, /**< a run that is stopped ends with stop_code() */
};

enum { FOR_ALL = 0xFFFF /**< HCBR_FOR_..., including future ones */ };

/** One option. Help and manual pages list options in the order of the table, by group. */
typedef struct opt_spec {
    const char *id;            /**< its key in the code; its name, unless two options have it */
    char letter;               /**< 0: none */
    const char *name;          /**< without the dashes; NULL: none */
    const char *argument;      /**< the name of its value in help; NULL: a flag. Words in lower case
                                    between | are choices; FILE..., OUT and MODEL are files */
    const char *group;         /**< a file of the group Output is written, one of another is read */
    unsigned commands;         /**< HCBR_FOR_... of the commands that take it */
    const char *summary;       /**< as the library writes it: see opt_summary() */
    const hcbr_option *option; /**< of the library; NULL: the program's own */
} opt_spec;

/** An option as it was given. */
typedef struct opt_given {
    const opt_spec *spec;
    const char *value; /**< NULL for a flag */
} opt_given;

/** The use of the file that an option's value names. */
typedef enum opt_file { OPT_FILE_NONE, OPT_FILE_READ, OPT_FILE_WRITTEN } opt_file;

/** A parsed command line. Text is borrowed from argv. */
typedef struct args {
    const struct command *command;
    opt_given *given; /**< in the order of the command line */
    size_t given_count;
    const char **operands;
    size_t operand_count;
} args;

/** A command line of a manual page, which the tests run. */
typedef struct example {
    const char *says;
    const char *line;
    const char *shows; /**< its output, "..." for any text; NULL: none */
} example;

/** When a command prints to standard output. */
typedef enum command_prints {
    PRINTS_ALWAYS,
    PRINTS_INSTEAD, /**< if no option names a file for it */
    PRINTS_BESIDE   /**< with --json, --explain-input or -o - */
} command_prints;

struct command {
    const char *name;
    unsigned bit; /**< HCBR_FOR_... */
    int (*run)(const args *given);
    command_prints prints;
    const char *synopsis; /**< after the name: options and operands */
    size_t least, most;   /**< how many operands */
    const char *operand;  /**< the missing operand in a message */
    const char *summary;
    const char *description; /**< paragraphs separated by an empty line */
    const char *output;      /**< likewise: the printed result */
    const example *examples; /**< ends with says = NULL */
};

/** The options of the library and the program's own, by group. */
extern opt_spec opt_table[];
extern size_t opt_count;
/** Fill opt_table; to be called first. */
void opt_fill(void);
extern const struct command command_table[]; /**< in main.c */
extern const size_t command_count;

/**
 * Parse the words after the command's name. --help and --version are answered here.
 *
 * @param code receives the exit status if the program must end.
 * @return true: run the command, then args_clear().
 */
bool args_parse(args *out, const struct command *command, int count, char **words, int *code);
void args_clear(args *given);

/** Whether the option was given. */
bool args_has(const args *given, const char *id);
/** Last value given for the option; NULL if none was. */
const char *args_get(const args *given, const char *id);

/** Whether it is the id of this option. */
bool opt_is(const opt_spec *spec, const char *id);
bool word_is_nearer(const char *word, const char *name, unsigned *least);
/** Its name without the dashes, and these: one before a letter. */
const char *opt_name(const char *id);
const char *opt_dashes(const char *id);
/**
 * Copy a text of the library with its options as the command line has them: "option max_line"
 * becomes "--max-line". Text in single quotes comes from the data and is copied unchanged, and so
 * is the name of an option that the program does not have.
 */
void opt_spell(char *to, size_t room, const char *text);
/** Its help; static until the next call. */
const char *opt_summary(const opt_spec *spec);
/** Whether the value of the option is a file, read or written. */
opt_file opt_file_of(const opt_spec *spec);

/** The command of that name, or NULL. */
const struct command *command_find(const char *name);
/** The name of a command, or help, that is nearest; NULL if none is near. */
const char *command_suggest(const char *name);

void help_program(FILE *file);
void help_command(const struct command *command);

/** Print the manual page of a command, or of the program (NULL), in roff (man.c). */
int man_print(const struct command *command);
/** Print the options of the library, a line each with tabs between what is known of it. */
int man_print_options(void);

/** Print the completions for a shell, bash, zsh or fish (complete.c). */
int complete_print(const char *shell);

/**
 * Print the columns of the data on a command line, the words after hcbr (complete_columns.c). For
 * an incomplete list of columns, each is printed at the end of the list.
 */
int complete_columns(const char *list, int count, char **words);

#endif
