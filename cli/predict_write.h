/**
 * @file predict_write.h
 * The rows of predict as a table or as JSON Lines, with the columns of the data, in the order of a
 * probability.
 */
#ifndef HCBR_CLI_PREDICT_WRITE_H
#define HCBR_CLI_PREDICT_WRITE_H

#include "out.h"
#include "settings.h"
#include "term.h"

/** The form of a row of predict. */
typedef enum answer_form { ANSWER_TEXT, ANSWER_CSV, ANSWER_TSV, ANSWER_JSONL } answer_form;

/** A row that waits to be written. */
typedef struct held_row {
    size_t begin, middle, end; /**< in memory: columns of the data, then the answer */
    size_t columns;            /**< of the data that it has */
    double key;                /**< rows are ordered by it, descending */
    size_t place;              /**< then by this */
} held_row;

/** Zero it first; release with answers_clear(). */
typedef struct answers {
    term *term;
    const hcbr_model *model;
    answer_form form;
    bool add_columns;
    bool sorted;
    hcbr_label by; /**< the label whose probability is the order */
    bool has_id;   /**< a column of csv and tsv is the id, else the row */
    bool begun;    /**< the header is written, or the facts for it are known */
    bool several;  /**< files, which may have other columns */
    bool held;     /**< rows are kept until the end */
    out *final;
    out *to; /**< final, or memory: where rows are written */
    out *memory;
    hcbr_field *columns; /**< names of the data's columns; they are ours */
    size_t column_count, column_room;
    const hcbr_field **cells; /**< of the current row, by column */
    size_t cell_room;
    held_row *rows;
    size_t row_count, row_room;
} answers;

/** Read --to, --json, --add-columns and --sort, as far as no model is needed. */
int answers_read(answers *a, const args *given);

/**
 * Begin to write.
 *
 * @param read  how the rows are read.
 * @param files how many.
 * @return EXIT_DONE, EXIT_USAGE or EXIT_MEMORY, with a message.
 */
int answers_open(answers *a, const args *given, term *t, const hcbr_model *model,
                 const hcbr_read_options *read, size_t files);
/** Where all rows go; borrowed. */
void answers_to(answers *a, out *final);

/** Whether answers_row() writes the rows. Otherwise the caller writes each to a->to, between the
 *  calls. */
static inline bool answers_writes(const answers *a) {
    return a->form == ANSWER_CSV || a->form == ANSWER_TSV ||
           (a->form == ANSWER_JSONL && a->add_columns);
}
/** The row of a decision. stream: where it comes from. */
int answers_row(answers *a, hcbr_stream *stream, const hcbr_decision *d);
/** The caller writes a row, and has written it. */
void answers_begin(answers *a);
int answers_done(answers *a, const hcbr_decision *d);
/** Called after all rows: write the waiting ones. */
int answers_end(answers *a);
void answers_clear(answers *a);

/** Support of a label minus that of the best other one. */
double answers_lead(const hcbr_decision *d, hcbr_label label);

#endif
