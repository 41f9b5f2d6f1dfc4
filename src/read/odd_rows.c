/*
 * Rows that are odd but can be used, or can be left out without doubt: HCBR_BAD_ROWS_AUTO.
 *
 * A row without a label teaches nothing; a short row lacks its last values; a line of one field in
 * a table of three or more columns is a heading or a remark; there may be empty fields after the
 * last column, quotes inside of a text, and a remark in the first field of an otherwise empty row.
 * They are counted, and one warning for each kind gives their number and the first places. But a
 * short last line without its end shows that a file was cut: it stops the run. Invariant: the
 * treatment of a row does not depend on the sizes of reads or on threads, so a row that may be the
 * last one waits for more bytes.
 */
#include "read/dialect.h"
#include "read/lane.h"

#include <stdio.h>

#define REMARKS 20 /* lines that a remark with a quote that is not closed may have */

/** Whether the record, which is not empty, repeats the header. */
static bool is_header(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit) {
    const char *at = p->record, *end = at + csv->line.length;
    return *at == *csv->line.at && csv->column_count > 1 &&
           csv->line.length < (size_t)(limit - at) &&
           memcmp(at, csv->line.at, csv->line.length) == 0 && hcbr_i_csv_line_ends(end);
}

bool hcbr_i_csv_is_aside(hcbr_i_parser *p, const hcbr_i_csv *csv, const char *limit) {
    if (csv->signs && p->record[0] == '#' && p->record[1] == ' ')
        p->fault = HCBR_I_FAULT_SIGN;
    else if (csv->line.length > 0 && is_header(p, csv, limit))
        p->fault = HCBR_I_FAULT_NAMES;
    else
        return false;
    return true;
}

/** Whether only blanks and line ends follow, to the end of the buffer. */
static bool ends_here(const hcbr_i_lane *lane, const char *next) {
    const char *end = lane->buffer + lane->end;
    while (next < end && (*next == '\n' || *next == '\r' || *next == ' ' || *next == '\t'))
        next++;
    return next == end;
}

/** Whether the line has at least two words. Then it is not a row that was cut. */
static bool is_remark(const char *line, const char *next) {
    bool word = false, blank = false;
    for (; line < next && *line != '\n'; line++) {
        bool is_blank = *line == ' ' || *line == '\t' || *line == '\r';
        if (word && blank && !is_blank)
            return true;
        word = word || !is_blank;
        blank = word && is_blank;
    }
    return false;
}

/** Whether it begins with a word of remarks below a table, and a colon. Below an empty line the
 *  word may be alone. */
static bool names_source(const char *at, const char *end, bool alone) {
    static const char *const words[] = {
        "source",   "sources",   "quelle",    "quellen",  "fuente",   "fuentes", "fonte",
        "fonti",    "bron",      "note",      "notes",    "nota",     "notas",   "remarque",
        "champ",    "remarques", "anmerkung", "hinweis",  "hinweise", "lecture", "legend",
        "legende",  "key",       "reference", "citation", "contact",  "stand",   "comment",
        "comments", "copyright", "ambito",    NULL};
    size_t length = 0;
    while (at + length < end && ((at[length] | 32) >= 'a' && (at[length] | 32) <= 'z'))
        length++;
    for (const char *const *word = words; *word != NULL; word++) {
        size_t n = 0;
        while (n < length && (at[n] | 32) == (*word)[n])
            n++;
        if (n < length || (*word)[n] != '\0')
            continue;
        for (at += n; at < end && *at == ' ';)
            at++;
        return at < end ? *at == ':' : alone;
    }
    return false;
}

bool hcbr_i_csv_names_footnotes(const char *at, const char *end) {
    static const char *const words[] = {"footnote", "fnseqid", "fussnote", "fu\xC3\x9Fnote", NULL};
    at += at < end && *at == '"';
    for (const char *const *word = words; *word != NULL; word++) {
        size_t n = 0;
        while (at + n < end && (*word)[n] != '\0' &&
               (at[n] == (*word)[n] || (at[n] >= 'A' && at[n] <= 'Z' && at[n] + 32 == (*word)[n])))
            n++;
        if ((*word)[n] == '\0')
            return true;
    }
    return false;
}

