/*
 * The table the families are fitted to: encoded cases, identical ones merged, in an order that
 * depends on nothing but their content and the seed, and dealt to the folds.
 *
 * The first copies of a label's rows are dealt to the folds in turn, so that folds are stratified;
 * the others are dealt by draws, each by itself. So a weight n is n copies, and a held-out case
 * finds its twins in the training part equally often, whatever their labels: had it always those of
 * its own label there, held-out supports would be too good to be true wherever cases repeat. For
 * the same reason the hash that draws are keyed by is one of content and label.
 */
#include "rich/rich.h"

#include "rich/fit/rich_math.h"

#include <stdlib.h>
#include <xxhash.h>

#define MOST_COPIES 64u /* of a case that are dealt one by one */

/* An encoded case, to be sorted. */
typedef struct item {
    uint64_t hash;
    uint32_t label, columns;
    uint32_t place; /* in the view */
    const uint8_t *codes;
    const uint32_t *bag;
    uint32_t bag_count;
    double weight;
} item;

/* All cases, encoded one after the other. */
typedef struct coded {
    item *items;
    uint32_t count;
    uint8_t *codes;
    uint32_t *bag;
    uint64_t *bag_start;
    size_t bag_capacity;
} coded;

static int compare_content(const item *x, const item *y) {
    if (x->hash != y->hash)
        return x->hash < y->hash ? -1 : 1;
    if (x->label != y->label)
        return x->label < y->label ? -1 : 1;
    int order = x->columns ? memcmp(x->codes, y->codes, x->columns) : 0;
    if (order)
        return order;
    if (x->bag_count != y->bag_count)
        return x->bag_count < y->bag_count ? -1 : 1;
    for (uint32_t b = 0; b < x->bag_count; b++)
        if (x->bag[b] != y->bag[b])
            return x->bag[b] < y->bag[b] ? -1 : 1;
    return 0;
}

static int by_content(const void *a, const void *b) {
    const item *x = a, *y = b;
    int order = compare_content(x, y);
    return order ? order : (x->weight > y->weight) - (x->weight < y->weight);
}

static uint64_t content_hash(const uint8_t *codes, uint32_t columns, const uint32_t *bag,
                             uint32_t bag_count, uint32_t label, uint64_t seed) {
    uint64_t hash = XXH3_64bits_withSeed(codes, columns, seed) + hcbr_i_mix(label);
    for (uint32_t b = 0; b < bag_count; b++)
        hash += hcbr_i_mix(hcbr_i_mix(seed ^ 0x6261) + bag[b]);
    return hcbr_i_mix(hash);
}

/* ---- weights --------------------------------------------------------------------------------- */

double hcbr_i_rich_weight_grid(const hcbr_i_rich_view *view) {
    uint32_t count = view->index ? view->count : view->cases->case_count;
    double most = 0;
    hcbr_i_u128 sum = 0; // in units of 2^-62 of the largest: exact in any order
    if (!view->weight)
        return 0;
    for (uint32_t j = 0; j < count; j++)
        most = fmax(most, view->weight[view->index ? view->index[j] : j]);
    if (!(most > 0))
        return 0;
    for (uint32_t j = 0; j < count; j++)
        sum += (uint64_t)ldexp(view->weight[view->index ? view->index[j] : j], 62 - ilogb(most));
    int bits = 0;
    for (; sum > 0; sum >>= 1)
        bits++;
    return ldexp(1.0, bits + ilogb(most) - 62 - 50);
}

double hcbr_i_rich_weight(const hcbr_i_rich_view *view, uint32_t number) {
    return !view->weight ? 1 : hcbr_i_rich_round(view->weight[number], view->grid);
}

/* ---- encoding -------------------------------------------------------------------------------- */

