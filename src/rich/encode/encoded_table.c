/*
 * The table that the families are fitted to: encoded cases, identical ones merged, in an order that
 * depends on nothing but their content and the seed. table_folds.c deals it to the folds.
 */
#include "rich/encode/column_encoding.h"
#include "rich/rich_math.h"

#include <stdlib.h>
#include <xxhash.h>

#define HASHED 8192u /* cases that a thread hashes at a time */

static uint64_t content_key(const uint8_t *codes, uint32_t columns, const uint32_t *bag,
                            uint64_t bag_count, uint64_t seed) {
    uint64_t hash = XXH3_64bits_withSeed(codes, columns, seed);
    for (uint64_t b = 0; bag && b < bag_count; b++)
        hash += hcbr_i_mix(hcbr_i_mix(seed ^ 0x6261) + bag[b]);
    return hcbr_i_mix(hash);
}

/* Copy the codes of one case next to each other. */
static void take_codes(const uint8_t *codes, size_t step, uint32_t columns, size_t at,
                       uint8_t *out) {
    for (uint32_t c = 0; c < columns; c++)
        out[c] = codes[c * step + at];
}

/* ---- weights --------------------------------------------------------------------------------- */

double hcbr_i_rich_weight_grid(const hcbr_i_rich_view *view) {
    uint32_t count = hcbr_i_rich_view_count(view);
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

/* ---- merging --------------------------------------------------------------------------------- */

/* Cases in the making of a table. */
typedef struct merger {
    const hcbr_i_rich_coded *coded;
    const hcbr_i_rich_view *view;
    uint32_t columns;
    hcbr_i_rich_keyed *sorted; /* by content key: places of cases */
    uint32_t count;
    uint32_t threads;
    uint64_t seed;
    uint64_t *keys;         /* by place: of the content */
    uint8_t *codes;         /* by thread: those of a case */
    hcbr_i_rich_table *out; /* its codes come from the cases */
} merger;

static uint32_t label_of(const merger *m, uint64_t place) {
    return m->view->cases->label[hcbr_i_rich_view_case(m->view, (uint32_t)place)];
}

static uint64_t group_of(const merger *m, uint64_t place) {
    const uint64_t *group = m->view->cases->group;
    return group ? group[hcbr_i_rich_view_case(m->view, (uint32_t)place)] : 0;
}

/* Order of two cases with equal keys. */
static int compare_cases(const merger *m, uint64_t x, uint64_t y) {
    const hcbr_i_rich_coded *c = m->coded;
    if (label_of(m, x) != label_of(m, y))
        return label_of(m, x) < label_of(m, y) ? -1 : 1;
    if (group_of(m, x) != group_of(m, y))
        return group_of(m, x) < group_of(m, y) ? -1 : 1;
    for (size_t k = 0; k < m->columns; k++)
        if (c->codes[k * c->count + x] != c->codes[k * c->count + y])
            return c->codes[k * c->count + x] < c->codes[k * c->count + y] ? -1 : 1;
    uint64_t a = c->bag_start[x], b = c->bag_start[y], length = c->bag_start[x + 1] - a;
    if (length != c->bag_start[y + 1] - b)
        return length < c->bag_start[y + 1] - b ? -1 : 1;
    for (uint64_t n = 0; n < length; n++)
        if (c->bag[a + n] != c->bag[b + n])
            return c->bag[a + n] < c->bag[b + n] ? -1 : 1;
    return 0;
}

/* Keys of some cases, at their places. */
static void key_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    merger *m = context;
    const hcbr_i_rich_coded *c = m->coded;
    uint8_t *codes = m->codes + (size_t)worker * m->columns;
    for (uint64_t place = begin; place < end; place++) {
        uint64_t from = c->bag_start[place];
        take_codes(c->codes, c->count, m->columns, place, codes);
        m->keys[place] = content_key(codes, m->columns, c->bag ? c->bag + from : NULL,
                                     c->bag_start[place + 1] - from, m->seed);
    }
}

/* Sort the cases by of_place(), stably. */
static void sort_by(merger *m, hcbr_i_rich_keyed *spare,
                    uint64_t (*of_place)(const merger *m, uint64_t place)) {
    for (uint32_t i = 0; i < m->count; i++)
        m->sorted[i].key = of_place(m, m->sorted[i].load);
    hcbr_i_rich_sort_keyed(m->sorted, spare, m->count);
}

static uint64_t label_key(const merger *m, uint64_t place) {
    return label_of(m, place);
}

static uint64_t key_of(const merger *m, uint64_t place) {
    return m->keys[place];
}

/* Sort the cases with weight by key, label and group; if all these are equal, the content nearly
 * always is. */
