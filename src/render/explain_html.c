/*
 * Explanations as HTML: one page without scripts and without anything from elsewhere, to print,
 * mail or read on a phone. Every text of the data is escaped. Numbers carry their sign in words and
 * glyphs, not in colour alone; past cases for and against have tables of the same form.
 */
#include "render/html.h"

enum { BAR = 120 }; // width of two of the longest bars, also in the text of cell_bar()

static const char STYLE[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#595959;--line:#c8c8c8;"
    "--for:#0b5c8a;--against:#9a4400}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16181b;--soft:#b0b0b0;"
    "--line:#4a4d52;--for:#7cc4f0;--against:#f5ab6b}}\n"
    "@media print{:root{--ink:#000;--paper:#fff;--soft:#333;--line:#999;--for:#003e63;"
    "--against:#6b2f00}article{break-before:page}article:first-of-type{break-before:auto}"
    "tr,figure{break-inside:avoid}"
    "tfoot{display:table-row-group}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;"
    "color:var(--ink);background:var(--paper)}\n"
    "h1,h2,h3{line-height:1.25;overflow-wrap:anywhere}\n"
    "article{border-top:2px solid var(--line);margin-top:2rem}\n"
    ".sides{display:grid;grid-template-columns:repeat(auto-fit,minmax(18rem,1fr));gap:0 2rem}\n"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 1.5rem}\n"
    "caption{text-align:left;font-weight:600;padding:.25rem 0}\n"
    "th,td{border-bottom:1px solid var(--line);padding:.35rem .5rem .35rem 0;text-align:left;"
    "vertical-align:top;overflow-wrap:anywhere}\n"
    "th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}\n"
    "tfoot td,tfoot th{font-weight:600;border-bottom:0}\n"
    ".soft{color:var(--soft)}.for{color:var(--for)}.against{color:var(--against)}\n"
    "svg{display:block;width:100%;max-width:7.5rem;height:.8rem}\n"
    ".decision{font-size:1.25rem}\n"
    "@media(max-width:32rem){td.bar,th.bar{display:none}body{padding:.75rem}}\n";

/* ---- text ------------------------------------------------------------------------------------ */

/* Text of the data: nothing of it is markup; what would steer the page is shown by its bytes. */
void hcbr_i_html_data(hcbr_writer *w, const char *text, size_t length) {
    static const char HEX[] = "0123456789abcdef";
    size_t plain = hcbr_text_plain(text, length);
    for (size_t i = 0; i < length; i++) {
        if (i == plain) {
            unsigned char c = (unsigned char)text[i];
            char code[4] = {'\\', 'x', HEX[c >> 4], HEX[c & 15]};
            hcbr_i_put(w, code, sizeof code);
            plain = i + 1 + hcbr_text_plain(text + i + 1, length - i - 1);
        } else if (text[i] == '&')
            hcbr_i_html(w, "&amp;");
        else if (text[i] == '<')
            hcbr_i_html(w, "&lt;");
        else if (text[i] == '>')
            hcbr_i_html(w, "&gt;");
        else if (text[i] == '"')
            hcbr_i_html(w, "&quot;");
        else if (text[i] == '\'')
            hcbr_i_html(w, "&#39;");
        else
            hcbr_i_put_byte(w, text[i]);
    }
}

/* The name of a label: unknown alone is never one. */
static void put_name(hcbr_writer *w, const char *name, size_t length) {
    const char *quote = hcbr_text_is_unknown(name, length) ? "&quot;" : "";
    hcbr_i_html(w, "<bdi>");
    hcbr_i_html(w, quote);
    hcbr_i_html_data(w, name, length);
    hcbr_i_html(w, quote);
    hcbr_i_html(w, "</bdi>");
}

void hcbr_i_html_feature(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *feature) {
    char room[HCBR_SHOWN_SIZE];
    const hcbr_feature f = hcbr_shown_feature(model, feature, room);
    hcbr_i_html(w, "<bdi>");
    hcbr_i_html_data(w, f.key, f.key_length);
    if (f.value) {
        hcbr_i_html(w, "=");
        hcbr_i_html_data(w, f.value, f.value_length);
    }
    hcbr_i_html(w, "</bdi>");
}

