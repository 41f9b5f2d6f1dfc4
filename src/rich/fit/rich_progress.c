/*
 * Progress of training, and stopping it.
 *
 * Columns, families and trust are stages, each counted in steps (trees, passes) with an approximate
 * total. All threads count steps; only the thread that called training reports, and the answer
 * stops all of them.
 */
#include "rich/rich.h"

static const char *const STAGES[HCBR_I_RICH_FAMILIES] = {"atoms", "boosted", "votes"};

void hcbr_i_rich_progress_begin(hcbr_i_rich_progress *progress, const hcbr_i_rich_options *o) {
    *progress = (hcbr_i_rich_progress){
        .progress = o->progress, .context = o->progress_context, .stage = "columns"};
    progress->caller = pthread_self();
    atomic_init(&progress->done, 0);
    atomic_init(&progress->stop, false);
}

static void tell(hcbr_i_rich_progress *progress, uint64_t at) {
    if (progress->progress &&
        progress->progress(progress->context, progress->stage, at, HCBR_I_RICH_WAY) != 0)
        atomic_store(&progress->stop, true);
}

static void report(hcbr_i_rich_progress *progress) {
    uint64_t done = atomic_load(&progress->done), steps = progress->steps;
    tell(progress, done < steps ? HCBR_I_RICH_WAY * done / steps : steps ? HCBR_I_RICH_WAY : 0);
}

/* End the current stage; the next one, if any, has about `steps` steps. False: stop. */
static bool go_to(hcbr_i_rich_progress *progress, const char *stage, uint64_t steps) {
    if (atomic_load(&progress->stop))
        return false;
    tell(progress, HCBR_I_RICH_WAY);
    if (!stage || atomic_load(&progress->stop))
        return !atomic_load(&progress->stop);
    progress->stage = stage;
    progress->steps = steps;
    atomic_store(&progress->done, 0);
    report(progress);
    return !atomic_load(&progress->stop);
}

bool hcbr_i_rich_progress_family(hcbr_i_rich_progress *progress, const hcbr_i_rich_tuning *t,
                                 uint32_t family, uint32_t labels) {
    const uint64_t steps[HCBR_I_RICH_FAMILIES] = {
        (uint64_t)HCBR_I_RICH_FOLDS * (labels > t->many ? labels : t->linear_passes),
        (uint64_t)HCBR_I_RICH_FOLDS * t->most_trees / 2, // half of them, as a guess
        t->forest_trees};
    return go_to(progress, STAGES[family], steps[family]);
}

bool hcbr_i_rich_progress_trust(hcbr_i_rich_progress *progress) {
    return go_to(progress, "trust", 0);
}

bool hcbr_i_rich_progress_end(hcbr_i_rich_progress *progress) {
    return go_to(progress, NULL, 0);
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
