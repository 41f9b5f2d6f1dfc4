/*
 * Labels that are numbers: are they classes or measurements, and which ranges are made of them?
 *
 * Invariant: the cuts depend on the numbers of the cases alone, not on their order, and each is one
 * of these numbers. A range has a case on each side of a cut; so there may be fewer ranges than
 * were asked for, if many cases have one number.
 */
#include "cases/cases.h"

#include <stdlib.h>

#define MOST_VALUES 30 /* different numbers that may be classes */
#define FEW_VALUES 5   /* those that are always taken for classes: a scale of five steps */
#define SHARE 10       /* cases of each of more numbers, on average, if they are classes */

/* A label that is a number. */
typedef struct valued {
    double value;
    uint64_t cases;
} valued;

static int compare(const void *pa, const void *pb) {
    return hcbr_i_order_double(((const valued *)pa)->value, ((const valued *)pb)->value);
}

/*
 * The numbers of the labels with how many cases have each, rising. *count 0: there is a label that
 * is no number, and *other is the first such one.
 */
static hcbr_status count_values(const hcbr_cases *cases, valued **out, size_t *count,
                                uint32_t *other, hcbr_error *err) {
    const hcbr_i_labels *labels = &cases->labels;
    valued *list = *out = hcbr_i_alloc_zero(labels->count, sizeof *list);
    *count = 0;
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < labels->count; l++)
        if (!hcbr_number_parse(&list[l].value, labels->names[l], labels->lengths[l])) {
            *other = l;
            return HCBR_OK;
        }
    for (uint32_t i = 0; i < cases->case_count; i++)
        list[cases->label[i]].cases++;
    qsort(list, labels->count, sizeof *list, compare);
    size_t n = 0;
    for (uint32_t l = 0; l < labels->count; l++) {
        if (n > 0 && list[n - 1].value == list[l].value)
            list[n - 1].cases += list[l].cases; // spelled otherwise
        else
            list[n++] = list[l];
    }
    *count = n;
    return HCBR_OK;
}

static hcbr_status judge(const hcbr_cases *cases, hcbr_error *err) {
    valued *list = NULL;
    size_t count;
    uint32_t other;
    char quoted[200];
    const char *name = cases->label_name ? cases->label_name : "label";
    if (cases->labels.count <= FEW_VALUES)
        return HCBR_OK;
    hcbr_status st = count_values(cases, &list, &count, &other, err);
    hcbr_i_free(list);
    if (st != HCBR_OK || count <= FEW_VALUES ||
        (count <= MOST_VALUES && SHARE * (uint64_t)count <= cases->case_count))
        return st;
    return hcbr_i_fail(err, HCBR_EDATA,
                       "found %zu different numbers as labels of %lu cases (column %s), which look "
                       "like measurements, expected a few classes: make ranges of them with "
                       "option bins (as in 3, median, or 12.5,30), or take each as a label with "
                       "option labels_as_they_are",
                       count, (unsigned long)cases->case_count,
                       hcbr_i_quote(quoted, name, strlen(name)));
}

/*
 * Cut rising numbers into ranges of about as many cases: each cut is where the number of cases up
 * to it is nearest to its share, the lower one of two. Returns how many cuts there are.
 */
static size_t cut(const valued *list, size_t count, uint64_t cases, uint32_t ranges, double *cuts) {
    uint64_t below = 0; // cases up to list[i - 1]
    size_t found = 0, i = 0;
    for (uint32_t k = 1; k < ranges; k++) {
        const double share = (double)cases * k / ranges;
        while (i < count && (double)(below + list[i].cases) <= share)
            below += list[i++].cases;
        if (i == count)
            break;
        const double after = (double)(below + list[i].cases) - share;
        const bool lower = i > 0 && share - (double)below <= after;
        const size_t at = lower ? i - 1 : i;
        if (at + 1 < count && (found == 0 || list[at].value > cuts[found - 1]))
            cuts[found++] = list[at].value == 0 ? 0 : list[at].value; // not -0
    }
    return found;
}

