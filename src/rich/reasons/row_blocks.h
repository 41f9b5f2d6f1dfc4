/**
 * @file row_blocks.h
 * Merged cases in blocks of HCBR_I_RICH_ROWS, so that a test covers all rows of a block at once:
 * the result is a mask. Private to src/rich.
 */
#ifndef HCBR_I_RICH_ROW_BLOCKS_H
#define HCBR_I_RICH_ROW_BLOCKS_H

#include "rich/reasons/rich_causes.h"

/** The current block. */
typedef struct hcbr_i_rich_block {
    const hcbr_i_rich_blocks *of;
    uint32_t number, first, n; /**< rows first .. first + n */
    hcbr_i_rich_mask all;      /**< the n rows */
    const uint8_t *codes;      /**< column after column */
    hcbr_i_rich_mask *below;   /**< by column (at its place) and code: the rows with a lower code */
    const hcbr_i_rich_mask *having; /**< by member of the bag: the rows with it */
    hcbr_i_rich_mask *room;         /**< memory for `having`, if the block does not have all
                                         members */
} hcbr_i_rich_block;

/** Take over codes and bag of a table, which loses them. False: no memory. */
bool hcbr_i_rich_blocks_init(hcbr_i_rich_blocks *x, hcbr_i_rich_table *table);
void hcbr_i_rich_blocks_clear(hcbr_i_rich_blocks *x);

bool hcbr_i_rich_block_init(hcbr_i_rich_block *b, const hcbr_i_rich_blocks *of);
void hcbr_i_rich_block_clear(hcbr_i_rich_block *b);
/** Set the current block. */
void hcbr_i_rich_block_enter(hcbr_i_rich_block *b, uint32_t number);
/** The same without preparing tests: sets first, n and all only. */
void hcbr_i_rich_block_place(hcbr_i_rich_block *b, uint32_t number);

/**
 * Send some rows of the block through a tree.
 *
 * @param leaf   by row: receives its leaf; other rows are not written.
 * @param wanted a leaf. Returns the rows that end in it.
 */
hcbr_i_rich_mask hcbr_i_rich_block_walk(const hcbr_i_rich_block *b,
                                        const hcbr_i_rich_forest *forest, size_t tree,
                                        hcbr_i_rich_mask rows, uint32_t *leaf, uint32_t wanted);

static inline bool hcbr_i_rich_mask_any(hcbr_i_rich_mask m) {
    return (m.word[0] | m.word[1]) != 0;
}

static inline hcbr_i_rich_mask hcbr_i_rich_mask_and(hcbr_i_rich_mask a, hcbr_i_rich_mask b) {
    return (hcbr_i_rich_mask){{a.word[0] & b.word[0], a.word[1] & b.word[1]}};
}

static inline void hcbr_i_rich_mask_set(hcbr_i_rich_mask *m, uint32_t b) {
    m->word[b / 64] |= (uint64_t)1 << b % 64;
}

static inline bool hcbr_i_rich_mask_has(const hcbr_i_rich_mask *m, uint32_t b) {
    return m->word[b / 64] >> b % 64 & 1;
}

/** The rows of a mask as a list. Returns their number. */
static inline uint32_t hcbr_i_rich_mask_list(hcbr_i_rich_mask m, uint8_t *rows) {
    uint32_t n = 0;
    for (uint32_t w = 0; w < 2; w++)
        for (uint64_t left = m.word[w]; left; left &= left - 1)
            rows[n++] = (uint8_t)(64 * w + (uint32_t)__builtin_ctzll(left));
    return n;
}

#endif
