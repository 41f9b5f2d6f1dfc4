/*
 * The contribution of each column to a case: the contribution of an atom is divided equally among
 * the columns it tests, and that of an atom without columns is the rest.
 *
 * Invariant: bias, rest and all columns together are the support of every label, since all atoms
 * are; places are 0 between calls, so that the cost follows the case and not the model.
 */
#include "explainer.h"

#include <stdlib.h>

#define FEW 16 /* columns that are sorted one by one */

/* ---- columns of keys ------------------------------------------------------------------------- */

/* Columns are the keys, and after them the columns of texts, whose words are keys. */

const hcbr_i_text *hcbr_i_by_column_text(const hcbr_i_by_column *by, hcbr_i_text key) {
    const hcbr_i_text *best = NULL;
    for (size_t t = 0; t < by->text_count; t++) {
        const hcbr_i_text *text = &by->texts[t];
        if ((!best || text->length >= best->length) && text->length < key.length &&
            key.at[text->length] == ':' && memcmp(key.at, text->at, text->length) == 0)
            best = text;
    }
    return best;
}

/* Where there are texts, names are compared once for each key. */
static inline uint32_t column_of(hcbr_explainer *x, hcbr_i_key_id key) {
    hcbr_i_by_column *by = &x->by_column;
    if (by->text_count == 0)
        return key;
    if (by->column[key] == 0) {
        const hcbr_i_text *text = hcbr_i_by_column_text(by, hcbr_i_dict_key(x->model->dict, key));
        const uint32_t keys = hcbr_i_dict_key_count(x->model->dict);
        by->column[key] = 1 + (text ? keys + (uint32_t)(text - by->texts) : key);
    }
    return by->column[key] - 1;
}

static hcbr_i_text name_of(const hcbr_explainer *x, uint32_t column) {
    uint32_t keys = hcbr_i_dict_key_count(x->model->dict);
    return column < keys ? hcbr_i_dict_key(x->model->dict, column)
                         : x->by_column.texts[column - keys];
}

/* Text columns named by options of training, and those found to be texts. */
static size_t list_texts(const hcbr_model *model, hcbr_i_text *out) {
    const hcbr_i_stored_read *read = &model->read;
    const size_t kinds = hcbr_i_schema_count(model->schema);
    size_t count = 0;
    for (uint32_t t = 0; t < read->text_count; t++) {
        const char *name = read->columns[2 * (size_t)read->split_count + t];
        if (out)
            out[count] = (hcbr_i_text){name, strlen(name)};
        count++;
    }
    for (size_t k = 0; k < kinds; k++) {
        const hcbr_i_schema_column *c = hcbr_i_schema_get(model->schema, k);
        if (c->use != HCBR_I_USE_TEXT)
            continue;
        if (out)
            out[count] = c->name;
        count++;
    }
    return count;
}

hcbr_status hcbr_i_by_column_begin(hcbr_explainer *x, hcbr_error *err) {
    hcbr_i_by_column *by = &x->by_column;
    const size_t keys = hcbr_i_dict_key_count(x->model->dict);
    if (by->place)
        return HCBR_OK;
    const size_t texts = list_texts(x->model, NULL);
    by->texts = hcbr_i_alloc(texts, sizeof *by->texts);
    by->word_place = texts ? hcbr_i_alloc_zero(keys, sizeof *by->word_place) : NULL;
    by->column = texts ? hcbr_i_alloc_zero(keys, sizeof *by->column) : NULL;
    by->place = hcbr_i_alloc_zero(keys + texts, sizeof *by->place);
    if (!by->texts || !by->place || (texts && (!by->word_place || !by->column))) {
        hcbr_i_by_column_clear(by);
        return hcbr_i_no_memory(err);
    }
    by->text_count = list_texts(x->model, by->texts);
    return HCBR_OK;
}

/* ---- sums ------------------------------------------------------------------------------------ */

void hcbr_i_by_column_clear(hcbr_i_by_column *by) {
    hcbr_i_free(by->place);
    hcbr_i_free(by->met);
    hcbr_i_free(by->sums);
    hcbr_i_free(by->tested);
    hcbr_i_free(by->part);
    hcbr_i_free(by->texts);
    hcbr_i_free(by->column);
    hcbr_i_free(by->word_place);
    hcbr_i_free(by->word_met);
    hcbr_i_free(by->word_lead);
    hcbr_i_free(by->pairs);
    *by = (hcbr_i_by_column){0};
}

