/*
 * From counts to comparisons: bins, the shift between their shares, the part explained by chance,
 * and the order of the results.
 *
 * Invariant: bins are added up in the order of the model's dictionary, so sums do not depend on the
 * order of the cases.
 */
#include "drift/drift.h"

#include <math.h>
#include <stdlib.h>

#define RUNS 20.0 /* chance explains less than the shift in one of this many runs */
#define TWO_OVER_PI 0x1.45f306dc9c883p-1

/* ---- bins ------------------------------------------------------------------------------------ */

static hcbr_i_drift_bin *add_bin(hcbr_i_drift_part *p, hcbr_drift_bin_kind kind, uint64_t trained,
                                 uint64_t here) {
    if (!hcbr_i_grow(&p->bins, &p->bin_capacity, p->bin_count + 1, sizeof *p->bins))
        return NULL;
    hcbr_i_drift_bin *bin = &p->bins[p->bin_count++];
    *bin = (hcbr_i_drift_bin){.kind = kind, .low = NAN, .high = NAN, .count = {trained, here}};
    p->total[HCBR_I_TRAINED] += trained;
    p->total[HCBR_I_HERE] += here;
    p->gone_count += kind != HCBR_DRIFT_MISSING && trained > 0 && here == 0;
    return bin;
}

static bool add_spans(hcbr_i_drift_part *p, const hcbr_i_spans *s) {
    for (uint32_t r = 0; s->cut_count && r <= s->cut_count; r++) {
        uint64_t trained = s->in[HCBR_I_TRAINED][r], here = s->in[HCBR_I_HERE][r];
        bool below = r == 0, above = r == s->cut_count;
        if ((below || above) && here == 0)
            continue;
        hcbr_i_drift_bin *bin = add_bin(p,
                                        below   ? HCBR_DRIFT_BELOW
                                        : above ? HCBR_DRIFT_ABOVE
                                                : HCBR_DRIFT_RANGE,
                                        trained, here);
        if (!bin)
            return false;
        if (!below)
            bin->low = s->cut[r - 1];
        if (!above)
            bin->high = s->cut[r];
    }
    return true;
}

/* Add a value as a bin, or to the rare ones. */
static bool add_value(hcbr_i_drift_part *p, hcbr_i_text value, uint64_t trained, uint64_t here,
                      uint64_t rare[HCBR_I_SIDES]) {
    if (trained < HCBR_I_DRIFT_RARE) {
        rare[HCBR_I_TRAINED] += trained;
        rare[HCBR_I_HERE] += here;
        return true;
    }
    hcbr_i_drift_bin *bin = add_bin(p, HCBR_DRIFT_VALUE, trained, here);
    if (bin)
        bin->value = value;
    return bin != NULL;
}

/* The features of each column, one list after the other: `start` has one more element. */
typedef struct by_column {
    uint32_t *start, *list;
} by_column;

static bool list_features(by_column *out, const hcbr_i_drift_counts *c) {
    const hcbr_i_dict *dict = c->model->dict;
    uint32_t count = hcbr_i_dict_count(dict);
    out->start = hcbr_i_alloc_zero((size_t)c->column_count + 2, sizeof *out->start);
    out->list = hcbr_i_alloc(count, sizeof *out->list);
    if (!out->start || !out->list)
        return false;
    for (uint32_t f = 0; f < count; f++)
        out->start[c->column_of[hcbr_i_dict_get(dict, f).key] + 2]++;
    for (uint32_t n = 0; n < c->column_count; n++)
        out->start[n + 2] += out->start[n + 1];
    for (uint32_t f = 0; f < count; f++)
        out->list[out->start[c->column_of[hcbr_i_dict_get(dict, f).key] + 1]++] = f;
    return true;
}

static bool add_features(hcbr_i_drift_part *p, const hcbr_i_drift_counts *c, const by_column *by,
                         uint64_t rare[HCBR_I_SIDES]) {
    bool bare = p->column == c->column_count - 1;
    for (uint32_t i = by->start[p->column]; i < by->start[p->column + 1]; i++) {
        uint32_t f = by->list[i];
        hcbr_i_dict_feature x = hcbr_i_dict_get(c->model->dict, f);
        hcbr_i_text value = {x.value, x.value_length};
        if (bare)
            value = hcbr_i_dict_key(c->model->dict, x.key);
        else if (!x.value)
            value = (hcbr_i_text){"", 0};
        if (!add_value(p, value, c->feature[HCBR_I_TRAINED][f], c->feature[HCBR_I_HERE][f], rare))
            return false;
    }
    return true;
}

