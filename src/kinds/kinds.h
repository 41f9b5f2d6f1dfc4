/**
 * @file kinds.h
 * What the values of a column are: numbers in disguise, dates, flags, texts, sets, ids, categories.
 *
 * Three layers. Readers take one value: hcbr_i_numeral_read(), hcbr_i_moment_read(),
 * hcbr_i_flag_read(), hcbr_i_is_missing_form(). A hcbr_i_tally counts, over all values of a column,
 * which readers accept them. hcbr_i_tally_judge() decides from the counts, and hcbr_i_kind_take()
 * reads a value by that decision.
 *
 * The rules use values and the column's name, never labels. The verdict depends on the values and
 * their counts: not on their order, nor on how they were divided among columns that were merged.
 * Readers take any bytes, use no locale and allocate nothing.
 */
#ifndef HCBR_I_KINDS_H
#define HCBR_I_KINDS_H

#include "base/base.h"
#include "kinds/sample.h"

/* ---- numbers in disguise (numeral.c, unit.c) ------------------------------------------------- */

/** Decimal marks. One value may allow both: `1,234`. */
enum {
    HCBR_I_MARK_POINT = 1, /**< 1,234.5: the point is the decimal mark */
    HCBR_I_MARK_COMMA = 2  /**< 1.234,5: the comma is */
};

#define HCBR_I_UNIT_SIZE 23

/** The text before or after a number: `$`, `kg`, `%`, in lower case, without the s of plurals.
 *  Currency codes become the sign of their currency if it has one of its own. */
typedef struct hcbr_i_unit {
    char text[HCBR_I_UNIT_SIZE];
    uint8_t length; /**< 0: no unit */
} hcbr_i_unit;

#define HCBR_I_NUMERAL_RUNS 12 /* most runs of digits between marks */
#define HCBR_I_NUMERAL_LONG 80 /* most bytes of a number in disguise, with the blanks around it */

/** A number in disguise, parsed. Points into the text. */
typedef struct hcbr_i_numeral {
    const char *digits;                     /**< where the first run begins */
    uint8_t run[HCBR_I_NUMERAL_RUNS];       /**< digits in each run */
    char mark[HCBR_I_NUMERAL_RUNS];         /**< the mark after it: . , ' _ or a blank as ' ' */
    uint8_t mark_size[HCBR_I_NUMERAL_RUNS]; /**< its bytes */
    uint8_t runs;                           /**< at least 1 */
    uint8_t marks;                          /**< readings that fit: HCBR_I_MARK_... */
    uint8_t grouped;                        /**< those with thousands separators */
    bool negative;
    bool may_be_million; /**< the unit is m alone */
    int16_t scale;       /**< power of ten: exponent, and k, M, bn */
    hcbr_i_unit unit;
} hcbr_i_numeral;

/**
 * Parse a number with signs and codes of currencies before or after it, thousands separators (`,`
 * `.` `'` `_` and blanks of all widths), percent, parentheses or a trailing minus for negative, a
 * unit of one or two words, k, M, bn and the like.
 *
 * A leading zero makes a code, as in hcbr_i_decimal_read(). Plain numbers are accepted too.
 *
 * @return the readings that fit, HCBR_I_MARK_...; 0: no number.
 */
unsigned hcbr_i_numeral_read(hcbr_i_numeral *out, const char *text, size_t length);

#define HCBR_I_NUMERAL_TEXT 400 /* room for any hcbr_i_numeral */

/**
 * Write it as a plain decimal, exactly: `1.2M` is `1200000`, `(1,234.50)` is `-1234.5`.
 * hcbr_i_decimal_read() accepts the text and finds it equal to any other spelling of the number.
 *
 * @param mark    one of the readings that fit.
 * @param million a bare m means million.
 * @return the length, without a final NUL.
 */
size_t hcbr_i_numeral_write(char out[HCBR_I_NUMERAL_TEXT], const hcbr_i_numeral *numeral,
                            unsigned mark, bool million);

/** Append the unit between `text` and `end` to *unit, in the form in which units are compared.
 *  false: too long, or no unit. (unit.c) */
