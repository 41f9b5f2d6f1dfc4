/*
 * Decisions by costs and by cuts.
 *
 * A decision by costs is the answer with the least expected cost, given the probabilities of the
 * labels. Ties go to the first label; no decision only if it is cheaper than every label. With two
 * labels the expected costs are straight lines in the probability of the second one: the first
 * label is the cheapest up to one threshold, the second above another, and no decision between
 * them. The thresholds are computed once, so that rounding cannot make a decision change back.
 *
 * Invariant: the list of prices holds the differences from the default costs (1 for a wrong answer,
 * 0 for a right one, none for no decision), by truth and then by answer, no decision last.
 */
#include "tune/tune.h"

#include <math.h>

void hcbr_i_costs_clear(hcbr_i_costs *costs) {
    hcbr_i_free(costs->prices);
    hcbr_i_free(costs->by_given);
    *costs = (hcbr_i_costs){0};
}

double hcbr_i_costs_of(const hcbr_i_costs *c, uint32_t truth, hcbr_label given) {
    uint32_t row = given < 0 ? c->labels : (uint32_t)given;
    return c->by_given[(size_t)row * c->labels + truth];
}

/* ---- cuts ------------------------------------------------------------------------------------ */

/* Two labels: the end of the range where the first is cheapest, and the start of that of the
 * second. */
static void cut_of(hcbr_i_costs *c) {
    double first = hcbr_i_costs_of(c, 1, 0), second = hcbr_i_costs_of(c, 0, 1);
    double even = first + second > 0 ? second / (first + second) : 1; // both are free: the first
    c->cut = (hcbr_cut){even, even};
    if (!c->refuses)
        return;
    double none[2] = {hcbr_i_costs_of(c, 0, HCBR_LABEL_UNKNOWN),
                      hcbr_i_costs_of(c, 1, HCBR_LABEL_UNKNOWN)};
    double below = first - none[1] + none[0], beyond = second - none[0];
    if (below > 0 && none[0] / below < even)
        c->cut.low = none[0] / below;
    if (beyond > 0 && beyond / (beyond + none[1]) > even)
        c->cut.high = nextafter(beyond / (beyond + none[1]), 0); // ties go to a label
}

hcbr_label hcbr_i_cut_decide(hcbr_cut cut, double score) {
    return score <= cut.low ? 0 : score > cut.high ? 1 : HCBR_LABEL_UNKNOWN;
}

/* ---- costs ----------------------------------------------------------------------------------- */

hcbr_status hcbr_i_costs_index(hcbr_i_costs *c, hcbr_error *err) {
    const size_t labels = c->labels;
    c->by_given = hcbr_i_alloc(labels + 1, labels * sizeof *c->by_given);
    if (!c->by_given)
        return hcbr_i_no_memory(err);
    for (size_t given = 0; given <= labels; given++)
        for (size_t truth = 0; truth < labels; truth++)
            c->by_given[given * labels + truth] = given != truth;
    for (uint32_t i = 0; i < c->price_count; i++) {
        const hcbr_i_price *p = &c->prices[i];
        size_t row = p->given < 0 ? labels : (size_t)p->given;
        c->by_given[row * labels + p->truth] = p->cost;
        c->refuses |= p->given < 0;
    }
    if (labels == 2)
        cut_of(c);
    return HCBR_OK;
}

/* The label of a name; HCBR_I_NONE, with a warning, if no case has it. */
static uint32_t find_label(const hcbr_i_labels *labels, const char *name, hcbr_notify_fn *warn,
                           void *context) {
    char quoted[200];
    uint32_t label = hcbr_i_labels_find(labels, name, strlen(name));
    if (label == HCBR_I_NONE)
        hcbr_i_notify(warn, context, HCBR_WARNING, NULL, 0, 0, "no case has the label %s",
                      hcbr_i_quote(quoted, name, strlen(name)));
    return label;
}

static hcbr_status check_cost(const hcbr_cost *cost, hcbr_error *err) {
    char quoted[200];
    if (!(cost->cost >= 0 && cost->cost <= HCBR_I_MOST_COST))
        return hcbr_i_fail(err, HCBR_EUSAGE, "cost %g, expected 0 to %g", cost->cost,
                           HCBR_I_MOST_COST);
    if (!cost->truth && cost->given)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a cost of giving %s without what is true, expected a label",
                           hcbr_i_quote(quoted, cost->given, strlen(cost->given)));
    if (cost->truth && cost->given && strcmp(cost->truth, cost->given) == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "a cost of giving %s where it is true, expected another label: a right "
                           "answer costs nothing",
                           hcbr_i_quote(quoted, cost->given, strlen(cost->given)));
    return HCBR_OK;
}

