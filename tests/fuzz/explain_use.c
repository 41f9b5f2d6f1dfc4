/*
 * Reasons of a model that the library has accepted, whatever its bytes were: lists are sorted and
 * within bounds, influences add up to the support as far as numbers of any size allow, changes are
 * verified, and nothing is read that is not there.
 */
#include "fuzz.h"
#include "rich/reasons/counterfactual.h"
#include "row_of.h"

#include <math.h>

enum { MOST_EXPLAINED = 6 };

static void check_case(const hcbr_model_info *info, const hcbr_explained_case *x) {
    FUZZ_CHECK(x->index < info->cases && x->row > x->index);
    FUZZ_CHECK(x->label >= 0 && x->label < (hcbr_label)info->labels);
    if (x->id)
        fuzz_check_text(x->id, x->id_length);
}

/* all: every group and every past case is asked for. */
static void check_reasons(hcbr_explainer *explainer, const hcbr_model_info *info,
                          const hcbr_feature *features, size_t count, bool all) {
    hcbr_explanation e = {.size = sizeof e};
    hcbr_explain_options o;
    hcbr_error err;
    hcbr_explain_options_init(&o);
    if (all)
        o.atoms = o.cases = SIZE_MAX;
    FUZZ_CHECK_OK(
        hcbr_explainer_explain(explainer, row_of(explainer, features, count), &o, &e, &err), err);
    FUZZ_CHECK((e.influence_sum == NULL) == (info->keep == HCBR_KEEP_NONE));
    FUZZ_CHECK((e.no_cases == NULL) == (e.influence_sum != NULL));
    FUZZ_CHECK((all || e.atom_count <= 10) && e.atom_count <= e.all_atoms);
    for (size_t n = 0; n < e.atom_count; n++) {
        const hcbr_explained_atom *a = &e.atoms[n];
        if (info->model == HCBR_MODEL_PLAIN) {
            FUZZ_CHECK(a->atom < info->atoms && a->feature_count <= a->all_features &&
                       a->weight > 0);
            FUZZ_CHECK(a->feature_count > 0 && a->kind == HCBR_ATOM_FEATURES);
        }
        FUZZ_CHECK(a->weight >= 0 && a->weight <= 1);
        for (size_t k = 0; k < a->feature_count; k++)
            fuzz_check_text(a->features[k].key, a->features[k].key_length);
        for (size_t k = 0; k < a->shown_cases; k++)
            check_case(info, &a->cases[k]);
    }
    FUZZ_CHECK(e.for_count <= e.all_for && e.against_count <= e.all_against);
    for (size_t n = 0; n < e.for_count; n++) {
        check_case(info, &e.cases_for[n]);
        FUZZ_CHECK(n == 0 || !(e.cases_for[n].lead > e.cases_for[n - 1].lead));
    }
    FUZZ_CHECK(e.other_count <= e.all_others);
    for (size_t n = 0; n < e.other_count; n++)
        check_case(info, &e.others[n]);
    for (size_t n = 0; n < e.against_count; n++) {
        check_case(info, &e.cases_against[n]);
        FUZZ_CHECK(n == 0 || !(e.cases_against[n].lead < e.cases_against[n - 1].lead));
    }
}

static void check_changes(hcbr_explainer *explainer, const hcbr_model_info *info,
                          const hcbr_feature *features, size_t count, bool bounded) {
    hcbr_flips f = {.size = sizeof f};
    hcbr_questions q = {.size = sizeof q};
    hcbr_error err;
    hcbr_flip_options o;
    hcbr_flip_options_init(&o);
    o.limit = 1 << 18;
    hcbr_i_flip_sets = bounded ? 0 : HCBR_I_FLIP_ALL;
    FUZZ_CHECK_OK(hcbr_explainer_flip(explainer, row_of(explainer, features, count), &o, &f, &err),
                  err);
    FUZZ_CHECK(f.count <= 3 && f.steps <= f.limit && f.exhaustive <= (f.count == 0));
    for (size_t n = 0; n < f.count; n++) {
        FUZZ_CHECK(f.flips[n].label != f.label && f.flips[n].winner >= 0);
        FUZZ_CHECK(f.flips[n].count > 0 && f.flips[n].count == f.flips[0].count);
        for (size_t k = 0; k < f.flips[n].count; k++)
            FUZZ_CHECK(f.flips[n].changes[k].removed.key || f.flips[n].changes[k].added.key);
    }
    FUZZ_CHECK_OK(hcbr_explainer_ask(explainer, row_of(explainer, features, count), 4, &q, &err),
                  err);
    FUZZ_CHECK(q.count <= 4 && q.count <= q.all && q.all <= info->keys);
}

