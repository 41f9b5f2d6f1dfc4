/*
 * What predict and explain say of a decision in JSON (docs/JSON.md, hcbr.predict/1).
 */
#include "render/render.h"

void hcbr_i_json_label_key(hcbr_writer *w, const hcbr_model *model, hcbr_label label) {
    size_t length;
    const char *name = hcbr_model_get_label(model, label, &length);
    hcbr_json_key_text(w, name, length);
}

void hcbr_json_label(hcbr_writer *w, const hcbr_model *model, hcbr_label label) {
    size_t length = 0;
    const char *name = label < 0 ? NULL : hcbr_model_get_label(model, label, &length);
    hcbr_json_text(w, name, length);
}

static void put_by_label(hcbr_writer *w, const hcbr_model *model, const double *values,
                         size_t count) {
    if (!values) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    for (size_t l = 0; l < count; l++) {
        hcbr_i_json_label_key(w, model, (hcbr_label)l);
        hcbr_json_number(w, values[l]);
    }
    hcbr_json_close(w, '}');
}

void hcbr_json_by_label(hcbr_writer *w, const hcbr_model *model, const double *values) {
    put_by_label(w, model, values, values ? hcbr_i_label_count(model) : 0);
}

static void put_cut(hcbr_writer *w, const hcbr_model *model, const hcbr_model_info *info) {
    hcbr_json_key(w, "cut");
    if (!info->has_cut) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "label"), hcbr_json_label(w, model, 1);
    hcbr_json_key(w, "score");
    hcbr_json_string(w, info->model == HCBR_MODEL_RICH ? "probability" : "support");
    hcbr_json_key(w, "low"), hcbr_json_number(w, info->cut_low);
    hcbr_json_key(w, "high"), hcbr_json_number(w, info->cut_high);
    hcbr_json_close(w, '}');
}

void hcbr_json_rule(hcbr_writer *w, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    put_cut(w, model, &info);
    hcbr_json_key(w, "costs");
    if (!info.by_cost) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '[');
    for (uint64_t i = 0; i < info.prices; i++) {
        hcbr_cost cost;
        hcbr_model_get_cost(model, i, &cost);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "truth"), hcbr_json_string(w, cost.truth);
        hcbr_json_key(w, "given"), hcbr_json_string(w, cost.given);
        hcbr_json_key(w, "cost"), hcbr_json_number(w, cost.cost);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

void hcbr_i_json_decision(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    hcbr_json_key(w, "row"), hcbr_json_u64(w, d->row);
    hcbr_json_key(w, "id"), hcbr_i_json_id(w, model, d->id, d->id_length);
    hcbr_json_key(w, "label"), hcbr_json_label(w, model, d->label);
    hcbr_json_key(w, "reason"), hcbr_json_string(w, hcbr_reason_name(d->reason));
    hcbr_json_key(w, "given"), hcbr_json_text(w, d->given, d->given_length);
    hcbr_json_key(w, "probability"), put_by_label(w, model, d->probability, d->label_count);
    hcbr_json_key(w, "support"), put_by_label(w, model, d->support, d->label_count);
    hcbr_json_key(w, "known");
    if (d->feature_count)
        hcbr_json_number(w, (double)d->known_count / (double)d->feature_count);
    else
        hcbr_json_null(w);
    hcbr_json_key(w, "unseen"), hcbr_json_features(w, d->unseen, d->unseen_count);
}
