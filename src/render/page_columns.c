/*
 * Reasons on a page: columns as a waterfall that ends at the lead, then the combinations beyond
 * single columns.
 *
 * Invariant: the rows of a table, with those for omitted ones, add up to the lead.
 */
#include "model/model.h"
#include "render/pieces.h"

#include <math.h>

enum {
    WIDE = 240, /* of a bar, also in the text of put_bar() */
    TESTS = 7   /* of a combination */
};

double hcbr_i_page_bias(const hcbr_explanation *e) {
    return e->bias[e->label] - (e->against >= 0 ? e->bias[e->against] : 0);
}

/* The contribution of atoms without columns to the lead. */
static double rest_of(const hcbr_explanation *e) {
    return e->rest ? e->rest[e->label] - (e->against >= 0 ? e->rest[e->against] : 0) : 0;
}

/* The range of a waterfall. */
typedef struct range {
    double low, high, at;
} range;

static void reach(range *r, double add) {
    r->at += add;
    r->low = fmin(r->low, r->at);
    r->high = fmax(r->high, r->at);
}

/* A bar from where the sum was to where it is now. */
static void put_bar(hcbr_writer *w, const range *r, double from, double to) {
    const double wide = r->high > r->low ? r->high - r->low : 1;
    const double a = (fmin(from, to) - r->low) / wide, b = (fmax(from, to) - r->low) / wide;
    HTML(w, NULL, OURS(to < from ? "<td class=\"bar against\">" : "<td class=\"bar for\">"),
         OURS("<svg viewBox=\"0 0 240 10\" aria-hidden=\"true\" "
              "preserveAspectRatio=\"none\"><rect x=\""));
    hcbr_i_put_printed(w, 'f', 1, WIDE * a);
    hcbr_i_html(w, "\" y=\"1\" width=\"");
    hcbr_i_put_printed(w, 'f', 1, fmax(WIDE * (b - a), 0.5));
    hcbr_i_html(w, "\" height=\"8\" fill=\"currentColor\"/><path d=\"M");
    hcbr_i_put_printed(w, 'f', 1, WIDE * (0 - r->low) / wide);
    hcbr_i_html(w, " 0v10\" stroke=\"currentColor\" stroke-width=\".6\"/></svg></td>");
}

/* Whether it is a bare key, which a case has or has not. */
static bool is_name(const hcbr_model *model, const hcbr_explained_column *c) {
    hcbr_column column = {.size = sizeof column};
    if (hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK)
        return false;
    const hcbr_i_key_id key = hcbr_i_dict_find_key(model->dict, c->name, c->name_length);
    if (key != HCBR_I_NONE)
        hcbr_model_get_column(model, key, &column);
    return column.kind == HCBR_COLUMN_NAME;
}

/* The values that the case has in a column, up to a few. */
static void put_values(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_row *row,
                       const hcbr_explained_column *c) {
    enum { FEW = 3 };
    size_t found = 0;
    const hcbr_row_info info = hcbr_i_page_row(row->row);
    if (hcbr_i_page_whole(&info, model, c->name, c->name_length)) // shown above
        return;
    for (size_t i = 0; i < info.feature_count; i++) {
        const hcbr_feature *f = &info.features[i];
        if (f->key_length != c->name_length || memcmp(f->key, c->name, c->name_length) != 0)
            continue;
        if (found < FEW) {
            hcbr_i_html(w, found ? ", " : "");
            if (f->value)
                hcbr_i_html_value(w, model, f);
            else
                hcbr_i_html_word(w, HCBR_WORD_PRESENT);
        }
        found++;
    }
    if (found == 0 && info.feature_count)
        hcbr_i_html_word(w, is_name(model, c) ? HCBR_WORD_ABSENT : HCBR_WORD_NOT_THERE);
    if (found > FEW)
        HTML(w, model, SAY(HCBR_WORD_AND_MORE, COUNT(found - FEW)));
}

/* A line of the waterfall: a contribution, starting at the current sum. */
static void put_step(hcbr_writer *w, const range *whole, double *at, double add, int decimals) {
    put_bar(w, whole, *at, *at + add);
    HTML(w, NULL, SIGNED_CELL(add, decimals), OURS("</tr>\n"));
    *at += add;
}

