/*
 * Past cases on a page: those for and against the answer with their contributions, then each of
 * them compared with the current case, column by column. Also a requested comparison.
 *
 * Invariant: those shown, the others, and the start add up to the lead. Equal, near and different
 * values are marked in words and glyphs.
 */
#include "model/model.h"
#include "render/items.h"
#include "render/pieces.h"

#include <math.h>

enum {
    AT_ONCE = 6, /* columns shown at first */
    LISTED = 8   /* members of a set or text */
};

/* ---- lists ----------------------------------------------------------------------------------- */

void hcbr_i_page_cite(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c) {
    const char *file = w->page.options.past;
    if (c->source) {
        char weight[HCBR_NUMBER_SIZE];
        const size_t length = hcbr_number_format(weight, c->weight);
        HTML(w, model,
             SAY(HCBR_WORD_CITE_BELIEF, DATA(c->source, strlen(c->source)), DATA(weight, length)));
        return;
    }
    if (c->id && !hcbr_i_page_hides_id(w, model))
        HTML(w, model, SAY(HCBR_WORD_CITE_ID, DATA(c->id, c->id_length), COUNT(c->row)));
    else
        HTML(w, model, SAY(HCBR_WORD_CITE, COUNT(c->row)));
    if (file)
        HTML(w, model, SAY(HCBR_WORD_CITE_FILE, DATA(file, strlen(file))));
}

static void put_first_cells(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_case *c) {
    hcbr_i_html(w, "<tr><th scope=\"row\">");
    hcbr_i_page_cite(w, model, c);
    hcbr_i_html(w, "</th>");
    hcbr_i_html_open_named(w, HCBR_WORD_ITS_LABEL, false);
    HTML(w, model, NAMED(c->label), OURS("</td>"));
}

static void put_side(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e,
                     bool against, int decimals) {
    const hcbr_explained_case *cases = against ? e->cases_against : e->cases_for;
    const size_t count = against ? e->against_count : e->for_count;
    HTML(w, model, OURS("<h4>"),
         SAY(against ? HCBR_WORD_CASES_AGAINST : HCBR_WORD_CASES_FOR, STRONG(e->label)),
         OURS("</h4>\n<table class=\"stack\"><thead><tr>"), HEAD(HCBR_WORD_PAST_CASE),
         HEAD(HCBR_WORD_ITS_LABEL), HEAD(HCBR_WORD_HELD_AS), NUMBER_HEAD(HCBR_WORD_ADDS),
         OURS("</tr></thead><tbody>\n"));
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_case *c = &cases[n];
        hcbr_kept_case kept = {.size = sizeof kept};
        hcbr_model_get_kept(model, c->index, &kept);
        put_first_cells(w, model, c);
        hcbr_i_html_open_named(w, HCBR_WORD_HELD_AS, false);
        hcbr_i_say_held(w, model, c->label, kept.held_label, kept.held_probability);
        hcbr_i_html(w, "</td>");
        hcbr_i_html_cell_named(w, HCBR_WORD_ADDS, c->lead, decimals);
        hcbr_i_html(w, "</tr>\n");
    }
    if (count == 0)
        HTML(w, NULL, OURS("<tr><td colspan=\"4\">"), WORD(HCBR_WORD_NONE), OURS("</td></tr>"));
    hcbr_i_html(w, "</tbody></table>\n");
}

static void put_others(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    const bool all = e->other_count == e->all_others;
    const uint32_t labels = hcbr_i_label_count(model);
    if (e->all_others == 0)
        return;
    HTML(w, model, OURS("<h4>"), SAY(HCBR_WORD_OTHERS, COUNT(e->all_others)), OURS("</h4>\n"));
    if (!all)
        return;
    HTML(w, NULL, OURS("<table><caption>"), WORD(HCBR_WORD_OTHERS_CAPTION),
         OURS("</caption><thead><tr>"), HEAD(HCBR_WORD_PAST_CASE), HEAD(HCBR_WORD_ITS_LABEL));
    for (size_t l = 0; l < labels; l++)
        HTML(w, model, OURS("<th scope=\"col\" class=\"n\">"), NAMED((hcbr_label)l), OURS("</th>"));
    hcbr_i_html(w, "</tr></thead><tbody>\n");
    for (size_t n = 0; n < e->other_count; n++) {
        const hcbr_explained_case *c = &e->others[n];
        put_first_cells(w, model, c);
        for (size_t l = 0; l < labels; l++)
            hcbr_i_html_cell(w, c->influence[l]);
        hcbr_i_html(w, "</tr>\n");
    }
    hcbr_i_html(w, "</tbody></table>\n");
}

