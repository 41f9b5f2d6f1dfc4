/*
 * The strongest groups of a rich model, for a label or for one atom, ranked by the contribution of
 * a group to the lead of the label in a case that satisfies it, times the share of the label's past
 * cases that do. It is the average contribution of the group to the lead of these cases, so that
 * neither a large figure of a single case nor a frequent group with little effect comes first.
 *
 * Ties are broken by the group's number, which follows the order of columns, members and leaves.
 */
#include "rich/reasons/rich_reasons.h"

#include <math.h>

/* A feature of the requested atom: a variable and its code. */
typedef struct wanted {
    uint32_t variable, code;
} wanted;

typedef struct ranker {
    hcbr_i_account *x;
    const hcbr_i_rich_groups *g;
    hcbr_atom_options options;
    wanted *wanted;
    size_t wanted_count;
    double *by_label;
    hcbr_i_rich_tests tests;
} ranker;

/* ---- tests of the atoms ---------------------------------------------------------------------- */

/* Merge members that are features of one atom into one group, as in the reasons of a case. */
static bool merge_atoms(const hcbr_i_past *past, const hcbr_i_reasons *r, hcbr_i_rich_groups *g) {
    const hcbr_i_rich_linear *a = &r->rich->linear;
    const hcbr_i_rich_names *names = r->names;
    uint32_t *first = hcbr_i_alloc(past->atom_count, sizeof *first);
    if (!first)
        return false;
    for (uint32_t e = 0; e < past->atom_count; e++)
        first[e] = HCBR_I_NONE;
    for (uint32_t b = 0; g->count && b < a->bag_count; b++) {
        if (names->feature[b] == HCBR_I_NONE)
            continue;
        uint32_t item = a->place[a->columns] + b;
        uint32_t *to = &first[past->atom(past->state, names->feature[b])];
        if (*to == HCBR_I_NONE) {
            *to = item;
            continue;
        }
        for (uint32_t l = 0; l < g->outputs; l++)
            g->contribution[(size_t)*to * g->outputs + l] +=
                g->contribution[(size_t)item * g->outputs + l];
        g->trees[item] = 0;
        g->group_count--;
    }
    hcbr_i_free(first);
    return true;
}

/* The item of the linear model of a key's code; HCBR_I_NONE: none. */
static uint32_t item_of(const hcbr_i_rich *rich, hcbr_i_key_id k, uint32_t code) {
    const hcbr_i_rich_linear *a = &rich->linear;
    const hcbr_i_rich_key *key = &rich->encoder.keys[k];
    uint32_t entry;
    if (code == HCBR_I_NONE)
        return HCBR_I_NONE;
    switch (key->kind) {
    case HCBR_I_RICH_NUMBER:
    case HCBR_I_RICH_CATEGORY:
        entry = a->coarse[(size_t)key->column * HCBR_I_RICH_CODES + (uint8_t)code];
        return entry ? a->place[key->column] + entry : HCBR_I_NONE;
    case HCBR_I_RICH_BAG:
        return a->place[a->columns] + code;
    case HCBR_I_RICH_SPARSE:
        return code ? a->place[a->columns] + key->bag + code - 1 : HCBR_I_NONE;
    default:
        return HCBR_I_NONE;
    }
}

static void count_value(const hcbr_i_rich *rich, hcbr_i_rich_groups *g, uint32_t item,
                        uint32_t value) {
    for (uint32_t l = 0; item < g->count && l < g->labels; l++) {
        uint32_t cases = hcbr_i_rich_count(&rich->counts, value, l);
        g->cases[(size_t)item * g->labels + l] += cases;
        g->weight[(size_t)item * g->labels + l] += cases;
    }
}

/* If no cases are kept, the counts of values give the cases of a group: a case has at most one
 * value of a column. */
static void count_features(const hcbr_i_frame *m, const hcbr_i_rich *rich, hcbr_i_rich_groups *g) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    for (hcbr_i_feature_id f = 0; g->count && f < e->feature_count; f++)
        count_value(rich, g, item_of(rich, hcbr_i_dict_get(e->dict, f).key, e->code[f]), f);
    for (uint32_t k = 0; g->count && k < e->key_count; k++)
        for (uint32_t j = 0; hcbr_i_rich_is_number(&e->keys[k]) && j <= e->keys[k].cut_count; j++)
            count_value(rich, g, item_of(rich, k, j + 1), e->keys[k].count_start + j);
    for (uint32_t l = 0; l < g->labels; l++)
        g->total[l] = (double)m->label_cases[l];
}

