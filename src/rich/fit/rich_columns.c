/*
 * How each key is encoded: as a dense column of ordered or unordered codes, or as members of a bag.
 *
 * The choice looks at the values of the training cases alone. Columns follow the bytes of the keys,
 * values of a category and members of the bag their own bytes, so that neither the order of the
 * file nor the numbers of the dictionary leave a trace.
 */
#include "rich/rich.h"

#include <math.h>
#include <stdlib.h>

#define MOST_CUTS 248u     /* of a dense number: codes stay below 256 */
#define MOST_DISTINCT 250u /* up to here every midpoint is a cut */
#define SPARSE_CUTS 4u     /* of a number that is mostly absent */
#define DENSE_PART 8u      /* a column is dense if one case in so many has it */
#define MOST_CODES 255u    /* values of a dense category */

/* A value of a number among the training cases. */
typedef struct number {
    double value, weight;
} number;

/* A feature with its text, to be sorted. */
typedef struct named {
    hcbr_i_text key, value;
    uint32_t feature;
} named;

/* What is seen of a key. */
typedef struct seen {
    uint32_t values, last_case;
    double weight; /* of the cases that have it */
    bool several;  /* two values in a case */
} seen;

typedef struct maker {
    const hcbr_i_rich_view *view;
    const hcbr_i_dict *dict;
    const hcbr_i_rich_options *options;
    hcbr_i_rich_encoder *out;
    seen *seen;      /* by key */
    double *weight;  /* of the cases that have a feature, by feature */
    double *value;   /* by feature; NaN: not a number */
    named *order;    /* features by the bytes of key and value */
    uint32_t used;   /* features */
    double total;    /* weight of all cases */
    number *numbers; /* room for the values of one key */
    size_t cut_capacity;
    uint32_t doubts; /* columns to warn about */
} maker;

static hcbr_i_text value_text(const hcbr_i_dict *dict, uint32_t feature) {
    hcbr_i_dict_feature f = hcbr_i_dict_get(dict, feature);
    return (hcbr_i_text){f.value, f.value ? f.value_length : 0};
}

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    int order = hcbr_i_text_compare(x->key.at, x->key.length, y->key.at, y->key.length);
    if (order)
        return order;
    if (!x->value.at || !y->value.at)
        return (x->value.at != NULL) - (y->value.at != NULL);
    return hcbr_i_text_compare(x->value.at, x->value.length, y->value.at, y->value.length);
}

static int by_value(const void *a, const void *b) {
    const number *x = a, *y = b;
    if (x->value != y->value)
        return x->value < y->value ? -1 : 1;
    return (x->weight > y->weight) - (x->weight < y->weight);
}

/* ---- looking at the cases -------------------------------------------------------------------- */

static void look_at_case(maker *m, uint32_t i, uint32_t serial) {
    const struct hcbr_cases *cases = m->view->cases;
    double w = hcbr_i_rich_weight(m->view, i);
    if (!(w > 0))
        return;
    m->total += w;
    for (uint64_t j = cases->start[i]; j < cases->start[i + 1]; j++) {
        uint32_t f = cases->features[j];
        seen *s = &m->seen[hcbr_i_dict_get(m->dict, f).key];
        if (m->weight[f] == 0)
            s->values++;
        m->weight[f] += w;
        if (s->last_case == serial + 1) {
            s->several = true;
        } else {
            s->weight += w;
            s->last_case = serial + 1;
        }
    }
}

static void look(maker *m) {
    const hcbr_i_rich_view *v = m->view;
    uint32_t count = v->index ? v->count : v->cases->case_count;
    for (uint32_t j = 0; j < count; j++)
        look_at_case(m, v->index ? v->index[j] : j, j);
    for (uint32_t f = 0; f < m->out->feature_count; f++) {
        hcbr_i_dict_feature d = hcbr_i_dict_get(m->dict, f);
        if (!d.value || !hcbr_number_parse(&m->value[f], d.value, d.value_length) ||
            !isfinite(m->value[f]))
            m->value[f] = NAN;
        if (m->weight[f] > 0) {
            m->order[m->used++] =
                (named){hcbr_i_dict_key(m->dict, d.key), value_text(m->dict, f), f};
        }
    }
    qsort(m->order, m->used, sizeof *m->order, by_name);
}

static bool listed(const char *const *list, size_t count, hcbr_i_text key) {
    for (size_t i = 0; i < count; i++)
        if (strlen(list[i]) == key.length && memcmp(list[i], key.at, key.length) == 0)
            return true;
    return false;
}

