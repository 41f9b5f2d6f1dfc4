/*
 * All sets of two or three changes of a case of a rich model, by variables: if no values of some
 * variables together can turn the lead (support_bound.h), none of their changes are tried;
 * otherwise the values of one of them are tried one by one, with a new bound for the rest.
 *
 * Variables are sorted by the best effect of one of their changes alone, so that a search that is
 * cut short has likely found most results.
 */
#include "rich/reasons/counterfactual.h"

#include <stdlib.h>

/* Changes of one group. */
typedef struct group {
    uint64_t id;
    uint32_t first, count; /* in members */
    double best;
    uint32_t first_variable, variable_count; /* in variables: those that it may touch */
} group;

typedef struct bounded {
    hcbr_i_trial *t;
    hcbr_i_rich_bound *bound;
    group *groups;
    size_t group_count;
    uint32_t *members; /* choices, group by group, the best first */
    uint32_t *variables;
    size_t variable_count, variable_capacity;
    group *picked[HCBR_I_FLIP_EXACT];
    size_t size;
    bool done;             /* some values of the picked groups are enough */
    uint64_t fixed, score; /* steps of a row; approximate steps of one bound */
    hcbr_error *err;
} bounded;

/* ---- groups ---------------------------------------------------------------------------------- */

static bool add_variable(bounded *b, group *g, uint32_t variable) {
    for (uint32_t i = 0; i < g->variable_count; i++)
        if (b->variables[g->first_variable + i] == variable)
            return true;
    if (!hcbr_i_grow(&b->variables, &b->variable_capacity, b->variable_count + 1,
                     sizeof *b->variables))
        return false;
    b->variables[b->variable_count++] = variable;
    g->variable_count++;
    return true;
}

/* The variables touched by a feature of a key: a column, a member, or all members of a sparse
 * number. */
static bool touch(bounded *b, group *g, hcbr_i_key_id k, hcbr_i_feature_id feature) {
    const hcbr_i_rich_encoder *e = &hcbr_i_reasons_of(b->t->s->x)->rich->encoder;
    if (k == HCBR_I_NONE)
        return true;
    const hcbr_i_rich_key *key = &e->keys[k];
    bool ok = true;
    if (key->kind == HCBR_I_RICH_NUMBER || key->kind == HCBR_I_RICH_CATEGORY)
        return add_variable(b, g, key->column);
    if (key->kind == HCBR_I_RICH_BAG && feature != HCBR_I_NONE && e->code[feature] != HCBR_I_NONE)
        return add_variable(b, g, e->column_count + e->code[feature]);
    for (uint32_t j = 0; ok && key->kind == HCBR_I_RICH_SPARSE && j <= key->cut_count; j++)
        ok = add_variable(b, g, e->column_count + key->bag + j);
    return ok;
}

static bool touch_choice(bounded *b, group *g, const hcbr_i_choice *c) {
    const hcbr_i_search *s = b->t->s;
    bool ok = true;
    if (c->removed != HCBR_I_NONE)
        ok = touch(b, g, s->own[c->removed].key, s->own[c->removed].id);
    if (ok && c->added != HCBR_I_NONE)
        ok = touch(b, g, hcbr_i_account_item(s->x, c->added).key, c->added);
    return ok;
}

/* A choice with its sort keys. */
typedef struct item {
    uint64_t group;
    double adds;
    uint32_t choice;
} item;

static int compare_items(const void *a, const void *b) {
    const item *p = a, *q = b;
    if (p->group != q->group)
        return p->group < q->group ? -1 : 1;
    if (p->adds != q->adds)
        return p->adds > q->adds ? -1 : 1;
    return (p->choice > q->choice) - (p->choice < q->choice);
}

static int compare_groups(const void *a, const void *b) {
    const group *p = a, *q = b;
    if (p->best != q->best)
        return p->best > q->best ? -1 : 1;
    return (p->id > q->id) - (p->id < q->id);
}

static bool make_groups(bounded *b) {
    const hcbr_i_search *s = b->t->s;
    item *items = hcbr_i_alloc(s->choice_count, sizeof *items);
    b->groups = hcbr_i_alloc_zero(s->choice_count, sizeof *b->groups);
    b->members = hcbr_i_alloc(s->choice_count, sizeof *b->members);
    bool ok = items && b->groups && b->members;
    for (uint32_t i = 0; ok && i < s->choice_count; i++)
        items[i] = (item){s->choices[i].group, s->choices[i].adds, i};
    if (ok && s->choice_count)
        qsort(items, s->choice_count, sizeof *items, compare_items);
    for (uint32_t i = 0; ok && i < s->choice_count; i++) {
        if (i == 0 || items[i].group != items[i - 1].group)
            b->groups[b->group_count++] = (group){.id = items[i].group,
                                                  .first = i,
                                                  .best = items[i].adds,
                                                  .first_variable = (uint32_t)b->variable_count};
        group *g = &b->groups[b->group_count - 1];
        b->members[i] = items[i].choice;
        g->count++;
        ok = touch_choice(b, g, &s->choices[items[i].choice]);
    }
    if (ok && b->group_count)
        qsort(b->groups, b->group_count, sizeof *b->groups, compare_groups);
    hcbr_i_free(items);
    return ok;
}

