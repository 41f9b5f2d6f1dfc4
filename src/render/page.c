/*
 * Explanations as HTML: one page without scripts and without external files, to print, mail or read
 * on a phone. Here its frame: the origin, how to read it, the list of cases.
 *
 * A page is written case by case. Of earlier cases only their line in the list is kept.
 */
#include "model/model.h"
#include "render/pieces.h"

static const char STYLE[] =
    ":root{color-scheme:light dark;--ink:#1a1a1a;--paper:#fff;--soft:#595959;--line:#c8c8c8;"
    "--for:#0b5c8a;--against:#9a4400;--tint:#f3f3f3}\n"
    "@media(prefers-color-scheme:dark){:root{--ink:#ececec;--paper:#16181b;--soft:#b0b0b0;"
    "--line:#4a4d52;--for:#7cc4f0;--against:#f5ab6b;--tint:#22252a}}\n"
    "@media print{:root{--ink:#000;--paper:#fff;--soft:#333;--line:#999;--for:#003e63;"
    "--against:#6b2f00;--tint:#fff}article+article{break-before:page}"
    "tr,figure,.text,.say{break-inside:avoid}h2,h3,h4,caption,thead{break-after:avoid}"
    "tbody tr:last-child,tfoot tr{break-before:avoid}"
    "nav,.top{display:none}tfoot{display:table-row-group}a{color:inherit}}\n"
    "*{box-sizing:border-box}\n"
    "body{margin:0 auto;max-width:60rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;"
    "color:var(--ink);background:var(--paper);overflow-wrap:break-word}\n"
    "h1,h2,h3,h4{line-height:1.25}h3{margin-top:2rem}h4{margin-bottom:.25rem}\n"
    "a{color:var(--for)}\n"
    "article{border-top:2px solid var(--line);margin-top:2rem}\n"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.15rem 1rem;margin:.5rem 0}"
    "dt{color:var(--soft)}dd{margin:0;min-width:0}\n"
    "table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem}\n"
    "caption{text-align:left;font-weight:600;padding:.25rem 0}\n"
    ".w{white-space:nowrap}\n"
    "th,td{border-bottom:1px solid var(--line);padding:.3rem .6rem .3rem 0;text-align:left;"
    "vertical-align:top}\n"
    "tbody th{font-weight:400}\n"
    "th.n,td.n{text-align:right;font-variant-numeric:tabular-nums;padding-right:0;"
    "padding-left:.6rem}td.n{white-space:nowrap}.n+th,.n+td{padding-left:.6rem}\n"
    "tfoot td,tfoot th{font-weight:600;border-bottom:0}\n"
    ".soft{color:var(--soft)}.for{color:var(--for)}.against{color:var(--against)}\n"
    "td.bar{width:12rem;padding-right:0}svg{display:block;width:100%;height:1rem}\n"
    ".say p{margin:.35rem 0}.say p:first-child{font-size:1.25rem;line-height:1.35}\n"
    ".text{background:var(--tint);padding:.75rem 1rem;border-left:3px solid var(--line);"
    "white-space:pre-wrap;margin:.5rem 0}\n"
    "mark{background:none;color:inherit}mark.for{color:var(--for);text-decoration:underline 2px}"
    "mark.against{color:var(--against);text-decoration:underline dotted 2px}"
    "mark sup{font-size:.7em;line-height:0}\n"
    "details{margin:.5rem 0}summary{cursor:pointer;color:var(--for)}\n"
    ".beside td:nth-child(4){white-space:nowrap}.wide{overflow-x:auto}\n"
    "@media(max-width:40rem){td.bar,th.bar{display:none}body{padding:.75rem}"
    "dl{display:block}dd{margin-bottom:.35rem}th,td{padding-right:.4rem}"
    ".stack thead{display:none}.stack tr{display:block;border-bottom:1px solid var(--line);"
    "padding:.3rem 0}.stack td,.stack tbody th,.stack tfoot th{display:block;border:0;padding:0;"
    "text-align:left}.stack td.n{white-space:normal}.stack td:empty{display:none}"
    ".stack td[data-is]::before{content:attr(data-is) \": \";color:var(--soft)}}\n";

void hcbr_writer_set_page(hcbr_writer *w, const hcbr_page_options *options) {
    hcbr_page_options_init(&w->page.options);
    if (options && options->size == sizeof *options)
        w->page.options = *options;
}

