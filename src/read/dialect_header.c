/*
 * What the first records of a csv or tsv file are: names of columns, in one line or several, or a
 * row like the others.
 *
 * Columns of numbers tell: a name is none, and a row has one there. Invariant: where no column
 * tells, the first record alone names the columns.
 */
#include "read/dialect.h"
#include "read/parse.h"

#include <hcbr/number.h>

#define COLUMNS 256 /* whose values are looked at */
#define MOST 3      /* lines of a header that are found */
#define RISING 8    /* numbers that hardly rise by chance */
#define ENOUGH 3    /* numbers that hardly stand together by chance */

/** What a field holds. */
typedef enum kind { EMPTY = 0, NUMBER, TEXT } kind;

typedef struct column {
    uint8_t first[MOST];      /* kinds in the first records */
    size_t numbers[MOST + 1]; /* how many in the records from there on */
    size_t text;              /* one past the last record with a text */
    bool dates[MOST];         /* the first records have one */
    bool dated;               /* another has */
} column;

typedef struct table {
    column columns[COLUMNS];
    size_t count, records;
} table;

/** The text of a field, without quotes and blanks around it. */
static hcbr_i_text trimmed(const char *at, const char *end, char quote) {
    while (at < end && (*at == ' ' || *at == quote))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == quote || end[-1] == '\r'))
        end--;
    return (hcbr_i_text){at, (size_t)(end - at)};
}

/** Is it a line of at least two hyphens or the like, as below a heading? */
static bool is_rule(hcbr_i_text cell) {
    for (size_t i = 0; i < cell.length; i++)
        if (strchr("-=_", cell.at[i]) == NULL)
            return false;
    return cell.length > 1;
}

/** Is it one of the words, whatever the case of its letters? Theirs are small. */
static bool is_one_of(hcbr_i_text cell, const char *const *words) {
    for (; *words != NULL; words++) {
        size_t n = 0;

        while (n < cell.length && (*words)[n] != '\0' &&
               (cell.at[n] >= 'A' && cell.at[n] <= 'Z' ? cell.at[n] + 32 : cell.at[n]) ==
                   (*words)[n])
            n++;
        if (n == cell.length && (*words)[n] == '\0')
            return true;
    }
    return false;
}

/** A number, also with another decimal mark, signs of money, percent, or a date. */
static kind kind_of(hcbr_i_text cell) {
    static const char *const missing[] = {"na", "n/a", "#n/a", "nan", "null", "none", "-",
                                          "--", ".",   "..",   "...", ":",    "?",    NULL};
    bool digit = false;

    if (cell.length == 0 || (cell.length <= 4 && is_one_of(cell, missing)))
        return EMPTY;
    for (size_t i = 0; i < cell.length; i++) {
        unsigned char c = (unsigned char)cell.at[i];

        digit = digit || (c >= '0' && c <= '9');
        if (c < 0x80 && strchr("0123456789 .,'+-%$/:()eE", c) == NULL && c != '\t')
            return TEXT;
        if ((c == 'e' || c == 'E') && !digit)
            return TEXT;
        if (c == '+' && digit && (cell.at[i - 1] | 32) != 'e')
            return TEXT; // 65+
        if (c >= 0x80 && c != 0xC2 && c != 0xE2 && (c & 0xC0) != 0x80)
            return TEXT; // but signs of money, blanks and dashes
    }
    return digit ? NUMBER : TEXT;
}

/** Is a number of kind_of() a date or time, such as 1/22/20, 2020-01 or 12:30? */
static bool is_date(hcbr_i_text cell) {
    size_t marks = 0, digits = 0;

    for (size_t i = 0; i < cell.length; i++) {
        const char c = cell.at[i];

        if (hcbr_i_is_digit(c))
            digits++;
        else if (i > 0 && hcbr_i_is_digit(cell.at[i - 1]) && i + 1 < cell.length &&
                 hcbr_i_is_digit(cell.at[i + 1]) && (c == '/' || c == '-' || c == '.' || c == ':'))
            marks += c == '.' ? 1 : 2;
        else
            return false;
    }
    return marks >= 2 && digits <= 14;
}

/** The field of a record, from where its last one ended. */
static hcbr_i_text next_cell(hcbr_i_sample *v, const hcbr_i_sampled *r, const char **at) {
    hcbr_i_sampled none = {0};
    const char *from = *at, *stop;

    while (v->style.runs && from < r->end && *from == ' ')
        from++;
    stop = hcbr_i_sample_field(v, &none, from, r->end);
    *at = stop < r->end ? stop + 1 : r->end;
    return trimmed(from, stop, v->style.quote == 0 ? ' ' : v->style.quote);
}

