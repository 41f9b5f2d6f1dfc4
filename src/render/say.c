/*
 * Sentences: words of the table with names and numbers put in, for a page or a terminal. What both
 * say of an answer is here.
 */
#include "model/model.h"
#include "render/html.h"

#include <math.h>

enum {
    NAMED = 3 /* columns in a sentence */
};

static void put_piece(hcbr_writer *w, const hcbr_model *model, const hcbr_i_piece *p) {
    char text[HCBR_NUMBER_SIZE], share[HCBR_PERCENT_SIZE];
    switch (p->kind) {
    case HCBR_I_SAY_DATA:
        hcbr_i_html(w, w->page.plain ? "" : "<bdi>");
        hcbr_i_html_data(w, p->text, p->length);
        hcbr_i_html(w, w->page.plain ? "" : "</bdi>");
        break;
    case HCBR_I_SAY_LABEL:
        hcbr_i_html(w, w->page.plain ? "" : "<strong>");
        hcbr_i_html_label(w, model, p->label);
        hcbr_i_html(w, w->page.plain ? "" : "</strong>");
        break;
    case HCBR_I_SAY_SIGNED:
        hcbr_i_html_number(w, p->value);
        break;
    case HCBR_I_SAY_COUNT:
    case HCBR_I_SAY_FIGURE:
        hcbr_i_put(w, text, hcbr_figure_say(text, p->value, 0));
        break;
    case HCBR_I_SAY_SHARE:
    case HCBR_I_SAY_CHANCE:
        hcbr_percent_say(share, p->value, p->kind == HCBR_I_SAY_SHARE);
        hcbr_i_html(w, share);
        break;
    default:
        hcbr_i_html(w, p->text);
    }
}

void hcbr_i_say(hcbr_writer *w, const hcbr_model *model, hcbr_word word,
                const hcbr_i_piece *pieces) {
    for (const char *at = hcbr_word_get(word); *at; at++)
        if (at[0] == '{' && at[1] >= '0' && at[1] <= '9' && at[2] == '}') {
            put_piece(w, model, &pieces[at[1] - '0']);
            at += 2;
        } else {
            hcbr_i_put_byte(w, *at);
        }
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
    HCBR_I_SAY(w, model,
               !(h.cases > 0) ? (all ? HCBR_WORD_HOW_OFTEN_NEVER : HCBR_WORD_HOW_OFTEN_NONE)
               : h.enough     ? (all ? HCBR_WORD_HOW_OFTEN_ALL : HCBR_WORD_HOW_OFTEN)
               : one          ? (all ? HCBR_WORD_HOW_OFTEN_ALL_ONE : HCBR_WORD_HOW_OFTEN_ONE)
                              : (all ? HCBR_WORD_HOW_OFTEN_ALL_FEW : HCBR_WORD_HOW_OFTEN_FEW),
               HCBR_I_COUNT(h.cases), HCBR_I_LABEL(d->label), HCBR_I_COUNT(h.right),
               HCBR_I_SHARE(h.cases > 0 ? h.right / h.cases : 0), HCBR_I_SHARE(h.from),
               HCBR_I_SHARE(h.to));
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
            HCBR_I_SAY(w, model, HCBR_WORD_THRESHOLD_CUT, HCBR_I_LABEL(1),
                       HCBR_I_FIGURE(info.cut_high), HCBR_I_LABEL(0), HCBR_I_FIGURE(info.cut_low));
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
        HCBR_I_SAY(w, model, HCBR_WORD_THRESHOLD, HCBR_I_LABEL(label), HCBR_I_CHANCE(of.eta));
    else
        HCBR_I_SAY(w, model, HCBR_WORD_THRESHOLD_SUPPORT, HCBR_I_LABEL(label),
                   HCBR_I_FIGURE(of.eta));
    hcbr_i_html(w, close);
}

/* The most probable label but for one. */
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
        HCBR_I_SAY(w, model, HCBR_WORD_DATA_SAYS, HCBR_I_DATA(d->given, d->given_length));
}