/* The sum of the contributions shown, and the largest of them. */
static double sum_shown(const hcbr_explanation *e, double *largest) {
    double sum = 0;
    for (size_t n = 0; n < e->for_count; n++)
        sum += e->cases_for[n].lead;
    for (size_t n = 0; n < e->against_count; n++)
        sum += e->cases_against[n].lead;
    *largest = e->for_count ? fabs(e->cases_for->lead) : 0;
    if (e->against_count)
        *largest = fmax(*largest, fabs(e->cases_against->lead));
    return sum;
}

void hcbr_i_page_cases(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    HTML(w, NULL, OURS("<section><h3>"), WORD(HCBR_WORD_PAST_CASES), OURS("</h3>\n"));
    if (e->no_cases) {
        hcbr_i_html(w, "<p>");
        const hcbr_word why =
            model->keep == HCBR_KEEP_NONE ? HCBR_WORD_CASES_NOT_KEPT : HCBR_WORD_CASES_NOT_ASKED;
        HTML(w, model, SAY(HCBR_WORD_CASES_NOT, OURS(hcbr_word_get(why))), OURS("</p>\n"));
    }
    if (model->keep != HCBR_KEEP_FULL)
        HTML(w, NULL, OURS("<p>"), WORD(HCBR_WORD_NEEDS_FULL), OURS("</p>\n"));
    if (!e->no_cases) {
        double largest;
        const double shown = sum_shown(e, &largest), bias = hcbr_i_page_bias(e);
        const int decimals = hcbr_i_html_decimals(largest);
        const uint64_t all = e->all_for + e->all_against;
        HTML(w, model, OURS("<p>"),
             SAY(HCBR_WORD_OF_PAST, COUNT(e->all_for), STRONG(e->label), COUNT(e->all_against),
                 SIGNED(shown), COUNT(all - e->for_count - e->against_count + (e->itself != NULL)),
                 SIGNED(e->lead - bias - shown), SIGNED(bias), SIGNED(e->lead)),
             OURS("</p>\n"));
        put_side(w, model, e, false, decimals);
        put_side(w, model, e, true, decimals);
        put_others(w, model, e);
    }
    hcbr_i_html(w, "</section>\n");
}

/* ---- side by side ---------------------------------------------------------------------------- */

/* A list of values, up to a few. */
static void put_list(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *values,
                     size_t count, size_t name) {
    for (size_t i = 0; i < count && i < LISTED; i++) {
        const hcbr_feature *f = &values[i];
        hcbr_i_html(w, i ? ", " : "");
        if (f->value && f->key_length > name + 1 && name) { // a word of a text
            HTML(w, NULL, OURS("<bdi>"), BARE(f->key + name + 1, f->key_length - name - 1),
                 OURS("</bdi>"));
        } else {
            hcbr_i_html_value(w, model, f);
        }
    }
    if (count > LISTED)
        HTML(w, model, SAY(HCBR_WORD_AND_MORE, COUNT(count - LISTED)));
}

static const hcbr_word ALIKE[] = {HCBR_WORD_SAME, HCBR_WORD_NEAR, HCBR_WORD_DIFFERENT,
                                  HCBR_WORD_ONLY_HERE, HCBR_WORD_ONLY_THERE};

