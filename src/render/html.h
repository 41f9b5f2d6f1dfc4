/**
 * @file html.h
 * Pieces of a page that its parts share. It is private to render/.
 */
#ifndef HCBR_I_RENDER_HTML_H
#define HCBR_I_RENDER_HTML_H

#include "render/render.h"

/** Text of ours, markup too. */
static inline void hcbr_i_html(hcbr_writer *w, const char *text) {
    hcbr_i_put_string(w, text);
}
/** Text of the data: nothing of it is markup; what would steer the page is shown by its bytes. */
void hcbr_i_html_data(hcbr_writer *w, const char *text, size_t length);
/** A feature or a test, as hcbr_shown_feature() says it. */
void hcbr_i_html_feature(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *f);
/** The name of a label, `unknown` for none. */
void hcbr_i_html_label(hcbr_writer *w, const hcbr_model *model, hcbr_label label);
/** A number with its sign. */
void hcbr_i_html_number(hcbr_writer *w, double value);
/** The same as a cell of a table. */
void hcbr_i_html_cell(hcbr_writer *w, double value);

#endif
