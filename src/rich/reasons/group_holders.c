/*
 * The number of past cases that satisfy a group: a value, or all tests of a conjunction, whether or
 * not they have influence through it. It equals a count in the data, and the counts of the groups
 * of the model as a whole (model_groups.c).
 *
 * A test covers a block of merged cases at a time: the result is a mask.
 */
#include "rich/reasons/group_holders.h"
#include "rich/reasons/row_blocks.h"

/* ---- conjunctions ---------------------------------------------------------------------------- */

static inline bool has_code(const hcbr_i_rich_test *t, uint32_t code) {
    return t->codes[code / 64] >> code % 64 & 1;
}

static hcbr_i_rich_mask pass_column(const hcbr_i_rich_blocks *x, uint32_t block,
                                    const hcbr_i_rich_test *t, hcbr_i_rich_mask rows) {
    const uint8_t *codes =
        x->codes + ((size_t)block * x->table->columns + t->variable) * HCBR_I_RICH_ROWS;
    hcbr_i_rich_mask passed = {{0, 0}};
    for (uint32_t w = 0; w < 2; w++)
        for (uint64_t left = rows.word[w]; left; left &= left - 1) {
            const uint32_t b = 64 * w + (uint32_t)__builtin_ctzll(left);
            if (has_code(t, codes[b]))
                hcbr_i_rich_mask_set(&passed, b);
        }
    return passed;
}

/* The rows of a block that have a member. */
static hcbr_i_rich_mask holders(const hcbr_i_rich_blocks *x, uint32_t block, uint32_t member) {
    uint64_t low = x->entry_start[block], high = x->entry_start[block + 1];
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (x->member[middle] < member)
            low = middle + 1;
        else
            high = middle;
    }
    return low < x->entry_start[block + 1] && x->member[low] == member ? x->rows[low]
                                                                       : (hcbr_i_rich_mask){{0, 0}};
}

/* Code v of a member: it and the v - 1 after it are present, and no more. */
static hcbr_i_rich_mask pass_member(const hcbr_i_rich_blocks *x, uint32_t block,
                                    const hcbr_i_rich_test *t, uint32_t levels,
                                    hcbr_i_rich_mask rows) {
    const uint32_t first = t->variable - x->table->columns;
    hcbr_i_rich_mask passed = {{0, 0}}, reached = rows;
    for (uint32_t v = 0; v <= levels; v++) {
        const hcbr_i_rich_mask none = {{0, 0}};
        const hcbr_i_rich_mask more =
            v < levels ? hcbr_i_rich_mask_and(reached, holders(x, block, first + v)) : none;
        for (uint32_t w = 0; w < 2 && has_code(t, v); w++)
            passed.word[w] |= reached.word[w] & ~more.word[w];
        reached = more;
    }
    return passed;
}

/* The number of members that the tests of one represent. */
static uint32_t levels_of(const hcbr_i_rich_names *n, uint32_t member) {
    uint32_t levels = 1;
    while (member + levels < n->encoder->bag_count && n->first[member + levels] == member)
        levels++;
    return levels;
}

uint64_t hcbr_i_rich_have_tests(const hcbr_i_rich_causes *c, const hcbr_i_rich_names *names,
                                const hcbr_i_rich_test *tests, size_t count) {
    const uint32_t columns = c->table.columns;
    uint64_t have = 0;
    for (uint32_t block = 0; block < c->blocks.count; block++) {
        hcbr_i_rich_block at = {.of = &c->blocks};
        hcbr_i_rich_block_place(&at, block);
        hcbr_i_rich_mask rows = at.all;
        for (size_t t = 0; t < count && hcbr_i_rich_mask_any(rows); t++)
            rows = tests[t].variable < columns
                       ? pass_column(&c->blocks, block, &tests[t], rows)
                       : pass_member(&c->blocks, block, &tests[t],
                                     levels_of(names, tests[t].variable - columns), rows);
        for (uint32_t w = 0; w < 2; w++)
            for (uint64_t left = rows.word[w]; left; left &= left - 1) {
                const uint32_t row = at.first + 64 * w + (uint32_t)__builtin_ctzll(left);
                have += c->case_start[row + 1] - c->case_start[row];
            }
    }
    return have;
}

/* ---- values ---------------------------------------------------------------------------------- */

/* The index of a column among the dense numbers. */
static size_t dense_of(const hcbr_i_rich_encoder *e, uint32_t column) {
    size_t dense = 0;
    for (uint32_t c = 0; c < column; c++)
        dense += e->columns[c].ordered;
    return dense;
}

uint64_t hcbr_i_rich_have_number(const hcbr_i_rich *rich, uint32_t key, double value) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    const hcbr_i_rich_past *p = rich->past;
    uint64_t have = 0;
    if (e->keys[key].kind == HCBR_I_RICH_NUMBER) {
        const hcbr_i_rich_packed *column = &p->columns[dense_of(e, e->keys[key].column)];
        for (uint32_t i = 0; i < p->count; i++)
            have += p->row_of[i] != HCBR_I_NONE &&
                    hcbr_i_rich_unpack(column, p->bytes + column->at, i) == value;
        return have;
    }
    for (uint32_t i = 0; i < p->count; i++)
        for (uint64_t n = p->sparse_start[i]; n < p->sparse_start[i + 1]; n++)
            have += p->row_of[i] != HCBR_I_NONE && p->sparse_key[n] == key &&
                    p->sparse_value[n] == value;
    return have;
}
