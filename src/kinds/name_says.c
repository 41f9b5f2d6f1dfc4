/*
 * What a column's name says about its values. The name is cut into words where other characters
 * than letters stand and where a capital follows a small letter: `created_at`, `PassengerId`.
 */
#include "kinds/kinds.h"

/* Words in lower case, a blank behind each. */
static const char id_words[] = "id ids uid uuid guid identifier ";
static const char key_words[] = "key pk rowid rownum rownumber row index idx nr ";
static const char time_words[] = "time date timestamp ts datetime epoch created updated modified "
                                 "at utc unix unixtime dob born birthday birthdate posted when "
                                 "datum zeit fecha data hora ";
static const char code_words[] = "code codes zip zipcode postcode postal plz fips fp type class "
                                 "category cat status sector kind ";

enum { WORD_MOST = 16 };

static bool listed(const char *list, const char *word, size_t length) {
    for (const char *p = list; *p; p++) {
        size_t i = 0;
        while (i < length && p[i] == word[i])
            i++;
        if (i == length && p[i] == ' ')
            return true;
        while (*p != ' ')
            p++;
    }
    return false;
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
        says |= listed(id_words, word, n) ? HCBR_I_NAME_ID | HCBR_I_NAME_KEY : 0;
        says |= listed(key_words, word, n) ? HCBR_I_NAME_KEY : 0;
        says |= listed(time_words, word, n) ? HCBR_I_NAME_TIME : 0;
        says |= listed(code_words, word, n) ? HCBR_I_NAME_CODE : 0;
    }
    return says;
}
