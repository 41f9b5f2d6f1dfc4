/*
 * The reasons of many decisions together as JSON, schema hcbr.summary/1 (docs/JSON.md).
 */
#include "render/items.h"

#include <hcbr/summary.h>

static void put_reasons(hcbr_writer *w, const hcbr_model *model, const char *name,
                        const hcbr_summed_reason *list, size_t count) {
    PUT(w, OPEN(name, '['));
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_reason *r = &list[n];
        PUT(w, OPEN(NULL, '{'));
        if (r->name) {
            PUT(w, COLUMN("name", r->name, r->name_length));
        } else {
            PUT(w, STRING("kind", r->kind == HCBR_ATOM_TESTS ? "tests" : "features"),
                FEATURES("features", r->features, r->feature_count));
            hcbr_i_json_all_words(w, model, r->features, r->feature_count);
        }
        PUT(w, U64("cases_for", r->cases_for), U64("cases_against", r->cases_against),
            U64("first", r->first), NUMBER("lead", r->lead), NUMBER("absolute", r->absolute),
            CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_cases(hcbr_writer *w, const hcbr_model *model, const char *name, uint64_t all,
                      const hcbr_summed_case *list, size_t count) {
    PUT(w, OPEN(name, '{'), U64("cases", all), OPEN("first", '['));
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_case *c = &list[n];
        PUT(w, OPEN(NULL, '{'), U64("row", c->row), ID("id", model, c->id, c->id_length),
            LABEL("label", model, c->label), NUMBER("lead_for", c->lead_for),
            NUMBER("lead_against", c->lead_against), U64("known", c->known),
            U64("features", c->features), CLOSE('}'));
    }
    PUT(w, CLOSE(']'), CLOSE('}'));
}

hcbr_status hcbr_json_summary(hcbr_writer *w, const hcbr_model *model, const hcbr_summed *summed,
                              hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, summed) || HCBR_I_UNSIZED(err, summed))
        return HCBR_EUSAGE;
    const hcbr_summed *s = summed;
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.summary/1"), U64("cases", s->cases),
        NUMBER("usual_features", s->usual), U64("other_atoms", s->other_atoms),
        OPEN("answers", '['));
    for (size_t n = 0; n < s->label_count; n++) {
        const hcbr_summed_label *l = &s->labels[n];
        PUT(w, OPEN(NULL, '{'), LABEL("label", model, l->label), U64("cases", l->cases),
            U64("given", l->given), U64("right", l->right), U64("all_columns", l->all_columns),
            U64("all_atoms", l->all_atoms));
        put_reasons(w, model, "columns", l->columns, l->column_count);
        put_reasons(w, model, "atoms", l->atoms, l->atom_count);
        PUT(w, CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
    put_cases(w, model, "conflicts", s->all_conflicts, s->conflicts, s->conflict_count);
    put_cases(w, model, "unlike", s->all_unlike, s->unlike, s->unlike_count);
    return hcbr_write_end(w, HCBR_JSON, err);
}
