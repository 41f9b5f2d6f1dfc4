/*
 * A model in memory: its ownership and its read access.
 *
 * A model never changes once it is made.
 */
#include "model/model.h"

#include <assert.h>
#include <stdio.h>

size_t hcbr_model_kind_count(const hcbr_model *model) {
    return hcbr_i_schema_count(model->schema);
}

void hcbr_model_get_kind(const hcbr_model *model, size_t index, hcbr_kind *out) {
    hcbr_i_schema_show(model->schema, index, out);
}

hcbr_status hcbr_i_model_create(hcbr_model **out, hcbr_error *err) {
    hcbr_model *m = *out = hcbr_i_alloc_zero(1, sizeof *m);
    if (!m)
        return hcbr_i_no_memory(err);
    m->min_cases = 1;
    return HCBR_OK;
}

void hcbr_model_free(hcbr_model *model) {
    if (!model)
        return;
    if (model->state)
        model->engine->free(model->state);
    model->kept_label = hcbr_i_not_lent(model->kept_label, model->file, model->file_size);
    hcbr_i_free(model->file);
    hcbr_i_dict_release(model->dict);
    hcbr_i_labels_clear(&model->labels);
    hcbr_i_rule_clear(&model->rule);
    hcbr_i_stored_read_clear(&model->read);
    hcbr_i_calibration_clear(&model->calibration);
    hcbr_i_schema_release(model->schema);
    hcbr_i_emphases_release(model->emphases);
    hcbr_i_beliefs_release(model->beliefs);
    hcbr_i_record_clear(&model->record);
    hcbr_i_free(model->why);
    hcbr_i_free(model->pass_errors);
    hcbr_i_free(model->kept_label);
    hcbr_i_free(model->kept_row);
    hcbr_i_free(model->kept_ids);
    hcbr_i_free(model->kept_id_start);
    hcbr_i_free(model->label_weight);
    hcbr_i_free(model->label_cases);
    hcbr_i_free(model->label_total);
    hcbr_i_free(model->label_type);
    hcbr_i_free(model);
}

hcbr_i_past hcbr_i_model_past(const hcbr_model *m) {
    return m->state ? m->engine->past(m->state) : (hcbr_i_past){.state = NULL};
}

hcbr_i_frame hcbr_i_model_frame(const hcbr_model *m) {
    return (hcbr_i_frame){.dict = m->dict,
                          .feature_count = m->dict ? hcbr_i_dict_count(m->dict) : 0,
                          .label_count = m->labels.count,
                          .case_count = m->case_count,
                          .empty_count = m->empty_count,
                          .occurrence_count = m->occurrence_count,
                          .passes = m->passes,
                          .pass_errors = m->pass_errors,
                          .seed = m->seed,
                          .facts = m->facts,
                          .keep = m->keep,
                          .scope = m->scope,
                          .label_cases = m->label_cases,
                          .label_total = m->label_total,
                          .emphases = m->emphases,
                          .file = m->file,
                          .file_size = m->file_size,
                          .past = hcbr_i_model_past(m),
                          .kept_label = m->kept_label,
                          .kept_row = m->kept_row,
                          .kept_ids = m->kept_ids,
                          .kept_id_start = m->kept_id_start,
                          .beliefs = m->beliefs};
}

/* ---- questions ------------------------------------------------------------------------------- */

void hcbr_model_get_info(const hcbr_model *model, hcbr_model_info *info) {
    hcbr_model_info full = {
        .cases = model->case_count,
        .empty_cases = model->empty_count,
        .occurrences = model->occurrence_count,
        .features = hcbr_i_dict_count(model->dict),
        .atoms = hcbr_i_model_atom_count(model),
        .keys = hcbr_i_dict_key_count(model->dict),
        .labels = model->labels.count,
        .scope = model->scope,
        .passes = model->passes,
        .seed = model->seed,
        .given_order = model->given_order,
        .keep = model->keep,
        .memory = model->rule.memory,
        .on_nothing = model->rule.on_nothing,
        .prior = model->prior,
        .format_version = HCBR_I_MODEL_VERSION,
        .calibrate = model->calibration.kind,
        .model = model->engine->kind,
        .why = model->why,
        .has_cut = model->rule.has_cut,
        .cut_low = model->rule.cut.low,
        .cut_high = model->rule.cut.high,
        .by_cost = model->rule.costs.by_given != NULL,
        .prices = model->rule.costs.price_count,
        .weight = hcbr_i_model_total_weight(model),
        .min_cases = model->min_cases,
        .values = model->value_count,
    };
    snprintf(full.fingerprint, sizeof full.fingerprint, "%016llx%016llx",
             (unsigned long long)model->fingerprint[1], (unsigned long long)model->fingerprint[0]);
    hcbr_i_hand_out(info, &full, sizeof full);
}

const char *hcbr_model_get_label(const hcbr_model *model, hcbr_label label, size_t *length) {
    return hcbr_i_labels_name(&model->labels, label, length);
}

void hcbr_model_get_label_info(const hcbr_model *model, hcbr_label label, hcbr_label_info *info) {
    assert(label >= 0 && (uint32_t)label < model->labels.count);
    hcbr_label_info full = {
        .cases = model->label_cases[label],
        .total = model->label_total[label],
        .eta = model->rule.eta[label],
        .eta_share = model->rule.eta_share[label],
        .fallback = model->rule.fallback[label],
        .weight = hcbr_i_model_label_weight(model, (uint32_t)label),
        .type =
            model->label_type ? (hcbr_label_type)model->label_type[label] : HCBR_LABEL_TYPE_TEXT,
    };
    hcbr_i_hand_out(info, &full, sizeof full);
}

