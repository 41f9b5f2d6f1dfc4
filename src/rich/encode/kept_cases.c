/*
 * The kept training cases (kept_cases.h), and reading them back.
 *
 * Invariant: categories and members of a case are those of its row, numbers are its own, and the
 * codes of its numbers by the cuts are those of the row: so the table of merged cases can be made
 * again without sorting.
 */
#include "rich/encode/kept_cases.h"

#include <math.h>
#include <stdlib.h>

void hcbr_i_rich_past_free(hcbr_i_rich_past *p) {
    if (!p)
        return;
    hcbr_i_free(p->row_of);
    hcbr_i_free(p->group);
    hcbr_i_free(p->codes);
    hcbr_i_free(p->bag_start);
    hcbr_i_free(p->bag);
    hcbr_i_free(p->columns);
    hcbr_i_free(p->bytes);
    hcbr_i_free(p->sparse_start);
    hcbr_i_free(p->sparse_key);
    hcbr_i_free(p->sparse_value);
    hcbr_i_free(p->words);
    hcbr_i_free(p->texts);
    hcbr_i_free(p->text);
    hcbr_i_free(p);
}

/* ---- building -------------------------------------------------------------------------------- */

bool hcbr_i_rich_past_add_column(hcbr_i_rich_past *p, const double *column, size_t count) {
    return hcbr_i_grow(&p->columns, &p->column_capacity, p->column_count + 1, sizeof *p->columns) &&
           hcbr_i_rich_pack(&p->columns[p->column_count++], column, count, &p->bytes,
                            &p->byte_count, &p->byte_capacity);
}

bool hcbr_i_rich_past_add_text(hcbr_i_rich_past *p, uint32_t key, uint32_t place,
                               hcbr_i_text text) {
    if (text.length > UINT32_MAX ||
        !hcbr_i_grow(&p->texts, &p->text_capacity, p->text_count + 1, sizeof *p->texts) ||
        !hcbr_i_grow(&p->text, &p->text_bytes_capacity, p->text_bytes + text.length + 1, 1))
        return false;
    memcpy(p->text + p->text_bytes, text.at, text.length);
    p->texts[p->text_count++] =
        (hcbr_i_rich_text){key, place, (uint32_t)text.length, p->text_bytes};
    p->text_bytes += text.length;
    return true;
}

bool hcbr_i_rich_past_add_sparse(hcbr_i_rich_past *p, uint32_t place, uint32_t key, double value) {
    if (!p->sparse_start &&
        !(p->sparse_start = hcbr_i_alloc_zero((size_t)p->count + 1, sizeof *p->sparse_start)))
        return false;
    if (!hcbr_i_grow(&p->sparse_key, &p->sparse_key_capacity, p->sparse_count + 1,
                     sizeof *p->sparse_key) ||
        !hcbr_i_grow(&p->sparse_value, &p->sparse_value_capacity, p->sparse_count + 1,
                     sizeof *p->sparse_value))
        return false;
    p->sparse_key[p->sparse_count] = key;
    p->sparse_value[p->sparse_count++] = value;
    p->sparse_start[place + 1] = p->sparse_count;
    return true;
}

/* By member: whether it is a feature, not of a sparse number. */
static bool *member_features(const hcbr_i_rich_encoder *e) {
    bool *is = hcbr_i_alloc_zero(e->bag_count, sizeof *is);
    for (uint32_t f = 0; is && f < e->feature_count; f++)
        if (e->code[f] != HCBR_I_NONE &&
            e->keys[hcbr_i_dict_get(e->dict, f).key].kind == HCBR_I_RICH_BAG)
            is[e->code[f]] = true;
    return is;
}

/* Members of all rows that are features. */
static bool take_bags(hcbr_i_rich_past *p, const hcbr_i_rich_encoder *e,
                      const hcbr_i_rich_table *t) {
    bool *is = member_features(e);
    uint64_t members = 0;
    for (uint64_t b = 0; is && t->rows && b < t->bag_start[t->rows]; b++)
        members += is[t->bag[b]];
    p->bag_start = hcbr_i_alloc((size_t)t->rows + 1, sizeof *p->bag_start);
    p->bag = hcbr_i_alloc((size_t)members, sizeof *p->bag);
    bool ok = is && p->bag_start && p->bag;
    if (ok)
        p->bag_start[0] = members = 0;
    for (uint32_t r = 0; ok && r < t->rows; r++) {
        for (uint64_t b = t->bag_start[r]; b < t->bag_start[r + 1]; b++)
            if (is[t->bag[b]])
                p->bag[members++] = t->bag[b];
        p->bag_start[r + 1] = members;
    }
    hcbr_i_free(is);
    return ok;
}

