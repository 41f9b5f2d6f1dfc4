/*
 * Lines of the format `cases`: names of features between blanks or tabs, each a bare key; the label
 * is the last of them, unless labels are elsewhere (--outcomes) or there are none (--label none).
 *
 * Names are any text without blanks and are never split: `7`, `07`, `7:1` and `a=b` are four
 * different features. Invariant: a first line that is clearly of another format is refused, since
 * almost any line could be read as names.
 */
#include "read/lane.h"

static inline bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r';
}

/** Refuse the first line of a file of another format. */
static hcbr_status check_format(const hcbr_i_parser *p, const char *line, const char *end,
                                hcbr_error *err) {
    size_t length = (size_t)(end - line);
    const hcbr_i_format *looks = hcbr_i_format_sniff(line, length, 0);
    char quoted[200];
    if (looks->has_columns)
        for (const char *at = line; at < end; at++)
            if (is_blank(*at))
                return HCBR_OK; // a comma in a name
    if (looks == &hcbr_i_format_auto)
        return HCBR_OK;
    return hcbr_i_parser_fail(p, line, err,
                              "found %s, which looks like %s, expected names of features between "
                              "blanks (option format %s reads the other)",
                              hcbr_i_quote(quoted, line, length), looks->name, looks->name);
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

static hcbr_status record(hcbr_i_parser *p, const char *line, const char *newline,
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

/** Find the position of the label in lines of cases. */
static hcbr_status find_last(hcbr_i_parser *p, bool labelled, hcbr_error *err) {
    const char *label = p->options->label;
    bool last = label != NULL && strcmp(label, "last") == 0;
    bool none = label != NULL && strcmp(label, "none") == 0;
    char quoted[200];
    if (p->unlabelled)
        none = true, labelled = false;
    p->label_last = !p->apart && (last || (labelled && label == NULL));
    p->blank_rows = !p->label_last;
    if (p->apart || p->label_last || (none && !labelled))
        return HCBR_OK;
    if (labelled)
        return hcbr_i_fail_at(
            err, HCBR_EUSAGE, p->file, 0, 0,
            "found the label %s, expected the last name of each line (option label "
            "last) or a file of labels (option outcomes)",
            hcbr_i_quote(quoted, label, strlen(label)));
    return hcbr_i_fail_at(
        err, HCBR_EUSAGE, p->file, 0, 0,
        "cannot tell a label from a feature: expected option label last (the last "
        "name of each line is its label), option label none or option outcomes");
}

/** The parser has its own message for a first line of another format. */
static bool suits(const char *line, size_t length, const hcbr_i_format *looks) {
    (void)line, (void)length, (void)looks;
    return true;
}

const hcbr_i_format hcbr_i_format_cases = {.id = HCBR_FORMAT_CASES,
                                           .name = "cases",
                                           .endings = {"cases"},
                                           .unnamed = true,
                                           .has_ids = true,
                                           .suits = suits,
                                           .check = find_last,
                                           .parse = hcbr_i_lane_lines,
                                           .record = record};
