/*
 * What was known before the data, as readers see it: a belief is told as what it is, never as a row
 * of the data.
 */
#include "render/inspection.h"
#include "render/json.h"

#include <hcbr/number.h>

void hcbr_cell_add_stated(hcbr_cell *c, const char *source, double weight, size_t columns) {
    const char *stated = hcbr_word_get(HCBR_WORD_STATED_BY);
    char number[HCBR_NUMBER_SIZE + 1], behind[HCBR_NUMBER_SIZE + 32];
    const char *const parts[] = {number};
    number[hcbr_number_format(number, weight)] = '\0';
    hcbr_i_word_fill(behind, sizeof behind, HCBR_WORD_STATED_WEIGHT, parts, 1);
    const size_t length = strlen(behind);
    hcbr_cell_add(c, stated, strlen(stated), columns);
    hcbr_cell_add_cut(c, source, strlen(source), columns > length ? columns - length : 0);
    hcbr_cell_add(c, behind, length, columns);
}

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