static hcbr_status no_number(const hcbr_cases *cases, uint32_t label, hcbr_error *err) {
    char quoted[200];
    uint32_t i = 0;
    while (i < cases->case_count && cases->label[i] != label)
        i++;
    return hcbr_i_fail(
        err, HCBR_EDATA, "found label %s in row %llu, expected a number (option bins)",
        hcbr_i_quote(quoted, cases->labels.names[label], cases->labels.lengths[label]),
        (unsigned long long)(cases->row ? cases->row[i] : (uint64_t)i + 1));
}

/* Replace labels that are numbers by the names of their ranges. */
static hcbr_status relabel(hcbr_cases *cases, const double *cuts, size_t count, hcbr_error *err) {
    hcbr_i_labels named = {0};
    uint32_t *map = hcbr_i_alloc(cases->labels.count, sizeof *map);
    hcbr_status st = map ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t l = 0; st == HCBR_OK && l < cases->labels.count; l++) {
        char name[HCBR_I_BIN_NAME];
        double value = 0;
        (void)!hcbr_number_parse(&value, cases->labels.names[l], cases->labels.lengths[l]);
        size_t length = hcbr_i_bins_name(cuts, count, hcbr_i_bins_find(cuts, count, value), name);
        st = hcbr_i_labels_intern(&named, name, length, &map[l], err);
    }
    if (st == HCBR_OK) {
        for (uint32_t i = 0; i < cases->case_count; i++)
            cases->label[i] = map[cases->label[i]];
        hcbr_i_labels_clear(&cases->labels);
        cases->labels = named;
        named = (hcbr_i_labels){0};
    }
    hcbr_i_labels_clear(&named);
    hcbr_i_free(map);
    return st;
}

/* Ranges of about as many cases; cases->bins becomes their cuts. */
static hcbr_status cut_quantiles(hcbr_cases *cases, uint32_t ranges, hcbr_error *err) {
    valued *list = NULL;
    size_t values = 0, count = 0;
    uint32_t other = 0;
    char *text = NULL;
    double *cuts = hcbr_i_alloc(ranges, sizeof *cuts);
    hcbr_status st =
        cuts ? count_values(cases, &list, &values, &other, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK && values == 0)
        st = no_number(cases, other, err);
    if (st == HCBR_OK && (count = cut(list, values, cases->case_count, ranges, cuts)) == 0)
        st = hcbr_i_fail(err, HCBR_EDATA,
                         "found %zu different number%s as labels, too few to make ranges of "
                         "(option bins)",
                         values, values == 1 ? "" : "s");
    if (st == HCBR_OK && !(text = hcbr_i_bins_print(cuts, count)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = relabel(cases, cuts, count, err);
    if (st == HCBR_OK) {
        hcbr_i_free(cases->bins);
        cases->bins = text;
        text = NULL;
    }
    hcbr_i_free(text);
    hcbr_i_free(cuts);
    hcbr_i_free(list);
    return st;
}

/* Ranges that were given: labels were named as they were read. cases->bins becomes the cuts in
 * their shortest form, as models store them. */
static hcbr_status check_given(hcbr_cases *cases, size_t count, hcbr_error *err) {
    uint32_t quantiles;
    double upper, *cuts;
    char *text = NULL;
    for (uint32_t l = 0; l < cases->labels.count; l++)
        if (!hcbr_i_bins_is_name(cases->labels.names[l], cases->labels.lengths[l], &upper))
            return no_number(cases, l, err);
    if ((cuts = hcbr_i_alloc(count, sizeof *cuts)) &&
        hcbr_i_bins_parse(cases->bins, cuts, &count, &quantiles))
        text = hcbr_i_bins_print(cuts, count);
    hcbr_i_free(cuts);
    if (!text)
        return hcbr_i_no_memory(err);
    hcbr_i_free(cases->bins);
    cases->bins = text;
    return HCBR_OK;
}

hcbr_status hcbr_i_cases_settle_labels(hcbr_cases *cases, hcbr_error *err) {
    uint32_t quantiles = 0;
    size_t count = 0;
    if (!cases->bins)
        return cases->judged ? judge(cases, err) : HCBR_OK;
    (void)hcbr_i_bins_parse(cases->bins, NULL, &count, &quantiles); // it was checked
    return quantiles ? cut_quantiles(cases, quantiles, err) : check_given(cases, count, err);
}