/** Whether it begins with the mark of a footnote: `*`, `(1)`, `[a]`, `2)`, a dagger, or a
 *  copyright. */
static bool has_mark(const char *at, const char *end) {
    const bool open = at < end && (*at == '(' || *at == '[');
    const char *mark = at + open;
    size_t length = 0;
    if (end - at < 3)
        return false;
    if (*at == '*' || memcmp(at, "\xC2\xA9", 2) == 0 || memcmp(at, "\xE2\x80\xA0", 3) == 0 ||
        memcmp(at, "\xE2\x80\xA1", 3) == 0)
        return true;
    while (mark + length < end && length < 3 &&
           (hcbr_i_is_digit(mark[length]) ||
            ((mark[length] | 32) >= 'a' && (mark[length] | 32) <= 'z')))
        length++;
    return length > 0 && length < 3 && mark + length < end &&
           (mark[length] == ')' || (open && mark[length] == ']'));
}

bool hcbr_i_csv_is_blank(const hcbr_i_csv *csv, const char *record, const char *end) {
    for (; record < end && *record != '\n'; record++)
        if (*record != csv->delimiter && *record != csv->quote && *record != ' ' && *record != '\r')
            return false;
    return true;
}

hcbr_i_text hcbr_i_csv_next_cell(const hcbr_i_csv *csv, const char **at, const char *end) {
    const char *from = *at, *stop;
    while (from < end && *from == ' ')
        from++;
    stop = from;
    if (csv->quote != 0 && from < end && *from == csv->quote) {
        for (stop = ++from; stop < end && *stop != csv->quote;)
            stop++;
        *at = stop;
    } else {
        while (stop < end && *stop != csv->delimiter && *stop != '\n' && *stop != '\r')
            stop++;
        *at = stop;
    }
    while (*at < end && **at != csv->delimiter && **at != '\n')
        ++*at;
    *at += *at < end;
    while (stop > from && stop[-1] == ' ')
        stop--;
    return (hcbr_i_text){from, (size_t)(stop - from)};
}

bool hcbr_i_csv_has_names(const hcbr_i_csv *csv, const char *record, const char *end) {
    const char *at = record;
    bool texts = false;
    for (uint64_t left = csv->numbers; left != 0 && at < end; left >>= 1) {
        const hcbr_i_text cell = hcbr_i_csv_next_cell(csv, &at, end);
        const hcbr_i_cell_kind k = left & 1 ? hcbr_i_cell_judge(cell) : HCBR_I_CELL_EMPTY;
        if (k == HCBR_I_CELL_NUMBER)
            return false;
        texts = texts || k == HCBR_I_CELL_TEXT;
    }
    return texts;
}

bool hcbr_i_csv_is_remark(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end) {
    const char *at = p->record, *stop;
    const bool quoted = csv->quote != 0 && *at == csv->quote;
    at += quoted;
    for (stop = at;
         stop < end && (quoted ? *stop != csv->quote : *stop != csv->delimiter && *stop != '\n');)
        stop++;
    return hcbr_i_csv_is_blank(csv, stop, end) &&
           (names_source(at, stop, csv->gap != HCBR_I_GAP_NO) ||
            (is_remark(at, stop) && (csv->gap != HCBR_I_GAP_NO || has_mark(at, stop))));
}

bool hcbr_i_csv_is_open(const hcbr_i_parser *p, const hcbr_i_csv *csv, const char *end) {
    const char *at = p->record, *line_end = memchr(at, '\n', (size_t)(end - at));
    size_t fields = 1, lines = 0;
    if (!p->takes_short || !csv->ready || csv->column_count < 2 || line_end == NULL)
        return false;
    for (const char *c = at; c < end; c++) {
        fields = *c == '\n' ? 1 : fields + (*c == csv->delimiter);
        lines += *c == '\n';
        if (fields >= csv->column_count || lines > REMARKS)
            return false; // it may be a row
    }
    at += *at == csv->quote;
    return names_source(at, line_end, csv->gap != HCBR_I_GAP_NO) ||
           hcbr_i_csv_names_footnotes(at, line_end) ||
           (is_remark(at, line_end) && (csv->gap != HCBR_I_GAP_NO || has_mark(at, line_end)));
}