void hcbr_i_html_label(hcbr_writer *w, const hcbr_model *model, hcbr_label label) {
    size_t length;
    if (label < 0) {
        hcbr_i_html(w, "<bdi>unknown</bdi>");
        return;
    }
    const char *name = hcbr_model_get_label(model, label, &length);
    put_name(w, name, length);
}

static double size_of(double value) {
    return value < 0 ? -value : value;
}

/* A minus sign that screen readers read as one. */
void hcbr_i_html_number(hcbr_writer *w, double value) {
    hcbr_i_html(w, value < 0 ? "\xE2\x88\x92" : value > 0 ? "+" : "");
    hcbr_i_put_printed(w, 'g', 4, size_of(value));
}

void hcbr_i_html_cell(hcbr_writer *w, double value) {
    hcbr_i_html(w, value < 0 ? "<td class=\"n against\">" : "<td class=\"n for\">");
    hcbr_i_html_number(w, value);
    hcbr_i_html(w, "</td>");
}

/* A bar as long as the value is large, right of the middle if it speaks for the answer. */
static void cell_bar(hcbr_writer *w, double value, double largest) {
    double part = largest > 0 ? size_of(value) / largest : 0, width = part * (BAR / 2.0);
    const char *side = value < 0 ? "against" : "for";
    hcbr_i_html(w, "<td class=\"bar ");
    hcbr_i_html(w, side);
    hcbr_i_html(w, "\"><svg viewBox=\"0 0 120 10\" role=\"img\" aria-label=\"");
    hcbr_i_html(w, side);
    hcbr_i_html(w, ", ");
    hcbr_i_put_printed(w, 'f', 0, largest > 0 ? 100 * size_of(value) / largest : 0);
    hcbr_i_html(w, " % of the largest\" preserveAspectRatio=\"none\"><rect x=\"");
    hcbr_i_put_printed(w, 'f', 1, value < 0 ? BAR / 2.0 - width : BAR / 2.0);
    hcbr_i_html(w, "\" y=\"1\" width=\"");
    hcbr_i_put_printed(w, 'f', 1, width);
    hcbr_i_html(w, "\" height=\"8\" fill=\"currentColor\"/><path d=\"M60 0v10\" "
                   "stroke=\"currentColor\"/></svg></td>");
}

/* ---- the page -------------------------------------------------------------------------------- */

hcbr_status hcbr_html_begin(hcbr_writer *w, const hcbr_model *model, const char *name,
                            hcbr_error *err) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    hcbr_i_html(
        w, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n<title>Reasons for decisions</title>\n<style>\n");
    hcbr_i_html(w, STYLE);
    hcbr_i_html(
        w, "</style>\n</head>\n<body>\n<main>\n<h1>Reasons for decisions</h1>\n<p>Model <bdi>");
    hcbr_i_html_data(w, name, strlen(name));
    hcbr_i_html(w, "</bdi>, built from ");
    hcbr_i_put_u64(w, info.cases);
    hcbr_i_html(
        w, " past cases. Every decision below is shown as the groups of features that weighed and "
           "the past cases behind them, for it and against it. All of them together, listed or "
           "not, add up to the support exactly, with a bias that no past case put there if the "
           "model has one. They say where the support came from, not what "
           "would happen without a past case.</p>\n");
    return hcbr_i_writer_status(w, err);
}

hcbr_status hcbr_html_end(hcbr_writer *w, hcbr_error *err) {
    hcbr_i_html(w, "</main>\n<footer class=\"soft\"><p>Written by hcbr ");
    hcbr_i_html(w, hcbr_version());
    hcbr_i_html(w, ".</p></footer>\n</body>\n</html>\n");
    return hcbr_writer_flush(w, err);
}

static void put_turned(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    const char *how = hcbr_decision_turned(d);
    if (!how)
        return;
    hcbr_i_html(w, "<p>The largest support is for ");
    hcbr_i_html_label(w, model, d->winner);
    hcbr_i_html(w, ", ");
    hcbr_i_html(w, how);
    hcbr_i_html(w, d->label >= 0 ? ": the answer is " : ": there is no answer");
    if (d->label >= 0)
        hcbr_i_html_label(w, model, d->label);
    hcbr_i_html(w, ".</p>\n");
}