static hcbr_i_rich_kind kind_of(const maker *m, hcbr_i_key_id k, const hcbr_i_rich_facts *facts) {
    const seen *s = &m->seen[k];
    bool numeric = facts->is_numeric ? facts->numbers > 0 && !s->several
                                     : !facts->is_categorical && !facts->words && !s->several &&
                                           s->values >= m->options->tuning.fewest_numbers;
    bool dense = !s->several && s->weight >= floor(m->total / DENSE_PART) && s->values > 1;
    if (s->values == 0)
        return HCBR_I_RICH_UNUSED;
    if (numeric)
        return dense ? HCBR_I_RICH_NUMBER : HCBR_I_RICH_SPARSE;
    return dense && s->values <= MOST_CODES ? HCBR_I_RICH_CATEGORY : HCBR_I_RICH_BAG;
}

/* The values of a key, order[begin .. end), and what it is taken for. */
static hcbr_i_rich_facts look_at_key(const maker *m, hcbr_i_key_id k, uint32_t begin,
                                     uint32_t end) {
    const hcbr_i_rich_options *o = m->options;
    hcbr_i_text key = hcbr_i_dict_key(m->dict, k);
    hcbr_i_rich_facts facts = {.is_numeric = listed(o->numeric, o->numeric_count, key),
                               .is_categorical = listed(o->categorical, o->categorical_count, key),
                               .several = m->seen[k].several};
    for (uint32_t i = begin; i < end; i++)
        hcbr_i_rich_facts_add(&facts, m->order[i].value, m->value[m->order[i].feature],
                              m->weight[m->order[i].feature]);
    facts.kind = kind_of(m, k, &facts);
    return facts;
}

/* ---- cuts ------------------------------------------------------------------------------------ */

static double midpoint(double a, double b) {
    double m = a / 2 + b / 2;
    return m >= a && m < b ? m : a;
}

static int by_double(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Cuts between n distinct ascending values: `parts` - 1 that halve the weight evenly, and as many
 * that halve the values evenly if `both`. Returns how many different ones. */
static uint32_t quantiles(const number *v, uint32_t n, uint32_t parts, bool both, double *cuts) {
    uint32_t count = 0, j = 0;
    double total = 0, sum = 0;
    for (uint32_t i = 0; i < n; i++)
        total += v[i].weight;
    for (uint32_t q = 1; q < parts; q++) {
        while (j + 1 < n && sum + v[j].weight < total * q / parts)
            sum += v[j++].weight;
        if (j + 1 < n)
            cuts[count++] = midpoint(v[j].value, v[j + 1].value);
        uint32_t at = (uint32_t)((uint64_t)n * q / parts);
        if (both && at + 1 < n)
            cuts[count++] = midpoint(v[at].value, v[at + 1].value);
    }
    qsort(cuts, count, sizeof *cuts, by_double);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++)
        if (kept == 0 || cuts[i] > cuts[kept - 1])
            cuts[kept++] = cuts[i];
    return kept;
}

/* The cuts of a key whose features are order[begin .. end). */
static hcbr_status make_cuts(maker *m, hcbr_i_rich_key *key, uint32_t begin, uint32_t end,
                             hcbr_error *err) {
    hcbr_i_rich_encoder *e = m->out;
    uint32_t n = 0, distinct = 0;
    number *v = m->numbers;
    for (uint32_t i = begin; i < end; i++) {
        uint32_t f = m->order[i].feature;
        if (!isnan(m->value[f]))
            v[n++] = (number){m->value[f], m->weight[f]};
    }
    qsort(v, n, sizeof *v, by_value);
    for (uint32_t i = 0; i < n; i++) {
        if (distinct && v[distinct - 1].value == v[i].value)
            v[distinct - 1].weight += v[i].weight;
        else
            v[distinct++] = v[i];
    }
    if (!hcbr_i_grow(&e->cuts, &m->cut_capacity, (size_t)e->cut_count + MOST_CUTS + 2,
                     sizeof *e->cuts))
        return hcbr_i_no_memory(err);
    double *cuts = e->cuts + e->cut_count;
    key->cut_start = e->cut_count;
    key->value_count = distinct;
    uint32_t most = key->kind == HCBR_I_RICH_SPARSE ? SPARSE_CUTS + 1 : MOST_DISTINCT;
    if (distinct <= most) {
        for (uint32_t i = 0; i + 1 < distinct; i++)
            cuts[i] = midpoint(v[i].value, v[i + 1].value);
        key->cut_count = distinct - 1;
    } else if (key->kind == HCBR_I_RICH_SPARSE) {
        key->cut_count = quantiles(v, distinct, SPARSE_CUTS + 1, false, cuts);
    } else {
        key->cut_count = quantiles(v, distinct, MOST_CUTS / 2 + 1, true, cuts);
    }
    e->cut_count += key->cut_count;
    return HCBR_OK;
}