static hcbr_status make_groups(hcbr_i_account *x, hcbr_atom_kind kind, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    hcbr_i_rich_groups *g = &r->catalogue.groups[kind];
    const hcbr_i_rich *rich = hcbr_i_reasons_of(x)->rich;
    const hcbr_i_rich_causes *causes = r->causes;
    if (r->catalogue.made[kind])
        return HCBR_OK;
    hcbr_status st = kind == HCBR_ATOM_TESTS
                         ? hcbr_i_rich_groups_leaves(g, rich, r->names, causes, err)
                         : hcbr_i_rich_groups_linear(g, rich, r->names, causes, err);
    if (st == HCBR_OK && kind == HCBR_ATOM_FEATURES) {
        if (!causes)
            count_features(&x->frame, rich, g);
        if (!merge_atoms(&x->frame.past, r, g)) {
            hcbr_i_rich_groups_clear(g);
            st = hcbr_i_no_memory(err);
        }
    }
    r->catalogue.made[kind] = st == HCBR_OK;
    return st;
}

/* ---- choosing -------------------------------------------------------------------------------- */

/* The lead of a group for a label, or for the one with the largest. */
static double lead_of(ranker *r, uint32_t item, hcbr_label *label) {
    uint32_t labels = r->g->labels, best = 0;
    double other = -INFINITY;
    hcbr_i_reasons_by_label(r->x, r->g->contribution + (size_t)item * r->g->outputs, 1,
                            r->by_label);
    if (*label >= 0)
        best = (uint32_t)*label;
    else
        for (uint32_t l = 1; l < labels; l++)
            best = r->by_label[l] > r->by_label[best] ? l : best;
    for (uint32_t l = 0; l < labels; l++)
        if (l != best && r->by_label[l] > other)
            other = r->by_label[l];
    *label = (hcbr_label)best;
    return r->by_label[best] - (labels > 1 ? other : 0);
}

static bool counted(const ranker *r) {
    return r->options.kind == HCBR_ATOM_FEATURES || hcbr_i_reasons_of(r->x)->causes != NULL;
}

static double average_of(const ranker *r, uint32_t item, hcbr_label label, double lead) {
    const hcbr_i_rich_groups *g = r->g;
    if (!counted(r))
        return lead;
    double all = g->total[label];
    return all > 0 ? lead * g->weight[(size_t)item * g->labels + (uint32_t)label] / all : 0;
}

/* An interval of a number: its variable, and its code. */
static hcbr_status want_interval(ranker *r, uint32_t interval, hcbr_error *err) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(r->x)->rich->encoder;
    if (!(r->wanted = hcbr_i_account_take(r->x, 1, sizeof *r->wanted)))
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < e->key_count; k++) {
        uint32_t first = e->keys[k].count_start - e->feature_count;
        if (hcbr_i_rich_is_number(&e->keys[k]) && interval >= first &&
            interval - first <= e->keys[k].cut_count)
            r->wanted[r->wanted_count++] =
                (wanted){hcbr_i_reasons_variable(e, k, interval - first + 1), interval - first + 1};
    }
    return HCBR_OK;
}

static hcbr_status list_wanted(ranker *r, hcbr_error *err) {
    const hcbr_i_frame *m = &r->x->frame;
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(r->x)->rich->encoder;
    uint32_t size;
    if (r->options.atom >= m->past.atom_count)
        return want_interval(r, r->options.atom - m->past.atom_count, err);
    const hcbr_i_feature_id *of = m->past.members(m->past.state, r->options.atom, &size);
    r->wanted = of ? hcbr_i_account_take(r->x, size, sizeof *r->wanted) : NULL;
    if (!r->wanted)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < size; i++) {
        hcbr_i_feature_id f = of[i];
        hcbr_i_key_id k = hcbr_i_dict_get(m->dict, f).key;
        uint32_t variable = hcbr_i_reasons_variable(e, k, e->code[f]);
        uint32_t code = e->keys[k].kind == HCBR_I_RICH_BAG ? 1 : e->code[f];
        if (variable != HCBR_I_NONE && code < HCBR_I_RICH_CODES)
            r->wanted[r->wanted_count++] = (wanted){variable, code};
    }
    return HCBR_OK;
}

