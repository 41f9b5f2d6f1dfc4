/*
 * What the columns of a complete list are, judged from their values and how often each occurs.
 *
 * Labels are never looked at. The verdict does not depend on the order of the cases. Invariant: a
 * column of which a case has two values, and one whose parts would be called like another column,
 * is left as it is.
 */
#include "cases/append.h"

#include <stdlib.h>

#define TOGETHER 512u  /* columns that are looked at in one pass over the numbers */
#define LEAST_CASES 20 /* before a column is left out */
#define FEWEST 10      /* before anything is judged that options do not name */

enum { FEW = 5 };      /* different numbers that may be names of categories */
#define WHOLE 1e15     /* whole numbers that are looked at */
#define CLOCK 10000101 /* the least number that may be a moment */

/* The numbers of a key that stand apart. */
typedef struct number_facts {
    uint64_t count;
    double least, most;
    double few[FEW + 1]; /* the first different ones */
    uint8_t few_count;
    bool pointed; /* one shows that it is no whole one, and the point is the mark */
    bool broken;  /* not all are whole */
} number_facts;

/* What is known of a key before its values are looked at. */
typedef struct key_facts {
    uint64_t numbers;   /* that stand apart */
    uint32_t tally;     /* number of it in this pass, + 1; 0: none */
    uint32_t different; /* features */
    bool words;         /* has features with a value */
    bool several;       /* a case has two values */
    bool left;          /* an option of reading says what it is, or it is no column */
    bool given;         /* an option says what it is ... */
    bool ignored;       /* ... or leaves it out */
    bool repeats;       /* it has the values of another one in every case */
    bool joins;         /* another key is its name with a colon and more */
    hcbr_i_kind kind;
} key_facts;

/* A key with its name. */
typedef struct named {
    hcbr_i_text name;
    hcbr_i_key_id key;
} named;

typedef struct judge {
    const hcbr_cases *cases;
    key_facts *keys;
    number_facts *numbers; /* by key */
    uint32_t *last;        /* by key: the last case that has it, + 1 */
    uint32_t *key_of;      /* by feature */
    uint32_t *count;       /* by feature: how often it occurs */
    uint64_t *sign;        /* by feature: of its value */
    uint32_t *order;       /* features by key */
    uint32_t *start;       /* of key k there */
    named *sorted;         /* keys by the bytes of their names */
    uint32_t key_count, feature_count;
} judge;

/* ---- what is met ----------------------------------------------------------------------------- */

static void judge_clear(judge *j) {
    hcbr_i_free(j->keys);
    hcbr_i_free(j->numbers);
    hcbr_i_free(j->last);
    hcbr_i_free(j->key_of);
    hcbr_i_free(j->count);
    hcbr_i_free(j->sign);
    hcbr_i_free(j->order);
    hcbr_i_free(j->start);
    hcbr_i_free(j->sorted);
}

static bool judge_init(judge *j, const hcbr_cases *cases) {
    const uint32_t keys = hcbr_i_dict_key_count(cases->dict);
    const uint32_t features = hcbr_i_dict_count(cases->dict);
    *j = (judge){.cases = cases,
                 .keys = hcbr_i_alloc_zero(keys, sizeof *j->keys),
                 .numbers = hcbr_i_alloc_zero(keys, sizeof *j->numbers),
                 .last = hcbr_i_alloc_zero(keys, sizeof *j->last),
                 .key_of = hcbr_i_alloc(features, sizeof *j->key_of),
                 .count = hcbr_i_alloc_zero(features, sizeof *j->count),
                 .sign = hcbr_i_alloc(features, sizeof *j->sign),
                 .order = hcbr_i_alloc(features, sizeof *j->order),
                 .start = hcbr_i_alloc_zero((size_t)keys + 2, sizeof *j->start),
                 .sorted = hcbr_i_alloc(keys, sizeof *j->sorted),
                 .key_count = keys,
                 .feature_count = features};
    return j->keys && j->numbers && j->last && j->key_of && j->count && j->sign && j->order &&
           j->start && j->sorted;
}

