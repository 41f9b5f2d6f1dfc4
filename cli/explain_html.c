/*
 * hcbr explain --html: one page without scripts and without anything from elsewhere, to print, mail
 * or read on a phone. Every text of the data is escaped. Numbers carry their sign in words and
 * glyphs, not in colour alone; past cases for and against have tables of the same form.
 */
#include "explaining.h"
#include "label.h"

#include <math.h>
#include <stdio.h>

enum { BAR = 120 }; // width of the longest bar

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

static void put(explaining *x, const char *text) {
    out_string(x->html, text);
}

/* Text of the data: nothing of it is markup; what would steer the page is shown by its bytes. */
static void put_data(explaining *x, const char *text, size_t length) {
    size_t plain = hcbr_text_plain(text, length);
    for (size_t i = 0; i < length; i++) {
        char code[8];
        if (i == plain) {
            snprintf(code, sizeof code, "\\x%02x", (unsigned char)text[i]);
            put(x, code);
            plain = i + 1 + hcbr_text_plain(text + i + 1, length - i - 1);
        } else if (text[i] == '&')
            put(x, "&amp;");
        else if (text[i] == '<')
            put(x, "&lt;");
        else if (text[i] == '>')
            put(x, "&gt;");
        else if (text[i] == '"')
            put(x, "&quot;");
        else if (text[i] == '\'')
            put(x, "&#39;");
        else
            out_byte(x->html, text[i]);
    }
}

static void put_feature(explaining *x, const hcbr_feature *f) {
    put(x, "<bdi>");
    put_data(x, f->key, f->key_length);
    if (f->value) {
        put(x, "=");
        put_data(x, f->value, f->value_length);
    }
    put(x, "</bdi>");
}

static void put_label(explaining *x, hcbr_label label) {
    label_facts info = explain_label(x, label);
    put(x, "<bdi>");
    put_data(x, info.name, info.name_length);
    put(x, "</bdi>");
}

static void put_number(explaining *x, double value) {
    char text[40];
    // a minus sign that screen readers read as one
    snprintf(text, sizeof text, "%s%.4g",
             value < 0   ? "\xE2\x88\x92"
             : value > 0 ? "+"
                         : "",
             fabs(value));
    put(x, text);
}

static void put_count(explaining *x, uint64_t value) {
    out_u64(x->html, value);
}

static void cell_number(explaining *x, double value) {
    put(x, value < 0 ? "<td class=\"n against\">" : "<td class=\"n for\">");
    put_number(x, value);
    put(x, "</td>");
}

/* A bar as long as the value is large, right of the middle if it speaks for the answer. */
static void cell_bar(explaining *x, double value, double largest) {
    char text[400];
    double width = largest > 0 ? fabs(value) / largest * (BAR / 2.0) : 0;
    snprintf(
        text, sizeof text,
        "<td class=\"bar %s\"><svg viewBox=\"0 0 %d 10\" role=\"img\" aria-label=\"%s, %.0f %% of "
        "the largest\" preserveAspectRatio=\"none\"><rect x=\"%.1f\" y=\"1\" width=\"%.1f\" "
        "height=\"8\" fill=\"currentColor\"/><path d=\"M%d 0v10\" stroke=\"currentColor\"/>"
        "</svg></td>",
        value < 0 ? "against" : "for", BAR, value < 0 ? "against" : "for",
        largest > 0 ? 100 * fabs(value) / largest : 0, value < 0 ? BAR / 2.0 - width : BAR / 2.0,
        width, BAR / 2);
    put(x, text);
}

/* ---- the page -------------------------------------------------------------------------------- */

void explain_html_begin(explaining *x) {
    put(x, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
           "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n<title>Reasons for decisions</title>\n<style>\n");
    put(x, STYLE);
    put(x, "</style>\n</head>\n<body>\n<main>\n<h1>Reasons for decisions</h1>\n<p>Model <bdi>");
    put_data(x, x->given->operands[0], strlen(x->given->operands[0]));
    put(x, "</bdi>, built from ");
    put_count(x, x->info.cases);
    put(x, " past cases. Every decision below is shown as the groups of features that weighed and "
           "the past cases behind them, for it and against it. All of them together, listed or "
           "not, add up to the support exactly, with a bias that no past case put there if the "
           "model has one. They say where the support came from, not what "
           "would happen without a past case.</p>\n");
}

void explain_html_end(explaining *x) {
    put(x, "</main>\n<footer class=\"soft\"><p>Written by hcbr ");
    put(x, hcbr_version());
    put(x, ".</p></footer>\n</body>\n</html>\n");
}

