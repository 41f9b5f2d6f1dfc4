/**
 * @file understand.h
 * What is known of the columns of a list while they are judged: understand_look.c collects it,
 * understand.c decides.
 */
#ifndef HCBR_I_UNDERSTAND_H
#define HCBR_I_UNDERSTAND_H

#include "cases/cases.h"

enum { HCBR_I_FEW = 5 }; /* different numbers that may be names of categories */

/* The numbers of a key that stand apart. Looked at for every one of them: a power of two large. */
typedef struct hcbr_i_number_facts {
    double least, most;
    uint64_t count;
    uint32_t last; /* the last case that has the key, + 1 */
    uint8_t few_count;
    bool pointed; /* one shows that it is no whole one, and the point is the mark */
    bool broken;  /* not all are whole */
} hcbr_i_number_facts;

/* The first different numbers of a key, and how often each occurs while they are so few. */
typedef struct hcbr_i_few_facts {
    double value[HCBR_I_FEW + 1];
    uint64_t count[HCBR_I_FEW + 1];
} hcbr_i_few_facts;

/* What is known of a key before its values are looked at. */
typedef struct hcbr_i_key_facts {
    uint64_t numbers;   /* that stand apart */
    uint64_t others;    /* how often its features occur */
    uint64_t bytes;     /* of the values of its features */
    uint32_t different; /* features */
    bool sampled;       /* some of its features stand for all */
    bool wholes;        /* its numbers are whole, and only which there are is asked for ... */
    bool texts;         /* ... with their texts */
    bool words;         /* has features with a value */
    bool several;       /* a case has two values */
    bool left;          /* an option of reading says what it is, or it is no column */
    bool given;         /* an option says what it is ... */
    bool ignored;       /* ... or leaves it out */
    bool repeats;       /* it has the values of another one in every case */
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
    hcbr_status stopped; /* HCBR_ECANCELLED: whoever watches has said so */
    hcbr_error *err;
    hcbr_i_key_facts *keys;
    hcbr_i_number_facts *numbers; /* by key */
    hcbr_i_few_facts *few;        /* by key */
    uint32_t *tally;              /* by key: that of its numbers in this pass, + 1; 0: none */
    uint32_t *key_of;             /* by feature */
    uint32_t *count;              /* by feature: how often it occurs */
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
/** Go once over all features and all values of different rows. */
hcbr_status hcbr_i_judge_look(hcbr_i_judge *judge);

enum { HCBR_I_JUDGE_ASKS = 16384 }; /* values between two questions whether to go on */
/** Ask whoever watches the list whether to go on; false: stopped. */
static inline bool hcbr_i_judge_asks(hcbr_i_judge *judge) {
    judge->stopped = hcbr_i_watch_ask(&judge->cases->watch, judge->err);
    return judge->stopped == HCBR_OK;
}

#endif
