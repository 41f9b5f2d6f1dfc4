/**
 * @file decide.h
 * From a model and a case to a decision (METHOD 3): supports, rule R1, rule R2, the memory rule,
 * what was never seen.
 */
#ifndef HCBR_I_DECIDE_H
#define HCBR_I_DECIDE_H

#include "model/model.h"

#include <hcbr/decision.h>

/** Past cases by their set of atoms, for the memory rule (memory.c). */
typedef struct hcbr_i_memory hcbr_i_memory;
hcbr_status hcbr_i_memory_create(hcbr_i_memory **out, const hcbr_model *model, hcbr_error *err);
void hcbr_i_memory_free(hcbr_i_memory *memory);
/**
 * Majority label of the past cases whose set of atoms is exactly this one (distinct atoms, any
 * order); HCBR_LABEL_UNKNOWN if there is none or the majority is tied. Sorts atoms in place.
 */
hcbr_label hcbr_i_memory_find(const hcbr_i_memory *memory, hcbr_i_atom_id *atoms, size_t count);

#endif
