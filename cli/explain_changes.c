/*
 * hcbr explain for people: what another case, other features or missing ones would change. A case
 * beside a past case (--versus), column by column, what would change the answer (--flip), what is
 * still to be asked
 * (--ask).
 */
#include "cell.h"
#include "explaining.h"

#include <math.h>
#include <stdio.h>

enum { NAME_WIDTH = 48, NUMBER_WIDTH = 12 };

static void put_feature(explaining *x, const hcbr_feature *f, size_t columns) {
    hcbr_cell c = {.used = 0};
    hcbr_cell_add_shown(&c, x->model, f, columns);
    out_bytes(x->out, c.text, c.used);
}

/* ---- --versus -------------------------------------------------------------------------------- */

/* A feature of a comparison. */
static const hcbr_compared_feature *compared_at(const hcbr_comparison *c, size_t n) {
    return hcbr_at(c->features, c->feature_stride, n);
}

static void put_part(explaining *x, const char *title, const hcbr_comparison *both, size_t first,
                     size_t count, int decimals) {
    out *o = x->out;
    size_t shown = count < x->options.groups ? count : x->options.groups;
    double moves = 0;
    char text[64];
    for (size_t n = 0; n < count; n++) {
        const hcbr_compared_feature *f = compared_at(both, first + n);
        moves += f->here - f->there;
    }
    int length = snprintf(text, sizeof text, "%s: %zu", title, count);
    put_text(o, text, (size_t)length, NAME_WIDTH, false);
    put_text(o, "", 0, 2 * NUMBER_WIDTH, true);
    explain_put_signed(x, moves, decimals);
    out_row(o);
    for (size_t n = 0; n < shown; n++) {
        const hcbr_compared_feature *f = compared_at(both, first + n);
        if (explain_hides(x, f->feature.key, f->feature.key_length))
            continue;
        hcbr_cell c = {.used = 0};
        hcbr_cell_add(&c, "  ", 2, NAME_WIDTH);
        if (!hcbr_cell_add_shown(&c, x->model, &f->feature, NAME_WIDTH - 4))
            hcbr_cell_add(&c, "...", 3, NAME_WIDTH - 1);
        put_cell(o, &c, NAME_WIDTH, false);
        explain_put_signed(x, f->here, decimals);
        explain_put_signed(x, f->there, decimals);
        explain_put_signed(x, f->here - f->there, decimals);
        out_string(o, f->known ? "" : "  never seen");
        out_row(o);
    }
    if (shown < count) {
        out_string(o, "  ");
        out_u64(o, count - shown);
        out_string(o, " more (--top, --all)");
        out_row(o);
    }
}

/* Has a column several values, as sets and texts have? */
static bool has_several(const hcbr_comparison *c) {
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = hcbr_at(c->columns, c->column_stride, n);
        if (k->here_count > 1 || k->there_count > 1)
            return true;
    }
    return false;
}

/* What each feature moves: of both cases, of one of them. */
static void put_features(explaining *x, const hcbr_comparison *c) {
    out *o = x->out;
    double largest = 0;
    for (size_t n = 0; n < c->shared + c->only_here + c->only_there; n++) {
        const hcbr_compared_feature *f = compared_at(c, n);
        largest = fmax(largest, fmax(fabs(f->here), fabs(f->there)));
    }
    const int decimals = decimals_for(largest);
    hcbr_cell head = {.used = 0};
    label_facts label = explain_label(x, c->label);
    hcbr_cell_add(&head, "  what it adds for ", 19, NAME_WIDTH);
    hcbr_cell_add_cut(&head, label.name, label.name_length, NAME_WIDTH);
    put_cell(o, &head, NAME_WIDTH, false);
    put_text(o, "here", 4, NUMBER_WIDTH, true);
    put_text(o, "there", 5, NUMBER_WIDTH, true);
    put_text(o, "moves", 5, NUMBER_WIDTH, true);
    out_row(o);
    put_part(x, "in both", c, 0, c->shared, decimals);
    put_part(x, "only here", c, c->shared, c->only_here, decimals);
    put_part(x, "only there", c, c->shared + c->only_here, c->only_there, decimals);
}

void explain_versus_text(explaining *x, const hcbr_comparison *c) {
    out *o = x->out;
    char text[64];
    out_row(o);
    out_string(o, "beside row ");
    out_u64(o, c->past->row);
    if (c->past->id && !explain_hides_id(x)) {
        out_string(o, ", ");
        out_text(o, c->past->id, c->past->id_length);
    }
    out_string(o, " (");
    explain_put_label(x, c->past->label);
    out_string(o, "), which adds ");
    out_bytes(o, text, (size_t)snprintf(text, sizeof text, "%+.4g", c->past->lead));
    out_string(o, " to the lead");
    if (c->past_empty)
        out_string(o, "; it is empty: it shares nothing and has no lead of its own");
    out_row(o);
    explain_columns_text(x, c, x->options.groups);
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
        out_string(o, c->added.key ? "with " : "without ");
        put_feature(x, c->added.key ? &c->added : &c->removed, 60);
    }
}

