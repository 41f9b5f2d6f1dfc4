/* Kinds of columns, cuts, codes; identical cases merged, in the order of their hashes, and dealt to
 * five folds. */
#include "reference/naive_rich.h"

#include <stdio.h>
#include <stdlib.h>
#include <xxhash.h>

/* ---- keys and values ------------------------------------------------------------------------- */

static bool number_of(const naive_feature *f, double *value) {
    char *end;
    *value = f->bare ? 0 : strtod(f->value, &end);
    return !f->bare && f->value[0] && !*end && isfinite(*value);
}

/* The text that stands for all spellings of a number. */
static naive_feature one_spelling(const naive_feature *f) {
    naive_feature out = *f;
    double value;
    char text[32];
    if (!number_of(f, &value))
        return out;
    size_t length = (size_t)snprintf(text, sizeof text, "%.15g", value == 0 ? 0 : value);
    if (length >= sizeof out.value)
        abort();
    memcpy(out.value, text, length + 1);
    return out;
}

static int compare_text(const naive_feature *a, const naive_feature *b) {
    return a->bare || b->bare ? (int)b->bare - (int)a->bare : strcmp(a->value, b->value);
}

static int by_key(const void *a, const void *b) {
    return strcmp(((const naive_key *)a)->name, ((const naive_key *)b)->name);
}

static int by_text(const void *a, const void *b) {
    return compare_text(&((const naive_value *)a)->text, &((const naive_value *)b)->text);
}

static naive_key *find_key(const naive_table *t, const char *name) {
    for (uint32_t k = 0; k < t->key_count; k++)
        if (strcmp(t->key[k].name, name) == 0)
            return (naive_key *)&t->key[k];
    return NULL;
}

static naive_value *find_value(const naive_key *key, const naive_feature *f) {
    naive_feature text = key->words ? *f : one_spelling(f);
    for (uint32_t v = 0; v < key->value_count; v++)
        if (compare_text(&key->value[v].text, &text) == 0)
            return (naive_value *)&key->value[v];
    return NULL;
}

/* The keys, and which of them have words. */
static void list_keys(naive_table *t, const naive_case *c) {
    for (uint32_t j = 0; j < c->count; j++) {
        const naive_feature *f = &c->feature[j];
        naive_key *key = find_key(t, f->key);
        double value;
        if (!key) {
            key = &t->key[t->key_count++];
            *key = (naive_key){.name = f->key};
        }
        key->words |= !number_of(f, &value);
    }
}

static void look_at(naive_table *t, const naive_case *c, double weight) {
    bool met[NAIVE_KEYS] = {false};
    for (uint32_t j = 0; j < c->count; j++) {
        const naive_feature *f = &c->feature[j];
        naive_key *key = find_key(t, f->key);
        naive_value *value = find_value(key, f);
        if (!value) {
            value = &key->value[key->value_count++];
            *value = (naive_value){.text = key->words ? *f : one_spelling(f)};
        }
        bool again = false;
        for (uint32_t k = 0; k < j && !again; k++)
            again =
                strcmp(c->feature[k].key, f->key) == 0 && find_value(key, &c->feature[k]) == value;
        if (again)
            continue;
        value->weight += weight;
        if (met[key - t->key])
            key->several = true;
        else
            key->weight += weight;
        met[key - t->key] = true;
    }
}

/* ---- cuts ------------------------------------------------------------------------------------ */

typedef struct amount {
    double value, weight;
} amount;

static int by_value(const void *a, const void *b) {
    double x = ((const amount *)a)->value, y = ((const amount *)b)->value;
    return (x > y) - (x < y);
}

static double midpoint(double a, double b) {
    double m = a / 2 + b / 2;
    return m >= a && m < b ? m : a;
}

