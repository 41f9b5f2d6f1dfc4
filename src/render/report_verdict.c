/*
 * Whether to trust the model: the verdict of the evaluation, its basis, and weaknesses.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

#define TOO_GOOD 0.99 /* accuracy that makes one look for a column that gives labels away */
#define COPIES 0.2    /* share of copies that makes the accuracy on others worth saying */

typedef struct verdict {
    const hcbr_i_node *e;    /* the evaluation */
    const hcbr_i_node *says; /* its verdict */
    double accuracy, low, high, unknown;
    const hcbr_i_node *weakest; /* label with the smallest recall */
    double recall;
} verdict;

static verdict look(const hcbr_report *report) {
    const hcbr_i_node *e = hcbr_i_report_find(report, "evaluate");
    const hcbr_i_node *ci = hcbr_i_node_get(e, "accuracy.ci");
    verdict v = {.e = e,
                 .says = hcbr_i_node_get(e, "verdict"),
                 .accuracy = hcbr_i_node_number(e, "accuracy.value"),
                 .low = hcbr_i_node_at(ci, 0)->number,
                 .high = hcbr_i_node_at(ci, 1)->number,
                 .unknown = hcbr_i_node_number(e, "unknown"),
                 .recall = NAN};
    const hcbr_i_node *labels = hcbr_i_node_get(e, "labels");
    for (const hcbr_i_node *l = labels->first; l; l = l->next) {
        double recall = hcbr_i_node_number(l, "recall.value");
        if (!isnan(recall) && !(recall >= v.recall)) {
            v.recall = recall;
            v.weakest = hcbr_i_node_get(l, "name");
        }
    }
    return v;
}

/* ---- sentences ------------------------------------------------------------------------------- */

/* A model that exists was evaluated, on cases that may be any. */
static bool is_stored(const verdict *v) {
    return isnan(hcbr_i_node_number(v->e, "fit_seconds"));
}

static void say_item(hcbr_writer *w, const hcbr_i_node *sentence) {
    HTML(w, NULL, OURS("<li>"), NODE(sentence), OURS("</li>\n"));
}

static void say_accuracy(hcbr_writer *w, const verdict *v) {
    HTML(w, NULL, OURS("<li>It is right in <strong>"), PERCENT(v->accuracy),
         OURS(is_stored(v) ? "</strong> of the cases given"
                           : "</strong> of the cases that it had not seen"));
    if (!isnan(v->low))
        HTML(w, NULL, OURS(" (on new ones of the kind probably "), PERCENT(v->low), OURS(" to "),
             PERCENT(v->high), OURS(")"));
    HTML(w, NULL, OURS(". To give always the most frequent label would be right in "),
         PERCENT(hcbr_i_node_number(v->e, "accuracy.baseline")), OURS(".</li>\n"));
}

static void say_weak(hcbr_writer *w, const verdict *v, const hcbr_report *report) {
    if (is_stored(v))
        hcbr_i_html(w, "<li>All this holds only if the model was not built from these cases.</li>"
                       "\n");
    double copies = hcbr_i_node_number(v->e, "copies.value");
    double serious = hcbr_i_node_number(hcbr_i_report_find(report, "audit"), "serious");
    if (v->weakest)
        HTML(w, NULL, OURS("<li>Weakest label: <strong>"), NODE(v->weakest),
             OURS("</strong>, of whose cases "), PERCENT(v->recall), OURS(" get it.</li>\n"));
    if (v->unknown > 0.005)
        HTML(w, NULL, OURS("<li>It gives no answer in "), PERCENT(v->unknown),
             OURS(" of the cases, which count as wrong.</li>\n"));
    if (v->high - v->low > 0.2)
        hcbr_i_html(w, "<li>The cases are few: the true accuracy may be quite another one.</li>\n");
    if (v->accuracy >= TOO_GOOD)
        hcbr_i_html(w, "<li>Nearly all answers are right. Is there a column that is filled in only "
                       "when the label is known?</li>\n");
    if (copies > COPIES)
        HTML(w, NULL, OURS("<li>"), PERCENT(copies),
             OURS(" of the held-out cases equal a training case; on the others "),
             PERCENT(hcbr_i_node_number(v->e, "accuracy_new.value")), OURS(" are right.</li>\n"));
    if (serious > 0)
        HTML(w, NULL, OURS("<li>The data have serious problems: <a href=\"#data\">"),
             WHOLE((uint64_t)serious),
             OURS(serious == 1 ? " finding</a>.</li>\n" : " findings</a>.</li>\n"));
}

static void say_drift(hcbr_writer *w, const hcbr_report *report) {
    const hcbr_i_node *d = hcbr_i_report_find(report, "drift");
    if (d->kind != HCBR_I_NODE_OBJECT)
        return;
    hcbr_i_html(w, hcbr_i_node_number(d, "drifted") != 0
                       ? "<li>The new data are <strong>not like those of training</strong>: <a "
                         "href=\"#drift\">what changed</a>.</li>\n"
                       : "<li>The new data look like those of training.</li>\n");
}

/* ---- the verdict ----------------------------------------------------------------------------- */

static const char *class_of(const hcbr_i_node *grade) {
    return hcbr_i_node_is(grade, "good")     ? "good"
           : hcbr_i_node_is(grade, "useful") ? "fair"
                                             : "poor";
}

/* The message for results without an evaluation: no judgement of the model. */
static void put_no_verdict(hcbr_writer *w, const hcbr_report *report) {
    const hcbr_i_node *tune = hcbr_i_report_find(report, "tune");
    double accuracy = hcbr_i_node_number(tune, "held_out.accuracy.mean");
    hcbr_i_html(w, "<div class=\"verdict\"><p>");
    if (!isnan(accuracy)) {
        HTML(w, NULL, OURS("Models tuned like this one are right in "), PERCENT(accuracy),
             OURS(" of the cases that they had not seen."));
    } else
        hcbr_i_html(w, "These results do not say how well the model decides new cases.");
    hcbr_i_html(w, "</p>\n<ul>\n");
    if (isnan(accuracy))
        hcbr_i_html(w, "<li>To know it, make a report of labelled cases that the model has not "
                       "seen, or of the data it is built from.</li>\n");
    say_drift(w, report);
    hcbr_i_html(w, "</ul></div>\n");
}

void hcbr_i_report_verdict(hcbr_writer *w, const hcbr_report *report) {
    verdict v = look(report);
    if (!hcbr_i_node_get(v.says, "says")->text.at) {
        put_no_verdict(w, report);
        return;
    }
    HTML(w, NULL, OURS("<div class=\"verdict "), OURS(class_of(hcbr_i_node_get(v.says, "grade"))),
         OURS("\"><p>"), NODE(hcbr_i_node_get(v.says, "says")), OURS("</p>\n<ul>\n"));
    say_item(w, hcbr_i_node_get(v.says, "why"));
    if (!hcbr_i_node_is(hcbr_i_node_get(v.says, "about"), "accuracy"))
        say_accuracy(w, &v);
    say_item(w, hcbr_i_node_get(v.says, "probabilities"));
    say_weak(w, &v, report);
    say_drift(w, report);
    hcbr_i_html(w, "</ul></div>\n");
}