static void put_turned(explaining *x, const hcbr_decision *d) {
    const char *how = explain_turned(d);
    if (!how)
        return;
    put(x, "<p>The largest support is for ");
    put_label(x, d->winner);
    put(x, ", ");
    put(x, how);
    put(x, d->label >= 0 ? ": the answer is " : ": there is no answer");
    if (d->label >= 0)
        put_label(x, d->label);
    put(x, ".</p>\n");
}

static void put_heading(explaining *x, const hcbr_decision *d, const hcbr_explanation *e) {
    put(x, "<article>\n<h2>Row ");
    put_count(x, d->row);
    if (d->id) {
        put(x, ", <bdi>");
        put_data(x, d->id, d->id_length);
        put(x, "</bdi>");
    }
    put(x, "</h2>\n<p class=\"decision\">Decided: <strong>");
    put_label(x, d->label);
    put(x, "</strong>");
    if (d->reason != HCBR_BY_SUPPORT) {
        put(x, " (");
        put(x, hcbr_reason_name(d->reason));
        put(x, ")");
    }
    put(x, "</p>\n");
    put_turned(x, d);
    put(x, "<p>");
    if (d->given) {
        put(x, "The data says <bdi>");
        size_t length = d->given_length;
        const char *given = label_shown(d->given, &length);
        put_data(x, given, length);
        put(x, "</bdi>. ");
    }
    put_count(x, d->known_count);
    put(x, " of ");
    put_count(x, d->feature_count);
    put(x, d->feature_count == 1 ? " feature is known from past cases."
                                 : " features are known from past cases.");
    for (size_t i = 0; i < d->unseen_count && i < 40; i++) {
        put(x, i == 0 ? " Never seen before: " : ", ");
        put_feature(x, &d->unseen[i]);
    }
    put(x, d->unseen_count > 40 ? ", and more.</p>\n" : "</p>\n");
    if (e->label < 0)
        return;
    put(x, "<table><caption>Support for each label</caption><thead><tr><th scope=\"col\">Label"
           "</th><th scope=\"col\" class=\"n\">Support</th>");
    put(x, d->probability ? "<th scope=\"col\" class=\"n\">Probability</th>" : "");
    put(x, "</tr></thead><tbody>\n");
    for (size_t l = 0; l < d->label_count; l++) {
        char text[40];
        put(x, "<tr><th scope=\"row\">");
        put_label(x, (hcbr_label)l);
        put(x, "</th><td class=\"n\">");
        snprintf(text, sizeof text, "%.6g", d->support[l]);
        put(x, text);
        if (d->probability) {
            snprintf(text, sizeof text, "</td><td class=\"n\">%.3g", d->probability[l]);
            put(x, text);
        }
        put(x, "</td></tr>\n");
    }
    put(x, "</tbody></table>\n");
}

static void put_atoms(explaining *x, const hcbr_explanation *e) {
    double largest = 0, bias = explain_bias(e), rest = e->lead - bias;
    for (size_t n = 0; n < e->group_count; n++) {
        largest = fabs(e->groups[n].lead) > largest ? fabs(e->groups[n].lead) : largest;
        rest -= e->groups[n].lead;
    }
    put(x, "<table><caption>Groups of features: what each adds to the lead of ");
    put_label(x, e->label);
    if (e->against >= 0) {
        put(x, " over ");
        put_label(x, e->against);
    }
    put(x, "</caption><thead><tr><th scope=\"col\">Features</th><th scope=\"col\" class=\"bar\">"
           "Against or for</th><th scope=\"col\" class=\"n\">Adds</th><th scope=\"col\" "
           "class=\"n\">Past cases</th></tr></thead><tbody>\n");
    for (size_t n = 0; n < e->group_count; n++) {
        const hcbr_explained_group *a = &e->groups[n];
        put(x, "<tr><th scope=\"row\">");
        for (size_t f = 0; f < a->feature_count; f++) {
            put(x, f ? " and " : "");
            put_feature(x, &a->features[f]);
        }
        put(x, "</th>");
        cell_bar(x, a->lead, largest);
        cell_number(x, a->lead);
        put(x, "<td class=\"n\">");
        if (a->case_count || !e->no_cases)
            put_count(x, a->case_count);
        put(x, "</td></tr>\n");
    }
    put(x, "</tbody><tfoot>\n");
    if (e->group_count < e->all_groups) {
        put(x, "<tr><td>");
        put_count(x, e->all_groups - e->group_count);
        put(x, e->all_groups - e->group_count == 1 ? " more group" : " more groups");
        put(x, "</td><td class=\"bar\"></td>");
        cell_number(x, rest);
        put(x, "<td></td></tr>\n");
    }
    if (bias != 0) {
        put(x, "<tr><td>Bias: what no past case put there</td><td class=\"bar\"></td>");
        cell_number(x, bias);
        put(x, "<td></td></tr>\n");
    }
    put(x, "<tr><th scope=\"row\">Lead</th><td class=\"bar\"></td>");
    cell_number(x, e->lead);
    put(x, "<td></td></tr></tfoot></table>\n");
}

