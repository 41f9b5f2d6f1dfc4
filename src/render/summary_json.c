/*
 * The reasons of many decisions together as JSON, schema hcbr.summary/1 (docs/JSON.md).
 */
#include "render/render.h"

#include <hcbr/summary.h>

static void put_reasons(hcbr_writer *w, const hcbr_model *model, const char *name,
                        const hcbr_summed_reason *list, size_t count) {
    hcbr_json_key(w, name), hcbr_json_open(w, '[');
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_reason *r = &list[n];
        hcbr_json_open(w, '{');
        if (r->name) {
            hcbr_json_key(w, "name"), hcbr_i_json_column(w, r->name, r->name_length);
        } else {
            hcbr_json_key(w, "kind");
            hcbr_json_string(w, r->kind == HCBR_ATOM_TESTS ? "tests" : "features");
            hcbr_json_key(w, "features"), hcbr_json_features(w, r->features, r->feature_count);
            hcbr_i_json_all_words(w, model, r->features, r->feature_count);
        }
        hcbr_json_key(w, "cases_for"), hcbr_json_u64(w, r->cases_for);
        hcbr_json_key(w, "cases_against"), hcbr_json_u64(w, r->cases_against);
        hcbr_json_key(w, "first"), hcbr_json_u64(w, r->first);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, r->lead);
        hcbr_json_key(w, "absolute"), hcbr_json_number(w, r->absolute);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_cases(hcbr_writer *w, const hcbr_model *model, const char *name, uint64_t all,
                      const hcbr_summed_case *list, size_t count) {
    hcbr_json_key(w, name), hcbr_json_open(w, '{');
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, all);
    hcbr_json_key(w, "first"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_case *c = &list[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "row"), hcbr_json_u64(w, c->row);
        hcbr_json_key(w, "id"), hcbr_i_json_id(w, model, c->id, c->id_length);
        hcbr_json_key(w, "label"), hcbr_json_label(w, model, c->label);
        hcbr_json_key(w, "lead_for"), hcbr_json_number(w, c->lead_for);
        hcbr_json_key(w, "lead_against"), hcbr_json_number(w, c->lead_against);
        hcbr_json_key(w, "known"), hcbr_json_u64(w, c->known);
        hcbr_json_key(w, "features"), hcbr_json_u64(w, c->features);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    hcbr_json_close(w, '}');
}

hcbr_status hcbr_json_summary(hcbr_writer *w, const hcbr_model *model, const hcbr_summed *summed,
                              hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, summed) || HCBR_I_UNSIZED(err, summed))
        return HCBR_EUSAGE;
    const hcbr_summed *s = summed;
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.summary/1");
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, s->cases);
    hcbr_json_key(w, "usual_features"), hcbr_json_number(w, s->usual);
    hcbr_json_key(w, "other_atoms"), hcbr_json_u64(w, s->other_atoms);
    hcbr_json_key(w, "answers"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < s->label_count; n++) {
        const hcbr_summed_label *l = &s->labels[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "label"), hcbr_json_label(w, model, l->label);
        hcbr_json_key(w, "cases"), hcbr_json_u64(w, l->cases);
        hcbr_json_key(w, "given"), hcbr_json_u64(w, l->given);
        hcbr_json_key(w, "right"), hcbr_json_u64(w, l->right);
        hcbr_json_key(w, "all_columns"), hcbr_json_u64(w, l->all_columns);
        hcbr_json_key(w, "all_atoms"), hcbr_json_u64(w, l->all_atoms);
        put_reasons(w, model, "columns", l->columns, l->column_count);
        put_reasons(w, model, "atoms", l->atoms, l->atom_count);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    put_cases(w, model, "conflicts", s->all_conflicts, s->conflicts, s->conflict_count);
    put_cases(w, model, "unlike", s->all_unlike, s->unlike, s->unlike_count);
    return hcbr_write_end(w, HCBR_JSON, err);
}
