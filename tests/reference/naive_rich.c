/* The model as a whole: constants, families one after the other, the stack of them, and what past
 * cases get from fold models that have not seen them. */
#include "reference/naive_rich.h"

#include "rich/rich_math.h"

#include <stdlib.h>

#define ALL_FOLDS ((1u << NAIVE_FOLDS) - 1)

/* ---- arithmetic ------------------------------------------------------------------------------ */

uint32_t naive_outputs(uint32_t labels) {
    return labels == 2 ? 1 : labels;
}

uint64_t naive_mix(uint64_t x) {
    x += 0x9E3779B97F4A7C15u;
    x ^= x >> 30;
    x *= 0xBF58476D1CE4E5B9u;
    x ^= x >> 27;
    x *= 0x94D049BB133111EBu;
    return x ^ x >> 31;
}

double naive_round(double x, double grid) {
    return nearbyint(x / grid) * grid;
}

double naive_exp(double x) {
    return hcbr_i_rich_exp(x);
}

double naive_log(double x) {
    return hcbr_i_log(x);
}

double naive_power_less(double x, double y) {
    return hcbr_i_exp(y * hcbr_i_log1p(-x));
}

/* The sum of some doubles, rounded once (J. R. Shewchuk 1997): parts that do not overlap are kept
 * of it, then added from the largest down; what is left tells how a tie is rounded. */
double naive_sum(const double *x, uint32_t n) {
    double part[NAIVE_ROWS + 1];
    uint32_t parts = 0;
    for (uint32_t i = 0; i < n; i++) {
        double a = x[i];
        uint32_t kept = 0;
        for (uint32_t j = 0; j < parts; j++) {
            double b = part[j];
            if (fabs(a) < fabs(b)) {
                double c = a;
                a = b;
                b = c;
            }
            volatile double sum = a + b, part_of_b = sum - a;
            double lost = b - part_of_b;
            if (lost != 0)
                part[kept++] = lost;
            a = sum;
        }
        parts = kept;
        part[parts++] = a;
    }
    double sum = 0, lost = 0;
    while (parts > 0 && lost == 0) {
        double before = sum, next = part[--parts];
        volatile double all = before + next, part_of_next = all - before;
        sum = all;
        lost = next - part_of_next;
    }
    if (parts > 0 && ((lost < 0 && part[parts - 1] < 0) || (lost > 0 && part[parts - 1] > 0))) {
        volatile double twice = lost * 2, all = sum + twice;
        if (all - sum == twice)
            sum = all;
    }
    return sum;
}

void naive_softmax(const double *support, uint32_t k, double *share) {
    double most = support[0], sum = 0;
    for (uint32_t l = 1; l < k; l++)
        most = fmax(most, support[l]);
    for (uint32_t l = 0; l < k; l++) {
        share[l] = naive_exp(support[l] - most);
        sum += share[l];
    }
    for (uint32_t l = 0; l < k; l++)
        share[l] /= sum;
}

/* ---- constants ------------------------------------------------------------------------------- */

hcbr_i_rich_tuning naive_tuning(hcbr_i_rich_effort effort) {
    bool lite = effort == HCBR_I_RICH_LITE, max = effort == HCBR_I_RICH_MAX;
    hcbr_i_rich_tuning t;
    memset(&t, 0, sizeof t);
    t.family[0] = t.family[2] = true;
    t.family[1] = !lite;
    t.fewest_numbers = 3;
    t.linear_cuts = 16;
    t.linear_passes = 20;
    t.linear_precision = 0.2;
    t.linear_c = 10;
    t.newton = 200;
    t.depth[0] = t.depth[1] = 6;
    t.most_trees = max ? 1500 : 500;
    t.patience = max ? 36 : 12;
    t.stop_gain = 0.0005;
    t.rate = max ? 0.1 : 0.2;
    t.draw = 0.85;
    t.least_draw = 0.4;
    t.most_drawn = 80000;
    t.columns = 0.35;
    t.fewest_columns = 8;
    t.lambda = 1;
    t.least_h = 0.3;
    t.cuts = 2;
    t.cases_per_cut = 200;
    t.forest_trees = lite ? 60 : max ? 300 : 100;
    t.forest_prior = 1;
    t.forest_least = 1;
    t.forest_cases = 30000;
    t.forest_first = 0.2;
    t.forest_trust = 0.1;
    t.linear_trust = 0.1;
    t.forest_cuts = 1;
    t.forest_columns = 1;
    t.stack_pull = 5;
    t.stack_cases = 65536;
    t.stack_many = 8192;
    t.laid = 2000;
    t.medium = 2000;
    t.large = 10000;
    t.many = 64;
    t.rivals = 64;
    t.samples = 1 << 20;
    t.fewest_samples = 256;
    return t;
}

