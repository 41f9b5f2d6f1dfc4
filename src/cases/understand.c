/*
 * The kinds of the columns of a complete list, judged from their values and the number of different
 * rows of each: copies and weights change nothing.
 *
 * Labels are never used. The verdict does not depend on the order of the cases. Invariant: a column
 * of which a case has two values is left unchanged, and so is one with a part that would be named
 * like another column.
 */
#include "cases/understand.h"
#include "cases/append.h"
#include "cases/dict.h"

#include <stdlib.h>

#define TOGETHER 512u /* columns counted in one pass over the numbers */
#define LEAST_ROWS 20 /* different ones needed to leave a column out */
#define FEWEST 10     /* needed to judge columns that options do not name */

enum { FORMS_MOST = 8 };     /* different values that mean missing, in a sure column */
#define FEW_NUMBERS 16       /* words for each number, at least: the numbers are not in disguise */
#define PAIRS_MOST (4 << 20) /* bytes of different texts whose pairs of words are features, too */
#define CLOCK 10000101       /* the least number that may be a moment */
#define DATED 1e6            /* from here on ids may begin with a year, which their texts show */
#define LONG 1e9             /* from here on numbers may be ids, unless some are below 0 */
#define CLOCK_END 1e8        /* from here on numbers are moments only if the name says so */

/* ---- names ----------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
    const hcbr_i_named *x = a, *y = b;
    return hcbr_i_text_compare(x->name.at, x->name.length, y->name.at, y->name.length);
}

static const hcbr_i_named *find_name(const hcbr_i_judge *j, const char *name, size_t length) {
    const hcbr_i_named wanted = {.name = {name, length}};
    return j->key_count ? bsearch(&wanted, j->sorted, j->key_count, sizeof wanted, by_name) : NULL;
}

/* Sort the keys, and mark those whose name with a colon begins another name. */
static void sort_keys(hcbr_i_judge *j) {
    for (uint32_t k = 0; k < j->key_count; k++)
        j->sorted[k] = (hcbr_i_named){hcbr_i_dict_key(j->cases->dict, k), k};
    if (j->key_count)
        qsort(j->sorted, j->key_count, sizeof *j->sorted, by_name);
    for (uint32_t k = 0; k < j->key_count; k++) {
        const hcbr_i_text name = j->sorted[k].name;
        const char *mark = name.at, *end = name.at + name.length;
        for (; (mark = memchr(mark, ':', (size_t)(end - mark))) != NULL; mark++) {
            const hcbr_i_named *other = find_name(j, name.at, (size_t)(mark - name.at));
            if (other)
                j->keys[other->key].joins = true;
        }
    }
}

/* Refuse options that name no key. */
static hcbr_status check_asked(const hcbr_i_judge *j, hcbr_error *err) {
    char quoted[200], near[HCBR_I_SUGGESTED];
    for (size_t i = 0; i < j->cases->asked_count; i++) {
        const hcbr_i_asked *asked = &j->cases->asked[i];
        hcbr_i_suggestion s = {.wanted = {asked->column, strlen(asked->column)}};
        if (asked->leave || find_name(j, asked->column, strlen(asked->column)))
            continue;
        for (uint32_t k = 0; k < j->key_count; k++)
            hcbr_i_suggest(&s, j->sorted[k].name);
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found no column %s with a value, expected one (option type)%s",
                           hcbr_i_quote(quoted, asked->column, strlen(asked->column)),
                           hcbr_i_suggestion_text(near, &s));
    }
    return HCBR_OK;
}

/* ---- verdicts -------------------------------------------------------------------------------- */

/* Count values among numbers that all mean missing; false: others do not, or they are too many. */
static bool count_forms(const hcbr_i_judge *j, hcbr_i_key_id k, uint64_t *forms) {
    *forms = 0;
    if (j->start[k + 1] - j->start[k] > FORMS_MOST)
        return false;
    for (uint32_t at = j->start[k]; at < j->start[k + 1]; at++) {
        const hcbr_i_dict_feature x = hcbr_i_dict_look(j->cases->dict, j->order[at]);
        if (!x.value || !hcbr_i_says_missing(j->cases->listed, x.value, x.value_length))
            return false;
        *forms += j->count[j->order[at]];
    }
    return true;
}

/*
 * Whether a key has only certain numbers, except for missing forms: one shows the decimal point;
 * or all are whole, and neither a flag, moments, an id nor a few codes. The result of
 * hcbr_i_tally_judge() is then known; it doubts them if the name says that they are codes.
 */
