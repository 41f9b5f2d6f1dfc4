/**
 * @file stream.h
 * Common parts of deciding files and tables: a large file by several threads (rounds_decide.c), and
 * warnings about data that differs from training (unlike.c); private to src/decide.
 */
#ifndef HCBR_I_STREAM_H
#define HCBR_I_STREAM_H

#include "decide/decide.h"

typedef struct hcbr_i_rounds_decide hcbr_i_rounds_decide;

/** One decider for each thread of the reader, like the given one. */
hcbr_status hcbr_i_rounds_decide_create(hcbr_i_rounds_decide **out, const hcbr_decider *decider,
                                        hcbr_i_reader *reader, hcbr_error *err);
void hcbr_i_rounds_decide_free(hcbr_i_rounds_decide *rounds);

/** Decide the next chunks together. *any: there were some; else read block by block. Invalidates
 *  the decisions of the previous round. A row that stops reading is reported by the reader when it
 *  is read again, after the decisions. */
hcbr_status hcbr_i_rounds_decide_begin(hcbr_i_rounds_decide *rounds, hcbr_i_reader *reader,
                                       bool *any, hcbr_error *err);
/** The next decision of the round; false at its end. Borrowed until the next round. */
bool hcbr_i_rounds_decide_next(hcbr_i_rounds_decide *rounds, hcbr_decision *out);

/** Row, id and given label of a decision, from the case as it was read. */
static inline void hcbr_i_decision_place(hcbr_decision *to, const hcbr_i_raw_case *x) {
    to->row = x->row;
    to->id = x->id.at;
    to->id_length = x->id.length;
    to->given = x->label.at;
    to->given_length = x->label.length;
}

/** The receiver of warnings. */
typedef struct hcbr_i_listener {
    hcbr_notify_fn *notify; /**< may be NULL */
    void *context;
} hcbr_i_listener;

/** The columns and keys that a model knows. */
hcbr_i_known_names hcbr_i_model_known(const hcbr_model *model);

/** Warn of columns that training did not have, and of columns of training that are absent. */
hcbr_status hcbr_i_columns_compare(const hcbr_model *model, const hcbr_i_reader *reader,
                                   const hcbr_i_text *columns, size_t count,
                                   const hcbr_i_listener *to, hcbr_error *err);
/** Values that do not fit their column. */
typedef struct hcbr_i_misfit {
    hcbr_i_text column, value; /**< the value of the first row that has one */
    uint64_t row, count;
    bool dates; /**< the column has dates, else numbers */
} hcbr_i_misfit;

/** Such values of some cases (misfits.c). Zero-initialise to start. */
typedef struct hcbr_i_misfits {
    hcbr_i_misfit *all;
    size_t count, capacity;
    hcbr_i_arena text;
} hcbr_i_misfits;

void hcbr_i_misfits_clear(hcbr_i_misfits *x);
/** Find such values among the unseen features of a decision. */
hcbr_status hcbr_i_misfits_note(hcbr_i_misfits *x, const hcbr_model *m,
                                const hcbr_decision *decision, uint64_t row, hcbr_error *err);
/** Add those of other cases. */
hcbr_status hcbr_i_misfits_merge(hcbr_i_misfits *to, const hcbr_i_misfits *from, hcbr_error *err);
/** One warning a column; then clear them. */
void hcbr_i_misfits_warn(hcbr_i_misfits *x, const hcbr_i_listener *to);
/** Warn that the data is probably not what the model was trained on. */
void hcbr_i_warn_nothing_known(const hcbr_i_listener *to);

#endif
