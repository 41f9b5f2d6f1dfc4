/*
 * The rich model as an engine.
 */
#include "rich/reasons/rich_reasons.h"

#include <float.h>
#include <math.h>

/* ---- known features -------------------------------------------------------------------------- */

/* Numbers of keys other than number columns may have other spellings. */
static hcbr_i_feature_id find(const void *state, const hcbr_feature *f) {
    const hcbr_i_rich_encoder *e = &((const hcbr_i_rich *)state)->encoder;
    return e->has_spellings ? hcbr_i_rich_find(e, f) : HCBR_I_NONE;
}

/* ---- the file -------------------------------------------------------------------------------- */

static void state_free(void *state) {
    hcbr_i_rich_free(state);
}

static bool has_section(const void *state, hcbr_keep keep, hcbr_i_section section) {
    return section == HCBR_I_RICH || section == HCBR_I_COUNTS ||
           (section == HCBR_I_REASONS && hcbr_i_rich_has_reasons(state, keep));
}

static void write_section(hcbr_i_out *out, const void *state, const hcbr_i_frame *frame,
                          hcbr_i_section section) {
    if (section == HCBR_I_RICH)
        hcbr_i_rich_write(out, state);
    else if (section == HCBR_I_REASONS)
        hcbr_i_rich_kept_write(out, state, frame);
    else if (section == HCBR_I_COUNTS)
        hcbr_i_rich_counts_write(out, state);
    else if (section == HCBR_I_CASES)
        hcbr_i_rich_past_write(out, state);
}

static hcbr_status read_sections(void **state, const hcbr_i_frame *frame, hcbr_i_in *s,
                                 hcbr_error *err) {
    hcbr_i_rich *rich = NULL;
    hcbr_status st = hcbr_i_rich_read(&rich, frame, &s[HCBR_I_RICH], err);
    *state = rich;
    if (st != HCBR_OK)
        return st;
    if (!s[HCBR_I_COUNTS].at)
        return hcbr_i_model_bad(err, HCBR_I_COUNTS, "absent, expected it in this model");
    if ((st = hcbr_i_rich_counts_read(rich, frame, &s[HCBR_I_COUNTS], err)) != HCBR_OK)
        return st;
    const bool has = hcbr_i_rich_has_reasons(rich, frame->keep);
    if (has != (s[HCBR_I_REASONS].at != NULL))
        return hcbr_i_model_bad(err, HCBR_I_REASONS, "%s in this model",
                                has ? "absent, expected it" : "present, expected none");
    if (has && (st = hcbr_i_rich_kept_read(rich, frame, &s[HCBR_I_REASONS], err)) != HCBR_OK)
        return st;
    return frame->keep == HCBR_KEEP_NONE
               ? HCBR_OK
               : hcbr_i_rich_past_read(rich, frame, &s[HCBR_I_CASES], err);
}

static void column(const void *state, uint32_t key, hcbr_column *out) {
    hcbr_i_rich_column_get(state, key, out);
}

static uint32_t cuts_below(const void *state, uint32_t key, double value) {
    const hcbr_i_rich_encoder *e = &((const hcbr_i_rich *)state)->encoder;
    return hcbr_i_rich_code(e->cuts + e->keys[key].cut_start, e->keys[key].cut_count, value);
}

static hcbr_i_feature_id find_any(const void *state, const hcbr_feature *f) {
    return hcbr_i_rich_find(&((const hcbr_i_rich *)state)->encoder, f);
}

/* ---- scores ---------------------------------------------------------------------------------- */

typedef struct rich_scoring {
    const hcbr_i_rich *rich;
    hcbr_i_rich_scorer *scorer;
    double *support;         /* by label */
    uint32_t *serial;        /* by feature: last case that had it */
    uint32_t at;             /* number of the current case */
    uint32_t *number_serial; /* by key: last case with a number of it, ... */
    double *number;          /* ... and the first that is exact as a double */
    hcbr_i_name *others;     /* of the other numbers of the case: key and value, hashed */
    size_t other_count, other_capacity;
    hcbr_i_hash_table other_table;
    char *text; /* of the current number */
    size_t text_capacity;
    bool tells;           /* values() will be called for the next case */
    uint64_t identity[2]; /* of the numbers of the case */
    uint64_t *identities; /* of the cases that are held, two of each */
    size_t identity_capacity;
    uint32_t held;
    uint32_t feature_count;
} rich_scoring;

