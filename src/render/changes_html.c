/*
 * What stands beside the reasons on a page of explanations: what would change the answer, what is
 * still to be asked.
 */
#include "render/html.h"

void hcbr_i_html_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *f) {
    hcbr_i_html(w, "<section><h3>");
    hcbr_i_html_word(w, HCBR_WORD_FLIP_TITLE);
    hcbr_i_html(w, "</h3>\n");
    if (f->count == 0) {
        char text[HCBR_I_NOT_FOUND_SIZE];
        hcbr_i_flips_not_found(f, text);
        text[0] = 'N'; // a sentence of its own
        hcbr_i_html(w, "<p>");
        hcbr_i_html_data(w, text, strlen(text));
        hcbr_i_html(w, ".</p></section>\n");
        return;
    }
    hcbr_i_html(w, "<p>");
    hcbr_i_html_word(w, f->exact     ? HCBR_WORD_FLIP_EXACT
                        : f->limited ? HCBR_WORD_FLIP_LIMITED
                                     : HCBR_WORD_FLIP_PERHAPS);
    if (f->bounded)
        hcbr_i_html_word(w, HCBR_WORD_FLIP_BOUNDED);
    hcbr_i_html_word(w, HCBR_WORD_FLIP_EACH);
    hcbr_i_html(w, "</p>\n<ul>\n");
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        hcbr_i_html(w, "<li><strong>");
        hcbr_i_html_label(w, model, flip->label);
        hcbr_i_html(w, "</strong> (");
        if (flip->probability && flip->label >= 0)
            HCBR_I_SAY(w, model, HCBR_WORD_FLIP_CHANCE,
                       HCBR_I_CHANCE(flip->probability[flip->label]));
        HCBR_I_SAY(w, model, HCBR_WORD_FLIP_LEAD, HCBR_I_SIGNED(flip->lead));
        if (flip->winner != flip->label)
            HCBR_I_SAY(w, model, HCBR_WORD_FLIP_LARGEST, HCBR_I_LABEL(flip->winner));
        hcbr_i_html(w, "): ");
        for (size_t k = 0; k < flip->count; k++) {
            const hcbr_change *c = &flip->changes[k];
            hcbr_i_html(w, k ? "; " : "");
            if (c->removed.key && c->added.key) {
                hcbr_i_html_feature(w, model, &c->added);
                hcbr_i_html_word(w, HCBR_WORD_INSTEAD);
                hcbr_i_html_feature(w, model, &c->removed);
            } else {
                hcbr_i_html_word(w, c->added.key ? HCBR_WORD_WITH : HCBR_WORD_WITHOUT);
                hcbr_i_html_feature(w, model, c->added.key ? &c->added : &c->removed);
            }
        }
        hcbr_i_html(w, "</li>\n");
    }
    hcbr_i_html(w, "</ul></section>\n");
}

/* A value of an open question, beside what is said of the question. */
static void put_outcome(hcbr_writer *w, const hcbr_model *model, const hcbr_possible_value *a) {
    hcbr_i_html(w, "<td>");
    hcbr_i_html_feature(w, model, &a->feature);
    hcbr_i_html(w, "</td>");
    hcbr_i_html_cell(w, a->lead);
    hcbr_i_html(w, "<td>");
    hcbr_i_html_label(w, model, a->label);
    hcbr_i_html(w, "</td></tr>\n");
}

static void put_question(hcbr_writer *w, const hcbr_model *model, const hcbr_question *q) {
    const hcbr_feature *f = &q->lowest->feature;
    const char *rows = q->values > 1 ? " rowspan=\"2\"" : "";
    char text[HCBR_PERCENT_SIZE];
    hcbr_percent_say(text, q->chance, 1);
    hcbr_i_html(w, "<tr><th scope=\"row\"");
    hcbr_i_html(w, rows);
    hcbr_i_html(w, ">");
    if (hcbr_i_page_hides(w, f->key, f->key_length))
        hcbr_i_html_word(w, HCBR_WORD_HIDDEN_VALUE);
    else
        hcbr_i_html_name(w, f->key, f->key_length);
    hcbr_i_html(w, "</th><td class=\"n\"");
    hcbr_i_html(w, rows);
    hcbr_i_html(w, ">");
    hcbr_i_html_number(w, q->expected);
    hcbr_i_html(w, "</td><td class=\"n\"");
    hcbr_i_html(w, rows);
    hcbr_i_html(w, ">");
    hcbr_i_html(w, text);
    hcbr_i_html(w, "</td>");
    put_outcome(w, model, q->lowest);
    if (q->values > 1) {
        hcbr_i_html(w, "<tr>");
        put_outcome(w, model, q->highest);
    }
}

void hcbr_i_html_questions(hcbr_writer *w, const hcbr_model *model, const hcbr_questions *q) {
    hcbr_i_html(w, "<section><h3>");
    hcbr_i_html_word(w, HCBR_WORD_ASK_TITLE);
    hcbr_i_html(w, "</h3>\n<p>");
    hcbr_i_html_word(w, HCBR_WORD_ASK_ABOUT);
    hcbr_i_html(w, "</p>\n<div class=\"wide\" tabindex=\"0\">\n<table><caption>");
    HCBR_I_SAY(w, model, HCBR_WORD_ASK_CAPTION, HCBR_I_COUNT(q->all));
    hcbr_i_html(w, "</caption><thead><tr>");
    hcbr_i_html_head(w, HCBR_WORD_ASK_FOR, false);
    hcbr_i_html_head(w, HCBR_WORD_ASK_LEAD, true);
    hcbr_i_html_head(w, HCBR_WORD_ASK_ANOTHER, true);
    hcbr_i_html_head(w, HCBR_WORD_ASK_IF, false);
    hcbr_i_html_head(w, HCBR_WORD_ASK_LEAD_THEN, true);
    hcbr_i_html_head(w, HCBR_WORD_ASK_ANSWER_THEN, false);
    hcbr_i_html(w, "</tr></thead><tbody>\n");
    for (size_t n = 0; n < q->count; n++)
        put_question(w, model, &q->questions[n]);
    if (q->count == 0) {
        hcbr_i_html(w, "<tr><td colspan=\"6\">");
        if (q->all > 0)
            HCBR_I_SAY(w, model, HCBR_WORD_ASK_NONE_MOVES, HCBR_I_COUNT(q->all));
        else
            hcbr_i_html_word(w, HCBR_WORD_NONE);
        hcbr_i_html(w, "</td></tr>");
    }
    hcbr_i_html(w, "</tbody></table></div></section>\n");
}
