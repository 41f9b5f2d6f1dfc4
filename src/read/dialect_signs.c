/*
 * Lines above a table that are not part of it: remarks, which all begin with the same sign, such as
 * `#`, and of which the last may name the columns; and a line that sets the delimiter.
 *
 * Invariant: a possible row is not a remark. So one that begins with `#` and has as many fields as
 * the rows needs a blank after the sign, unless it is the last one, which then has the names.
 */
#include "read/dialect.h"

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/** Whether a sign there is followed by a blank or the end of the line. */
static bool stands_alone(const char *at) {
    return is_blank(at[1]) || at[1] == '\n';
}

/**
 * Lines up to the first that has text without the sign; empty lines do not count. The last line
 * must be complete.
 */
hcbr_i_signs hcbr_i_signs_find(const char *bytes, size_t size) {
    const char *at = bytes, *end = bytes + size, *stop;
    hcbr_i_signs s = {0};
    bool alone = true;
    for (; (stop = memchr(at, '\n', (size_t)(end - at))) != NULL; at = stop + 1) {
        while (is_blank(*at))
            at++;
        if (*at == '\n')
            continue;
        if (s.lines == 0 && (*at == '#' || *at == '%' || *at == ';'))
            s.sign = *at;
        if (s.sign == 0 || *at != s.sign)
            break;
        alone = alone && stands_alone(at);
        s.lines++;
        s.before = s.last;
        s.last = at;
        s.bytes = (size_t)(stop + 1 - bytes);
    }
    // A header may begin with a sign; ';' is a delimiter, too.
    if (stop == NULL || (s.lines == 1 && !(s.sign == '#' && alone)) || (s.sign != '#' && !alone))
        s = (hcbr_i_signs){0};
    return s;
}

/** Fields of the first record from there on; 0: not all of them are filled, or it goes on. */
static size_t count_fields(hcbr_i_sample *v, const char *at, const char *end) {
    hcbr_i_sampled none = {0};
    size_t fields = 0;
    for (;; at++) {
        while (v->style.runs && *at == ' ')
            at++;
        if (v->style.runs && fields > 0 && (*at == '\n' || *at == '\r'))
            return fields;
        const char *stop = hcbr_i_sample_field(v, &none, at, end);

        if (stop == at || (*stop == '\n' && stop + 1 < end) || none.is_bad)
            return 0;
        fields++;
        at = stop;
        if (*at == '\n')
            return fields;
    }
}

/** Whether the line has no digit. */
static bool is_words(const char *at) {
    while (*at != '\n' && (*at < '0' || *at > '9'))
        at++;
    return *at == '\n';
}

/** The start of the text after the sign. */
static const char *behind(const hcbr_i_signs *s, const char *at) {
    while (*at == s->sign || *at == ' ')
        at++;
    return at;
}

/**
 * Two lines of words as wide as the table, above rows of numbers: names, and units or the like.
 *
 * @return the first of them; NULL: there are no two.
 */
static const char *find_two(const hcbr_i_signs *s, const char *bytes, hcbr_i_sample *v,
                            const hcbr_i_dialect_given *given) {
    if (s->before == NULL || !is_words(s->before) || !is_words(s->last) || v->header > 0 ||
        count_fields(v, behind(s, s->before),
                     (const char *)memchr(s->before, '\n', (size_t)(s->last - s->before)) + 1) !=
            v->common ||
        count_fields(v, behind(s, s->last), bytes + s->bytes) != v->common ||
        !hcbr_i_sample_no_header(v, given))
        return NULL;
    return s->before;
}

bool hcbr_i_signs_are_rows(const hcbr_i_signs *s, const char *bytes, hcbr_i_sample *v,
                           const hcbr_i_dialect_given *given) {
    const char *at = bytes, *stop, *two = find_two(s, bytes, v, given);
    for (; at < s->last; at = stop + 1) {
        stop = memchr(at, '\n', (size_t)(s->last - at));
        if (stop == NULL)
            return false; // blanks before the last sign
        while (is_blank(*at))
            at++;
        if (at != two && *at == s->sign && !stands_alone(at) &&
            count_fields(v, at, stop + 1) == v->common)
            return true;
    }
    return false;
}

const char *hcbr_i_signs_names(const hcbr_i_signs *s, const char *bytes, hcbr_i_sample *v,
                               const hcbr_i_dialect_given *given, unsigned *below) {
    const char *at = behind(s, s->last), *end = bytes + s->bytes, *two;
    const bool alone = stands_alone(s->last);
    *below = 0;
    if (given->no_header || given->headers > 0 || v->header > 0 ||
        v->records[0].fields != v->common || count_fields(v, at, end) != v->common)
        return NULL;
    if ((two = find_two(s, bytes, v, given)) != NULL) {
        *below = 1;
        return behind(s, two);
    }
    return !alone || hcbr_i_sample_no_header(v, given) ? at : NULL;
}

size_t hcbr_i_sep_find(const char *bytes, size_t size, char *delimiter) {
    const char *at = bytes, *end = bytes + size;
    bool quoted = size > 0 && *at == '"';
    at += quoted;
    if (end - at < 6 || (memcmp(at, "sep=", 4) != 0 && memcmp(at, "SEP=", 4) != 0) ||
        at[4] == '"' || at[4] == '\r' || at[4] == '\n' || (unsigned char)at[4] > 0x7E)
        return 0;
    *delimiter = at[4];
    at += 5;
    if (quoted && *at++ != '"')
        return 0;
    at += at < end && *at == '\r';
    return at < end && *at == '\n' ? (size_t)(at + 1 - bytes) : 0;
}
