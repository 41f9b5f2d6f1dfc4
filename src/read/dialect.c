/*
 * The dialect of a csv or tsv file: delimiter, quotes, escapes, blanks after the delimiter and
 * lines above the header, all from the first records.
 *
 * The format's own dialect is kept as long as most records agree with the first one, so that plain
 * files are never read in another way. Another one needs nine of ten records that agree, and
 * evidence. Invariant: the result depends on the bytes of the sample alone.
 */
#include "read/dialect.h"
#include "read/parse.h"

#define SWALLOWED 1024 /* bytes over several lines in one field that are doubtful */

/* ---- records --------------------------------------------------------------------------------- */

static bool ends_field(const hcbr_i_style *s, const char *at, const char *end) {
    return at == end || *at == s->delimiter || *at == '\n' ||
           (*at == '\r' && (at + 1 == end || at[1] == '\n'));
}

/** From after a quote to after the closing one; NULL: none. */
static const char *closing(hcbr_i_sample *v, const char *at, const char *end) {
    const hcbr_i_style *s = &v->style;
    for (; at < end; at++) {
        if (s->escape != 0 && *at == s->escape && at + 1 < end) {
            v->escapes += at[1] == s->quote;
            at++;
        } else if (*at == s->quote && at + 1 < end && at[1] == s->quote) {
            at++;
        } else if (*at == s->quote) {
            return at + 1;
        }
    }
    return NULL;
}

const char *hcbr_i_sample_field(hcbr_i_sample *v, hcbr_i_sampled *r, const char *at,
                                const char *end) {
    const hcbr_i_style *s = &v->style;
    const char *start = at;
    while (start < end && *start == ' ' && s->delimiter != ' ')
        start++;
    if (s->quote != 0 && start < end && *start == s->quote) {
        const char *close = closing(v, start + 1, end);
        if (close == NULL) {
            r->is_bad = true;
            return end;
        }
        while (close < end && *close == ' ' && s->delimiter != ' ')
            close++;
        if (ends_field(s, close, end)) {
            r->quoted++;
            if ((size_t)(close - start) > v->longest)
                v->longest = (size_t)(close - start);
        } else {
            r->is_bad = true;
        }
        at = close;
    }
    for (; at < end && *at != s->delimiter && *at != '\n'; at++) {
        v->inner += s->quote != 0 && *at == s->quote;
        if (s->escape != 0 && *at == s->escape && at + 1 < end && at[1] != '\n' && at[1] != '\r') {
            v->escapes += at[1] == s->delimiter;
            at++;
        }
    }
    return at;
}

/** Whether the field has anything but blanks and quotes. */
static bool is_filled(const char *at, const char *end, char quote) {
    while (at < end && (*at == ' ' || *at == quote || *at == '\r'))
        at++;
    return at < end;
}

/** Whether the field begins with a quote that does not end it. */
static bool is_loose(const char *at, const char *end) {
    end -= end > at && end[-1] == '\r';
    return end > at && *at == '"' && (end == at + 1 || end[-1] != '"');
}

/** After a delimiter: the start of the next field. */
static const char *next_field(const hcbr_i_style *s, const char *stop, const char *end) {
    do
        stop++;
    while (s->runs && stop < end && *stop == ' ');
    return stop;
}

/** Read a record; false: it is not complete. */
static bool read_record(hcbr_i_sample *v, hcbr_i_sampled *r, const char *at, const char *end,
                        bool whole) {
    const hcbr_i_style *s = &v->style;
    const char *from = at, *stop;
    *r = (hcbr_i_sampled){.at = at};
    while (s->runs && from < end && *from == ' ')
        from++;
    for (;; from = next_field(s, stop, end)) {
        if (s->runs && r->fields > 0 && ends_field(s, from, end) && from < end && *from != ' ') {
            stop = memchr(from, '\n', (size_t)(end - from)); // blanks at the end of the line
            stop = stop == NULL ? end : stop;
            break;
        }
        stop = hcbr_i_sample_field(v, r, from, end);
        bool filled = is_filled(from, stop, s->quote);
        v->loose += s->quote == 0 && is_loose(from, stop);
        r->bare = r->fields == 0 ? !filled : r->bare;
        r->fields++;
        r->filled += filled;
        r->open = !filled;
        if (from > at && filled) {
            r->after++;
            r->padded += *from == ' ';
        }
        if (stop == end || *stop == '\n')
            break;
    }
    r->end = stop < end ? stop + 1 : end;
    return stop < end || whole;
}

