/*
 * The kind of a column. The rules are tried in a fixed order; the first that holds decides. They
 * use counts over all values and the sample of different ones; the column's name counts only for
 * ids, epochs and doubts.
 */
#include "kinds/kinds.h"

#include <math.h>

enum {
    LONG_LEAST = 10,     /* digits of the shortest ... */
    LONG_MOST = 12,      /* ... and of the longest number that no amount has */
    FEW_CODES = 5,       /* different whole numbers */
    LEAST_SHARED = 30,   /* different ids where several rows have one */
    LEAST_IDS = 20,      /* values before any are ids */
    LEAST_TEXTS = 30,    /* different values of a text */
    TEXT_WORDS = 2,      /* words of a text, on average */
    TEXT_DIFFERENT = 10, /* a text column has at least one different value in this many */
    SHORT_TEXTS = 10     /* different values of a text column that hardly repeats any */
};

/* The number of different values in the sample that mean missing. */
static uint64_t different_forms(const hcbr_i_tally *c, uint64_t most) {
    uint64_t count = 0;
    for (size_t i = 0; c->forms > 0 && count < most && i < c->different.count; i++) {
        const hcbr_i_sampled *x = &c->different.values[i];
        count +=
            x->length <= HCBR_I_SAMPLE_TEXT && hcbr_i_says_missing(c->listed, x->text, x->length);
    }
    return count;
}

/* All values are the same. */
static bool judge_constant(hcbr_i_kind *out, const hcbr_i_tally *c) {
    bool one = c->different.count == 1 || (c->whole == c->values && c->plain == c->values &&
                                           c->smallest == c->largest && out->distinct == 1);
    if (!one || c->values < 2 || c->missing > 0 || c->forms > 0)
        return false;
    out->kind = HCBR_I_KIND_CONSTANT;
    out->numbers = c->plain == c->values;
    return true;
}

static bool judge_flag(hcbr_i_kind *out, const hcbr_i_tally *c) {
    uint64_t values = c->values - c->forms;
    bool marks = c->missing > 0 && c->forms == 0; /* Y where it holds, empty where not */
    for (unsigned pair = 0; pair < HCBR_I_FLAGS_COUNT; pair++)
        if (((c->flags[pair][0] > 0 && c->flags[pair][1] > 0) || marks) &&
            c->flags[pair][0] + c->flags[pair][1] == values) {
            out->kind = HCBR_I_KIND_FLAG;
            out->flags = (hcbr_i_flags)pair;
            return true;
        }
    return false;
}

/* Numbers other than measurements: row numbers, ids by name; or that may be categories. */
static void look_at_numbers(hcbr_i_kind *out, const hcbr_i_tally *c, unsigned says) {
    uint64_t values = c->values - c->forms;
    if (c->whole != values || values == 0)
        return;
    uint64_t range =
        c->largest < c->smallest ? 0 : (uint64_t)c->largest - (uint64_t)c->smallest + 1;
    bool unique = out->distinct >= values - values / 10 && values >= LEAST_IDS;
    if (unique && out->distinct >= values - values / 100 &&
        hcbr_i_count_rows((double)c->smallest, (double)c->largest, values))
        out->look = HCBR_I_LOOK_ROW;
    else if ((unique && says & HCBR_I_NAME_KEY) ||
             (says & HCBR_I_NAME_ID && out->distinct >= LEAST_SHARED))
        out->look = HCBR_I_LOOK_NAMED;
    else if (unique && c->shortest >= LONG_LEAST && c->longest >= LONG_MOST)
        out->look = HCBR_I_LOOK_LONG;
    if (out->look != HCBR_I_LOOK_NONE) {
        out->kind = HCBR_I_KIND_ID;
        out->numbers = true;
        out->aside = hcbr_i_judge_aside(out, c, says);
        return;
    }
    /* named as codes, or a few with gaps between them */
    out->doubtful = out->distinct > 2 &&
                    (says & HCBR_I_NAME_CODE ||
                     (out->distinct <= FEW_CODES && range > out->distinct && values >= LEAST_IDS));
}

