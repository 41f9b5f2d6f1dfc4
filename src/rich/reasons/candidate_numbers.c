/*
 * Possible numbers of a case, one for every interval between two cuts, since the model treats all
 * of an interval alike: the value of a past case nearest to the present value, or the smallest; if
 * no cases are kept, the nearest with few decimals. And the numbers of a past case.
 */
#include "rich/encode/kept_cases.h"
#include "rich/reasons/rich_reasons.h"

#include <math.h>

uint32_t hcbr_i_reasons_code(const hcbr_i_account *x, const hcbr_i_case_item *item) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(x)->rich->encoder;
    if (item->id != HCBR_I_NONE)
        return e->code[item->id];
    if (!item->known)
        return HCBR_I_NONE;
    const hcbr_i_rich_key *key = &e->keys[item->key];
    return hcbr_i_rich_code(e->cuts + key->cut_start, key->cut_count, item->number);
}

bool hcbr_i_reasons_row_add(const hcbr_i_rich_encoder *e, const hcbr_i_case_item *item,
                            hcbr_i_rich_row *row) {
    if (item->id != HCBR_I_NONE)
        return hcbr_i_rich_row_add(e, item->id, row);
    return !item->known || hcbr_i_rich_row_add_number(e, item->key, item->number, row);
}

bool hcbr_i_reasons_row_set(const hcbr_i_rich_encoder *e, const hcbr_i_case *x,
                            hcbr_i_rich_row *row) {
    bool ok = true;
    hcbr_i_rich_row_begin(e, row);
    for (size_t i = 0; ok && i < x->count; i++)
        if (x->items[i].known)
            ok = hcbr_i_reasons_row_add(e, &x->items[i], row);
    hcbr_i_rich_row_end(row);
    return ok;
}

/* ---- a value for every interval -------------------------------------------------------------- */

/* Keep a value if it is nearer than the best one; without a present value, if it is smaller. */
static void offer(double *best, double value, double now) {
    double a = isnan(now) ? value : fabs(value - now), b = isnan(now) ? *best : fabs(*best - now);
    if (isnan(*best) || a < b)
        *best = value;
}

/* The replacements of a number. */
typedef struct wanted {
    double now; /* NAN: none */
    double low, high;
} wanted;

static void offer_past(const hcbr_i_rich *rich, const wanted *by_key, double *out) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    const hcbr_i_rich_past *p = rich->past;
    size_t dense = 0;
    for (uint32_t c = 0; c < e->column_count; c++) {
        hcbr_i_key_id k = e->columns[c].key;
        const hcbr_i_rich_key *key = &e->keys[k];
        const wanted *w = &by_key[k];
        if (!e->columns[c].ordered)
            continue;
        const hcbr_i_rich_packed *column = &p->columns[dense++];
        for (uint32_t i = 0; i < p->count; i++) {
            double value = hcbr_i_rich_unpack(column, p->bytes + column->at, i);
            if (!(value >= w->low && value <= w->high)) // NAN: the case has none
                continue;
            uint32_t code = hcbr_i_rich_code(e->cuts + key->cut_start, key->cut_count, value);
            offer(&out[key->count_start - e->feature_count + code - 1], value, w->now);
        }
    }
    for (size_t n = 0; n < p->sparse_count; n++) {
        const hcbr_i_rich_key *key = &e->keys[p->sparse_key[n]];
        const wanted *w = &by_key[p->sparse_key[n]];
        double value = p->sparse_value[n];
        if (!(value >= w->low && value <= w->high))
            continue;
        uint32_t code = hcbr_i_rich_code(e->cuts + key->cut_start, key->cut_count, value);
        offer(&out[key->count_start - e->feature_count + code - 1], value, w->now);
    }
}

double hcbr_i_reasons_round(double low, double high, bool upper) {
    double unit = 1;
    for (int decimals = 0; decimals <= 17; decimals++) {
        double value = (upper ? floor(high * unit) : floor(low * unit) + 1) / unit;
        if (value > low && value <= high)
            return value == 0 ? 0 : value; // never -0
        unit *= 10;
    }
    double next = nextafter(low, INFINITY);
    return upper || next > high ? high : next;
}

/* A value of an interval from the cuts alone: the nearest with few decimals. NAN: none is
 * allowed. */
static double by_cuts(const hcbr_i_rich_encoder *e, const hcbr_i_rich_key *key, uint32_t code,
                      const wanted *w) {
    const double *cuts = e->cuts + key->cut_start;
    uint32_t n = key->cut_count;
    double few = hcbr_i_rich_few_value(e, key, code);
    if (!isnan(few) || n == 0) {
        few = isnan(few) ? 0 : few;
        return few >= w->low && few <= w->high ? few : NAN;
    }
    double step = n > 1 ? cuts[n - 1] - cuts[n - 2] : fabs(cuts[0]) > 1 ? fabs(cuts[0]) : 1;
    double low = code > 1 ? cuts[code - 2] : cuts[0] - step; // not of the interval
    double high = code <= n ? cuts[code - 1] : cuts[n - 1] + step;
    if (!isfinite(high) || !(high > cuts[n - 1] || code <= n))
        high = nextafter(cuts[n - 1], INFINITY);
    if (!isfinite(low) || !(low < high))
        low = nextafter(high, -INFINITY);
    if (high < w->low && code > n && isfinite(w->low)) // beyond all cuts every value is alike
        high = w->low;
    if (low > w->high && code == 1 && isfinite(w->high))
        low = nextafter(w->high, -INFINITY);
    low = nextafter(w->low, -INFINITY) > low ? nextafter(w->low, -INFINITY) : low;
    high = w->high < high ? w->high : high;
    return low < high ? hcbr_i_reasons_round(low, high, !isnan(w->now) && w->now > high) : NAN;
}

