/*
 * The rows drawn by boosted trees, leaf by leaf, with their residuals (rich_causes.h). Cases are
 * replayed through all boosted trees once; this also gives the sums of leaves, which depend on all
 * cases.
 *
 * A fold model's trees are replayed for a chunk of rows: first to count the rows of each leaf, then
 * to write them into the lists. Residuals are multiples of the grid and stored as such, in as few
 * bytes as the heaviest case needs. If memory is short, as many chunks as fit are kept, the first
 * ones; residuals of the others are computed again for each decision.
 *
 * Invariant: the sums are exact, since residuals and curvatures are multiples of the grid that add
 * up without rounding (encoded_table.c). So they are the same in any order and in any number of
 * parts.
 */
#include "rich/reasons/influence_sums.h"

#define MOST_ROWS 65536u /* of a chunk: places have 16 bits */
#define LEAST_WIDTH 1u

#ifdef HCBR_FAULTS
_Atomic(uint64_t) hcbr_i_rich_follows = 0;
uint32_t hcbr_i_rich_chunk_rows = MOST_ROWS;
#else
#define hcbr_i_rich_chunk_rows MOST_ROWS
#endif

/* Working memory of one thread. */
typedef struct room {
    hcbr_i_rich_follower f;
    double *divisor; /* by leaf and output: the sums of its rows */
    uint32_t *leaf;  /* by tree of a fold model and row of a chunk; NULL: no chunk is kept */
    uint32_t *next;  /* by leaf of a fold model: place of its next row */
} room;

typedef struct maker {
    hcbr_i_rich_causes *c;
    hcbr_i_rich_making *making;
    room *rooms;
    uint32_t threads;
    hcbr_i_rich_mask *drawn; /* by block and boosted tree: rows it has drawn; NULL: not stored */
    double inverse;          /* of the grid */
    bool full[HCBR_I_RICH_FOLDS]; /* by fold model: some leaf adds the most it may */
} maker;

/* ---- progress -------------------------------------------------------------------------------- */

void hcbr_i_rich_making_init(hcbr_i_rich_making *m, const hcbr_i_rich_watch *watch, uint64_t total,
                             hcbr_error *err) {
    m->watch = watch;
    m->caller = pthread_self();
    m->total = total;
    m->status = HCBR_OK;
    m->err = err;
    atomic_init(&m->done, 0);
    atomic_init(&m->stop, false);
}

bool hcbr_i_rich_making_step(hcbr_i_rich_making *m) {
    uint64_t done = atomic_fetch_add_explicit(&m->done, 1, memory_order_relaxed);
    if (pthread_equal(pthread_self(), m->caller) && m->status == HCBR_OK) {
        m->status = hcbr_i_rich_tell(m->watch, done, m->total, m->err);
        if (m->status != HCBR_OK)
            atomic_store(&m->stop, true);
    }
    return !atomic_load(&m->stop);
}

/* ---- chunks ---------------------------------------------------------------------------------- */

static uint32_t rows_of(const hcbr_i_rich_causes *c, uint32_t chunk) {
    uint32_t left = c->table.rows - chunk * c->leaves.chunk_rows;
    return left < c->leaves.chunk_rows ? left : c->leaves.chunk_rows;
}

static uint32_t blocks_of(const hcbr_i_rich_causes *c, uint32_t chunk) {
    return (rows_of(c, chunk) + HCBR_I_RICH_ROWS - 1) / HCBR_I_RICH_ROWS;
}

static uint32_t trees_of(const hcbr_i_rich_causes *c, uint32_t fold) {
    return c->tree_start[fold + 1] - c->tree_start[fold];
}

/* As many rows as have MOST_ROWS numbers, whole blocks. */
void hcbr_i_rich_leaves_init(hcbr_i_rich_causes *c) {
    hcbr_i_rich_leaves *x = &c->leaves;
    uint32_t rows = hcbr_i_rich_chunk_rows / c->rich->outputs;
    rows -= rows % HCBR_I_RICH_ROWS;
    x->chunk_rows = rows ? rows : HCBR_I_RICH_ROWS;
    x->chunks = c->table.rows / x->chunk_rows + (c->table.rows % x->chunk_rows > 0);
}

