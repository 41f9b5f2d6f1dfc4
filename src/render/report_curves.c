/*
 * The curves of an evaluation: ROC, precision by recall, lift, supports of right and wrong answers,
 * the decision plane with its thresholds, and notable cases.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

enum { LINES = 6, PLANE_ROWS = 40 };

/* ---- a curve for each label ------------------------------------------------------------------ */

static void put_legend(hcbr_writer *w, const hcbr_i_node *labels) {
    static const char *const STYLES[] = {"tone0", "tone1", "tone2", "tone3", "tone4", "tone5"};
    hcbr_i_html(w, "<p class=\"legend\">");
    int n = 0;
    for (const hcbr_i_node *l = labels->first; l && n < LINES; l = l->next, n++) {
        hcbr_i_html(w, "<span>");
        hcbr_i_chart_sign(w, STYLES[n]);
        HTML(w, NULL, NODE(hcbr_i_node_get(l, "name")), OURS("</span> "));
    }
    hcbr_i_html(w, "</p>\n");
}

/* Of a long curve about 20 rows. */
static void put_points(hcbr_writer *w, const hcbr_i_node *labels, const char *key,
                       const char *opens, const char *const *columns) {
    hcbr_i_report_table(w, opens, columns);
    for (const hcbr_i_node *l = labels->first; l; l = l->next) {
        const hcbr_i_node *points = hcbr_i_node_get(l, key);
        size_t step = points->count / 20 + 1, n = 0;
        for (const hcbr_i_node *p = points->first; p; p = p->next, n++) {
            if (n % step != 0 && p->next)
                continue;
            hcbr_i_report_row_name(w, hcbr_i_node_get(l, "name"));
            HTML(w, NULL, ROUND_CELL(hcbr_i_node_at(p, 0)->number, 4),
                 ROUND_CELL(hcbr_i_node_at(p, 1)->number, 4),
                 ROUND_CELL(hcbr_i_node_at(p, 2)->number, 4), OURS("</tr>\n"));
        }
    }
    hcbr_i_report_table_end(w);
}

static double most_lift(const hcbr_i_node *labels) {
    double most = 1;
    int n = 0;
    for (const hcbr_i_node *l = labels->first; l && n < LINES; l = l->next, n++) {
        const hcbr_i_node *points = hcbr_i_node_get(l, "lift");
        for (const hcbr_i_node *p = points->first; p; p = p->next)
            most = hcbr_i_node_at(p, 1)->number > most ? hcbr_i_node_at(p, 1)->number : most;
    }
    return most * 1.05;
}

static void put_curve(hcbr_writer *w, const hcbr_i_node *labels, const char *key,
                      const hcbr_i_chart *chart, const char *opens, const char *const *columns) {
    int n = 0;
    hcbr_i_chart_begin(w, chart);
    if (key[0] == 'r')
        hcbr_i_chart_line(w, chart, 0, 0, 1, 1, "hint");
    if (key[0] == 'l')
        hcbr_i_chart_line(w, chart, 0, 1, 1, 1, "hint");
    for (const hcbr_i_node *l = labels->first; l && n < LINES; l = l->next, n++)
        hcbr_i_chart_path(w, chart, hcbr_i_node_get(l, key), "", "", n, false);
    hcbr_i_chart_end(w);
    put_legend(w, labels);
    put_points(w, labels, key, opens, columns);
    hcbr_i_figure_end(w);
}

static void put_curves(hcbr_writer *w, const hcbr_i_node *c) {
    static const hcbr_i_chart ROC = {.title = "ROC: found against false alarms",
                                     .x_name = "false positive rate",
                                     .y_name = "true positive rate",
                                     .x_high = 1,
                                     .y_high = 1};
    static const hcbr_i_chart PR = {.title = "Precision by recall",
                                    .x_name = "recall",
                                    .y_name = "precision",
                                    .x_high = 1,
                                    .y_high = 1};
    static const char *const ROC_COLUMNS[] = {"Label", "False positive rate", "True positive rate",
                                              "Least score", NULL};
    static const char *const PR_COLUMNS[] = {"Label", "Recall", "Precision", "Least score", NULL};
    static const char *const LIFT_COLUMNS[] = {"Label", "Share of the cases", "Lift", "Least score",
                                               NULL};
    const hcbr_i_node *labels = hcbr_i_node_get(c, "labels");
    const hcbr_i_chart lift = {.title = "Lift: the label among the first cases",
                               .x_name = "share of the cases, highest scores first",
                               .y_name = "times as frequent as among all",
                               .x_high = 1,
                               .y_high = most_lift(labels)};
    if (labels->count == 0)
        return;
    put_curve(w, labels, "roc", &ROC, "Table: points of the ROC curve", ROC_COLUMNS);
    put_curve(w, labels, "pr", &PR, "Table: points of precision by recall", PR_COLUMNS);
    put_curve(w, labels, "lift", &lift, "Table: points of the lift", LIFT_COLUMNS);
}

