/*
 * Parts of an inspection in JSON (docs/JSON.md, hcbr.inspect/1): atoms of a rich model, the past
 * cases that shaped the model most, one atom or one past case in full.
 *
 * Invariant: with a failure nothing more is asked of the model.
 */
#include "render/inspection.h"

#include <stdlib.h>

static const char *const KINDS[] = {"features", "conjunctions"};

bool hcbr_i_inspection_init(hcbr_i_inspection *i, hcbr_writer *w, const hcbr_model *model,
                            hcbr_explainer *explainer, size_t top) {
    hcbr_error err;
    *i = (hcbr_i_inspection){.w = w, .model = model, .explainer = explainer, .top = top};
    i->info.size = sizeof i->info;
    hcbr_model_get_info(model, &i->info);
    i->counts = hcbr_i_alloc_zero((size_t)i->info.labels + 1, sizeof *i->counts);
    // The first atom's features make room for those of all.
    if (!i->counts || (i->info.atoms && !hcbr_model_get_atom_features(model, 0))) {
        (void)hcbr_i_no_memory(&err);
        hcbr_i_writer_fail(w, &err);
    }
    return hcbr_i_writer_good(w);
}

void hcbr_i_inspection_clear(hcbr_i_inspection *i) {
    if (i->own)
        hcbr_explainer_free(i->explainer);
    hcbr_i_free(i->counts);
}

bool hcbr_i_inspection_needs(hcbr_i_inspection *i) {
    hcbr_error err;
    if (!hcbr_i_writer_good(i->w))
        return false;
    if (i->explainer)
        return true;
    i->own = true;
    if (hcbr_explainer_create(&i->explainer, i->model, NULL, &err) != HCBR_OK)
        hcbr_i_writer_fail(i->w, &err);
    else
        hcbr_explainer_watch(i->explainer, i->w->progress, i->w->progress_context);
    return i->explainer != NULL;
}

void hcbr_i_inspect_features(hcbr_i_inspection *i, uint32_t atom) {
    const uint32_t *features = hcbr_model_get_atom_features(i->model, atom);
    hcbr_json_open(i->w, '[');
    for (uint32_t k = 0; features && k < hcbr_model_get_atom_size(i->model, atom); k++) {
        hcbr_feature f;
        hcbr_model_get_feature(i->model, features[k], &f);
        hcbr_json_feature(i->w, &f);
    }
    hcbr_json_close(i->w, ']');
}

const uint64_t *hcbr_i_inspect_atom_counts(hcbr_i_inspection *i, uint32_t atom) {
    for (uint32_t l = 0; l < i->info.labels; l++)
        i->counts[l] = hcbr_model_get_atom_count(i->model, atom, (hcbr_label)l);
    return i->counts;
}

void hcbr_i_inspect_counts(hcbr_i_inspection *i, const uint64_t *counts) {
    hcbr_json_key(i->w, "cases");
    if (!counts) {
        hcbr_json_null(i->w);
        return;
    }
    hcbr_json_open(i->w, '{');
    for (uint32_t l = 0; l < i->info.labels; l++) {
        hcbr_i_json_label_key(i->w, i->model, (hcbr_label)l);
        hcbr_json_u64(i->w, counts[l]);
    }
    hcbr_json_close(i->w, '}');
}

/* ---- atoms ----------------------------------------------------------------------------------- */

/* Atoms of a kind: of a label, or of an atom. Empty after a failure. */
static hcbr_atom_ranking rank_atoms(hcbr_i_inspection *i, hcbr_atom_kind kind, hcbr_label label,
                                    uint32_t atom) {
    hcbr_atom_ranking r = {.size = sizeof r};
    hcbr_error err;
    hcbr_atom_options o;
    hcbr_atom_options_init(&o);
    o.kind = kind;
    o.label = label;
    o.atom = atom;
    o.most = i->top;
    if (hcbr_i_inspection_needs(i) &&
        hcbr_explainer_rank_atoms(i->explainer, &o, &r, &err) != HCBR_OK) {
        hcbr_i_writer_fail(i->w, &err);
        r = (hcbr_atom_ranking){.size = sizeof r};
    }
    return r;
}

