/*
 * Lines of text: a label, a tab, words. A feature is a word with its count.
 *
 * If labels are elsewhere (--outcomes), the whole line is words. A new case needs no label: a line
 * without a tab is only words. Invariant: the text before the tab never becomes a feature.
 */
#include "read/reader.h"

static hcbr_status record(hcbr_i_parser *p, const char *line, const char *newline,
                          hcbr_error *err) {
    const char *end = newline > line && newline[-1] == '\r' ? newline - 1 : newline, *tab, *second;
    size_t first = p->block->name_count;
    hcbr_i_text words = {line, (size_t)(end - line)};
    hcbr_status st = hcbr_i_parser_check(p, line, words.length, err);
    if (st != HCBR_OK)
        return st;
    tab = p->apart ? NULL : memchr(line, '\t', words.length);
    if (tab == NULL && p->labelled)
        return hcbr_i_parser_fail(p, line, err, "found no tab, expected a label, a tab and words");
    if (tab != NULL) {
        words = (hcbr_i_text){tab + 1, (size_t)(end - tab - 1)};
        second = memchr(words.at, '\t', words.length);
        if (second != NULL)
            return hcbr_i_parser_fail(p, second, err,
                                      "found a second tab, expected one, between the label and "
                                      "the words (tsv?)");
        st = hcbr_i_parser_take_label(p, line, line, (size_t)(tab - line), err);
    }
    hcbr_i_grams_begin(p);
    if (st == HCBR_OK && (st = hcbr_i_grams_keep(p, NULL, words, err)) == HCBR_OK)
        st = hcbr_i_grams_end(p, err);
    if (st == HCBR_OK && p->ignore_count > 0)
        hcbr_i_parser_drop_ignored(p, first);
    return st;
}

/** A label and its tab, and any words. */
static bool suits(const char *line, size_t length, const hcbr_i_format *looks) {
    (void)looks;
    return memchr(line, '\t', length) != NULL;
}

/** If labels are elsewhere, a text may be empty. */
static hcbr_status check(hcbr_i_parser *p, bool labelled, hcbr_error *err) {
    (void)labelled, (void)err;
    p->blank_rows = p->apart;
    return HCBR_OK;
}

const hcbr_i_format hcbr_i_format_text = {.id = HCBR_FORMAT_TEXT,
                                          .name = "text",
                                          .endings = {"txt"}, // also of many tables
                                          .unnamed = true,
                                          .has_words = true,
                                          .suits = suits,
                                          .doubt = hcbr_i_reader_find_table,
                                          .check = check,
                                          .parse = hcbr_i_lane_lines,
                                          .record = record};
