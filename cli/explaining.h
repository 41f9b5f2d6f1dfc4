/**
 * @file explaining.h
 * What the ways of showing reasons share.
 */
#ifndef HCBR_CLI_EXPLAINING_H
#define HCBR_CLI_EXPLAINING_H

#include "json_write.h"
#include "opt.h"
#include "settings.h"
#include "term.h"

/** Rows from first to last. */
typedef struct row_range {
    uint64_t first, last;
} row_range;

typedef struct explaining {
    const args *given;
    term term;
    settings settings;
    hcbr_model *model;
    hcbr_model_info info;
    hcbr_decider *decider;
    hcbr_explainer *explainer;
    hcbr_stream *stream;
    hcbr_explain_options options;
    row_range *ranges; /**< of --rows; NULL: all */
    size_t range_count;
    out *out;
    uint64_t shown; /**< rows explained so far */
} explaining;

/** Show the reasons for one decision. `d` says row, id and given label. */
void explain_text(explaining *x, const hcbr_decision *d, const hcbr_explanation *e);
void explain_json(explaining *x, const hcbr_decision *d, const hcbr_explanation *e);

#endif