static bool is_sure(const hcbr_i_judge *j, hcbr_i_key_id k, uint64_t *forms, bool *codes) {
    const hcbr_i_number_facts *x = &j->numbers[k];
    const hcbr_i_text name = hcbr_i_dict_key(j->cases->dict, k);
    *codes = false;
    if (!(x->least < x->most) || hcbr_i_cases_find_asked(j->cases, name) ||
        !count_forms(j, k, forms))
        return false;
    if (x->pointed)
        return *forms == 0 || x->least < -1 || x->most > 1;
    if (x->broken || x->few_count <= HCBR_I_FEW || x->least >= CLOCK ||
        hcbr_i_count_rows(x->least, x->most, x->count))
        return false;
    const unsigned says = hcbr_i_name_says(name.at, name.length);
    *codes = says & HCBR_I_NAME_CODE;
    return !(says & (HCBR_I_NAME_ID | HCBR_I_NAME_KEY)) && (x->least >= 0 || x->most < LONG);
}

/* Refuse a requested column with two readings: with `strict` none is chosen. */
static hcbr_status check_clear(const hcbr_i_judge *j, hcbr_error *err) {
    char quoted[200];
    for (uint32_t k = 0; k < j->key_count; k++) {
        const hcbr_i_key_facts *key = &j->keys[k];
        const hcbr_i_text name = hcbr_i_dict_key(j->cases->dict, k);
        if (!key->given || key->left || key->ignored || !key->kind.ambiguous)
            continue;
        return hcbr_i_fail(
            err, HCBR_EDATA, "found values of column %s that can be read in two ways, expected %s",
            hcbr_i_quote(quoted, name.at, name.length),
            key->kind.kind == HCBR_I_KIND_DATE
                ? "to be told whether the day or the month comes first (option dates)"
                : "number:comma or number:point, the decimal mark (option type)");
    }
    return HCBR_OK;
}

/* Whether some of the features may be counted for all. Numbers among them are few. */
static bool may_sample(const hcbr_i_judge *j, hcbr_i_key_id k) {
    const hcbr_i_key_facts *key = &j->keys[k];
    return !key->given && key->numbers <= key->others / FEW_NUMBERS;
}

static bool add_features(hcbr_i_judge *j, hcbr_i_tally *tally, hcbr_i_key_id k) {
    const hcbr_i_many many = {.dict = j->cases->dict,
                              .features = j->order + j->start[k],
                              .feature_count = j->start[k + 1] - j->start[k],
                              .values = j->keys[k].others,
                              .count = j->count,
                              .sign = j->sign,
                              .alone = j->keys[k].numbers == 0};
    bool ok = true;
    if (may_sample(j, k))
        ok = hcbr_i_many_count(tally, &many, &j->keys[k].sampled);
    if (j->keys[k].sampled)
        return true;
    tally->expected = j->keys[k].given ? 0 : j->keys[k].others + j->keys[k].numbers;
    for (uint32_t at = j->start[k]; ok && at < j->start[k + 1]; at++) {
        const uint32_t f = j->order[at];
        if (at % HCBR_I_JUDGE_ASKS == 0 && !hcbr_i_judge_asks(j))
            return false;
        hcbr_i_dict_feature x = hcbr_i_dict_look(j->cases->dict, f);
        ok = !x.value || hcbr_i_tally_add(tally, x.value, x.value_length, j->count[f]);
    }
    return ok;
}

/* Add numbers so few that each was counted; false: they are more, or there is no memory. */
static bool add_few(const hcbr_i_judge *j, hcbr_i_tally *tally, hcbr_i_key_id k, bool *ok) {
    const hcbr_i_number_facts *x = &j->numbers[k];
    if (x->broken || x->few_count > HCBR_I_FEW)
        return false;
    for (unsigned n = 0; *ok && n < x->few_count; n++)
        *ok = hcbr_i_tally_add_number(tally, j->few[k].value[n], HCBR_I_SPELLED_SHORTEST,
                                      j->few[k].count[n]);
    return *ok;
}

static bool add_number(hcbr_i_tally *tally, const hcbr_i_numbers *n, uint64_t at) {
    const uint8_t spelling = n->spelling ? n->spelling[at] : HCBR_I_SPELLED_SHORTEST;
    if (spelling < HCBR_I_SPELLED_OTHER)
        return hcbr_i_tally_add_number(tally, n->value[at], spelling, 1);
    char room[HCBR_NUMBER_SIZE];
    const hcbr_i_text text = hcbr_i_numbers_text(n, at, room);
    return hcbr_i_tally_add(tally, text.at, text.length, 1);
}

