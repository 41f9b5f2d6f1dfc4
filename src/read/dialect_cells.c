/*
 * The content of the fields of the first records of a csv or tsv file, and whether a record is the
 * header of those below it.
 *
 * Invariant: a field is judged by its own bytes alone.
 */
#include "read/dialect.h"
#include "read/parse.h"

#include <hcbr/number.h>

#define COLUMNS HCBR_I_CELLS
#define DATED 14 /* bytes of a name of a month and a year, at the most */

/** The text of a field, without quotes and blanks around it. */
static hcbr_i_text trimmed(const char *at, const char *end, char quote) {
    while (at < end && (*at == ' ' || *at == quote))
        at++;
    while (end > at && (end[-1] == ' ' || end[-1] == quote || end[-1] == '\r'))
        end--;
    return (hcbr_i_text){at, (size_t)(end - at)};
}

bool hcbr_i_cell_is_one_of(hcbr_i_text cell, const char *const *words) {
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

hcbr_i_cell_kind hcbr_i_cell_judge(hcbr_i_text cell) {
    static const char *const missing[] = {"na", "n/a", "#n/a", "nan", "null", "none", "-",
                                          "--", ".",   "..",   "...", ":",    "?",    NULL};
    bool digit = false;
    if (cell.length == 0 || (cell.length <= 4 && hcbr_i_cell_is_one_of(cell, missing)))
        return HCBR_I_CELL_EMPTY;
    for (size_t i = 0; i < cell.length; i++) {
        unsigned char c = (unsigned char)cell.at[i];
        digit = digit || (c >= '0' && c <= '9');
        if (c < 0x80 && strchr("0123456789 .,'+-%$/:()eE", c) == NULL && c != '\t')
            return HCBR_I_CELL_TEXT;
        if ((c == 'e' || c == 'E') && !digit)
            return HCBR_I_CELL_TEXT;
        if (c == '+' && digit && (cell.at[i - 1] | 32) != 'e')
            return HCBR_I_CELL_TEXT; // 65+
        if (c >= 0x80 && c != 0xC2 && c != 0xE2 && (c & 0xC0) != 0x80)
            return HCBR_I_CELL_TEXT; // but signs of money, blanks and dashes
    }
    return digit ? HCBR_I_CELL_NUMBER : HCBR_I_CELL_TEXT;
}

bool hcbr_i_cell_is_date(hcbr_i_text cell) {
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

hcbr_i_text hcbr_i_sample_cell(hcbr_i_sample *v, const hcbr_i_sampled *r, const char **at) {
    hcbr_i_sampled none = {0};
    const char *from = *at, *stop;
    if (v->is_mended && r == v->records) {
        size_t n = 0;
        while (n + 1 < r->fields && v->pieces[n + 1].at <= from)
            n++;
        *at = n + 1 < r->fields ? v->pieces[n + 1].at : r->end;
        return trimmed(v->pieces[n].at, v->pieces[n].stop, v->style.quote);
    }
    while (v->style.runs && from < r->end && *from == ' ')
        from++;
    stop = hcbr_i_sample_field(v, &none, from, r->end);
    *at = stop < r->end ? stop + 1 : r->end;
    return trimmed(from, stop, v->style.quote == 0 ? ' ' : v->style.quote);
}

bool hcbr_i_sample_has_years(hcbr_i_sample *v, size_t record, size_t count) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    double last = 0;
    size_t numbers = 0;
    bool rises = false, falls = false, steps = false;
    for (size_t c = 0; c < count && c < r->fields; c++) {
        hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
        double value;
        if (hcbr_i_cell_judge(cell) != HCBR_I_CELL_NUMBER)
            continue;
        if (cell.length != 4 || !hcbr_number_parse(&value, cell.at, 4) || value < 1800 ||
            value > 2200)
            return false;
        steps = numbers == 1 && (value - last == 1 || last - value == 1);
        rises = rises || (numbers > 0 && value > last);
        falls = falls || (numbers > 0 && value < last);
        numbers++;
        last = value;
    }
    // Two are enough below a group, to the right of an empty field.
    return numbers + (r->bare && steps) > 2 && rises != falls;
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
            if (c > 0 && trimmed(at, stop, ' ').length > 0 &&
                !hcbr_i_is_rule((hcbr_i_text){at, (size_t)(stop - at)}))
                seen[c] |= *at == ' ' ? 2 : 1;
        }
    }
    for (size_t c = 0; c < COLUMNS; c++)
        if (seen[c] == 3)
            return false;
    return v->common <= COLUMNS;
}