/** Empty lines between all records mean nothing. */
static void forget_gaps(hcbr_i_sample *v) {
    size_t gaps = 0;
    for (size_t i = 0; i < v->count; i++)
        gaps += v->records[i].gap;
    for (size_t i = 0; v->count > 3 && gaps + 1 >= v->count && i < v->count; i++)
        v->records[i].gap = false;
}

/** Whether its few lines all have fewer fields than the record before. It ends in a quote. */
static bool is_open_remark(const hcbr_i_sample *v, const hcbr_i_sampled *r) {
    size_t fields = 1;
    for (const char *at = r->at; at < r->end; at++) {
        fields = *at == '\n' ? 1 : fields + (*at == v->style.delimiter);
        if (fields >= r[-1].fields)
            return false;
    }
    return (size_t)(r->end - r->at) <= SWALLOWED;
}

/** Records of another number of fields, below names of their own, are another table. */
static void forget_second(hcbr_i_sample *v) {
    size_t first = 1;
    while (first < v->count && v->records[first].fields == v->records[0].fields)
        first++;
    if (first <= HCBR_I_MANY || first + 1 >= v->count || v->records[first].fields < 2)
        return;
    for (size_t i = first; i < v->count; i++)
        if (v->records[i].fields != v->records[first].fields)
            return;
    if (hcbr_i_sample_is_words(v, first) && !hcbr_i_sample_is_words(v, first + 1) &&
        hcbr_i_sample_is_header(v, 0, 1, first))
        v->count = first;
}

/** Read the records from `at` on, after the present ones. */
static void read_records(hcbr_i_sample *v, const char *at, const char *end, bool whole) {
    v->remark_count = 0;
    v->bad = 0;
    while (at < end && v->count < HCBR_I_SAMPLE) {
        hcbr_i_sampled *r = &v->records[v->count];
        if (!read_record(v, r, at, end, whole)) {
            v->bad += r->is_bad && (size_t)(end - at) > SWALLOWED + 4 * v->longest;
            break;
        }
        at = r->end;
        if (r->filled == 0) { // counts neither for nor against
            if (v->count > 0)
                r[-1].gap = true;
            continue;
        }
        if (r->fields == 1 && hcbr_i_is_frame(r->at, at))
            continue; // nor does a rule
        if (v->count > 0 && hcbr_i_sampled_is_comment(r) && !hcbr_i_sampled_is_comment(r - 1)) {
            if (v->remark_count < HCBR_I_REMARKS)
                v->remarks[v->remark_count++] = *r;
            continue; // nor does a remark below the header
        }
        if (r->is_bad && v->count > 1 && at == end && is_open_remark(v, r))
            continue; // nor does one at the end whose quote is not closed
        v->count++;
        v->bad += r->is_bad;
        v->quoted += r->quoted;
    }
    forget_gaps(v);
    forget_second(v);
    hcbr_i_sample_find_table(v);
}

/** Whether the line, in this reading, has a word in each field; if `may`, one of four may be
 *  empty. */