static void put_heading(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                        const hcbr_explanation *e) {
    hcbr_i_html(w, "<article>\n<h2>Row ");
    hcbr_i_put_u64(w, d->row);
    if (d->id) {
        hcbr_i_html(w, ", <bdi>");
        hcbr_i_html_data(w, d->id, d->id_length);
        hcbr_i_html(w, "</bdi>");
    }
    hcbr_i_html(w, "</h2>\n<p class=\"decision\">Decided: <strong>");
    hcbr_i_html_label(w, model, d->label);
    hcbr_i_html(w, "</strong>");
    if (d->reason != HCBR_BY_SUPPORT) {
        hcbr_i_html(w, " (");
        hcbr_i_html(w, hcbr_reason_name(d->reason));
        hcbr_i_html(w, ")");
    }
    hcbr_i_html(w, "</p>\n");
    put_turned(w, model, d);
    hcbr_i_html(w, "<p>");
    if (d->given) {
        hcbr_i_html(w, "The data says ");
        put_name(w, d->given, d->given_length);
        hcbr_i_html(w, ". ");
    }
    hcbr_i_put_u64(w, d->known_count);
    hcbr_i_html(w, " of ");
    hcbr_i_put_u64(w, d->feature_count);
    hcbr_i_html(w, d->feature_count == 1 ? " feature is known from past cases."
                                         : " features are known from past cases.");
    for (size_t i = 0; i < d->unseen_count && i < 40; i++) {
        hcbr_i_html(w, i == 0 ? " Never seen before: " : ", ");
        hcbr_i_html_feature(w, model, &d->unseen[i]);
    }
    hcbr_i_html(w, d->unseen_count > 40 ? ", and more.</p>\n" : "</p>\n");
    if (e->label < 0)
        return;
    hcbr_i_html(w,
                "<table><caption>Support for each label</caption><thead><tr><th scope=\"col\">Label"
                "</th><th scope=\"col\" class=\"n\">Support</th>");
    hcbr_i_html(w, d->probability ? "<th scope=\"col\" class=\"n\">Probability</th>" : "");
    hcbr_i_html(w, "</tr></thead><tbody>\n");
    for (size_t l = 0; l < d->label_count; l++) {
        hcbr_i_html(w, "<tr><th scope=\"row\">");
        hcbr_i_html_label(w, model, (hcbr_label)l);
        hcbr_i_html(w, "</th><td class=\"n\">");
        hcbr_i_put_printed(w, 'g', 6, d->support[l]);
        if (d->probability) {
            hcbr_i_html(w, "</td><td class=\"n\">");
            hcbr_i_put_printed(w, 'g', 3, d->probability[l]);
        }
        hcbr_i_html(w, "</td></tr>\n");
    }
    hcbr_i_html(w, "</tbody></table>\n");
}

/* What the bias adds to the lead. */
static double bias_of(const hcbr_explanation *e) {
    return e->bias[e->label] - (e->against >= 0 ? e->bias[e->against] : 0);
}

/* What stands in every table of leads after its rows: a part that is not in them. */
static void put_part(hcbr_writer *w, const char *name, double value) {
    if (value == 0)
        return;
    hcbr_i_html(w, "<tr><td>");
    hcbr_i_html(w, name);
    hcbr_i_html(w, "</td><td class=\"bar\"></td>");
    hcbr_i_html_cell(w, value);
    hcbr_i_html(w, "</tr>\n");
}

