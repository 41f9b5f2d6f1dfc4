/*
 * Terms of a rich support gathered into groups: tests of features of one atom, and leaves of any
 * tree with the same tests. A leaf that tests exactly the features of a group of the linear model
 * is one of its terms. The contribution of a group is the sum over its terms.
 *
 * Groups are sorted by descending absolute lead, ties by their first term, so that nothing depends
 * on an order of memory.
 */
#include "rich/reasons/group_holders.h"
#include "rich/reasons/rich_reasons.h"

#include <math.h>
#include <stdlib.h>
#include <xxhash.h>

/* A term with its grouping keys. */
typedef struct item {
    uint32_t kind; /* 0 a variable, 1 features of an atom, 2 a conjunction */
    uint32_t term;
    uint64_t id; /* variable, atom, or a hash of the tests */
    const hcbr_i_rich_test *tests;
    size_t test_count;
} item;

/* The known features of a variable; *count receives their number. */
static const hcbr_i_known *known_of(const hcbr_i_reasons *r, uint32_t variable, size_t *count) {
    size_t low = 0, high = r->known_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (r->known[middle].variable < variable)
            low = middle + 1;
        else
            high = middle;
    }
    *count = 0;
    while (low + *count < r->known_count && r->known[low + *count].variable == variable)
        ++*count;
    return r->known + low;
}

static const hcbr_i_rich_forest *forest_of(const hcbr_i_reasons *r, const hcbr_i_rich_term *t) {
    const hcbr_i_rich *rich = r->query.rich;
    return t->family == 1 ? &rich->boosted.model[t->forest] : &rich->forest;
}

/* The tests of every tree's term. */
static hcbr_status list_tests(hcbr_i_reasons *r, hcbr_error *err) {
    const hcbr_i_rich_query *q = &r->query;
    size_t used = 0;
    if (!hcbr_i_grow(&r->test_start, &r->test_start_capacity, q->term_count + 1,
                     sizeof *r->test_start) ||
        !hcbr_i_grow(&r->tests, &r->test_capacity, 1, sizeof *r->tests))
        return hcbr_i_no_memory(err);
    for (size_t t = 0; t < q->term_count; t++) {
        const hcbr_i_rich_term *term = &q->terms[t];
        r->test_start[t] = used;
        if (term->family == 0)
            continue;
        const hcbr_i_rich_forest *f = forest_of(r, term);
        const size_t most = term->end - f->start[term->tree]; // nodes before it
        if (!hcbr_i_grow(&r->tests, &r->test_capacity, used + most + 1, sizeof *r->tests))
            return hcbr_i_no_memory(err);
        hcbr_i_rich_tests tests = {.items = r->tests + used, .capacity = most + 1};
        if (!hcbr_i_rich_tests_at(r->names, f, term->tree, term->end, q->row->codes, &tests))
            return hcbr_i_no_memory(err);
        used += tests.count;
    }
    r->test_start[q->term_count] = used;
    return HCBR_OK;
}

/* The feature that a test requires, if it is the only one of its variable here and no other passes:
 * then the test is displayed as the feature. NULL: none. */
static const hcbr_i_known *asked_feature(const hcbr_i_reasons *r, const hcbr_i_rich_test *test) {
    const hcbr_i_rich_names *n = r->names;
    const hcbr_i_rich_encoder *e = n->encoder;
    const uint32_t columns = e->column_count, variable = test->variable;
    const uint32_t code = variable < columns ? r->row.codes[variable] : 1;
    hcbr_i_rich_test only = {.variable = variable};
    size_t count;
    const hcbr_i_known *known = known_of(r, variable, &count);
    only.codes[code / 64] = (uint64_t)1 << code % 64;
    if (count != 1 || memcmp(only.codes, test->codes, sizeof only.codes) != 0)
        return NULL;
    if (variable >= columns)
        return known->id != HCBR_I_NONE && n->feature[variable - columns] == known->id ? known
                                                                                       : NULL;
    if (!e->columns[variable].ordered)
        return n->values[n->column_start[variable] + code] == known->id ? known : NULL;
    return known->id == HCBR_I_NONE &&
                   hcbr_i_rich_few_value(e, &e->keys[known->key], code) == known->number
               ? known
               : NULL;
}

/* Features of the case in the bag that are of an atom. */
static size_t count_of_atom(const hcbr_i_reasons *r, uint32_t atom) {
    size_t count = 0;
    for (size_t n = r->known_count;
         n-- > 0 && r->known[n].variable >= r->rich->encoder.column_count;)
        count += r->known[n].variable != HCBR_I_NONE && r->known[n].atom == atom;
    return count;
}

