/*
 * A decider: its life cycle, and how it loads cases. A block is loaded in the fastest way, by
 * numbers, codes, a table of names or the dictionary; then its cases are decided one by one
 * (decision.c).
 *
 * Invariant: one block is loaded, the last one; `loads` has its number.
 */
#include "decide/decide.h"

#define SMALL 8192 /* features of a model that are worth a table by name */

/* ---- life ------------------------------------------------------------------------------------ */

/* Past cases for the memory rule, for which the scorer computes identities. */
static hcbr_status need_memory(hcbr_decider *d, hcbr_error *err) {
    if (d->engine->tell_values)
        d->engine->tell_values(d->scorer);
    return d->memory ? HCBR_OK : hcbr_i_memory_create(&d->memory, d->model, err);
}

hcbr_status hcbr_i_decider_create(hcbr_decider **out, const hcbr_model *model,
                                  const hcbr_rule *rule, bool names, hcbr_error *err) {
    *out = NULL;
    hcbr_decider *d = hcbr_i_alloc_zero(1, sizeof *d);
    if (!d)
        return hcbr_i_no_memory(err);
    d->model = model;
    d->how.listed = model->read.listed;
    d->total_weight = hcbr_i_model_total_weight(model);
    d->key = hcbr_i_hash_key_make(0);
    d->engine = model->engine;
    bool probable = d->engine->probable || model->calibration.kind != HCBR_CALIBRATE_NONE;
    hcbr_i_rule_kind kind = {d->engine->probable, probable};
    const hcbr_i_frame frame = hcbr_i_model_frame(model);
    hcbr_status st = rule ? hcbr_i_rule_resolve(&d->rule, rule, &model->labels, kind, err)
                          : hcbr_i_rule_copy(&d->rule, &model->rule, model->labels.count, err);
    for (uint32_t l = 0; st == HCBR_OK && l < model->labels.count; l++)
        d->thresholds = d->thresholds || d->rule.eta[l] > 0 || d->rule.eta_share[l] >= 0.5;
    d->scored = st == HCBR_OK && (d->rule.has_cut || d->rule.costs.by_given);
    d->own_rule = st == HCBR_OK && hcbr_i_rule_is_same(&d->rule, &model->rule, model->labels.count);
    if (st == HCBR_OK && (names || d->engine->number)) // values never seen are found by their keys
        st = hcbr_i_dict_need_tables(model->dict, err);
    if (st == HCBR_OK)
        st = d->engine->scorer_create(&d->scorer, model->state, &frame, err);
    if (st == HCBR_OK)
        d->support = d->engine->support(d->scorer);
    d->pairs = d->engine->has_pairs && d->engine->has_pairs(model->state);
    d->emphases = model->emphases;
    if (st == HCBR_OK && probable &&
        !(d->probability = hcbr_i_alloc(model->labels.count, sizeof *d->probability)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && probable &&
        !(d->room_of_labels = hcbr_i_alloc(model->labels.count, sizeof *d->room_of_labels)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK && d->rule.memory)
        st = need_memory(d, err);
    if (st == HCBR_OK) {
        *out = d;
        d = NULL; // now the caller's
    }
    hcbr_decider_free(d);
    return st;
}

hcbr_status hcbr_decider_create(hcbr_decider **out, const hcbr_model *model, const hcbr_rule *rule,
                                hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, model) || HCBR_I_UNSIZED(err, rule))
        return HCBR_EUSAGE;
    return hcbr_i_decider_create(out, model, rule, true, err);
}

hcbr_status hcbr_i_decider_clone(hcbr_decider **out, const hcbr_decider *decider, hcbr_error *err) {
    hcbr_i_rule rule = {0};
    hcbr_status st = hcbr_i_decider_create(out, decider->model, NULL, true, err);
    if (st == HCBR_OK)
        st = hcbr_i_rule_copy(&rule, &decider->rule, decider->model->labels.count, err);
    if (st == HCBR_OK && decider->rule.memory)
        st = need_memory(*out, err);
    if (st != HCBR_OK) {
        hcbr_decider_free(*out);
        *out = NULL;
        return st;
    }
    if (!rule.memory) {
        hcbr_i_memory_free((*out)->memory);
        (*out)->memory = NULL;
    }
    hcbr_i_rule_clear(&(*out)->rule);
    (*out)->rule = rule;
    (*out)->thresholds = decider->thresholds;
    (*out)->scored = decider->scored;
    (*out)->own_rule = decider->own_rule;
    (*out)->how.listed = decider->how.listed;
    return HCBR_OK;
}

