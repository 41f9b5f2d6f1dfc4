/*
 * The encoding of each key: a dense column of ordered or unordered codes, or members of a bag; and
 * the training cases as codes.
 *
 * The choice depends on the values of the training cases alone. Columns are sorted by the bytes of
 * the keys, values of a category and members of the bag by their own bytes, so that neither the
 * order of the file nor the numbers of a dictionary matter. A number with cuts has no feature.
 */
#include "rich/encode/column_encoding.h"
#include "rich/encode/kept_cases.h"

#include <math.h>
#include <stdlib.h>

#define DENSE_PART 8u   /* a column is dense if one in this many cases has it */
#define MOST_CODES 255u /* values of a dense category */
#define CODED 32768u    /* numbers that a thread codes at a time */

/* ---- kinds ----------------------------------------------------------------------------------- */

static hcbr_i_rich_kind kind_of(const hcbr_i_rich_maker *m, const hcbr_i_rich_seen *s,
                                uint32_t values) {
    bool numeric = s->is_numeric ? s->numbers > 0 && !s->several
                                 : !s->is_categorical && !s->words && !s->several &&
                                       values >= m->options->tuning.fewest_numbers;
    bool dense = !s->several && s->weight >= floor(m->total / DENSE_PART) && values > 1;
    if (values == 0)
        return HCBR_I_RICH_UNUSED;
    if (numeric)
        return dense ? HCBR_I_RICH_NUMBER : HCBR_I_RICH_SPARSE;
    return dense && values <= MOST_CODES ? HCBR_I_RICH_CATEGORY : HCBR_I_RICH_BAG;
}

static bool any_wide(const hcbr_i_rich_maker *m, const hcbr_i_rich_entry *entries, size_t count) {
    for (size_t n = 0; m->wide && n < count; n++)
        if (hcbr_i_rich_entry_wide(m, &entries[n]))
            return true;
    return false;
}

/* Whether the schema already doubts it: an id by its values or its name, or a category of mostly
 * numbers. */
static bool is_told(const hcbr_cases *cases, hcbr_i_key_id k) {
    const hcbr_i_text name = hcbr_i_dict_key(cases->dict, k);
    const hcbr_i_schema_column *c = hcbr_i_schema_find(cases->schema, name.at, name.length);
    return c && (c->kind.kind == HCBR_I_KIND_ID ||
                 (c->kind.kind == HCBR_I_KIND_CATEGORY && c->kind.plain));
}