/* Many rows allow larger steps and deeper trees, and need less chance; many labels a stronger pull
 * of each case. */
static void adapt(hcbr_i_rich_tuning *t, uint32_t rows, uint32_t labels) {
    bool medium = rows >= t->medium, large = rows >= t->large;
    if (labels > 2)
        t->linear_c *= fmin(labels, t->many) / 2;
    t->rate *= medium ? 1.25 : 1;
    t->draw = medium ? 1 : t->draw;
    t->cuts *= medium ? 4 : 1;
    t->depth[1] += medium ? 6 : 0;
    t->most_trees /= medium ? 4 : 1;
    t->forest_trees /= medium ? 2 : 1;
    t->most_trees = large ? t->most_trees * 3 / 5 : t->most_trees;
    t->forest_least *= large ? 2 : 1;
    t->forest_trust *= large ? 3 : 1;
    t->columns = large && labels == 2 ? 1 - 1e-15 : t->columns; // all of them
    t->draw = large ? fmin(t->draw, fmax(t->least_draw, t->most_drawn / rows)) : t->draw;
}

/* ---- training -------------------------------------------------------------------------------- */

/* The stack learns from cases at equal distances: no more than so many; with many labels as many as
 * give so many numbers, but not too few. */
static void choose_looked(const naive_table *t, const hcbr_i_rich_tuning *tuning, bool all,
                          bool looked[NAIVE_ROWS]) {
    uint32_t most = tuning->samples / t->labels;
    most = most > tuning->fewest_samples ? most : tuning->fewest_samples;
    most = t->labels <= tuning->many ? tuning->stack_cases : most;
    all |= t->rows <= most;
    for (uint32_t i = 0; i < NAIVE_ROWS; i++)
        looked[i] = all;
    for (uint32_t j = 0; !all && j < most; j++)
        looked[j * t->rows / most] = true;
}

static void free_forest(naive_forest *forest) {
    for (uint32_t i = 0; i < forest->trees; i++)
        free(forest->tree[i].node);
    free(forest->tree);
}

/* Where all fold models see all, a case is taken out of what they say of it. */
static void leave_out(const naive_table *t, naive_held *held) {
    for (uint32_t i = 0; t->all_seen && i < t->rows; i++) {
        uint32_t own = t->row[i].label;
        if (t->labels == 2)
            held->support[i][0] += own ? -t->row[i].self : t->row[i].self;
        else
            held->support[i][own] -= t->row[i].self;
    }
}

/* Of many cases a part of the trees of the forest comes first; the others only if these are
 * trusted. */
static void fit_forest(naive_model *m, const hcbr_i_rich_tuning *t, uint64_t seed,
                       naive_held *const held[NAIVE_FAMILIES], const bool looked[NAIVE_ROWS]) {
    hcbr_i_rich_tuning first = *t;
    bool tried = m->table.rows >= t->medium && m->on[1];
    if (tried)
        first.forest_trees = (uint32_t)ceil(t->forest_first * t->forest_trees);
    naive_forest_fit(&m->forest, &m->table, &first, seed, held[2]);
    leave_out(&m->table, held[2]);
    if (!tried)
        return;
    naive_stack_fit(&m->stack, &m->table, t, m->on, held, looked, ALL_FOLDS, 1);
    if (m->stack.trust[2] < t->forest_trust)
        return;
    free_forest(&m->forest);
    naive_forest_fit(&m->forest, &m->table, t, seed, held[2]);
    leave_out(&m->table, held[2]);
}

/* Of many cases single tests stay only if those of the first fold model are trusted beside boosted
 * trees. */
static bool atoms_add(const naive_model *m, const hcbr_i_rich_tuning *t,
                      naive_held *const held[NAIVE_FAMILIES], const bool looked[NAIVE_ROWS]) {
    const bool on[NAIVE_FAMILIES] = {true, true, false};
    naive_stack stack;
    if (m->table.rows < t->medium || !m->on[1] || m->table.labels > t->many)
        return true;
    naive_stack_fit(&stack, &m->table, t, on, held, looked, 1, 1);
    return stack.trust[0] >= t->linear_trust;
}

