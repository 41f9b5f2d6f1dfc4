/*
 * Pieces of a page: text of the data, names, numbers, cells of tables; and hidden columns.
 *
 * Invariant: no data is ever markup. Numbers have their sign as a glyph, not in colour alone.
 */
#include "model/model.h"
#include "render/pieces.h"

#include <math.h>

/* ---- text ------------------------------------------------------------------------------------ */

static const char *escape_of(char c) {
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return NULL;
    }
}

void hcbr_i_html_data(hcbr_writer *w, const char *text, size_t length) {
    static const char HEX[] = "0123456789abcdef";
    size_t plain = hcbr_text_plain(text, length);
    for (size_t i = 0; i < length; i++) {
        const char *escape = w->page.plain ? NULL : escape_of(text[i]);
        if (i == plain) {
            unsigned char c = (unsigned char)text[i];
            char code[4] = {'\\', 'x', HEX[c >> 4], HEX[c & 15]};
            hcbr_i_put(w, code, sizeof code);
            plain = i + 1 + hcbr_text_plain(text + i + 1, length - i - 1);
        } else if (escape) {
            hcbr_i_html(w, escape);
        } else {
            hcbr_i_put_byte(w, text[i]);
        }
    }
}

/* Between the words of a name a line may break. */
void hcbr_i_html_name(hcbr_writer *w, const char *text, size_t length) {
    size_t from = 0;
    hcbr_i_html(w, "<bdi>");
    for (size_t i = 0; i + 1 < length; i++)
        if (strchr("_.:/|", text[i]) && text[i]) {
            HTML(w, NULL, BARE(text + from, i + 1 - from), OURS("<wbr>"));
            from = i + 1;
        }
    HTML(w, NULL, BARE(text + from, length - from), OURS("</bdi>"));
}

static void put_isolated(hcbr_writer *w, const char *text, size_t length) {
    HTML(w, NULL, OURS(w->page.plain ? "" : "<bdi>"), BARE(text, length),
         OURS(w->page.plain ? "" : "</bdi>"));
}

/* Browsers break a line before `<`, inside `"<1"`: a word with it is kept together, if it is not
 * as wide as a phone. */
static void put_words(hcbr_writer *w, const char *text, size_t length) {
    enum { MOST = 32 };
    for (size_t from = 0, end; from < length; from = end) {
        for (end = from; end < length && text[end] != ' ';)
            end++;
        const bool whole = !w->page.plain && end - from <= MOST && end > from + 1 &&
                           memchr(text + from + 1, '<', end - from - 1);
        end += end < length;
        HTML(w, NULL, OURS(whole ? "<span class=\"w\">" : ""), BARE(text + from, end - from),
             OURS(whole ? "</span>" : ""));
    }
}

void hcbr_i_html_feature(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *feature) {
    char room[HCBR_SHOWN_SIZE];
    if (hcbr_i_page_hides_feature(w, feature)) {
        hcbr_i_html_word(w, HCBR_WORD_HIDDEN_VALUE);
        return;
    }
    const hcbr_feature f = hcbr_shown_feature(model, feature, room);
    hcbr_i_html(w, w->page.plain ? "" : "<bdi>");
    char both[256];
    const size_t length = f.key_length + (f.value ? 1 + f.value_length : 0);
    if (f.value && length <= sizeof both) {
        memcpy(both, f.key, f.key_length);
        both[f.key_length] = '=';
        if (f.value_length)
            memcpy(both + f.key_length + 1, f.value, f.value_length);
        put_words(w, both, length);
    } else {
        put_words(w, f.key, f.key_length);
        hcbr_i_html(w, f.value ? "=" : "");
        put_words(w, f.value ? f.value : "", f.value ? f.value_length : 0);
    }
    hcbr_i_html(w, w->page.plain ? "" : "</bdi>");
}

void hcbr_i_html_value(hcbr_writer *w, const hcbr_model *model, const hcbr_feature *feature) {
    char room[HCBR_SHOWN_SIZE];
    size_t length;
    const char *value = hcbr_shown_value(model, feature, room, &length);
    put_isolated(w, value, length);
}

