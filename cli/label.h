/**
 * @file label.h
 * Labels in text, where unknown means that there is none.
 */
#ifndef HCBR_CLI_LABEL_H
#define HCBR_CLI_LABEL_H

#include <stddef.h>

/**
 * How text shows a label: as it is, but one that is called unknown in quotes, and one that is
 * called so with quotes in one more pair. So unknown alone is never a label. Not for JSON, which
 * has null.
 *
 * @param length of the name; becomes that of the result.
 * @return the name, or a text that lives as long as the program; not NUL-terminated.
 */
const char *label_shown(const char *name, size_t *length);

#endif