/* Warn about the encoding of a key if it is doubtful. */
static void doubt(hcbr_i_rich_maker *m, hcbr_i_key_id k, hcbr_i_rich_kind kind, uint32_t values,
                  const hcbr_i_rich_entry *entries, size_t count, uint32_t distinct) {
    const hcbr_i_rich_seen *s = &m->seen[k];
    hcbr_i_rich_facts facts = {.kind = kind,
                               .is_numeric = s->is_numeric,
                               .is_categorical = s->is_categorical,
                               .several = s->several,
                               .is_said = m->options->kinds_said && is_told(m->cases, k)};
    char room[HCBR_NUMBER_SIZE];
    if (!m->options->notify)
        return;
    for (uint32_t v = 0; v < values; v++) {
        double number = 0;
        const hcbr_i_rich_value *x = &m->values[v];
        if (x->old != HCBR_I_NONE || !hcbr_number_parse(&number, x->text.at, x->text.length))
            hcbr_i_rich_facts_word(&facts, x->text, x->weight);
        else
            hcbr_i_rich_facts_number(&facts, (hcbr_i_text){NULL, 0}, number, x->weight);
    }
    for (uint32_t v = 0; values == 0 && v < distinct; v++)
        hcbr_i_rich_facts_number(&facts, (hcbr_i_text){NULL, 0}, m->amounts[v].value,
                                 m->amounts[v].weight);
    for (uint32_t w = m->word_start[k]; values == 0 && w < m->word_start[k + 1]; w++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(m->cases->dict, m->words[w]);
        if (m->weight[m->words[w]] > 0 && isnan(m->word_value[m->words[w]]))
            hcbr_i_rich_facts_word(&facts, (hcbr_i_text){x.value, x.value ? x.value_length : 0},
                                   m->weight[m->words[w]]);
    }
    for (size_t n = 0; m->wide && n < count && !facts.wide.at; n++)
        if (hcbr_i_rich_entry_wide(m, &entries[n])) // of which the text is shown
            facts.wide = hcbr_i_rich_entry_text(m, &entries[n], room);
    hcbr_i_rich_doubt(m->options, hcbr_i_dict_key(m->cases->dict, k), &facts, &m->doubts);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The cuts of a key, and its values if they are few. */
static bool add_cuts(hcbr_i_rich_maker *m, hcbr_i_rich_key *key, uint32_t distinct) {
    hcbr_i_rich_encoder *e = m->out;
    bool sparse = key->kind == HCBR_I_RICH_SPARSE;
    if (!hcbr_i_grow(&e->cuts, &m->cut_capacity, (size_t)e->cut_count + HCBR_I_RICH_MOST_CUTS + 2,
                     sizeof *e->cuts) ||
        !hcbr_i_grow(&e->values, &m->few_capacity, (size_t)e->value_count + HCBR_I_RICH_EXACT,
                     sizeof *e->values))
        return false;
    key->cut_start = e->cut_count;
    key->value_count = distinct;
    key->cut_count = hcbr_i_rich_cut(m->amounts, distinct, sparse, e->cuts + e->cut_count);
    e->cut_count += key->cut_count;
    for (uint32_t v = 0; !sparse && distinct <= HCBR_I_RICH_EXACT && v < distinct; v++)
        e->values[e->value_count++] = m->amounts[v].value;
    return true;
}

/* Numbers of a key as codes. */
typedef struct coding {
    const hcbr_i_rich_entry *entries;
    const double *cuts;
    uint32_t cut_count;
    uint8_t *codes; /* by place */
    double *column; /* by place; NULL: not wanted */
} coding;

static void code_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const coding *x = context;
    (void)worker;
    for (uint64_t n = begin; n < end; n++) { // all of different cases
        const hcbr_i_rich_entry *e = &x->entries[n];
        x->codes[e->place] = hcbr_i_rich_code(x->cuts, x->cut_count, e->value);
        if (x->column)
            x->column[e->place] = e->value;
    }
}

/* A dense number: its codes, and its kept values. */
static hcbr_status code_dense(hcbr_i_rich_maker *m, hcbr_i_rich_key *key,
                              const hcbr_i_rich_entry *entries, size_t count, hcbr_error *err) {
    size_t all = m->coded->count, columns = m->out->column_count;
    if (all && columns + 1 > SIZE_MAX / all)
        return hcbr_i_no_memory(err);
    if (!hcbr_i_grow(&m->coded->codes, &m->code_capacity, (columns + 1) * all, 1) ||
        (m->past && !hcbr_i_grow(&m->column, &m->column_capacity, all, sizeof *m->column)))
        return hcbr_i_no_memory(err);
    coding x = {.entries = entries, .cuts = m->out->cuts + key->cut_start};
    x.cut_count = key->cut_count;
    x.codes = m->coded->codes + columns * all;
    x.column = m->past ? m->column : NULL;
    memset(x.codes, 0, all);
    for (size_t i = 0; m->past && i < all; i++)
        m->column[i] = NAN;
    hcbr_i_parallel(m->options->threads, count, CODED, code_some, &x);
    if (!m->past)
        return HCBR_OK;
    return hcbr_i_rich_past_add_column(m->past, m->column, all) ? HCBR_OK : hcbr_i_no_memory(err);
}

