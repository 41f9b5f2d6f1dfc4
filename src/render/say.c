/*
 * Sentences: words of the table with names and numbers filled in, for a page or a terminal.
 * Sentences about an answer are the same for both.
 */
#include "model/model.h"
#include "render/pieces.h"
#include "render/report.h"

#include <math.h>

enum {
    NAMED = 3 /* columns in a sentence */
};

/* A word, with pieces for {0}, {1}, ... */
static void put_sentence(hcbr_writer *w, const hcbr_model *model, hcbr_word word,
                         const hcbr_i_piece *pieces) {
    for (const char *at = hcbr_word_get(word); *at; at++)
        if (at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}') {
            hcbr_i_put_pieces(w, model, &pieces[at[1] - '0'], 1);
            at += 2;
        } else {
            hcbr_i_put_byte(w, *at);
        }
}

static void put_piece(hcbr_writer *w, const hcbr_model *model, const hcbr_i_piece *p) {
    const bool plain = w->page.plain;
    char text[HCBR_NUMBER_SIZE], share[HCBR_PERCENT_SIZE];
    switch (p->kind) {
    case HCBR_I_PIECE_OURS:
        hcbr_i_html(w, p->at);
        break;
    case HCBR_I_PIECE_DATA:
        hcbr_i_html(w, plain ? "" : "<bdi>");
        hcbr_i_html_data(w, p->at, p->length);
        hcbr_i_html(w, plain ? "" : "</bdi>");
        break;
    case HCBR_I_PIECE_BARE:
        hcbr_i_html_data(w, p->at, p->length);
        break;
    case HCBR_I_PIECE_STRONG:
        hcbr_i_html(w, plain ? "" : "<strong>");
        hcbr_i_html_label(w, model, p->number);
        hcbr_i_html(w, plain ? "" : "</strong>");
        break;
    case HCBR_I_PIECE_NAMED:
        hcbr_i_html_label(w, model, p->number);
        break;
    case HCBR_I_PIECE_TEST:
        hcbr_i_html_feature(w, model, p->at);
        break;
    case HCBR_I_PIECE_VALUE:
        hcbr_i_html_value(w, model, p->at);
        break;
    case HCBR_I_PIECE_HEADED:
        hcbr_i_html_name(w, p->at, p->length);
        break;
    case HCBR_I_PIECE_WHOLE:
        hcbr_i_put_u64(w, p->length);
        break;
    case HCBR_I_PIECE_SIGNED:
        hcbr_i_html_number(w, p->value);
        break;
    case HCBR_I_PIECE_FIGURE:
        hcbr_i_put(w, text, hcbr_i_figure_say(text, p->value, 0));
        break;
    case HCBR_I_PIECE_SHARE:
    case HCBR_I_PIECE_CHANCE:
        hcbr_percent_say(share, p->value, p->kind == HCBR_I_PIECE_SHARE);
        hcbr_i_html(w, share);
        break;
    case HCBR_I_PIECE_CELL:
        if (p->number < 0)
            hcbr_i_html_cell(w, p->value);
        else
            hcbr_i_html_cell_signed(w, p->value, p->number);
        break;
    case HCBR_I_PIECE_HEAD:
        hcbr_i_html_head(w, (hcbr_word)p->number, p->right);
        break;
    case HCBR_I_PIECE_NODE:
        hcbr_i_report_text(w, p->at);
        break;
    case HCBR_I_PIECE_PERCENT:
        hcbr_i_report_percent(w, p->value);
        break;
    case HCBR_I_PIECE_ROUNDED:
        hcbr_i_report_number(w, p->value, p->number);
        break;
    case HCBR_I_PIECE_ROUND_CELL:
        hcbr_i_report_cell(w, p->value, p->number);
        break;
    case HCBR_I_PIECE_SAY:
        put_sentence(w, model, (hcbr_word)p->number, p->at);
    }
}

void hcbr_i_put_pieces(hcbr_writer *w, const hcbr_model *model, const hcbr_i_piece *pieces,
                       size_t count) {
    for (size_t n = 0; n < count; n++)
        put_piece(w, model, &pieces[n]);
}

/* ---- an answer ------------------------------------------------------------------------------- */

/* Held-out cases that got the same answer with a probability like this one. */
static void say_how_often(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    hcbr_how_often h = {.size = sizeof h};
    if (!hcbr_decision_how_often(model, d, &h)) {
        hcbr_i_html_word(w, d->own_rule ? HCBR_WORD_HOW_OFTEN_NOT : HCBR_WORD_HOW_OFTEN_RULE);
        return;
    }
    const bool all = !d->probability, one = h.cases == 1;
    HTML(w, model,
         SAY(!(h.cases > 0) ? (all ? HCBR_WORD_HOW_OFTEN_NEVER : HCBR_WORD_HOW_OFTEN_NONE)
             : h.enough     ? (all ? HCBR_WORD_HOW_OFTEN_ALL : HCBR_WORD_HOW_OFTEN)
             : one          ? (all ? HCBR_WORD_HOW_OFTEN_ALL_ONE : HCBR_WORD_HOW_OFTEN_ONE)
                            : (all ? HCBR_WORD_HOW_OFTEN_ALL_FEW : HCBR_WORD_HOW_OFTEN_FEW),
             COUNT(h.cases), STRONG(d->label), COUNT(h.right),
             SHARE(h.cases > 0 ? h.right / h.cases : 0), SHARE(h.from), SHARE(h.to)));
}