/* A leaf. If it tests the features of a group of the linear model, it joins that group. */
static item make_leaf(const hcbr_i_reasons *r, uint32_t t) {
    item x = {.kind = 2,
              .term = t,
              .tests = r->tests + r->test_start[t],
              .test_count = r->test_start[t + 1] - r->test_start[t]};
    const hcbr_i_known *first = x.test_count ? asked_feature(r, x.tests) : NULL;
    const bool member = first && first->variable >= r->rich->encoder.column_count;
    bool same =
        first && (member ? x.test_count == count_of_atom(r, first->atom) : x.test_count == 1);
    for (size_t n = 1; same && n < x.test_count; n++) {
        const hcbr_i_known *known = asked_feature(r, &x.tests[n]);
        same = known && known->atom == first->atom;
    }
    if (same)
        return (item){.kind = member, .term = t, .id = member ? first->atom : first->variable};
    x.id = XXH3_64bits(x.tests, x.test_count * sizeof *x.tests);
    return x;
}

static item make_item(const hcbr_i_reasons *r, uint32_t t) {
    const hcbr_i_rich_term *term = &r->query.terms[t];
    item x = {.term = t};
    if (term->family != 0)
        return make_leaf(r, t);
    size_t count;
    const hcbr_i_known *known = known_of(r, term->variable, &count);
    bool member = term->variable >= r->names->encoder->column_count;
    uint32_t b = member ? term->variable - r->names->encoder->column_count : 0;
    x.kind = member && count && r->names->feature[b] != HCBR_I_NONE;
    x.id = x.kind ? known->atom : term->variable;
    return x;
}

static int compare_content(const item *p, const item *q) {
    if (p->kind != q->kind)
        return p->kind < q->kind ? -1 : 1;
    if (p->id != q->id)
        return p->id < q->id ? -1 : 1;
    if (p->test_count != q->test_count)
        return p->test_count < q->test_count ? -1 : 1;
    return p->test_count ? memcmp(p->tests, q->tests, p->test_count * sizeof *p->tests) : 0;
}

static int compare_items(const void *a, const void *b) {
    const item *p = a, *q = b;
    int order = compare_content(p, q);
    return order ? order : (p->term > q->term) - (p->term < q->term);
}

/* A sort key and its index. */
typedef struct entry {
    uint64_t key;
    uint32_t at, count;
} entry;

/* Sort by ascending key, stably. There is room for as many entries after them. */
static void sort_entries(entry *list, size_t count) {
    entry *from = list, *to = list + count;
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t start = 0; start < count; start += 2 * width) {
            const size_t middle = start + width < count ? start + width : count;
            const size_t end = start + 2 * width < count ? start + 2 * width : count;
            size_t a = start, b = middle, n = start;
            while (a < middle && b < end) {
                const bool second = from[b].key < from[a].key;
                to[n++] = from[second ? b : a];
                b += second;
                a += !second;
            }
            for (; a < middle; a++)
                to[n++] = from[a];
            for (; b < end; b++)
                to[n++] = from[b];
        }
        entry *last = from;
        from = to;
        to = last;
    }
    if (from != list)
        memcpy(list, from, count * sizeof *list);
}

/* Sort as compare_items(), by numbers. Items come by ascending term. */
static void sort_items(item *items, item *room, entry *list, uint32_t count) {
    uint32_t start[4] = {0}; // kinds one after the other, then by id
    for (uint32_t n = 0; n < count; n++)
        start[items[n].kind + 1]++;
    for (uint32_t kind = 0; kind < 3; kind++)
        start[kind + 1] += start[kind];
    uint32_t next[3] = {start[0], start[1], start[2]};
    for (uint32_t n = 0; n < count; n++)
        room[next[items[n].kind]++] = items[n];
    for (uint32_t kind = 0; kind < 3; kind++) {
        const uint32_t first = start[kind], all = start[kind + 1] - first;
        for (uint32_t n = 0; n < all; n++)
            list[n] = (entry){.key = room[first + n].id, .at = first + n};
        sort_entries(list, all);
        for (uint32_t n = 0; n < all; n++)
            items[first + n] = room[list[n].at];
    }
    for (uint32_t n = 0, end; n < count; n = end) { // different tests with the same hash
        bool same = true;
        for (end = n + 1;
             end < count && items[end].kind == items[n].kind && items[end].id == items[n].id; end++)
            same = same && compare_content(&items[n], &items[end]) == 0;
        if (!same)
            qsort(items + n, end - n, sizeof *items, compare_items);
    }
}