uint8_t hcbr_i_rich_code(const double *cuts, uint32_t count, double value) {
    uint32_t lo = 0, hi = count;
    while (lo < hi) {
        uint32_t mid = lo + (hi - lo) / 2;
        if (cuts[mid] < value)
            lo = mid + 1;
        else
            hi = mid;
    }
    return (uint8_t)(lo + 1);
}

/* ---- codes ----------------------------------------------------------------------------------- */

static hcbr_status encode_key(maker *m, uint32_t begin, uint32_t end, hcbr_error *err) {
    hcbr_i_rich_encoder *e = m->out;
    hcbr_i_key_id k = hcbr_i_dict_get(m->dict, m->order[begin].feature).key;
    hcbr_i_rich_key *key = &e->keys[k];
    hcbr_i_rich_facts facts = look_at_key(m, k, begin, end);
    *key = (hcbr_i_rich_key){.kind = facts.kind, .value_count = end - begin};
    hcbr_i_rich_doubt(m->options, hcbr_i_dict_key(m->dict, k), &facts, &m->doubts);
    hcbr_status st = HCBR_OK;
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE)
        st = make_cuts(m, key, begin, end, err);
    if (st != HCBR_OK)
        return st;
    if (key->kind == HCBR_I_RICH_SPARSE) {
        key->bag = e->bag_count;
        e->bag_count += 1 + key->cut_count;
    } else if (key->kind == HCBR_I_RICH_BAG) {
        for (uint32_t i = begin; i < end; i++)
            e->code[m->order[i].feature] = e->bag_count++;
    } else {
        bool ordered = key->kind == HCBR_I_RICH_NUMBER;
        uint32_t codes = ordered ? key->cut_count + 1 : end - begin;
        key->column = e->column_count;
        e->columns[e->column_count++] = (hcbr_i_rich_column){
            k, ordered, ordered && key->value_count <= HCBR_I_RICH_EXACT, (uint8_t)codes};
        for (uint32_t i = begin; !ordered && i < end; i++)
            e->code[m->order[i].feature] = i - begin + 1;
    }
    return HCBR_OK;
}

/* Every feature of the dictionary that is a number gets its code, seen in training or not. */
static void encode_numbers(maker *m) {
    hcbr_i_rich_encoder *e = m->out;
    for (uint32_t f = 0; f < e->feature_count; f++) {
        const hcbr_i_rich_key *key = &e->keys[hcbr_i_dict_get(m->dict, f).key];
        bool numeric = key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE;
        if (numeric && !isnan(m->value[f]))
            e->code[f] = hcbr_i_rich_code(e->cuts + key->cut_start, key->cut_count, m->value[f]);
        else if (key->kind != HCBR_I_RICH_BAG && m->weight[f] == 0)
            e->code[f] = 0;
    }
}

static hcbr_status encode_all(maker *m, hcbr_error *err) {
    hcbr_i_rich_encoder *e = m->out;
    uint32_t most = 0;
    for (uint32_t k = 0; k < e->key_count; k++)
        if (m->seen[k].values > most)
            most = m->seen[k].values;
    m->numbers = hcbr_i_alloc(most, sizeof *m->numbers);
    if (!m->numbers)
        return hcbr_i_no_memory(err);
    for (uint32_t f = 0; f < e->feature_count; f++)
        e->code[f] = HCBR_I_NONE;
    hcbr_status st = HCBR_OK;
    for (uint32_t begin = 0, end; st == HCBR_OK && begin < m->used; begin = end) {
        hcbr_i_key_id k = hcbr_i_dict_get(m->dict, m->order[begin].feature).key;
        end = begin + m->seen[k].values;
        st = encode_key(m, begin, end, err);
    }
    encode_numbers(m);
    hcbr_i_rich_doubt_end(m->options, m->doubts);
    return st;
}