/* ---- search ---------------------------------------------------------------------------------- */

static hcbr_status let(const bounded *b, const group *g) {
    for (uint32_t i = 0; i < g->variable_count; i++)
        if (!hcbr_i_rich_bound_let(b->bound, b->variables[g->first_variable + i]))
            return hcbr_i_no_memory(b->err); // and the search ends
    return HCBR_OK;
}

static void hold(const bounded *b, const group *g) {
    for (uint32_t i = 0; i < g->variable_count; i++)
        hcbr_i_rich_bound_hold(b->bound, b->variables[g->first_variable + i]);
}

static bool is_over(const bounded *b) {
    return hcbr_i_flip_is_over(b->t->s);
}

/* Whether the lead can turn, with the first `depth` changes made and the freed variables
 * arbitrary. */
static hcbr_status may_turn(bounded *b, size_t depth, bool *may) {
    uint64_t steps = b->fixed;
    if (!hcbr_i_trial_row(b->t, depth))
        return hcbr_i_no_memory(b->err);
    *may = !(hcbr_i_rich_bound_lead(b->bound, &b->t->row, b->t->s->x->label, &steps) > 0);
    return hcbr_i_flip_step(b->t->s, steps, b->err);
}

/* Changes of the picked groups, from the one at `depth` on; all of these are let go. */
static hcbr_status assign(bounded *b, size_t depth) {
    hcbr_i_search *s = b->t->s;
    const group *g = b->picked[depth];
    hcbr_status st = HCBR_OK;
    hold(b, g);
    for (uint32_t i = 0; i < g->count && st == HCBR_OK && !is_over(b) && !b->done; i++) {
        bool may = true;
        double lead;
        s->picked[depth] = b->members[g->first + i];
        if (depth + 1 == b->size) {
            st = hcbr_i_trial_attempt(b->t, b->size, &lead, b->err);
            b->done |= s->did;
            s->did = false;
            continue;
        }
        st = may_turn(b, depth + 1, &may);
        if (st == HCBR_OK && may)
            st = assign(b, depth + 1);
    }
    return st == HCBR_OK ? let(b, g) : st;
}

/* Sets of groups, from group `from` on; the variables of picked groups are freed. */
static hcbr_status pick(bounded *b, size_t depth, size_t from) {
    hcbr_status st = HCBR_OK;
    if (depth >= HCBR_I_FLIP_EXACT) // never; compilers that unroll the recursion need it
        return st;
    for (size_t i = from; i < b->group_count && st == HCBR_OK && !is_over(b); i++) {
        bool may = true;
        b->picked[depth] = &b->groups[i];
        st = let(b, b->picked[depth]);
        if (st == HCBR_OK && depth + 1 < b->size) {
            st = pick(b, depth + 1, i + 1);
        } else if (st == HCBR_OK) {
            st = may_turn(b, 0, &may);
            b->done = false;
            if (st == HCBR_OK && may)
                st = assign(b, 0);
        }
        if (st == HCBR_OK)
            hold(b, &b->groups[i]);
    }
    return st;
}

/* Whether there are too many sets of groups even for bounds. */
static bool is_hopeless(const bounded *b) {
    double n = (double)b->group_count;
    double sets = b->size == 2 ? n * (n - 1) / 2 : n * (n - 1) * (n - 2) / 6;
    return sets * (double)b->score > (double)(b->t->s->until - b->t->s->steps);
}

hcbr_status hcbr_i_flip_bounded(hcbr_i_trial *trial, size_t size, bool *complete, hcbr_error *err) {
    const hcbr_i_rich *rich = hcbr_i_reasons_of(trial->s->x)->rich;
    bounded b = {.t = trial, .size = size, .err = err};
    b.fixed = (1 + rich->outputs) * (uint64_t)rich->encoder.column_count + trial->s->own_count;
    b.score = b.fixed + 8 * rich->forest.tree_count;
    for (uint32_t j = 0; j < HCBR_I_RICH_FOLDS; j++)
        b.score += 8 * rich->boosted.model[j].tree_count;
    hcbr_status st = hcbr_i_rich_bound_create(&b.bound, rich, err);
    if (st == HCBR_OK && !make_groups(&b))
        st = hcbr_i_no_memory(err);
    bool hopeless = is_hopeless(&b);
    if (st == HCBR_OK && !hopeless)
        st = pick(&b, 0, 0);
    *complete = !hopeless && !trial->s->cut;
    trial->s->limited |= hopeless;
    hcbr_i_rich_bound_free(b.bound);
    hcbr_i_free(b.groups);
    hcbr_i_free(b.members);
    hcbr_i_free(b.variables);
    return st;
}