void hcbr_i_odd_add(hcbr_i_odd *odd, hcbr_i_fault kind, uint64_t line) {
    hcbr_i_odd_kind *k = &odd->kinds[kind];
    if (k->count < HCBR_I_ODD_PLACES)
        k->lines[k->count] = line;
    k->count++;
}

void hcbr_i_odd_merge(hcbr_i_odd *to, const hcbr_i_odd *from, uint64_t before) {
    for (size_t kind = 0; kind < HCBR_I_FAULTS; kind++) {
        const hcbr_i_odd_kind *k = &from->kinds[kind];
        uint64_t shown = k->count < HCBR_I_ODD_PLACES ? k->count : HCBR_I_ODD_PLACES;
        for (uint64_t i = 0; i < shown; i++)
            hcbr_i_odd_add(to, (hcbr_i_fault)kind, k->lines[i] + before);
        to->kinds[kind].count += k->count - shown;
    }
}

hcbr_i_verdict hcbr_i_odd_judge(hcbr_i_lane *lane, hcbr_status st, const char *next) {
    hcbr_i_parser *p = &lane->p;
    bool below;
    if (p->fault == HCBR_I_FAULT_OTHER && lane->csv.gap == HCBR_I_GAP_UNKNOWN)
        return HCBR_I_WAIT; // the lane of the reader knows
    if (p->fault == HCBR_I_FAULT_OTHER)
        hcbr_i_odd_add(&lane->odd, p->fault, p->line);
    if (p->options->bad_rows != HCBR_BAD_ROWS_AUTO || p->fault == HCBR_I_FAULT_OTHER)
        return st == HCBR_OK ? HCBR_I_KEEP : HCBR_I_REFUSE;
    if (p->fault == HCBR_I_FAULT_NO_ROW && lane->held == NULL && lane->file_rows == 0 &&
        !lane->csv.sure)
        return HCBR_I_REFUSE; // the first row: perhaps the delimiter is another
    if ((p->is_short || p->fault == HCBR_I_FAULT_REMARK || p->fault == HCBR_I_FAULT_OPEN) &&
        lane->csv.gap == HCBR_I_GAP_UNKNOWN)
        return HCBR_I_WAIT; // the lane of the reader knows
    if (p->fault == HCBR_I_FAULT_LABEL && p->format->has_columns &&
        hcbr_i_csv_is_blank(&lane->csv, p->record, next))
        lane->csv.gap = HCBR_I_GAP_YES; // an empty line as wide as the table
    below = p->is_short && (lane->csv.gap == HCBR_I_GAP_REMARKS ||
                            (lane->csv.gap == HCBR_I_GAP_YES && is_remark(p->record, next)) ||
                            hcbr_i_csv_names_footnotes(p->record, next));
    if (p->is_short && ends_here(lane, next)) {
        if (!lane->last)
            return HCBR_I_WAIT;
        if (!below && (lane->is_cut || !lane->csv.forgives) &&
            (p->fault != HCBR_I_FAULT_NO_ROW || !is_remark(p->record, next)))
            return HCBR_I_REFUSE;
    }
    if (below)
        lane->csv.gap = HCBR_I_GAP_REMARKS;
    else if (p->fault == HCBR_I_FAULT_REMARK && lane->csv.gap == HCBR_I_GAP_NO)
        lane->csv.gap = HCBR_I_GAP_YES; // others may follow
    if (below && p->fault != HCBR_I_FAULT_NO_ROW) {
        hcbr_i_odd_add(&lane->odd, HCBR_I_FAULT_BELOW, p->line);
        return HCBR_I_LEAVE_OUT;
    }
    hcbr_i_odd_add(&lane->odd, p->fault, p->line);
    return st == HCBR_OK ? HCBR_I_KEEP : HCBR_I_LEAVE_OUT;
}

