/*
 * The tokens of JSON (RFC 8259): strings, numbers, the three words.
 *
 * A token is accepted only in the form of the standard, and nothing after the '\n' of the line is
 * read: every loop stops at a byte that cannot continue a token, and '\n' never can. Numbers are
 * checked but not converted: their text is kept. The place of an error is the first byte after
 * which the line can no longer be valid. For an escape of correct form without a meaning (half a
 * surrogate pair, NUL) it is the backslash; for invalid UTF-8 it is the first of its bytes.
 */
#include "read/json.h"

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

hcbr_status hcbr_i_json_expected(const hcbr_i_parser *p, const char *at, hcbr_error *err,
                                 const char *expected) {
    char quoted[200];
    size_t length = 1;
    if (*at == '\n' && at > p->record && at[-1] == '\r')
        at--; // a line ends at the same column with CRLF
    if (*at == '\n' || (*at == '\r' && at[1] == '\n'))
        return hcbr_i_parser_fail(p, at, err, "found the end of the line, expected %s", expected);
    if (*at == '\0') // in a string too: as an escape it would also be refused
        return hcbr_i_parser_fail(p, at, err, "found a NUL byte, expected text");
    if (memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        return hcbr_i_parser_fail(p, at, err, "found a byte order mark, expected %s", expected);
    while (length < 40 && is_letter(*at) && is_letter(at[length]))
        length++; // a whole word says more than its first letter
    if ((unsigned char)*at >= 0x80)
        while (length < 4 && ((unsigned char)at[length] & 0xC0) == 0x80)
            length++;
    return hcbr_i_parser_fail(p, at, err, "found %s, expected %s", hcbr_i_quote(quoted, at, length),
                              expected);
}

static int hex_digit(char c) {
    if (hcbr_i_is_digit(c))
        return c - '0';
    c = (char)(c | 0x20);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/** Four digits from *at on, which moves after them; -1, with *at the offending byte. */
static long hex_unit(const char **at) {
    long unit = 0;
    for (int i = 0; i < 4; i++, (*at)++) {
        int digit = hex_digit(**at);
        if (digit < 0)
            return -1;
        unit = unit << 4 | digit;
    }
    return unit;
}

static bool is_high_surrogate(long unit) {
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low_surrogate(long unit) {
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/** Check the escape whose backslash is at *at, which moves after it. */
static hcbr_status check_escape(const hcbr_i_parser *p, const char **at, hcbr_error *err) {
    const char *slash = *at, *next = slash + 2;
    if (slash[1] != 'u') {
        if (slash[1] == '\n' || slash[1] == '\0' || strchr("\"\\/bfnrt", slash[1]) == NULL)
            return hcbr_i_json_expected(p, slash + 1, err, "an escape: one of \"\\/bfnrtu");
        *at = next;
        return HCBR_OK;
    }
    static const char digits[] = "four hexadecimal digits after \\u";
    long unit = hex_unit(&next);
    if (unit < 0)
        return hcbr_i_json_expected(p, next, err, digits);
    if (unit == 0)
        return hcbr_i_parser_fail(p, slash, err,
                                  "found the character NUL (\\u0000), expected text without it");
    bool whole = !is_high_surrogate(unit) && !is_low_surrogate(unit);
    if (is_high_surrogate(unit) && next[0] == '\\' && next[1] == 'u') {
        next += 2;
        long low = hex_unit(&next);
        if (low < 0)
            return hcbr_i_json_expected(p, next, err, digits);
        whole = is_low_surrogate(low);
    }
    if (!whole)
        return hcbr_i_parser_fail(p, slash, err,
                                  "found half a surrogate pair (\\u%04lX), expected both halves, "
                                  "\\uD800 to \\uDBFF and then \\uDC00 to \\uDFFF",
                                  (unsigned long)unit);
    *at = next;
    return HCBR_OK;
}

/** Write a character as UTF-8 and return the byte after it. */
static char *put_character(char *to, unsigned long c) {
    if (c < 0x80) {
        *to++ = (char)c;
    } else if (c < 0x800) {
        *to++ = (char)(0xC0 | c >> 6);
        *to++ = (char)(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
        *to++ = (char)(0xE0 | c >> 12);
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
        *to++ = (char)(0x80 | (c & 0x3F));
    } else {
        *to++ = (char)(0xF0 | c >> 18);
        *to++ = (char)(0x80 | (c >> 12 & 0x3F));
        *to++ = (char)(0x80 | (c >> 6 & 0x3F));
        *to++ = (char)(0x80 | (c & 0x3F));
    }
    return to;
}

/** Write the character of an escape (checked before); *at moves after it. */
static char *put_escape(char *to, const char **at) {
    static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
    char c = (*at)[1];
    *at += 2;
    if (c != 'u') {
        const char *name = strchr(names, c);
        *to++ = name == NULL ? c : meanings[name - names];
        return to;
    }
    unsigned long unit = (unsigned long)hex_unit(at);
    if (is_high_surrogate((long)unit)) {
        *at += 2;
        unsigned long low = (unsigned long)hex_unit(at);
        unit = 0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00);
    }
    return put_character(to, unit);
}

/** The meaning of a string (checked before) into the block's arena: never longer than its source.
 */
static hcbr_status unescape(const hcbr_i_parser *p, const char *from, const char *quote,
                            hcbr_i_text *text, hcbr_error *err) {
    char *to = hcbr_i_arena_take(&p->block->arena, (size_t)(quote - from) + HCBR_I_PAD);
    if (to == NULL)
        return hcbr_i_no_memory(err);
    text->at = to;
    while (from < quote) {
        const char *slash = memchr(from, '\\', (size_t)(quote - from));
        size_t run = (size_t)((slash == NULL ? quote : slash) - from);
        memcpy(to, from, run);
        to += run;
        from += run;
        if (slash != NULL)
            to = put_escape(to, &from);
    }
    text->length = (size_t)(to - text->at);
    memset(to, 0, HCBR_I_PAD); // a name is packed by loading whole words
    return HCBR_OK;
}

hcbr_status hcbr_i_json_string_slow(const hcbr_i_parser *p, const char **at, hcbr_i_text *text,
                                    hcbr_error *err) {
    const char *first = *at + 1, *stop;
    uint64_t high = 0;
    bool escaped = false;
    hcbr_status st = HCBR_OK;
    for (stop = first; *(stop = hcbr_i_json_plain_end(stop, &high)) == '\\';) {
        const char *slash = stop;
        if ((st = check_escape(p, &stop, err)) != HCBR_OK) {
            stop = slash;
            break;
        }
        escaped = true;
    }
    // Mistakes in the bytes before it come first.
    if (high != 0) {
        hcbr_status bytes = hcbr_i_parser_check(p, first, (size_t)(stop - first), err);
        if (bytes != HCBR_OK)
            return bytes;
    }
    if (st != HCBR_OK)
        return st;
    if (*stop != '"')
        return hcbr_i_json_expected(p, stop, err,
                                    *stop == '\n' || (*stop == '\r' && stop[1] == '\n')
                                        ? "the closing quote of a string"
                                        : "it written as an escape in a string");
    *at = stop + 1;
    if (escaped)
        return unescape(p, first, stop, text, err);
    text->at = first;
    text->length = (size_t)(stop - first);
    return HCBR_OK;
}

static const char *skip_digits(const char *at) {
    while (hcbr_i_is_digit(*at))
        at++;
    return at;
}

hcbr_status hcbr_i_json_number(const hcbr_i_parser *p, const char **at, hcbr_error *err) {
    const char *first = *at + (**at == '-');
    const char *next = skip_digits(first);
    if (next == first)
        return hcbr_i_json_expected(p, next, err, "a digit of a number");
    if (*first == '0' && next - first > 1)
        return hcbr_i_json_expected(p, first + 1, err, "no digit after the leading 0 of a number");
    if (*next == '.') {
        first = next + 1;
        if ((next = skip_digits(first)) == first)
            return hcbr_i_json_expected(p, next, err, "a digit after the point of a number");
    }
    if (*next == 'e' || *next == 'E') {
        first = next + (next[1] == '+' || next[1] == '-' ? 2 : 1);
        if ((next = skip_digits(first)) == first)
            return hcbr_i_json_expected(p, next, err, "a digit in the exponent of a number");
    }
    *at = next;
    return HCBR_OK;
}

hcbr_status hcbr_i_json_word(const hcbr_i_parser *p, const char **at, const char *word,
                             hcbr_error *err) {
    char expected[32];
    const char *next = *at;
    for (const char *letter = word; *letter != '\0'; letter++, next++) {
        if (*next != *letter) {
            size_t length = strlen(word);
            memcpy(expected, "the word ", 9);
            memcpy(expected + 9, word, length + 1);
            return hcbr_i_json_expected(p, next, err, expected);
        }
    }
    *at = next;
    return HCBR_OK;
}
