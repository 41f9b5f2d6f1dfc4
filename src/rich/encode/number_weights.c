/*
 * The different numbers of keys with the weight of their cases, several keys at once.
 */
#include "rich/encode/column_encoding.h"

/* Keys whose numbers are processed together. */
typedef struct weighing {
    hcbr_i_rich_maker *maker;
    uint32_t from;              /* the first of them */
    size_t most;                /* most numbers of a key */
    hcbr_i_rich_amount **spare; /* by thread: room for as many, made when needed */
    bool *failed;               /* by thread */
} weighing;

/* The different numbers of some keys with their weights. */
static void weigh_some(void *context, uint32_t worker, uint64_t begin, uint64_t end) {
    const weighing *w = context;
    hcbr_i_rich_maker *m = w->maker;
    for (uint64_t k = begin; k < end; k++) {
        uint32_t n = w->from + (uint32_t)k;
        hcbr_i_rich_amount *amounts = m->gathered + m->entry_start[n];
        const hcbr_i_rich_entry *entries = m->entries + m->entry_start[n];
        size_t count = (size_t)(m->entry_start[n + 1] - m->entry_start[n]);
        if (!hcbr_i_rich_may_be_number(&m->seen[m->order[n]]))
            continue;
        if (!w->spare[worker])
            w->spare[worker] = hcbr_i_alloc(w->most, sizeof **w->spare);
        w->failed[worker] |= !w->spare[worker];
        if (w->failed[worker] || hcbr_i_rich_go_on(m->options, NULL) != HCBR_OK)
            return; // the caller checks for a stop again
        for (size_t i = 0; i < count; i++)
            amounts[i] = (hcbr_i_rich_amount){
                entries[i].value,
                hcbr_i_rich_weight(m->view, hcbr_i_rich_view_case(m->view, entries[i].place))};
        m->distinct[n] = hcbr_i_rich_sort_amounts(amounts, w->spare[worker], count);
    }
}

bool hcbr_i_rich_weigh(hcbr_i_rich_maker *m, uint32_t from, uint32_t to) {
    uint32_t threads = m->options->threads ? m->options->threads : 1;
    weighing w = {.maker = m, .from = from, .most = 1};
    for (uint32_t n = from; n < to; n++) {
        size_t count = (size_t)(m->entry_start[n + 1] - m->entry_start[n]);
        w.most = count > w.most ? count : w.most;
    }
    w.spare = hcbr_i_alloc_zero(threads, sizeof *w.spare);
    w.failed = hcbr_i_alloc_zero(threads, sizeof *w.failed);
    bool ok = w.spare && w.failed &&
              hcbr_i_grow(&m->gathered, &m->gathered_capacity, (size_t)m->entry_start[to] + 1,
                          sizeof *m->gathered);
    if (ok)
        hcbr_i_parallel(threads, to - from, 1, weigh_some, &w);
    for (uint32_t i = 0; i < threads; i++) {
        ok = ok && !w.failed[i];
        if (w.spare)
            hcbr_i_free(w.spare[i]);
    }
    hcbr_i_free(w.spare);
    hcbr_i_free(w.failed);
    return ok;
}