/* The bytes that the residual of the heaviest row needs, with its sign; a whole double if the
 * inverse of the grid is not finite. */
static void choose_width(maker *m) {
    const hcbr_i_rich_table *t = &m->c->table;
    double most = 0, inverse = 1 / t->grid;
    for (uint32_t i = 0; i < t->rows; i++)
        most = t->weight[i] > most ? t->weight[i] : most;
    m->inverse = inverse;
    m->c->leaves.width = LEAST_WIDTH;
    double limit = 0x1p7; // of one byte
    while (m->c->leaves.width < sizeof(double) && !(most * inverse + 1 < limit)) {
        m->c->leaves.width++;
        limit *= 0x1p8;
    }
    if (!isnormal(inverse))
        m->c->leaves.width = sizeof(double);
}

/* ---- drawn rows ------------------------------------------------------------------------------ */

/* List them for a chunk and fold model. Returns how many there are. */
static uint64_t list_drawn(const maker *m, hcbr_i_rich_follower *f, uint32_t chunk, uint32_t fold) {
    const hcbr_i_rich_causes *c = m->c;
    uint32_t first = chunk * (c->leaves.chunk_rows / HCBR_I_RICH_ROWS);
    uint64_t count = 0;
    for (uint32_t b = first; b < first + blocks_of(c, chunk); b++) {
        hcbr_i_rich_mask *to = m->drawn + (size_t)b * c->boosted_count + c->tree_start[fold];
        hcbr_i_rich_block_place(&f->block, b);
        hcbr_i_rich_follower_start(f, fold);
        for (uint32_t t = 0; t < trees_of(c, fold); t++) {
            to[t] = hcbr_i_rich_follower_drawn(f, t, f->block.all);
            count += (uint64_t)__builtin_popcountll(to[t].word[0]) +
                     (uint64_t)__builtin_popcountll(to[t].word[1]);
        }
    }
    return count;
}

static void list_unit(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    maker *m = context;
    for (uint64_t unit = begin; unit < end; unit++)
        m->c->leaves.first[unit + 1] =
            list_drawn(m, &m->rooms[worker].f, (uint32_t)(unit / HCBR_I_RICH_FOLDS),
                       (uint32_t)(unit % HCBR_I_RICH_FOLDS));
}

/* ---- room ------------------------------------------------------------------------------------ */

static void forget_kept(hcbr_i_rich_leaves *x) {
    hcbr_i_free(x->first);
    hcbr_i_free(x->start);
    hcbr_i_free(x->row);
    hcbr_i_free(x->residual);
    x->first = NULL;
    x->start = NULL;
    x->row = NULL;
    x->residual = NULL;
    x->kept = 0;
}

void hcbr_i_rich_causes_forget(hcbr_i_rich_causes *c) {
    forget_kept(&c->leaves);
    hcbr_i_free(c->leaves.forest_start);
    hcbr_i_free(c->leaves.forest_row);
    c->leaves.forest_start = NULL;
    c->leaves.forest_row = NULL;
    hcbr_i_free(c->divisor);
    c->divisor = NULL;
}

/* Memory of the first `chunks` chunks, with the numbers of starts and entries; first[] is a running
 * sum. */
static bool size_of(const hcbr_i_rich_causes *c, uint32_t chunks, size_t *starts, size_t *entries,
                    size_t *bytes) {
    const hcbr_i_rich_leaves *x = &c->leaves;
    size_t each = c->leaf_start[HCBR_I_RICH_FOLDS] + HCBR_I_RICH_FOLDS, units, size;
    units = (size_t)chunks * HCBR_I_RICH_FOLDS;
    *entries = (size_t)x->first[units];
    return !__builtin_mul_overflow(each, (size_t)chunks, starts) &&
           !__builtin_mul_overflow(*starts, sizeof *x->start, bytes) &&
           !__builtin_mul_overflow(*entries, sizeof *x->row + (size_t)x->width * c->rich->outputs,
                                   &size) &&
           !__builtin_add_overflow(*bytes, size, bytes) &&
           !__builtin_add_overflow(*bytes, (units + 1) * sizeof *x->first + HCBR_I_RICH_BEYOND,
                                   bytes);
}

