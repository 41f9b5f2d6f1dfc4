/*
 * A page of results, shared by report, evaluate and tune.
 */
#include "result_page.h"

#include "opt.h"

#include <stdlib.h>

int page_begin(page *p, term *t, const char *title) {
    hcbr_error err = {0};
    *p = (page){.term = t};
    if (hcbr_report_create(&p->report, title, &err) != HCBR_OK ||
        hcbr_writer_create(&p->writer, NULL, NULL, &err) != HCBR_OK)
        return term_fail(t, &err);
    hcbr_writer_watch(p->writer, term_progress, t);
    return EXIT_DONE;
}

void page_clear(page *p) {
    hcbr_report_free(p->report);
    hcbr_writer_free(p->writer);
    *p = (page){0};
}

int page_take(page *p, hcbr_status status, const hcbr_error *err) {
    hcbr_error own = {0};
    size_t length;
    if (status != HCBR_OK)
        return term_fail(p->term, err);
    const char *json = hcbr_writer_get(p->writer, &length);
    status = hcbr_report_add(p->report, json, length, NULL, &own);
    hcbr_writer_clear(p->writer);
    return status == HCBR_OK ? EXIT_DONE : term_fail(p->term, &own);
}

void stages_json(const term *t, hcbr_writer *w) {
    HCBR_PUT(w, hcbr_item_open("seconds", '{'));
    for (size_t i = 0; i < t->stage_count; i++)
        HCBR_PUT(w, hcbr_item_number(t->stages[i].name, t->stages[i].seconds));
    HCBR_PUT(w, hcbr_item_close('}'), hcbr_item_open("peak_bytes", '{'));
    for (size_t i = 0; i < t->stage_count; i++)
        HCBR_PUT(w, hcbr_item_number(t->stages[i].name, t->stages[i].memory));
    HCBR_PUT(w, hcbr_item_close('}'));
}

int page_take_times(page *p, const char *const *sources, size_t count) {
    hcbr_error err = {0};
    hcbr_writer *w = p->writer;
    const term *t = p->term;
    HCBR_PUT(w, hcbr_item_open(NULL, '{'), hcbr_item_string("schema", "hcbr.report/1"),
             hcbr_item_string("version", hcbr_version()), hcbr_item_open("made_from", '['));
    for (size_t i = 0; i < count; i++)
        HCBR_PUT(w, hcbr_item_string(NULL, sources[i]));
    HCBR_PUT(w, hcbr_item_close(']'));
    stages_json(t, w);
    return page_take(p, hcbr_write_end(w, HCBR_JSON, &err), &err);
}

int page_write(page *p, hcbr_form form, const char *path) {
    hcbr_error err = {0};
    hcbr_writer *w;
    out *o = malloc(sizeof *o);
    if (!o)
        return say_no_memory(p->term->command);
    int error = out_open(o, path), code;
    if (error) {
        free(o);
        return say_unwritable(p->term->command, path, error);
    }
    code = out_writer(o, p->term->command, &w);
    if (code == EXIT_DONE)
        code = term_written(p->term, o, hcbr_write_report(w, form, p->report, &err), &err);
    if (code == EXIT_DONE)
        code = out_close(o, p->term->command);
    out_discard(o);
    free(o);
    return code;
}