/* Room for `count` groups; new ones are empty. */
static bool need_groups(hcbr_i_reasons *r, size_t count) {
    size_t before = r->group_capacity;
    if (!hcbr_i_grow(&r->groups, &r->group_capacity, count, sizeof *r->groups))
        return false;
    if (r->group_capacity > before)
        memset(r->groups + before, 0, (r->group_capacity - before) * sizeof *r->groups);
    return true;
}

/* By descending absolute lead: numbers above 0 have the order of their bits. */
static uint64_t key_of_lead(double lead) {
    const double absolute = fabs(lead);
    uint64_t bits;
    memcpy(&bits, &absolute, sizeof bits);
    return ~bits;
}

static hcbr_status gather(hcbr_i_account *x, item *items, entry *list, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const hcbr_i_rich_query *q = &r->query;
    uint32_t k = q->rich->outputs, count = 0;
    size_t groups = 0;
    for (uint32_t t = 0; t < q->term_count; t++)
        if (q->rich->stack.trust[q->terms[t].family] > 0) // without trust it contributes nothing
            items[count++] = make_item(r, t);
    sort_items(items, items + q->term_count, list, count);
    for (uint32_t n = 0, end; n < count; n = end) {
        double lead = 0;
        for (end = n; end < count && (end == n || compare_content(&items[n], &items[end]) == 0);
             end++) {
            r->order[end] = items[end].term;
            lead += hcbr_i_reasons_lead(x, q->contribution + (size_t)items[end].term * k);
        }
        list[groups++] = (entry){key_of_lead(lead), n, end - n};
    }
    r->group_count = 0;
    if (!need_groups(r, groups))
        return hcbr_i_no_memory(err);
    sort_entries(list, groups);
    for (; r->group_count < groups; r->group_count++) {
        const entry *from = &list[r->group_count];
        hcbr_i_group *g = &r->groups[r->group_count];
        g->first = from->at;
        g->count = from->count;
        g->lead = 0;
        g->ranked_count = 0;
        for (uint32_t n = 0; n < g->count; n++)
            g->lead += hcbr_i_reasons_lead(x, q->contribution + (size_t)r->order[g->first + n] * k);
    }
    return HCBR_OK;
}

hcbr_status hcbr_i_reasons_group(hcbr_i_account *x, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    size_t terms = r->query.term_count;
    hcbr_i_reasons_by_label(x, r->query.bias, 1, x->sums);
    hcbr_status st = list_tests(r, err);
    if (st != HCBR_OK)
        return st;
    item *items = hcbr_i_alloc(terms, 2 * sizeof *items);
    entry *list = hcbr_i_alloc(terms, 2 * sizeof *list);
    if (!items || !list || !hcbr_i_grow(&r->order, &r->order_capacity, terms + 1, sizeof *r->order))
        st = hcbr_i_no_memory(err);
    else
        st = gather(x, items, list, err);
    hcbr_i_free(items);
    hcbr_i_free(list);
    r->shown = r->group_count < x->options.atoms ? r->group_count : x->options.atoms;
    return st;
}

/* The number of its terms in the linear model, which come first. */
static uint32_t count_atoms(const hcbr_i_reasons *r, const hcbr_i_group *g) {
    uint32_t n = 0;
    while (n < g->count && r->query.terms[r->order[g->first + n]].family == 0)
        n++;
    return n;
}

/* The contribution of a group to every label; by_output is scratch. */
static void add_terms(const hcbr_i_account *x, const hcbr_i_group *g, double *by_output,
                      double *by_label) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    uint32_t k = r->rich->outputs;
    memset(by_output, 0, k * sizeof *by_output);
    for (uint32_t n = 0; n < g->count; n++)
        for (uint32_t l = 0; l < k; l++)
            by_output[l] += r->query.contribution[(size_t)r->order[g->first + n] * k + l];
    hcbr_i_reasons_by_label(x, by_output, 1, by_label);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/* The key of a variable; HCBR_I_NONE: no name. */
static uint32_t key_of(const hcbr_i_reasons *r, uint32_t variable) {
    const hcbr_i_rich_encoder *e = r->names->encoder;
    return variable < e->column_count ? e->columns[variable].key
                                      : r->names->key[variable - e->column_count];
}

