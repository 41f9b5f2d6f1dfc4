/*
 * Merged cases sent through the boosted trees again. Supports are added up in the order of
 * training, so that every residual is the one the leaf was made of, to the last bit; rows are
 * worked on side by side, each with the operations of rich_draw.h.
 *
 * The sums behind leaves depend on all cases, so the first who asks has all of them followed.
 * Residuals are kept by the way if memory is granted for them.
 *
 * Figures: following takes .005, .31 and 1.7 * 10^9 instructions (heart, phishing, adult), once for
 * all who share an index. Residuals in the file would make it 4, 18 and 41 times as large. The sums
 * alone (38, 49 and 7 % of it) would save nothing, since one pass finds both.
 */
#include "rich/reasons/rich_follow.h"

#include <pthread.h>
#include <stdatomic.h>

typedef hcbr_i_rich_pair pair;

#ifdef HCBR_FAULTS
_Atomic(uint64_t) hcbr_i_rich_follows = 0;
#endif

/* ---- life ------------------------------------------------------------------------------------ */

hcbr_status hcbr_i_rich_follower_init(hcbr_i_rich_follower *f, const hcbr_i_rich_causes *c,
                                      hcbr_error *err) {
    size_t size = c->rich->outputs * sizeof *f->score;
    *f = (hcbr_i_rich_follower){.c = c};
    f->score = hcbr_i_alloc(HCBR_I_RICH_ROWS, size);
    f->residual = hcbr_i_alloc(HCBR_I_RICH_ROWS, size);
    f->curvature = hcbr_i_alloc(HCBR_I_RICH_ROWS, size);
    f->room = hcbr_i_alloc_zero(HCBR_I_RICH_ROWS + HCBR_I_RICH_BLOCK, size);
    if (hcbr_i_rich_block_init(&f->block, &c->blocks) && f->score && f->residual && f->curvature &&
        f->room)
        return HCBR_OK;
    hcbr_i_rich_follower_clear(f);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_follower_clear(hcbr_i_rich_follower *f) {
    hcbr_i_rich_block_clear(&f->block);
    hcbr_i_free(f->score);
    hcbr_i_free(f->residual);
    hcbr_i_free(f->curvature);
    hcbr_i_free(f->room);
    hcbr_i_free(f->behind);
    *f = (hcbr_i_rich_follower){0};
}

/* ---- from tree to tree ----------------------------------------------------------------------- */

void hcbr_i_rich_follower_start(hcbr_i_rich_follower *f, uint32_t jury) {
    const hcbr_i_rich_table *t = &f->c->table;
    uint32_t k = f->c->rich->outputs;
    f->jury = jury;
    f->seen = (hcbr_i_rich_mask){{0, 0}};
    for (uint32_t b = 0; b < f->block.n; b++) {
        size_t row = f->block.first + b;
        f->weight[b] = t->weight[row] - t->held[row * HCBR_I_RICH_FOLDS + jury];
        if (f->weight[b] > 0)
            hcbr_i_rich_mask_set(&f->seen, b);
        memcpy(f->score + (size_t)b * k, f->c->rich->boosted.start + (size_t)jury * k,
               k * sizeof *f->score);
    }
}

hcbr_i_rich_mask hcbr_i_rich_follower_walk(hcbr_i_rich_follower *f, uint32_t tree,
                                           uint32_t wanted) {
    return hcbr_i_rich_block_walk(&f->block, &f->c->rich->boosted.jury[f->jury], tree, f->leaf,
                                  wanted);
}

hcbr_i_rich_mask hcbr_i_rich_follower_drawn(const hcbr_i_rich_follower *f, uint32_t tree,
                                            hcbr_i_rich_mask rows) {
    const hcbr_i_rich *r = f->c->rich;
    uint64_t limit = hcbr_i_rich_draw_limit(r->kept.draw);
    uint64_t key = hcbr_i_rich_tree_key(hcbr_i_rich_jury_key(r->seed, f->jury), tree);
    const uint64_t *hash = f->c->table.hash + f->block.first;
    hcbr_i_rich_mask drawn = {{0, 0}};
    rows = hcbr_i_rich_mask_and(rows, f->seen);
    for (uint32_t w = 0; w < 2; w++)
        for (uint64_t left = rows.word[w]; left; left &= left - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(left);
            drawn.word[w] |= (uint64_t)hcbr_i_rich_is_drawn(hash[64 * w + b], key, limit) << b;
        }
    return drawn;
}

void hcbr_i_rich_follower_step(hcbr_i_rich_follower *f) {
    uint32_t k = f->c->rich->outputs;
    const double *values = f->c->rich->boosted.jury[f->jury].values;
    if (k == 1) {
        for (uint32_t b = 0; b < f->block.n; b++)
            f->score[b] += values[f->leaf[b]];
        return;
    }
    for (uint32_t b = 0; b < f->block.n; b++) {
        double *score = f->score + (size_t)b * k;
        const double *value = values + (size_t)f->leaf[b] * k;
        uint32_t l = 0;
        for (; l + 2 <= k; l += 2)
            hcbr_i_rich_put_pair(score + l,
                                 hcbr_i_rich_get_pair(score + l) + hcbr_i_rich_get_pair(value + l));
        if (l < k)
            score[l] += value[l];
    }
}

/* ---- residuals ------------------------------------------------------------------------------- */

/* Of two labels, HCBR_I_RICH_BLOCK rows at a time. */
static void residuals_of_two(const hcbr_i_rich_follower *f, const uint8_t *rows, uint32_t n,
                             double *residual, double *curvature) {
    const hcbr_i_rich_table *t = &f->c->table;
    const uint32_t *label = t->label + f->block.first;
    double e[HCBR_I_RICH_BLOCK], unused;
    for (uint32_t d = 0; d < n; d += HCBR_I_RICH_BLOCK) {
        uint32_t count = n - d < HCBR_I_RICH_BLOCK ? n - d : HCBR_I_RICH_BLOCK;
        for (uint32_t i = 0; i < HCBR_I_RICH_BLOCK; i++)
            e[i] = i < count ? -f->score[rows[d + i]] : 0;
        hcbr_i_rich_exp_block(e);
        for (uint32_t i = 0; i < count; i++) {
            uint32_t b = rows[d + i];
            hcbr_i_rich_residual_at(1.0 / (1.0 + e[i]), label[b], f->weight[b], t->grid,
                                    residual + b, curvature ? curvature + b : &unused);
        }
    }
}

static inline pair round_pair(pair x, double grid) {
    double magic = 0x1.8p52 * grid;
    return (x + magic) - magic;
}

/* Supports less the largest of them. */
static void take_largest(const double *score, uint32_t k, double *out) {
    pair most = hcbr_i_rich_get_pair(score);
    uint32_t l = 2;
    for (; l + 2 <= k; l += 2)
        most = hcbr_i_rich_larger(hcbr_i_rich_get_pair(score + l), most);
    double largest = most[0] > most[1] ? most[0] : most[1];
    if (l < k && score[l] > largest)
        largest = score[l];
    for (l = 0; l + 2 <= k; l += 2)
        hcbr_i_rich_put_pair(out + l, hcbr_i_rich_get_pair(score + l) - largest);
    if (l < k)
        out[l] = score[l] - largest;
}

/* Sums of four lists of k numbers, each in its order and none waiting for another. */
static void add_four(const double *e, uint32_t k, double *sum) {
    double a = 0, b = 0, c = 0, d = 0;
    for (uint32_t l = 0; l < k; l++, e++) {
        a += e[0];
        b += e[(size_t)k];
        c += e[2 * (size_t)k];
        d += e[3 * (size_t)k];
    }
    sum[0] = a;
    sum[1] = b;
    sum[2] = c;
    sum[3] = d;
}

/* One row of them, from what hcbr_i_rich_softmax() divides. */
static void residuals_of_row(const hcbr_i_rich_follower *f, uint32_t b, const double *e, double sum,
                             double *residual, double *curvature) {
    uint32_t k = f->c->rich->outputs, label = f->c->table.label[f->block.first + b], l = 0;
    double w = f->weight[b], grid = f->c->table.grid;
    for (; l + 2 <= k; l += 2) {
        pair share = hcbr_i_rich_get_pair(e + l) / sum, own = {label == l, label == l + 1};
        hcbr_i_rich_put_pair(residual + l, round_pair(w * (own - share), grid));
        if (curvature)
            hcbr_i_rich_put_pair(curvature + l, round_pair(w * share * (1 - share), grid));
    }
    for (; l < k; l++) {
        double share = e[l] / sum;
        residual[l] = hcbr_i_rich_round(w * ((label == l) - share), grid);
        if (curvature)
            curvature[l] = hcbr_i_rich_round(w * share * (1 - share), grid);
    }
}

/* Of k labels: all exponentials in a row, then the rows one by one. Beyond them there is room. */
static void residuals_of_many(const hcbr_i_rich_follower *f, const uint8_t *rows, uint32_t n,
                              double *residual, double *curvature) {
    uint32_t k = f->c->rich->outputs;
    size_t all = (size_t)n * k;
    double sum[4];
    for (uint32_t d = 0; d < n; d++)
        take_largest(f->score + (size_t)rows[d] * k, k, f->room + (size_t)d * k);
    for (size_t i = 0; i < all; i += HCBR_I_RICH_BLOCK)
        hcbr_i_rich_exp_block(f->room + i);
    for (uint32_t d = 0; d < n; d++) {
        const double *e = f->room + (size_t)d * k;
        size_t at = (size_t)rows[d] * k;
        if (d % 4 == 0)
            add_four(e, k, sum);
        residuals_of_row(f, rows[d], e, sum[d % 4], residual + at,
                         curvature ? curvature + at : NULL);
    }
}

void hcbr_i_rich_follower_residuals(const hcbr_i_rich_follower *f, hcbr_i_rich_mask mask,
                                    double *residual, double *curvature) {
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(mask, rows);
    if (f->c->rich->outputs == 1)
        residuals_of_two(f, rows, n, residual, curvature);
    else
        residuals_of_many(f, rows, n, residual, curvature);
}

/* ---- all cases ------------------------------------------------------------------------------- */

/* A row behind a leaf that may add the most there is: such a leaf is divided by |G| / 64. */
static void add_to_full(const hcbr_i_rich_causes *c, const double *value, const double *residual,
                        const double *curvature, double *to) {
    for (uint32_t l = 0; l < c->rich->outputs; l++) {
        double part = residual[l] / HCBR_I_RICH_MOST_STEP;
        to[l] += !hcbr_i_rich_leaf_full(value[l], c->rich->kept.rate) ? curvature[l]
                 : value[l] > 0                                       ? part
                                                                      : -part;
    }
}

/* Add the curvatures of a tree's rows to the sums behind their leaves. */
static void add_curvatures(hcbr_i_rich_causes *c, const hcbr_i_rich_follower *f,
                           hcbr_i_rich_mask drawn) {
    uint32_t k = c->rich->outputs;
    uint8_t rows[HCBR_I_RICH_ROWS];
    uint32_t n = hcbr_i_rich_mask_list(drawn, rows);
    double *divisor = c->divisor + c->leaf_start[f->jury] * k;
    for (uint32_t d = 0; d < n; d++) {
        double *to = divisor + (size_t)f->leaf[rows[d]] * k;
        const double *from = f->curvature + (size_t)rows[d] * k;
        if (c->full[f->jury])
            add_to_full(c, c->rich->boosted.jury[f->jury].values + (size_t)f->leaf[rows[d]] * k,
                        f->residual + (size_t)rows[d] * k, from, to);
        for (uint32_t l = 0; !c->full[f->jury] && l < k; l++)
            to[l] += from[l];
    }
}

/* Keep the residuals of a tree's rows: leaf after leaf in the order in which rows meet them, those
 * behind one leaf in the order of the rows. */
static void keep_residuals(hcbr_i_rich_causes *c, const hcbr_i_rich_follower *f, size_t cell) {
    uint32_t k = c->rich->outputs, next = 0;
    uint8_t rows[HCBR_I_RICH_ROWS], *place = c->place + cell * HCBR_I_RICH_ROWS;
    uint32_t n = hcbr_i_rich_mask_list(c->drawn[cell], rows), *behind = f->behind;
    double *to = c->residual + c->first[cell] * k;
    for (uint32_t d = 0; d < n; d++)
        behind[f->leaf[rows[d]]]++;
    const uint32_t begun = 1u << 31; // set where a count became the place of the leaf's next row
    for (uint32_t d = 0; d < n; d++) {
        uint32_t *at = &behind[f->leaf[rows[d]]];
        if (!(*at & begun)) {
            uint32_t count = *at;
            *at = next | begun;
            next += count;
        }
        place[rows[d]] = (uint8_t)((*at)++ & ~begun);
        memcpy(to + (size_t)place[rows[d]] * k, f->residual + (size_t)rows[d] * k, k * sizeof *to);
    }
    for (uint32_t d = 0; d < n; d++)
        behind[f->leaf[rows[d]]] = 0;
}

static void follow_jury(hcbr_i_rich_causes *c, hcbr_i_rich_follower *f, uint32_t j) {
    size_t cell = (size_t)f->block.number * c->boosted_count + c->tree_start[j];
    hcbr_i_rich_follower_start(f, j);
    for (uint32_t t = 0; t < c->tree_start[j + 1] - c->tree_start[j]; t++, cell++) {
        hcbr_i_rich_follower_walk(f, t, HCBR_I_NONE);
        hcbr_i_rich_mask drawn =
            c->kept ? c->drawn[cell] : hcbr_i_rich_follower_drawn(f, t, f->block.all);
        hcbr_i_rich_follower_residuals(f, drawn, f->residual, f->curvature);
        if (c->kept)
            keep_residuals(c, f, cell);
        add_curvatures(c, f, drawn);
        hcbr_i_rich_follower_step(f);
    }
}

/* Find who was drawn by each tree. Returns how many that were in all. */
static uint64_t list_drawn(hcbr_i_rich_causes *c, hcbr_i_rich_follower *f) {
    uint64_t count = 0;
    size_t cell = 0;
    for (uint32_t b = 0; b < c->blocks.count; b++) {
        hcbr_i_rich_block_enter(&f->block, b);
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
            hcbr_i_rich_follower_start(f, j);
            for (uint32_t t = 0; t < c->tree_start[j + 1] - c->tree_start[j]; t++, cell++) {
                c->drawn[cell] = hcbr_i_rich_follower_drawn(f, t, f->block.all);
                c->first[cell] = count;
                count += (uint64_t)__builtin_popcountll(c->drawn[cell].word[0]) +
                         (uint64_t)__builtin_popcountll(c->drawn[cell].word[1]);
            }
        }
    }
    return count;
}

