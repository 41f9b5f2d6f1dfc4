/*
 * The text of hcbr explain, in 80 to 100 columns: the decision in words, the columns that counted,
 * then the atoms. Past cases are in explain_cases.c.
 */
#include "cell.h"
#include "explaining.h"
#include "label.h"

#include <math.h>
#include <stdio.h>

enum {
    SIGN_WIDTH = 2,
    HANG = 10, /* of lines that begin with a name, `support` and the like */
    ATOM_WIDTH = EXPLAIN_NAME_WIDTH,
    NUMBER_WIDTH = 12,
    CASES_WIDTH = 8,
    SHOWN_UNSEEN = 8
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
    put_signed(x->out, value, decimals, NUMBER_WIDTH);
}

/* A line of numbers, one for each of the first labels. */
static void put_by_label(explaining *x, hcbr_word title, const double *values, size_t count,
                         bool chance) {
    out *o = x->out;
    char text[HCBR_PERCENT_SIZE];
    const size_t mark = out_mark(o);
    for (size_t l = 0; l < count && l < 12; l++) {
        out_string(o, l == 0 ? hcbr_word_get(title) : ", ");
        explain_put_label(x, (hcbr_label)l);
        out_byte(o, ' ');
        if (chance) {
            hcbr_percent_say(text, values[l], 0);
            out_string(o, text);
        } else {
            out_rounded(o, values[l]);
        }
    }
    out_row(o);
    out_wrap(o, mark, x->columns, HANG);
}

/* The answer in words, how often such an answer is right, and the threshold. */
static void put_answer(explaining *x, const hcbr_decision *d) {
    hcbr_writer *w;
    hcbr_error err = {0};
    const size_t mark = out_mark(x->out);
    if (out_writer(x->out, "explain", &w) == EXIT_DONE &&
        hcbr_write_decision(w, HCBR_TEXT, x->model, d, &err) != HCBR_OK)
        x->code = term_fail(&x->term, &err);
    out_wrap(x->out, mark, x->columns, 0);
}

static void put_title(explaining *x, const hcbr_decision *d, const hcbr_explanation *e) {
    out *o = x->out;
    const size_t mark = out_mark(o);
    explain_say(x, HCBR_WORD_ROW_IS, "u", d->row);
    if (d->id && !explain_hides_id(x)) {
        out_string(o, ", ");
        out_text(o, d->id, d->id_length);
    }
    out_string(o, ": ");
    explain_put_label(x, d->label);
    if (d->reason != HCBR_BY_SUPPORT) {
        out_string(o, " (");
        out_string(o, hcbr_word_get(HCBR_WORD_BY_SUPPORT + (unsigned)d->reason));
        out_string(o, ")");
    }
    if (d->given) {
        size_t length = d->given_length;
        const char *given = label_shown(d->given, &length);
        out_string(o, hcbr_word_get(HCBR_WORD_GIVEN));
        out_text(o, given, length);
    }
    out_row(o);
    out_style(o, mark, OUT_BOLD);
    put_answer(x, d);
    if (e->label >= 0) {
        put_by_label(x, HCBR_WORD_SUPPORT_LINE, d->support, d->label_count, false);
        if (d->probability)
            put_by_label(x, HCBR_WORD_CHANCE_LINE, d->probability, d->label_count, true);
    }
}

static void put_known(explaining *x, const hcbr_decision *d) {
    out *o = x->out;
    const size_t mark = out_mark(o);
    explain_say(x, d->feature_count == 1 ? HCBR_WORD_KNOWN_LINE_ONE : HCBR_WORD_KNOWN_LINE, "uu",
                (uint64_t)d->known_count, (uint64_t)d->feature_count);
    for (size_t i = 0; i < d->unseen_count && i < SHOWN_UNSEEN; i++) {
        hcbr_cell c = {.used = 0};
        out_string(o, i == 0 ? hcbr_word_get(HCBR_WORD_UNSEEN_LINE) : ", ");
        explain_add_feature(x, &c, &d->unseen[i], 60);
        out_bytes(o, c.text, c.used);
    }
    if (d->unseen_count > SHOWN_UNSEEN)
        explain_say(x, HCBR_WORD_UNSEEN_MORE, "u", (uint64_t)(d->unseen_count - SHOWN_UNSEEN));
    out_row(o);
    out_wrap(o, mark, x->columns, HANG);
}