static void find_values(const hcbr_i_rich *rich, const wanted *by_key, double *out) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    for (uint32_t v = 0; v < rich->counts.values - e->feature_count; v++)
        out[v] = NAN;
    if (rich->past)
        offer_past(rich, by_key, out);
    for (uint32_t k = 0; !rich->past && k < e->key_count; k++)
        for (uint32_t j = 0; hcbr_i_rich_is_number(&e->keys[k]) && j <= e->keys[k].cut_count; j++)
            out[e->keys[k].count_start - e->feature_count + j] =
                by_cuts(e, &e->keys[k], j + 1, &by_key[k]);
}

/* The allowed replacements of a key's number. */
static wanted wanted_of(const hcbr_i_case_item *own, const hcbr_i_span *span) {
    wanted w = {NAN, -INFINITY, INFINITY};
    if (own && own->known && own->id == HCBR_I_NONE)
        w.now = own->number;
    if (!span || !span->bounded)
        return w;
    w.low = span->low;
    w.high = span->high;
    if (span->up && !(w.now < w.low)) // without a present value, no value is larger
        w.low = isnan(w.now) ? INFINITY : nextafter(w.now, INFINITY);
    if (span->down && !(w.now > w.high))
        w.high = isnan(w.now) ? -INFINITY : nextafter(w.now, -INFINITY);
    return w;
}

/* Offer a number, which is written out. */
static bool add(hcbr_i_account *x, hcbr_i_key_id key, double value) {
    char *text = hcbr_i_account_take(x, HCBR_NUMBER_SIZE, 1);
    return text && hcbr_i_account_number(x, key, value,
                                         (hcbr_i_text){text, hcbr_number_format(text, value)});
}

hcbr_status hcbr_i_reasons_numbers(hcbr_i_account *x, const hcbr_i_case_item *const *own,
                                   const hcbr_i_span *spans, hcbr_error *err) {
    const hcbr_i_rich *rich = hcbr_i_reasons_of(x)->rich;
    const hcbr_i_rich_encoder *e = &rich->encoder;
    wanted *by_key = hcbr_i_account_take(x, e->key_count, sizeof *by_key);
    double *values = hcbr_i_account_take(x, rich->counts.values - e->feature_count, sizeof *values);
    if (!by_key || !values)
        return hcbr_i_no_memory(err);
    for (uint32_t k = 0; k < e->key_count; k++)
        by_key[k] = wanted_of(own[k], spans ? &spans[k] : NULL);
    find_values(rich, by_key, values);
    for (uint32_t k = 0; k < e->key_count; k++) {
        const hcbr_i_rich_key *key = &e->keys[k];
        if (!hcbr_i_rich_is_number(key))
            continue;
        const double *cuts = e->cuts + key->cut_start;
        double now = by_key[k].now;
        uint32_t present = isnan(now) ? 0 : hcbr_i_rich_code(cuts, key->cut_count, now);
        for (uint32_t j = 0; j <= key->cut_count; j++) {
            double value = values[key->count_start - e->feature_count + j];
            if (!isnan(value) && j + 1 != present && !add(x, k, value))
                return hcbr_i_no_memory(err);
        }
    }
    return HCBR_OK;
}

uint64_t hcbr_i_reasons_number_cases(const hcbr_i_account *x, uint32_t number) {
    const hcbr_i_rich *rich = hcbr_i_reasons_of(x)->rich;
    const hcbr_i_case_item *item = &x->numbers[number];
    uint32_t code = hcbr_i_reasons_code(x, item);
    return hcbr_i_rich_count_all(&rich->counts,
                                 rich->encoder.keys[item->key].count_start + code - 1);
}

uint32_t hcbr_i_reasons_number_count(const void *state, hcbr_i_key_id key) {
    const hcbr_i_rich_key *k = &((const hcbr_i_rich *)state)->encoder.keys[key];
    return hcbr_i_rich_is_number(k) ? k->value_count : 0;
}

/* ---- a past case ----------------------------------------------------------------------------- */

hcbr_status hcbr_i_reasons_past_numbers(hcbr_i_account *x, uint64_t i, hcbr_i_case_item **out,
                                        size_t *count, hcbr_error *err) {
    const hcbr_i_rich *rich = hcbr_i_reasons_of(x)->rich;
    hcbr_i_rich_past_case past = {0};
    *count = 0;
    bool ok = rich->past && hcbr_i_rich_past_get(rich->past, &rich->encoder, (uint32_t)i, &past);
    ok = ok && (*out = hcbr_i_account_take(x, past.number_count, sizeof **out));
    char *rooms = ok ? hcbr_i_account_take(x, past.number_count, HCBR_NUMBER_SIZE) : NULL;
    ok = ok && rooms;
    for (size_t n = 0; ok && n < past.number_count; n++) {
        const struct hcbr_i_rich_past_number *number = &past.numbers[n];
        hcbr_i_text key = hcbr_i_dict_key(rich->encoder.dict, number->key), text = number->text;
        char *room = rooms + n * HCBR_NUMBER_SIZE;
        if (!text.at)
            text = (hcbr_i_text){room, hcbr_number_format(room, number->value)};
        (*out)[(*count)++] = (hcbr_i_case_item){{key.at, key.length, text.at, text.length},
                                                HCBR_I_NONE,
                                                number->key,
                                                true,
                                                number->value};
    }
    hcbr_i_rich_past_case_clear(&past);
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}