static bool add_words(hcbr_i_drift_part *p, const hcbr_i_drift_counts *c,
                      uint64_t rare[HCBR_I_SIDES]) {
    for (uint32_t k = 0; k < c->key_count; k++) {
        if (c->column_of[k] != p->column)
            continue;
        hcbr_i_text word = hcbr_i_dict_key(c->model->dict, k);
        word.at += p->name.length + 1;
        word.length -= p->name.length + 1;
        if (!add_value(p, word, c->key[HCBR_I_TRAINED][k], c->key[HCBR_I_HERE][k], rare))
            return false;
    }
    return true;
}

/* ---- figures --------------------------------------------------------------------------------- */

double hcbr_i_drift_share(const hcbr_i_drift_part *p, size_t bin, int side) {
    return p->total[side] ? (double)p->bins[bin].count[side] / (double)p->total[side] : 0;
}

/* The shift, and the part explained by chance, given the number of cases of each side. */
static void measure(hcbr_i_drift_part *p, uint64_t trained, uint64_t here, uint64_t comparisons) {
    if (!p->compared)
        return;
    double shift = 0, chance = 0, inverse = 1 / (double)trained + 1 / (double)here;
    for (size_t b = 0; b < p->bin_count; b++) {
        double was = hcbr_i_drift_share(p, b, HCBR_I_TRAINED),
               is = hcbr_i_drift_share(p, b, HCBR_I_HERE);
        double both = ((double)trained * was + (double)here * is) / (double)(trained + here);
        shift += fabs(is - was);
        chance += sqrt(TWO_OVER_PI * both * (1 - both) * inverse);
    }
    p->shift = shift / 2;
    p->chance = chance / 2 + sqrt(inverse * hcbr_i_log(RUNS * (double)comparisons) / 2);
    p->drift = p->shift > p->chance ? p->shift - p->chance : 0;
}

static int compare_bins(const void *a, const void *b) {
    const hcbr_i_drift_bin *x = a, *y = b;
    int order = hcbr_i_order_double(y->moved, x->moved);
    order = order ? order : hcbr_i_order_u32(x->kind, y->kind);
    order = order ? order : hcbr_i_order_absent(x->value, y->value);
    return order ? order : hcbr_i_order_double(x->low, y->low);
}

static void sort_bins(hcbr_i_drift_part *p) {
    for (size_t b = 0; b < p->bin_count; b++)
        p->bins[b].moved =
            fabs(hcbr_i_drift_share(p, b, HCBR_I_HERE) - hcbr_i_drift_share(p, b, HCBR_I_TRAINED));
    if (p->bin_count)
        qsort(p->bins, p->bin_count, sizeof *p->bins, compare_bins);
}

/* ---- columns --------------------------------------------------------------------------------- */

/* Without past cases only the dictionary is known: no numbers. */
static bool is_known(const hcbr_i_drift_counts *c, uint32_t column, bool kept) {
    const hcbr_model *m = c->model;
    if (kept || !m->engine->has_cuts)
        return true;
    if (!c->columns[column].words)
        return !c->columns[column].number;
    for (uint32_t k = 0; k < c->key_count; k++)
        if (c->column_of[k] == column && m->engine->has_cuts(m->state, k))
            return false;
    return true;
}

