/*
 * Units of cases that stay together when cases are held out (METHOD 10): named groups, or cases
 * with the same values, whatever their labels. A model that has seen a case knows its copies, so
 * held-out copies would say nothing about new cases.
 *
 * A unit is drawn by a hash of its name or values, never by the position of its cases, and counts
 * with their weight: the order of the cases changes nothing, and a weight n is n copies.
 */
#include "folds/folds.h"

#include <math.h>
#include <stdlib.h>

void hcbr_i_fold_units_clear(hcbr_i_fold_units *units) {
    hcbr_i_free(units->unit);
    hcbr_i_free(units->cases);
    *units = (hcbr_i_fold_units){0};
}

/* A case in the making of units. */
typedef struct member {
    uint64_t key;
    uint32_t label, number;
} member;

static int compare_members(const void *a, const void *b) {
    const member *x = a, *y = b;
    int order = hcbr_i_order_u64(x->key, y->key);
    order = order ? order : hcbr_i_order_u32(x->label, y->label);
    return order ? order : hcbr_i_order_u32(x->number, y->number);
}

static int compare_units(const void *a, const void *b) {
    const hcbr_i_fold_unit *x = a, *y = b;
    int order = hcbr_i_order_double(y->weight, x->weight);
    order = order ? order : hcbr_i_order_u64(x->draw, y->draw);
    return order ? order : hcbr_i_order_u64(x->key, y->key);
}

static double weight_of(const hcbr_i_fold_units *units, uint32_t number) {
    return units->weight ? units->weight[number] : 1;
}

hcbr_status hcbr_i_fold_unit_keys(uint64_t *key, const struct hcbr_cases *cases, bool by_group,
                                  hcbr_error *err) {
    const uint32_t n = cases->case_count;
    if (by_group) {
        memcpy(key, cases->group, n * sizeof *key);
        return HCBR_OK;
    }
    uint64_t(*hash)[2] = hcbr_i_alloc(n, sizeof *hash);
    hcbr_status st = hash ? hcbr_i_cases_hash(hash, cases, NULL, err) : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++)
        key[i] = hcbr_i_mix(hash[i][0] + hcbr_i_mix(hash[i][1]));
    hcbr_i_free(hash);
    return st;
}

/* The members with a weight, by unit and label, in out->cases and `list`. */
static void list_members(hcbr_i_fold_units *out, member *list, const uint64_t *key,
                         const uint32_t *label) {
    uint32_t used = 0;
    bool sorted = true;
    for (uint32_t i = 0; i < out->case_count; i++)
        if (weight_of(out, i) > 0) {
            list[used] = (member){key[i], label[i], i};
            sorted = sorted && (used == 0 || compare_members(&list[used - 1], &list[used]) < 0);
            used++;
        }
    if (!sorted)
        qsort(list, used, sizeof *list, compare_members);
    for (uint32_t i = 0; i < used; i++) {
        out->cases[i] = list[i].number;
        out->count += i == 0 || list[i].key != list[i - 1].key;
    }
    out->member_count = used;
}

hcbr_status hcbr_i_fold_units_make(hcbr_i_fold_units *out, uint32_t count, const uint64_t *key,
                                   const uint32_t *label, const double *weight, uint64_t draw,
                                   hcbr_error *err) {
    *out = (hcbr_i_fold_units){.case_count = count, .weight = weight};
    member *list = hcbr_i_alloc(count, sizeof *list);
    out->cases = hcbr_i_alloc(count, sizeof *out->cases);
    bool ok = list && out->cases;
    if (ok)
        list_members(out, list, key, label);
    ok = ok && (out->unit = hcbr_i_alloc_zero(out->count, sizeof *out->unit));
    hcbr_i_fold_unit *u = out->unit;
    for (uint32_t i = 0; ok && i < out->member_count; i++) {
        if (i > 0 && list[i].key != list[i - 1].key)
            u++;
        if (u->count++ == 0) {
            u->key = list[i].key;
            u->draw = hcbr_i_mix(draw + hcbr_i_mix(list[i].key));
            u->first = i;
        }
        u->weight += weight_of(out, list[i].number);
    }
    if (ok)
        qsort(out->unit, out->count, sizeof *out->unit, compare_units);
    hcbr_i_free(list);
    if (ok)
        return HCBR_OK;
    hcbr_i_fold_units_clear(out);
    return hcbr_i_no_memory(err);
}

/* ---- dealing --------------------------------------------------------------------------------- */

