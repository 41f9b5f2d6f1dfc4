/*
 * Labels that are numbers: whether they are classes or measurements, and the ranges made of
 * measurements.
 *
 * Invariant: the cuts depend on the numbers of the cases alone, not on their order, and each is one
 * of these numbers, or a shorter one between it and the next. A range has a case on each side of a
 * cut; so there may be fewer ranges than requested, if many cases have one number.
 */
#include "cases/cases.h"
#include "kinds/kinds.h"

#include <stdlib.h>

#define MOST_VALUES 30 /* different numbers that may be classes */
#define FEW_VALUES 5   /* always classes: a scale of five steps */
#define MOST_DIGITS 6  /* of a cut taken from the data */
#define FEWEST_DIGITS 3
#define SHARE 10 /* cases of each of more numbers, on average, if they are classes */

/* A label that is a number. */
typedef struct valued {
    double value;
    uint64_t cases;
} valued;

static int compare(const void *pa, const void *pb) {
    return hcbr_i_order_double(((const valued *)pa)->value, ((const valued *)pb)->value);
}

/* How the labels are read as numbers. */
typedef struct reading {
    uint64_t *cases;    /* by label: different rows with it */
    hcbr_i_ranges bins; /* mark and million */
    hcbr_i_kind kind;   /* of the labels, as a column of numbers */
    bool plain;         /* all are plain numbers */
} reading;

/* Whether a label is a number; *value receives it. */
static bool read_label(const reading *r, const char *text, size_t length, double *value) {
    hcbr_i_reading as;
    if (!r->plain && hcbr_i_kind_take(&as, &r->kind, text, length) != HCBR_I_TAKEN_NUMBER)
        return false;
    return hcbr_i_bins_value(&r->bins, text, length, value);
}

/* Count the different rows of each label. The caller frees r->cases. */
static hcbr_status count_rows(const hcbr_cases *cases, reading *r, hcbr_error *err) {
    uint32_t rows;
    bool *copy = hcbr_i_alloc(cases->case_count, sizeof *copy);
    r->cases = hcbr_i_alloc_zero(cases->labels.count, sizeof *r->cases);
    hcbr_status st = copy && r->cases ? hcbr_i_cases_find_copies(copy, &rows, cases, true, err)
                                      : hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < cases->case_count; i++)
        r->cases[cases->label[i]] += !copy[i];
    hcbr_i_free(copy);
    return st;
}