static bool is_named(const hcbr_i_sample *v, bool may) {
    size_t filled = 0;
    for (size_t i = 0; i < v->common; i++) {
        const hcbr_i_piece *piece = &v->pieces[i];
        const char *at = piece->at, *stop = piece->stop;
        while (at < stop && (*at == ' ' || *at == v->style.quote))
            at++;
        while (stop > at && (stop[-1] == ' ' || stop[-1] == v->style.quote))
            stop--;
        filled += at < stop;
        if ((piece->how == HCBR_I_PIECE_PLAIN &&
             memchr(piece->at, v->style.delimiter, (size_t)(piece->stop - piece->at)) != NULL) ||
            hcbr_i_cell_judge((hcbr_i_text){at, (size_t)(stop - at)}) == HCBR_I_CELL_NUMBER)
            return false;
    }
    return filled * 4 >= v->common * (may ? 3 : 4);
}

/** Whether the line of the first record has names, with any delimiter. */
static bool find_names(hcbr_i_sample *v, const char *stop) {
    const hcbr_i_sampled *first = v->records;
    hcbr_i_csv_way way = {v->style.delimiter, v->style.quote, v->common, 0};
    hcbr_i_alignment found = HCBR_I_ALIGNED_NOT;
    // A title may have as many words.
    const bool other = !hcbr_i_sample_is_words(v, 1) &&
                       !hcbr_i_sample_is_header(v, 1, 2, v->count) && first->fields < v->common;
    if ((first->is_bad || first->fields > v->common) &&
        hcbr_i_csv_align(v->pieces, &way, first->at, stop, &found, NULL) != HCBR_OK)
        v->failed = true;
    if (found != HCBR_I_ALIGNED_NOT && is_named(v, true))
        return !v->failed;
    for (const char *d = HCBR_I_DELIMITERS; *d != '\0' && other && !v->failed; d++) {
        way.delimiter = *d;
        if (hcbr_i_csv_align(v->pieces, &way, first->at, stop, &found, NULL) != HCBR_OK)
            v->failed = true;
        else if (*d != v->style.delimiter && found == HCBR_I_ALIGNED_QUOTES && is_named(v, false))
            return true;
    }
    return false;
}

/**
 * Nearly all records but the first have the same number of fields. If its first line can be read as
 * that many names, make it the first record.
 */
static void mend_first(hcbr_i_sample *v, const char *end, bool whole) {
    hcbr_i_sampled *first = v->records;
    const char *line = v->count > 0 ? memchr(first->at, '\n', (size_t)(end - first->at)) : NULL;
    if (line == NULL || v->count <= HCBR_I_MANY || v->common < 3 || v->common > HCBR_I_CELLS ||
        v->agree < HCBR_I_MANY || v->agree * 10 < (v->count - 1) * 9 || v->style.quote == 0 ||
        v->style.escape != 0 || v->style.runs || (!first->is_bad && first->fields == v->common) ||
        hcbr_i_sampled_is_comment(first) || !find_names(v, line))
        return;
    *first = (hcbr_i_sampled){
        .at = first->at, .end = line + 1, .fields = v->common, .filled = v->common};
    v->count = 1;
    v->quoted = v->escapes = v->loose = v->longest = 0;
    v->is_mended = true;
    read_records(v, line + 1, end, whole);
}

static void look(hcbr_i_sample *v, const char *bytes, size_t size, hcbr_i_style style, bool whole) {
    v->style = style;
    v->is_mended = false;
    v->count = v->quoted = v->escapes = v->loose = v->inner = v->longest = 0;
    read_records(v, bytes, bytes + size, whole);
    mend_first(v, bytes + size, whole);
}

/* ---- the style ------------------------------------------------------------------------------- */

/** Whether enough records agree on two or more fields, the header being one of the first. */
static bool is_plain(const hcbr_i_sample *v, bool is_own) {
    const size_t records = v->last - v->header - v->is_short - v->is_apart;
    return v->common >= 2 && v->header < v->count && v->header <= HCBR_I_LINES &&
           (is_own ? v->below * 3 >= records * 2 : v->below * 10 >= records * 9) &&
           (v->header == 0 || v->below > 1);
}