static void put_columns(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    if (e->column_count == 0 || e->all_columns >= e->all_groups) // groups say the same in less
        return;
    double apart = e->rest[e->label] - (e->against >= 0 ? e->rest[e->against] : 0) + bias_of(e);
    double more = e->lead - apart;
    double largest = size_of(e->columns->lead);
    hcbr_i_html(w, "<table><caption>Columns: what each adds to the lead of ");
    hcbr_i_html_label(w, model, e->label);
    hcbr_i_html(w, "</caption><thead><tr><th scope=\"col\">Column</th><th scope=\"col\" "
                   "class=\"bar\">Against or for</th><th scope=\"col\" class=\"n\">Adds</th></tr>"
                   "</thead><tbody>\n");
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = hcbr_at(e->columns, e->column_stride, n);
        hcbr_i_html(w, "<tr><th scope=\"row\"><bdi>");
        hcbr_i_html_data(w, c->name, c->name_length);
        hcbr_i_html(w, "</bdi></th>");
        cell_bar(w, c->lead, largest);
        hcbr_i_html_cell(w, c->lead);
        hcbr_i_html(w, "</tr>\n");
        more -= c->lead;
    }
    hcbr_i_html(w, "</tbody><tfoot>\n");
    put_part(w, "Other columns", e->column_count < e->all_columns ? more : 0);
    put_part(w, "No column", apart);
    hcbr_i_html(w, "</tfoot></table>\n");
}

static void put_atoms(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    double largest = 0, bias = bias_of(e), rest = e->lead - bias;
    for (size_t n = 0; n < e->group_count; n++) {
        const hcbr_explained_group *a = hcbr_at(e->groups, e->group_stride, n);
        largest = size_of(a->lead) > largest ? size_of(a->lead) : largest;
        rest -= a->lead;
    }
    hcbr_i_html(w, "<table><caption>Groups of features: what each adds to the lead of ");
    hcbr_i_html_label(w, model, e->label);
    if (e->against >= 0) {
        hcbr_i_html(w, " over ");
        hcbr_i_html_label(w, model, e->against);
    }
    hcbr_i_html(
        w, "</caption><thead><tr><th scope=\"col\">Features</th><th scope=\"col\" class=\"bar\">"
           "Against or for</th><th scope=\"col\" class=\"n\">Adds</th><th scope=\"col\" "
           "class=\"n\">Past cases</th></tr></thead><tbody>\n");
    for (size_t n = 0; n < e->group_count; n++) {
        const hcbr_explained_group *a = hcbr_at(e->groups, e->group_stride, n);
        hcbr_i_html(w, "<tr><th scope=\"row\">");
        for (size_t f = 0; f < a->feature_count; f++) {
            hcbr_i_html(w, f ? " and " : "");
            hcbr_i_html_feature(w, model, &a->features[f]);
        }
        hcbr_i_html(w, "</th>");
        cell_bar(w, a->lead, largest);
        hcbr_i_html_cell(w, a->lead);
        hcbr_i_html(w, "<td class=\"n\">");
        if (a->case_count || !e->no_cases)
            hcbr_i_put_u64(w, a->case_count);
        hcbr_i_html(w, "</td></tr>\n");
    }
    hcbr_i_html(w, "</tbody><tfoot>\n");
    if (e->group_count < e->all_groups) {
        hcbr_i_html(w, "<tr><td>");
        hcbr_i_put_u64(w, e->all_groups - e->group_count);
        hcbr_i_html(w, e->all_groups - e->group_count == 1 ? " more group" : " more groups");
        hcbr_i_html(w, "</td><td class=\"bar\"></td>");
        hcbr_i_html_cell(w, rest);
        hcbr_i_html(w, "<td></td></tr>\n");
    }
    if (bias != 0) {
        hcbr_i_html(w, "<tr><td>Bias, not from past cases</td><td class=\"bar\"></td>");
        hcbr_i_html_cell(w, bias);
        hcbr_i_html(w, "<td></td></tr>\n");
    }
    hcbr_i_html(w, "<tr><th scope=\"row\">Lead</th><td class=\"bar\"></td>");
    hcbr_i_html_cell(w, e->lead);
    hcbr_i_html(w, "<td></td></tr></tfoot></table>\n");
}

/* The first cells of its row. */
static void put_past(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c) {
    hcbr_i_html(w, "<tr><th scope=\"row\">row ");
    hcbr_i_put_u64(w, c->row);
    if (c->id) {
        hcbr_i_html(w, ", <bdi>");
        hcbr_i_html_data(w, c->id, c->id_length);
        hcbr_i_html(w, "</bdi>");
    }
    hcbr_i_html(w, "</th><td>");
    hcbr_i_html_label(w, model, c->label);
    hcbr_i_html(w, "</td>");
}