/* The first cells of its row. */
static void put_past(explaining *x, const hcbr_explained_case *c) {
    put(x, "<tr><th scope=\"row\">row ");
    put_count(x, c->row);
    if (c->id) {
        put(x, ", <bdi>");
        put_data(x, c->id, c->id_length);
        put(x, "</bdi>");
    }
    put(x, "</th><td>");
    put_label(x, c->label);
    put(x, "</td>");
}

static void put_cases(explaining *x, const hcbr_explanation *e, bool against) {
    const hcbr_explained_case *cases = against ? e->counter_examples : e->analogies;
    size_t count = against ? e->counter_count : e->analogy_count;
    put(x, against ? "<section><h3>Counter-examples</h3>\n<table><caption>"
                   : "<section><h3>Analogies</h3>\n<table><caption>");
    put_count(x, against ? e->all_against : e->all_for);
    put(x, against ? " past cases against " : " past cases for ");
    put_label(x, e->label);
    put(x, "; the strongest:</caption><thead><tr><th scope=\"col\">Past case</th><th "
           "scope=\"col\">Its label</th><th scope=\"col\" class=\"n\">Adds</th></tr></thead>"
           "<tbody>\n");
    for (size_t n = 0; n < count; n++) {
        put_past(x, &cases[n]);
        cell_number(x, cases[n].lead);
        put(x, "</tr>\n");
    }
    put(x, count ? "</tbody></table></section>\n"
                 : "<tr><td colspan=\"3\">none</td></tr></tbody></table></section>\n");
}

static void put_others(explaining *x, const hcbr_explanation *e) {
    bool all = e->other_count == e->all_others;
    if (e->all_others == 0)
        return;
    put(x, "<section><h3>Past cases without a part in the lead: ");
    put_count(x, e->all_others);
    put(x, all ? "</h3>\n<table><caption>What each adds to the support of the labels</caption>"
                 "<thead><tr><th scope=\"col\">Past case</th><th scope=\"col\">Its label</th>"
               : "</h3></section>\n");
    if (!all)
        return;
    for (size_t l = 0; l < x->info.labels; l++) {
        put(x, "<th scope=\"col\" class=\"n\">");
        put_label(x, (hcbr_label)l);
        put(x, "</th>");
    }
    put(x, "</tr></thead><tbody>\n");
    for (size_t n = 0; n < e->other_count; n++) {
        put_past(x, &e->others[n]);
        for (size_t l = 0; l < x->info.labels; l++)
            cell_number(x, e->others[n].influence[l]);
        put(x, "</tr>\n");
    }
    put(x, "</tbody></table></section>\n");
}

void explain_html(explaining *x, const hcbr_decision *d, const hcbr_explanation *e) {
    put_heading(x, d, e);
    if (e->label < 0)
        return;
    put_atoms(x, e);
    if (e->no_cases) {
        put(x, "<p>Past cases are not shown: ");
        put_data(x, e->no_cases, strlen(e->no_cases));
        put(x, ".</p>\n");
        return;
    }
    put(x, "<div class=\"sides\">\n");
    put_cases(x, e, false);
    put_cases(x, e, true);
    put(x, "</div>\n");
    put_others(x, e);
}

/* ---- beyond the reasons ---------------------------------------------------------------------- */

static void put_part(explaining *x, const char *title, const hcbr_compared_feature *list,
                     size_t count) {
    size_t shown = count < x->options.groups ? count : x->options.groups;
    put(x, "<table><caption>");
    put(x, title);
    put(x, ": ");
    put_count(x, count);
    put(x, "</caption><thead><tr><th scope=\"col\">Feature</th><th scope=\"col\" class=\"n\">Here"
           "</th><th scope=\"col\" class=\"n\">There</th><th scope=\"col\" class=\"n\">Moves</th>"
           "</tr></thead><tbody>\n");
    for (size_t n = 0; n < shown; n++) {
        put(x, "<tr><th scope=\"row\">");
        put_feature(x, &list[n].feature);
        put(x, list[n].known ? "" : " (never seen)");
        put(x, "</th>");
        cell_number(x, list[n].here);
        cell_number(x, list[n].there);
        cell_number(x, list[n].here - list[n].there);
        put(x, "</tr>\n");
    }
    put(x, "</tbody>");
    if (shown < count) {
        double rest = 0;
        for (size_t n = shown; n < count; n++)
            rest += list[n].here - list[n].there;
        put(x, "<tfoot><tr><td colspan=\"3\">");
        put_count(x, count - shown);
        put(x, " more</td>");
        cell_number(x, rest);
        put(x, "</tr></tfoot>");
    }
    put(x, "</table>\n");
}