static bool sort_cases(merger *m) {
    const hcbr_i_rich_coded *c = m->coded;
    hcbr_i_rich_keyed *spare = hcbr_i_alloc(c->count, sizeof *spare);
    m->codes = hcbr_i_alloc(m->threads, m->columns);
    m->keys = hcbr_i_alloc(c->count, sizeof *m->keys);
    m->sorted = hcbr_i_alloc(c->count, sizeof *m->sorted);
    bool ok = m->sorted && m->keys && spare && m->codes;
    if (ok)
        hcbr_i_parallel(m->threads, c->count, HASHED, key_some, m);
    for (uint32_t place = 0; ok && place < c->count; place++)
        if (hcbr_i_rich_weight(m->view, hcbr_i_rich_view_case(m->view, place)) > 0)
            m->sorted[m->count++].load = place;
    if (ok && m->view->cases->group)
        sort_by(m, spare, group_of);
    if (ok) {
        sort_by(m, spare, label_key);
        sort_by(m, spare, key_of);
    }
    for (uint32_t i = 1; ok && i < m->count; i++) {
        hcbr_i_rich_keyed x = m->sorted[i];
        uint32_t at = i;
        for (; at > 0 && m->sorted[at - 1].key == x.key &&
               compare_cases(m, m->sorted[at - 1].load, x.load) > 0;
             at--)
            m->sorted[at] = m->sorted[at - 1];
        m->sorted[at] = x;
    }
    hcbr_i_free(spare);
    hcbr_i_free(m->codes);
    hcbr_i_free(m->keys);
    return ok;
}

/* Number the rows: sets row_of of every case. Returns their number, and leaves the first case of
 * each in sorted. */
