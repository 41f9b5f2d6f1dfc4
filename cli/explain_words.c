/*
 * The words of hcbr explain on a terminal: sentences of the library's table of words with names and
 * numbers put in, and features as people say them.
 */
#include "cell.h"
#include "explaining.h"

#include <stdarg.h>
#include <stdio.h>

enum { MOST = 6 }; /* pieces of a sentence */

typedef struct piece {
    char kind;
    hcbr_label label;
    uint64_t count;
    double value;
    const char *text;
} piece;

static void take_pieces(piece list[MOST], const char *kinds, va_list rest) {
    for (size_t n = 0; n < MOST && kinds[n]; n++) {
        list[n].kind = kinds[n];
        switch (kinds[n]) {
        case 'l':
            list[n].label = va_arg(rest, hcbr_label);
            break;
        case 'u':
            list[n].count = va_arg(rest, uint64_t);
            break;
        case 's':
            list[n].text = va_arg(rest, const char *);
            break;
        default:
            list[n].value = va_arg(rest, double);
        }
    }
}

static void put_piece(explaining *x, const piece *p) {
    char text[64];
    switch (p->kind) {
    case 'l':
        explain_put_label(x, p->label);
        break;
    case 'u':
        out_u64(x->out, p->count);
        break;
    case 's':
        out_string(x->out, p->text);
        break;
    case 'p':
    case 'h':
        hcbr_percent_say(text, p->value, p->kind == 'h');
        out_string(x->out, text);
        break;
    case '+':
        out_bytes(x->out, text, (size_t)snprintf(text, sizeof text, "%+.4g", p->value));
        break;
    default:
        out_rounded(x->out, p->value);
    }
}

static void say(explaining *x, hcbr_word word, const char *kinds, va_list rest) {
    piece list[MOST] = {{0}};
    take_pieces(list, kinds, rest);
    for (const char *at = hcbr_word_get(word); *at; at++)
        if (at[0] == '{' && at[1] >= '0' && at[1] < '0' + MOST && at[2] == '}') {
            put_piece(x, &list[at[1] - '0']);
            at += 2;
        } else {
            out_byte(x->out, *at);
        }
}

void explain_say(explaining *x, hcbr_word word, const char *kinds, ...) {
    va_list rest;
    va_start(rest, kinds);
    say(x, word, kinds, rest);
    va_end(rest);
}

void explain_say_line(explaining *x, hcbr_word word, const char *kinds, ...) {
    const size_t mark = out_mark(x->out);
    const bool whole = mark == 0 || x->out->buffer[mark - 1] == '\n'; // else its line is a table's
    va_list rest;
    va_start(rest, kinds);
    say(x, word, kinds, rest);
    va_end(rest);
    out_row(x->out);
    if (whole)
        out_wrap(x->out, mark, x->columns, 0);
}

void explain_put_word(explaining *x, hcbr_word word, hcbr_label label, size_t width, bool right) {
    const char *form = hcbr_word_get(word), *mark = strstr(form, "{0}");
    const size_t before = mark ? (size_t)(mark - form) : strlen(form);
    hcbr_cell cell = {.used = 0};
    hcbr_cell_add(&cell, form, before, width);
    if (mark) {
        const label_facts facts = explain_label(x, label);
        hcbr_cell_add_cut(&cell, facts.name, facts.name_length, width);
        hcbr_cell_add(&cell, mark + 3, strlen(mark + 3), width);
    }
    put_cell(x->out, &cell, width, right);
}

void explain_put_count(explaining *x, hcbr_word word, uint64_t count, const char *options,
                       size_t width) {
    hcbr_cell cell = {.used = 0};
    char number[32];
    const int digits = snprintf(number, sizeof number, "%llu", (unsigned long long)count);
    for (const char *at = hcbr_word_get(word); *at; at++)
        if (strncmp(at, "{0}", 3) == 0 || strncmp(at, "{1}", 3) == 0) {
            const bool first = at[1] == '0';
            hcbr_cell_add(&cell, first ? number : options, first ? (size_t)digits : strlen(options),
                          width);
            at += 2;
        } else {
            hcbr_cell_add(&cell, at, 1, width);
        }
    put_cell(x->out, &cell, width, false);
}

bool explain_add_feature(const explaining *x, hcbr_cell *cell, const hcbr_feature *f,
                         size_t columns) {
    const char *hidden = hcbr_word_get(HCBR_WORD_HIDDEN_VALUE);
    if (!explain_hides_feature(x, f))
        return cell_add_shown(cell, x->model, f, columns);
    return hcbr_cell_add(cell, hidden, strlen(hidden), columns);
}
