/*
 * Columns that number or name the cases: those that a rich model leaves out, and those that several
 * rows share, whose cases belong together. Reported once, in one warning.
 */
#include "model/model.h"

#include <stdio.h>

enum { NAMED = 3 }; /* columns that are named */

/* Names of columns, as far as there is room. */
typedef struct named {
    char text[600];
    size_t used, count;
    const hcbr_i_schema_column *first;
} named;

static void add_name(named *n, const hcbr_i_schema_column *c) {
    char quoted[200];
    if (n->count++ == 0)
        n->first = c;
    if (n->count <= NAMED)
        n->used +=
            (size_t)snprintf(n->text + n->used, sizeof n->text - n->used, "%s%s",
                             n->used ? ", " : "", hcbr_i_quote(quoted, c->name.at, c->name.length));
}

static void end_names(named *n) {
    if (n->count > NAMED)
        snprintf(n->text + n->used, sizeof n->text - n->used, " and %zu more", n->count - NAMED);
}

void hcbr_i_model_warn_ids(const hcbr_cases *cases, const hcbr_train_options *o,
                           hcbr_notify_fn *notify, void *context) {
    named out = {.count = 0}, shared = {.count = 0};
    const hcbr_i_left leave = hcbr_i_model_left(o);
    char quoted[200], said[900] = "";
    if (!notify || leave.but_given)
        return;
    for (size_t i = 0; i < hcbr_i_schema_count(cases->schema); i++) {
        const hcbr_i_schema_column *c = hcbr_i_schema_get(cases->schema, i);
        if (!hcbr_i_schema_is_id_left_out(c) || hcbr_i_left_names(&leave, c->name))
            continue;
        add_name(&out, c);
        if (hcbr_i_schema_is_shared(c))
            add_name(&shared, c);
    }
    end_names(&out);
    end_names(&shared);
    if (out.count && !o->kinds_said)
        snprintf(said, sizeof said,
                 "column%s %s number%s or name%s the cases and %s left out (option type takes one "
                 "in, as in %.*s=id)",
                 out.count > 1 ? "s" : "", out.text, out.count > 1 ? "" : "s",
                 out.count > 1 ? "" : "s", out.count > 1 ? "are" : "is",
                 out.first->name.length > 60 ? 60 : (int)out.first->name.length,
                 out.first->name.at);
    if (shared.count && !cases->group) {
        const size_t used = strlen(said);
        snprintf(said + used, sizeof said - used,
                 "%sseveral rows have the same value of column %s: option group %s holds them out "
                 "together",
                 used ? "; " : "", shared.text,
                 hcbr_i_quote(quoted, shared.first->name.at, shared.first->name.length));
    }
    if (*said)
        hcbr_i_notify(notify, context, HCBR_WARNING, NULL, 0, 0, "%s", said);
}
