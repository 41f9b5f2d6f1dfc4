/**
 * @file oracle.h
 * The method again, as slow and as plain as its definition, in exact rationals (GMP).
 *
 * It shares no algorithm with the library: sets are bits, features are compared pair by pair, every
 * number is an mpq. Tests compare the library with it.
 */
#ifndef HCBR_TESTS_ORACLE_H
#define HCBR_TESTS_ORACLE_H

#include <gmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ORACLE_FEATURES 64
#define ORACLE_CASES 1024
#define ORACLE_LABELS 4
#define ORACLE_UNKNOWN (-1)

/** A case base: case i holds feature f iff bit f of set[i] is on. Labels 0 .. labels-1 all occur.
 */
typedef struct oracle_base {
    int features, cases, labels;
    uint64_t set[ORACLE_CASES];
    int label[ORACLE_CASES];
} oracle_base;

/** Everything the method derives from a case base. */
typedef struct oracle {
    const oracle_base *base;
    int known;                      /**< |F_X|, features in some case */
    int atoms;                      /**< numbered by their first feature */
    int atom_of[ORACLE_FEATURES];   /**< -1 for a feature of no case */
    uint64_t atom[ORACLE_FEATURES]; /**< features of an atom */
    int d[ORACLE_FEATURES][ORACLE_LABELS];
    mpq_t strength[ORACLE_FEATURES][ORACLE_LABELS]; /**< S^(l)(e) */
    mpq_t mu[ORACLE_FEATURES][ORACLE_LABELS];       /**< mu^(l)(e) */
    mpq_t total[ORACLE_LABELS];                     /**< sum of S^(l) */
    mpq_t support[ORACLE_LABELS];                   /**< of the last case */
    mpq_t a, b, c;
    uint64_t decisions; /**< made so far */
    uint64_t ties;      /**< of them exact ties for the largest support */
    uint64_t near;      /**< decided by the tie rule though not exactly equal */
    bool close;         /**< some decision was so near the border of the tie rule that doubles may
                             fall on either side */
} oracle;

/** Rule R2 and its fall-backs in numbers of labels. */
typedef struct oracle_rule {
    double eta[ORACLE_LABELS], eta_share[ORACLE_LABELS];
    int fallback[ORACLE_LABELS]; /**< a label or ORACLE_UNKNOWN */
    int on_nothing;              /**< a label or ORACLE_UNKNOWN */
    bool memory;
} oracle_rule;

typedef enum oracle_reason {
    ORACLE_SUPPORT,
    ORACLE_MEMORY,
    ORACLE_LEAST,
    ORACLE_SHARE,
    ORACLE_NOTHING,
    ORACLE_EMPTY
} oracle_reason;

typedef struct oracle_decision {
    int label, winner;
    oracle_reason reason;
    bool close; /**< within 1e-12 of a threshold: doubles may fall on either side */
} oracle_decision;

void oracle_init(oracle *o);
void oracle_clear(oracle *o);

/** Partition, counts and strengths before training. scope_all: METHOD 2.4, `all`. */
void oracle_build(oracle *o, const oracle_base *base, bool scope_all);

/** The partition by refinement: block[f] is the same for features of one atom, -1 if unused. */
void oracle_refine(const oracle_base *base, int block[ORACLE_FEATURES]);

/** Supports of a case with the known and unknown features of `set` and `unseen` more. */
void oracle_support(oracle *o, uint64_t set, int unseen);

/** Rule R1 on the last supports; the same case must be passed. */
int oracle_winner(oracle *o, uint64_t set, int unseen);

/** One training pass in the given order of cases; returns the wrong decisions. */
uint64_t oracle_pass(oracle *o, const uint32_t *order);

/** The whole of METHOD 3. */
oracle_decision oracle_decide(oracle *o, const oracle_rule *rule, uint64_t set, int unseen);

/** The most frequent label; ties go to the first. */
int oracle_prior(const oracle_base *base);

/** Number of features in a set. */
int oracle_size(uint64_t set);

#endif
