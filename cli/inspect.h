/**
 * @file inspect.h
 * What the two ways of showing a model share.
 */
#ifndef HCBR_CLI_INSPECT_H
#define HCBR_CLI_INSPECT_H

#include "json_write.h"
#include "label.h"
#include "opt.h"
#include "term.h"

typedef struct inspection {
    const args *given;
    term term;
    hcbr_model *model;
    hcbr_model_info info;
    hcbr_read_options read;
    out *out;
    uint32_t *atoms;  /**< room for `top` of them */
    uint64_t *counts; /**< room for one of each label */
    size_t top;
    size_t most_cases;         /**< past cases to show */
    hcbr_explainer *explainer; /**< NULL: not needed yet */
} inspection;

/** The case base as a hypergraph, in numbers: features are its vertices, cases its edges. */
typedef struct hypergraph {
    uint64_t sizes[6], degrees[6]; /**< atoms by features, by cases: 1, 2-9, 10-99, ... */
    uint64_t incidences;           /**< atoms of all cases added up */
    uint64_t largest, most;        /**< features of an atom, cases of an atom */
    uint64_t shared;               /**< occurrences of features that more than one case has */
    uint64_t least, longest;       /**< atoms of a case; least is UINT64_MAX: cases are not kept */
} hypergraph;

/** How a rich model treats its columns (inspect_columns.c). */
void inspect_columns_text(inspection *i);
void inspect_columns_json(inspection *i, json *j);

/** Features and conjunctions of a rich model (inspect_groups.c): the strongest of each label; of
 * one atom, its own. */
int inspect_groups_text(inspection *i);
int inspect_groups_json(inspection *i, json *j);
int inspect_atom_groups_text(inspection *i, uint32_t atom);
int inspect_atom_groups_json(inspection *i, json *j, uint32_t atom);

/** More of a model (inspect_more.c): figures, the past cases that count most. */
void inspect_hypergraph_text(inspection *i);
void inspect_hypergraph_json(inspection *i, json *j);
int inspect_cases_text(inspection *i);
int inspect_cases_json(inspection *i, json *j);
/** The explainer, created when it is first needed; the exit status. */
int inspect_explainer(inspection *i);
/** What --atom and --case ask for. */
int inspect_one(inspection *i);

/** Print a model; the exit status. */
int inspect_text(inspection *i);
int inspect_json(inspection *i);

label_facts inspect_label(const inspection *i, hcbr_label label);
/** Name of a label that is given instead; "unknown" and "prior" too. */
const char *inspect_fallback(const inspection *i, hcbr_label label);
const char *inspect_model(const inspection *i);
const char *inspect_scope(const inspection *i);
const char *inspect_keep(const inspection *i);
const char *inspect_calibrate(const inspection *i);
/** Cases of each label that have an atom, in i->counts. */
const uint64_t *inspect_atom_counts(const inspection *i, uint32_t atom);
/** "cases": counts by label; null if they are NULL. */
void inspect_counts_json(const inspection *i, json *j, const uint64_t *counts);
/** Columns of counts, and their headings: of each label if they are few, else of this one and of
 * the others. */
void inspect_counts_text(inspection *i, const uint64_t *counts, hcbr_label label, size_t width);
void inspect_counts_heading(inspection *i, size_t width);
/** How many such columns there are. */
size_t inspect_counts_columns(const inspection *i);
/** Largest strength of an atom for the labels other than this one; 0 if there is none. */
double inspect_best_other(const inspection *i, uint32_t atom, hcbr_label label);
/** The strongest atoms of a label into i->atoms; the exit status. */
int inspect_rank(inspection *i, hcbr_label label, size_t *count);

#endif
