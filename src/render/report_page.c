/*
 * A report from its results to a page: adding results, the frame of the page with its style, and
 * pieces shared by its sections.
 *
 * Invariant: the page has every result as it was given, in a pre element whose text is the JSON.
 */
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>
#include <stdio.h>

#define NOTHING 1e-12 /* a rounding error of 0 */

static const char STYLE[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#555;--line:#d4d4d4;"
    "--box:#f5f6f8;--good:#0b6b3a;--fair:#8a5300;--poor:#a8201a;--ta:#0b5c8a;--tb:#b14a00;"
    "--tc:#5b3a9e;--td:#1b7a4b;--te:#a01d5c;--tf:#6b5b00}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16181b;--soft:#b5b8bd;"
    "--line:#3c4046;--box:#1f2226;--good:#6fd29a;--fair:#f0b860;--poor:#ff938c;--ta:#7cc4f0;"
    "--tb:#f5ab6b;--tc:#bda4f2;--td:#7fd6a5;--te:#f39ac4;--tf:#d9c56b}}\n"
    "@media print{:root{--ink:#000;--paper:#fff;--soft:#333;--line:#aaa;--box:#fff;--good:#003d1f;"
    "--fair:#5c3700;--poor:#7a0f0a;--ta:#003e63;--tb:#7a3300;--tc:#3d2273;--td:#0d4d2e;"
    "--te:#6d0f3c;--tf:#4a3f00}.json{display:none}figure,tr,.verdict{break-inside:avoid}"
    "h2,h3{break-after:avoid}body{max-width:none}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:68rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;"
    "color:var(--ink);background:var(--paper)}\n"
    "h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}h2{border-top:2px solid var(--line);"
    "padding-top:1rem;margin-top:2rem}\n"
    "a{color:var(--ta)}\n"
    ".verdict{background:var(--box);border-left:.4rem solid var(--soft);padding:.5rem 1rem;"
    "margin:1rem 0}.verdict.good{border-color:var(--good)}.verdict.fair{border-color:var(--fair)}"
    ".verdict.poor{border-color:var(--poor)}\n"
    ".verdict p:first-child{font-size:1.3rem;font-weight:650;margin:.3rem 0}"
    ".good>p:first-child{color:var(--good)}.fair>p:first-child{color:var(--fair)}"
    ".poor>p:first-child{color:var(--poor)}\n"
    ".charts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,26rem),1fr));"
    "gap:1rem 2rem}\n"
    "figure{margin:0}figcaption{font-weight:600;margin-bottom:.25rem}\n"
    "svg{display:block;width:100%;height:auto;overflow:visible}"
    "svg text{font:12px system-ui,sans-serif;fill:var(--ink)}\n"
    ".grid{stroke:var(--line);stroke-width:1}.axis{stroke:var(--soft);stroke-width:1.2}"
    ".hint{stroke:var(--soft);stroke-dasharray:4 4;stroke-width:1.2}\n"
    "path,line{fill:none}"
    ".tone0{stroke:var(--ta)}.tone1{stroke:var(--tb);stroke-dasharray:7 3}"
    ".tone2{stroke:var(--tc);stroke-dasharray:2 3}.tone3{stroke:var(--td);stroke-dasharray:9 3 2 "
    "3}.tone4{stroke:var(--te);stroke-dasharray:12 4}.tone5{stroke:var(--tf);stroke-dasharray:4 "
    "2}\n"
    "[class^=tone]{stroke-width:2}"
    ".fill0{fill:var(--ta)}.fill1{fill:var(--tb)}.fill2{fill:var(--tc)}.fill3{fill:var(--td)}"
    ".fill4{fill:var(--te)}.fill5{fill:var(--tf)}\n"
    ".right{fill:var(--ta);fill-opacity:.75}.cross{stroke:var(--tb);stroke-width:1.6}"
    ".bar0{fill:var(--ta)}.bar1{fill:var(--tb)}\n"
    ".legend{margin:.25rem 0;font-size:.9rem}.legend span{display:inline-block;margin-right:1rem}"
    ".legend svg{display:inline-block;width:1.6rem;vertical-align:middle}\n"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}"
    "caption{text-align:left;font-weight:600;padding:.25rem 0}\n"
    "th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}th{font-weight:500}thead "
    "th{font-weight:650;overflow-wrap:normal}\n"
    "th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "tbody th{min-width:6rem}thead "
    "th.n{white-space:normal}td.hit{background:var(--box);font-weight:650}\n"
    "details{margin:.25rem 0 1rem}summary{cursor:pointer;color:var(--soft);padding:.2rem 0}\n"
    "pre{white-space:pre-wrap;overflow-wrap:anywhere;font-size:.8rem;max-height:30rem;"
    "overflow:auto;background:var(--box);padding:.5rem}\n"
    ".scroll{overflow-x:auto}.soft{color:var(--soft)}\n"
    "@media(max-width:32rem){body{padding:.75rem}}\n"
    "@media print{.charts{grid-template-columns:1fr 1fr}}\n";

