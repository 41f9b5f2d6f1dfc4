/* Figures and findings of an audit, counted case by case and pair by pair. */
#include "unit/audit/naive_audit.h"

#include <math.h>

static audit_expected *expect(audit_naive *out, hcbr_finding_kind kind, uint64_t count,
                              double share) {
    audit_expected *e = &out->found[out->count++];
    *e =
        (audit_expected){.kind = kind, .count = count, .label = HCBR_LABEL_UNKNOWN, .share = share};
    out->by_kind[kind]++;
    return e;
}

static bool same_case(const audit_table *t, uint32_t a, uint32_t b) {
    return memcmp(t->has[a], t->has[b], sizeof t->has[a]) == 0;
}

static uint32_t size_of(const audit_table *t, uint32_t i) {
    uint32_t size = 0;
    for (uint32_t f = 0; f < t->features; f++)
        size += t->has[i][f];
    return size;
}

static uint32_t degree_of(const audit_table *t, uint32_t f) {
    uint32_t degree = 0;
    for (uint32_t i = 0; i < t->cases; i++)
        degree += t->has[i][f];
    return degree;
}

static bool has_key(const audit_table *t, uint32_t i, uint32_t key) {
    for (uint32_t f = 0; f < t->features; f++)
        if (t->has[i][f] && t->key[f] == key)
            return true;
    return false;
}

static uint64_t of_label(const audit_table *t, uint32_t label) {
    uint64_t count = 0;
    for (uint32_t i = 0; i < t->cases; i++)
        count += t->label[i] == label;
    return count;
}

/* The most frequent label of the cases marked, the first of equals; *best: how often. */
static uint32_t most_frequent(const audit_table *t, const bool *in, uint32_t *best) {
    uint32_t label = 0;
    *best = 0;
    for (uint32_t l = 0; l < t->labels; l++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < t->cases; i++)
            count += in[i] && t->label[i] == l;
        if (count > *best) {
            *best = count;
            label = l;
        }
    }
    return label;
}

static void add_rows(const audit_table *t, audit_expected *e, const bool *in) {
    for (uint32_t i = 0; i < t->cases; i++)
        if (in[i])
            e->rows[e->row_count++] = i + 1;
}

/* ---- identical cases ------------------------------------------------------------------------- */

static void find_same(audit_naive *out, const audit_table *t) {
    double right = 0;
    uint32_t begin = out->count;
    for (uint32_t i = 0; i < t->cases; i++) {
        bool in[AUDIT_CASES] = {false}, first = true;
        uint32_t count = 0, best;
        for (uint32_t j = 0; j < t->cases; j++) {
            in[j] = same_case(t, i, j);
            count += in[j];
            first &= !(in[j] && j < i);
            if (in[j] && j < i && t->label[j] == t->label[i] && size_of(t, i)) {
                out->figures.duplicates++;
                j = t->cases; // once is enough
            }
        }
        if (!first)
            continue;
        uint32_t label = most_frequent(t, in, &best);
        out->figures.different++;
        right += best;
        out->figures.contradictory += best < count ? count : 0;
        if (count < 2 || size_of(t, i) == 0)
            continue;
        bool several = best < count;
        audit_expected *e =
            expect(out, several ? HCBR_FOUND_CONTRADICTION : HCBR_FOUND_DUPLICATE, count,
                   several ? (double)best / count : (double)count / t->cases);
        e->label = (hcbr_label)label;
        add_rows(t, e, in);
        for (uint32_t f = 0; f < t->features; f++)
            if (t->has[i][f])
                e->features[e->feature_count++] = f;
    }
    out->figures.accuracy_limit = t->cases ? right / t->cases : 0;
    for (uint32_t n = begin; n < out->count; n++)
        out->found[n].serious =
            out->found[n].kind == HCBR_FOUND_CONTRADICTION && out->figures.accuracy_limit < 0.99;
}

/* ---- features and keys ----------------------------------------------------------------------- */

static bool same_feature(const audit_table *t, uint32_t f, uint32_t g) {
    for (uint32_t i = 0; i < t->cases; i++)
        if (t->has[i][f] != t->has[i][g])
            return false;
    return true;
}

