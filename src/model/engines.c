/*
 * The engines of a model: the one place outside their folders that names them. All other code uses
 * model->engine.
 */
#include "model/model.h"
#include "plain/plain.h"
#include "rich/rich.h"

#include <assert.h>
#include <math.h>

static const hcbr_i_plain *plain_of(const hcbr_model *model) {
    return model->state;
}

static const hcbr_i_rich *rich_of(const hcbr_model *model) {
    return model->engine == &hcbr_i_rich_engine ? model->state : NULL;
}

const hcbr_i_engine *hcbr_i_engine_of(hcbr_model_kind kind) {
    return kind == HCBR_MODEL_RICH ? &hcbr_i_rich_engine : &hcbr_i_plain_engine;
}

hcbr_status hcbr_i_model_exact_weights(double **out, const hcbr_cases *cases, const double *weight,
                                       hcbr_error *err) {
    hcbr_i_rich_view view = {.cases = cases, .weight = weight};
    double *exact = *out = hcbr_i_alloc(cases->case_count, sizeof *exact);
    if (!exact)
        return hcbr_i_no_memory(err);
    view.grid = hcbr_i_rich_weight_grid(&view);
    for (uint32_t i = 0; i < cases->case_count; i++)
        exact[i] = hcbr_i_rich_weight(&view, i);
    return HCBR_OK;
}

/* ---- linear model ---------------------------------------------------------------------------- */

/* Intervals of numbers that a rich model counts, and tests by themselves: they follow its atoms. */
static uint32_t interval_count(const hcbr_i_rich *rich) {
    return rich->counts.values - rich->encoder.feature_count;
}

uint32_t hcbr_i_model_atom_count(const hcbr_model *model) {
    const hcbr_i_rich *rich = rich_of(model);
    return rich ? rich->classes.count + interval_count(rich) : plain_of(model)->atoms.count;
}

const uint32_t *hcbr_i_model_kept_atoms(const hcbr_model *model, uint64_t index, size_t *count) {
    const hcbr_i_projections *kept = &plain_of(model)->kept;
    *count = 0;
    if (rich_of(model))
        return NULL;
    *count = (size_t)(kept->start[index + 1] - kept->start[index]);
    return kept->atoms + kept->start[index];
}

uint32_t hcbr_model_get_atom(const hcbr_model *model, uint32_t feature) {
    assert(feature < hcbr_i_dict_count(model->dict));
    const hcbr_i_rich *rich = rich_of(model);
    return rich ? rich->classes.of[feature] : plain_of(model)->atoms.of[feature];
}

uint32_t hcbr_model_find_atom(const hcbr_model *model, const hcbr_feature *feature) {
    const hcbr_i_rich *rich = rich_of(model);
    const uint32_t id = hcbr_model_find_feature(model, feature);
    double value;
    if (id != HCBR_I_NONE)
        return hcbr_model_get_atom(model, id);
    if (!rich || !feature->value || hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK)
        return HCBR_I_NONE;
    const hcbr_i_rich_encoder *e = &rich->encoder;
    const hcbr_i_key_id k = hcbr_i_dict_find_key(model->dict, feature->key, feature->key_length);
    if (k == HCBR_I_NONE ||
        !hcbr_i_rich_number(&e->keys[k], feature->value, feature->value_length, &value))
        return HCBR_I_NONE;
    const uint8_t code =
        hcbr_i_rich_code(e->cuts + e->keys[k].cut_start, e->keys[k].cut_count, value);
    return rich->classes.count + e->keys[k].count_start + code - 1 - e->feature_count;
}

