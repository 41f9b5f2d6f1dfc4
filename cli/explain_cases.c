/*
 * Past cases in the text of hcbr explain: those for the answer and, in the same form, those against
 * it, each with its held-out answer, and its likeness with the case or its difference; with -v
 * column by column.
 */
#include "cell.h"
#include "explaining.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ID_WIDTH = 33, MARK_WIDTH = 14, COLUMN_WIDTH = 24, MOVES_WIDTH = 12 };

/* Of a value next to another one: less on a narrow terminal, where lines would be cut anyway. */
static size_t value_width(const explaining *x) {
    enum { LEAST = 15, MOST = 22 };
    const size_t rest = COLUMN_WIDTH + MARK_WIDTH + MOVES_WIDTH;
    const size_t width = x->columns > rest ? (x->columns - rest) / 2 : 0;
    return !x->shared || width > MOST ? MOST : width < LEAST ? LEAST : width;
}

/* A copy of a past case, kept when its explanation has ended. */
typedef struct told_case {
    hcbr_explained_case c;
    hcbr_label most; /* the label that it adds most to, or takes most from */
    double moved;    /* and that */
} told_case;

typedef struct told {
    told_case *list; /* for, against, others */
    size_t for_count, against_count, other_count;
    uint64_t all_for, all_against, all_others;
    hcbr_label label;
    double lead, bias, itself;
    bool in_training; /* the case itself, which adds that */
    int decimals;
} told;

/* `row 12` */
static void add_row(hcbr_cell *c, uint64_t row) {
    const char *form = hcbr_word_get(HCBR_WORD_ROW_IS), *mark = strstr(form, "{0}");
    char digits[20];
    hcbr_cell_add(c, form, (size_t)(mark - form), ID_WIDTH - 1);
    hcbr_cell_add(c, digits, (size_t)(put_u64(digits, row) - digits), ID_WIDTH - 1);
    hcbr_cell_add(c, mark + 3, strlen(mark + 3), ID_WIDTH - 1);
}

void explain_put_name(explaining *x, const hcbr_explained_case *c) {
    out *o = x->out;
    hcbr_cell name = {.used = 0};
    label_facts label = explain_label(x, c->label);
    if (c->source)
        cell_add_stated(&name, c->source, c->weight, ID_WIDTH - 1);
    else if (c->id && !explain_hides_id(x))
        hcbr_cell_add_cut(&name, c->id, c->id_length, ID_WIDTH - 1);
    else
        add_row(&name, c->row);
    put_cell(o, &name, ID_WIDTH, false);
    put_text(o, label.name, label.name_length, EXPLAIN_NAME_WIDTH - ID_WIDTH, false);
}

/* ---- kept results ---------------------------------------------------------------------------- */

static told_case tell(const explaining *x, const hcbr_explained_case *list, size_t n) {
    told_case t = {.c = list[n]};
    for (hcbr_label l = 0; t.c.influence && l < (hcbr_label)x->info.labels; l++)
        if (l == 0 || fabs(t.c.influence[l]) > fabs(t.moved)) {
            t.most = l;
            t.moved = t.c.influence[l];
        }
    t.c.influence = NULL;
    return t;
}

static bool keep(const explaining *x, const hcbr_explanation *e, told *t) {
    const size_t all = e->for_count + e->against_count + e->other_count;
    size_t n = 0;
    *t = (told){.list = calloc(all ? all : 1, sizeof *t->list),
                .for_count = e->for_count,
                .against_count = e->against_count,
                .other_count = e->other_count,
                .all_for = e->all_for,
                .all_against = e->all_against,
                .all_others = e->all_others,
                .label = e->label,
                .lead = e->lead,
                .bias = explain_bias(e),
                .itself = e->itself ? e->itself->lead : 0,
                .in_training = e->itself != NULL,
                .decimals = explain_decimals(e)};
    if (!t->list)
        return false;
    for (size_t i = 0; i < e->for_count; i++)
        t->list[n++] = tell(x, e->cases_for, i);
    for (size_t i = 0; i < e->against_count; i++)
        t->list[n++] = tell(x, e->cases_against, i);
    for (size_t i = 0; i < e->other_count; i++)
        t->list[n++] = tell(x, e->others, i);
    return true;
}

/* ---- side by side ---------------------------------------------------------------------------- */

/* `12 values` */
static size_t say_values(char text[32], size_t count) {
    const char *form = hcbr_word_get(HCBR_WORD_VALUES), *mark = strstr(form, "{0}");
    const int length = snprintf(text, 32, "%.*s%zu%s", (int)(mark - form), form, count, mark + 3);
    return (size_t)(length < 32 ? length : 31);
}

