/*
 * Changes of dates. A date is many features, its year, month, day of the week and so on, which
 * cannot change one by one: there is no Monday the 4th in a week whose 4th is a Tuesday. So the
 * engine is not offered the parts. Instead the date itself is moved, a day at a time or, if it has
 * a time, first a minute at a time within its day, up and down, to the nearest one that gives
 * another answer. Days are limited to the range of past cases.
 *
 * Invariant: the date shown can be written into the column; the case is decided with all its parts.
 */
#include "changes.h"

#include <math.h>

#define DAY_MINUTES 1440

/* A date column of the current case. */
typedef struct dated {
    const hcbr_i_schema_column *column;
    hcbr_i_moment now;
    int64_t day, minute; /* of it; 0 if it has none */
    int64_t low, high;   /* days that it may become */
    bool up, down;       /* only later ones, only earlier ones */
    bool bounded;
    uint64_t group;
} dated;

static bool is_date(const hcbr_i_schema_column *c) {
    return c->keys && (c->use == HCBR_I_USE_DATE || c->use == HCBR_I_USE_PARTS);
}

static bool has_key(const hcbr_i_schema_column *c, const hcbr_feature *f) {
    const hcbr_i_text key = {f->key, f->key_length};
    bool has = hcbr_i_text_same(key, c->name);
    for (unsigned part = 0; part < HCBR_I_PARTS && !has; part++)
        has = hcbr_i_text_same(key, c->keys[part]);
    return has;
}

/* The number of a part that the case has; false: it has none. */
static bool own_part(const hcbr_i_search *s, const hcbr_i_schema_column *c, hcbr_i_part_of part,
                     int64_t *out) {
    for (size_t i = 0; i < s->own_count; i++) {
        const hcbr_feature *f = &s->own[i].feature;
        double value;
        if (!f->value || !hcbr_i_text_same((hcbr_i_text){f->key, f->key_length}, c->keys[part]) ||
            !hcbr_number_parse(&value, f->value, f->value_length) || !(fabs(value) < 1e9))
            continue;
        *out = (int64_t)value;
        return true;
    }
    return false;
}

static hcbr_i_moment moment_of(const dated *d, int64_t day, int64_t minute) {
    hcbr_i_moment m = d->now;
    if (m.has & HCBR_I_HAS_DATE) {
        hcbr_i_day_of_days(day, &m.year, &m.month, &m.day);
        m.day = m.has & HCBR_I_HAS_DAY ? m.day : 0;
    }
    if (m.has & HCBR_I_HAS_TIME) {
        m.hour = (uint8_t)(minute / 60);
        m.minute = (uint8_t)(minute % 60);
    }
    return m;
}

/* The date that the case has in a column; false: none. */
static bool find_own(const hcbr_i_search *s, const hcbr_i_schema_column *c, dated *out) {
    int64_t unused;
    *out = (dated){.column = c}; // a time of no day is one of day 0
    if (own_part(s, c, HCBR_I_PART_DAYS, &out->day))
        out->now.has |= HCBR_I_HAS_DATE;
    if (own_part(s, c, HCBR_I_PART_DAY, &unused))
        out->now.has |= HCBR_I_HAS_DAY;
    if (own_part(s, c, HCBR_I_PART_MINUTE, &out->minute))
        out->now.has |= HCBR_I_HAS_TIME;
    out->low = out->high = out->day;
    out->now = moment_of(out, out->day, out->minute);
    return out->now.has & (HCBR_I_HAS_DATE | HCBR_I_HAS_TIME);
}

/* Days from the first to the last of past cases, and of the case. */
static void find_range(const hcbr_i_search *s, hcbr_i_key_id key, dated *d) {
    const size_t all = s->x->frame.feature_count + s->x->number_count;
    d->low = d->high = d->day;
    for (uint32_t f = 0; f < all; f++) {
        const hcbr_i_case_item item = hcbr_i_account_item(s->x, f);
        double value;
        if (item.key != key || !item.feature.value ||
            !hcbr_number_parse(&value, item.feature.value, item.feature.value_length) ||
            !(fabs(value) < 1e9))
            continue;
        d->low = (int64_t)value < d->low ? (int64_t)value : d->low;
        d->high = (int64_t)value > d->high ? (int64_t)value : d->high;
    }
}

static void bound(dated *d, const hcbr_i_span *span) {
    d->bounded = true;
    d->up = span->up;
    d->down = span->down;
    if (span->low > (double)d->low)
        d->low = (int64_t)ceil(span->low);
    if (span->high < (double)d->high)
        d->high = (int64_t)floor(span->high);
}

