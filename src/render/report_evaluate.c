/*
 * How well a model decides: the metrics compared with those of the most frequent label, the
 * confusion matrix, each label, and the calibration of probabilities.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

enum { MATRIX = 12 }; /* labels that a matrix has room for */

/* ---- measures -------------------------------------------------------------------------------- */

static void put_measure(hcbr_writer *w, const hcbr_i_node *e, const char *key, const char *name) {
    const hcbr_i_node *figure = hcbr_i_node_get(e, key);
    double value = hcbr_i_node_number(figure, "value");
    const hcbr_i_node *ci = hcbr_i_node_get(figure, "ci");
    const hcbr_i_node *together = hcbr_i_node_get(e, "together"); // empty: rows do not repeat
    if (isnan(value))
        return;
    HTML(w, NULL, OURS("<tr><th scope=\"row\">"), OURS(name), OURS("</th>"), ROUND_CELL(value, 4),
         OURS("<td class=\"n\">"));
    if (ci->count == 2) {
        HTML(w, NULL, ROUNDED(hcbr_i_node_at(ci, 0)->number, 3), OURS(" to "),
             ROUNDED(hcbr_i_node_at(ci, 1)->number, 3));
    } else
        hcbr_i_html(w, "–");
    HTML(w, NULL, OURS("</td>"), ROUND_CELL(hcbr_i_node_number(figure, "baseline"), 4));
    if (together->count)
        hcbr_i_report_cell(w, hcbr_i_node_number(hcbr_i_node_get(together, key), "value"), 4);
    hcbr_i_html(w, "</tr>\n");
}

static void put_measures(hcbr_writer *w, const hcbr_i_node *e) {
    static const char *const COLUMNS[] = {"Measure", "This model", "Interval of 95 %",
                                          "Most frequent label", NULL};
    static const char *const BESIDE[] = {
        "Measure", "This model", "Interval of 95 %", "Most frequent label", "Equal rows together",
        NULL};
    const bool repeat = hcbr_i_node_get(e, "together")->count > 0;
    static const char *const KEYS[][2] = {
        {"accuracy", "Accuracy"},
        {"mcc", "Matthews&#39; correlation"},
        {"f1", "F1"},
        {"recall", "Recall"},
        {"specificity", "Specificity"},
        {"precision", "Precision"},
        {"npv", "Negative predictive value"},
        {"precision_at", "Precision among the first cases"},
        {"auc", "Area under the ROC curve"},
        {"pr_auc", "Area under precision by recall"},
        {"log_loss", "Log-loss (less is better)"},
        {"brier", "Brier score (less is better)"},
        {"ece", "Calibration error (less is better)"},
        {"cost", "Cost of an answer (less is better)"},
        {"accuracy_decided", "Accuracy where there is an answer"}};
    hcbr_i_report_open_table(w, "Measures", repeat ? BESIDE : COLUMNS);
    for (size_t n = 0; n < sizeof KEYS / sizeof *KEYS; n++)
        put_measure(w, e, KEYS[n][0], KEYS[n][1]);
    hcbr_i_report_open_table_end(w);
    if (repeat)
        hcbr_i_html(w, "<p>Rows repeat: some held-out rows equal a row that was learnt from. The "
                       "last column is measured with equal rows held out together. It says what to "
                       "expect of cases that no past case equals.</p>\n");
}

/* ---- the confusion matrix -------------------------------------------------------------------- */

static double count_of(const hcbr_i_node *e, const hcbr_i_node *truth, const hcbr_i_node *label) {
    const hcbr_i_node *list = hcbr_i_node_get(e, "confusion");
    for (const hcbr_i_node *n = list->first; n; n = n->next) {
        hcbr_i_text t = hcbr_i_node_get(n, "truth")->text, l = hcbr_i_node_get(n, "label")->text;
        if (t.at && hcbr_i_text_same(t, truth->text) &&
            (label ? l.at && label->text.at && hcbr_i_text_same(l, label->text) : !l.at))
            return hcbr_i_node_number(n, "count");
    }
    return 0;
}

static bool has_unknown(const hcbr_i_node *e) {
    const hcbr_i_node *list = hcbr_i_node_get(e, "confusion");
    for (const hcbr_i_node *n = list->first; n; n = n->next)
        if (!hcbr_i_node_get(n, "label")->text.at)
            return true;
    return false;
}

