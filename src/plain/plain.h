/**
 * @file plain.h
 * The paper's model: atoms, their strengths, training.
 */
#ifndef HCBR_I_PLAIN_H
#define HCBR_I_PLAIN_H

#include "engine/engine.h"

#include <hcbr/model.h>

#include <math.h>
#include <stdatomic.h>

/** The resources of the steps of a fit. */
typedef struct hcbr_i_means {
    uint32_t threads;          /**< at least 1 */
    hcbr_i_pool *pool;         /**< for working memory; may be NULL */
    const hcbr_i_watch *watch; /**< called regularly; may be NULL */
} hcbr_i_means;

/* ---- partition (partition.c) ----------------------------------------------------------------- */

/*
 * From the case base to atoms (METHOD 2.1), and from a case to its projection.
 *
 * Two features share an atom iff they occur in exactly the same cases. Each case draws a 64-bit
 * hash; a feature's signature is the sum of the hashes of its cases. Features of equal signature
 * and equal count are grouped, and projecting the cases verifies that each feature occurs only in
 * cases that also have the first feature of its atom. With equal counts that proves equal sets. If
 * a check fails, everything is repeated with other hashes. So the result is certain.
 */

typedef uint32_t hcbr_i_atom_id;

/** The partition. Atoms are numbered by descending count of cases, then by their first feature. */
typedef struct hcbr_i_atoms {
    uint32_t feature_count;
    uint32_t count;
    hcbr_i_atom_id *of;           /**< atom of each feature */
    uint32_t *size;               /**< |e| */
    uint32_t *mass;               /**< importance of its features, in units (METHOD 11); the same
                                       array as size if all are 1 */
    uint64_t mass_all;            /**< of all features, below 2^32; |F| if all are 1 */
    uint32_t *degree;             /**< d(e), cases that contain e */
    uint32_t *labels;             /**< sum of the labels of those cases (with two labels, d^(1)(e));
                                       only while a model is built, NULL in a loaded one */
    uint64_t signature_digest[2]; /**< over names and signatures: see docs/FORMAT.md, fingerprint */
} hcbr_i_atoms;

/** Cases as sets of atoms. */
typedef struct hcbr_i_projections {
    uint32_t case_count;
    uint64_t *start; /**< case i has atoms[start[i] .. start[i+1]) */
    hcbr_i_atom_id *atoms;
    bool borrowed; /**< both arrays are start and features of the case base, overwritten */
} hcbr_i_projections;

typedef struct hcbr_i_partition_options {
    uint32_t threads;
    bool in_place;              /**< write the projections over the case base */
    uint64_t forged_mask;       /**< tests: keep only these bits of the first signatures; 0: all */
    uint32_t *attempts;         /**< tests: receives the number of attempts; may be NULL */
    hcbr_i_pool *pool;          /**< for working memory; may be NULL */
    hcbr_progress_fn *progress; /**< called in all steps, stage "partition"; may be NULL */
    void *progress_context;
} hcbr_i_partition_options;

/**
 * Build the atoms and project every case of the base. If it is stopped while working in place
 * (HCBR_ECANCELLED), the case base can only be released.
 */
hcbr_status hcbr_i_partition_build(hcbr_i_atoms *atoms, hcbr_i_projections *projections,
                                   const struct hcbr_cases *cases,
                                   const hcbr_i_partition_options *options, hcbr_error *err);

void hcbr_i_atoms_clear(hcbr_i_atoms *atoms);
void hcbr_i_projections_clear(hcbr_i_projections *projections);

/* ---- strength (strength.c) ------------------------------------------------------------------- */

/*
 * The support of each atom for each label (METHOD 2.2-2.5) and the supports of a case (METHOD 3).
 *
 * Only labels that occur with an atom are stored: entries [row[e], row[e] + length[e]) hold a
 * label, a count d^(l)(e) and a strength mu^(l)(e), by ascending label. With two labels every atom
 * has both, and the difference and the sum of mu^(1) and mu^(-1) are stored instead, since training
 * would lose the difference to cancellation (METHOD 4).
 */

