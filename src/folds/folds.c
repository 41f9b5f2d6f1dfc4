/*
 * Assigning cases to folds (METHOD 10): stratified by label, by group, in the order of the data, as
 * given, or one part held out.
 *
 * Every fold holds out at least one case and leaves at least one to train on.
 */
#include "folds/folds.h"

#include <stdlib.h>

void hcbr_i_folds_clear(hcbr_i_folds *folds) {
    hcbr_i_free(folds->of);
    *folds = (hcbr_i_folds){0};
}

void hcbr_i_folds_split(const hcbr_i_folds *folds, uint32_t fold, uint32_t *train,
                        uint32_t *train_count, uint32_t *test, uint32_t *test_count) {
    uint32_t trained = 0, tested = 0;
    for (uint32_t i = 0; i < folds->case_count; i++) {
        uint32_t of = folds->of[i];
        if (of == fold)
            test[tested++] = i;
        else if (!folds->past_only || of == HCBR_I_NONE || of < fold)
            train[trained++] = i;
    }
    *train_count = trained;
    *test_count = tested;
}

/* ---- by label -------------------------------------------------------------------------------- */

/* The cases label by label, those of one label in an order drawn at random. */
static uint32_t *draw_by_label(const uint32_t *label, uint32_t count, uint32_t label_count,
                               uint64_t *state) {
    uint32_t *list = hcbr_i_alloc(count, sizeof *list);
    uint32_t *end = hcbr_i_alloc_zero((size_t)label_count + 1, sizeof *end);
    if (list && end) {
        for (uint32_t i = 0; i < count; i++)
            end[label[i] + 1]++;
        for (uint32_t l = 0; l < label_count; l++)
            end[l + 1] += end[l];
        for (uint32_t i = 0; i < count; i++)
            list[end[label[i]]++] = i;
        for (uint32_t l = 0, begin = 0; l < label_count; begin = end[l++])
            hcbr_i_shuffle(list + begin, end[l] - begin, state);
        hcbr_i_free(end);
        return list;
    }
    hcbr_i_free(list);
    hcbr_i_free(end);
    return NULL;
}

hcbr_status hcbr_i_folds_stratify(uint32_t *of, const uint32_t *label, uint32_t count,
                                  uint32_t label_count, uint32_t folds, uint64_t *state,
                                  hcbr_error *err) {
    uint32_t *list = draw_by_label(label, count, label_count, state);
    if (!list)
        return hcbr_i_no_memory(err);
    /* dealt like cards, continuing from label to label: shares differ by at most one */
    for (uint32_t n = 0; n < count; n++)
        of[list[n]] = n % folds;
    hcbr_i_free(list);
    return HCBR_OK;
}

/* How many cases a share is: at least one, and at least one is left over. */
static uint32_t held_out(uint32_t count, double share) {
    double wanted = share * (double)count + 0.5;
    uint32_t most = count - 1;
    return wanted < 1 ? 1 : wanted >= (double)most ? most : (uint32_t)wanted;
}

/* One part, with its share of every label, give or take one. */
static hcbr_status draw_holdout(uint32_t *of, const struct hcbr_cases *cases, double share,
                                uint64_t *state, hcbr_error *err) {
    uint64_t count = cases->case_count, wanted = held_out(cases->case_count, share);
    uint32_t *list = draw_by_label(cases->label, cases->case_count, cases->labels.count, state);
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint64_t n = 0; n < count; n++)
        of[list[n]] = (n + 1) * wanted / count > n * wanted / count ? 0 : HCBR_I_NONE;
    hcbr_i_free(list);
    return HCBR_OK;
}

/* ---- by group -------------------------------------------------------------------------------- */

/* Cases of the base, group by group. */
typedef struct group_list {
    uint32_t count;
    uint32_t *start; /* count + 1 of them */
    uint32_t *cases; /* of group g: cases[start[g] .. start[g + 1]), by ascending label */
    uint32_t *order; /* groups: largest first, equal ones in an order drawn at random */
} group_list;

static void groups_clear(group_list *groups) {
    hcbr_i_free(groups->start);
    hcbr_i_free(groups->cases);
    hcbr_i_free(groups->order);
}

