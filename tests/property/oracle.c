/*
 * Computes METHOD 2, 3 and 4 from the definitions in exact rationals.
 *
 * Invariant: no rounding anywhere; a double enters only as a threshold, which is itself exact.
 */
#include "oracle.h"

#include <string.h>

int oracle_size(uint64_t set) {
    int n = 0;
    for (; set; set &= set - 1)
        n++;
    return n;
}

void oracle_init(oracle *o) {
    memset(o, 0, sizeof *o);
    for (int l = 0; l < ORACLE_LABELS; l++) {
        for (int e = 0; e < ORACLE_FEATURES; e++) {
            mpq_init(o->strength[e][l]);
            mpq_init(o->mu[e][l]);
        }
        mpq_init(o->total[l]);
        mpq_init(o->support[l]);
    }
    mpq_init(o->a);
    mpq_init(o->b);
    mpq_init(o->c);
}

void oracle_clear(oracle *o) {
    for (int l = 0; l < ORACLE_LABELS; l++) {
        for (int e = 0; e < ORACLE_FEATURES; e++) {
            mpq_clear(o->strength[e][l]);
            mpq_clear(o->mu[e][l]);
        }
        mpq_clear(o->total[l]);
        mpq_clear(o->support[l]);
    }
    mpq_clear(o->a);
    mpq_clear(o->b);
    mpq_clear(o->c);
}

static bool same_cases(const oracle_base *base, int f, int g) {
    for (int i = 0; i < base->cases; i++)
        if ((base->set[i] >> f & 1) != (base->set[i] >> g & 1))
            return false;
    return true;
}

/* METHOD 2.1, by its words. */
static void partition(oracle *o) {
    const oracle_base *base = o->base;
    uint64_t used = 0;
    for (int i = 0; i < base->cases; i++)
        used |= base->set[i];
    o->known = oracle_size(used);
    o->atoms = 0;
    for (int f = 0; f < base->features; f++) {
        o->atom_of[f] = -1;
        if (!(used >> f & 1))
            continue;
        for (int g = 0; g < f && o->atom_of[f] < 0; g++)
            if (o->atom_of[g] >= 0 && same_cases(base, f, g))
                o->atom_of[f] = o->atom_of[g];
        if (o->atom_of[f] < 0) {
            o->atom[o->atoms] = 0;
            o->atom_of[f] = o->atoms++;
        }
        o->atom[o->atom_of[f]] |= (uint64_t)1 << f;
    }
}

void oracle_refine(const oracle_base *base, int block[ORACLE_FEATURES]) {
    uint64_t used = 0;
    int blocks = 1;
    for (int i = 0; i < base->cases; i++)
        used |= base->set[i];
    for (int f = 0; f < base->features; f++)
        block[f] = used >> f & 1 ? 0 : -1;
    for (int i = 0; i < base->cases; i++) {
        int old = blocks;
        for (int b = 0; b < old; b++) { /* the part of block b inside case i becomes a new block */
            int inside = 0, outside = 0;
            for (int f = 0; f < base->features; f++)
                if (block[f] == b)
                    *(base->set[i] >> f & 1 ? &inside : &outside) += 1;
            if (inside == 0 || outside == 0)
                continue;
            for (int f = 0; f < base->features; f++)
                if (block[f] == b && base->set[i] >> f & 1)
                    block[f] = blocks;
            blocks++;
        }
    }
}

/* METHOD 2.2: whether a case contains an atom is asked of one of its features. */
static bool contains(const oracle *o, int i, int e) {
    return (o->base->set[i] & o->atom[e]) != 0;
}

static void count(oracle *o) {
    memset(o->d, 0, sizeof o->d);
    for (int e = 0; e < o->atoms; e++)
        for (int i = 0; i < o->base->cases; i++)
            if (contains(o, i, e))
                o->d[e][o->base->label[i]]++;
}

/* METHOD 2.3: adds the share of each atom in case i to the running sums of label l. */
static void add_case(oracle *o, int i, int l) {
    unsigned long sum = 0;
    for (int e = 0; e < o->atoms; e++)
        sum += (unsigned long)(o->d[e][l] * oracle_size(o->base->set[i] & o->atom[e]));
    if (sum == 0)
        return;
    for (int e = 0; e < o->atoms; e++) {
        int n = oracle_size(o->base->set[i] & o->atom[e]);
        if (n == 0 || o->d[e][l] == 0)
            continue;
        mpq_set_ui(o->a, (unsigned long)(o->d[e][l] * n), sum);
        mpq_canonicalize(o->a);
        mpq_add(o->strength[e][l], o->strength[e][l], o->a);
    }
}

