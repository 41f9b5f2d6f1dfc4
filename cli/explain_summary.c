/*
 * hcbr explain --summary: the reasons of all rows together, as text or JSON.
 */
#include "cell.h"
#include "explaining.h"

#include <stdio.h>

enum { NAME_WIDTH = 48, NUMBER_WIDTH = 11 };

int explain_begin_summary(explaining *x) {
    static const char *const OTHERS[] = {"versus", "flip", "ask", "html", "all", "cases"};
    hcbr_error err = {0};
    hcbr_summary_options o;
    if (!args_has(x->given, "summary"))
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (args_has(x->given, OTHERS[i]))
            return say_usage("explain", "--summary shows all rows together: --%s is for each row",
                             opt_name(OTHERS[i]));
    hcbr_summary_options_init(&o);
    o.most = x->options.atoms;
    x->options.atoms = o.per_case;
    x->options.columns = SIZE_MAX;
    x->options.cases = x->options.atom_cases = 0;
    return hcbr_summary_create(&x->summary, x->model, &o, &err) == HCBR_OK
               ? EXIT_DONE
               : term_fail(&x->term, &err);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Features of an atom, each shown before the next one. */
typedef struct shown_reason {
    const explaining *x;
    const hcbr_summed_reason *reason;
    char room[HCBR_SHOWN_SIZE];
} shown_reason;

static hcbr_feature get_shown(const void *context, size_t n) {
    shown_reason *s = (shown_reason *)(uintptr_t)context;
    const char *hidden = hcbr_word_get(HCBR_WORD_HIDDEN_VALUE);
    if (explain_hides_feature(s->x, &s->reason->features[n]))
        return (hcbr_feature){hidden, strlen(hidden), NULL, 0};
    return hcbr_shown_feature(s->x->model, &s->reason->features[n], s->room);
}

static void put_name(explaining *x, const hcbr_summed_reason *r) {
    hcbr_cell c = {.used = 0};
    const char *hidden = hcbr_word_get(HCBR_WORD_HIDDEN_VALUE);
    shown_reason shown = {.x = x, .reason = r};
    hcbr_cell_add(&c, "  ", 2, NAME_WIDTH);
    if (r->name && explain_hides(x, r->name, r->name_length))
        hcbr_cell_add(&c, hidden, strlen(hidden), NAME_WIDTH - 2);
    else if (r->name)
        hcbr_cell_add_cut(&c, r->name, r->name_length, NAME_WIDTH - 2);
    else
        hcbr_cell_add_features(&c, get_shown, &shown, r->feature_count, NAME_WIDTH - 2);
    put_cell(x->out, &c, NAME_WIDTH, false);
}

static void put_reasons(explaining *x, hcbr_word title, const hcbr_summed_reason *list,
                        size_t count, uint64_t all) {
    out *o = x->out;
    double largest = 0;
    if (count == 0)
        return;
    explain_put_word(x, title, HCBR_LABEL_UNKNOWN, NAME_WIDTH, false);
    explain_put_word(x, HCBR_WORD_FOR, HCBR_LABEL_UNKNOWN, NUMBER_WIDTH, true);
    explain_put_word(x, HCBR_WORD_AGAINST, HCBR_LABEL_UNKNOWN, NUMBER_WIDTH, true);
    explain_put_word(x, HCBR_WORD_FIRST_LINE, HCBR_LABEL_UNKNOWN, NUMBER_WIDTH, true);
    explain_put_word(x, HCBR_WORD_ADDS_LINE, HCBR_LABEL_UNKNOWN, NUMBER_WIDTH + 1, true);
    out_row(o);
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_reason *r = &list[n];
        largest = r->absolute > largest ? r->absolute : largest;
    }
    int decimals = decimals_for(largest);
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_reason *r = &list[n];
        put_name(x, r);
        put_count(o, r->cases_for, NUMBER_WIDTH);
        put_count(o, r->cases_against, NUMBER_WIDTH);
        put_count(o, r->first, NUMBER_WIDTH);
        explain_put_signed(x, r->lead, decimals);
        out_row(o);
    }
    if (count < all)
        explain_say_line(x, HCBR_WORD_MORE_LINE, "us", (uint64_t)(all - count), "--top");
}