/* For each fold a stack that is learnt on the others; of many cases on every eighth. */
static void fit_honest(naive_model *m, const hcbr_i_rich_tuning *t, const bool looked[NAIVE_ROWS]) {
    naive_held *const held[NAIVE_FAMILIES] = {&m->held[0], &m->honest_boosted, &m->held[2]};
    uint32_t cases = 0;
    for (uint32_t i = 0; i < m->table.rows; i++)
        cases += looked[i];
    for (uint32_t k = 0; k < NAIVE_FOLDS; k++) {
        uint32_t others = ALL_FOLDS & ~(1u << k), every = cases >= t->stack_many ? 8 : 1;
        naive_stack_fit(&m->honest[k], &m->table, t, m->on, held, looked, others, every);
        naive_temperature(&m->honest[k], &m->table, m->on, held, looked, others, every);
    }
}

naive_model *naive_train(const naive_data *data, const hcbr_i_rich_tuning *tuning, uint64_t seed,
                         bool all) {
    bool looked[NAIVE_ROWS];
    naive_model *m = calloc(1, sizeof *m);
    hcbr_i_rich_tuning t = *tuning;
    naive_held *const held[NAIVE_FAMILIES] = {&m->held[0], &m->held[1], &m->held[2]};
    naive_encode(&m->table, data, t.fewest_numbers, seed);
    if (m->table.rows == 0 || data->labels < 2)
        return m; // nothing to learn
    adapt(&t, m->table.rows, data->labels);
    memcpy(m->on, t.family, sizeof m->on);
    if (m->on[0])
        naive_linear_fit(&m->linear, &m->table, &t, seed, held[0]);
    if (m->on[1])
        naive_boost_fit(m->boosted, &m->table, &t, seed, held[1], &m->honest_boosted);
    leave_out(&m->table, held[1]);
    leave_out(&m->table, &m->honest_boosted);
    choose_looked(&m->table, &t, all, looked);
    m->on[0] = m->on[0] && atoms_add(m, &t, held, looked);
    leave_out(&m->table, held[0]);
    if (m->on[2])
        fit_forest(m, &t, seed, held, looked);
    naive_stack_fit(&m->stack, &m->table, &t, m->on, held, looked, ALL_FOLDS, 1);
    naive_temperature(&m->stack, &m->table, m->on, held, looked, ALL_FOLDS, 1);
    fit_honest(m, &t, looked);
    return m;
}

void naive_free(naive_model *m) {
    for (uint32_t k = 0; k < NAIVE_FOLDS; k++) {
        for (uint32_t i = 0; i < m->boosted[k].trees; i++)
            free(m->boosted[k].tree[i].node);
        free(m->boosted[k].tree);
    }
    free_forest(&m->forest);
    free(m);
}

/* ---- scoring --------------------------------------------------------------------------------- */

static void probabilities(const naive_stack *stack, uint32_t labels, const double *support,
                          double *probability) {
    double z[NAIVE_LABELS] = {0, support[0]};
    for (uint32_t l = 0; labels > 2 && l < labels; l++) {
        double size = naive_size(support, labels), by = 1;
        if (stack->power > 0 && size >= 0x1p-200)
            by = stack->scale * naive_exp(-stack->power * naive_log(size));
        z[l] = by * support[l];
    }
    naive_softmax(z, labels, probability);
}

void naive_score(const naive_model *m, const naive_case *from, double *support, double *probability,
                 double parts[NAIVE_FAMILIES][NAIVE_LABELS]) {
    naive_row row;
    naive_encode_case(&m->table, from, &row);
    if (m->on[0])
        naive_linear_support(&m->linear, &m->table, &row, parts[0]);
    if (m->on[1])
        naive_boost_support(m->boosted, &m->table, &row, parts[1]);
    if (m->on[2])
        naive_forest_support(&m->forest, &m->table, &row, parts[2]);
    for (uint32_t l = 0; l < naive_outputs(m->table.labels); l++) {
        support[l] = m->stack.bias[l];
        for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
            support[l] += m->on[f] ? m->stack.trust[f] * parts[f][l] : 0;
    }
    probabilities(&m->stack, m->table.labels, support, probability);
}

void naive_honest(const naive_model *m, uint32_t row, double *probability) {
    const naive_stack *stack = &m->honest[m->table.row[row].fold];
    const naive_held *held[NAIVE_FAMILIES] = {&m->held[0], &m->honest_boosted, &m->held[2]};
    double support[NAIVE_LABELS];
    for (uint32_t l = 0; l < naive_outputs(m->table.labels); l++) {
        support[l] = stack->bias[l];
        for (uint32_t f = 0; f < NAIVE_FAMILIES; f++)
            support[l] += m->on[f] ? stack->trust[f] * held[f]->support[row][l] : 0;
    }
    probabilities(stack, m->table.labels, support, probability);
}