/* Sets and texts: common values, then those of one side only. */
static void put_values(hcbr_writer *w, const hcbr_model *model, const hcbr_compared_column *c,
                       bool there) {
    const hcbr_feature *values = there ? c->there : c->here;
    const size_t count = there ? c->there_count : c->here_count, only = count - c->shared;
    if (count == 0)
        hcbr_i_html_word(w, HCBR_WORD_NOT_THERE);
    if (count == 1)
        put_list(w, model, values, 1, c->name_length);
    if (count < 2)
        return;
    const hcbr_word words[] = {HCBR_WORD_BOTH, there ? HCBR_WORD_ONLY_PAST : HCBR_WORD_ONLY};
    for (int part = 0; part < 2; part++) {
        if ((part ? only : c->shared) == 0)
            continue;
        const char *form = hcbr_word_get(words[part]), *mark = strstr(form, "{0}");
        hcbr_i_html(w, part && c->shared ? "<br/>" : "");
        hcbr_i_put(w, form, (size_t)(mark - form));
        put_list(w, model, values + (part ? c->shared : 0), part ? only : c->shared,
                 c->name_length);
        hcbr_i_html(w, mark + 3);
    }
}

static void put_aligned(hcbr_writer *w, const hcbr_model *model, const hcbr_compared_column *c,
                        int decimals) {
    const double moves = c->lead_here - c->lead_there;
    hcbr_i_html(w, "<tr><th scope=\"row\">");
    if (c->name_length)
        hcbr_i_html_name(w, c->name, c->name_length);
    else
        hcbr_i_html_word(w, HCBR_WORD_FEATURES);
    hcbr_i_html(w, "</th>");
    hcbr_i_html_open_named(w, HCBR_WORD_THIS_CASE, false);
    put_values(w, model, c, false);
    hcbr_i_html(w, "</td>");
    hcbr_i_html_open_named(w, HCBR_WORD_THAT_CASE, false);
    put_values(w, model, c, true);
    hcbr_i_html(w, "</td>");
    hcbr_i_html_open_named(w, HCBR_WORD_ALIKE, false);
    HTML(w, NULL, OURS(c->alike >= HCBR_ALIKE_DIFFERENT ? "<strong>" : "<span>"),
         WORD(ALIKE[c->alike <= HCBR_ALIKE_ONLY_THERE ? c->alike : HCBR_ALIKE_DIFFERENT]),
         OURS(c->alike >= HCBR_ALIKE_DIFFERENT ? "</strong>" : "</span>"), OURS("</td>"));
    hcbr_i_html_cell_named(w, HCBR_WORD_MOVES, moves, decimals);
    hcbr_i_html(w, "</tr>\n");
}

static void put_part(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c,
                     size_t first, size_t last, int decimals) {
    HTML(w, NULL, OURS("<table class=\"beside stack\"><thead><tr>"), HEAD(HCBR_WORD_COLUMN),
         HEAD(HCBR_WORD_THIS_CASE), HEAD(HCBR_WORD_THAT_CASE), HEAD(HCBR_WORD_ALIKE),
         NUMBER_HEAD(HCBR_WORD_MOVES), OURS("</tr></thead><tbody>\n"));
    for (size_t n = first; n < last; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        if (!hcbr_i_page_hides(w, k->name, k->name_length))
            put_aligned(w, model, k, decimals);
    }
    hcbr_i_html(w, "</tbody></table>\n");
}

void hcbr_i_page_aligned(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c,
                         size_t top) {
    const size_t shown = c->column_count < top ? c->column_count : top;
    double largest = fabs(c->rest);
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        largest = fmax(largest, fabs(k->lead_here - k->lead_there));
    }
    const int decimals = hcbr_i_html_decimals(largest);
    put_part(w, model, c, 0, shown, decimals);
    if (shown < c->column_count) {
        HTML(w, model, OURS("<details><summary>"),
             SAY(HCBR_WORD_ALL_COLUMNS, COUNT(c->column_count)), OURS("</summary>\n"));
        put_part(w, model, c, shown, c->column_count, decimals);
        hcbr_i_html(w, "</details>\n");
    }
    HTML(w, model, OURS("<p class=\"soft\">"),
         SAY(HCBR_WORD_LEADS, SIGNED(c->lead_here), SIGNED(c->lead_there), SIGNED(c->rest)),
         OURS("</p>\n"));
}