int explain_decimals(const hcbr_explanation *e) {
    double largest = 0;
    for (size_t n = 0; n < e->atom_count; n++)
        largest = fmax(largest, fabs(e->atoms[n].lead));
    if (e->atom_count == 0 && e->column_count > 0)
        largest = fabs(e->columns->lead);
    return decimals_for(largest);
}

double explain_bias(const hcbr_explanation *e) {
    return e->bias[e->label] - (e->against >= 0 ? e->bias[e->against] : 0);
}

/* A line under a table of leads. */
static void put_part(explaining *x, hcbr_word name, double value, int decimals) {
    explain_put_word(x, name, HCBR_LABEL_UNKNOWN, ATOM_WIDTH + SIGN_WIDTH, false);
    explain_put_signed(x, value, decimals);
    out_row(x->out);
}

/* The column, and the value if the case has one. */
static void put_column(explaining *x, const hcbr_explained_row *row,
                       const hcbr_explained_column *c) {
    hcbr_cell name = {.used = 0};
    const hcbr_feature *own = NULL;
    hcbr_row_info info = {.size = sizeof info};
    hcbr_row_get(row->row, &info);
    for (size_t i = 0; i < info.feature_count; i++) {
        const hcbr_feature *f = &info.features[i];
        if (f->value && f->key_length == c->name_length &&
            memcmp(f->key, c->name, c->name_length) == 0)
            own = own ? NULL : f;
    }
    if (!own || !cell_add_shown(&name, x->model, own, ATOM_WIDTH - 1)) {
        name = (hcbr_cell){.used = 0};
        hcbr_cell_add_cut(&name, c->name, c->name_length, ATOM_WIDTH - 1);
    }
    put_cell(x->out, &name, ATOM_WIDTH, false);
}

static void put_lead(explaining *x, const hcbr_explanation *e, int decimals) {
    explain_put_word(x, HCBR_WORD_LEAD_LINE, HCBR_LABEL_UNKNOWN, ATOM_WIDTH + SIGN_WIDTH, false);
    explain_put_signed(x, e->lead, decimals);
    if (e->against >= 0)
        explain_say(x, HCBR_WORD_LEAD_OVER, "l", e->against);
    out_row(x->out);
}

/* Returns its mark: the caller ends the line. */
static size_t put_head(explaining *x, hcbr_word words, hcbr_label label) {
    out_row(x->out);
    const size_t mark = out_mark(x->out);
    explain_put_word(x, words, label, ATOM_WIDTH + SIGN_WIDTH, false);
    explain_put_word(x, HCBR_WORD_ADDS_LINE, label, NUMBER_WIDTH, true);
    return mark;
}

/* The number of omitted rows, and their contribution. */
static void put_more(explaining *x, uint64_t count, double value, int decimals) {
    explain_put_count(x, HCBR_WORD_MORE_LINE, count, "--top, --all", ATOM_WIDTH + SIGN_WIDTH);
    explain_put_signed(x, value, decimals);
    out_row(x->out);
}