/* Keep as many chunks as the memory granted is enough for. */
static void make_lists(hcbr_i_rich_causes *c) {
    hcbr_i_rich_leaves *x = &c->leaves;
    size_t starts = 0, entries = 0, bytes;
    uint32_t chunks = x->chunks;
    while (chunks > 0 && (!size_of(c, chunks, &starts, &entries, &bytes) || bytes > c->most))
        chunks--;
    x->kept = chunks;
    if (chunks > 0) {
        x->start = hcbr_i_alloc(starts, sizeof *x->start);
        x->row = hcbr_i_alloc(entries, sizeof *x->row);
        x->residual = hcbr_i_alloc(entries * x->width * c->rich->outputs + HCBR_I_RICH_BEYOND, 1);
        uint64_t *first = hcbr_i_alloc((size_t)chunks * HCBR_I_RICH_FOLDS + 1, sizeof *first);
        if (first) {
            memcpy(first, x->first, ((size_t)chunks * HCBR_I_RICH_FOLDS + 1) * sizeof *first);
            hcbr_i_free(x->first);
            x->first = first;
        }
        if (x->start && x->row && x->residual && first)
            return;
    }
    forget_kept(x);
}

static size_t most_of(const hcbr_i_rich_causes *c, bool leaves) {
    size_t most = 0;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        size_t n = leaves ? c->rich->boosted.model[j].leaf_count : trees_of(c, j);
        most = n > most ? n : most;
    }
    return most;
}

/* Room for the residuals of as many chunks as may be kept, if there is memory: without it they are
 * found each time. */
static void keep(maker *m) {
    hcbr_i_rich_causes *c = m->c;
    hcbr_i_rich_leaves *x = &c->leaves;
    uint64_t units = (uint64_t)x->chunks * HCBR_I_RICH_FOLDS;
    size_t cells, bytes, width = x->chunks > 1 ? x->chunk_rows : c->table.rows;
    if (__builtin_mul_overflow((size_t)c->blocks.count, c->boosted_count, &cells) ||
        __builtin_mul_overflow(cells, sizeof *m->drawn, &bytes) || bytes > c->most)
        return;
    choose_width(m);
    m->drawn = hcbr_i_alloc(cells, sizeof *m->drawn);
    x->first = hcbr_i_alloc_zero((size_t)units + 1, sizeof *x->first);
    if (m->drawn && x->first) {
        hcbr_i_parallel(m->threads, units, 1, list_unit, m);
        for (size_t unit = 0; unit < units; unit++)
            x->first[unit + 1] += x->first[unit];
        make_lists(c);
    }
    for (uint32_t p = 0; x->kept && p < m->threads; p++) {
        m->rooms[p].next = hcbr_i_alloc(most_of(c, true), sizeof *m->rooms[p].next);
        m->rooms[p].leaf = hcbr_i_alloc(most_of(c, false), width * sizeof *m->rooms[p].leaf);
        if (!m->rooms[p].next || !m->rooms[p].leaf)
            forget_kept(x);
    }
    if (!x->kept) {
        forget_kept(x);
        hcbr_i_free(m->drawn);
        m->drawn = NULL;
    }
}

/* ---- a chunk in the trees of a fold model ---------------------------------------------------- */

/* Store the lowest `width` bytes of a word; the neighbours may be set already. */
static inline void put_word(uint64_t word, uint32_t width, uint8_t *to) {
    if (width & 4) {
        to[0] = (uint8_t)word;
        to[1] = (uint8_t)(word >> 8);
        to[2] = (uint8_t)(word >> 16);
        to[3] = (uint8_t)(word >> 24);
        to += 4;
        word >>= 32;
    }
    if (width & 2) {
        to[0] = (uint8_t)word;
        to[1] = (uint8_t)(word >> 8);
        to += 2;
        word >>= 16;
    }
    if (width & 1)
        *to = (uint8_t)word;
}