static void check_versus(hcbr_explainer *explainer, const hcbr_model_info *info,
                         const hcbr_feature *features, size_t count, uint64_t index) {
    hcbr_comparison c = {.size = sizeof c};
    hcbr_error err;
    FUZZ_CHECK_OK(
        hcbr_explainer_compare(explainer, row_of(explainer, features, count), index, 1, &c, &err),
        err);
    check_case(info, c.past);
    for (size_t n = 0; n < c.shared + c.only_here + c.only_there; n++)
        fuzz_check_text(c.features[n].feature.key, c.features[n].feature.key_length);
}

static void check_groups(hcbr_explainer *explainer, const hcbr_model_info *info) {
    hcbr_error err;
    for (uint32_t n = 0; n < 4; n++) {
        hcbr_atom_ranking r = {.size = sizeof r};
        hcbr_atom_options o;
        hcbr_atom_options_init(&o);
        o.kind = (hcbr_atom_kind)(n % 2);
        if (n / 2 && info->atoms)
            o.atom = 0;
        FUZZ_CHECK_OK(hcbr_explainer_rank_atoms(explainer, &o, &r, &err), err);
        FUZZ_CHECK(r.count <= 10 && r.count <= r.all && r.all <= r.in_model);
        for (size_t g = 0; g < r.count; g++) {
            FUZZ_CHECK(r.atoms[g].lead > 0 && r.atoms[g].feature_count > 0);
            FUZZ_CHECK(g == 0 || !(r.atoms[g].average > r.atoms[g - 1].average));
            for (size_t k = 0; k < r.atoms[g].feature_count; k++)
                fuzz_check_text(r.atoms[g].features[k].key, r.atoms[g].features[k].key_length);
        }
    }
}

/* NULL: the cases of a rich model are not those it was fitted to, which only reasons can tell. */
static hcbr_explainer *create(const hcbr_model *model, const hcbr_model_info *info) {
    hcbr_explainer *explainer;
    hcbr_error err;
    hcbr_status st = hcbr_explainer_create(&explainer, model, NULL, NULL, &err);
    if (st == HCBR_EFORMAT && info->model == HCBR_MODEL_RICH)
        return NULL;
    FUZZ_CHECK_OK(st, err);
    return explainer;
}

void fuzz_explain_row(const hcbr_model *model, const hcbr_model_info *info,
                      const hcbr_feature *features, size_t count, bool changes) {
    hcbr_explainer *explainer = create(model, info);
    uint64_t kept = hcbr_model_kept_count(model);
    if (!explainer)
        return;
    check_reasons(explainer, info, features, count, true);
    fuzz_check_page(model, explainer, features, count);
    if (kept)
        check_versus(explainer, info, features, count, count % kept);
    if (changes)
        check_changes(explainer, info, features, count, count % 2 == 0);
    hcbr_explainer_free(explainer);
}

void fuzz_explain(const hcbr_model *model, const hcbr_model_info *info,
                  const hcbr_feature *features) {
    const hcbr_feature strange = {"\x01", 1, "never seen in any case", 22};
    hcbr_explainer *explainer = create(model, info);
    hcbr_case_ranking ranking = {.size = sizeof ranking};
    hcbr_error err;
    uint64_t kept = hcbr_model_kept_count(model);
    if (!explainer)
        return;
    check_reasons(explainer, info, NULL, 0, false);
    check_reasons(explainer, info, &strange, 1, false);
    check_changes(explainer, info, &strange, 1, false);
    for (size_t n = 0; n < MOST_EXPLAINED && n < info->features; n++) {
        size_t length = (size_t)info->features - n < 12 ? (size_t)info->features - n : 12;
        check_reasons(explainer, info, features + n, length, n == 0);
        if (n == 0 || info->model == HCBR_MODEL_PLAIN) // those of a rich one are many decisions
            check_changes(explainer, info, features + n, length, n == 0);
        if (kept)
            check_versus(explainer, info, features + n, length, n % kept);
    }
    check_groups(explainer, info);
    FUZZ_CHECK_OK(hcbr_explainer_rank(explainer, UINT64_MAX, 5, &ranking, &err), err);
    FUZZ_CHECK(ranking.count == (kept < 5 ? kept : 5));
    for (size_t n = 0; n < ranking.count; n++)
        check_case(info, &ranking.cases[n]);
    hcbr_explainer_free(explainer);
}