/* Number the groups that occur from 0, by first appearance; number[i] is case i's. */
static hcbr_status number_groups(uint32_t *number, uint32_t *count, const struct hcbr_cases *cases,
                                 hcbr_error *err) {
    uint32_t most = 0, found = 0;
    for (uint32_t i = 0; i < cases->case_count; i++)
        if (cases->group[i] != HCBR_I_NONE && cases->group[i] >= most)
            most = cases->group[i] + 1;
    uint32_t *map = hcbr_i_alloc((size_t)most + 1, sizeof *map);
    if (!map)
        return hcbr_i_no_memory(err);
    memset(map, 0xFF, ((size_t)most + 1) * sizeof *map); // HCBR_I_NONE
    for (uint32_t i = 0; i < cases->case_count; i++) {
        uint32_t *to = &map[cases->group[i] == HCBR_I_NONE ? most : cases->group[i]];
        if (*to == HCBR_I_NONE)
            *to = found++;
        number[i] = *to;
    }
    *count = found;
    hcbr_i_free(map);
    return HCBR_OK;
}

/* The groups, largest first: a counting sort of the shuffled ones by size. */
static bool order_groups(group_list *groups, uint32_t case_count, uint64_t *state) {
    uint32_t *place = hcbr_i_alloc_zero((size_t)case_count + 2, sizeof *place);
    uint32_t *list = hcbr_i_alloc(groups->count, sizeof *list);
    groups->order = hcbr_i_alloc(groups->count, sizeof *groups->order);
    bool ok = place && list && groups->order;
    for (uint32_t g = 0; ok && g < groups->count; g++) {
        list[g] = g;
        place[case_count - (groups->start[g + 1] - groups->start[g]) + 1]++;
    }
    if (ok) {
        hcbr_i_shuffle(list, groups->count, state);
        for (uint32_t n = 0; n <= case_count; n++)
            place[n + 1] += place[n];
        for (uint32_t n = 0; n < groups->count; n++) {
            uint32_t g = list[n];
            groups->order[place[case_count - (groups->start[g + 1] - groups->start[g])]++] = g;
        }
    }
    hcbr_i_free(place);
    hcbr_i_free(list);
    return ok;
}

static hcbr_status groups_make(group_list *groups, const struct hcbr_cases *cases, uint64_t *state,
                               hcbr_error *err) {
    uint32_t n = cases->case_count, *number = hcbr_i_alloc(n, sizeof *number), *list = NULL;
    uint64_t none = 0;
    *groups = (group_list){0};
    hcbr_status st =
        number ? number_groups(number, &groups->count, cases, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        /* cases by label, then stably by group: the labels of a group come in order */
        list = draw_by_label(cases->label, n, cases->labels.count, &none);
        groups->start = hcbr_i_alloc_zero((size_t)groups->count + 2, sizeof *groups->start);
        groups->cases = hcbr_i_alloc(n, sizeof *groups->cases);
        if (!list || !groups->start || !groups->cases)
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK) {
        uint32_t *start = groups->start;
        for (uint32_t i = 0; i < n; i++)
            start[number[i] + 2]++;
        for (uint32_t g = 0; g < groups->count; g++)
            start[g + 2] += start[g + 1];
        for (uint32_t k = 0; k < n; k++)
            groups->cases[start[number[list[k]] + 1]++] = list[k];
        if (!order_groups(groups, n, state))
            st = hcbr_i_no_memory(err);
    }
    hcbr_i_free(number);
    hcbr_i_free(list);
    return st;
}

/* The cost of putting a group into a fold: how much it unbalances labels and sizes. */
static double cost(const group_list *groups, uint32_t g, const uint32_t *label,
                   const uint32_t *have, const uint64_t *total, uint32_t size, uint32_t cases) {
    double sum = 0, length = (double)(groups->start[g + 1] - groups->start[g]);
    for (uint32_t k = groups->start[g], end; k < groups->start[g + 1]; k = end) {
        uint32_t l = label[groups->cases[k]];
        for (end = k; end < groups->start[g + 1] && label[groups->cases[end]] == l;)
            end++;
        double more = (double)(end - k);
        sum += more * (2 * (double)have[l] + more) / (double)total[l];
    }
    return sum + length * (2 * (double)size + length) / (double)cases;
}

/*
 * Groups, largest first, go where they unbalance labels and sizes least. As soon as there are no
 * more groups left than empty folds, empty folds are filled first, so that none stays empty.
 */
