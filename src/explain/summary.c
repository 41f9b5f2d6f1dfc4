/*
 * The reasons of many cases together: columns and atoms by answer, and remarkable cases.
 *
 * Invariant: names are copied; the memory for cases is bounded, whatever their number.
 */
#include "explainer.h"

#include <hcbr/summary.h>

#include <math.h>
#include <stdlib.h>

/* A column or an atom of one answer. */
typedef struct reason {
    hcbr_summed_reason sum; /* lead and absolute are sums over cases */
    char *text;             /* owned text; begins with its key */
    size_t length;          /* of that */
} reason;

/* The key of a reason. */
typedef struct wanted {
    hcbr_label label;
    bool atom;
    const char *text;
    size_t length;
    hcbr_atom_kind kind;
} wanted;

/* Cases of one answer. */
typedef struct answer {
    uint64_t cases, given, right;
} answer;

/* The first of some cases, in order. */
typedef struct picked {
    hcbr_summed_case *cases;
    size_t count, capacity;
    uint64_t all;
} picked;

struct hcbr_summary {
    const hcbr_model *model;
    hcbr_summary_options options;
    answer *answers; /* by label, then unknown */
    reason *reasons;
    size_t count, capacity, atoms;
    hcbr_i_hash_table table;
    hcbr_i_hash_key key;
    uint64_t cases, other_atoms;
    double usual;
    picked conflicts, unlike;
    uint32_t *found; /* reasons of the current case */
    size_t found_capacity;
    char *room; /* for the text of one */
    size_t room_capacity;
    hcbr_summed_reason *shown;
    hcbr_summed_label *labels;
    size_t shown_capacity;
};

/* ---- reasons --------------------------------------------------------------------------------- */

static bool is_wanted(const void *owner, uint32_t number, const void *context) {
    const reason *r = (const reason *)owner + number;
    const wanted *w = context;
    return r->sum.label == w->label && r->sum.kind == w->kind && !r->sum.name == w->atom &&
           r->length == w->length && memcmp(r->text, w->text, w->length) == 0;
}

/* Copy the features of a reason after its key. */
static bool copy_features(reason *r, const hcbr_feature *features, size_t count, const wanted *w) {
    size_t table = count * sizeof *features;
    size_t start = (w->length + 15) / 16 * 16;
    r->text = hcbr_i_alloc(start + table + hcbr_i_features_size(features, count) + 1, 1);
    if (!r->text)
        return false;
    memcpy(r->text, w->text, w->length);
    r->length = w->length;
    if (!w->atom) {
        r->sum.name = r->text;
        r->sum.name_length = r->length;
        return true;
    }
    hcbr_feature *list = (void *)(r->text + start);
    char *at = r->text + start + table;
    for (size_t i = 0; i < count; i++)
        list[i] = hcbr_i_feature_copy(&features[i], &at);
    r->sum.features = list;
    r->sum.feature_count = count;
    return true;
}

/* The number of a reason, which is added without any case if it is new; HCBR_I_HASH_NONE: it is a
 * atom too many. False: no memory. */
static bool find(hcbr_summary *x, const wanted *w, const hcbr_feature *features, size_t count,
                 uint32_t *number) {
    const uint32_t of[2] = {(uint32_t)w->label, w->atom ? 1 + (uint32_t)w->kind : 0};
    uint64_t hash = hcbr_i_hash_name(
        &x->key, hcbr_i_hash_text(&x->key, w->text, w->length, (const char *)of, sizeof of));
    *number = hcbr_i_hash_table_find(&x->table, hash, is_wanted, x->reasons, w);
    if (*number != HCBR_I_HASH_NONE || (w->atom && x->atoms >= x->options.most_atoms))
        return true;
    reason r = {.sum = {.label = w->label, .kind = w->kind}};
    if (!hcbr_i_grow(&x->reasons, &x->capacity, x->count + 1, sizeof *x->reasons) ||
        !copy_features(&r, features, count, w))
        return false;
    if (!hcbr_i_hash_table_add(&x->table, hash, (uint32_t)x->count)) {
        hcbr_i_free(r.text);
        return false;
    }
    *number = (uint32_t)x->count;
    x->reasons[x->count++] = r;
    x->atoms += w->atom;
    return true;
}

