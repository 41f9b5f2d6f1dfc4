/**
 * @file tree_grower.h
 * Shared by the parts of the tree grower; private to src/rich.
 *
 * Gradients are whole numbers here, two to a word: their sums are exact in any order, and one
 * addition adds both. With one channel a case has the word (G, H), with three the words (G1, G2)
 * and (G3, H); the first of a pair is the upper half.
 */
#ifndef HCBR_I_RICH_TREE_GROWER_H
#define HCBR_I_RICH_TREE_GROWER_H

#include "rich/rich.h"
#include "rich/rich_math.h"

/** A function of `width`, compiled once for each value: constants and no loops inside. */
#define EACH_WIDTH static inline __attribute__((always_inline))

#define WIDEST 2u   /* words of a case */
#define TOGETHER 8u /* columns whose histograms are filled at once */
#define SUMS 34u    /* lists of sums by member that can be in use at once */
#define DEEPEST 64u /* tests on the way to a leaf */

/** Sums by member of the bag over the cases of a node. */
typedef struct member_sums {
    uint64_t *word;    /**< by member, zero if it does not occur */
    uint32_t *present; /**< members that occur, those that can split the node first */
    uint32_t count, active;
} member_sums;

/** Ranges of codes to be summed: a code is in one if it is from .. from + span. */
typedef struct hcbr_i_rich_ranges {
    uint32_t count;
    uint8_t from[HCBR_I_RICH_CODES], span[HCBR_I_RICH_CODES];
} hcbr_i_rich_ranges;

struct hcbr_i_rich_scratch {
    const hcbr_i_rich_table *table;
    bool simd;         /**< the processor has what HCBR_I_AVX2 needs */
    uint64_t *words;   /**< by row: its gradients */
    uint64_t *sums;    /**< those of the node's cases, one after the other */
    uint8_t *codes;    /**< codes of the node's cases in the current column */
    uint32_t *aside;   /**< memory for row division */
    uint32_t *columns; /**< in drawing order */
    member_sums members[SUMS];
    uint64_t *rows_start; /**< rows with a member: rows[rows_start[b] ..) */
    uint32_t *rows;
    uint8_t *mark;                /**< by row, zero between uses */
    uint64_t *orders;             /**< for row_division.c; NULL: one row at a time */
    uint64_t *whole[DEEPEST + 2]; /**< sums by code of all columns (column_sums.c) */
    uint64_t hist[TOGETHER + 1][HCBR_I_RICH_CODES * WIDEST];
    uint64_t below[(HCBR_I_RICH_CODES + 1) * WIDEST];
    hcbr_i_rich_ranges ranges;                  /**< of the current column ... */
    uint64_t asked[HCBR_I_RICH_CODES * WIDEST]; /**< ... and their sums */
};

typedef struct split {
    uint32_t test;
    uint8_t lo, hi;
} split;

/** A node being split. */
typedef struct node {
    const hcbr_i_rich_growth *g;
    hcbr_i_rich_scratch *s;
    const uint32_t *rows;
    uint32_t n;
    uint64_t key;
    const uint64_t *whole; /**< sums by code of all columns; NULL: not computed */
    bool gathered;         /**< its cases' gradients are in s->sums */
    uint64_t word[WIDEST]; /**< sums of its cases */
    double total[2 * WIDEST];
    double unit;            /**< a gradient of 1 in the words */
    double lambda, least_h; /**< in that unit */
    double bar;             /**< least score of the two parts that a better test must exceed */
    split best;
} node;

static inline double upper(uint64_t word) {
    int64_t low = (int32_t)(uint32_t)word;
    return (double)(int32_t)(uint32_t)((word - (uint64_t)low) >> 32);
}

static inline double lower(uint64_t word) {
    return (double)(int32_t)(uint32_t)word;
}

/** Whether a sum has any cases. Curvatures are at least 1. */
EACH_WIDTH bool any(const uint64_t *sum, uint32_t width) {
    return (uint32_t)sum[width - 1] != 0;
}

EACH_WIDTH void add(uint64_t *to, const uint64_t *x, uint32_t width) {
    for (uint32_t c = 0; c < width; c++)
        to[c] += x[c];
}

EACH_WIDTH void subtract(uint64_t *to, const uint64_t *x, uint32_t width) {
    for (uint32_t c = 0; c < width; c++)
        to[c] -= x[c];
}

/** Keep the split of a node into yes and the rest if it is better than the best one so far. The
 *  scores, a / (h + lambda) + b / (rest + lambda), are compared without division. */