static void put_label(explaining *x, const hcbr_summed *s, const hcbr_summed_label *l) {
    out *o = x->out;
    out_row(o);
    explain_say(x, l->cases == 1 ? HCBR_WORD_SUM_LABEL_ONE : HCBR_WORD_SUM_LABEL, "luh", l->label,
                l->cases, (double)l->cases / (double)s->cases);
    if (l->given && l->label >= 0)
        explain_say(x, HCBR_WORD_SUM_RIGHT, "uu", l->right, l->given);
    out_row(o);
    put_reasons(x, HCBR_WORD_SUM_COLUMNS, l->columns, l->column_count, l->all_columns);
    put_reasons(x, HCBR_WORD_SUM_ATOMS, l->atoms, l->atom_count, l->all_atoms);
}

static void put_case(explaining *x, const hcbr_summed_case *c, bool at_odds) {
    out *o = x->out;
    out_string(o, "  ");
    explain_say(x, HCBR_WORD_ROW_IS, "u", c->row);
    if (c->id && !explain_hides_id(x)) {
        out_string(o, ", ");
        out_text(o, c->id, c->id_length);
    }
    out_string(o, " (");
    explain_put_label(x, c->label);
    out_string(o, "): ");
    if (at_odds)
        explain_say(x, HCBR_WORD_SUM_ODDS, "rr", c->lead_for, c->lead_against);
    else
        explain_say(x, c->features == 1 ? HCBR_WORD_SUM_KNOWN_ONE : HCBR_WORD_SUM_KNOWN, "uu",
                    (uint64_t)c->known, (uint64_t)c->features);
    out_row(o);
}

static void put_cases(explaining *x, const hcbr_summed_case *list, size_t count, uint64_t all,
                      bool at_odds) {
    for (size_t n = 0; n < count; n++)
        put_case(x, &list[n], at_odds);
    if (count < all)
        explain_say_line(x, HCBR_WORD_MORE_LINE, "us", (uint64_t)(all - count), "--top");
}

static void put_all(explaining *x, const hcbr_summed *s) {
    out *o = x->out;
    char usual[HCBR_NUMBER_SIZE];
    explain_say_line(x, s->cases == 1 ? HCBR_WORD_CASES_ONE : HCBR_WORD_CASES, "u", s->cases);
    for (size_t n = 0; n < s->label_count; n++)
        put_label(x, s, &s->labels[n]);
    if (s->other_atoms) {
        out_row(o);
        explain_say_line(x, HCBR_WORD_SUM_OTHER, "u", s->other_atoms);
    }
    out_row(o);
    explain_say_line(x, HCBR_WORD_SUM_CONFLICTS, "u", s->all_conflicts);
    put_cases(x, s->conflicts, s->conflict_count, s->all_conflicts, true);
    out_row(o);
    usual[hcbr_number_round(usual, s->usual, 3)] = '\0';
    explain_say_line(x, HCBR_WORD_SUM_UNLIKE, "su", usual, s->all_unlike);
    put_cases(x, s->unlike, s->unlike_count, s->all_unlike, false);
}

int explain_end_summary(explaining *x) {
    hcbr_error err = {0};
    hcbr_summed s = {.size = sizeof s};
    hcbr_status st = hcbr_summary_get(x->summary, &s, &err);
    if (st == HCBR_OK && x->writer)
        st = hcbr_json_summary(x->writer, x->model, &s, &err);
    else if (st == HCBR_OK)
        put_all(x, &s);
    return term_written(&x->term, x->out, st, &err);
}
