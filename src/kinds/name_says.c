/*
 * What a column's name says about its values. The name is cut into words where other characters
 * than letters stand and where a capital follows a small letter: `created_at`, `PassengerId`.
 */
#include "kinds/kinds.h"

/* What words say, as the HCBR_I_NAME_... that ends each. */
#define ID "\3" /* a key, too */
#define KEY "\2"
#define TIME "\4"
#define CODE "\10"

/* By their first letter, in lower case. */
static const char *const words['z' - 'a' + 1] = {
    ['a' - 'a'] = "at" TIME,
    ['b' - 'a'] = "born" TIME "birthday" TIME "birthdate" TIME,
    ['c' - 'a'] = "created" TIME "code" CODE "codes" CODE "class" CODE "category" CODE "cat" CODE,
    ['d' - 'a'] = "date" TIME "datetime" TIME "dob" TIME "datum" TIME "data" TIME,
    ['e' - 'a'] = "epoch" TIME,
    ['f' - 'a'] = "fecha" TIME "fips" CODE "fp" CODE,
    ['g' - 'a'] = "guid" ID,
    ['h' - 'a'] = "hora" TIME,
    ['i' - 'a'] = "id" ID "ids" ID "identifier" ID "index" KEY "idx" KEY,
    ['k' - 'a'] = "key" KEY "kind" CODE,
    ['m' - 'a'] = "modified" TIME,
    ['n' - 'a'] = "nr" KEY,
    ['p' - 'a'] = "pk" KEY "posted" TIME "postcode" CODE "postal" CODE "plz" CODE,
    ['r' - 'a'] = "rowid" KEY "rownum" KEY "rownumber" KEY "row" KEY,
    ['s' - 'a'] = "status" CODE "sector" CODE,
    ['t' - 'a'] = "time" TIME "timestamp" TIME "ts" TIME "type" CODE,
    ['u' - 'a'] = "uid" ID "uuid" ID "updated" TIME "utc" TIME "unix" TIME "unixtime" TIME,
    ['w' - 'a'] = "when" TIME,
    ['z' - 'a'] = "zeit" TIME "zip" CODE "zipcode" CODE,
};

enum { WORD_MOST = 16 };

/* What a word of lower case letters says. */
static unsigned word_says(const char *word, size_t length) {
    for (const char *p = words[*word - 'a']; p && *p; p++) {
        size_t i = 0;
        while (i < length && p[i] == word[i])
            i++;
        if (i == length && p[i] < 'a')
            return (unsigned char)p[i];
        while (*p >= 'a')
            p++;
    }
    return 0;
}

static bool is_letter(char c) {
    return hcbr_i_lower(c) >= 'a' && hcbr_i_lower(c) <= 'z';
}

unsigned hcbr_i_name_says(const char *name, size_t length) {
    char word[WORD_MOST];
    unsigned says = 0;
    for (size_t i = 0; i < length;) {
        size_t n = 0;
        while (i < length && !is_letter(name[i]))
            i++;
        while (i < length && is_letter(name[i])) {
            bool small = hcbr_i_lower(name[i]) == name[i];
            if (n < WORD_MOST)
                word[n] = hcbr_i_lower(name[i]);
            n++;
            i++;
            if (small && i < length && is_letter(name[i]) && hcbr_i_lower(name[i]) != name[i])
                break;
        }
        if (n == 0 || n > WORD_MOST)
            continue;
        says |= word_says(word, n);
    }
    return says;
}
