/*
 * The content of a model and its data: importance of columns, strongest groups, kinds of columns,
 * findings of an audit, time and memory.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

enum { BARS = 15, BAR_HEIGHT = 18, NAME_WIDTH = 170 };

/* ---- importance ------------------------------------------------------------------------------ */

/* A name cut to fit next to its bar. */
static void put_short(hcbr_writer *w, hcbr_i_text name) {
    hcbr_cell cell = {.used = 0};
    hcbr_cell_add_cut(&cell, name.at ? name.at : "", name.length, 24);
    hcbr_i_html_data(w, cell.text, cell.used);
}

static void put_bar(hcbr_writer *w, const hcbr_i_node *c, size_t n, double most) {
    double value = hcbr_i_node_number(c, "importance");
    double width = most > 0 && isfinite(value) ? 290 * value / most : 0;
    HTML(w, NULL, OURS("<text text-anchor=\"end\" x=\"170\" y=\""), WHOLE(n * BAR_HEIGHT + 13),
         OURS("\">"));
    put_short(w, hcbr_i_node_get(c, "name")->text);
    HTML(w, NULL, OURS("</text><rect class=\"bar0\" x=\"178\" y=\""), WHOLE(n * BAR_HEIGHT + 2),
         OURS("\" height=\"14\" width=\""));
    hcbr_i_put_printed(w, 'f', 1, width);
    hcbr_i_html(w, "\"/>\n");
}

static void put_importance(hcbr_writer *w, const hcbr_i_node *m) {
    static const char *const COLUMNS[] = {"Column", "Importance", "Lead", "Cases", NULL};
    static const hcbr_i_column CELLS[] = {
        {"name", 0}, {"importance", 4}, {"lead", 4}, {"cases", 15}, {NULL, 0}};
    const hcbr_i_node *list = hcbr_i_node_get(m, "importance.columns");
    double most = hcbr_i_node_most(list, "importance", 0);
    size_t shown = list->count < BARS ? list->count : BARS, n = 0;
    if (shown == 0 || !(most > 0))
        return;
    HTML(w, NULL,
         OURS("<figure><figcaption>Importance of columns: what each adds to the lead of an "
              "answer</figcaption>\n<svg role=\"img\" aria-label=\"Chart: importance of "
              "columns; its numbers are in the table below\" viewBox=\"0 0 480 "),
         WHOLE(shown * BAR_HEIGHT + 4), OURS("\">\n"));
    for (const hcbr_i_node *c = list->first; c && n < shown; c = c->next, n++)
        put_bar(w, c, n, most);
    hcbr_i_chart_end(w);
    hcbr_i_report_list(w, "Table: importance of columns", COLUMNS, list, CELLS);
    hcbr_i_figure_end(w);
}

/* ---- groups ---------------------------------------------------------------------------------- */

static void put_group(hcbr_writer *w, const hcbr_i_node *g, bool averages) {
    const hcbr_i_node *parts = hcbr_i_node_get(g, "words");
    if (parts->count == 0)
        parts = hcbr_i_node_get(g, "features");
    if (parts->count == 0)
        parts = hcbr_i_node_get(g, "tests");
    hcbr_i_html(w, "<tr><th scope=\"row\">");
    size_t n = 0;
    for (const hcbr_i_node *p = parts->first; p && n < 6; p = p->next, n++)
        HTML(w, NULL, OURS(n ? " and " : ""), NODE(p));
    if (parts->count > n)
        hcbr_i_html(w, " and more");
    HTML(w, NULL, OURS("</th>"), ROUND_CELL(hcbr_i_node_number(g, "lead"), 3));
    if (averages)
        hcbr_i_report_cell(w, hcbr_i_node_number(g, "average"), 3);
    double all = 0;
    const hcbr_i_node *cases = hcbr_i_node_get(g, "cases");
    for (const hcbr_i_node *c = cases->first; c; c = c->next)
        all += isnan(c->number) ? 0 : c->number;
    HTML(w, NULL, ROUND_CELL(cases->count ? all : NAN, 15), OURS("</tr>\n"));
}

