/*
 * Which format a file has: by its ending, or strictly by its first line.
 *
 * Invariant: a line gets a format only if the rules name it; no format is guessed just because it
 * would accept the bytes.
 */
#include "read/parse.h"

const char *hcbr_i_format_name(hcbr_format format) {
    switch (format) {
    case HCBR_FORMAT_CSV:
        return "csv";
    case HCBR_FORMAT_TSV:
        return "tsv";
    case HCBR_FORMAT_LIBSVM:
        return "libsvm";
    case HCBR_FORMAT_JSONL:
        return "jsonl";
    case HCBR_FORMAT_TEXT:
        return "text";
    case HCBR_FORMAT_CASES:
        return "cases";
    case HCBR_FORMAT_AUTO:
        break;
    }
    return "auto";
}

/** Is the text, in whatever case, this word? */
static bool same_letters(const char *text, size_t length, const char *lower) {
    if (strlen(lower) != length)
        return false;
    for (size_t i = 0; i < length; i++) {
        char c = text[i] >= 'A' && text[i] <= 'Z' ? (char)(text[i] + ('a' - 'A')) : text[i];

        if (c != lower[i])
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

hcbr_format hcbr_i_format_of_path(const char *path) {
    static const struct {
        const char *ending;
        hcbr_format format;
    } known[] = {{"csv", HCBR_FORMAT_CSV},       {"tsv", HCBR_FORMAT_TSV},
                 {"tab", HCBR_FORMAT_TSV},       {"jsonl", HCBR_FORMAT_JSONL},
                 {"json", HCBR_FORMAT_JSONL},    {"ndjson", HCBR_FORMAT_JSONL},
                 {"libsvm", HCBR_FORMAT_LIBSVM}, {"svm", HCBR_FORMAT_LIBSVM},
                 {"txt", HCBR_FORMAT_TEXT},      {"cases", HCBR_FORMAT_CASES}};
    hcbr_i_text ending = ending_of(path, strlen(path));

    // Compression says nothing about the format: the ending before it does.
    if (ending.at != NULL && (same_letters(ending.at, ending.length, "gz") ||
                              same_letters(ending.at, ending.length, "zst")))
        ending = ending_of(path, (size_t)(ending.at - 1 - path));
    for (size_t i = 0; ending.at != NULL && i < sizeof known / sizeof *known; i++)
        if (same_letters(ending.at, ending.length, known[i].ending))
            return known[i].format;
    return HCBR_FORMAT_AUTO;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/** Is the token digits, or digits:number? *pair: it is the second. */
static bool is_feature(const char *token, size_t length, bool *pair) {
    size_t digits = 0;
    double value;

    while (digits < length && hcbr_i_is_digit(token[digits]))
        digits++;
    *pair = digits > 0 && digits < length && token[digits] == ':' &&
            hcbr_number_parse(&value, token + digits + 1, length - digits - 1);
    return *pair || (digits > 0 && digits == length);
}

/** All tokens but a first one without comma are features, and at least one of all is a pair. */
static bool looks_like_libsvm(const char *line, size_t length) {
    const char *at = line, *end = line + length;
    bool first = true, any = false;

    for (;;) {
        const char *token;
        bool pair, feature;

        while (at < end && is_blank(*at))
            at++;
        if (at == end || *at == '#')
            return any;
        for (token = at; at < end && !is_blank(*at);)
            at++;
        feature = is_feature(token, (size_t)(at - token), &pair);
        if (!feature && (!first || memchr(token, ',', (size_t)(at - token)) != NULL))
            return false;
        any = any || pair;
        first = false;
    }
}

/** A list of JSON, whose first object stands here or in another line? */
static bool is_list(const char *at, size_t length, char first) {
    while (length > 0 && is_blank(*at)) {
        at++;
        length--;
    }
    return first == '[' && (length == 0 || *at == '{' || *at == ']');
}

hcbr_format hcbr_i_format_sniff(const char *line, size_t length, int delimiter) {
    while (length > 0 && is_blank(*line) && *line != '\t') {
        line++;
        length--;
    }
    if (length == 0)
        return HCBR_FORMAT_AUTO;
    if (*line == '{' || is_list(line + 1, length - 1, *line))
        return HCBR_FORMAT_JSONL;
    if (*line == '[') // its commas make no columns
        return HCBR_FORMAT_AUTO;
    if (looks_like_libsvm(line, length))
        return HCBR_FORMAT_LIBSVM;
    if (delimiter != 0 && memchr(line, delimiter, length) != NULL)
        return HCBR_FORMAT_CSV;
    if (memchr(line, ',', length) != NULL)
        return HCBR_FORMAT_CSV;
    if (memchr(line, '\t', length) != NULL)
        return HCBR_FORMAT_TSV;
    return memchr(line, ';', length) != NULL || memchr(line, '|', length) != NULL
               ? HCBR_FORMAT_CSV
               : HCBR_FORMAT_AUTO;
}