static bool asks_for(const ranker *r, const hcbr_i_rich_test *test) {
    for (size_t i = 0; i < r->wanted_count; i++) {
        uint32_t code = r->wanted[i].code;
        if (r->wanted[i].variable == test->variable && test->codes[code / 64] >> (code % 64) & 1)
            return true;
    }
    return false;
}

/* Whether a group tests a feature of the atom. *failed: no memory. */
static bool is_wanted(ranker *r, uint32_t item, bool *failed) {
    const hcbr_i_rich *rich = hcbr_i_reasons_of(r->x)->rich;
    const hcbr_i_rich_names *names = hcbr_i_reasons_of(r->x)->names;
    hcbr_i_rich_test test;
    if (r->options.atom == UINT32_MAX)
        return true;
    if (r->options.kind == HCBR_ATOM_FEATURES)
        return hcbr_i_rich_groups_test(rich, names, item, &test) && asks_for(r, &test);
    if (!hcbr_i_rich_groups_tests(r->g, rich, names, item, &r->tests)) {
        *failed = true;
        return false;
    }
    for (size_t i = 0; i < r->tests.count; i++)
        if (asks_for(r, &r->tests.items[i]))
            return true;
    return false;
}

/* Pick the first groups by rank into p; counts all of them. */
static hcbr_status pick(ranker *r, hcbr_i_picker *p, uint64_t *all, hcbr_error *err) {
    const hcbr_i_rich_groups *g = r->g;
    bool failed = false;
    size_t most = r->options.most < g->group_count ? r->options.most : g->group_count;
    double *value = hcbr_i_account_take(r->x, g->count, sizeof *value);
    *p = (hcbr_i_picker){.most = most, .value = value, .sign = 1};
    p->items = hcbr_i_account_take(r->x, most, sizeof *p->items);
    if (!value || !p->items)
        return hcbr_i_no_memory(err);
    for (uint32_t item = 0; item < g->count && !failed; item++) {
        hcbr_label label = r->options.label;
        double lead = g->trees[item] ? lead_of(r, item, &label) : 0;
        if (!(lead > 0) || !is_wanted(r, item, &failed))
            continue;
        value[item] = average_of(r, item, label, lead);
        ++*all;
        hcbr_i_picker_consider(p, item);
    }
    hcbr_i_picker_sort(p);
    return failed ? hcbr_i_no_memory(err) : HCBR_OK;
}

/* ---- showing --------------------------------------------------------------------------------- */

/* Members of the bag that are features of one atom. */
static hcbr_status show_members(ranker *r, uint32_t atom, hcbr_ranked_atom *out, hcbr_error *err) {
    const hcbr_i_frame *m = &r->x->frame;
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(r->x)->rich->encoder;
    uint32_t size;
    const hcbr_i_feature_id *of = m->past.members(m->past.state, atom, &size);
    hcbr_feature *list = of ? hcbr_i_account_take(r->x, size, sizeof *list) : NULL;
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < size; i++) {
        hcbr_i_feature_id f = of[i];
        if (e->keys[hcbr_i_dict_get(m->dict, f).key].kind == HCBR_I_RICH_BAG &&
            e->code[f] != HCBR_I_NONE)
            list[out->feature_count++] = hcbr_i_frame_feature(m, f);
    }
    out->features = list;
    return HCBR_OK;
}

/* The only value of a category that passes a test; HCBR_I_NONE: several, or none. */
static uint32_t only_value(const hcbr_i_rich_names *names, const hcbr_i_rich_test *test) {
    const hcbr_i_rich_encoder *e = names->encoder;
    uint32_t only = HCBR_I_NONE, count = 0;
    if (test->variable >= e->column_count || e->columns[test->variable].ordered)
        return HCBR_I_NONE;
    for (uint32_t v = 1; v <= e->columns[test->variable].codes; v++)
        if (test->codes[v / 64] >> (v % 64) & 1) {
            only = names->values[names->column_start[test->variable] + v];
            count++;
        }
    return count == 1 ? only : HCBR_I_NONE;
}

