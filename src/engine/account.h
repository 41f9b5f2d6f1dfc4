/**
 * @file account.h
 * The data that an engine and explain/ share while a case is explained, compared or changed.
 */
#ifndef HCBR_I_ACCOUNT_H
#define HCBR_I_ACCOUNT_H

#include "engine/model_frame.h"

/* ---- the largest few (pick.c) ---------------------------------------------------------------- */

/** The first `most` past cases by their value. */
typedef struct hcbr_i_picker {
    uint32_t *items; /**< room for `most` */
    size_t count, most;
    const double *value; /**< by past case */
    double sign;         /**< 1: largest first, -1: smallest first */
    bool absolute;       /**< largest absolute value first */
} hcbr_i_picker;
void hcbr_i_picker_offer(hcbr_i_picker *picker, uint32_t item);
/** The sort key of an item: larger ones come first. */
static inline double hcbr_i_picker_key(const hcbr_i_picker *picker, uint32_t item) {
    double value = picker->value[item];
    return picker->absolute ? (value < 0 ? -value : value) : picker->sign * value;
}
/** Items below this key are not picked: `least`, or the key of the last item kept once there are
 *  enough. */
static inline double hcbr_i_picker_floor(const hcbr_i_picker *picker, double least) {
    bool full = picker->most > 0 && picker->count == picker->most;
    return full ? hcbr_i_picker_key(picker, picker->items[0]) : least;
}
/** hcbr_i_picker_offer(), with an inline test that rejects most items. */
static inline void hcbr_i_picker_consider(hcbr_i_picker *picker, uint32_t item) {
    if (picker->count == picker->most &&
        (picker->most == 0 ||
         hcbr_i_picker_key(picker, item) < hcbr_i_picker_key(picker, picker->items[0])))
        return;
    hcbr_i_picker_offer(picker, item);
}
/** Sort the kept items, the first one first. Nothing may be offered afterwards. */
void hcbr_i_picker_sort(hcbr_i_picker *picker);

/* ---- an account ------------------------------------------------------------------------------ */

/** The current case and the lead to be explained. */
typedef struct hcbr_i_account {
    hcbr_i_frame frame;
    void *why;               /**< the engine's */
    const hcbr_i_case *at;   /**< the current case */
    uint32_t label, against; /**< of the lead; HCBR_I_NONE: no such label */
    double lead;             /**< of the current case */
    hcbr_explain_options options;
    hcbr_progress_fn *progress; /**< may be NULL */
    void *progress_context;
    hcbr_i_case_item *numbers; /**< values that are not features: number i has the feature id
                                    feature_count + i until the next call */
    size_t number_count, number_capacity;
    double *lead_of; /**< by past case: its contribution to the lead, if the engine has
                          offered it */
    double *sums;    /**< by label: bias, influence_sum, its rounding, influence_absolute, scratch,
                          contribution of groups without a test */
    void **blocks;   /**< memory of the last call */
    size_t block_count, block_capacity;
    char *shared; /**< a block for small pieces, reused by every call */
    char *next;   /**< the free part of a block for small pieces */
    size_t left;  /**< its size */
} hcbr_i_account;

/** Zeroed memory that lives until the next call; NULL: out of memory. */
void *hcbr_i_account_take(hcbr_i_account *account, size_t count, size_t size);
/** A feature, or a number with the id of one. */
hcbr_i_case_item hcbr_i_account_item(const hcbr_i_account *x, hcbr_i_feature_id id);
/** Give a number the id of a feature; its text must live until the next call. False: no memory. */
bool hcbr_i_account_number(hcbr_i_account *account, hcbr_i_key_id key, double number,
                           hcbr_i_text text);
/** Release the memory of the last call. */
void hcbr_i_account_forget(hcbr_i_account *account);
/** Report the progress of a call; HCBR_ECANCELLED if it is to stop. */
hcbr_status hcbr_i_account_tell(const hcbr_i_account *account, const char *stage, uint64_t done,
                                uint64_t total, hcbr_error *err);
/** The factor of a support for `label` in the lead. */
static inline double hcbr_i_account_side(const hcbr_i_account *account, uint32_t label) {
    return label == account->label ? 1 : label == account->against ? -1 : 0;
}
/** Receives a group: the keys that it tests (perhaps with duplicates; empty: no test), its
 *  contribution by label and to the lead. False: no memory. */
typedef bool hcbr_i_group_fn(void *context, const hcbr_i_key_id *keys, size_t count,
                             const double *by_label, double lead);
/** Sort compared features by their effect. */
void hcbr_i_account_sort(hcbr_compared_feature *at, size_t count);

/* ---- changes of the answer ------------------------------------------------------------------- */

enum { HCBR_I_FLIP_EXACT = 3, HCBR_I_FLIP_KEEP = 32, HCBR_I_FLIP_SINGLES = 256 };
#define HCBR_I_FLIP_ALL SIZE_MAX

/** A sum over features: a share of the supports of two labels and a constant. */
typedef struct hcbr_i_condition {
    uint32_t a, b; /* labels; HCBR_I_NONE: none */
    double of_a, of_b, constant;
} hcbr_i_condition;

/** The kind of a change. Within a group, earlier kinds come first. */
typedef enum hcbr_i_choice_kind {
    HCBR_I_CHOICE_NUMBER, /**< a number is replaced by another one */
    HCBR_I_CHOICE_VALUE,  /**< any other value, or a member of a set added or removed */
    HCBR_I_CHOICE_NOTHING /**< the only value of a key is removed */
} hcbr_i_choice_kind;

