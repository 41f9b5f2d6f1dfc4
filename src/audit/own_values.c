/*
 * Keys with a different value in nearly every case: whether the values are measurements, dates,
 * texts or ids. And keys of numbers whose order alone gives the labels away.
 *
 * Measurements are numbers with a fraction, or whole numbers that neither fill a range, as row
 * numbers do, nor all have as many digits, as codes do. Texts have words. Only the rest are ids.
 */
#include "audit/audit.h"

#include <stdlib.h>

#define FILLED                                                                                     \
    4 /* whole numbers are row numbers if their range is below FILLED times their count */
#define CODE_DIGITS 4  /* whole numbers of one length are codes from this many digits on */
#define ORDER_CASES 50 /* fewer cases may be in order by chance */
#define ORDER_LABEL 10 /* the same for each label */

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (unsigned char)c >= 0x80;
}

/* Whether there are two words: parts between blanks that begin with a letter. */
static bool is_text(const char *text, size_t length) {
    size_t words = 0;
    for (size_t i = 0; i < length; i++)
        words += is_letter(text[i]) && (i == 0 || text[i - 1] == ' ');
    return words >= 2;
}

/* Three groups of digits with a dash, slash or point between them, one of four digits first or
 * last; or hours and minutes. The rest is ignored. */
static bool is_date(const char *text, size_t length) {
    size_t group[3] = {0}, n = 0;
    char between = 0;
    for (size_t i = 0; i < length && n < 3; i++) {
        if (is_digit(text[i])) {
            group[n]++;
            continue;
        }
        if ((text[i] != '-' && text[i] != '/' && text[i] != '.' && text[i] != ':') ||
            (between && text[i] != between))
            break;
        between = text[i];
        n++;
    }
    if (between == ':')
        return group[0] > 0 && group[0] <= 2 && group[1] == 2;
    return n >= 2 && group[0] > 0 && group[1] > 0 && group[1] <= 2 &&
           ((group[0] == 4 && group[2] > 0 && group[2] <= 2) ||
            (group[0] <= 2 && (group[2] == 4 || group[2] == 2)));
}

void hcbr_i_own_add(hcbr_i_own_values *own, const char *value, size_t length) {
    double number;
    if (!value)
        return;
    own->count++;
    if (!hcbr_number_parse(&number, value, length)) {
        own->texts += is_text(value, length);
        own->dates += is_date(value, length);
        return;
    }
    own->low = own->numbers == 0 || number < own->low ? number : own->low;
    own->high = own->numbers == 0 || number > own->high ? number : own->high;
    own->numbers++;
    size_t digits = 0;
    while (digits < length && is_digit(value[digits]))
        digits++;
    if (own->digits == 0)
        own->digits = length;
    own->codes += digits == length && length == own->digits;
    if (number > -1e15 && number < 1e15)
        own->fractions += (double)(int64_t)number != number;
    else
        own->fractions++;
}

bool hcbr_i_own_has_near(const char *value, size_t length) {
    double number;
    return value && (hcbr_number_parse(&number, value, length) || is_text(value, length) ||
                     is_date(value, length));
}

hcbr_i_own_kind hcbr_i_own_kind_of(const hcbr_i_own_values *own) {
    const double all = (double)own->count;
    if ((double)own->texts >= all / 2)
        return HCBR_I_OWN_TEXT;
    if ((double)own->dates >= 0.9 * all)
        return HCBR_I_OWN_MEASURED;
    if ((double)own->numbers < 0.9 * all)
        return HCBR_I_OWN_ID;
    if (own->fractions > 0)
        return HCBR_I_OWN_MEASURED;
    if (own->high - own->low < FILLED * all)
        return HCBR_I_OWN_ID;
    return own->codes == own->numbers && own->digits >= CODE_DIGITS ? HCBR_I_OWN_ID
                                                                    : HCBR_I_OWN_MEASURED;
}

/* ---- numbers whose order reveals labels ------------------------------------------------------ */

typedef struct placed {
    double value;
    uint32_t label;
} placed;

static int compare(const void *pa, const void *pb) {
    return hcbr_i_order_double(((const placed *)pa)->value, ((const placed *)pb)->value);
}

/* Whether the sorted numbers of each label are next to each other, and none is shared. counts: by
 * label, room for the number of cases; all are 0. */
static bool is_in_order(const placed *list, size_t count, uint32_t labels, uint64_t *counts) {
    uint32_t runs = 0;
    for (size_t i = 0; i < count; i++) {
        bool begins = i == 0 || list[i].label != list[i - 1].label;
        if (begins && i > 0 && list[i].value == list[i - 1].value)
            return false;
        runs += begins;
        counts[list[i].label]++;
    }
    for (uint32_t l = 0; l < labels; l++)
        if (counts[l] < ORDER_LABEL)
            return false;
    return labels > 1 && runs == labels;
}

/* The numbers of the key's cases with their labels; false: some values are not numbers, or a case
 * has several. */
static bool take_numbers(const hcbr_i_own_cases *own, hcbr_i_feature_id first, placed *list,
                         size_t *count) {
    const struct hcbr_cases *cases = own->cases;
    *count = 0;
    for (hcbr_i_feature_id f = first; f != HCBR_I_NONE; f = own->link[f]) {
        hcbr_feature x;
        double value;
        hcbr_cases_get_feature(cases, f, &x);
        if (!x.value || !hcbr_number_parse(&value, x.value, x.value_length))
            return false;
        for (uint64_t k = own->start[f]; k < own->start[f + 1]; k++) {
            if (*count == cases->case_count)
                return false;
            list[(*count)++] = (placed){value, cases->label[own->by_feature[k]]};
        }
    }
    return true;
}

hcbr_status hcbr_i_own_in_order(const hcbr_i_own_cases *own, hcbr_i_feature_id first, bool *out,
                                hcbr_error *err) {
    const uint32_t labels = own->cases->labels.count, cases = own->cases->case_count;
    placed *list = hcbr_i_alloc(cases, sizeof *list);
    uint64_t *counts = hcbr_i_alloc_zero(labels, sizeof *counts);
    size_t n = 0;
    hcbr_status st = list && counts ? HCBR_OK : hcbr_i_no_memory(err);
    *out = false;
    if (st == HCBR_OK && take_numbers(own, first, list, &n) && n >= ORDER_CASES &&
        10 * (uint64_t)n >= 9 * (uint64_t)cases) {
        qsort(list, n, sizeof *list, compare);
        *out = is_in_order(list, n, labels, counts);
    }
    hcbr_i_free(list);
    hcbr_i_free(counts);
    return st;
}
