/*
 * Tables in memory decided into arrays of the caller: each thread reads ranges of rows and decides
 * them with a decider of its own, block by block.
 *
 * Invariants: a row writes its own elements only, so that the arrays are the same for any number of
 * threads; nothing beyond the rows of the table is written.
 */
#include "decide/stream.h"

#include <hcbr/answers.h>

#include <math.h>

/* One call. */
typedef struct batch {
    const hcbr_model *model;
    const hcbr_answers *to;
    size_t labels;
    uint64_t rows;
    uint32_t threads;
    hcbr_decider **deciders; /* by thread */
    uint64_t *known;         /* by thread: features that were known */
    hcbr_i_misfits *misfits; /* by thread */
} batch;

/* ---- one row --------------------------------------------------------------------------------- */

static inline void keep(const batch *b, uint64_t row, const hcbr_decision *d) {
    const hcbr_answers *to = b->to;
    if (to->label)
        to->label[row] = d->label;
    if (to->probability)
        memcpy(to->probability + row * b->labels, d->probability, b->labels * sizeof(double));
    if (to->support)
        memcpy(to->support + row * b->labels, d->support, b->labels * sizeof(double));
    if (to->lead)
        to->lead[row] = d->lead;
    if (to->known)
        to->known[row] = d->feature_count ? (double)d->known_count / (double)d->feature_count : 0.0;
    if (to->reason)
        to->reason[row] = (uint8_t)d->reason;
}

/* Write the answer of a skipped row. */
static void keep_none(const batch *b, uint64_t row) {
    const hcbr_answers *to = b->to;
    if (to->label)
        to->label[row] = HCBR_LABEL_UNKNOWN;
    for (size_t l = 0; l < b->labels; l++) {
        if (to->probability)
            to->probability[row * b->labels + l] = (double)NAN;
        if (to->support)
            to->support[row * b->labels + l] = (double)NAN;
    }
    if (to->lead)
        to->lead[row] = (double)NAN;
    if (to->known)
        to->known[row] = (double)NAN;
    if (to->reason)
        to->reason[row] = HCBR_ROW_SKIPPED;
}

static hcbr_status decide_block(void *context, uint32_t worker, uint32_t range,
                                const hcbr_i_block *block, hcbr_error *err) {
    const batch *b = context;
    hcbr_decider *decider = b->deciders[worker];
    hcbr_decision d = {.size = sizeof d};
    hcbr_status st = hcbr_i_decider_load(decider, block, err);
    uint64_t known = 0;
    (void)range;
    for (size_t c = 0; st == HCBR_OK && c < block->case_count; c++) {
        if ((st = hcbr_i_decider_run(decider, block, c, &d, err)) != HCBR_OK)
            break;
        known += d.known_count;
        keep(b, block->cases[c].row - 1, &d);
        if (d.unseen_count > 0 && !decider->counts)
            st = hcbr_i_misfits_note(&b->misfits[worker], b->model, &d, block->cases[c].row, err);
    }
    b->known[worker] += known;
    return st;
}

/* ---- all rows -------------------------------------------------------------------------------- */

static void batch_clear(const batch *b) {
    for (uint32_t t = 0; b->deciders && t < b->threads; t++)
        hcbr_decider_free(b->deciders[t]);
    hcbr_i_free(b->deciders);
    hcbr_i_free(b->known);
    for (uint32_t t = 0; b->misfits && t < b->threads; t++)
        hcbr_i_misfits_clear(&b->misfits[t]);
    hcbr_i_free(b->misfits);
}

/* A decider for each thread. */
static hcbr_status batch_prepare(batch *b, const hcbr_rule *rule, bool listed, hcbr_error *err) {
    b->deciders = hcbr_i_alloc_zero(b->threads, sizeof *b->deciders);
    b->known = hcbr_i_alloc_zero(b->threads, sizeof *b->known);
    b->misfits = hcbr_i_alloc_zero(b->threads, sizeof *b->misfits);
    if (!b->deciders || !b->known || !b->misfits)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_decider_create(&b->deciders[0], b->model, rule, err);
    if (st == HCBR_OK)
        b->deciders[0]->how.listed = listed;
    for (uint32_t t = 1; st == HCBR_OK && t < b->threads; t++)
        st = hcbr_i_decider_clone(&b->deciders[t], b->deciders[0], err);
    for (uint32_t t = 0; st == HCBR_OK && t < b->threads; t++)
        b->deciders[t]->counts = b->model->engine->has_cuts == NULL;
    if (st == HCBR_OK && b->to->probability && !b->deciders[0]->probability)
        st = hcbr_i_fail(err, HCBR_EUSAGE,
                         "found an array of probabilities for a model that has none, expected "
                         "NULL, or a model that was calibrated");
    return st;
}

/* The sizes of the arrays. */
static hcbr_status check_room(const hcbr_answers *to, uint64_t rows, size_t labels,
                              hcbr_error *err) {
    size_t bytes;
    if (to->room < rows || rows > SIZE_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found room for %llu answers, expected it for %llu rows",
                           (unsigned long long)to->room, (unsigned long long)rows);
    if ((to->probability || to->support) &&
        (__builtin_mul_overflow((size_t)rows, labels * sizeof(double), &bytes)))
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found %llu rows and %zu labels, expected arrays that memory has",
                           (unsigned long long)rows, labels);
    return HCBR_OK;
}

