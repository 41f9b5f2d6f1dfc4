/*
 * What was known before the data, as readers see it: a belief is told as what it is, never as a row
 * of the data.
 */
#include "render/inspection.h"

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
    hcbr_json_key(w, "belief"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "source"), hcbr_json_string(w, source);
    hcbr_json_key(w, "weight"), hcbr_json_number(w, weight);
    hcbr_json_close(w, '}');
}

void hcbr_i_json_origin(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c) {
    hcbr_json_key(w, "row"), c->source ? hcbr_json_null(w) : hcbr_json_u64(w, c->row);
    hcbr_json_key(w, "id"), hcbr_i_json_id(w, model, c->id, c->id_length);
    if (c->source)
        hcbr_i_json_belief(w, c->source, c->weight);
}

/* ---- hcbr.inspect/1 -------------------------------------------------------------------------- */

static void put_emphases(const hcbr_i_inspection *i, size_t count) {
    hcbr_writer *w = i->w;
    hcbr_json_key(w, "given_importance");
    if (count == 0) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '[');
    for (size_t n = 0; n < count; n++) {
        hcbr_emphasis e;
        hcbr_model_get_emphasis(i->model, n, &e);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "column"), hcbr_json_string(w, e.column);
        hcbr_json_key(w, "value"), e.value ? hcbr_json_string(w, e.value) : hcbr_json_null(w);
        hcbr_json_key(w, "importance"), hcbr_json_number(w, e.importance);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_beliefs(const hcbr_i_inspection *i, size_t count) {
    hcbr_writer *w = i->w;
    hcbr_json_key(w, "beliefs");
    if (count == 0) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '[');
    for (size_t n = 0; n < count; n++) {
        hcbr_belief b = {.size = sizeof b};
        hcbr_model_get_belief(i->model, n, &b);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "source"), hcbr_json_string(w, b.source);
        hcbr_json_key(w, "weight"), hcbr_json_number(w, b.weight);
        hcbr_json_key(w, "cases"), hcbr_json_u64(w, b.cases);
        hcbr_json_key(w, "label"), hcbr_json_label(w, i->model, b.label);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

void hcbr_i_inspect_prior(const hcbr_i_inspection *i) {
    put_emphases(i, hcbr_model_emphasis_count(i->model));
    put_beliefs(i, hcbr_model_belief_count(i->model));
}