void oracle_build(oracle *o, const oracle_base *base, bool scope_all) {
    o->base = base;
    o->close = false;
    partition(o);
    count(o);
    for (int l = 0; l < base->labels; l++) {
        mpq_set_ui(o->total[l], 0, 1);
        for (int e = 0; e < o->atoms; e++)
            mpq_set_ui(o->strength[e][l], 0, 1);
        for (int i = 0; i < base->cases; i++)
            if (scope_all || base->label[i] == l)
                add_case(o, i, l);
        for (int e = 0; e < o->atoms; e++) {
            mpq_set_ui(o->a, (unsigned long)oracle_size(o->atom[e]), (unsigned long)o->known);
            mpq_canonicalize(o->a);
            mpq_mul(o->strength[e][l], o->strength[e][l], o->a);
            mpq_add(o->total[l], o->total[l], o->strength[e][l]);
        }
        for (int e = 0; e < o->atoms; e++) {
            if (mpq_sgn(o->total[l]) == 0)
                mpq_set_ui(o->mu[e][l], 0, 1);
            else
                mpq_div(o->mu[e][l], o->strength[e][l], o->total[l]);
        }
    }
}

void oracle_support(oracle *o, uint64_t set, int unseen) {
    int size = oracle_size(set) + unseen;
    for (int l = 0; l < o->base->labels; l++) {
        mpq_set_ui(o->support[l], 0, 1);
        for (int e = 0; e < o->atoms; e++) {
            int n = oracle_size(set & o->atom[e]);
            if (n == 0)
                continue;
            mpq_set_ui(o->a, (unsigned long)n, (unsigned long)size);
            mpq_canonicalize(o->a);
            mpq_mul(o->a, o->a, o->mu[e][l]);
            mpq_add(o->support[l], o->support[l], o->a);
        }
    }
}

/* c = sum of w(e,x) |mu^(l)(e) - mu^(m)(e)| */
static void sum_of_terms(oracle *o, uint64_t set, int unseen, int l, int m) {
    int size = oracle_size(set) + unseen;
    mpq_set_ui(o->c, 0, 1);
    for (int e = 0; e < o->atoms; e++) {
        int n = oracle_size(set & o->atom[e]);
        if (n == 0)
            continue;
        mpq_sub(o->a, o->mu[e][l], o->mu[e][m]);
        mpq_abs(o->a, o->a);
        mpq_set_ui(o->b, (unsigned long)n, (unsigned long)size);
        mpq_canonicalize(o->b);
        mpq_mul(o->a, o->a, o->b);
        mpq_add(o->c, o->c, o->a);
    }
}

int oracle_winner(oracle *o, uint64_t set, int unseen) {
    int most = ORACLE_UNKNOWN, equal = 0;
    for (int l = 0; l < o->base->labels; l++) {
        if (mpq_sgn(o->total[l]) == 0)
            continue; /* no non-empty case: never wins */
        int order = most < 0 ? 1 : mpq_cmp(o->support[l], o->support[most]);
        if (order > 0) {
            most = l;
            equal = 0;
        } else if (order == 0) {
            equal++;
        }
    }
    o->decisions++;
    o->ties += equal > 0;
    for (int l = 0; l < most; l++) {
        if (mpq_sgn(o->total[l]) == 0)
            continue;
        sum_of_terms(o, set, unseen, l, most);
        mpq_sub(o->a, o->support[most], o->support[l]); /* > 0: most is the first of equals */
        mpq_mul_2exp(o->b, o->a, 40);
        int order = mpq_cmp(o->b, o->c);
        mpq_mul_2exp(o->b, o->a, 41);
        mpq_mul_2exp(o->a, o->a, 39);
        if (mpq_cmp(o->b, o->c) > 0 && mpq_cmp(o->a, o->c) < 0)
            o->close = true;
        if (order <= 0) {
            o->near++;
            return l;
        }
    }
    return most;
}

