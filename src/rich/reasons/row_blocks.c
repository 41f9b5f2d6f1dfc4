/*
 * Merged cases in blocks (row_blocks.h). Codes of a block are stored column after column; its bag
 * is inverted: the members that occur in it, ascending, and for each the rows that have it.
 *
 * In the current block they become masks: for each member the rows that have it, for each code of a
 * column the rows below it, so that any range of codes is the difference of two.
 *
 * A tree is followed by splitting the mask of a node into those of the next two. Invariant: `room`
 * is empty for all members that do not occur in the current block, and for all if that block needs
 * no room.
 *
 * The rows with a member are listed, too: a query for one member alone reads no block.
 */
#include "rich/reasons/row_blocks.h"

/* ---- building -------------------------------------------------------------------------------- */

static bool turn_codes(hcbr_i_rich_blocks *x, hcbr_i_rich_table *t) {
    size_t cells;
    if (t->columns > UINT32_MAX / (HCBR_I_RICH_CODES + 1) ||
        !(x->place = hcbr_i_alloc((size_t)t->columns + 1, sizeof *x->place)))
        return false;
    x->place[0] = 0;
    for (uint32_t c = 0; c < t->columns; c++)
        x->place[c + 1] = x->place[c] + t->column[c].codes + 2u;
    if (__builtin_mul_overflow(x->count, (size_t)t->columns * HCBR_I_RICH_ROWS, &cells) ||
        !(x->codes = hcbr_i_alloc_zero(cells, 1)))
        return false;
    for (uint32_t b = 0; b < x->count; b++)
        for (uint32_t c = 0; c < t->columns; c++) {
            size_t first = (size_t)b * HCBR_I_RICH_ROWS, left = t->rows - first;
            memcpy(x->codes + (first * t->columns + (size_t)c * HCBR_I_RICH_ROWS),
                   t->codes + (size_t)c * t->rows + first,
                   left < HCBR_I_RICH_ROWS ? left : HCBR_I_RICH_ROWS);
        }
    hcbr_i_free(t->codes);
    t->codes = NULL;
    return true;
}

/* Members of one block. */
typedef struct gathering {
    hcbr_i_rich_mask *rows; /* by member: the rows that have it; empty between blocks */
    uint64_t *some;         /* set of members that occur, and of its nonempty words */
    uint64_t *words;
} gathering;

static bool add_entry(hcbr_i_rich_blocks *x, uint32_t member, hcbr_i_rich_mask rows) {
    size_t need = (size_t)x->entry_count + 1;
    if (!hcbr_i_grow(&x->member, &x->member_capacity, need, sizeof *x->member) ||
        !hcbr_i_grow(&x->rows, &x->rows_capacity, need, sizeof *x->rows))
        return false;
    x->member[x->entry_count] = member;
    x->rows[x->entry_count++] = rows;
    return true;
}

/* Note the members of rows. Returns how many different ones there are. */
static uint32_t gather(const hcbr_i_rich_table *t, uint32_t first, uint32_t rows, gathering *g) {
    uint32_t different = 0;
    for (uint32_t i = 0; i < rows; i++)
        for (uint64_t k = t->bag_start[first + i]; k < t->bag_start[first + i + 1]; k++) {
            uint32_t member = t->bag[k];
            different += !hcbr_i_rich_mask_any(g->rows[member]);
            hcbr_i_rich_mask_set(&g->rows[member], i);
            g->some[member / 64] |= (uint64_t)1 << member % 64;
            g->words[member / 4096] |= (uint64_t)1 << member / 64 % 64;
        }
    return different;
}

/* Append the entries of a block. False: no memory. */
static bool turn_block(hcbr_i_rich_blocks *x, const hcbr_i_rich_table *t, uint32_t number,
                       gathering *g) {
    uint32_t first = number * HCBR_I_RICH_ROWS, left = t->rows - first;
    uint32_t rows = left < HCBR_I_RICH_ROWS ? left : HCBR_I_RICH_ROWS;
    bool all = gather(t, first, rows, g) >= t->bag_count - t->bag_count / 4;
    for (uint32_t member = 0; all && member < t->bag_count; member++)
        if (!add_entry(x, member, g->rows[member]))
            return false;
    for (uint32_t w = 0; w <= t->bag_count / 4096; w++)
        for (; g->words[w]; g->words[w] &= g->words[w] - 1) {
            uint32_t v = w * 64 + (uint32_t)__builtin_ctzll(g->words[w]);
            for (; g->some[v]; g->some[v] &= g->some[v] - 1) {
                uint32_t member = v * 64 + (uint32_t)__builtin_ctzll(g->some[v]);
                if (!all && !add_entry(x, member, g->rows[member]))
                    return false;
                g->rows[member] = (hcbr_i_rich_mask){{0, 0}};
            }
        }
    x->entry_start[number + 1] = x->entry_count;
    return true;
}

