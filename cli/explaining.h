/**
 * @file explaining.h
 * Shared by the ways of showing reasons.
 */
#ifndef HCBR_CLI_EXPLAINING_H
#define HCBR_CLI_EXPLAINING_H

#include "label.h"
#include "opt.h"
#include "out.h"
#include "settings.h"
#include "term.h"

/** Rows from first to last. */
typedef struct row_range {
    uint64_t first, last;
} row_range;

/** Columns of an option, cut into pieces. */
typedef struct bound_list {
    char *text;
    const char **names;
    size_t count;
} bound_list;

enum { BOUND_LISTS = 5 }; /**< --fixed, --only, --increase-only, --decrease-only, --range */

typedef struct explaining {
    const args *given;
    term term;
    settings settings;
    hcbr_model *model;
    hcbr_model_info info;
    hcbr_decider *decider;
    uint64_t max_memory;
    hcbr_index *index;         /**< of --max-memory; NULL: the explainer's own */
    hcbr_explainer *explainer; /**< of the current row; not owned */
    hcbr_rule rule;
    bool own_rule; /**< else it is the model's */
    uint64_t threads;
    uint64_t last; /**< row that was read last */
    int code;      /**< of the current row */
    hcbr_stream *stream;
    hcbr_explain_options options;
    row_range *ranges; /**< of --rows; NULL: all */
    size_t range_count;
    out *out;
    size_t columns; /**< of text */
    hcbr_form form;
    hcbr_writer *writer;   /**< of JSON or HTML; NULL: text */
    uint64_t shown;        /**< rows explained so far */
    uint64_t versus;       /**< number of the past case of --versus */
    bool shared;           /**< text and progress are on one terminal */
    bool watched;          /**< progress is drawn within a row */
    hcbr_summary *summary; /**< of --summary; NULL: rows are shown one by one */
    hcbr_flip_options flip;
    hcbr_page_options page; /**< of pages */
    size_t top;             /* length of lists: questions, columns of a page */
    size_t beside;          /**< past cases of each side that are shown column by column */
    char *hide_text;        /**< --hide, cut into pieces */
    const char **hide;      /**< the pieces */
    size_t hide_count;
    char *data_names, *day; /**< that pages name */
    hcbr_cases *past_texts; /**< of --past */
    out *list;              /**< index.html of a folder of pages; NULL: one page */
    bound_list lists[BOUND_LISTS];
    hcbr_flip_bound *bounds;
} explaining;

/** The changes allowed for --flip: read the options, then check them with the model
 *  (explain_bounds.c). */
int explain_read_bounds(explaining *x);
int explain_check_bounds(explaining *x);
void explain_free_bounds(explaining *x);

/** Show the reasons for one decision, except past cases. */
void explain_text(explaining *x, const hcbr_explained_row *row);

/** Show a comparison with a past case; changes of the answer, and open questions. */
void explain_versus_text(explaining *x, const hcbr_comparison *c);
void explain_flip_text(explaining *x, const hcbr_flips *f);
void explain_ask_text(explaining *x, const hcbr_questions *q);

/** The past cases of an explanation, each with its likeness or difference; with -v column by
 *  column. The explanation ends. */
hcbr_status explain_cases_text(explaining *x, const hcbr_explained_row *row, hcbr_error *err);

#define EXPLAIN_NAME_WIDTH 46

/** A sentence of the table of words. `kinds` has a letter for the argument of each of {0}, {1},
 *  ...: l hcbr_label, u uint64_t, s char * of the program, r double to be rounded, p double as a
 *  probability, h as a share, + with its sign. */
void explain_say(explaining *x, hcbr_word word, const char *kinds, ...);
/** The same, and the line ends. */
void explain_say_line(explaining *x, hcbr_word word, const char *kinds, ...);
/** A word with one label in it, or none, in a column of a table. */
void explain_put_word(explaining *x, hcbr_word word, hcbr_label label, size_t width, bool right);
/** A word with a number, and names of options, in a column of a table. */
void explain_put_count(explaining *x, hcbr_word word, uint64_t count, const char *options,
                       size_t width);
/** A feature or test, unless it is hidden, in at most `columns` columns. False: it was cut. */
bool explain_add_feature(const explaining *x, hcbr_cell *cell, const hcbr_feature *f,
                         size_t columns);

/** Digits after the point for the leads of an explanation. */
int explain_decimals(const hcbr_explanation *e);
/** Id, or row, and label of a past case. */
void explain_put_name(explaining *x, const hcbr_explained_case *c);
/** Columns of a comparison, aligned, and the effect of the others. */
void explain_columns_text(explaining *x, const hcbr_comparison *c, size_t most);
/** The effect of features of neither case, and the leads of both. */
void explain_versus_sums(explaining *x, const hcbr_comparison *c);
/** Whether a feature or test names a column of --hide, and whether ids are hidden. */
bool explain_hides_feature(const explaining *x, const hcbr_feature *f);
bool explain_hides_id(const explaining *x);

/** Whether a column, or one derived from it, is in --hide. */
bool explain_hides(const explaining *x, const char *name, size_t length);
/** --summary: check its options and begin; show it at the end. */
int explain_begin_summary(explaining *x);
int explain_end_summary(explaining *x);

/** Write the name of a label; write a number with its sign, in a column of its own. Decimals below
 * 0: with an exponent. */
void explain_put_label(explaining *x, hcbr_label label);
void explain_put_signed(explaining *x, double value, int decimals);

/** The contribution of the bias to the lead. */
double explain_bias(const hcbr_explanation *e);

/** The name of a label, `unknown` for none. */
label_facts explain_label(const explaining *x, hcbr_label label);

#endif
