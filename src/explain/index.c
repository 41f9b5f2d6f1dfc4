/*
 * Shared by all explanations of a model: made once, then only read.
 *
 * Invariant: the frame is in the index, since the engine's part refers to it.
 */
#include "explainer.h"

#ifdef HCBR_FAULTS
uint64_t hcbr_i_index_most = SIZE_MAX;
#endif

void hcbr_index_free(hcbr_index *index) {
    if (!index)
        return;
    if (index->of_engine)
        index->model->engine->index_free(index->of_engine);
    hcbr_i_free(index);
}

hcbr_status hcbr_i_index_make(hcbr_index **out, const hcbr_model *model,
                              const hcbr_index_options *options, bool whole, hcbr_error *err) {
    hcbr_index_options o;
    hcbr_index_options_init(&o);
#ifdef HCBR_FAULTS
    o.max_memory = o.max_memory < hcbr_i_index_most ? o.max_memory : hcbr_i_index_most;
#endif
    if (options)
        o = *options;
    *out = NULL;
    hcbr_index *index = hcbr_i_alloc_zero(1, sizeof *index);
    if (!index)
        return hcbr_i_no_memory(err);
    index->model = model;
    index->frame = hcbr_i_model_frame(model);
    const hcbr_i_index_options of_engine = {.most = o.max_memory,
                                            .threads = o.threads,
                                            .whole = whole,
                                            .progress = o.progress,
                                            .progress_context = o.progress_context};
    hcbr_status st = model->engine->index_create(&index->of_engine, model->state, &index->frame,
                                                 &of_engine, err);
    if (st == HCBR_OK)
        *out = index;
    else
        hcbr_index_free(index);
    return st;
}

hcbr_status hcbr_index_create(hcbr_index **out, const hcbr_model *model,
                              const hcbr_index_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, model) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    return hcbr_i_index_make(out, model, options, true, err);
}
