/*
 * hcbr inspect of the past cases, as text: all of them as a hypergraph in numbers, those with the
 * largest contributions, one atom or one case in full.
 */
#include "cell.h"
#include "inspect.h"

#include <math.h>
#include <stdlib.h>

enum { TITLE_WIDTH = 16, NAME_WIDTH = 30, NUMBER_WIDTH = 12 };

static uint64_t degree_of(const inspection *i, uint32_t atom) {
    uint64_t degree = 0;
    for (uint32_t l = 0; l < i->info.labels; l++)
        degree += hcbr_model_get_atom_count(i->model, atom, (hcbr_label)l);
    return degree;
}

/* ---- the hypergraph -------------------------------------------------------------------------- */

static void put_classes(inspection *i, const char *title, const uint64_t *counts) {
    bool any = false;
    put_text(i->out, title, strlen(title), TITLE_WIDTH, false);
    for (int c = 0; c < HCBR_HYPERGRAPH_CLASSES; c++) {
        if (!counts[c])
            continue;
        out_string(i->out, any ? ", " : "");
        out_string(i->out, hcbr_hypergraph_class_name(c));
        out_string(i->out, ": ");
        out_u64(i->out, counts[c]);
        any = true;
    }
    out_string(i->out, any ? "" : "none");
    out_row(i->out);
}

void inspect_hypergraph_text(inspection *i) {
    hcbr_hypergraph h = {.size = sizeof h};
    hcbr_hypergraph_measure(i->model, &h);
    double cases = (double)i->info.cases;
    char text[160];
    snprintf(text, sizeof text, "%.4g features, %.4g atoms on average",
             (double)i->info.occurrences / cases, (double)h.incidences / cases);
    put_text(i->out, "in a case", 9, TITLE_WIDTH, false);
    out_string(i->out, text);
    if (h.least != UINT64_MAX) {
        snprintf(text, sizeof text, "; %llu to %llu atoms", (unsigned long long)h.least,
                 (unsigned long long)h.longest);
        out_string(i->out, text);
    }
    out_row(i->out);
    put_classes(i, "atoms by size", h.sizes);
    put_classes(i, "atoms by cases", h.degrees);
    put_text(i->out, "overlap", 7, TITLE_WIDTH, false);
    snprintf(text, sizeof text, "%.4g %% of the features of a case stand in another case too",
             i->info.occurrences ? 100.0 * (double)h.shared / (double)i->info.occurrences : 0);
    out_string(i->out, text);
    out_row(i->out);
}

/* ---- past cases ------------------------------------------------------------------------------ */

/* Why past cases cannot be weighed; NULL: they can. */
static const char *no_cases(const inspection *i) {
    return i->info.keep == HCBR_KEEP_NONE ? "the model was trained with --keep-cases none" : NULL;
}