/** The first lines of a kind, for a message. */
static const char *list_lines(char list[200], const hcbr_i_odd_kind *k) {
    size_t used = 0;
    for (uint64_t i = 0; i < k->count && i < HCBR_I_ODD_PLACES; i++)
        used += (size_t)snprintf(list + used, 200 - used, "%s%llu", i == 0 ? "" : ", ",
                                 (unsigned long long)k->lines[i]);
    if (k->count > HCBR_I_ODD_PLACES)
        snprintf(list + used, 200 - used, ", ...");
    return list;
}

void hcbr_i_odd_say_other(const hcbr_read_options *o, const char *file, uint64_t line) {
    hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, file, 0, 0,
                  "line %llu, below an empty one, has words where the rows above have numbers: "
                  "perhaps another table begins, which is read as rows of the first",
                  (unsigned long long)line);
}

void hcbr_i_odd_report(const hcbr_i_odd *odd, const hcbr_read_options *o, const char *file) {
    static const struct {
        const char *one, *many;
    } words[HCBR_I_FAULTS] = {
        [HCBR_I_FAULT_LABEL] = {"row without a label is left out", "rows without a label are left "
                                                                   "out"},
        [HCBR_I_FAULT_SHORT] = {"short row is taken, its last columns are missing",
                                "short rows are taken, their last columns are missing"},
        [HCBR_I_FAULT_NO_ROW] = {"line of one field is left out",
                                 "lines of one field are left out"},
        [HCBR_I_FAULT_BELOW] = {"short line below an empty one is left out",
                                "short lines below an empty one are left out"},
        [HCBR_I_FAULT_LONG] = {"row has empty fields behind its last column, which are left out",
                               "rows have empty fields behind their last column, which are left "
                               "out"},
        [HCBR_I_FAULT_QUOTE] = {"row has quotes that stand for themselves",
                                "rows have quotes that stand for themselves"},
        [HCBR_I_FAULT_REMARK] = {"remark in the first field of an empty row is left out",
                                 "remarks in the first field of empty rows are left out"},
        [HCBR_I_FAULT_SIGN] = {"line that begins with # is left out",
                               "lines that begin with # are left out"},
        [HCBR_I_FAULT_NAMES] = {"row repeats the header and is left out",
                                "rows repeat the header and are left out"},
        [HCBR_I_FAULT_FORMULA] = {"row has values such as =\"01\", which are read as the text in "
                                  "them",
                                  "rows have values such as =\"01\", which are read as the text in "
                                  "them"},
        [HCBR_I_FAULT_OTHERWISE] = {"row has other delimiters or quotes than the others, and is "
                                    "read as is likeliest",
                                    "rows have other delimiters or quotes than the others, and are "
                                    "read as is likeliest"},
        [HCBR_I_FAULT_FLAWED] = {"row that cannot be read as the others are is left out",
                                 "rows that cannot be read as the others are are left out"},
        [HCBR_I_FAULT_OPEN] = {"remark is left out to the end of the file, since its quote is "
                               "never closed",
                               "remarks are left out, since their quotes are never closed"}};
    char list[200];
    if (odd->kinds[HCBR_I_FAULT_OTHER].count > 0)
        hcbr_i_odd_say_other(o, file, odd->kinds[HCBR_I_FAULT_OTHER].lines[0]);
    for (size_t kind = 1; kind < HCBR_I_FAULTS; kind++) {
        const hcbr_i_odd_kind *k = &odd->kinds[kind];
        if (k->count > 0 && words[kind].one != NULL)
            hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, file, 0, 0,
                          "%llu %s: %s%s %s (option bad_rows stop refuses this)",
                          (unsigned long long)k->count,
                          k->count == 1 ? words[kind].one : words[kind].many, file ? "line" : "row",
                          k->count == 1 ? "" : "s", list_lines(list, k));
    }
}
