/**
 * @file convert.h
 * The parts of hcbr convert: a conversion, and a writer for each kind of target.
 */
#ifndef HCBR_CLI_CONVERT_H
#define HCBR_CLI_CONVERT_H

#include "out.h"
#include "settings.h"
#include "term.h"

struct conversion;

/** The files of a conversion. */
enum { OUT_DATA, OUT_NAMES, OUT_OUTCOMES, OUT_FILES };

/** A target format. */
typedef struct target {
    hcbr_format format;
    int (*write)(struct conversion *c);
    char delimiter; /**< of a table, else 0 */
    bool ids;       /**< features are numbers; a file has their names */
    bool outcomes;  /**< a separate file has the labels */
} target;

typedef struct conversion {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    hcbr_cases *cases; /**< finished */
    const target *to;
    const char *paths[OUT_FILES]; /**< NULL: not needed by the target */
    char *made[OUT_FILES];        /**< paths that were made, to be freed */
    out *files[OUT_FILES];
    const char *label_name;
    bool unlabelled;     /**< no case has a label */
    const char *id_name; /**< NULL: no case has a name */
    bool other_order;    /**< the target does not keep the order of the features */
    bool unsorted;       /**< ids do not ascend in every case */
} conversion;

/**
 * Write all cases; problems of a case have been reported.
 *
 * @return EXIT_DONE, EXIT_DATA or EXIT_MEMORY. A full disk is noticed when files are closed.
 */
int convert_jsonl(conversion *c);
int convert_csv(conversion *c); /**< tsv too */
int convert_ids(conversion *c); /**< libsvm and cases, with names and outcomes */

/**
 * Put all keys in an order that agrees with the order of the features in every case.
 *
 * @param keys    room for all of them.
 * @param ordered receives whether there is one; else keys are in order of first appearance.
 * @return EXIT_DONE or EXIT_MEMORY.
 */
int convert_order(const conversion *c, uint32_t *keys, bool *ordered);

/** Say why the target cannot hold the case of a row. Returns EXIT_DATA. */
int convert_fail(conversion *c, uint64_t row, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** Text from the data for a message, in quotes, cut if it is long. Returns buffer. */
const char *convert_quote(char buffer[96], const char *text, size_t length);

/** Whether a text equals this NUL-terminated one. */
static inline bool convert_same(const char *text, size_t length, const char *other) {
    return strlen(other) == length && memcmp(text, other, length) == 0;
}

#endif