bool hcbr_i_sample_is_trailing(hcbr_i_sample *v) {
    size_t blanks = 0;
    for (size_t i = v->header; i < v->last; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at, *stop;
        for (size_t c = 0; c + 1 < r->fields; c++, at = stop + 1) {
            hcbr_i_sampled none = {0};
            stop = hcbr_i_sample_field(v, &none, at, r->end);
            if (stop == at || hcbr_i_is_rule((hcbr_i_text){at, (size_t)(stop - at)}))
                continue;
            if (stop[-1] != ' ')
                return false;
            blanks++;
        }
    }
    return blanks > 2 && !v->style.runs && v->style.delimiter != ' ';
}

bool hcbr_i_sample_has_row_names(hcbr_i_sample *v) {
    hcbr_i_text names[HCBR_I_SAMPLE];
    for (size_t i = v->header + 1; i < v->last; i++) {
        const char *at = v->records[i].at;
        names[i] = hcbr_i_sample_cell(v, &v->records[i], &at);
        for (size_t j = v->header + 1; j < i; j++)
            if (hcbr_i_order_text(names[i], names[j]) == 0)
                return false;
    }
    return true;
}

bool hcbr_i_sample_ends_empty(hcbr_i_sample *v, size_t record, size_t columns) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    for (size_t c = 0; c < r->fields; c++)
        if (hcbr_i_sample_cell(v, r, &at).length > 0 && c >= columns)
            return false;
    return true;
}

bool hcbr_i_sample_is_words(hcbr_i_sample *v, size_t record) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    for (size_t c = 0; c < r->fields; c++)
        if (hcbr_i_cell_judge(hcbr_i_sample_cell(v, r, &at)) == HCBR_I_CELL_NUMBER)
            return false;
    return true;
}

bool hcbr_i_sample_is_numbers(hcbr_i_sample *v, size_t record) {
    const hcbr_i_sampled *r = &v->records[record];
    const char *at = r->at;
    for (size_t c = 0; c < r->fields; c++)
        if (hcbr_i_cell_judge(hcbr_i_sample_cell(v, r, &at)) != HCBR_I_CELL_NUMBER)
            return false;
    return true;
}

/** See hcbr_i_sample_is_header(); wider: records with more fields count. */
static bool has_words_above(hcbr_i_sample *v, size_t record, size_t from, size_t to, bool wider) {
    const size_t fields = v->records[record].fields, count = fields < COLUMNS ? fields : COLUMNS;
    const bool years = hcbr_i_sample_has_years(v, record, count);
    size_t numbers[COLUMNS] = {0};
    bool texts[COLUMNS] = {false}, found = false;
    const char *at;
    for (size_t i = from; i < to; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        at = r->at;
        for (size_t c = 0; c < count && (wider ? r->fields > fields : r->fields == fields); c++) {
            hcbr_i_cell_kind k = hcbr_i_cell_judge(hcbr_i_sample_cell(v, r, &at));
            numbers[c] += k == HCBR_I_CELL_NUMBER;
            texts[c] = texts[c] || k == HCBR_I_CELL_TEXT;
        }
    }
    at = v->records[record].at;
    for (size_t c = 0; c < count; c++) {
        hcbr_i_cell_kind k = hcbr_i_cell_judge(hcbr_i_sample_cell(v, &v->records[record], &at));
        if (texts[c] || numbers[c] < 2)
            continue;
        if (k == HCBR_I_CELL_NUMBER && !years)
            return false;
        found = found || k != HCBR_I_CELL_EMPTY;
    }
    return found;
}