static void put_cases(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e,
                      bool against) {
    const hcbr_explained_case *cases = against ? e->counter_examples : e->analogies;
    size_t count = against ? e->counter_count : e->analogy_count;
    hcbr_i_html(w, against ? "<section><h3>Counter-examples</h3>\n<table><caption>"
                           : "<section><h3>Analogies</h3>\n<table><caption>");
    hcbr_i_put_u64(w, against ? e->all_against : e->all_for);
    hcbr_i_html(w, against ? " past cases against " : " past cases for ");
    hcbr_i_html_label(w, model, e->label);
    hcbr_i_html(w,
                "; the strongest:</caption><thead><tr><th scope=\"col\">Past case</th><th "
                "scope=\"col\">Its label</th><th scope=\"col\" class=\"n\">Adds</th></tr></thead>"
                "<tbody>\n");
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_case *c = hcbr_at(cases, e->case_stride, n);
        put_past(w, model, c);
        hcbr_i_html_cell(w, c->lead);
        hcbr_i_html(w, "</tr>\n");
    }
    hcbr_i_html(w, count ? "</tbody></table></section>\n"
                         : "<tr><td colspan=\"3\">none</td></tr></tbody></table></section>\n");
}

static void put_others(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    bool all = e->other_count == e->all_others;
    uint32_t labels = hcbr_i_label_count(model);
    if (e->all_others == 0)
        return;
    hcbr_i_html(w, "<section><h3>Past cases without a part in the lead: ");
    hcbr_i_put_u64(w, e->all_others);
    hcbr_i_html(w,
                all ? "</h3>\n<table><caption>What each adds to the support of the labels</caption>"
                      "<thead><tr><th scope=\"col\">Past case</th><th scope=\"col\">Its label</th>"
                    : "</h3></section>\n");
    if (!all)
        return;
    for (size_t l = 0; l < labels; l++) {
        hcbr_i_html(w, "<th scope=\"col\" class=\"n\">");
        hcbr_i_html_label(w, model, (hcbr_label)l);
        hcbr_i_html(w, "</th>");
    }
    hcbr_i_html(w, "</tr></thead><tbody>\n");
    for (size_t n = 0; n < e->other_count; n++) {
        const hcbr_explained_case *c = hcbr_at(e->others, e->case_stride, n);
        put_past(w, model, c);
        for (size_t l = 0; l < labels; l++)
            hcbr_i_html_cell(w, c->influence[l]);
        hcbr_i_html(w, "</tr>\n");
    }
    hcbr_i_html(w, "</tbody></table></section>\n");
}

static void put_explanation(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                            const hcbr_explanation *e) {
    put_heading(w, model, d, e);
    if (e->label < 0)
        return;
    put_columns(w, model, e);
    put_atoms(w, model, e);
    if (e->no_cases) {
        hcbr_i_html(w, "<p>Past cases are not shown: ");
        hcbr_i_html_data(w, e->no_cases, strlen(e->no_cases));
        hcbr_i_html(w, ".</p>\n");
        return;
    }
    hcbr_i_html(w, "<div class=\"sides\">\n");
    put_cases(w, model, e, false);
    put_cases(w, model, e, true);
    hcbr_i_html(w, "</div>\n");
    put_others(w, model, e);
}

hcbr_status hcbr_html_explanation(hcbr_writer *w, const hcbr_model *model,
                                  const hcbr_decision *decision,
                                  const hcbr_explanation *explanation, hcbr_error *err) {
    hcbr_decision d = {.size = sizeof d};
    hcbr_explanation e = {.size = sizeof e};
    hcbr_i_take_in(&d, sizeof d, decision);
    hcbr_i_take_in(&e, sizeof e, explanation);
    put_explanation(w, model, &d, &e);
    return hcbr_i_writer_status(w, err);
}

hcbr_status hcbr_html_end_case(hcbr_writer *w, hcbr_error *err) {
    hcbr_i_html(w, "</article>\n");
    return hcbr_writer_flush(w, err);
}
