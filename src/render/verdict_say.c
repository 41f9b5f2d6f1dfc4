/*
 * The verdict on a model in sentences: how far to rely on it, its criterion and the reasons, and
 * whether its probabilities are calibrated. Text, JSON and pages show the same ones.
 */
#include "render/render.h"

#include <math.h>
#include <stdio.h>

typedef char shown[HCBR_I_PRINTED];

static const char *show(shown text, double value) {
    hcbr_i_print(text, 'f', 3, value);
    return text;
}

static const char *show_share(char text[HCBR_PERCENT_SIZE], double share) {
    hcbr_percent_say(text, isnan(share) ? 0 : share, 1);
    return text;
}

/* Hundredths of a probability. */
static const char *show_points(shown text, double share) {
    hcbr_i_print(text, 'f', 1, 100 * share);
    return text;
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static const char *verdict_of(const hcbr_verdict *v) {
    static const char *const SAYS[][4] = {
        [HCBR_PURPOSE_ACCURACY] =
            {"Do not rely on it: it is not clearly better than giving always the most frequent "
             "label.",
             "Weak: better than giving always the most frequent label, but not by much.",
             "Useful, but to be used with care: it is often wrong.",
             "It can be relied on, within its figures."},
        [HCBR_PURPOSE_ANSWERS] =
            {"Do not rely on it: its answers are not clearly better than giving always the most "
             "frequent label.",
             "Weak: its answers are better than the most frequent label, but not by much.",
             "Useful where it answers, but to be used with care.",
             "Where it answers, it can be relied on, within its figures."},
        [HCBR_PURPOSE_UNBALANCED] =
            {"Do not rely on it: it does not clearly rank cases better than chance.",
             "Weak: it ranks cases better than chance, but not by much.",
             "Useful to rank cases, but to be used with care: the order has mistakes.",
             "It ranks cases well and can be relied on for that, within its figures."},
        [HCBR_PURPOSE_COST] = {
            "Do not rely on it: it does not clearly cost less than the cheapest single answer.",
            "Weak: it costs less than the cheapest single answer, but not by much.",
            "Useful: it costs clearly less than the cheapest single answer.",
            "It can be relied on for its costs: it saves half of them or more."}};
    if (v->share == 1)
        return "All cases have one label: there is nothing to be told apart.";
    if (v->purpose == HCBR_PURPOSE_ACCURACY && v->grade == HCBR_GRADE_GOOD && !isnan(v->error) &&
        !v->calibrated)
        return "Its answers can be relied on, its probabilities less.";
    return SAYS[v->purpose == HCBR_PURPOSE_CUT ? HCBR_PURPOSE_UNBALANCED : v->purpose][v->grade];
}

/* If cases repeat, figures are partly those of memory: they may be worse for new cases. */
static void say_verdict(char *text, const hcbr_evaluation *e, const hcbr_verdict *v) {
    const hcbr_evaluation *together = hcbr_evaluation_get_together(e);
    hcbr_verdict apart = {.size = sizeof apart};
    int used = snprintf(text, HCBR_VERDICT_SIZE, "%s", verdict_of(v));
    if (together)
        hcbr_evaluation_get_verdict(together, &apart);
    if (together && apart.grade < v->grade) {
        const char *says = verdict_of(&apart);
        snprintf(text + used, HCBR_VERDICT_SIZE - (size_t)used,
                 " For cases that equal no past case: %c%s", says[0] - 'A' + 'a', says + 1);
    }
}

/* ---- the criterion --------------------------------------------------------------------------- */

static double value_of(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_figure(e, metric, HCBR_LABEL_UNKNOWN, &figure);
    return figure.value;
}

static double baseline_of(const hcbr_evaluation *e, hcbr_metric metric) {
    hcbr_figure figure = {.size = sizeof figure};
    hcbr_evaluation_get_baseline(e, metric, &figure);
    return figure.value;
}

/* " (0.712 to 0.793)", or nothing. */
static void say_range(char text[64], const hcbr_verdict *v, bool percent) {
    char low[HCBR_I_PRINTED + HCBR_PERCENT_SIZE], high[sizeof low];
    text[0] = '\0';
    if (isnan(v->low))
        return;
    if (percent)
        snprintf(text, 64, " (%.20s to %.20s)", show_share(low, v->low), show_share(high, v->high));
    else
        snprintf(text, 64, " (%.20s to %.20s)", show(low, v->low), show(high, v->high));
}

/* Why neither costs nor the order of the cases is judged. */
static const char *reason_of(const hcbr_evaluation *e, const hcbr_verdict *v) {
    return v->share >= 1 ? "all cases have one label"
           : isnan(value_of(e, HCBR_METRIC_AUC))
               ? "the cases have no order and the rule has no costs"
               : "no label has four fifths of the cases and the rule has no costs";
}

static void say_right(char *text, const hcbr_evaluation *e, const hcbr_verdict *v) {
    char share[HCBR_PERCENT_SIZE], value[HCBR_PERCENT_SIZE], baseline[HCBR_PERCENT_SIZE], range[64];
    say_range(range, v, true);
    show_share(value, v->value);
    show_share(baseline, v->baseline);
    if (v->purpose == HCBR_PURPOSE_ANSWERS)
        snprintf(text, HCBR_VERDICT_SIZE,
                 "Judged by its answers, because it leaves %s of the cases undecided: %s of the "
                 "others are right%s; of all cases always the most frequent label would be right "
                 "in %s.",
                 show_share(share, value_of(e, HCBR_METRIC_UNKNOWN)), value, range, baseline);
    else
        snprintf(text, HCBR_VERDICT_SIZE,
                 "Judged by right answers, because %s: %s are right%s; always the most frequent "
                 "label would be right in %s.",
                 reason_of(e, v), value, range, baseline);
}

static void say_ranks(char *text, const hcbr_evaluation *e, const hcbr_verdict *v) {
    char share[HCBR_PERCENT_SIZE], range[64], reason[120], first[120] = "";
    shown area, precision, chance, at;
    say_range(range, v, false);
    if (v->purpose == HCBR_PURPOSE_CUT)
        snprintf(reason, sizeof reason, "a threshold that was chosen decides");
    else
        snprintf(reason, sizeof reason, "%s of the cases have one label",
                 show_share(share, v->share));
    if (!isnan(value_of(e, HCBR_METRIC_PRECISION_AT)))
        snprintf(first, sizeof first, ", precision among the first %s",
                 show(at, value_of(e, HCBR_METRIC_PRECISION_AT)));
    snprintf(text, HCBR_VERDICT_SIZE,
             "Judged by the order of the cases, because %s: area under the ROC curve %s%s, by "
             "chance 0.5; mean precision %s%s, by chance %s.",
             reason, show(area, v->value), range, show(precision, value_of(e, HCBR_METRIC_PR_AUC)),
             first, show(chance, baseline_of(e, HCBR_METRIC_PR_AUC)));
}

static void say_cost(char *text, const hcbr_verdict *v) {
    shown value, baseline, relative;
    char range[64];
    say_range(range, v, false);
    snprintf(text, HCBR_VERDICT_SIZE,
             "Judged by cost, because the rule has costs: an answer costs %s on average%s, always "
             "the cheapest single answer %s; relative cost %s.",
             show(value, v->value), range, show(baseline, v->baseline),
             v->baseline > 0 ? show(relative, v->value / v->baseline) : "unknown");
}

static void say_why(char *text, const hcbr_evaluation *e, const hcbr_verdict *v) {
    if (v->purpose == HCBR_PURPOSE_COST)
        say_cost(text, v);
    else if (v->metric == HCBR_METRIC_AUC)
        say_ranks(text, e, v);
    else
        say_right(text, e, v);
    size_t used = strlen(text);
    if (v->share < 1)
        snprintf(text + used, HCBR_VERDICT_SIZE - used, "%s",
                 v->better ? " The difference is more than chance explains."
                           : " The difference may be chance.");
}

/* ---- probabilities --------------------------------------------------------------------------- */

static void say_probabilities(char *text, const hcbr_verdict *v) {
    shown error, mean, most;
    show_points(error, v->error);
    show_points(mean, v->error_mean);
    show_points(most, v->error_most);
    if (isnan(v->error))
        snprintf(text, HCBR_VERDICT_SIZE,
                 "It gives no probabilities: how sure it is of an answer cannot be read off.");
    else if (!v->calibrated)
        snprintf(text, HCBR_VERDICT_SIZE,
                 "Its probabilities are not to be taken at their word: they are off by %s points "
                 "on average, and exact ones would seem off by %s.",
                 error, mean);
    else if (v->error > v->error_most)
        snprintf(text, HCBR_VERDICT_SIZE,
                 "Its probabilities are nearly right: they are off by %s points on average, and "
                 "exact ones would seem off by %s.",
                 error, mean);
    else
        snprintf(text, HCBR_VERDICT_SIZE,
                 "Its probabilities hold, as far as these cases can show: they are off by %s "
                 "points on average, and exact ones would seem off by %s, by chance up to %s.",
                 error, mean, most);
}

void hcbr_verdict_say(const hcbr_evaluation *evaluation, hcbr_verdict_part part,
                      char text[HCBR_VERDICT_SIZE]) {
    hcbr_verdict v = {.size = sizeof v};
    hcbr_evaluation_get_verdict(evaluation, &v);
    text[0] = '\0';
    if (part == HCBR_SAYS_VERDICT)
        say_verdict(text, evaluation, &v);
    else if (part == HCBR_SAYS_WHY)
        say_why(text, evaluation, &v);
    else if (part == HCBR_SAYS_PROBABILITIES)
        say_probabilities(text, &v);
}
