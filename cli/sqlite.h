/**
 * @file sqlite.h
 * SQLite files as data: the rows of a query or a table become lines of JSON.
 */
#ifndef HCBR_CLI_SQLITE_H
#define HCBR_CLI_SQLITE_H

#include "opt.h"

#include <hcbr/cases.h>

/** The context for opening a path. */
typedef struct sqlite_context {
    const args *given;
} sqlite_context;

/**
 * An hcbr_open_fn; its context is a sqlite_context.
 *
 * A path is a file, or FILE#TABLE if there is no file of that name. The rows of DATA are those of
 * --query, else of the named table, else of the only one. Other files than those of SQLite are left
 * to the library.
 */
hcbr_status sqlite_open(void *context, const char *path, hcbr_input *input, hcbr_error *err);

/** The SQLite file of a path, without its table; to be freed. NULL: not such a file. */
char *sqlite_file(const char *path);

#endif