EACH_WIDTH void consider(node *at, const uint64_t *yes, uint32_t test, uint32_t lo, uint32_t hi,
                         uint32_t width) {
    double h = lower(yes[width - 1]), rest = at->total[2 * width - 1] - h;
    if (h < at->least_h || rest < at->least_h)
        return;
    double a = 0, b = 0;
    for (uint32_t c = 0; c < 2 * width - 1; c++) {
        double x = c % 2 ? lower(yes[c / 2]) : upper(yes[c / 2]), no = at->total[c] - x;
        a += x * x;
        b += no * no;
    }
    h += at->lambda;
    rest += at->lambda;
    double above = a * rest + b * h, below = h * rest;
    if (above > at->bar * below) {
        at->bar = above / below;
        at->best = (split){test, (uint8_t)lo, (uint8_t)hi};
    }
}

/** Of `count` splits, one after the other, the first from `from` on that may be better than the
 *  best one so far; count if there is none (range_splits.c). */
uint32_t hcbr_i_rich_sift(const node *at, const uint64_t *yes, uint32_t from, uint32_t count,
                          uint32_t width);
/** Sums of ranges over the node's cases, whose codes and gradients are in s->codes and s->sums. Up
 *  to a multiple of eight of the sums may be written. */
void hcbr_i_rich_sum_ranges(const node *at, const hcbr_i_rich_ranges *ranges, uint64_t *sums,
                            uint32_t width);

/** Put the gradients of its cases one after the other in s->sums, unless done. */
EACH_WIDTH void gather_words(node *at, uint32_t width) {
    uint64_t *x = at->s->sums;
    for (uint32_t i = 0; !at->gathered && i < at->n; i++, x += width)
        memcpy(x, at->s->words + (size_t)at->rows[i] * width, width * sizeof *x);
    at->gathered = true;
}

/** Try `wanted` columns that split the node, in an order drawn by its key (column_splits.c). */
void hcbr_i_rich_try_columns(node *at, uint32_t wanted);

/* ---- dividing rows (row_division.c) ---------------------------------------------------------- */

/** Rows pass if their code is lo .. lo + span, as a byte. */
typedef struct rows_test {
    const uint8_t *code; /**< by row */
    uint8_t lo, span;
} rows_test;

/** Choose the variant for this processor. False: no memory. */
bool hcbr_i_rich_divide_init(hcbr_i_rich_scratch *s);
/** Put the rows that pass first, both parts in their order; returns the number that pass. */
uint32_t hcbr_i_rich_divide(const hcbr_i_rich_scratch *s, const rows_test *test, uint32_t *rows,
                            uint32_t n);

/* ---- all columns together (column_sums.c) ---------------------------------------------------- */

/** Sums by code over some rows, in a block of the scratch; NULL: no memory. */
uint64_t *hcbr_i_rich_whole_sum(hcbr_i_rich_scratch *s, uint32_t block, const uint32_t *rows,
                                uint32_t n, uint32_t width);
/** Set sums to 0: as a call, since compilers would inline a slow string instruction. */
void hcbr_i_rich_wipe(uint64_t *sums, size_t count);
/** Subtract some rows from sums. */
void hcbr_i_rich_whole_less_rows(const hcbr_i_rich_scratch *s, uint64_t *sums, const uint32_t *rows,
                                 uint32_t n, uint32_t width);
/** Subtract the sums of a part. */
void hcbr_i_rich_whole_less(const hcbr_i_rich_scratch *s, uint64_t *sums, const uint64_t *part,
                            uint32_t width);

/* ---- members of the bag (member_sums.c) ------------------------------------------------------ */

/** Room for sums; false: no memory. */
bool hcbr_i_rich_members_init(member_sums *m, const hcbr_i_rich_table *table);
/** Add the rows' words to `to` (may be NULL) and subtract them from `from` (may be NULL). */
void hcbr_i_rich_members_move(const hcbr_i_rich_scratch *s, member_sums *to, member_sums *from,
                              const uint32_t *rows, uint32_t n, uint32_t width);
/** Set the members aside that cannot split the node. */
void hcbr_i_rich_members_prune(const node *at, member_sums *m, uint32_t width);
void hcbr_i_rich_members_clear(member_sums *m, uint32_t width);
/** Try `wanted` of them. */
void hcbr_i_rich_try_members(node *at, member_sums *m, uint32_t wanted);

#endif