static inline void meet(judge *j, hcbr_i_key_id key, uint32_t i) {
    if (HCBR_I_UNLIKELY(j->last[key] == i + 1))
        j->keys[key].several = true;
    j->last[key] = i + 1;
}

/* One of the first different numbers? */
static void meet_few(number_facts *x, double value) {
    for (unsigned n = 0; n < x->few_count; n++)
        if (x->few[n] == value)
            return;
    x->few[x->few_count++] = value;
}

static inline void meet_number(number_facts *x, double value, uint8_t spelling) {
    if (!x->count++)
        x->least = x->most = value;
    x->least = value < x->least ? value : x->least;
    x->most = value > x->most ? value : x->most;
    if (x->pointed)
        return;
    if (HCBR_I_UNLIKELY(x->few_count <= FEW))
        meet_few(x, value);
    if (spelling == HCBR_I_SPELLED_SHORTEST && value > -WHOLE && value < WHOLE &&
        (double)(int64_t)value == value)
        return;
    x->broken = true;
    x->pointed = hcbr_i_number_is_pointed(value, spelling);
}

/* Count what each key has. */
static void look_at_cases(judge *j) {
    const hcbr_cases *c = j->cases;
    const hcbr_i_numbers *n = &c->numbers;
    for (uint32_t f = 0; f < j->feature_count; f++)
        j->key_of[f] = hcbr_i_dict_get(c->dict, f).key;
    for (uint32_t i = 0; i < c->case_count; i++) {
        for (uint64_t at = c->start[i]; at < c->start[i + 1]; at++) {
            meet(j, j->key_of[c->features[at]], i);
            j->count[c->features[at]]++;
        }
        for (uint64_t at = n->start ? n->start[i] : 0; n->start && at < n->start[i + 1]; at++) {
            meet(j, n->key[at], i);
            meet_number(&j->numbers[n->key[at]], n->value[at],
                        n->spelling ? n->spelling[at] : HCBR_I_SPELLED_SHORTEST);
        }
    }
    for (uint32_t k = 0; k < j->key_count; k++)
        j->keys[k].numbers = j->numbers[k].count;
}

/* Features by key. */
static void sort_features(judge *j) {
    const hcbr_i_dict *dict = j->cases->dict;
    for (uint32_t f = 0; f < j->feature_count; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        j->start[x.key + 2]++;
        j->sign[f] = x.value ? hcbr_i_value_sign(x.value, x.value_length) : 0;
        j->keys[x.key].words |= x.value != NULL;
        j->keys[x.key].left |= x.value == NULL;
        j->keys[x.key].different += j->count[f] > 0;
    }
    for (uint32_t k = 0; k < j->key_count; k++)
        j->start[k + 2] += j->start[k + 1];
    for (uint32_t f = 0; f < j->feature_count; f++)
        j->order[j->start[j->key_of[f] + 1]++] = f;
}

/* ---- names ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    const named *x = a, *y = b;
    return hcbr_i_text_compare(x->name.at, x->name.length, y->name.at, y->name.length);
}

static const named *find_name(const judge *j, const char *name, size_t length) {
    const named wanted = {.name = {name, length}};
    return j->key_count ? bsearch(&wanted, j->sorted, j->key_count, sizeof wanted, by_name) : NULL;
}

/* Which keys have a name that another begins with, a colon behind it? */
static void sort_keys(judge *j) {
    for (uint32_t k = 0; k < j->key_count; k++)
        j->sorted[k] = (named){hcbr_i_dict_key(j->cases->dict, k), k};
    if (j->key_count)
        qsort(j->sorted, j->key_count, sizeof *j->sorted, by_name);
    for (uint32_t k = 0; k < j->key_count; k++) {
        const hcbr_i_text name = j->sorted[k].name;
        const char *mark = name.at, *end = name.at + name.length;
        for (; (mark = memchr(mark, ':', (size_t)(end - mark))) != NULL; mark++) {
            const named *other = find_name(j, name.at, (size_t)(mark - name.at));
            if (other)
                j->keys[other->key].joins = true;
        }
    }
}