/* Where the sums of a column are; NULL: no memory. */
static double *sums_of(hcbr_explainer *x, uint32_t column) {
    hcbr_i_by_column *by = &x->by_column;
    size_t each = (size_t)x->model->labels.count + 1;
    if (by->place[column] == 0) {
        if (!hcbr_i_grow(&by->met, &by->met_capacity, by->count + 1, sizeof *by->met) ||
            !hcbr_i_grow(&by->sums, &by->sums_capacity, (by->count + 1) * each, sizeof *by->sums))
            return NULL;
        memset(by->sums + by->count * each, 0, each * sizeof *by->sums);
        by->met[by->count++] = column;
        by->place[column] = (uint32_t)by->count;
    }
    return by->sums + (by->place[column] - 1) * each;
}

typedef double four __attribute__((vector_size(4 * sizeof(double))));

/* Of very many labels this takes most of the time: several at once. */
static void add_part(double *to, const double *part, uint32_t labels) {
    uint32_t l = 0;
    for (; l + 4 <= labels; l += 4) {
        four sum, of;
        memcpy(&sum, to + l, sizeof sum);
        memcpy(&of, part + l, sizeof of);
        sum += of;
        memcpy(to + l, &sum, sizeof sum);
    }
    for (; l < labels; l++)
        to[l] += part[l];
}

/* A word's part of an atom's contribution to the lead. */
static bool add_word(hcbr_i_by_column *by, hcbr_i_key_id key, double lead) {
    if (by->word_place[key] == 0) {
        if (!hcbr_i_grow(&by->word_met, &by->word_met_capacity, by->word_count + 1,
                         sizeof *by->word_met) ||
            !hcbr_i_grow(&by->word_lead, &by->word_lead_capacity, by->word_count + 1,
                         sizeof *by->word_lead))
            return false;
        by->word_met[by->word_count] = key;
        by->word_lead[by->word_count++] = 0;
        by->word_place[key] = (uint32_t)by->word_count;
    }
    by->word_lead[by->word_place[key] - 1] += lead;
    return true;
}

static int compare_pairs(const void *a, const void *b) {
    return hcbr_i_order_u64(*(const uint64_t *)a, *(const uint64_t *)b);
}

/* Divide the contribution of text columns among the different words that the atom tests. */
static bool divide_words(hcbr_explainer *x, const hcbr_i_key_id *keys, size_t count, double part) {
    hcbr_i_by_column *by = &x->by_column;
    const uint32_t all = hcbr_i_dict_key_count(x->model->dict);
    size_t words = 0, different = 0;
    if (!hcbr_i_grow(&by->pairs, &by->pair_capacity, count, sizeof *by->pairs))
        return false;
    for (size_t n = 0; n < count; n++) {
        const uint64_t column = column_of(x, keys[n]);
        if (column >= all)
            by->pairs[words++] = column << 32 | keys[n];
    }
    for (size_t n = 1; n < words; n++) // mostly they come in order
        if (by->pairs[n - 1] > by->pairs[n]) {
            qsort(by->pairs, words, sizeof *by->pairs, compare_pairs);
            break;
        }
    for (size_t n = 0; n < words; n++)
        if (n == 0 || by->pairs[n] != by->pairs[n - 1])
            by->pairs[different++] = by->pairs[n];
    for (size_t n = 0, end; n < different; n = end) {
        for (end = n + 1; end < different && by->pairs[end] >> 32 == by->pairs[n] >> 32;)
            end++;
        for (size_t k = n; k < end; k++)
            if (!add_word(by, (uint32_t)by->pairs[k], part / (double)(end - n)))
                return false;
    }
    return true;
}

/* Most atoms test few columns, and most of them in order. */
static void sort_columns(uint32_t *list, size_t count) {
    for (size_t n = 1; n < count; n++) {
        const uint32_t column = list[n];
        size_t at = n;
        if (count > FEW && list[n - 1] > column) {
            qsort(list, count, sizeof *list, hcbr_i_compare_u32);
            return;
        }
        for (; at > 0 && list[at - 1] > column; at--)
            list[at] = list[at - 1];
        list[at] = column;
    }
}