/* An atom by its first feature: does it give a label away? */
static void find_leak(audit_naive *out, const audit_table *t, uint32_t f) {
    bool in[AUDIT_CASES] = {false};
    uint32_t best;
    for (uint32_t i = 0; i < t->cases; i++)
        in[i] = t->has[i][f];
    uint32_t label = most_frequent(t, in, &best);
    double own = (double)of_label(t, label), with = degree_of(t, f);
    if (t->labels < 2 || best < 10 || best < 0.995 * with || best < 0.95 * own ||
        own >= 0.995 * t->cases)
        return;
    audit_expected *e = expect(out, HCBR_FOUND_LEAK, (uint64_t)with, best / with);
    e->serious = 1;
    e->label = (hcbr_label)label;
    add_rows(t, e, in);
    for (uint32_t g = f; g < t->features; g++)
        if (same_feature(t, f, g))
            e->features[e->feature_count++] = g;
}

/* Numbers are in the order of their features: is each label of ten cases or more a range of them?
 */
static bool is_in_order(const audit_table *t, uint32_t key, uint32_t with) {
    uint32_t runs = 0, last = UINT32_MAX;
    for (uint32_t l = 0; l < t->labels; l++) {
        uint32_t count = 0;
        for (uint32_t i = 0; i < t->cases; i++)
            count += t->label[i] == l && has_key(t, i, key);
        if (count < 10)
            return false;
    }
    for (uint32_t f = 0; f < t->features; f++)
        for (uint32_t i = 0; i < t->cases; i++)
            if (t->key[f] == key && t->has[i][f]) {
                runs += t->label[i] != last;
                last = t->label[i];
            }
    return with >= 50 && with >= 0.9 * t->cases && t->labels > 1 && runs == t->labels;
}

static void find_key(audit_naive *out, const audit_table *t, uint32_t key) {
    bool in[AUDIT_CASES] = {false};
    uint32_t values = 0, with = 0, right = 0;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < t->cases; i++)
        with += in[i] = has_key(t, i, key);
    for (uint32_t l = 0; l < t->labels; l++)
        largest = of_label(t, l) > largest ? of_label(t, l) : largest;
    for (uint32_t f = 0; f < t->features; f++) {
        bool value[AUDIT_CASES] = {false};
        uint32_t best;
        for (uint32_t i = 0; i < t->cases && t->key[f] == key; i++)
            value[i] = t->has[i][f];
        most_frequent(t, value, &best);
        values += best > 0;
        right += best;
    }
    bool own = with >= 20 && with >= 0.9 * t->cases && values >= 0.9 * with;
    bool ids = own && t->looks[key] == 0, text = own && t->looks[key] == 1;
    bool leak = values > 1 && t->labels > 1 && with >= 10 && with >= 0.9 * t->cases &&
                5 * values <= with && right >= 0.995 * with && right <= with &&
                (double)largest < 0.995 * t->cases;
    leak = leak || (t->looks[key] == 2 && right == with && is_in_order(t, key, with));
    if (!ids && !text && !leak)
        return;
    audit_expected *e = expect(out,
                               ids    ? HCBR_FOUND_IDS
                               : text ? HCBR_FOUND_TEXT
                                      : HCBR_FOUND_LEAK_KEY,
                               with, (double)(ids || text ? values : right) / with);
    e->serious = !text;
    e->one_of = true;
    add_rows(t, e, in);
    for (uint32_t f = 0; f < t->features; f++)
        if (t->key[f] == key && degree_of(t, f))
            e->features[e->feature_count++] = f;
}

/* Features of one case, or of all that are not empty. */
static void find_common(audit_naive *out, const audit_table *t, bool one) {
    audit_expected e = {.label = HCBR_LABEL_UNKNOWN, .some_rows = one};
    uint64_t full = out->figures.cases - out->figures.empty;
    bool in[AUDIT_CASES] = {false};
    for (uint32_t f = 0; f < t->features && full > 1; f++)
        if (degree_of(t, f) == (one ? 1 : full)) {
            e.features[e.feature_count++] = f;
            for (uint32_t i = 0; i < t->cases; i++)
                in[i] |= t->has[i][f];
        }
    *(one ? &out->figures.one_off : &out->figures.constant) = e.feature_count;
    if (e.feature_count == 0)
        return;
    add_rows(t, &e, in);
    e.kind = one ? HCBR_FOUND_ONE_OFF : HCBR_FOUND_CONSTANT;
    e.count = one ? e.feature_count : full;
    e.share = (double)e.feature_count / out->figures.features;
    *expect(out, e.kind, 0, 0) = e;
}

/* ---- labels and coverage --------------------------------------------------------------------- */

