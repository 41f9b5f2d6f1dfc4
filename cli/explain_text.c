/*
 * The text of hcbr explain, in 80 to 100 columns: the decision, the atoms that counted, the past
 * cases for it and, in the same form, those against it.
 */
#include "cell.h"
#include "explaining.h"
#include "label.h"

#include <math.h>
#include <stdio.h>

enum {
    SIGN_WIDTH = 2,
    ATOM_WIDTH = 46,
    ID_WIDTH = 33,
    NUMBER_WIDTH = 12,
    CASES_WIDTH = 10,
    SHOWN_UNSEEN = 8,
    SHOWN_COLUMNS = 5 /* unless --top or --all says how many */
};

label_facts explain_label(const explaining *x, hcbr_label label) {
    label_facts info = {.name = "unknown", .name_length = 7};
    if (label >= 0) {
        info = label_of(x->model, label);
        info.name = label_shown(info.name, &info.name_length);
    }
    return info;
}

void explain_put_label(explaining *x, hcbr_label label) {
    label_facts info = explain_label(x, label);
    out_text(x->out, info.name, info.name_length);
}

void explain_put_signed(explaining *x, double value, int decimals) {
    char text[64];
    int n = decimals < 0 ? snprintf(text, sizeof text, "%+.3e", value)
                         : snprintf(text, sizeof text, "%+.*f", decimals, value);
    put_text(x->out, text, (size_t)n, NUMBER_WIDTH, true);
}

/* A line of numbers, one for each of the first labels. */
static void put_by_label(explaining *x, const char *title, const double *values, size_t count) {
    out *o = x->out;
    for (size_t l = 0; l < count && l < 12; l++) {
        out_string(o, l == 0 ? title : ", ");
        explain_put_label(x, (hcbr_label)l);
        out_byte(o, ' ');
        out_rounded(o, values[l]);
    }
    out_row(o);
}

static void put_turned(explaining *x, const hcbr_decision *d) {
    out *o = x->out;
    const char *how = hcbr_decision_turned(d);
    if (!how)
        return;
    out_string(o, "why       the largest support is for ");
    explain_put_label(x, d->winner);
    out_string(o, ", ");
    out_string(o, how);
    out_string(o, d->label >= 0 ? ": the answer is " : ": there is no answer");
    if (d->label >= 0)
        explain_put_label(x, d->label);
    out_row(o);
}

static void put_title(explaining *x, const hcbr_decision *d, const hcbr_explanation *e) {
    out *o = x->out;
    out_string(o, "row ");
    out_u64(o, d->row);
    if (d->id) {
        out_string(o, ", ");
        out_text(o, d->id, d->id_length);
    }
    out_string(o, ": ");
    explain_put_label(x, d->label);
    if (d->reason != HCBR_BY_SUPPORT) {
        out_string(o, " (");
        out_string(o, hcbr_reason_name(d->reason));
        out_string(o, ")");
    }
    if (d->given) {
        size_t length = d->given_length;
        const char *given = label_shown(d->given, &length);
        out_string(o, "; the data says ");
        out_text(o, given, length);
    }
    out_row(o);
    put_turned(x, d);
    if (e->label >= 0) {
        put_by_label(x, "support   ", d->support, d->label_count);
        if (d->probability)
            put_by_label(x, "chance    ", d->probability, d->label_count);
    }
}

static void put_known(explaining *x, const hcbr_decision *d) {
    out *o = x->out;
    out_string(o, "known     ");
    out_u64(o, d->known_count);
    out_string(o, " of ");
    out_u64(o, d->feature_count);
    out_string(o, d->feature_count == 1 ? " feature" : " features");
    for (size_t i = 0; i < d->unseen_count && i < SHOWN_UNSEEN; i++) {
        hcbr_cell c = {.used = 0};
        out_string(o, i == 0 ? "; never seen: " : ", ");
        hcbr_cell_add_shown(&c, x->model, &d->unseen[i], 60);
        out_bytes(o, c.text, c.used);
    }
    if (d->unseen_count > SHOWN_UNSEEN) {
        out_string(o, " +");
        out_u64(o, d->unseen_count - SHOWN_UNSEEN);
        out_string(o, " more");
    }
    out_row(o);
}

double explain_bias(const hcbr_explanation *e) {
    return e->bias[e->label] - (e->against >= 0 ? e->bias[e->against] : 0);
}

/* A line under a table of leads. */
static void put_part(explaining *x, const char *name, double value, int decimals) {
    put_text(x->out, name, strlen(name), ATOM_WIDTH + SIGN_WIDTH, false);
    explain_put_signed(x, value, decimals);
    out_row(x->out);
}

