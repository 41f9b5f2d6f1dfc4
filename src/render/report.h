/**
 * @file report.h
 * Shared by the parts of a report: results as a tree, charts, tables; private to src/render.
 */
#ifndef HCBR_I_REPORT_H
#define HCBR_I_REPORT_H

#include "read/read.h"
#include "render/html.h"

#include <hcbr/report.h>

/* ---- charts (report_chart.c) ----------------------------------------------------------------- */

/** A chart: the names and ranges of its axes. */
typedef struct hcbr_i_chart {
    const char *title, *x_name, *y_name;
    double x_low, x_high, y_low, y_high;
    bool x_log;     /**< powers of ten */
    bool no_x_tick; /**< the caller labels the axis */
} hcbr_i_chart;

/** Begin a figure with its axes; the caller draws, then calls hcbr_i_chart_end(), writes the text
 *  below, then calls hcbr_i_figure_end(). */
void hcbr_i_chart_begin(hcbr_writer *w, const hcbr_i_chart *c);
void hcbr_i_chart_end(hcbr_writer *w);
void hcbr_i_figure_end(hcbr_writer *w);
/** The position of a value. */
double hcbr_i_chart_x(const hcbr_i_chart *c, double x);
double hcbr_i_chart_y(const hcbr_i_chart *c, double y);
/** A line through points (x at [0], y at [1] of each node); those without both are left out. */
void hcbr_i_chart_path(hcbr_writer *w, const hcbr_i_chart *c, const hcbr_i_node *points,
                       const char *x, const char *y, int tone, bool dots);
void hcbr_i_chart_line(hcbr_writer *w, const hcbr_i_chart *c, double x1, double y1, double x2,
                       double y2, const char *style);
void hcbr_i_chart_box(hcbr_writer *w, const hcbr_i_chart *c, double x1, double y1, double x2,
                      double y2, const char *style);
void hcbr_i_chart_dot(hcbr_writer *w, const hcbr_i_chart *c, double x, double y, const char *style);
/** A disc of a size from 0 to 1; the smallest is still visible. */
void hcbr_i_chart_disc(hcbr_writer *w, const hcbr_i_chart *c, double x, double y, double size);
/** The sign of a style in a legend: a line, a bar, a dot or a cross. */
void hcbr_i_chart_sign(hcbr_writer *w, const char *style);
/** The legend of styles: names, ended by NULL. */
void hcbr_i_chart_legend(hcbr_writer *w, const char *const *names, const char *const *styles);
/* ---- pieces of a page (report_page.c) -------------------------------------------------------- */

/** Text of a node, from the data. */
void hcbr_i_report_text(hcbr_writer *w, const hcbr_i_node *node);
/** A number with `digits` digits, - for none. */
void hcbr_i_report_number(hcbr_writer *w, double value, int digits);
/** A share as per cent. */
void hcbr_i_report_percent(hcbr_writer *w, double share);
/** A cell of a table. */
void hcbr_i_report_cell(hcbr_writer *w, double value, int digits);
/** The cell of a text, th of its row. */
void hcbr_i_report_row_name(hcbr_writer *w, const hcbr_i_node *node);
/** A column of a table: the path of its value, and the digits of a number; 0: a text. */
typedef struct hcbr_i_column {
    const char *path;
    int digits;
} hcbr_i_column;
/** The row of a node: columns ended by a path NULL; the first is its name. */
void hcbr_i_report_row(hcbr_writer *w, const hcbr_i_node *node, const hcbr_i_column *columns);
/** Begin a table in details: its summary, and its columns, ended by NULL; the first is text. */
void hcbr_i_report_table(hcbr_writer *w, const char *opens, const char *const *columns);
void hcbr_i_report_table_end(hcbr_writer *w);
/** The same, always open. */
void hcbr_i_report_open_table(hcbr_writer *w, const char *caption, const char *const *columns);
void hcbr_i_report_open_table_end(hcbr_writer *w);
/** A table of a list in details: a row for each node. */
void hcbr_i_report_list(hcbr_writer *w, const char *opens, const char *const *names,
                        const hcbr_i_node *list, const hcbr_i_column *columns);
/** The same, always open. */
void hcbr_i_report_open_list(hcbr_writer *w, const char *caption, const char *const *names,
                             const hcbr_i_node *list, const hcbr_i_column *columns);
/** The table of a list of objects: their members, by name. */
void hcbr_i_report_rows(hcbr_writer *w, const char *opens, const hcbr_i_node *rows);

/* ---- a report -------------------------------------------------------------------------------- */

struct hcbr_report {
    char *title;
    hcbr_i_tree *results;
    size_t count, capacity;
};

/** The result of a schema ("evaluate"); a null node if absent. */
const hcbr_i_node *hcbr_i_report_find(const hcbr_report *report, const char *schema);
/** The study of a kind. */
const hcbr_i_node *hcbr_i_report_study(const hcbr_report *report, const char *kind);

/** Whether to trust the model, in words (report_verdict.c). */
void hcbr_i_report_verdict(hcbr_writer *w, const hcbr_report *report);
/** How well it decides (report_evaluate.c, report_curves.c). */
void hcbr_i_report_evaluate(hcbr_writer *w, const hcbr_report *report);
void hcbr_i_report_curves(hcbr_writer *w, const hcbr_report *report);
/** Experiments and drift (report_study.c). */
void hcbr_i_report_studies(hcbr_writer *w, const hcbr_report *report);
void hcbr_i_report_drift(hcbr_writer *w, const hcbr_report *report);
/** The content of the model, and the data (report_model.c). */
void hcbr_i_report_model(hcbr_writer *w, const hcbr_report *report);
void hcbr_i_report_data(hcbr_writer *w, const hcbr_report *report);
void hcbr_i_report_costs(hcbr_writer *w, const hcbr_report *report);

#endif