static int by_place(const void *a, const void *b) {
    const hcbr_i_rich_text *p = a, *q = b;
    if (p->key != q->key)
        return p->key < q->key ? -1 : 1;
    return (p->place > q->place) - (p->place < q->place);
}

/* Sort texts by key and case, and store them in that order. */
static bool sort_texts(hcbr_i_rich_past *p) {
    char *text = hcbr_i_alloc(p->text_bytes, 1);
    size_t used = 0;
    if (!text)
        return false;
    if (p->text_count)
        qsort(p->texts, p->text_count, sizeof *p->texts, by_place);
    for (size_t t = 0; t < p->text_count; t++) {
        memcpy(text + used, p->text + p->texts[t].at, p->texts[t].length);
        p->texts[t].at = used;
        used += p->texts[t].length;
    }
    hcbr_i_free(p->text);
    p->text = text;
    return true;
}

bool hcbr_i_rich_past_end(hcbr_i_rich_past *p, const hcbr_i_rich_encoder *e,
                          const hcbr_i_rich_table *t, uint32_t *row_of) {
    p->row_of = row_of;
    p->rows = t->rows;
    for (uint32_t i = 0; p->sparse_start && i < p->count; i++) // of cases without any
        if (p->sparse_start[i + 1] < p->sparse_start[i])
            p->sparse_start[i + 1] = p->sparse_start[i];
    for (uint32_t c = 0; c < e->column_count; c++)
        p->categories += !e->columns[c].ordered;
    p->codes = hcbr_i_alloc(p->rows, p->categories);
    p->group = t->group ? hcbr_i_alloc(p->rows, sizeof *p->group) : NULL;
    if (p->group)
        memcpy(p->group, t->group, p->rows * sizeof *p->group);
    if (!p->codes || (t->group && !p->group) || !sort_texts(p) || !take_bags(p, e, t))
        return false;
    for (uint32_t c = 0, at = 0; c < e->column_count; c++) {
        for (size_t r = 0; !e->columns[c].ordered && r < p->rows; r++)
            p->codes[r * p->categories + at] = t->codes[c * (size_t)p->rows + r];
        at += !e->columns[c].ordered;
    }
    unsigned char *smaller = p->bytes ? hcbr_i_realloc(p->bytes, p->byte_count + 8, 1) : NULL;
    p->bytes = smaller ? smaller : p->bytes;
    return true;
}

/* ---- a case ---------------------------------------------------------------------------------- */

void hcbr_i_rich_past_case_clear(hcbr_i_rich_past_case *x) {
    hcbr_i_free(x->features);
    hcbr_i_free(x->numbers);
    *x = (hcbr_i_rich_past_case){0};
}

static bool add_feature(hcbr_i_rich_past_case *x, hcbr_i_feature_id f) {
    if (!hcbr_i_grow(&x->features, &x->feature_capacity, x->feature_count + 1, sizeof *x->features))
        return false;
    size_t at = x->feature_count++;
    for (; at > 0 && x->features[at - 1] > f; at--)
        x->features[at] = x->features[at - 1];
    x->features[at] = f;
    return true;
}

/* The text of a number that needs one. */
static hcbr_i_text text_of(const hcbr_i_rich_past *p, uint32_t key, uint32_t place) {
    size_t low = 0, high = p->text_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const hcbr_i_rich_text *t = &p->texts[middle];
        if (t->key < key || (t->key == key && t->place < place))
            low = middle + 1;
        else
            high = middle;
    }
    if (low == p->text_count || p->texts[low].key != key || p->texts[low].place != place)
        return (hcbr_i_text){NULL, 0};
    return (hcbr_i_text){p->text + p->texts[low].at, p->texts[low].length};
}

static bool add_number(const hcbr_i_rich_past *p, hcbr_i_rich_past_case *x, hcbr_i_key_id key,
                       uint32_t place, double value) {
    if (!hcbr_i_grow(&x->numbers, &x->number_capacity, x->number_count + 1, sizeof *x->numbers))
        return false;
    struct hcbr_i_rich_past_number number = {key, value, text_of(p, key, place)};
    size_t at = x->number_count++;
    for (; at > 0 && x->numbers[at - 1].key > key; at--)
        x->numbers[at] = x->numbers[at - 1];
    x->numbers[at] = number;
    return true;
}