/** The state of the search. */
typedef struct looking {
    const hcbr_i_dialect_given *given;
    const char *bytes;
    size_t size;
    bool whole;
    hcbr_i_sample *other; /* room for a sample */
    char *doubtful;       /* of the dialect */
} looking;

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/** Whether the number before the comma or the one after it is impossible with a decimal comma. */
static bool is_apart(const looking *l, const char *comma) {
    const char *before = comma, *after = comma + 1, *end = l->bytes + l->size;
    while (before > l->bytes && is_digit(before[-1]))
        before--;
    while (after < end && is_digit(*after))
        after++;
    return (before > l->bytes && before[-1] == ':') || // a time
           (after + 1 < end && *after == '.' && is_digit(after[1]));
}

/** Whether each comma is between two digits. Then none is a delimiter. */
static bool has_decimals(const looking *l) {
    const char *at = l->bytes, *end = l->bytes + l->size;
    if (l->given->delimiter != ',')
        return false;
    for (; (at = memchr(at, ',', (size_t)(end - at))) != NULL; at++)
        if (at == l->bytes || at + 1 == end || !is_digit(at[-1]) || !is_digit(at[1]) ||
            is_apart(l, at))
            return false;
    return true;
}

/** Whether each comma has a blank after it, as in sentences and names of people. */
static bool has_pauses(const looking *l) {
    const char *at = l->bytes, *end = l->bytes + l->size;
    for (; (at = memchr(at, ',', (size_t)(end - at))) != NULL; at++)
        if (at + 1 < end && at[1] != ' ')
            return false;
    return true;
}

/**
 * Whether, apart from the first line, of names, each comma is between two digits, and all records
 * have equal numbers of fields by semicolons, tabs or bars. Then these are the delimiters. They
 * are, too, if each comma has a blank after it and they make more fields.
 */
static bool has_others(const looking *l, hcbr_i_style style, size_t fields) {
    static const char others[] = {';', '\t', '|'};
    const char *line = memchr(l->bytes, '\n', l->size);
    looking below = *l;
    if (l->given->delimiter != ',' || line == NULL)
        return false;
    below.size -= (size_t)(line + 1 - l->bytes);
    below.bytes = line + 1;
    bool pauses = has_pauses(l);
    if (memchr(below.bytes, ',', below.size) == NULL || (!pauses && !has_decimals(&below)))
        return false;
    for (size_t i = 0; i < sizeof others; i++) {
        style.delimiter = others[i];
        look(l->other, l->bytes, l->size, style, l->whole);
        if (is_plain(l->other, false) && l->other->below > 2 &&
            l->other->below + l->other->header == l->other->count &&
            (!pauses || l->other->common > fields))
            return true;
    }
    return false;
}

/**
 * Signs that hardly ever separate fields do so if all records, three or more, have as many of them,
 * and no other delimiter has done as well. *best receives the only one.
 *
 * @return how many fit; doubtful receives two of several.
 */
static unsigned try_odd(const looking *l, hcbr_i_style style, hcbr_i_style *best,
                        char doubtful[2]) {
    static const char tried[] = {'^', '~', '$', '#', '@', '!', 0x1F, 0x1E, 1};
    hcbr_i_sample *other = l->other;
    unsigned found = 0;
    style.runs = false;
    for (size_t i = 0; i < sizeof tried; i++) {
        style.delimiter = tried[i];
        if (memchr(l->bytes, tried[i], l->size) == NULL || tried[i] == style.escape)
            continue;
        look(other, l->bytes, l->size, style, l->whole);
        if (other->count < 3 || other->common < 3 || other->header > 0 || other->is_short ||
            other->agree < other->count || other->bad > 0)
            continue;
        if (found < 2)
            doubtful[found] = tried[i];
        found++;
        *best = style;
    }
    return found;
}

