/*
 * Bounds of supports (support_bound.h). A tree is followed both ways at a test of a free variable
 * that is still undecided; earlier tests on the path narrow the set of its codes, so every leaf
 * reached can be reached by some case, as far as one tree is concerned. Bounds of trees, tables and
 * families are then added up, each taken by itself.
 *
 * Invariant: between calls the set of every free variable is everything.
 */
#include "rich/score/support_bound.h"

#include <math.h>

#define WORDS (HCBR_I_RICH_CODES / 64)

/* Codes that a variable may have; a member has bit 0 for absent and bit 1 for present. */
typedef struct codes {
    uint64_t word[WORDS];
} codes;

struct hcbr_i_rich_bound {
    const hcbr_i_rich *rich;
    uint32_t *open;  /* by variable: how often it was let go */
    uint32_t *place; /* by variable: its set, if it was let go */
    codes *sets;
    uint32_t *list; /* by set: its variable */
    size_t set_count, set_capacity, list_capacity;
    uint32_t *in_bag, stamp;
    double *low; /* by other label: least value of the label less that one; of the current family */
    double *leaf;
    double *share; /* of the forest: the least share of the label, the largest of the others */
    double *said;  /* of one of their leaves */
    double *total; /* as low, of all families */
    const hcbr_i_rich_row *row;
    uint32_t label;
    uint64_t visits;
};

/* ---- life ------------------------------------------------------------------------------------ */

void hcbr_i_rich_bound_free(hcbr_i_rich_bound *b) {
    if (!b)
        return;
    hcbr_i_free(b->open);
    hcbr_i_free(b->place);
    hcbr_i_free(b->sets);
    hcbr_i_free(b->list);
    hcbr_i_free(b->in_bag);
    hcbr_i_free(b->low);
    hcbr_i_free(b->leaf);
    hcbr_i_free(b->share);
    hcbr_i_free(b->said);
    hcbr_i_free(b->total);
    hcbr_i_free(b);
}

hcbr_status hcbr_i_rich_bound_create(hcbr_i_rich_bound **out, const hcbr_i_rich *rich,
                                     hcbr_error *err) {
    size_t variables = (size_t)rich->encoder.column_count + rich->encoder.bag_count;
    hcbr_i_rich_bound *b = hcbr_i_alloc_zero(1, sizeof *b);
    *out = NULL;
    if (!b)
        return hcbr_i_no_memory(err);
    b->rich = rich;
    b->open = hcbr_i_alloc_zero(variables, sizeof *b->open);
    b->place = hcbr_i_alloc_zero(variables, sizeof *b->place);
    b->in_bag = hcbr_i_alloc_zero(rich->encoder.bag_count, sizeof *b->in_bag);
    b->low = hcbr_i_alloc(rich->labels, sizeof *b->low);
    b->leaf = hcbr_i_alloc(rich->labels, sizeof *b->leaf);
    b->share = hcbr_i_alloc(rich->labels, sizeof *b->share);
    b->said = hcbr_i_alloc(rich->labels, sizeof *b->said);
    b->total = hcbr_i_alloc(rich->labels, sizeof *b->total);
    if (!b->open || !b->place || !b->in_bag || !b->low || !b->leaf || !b->share || !b->said ||
        !b->total) {
        hcbr_i_rich_bound_free(b);
        return hcbr_i_no_memory(err);
    }
    *out = b;
    return HCBR_OK;
}

/* ---- released variables ---------------------------------------------------------------------- */

static codes everything(const hcbr_i_rich_bound *b, uint32_t variable) {
    uint32_t columns = b->rich->encoder.column_count;
    uint32_t most = variable < columns ? b->rich->encoder.columns[variable].codes : 1;
    codes all = {{0}};
    hcbr_i_rich_add_codes(all.word, 0, most);
    return all;
}

bool hcbr_i_rich_bound_let(hcbr_i_rich_bound *b, uint32_t variable) {
    if (b->open[variable]) {
        b->open[variable]++;
        return true;
    }
    if (!hcbr_i_grow(&b->sets, &b->set_capacity, b->set_count + 1, sizeof *b->sets) ||
        !hcbr_i_grow(&b->list, &b->list_capacity, b->set_count + 1, sizeof *b->list))
        return false;
    b->open[variable] = 1;
    b->place[variable] = (uint32_t)b->set_count;
    b->list[b->set_count] = variable;
    b->sets[b->set_count++] = everything(b, variable);
    return true;
}

