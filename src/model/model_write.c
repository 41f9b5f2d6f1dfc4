/*
 * From a model to the bytes of its file (docs/FORMAT.md).
 *
 * A model has exactly one encoding. Differences in memory are removed here: gaps between rows of
 * strengths are left out, rows that merely count and names that are all empty are absent; the
 * dictionary numbers keys by first use. So a model fresh from training and the same one loaded give
 * the same bytes.
 */
#include "model/model.h"

#include <assert.h>
#define XXH_STATIC_LINKING_ONLY // for a state on the stack
#include <xxhash.h>

/** The choices of the encoding. */
typedef struct plan {
    const hcbr_model *model;
    bool kept, rows, ids;
    bool numbers; /**< features are numbers, and stored as numbers */
} plan;

/* ---- planning -------------------------------------------------------------------------------- */

static bool rows_just_count(const hcbr_model *model) {
    for (uint64_t i = 0; model->kept_row && i < model->case_count; i++)
        if (model->kept_row[i] != i + 1)
            return false;
    return true;
}

static void plan_make(plan *p, const hcbr_model *model) {
    *p = (plan){.model = model, .kept = model->keep != HCBR_KEEP_NONE};
    p->numbers = hcbr_i_dict_has_numbers(model->dict);
    p->rows = p->kept && !rows_just_count(model);
    p->ids = model->keep == HCBR_KEEP_FULL && model->kept_ids &&
             model->kept_id_start[model->case_count] > model->kept_id_start[0];
}

/* ---- sections -------------------------------------------------------------------------------- */

static void write_facts(hcbr_i_out *out, const plan *p) {
    const hcbr_model *m = p->model;
    const unsigned char small[4] = {(unsigned char)m->scope, m->given_order, (unsigned char)m->keep,
                                    p->numbers};
    hcbr_i_out_u64(out, m->case_count);
    hcbr_i_out_u64(out, m->empty_count);
    hcbr_i_out_u64(out, m->occurrence_count);
    hcbr_i_out_u64(out, m->seed);
    hcbr_i_out_u64(out, m->facts.entries);
    hcbr_i_out_u64(out, p->kept ? m->facts.moves : 0);
    hcbr_i_out_u32(out, hcbr_i_dict_count(m->dict));
    hcbr_i_out_u32(out, m->facts.atoms);
    hcbr_i_out_u32(out, hcbr_i_dict_key_count(m->dict));
    hcbr_i_out_u32(out, m->labels.count);
    hcbr_i_out_u32(out, m->passes);
    hcbr_i_out_bytes(out, small, sizeof small);
}

static void write_labels(hcbr_i_out *out, const plan *p) {
    const hcbr_i_labels *labels = &p->model->labels;
    hcbr_i_out_u64s(out, p->model->label_cases, labels->count);
    hcbr_i_out_f64s(out, p->model->label_total, labels->count);
    hcbr_i_out_u32s(out, labels->lengths, labels->count);
    for (uint32_t l = 0; l < labels->count; l++)
        hcbr_i_out_bytes(out, labels->names[l], labels->lengths[l]);
}

static void write_keys(hcbr_i_out *out, const plan *p) {
    const hcbr_i_dict *dict = p->model->dict;
    const uint32_t count = hcbr_i_dict_key_count(dict);
    if (p->numbers)
        return; // each is in section features
    unsigned char *lengths = hcbr_i_out_take(out, count, 4);
    for (uint32_t k = 0; lengths && k < count; k++, lengths += 4)
        hcbr_i_put_u32(lengths, (uint32_t)hcbr_i_dict_key(dict, k).length);
    hcbr_i_text text = hcbr_i_dict_key_bytes(dict);
    hcbr_i_out_bytes(out, text.at, text.length);
}

static void write_features(hcbr_i_out *out, const plan *p) {
    const hcbr_i_dict *dict = p->model->dict;
    const uint32_t count = hcbr_i_dict_count(dict);
    unsigned char *keys = hcbr_i_out_take(out, count, p->numbers ? 4 : 8);
    for (uint32_t f = 0; p->numbers && keys && f < count; f++)
        hcbr_i_put_u32(keys + 4 * (size_t)f, hcbr_i_dict_get_number(dict, f));
    if (p->numbers)
        return;
    unsigned char *lengths = keys ? keys + 4 * (size_t)count : NULL;
    for (uint32_t f = 0; keys && f < count; f++, keys += 4, lengths += 4) {
        hcbr_i_dict_feature feature = hcbr_i_dict_get(dict, f);
        hcbr_i_put_u32(keys, feature.key);
        hcbr_i_put_u32(lengths, feature.value ? feature.value_length : HCBR_I_MODEL_BARE);
    }
    hcbr_i_text text = hcbr_i_dict_value_bytes(dict);
    hcbr_i_out_bytes(out, text.at, text.length);
}

