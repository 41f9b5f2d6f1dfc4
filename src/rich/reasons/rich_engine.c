/*
 * The rich model as an engine.
 */
#include "rich/reasons/rich_reasons.h"

#include <math.h>

bool hcbr_i_rich_row_set(const hcbr_i_rich_encoder *e, const hcbr_i_dict *dict,
                         const hcbr_i_case *x, hcbr_i_rich_row *row) {
    bool ok = true, known;
    hcbr_i_rich_row_begin(e, row);
    for (size_t i = 0; ok && i < x->count; i++) {
        const hcbr_i_item *item = &x->items[i];
        if (item->id != HCBR_I_NONE)
            ok = hcbr_i_rich_row_add(e, dict, item->id, row);
        else if (item->known)
            ok = hcbr_i_rich_row_add_number(e, item->key, item->feature.value,
                                            item->feature.value_length, row, &known);
    }
    hcbr_i_rich_row_end(row);
    return ok;
}

static bool knows(const void *state, hcbr_i_key_id key, const hcbr_feature *f) {
    hcbr_i_rich_kind kind = ((const hcbr_i_rich *)state)->encoder.keys[key].kind;
    double value;
    return f->value && (kind == HCBR_I_RICH_NUMBER || kind == HCBR_I_RICH_SPARSE) &&
           hcbr_number_parse(&value, f->value, f->value_length) && isfinite(value);
}

static bool can_win(const void *state, uint32_t label) {
    (void)state, (void)label; // its trees have an answer to any case
    return true;
}

static void end(hcbr_i_account *x) {
    hcbr_i_reasons_of(x)->known_count = 0;
}

const hcbr_i_engine hcbr_i_rich_engine = {
    .kind = HCBR_MODEL_RICH,
    .knows = knows,
    .can_win = can_win,
    .why_create = hcbr_i_reasons_create,
    .why_free = hcbr_i_reasons_free,
    .begin = hcbr_i_reasons_begin,
    .end = end,
    .terms = hcbr_i_reasons_group,
    .add = hcbr_i_reasons_add,
    .offer = hcbr_i_reasons_offer,
    .list_others = hcbr_i_reasons_list_others,
    .influence = hcbr_i_reasons_influence,
    .show = hcbr_i_reasons_show,
    .own_begin = hcbr_i_reasons_own,
    .own = hcbr_i_reasons_influence,
    .rank = hcbr_i_reasons_rank,
    .weigh_one = hcbr_i_reasons_weigh_one,
    .compare = hcbr_i_reasons_compare,
    .flip = hcbr_i_reasons_flip,
    .ask_begin = hcbr_i_reasons_ask_begin,
    .ask = hcbr_i_reasons_ask,
    .ask_end = hcbr_i_reasons_ask_end,
};
