/**
 * @file explain_page.h
 * Pages of hcbr explain: their descriptions, texts of the data, many pages in a folder.
 */
#ifndef HCBR_CLI_EXPLAIN_PAGE_H
#define HCBR_CLI_EXPLAIN_PAGE_H

#include "explaining.h"

/** Read --hide, --past, --date and fill x->page; the exit status. */
int explain_page_prepare(explaining *x, const hcbr_read_options *read);
void explain_page_clear(explaining *x);

/** Whether --html is a folder, existing or by its name. */
bool explain_page_is_folder(const char *path);
/** Make it and begin the page that lists all cases; the exit status. */
int explain_page_folder(explaining *x);
/** Open the page of a case in it, close it, and end the list; the exit status. */
int explain_page_open(explaining *x, const hcbr_decision *d);
int explain_page_close(explaining *x);
int explain_page_end(explaining *x);

#endif