/* Count the numbers of some cases. */
static bool add_numbers_from(hcbr_i_judge *j, hcbr_i_tally *tallies, uint64_t begin, uint64_t end) {
    const hcbr_i_numbers *n = &j->cases->numbers;
    const uint32_t *key = n->key, *tally = j->tally;
    for (uint64_t at = begin; at < end; at++) {
        if (HCBR_I_UNLIKELY(at % HCBR_I_JUDGE_ASKS == 0) && !hcbr_i_judge_asks(j))
            return false;
        if (!tally[key[at]])
            continue;
        hcbr_i_tally *to = &tallies[tally[key[at]] - 1];
        const hcbr_i_key_facts *facts = &j->keys[key[at]];
        if (!(facts->wholes ? hcbr_i_tally_meet_whole(to, n->value[at], facts->texts)
                            : add_number(to, n, at)))
            return false;
    }
    return true;
}

/* The cases between two copies go together. */
static bool add_numbers(hcbr_i_judge *j, hcbr_i_tally *tallies) {
    const uint64_t *start = j->cases->numbers.start;
    const uint32_t count = j->cases->case_count;
    bool ok = true;
    for (uint32_t i = 0, end; ok && i < count; i = end + 1) {
        const bool *copy = memchr(j->copy + i, true, count - i);
        end = copy ? (uint32_t)(copy - j->copy) : count;
        ok = add_numbers_from(j, tallies, start[i], start[end]);
    }
    return ok;
}

/*
 * Whole numbers, with at most words without a digit among them: minimum and maximum give all but
 * the number of different ones. They are too many for a flag, and not moments.
 */
static void find_wholes(const hcbr_i_judge *j, hcbr_i_tally *tally, hcbr_i_key_id k) {
    const hcbr_i_number_facts *x = &j->numbers[k];
    const hcbr_i_text name = hcbr_i_dict_key(j->cases->dict, k);
    hcbr_i_key_facts *key = &j->keys[k];
    if (key->given || key->sampled || x->broken || x->few_count <= HCBR_I_FEW || x->least < 0 ||
        (x->least >= CLOCK &&
         (x->most < CLOCK_END || hcbr_i_name_says(name.at, name.length) & HCBR_I_NAME_TIME)) ||
        tally->moments || tally->fits[HCBR_I_MARK_POINT] || tally->fits[HCBR_I_MARK_COMMA])
        return;
    key->wholes = true;
    key->texts = tally->values > 0 || x->least >= DATED; // an empty one means missing
    hcbr_i_tally_add_wholes(tally, (int64_t)x->least, (int64_t)x->most, x->count);
}

static void judge_key(const hcbr_i_judge *j, hcbr_i_key_facts *key, const hcbr_i_tally *tally,
                      hcbr_i_text name, uint64_t distinct) {
    const hcbr_i_asked *asked = hcbr_i_cases_find_asked(j->cases, name);
    if (asked && !asked->wish.ignore)
        hcbr_i_tally_judge_as(&key->kind, tally, name.at, name.length, distinct, &asked->wish);
    else
        hcbr_i_tally_judge(&key->kind, tally, name.at, name.length, distinct);
    hcbr_i_kind_set_order(&key->kind, (hcbr_i_order)j->cases->dates);
    key->ignored = asked && asked->wish.ignore;
    if (key->kind.kind == HCBR_I_KIND_NUMBER && key->kind.plain && key->kind.odd == 0)
        key->kind.distinct = 0; // as for a sure column, whose different numbers are not counted
}

/* Whether its numbers have a tally of their own. Known when its features have been counted. */
static bool is_apart(const hcbr_i_key_facts *key) {
    return key->sampled && key->numbers > 0;
}

static void start_tally(const hcbr_i_judge *j, hcbr_i_tally *tally) {
    hcbr_i_tally_init(tally);
    tally->listed = j->cases->listed;
}

/* Count the values of some keys, those of key t in tally t. If the words of a key are sampled, its
   numbers have a tally of their own at t + `count`. */
