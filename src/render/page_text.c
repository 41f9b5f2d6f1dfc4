/*
 * Texts on a page, with the words that weighed marked in them: for the answer by a line and a plus,
 * against it by dots and a minus.
 *
 * A word of the model is found again by cutting the text as reading does. A sequence of words gives
 * each of its words an equal part.
 */
#include "model/model.h"
#include "read/read.h"
#include "render/pieces.h"

#include <math.h>

#define LEAST 0.12 /* of the strongest word's contribution: weaker ones are not marked */

/* A word at its position in the text, folded, with its contribution. */
typedef struct spot {
    size_t from, to; /* in the text */
    char *word;      /* folded, owned */
    size_t length;
    double lead;
} spot;

typedef struct spots {
    spot *all;
    size_t count, capacity;
    size_t from, to; /* of the current run */
    bool failed;
} spots;

static int add_spot(void *to, const char *word, size_t length) {
    spots *s = to;
    char *copy = hcbr_i_text_copy(word, length);
    if (!copy || !hcbr_i_grow(&s->all, &s->capacity, s->count + 1, sizeof *s->all)) {
        hcbr_i_free(copy);
        s->failed = true;
        return 1;
    }
    s->all[s->count++] = (spot){s->from, s->to, copy, length, 0};
    return 0;
}

static void find_spots(spots *s, const char *text, size_t length) {
    for (size_t at = 0; at < length && !s->failed;) {
        const size_t run = hcbr_i_words_run(text + at, length - at);
        if (run == 0) {
            at++;
            continue;
        }
        s->from = at;
        s->to = at += run;
        s->failed |= hcbr_words_split(NULL, text + s->from, run, add_spot, s) != 0;
    }
}

static void clear_spots(spots *s) {
    for (size_t n = 0; n < s->count; n++)
        hcbr_i_free(s->all[n].word);
    hcbr_i_free(s->all);
}

/* The number of words from n on that are these, separated by blanks; 0: other words. */
static size_t matches(const spots *s, size_t n, const char *words, size_t length) {
    size_t used = 0, at = 0;
    for (; n + used < s->count; used++) {
        const spot *x = &s->all[n + used];
        if (length - at < x->length || memcmp(words + at, x->word, x->length) != 0)
            return 0;
        at += x->length;
        if (at == length)
            return used + 1;
        if (words[at++] != ' ')
            return 0;
    }
    return 0;
}

static void weigh_spots(spots *s, const char *words, size_t length, double lead) {
    for (size_t n = 0; n < s->count; n++) {
        const size_t used = matches(s, n, words, length);
        for (size_t k = 0; k < used; k++)
            s->all[n + k].lead += lead / (double)used;
    }
}

static void put_marked(hcbr_writer *w, const spots *s, const char *text, size_t length,
                       double least) {
    size_t at = 0;
    for (size_t n = 0; n < s->count; n++) {
        const spot *x = &s->all[n];
        if (x->from < at || !(fabs(x->lead) > least))
            continue;
        HTML(w, NULL, BARE(text + at, x->from - at),
             OURS(x->lead > 0 ? "<mark class=\"for\">" : "<mark class=\"against\">"),
             BARE(text + x->from, x->to - x->from),
             OURS(x->lead > 0 ? "<sup>+</sup></mark>" : "<sup>\xE2\x88\x92</sup></mark>"));
        at = x->to;
    }
    hcbr_i_html_data(w, text + at, length - at);
}

void hcbr_i_page_text(hcbr_writer *w, const hcbr_explained_word *words, size_t count,
                      const char *column, size_t column_length, const char *text, size_t length) {
    spots s = {0};
    double largest = 0;
    find_spots(&s, text, length);
    for (size_t n = 0; n < count; n++) {
        const hcbr_explained_word *x = &words[n];
        if (x->present && x->column_length == column_length &&
            memcmp(x->key, column, column_length) == 0 && x->key_length > column_length + 1)
            weigh_spots(&s, x->key + column_length + 1, x->key_length - column_length - 1, x->lead);
    }
    for (size_t n = 0; n < s.count; n++)
        largest = fmax(largest, fabs(s.all[n].lead));
    hcbr_i_html(w, "<div class=\"text\">");
    put_marked(w, &s, text, length, largest * LEAST);
    hcbr_i_html(w, "</div>\n");
    if (s.failed) {
        hcbr_error err;
        (void)hcbr_i_no_memory(&err);
        hcbr_i_writer_fail(w, &err);
    }
    clear_spots(&s);
}