void hcbr_i_say_answer(hcbr_writer *w, const hcbr_model *model, const hcbr_decision *d,
                       const char *open, const char *close) {
    const bool probable = d->probability && d->label_count > 1 && d->winner >= 0;
    const hcbr_label told = d->label >= 0 ? d->label : d->winner;
    const char *how = hcbr_i_decision_turned(d);
    const bool by_rule = d->reason != HCBR_BY_SUPPORT && !how;
    hcbr_i_html(w, open);
    if (d->label >= 0 && probable)
        HCBR_I_SAY(w, model, HCBR_WORD_ANSWER_SURE, HCBR_I_LABEL(d->label),
                   HCBR_I_CHANCE(d->probability[d->label]));
    else if (d->label >= 0)
        HCBR_I_SAY(w, model, HCBR_WORD_ANSWER, HCBR_I_LABEL(d->label));
    else if (probable)
        HCBR_I_SAY(w, model, HCBR_WORD_NO_ANSWER_SURE, HCBR_I_LABEL(d->winner),
                   HCBR_I_CHANCE(d->probability[d->winner]));
    else if (by_rule)
        HCBR_I_SAY(w, model, HCBR_WORD_NO_ANSWER_WHY, HCBR_I_OURS(hcbr_i_reason_word(d->reason)));
    else
        hcbr_i_html_word(w, HCBR_WORD_NO_ANSWER);
    if (probable) {
        const hcbr_label next = next_label(d, told);
        hcbr_i_html(w, " ");
        HCBR_I_SAY(w, model, HCBR_WORD_NEXT, HCBR_I_LABEL(next),
                   HCBR_I_CHANCE(d->probability[next]));
    }
    say_given(w, model, d);
    hcbr_i_html(w, close);
    if (by_rule && d->label >= 0) {
        hcbr_i_html(w, open);
        HCBR_I_SAY(w, model, HCBR_WORD_BY_RULE, HCBR_I_OURS(hcbr_i_reason_word(d->reason)));
        hcbr_i_html(w, close);
    }
    if (how) {
        hcbr_i_html(w, open);
        HCBR_I_SAY(w, model, d->label >= 0 ? HCBR_WORD_TURNED : HCBR_WORD_TURNED_NOT,
                   HCBR_I_LABEL(d->winner), HCBR_I_OURS(how), HCBR_I_LABEL(d->label));
        hcbr_i_html(w, close);
    }
    if (d->winner >= 0 && d->label >= 0) {
        hcbr_i_html(w, open);
        say_how_often(w, model, d);
        hcbr_i_html(w, close);
    }
    if (d->own_rule)
        say_threshold(w, model, d, open, close);
    if (d->close) {
        hcbr_i_html(w, open);
        HCBR_I_SAY(w, model, d->label < 0 ? HCBR_WORD_CLOSE_NONE : HCBR_WORD_CLOSE,
                   HCBR_I_LABEL(told));
        hcbr_i_html(w, close);
    }
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
        HCBR_I_SAY(w, model, p > 0 ? HCBR_WORD_HELD_RIGHT : HCBR_WORD_HELD_RIGHT_ONLY,
                   HCBR_I_OURS(sure));
    else
        HCBR_I_SAY(w, model, p > 0 ? HCBR_WORD_HELD_WRONG : HCBR_WORD_HELD_WRONG_ONLY,
                   HCBR_I_LABEL(held_label), HCBR_I_OURS(sure));
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
    if (!bare) {
        hcbr_i_html(w, w->page.plain ? "" : "<bdi>");
        hcbr_i_html_data(w, c->name, c->name_length);
        hcbr_i_html(w, w->page.plain ? " (" : "</bdi> (");
    }
    if (c->here_count > 1 || c->there_count > 1 || bare) {
        const size_t from = apart ? c->shared : 0, to = apart ? c->here_count : c->shared;
        for (size_t i = from; i < to && i < from + NAMED; i++) {
            hcbr_i_html(w, i > from ? ", " : "");
            hcbr_i_html_feature(w, model, &c->here[i]);
        }
        if (to > from + NAMED)
            HCBR_I_SAY(w, model, HCBR_WORD_AND_MORE, HCBR_I_COUNT(to - from - NAMED));
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

/* Which columns a sentence names: those that turn a counter-example move the lead towards the
 * answer and differ; an analogy is alike in those that have the same value and add most. */
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
