/*
 * A file of folds: a whole number of 0 or more on each line, one line for each data row.
 *
 * Every byte is checked: anything but digits, ends of lines and a byte order mark at the beginning
 * is an error with its place.
 */
#include "folds/folds.h"

#include <hcbr/evaluate.h>

/* One line, without its end. */
static hcbr_status parse_line(uint64_t *out, const char *at, const char *end, const char *file,
                              uint64_t line, hcbr_error *err) {
    const char *begin = at;
    char quoted[200];
    uint64_t value = 0;
    bool fits = true;
    for (; at < end && *at >= '0' && *at <= '9'; at++)
        fits = fits && !__builtin_mul_overflow(value, (uint64_t)10, &value) &&
               !__builtin_add_overflow(value, (uint64_t)(*at - '0'), &value);
    if (begin == end)
        return hcbr_i_fail_at(err, HCBR_EDATA, file, line, 1,
                              "found an empty line, expected the fold of a row, a whole number");
    if (at < end)
        return hcbr_i_fail_at(err, HCBR_EDATA, file, line, (uint64_t)(at - begin) + 1,
                              "found %s, expected the fold of a row, a whole number of 0 or more",
                              hcbr_i_quote(quoted, begin, (size_t)(end - begin)));
    if (!fits)
        return hcbr_i_fail_at(err, HCBR_EDATA, file, line, 1,
                              "found %s, expected a fold of at most 18446744073709551615",
                              hcbr_i_quote(quoted, begin, (size_t)(end - begin)));
    *out = value;
    return HCBR_OK;
}

hcbr_status hcbr_i_folds_parse(uint64_t **out, size_t *count, const char *text, size_t size,
                               const char *file, hcbr_error *err) {
    const char *at = text, *end = text + size;
    uint64_t *folds = NULL;
    size_t used = 0, capacity = 0;
    hcbr_status st = HCBR_OK;
    *out = NULL;
    *count = 0;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    if (at == end)
        st = hcbr_i_fail_at(err, HCBR_EDATA, file, 0, 0,
                            "empty file, expected the fold of each row on a line");
    while (st == HCBR_OK && at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at)), *stop = newline ? newline : end;
        const char *last = newline && stop > at && stop[-1] == '\r' ? stop - 1 : stop;
        if (!hcbr_i_grow(&folds, &capacity, used + 1, sizeof *folds))
            st = hcbr_i_no_memory(err);
        else
            st = parse_line(&folds[used], at, last, file, used + 1, err);
        used++;
        at = newline ? newline + 1 : end;
    }
    if (st != HCBR_OK) {
        hcbr_i_free(folds);
        return st;
    }
    *out = folds;
    *count = used;
    return HCBR_OK;
}

hcbr_status hcbr_folds_load(uint64_t **folds, size_t *count, const char *path, hcbr_error *err) {
    HCBR_I_CLEAR(folds);
    if (HCBR_I_NULL(err, folds, count, path))
        return HCBR_EUSAGE;
    void *bytes = NULL;
    size_t size = 0;
    *count = 0;
    hcbr_status st = hcbr_i_file_load(&bytes, &size, path, err);
    if (st == HCBR_OK)
        st = hcbr_i_folds_parse(folds, count, bytes, size,
                                strcmp(path, "-") == 0 ? "<stdin>" : path, err);
    hcbr_i_free(bytes);
    return st;
}