/* Write the rows of the block that a tree has drawn to the lists of their leaves. Byte stores may
 * alias anything, so everything else is read once. */
static void put_rows(const maker *m, const room *r, const uint8_t *rows, uint32_t n, size_t unit,
                     uint32_t place) {
    const hcbr_i_rich_leaves *x = &m->c->leaves;
    const size_t k = m->c->rich->outputs, first = (size_t)x->first[unit], width = x->width;
    const double *from = r->f.residual, inverse = m->inverse;
    const uint32_t *leaf = r->f.leaf;
    uint32_t *next = r->next;
    uint16_t *row = x->row + first;
    uint8_t *residual = x->residual + first * k * width;
    for (uint32_t d = 0; d < n; d++) {
        const size_t at = next[leaf[rows[d]]]++;
        const double *values = from + rows[d] * k;
        uint8_t *to = residual + at * k * width;
        row[at] = (uint16_t)(place + rows[d]);
        if (width == sizeof *values)
            memcpy(to, values, k * sizeof *values);
        else
            for (size_t l = 0; l < k; l++, to += width)
                put_word((uint64_t)(int64_t)(values[l] * inverse), (uint32_t)width, to);
    }
}

/* Add a tree's rows to the sums of their leaves: curvatures or, for a leaf at its limit, residuals
 * of its sign. */
static void add_sums(const maker *m, const room *r, const uint8_t *rows, uint32_t n) {
    const hcbr_i_rich_causes *c = m->c;
    const size_t k = c->rich->outputs;
    const uint32_t fold = r->f.fold, *leaves = r->f.leaf;
    const double *curvatures = r->f.curvature, *residuals = r->f.residual,
                 rate = c->rich->kept.rate;
    const double *values = c->rich->boosted.model[fold].values;
    const bool full = m->full[fold];
    double *divisor = r->divisor + c->leaf_start[fold] * k;
    for (uint32_t d = 0; d < n; d++) {
        const size_t leaf = leaves[rows[d]] * k, row = rows[d] * k;
        for (size_t l = 0; l < k; l++) {
            double more = curvatures[row + l];
            if (full && hcbr_i_rich_leaf_full(values[leaf + l], rate))
                more = values[leaf + l] > 0 ? residuals[row + l] : -residuals[row + l];
            divisor[leaf + l] += more;
        }
    }
}

/* Find the leaves of a chunk's rows, and the start of each leaf's list. False: stopped. */
static bool sort_rows(const maker *m, room *r, uint32_t chunk, uint32_t fold) {
    const hcbr_i_rich_causes *c = m->c;
    const hcbr_i_rich_forest *forest = &c->rich->boosted.model[fold];
    uint32_t first = chunk * (c->leaves.chunk_rows / HCBR_I_RICH_ROWS), rows = rows_of(c, chunk);
    uint32_t *start =
        c->leaves.start + (hcbr_i_rich_leaves_start(c, chunk, fold) - c->leaves.start);
    memset(r->next, 0, forest->leaf_count * sizeof *r->next);
    memset(r->leaf, 0, (size_t)trees_of(c, fold) * rows * sizeof *r->leaf);
    for (uint32_t b = 0; b < blocks_of(c, chunk); b++) {
        const hcbr_i_rich_mask *drawn =
            m->drawn + (size_t)(first + b) * c->boosted_count + c->tree_start[fold];
        hcbr_i_rich_block_enter(&r->f.block, first + b);
        hcbr_i_rich_follower_start(&r->f, fold);
        for (uint32_t t = 0; t < trees_of(c, fold); t++) {
            uint32_t *leaf = r->leaf + (size_t)t * rows + (size_t)b * HCBR_I_RICH_ROWS;
            uint8_t list[HCBR_I_RICH_ROWS];
            hcbr_i_rich_block_walk(&r->f.block, forest, t, r->f.seen, leaf, HCBR_I_NONE);
            uint32_t n = hcbr_i_rich_mask_list(drawn[t], list);
            for (uint32_t d = 0; d < n; d++)
                r->next[leaf[list[d]]]++;
        }
        if (!hcbr_i_rich_making_step(m->making))
            return false;
    }
    uint32_t next = 0;
    for (size_t leaf = 0; leaf < forest->leaf_count; leaf++) {
        start[leaf] = next;
        next += r->next[leaf];
        r->next[leaf] = start[leaf];
    }
    start[forest->leaf_count] = next;
    return true;
}