static void put_groups(hcbr_writer *w, const hcbr_i_node *m, const char *key, const char *what) {
    static const char *const COLUMNS[] = {"Group", "Adds to the lead", "Past cases", NULL};
    static const char *const AVERAGES[] = {"Group", "Adds to the lead", "On average",
                                           "Past cases that have it", NULL};
    const hcbr_i_node *by_label = hcbr_i_node_get(m, key);
    if (by_label->kind != HCBR_I_NODE_OBJECT)
        return;
    for (const hcbr_i_node *l = by_label->first; l; l = l->next) {
        if (l->count == 0)
            continue;
        HTML(w, NULL, OURS("<div><h3>"), OURS(what), OURS(" <bdi>"), BARE(l->key.at, l->key.length),
             OURS("</bdi></h3>\n"));
        const bool averages = hcbr_i_node_get(l->first, "average")->kind == HCBR_I_NODE_NUMBER;
        hcbr_i_report_open_table(
            w,
            averages ? "First what adds most on average over the past cases of this answer"
                     : "First what adds most",
            averages ? AVERAGES : COLUMNS);
        size_t n = 0;
        for (const hcbr_i_node *g = l->first; g && n < 8; g = g->next, n++)
            put_group(w, g, averages);
        hcbr_i_report_open_table_end(w);
        hcbr_i_html(w, "</div>\n");
    }
}

void hcbr_i_report_model(hcbr_writer *w, const hcbr_report *report) {
    const hcbr_i_node *m = hcbr_i_report_find(report, "inspect");
    if (m->kind != HCBR_I_NODE_OBJECT)
        return;
    HTML(w, NULL, OURS("<section id=\"model\"><h2>What its answers rest on</h2>\n<p>A "),
         NODE(hcbr_i_node_get(m, "model")), OURS(" model of "),
         ROUNDED(hcbr_i_node_number(m, "cases"), 15), OURS(" past cases with "),
         ROUNDED(hcbr_i_node_number(m, "features"), 15), OURS(" different features."));
    if (hcbr_i_node_get(m, "importance")->kind == HCBR_I_NODE_NULL)
        hcbr_i_html(w, " It keeps no past cases, so the importance of columns is not known.");
    hcbr_i_html(w, "</p>\n<div class=\"charts\">\n");
    put_importance(w, m);
    hcbr_i_html(w, "</div>\n<div class=\"charts\">\n");
    put_groups(w, m, "strongest", "For");
    hcbr_i_html(w, "</div>\n<div class=\"charts\">\n");
    put_groups(w, m, "conjunctions", "Conditions together, for");
    hcbr_i_html(w, "</div></section>\n");
}

/* ---- the data -------------------------------------------------------------------------------- */

static void put_kinds(hcbr_writer *w, const hcbr_i_node *m) {
    static const char *const COLUMNS[] = {"Column", "Taken for", "Becomes", "Seen", NULL};
    static const hcbr_i_column CELLS[] = {
        {"name", 0}, {"kind", 0}, {"becomes", 0}, {"why", 0}, {NULL, 0}};
    const hcbr_i_node *kinds = hcbr_i_node_get(m, "kinds");
    const char *opens = "How each column was taken";
    if (kinds->count == 0) {
        const hcbr_i_node *columns = hcbr_i_node_get(m, "columns");
        if (columns->count)
            hcbr_i_report_rows(w, opens, columns);
        return;
    }
    if (kinds->count > 40)
        hcbr_i_report_list(w, opens, COLUMNS, kinds, CELLS);
    else
        hcbr_i_report_open_list(w, opens, COLUMNS, kinds, CELLS);
}

static void put_labels(hcbr_writer *w, const hcbr_i_node *m) {
    static const char *const COLUMNS[] = {"Label", "Cases", "Share", NULL};
    const hcbr_i_node *labels = hcbr_i_node_get(m, "labels");
    double all = hcbr_i_node_number(m, "cases");
    hcbr_i_report_open_table(w, "Labels", COLUMNS);
    for (const hcbr_i_node *l = labels->first; l; l = l->next) {
        double cases = hcbr_i_node_number(l, "cases");
        hcbr_i_report_row_name(w, hcbr_i_node_get(l, "name"));
        HTML(w, NULL, ROUND_CELL(cases, 15), OURS("<td class=\"n\">"), PERCENT(cases / all),
             OURS("</td></tr>\n"));
    }
    hcbr_i_report_open_table_end(w);
}