static void put_ranked(hcbr_i_inspection *i, const hcbr_ranked_atom *g, bool all_labels) {
    hcbr_writer *w = i->w;
    hcbr_json_open(w, '{');
    hcbr_json_key(w, g->kind == HCBR_ATOM_TESTS ? "tests" : "features");
    hcbr_json_features(w, g->features, g->feature_count);
    hcbr_i_json_words(w, i->model, g->features, g->feature_count);
    if (all_labels) {
        hcbr_json_key(w, "label"), hcbr_json_label(w, i->model, g->label);
        hcbr_json_key(w, "contribution"), hcbr_json_by_label(w, i->model, g->contribution);
    } else {
        hcbr_json_key(w, "strength"), hcbr_json_number(w, g->contribution[g->label]);
    }
    hcbr_json_key(w, "lead"), hcbr_json_number(w, g->lead);
    hcbr_json_key(w, "average");
    g->cases ? hcbr_json_number(w, g->average) : hcbr_json_null(w);
    if (g->kind == HCBR_ATOM_TESTS)
        hcbr_json_key(w, "trees"), hcbr_json_u64(w, g->trees);
    hcbr_i_inspect_counts(i, g->cases);
    hcbr_json_close(w, '}');
}

static void put_ranking(hcbr_i_inspection *i, const hcbr_atom_ranking *r, bool all_labels) {
    hcbr_json_open(i->w, '[');
    for (size_t n = 0; n < r->count; n++)
        put_ranked(i, &r->atoms[n], all_labels);
    hcbr_json_close(i->w, ']');
}

void hcbr_i_inspect_atoms(hcbr_i_inspection *i) {
    uint64_t in_model[2];
    int too_many = 0;
    for (int kind = 0; kind < 2; kind++) {
        hcbr_atom_ranking r = rank_atoms(i, (hcbr_atom_kind)kind, HCBR_LABEL_UNKNOWN, UINT32_MAX);
        in_model[kind] = r.in_model;
        too_many = r.too_many; // of the conjunctions, which come last
        hcbr_json_key(i->w, kind == HCBR_ATOM_TESTS ? "conjunctions" : "strongest");
        hcbr_json_open(i->w, '{');
        for (uint32_t l = 0; hcbr_i_writer_good(i->w) && !too_many && l < i->info.labels &&
                             i->top > 0 && i->info.atoms > 0;
             l++) {
            r = rank_atoms(i, (hcbr_atom_kind)kind, (hcbr_label)l, UINT32_MAX);
            hcbr_i_json_label_key(i->w, i->model, (hcbr_label)l), put_ranking(i, &r, false);
        }
        hcbr_json_close(i->w, '}');
    }
    hcbr_json_key(i->w, "atom_count"), hcbr_json_open(i->w, '{');
    for (int kind = 0; kind < 2; kind++) {
        hcbr_json_key(i->w, KINDS[kind]);
        if (kind == HCBR_ATOM_TESTS && too_many)
            hcbr_json_null(i->w);
        else
            hcbr_json_u64(i->w, in_model[kind]);
    }
    hcbr_json_close(i->w, '}');
}