bool hcbr_i_sample_is_header(hcbr_i_sample *v, size_t record, size_t from, size_t to) {
    return has_words_above(v, record, from, to, false);
}

bool hcbr_i_sample_is_begun(hcbr_i_sample *v, size_t record, size_t from, size_t to) {
    return has_words_above(v, record, from, to, true);
}

/** Whether the first field of the record begins with a digit, or ends with two after a short word,
 *  as in Feb-1978 and Q1 2020. */
static bool is_counted(hcbr_i_sample *v, const hcbr_i_sampled *r) {
    const char *at = r->at;
    hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
    const size_t n = cell.length;
    return n > 0 &&
           (hcbr_i_is_digit(*cell.at) || (n >= 4 && n <= DATED && hcbr_i_is_digit(cell.at[n - 1]) &&
                                          hcbr_i_is_digit(cell.at[n - 2])));
}

/** Whether it is a date, perhaps with a time after a blank. */
static bool is_moment(hcbr_i_text cell) {
    const char *blank = memchr(cell.at, ' ', cell.length);
    if (blank != NULL)
        cell.length = (size_t)(blank - cell.at);
    return hcbr_i_cell_is_date(cell);
}

/**
 * Whether a column has words in two records above `first` or more, and numbers from there on. A
 * date is a word there, unless the records below have one.
 */
static bool is_measured(hcbr_i_sample *v, size_t first) {
    size_t dates[COLUMNS] = {0}, dated[COLUMNS] = {0};
    size_t numbers[COLUMNS] = {0}, above[COLUMNS] = {0}, below[COLUMNS] = {0};
    for (size_t i = v->header; i < v->last; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at;
        for (size_t c = 0; c < COLUMNS && c < r->fields; c++) {
            const hcbr_i_text cell = hcbr_i_sample_cell(v, r, &at);
            const hcbr_i_cell_kind k = hcbr_i_cell_judge(cell);
            numbers[c] += i >= first && k == HCBR_I_CELL_NUMBER;
            *(i < first ? &above[c] : &below[c]) += k == HCBR_I_CELL_TEXT;
            *(i < first ? &dates[c] : &dated[c]) += k == HCBR_I_CELL_NUMBER && is_moment(cell);
        }
    }
    for (size_t c = 1; c < COLUMNS && c < v->common; c++)
        if (above[c] + (dated[c] == 0 ? dates[c] : 0) > 1 && below[c] == 0 &&
            numbers[c] >= HCBR_I_NUMBERS)
            return true;
    return false;
}

/** Whether each field of the record has a name, all different. The first may be `bare`. */
static bool is_complete(hcbr_i_sample *v, const hcbr_i_sampled *r, bool bare) {
    hcbr_i_text names[COLUMNS];
    const char *at = r->at;
    if (r->fields != v->common || r->fields > COLUMNS || r->filled + (bare && r->bare) < r->fields)
        return false;
    for (size_t c = 0; c < r->fields; c++) {
        names[c] = hcbr_i_sample_cell(v, r, &at);
        for (size_t other = 0; other < c; other++)
            if (hcbr_i_order_text(names[c], names[other]) == 0)
                return false;
    }
    return true;
}

void hcbr_i_sample_settle(hcbr_i_sample *v, unsigned *below) {
    size_t first = v->last, top = v->header;
    *below = 0;
    while (first > top && is_counted(v, &v->records[first - 1]) &&
           v->records[first - 1].fields == v->common)
        first--;
    if (first <= top + HCBR_I_HEADERS || first > HCBR_I_LINES || !is_measured(v, first))
        return; // as headers are
    for (size_t i = top; i < first; i++)
        if (is_counted(v, &v->records[i]))
            return;
    if (is_complete(v, &v->records[first - 1], false)) {
        v->header = first - 1;
        return;
    }
    for (int bare = 0; bare < 2; bare++)
        for (size_t i = top; i < first; i++)
            if (is_complete(v, &v->records[i], bare)) {
                v->header = i;
                *below = (unsigned)(first - i - 1);
                return;
            }
}