static void put_findings(hcbr_writer *w, const hcbr_i_node *a) {
    const hcbr_i_node *findings = hcbr_i_node_get(a, "findings");
    if (a->kind != HCBR_I_NODE_OBJECT)
        return;
    hcbr_i_html(w, "<h3>What an audit found</h3>\n");
    if (findings->count == 0)
        hcbr_i_html(w, "<p>Nothing.</p>\n");
    else
        hcbr_i_html(w, "<ul>\n");
    for (const hcbr_i_node *f = findings->first; f; f = f->next)
        HTML(w, NULL,
             OURS(hcbr_i_node_number(f, "serious") > 0 ? "<li><strong>Serious:</strong> " : "<li>"),
             NODE(hcbr_i_node_get(f, "says")), OURS("</li>\n"));
    if (findings->count)
        hcbr_i_html(w, "</ul>\n");
}

void hcbr_i_report_data(hcbr_writer *w, const hcbr_report *report) {
    const hcbr_i_node *m = hcbr_i_report_find(report, "inspect");
    const hcbr_i_node *a = hcbr_i_report_find(report, "audit");
    if (m->kind != HCBR_I_NODE_OBJECT && a->kind != HCBR_I_NODE_OBJECT)
        return;
    hcbr_i_html(w, "<section id=\"data\"><h2>The data it was built from</h2>\n");
    if (m->kind == HCBR_I_NODE_OBJECT) {
        put_labels(w, m);
        put_kinds(w, m);
    }
    put_findings(w, a);
    hcbr_i_html(w, "</section>\n");
}

/* ---- time and memory ------------------------------------------------------------------------- */

static void put_stages(hcbr_writer *w, const hcbr_i_node *t) {
    static const char *const COLUMNS[] = {"Stage", "Seconds", "Memory in MB", NULL};
    const hcbr_i_node *seconds = hcbr_i_node_get(t, "seconds");
    const hcbr_i_node *bytes = hcbr_i_node_get(t, "peak_bytes");
    if (seconds->count == 0)
        return;
    hcbr_i_report_open_table(w, "Stages of the run, and the most memory up to the end of each",
                             COLUMNS);
    size_t n = 0;
    for (const hcbr_i_node *s = seconds->first; s; s = s->next, n++)
        HTML(w, NULL, OURS("<tr><th scope=\"row\">"), BARE(s->key.at, s->key.length), OURS("</th>"),
             ROUND_CELL(s->number, 3), ROUND_CELL(hcbr_i_node_at(bytes, n)->number / 1e6, 4),
             OURS("</tr>\n"));
    hcbr_i_report_open_table_end(w);
}

void hcbr_i_report_costs(hcbr_writer *w, const hcbr_report *report) {
    static const char *const SCHEMAS[] = {"report", "train", "tune"};
    const hcbr_i_node *e = hcbr_i_report_find(report, "evaluate");
    double fit = hcbr_i_node_number(e, "fit_seconds"),
           decide = hcbr_i_node_number(e, "predict_seconds");
    bool any = !isnan(fit) || !isnan(decide);
    for (size_t k = 0; k < 3; k++)
        any = any || hcbr_i_report_find(report, SCHEMAS[k])->kind == HCBR_I_NODE_OBJECT;
    if (!any)
        return;
    hcbr_i_html(w, "<section id=\"costs\"><h2>Time and memory</h2>\n");
    if (!isnan(fit))
        HTML(w, NULL, OURS("<p>A model of a part was built in "), ROUNDED(fit, 3),
             OURS(" seconds on average.</p>\n"));
    if (!isnan(decide))
        HTML(w, NULL, OURS("<p>The held-out cases of a part were decided in "), ROUNDED(decide, 3),
             OURS(" seconds.</p>\n"));
    for (size_t k = 0; k < 3; k++)
        put_stages(w, hcbr_i_report_find(report, SCHEMAS[k]));
    hcbr_i_html(w, "</section>\n");
}