/* Follow a block through the trees of a fold model. */
static void follow_block(const maker *m, room *r, uint32_t chunk, uint32_t fold, uint32_t b) {
    const hcbr_i_rich_causes *c = m->c;
    uint32_t number = chunk * (c->leaves.chunk_rows / HCBR_I_RICH_ROWS) + b;
    bool kept = chunk < c->leaves.kept;
    size_t unit = (size_t)chunk * HCBR_I_RICH_FOLDS + fold, rows = rows_of(c, chunk);
    if (kept)
        hcbr_i_rich_block_place(&r->f.block, number);
    else
        hcbr_i_rich_block_enter(&r->f.block, number);
    hcbr_i_rich_follower_start(&r->f, fold);
    for (uint32_t t = 0; t < trees_of(c, fold); t++) {
        uint8_t list[HCBR_I_RICH_ROWS];
        hcbr_i_rich_mask drawn;
        if (kept) {
            memcpy(r->f.leaf, r->leaf + t * rows + (size_t)b * HCBR_I_RICH_ROWS,
                   r->f.block.n * sizeof *r->f.leaf);
            drawn = m->drawn[(size_t)number * c->boosted_count + c->tree_start[fold] + t];
        } else {
            hcbr_i_rich_follower_walk(&r->f, t, HCBR_I_NONE);
            drawn = hcbr_i_rich_follower_drawn(&r->f, t, r->f.block.all);
        }
        uint32_t n = hcbr_i_rich_mask_list(drawn, list);
        hcbr_i_rich_follower_residuals(&r->f, drawn, r->f.residual, r->f.curvature);
        if (kept)
            put_rows(m, r, list, n, unit, b * HCBR_I_RICH_ROWS);
        add_sums(m, r, list, n);
        hcbr_i_rich_follower_step(&r->f);
    }
}

static void follow_unit(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    maker *m = context;
    for (uint64_t unit = begin; unit < end && !atomic_load(&m->making->stop); unit++) {
        uint32_t chunk = (uint32_t)(unit / HCBR_I_RICH_FOLDS);
        uint32_t fold = (uint32_t)(unit % HCBR_I_RICH_FOLDS);
        bool go = chunk >= m->c->leaves.kept || sort_rows(m, &m->rooms[worker], chunk, fold);
        for (uint32_t b = 0; go && b < blocks_of(m->c, chunk); b++) {
            follow_block(m, &m->rooms[worker], chunk, fold, b);
            go = hcbr_i_rich_making_step(m->making);
        }
    }
}

/* ---- all trees ------------------------------------------------------------------------------- */

/* Allocate the memory of every thread; after a failure the next call may try again. */
static bool start_threads(maker *m) {
    hcbr_i_rich_causes *c = m->c;
    size_t sums = c->leaf_start[HCBR_I_RICH_FOLDS] * c->rich->outputs;
    if (!(m->rooms = hcbr_i_alloc_zero(m->threads, sizeof *m->rooms)))
        return false;
    for (uint32_t p = 0; p < m->threads; p++)
        if (hcbr_i_rich_follower_init(&m->rooms[p].f, c, NULL) != HCBR_OK ||
            !(m->rooms[p].divisor = hcbr_i_alloc_zero(sums, sizeof *c->divisor)))
            return false;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &c->rich->boosted.model[j];
        for (size_t i = 0; i < f->leaf_count * c->rich->outputs; i++)
            m->full[j] |= hcbr_i_rich_leaf_full(f->values[i], c->rich->kept.rate);
    }
    return true;
}

