/*
 * At the start of a csv or tsv file: find its dialect from its first bytes, with a note.
 *
 * Invariant: there is a note whenever the dialect differs from the options. The bytes used do not
 * depend on the sizes of reads: 64 KiB or as many as a record may have; for input that may be
 * written line by line, the first line.
 */
#include "read/dialect.h"
#include "read/reader.h"

/** Have the bytes in the buffer that are looked at; *whole: there are no more. */
static hcbr_status gather(hcbr_i_reader *r, bool one_line, size_t *size, bool *whole,
                          hcbr_error *err) {
    hcbr_i_lane *lane = &r->lane;
    const size_t most =
        r->options.max_line < HCBR_I_DIALECT_BYTES ? r->options.max_line : HCBR_I_DIALECT_BYTES;
    for (;;) {
        const char *at = lane->buffer + lane->begin, *end = lane->buffer + lane->end;
        const char *line = at, *newline; // the first that is not blank
        hcbr_status st;
        while (line < end && (*line == ' ' || *line == '\t' || *line == '\r' || *line == '\n'))
            line++;
        newline = memchr(line, '\n', (size_t)(end - line));
        *size = lane->end - lane->begin;
        *whole = lane->last;
        if (one_line && newline != NULL) {
            *size = (size_t)(newline - at) + 1;
            *whole = true;
        }
        if (*whole || *size >= most)
            break;
        if ((st = hcbr_i_reader_fill(r, err)) != HCBR_OK)
            return st;
    }
    *whole = *whole && *size <= most;
    *size = *size < most ? *size : most;
    return HCBR_OK;
}

/** Whether the name is that of a column by its position. */
static bool is_place(const char *name) {
    size_t n = name != NULL ? strspn(name, "0123456789") : 0;
    return n > 0 && n < 6 && name[n] == '\0' && name[0] != '0';
}

static void say(const hcbr_i_reader *r, const char *text) {
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                  "%s", text);
}

static void say_delimiter(const hcbr_i_reader *r, char c) {
    const char *name = c == '\t' ? "tabs" : c == ' ' ? "blanks" : NULL;
    char shown[200];
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                  "fields are separated by %s (option delimiter overrides this)",
                  name != NULL ? name : hcbr_i_quote(shown, &c, 1));
}

/** Two signs would cut all records alike. */
static void say_doubt(const hcbr_i_reader *r, const char signs[2]) {
    char first[200], second[200];
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_WARNING, r->lane.p.file, 0, 0,
                  "fields may be separated by %s or by %s: neither is taken (option delimiter says "
                  "which)",
                  hcbr_i_quote(first, signs, 1), hcbr_i_quote(second, signs + 1, 1));
}

/** Lines above the header are not part of the table. */
static void leave_out(hcbr_i_reader *r, const hcbr_i_dialect *d) {
    r->lane.begin += d->bytes;
    r->lane.line += d->lines;
    if (d->signed_names)
        say(r,
            "the names of the columns stand in a remark above the rows (option header 1 takes the "
            "first row for them)");
    if (d->lines == 0)
        return;
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                  "%llu line%s above the header %s left out (option strict keeps %s)",
                  (unsigned long long)d->lines, d->lines == 1 ? "" : "s",
                  d->lines == 1 ? "is" : "are", d->lines == 1 ? "it" : "them");
}

/** Names requested by options, and those of labels; a line with one of them is a header. */
static size_t list_names(const hcbr_read_options *o, const char *names[16]) {
    size_t count = 0;
    for (size_t i = 0; i < HCBR_I_LABEL_NAMES; i++)
        names[count++] = hcbr_i_label_names[i];
    if (o->label != NULL)
        names[count++] = o->label;
    if (o->id != NULL)
        names[count++] = o->id;
    if (o->weight != NULL)
        names[count++] = o->weight;
    if (o->group != NULL)
        names[count++] = o->group;
    for (size_t i = 0; i < o->ignore_count && count < 12; i++)
        names[count++] = o->ignore[i];
    for (size_t i = 0; i < o->text_count && count < 16; i++)
        names[count++] = o->text[i];
    return count;
}