static void put_column(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_row *row,
                       const hcbr_explained_column *c) {
    HTML(w, NULL, OURS("<tr><th scope=\"row\">"), HEADED(c->name, c->name_length),
         OURS("</th><td>"));
    put_values(w, model, row, c);
    hcbr_i_html(w, "</td>");
}

/* The sums of omitted columns, and of hidden ones. */
typedef struct left_out {
    double start, more, hidden;
    size_t more_count, hidden_count;
} left_out;

static left_out find_left_out(const hcbr_writer *w, const hcbr_explanation *e, range *whole) {
    left_out l = {.start = hcbr_i_page_bias(e) + rest_of(e)};
    l.more = e->lead - l.start;
    l.more_count = e->all_columns - e->column_count;
    reach(whole, l.start);
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        l.more -= c->lead;
        if (hcbr_i_page_hides(w, c->name, c->name_length)) {
            l.hidden += c->lead;
            l.hidden_count++;
        } else {
            reach(whole, c->lead);
        }
    }
    l.more = l.more_count ? l.more : 0; // otherwise it is a rounding error
    reach(whole, l.more);
    reach(whole, l.hidden);
    return l;
}

static void put_lead(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    if (e->against >= 0)
        HTML(w, model, SAY(HCBR_WORD_LEAD, STRONG(e->label), STRONG(e->against)));
    else
        HTML(w, model, SAY(HCBR_WORD_LEAD_ONE, STRONG(e->label)));
}

static void put_line(hcbr_writer *w) {
    hcbr_i_html(w, "<tr><td colspan=\"2\">");
}

void hcbr_i_page_columns(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_row *row) {
    const hcbr_explanation *e = row->explanation;
    range whole = {0};
    double at = 0, largest = fabs(e->lead);
    if (!e->rest || e->column_count == 0)
        return;
    const left_out l = find_left_out(w, e, &whole);
    for (size_t n = 0; n < e->column_count; n++)
        largest = fmax(largest, fabs(e->columns[n].lead));
    const int decimals = hcbr_i_html_decimals(largest);
    HTML(w, model, OURS("<section><h3>"), SAY(HCBR_WORD_COLUMNS, STRONG(e->label)),
         OURS("</h3>\n<p class=\"soft\">"),
         SAY(e->against >= 0 ? HCBR_WORD_ABOUT_SUPPORT : HCBR_WORD_ABOUT_SUPPORT_ONE,
             STRONG(e->label), STRONG(e->against)),
         OURS(" "), WORD(HCBR_WORD_ABOUT_DIVIDED), OURS("</p>\n<table><thead><tr>"),
         HEAD(HCBR_WORD_COLUMN), HEAD(HCBR_WORD_VALUE),
         OURS("<th scope=\"col\" class=\"bar soft\">"), WORD(HCBR_WORD_FROM_TO), OURS("</th>"),
         NUMBER_HEAD(HCBR_WORD_ADDS), OURS("</tr></thead><tbody>\n"));
    put_line(w);
    HTML(w, NULL, WORD(HCBR_WORD_START), OURS("</td>"));
    put_step(w, &whole, &at, l.start, decimals);
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        if (hcbr_i_page_hides(w, c->name, c->name_length))
            continue;
        put_column(w, model, row, c);
        put_step(w, &whole, &at, c->lead, decimals);
    }
    if (l.hidden_count) {
        put_line(w);
        HTML(w, NULL, WORD(HCBR_WORD_HIDDEN_COLUMNS), OURS("</td>"));
        put_step(w, &whole, &at, l.hidden, decimals);
    }
    if (l.more_count) {
        put_line(w);
        HTML(w, model,
             SAY(l.more_count == 1 ? HCBR_WORD_ONE_MORE_COLUMN : HCBR_WORD_MORE_COLUMNS,
                 COUNT(l.more_count)),
             OURS("</td>"));
        put_step(w, &whole, &at, l.more, decimals);
    }
    hcbr_i_html(w, "</tbody><tfoot><tr><th scope=\"row\" colspan=\"2\">");
    put_lead(w, model, e);
    hcbr_i_html(w, "</th>");
    at = 0;
    put_step(w, &whole, &at, e->lead, decimals);
    hcbr_i_html(w, "</tfoot></table></section>\n");
}