/* The rows of each member, ascending. */
static bool list_holders(hcbr_i_rich_blocks *x, const hcbr_i_rich_table *t) {
    uint64_t all = t->bag_start[t->rows];
    x->holder_start = hcbr_i_alloc_zero((size_t)t->bag_count + 2, sizeof *x->holder_start);
    x->holder = hcbr_i_alloc((size_t)all, sizeof *x->holder);
    if (!x->holder_start || !x->holder)
        return false;
    uint64_t *next = x->holder_start + 1;
    for (uint64_t k = 0; k < all; k++)
        next[t->bag[k] + 1]++;
    for (uint32_t member = 0; member < t->bag_count; member++)
        next[member + 1] += next[member];
    for (uint32_t i = 0; i < t->rows; i++)
        for (uint64_t k = t->bag_start[i]; k < t->bag_start[i + 1]; k++)
            x->holder[next[t->bag[k]]++] = i;
    return true;
}

static bool turn_bags(hcbr_i_rich_blocks *x, hcbr_i_rich_table *t) {
    gathering g = {.rows = hcbr_i_alloc_zero(t->bag_count, sizeof *g.rows),
                   .some = hcbr_i_alloc_zero((size_t)t->bag_count / 64 + 1, sizeof *g.some),
                   .words = hcbr_i_alloc_zero((size_t)t->bag_count / 4096 + 1, sizeof *g.words)};
    x->entry_start = hcbr_i_alloc_zero((size_t)x->count + 1, sizeof *x->entry_start);
    bool ok = g.rows && g.some && g.words && x->entry_start && list_holders(x, t);
    for (uint32_t b = 0; ok && b < x->count; b++)
        ok = turn_block(x, t, b, &g);
    hcbr_i_free(g.rows);
    hcbr_i_free(g.some);
    hcbr_i_free(g.words);
    hcbr_i_free(t->bag);
    t->bag = NULL;
    return ok;
}

bool hcbr_i_rich_blocks_init(hcbr_i_rich_blocks *x, hcbr_i_rich_table *table) {
    *x = (hcbr_i_rich_blocks){.table = table,
                              .count = table->rows / HCBR_I_RICH_ROWS +
                                       (table->rows % HCBR_I_RICH_ROWS > 0)};
    return turn_codes(x, table) && turn_bags(x, table);
}

void hcbr_i_rich_blocks_clear(hcbr_i_rich_blocks *x) {
    hcbr_i_free(x->place);
    hcbr_i_free(x->codes);
    hcbr_i_free(x->entry_start);
    hcbr_i_free(x->member);
    hcbr_i_free(x->rows);
    hcbr_i_free(x->holder_start);
    hcbr_i_free(x->holder);
    *x = (hcbr_i_rich_blocks){0};
}

/* ---- the current block ----------------------------------------------------------------------- */

bool hcbr_i_rich_block_init(hcbr_i_rich_block *b, const hcbr_i_rich_blocks *of) {
    *b = (hcbr_i_rich_block){.of = of};
    b->having = b->room = hcbr_i_alloc_zero(of->table->bag_count, sizeof *b->room);
    b->below = hcbr_i_alloc(of->place[of->table->columns], sizeof *b->below);
    if (b->room && b->below)
        return true;
    hcbr_i_rich_block_clear(b);
    return false;
}

void hcbr_i_rich_block_clear(hcbr_i_rich_block *b) {
    hcbr_i_free(b->room);
    hcbr_i_free(b->below);
    *b = (hcbr_i_rich_block){0};
}

static void sort_codes(hcbr_i_rich_block *b) {
    const hcbr_i_rich_blocks *x = b->of;
    if (x->table->columns)
        memset(b->below, 0, x->place[x->table->columns] * sizeof *b->below);
    for (uint32_t c = 0; c < x->table->columns; c++) {
        const uint8_t *codes = b->codes + (size_t)c * HCBR_I_RICH_ROWS;
        hcbr_i_rich_mask *below = b->below + x->place[c];
        for (uint32_t i = 0; i < b->n; i++)
            hcbr_i_rich_mask_set(&below[codes[i] + 1], i);
        for (uint32_t v = 1; v < x->place[c + 1] - x->place[c]; v++)
            for (uint32_t w = 0; w < 2; w++)
                below[v].word[w] |= below[v - 1].word[w];
    }
}

