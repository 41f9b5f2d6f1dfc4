/*
 * Prior knowledge for readers: a belief is shown as one, never as a row of the data.
 */
#include "render/inspection.h"
#include "render/items.h"

void hcbr_i_json_belief(hcbr_writer *w, const char *source, double weight) {
    PUT(w, OPEN("belief", '{'), STRING("source", source), NUMBER("weight", weight), CLOSE('}'));
}

void hcbr_i_json_origin(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c) {
    PUT(w, c->source ? NONE("row") : U64("row", c->row), ID("id", model, c->id, c->id_length));
    if (c->source)
        hcbr_i_json_belief(w, c->source, c->weight);
}

/* ---- hcbr.inspect/1 -------------------------------------------------------------------------- */

static void put_emphases(const hcbr_i_inspection *i, size_t count) {
    hcbr_writer *w = i->w;
    if (count == 0) {
        PUT(w, NONE("given_importance"));
        return;
    }
    PUT(w, OPEN("given_importance", '['));
    for (size_t n = 0; n < count; n++) {
        hcbr_emphasis e;
        hcbr_model_get_emphasis(i->model, n, &e);
        PUT(w, OPEN(NULL, '{'), STRING("column", e.column),
            e.value ? STRING("value", e.value) : NONE("value"), NUMBER("importance", e.importance),
            CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_beliefs(const hcbr_i_inspection *i, size_t count) {
    hcbr_writer *w = i->w;
    if (count == 0) {
        PUT(w, NONE("beliefs"));
        return;
    }
    PUT(w, OPEN("beliefs", '['));
    for (size_t n = 0; n < count; n++) {
        hcbr_belief b = {.size = sizeof b};
        hcbr_model_get_belief(i->model, n, &b);
        PUT(w, OPEN(NULL, '{'), STRING("source", b.source), NUMBER("weight", b.weight),
            U64("cases", b.cases), LABEL("label", i->model, b.label), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

void hcbr_i_inspect_prior(const hcbr_i_inspection *i) {
    put_emphases(i, hcbr_model_emphasis_count(i->model));
    put_beliefs(i, hcbr_model_belief_count(i->model));
}
