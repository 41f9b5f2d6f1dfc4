/**
 * @file opt.h
 * Commands and options of the program: one table from which parsing, help and manual pages come.
 */
#ifndef HCBR_CLI_OPT_H
#define HCBR_CLI_OPT_H

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

enum {
    FOR_TRAIN = 1,
    FOR_PREDICT = 2,
    FOR_INSPECT = 4,
    FOR_EXPLAIN = 8,
    FOR_CONVERT = 16,
    FOR_EVALUATE = 32,
    FOR_TUNE = 64,
    FOR_AUDIT = 128,
    FOR_STUDY = 256,
    FOR_DRIFT = 512,
    FOR_REPORT = 1024,
    FOR_ALL = 0xFFFF /**< also those to come */
};

typedef enum opt_id {
    OPT_FORMAT,
    OPT_NO_HEADER,
    OPT_HEADER,
    OPT_DELIMITER,
    OPT_QUOTE,
    OPT_ESCAPE,
    OPT_ENCODING,
    OPT_STRICT,
    OPT_LABEL,
    OPT_NO_LABEL,
    OPT_BINS,
    OPT_LABELS_AS_THEY_ARE,
    OPT_ID,
    OPT_GROUP,
    OPT_WEIGHT,
    OPT_IGNORE,
    OPT_NA,
    OPT_NA_ONLY,
    OPT_TYPE,
    OPT_DATES,
    OPT_SPLIT,
    OPT_TEXT,
    OPT_PRESENCE,
    OPT_NGRAMS,
    OPT_MIN_COUNT,
    OPT_OUTCOMES,
    OPT_EXPLAIN_INPUT,
    OPT_NAMES,
    OPT_JOIN,
    OPT_QUERY,
    OPT_BAD_ROWS,
    OPT_MAX_LINE,
    OPT_MAX_DEPTH,
    OPT_MAX_NAMES,
    OPT_MAX_EXPAND,
    OPT_MAX_WINDOW,
    OPT_MAX_GRAMS,
    OPT_MODEL,
    OPT_EFFORT,
    OPT_MAX_MEMORY,
    OPT_MIN_CASES,
    OPT_PRUNE,
    OPT_IMPORTANCE,
    OPT_BELIEF,
    OPT_NUMERIC,
    OPT_CATEGORICAL,
    OPT_SCOPE,
    OPT_PASSES,
    OPT_SEED,
    OPT_GIVEN_ORDER,
    OPT_THREADS,
    OPT_KEEP_CASES,
    OPT_FOLDS,
    OPT_REPEATS,
    OPT_GENERATIONS,
    OPT_HOLDOUT,
    OPT_PAST_ONLY,
    OPT_EQUAL_ROWS,
    OPT_TEST,
    OPT_FOLDS_FILE,
    OPT_FOLDS_OUT,
    OPT_POSITIVE,
    OPT_AT,
    OPT_PREDICTIONS,
    OPT_LIMIT,
    OPT_QUICK,
    OPT_ETA,
    OPT_ETA_SHARE,
    OPT_FALLBACK,
    OPT_MEMORY,
    OPT_NO_MEMORY,
    OPT_CALIBRATE,
    OPT_METRIC,
    OPT_COST,
    OPT_MAX_ERROR,
    OPT_CONFIDENCE,
    OPT_TRY_PASSES,
    OPT_TRY_SCOPES,
    OPT_TOP,
    OPT_CASES,
    OPT_ALL_REASONS,
    OPT_ROWS,
    OPT_VERSUS,
    OPT_FLIP,
    OPT_FIXED,
    OPT_ONLY,
    OPT_RANGE,
    OPT_INCREASE_ONLY,
    OPT_DECREASE_ONLY,
    OPT_FLIP_LIMIT,
    OPT_ASK,
    OPT_SUMMARY,
    OPT_HTML,
    OPT_HIDE,
    OPT_PAST,
    OPT_DATE,
    OPT_ATOM,
    OPT_CASE,
    OPT_ONE_CASE,
    OPT_TO,
    OPT_ADD_COLUMNS,
    OPT_SORT,
    OPT_SORTED,
    OPT_NAMES_OUT,
    OPT_OUTCOMES_OUT,
    OPT_OUTPUT,
    OPT_JSON,
    OPT_QUIET,
    OPT_VERBOSE,
    OPT_HELP,
    OPT_VERSION
} opt_id;

/** One option. Help and manual pages list options in the order of the table, by group. */
typedef struct opt_spec {
    opt_id id;
    char letter;          /**< 0: none */
    const char *name;     /**< without the dashes; NULL: none */
    const char *argument; /**< the name of its value in help; NULL: a flag. Words in lower case
                               between | are choices; FILE..., OUT and MODEL are files */
    const char *group;    /**< a file of the group Output is written, one of another is read */
    unsigned commands;    /**< FOR_... of the commands that take it */
    const char *summary;
} opt_spec;

/** An option as it was given. */
typedef struct opt_given {
    opt_id id;
    const char *value; /**< NULL for a flag */
} opt_given;

/** What an option does with the file that its value names. */
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
    unsigned bit; /**< FOR_... */
    int (*run)(const args *given);
    command_prints prints;
    const char *synopsis; /**< after the name: options and operands */
    size_t least, most;   /**< how many operands */
    const char *operand;  /**< what is missing when there are too few */
    const char *summary;
    const char *description; /**< paragraphs separated by an empty line */
    const char *output;      /**< likewise: what is printed */
    const example *examples; /**< ends with says = NULL */
};

extern const opt_spec opt_table[];
extern const size_t opt_count;
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

/** Was the option given? */
bool args_has(const args *given, opt_id id);
/** Last value given for the option; NULL if none was. */
const char *args_get(const args *given, opt_id id);

/** The option of a command; NULL: it has none with this id. */
bool word_is_nearer(const char *word, const char *name, unsigned *least);
const opt_spec *opt_find(const struct command *command, opt_id id);
/** Its name without the dashes, and these: one before a letter. */
const char *opt_name(opt_id id);
const char *opt_dashes(opt_id id);
/**
 * Copy a text of the library with its options as the command line has them: where that says "option
 * max_line", this says "--max-line". What stands between single quotes comes from the data and is
 * copied as it is, and so is the name of an option that the program does not have.
 */
void opt_spell(char *to, size_t room, const char *text);
/** Is the value of the option a file, and which way do the bytes go? */
opt_file opt_file_of(const opt_spec *spec);

/** The command of that name, or NULL. */
const struct command *command_find(const char *name);
/** The name of a command, or help, that is nearest; NULL if none is near. */
const char *command_suggest(const char *name);

void help_program(FILE *file);
void help_command(const struct command *command);

/** Print the manual page of a command, or of the program (NULL), in roff (man.c). */
int man_print(const struct command *command);

/** Print the completions for a shell, bash, zsh or fish (complete.c). */
int complete_print(const char *shell);

/**
 * Print the columns of the data on a command line, the words after hcbr (complete_columns.c). With
 * a list of columns that is being typed, each is printed as it would stand at the end of the list.
 */
int complete_columns(const char *list, int count, char **words);

#endif