static uint32_t number_rows(merger *m, uint32_t *row_of) {
    uint32_t rows = 0;
    for (uint32_t i = 0; i < m->count; i++) {
        const hcbr_i_rich_keyed *x = &m->sorted[i];
        uint32_t place = (uint32_t)x->load;
        if (rows == 0 || m->sorted[rows - 1].key != x->key ||
            compare_cases(m, m->sorted[rows - 1].load, place) != 0)
            m->sorted[rows++] = *x;
        row_of[place] = rows - 1;
    }
    return rows;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* Room for rows; content is left to the caller. */
static bool room_rows(hcbr_i_rich_table *t, uint64_t members) {
    size_t rows = t->rows, cells = 0;
    t->codes =
        __builtin_mul_overflow(rows, (size_t)t->columns, &cells) ? NULL : hcbr_i_alloc(cells, 1);
    t->bag_start = hcbr_i_alloc(rows + 1, sizeof *t->bag_start);
    t->bag = hcbr_i_alloc((size_t)members, sizeof *t->bag);
    t->label = hcbr_i_alloc(rows, sizeof *t->label);
    t->weight = hcbr_i_alloc_zero(rows, sizeof *t->weight);
    t->unit = hcbr_i_alloc(rows, sizeof *t->unit);
    return t->codes && t->bag_start && t->bag && t->label && t->weight && t->unit;
}

/* Codes of some columns, row by row. */
static void take_columns(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const merger *m = context;
    const hcbr_i_rich_coded *c = m->coded;
    size_t rows = m->out->rows;
    (void)worker;
    for (uint64_t k = begin; k < end; k++)
        for (size_t i = 0; i < rows; i++)
            m->out->codes[k * rows + i] = c->codes[k * c->count + m->sorted[i].load];
}

static bool take_rows(merger *m) {
    hcbr_i_rich_table *t = m->out;
    const hcbr_i_rich_coded *c = m->coded;
    size_t rows = t->rows;
    uint64_t members = 0;
    for (size_t i = 0; i < rows; i++)
        members += c->bag_start[m->sorted[i].load + 1] - c->bag_start[m->sorted[i].load];
    if (!room_rows(t, members))
        return false;
    hcbr_i_parallel(m->threads, t->columns, 1, take_columns, m);
    t->bag_start[0] = 0;
    for (size_t i = 0; i < rows; i++) {
        uint64_t place = m->sorted[i].load, from = c->bag_start[place];
        uint64_t count = c->bag_start[place + 1] - from;
        if (count)
            memcpy(t->bag + t->bag_start[i], c->bag + from, (size_t)count * sizeof *t->bag);
        t->bag_start[i + 1] = t->bag_start[i] + count;
        t->label[i] = label_of(m, place);
        t->unit[i] = m->sorted[i].key;
    }
    return true;
}

/* Number the groups of the rows, in order of appearance. */
static bool take_groups(merger *m) {
    hcbr_i_rich_table *t = m->out;
    if (!m->view->cases->group)
        return true;
    hcbr_i_rich_keyed *list = hcbr_i_alloc(t->rows, sizeof *list);
    hcbr_i_rich_keyed *spare = hcbr_i_alloc(t->rows, sizeof *spare);
    t->group = hcbr_i_alloc(t->rows, sizeof *t->group);
    bool ok = list && spare && t->group;
    for (uint32_t i = 0; ok && i < t->rows; i++)
        list[i] = (hcbr_i_rich_keyed){group_of(m, m->sorted[i].load), i};
    if (ok)
        hcbr_i_rich_sort_keyed(list, spare, t->rows);
    for (uint32_t i = 0; ok && i < t->rows; i++) // the first row of the group, for now
        t->group[list[i].load] = i && list[i].key == list[i - 1].key ? t->group[list[i - 1].load]
                                                                     : (uint32_t)list[i].load;
    for (uint32_t i = 0, groups = 0; ok && i < t->rows; i++)
        t->group[i] = t->group[i] == i ? groups++ : t->group[t->group[i]];
    hcbr_i_free(list);
    hcbr_i_free(spare);
    return ok;
}

bool hcbr_i_rich_table_key(hcbr_i_rich_table *t, uint64_t seed) {
    uint8_t *codes = hcbr_i_alloc(t->columns, 1);
    t->unit = hcbr_i_alloc(t->rows, sizeof *t->unit);
    for (size_t i = 0; codes && t->unit && i < t->rows; i++) {
        uint64_t from = t->bag_start[i];
        take_codes(t->codes, t->rows, t->columns, i, codes);
        t->unit[i] =
            content_key(codes, t->columns, t->bag + from, t->bag_start[i + 1] - from, seed);
    }
    hcbr_i_free(codes);
    return codes && t->unit;
}

bool hcbr_i_rich_table_deal(hcbr_i_rich_table *t, uint64_t seed) {
    size_t rows = t->rows;
    t->hash = hcbr_i_alloc(rows, sizeof *t->hash);
    t->fold = hcbr_i_alloc(rows, sizeof *t->fold);
    t->label_weight = hcbr_i_alloc_zero(t->labels, sizeof *t->label_weight);
    bool ok = t->hash && t->fold && t->label_weight;
    for (size_t i = 0; ok && i < rows; i++) {
        t->hash[i] = hcbr_i_mix(t->unit[i] + hcbr_i_mix(t->label[i]));
        t->label_weight[t->label[i]] += t->weight[i];
        t->total_weight += t->weight[i];
    }
    if (ok && rows) {
        ok = hcbr_i_rich_units_deal(t, seed);
        t->grid = ldexp(1.0, ilogb(t->total_weight) + 3 - 52);
        t->sample_count = t->rows;
    }
    return ok;
}

hcbr_status hcbr_i_rich_table_make(hcbr_i_rich_table *out, const hcbr_i_rich_encoder *encoder,
                                   const hcbr_i_rich_view *view, const hcbr_i_rich_coded *coded,
                                   uint64_t seed, uint32_t threads, uint32_t *row_of,
                                   hcbr_error *err) {
    *out = (hcbr_i_rich_table){.columns = encoder->column_count,
                               .bag_count = encoder->bag_count,
                               .labels = view->cases->labels.count,
                               .column = encoder->columns};
    merger m = {.coded = coded, .view = view, .columns = encoder->column_count, .out = out};
    m.seed = seed;
    m.threads = threads ? threads : 1;
    for (uint32_t j = 0; j < coded->count; j++)
        row_of[j] = HCBR_I_NONE;
    bool ok = sort_cases(&m);
    if (ok) {
        out->rows = number_rows(&m, row_of);
        ok = take_rows(&m) && take_groups(&m);
    }
    hcbr_i_free(m.sorted);
    for (uint32_t j = 0; ok && j < coded->count; j++)
        if (row_of[j] != HCBR_I_NONE)
            out->weight[row_of[j]] += hcbr_i_rich_weight(view, hcbr_i_rich_view_case(view, j));
    ok = ok && hcbr_i_rich_table_deal(out, seed);
    if (ok)
        return HCBR_OK;
    hcbr_i_rich_table_clear(out);
    return hcbr_i_no_memory(err);
}

/* Rows are in the order of their content hash, so a stride is as good as a draw. */
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
    hcbr_i_free(table->records);
    hcbr_i_free(table->bins);
    hcbr_i_free(table->bag_start);
    hcbr_i_free(table->bag);
    hcbr_i_free(table->label);
    hcbr_i_free(table->weight);
    hcbr_i_free(table->group);
    hcbr_i_free(table->unit);
    hcbr_i_free(table->fold);
    hcbr_i_free(table->self);
    hcbr_i_free(table->hash);
    hcbr_i_free(table->label_weight);
    hcbr_i_free(table->sample);
    hcbr_i_free(table->sampled);
    *table = (hcbr_i_rich_table){0};
}