/* Find the decimal mark and the unit of the labels. r->bins has what is known. */
static hcbr_status find_reading(const hcbr_cases *cases, reading *r, hcbr_error *err) {
    const hcbr_i_labels *labels = &cases->labels;
    const hcbr_i_kind_wish number = {.kind = HCBR_I_KIND_NUMBER};
    hcbr_i_tally tally;
    double value;
    bool room = true;
    hcbr_status st = count_rows(cases, r, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_tally_init(&tally);
    r->plain = r->bins.mark != HCBR_I_MARK_COMMA;
    for (uint32_t l = 0; room && l < labels->count; l++) {
        r->plain = r->plain && hcbr_number_parse(&value, labels->names[l], labels->lengths[l]);
        room = hcbr_i_tally_add(&tally, labels->names[l], labels->lengths[l], r->cases[l]);
    }
    hcbr_i_tally_judge_as(&r->kind, &tally, NULL, 0, labels->count, &number);
    hcbr_i_tally_clear(&tally);
    if (r->bins.mark) {
        r->kind.mark = r->bins.mark;
        r->kind.ambiguous = false;
    }
    r->kind.million = r->kind.million || r->bins.million;
    r->bins.mark = r->kind.mark;
    r->bins.million = r->kind.million;
    r->plain = r->plain && r->kind.mark == HCBR_I_MARK_POINT;
    return room ? HCBR_OK : hcbr_i_no_memory(err);
}

/*
 * The numbers of the labels with their counts of cases, ascending. *count 0: a label is not a
 * number, and *other is the first such one. lenient: labels that mean missing are skipped.
 */
static hcbr_status count_values(const hcbr_cases *cases, const reading *r, valued **out,
                                size_t *count, uint32_t *other, bool lenient, hcbr_error *err) {
    const hcbr_i_labels *labels = &cases->labels;
    valued *list = *out = hcbr_i_alloc_zero(labels->count, sizeof *list);
    uint32_t missing = 0;
    *count = 0;
    if (!list)
        return hcbr_i_no_memory(err);
    for (uint32_t l = 0; l < labels->count; l++) {
        list[l - missing].cases = r->cases[l];
        if (read_label(r, labels->names[l], labels->lengths[l], &list[l - missing].value))
            continue;
        if (!lenient || !hcbr_i_is_missing_form(labels->names[l], labels->lengths[l])) {
            *other = l;
            return HCBR_OK;
        }
        missing++;
    }
    qsort(list, labels->count - missing, sizeof *list, compare);
    size_t n = 0;
    for (uint32_t l = 0; l < labels->count - missing; l++) {
        if (n > 0 && list[n - 1].value == list[l].value)
            list[n - 1].cases += list[l].cases; // spelled otherwise
        else
            list[n++] = list[l];
    }
    *count = n;
    return HCBR_OK;
}

/* Different rows with one of these numbers. */
static uint64_t count_all(const valued *list, size_t count) {
    uint64_t all = 0;
    for (size_t n = 0; n < count; n++)
        all += list[n].cases;
    return all;
}

static hcbr_status judge(const hcbr_cases *cases, hcbr_error *err) {
    reading r = {0};
    valued *list = NULL;
    size_t count = 0;
    uint32_t other;
    char quoted[200];
    const char *name = cases->label_name ? cases->label_name : "label";
    if (cases->labels.count <= FEW_VALUES)
        return HCBR_OK;
    hcbr_status st = find_reading(cases, &r, err);
    if (st == HCBR_OK)
        st = count_values(cases, &r, &list, &count, &other, true, err);
    const uint64_t all = count_all(list, count);
    hcbr_i_free(list);
    hcbr_i_free(r.cases);
    if (st != HCBR_OK || count <= FEW_VALUES ||
        (count <= MOST_VALUES && SHARE * (uint64_t)count <= all))
        return st;
    return hcbr_i_fail(err, HCBR_EDATA,
                       "found %zu different numbers as labels of %llu rows (column %s), which look "
                       "like measurements, expected a few classes: make ranges of them with "
                       "option bins (as in 3, median, 12.5,30 or at:30), or take each as a label "
                       "with option labels_as_they_are",
                       count, (unsigned long long)all, hcbr_i_quote(quoted, name, strlen(name)));
}

/* ---- ranges ---------------------------------------------------------------------------------- */

/* Shorten a cut for display: a number of more than MOST_DIGITS digits becomes the shortest one from
 * FEWEST_DIGITS on that is not below it and below the next number, so that each side keeps its
 * cases. */
static double shorten(double value, double next) {
    char text[HCBR_NUMBER_SIZE];
    double shorter = value;
    hcbr_number_round(text, value, MOST_DIGITS);
    (void)!hcbr_number_parse(&shorter, text, strlen(text));
    if (shorter == value)
        return value;
    for (int digits = FEWEST_DIGITS; digits < 17; digits++) {
        for (int side = 0; side < 2; side++) { // rounded, or the middle of the gap rounded
            hcbr_number_round(text, side ? value + (next - value) / 2 : value, digits);
            if (hcbr_number_parse(&shorter, text, strlen(text)) && shorter >= value &&
                shorter < next)
                return shorter;
        }
    }
    return value;
}

/*
 * Cut ascending numbers into ranges with about as many cases each. A cut is where the number of
 * cases up to it is nearest to its share, the lower one of two. Returns the number of cuts.
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
            cuts[found++] = shorten(list[at].value == 0 ? 0 : list[at].value, // not -0
                                    list[at + 1].value);
    }
    return found;
}

static hcbr_status no_number(const hcbr_cases *cases, uint32_t label, hcbr_error *err) {
    char quoted[200];
    uint32_t i = 0;
    while (i < cases->case_count && cases->label[i] != label)
        i++;
    return hcbr_i_fail(
        err, HCBR_EDATA,
        "found label %s in row %llu, expected a number (option bins); if it says that the label is "
        "missing, name it with option na",
        hcbr_i_quote(quoted, cases->labels.names[label], cases->labels.lengths[label]),
        (unsigned long long)(cases->row ? cases->row[i] : (uint64_t)i + 1));
}

static hcbr_status two_readings(const hcbr_cases *cases, const reading *r, hcbr_error *err) {
    char quoted[200];
    uint32_t l = 0;
    hcbr_i_numeral n;
    while (
        l + 1 < cases->labels.count &&
        !(hcbr_i_numeral_read(&n, cases->labels.names[l], cases->labels.lengths[l]) && n.grouped))
        l++;
    return hcbr_i_fail(err, HCBR_EDATA,
                       "found labels such as %s, whose mark may be a decimal one or that of "
                       "thousands: say which with comma: or point: before the value of option bins "
                       "(as in %s:3)",
                       hcbr_i_quote(quoted, cases->labels.names[l], cases->labels.lengths[l]),
                       r->kind.mark == HCBR_I_MARK_COMMA ? "comma" : "point");
}

/* Replace labels that are numbers by the names of their ranges; cases->bins becomes their cuts in
 * their shortest form, as models store them. */
static hcbr_status relabel(hcbr_cases *cases, const reading *r, const double *cuts,
                           hcbr_error *err) {
    hcbr_i_labels named = {0};
    const size_t count = r->bins.count;
    uint32_t *map = hcbr_i_alloc(cases->labels.count, sizeof *map);
    char *text = hcbr_i_bins_print(&r->bins, cuts);
    hcbr_status st = map && text ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t l = 0; st == HCBR_OK && l < cases->labels.count; l++) {
        char name[HCBR_I_BIN_NAME];
        double value = 0;
        (void)!read_label(r, cases->labels.names[l], cases->labels.lengths[l], &value);
        size_t length = hcbr_i_bins_name(cuts, count, hcbr_i_bins_find(cuts, count, value), name);
        st = hcbr_i_labels_intern(&named, name, length, &map[l], err);
    }
    if (st == HCBR_OK) {
        for (uint32_t i = 0; i < cases->case_count; i++)
            cases->label[i] = map[cases->label[i]];
        hcbr_i_labels_clear(&cases->labels);
        hcbr_i_free(cases->bins);
        cases->labels = named;
        cases->bins = text;
        named = (hcbr_i_labels){0};
        text = NULL;
    }
    hcbr_i_labels_clear(&named);
    hcbr_i_free(text);
    hcbr_i_free(map);
    return st;
}