static void put_matrix_row(hcbr_writer *w, const hcbr_i_node *e, const hcbr_i_node *truth,
                           bool unknown) {
    const hcbr_i_node *labels = hcbr_i_node_get(e, "labels");
    hcbr_i_report_row_name(w, truth);
    for (const hcbr_i_node *l = labels->first; l; l = l->next) {
        const hcbr_i_node *name = hcbr_i_node_get(l, "name");
        bool hit = name->text.at && hcbr_i_text_same(name->text, truth->text);
        HTML(w, NULL, OURS(hit ? "<td class=\"n hit\">" : "<td class=\"n\">"),
             ROUNDED(count_of(e, truth, name), 9), OURS("</td>"));
    }
    if (unknown)
        hcbr_i_report_cell(w, count_of(e, truth, NULL), 9);
    hcbr_i_html(w, "</tr>\n");
}

static void put_matrix(hcbr_writer *w, const hcbr_i_node *e) {
    const hcbr_i_node *labels = hcbr_i_node_get(e, "labels");
    bool unknown = has_unknown(e);
    if (labels->count == 0)
        return;
    if (labels->count > MATRIX) {
        hcbr_i_report_rows(w, "Confusion: how often each label got which answer",
                           hcbr_i_node_get(e, "confusion"));
        return;
    }
    hcbr_i_html(w, "<div class=\"scroll\" tabindex=\"0\"><table><caption>Confusion matrix: true "
                   "labels in rows, "
                   "answers in columns</caption><thead><tr><th scope=\"col\">True label</th>");
    for (const hcbr_i_node *l = labels->first; l; l = l->next)
        HTML(w, NULL, OURS("<th scope=\"col\" class=\"n\">"), NODE(hcbr_i_node_get(l, "name")),
             OURS("</th>"));
    hcbr_i_html(w, unknown ? "<th scope=\"col\" class=\"n\">no answer</th></tr></thead><tbody>\n"
                           : "</tr></thead><tbody>\n");
    for (const hcbr_i_node *l = labels->first; l; l = l->next)
        if (hcbr_i_node_get(l, "name")->text.at)
            put_matrix_row(w, e, hcbr_i_node_get(l, "name"), unknown);
    hcbr_i_report_open_table_end(w);
}

static void put_labels(hcbr_writer *w, const hcbr_i_node *e) {
    static const char *const COLUMNS[] = {"Label",    "Recall",  "Precision", "F1",
                                          "ROC area", "PR area", NULL};
    static const hcbr_i_column CELLS[] = {
        {"name", 0},     {"recall.value", 4}, {"precision.value", 4},
        {"f1.value", 4}, {"auc.value", 4},    {"pr_auc.value", 4},
        {NULL, 0}};
    const hcbr_i_node *labels = hcbr_i_node_get(e, "labels");
    if (labels->count == 0)
        return;
    hcbr_i_report_open_list(w, "Each label against the others", COLUMNS, labels, CELLS);
}

/* ---- reliability ----------------------------------------------------------------------------- */

static void put_reliability(hcbr_writer *w, const hcbr_i_node *e) {
    static const hcbr_i_chart CHART = {.title = "Do probabilities hold?",
                                       .x_name = "probability that was given",
                                       .y_name = "share that came true",
                                       .x_high = 1,
                                       .y_high = 1};
    static const char *const NAMES[] = {"held-out cases: the larger, the more", "as it should be",
                                        NULL};
    static const char *const STYLES[] = {"right", "hint"};
    static const char *const COLUMNS[] = {"Probabilities", "Cases", "Mean probability", "Came true",
                                          NULL};
    const hcbr_i_node *bins = hcbr_i_node_get(e, "reliability");
    double most = hcbr_i_node_most(bins, "count", 1);
    if (bins->count == 0)
        return;
    hcbr_i_chart_begin(w, &CHART);
    hcbr_i_chart_line(w, &CHART, 0, 0, 1, 1, "hint");
    for (const hcbr_i_node *b = bins->first; b; b = b->next)
        hcbr_i_chart_disc(w, &CHART, hcbr_i_node_number(b, "probability"),
                          hcbr_i_node_number(b, "share"),
                          sqrt(hcbr_i_node_number(b, "count") / most));
    hcbr_i_chart_end(w);
    hcbr_i_chart_legend(w, NAMES, STYLES);
    hcbr_i_report_table(w, "Table: probabilities and what came true", COLUMNS);
    for (const hcbr_i_node *b = bins->first; b; b = b->next) {
        if (!(hcbr_i_node_number(b, "count") > 0))
            continue;
        HTML(w, NULL, OURS("<tr><th scope=\"row\">"), ROUNDED(hcbr_i_node_number(b, "low"), 3),
             OURS(" to "), ROUNDED(hcbr_i_node_number(b, "high"), 3), OURS("</th>"),
             ROUND_CELL(hcbr_i_node_number(b, "count"), 9),
             ROUND_CELL(hcbr_i_node_number(b, "probability"), 4),
             ROUND_CELL(hcbr_i_node_number(b, "share"), 4), OURS("</tr>\n"));
    }
    hcbr_i_report_table_end(w);
    hcbr_i_figure_end(w);
}