static void put_columns(explaining *x, const hcbr_explained_row *row, int decimals) {
    const hcbr_explanation *e = row->explanation;
    out *o = x->out;
    if (e->column_count == 0)
        return;
    double start =
        e->rest[e->label] - (e->against >= 0 ? e->rest[e->against] : 0) + explain_bias(e);
    double more = e->lead - start, hidden = 0;
    size_t hidden_count = 0;
    const size_t head = put_head(x, HCBR_WORD_COLUMNS_LINE, e->label);
    out_row(o);
    out_style(o, head, OUT_BOLD);
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        more -= c->lead;
        if (explain_hides(x, c->name, c->name_length)) {
            hidden += c->lead;
            hidden_count++;
            continue;
        }
        out_string(o, c->lead > 0 ? "+ " : c->lead < 0 ? "- " : "  ");
        put_column(x, row, c);
        explain_put_signed(x, c->lead, decimals);
        out_row(o);
    }
    if (hidden_count)
        put_part(x, HCBR_WORD_HIDDEN_LINE, hidden, decimals);
    if (e->column_count < e->all_columns)
        put_more(x, e->all_columns - e->column_count, more, decimals);
    if (start != 0)
        put_part(x, HCBR_WORD_START_LINE, start, decimals);
    put_lead(x, e, decimals);
    const size_t mark = out_mark(o);
    out_string(o, "  ");
    out_string(o, hcbr_word_get(HCBR_WORD_ABOUT_DIVIDED));
    out_row(o);
    out_wrap(o, mark, x->columns, 0);
}

/* Features of an atom, each shown before the next one. */
typedef struct shown_atom {
    const explaining *x;
    const hcbr_feature *features;
    char *room; /* HCBR_SHOWN_SIZE bytes */
} shown_atom;

static hcbr_feature case_feature(const void *context, size_t n) {
    const shown_atom *g = context;
    const char *hidden = hcbr_word_get(HCBR_WORD_HIDDEN_VALUE);
    if (explain_hides_feature(g->x, &g->features[n]))
        return (hcbr_feature){hidden, strlen(hidden), NULL, 0};
    return hcbr_shown_feature(g->x->model, &g->features[n], g->room);
}

static void put_past(explaining *x, const hcbr_explained_case *c, int decimals) {
    explain_put_name(x, c);
    explain_put_signed(x, c->lead, decimals);
    out_row(x->out);
}

static void put_atoms(explaining *x, const hcbr_explanation *e, int decimals) {
    out *o = x->out;
    const size_t head = put_head(x, HCBR_WORD_ATOMS_LINE, e->label);
    explain_put_word(x, HCBR_WORD_WEIGHT_LINE, e->label, NUMBER_WIDTH, true);
    explain_put_word(x, HCBR_WORD_CASES_LINE, e->label, CASES_WIDTH, true);
    out_row(o);
    out_style(o, head, OUT_BOLD);
    for (size_t n = 0; n < e->atom_count; n++) {
        const hcbr_explained_atom *a = &e->atoms[n];
        hcbr_cell features = {.used = 0};
        out_string(o, a->lead > 0 ? "+ " : a->lead < 0 ? "- " : "  ");
        char room[HCBR_SHOWN_SIZE];
        const shown_atom atom = {x, a->features, room};
        hcbr_cell_add_features(&features, case_feature, &atom, a->feature_count, ATOM_WIDTH - 1);
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
            put_past(x, &a->cases[c], decimals);
        }
    }
    double bias = explain_bias(e);
    if (e->atom_count < e->all_atoms) {
        double rest = e->lead - bias;
        for (size_t n = 0; n < e->atom_count; n++)
            rest -= e->atoms[n].lead;
        put_more(x, e->all_atoms - e->atom_count, rest, decimals);
    }
    if (bias != 0)
        put_part(x, HCBR_WORD_BIAS_LINE, bias, decimals);
    put_lead(x, e, decimals);
}

void explain_text(explaining *x, const hcbr_explained_row *row) {
    const hcbr_decision *d = row->decision;
    const hcbr_explanation *e = row->explanation;
    int decimals = explain_decimals(e);
    if (x->shown > 0)
        out_row(x->out);
    put_title(x, d, e);
    put_known(x, d);
    if (e->label < 0)
        return;
    if (e->itself) {
        const size_t mark = out_mark(x->out);
        out_string(x->out, hcbr_word_get(HCBR_WORD_ITSELF));
        out_row(x->out);
        out_wrap(x->out, mark, x->columns, 0);
    }
    put_columns(x, row, decimals);
    if (x->options.atoms > 0)
        put_atoms(x, e, decimals);
}