bool hcbr_i_unit_add(hcbr_i_unit *unit, const char *text, const char *end);
/** Bytes of the sign or code of a currency at the start of a text; 0: none. */
size_t hcbr_i_currency_size(const char *text, const char *end);
/** The power of ten that a word means (`k`, `million`, `Mrd`); 0: none. */
int hcbr_i_multiplier(const char *word, size_t length);
static inline bool hcbr_i_unit_equal(const hcbr_i_unit *a, const hcbr_i_unit *b) {
    return a->length == b->length && memcmp(a->text, b->text, a->length) == 0;
}

/** Bytes of the blank at `p`: a space, a tab, or one of UTF-8 of any width; 0: no blank. */
static inline size_t hcbr_i_blank_size(const char *p, const char *end) {
    const unsigned char *b = (const unsigned char *)p;
    if (p == end)
        return 0;
    if (*b == ' ' || *b == '\t')
        return 1;
    if (*b == 0xC2 && end - p >= 2 && b[1] == 0xA0) /* no-break space */
        return 2;
    if (*b == 0xE2 && end - p >= 3 && b[1] == 0x80 &&
        ((b[2] >= 0x80 && b[2] <= 0x8A) || b[2] == 0xAF))
        return 3; /* U+2000 to U+200A, U+202F */
    return 0;
}

/** The part of hcbr_i_trim() for a text that may have blanks. (unit.c) */
void hcbr_i_trim_now(const char **text, const char **end);
/** Remove the blanks at both ends. */
static inline void hcbr_i_trim(const char **at, const char **end) {
    if (*at < *end && (unsigned char)**at - 0x21U < 0x5E &&
        (unsigned char)(*end)[-1] - 0x21U < 0x5E)
        return; /* ASCII that shows */
    hcbr_i_trim_now(at, end);
}
/** An ASCII letter in lower case, any other byte unchanged. */
static inline char hcbr_i_lower(char c) {
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}
static inline bool hcbr_i_ascii_digit(char c) {
    return c >= '0' && c <= '9';
}
/** Whether the text is this word of lower case letters, in any case. */
bool hcbr_i_is_word(const char *text, size_t length, const char *word);

/* ---- the calendar (calendar.c) --------------------------------------------------------------- */

/** A day, a time of day or both, as they are written: no zone is applied. */
typedef struct hcbr_i_moment {
    int32_t year;
    uint8_t month, day;           /**< from 1; day 0: only the month is known */
    uint8_t hour, minute, second; /**< second 60 is a leap second */
    uint8_t has;                  /**< HCBR_I_HAS_... */
    int16_t zone;                 /**< minutes east of Greenwich */
    uint32_t nano;
} hcbr_i_moment;

enum {
    HCBR_I_HAS_DATE = 1, /**< year and month */
    HCBR_I_HAS_DAY = 2,
    HCBR_I_HAS_TIME = 4, /**< hour and minute */
    HCBR_I_HAS_ZONE = 8
};

/** Days from 1970-01-01 to a day of the proleptic Gregorian calendar. */
int64_t hcbr_i_days_of(int32_t year, unsigned month, unsigned day);
/** The inverse. */
void hcbr_i_day_of_days(int64_t days, int32_t *year, uint8_t *month, uint8_t *day);
/** 28 to 31; 0 if the month is not from 1 to 12. */
unsigned hcbr_i_month_days(int32_t year, unsigned month);
/** The moment `seconds` after 1970-01-01, in UTC. */
hcbr_i_moment hcbr_i_moment_of_epoch(int64_t seconds);

/** Parts of a moment, in the order in which they are shown. */
typedef enum hcbr_i_part_of {
    HCBR_I_PART_YEAR,
    HCBR_I_PART_MONTH,    /**< 1 to 12 */
    HCBR_I_PART_DAY,      /**< of the month */
    HCBR_I_PART_WEEKDAY,  /**< 1 Monday to 7 Sunday */
    HCBR_I_PART_YEAR_DAY, /**< 1 to 366 */
    HCBR_I_PART_HOUR,
    HCBR_I_PART_MINUTE, /**< of the day, 0 to 1439 */
    HCBR_I_PART_DAYS,   /**< since 1970-01-01; of a month without a day, since its first */
    HCBR_I_PARTS
} hcbr_i_part_of;