static hcbr_status deal_groups(uint32_t *of, const struct hcbr_cases *cases,
                               const group_list *groups, uint32_t folds, hcbr_error *err) {
    uint32_t labels = cases->labels.count, empty = folds;
    uint32_t *have = hcbr_i_alloc_zero(folds, (size_t)labels * sizeof *have);
    uint32_t *size = hcbr_i_alloc_zero(folds, sizeof *size);
    uint64_t *total = hcbr_i_alloc_zero(labels, sizeof *total);
    hcbr_status st = have && size && total ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i++)
        total[cases->label[i]]++;
    for (uint32_t n = 0; st == HCBR_OK && n < groups->count; n++) {
        uint32_t g = groups->order[n], best = HCBR_I_NONE;
        bool only_empty = groups->count - n <= empty;
        double least = 0;
        for (uint32_t f = 0; f < folds; f++) {
            if (only_empty && size[f] > 0)
                continue;
            double c = cost(groups, g, cases->label, have + (size_t)f * labels, total, size[f],
                            cases->case_count);
            if (best == HCBR_I_NONE || c < least) {
                best = f;
                least = c;
            }
        }
        empty -= size[best] == 0;
        for (uint32_t k = groups->start[g]; k < groups->start[g + 1]; k++) {
            of[groups->cases[k]] = best;
            have[(size_t)best * labels + cases->label[groups->cases[k]]]++;
            size[best]++;
        }
    }
    hcbr_i_free(have);
    hcbr_i_free(size);
    hcbr_i_free(total);
    return st;
}

/* Whole groups in random order, as long as they fit into the share; at least the smallest one. */
static hcbr_status draw_groups(uint32_t *of, const struct hcbr_cases *cases,
                               const group_list *groups, double share, uint64_t *state,
                               hcbr_error *err) {
    uint32_t wanted = held_out(cases->case_count, share), taken = 0;
    uint32_t *list = hcbr_i_alloc(groups->count, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    memcpy(list, groups->order, groups->count * sizeof *list);
    hcbr_i_shuffle(list, groups->count, state);
    memset(of, 0xFF, cases->case_count * sizeof *of); // HCBR_I_NONE
    for (uint32_t n = 0; n <= groups->count; n++) {
        bool last = n == groups->count; /* nothing fitted: the smallest group is the last */
        if (last && taken > 0)
            break;
        uint32_t g = last ? groups->order[n - 1] : list[n];
        if (!last && groups->start[g + 1] - groups->start[g] > wanted - taken)
            continue;
        for (uint32_t k = groups->start[g]; k < groups->start[g + 1]; k++, taken++)
            of[groups->cases[k]] = 0;
    }
    hcbr_i_free(list);
    return HCBR_OK;
}

static hcbr_status make_by_group(hcbr_i_folds *out, const struct hcbr_cases *cases,
                                 const hcbr_i_fold_options *o, uint64_t *state, hcbr_error *err) {
    group_list groups;
    if (!cases->group)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the cases have no groups, expected a column of them");
    hcbr_status st = groups_make(&groups, cases, state, err);
    if (st == HCBR_OK && groups.count < 2)
        st = hcbr_i_fail(err, HCBR_EUSAGE, "found 1 group, expected at least 2");
    if (st == HCBR_OK && o->holdout <= 0 && groups.count < o->folds)
        st = hcbr_i_fail(err, HCBR_EUSAGE, "%u folds, expected at most as many as groups, %u",
                         o->folds, groups.count);
    if (st == HCBR_OK)
        st = o->holdout > 0 ? draw_groups(out->of, cases, &groups, o->holdout, state, err)
                            : deal_groups(out->of, cases, &groups, o->folds, err);
    groups_clear(&groups);
    return st;
}

/* ---- in order, as given, after a border ------------------------------------------------------ */

/* Consecutive parts of equal length, give or take one; the first is never held out. */
static void make_in_order(hcbr_i_folds *out, const hcbr_i_fold_options *o) {
    uint64_t n = out->case_count, parts = (uint64_t)out->count + 1;
    uint32_t first = (uint32_t)(n - (o->holdout > 0 ? held_out((uint32_t)n, o->holdout) : 0));
    for (uint64_t i = 0, part = 0; i < n; i++) {
        while (i >= (part + 1) * n / parts)
            part++;
        if (o->holdout > 0)
            out->of[i] = i < first ? HCBR_I_NONE : 0;
        else
            out->of[i] = part ? (uint32_t)part - 1 : HCBR_I_NONE;
    }
    out->past_only = true;
}

/* Each different number is a fold; folds are counted in the order of the numbers. */
static hcbr_status make_given(hcbr_i_folds *out, const struct hcbr_cases *cases,
                              const hcbr_i_fold_options *o, hcbr_error *err) {
    if (o->given_count != cases->rows)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %zu folds for %llu data rows, expected as many",
                           o->given_count, (unsigned long long)cases->rows);
    uint64_t *numbers = hcbr_i_alloc(cases->case_count, sizeof *numbers);
    if (!numbers)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < cases->case_count; i++)
        numbers[i] = o->given[cases->row ? cases->row[i] - 1 : i];
    qsort(numbers, cases->case_count, sizeof *numbers, hcbr_i_compare_u64);
    uint32_t distinct = 0;
    for (uint32_t i = 0; i < cases->case_count; i++)
        if (i == 0 || numbers[i] != numbers[distinct - 1])
            numbers[distinct++] = numbers[i];
    for (uint32_t i = 0; i < cases->case_count; i++) {
        uint64_t number = o->given[cases->row ? cases->row[i] - 1 : i];
        const uint64_t *at =
            bsearch(&number, numbers, distinct, sizeof *numbers, hcbr_i_compare_u64);
        out->of[i] = (uint32_t)(at - numbers);
    }
    hcbr_i_free(numbers);
    out->count = distinct;
    return distinct > 1 ? HCBR_OK
                        : hcbr_i_fail(err, HCBR_EUSAGE,
                                      "all rows are in one fold, expected at least 2 folds");
}