/* The features of an atom as one text, which no other features have. */
static bool join(hcbr_summary *x, const hcbr_explained_atom *g, wanted *w) {
    size_t size = 2 * g->feature_count + hcbr_i_features_size(g->features, g->feature_count);
    if (!hcbr_i_grow(&x->room, &x->room_capacity, size + 1, 1))
        return false;
    char *at = x->room;
    for (size_t i = 0; i < g->feature_count; i++) {
        const hcbr_feature *f = &g->features[i];
        (void)hcbr_i_feature_copy(f, &at);
        *at++ = f->value ? '\1' : '\0'; // texts have no NUL
        *at++ = '\0';
    }
    w->text = x->room;
    w->length = (size_t)(at - x->room);
    return true;
}

static void count_reason(hcbr_summary *x, uint32_t number, double lead, bool *first) {
    if (number == HCBR_I_HASH_NONE) {
        x->other_atoms++;
        *first &= lead <= 0;
        return;
    }
    hcbr_summed_reason *r = &x->reasons[number].sum;
    r->cases_for += lead > 0;
    r->cases_against += lead < 0;
    r->first += lead > 0 && *first;
    r->lead += lead;
    r->absolute += fabs(lead);
    *first &= lead <= 0; // they come by descending absolute lead
}

/* ---- notable cases --------------------------------------------------------------------------- */

static double weaker(const hcbr_summed_case *c) {
    return c->lead_for < c->lead_against ? c->lead_for : c->lead_against;
}

static double stronger(const hcbr_summed_case *c) {
    return c->lead_for < c->lead_against ? c->lead_against : c->lead_for;
}

static bool is_more_at_odds(const hcbr_summed_case *a, const hcbr_summed_case *b) {
    return weaker(a) != weaker(b) ? weaker(a) > weaker(b) : a->row < b->row;
}

static bool is_less_known(const hcbr_summed_case *a, const hcbr_summed_case *b) {
    return a->known != b->known ? a->known < b->known : a->row < b->row;
}

typedef bool before_fn(const hcbr_summed_case *a, const hcbr_summed_case *b);

/* Keep a case if it is among the first so far. Only then its id is copied. False: no memory. */
static bool offer(picked *p, size_t most, hcbr_summed_case c, before_fn *before) {
    bool full = p->count == most;
    if (most == 0 || (full && !before(&c, &p->cases[most - 1]))) {
        p->all++;
        return true;
    }
    if (!full && !hcbr_i_grow(&p->cases, &p->capacity, p->count + 1, sizeof *p->cases))
        return false;
    if (c.id && !(c.id = hcbr_i_text_copy(c.id, c.id_length)))
        return false;
    size_t at = full ? most - 1 : p->count++;
    if (full)
        hcbr_i_free((char *)(uintptr_t)p->cases[at].id);
    for (; at > 0 && before(&c, &p->cases[at - 1]); at--)
        p->cases[at] = p->cases[at - 1];
    p->cases[at] = c;
    p->all++;
    return true;
}

/* ---- case by case ---------------------------------------------------------------------------- */

hcbr_status hcbr_summary_create(hcbr_summary **out, const hcbr_model *model,
                                const hcbr_summary_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, model) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_summary *x = *out = hcbr_i_alloc_zero(1, sizeof *x);
    if (!x)
        return hcbr_i_no_memory(err);
    x->model = model;
    x->key = hcbr_i_hash_key_make(0);
    hcbr_summary_options_init(&x->options);
    if (options)
        x->options = *options;
    hcbr_model_info info = {.size = sizeof info};
    hcbr_model_get_info(model, &info);
    x->usual = info.cases ? (double)info.occurrences / (double)info.cases : 0;
    x->answers = hcbr_i_alloc_zero((size_t)info.labels + 1, sizeof *x->answers);
    if (x->answers)
        return HCBR_OK;
    hcbr_summary_free(x);
    *out = NULL;
    return hcbr_i_no_memory(err);
}

static void free_picked(picked *p) {
    for (size_t i = 0; i < p->count; i++)
        hcbr_i_free((char *)(uintptr_t)p->cases[i].id);
    hcbr_i_free(p->cases);
}