/* ---- supports -------------------------------------------------------------------------------- */

static void put_histogram(hcbr_writer *w, const hcbr_i_node *c, bool probable) {
    static const char *const NAMES[] = {"right", "wrong", NULL}, *const STYLES[] = {"bar0", "bar1"};
    static const char *const COLUMNS[] = {"From", "To", "Right", "Wrong", NULL};
    static const hcbr_i_column CELLS[] = {
        {"low", 4}, {"high", 4}, {"right", 9}, {"wrong", 9}, {NULL, 0}};
    const hcbr_i_node *bins = hcbr_i_node_get(c, "histogram");
    double most = 1, high = hcbr_i_node_most(bins, "high", 0);
    for (const hcbr_i_node *b = bins->first; b; b = b->next) {
        double all = hcbr_i_node_number(b, "right") + hcbr_i_node_number(b, "wrong");
        most = all > most ? all : most;
    }
    if (bins->count == 0 || !(high > 0))
        return;
    const hcbr_i_chart chart = {.title = probable ? "How sure are right and wrong answers?"
                                                  : "Support of right and wrong answers",
                                .x_name = probable ? "largest probability" : "largest support",
                                .y_name = "cases",
                                .x_high = high,
                                .y_high = most * 1.05};
    hcbr_i_chart_begin(w, &chart);
    for (const hcbr_i_node *b = bins->first; b; b = b->next) {
        double low = hcbr_i_node_number(b, "low"), up = hcbr_i_node_number(b, "high");
        double right = hcbr_i_node_number(b, "right"), wrong = hcbr_i_node_number(b, "wrong");
        double gap = (up - low) * 0.08;
        if (right > 0)
            hcbr_i_chart_box(w, &chart, low + gap, 0, up - gap, right, "bar0");
        if (wrong > 0)
            hcbr_i_chart_box(w, &chart, low + gap, right, up - gap, right + wrong, "bar1");
    }
    hcbr_i_chart_end(w);
    hcbr_i_chart_legend(w, NAMES, STYLES);
    hcbr_i_report_list(w, "Table: right and wrong answers", COLUMNS, bins, CELLS);
    hcbr_i_figure_end(w);
}

/* Lines of the thresholds of the model's rule, if it has any. A least probability is a least share
 * where there are two labels. */
static bool put_thresholds(hcbr_writer *w, const hcbr_i_chart *chart, const hcbr_report *report,
                           bool probable) {
    const hcbr_i_node *labels = hcbr_i_node_get(hcbr_i_report_find(report, "inspect"), "labels");
    bool any = false;
    for (const hcbr_i_node *l = labels->first; l; l = l->next) {
        double eta = hcbr_i_node_number(l, "eta"), share = hcbr_i_node_number(l, "eta_share");
        if (probable && labels->count == 2) {
            share = eta > share ? eta : share;
            eta = 0;
        }
        if (eta > chart->x_low && eta < chart->x_high) {
            hcbr_i_chart_line(w, chart, eta, chart->y_low, eta, chart->y_high, "hint");
            any = true;
        }
        if (share > chart->y_low && share < chart->y_high) {
            hcbr_i_chart_line(w, chart, chart->x_low, share, chart->x_high, share, "hint");
            any = true;
        }
    }
    return any;
}

