/**
 * @file result_page.h
 * A page of results: JSON is gathered result by result, then written as HTML.
 */
#ifndef HCBR_CLI_RESULT_PAGE_H
#define HCBR_CLI_RESULT_PAGE_H

#include "out.h"
#include "term.h"

typedef struct page {
    term *term;
    hcbr_report *report;
    hcbr_writer *writer; /**< keeps the JSON of the current result */
} page;

/** @param title of the page. Also on failure page_clear() it. */
int page_begin(page *p, term *t, const char *title);
void page_clear(page *p);
/** A result was written to p->writer with this status: add it. */
int page_take(page *p, hcbr_status status, const hcbr_error *err);
/** Time and memory of the stages so far, as a result (hcbr.report/1). */
int page_take_times(page *p, const char *const *sources, size_t count);

/** The keys `seconds` and `peak_bytes`, by stages. */
void stages_json(const term *t, hcbr_writer *w);

/** Write the page, or as JSON its results, to a file, completely or not at all; NULL: to standard
 *  output. */
int page_write(page *p, hcbr_form form, const char *path);

#endif