hcbr_status hcbr_i_flip_dates_begin(hcbr_i_search *s, hcbr_error *err) {
    const hcbr_model *model = hcbr_i_flip_explainer(s)->model;
    const size_t columns = model->schema ? hcbr_i_schema_count(model->schema) : 0;
    const uint32_t keys = hcbr_i_dict_key_count(model->dict);
    dated *list = hcbr_i_account_take(s->x, columns, sizeof *list);
    if (!list)
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < columns; n++) {
        const hcbr_i_schema_column *c = hcbr_i_schema_get(model->schema, n);
        if (!is_date(c))
            continue;
        dated d;
        const bool own = find_own(s, c, &d);
        const hcbr_i_text *name =
            &c->keys[d.now.has & HCBR_I_HAS_DATE ? HCBR_I_PART_DAYS : HCBR_I_PART_MINUTE];
        const hcbr_i_key_id key = hcbr_i_dict_find_key(model->dict, name->at, name->length);
        const bool may = own && key != HCBR_I_NONE && !s->fixed[key];
        const bool asked = hcbr_i_flip_is_allowed(s->options, c->name.at, c->name.length);
        if (may) {
            if (d.now.has & HCBR_I_HAS_DATE)
                find_range(s, key, &d);
            if (s->spans && s->spans[key].bounded)
                bound(&d, &s->spans[key]);
            d.group = UINT64_MAX - n;
            list[s->date_count++] = d;
        }
        s->untried |= asked && !own; // which date it might have is not searched for
        for (uint32_t k = 0; k < keys; k++) {
            const hcbr_i_text text = hcbr_i_dict_key(model->dict, k);
            if (has_key(c, &(hcbr_feature){.key = text.at, .key_length = text.length}))
                s->fixed[k] = true;
        }
    }
    s->dates = list;
    return HCBR_OK;
}

/* ---- dates to try ---------------------------------------------------------------------------- */

/* The state of the search for another date. */
typedef struct trial {
    hcbr_i_search *s;
    const dated *of;
    hcbr_feature *list; /* the case: features of other columns, then the date */
    size_t others;
    bool found[2]; /* an earlier one, a later one */
} trial;

static hcbr_i_text text_of(hcbr_i_account *x, const hcbr_i_moment *m) {
    char iso[HCBR_I_MOMENT_TEXT];
    const size_t length = hcbr_i_moment_write(iso, m);
    char *copy = hcbr_i_account_take(x, length + 1, 1);
    if (copy)
        memcpy(copy, iso, length);
    return (hcbr_i_text){copy, length};
}

/* Decide the case with another moment, or with none. It is converted as in a file. */
static hcbr_status decide(trial *t, const hcbr_i_moment *m, hcbr_decision *d, bool *did,
                          hcbr_error *err) {
    hcbr_i_search *s = t->s;
    hcbr_explainer *x = hcbr_i_flip_explainer(s);
    const hcbr_i_schema_column *c = t->of->column;
    char text[HCBR_I_MOMENT_TEXT];
    size_t count = t->others;
    if (m)
        t->list[count++] =
            (hcbr_feature){c->name.at, c->name.length, text, hcbr_i_moment_write(text, m)};
    *did = false;
    const uint64_t steps = 16 * (uint64_t)(s->own_count + x->model->labels.count) + s->decision;
    hcbr_status st = hcbr_i_flip_step(s, steps, err);
    if (st != HCBR_OK || s->cut)
        return st;
    s->tried++;
    hcbr_i_case changed;
    st = hcbr_i_decider_resolve(x->decider, t->list, count, &changed, err);
    if (st == HCBR_OK)
        st = hcbr_i_decider_run_case(x->decider, &changed, d, err);
    *did = st == HCBR_OK && d->label != s->answer && d->winner != HCBR_LABEL_UNKNOWN;
    return st;
}