uint64_t oracle_pass(oracle *o, const uint32_t *order) {
    uint64_t wrong = 0;
    for (int k = 0; k < o->base->cases; k++) {
        int i = (int)order[k];
        uint64_t set = o->base->set[i];
        if (set == 0)
            continue;
        oracle_support(o, set, 0);
        int decided = oracle_winner(o, set, 0), own = o->base->label[i];
        if (decided == own)
            continue;
        wrong++;
        for (int e = 0; e < o->atoms; e++) {
            int n = oracle_size(set & o->atom[e]);
            if (n == 0)
                continue;
            mpq_sub(o->a, o->mu[e][own], o->mu[e][decided]);
            mpq_abs(o->a, o->a);
            mpq_set_ui(o->b, (unsigned long)n, (unsigned long)oracle_size(set));
            mpq_canonicalize(o->b);
            mpq_mul(o->a, o->a, o->b);
            mpq_add(o->mu[e][own], o->mu[e][own], o->a);
            mpq_sub(o->mu[e][decided], o->mu[e][decided], o->a);
        }
    }
    return wrong;
}

int oracle_prior(const oracle_base *base) {
    int cases[ORACLE_LABELS] = {0}, most = 0;
    for (int i = 0; i < base->cases; i++)
        cases[base->label[i]]++;
    for (int l = 1; l < base->labels; l++)
        if (cases[l] > cases[most])
            most = l;
    return most;
}

/* The majority label of the known cases equal to this one, ORACLE_UNKNOWN for none or a tie. */
static int remember(const oracle_base *base, uint64_t set) {
    int cases[ORACLE_LABELS] = {0}, most = 0;
    for (int i = 0; i < base->cases; i++)
        if (base->set[i] == set)
            cases[base->label[i]]++;
    for (int l = 1; l < base->labels; l++)
        if (cases[l] > cases[most])
            most = l;
    for (int l = 0; l < base->labels; l++)
        if (l != most && cases[l] == cases[most])
            return ORACLE_UNKNOWN;
    return cases[most] > 0 ? most : ORACLE_UNKNOWN;
}

/* Is a > b? Says also whether they are within 1e-12 of each other. */
static bool above(oracle *o, const mpq_t x, const mpq_t y, bool *close) {
    mpq_sub(o->c, x, y);
    double difference = mpq_get_d(o->c);
    if (difference < 1e-12 && difference > -1e-12)
        *close = true;
    return mpq_sgn(o->c) > 0;
}

/* R2 on the winner: ORACLE_SUPPORT if it keeps its label. */
static oracle_reason thresholds(oracle *o, const oracle_rule *rule, int winner, bool *close) {
    bool near = false;
    mpq_set_d(o->a, rule->eta[winner]);
    bool enough = above(o, o->support[winner], o->a, &near);
    *close |= near && rule->eta[winner] > 0;
    if (!enough)
        return ORACLE_LEAST;
    int other = ORACLE_UNKNOWN;
    for (int l = 0; l < o->base->labels; l++)
        if (l != winner && (other < 0 || mpq_cmp(o->support[l], o->support[other]) > 0))
            other = l;
    if (other < 0 || rule->eta_share[winner] <= 0)
        return ORACLE_SUPPORT;
    mpq_set_d(o->a, rule->eta_share[winner]);
    mpq_set_ui(o->b, 1, 1);
    mpq_sub(o->b, o->b, o->a);
    mpq_mul(o->a, o->a, o->support[other]);
    mpq_mul(o->b, o->b, o->support[winner]);
    return above(o, o->b, o->a, close) ? ORACLE_SUPPORT : ORACLE_SHARE;
}

oracle_decision oracle_decide(oracle *o, const oracle_rule *rule, uint64_t set, int unseen) {
    oracle_decision out = {rule->on_nothing, ORACLE_UNKNOWN, ORACLE_NOTHING, false};
    int touched = 0;
    for (int e = 0; e < o->atoms; e++)
        touched += (set & o->atom[e]) != 0;
    oracle_support(o, set, unseen);
    if (touched == 0) {
        if (set == 0 && unseen == 0)
            out.reason = ORACLE_EMPTY;
        return out;
    }
    bool close = o->close;
    o->close = false;
    out.winner = oracle_winner(o, set, unseen);
    out.close = o->close;
    o->close = close;
    int known = rule->memory && unseen == 0 ? remember(o->base, set) : ORACLE_UNKNOWN;
    if (known != ORACLE_UNKNOWN) {
        out.label = known;
        out.reason = ORACLE_MEMORY;
        return out;
    }
    out.reason = thresholds(o, rule, out.winner, &out.close);
    out.label = out.reason == ORACLE_SUPPORT ? out.winner : rule->fallback[out.winner];
    return out;
}