/* ---- results --------------------------------------------------------------------------------- */

hcbr_status hcbr_report_create(hcbr_report **out, const char *title, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, title))
        return HCBR_EUSAGE;
    size_t length = strlen(title) + 1;
    *out = hcbr_i_alloc_zero(1, sizeof **out);
    if (!*out)
        return hcbr_i_no_memory(err);
    if (!((*out)->title = hcbr_i_alloc(length, 1))) {
        hcbr_i_free(*out);
        *out = NULL;
        return hcbr_i_no_memory(err);
    }
    memcpy((*out)->title, title, length);
    return HCBR_OK;
}

void hcbr_report_free(hcbr_report *report) {
    if (!report)
        return;
    for (size_t n = 0; n < report->count; n++)
        hcbr_i_tree_clear(&report->results[n]);
    hcbr_i_free(report->results);
    hcbr_i_free(report->title);
    hcbr_i_free(report);
}

/* Whether two results have the same subject. */
static bool same_subject(const hcbr_i_node *a, const hcbr_i_node *b) {
    static const char *const PATHS[] = {"schema", "kind"};
    for (size_t n = 0; n < 2; n++) {
        hcbr_i_text x = hcbr_i_node_get(a, PATHS[n])->text, y = hcbr_i_node_get(b, PATHS[n])->text;
        if ((x.at == NULL) != (y.at == NULL) || (x.at && !hcbr_i_text_same(x, y)))
            return false;
    }
    return true;
}

static void replace(hcbr_report *report, const hcbr_i_tree *result) {
    for (size_t n = 0; n < report->count; n++)
        if (same_subject(report->results[n].root, result->root)) {
            hcbr_i_tree_clear(&report->results[n]);
            report->results[n] = *result;
            return;
        }
    report->results[report->count++] = *result;
}

static hcbr_status parse_result(hcbr_i_tree *out, const char *json, size_t length, const char *name,
                                uint64_t line, hcbr_error *err) {
    hcbr_status st = hcbr_i_tree_parse(out, json, length, name, line, err);
    if (st != HCBR_OK)
        return st;
    hcbr_i_text schema = hcbr_i_node_get(out->root, "schema")->text;
    if (schema.at && schema.length >= 5 && memcmp(schema.at, "hcbr.", 5) == 0)
        return HCBR_OK;
    hcbr_i_tree_clear(out);
    return hcbr_i_fail_at(err, HCBR_EDATA, name, line, 1,
                          "found no schema of hcbr, expected a result that was written as JSON");
}

static size_t skip_blank(const char *json, size_t length, uint64_t *line) {
    size_t i = 0;
    for (; i < length && strchr(" \t\r\n", json[i]) && json[i]; i++)
        *line += json[i] == '\n';
    return i;
}

