/*
 * The strongest atoms of a model, for a label or for one atom: the request is checked here, the
 * engine finds them. An engine without groups ranks its atoms.
 */
#include "explainer.h"

static hcbr_status check(const hcbr_model *model, const hcbr_i_frame *m, const hcbr_atom_options *o,
                         hcbr_error *err) {
    if (o->kind != HCBR_ATOM_FEATURES && o->kind != HCBR_ATOM_TESTS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "there is no kind of atoms %d", (int)o->kind);
    if (o->label >= 0 && (uint32_t)o->label >= m->label_count)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the model has no label number %d", (int)o->label);
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    if (o->atom != UINT32_MAX && o->atom >= info.atoms)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the model has no atom number %lu",
                           (unsigned long)o->atom);
    return HCBR_OK;
}

hcbr_status hcbr_explainer_rank_atoms(hcbr_explainer *x, const hcbr_atom_options *options,
                                      hcbr_atom_ranking *ranking, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "explainer, ranking", x, ranking) ||
        HCBR_I_UNSIZED(err, options, ranking))
        return HCBR_EUSAGE;
    hcbr_atom_ranking out = {.size = ranking->size};
    hcbr_atom_options o;
    hcbr_atom_options_init(&o);
    if (options)
        o = *options;
    hcbr_i_account_forget(&x->a);
    hcbr_status st = check(x->model, &x->a.frame, &o, err);
    if (st == HCBR_OK && x->engine->rank)
        st = x->engine->rank(&x->a, &o, &out, err);
    if (st == HCBR_OK)
        hcbr_i_hand_out(ranking, &out, sizeof out);
    return st;
}