/* The keys that a group tests; `out` has room for its terms and for the tests of one. */
static size_t list_keys(const hcbr_i_reasons *r, const hcbr_i_group *g, hcbr_i_key_id *out) {
    const uint32_t first = r->order[g->first], atoms = count_atoms(r, g);
    size_t begin = r->test_start[first], count = 0;
    size_t all = atoms ? atoms : r->test_start[first + 1] - begin;
    for (size_t n = 0; n < all; n++) {
        uint32_t key = key_of(r, atoms ? r->query.terms[r->order[g->first + n]].variable
                                       : r->tests[begin + n].variable);
        if (key != HCBR_I_NONE)
            out[count++] = key;
    }
    return count;
}

hcbr_status hcbr_i_reasons_each_group(hcbr_i_account *x, hcbr_i_group_fn *each, void *context,
                                      hcbr_error *err) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    size_t most = 0;
    for (size_t g = 0; g < r->group_count; g++) {
        uint32_t first = r->order[r->groups[g].first];
        size_t tests = r->test_start[first + 1] - r->test_start[first];
        size_t keys = tests > r->groups[g].count ? tests : r->groups[g].count;
        most = keys > most ? keys : most;
    }
    hcbr_i_key_id *keys = hcbr_i_account_take(x, most, sizeof *keys);
    double *by_label = hcbr_i_account_take(x, x->frame.label_count, sizeof *by_label);
    double *by_output = hcbr_i_account_take(x, r->rich->outputs, sizeof *by_output);
    bool ok = keys && by_label && by_output;
    for (size_t g = 0; ok && g < r->group_count; g++) {
        size_t count = list_keys(r, &r->groups[g], keys);
        add_terms(x, &r->groups[g], by_output, by_label);
        ok = each(context, keys, count, by_label, r->groups[g].lead);
    }
    return ok ? HCBR_OK : hcbr_i_no_memory(err);
}

/* ---- showing --------------------------------------------------------------------------------- */

/* Past cases that have a value. Of several of a column the largest number counts, or the last. */
static uint64_t count_value(const hcbr_i_reasons *r, const hcbr_i_known *known, size_t count) {
    double largest = -INFINITY;
    for (size_t n = 0; n < count; n++)
        if (known[n].id == HCBR_I_NONE)
            largest = fmax(largest, known[n].number);
    if (known[count - 1].id != HCBR_I_NONE)
        return hcbr_i_rich_count_all(&r->rich->counts, known[count - 1].id);
    return r->rich->past ? hcbr_i_rich_have_number(r->rich, known->key, largest) : 0;
}

/* The features of the case in a group of the linear model. */
static hcbr_status show_features(hcbr_i_account *x, const hcbr_i_group *g, hcbr_explained_atom *out,
                                 hcbr_error *err) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    const uint32_t atoms = count_atoms(r, g);
    size_t all = 0, count;
    for (uint32_t n = 0; n < atoms; n++) {
        known_of(r, r->query.terms[r->order[g->first + n]].variable, &count);
        all += count;
    }
    hcbr_feature *features = hcbr_i_account_take(x, all, sizeof *features);
    if (!features)
        return hcbr_i_no_memory(err);
    for (uint32_t n = 0; n < atoms; n++) {
        const hcbr_i_known *known =
            known_of(r, r->query.terms[r->order[g->first + n]].variable, &count);
        for (size_t i = 0; i < count; i++)
            features[out->feature_count++] = known[i].feature;
        if (count)
            out->atom = known[0].atom;
        if (count && n == 0 && r->added)
            out->case_count = count_value(r, known, count);
    }
    out->features = features;
    out->all_features = (uint32_t)out->feature_count;
    out->weight = (double)out->feature_count / (double)r->feature_count;
    return HCBR_OK;
}

/* The number of features of the case that a conjunction tests. */
static size_t count_tested(const hcbr_i_reasons *r, const hcbr_i_rich_test *tests, size_t count) {
    size_t tested = 0;
    for (size_t i = 0; i < count; i++) {
        size_t known;
        known_of(r, tests[i].variable, &known);
        tested += known;
    }
    return tested;
}