void hcbr_i_rich_bound_hold(hcbr_i_rich_bound *b, uint32_t variable) {
    if (--b->open[variable])
        return;
    uint32_t at = b->place[variable], last = b->list[--b->set_count];
    b->sets[at] = b->sets[b->set_count];
    b->list[at] = last;
    b->place[last] = at;
}

/* ---- trees ----------------------------------------------------------------------------------- */

static codes tested(const hcbr_i_rich_bound *b, const hcbr_i_rich_node *node) {
    bool member = node->test >= b->rich->encoder.column_count;
    codes set = {{0}};
    hcbr_i_rich_add_codes(set.word, member ? 1 : node->lo, member ? 1 : node->hi);
    return set;
}

/* Whether the test holds (1), does not (0), or may (2). */
static int ask(const hcbr_i_rich_bound *b, const hcbr_i_rich_node *node, codes *yes, codes *no) {
    if (!b->open[node->test])
        return hcbr_i_rich_holds(node, b->row->codes, b->rich->encoder.column_count, b->in_bag,
                                 b->stamp);
    const codes *set = &b->sets[b->place[node->test]];
    codes test = tested(b, node);
    uint64_t some = 0, rest = 0;
    for (uint32_t w = 0; w < WORDS; w++) {
        some |= yes->word[w] = set->word[w] & test.word[w];
        rest |= no->word[w] = set->word[w] & ~test.word[w];
    }
    return some && rest ? 2 : some != 0;
}

/* A reachable leaf: update the bounds of the current tree, in b->leaf. */
static void meet(hcbr_i_rich_bound *b, const double *value, bool shares) {
    uint32_t k = b->rich->outputs, label = b->label;
    if (k == 1) {
        double towards = label ? value[0] : -value[0];
        b->leaf[0] = fmin(b->leaf[0], towards);
        return;
    }
    for (uint32_t l = 0; l < k; l++)
        if (!shares)
            b->leaf[l] = fmin(b->leaf[l], value[label] - value[l]);
        else
            b->leaf[l] = l == label ? fmin(b->leaf[l], value[l]) : fmax(b->leaf[l], value[l]);
}

/* Visit the reachable leaves below a node. Sets only shrink on the path, so the depth is limited by
 * their codes. */
static void walk(hcbr_i_rich_bound *b, const hcbr_i_rich_forest *f, uint32_t at, bool shares) {
    for (;;) {
        const hcbr_i_rich_node *node = &f->nodes[at];
        codes yes, no;
        b->visits++;
        if (node->test == HCBR_I_RICH_LEAF) {
            if (shares)
                hcbr_i_rich_leaf_shares(b->rich, node->no, b->said);
            meet(b, shares ? b->said : f->values + (size_t)node->no * f->outputs, shares);
            return;
        }
        int holds = ask(b, node, &yes, &no);
        if (holds == 2) {
            codes *set = &b->sets[b->place[node->test]], before = *set;
            *set = yes;
            walk(b, f, at + 1, shares);
            *set = no;
            walk(b, f, node->no, shares);
            *set = before;
            return;
        }
        at = holds ? at + 1 : node->no;
    }
}

/* Add the limits of the trees of a forest to `to`, and their size to *absolute. */
static void add_forest(hcbr_i_rich_bound *b, const hcbr_i_rich_forest *f, bool shares, double *to,
                       double *absolute) {
    uint32_t k = b->rich->outputs;
    for (size_t tree = 0; tree < f->tree_count; tree++) {
        for (uint32_t l = 0; l < k; l++)
            b->leaf[l] = shares && k > 1 && l != b->label ? -INFINITY : INFINITY;
        walk(b, f, f->start[tree], shares);
        for (uint32_t l = 0; l < k; l++) {
            to[l] += b->leaf[l];
            *absolute += fabs(b->leaf[l]);
        }
    }
}

/* ---- families -------------------------------------------------------------------------------- */

/* The contribution of an entry of the linear model to the label, less that to label l. */
static double towards(const hcbr_i_rich_bound *b, size_t entry, uint32_t l) {
    const hcbr_i_rich_linear *a = &b->rich->linear;
    if (a->outputs == 1)
        return b->label ? a->strength[entry] : -a->strength[entry];
    return hcbr_i_rich_linear_get(a, entry, b->label) - hcbr_i_rich_linear_get(a, entry, l);
}

/* The least of a column's entries. */
static double least_of(const hcbr_i_rich_bound *b, uint32_t column, uint32_t l) {
    const hcbr_i_rich_linear *a = &b->rich->linear;
    const uint8_t *coarse = a->coarse + (size_t)column * HCBR_I_RICH_CODES;
    double least = INFINITY;
    for (uint32_t code = 0; code <= b->rich->encoder.columns[column].codes; code++)
        least = fmin(least, towards(b, (size_t)a->place[column] + coarse[code], l));
    return least;
}