/* Is there a key for all that options name? */
static hcbr_status check_asked(const judge *j, hcbr_error *err) {
    char quoted[200];
    for (size_t i = 0; i < j->cases->asked_count; i++) {
        const hcbr_i_asked *asked = &j->cases->asked[i];
        if (!asked->leave && !find_name(j, asked->column, strlen(asked->column)))
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found no column %s with a value, expected one (option type)",
                               hcbr_i_quote(quoted, asked->column, strlen(asked->column)));
    }
    return HCBR_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/*
 * Numbers alone that can be nothing else: one shows the decimal point; or all are whole, and
 * neither a flag, moments, an id nor a few codes. What hcbr_i_tally_judge() says of them is known.
 */
static bool is_sure(const judge *j, hcbr_i_key_id k) {
    const number_facts *x = &j->numbers[k];
    const hcbr_i_text name = hcbr_i_dict_key(j->cases->dict, k);
    if (j->keys[k].words || !(x->least < x->most) || hcbr_i_cases_find_asked(j->cases, name))
        return false;
    if (x->pointed)
        return true;
    const bool rows =
        (x->least == 0 || x->least == 1) && x->most - x->least + 1 == (double)x->count;
    return !x->broken && x->few_count > FEW && x->least < CLOCK && !rows &&
           !(hcbr_i_name_says(name.at, name.length) &
             (HCBR_I_NAME_ID | HCBR_I_NAME_KEY | HCBR_I_NAME_CODE));
}

static bool add_features(const judge *j, hcbr_i_tally *tally, hcbr_i_key_id k) {
    const hcbr_i_many many = {.dict = j->cases->dict,
                              .features = j->order + j->start[k],
                              .feature_count = j->start[k + 1] - j->start[k],
                              .count = j->count,
                              .sign = j->sign};
    bool enough = false;
    bool ok =
        j->keys[k].numbers > 0 || j->keys[k].given || hcbr_i_many_count(tally, &many, &enough);
    if (enough)
        return true;
    for (uint32_t at = j->start[k]; ok && at < j->start[k + 1]; at++) {
        const uint32_t f = j->order[at];
        hcbr_i_dict_feature x = hcbr_i_dict_get(j->cases->dict, f);
        ok = !x.value || hcbr_i_tally_add(tally, x.value, x.value_length, j->count[f]);
    }
    return ok;
}

static bool add_numbers(const judge *j, hcbr_i_tally *tallies) {
    const hcbr_i_numbers *n = &j->cases->numbers;
    const uint64_t count = hcbr_i_cases_item_count(j->cases);
    bool ok = true;
    for (uint64_t at = 0; ok && at < count; at++) {
        const uint32_t tally = j->keys[n->key[at]].tally;
        const uint8_t spelling = n->spelling ? n->spelling[at] : HCBR_I_SPELLED_SHORTEST;
        if (!tally)
            continue;
        if (spelling < HCBR_I_SPELLED_OTHER) {
            ok = hcbr_i_tally_add_number(&tallies[tally - 1], n->value[at], spelling, 1);
        } else {
            char room[HCBR_NUMBER_SIZE];
            const hcbr_i_text text = hcbr_i_numbers_text(n, at, room);
            ok = hcbr_i_tally_add(&tallies[tally - 1], text.at, text.length, 1);
        }
    }
    return ok;
}

static void judge_key(const judge *j, key_facts *key, const hcbr_i_tally *tally, hcbr_i_text name) {
    const hcbr_i_asked *asked = hcbr_i_cases_find_asked(j->cases, name);
    const uint64_t distinct = key->numbers ? 0 : key->different;
    if (asked && !asked->wish.ignore)
        hcbr_i_tally_judge_as(&key->kind, tally, name.at, name.length, distinct, &asked->wish);
    else
        hcbr_i_tally_judge(&key->kind, tally, name.at, name.length, distinct);
    hcbr_i_kind_set_order(&key->kind, (hcbr_i_order)j->cases->dates);
    key->ignored = asked && asked->wish.ignore;
}

