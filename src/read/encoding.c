/*
 * Encodings: their names, and the encoding of a file.
 *
 * A guess adds up the frequency of each character, with its context: a sign or a capital within a
 * word, or letters of two scripts in one, count against the encoding. It uses nothing but the
 * bytes, so equal files are read alike. Text that fits no encoding well, often since it was
 * corrupted before, is read in the most usual one, with a note. UTF-8 with a few bad bytes is
 * UTF-8; mend.c handles these bytes.
 */
#include "read/encoding.h"

#include <hcbr/text.h>

#define NEARLY 8          /* half bits: another encoding fits nearly as well */
#define INSIDE_WORD (-12) /* half bits for a sign or a capital within a word of small letters */
#define TWO_SCRIPTS (-12) /* for adjacent letters of two scripts */
#define BESIDE_DIGIT (-8) /* for a letter beyond ASCII next to a digit (a place of currencies) */
#define UNIT 8            /* for a sign in the position of a unit, or a blank after a word */
#define MISPLACED (-8)    /* for a letter where languages that have it do not put it */
#define ALONE (-6)        /* for a word of one letter, where all letters are beyond ASCII */

/* ---- names ----------------------------------------------------------------------------------- */

/** The name in small letters without - and _. false: too long. */
static bool fold(char out[32], const char *name) {
    size_t n = 0;
    for (; *name != '\0'; name++) {
        if (*name == '-' || *name == '_')
            continue;
        if (n == 31)
            return false;
        out[n++] = *name >= 'A' && *name <= 'Z' ? (char)(*name + ('a' - 'A')) : *name;
    }
    out[n] = '\0';
    return true;
}