static bool code_sparse(hcbr_i_rich_maker *m, hcbr_i_key_id number, const hcbr_i_rich_key *key,
                        const hcbr_i_rich_entry *entries, size_t count) {
    if (!hcbr_i_grow(&m->sparse, &m->sparse_capacity, m->sparse_count + count, sizeof *m->sparse))
        return false;
    for (size_t n = 0; n < count; n++)
        m->sparse[m->sparse_count++] = (struct hcbr_i_rich_sparse){
            entries[n].value, entries[n].place, number,
            hcbr_i_rich_code(m->out->cuts + key->cut_start, key->cut_count, entries[n].value)};
    return true;
}

/* Keep numbers with more digits than a double as texts. */
static bool keep_wide(hcbr_i_rich_maker *m, hcbr_i_key_id number, const hcbr_i_rich_entry *entries,
                      size_t count) {
    char room[HCBR_NUMBER_SIZE];
    for (size_t n = 0; m->wide && m->past && n < count; n++) {
        if (!hcbr_i_rich_entry_wide(m, &entries[n]))
            continue;
        hcbr_i_text text = hcbr_i_rich_entry_text(m, &entries[n], room);
        if (!hcbr_i_grow(&m->text, &m->text_capacity, text.length + HCBR_NUMBER_SIZE, 1))
            return false;
        text = (hcbr_i_text){m->text, hcbr_i_decimal_canonical(m->text, text.at, text.length)};
        if (!hcbr_i_rich_past_add_text(m->past, number, entries[n].place, text))
            return false;
    }
    return true;
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* Turn words into features, and numbers too, unless the key has cuts. */
static hcbr_status add_features(hcbr_i_rich_maker *m, hcbr_i_key_id number, hcbr_i_rich_key *key,
                                const hcbr_i_rich_entry *entries, uint32_t values,
                                hcbr_error *err) {
    hcbr_i_dict *dict = m->out->dict;
    hcbr_status st = HCBR_OK;
    for (uint32_t v = 0; st == HCBR_OK && v < values; v++) {
        const hcbr_i_rich_value *x = &m->values[v];
        bool same = v > 0 && x->text.at && m->values[v - 1].text.at &&
                    hcbr_i_text_compare(x->text.at, x->text.length, m->values[v - 1].text.at,
                                        m->values[v - 1].text.length) == 0;
        if (!same) {
            key->value_count++;
            st = hcbr_i_dict_put(dict, number, x->text.at, x->text.length, err);
        }
        hcbr_i_feature_id id = hcbr_i_dict_count(dict) - 1;
        if (x->old != HCBR_I_NONE)
            m->known[x->old] = id;
        for (size_t n = x->first; x->old == HCBR_I_NONE && n < x->first + x->count; n++)
            m->item_known[entries[n].item] = id;
    }
    return st;
}

static hcbr_status need_item_known(hcbr_i_rich_maker *m, hcbr_error *err) {
    uint64_t items = m->cases->numbers.start ? m->cases->numbers.start[m->cases->case_count] : 0;
    if (m->item_known)
        return HCBR_OK;
    if (items > SIZE_MAX / sizeof *m->item_known ||
        !(m->item_known = hcbr_i_alloc((size_t)items, sizeof *m->item_known)))
        return hcbr_i_no_memory(err);
    memset(m->item_known, 0xFF, (size_t)items * sizeof *m->item_known); // HCBR_I_NONE
    return HCBR_OK;
}

/* The number of different texts. */
static uint32_t count_values(const hcbr_i_rich_maker *m, uint32_t values) {
    uint32_t different = 0;
    for (uint32_t v = 0; v < values; v++) {
        const hcbr_i_text x = m->values[v].text, y = v ? m->values[v - 1].text : x;
        different +=
            v == 0 || !x.at || !y.at || hcbr_i_text_compare(x.at, x.length, y.at, y.length) != 0;
    }
    return different;
}

static hcbr_status encode_key(hcbr_i_rich_maker *m, uint32_t number, hcbr_i_rich_entry *entries,
                              size_t count, hcbr_error *err) {
    hcbr_i_key_id k = m->order[number];
    const hcbr_i_rich_seen *s = &m->seen[k];
    hcbr_i_rich_key *key = &m->out->keys[number];
    uint32_t values = 0, different = 0, distinct = 0;
    bool texts = !hcbr_i_rich_may_be_number(s);
    hcbr_status st = HCBR_OK;
    if (!texts) {
        m->amounts = m->gathered + m->entry_start[number];
        distinct = m->distinct[number];
        different = distinct + s->words;
        texts = any_wide(m, entries, count) || kind_of(m, s, different) == HCBR_I_RICH_CATEGORY ||
                kind_of(m, s, different) == HCBR_I_RICH_BAG;
    }
    if (texts && (st = hcbr_i_rich_list_values(m, k, entries, count, &values, err)) != HCBR_OK)
        return st;
    different = texts ? count_values(m, values) : different;
    key->kind = kind_of(m, s, different);
    bool cuts = hcbr_i_rich_is_number(key);
    doubt(m, k, key->kind, cuts ? 0 : values, entries, count, distinct);
    if (cuts) {
        if (!add_cuts(m, key, distinct) || !keep_wide(m, number, entries, count))
            return hcbr_i_no_memory(err);
        if (key->kind == HCBR_I_RICH_SPARSE)
            st = code_sparse(m, number, key, entries, count) ? HCBR_OK : hcbr_i_no_memory(err);
        else
            st = code_dense(m, key, entries, count, err);
        m->out->column_count += key->kind == HCBR_I_RICH_NUMBER;
        uint32_t different_numbers = key->value_count;
        if (st == HCBR_OK && s->words && // words among numbers: they are known but unused
            (st = hcbr_i_rich_list_values(m, k, entries, 0, &values, err)) == HCBR_OK)
            st = add_features(m, number, key, entries, values, err);
        key->value_count = different_numbers;
        return st;
    }
    if (count && (st = need_item_known(m, err)) != HCBR_OK)
        return st;
    if (key->kind == HCBR_I_RICH_CATEGORY) { // codes are set case by case
        size_t all = m->coded->count;
        if ((all && m->out->column_count + (size_t)1 > SIZE_MAX / all) ||
            !hcbr_i_grow(&m->coded->codes, &m->code_capacity,
                         ((size_t)m->out->column_count + 1) * all, 1))
            return hcbr_i_no_memory(err);
        memset(m->coded->codes + m->out->column_count++ * all, 0, all);
    }
    return add_features(m, number, key, entries, values, err);
}

static hcbr_status encode_keys(hcbr_i_rich_maker *m, hcbr_error *err) {
    uint32_t keys = m->out->key_count;
    hcbr_status st = HCBR_OK;
    for (uint32_t from = 0, to; st == HCBR_OK && from < keys; from = to) {
        st = hcbr_i_rich_gather(m, from, &to, err);
        if (st == HCBR_OK && !hcbr_i_rich_weigh(m, from, to))
            st = hcbr_i_no_memory(err);
        for (uint32_t n = from; st == HCBR_OK && n < to; n++) {
            hcbr_i_text key = hcbr_i_dict_key(m->cases->dict, m->order[n]);
            st = hcbr_i_dict_put_key(m->out->dict, key.at, key.length, err);
            if (st == HCBR_OK)
                st = encode_key(m, n, m->entries + m->entry_start[n],
                                (size_t)(m->entry_start[n + 1] - m->entry_start[n]), err);
            if (st == HCBR_OK)
                st = hcbr_i_rich_go_on(m->options, err);
        }
    }
    hcbr_i_rich_doubt_end(m->options, m->doubts);
    m->out->feature_count = hcbr_i_dict_count(m->out->dict);
    if (st == HCBR_OK && !hcbr_i_rich_encoder_place(m->out))
        st = hcbr_i_no_memory(err);
    return st;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* Add a word of a number key. False: no memory. */
static bool add_word(hcbr_i_rich_coded *c, uint32_t place, hcbr_i_feature_id feature) {
    if (!hcbr_i_grow(&c->words, &c->word_capacity, c->word_count + 1, sizeof *c->words))
        return false;
    size_t at = c->word_count++;
    for (; at > 0 && c->words[at - 1].place == place && c->words[at - 1].feature > feature; at--)
        c->words[at] = c->words[at - 1];
    c->words[at] = (hcbr_i_rich_word){place, feature};
    return true;
}

/* Encode a feature of a case: a code, a member, or an unused word. False: no memory. */
static bool code_feature(hcbr_i_rich_maker *m, uint32_t place, hcbr_i_feature_id f,
                         hcbr_i_rich_row *bag) {
    const hcbr_i_rich_encoder *e = m->out;
    const hcbr_i_rich_key *key = &e->keys[hcbr_i_dict_get(e->dict, f).key];
    if (key->kind == HCBR_I_RICH_CATEGORY)
        m->coded->codes[(size_t)key->column * m->coded->count + place] = (uint8_t)e->code[f];
    else if (key->kind != HCBR_I_RICH_BAG)
        return add_word(m->coded, place, f);
    else if (!hcbr_i_grow(&bag->bag, &bag->bag_capacity, (size_t)bag->bag_count + 1,
                          sizeof *bag->bag))
        return false;
    else
        bag->bag[bag->bag_count++] = e->code[f];
    return true;
}

static bool code_numbers(hcbr_i_rich_maker *m, const size_t *start, uint32_t place,
                         const uint32_t *by_place, hcbr_i_rich_row *bag) {
    for (size_t n = start[place]; n < start[place + 1]; n++) {
        const struct hcbr_i_rich_sparse *x = &m->sparse[by_place[n]];
        uint32_t first = m->out->keys[x->key].bag;
        if (!hcbr_i_grow(&bag->bag, &bag->bag_capacity, (size_t)bag->bag_count + x->code,
                         sizeof *bag->bag) ||
            (m->past && !hcbr_i_rich_past_add_sparse(m->past, place, x->key, x->value)))
            return false;
        for (uint32_t b = 0; b < x->code; b++)
            bag->bag[bag->bag_count++] = first + b;
    }
    return true;
}

static hcbr_status code_cases(hcbr_i_rich_maker *m, const size_t *start, const uint32_t *by_place,
                              hcbr_error *err) {
    const struct hcbr_cases *c = m->cases;
    const hcbr_i_numbers *numbers = &c->numbers;
    hcbr_i_rich_coded *out = m->coded;
    hcbr_i_rich_row row = {0};
    size_t capacity = 0;
    bool ok = (out->bag_start = hcbr_i_alloc((size_t)out->count + 1, sizeof *out->bag_start));
    if (ok)
        out->bag_start[0] = 0;
    for (uint32_t place = 0; ok && place < out->count; place++) {
        uint32_t i = hcbr_i_rich_view_case(m->view, place);
        bool counts = hcbr_i_rich_weight(m->view, i) > 0;
        uint64_t at = out->bag_start[place];
        row.bag_count = 0;
        for (uint64_t j = c->start[i]; ok && counts && j < c->start[i + 1]; j++)
            if (m->known[c->features[j]] != HCBR_I_NONE)
                ok = code_feature(m, place, m->known[c->features[j]], &row);
        for (uint64_t j = numbers->start && m->item_known ? numbers->start[i] : 0;
             ok && counts && numbers->start && m->item_known && j < numbers->start[i + 1]; j++)
            if (m->item_known[j] != HCBR_I_NONE)
                ok = code_feature(m, place, m->item_known[j], &row);
        ok = ok && code_numbers(m, start, place, by_place, &row);
        hcbr_i_rich_row_end(&row);
        ok = ok && hcbr_i_grow(&out->bag, &capacity, (size_t)at + row.bag_count, sizeof *out->bag);
        if (ok && row.bag_count)
            memcpy(out->bag + at, row.bag, row.bag_count * sizeof *row.bag);
        out->bag_start[place + 1] = at + row.bag_count;
    }
    hcbr_i_free(row.bag);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

/* Sparse numbers by place, each by ascending key, and all cases as codes. */
static hcbr_status code_all(hcbr_i_rich_maker *m, hcbr_error *err) {
    size_t count = m->coded->count, *start = hcbr_i_alloc_zero(count + 2, sizeof *start);
    uint32_t *by_place = hcbr_i_alloc(m->sparse_count, sizeof *by_place);
    hcbr_status st =
        start && by_place && m->sparse_count < UINT32_MAX ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t n = 0; st == HCBR_OK && n < m->sparse_count; n++)
        start[m->sparse[n].place + 2]++;
    for (size_t i = 0; st == HCBR_OK && i < count; i++)
        start[i + 2] += start[i + 1];
    for (size_t n = 0; st == HCBR_OK && n < m->sparse_count; n++)
        by_place[start[m->sparse[n].place + 1]++] = (uint32_t)n;
    if (st == HCBR_OK)
        st = code_cases(m, start, by_place, err);
    hcbr_i_free(start);
    hcbr_i_free(by_place);
    return st;
}

static void maker_clear(hcbr_i_rich_maker *m) {
    hcbr_i_free(m->order);
    hcbr_i_free(m->seen);
    hcbr_i_free(m->word_start);
    hcbr_i_free(m->words);
    hcbr_i_free(m->weight);
    hcbr_i_free(m->word_value);
    hcbr_i_free(m->known);
    hcbr_i_free(m->item_known);
    hcbr_i_free(m->entries);
    hcbr_i_free(m->entry_start);
    hcbr_i_free(m->gathered);
    hcbr_i_free(m->distinct);
    hcbr_i_free(m->values);
    hcbr_i_free(m->text);
    hcbr_i_free(m->column);
    hcbr_i_free(m->sparse);
    hcbr_i_free(m->met_names);
    hcbr_i_hash_table_clear(&m->met);
}

hcbr_status hcbr_i_rich_encode(hcbr_i_rich_encoder *out, hcbr_i_rich_coded *coded,
                               hcbr_i_rich_past *past, const hcbr_i_rich_view *view,
                               const hcbr_i_rich_options *options, hcbr_error *err) {
    uint32_t keys = hcbr_i_dict_key_count(view->cases->dict);
    *out = (hcbr_i_rich_encoder){.key_count = keys};
    *coded = (hcbr_i_rich_coded){.count = hcbr_i_rich_view_count(view)};
    hcbr_i_rich_maker m = {.view = view,
                           .options = options,
                           .cases = view->cases,
                           .out = out,
                           .coded = coded,
                           .past = past};
    out->keys = hcbr_i_alloc_zero(keys, sizeof *out->keys);
    hcbr_status st = out->keys ? hcbr_i_dict_create(&out->dict, 0, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_rich_look(&m, err);
    if (st == HCBR_OK)
        st = encode_keys(&m, err);
    if (st == HCBR_OK)
        st = code_all(&m, err);
    maker_clear(&m);
    if (st != HCBR_OK) {
        hcbr_i_rich_encoder_clear(out);
        hcbr_i_rich_coded_clear(coded);
    }
    return st;
}

void hcbr_i_rich_coded_clear(hcbr_i_rich_coded *coded) {
    hcbr_i_free(coded->codes);
    hcbr_i_free(coded->bag_start);
    hcbr_i_free(coded->bag);
    hcbr_i_free(coded->words);
    *coded = (hcbr_i_rich_coded){0};
}