/* A cut goes in its place, once. */
static void add_cut(naive_key *key, double cut) {
    uint32_t at = key->cut_count;
    for (uint32_t j = 0; j < key->cut_count; j++)
        if (key->cut[j] == cut)
            return;
    for (; at > 0 && key->cut[at - 1] > cut; at--)
        key->cut[at] = key->cut[at - 1];
    key->cut[at] = cut;
    key->cut_count++;
}

/* Numbers of one part of the weight, and of one part of the different values, end at cuts. */
static void cut_evenly(naive_key *key, const amount *v, uint32_t n, uint32_t parts, bool values) {
    double total = 0;
    for (uint32_t i = 0; i < n; i++)
        total += v[i].weight;
    for (uint32_t q = 1; q < parts; q++) {
        double sum = v[0].weight;
        uint32_t j = 0;
        while (j + 1 < n && sum < total * q / parts)
            sum += v[++j].weight;
        if (j + 1 < n)
            add_cut(key, midpoint(v[j].value, v[j + 1].value));
        uint32_t at = n * q / parts;
        if (values && at + 1 < n)
            add_cut(key, midpoint(v[at].value, v[at + 1].value));
    }
}

static void make_cuts(naive_key *key) {
    amount all[NAIVE_ROWS], different[NAIVE_ROWS];
    uint32_t n = 0, d = 0;
    for (uint32_t v = 0; v < key->value_count; v++) {
        double x;
        if (number_of(&key->value[v].text, &x))
            all[n++] = (amount){x, key->value[v].weight};
    }
    qsort(all, n, sizeof *all, by_value);
    for (uint32_t i = 0; i < n; i++) {
        if (d && different[d - 1].value == all[i].value)
            different[d - 1].weight += all[i].weight;
        else
            different[d++] = all[i];
    }
    key->different = d;
    bool sparse = key->kind == HCBR_I_RICH_SPARSE;
    if (d > (sparse ? 5 : 250)) {
        cut_evenly(key, different, d, sparse ? 5 : 125, !sparse);
        return;
    }
    for (uint32_t i = 0; i + 1 < d; i++)
        add_cut(key, midpoint(different[i].value, different[i + 1].value));
}

/* ---- kinds ----------------------------------------------------------------------------------- */

static hcbr_i_rich_kind kind_of(const naive_key *key, const naive_data *data, double total,
                                uint32_t fewest_numbers) {
    uint32_t numbers = 0;
    for (uint32_t v = 0; v < key->value_count; v++) {
        double x;
        numbers += number_of(&key->value[v].text, &x);
    }
    bool numeric = numbers == key->value_count && key->value_count >= fewest_numbers;
    if (data->categorical && strcmp(key->name, data->categorical) == 0)
        numeric = false;
    if (data->numeric && strcmp(key->name, data->numeric) == 0)
        numeric = numbers > 0;
    bool dense = !key->several && key->weight >= floor(total / 8) && key->value_count > 1;
    if (numeric && !key->several)
        return dense ? HCBR_I_RICH_NUMBER : HCBR_I_RICH_SPARSE;
    return dense && key->value_count <= 255 ? HCBR_I_RICH_CATEGORY : HCBR_I_RICH_BAG;
}

static void make_key(naive_table *t, naive_key *key) {
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_SPARSE)
        make_cuts(key);
    key->member = t->members;
    if (key->kind == HCBR_I_RICH_BAG)
        t->members += key->value_count;
    if (key->kind == HCBR_I_RICH_SPARSE)
        t->members += 1 + key->cut_count;
    if (key->kind == HCBR_I_RICH_BAG || key->kind == HCBR_I_RICH_SPARSE)
        return;
    bool ordered = key->kind == HCBR_I_RICH_NUMBER;
    key->column = t->columns;
    t->column[t->columns++] =
        (naive_column){.ordered = ordered,
                       .exact = ordered && key->different <= 8,
                       .codes = ordered ? key->cut_count + 1 : key->value_count};
}

/* ---- codes ----------------------------------------------------------------------------------- */

