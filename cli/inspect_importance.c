/*
 * hcbr inspect: how much each column weighs, over past cases.
 */
#include "cell.h"
#include "inspect.h"

#include <stdio.h>

enum { NAME = 44, NUMBER = 12 };

int inspect_importance_find(inspection *i) {
    hcbr_error err = {0};
    if (i->top == 0 || hcbr_model_kept_count(i->model) == 0)
        return EXIT_DONE;
    int code = inspect_explainer(i);
    if (code != EXIT_DONE)
        return code;
    if (hcbr_importance_create(&i->importance, &err) != HCBR_OK ||
        hcbr_importance_add_kept(i->importance, i->explainer, 0, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    term_finish(&i->term);
    return EXIT_DONE;
}

static void put_heading(inspection *i, uint64_t cases) {
    out *o = i->out;
    uint64_t kept = hcbr_model_kept_count(i->model);
    char text[160];
    out_string(o, "importance: what a column adds to the lead of a decision, its size averaged\n");
    if (cases < kept)
        snprintf(text, sizeof text, "over %llu of the %llu past cases, evenly spaced\n",
                 (unsigned long long)cases, (unsigned long long)kept);
    else
        snprintf(text, sizeof text, "over all %llu past cases\n", (unsigned long long)kept);
    out_string(o, text);
    out_row(o);
    const size_t mark = out_mark(o);
    put_text(o, "columns", 7, NAME, false);
    put_text(o, "importance", 10, NUMBER, true);
    put_text(o, "cases", 5, NUMBER, true);
    out_row(o);
    out_style(o, mark, OUT_BOLD);
}

int inspect_importance_text(inspection *i) {
    hcbr_important_columns found = {.size = sizeof found};
    hcbr_error err = {0};
    out *o = i->out;
    out_row(o);
    if (!i->importance) {
        out_string(o, "the importance of columns is not known: the model was trained with "
                      "--keep-cases none");
        out_row(o);
        return EXIT_DONE;
    }
    if (hcbr_importance_get(i->importance, &found, &err) != HCBR_OK)
        return term_fail(&i->term, &err);
    put_heading(i, found.cases);
    size_t shown = found.count < i->most ? found.count : i->most;
    int decimals = decimals_for(found.count ? found.columns->importance : 1);
    for (size_t n = 0; n < shown; n++) {
        const hcbr_important_column *c = &found.columns[n];
        put_text(o, c->name, c->name_length, NAME, false);
        put_number(o, c->importance, decimals, NUMBER);
        put_count(o, c->cases, NUMBER);
        out_row(o);
    }
    if (found.count == 0)
        out_string(o, "(no column weighs)"), out_row(o);
    if (shown < found.count) {
        out_string(o, "  ");
        out_u64(o, found.count - shown);
        out_string(o, " more (--top)");
        out_row(o);
    }
    return EXIT_DONE;
}
