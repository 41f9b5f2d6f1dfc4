/*
 * hcbr explain --summary: the reasons of all rows together, as text or JSON.
 */
#include "cell.h"
#include "explaining.h"

#include <stdio.h>

enum { NAME_WIDTH = 48, NUMBER_WIDTH = 11 };

int explain_begin_summary(explaining *x) {
    static const opt_id OTHERS[] = {OPT_VERSUS, OPT_FLIP,        OPT_ASK,
                                    OPT_HTML,   OPT_ALL_REASONS, OPT_CASES};
    hcbr_error err = {0};
    hcbr_summary_options o;
    if (!args_has(x->given, OPT_SUMMARY))
        return EXIT_DONE;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        if (args_has(x->given, OTHERS[i]))
            return say_usage("explain", "--summary shows all rows together: --%s is for each row",
                             opt_name(OTHERS[i]));
    hcbr_summary_options_init(&o);
    o.most = x->options.groups;
    x->options.groups = o.per_case;
    x->options.columns = SIZE_MAX;
    x->options.cases = x->options.group_cases = 0;
    return hcbr_summary_create(&x->summary, x->model, &o, &err) == HCBR_OK
               ? EXIT_DONE
               : term_fail(&x->term, &err);
}

/* ---- text ------------------------------------------------------------------------------------ */

/* Features of a group, each shown before the next one. */
typedef struct shown_reason {
    const hcbr_model *model;
    const hcbr_summed_reason *reason;
    char room[HCBR_SHOWN_SIZE];
} shown_reason;

static hcbr_feature get_shown(const void *context, size_t n) {
    shown_reason *s = (shown_reason *)(uintptr_t)context;
    return hcbr_shown_feature(s->model, &s->reason->features[n], s->room);
}

static void put_name(explaining *x, const hcbr_summed_reason *r) {
    hcbr_cell c = {.used = 0};
    shown_reason shown = {.model = x->model, .reason = r};
    hcbr_cell_add(&c, "  ", 2, NAME_WIDTH);
    if (r->name)
        hcbr_cell_add_cut(&c, r->name, r->name_length, NAME_WIDTH - 2);
    else
        hcbr_cell_add_features(&c, get_shown, &shown, r->feature_count, NAME_WIDTH - 2);
    put_cell(x->out, &c, NAME_WIDTH, false);
}

static void put_reasons(explaining *x, const char *title, const hcbr_summed_reason *list,
                        size_t count, size_t stride, uint64_t all) {
    out *o = x->out;
    double largest = 0;
    if (count == 0)
        return;
    put_text(o, title, strlen(title), NAME_WIDTH, false);
    put_text(o, "for", 3, NUMBER_WIDTH, true);
    put_text(o, "against", 7, NUMBER_WIDTH, true);
    put_text(o, "first", 5, NUMBER_WIDTH, true);
    put_text(o, "adds", 4, NUMBER_WIDTH + 1, true);
    out_row(o);
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_reason *r = hcbr_at(list, stride, n);
        largest = r->absolute > largest ? r->absolute : largest;
    }
    int decimals = decimals_for(largest);
    for (size_t n = 0; n < count; n++) {
        const hcbr_summed_reason *r = hcbr_at(list, stride, n);
        put_name(x, r);
        put_count(o, r->cases_for, NUMBER_WIDTH);
        put_count(o, r->cases_against, NUMBER_WIDTH);
        put_count(o, r->first, NUMBER_WIDTH);
        explain_put_signed(x, r->lead, decimals);
        out_row(o);
    }
    if (count < all) {
        out_string(o, "  ");
        out_u64(o, all - count);
        out_string(o, " more (--top)");
        out_row(o);
    }
}

static void put_label(explaining *x, const hcbr_summed *s, const hcbr_summed_label *l) {
    out *o = x->out;
    char chance[HCBR_CHANCE_SIZE];
    out_row(o);
    explain_put_label(x, l->label);
    out_string(o, ": ");
    out_u64(o, l->cases);
    out_string(o, l->cases == 1 ? " case, " : " cases, ");
    out_bytes(o, chance, hcbr_chance_format(chance, (double)l->cases / (double)s->cases));
    if (l->given && l->label >= 0) {
        out_string(o, "; right in ");
        out_u64(o, l->right);
        out_string(o, " of the ");
        out_u64(o, l->given);
        out_string(o, " that the data decides");
    }
    out_row(o);
    put_reasons(x, "columns: cases in which they speak", l->columns, l->column_count,
                s->reason_stride, l->all_columns);
    put_reasons(x, "groups: cases of which they are a reason", l->groups, l->group_count,
                s->reason_stride, l->all_groups);
}

static void put_case(explaining *x, const hcbr_summed_case *c, bool at_odds) {
    out *o = x->out;
    out_string(o, "  row ");
    out_u64(o, c->row);
    if (c->id) {
        out_string(o, ", ");
        out_text(o, c->id, c->id_length);
    }
    out_string(o, " (");
    explain_put_label(x, c->label);
    out_string(o, "): ");
    if (at_odds) {
        out_rounded(o, c->lead_for);
        out_string(o, " for, ");
        out_rounded(o, c->lead_against);
        out_string(o, " against");
    } else {
        out_u64(o, c->known);
        out_string(o, " of ");
        out_u64(o, c->features);
        out_string(o, c->features == 1 ? " feature known" : " features known");
    }
    out_row(o);
}

static void put_cases(explaining *x, const hcbr_summed_case *list, size_t count, size_t stride,
                      uint64_t all, bool at_odds) {
    out *o = x->out;
    for (size_t n = 0; n < count; n++)
        put_case(x, hcbr_at(list, stride, n), at_odds);
    if (count < all) {
        out_string(o, "  ");
        out_u64(o, all - count);
        out_string(o, " more (--top)");
        out_row(o);
    }
}

static void put_all(explaining *x, const hcbr_summed *s) {
    out *o = x->out;
    char usual[HCBR_NUMBER_SIZE];
    out_u64(o, s->cases);
    out_string(o, s->cases == 1 ? " case" : " cases");
    out_row(o);
    for (size_t n = 0; n < s->label_count; n++)
        put_label(x, s, hcbr_at(s->labels, s->label_stride, n));
    if (s->other_groups) {
        out_row(o);
        out_u64(o, s->other_groups);
        out_string(o, " reasons were groups beyond those that are told apart");
        out_row(o);
    }
    out_row(o);
    out_string(o, "cases with strong reasons for and against: ");
    out_u64(o, s->all_conflicts);
    out_row(o);
    put_cases(x, s->conflicts, s->conflict_count, s->case_stride, s->all_conflicts, true);
    out_row(o);
    out_string(o, "cases unlike past cases, which have ");
    out_bytes(o, usual, hcbr_number_round(usual, s->usual, 3));
    out_string(o, " features on average: ");
    out_u64(o, s->all_unlike);
    out_row(o);
    put_cases(x, s->unlike, s->unlike_count, s->case_stride, s->all_unlike, false);
}

int explain_end_summary(explaining *x) {
    hcbr_error err = {0};
    hcbr_summed s = {.size = sizeof s};
    hcbr_status st = hcbr_summary_get(x->summary, &s, &err);
    if (st == HCBR_OK && x->json)
        st = hcbr_json_summary(x->json, x->model, &s, &err);
    else if (st == HCBR_OK)
        put_all(x, &s);
    return term_written(&x->term, x->out, st, &err);
}