/* ---- the past cases of an explanation -------------------------------------------------------- */

/* The contribution of a past case in an explanation. */
typedef struct past {
    uint64_t index;
    double lead;
} past;

/* The past cases that are shown, which outlive the explanation; NULL: no memory. */
static past *list_past(const hcbr_writer *w, const hcbr_explanation *e, size_t *count) {
    const size_t most = w->page.options.beside;
    past *list = hcbr_i_alloc(e->for_count + e->against_count, sizeof *list);
    *count = 0;
    for (size_t n = 0; list && n < e->for_count && n < most; n++) {
        const hcbr_explained_case *c = &e->cases_for[n];
        list[(*count)++] = (past){c->index, c->lead};
    }
    for (size_t n = 0; list && n < e->against_count && n < most; n++) {
        const hcbr_explained_case *c = &e->cases_against[n];
        list[(*count)++] = (past){c->index, c->lead};
    }
    return list;
}

typedef void write_fn(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c,
                      double lead);

/* Words of a past case with a part, as those of an explanation. */
static void put_past_texts(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    const hcbr_page_options *o = &w->page.options;
    const size_t all = c->shared + c->only_here + c->only_there;
    for (size_t n = 0; o->past_text && !c->past->source && n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        const char *text;
        size_t length, count = 0;
        if (!hcbr_i_is_text_column(model, k->name, k->name_length) ||
            hcbr_i_page_hides(w, k->name, k->name_length) ||
            !o->past_text(o->text_context, c->past->row, k->name, k->name_length, &text, &length))
            continue;
        hcbr_explained_word *words = hcbr_i_alloc(all, sizeof *words);
        for (size_t f = 0; words && f < all; f++) {
            const hcbr_compared_feature *x = &c->features[f];
            if (x->feature.key_length > k->name_length + 1 &&
                memcmp(x->feature.key, k->name, k->name_length) == 0)
                words[count++] = (hcbr_explained_word){x->feature.key, x->feature.key_length,
                                                       k->name_length, x->there, 1};
        }
        hcbr_i_page_text(w, words, count, k->name, k->name_length, text, length);
        hcbr_i_free(words);
    }
}

static void write_html(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c,
                       double lead) {
    hcbr_i_html(w, "<section><h4>");
    hcbr_i_page_cite(w, model, c->past);
    HTML(w, model, OURS(": "), NAMED(c->past->label), OURS(" ("), SIGNED(lead),
         OURS(")</h4>\n<p>"));
    hcbr_i_say_apart(w, model, c);
    hcbr_i_html(w, "</p>\n");
    put_past_texts(w, model, c);
    hcbr_i_page_aligned(w, model, c, AT_ONCE);
    hcbr_i_html(w, "</section>\n");
}

static hcbr_status write_beside(hcbr_writer *w, const hcbr_model *model,
                                const hcbr_explained_row *row, write_fn *write, hcbr_error *err) {
    size_t past_count;
    past *list = list_past(w, row->explanation, &past_count);
    hcbr_status st = list ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t n = 0; st == HCBR_OK && n < past_count; n++) {
        hcbr_comparison c = {.size = sizeof c};
        st = hcbr_explainer_compare(row->explainer, row->row, list[n].index, 0, &c, err);
        if (st == HCBR_OK)
            write(w, model, &c, list[n].lead);
    }
    hcbr_i_free(list);
    return st;
}

hcbr_status hcbr_i_html_beside(hcbr_writer *w, const hcbr_model *model,
                               const hcbr_explained_row *row, hcbr_error *err) {
    const hcbr_explanation *e = row->explanation;
    if (e->label < 0 || e->no_cases || e->for_count + e->against_count == 0)
        return HCBR_OK;
    HTML(w, NULL, OURS("<section><h3>"), WORD(HCBR_WORD_BESIDE), OURS("</h3>\n"));
    hcbr_status st = write_beside(w, model, row, write_html, err);
    hcbr_i_html(w, "</section>\n");
    return st;
}