static void find_labels(audit_naive *out, const audit_table *t) {
    bool in[AUDIT_CASES];
    for (uint32_t l = 0; l < t->labels; l++) {
        uint64_t count = of_label(t, l);
        bool rare = t->labels > 1 && (count < 10 || (double)count < 0.01 * t->cases);
        if (t->labels > 1 && !rare)
            continue;
        audit_expected *e = expect(out, rare ? HCBR_FOUND_RARE_LABEL : HCBR_FOUND_ONE_LABEL, count,
                                   (double)count / t->cases);
        e->label = (hcbr_label)l;
        e->serious = !rare;
        for (uint32_t i = 0; i < t->cases; i++)
            in[i] = t->label[i] == l;
        add_rows(t, e, in);
    }
    /* in a random order two neighbours differ with the probability that two cases do */
    double pairs = 0, changes = 0;
    for (uint32_t i = 0; i < t->cases; i++) {
        for (uint32_t j = 0; j < t->cases; j++)
            pairs += t->label[i] != t->label[j];
        in[i] = i > 0 && t->label[i] != t->label[i - 1];
        changes += in[i];
    }
    double expected = pairs / t->cases;
    if (t->cases < 20 || t->labels < 2 || expected < 4 || changes >= expected / 2)
        return;
    add_rows(t, expect(out, HCBR_FOUND_ORDER, (uint64_t)changes, changes / expected), in);
}

static void find_coverage(audit_naive *out, const audit_table *t, const uint32_t *fold) {
    bool in[AUDIT_CASES] = {false};
    double all = 0, known = 0;
    uint64_t strangers = 0;
    for (uint32_t i = 0; i < t->cases; i++) {
        uint32_t own = 0, count = 0;
        for (uint32_t f = 0; fold[i] == 0 && f < t->features; f++) {
            if (!t->has[i][f] || (!t->bare[f] && t->looks[t->key[f]] > 0))
                continue; // numbers and words have others near them
            count++;
            for (uint32_t j = 0; j < t->cases; j++)
                if (fold[j] && t->has[j][f]) {
                    own++;
                    break;
                }
        }
        if (fold[i])
            continue;
        out->figures.held_out++;
        all += count;
        known += own;
        in[i] = own == 0 && count > 0 && count == size_of(t, i);
        strangers += in[i];
    }
    if (all == 0)
        return;
    out->figures.coverage = known / all;
    if (out->figures.coverage >= 0.5 && strangers * 10 <= out->figures.held_out)
        return;
    audit_expected *e = expect(out, HCBR_FOUND_COVERAGE, strangers, known / all);
    e->serious = 1;
    add_rows(t, e, in);
}

void audit_naive_make(audit_naive *out, const audit_table *t, const uint32_t *fold) {
    *out = (audit_naive){.figures = {.cases = t->cases, .labels = t->labels, .coverage = NAN}};
    hcbr_audit_figures *figures = &out->figures;
    bool key[AUDIT_KEYS] = {false}, empty[AUDIT_CASES];
    for (uint32_t f = 0; f < t->features; f++) {
        bool first = degree_of(t, f) > 0;
        figures->occurrences += degree_of(t, f);
        figures->features += first;
        key[t->key[f]] |= first;
        for (uint32_t g = 0; g < f; g++)
            first &= !same_feature(t, f, g);
        figures->atoms += first;
    }
    for (uint32_t k = 0; k < t->keys; k++)
        figures->keys += key[k];
    for (uint32_t i = 0; i < t->cases; i++)
        figures->empty += empty[i] = size_of(t, i) == 0;
    if (figures->empty) {
        double share = (double)figures->empty / t->cases;
        audit_expected *e = expect(out, HCBR_FOUND_EMPTY, figures->empty, share);
        e->serious = share > 0.1;
        add_rows(t, e, empty);
    }
    find_same(out, t);
    for (uint32_t f = 0; f < t->features; f++) {
        bool first = true;
        for (uint32_t g = 0; g < f; g++)
            first &= !same_feature(t, f, g);
        if (first && degree_of(t, f))
            find_leak(out, t, f);
    }
    for (uint32_t k = 0; k < t->keys; k++)
        if (key[k])
            find_key(out, t, k);
    find_common(out, t, false);
    find_common(out, t, true);
    find_labels(out, t);
    if (fold)
        find_coverage(out, t, fold);
    for (uint32_t n = 0; n < out->count; n++)
        figures->serious += (uint64_t)out->found[n].serious;
}
