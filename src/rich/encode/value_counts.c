/*
 * The number of training cases of each label with a value, and members of the bag with exactly the
 * same cases.
 *
 * Values are the features of the dictionary and, for every number with cuts, its codes; a sparse
 * number counts at its largest member. Labels are processed one after the other, so that the lists
 * come sorted and nothing is larger than they are.
 */
#include "rich/encode/kept_cases.h"

#include <stdlib.h>

void hcbr_i_rich_counts_clear(hcbr_i_rich_counts *c) {
    hcbr_i_free(c->start);
    hcbr_i_free(c->label);
    hcbr_i_free(c->cases);
    *c = (hcbr_i_rich_counts){0};
}

uint32_t hcbr_i_rich_count(const hcbr_i_rich_counts *c, uint32_t value, uint32_t label) {
    for (uint64_t n = c->start[value]; n < c->start[value + 1]; n++)
        if (c->label[n] == label)
            return c->cases[n];
    return 0;
}

uint64_t hcbr_i_rich_count_all(const hcbr_i_rich_counts *c, uint32_t value) {
    uint64_t sum = 0;
    for (uint64_t n = c->start[value]; n < c->start[value + 1]; n++)
        sum += c->cases[n];
    return sum;
}

/* ---- counting -------------------------------------------------------------------------------- */

typedef struct triple {
    uint32_t value, label, cases;
} triple;

typedef struct counter {
    const hcbr_i_rich_encoder *e;
    const hcbr_i_rich_table *t;
    uint32_t *times;     /* by row: number of its cases */
    uint32_t *of_member; /* by member: its value */
    uint32_t *of_column; /* by column: the value of code 1 */
    uint32_t *order;     /* rows by label */
    uint32_t *count;     /* by value, for the current label */
    uint32_t *met;       /* its values */
    size_t met_count;
    triple *triples;
    size_t triple_count, triple_capacity;
} counter;

static void counter_clear(counter *c) {
    hcbr_i_free(c->times);
    hcbr_i_free(c->of_member);
    hcbr_i_free(c->of_column);
    hcbr_i_free(c->order);
    hcbr_i_free(c->count);
    hcbr_i_free(c->met);
    hcbr_i_free(c->triples);
}

static void name_values(counter *c) {
    const hcbr_i_rich_encoder *e = c->e;
    for (uint32_t f = e->feature_count; f-- > 0;) {
        const hcbr_i_rich_key *key = &e->keys[hcbr_i_dict_get(e->dict, f).key];
        if (key->kind == HCBR_I_RICH_BAG)
            c->of_member[e->code[f]] = f;
        else if (key->kind == HCBR_I_RICH_CATEGORY)
            c->of_column[key->column] = f; // the first of them in the end
    }
    for (uint32_t k = 0; k < e->key_count; k++) {
        const hcbr_i_rich_key *key = &e->keys[k];
        if (key->kind == HCBR_I_RICH_NUMBER)
            c->of_column[key->column] = key->count_start;
        for (uint32_t j = 0; key->kind == HCBR_I_RICH_SPARSE && j <= key->cut_count; j++)
            c->of_member[key->bag + j] = key->count_start + j;
    }
}

static void add(counter *c, uint32_t value, uint32_t times) {
    if (!c->count[value])
        c->met[c->met_count++] = value;
    c->count[value] += times;
}

static void count_row(counter *c, uint32_t row) {
    const hcbr_i_rich_table *t = c->t;
    for (uint32_t k = 0; k < t->columns; k++) {
        uint8_t code = t->codes[(size_t)k * t->rows + row];
        if (code)
            add(c, c->of_column[k] + code - 1, c->times[row]);
    }
    for (uint64_t b = t->bag_start[row]; b < t->bag_start[row + 1]; b++) {
        uint32_t value = c->of_member[t->bag[b]];
        bool larger = value >= c->e->feature_count && b + 1 < t->bag_start[row + 1] &&
                      t->bag[b + 1] == t->bag[b] + 1 && c->of_member[t->bag[b + 1]] == value + 1 &&
                      hcbr_i_rich_key_of_member(c->e, t->bag[b]) ==
                          hcbr_i_rich_key_of_member(c->e, t->bag[b + 1]);
        if (!larger)
            add(c, value, c->times[row]);
    }
}

/* Store the values of one label's rows, and of its words among numbers. */
static bool end_label(counter *c, uint32_t label) {
    if (!hcbr_i_grow(&c->triples, &c->triple_capacity, c->triple_count + c->met_count,
                     sizeof *c->triples))
        return false;
    for (size_t n = 0; n < c->met_count; n++) {
        c->triples[c->triple_count++] = (triple){c->met[n], label, c->count[c->met[n]]};
        c->count[c->met[n]] = 0;
    }
    c->met_count = 0;
    return true;
}

