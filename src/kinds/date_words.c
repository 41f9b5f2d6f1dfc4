/*
 * Names of months and weekdays in English, German, French, Spanish and Italian, and zones.
 *
 * A name or its first letters, three at least, count if they begin names of one month only: `jun`
 * does, `jui` could be June or July in French. Letters are compared in lower case, those of Latin-1
 * too.
 */
#include "kinds/kinds.h"

enum { NAME_MOST = 24, NAME_LEAST = 3 };

enum { LETTERS = 'z' - 'a' + 1 };

/* Names in lower case by their first letter, a blank after each. A month's name has a capital
   before it, A for January. */
static const char *const months[LETTERS] = {
    ['a' - 'a'] = "Dapril Davril Dabril Daprile Haugust Haoût Haout Hagosto ",
    ['d' - 'a'] = "Ldecember Ldezember Ldécembre Ldecembre Ldiciembre Ldicembre ",
    ['e' - 'a'] = "Aenero ",
    ['f' - 'a'] = "Bfebruary Bfebruar Bfeber Bfévrier Bfevrier Bfebrero Bfebbraio ",
    ['g' - 'a'] = "Agennaio Fgiugno ",
    ['j' - 'a'] = ("Ajanuary Ajanuar Ajänner Ajanvier Fjune Fjuni Fjuin Fjunio Gjuly Gjuli "
                   "Gjuillet Gjulio "),
    ['l' - 'a'] = "Gluglio ",
    ['m' - 'a'] = "Cmarch Cmärz Cmaerz Cmrz Cmars Cmarzo Emay Emai Emayo Emaggio ",
    ['n' - 'a'] = "Knovember Knovembre Knoviembre ",
    ['o' - 'a'] = "Joctober Joktober Joctobre Joctubre Jottobre ",
    ['s' - 'a'] = "Iseptember Iseptembre Iseptiembre Isettembre Isetiembre ",
};

static const char *const weekdays[LETTERS] = {
    ['d' - 'a'] = "dienstag donnerstag dimanche domingo domenica ",
    ['f' - 'a'] = "friday freitag ",
    ['g' - 'a'] = "giovedì giovedi ",
    ['j' - 'a'] = "jeudi jueves ",
    ['l' - 'a'] = "lundi lunes lunedì lunedi ",
    ['m' - 'a'] = ("monday montag mittwoch mardi mercredi martes miércoles miercoles martedì "
                   "martedi mercoledì mercoledi "),
    ['s' - 'a'] = "saturday sunday samstag sonnabend sonntag samedi sábado sabado sabato ",
    ['t' - 'a'] = "tuesday thursday ",
    ['v' - 'a'] = "vendredi viernes venerdì venerdi ",
    ['w' - 'a'] = "wednesday ",
};

/* The names that begin with the letter at `p`; NULL: none. */
static const char *find_names(const char *const *names, const char *p, const char *end) {
    const char first = p < end ? hcbr_i_lower(*p) : 0;
    return first >= 'a' && first <= 'z' ? names[first - 'a'] : NULL;
}

/* Copy the letters at `p` in lower case; returns how many bytes, 0 if they are too many. */
static size_t fold_word(char word[NAME_MOST], const char *p, const char *end) {
    size_t n = 0;
    for (; p + n < end; n++) {
        char c = hcbr_i_lower(p[n]);
        unsigned char after = p + n + 1 < end ? (unsigned char)p[n + 1] : 0;
        bool latin = (unsigned char)c == 0xC3 && after >= 0x80 && after <= 0xBF;
        if (!latin && (c < 'a' || c > 'z'))
            break;
        if (n + 2 > NAME_MOST)
            return 0;
        word[n] = c;
        if (latin)
            word[++n] = (char)(after <= 0x9E ? after + 0x20 : after);
    }
    return n;
}

/* Whether the word begins the name at `p`. */
static bool begins(const char *p, const char *word, size_t length) {
    size_t i = 0;
    while (i < length && p[i] == word[i])
        i++;
    return i == length;
}