void hcbr_summary_free(hcbr_summary *x) {
    if (!x)
        return;
    for (size_t n = 0; n < x->count; n++)
        hcbr_i_free(x->reasons[n].text);
    free_picked(&x->conflicts);
    free_picked(&x->unlike);
    hcbr_i_hash_table_clear(&x->table);
    hcbr_i_free(x->reasons);
    hcbr_i_free(x->answers);
    hcbr_i_free(x->found);
    hcbr_i_free(x->room);
    hcbr_i_free(x->shown);
    hcbr_i_free(x->labels);
    hcbr_i_free(x);
}

/* Find all reasons of a case, columns first. */
static hcbr_status find_all(hcbr_summary *x, const hcbr_explanation *e, size_t atoms,
                            hcbr_error *err) {
    bool ok =
        hcbr_i_grow(&x->found, &x->found_capacity, e->column_count + atoms + 1, sizeof *x->found);
    for (size_t n = 0; ok && n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        wanted w = {e->label, false, c->name, c->name_length, HCBR_ATOM_FEATURES};
        ok = find(x, &w, NULL, 0, &x->found[n]);
    }
    for (size_t n = 0; ok && n < atoms; n++) {
        const hcbr_explained_atom *g = &e->atoms[n];
        wanted w = {e->label, true, NULL, 0, g->kind};
        ok = join(x, g, &w) &&
             find(x, &w, g->features, g->feature_count, &x->found[e->column_count + n]);
    }
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

static void count_all(hcbr_summary *x, const hcbr_explanation *e, size_t atoms,
                      const hcbr_decision *d) {
    bool first = true;
    for (size_t n = 0; n < e->column_count; n++) {
        const hcbr_explained_column *c = &e->columns[n];
        count_reason(x, x->found[n], c->lead, &first);
    }
    first = true;
    for (size_t n = 0; n < atoms; n++) {
        const hcbr_explained_atom *g = &e->atoms[n];
        count_reason(x, x->found[e->column_count + n], g->lead, &first);
    }
    uint32_t labels = x->model->labels.count;
    answer *a = &x->answers[e->label >= 0 ? (uint32_t)e->label : labels];
    a->cases++;
    x->cases++;
    if (!d->given)
        return;
    size_t length = 0;
    const char *name = d->label >= 0 ? hcbr_model_get_label(x->model, d->label, &length) : NULL;
    a->given++;
    a->right += name && length == d->given_length && memcmp(name, d->given, length) == 0;
}

hcbr_status hcbr_summary_add(hcbr_summary *x, const hcbr_decision *decision,
                             const hcbr_explanation *explanation, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "summary, decision, explanation", x, decision, explanation) ||
        HCBR_I_UNSIZED(err, decision, explanation))
        return HCBR_EUSAGE;
    const hcbr_explanation *e = explanation;
    size_t atoms = e->atom_count < x->options.per_case ? e->atom_count : x->options.per_case;
    if (!e->rest || e->column_count < e->all_columns ||
        (atoms < x->options.per_case && atoms < e->all_atoms))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "the explanation shows %llu of %llu columns and %llu atoms, expected "
                           "all columns and %llu atoms",
                           (unsigned long long)e->column_count, (unsigned long long)e->all_columns,
                           (unsigned long long)e->atom_count,
                           (unsigned long long)x->options.per_case);
    hcbr_summed_case c = {.row = decision->row,
                          .id = decision->id,
                          .id_length = decision->id_length,
                          .label = e->label,
                          .known = decision->known_count,
                          .features = decision->feature_count};
    for (size_t n = 0; n < e->column_count; n++) {
        double lead = e->columns[n].lead;
        *(lead > 0 ? &c.lead_for : &c.lead_against) += fabs(lead);
    }
    hcbr_status st = find_all(x, e, atoms, err);
    if (st != HCBR_OK)
        return st;
    if ((stronger(&c) > 0 && 4 * weaker(&c) >= 3 * stronger(&c) &&
         !offer(&x->conflicts, x->options.most, c, is_more_at_odds)) ||
        (2 * (double)c.known < x->usual && !offer(&x->unlike, x->options.most, c, is_less_known)))
        return hcbr_i_no_memory(err);
    count_all(x, e, atoms, decision);
    return HCBR_OK;
}

