/*
 * The defaults of all structures that callers fill.
 */
#include "options/options.h"

#include <hcbr/answers.h>
#include <hcbr/audit.h>
#include <hcbr/drift.h>
#include <hcbr/explain.h>
#include <hcbr/render.h>
#include <hcbr/summary.h>

static const hcbr_read_options READ = {.format = HCBR_FORMAT_AUTO,
                                       .bad_rows = HCBR_BAD_ROWS_AUTO,
                                       .max_line = (uint64_t)64 << 20,
                                       .max_depth = 32,
                                       .max_expand = 200,
                                       .max_window = (uint32_t)128 << 20,
                                       .max_grams = (uint64_t)1 << 30,
                                       .max_names = 65536,
                                       .min_count = 1,
                                       .threads = 1};
static const hcbr_labelled_case LABELLED = {.weight = 1};
static const hcbr_memory_column COLUMN = {0};
static const hcbr_sparse SPARSE = {0};
static const hcbr_train_options TRAIN = {.scope = HCBR_SCOPE_CLASS,
                                         .passes = 1,
                                         .seed = 1,
                                         .threads = 1,
                                         .keep = HCBR_KEEP_FULL,
                                         .model = HCBR_MODEL_RICH,
                                         .effort = HCBR_EFFORT_NORMAL,
                                         .min_cases = 1};
static const hcbr_rule RULE = {0};
static const hcbr_tune_options TUNE = {.goal = HCBR_GOAL_ACCURACY,
                                       .cost_fp = 1,
                                       .cost_fn = 1,
                                       .cost_unknown = -1,
                                       .confidence = 0.95,
                                       .folds = 10};
static const hcbr_answers ANSWERS = {0};
static const hcbr_evaluate_options EVALUATE = {.folds = 10, .repeats = 1, .seed = 1, .threads = 1};
static const hcbr_audit_options AUDIT = {.most = 10, .rows = 10, .seed = 1, .threads = 1};
static const hcbr_drift_options DRIFT = {.limit = 0.1};
static const hcbr_explain_options EXPLAIN = {
    .atoms = 10, .cases = 5, .atom_cases = 3, .columns = SIZE_MAX};
static const hcbr_index_options INDEX = {
    .max_memory = (uint64_t)1536 << 20, // a million cases in some hundred trees
    .threads = 1};
static const hcbr_flip_options FLIP = {.most = 3, .limit = HCBR_FLIP_LIMIT};
static const hcbr_explain_rows_options ROWS = {.threads = 1, .last = UINT64_MAX};
static const hcbr_atom_options ATOMS = {
    .kind = HCBR_ATOM_FEATURES, .label = HCBR_LABEL_UNKNOWN, .atom = UINT32_MAX, .most = 10};
static const hcbr_summary_options SUMMARY = {.most = 10, .per_case = 3, .most_atoms = 100000};
static const hcbr_page_options PAGE = {.top = 10, .beside = SIZE_MAX};

/* A structure of defaults; their first field, the size, is filled in. */
typedef struct defaults {
    const char *type;
    const void *full;
    size_t size;
} defaults;

#define OF(type, full)                                                                             \
    { #type, &(full), sizeof(type) }

static const defaults DEFAULTS[] = {
    OF(hcbr_read_options, READ),         OF(hcbr_labelled_case, LABELLED),
    OF(hcbr_memory_column, COLUMN),      OF(hcbr_sparse, SPARSE),
    OF(hcbr_train_options, TRAIN),       OF(hcbr_rule, RULE),
    OF(hcbr_tune_options, TUNE),         OF(hcbr_answers, ANSWERS),
    OF(hcbr_evaluate_options, EVALUATE), OF(hcbr_audit_options, AUDIT),
    OF(hcbr_drift_options, DRIFT),       OF(hcbr_explain_options, EXPLAIN),
    OF(hcbr_index_options, INDEX),       OF(hcbr_flip_options, FLIP),
    OF(hcbr_explain_rows_options, ROWS), OF(hcbr_atom_options, ATOMS),
    OF(hcbr_summary_options, SUMMARY),   OF(hcbr_page_options, PAGE),
};

size_t hcbr_init(void *structure, size_t size, const char *type) {
    for (size_t i = 0; type && i < sizeof DEFAULTS / sizeof *DEFAULTS; i++) {
        const defaults *x = &DEFAULTS[i];
        if (strcmp(x->type, type) != 0)
            continue;
        if (structure && size == x->size)
            memcpy(structure, x->full, size);
        if (structure && size >= sizeof size)
            memcpy(structure, &size, sizeof size);
        return x->size;
    }
    return 0;
}