/** A possible change. At most one of a group is made. */
typedef struct hcbr_i_choice {
    uint32_t removed; /* of search->own, or HCBR_I_NONE */
    uint32_t added;   /* a feature, or HCBR_I_NONE */
    uint64_t group;
    double adds;
    double lead;     /* the remaining lead, if tried */
    double distance; /* between two numbers, else 0 */
    double share;    /* share of the dates that it passes; 0: counted in values */
    hcbr_i_choice_kind kind;
    bool up; /* the number grows */
} hcbr_i_choice;

/** The range of the numbers of a key. */
typedef struct hcbr_i_span {
    double low, high;
    bool bounded, up, down; /* whether it has bounds; only larger ones, only smaller ones
                               than now */
} hcbr_i_span;

/** Verified changes. */
typedef struct hcbr_i_found_flip {
    hcbr_i_choice *changes;
    double size; /* their distance */
    hcbr_flip flip;
} hcbr_i_found_flip;

/** The search for changes. Possible changes and conditions are listed before the engine begins. */
typedef struct hcbr_i_search {
    hcbr_i_account *x;
    void *context; /* for the test */
    hcbr_status (*test)(struct hcbr_i_search *search, hcbr_error *err);
    hcbr_label answer;
    bool pure;                          /* the largest support decides, without thresholds */
    bool memory;                        /* identical past cases decide first */
    bool by_memory;                     /* and have decided here */
    const hcbr_i_condition *conditions; /* one of them has to cross zero */
    size_t condition_count;
    hcbr_i_case_item *own; /* features of the case */
    size_t own_count;
    uint32_t *of_key; /* by key: number of its features in the case */
    uint32_t *own_of; /* by key: the last of these */
    const hcbr_flip_options *options;
    bool *fixed;        /* by key */
    hcbr_i_span *spans; /* by key; NULL: no ranges */
    bool *has;          /* by feature: whether the case has it */
    hcbr_i_choice *choices;
    size_t choice_count;
    hcbr_i_case_item *changed; /* the case after some changes */
    bool *gone;                /* by own feature: whether it is removed; all false between tests */
    hcbr_i_condition now;
    double base, slack;    /* the current sum; bound of its rounding */
    size_t size;           /* changes in a set */
    uint32_t *picked;      /* choices of the current set */
    uint64_t steps, limit; /* taken, and maximum */
    uint64_t until;        /* limit for the current part of the search */
    uint64_t told;         /* steps at the last progress call */
    uint64_t tried;        /* sets of changes */
    size_t searched;       /* all sets of this size were tried or excluded */
    bool limited;          /* the limit ended some part */
    bool cut;              /* this part was not searched completely */
    bool unknown;          /* a large set left no known feature */
    bool exact;            /* no smaller number of changes is enough */
    bool counted;          /* sets are counted before they are tested */
    uint64_t decision;     /* steps of a decision, besides those for its features */
    size_t quota;          /* of flips for this condition */
    void *dates;           /* date columns, which are moved as a whole ... */
    size_t date_count;     /* ... and their number; each is a change by itself */
    bool untried;          /* some date was not tried, or not completely */
    bool did;              /* the last tested set gives another answer */
    uint64_t enough;       /* after this many steps the search ends if it has found flips */
    hcbr_i_found_flip *flips;
    size_t flip_count, flip_capacity;
} hcbr_i_search;

/** Begin a part of the search that may take 1 / `parts` of the remaining steps. */
void hcbr_i_flip_part(hcbr_i_search *search, uint64_t parts);
/** Take some steps; sets search->cut if fewer remain. The caller may stop the search. */
hcbr_status hcbr_i_flip_step(hcbr_i_search *search, uint64_t steps, hcbr_error *err);
/** Decide the case with the picked changes, and keep them if the answer changes. */
static inline hcbr_status hcbr_i_flip_test(hcbr_i_search *search, hcbr_error *err) {
    return search->test(search, err);
}
/** Whether none of the first `depth` picked changes is of this group. */
bool hcbr_i_flip_is_free(const hcbr_i_search *search, size_t depth, uint64_t group);
/** By descending `adds`, for qsort(). */
int hcbr_i_flip_compare(const void *a, const void *b);
/** Whether the search for sets of several changes is over: enough were found, or no steps are
 *  left. */
static inline bool hcbr_i_flip_is_over(const hcbr_i_search *s) {
    return s->quota == 0 || s->cut || (s->flip_count && s->steps > s->enough);
}
/** Whether changes of exactly the groups of the first `size` picked ones were found already. */
bool hcbr_i_flip_is_found(const hcbr_i_search *search, size_t size);
/** Whether change a comes before b of its group: the nearer number, a value before none. */
bool hcbr_i_flip_is_nearer(const hcbr_i_choice *a, const hcbr_i_choice *b);
/**
 * Test single changes, the nearest of each group first, and no more of a group once one is enough;
 * of numbers, no more in that direction (nearest.c).
 *
 * @param may whether a change can be enough. Choices are sorted by `adds`.
 */
hcbr_status hcbr_i_flip_singles(hcbr_i_search *search,
                                bool (*may)(const void *context, const hcbr_i_choice *choice),
                                const void *context, hcbr_error *err);
#endif