static bool fill_column(hcbr_i_drift_part *p, const hcbr_i_drift_counts *c, const by_column *by,
                        bool kept) {
    const hcbr_i_drift_column *x = &c->columns[p->column];
    uint64_t rare[HCBR_I_SIDES] = {0, x->unseen}, none[HCBR_I_SIDES];
    p->name = x->name;
    p->compared = is_known(c, p->column, kept);
    p->gone = x->cases[HCBR_I_HERE] == 0;
    p->unseen = x->values[HCBR_I_HERE] ? (double)x->unseen / (double)x->values[HCBR_I_HERE] : NAN;
    for (int s = 0; s < HCBR_I_SIDES; s++) {
        none[s] = c->case_count[s] - x->cases[s];
        p->missing[s] = (double)none[s] / (double)c->case_count[s];
    }
    if (!kept)
        p->missing[HCBR_I_TRAINED] = NAN;
    if (!p->compared)
        return true;
    if (!add_spans(p, &x->spans) ||
        !(x->words ? add_words(p, c, rare) : add_features(p, c, by, rare)))
        return false;
    if ((rare[0] || rare[1]) && !add_bin(p, HCBR_DRIFT_RARE, rare[0], rare[1]))
        return false;
    if (kept ? none[0] || none[1] : p->gone) // a column that is gone is missing in all cases
        return add_bin(p, HCBR_DRIFT_MISSING, kept ? none[0] : 0, none[1]) != NULL;
    return true;
}

static int compare_parts(const void *a, const void *b) {
    const hcbr_i_drift_part *x = a, *y = b;
    int order = (int)y->compared - (int)x->compared;
    if (order == 0 && x->compared) {
        order = hcbr_i_order_double(y->drift, x->drift);
        order = order ? order : hcbr_i_order_double(y->shift, x->shift);
    }
    return order ? order : hcbr_i_order_text(x->name, y->name);
}

/* ---- labels, answers, scores ----------------------------------------------------------------- */

static bool fill_labels(hcbr_i_drift_part *p, const hcbr_i_drift_counts *c) {
    p->compared = c->labelled > 0;
    for (uint32_t l = 0; p->compared && l < c->labels.count; l++) {
        bool old = l < c->model->labels.count;
        hcbr_i_drift_bin *bin =
            add_bin(p, HCBR_DRIFT_VALUE, old ? c->model->label_cases[l] : 0, c->label_cases[l]);
        if (!bin)
            return false;
        bin->value = (hcbr_i_text){c->labels.names[l], c->labels.lengths[l]};
        p->new_count += !old;
    }
    return true;
}

static bool fill_answers(hcbr_i_drift_part *p, const hcbr_i_drift_counts *c, bool kept) {
    p->compared = kept;
    for (uint32_t l = 0; kept && l <= c->model->labels.count; l++) {
        bool none = l == c->model->labels.count;
        uint64_t trained = c->answer[HCBR_I_TRAINED][l], here = c->answer[HCBR_I_HERE][l];
        if (none && trained + here == 0)
            continue;
        hcbr_i_drift_bin *bin =
            add_bin(p, none ? HCBR_DRIFT_MISSING : HCBR_DRIFT_VALUE, trained, here);
        if (!bin)
            return false;
        if (!none)
            bin->value = (hcbr_i_text){c->labels.names[l], c->labels.lengths[l]};
    }
    return true;
}

/* ---- new values ------------------------------------------------------------------------------ */

static int compare_new(const void *a, const void *b) {
    const hcbr_i_drift_new *x = a, *y = b;
    int order = hcbr_i_order_u32(x->column, y->column);
    order = order ? order : hcbr_i_order_u64(y->cases, x->cases);
    return order ? order : hcbr_i_order_text(x->name, y->name);
}

static bool list_new(hcbr_i_drift_new **out, const hcbr_i_fresh *fresh, bool values) {
    size_t count = fresh->names.count;
    *out = hcbr_i_alloc(count, sizeof **out);
    for (size_t n = 0; *out && n < count; n++) {
        hcbr_i_text name = {fresh->names.names[n], fresh->names.lengths[n]};
        hcbr_i_drift_new *x = &(*out)[n];
        *x = (hcbr_i_drift_new){.name = name, .cases = fresh->cases[n]};
        if (values) {
            size_t skip = 0;
            for (; name.at[skip] != ':'; skip++)
                x->column = 10 * x->column + (uint32_t)(name.at[skip] - '0');
            x->name = (hcbr_i_text){name.at + skip + 1, name.length - skip - 1};
        }
    }
    if (*out && count)
        qsort(*out, count, sizeof **out, compare_new);
    return *out != NULL;
}

/* Find the new values of a column among all. */
static void find_new(hcbr_drift *d, hcbr_i_drift_part *p) {
    size_t low = 0, high = d->counts.values.names.count, all = high;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->new_values[middle].column < p->column)
            low = middle + 1;
        else
            high = middle;
    }
    p->first_new = low;
    while (low < all && d->new_values[low].column == p->column)
        low++;
    p->new_count = low - p->first_new;
}