typedef struct hcbr_i_strength {
    uint32_t atom_count, label_count;
    double *total;   /**< by label: sum of S^(l) over the atoms; 0: the label never wins */
    uint64_t *cases; /**< by label: number of its cases */
    /* two labels */
    double *mu;    /**< mu^(1)(e) - mu^(-1)(e), by atom; NULL unless there are two labels */
    double *sigma; /**< mu^(1)(e) + mu^(-1)(e), by atom, constant under training */
    uint32_t *d;   /**< d^(-1)(e), d^(1)(e), by atom */
    /* one label, or more than two */
    uint64_t *row;    /**< first entry of an atom; NULL with two labels */
    uint32_t *length; /**< number of its entries */
    uint32_t *spare;  /**< room for more entries after them; NULL: none */
    uint32_t *entry_label;
    uint32_t *entry_count;    /**< d^(l)(e) */
    double *entry_mu;         /**< mu^(l)(e) */
    uint64_t entry_count_all; /**< entries in use, gaps included */
    size_t entry_capacity;
} hcbr_i_strength;

/** Strengths before training. */
hcbr_status hcbr_i_strength_build(hcbr_i_strength *out, const struct hcbr_cases *cases,
                                  const hcbr_i_atoms *atoms, const hcbr_i_projections *projections,
                                  hcbr_scope scope, const hcbr_i_means *means, hcbr_error *err);
void hcbr_i_strength_clear(hcbr_i_strength *strength);

/** mu^(l)(e); 0 without an entry. */
double hcbr_i_strength_get(const hcbr_i_strength *strength, hcbr_i_atom_id atom, uint32_t label);
/** d^(l)(e). */
uint32_t hcbr_i_strength_count(const hcbr_i_strength *strength, hcbr_i_atom_id atom,
                               uint32_t label);
/** Add to mu^(l)(e), making an entry if needed (not for two labels). */
hcbr_status hcbr_i_strength_add(hcbr_i_strength *strength, hcbr_i_atom_id atom, uint32_t label,
                                double delta, hcbr_error *err);

/**
 * a - b, but 0 if that is no more than the rounding of a and b: equal strengths summed in different
 * ways must tie, and training must not amplify their rounding.
 */
static inline double hcbr_i_strength_difference(double a, double b) {
    double d = a - b;
    return fabs(d) <= 0x1p-46 * (fabs(a) + fabs(b)) ? 0 : d;
}

/** Working memory to gather supports; one per thread. */
typedef struct hcbr_i_gather {
    uint32_t label_count;
    double *support; /**< by label */
    double largest;  /**< upper bound of |mu^(l)(e)| */
    bool all;        /**< all labels have strength */
} hcbr_i_gather;
hcbr_status hcbr_i_gather_init(hcbr_i_gather *gather, const hcbr_i_strength *strength,
                               hcbr_error *err);
/** Update the bound with two changed strengths. */
static inline void hcbr_i_gather_look(hcbr_i_gather *gather, double a, double b) {
    gather->largest = fmax(gather->largest, fmax(fabs(a), fabs(b)));
}
void hcbr_i_gather_clear(hcbr_i_gather *gather);

/**
 * Gather the supports of a case into gather->support (not for two labels, where a sum of mu is
 * enough). The case touches atoms[i] with weights[i] = w(e,x), one weight per atom; an atom may be
 * listed several times.
 */
void hcbr_i_strength_gather(const hcbr_i_strength *strength, hcbr_i_gather *gather,
                            const hcbr_i_atom_id *atoms, const double *weights, size_t count);

/**
 * Rule R1 on gathered supports, ties as in METHOD 3. Takes the same atoms and weights again because
 * a close call needs the terms. Labels without strength never win; HCBR_I_NONE if there are no
 * others.
 */
uint32_t hcbr_i_strength_decide(const hcbr_i_strength *strength, const hcbr_i_gather *gather,
                                const hcbr_i_atom_id *atoms, const double *weights, size_t count);

/* ---- training (passes.c) ----------------------------------------------------------------------
 */

/*
 * Training passes over the cases (METHOD 4): a wrong decision moves strength from the label decided
 * to the true one, at once.
 */

/**
 * The moves of training, kept for reasons (METHOD 9). Record r: case[r], wrongly decided as
 * decided[r] at least once, moved delta[start[r] + j] in all from label decided[r] to its own label
 * on its j-th atom. Records are ordered by case, then label.
 */
typedef struct hcbr_i_moves {
    uint64_t count;
    uint32_t *case_of;
    uint32_t *decided;
    uint64_t *start; /**< count + 1 of them */
    double *delta;
} hcbr_i_moves;