/* ---- all of it ------------------------------------------------------------------------------- */

static hcbr_status check(const hcbr_i_fold_options *o, const struct hcbr_cases *cases,
                         hcbr_error *err) {
    uint32_t n = cases->case_count;
    bool drawn = !o->given && !o->test_start;
    if (n < 2)
        return hcbr_i_fail(err, HCBR_EDATA, "found 1 case, expected at least 2 to hold one out");
    if (o->holdout != 0 && !(o->holdout > 0 && o->holdout < 1))
        return hcbr_i_fail(err, HCBR_EUSAGE, "hold-out share outside 0 to 1");
    if ((o->given && o->test_start) ||
        (!drawn && (o->holdout > 0 || o->past_only || o->by_group)) ||
        (o->past_only && o->by_group))
        return hcbr_i_fail(err, HCBR_EUSAGE, "ways to hold cases out that exclude each other");
    if (o->test_start >= n)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found no test case, expected at least one");
    if (!drawn || o->holdout > 0)
        return HCBR_OK;
    if (o->folds < 2 - (uint32_t)o->past_only)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found %u folds, expected at least 2", o->folds);
    if (o->folds > n - (uint32_t)o->past_only)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "%u folds of %u cases, expected at most %u (option folds)", o->folds, n,
                           n - (uint32_t)o->past_only);
    return HCBR_OK;
}

/* Of cases that are no beliefs. */
static hcbr_status make(hcbr_i_folds *out, const struct hcbr_cases *cases,
                        const hcbr_i_fold_options *o, hcbr_error *err) {
    /* not the random stream of the training order, which comes from the same seed */
    uint64_t state = hcbr_i_mix(hcbr_i_mix(o->seed ^ UINT64_C(0x666F6C6473)) + o->repeat);
    uint32_t n = cases->case_count;
    *out = (hcbr_i_folds){.case_count = n, .count = o->holdout > 0 || o->test_start ? 1 : o->folds};
    hcbr_status st = check(o, cases, err);
    if (st == HCBR_OK && !(out->of = hcbr_i_alloc(n, sizeof *out->of)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        if (o->given)
            st = make_given(out, cases, o, err);
        else if (o->by_group)
            st = make_by_group(out, cases, o, &state, err);
        else if (o->past_only)
            make_in_order(out, o);
        else if (o->test_start)
            for (uint32_t i = 0; i < n; i++)
                out->of[i] = i < o->test_start ? HCBR_I_NONE : 0;
        else if (o->holdout > 0)
            st = draw_holdout(out->of, cases, o->holdout, &state, err);
        else
            st = hcbr_i_folds_stratify(out->of, cases->label, n, cases->labels.count, o->folds,
                                       &state, err);
    }
    if (st != HCBR_OK)
        hcbr_i_folds_clear(out);
    return st;
}

hcbr_status hcbr_i_folds_make(hcbr_i_folds *out, const struct hcbr_cases *cases,
                              const hcbr_i_fold_options *o, hcbr_error *err) {
    const uint32_t stated = hcbr_i_beliefs_cases(cases->beliefs), n = cases->case_count;
    if (stated == 0)
        return make(out, cases, o, err);
    struct hcbr_cases seen = *cases; // the last cases, which are never held out, are not looked at
    seen.case_count -= stated;
    seen.rows -= stated;
    hcbr_status st = make(out, &seen, o, err);
    uint32_t *of = st == HCBR_OK ? hcbr_i_realloc(out->of, n, sizeof *of) : NULL;
    if (st == HCBR_OK && !of) {
        hcbr_i_folds_clear(out);
        return hcbr_i_no_memory(err);
    }
    if (st != HCBR_OK)
        return st;
    memset(of + (n - stated), 0xFF, stated * sizeof *of); // HCBR_I_NONE
    out->of = of;
    out->case_count = n;
    return HCBR_OK;
}