void hcbr_decider_free(hcbr_decider *d) {
    if (!d)
        return;
    hcbr_i_rule_clear(&d->rule);
    hcbr_i_memory_free(d->memory);
    if (d->scorer)
        d->engine->scorer_free(d->scorer);
    hcbr_i_free(d->probability);
    hcbr_i_free(d->room_of_labels);
    hcbr_i_block_clear(&d->block);
    hcbr_i_block_clear(&d->spelled);
    hcbr_i_block_clear(&d->taken);
    hcbr_i_splitter_free(d->how.words);
    hcbr_i_free(d->own_key);
    hcbr_i_free(d->features);
    hcbr_i_free(d->room);
    hcbr_i_free(d->marks);
    hcbr_i_free(d->same);
    hcbr_i_free(d->by_number);
    hcbr_i_name_table_free(d->by_name);
    hcbr_i_by_code_clear(&d->by_code);
    hcbr_i_by_item_clear(&d->by_item);
    hcbr_i_free(d->joined);
    hcbr_i_free(d->held);
    hcbr_i_free(d->unseen);
    hcbr_i_free(d->text);
    hcbr_i_hash_table_clear(&d->table);
    hcbr_i_free(d->ids);
    hcbr_i_free(d->items);
    hcbr_i_free(d);
}

/* ---- blocks ---------------------------------------------------------------------------------- */

/* Whether cases can be decided by numbers or codes, without the ids of features. */
static bool by_numbers(const hcbr_decider *d) {
    return d->pairs && !d->memory;
}

bool hcbr_i_decider_wants_numbers(const hcbr_decider *d) {
    return by_numbers(d) && d->spellings * 4 <= d->loads;
}

/*
 * Whether a table by name pays off: for a small model, once as many names were looked up as it has
 * features.
 */
static bool by_names(const hcbr_decider *d) {
    const uint32_t features = hcbr_i_dict_count(d->model->dict);
    return d->pairs && features <= SMALL && d->names >= features;
}

/* Room for the results of a table by name. */
static hcbr_status names_need(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (!d->by_name)
        st = hcbr_i_name_table_create(&d->by_name, d->model, err);
    if (st == HCBR_OK && !hcbr_i_grow(&d->ids, &d->id_capacity, block->name_count, sizeof *d->ids))
        st = hcbr_i_no_memory(err);
    return st;
}

hcbr_status hcbr_i_decider_load(hcbr_decider *d, const hcbr_i_block *block, hcbr_error *err) {
    hcbr_status st = hcbr_i_decider_take(d, block, err);
    if (d->takes)
        block = &d->taken;
    if (st == HCBR_OK)
        st = hcbr_i_decider_need_room(d, block->name_count + block->item_count, err); // or less
    if (st == HCBR_OK && block->item_count)
        st = hcbr_i_by_item_load(&d->by_item, d->model, block, err);
    if (st != HCBR_OK)
        return st;
    d->loads++;
    d->held_count = 0;
    d->names += block->name_count;
    d->numeric = block->numeric && by_numbers(d);
    d->coded = false;
    d->named = !block->numeric && !block->coded && by_names(d);
    if (d->numeric)
        return hcbr_i_by_number_need(d, err);
    if (block->coded) {
        st = hcbr_i_by_code_load(&d->by_code, d->model, by_numbers(d), block, err);
        d->coded = by_numbers(d) && block->other_count == 0;
        if (st != HCBR_OK || d->coded)
            return st;
    }
    return d->named ? names_need(d, block, err) : hcbr_i_decider_find_names(d, block, err);
}
