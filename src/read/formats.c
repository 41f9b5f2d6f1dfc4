/*
 * The formats of data files, and which of them a file has: by its ending, or strictly by its first
 * line.
 *
 * Invariant: a line gets a format only if the rules name it; no format is guessed just because it
 * would accept the bytes.
 */
#include "read/lane.h"

#include <stdio.h>

static void parse_blanks(hcbr_i_lane *lane) {
    lane->begin = lane->end;
}

static bool never(const hcbr_i_lane *lane) {
    (void)lane;
    return false;
}

const hcbr_i_format hcbr_i_format_auto = {
    .id = HCBR_FORMAT_AUTO, .name = "auto", .parse = parse_blanks, .is_known = never};

/* In the order of messages. */
static const hcbr_i_format *const FORMATS[] = {&hcbr_i_format_csv,   &hcbr_i_format_tsv,
                                               &hcbr_i_format_jsonl, &hcbr_i_format_libsvm,
                                               &hcbr_i_format_text,  &hcbr_i_format_cases};
enum { COUNT = sizeof FORMATS / sizeof *FORMATS };

const hcbr_i_format *hcbr_i_format_of(hcbr_format id) {
    for (size_t i = 0; i < COUNT; i++)
        if (FORMATS[i]->id == id)
            return FORMATS[i];
    return id == HCBR_FORMAT_AUTO ? &hcbr_i_format_auto : NULL;
}

const char *hcbr_format_name(hcbr_format format) {
    const hcbr_i_format *f = hcbr_i_format_of(format);
    return f != NULL ? f->name : hcbr_i_format_auto.name;
}

const char *hcbr_i_format_names(char text[HCBR_I_FORMAT_NAMES], bool named) {
    const char *list[COUNT];
    size_t count = 0, used = 0;
    for (size_t i = 0; i < COUNT; i++)
        if (!named || !FORMATS[i]->unnamed)
            list[count++] = FORMATS[i]->name;
    for (size_t i = 0; i < count; i++)
        used += (size_t)snprintf(text + used, HCBR_I_FORMAT_NAMES - used, "%s%s",
                                 i == 0          ? ""
                                 : i + 1 < count ? ", "
                                                 : " or ",
                                 list[i]);
    return text;
}

/* ---- by the ending --------------------------------------------------------------------------- */

/** Whether the text is this word, in any case. */
static bool same_letters(hcbr_i_text text, const char *lower) {
    if (strlen(lower) != text.length)
        return false;
    for (size_t i = 0; i < text.length; i++) {
        char c = text.at[i];
        if ((c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c) != lower[i])
            return false;
    }
    return true;
}

/** The text after the last dot in the first `length` bytes of the last part of a path. */
static hcbr_i_text ending_of(const char *path, size_t length) {
    size_t dot = length;
    while (dot > 0 && path[dot - 1] != '.' && path[dot - 1] != '/')
        dot--;
    if (dot == 0 || path[dot - 1] == '/')
        return (hcbr_i_text){NULL, 0};
    return (hcbr_i_text){path + dot, length - dot};
}

const hcbr_i_format *hcbr_i_format_of_path(const char *path) {
    hcbr_i_text ending = ending_of(path, strlen(path));

    // Compression is not a format: use the ending before it.
    if (ending.at != NULL && (same_letters(ending, "gz") || same_letters(ending, "zst")))
        ending = ending_of(path, (size_t)(ending.at - 1 - path));
    for (size_t i = 0; ending.at != NULL && i < COUNT; i++)
        for (size_t k = 0; k < 4 && FORMATS[i]->endings[k] != NULL; k++)
            if (same_letters(ending, FORMATS[i]->endings[k]))
                return FORMATS[i];
    return &hcbr_i_format_auto;
}

hcbr_format hcbr_format_of_path(const char *path) {
    return hcbr_i_format_of_path(path)->id;
}

/* ---- by the first line ----------------------------------------------------------------------- */

const hcbr_i_format *hcbr_i_format_sniff(const char *line, size_t length, int delimiter) {
    while (length > 0 && (*line == ' ' || *line == '\r')) {
        line++;
        length--;
    }
    // Lines of all formats have commas and tabs: tables come last.
    for (size_t pass = 0; length > 0 && pass < 2; pass++)
        for (size_t i = 0; i < COUNT; i++)
            if (FORMATS[i]->has_columns == (pass == 1) && FORMATS[i]->looks != NULL &&
                FORMATS[i]->looks(line, length, delimiter))
                return FORMATS[i];
    return &hcbr_i_format_auto;
}