hcbr_status hcbr_i_rich_encoder_make(hcbr_i_rich_encoder *out, const hcbr_i_rich_view *view,
                                     const hcbr_i_rich_options *options, hcbr_error *err) {
    const hcbr_i_dict *dict = view->cases->dict;
    uint32_t features = hcbr_i_dict_count(dict), keys = hcbr_i_dict_key_count(dict);
    *out = (hcbr_i_rich_encoder){.key_count = keys, .feature_count = features};
    out->keys = hcbr_i_alloc_zero(keys, sizeof *out->keys);
    out->code = hcbr_i_alloc(features, sizeof *out->code);
    out->columns = hcbr_i_alloc(keys, sizeof *out->columns);
    maker m = {.view = view, .dict = dict, .options = options, .out = out};
    m.seen = hcbr_i_alloc_zero(keys, sizeof *m.seen);
    m.weight = hcbr_i_alloc_zero(features, sizeof *m.weight);
    m.value = hcbr_i_alloc(features, sizeof *m.value);
    m.order = hcbr_i_alloc(features, sizeof *m.order);
    hcbr_status st = HCBR_OK;
    if (!out->keys || !out->code || !out->columns || !m.seen || !m.weight || !m.value || !m.order)
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        look(&m);
        st = encode_all(&m, err);
    }
    hcbr_i_free(m.seen);
    hcbr_i_free(m.weight);
    hcbr_i_free(m.value);
    hcbr_i_free(m.order);
    hcbr_i_free(m.numbers);
    if (st != HCBR_OK)
        hcbr_i_rich_encoder_clear(out);
    return st;
}

void hcbr_i_rich_encoder_clear(hcbr_i_rich_encoder *encoder) {
    hcbr_i_free(encoder->keys);
    hcbr_i_free(encoder->code);
    hcbr_i_free(encoder->columns);
    hcbr_i_free(encoder->cuts);
    *encoder = (hcbr_i_rich_encoder){0};
}

/* ---- a case ---------------------------------------------------------------------------------- */

static int by_member(const void *a, const void *b) {
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

void hcbr_i_rich_row_begin(const hcbr_i_rich_encoder *encoder, hcbr_i_rich_row *row) {
    row->bag_count = 0;
    memset(row->codes, 0, encoder->column_count);
}

static bool add_code(const hcbr_i_rich_key *key, uint32_t code, hcbr_i_rich_row *row) {
    uint32_t members = 0, first = 0;
    if (code == HCBR_I_NONE)
        return true;
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_CATEGORY) {
        if (code != 0)
            row->codes[key->column] = (uint8_t)code;
    } else if (key->kind == HCBR_I_RICH_BAG) {
        first = code;
        members = 1;
    } else if (key->kind == HCBR_I_RICH_SPARSE) {
        first = key->bag;
        members = code;
    }
    if (!hcbr_i_grow(&row->bag, &row->bag_capacity, (size_t)row->bag_count + members,
                     sizeof *row->bag))
        return false;
    for (uint32_t b = 0; b < members; b++)
        row->bag[row->bag_count++] = first + b;
    return true;
}

bool hcbr_i_rich_row_add(const hcbr_i_rich_encoder *encoder, const hcbr_i_dict *dict,
                         hcbr_i_feature_id feature, hcbr_i_rich_row *row) {
    const hcbr_i_rich_key *key = &encoder->keys[hcbr_i_dict_get(dict, feature).key];
    return add_code(key, encoder->code[feature], row);
}

bool hcbr_i_rich_row_add_number(const hcbr_i_rich_encoder *encoder, hcbr_i_key_id k,
                                const char *value, size_t length, hcbr_i_rich_row *row,
                                bool *known) {
    const hcbr_i_rich_key *key = &encoder->keys[k];
    double x;
    *known = (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE) &&
             hcbr_number_parse(&x, value, length) && isfinite(x);
    return !*known ||
           add_code(key, hcbr_i_rich_code(encoder->cuts + key->cut_start, key->cut_count, x), row);
}

void hcbr_i_rich_row_end(hcbr_i_rich_row *row) {
    bool sorted = true;
    for (uint32_t b = 1; b < row->bag_count && sorted; b++)
        sorted = row->bag[b - 1] < row->bag[b];
    if (sorted)
        return;
    qsort(row->bag, row->bag_count, sizeof *row->bag, by_member);
    uint32_t kept = 0;
    for (uint32_t b = 0; b < row->bag_count; b++)
        if (kept == 0 || row->bag[b] != row->bag[kept - 1])
            row->bag[kept++] = row->bag[b];
    row->bag_count = kept;
}

void hcbr_i_rich_row_clear(hcbr_i_rich_row *row) {
    hcbr_i_free(row->codes);
    hcbr_i_free(row->bag);
    *row = (hcbr_i_rich_row){0};
}