static bool begins_any(const char *names, const char *word, size_t length) {
    for (const char *p = names; *p; p++) {
        if (begins(p, word, length))
            return true;
        while (*p != ' ')
            p++;
    }
    return false;
}

unsigned hcbr_i_month_take(const char **at, const char *end) {
    char word[NAME_MOST];
    const char *names = find_names(months, *at, end);
    const size_t length = names ? fold_word(word, *at, end) : 0;
    unsigned month = 0;
    if (length < NAME_LEAST)
        return 0;
    for (const char *p = names; *p; p++) {
        const unsigned of = (unsigned)(*p - 'A') + 1;
        if (begins(p + 1, word, length)) {
            if (month > 0 && month != of)
                return 0;
            month = of;
        }
        while (*p != ' ')
            p++;
    }
    if (month == 0)
        return 0;
    *at += length;
    *at += *at < end && **at == '.' && length <= 5;
    return month;
}

bool hcbr_i_weekday_take(const char **at, const char *end) {
    char word[NAME_MOST];
    const char *names = find_names(weekdays, *at, end);
    if (!names)
        return false;
    size_t length = fold_word(word, *at, end), size;
    const char *p = *at + length;
    bool german = length == 2 && p < end && (*p == '.' || *p == ',');
    if (german) { /* Mo. Di. Mi. */
        const char two[] = {word[0], word[1], ' ', 0};
        german = strstr("mo di mi do fr sa so ", two) != NULL;
    }
    if (!german && (length < NAME_LEAST || !begins_any(names, word, length)))
        return false;
    p += p < end && *p == '.';
    const char *before = p;
    p += p < end && *p == ',';
    while ((size = hcbr_i_blank_size(p, end)) > 0)
        p += size;
    if (p == before)
        return false;
    *at = p;
    return true;
}

/* ---- zones ----------------------------------------------------------------------------------- */

static bool offset_take(hcbr_i_moment *out, const char **at, const char *end) {
    const char *p = *at;
    uint32_t hours = 0, minutes = 0;
    bool west = *p == '-';
    size_t sign = *p == '+' || *p == '-' ? 1 : 0;
    if (sign == 0 && end - p >= 3 && memcmp(p, "\xE2\x88\x92", 3) == 0) {
        west = true;
        sign = 3;
    }
    if (sign == 0)
        return false;
    p += sign;
    if (hcbr_i_digits_take(&hours, 2, &p, end) != 2 || hours > 14)
        return false;
    if (p < end && (*p == ':' || hcbr_i_ascii_digit(*p))) {
        p += *p == ':';
        if (hcbr_i_digits_take(&minutes, 2, &p, end) != 2 || minutes > 59)
            return false;
    }
    int offset = (int)(hours * 60 + minutes);
    out->zone = (int16_t)(west ? -offset : offset);
    *at = p;
    return true;
}

bool hcbr_i_zone_take(hcbr_i_moment *out, const char **at, const char *end) {
    static const struct {
        const char *word;
        int hours;
    } zones[] = {{"z", 0},    {"utc", 0},  {"gmt", 0},  {"est", -5}, {"edt", -4}, {"cst", -6},
                 {"cdt", -5}, {"mst", -7}, {"mdt", -6}, {"pst", -8}, {"pdt", -7}, {"cet", 1},
                 {"cest", 2}, {"bst", 1},  {"eet", 2},  {"eest", 3}, {"wet", 0},  {"west", 1}};
    char word[NAME_MOST];
    const char *p = *at;
    size_t size, length;
    while ((size = hcbr_i_blank_size(p, end)) > 0)
        p += size;
    if (p == end)
        return false;
    out->zone = 0;
    if (offset_take(out, &p, end)) {
        out->has |= HCBR_I_HAS_ZONE;
        *at = p;
        return true;
    }
    length = fold_word(word, p, end);
    for (size_t i = 0; i < sizeof zones / sizeof *zones; i++)
        if (hcbr_i_is_word(word, length, zones[i].word)) {
            p += length;
            out->zone = (int16_t)(zones[i].hours * 60);
            out->has |= HCBR_I_HAS_ZONE;
            *at = p;
            return true;
        }
    return false;
}