static void write_rule(hcbr_i_out *out, const plan *p) {
    const hcbr_i_rule *rule = &p->model->rule;
    const uint32_t labels = p->model->labels.count;
    hcbr_i_out_f64s(out, rule->eta, labels);
    hcbr_i_out_f64s(out, rule->eta_share, labels);
    for (uint32_t l = 0; l < labels; l++)
        hcbr_i_out_u32(out, (uint32_t)rule->fallback[l]);
    hcbr_i_out_u32(out, (uint32_t)rule->on_nothing);
    hcbr_i_out_u32(out, rule->memory);
}

static void write_read(hcbr_i_out *out, const plan *p) {
    const hcbr_i_stored_read *r = &p->model->read;
    assert(r->na || r->na_count == 0);
    hcbr_i_out_u32(out, (r->no_header ? HCBR_I_READ_NO_HEADER : 0) | (r->id ? HCBR_I_READ_ID : 0) |
                            (r->na ? HCBR_I_READ_NA : 0) | (r->weight ? HCBR_I_READ_WEIGHT : 0) |
                            (r->bins ? HCBR_I_READ_BINS : 0) | (r->group ? HCBR_I_READ_GROUP : 0));
    hcbr_i_out_u32(out, r->delimiter);
    hcbr_i_out_u32(out, r->ignore_count);
    hcbr_i_out_u32(out, r->na_count);
    hcbr_i_out_u32(out, (uint32_t)strlen(r->label));
    if (r->id)
        hcbr_i_out_u32(out, (uint32_t)strlen(r->id));
    if (r->weight)
        hcbr_i_out_u32(out, (uint32_t)strlen(r->weight));
    if (r->group)
        hcbr_i_out_u32(out, (uint32_t)strlen(r->group));
    if (r->bins)
        hcbr_i_out_u32(out, (uint32_t)strlen(r->bins));
    for (uint32_t i = 0; i < r->ignore_count; i++)
        hcbr_i_out_u32(out, (uint32_t)strlen(r->ignore[i]));
    for (uint32_t i = 0; i < r->na_count; i++)
        hcbr_i_out_u32(out, (uint32_t)strlen(r->na[i]));
    hcbr_i_out_bytes(out, r->label, strlen(r->label));
    if (r->id)
        hcbr_i_out_bytes(out, r->id, strlen(r->id));
    if (r->weight)
        hcbr_i_out_bytes(out, r->weight, strlen(r->weight));
    if (r->group)
        hcbr_i_out_bytes(out, r->group, strlen(r->group));
    if (r->bins)
        hcbr_i_out_bytes(out, r->bins, strlen(r->bins));
    for (uint32_t i = 0; i < r->ignore_count; i++)
        hcbr_i_out_bytes(out, r->ignore[i], strlen(r->ignore[i]));
    for (uint32_t i = 0; i < r->na_count; i++)
        hcbr_i_out_bytes(out, r->na[i], strlen(r->na[i]));
}

static void write_passes(hcbr_i_out *out, const plan *p) {
    hcbr_i_out_u64s(out, p->model->pass_errors, p->model->passes);
}

static void write_fingerprint(hcbr_i_out *out, const plan *p) {
    hcbr_i_out_u64s(out, p->model->fingerprint, 2);
}

static void write_labels_of_cases(hcbr_i_out *out, const plan *p) {
    hcbr_i_out_u32s(out, p->model->kept_label, (size_t)p->model->case_count);
}

static void write_rows(hcbr_i_out *out, const plan *p) {
    hcbr_i_out_u64s(out, p->model->kept_row, (size_t)p->model->case_count);
}

static void write_ids(hcbr_i_out *out, const plan *p) {
    const uint64_t *start = p->model->kept_id_start;
    const uint64_t cases = p->model->case_count;
    for (uint64_t i = 0; i < cases; i++)
        hcbr_i_out_u32(out, (uint32_t)(start[i + 1] - start[i]));
    hcbr_i_out_bytes(out, p->model->kept_ids + start[0], (size_t)(start[cases] - start[0]));
}

static void write_columns(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_columns(out, &p->model->read);
}

static void write_calibration(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_calibration(out, &p->model->calibration);
}

static void write_tuning(hcbr_i_out *out, const plan *p) {
    hcbr_i_out_bytes(out, p->model->why, strlen(p->model->why));
}

static void write_weights(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_weights(out, p->model);
}

static void write_cut(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_cut(out, p->model);
}

static void write_least(hcbr_i_out *out, const plan *p) {
    hcbr_i_out_u32(out, p->model->min_cases);
}

static void write_costs(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_costs(out, p->model);
}

