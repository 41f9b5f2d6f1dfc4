/*
 * Sums of gradients by member of the bag, for the tree grower.
 *
 * The sums of a node are those of its parent without the other child's, so only the smaller child
 * of a split is added up: long chains of "has the word? no" cost little. The members that can still
 * split a node come first in its list; one that cannot (too little curvature on a side) cannot
 * split any node below either, and is moved after them when met.
 */
#include "rich/tree/tree_grower.h"

bool hcbr_i_rich_members_init(member_sums *m, const hcbr_i_rich_table *table) {
    if (m->word)
        return true;
    m->word = hcbr_i_alloc_zero(table->bag_count, WIDEST * sizeof *m->word);
    m->present = hcbr_i_alloc(table->bag_count, sizeof *m->present);
    if (m->word && m->present)
        return true;
    hcbr_i_free(m->word);
    hcbr_i_free(m->present);
    *m = (member_sums){0};
    return false;
}

EACH_WIDTH void move_rows(const hcbr_i_rich_scratch *s, member_sums *to, member_sums *from,
                          const uint32_t *rows, uint32_t n, uint32_t width) {
    const hcbr_i_rich_table *t = s->table;
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t *x = s->words + (size_t)rows[i] * width;
        for (uint64_t j = t->bag_start[rows[i]]; j < t->bag_start[rows[i] + 1]; j++) {
            size_t place = (size_t)t->bag[j] * width;
            if (from)
                subtract(from->word + place, x, width);
            if (!to)
                continue;
            if (!any(to->word + place, width))
                to->present[to->count++] = t->bag[j];
            add(to->word + place, x, width);
        }
    }
    if (to)
        to->active = to->count;
}

void hcbr_i_rich_members_move(const hcbr_i_rich_scratch *s, member_sums *to, member_sums *from,
                              const uint32_t *rows, uint32_t n, uint32_t width) {
    if (width == 1 && to && !from)
        move_rows(s, to, NULL, rows, n, 1);
    else if (width == 1)
        move_rows(s, to, from, rows, n, 1);
    else
        move_rows(s, to, from, rows, n, 2);
}

/* Whether a member can split the node. */
EACH_WIDTH bool divides(const node *at, const member_sums *m, uint32_t member, uint32_t width) {
    double h = lower(m->word[(size_t)member * width + width - 1]);
    return h >= at->least_h && at->total[2 * width - 1] - h >= at->least_h;
}

static inline void put_aside(member_sums *m, uint32_t place) {
    uint32_t member = m->present[place];
    m->present[place] = m->present[--m->active];
    m->present[m->active] = member;
}

void hcbr_i_rich_members_prune(const node *at, member_sums *m, uint32_t width) {
    for (uint32_t i = 0; i < m->active;) {
        if (divides(at, m, m->present[i], width))
            i++;
        else
            put_aside(m, i);
    }
}

void hcbr_i_rich_members_clear(member_sums *m, uint32_t width) {
    for (uint32_t i = 0; i < m->count; i++)
        memset(m->word + (size_t)m->present[i] * width, 0, width * sizeof *m->word);
    m->count = m->active = 0;
}

EACH_WIDTH void try_some(node *at, member_sums *m, uint32_t wanted, uint32_t width) {
    uint64_t key = at->key ^ 0x6D656D62;
    for (uint32_t i = 0; i < wanted && i < m->active;) {
        uint64_t r = hcbr_i_mix(key += 0x9E3779B97F4A7C15u) >> 32;
        uint32_t j = i + (uint32_t)(r * (m->active - i) >> 32), member = m->present[j];
        if (!divides(at, m, member, width)) {
            put_aside(m, j);
            continue;
        }
        m->present[j] = m->present[i];
        m->present[i++] = member;
        consider(at, m->word + (size_t)member * width, at->g->table->columns + member, 0, 0, width);
    }
}

void hcbr_i_rich_try_members(node *at, member_sums *m, uint32_t wanted) {
    if (at->g->channels == 1)
        try_some(at, m, wanted, 1);
    else
        try_some(at, m, wanted, 2);
}
