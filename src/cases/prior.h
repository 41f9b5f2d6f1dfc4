/**
 * @file prior.h
 * Importances of features and beliefs, shared by case bases and models. Both never change once
 * made, and are reference counted.
 */
#ifndef HCBR_I_PRIOR_H
#define HCBR_I_PRIOR_H

#include "base/base.h"
#include "read/read.h"

#include <hcbr/prior.h>

#include <stdatomic.h>

struct hcbr_cases;
struct hcbr_i_dict;

/* ---- importances (emphasis.c) ---------------------------------------------------------------- */

/** The importance of a column or a feature in units: importances are whole multiples of a common
 *  part, so that their sums are exact. */
typedef struct hcbr_i_emphasis {
    char *column, *value; /**< value NULL: all of the column */
    uint32_t column_length, value_length;
    double importance;
    uint32_t units;
} hcbr_i_emphasis;

typedef struct hcbr_i_emphases {
    atomic_uint references;
    uint32_t one; /**< units of importance 1 */
    uint32_t count;
    hcbr_i_emphasis *all; /**< by column, then value; the whole column first */
} hcbr_i_emphases;

/** @return HCBR_OK, HCBR_EUSAGE (a number out of range, a name twice) or HCBR_ENOMEM. */
hcbr_status hcbr_i_emphases_make(hcbr_i_emphases **out, const hcbr_emphasis *list, size_t count,
                                 hcbr_error *err);
hcbr_i_emphases *hcbr_i_emphases_share(hcbr_i_emphases *emphases);
void hcbr_i_emphases_release(hcbr_i_emphases *emphases);
/** Whether it is from 0 to 1e6 with at most six decimals. */
bool hcbr_i_importance_is_good(double importance);

/** Units of a feature, whether a case has it or not. */
uint32_t hcbr_i_emphases_units(const hcbr_i_emphases *emphases, const hcbr_feature *feature);
/**
 * Units of every feature of a dictionary; to be freed.
 *
 * @param sum receives their sum.
 * @return HCBR_OK, HCBR_EDATA (the sum is 2^32 or more) or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_emphases_by_feature(uint32_t **out, uint64_t *sum,
                                       const hcbr_i_emphases *emphases,
                                       const struct hcbr_i_dict *dict, hcbr_error *err);
/** The cases without features of importance 0; NULL: there are no such features. */
hcbr_status hcbr_i_emphases_apply(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                  const hcbr_i_emphases *emphases, hcbr_error *err);

/* ---- beliefs (beliefs.c, beliefs_read.c) ----------------------------------------------------- */

/** The beliefs at the end of a base. */
typedef struct hcbr_i_beliefs {
    atomic_uint references;
    uint32_t count; /**< beliefs */
    char **source;  /**< by belief */
    double *weight;
    uint32_t case_count; /**< the last case_count cases of the base are beliefs */
    uint32_t *of;        /**< by case among them: its belief; ascending */
} hcbr_i_beliefs;

/** Room for `count` beliefs, all zero; NULL: no memory. */
hcbr_i_beliefs *hcbr_i_beliefs_create(uint32_t count, uint32_t case_count);
hcbr_i_beliefs *hcbr_i_beliefs_share(hcbr_i_beliefs *beliefs);
void hcbr_i_beliefs_release(hcbr_i_beliefs *beliefs);
/** The number of cases of a base that are beliefs. */
static inline uint32_t hcbr_i_beliefs_cases(const hcbr_i_beliefs *beliefs) {
    return beliefs ? beliefs->case_count : 0;
}
/** The belief of case i of `cases`; HCBR_I_NONE if the case is not a belief. */
uint32_t hcbr_i_beliefs_of(const hcbr_i_beliefs *beliefs, uint64_t cases, uint64_t i);
/** The first case of the belief of case i; i itself if it is not a belief. */
uint64_t hcbr_i_beliefs_first(const hcbr_i_beliefs *beliefs, uint64_t cases, uint64_t i);
/** Whether case i is one more copy of the belief before it. */
bool hcbr_i_beliefs_again(const hcbr_i_beliefs *beliefs, uint64_t cases, uint64_t i);
/** The beliefs among some cases of a base, in ascending order; *out NULL: none. */
hcbr_status hcbr_i_beliefs_subset(hcbr_i_beliefs **out, hcbr_i_beliefs *beliefs, uint64_t cases,
                                  const uint32_t *which, uint32_t count, hcbr_error *err);

#endif