hcbr_status hcbr_i_reader_find_objects(hcbr_i_reader *r, hcbr_error *err) {
    size_t size;
    bool whole, list;
    hcbr_status st = gather(r, true, &size, &whole, err);
    if (st != HCBR_OK)
        return st;
    r->lane.json.on = hcbr_i_json_is_whole(r->lane.buffer + r->lane.begin, size, &list);
    r->lane.json.list = list;
    if (r->lane.json.on)
        say(r, list ? "read as a list of JSON objects"
                    : "read as JSON objects that go over several lines");
    return HCBR_OK;
}

/** Note the style of a file that differs from the format's. */
static void say_style(const hcbr_i_reader *r, const hcbr_i_style *found) {
    const hcbr_i_csv *csv = &r->lane.csv;
    if (found->runs)
        say(r, "fields are separated by runs of blanks (option delimiter overrides this)");
    else if (found->delimiter != csv->delimiter)
        say_delimiter(r, found->delimiter);
    if (found->quote != csv->quote)
        say(r, found->quote == '\'' ? "fields are in single quotes (option quote overrides this)"
                                    : "quotes stand for themselves (option quote overrides this)");
    if (found->escape != csv->escape)
        say(r, "a backslash escapes the character after it (option escape overrides this)");
}

static void say_header(hcbr_i_reader *r, const hcbr_i_dialect *found) {
    if (found->no_header)
        say(r, "read without a header, since its first line is like the others (option header 1 "
               "reads it as one)");
    if (found->headers > 1 && r->options.header == 0)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                      "%u lines are read as the header (option header overrides this)",
                      found->headers);
    if (found->below > 0)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                      "%u line%s between the names and the rows %s left out (option header 1 keeps "
                      "%s)",
                      found->below, found->below == 1 ? "" : "s", found->below == 1 ? "is" : "are",
                      found->below == 1 ? "it" : "them");
    if (found->row_names)
        say(r, "the header names one column fewer than the rows have: the first one is called 1");
    if (found->unnamed > 0)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                      "the header names %zu columns fewer than the rows have: the last ones are "
                      "called %zu to %zu",
                      found->unnamed, found->width - found->unnamed + 1, found->width);
    if (found->columns > 0)
        say(r, "empty names at the end of the header, which no row has a field for, are left out");
}

/** Whether all lines end with two carriage returns and a newline. */
static bool has_double_ends(const char *bytes, size_t size) {
    const char *end = bytes + size, *at = bytes, *newline;
    bool found = false;
    for (; (newline = memchr(at, '\n', (size_t)(end - at))) != NULL; at = newline + 1) {
        if (newline - at < 2 || newline[-1] != '\r' || newline[-2] != '\r')
            return false;
        found = true;
    }
    return found;
}

/**
 * Old lines end with a carriage return alone: make them newlines. A newline that was made a
 * carriage return and a newline twice has one too many: leave it out.
 *
 * @return how many of the bytes are left.
 */
static size_t find_line_ends(hcbr_i_reader *r, size_t size) {
    hcbr_i_lane *lane = &r->lane;
    char *bytes = lane->buffer + lane->begin;
    const bool ended = lane->last && size > 0; // by a newline that may have been added
    size_t left, all;
    if (memchr(bytes, '\r', size) == NULL)
        return size;
    if (memchr(bytes, '\n', size - ended) == NULL) {
        r->cr_lines = true;
        say(r, "lines end with a carriage return");
    } else if (has_double_ends(bytes, size - (ended && bytes[size - 2] != '\r'))) {
        r->cr_twice = true;
        say(r, "lines end with two carriage returns and a newline (option strict refuses this)");
    }
    left = hcbr_i_reader_end_lines(r, bytes, size);
    all = lane->end - lane->begin;
    memmove(bytes + left, bytes + size, all - size);
    lane->end = lane->begin + left + hcbr_i_reader_end_lines(r, bytes + left, all - size);
    hcbr_i_reader_close(r);
    return left;
}

/** The options about the dialect of a file. */
static hcbr_i_dialect_given given_by(const hcbr_i_reader *r, char delimiter,
                                     const char *names[16]) {
    const hcbr_read_options *o = &r->options;
    return (hcbr_i_dialect_given){.delimiter = delimiter,
                                  .is_asked = o->delimiter != 0,
                                  .no_header = o->no_header != 0,
                                  .headers = o->header,
                                  .quote = o->quote,
                                  .escape = o->escape,
                                  .by_place = is_place(o->label),
                                  .names = names,
                                  .name_count = list_names(o, names)};
}

