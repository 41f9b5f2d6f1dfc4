/*
 * Lines of the format `cases`: names of features between blanks or tabs, each a bare key; the label
 * is the last of them, unless labels are elsewhere (--outcomes) or there are none (--label none).
 *
 * Names are any text without blanks and are never split: `7`, `07`, `7:1` and `a=b` are four
 * different features. Invariant: a first line that is clearly of another format is refused, since
 * almost any line could be read as names.
 */
#include "read/parse.h"

static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/** Refuse the first line of a file of another format. */
static hcbr_status check_format(const hcbr_i_parser *p, const char *line, const char *end,
                                hcbr_error *err) {
    size_t length = (size_t)(end - line);
    hcbr_format looks = hcbr_i_format_sniff(line, length, 0);
    char quoted[200];

    if (looks == HCBR_FORMAT_CSV)
        for (const char *at = line; at < end; at++)
            if (is_blank(*at))
                return HCBR_OK; // a comma in a name
    if (looks != HCBR_FORMAT_JSONL && looks != HCBR_FORMAT_LIBSVM && looks != HCBR_FORMAT_CSV)
        return HCBR_OK;
    return hcbr_i_parser_fail(p, line, err,
                              "found %s, which looks like %s, expected names of features between "
                              "blanks (option format %s reads the other)",
                              hcbr_i_quote(quoted, line, length), hcbr_i_format_name(looks),
                              hcbr_i_format_name(looks));
}

/** The start of the last name of the line; NULL if there is none. *end is its end. */
static const char *last_name(const char *line, const char **end) {
    const char *at = *end;

    while (at > line && is_blank(at[-1]))
        at--;
    *end = at;
    while (at > line && !is_blank(at[-1]))
        at--;
    return at < *end ? at : NULL;
}

hcbr_status hcbr_i_parse_cases(hcbr_i_parser *p, const char *line, const char *newline,
                               hcbr_error *err) {
    const char *at = line, *end = newline, *last, *cr;
    size_t first = p->block->name_count;
    hcbr_status st;

    if (end > line && end[-1] == '\r')
        end--;
    if ((st = hcbr_i_parser_check(p, line, (size_t)(end - line), err)) != HCBR_OK ||
        (p->first && (st = check_format(p, line, end, err)) != HCBR_OK))
        return st;
    cr = memchr(line, '\r', (size_t)(end - line));
    if (cr != NULL)
        return hcbr_i_parser_fail(p, cr, err,
                                  "found a carriage return, expected it only before a newline");
    if (p->label_last && (last = last_name(line, &end)) != NULL) {
        st = hcbr_i_parser_take_label(p, last, last, (size_t)(end - last), err);
        if (st != HCBR_OK)
            return st;
        end = last;
    }
    for (;;) {
        const char *name;

        while (at < end && is_blank(*at))
            at++;
        if (at == end)
            break;
        for (name = at; at < end && !is_blank(*at);)
            at++;
        if (!hcbr_i_parser_is_na(p, name, (size_t)(at - name)) &&
            !hcbr_i_block_add(p->block, name, (size_t)(at - name), NULL, 0))
            return hcbr_i_no_memory(err);
    }
    if (p->names != NULL && (st = hcbr_i_names_apply(p, first, err)) != HCBR_OK)
        return st;
    if (p->ignore_count > 0)
        hcbr_i_parser_drop_ignored(p, first);
    return HCBR_OK;
}