static void forget_kept(hcbr_i_rich_causes *c) {
    hcbr_i_free(c->drawn);
    hcbr_i_free(c->first);
    hcbr_i_free(c->place);
    hcbr_i_free(c->residual);
    c->drawn = NULL;
    c->first = NULL;
    c->place = NULL;
    c->residual = NULL;
    c->kept = false;
}

void hcbr_i_rich_causes_forget(hcbr_i_rich_causes *c) {
    forget_kept(c);
    hcbr_i_free(c->divisor);
    c->divisor = NULL;
}

/* Of a jury. */
static size_t most_leaves(const hcbr_i_rich_causes *c) {
    size_t most = 0;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        if (c->rich->boosted.jury[j].leaf_count > most)
            most = c->rich->boosted.jury[j].leaf_count;
    return most;
}

/* Room for the residuals of all cases, if the memory granted for them is enough and there is as
 * much; without it they are found each time. */
static void make_room(hcbr_i_rich_causes *c, hcbr_i_rich_follower *f) {
    size_t cells, size = sizeof *c->drawn + sizeof *c->first + HCBR_I_RICH_ROWS * sizeof *c->place;
    size_t each = c->rich->outputs * sizeof *c->residual;
    if (__builtin_mul_overflow((size_t)c->blocks.count, c->boosted_count, &cells) ||
        __builtin_mul_overflow(size, cells, &size) || size > c->most)
        return;
    c->drawn = hcbr_i_alloc(cells, sizeof *c->drawn);
    c->first = hcbr_i_alloc(cells, sizeof *c->first);
    uint64_t count = c->drawn && c->first ? list_drawn(c, f) : UINT64_MAX;
    if (count <= (c->most - size) / each) {
        c->place = hcbr_i_alloc(cells, HCBR_I_RICH_ROWS * sizeof *c->place);
        c->residual = hcbr_i_alloc((size_t)count, each);
    }
    c->kept = c->place && c->residual;
    if (!c->kept)
        forget_kept(c);
}