static void write_schema(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_schema(out, p->model->schema);
}

static void write_record(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_record(out, p->model);
}

static void write_importance(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_importance(out, p->model);
}

static void write_beliefs(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_beliefs(out, p->model);
}

static void write_types(hcbr_i_out *out, const plan *p) {
    hcbr_i_model_write_types(out, p->model);
}

/* ---- the file -------------------------------------------------------------------------------- */

typedef void section_writer(hcbr_i_out *out, const plan *p);

static section_writer *const writers[HCBR_I_SECTION_END] = {
    [HCBR_I_FACTS] = write_facts,
    [HCBR_I_LABELS] = write_labels,
    [HCBR_I_KEYS] = write_keys,
    [HCBR_I_FEATURES] = write_features,
    [HCBR_I_RULE] = write_rule,
    [HCBR_I_READ] = write_read,
    [HCBR_I_PASSES] = write_passes,
    [HCBR_I_FINGERPRINT] = write_fingerprint,
    [HCBR_I_CASES] = write_labels_of_cases,
    [HCBR_I_ROWS] = write_rows,
    [HCBR_I_IDS] = write_ids,
    [HCBR_I_COLUMNS] = write_columns,
    [HCBR_I_CALIBRATION] = write_calibration,
    [HCBR_I_TUNING] = write_tuning,
    [HCBR_I_WEIGHTS] = write_weights,
    [HCBR_I_CUT] = write_cut,
    [HCBR_I_COSTS] = write_costs,
    [HCBR_I_LEAST] = write_least,
    [HCBR_I_SCHEMA] = write_schema,
    [HCBR_I_HELDOUT] = write_record,
    [HCBR_I_IMPORTANCE] = write_importance,
    [HCBR_I_BELIEFS] = write_beliefs,
    [HCBR_I_TYPES] = write_types,
};

static bool has_section(const plan *p, uint32_t type) {
    switch (type) {
    case HCBR_I_CASES:
        return p->kept;
    case HCBR_I_ROWS:
        return p->rows;
    case HCBR_I_IDS:
        return p->ids;
    case HCBR_I_CALIBRATION:
        return p->model->calibration.kind != HCBR_CALIBRATE_NONE;
    case HCBR_I_TUNING:
        return p->model->why != NULL;
    case HCBR_I_ATOMS:
    case HCBR_I_STRENGTHS:
    case HCBR_I_MOVES:
    case HCBR_I_RICH:
    case HCBR_I_COUNTS:
    case HCBR_I_REASONS:
        return p->model->engine->has_section(p->model->state, p->model->keep, (hcbr_i_section)type);
    case HCBR_I_WEIGHTS:
        return p->model->label_weight != NULL;
    case HCBR_I_CUT:
        return p->model->rule.has_cut;
    case HCBR_I_COSTS:
        return p->model->rule.costs.by_given != NULL;
    case HCBR_I_LEAST:
        return p->model->min_cases > 1;
    case HCBR_I_SCHEMA:
        return p->model->schema != NULL;
    case HCBR_I_HELDOUT:
        return p->model->record.held;
    case HCBR_I_IMPORTANCE:
        return p->model->emphases != NULL;
    case HCBR_I_BELIEFS:
        return p->model->beliefs != NULL;
    case HCBR_I_LISTED:
        return p->model->read.listed;
    case HCBR_I_TYPES:
        return p->model->label_type != NULL;
    case HCBR_I_COLUMNS:
        return hcbr_i_stored_has_columns(&p->model->read);
    default:
        return true;
    }
}

/** Add bytes [from, to) of the output to a hash. */
static void hash_range(XXH3_state_t *state, const hcbr_i_out *out, uint64_t from, uint64_t to) {
    uint64_t at = 0;
    for (size_t r = 0; r < out->run_count && at < to; at += out->runs[r++].size) {
        uint64_t end = at + out->runs[r].size;
        if (end <= from)
            continue;
        uint64_t first = from > at ? from - at : 0, last = (to < end ? to : end) - at;
        XXH3_64bits_update(state, (const unsigned char *)hcbr_i_out_run(out, r) + first,
                           (size_t)(last - first));
    }
}

/** Write one section and fill its entry of the table, which is there already. */
static void write_section(hcbr_i_out *out, const plan *p, uint32_t type, size_t entry) {
    const hcbr_i_frame frame = hcbr_i_model_frame(p->model);
    uint64_t offset = out->size;
    if (writers[type])
        writers[type](out, p);
    p->model->engine->write(out, p->model->state, &frame, (hcbr_i_section)type); // after it
    if (out->failed)
        return;
    uint64_t length = out->size - offset;
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    hash_range(&state, out, offset, out->size);
    hcbr_i_out_patch_u64(out, entry, type | (uint64_t)hcbr_i_model_flags(type) << 32);
    hcbr_i_out_patch_u64(out, entry + 8, offset);
    hcbr_i_out_patch_u64(out, entry + 16, length);
    hcbr_i_out_patch_u64(out, entry + 24, XXH3_64bits_digest(&state));
    hcbr_i_out_zeros(out, (size_t)(-length & 7));
}

