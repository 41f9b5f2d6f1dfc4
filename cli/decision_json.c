/*
 * What predict and explain say of a decision in JSON (docs/JSON.md, hcbr.predict/1).
 */
#include "decision_json.h"

void json_label(json *j, const hcbr_model *model, hcbr_label label) {
    if (label < 0) {
        json_null(j);
        return;
    }
    size_t length;
    const char *name = hcbr_model_get_label(model, label, &length);
    json_text(j, name, length);
}

void json_by_label(json *j, const hcbr_model *model, const double *values, size_t count) {
    json_open(j, '{');
    for (size_t l = 0; l < count; l++) {
        size_t length;
        const char *name = hcbr_model_get_label(model, (hcbr_label)l, &length);
        json_key_text(j, name, length);
        json_number(j, values[l]);
    }
    json_close(j, '}');
}

void json_text_or_null(json *j, const char *text, size_t length) {
    if (text)
        json_text(j, text, length);
    else
        json_null(j);
}

static void put_cut(json *j, const hcbr_model *model, const hcbr_model_info *info) {
    json_key(j, "cut");
    if (!info->has_cut) {
        json_null(j);
        return;
    }
    json_open(j, '{');
    json_key(j, "label"), json_label(j, model, 1);
    json_key(j, "score");
    json_string(j, info->model == HCBR_MODEL_RICH ? "probability" : "support");
    json_key(j, "low"), json_number(j, info->cut_low);
    json_key(j, "high"), json_number(j, info->cut_high);
    json_close(j, '}');
}

void json_rule(json *j, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    put_cut(j, model, &info);
    json_key(j, "costs");
    if (!info.by_cost) {
        json_null(j);
        return;
    }
    json_open(j, '[');
    for (uint64_t i = 0; i < info.prices; i++) {
        hcbr_cost cost;
        hcbr_model_get_cost(model, i, &cost);
        json_open(j, '{');
        json_key(j, "truth"), json_string(j, cost.truth);
        json_key(j, "given"), json_string(j, cost.given);
        json_key(j, "cost"), json_number(j, cost.cost);
        json_close(j, '}');
    }
    json_close(j, ']');
}

void json_decision(json *j, const hcbr_model *model, const hcbr_decision *d) {
    json_key(j, "row"), json_u64(j, d->row);
    json_key(j, "id"), json_text_or_null(j, d->id, d->id_length);
    json_key(j, "label"), json_label(j, model, d->label);
    json_key(j, "reason"), json_string(j, hcbr_reason_name(d->reason));
    json_key(j, "given"), json_text_or_null(j, d->given, d->given_length);
    json_key(j, "probability");
    if (d->probability)
        json_by_label(j, model, d->probability, d->label_count);
    else
        json_null(j);
    json_key(j, "support"), json_by_label(j, model, d->support, d->label_count);
    json_key(j, "known");
    if (d->feature_count)
        json_number(j, (double)d->known_count / (double)d->feature_count);
    else
        json_null(j);
    json_key(j, "unseen"), json_feature_list(j, d->unseen, d->unseen_count);
}
