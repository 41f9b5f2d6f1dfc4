/**
 * @file folder.h
 * The names in a folder.
 */
#ifndef HCBR_I_FOLDER_H
#define HCBR_I_FOLDER_H

#include <hcbr/status.h>

#include <stdbool.h>
#include <stddef.h>

/**
 * The names of the files, or of the folders, in a folder, sorted by bytes; empty if the path is not
 * a folder. Release with hcbr_i_folder_free().
 */
hcbr_status hcbr_i_folder_list(char ***names, size_t *count, const char *path, bool folders,
                               hcbr_error *err);
void hcbr_i_folder_free(char **names, size_t count);

#endif