hcbr_status hcbr_report_add(hcbr_report *report, const char *json, size_t length, const char *name,
                            hcbr_error *err) {
    if (HCBR_I_NULL(err, report, json))
        return HCBR_EUSAGE;
    hcbr_i_tree *list = NULL;
    size_t count = 0, capacity = 0, at = 0;
    uint64_t line = 1;
    hcbr_status st = HCBR_OK;
    at = skip_blank(json, length, &line);
    if (at == length)
        st = hcbr_i_fail_at(err, HCBR_EDATA, name, 1, 1, "found nothing, expected JSON");
    while (st == HCBR_OK && at < length) {
        if (!hcbr_i_grow(&list, &capacity, count + 1, sizeof *list)) {
            st = hcbr_i_no_memory(err);
            break;
        }
        st = parse_result(&list[count], json + at, length - at, name, line, err);
        if (st != HCBR_OK)
            break;
        const size_t size = list[count++].length;
        for (size_t i = at; i < at + size; i++)
            line += json[i] == '\n';
        at += size;
        at += skip_blank(json + at, length - at, &line);
    }
    if (st == HCBR_OK && !hcbr_i_grow(&report->results, &report->capacity, report->count + count,
                                      sizeof *report->results))
        st = hcbr_i_no_memory(err);
    for (size_t n = 0; n < count; n++)
        if (st == HCBR_OK)
            replace(report, &list[n]);
        else
            hcbr_i_tree_clear(&list[n]);
    hcbr_i_free(list);
    return st;
}

const hcbr_i_node *hcbr_i_report_find(const hcbr_report *report, const char *schema) {
    static const hcbr_i_node none = {.number = NAN};
    char full[64];
    snprintf(full, sizeof full, "hcbr.%s/1", schema);
    for (size_t n = 0; n < report->count; n++)
        if (hcbr_i_node_is(hcbr_i_node_get(report->results[n].root, "schema"), full))
            return report->results[n].root;
    return &none;
}

const hcbr_i_node *hcbr_i_report_study(const hcbr_report *report, const char *kind) {
    static const hcbr_i_node none = {.number = NAN};
    for (size_t n = 0; n < report->count; n++) {
        const hcbr_i_node *root = report->results[n].root;
        if (hcbr_i_node_is(hcbr_i_node_get(root, "schema"), "hcbr.study/1") &&
            hcbr_i_node_is(hcbr_i_node_get(root, "kind"), kind))
            return root;
    }
    return &none;
}

/* ---- pieces ---------------------------------------------------------------------------------- */

void hcbr_i_report_text(hcbr_writer *w, const hcbr_i_node *node) {
    hcbr_i_html(w, "<bdi>");
    if (node->text.at)
        hcbr_i_html_data(w, node->text.at, node->text.length);
    else
        hcbr_i_html(w, "none");
    hcbr_i_html(w, "</bdi>");
}

void hcbr_i_report_number(hcbr_writer *w, double value, int digits) {
    char text[HCBR_NUMBER_SIZE];
    if (!isfinite(value)) {
        hcbr_i_html(w, "–");
        return;
    }
    hcbr_i_put(w, text, hcbr_number_round(text, fabs(value) < NOTHING ? 0 : value, digits));
}

void hcbr_i_report_percent(hcbr_writer *w, double share) {
    if (!isfinite(share)) {
        hcbr_i_html(w, "–");
        return;
    }
    hcbr_i_put_printed(w, 'f', 1, 100 * share);
    hcbr_i_html(w, " %");
}

void hcbr_i_report_cell(hcbr_writer *w, double value, int digits) {
    HTML(w, NULL, OURS("<td class=\"n\">"), ROUNDED(value, digits), OURS("</td>"));
}

void hcbr_i_report_row_name(hcbr_writer *w, const hcbr_i_node *node) {
    HTML(w, NULL, OURS("<tr><th scope=\"row\">"), NODE(node), OURS("</th>"));
}

void hcbr_i_report_row(hcbr_writer *w, const hcbr_i_node *node, const hcbr_i_column *columns) {
    hcbr_i_html(w, "<tr>");
    for (size_t n = 0; columns[n].path; n++) {
        hcbr_i_html(w, n ? "<td class=\"n\">" : "<th scope=\"row\">");
        if (columns[n].digits)
            hcbr_i_report_number(w, hcbr_i_node_number(node, columns[n].path), columns[n].digits);
        else
            hcbr_i_report_text(w, hcbr_i_node_get(node, columns[n].path));
        hcbr_i_html(w, n ? "</td>" : "</th>");
    }
    hcbr_i_html(w, "</tr>\n");
}

