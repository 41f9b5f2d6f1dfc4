/*
 * Experiments and drift: a chart for tables that are curves, and the tables of all.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

enum { DOTS = 40 }; /* points of a line that are marked */

/* ---- studies --------------------------------------------------------------------------------- */

/* The chart of a table: two columns, or two lines over one. */
typedef struct drawn {
    const char *kind, *table;
    const char *title, *x_name, *y_name;
    const char *x, *y[2];
    const char *names[3];
    bool x_log, share; /* share: from 0 to 1 */
} drawn;

static const drawn DRAWN[] = {
    {.kind = "curve",
     .table = "curve",
     .title = "Learning curve: would more cases help?",
     .x_name = "training cases",
     .y_name = "accuracy",
     .x = "cases",
     .y = {"train_accuracy", "test_accuracy"},
     .names = {"on training cases", "on held-out cases"},
     .x_log = true,
     .share = true},
    {.kind = "pareto",
     .table = "eta_frontier",
     .title = "Fewer, surer answers: a least support or probability",
     .x_name = "share of cases answered",
     .y_name = "accuracy of the answers",
     .x = "answered",
     .y = {"accuracy"},
     .names = {"frontier"},
     .share = true},
    {.kind = "pareto",
     .table = "eta_share_frontier",
     .title = "Fewer, surer answers: a least share",
     .x_name = "share of cases answered",
     .y_name = "accuracy of the answers",
     .x = "answered",
     .y = {"accuracy"},
     .names = {"frontier"},
     .share = true},
    {.kind = "passes",
     .table = "passes",
     .title = "Training passes",
     .x_name = "passes",
     .y_name = "accuracy",
     .x = "passes",
     .y = {"train_accuracy", "test_accuracy"},
     .names = {"on training cases", "on held-out cases"},
     .share = true},
    {.kind = "prune",
     .table = "prune",
     .title = "Features kept",
     .x_name = "share of the features kept",
     .y_name = "accuracy",
     .x = "share",
     .y = {"accuracy"},
     .names = {"on held-out cases"},
     .share = true},
    {.kind = "time",
     .table = "by_cases",
     .title = "Time by number of cases",
     .x_name = "cases",
     .y_name = "seconds",
     .x = "cases",
     .y = {"all"},
     .names = {"all stages"},
     .x_log = true},
    {.kind = "time",
     .table = "by_size",
     .title = "Time by size of the cases",
     .x_name = "features of a case",
     .y_name = "seconds",
     .x = "size",
     .y = {"all"},
     .names = {"all stages"},
     .x_log = true},
    {.kind = "space",
     .table = "evolution",
     .title = "Evolution strategy: the best of each generation",
     .x_name = "generation",
     .y_name = "fitness",
     .x = "generation",
     .y = {"fitness"},
     .names = {"best fitness"},
     .share = true},
};

static double least_of(const hcbr_i_node *rows, const char *path, double most) {
    for (const hcbr_i_node *n = rows->first; n; n = n->next) {
        double value = hcbr_i_node_number(n, path);
        most = value < most ? value : most;
    }
    return most;
}

static bool has_numbers(const hcbr_i_node *rows, const char *path) {
    return path && !isnan(hcbr_i_node_number(hcbr_i_node_at(rows, 0), path));
}

static void put_drawn(hcbr_writer *w, const drawn *d, const hcbr_i_node *rows) {
    static const char *const STYLES[] = {"tone0", "tone1"};
    double x_low = least_of(rows, d->x, INFINITY), x_high = hcbr_i_node_most(rows, d->x, -INFINITY);
    double y_low = INFINITY, y_high = d->share ? 1 : 0;
    for (int k = 0; k < 2; k++)
        if (has_numbers(rows, d->y[k])) {
            y_low = least_of(rows, d->y[k], y_low);
            y_high = hcbr_i_node_most(rows, d->y[k], y_high);
        }
    if (!isfinite(y_low) || !isfinite(x_low) || !(x_high > x_low) || (d->x_log && !(x_low > 0)))
        return;
    y_low = d->share ? (y_low > 0.5 ? 0.5 : 0) : 0;
    const hcbr_i_chart chart = {.title = d->title,
                                .x_name = d->x_name,
                                .y_name = d->y_name,
                                .x_low = x_low,
                                .x_high = x_high,
                                .y_low = y_low,
                                .y_high = y_high > y_low ? y_high : y_low + 1,
                                .x_log = d->x_log};
    hcbr_i_chart_begin(w, &chart);
    const char *names[3] = {NULL, NULL, NULL}, *styles[2];
    int shown = 0;
    for (int k = 0; k < 2; k++) {
        if (!has_numbers(rows, d->y[k]))
            continue;
        hcbr_i_chart_path(w, &chart, rows, d->x, d->y[k], k, rows->count <= DOTS);
        styles[shown] = STYLES[k];
        names[shown++] = d->names[k];
    }
    hcbr_i_chart_end(w);
    hcbr_i_chart_legend(w, names, styles);
    hcbr_i_report_rows(w, "Table of this chart", rows);
    hcbr_i_figure_end(w);
}