int inspect_explainer(inspection *i) {
    hcbr_error err = {0};
    if (i->explainer)
        return EXIT_DONE;
    if (hcbr_explainer_create(&i->explainer, i->model, NULL, NULL, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    hcbr_explainer_watch(i->explainer, term_progress, &i->term);
    return EXIT_DONE;
}

static void put_past(inspection *i, const hcbr_explained_case *c, int decimals) {
    hcbr_cell name = {.used = 0};
    char row[32];
    label_facts label = inspect_label(i, c->label);
    if (c->source) {
        cell_add_stated(&name, c->source, c->weight, NAME_WIDTH - 1);
    } else {
        snprintf(row, sizeof row, "row %llu", (unsigned long long)c->row);
        hcbr_cell_add(&name, row, strlen(row), NAME_WIDTH);
    }
    if (c->id) {
        hcbr_cell_add(&name, ", ", 2, NAME_WIDTH - 1);
        hcbr_cell_add_cut(&name, c->id, c->id_length, NAME_WIDTH - 1);
    }
    put_cell(i->out, &name, NAME_WIDTH, false);
    put_text(i->out, label.name, label.name_length, NAME_WIDTH / 2, false);
    put_number(i->out, c->lead, decimals, NUMBER_WIDTH);
    out_row(i->out);
}

static int rank(inspection *i, hcbr_case_ranking *ranking) {
    hcbr_error err = {0};
    int code = inspect_explainer(i);
    if (code != EXIT_DONE)
        return code;
    if (hcbr_explainer_rank(i->explainer, UINT64_MAX, i->most, ranking, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    return EXIT_DONE;
}

int inspect_cases_text(inspection *i) {
    hcbr_case_ranking r = {.size = sizeof r};
    const char *why = no_cases(i);
    out_row(i->out);
    if (why) {
        out_string(i->out, "past cases cannot be shown: ");
        out_string(i->out, why);
        out_row(i->out);
        return EXIT_DONE;
    }
    int code = rank(i, &r);
    if (code != EXIT_DONE)
        return code;
    if (i->info.model == HCBR_MODEL_RICH)
        out_string(i->out, "weight: what a past case adds to the support of a case just like it\n");
    put_text(i->out, "past cases that weigh most", 26, NAME_WIDTH, false);
    put_text(i->out, "label", 5, NAME_WIDTH / 2, false);
    put_text(i->out, "weight", 6, NUMBER_WIDTH, true);
    out_row(i->out);
    for (size_t n = 0; n < r.count; n++)
        put_past(i, &r.cases[n], decimals_for(r.cases->lead));
    return EXIT_DONE;
}

/* ---- one atom -------------------------------------------------------------------------------- */

/* The atom of a name with its value after one of these marks. */
static uint32_t find_behind(const inspection *i, const char *name, char mark) {
    uint32_t atom = UINT32_MAX;
    for (const char *at = strchr(name, mark); at && atom == UINT32_MAX; at = strchr(at + 1, mark)) {
        const hcbr_feature f = {name, (size_t)(at - name), at + 1, strlen(at + 1)};
        atom = hcbr_model_find_atom(i->model, &f);
    }
    return atom;
}

/* The atom of a feature as it is shown, `thal=3` or in a conjunction `thal 3`, or of a number;
 * UINT32_MAX: none. */
static uint32_t find_atom(const inspection *i, const char *name) {
    const hcbr_feature bare = {name, strlen(name), NULL, 0};
    uint32_t atom = hcbr_model_find_atom(i->model, &bare);
    if (atom == UINT32_MAX)
        atom = find_behind(i, name, '=');
    if (atom == UINT32_MAX)
        atom = find_behind(i, name, ' ');
    if (atom != UINT32_MAX)
        return atom;
    char *end = NULL;
    unsigned long number = strtoul(name, &end, 10);
    bool digits = name[0] >= '0' && name[0] <= '9' && !*end;
    return digits && number < i->info.atoms ? (uint32_t)number : UINT32_MAX;
}

static bool has_atom(const inspection *i, uint64_t index, uint32_t atom) {
    uint32_t *atoms = NULL;
    size_t count = 0;
    bool has = false;
    if (hcbr_model_copy_kept_atoms(i->model, index, &atoms, &count, NULL) != HCBR_OK)
        return false;
    for (size_t k = 0; k < count && !has; k++)
        has = atoms[k] == atom;
    hcbr_bytes_free(atoms);
    return has;
}

static void put_name(inspection *i, const hcbr_kept_case *x) {
    label_facts label = inspect_label(i, x->label);
    if (x->source) {
        out_string(i->out, "  stated by ");
        out_text(i->out, x->source, strlen(x->source));
        out_string(i->out, ", weight ");
        out_rounded(i->out, x->belief_weight);
    } else {
        out_string(i->out, "  row ");
        out_u64(i->out, x->row);
    }
    if (x->id) {
        out_string(i->out, ", ");
        out_text(i->out, x->id, x->id_length);
    }
    out_string(i->out, ": ");
    out_text(i->out, label.name, label.name_length);
    out_row(i->out);
}

static void put_atom_features(inspection *i, uint32_t atom, const char *before) {
    const uint32_t *features = hcbr_model_get_atom_features(i->model, atom);
    uint32_t size = hcbr_model_get_atom_size(i->model, atom);
    for (uint32_t k = 0; features && k < size; k++) {
        hcbr_feature f;
        hcbr_cell c = {.used = 0};
        hcbr_model_get_feature(i->model, features[k], &f);
        out_string(i->out, before);
        cell_add_shown(&c, i->model, &f, 90);
        out_bytes(i->out, c.text, c.used);
        out_row(i->out);
    }
}

/* `age above 41.5, at most 43.5`, of an atom that is a range of numbers. */
static void put_range(inspection *i, const hcbr_atom_range *range) {
    char text[120] = ", any number";
    const bool above = range->above > -INFINITY, most = range->most < INFINITY;
    if (above && most)
        snprintf(text, sizeof text, " above %.6g, at most %.6g", range->above, range->most);
    else if (above || most)
        snprintf(text, sizeof text, above ? " above %.6g" : " at most %.6g",
                 above ? range->above : range->most);
    out_string(i->out, "  ");
    out_text(i->out, range->name, range->name_length);
    out_string(i->out, text);
    out_row(i->out);
}

static void put_atom_labels(inspection *i, uint32_t atom) {
    char text[160];
    for (uint32_t l = 0; l < i->info.labels; l++) {
        label_facts label = inspect_label(i, (hcbr_label)l);
        put_text(i->out, label.name, label.name_length, NAME_WIDTH, false);
        int n = snprintf(text, sizeof text, "%10u of %llu cases",
                         hcbr_model_get_atom_count(i->model, atom, (hcbr_label)l),
                         (unsigned long long)label.info.cases);
        if (i->info.model == HCBR_MODEL_PLAIN)
            snprintf(text + n, sizeof text - (size_t)n, ", strength %.6g",
                     hcbr_model_get_atom_strength(i->model, atom, (hcbr_label)l));
        out_string(i->out, text);
        out_row(i->out);
    }
}

static int atom_text(inspection *i, uint32_t atom) {
    out *o = i->out;
    char text[160];
    uint32_t size = hcbr_model_get_atom_size(i->model, atom);
    uint64_t shown = 0, all = degree_of(i, atom);
    hcbr_atom_range range = {.size = sizeof range};
    const bool ranged = hcbr_model_get_atom_range(i->model, atom, &range);
    int n = snprintf(text, sizeof text, "atom %u: ", atom);
    if (!ranged)
        n += snprintf(text + n, sizeof text - (size_t)n, "%u %s", size,
                      size == 1 ? "feature" : "features");
    else
        n += snprintf(text + n, sizeof text - (size_t)n, "a range of numbers");
    snprintf(text + n, sizeof text - (size_t)n, " in %llu %s", (unsigned long long)all,
             all == 1 ? "case" : "cases");
    out_string(o, text);
    out_row(o);
    if (ranged)
        put_range(i, &range);
    put_atom_features(i, atom, "  ");
    put_atom_labels(i, atom);
    int code = i->info.model == HCBR_MODEL_RICH ? inspect_atom_parts_text(i, atom) : EXIT_DONE;
    if (code != EXIT_DONE)
        return code;
    if (i->info.keep == HCBR_KEEP_NONE) {
        out_string(o, "past cases cannot be shown: the model was trained with --keep-cases none\n");
        return EXIT_DONE;
    }
    out_string(o, "past cases\n");
    for (uint64_t k = 0; k < i->info.cases && shown < i->most; k++) {
        hcbr_kept_case x = {.size = sizeof x};
        hcbr_model_get_kept(i->model, k, &x);
        if (!has_atom(i, k, atom))
            continue;
        if (x.copy) { // shown with the first case of the belief
            all--;
            continue;
        }
        put_name(i, &x);
        shown++;
    }
    if (shown < all) {
        snprintf(text, sizeof text, "  %llu more (--top)\n", (unsigned long long)(all - shown));
        out_string(o, text);
    }
    return EXIT_DONE;
}

/* ---- one case -------------------------------------------------------------------------------- */

/* The features of a past case of a rich model, which are stored separately from its atoms. */
static void put_kept(inspection *i, uint64_t index) {
    hcbr_feature *list = NULL;
    size_t count = 0;
    if (hcbr_model_copy_kept(i->model, index, &list, &count, NULL) != HCBR_OK)
        return;
    for (size_t k = 0; k < count; k++) {
        hcbr_cell c = {.used = 0};
        out_string(i->out, "    ");
        cell_add_shown(&c, i->model, &list[k], 90);
        out_bytes(i->out, c.text, c.used);
        out_row(i->out);
    }
    hcbr_bytes_free(list);
}

static void case_text(inspection *i, uint64_t index, const hcbr_kept_case *x,
                      const hcbr_explained_case *w) {
    char text[160];
    bool rich = i->info.model == HCBR_MODEL_RICH;
    put_name(i, x);
    for (uint32_t l = 0; l < i->info.labels; l++) {
        label_facts label = inspect_label(i, (hcbr_label)l);
        out_string(i->out, l > 0 ? ", " : rich ? "  adds to a case just like it: " : "  put in: ");
        out_text(i->out, label.name, label.name_length);
        snprintf(text, sizeof text, " %+.6g", w->influence[l]);
        out_string(i->out, text);
    }
    out_row(i->out);
    if (rich)
        put_kept(i, index);
    for (size_t k = 0; k < x->atom_count; k++) {
        snprintf(text, sizeof text, "  atom %u, in %llu cases\n", x->atoms[k],
                 (unsigned long long)degree_of(i, x->atoms[k]));
        out_string(i->out, text);
        put_atom_features(i, x->atoms[k], "    ");
    }
}

/* The kept case of --case. */
static int find_case(const inspection *i, const char *name, uint64_t *index) {
    if (no_cases(i))
        return say_usage("inspect", "--case %s: the model was trained with --keep-cases none",
                         name);
    *index = hcbr_model_find_kept(i->model, name, strlen(name));
    if (*index == UINT64_MAX)
        return say_usage("inspect", "--case %s: the model has no past case of that %s", name,
                         i->info.keep == HCBR_KEEP_FULL ? "id or row" : "row");
    return EXIT_DONE;
}

static int show_case(inspection *i, uint64_t index) {
    hcbr_kept_case x = {.size = sizeof x};
    hcbr_case_ranking weight = {.size = sizeof weight};
    hcbr_error err = {0};
    int code = inspect_explainer(i);
    if (code != EXIT_DONE)
        return code;
    if (hcbr_explainer_rank(i->explainer, index, 1, &weight, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    hcbr_model_get_kept(i->model, index, &x);
    case_text(i, index, &x, weight.cases);
    return EXIT_DONE;
}

static int show_json(inspection *i, uint32_t atom, uint64_t index) {
    hcbr_writer *json;
    hcbr_error err = {0};
    int code = out_writer(i->out, "inspect", &json);
    if (code == EXIT_DONE && (index != UINT64_MAX || i->info.model == HCBR_MODEL_RICH))
        code = inspect_explainer(i);
    return code ? code
                : term_written(&i->term, i->out,
                               hcbr_json_inspect_one(json, i->model, i->explainer, atom, index,
                                                     i->most, &err),
                               &err);
}

int inspect_one(inspection *i) {
    const char *atom_name = args_get(i->given, "atom"), *case_name = args_get(i->given, "case");
    uint32_t atom = UINT32_MAX;
    uint64_t index = UINT64_MAX;
    int code = EXIT_DONE;
    if (atom_name && (atom = find_atom(i, atom_name)) == UINT32_MAX)
        return say_usage("inspect",
                         "--atom %s: a feature of the model, as in colour=red or age=39, or a "
                         "number below %u was expected",
                         atom_name, i->info.atoms);
    if (case_name && (code = find_case(i, case_name, &index)))
        return code;
    if (args_has(i->given, "json"))
        return show_json(i, atom, index);
    if (atom_name)
        code = atom_text(i, atom);
    return case_name && code == EXIT_DONE ? show_case(i, index) : code;
}