static void start_divisors(hcbr_i_rich_causes *c) {
    const hcbr_i_rich_kept *kept = &c->rich->kept;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
        const hcbr_i_rich_forest *f = &c->rich->boosted.jury[j];
        double *to = c->divisor + c->leaf_start[j] * c->rich->outputs;
        for (size_t i = 0; i < f->leaf_count * c->rich->outputs; i++) {
            bool full = hcbr_i_rich_leaf_full(f->values[i], kept->rate);
            c->full[j] |= full;
            to[i] = full ? 0 : kept->lambda;
        }
    }
}

/* Juries divided over threads. */
typedef struct crew {
    hcbr_i_rich_causes *c;
    hcbr_i_rich_follower f[HCBR_I_RICH_FOLDS]; /* by part */
    uint32_t parts;                            /* jury j is followed by part j % parts */
    pthread_t caller;                          /* who alone is told */
    const hcbr_i_rich_watch *watch;
    hcbr_status status; /* of what was told */
    hcbr_error *err;
    atomic_bool stop;
} crew;

static void follow_part(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    crew *w = context;
    (void)worker;
    bool tells = pthread_equal(pthread_self(), w->caller);
    for (uint64_t part = begin; part < end; part++)
        for (uint32_t b = 0; b < w->c->blocks.count && !atomic_load(&w->stop); b++) {
            hcbr_i_rich_block_enter(&w->f[part].block, b);
            for (uint32_t j = (uint32_t)part; j < HCBR_I_RICH_FOLDS; j += w->parts)
                follow_jury(w->c, &w->f[part], j);
            if (tells && w->status == HCBR_OK)
                w->status = hcbr_i_rich_tell(w->watch, b, w->c->blocks.count, w->err);
            if (tells && w->status != HCBR_OK)
                atomic_store(&w->stop, true);
        }
}

