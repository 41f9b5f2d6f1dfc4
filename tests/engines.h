/**
 * @file engines.h
 * The states of a model's engines by their types, for tests that look inside.
 */
#ifndef HCBR_TEST_ENGINES_H
#define HCBR_TEST_ENGINES_H

#include "model/model.h"
#include "plain/plain.h"
#include "rich/rich.h"

/** NULL: the model is plain. */
static inline hcbr_i_rich *hcbr_i_model_rich(const hcbr_model *model) {
    return model->engine == &hcbr_i_rich_engine ? model->state : NULL;
}

/** NULL: the model is rich. */
static inline hcbr_i_plain *hcbr_i_model_plain(const hcbr_model *model) {
    return model->engine == &hcbr_i_plain_engine ? model->state : NULL;
}

#endif
