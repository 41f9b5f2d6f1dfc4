/*
 * Tests and values of numbers for display: `14.4542<fare<=14.4583` is `fare 14.45 to 14.46`,
 * `fare<=14.4583` is `fare at most 14.46`, the values 24.869999999999997 and 322.0 are 24.87 and
 * 322.
 *
 * A test comes as the text from an engine. Invariant: it is rewritten only if all of it was
 * understood and is about one column of numbers of the model. Ends are rounded away from the range:
 * a case that passes the test lies within the displayed one.
 */
#include "model/model.h"
#include "render/render.h"

#include <math.h>
#include <stdio.h>

#define OR " or "
#define MISSING "missing"

/* The text so far. */
typedef struct said {
    char *text;
    size_t used;
    hcbr_i_text column; /* at NULL: not known yet */
    bool counts;        /* it is a word of a text, and numbers say how often it occurs */
} said;

static bool put(said *s, const char *text, size_t length) {
    if (length >= HCBR_SHOWN_SIZE - s->used)
        return false;
    if (length)
        memcpy(s->text + s->used, text, length);
    s->used += length;
    return true;
}

static bool put_string(said *s, const char *text) {
    return put(s, text, strlen(text));
}

static bool put_word(said *s, hcbr_word word) {
    return put_string(s, hcbr_word_get(word));
}

static bool put_figure(said *s, double value, int way) {
    char text[HCBR_NUMBER_SIZE];
    return put(s, text, hcbr_i_figure_say(text, value, way));
}

/* The column, or of a text the word that is counted. */
static bool put_column(said *s, const hcbr_model *model, hcbr_i_text column) {
    const hcbr_i_text word = hcbr_i_word_of(model, column);
    s->counts = word.at != NULL;
    if (!word.at)
        return put(s, column.at, column.length);
    return put_string(s, "\"") && put(s, word.at, word.length) && put_string(s, "\"");
}

static bool is_number_key(const hcbr_model *model, hcbr_i_text name) {
    hcbr_column column = {.size = sizeof column};
    if (hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK)
        return false;
    const hcbr_i_key_id key = hcbr_i_dict_find_key(model->dict, name.at, name.length);
    if (key == HCBR_I_NONE)
        return false;
    hcbr_model_get_column(model, key, &column);
    return column.kind == HCBR_COLUMN_NUMBER;
}

/* The number at the end of a text, after `sign`; *length becomes that of the text before both. */
static bool take_end(const char *text, size_t *length, const char *sign, double *value) {
    const size_t size = strlen(sign);
    for (size_t at = *length; at-- > 0;) {
        if (at + size > *length || memcmp(text + at, sign, size) != 0)
            continue;
        if (!hcbr_number_parse(value, text + at + size, *length - at - size))
            return false;
        *length = at;
        return true;
    }
    return false;
}

/* The number at the start of a text, before a `<`; the text becomes the part after it. */
static bool take_start(const char **text, size_t *length, double *value) {
    const char *sign = memchr(*text, '<', *length);
    if (!sign || !hcbr_number_parse(value, *text, (size_t)(sign - *text)))
        return false;
    *length -= (size_t)(sign - *text) + 1;
    *text = sign + 1;
    return true;
}

/* `x<=t`, `x>t`, `t<x<=u`, `x=v`; the column precedes the first of several. */
static bool say_piece(said *s, const hcbr_model *model, const char *text, size_t length) {
    double low = 0, high = 0;
    const char *rest = text;
    size_t left = length;
    const bool from = take_start(&rest, &left, &low);
    const bool to = take_end(rest, &left, "<=", &high);
    const bool above = !from && !to && take_end(rest, &left, ">", &low);
    const bool equal = !from && !to && !above && take_end(rest, &left, "=", &low);
    const hcbr_i_text column = {rest, left};
    if (from ? !to : !(to || above || equal))
        return false;
    if (s->column.at && !hcbr_i_text_same(s->column, column))
        return false;
    const bool first = !s->column.at;
    if (first && (!is_number_key(model, column) || !put_column(s, model, column)))
        return false;
    s->column = column;
    if (!put_string(s, first ? " " : ""))
        return false;
    if (s->counts) { // of a word: how often it occurs
        low = floor(low) + (equal ? 0 : 1);
        high = floor(high);
        if (from && high <= low)
            return put_figure(s, low, 0);
        if (above)
            return put_word(s, HCBR_WORD_AT_LEAST) && put_figure(s, low, 0);
    }
    if (from)
        return put_figure(s, low, -1) && put_word(s, HCBR_WORD_RANGE_TO) && put_figure(s, high, 1);
    if (equal)
        return put_figure(s, low, 0);
    return put_word(s, to ? HCBR_WORD_AT_MOST : HCBR_WORD_ABOVE) &&
           put_figure(s, to ? high : low, to ? 1 : -1);
}