void naive_encode_case(const naive_table *t, const naive_case *from, naive_row *out) {
    *out = (naive_row){.label = from->label};
    for (uint32_t j = 0; j < from->count; j++) {
        const naive_feature *f = &from->feature[j];
        const naive_key *key = find_key(t, f->key);
        const naive_value *value = key ? find_value(key, f) : NULL;
        double x;
        if (!key)
            continue;
        bool is_number = number_of(f, &x);
        uint32_t above = 0;
        while (is_number && above < key->cut_count && key->cut[above] < x)
            above++;
        if (key->kind == HCBR_I_RICH_NUMBER && is_number)
            out->code[key->column] = 1 + above;
        for (uint32_t m = 0; key->kind == HCBR_I_RICH_SPARSE && is_number && m <= above; m++)
            out->has[key->member + m] = true;
        if (key->kind == HCBR_I_RICH_CATEGORY && value)
            out->code[key->column] = 1 + (uint32_t)(value - key->value);
        if (key->kind == HCBR_I_RICH_BAG && value)
            out->has[key->member + (value - key->value)] = true;
    }
}

static uint64_t content_of(const naive_table *t, const naive_row *row, uint64_t seed) {
    uint8_t code[NAIVE_KEYS];
    for (uint32_t c = 0; c < t->columns; c++)
        code[c] = (uint8_t)row->code[c];
    uint64_t hash = XXH3_64bits_withSeed(code, t->columns, seed);
    for (uint32_t b = 0; b < t->members; b++)
        if (row->has[b])
            hash += naive_mix(naive_mix(seed ^ 0x6261) + b);
    return naive_mix(hash);
}

static bool same_row(const naive_row *a, const naive_row *b) {
    return a->label == b->label && a->group == b->group &&
           memcmp(a->code, b->code, sizeof a->code) == 0 &&
           memcmp(a->has, b->has, sizeof a->has) == 0;
}

/* Rows rise by content, then by label and group. */
static bool is_before(const naive_row *a, const naive_row *b) {
    if (a->content != b->content)
        return a->content < b->content;
    return a->label != b->label ? a->label < b->label : a->group < b->group;
}

/* A case is one more copy of a row, or a row in its place. */
static void add_row(naive_table *t, const naive_row *row) {
    uint32_t at = t->rows;
    for (uint32_t i = 0; i < t->rows; i++)
        if (same_row(&t->row[i], row)) {
            t->row[i].weight += row->weight;
            return;
        }
    for (; at > 0 && is_before(row, &t->row[at - 1]); at--)
        t->row[at] = t->row[at - 1];
    t->row[at] = *row;
    t->rows++;
}

/* ---- folds ----------------------------------------------------------------------------------- */

/* Rows of one content, or of one group, are a unit. */
static bool same_unit(const naive_row *a, const naive_row *b) {
    return a->group ? a->group == b->group : a->content == b->content;
}

static void key_units(naive_table *t) {
    for (uint32_t i = 0; i < t->rows; i++) {
        uint64_t sum = 0;
        for (uint32_t j = 0; j < t->rows; j++)
            sum += same_unit(&t->row[i], &t->row[j]) ? naive_mix(t->row[j].hash) : 0;
        t->row[i].unit = t->row[i].group ? naive_mix(sum) : t->row[i].content;
    }
}

static double weight_of(const naive_table *t, uint64_t unit) {
    double sum = 0;
    for (uint32_t i = 0; i < t->rows; i++)
        sum += t->row[i].unit == unit ? t->row[i].weight : 0;
    return sum;
}