/* Judge some keys. */
static bool judge_keys(judge *j, const hcbr_i_key_id *which, uint32_t count,
                       hcbr_i_tally *tallies) {
    bool ok = true, numbers = false;
    for (uint32_t t = 0; t < count; t++) {
        key_facts *key = &j->keys[which[t]];
        hcbr_i_tally_init(&tallies[t]);
        key->given =
            hcbr_i_cases_find_asked(j->cases, hcbr_i_dict_key(j->cases->dict, which[t])) != NULL;
        key->tally = t + 1;
        numbers |= j->keys[which[t]].numbers > 0;
    }
    for (uint32_t t = 0; ok && t < count; t++)
        ok = add_features(j, &tallies[t], which[t]);
    if (ok && numbers)
        ok = add_numbers(j, tallies);
    for (uint32_t t = 0; t < count; t++) {
        key_facts *key = &j->keys[which[t]];
        const hcbr_i_text name = hcbr_i_dict_key(j->cases->dict, which[t]);
        tallies[t].missing = j->cases->case_count - tallies[t].values;
        if (ok)
            judge_key(j, key, &tallies[t], name);
        key->tally = 0;
        hcbr_i_tally_clear(&tallies[t]);
    }
    return ok;
}

static bool judge_all(judge *j) {
    hcbr_i_key_id which[TOGETHER];
    hcbr_i_tally *tallies = hcbr_i_alloc(TOGETHER, sizeof *tallies);
    uint32_t count = 0;
    bool ok = tallies != NULL;
    for (uint32_t k = 0; ok && k < j->key_count; k++) {
        key_facts *key = &j->keys[k];
        if (key->left || key->several || (!key->words && !key->numbers))
            continue;
        if (is_sure(j, k)) {
            key->kind = (hcbr_i_kind){.kind = HCBR_I_KIND_NUMBER,
                                      .plain = true,
                                      .mark = HCBR_I_MARK_POINT,
                                      .values = key->numbers};
            continue;
        }
        which[count++] = k;
        if (count == TOGETHER) {
            ok = judge_keys(j, which, count, tallies);
            count = 0;
        }
    }
    if (ok && count)
        ok = judge_keys(j, which, count, tallies);
    hcbr_i_free(tallies);
    return ok;
}

/* What becomes of a column. */
static hcbr_i_use choose_use(const judge *j, const key_facts *key) {
    const hcbr_i_use use = hcbr_i_use_of(&key->kind);
    if (key->ignored)
        return HCBR_I_USE_NOTHING;
    if (key->repeats)
        return HCBR_I_USE_NOTHING;
    if (key->given)
        return key->kind.kind == HCBR_I_KIND_CATEGORY ? HCBR_I_USE_CATEGORY : use;
    if (j->cases->strict || j->cases->case_count < FEWEST)
        return HCBR_I_USE_AS_IT_IS;
    if (use == HCBR_I_USE_NOTHING)
        return j->cases->case_count < LEAST_CASES ? HCBR_I_USE_AS_IT_IS : use;
    const bool parts = use != HCBR_I_USE_SET && use != HCBR_I_USE_KNOWN;
    return key->joins && parts ? HCBR_I_USE_AS_IT_IS : use;
}

/* What two columns of the same values have in common; 0: a column that is not compared. */
static uint64_t sign_of(const judge *j, hcbr_i_key_id k) {
    const key_facts *key = &j->keys[k];
    const number_facts *x = &j->numbers[k];
    uint64_t sign = hcbr_i_mix(x->count), values = x->count;
    if (key->left || key->several || key->given || (!key->words && !(x->least < x->most)))
        return 0;
    if (x->count)
        sign = hcbr_i_mix(sign ^ hcbr_i_bits_of(x->least)) + hcbr_i_bits_of(x->most);
    for (uint32_t at = j->start[k]; at < j->start[k + 1]; at++) {
        const uint32_t f = j->order[at];
        sign += hcbr_i_mix(j->sign[f] + j->count[f]);
        values += j->count[f];
    }
    return values >= j->cases->case_count / 2 ? sign | 1 : 0; // few are equal by chance
}

