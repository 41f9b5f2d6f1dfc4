/**
 * @file one_case.h
 * One case on the command line: the features of --case, read as a line of JSON Lines would be.
 */
#ifndef HCBR_CLI_ONE_CASE_H
#define HCBR_CLI_ONE_CASE_H

#include "json_line.h"
#include "opt.h"
#include "term.h"

#include <hcbr/model.h>

/** The path that means the case wherever a path is expected. */
extern const char *const ONE_CASE_PATH;

/** The case as a line, and how other paths are opened. Zero it first. */
typedef struct one_case {
    json_line line;
    hcbr_open_fn *open;
    void *open_context;
} one_case;

/** Check that the features are well-formed. EXIT_DONE also without features, else EXIT_USAGE. */
int one_case_check(const args *given);

/**
 * Make the case of the given features, to be read by these options.
 *
 * @param read the options of reading, complete. Its open function is replaced by one for
 *             ONE_CASE_PATH that leaves other paths to the previous one.
 * @return EXIT_DONE, EXIT_USAGE or EXIT_MEMORY, with a message.
 */
int one_case_make(one_case *c, const args *given, hcbr_read_options *read);
/** Warn of columns that the model does not know, and name the nearest that it does. */
void one_case_compare(const args *given, term *t, const hcbr_model *model,
                      const hcbr_read_options *read);
void one_case_clear(one_case *c);

#endif