static void write_json(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c,
                       double lead) {
    PUT(w, OPEN(NULL, '{'), c->past->source ? NONE("row") : U64("row", c->past->row));
    if (c->past->source)
        hcbr_i_json_belief(w, c->past->source, c->past->weight);
    PUT(w, NUMBER("lead", lead));
    hcbr_i_json_aligned(w, model, c);
    PUT(w, CLOSE('}'));
}

hcbr_status hcbr_i_json_beside(hcbr_writer *w, const hcbr_model *model,
                               const hcbr_explained_row *row, hcbr_error *err) {
    const hcbr_explanation *e = row->explanation;
    PUT(w, OPEN("beside", '['));
    hcbr_status st =
        e->label < 0 || e->no_cases ? HCBR_OK : write_beside(w, model, row, write_json, err);
    PUT(w, CLOSE(']'));
    return st;
}

/* ---- the requested comparison ---------------------------------------------------------------- */

/* Features of a comparison from number `first` on. */
static void put_features(hcbr_writer *w, const hcbr_model *model, hcbr_word title,
                         const hcbr_comparison *c, size_t first, size_t count, size_t top) {
    size_t shown = count < top ? count : top;
    HTML(w, NULL, OURS("<table><caption>"), WORD(title), OURS(": "), WHOLE(count),
         OURS("</caption><thead><tr>"), HEAD(HCBR_WORD_VALUE), NUMBER_HEAD(HCBR_WORD_HERE),
         NUMBER_HEAD(HCBR_WORD_THERE), NUMBER_HEAD(HCBR_WORD_MOVES),
         OURS("</tr></thead><tbody>\n"));
    for (size_t n = first; n < first + shown; n++) {
        const hcbr_compared_feature *f = &c->features[n];
        HTML(w, model, OURS("<tr><th scope=\"row\">"), TEST(&f->feature), OURS("</th>"),
             CELL(f->here), CELL(f->there), CELL(f->here - f->there), OURS("</tr>\n"));
    }
    hcbr_i_html(w, "</tbody>");
    if (shown < count) {
        double rest = 0;
        for (size_t n = first + shown; n < first + count; n++) {
            const hcbr_compared_feature *f = &c->features[n];
            rest += f->here - f->there;
        }
        HTML(w, model, OURS("<tfoot><tr><td colspan=\"3\">"),
             SAY(HCBR_WORD_ATOMS_OTHER, COUNT(count - shown)), OURS("</td>"), CELL(rest),
             OURS("</tr></tfoot>"));
    }
    hcbr_i_html(w, "</table>\n");
}

void hcbr_i_html_comparison(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    const size_t top = w->page.options.top;
    HTML(w, NULL, OURS("<section><h3>"), WORD(HCBR_WORD_BESIDE), OURS(": "));
    hcbr_i_page_cite(w, model, c->past);
    HTML(w, model, OURS(" ("), NAMED(c->past->label), OURS(")</h3>\n<p>"),
         SAY(HCBR_WORD_VERSUS_ADDS, SIGNED(c->past->lead)), OURS(" "));
    if (c->past_empty)
        hcbr_i_html_word(w, HCBR_WORD_VERSUS_EMPTY);
    else
        hcbr_i_say_apart(w, model, c);
    hcbr_i_html(w, "</p>\n");
    put_past_texts(w, model, c);
    hcbr_i_page_aligned(w, model, c, top);
    HTML(w, NULL, OURS("<details><summary>"), WORD(HCBR_WORD_EACH_VALUE), OURS("</summary>\n"));
    put_features(w, model, HCBR_WORD_IN_BOTH, c, 0, c->shared, top);
    put_features(w, model, HCBR_WORD_ONLY_HERE, c, c->shared, c->only_here, top);
    put_features(w, model, HCBR_WORD_ONLY_THERE, c, c->shared + c->only_here, c->only_there, top);
    hcbr_i_html(w, "</details>\n</section>\n");
}