/** The number in one of the first records is a name. */
static void make_name(column *x, size_t record) {
    x->first[record] = TEXT;
    x->text = x->text > record + 1 ? x->text : record + 1;
    for (size_t n = 0; n <= record; n++)
        x->numbers[n]--;
}

/** Are the numbers of the record, three or more, years that do not fall, and not all the same? */
static bool has_years(hcbr_i_sample *v, size_t record, size_t count) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    double first = 0, last = 0;
    size_t numbers = 0;

    for (size_t c = 0; c < count && c < r->fields; c++) {
        hcbr_i_text cell = next_cell(v, r, &at);
        double value;

        if (kind_of(cell) != NUMBER)
            continue;
        if (cell.length != 4 || !hcbr_number_parse(&value, cell.at, 4) || value < 1800 ||
            value > 2200 || value < last)
            return false;
        first = numbers++ == 0 ? value : first;
        last = value;
    }
    return numbers > 2 && last > first;
}

/**
 * Dates above numbers that are none, and years above a record that has others, are names. So are
 * those of each of the first records whose columns go on with numbers.
 */
static void find_names(hcbr_i_sample *v, table *t) {
    for (size_t n = 0; n < MOST && n + 1 < t->records; n++) {
        const size_t record = v->header + n;
        const bool years = has_years(v, record, t->count) && !has_years(v, record + 1, t->count);

        for (size_t c = 0; c < t->count; c++) {
            column *x = &t->columns[c];
            bool dated = x->dated;

            for (size_t i = n + 1; i < MOST; i++)
                dated = dated || x->dates[i];
            if (x->first[n] == NUMBER && x->numbers[n + 1] > 0 &&
                (years || (x->dates[n] && !dated)))
                make_name(x, n);
        }
    }
}

static void look_at(hcbr_i_sample *v, table *t) {
    memset(t, 0, sizeof *t);
    t->count = v->common < COLUMNS ? v->common : COLUMNS;
    for (size_t i = v->header; i < v->last; i++, t->records++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at;

        for (size_t c = 0; c < t->count && c < r->fields; c++) {
            column *x = &t->columns[c];
            hcbr_i_text cell = next_cell(v, r, &at);
            kind k = kind_of(cell);

            if (k == NUMBER && is_date(cell) && t->records < MOST)
                x->dates[t->records] = true;
            else if (k == NUMBER && is_date(cell))
                x->dated = true;
            if (t->records < MOST)
                x->first[t->records] = (uint8_t)k;
            if (k == TEXT)
                x->text = t->records + 1;
            for (size_t n = 0; k == NUMBER && n <= MOST && n <= t->records; n++)
                x->numbers[n]++;
        }
    }
    find_names(v, t);
}

/** Does the column hold numbers, and nothing else, from that record on? */
static bool is_number(const column *x, size_t from) {
    return x->text <= from && x->numbers[from] > 1;
}

/** Whole numbers in a row, such as years, are names; so are 0, 1, ... behind an empty name. */
static bool has_steps(hcbr_i_sample *v, size_t count) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;
    double last = 0, step = 0;
    size_t numbers = 0;
    bool from_zero = r->bare;

    for (size_t c = 0; c < count; c++) {
        hcbr_i_text cell = next_cell(v, r, &at);
        double value;

        if (!hcbr_number_parse(&value, cell.at, cell.length))
            continue;
        from_zero = from_zero && value == (double)numbers;
        if (value < 0 || value > 1e6 || value != (double)(int64_t)value)
            return false;
        if (numbers > 0 && value == last)
            return false;
        if (numbers > 1 && value - last != step)
            return false;
        step = value - last;
        last = value;
        numbers++;
    }
    return numbers > 2 || (numbers > 0 && from_zero) ||
           (numbers == 2 && last > 1800 && last < 2200 && (step == 1 || step == -1));
}

/** Do the numbers of the record, RISING or more, all rise or all fall? */
static bool is_rising(hcbr_i_sample *v, size_t record, size_t count) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    size_t numbers = 0, up = 0, down = 0;
    double last = 0;

    for (size_t c = 0; c < count && c < r->fields; c++) {
        hcbr_i_text cell = next_cell(v, r, &at);
        double value;

        if (!hcbr_number_parse(&value, cell.at, cell.length))
            continue;
        up += numbers > 0 && value > last;
        down += numbers > 0 && value < last;
        last = value;
        numbers++;
    }
    return numbers >= RISING && (up + 1 == numbers || down + 1 == numbers);
}

/** Numbers that rise, such as the places of a spectrum, are names, unless those of rows do so. */
static bool has_scale(hcbr_i_sample *v, size_t count) {
    size_t rising = 0;

    if (!is_rising(v, v->header, count))
        return false;
    for (size_t i = v->header + 1; i < v->last; i++)
        rising += is_rising(v, i, count);
    return rising * 10 <= v->last - v->header - 1;
}