/* All alternatives of a test. */
static bool say_test(said *s, const hcbr_model *model, const char *text, size_t length) {
    const size_t or = strlen(OR);
    if (length > 1 && *text == '(' && text[length - 1] == ')') {
        text++;
        length -= 2;
    }
    for (size_t from = 0; from <= length;) {
        size_t to = from;
        while (to < length && (to + or > length || memcmp(text + to, OR, or) != 0))
            to++;
        if (from > 0 && to - from == strlen(MISSING) &&
            memcmp(text + from, MISSING, to - from) == 0) {
            if (!put_word(s, s->counts ? HCBR_WORD_OR_NONE : HCBR_WORD_OR_MISSING))
                return false;
        } else if ((from > 0 && !put_word(s, HCBR_WORD_OR)) ||
                   !say_piece(s, model, text + from, to - from)) {
            return false;
        }
        from = to + or ;
        if (to >= length)
            break;
    }
    return true;
}

/* Whether a value has more digits than are usual in print. */
static bool has_dust(const hcbr_feature *f, char text[HCBR_NUMBER_SIZE], size_t *length) {
    double value;
    if (f->value_length < 12 || !hcbr_number_parse(&value, f->value, f->value_length))
        return false;
    *length = hcbr_number_round(text, value, 12);
    return *length + 3 < f->value_length;
}

/* Whether it is a whole number with zeros after its point, as in 322.0. */
static bool is_whole(const hcbr_feature *f, char text[HCBR_NUMBER_SIZE], size_t *length) {
    size_t end = f->value_length, digits = 0;
    while (end > 0 && f->value[end - 1] == '0')
        end--;
    if (end < 2 || end == f->value_length || f->value[end - 1] != '.' || end > HCBR_NUMBER_SIZE)
        return false;
    for (size_t i = 0; i + 1 < end; i++) {
        const bool digit = f->value[i] >= '0' && f->value[i] <= '9';
        if (!digit && !(i == 0 && f->value[i] == '-'))
            return false;
        digits += digit;
    }
    *length = end - 1;
    memcpy(text, f->value, *length);
    return digits > 0;
}

/* The spelling in past cases of a value with another one; absent: none. */
static hcbr_i_text other_spelling(const hcbr_model *m, const hcbr_feature *f) {
    if (hcbr_i_dict_need_tables(m->dict, NULL) != HCBR_OK)
        return (hcbr_i_text){NULL, 0};
    hcbr_i_feature_id id =
        hcbr_i_dict_find(m->dict, f->key, f->key_length, f->value, f->value_length);
    if (id == HCBR_I_NONE && m->engine->find_any)
        id = m->engine->find_any(m->state, f);
    if (id == HCBR_I_NONE)
        return (hcbr_i_text){NULL, 0};
    const hcbr_i_dict_feature known = hcbr_i_dict_get(m->dict, id);
    const bool same = known.value_length == f->value_length && known.value &&
                      memcmp(known.value, f->value, f->value_length) == 0;
    return same ? (hcbr_i_text){NULL, 0} : (hcbr_i_text){known.value, known.value_length};
}

// NOLINTNEXTLINE(readability-non-const-parameter): it is filled through `said`.
size_t hcbr_i_shown_number(const hcbr_model *model, const hcbr_feature *f, char *room) {
    said s = {.text = room};
    char text[HCBR_NUMBER_SIZE];
    size_t length;
    if (!f->key)
        return 0;
    if (!f->value)
        return say_test(&s, model, f->key, f->key_length) ? s.used : 0;
    hcbr_i_text value = {text, 0};
    if (is_number_key(model, (hcbr_i_text){f->key, f->key_length}))
        value.length = has_dust(f, text, &length) || is_whole(f, text, &length) ? length : 0;
    else
        value = other_spelling(model, f);
    return value.length && put(&s, f->key, f->key_length) && put_string(&s, "=") &&
                   put(&s, value.at, value.length)
               ? s.used
               : 0;
}