static void warn_unknown(const batch *b, const hcbr_i_listener *listener) {
    uint64_t known = 0;
    for (uint32_t t = 0; t < b->threads; t++)
        known += b->known[t];
    if (b->rows > 0 && known == 0)
        hcbr_i_warn_nothing_known(listener);
}

static hcbr_status warn_misfits(const batch *b, const hcbr_i_listener *listener, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (uint32_t t = 1; st == HCBR_OK && t < b->threads; t++)
        st = hcbr_i_misfits_merge(&b->misfits[0], &b->misfits[t], err);
    if (st == HCBR_OK)
        hcbr_i_misfits_warn(&b->misfits[0], listener);
    return st;
}

/* Read and decide all rows of a table. */
static hcbr_status run(batch *b, hcbr_i_reader *reader, const hcbr_rule *rule,
                       const hcbr_read_options *options, bool compare, hcbr_error *err) {
    const hcbr_i_listener listener = {options->notify, options->notify_context};
    size_t count = 0;
    uint64_t serial = 0;
    const hcbr_i_known_names known = hcbr_i_model_known(b->model);
    hcbr_i_reader_set_coded(reader);
    hcbr_i_reader_set_known(reader, &known);
    if (b->model->engine->number)
        hcbr_i_reader_set_apart(reader);
    hcbr_status st = hcbr_i_reader_bind(reader, err);
    b->threads = hcbr_i_reader_range_threads(reader);
    if (st == HCBR_OK)
        st = batch_prepare(b, rule, options->na_only != 0, err);
    if (st == HCBR_OK && compare) { // keys can be found now
        const hcbr_i_text *columns = hcbr_i_reader_columns(reader, &count, &serial);
        st = hcbr_i_columns_compare(b->model, reader, columns, count, &listener, err);
    }
    for (uint64_t r = 0; st == HCBR_OK && options->bad_rows == HCBR_BAD_ROWS_SKIP && r < b->rows;
         r++)
        keep_none(b, r);
    if (st == HCBR_OK)
        st = hcbr_i_reader_ranges(reader, decide_block, b, "decide", err);
    if (st == HCBR_OK && (st = warn_misfits(b, &listener, err)) == HCBR_OK)
        warn_unknown(b, &listener);
    batch_clear(b);
    return st;
}

/* Decide a table, which is released. */
static hcbr_status decide_table(const hcbr_model *model, const hcbr_rule *rule, hcbr_i_table *table,
                                bool compare, const hcbr_read_options *options,
                                hcbr_answers *answers, hcbr_error *err) {
    hcbr_i_reader *reader = NULL;
    hcbr_read_options all;
    batch b = {.model = model,
               .to = answers,
               .labels = model->labels.count,
               .rows = hcbr_i_table_rows(table)};
    hcbr_status st = check_room(answers, b.rows, b.labels, err);
    if (options)
        hcbr_i_options_fill(&all, options);
    else
        hcbr_model_get_read_options(model, &all);
    if (st == HCBR_OK && all.outcomes)
        st = hcbr_i_fail(err, HCBR_EUSAGE,
                         "found a file of labels for a table to be decided, expected none (option "
                         "outcomes)");
    if (st == HCBR_OK)
        st = hcbr_i_reader_create_table(&reader, table, &all, false, err);
    if (st == HCBR_OK)
        st = run(&b, reader, rule, &all, compare, err);
    if (st == HCBR_OK)
        answers->count = b.rows;
    hcbr_i_reader_free(reader);
    hcbr_i_table_free(table);
    return st;
}

hcbr_status hcbr_model_decide_columns(const hcbr_model *model, const hcbr_rule *rule,
                                      const hcbr_memory_column *columns, size_t count,
                                      const hcbr_read_options *options, hcbr_answers *answers,
                                      hcbr_error *err) {
    if (HCBR_I_NULL(err, model, answers) || HCBR_I_UNSIZED(err, rule, options, answers))
        return HCBR_EUSAGE;
    hcbr_i_table *table = NULL;
    answers->count = 0;
    hcbr_status st = hcbr_i_table_create(&table, columns, count, err);
    return st == HCBR_OK ? decide_table(model, rule, table, true, options, answers, err) : st;
}

hcbr_status hcbr_model_decide_arrow(const hcbr_model *model, const hcbr_rule *rule,
                                    const struct ArrowSchema *schema,
                                    const struct ArrowArray *array,
                                    const hcbr_read_options *options, hcbr_answers *answers,
                                    hcbr_error *err) {
    if (HCBR_I_NULL(err, model, schema, array, answers) ||
        HCBR_I_UNSIZED(err, rule, options, answers))
        return HCBR_EUSAGE;
    hcbr_i_table *table = NULL;
    answers->count = 0;
    hcbr_status st = hcbr_i_table_create_arrow(&table, schema, array, err);
    return st == HCBR_OK ? decide_table(model, rule, table, true, options, answers, err) : st;
}

hcbr_status hcbr_model_decide_sparse(const hcbr_model *model, const hcbr_rule *rule,
                                     const hcbr_sparse *matrix, const hcbr_memory_column *columns,
                                     size_t count, const hcbr_read_options *options,
                                     hcbr_answers *answers, hcbr_error *err) {
    if (HCBR_I_NULL(err, model, matrix, answers) || HCBR_I_UNSIZED(err, rule, options, answers))
        return HCBR_EUSAGE;
    hcbr_i_table *table = NULL;
    answers->count = 0;
    hcbr_status st = hcbr_i_table_create_sparse(&table, matrix, columns, count, err);
    return st == HCBR_OK ? decide_table(model, rule, table, false, options, answers, err) : st;
}