/* Of units that are not dealt yet the heaviest; of these the one that is drawn first. */
static const naive_row *next_unit(const naive_table *t, uint64_t seed) {
    const naive_row *best = NULL;
    for (uint32_t i = 0; i < t->rows; i++) {
        const naive_row *x = &t->row[i];
        if (x->fold != UINT32_MAX)
            continue;
        double w = best ? weight_of(t, best->unit) : 0, own = weight_of(t, x->unit);
        uint64_t draw = naive_mix(seed + naive_mix(x->unit));
        if (!best || own > w || (own == w && draw < naive_mix(seed + naive_mix(best->unit))))
            best = x;
    }
    return best;
}

/* How much a unit would unbalance a fold, in size and in each label. */
static double cost_of(const naive_table *t, uint64_t unit, uint32_t fold) {
    double size = 0, own = weight_of(t, unit), have[NAIVE_LABELS] = {0}, more[NAIVE_LABELS] = {0};
    for (uint32_t i = 0; i < t->rows; i++) {
        const naive_row *x = &t->row[i];
        size += x->fold == fold ? x->weight : 0;
        have[x->label] += x->fold == fold ? x->weight : 0;
        more[x->label] += x->unit == unit ? x->weight : 0;
    }
    double sum = own * (2 * size + own) / t->total;
    for (uint32_t l = 0; l < t->labels; l++)
        if (more[l] > 0)
            sum += more[l] * (2 * have[l] + more[l]) / t->label_weight[l];
    return sum;
}

/* Is the unit the only one of some label? It stays with all fold models then. */
static bool is_only(const naive_table *t, uint64_t unit) {
    bool only = false;
    for (uint32_t l = 0; l < t->labels; l++) {
        bool has = false, others = false;
        for (uint32_t i = 0; i < t->rows; i++) {
            has |= t->row[i].label == l && t->row[i].unit == unit;
            others |= t->row[i].label == l && t->row[i].unit != unit;
        }
        only |= has && !others;
    }
    return only;
}

/* The largest number of which all weights of a label are multiples; their mean if that is below a
 * hundredth of the least weight of all; 1 if there are fewer than five. */
static double case_of(const naive_table *t, uint32_t label) {
    double one = 0, least = 1e300;
    uint32_t rows = 0;
    for (uint32_t i = 0; i < t->rows; i++) {
        least = fmin(least, t->row[i].weight);
        if (t->row[i].label != label)
            continue;
        rows++;
        double a = t->row[i].weight;
        while (one > 0) {
            double left = fmod(a, one);
            a = one;
            one = left;
        }
        one = a;
    }
    if (rows < 5)
        return 1;
    return one < least / 100 ? t->label_weight[label] / rows : one;
}

/* Are there twenty cases or more in a unit, on average, or three that have not its most frequent
 * label? */
static bool is_known(naive_table *t) {
    double whole = 0, apart = 0, one[NAIVE_LABELS];
    uint32_t units = 0;
    for (uint32_t l = 0; l < t->labels; l++)
        one[l] = case_of(t, l);
    for (uint32_t i = 0; i < t->rows; i++) {
        double own[NAIVE_LABELS] = {0}, all = 0, most = 0;
        bool first = true;
        for (uint32_t j = 0; j < t->rows; j++) {
            const naive_row *x = &t->row[j];
            if (x->unit != t->row[i].unit)
                continue;
            first &= j >= i;
            own[x->label] += x->weight / one[x->label];
            all += x->weight / one[x->label];
        }
        for (uint32_t l = 0; l < t->labels; l++)
            most = fmax(most, own[l]);
        double p = t->row[i].weight / one[t->row[i].label] / all;
        t->row[i].self = (1 - p) / (all * p * (1 - p) + 1);
        units += first;
        whole += first ? all : 0;
        apart += first ? all - most : 0;
    }
    return whole >= 20.0 * units || apart >= 3.0 * units;
}

double naive_seen(const naive_table *t, uint32_t row, uint32_t fold) {
    return t->row[row].fold == fold && !t->all_seen ? 0 : t->row[row].weight;
}

/* Each unit goes to the fold that it unbalances least, to an empty one if there are only as many
 * units left. */
