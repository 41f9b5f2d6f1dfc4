/*
 * The content of a model as one JSON object, schema hcbr.inspect/1 (docs/JSON.md).
 *
 * Invariant: after a failure the model is not used any more.
 */
#include "render/inspection.h"
#include "render/items.h"

#include <hcbr/options.h>

/* ---- options --------------------------------------------------------------------------------- */

static void put_labels(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    PUT(w, OPEN("labels", '['));
    for (uint32_t l = 0; l < i->info.labels; l++) {
        hcbr_label_info label = {.size = sizeof label};
        hcbr_model_get_label_info(i->model, (hcbr_label)l, &label);
        PUT(w, OPEN(NULL, '{'), LABEL("name", i->model, (hcbr_label)l), U64("cases", label.cases),
            NUMBER("weight", label.weight),
            i->info.model == HCBR_MODEL_RICH ? NONE("total_strength")
                                             : NUMBER("total_strength", label.total),
            NUMBER("eta", label.eta), NUMBER("eta_share", label.eta_share),
            STRING("fallback", hcbr_fallback_name(i->model, label.fallback)), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

static void put_list(hcbr_writer *w, const char *name, const char *const *items, size_t count) {
    PUT(w, OPEN(name, '['));
    for (size_t k = 0; k < count; k++)
        PUT(w, STRING(NULL, items[k]));
    PUT(w, CLOSE(']'));
}

static void put_uses(hcbr_writer *w, const hcbr_read_options *read) {
    PUT(w, OPEN("split", '['));
    for (size_t k = 0; k < read->split_count; k++)
        PUT(w, OPEN(NULL, '{'), STRING("column", read->split[k].column),
            STRING("separator", read->split[k].separator), CLOSE('}'));
    PUT(w, CLOSE(']'));
    put_list(w, "text", read->text, read->text_count);
    put_list(w, "presence", read->presence, read->presence_count);
    PUT(w, U64("ngrams", read->ngrams), OPEN("join", '['));
    for (size_t k = 0; k < read->join_count; k++)
        PUT(w, OPEN(NULL, '{'), STRING("name", read->join[k].name),
            STRING("key", read->join[k].key), CLOSE('}'));
    PUT(w, CLOSE(']'));
}

static void put_reading(hcbr_writer *w, const hcbr_model *model) {
    hcbr_read_options read;
    hcbr_model_get_read_options(model, &read);
    char delimiter[2] = {(char)read.delimiter, 0};
    PUT(w, OPEN("reading", '{'), STRING("label", read.label), STRING("id", read.id),
        STRING("weight", read.weight), STRING("group", read.group), STRING("bins", read.bins));
    put_list(w, "ignore", read.ignore, read.ignore_count);
    if (read.na)
        put_list(w, "na", read.na, read.na_count);
    else
        PUT(w, NONE("na"));
    PUT(w, BOOL("na_only", read.na_only));
    put_uses(w, &read);
    PUT(w, BOOL("no_header", read.no_header),
        STRING("delimiter", read.delimiter ? delimiter : NULL), CLOSE('}'));
}

enum { WORD_SIZE = 16 };

/* An option that is a word. */
static hcbr_item word_of(const hcbr_options *o, const char *name, char word[WORD_SIZE]) {
    hcbr_options_get(o, name, word, WORD_SIZE);
    return STRING(name, word);
}

static void put_options(hcbr_i_inspection *i) {
    hcbr_train_options train = {
        .scope = i->info.scope, .keep = i->info.keep, .calibrate = i->info.calibrate};
    const hcbr_options o = {.train = &train};
    char scope[WORD_SIZE], keep[WORD_SIZE], calibrate[WORD_SIZE];
    hcbr_writer *w = i->w;
    PUT(w, OPEN("options", '{'), word_of(&o, "scope", scope), U64("passes", i->info.passes),
        U64("seed", i->info.seed), BOOL("given_order", i->info.given_order),
        word_of(&o, "keep_cases", keep), U64("min_cases", i->info.min_cases),
        BOOL("memory", i->info.memory), word_of(&o, "calibrate", calibrate),
        STRING("why", i->info.why));
    hcbr_json_rule(w, i->model);
    PUT(w, STRING("nothing_known", hcbr_fallback_name(i->model, i->info.on_nothing)));
    put_reading(w, i->model);
    PUT(w, CLOSE('}'));
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_column(hcbr_writer *w, const hcbr_column *c) {
    PUT(w, OPEN(NULL, '{'), TEXT("name", c->name, c->name_length),
        STRING("kind", hcbr_column_kind_name(c->kind)), BOOL("sparse", c->sparse),
        U64("values", c->values));
    if (c->kind == HCBR_COLUMN_NUMBER)
        PUT(w, U64("cuts", c->cuts), c->cuts ? NUMBER("lowest_cut", c->lowest) : NONE("lowest_cut"),
            c->cuts ? NUMBER("highest_cut", c->highest) : NONE("highest_cut"));
    PUT(w, CLOSE('}'));
}

static void put_kinds(hcbr_i_inspection *i) {
    PUT(i->w, OPEN("kinds", '['));
    for (size_t k = 0; k < hcbr_model_kind_count(i->model); k++) {
        hcbr_kind kind = {.size = sizeof kind};
        hcbr_model_get_kind(i->model, k, &kind);
        PUT(i->w, hcbr_item_kind_of(&kind));
    }
    PUT(i->w, CLOSE(']'));
}

static void put_columns(hcbr_i_inspection *i) {
    if (i->info.model != HCBR_MODEL_RICH) {
        PUT(i->w, NONE("columns"));
        return;
    }
    PUT(i->w, OPEN("columns", '['));
    for (uint32_t k = 0; k < i->info.keys; k++) {
        hcbr_column column = {.size = sizeof column};
        hcbr_model_get_column(i->model, k, &column);
        put_column(i->w, &column);
    }
    PUT(i->w, CLOSE(']'));
}

/* ---- the hypergraph -------------------------------------------------------------------------- */

static void put_classes(hcbr_writer *w, const char *key, const uint64_t *counts) {
    PUT(w, OPEN(key, '{'));
    for (int c = 0; c < HCBR_HYPERGRAPH_CLASSES; c++)
        PUT(w, U64(hcbr_hypergraph_class_name(c), counts[c]));
    PUT(w, CLOSE('}'));
}

static void put_hypergraph(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_hypergraph h = {.size = sizeof h};
    hcbr_hypergraph_measure(i->model, &h);
    bool kept = h.least != UINT64_MAX;
    double cases = (double)i->info.cases, occurrences = (double)i->info.occurrences;
    PUT(w, OPEN("hypergraph", '{'), NUMBER("features_per_case", occurrences / cases),
        NUMBER("atoms_per_case", (double)h.incidences / cases),
        kept ? U64("least_atoms", h.least) : NONE("least_atoms"),
        kept ? U64("most_atoms", h.longest) : NONE("most_atoms"), U64("incidences", h.incidences),
        U64("largest_atom", h.largest), U64("most_cases", h.most),
        NUMBER("overlap", i->info.occurrences ? (double)h.shared / occurrences : 0));
    put_classes(w, "atoms_by_size", h.sizes);
    put_classes(w, "atoms_by_cases", h.degrees);
    PUT(w, CLOSE('}'));
}

/* ---- revealed contents ----------------------------------------------------------------------- */

static void put_reveals(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_reveals r = {.size = sizeof r};
    hcbr_reveals_measure(i->model, &r);
    PUT(w, OPEN("reveals", '{'), U64("cases", r.cases), U64("values", r.values),
        U64("of_one_case", r.of_one_case),
        r.least_cases ? U64("least_cases", r.least_cases) : NONE("least_cases"),
        U64("number_columns", r.number_columns), U64("cuts", r.cuts),
        U64("exact_columns", r.exact_columns), U64("exact_values", r.exact_values), CLOSE('}'));
}

/* ---- the strongest --------------------------------------------------------------------------- */

static void put_atom(hcbr_i_inspection *i, uint32_t atom, hcbr_label label) {
    hcbr_writer *w = i->w;
    PUT(w, OPEN(NULL, '{'));
    hcbr_i_inspect_features(i, atom);
    PUT(w, NUMBER("strength", hcbr_model_get_atom_strength(i->model, atom, label)),
        NUMBER("lead", hcbr_atom_lead(i->model, atom, label)));
    hcbr_i_inspect_counts(i, hcbr_i_inspect_atom_counts(i, atom));
    PUT(w, CLOSE('}'));
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
    PUT(w, OPEN("strongest", '{'));
    for (uint32_t l = 0; top > 0 && l < i->info.labels && hcbr_i_writer_good(w); l++) {
        size_t count = 0;
        if (hcbr_model_rank_atoms(i->model, (hcbr_label)l, atoms, top, &count, &err) != HCBR_OK)
            hcbr_i_writer_fail(w, &err);
        PUT(w, LABEL_KEY(i->model, (hcbr_label)l), OPEN(NULL, '['));
        for (size_t k = 0; k < count; k++)
            put_atom(i, atoms[k], (hcbr_label)l);
        PUT(w, CLOSE(']'));
    }
    PUT(w, CLOSE('}'), NONE("conjunctions"), NONE("atom_count"));
    hcbr_i_free(atoms);
}

/* ---- a model --------------------------------------------------------------------------------- */

static void put_model(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.inspect/1"),
        STRING("model", hcbr_model_kind_name(i->info.model)),
        U64("format_version", i->info.format_version), U64("cases", i->info.cases),
        U64("empty_cases", i->info.empty_cases), U64("occurrences", i->info.occurrences),
        U64("keys", i->info.keys), U64("features", i->info.features), U64("atoms", i->info.atoms));
    put_labels(i);
    put_options(i);
    PUT(w, OPEN("pass_errors", '['));
    for (uint32_t p = 0; p < i->info.passes; p++)
        PUT(w, U64(NULL, hcbr_model_get_pass_errors(i->model)[p]));
    PUT(w, CLOSE(']'), STRING("fingerprint", i->info.fingerprint));
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