static void add_atoms(hcbr_i_rich_bound *b, double *to, double *absolute) {
    const hcbr_i_rich_linear *a = &b->rich->linear;
    const hcbr_i_rich_row *row = b->row;
    for (uint32_t l = 0; l < b->rich->outputs; l++) {
        if (b->rich->outputs > 1 && l == b->label)
            continue;
        double sum = 0;
        for (uint32_t c = 0; c < a->columns; c++) {
            const uint8_t *coarse = a->coarse + (size_t)c * HCBR_I_RICH_CODES;
            double value = b->open[c] ? least_of(b, c, l)
                                      : towards(b, (size_t)a->place[c] + coarse[row->codes[c]], l);
            sum += value;
            *absolute += fabs(value);
        }
        for (uint32_t j = 0; j < row->bag_count; j++)
            if (!b->open[a->columns + row->bag[j]]) {
                double value = towards(b, (size_t)a->place[a->columns] + row->bag[j], l);
                sum += value;
                *absolute += fabs(value);
            }
        for (size_t s = 0; s < b->set_count; s++)
            if (b->list[s] >= a->columns) {
                size_t member = b->list[s] - a->columns;
                double value = towards(b, (size_t)a->place[a->columns] + member, l);
                sum += fmin(value, 0);
                *absolute += fabs(value);
            }
        to[l] += b->rich->stack.trust[0] * sum;
    }
}

static void add_boosted(hcbr_i_rich_bound *b, double *to, double *absolute) {
    const hcbr_i_rich_boosted *x = &b->rich->boosted;
    uint32_t k = b->rich->outputs;
    for (uint32_t l = 0; l < k; l++) {
        b->low[l] = 0;
        for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++) {
            const double *start = x->start + (size_t)j * k;
            b->low[l] += k > 1 ? start[b->label] - start[l] : b->label ? start[0] : -start[0];
        }
        *absolute += fabs(b->low[l]);
    }
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        add_forest(b, &x->model[j], false, b->low, absolute);
    for (uint32_t l = 0; l < k; l++)
        to[l] += b->rich->stack.trust[1] * b->low[l] / HCBR_I_RICH_FOLDS;
}

static void add_random_forest(hcbr_i_rich_bound *b, double *to) {
    const hcbr_i_rich_forest *f = &b->rich->forest;
    uint32_t k = b->rich->outputs;
    double trees = (double)f->tree_count, trust = b->rich->stack.trust[2], unused = 0;
    memset(b->share, 0, k * sizeof *b->share);
    if (trust == 0)
        return;
    add_forest(b, f, true, b->share, &unused);
    if (k == 1) { // towards the first label: minus the share of the second
        double share = b->label ? b->share[0] / trees : -b->share[0] / trees;
        double support = hcbr_i_log(share / (1 - share));
        to[0] += trust * (b->label ? support : -support);
        return;
    }
    for (uint32_t l = 0; l < k; l++)
        to[l] += trust * (hcbr_i_log(b->share[b->label] / trees) - hcbr_i_log(b->share[l] / trees));
}

double hcbr_i_rich_bound_lead(hcbr_i_rich_bound *b, const hcbr_i_rich_row *row, uint32_t label,
                              uint64_t *visits) {
    const hcbr_i_rich *r = b->rich;
    const double *bias = r->stack.bias, *trust = r->stack.trust;
    double absolute = 1, least = INFINITY;
    b->row = row;
    b->label = label;
    b->visits = 0;
    if (++b->stamp == 0) {
        memset(b->in_bag, 0, r->encoder.bag_count * sizeof *b->in_bag);
        b->stamp = 1;
    }
    for (uint32_t j = 0; j < row->bag_count; j++)
        b->in_bag[row->bag[j]] = b->stamp;
    for (uint32_t l = 0; l < r->outputs; l++)
        b->total[l] = r->outputs > 1 ? bias[label] - bias[l] : label ? bias[0] : -bias[0];
    if (r->family[0])
        add_atoms(b, b->total, &absolute);
    if (r->family[1])
        add_boosted(b, b->total, &absolute);
    if (r->family[2])
        add_random_forest(b, b->total);
    *visits += b->visits;
    for (uint32_t l = 0; l < r->outputs; l++)
        if (r->outputs == 1 || l != label)
            least = fmin(least, b->total[l]);
    double slack = 1e-11 * absolute * (1 + trust[0] + trust[1] + trust[2]);
    return (r->outputs == 1 ? 2 : 1) * (least - slack);
}
