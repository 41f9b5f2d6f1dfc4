/*
 * How far training is, and being stopped.
 *
 * Families take shares of the way, each counted in steps (trees, passes) of which about so many are
 * expected. Steps are counted by all threads; only the thread that called for training reports, and
 * what it is answered stops all of them.
 */
#include "rich/rich.h"

#define WAY 1000 /* what is reported of */

static const char STAGE[] = "rich";

void hcbr_i_rich_progress_begin(hcbr_i_rich_progress *progress, const hcbr_i_rich_options *o) {
    *progress = (hcbr_i_rich_progress){.progress = o->progress, .context = o->progress_context};
    progress->caller = pthread_self();
    atomic_init(&progress->done, 0);
    atomic_init(&progress->stop, false);
}

static void report(hcbr_i_rich_progress *progress) {
    uint64_t done = atomic_load(&progress->done);
    double part = done < progress->steps ? (double)done / (double)progress->steps : 1;
    uint64_t at = (uint64_t)(WAY * (progress->from + part * (progress->to - progress->from)));
    if (progress->progress && progress->progress(progress->context, STAGE, at, WAY) != 0)
        atomic_store(&progress->stop, true);
}

/* Boosting takes most of the time, where it is done. */
bool hcbr_i_rich_progress_family(hcbr_i_rich_progress *progress, const hcbr_i_rich_tuning *t,
                                 uint32_t family, uint32_t labels) {
    static const double ENDS[2][HCBR_I_RICH_FAMILIES] = {{0.3, 0.3, 1}, {0.1, 0.85, 1}};
    const uint64_t steps[HCBR_I_RICH_FAMILIES] = {
        (uint64_t)HCBR_I_RICH_FOLDS * (labels > t->many ? labels : t->atom_passes),
        (uint64_t)HCBR_I_RICH_FOLDS * t->most_trees / 2, // half of them, as a guess
        t->vote_trees};
    const double *ends = ENDS[t->family[1]];
    if (atomic_load(&progress->stop))
        return false;
    progress->from = family ? ends[family - 1] : 0;
    progress->to = ends[family];
    progress->steps = steps[family];
    atomic_store(&progress->done, 0);
    report(progress);
    return !atomic_load(&progress->stop);
}

bool hcbr_i_rich_progress_end(hcbr_i_rich_progress *progress) {
    if (!atomic_load(&progress->stop)) {
        progress->from = progress->to = 1;
        report(progress);
    }
    return !atomic_load(&progress->stop);
}

hcbr_status hcbr_i_rich_go_on(const hcbr_i_rich_options *o, hcbr_error *err) {
    hcbr_i_rich_progress *progress = o->progress_of;
    if (!progress)
        return HCBR_OK;
    if (pthread_equal(pthread_self(), progress->caller) && !atomic_load(&progress->stop))
        report(progress);
    return atomic_load(&progress->stop) ? hcbr_i_fail(err, HCBR_ECANCELLED, "stopped on request")
                                        : HCBR_OK;
}

bool hcbr_i_rich_tick(const hcbr_i_rich_options *o) {
    hcbr_i_rich_progress *progress = o->progress_of;
    if (!progress)
        return true;
    atomic_fetch_add(&progress->done, 1);
    if (pthread_equal(pthread_self(), progress->caller) && !atomic_load(&progress->stop))
        report(progress);
    return !atomic_load(&progress->stop);
}