/** A colon separates fields if all records have as many and nothing else explains them. */
static bool try_colon(const looking *l, hcbr_i_style style, hcbr_i_style *best) {
    hcbr_i_sample *other = l->other;
    style.runs = false;
    style.delimiter = ':';
    if (memchr(l->bytes, ':', l->size) == NULL || style.escape == ':')
        return false;
    look(other, l->bytes, l->size, style, l->whole);
    if (other->count < 3 || other->common < 3 || other->header > 0 || other->is_short ||
        other->agree < other->count || other->bad > 0 || !hcbr_i_sample_has_colon_fields(other))
        return false;
    *best = style;
    return true;
}

/** Choose the delimiter; its sample is in *v. false: none but the one of the format. */
static bool choose(const looking *l, hcbr_i_sample *v, hcbr_i_style style) {
    static const char tried[] = {',', ';', '\t', '|', ' ', ' '};
    hcbr_i_sample *other = l->other;
    hcbr_i_style best = style;
    size_t most = 0, fields = 0, above;
    bool is_tied = false, is_better, is_mixed, is_whole = false;
    best.delimiter = style.delimiter = l->given->delimiter;
    look(v, l->bytes, l->size, style, l->whole);
    if (l->given->is_asked)
        return true;
    is_mixed = has_decimals(l) || has_others(l, style, v->common);
    if (is_plain(v, false) && v->header == 0 && !v->is_short && !is_mixed)
        return true;
    above = v->header;
    if (is_plain(v, true) && !is_mixed) {
        most = v->below; // except for lines above the header
        is_whole = v->below == v->count;
    }
    for (size_t i = 0; i < sizeof tried; i++) {
        style.delimiter = tried[i];
        style.runs = i + 1 == sizeof tried;
        look(other, l->bytes, l->size, style, l->whole);
        if ((tried[i] == l->given->delimiter && !style.runs) || !is_plain(other, false) ||
            (tried[i] == ' ' &&
             ((most > 0 && (best.delimiter != ' ' || other->common >= fields)) ||
              (other->below + other->is_short < other->count && !(other->is_block && style.runs)) ||
              other->count < 3)))
            continue;
        is_better = other->below > most || (style.runs && best.delimiter == ' ') ||
                    (other->below == most && most > 0 && above > 0 && other->header == 0);
        is_tied = !is_better && (is_tied || other->below == most);
        if (is_better) {
            above = other->header;
            most = other->below;
            fields = other->common;
            best = style;
            is_whole = other->below == other->count;
        }
    }
    unsigned odd = is_whole ? 0 : try_odd(l, style, &best, l->doubtful);
    if (odd > 1)
        return false;
    l->doubtful[0] = '\0';
    if (odd == 0 && !is_whole)
        odd = try_colon(l, style, &best);
    if (is_tied && odd == 0)
        return false;
    look(v, l->bytes, l->size, best, l->whole);
    return true;
}

/** Whether there is one quote only, which is a whole field. */
static bool has_lone_quote(const looking *l, char delimiter) {
    const char *quote = memchr(l->bytes, '"', l->size), *end = l->bytes + l->size;
    return quote != NULL && quote > l->bytes && quote + 1 < end && quote[-1] == delimiter &&
           quote[1] == delimiter && memchr(quote + 1, '"', (size_t)(end - quote) - 1) == NULL;
}

/** Whether the file is well-formed in this style, with evidence for it. */
static bool is_shown(const looking *l, const hcbr_i_sample *v, const hcbr_i_sample *plain) {
    if (!is_plain(v, false) || v->bad > 0)
        return false;
    if (v->style.escape != 0 && v->escapes == 0)
        return false;
    return v->style.quote == 0 ? (plain->bad > 0 && v->loose > 1) || // one alone is a mistake
                                     has_lone_quote(l, v->style.delimiter)
                               : v->style.quote == '"' || (v->quoted > 1 && plain->quoted == 0);
}