/* Features of a key begin at the first with it; keys rise with features. */
static hcbr_i_feature_id first_feature(const hcbr_i_rich_encoder *e, hcbr_i_key_id key) {
    uint32_t low = 0, high = e->feature_count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hcbr_i_dict_get(e->dict, middle).key < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

hcbr_i_key_id hcbr_i_rich_key_of_member(const hcbr_i_rich_encoder *e, uint32_t member) {
    uint32_t low = 0, high = e->key_count;
    while (low + 1 < high) { // the last key whose members begin at or before it
        uint32_t middle = low + (high - low) / 2;
        if (e->keys[middle].bag <= member)
            low = middle;
        else
            high = middle;
    }
    return low;
}

hcbr_i_feature_id hcbr_i_rich_member_feature(const hcbr_i_rich_encoder *e, uint32_t member) {
    hcbr_i_key_id key = hcbr_i_rich_key_of_member(e, member);
    return first_feature(e, key) + (member - e->keys[key].bag);
}

/* The first word of a case; words are sorted by the places of their cases. */
static size_t first_word(const hcbr_i_rich_past *p, uint32_t number) {
    size_t low = 0, high = p->word_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (p->words[middle].place < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t hcbr_i_rich_past_features(const hcbr_i_rich_past *p, uint32_t number) {
    uint32_t row = p->row_of[number];
    size_t count = 0;
    for (uint32_t c = 0; row != HCBR_I_NONE && c < p->categories; c++)
        count += p->codes[(size_t)row * p->categories + c] != 0;
    if (row != HCBR_I_NONE)
        count += (size_t)(p->bag_start[row + 1] - p->bag_start[row]);
    for (size_t w = first_word(p, number); w < p->word_count && p->words[w].place == number; w++)
        count++;
    return count;
}

void hcbr_i_rich_past_identity(const hcbr_i_rich_past *p, const hcbr_i_rich_encoder *e,
                               uint32_t number, uint64_t identity[2]) {
    identity[0] = identity[1] = 0;
    for (uint32_t c = 0, dense = 0; c < e->column_count; c++) {
        if (!e->columns[c].ordered)
            continue;
        const hcbr_i_rich_packed *column = &p->columns[dense++];
        double value = hcbr_i_rich_unpack(column, p->bytes + column->at, number);
        if (!isnan(value))
            hcbr_i_rich_identity_add(e, identity, e->columns[c].key, value,
                                     text_of(p, e->columns[c].key, number));
    }
    for (uint64_t n = p->sparse_start ? p->sparse_start[number] : 0;
         p->sparse_start && n < p->sparse_start[number + 1]; n++)
        hcbr_i_rich_identity_add(e, identity, p->sparse_key[n], p->sparse_value[n],
                                 text_of(p, p->sparse_key[n], number));
}

bool hcbr_i_rich_past_get(const hcbr_i_rich_past *p, const hcbr_i_rich_encoder *e, uint32_t number,
                          hcbr_i_rich_past_case *x) {
    uint32_t row = p->row_of[number];
    bool ok = true;
    x->feature_count = x->number_count = 0;
    for (uint32_t c = 0, category = 0, dense = 0; ok && c < e->column_count; c++) {
        if (e->columns[c].ordered) {
            const hcbr_i_rich_packed *column = &p->columns[dense++];
            double value = hcbr_i_rich_unpack(column, p->bytes + column->at, number);
            ok = isnan(value) || add_number(p, x, e->columns[c].key, number, value);
            continue;
        }
        uint8_t code = row == HCBR_I_NONE ? 0 : p->codes[(size_t)row * p->categories + category];
        category++;
        ok = !code || add_feature(x, first_feature(e, e->columns[c].key) + code - 1);
    }
    for (uint64_t b = row == HCBR_I_NONE ? 0 : p->bag_start[row];
         ok && row != HCBR_I_NONE && b < p->bag_start[row + 1]; b++)
        ok = add_feature(x, hcbr_i_rich_member_feature(e, p->bag[b]));
    for (uint64_t n = p->sparse_start ? p->sparse_start[number] : 0;
         ok && p->sparse_start && n < p->sparse_start[number + 1]; n++)
        ok = add_number(p, x, p->sparse_key[n], number, p->sparse_value[n]);
    for (size_t w = first_word(p, number); ok && w < p->word_count && p->words[w].place == number;
         w++)
        ok = add_feature(x, p->words[w].feature);
    return ok;
}

uint64_t hcbr_i_rich_past_size(const hcbr_i_rich_past *p, uint32_t number) {
    uint64_t count = hcbr_i_rich_past_features(p, number);
    if (p->sparse_start)
        count += p->sparse_start[number + 1] - p->sparse_start[number];
    for (size_t c = 0; c < p->column_count; c++)
        if (!isnan(hcbr_i_rich_unpack(&p->columns[c], p->bytes + p->columns[c].at, number)))
            count++;
    return count;
}
