/**
 * @file files.h
 * Which files a run reads and writes: no file may be both, and none may be written twice.
 */
#ifndef HCBR_CLI_FILES_H
#define HCBR_CLI_FILES_H

#include "opt.h"

/** A file that goes with those of the command line, such as OUT.names of convert. */
typedef struct files_made {
    const char *says; /**< its name in messages */
    const char *path;
} files_made;

/**
 * Look at every path of a command line: operands, options whose value is a file (opt_file_of()),
 * standard input and standard output if they are used.
 *
 * Files are the same if device and inode are, whatever links lead to them; a file that does not
 * exist yet is compared by folder and name. Devices, pipes and terminals are never refused.
 *
 * @param made files written that no option names; NULL: none.
 * @return EXIT_DONE, EXIT_USAGE or EXIT_MEMORY, with a message. Nothing is opened for writing.
 */
int files_check(const args *given, const files_made *made, size_t made_count);

#endif
