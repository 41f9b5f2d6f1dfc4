/*
 * Cases from tables in memory: typed columns, record batches of Arrow, sparse matrices.
 *
 * Invariant: a call adds all rows or none; whatever fails, the list is as it was.
 */
#include "cases/append.h"

#include <hcbr/columns.h>

/** Undo the additions of a call. */
static void undo(hcbr_cases *cases, const hcbr_i_append_mark *mark) {
    const hcbr_cases *before = &mark->before;

    cases->case_count = before->case_count;
    cases->empty_count = before->empty_count;
    cases->rows = before->rows;
    cases->skipped = before->skipped;
    cases->bytes = before->bytes;
    cases->keep_rare = before->keep_rare;
    cases->formed = before->formed;
    cases->least_count = before->least_count;
    if (!before->label_name) {
        hcbr_i_free(cases->label_name);
        cases->label_name = NULL;
    }
    if (!before->bins) {
        hcbr_i_free(cases->bins);
        cases->bins = NULL;
    }
    cases->judged = before->judged;
    hcbr_i_append_undo(cases, mark);
    cases->apart = before->apart;
}

/** Add all rows of a table, which is released. */
static hcbr_status add_table(hcbr_cases *cases, hcbr_i_table *frame,
                             const hcbr_read_options *options, hcbr_error *err) {
    const hcbr_i_append_mark mark = hcbr_i_append_begin(cases);
    hcbr_i_reader *reader = NULL;
    hcbr_status st = hcbr_i_reader_create_table(&reader, frame, options, true, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_add_all(cases, reader, options, err);
    if (st != HCBR_OK)
        undo(cases, &mark);
    hcbr_i_reader_free(reader);
    hcbr_i_table_free(frame);
    return st;
}

static hcbr_status fail_finished(hcbr_error *err) {
    return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is finished");
}

hcbr_status hcbr_cases_add_columns(hcbr_cases *cases, const hcbr_memory_column *columns,
                                   size_t count, const hcbr_read_options *options,
                                   hcbr_error *err) {
    if (HCBR_I_NULL(err, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *frame = NULL;
    if (cases->finished)
        return fail_finished(err);
    hcbr_status st = hcbr_i_table_create(&frame, columns, count, err);
    return st == HCBR_OK ? add_table(cases, frame, options, err) : st;
}

hcbr_status hcbr_cases_add_sparse(hcbr_cases *cases, const hcbr_sparse *matrix,
                                  const hcbr_memory_column *columns, size_t count,
                                  const hcbr_read_options *options, hcbr_error *err) {
    if (HCBR_I_NULL(err, cases, matrix) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *frame = NULL;
    if (cases->finished)
        return fail_finished(err);
    hcbr_status st = hcbr_i_table_create_sparse(&frame, matrix, columns, count, err);
    return st == HCBR_OK ? add_table(cases, frame, options, err) : st;
}

hcbr_status hcbr_cases_add_arrow(hcbr_cases *cases, const struct ArrowSchema *schema,
                                 const struct ArrowArray *array, const hcbr_read_options *options,
                                 hcbr_error *err) {
    if (HCBR_I_NULL(err, cases, schema, array) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *frame = NULL;
    if (cases->finished)
        return fail_finished(err);
    hcbr_status st = hcbr_i_table_create_arrow(&frame, schema, array, err);
    return st == HCBR_OK ? add_table(cases, frame, options, err) : st;
}

hcbr_status hcbr_cases_add_arrow_stream(hcbr_cases *cases, struct ArrowArrayStream *stream,
                                        const hcbr_read_options *options, hcbr_error *err) {
    if (HCBR_I_NULL(err, cases, stream) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *frame = NULL;
    if (cases->finished)
        return fail_finished(err);
    hcbr_status st = hcbr_i_table_create_stream(&frame, stream, err);
    return st == HCBR_OK ? add_table(cases, frame, options, err) : st;
}