static bool count_keys(hcbr_i_judge *j, const hcbr_i_key_id *which, uint32_t count,
                       hcbr_i_tally *tallies) {
    bool ok = true, numbers = false;
    for (uint32_t t = 0; ok && t < count; t++) {
        hcbr_i_key_facts *key = &j->keys[which[t]];
        key->given =
            hcbr_i_cases_find_asked(j->cases, hcbr_i_dict_key(j->cases->dict, which[t])) != NULL;
        ok = add_features(j, &tallies[t], which[t]);
        if (is_apart(key))
            start_tally(j, &tallies[t + count]);
        const uint32_t to = key->sampled ? t + count : t;
        if (ok && key->numbers > 0 && !add_few(j, &tallies[to], which[t], &ok)) {
            find_wholes(j, &tallies[to], which[t]);
            j->tally[which[t]] = to + 1;
            numbers = true;
        }
    }
    return ok && (!numbers || add_numbers(j, tallies));
}

/* Judge some keys. */
static bool judge_keys(hcbr_i_judge *j, const hcbr_i_key_id *which, uint32_t count,
                       hcbr_i_tally *tallies) {
    for (uint32_t t = 0; t < count; t++)
        start_tally(j, &tallies[t]);
    bool ok = count_keys(j, which, count, tallies);
    for (uint32_t t = 0; ok && t < count; t++) {
        hcbr_i_key_facts *key = &j->keys[which[t]];
        const hcbr_i_tally *numbers = &tallies[t + count];
        uint64_t distinct = key->numbers && !key->sampled ? 0 : key->different;
        if (is_apart(key)) {
            distinct += hcbr_i_sample_distinct(&numbers->different, numbers->values);
            ok = hcbr_i_tally_merge(&tallies[t], numbers);
        }
        tallies[t].missing = j->rows - tallies[t].values;
        if (ok)
            judge_key(j, key, &tallies[t], hcbr_i_dict_key(j->cases->dict, which[t]), distinct);
    }
    for (uint32_t t = 0; t < count; t++) {
        hcbr_i_tally_clear(&tallies[t]);
        if (is_apart(&j->keys[which[t]]))
            hcbr_i_tally_clear(&tallies[t + count]);
        j->tally[which[t]] = 0;
    }
    return ok;
}

