/*
 * Checks of the options of reading.
 *
 * Invariant: options that pass need no further check: numbers are in their ranges, and no column
 * has two uses.
 */
#include "read/encoding.h"
#include "read/parse.h"

#include <stdlib.h>

/** Whether both uses name the same text. NULL names none. */
static bool same(const char *a, const char *b) {
    return a != NULL && b != NULL && strcmp(a, b) == 0;
}

/** A column and the option that names it. */
typedef struct named {
    const char *column, *option;
    size_t place; /**< among all of them */
} named;

static int compare_named(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = strcmp(x->column, y->column);
    return order != 0 ? order : hcbr_i_order_u64(x->place, y->place);
}

/** All columns named by options, those of sets, texts and presence first. NULL: no memory. */
static named *list_named(const hcbr_read_options *o, size_t *special, size_t *count) {
    size_t n = 0, room;
    named *all;
    if (__builtin_add_overflow(o->split_count, o->text_count, special) ||
        __builtin_add_overflow(*special, o->presence_count, special) ||
        __builtin_add_overflow(*special, o->ignore_count, &room) || room > SIZE_MAX - 4 ||
        (all = hcbr_i_alloc(room + 4, sizeof *all)) == NULL)
        return NULL;
    for (size_t i = 0; i < o->split_count; i++, n++)
        all[n] = (named){o->split[i].column, "split", n};
    for (size_t i = 0; i < o->text_count; i++, n++)
        all[n] = (named){o->text[i], "text", n};
    for (size_t i = 0; i < o->presence_count; i++, n++)
        all[n] = (named){o->presence[i], "presence", n};
    if (o->label != NULL)
        all[n] = (named){o->label, "label", n}, n++;
    if (o->id != NULL)
        all[n] = (named){o->id, "id", n}, n++;
    if (o->group != NULL)
        all[n] = (named){o->group, "group", n}, n++;
    if (o->weight != NULL)
        all[n] = (named){o->weight, "weight", n}, n++;
    for (size_t i = 0; i < o->ignore_count; i++, n++)
        all[n] = (named){o->ignore[i], "ignore", n};
    *count = n;
    return all;
}

static hcbr_status fail_named(const named *x, const named *y, hcbr_error *err) {
    char quoted[200];
    size_t length = strlen(x->column);
    hcbr_i_quote(quoted, x->column, length);
    if (y == NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found the column %s, expected a name (option %s)",
                           quoted, x->option);
    if (strcmp(x->option, y->option) == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %s twice in option %s, expected it once",
                           quoted, x->option);
    return hcbr_i_fail(err, HCBR_EUSAGE,
                       "found %s for both option %s and option %s, expected it in one of them",
                       quoted, x->option, y->option);
}

/** Separators of sets, names of joins, length of sequences. */
static hcbr_status check_values(const hcbr_read_options *o, hcbr_error *err) {
    char quoted[200], column[200];
    for (size_t i = 0; i < o->split_count; i++) {
        const char *separator = o->split[i].separator;
        size_t length = strlen(separator);
        if (length == 0 || hcbr_i_utf8_check(separator, length) != length)
            return hcbr_i_fail(
                err, HCBR_EUSAGE, "found the separator %s for %s, expected text (option split)",
                hcbr_i_quote(quoted, separator, length),
                hcbr_i_quote(column, o->split[i].column, strlen(o->split[i].column)));
    }
    for (size_t i = 0; i < o->join_count; i++) {
        size_t length = 0;
        bool has_name = o->join[i].name != NULL || o->join[i].path != NULL;
        const char *name = has_name ? hcbr_i_join_name(&o->join[i], &length) : "";
        if (length == 0 || o->join[i].key[0] == '\0')
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found the source %s with the key %s, expected names (option join)",
                               hcbr_i_quote(quoted, name, length),
                               hcbr_i_quote(column, o->join[i].key, strlen(o->join[i].key)));
    }
    if (o->ngrams > HCBR_I_MOST_NGRAMS)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found sequences of %lu words, expected 1 to %d (option ngrams)",
                           (unsigned long)o->ngrams, HCBR_I_MOST_NGRAMS);
    return HCBR_OK;
}

static hcbr_status check_columns(const hcbr_read_options *o, hcbr_error *err) {
    size_t special, count;
    named *all;
    const named *first = NULL; // whose name is used again
    hcbr_status st = check_values(o, err);
    if (st != HCBR_OK || (o->split_count == 0 && o->text_count == 0 && o->presence_count == 0))
        return st;
    if ((all = list_named(o, &special, &count)) == NULL)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < special && st == HCBR_OK; i++) {
        size_t length = strlen(all[i].column);
        if (length == 0 || hcbr_i_utf8_check(all[i].column, length) != length)
            st = fail_named(&all[i], NULL, err);
    }
    if (st == HCBR_OK) {
        qsort(all, count, sizeof *all, compare_named);
        for (size_t i = 0; i + 1 < count; i++)
            if (all[i].place < special && strcmp(all[i].column, all[i + 1].column) == 0 &&
                (first == NULL || all[i].place < first->place))
                first = &all[i];
        if (first != NULL)
            st = fail_named(first, first + 1, err);
    }
    hcbr_i_free(all);
    return st;
}

