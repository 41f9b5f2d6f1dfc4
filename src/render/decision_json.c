/*
 * A decision in the JSON of predict and explain (docs/JSON.md, hcbr.predict/1).
 */
#include "render/items.h"

static void put_cut(hcbr_writer *w, const hcbr_model *model, const hcbr_model_info *info) {
    if (!info->has_cut) {
        PUT(w, NONE("cut"));
        return;
    }
    PUT(w, OPEN("cut", '{'), LABEL("label", model, 1),
        STRING("score", info->model == HCBR_MODEL_RICH ? "probability" : "support"),
        NUMBER("low", info->cut_low), NUMBER("high", info->cut_high), CLOSE('}'));
}

void hcbr_json_rule(hcbr_writer *w, const hcbr_model *model) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    put_cut(w, model, &info);
    if (!info.by_cost) {
        PUT(w, NONE("costs"));
        return;
    }
    PUT(w, OPEN("costs", '['));
    for (uint64_t i = 0; i < info.prices; i++) {
        hcbr_cost cost;
        hcbr_model_get_cost(model, i, &cost);
        PUT(w, OPEN(NULL, '{'), STRING("truth", cost.truth), STRING("given", cost.given),
            NUMBER("cost", cost.cost), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

void hcbr_i_json_decision(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    PUT(w, U64("row", d->row), ID("id", model, d->id, d->id_length),
        LABEL("label", model, d->label), STRING("reason", hcbr_reason_name(d->reason)),
        TEXT("given", d->given, d->given_length),
        hcbr_i_item_of(HCBR_ITEM_BY_LABEL, "probability", model, d->probability, d->label_count),
        hcbr_i_item_of(HCBR_ITEM_BY_LABEL, "support", model, d->support, d->label_count),
        d->feature_count ? NUMBER("known", (double)d->known_count / (double)d->feature_count)
                         : NONE("known"),
        FEATURES("unseen", d->unseen, d->unseen_count));
}