static void put_value(explaining *x, const hcbr_feature *values, size_t count) {
    hcbr_cell c = {.used = 0};
    const size_t width = value_width(x);
    char text[32];
    if (count == 0)
        hcbr_cell_add(&c, "-", 1, width);
    else if (count > 1)
        hcbr_cell_add(&c, text, say_values(text, count), width);
    else {
        char room[HCBR_SHOWN_SIZE];
        size_t length;
        const char *value = hcbr_shown_value(x->model, values, room, &length);
        hcbr_cell_add_cut(&c, value, length, width - 1);
    }
    put_cell(x->out, &c, width, false);
}

void explain_columns_text(explaining *x, const hcbr_comparison *c, size_t most) {
    static const hcbr_word alike[] = {HCBR_WORD_LINE_SAME, HCBR_WORD_LINE_NEAR,
                                      HCBR_WORD_LINE_DIFFERENT, HCBR_WORD_LINE_ONLY_HERE,
                                      HCBR_WORD_LINE_ONLY_THERE};
    size_t shown = 0;
    double largest = fabs(c->lead_here - c->lead_there), left = 0;
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        largest = fmax(largest, fabs(k->lead_here - k->lead_there));
    }
    const int decimals = decimals_for(largest);
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        hcbr_cell name = {.used = 0};
        if (explain_hides(x, k->name, k->name_length) || shown >= most) {
            left += k->lead_here - k->lead_there;
            continue;
        }
        shown++;
        hcbr_cell_add(&name, "    ", 4, COLUMN_WIDTH);
        if (k->name_length)
            hcbr_cell_add_cut(&name, k->name, k->name_length, COLUMN_WIDTH - 1);
        else
            hcbr_cell_add(&name, hcbr_word_get(HCBR_WORD_FEATURES),
                          strlen(hcbr_word_get(HCBR_WORD_FEATURES)), COLUMN_WIDTH - 1);
        put_cell(x->out, &name, COLUMN_WIDTH, false);
        put_value(x, k->here, k->here_count);
        put_value(x, k->there, k->there_count);
        explain_put_word(x, alike[k->alike], HCBR_LABEL_UNKNOWN, MARK_WIDTH, false);
        explain_put_signed(x, k->lead_here - k->lead_there, decimals);
        out_row(x->out);
    }
    if (shown < c->column_count) {
        out_string(x->out, "  ");
        explain_put_count(x, HCBR_WORD_MORE_LINE, c->column_count - shown, "--top, --all",
                          COLUMN_WIDTH + 2 * value_width(x) + MARK_WIDTH - 2);
        explain_put_signed(x, left, decimals);
        out_row(x->out);
    }
}

void explain_versus_sums(explaining *x, const hcbr_comparison *c) {
    const int decimals = decimals_for(fmax(fabs(c->lead_here), fabs(c->lead_there)));
    const size_t width = COLUMN_WIDTH + 2 * value_width(x) + MARK_WIDTH;
    if (c->rest != 0) {
        explain_put_word(x, HCBR_WORD_NEITHER_LINE, HCBR_LABEL_UNKNOWN, width, false);
        explain_put_signed(x, c->rest, decimals);
        out_row(x->out);
    }
    explain_put_word(x, HCBR_WORD_LEADS_LINE, HCBR_LABEL_UNKNOWN, COLUMN_WIDTH, false);
    for (int there = 0; there < 2; there++) {
        char text[64];
        const int length = snprintf(text, sizeof text, "%+.*f", decimals < 0 ? 3 : decimals,
                                    there ? c->lead_there : c->lead_here);
        put_text(x->out, text, (size_t)length, value_width(x), false);
    }
    put_text(x->out, "", 0, MARK_WIDTH, false);
    explain_put_signed(x, c->lead_here - c->lead_there, decimals);
    out_row(x->out);
}

/* ---- lists ----------------------------------------------------------------------------------- */

/* Its held-out answer, then its likeness or difference. */
static hcbr_status put_about(explaining *x, const hcbr_explained_row *row,
                             const hcbr_explained_case *past, hcbr_error *err) {
    hcbr_comparison c = {.size = sizeof c};
    hcbr_writer *w;
    hcbr_status st = hcbr_explainer_compare(row->explainer, row->row, past->index, 0, &c, err);
    if (st != HCBR_OK)
        return st;
    if (out_writer(x->out, "explain", &w) != EXIT_DONE)
        return hcbr_writer_flush(w, err);
    hcbr_writer_set_page(w, &x->page);
    const size_t mark = out_mark(x->out);
    out_string(x->out, "    ");
    if (x->page.past || (past->id && !explain_hides_id(x))) {
        explain_say(x, HCBR_WORD_CITE, "u", past->row);
        if (x->page.past)
            explain_say(x, HCBR_WORD_CITE_FILE, "s", x->page.past);
        out_string(x->out, ". ");
    }
    if ((st = hcbr_write_comparison(w, HCBR_TEXT, x->model, &c, err)) != HCBR_OK)
        return st;
    out_row(x->out);
    out_wrap(x->out, mark, x->columns, 0);
    if (x->term.verbose)
        explain_columns_text(x, &c, x->options.columns);
    return HCBR_OK;
}