/* From the whole table to the list of its unusual entries. */
static hcbr_status list_prices(hcbr_i_costs *c, const double *table, bool refuses,
                               hcbr_error *err) {
    const uint32_t labels = c->labels;
    for (int step = 0; step < 2; step++) {
        uint32_t count = 0;
        for (uint32_t truth = 0; truth < labels; truth++)
            for (uint32_t given = 0; given < labels + refuses; given++) {
                double cost = table[(size_t)given * labels + truth];
                if (given < labels && cost == (given != truth))
                    continue;
                if (step)
                    c->prices[count] = (hcbr_i_price){
                        truth, given < labels ? (hcbr_label)given : HCBR_LABEL_UNKNOWN, cost};
                count++;
            }
        if (!step && !(c->prices = hcbr_i_alloc(count, sizeof *c->prices)))
            return hcbr_i_no_memory(err);
        c->price_count = count;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_costs_make(hcbr_i_costs *out, const hcbr_i_labels *labels, const hcbr_cost *list,
                              size_t count, hcbr_notify_fn *warn, void *warn_context,
                              hcbr_error *err) {
    const size_t k = labels->count;
    hcbr_status st = HCBR_OK;
    bool refuses = false;
    *out = (hcbr_i_costs){.labels = labels->count};
    if (k > HCBR_I_MOST_COST_LABELS)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%zu labels, expected at most %d to decide by costs",
                           k, HCBR_I_MOST_COST_LABELS);
    if ((st = hcbr_i_costs_index(out, err)) != HCBR_OK) // the usual ones
        return st;
    for (size_t n = 0; st == HCBR_OK && n < 2 * count; n++) { // first the entries for every truth
        const hcbr_cost *c = &list[n % count];
        if ((st = check_cost(c, err)) != HCBR_OK || !c->truth != (n < count))
            continue;
        uint32_t truth = c->truth ? find_label(labels, c->truth, warn, warn_context) : HCBR_I_NONE;
        uint32_t given =
            c->given ? find_label(labels, c->given, warn, warn_context) : labels->count;
        if (given == HCBR_I_NONE || (c->truth && truth == HCBR_I_NONE))
            continue;
        refuses |= !c->given;
        for (uint32_t t = 0; t < k; t++)
            if (!c->truth || t == truth)
                out->by_given[(size_t)given * k + t] = c->cost;
    }
    if (st == HCBR_OK)
        st = list_prices(out, out->by_given, refuses, err);
    hcbr_i_free(out->by_given);
    out->by_given = NULL;
    if (st == HCBR_OK)
        st = hcbr_i_costs_index(out, err);
    if (st != HCBR_OK)
        hcbr_i_costs_clear(out);
    return st;
}

hcbr_status hcbr_i_costs_copy(hcbr_i_costs *out, const hcbr_i_costs *costs, hcbr_error *err) {
    *out = (hcbr_i_costs){.labels = costs->labels, .price_count = costs->price_count};
    if (!(out->prices = hcbr_i_alloc(costs->price_count, sizeof *out->prices)))
        return hcbr_i_no_memory(err);
    if (costs->price_count)
        memcpy(out->prices, costs->prices, costs->price_count * sizeof *out->prices);
    hcbr_status st = hcbr_i_costs_index(out, err);
    if (st != HCBR_OK)
        hcbr_i_costs_clear(out);
    return st;
}

static double expected(const hcbr_i_costs *c, const double *probability, size_t row) {
    const double *cost = c->by_given + row * c->labels;
    double sum = 0;
    for (uint32_t truth = 0; truth < c->labels; truth++)
        sum += probability[truth] * cost[truth];
    return sum;
}

/* Whether a is above b by more than the rounding of sums. */
static bool is_dearer(double a, double b) {
    return a - b > HCBR_I_TIE * (a + b);
}

hcbr_label hcbr_i_costs_decide(const hcbr_i_costs *c, const double *probability) {
    uint32_t best = 0;
    if (c->labels == 2)
        return hcbr_i_cut_decide(c->cut, probability[1]);
    double least = expected(c, probability, 0);
    for (uint32_t given = 1; given < c->labels; given++) {
        double cost = expected(c, probability, given);
        if (is_dearer(least, cost)) {
            least = cost;
            best = given;
        }
    }
    return c->refuses && is_dearer(least, expected(c, probability, c->labels)) ? HCBR_LABEL_UNKNOWN
                                                                               : (hcbr_label)best;
}
