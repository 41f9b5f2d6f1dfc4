/*
 * The names in a folder, sorted by their bytes.
 *
 * Invariant: the same folder gives the same list, whatever order the system returns. Names that
 * begin with a dot are left out.
 */
#include "base/base.h"
#include "base/order.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static int compare_names(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

void hcbr_i_folder_free(char **names, size_t count) {
    for (size_t i = 0; names != NULL && i < count; i++)
        hcbr_i_free(names[i]);
    hcbr_i_free(names);
}

/** Whether an entry is of the wanted kind. */
static bool is_wanted(int folder, const char *name, bool folders) {
    struct stat about;

    return name[0] != '.' && fstatat(folder, name, &about, 0) == 0 &&
           (folders ? S_ISDIR(about.st_mode) : S_ISREG(about.st_mode));
}

hcbr_status hcbr_i_folder_list(char ***names, size_t *count, const char *path, bool folders,
                               hcbr_error *err) {
    DIR *folder = opendir(path);
    size_t capacity = 0;
    const struct dirent *entry;
    hcbr_status st = HCBR_OK;

    *names = NULL;
    *count = 0;
    if (folder == NULL && (errno == ENOTDIR || errno == ENOENT))
        return HCBR_OK; // opening it as a file reports the failure
    if (folder == NULL)
        return hcbr_i_fail_at(err, HCBR_EIO, path, 0, 0, "cannot read the folder");
    while (st == HCBR_OK && (entry = readdir(folder)) != NULL) {
        if (!is_wanted(dirfd(folder), entry->d_name, folders))
            continue;
        if (!hcbr_i_grow(names, &capacity, *count + 1, sizeof **names) ||
            ((*names)[*count] = hcbr_i_text_copy(entry->d_name, strlen(entry->d_name))) == NULL)
            st = hcbr_i_no_memory(err);
        else
            ++*count;
    }
    closedir(folder);
    if (st != HCBR_OK) {
        hcbr_i_folder_free(*names, *count);
        *names = NULL;
        *count = 0;
        return st;
    }
    if (*count > 1)
        qsort(*names, *count, sizeof **names, compare_names);
    return HCBR_OK;
}
