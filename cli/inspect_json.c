/*
 * hcbr inspect as one JSON object, schema hcbr.inspect/1 (docs/JSON.md).
 */
#include "decision_json.h"
#include "inspect.h"

static void put_labels(inspection *i, json *j) {
    json_key(j, "labels"), json_open(j, '[');
    for (uint32_t l = 0; l < i->info.labels; l++) {
        label_facts label = inspect_label(i, (hcbr_label)l);
        json_open(j, '{');
        json_key(j, "name"), json_text(j, label.name, label.name_length);
        json_key(j, "cases"), json_u64(j, label.info.cases);
        json_key(j, "weight"), json_number(j, label.info.weight);
        json_key(j, "total_strength");
        i->info.model == HCBR_MODEL_RICH ? json_null(j) : json_number(j, label.info.total);
        json_key(j, "eta"), json_number(j, label.info.eta);
        json_key(j, "eta_share"), json_number(j, label.info.eta_share);
        json_key(j, "fallback"), json_string(j, inspect_fallback(i, label.info.fallback));
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_list(json *j, const char *name, const char *const *items, size_t count) {
    json_key(j, name), json_open(j, '[');
    for (size_t k = 0; k < count; k++)
        json_string(j, items[k]);
    json_close(j, ']');
}

static void put_columns(inspection *i, json *j) {
    json_key(j, "split"), json_open(j, '[');
    for (size_t k = 0; k < i->read.split_count; k++) {
        json_open(j, '{');
        json_key(j, "column"), json_string(j, i->read.split[k].column);
        json_key(j, "separator"), json_string(j, i->read.split[k].separator);
        json_close(j, '}');
    }
    json_close(j, ']');
    put_list(j, "text", i->read.text, i->read.text_count);
    put_list(j, "presence", i->read.presence, i->read.presence_count);
    json_key(j, "ngrams"), json_u64(j, i->read.ngrams);
    json_key(j, "join"), json_open(j, '[');
    for (size_t k = 0; k < i->read.join_count; k++) {
        json_open(j, '{');
        json_key(j, "name"), json_string(j, i->read.join[k].name);
        json_key(j, "key"), json_string(j, i->read.join[k].key);
        json_close(j, '}');
    }
    json_close(j, ']');
}

static void put_reading(inspection *i, json *j) {
    char delimiter[2] = {(char)i->read.delimiter, 0};
    json_key(j, "reading"), json_open(j, '{');
    json_key(j, "label"), json_string(j, i->read.label);
    json_key(j, "id"), json_string(j, i->read.id);
    json_key(j, "weight"), json_string(j, i->read.weight);
    put_list(j, "ignore", i->read.ignore, i->read.ignore_count);
    if (i->read.na)
        put_list(j, "na", i->read.na, i->read.na_count);
    else
        json_key(j, "na"), json_null(j);
    put_columns(i, j);
    json_key(j, "no_header"), json_bool(j, i->read.no_header);
    json_key(j, "delimiter"), json_string(j, i->read.delimiter ? delimiter : NULL);
    json_close(j, '}');
}

static void put_options(inspection *i, json *j) {
    json_key(j, "options"), json_open(j, '{');
    json_key(j, "scope"), json_string(j, inspect_scope(i));
    json_key(j, "passes"), json_u64(j, i->info.passes);
    json_key(j, "seed"), json_u64(j, i->info.seed);
    json_key(j, "given_order"), json_bool(j, i->info.given_order);
    json_key(j, "keep_cases"), json_string(j, inspect_keep(i));
    json_key(j, "memory"), json_bool(j, i->info.memory);
    json_key(j, "calibrate"), json_string(j, inspect_calibrate(i));
    json_key(j, "why"), json_string(j, i->info.why);
    json_rule(j, i->model);
    json_key(j, "nothing_known"), json_string(j, inspect_fallback(i, i->info.on_nothing));
    put_reading(i, j);
    json_close(j, '}');
}

void inspect_counts_json(const inspection *i, json *j, const uint64_t *counts) {
    json_key(j, "cases");
    if (!counts) {
        json_null(j);
        return;
    }
    json_open(j, '{');
    for (uint32_t l = 0; l < i->info.labels; l++) {
        label_facts info = inspect_label(i, (hcbr_label)l);
        json_key_text(j, info.name, info.name_length);
        json_u64(j, counts[l]);
    }
    json_close(j, '}');
}

static void put_atom(inspection *i, json *j, uint32_t atom, hcbr_label label) {
    const uint32_t *features = hcbr_model_get_atom_features(i->model, atom);
    uint32_t size = hcbr_model_get_atom_size(i->model, atom);
    double mu = hcbr_model_get_atom_strength(i->model, atom, label);
    json_open(j, '{');
    json_key(j, "features"), json_open(j, '[');
    for (uint32_t k = 0; k < size; k++) {
        hcbr_feature f;
        hcbr_model_get_feature(i->model, features[k], &f);
        json_feature(j, f.key, f.key_length, f.value, f.value_length);
    }
    json_close(j, ']');
    json_key(j, "strength"), json_number(j, mu);
    json_key(j, "lead"), json_number(j, mu - inspect_best_other(i, atom, label));
    inspect_counts_json(i, j, inspect_atom_counts(i, atom));
    json_close(j, '}');
}

static int put_strongest(inspection *i, json *j) {
    json_key(j, "strongest"), json_open(j, '{');
    for (uint32_t l = 0; i->top > 0 && l < i->info.labels; l++) {
        label_facts info = inspect_label(i, (hcbr_label)l);
        size_t count = 0;
        int code = inspect_rank(i, (hcbr_label)l, &count);
        if (code != EXIT_DONE)
            return code;
        json_key_text(j, info.name, info.name_length), json_open(j, '[');
        for (size_t k = 0; k < count; k++)
            put_atom(i, j, i->atoms[k], (hcbr_label)l);
        json_close(j, ']');
    }
    json_close(j, '}');
    json_key(j, "conjunctions"), json_null(j);
    json_key(j, "group_count"), json_null(j);
    return EXIT_DONE;
}

int inspect_json(inspection *i) {
    json j = {.to = i->out};
    json_open(&j, '{');
    json_key(&j, "schema"), json_string(&j, "hcbr.inspect/1");
    json_key(&j, "model"), json_string(&j, inspect_model(i));
    json_key(&j, "format_version"), json_u64(&j, i->info.format_version);
    json_key(&j, "cases"), json_u64(&j, i->info.cases);
    json_key(&j, "empty_cases"), json_u64(&j, i->info.empty_cases);
    json_key(&j, "occurrences"), json_u64(&j, i->info.occurrences);
    json_key(&j, "keys"), json_u64(&j, i->info.keys);
    json_key(&j, "features"), json_u64(&j, i->info.features);
    json_key(&j, "atoms"), json_u64(&j, i->info.atoms);
    put_labels(i, &j);
    put_options(i, &j);
    json_key(&j, "pass_errors"), json_open(&j, '[');
    for (uint32_t p = 0; p < i->info.passes; p++)
        json_u64(&j, hcbr_model_get_pass_errors(i->model)[p]);
    json_close(&j, ']');
    json_key(&j, "fingerprint"), json_string(&j, i->info.fingerprint);
    inspect_columns_json(i, &j);
    inspect_hypergraph_json(i, &j);
    int code = i->info.model == HCBR_MODEL_RICH ? inspect_groups_json(i, &j) : put_strongest(i, &j);
    if (code == EXIT_DONE)
        code = inspect_cases_json(i, &j);
    if (code == EXIT_DONE)
        json_row(&j);
    return code;
}