static void scorer_free(void *scorer) {
    rich_scoring *d = scorer;
    if (!d)
        return;
    hcbr_i_rich_scorer_free(d->scorer);
    hcbr_i_free(d->support);
    hcbr_i_free(d->serial);
    hcbr_i_free(d->number_serial);
    hcbr_i_free(d->number);
    hcbr_i_free(d->others);
    hcbr_i_hash_table_clear(&d->other_table);
    hcbr_i_free(d->text);
    hcbr_i_free(d->identities);
    hcbr_i_free(d);
}

static hcbr_status scorer_create(void **out, const void *state, const hcbr_i_frame *frame,
                                 hcbr_error *err) {
    rich_scoring *d = *out = hcbr_i_alloc_zero(1, sizeof *d);
    if (!d)
        return hcbr_i_no_memory(err);
    d->rich = state;
    d->feature_count = frame->feature_count;
    hcbr_status st = hcbr_i_rich_scorer_create(&d->scorer, d->rich, err);
    d->support = hcbr_i_alloc_zero(frame->label_count, sizeof *d->support);
    d->serial = hcbr_i_alloc_zero(frame->feature_count, sizeof *d->serial);
    d->number_serial = hcbr_i_alloc_zero(d->rich->encoder.key_count, sizeof *d->number_serial);
    d->number = hcbr_i_alloc_zero(d->rich->encoder.key_count, sizeof *d->number);
    if (st == HCBR_OK && (!d->support || !d->serial || !d->number_serial || !d->number))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        scorer_free(d);
        *out = NULL;
    }
    return st;
}

static double *support_of(void *scorer) {
    return ((rich_scoring *)scorer)->support;
}

static hcbr_status gather(void *scorer, const hcbr_i_feature_id *ids, size_t count, size_t *known,
                          hcbr_error *err) {
    rich_scoring *d = scorer;
    const hcbr_i_rich_encoder *encoder = &d->rich->encoder;
    hcbr_i_rich_row *row = hcbr_i_rich_scorer_row(d->scorer);
    if (++d->at == 0) { // after 2^32 cases all marks are wiped
        memset(d->serial, 0, d->feature_count * sizeof *d->serial);
        memset(d->number_serial, 0, encoder->key_count * sizeof *d->number_serial);
        d->at = 1;
    }
    *known = 0;
    d->other_count = 0;
    d->identity[0] = d->identity[1] = 0;
    hcbr_i_rich_row_begin(encoder, row);
    for (size_t n = 0; n < count; n++) {
        if (ids[n] == HCBR_I_NONE || d->serial[ids[n]] == d->at)
            continue;
        d->serial[ids[n]] = d->at;
        ++*known;
        if (!hcbr_i_rich_row_add(encoder, ids[n], row))
            return hcbr_i_no_memory(err);
    }
    return HCBR_OK;
}

/* The canonical text of a number with more digits than its double, else absent. False: no
 * memory. */
static bool find_wide(rich_scoring *d, double value, hcbr_i_text given, hcbr_i_text *out) {
    uint8_t spelling;
    double same;
    *out = (hcbr_i_text){NULL, 0};
    if (given.at && (given.length > HCBR_I_SPELLED_DIGITS || fabs(value) < DBL_MIN) &&
        hcbr_i_decimal_read(&same, &spelling, given.at, given.length) &&
        spelling == HCBR_I_SPELLED_WIDE) {
        if (!hcbr_i_grow(&d->text, &d->text_capacity, given.length + HCBR_NUMBER_SIZE, 1))
            return false;
        *out = (hcbr_i_text){d->text, hcbr_i_decimal_canonical(d->text, given.at, given.length)};
    }
    return true;
}