/* ---- origin ---------------------------------------------------------------------------------- */

static void put_row(hcbr_writer *w, hcbr_word name, const char *text) {
    if (!text)
        return;
    HTML(w, NULL, OURS("<dt>"), WORD(name), OURS("</dt><dd><bdi>"), BARE(text, strlen(text)),
         OURS("</bdi></dd>\n"));
}

static void put_held_out(hcbr_writer *w, const hcbr_model *model) {
    hcbr_heldout h = {.size = sizeof h};
    double sum = 0, cases = 0, right = 0;
    HTML(w, NULL, OURS("<dt>"), WORD(HCBR_WORD_HELD_OUT), OURS("</dt><dd>"));
    if (!hcbr_model_get_heldout(model, &h)) {
        HTML(w, NULL, WORD(HCBR_WORD_HELD_OUT_NOT), OURS("</dd>\n"));
        return;
    }
    for (size_t b = 0; b < HCBR_HELDOUT_BINS; b++) {
        sum += h.bins[b].probability;
        cases += h.bins[b].cases;
        right += h.bins[b].right;
    }
    if (cases > 0)
        HTML(w, model,
             SAY(HCBR_WORD_HELD_OUT_IS, COUNT(h.right), COUNT(h.cases), SHARE(h.right / h.cases),
                 SHARE(sum / cases), SHARE(right / cases)));
    else
        HTML(w, model,
             SAY(HCBR_WORD_HELD_OUT_RIGHT, COUNT(h.right), COUNT(h.cases),
                 SHARE(h.right / h.cases)));
    hcbr_i_html(w, "</dd>\n");
}

static void put_origin(hcbr_writer *w, const hcbr_model *model) {
    const hcbr_page_options *o = &w->page.options;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    hcbr_i_html(w, "<dl>\n");
    put_row(w, HCBR_WORD_MODEL, o->name);
    put_row(w, HCBR_WORD_DATA, o->data);
    put_row(w, HCBR_WORD_DATE, o->date);
    HTML(w, NULL, OURS("<dt>"), WORD(HCBR_WORD_PAST_CASES), OURS("</dt><dd>"), WHOLE(info.cases));
    if (o->past)
        HTML(w, NULL, OURS(", <bdi>"), BARE(o->past, strlen(o->past)), OURS("</bdi>"));
    hcbr_i_html(w, "</dd>\n");
    put_held_out(w, model);
    put_row(w, HCBR_WORD_FINGERPRINT, info.fingerprint);
    if (o->hide_count > 0) { // not the names: the name of a column may reveal enough
        HTML(w, NULL, OURS("<dt>"), WORD(HCBR_WORD_HIDDEN), OURS("</dt><dd>"), WHOLE(o->hide_count),
             OURS("</dd>\n"));
    }
    HTML(w, NULL, OURS("<dt>"), WORD(HCBR_WORD_VERSION), OURS("</dt><dd>hcbr "),
         OURS(hcbr_version()), OURS("</dd>\n</dl>\n"));
}

/* ---- the page -------------------------------------------------------------------------------- */

static void put_head(hcbr_writer *w, hcbr_word title) {
    HTML(
        w, NULL,
        OURS("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
             "<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
             "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
             "'unsafe-inline'\">\n<title>"),
        WORD(title), OURS("</title>\n<style>\n"), OURS(STYLE),
        OURS("</style>\n</head>\n<body>\n<main>\n<h1 id=\"top\">"), WORD(title), OURS("</h1>\n"));
}

static void put_link(hcbr_writer *w, const char *address, hcbr_word word) {
    HTML(w, NULL, OURS("<a href=\""), BARE(address, strlen(address)), OURS("\">"), WORD(word),
         OURS("</a>"));
}

static void put_list_head(hcbr_writer *w, const hcbr_model *model) {
    put_head(w, HCBR_WORD_INDEX_TITLE);
    put_origin(w, model);
    HTML(w, NULL, OURS("<table><thead><tr>"), HEAD(HCBR_WORD_PAGE), HEAD(HCBR_WORD_LABEL),
         NUMBER_HEAD(HCBR_WORD_PROBABILITY), HEAD(HCBR_WORD_DATA), OURS("</tr></thead><tbody>\n"));
}