/** Choose quotes, escapes and the delimiter; the sample is in *v, and v[2] is room for another. */
static bool find_style(looking *l, hcbr_i_sample *v) {
    static const hcbr_i_style styles[] = {{.quote = '"'},  {.quote = '"', .escape = '\\'},
                                          {.quote = '\''}, {.quote = '\'', .escape = '\\'},
                                          {.quote = 0},    {.quote = 0, .escape = '\\'}};
    const int quote = l->given->quote, escape = l->given->escape;
    hcbr_i_style first = {.quote = quote == 0  ? '"'
                                   : quote < 0 ? 0
                                               : (char)quote,
                          .escape = escape > 0 ? (char)escape : 0};
    const bool found = choose(l, v, first);
    for (size_t i = 1; i < sizeof styles / sizeof *styles; i++) {
        hcbr_i_style s = styles[i];
        if ((quote != 0 && s.quote != first.quote) || (escape != 0 && s.escape != first.escape) ||
            (s.quote == first.quote && s.escape == first.escape))
            continue;
        if (v->bad == 0 && v->inner == 0 && is_plain(v, false) && s.quote != '\'')
            continue; // nothing is wrong with it
        if ((s.quote == '\'' && memchr(l->bytes, '\'', l->size) == NULL) ||
            (s.escape != 0 && memchr(l->bytes, s.escape, l->size) == NULL))
            continue;
        if (choose(l, &v[2], s) && is_shown(l, &v[2], v) &&
            (!is_plain(v, false) || v[2].below >= v->below) &&
            (s.quote != '\'' || !is_plain(v, false) || hcbr_i_sample_is_quoted(&v[2]))) {
            *v = v[2];
            return true;
        }
    }
    return found;
}

/** Whether each value after a delimiter begins with a blank, or each of some columns. */
static bool is_padded(hcbr_i_sample *v) {
    size_t after = 0, padded = 0;
    for (size_t i = v->header + 1; i < v->last; i++) {
        after += v->records[i].after;
        padded += v->records[i].padded;
    }
    return v->style.delimiter != ' ' && after >= 3 && padded > 0 &&
           (padded == after || hcbr_i_sample_is_aligned(v));
}

/** Whether the last field of each row is empty. */
static bool is_open(const hcbr_i_sample *v) {
    for (size_t i = v->header + 1; i < v->last; i++)
        if (v->records[i].fields == v->common && !v->records[i].open)
            return false;
    return true;
}

/** Whether there are blanks in the lines, which would count as a record. */
static bool has_blanks(const char *at, const char *end) {
    while (at < end && (*at == '\n' || *at == '\r'))
        at++;
    return at < end;
}

/** Set the results of the sample, besides its style. */
static void tell(hcbr_i_dialect *out, const hcbr_i_dialect_given *given, hcbr_i_sample *v,
                 const char *bytes) {
    if (is_plain(v, true) && !given->no_header && given->headers == 0)
        hcbr_i_sample_settle(v, &out->below);
    const char *header = v->records[v->header].at;
    out->style = v->style;
    if (is_plain(v, true)) {
        out->bytes = v->header > 0 || has_blanks(bytes, header) ? (size_t)(header - bytes) : 0;
        for (size_t i = 0; i < out->bytes; i++)
            out->lines += bytes[i] == '\n';
        if (!given->no_header && v->records[v->header].fields > v->common && v->below > 1)
            out->columns = v->common;
        out->sure = v->below > 2;
        out->signs = hcbr_i_sample_has_signs(v);
        out->row_names = v->is_short && !v->is_cut && !is_open(v) && !given->no_header &&
                         hcbr_i_sample_has_row_names(v);
        out->unnamed =
            v->is_cut && !given->no_header ? v->common - v->records[v->header].fields : 0;
        out->width = v->common;
        out->agree = v->below;
        out->even = v->below + v->is_short == v->last - v->header;
        out->measured = hcbr_i_sample_is_header(v, v->header, v->header + 1, v->last);
    }
    out->padded = is_padded(v);
    out->unquoted = v->quoted == 0;
    out->trailing = hcbr_i_sample_is_trailing(v);
    size_t other = is_plain(v, true) ? hcbr_i_sample_other(v) : 0;
    for (const char *at = header; other > 0 && at < v->records[other].at; at++)
        out->other += *at == '\n';
    out->no_header = !given->no_header && given->headers == 0 && v->common >= 1 && !v->is_short &&
                     hcbr_i_sample_no_header(v, given);
    if (given->headers == 0 && !given->no_header && !out->no_header && is_plain(v, true) &&
        out->below == 0 && !v->is_cut)
        out->headers = hcbr_i_sample_headers(v, &out->below, &out->numbers);
    if (!out->sure || other > 0)
        out->numbers = 0; // it was said
}