/* Addresses of the net, UUIDs and hashes are known by their form. */
static bool judge_address(hcbr_i_kind *out, const hcbr_i_tally *c) {
    uint64_t values = c->values - c->forms, most = values - values / 10;
    out->look = c->mails >= most   ? HCBR_I_LOOK_MAIL
                : c->urls >= most  ? HCBR_I_LOOK_URL
                : c->uuids >= most ? HCBR_I_LOOK_UUID
                : out->distinct >= LEAST_SHARED && out->distinct * LEAST_SHARED >= values &&
                        hcbr_i_are_hashes(c)
                    ? HCBR_I_LOOK_HASH
                    : HCBR_I_LOOK_NONE;
    if (out->look == HCBR_I_LOOK_NONE)
        return false;
    out->kind = HCBR_I_KIND_ID;
    return true;
}

/* Other ids are known by occurring once, or by their name. */
static bool judge_look(hcbr_i_kind *out, const hcbr_i_tally *c, unsigned says) {
    uint64_t values = c->values - c->forms;
    bool unique = values >= LEAST_IDS && out->distinct >= values - values / 20;
    const bool named = unique && says & HCBR_I_NAME_ID; /* names of cases have many words, too */
    if (c->words >= c->values * TEXT_WORDS && !named)
        return false;
    if (unique && c->with_signs + c->plain >= values / 2 && c->words <= c->values + values / 5)
        out->look = HCBR_I_LOOK_TOKEN;
    else if ((unique && says & HCBR_I_NAME_KEY) ||
             (says & HCBR_I_NAME_ID && out->distinct >= LEAST_SHARED))
        out->look = HCBR_I_LOOK_NAMED;
    else if (out->distinct >= values && values >= LEAST_TEXTS)
        out->look = HCBR_I_LOOK_UNIQUE;
    else
        return false;
    out->kind = HCBR_I_KIND_ID;
    return true;
}

static bool judge_text(hcbr_i_kind *out, const hcbr_i_tally *c) {
    const bool many = out->distinct >= LEAST_TEXTS && out->distinct >= c->values / TEXT_DIFFERENT;
    const bool nearly_all = out->distinct >= SHORT_TEXTS && out->distinct * 10 >= c->values * 9;
    if (c->words < c->values * TEXT_WORDS || !(many || nearly_all))
        return false;
    out->kind = HCBR_I_KIND_TEXT;
    return true;
}

void hcbr_i_tally_judge(hcbr_i_kind *out, const hcbr_i_tally *c, const char *name,
                        size_t name_length, uint64_t distinct) {
    unsigned says = name ? hcbr_i_name_says(name, name_length) : 0;
    memset(out, 0, sizeof *out);
    out->values = c->values;
    out->forms = c->forms;
    out->distinct = distinct ? distinct : hcbr_i_sample_distinct(&c->different, c->values);
    const uint64_t forms = different_forms(c, out->distinct);
    out->distinct -= forms;
    out->mark = HCBR_I_MARK_POINT;
    if (c->values == c->forms || judge_constant(out, c) || judge_flag(out, c))
        return;
    if (hcbr_i_judge_date(out, c, says, false))
        return;
    if (hcbr_i_judge_number(out, c, false, 0)) {
        if (out->odd == 0 && out->plain)
            look_at_numbers(out, c, says);
        return;
    }
    if (judge_address(out, c) || hcbr_i_judge_set(out, c) || judge_look(out, c, says)) {
        out->aside = hcbr_i_judge_aside(out, c, says);
        return;
    }
    out->distinct += forms; /* values like any other from now on */
    if (judge_text(out, c))
        return;
    out->kind = HCBR_I_KIND_CATEGORY;
    out->plain = c->plain * 2 >= c->values && out->distinct >= LEAST_IDS;
    out->doubtful = c->codes > 0 || out->plain;
}

void hcbr_i_tally_judge_as(hcbr_i_kind *out, const hcbr_i_tally *c, const char *name,
                           size_t name_length, uint64_t distinct, const hcbr_i_kind_wish *wish) {
    hcbr_i_tally_judge(out, c, name, name_length, distinct);
    if (out->kind == wish->kind && wish->kind != HCBR_I_KIND_SET && !wish->mark)
        return;
    hcbr_i_kind given = {.values = out->values,
                         .forms = out->forms,
                         .distinct = out->distinct,
                         .mark = HCBR_I_MARK_POINT};
    *out = given;
    bool found = wish->kind == HCBR_I_KIND_NUMBER ? hcbr_i_judge_number(out, c, true, wish->mark)
                 : wish->kind == HCBR_I_KIND_DATE
                     ? hcbr_i_judge_date(out, c, HCBR_I_NAME_TIME, true)
                     : false;
    if (found)
        return;
    out->kind = wish->kind;
    if (wish->kind == HCBR_I_KIND_NUMBER || wish->kind == HCBR_I_KIND_DATE)
        out->odd = out->values - out->forms;
    if (wish->kind == HCBR_I_KIND_SET) {
        out->separator = wish->separator;
        out->trimmed = wish->trimmed;
    }
    for (unsigned pair = 0; wish->kind == HCBR_I_KIND_FLAG && pair < HCBR_I_FLAGS_COUNT; pair++)
        if (c->flags[pair][0] + c->flags[pair][1] >
            c->flags[out->flags][0] + c->flags[out->flags][1])
            out->flags = (hcbr_i_flags)pair;
}

