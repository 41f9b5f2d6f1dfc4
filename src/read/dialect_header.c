/*
 * The role of the first records of a csv or tsv file: names of columns, in one line or several, or
 * a row like the others.
 *
 * Columns of numbers decide: a name is not a number, and a row has one there. Invariant: if no
 * column decides, the first record alone names the columns.
 */
#include "read/dialect.h"
#include "read/parse.h"

#include <hcbr/number.h>

#define COLUMNS HCBR_I_CELLS
#define RISING 8 /* numbers that hardly rise by chance */

typedef struct column {
    uint8_t first[HCBR_I_HEADERS];      /* kinds in the first records */
    size_t numbers[HCBR_I_HEADERS + 1]; /* how many in the records from there on */
    size_t text;                        /* one past the last record with a text */
    size_t wide_text;                   /* the same of the records as wide as the table */
    bool dates[HCBR_I_HEADERS];         /* the first records have one */
    bool dated;                         /* another has */
} column;

typedef struct table {
    column columns[COLUMNS];
    size_t count, records;
} table;

/** The number in one of the first records is a name. */
static void make_name(column *x, size_t record) {
    x->first[record] = HCBR_I_CELL_TEXT;
    x->text = x->text > record + 1 ? x->text : record + 1;
    x->wide_text = x->wide_text > record + 1 ? x->wide_text : record + 1;
    for (size_t n = 0; n <= record; n++)
        x->numbers[n]--;
}

/**
 * Dates above numbers that are not dates, and years above a record with other numbers, are names.
 * So are those of each of the first records whose columns continue with numbers.
 */
