/*
 * Parts of an inspection in JSON (docs/JSON.md, hcbr.inspect/1): atoms of a rich model, the past
 * cases with the largest contributions, one atom or one past case in full.
 *
 * Invariant: after a failure the model is not used any more.
 */
#include "render/inspection.h"
#include "render/items.h"

#include <stdlib.h>

bool hcbr_i_inspection_init(hcbr_i_inspection *i, hcbr_writer *w, const hcbr_model *model,
                            hcbr_explainer *explainer, size_t top) {
    hcbr_error err;
    *i = (hcbr_i_inspection){.w = w, .model = model, .explainer = explainer, .top = top};
    i->info.size = sizeof i->info;
    hcbr_model_get_info(model, &i->info);
    i->counts = hcbr_i_alloc_zero((size_t)i->info.labels + 1, sizeof *i->counts);
    // The first call lists the features of all atoms.
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
    if (hcbr_explainer_create(&i->explainer, i->model, NULL, NULL, &err) != HCBR_OK)
        hcbr_i_writer_fail(i->w, &err);
    else
        hcbr_explainer_watch(i->explainer, i->w->progress, i->w->progress_context);
    return i->explainer != NULL;
}

void hcbr_i_inspect_features(hcbr_i_inspection *i, uint32_t atom) {
    const uint32_t *features = hcbr_model_get_atom_features(i->model, atom);
    PUT(i->w, OPEN("features", '['));
    for (uint32_t k = 0; features && k < hcbr_model_get_atom_size(i->model, atom); k++) {
        hcbr_feature f;
        hcbr_model_get_feature(i->model, features[k], &f);
        PUT(i->w, FEATURE(NULL, &f));
    }
    PUT(i->w, CLOSE(']'));
}

const uint64_t *hcbr_i_inspect_atom_counts(hcbr_i_inspection *i, uint32_t atom) {
    for (uint32_t l = 0; l < i->info.labels; l++)
        i->counts[l] = hcbr_model_get_atom_count(i->model, atom, (hcbr_label)l);
    return i->counts;
}

void hcbr_i_inspect_counts(hcbr_i_inspection *i, const uint64_t *counts) {
    if (!counts) {
        PUT(i->w, NONE("cases"));
        return;
    }
    PUT(i->w, OPEN("cases", '{'));
    for (uint32_t l = 0; l < i->info.labels; l++)
        PUT(i->w, LABEL_KEY(i->model, (hcbr_label)l), U64(NULL, counts[l]));
    PUT(i->w, CLOSE('}'));
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
    PUT(w, OPEN(NULL, '{'),
        FEATURES(g->kind == HCBR_ATOM_TESTS ? "tests" : "features", g->features, g->feature_count));
    hcbr_i_json_words(w, i->model, g->features, g->feature_count);
    if (all_labels) {
        PUT(w, LABEL("label", i->model, g->label),
            BY_LABEL("contribution", i->model, g->contribution));
    } else {
        PUT(w, NUMBER("strength", g->contribution[g->label]));
    }
    PUT(w, NUMBER("lead", g->lead), g->cases ? NUMBER("average", g->average) : NONE("average"));
    if (g->kind == HCBR_ATOM_TESTS)
        PUT(w, U64("trees", g->trees));
    hcbr_i_inspect_counts(i, g->cases);
    PUT(w, CLOSE('}'));
}

static void put_ranking(hcbr_i_inspection *i, const hcbr_atom_ranking *r, hcbr_item key,
                        bool all_labels) {
    PUT(i->w, key, OPEN(NULL, '['));
    for (size_t n = 0; n < r->count; n++)
        put_ranked(i, &r->atoms[n], all_labels);
    PUT(i->w, CLOSE(']'));
}