/* The words of all text columns: those present, and together those absent. */
static void put_words(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e) {
    enum { SHOWN = 12 };
    size_t shown = 0;
    double absent = 0;
    const int decimals = hcbr_i_html_decimals(e->words->lead);
    HTML(w, NULL, OURS("<details open><summary>"), WORD(HCBR_WORD_WORDS),
         OURS("</summary>\n<table><thead><tr>"), HEAD(HCBR_WORD_WORD), NUMBER_HEAD(HCBR_WORD_ADDS),
         OURS("</tr></thead><tbody>\n"));
    for (size_t n = 0; n < e->word_count; n++) {
        const hcbr_explained_word *x = &e->words[n];
        if (hcbr_i_page_hides(w, x->key, x->column_length))
            continue;
        absent += x->present ? 0 : x->lead;
        if (!x->present || shown++ >= SHOWN)
            continue;
        HTML(w, NULL, OURS("<tr><th scope=\"row\"><bdi>"),
             BARE(x->key + x->column_length + 1, x->key_length - x->column_length - 1),
             OURS("</bdi></th>"), SIGNED_CELL(x->lead, decimals), OURS("</tr>\n"));
    }
    HTML(w, model, OURS("</tbody></table>\n<p>"), SAY(HCBR_WORD_WORDS_ABSENT, SIGNED(absent)),
         OURS("</p></details>\n"));
}

static void put_text(hcbr_writer *w, const hcbr_model *model, const hcbr_explanation *e,
                     const hcbr_feature *t) {
    if (hcbr_i_page_hides(w, t->key, t->key_length))
        return;
    HTML(w, model, OURS("<section><h3>"), SAY(HCBR_WORD_TEXT_OF, DATA(t->key, t->key_length)),
         OURS("</h3>\n"));
    hcbr_i_page_text(w, e->words, e->word_count, t->key, t->key_length, t->value, t->value_length);
    HTML(w, model, OURS("<p class=\"soft\">"), SAY(HCBR_WORD_MARKS, STRONG(e->label)),
         OURS("</p>\n</section>\n"));
}

static const hcbr_feature *find_column(const hcbr_feature *list, size_t count, const char *column,
                                       size_t length) {
    for (size_t n = 0; n < count; n++)
        if (list[n].value && list[n].key_length == length &&
            memcmp(list[n].key, column, length) == 0)
            return &list[n];
    return NULL;
}

const hcbr_feature *hcbr_i_page_whole(const hcbr_row_info *row, const hcbr_model *model,
                                      const char *column, size_t length) {
    const hcbr_feature *split = find_column(row->texts, row->text_count, column, length);
    if (split || !hcbr_i_is_text_column(model, column, length))
        return split;
    return find_column(row->features, row->feature_count, column, length);
}

void hcbr_i_page_texts(hcbr_writer *w, const hcbr_model *model, const hcbr_explained_row *row) {
    enum { MOST = 8 };
    const hcbr_explanation *e = row->explanation;
    const hcbr_row_info info = hcbr_i_page_row(row->row);
    const hcbr_feature *shown[MOST];
    size_t count = 0;
    for (size_t n = 0; n < e->word_count && count < MOST; n++) {
        const hcbr_explained_word *x = &e->words[n];
        size_t k = 0;
        while (k < count && (shown[k]->key_length != x->column_length ||
                             memcmp(shown[k]->key, x->key, x->column_length) != 0))
            k++;
        if (k == count && (shown[k] = hcbr_i_page_whole(&info, model, x->key, x->column_length)))
            put_text(w, model, e, shown[count++]);
    }
    if (e->word_count)
        put_words(w, model, e);
}
