/*
 * Features, groups of features (atoms) and keys: those that every case has, those that only one
 * has, leaks of a label, and keys with a different value in nearly every case.
 *
 * A group leaks a label if 995 in 1000 cases with it have the label, and 19 in 20 cases of the
 * label have it. The values of a key do if the most frequent label of each value is right in 995 of
 * 1000 cases, 9 in 10 cases have the key, and values repeat (5 cases each on average); or if they
 * are numbers and each label is a range of them. Few real columns predict the label so well.
 */
#include "audit/audit.h"

#include <stdlib.h>

#define PURE 0.995  /* share of one label */
#define MOST 0.9    /* share of the cases */
#define NEARLY 0.95 /* share of the cases of a label */
#define LEAST_CASES 10
#define IDS_CASES 20

/** The counts of a key. */
typedef struct key_count {
    uint64_t cases, right; /* cases with it; those of the most frequent label of their value */
    uint32_t values;
    hcbr_i_feature_id first; /* one of its features */
    uint32_t last_case;      /* the last case counted, plus 1 */
    hcbr_i_own_values own;   /* statistics of its values */
    hcbr_i_feature_id head;  /* its features are linked from here on */
} key_count;

typedef struct columns {
    hcbr_audit *audit;
    uint32_t *degree; /* by feature: cases that have it */
    uint32_t *best;   /* by feature: most cases of one label */
    uint32_t *label;  /* by feature: that label */
    uint64_t *cases;  /* by label: cases with it */
    uint64_t *start;  /* by feature: start of its cases in `by_feature` */
    uint32_t *by_feature;
    key_count *keys;
    hcbr_i_feature_id *link; /* by feature: another one of its key */
    uint32_t *which;
} columns;

/* Transpose the cases: the cases of each feature, ascending. */
static hcbr_status turn(columns *c, hcbr_error *err) {
    const struct hcbr_cases *cases = c->audit->cases;
    const uint32_t features = c->audit->figures.features;
    const uint64_t n = cases->case_count;
    hcbr_status st = HCBR_OK;
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++) {
        st = hcbr_i_audit_tick(c->audit, HCBR_I_AUDIT_TURN, i, 2 * n, err);
        for (uint64_t k = cases->start[i]; k < cases->start[i + 1]; k++)
            c->degree[cases->features[k]]++;
    }
    for (uint32_t f = 0; f < features; f++)
        c->start[f + 1] = c->start[f] + c->degree[f];
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++) {
        st = hcbr_i_audit_tick(c->audit, HCBR_I_AUDIT_TURN, n + i, 2 * n, err);
        for (uint64_t k = cases->start[i]; k < cases->start[i + 1]; k++)
            c->by_feature[c->start[cases->features[k]]++] = i;
    }
    for (uint32_t f = features; f > 0; f--)
        c->start[f] = c->start[f - 1];
    c->start[0] = 0;
    return st;
}

/* The most frequent label of the cases of each feature. `counts`: by label, zero. */
static hcbr_status find_labels(columns *c, uint32_t *counts, hcbr_error *err) {
    const struct hcbr_cases *cases = c->audit->cases;
    uint32_t features = c->audit->figures.features;
    hcbr_status st = HCBR_OK;
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++) {
        st = hcbr_i_audit_tick(c->audit, HCBR_I_AUDIT_KEYS, f, 3 * (uint64_t)features, err);
        for (uint64_t k = c->start[f]; k < c->start[f + 1]; k++)
            counts[cases->label[c->by_feature[k]]]++;
        for (uint64_t k = c->start[f]; k < c->start[f + 1]; k++) {
            uint32_t label = cases->label[c->by_feature[k]];
            if (counts[label] > c->best[f] ||
                (counts[label] == c->best[f] && label < c->label[f])) {
                c->best[f] = counts[label];
                c->label[f] = label;
            }
        }
        for (uint64_t k = c->start[f]; k < c->start[f + 1]; k++)
            counts[cases->label[c->by_feature[k]]] = 0;
    }
    return st;
}