/* Of each answer, by its probability. */
static void put_answered(hcbr_writer *w, const hcbr_i_node *e) {
    static const char *const COLUMNS[] = {"Answer", "Its probability", "Cases",
                                          "Right",  "Share",           NULL};
    const hcbr_i_node *list = hcbr_i_node_get(e, "answered");
    if (list->count == 0)
        return;
    hcbr_i_report_table(w, "Table: how often answers were right, by their probability", COLUMNS);
    for (const hcbr_i_node *b = list->first; b; b = b->next) {
        hcbr_i_report_row_name(w, hcbr_i_node_get(b, "label"));
        HTML(w, NULL, OURS("<td>"), PERCENT(hcbr_i_node_number(b, "from")), OURS(" to "),
             PERCENT(hcbr_i_node_number(b, "to")), OURS("</td>"),
             ROUND_CELL(hcbr_i_node_number(b, "cases"), 15),
             ROUND_CELL(hcbr_i_node_number(b, "right"), 15), OURS("<td class=\"n\">"),
             PERCENT(hcbr_i_node_number(b, "right") / hcbr_i_node_number(b, "cases")),
             OURS("</td></tr>\n"));
    }
    hcbr_i_report_table_end(w);
}

static void put_tuned(hcbr_writer *w, const hcbr_i_node *t) {
    static const char *const COLUMNS[] = {"Measure", "Mean", "Deviation over the folds", NULL};
    const hcbr_i_node *held = hcbr_i_node_get(t, "held_out");
    if (held->kind != HCBR_I_NODE_OBJECT)
        return;
    hcbr_i_html(w, "<section id=\"tuned\"><h2>How the rule was chosen</h2>\n<p>");
    if (hcbr_i_node_get(t, "why")->text.at)
        hcbr_i_report_text(w, hcbr_i_node_get(t, "why"));
    else
        hcbr_i_html(w, "There was nothing to choose.");
    hcbr_i_html(w, "</p>\n");
    hcbr_i_report_open_table(w, "Models tuned like this one, on cases they had not seen", COLUMNS);
    for (const hcbr_i_node *m = held->first; m; m = m->next) {
        if (isnan(hcbr_i_node_number(m, "mean")))
            continue;
        HTML(w, NULL, OURS("<tr><th scope=\"row\">"), BARE(m->key.at, m->key.length), OURS("</th>"),
             ROUND_CELL(hcbr_i_node_number(m, "mean"), 4),
             ROUND_CELL(hcbr_i_node_number(m, "sd"), 4), OURS("</tr>\n"));
    }
    hcbr_i_report_open_table_end(w);
    hcbr_i_html(w, "</section>\n");
}

/* The scope of the figures. */
static void say_pooled(hcbr_writer *w, const hcbr_i_node *e) {
    if (hcbr_i_node_number(e, "folds") == 1)
        return;
    hcbr_i_html(w, hcbr_i_node_number(e, "by_parts") != 0
                       ? " Figures are means over the parts, but for the calibration error and the "
                         "matrix."
                       : " A part holds fewer than 10 cases of a label, or fewer than 10 others: "
                         "figures are those of all decisions together.");
}

void hcbr_i_report_evaluate(hcbr_writer *w, const hcbr_report *report) {
    const hcbr_i_node *e = hcbr_i_report_find(report, "evaluate");
    put_tuned(w, hcbr_i_report_find(report, "tune"));
    if (e->kind != HCBR_I_NODE_OBJECT)
        return;
    HTML(w, NULL, OURS("<section id=\"decides\"><h2>How well it decides</h2>\n<p>"),
         ROUNDED(hcbr_i_node_number(e, "held_out"), 9));
    if (isnan(hcbr_i_node_number(e, "fit_seconds")))
        hcbr_i_html(w, " cases, decided by a model that existed.</p>\n");
    else {
        HTML(w, NULL, OURS(" held-out cases in "), ROUNDED(hcbr_i_node_number(e, "folds"), 9),
             OURS(hcbr_i_node_number(e, "folds") == 1 ? " part." : " parts."));
        say_pooled(w, e);
        hcbr_i_html(w, "</p>\n");
    }
    put_matrix(w, e);
    put_measures(w, e);
    put_labels(w, e);
    hcbr_i_html(w, "<div class=\"charts\">\n");
    put_reliability(w, e);
    hcbr_i_html(w, "</div>\n");
    put_answered(w, e);
    hcbr_i_html(w, "</section>\n");
}