/* Triples, by ascending label, as lists by value. */
static bool make_lists(hcbr_i_rich_counts *out, const counter *c, uint32_t values) {
    size_t n = c->triple_count;
    out->values = values;
    out->start = hcbr_i_alloc_zero((size_t)values + 2, sizeof *out->start);
    out->label = hcbr_i_alloc(n, sizeof *out->label);
    out->cases = hcbr_i_alloc(n, sizeof *out->cases);
    if (!out->start || !out->label || !out->cases)
        return false;
    for (size_t i = 0; i < n; i++)
        out->start[c->triples[i].value + 2]++;
    for (uint32_t v = 0; v < values; v++)
        out->start[v + 2] += out->start[v + 1];
    for (size_t i = 0; i < n; i++) {
        uint64_t at = out->start[c->triples[i].value + 1]++;
        out->label[at] = c->triples[i].label;
        out->cases[at] = c->triples[i].cases;
    }
    return true;
}

/* Rows by label. */
static bool order_rows(counter *c, uint32_t *start) {
    const hcbr_i_rich_table *t = c->t;
    for (uint32_t r = 0; r < t->rows; r++)
        start[t->label[r] + 2]++;
    for (uint32_t l = 0; l < t->labels; l++)
        start[l + 2] += start[l + 1];
    for (uint32_t r = 0; r < t->rows; r++)
        c->order[start[t->label[r] + 1]++] = r;
    return true;
}

bool hcbr_i_rich_counts_make(hcbr_i_rich_counts *out, const hcbr_i_rich_encoder *e,
                             const hcbr_i_rich_table *t, const uint32_t *row_of, uint32_t count,
                             const hcbr_i_rich_word *words, size_t word_count) {
    uint32_t values = hcbr_i_rich_value_count(e);
    counter c = {.e = e, .t = t};
    c.times = hcbr_i_alloc_zero(t->rows, sizeof *c.times);
    c.of_member = hcbr_i_alloc(e->bag_count, sizeof *c.of_member);
    c.of_column = hcbr_i_alloc(e->column_count, sizeof *c.of_column);
    c.order = hcbr_i_alloc(t->rows, sizeof *c.order);
    c.count = hcbr_i_alloc_zero(values, sizeof *c.count);
    c.met = hcbr_i_alloc(values, sizeof *c.met);
    uint32_t *start = hcbr_i_alloc_zero((size_t)t->labels + 2, sizeof *start);
    bool ok = c.times && c.of_member && c.of_column && c.order && c.count && c.met && start;
    for (uint32_t i = 0; ok && i < count; i++)
        if (row_of[i] != HCBR_I_NONE)
            c.times[row_of[i]]++;
    if (ok)
        name_values(&c);
    ok = ok && order_rows(&c, start);
    for (uint32_t l = 0; ok && l < t->labels; l++) {
        for (uint32_t n = start[l]; n < start[l + 1]; n++)
            count_row(&c, c.order[n]);
        for (size_t w = 0; w < word_count; w++)
            if (row_of[words[w].place] != HCBR_I_NONE && t->label[row_of[words[w].place]] == l)
                add(&c, words[w].feature, 1);
        ok = end_label(&c, l);
    }
    ok = ok && make_lists(out, &c, values);
    hcbr_i_free(start);
    counter_clear(&c);
    if (!ok)
        hcbr_i_rich_counts_clear(out);
    return ok;
}

/* ---- members of the same cases --------------------------------------------------------------- */

typedef struct signature {
    uint64_t a, b;
    uint32_t member;
} signature;

static int by_signature(const void *x, const void *y) {
    const signature *p = x, *q = y;
    if (p->a != q->a)
        return p->a < q->a ? -1 : 1;
    if (p->b != q->b)
        return p->b < q->b ? -1 : 1;
    return (p->member > q->member) - (p->member < q->member);
}

bool hcbr_i_rich_twins_make(uint32_t **out, const hcbr_i_rich_table *t) {
    uint32_t *twin = hcbr_i_alloc(t->bag_count, sizeof *twin);
    signature *list = hcbr_i_alloc_zero(t->bag_count, sizeof *list);
    bool ok = twin && list;
    for (uint32_t b = 0; ok && b < t->bag_count; b++)
        list[b].member = b;
    for (uint32_t r = 0; ok && r < t->rows; r++) {
        uint64_t a = hcbr_i_mix(r), b = hcbr_i_mix(a ^ 0x7477696E);
        for (uint64_t n = t->bag_start[r]; n < t->bag_start[r + 1]; n++) {
            list[t->bag[n]].a += a;
            list[t->bag[n]].b += b;
        }
    }
    if (ok && t->bag_count)
        qsort(list, t->bag_count, sizeof *list, by_signature);
    for (uint32_t n = 0; ok && n < t->bag_count; n++) {
        bool same = n > 0 && list[n - 1].a == list[n].a && list[n - 1].b == list[n].b;
        twin[list[n].member] = same ? twin[list[n - 1].member] : list[n].member;
    }
    hcbr_i_free(list);
    if (!ok)
        hcbr_i_free(twin);
    *out = ok ? twin : NULL;
    return ok;
}