hcbr_status hcbr_i_reasons_test_features(hcbr_i_account *x, const hcbr_i_rich_test *tests,
                                         size_t count, const hcbr_feature **out, size_t *out_count,
                                         hcbr_error *err) {
    hcbr_feature *features = hcbr_i_account_take(x, count ? count : 1, sizeof *features);
    if (!features)
        return hcbr_i_no_memory(err);
    features[0] = (hcbr_feature){.key = "any case", .key_length = 8};
    size_t n = 0;
    for (size_t i = 0; i < 2 * count; i++) { // required features come before excluded ones
        const hcbr_i_rich_test *test = &tests[i % count];
        bool member = test->variable >= hcbr_i_reasons_of(x)->names->encoder->column_count;
        if ((member && test->codes[0] & 1) != (i >= count))
            continue;
        char *text = hcbr_i_rich_test_text(hcbr_i_reasons_of(x)->names, test);
        size_t length = text ? strlen(text) : 0;
        char *copy = text ? hcbr_i_account_take(x, length + 1, 1) : NULL;
        if (copy)
            memcpy(copy, text, length);
        hcbr_i_free(text);
        if (!copy)
            return hcbr_i_no_memory(err);
        features[n++] = (hcbr_feature){.key = copy, .key_length = length};
    }
    *out = features;
    *out_count = count ? count : 1;
    return HCBR_OK;
}

static hcbr_status show_tests(hcbr_i_account *x, const hcbr_i_group *g, hcbr_explained_atom *out,
                              hcbr_error *err) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    uint32_t term = r->order[g->first];
    const hcbr_i_rich_test *tests = r->tests + r->test_start[term];
    size_t count = r->test_start[term + 1] - r->test_start[term];
    out->kind = HCBR_ATOM_TESTS;
    out->all_features = (uint32_t)count;
    out->weight = (double)count_tested(r, tests, count) / (double)r->feature_count;
    if (r->added)
        out->case_count = hcbr_i_rich_have_tests(r->causes, r->names, tests, count);
    return hcbr_i_reasons_test_features(x, tests, count, &out->features, &out->feature_count, err);
}

static int compare_ranked(const void *a, const void *b) {
    const hcbr_i_ranked *p = a, *q = b;
    double x = fabs(p->lead), y = fabs(q->lead);
    if (x != y)
        return x > y ? -1 : 1;
    return (p->case_of > q->case_of) - (p->case_of < q->case_of);
}

static hcbr_status show_ranked(hcbr_i_account *x, hcbr_i_group *g, hcbr_explained_atom *out,
                               hcbr_error *err) {
    uint32_t labels = x->frame.label_count, k = hcbr_i_reasons_of(x)->rich->outputs;
    hcbr_explained_case *cases = hcbr_i_account_take(x, g->ranked_count, sizeof *cases);
    double *influence = hcbr_i_account_take(x, g->ranked_count, labels * sizeof *influence);
    if (!cases || !influence)
        return hcbr_i_no_memory(err);
    if (g->ranked_count)
        qsort(g->ranked, g->ranked_count, sizeof *g->ranked, compare_ranked);
    for (size_t n = 0; n < g->ranked_count; n++) {
        const hcbr_i_ranked *past = &g->ranked[n];
        double *by_label = influence + n * labels;
        hcbr_i_reasons_by_label(x, g->influence + (size_t)past->at * k, 1, by_label);
        cases[n] = hcbr_i_frame_case(&x->frame, past->case_of);
        cases[n].influence = by_label;
        cases[n].lead = past->lead;
    }
    out->cases = cases;
    out->shown_cases = g->ranked_count;
    return HCBR_OK;
}

static hcbr_status show_group(hcbr_i_account *x, hcbr_i_group *g, hcbr_explained_atom *out,
                              hcbr_error *err) {
    const hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    uint32_t labels = x->frame.label_count, k = hcbr_i_reasons_of(x)->rich->outputs;
    double *contribution = hcbr_i_account_take(x, labels, sizeof *contribution);
    double *by_output = hcbr_i_account_take(x, k, sizeof *by_output);
    if (!contribution || !by_output)
        return hcbr_i_no_memory(err);
    add_terms(x, g, by_output, contribution);
    *out = (hcbr_explained_atom){.atom = UINT32_MAX, .lead = g->lead, .contribution = contribution};
    hcbr_status st = count_atoms(r, g) ? show_features(x, g, out, err) : show_tests(x, g, out, err);
    return st == HCBR_OK && r->causes ? show_ranked(x, g, out, err) : st;
}

hcbr_status hcbr_i_reasons_show(hcbr_i_account *x, hcbr_explanation *e, hcbr_error *err) {
    hcbr_i_reasons *r = hcbr_i_reasons_of(x);
    hcbr_explained_atom *out = hcbr_i_account_take(x, r->shown, sizeof *out);
    hcbr_status st = out ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t g = 0; st == HCBR_OK && g < r->shown; g++)
        st = show_group(x, &r->groups[g], &out[g], err);
    e->atoms = out;
    e->atom_count = r->shown;
    e->all_atoms = r->group_count;
    return st;
}