static void find_names(hcbr_i_sample *v, table *t) {
    for (size_t n = 0; n < HCBR_I_HEADERS && n + 1 < t->records; n++) {
        const size_t record = v->header + n;
        const bool years = hcbr_i_sample_has_years(v, record, t->count) &&
                           !hcbr_i_sample_has_years(v, record + 1, t->count);
        for (size_t c = 0; c < t->count; c++) {
            column *x = &t->columns[c];
            bool dated = x->dated;
            for (size_t i = n + 1; i < HCBR_I_HEADERS; i++)
                dated = dated || x->dates[i];
            if (x->first[n] == HCBR_I_CELL_NUMBER && x->numbers[n + 1] > 0 &&
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
            hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
            hcbr_i_cell_kind k = hcbr_i_cell_judge(cell);
            if (k == HCBR_I_CELL_NUMBER && hcbr_i_cell_is_date(cell) && t->records < HCBR_I_HEADERS)
                x->dates[t->records] = true;
            else if (k == HCBR_I_CELL_NUMBER && hcbr_i_cell_is_date(cell))
                x->dated = true;
            if (t->records < HCBR_I_HEADERS)
                x->first[t->records] = (uint8_t)k;
            if (k == HCBR_I_CELL_TEXT)
                x->text = t->records + 1;
            if (k == HCBR_I_CELL_TEXT && r->fields == v->common)
                x->wide_text = t->records + 1;
            for (size_t n = 0; k == HCBR_I_CELL_NUMBER && n <= HCBR_I_HEADERS && n <= t->records;
                 n++)
                x->numbers[n]++;
        }
    }
    find_names(v, t);
}

/** Whether the column has only numbers from that record on. */
static bool is_number(const column *x, size_t from) {
    return x->text <= from && x->numbers[from] > 1;
}

/** Consecutive whole numbers, such as years, are names; so are 0, 1, ... after an empty name. */
static bool has_steps(hcbr_i_sample *v, size_t count) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;
    double last = 0, step = 0;
    size_t numbers = 0;
    bool from_zero = r->bare;
    for (size_t c = 0; c < count; c++) {
        hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
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

/** Whether the numbers of the record, at least RISING, all rise or all fall. */
static bool is_rising(hcbr_i_sample *v, size_t record, size_t count) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    size_t numbers = 0, up = 0, down = 0;
    double last = 0;
    for (size_t c = 0; c < count && c < r->fields; c++) {
        hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
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

/** Whether there is a scale: numbers that rise, such as the positions of a spectrum, are names,
 *  unless those of rows rise too. */
static bool has_scale(hcbr_i_sample *v, size_t count) {
    size_t rising = 0;
    if (!is_rising(v, v->header, count))
        return false;
    for (size_t i = v->header + 1; i < v->last; i++)
        rising += is_rising(v, i, count);
    return rising * 10 <= v->last - v->header - 1;
}

/** Whether the first record has at least two decimals, which are not names. */
static bool has_decimals(hcbr_i_sample *v, size_t count) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;
    size_t decimals = 0;
    for (size_t c = 0; c < count; c++) {
        hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
        const char *mark = memchr(cell.at, '.', cell.length);
        if (mark == NULL)
            mark = memchr(cell.at, ',', cell.length);
        decimals += mark != NULL && mark + 1 < cell.at + cell.length && hcbr_i_is_digit(mark[1]) &&
                    hcbr_i_cell_judge(cell) == HCBR_I_CELL_NUMBER && !hcbr_i_cell_is_date(cell);
    }
    return decimals >= 2;
}

static bool is_named(hcbr_i_sample *v, const hcbr_i_dialect_given *given) {
    const hcbr_i_sampled *r = &v->records[v->header];
    const char *at = r->at;
    for (size_t c = 0; c < r->fields; c++) {
        hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
        for (size_t i = 0; i < given->name_count; i++)
            if (strlen(given->names[i]) == cell.length &&
                memcmp(given->names[i], cell.at, cell.length) == 0)
                return true;
    }
    return false;
}

/**
 * The first record is a row if a column of numbers has one in the first line too, none has a name
 * there, and no name is requested by options.
 */
bool hcbr_i_sample_no_header(hcbr_i_sample *v, const hcbr_i_dialect_given *given) {
    table t;
    bool numbers = false;
    if (is_named(v, given))
        return false;
    look_at(v, &t);
    for (size_t c = 0; c < t.count; c++) {
        const column *x = &t.columns[c];
        if (is_number(x, 1) && x->first[0] == HCBR_I_CELL_TEXT)
            return false;
        numbers =
            numbers || (x->first[0] == HCBR_I_CELL_NUMBER && (is_number(x, 0) || given->by_place));
    }
    return numbers && !has_steps(v, t.count) && !has_scale(v, t.count) &&
           (t.records > 2 || given->by_place || (t.records == 2 && has_decimals(v, t.count)));
}

/** Whether the filled fields of the record are all these words, or `(kg)`, `[m]` if units are
 allowed. */
static bool has_words(hcbr_i_sample *v, size_t record, const char *const *words, bool units) {
    const hcbr_i_sampled *r = &v->records[v->header + record];
    const char *at = r->at;
    size_t filled = 0;
    for (size_t c = 0; c < r->fields; c++) {
        hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
        if (cell.length == 0)
            continue;
        filled++;
        if (c == 0 && *cell.at == '#' && units)
            continue; // describes the line
        if (!hcbr_i_cell_is_one_of(cell, words) && !(units && hcbr_i_is_rule(cell)) &&
            !(units && (cell.at[0] == '(' || cell.at[0] == '[') &&
              (cell.at[cell.length - 1] == ')' || cell.at[cell.length - 1] == ']')))
            return false;
    }
    return filled > 0;
}

/** Whether the filled fields of the record are all units or types, such as `(kg)` or `float`, or
 *  rules. */
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

/** Whether the record lists, below types, the roles of columns, like the third line of Orange. */
static bool has_uses(hcbr_i_sample *v, size_t record) {
    static const char *const uses[] = {"class", "meta", "ignore", "weight", NULL};
    return record == 2 && has_units(v, 1) && has_words(v, record, uses, false);
}

/** Whether in at least two columns of numbers both the second and the third record have a text. */
static bool has_two_texts(const table *t) {
    size_t both = 0;
    for (size_t c = 0; c < t->count; c++)
        both += is_number(&t->columns[c], 3) && t->columns[c].first[1] == HCBR_I_CELL_TEXT &&
                t->columns[c].first[2] == HCBR_I_CELL_TEXT;
    return both >= 2;
}

/**
 * Whether the first `lines` records are all above the numbers of each column of numbers. `texts`
 * counts the columns of at least `least` numbers with a text in the last of these records. If that
 * has `codes` for all columns, below names of some, a few may be numbers.
 */
static bool are_above(const table *t, size_t lines, size_t least, bool codes, size_t *texts) {
    bool numbers = false;
    *texts = 0;
    for (size_t c = 0; c < t->count; c++) {
        const column *x = &t->columns[c];
        if (least > 2 && x->first[lines - 1] == HCBR_I_CELL_NUMBER)
            return false; // a value, among texts
        if (!is_number(x, lines))
            continue;
        for (size_t n = 1; n < lines; n++)
            numbers = numbers || x->first[n] == HCBR_I_CELL_NUMBER;
        // Most rows have the number, or the text may well be a value.
        *texts += x->first[lines - 1] == HCBR_I_CELL_TEXT && x->numbers[lines] >= least &&
                  2 * x->numbers[lines] > t->records - lines;
    }
    return !numbers || (codes && lines == 2 && *texts >= 2);
}

/**
 * Whether each column has a name in one of the first `lines` records. The first, of names of rows,
 * needs none, not even numbers if `texts`, two or more, are above those of other columns. With
 * three, no other column needs one either.
 */
static bool all_named(const table *t, size_t lines, size_t texts) {
    bool named = false;
    for (size_t c = 0; c < t->count; c++) {
        const column *x = &t->columns[c];
        bool filled = false;
        for (size_t n = 0; n < lines; n++)
            filled = filled || x->first[n] != HCBR_I_CELL_EMPTY;
        if (x->text == 0 && x->numbers[0] == 0)
            continue; // empty everywhere, as outside of the bars around a table
        if (!filled && texts < HCBR_I_NUMBERS && (named || (is_number(x, lines) && texts < 2)))
            return false;
        named = named || filled;
    }
    return named;
}

/** Whether the record has texts above numbers and nothing else. It continues the names above it: a
 *  row would have values in other columns. */
static bool is_continued(const table *t, size_t record) {
    size_t texts = 0;
    for (size_t c = 0; c < t->count; c++) {
        const column *x = &t->columns[c];
        if (x->first[record] == HCBR_I_CELL_EMPTY)
            continue;
        if (x->first[record] != HCBR_I_CELL_TEXT || x->numbers[HCBR_I_HEADERS] < HCBR_I_NUMBERS ||
            x->text > HCBR_I_HEADERS)
            return false;
        texts++;
    }
    return texts > 0 && texts < t->count;
}

static bool has_digit(hcbr_i_text cell) {
    for (size_t i = 0; i < cell.length; i++)
        if (hcbr_i_is_digit(cell.at[i]))
            return true;
    return false;
}

static bool has_small(hcbr_i_text cell) {
    for (size_t i = 0; i < cell.length; i++)
        if (cell.at[i] >= 'a' && cell.at[i] <= 'z')
            return true;
    return false;
}

/** Columns of other values than numbers that all have a digit, except in the second record. */
static size_t count_codes(hcbr_i_sample *v, const table *t) {
    size_t without[COLUMNS] = {0}, codes = 0;
    for (size_t i = v->header + 1; i < v->last; i++) {
        const char *at = v->records[i].at;
        for (size_t c = 0; c < t->count; c++)
            without[c] +=
                c >= v->records[i].fields || !has_digit(hcbr_i_sample_cell(v, &v->records[i], &at));
    }
    for (size_t c = 0; c < t->count && t->records > HCBR_I_NUMBERS + 1; c++)
        codes += without[c] == 1 && t->columns[c].first[1] == HCBR_I_CELL_TEXT &&
                 !is_number(&t->columns[c], 2);
    if (codes > 0) { // the one without must be the second
        const char *at = v->records[v->header + 1].at;
        for (size_t c = 0; c < t->count; c++)
            if (has_digit(hcbr_i_sample_cell(v, &v->records[v->header + 1], &at)) &&
                without[c] == 1 && t->columns[c].first[1] == HCBR_I_CELL_TEXT &&
                !is_number(&t->columns[c], 2))
                codes--;
    }
    return codes;
}

/** Whether the cell contains the name, of at least three letters, in any case. */
static bool holds(hcbr_i_text cell, hcbr_i_text name) {
    for (size_t i = 0; name.length >= 3 && i + name.length <= cell.length; i++) {
        size_t same = 0;
        while (same < name.length && (name.at[same] | 32) == (cell.at[i + same] | 32))
            same++;
        if (same == name.length)
            return true;
    }
    return false;
}

/** Whether it is a unit that cannot be a value, or one in brackets. */
static bool is_unit(hcbr_i_text cell) {
    static const char *const units[] = {"kg",      "cm",      "mm",  "km",  "eur",    "usd",
                                        "gbp",     "chf",     "m/s", "ha",  "deg",    "years",
                                        "percent", "persons", "%",   "mio", "number", NULL};
    return cell.length > 0 && (hcbr_i_cell_is_one_of(cell, units) ||
                               (*cell.at == '[' && cell.at[cell.length - 1] == ']') ||
                               (*cell.at == '(' && cell.at[cell.length - 1] == ')'));
}

/**
 * One column of numbers has a text in the second record. Whether that belongs to a header: it is a
 * unit, or explains a name in capitals; or the record differs from the rows in another column, too,
 * or repeats a name.
 */
static bool is_second(hcbr_i_sample *v, const table *t) {
    const hcbr_i_sampled *upper = &v->records[v->header], *lower = upper + 1;
    const char *at = upper->at, *below = lower->at;
    bool small = false, words = false;
    if (upper->filled < upper->fields || lower->filled < lower->fields ||
        t->records < HCBR_I_NUMBERS + 2)
        return false;
    if (count_codes(v, t) > 0)
        return true;
    for (size_t c = 0; c < t->count; c++) {
        hcbr_i_text name = hcbr_i_sample_cell(v, upper, &at),
                    cell = hcbr_i_sample_cell(v, lower, &below);
        const bool number = is_number(&t->columns[c], 2);
        if (holds(cell, name) || (number && is_unit(cell)))
            return true;
        small = small || has_small(name);
        words = words || (number && has_small(cell) && memchr(cell.at, ' ', cell.length) != NULL);
    }
    return words && !small;
}

/**
 * Whether a shorter line of words is between the names of all columns and the rows: units, in runs
 * of blanks, or one word followed by empty fields.
 */
static bool is_units_line(hcbr_i_sample *v, const table *t) {
    const hcbr_i_sampled *first = &v->records[v->header], *second = first + 1;
    return t->records > HCBR_I_NUMBERS + 1 && first->fields == v->common && !first->gap &&
           second->fields < v->common &&
           (v->style.runs || (second->filled == 1 && second->fields > 1)) &&
           hcbr_i_sample_is_words(v, v->header + 1) &&
           hcbr_i_sample_is_header(v, v->header, v->header + 2, v->last);
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
            if (hcbr_i_cell_judge(hcbr_i_sample_cell(v, r, &at)) == HCBR_I_CELL_TEXT &&
                is_number(&t.columns[c], 1))
                return true;
    }
    return false;
}

/**
 * A bit for each of the first 64 columns that holds numbers from that record on. Only the records
 * as wide as the table count: the fields of a flawed one are in the wrong columns.
 */
static uint64_t find_numbers(const table *t, size_t from) {
    uint64_t bits = 0;
    for (size_t c = 0; c < t->count && c < 64 && t->records > HCBR_I_NUMBERS; c++) {
        const column *x = &t->columns[c];
        bits |= (uint64_t)(x->wide_text <= from && x->numbers[from] > 1) << c;
    }
    return bits;
}

unsigned hcbr_i_sample_headers(hcbr_i_sample *v, unsigned *below, uint64_t *numbers) {
    const hcbr_i_sampled *first = &v->records[v->header];
    unsigned lines = 1;
    size_t texts;
    table t;
    look_at(v, &t);
    *below = is_units_line(v, &t);
    for (unsigned n = 2; n <= HCBR_I_HEADERS && n + 2 <= t.records; n++) {
        const hcbr_i_sampled *r = first + n - 1;
        // Below a name for each column a second line is rare, and a row of texts is not.
        const size_t least =
            first->filled < first->fields || has_units(v, n - 1) ? 2 : HCBR_I_NUMBERS;
        const bool codes = first->filled < first->fields && r->filled == r->fields;
        if (r->fields != v->common || !are_above(&t, n, least, codes, &texts))
            break;
        bool groups = first->filled < first->fields && all_named(&t, n, texts);
        if (n == 2 && texts == 0 && has_two_texts(&t))
            continue; // the third one decides
        if (has_units(v, n - 1)
                ? texts == 0 && r->filled < 2
                : texts < (groups ? 1 : 2) && !has_uses(v, n - 1) && !is_continued(&t, n - 1) &&
                      !(n == 2 && texts == 1 && is_second(v, &t)))
            break;
        if (!groups && first->filled < first->fields)
            break;
        lines = n;
    }
    *numbers = find_numbers(&t, lines);
    return lines;
}

size_t hcbr_i_sample_other(hcbr_i_sample *v) {
    const size_t last = v->last;
    size_t gap = v->header + 1;
    table t;
    while (gap < v->count && !v->records[gap - 1].gap)
        gap++;
    if (gap >= v->count || gap < v->header + HCBR_I_NUMBERS)
        return 0;
    v->last = gap;
    look_at(v, &t); // at those above the empty line
    v->last = last;
    for (size_t i = gap; i < last; i++) {
        const char *at = v->records[i].at;
        bool numbers = false, texts = false;
        for (size_t c = 0; c < t.count && v->records[i].fields == v->common; c++) {
            hcbr_i_cell_kind k = hcbr_i_cell_judge(hcbr_i_sample_cell(v, &v->records[i], &at));
            if (!is_number(&t.columns[c], 1))
                continue;
            numbers = numbers || k == HCBR_I_CELL_NUMBER;
            texts = texts || k == HCBR_I_CELL_TEXT;
        }
        if (texts && !numbers)
            return i;
    }
    return 0;
}