static bool is_one_of(const char *list, const char *name) {
    size_t length = strlen(name);
    for (const char *at = list; (at = strstr(at, name)) != NULL; at++)
        if (at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

bool hcbr_i_charset_find(hcbr_i_charset *out, const char *name) {
    static const hcbr_i_charset forms[] = {
        {"UTF-8", NULL, 1, false, false},    {"UTF-16", NULL, 2, false, true},
        {"UTF-16LE", NULL, 2, false, false}, {"UTF-16BE", NULL, 2, true, false},
        {"UTF-32", NULL, 4, false, true},    {"UTF-32LE", NULL, 4, false, false},
        {"UTF-32BE", NULL, 4, true, false}};
    char wanted[32], known[32];
    *out = (hcbr_i_charset){NULL, NULL, 1, false, false};
    if (name == NULL || name[0] == '\0')
        return true;
    if (!fold(wanted, name) || wanted[0] == '\0' || strchr(wanted, ' ') != NULL)
        return false;
    if (strcmp(wanted, "auto") == 0)
        return true;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (fold(known, forms[i].name) && strcmp(known, wanted) == 0) {
            *out = forms[i];
            return true;
        }
    for (size_t i = 0; i < HCBR_I_ENCODINGS; i++)
        if ((fold(known, hcbr_i_encodings[i].name) && strcmp(known, wanted) == 0) ||
            is_one_of(hcbr_i_encodings[i].others, wanted)) {
            out->name = hcbr_i_encodings[i].name;
            out->bytes = &hcbr_i_encodings[i];
            return true;
        }
    return false;
}

/* ---- the first bytes ------------------------------------------------------------------------- */

/**
 * Whether the first line can be UTF-16 without a mark. In a table at least the delimiter or the end
 * of the line is ASCII: there are zeros, all in the same byte of the units (side), and the line
 * ends in the other one. Text with a stray zero byte would have units of two printable bytes.
 */
static bool is_utf16(const char *line, size_t size, size_t side) {
    size_t zeros = 0, printable = 0;
    for (size_t i = 0; i < size; i++) {
        bool is_zero = line[i] == '\0';
        if (is_zero && i % 2 != side)
            return false;
        zeros += is_zero;
        // Text has no control character as a unit.
        if (i % 2 == 1 && line[i - 1 + side] == '\0' && (unsigned char)line[i - side] < ' ' &&
            line[i - side] != '\t' && line[i - side] != '\r' && line[i - side] != '\n')
            return false;
        if (i % 2 == 1)
            printable +=
                line[i] >= ' ' && line[i] < 0x7F && line[i - 1] >= ' ' && line[i - 1] < 0x7F;
    }
    if (size > 0 && (line[size - 1] == '\n' ? (size - 1) % 2 == side : size % 2 == 1))
        return false;
    return zeros > 0 && printable <= size / 4;
}

bool hcbr_i_charset_of_head(hcbr_i_charset *out, const char *bytes, size_t size, bool *mark) {
    static const struct {
        const char *bytes;
        size_t size;
        const char *name;
    } marks[] = {{"\xFF\xFE\0\0", 4, "UTF-32LE"},
                 {"\0\0\xFE\xFF", 4, "UTF-32BE"},
                 {"\xEF\xBB\xBF", 3, "UTF-8"},
                 {"\xFF\xFE", 2, "UTF-16LE"},
                 {"\xFE\xFF", 2, "UTF-16BE"}};

    *mark = true;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        if (size >= marks[i].size && memcmp(bytes, marks[i].bytes, marks[i].size) == 0)
            return hcbr_i_charset_find(out, marks[i].name);
    *mark = false;
    if (is_utf16(bytes, size, 1))
        return hcbr_i_charset_find(out, "UTF-16LE");
    return is_utf16(bytes, size, 0) && hcbr_i_charset_find(out, "UTF-16BE");
}

/* ---- a guess --------------------------------------------------------------------------------- */

/** Whether it is UTF-8, perhaps with a few bad bytes, or not text at all. */
static bool is_utf8(hcbr_i_guess *guess, const char *bytes, size_t size, bool whole) {
    size_t good = 0, bad = 0, controls = 0, used, zeros = 0;
    for (; size > 0 && bytes[size - 1] == '\0'; size--)
        zeros++; // at the end of a file of text they are left out
    for (size_t i = 0; i < size; i += used) {
        unsigned char c = (unsigned char)bytes[i];
        used = 1;
        if (c >= HCBR_I_HIGH && !whole && size - i < 4)
            break; // it may be cut
        if (c == 0)
            return true; // no text in any of the encodings
        controls += c < ' ' && c != '\t' && c != '\n' && c != '\r';
        if (c < HCBR_I_HIGH)
            continue;
        if (hcbr_text_code(bytes + i, size - i, &used) < 0)
            bad++;
        else
            good++;
    }
    if (zeros > 0 && controls > 0)
        return true; // as above
    guess->good = good;
    guess->text = controls <= bad;
    return bad == 0 || good >= HCBR_I_MOSTLY * bad || controls > bad;
}

static hcbr_i_kind kind_of(const hcbr_i_encoding *e, char c) {
    unsigned char byte = (unsigned char)c;
    if (byte >= HCBR_I_HIGH)
        return (hcbr_i_kind)e->kinds[byte - HCBR_I_HIGH];
    if (byte >= 'a' && byte <= 'z')
        return HCBR_I_KIND_SMALL;
    return byte >= 'A' && byte <= 'Z' ? HCBR_I_KIND_CAPITAL : HCBR_I_KIND_SIGN;
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(hcbr_i_kind kind) {
    return kind == HCBR_I_KIND_SMALL || kind == HCBR_I_KIND_CAPITAL;
}

/** The score of a letter between two others. */
static int beside(const hcbr_i_encoding *e, hcbr_i_kind kind, char before, char after) {
    hcbr_i_kind left = kind_of(e, before), right = kind_of(e, after);
    bool high_left = (unsigned char)before >= HCBR_I_HIGH && is_letter(left);
    bool high_right = (unsigned char)after >= HCBR_I_HIGH && is_letter(right);
    bool ascii_left = !high_left && is_letter(left), ascii_right = !high_right && is_letter(right);
    int sum = 0;
    if (!is_letter(kind))
        return is_letter(left) && is_letter(right) ? INSIDE_WORD : 0;
    if ((kind == HCBR_I_KIND_CAPITAL && left == HCBR_I_KIND_SMALL) ||
        (kind == HCBR_I_KIND_SMALL && right == HCBR_I_KIND_CAPITAL))
        sum += INSIDE_WORD;
    if (is_digit(before) || is_digit(after))
        sum += BESIDE_DIGIT;
    if (e->script == HCBR_I_SCRIPT_CYRILLIC)
        return sum + (ascii_left || ascii_right ? TWO_SCRIPTS
                      : high_left || high_right ? 0
                                                : ALONE);
    // Most letters of these words are ASCII.
    if (high_left || high_right)
        sum -= 4;
    return sum;
}

/** Whether the sign is in the position of a unit, as in m², µg and °C, or is a blank after a
 *  word. */
static bool is_unit(const hcbr_i_encoding *e, uint16_t code, char left, char right) {
    const bool letter = is_letter(kind_of(e, left)), next = is_letter(kind_of(e, right));
    switch (code) {
    case 0xA0: // a blank that does not break the line
        return letter && !next && !is_digit(right);
    case 0xB2: // square and cube
    case 0xB3:
        return left == 'm' && !next;
    case 0xB5: // micro
    case 0x3BC:
        return !letter && right != '\0' && strchr("gmls", right) != NULL;
    case 0xBA: // number, as in Nº 3
        return (left | 32) == 'n' && !next;
    case 0x153: // oe, as in œuvre
        return right == 'u';
    case 0xB0: // degree
        return !letter && (right == 'C' || right == 'F');
    default:
        return false;
    }
}

static bool is_vowel(char c) {
    return c != '\0' && strchr("aeiou", c) != NULL;
}

static bool is_consonant(char c) {
    return c >= 'a' && c <= 'z' && !is_vowel(c);
}

/**
 * Whether a letter of Western Europe is where no usual language of it has one. A misread letter of
 * Central Europe often is: `Dìèín`, `Pøerov`, `opæina`.
 */
static bool is_misplaced(const hcbr_i_encoding *e, uint16_t code, char left, char right) {
    const bool before = is_letter(kind_of(e, left)), after = is_letter(kind_of(e, right));
    const bool small = kind_of(e, right) == HCBR_I_KIND_SMALL;
    const bool high = (after && (unsigned char)right >= HCBR_I_HIGH) ||
                      (before && (unsigned char)left >= HCBR_I_HIGH);
    switch (code) {
    case 0xEC: // i and u with a grave end a word
    case 0xF9:
        return after || high;
    case 0xF2: // so does o, mostly, and not after an e
        return left == 'e' || high;
    case 0xC8: // capitals with a grave, and Eth, do not begin a word
    case 0xCC:
    case 0xD2:
    case 0xD9:
    case 0xD0:
        return !before && small;
    case 0xE8: // e with a grave precedes a consonant
        return high || is_vowel(right) || left == 'a' || left == 'e' || (!before && after);
    case 0xF8: // o with a stroke is between consonants, or before the suffix -en or -er
        return high || (is_vowel(right) && right != 'e') || is_vowel(left) ||
               (right == 'e' && left != '\0' && strchr("bcdhptvBCDHPTV", left) != NULL);
    case 0xE6: // ae is between consonants
        return is_vowel(left) || (is_vowel(right) && right != 'o' && right != 'e');
    case 0xF1: // n with a tilde precedes a vowel
        return !high && !is_vowel((char)(right | 32));
    case 0xF5: // o with a tilde precedes an e, at most an i
        return !after || (right != 'e' && right != 'i');
    default:
        return false;
    }
}

/** Whether a letter of Central Europe, s or z, is between consonants that are not a syllable. */
static bool is_crowded(uint16_t code, char left, char right) {
    const char before = (char)(left | 32);
    switch (code) {
    case 0x15B:
    case 0x161:
    case 0x17A:
    case 0x17E:
        return is_consonant(before) && is_consonant(right) && before != 'r' && before != 'l';
    default:
        return false;
    }
}

/** Whether the text has one of the characters. */
static bool has_one(const hcbr_i_encoding *e, const char *bytes, size_t size, const char *codes) {
    for (size_t i = 0; i < size; i++) {
        const unsigned char c = (unsigned char)bytes[i];
        const uint16_t code = c < HCBR_I_HIGH ? 0 : e->codes[c - HCBR_I_HIGH];
        if (code >= HCBR_I_HIGH && code < 256 && strchr(codes, (char)code) != NULL)
            return true;
    }
    return false;
}

/** How well the encoding fits, in half bits. false: not at all; *weak: it could be by chance. */
static bool score(const hcbr_i_encoding *e, const char *bytes, size_t size, char before,
                  int64_t *sum, bool *weak) {
    int64_t least = 0, each = e->script == HCBR_I_SCRIPT_CYRILLIC ? 2 : 1;
    const bool acute = has_one(e, bytes, size, "\xE1\xE9\xED\xF3\xFA"); // no Estonian
    const bool thorn = has_one(e, bytes, size, "\xDE\xFE");             // Icelandic has other words

    *sum = 0;
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        char left = i > 0 ? bytes[i - 1] : before, right = i + 1 < size ? bytes[i + 1] : '\n';
        if (c < HCBR_I_HIGH)
            continue;
        hcbr_i_kind kind = (hcbr_i_kind)e->kinds[c - HCBR_I_HIGH];
        if (kind == HCBR_I_KIND_NONE)
            return false;
        least += is_letter(kind) ? each : 0; // no other script by chance
        *sum += e->weights[c - HCBR_I_HIGH] - HCBR_I_WEIGHT;
        if (e->codes[c - HCBR_I_HIGH] != 0x2019 && e->codes[c - HCBR_I_HIGH] != 0xB7)
            *sum += beside(e, kind, left, right); // an apostrophe or a point may be in a word
        *sum += is_unit(e, e->codes[c - HCBR_I_HIGH], left, right) ? UNIT : 0;
        if (e->script == HCBR_I_SCRIPT_WESTERN
                ? is_misplaced(e, e->codes[c - HCBR_I_HIGH], left, right) &&
                      (acute || e->codes[c - HCBR_I_HIGH] != 0xF5) && !thorn
                : is_crowded(e->codes[c - HCBR_I_HIGH], left, right))
            *sum += MISPLACED;
    }
    *sum += e->advantage;
    *weak = *sum - (e->advantage > 0 ? e->advantage : 0) < least;
    return true;
}

/** Whether two encodings read the bytes alike. */
static bool alike(const hcbr_i_encoding *a, const hcbr_i_encoding *b, const char *bytes,
                  size_t size) {
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)bytes[i];
        if (c >= HCBR_I_HIGH && a->codes[c - HCBR_I_HIGH] != b->codes[c - HCBR_I_HIGH])
            return false;
    }
    return true;
}

