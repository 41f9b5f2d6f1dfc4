/*
 * Words for yes, for no and for missing values. The lists are complete: any other text is a value.
 */
#include "kinds/kinds.h"

enum { FORM_MOST = 16, WORD_MOST = 6 };

/* Whether the text is one of these words, in any case. Each word ends with a tab. */
static bool is_listed(const char *list, const char *text, size_t length) {
    for (const char *p = list; *p; p++) {
        size_t i = 0;
        while (i < length && p[i] != '\t' && p[i] == hcbr_i_lower(text[i]))
            i++;
        if (i == length && p[i] == '\t')
            return true;
        while (*p != '\t')
            p++;
    }
    return false;
}

bool hcbr_i_flag_read(bool *yes, hcbr_i_flags pair, const char *text, size_t length) {
    static const char *const words[][2] = {
        {"no\tn\tnein\tnon\tn\xC3\xA3o\tnao\t", "yes\ty\tja\toui\tsi\ts\xC3\xAD\tsim\t"},
        {"false\tf\tfalsch\tfaux\t", "true\tt\twahr\tvrai\t"},
        {"off\t", "on\t"}};
    const char *end = text + length;
    *yes = false;
    hcbr_i_trim(&text, &end);
    length = (size_t)(end - text);
    if (length == 0 || length > FORM_MOST)
        return false;
    if (pair < HCBR_I_FLAGS_ONE) {
        if (length > WORD_MOST)
            return false;
        const char first = hcbr_i_lower(*text); /* the first letter of every word for no but off,
                                                   and of no other */
        const bool no = first == 'n' || first == 'f';
        *yes = !no && is_listed(words[pair][1], text, length);
        return *yes || ((no || pair == HCBR_I_FLAGS_ON) && is_listed(words[pair][0], text, length));
    }
    double value;
    uint8_t spelling;
    if (!hcbr_i_decimal_read(&value, &spelling, text, length) || spelling == HCBR_I_SPELLED_WIDE)
        return false;
    *yes = value == 1;
    return *yes || value == (pair == HCBR_I_FLAGS_ONE ? 0 : -1);
}

const bool hcbr_i_form_begins[256] = {
    ['n'] = true,  ['N'] = true, ['k'] = true,  ['K'] = true,  ['m'] = true,
    ['M'] = true,  ['#'] = true, ['-'] = true,  ['.'] = true,  ['1'] = true,
    ['('] = true,  ['<'] = true, [':'] = true,  ['['] = true,  ['?'] = true,
    ['\\'] = true, [' '] = true, ['\t'] = true, [0xC2] = true, [0xE2] = true};

/* The forms that begin with this byte, in lower case; NULL: none. */
static const char *forms_of(unsigned char first) {
    switch (first) {
    case 'n':
        return "na\tn/a\tn.a.\tn.a\tnan\tnat\tnull\tnone\tnil\tnot available\tn.c.\tn.d.\tn/d\t";
    case ':':
        return ":\t: c\t: u\t: z\t:c\t:u\t:z\t";
    case '[':
        return "[c]\t[u]\t[x]\t[z]\t";
    case '#':
        return "#n/a\t#na\t#value!\t#div/0!\t#ref!\t#name?\t#num!\t#null!\t#nv\t#n/d\t";
    case '-':
        return "-\t--\t---\t-nan\t-1.#ind\t-1.#qnan\t";
    case '.':
        return ".\t..\t...\t";
    case '1':
        return "1.#ind\t1.#qnan\t";
    case '(':
        return "(null)\t";
    case '<':
        return "<na>\t";
    case '?':
        return "?\t";
    case '\\':
        return "\\n\t";
    case 'k':
        return "k.a.\tk. a.\t";
    case 'm':
        return "missing\t";
    case 0xE2:
        return "\xE2\x80\x93\t\xE2\x80\x94\t\xE2\x80\xA6\t";
    default:
        return NULL;
    }
}

bool hcbr_i_is_blank(const char *text, size_t length) {
    const char *end = text + length;
    hcbr_i_trim(&text, &end);
    return text == end;
}

bool hcbr_i_is_missing_now(const char *text, size_t length) {
    const char *end = text + length;
    hcbr_i_trim(&text, &end);
    length = (size_t)(end - text);
    if (length == 0 || length > FORM_MOST)
        return length == 0;
    /* nearly all values end here: no form begins with this letter or has this length */
    const char first = hcbr_i_lower(*text);
    if ((first == 'm' && length != 7) || (first == 'n' && length > 4 && length != 13))
        return false;
    const char *forms = forms_of((unsigned char)first);
    return forms && is_listed(forms, text, length);
}
