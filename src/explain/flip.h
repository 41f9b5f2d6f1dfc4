/**
 * @file flip.h
 * The search for changes that change an answer, shared by flip.c (plain models) and flip_rich.c.
 * Private to src/explain.
 */
#ifndef HCBR_I_FLIP_H
#define HCBR_I_FLIP_H

#include "reasons.h"

enum { HCBR_I_FLIP_EXACT = 3, HCBR_I_FLIP_KEEP = 32 };
#define HCBR_I_FLIP_ALL SIZE_MAX

/** A sum over features: a part of the supports of two labels and a constant. */
typedef struct hcbr_i_condition {
    uint32_t a, b; /* labels; HCBR_I_NONE: none */
    double of_a, of_b, constant;
} hcbr_i_condition;

/** A feature the case has. */
typedef struct hcbr_i_own {
    hcbr_feature feature;
    hcbr_i_feature_id id; /* HCBR_I_NONE: never seen */
    hcbr_i_key_id key;    /* HCBR_I_NONE: never seen */
} hcbr_i_own;

/** A possible change. Of one group at most one is made. */
typedef struct hcbr_i_choice {
    uint32_t removed; /* of search->own, or HCBR_I_NONE */
    uint32_t added;   /* a feature, or HCBR_I_NONE */
    uint64_t group;
    double adds;
    double lead; /* of a rich model: what is left of it */
} hcbr_i_choice;

/** Changes that were verified. */
typedef struct hcbr_i_found_flip {
    hcbr_i_choice *changes;
    hcbr_flip flip;
} hcbr_i_found_flip;

typedef struct hcbr_i_search {
    hcbr_explainer *x;
    hcbr_label answer;
    hcbr_i_own *own;
    size_t own_count;
    uint32_t *of_key; /* by key: how many features of it the case has */
    uint32_t *own_of; /* by key: the last of them */
    bool *fixed;      /* by key */
    bool *has;        /* by feature: does the case have it? */
    hcbr_i_choice *choices;
    size_t choice_count;
    hcbr_feature *changed; /* the case after some changes */
    bool *gone;            /* by own feature: is it removed? all false between tests */
    hcbr_i_condition now;
    double base, slack;    /* the sum as it is; what rounding may hide */
    size_t size;           /* changes in a set */
    uint32_t *picked;      /* choices of the set at hand */
    uint64_t steps, limit; /* taken, and at the most */
    uint64_t until;        /* of them for the part of the search at hand */
    uint64_t told;         /* steps when the caller was last told */
    uint64_t tried;        /* sets of changes */
    size_t searched;       /* all sets of so many changes were tried or ruled out */
    bool limited;          /* the limit ended some part */
    bool cut;              /* something was not looked at in this part */
    bool unknown;          /* a large set left nothing known */
    bool exact;            /* of a rich model: no smaller number of changes does */
    size_t quota;          /* of flips for this condition */
    hcbr_i_found_flip *flips;
    size_t flip_count, flip_capacity;
} hcbr_i_search;

/** Begin a part of the search that may take 1 / `parts` of the steps that are left. */
void hcbr_i_flip_part(hcbr_i_search *search, uint64_t parts);
/** Take some steps; search->cut if there are not as many left. The caller may stop the search. */
hcbr_status hcbr_i_flip_step(hcbr_i_search *search, uint64_t steps, hcbr_error *err);
/** Decide the case with the picked changes, and keep them if the answer is another one. */
hcbr_status hcbr_i_flip_test(hcbr_i_search *search, hcbr_error *err);
/** Is no change of this group among the first `depth` that are picked? */
bool hcbr_i_flip_is_free(const hcbr_i_search *search, size_t depth, uint64_t group);
/** Do thresholds play no part, so that the largest support decides? */
bool hcbr_i_flip_is_pure(const hcbr_i_search *search);
/** By falling `adds`, for qsort(). */
int hcbr_i_flip_compare(const void *a, const void *b);
/** Changes tried on a rich model. */
typedef struct hcbr_i_trial {
    hcbr_i_search *s;
    hcbr_i_rich_row row; /* the case with the changes that are picked */
    hcbr_i_rich_probe *probe;
    hcbr_i_rich_edit *edits; /* room for those of all changes of a set */
    double *support;
    size_t known; /* features of the case that are */
    double each;  /* steps of a single change on the average */
    bool pure;    /* the largest support decides */
} hcbr_i_trial;

#ifdef HCBR_FAULTS
/** Tests: how many sets of changes are tried one by one before they are bounded, at the most. */
extern size_t hcbr_i_flip_sets;
#endif

/** Make the case with the first `size` picked changes trial->row. False: no memory. */
bool hcbr_i_trial_row(hcbr_i_trial *trial, size_t size);
/** Try the picked changes; what may change the answer is decided. *lead receives what is left of
 *  the lead; infinite if nothing would be known. */
hcbr_status hcbr_i_trial_attempt(hcbr_i_trial *trial, size_t size, double *lead, hcbr_error *err);
/** Look through all sets of `size` changes, leaving out those that cannot do (flip_bound.c).
 *  *complete: all of them were looked through, or enough were found. */
hcbr_status hcbr_i_flip_bounded(hcbr_i_trial *trial, size_t size, bool *complete, hcbr_error *err);
/** Look for changes of a case of a rich model. *exact: no smaller number does. */
hcbr_status hcbr_i_flip_rich(hcbr_i_search *search, bool *exact, hcbr_error *err);

#endif
