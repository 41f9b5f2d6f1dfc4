/*
 * The text around the digits of a number: currencies, units, words for powers of ten; and the
 * blanks around a value.
 *
 * Invariant: a unit is in the form in which it is compared, so that equal units are equal bytes.
 */
#include "kinds/kinds.h"

void hcbr_i_trim_now(const char **text, const char **end) {
    size_t size;
    while ((size = hcbr_i_blank_size(*text, *end)) > 0)
        *text += size;
    for (;;) {
        if (*end > *text && hcbr_i_blank_size(*end - 1, *end) == 1)
            *end -= 1;
        else if (*end - *text >= 2 && hcbr_i_blank_size(*end - 2, *end) == 2)
            *end -= 2;
        else if (*end - *text >= 3 && hcbr_i_blank_size(*end - 3, *end) == 3)
            *end -= 3;
        else
            return;
    }
}

bool hcbr_i_is_word(const char *text, size_t length, const char *word) {
    size_t i = 0;
    for (; i < length && word[i]; i++)
        if (hcbr_i_lower(text[i]) != word[i])
            return false;
    return i == length && word[i] == 0;
}

/* ---- currencies ------------------------------------------------------------------------------ */

/* Codes and words allowed before a number, by their first letter; in lower case, a blank after
   each. After a number any word is allowed. */
static const char *const codes['z' - 'a' + 1] = {
    ['a' - 'a'] = "aud aed ars ",
    ['b' - 'a'] = "brl bgn ",
    ['c' - 'a'] = "cny chf cad czk clp cop ",
    ['d' - 'a'] = "dkk ",
    ['e' - 'a'] = "eur egp ",
    ['f' - 'a'] = "fr. ",
    ['g' - 'a'] = "gbp ",
    ['h' - 'a'] = "huf hkd ",
    ['i' - 'a'] = "inr ils isk idr ",
    ['j' - 'a'] = "jpy ",
    ['k' - 'a'] = "krw kes kr. kr ",
    ['m' - 'a'] = "mxn myr ",
    ['n' - 'a'] = "nzd nok ngn ",
    ['p' - 'a'] = "pln php pen ",
    ['r' - 'a'] = "rub ron rs. rs ",
    ['s' - 'a'] = "sek sgd sar sfr. sfr ",
    ['t' - 'a'] = "try thb twd ",
    ['u' - 'a'] = "usd uah ",
    ['v' - 'a'] = "vnd ",
    ['z' - 'a'] = "zar ",
};

/* Signs of UTF-8: cent, pound, currency, yen; U+20A0 to U+20CF; baht. */
static size_t sign_size(const char *p, const char *end) {
    const unsigned char *b = (const unsigned char *)p;
    if (p == end)
        return 0;
    if (*p == '$')
        return 1;
    if (end - p >= 2 && b[0] == 0xC2 && b[1] >= 0xA2 && b[1] <= 0xA5)
        return 2;
    if (end - p >= 3 && b[0] == 0xE2 &&
        ((b[1] == 0x82 && b[2] >= 0xA0) || (b[1] == 0x83 && b[2] <= 0x8F)))
        return 3;
    if (end - p >= 3 && b[0] == 0xE0 && b[1] == 0xB8 && b[2] == 0xBF)
        return 3;
    return 0;
}

static bool is_letter(char c) {
    return hcbr_i_lower(c) >= 'a' && hcbr_i_lower(c) <= 'z';
}

size_t hcbr_i_currency_size(const char *text, const char *end) {
    size_t size = sign_size(text, end), letters = 0;
    if (size > 0)
        return size;
    while (text + letters < end && letters < 4 && is_letter(text[letters]))
        letters++;
    if (letters == 1 || letters == 2) /* US$, A$ */
        if (text + letters < end && text[letters] == '$')
            return letters + 1;
    if (letters < 2 || letters > 3) /* of any code */
        return 0;
    const char *p = codes[hcbr_i_lower(*text) - 'a'];
    for (; p && *p; p++) {
        size_t n = 0;
        while (p[n] != ' ')
            n++;
        if ((size_t)(end - text) >= n && n >= letters && (p[n - 1] == '.' || n == letters)) {
            size_t i = 0;
            while (i < n && hcbr_i_lower(text[i]) == p[i])
                i++;
            if (i == n)
                return n;
        }
        p += n;
    }
    return 0;
}

/* ---- units ----------------------------------------------------------------------------------- */

/* A code whose sign belongs to one currency only becomes that sign. */
static size_t currency_sign(const char *text, size_t length, const char **sign) {
    *sign = length != 3                           ? NULL
            : hcbr_i_is_word(text, length, "eur") ? "\xE2\x82\xAC"
            : hcbr_i_is_word(text, length, "gbp") ? "\xC2\xA3"
            : hcbr_i_is_word(text, length, "inr") ? "\xE2\x82\xB9"
            : hcbr_i_is_word(text, length, "rub") ? "\xE2\x82\xBD"
                                                  : NULL;
    return *sign ? strlen(*sign) : 0;
}

static bool unit_byte(char c, bool first) {
    if (is_letter(c) || (unsigned char)c >= 0x80)
        return true;
    if (first)
        return c == '%' || c == '$' || c == '/' || c == '"' || c == '\'';
    return c == '%' || c == '$' || c == '/' || c == '^' || c == '.' || hcbr_i_ascii_digit(c);
}

bool hcbr_i_unit_add(hcbr_i_unit *unit, const char *text, const char *end) {
    size_t length = (size_t)(end - text);
    const char *sign;
    size_t sign_length = currency_sign(text, length, &sign);
    if (sign_length > 0) {
        text = sign;
        length = sign_length;
    }
    for (size_t i = 0; i < length; i++)
        if (!unit_byte(text[i], i == 0))
            return false;
    if (length > 1 && text[length - 1] == '.')
        length--;
    if (length > 2 && hcbr_i_lower(text[length - 1]) == 's' && is_letter(text[length - 2]))
        length--;
    if (unit->length + length > HCBR_I_UNIT_SIZE)
        return false;
    for (size_t i = 0; i < length; i++)
        unit->text[unit->length + i] = hcbr_i_lower(text[i]);
    unit->length = (uint8_t)(unit->length + length);
    return true;
}

int hcbr_i_multiplier(const char *word, size_t length) {
    static const struct {
        const char *word;
        int power;
    } words[] = {{"k", 3},    {"tsd", 3},       {"thousand", 3},  {"mn", 6},       {"mln", 6},
                 {"mio", 6},  {"million", 6},   {"millions", 6},  {"b", 9},        {"bn", 9},
                 {"mrd", 9},  {"mld", 9},       {"billion", 9},   {"billions", 9}, {"tn", 12},
                 {"trn", 12}, {"trillion", 12}, {"trillions", 12}};
    if (length == 0 || strchr("kKtTmMbB", *word) == NULL)
        return 0;
    if (length > 1 && word[length - 1] == '.')
        length--;
    if (length == 1 && *word == 'M') /* a small m is a metre, or a minute */
        return 6;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (hcbr_i_is_word(word, length, words[i].word))
            return words[i].power;
    return 0;
}