static hcbr_status encode_cases(coded *out, const hcbr_i_rich_encoder *e,
                                const hcbr_i_rich_view *view, hcbr_error *err) {
    const struct hcbr_cases *cases = view->cases;
    uint32_t count = view->index ? view->count : cases->case_count;
    size_t columns = e->column_count;
    out->items = hcbr_i_alloc(count, sizeof *out->items);
    out->codes = hcbr_i_alloc(count, columns);
    out->bag_start = hcbr_i_alloc((size_t)count + 1, sizeof *out->bag_start);
    hcbr_i_rich_row row = {0};
    if (!out->items || !out->codes || !out->bag_start)
        return hcbr_i_no_memory(err);
    out->bag_start[0] = 0;
    hcbr_status st = HCBR_OK;
    for (uint32_t j = 0; j < count && st == HCBR_OK; j++) {
        uint32_t i = view->index ? view->index[j] : j;
        double w = hcbr_i_rich_weight(view, i);
        if (!(w > 0))
            continue;
        row.codes = out->codes + out->count * columns;
        uint64_t at = out->bag_start[out->count];
        bool ok = true;
        hcbr_i_rich_row_begin(e, &row);
        for (uint64_t f = cases->start[i]; ok && f < cases->start[i + 1]; f++)
            ok = hcbr_i_rich_row_add(e, cases->dict, cases->features[f], &row);
        hcbr_i_rich_row_end(&row);
        if (!ok || !hcbr_i_grow(&out->bag, &out->bag_capacity, (size_t)at + row.bag_count,
                                sizeof *out->bag)) {
            st = hcbr_i_no_memory(err);
            break;
        }
        if (row.bag_count)
            memcpy(out->bag + at, row.bag, row.bag_count * sizeof *row.bag);
        out->items[out->count++] = (item){.label = cases->label[i], .weight = w, .place = j};
        out->bag_start[out->count] = at + row.bag_count;
    }
    hcbr_i_free(row.bag);
    return st;
}

/* Sort and merge; returns how many are left. row_of may be NULL. */
static uint32_t merge(coded *c, uint32_t columns, uint64_t seed, uint32_t *row_of) {
    for (uint32_t i = 0; i < c->count; i++) {
        item *x = &c->items[i];
        x->columns = columns;
        x->codes = c->codes + (size_t)i * columns;
        x->bag = c->bag ? c->bag + c->bag_start[i] : NULL;
        x->bag_count = (uint32_t)(c->bag_start[i + 1] - c->bag_start[i]);
        x->hash = content_hash(x->codes, columns, x->bag, x->bag_count, x->label, seed);
    }
    qsort(c->items, c->count, sizeof *c->items, by_content);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < c->count; i++) {
        uint32_t place = c->items[i].place;
        if (rows && compare_content(&c->items[rows - 1], &c->items[i]) == 0)
            c->items[rows - 1].weight += c->items[i].weight;
        else
            c->items[rows++] = c->items[i];
        if (row_of)
            row_of[place] = rows - 1;
    }
    return rows;
}

/* ---- folds ----------------------------------------------------------------------------------- */

/* Hold out `size` of a row in fold k; rounding must not make it more than there is. */
static void hold(hcbr_i_rich_table *t, uint32_t row, uint32_t k, double size) {
    double *held = &t->held[(size_t)row * HCBR_I_RICH_FOLDS + k];
    *held = fmin(*held + size, t->weight[row]);
}

/* Deal what a row has beyond its first copy: each by itself, very many evenly. */
static void deal_more(hcbr_i_rich_table *t, uint32_t row, double unit) {
    double left = t->weight[row] - unit;
    for (uint32_t copy = 1; left > 0 && copy < MOST_COPIES; copy++) {
        uint64_t draw = hcbr_i_mix(t->hash[row] ^ hcbr_i_mix(0x666F6C64 + (uint64_t)copy));
        hold(t, row, (uint32_t)(draw % HCBR_I_RICH_FOLDS), fmin(left, unit));
        left -= unit;
    }
    for (uint32_t k = 0; left > 0 && k < HCBR_I_RICH_FOLDS; k++)
        hold(t, row, k, left / HCBR_I_RICH_FOLDS);
}

/* A label that has a single case stays with all juries. next: by label, the fold of its next row.
 */