/** Has the first record two decimals or more? No column is called so. */
static bool has_decimals(hcbr_i_sample *v, size_t count) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;
    size_t decimals = 0;

    for (size_t c = 0; c < count; c++) {
        hcbr_i_text cell = next_cell(v, r, &at);
        const char *mark = memchr(cell.at, '.', cell.length);

        if (mark == NULL)
            mark = memchr(cell.at, ',', cell.length);
        decimals += mark != NULL && mark + 1 < cell.at + cell.length && hcbr_i_is_digit(mark[1]) &&
                    kind_of(cell) == NUMBER && !is_date(cell);
    }
    return decimals >= 2;
}

static bool is_named(hcbr_i_sample *v, const hcbr_i_dialect_given *given) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;

    for (size_t c = 0; c < r->fields; c++) {
        hcbr_i_text cell = next_cell(v, r, &at);

        for (size_t i = 0; i < given->name_count; i++)
            if (strlen(given->names[i]) == cell.length &&
                memcmp(given->names[i], cell.at, cell.length) == 0)
                return true;
    }
    return false;
}

/**
 * A column of numbers has one in the first line too, none has a name there, and no name is one that
 * is asked for.
 */
bool hcbr_i_sample_no_header(hcbr_i_sample *v, const hcbr_i_dialect_given *given) {
    table t;
    bool numbers = false;

    if (is_named(v, given))
        return false;
    look_at(v, &t);
    for (size_t c = 0; c < t.count; c++) {
        const column *x = &t.columns[c];

        if (is_number(x, 1) && x->first[0] == TEXT)
            return false;
        numbers = numbers || (x->first[0] == NUMBER && (is_number(x, 0) || given->by_place));
    }
    return numbers && !has_steps(v, t.count) && !has_scale(v, t.count) &&
           (t.records > 2 || given->by_place || (t.records == 2 && has_decimals(v, t.count)));
}

/** Are the filled fields of the record all of these words, or `(kg)`, `[m]` if there may be units?
 */
static bool has_words(hcbr_i_sample *v, size_t record, const char *const *words, bool units) {
    const hcbr_i_sampled *r = &v->records[v->header + record];
    const char *at = r->at;
    size_t filled = 0;

    for (size_t c = 0; c < r->fields; c++) {
        hcbr_i_text cell = next_cell(v, r, &at);

        if (cell.length == 0)
            continue;
        filled++;
        if (c == 0 && *cell.at == '#' && units)
            continue; // says what the line is
        if (!is_one_of(cell, words) && !(units && is_rule(cell)) &&
            !(units && (cell.at[0] == '(' || cell.at[0] == '[') &&
              (cell.at[cell.length - 1] == ')' || cell.at[cell.length - 1] == ']')))
            return false;
    }
    return filled > 0;
}

/** Are the filled fields of the record all units or types, such as `(kg)` or `float`, or rules? */
static bool has_units(hcbr_i_sample *v, size_t record) {
    static const char *const types[] = {
        "string",   "text",     "str",        "integer",     "int",      "float", "double",
        "real",     "number",   "numeric",    "date",        "datetime", "time",  "bool",
        "boolean",  "varchar",  "char",       "categorical", "factor",   "year",  "count",
        "category", "c",        "d",          "s",           "kg",       "g",     "m",
        "cm",       "mm",       "km",         "%",           "s",        "h",     "eur",
        "usd",      "discrete", "continuous", "unit",        "units",    "n",     "m/s",
        "years",    "percent",  NULL};

    return has_words(v, record, types, true);
}

/** Does the record say below types what columns are for, as the third line of Orange does? */
static bool has_uses(hcbr_i_sample *v, size_t record) {
    static const char *const uses[] = {"class", "meta", "ignore", "weight", NULL};

    return record == 2 && has_units(v, 1) && has_words(v, record, uses, false);
}

/** In two columns of numbers or more, have the second and the third record a text each? */
static bool has_two_texts(const table *t) {
    size_t both = 0;

    for (size_t c = 0; c < t->count; c++)
        both += is_number(&t->columns[c], 3) && t->columns[c].first[1] == TEXT &&
                t->columns[c].first[2] == TEXT;
    return both >= 2;
}

/**
 * Are the first `lines` records all above the numbers of each column of numbers? `texts` counts the
 * columns of at least so many numbers with a text in the last of these records.
 */