void hcbr_model_get_cost(const hcbr_model *model, uint64_t index, hcbr_cost *out) {
    assert(index < model->rule.costs.price_count);
    const hcbr_i_price *price = &model->rule.costs.prices[index];
    *out = (hcbr_cost){.truth = model->labels.names[price->truth],
                       .given = price->given < 0 ? NULL : model->labels.names[price->given],
                       .cost = price->cost};
}

hcbr_label hcbr_model_find_label(const hcbr_model *model, const char *name, size_t name_length) {
    uint32_t label = hcbr_i_labels_find(&model->labels, name, name_length);
    return label == HCBR_I_NONE ? HCBR_LABEL_UNKNOWN : (hcbr_label)label;
}

const uint64_t *hcbr_model_get_pass_errors(const hcbr_model *model) {
    return model->pass_errors;
}

void hcbr_model_get_feature(const hcbr_model *model, uint32_t feature, hcbr_feature *out) {
    assert(feature < hcbr_i_dict_count(model->dict));
    hcbr_i_dict_feature named = hcbr_i_dict_get(model->dict, feature);
    hcbr_i_text key = hcbr_i_dict_key(model->dict, named.key);
    *out = (hcbr_feature){key.at, key.length, named.value, named.value ? named.value_length : 0};
}

/** Look at every feature: the answer when there is no memory for a table. */
static uint32_t search_feature(const hcbr_model *model, const hcbr_feature *feature) {
    for (uint32_t f = 0; f < hcbr_i_dict_count(model->dict); f++) {
        hcbr_feature have;
        hcbr_model_get_feature(model, f, &have);
        if (hcbr_i_feature_same(&have, feature))
            return f;
    }
    return HCBR_I_NONE;
}

uint32_t hcbr_model_find_feature(const hcbr_model *model, const hcbr_feature *feature) {
    if (hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK)
        return search_feature(model, feature);
    if (model->engine->find && model->state)
        return model->engine->find_any(model->state, feature);
    return hcbr_i_dict_find(model->dict, feature->key, feature->key_length, feature->value,
                            feature->value ? feature->value_length : 0);
}

uint64_t hcbr_model_kept_count(const hcbr_model *model) {
    return model->keep == HCBR_KEEP_NONE ? 0 : model->case_count;
}

void hcbr_model_get_kept(const hcbr_model *model, uint64_t index, hcbr_kept_case *out) {
    assert(index < hcbr_model_kept_count(model));
    hcbr_kept_case full = {
        .row = model->kept_row ? model->kept_row[index] : index + 1,
        .label = (hcbr_label)model->kept_label[index],
        .weight = hcbr_i_model_weight(model, index),
    };
    const uint32_t belief = hcbr_i_beliefs_of(model->beliefs, model->case_count, index);
    if (belief != HCBR_I_NONE) {
        full.source = model->beliefs->source[belief];
        full.belief_weight = model->beliefs->weight[belief];
        full.copy = hcbr_i_beliefs_again(model->beliefs, model->case_count, index);
    }
    full.held_label = HCBR_LABEL_UNKNOWN;
    if (model->record.answer && model->record.answer[index] != HCBR_I_NONE) {
        full.held_label = (hcbr_label)model->record.answer[index];
        full.held_probability = model->record.chance[index] / 255.0;
    }
    full.atoms = hcbr_i_model_kept_atoms(model, index, &full.atom_count);
    full.feature_count = hcbr_i_model_kept_size(model, index);
    if (model->kept_ids && model->kept_id_start[index] < model->kept_id_start[index + 1]) {
        full.id = model->kept_ids + model->kept_id_start[index];
        full.id_length = (size_t)(model->kept_id_start[index + 1] - model->kept_id_start[index]);
    }
    hcbr_i_hand_out(out, &full, sizeof full);
}

int hcbr_model_get_heldout(const hcbr_model *model, hcbr_heldout *out) {
    return hcbr_model_get_answered(model, HCBR_LABEL_UNKNOWN, out);
}

int hcbr_model_get_answered(const hcbr_model *model, hcbr_label label, hcbr_heldout *out) {
    const hcbr_heldout full = hcbr_i_record_of(&model->record, label);
    hcbr_i_hand_out(out, &full, sizeof full);
    return model->record.held;
}

/* Digits as a number; 0 for any other text or too many digits. */
static uint64_t row_of(const char *name, size_t length) {
    uint64_t row = 0;
    for (size_t i = 0; i < length; i++) {
        if (name[i] < '0' || name[i] > '9' || row > UINT64_MAX / 20)
            return 0;
        row = 10 * row + (uint64_t)(name[i] - '0');
    }
    return row;
}

uint64_t hcbr_model_find_kept(const hcbr_model *model, const char *name, size_t length) {
    uint64_t count = hcbr_model_kept_count(model), row = row_of(name, length);
    uint64_t by_row = UINT64_MAX;
    for (uint64_t i = 0; i < count; i++) {
        hcbr_kept_case x = {.size = sizeof x};
        hcbr_model_get_kept(model, i, &x);
        if (x.id && x.id_length == length && memcmp(x.id, name, length) == 0)
            return i;
        if (row > 0 && x.row == row)
            by_row = i;
    }
    return by_row;
}

void hcbr_model_get_column(const hcbr_model *model, uint32_t number, hcbr_column *out) {
    hcbr_i_text name = hcbr_i_dict_key(model->dict, number);
    hcbr_column full = {.name = name.at, .name_length = name.length};
    if (model->engine->column)
        model->engine->column(model->state, number, &full);
    hcbr_i_hand_out(out, &full, sizeof full);
}
