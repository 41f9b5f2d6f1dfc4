/*
 * The hints about a column's values in its name. The name is cut into words at other characters
 * than letters and where a capital follows a small letter: `created_at`, `PassengerId`.
 */
#include "kinds/kinds.h"

/* The meaning of a word is the byte that ends it. */
#define ID "\1"
#define KEY "\2"
#define LAST "\3"  /* a key at the end of a name: order_no, but not no_of_orders */
#define ALONE "\4" /* a key if it is the whole name */
#define TIME "\5"
#define CODE "\6"
#define PERSON "\7"
#define MEASURE "\10"
#define STEM "\11" /* the beginning of an id in one word: orderid */

static const uint8_t meanings[] = {[1] = HCBR_I_NAME_ID | HCBR_I_NAME_KEY,
                                   [2] = HCBR_I_NAME_KEY,
                                   [5] = HCBR_I_NAME_TIME,
                                   [6] = HCBR_I_NAME_CODE,
                                   [7] = HCBR_I_NAME_PERSON,
                                   [8] = HCBR_I_NAME_MEASURE,
                                   [9] = 0};

/* By their first letter, in lower case. */
static const char *const words['z' - 'a' + 1] = {
    ['a' - 'a'] = "account" STEM "age" MEASURE "amount" MEASURE "area" MEASURE "at" TIME
                  "average" MEASURE "avg" MEASURE,
    ['b' - 'a'] = "balance" MEASURE "birthdate" TIME "birthday" TIME "booking" STEM "born" TIME,
    ['c' - 'a'] = "case" STEM "cat" CODE "category" CODE "claim" STEM "class" CODE "client" PERSON
                  "code" CODE "codes" CODE "contract" STEM "cost" MEASURE "count" MEASURE
                  "created" TIME "customer" PERSON,
    ['d' - 'a'] = "data" TIME "date" TIME "datetime" TIME "datum" TIME "day" MEASURE "days" MEASURE
                  "depth" MEASURE "device" STEM "distance" MEASURE "dob" TIME "donor" PERSON
                  "duration" MEASURE,
    ['e' - 'a'] = "employee" PERSON "encounter" STEM "epoch" TIME "event" STEM,
    ['f' - 'a'] = "fecha" TIME "fips" CODE "fp" CODE,
    ['g' - 'a'] = "guid" ID,
    ['h' - 'a'] = "height" MEASURE "hora" TIME "hour" MEASURE "household" PERSON,
    ['i' - 'a'] = "iban" ID "id" ID "identifier" ID "ids" ID "idx" ALONE "imei" ID "income" MEASURE
                  "index" ALONE "invoice" STEM "isbn" ID "item" STEM,
    ['k' - 'a'] = "key" LAST "kind" CODE,
    ['l' - 'a'] = "length" MEASURE "level" MEASURE "loan" STEM,
    ['m' - 'a'] = "max" MEASURE "mean" MEASURE "median" MEASURE "member" PERSON "min" MEASURE
                  "minute" MEASURE "modified" TIME "month" MEASURE "mrn" ID,
    ['n' - 'a'] =
        "nbr" LAST "no" LAST "nr" LAST "num" LAST "number" LAST "numero" LAST "nummer" LAST,
    ['o' - 'a'] = "object" STEM "order" STEM,
    ['p' - 'a'] = "participant" PERSON "patient" PERSON "percent" MEASURE "person" PERSON "pk" KEY
                  "place" MEASURE "plz" CODE "points" MEASURE "policy" STEM "population" MEASURE
                  "position" MEASURE "post" STEM "postal" CODE "postcode" CODE "posted" TIME
                  "price" MEASURE "product" STEM,
    ['q' - 'a'] = "quantity" MEASURE,
    ['r' - 'a'] = "rank" MEASURE "ranking" MEASURE "rate" MEASURE "rating" MEASURE "ratio" MEASURE
                  "record" STEM "respondent" PERSON "revenue" MEASURE "row" KEY "rowid" KEY
                  "rownum" KEY "rownumber" KEY,
    ['s' - 'a'] =
        "salary" MEASURE "sample" STEM "score" MEASURE "second" MEASURE "sector" CODE "session" STEM
        "share" MEASURE "size" MEASURE "speed" MEASURE "ssn" ID "status" CODE "step" MEASURE
        "store" STEM "student" PERSON "subject" PERSON "sum" MEASURE,
    ['t' - 'a'] = "ticket" STEM "time" TIME "timestamp" TIME "total" MEASURE "transaction" STEM
                  "ts" TIME "tweet" STEM "type" CODE,
    ['u' - 'a'] = "uid" ID "unit" STEM "unix" TIME "unixtime" TIME "updated" TIME "user" PERSON
                  "utc" TIME "uuid" ID,
    ['v' - 'a'] = "value" MEASURE "vin" ID "visit" STEM "volume" MEASURE,
    ['w' - 'a'] = "week" MEASURE "weight" MEASURE "when" TIME "width" MEASURE,
    ['y' - 'a'] = "year" MEASURE "years" MEASURE,
    ['z' - 'a'] = "zeit" TIME "zip" CODE "zipcode" CODE,
};