int hcbr_model_get_atom_range(const hcbr_model *model, uint32_t atom, hcbr_atom_range *out) {
    const hcbr_i_rich *rich = rich_of(model);
    assert(atom < hcbr_i_model_atom_count(model));
    if (!rich || atom < rich->classes.count)
        return 0;
    const hcbr_i_rich_encoder *e = &rich->encoder;
    const uint32_t counted = atom - rich->classes.count + e->feature_count;
    hcbr_i_key_id k = 0;
    while (!hcbr_i_rich_is_number(&e->keys[k]) || counted < e->keys[k].count_start ||
           counted - e->keys[k].count_start > e->keys[k].cut_count)
        k++;
    const double *cuts = e->cuts + e->keys[k].cut_start;
    const uint32_t below = counted - e->keys[k].count_start;
    const hcbr_i_text name = hcbr_i_dict_key(model->dict, k);
    hcbr_atom_range full = {.name = name.at,
                            .name_length = name.length,
                            .above = below > 0 ? cuts[below - 1] : -INFINITY,
                            .most = below < e->keys[k].cut_count ? cuts[below] : INFINITY};
    hcbr_i_hand_out(out, &full, sizeof full);
    return 1;
}

uint32_t hcbr_model_get_atom_size(const hcbr_model *model, uint32_t atom) {
    const hcbr_i_rich *rich = rich_of(model);
    assert(atom < hcbr_i_model_atom_count(model));
    if (!rich)
        return plain_of(model)->atoms.size[atom];
    return atom < rich->classes.count ? rich->classes.start[atom + 1] - rich->classes.start[atom]
                                      : 0;
}

uint32_t hcbr_model_get_atom_count(const hcbr_model *model, uint32_t atom, hcbr_label label) {
    const hcbr_i_rich *rich = rich_of(model);
    assert(label >= 0 && (uint32_t)label < model->labels.count);
    if (rich)
        return hcbr_i_rich_count(&rich->counts,
                                 atom < rich->classes.count
                                     ? rich->classes.members[rich->classes.start[atom]]
                                     : rich->encoder.feature_count + (atom - rich->classes.count),
                                 (uint32_t)label);
    return hcbr_i_strength_count(&plain_of(model)->strength, atom, (uint32_t)label);
}

double hcbr_model_get_atom_strength(const hcbr_model *model, uint32_t atom, hcbr_label label) {
    assert(label >= 0 && (uint32_t)label < model->labels.count);
    return rich_of(model) ? 0
                          : hcbr_i_strength_get(&plain_of(model)->strength, atom, (uint32_t)label);
}

const uint32_t *hcbr_model_get_atom_features(const hcbr_model *model, uint32_t atom) {
    const hcbr_i_rich *rich = rich_of(model);
    if (rich)
        return rich->classes.members + (atom < rich->classes.count ? rich->classes.start[atom] : 0);
    const hcbr_i_atom_index *index = hcbr_i_plain_index(plain_of(model));
    return index ? index->features + index->start[atom] : NULL;
}

hcbr_status hcbr_model_rank_atoms(const hcbr_model *model, hcbr_label label, uint32_t *atoms,
                                  size_t capacity, size_t *count, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, count))
        return HCBR_EUSAGE;
    *count = 0;
    return rich_of(model)
               ? HCBR_OK
               : hcbr_i_plain_rank(plain_of(model), (uint32_t)label, atoms, capacity, count, err);
}

/* ---- features of kept cases ------------------------------------------------------------------ */

/* A list of features followed by their texts, in one block. */
typedef struct listing {
    hcbr_feature *features;
    size_t count;
    char *text; /* room for numbers */
} listing;

static void add_number(listing *l, const hcbr_i_dict *dict,
                       const struct hcbr_i_rich_past_number *n) {
    hcbr_i_text key = hcbr_i_dict_key(dict, n->key);
    size_t length = n->text.length;
    if (n->text.at)
        memcpy(l->text, n->text.at, length);
    else
        length = hcbr_number_format(l->text, n->value);
    l->features[l->count++] = (hcbr_feature){key.at, key.length, l->text, length};
    l->text += length + 1;
}