hcbr_i_guess hcbr_i_encoding_guess(const char *bytes, size_t size, char before, bool whole) {
    hcbr_i_guess guess = {.weak = true};
    int64_t sums[HCBR_I_ENCODINGS], best = INT64_MIN;
    bool fits[HCBR_I_ENCODINGS], weak[HCBR_I_ENCODINGS];
    if (is_utf8(&guess, bytes, size, whole))
        return guess;
    for (size_t i = 0; i < HCBR_I_ENCODINGS; i++) {
        const hcbr_i_encoding *e = &hcbr_i_encodings[i];
        fits[i] =
            e->script != HCBR_I_SCRIPT_NEVER && score(e, bytes, size, before, &sums[i], &weak[i]);
        if (!fits[i] || (weak[i] && !guess.weak))
            continue;
        if (weak[i]) { // of those that fit badly the first in the table, the most usual one
            guess.encoding = guess.encoding != NULL ? guess.encoding : e;
        } else if (guess.weak || sums[i] > best) {
            best = sums[i];
            guess.encoding = e;
            guess.weak = false;
        }
    }
    if (guess.encoding == NULL) // spoilt text: the most usual one, which lacks some of its bytes
        guess.encoding = &hcbr_i_encodings[0];
    for (size_t i = 0; i < HCBR_I_ENCODINGS && guess.encoding != NULL; i++)
        if (fits[i] && !guess.weak && !weak[i] && guess.other == NULL && sums[i] + NEARLY > best &&
            !alike(&hcbr_i_encodings[i], guess.encoding, bytes, size))
            guess.other = &hcbr_i_encodings[i];
    return guess;
}