/** One part of a moment; false if the moment does not have it. */
bool hcbr_i_moment_part(int64_t *value, const hcbr_i_moment *moment, hcbr_i_part_of part);
/** All parts at once. Returns a bit 1 << part for each part present; the others are not set. */
unsigned hcbr_i_moment_parts(int64_t value[HCBR_I_PARTS], const hcbr_i_moment *moment);
#define HCBR_I_MOMENT_TEXT 48

/**
 * Write it as ISO 8601 does, with a blank before the time and without its zone: `2019-03-14`,
 * `2019-03`, `20:21`, `2019-03-14 20:21:09.5`. Equal moments are the same text, so seconds of 0 are
 * not written.
 *
 * @return the length, without a final NUL.
 */
size_t hcbr_i_moment_write(char out[HCBR_I_MOMENT_TEXT], const hcbr_i_moment *moment);
/** The suffix of the column's name in the name of a part: "day of week". */
const char *hcbr_i_part_name(hcbr_i_part_of part);
/** The English name of a weekday, 1 Monday to 7 Sunday. */
const char *hcbr_i_weekday_name(unsigned weekday);

/* ---- text of dates and times (date_*.c) ------------------------------------------------------ */

/** Orders of three numbers in a date. A year of four digits at the start needs none. */
typedef enum hcbr_i_order {
    HCBR_I_ORDER_CLEAR = 0, /**< only dates with a single reading */
    HCBR_I_ORDER_DMY = 1,
    HCBR_I_ORDER_MDY = 2,
    HCBR_I_ORDER_YMD = 3 /**< with a year of two digits */
} hcbr_i_order;

/**
 * The orders in which a text is a date, a time or both: a bit 1 << order for each that fits. A text
 * with a single reading has all four bits. *out is the moment in the first of them, all 0 if none
 * fits.
 *
 * Accepted: ISO 8601 with days, weeks and ordinal days; numbers with / - . between them; names of
 * months in English, German, French, Spanish and Italian, at least three letters; a weekday before
 * the date; a month and a year alone, a quarter (2019Q1); times with seconds, fractions, am and pm;
 * zones as Z, offset or usual abbreviation. Years of two digits are 1969 to 2068. Days that the
 * calendar does not have are refused.
 */
unsigned hcbr_i_moment_orders(hcbr_i_moment *out, const char *text, size_t length);

/** Read a text in one order; false if it does not fit. */
bool hcbr_i_moment_read(hcbr_i_moment *out, hcbr_i_order order, const char *text, size_t length);

/** The same for 2019-03-14, 2019-03-14 10:20 and 2019-03-14T10:20:30, which have a single reading;
 *  other texts are refused. *out is undefined then. (date_iso.c) */
bool hcbr_i_iso_read(hcbr_i_moment *out, const char *text, size_t length);

/** Whole numbers as moments. */
typedef enum hcbr_i_clock {
    HCBR_I_CLOCK_NONE = 0,
    HCBR_I_CLOCK_COMPACT = 1, /**< 20190314 */
    HCBR_I_CLOCK_SECONDS = 2, /**< since 1970: 1973-03-03 to 2286-11-20 */
    HCBR_I_CLOCK_MILLIS = 3
} hcbr_i_clock;
#define HCBR_I_CLOCKS 4

/** Read digits as a moment. */
bool hcbr_i_clock_read(hcbr_i_moment *out, hcbr_i_clock clock, const char *text, size_t length);

/* Functions shared by date_read.c, date_time.c and date_words.c. Each function reads at *at and
   moves it to after what was read; it leaves *at unchanged if nothing fits. */

/** 1 to 12 by name or abbreviation; 0: none. */
unsigned hcbr_i_month_take(const char **at, const char *end);
/** A weekday with the comma or blanks after it. */
bool hcbr_i_weekday_take(const char **at, const char *end);
/** Hour, minute and what follows them, up to a zone. */
bool hcbr_i_time_take(hcbr_i_moment *out, const char **at, const char *end);
/** Z, UTC, +01:00, CET. */
bool hcbr_i_zone_take(hcbr_i_moment *out, const char **at, const char *end);
/** Up to `most` digits; returns how many. */
unsigned hcbr_i_digits_take(uint32_t *value, unsigned most, const char **at, const char *end);