static bool divide(void *context, const hcbr_i_key_id *keys, size_t count, const double *by_label,
                   double lead) {
    hcbr_explainer *x = context;
    hcbr_i_by_column *by = &x->by_column;
    uint32_t labels = x->model->labels.count;
    size_t different = 0;
    if (!hcbr_i_grow(&by->tested, &by->tested_capacity, count, sizeof *by->tested))
        return false;
    for (size_t n = 0; n < count; n++)
        by->tested[n] = column_of(x, keys[n]);
    sort_columns(by->tested, count);
    for (size_t n = 0; n < count; n++)
        if (n == 0 || by->tested[n] != by->tested[n - 1])
            by->tested[different++] = by->tested[n];
    if (!hcbr_i_grow(&by->part, &by->part_capacity, labels, sizeof *by->part))
        return false;
    for (uint32_t l = 0; different > 1 && l < labels; l++)
        by->part[l] = by_label[l] / (double)different;
    if (different == 0)
        add_part(x->a.sums + 5 * (size_t)labels, by_label, labels);
    for (size_t n = 0; n < different; n++) {
        double *to = sums_of(x, by->tested[n]);
        if (!to)
            return false;
        add_part(to, different > 1 ? by->part : by_label, labels);
        to[labels] += lead / (double)different;
    }
    return by->text_count == 0 || different == 0 ||
           divide_words(x, keys, count, lead / (double)different);
}

/* ---- showing --------------------------------------------------------------------------------- */

static int compare_columns(const void *a, const void *b) {
    const hcbr_explained_column *p = a, *q = b;
    int order = hcbr_i_order_size(p->lead, q->lead);
    return order ? order : hcbr_i_text_compare(p->name, p->name_length, q->name, q->name_length);
}

static hcbr_status show(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    const hcbr_i_by_column *by = &x->by_column;
    uint32_t labels = x->model->labels.count;
    size_t each = (size_t)labels + 1;
    hcbr_explained_column *out = hcbr_i_account_take(&x->a, by->count, sizeof *out);
    double *sums = hcbr_i_account_take(&x->a, by->count, each * sizeof *sums);
    if (!out || !sums)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < by->count; n++) {
        hcbr_i_text name = name_of(x, by->met[n]);
        double *own = sums + n * each;
        memcpy(own, by->sums + n * each, each * sizeof *own);
        out[n] = (hcbr_explained_column){name.at, name.length, own[labels], own};
    }
    if (by->count)
        qsort(out, by->count, sizeof *out, compare_columns);
    e->columns = out;
    e->all_columns = by->count;
    e->column_count = by->count < x->a.options.columns ? by->count : x->a.options.columns;
    return HCBR_OK;
}

static int compare_words(const void *a, const void *b) {
    const hcbr_explained_word *p = a, *q = b;
    int order = hcbr_i_order_size(p->lead, q->lead);
    return order ? order : hcbr_i_text_compare(p->key, p->key_length, q->key, q->key_length);
}

static hcbr_status show_words(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    const hcbr_i_by_column *by = &x->by_column;
    hcbr_explained_word *out = hcbr_i_account_take(&x->a, by->word_count, sizeof *out);
    if (!out)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < by->word_count; n++) {
        hcbr_i_text key = hcbr_i_dict_key(x->model->dict, by->word_met[n]);
        out[n] = (hcbr_explained_word){key.at, key.length, hcbr_i_by_column_text(by, key)->length,
                                       by->word_lead[n], 0};
    }
    for (size_t i = 0; i < x->row->x.count; i++) {
        const hcbr_i_key_id key = x->row->x.items[i].key;
        if (key != HCBR_I_NONE && by->word_place[key])
            out[by->word_place[key] - 1].present = 1;
    }
    if (by->word_count)
        qsort(out, by->word_count, sizeof *out, compare_words);
    e->words = out;
    e->word_count = by->word_count;
    return HCBR_OK;
}

hcbr_status hcbr_i_explainer_by_column(hcbr_explainer *x, hcbr_explanation *e, hcbr_error *err) {
    hcbr_i_by_column *by = &x->by_column;
    hcbr_status st = hcbr_i_by_column_begin(x, err);
    if (st != HCBR_OK)
        return st;
    by->count = by->word_count = 0;
    st = x->engine->each_group(&x->a, divide, x, err);
    if (st == HCBR_OK)
        st = show(x, e, err);
    if (st == HCBR_OK && by->text_count)
        st = show_words(x, e, err);
    for (size_t n = 0; n < by->count; n++)
        by->place[by->met[n]] = 0;
    for (size_t n = 0; n < by->word_count; n++)
        by->word_place[by->word_met[n]] = 0;
    return st;
}
