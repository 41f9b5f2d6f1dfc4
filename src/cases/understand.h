/**
 * @file understand.h
 * Facts about the columns of a list while they are judged: understand_look.c collects them,
 * understand.c decides.
 */
#ifndef HCBR_I_UNDERSTAND_H
#define HCBR_I_UNDERSTAND_H

#include "cases/cases.h"

enum { HCBR_I_FEW = 5 }; /* different numbers that may be names of categories */

/* The separate numbers of a key. Updated for every number: a power of two large. */
typedef struct hcbr_i_number_facts {
    double least, most;
    uint64_t count;
    uint32_t last; /* the last case that has the key, + 1 */
    uint8_t few_count;
    bool pointed; /* one shows that it is not whole and that the point is its decimal mark */
    bool broken;  /* not all are whole */
} hcbr_i_number_facts;

/* The first different numbers of a key, with their counts while they are few. */
typedef struct hcbr_i_few_facts {
    double value[HCBR_I_FEW + 1];
    uint64_t count[HCBR_I_FEW + 1];
} hcbr_i_few_facts;

/* Facts about a key before its values are read. */
typedef struct hcbr_i_key_facts {
    uint64_t numbers;   /* separate ones */
    uint64_t others;    /* occurrences of its features */
    uint64_t bytes;     /* of the values of its features */
    uint32_t different; /* features */
    bool sampled;       /* some of its features are counted for all */
    bool wholes;        /* its numbers are whole, and only the set of them matters ... */
    bool texts;         /* ... with their texts */
    bool words;         /* has features with a value */
    bool several;       /* a case has two values */
    bool left;          /* an option of reading fixes its kind, or it is not a column */
    bool given;         /* an option fixes its kind ... */
    bool ignored;       /* ... or leaves it out */
    bool repeats;       /* it has the values of another key in every case */
    bool joins;         /* another key is its name with a colon and more */
    hcbr_i_kind kind;
} hcbr_i_key_facts;

/* A key with its name. */
typedef struct hcbr_i_named {
    hcbr_i_text name;
    hcbr_i_key_id key;
} hcbr_i_named;

typedef struct hcbr_i_judge {
    const hcbr_cases *cases;
    hcbr_status stopped; /* HCBR_ECANCELLED: the observer asked to stop */
    hcbr_error *err;
    hcbr_i_key_facts *keys;
    hcbr_i_number_facts *numbers; /* by key */
    hcbr_i_few_facts *few;        /* by key */
    uint32_t *tally;              /* by key: the tally of its numbers in this pass, + 1; 0: none */
    uint32_t *key_of;             /* by feature */
    uint32_t *count;              /* by feature: its occurrences */
    uint64_t *sign;               /* by feature: of its value */
    uint32_t *order;              /* features by key */
    uint32_t *start;              /* of key k there */
    hcbr_i_named *sorted;         /* keys by the bytes of their names */
    bool *copy; /* by case: it has the values of an earlier one, and does not count */
    uint32_t key_count, feature_count;
    uint32_t rows; /* that count */
} hcbr_i_judge;

/** Make room; false: no memory. Release it in both cases. */
bool hcbr_i_judge_init(hcbr_i_judge *judge, const struct hcbr_cases *cases);
void hcbr_i_judge_clear(hcbr_i_judge *judge);
/** Collect facts from all features and the values of all different rows. */
hcbr_status hcbr_i_judge_look(hcbr_i_judge *judge);

enum { HCBR_I_JUDGE_ASKS = 16384 }; /* values between two progress calls */
/** Ask the list's observer whether to go on; false: stopped. */
static inline bool hcbr_i_judge_asks(hcbr_i_judge *judge) {
    judge->stopped = hcbr_i_watch_ask(&judge->cases->watch, judge->err);
    return judge->stopped == HCBR_OK;
}

#endif