/* ---- flags, and missing values (forms.c) ----------------------------------------------------- */

/** Pairs of words for yes and no. */
typedef enum hcbr_i_flags {
    HCBR_I_FLAGS_YES,   /**< yes y ja oui si sí sim; no n nein non não nao */
    HCBR_I_FLAGS_TRUE,  /**< true t wahr vrai; false f falsch faux */
    HCBR_I_FLAGS_ON,    /**< on; off */
    HCBR_I_FLAGS_ONE,   /**< 1; 0 */
    HCBR_I_FLAGS_MINUS, /**< 1; -1 */
    HCBR_I_FLAGS_COUNT
} hcbr_i_flags;

/** Words in any case; numbers in any plain spelling. false: not a word of that pair. */
bool hcbr_i_flag_read(bool *yes, hcbr_i_flags pair, const char *text, size_t length);

/**
 * Whether the text means that there is no value. In any case, blanks around it left out: the empty
 * text, na n/a n.a. n.a #n/a #na <na> nan -nan nat null (null) none nil \n k.a. missing, not
 * available, ? . .. ... - -- --- – — and the errors of spreadsheets, #value! #div/0! #ref! #name?
 * #num! #null! 1.#ind -1.#ind 1.#qnan -1.#qnan. For columns of other kinds only: in a category
 * these are values.
 */
static inline bool hcbr_i_is_missing_form(const char *value, size_t length);
/** Whether the text is empty or has blanks only. */
bool hcbr_i_is_blank(const char *text, size_t length);
/** The slow part, for a text that begins like a form or with a blank. */
bool hcbr_i_is_missing_now(const char *text, size_t length);
/** By byte: whether a form or a blank may begin with it. */
extern const bool hcbr_i_form_begins[256];
static inline bool hcbr_i_is_missing_form(const char *value, size_t length) {
    return length == 0 ||
           (hcbr_i_form_begins[(unsigned char)*value] && hcbr_i_is_missing_now(value, length));
}
/** The same; if `listed`, the caller lists the values that mean missing, and no form does. A cell
 *  of blanks alone still does: it cannot be a value among numbers. */
static inline bool hcbr_i_says_missing(bool listed, const char *value, size_t length) {
    return hcbr_i_is_missing_form(value, length) && (!listed || hcbr_i_is_blank(value, length));
}

/* ---- hints in a column's name (name_says.c) -------------------------------------------------- */

enum {
    HCBR_I_NAME_ID = 1,      /**< an id, also one that several rows share */
    HCBR_I_NAME_KEY = 2,     /**< an id or a key if nearly all values are different */
    HCBR_I_NAME_TIME = 4,    /**< a date or a time */
    HCBR_I_NAME_CODE = 8,    /**< names of categories */
    HCBR_I_NAME_PERSON = 16, /**< people, each perhaps with several rows */
    HCBR_I_NAME_MEASURE = 32 /**< a measurement, a count or a rank */
};

/** The hints of the name's words: HCBR_I_NAME_... Words end at other characters and where capitals
 *  begin. */
unsigned hcbr_i_name_says(const char *name, size_t length);

/* ---- a column (tally.c, tally_number.c) -------------------------------------------------------
 */

enum {
    HCBR_I_TALLY_SAMPLE = HCBR_I_SAMPLE_MOST, /**< different values kept */
    HCBR_I_TALLY_ODD = 4,  /**< different values kept that no reader of a kind accepts */
    HCBR_I_TALLY_UNITS = 8 /**< different units kept */
};