/* Make the masks of a block's members. */
static void take_members(hcbr_i_rich_block *b, uint32_t number) {
    const hcbr_i_rich_blocks *x = b->of;
    const uint64_t *start = x->entry_start;
    if (b->codes && b->having == b->room) // wipe the last one
        for (uint64_t e = start[b->number]; e < start[b->number + 1]; e++)
            b->room[x->member[e]] = (hcbr_i_rich_mask){{0, 0}};
    b->having = b->room;
    if (start[number] < start[number + 1] &&
        start[number + 1] - start[number] == x->table->bag_count)
        b->having = x->rows + start[number];
    // The members of a path are scattered over a block; prefetch the next one.
    for (uint64_t e = start[number + 1]; number + 2 <= x->count && e < start[number + 2]; e += 4)
        __builtin_prefetch(&x->rows[e]);
    for (uint64_t e = start[number]; b->having == b->room && e < start[number + 1]; e++)
        b->room[x->member[e]] = x->rows[e];
}

void hcbr_i_rich_block_place(hcbr_i_rich_block *b, uint32_t number) {
    b->first = number * HCBR_I_RICH_ROWS;
    b->n = b->of->table->rows - b->first;
    b->n = b->n < HCBR_I_RICH_ROWS ? b->n : HCBR_I_RICH_ROWS;
    for (uint32_t w = 0; w < 2; w++) {
        uint32_t n = b->n > 64 * w ? b->n - 64 * w : 0;
        b->all.word[w] = n >= 64 ? UINT64_MAX : ((uint64_t)1 << n) - 1;
    }
}

void hcbr_i_rich_block_enter(hcbr_i_rich_block *b, uint32_t number) {
    take_members(b, number);
    b->number = number;
    hcbr_i_rich_block_place(b, number);
    b->codes = b->of->codes + (size_t)b->first * b->of->table->columns;
    sort_codes(b);
}

/* ---- tests ----------------------------------------------------------------------------------- */

static inline hcbr_i_rich_mask passing(const hcbr_i_rich_block *b, const hcbr_i_rich_node *node) {
    uint32_t columns = b->of->table->columns;
    if (node->test >= columns)
        return b->having[node->test - columns];
    const uint32_t *place = b->of->place + node->test;
    const hcbr_i_rich_mask *below = b->below + place[0];
    uint32_t most = place[1] - place[0] - 1; // no new codes beyond
    uint32_t from = node->lo < most ? node->lo : most, to = node->hi < most ? node->hi + 1u : most;
    return (hcbr_i_rich_mask){
        {below[from].word[0] ^ below[to].word[0], below[from].word[1] ^ below[to].word[1]}};
}

/* ---- trees ----------------------------------------------------------------------------------- */

hcbr_i_rich_mask hcbr_i_rich_block_walk(const hcbr_i_rich_block *b,
                                        const hcbr_i_rich_forest *forest, size_t tree,
                                        hcbr_i_rich_mask rows, uint32_t *leaf, uint32_t wanted) {
    struct {
        uint32_t node;
        hcbr_i_rich_mask rows;
    } waiting[HCBR_I_RICH_ROWS]; // none is empty, and no row is in two: there are no more than rows
    uint32_t count = 0, at = forest->start[tree];
    hcbr_i_rich_mask m = rows, found = {{0, 0}};
    if (!hcbr_i_rich_mask_any(rows))
        return found;
    for (;;) {
        const hcbr_i_rich_node *node = &forest->nodes[at];
        if (node->test != HCBR_I_RICH_LEAF) {
            hcbr_i_rich_mask test = passing(b, node), yes = hcbr_i_rich_mask_and(m, test);
            hcbr_i_rich_mask no = {{m.word[0] & ~test.word[0], m.word[1] & ~test.word[1]}};
            bool some = hcbr_i_rich_mask_any(yes);
            if (some && hcbr_i_rich_mask_any(no)) {
                waiting[count].node = node->no;
                waiting[count++].rows = no;
            }
            at = some ? at + 1 : node->no;
            m = some ? yes : no;
            continue;
        }
        if (node->no == wanted)
            found = m;
        for (uint32_t w = 0; w < 2; w++)
            for (uint64_t left = m.word[w]; left; left &= left - 1)
                leaf[64 * w + (uint32_t)__builtin_ctzll(left)] = node->no;
        if (count == 0)
            return found;
        at = waiting[--count].node;
        m = waiting[count].rows;
    }
}