static hcbr_status count_keys(columns *c, hcbr_error *err) {
    const struct hcbr_cases *cases = c->audit->cases;
    const uint64_t n = cases->case_count, features = c->audit->figures.features;
    hcbr_status st = HCBR_OK;
    for (uint32_t f = 0; st == HCBR_OK && f < features; f++) {
        st = hcbr_i_audit_tick(c->audit, HCBR_I_AUDIT_KEYS, features + f, 3 * features, err);
        key_count *k = &c->keys[hcbr_cases_get_key(cases, f)];
        c->link[f] = k->values > 0 ? k->head : HCBR_I_NONE;
        k->head = f;
        if (k->values++ == 0)
            k->first = f;
        k->right += c->best[f];
        hcbr_feature x;
        hcbr_cases_get_feature(cases, f, &x);
        hcbr_i_own_add(&k->own, x.value, x.value_length);
    }
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++) {
        st = hcbr_i_audit_tick(c->audit, HCBR_I_AUDIT_KEYS, 2 * n + i, 3 * n, err);
        for (uint64_t at = cases->start[i]; at < cases->start[i + 1]; at++) {
            key_count *k = &c->keys[hcbr_cases_get_key(cases, cases->features[at])];
            k->cases += k->last_case != i + 1;
            k->last_case = i + 1;
        }
    }
    return st;
}

/* List features that every case has, or those that only one has. */
static hcbr_status list_common(columns *c, bool one, hcbr_error *err) {
    hcbr_audit *a = c->audit;
    uint64_t full = a->figures.cases - a->figures.empty, *all;
    hcbr_i_feature_id first[64];
    uint32_t cases[64];
    size_t n = 0, rows = 0, most = a->options.rows < 64 ? a->options.rows : 64;
    all = one ? &a->figures.one_off : &a->figures.constant;
    for (uint32_t f = 0; f < a->figures.features && full > 1; f++)
        if (c->degree[f] == (one ? 1 : full)) {
            if (n < most) {
                uint32_t i = c->by_feature[c->start[f]];
                if (rows == 0 || cases[rows - 1] != i)
                    cases[rows++] = i;
                first[n++] = f;
            }
            ++*all;
        }
    hcbr_finding_kind kind = one ? HCBR_FOUND_ONE_OFF : HCBR_FOUND_CONSTANT;
    if (*all == 0 || !hcbr_i_audit_wants(a, kind))
        return HCBR_OK;
    hcbr_finding f = {.kind = kind,
                      .count = one ? *all : full,
                      .all_features = *all,
                      .label = HCBR_LABEL_UNKNOWN,
                      .share = (double)*all / a->figures.features};
    if (!one) // every case that is not empty has them
        for (rows = 0; rows < most && rows < full && n > 0; rows++)
            cases[rows] = c->by_feature[c->start[first[0]] + rows];
    return hcbr_i_audit_list(a, &f, cases, rows, first, n, err);
}

/* ---- leaks of labels ------------------------------------------------------------------------- */

/* List each leaking atom once, by its first feature. `atom`: by feature; `group`: room for all
 * features; `seen`: by atom. */
static hcbr_status list_leaks(columns *c, const uint32_t *atom, hcbr_i_feature_id *group,
                              bool *seen, hcbr_error *err) {
    hcbr_audit *a = c->audit;
    hcbr_status st = HCBR_OK;
    double all = (double)(a->figures.cases);
    for (uint32_t f = 0; f < a->figures.features && st == HCBR_OK && a->figures.labels > 1; f++) {
        uint32_t label = c->label[f], members = 0;
        double with = c->degree[f], right = c->best[f], own = (double)c->cases[label];
        if (right < LEAST_CASES || right < PURE * with || right < NEARLY * own || own >= PURE * all)
            continue;
        if (seen[atom[f]])
            continue;
        seen[atom[f]] = true;
        if (!hcbr_i_audit_wants(a, HCBR_FOUND_LEAK))
            continue;
        for (uint32_t g = f; g < a->figures.features; g++)
            if (atom[g] == atom[f])
                group[members++] = g;
        hcbr_finding found = {.kind = HCBR_FOUND_LEAK,
                              .serious = 1,
                              .count = c->degree[f],
                              .all_features = members,
                              .label = (hcbr_label)label,
                              .share = right / with};
        st = hcbr_i_audit_list(a, &found, c->by_feature + c->start[f], c->degree[f], group, members,
                               err);
    }
    return st;
}