/** Counts over the values of a column: each a sum, a minimum or a maximum. */
typedef struct hcbr_i_tally {
    uint64_t expected; /**< most values that will be added; 0: unknown. See hcbr_i_tally_init() */
    uint64_t values;   /**< all that were added */
    uint64_t missing;  /**< by the caller's count */
    uint64_t forms;    /**< of the values, those that mean missing */
    bool listed;       /**< only blanks are forms: see hcbr_i_says_missing() */

    /* numbers as base reads them */
    uint64_t plain;            /**< all of them */
    uint64_t pointed;          /**< of these, with a point that can only be the decimal mark */
    uint64_t threes;           /**< like 1.234, which may be 1234 */
    uint64_t whole;            /**< digits alone, or with a minus */
    int64_t smallest, largest; /**< of the whole ones below 10^17 */

    /* other numbers, by HCBR_I_MARK_... */
    uint64_t fits[3], sure[3]; /**< accepted; accepted as the only reading */
    uint64_t grouped[3];       /**< accepted with thousands separators */

    uint64_t below, above;                /**< without a mark: below 1000; of four digits or more */
    uint64_t codes;                       /**< digits that begin with 0 */
    uint32_t shortest, longest;           /**< of digits alone, codes too */
    uint64_t scaled;                      /**< with k, M and the like */
    uint64_t by_blank, by_quote, by_line; /**< thousands between blanks, ' and _ */
    uint64_t with_unit[3];                /**< by HCBR_I_MARK_...: accepted with a unit */
    hcbr_i_sample units[3];               /**< by HCBR_I_MARK_... */

    uint64_t orders[4];  /**< dates and times that fit an order */
    uint64_t moments;    /**< fit at least one order */
    uint64_t only_times; /**< of them, without a date */
    uint64_t with_time, with_zone, with_day;
    uint32_t firsts, seconds; /**< where day and month can be exchanged: a bit for each number seen
                                   in the first and in the second place */
    uint64_t clocks[HCBR_I_CLOCKS];

    uint64_t flags[HCBR_I_FLAGS_COUNT][2];

    uint64_t words;      /**< of all values, see hcbr_i_tally_add() */
    uint64_t with_signs; /**< values with digits or signs that are not plain numbers */
    uint64_t mails, urls, uuids;
    uint32_t separators; /**< a bit for each of HCBR_I_SEPARATORS that a value may have */
    hcbr_i_sample different, not_numbers, not_dates;
} hcbr_i_tally;

/** Separators between the parts of a set. */
#define HCBR_I_SEPARATORS "|;,/"

/**
 * Start a column without values. Setting `expected` afterwards saves work: once more values are not
 * numbers, or not dates, than a column of that size may have, further values are not read as such.
 * hcbr_i_tally_judge() gives the same verdict; hcbr_i_tally_judge_as() may not.
 */
void hcbr_i_tally_init(hcbr_i_tally *column);
/** Release its memory; `listed` stays. */
void hcbr_i_tally_clear(hcbr_i_tally *column);

/**
 * Add a value that occurs `count` times. Adding it `count` times gives the same column.
 *
 * @return false: no memory; the column is unchanged.
 *
 * A word is a run between blanks that has a letter. Only the first 80 bytes of a longer value are
 * scanned.
 *
 * Cost: some ten ns for numbers and words, about a ns a byte for texts.
 */
HCBR_MUST_CHECK bool hcbr_i_tally_add(hcbr_i_tally *column, const char *text, size_t length,
                                      uint64_t count);
/**
 * The same for a number read by hcbr_i_decimal_read(), with its spelling, HCBR_I_SPELLED_SHORTEST
 * or FIXED. Gives the same column as its text.
 *
 * Cost: a tenth of reading the text.
 */
HCBR_MUST_CHECK bool hcbr_i_tally_add_number(hcbr_i_tally *column, double value, uint8_t spelling,
                                             uint64_t count);
/**
 * The same for whole numbers whose minimum and maximum are known, all from 0 to below 10^15,
 * spelled shortest, at least three of them different. hcbr_i_tally_meet_whole() adds each to the
 * samples, with its text if that may be needed; hcbr_i_tally_add_wholes() then counts all. Flags,
 * moments and forms that look grouped are not counted.
 */
HCBR_MUST_CHECK bool hcbr_i_tally_meet_whole(hcbr_i_tally *column, double value, bool text);
void hcbr_i_tally_add_wholes(hcbr_i_tally *column, int64_t least, int64_t most, uint64_t count);
/** Count days and moments that hcbr_i_iso_read() takes, without the samples. */
void hcbr_i_tally_add_iso(hcbr_i_tally *column, uint64_t days, uint64_t times);
/** Whether a number shows that it is not whole and that the point is its decimal mark. */
bool hcbr_i_number_is_pointed(double value, uint8_t spelling);
/** Count a plain number with another spelling, without the samples. (tally_number.c) */
void hcbr_i_tally_add_spelled(hcbr_i_tally *column, const char *text, size_t length, double value,
                              uint64_t count);
