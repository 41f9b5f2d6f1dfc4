/**
 * @file account.h
 * What an engine and explain/ share while a case is explained, compared or changed.
 */
#ifndef HCBR_I_ACCOUNT_H
#define HCBR_I_ACCOUNT_H

#include "engine/model_frame.h"

/* ---- the few that come first (pick.c) -------------------------------------------------------- */

/** The `most` past cases that come first by their value. */
typedef struct hcbr_i_picker {
    uint32_t *items; /**< room for `most` */
    size_t count, most;
    const double *value; /**< by past case */
    double sign;         /**< 1: largest first, -1: smallest first */
    bool absolute;       /**< largest absolute value first */
} hcbr_i_picker;
void hcbr_i_picker_offer(hcbr_i_picker *picker, uint32_t item);
/** What an item is compared by: larger comes first. */
static inline double hcbr_i_picker_key(const hcbr_i_picker *picker, uint32_t item) {
    double value = picker->value[item];
    return picker->absolute ? (value < 0 ? -value : value) : picker->sign * value;
}
/** What is below it is not picked: `least`, or the last of those kept once there are enough. */
static inline double hcbr_i_picker_floor(const hcbr_i_picker *picker, double least) {
    bool full = picker->most > 0 && picker->count == picker->most;
    return full ? hcbr_i_picker_key(picker, picker->items[0]) : least;
}
/** hcbr_i_picker_offer(), but what is plainly too small is turned away on the spot. */
static inline void hcbr_i_picker_consider(hcbr_i_picker *picker, uint32_t item) {
    if (picker->count == picker->most &&
        (picker->most == 0 ||
         hcbr_i_picker_key(picker, item) < hcbr_i_picker_key(picker, picker->items[0])))
        return;
    hcbr_i_picker_offer(picker, item);
}
/** Put what was kept in order, the first first. Nothing is offered afterwards. */
void hcbr_i_picker_sort(hcbr_i_picker *picker);

/* ---- an account ------------------------------------------------------------------------------ */

/** The case at hand and the lead that is accounted for. */
typedef struct hcbr_i_account {
    hcbr_i_frame frame;
    void *why;               /**< the engine's */
    const hcbr_i_case *at;   /**< the case at hand */
    uint32_t label, against; /**< of the lead; HCBR_I_NONE: none */
    double lead;             /**< of the case at hand */
    hcbr_explain_options options;
    hcbr_progress_fn *progress; /**< NULL: nobody asks */
    void *progress_context;
    hcbr_i_case_item *numbers; /**< values that are no features: number i stands for feature
                               feature_count + i until the next call */
    size_t number_count, number_capacity;
    double *lead_of; /**< by past case: what it adds to the lead, if the engine has offered it */
    double *sums;    /**< by label: bias, influence_sum, its rounding, influence_absolute, scratch,
                          what groups without a test add */
    void **blocks;   /**< memory of the last call */
    size_t block_count, block_capacity;
    char *shared; /**< a block for small pieces that stays from call to call */
    char *next;   /**< what is left of a block for small pieces */
    size_t left;  /**< so much of it */
} hcbr_i_account;

/** Memory that is zero and lives until the next call; NULL: there is none. */
void *hcbr_i_account_take(hcbr_i_account *account, size_t count, size_t size);
/** A feature, or a number that stands for one. */
hcbr_i_case_item hcbr_i_account_item(const hcbr_i_account *x, hcbr_i_feature_id id);
/** Make a number stand for a feature; its text must live until the next call. False: no memory. */
bool hcbr_i_account_number(hcbr_i_account *account, hcbr_i_key_id key, hcbr_i_text value);
/** Release the memory of the last call. */
void hcbr_i_account_forget(hcbr_i_account *account);
/** Tell how far a call is; HCBR_ECANCELLED if it is to stop. */
hcbr_status hcbr_i_account_tell(const hcbr_i_account *account, const char *stage, uint64_t done,
                                uint64_t total, hcbr_error *err);
/** How much of a support for `label` goes into the lead. */
static inline double hcbr_i_account_side(const hcbr_i_account *account, uint32_t label) {
    return label == account->label ? 1 : label == account->against ? -1 : 0;
}
/** Receives a group: the keys it tests (one may be there twice; none: it tests nothing), what it
 *  adds by label and to the lead. False: no memory. */
typedef bool hcbr_i_group_fn(void *context, const hcbr_i_key_id *keys, size_t count,
                             const double *by_label, double lead);
/** Sort compared features by what they move. */
void hcbr_i_account_sort(hcbr_compared_feature *at, size_t count);

/* ---- changes that change an answer ----------------------------------------------------------- */

enum { HCBR_I_FLIP_EXACT = 3, HCBR_I_FLIP_KEEP = 32, HCBR_I_FLIP_SINGLES = 256 };
#define HCBR_I_FLIP_ALL SIZE_MAX

/** A sum over features: a part of the supports of two labels and a constant. */
typedef struct hcbr_i_condition {
    uint32_t a, b; /* labels; HCBR_I_NONE: none */
    double of_a, of_b, constant;
} hcbr_i_condition;