void hcbr_i_inspect_atoms(hcbr_i_inspection *i) {
    uint64_t in_model[2];
    int too_many = 0;
    for (int kind = 0; kind < 2; kind++) {
        hcbr_atom_ranking r = rank_atoms(i, (hcbr_atom_kind)kind, HCBR_LABEL_UNKNOWN, UINT32_MAX);
        in_model[kind] = r.in_model;
        too_many = r.too_many; // of the conjunctions, which come last
        PUT(i->w, OPEN(kind == HCBR_ATOM_TESTS ? "conjunctions" : "strongest", '{'));
        for (uint32_t l = 0; hcbr_i_writer_good(i->w) && !too_many && l < i->info.labels &&
                             i->top > 0 && i->info.atoms > 0;
             l++) {
            r = rank_atoms(i, (hcbr_atom_kind)kind, (hcbr_label)l, UINT32_MAX);
            put_ranking(i, &r, LABEL_KEY(i->model, (hcbr_label)l), false);
        }
        PUT(i->w, CLOSE('}'));
    }
    PUT(i->w, OPEN("atom_count", '{'), U64("features", in_model[0]),
        too_many ? NONE("conjunctions") : U64("conjunctions", in_model[1]), CLOSE('}'));
}

void hcbr_i_inspect_atom_parts(hcbr_i_inspection *i, uint32_t atom) {
    PUT(i->w, NONE("strength"));
    for (int kind = 0; kind < 2; kind++) {
        hcbr_atom_ranking r = rank_atoms(i, (hcbr_atom_kind)kind, HCBR_LABEL_UNKNOWN, atom);
        put_ranking(i, &r, KEY(kind == HCBR_ATOM_TESTS ? "conjunctions" : "strongest"), true);
    }
}

/* ---- columns --------------------------------------------------------------------------------- */

static void put_importance(hcbr_i_inspection *i, const hcbr_important_columns *found) {
    hcbr_writer *w = i->w;
    size_t shown = found->count < i->top ? found->count : i->top;
    PUT(w, OPEN("importance", '{'), U64("cases", found->cases),
        U64("kept_cases", hcbr_model_kept_count(i->model)), U64("column_count", found->count),
        OPEN("columns", '['));
    for (size_t n = 0; n < shown; n++) {
        const hcbr_important_column *c = &found->columns[n];
        PUT(w, OPEN(NULL, '{'), TEXT("name", c->name, c->name_length),
            NUMBER("importance", c->importance), NUMBER("lead", c->lead), U64("cases", c->cases),
            CLOSE('}'));
    }
    PUT(w, CLOSE(']'), CLOSE('}'));
}

void hcbr_i_inspect_importance(hcbr_i_inspection *i) {
    hcbr_important_columns found = {.size = sizeof found};
    hcbr_importance *importance = NULL;
    hcbr_error err;
    if (i->top == 0 || hcbr_model_kept_count(i->model) == 0) {
        PUT(i->w, NONE("importance"));
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
    if (i->info.keep == HCBR_KEEP_NONE) {
        PUT(w, NONE("weightiest"),
            STRING("no_cases", "the model was trained with option keep_cases none"));
        return;
    }
    if (!hcbr_i_inspection_needs(i))
        return;
    if (hcbr_explainer_rank(i->explainer, UINT64_MAX, i->top, &r, &err) != HCBR_OK) {
        hcbr_i_writer_fail(w, &err);
        return;
    }
    PUT(w, OPEN("weightiest", '['));
    for (size_t n = 0; n < r.count; n++) {
        const hcbr_explained_case *c = &r.cases[n];
        PUT(w, OPEN(NULL, '{'));
        hcbr_i_json_origin(w, i->model, c);
        PUT(w, LABEL("label", i->model, c->label), NUMBER("weight", c->lead),
            BY_LABEL("put_in", i->model, c->influence), CLOSE('}'));
    }
    PUT(w, CLOSE(']'));
}

/* ---- one atom -------------------------------------------------------------------------------- */

/* Whether a past case has the atom. */
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
    PUT(i->w, OPEN("strength", '{'));
    for (uint32_t l = 0; l < i->info.labels; l++)
        PUT(i->w, LABEL_KEY(i->model, (hcbr_label)l),
            NUMBER(NULL, hcbr_model_get_atom_strength(i->model, atom, (hcbr_label)l)));
    PUT(i->w, CLOSE('}'));
}