/** Extrapolate a column from some of its values to `values` of them: counts grow in proportion. The
 *  samples stay. */
void hcbr_i_tally_scale(hcbr_i_tally *column, uint64_t values);
/** Add the values of another column; false: no memory, unchanged. */
HCBR_MUST_CHECK bool hcbr_i_tally_merge(hcbr_i_tally *into, const hcbr_i_tally *from);

/* ---- the verdict (judge.c, judge_number.c, judge_text.c, describe.c) ------------------------- */

typedef enum hcbr_i_kind_of {
    HCBR_I_KIND_EMPTY, /**< no values */
    HCBR_I_KIND_CONSTANT,
    HCBR_I_KIND_FLAG,
    HCBR_I_KIND_NUMBER,
    HCBR_I_KIND_DATE,
    HCBR_I_KIND_TEXT,
    HCBR_I_KIND_SET,
    HCBR_I_KIND_ID,
    HCBR_I_KIND_CATEGORY,
    HCBR_I_KINDS
} hcbr_i_kind_of;

/** Whether `count` different whole numbers may count rows: they start at 0 or 1, and at most one in
 *  ten is absent, since rows may have been left out. Years are not row numbers. */
static inline bool hcbr_i_count_rows(double least, double most, uint64_t count) {
    return least >= 0 && most - least + 1 >= (double)count &&
           (most + (least == 0)) * 9 <= (double)count * 10;
}

/** How an id was recognised. */
typedef enum hcbr_i_look {
    HCBR_I_LOOK_NONE,
    HCBR_I_LOOK_ROW,   /**< whole numbers from 0 or 1 on, hardly any absent */
    HCBR_I_LOOK_NAMED, /**< the column's name says so */
    HCBR_I_LOOK_MAIL,
    HCBR_I_LOOK_URL,
    HCBR_I_LOOK_UUID,
    HCBR_I_LOOK_TOKEN,  /**< one word with digits or signs, nearly all different */
    HCBR_I_LOOK_LONG,   /**< whole numbers of many digits, nearly all different */
    HCBR_I_LOOK_UNIQUE, /**< no value twice, and not many words */
    HCBR_I_LOOK_HASH    /**< the same number of hexadecimal digits in each */
} hcbr_i_look;

/** The decision about a column, with all that is needed to read new values. */
typedef struct hcbr_i_kind {
    hcbr_i_kind_of kind;
    hcbr_i_look look;    /**< of an id */
    bool numbers;        /**< of an id or a constant: its values are numbers */
    bool plain;          /**< all numbers are plain ones, without units or marks to remove; of a
                              category: half of its values or more are numbers */
    bool million;        /**< a bare m means million */
    bool ambiguous;      /**< another reading fits as well: `order` or `mark` is a guess */
    bool doubtful;       /**< whole numbers that may be names of categories; categories that may be
                              numbers */
    bool aside;          /**< of an id: it numbers or names the cases and predicts nothing about
                              others; known while a column is judged, and not kept */
    bool trimmed;        /**< of a set: blanks around the separators are removed */
    char separator;      /**< of a set */
    uint8_t mark;        /**< HCBR_I_MARK_... */
    char thousands;      /**< the separator found, as in hcbr_i_numeral; 0: none */
    uint8_t has;         /**< HCBR_I_HAS_...: parts of the moments */
    hcbr_i_order order;  /**< of dates */
    hcbr_i_clock clock;  /**< of whole numbers that are dates */
    hcbr_i_flags flags;  /**< of flags */
    hcbr_i_unit unit;    /**< of numbers */
    uint64_t values;     /**< all, with missing forms */
    uint64_t forms, odd; /**< mean missing; do not fit */
    uint64_t distinct;
} hcbr_i_kind;

/**
 * At most this share of the values may be odd in a column of numbers or dates: a twentieth; a fifth
 * if they are at most three different ones.
 */
enum { HCBR_I_ODD_MOST = 20, HCBR_I_ODD_FEW_MOST = 5, HCBR_I_ODD_FEW = 3 };

/**
 * Decide what a column is.
 *
 * @param name     the column's name; may be NULL.
 * @param distinct number of different values, if known; 0: estimate it.
 */
