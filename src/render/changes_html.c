/*
 * What stands beside the reasons on a page of explanations: what would change the answer, what is
 * still to be asked.
 */
#include "render/html.h"

hcbr_status hcbr_html_flips(hcbr_writer *w, const hcbr_model *model, const hcbr_flips *flips,
                            hcbr_error *err) {
    hcbr_flips full = {.size = sizeof full}, *f = &full;
    hcbr_i_take_in(f, sizeof *f, flips);
    hcbr_i_html(w, "<section><h3>What would change the answer</h3>\n");
    if (f->count == 0) {
        char text[HCBR_NOT_FOUND_SIZE];
        hcbr_flips_not_found(f, text);
        text[0] = 'N'; // a sentence of its own
        hcbr_i_html(w, "<p>");
        hcbr_i_html_data(w, text, strlen(text));
        hcbr_i_html(w, ".</p></section>\n");
        return hcbr_i_writer_status(w, err);
    }
    hcbr_i_html(w, f->exact     ? "<p>Fewer changes do not."
                   : f->limited ? "<p>Perhaps fewer changes do (option flip_limit)."
                                : "<p>Perhaps fewer changes do.");
    hcbr_i_html(w, f->bounded ? " Only what may change was looked at." : "");
    hcbr_i_html(w, " Each line is one way, checked by deciding anew.</p>\n<ul>\n");
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = hcbr_at(f->flips, f->flip_stride, n);
        hcbr_i_html(w, "<li><strong>");
        hcbr_i_html_label(w, model, flip->label);
        hcbr_i_html(w, "</strong> (");
        if (flip->probability && flip->label >= 0) {
            char text[HCBR_CHANCE_SIZE];
            hcbr_i_html(w, "chance ");
            hcbr_chance_format(text, flip->probability[flip->label]);
            hcbr_i_html(w, text);
            hcbr_i_html(w, ", ");
        }
        hcbr_i_html(w, "lead ");
        hcbr_i_html_number(w, flip->lead);
        if (flip->winner != flip->label) {
            hcbr_i_html(w, "; the largest support is for ");
            hcbr_i_html_label(w, model, flip->winner);
        }
        hcbr_i_html(w, "): ");
        for (size_t k = 0; k < flip->count; k++) {
            const hcbr_change *c = &flip->changes[k];
            hcbr_i_html(w, k ? "; " : "");
            if (c->removed.key && c->added.key) {
                hcbr_i_html_feature(w, model, &c->added);
                hcbr_i_html(w, " instead of ");
                hcbr_i_html_feature(w, model, &c->removed);
            } else {
                hcbr_i_html(w, c->added.key ? "with " : "without ");
                hcbr_i_html_feature(w, model, c->added.key ? &c->added : &c->removed);
            }
        }
        hcbr_i_html(w, "</li>\n");
    }
    hcbr_i_html(w, "</ul></section>\n");
    return hcbr_i_writer_status(w, err);
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
    char text[HCBR_CHANCE_SIZE];
    hcbr_chance_format(text, q->chance);
    hcbr_i_html(w, "<tr><th scope=\"row\"");
    hcbr_i_html(w, rows);
    hcbr_i_html(w, "><bdi>");
    hcbr_i_html_data(w, f->key, f->key_length);
    hcbr_i_html(w, "</bdi></th><td class=\"n\"");
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

hcbr_status hcbr_html_questions(hcbr_writer *w, const hcbr_model *model,
                                const hcbr_questions *questions, hcbr_error *err) {
    hcbr_questions full = {.size = sizeof full}, *q = &full;
    hcbr_i_take_in(q, sizeof *q, questions);
    hcbr_i_html(w, "<section><h3>What is missing</h3>\n<p>By how much the lead is expected to move "
                   "when the value is known, if it is as in past cases, and how many of these have "
                   "a value with another answer.</p>\n<table><caption>Worth asking first, of ");
    hcbr_i_put_u64(w, q->all);
    hcbr_i_html(w,
                " missing</caption><thead><tr><th scope=\"col\">Ask for</th><th scope=\"col\" "
                "class=\"n\">Moves the lead</th><th scope=\"col\" class=\"n\">Another answer</th>"
                "<th scope=\"col\">If it were</th><th scope=\"col\" class=\"n\">Lead then</th><th "
                "scope=\"col\">Answer then</th></tr></thead><tbody>\n");
    for (size_t n = 0; n < q->count; n++)
        put_question(w, model, hcbr_at(q->questions, q->question_stride, n));
    hcbr_i_html(w, q->count
                       ? "</tbody></table></section>\n"
                       : "<tr><td colspan=\"6\">nothing</td></tr></tbody></table></section>\n");
    return hcbr_i_writer_status(w, err);
}