/* Add up the sums of all threads, and the constant part of each leaf. */
static void end_sums(maker *m) {
    hcbr_i_rich_causes *c = m->c;
    size_t k = c->rich->outputs;
    c->divisor = m->rooms[0].divisor;
    m->rooms[0].divisor = NULL;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &c->rich->boosted.model[j];
        for (size_t i = 0; i < f->leaf_count * k; i++) {
            double *to = c->divisor + c->leaf_start[j] * k + i;
            for (uint32_t p = 1; p < m->threads; p++)
                *to += m->rooms[p].divisor[c->leaf_start[j] * k + i];
            if (hcbr_i_rich_leaf_full(f->values[i], c->rich->kept.rate))
                *to /= HCBR_I_RICH_MOST_STEP;
            else
                *to += c->rich->kept.lambda;
        }
    }
}

static hcbr_status follow_all(maker *m, hcbr_error *err) {
    const hcbr_i_rich_leaves *x = &m->c->leaves;
    if (!start_threads(m))
        return hcbr_i_no_memory(err);
    keep(m);
    hcbr_i_parallel(m->threads, (uint64_t)x->chunks * HCBR_I_RICH_FOLDS, 1, follow_unit, m);
    if (m->making->status != HCBR_OK)
        return m->making->status;
    end_sums(m);
    return HCBR_OK;
}

static hcbr_status follow_boosted(hcbr_i_rich_causes *c, uint32_t threads,
                                  hcbr_i_rich_making *making, hcbr_error *err) {
    uint64_t units = (uint64_t)c->leaves.chunks * HCBR_I_RICH_FOLDS;
    maker m = {.c = c, .making = making, .threads = threads < units ? threads : (uint32_t)units};
#ifdef HCBR_FAULTS
    hcbr_i_rich_follows++;
#endif
    hcbr_status st = follow_all(&m, err);
    for (uint32_t p = 0; m.rooms && p < m.threads; p++) {
        hcbr_i_rich_follower_clear(&m.rooms[p].f);
        hcbr_i_free(m.rooms[p].divisor);
        hcbr_i_free(m.rooms[p].leaf);
        hcbr_i_free(m.rooms[p].next);
    }
    hcbr_i_free(m.rooms);
    hcbr_i_free(m.drawn);
    if (st != HCBR_OK) // a partial result is useless
        forget_kept(&c->leaves);
    return st;
}

static hcbr_status make(hcbr_i_rich_causes *c, bool boosted, uint32_t threads,
                        const hcbr_i_rich_watch *watch, hcbr_error *err) {
    hcbr_i_rich_making m;
    hcbr_status st = HCBR_OK;
    bool forest = hcbr_i_rich_forest_weighs(c->rich) && !c->leaves.forest_start;
    boosted = boosted && !c->divisor && c->boosted_count > 0;
    threads = threads ? threads : 1;
    if (!forest && !boosted) // nothing is written to a shared index
        return HCBR_OK;
    hcbr_i_rich_making_init(&m, watch,
                            (forest ? hcbr_i_rich_forest_rows_steps(c, threads) : 0) +
                                (boosted ? 2 * (uint64_t)c->blocks.count * HCBR_I_RICH_FOLDS : 0),
                            err);
    if (forest)
        st = hcbr_i_rich_forest_rows_make(c, threads, &m, err);
    if (st == HCBR_OK && boosted)
        st = follow_boosted(c, threads, &m, err);
    return st;
}

hcbr_status hcbr_i_rich_causes_follow(hcbr_i_rich_causes *c, uint32_t threads,
                                      const hcbr_i_rich_watch *watch, hcbr_error *err) {
    return make(c, true, threads, watch, err);
}

hcbr_status hcbr_i_rich_causes_forest(hcbr_i_rich_causes *c, uint32_t threads,
                                      const hcbr_i_rich_watch *watch, hcbr_error *err) {
    return make(c, false, threads, watch, err);
}
