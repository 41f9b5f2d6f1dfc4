/*
 * hcbr inspect: the prior knowledge of a model, importances of features and beliefs.
 */
#include "cell.h"
#include "inspect.h"

#include <string.h>

enum { TITLE = 16, SHOWN = 20 };

static void put_title(inspection *i, const char *title, size_t n) {
    put_text(i->out, n ? "" : title, n ? 0 : strlen(title), TITLE, false);
}

static void put_more(inspection *i, size_t count) {
    if (count <= SHOWN)
        return;
    put_title(i, "", 1);
    out_u64(i->out, count - SHOWN);
    out_string(i->out, " more (--json)");
    out_row(i->out);
}

static void put_emphasis(inspection *i, size_t n) {
    out *o = i->out;
    hcbr_emphasis e;
    hcbr_model_get_emphasis(i->model, n, &e);
    put_title(i, "importance", n);
    out_rounded(o, e.importance);
    out_string(o, e.value ? " of " : " of column ");
    out_text(o, e.column, strlen(e.column));
    if (e.value) {
        out_string(o, "=");
        out_text(o, e.value, strlen(e.value));
    }
    out_row(o);
}

static void put_belief(inspection *i, size_t n) {
    out *o = i->out;
    hcbr_belief b = {.size = sizeof b};
    hcbr_model_get_belief(i->model, n, &b);
    put_title(i, "beliefs", n);
    if (b.label != HCBR_LABEL_UNKNOWN) {
        label_facts label = inspect_label(i, b.label);
        out_text(o, label.name, label.name_length);
        out_string(o, ", ");
    }
    out_string(o, "stated by ");
    out_text(o, b.source, strlen(b.source));
    out_string(o, ", weight ");
    out_rounded(o, b.weight);
    out_row(o);
}

void inspect_prior_text(inspection *i) {
    const size_t emphases = hcbr_model_emphasis_count(i->model);
    const size_t beliefs = hcbr_model_belief_count(i->model);
    for (size_t n = 0; n < emphases && n < SHOWN; n++)
        put_emphasis(i, n);
    put_more(i, emphases);
    for (size_t n = 0; n < beliefs && n < SHOWN; n++)
        put_belief(i, n);
    put_more(i, beliefs);
}
