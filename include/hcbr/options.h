/**
 * @file options.h
 * Options by name: one table with the name, the field, the values and the help of each.
 *
 * The program's command line, help, manual pages and completions, the parameters of the Python
 * package and docs/OPTIONS.md are made from this table.
 */
#ifndef HCBR_OPTIONS_H
#define HCBR_OPTIONS_H

#include <hcbr/evaluate.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The values of an option. */
typedef enum hcbr_option_kind {
    HCBR_OPTION_FLAG = 0,      /**< yes or no: no text, or "true" or "false" */
    HCBR_OPTION_COUNT = 1,     /**< a whole number from `least` to `most` */
    HCBR_OPTION_SIZE = 2,      /**< bytes, likewise; K, M and G are powers of 1024 */
    HCBR_OPTION_SHARE = 3,     /**< a number above 0 and below 1 */
    HCBR_OPTION_WORD = 4,      /**< one of `words` */
    HCBR_OPTION_CHARACTER = 5, /**< a character of ASCII, or its name */
    HCBR_OPTION_TEXT = 6,
    HCBR_OPTION_FILE = 7,   /**< the name of a file */
    HCBR_OPTION_TEXTS = 8,  /**< texts with commas between them; in a text a comma is `\,` */
    HCBR_OPTION_COUNTS = 9, /**< whole numbers with commas between them */
    HCBR_OPTION_PAIRS = 10, /**< one pair of texts */
    HCBR_OPTION_VALUES = 11 /**< `NAME=NUMBER` with commas between them */
} hcbr_option_kind;

/** The structure whose field an option sets. */
typedef enum hcbr_option_part {
    HCBR_OPTION_OF_READ = 0,
    HCBR_OPTION_OF_TRAIN = 1,
    HCBR_OPTION_OF_RULE = 2,
    HCBR_OPTION_OF_TUNE = 3,
    HCBR_OPTION_OF_EVALUATE = 4,
    HCBR_OPTION_OF_CALLER = 5 /**< hcbr_options itself: the caller acts on it */
} hcbr_option_part;

/** The commands of the program, as bits. */
enum {
    HCBR_FOR_TRAIN = 1,
    HCBR_FOR_PREDICT = 2,
    HCBR_FOR_INSPECT = 4,
    HCBR_FOR_EXPLAIN = 8,
    HCBR_FOR_CONVERT = 16,
    HCBR_FOR_EVALUATE = 32,
    HCBR_FOR_TUNE = 64,
    HCBR_FOR_AUDIT = 128,
    HCBR_FOR_STUDY = 256,
    HCBR_FOR_DRIFT = 512,
    HCBR_FOR_REPORT = 1024
};

/** One option. Its texts are static. */
typedef struct hcbr_option {
    const char *name; /**< for example `min_cases`, which is --min-cases on the command line */
    hcbr_option_kind kind;
    const char *argument;     /**< name of its value in help; NULL: a flag */
    const char *const *words; /**< of HCBR_OPTION_WORD, by the values of the enumeration */
    uint64_t least, most;
    const char *section; /**< section of help */
    unsigned commands;   /**< HCBR_FOR_... of the commands that take it */
    const char *help;    /**< names other options as "option NAME" */
    hcbr_option_part part;
    size_t at;       /**< offset of the field in its structure */
    size_t size;     /**< its bytes */
    size_t count_at; /**< of a list: offset of the number of its elements */
    int real;        /**< the field is a double */
    int yes;         /**< of HCBR_OPTION_FLAG: the field's value for "true"; 0: it is 1 */
    int stored;      /**< a model stores it */
    char letter;     /**< the program knows it by this letter alone; 0: by its name */
} hcbr_option;

/**
 * Option number `index` of the table; NULL beyond its end.
 *
 * Options of one section follow each other. An option with different meanings for different
 * commands has an entry for each; the entries differ in `commands` and `help` only.
 */
HCBR_API const hcbr_option *hcbr_option_at(size_t index);

/**
 * Structures whose fields are set by name. Set all to zero, then the pointers; release with
 * hcbr_options_clear().
 */
typedef struct hcbr_options {
    hcbr_read_options *read; /**< each pointer: the caller's structure, initialised; NULL: not
                                  needed */
    hcbr_train_options *train;
    hcbr_rule *rule;
    hcbr_tune_options *tune;
    hcbr_evaluate_options *evaluate;
    const char *belief;     /**< file of option belief: see hcbr_cases_read_beliefs() */
    const char *importance; /**< file of option importance: see hcbr_emphases_load() */
    void *memory;           /**< texts and lists of the fields set; private, as the next */
    uint64_t given[3];      /**< the options that were set */
} hcbr_options;

/**
 * Set an option from text.
 *
 * The first value of a list replaces the list in the structure, further ones are added. Some
 * options keep old elements at the end: values of `na` the previous list; `join` the sources of
 * other names, which a model stored; thresholds those of other labels.
 *
 * A pair may also be given in two texts: `eta.yes` with "0.5" is `eta` with "yes=0.5". The text
 * after the dot is then the first of the pair, whatever its characters. For `join` the value is
 * then `KEY@NAME`, or `KEY@` for a source without a name.
 *
 * @param options its structures are changed. Fields that are set point into its memory until
 *                hcbr_options_clear().
 * @param name    of the option.
 * @param value   NULL: "true" for a flag, an empty list for a list; not for others.
 * @param err     receives "option NAME VALUE: what was expected"; may be NULL.
 * @return HCBR_OK, HCBR_EUSAGE or HCBR_ENOMEM; after a failure nothing has changed.
 *
 * Cost: by the bytes of the value and, for lists, of their elements. Threads: one at a time.
 */
HCBR_API HCBR_MUST_CHECK hcbr_status hcbr_options_set(hcbr_options *options, const char *name,
                                                      const char *value, hcbr_error *err);

/**
 * Get an option as text in the form that hcbr_options_set() takes. The elements of a list of pairs
 * are separated by line ends. An unset text is empty.
 *
 * @param text receives the text, cut if there is no room, with a NUL; may be NULL if room is 0.
 * @return its full length in bytes without the NUL; SIZE_MAX: no such option, or its structure is
 *         missing.
 */
HCBR_API size_t hcbr_options_get(const hcbr_options *options, const char *name, char *text,
                                 size_t room);

/** Release the memory of the fields that were set, and mark them as not set. */
HCBR_API void hcbr_options_clear(hcbr_options *options);

#ifdef __cplusplus
}
#endif
#endif