/* Memory of every part; residuals are kept only if all have it. */
static hcbr_status start_parts(crew *w, hcbr_error *err) {
    hcbr_i_rich_causes *c = w->c;
    hcbr_status st = HCBR_OK;
    for (uint32_t p = 0; st == HCBR_OK && p < w->parts; p++)
        st = hcbr_i_rich_follower_init(&w->f[p], c, err);
    if (st == HCBR_OK &&
        !(c->divisor = hcbr_i_alloc(c->leaf_start[HCBR_I_RICH_FOLDS] * c->rich->outputs,
                                    sizeof *c->divisor)))
        st = hcbr_i_no_memory(err); // the next one may try again
    if (st != HCBR_OK)
        return st;
    make_room(c, &w->f[0]);
    for (uint32_t p = 0; c->kept && p < w->parts; p++)
        if (!(w->f[p].behind = hcbr_i_alloc_zero(most_leaves(c), sizeof *w->f[p].behind)))
            forget_kept(c);
    start_divisors(c);
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_causes_follow(hcbr_i_rich_causes *c, uint32_t threads,
                                      const hcbr_i_rich_watch *watch, hcbr_error *err) {
    if (c->divisor || c->boosted_count == 0)
        return HCBR_OK;
    crew w = {.c = c, .watch = watch, .err = err, .caller = pthread_self()};
    w.parts = threads < 1 ? 1 : threads > HCBR_I_RICH_FOLDS ? HCBR_I_RICH_FOLDS : threads;
    atomic_init(&w.stop, false);
#ifdef HCBR_FAULTS
    hcbr_i_rich_follows++;
#endif
    hcbr_status st = start_parts(&w, err);
    if (st == HCBR_OK) {
        hcbr_i_parallel(w.parts, w.parts, 1, follow_part, &w);
        st = w.status;
    }
    if (st != HCBR_OK) // half of it is of no use
        hcbr_i_rich_causes_forget(c);
    for (uint32_t p = 0; p < w.parts; p++)
        hcbr_i_rich_follower_clear(&w.f[p]);
    return st;
}