static void put_plane(hcbr_writer *w, const hcbr_i_node *c, const hcbr_report *report,
                      bool probable) {
    static const char *const NAMES[] = {"right", "wrong", "least support and share (η)", NULL};
    static const char *const SHORT[] = {"right", "wrong", NULL};
    static const char *const STYLES[] = {"right", "wrong", "hint"};
    static const char *const COLUMNS[] = {"Answer", "Support or probability", "Share", NULL};
    const hcbr_i_node *points = hcbr_i_node_get(c, "plane");
    bool by_support = hcbr_i_node_is(hcbr_i_node_get(c, "plane_by"), "support");
    double high = by_support ? 0 : 1, least = 1;
    for (const hcbr_i_node *p = points->first; p; p = p->next) {
        double x = hcbr_i_node_at(p, 0)->number, y = hcbr_i_node_at(p, 1)->number;
        high = x > high ? x : high;
        least = y < least ? y : least;
    }
    if (points->count == 0 || !(high > 0))
        return;
    const hcbr_i_chart chart = {.title = "Decision plane: support against share",
                                .x_name = by_support ? "largest support" : "largest probability",
                                .y_name = "share against the best other label",
                                .x_high = high,
                                .y_low = least < 0.5 ? 0 : 0.5,
                                .y_high = 1};
    hcbr_i_chart_begin(w, &chart);
    bool lines = put_thresholds(w, &chart, report, probable);
    for (const hcbr_i_node *p = points->first; p; p = p->next)
        hcbr_i_chart_dot(w, &chart, hcbr_i_node_at(p, 0)->number, hcbr_i_node_at(p, 1)->number,
                         hcbr_i_node_at(p, 2)->number != 0 ? "right" : "wrong");
    hcbr_i_chart_end(w);
    hcbr_i_chart_legend(w, lines ? NAMES : SHORT, STYLES);
    hcbr_i_report_table(w, "Table: some of the answers", COLUMNS);
    size_t step = points->count / PLANE_ROWS + 1, n = 0;
    for (const hcbr_i_node *p = points->first; p; p = p->next, n++) {
        if (n % step != 0)
            continue;
        HTML(w, NULL,
             OURS(hcbr_i_node_at(p, 2)->number != 0 ? "<tr><th scope=\"row\">right</th>"
                                                    : "<tr><th scope=\"row\">wrong</th>"),
             ROUND_CELL(hcbr_i_node_at(p, 0)->number, 4),
             ROUND_CELL(hcbr_i_node_at(p, 1)->number, 4), OURS("</tr>\n"));
    }
    hcbr_i_report_table_end(w);
    hcbr_i_figure_end(w);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static void put_cases(hcbr_writer *w, const hcbr_i_node *list, const char *caption) {
    static const char *const COLUMNS[] = {"Case", "True label", "Answer", "Share", NULL};
    if (list->count == 0)
        return;
    hcbr_i_report_open_table(w, caption, COLUMNS);
    for (const hcbr_i_node *x = list->first; x; x = x->next) {
        HTML(w, NULL, OURS("<tr><th scope=\"row\">row "),
             ROUNDED(hcbr_i_node_number(x, "row"), 15));
        if (hcbr_i_node_get(x, "id")->text.at)
            HTML(w, NULL, OURS(", "), NODE(hcbr_i_node_get(x, "id")));
        HTML(w, NULL, OURS("</th><td class=\"n\">"), NODE(hcbr_i_node_get(x, "truth")),
             OURS("</td><td class=\"n\">"), NODE(hcbr_i_node_get(x, "label")),
             OURS("</td><td class=\"n\">"), PERCENT(hcbr_i_node_number(x, "share")),
             OURS("</td></tr>\n"));
    }
    hcbr_i_report_open_table_end(w);
}

void hcbr_i_report_curves(hcbr_writer *w, const hcbr_report *report) {
    const hcbr_i_node *c = hcbr_i_report_find(report, "curves");
    bool probable = hcbr_i_node_number(c, "probabilities") != 0;
    if (c->kind != HCBR_I_NODE_OBJECT)
        return;
    hcbr_i_html(w, "<section id=\"curves\"><h2>How sure it is</h2>\n<div class=\"charts\">\n");
    put_histogram(w, c, probable);
    put_plane(w, c, report, probable);
    put_curves(w, c);
    hcbr_i_html(w, "</div></section>\n<section id=\"cases\"><h2>Cases that stand out</h2>\n<div "
                   "class=\"charts\">\n<div>");
    put_cases(w, hcbr_i_node_get(c, "typical"), "Most typical: right, and most certain");
    hcbr_i_html(w, "</div>\n<div>");
    put_cases(w, hcbr_i_node_get(c, "contested"), "Most contested: hardly more for one label");
    hcbr_i_html(w, "</div>\n<div>");
    put_cases(w, hcbr_i_node_get(c, "mistaken"), "Wrong, though certain: are their labels right?");
    hcbr_i_html(w, "</div></div></section>\n");
}
