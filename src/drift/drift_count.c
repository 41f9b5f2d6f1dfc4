/*
 * The values of each column, counted in training and in new cases by the same loop.
 *
 * Invariant: counts are whole numbers, so the order of the cases does not matter.
 */
#include "drift/drift.h"

#include <hcbr/number.h>

#include <stdio.h>
#include <stdlib.h>

/* ---- numbers --------------------------------------------------------------------------------- */

bool hcbr_i_spans_add(hcbr_i_spans *s, double value) {
    if (!hcbr_i_grow(&s->values, &s->capacity, s->count + 1, sizeof *s->values))
        return false;
    s->values[s->count++] = value;
    return true;
}

/* The range of a number: 0 below all of training, cut_count above. */
static uint32_t range_of(const hcbr_i_spans *s, double value) {
    uint32_t r = 0;
    if (value < s->cut[0])
        return 0;
    for (r = 1; r < s->cut_count && value > s->cut[r]; r++)
        ;
    return r;
}

void hcbr_i_spans_cut(hcbr_i_spans *s) {
    if (s->count == 0)
        return;
    qsort(s->values, s->count, sizeof *s->values, hcbr_i_compare_double);
    s->cut[s->cut_count++] = s->values[0];
    for (uint32_t i = 1; i <= HCBR_I_DRIFT_PARTS; i++) {
        // the last of the first i tenths; without a product that is too large
        size_t tenth = s->count / HCBR_I_DRIFT_PARTS, rest = s->count % HCBR_I_DRIFT_PARTS;
        size_t end = i * tenth + (i * rest + HCBR_I_DRIFT_PARTS - 1) / HCBR_I_DRIFT_PARTS;
        double value = s->values[end ? end - 1 : 0];
        if (s->cut_count == 1 || value > s->cut[s->cut_count - 1])
            s->cut[s->cut_count++] = value;
    }
    for (size_t n = 0; n < s->count; n++)
        s->in[HCBR_I_TRAINED][range_of(s, s->values[n])]++;
    hcbr_i_free(s->values);
    s->values = NULL;
    s->capacity = 0;
}

void hcbr_i_spans_count(hcbr_i_spans *s, double value) {
    if (s->cut_count)
        s->in[HCBR_I_HERE][range_of(s, value)]++;
}

/* ---- columns --------------------------------------------------------------------------------- */

/* The text column that a key is a word of, by the longest matching name; HCBR_I_NONE: none. */
static uint32_t text_of(const hcbr_i_drift_counts *c, const char *key, size_t length) {
    uint32_t best = HCBR_I_NONE;
    size_t longest = 0;
    for (uint32_t t = 0; t < c->text_count; t++) {
        hcbr_i_text name = c->texts[t];
        if (name.length >= longest && name.length < length && key[name.length] == ':' &&
            memcmp(key, name.at, name.length) == 0) {
            best = t;
            longest = name.length;
        }
    }
    return best;
}

static bool add_text(hcbr_i_drift_counts *c, const char *name, size_t length) {
    if (!hcbr_i_grow(&c->texts, &c->text_capacity, (size_t)c->text_count + 1, sizeof *c->texts))
        return false;
    c->texts[c->text_count++] = (hcbr_i_text){name, length};
    return true;
}

/* Text columns: those named by options of reading, and those found. */
static bool find_texts(hcbr_i_drift_counts *c) {
    const hcbr_i_stored_read *read = &c->model->read;
    const hcbr_i_schema *schema = c->model->schema;
    for (uint32_t t = 0; t < read->text_count; t++) {
        const char *name = read->columns[2 * (size_t)read->split_count + t];
        if (!add_text(c, name, strlen(name)))
            return false;
    }
    for (size_t n = 0; schema && n < hcbr_i_schema_count(schema); n++) {
        const hcbr_i_schema_column *x = hcbr_i_schema_get(schema, n);
        if (x->use == HCBR_I_USE_TEXT && !add_text(c, x->name.at, x->name.length))
            return false;
    }
    return true;
}

static bool has_cuts(const hcbr_model *m, hcbr_i_key_id key) {
    return m->engine->has_cuts && m->engine->has_cuts(m->state, key);
}

/* Assign the keys of the model to columns. A key with values is a column by itself, even if it is
 * bare in some cases. */
static void place_keys(hcbr_i_drift_counts *c) {
    const hcbr_i_dict *dict = c->model->dict;
    const uint32_t bare = c->column_count - 1;
    for (uint32_t k = 0; k < c->key_count; k++) {
        hcbr_i_text name = hcbr_i_dict_key(dict, k);
        uint32_t text = text_of(c, name.at, name.length);
        c->column_of[k] = text == HCBR_I_NONE ? bare : c->key_count + text;
    }
    for (uint32_t k = 0; k < c->key_count; k++)
        if (c->column_of[k] == bare && has_cuts(c->model, k))
            c->column_of[k] = k;
    for (uint32_t f = 0; f < hcbr_i_dict_count(dict); f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        if (x.value && c->column_of[x.key] == bare)
            c->column_of[x.key] = x.key;
    }
    for (uint32_t k = 0; k < c->key_count; k++) {
        hcbr_i_drift_column *column = &c->columns[c->column_of[k]];
        column->used = true;
        if (c->column_of[k] == k) {
            column->name = hcbr_i_dict_key(dict, k);
            column->number = has_cuts(c->model, k);
        }
    }
    for (uint32_t t = 0; t < c->text_count; t++) {
        c->columns[c->key_count + t].name = c->texts[t];
        c->columns[c->key_count + t].words = true;
    }
    c->columns[bare].name = (hcbr_i_text){"", 0};
}