static void say_threshold(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                          const char *open, const char *close) {
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    if (info.by_cost || info.has_cut) {
        hcbr_i_html(w, open);
        if (info.by_cost)
            hcbr_i_html_word(w, HCBR_WORD_THRESHOLD_COST);
        else
            HTML(w, model,
                 SAY(HCBR_WORD_THRESHOLD_CUT, STRONG(1), FIGURE(info.cut_high), STRONG(0),
                     FIGURE(info.cut_low)));
        hcbr_i_html(w, close);
        return;
    }
    const hcbr_label label = d->label >= 0 ? d->label : d->winner;
    hcbr_label_info of = {.size = sizeof of};
    if (label < 0)
        return;
    hcbr_model_get_label_info(model, label, &of);
    if (!(of.eta > 0))
        return;
    hcbr_i_html(w, open);
    if (d->probability)
        HTML(w, model, SAY(HCBR_WORD_THRESHOLD, STRONG(label), CHANCE(of.eta)));
    else
        HTML(w, model, SAY(HCBR_WORD_THRESHOLD_SUPPORT, STRONG(label), FIGURE(of.eta)));
    hcbr_i_html(w, close);
}

/* The most probable label other than one. */
static hcbr_label next_label(const hcbr_decision *d, hcbr_label but) {
    hcbr_label best = HCBR_LABEL_UNKNOWN;
    for (size_t l = 0; l < d->label_count; l++)
        if ((hcbr_label)l != but && (best < 0 || d->probability[l] > d->probability[best]))
            best = (hcbr_label)l;
    return best;
}

static void say_given(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d) {
    size_t length = 0;
    const char *name = d->label >= 0 ? hcbr_model_get_label(model, d->label, &length) : NULL;
    if (!d->given)
        return;
    hcbr_i_html(w, " ");
    if (name && length == d->given_length && memcmp(name, d->given, length) == 0)
        hcbr_i_html_word(w, HCBR_WORD_DATA_AGREES);
    else
        HTML(w, model, SAY(HCBR_WORD_DATA_SAYS, DATA(d->given, d->given_length)));
}

void hcbr_i_say_answer(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                       const char *open, const char *close) {
    const bool probable = d->probability && d->label_count > 1 && d->winner >= 0;
    const hcbr_label told = d->label >= 0 ? d->label : d->winner;
    const char *how = hcbr_i_decision_turned(d);
    const bool by_rule = d->reason != HCBR_BY_SUPPORT && !how;
    hcbr_i_html(w, open);
    if (d->label >= 0 && probable)
        HTML(w, model,
             SAY(HCBR_WORD_ANSWER_SURE, STRONG(d->label), CHANCE(d->probability[d->label])));
    else if (d->label >= 0)
        HTML(w, model, SAY(HCBR_WORD_ANSWER, STRONG(d->label)));
    else if (probable)
        HTML(w, model,
             SAY(HCBR_WORD_NO_ANSWER_SURE, STRONG(d->winner), CHANCE(d->probability[d->winner])));
    else if (by_rule)
        HTML(w, model, SAY(HCBR_WORD_NO_ANSWER_WHY, OURS(hcbr_i_reason_word(d->reason))));
    else
        hcbr_i_html_word(w, HCBR_WORD_NO_ANSWER);
    if (probable) {
        const hcbr_label next = next_label(d, told);
        HTML(w, model, OURS(" "), SAY(HCBR_WORD_NEXT, STRONG(next), CHANCE(d->probability[next])));
    }
    say_given(w, model, d);
    hcbr_i_html(w, close);
    if (by_rule && d->label >= 0)
        HTML(w, model, OURS(open), SAY(HCBR_WORD_BY_RULE, OURS(hcbr_i_reason_word(d->reason))),
             OURS(close));
    if (how)
        HTML(w, model, OURS(open),
             SAY(d->label >= 0 ? HCBR_WORD_TURNED : HCBR_WORD_TURNED_NOT, STRONG(d->winner),
                 OURS(how), STRONG(d->label)),
             OURS(close));
    if (d->winner >= 0 && d->label >= 0) {
        hcbr_i_html(w, open);
        say_how_often(w, model, d);
        hcbr_i_html(w, close);
    }
    if (d->own_rule)
        say_threshold(w, model, d, open, close);
    if (d->close)
        HTML(w, model, OURS(open),
             SAY(d->label < 0 ? HCBR_WORD_CLOSE_NONE : HCBR_WORD_CLOSE, STRONG(told)), OURS(close));
}

/* ---- a past case ----------------------------------------------------------------------------- */