/* ---- results --------------------------------------------------------------------------------- */

static int compare_features(const hcbr_summed_reason *p, const hcbr_summed_reason *q) {
    for (size_t i = 0; i < p->feature_count && i < q->feature_count; i++) {
        const hcbr_feature *f = &p->features[i], *g = &q->features[i];
        int order = hcbr_i_text_compare(f->key, f->key_length, g->key, g->key_length);
        if (!order && f->value && g->value)
            order = hcbr_i_text_compare(f->value, f->value_length, g->value, g->value_length);
        if (order || !f->value != !g->value)
            return order ? order : f->value ? 1 : -1;
    }
    return (p->feature_count > q->feature_count) - (p->feature_count < q->feature_count);
}

/* By label, columns first, then as they are shown. */
static int compare_shown(const void *a, const void *b) {
    const hcbr_summed_reason *p = a, *q = b;
    if (p->label != q->label)
        return p->label < q->label ? -1 : 1;
    if (!p->name != !q->name)
        return p->name ? -1 : 1;
    uint64_t m = p->cases_for + p->cases_against, n = q->cases_for + q->cases_against;
    if (!p->name && m != n)
        return m > n ? -1 : 1;
    if (p->absolute != q->absolute)
        return p->absolute > q->absolute ? -1 : 1;
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    return p->name ? hcbr_i_text_compare(p->name, p->name_length, q->name, q->name_length)
                   : compare_features(p, q);
}

/* The reasons of a label are adjacent. */
static void show_label(const hcbr_summary *x, hcbr_label label, const answer *a,
                       hcbr_summed_label *out) {
    size_t n = 0;
    *out = (hcbr_summed_label){
        .label = label, .cases = a->cases, .given = a->given, .right = a->right};
    while (n < x->count && x->shown[n].label != label)
        n++;
    out->columns = x->shown + n;
    for (; n < x->count && x->shown[n].label == label && x->shown[n].name; n++)
        out->all_columns++;
    out->atoms = x->shown + n;
    for (; n < x->count && x->shown[n].label == label; n++)
        out->all_atoms++;
    size_t most = x->options.most;
    out->column_count = out->all_columns < most ? (size_t)out->all_columns : most;
    out->atom_count = out->all_atoms < most ? (size_t)out->all_atoms : most;
}

hcbr_status hcbr_summary_get(hcbr_summary *x, hcbr_summed *out, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "summary, out", x, out) || HCBR_I_UNSIZED(err, out))
        return HCBR_EUSAGE;
    uint32_t labels = x->model->labels.count;
    hcbr_summed s = {.size = out->size,
                     .cases = x->cases,
                     .conflicts = x->conflicts.cases,
                     .conflict_count = x->conflicts.count,
                     .all_conflicts = x->conflicts.all,
                     .unlike = x->unlike.cases,
                     .unlike_count = x->unlike.count,
                     .all_unlike = x->unlike.all,
                     .usual = x->usual,
                     .other_atoms = x->other_atoms};
    if (!hcbr_i_grow(&x->shown, &x->shown_capacity, x->count + 1, sizeof *x->shown) ||
        (!x->labels && !(x->labels = hcbr_i_alloc_zero((size_t)labels + 1, sizeof *x->labels))))
        return hcbr_i_no_memory(err);
    for (size_t n = 0; n < x->count; n++) {
        hcbr_summed_reason *r = &x->shown[n];
        *r = x->reasons[n].sum;
        double cases = (double)x->answers[r->label >= 0 ? (uint32_t)r->label : labels].cases;
        r->lead /= cases;
        r->absolute /= cases;
    }
    if (x->count)
        qsort(x->shown, x->count, sizeof *x->shown, compare_shown);
    for (uint32_t l = 0; l <= labels; l++)
        if (x->answers[l].cases)
            show_label(x, l < labels ? (hcbr_label)l : HCBR_LABEL_UNKNOWN, &x->answers[l],
                       &x->labels[s.label_count++]);
    s.labels = x->labels;
    hcbr_i_hand_out(out, &s, sizeof s);
    return HCBR_OK;
}