void hcbr_i_kind_set_order(hcbr_i_kind *kind, hcbr_i_order order) {
    if (kind->kind != HCBR_I_KIND_DATE || !kind->ambiguous || order == HCBR_I_ORDER_CLEAR)
        return;
    kind->order = order;
    kind->ambiguous = false;
}

/* ---- reading by the verdict ------------------------------------------------------------------ */

static hcbr_i_taken take_plain(hcbr_i_reading *out, const char *text, size_t length) {
    out->length = length <= HCBR_I_NUMERAL_TEXT ? length : 0;
    memcpy(out->number, text, out->length);
    return HCBR_I_TAKEN_NUMBER;
}

static hcbr_i_taken take_number(hcbr_i_reading *out, const hcbr_i_kind *kind, const char *text,
                                size_t length) {
    hcbr_i_numeral n;
    double value;
    uint8_t spelling;
    bool plain = hcbr_i_decimal_read(&value, &spelling, text, length);
    if (plain && (kind->mark == HCBR_I_MARK_POINT || memchr(text, '.', length) == NULL))
        return take_plain(out, text, length);
    unsigned marks = hcbr_i_numeral_read(&n, text, length);
    if (plain && !(marks & kind->mark)) // its point can only be the decimal mark
        return take_plain(out, text, length);
    bool fits =
        marks & kind->mark && (n.unit.length == 0 || hcbr_i_unit_equal(&n.unit, &kind->unit) ||
                               (n.may_be_million && kind->million));
    if (!fits)
        return hcbr_i_is_missing_form(text, length) ? HCBR_I_TAKEN_MISSING : HCBR_I_TAKEN_ODD;
    out->length = hcbr_i_numeral_write(out->number, &n, kind->mark, kind->million);
    return HCBR_I_TAKEN_NUMBER;
}

static hcbr_i_taken take_moment(hcbr_i_reading *out, const hcbr_i_kind *kind, const char *text,
                                size_t length) {
    bool fits = kind->clock && hcbr_i_clock_read(&out->moment, kind->clock, text, length);
    // Whole numbers that are moments: new data and displays may write the date out.
    if (!fits && hcbr_i_moment_read(&out->moment, kind->order, text, length))
        fits = !kind->clock || out->moment.has & HCBR_I_HAS_DAY;
    if (fits)
        return HCBR_I_TAKEN_MOMENT;
    return hcbr_i_is_missing_form(text, length) ? HCBR_I_TAKEN_MISSING : HCBR_I_TAKEN_ODD;
}

hcbr_i_taken hcbr_i_kind_take(hcbr_i_reading *out, const hcbr_i_kind *kind, const char *text,
                              size_t length) {
    out->length = 0;
    out->yes = false;
    if (kind->kind == HCBR_I_KIND_NUMBER || kind->numbers)
        return take_number(out, kind, text, length);
    if (kind->kind == HCBR_I_KIND_DATE)
        return take_moment(out, kind, text, length);
    if (kind->kind != HCBR_I_KIND_FLAG)
        return HCBR_I_TAKEN_AS_IT_IS;
    if (hcbr_i_flag_read(&out->yes, kind->flags, text, length))
        return HCBR_I_TAKEN_FLAG;
    return hcbr_i_is_missing_form(text, length) ? HCBR_I_TAKEN_MISSING : HCBR_I_TAKEN_ODD;
}

bool hcbr_i_kind_number(double *out, const char *text, size_t length) {
    static const hcbr_i_kind KIND = {.kind = HCBR_I_KIND_NUMBER, .mark = HCBR_I_MARK_POINT};
    hcbr_i_reading read;
    if (hcbr_number_parse(out, text, length) && isfinite(*out))
        return true;
    return hcbr_i_kind_take(&read, &KIND, text, length) == HCBR_I_TAKEN_NUMBER && read.length > 0 &&
           hcbr_number_parse(out, read.number, read.length) && isfinite(*out);
}