static bool has_cuts(const void *state, hcbr_i_key_id key) {
    return hcbr_i_rich_is_number(&((const hcbr_i_rich *)state)->encoder.keys[key]);
}

static bool same_name(const void *others, uint32_t n, const void *wanted) {
    const hcbr_i_name *a = (const hcbr_i_name *)others + n, *b = wanted;
    return a->lo == b->lo && a->hi == b->hi;
}

/* Whether the case has a number already; adds it. False: no memory. */
static bool meet(rich_scoring *d, hcbr_i_key_id key, double value, hcbr_i_text wide, bool *again) {
    *again = !wide.at && d->number_serial[key] == d->at && d->number[key] == value;
    if (*again)
        return true;
    if (!wide.at && d->number_serial[key] != d->at) {
        d->number_serial[key] = d->at;
        d->number[key] = value;
        return true;
    }
    if (d->other_count == 0 && !hcbr_i_hash_table_restart(&d->other_table, 1))
        return false;
    const hcbr_i_text text = wide.at ? wide : (hcbr_i_text){(const char *)&value, sizeof value};
    const hcbr_i_name x = hcbr_i_hash_text(hcbr_i_dict_hash_key(d->rich->encoder.dict),
                                           (const char *)&key, sizeof key, text.at, text.length);
    *again =
        hcbr_i_hash_table_find(&d->other_table, x.lo, same_name, d->others, &x) != HCBR_I_HASH_NONE;
    if (*again)
        return true;
    if (d->other_count >= HCBR_I_HASH_NONE ||
        !hcbr_i_grow(&d->others, &d->other_capacity, d->other_count + 1, sizeof *d->others) ||
        !hcbr_i_hash_table_add(&d->other_table, x.lo, (uint32_t)d->other_count))
        return false;
    d->others[d->other_count++] = x;
    return true;
}