hcbr_status hcbr_html_begin(hcbr_writer *w, const hcbr_model *model, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model))
        return HCBR_EUSAGE;
    w->page.model = model;
    if (w->page.options.list) {
        put_list_head(w, model);
        return hcbr_i_writer_status(w, err);
    }
    put_head(w, HCBR_WORD_TITLE);
    hcbr_i_html(w, "<nav>");
    put_link(w, w->page.options.index ? w->page.options.index : "#cases",
             w->page.options.index ? HCBR_WORD_TO_INDEX : HCBR_WORD_SKIP_TO);
    hcbr_i_html(w, " \xC2\xB7 ");
    put_link(w, "#about", HCBR_WORD_ORIGIN);
    hcbr_i_html(w, "</nav>\n");
    return hcbr_i_writer_status(w, err);
}

static void put_foot(hcbr_writer *w) {
    hcbr_i_html(w, "</main>\n</body>\n</html>\n");
}

hcbr_status hcbr_html_end(hcbr_writer *w, hcbr_error *err) {
    if (HCBR_I_NULL(err, w))
        return HCBR_EUSAGE;
    if (w->page.options.list) {
        hcbr_i_html(w, "</tbody></table>\n");
        put_foot(w);
        return hcbr_writer_flush(w, err);
    }
    HTML(w, NULL,
         OURS("<nav id=\"cases\" class=\"list\" aria-labelledby=\"list\">\n<h2 id=\"list\">"),
         WORD(HCBR_WORD_SKIP_TO), OURS("</h2>\n<ul>\n"));
    hcbr_i_put(w, w->page.list, w->page.list_used);
    HTML(w, NULL, OURS("</ul>\n</nav>\n<section><h2 id=\"about\">"), WORD(HCBR_WORD_ORIGIN),
         OURS("</h2>\n"));
    put_origin(w, w->page.model);
    HTML(w, NULL, OURS("<p>"), WORD(HCBR_WORD_ABOUT_PARTS), OURS("</p>\n</section>\n"));
    put_foot(w);
    w->page.cases = w->page.list_used = 0;
    return hcbr_writer_flush(w, err);
}

/* ---- a case ---------------------------------------------------------------------------------- */

static void put_name(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    if (d->id && !hcbr_i_page_hides_id(w, model))
        HTML(w, model, SAY(HCBR_WORD_CASE_ID, COUNT(d->row), DATA(d->id, d->id_length)));
    else
        HTML(w, model, SAY(HCBR_WORD_CASE, COUNT(d->row)));
}

/* Its line in the list at the end, written to memory. */
static void list_case(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    hcbr_writer *line;
    hcbr_error err;
    size_t length;
    if (!hcbr_i_writer_good(w))
        return;
    if (hcbr_writer_create(&line, NULL, NULL, &err) != HCBR_OK) {
        hcbr_i_writer_fail(w, &err);
        return;
    }
    line->page.options = w->page.options;
    HTML(line, NULL, OURS("<li><a href=\"#case-"), WHOLE(w->page.cases), OURS("\">"));
    put_name(line, model, d);
    HTML(line, model, OURS("</a>: "), NAMED(d->label), OURS("</li>\n"));
    const char *text = hcbr_writer_get(line, &length);
    hcbr_i_page *p = &w->page;
    if (text && hcbr_i_grow(&p->list, &p->list_capacity, p->list_used + length, 1)) {
        memcpy(p->list + p->list_used, text, length);
        p->list_used += length;
    } else {
        (void)hcbr_i_no_memory(&err);
        hcbr_i_writer_fail(w, &err);
    }
    hcbr_writer_free(line);
}

static void put_known(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    enum { SHOWN = 40 };
    HTML(w, model, OURS("<p>"),
         SAY(HCBR_WORD_KNOWN, COUNT(d->known_count), COUNT(d->feature_count)));
    for (size_t i = 0; i < d->unseen_count && i < SHOWN; i++) {
        hcbr_i_html(w, i ? ", " : " ");
        if (i == 0)
            hcbr_i_html_word(w, HCBR_WORD_NEVER_SEEN);
        hcbr_i_html_feature(w, model, &d->unseen[i]);
    }
    if (d->unseen_count > SHOWN)
        HTML(w, model, SAY(HCBR_WORD_AND_MORE, COUNT(d->unseen_count - SHOWN)));
    hcbr_i_html(w, "</p>\n");
}