void hcbr_i_say_held(hcbr_writer *w, const hcbr_model *model, hcbr_label label,
                     hcbr_label held_label, double held_probability) {
    // A model keeps it in steps of .4 %: no more digits, and never certainty.
    const double p = held_probability;
    char text[HCBR_PERCENT_SIZE];
    hcbr_percent_say(text, round(100 * p) / 100, 1);
    const char *sure = p > 0.99 ? hcbr_word_get(HCBR_WORD_HELD_SURE) : text;
    if (held_label < 0)
        hcbr_i_html_word(w, HCBR_WORD_HELD_UNKNOWN);
    else if (held_label == label)
        HTML(w, model, SAY(p > 0 ? HCBR_WORD_HELD_RIGHT : HCBR_WORD_HELD_RIGHT_ONLY, OURS(sure)));
    else
        HTML(w, model,
             SAY(p > 0 ? HCBR_WORD_HELD_WRONG : HCBR_WORD_HELD_WRONG_ONLY, STRONG(held_label),
                 OURS(sure)));
}

static void say_one(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *value,
                    size_t count) {
    if (count)
        hcbr_i_html_value(w, model, value);
    else
        hcbr_i_html_word(w, HCBR_WORD_NOT_THERE);
}

/* `age (57 here, 41 there)` */
static void say_column(hcbr_writer *w, const hcbr_model *model, const hcbr_compared_column *c,
                       bool apart) {
    const bool bare = c->name_length == 0;
    if (!bare)
        HTML(w, NULL, OURS(w->page.plain ? "" : "<bdi>"), BARE(c->name, c->name_length),
             OURS(w->page.plain ? " (" : "</bdi> ("));
    if (c->here_count > 1 || c->there_count > 1 || bare) {
        const size_t from = apart ? c->shared : 0, to = apart ? c->here_count : c->shared;
        for (size_t i = from; i < to && i < from + NAMED; i++)
            HTML(w, model, OURS(i > from ? ", " : ""), TEST(&c->here[i]));
        if (to > from + NAMED)
            HTML(w, model, SAY(HCBR_WORD_AND_MORE, COUNT(to - from - NAMED)));
        hcbr_i_html(w, bare ? "" : ")");
        return;
    }
    if (c->alike == HCBR_ALIKE_SAME)
        say_one(w, model, c->here, c->here_count);
    for (const char *at = hcbr_word_get(HCBR_WORD_HERE_THERE);
         c->alike != HCBR_ALIKE_SAME && *at;) {
        const size_t plain = strcspn(at, "{");
        hcbr_i_put(w, at, plain);
        at += plain;
        if (*at == '\0')
            break;
        const bool there = at[1] == '1';
        say_one(w, model, there ? c->there : c->here, there ? c->there_count : c->here_count);
        at += 3;
    }
    hcbr_i_html(w, ")");
}

/* Whether a sentence names this column: for a counter-example, those that move the lead towards the
 * answer and differ; for an analogy, those with the same value and the largest contributions. */
static bool is_named(const hcbr_writer *w, const hcbr_compared_column *k, bool apart) {
    if (hcbr_i_page_hides(w, k->name, k->name_length))
        return false;
    const bool several = k->here_count > 1 || k->there_count > 1 || k->name_length == 0;
    if (apart)
        return k->alike >= HCBR_ALIKE_DIFFERENT && k->lead_here > k->lead_there &&
               (!several || k->here_count > k->shared);
    return (k->alike == HCBR_ALIKE_SAME || (several && k->shared > 0)) && k->lead_here > 0;
}

/* The best of the columns that were not named yet; NULL: none is left. */
static const hcbr_compared_column *best_column(const hcbr_writer *w, const hcbr_comparison *c,
                                               bool apart, double below, size_t *number) {
    const hcbr_compared_column *best = NULL;
    double most = 0;
    size_t after = *number;
    for (size_t n = 0; n < c->column_count; n++) {
        const hcbr_compared_column *k = &c->columns[n];
        const double value = apart ? k->lead_here - k->lead_there : k->lead_here;
        if (!is_named(w, k, apart) || value > below || (value == below && n <= after) ||
            (best && value <= most))
            continue;
        best = k;
        most = value;
        *number = n;
    }
    return best;
}

void hcbr_i_say_apart(hcbr_writer *w, const hcbr_model *model, const hcbr_comparison *c) {
    const bool apart = c->past->label != c->label;
    const char *form = hcbr_word_get(apart ? HCBR_WORD_APART : HCBR_WORD_ALIKE_IN);
    const char *mark = strstr(form, "{0}");
    double below = HUGE_VAL;
    size_t number = SIZE_MAX, named = 0;
    const hcbr_compared_column *k;
    while (named < NAMED && (k = best_column(w, c, apart, below, &number)) != NULL) {
        if (named++ == 0)
            hcbr_i_put(w, form, (size_t)(mark - form));
        else
            hcbr_i_html(w, ", ");
        say_column(w, model, k, apart);
        below = apart ? k->lead_here - k->lead_there : k->lead_here;
    }
    if (named)
        hcbr_i_html(w, mark + 3);
    else
        hcbr_i_html_word(w, apart ? HCBR_WORD_APART_NOTHING : HCBR_WORD_ALIKE_NOTHING);
}
