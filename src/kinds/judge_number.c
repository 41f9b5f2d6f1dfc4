/*
 * Columns of numbers and of dates: which mark is the decimal one, which unit the values share, and
 * whether the day or the month comes first. The choice that fits most values wins.
 *
 * Invariant: the counts alone decide, and a tie is broken in a fixed way and reported
 * (`ambiguous`).
 */
#include "kinds/kinds.h"

enum {
    FEWEST_NUMBERS = 3, /* different ones, if there are odd values */
    CODES_MOST = 100,   /* one in this many may have a leading zero */
    GROUPED_LEAST = 10, /* different values before 1.234 is read as 1234 */
    COMPACT_LEAST = 3,  /* values like 20190314 */
    VARIED = 3          /* different numbers in one place, against a single one in the other */
};

bool hcbr_i_few_odd(uint64_t odd, size_t different, uint64_t values) {
    return odd <= values / HCBR_I_ODD_MOST ||
           (different <= HCBR_I_ODD_FEW && odd <= values / HCBR_I_ODD_FEW_MOST);
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The number of values that a reading accepts, plain numbers included. */
static uint64_t count_fits(const hcbr_i_tally *c, unsigned mark) {
    return c->fits[mark] + c->plain - (mark == HCBR_I_MARK_COMMA ? c->pointed : 0);
}

/*
 * Points or commas with three digits after them everywhere, and nothing that shows whether they
 * group thousands. `1,234` is grouped unless the column has longer numbers without a comma. `1.234`
 * is a decimal, unless the column has numbers below 1000 without a point and none above, as
 * grouping would give.
 */
static unsigned pick_unsure(hcbr_i_kind *out, const hcbr_i_tally *c) {
    uint64_t commas = c->grouped[HCBR_I_MARK_POINT],
             points = c->grouped[HCBR_I_MARK_COMMA] + c->threes;
    uint64_t others = c->by_blank + c->by_quote + c->by_line; /* group in both readings */
    commas -= others < commas ? others : commas;
    points -= others < points ? others : points;
    bool like_groups = c->below > 0 && c->above == 0;
    if (points > 0 && commas == 0) {
        out->ambiguous = c->above == 0;
        return like_groups && out->distinct >= GROUPED_LEAST ? HCBR_I_MARK_COMMA
                                                             : HCBR_I_MARK_POINT;
    }
    if (commas > 0) {
        out->ambiguous = !like_groups || points > 0;
        return points == 0 && c->above > 0 ? HCBR_I_MARK_COMMA : HCBR_I_MARK_POINT;
    }
    return HCBR_I_MARK_POINT;
}

static unsigned pick_mark(hcbr_i_kind *out, const hcbr_i_tally *c) {
    uint64_t point = c->sure[HCBR_I_MARK_POINT] + c->pointed, comma = c->sure[HCBR_I_MARK_COMMA];
    if (point == 0 && comma == 0)
        return pick_unsure(out, c);
    return point >= comma ? HCBR_I_MARK_POINT : HCBR_I_MARK_COMMA;
}

/* The unit of the most values, ties by smaller hash; returns how many values have another one. */
static uint64_t pick_unit(hcbr_i_kind *out, const hcbr_i_tally *c, unsigned mark) {
    const hcbr_i_sampled *best = NULL;
    for (size_t i = 0; i < c->units[mark].count; i++) {
        const hcbr_i_sampled *one = hcbr_i_sample_get(&c->units[mark], i);
        if (best == NULL || one->count > best->count)
            best = one;
    }
    if (best == NULL)
        return 0;
    bool word = hcbr_i_lower(*best->text) >= 'a' && hcbr_i_lower(*best->text) <= 'z' &&
                hcbr_i_currency_size(best->text, best->text + best->length) != best->length;
    bool million = c->scaled > 0 && best->length == 1 && *best->text == 'm';
    if (word && !million && best->count < count_fits(c, mark) / 2)
        return c->with_unit[mark]; /* `5more` among 2, 3 and 4 is not a unit */
    memcpy(out->unit.text, best->text, best->length);
    out->unit.length = (uint8_t)best->length;
    if (million) {
        out->million = true;
        out->unit.length = 0;
    }
    return c->with_unit[mark] - best->count;
}

static char pick_thousands(const hcbr_i_tally *c, unsigned mark) {
    uint64_t grouped = c->grouped[mark] + (mark == HCBR_I_MARK_COMMA ? c->threes : 0);
    if (grouped == 0)
        return 0;
    uint64_t others = c->by_blank + c->by_quote + c->by_line;
    uint64_t own = grouped > others ? grouped - others : 0;
    if (c->by_blank > own && c->by_blank >= c->by_quote && c->by_blank >= c->by_line)
        return ' ';
    if (c->by_quote > own && c->by_quote >= c->by_line)
        return '\'';
    if (c->by_line > own)
        return '_';
    return mark == HCBR_I_MARK_COMMA ? '.' : ',';
}

bool hcbr_i_judge_number(hcbr_i_kind *out, const hcbr_i_tally *c, bool given, unsigned mark) {
    hcbr_i_kind found = *out;
    uint64_t values = c->values - c->forms;
    bool fixed_width = c->shortest == c->longest;
    if (!given && c->codes > 0 && (fixed_width || c->codes > values / CODES_MOST))
        return false;
    if (mark == 0)
        mark = pick_mark(&found, c);
    uint64_t all = count_fits(c, HCBR_I_MARK_POINT) + c->sure[HCBR_I_MARK_COMMA];
    uint64_t other = all - count_fits(c, mark) + pick_unit(&found, c, mark);
    if (all <= other)
        return false;
    found.mark = (uint8_t)mark;
    found.thousands = pick_thousands(c, mark);
    found.odd = values - (all - other);
    size_t different = other > 0 ? HCBR_I_ODD_FEW + 1 : c->not_numbers.count;
    if (!given && found.odd > 0 &&
        (!hcbr_i_few_odd(found.odd, different, values) ||
         out->distinct < FEWEST_NUMBERS + c->not_numbers.count))
        return false;
    if (mark == HCBR_I_MARK_COMMA)
        found.odd -= c->pointed; /* read as they are: no other reading fits */
    found.plain = c->plain == all && mark == HCBR_I_MARK_POINT;
    found.kind = HCBR_I_KIND_NUMBER;
    *out = found;
    return true;
}

/* ---- dates ----------------------------------------------------------------------------------- */

/* Whole numbers that are moments. */
static bool judge_clock(hcbr_i_kind *out, const hcbr_i_tally *c, unsigned says) {
    uint64_t values = c->values - c->forms;
    if (c->whole != values || c->largest <= c->smallest)
        return false;
    out->clock = HCBR_I_CLOCK_NONE;
    if (c->clocks[HCBR_I_CLOCK_COMPACT] == values &&
        (values >= COMPACT_LEAST || says & HCBR_I_NAME_TIME))
        out->clock = HCBR_I_CLOCK_COMPACT;
    for (unsigned clock = HCBR_I_CLOCK_SECONDS; clock < HCBR_I_CLOCKS; clock++)
        if (c->clocks[clock] == values && says & HCBR_I_NAME_TIME)
            out->clock = (hcbr_i_clock)clock;
    if (out->clock == HCBR_I_CLOCK_NONE)
        return false;
    out->has = HCBR_I_HAS_DATE | HCBR_I_HAS_DAY;
    if (out->clock != HCBR_I_CLOCK_COMPACT)
        out->has |= HCBR_I_HAS_TIME | HCBR_I_HAS_ZONE;
    out->kind = HCBR_I_KIND_DATE;
    return true;
}

/* One number alone in the first place and several in the second: dates of each month's first. */
static hcbr_i_order pick_equal(const hcbr_i_tally *c) {
    int first = __builtin_popcount(c->firsts), second = __builtin_popcount(c->seconds);
    return second == 1 && first >= VARIED ? HCBR_I_ORDER_MDY : HCBR_I_ORDER_DMY;
}

bool hcbr_i_judge_date(hcbr_i_kind *out, const hcbr_i_tally *c, unsigned says, bool given) {
    hcbr_i_kind found = *out;
    uint64_t values = c->values - c->forms;
    if (judge_clock(out, c, says))
        return true;
    uint64_t dmy = c->orders[HCBR_I_ORDER_DMY], mdy = c->orders[HCBR_I_ORDER_MDY];
    uint64_t ymd = c->orders[HCBR_I_ORDER_YMD], clear = c->orders[HCBR_I_ORDER_CLEAR];
    if (c->moments == 0)
        return false;
    found.order = dmy > mdy ? HCBR_I_ORDER_DMY : mdy > dmy ? HCBR_I_ORDER_MDY : pick_equal(c);
    found.ambiguous = dmy == mdy && dmy > clear;
    uint64_t fits = c->orders[found.order];
    if (ymd > fits) {
        found.order = HCBR_I_ORDER_YMD;
        found.ambiguous = false;
        fits = ymd;
    }
    if (fits == clear)
        found.order = HCBR_I_ORDER_CLEAR;
    found.odd = values - fits;
    size_t different = c->moments > fits ? HCBR_I_ODD_FEW + 1 : c->not_dates.count;
    if (!given && found.odd > 0 &&
        (!hcbr_i_few_odd(found.odd, different, values) ||
         out->distinct < FEWEST_NUMBERS + c->not_dates.count))
        return false;
    found.has = (uint8_t)((c->moments > c->only_times ? HCBR_I_HAS_DATE : 0) |
                          (c->with_day > 0 ? HCBR_I_HAS_DAY : 0) |
                          (c->with_time > 0 ? HCBR_I_HAS_TIME : 0) |
                          (c->with_zone > 0 ? HCBR_I_HAS_ZONE : 0));
    found.kind = HCBR_I_KIND_DATE;
    *out = found;
    return true;
}