/* The contents of the folds so far. */
typedef struct dealt {
    const hcbr_i_fold_units *units;
    const uint32_t *label;
    uint32_t labels;
    double *have, *size;  /* by fold, and label */
    double *total, whole; /* by label, and of all */
} dealt;

/* The cost of putting a unit into a fold: how much it unbalances labels and sizes. */
static double cost(const dealt *d, const hcbr_i_fold_unit *u, uint32_t fold) {
    const double *have = d->have + (size_t)fold * d->labels;
    const uint32_t *cases = d->units->cases + u->first;
    double sum = u->weight * (2 * d->size[fold] + u->weight) / d->whole;
    for (uint32_t k = 0; k < u->count;) {
        uint32_t l = d->label[cases[k]];
        double more = 0;
        for (; k < u->count && d->label[cases[k]] == l; k++)
            more += weight_of(d->units, cases[k]);
        sum += more * (2 * have[l] + more) / d->total[l];
    }
    return sum;
}

static void put(dealt *d, const hcbr_i_fold_unit *u, uint32_t fold, uint32_t *of) {
    for (uint32_t k = u->first; k < u->first + u->count; k++) {
        uint32_t i = d->units->cases[k];
        of[i] = fold;
        d->have[(size_t)fold * d->labels + d->label[i]] += weight_of(d->units, i);
    }
    d->size[fold] += u->weight;
}

/* Units, the heaviest first, go to the fold where they unbalance labels and sizes least. Once as
 * many folds are empty as units are left, empty folds are filled first, so that none stays
 * empty. */
static void deal(dealt *d, uint32_t folds, uint32_t *of) {
    uint32_t empty = folds;
    for (uint32_t n = 0; n < d->units->count; n++) {
        const hcbr_i_fold_unit *u = &d->units->unit[n];
        bool only_empty = d->units->count - n <= empty;
        uint32_t best = HCBR_I_NONE;
        double least = 0;
        for (uint32_t f = 0; f < folds; f++) {
            if (only_empty && d->size[f] > 0)
                continue;
            double c = cost(d, u, f);
            if (best == HCBR_I_NONE || c < least) {
                best = f;
                least = c;
            }
        }
        empty -= d->size[best] == 0;
        put(d, u, best, of);
    }
}

hcbr_status hcbr_i_fold_units_deal(uint32_t *of, const hcbr_i_fold_units *units,
                                   const uint32_t *label, uint32_t labels, uint32_t folds,
                                   hcbr_error *err) {
    dealt d = {.units = units, .label = label, .labels = labels};
    d.have = hcbr_i_alloc_zero(folds, (size_t)labels * sizeof *d.have);
    d.size = hcbr_i_alloc_zero(folds, sizeof *d.size);
    d.total = hcbr_i_alloc_zero(labels, sizeof *d.total);
    hcbr_status st = d.have && d.size && d.total ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < units->case_count; i++) {
        d.total[label[i]] += weight_of(units, i);
        d.whole += weight_of(units, i);
        of[i] = 0; // a case without a weight is in no unit
    }
    if (st == HCBR_OK)
        deal(&d, folds, of);
    hcbr_i_free(d.have);
    hcbr_i_free(d.size);
    hcbr_i_free(d.total);
    return st;
}

/* ---- one part -------------------------------------------------------------------------------- */

static int compare_draws(const void *a, const void *b) {
    const hcbr_i_fold_unit *x = a, *y = b;
    int order = hcbr_i_order_u64(x->draw, y->draw);
    return order ? order : hcbr_i_order_u64(x->key, y->key);
}

void hcbr_i_fold_units_draw(uint32_t *of, hcbr_i_fold_units *units, double share) {
    const hcbr_i_fold_unit lightest = units->unit[units->count - 1];
    double whole = 0, taken = 0;
    uint32_t left = units->count;
    for (uint32_t n = 0; n < units->count; n++)
        whole += units->unit[n].weight;
    const double wanted = floor(share * whole + 0.5);
    memset(of, 0xFF, units->case_count * sizeof *of); // HCBR_I_NONE
    qsort(units->unit, units->count, sizeof *units->unit, compare_draws);
    for (uint32_t n = 0; n <= units->count && left > 1; n++) {
        bool last = n == units->count;
        if (last && taken > 0)
            break;
        const hcbr_i_fold_unit *u = last ? &lightest : &units->unit[n]; // nothing fitted
        if (!last && u->weight > wanted - taken)
            continue;
        for (uint32_t k = u->first; k < u->first + u->count; k++)
            of[units->cases[k]] = 0;
        taken += u->weight;
        left--;
    }
}