void hcbr_i_html_label(hcbr_writer *w, const hcbr_model *model, hcbr_label label) {
    size_t length = 7;
    const char *name = label < 0 ? "unknown" : hcbr_model_get_label(model, label, &length);
    // unknown alone is never the name of a label
    const bool quoted = label >= 0 && hcbr_text_is_unknown(name, length);
    const char *quote = !quoted ? "" : w->page.plain ? "\"" : "&quot;";
    HTML(w, NULL, OURS(w->page.plain ? "" : "<bdi>"), OURS(quote), BARE(name, length), OURS(quote),
         OURS(w->page.plain ? "" : "</bdi>"));
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* A minus sign that screen readers read as one. */
static void put_sign(hcbr_writer *w, double value) {
    hcbr_i_html(w, value > 0 ? "+" : value == 0 ? "" : w->page.plain ? "-" : "\xE2\x88\x92");
}

void hcbr_i_html_number(hcbr_writer *w, double value) {
    char text[HCBR_NUMBER_SIZE];
    put_sign(w, value);
    hcbr_i_put(w, text, hcbr_i_figure_say(text, fabs(value), 0));
}

int hcbr_i_html_decimals(double largest) {
    double size = fabs(largest);
    int decimals = 2;
    while (size > 0 && size < 1 && decimals < 12) {
        size *= 10;
        decimals++;
    }
    return decimals;
}

static void open_cell(hcbr_writer *w, double value) {
    hcbr_i_html(w, value < 0   ? "<td class=\"n against\">"
                   : value > 0 ? "<td class=\"n for\">"
                               : "<td class=\"n\">");
}

void hcbr_i_html_open_named(hcbr_writer *w, hcbr_word is, bool number) {
    HTML(w, NULL, OURS(number ? "<td class=\"n\" data-is=\"" : "<td data-is=\""), WORD(is),
         OURS("\">"));
}

/* 0 for a value that is displayed as 0. */
static double as_shown(double value, int decimals) {
    char text[HCBR_I_PRINTED];
    hcbr_i_print(text, 'f', decimals, fabs(value));
    return strspn(text, "0.") == strlen(text) ? 0 : value;
}

void hcbr_i_html_signed(hcbr_writer *w, double value, int decimals) {
    char text[HCBR_I_PRINTED];
    hcbr_i_print(text, 'f', decimals, fabs(value));
    put_sign(w, as_shown(value, decimals));
    hcbr_i_html(w, text);
}

void hcbr_i_html_cell(hcbr_writer *w, double value) {
    open_cell(w, value);
    HTML(w, NULL, SIGNED(value), OURS("</td>"));
}

void hcbr_i_html_cell_signed(hcbr_writer *w, double value, int decimals) {
    open_cell(w, as_shown(value, decimals));
    hcbr_i_html_signed(w, value, decimals);
    hcbr_i_html(w, "</td>");
}

void hcbr_i_html_cell_named(hcbr_writer *w, hcbr_word is, double value, int decimals) {
    const double shown = as_shown(value, decimals);
    hcbr_i_html_open_named(w, is, true);
    hcbr_i_html(w, shown < 0   ? "<span class=\"against\">"
                   : shown > 0 ? "<span class=\"for\">"
                               : "<span>");
    hcbr_i_html_signed(w, value, decimals);
    hcbr_i_html(w, "</span></td>");
}

void hcbr_i_html_head(hcbr_writer *w, hcbr_word word, bool number) {
    HTML(w, NULL, OURS(number ? "<th scope=\"col\" class=\"n\">" : "<th scope=\"col\">"),
         WORD(word), OURS("</th>"));
}

/* ---- hidden columns -------------------------------------------------------------------------- */

/* Whether a name is the column itself, or derived from it: `name: word`, `name.part`. */
static bool is_of(const char *name, size_t length, const char *column) {
    const size_t size = strlen(column);
    return length >= size && memcmp(name, column, size) == 0 &&
           (length == size || name[size] == ':' || name[size] == '.');
}

static bool contains(const char *text, size_t length, const char *wanted) {
    const size_t size = strlen(wanted);
    for (size_t at = 0; size > 0 && at + size <= length; at++)
        if (memcmp(text + at, wanted, size) == 0)
            return true;
    return false;
}

int hcbr_page_hides(const hcbr_page_options *o, const hcbr_feature *f) {
    if (!f->key)
        return 0;
    for (size_t i = 0; i < o->hide_count; i++)
        if (f->value ? is_of(f->key, f->key_length, o->hide[i])
                     : contains(f->key, f->key_length, o->hide[i])) // somewhere in a test
            return 1;
    return 0;
}

bool hcbr_i_page_hides(const hcbr_writer *w, const char *name, size_t length) {
    const hcbr_feature f = {.key = name, .key_length = length, .value = ""};
    return hcbr_page_hides(&w->page.options, &f);
}

bool hcbr_i_page_hides_feature(const hcbr_writer *w, const hcbr_feature *f) {
    return hcbr_page_hides(&w->page.options, f);
}

bool hcbr_i_page_hides_id(const hcbr_writer *w, const hcbr_model *model) {
    const char *id = model->read.id;
    return id && hcbr_i_page_hides(w, id, strlen(id));
}