/* The cases that have a key, ascending; returns how many. */
static size_t cases_of_key(columns *c, uint32_t key) {
    const struct hcbr_cases *cases = c->audit->cases;
    size_t n = 0;
    for (uint32_t i = 0; i < cases->case_count && n < c->audit->options.rows; i++)
        for (uint64_t at = cases->start[i]; at < cases->start[i + 1]; at++)
            if (hcbr_cases_get_key(cases, cases->features[at]) == key) {
                c->which[n++] = i;
                break;
            }
    return n;
}

/* Whether a column is an id: one that rich models leave out, even if several rows share values, or
 * one that looks like it here. */
static bool are_ids(const hcbr_audit *a, uint32_t key, bool own, hcbr_i_own_kind looks) {
    const hcbr_i_text name = hcbr_i_dict_key(a->cases->dict, key);
    const hcbr_i_schema_column *column = hcbr_i_schema_find(a->cases->schema, name.at, name.length);
    return (column && hcbr_i_schema_is_id_left_out(column)) || (own && looks == HCBR_I_OWN_ID);
}

static hcbr_status list_keys(columns *c, hcbr_error *err) {
    hcbr_audit *a = c->audit;
    hcbr_status st = HCBR_OK;
    const hcbr_i_own_cases numbers = {a->cases, c->start, c->by_feature, c->link};
    double all = (double)a->figures.cases, largest = 0;
    for (uint32_t l = 0; l < a->figures.labels; l++)
        largest = (double)c->cases[l] > largest ? (double)c->cases[l] : largest;
    for (uint32_t k = 0; k < a->figures.keys && st == HCBR_OK; k++) {
        if ((st = hcbr_i_audit_report(a, HCBR_I_AUDIT_LIST, k, a->figures.keys, err)) != HCBR_OK)
            return st;
        const key_count *x = &c->keys[k];
        double with = (double)x->cases;
        bool own = x->cases >= IDS_CASES && with >= MOST * all && x->values >= MOST * with;
        hcbr_i_own_kind looks = hcbr_i_own_kind_of(&x->own);
        bool ids = are_ids(a, k, own, looks), text = own && !ids && looks == HCBR_I_OWN_TEXT;
        bool leak = x->values > 1 && a->figures.labels > 1 && x->cases >= LEAST_CASES &&
                    with >= MOST * all && 5 * (uint64_t)x->values <= x->cases &&
                    (double)x->right >= PURE * with && (double)x->right <= with &&
                    largest < PURE * all;
        if (!leak && !ids && x->values > 1 && x->own.numbers == x->values && x->right == x->cases &&
            (st = hcbr_i_own_in_order(&numbers, x->head, &leak, err)) != HCBR_OK)
            return st;
        hcbr_finding_kind kind = ids    ? HCBR_FOUND_IDS
                                 : text ? HCBR_FOUND_TEXT
                                        : HCBR_FOUND_LEAK_KEY;
        if ((!ids && !text && !leak) || !hcbr_i_audit_wants(a, kind))
            continue;
        hcbr_finding f = {.kind = kind,
                          .serious = !text,
                          .count = x->cases,
                          .all_features = x->values,
                          .label = HCBR_LABEL_UNKNOWN,
                          .share = ids || text ? x->values / with : (double)x->right / with};
        size_t n = cases_of_key(c, k);
        st = hcbr_i_audit_list(a, &f, c->which, n, &x->first, 1, err);
    }
    return st;
}

