/*
 * The results of a fit besides the state (interface.h): releases those that the model has not taken
 * over.
 */
#include "engine/interface.h"

void hcbr_i_fitted_clear(hcbr_i_fitted *f) {
    hcbr_i_dict_release(f->dict);
    hcbr_i_free(f->label_total);
    hcbr_i_free(f->label_weight);
    hcbr_i_free(f->pass_errors);
    hcbr_i_record_clear(&f->record);
    hcbr_i_heldout_clear(&f->heldout);
    hcbr_i_free(f->own.winner);
    hcbr_i_free(f->own.support);
    hcbr_i_free(f->own.other);
    *f = (hcbr_i_fitted){0};
}