static void put_rows(hcbr_i_inspection *i, uint32_t atom) {
    if (i->info.keep == HCBR_KEEP_NONE) {
        PUT(i->w, NONE("rows"));
        return;
    }
    PUT(i->w, OPEN("rows", '['));
    for (uint64_t k = 0; k < i->info.cases && hcbr_i_writer_good(i->w); k++) {
        hcbr_kept_case x = {.size = sizeof x};
        hcbr_model_get_kept(i->model, k, &x);
        if (!x.source && has_atom(i, k, atom))
            PUT(i->w, U64(NULL, x.row));
    }
    PUT(i->w, CLOSE(']'));
}

/* The numbers that are the atom, null if it has features. */
static void put_range(hcbr_writer *w, const hcbr_model *model, uint32_t atom) {
    hcbr_atom_range range = {.size = sizeof range};
    if (!hcbr_model_get_atom_range(model, atom, &range)) {
        PUT(w, NONE("range"));
        return;
    }
    PUT(w, OPEN("range", '{'), TEXT("column", range.name, range.name_length),
        NUMBER("above", range.above), NUMBER("at_most", range.most), CLOSE('}'));
}

static void put_atom(hcbr_i_inspection *i, uint32_t atom) {
    PUT(i->w, OPEN("atom", '{'), U64("number", atom));
    hcbr_i_inspect_features(i, atom);
    put_range(i->w, i->model, atom);
    if (i->info.model == HCBR_MODEL_RICH)
        hcbr_i_inspect_atom_parts(i, atom);
    else
        put_strengths(i, atom);
    hcbr_i_inspect_counts(i, hcbr_i_inspect_atom_counts(i, atom));
    put_rows(i, atom);
    PUT(i->w, CLOSE('}'));
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
        PUT(w, OPEN(NULL, '{'), U64("number", atom), OPEN("features", '['));
        for (; k < count && list[k].atom == atom; k++)
            PUT(w, FEATURE(NULL, &features[list[k].place]));
        PUT(w, CLOSE(']'), U64("case_count", degree_of(i, atom)), CLOSE('}'));
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
    PUT(i->w, OPEN("atoms", '['));
    if (st == HCBR_OK) {
        qsort(list, count, sizeof *list, compare_held);
        put_held(i, list, count, features);
    } else {
        hcbr_i_writer_fail(i->w, &err);
    }
    PUT(i->w, CLOSE(']'));
    hcbr_i_free(list);
    hcbr_bytes_free(atoms);
    hcbr_bytes_free(features);
}

static void put_case(hcbr_i_inspection *i, uint64_t index) {
    hcbr_writer *w = i->w;
    hcbr_case_ranking weight = {.size = sizeof weight};
    hcbr_kept_case x = {.size = sizeof x};
    hcbr_error err;
    if (!hcbr_i_inspection_needs(i))
        return;
    if (hcbr_explainer_rank(i->explainer, index, 1, &weight, &err) != HCBR_OK) {
        hcbr_i_writer_fail(w, &err);
        return;
    }
    hcbr_model_get_kept(i->model, index, &x);
    PUT(w, OPEN("case", '{'), x.source ? NONE("row") : U64("row", x.row),
        TEXT("id", x.id, x.id_length));
    if (x.source)
        hcbr_i_json_belief(w, x.source, x.belief_weight);
    PUT(w, LABEL("label", i->model, x.label),
        BY_LABEL("put_in", i->model, weight.cases->influence));
    put_atoms(i, index);
    PUT(w, CLOSE('}'));
}

hcbr_status hcbr_json_inspect_one(hcbr_writer *w, const hcbr_model *model,
                                  hcbr_explainer *explainer, uint32_t atom, uint64_t index,
                                  size_t top, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model))
        return HCBR_EUSAGE;
    hcbr_i_inspection i;
    if (hcbr_i_inspection_init(&i, w, model, explainer, top)) {
        PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.inspect/1"));
        if (atom != UINT32_MAX)
            put_atom(&i, atom);
        if (index != UINT64_MAX)
            put_case(&i, index);
    }
    hcbr_i_inspection_clear(&i);
    return hcbr_write_end(w, HCBR_JSON, err);
}