static hcbr_status put_side(explaining *x, const hcbr_explained_row *row, const told *t,
                            bool against, hcbr_error *err) {
    const told_case *list = t->list + (against ? t->for_count : 0);
    const size_t count = against ? t->against_count : t->for_count;
    const uint64_t all = against ? t->all_against : t->all_for;
    hcbr_status st = HCBR_OK;
    out *o = x->out;
    out_row(o);
    const size_t mark = out_mark(o);
    explain_say_line(x, against ? HCBR_WORD_AGAINST_LINE : HCBR_WORD_FOR_LINE, "lu", t->label, all);
    out_style(o, mark, OUT_BOLD);
    for (size_t n = 0; st == HCBR_OK && n < count; n++) {
        out_string(o, against ? "- " : "+ ");
        explain_put_name(x, &list[n].c);
        explain_put_signed(x, list[n].c.lead, t->decimals);
        out_row(o);
        if (n < x->beside)
            st = put_about(x, row, &list[n].c, err);
    }
    if (count < all && count > 0)
        explain_say_line(x, HCBR_WORD_MORE_LINE, "us", (uint64_t)(all - count), "--cases, --all");
    return st;
}

/* Past cases without a part in the lead: all of them or none. */
static void put_others(explaining *x, const told *t) {
    const told_case *list = t->list + t->for_count + t->against_count;
    const bool all = t->other_count == t->all_others;
    out *o = x->out;
    if (t->all_others == 0)
        return;
    out_row(o);
    explain_say_line(x, all ? HCBR_WORD_OTHERS_LINE : HCBR_WORD_OTHERS_MORE_LINE, "us",
                     t->all_others, "--all");
    for (size_t n = 0; all && n < t->other_count; n++) {
        out_string(o, "  ");
        explain_put_name(x, &list[n].c);
        explain_put_signed(x, list[n].moved, decimals_for(fabs(list[n].moved)));
        explain_say_line(x, HCBR_WORD_TO_LINE, "l", list[n].most);
    }
}

/* The sum of the contributions not shown. */
static void put_left(explaining *x, const told *t) {
    const size_t shown = t->for_count + t->against_count;
    const uint64_t all = t->all_for + t->all_against;
    double left = t->lead - t->bias - t->itself;
    for (size_t n = 0; n < shown; n++)
        left -= t->list[n].c.lead;
    if (t->in_training || (shown > 0 && shown < all))
        out_row(x->out);
    if (t->in_training) {
        explain_put_word(x, HCBR_WORD_ITSELF_LINE, HCBR_LABEL_UNKNOWN, EXPLAIN_NAME_WIDTH + 2,
                         false);
        explain_put_signed(x, t->itself, t->decimals);
        out_row(x->out);
    }
    if (shown == 0 || shown == all)
        return;
    explain_put_count(x, HCBR_WORD_REST_LINE, all - shown, "", EXPLAIN_NAME_WIDTH + 2);
    explain_put_signed(x, left, t->decimals);
    out_row(x->out);
}

hcbr_status explain_cases_text(explaining *x, const hcbr_explained_row *row, hcbr_error *err) {
    const hcbr_explanation *e = row->explanation;
    told t;
    if (e->label < 0 || x->options.cases == 0)
        return HCBR_OK;
    if (e->no_cases) {
        out_row(x->out);
        const size_t mark = out_mark(x->out);
        out_string(x->out, hcbr_word_get(HCBR_WORD_NO_CASES_LINE));
        out_said(x->out, hcbr_word_get(x->info.keep == HCBR_KEEP_NONE ? HCBR_WORD_CASES_NOT_KEPT
                                                                      : HCBR_WORD_CASES_NOT_ASKED));
        out_row(x->out);
        out_wrap(x->out, mark, x->columns, 0);
        return HCBR_OK;
    }
    if (!keep(x, e, &t)) {
        x->code = say_no_memory("explain");
        return HCBR_OK;
    }
    hcbr_status st = put_side(x, row, &t, false, err);
    if (st == HCBR_OK)
        st = put_side(x, row, &t, true, err);
    if (st == HCBR_OK) {
        put_left(x, &t);
        put_others(x, &t);
    }
    free(t.list);
    return st;
}