static void put_supports(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    char text[HCBR_PERCENT_SIZE];
    HTML(w, NULL, OURS("<details><summary>"), WORD(HCBR_WORD_SUPPORTS),
         OURS("</summary>\n<table><thead><tr>"), HEAD(HCBR_WORD_LABEL),
         NUMBER_HEAD(HCBR_WORD_SUPPORT));
    if (d->probability)
        hcbr_i_html_head(w, HCBR_WORD_PROBABILITY, true);
    hcbr_i_html(w, "</tr></thead><tbody>\n");
    for (size_t l = 0; l < d->label_count; l++) {
        char number[HCBR_NUMBER_SIZE];
        HTML(w, model, OURS("<tr><th scope=\"row\">"), NAMED((hcbr_label)l),
             OURS("</th><td class=\"n\">"));
        hcbr_i_put(w, number, hcbr_i_figure_say(number, d->support[l], 0));
        if (d->probability) {
            hcbr_percent_say(text, d->probability[l], 0);
            HTML(w, NULL, OURS("</td><td class=\"n\">"), OURS(text));
        }
        hcbr_i_html(w, "</td></tr>\n");
    }
    hcbr_i_html(w, "</tbody></table></details>\n");
}

static void put_values(hcbr_writer *w, const hcbr_model *model, const hcbr_row *row) {
    const hcbr_row_info info = hcbr_i_page_row(row);
    if (info.feature_count == 0)
        return;
    HTML(w, NULL, OURS("<details><summary>"), WORD(HCBR_WORD_ALL_VALUES),
         OURS("</summary>\n<ul>\n"));
    for (size_t i = 0; i < info.feature_count; i++) {
        const hcbr_feature *f = &info.features[i];
        if (hcbr_i_page_hides_feature(w, f))
            continue;
        HTML(w, model, OURS("<li>"), TEST(f), OURS("</li>\n"));
    }
    hcbr_i_html(w, "</ul></details>\n");
}

void hcbr_i_html_explanation(hcbr_writer *w, const hcbr_model *model,
                             const hcbr_explained_row *row) {
    const hcbr_decision *decision = row->decision;
    const hcbr_explanation *explanation = row->explanation;
    w->page.cases++;
    HTML(w, NULL, OURS("<article id=\"case-"), WHOLE(w->page.cases), OURS("\">\n<h2>"));
    put_name(w, model, decision);
    hcbr_i_html(w, "</h2>\n<div class=\"say\">\n");
    hcbr_i_say_answer(w, model, decision, "<p>", "</p>\n");
    put_known(w, model, decision);
    if (explanation->itself)
        HTML(w, model, OURS("<p>"), WORD(HCBR_WORD_ITSELF), OURS(" "),
             SAY(HCBR_WORD_ITSELF_ADDS, SIGNED(explanation->itself->lead)), OURS("</p>\n"));
    hcbr_i_html(w, "</div>\n");
    list_case(w, model, decision);
    if (explanation->label < 0) {
        HTML(w, NULL, OURS("<p>"), WORD(HCBR_WORD_NOTHING), OURS("</p>\n"));
        return;
    }
    hcbr_i_page_texts(w, model, row);
    hcbr_i_page_columns(w, model, row);
    hcbr_i_page_atoms(w, model, explanation);
    put_supports(w, model, decision);
    put_values(w, model, row->row);
    hcbr_i_page_cases(w, model, explanation);
}

void hcbr_i_html_end_case(hcbr_writer *w) {
    hcbr_i_html(w, "<p class=\"top\"><a href=\"#top\">\xE2\x86\x91</a></p>\n</article>\n");
}

/* ---- the list of many pages ------------------------------------------------------------------ */

void hcbr_i_html_decision(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *decision) {
    const char *address = w->page.options.address ? w->page.options.address : "";
    char text[HCBR_PERCENT_SIZE] = "";
    if (decision->probability && decision->label >= 0)
        hcbr_percent_say(text, decision->probability[decision->label], 0);
    HTML(w, NULL, OURS("<tr><th scope=\"row\"><a href=\""), BARE(address, strlen(address)),
         OURS("\">"));
    put_name(w, model, decision);
    HTML(w, model, OURS("</a></th><td>"), NAMED(decision->label), OURS("</td><td class=\"n\">"),
         OURS(text), OURS("</td><td>"));
    if (decision->given)
        hcbr_i_html_data(w, decision->given, decision->given_length);
    hcbr_i_html(w, "</td></tr>\n");
}
