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

void hcbr_i_rich_pace_begin(hcbr_i_rich_pace *pace, const hcbr_i_rich_options *o) {
    *pace = (hcbr_i_rich_pace){.progress = o->progress, .context = o->progress_context};
    pace->caller = pthread_self();
    atomic_init(&pace->done, 0);
    atomic_init(&pace->stop, false);
}

static void report(hcbr_i_rich_pace *pace) {
    uint64_t done = atomic_load(&pace->done);
    double part = done < pace->steps ? (double)done / (double)pace->steps : 1;
    uint64_t at = (uint64_t)(WAY * (pace->from + part * (pace->to - pace->from)));
    if (pace->progress && pace->progress(pace->context, STAGE, at, WAY) != 0)
        atomic_store(&pace->stop, true);
}

/* Boosting takes most of the time, where it is done. */
bool hcbr_i_rich_pace_family(hcbr_i_rich_pace *pace, const hcbr_i_rich_tuning *t, uint32_t family,
                             uint32_t labels) {
    static const double ENDS[2][HCBR_I_RICH_FAMILIES] = {{0.3, 0.3, 1}, {0.1, 0.85, 1}};
    const uint64_t steps[HCBR_I_RICH_FAMILIES] = {
        (uint64_t)HCBR_I_RICH_FOLDS * (labels > t->many ? labels : t->atom_passes),
        (uint64_t)HCBR_I_RICH_FOLDS * t->most_trees / 2, // half of them, as a guess
        t->vote_trees};
    const double *ends = ENDS[t->family[1]];
    if (atomic_load(&pace->stop))
        return false;
    pace->from = family ? ends[family - 1] : 0;
    pace->to = ends[family];
    pace->steps = steps[family];
    atomic_store(&pace->done, 0);
    report(pace);
    return !atomic_load(&pace->stop);
}

bool hcbr_i_rich_tick(const hcbr_i_rich_options *o) {
    hcbr_i_rich_pace *pace = o->pace;
    if (!pace)
        return true;
    atomic_fetch_add(&pace->done, 1);
    if (pthread_equal(pthread_self(), pace->caller) && !atomic_load(&pace->stop))
        report(pace);
    return !atomic_load(&pace->stop);
}
