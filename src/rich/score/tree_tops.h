/**
 * @file tree_tops.h
 * The tops of trees for many rows: every test of a top is made for every row, without a branch or a
 * lookup, so that a vector of rows is processed at once. A small tree is all top. Private to
 * src/rich/score.
 */
#ifndef HCBR_I_RICH_TREE_TOPS_H
#define HCBR_I_RICH_TREE_TOPS_H

#include "rich/rich_model.h"

/** A test of a top, ready for vectors of bytes: all fields but the slot are repeated in each byte
 *  of a word. */
typedef struct hcbr_i_rich_question {
    uint32_t slot;
    uint32_t lo;    /**< 128 above the least code that holds */
    uint32_t codes; /**< number of codes that hold from there on, less 128 */
    uint32_t from;  /**< the first exit below the test */
    uint32_t by;    /**< exits if it holds: as many are skipped if it does not */
} hcbr_i_rich_question;

/** The tops of the trees of a forest. Exits of a top are numbered from 0 in node order. */
typedef struct hcbr_i_rich_tops {
    hcbr_i_rich_question *questions; /**< in node order */
    size_t question_count, question_capacity;
    uint32_t *start; /**< top t is questions start[t] .. start[t+1] */
    uint32_t *exits; /**< by exit: the node of its tree that follows */
    size_t exit_count, exit_capacity;
    uint32_t *exit_start; /**< by top: its first exit; then their number */
    uint32_t *leaf;       /**< by tree: the first leaf; exit e of a whole tree is leaf + e */
    bool *whole;          /**< by tree: whether it is all top */
} hcbr_i_rich_tops;

/** The tops of a forest; slot: of members of the bag. *fits becomes false if leaves or nodes are
 *  not numbered in order. False: no memory. */
bool hcbr_i_rich_tops_make(hcbr_i_rich_tops *tops, const hcbr_i_rich_forest *forest,
                           uint32_t columns, const uint32_t *slot, bool *fits);
void hcbr_i_rich_tops_clear(hcbr_i_rich_tops *tops);

/** The stride of the codes of `rows` rows, slot by slot, with room to fill the last vector. */
size_t hcbr_i_rich_tops_stride(uint32_t rows);

/** Exits of a top by row; a whole stride of codes and exits must be readable and writable. */
void hcbr_i_rich_tops_pass(const hcbr_i_rich_tops *tops, size_t tree, const uint8_t *codes,
                           size_t stride, uint32_t rows, uint8_t *exit);

#endif