static bool judge_all(hcbr_i_judge *j) {
    hcbr_i_key_id which[TOGETHER];
    hcbr_i_tally *tallies = hcbr_i_alloc(2 * (size_t)TOGETHER, sizeof *tallies);
    uint32_t count = 0;
    uint64_t forms;
    bool ok = tallies != NULL, codes;
    for (uint32_t k = 0; ok && k < j->key_count; k++) {
        hcbr_i_key_facts *key = &j->keys[k];
        if (key->left || key->several || (!key->words && !key->numbers))
            continue;
        if (is_sure(j, k, &forms, &codes)) {
            key->kind = (hcbr_i_kind){.kind = HCBR_I_KIND_NUMBER,
                                      .plain = true,
                                      .doubtful = codes,
                                      .mark = HCBR_I_MARK_POINT,
                                      .values = key->numbers + forms,
                                      .forms = forms};
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

/* Keep ids if no other column would be left. */
static void keep_only_ids(hcbr_i_judge *j) {
    for (uint32_t k = 0; k < j->key_count; k++) {
        const hcbr_i_key_facts *key = &j->keys[k];
        const bool any = key->words || key->numbers;
        if (key->left || (any && (key->several || key->given ||
                                  (!key->kind.aside && !key->repeats &&
                                   hcbr_i_use_of(&key->kind) != HCBR_I_USE_NOTHING))))
            return;
    }
    for (uint32_t k = 0; k < j->key_count; k++)
        j->keys[k].kind.aside = false;
}

/* The use of a column. */
static hcbr_i_use choose_use(const hcbr_i_judge *j, const hcbr_i_key_facts *key) {
    const hcbr_i_use use = hcbr_i_use_of(&key->kind);
    if (key->ignored)
        return HCBR_I_USE_NOTHING;
    if (key->repeats)
        return HCBR_I_USE_NOTHING;
    if (key->given)
        return key->kind.kind == HCBR_I_KIND_CATEGORY ? HCBR_I_USE_CATEGORY : use;
    if (j->cases->strict || j->rows < FEWEST)
        return HCBR_I_USE_AS_IT_IS;
    if (use == HCBR_I_USE_NOTHING || key->kind.aside)
        return j->rows >= LEAST_ROWS       ? HCBR_I_USE_NOTHING
               : use == HCBR_I_USE_NOTHING ? HCBR_I_USE_AS_IT_IS
                                           : use;
    const bool parts = use != HCBR_I_USE_SET && use != HCBR_I_USE_KNOWN;
    return key->joins && parts ? HCBR_I_USE_AS_IT_IS : use;
}

/* A value that columns with the same values share; 0: a column that is not compared. */
static uint64_t sign_of(const hcbr_i_judge *j, hcbr_i_key_id k) {
    const hcbr_i_key_facts *key = &j->keys[k];
    const hcbr_i_number_facts *x = &j->numbers[k];
    if (key->left || key->several || key->given || (!key->words && !(x->least < x->most)) ||
        x->count + key->others < j->rows / 2) // few are equal by chance
        return 0;
    uint64_t sign = hcbr_i_mix(hcbr_i_mix(x->count) ^ key->others ^ (uint64_t)key->different << 32);
    if (x->count)
        sign = hcbr_i_mix(sign ^ hcbr_i_bits_of(x->least)) + hcbr_i_bits_of(x->most);
    return sign | 1;
}

static int by_size(const void *a, const void *b) {
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Distinguish columns with equal signs by their values; do not compare the others. */
static bool sign_values(const hcbr_i_judge *j, uint64_t *sign) {
    uint64_t *sorted = hcbr_i_alloc(j->key_count, sizeof *sorted);
    if (sorted == NULL)
        return false;
    memcpy(sorted, sign, j->key_count * sizeof *sorted);
    qsort(sorted, j->key_count, sizeof *sorted, by_size);
    for (uint32_t k = 0; k < j->key_count; k++) {
        const uint64_t *found = bsearch(sign + k, sorted, j->key_count, sizeof *sorted, by_size);
        const bool shared = (found > sorted && found[-1] == *found) ||
                            (found + 1 < sorted + j->key_count && found[1] == *found);
        if (sign[k] == 0)
            continue;
        for (uint32_t at = j->start[k]; shared && at < j->start[k + 1]; at++)
            sign[k] += hcbr_i_mix(j->sign[j->order[at]] + j->count[j->order[at]]);
        sign[k] = shared ? sign[k] | 1 : 0;
    }
    hcbr_i_free(sorted);
    return true;
}

/* Find the columns that repeat another one. */
static hcbr_status find_repeated(hcbr_i_judge *j, hcbr_error *err) {
    if (j->rows < LEAST_ROWS || j->cases->strict)
        return HCBR_OK;
    uint64_t *sign = hcbr_i_alloc(j->key_count, sizeof *sign);
    bool *repeated = hcbr_i_alloc_zero(j->key_count, sizeof *repeated);
    hcbr_status st = sign && repeated ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint32_t k = 0; st == HCBR_OK && k < j->key_count; k++)
        sign[k] = sign_of(j, k);
    if (st == HCBR_OK && j->key_count > 0 && !sign_values(j, sign))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_find_repeated(j->cases, sign, repeated, err);
    for (uint32_t k = 0; st == HCBR_OK && k < j->key_count; k++)
        j->keys[k].repeats = repeated[k];
    hcbr_i_free(sign);
    hcbr_i_free(repeated);
    return st;
}

/* The columns by name; `doubts`: number columns with another possible decimal mark. */
static hcbr_status make_schema(hcbr_i_schema **out, const hcbr_i_judge *j, bool doubts,
                               hcbr_error *err) {
    hcbr_status st = hcbr_i_schema_create(out, j->key_count, err);
    uint64_t text = 0;
    for (uint32_t n = 0; st == HCBR_OK && n < j->key_count; n++) {
        const hcbr_i_key_facts *key = &j->keys[j->sorted[n].key];
        if (key->left || (!key->words && !key->numbers) ||
            (doubts &&
             (!key->kind.ambiguous || key->kind.kind != HCBR_I_KIND_NUMBER || key->numbers == 0)))
            continue;
        hcbr_i_schema_column column = {.name = j->sorted[n].name, .kind = key->kind};
        if (key->several)
            column.kind = (hcbr_i_kind){.kind = HCBR_I_KIND_CATEGORY, .mark = HCBR_I_MARK_POINT};
        column.said = key->repeats ? HCBR_I_SAID_REPEATED
                      : key->given ? HCBR_I_SAID_GIVEN
                                   : HCBR_I_SAID_FOUND;
        column.use = (uint8_t)(key->several ? HCBR_I_USE_AS_IT_IS : choose_use(j, key));
        text += column.use == HCBR_I_USE_TEXT ? key->bytes : 0;
        st = hcbr_i_schema_add(*out, &column, err);
    }
    if (st == HCBR_OK)
        hcbr_i_schema_set_listed(*out, j->cases->listed);
    if (st == HCBR_OK)
        hcbr_i_schema_set_ngrams(*out, j->cases->ngrams     ? j->cases->ngrams
                                       : text <= PAIRS_MOST ? 2
                                                            : 1);
    return st;
}

/* Whether a column of numbers has fractions, but none that shows its decimal mark. */
static bool may_doubt(const hcbr_i_judge *j) {
    for (uint32_t k = 0; k < j->key_count; k++)
        if (!j->keys[k].left && j->numbers[k].broken && !j->numbers[k].pointed)
            return true;
    return false;
}

/* Whether there is nothing to report: too few rows, or no doubts. */
static bool is_silent(const hcbr_i_judge *j, bool wishes, bool doubts) {
    return (!wishes && j->rows < FEWEST) || (doubts && !may_doubt(j));
}

/* The columns of a list with separate numbers; `wishes`: options name some; `doubts`: only report
 * other possible kinds. */
static hcbr_status judge(hcbr_i_schema **out, const hcbr_cases *cases, bool wishes, bool doubts,
                         hcbr_error *err) {
    hcbr_i_judge j;
    hcbr_status st = hcbr_i_judge_init(&j, cases) ? HCBR_OK : hcbr_i_no_memory(err);
    j.err = err;
    if (st == HCBR_OK)
        st = hcbr_i_judge_look(&j);
    if (st == HCBR_OK) {
        sort_keys(&j);
        for (uint32_t k = 0; k < j.key_count; k++) {
            const hcbr_i_text name = hcbr_i_dict_key(cases->dict, k);
            const hcbr_i_asked *asked = hcbr_i_cases_find_asked(cases, name);
            j.keys[k].left |= (asked && asked->leave) || hcbr_i_cases_is_word(cases, name);
        }
        if (is_silent(&j, wishes, doubts)) {
            hcbr_i_judge_clear(&j);
            return HCBR_OK;
        }
        st = check_asked(&j, err);
        if (st == HCBR_OK && !judge_all(&j))
            st = j.stopped ? j.stopped : hcbr_i_no_memory(err);
        if (st == HCBR_OK && cases->strict)
            st = check_clear(&j, err);
    }
    if (st == HCBR_OK && !doubts)
        st = find_repeated(&j, err);
    if (st == HCBR_OK)
        keep_only_ids(&j);
    if (st == HCBR_OK)
        st = make_schema(out, &j, doubts, err);
    hcbr_i_judge_clear(&j);
    return st;
}

/* Whether a list with numbers as features has any. */
static bool has_numbers(const hcbr_cases *cases) {
    double value;
    uint8_t spelling;
    for (uint32_t f = 0; f < hcbr_i_dict_count(cases->dict); f++) {
        const hcbr_i_dict_feature x = hcbr_i_dict_look(cases->dict, f);
        if (x.value && hcbr_i_decimal_read(&value, &spelling, x.value, x.value_length))
            return true;
    }
    return false;
}

/* Judge a list with numbers as features as one with separate numbers: the verdict is the same for
 * both, to the last estimate. */
static hcbr_status judge_apart(hcbr_i_schema **out, const hcbr_cases *cases, bool wishes,
                               bool doubts, hcbr_error *err) {
    hcbr_cases *apart = NULL, view = *cases;
    hcbr_status st = hcbr_i_cases_set_apart(&apart, cases, err);
    if (st != HCBR_OK)
        return st;
    view.apart = true;
    view.dict = apart->dict;
    view.features = apart->features;
    view.start = apart->start;
    view.numbers = apart->numbers;
    st = judge(out, &view, wishes, doubts, err);
    hcbr_cases_free(apart);
    return st;
}

hcbr_status hcbr_i_cases_judge(hcbr_cases *cases, hcbr_error *err) {
    hcbr_i_schema *schema = NULL;
    bool wishes = false;
    for (size_t i = 0; i < cases->asked_count; i++)
        wishes |= !cases->asked[i].leave;
    const bool doubts =
        !wishes && cases->strict; // values stay unchanged: only report what they may be
    if (!cases->tabled || cases->untabled || (!wishes && cases->case_count < FEWEST) ||
        (doubts && cases->numbers.start == NULL))
        return HCBR_OK;
    const bool spelled = !cases->apart && has_numbers(cases);
    hcbr_status st = spelled ? judge_apart(&schema, cases, wishes, doubts, err)
                             : judge(&schema, cases, wishes, doubts, err);
    if (st != HCBR_OK)
        hcbr_i_schema_release(schema);
    else if (doubts)
        cases->doubts = schema;
    else
        cases->schema = schema;
    return st;
}