/** Whether each line that is not empty has one tab, as a label and its words have. */
static bool is_labelled_text(const char *at, const char *end) {
    size_t tabs = 0;
    for (const char *line = at; at < end; at++) {
        tabs += *at == '\t';
        if (*at != '\n')
            continue;
        if (tabs != 1 && at > line + (at[-1] == '\r'))
            return false;
        tabs = 0;
        line = at + 1;
    }
    return true;
}

hcbr_status hcbr_i_reader_find_table(hcbr_i_reader *r, const hcbr_i_format **format,
                                     hcbr_error *err) {
    const char *names[16], *bytes;
    const char own = r->options.delimiter != 0 ? (char)r->options.delimiter : ',';
    const hcbr_i_dialect_given given = given_by(r, own, names);
    hcbr_i_dialect found;
    size_t size;
    bool whole;
    hcbr_status st;
    if (r->options.strict || hcbr_i_source_size(r->source) == 0)
        return HCBR_OK;
    if ((st = gather(r, false, &size, &whole, err)) != HCBR_OK)
        return st;
    bytes = r->lane.buffer + r->lane.begin;
    if (!hcbr_i_dialect_find(&found, &given, bytes, size, whole))
        return hcbr_i_no_memory(err);
    // Sentences have blanks after their commas and between their words.
    if (!found.sure || found.width < 3 || found.lines >= found.agree ||
        is_labelled_text(bytes, bytes + size) ||
        (found.style.delimiter == ' ' ? !found.style.runs || !found.measured
                                      : !found.even || (found.padded && !found.measured)))
        return HCBR_OK;
    *format = found.style.delimiter == '\t' ? &hcbr_i_format_tsv : &hcbr_i_format_csv;
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, r->lane.p.file, 0, 0,
                  "read as %s, by its first lines (option format overrides this)", (*format)->name);
    return HCBR_OK;
}

hcbr_status hcbr_i_reader_find_dialect(hcbr_i_reader *r, hcbr_error *err) {
    hcbr_i_csv *csv = &r->lane.csv;
    const char *names[16];
    const hcbr_i_dialect_given given = given_by(r, csv->delimiter, names);
    hcbr_i_dialect found;
    size_t size;
    bool whole, is_live = !r->labelled && hcbr_i_source_size(r->source) == 0;
    hcbr_status st = gather(r, is_live, &size, &whole, err);
    if (st != HCBR_OK)
        return st;
    if (!is_live)
        size = find_line_ends(r, size);
    if (!hcbr_i_dialect_find(&found, &given, r->lane.buffer + r->lane.begin, size, whole))
        return hcbr_i_no_memory(err);
    say_style(r, &found.style);
    if (found.doubtful[0] != '\0')
        say_doubt(r, found.doubtful);
    csv->delimiter = found.style.delimiter;
    csv->quote = found.style.quote;
    csv->escape = found.style.escape;
    csv->runs = found.style.runs;
    csv->trailing = found.trailing;
    csv->odd = csv->quote != '"' || csv->escape != 0 || csv->runs || csv->trailing;
    if (found.bytes > 0)
        leave_out(r, &found);
    csv->padded = found.padded;
    if (found.padded && found.trailing)
        say(r, "blanks around the delimiter are left out (option strict keeps them)");
    else if (found.padded || found.trailing)
        say(r, found.padded ? "blanks after the delimiter are left out (option strict keeps them)"
                            : "blanks before the delimiter are left out (option strict keeps "
                              "them)");
    if (found.other > 0)
        hcbr_i_odd_say_other(&r->options, r->lane.p.file, r->lane.line + found.other);
    say_header(r, &found);
    csv->no_header = csv->no_header || found.no_header;
    csv->headers = found.headers;
    csv->below = found.below;
    csv->row_names = found.row_names;
    csv->most_columns = found.columns;
    csv->least_columns = found.unnamed > 0 ? found.width : 0;
    csv->unquoted = found.unquoted;
    csv->sure = found.sure;
    csv->forgives = found.sure && found.agree >= HCBR_I_MANY;
    csv->width = found.sure ? found.width : 0;
    csv->signs = found.signs;
    csv->numbers = found.numbers;
    return HCBR_OK;
}
