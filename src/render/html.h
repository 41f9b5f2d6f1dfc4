/**
 * @file html.h
 * Pieces shared by the parts of a page. Private to render/.
 */
#ifndef HCBR_I_RENDER_HTML_H
#define HCBR_I_RENDER_HTML_H

#include "render/render.h"

#include <hcbr/words.h>

/** Text of the library, including markup. */
static inline void hcbr_i_html(hcbr_writer *w, const char *text) {
    hcbr_i_put_string(w, text);
}
/** A word of the library. */
static inline void hcbr_i_html_word(hcbr_writer *w, hcbr_word word) {
    hcbr_i_put_string(w, hcbr_word_get(word));
}
/** Text of the data, escaped: nothing in it is markup, and control characters are shown as bytes.
 *  The same in text for a terminal. */
void hcbr_i_html_data(hcbr_writer *w, const char *text, size_t length);
/** A feature or a test, by hcbr_shown_feature(); nothing if it is hidden. */
void hcbr_i_html_feature(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *f);
/** The value of a feature, or the bare key. */
void hcbr_i_html_value(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *f);
/** The name of a column, which may be long. */
void hcbr_i_html_name(hcbr_writer *w, const char *text, size_t length);
/** The name of a label, `unknown` for none. */
void hcbr_i_html_label(hcbr_writer *w, const hcbr_model *model, hcbr_label label);
/** A number with its sign. */
void hcbr_i_html_number(hcbr_writer *w, double value);
/** The same with this many digits after the point. */
void hcbr_i_html_signed(hcbr_writer *w, double value, int decimals);
/** Digits after the point for three significant digits of the largest of some numbers. */
int hcbr_i_html_decimals(double largest);
/** A number as a cell of a table. */
void hcbr_i_html_cell(hcbr_writer *w, double value);
void hcbr_i_html_cell_signed(hcbr_writer *w, double value, int decimals);
/** A cell with its name, for tables that are stacked on a small screen: open it; a number. */
void hcbr_i_html_open_named(hcbr_writer *w, hcbr_word is, bool number);
void hcbr_i_html_cell_named(hcbr_writer *w, hcbr_word is, double value, int decimals);
/** A heading cell of a column of a table, right-aligned for numbers. */
void hcbr_i_html_head(hcbr_writer *w, hcbr_word word, bool number);

/** Whether a column is kept off the page. */
bool hcbr_i_page_hides(const hcbr_writer *w, const char *name, size_t length);
/** Whether a feature or test names such a column. */
bool hcbr_i_page_hides_feature(const hcbr_writer *w, const hcbr_feature *f);
/** Whether the id of past cases is kept off. */
bool hcbr_i_page_hides_id(const hcbr_writer *w, const hcbr_model *model);

/* ---- sentences (say.c) ----------------------------------------------------------------------- */

/** A piece of a page, or of text for a terminal. Make it with a macro of pieces.h. */
typedef struct hcbr_i_piece {
    enum {
        HCBR_I_PIECE_OURS,
        HCBR_I_PIECE_DATA,
        HCBR_I_PIECE_BARE,
        HCBR_I_PIECE_STRONG,
        HCBR_I_PIECE_NAMED,
        HCBR_I_PIECE_TEST,
        HCBR_I_PIECE_VALUE,
        HCBR_I_PIECE_HEADED,
        HCBR_I_PIECE_WHOLE,
        HCBR_I_PIECE_SIGNED,
        HCBR_I_PIECE_FIGURE,
        HCBR_I_PIECE_SHARE,
        HCBR_I_PIECE_CHANCE,
        HCBR_I_PIECE_CELL,
        HCBR_I_PIECE_HEAD,
        HCBR_I_PIECE_NODE,
        HCBR_I_PIECE_PERCENT,
        HCBR_I_PIECE_ROUNDED,
        HCBR_I_PIECE_ROUND_CELL,
        HCBR_I_PIECE_SAY
    } kind;
    const void *at; /**< text, a feature, a node, or the pieces of a sentence */
    size_t length;
    double value;
    int number; /**< a label, a word, or digits */
    bool right; /**< of a head: of numbers */
} hcbr_i_piece;

/** Write pieces; `model` has the names of labels and features, if there are any. */
void hcbr_i_put_pieces(hcbr_writer *w, const hcbr_model *model, const hcbr_i_piece *pieces,
                       size_t count);

/** Sentences about an answer, each between `open` and `close`: of a page and of a text. */
void hcbr_i_say_answer(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                       const char *open, const char *close);
/** The held-out decision of a past case. */
void hcbr_i_say_held(hcbr_writer *w, const hcbr_model *model, hcbr_label label,
                     hcbr_label held_label, double held_probability);
/** The differences of a counter-example; the similarities of an analogy. */
void hcbr_i_say_apart(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c);

/** The form of a result must be one of the bits of its forms. @return true: it is not. */
bool hcbr_i_has_no_form(hcbr_error *err, hcbr_form form, unsigned forms);

/* ---- parts of a case ------------------------------------------------------------------------- */

/** A row of a page that lists cases. */
void hcbr_i_html_decision(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *decision);
/** The reasons for a decision; past cases of an explanation next to the case; a comparison, changes
 *  of the answer, questions. */
void hcbr_i_html_explanation(hcbr_writer *w, const hcbr_model *model,
                             const hcbr_explained_row *row);
hcbr_status hcbr_i_html_beside(hcbr_writer *w, const hcbr_model *model,
                               const hcbr_explained_row *row, hcbr_error *err);
void hcbr_i_html_comparison(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c);
void hcbr_i_html_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *f);
void hcbr_i_html_questions(hcbr_writer *w, const hcbr_model *model, const hcbr_questions *q);
void hcbr_i_html_end_case(hcbr_writer *w);

void hcbr_i_page_columns(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_row *row);
void hcbr_i_page_atoms(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e);
void hcbr_i_page_cases(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e);
void hcbr_i_page_texts(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_row *row);
/** The sources of a row; nothing if it is NULL. */
static inline hcbr_row_info hcbr_i_page_row(const hcbr_row *row) {
    hcbr_row_info info = {.size = sizeof info};
    if (row)
        hcbr_row_get(row, &info);
    return info;
}
/** The complete text of a row in a text column; may be NULL. */
const hcbr_feature *hcbr_i_page_whole(const hcbr_row_info *row, const hcbr_model *model,
                                      const char *column, size_t length);
/** A text with its contributing words marked. */
void hcbr_i_page_text(hcbr_writer *w, const hcbr_explained_word *words, size_t count,
                      const char *column, size_t column_length, const char *text, size_t length);
/** Columns of a comparison, aligned. */
void hcbr_i_page_aligned(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c,
                         size_t top);
/** Row and id of a past case, and its file. */
void hcbr_i_page_cite(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c);

/** The contribution of the bias, and of groups without columns, to the lead. */
double hcbr_i_page_bias(const hcbr_explanation *e);

#endif