/* Make ranges of the labels: the requested ones, or of about as many cases each. */
static hcbr_status make_ranges(hcbr_cases *cases, reading *r, double *cuts, hcbr_error *err) {
    valued *list = NULL;
    size_t values = 0;
    uint32_t other = 0;
    hcbr_status st = find_reading(cases, r, err);
    if (st == HCBR_OK)
        st = count_values(cases, r, &list, &values, &other, false, err);
    if (st == HCBR_OK && values == 0)
        st = no_number(cases, other, err);
    if (st == HCBR_OK && r->kind.ambiguous && !r->kind.plain)
        st = two_readings(cases, r, err);
    if (st == HCBR_OK && r->bins.quantiles) {
        r->bins.count = cut(list, values, count_all(list, values), r->bins.quantiles, cuts);
        if (r->bins.count == 0)
            st = hcbr_i_fail(err, HCBR_EDATA,
                             "found %zu different number%s as labels, too few to make ranges of "
                             "(option bins)",
                             values, values == 1 ? "" : "s");
    }
    hcbr_i_free(list);
    return st == HCBR_OK ? relabel(cases, r, cuts, err) : st;
}

/* Whether all labels are ranges already, as in a list derived from another one. */
static bool are_ranges(const hcbr_i_labels *labels) {
    double upper;
    for (uint32_t l = 0; l < labels->count; l++)
        if (!hcbr_i_bins_is_name(labels->names[l], labels->lengths[l], &upper))
            return false;
    return true;
}

hcbr_status hcbr_i_cases_settle_labels(hcbr_cases *cases, hcbr_error *err) {
    reading r = {0};
    if (!cases->bins)
        return cases->judged ? judge(cases, err) : HCBR_OK;
    double *cuts = hcbr_i_alloc(HCBR_I_MOST_BINS, sizeof *cuts);
    if (!cuts)
        return hcbr_i_no_memory(err);
    (void)!hcbr_i_bins_parse(&r.bins, cases->bins, cuts); // it was checked
    hcbr_status st = r.bins.count > 0 && are_ranges(&cases->labels)
                         ? HCBR_OK
                         : make_ranges(cases, &r, cuts, err);
    hcbr_i_free(r.cases);
    hcbr_i_free(cuts);
    return st;
}