/** Find the style of the lines below those that begin with a sign; false: none. */
static bool find_below(hcbr_i_dialect *out, looking *l, hcbr_i_sample *v) {
    const hcbr_i_signs s = hcbr_i_signs_find(l->bytes, l->size);
    looking below = *l;
    const char *names, *stop;
    unsigned lines;
    below.bytes += s.bytes;
    below.size -= s.bytes;
    if (s.sign == 0 || !find_style(&below, v) || v->style.delimiter == s.sign ||
        hcbr_i_signs_are_rows(&s, l->bytes, v, l->given))
        return false;
    if (v->header >= v->count || !is_plain(v, true)) {
        out->bytes = s.sign == '#' ? s.bytes : 0; // the rows are odd; `#` is clear
        for (size_t i = 0; i < out->bytes; i++)
            out->lines += l->bytes[i] == '\n';
        return out->bytes > 0;
    }
    tell(out, l->given, v, below.bytes);
    names = hcbr_i_signs_names(&s, l->bytes, v, l->given, &lines);
    if (names != NULL) {
        out->below = lines;
        out->signed_names = true;
        out->no_header = false;
        out->headers = 1;
    }
    stop = names != NULL ? names : below.bytes;
    for (const char *at = l->bytes; at < stop; at++)
        out->lines += *at == '\n';
    out->bytes += (size_t)(stop - l->bytes);
    return true;
}

bool hcbr_i_dialect_find(hcbr_i_dialect *out, const hcbr_i_dialect_given *given, const char *bytes,
                         size_t size, bool whole) {
    hcbr_i_sample *v = hcbr_i_alloc(3, sizeof *v); // the sample, room for another, for a third
    hcbr_i_dialect_given known = *given;
    looking l = {&known, bytes, size, whole, NULL, out->doubtful};
    size_t sep = 0;
    bool failed;
    *out = (hcbr_i_dialect){.style = {given->delimiter,
                                      given->quote == 0  ? '"'
                                      : given->quote < 0 ? 0
                                                         : (char)given->quote,
                                      given->escape > 0 ? (char)given->escape : 0, false},
                            .headers = given->headers > 0 ? given->headers : 1};
    if (v == NULL)
        return false;
    for (size_t i = 0; i < 3; i++)
        v[i].failed = false;
    if (size > HCBR_I_DIALECT_BYTES) {
        l.size = HCBR_I_DIALECT_BYTES;
        l.whole = false;
    }
    if (!given->is_asked && (sep = hcbr_i_sep_find(bytes, l.size, &known.delimiter)) > 0) {
        known.is_asked = true;
        l.bytes += sep;
        l.size -= sep;
        out->style.delimiter = known.delimiter;
    }
    l.other = &v[1];
    if (!find_below(out, &l, v) && find_style(&l, v) && v->header < v->count)
        tell(out, &known, v, l.bytes);
    out->bytes += sep;
    out->lines += sep > 0;
    failed = v[0].failed || v[1].failed || v[2].failed;
    hcbr_i_free(v);
    return !failed;
}
