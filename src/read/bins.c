/*
 * Labels that are numbers as ranges of numbers: the text of option bins, and the names of ranges.
 *
 * Invariant: a range ends at its cut, which belongs to it. So equal numbers are in one range, and
 * the name of a range determines it: a model that stores the cuts gives the same names to the
 * labels of other files.
 */
#include "kinds/kinds.h"
#include "read/read.h"

#include <stdio.h>

/** Not the functions of <math.h>: the library does without. */
#define HCBR_I_INFINITY __builtin_inf()

/** A whole number without a sign, from 2 to HCBR_I_MOST_BINS; 0: none. */
static uint32_t parse_count(const char *text) {
    uint32_t value = 0;
    for (; *text >= '0' && *text <= '9' && value <= HCBR_I_MOST_BINS; text++)
        value = value * 10 + (uint32_t)(*text - '0');
    return *text == '\0' && value >= 2 && value <= HCBR_I_MOST_BINS ? value : 0;
}

/** The cuts of a list. room NULL: they are only counted. 0: not a list of ascending numbers. */
static size_t parse_cuts(const char *text, double *room) {
    size_t count = 0;
    double before = 0, value;
    while (*text != '\0') {
        size_t length = strcspn(text, ",");
        if (!hcbr_number_parse(&value, text, length) || (count > 0 && !(value > before)) ||
            count + 1 >= HCBR_I_MOST_BINS)
            return 0;
        value = value == 0 ? 0 : value; // not -0
        if (room != NULL)
            room[count] = value;
        before = value;
        count++;
        text += length + (text[length] == ',');
    }
    return count;
}

/** Skip a word if it is next. */
static bool skip_word(const char **text, const char *word) {
    size_t length = strlen(word);
    if (strncmp(*text, word, length) != 0)
        return false;
    *text += length;
    return true;
}

bool hcbr_i_bins_parse(hcbr_i_ranges *out, const char *text, double *cuts) {
    *out = (hcbr_i_ranges){0};
    if (skip_word(&text, "comma:"))
        out->mark = HCBR_I_MARK_COMMA;
    else if (skip_word(&text, "point:"))
        out->mark = HCBR_I_MARK_POINT;
    out->million = skip_word(&text, "million:");
    if (strcmp(text, "median") == 0)
        out->quantiles = 2;
    // One whole number is how many ranges there are, unless a comma or `at:` says otherwise.
    else if (skip_word(&text, "at:") || strpbrk(text, ",.eE") != NULL)
        out->count = parse_cuts(text, cuts);
    else
        out->quantiles = parse_count(text);
    return out->quantiles > 0 || out->count > 0;
}

char *hcbr_i_bins_print(const hcbr_i_ranges *bins, const double *cuts) {
    static const char *const words[] = {"", "comma:", "million:", "comma:million:"};
    const char *first = words[(bins->mark == HCBR_I_MARK_COMMA ? 1 : 0) + (bins->million ? 2 : 0)];
    char *text = hcbr_i_alloc(bins->count + 1, HCBR_NUMBER_SIZE + 1), *at = text;
    if (text == NULL)
        return NULL;
    memcpy(at, first, strlen(first));
    at += strlen(first);
    for (size_t i = 0; i < bins->count; i++) {
        at += hcbr_number_format(at, cuts[i]);
        if (i + 1 < bins->count || bins->count == 1)
            *at++ = ',';
    }
    *at = '\0';
    return text;
}

bool hcbr_i_bins_value(const hcbr_i_ranges *bins, const char *text, size_t length, double *value) {
    unsigned mark = bins->mark == HCBR_I_MARK_COMMA ? HCBR_I_MARK_COMMA : HCBR_I_MARK_POINT;
    bool plain = hcbr_number_parse(value, text, length);
    char digits[HCBR_I_NUMERAL_TEXT];
    hcbr_i_numeral n;
    if (plain && mark == HCBR_I_MARK_POINT)
        return true;
    if (!(hcbr_i_numeral_read(&n, text, length) & mark))
        return plain; // its point can be nothing but the decimal mark
    length = hcbr_i_numeral_write(digits, &n, mark, bins->million);
    return hcbr_number_parse(value, digits, length);
}

size_t hcbr_i_bins_find(const double *cuts, size_t count, double value) {
    size_t low = 0, high = count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (value <= cuts[middle])
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

size_t hcbr_i_bins_name(const double *cuts, size_t count, size_t bin, char name[HCBR_I_BIN_NAME]) {
    char low[HCBR_NUMBER_SIZE] = "", high[HCBR_NUMBER_SIZE] = "";
    if (bin > 0)
        hcbr_number_format(low, cuts[bin - 1]);
    if (bin < count)
        hcbr_number_format(high, cuts[bin]);
    if (bin == 0)
        return (size_t)snprintf(name, HCBR_I_BIN_NAME, "<= %s", high);
    if (bin == count)
        return (size_t)snprintf(name, HCBR_I_BIN_NAME, "> %s", low);
    return (size_t)snprintf(name, HCBR_I_BIN_NAME, "%s to %s", low, high);
}

bool hcbr_i_bins_is_name(const char *text, size_t length, double *upper) {
    double low;
    if (length > 3 && memcmp(text, "<= ", 3) == 0)
        return hcbr_number_parse(upper, text + 3, length - 3);
    if (length > 2 && memcmp(text, "> ", 2) == 0) {
        bool good = hcbr_number_parse(&low, text + 2, length - 2);
        *upper = HCBR_I_INFINITY;
        return good;
    }
    for (size_t i = 1; i + 4 < length; i++)
        if (memcmp(text + i, " to ", 4) == 0)
            return hcbr_number_parse(&low, text, i) &&
                   hcbr_number_parse(upper, text + i + 4, length - i - 4) && low < *upper;
    return false;
}