void hcbr_i_tally_judge(hcbr_i_kind *out, const hcbr_i_tally *column, const char *name,
                        size_t name_length, uint64_t distinct);

/* Steps of hcbr_i_tally_judge(): each fills in its decision, or returns false. `given`: the kind is
   fixed, whatever the number of odd values. `mark`: the decimal mark if known, else 0. */
bool hcbr_i_judge_number(hcbr_i_kind *out, const hcbr_i_tally *column, bool given, unsigned mark);
bool hcbr_i_judge_date(hcbr_i_kind *out, const hcbr_i_tally *column, unsigned name_says,
                       bool given);
bool hcbr_i_judge_set(hcbr_i_kind *out, const hcbr_i_tally *column);
/** Whether an id numbers or names the cases, one by one or people with a few rows each.
 *  (judge_id.c) */
bool hcbr_i_judge_aside(const hcbr_i_kind *kind, const hcbr_i_tally *column, unsigned name_says);
/** Whether there are many values, all with the same number of hexadecimal digits. (judge_id.c) */
bool hcbr_i_are_hashes(const hcbr_i_tally *column);
/** Whether nearly all values are different. */
static inline bool hcbr_i_nearly_all(uint64_t distinct, uint64_t values) {
    return distinct * 20 >= values * 19;
}
/** Whether few enough values are odd. `different` of them are not known to be of another form. */
bool hcbr_i_few_odd(uint64_t odd, size_t different, uint64_t values);

/** How a value was read. */
typedef enum hcbr_i_taken {
    HCBR_I_TAKEN_AS_IT_IS, /**< a category, an id, a text, a set: unchanged */
    HCBR_I_TAKEN_MISSING,
    HCBR_I_TAKEN_NUMBER,
    HCBR_I_TAKEN_MOMENT,
    HCBR_I_TAKEN_FLAG,
    HCBR_I_TAKEN_ODD /**< does not fit: a feature of its own */
} hcbr_i_taken;

/** A value as it was read. */
typedef struct hcbr_i_reading {
    hcbr_i_moment moment;
    bool yes;
    size_t length;                    /**< of the number */
    char number[HCBR_I_NUMERAL_TEXT]; /**< a plain decimal; length is 0 for a plain number longer
                                           than the room here, whose text the caller has */
} hcbr_i_reading;

/** Read a value as one of the column. */
hcbr_i_taken hcbr_i_kind_take(hcbr_i_reading *out, const hcbr_i_kind *kind, const char *text,
                              size_t length);

/** A value of a column of numbers: a finite number, plain or in disguise with a decimal point. */
bool hcbr_i_kind_number(double *out, const char *text, size_t length);

/** A kind requested by the caller. */
typedef struct hcbr_i_kind_wish {
    hcbr_i_kind_of kind;
    bool ignore;
    bool trimmed;   /**< of a set */
    char separator; /**< of a set */
    uint8_t mark;   /**< of numbers: HCBR_I_MARK_...; 0: to be found */
} hcbr_i_kind_wish;
/** Read `number`, `number:comma`, `set:SEP`, `ignore` and so on; false: not one of them. */
bool hcbr_i_kind_parse(hcbr_i_kind_wish *out, const char *text);
/** hcbr_i_tally_judge() for a column of known kind: finds marks, units and orders. */
void hcbr_i_tally_judge_as(hcbr_i_kind *out, const hcbr_i_tally *column, const char *name,
                           size_t name_length, uint64_t distinct, const hcbr_i_kind_wish *wish);
/** Fix the order of dates that have two readings. */
void hcbr_i_kind_set_order(hcbr_i_kind *kind, hcbr_i_order order);

/** Whether values can be read by this verdict, whatever its source. (kind_check.c) */
bool hcbr_i_kind_is_good(const hcbr_i_kind *kind);

/** The word of a kind: "number". */
const char *hcbr_i_kind_name(hcbr_i_kind_of kind);

#define HCBR_I_KIND_WHY 300

/** One sentence in plain English: the kind of the column and the reason. Returns its length. */
size_t hcbr_i_kind_describe(char out[HCBR_I_KIND_WHY], const hcbr_i_kind *kind);

#endif