static hcbr_status number(void *scorer, hcbr_i_key_id key, double value, hcbr_i_text text,
                          bool *again, hcbr_error *err) {
    rich_scoring *d = scorer;
    const hcbr_i_rich_encoder *encoder = &d->rich->encoder;
    hcbr_i_text wide;
    value = value == 0 ? 0 : value;
    if (!find_wide(d, value, text, &wide) || !meet(d, key, value, wide, again))
        return hcbr_i_no_memory(err);
    if (*again)
        return HCBR_OK;
    if (d->tells)
        hcbr_i_rich_identity_add(encoder, d->identity, key, value, wide);
    return hcbr_i_rich_row_add_number(encoder, key, value, hcbr_i_rich_scorer_row(d->scorer))
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

static void tell_values(void *scorer) {
    ((rich_scoring *)scorer)->tells = true;
}

static void values(void *scorer, uint64_t out[2]) {
    memcpy(out, ((rich_scoring *)scorer)->identity, 2 * sizeof *out);
}

static hcbr_status reserve(void *scorer, uint32_t *cases, hcbr_error *err) {
    rich_scoring *d = scorer;
    d->held = 0;
    return hcbr_i_rich_scorer_reserve(d->scorer, cases) &&
                   hcbr_i_grow(&d->identities, &d->identity_capacity, 2 * (size_t)*cases,
                               sizeof *d->identities)
               ? HCBR_OK
               : hcbr_i_no_memory(err);
}

static void hold(void *scorer) {
    rich_scoring *d = scorer;
    hcbr_i_rich_row_end(hcbr_i_rich_scorer_row(d->scorer));
    hcbr_i_rich_hold(d->scorer);
    memcpy(d->identities + 2 * (size_t)d->held++, d->identity, sizeof d->identity);
}

static void score_held(void *scorer) {
    hcbr_i_rich_score_held(((rich_scoring *)scorer)->scorer);
}

/* Supports of two labels are -s and s. */
static hcbr_i_score best_of(rich_scoring *d) {
    double *support = d->support;
    uint32_t labels = d->rich->labels, winner = 0, best = HCBR_I_NONE;
    if (labels == 2) {
        support[1] = support[0];
        support[0] = -support[1];
    }
    for (uint32_t l = 1; l < labels; l++)
        if (support[l] > support[winner])
            winner = l;
    for (uint32_t l = 0; l < labels; l++)
        if (l != winner && (best == HCBR_I_NONE || support[l] > support[best]))
            best = l;
    return (hcbr_i_score){winner, best,
                          support[winner] - (best == HCBR_I_NONE ? 0 : support[best])};
}

static hcbr_i_score held(void *scorer, uint32_t n, double *probability) {
    rich_scoring *d = scorer;
    hcbr_i_rich_get_held(d->scorer, n, d->support, probability, NULL);
    memcpy(d->identity, d->identities + 2 * (size_t)n, sizeof d->identity);
    return best_of(d);
}

static hcbr_i_score score(void *scorer, uint64_t features, double *probability) {
    rich_scoring *d = scorer;
    (void)features;
    hcbr_i_rich_row_end(hcbr_i_rich_scorer_row(d->scorer));
    hcbr_i_rich_score(d->scorer, d->support, probability, NULL);
    return best_of(d);
}

static void of_nothing(const void *state, double *probability) {
    hcbr_i_rich_of_nothing(state, probability, probability);
}

static bool can_win(const void *state, uint32_t label) {
    (void)state, (void)label; // its trees have an answer to any case
    return true;
}

static void end(hcbr_i_account *x) {
    hcbr_i_reasons_of(x)->known_count = 0;
}

const hcbr_i_engine hcbr_i_rich_engine = {
    .kind = HCBR_MODEL_RICH,
    .estimate = hcbr_i_rich_estimate,
    .number_keys = hcbr_i_rich_keys_of_numbers,
    .fit = hcbr_i_rich_fit,
    .probable = true,
    .weighs = true,
    .free = state_free,
    .has_section = has_section,
    .write = write_section,
    .read = read_sections,
    .check = hcbr_i_rich_agrees,
    .past = hcbr_i_rich_past_view,
    .column = column,
    .cuts_below = cuts_below,
    .can_win = can_win,
    .scorer_create = scorer_create,
    .scorer_free = scorer_free,
    .gather = gather,
    .has_cuts = has_cuts,
    .number = number,
    .tell_values = tell_values,
    .values = values,
    .find = find,
    .find_any = find_any,
    .support = support_of,
    .score = score,
    .reserve = reserve,
    .hold = hold,
    .score_held = score_held,
    .held = held,
    .of_nothing = of_nothing,
    .index_create = hcbr_i_rich_index_create,
    .index_free = hcbr_i_rich_index_free,
    .why_create = hcbr_i_reasons_create,
    .why_free = hcbr_i_reasons_free,
    .begin = hcbr_i_reasons_begin,
    .end = end,
    .terms = hcbr_i_reasons_group,
    .add = hcbr_i_reasons_add,
    .offer = hcbr_i_reasons_offer,
    .list_others = hcbr_i_reasons_list_others,
    .influence = hcbr_i_reasons_influence,
    .each_group = hcbr_i_reasons_each_group,
    .show = hcbr_i_reasons_show,
    .own_begin = hcbr_i_reasons_own,
    .own = hcbr_i_reasons_influence,
    .rank = hcbr_i_reasons_rank,
    .weigh_one = hcbr_i_reasons_weigh_one,
    .compare = hcbr_i_reasons_compare,
    .numbers = hcbr_i_reasons_numbers,
    .number_cases = hcbr_i_reasons_number_cases,
    .number_count = hcbr_i_reasons_number_count,
    .past_numbers = hcbr_i_reasons_past_numbers,
    .flip = hcbr_i_reasons_flip,
    .ask_begin = hcbr_i_reasons_ask_begin,
    .ask = hcbr_i_reasons_ask,
    .ask_end = hcbr_i_reasons_ask_end,
};
