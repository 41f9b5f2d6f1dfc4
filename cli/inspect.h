/**
 * @file inspect.h
 * Shared by the parts of showing a model.
 */
#ifndef HCBR_CLI_INSPECT_H
#define HCBR_CLI_INSPECT_H

#include "label.h"
#include "opt.h"
#include "out.h"
#include "term.h"

typedef struct inspection {
    const args *given;
    term term;
    hcbr_model *model;
    hcbr_model_info info;
    hcbr_read_options read;
    out *out;
    uint32_t *atoms;             /**< room for `top` of them */
    uint64_t *counts;            /**< room for one of each label */
    size_t most;                 /**< --top: columns, groups and past cases to show */
    size_t top;                  /**< the same of atoms, of which there may be fewer */
    hcbr_explainer *explainer;   /**< NULL: not needed yet */
    hcbr_importance *importance; /**< of columns; NULL: it is not looked for */
} inspection;

/** The kinds of a rich model's columns (inspect_columns.c). */
void inspect_columns_text(inspection *i);

/** Importances that were given, and beliefs (inspect_prior.c). */
void inspect_prior_text(inspection *i);

/** The importance of columns (inspect_importance.c): found out before anything is printed, since
 *  that may take a while; the exit status. Then printed. */
int inspect_importance_find(inspection *i);
int inspect_importance_text(inspection *i);

/** Features and conjunctions of a rich model (inspect_atoms.c): the strongest of each label; of
 * one atom, its own. */
int inspect_atoms_text(inspection *i);
int inspect_atom_parts_text(inspection *i, uint32_t atom);

/** Past cases (inspect_cases.c): figures of all, the weightiest ones. */
void inspect_hypergraph_text(inspection *i);
int inspect_cases_text(inspection *i);
/** The explainer, made when it is needed first; the exit status. */
int inspect_explainer(inspection *i);
/** The output of --atom and --case. */
int inspect_one(inspection *i);

/** Print a model as text; the exit status. */
int inspect_text(inspection *i);

label_facts inspect_label(const inspection *i, hcbr_label label);
/** Cases of each label that have an atom, in i->counts. */
const uint64_t *inspect_atom_counts(const inspection *i, uint32_t atom);
/** Columns of counts, and their headings: of each label if they are few, else of this one and of
 * the others. */
void inspect_counts_text(inspection *i, const uint64_t *counts, hcbr_label label, size_t width);
void inspect_counts_heading(inspection *i, size_t width);
/** The number of such columns. */
size_t inspect_counts_columns(const inspection *i);
/** The strongest atoms of a label into i->atoms; the exit status. */
int inspect_rank(inspection *i, hcbr_label label, size_t *count);

#endif