enum { WORD_MOST = 16 };

static bool is_letter(char c) {
    return hcbr_i_lower(c) >= 'a' && hcbr_i_lower(c) <= 'z';
}

/* The byte that ends this word of lower case letters in the list; 0: not in the list. */
static char word_byte(const char *word, size_t length) {
    for (const char *p = words[*word - 'a']; p && *p; p++) {
        size_t i = 0;
        while (i < length && p[i] == word[i])
            i++;
        if (i == length && p[i] < 'a')
            return p[i];
        while (*p >= 'a')
            p++;
    }
    return 0;
}

static bool ends_in(const char *word, size_t length, const char *end) {
    const size_t n = strlen(end);
    return length > n && memcmp(word + length - n, end, n) == 0;
}

/* Two words written as one: customerid, kundennummer. */
static char joined_byte(const char *word, size_t length) {
    if (ends_in(word, length, "nummer") || ends_in(word, length, "nr"))
        return *LAST;
    const char stem = ends_in(word, length, "id") ? word_byte(word, length - 2) : 0;
    return stem == *STEM || stem == *PERSON ? *ID : 0;
}

/* The word at name[*at], up to a capital, in lower case; *at moves to after it. Returns its length,
 * which may exceed the room. */
static size_t take_word(char word[WORD_MOST], const char *name, size_t length, size_t *at) {
    size_t n = 0, i = *at;
    while (i < length && is_letter(name[i])) {
        bool small = hcbr_i_lower(name[i]) == name[i];
        if (n < WORD_MOST)
            word[n] = hcbr_i_lower(name[i]);
        n++;
        i++;
        if (small && i < length && is_letter(name[i]) && hcbr_i_lower(name[i]) != name[i])
            break;
    }
    *at = i;
    return n;
}

unsigned hcbr_i_name_says(const char *name, size_t length) {
    char word[WORD_MOST];
    unsigned says = 0, count = 0;
    char byte = 0;
    for (size_t i = 0; i < length;) {
        while (i < length && !is_letter(name[i]))
            i++;
        const size_t n = take_word(word, name, length, &i);
        if (n == 0)
            break;
        byte = n > WORD_MOST ? 0 : word_byte(word, n);
        if (byte == 0 && n <= WORD_MOST)
            byte = joined_byte(word, n);
        says |= meanings[(unsigned char)byte];
        if (byte == *ID && ends_in(word, n, "id") && word_byte(word, n - 2) == *PERSON)
            says |= HCBR_I_NAME_PERSON;
        count++;
    }
    if (byte == *LAST || (byte == *ALONE && count == 1))
        says |= HCBR_I_NAME_KEY;
    if (says & HCBR_I_NAME_KEY && says & HCBR_I_NAME_PERSON)
        says |= HCBR_I_NAME_ID; // patient_nbr
    if (byte == *MEASURE)       // id_count, key_price
        says &= ~(unsigned)(HCBR_I_NAME_ID | HCBR_I_NAME_KEY);
    return says;
}