void hcbr_i_inspect_atom_parts(hcbr_i_inspection *i, uint32_t atom) {
    hcbr_json_key(i->w, "strength"), hcbr_json_null(i->w);
    for (int kind = 0; kind < 2; kind++) {
        hcbr_atom_ranking r = rank_atoms(i, (hcbr_atom_kind)kind, HCBR_LABEL_UNKNOWN, atom);
        hcbr_json_key(i->w, kind == HCBR_ATOM_TESTS ? "conjunctions" : "strongest");
        put_ranking(i, &r, true);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_importance(hcbr_i_inspection *i, const hcbr_important_columns *found) {
    hcbr_writer *w = i->w;
    size_t shown = found->count < i->top ? found->count : i->top;
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "cases"), hcbr_json_u64(w, found->cases);
    hcbr_json_key(w, "kept_cases"), hcbr_json_u64(w, hcbr_model_kept_count(i->model));
    hcbr_json_key(w, "column_count"), hcbr_json_u64(w, found->count);
    hcbr_json_key(w, "columns"), hcbr_json_open(w, '[');
    for (size_t n = 0; n < shown; n++) {
        const hcbr_important_column *c = &found->columns[n];
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "name"), hcbr_json_text(w, c->name, c->name_length);
        hcbr_json_key(w, "importance"), hcbr_json_number(w, c->importance);
        hcbr_json_key(w, "lead"), hcbr_json_number(w, c->lead);
        hcbr_json_key(w, "cases"), hcbr_json_u64(w, c->cases);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
    hcbr_json_close(w, '}');
}

void hcbr_i_inspect_importance(hcbr_i_inspection *i) {
    hcbr_important_columns found = {.size = sizeof found};
    hcbr_importance *importance = NULL;
    hcbr_error err;
    hcbr_json_key(i->w, "importance");
    if (i->top == 0 || hcbr_model_kept_count(i->model) == 0) {
        hcbr_json_null(i->w);
        return;
    }
    if (!hcbr_i_inspection_needs(i))
        return;
    if (hcbr_importance_create(&importance, &err) != HCBR_OK ||
        hcbr_importance_add_kept(importance, i->explainer, 0, &err) != HCBR_OK ||
        hcbr_importance_get(importance, &found, &err) != HCBR_OK)
        hcbr_i_writer_fail(i->w, &err);
    else
        put_importance(i, &found);
    hcbr_importance_free(importance);
}

/* ---- past cases ------------------------------------------------------------------------------ */

void hcbr_i_inspect_cases(hcbr_i_inspection *i) {
    hcbr_writer *w = i->w;
    hcbr_case_ranking r = {.size = sizeof r};
    hcbr_error err;
    hcbr_json_key(w, "weightiest");
    if (i->info.keep == HCBR_KEEP_NONE) {
        hcbr_json_null(w);
        hcbr_json_key(w, "no_cases");
        hcbr_json_string(w, "the model was trained with option keep_cases none");
        return;
    }
    if (!hcbr_i_inspection_needs(i))
        return;
    if (hcbr_explainer_rank(i->explainer, i->top, &r, &err) != HCBR_OK) {
        hcbr_i_writer_fail(w, &err);
        return;
    }
    hcbr_json_open(w, '[');
    for (size_t n = 0; n < r.count; n++) {
        const hcbr_explained_case *c = &r.cases[n];
        hcbr_json_open(w, '{');
        hcbr_i_json_origin(w, i->model, c);
        hcbr_json_key(w, "label"), hcbr_json_label(w, i->model, c->label);
        hcbr_json_key(w, "weight"), hcbr_json_number(w, c->lead);
        hcbr_json_key(w, "put_in"), hcbr_json_by_label(w, i->model, c->influence);
        hcbr_json_close(w, '}');
    }
    hcbr_json_close(w, ']');
}

/* ---- one atom -------------------------------------------------------------------------------- */

/* Has a past case the atom? */
static bool has_atom(hcbr_i_inspection *i, uint64_t index, uint32_t atom) {
    uint32_t *atoms = NULL;
    size_t count = 0;
    bool has = false;
    hcbr_error err;
    if (hcbr_model_copy_kept_atoms(i->model, index, &atoms, &count, &err) != HCBR_OK)
        hcbr_i_writer_fail(i->w, &err);
    for (size_t k = 0; k < count && !has; k++)
        has = atoms[k] == atom;
    hcbr_bytes_free(atoms);
    return has;
}

static void put_strengths(hcbr_i_inspection *i, uint32_t atom) {
    hcbr_json_key(i->w, "strength"), hcbr_json_open(i->w, '{');
    for (uint32_t l = 0; l < i->info.labels; l++) {
        hcbr_i_json_label_key(i->w, i->model, (hcbr_label)l);
        hcbr_json_number(i->w, hcbr_model_get_atom_strength(i->model, atom, (hcbr_label)l));
    }
    hcbr_json_close(i->w, '}');
}

static void put_rows(hcbr_i_inspection *i, uint32_t atom) {
    hcbr_json_key(i->w, "rows");
    if (i->info.keep == HCBR_KEEP_NONE) {
        hcbr_json_null(i->w);
        return;
    }
    hcbr_json_open(i->w, '[');
    for (uint64_t k = 0; k < i->info.cases && hcbr_i_writer_good(i->w); k++) {
        hcbr_kept_case x = {.size = sizeof x};
        hcbr_model_get_kept(i->model, k, &x);
        if (!x.source && has_atom(i, k, atom))
            hcbr_json_u64(i->w, x.row);
    }
    hcbr_json_close(i->w, ']');
}

/* The numbers that are the atom, null if it has features. */
static void put_range(hcbr_writer *w, const hcbr_model *model, uint32_t atom) {
    hcbr_atom_range range = {.size = sizeof range};
    hcbr_json_key(w, "range");
    if (!hcbr_model_get_atom_range(model, atom, &range)) {
        hcbr_json_null(w);
        return;
    }
    hcbr_json_open(w, '{');
    hcbr_json_key(w, "column"), hcbr_json_text(w, range.name, range.name_length);
    hcbr_json_key(w, "above"), hcbr_json_number(w, range.above);
    hcbr_json_key(w, "at_most"), hcbr_json_number(w, range.most);
    hcbr_json_close(w, '}');
}

hcbr_status hcbr_json_atom(hcbr_writer *w, const hcbr_model *model, hcbr_explainer *explainer,
                           uint32_t atom, size_t top, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model))
        return HCBR_EUSAGE;
    hcbr_i_inspection i;
    if (hcbr_i_inspection_init(&i, w, model, explainer, top)) {
        hcbr_json_key(w, "atom"), hcbr_json_open(w, '{');
        hcbr_json_key(w, "number"), hcbr_json_u64(w, atom);
        hcbr_json_key(w, "features"), hcbr_i_inspect_features(&i, atom);
        put_range(w, model, atom);
        if (i.info.model == HCBR_MODEL_RICH)
            hcbr_i_inspect_atom_parts(&i, atom);
        else
            put_strengths(&i, atom);
        hcbr_i_inspect_counts(&i, hcbr_i_inspect_atom_counts(&i, atom));
        put_rows(&i, atom);
        hcbr_json_close(w, '}');
    }
    hcbr_i_inspection_clear(&i);
    return hcbr_i_writer_status(w, err);
}

