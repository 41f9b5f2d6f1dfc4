/*
 * Sections after the reasons on a page of explanations: changes of the answer, and open questions.
 */
#include "render/pieces.h"

void hcbr_i_html_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *f) {
    HTML(w, NULL, OURS("<section><h3>"), WORD(HCBR_WORD_FLIP_TITLE), OURS("</h3>\n"));
    if (f->count == 0) {
        char text[HCBR_I_NOT_FOUND_SIZE];
        hcbr_i_flips_not_found(f, text);
        text[0] = 'N'; // a sentence of its own
        HTML(w, NULL, OURS("<p>"), BARE(text, strlen(text)), OURS(".</p></section>\n"));
        return;
    }
    HTML(w, NULL, OURS("<p>"),
         WORD(f->exact     ? HCBR_WORD_FLIP_EXACT
              : f->limited ? HCBR_WORD_FLIP_LIMITED
                           : HCBR_WORD_FLIP_PERHAPS));
    if (f->bounded)
        hcbr_i_html_word(w, HCBR_WORD_FLIP_BOUNDED);
    HTML(w, NULL, WORD(HCBR_WORD_FLIP_EACH), OURS("</p>\n<ul>\n"));
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        HTML(w, model, OURS("<li><strong>"), NAMED(flip->label), OURS("</strong> ("));
        if (flip->probability && flip->label >= 0)
            HTML(w, model, SAY(HCBR_WORD_FLIP_CHANCE, CHANCE(flip->probability[flip->label])));
        HTML(w, model, SAY(HCBR_WORD_FLIP_LEAD, SIGNED(flip->lead)));
        if (flip->winner != flip->label)
            HTML(w, model, SAY(HCBR_WORD_FLIP_LARGEST, STRONG(flip->winner)));
        hcbr_i_html(w, "): ");
        for (size_t k = 0; k < flip->count; k++) {
            const hcbr_change *c = &flip->changes[k];
            hcbr_i_html(w, k ? "; " : "");
            if (c->removed.key && c->added.key) {
                HTML(w, model, TEST(&c->added), WORD(HCBR_WORD_INSTEAD), TEST(&c->removed));
            } else {
                HTML(w, model, WORD(c->added.key ? HCBR_WORD_WITH : HCBR_WORD_WITHOUT),
                     TEST(c->added.key ? &c->added : &c->removed));
            }
        }
        hcbr_i_html(w, "</li>\n");
    }
    hcbr_i_html(w, "</ul></section>\n");
}

/* A value of an open question, without the question itself. */
static void put_outcome(hcbr_writer *w, const hcbr_model *model, const hcbr_possible_value *a) {
    HTML(w, model, OURS("<td>"), TEST(&a->feature), OURS("</td>"), CELL(a->lead), OURS("<td>"),
         NAMED(a->label), OURS("</td></tr>\n"));
}

static void put_question(hcbr_writer *w, const hcbr_model *model, const hcbr_question *q) {
    const hcbr_feature *f = &q->lowest->feature;
    const char *rows = q->values > 1 ? " rowspan=\"2\"" : "";
    char text[HCBR_PERCENT_SIZE];
    hcbr_percent_say(text, q->chance, 1);
    HTML(w, NULL, OURS("<tr><th scope=\"row\""), OURS(rows), OURS(">"));
    if (hcbr_i_page_hides(w, f->key, f->key_length))
        hcbr_i_html_word(w, HCBR_WORD_HIDDEN_VALUE);
    else
        hcbr_i_html_name(w, f->key, f->key_length);
    HTML(w, NULL, OURS("</th><td class=\"n\""), OURS(rows), OURS(">"), SIGNED(q->expected),
         OURS("</td><td class=\"n\""), OURS(rows), OURS(">"), OURS(text), OURS("</td>"));
    put_outcome(w, model, q->lowest);
    if (q->values > 1) {
        hcbr_i_html(w, "<tr>");
        put_outcome(w, model, q->highest);
    }
}

void hcbr_i_html_questions(hcbr_writer *w, const hcbr_model *model, const hcbr_questions *q) {
    HTML(w, model, OURS("<section><h3>"), WORD(HCBR_WORD_ASK_TITLE), OURS("</h3>\n<p>"),
         WORD(HCBR_WORD_ASK_ABOUT),
         OURS("</p>\n<div class=\"wide\" tabindex=\"0\">\n<table><caption>"),
         SAY(HCBR_WORD_ASK_CAPTION, COUNT(q->all)), OURS("</caption><thead><tr>"),
         HEAD(HCBR_WORD_ASK_FOR), NUMBER_HEAD(HCBR_WORD_ASK_LEAD),
         NUMBER_HEAD(HCBR_WORD_ASK_ANOTHER), HEAD(HCBR_WORD_ASK_IF),
         NUMBER_HEAD(HCBR_WORD_ASK_LEAD_THEN), HEAD(HCBR_WORD_ASK_ANSWER_THEN),
         OURS("</tr></thead><tbody>\n"));
    for (size_t n = 0; n < q->count; n++)
        put_question(w, model, &q->questions[n]);
    if (q->count == 0) {
        hcbr_i_html(w, "<tr><td colspan=\"6\">");
        if (q->all > 0)
            HTML(w, model, SAY(HCBR_WORD_ASK_NONE_MOVES, COUNT(q->all)));
        else
            hcbr_i_html_word(w, HCBR_WORD_NONE);
        hcbr_i_html(w, "</td></tr>");
    }
    hcbr_i_html(w, "</tbody></table></div></section>\n");
}
