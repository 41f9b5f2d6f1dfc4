/*
 * Labels from a separate file (--outcomes): line i holds the label of data row i, counted over all
 * files and including skipped rows.
 *
 * The file is loaded and checked as a whole before any data is read, so a mistake in it costs no
 * time. Invariant: every line is a label, every row has one, and none is left over; blanks around a
 * label are not part of it.
 */
#include "read/parse.h"
#include "read/source.h"

/** The label of a line, blanks around it taken off. */
static hcbr_status take_line(hcbr_i_outcomes *o, hcbr_i_parser *p, const char *end, bool labelled,
                             hcbr_error *err) {
    const char *at = p->record;
    hcbr_status st = hcbr_i_parser_check(p, at, (size_t)(end - at), err);
    while (at < end && (*at == ' ' || *at == '\t' || *at == '\r'))
        at++;
    while (at < end && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    if (st != HCBR_OK)
        return st;
    if (at == end && labelled)
        return hcbr_i_parser_fail(p, p->record, err, "found an empty line, expected a label");
    if (!hcbr_i_grow(&o->labels, &o->capacity, o->count + 1, sizeof *o->labels))
        return hcbr_i_no_memory(err);
    if ((st = hcbr_i_parser_take_label(p, at, at, (size_t)(end - at), err)) == HCBR_OK)
        o->labels[o->count++] = p->label;
    return st;
}

hcbr_status hcbr_i_outcomes_load(hcbr_i_outcomes *outcomes, const hcbr_i_parser *p, bool labelled,
                                 hcbr_error *err) {
    hcbr_i_parser line = *p; // for its lists and its messages
    const char *at, *end, *newline;
    size_t size;
    hcbr_status st;
    if (p->options->outcomes == NULL)
        return HCBR_OK;
    if ((st = hcbr_i_source_load(&outcomes->file, &outcomes->bytes, &size, SIZE_MAX,
                                 p->options->outcomes, p->options, err)) != HCBR_OK)
        return st;
    at = outcomes->bytes;
    end = at + size;
    line.file = outcomes->file;
    line.labelled = labelled;
    if (size >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0)
        at += 3;
    for (line.line = 1; st == HCBR_OK && at < end; line.line++, at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        if (newline == NULL)
            newline = end;
        line.record = at;
        st = take_line(outcomes, &line, newline, labelled, err);
    }
    if (st == HCBR_OK && outcomes->count == 0)
        st = hcbr_i_fail_at(err, HCBR_EDATA, outcomes->file, 0, 0,
                            "empty file, expected a label for each row");
    return st;
}

void hcbr_i_outcomes_clear(hcbr_i_outcomes *outcomes) {
    hcbr_i_free(outcomes->bytes);
    hcbr_i_free(outcomes->labels);
    hcbr_i_free(outcomes->file);
    *outcomes = (hcbr_i_outcomes){0};
}

static hcbr_status too_few(const hcbr_i_outcomes *outcomes, uint64_t row, hcbr_error *err) {
    return hcbr_i_fail_at(err, HCBR_EDATA, outcomes->file, 0, 0,
                          "found %zu label%s, expected one for each row: row %llu has none",
                          outcomes->count, outcomes->count == 1 ? "" : "s",
                          (unsigned long long)row);
}

hcbr_status hcbr_i_outcomes_give(const hcbr_i_outcomes *outcomes, hcbr_i_block *block,
                                 hcbr_error *err) {
    for (size_t i = 0; i < block->case_count; i++) {
        hcbr_i_raw_case *x = &block->cases[i];
        if (x->row > outcomes->count) {
            block->case_count = i;
            block->name_count = x->first;
            return too_few(outcomes, x->row, err);
        }
        x->label = outcomes->labels[x->row - 1];
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_outcomes_end(const hcbr_i_outcomes *outcomes, uint64_t rows, hcbr_error *err) {
    if (outcomes->file == NULL || rows == outcomes->count)
        return HCBR_OK;
    if (rows > outcomes->count) // rows at the end that were skipped
        return too_few(outcomes, outcomes->count + 1, err);
    return hcbr_i_fail_at(err, HCBR_EDATA, outcomes->file, rows + 1, 1,
                          "found %zu labels, expected one for each of %llu row%s", outcomes->count,
                          (unsigned long long)rows, rows == 1 ? "" : "s");
}