hcbr_status hcbr_i_drift_counts_init(hcbr_i_drift_counts *c, const hcbr_model *model,
                                     hcbr_error *err) {
    *c = (hcbr_i_drift_counts){.model = model};
    c->key_count = hcbr_i_dict_key_count(model->dict);
    if (!find_texts(c))
        return hcbr_i_no_memory(err);
    c->column_count = c->key_count + c->text_count + 1;
    c->columns = hcbr_i_alloc_zero(c->column_count, sizeof *c->columns);
    c->column_of = hcbr_i_alloc(c->key_count, sizeof *c->column_of);
    bool room = c->columns && c->column_of;
    for (int s = 0; s < HCBR_I_SIDES; s++) {
        c->feature[s] = hcbr_i_alloc_zero(hcbr_i_dict_count(model->dict), sizeof *c->feature[s]);
        c->key[s] = hcbr_i_alloc_zero(c->key_count, sizeof *c->key[s]);
        c->answer[s] = hcbr_i_alloc_zero((size_t)model->labels.count + 1, sizeof *c->answer[s]);
        room = room && c->feature[s] && c->key[s] && c->answer[s];
    }
    if (!room)
        return hcbr_i_no_memory(err);
    place_keys(c);
    return hcbr_i_labels_copy(&c->labels, &model->labels, err);
}

static void fresh_clear(hcbr_i_fresh *fresh) {
    hcbr_i_labels_clear(&fresh->names);
    hcbr_i_free(fresh->cases);
}

void hcbr_i_drift_counts_clear(hcbr_i_drift_counts *c) {
    for (uint32_t n = 0; c->columns && n < c->column_count; n++)
        hcbr_i_free(c->columns[n].spans.values);
    hcbr_i_free(c->columns);
    hcbr_i_free(c->texts);
    hcbr_i_free(c->column_of);
    for (int s = 0; s < HCBR_I_SIDES; s++) {
        hcbr_i_free(c->feature[s]);
        hcbr_i_free(c->key[s]);
        hcbr_i_free(c->answer[s]);
    }
    hcbr_i_free(c->scores.values);
    hcbr_i_labels_clear(&c->labels);
    hcbr_i_free(c->label_cases);
    fresh_clear(&c->values);
    fresh_clear(&c->new_columns);
}

/* ---- new values ------------------------------------------------------------------------------ */

/* Count a case with a name, which is new to training. */
static hcbr_status fresh_add(hcbr_i_fresh *fresh, const char *name, size_t length,
                             hcbr_error *err) {
    uint32_t n, before = fresh->names.count;
    hcbr_status st = hcbr_i_labels_intern(&fresh->names, name, length, &n, err);
    if (st != HCBR_OK)
        return st;
    if (!hcbr_i_grow(&fresh->cases, &fresh->capacity, fresh->names.count, sizeof *fresh->cases))
        return hcbr_i_no_memory(err);
    if (n >= before)
        fresh->cases[n] = 0;
    fresh->cases[n]++;
    return HCBR_OK;
}

/* A value of a column that training never saw. */
static hcbr_status add_value(hcbr_i_drift_counts *c, uint32_t column, const char *value,
                             size_t length, hcbr_error *err) {
    char *text = hcbr_i_alloc(length + 16, 1);
    if (!text)
        return hcbr_i_no_memory(err);
    size_t used = (size_t)snprintf(text, 16, "%u:", column);
    if (length)
        memcpy(text + used, value, length);
    hcbr_status st = fresh_add(&c->values, text, used + length, err);
    hcbr_i_free(text);
    return st;
}

/* ---- a case ---------------------------------------------------------------------------------- */

/* The column of a feature; HCBR_I_NONE: not in training. */
static uint32_t column_of(const hcbr_i_drift_counts *c, const hcbr_i_case_item *item) {
    const hcbr_feature *f = &item->feature;
    const uint32_t bare = c->column_count - 1;
    if (item->key != HCBR_I_NONE)
        return c->column_of[item->key];
    uint32_t text = text_of(c, f->key, f->key_length);
    if (text != HCBR_I_NONE)
        return c->key_count + text;
    return !f->value && c->columns[bare].used ? bare : HCBR_I_NONE;
}

