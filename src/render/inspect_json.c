/*
 * What a model holds as one JSON object, schema hcbr.inspect/1 (docs/JSON.md).
 *
 * Invariant: with a failure nothing more is asked of the model.
 */
#include "render/inspection.h"

/* ---- options --------------------------------------------------------------------------------- */

static void put_labels(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_json_key(w, "labels"), hcbr_json_open(w, '[');
    for (uint32_t l = 0; l < i->info.labels; l++) {
        hcbr_label_info label = {.size = sizeof label};
        hcbr_model_get_label_info(i->model, (hcbr_label)l, &label);
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "name"), hcbr_json_label(w, i->model, (hcbr_label)l);
        hcbr_json_key(w, "cases"), hcbr_json_u64(w, label.cases);
        hcbr_json_key(w, "weight"), hcbr_json_number(w, label.weight);
        hcbr_json_key(w, "total_strength");
        i->info.model == HCBR_MODEL_RICH ? hcbr_json_null(w) : hcbr_json_number(w, label.total);
        hcbr_json_key(w, "eta"), hcbr_json_number(w, label.eta);
        hcbr_json_key(w, "eta_share"), hcbr_json_number(w, label.eta_share);
        hcbr_json_key(w, "fallback");
        hcbr_json_string(w, hcbr_fallback_name(i->model, label.fallback));
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_list(hcbr_writer *w, const char *name, const char *const *items, size_t count) {
    hcbr_json_key(w, name), hcbr_json_open(w, '[');
    for (size_t k = 0; k < count; k++)
        hcbr_json_string(w, items[k]);
    hcbr_json_close(w, ']');
}

static void put_uses(hcbr_writer *w, const hcbr_read_options *read) {
    hcbr_json_key(w, "split"), hcbr_json_open(w, '[');
    for (size_t k = 0; k < read->split_count; k++) {
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "column"), hcbr_json_string(w, read->split[k].column);
        hcbr_json_key(w, "separator"), hcbr_json_string(w, read->split[k].separator);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    put_list(w, "text", read->text, read->text_count);
    put_list(w, "presence", read->presence, read->presence_count);
    hcbr_json_key(w, "ngrams"), hcbr_json_u64(w, read->ngrams);
    hcbr_json_key(w, "join"), hcbr_json_open(w, '[');
    for (size_t k = 0; k < read->join_count; k++) {
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "name"), hcbr_json_string(w, read->join[k].name);
        hcbr_json_key(w, "key"), hcbr_json_string(w, read->join[k].key);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

static void put_reading(hcbr_writer *w, const hcbr_model *model) {
    hcbr_read_options read;
    hcbr_model_get_read_options(model, &read);
    char delimiter[2] = {(char)read.delimiter, 0};
    hcbr_json_key(w, "reading"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "label"), hcbr_json_string(w, read.label);
    hcbr_json_key(w, "id"), hcbr_json_string(w, read.id);
    hcbr_json_key(w, "weight"), hcbr_json_string(w, read.weight);
    hcbr_json_key(w, "group"), hcbr_json_string(w, read.group);
    hcbr_json_key(w, "bins"), hcbr_json_string(w, read.bins);
    put_list(w, "ignore", read.ignore, read.ignore_count);
    if (read.na)
        put_list(w, "na", read.na, read.na_count);
    else
        hcbr_json_key(w, "na"), hcbr_json_null(w);
    hcbr_json_key(w, "na_only"), hcbr_json_bool(w, read.na_only);
    put_uses(w, &read);
    hcbr_json_key(w, "no_header"), hcbr_json_bool(w, read.no_header);
    hcbr_json_key(w, "delimiter"), hcbr_json_string(w, read.delimiter ? delimiter : NULL);
    hcbr_json_close(w, '}');
}

static void put_options(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_json_key(w, "options"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "scope"), hcbr_json_string(w, hcbr_scope_name(i->info.scope));
    hcbr_json_key(w, "passes"), hcbr_json_u64(w, i->info.passes);
    hcbr_json_key(w, "seed"), hcbr_json_u64(w, i->info.seed);
    hcbr_json_key(w, "given_order"), hcbr_json_bool(w, i->info.given_order);
    hcbr_json_key(w, "keep_cases"), hcbr_json_string(w, hcbr_keep_name(i->info.keep));
    hcbr_json_key(w, "min_cases"), hcbr_json_u64(w, i->info.min_cases);
    hcbr_json_key(w, "memory"), hcbr_json_bool(w, i->info.memory);
    hcbr_json_key(w, "calibrate"), hcbr_json_string(w, hcbr_calibrate_name(i->info.calibrate));
    hcbr_json_key(w, "why"), hcbr_json_string(w, i->info.why);
    hcbr_json_rule(w, i->model);
    hcbr_json_key(w, "nothing_known");
    hcbr_json_string(w, hcbr_fallback_name(i->model, i->info.on_nothing));
    put_reading(w, i->model);
    hcbr_json_close(w, '}');
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_column(hcbr_writer *w, const hcbr_column *c) {
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "name"), hcbr_json_text(w, c->name, c->name_length);
    hcbr_json_key(w, "kind"), hcbr_json_string(w, hcbr_column_kind_name(c->kind));
    hcbr_json_key(w, "sparse"), hcbr_json_bool(w, c->sparse);
    hcbr_json_key(w, "values"), hcbr_json_u64(w, c->values);
    if (c->kind == HCBR_COLUMN_NUMBER) {
        hcbr_json_key(w, "cuts"), hcbr_json_u64(w, c->cuts);
        hcbr_json_key(w, "lowest_cut");
        c->cuts ? hcbr_json_number(w, c->lowest) : hcbr_json_null(w);
        hcbr_json_key(w, "highest_cut");
        c->cuts ? hcbr_json_number(w, c->highest) : hcbr_json_null(w);
    }
    hcbr_json_close(w, '}');
}

static void put_kinds(hcbr_i_inspection *i) {
    hcbr_json_key(i->w, "kinds"), hcbr_json_open(i->w, '[');
    for (size_t k = 0; k < hcbr_model_kind_count(i->model); k++) {
        hcbr_kind kind = {.size = sizeof kind};
        hcbr_model_get_kind(i->model, k, &kind);
        hcbr_json_kind(i->w, &kind);
    }
    hcbr_json_close(i->w, ']');
}

static void put_columns(hcbr_i_inspection *i) {
    hcbr_json_key(i->w, "columns");
    if (i->info.model != HCBR_MODEL_RICH) {
        hcbr_json_null(i->w);
        return;
    }
    hcbr_json_open(i->w, '[');
    for (uint32_t k = 0; k < i->info.keys; k++) {
        hcbr_column column = {.size = sizeof column};
        hcbr_model_get_column(i->model, k, &column);
        put_column(i->w, &column);
    }
    hcbr_json_close(i->w, ']');
}

/* ---- the hypergraph -------------------------------------------------------------------------- */

static void put_classes(hcbr_writer *w, const char *key, const uint64_t *counts) {
    hcbr_json_key(w, key), hcbr_json_open(w, '{');
    for (int c = 0; c < HCBR_HYPERGRAPH_CLASSES; c++)
        hcbr_json_key(w, hcbr_hypergraph_class_name(c)), hcbr_json_u64(w, counts[c]);
    hcbr_json_close(w, '}');
}

static void put_hypergraph(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_hypergraph h = {.size = sizeof h};
    hcbr_hypergraph_measure(i->model, &h);
    bool kept = h.least != UINT64_MAX;
    double cases = (double)i->info.cases, occurrences = (double)i->info.occurrences;
    hcbr_json_key(w, "hypergraph"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "features_per_case"), hcbr_json_number(w, occurrences / cases);
    hcbr_json_key(w, "atoms_per_case"), hcbr_json_number(w, (double)h.incidences / cases);
    hcbr_json_key(w, "least_atoms"), kept ? hcbr_json_u64(w, h.least) : hcbr_json_null(w);
    hcbr_json_key(w, "most_atoms"), kept ? hcbr_json_u64(w, h.longest) : hcbr_json_null(w);
    hcbr_json_key(w, "incidences"), hcbr_json_u64(w, h.incidences);
    hcbr_json_key(w, "largest_atom"), hcbr_json_u64(w, h.largest);
    hcbr_json_key(w, "most_cases"), hcbr_json_u64(w, h.most);
    hcbr_json_key(w, "overlap");
    hcbr_json_number(w, i->info.occurrences ? (double)h.shared / occurrences : 0);
    put_classes(w, "atoms_by_size", h.sizes);
    put_classes(w, "atoms_by_cases", h.degrees);
    hcbr_json_close(w, '}');
}

/* ---- what it reveals ------------------------------------------------------------------------- */

static void put_reveals(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_reveals r = {.size = sizeof r};
    hcbr_reveals_measure(i->model, &r);
    hcbr_json_key(w, "reveals"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, r.cases);
    hcbr_json_key(w, "values"), hcbr_json_u64(w, r.values);
    hcbr_json_key(w, "of_one_case"), hcbr_json_u64(w, r.of_one_case);
    hcbr_json_key(w, "least_cases");
    r.least_cases ? hcbr_json_u64(w, r.least_cases) : hcbr_json_null(w);
    hcbr_json_key(w, "number_columns"), hcbr_json_u64(w, r.number_columns);
    hcbr_json_key(w, "cuts"), hcbr_json_u64(w, r.cuts);
    hcbr_json_key(w, "exact_columns"), hcbr_json_u64(w, r.exact_columns);
    hcbr_json_key(w, "exact_values"), hcbr_json_u64(w, r.exact_values);
    hcbr_json_close(w, '}');
}

/* ---- the strongest --------------------------------------------------------------------------- */

static void put_atom(hcbr_i_inspection *i, uint32_t atom, hcbr_label label) {
    hcbr_writer *w = i->w;
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "features"), hcbr_i_inspect_features(i, atom);
    hcbr_json_key(w, "strength");
    hcbr_json_number(w, hcbr_model_get_atom_strength(i->model, atom, label));
    hcbr_json_key(w, "lead"), hcbr_json_number(w, hcbr_atom_lead(i->model, atom, label));
    hcbr_i_inspect_counts(i, hcbr_i_inspect_atom_counts(i, atom));
    hcbr_json_close(w, '}');
}

static void put_strongest(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_error err;
    size_t top = i->top < i->info.atoms ? i->top : i->info.atoms;
    uint32_t *atoms = hcbr_i_alloc(top + 1, sizeof *atoms);
    if (!atoms) {
        (void)hcbr_i_no_memory(&err);
        hcbr_i_writer_fail(w, &err);
        return;
    }
    hcbr_json_key(w, "strongest"), hcbr_json_open(w, '{');
    for (uint32_t l = 0; top > 0 && l < i->info.labels && hcbr_i_writer_good(w); l++) {
        size_t count = 0;
        if (hcbr_model_rank_atoms(i->model, (hcbr_label)l, atoms, top, &count, &err) != HCBR_OK)
            hcbr_i_writer_fail(w, &err);
        hcbr_i_json_label_key(w, i->model, (hcbr_label)l), hcbr_json_open(w, '[');
        for (size_t k = 0; k < count; k++)
            put_atom(i, atoms[k], (hcbr_label)l);
        hcbr_json_close(w, ']');
    }
    hcbr_json_close(w, '}');
    hcbr_json_key(w, "conjunctions"), hcbr_json_null(w);
    hcbr_json_key(w, "atom_count"), hcbr_json_null(w);
    hcbr_i_free(atoms);
}

/* ---- all of it ------------------------------------------------------------------------------- */

static void put_model(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "schema"), hcbr_json_string(w, "hcbr.inspect/1");
    hcbr_json_key(w, "model"), hcbr_json_string(w, hcbr_model_kind_name(i->info.model));
    hcbr_json_key(w, "format_version"), hcbr_json_u64(w, i->info.format_version);
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, i->info.cases);
    hcbr_json_key(w, "empty_cases"), hcbr_json_u64(w, i->info.empty_cases);
    hcbr_json_key(w, "occurrences"), hcbr_json_u64(w, i->info.occurrences);
    hcbr_json_key(w, "keys"), hcbr_json_u64(w, i->info.keys);
    hcbr_json_key(w, "features"), hcbr_json_u64(w, i->info.features);
    hcbr_json_key(w, "atoms"), hcbr_json_u64(w, i->info.atoms);
    put_labels(i);
    put_options(i);
    hcbr_json_key(w, "pass_errors"), hcbr_json_open(w, '[');
    for (uint32_t p = 0; p < i->info.passes; p++)
        hcbr_json_u64(w, hcbr_model_get_pass_errors(i->model)[p]);
    hcbr_json_close(w, ']');
    hcbr_json_key(w, "fingerprint"), hcbr_json_string(w, i->info.fingerprint);
    put_columns(i);
    put_kinds(i);
    hcbr_i_inspect_importance(i);
    hcbr_i_inspect_prior(i);
    put_hypergraph(i);
    put_reveals(i);
    i->info.model == HCBR_MODEL_RICH ? hcbr_i_inspect_atoms(i) : put_strongest(i);
    hcbr_i_inspect_cases(i);
}

hcbr_status hcbr_json_inspection(hcbr_writer *w, const hcbr_model *model, size_t top,
                                 hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model))
        return HCBR_EUSAGE;
    hcbr_i_inspection i;
    if (hcbr_i_inspection_init(&i, w, model, NULL, top))
        put_model(&i);
    hcbr_i_inspection_clear(&i);
    return hcbr_write_end(w, HCBR_JSON, err);
}