static hcbr_status check_names(const hcbr_read_options *o, hcbr_error *err) {
    char quoted[200];
    if (o->label_need == HCBR_LABEL_NONE &&
        (o->label != NULL || o->outcomes != NULL || o->bins != NULL))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found option %s for cases without labels, expected none (option "
                           "no_label)",
                           o->label != NULL      ? "label"
                           : o->outcomes != NULL ? "outcomes"
                                                 : "bins");

    if (same(o->label, o->id))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found %s for both option label and option id, expected two",
                           hcbr_i_quote(quoted, o->label, strlen(o->label)));
    if (same(o->group, o->label) || same(o->group, o->id))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found %s for both option %s and option group, expected two",
                           hcbr_i_quote(quoted, o->group, strlen(o->group)),
                           same(o->group, o->label) ? "label" : "id");
    if (same(o->weight, o->label) || same(o->weight, o->id) || same(o->weight, o->group))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found %s for both option %s and option weight, expected two",
                           hcbr_i_quote(quoted, o->weight, strlen(o->weight)),
                           same(o->weight, o->label) ? "label"
                           : same(o->weight, o->id)  ? "id"
                                                     : "group");
    for (size_t i = 0; i < o->ignore_count; i++) {
        const char *name = o->ignore[i];
        if (same(o->label, name) || same(o->id, name) || same(o->group, name) ||
            same(o->weight, name))
            return hcbr_i_fail(
                err, HCBR_EUSAGE,
                "found %s for both option %s and option ignore, expected it in one of them",
                hcbr_i_quote(quoted, name, strlen(name)),
                same(o->label, name)   ? "label"
                : same(o->id, name)    ? "id"
                : same(o->group, name) ? "group"
                                       : "weight");
    }
    return check_columns(o, err);
}

#define HCBR_I_MOST_HEADERS 16 /* lines */

/** Whether it can be a quote or an escape. 0: not given; -1: none. */
static bool is_mark(int c, int delimiter) {
    return c == 0 || c == -1 || (c > ' ' && c <= 0x7E && c != delimiter);
}

hcbr_status hcbr_i_read_options_check(const hcbr_read_options *o, hcbr_error *err) {
    int d = o->delimiter;
    hcbr_i_ranges bins;
    hcbr_i_charset charset;
    char quoted[200];
    if (hcbr_i_format_of(o->format) == NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found format %d, expected one of hcbr_format",
                           (int)o->format);
    if ((unsigned)o->bad_rows > HCBR_BAD_ROWS_AUTO)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found bad_rows %d, expected auto, stop or skip",
                           (int)o->bad_rows);
    if (d < 0 || d > 0x7E || d == '"' || d == '\n' || d == '\r')
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found delimiter %d, expected an ASCII character that is no quote, no "
                           "end of line (option delimiter)",
                           d);
    if (!is_mark(o->quote, d) || !is_mark(o->escape, d) || (o->escape > 0 && o->escape == o->quote))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found quote %d and escape %d, expected ASCII characters that are no "
                           "delimiter, no blank and no end of line, and not the same (option "
                           "quote, option escape)",
                           o->quote, o->escape);
    if (o->header > HCBR_I_MOST_HEADERS || (o->header > 0 && o->no_header != 0))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a header of %u lines, expected 1 to %d and not option no_header "
                           "(option header)",
                           (unsigned)o->header, HCBR_I_MOST_HEADERS);
    if (o->max_line == 0 || o->max_line > UINT32_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a longest line of %zu bytes, expected 1 to 4294967295 "
                           "(option max_line)",
                           o->max_line);
    if (o->max_depth == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a depth of 0, expected at least 1 (option max_depth)");
    if (o->max_expand == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a growth of 0 times, expected at least 1 (option max_expand)");
    if (o->max_window < 1024 || o->max_window > (uint32_t)1 << 31)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a largest window of %u bytes, expected 1024 to 2147483648 "
                           "(option max_window)",
                           o->max_window);
    if (o->max_grams < 1)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found 0 bytes for sequences of words, expected 1 or more "
                           "(option max_grams)");
    if ((unsigned)o->numbers > HCBR_NUMBERS_AS_READ)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found form %d of numbers, expected one of hcbr_numbers",
                           (int)o->numbers);
    if (o->min_count < 1)
        return hcbr_i_fail(
            err, HCBR_EUSAGE,
            "found a least number of 0 cases, expected 1 or more (option min_count)");
    if ((unsigned)o->label_need > HCBR_LABEL_NONE)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found need %d of labels, expected one of hcbr_label_need",
                           (int)o->label_need);
    if (o->bins != NULL && !hcbr_i_bins_parse(&bins, o->bins, NULL))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found bins %s, expected a number of ranges from 2 to %d, median, or "
                           "their upper ends, as in 12.5,30 or at:30 (option bins)",
                           hcbr_i_quote(quoted, o->bins, strlen(o->bins)), HCBR_I_MOST_BINS);
    if (!hcbr_i_charset_find(&charset, o->encoding))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found encoding %s, expected auto, utf-8, utf-16, utf-32, windows-1252, "
                           "windows-1250, windows-1251, latin-1, latin-9 or macintosh "
                           "(option encoding)",
                           hcbr_i_quote(quoted, o->encoding, strlen(o->encoding)));
    if ((unsigned)o->dates > HCBR_DATES_MDY)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found dates %d, expected dmy or mdy (option dates)",
                           (int)o->dates);
    hcbr_status st = hcbr_i_types_check(o, err);
    return st == HCBR_OK ? check_names(o, err) : st;
}