static void deal(hcbr_i_rich_table *t, uint32_t *next) {
    bool whole = true;
    for (uint32_t i = 0; i < t->rows; i++)
        whole &= t->weight[i] == floor(t->weight[i]);
    double unit = whole ? 1.0 : fmin(1.0, t->total_weight / t->rows);
    for (uint32_t l = 0; l < t->labels; l++)
        next[l] = l;
    for (uint32_t i = 0; i < t->rows; i++) {
        uint32_t l = t->label[i];
        if (t->label_weight[l] < 2 * unit)
            continue;
        hold(t, i, next[l]++ % HCBR_I_RICH_FOLDS, fmin(t->weight[i], unit));
        deal_more(t, i, unit);
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static hcbr_status take_rows(hcbr_i_rich_table *t, const coded *c, hcbr_error *err) {
    size_t rows = t->rows;
    uint64_t members = 0;
    for (size_t i = 0; i < rows; i++)
        members += c->items[i].bag_count;
    size_t cells = 0;
    t->codes =
        __builtin_mul_overflow(rows, (size_t)t->columns, &cells) ? NULL : hcbr_i_alloc(cells, 1);
    t->bag_start = hcbr_i_alloc(rows + 1, sizeof *t->bag_start);
    t->bag = hcbr_i_alloc((size_t)members, sizeof *t->bag);
    t->label = hcbr_i_alloc(rows, sizeof *t->label);
    t->weight = hcbr_i_alloc(rows, sizeof *t->weight);
    t->held = hcbr_i_alloc_zero(rows, HCBR_I_RICH_FOLDS * sizeof *t->held);
    t->hash = hcbr_i_alloc(rows, sizeof *t->hash);
    t->label_weight = hcbr_i_alloc_zero(t->labels, sizeof *t->label_weight);
    if (!t->codes || !t->bag_start || !t->bag || !t->label || !t->weight || !t->held || !t->hash ||
        !t->label_weight)
        return hcbr_i_no_memory(err);
    t->bag_start[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        const item *x = &c->items[i];
        for (uint32_t k = 0; k < t->columns; k++)
            t->codes[k * rows + i] = x->codes[k];
        if (x->bag_count)
            memcpy(t->bag + t->bag_start[i], x->bag, x->bag_count * sizeof *x->bag);
        t->bag_start[i + 1] = t->bag_start[i] + x->bag_count;
        t->label[i] = x->label;
        t->weight[i] = x->weight;
        t->hash[i] = x->hash;
        t->label_weight[x->label] += x->weight;
        t->total_weight += x->weight;
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_table_make(hcbr_i_rich_table *out, const hcbr_i_rich_encoder *encoder,
                                   const hcbr_i_rich_view *view, uint64_t seed, uint32_t *row_of,
                                   hcbr_error *err) {
    *out = (hcbr_i_rich_table){.columns = encoder->column_count,
                               .bag_count = encoder->bag_count,
                               .labels = view->cases->labels.count,
                               .column = encoder->columns};
    coded c = {0};
    uint32_t *next = hcbr_i_alloc(out->labels, sizeof *next);
    uint32_t count = view->index ? view->count : view->cases->case_count;
    for (uint32_t j = 0; row_of && j < count; j++)
        row_of[j] = HCBR_I_NONE;
    hcbr_status st = next ? encode_cases(&c, encoder, view, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        out->rows = merge(&c, out->columns, seed, row_of);
        st = take_rows(out, &c, err);
    }
    hcbr_i_free(c.items);
    hcbr_i_free(c.codes);
    hcbr_i_free(c.bag);
    hcbr_i_free(c.bag_start);
    if (st == HCBR_OK && out->rows) {
        deal(out, next);
        out->grid = ldexp(1.0, ilogb(out->total_weight) + 3 - 52);
        out->sample_count = out->rows;
    }
    hcbr_i_free(next);
    if (st != HCBR_OK)
        hcbr_i_rich_table_clear(out);
    return st;
}

/* Rows stand in the order of their content: every so many of them is as good as a draw. */
bool hcbr_i_rich_table_sample(hcbr_i_rich_table *t, uint32_t most) {
    if (t->rows <= most)
        return true;
    t->sample = hcbr_i_alloc(most, sizeof *t->sample);
    t->sampled = hcbr_i_alloc(t->rows, sizeof *t->sampled);
    if (!t->sample || !t->sampled)
        return false;
    t->sample_count = most;
    for (uint32_t i = 0; i < t->rows; i++)
        t->sampled[i] = HCBR_I_NONE;
    for (uint32_t j = 0; j < most; j++) {
        t->sample[j] = (uint32_t)((uint64_t)j * t->rows / most);
        t->sampled[t->sample[j]] = j;
    }
    return true;
}

void hcbr_i_rich_table_clear(hcbr_i_rich_table *table) {
    hcbr_i_free(table->codes);
    hcbr_i_free(table->bag_start);
    hcbr_i_free(table->bag);
    hcbr_i_free(table->label);
    hcbr_i_free(table->weight);
    hcbr_i_free(table->held);
    hcbr_i_free(table->hash);
    hcbr_i_free(table->label_weight);
    hcbr_i_free(table->sample);
    hcbr_i_free(table->sampled);
    *table = (hcbr_i_rich_table){0};
}