/* ---- atoms ----------------------------------------------------------------------------------- */

static const hcbr_explained_atom *atom_at(const hcbr_explanation *e, size_t n) {
    return &e->atoms[n];
}

static void put_atom(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e,
                     const hcbr_explained_atom *a, int decimals) {
    hcbr_i_html(w, "<tr><th scope=\"row\">");
    for (size_t f = 0; f < a->feature_count && f < TESTS; f++) {
        if (f)
            HTML(w, NULL, OURS("<span class=\"soft\">"), WORD(HCBR_WORD_AND), OURS("</span>"));
        hcbr_i_html_feature(w, model, &a->features[f]);
    }
    if (a->feature_count > TESTS)
        HTML(w, model, SAY(HCBR_WORD_AND_MORE, COUNT(a->feature_count - TESTS)));
    hcbr_i_html(w, "</th>");
    hcbr_i_html_cell_named(w, HCBR_WORD_ADDS, a->lead, decimals);
    hcbr_i_html_open_named(w, HCBR_WORD_BEHIND, true);
    if (a->case_count || !e->no_cases)
        hcbr_i_put_u64(w, a->case_count);
    hcbr_i_html(w, "</td></tr>\n");
}

/* Atoms of several features, or of one; the sum of omitted ones; together the lead. */
static void put_atoms(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e,
                      bool several, int decimals) {
    const double bias = hcbr_i_page_bias(e);
    const size_t top = w->page.options.top;
    double rest = e->lead - bias;
    uint64_t left = e->all_atoms;
    size_t shown = 0;
    HTML(w, NULL, OURS("<table class=\"stack\"><thead><tr>"),
         HEAD(several ? HCBR_WORD_COMBINATION : HCBR_WORD_SINGLE), NUMBER_HEAD(HCBR_WORD_ADDS),
         NUMBER_HEAD(HCBR_WORD_BEHIND), OURS("</tr></thead><tbody>\n"));
    for (size_t n = 0; n < e->atom_count; n++) {
        if ((atom_at(e, n)->feature_count > 1) != several || shown++ >= top)
            continue;
        put_atom(w, model, e, atom_at(e, n), decimals);
        rest -= atom_at(e, n)->lead;
        left--;
    }
    hcbr_i_html(w, "</tbody><tfoot>\n");
    if (left)
        HTML(w, model, OURS("<tr><td>"), SAY(HCBR_WORD_ATOMS_OTHER, COUNT(left)), OURS("</td>"),
             SIGNED_CELL(rest, decimals), OURS("<td></td></tr>\n"));
    if (bias != 0)
        HTML(w, NULL, OURS("<tr><td>"), WORD(HCBR_WORD_BIAS), OURS("</td>"),
             SIGNED_CELL(bias, decimals), OURS("<td></td></tr>\n"));
    hcbr_i_html(w, "<tr><th scope=\"row\">");
    put_lead(w, model, e);
    HTML(w, NULL, OURS("</th>"), SIGNED_CELL(e->lead, decimals),
         OURS("<td></td></tr></tfoot></table>\n"));
}

void hcbr_i_page_atoms(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    size_t several = 0;
    double largest = 0;
    for (size_t n = 0; n < e->atom_count; n++) {
        several += atom_at(e, n)->feature_count > 1;
        largest = fmax(largest, fabs(atom_at(e, n)->lead));
    }
    const int decimals = hcbr_i_html_decimals(largest);
    if (e->atom_count == 0)
        return;
    HTML(w, NULL, OURS("<section><h3>"), WORD(HCBR_WORD_COMBINATIONS), OURS("</h3>\n"));
    if (several) {
        put_atoms(w, model, e, true, decimals);
    } else {
        HTML(w, NULL, OURS("<p>"), WORD(HCBR_WORD_NO_COMBINATIONS), OURS("</p>\n"));
    }
    if (several < e->atom_count) {
        HTML(w, NULL, OURS("<details><summary>"), WORD(HCBR_WORD_SINGLE), OURS("</summary>\n"));
        put_atoms(w, model, e, false, decimals);
        hcbr_i_html(w, "</details>\n");
    }
    hcbr_i_html(w, "</section>\n");
}