/* A value that is neither an ordered number nor a feature or word of training. */
static hcbr_status count_unseen(hcbr_i_drift_counts *c, uint32_t column, const hcbr_feature *f,
                                hcbr_error *err) {
    hcbr_i_drift_column *to = &c->columns[column];
    to->unseen++;
    if (to->words) {
        size_t skip = to->name.length + 1;
        return add_value(c, column, f->key + skip, f->key_length - skip, err);
    }
    if (column == c->column_count - 1)
        return add_value(c, column, f->key, f->key_length, err);
    return add_value(c, column, f->value ? f->value : "", f->value ? f->value_length : 0, err);
}

static hcbr_status count_item(hcbr_i_drift_counts *c, int side, const hcbr_i_case_item *item,
                              hcbr_error *err) {
    uint32_t column = column_of(c, item);
    const hcbr_feature *f = &item->feature;
    double value;
    if (column == HCBR_I_NONE)
        return fresh_add(&c->new_columns, f->key, f->key_length, err);
    hcbr_i_drift_column *to = &c->columns[column];
    to->values[side]++;
    if (to->last != c->serial) {
        to->last = c->serial;
        to->cases[side]++;
    }
    if (to->number && f->value && hcbr_number_parse(&value, f->value, f->value_length)) {
        if (side == HCBR_I_TRAINED)
            return hcbr_i_spans_add(&to->spans, value) ? HCBR_OK : hcbr_i_no_memory(err);
        hcbr_i_spans_count(&to->spans, value);
        return HCBR_OK;
    }
    if (to->words && item->key != HCBR_I_NONE)
        c->key[side][item->key]++;
    else if (item->id != HCBR_I_NONE)
        c->feature[side][item->id]++;
    else if (side == HCBR_I_HERE)
        return count_unseen(c, column, f, err);
    return HCBR_OK;
}

/* How sure the model is of a decision. */
static double score_of(const hcbr_decision *d) {
    const double *p = d->probability;
    double best = 0;
    if (d->label_count == 2)
        return p ? p[1] : d->winner == 1 ? d->lead : -d->lead;
    if (!p)
        return d->lead;
    for (size_t l = 0; l < d->label_count; l++)
        best = p[l] > best ? p[l] : best;
    return best;
}

static hcbr_status count_label(hcbr_i_drift_counts *c, const hcbr_decision *d, hcbr_error *err) {
    uint32_t n;
    if (!d->given)
        return HCBR_OK;
    size_t before = c->label_capacity;
    hcbr_status st = hcbr_i_labels_intern(&c->labels, d->given, d->given_length, &n, err);
    if (st != HCBR_OK)
        return st;
    if (!hcbr_i_grow(&c->label_cases, &c->label_capacity, c->labels.count, sizeof *c->label_cases))
        return hcbr_i_no_memory(err);
    if (c->label_capacity > before)
        memset(c->label_cases + before, 0, (c->label_capacity - before) * sizeof *c->label_cases);
    c->label_cases[n]++;
    c->labelled++;
    return HCBR_OK;
}

hcbr_status hcbr_i_drift_count(hcbr_i_drift_counts *c, int side, const hcbr_i_case *x,
                               const hcbr_decision *d, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    c->serial++;
    c->case_count[side]++;
    for (size_t n = 0; st == HCBR_OK && n < x->count; n++)
        st = count_item(c, side, &x->items[n], err);
    if (st != HCBR_OK)
        return st;
    c->answer[side][d->label >= 0 ? (uint32_t)d->label : c->model->labels.count]++;
    if (side == HCBR_I_TRAINED)
        return hcbr_i_spans_add(&c->scores, score_of(d)) ? HCBR_OK : hcbr_i_no_memory(err);
    hcbr_i_spans_count(&c->scores, score_of(d));
    c->features += x->count;
    c->unseen += x->count - x->known;
    c->unseen_cases += x->known < x->count;
    c->unknown_cases += x->known == 0;
    return count_label(c, d, err);
}

/* ---- training -------------------------------------------------------------------------------- */

void hcbr_i_drift_count_known(hcbr_i_drift_counts *c) {
    const hcbr_i_frame frame = hcbr_i_model_frame(c->model);
    c->case_count[HCBR_I_TRAINED] = c->model->case_count;
    for (uint32_t f = 0; f < frame.feature_count; f++) {
        uint32_t key = hcbr_i_dict_get(frame.dict, f).key;
        hcbr_i_drift_column *column = &c->columns[c->column_of[key]];
        uint64_t count = 0;
        for (uint32_t l = 0; l < frame.label_count; l++)
            count += frame.past.count(frame.past.state, f, l);
        column->values[HCBR_I_TRAINED] += count;
        if (column->words)
            c->key[HCBR_I_TRAINED][key] += count;
        else
            c->feature[HCBR_I_TRAINED][f] += count;
    }
}

void hcbr_i_drift_counts_cut(hcbr_i_drift_counts *c) {
    for (uint32_t n = 0; n < c->column_count; n++)
        hcbr_i_spans_cut(&c->columns[n].spans);
    hcbr_i_spans_cut(&c->scores);
}