/* ---- all columns ----------------------------------------------------------------------------- */

static bool fill_columns(hcbr_drift *d, bool kept) {
    hcbr_i_drift_counts *c = &d->counts;
    by_column by = {0};
    bool ok = list_features(&by, c);
    d->columns = hcbr_i_alloc_zero(c->column_count, sizeof *d->columns);
    ok = ok && d->columns;
    for (uint32_t n = 0; ok && n < c->column_count; n++) {
        if (!c->columns[n].used)
            continue;
        hcbr_i_drift_part *p = &d->columns[d->info.columns++];
        *p = (hcbr_i_drift_part){
            .kind = HCBR_DRIFT_COLUMN, .column = n, .shift = NAN, .chance = NAN, .drift = NAN};
        ok = fill_column(p, c, &by, kept);
        if (ok)
            find_new(d, p);
    }
    hcbr_i_free(by.start);
    hcbr_i_free(by.list);
    return ok;
}

static void sum_up(hcbr_drift *d, hcbr_i_drift_part *p, uint64_t trained, uint64_t here,
                   uint64_t comparisons) {
    measure(p, trained, here, comparisons);
    sort_bins(p);
    if (p->kind == HCBR_DRIFT_SCORES) // a model is surer of its own cases than of any others
        return;
    if (p->compared && p->drift > d->info.drift) {
        d->info.drift = p->drift;
        d->info.worst = p->kind;
    }
}

static void measure_all(hcbr_drift *d) {
    const hcbr_i_drift_counts *c = &d->counts;
    const uint64_t trained = c->case_count[HCBR_I_TRAINED], here = c->case_count[HCBR_I_HERE];
    uint64_t comparisons = 0;
    for (uint32_t n = 0; n < d->info.columns; n++)
        comparisons += d->columns[n].compared;
    for (int k = HCBR_DRIFT_LABELS; k <= HCBR_DRIFT_SCORES; k++)
        comparisons += d->parts[k].compared;
    for (uint32_t n = 0; n < d->info.columns; n++) {
        hcbr_i_drift_part *p = &d->columns[n];
        sum_up(d, p, trained, here, comparisons);
        d->info.gone_columns += p->gone;
        d->info.drifted_columns += p->compared && p->drift > d->info.limit;
    }
    sum_up(d, &d->parts[HCBR_DRIFT_LABELS], c->model->case_count, c->labelled, comparisons);
    sum_up(d, &d->parts[HCBR_DRIFT_ANSWERS], trained, here, comparisons);
    sum_up(d, &d->parts[HCBR_DRIFT_SCORES], trained, here, comparisons);
    d->info.drifted = d->info.drift > d->info.limit;
}

hcbr_status hcbr_i_drift_compare(hcbr_drift *d, hcbr_error *err) {
    hcbr_i_drift_counts *c = &d->counts;
    const bool kept = d->info.kept > 0;
    for (int k = HCBR_DRIFT_COLUMN; k <= HCBR_DRIFT_SCORES; k++)
        d->parts[k] = (hcbr_i_drift_part){.kind = (hcbr_drift_kind)k,
                                          .shift = NAN,
                                          .chance = NAN,
                                          .drift = NAN,
                                          .unseen = NAN,
                                          .missing = {NAN, NAN}};
    d->parts[HCBR_DRIFT_SCORES].compared = kept;
    if (!list_new(&d->new_values, &c->values, true) ||
        !list_new(&d->new_columns, &c->new_columns, false) || !fill_columns(d, kept) ||
        !fill_labels(&d->parts[HCBR_DRIFT_LABELS], c) ||
        !fill_answers(&d->parts[HCBR_DRIFT_ANSWERS], c, kept) ||
        !add_spans(&d->parts[HCBR_DRIFT_SCORES], &c->scores))
        return hcbr_i_no_memory(err);
    d->info.new_columns = c->new_columns.names.count;
    measure_all(d);
    if (d->info.columns)
        qsort(d->columns, d->info.columns, sizeof *d->columns, compare_parts);
    return HCBR_OK;
}