/* An hcbr_progress_fn for finding groups, whose progress is unknown. */
static int report_groups(void *context, const char *stage, uint64_t done, uint64_t total) {
    (void)stage, (void)done, (void)total;
    return hcbr_i_audit_report(context, HCBR_I_AUDIT_ATOMS, 0, 1, NULL) != HCBR_OK;
}

static hcbr_status look(columns *c, hcbr_error *err) {
    hcbr_audit *a = c->audit;
    uint32_t *atom = NULL, atoms = 0;
    hcbr_status st = hcbr_i_audit_report(a, HCBR_I_AUDIT_ATOMS, 0, 1, err);
    if (st == HCBR_OK)
        st = hcbr_i_engine_of(HCBR_MODEL_PLAIN)
                 ->group(&atom, &atoms, a->cases, a->options.threads, report_groups, a, err);
    a->figures.atoms = atoms;
    hcbr_i_feature_id *group = hcbr_i_alloc(a->figures.features, sizeof *group);
    bool *seen = hcbr_i_alloc_zero(atoms, sizeof *seen);
    if (st == HCBR_OK && (!group || !seen))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_audit_report(a, HCBR_I_AUDIT_LIST, 0, 1, err);
    if (st == HCBR_OK)
        st = list_leaks(c, atom, group, seen, err);
    if (st == HCBR_OK)
        st = list_keys(c, err);
    if (st == HCBR_OK)
        st = list_common(c, false, err);
    if (st == HCBR_OK)
        st = list_common(c, true, err);
    hcbr_i_free(group);
    hcbr_i_free(seen);
    hcbr_i_free(atom);
    return st;
}

hcbr_status hcbr_i_audit_columns(hcbr_audit *a, hcbr_error *err) {
    const struct hcbr_cases *cases = a->cases;
    size_t features = a->figures.features;
    columns c = {.audit = a,
                 .degree = hcbr_i_alloc_zero(features, sizeof *c.degree),
                 .best = hcbr_i_alloc_zero(features, sizeof *c.best),
                 .label = hcbr_i_alloc_zero(features, sizeof *c.label),
                 .cases = hcbr_i_alloc_zero(a->figures.labels, sizeof *c.cases),
                 .start = hcbr_i_alloc_zero(features + 1, sizeof *c.start),
                 .by_feature = hcbr_i_alloc((size_t)a->figures.occurrences, sizeof *c.by_feature),
                 .keys = hcbr_i_alloc_zero(a->figures.keys, sizeof *c.keys),
                 .link = hcbr_i_alloc(features, sizeof *c.link),
                 .which = hcbr_i_alloc(cases->case_count, sizeof *c.which)};
    uint32_t *counts = hcbr_i_alloc_zero(a->figures.labels, sizeof *counts);
    hcbr_status st = HCBR_OK;
    if (!c.degree || !c.best || !c.label || !c.cases || !c.start || !c.by_feature || !c.keys ||
        !c.link || !c.which || !counts)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        for (uint32_t i = 0; i < cases->case_count; i++)
            c.cases[cases->label[i]]++;
        st = turn(&c, err);
    }
    if (st == HCBR_OK)
        st = find_labels(&c, counts, err);
    if (st == HCBR_OK)
        st = count_keys(&c, err);
    if (st == HCBR_OK)
        st = look(&c, err);
    hcbr_i_free(c.degree);
    hcbr_i_free(c.best);
    hcbr_i_free(c.label);
    hcbr_i_free(c.cases);
    hcbr_i_free(c.start);
    hcbr_i_free(c.by_feature);
    hcbr_i_free(c.keys);
    hcbr_i_free(c.link);
    hcbr_i_free(c.which);
    hcbr_i_free(counts);
    return st;
}