/* How a table is drawn; NULL: it is not. */
static const drawn *drawing_of(const hcbr_i_node *study, const hcbr_i_node *table) {
    for (size_t n = 0; n < sizeof DRAWN / sizeof *DRAWN; n++)
        if (hcbr_i_node_is(hcbr_i_node_get(study, "kind"), DRAWN[n].kind) &&
            strlen(DRAWN[n].table) == table->key.length &&
            memcmp(DRAWN[n].table, table->key.at, table->key.length) == 0)
            return &DRAWN[n];
    return NULL;
}

static void put_heading(hcbr_writer *w, const hcbr_i_node *kind) {
    static const char *const HEADINGS[][2] = {{"curve", "Would more cases help?"},
                                              {"pareto", "Fewer answers, and surer ones"},
                                              {"passes", "Do more training passes help?"},
                                              {"cover", "How much of new cases is known?"},
                                              {"space", "Could other strengths be better?"},
                                              {"reach", "Do neighbours of neighbours help?"},
                                              {"prune", "Are all features of use?"},
                                              {"time", "How does time grow?"}};
    for (size_t n = 0; n < sizeof HEADINGS / sizeof *HEADINGS; n++)
        if (hcbr_i_node_is(kind, HEADINGS[n][0])) {
            hcbr_i_html(w, HEADINGS[n][1]);
            return;
        }
    HTML(w, NULL, OURS("Study: "), NODE(kind));
}

/* The description of a table's row. */
static const hcbr_i_node *about(const hcbr_i_node *study, const hcbr_i_node *table) {
    const hcbr_i_node *list = hcbr_i_node_get(study, "about");
    for (const hcbr_i_node *n = list->first; n; n = n->next)
        if (n->text.at && hcbr_i_text_same(n->key, table->key))
            return n;
    return NULL;
}

/* The title of a table without a chart: the description of its rows, or its name. */
static void put_title(hcbr_writer *w, const hcbr_i_node *study, const hcbr_i_node *table) {
    const hcbr_i_node *says = about(study, table);
    hcbr_i_html(w, "<h3>");
    if (says) {
        HTML(w, NULL, OURS("By row: "), NODE(says));
    } else {
        HTML(w, NULL, OURS("Table <bdi>"), BARE(table->key.at, table->key.length), OURS("</bdi>"));
    }
    hcbr_i_html(w, "</h3>\n");
    hcbr_i_report_rows(w, "Show its rows", table);
}

static void put_study(hcbr_writer *w, const hcbr_i_node *study) {
    const hcbr_i_node *tables = hcbr_i_node_get(study, "tables");
    hcbr_i_html(w, "<section><h2>");
    put_heading(w, hcbr_i_node_get(study, "kind"));
    HTML(w, NULL, OURS("</h2>\n<p>"), NODE(hcbr_i_node_get(study, "says")),
         OURS("</p>\n<div class=\"charts\">\n"));
    for (const hcbr_i_node *t = tables->first; t; t = t->next) {
        const drawn *d = drawing_of(study, t);
        if (d && t->count > 1)
            put_drawn(w, d, t);
    }
    hcbr_i_html(w, "</div>\n");
    for (const hcbr_i_node *t = tables->first; t; t = t->next) {
        if ((drawing_of(study, t) && t->count > 1) || t->count == 0)
            continue;
        put_title(w, study, t);
    }
    hcbr_i_html(w, "</section>\n");
}

void hcbr_i_report_studies(hcbr_writer *w, const hcbr_report *report) {
    static const char *const FIRST[] = {"curve", "pareto"};
    for (size_t k = 0; k < 2; k++) {
        const hcbr_i_node *study = hcbr_i_report_study(report, FIRST[k]);
        if (study->kind == HCBR_I_NODE_OBJECT)
            put_study(w, study);
    }
    for (size_t n = 0; n < report->count; n++) {
        const hcbr_i_node *root = report->results[n].root;
        if (hcbr_i_node_is(hcbr_i_node_get(root, "schema"), "hcbr.study/1") &&
            root != hcbr_i_report_study(report, "curve") &&
            root != hcbr_i_report_study(report, "pareto"))
            put_study(w, root);
    }
}