static bool are_above(const table *t, size_t lines, size_t least, size_t *texts) {
    *texts = 0;
    for (size_t c = 0; c < t->count; c++) {
        const column *x = &t->columns[c];

        if (least == ENOUGH && x->first[lines - 1] == NUMBER)
            return false; // a value, among texts
        if (!is_number(x, lines))
            continue;
        for (size_t n = 1; n < lines; n++)
            if (x->first[n] == NUMBER)
                return false;
        // Most rows have the number, or the text may well be a value.
        *texts += x->first[lines - 1] == TEXT && x->numbers[lines] >= least &&
                  2 * x->numbers[lines] > t->records - lines;
    }
    return true;
}

/**
 * Has each column a name in one of the first `lines` records? The first, of names of rows, need
 * none, not even numbers if `texts`, two or more, stand above those of other columns.
 */
static bool all_named(const table *t, size_t lines, size_t texts) {
    bool named = false;

    for (size_t c = 0; c < t->count; c++) {
        const column *x = &t->columns[c];
        bool filled = false;

        for (size_t n = 0; n < lines; n++)
            filled = filled || x->first[n] != EMPTY;
        if (!filled && (named || (is_number(x, lines) && texts < 2)))
            return false;
        named = named || filled;
    }
    return named;
}

bool hcbr_i_sample_has_signs(hcbr_i_sample *v) {
    table t;

    if (v->remark_count == 0)
        return false;
    look_at(v, &t);
    for (size_t i = 0; i < v->remark_count; i++) {
        const hcbr_i_sampled *r = &v->remarks[i];
        const char *at = r->at;

        for (size_t c = 0; c < t.count && r->fields == v->common; c++)
            if (kind_of(next_cell(v, r, &at)) == TEXT && is_number(&t.columns[c], 1))
                return true;
    }
    return false;
}

unsigned hcbr_i_sample_headers(hcbr_i_sample *v) {
    const hcbr_i_sampled *first = &v->records[v->header];
    unsigned lines = 1;
    size_t texts;
    table t;

    look_at(v, &t);
    for (unsigned n = 2; n <= MOST && n + 2 <= t.records; n++) {
        const hcbr_i_sampled *r = first + n - 1;
        // Below a name for each column a second line is rare, and a row of texts is not.
        const size_t least = first->filled < first->fields || has_units(v, n - 1) ? 2 : ENOUGH;
        bool groups;

        if (r->fields != v->common || !are_above(&t, n, least, &texts))
            break;
        groups = first->filled < first->fields && all_named(&t, n, texts);
        if (n == 2 && texts == 0 && has_two_texts(&t))
            continue; // the third tells
        if (has_units(v, n - 1) ? texts == 0 && r->filled < 2
                                : texts < (groups ? 1 : 2) && !has_uses(v, n - 1))
            break;
        if (!groups && first->filled < first->fields)
            break;
        lines = n;
    }
    return lines;
}

bool hcbr_i_sample_is_quoted(hcbr_i_sample *v) {
    size_t quoted[COLUMNS] = {0}, other[COLUMNS] = {0};

    for (size_t i = v->header + 1; i < v->last; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at, *stop;

        for (size_t c = 0; c < COLUMNS && c < r->fields; c++, at = stop + 1) {
            hcbr_i_sampled one = {0};

            stop = hcbr_i_sample_field(v, &one, at, r->end);
            quoted[c] += one.quoted;
            other[c] += one.quoted == 0 && trimmed(at, stop, ' ').length > 0;
        }
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (quoted[c] > 1 && other[c] == 0)
            return true;
    return false;
}

bool hcbr_i_sample_is_aligned(hcbr_i_sample *v) {
    uint8_t seen[COLUMNS] = {0}; /* 1: a value without a blank before it, 2: one with it */

    for (size_t i = v->header; i < v->last; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at, *stop;

        for (size_t c = 0; c < COLUMNS && c < r->fields; c++, at = stop + 1) {
            hcbr_i_sampled none = {0};

            stop = hcbr_i_sample_field(v, &none, at, r->end);
            if (c > 0 && trimmed(at, stop, ' ').length > 0)
                seen[c] |= *at == ' ' ? 2 : 1;
        }
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (seen[c] == 3)
            return false;
    return v->common <= COLUMNS;
}

bool hcbr_i_sample_has_row_names(hcbr_i_sample *v) {
    hcbr_i_text names[HCBR_I_SAMPLE];

    for (size_t i = v->header + 1; i < v->last; i++) {
        const char *at = v->records[i].at;

        names[i] = next_cell(v, &v->records[i], &at);
        for (size_t j = v->header + 1; j < i; j++)
            if (hcbr_i_order_text(names[i], names[j]) == 0)
                return false;
    }
    return true;
}

bool hcbr_i_sample_ends_empty(hcbr_i_sample *v, size_t columns) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;

    for (size_t c = 0; c < r->fields; c++)
        if (next_cell(v, r, &at).length > 0 && c >= columns)
            return false;
    return true;
}
