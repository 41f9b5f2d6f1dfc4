/*
 * Results about a case in the form that the caller wants: JSON, a section of a page, or sentences.
 * Arguments are checked here, so that the writers of each form need not.
 */
#include "render/html.h"
#include "render/items.h"

enum { AS_JSON = 1 << HCBR_JSON, AS_HTML = 1 << HCBR_HTML, AS_TEXT = 1 << HCBR_TEXT };

bool hcbr_i_has_no_form(hcbr_error *err, hcbr_form form, unsigned forms) {
    if ((unsigned)form <= HCBR_TEXT && (forms >> form & 1))
        return false;
    (void)hcbr_i_fail(err, HCBR_EUSAGE, "the result cannot be written in form %d", (int)form);
    return true;
}

hcbr_status hcbr_write_decision(hcbr_writer *w, hcbr_form form, const hcbr_model *model,
                                const hcbr_decision *decision, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, decision) || HCBR_I_UNSIZED(err, decision) ||
        hcbr_i_has_no_form(err, form, AS_JSON | AS_HTML | AS_TEXT))
        return HCBR_EUSAGE;
    if (form == HCBR_HTML) {
        hcbr_i_html_decision(w, model, decision);
        return hcbr_i_writer_status(w, err);
    }
    if (form == HCBR_TEXT) {
        w->page.plain = true;
        hcbr_i_say_answer(w, model, decision, "", "\n");
        w->page.plain = false;
        return hcbr_writer_flush(w, err);
    }
    PUT(w, OPEN(NULL, '{'), STRING("schema", "hcbr.predict/1"));
    hcbr_i_json_decision(w, model, decision);
    return hcbr_write_end(w, HCBR_JSON, err);
}

hcbr_status hcbr_write_explanation(hcbr_writer *w, hcbr_form form, const hcbr_model *model,
                                   const hcbr_explained_row *row, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, row) || HCBR_I_UNSIZED(err, row) ||
        HCBR_I_NULL(err, row->decision, row->explanation) ||
        HCBR_I_UNSIZED(err, row->decision, row->explanation) ||
        hcbr_i_has_no_form(err, form, AS_JSON | AS_HTML))
        return HCBR_EUSAGE;
    hcbr_status st = HCBR_OK;
    if (form == HCBR_HTML) {
        hcbr_i_html_explanation(w, model, row);
        if (row->explainer)
            st = hcbr_i_html_beside(w, model, row, err);
    } else {
        hcbr_i_json_explanation(w, model, row->decision, row->explanation);
        if (w->page.options.name)
            hcbr_i_json_page(w, model);
        if (row->explainer)
            st = hcbr_i_json_beside(w, model, row, err);
    }
    return st == HCBR_OK ? hcbr_i_writer_status(w, err) : st;
}

/* The held-out decision of the past case, and its similarities or differences. */
static void say_comparison(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    w->page.plain = true;
    if (c->held_label >= 0) {
        hcbr_i_html_word(w, HCBR_WORD_HELD_LINE);
        hcbr_i_say_held(w, model, c->past->label, c->held_label, c->held_probability);
        hcbr_i_html(w, ". ");
    }
    hcbr_i_say_apart(w, model, c);
    w->page.plain = false;
}

hcbr_status hcbr_write_comparison(hcbr_writer *w, hcbr_form form, const hcbr_model *model,
                                  const hcbr_comparison *comparison, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, comparison) || HCBR_I_UNSIZED(err, comparison) ||
        hcbr_i_has_no_form(err, form, AS_JSON | AS_HTML | AS_TEXT))
        return HCBR_EUSAGE;
    if (form == HCBR_TEXT) {
        say_comparison(w, model, comparison);
        return hcbr_writer_flush(w, err);
    }
    (form == HCBR_HTML ? hcbr_i_html_comparison : hcbr_i_json_comparison)(w, model, comparison);
    return hcbr_i_writer_status(w, err);
}

hcbr_status hcbr_write_flips(hcbr_writer *w, hcbr_form form, const hcbr_model *model,
                             const hcbr_flips *flips, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, flips) || HCBR_I_UNSIZED(err, flips) ||
        hcbr_i_has_no_form(err, form, AS_JSON | AS_HTML | AS_TEXT))
        return HCBR_EUSAGE;
    if (form == HCBR_TEXT) {
        char text[HCBR_I_NOT_FOUND_SIZE] = "";
        if (flips->count == 0)
            hcbr_i_flips_not_found(flips, text);
        hcbr_i_put_string(w, text);
        return hcbr_writer_flush(w, err);
    }
    (form == HCBR_HTML ? hcbr_i_html_flips : hcbr_i_json_flips)(w, model, flips);
    return hcbr_i_writer_status(w, err);
}

hcbr_status hcbr_write_questions(hcbr_writer *w, hcbr_form form, const hcbr_model *model,
                                 const hcbr_questions *questions, hcbr_error *err) {
    if (HCBR_I_NULL(err, w, model, questions) || HCBR_I_UNSIZED(err, questions) ||
        hcbr_i_has_no_form(err, form, AS_JSON | AS_HTML))
        return HCBR_EUSAGE;
    (form == HCBR_HTML ? hcbr_i_html_questions : hcbr_i_json_questions)(w, model, questions);
    return hcbr_i_writer_status(w, err);
}

hcbr_status hcbr_write_end(hcbr_writer *w, hcbr_form form, hcbr_error *err) {
    if (HCBR_I_NULL(err, w) || hcbr_i_has_no_form(err, form, AS_JSON | AS_HTML))
        return HCBR_EUSAGE;
    if (form == HCBR_HTML)
        hcbr_i_html_end_case(w);
    else
        hcbr_i_json_close_line(w);
    return hcbr_writer_flush(w, err);
}