/* ---- drift ----------------------------------------------------------------------------------- */

static void put_bin(hcbr_writer *w, const hcbr_i_node *b) {
    const hcbr_i_node *kind = hcbr_i_node_get(b, "kind");
    if (hcbr_i_node_is(kind, "value"))
        hcbr_i_report_text(w, hcbr_i_node_get(b, "value"));
    else if (hcbr_i_node_is(kind, "range")) {
        HTML(w, NULL, ROUNDED(hcbr_i_node_number(b, "low"), 4), OURS(" to "),
             ROUNDED(hcbr_i_node_number(b, "high"), 4));
    } else if (hcbr_i_node_is(kind, "below")) {
        HTML(w, NULL, OURS("below "), ROUNDED(hcbr_i_node_number(b, "high"), 4));
    } else if (hcbr_i_node_is(kind, "above")) {
        HTML(w, NULL, OURS("above "), ROUNDED(hcbr_i_node_number(b, "low"), 4));
    } else
        hcbr_i_html(w, hcbr_i_node_is(kind, "rare") ? "rare or new values" : "none");
}

static void put_change(hcbr_writer *w, const hcbr_i_node *part) {
    const hcbr_i_node *bin = hcbr_i_node_at(hcbr_i_node_get(part, "bins"), 0);
    hcbr_i_html(w, "<td>");
    if (hcbr_i_node_number(part, "gone") > 0)
        hcbr_i_html(w, "gone: no case has a value");
    else if (hcbr_i_node_number(part, "compared") == 0)
        hcbr_i_html(w, "not compared");
    else if (bin->kind == HCBR_I_NODE_OBJECT && hcbr_i_node_number(part, "shift") > 0) {
        put_bin(w, bin);
        HTML(w, NULL, OURS(": "), PERCENT(hcbr_i_node_number(bin, "trained")), OURS(" → "),
             PERCENT(hcbr_i_node_number(bin, "here")));
    }
    hcbr_i_html(w, "</td></tr>\n");
}

static void put_part(hcbr_writer *w, const hcbr_i_node *part, const char *name) {
    if (name) {
        HTML(w, NULL, OURS("<tr><th scope=\"row\">"), OURS(name), OURS("</th>"));
    } else
        hcbr_i_report_row_name(w, hcbr_i_node_get(part, "name"));
    HTML(w, NULL, ROUND_CELL(hcbr_i_node_number(part, "drift"), 3),
         ROUND_CELL(hcbr_i_node_number(part, "shift"), 3),
         ROUND_CELL(hcbr_i_node_number(part, "chance"), 3));
    put_change(w, part);
}

void hcbr_i_report_drift(hcbr_writer *w, const hcbr_report *report) {
    static const char *const COLUMNS[] = {
        "Compared", "Drift", "Shift", "By chance", "What changed most, from training to now", NULL};
    const hcbr_i_node *d = hcbr_i_report_find(report, "drift");
    if (d->kind != HCBR_I_NODE_OBJECT)
        return;
    HTML(w, NULL, OURS("<section id=\"drift\"><h2>The new data beside those of training</h2>\n<p>"),
         ROUNDED(hcbr_i_node_number(d, "cases"), 15), OURS(" new cases, "),
         ROUNDED(hcbr_i_node_number(d, "trained"), 15), OURS(" of training. The largest drift is "),
         ROUNDED(hcbr_i_node_number(d, "drift"), 3), OURS(", the limit "),
         ROUNDED(hcbr_i_node_number(d, "limit"), 3),
         OURS(". The drift is the share of the cases whose values changed by more than chance "
              "explains.</p>\n"));
    hcbr_i_report_open_table(w, "What changed", COLUMNS);
    put_part(w, hcbr_i_node_get(d, "labels"), "labels");
    put_part(w, hcbr_i_node_get(d, "answers"), "answers");
    put_part(w, hcbr_i_node_get(d, "scores"), "scores");
    size_t n = 0;
    const hcbr_i_node *columns = hcbr_i_node_get(d, "columns"), *c = columns->first;
    for (; c && n < 20; c = c->next, n++)
        put_part(w, c, NULL);
    hcbr_i_report_open_table_end(w);
    if (c)
        HTML(w, NULL, OURS("<p>"), WHOLE(columns->count - n),
             OURS(" more columns changed less.</p>\n"));
    if (hcbr_i_node_get(d, "new_columns")->count)
        hcbr_i_report_rows(w, "New columns, which the model does not use",
                           hcbr_i_node_get(d, "new_columns"));
    hcbr_i_html(w, "</section>\n");
}
