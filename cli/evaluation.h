/**
 * @file evaluation.h
 * hcbr evaluate: shared by its parts.
 */
#ifndef HCBR_CLI_EVALUATION_H
#define HCBR_CLI_EVALUATION_H

#include "label.h"
#include "out.h"
#include "result_page.h"
#include "settings.h"
#include "term.h"

typedef struct evaluation {
    const args *given;
    term term;
    settings settings;
    hcbr_read_options read;
    hcbr_train_options train;
    hcbr_rule rule; /**< of `train` */
    hcbr_evaluate_options options;
    uint64_t *folds;    /**< of --folds-file */
    const char **tests; /**< of --test */
    size_t test_count;
    uint64_t test_row_base; /**< rows of DATA: those of the tests are counted from 1 */
    uint64_t skipped;
    hcbr_cases *cases;
    hcbr_model *model; /**< that is evaluated; NULL: models of the cases are */
    bool stored;       /**< it is */
    hcbr_evaluation *result;
    hcbr_evaluation_info info;
    label_summary labels;
    char leak[HCBR_FINDING_SIZE]; /**< the leak of the labels; empty: none */
    page page;                    /**< of --html */
    out *out;
} evaluation;

/** A figure of all labels (HCBR_LABEL_UNKNOWN) or of one. */
hcbr_figure evaluation_figure(const evaluation *e, hcbr_metric metric, hcbr_label label);
/** That of always giving the most frequent label. */
hcbr_figure evaluation_baseline(const evaluation *e, hcbr_metric metric);
/** "10 folds", "3 repeats of 10 folds", "the last 10 %", ... */
void evaluation_plan(const evaluation *e, char text[160]);

/** Whether the first operand is a model, followed by data. */
bool evaluates_stored(const args *given);
/** Decide the data with it: e->result, e->info and e->skipped. */
int evaluate_stored(evaluation *e);

/** The report as readable text. */
void evaluation_text(evaluation *e);

#endif