/* Which columns repeat another one? */
static hcbr_status find_repeated(judge *j, hcbr_error *err) {
    if (j->cases->case_count < LEAST_CASES || j->cases->strict)
        return HCBR_OK;
    uint64_t *sign = hcbr_i_alloc(j->key_count, sizeof *sign);
    bool *repeated = hcbr_i_alloc_zero(j->key_count, sizeof *repeated);
    hcbr_status st = sign && repeated ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t k = 0; st == HCBR_OK && k < j->key_count; k++)
        sign[k] = sign_of(j, k);
    if (st == HCBR_OK)
        st = hcbr_i_cases_find_repeated(j->cases, sign, repeated, err);
    for (uint32_t k = 0; st == HCBR_OK && k < j->key_count; k++)
        j->keys[k].repeats = repeated[k];
    hcbr_i_free(sign);
    hcbr_i_free(repeated);
    return st;
}

/* The columns by name. */
static hcbr_status make_schema(hcbr_i_schema **out, const judge *j, hcbr_error *err) {
    hcbr_status st = hcbr_i_schema_create(out, j->key_count, err);
    for (uint32_t n = 0; st == HCBR_OK && n < j->key_count; n++) {
        const key_facts *key = &j->keys[j->sorted[n].key];
        if (key->left || (!key->words && !key->numbers))
            continue;
        hcbr_i_schema_column column = {.name = j->sorted[n].name, .kind = key->kind};
        if (key->several)
            column.kind = (hcbr_i_kind){.kind = HCBR_I_KIND_CATEGORY, .mark = HCBR_I_MARK_POINT};
        column.said = key->repeats ? HCBR_I_SAID_REPEATED
                      : key->given ? HCBR_I_SAID_GIVEN
                                   : HCBR_I_SAID_FOUND;
        column.use = (uint8_t)(key->several ? HCBR_I_USE_AS_IT_IS : choose_use(j, key));
        st = hcbr_i_schema_add(*out, &column, err);
    }
    if (st == HCBR_OK)
        hcbr_i_schema_set_ngrams(*out, j->cases->ngrams ? j->cases->ngrams : 1);
    return st;
}

hcbr_status hcbr_i_cases_judge(hcbr_cases *cases, hcbr_error *err) {
    hcbr_i_schema *schema = NULL;
    judge j;
    bool wishes = false;
    for (size_t i = 0; i < cases->asked_count; i++)
        wishes |= !cases->asked[i].leave;
    if (!cases->tabled || cases->untabled ||
        (!wishes && (cases->strict || cases->case_count < FEWEST)))
        return HCBR_OK;
    hcbr_status st = judge_init(&j, cases) ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        look_at_cases(&j);
        sort_features(&j);
        sort_keys(&j);
        for (uint32_t k = 0; k < j.key_count; k++) {
            const hcbr_i_text name = hcbr_i_dict_key(cases->dict, k);
            const hcbr_i_asked *asked = hcbr_i_cases_find_asked(cases, name);
            j.keys[k].left |= (asked && asked->leave) || hcbr_i_cases_is_word(cases, name);
        }
        st = check_asked(&j, err);
        if (st == HCBR_OK && !judge_all(&j))
            st = hcbr_i_no_memory(err);
    }
    if (st == HCBR_OK)
        st = find_repeated(&j, err);
    if (st == HCBR_OK)
        st = make_schema(&schema, &j, err);
    judge_clear(&j);
    if (st == HCBR_OK)
        cases->schema = schema;
    else
        hcbr_i_schema_release(schema);
    return st;
}
