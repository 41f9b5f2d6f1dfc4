/*
 * Shared by all explanations of a rich model: names of columns, past cases merged as in training,
 * and the results of replaying the trees.
 *
 * Invariant: a whole index is never written to, so any number of threads may read it. One that is
 * not whole belongs to one explainer, and the trees are replayed when first needed.
 */
#include "rich/reasons/leaf_rows.h"
#include "rich/reasons/rich_reasons.h"

void hcbr_i_rich_index_free(void *index) {
    hcbr_i_rich_index *x = index;
    if (!x)
        return;
    if (x->has_causes)
        hcbr_i_rich_causes_clear(&x->causes);
    hcbr_i_rich_names_clear(&x->names);
    hcbr_i_free(x);
}

static hcbr_status tell(void *context, uint64_t done, uint64_t total, hcbr_error *err) {
    const hcbr_i_index_options *o = context;
    if (!o->progress || o->progress(o->progress_context, "index", done, total) == 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request");
}

static hcbr_status fill(hcbr_i_rich_index *x, const hcbr_i_frame *m,
                        const hcbr_i_index_options *options, hcbr_error *err) {
    hcbr_i_index_options o = *options;
    const hcbr_i_rich_watch watch = {tell, &o};
    hcbr_status st = hcbr_i_rich_names_init(&x->names, x->rich, m->case_count, err);
    if (st != HCBR_OK || !hcbr_i_rich_has_reasons(x->rich, m->keep))
        return st;
    size_t most = o.most < SIZE_MAX ? (size_t)o.most : SIZE_MAX;
    st = hcbr_i_rich_causes_init(&x->causes, x->rich, m->kept_label, x->rich->kept.weight, most,
                                 &watch, err);
    x->has_causes = st == HCBR_OK;
    if (st == HCBR_OK && o.whole)
        st = hcbr_i_rich_causes_follow(&x->causes, o.threads, &watch, err);
    return st;
}

hcbr_status hcbr_i_rich_index_create(void **out, const void *state, const hcbr_i_frame *frame,
                                     const hcbr_i_index_options *options, hcbr_error *err) {
    *out = NULL;
    hcbr_i_rich_index *x = hcbr_i_alloc_zero(1, sizeof *x);
    if (!x)
        return hcbr_i_no_memory(err);
    x->rich = state;
    hcbr_status st = fill(x, frame, options, err);
    if (st == HCBR_OK)
        *out = x;
    else
        hcbr_i_rich_index_free(x);
    return st;
}