/* Keep it as a flip; m: NULL for no date. */
static hcbr_status keep(trial *t, const hcbr_i_moment *m, double distance, bool up,
                        const hcbr_decision *d, hcbr_error *err) {
    hcbr_i_search *s = t->s;
    const hcbr_i_text name = t->of->column->name;
    hcbr_i_found_flip found;
    if (s->flip_count && s->flips[0].flip.count > 1)
        s->flip_count = 0; // one change does
    s->size = 0;
    hcbr_status st = hcbr_i_flip_note(s, d, &found, err);
    hcbr_i_choice *choice = hcbr_i_account_take(s->x, 1, sizeof *choice);
    hcbr_change *change = hcbr_i_account_take(s->x, 1, sizeof *change);
    const hcbr_i_text now = text_of(s->x, &t->of->now);
    const hcbr_i_text then = m ? text_of(s->x, m) : (hcbr_i_text){NULL, 0};
    if (st != HCBR_OK)
        return st;
    if (!choice || !change || !now.at || (m && !then.at) ||
        !hcbr_i_grow(&s->flips, &s->flip_capacity, s->flip_count + 1, sizeof *s->flips))
        return hcbr_i_no_memory(err);
    change->removed = (hcbr_feature){name.at, name.length, now.at, now.length};
    if (m)
        change->added = (hcbr_feature){name.at, name.length, then.at, then.length};
    const double all = (double)(t->of->high - t->of->low + 1) * DAY_MINUTES;
    *choice = (hcbr_i_choice){.removed = HCBR_I_NONE,
                              .added = HCBR_I_NONE,
                              .group = t->of->group,
                              .distance = distance,
                              .share = m ? fmin(1, distance / fmax(all, DAY_MINUTES)) : 0,
                              .kind = m ? HCBR_I_CHOICE_NUMBER : HCBR_I_CHOICE_NOTHING,
                              .up = up};
    found.changes = choice;
    found.flip.changes = change;
    found.flip.count = 1;
    s->flips[s->flip_count++] = found;
    t->found[up] = true;
    return HCBR_OK;
}

static hcbr_status attempt(trial *t, int64_t day, int64_t minute, bool up, hcbr_error *err) {
    const dated *of = t->of;
    if (t->found[up] || (up ? of->down : of->up) || day < of->low || day > of->high)
        return HCBR_OK;
    const hcbr_i_moment m = moment_of(of, day, minute);
    int32_t year;
    uint8_t month, first;
    hcbr_i_day_of_days(day, &year, &month, &first);
    if ((m.has & HCBR_I_HAS_DATE) && !(m.has & HCBR_I_HAS_DAY) && first != 1)
        return HCBR_OK; // a month begins with its first day
    hcbr_decision d = {.size = sizeof d};
    bool did;
    const hcbr_status st = decide(t, &m, &d, &did, err);
    if (st != HCBR_OK || !did)
        return st;
    return keep(t, &m, fabs((double)((day - of->day) * DAY_MINUTES + minute - of->minute)), up, &d,
                err);
}

static hcbr_status move(trial *t, hcbr_error *err) {
    const dated *of = t->of;
    hcbr_status st = HCBR_OK;
    const bool go[2] = {!of->up, !of->down};
    for (int64_t n = 1; of->now.has & HCBR_I_HAS_TIME && n < DAY_MINUTES && st == HCBR_OK &&
                        !t->s->cut && (go[0] > t->found[0] || go[1] > t->found[1]);
         n++) {
        if (of->minute >= n)
            st = attempt(t, of->day, of->minute - n, false, err);
        if (st == HCBR_OK && !t->s->cut && of->minute + n < DAY_MINUTES)
            st = attempt(t, of->day, of->minute + n, true, err);
    }
    const int64_t below = of->day - of->low, above = of->high - of->day;
    for (int64_t n = 1;
         of->now.has & HCBR_I_HAS_DATE && st == HCBR_OK && !t->s->cut &&
         ((go[0] > t->found[0] && n <= below) || (go[1] > t->found[1] && n <= above));
         n++) {
        st = attempt(t, of->day - n, of->minute, false, err);
        if (st == HCBR_OK && !t->s->cut)
            st = attempt(t, of->day + n, of->minute, true, err);
    }
    return st;
}

static hcbr_status try_date(hcbr_i_search *s, const dated *of, hcbr_error *err) {
    const hcbr_row_info *given = &hcbr_i_flip_explainer(s)->row->info;
    trial t = {.s = s, .of = of};
    t.list = hcbr_i_account_take(s->x, given->feature_count + 1, sizeof *t.list);
    if (!t.list)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < given->feature_count; i++)
        if (!has_key(of->column, &given->features[i]))
            t.list[t.others++] = given->features[i];
    hcbr_status st = move(&t, err);
    if (st != HCBR_OK || s->cut || t.found[0] || t.found[1] || of->bounded)
        return st;
    hcbr_decision d = {.size = sizeof d};
    bool did;
    st = decide(&t, NULL, &d, &did, err);
    return st == HCBR_OK && did ? keep(&t, NULL, 0, false, &d, err) : st;
}

hcbr_status hcbr_i_flip_dates(hcbr_i_search *s, hcbr_error *err) {
    const dated *list = s->dates;
    hcbr_status st = HCBR_OK;
    if (s->date_count == 0)
        return HCBR_OK;
    hcbr_i_flip_part(s, 1);
    for (size_t n = 0; n < s->date_count && st == HCBR_OK; n++) {
        st = try_date(s, &list[n], err);
        s->untried |= s->cut;
    }
    return st;
}