/* A probability as people write it: never 0 or 100 % where it is not. */
static void put_chance(out *o, double p) {
    char text[HCBR_CHANCE_SIZE];
    out_bytes(o, text, hcbr_chance_format(text, p));
}

void explain_flip_text(explaining *x, const hcbr_flips *f) {
    out *o = x->out;
    out_row(o);
    if (f->count == 0) {
        char text[HCBR_NOT_FOUND_SIZE];
        hcbr_flips_not_found(f, text);
        out_said(o, text);
        out_row(o);
        return;
    }
    size_t changes = f->flips->count;
    out_string(o, "another answer takes ");
    out_u64(o, changes);
    out_string(o, changes == 1 ? " change" : " changes");
    out_string(o, f->bounded ? " of what may change" : "");
    out_string(o, f->exact     ? "; fewer do not"
                  : f->limited ? "; perhaps fewer do (--flip-limit)"
                               : "; perhaps fewer do");
    out_row(o);
    for (size_t n = 0; n < f->count; n++) {
        const hcbr_flip *flip = hcbr_at(f->flips, f->flip_stride, n);
        out_string(o, "  ");
        explain_put_label(x, flip->label);
        out_string(o, " (");
        if (flip->probability && flip->label >= 0) {
            out_string(o, "chance ");
            put_chance(o, flip->probability[flip->label]);
            out_string(o, ", ");
        }
        out_string(o, "lead ");
        out_rounded(o, flip->lead);
        if (flip->winner != flip->label) {
            out_string(o, "; the largest support is for ");
            explain_put_label(x, flip->winner);
        }
        out_string(o, "): ");
        for (size_t k = 0; k < flip->count; k++) {
            if (k > 0)
                out_string(o, "; ");
            put_change(x, &flip->changes[k]);
        }
        out_row(o);
    }
}

/* ---- --ask ----------------------------------------------------------------------------------- */

static void put_outcome(explaining *x, const hcbr_possible_value *a, int decimals) {
    label_facts label = explain_label(x, a->label);
    hcbr_cell c = {.used = 0};
    hcbr_cell_add(&c, "    ", 4, NAME_WIDTH);
    if (!hcbr_cell_add_shown(&c, x->model, &a->feature, NAME_WIDTH - 4))
        hcbr_cell_add(&c, "...", 3, NAME_WIDTH - 1);
    put_cell(x->out, &c, NAME_WIDTH, false);
    explain_put_signed(x, a->lead, decimals);
    out_string(x->out, "  ");
    out_text(x->out, label.name, label.name_length);
    out_row(x->out);
}

void explain_ask_text(explaining *x, const hcbr_questions *q) {
    out *o = x->out;
    char text[96];
    int length;
    out_row(o);
    if (q->all == 0) {
        out_string(o, "nothing is left to ask: the case has a value of every key");
        out_row(o);
        return;
    }
    length =
        snprintf(text, sizeof text, "worth asking first (of %llu)", (unsigned long long)q->all);
    put_text(o, text, (size_t)length, NAME_WIDTH, false);
    put_text(o, "lead moves by", 13, NUMBER_WIDTH, true);
    out_string(o, "  another answer");
    out_row(o);
    double largest = q->lead < 0 ? -q->lead : q->lead;
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = hcbr_at(q->questions, q->question_stride, n);
        double low = open->lowest->lead;
        largest = low > largest ? low : -low > largest ? -low : largest;
    }
    int decimals = decimals_for(largest);
    for (size_t n = 0; n < q->count; n++) {
        const hcbr_question *open = hcbr_at(q->questions, q->question_stride, n);
        const hcbr_feature *f = &open->lowest->feature;
        hcbr_cell c = {.used = 0};
        hcbr_cell_add(&c, "  ", 2, NAME_WIDTH);
        hcbr_cell_add_cut(&c, f->key, f->key_length, NAME_WIDTH);
        put_cell(o, &c, NAME_WIDTH, false);
        put_number(o, open->expected, decimals, NUMBER_WIDTH);
        out_string(o, "  in ");
        put_chance(o, open->chance);
        out_string(o, " of the past cases");
        out_row(o);
        put_outcome(x, open->lowest, decimals);
        if (open->values > 1)
            put_outcome(x, open->highest, decimals);
    }
}