static hcbr_status show_single(ranker *r, uint32_t item, hcbr_ranked_atom *out, hcbr_error *err) {
    const hcbr_i_frame *m = &r->x->frame;
    const hcbr_i_rich_names *names = hcbr_i_reasons_of(r->x)->names;
    const hcbr_i_rich *rich = hcbr_i_reasons_of(r->x)->rich;
    uint32_t columns = rich->encoder.column_count;
    hcbr_i_rich_test test = {0};
    hcbr_i_rich_groups_test(rich, names, item, &test);
    if (test.variable >= columns && names->feature[test.variable - columns] != HCBR_I_NONE)
        return show_members(r, m->past.atom(m->past.state, names->feature[test.variable - columns]),
                            out, err);
    uint32_t f = only_value(names, &test);
    if (f == HCBR_I_NONE)
        return hcbr_i_reasons_test_features(r->x, &test, 1, &out->features, &out->feature_count,
                                            err);
    hcbr_feature *one = hcbr_i_account_take(r->x, 1, sizeof *one);
    if (!one)
        return hcbr_i_no_memory(err);
    *one = hcbr_i_frame_feature(m, f);
    out->features = one;
    out->feature_count = 1;
    return HCBR_OK;
}

static hcbr_status show(ranker *r, uint32_t item, hcbr_ranked_atom *out, hcbr_error *err) {
    const hcbr_i_rich_groups *g = r->g;
    double *contribution = hcbr_i_account_take(r->x, g->labels, sizeof *contribution);
    uint64_t *cases = hcbr_i_account_take(r->x, g->labels, sizeof *cases);
    if (!contribution || !cases)
        return hcbr_i_no_memory(err);
    *out = (hcbr_ranked_atom){.kind = r->options.kind,
                              .label = r->options.label,
                              .contribution = contribution,
                              .cases = counted(r) ? cases : NULL};
    out->lead = lead_of(r, item, &out->label);
    out->average = average_of(r, item, out->label, out->lead);
    out->trees = r->options.kind == HCBR_ATOM_TESTS ? g->trees[item] : 0;
    for (uint32_t l = 0; l < g->labels; l++) {
        contribution[l] = r->by_label[l];
        cases[l] = g->cases[(size_t)item * g->labels + l];
        out->case_count += cases[l];
    }
    if (r->options.kind == HCBR_ATOM_FEATURES)
        return show_single(r, item, out, err);
    if (!hcbr_i_rich_groups_tests(g, hcbr_i_reasons_of(r->x)->rich, hcbr_i_reasons_of(r->x)->names,
                                  item, &r->tests))
        return hcbr_i_no_memory(err);
    return hcbr_i_reasons_test_features(r->x, r->tests.items, r->tests.count, &out->features,
                                        &out->feature_count, err);
}

static hcbr_status rank(ranker *r, hcbr_atom_ranking *out, hcbr_error *err) {
    hcbr_i_picker p;
    r->by_label = hcbr_i_account_take(r->x, r->g->labels, sizeof *r->by_label);
    if (!r->by_label)
        return hcbr_i_no_memory(err);
    hcbr_status st = r->options.atom == UINT32_MAX ? HCBR_OK : list_wanted(r, err);
    if (st == HCBR_OK)
        st = pick(r, &p, &out->all, err);
    if (st != HCBR_OK)
        return st;
    hcbr_ranked_atom *list = hcbr_i_account_take(r->x, p.count, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; st == HCBR_OK && n < p.count; n++)
        st = show(r, p.items[n], &list[n], err);
    out->atoms = list;
    out->count = p.count;
    out->in_model = r->g->group_count;
    out->too_many = r->g->too_many;
    return st;
}

hcbr_status hcbr_i_reasons_rank(hcbr_i_account *x, const hcbr_atom_options *options,
                                hcbr_atom_ranking *out, hcbr_error *err) {
    ranker r = {.x = x, .options = *options};
    hcbr_status st = make_groups(x, options->kind, err);
    r.g = &hcbr_i_reasons_of(x)->catalogue.groups[options->kind];
    if (st == HCBR_OK)
        st = rank(&r, out, err);
    hcbr_i_free(r.tests.items);
    return st;
}
