/*
 * hcbr explain as text: the effect of another case, other features or missing ones. A comparison
 * with a past case (--versus), column by column, changes of the answer (--flip), open questions
 * (--ask).
 */
#include "cell.h"
#include "explaining.h"

#include <math.h>
#include <stdio.h>

enum { NAME_WIDTH = 44, ASK_WIDTH = 36, NUMBER_WIDTH = 12 };

static void put_feature(explaining *x, const hcbr_feature *f, size_t columns) {
    hcbr_cell c = {.used = 0};
    explain_add_feature(x, &c, f, columns);
    out_bytes(x->out, c.text, c.used);
}

/* ---- --versus -------------------------------------------------------------------------------- */

static void put_part(explaining *x, hcbr_word title, const hcbr_comparison *both, size_t first,
                     size_t count, int decimals) {
    out *o = x->out;
    size_t shown = count < x->options.atoms ? count : x->options.atoms;
    double moves = 0;
    char text[64];
    for (size_t n = 0; n < count; n++) {
        const hcbr_compared_feature *f = &both->features[first + n];
        moves += f->here - f->there;
    }
    int length = snprintf(text, sizeof text, "%s: %zu", hcbr_word_get(title), count);
    put_text(o, text, (size_t)length, NAME_WIDTH, false);
    put_text(o, "", 0, 2 * NUMBER_WIDTH, true);
    explain_put_signed(x, moves, decimals);
    out_row(o);
    for (size_t n = 0; n < shown; n++) {
        const hcbr_compared_feature *f = &both->features[first + n];
        hcbr_cell c = {.used = 0};
        hcbr_cell_add(&c, "  ", 2, NAME_WIDTH);
        if (!explain_add_feature(x, &c, &f->feature, NAME_WIDTH - 4))
            hcbr_cell_add(&c, "...", 3, NAME_WIDTH - 1);
        put_cell(o, &c, NAME_WIDTH, false);
        explain_put_signed(x, f->here, decimals);
        explain_put_signed(x, f->there, decimals);
        explain_put_signed(x, f->here - f->there, decimals);
        out_string(o, f->known ? "" : hcbr_word_get(HCBR_WORD_NEVER_LINE));
        out_row(o);
    }
    if (shown < count)
        explain_say_line(x, HCBR_WORD_MORE_LINE, "us", (uint64_t)(count - shown), "--top, --all");
}

/* Whether a column has several values, as sets and texts have. */
static bool has_several(const hcbr_comparison *c) {
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        if (k->here_count > 1 || k->there_count > 1)
            return true;
    }
    return false;
}

/* The effect of each feature: of both cases, of one of them. */
static void put_features(explaining *x, const hcbr_comparison *c) {
    out *o = x->out;
    double largest = 0;
    for (size_t n = 0; n < c->shared + c->only_here + c->only_there; n++) {
        const hcbr_compared_feature *f = &c->features[n];
        largest = fmax(largest, fmax(fabs(f->here), fabs(f->there)));
    }
    const int decimals = decimals_for(largest);
    explain_put_word(x, HCBR_WORD_ADDS_FOR_LINE, c->label, NAME_WIDTH, false);
    explain_put_word(x, HCBR_WORD_HERE_LINE, c->label, NUMBER_WIDTH, true);
    explain_put_word(x, HCBR_WORD_THERE_LINE, c->label, NUMBER_WIDTH, true);
    explain_put_word(x, HCBR_WORD_MOVES_LINE, c->label, NUMBER_WIDTH, true);
    out_row(o);
    put_part(x, HCBR_WORD_IN_BOTH, c, 0, c->shared, decimals);
    put_part(x, HCBR_WORD_ONLY_HERE, c, c->shared, c->only_here, decimals);
    put_part(x, HCBR_WORD_ONLY_THERE, c, c->shared + c->only_here, c->only_there, decimals);
}

void explain_versus_text(explaining *x, const hcbr_comparison *c) {
    out *o = x->out;
    out_row(o);
    const size_t mark = out_mark(o);
    if (c->past->source) {
        explain_say(x, HCBR_WORD_BESIDE_STATED, "");
        out_text(o, c->past->source, strlen(c->past->source));
        explain_say(x, HCBR_WORD_STATED_WEIGHT, "r", c->past->weight);
    } else {
        explain_say(x, HCBR_WORD_BESIDE_LINE, "u", c->past->row);
    }
    if (c->past->id && !explain_hides_id(x)) {
        out_string(o, ", ");
        out_text(o, c->past->id, c->past->id_length);
    }
    explain_say(x, HCBR_WORD_WHICH_ADDS_LINE, "l+", c->past->label, c->past->lead);
    if (c->past_empty)
        out_string(o, hcbr_word_get(HCBR_WORD_EMPTY_LINE));
    out_row(o);
    out_wrap(o, mark, x->columns, 0);
    out_style(o, mark, OUT_BOLD);
    explain_columns_text(x, c, x->options.atoms);
    explain_versus_sums(x, c);
    if (has_several(c))
        put_features(x, c);
}

/* ---- --flip ---------------------------------------------------------------------------------- */