static void deal(naive_table *t, uint64_t seed) {
    uint32_t units = 0, empty = NAIVE_FOLDS;
    bool some[NAIVE_FOLDS] = {false};
    for (uint32_t i = 0; i < t->rows; i++) {
        uint32_t first = 0;
        while (t->row[first].unit != t->row[i].unit)
            first++;
        units += first == i;
        t->row[i].fold = UINT32_MAX;
    }
    for (; units > 0; units--) {
        uint64_t unit = next_unit(t, seed)->unit;
        uint32_t best = UINT32_MAX;
        double least = 0;
        for (uint32_t k = 0; k < NAIVE_FOLDS; k++) {
            double cost = cost_of(t, unit, k);
            if ((units > empty || !some[k]) && (best == UINT32_MAX || cost < least)) {
                best = k;
                least = cost;
            }
        }
        empty -= !some[best];
        some[best] = true;
        for (uint32_t i = 0; i < t->rows; i++)
            if (t->row[i].unit == unit)
                t->row[i].fold = best;
    }
    t->all_seen = t->rows && !t->row[0].group && is_known(t);
    for (uint32_t i = 0; i < t->rows && !t->all_seen; i++)
        if (is_only(t, t->row[i].unit))
            t->row[i].fold = NAIVE_FOLDS;
}

/* ---- the encoder ----------------------------------------------------------------------------- */

/* Weights are rounded to a grid on which 2^50 steps are more than all of them. */
static void weigh(naive_table *t, const naive_data *data) {
    long double sum = 0;
    int exponent;
    for (uint32_t i = 0; i < data->count; i++)
        sum += data->item[i].weight;
    frexpl(sum, &exponent);
    double grid = ldexp(1, exponent - 50);
    for (uint32_t i = 0; i < data->count; i++)
        t->weight[i] = data->weighted ? naive_round(data->item[i].weight, grid) : 1;
}

void naive_encode(naive_table *t, const naive_data *data, uint32_t fewest_numbers, uint64_t seed) {
    static naive_row row[NAIVE_ROWS];
    double total = 0;
    memset(t, 0, sizeof *t);
    t->labels = data->labels;
    weigh(t, data);
    for (uint32_t i = 0; i < data->count; i++)
        if (t->weight[i] > 0)
            list_keys(t, &data->item[i]);
    for (uint32_t i = 0; i < data->count; i++) {
        if (t->weight[i] > 0)
            look_at(t, &data->item[i], t->weight[i]);
        total += t->weight[i];
    }
    qsort(t->key, t->key_count, sizeof *t->key, by_key);
    for (uint32_t k = 0; k < t->key_count; k++) {
        naive_key *key = &t->key[k];
        qsort(key->value, key->value_count, sizeof *key->value, by_text);
        key->kind = kind_of(key, data, total, fewest_numbers);
        make_key(t, key);
    }
    for (uint32_t i = 0; i < data->count; i++) {
        naive_encode_case(t, &data->item[i], &row[i]);
        row[i].weight = t->weight[i];
        row[i].group = data->item[i].group;
        row[i].content = content_of(t, &row[i], seed);
        row[i].hash = naive_mix(row[i].content + naive_mix(row[i].label));
        if (t->weight[i] > 0)
            add_row(t, &row[i]);
    }
    for (uint32_t i = 0; i < data->count; i++) {
        t->row_of[i] = UINT32_MAX;
        for (uint32_t r = 0; r < t->rows && t->weight[i] > 0; r++)
            if (same_row(&t->row[r], &row[i]))
                t->row_of[i] = r;
    }
    for (uint32_t i = 0; i < t->rows; i++) {
        t->label_weight[t->row[i].label] += t->row[i].weight;
        t->total += t->row[i].weight;
    }
    if (t->rows) {
        key_units(t);
        deal(t, seed);
        t->grid = ldexp(1, ilogb(t->total) + 3 - 52);
    }
}