static hcbr_status copy_rich(const hcbr_model *m, uint32_t index, listing *l, hcbr_error *err) {
    hcbr_i_rich_past_case past = {0};
    bool ok = hcbr_i_rich_past_get(rich_of(m)->past, &rich_of(m)->encoder, index, &past);
    size_t size = (past.feature_count + past.number_count) * sizeof *l->features;
    size_t text = past.number_count * (HCBR_NUMBER_SIZE + 1);
    for (size_t n = 0; n < past.number_count; n++)
        text += past.numbers[n].text.length;
    ok = ok && (l->features = hcbr_i_alloc(size + text, 1));
    l->text = ok ? (char *)l->features + size : NULL;
    for (size_t f = 0; ok && f < past.feature_count; f++)
        hcbr_model_get_feature(m, past.features[f], &l->features[l->count++]);
    for (size_t n = 0; ok && n < past.number_count; n++)
        add_number(l, m->dict, &past.numbers[n]);
    hcbr_i_rich_past_case_clear(&past);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status copy_plain(const hcbr_model *m, uint64_t index, listing *l, hcbr_error *err) {
    const hcbr_i_atom_index *of = hcbr_i_plain_index(plain_of(m));
    size_t count = 0;
    for (uint64_t k = plain_of(m)->kept.start[index]; k < plain_of(m)->kept.start[index + 1]; k++)
        count += plain_of(m)->atoms.size[plain_of(m)->kept.atoms[k]];
    if (!of || !(l->features = hcbr_i_alloc(count, sizeof *l->features)))
        return hcbr_i_no_memory(err);
    for (uint64_t k = plain_of(m)->kept.start[index]; k < plain_of(m)->kept.start[index + 1]; k++)
        for (uint32_t n = 0; n < plain_of(m)->atoms.size[plain_of(m)->kept.atoms[k]]; n++)
            hcbr_model_get_feature(m, of->features[of->start[plain_of(m)->kept.atoms[k]] + n],
                                   &l->features[l->count++]);
    return HCBR_OK;
}

hcbr_status hcbr_model_copy_kept(const hcbr_model *model, uint64_t index, hcbr_feature **out,
                                 size_t *count, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, out, count))
        return HCBR_EUSAGE;
    listing l = {0};
    hcbr_status st = rich_of(model) ? copy_rich(model, (uint32_t)index, &l, err)
                                    : copy_plain(model, index, &l, err);
    *out = st == HCBR_OK ? l.features : NULL;
    *count = st == HCBR_OK ? l.count : 0;
    return st;
}

hcbr_status hcbr_model_copy_kept_atoms(const hcbr_model *model, uint64_t index, uint32_t **out,
                                       size_t *count, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, out, count))
        return HCBR_EUSAGE;
    *count = 0;
    if (rich_of(model)) {
        bool ok = hcbr_i_rich_past_atoms(rich_of(model), (uint32_t)index, out, count);
        return ok ? HCBR_OK : hcbr_i_no_memory(err);
    }
    const hcbr_i_plain *p = plain_of(model);
    if (!(*out = hcbr_i_alloc((size_t)hcbr_i_model_kept_size(model, index), sizeof **out)))
        return hcbr_i_no_memory(err);
    for (uint64_t k = p->kept.start[index]; k < p->kept.start[index + 1]; k++)
        for (uint32_t n = 0; n < p->atoms.size[p->kept.atoms[k]]; n++)
            (*out)[(*count)++] = p->kept.atoms[k];
    return HCBR_OK;
}

uint64_t hcbr_i_model_kept_size(const hcbr_model *model, uint64_t index) {
    uint64_t count = 0;
    if (rich_of(model))
        return rich_of(model)->past ? hcbr_i_rich_past_size(rich_of(model)->past, (uint32_t)index)
                                    : 0;
    const hcbr_i_projections *kept = &plain_of(model)->kept;
    for (uint64_t k = kept->start[index]; k < kept->start[index + 1]; k++)
        count += plain_of(model)->atoms.size[kept->atoms[k]];
    return count;
}