static void put_head(hcbr_writer *w, const char *const *columns) {
    hcbr_i_html(w, "<thead><tr>");
    for (size_t n = 0; columns[n]; n++)
        HTML(w, NULL, OURS(n ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">"),
             OURS(columns[n]), OURS("</th>"));
    hcbr_i_html(w, "</tr></thead><tbody>\n");
}

void hcbr_i_report_table(hcbr_writer *w, const char *opens, const char *const *columns) {
    HTML(w, NULL, OURS("<details><summary>"), OURS(opens),
         OURS("</summary><div class=\"scroll\" tabindex=\"0\"><table>"));
    put_head(w, columns);
}

void hcbr_i_report_table_end(hcbr_writer *w) {
    hcbr_i_html(w, "</tbody></table></div></details>\n");
}

void hcbr_i_report_open_table(hcbr_writer *w, const char *caption, const char *const *columns) {
    HTML(w, NULL, OURS("<div class=\"scroll\" tabindex=\"0\"><table><caption>"), OURS(caption),
         OURS("</caption>"));
    put_head(w, columns);
}

void hcbr_i_report_open_table_end(hcbr_writer *w) {
    hcbr_i_html(w, "</tbody></table></div>\n");
}

void hcbr_i_report_list(hcbr_writer *w, const char *opens, const char *const *names,
                        const hcbr_i_node *list, const hcbr_i_column *columns) {
    hcbr_i_report_table(w, opens, names);
    for (const hcbr_i_node *n = list->first; n; n = n->next)
        hcbr_i_report_row(w, n, columns);
    hcbr_i_report_table_end(w);
}

void hcbr_i_report_open_list(hcbr_writer *w, const char *caption, const char *const *names,
                             const hcbr_i_node *list, const hcbr_i_column *columns) {
    hcbr_i_report_open_table(w, caption, names);
    for (const hcbr_i_node *n = list->first; n; n = n->next)
        hcbr_i_report_row(w, n, columns);
    hcbr_i_report_open_table_end(w);
}

static void put_value(hcbr_writer *w, const hcbr_i_node *n) {
    if (n->kind == HCBR_I_NODE_TEXT)
        hcbr_i_report_text(w, n);
    else if (n->kind == HCBR_I_NODE_BOOL)
        hcbr_i_html(w, n->number != 0 ? "yes" : "no");
    else if (n->kind == HCBR_I_NODE_LIST || n->kind == HCBR_I_NODE_OBJECT) {
        HTML(w, NULL, WHOLE(n->count), OURS(n->count == 1 ? " value" : " values"));
    } else
        hcbr_i_report_number(w, n->number, 5);
}