typedef struct hcbr_i_train_options {
    uint32_t passes;
    uint64_t seed;
    bool given_order;
    hcbr_i_moves *moves; /**< receives the moves; may be NULL */
    hcbr_i_pool *pool;   /**< for working memory; may be NULL */
    hcbr_progress_fn *progress;
    void *progress_context;
} hcbr_i_train_options;

/** Train in place. errors[p] receives the wrong decisions of pass p. */
hcbr_status hcbr_i_train_run(hcbr_i_strength *strength, const hcbr_i_atoms *atoms,
                             const hcbr_i_projections *projections, const uint32_t *label,
                             const hcbr_i_train_options *options, uint64_t *errors,
                             hcbr_error *err);
void hcbr_i_moves_clear(hcbr_i_moves *moves);

/** The order of a pass: a permutation of [0, count) drawn from the seed. */
void hcbr_i_train_order(uint32_t *order, uint32_t count, uint64_t seed);

#define HCBR_I_MOST_MU 1e150 /* sums of 2^32 such strengths are finite */

/* ---- the engine (plain_engine.c, plain_state.c) ---------------------------------------------- */

/** Features by atom: of atom e, from features + start[e] on, ascending. */
typedef struct hcbr_i_atom_index {
    uint32_t *features; /**< memory after start */
    uint32_t start[];
} hcbr_i_atom_index;

/** The state of a fitted engine. */
typedef struct hcbr_i_plain {
    hcbr_i_atoms atoms;
    _Atomic(hcbr_i_atom_index *) index; /**< NULL: not made yet */
    hcbr_i_strength strength;
    hcbr_i_emphases *emphases; /**< NULL: all features are equally important */
    uint32_t *units;           /**< by feature; NULL: each counts 1 */
    /* unless no cases are kept */
    hcbr_i_projections kept;
    hcbr_i_moves moves;
    const void *file; /**< bytes of the model, with some of the arrays; NULL: all arrays are
                           allocated */
    size_t file_size;
} hcbr_i_plain;

void hcbr_i_plain_free(void *state);
/** Set the mass of atoms from the units of their features. */
hcbr_status hcbr_i_atoms_weigh(hcbr_i_atoms *atoms, const uint32_t *units, uint64_t sum,
                               hcbr_error *err);
/** Set the units of the features of a dictionary, and of its atoms, from the emphases. */
hcbr_status hcbr_i_plain_weigh(hcbr_i_plain *plain, const hcbr_i_dict *dict, hcbr_error *err);
/** The units of a feature of a case, known or not; 1 if all are equally important. */
static inline uint32_t hcbr_i_plain_units(const hcbr_i_plain *plain, const hcbr_i_case_item *item) {
    return !plain->units             ? 1
           : item->id != HCBR_I_NONE ? plain->units[item->id]
                                     : hcbr_i_emphases_units(plain->emphases, &item->feature);
}
/** The same of all features of a case: |x|. */
double hcbr_i_plain_case_units(const hcbr_i_plain *plain, const hcbr_i_case *x);
/** The features of every atom, listed on the first call; NULL if memory is short. Any thread may
 *  call it at any time. */
const hcbr_i_atom_index *hcbr_i_plain_index(const hcbr_i_plain *plain);
hcbr_i_past hcbr_i_plain_past(const void *state);

/** The values for section facts. */
hcbr_i_facts hcbr_i_plain_facts(const hcbr_i_plain *plain);
/** Functions of the engine (plain_file.c, plain_check.c). */
bool hcbr_i_plain_has_section(const void *state, hcbr_keep keep, hcbr_i_section section);
void hcbr_i_plain_write(hcbr_i_out *out, const void *state, const hcbr_i_frame *frame,
                        hcbr_i_section section);
hcbr_status hcbr_i_plain_read(void **state, const hcbr_i_frame *m, hcbr_i_in *s, hcbr_error *err);
hcbr_status hcbr_i_plain_check(const void *state, const hcbr_i_frame *m, bool fitted,
                               hcbr_error *err);
/** The atoms with the most support for a label, strongest first (plain_rank.c). */
hcbr_status hcbr_i_plain_rank(const hcbr_i_plain *plain, uint32_t label, uint32_t *atoms,
                              size_t capacity, size_t *count, hcbr_error *err);
extern const hcbr_i_engine hcbr_i_plain_engine;

#endif