static void put_columns(explaining *x, const hcbr_explanation *e, int decimals) {
    out *o = x->out;
    bool asked = args_has(x->given, OPT_TOP) || args_has(x->given, OPT_ALL_REASONS);
    size_t count = asked || e->column_count < SHOWN_COLUMNS ? e->column_count : SHOWN_COLUMNS;
    if (count == 0 || e->all_columns >= e->all_groups) // groups say the same in less
        return;
    double apart =
        e->rest[e->label] - (e->against >= 0 ? e->rest[e->against] : 0) + explain_bias(e);
    double more = e->lead - apart;
    hcbr_cell head = {.used = 0};
    label_facts label = explain_label(x, e->label);
    out_row(o);
    hcbr_cell_add(&head, "columns, for ", 13, ATOM_WIDTH);
    hcbr_cell_add_cut(&head, label.name, label.name_length, ATOM_WIDTH);
    put_cell(o, &head, ATOM_WIDTH + SIGN_WIDTH, false);
    put_text(o, "adds", 4, NUMBER_WIDTH, true);
    out_row(o);
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_column *c = hcbr_at(e->columns, e->column_stride, n);
        hcbr_cell name = {.used = 0};
        out_string(o, c->lead > 0 ? "+ " : c->lead < 0 ? "- " : "  ");
        hcbr_cell_add_cut(&name, c->name, c->name_length, ATOM_WIDTH - 1);
        put_cell(o, &name, ATOM_WIDTH, false);
        explain_put_signed(x, c->lead, decimals);
        out_row(o);
        more -= c->lead;
    }
    char text[64];
    snprintf(text, sizeof text, "  %llu more (--top, --all)",
             (unsigned long long)(e->all_columns - count));
    if (count < e->all_columns)
        put_part(x, text, more, decimals);
    if (apart != 0)
        put_part(x, "  of no column", apart, decimals);
}

/* Features of a group, each shown before the next one. */
typedef struct shown_group {
    const hcbr_model *model;
    const hcbr_feature *features;
    char *room; /* HCBR_SHOWN_SIZE bytes */
} shown_group;

static hcbr_feature case_feature(const void *context, size_t n) {
    const shown_group *g = context;
    return hcbr_shown_feature(g->model, &g->features[n], g->room);
}

/* Id, or row, and label of a past case. */
static void put_name(explaining *x, const hcbr_explained_case *c) {
    out *o = x->out;
    hcbr_cell name = {.used = 0};
    char row[32];
    label_facts label = explain_label(x, c->label);
    if (c->id)
        hcbr_cell_add_cut(&name, c->id, c->id_length, ID_WIDTH - 1);
    else
        hcbr_cell_add(&name, row,
                      (size_t)snprintf(row, sizeof row, "row %llu", (unsigned long long)c->row),
                      ID_WIDTH - 1);
    put_cell(o, &name, ID_WIDTH, false);
    put_text(o, label.name, label.name_length, ATOM_WIDTH - ID_WIDTH, false);
}

static void put_past(explaining *x, const hcbr_explained_case *c, int decimals) {
    put_name(x, c);
    explain_put_signed(x, c->lead, decimals);
    out_row(x->out);
}

