/**
 * @file stream.h
 * Deciding a large file by several threads (rounds_decide.c); private to src/decide.
 */
#ifndef HCBR_I_STREAM_H
#define HCBR_I_STREAM_H

#include "decide/decide.h"

typedef struct hcbr_i_rounds_decide hcbr_i_rounds_decide;

/** One decider for each thread of the reader, like the given one. */
hcbr_status hcbr_i_rounds_decide_create(hcbr_i_rounds_decide **out, const hcbr_decider *decider,
                                        hcbr_i_reader *reader, hcbr_error *err);
void hcbr_i_rounds_decide_free(hcbr_i_rounds_decide *rounds);

/** Decide the next chunks at once. *any: there were some, else read block by block. The decisions
 *  of the round before are gone. */
hcbr_status hcbr_i_rounds_decide_begin(hcbr_i_rounds_decide *rounds, hcbr_i_reader *reader,
                                       bool *any, hcbr_error *err);
/** The next decision of the round; false: there are no more. Borrowed until the next round. */
bool hcbr_i_rounds_decide_next(hcbr_i_rounds_decide *rounds, hcbr_decision *out);
/** How the round ended, once all its decisions were handed out. */
hcbr_status hcbr_i_rounds_decide_end(hcbr_i_rounds_decide *rounds, hcbr_error *err);

/** Row, id and given label of a decision, from the case as it was read. */
static inline void hcbr_i_decision_place(hcbr_decision *to, const hcbr_i_raw_case *x) {
    to->row = x->row;
    to->id = x->id.at;
    to->id_length = x->id.length;
    to->given = x->label.at;
    to->given_length = x->label.length;
}

#endif
