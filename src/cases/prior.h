/**
 * @file prior.h
 * Importances of features and beliefs, as case bases and models share them. Both never change once
 * made, and are counted by those who share them.
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

/** How important a column or a feature is, in units: importances are whole multiples of a common
 *  part, so that sums of them are exact. */
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
    hcbr_i_emphasis *all; /**< by column, then value; that of the whole column first */
} hcbr_i_emphases;

/** @return HCBR_OK, HCBR_EUSAGE (a number out of range, a name twice) or HCBR_ENOMEM. */
hcbr_status hcbr_i_emphases_make(hcbr_i_emphases **out, const hcbr_emphasis *list, size_t count,
                                 hcbr_error *err);
hcbr_i_emphases *hcbr_i_emphases_share(hcbr_i_emphases *emphases);
void hcbr_i_emphases_release(hcbr_i_emphases *emphases);
/** Is it 0 to 1e6 with at most six decimals? */
bool hcbr_i_importance_is_good(double importance);

/** Units of a feature, whether a case has it or not. */
uint32_t hcbr_i_emphases_units(const hcbr_i_emphases *emphases, const hcbr_feature *feature);
/**
 * Units of every feature of a dictionary; to be freed.
 *
 * @param sum receives that of all.
 * @return HCBR_OK, HCBR_EDATA (it is 2^32 or more) or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_emphases_by_feature(uint32_t **out, uint64_t *sum,
                                       const hcbr_i_emphases *emphases,
                                       const struct hcbr_i_dict *dict, hcbr_error *err);
/** The cases without features of importance 0; NULL: they have none. */
hcbr_status hcbr_i_emphases_apply(struct hcbr_cases **out, const struct hcbr_cases *cases,
                                  const hcbr_i_emphases *emphases, hcbr_error *err);

/* ---- beliefs (beliefs.c, beliefs_read.c) ----------------------------------------------------- */

/** The cases at the end of a base that are beliefs. */
typedef struct hcbr_i_beliefs {
    atomic_uint references;
    uint32_t count; /**< beliefs */
    char **source;  /**< by belief */
    double *weight;
    uint32_t case_count; /**< the last so many cases of the base are beliefs */
    uint32_t *of;        /**< by case of them: which belief; never falling */
} hcbr_i_beliefs;

/** Room for so many, all zero; NULL: no memory. */
hcbr_i_beliefs *hcbr_i_beliefs_create(uint32_t count, uint32_t case_count);
hcbr_i_beliefs *hcbr_i_beliefs_share(hcbr_i_beliefs *beliefs);
void hcbr_i_beliefs_release(hcbr_i_beliefs *beliefs);
/** How many cases of a base are beliefs. */
static inline uint32_t hcbr_i_beliefs_cases(const hcbr_i_beliefs *beliefs) {
    return beliefs ? beliefs->case_count : 0;
}
/** The belief that case i of `cases` is; HCBR_I_NONE: it is none. */
uint32_t hcbr_i_beliefs_of(const hcbr_i_beliefs *beliefs, uint64_t cases, uint64_t i);
/** The first case of the belief that case i is; i itself if it is none. */
uint64_t hcbr_i_beliefs_first(const hcbr_i_beliefs *beliefs, uint64_t cases, uint64_t i);
/** Is case i one more copy of the belief before it? */
bool hcbr_i_beliefs_again(const hcbr_i_beliefs *beliefs, uint64_t cases, uint64_t i);
/** Those among some cases of a base, which are ascending; *out NULL: none are. */
hcbr_status hcbr_i_beliefs_subset(hcbr_i_beliefs **out, hcbr_i_beliefs *beliefs, uint64_t cases,
                                  const uint32_t *which, uint32_t count, hcbr_error *err);

#endif