void hcbr_i_report_rows(hcbr_writer *w, const char *opens, const hcbr_i_node *rows) {
    HTML(w, NULL, OURS("<details><summary>"), OURS(opens),
         OURS("</summary><div class=\"scroll\" tabindex=\"0\"><table><thead><tr>"));
    for (const hcbr_i_node *c = hcbr_i_node_at(rows, 0)->first; c; c = c->next)
        HTML(w, NULL,
             OURS(c->kind == HCBR_I_NODE_TEXT ? "<th scope=\"col\">"
                                              : "<th scope=\"col\" class=\"n\">"),
             BARE(c->key.at ? c->key.at : "", c->key.length), OURS("</th>"));
    hcbr_i_html(w, "</tr></thead><tbody>\n");
    for (const hcbr_i_node *r = rows->first; r; r = r->next) {
        hcbr_i_html(w, "<tr>");
        for (const hcbr_i_node *c = r->first; c; c = c->next) {
            hcbr_i_html(w, c->kind == HCBR_I_NODE_TEXT ? "<td>" : "<td class=\"n\">");
            put_value(w, c);
            hcbr_i_html(w, "</td>");
        }
        hcbr_i_html(w, "</tr>\n");
    }
    hcbr_i_report_table_end(w);
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_begin(hcbr_writer *w, const hcbr_report *report) {
    HTML(w, NULL,
         OURS("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
              "name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n<meta "
              "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
              "'unsafe-inline'\">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>"),
         BARE(report->title, strlen(report->title)), OURS("</title>\n<style>\n"), OURS(STYLE),
         OURS("</style>\n</head>\n<body>\n<main>\n<h1><bdi>"),
         BARE(report->title, strlen(report->title)), OURS("</bdi></h1>\n"));
}

/* Everything that the page was made from, to be read by programs. */
static void put_json(hcbr_writer *w, const hcbr_report *report) {
    hcbr_i_html(w, "<section class=\"json\" id=\"json\"><h2>The results as JSON</h2>\n<p>All that "
                   "this page was made from. The text of each block is one object.</p>\n");
    for (size_t n = 0; n < report->count; n++) {
        const hcbr_i_tree *r = &report->results[n];
        const hcbr_i_node *schema = hcbr_i_node_get(r->root, "schema");
        HTML(w, NULL, OURS("<details><summary>"), NODE(schema),
             OURS("</summary><pre tabindex=\"0\" class=\"result\">"), BARE(r->text, r->length),
             OURS("</pre></details>\n"));
    }
    hcbr_i_html(w, "</section>\n");
}

/* Results that no section shows: their figures. */
static void put_others(hcbr_writer *w, const hcbr_report *report) {
    static const char *const SHOWN[] = {"evaluate", "curves", "inspect", "audit",
                                        "study",    "drift",  "train",   "tune"};
    for (size_t n = 0; n < report->count; n++) {
        const hcbr_i_node *root = report->results[n].root;
        bool shown = false;
        for (size_t k = 0; k < sizeof SHOWN / sizeof *SHOWN; k++)
            shown = shown || hcbr_i_report_find(report, SHOWN[k]) == root;
        if (shown || hcbr_i_node_is(hcbr_i_node_get(root, "schema"), "hcbr.study/1") ||
            hcbr_i_node_is(hcbr_i_node_get(root, "schema"), "hcbr.report/1"))
            continue;
        HTML(w, NULL, OURS("<section><h2>"), NODE(hcbr_i_node_get(root, "schema")),
             OURS("</h2>\n<table><tbody>\n"));
        for (const hcbr_i_node *c = root->first; c; c = c->next) {
            HTML(w, NULL, OURS("<tr><th scope=\"row\"><bdi>"), BARE(c->key.at, c->key.length),
                 OURS("</bdi></th><td>"));
            put_value(w, c);
            hcbr_i_html(w, "</td></tr>\n");
        }
        hcbr_i_html(w, "</tbody></table></section>\n");
    }
}

static void put_results(hcbr_writer *w, const hcbr_report *report) {
    for (size_t n = 0; n < report->count; n++) {
        hcbr_i_put(w, report->results[n].text, report->results[n].length);
        hcbr_i_put_byte(w, '\n');
    }
}

static void put_page(hcbr_writer *w, const hcbr_report *report) {
    put_begin(w, report);
    hcbr_i_report_verdict(w, report);
    hcbr_i_report_drift(w, report);
    hcbr_i_report_evaluate(w, report);
    hcbr_i_report_curves(w, report);
    hcbr_i_report_studies(w, report);
    hcbr_i_report_model(w, report);
    hcbr_i_report_data(w, report);
    hcbr_i_report_costs(w, report);
    put_others(w, report);
    put_json(w, report);
    HTML(w, NULL, OURS("</main>\n<footer class=\"soft\"><p>Written by hcbr "), OURS(hcbr_version()),
         OURS(".</p></footer>\n</body>\n</html>\n"));
}

hcbr_status hcbr_write_report(hcbr_writer *w, hcbr_form form, const hcbr_report *report,
                              hcbr_error *err) {
    if (HCBR_I_NULL(err, w, report) ||
        hcbr_i_has_no_form(err, form, 1 << HCBR_JSON | 1 << HCBR_HTML))
        return HCBR_EUSAGE;
    (form == HCBR_HTML ? put_page : put_results)(w, report);
    return hcbr_writer_flush(w, err);
}