static void write_file(hcbr_i_out *out, const plan *p) {
    uint32_t count = 0;
    for (uint32_t type = 1; type < HCBR_I_SECTION_END; type++)
        count += has_section(p, type);
    hcbr_i_out_bytes(out, hcbr_i_model_magic, sizeof hcbr_i_model_magic);
    hcbr_i_out_u32(out, HCBR_I_MODEL_VERSION);
    hcbr_i_out_u32(out, count);
    hcbr_i_out_u64(out, 0); // the size, once it is known
    hcbr_i_out_zeros(out, (size_t)count * HCBR_I_MODEL_ENTRY);
    size_t entry = HCBR_I_MODEL_HEADER;
    for (uint32_t type = 1; type < HCBR_I_SECTION_END; type++) {
        if (!has_section(p, type))
            continue;
        write_section(out, p, type, entry);
        entry += HCBR_I_MODEL_ENTRY;
    }
    if (out->failed)
        return;
    hcbr_i_out_patch_u64(out, 16, out->size + HCBR_I_MODEL_DIGEST);
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (size_t r = 0; r < out->run_count; r++)
        XXH3_128bits_update(&state, hcbr_i_out_run(out, r), out->runs[r].size);
    XXH128_hash_t digest = XXH3_128bits_digest(&state);
    hcbr_i_out_u64(out, digest.low64);
    hcbr_i_out_u64(out, digest.high64);
}

/** Check that hcbr_model_load() would accept the numbers. A model that cannot be loaded is never
 *  written, whatever a fit gives; the lengths and paths of trees are right by construction. */
static hcbr_status check(const hcbr_model *m, hcbr_error *err) {
    hcbr_error why = {0};
    hcbr_status st = hcbr_i_model_validate(m, true, &why);
    if (st == HCBR_OK)
        st = hcbr_i_model_check_calibration(&m->calibration, &why);
    if (st == HCBR_OK || st == HCBR_ENOMEM)
        return st == HCBR_OK ? st : hcbr_i_no_memory(err);
    return hcbr_i_fail(err, st,
                       "%s: training gave a model that could not be loaded; this is a "
                       "defect of hcbr",
                       why.message);
}

/** The whole file, as runs; to be cleared in any case. */
static hcbr_status write_model(hcbr_i_out *out, const hcbr_model *model, hcbr_error *err) {
    plan p;
    *out = (hcbr_i_out){0};
    hcbr_status st = check(model, err);
    if (st != HCBR_OK)
        return st;
    plan_make(&p, model);
    write_file(out, &p);
    return out->failed ? hcbr_i_no_memory(err) : HCBR_OK;
}

hcbr_status hcbr_model_serialize(const hcbr_model *model, void **bytes, size_t *size,
                                 hcbr_error *err) {
    if (HCBR_I_NULL(err, model, bytes, size))
        return HCBR_EUSAGE;
    hcbr_i_out out;
    unsigned char *all = NULL;
    size_t at = 0;
    *bytes = NULL;
    *size = 0;
    hcbr_status st = write_model(&out, model, err);
    if (st == HCBR_OK && !(all = hcbr_i_alloc((size_t)out.size, 1)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        for (size_t r = 0; r < out.run_count; at += out.runs[r++].size)
            memcpy(all + at, hcbr_i_out_run(&out, r), out.runs[r].size);
        *bytes = all;
        *size = (size_t)out.size;
    }
    hcbr_i_out_clear(&out);
    return st;
}

void hcbr_bytes_free(void *bytes) {
    hcbr_i_free(bytes);
}

hcbr_status hcbr_model_save(const hcbr_model *model, const char *path, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, path))
        return HCBR_EUSAGE;
    hcbr_i_out out;
    hcbr_i_part *parts = NULL;
    hcbr_status st = write_model(&out, model, err);
    if (st == HCBR_OK && !(parts = hcbr_i_alloc(out.run_count, sizeof *parts)))
        st = hcbr_i_no_memory(err);
    for (size_t r = 0; st == HCBR_OK && r < out.run_count; r++)
        parts[r] = (hcbr_i_part){hcbr_i_out_run(&out, r), out.runs[r].size};
    if (st == HCBR_OK)
        st = hcbr_i_file_save_parts(path, parts, out.run_count, err);
    hcbr_i_free(parts);
    hcbr_i_out_clear(&out);
    return st;
}