static void put_change(explaining *x, const hcbr_change *c) {
    out *o = x->out;
    if (c->removed.key && c->added.key) {
        put_feature(x, &c->removed, 60);
        out_string(o, " -> ");
        put_feature(x, &c->added, 60);
    } else {
        out_string(o, hcbr_word_get(c->added.key ? HCBR_WORD_WITH : HCBR_WORD_WITHOUT));
        put_feature(x, c->added.key ? &c->added : &c->removed, 60);
    }
}

void explain_flip_text(explaining *x, const hcbr_flips *f) {
    out *o = x->out;
    out_row(o);
    if (f->count == 0) {
        hcbr_writer *w;
        hcbr_error err = {0};
        const size_t mark = out_mark(o);
        if (hcbr_writer_create(&w, NULL, NULL, &err) == HCBR_OK &&
            hcbr_write_flips(w, HCBR_TEXT, x->model, f, &err) == HCBR_OK)
            out_said(o, hcbr_writer_get(w, NULL));
        else
            x->code = term_fail(&x->term, &err);
        hcbr_writer_free(w);
        out_row(o);
        out_wrap(o, mark, x->columns, 0);
        return;
    }
    size_t changes = f->flips->count, mark = out_mark(o);
    explain_say(x, changes == 1 ? HCBR_WORD_TAKES_ONE : HCBR_WORD_TAKES, "u", (uint64_t)changes);
    out_string(o, f->bounded ? hcbr_word_get(HCBR_WORD_OF_WHAT_MAY) : "");
    explain_say_line(x,
                     f->exact     ? HCBR_WORD_FEWER_NOT
                     : f->limited ? HCBR_WORD_FEWER_LIMIT
                                  : HCBR_WORD_FEWER_PERHAPS,
                     "s", "--flip-limit");
    out_wrap(o, mark, x->columns, 0);
    out_style(o, mark, OUT_BOLD);
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = &f->flips[n];
        mark = out_mark(o);
        out_string(o, "  ");
        explain_put_label(x, flip->label);
        out_string(o, " (");
        if (flip->probability && flip->label >= 0)
            explain_say(x, HCBR_WORD_FLIP_CHANCE, "p", flip->probability[flip->label]);
        explain_say(x, HCBR_WORD_FLIP_LEAD, "r", flip->lead);
        if (flip->winner != flip->label)
            explain_say(x, HCBR_WORD_FLIP_LARGEST, "l", flip->winner);
        out_string(o, "): ");
        for (size_t k = 0; k < flip->count; k++) {
            if (k > 0)
                out_string(o, "; ");
            put_change(x, &flip->changes[k]);
        }
        out_row(o);
        out_wrap(o, mark, x->columns, 2);
    }
}

/* ---- --ask ----------------------------------------------------------------------------------- */

static void put_outcome(explaining *x, const hcbr_possible_value *a, int decimals) {
    label_facts label = explain_label(x, a->label);
    hcbr_cell c = {.used = 0};
    hcbr_cell_add(&c, "    ", 4, ASK_WIDTH);
    if (!explain_add_feature(x, &c, &a->feature, ASK_WIDTH - 4))
        hcbr_cell_add(&c, "...", 3, ASK_WIDTH - 1);
    put_cell(x->out, &c, ASK_WIDTH, false);
    explain_put_signed(x, a->lead, decimals);
    out_string(x->out, "  ");
    out_text(x->out, label.name, label.name_length);
    out_row(x->out);
}

void explain_ask_text(explaining *x, const hcbr_questions *q) {
    out *o = x->out;
    out_row(o);
    if (q->all == 0) {
        explain_say_line(x, HCBR_WORD_ASK_NOTHING, "");
        return;
    }
    if (q->count == 0 && x->page.top > 0) {
        explain_say_line(x, HCBR_WORD_ASK_NONE_MOVES, "u", q->all);
        return;
    }
    const size_t mark = out_mark(o);
    explain_put_count(x, HCBR_WORD_ASK_FIRST, q->all, "", ASK_WIDTH);
    explain_put_word(x, HCBR_WORD_ASK_MOVES, HCBR_LABEL_UNKNOWN, NUMBER_WIDTH + 1, true);
    explain_say_line(x, HCBR_WORD_ASK_OTHER, "");
    out_style(o, mark, OUT_BOLD);
    double largest = q->lead < 0 ? -q->lead : q->lead;
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = &q->questions[n];
        double low = open->lowest->lead;
        largest = low > largest ? low : -low > largest ? -low : largest;
    }
    int decimals = decimals_for(largest);
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = &q->questions[n];
        const hcbr_feature *f = &open->lowest->feature;
        hcbr_cell c = {.used = 0};
        hcbr_cell_add(&c, "  ", 2, ASK_WIDTH);
        if (explain_hides_feature(x, f))
            explain_add_feature(x, &c, f, ASK_WIDTH);
        else
            hcbr_cell_add_cut(&c, f->key, f->key_length, ASK_WIDTH);
        put_cell(o, &c, ASK_WIDTH, false);
        put_number(o, open->expected, decimals, NUMBER_WIDTH);
        explain_say_line(x, HCBR_WORD_ASK_SHARE, "h", open->chance);
        put_outcome(x, open->lowest, decimals);
        if (open->values > 1)
            put_outcome(x, open->highest, decimals);
    }
}