/* ---- one case -------------------------------------------------------------------------------- */

static uint64_t degree_of(const hcbr_i_inspection *i, uint32_t atom) {
    uint64_t degree = 0;
    for (uint32_t l = 0; l < i->info.labels; l++)
        degree += hcbr_model_get_atom_count(i->model, atom, (hcbr_label)l);
    return degree;
}

/* The features of a past case with their atoms, those of an atom together. */
typedef struct held {
    uint32_t atom;
    size_t place;
} held;

static int compare_held(const void *a, const void *b) {
    const held *x = a, *y = b;
    return x->atom != y->atom     ? (x->atom < y->atom ? -1 : 1)
           : x->place != y->place ? (x->place < y->place ? -1 : 1)
                                  : 0;
}

static void put_held(hcbr_i_inspection *i, const held *list, size_t count,
                     const hcbr_feature *features) {
    hcbr_writer *w = i->w;
    for (size_t k = 0; k < count;) {
        const uint32_t atom = list[k].atom;
        hcbr_json_open(w, '{');
        hcbr_json_key(w, "number"), hcbr_json_u64(w, atom);
        hcbr_json_key(w, "features"), hcbr_json_open(w, '[');
        for (; k < count && list[k].atom == atom; k++)
            hcbr_json_feature(w, &features[list[k].place]);
        hcbr_json_close(w, ']');
        hcbr_json_key(w, "case_count"), hcbr_json_u64(w, degree_of(i, atom));
        hcbr_json_close(w, '}');
    }
}

/* The atoms of a past case, each with those of its features that the case has. */
static void put_atoms(hcbr_i_inspection *i, uint64_t index) {
    hcbr_feature *features = NULL;
    uint32_t *atoms = NULL;
    size_t count = 0, same = 0;
    hcbr_error err;
    hcbr_status st = hcbr_model_copy_kept(i->model, index, &features, &count, &err);
    if (st == HCBR_OK)
        st = hcbr_model_copy_kept_atoms(i->model, index, &atoms, &same, &err);
    held *list = hcbr_i_alloc(count, sizeof *list);
    if (st == HCBR_OK && !list)
        st = hcbr_i_no_memory(&err);
    for (size_t k = 0; st == HCBR_OK && k < count; k++)
        list[k] = (held){atoms[k], k};
    hcbr_json_open(i->w, '[');
    if (st == HCBR_OK) {
        qsort(list, count, sizeof *list, compare_held);
        put_held(i, list, count, features);
    } else {
        hcbr_i_writer_fail(i->w, &err);
    }
    hcbr_json_close(i->w, ']');
    hcbr_i_free(list);
    hcbr_bytes_free(atoms);
    hcbr_bytes_free(features);
}

static void put_case(hcbr_i_inspection *i, uint64_t index, const hcbr_kept_case *x,
                     const double *put_in) {
    hcbr_writer *w = i->w;
    hcbr_json_key(w, "case"), hcbr_json_open(w, '{');
    hcbr_json_key(w, "row"), x->source ? hcbr_json_null(w) : hcbr_json_u64(w, x->row);
    hcbr_json_key(w, "id"), hcbr_json_text(w, x->id, x->id_length);
    if (x->source)
        hcbr_i_json_belief(w, x->source, x->belief_weight);
    hcbr_json_key(w, "label"), hcbr_json_label(w, i->model, x->label);
    hcbr_json_key(w, "put_in"), hcbr_json_by_label(w, i->model, put_in);
    hcbr_json_key(w, "atoms"), put_atoms(i, index);
    hcbr_json_close(w, '}');
}

hcbr_status hcbr_json_past_case(hcbr_writer *w, const hcbr_model *model, hcbr_explainer *explainer,
                                uint64_t index, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model))
        return HCBR_EUSAGE;
    hcbr_i_inspection i;
    const hcbr_explained_case *weight;
    hcbr_kept_case x = {.size = sizeof x};
    hcbr_error failure;
    if (hcbr_i_inspection_init(&i, w, model, explainer, 0) && hcbr_i_inspection_needs(&i)) {
        if (hcbr_explainer_weigh(i.explainer, index, &weight, &failure) != HCBR_OK) {
            hcbr_i_writer_fail(w, &failure);
        } else {
            hcbr_model_get_kept(model, index, &x);
            put_case(&i, index, &x, weight->influence);
        }
    }
    hcbr_i_inspection_clear(&i);
    return hcbr_i_writer_status(w, err);
}