/** What kind of a change it is. Of one group, those before come before. */
typedef enum hcbr_i_choice_kind {
    HCBR_I_CHOICE_NUMBER, /**< another number takes the place of a number */
    HCBR_I_CHOICE_VALUE,  /**< any other value, or a member of a set more or less */
    HCBR_I_CHOICE_NOTHING /**< the only value of a key is removed */
} hcbr_i_choice_kind;

/** A possible change. Of one group at most one is made. */
typedef struct hcbr_i_choice {
    uint32_t removed; /* of search->own, or HCBR_I_NONE */
    uint32_t added;   /* a feature, or HCBR_I_NONE */
    uint64_t group;
    double adds;
    double lead;     /* what is left of it, where that was tried */
    double distance; /* of two numbers, else 0 */
    double share;    /* of the dates that it passes; 0: it is counted in values */
    hcbr_i_choice_kind kind;
    bool up; /* the number grows */
} hcbr_i_choice;

/** The numbers that a key may have. */
typedef struct hcbr_i_span {
    double low, high;
    bool bounded, up, down; /* are there ends? only larger ones, only smaller ones than now */
} hcbr_i_span;

/** Changes that were verified. */
typedef struct hcbr_i_found_flip {
    hcbr_i_choice *changes;
    double size; /* how far they go */
    hcbr_flip flip;
} hcbr_i_found_flip;

/** The search for them. What can change and what must happen is listed before the engine begins. */
typedef struct hcbr_i_search {
    hcbr_i_account *x;
    void *context; /* for the test */
    hcbr_status (*test)(struct hcbr_i_search *search, hcbr_error *err);
    hcbr_label answer;
    bool pure;                          /* thresholds play no part: the largest support decides */
    bool memory;                        /* identical past cases decide before it */
    bool by_memory;                     /* as they have done here */
    const hcbr_i_condition *conditions; /* one of them has to cross zero */
    size_t condition_count;
    hcbr_i_case_item *own; /* what the case has */
    size_t own_count;
    uint32_t *of_key; /* by key: how many features of it the case has */
    uint32_t *own_of; /* by key: the last of them */
    const hcbr_flip_options *options;
    bool *fixed;        /* by key */
    hcbr_i_span *spans; /* by key; NULL: none are given */
    bool *has;          /* by feature: does the case have it? */
    hcbr_i_choice *choices;
    size_t choice_count;
    hcbr_i_case_item *changed; /* the case after some changes */
    bool *gone;                /* by own feature: is it removed? all false between tests */
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
    bool exact;            /* no smaller number of changes does */
    bool counted;          /* sets are counted before they are tested */
    uint64_t decision;     /* steps that a decision takes beyond those for its features */
    size_t quota;          /* of flips for this condition */
    void *dates;           /* columns of dates, which are moved as a whole ... */
    size_t date_count;     /* ... so many; each is a change, alone */
    bool untried;          /* some date was not, or not to the end */
    bool did;              /* the set that was tested last gives another answer */
    uint64_t enough;       /* once there are flips, steps after which no more are looked for */
    hcbr_i_found_flip *flips;
    size_t flip_count, flip_capacity;
} hcbr_i_search;

/** Begin a part of the search that may take 1 / `parts` of the steps that are left. */
void hcbr_i_flip_part(hcbr_i_search *search, uint64_t parts);
/** Take some steps; search->cut if there are not as many left. The caller may stop the search. */
hcbr_status hcbr_i_flip_step(hcbr_i_search *search, uint64_t steps, hcbr_error *err);
/** Decide the case with the picked changes, and keep them if the answer is another one. */
static inline hcbr_status hcbr_i_flip_test(hcbr_i_search *search, hcbr_error *err) {
    return search->test(search, err);
}
/** Is no change of this group among the first `depth` that are picked? */
bool hcbr_i_flip_is_free(const hcbr_i_search *search, size_t depth, uint64_t group);
/** By falling `adds`, for qsort(). */
int hcbr_i_flip_compare(const void *a, const void *b);
/** Is the search for sets of several changes over: found enough, or no steps left? */
static inline bool hcbr_i_flip_is_over(const hcbr_i_search *s) {
    return s->quota == 0 || s->cut || (s->flip_count && s->steps > s->enough);
}
/** Were changes of the very groups of the first `size` that are picked found already? */
bool hcbr_i_flip_is_found(const hcbr_i_search *search, size_t size);
/** Does change a come before b of its group: the nearer number, a value before none? */
bool hcbr_i_flip_is_nearer(const hcbr_i_choice *a, const hcbr_i_choice *b);
/**
 * Test single changes, of each group the nearest first, and no more of a group once one does; of
 * numbers, no more in its direction (nearest.c).
 *
 * @param may may a change do? Choices are sorted by what they add.
 */
hcbr_status hcbr_i_flip_singles(hcbr_i_search *search,
                                bool (*may)(const void *context, const hcbr_i_choice *choice),
                                const void *context, hcbr_error *err);
#endif