static void put_atoms(explaining *x, const hcbr_explanation *e, int decimals) {
    out *o = x->out;
    hcbr_cell head = {.used = 0};
    label_facts label = explain_label(x, e->label);
    out_row(o);
    hcbr_cell_add(&head, "groups of features, for ", 24, ATOM_WIDTH);
    hcbr_cell_add_cut(&head, label.name, label.name_length, ATOM_WIDTH);
    put_cell(o, &head, ATOM_WIDTH + SIGN_WIDTH, false);
    put_text(o, "adds", 4, NUMBER_WIDTH, true);
    put_text(o, "weight", 6, NUMBER_WIDTH, true);
    put_text(o, "cases", 5, CASES_WIDTH, true);
    out_row(o);
    for (size_t n = 0; n < e->group_count; n++) {
        const hcbr_explained_group *a = group_at(e, n);
        hcbr_cell features = {.used = 0};
        out_string(o, a->lead > 0 ? "+ " : a->lead < 0 ? "- " : "  ");
        char room[HCBR_SHOWN_SIZE];
        const shown_group group = {x->model, a->features, room};
        hcbr_cell_add_features(&features, case_feature, &group, a->feature_count, ATOM_WIDTH - 1);
        put_cell(o, &features, ATOM_WIDTH, false);
        explain_put_signed(x, a->lead, decimals);
        put_number(o, a->weight, 4, NUMBER_WIDTH);
        if (e->no_cases && a->case_count == 0)
            put_text(o, "", 0, CASES_WIDTH, true);
        else
            put_count(o, a->case_count, CASES_WIDTH);
        out_row(o);
        for (size_t c = 0; x->term.verbose && c < a->shown_cases; c++) {
            out_string(o, "    ");
            put_past(x, case_at(e, a->cases, c), decimals);
        }
    }
    double bias = explain_bias(e);
    if (e->group_count < e->all_groups) {
        double rest = e->lead - bias;
        for (size_t n = 0; n < e->group_count; n++)
            rest -= group_at(e, n)->lead;
        char text[64];
        int length = snprintf(text, sizeof text, "  %llu more (--top, --all)",
                              (unsigned long long)(e->all_groups - e->group_count));
        put_text(o, text, (size_t)length, ATOM_WIDTH + SIGN_WIDTH, false);
        explain_put_signed(x, rest, decimals);
        out_row(o);
    }
    if (bias != 0) {
        put_text(o, "  bias, not from past cases", 27, ATOM_WIDTH + SIGN_WIDTH, false);
        explain_put_signed(x, bias, decimals);
        out_row(o);
    }
    put_text(o, "  lead", 6, ATOM_WIDTH + SIGN_WIDTH, false);
    explain_put_signed(x, e->lead, decimals);
    if (e->against >= 0) {
        out_string(o, "  over ");
        explain_put_label(x, e->against);
    }
    out_row(o);
}

static void put_side(explaining *x, const hcbr_explanation *e, bool against, int decimals) {
    out *o = x->out;
    const hcbr_explained_case *cases = against ? e->counter_examples : e->analogies;
    size_t count = against ? e->counter_count : e->analogy_count;
    uint64_t all = against ? e->all_against : e->all_for;
    out_row(o);
    out_string(o, against ? "past cases against " : "past cases for ");
    explain_put_label(x, e->label);
    out_string(o, ": ");
    out_u64(o, all);
    out_row(o);
    for (size_t n = 0; n < count; n++) {
        out_string(o, against ? "- " : "+ ");
        put_past(x, case_at(e, cases, n), decimals);
    }
    if (count < all && count > 0) {
        out_string(o, "  ");
        out_u64(o, all - count);
        out_string(o, " more (--cases, --all)");
        out_row(o);
    }
}

/* The label that a past case adds most to, or takes most from. */
static hcbr_label moved_most(const explaining *x, const hcbr_explained_case *c) {
    hcbr_label most = 0;
    for (hcbr_label l = 1; l < (hcbr_label)x->info.labels; l++)
        if (fabs(c->influence[l]) > fabs(c->influence[most]))
            most = l;
    return most;
}

/* Past cases without a part in the lead: all of them or none. */
static void put_others(explaining *x, const hcbr_explanation *e) {
    out *o = x->out;
    bool all = e->other_count == e->all_others;
    if (e->all_others == 0)
        return;
    out_row(o);
    out_string(o, "past cases without a part in the lead: ");
    out_u64(o, e->all_others);
    out_string(o, all ? "" : " (--all)");
    out_row(o);
    for (size_t n = 0; all && n < e->other_count; n++) {
        hcbr_label most = moved_most(x, case_at(e, e->others, n));
        double value = case_at(e, e->others, n)->influence[most];
        out_string(o, "  ");
        put_name(x, case_at(e, e->others, n));
        explain_put_signed(x, value, decimals_for(fabs(value)));
        out_string(o, "  to ");
        explain_put_label(x, most);
        out_row(o);
    }
}

void explain_text(explaining *x, const hcbr_decision *d, const hcbr_explanation *e) {
    double largest = 0;
    for (size_t n = 0; n < e->group_count; n++) {
        double lead = group_at(e, n)->lead < 0 ? -group_at(e, n)->lead : group_at(e, n)->lead;
        largest = lead > largest ? lead : largest;
    }
    int decimals = decimals_for(largest);
    if (x->shown > 0)
        out_row(x->out);
    put_title(x, d, e);
    put_known(x, d);
    if (e->label < 0)
        return;
    put_columns(x, e, decimals);
    put_atoms(x, e, decimals);
    if (x->options.cases == 0)
        return;
    if (e->no_cases) {
        out_row(x->out);
        out_string(x->out, "past cases cannot be shown: ");
        out_said(x->out, e->no_cases);
        out_row(x->out);
        return;
    }
    put_side(x, e, false, decimals);
    put_side(x, e, true, decimals);
    put_others(x, e);
}