void explain_versus_html(explaining *x, const hcbr_comparison *c) {
    const hcbr_compared_feature *f = c->features;
    put(x, "<section><h3>Beside row ");
    put_count(x, c->past->row);
    if (c->past->id) {
        put(x, ", <bdi>");
        put_data(x, c->past->id, c->past->id_length);
        put(x, "</bdi>");
    }
    put(x, " (");
    put_label(x, c->past->label);
    put(x, ")</h3>\n<p>That case adds ");
    put_number(x, c->past->lead);
    put(x, " to the lead. The lead is ");
    put_number(x, c->lead_here);
    put(x, " here");
    if (c->past_empty) {
        put(x, ". That case is empty: it shares nothing with this one and has no lead of its own. "
               "What the lead here is made of:</p>\n");
    } else {
        put(x, " and ");
        put_number(x, c->lead_there);
        put(x, " there; what moves it from one to the other:</p>\n");
    }
    put_part(x, "In both", f, c->shared);
    put_part(x, "Only here", f + c->shared, c->only_here);
    put_part(x, "Only there", f + c->shared + c->only_here, c->only_there);
    if (c->rest != 0) {
        put(x, "<p>Tests of what neither case has move it by ");
        put_number(x, c->rest);
        put(x, ".</p>\n");
    }
    put(x, "</section>\n");
}

void explain_flip_html(explaining *x, const hcbr_flips *f) {
    put(x, "<section><h3>What would change the answer</h3>\n");
    if (f->count == 0) {
        char text[EXPLAIN_NOT_FOUND];
        explain_not_found(f, text);
        text[0] = 'N'; // a sentence of its own
        put(x, "<p>");
        put_data(x, text, strlen(text));
        put(x, ".</p></section>\n");
        return;
    }
    put(x, f->exact     ? "<p>Fewer changes do not."
           : f->limited ? "<p>Perhaps fewer changes do (--flip-limit)."
                        : "<p>Perhaps fewer changes do.");
    put(x, " Each line is one way, checked by deciding anew.</p>\n<ul>\n");
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        put(x, "<li><strong>");
        put_label(x, flip->label);
        put(x, "</strong> (lead ");
        put_number(x, flip->lead);
        if (flip->winner != flip->label) {
            put(x, "; the largest support is for ");
            put_label(x, flip->winner);
        }
        put(x, "): ");
        for (size_t k = 0; k < flip->count; k++) {
            const hcbr_change *c = &flip->changes[k];
            put(x, k ? "; " : "");
            if (c->removed.key && c->added.key) {
                put_feature(x, &c->added);
                put(x, " instead of ");
                put_feature(x, &c->removed);
            } else {
                put(x, c->added.key ? "with " : "without ");
                put_feature(x, c->added.key ? &c->added : &c->removed);
            }
        }
        put(x, "</li>\n");
    }
    put(x, "</ul></section>\n");
}

static void put_outcome(explaining *x, const hcbr_possible_value *a) {
    put(x, "<tr><th scope=\"row\">");
    put_feature(x, &a->feature);
    put(x, "</th>");
    cell_number(x, a->lead);
    put(x, "<td>");
    put_label(x, a->label);
    put(x, "</td></tr>\n");
}

void explain_ask_html(explaining *x, const hcbr_questions *q) {
    put(x, "<section><h3>What is missing</h3>\n<table><caption>Missing values that could move the "
           "decision most, of ");
    put_count(x, q->all);
    put(x, " missing</caption><thead><tr><th scope=\"col\">If it were</th><th scope=\"col\" "
           "class=\"n\">Lead then</th><th scope=\"col\">Answer then</th></tr></thead><tbody>\n");
    for (size_t n = 0; n < q->count; n++) {
        put_outcome(x, q->questions[n].lowest);
        if (q->questions[n].values > 1)
            put_outcome(x, q->questions[n].highest);
    }
    put(x, q->count ? "</tbody></table></section>\n"
                    : "<tr><td colspan=\"3\">nothing</td></tr></tbody></table></section>\n");
}

void explain_html_row(explaining *x) {
    put(x, "</article>\n");
}
