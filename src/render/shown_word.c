/*
 * Words of columns of texts as people say them: `text:win=1` is `"win"`, `not text:win=1` and
 * `text:win missing` are `no "win"`, `text:win=2` is `"win" 2 times`, `text:win known` is
 * `"win" once or more`.
 *
 * Invariant: it is said in other words only if all of it was understood and its key is a word of a
 * column of texts of the model.
 */
#include "model/model.h"
#include "render/render.h"

#include <stdio.h>

static bool ends_with(const hcbr_i_text *t, const char *end) {
    const size_t size = strlen(end);
    return t->length > size && memcmp(t->at + t->length - size, end, size) == 0;
}

bool hcbr_i_is_text_column(const hcbr_model *model, const char *name, size_t length) {
    const hcbr_i_stored_read *read = &model->read;
    for (uint32_t t = 0; t < read->text_count; t++) {
        const char *text = read->columns[2 * (size_t)read->split_count + t];
        if (strlen(text) == length && memcmp(text, name, length) == 0)
            return true;
    }
    const hcbr_i_schema_column *c =
        model->schema ? hcbr_i_schema_find(model->schema, name, length) : NULL;
    return c && c->use == HCBR_I_USE_TEXT;
}

hcbr_i_text hcbr_i_word_of(const hcbr_model *model, hcbr_i_text key) {
    const char *at = key.at, *end = key.at + key.length;
    while ((at = memchr(at, ':', (size_t)(end - at))) != NULL) {
        if (hcbr_i_is_text_column(model, key.at, (size_t)(at - key.at)) && at + 1 < end)
            return (hcbr_i_text){at + 1, (size_t)(end - at - 1)};
        at++;
    }
    return (hcbr_i_text){NULL, 0};
}

size_t hcbr_i_shown_word(const hcbr_model *model, const hcbr_feature *f, char *room) {
    hcbr_i_text key = {f->key, f->key_length}, count = {f->value, f->value_length};
    bool none = false, known = false;
    if (!f->value) {
        const char *equal = NULL;
        if (key.length > 4 && memcmp(key.at, "not ", 4) == 0) {
            none = true;
            key = (hcbr_i_text){key.at + 4, key.length - 4};
        } else if (ends_with(&key, " missing")) {
            none = true;
            key.length -= strlen(" missing");
        } else if (ends_with(&key, " known")) {
            known = true;
            key.length -= strlen(" known");
        }
        for (size_t i = key.length; i-- > 0 && !equal;)
            equal = key.at[i] == '=' ? key.at + i : NULL;
        if (equal) {
            count = (hcbr_i_text){equal + 1, key.length - (size_t)(equal - key.at) - 1};
            key.length = (size_t)(equal - key.at);
        }
    }
    const hcbr_i_text word = hcbr_i_word_of(model, key);
    for (size_t i = 0; count.at && i < count.length; i++)
        if (!hcbr_i_ascii_digit(count.at[i]))
            return 0;
    if (!word.at || hcbr_i_dict_need_tables(model->dict, NULL) != HCBR_OK ||
        (!f->value && hcbr_i_dict_find_key(model->dict, key.at, key.length) == HCBR_I_NONE) ||
        word.length > HCBR_SHOWN_SIZE / 2 || count.length > 20)
        return 0;
    const bool several = count.at && count.length > 0 && !(count.length == 1 && *count.at == '1');
    char number[24], times[64] = "";
    const char *const parts[] = {number};
    snprintf(number, sizeof number, "%.*s", (int)count.length, count.at ? count.at : "");
    if (several)
        hcbr_i_word_fill(times, sizeof times, HCBR_WORD_WORD_TIMES, parts, 1);
    const int n = snprintf(room, HCBR_SHOWN_SIZE, "%s\"%.*s\"%s",
                           none ? hcbr_word_get(HCBR_WORD_WORD_NO) : "", (int)word.length, word.at,
                           known ? hcbr_word_get(HCBR_WORD_WORD_KNOWN) : times);
    return n > 0 && n < HCBR_SHOWN_SIZE ? (size_t)n : 0;
}
