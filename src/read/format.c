/*
 * Questions about the rules of reading that need no reading: the format of a path, and which values
 * are missing.
 */
#include "read/parse.h"

hcbr_format hcbr_format_of_path(const char *path) {
    return hcbr_i_format_of_path(path);
}

const char *hcbr_format_name(hcbr_format format) {
    return hcbr_i_format_name(format);
}

int hcbr_read_is_missing(const hcbr_read_options *options, const char *text, size_t length) {
    const char *const *na = options->na != NULL ? options->na : hcbr_i_default_na;
    size_t count = options->na != NULL ? options->na_count : HCBR_I_NA_COUNT;

    for (size_t i = 0; i < count; i++)
        if (strlen(na[i]) == length && memcmp(na[i], text, length) == 0)
            return 1;
    return 0;
}

const char *const *hcbr_read_default_missing(size_t *count) {
    *count = HCBR_I_NA_COUNT;
    return hcbr_i_default_na;
}
