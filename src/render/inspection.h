/**
 * @file inspection.h
 * Shared by the parts of an inspection. Private to render/.
 */
#ifndef HCBR_I_RENDER_INSPECT_H
#define HCBR_I_RENDER_INSPECT_H

#include "render/render.h"

typedef struct hcbr_i_inspection {
    hcbr_writer *w;
    const hcbr_model *model;
    hcbr_model_info info;
    hcbr_explainer *explainer; /**< NULL: not needed yet */
    bool own;                  /**< the explainer was made here */
    uint64_t *counts;          /**< room for one of each label */
    size_t top;
} hcbr_i_inspection;

/**
 * @param explainer NULL: one is made if needed. @return false: w has failed.
 */
bool hcbr_i_inspection_init(hcbr_i_inspection *i, hcbr_writer *w, const hcbr_model *model,
                            hcbr_explainer *explainer, size_t top);
void hcbr_i_inspection_clear(hcbr_i_inspection *i);
/** Whether there is an explainer. Otherwise the writer has failed. */
bool hcbr_i_inspection_needs(hcbr_i_inspection *i);

/** The features of an atom. */
void hcbr_i_inspect_features(hcbr_i_inspection *i, uint32_t atom);
/** Cases of each label with an atom, in i->counts. */
const uint64_t *hcbr_i_inspect_atom_counts(hcbr_i_inspection *i, uint32_t atom);
/** The key `cases`: counts by label; null if they are NULL. */
void hcbr_i_inspect_counts(hcbr_i_inspection *i, const uint64_t *counts);
/** Features and conjunctions of a rich model: the strongest of each label; of one atom, its own. */
void hcbr_i_inspect_atoms(hcbr_i_inspection *i);
void hcbr_i_inspect_atom_parts(hcbr_i_inspection *i, uint32_t atom);
/** The key `importance`: columns, over past cases. */
void hcbr_i_inspect_importance(hcbr_i_inspection *i);
/** The past cases with the largest contributions. */
void hcbr_i_inspect_cases(hcbr_i_inspection *i);

/** Importances and beliefs (prior_render.c). */
void hcbr_i_inspect_prior(const hcbr_i_inspection *i);

#endif
