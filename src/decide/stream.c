/*
 * Decisions on cases as they are read, from files or from a table in memory: a block is read, its
 * names are looked up together, and its cases are decided one by one. With several threads a large
 * file is decided in rounds (rounds_decide.c); the rest goes block by block in one thread.
 */
#include "decide/stream.h"

#include <hcbr/answers.h>

#define NOT_LOADED UINT64_MAX

struct hcbr_stream {
    hcbr_decider *decider;
    hcbr_i_table *table; /* read instead of files; NULL: files are read */
    bool compares;       /* compare its columns with those of training */
    hcbr_i_reader *reader;
    const hcbr_i_block *block; /* NULL before the first and at the end */
    size_t next;               /* case of the block to decide next */
    uint64_t loaded;           /* when the decider looked its names up; NOT_LOADED: it did not */
    bool ended, failed;
    uint64_t columns_serial; /* of the header that was last compared */
    uint64_t decided, known; /* cases, and features of them that were known */
    hcbr_i_misfits misfits;
    hcbr_notify_fn *notify;
    void *notify_context;
    hcbr_i_rounds_decide *rounds; /* NULL: one thread decides */
    bool in_round;                /* it may have decisions to hand out */
    hcbr_decider *maker;          /* of rows, so that the block stays loaded; NULL: none yet */
    size_t item, text;            /* items before the case, and how many have a text */
    hcbr_i_row row;               /* fields of the last case, once requested */
    hcbr_i_known_names columns;   /* that the model has */
};

/* ---- life ------------------------------------------------------------------------------------ */

static hcbr_status create_reader(hcbr_stream *stream, const char *const *paths, size_t count,
                                 const hcbr_read_options *options, hcbr_error *err) {
    if (!stream->table)
        return hcbr_i_reader_create(&stream->reader, paths, count, options, false, err);
    hcbr_read_options all;
    hcbr_i_options_fill(&all, options);
    if (all.outcomes)
        return hcbr_i_fail(
            err, HCBR_EUSAGE,
            "found a file of labels for a table to be decided, expected none (option "
            "outcomes)");
    return hcbr_i_reader_create_table(&stream->reader, stream->table, &all, false, err);
}

/* A stream of files, or of a table where that is not NULL; it is the stream's, or released. */
static hcbr_status create(hcbr_stream **out, hcbr_decider *decider, hcbr_i_table *table,
                          const char *const *paths, size_t count, const hcbr_read_options *options,
                          hcbr_error *err) {
    hcbr_read_options all;
    if (options)
        hcbr_i_options_fill(&all, options);
    else
        hcbr_model_get_read_options(decider->model, &all);
    hcbr_stream *stream = hcbr_i_alloc_zero(1, sizeof *stream);
    if (!stream) {
        hcbr_i_table_free(table);
        return hcbr_i_no_memory(err);
    }
    stream->decider = decider;
    stream->table = table;
    stream->compares = true;
    stream->notify = all.notify;
    stream->notify_context = all.notify_context;
    hcbr_status st = create_reader(stream, paths, count, &all, err);
    if (st == HCBR_OK) {
        decider->how.listed = all.na_only != 0;
        hcbr_i_by_code_clear(&decider->by_code); // of a stream that may be no more
        hcbr_i_by_item_clear(&decider->by_item);
        hcbr_i_reader_set_coded(stream->reader);
        stream->columns = hcbr_i_model_known(decider->model);
        hcbr_i_reader_set_known(stream->reader, &stream->columns);
        if (decider->engine->number)
            hcbr_i_reader_set_apart(stream->reader);
    }
    if (st == HCBR_OK && !table && hcbr_i_reader_threads(stream->reader) > 1)
        st = hcbr_i_rounds_decide_create(&stream->rounds, decider, stream->reader, err);
    if (st == HCBR_OK) {
        *out = stream;
        stream = NULL; // now the caller's
    }
    hcbr_stream_free(stream);
    return st;
}

hcbr_status hcbr_stream_create(hcbr_stream **out, hcbr_decider *decider, const char *const *paths,
                               size_t count, const hcbr_read_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, decider) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    return create(out, decider, NULL, paths, count, options, err);
}

hcbr_status hcbr_stream_create_columns(hcbr_stream **out, hcbr_decider *decider,
                                       const hcbr_memory_column *columns, size_t count,
                                       const hcbr_read_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, decider) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *table = NULL;
    hcbr_status st = hcbr_i_table_create(&table, columns, count, err);
    return st == HCBR_OK ? create(out, decider, table, NULL, 0, options, err) : st;
}

hcbr_status hcbr_stream_create_arrow(hcbr_stream **out, hcbr_decider *decider,
                                     const struct ArrowSchema *schema,
                                     const struct ArrowArray *array,
                                     const hcbr_read_options *options, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, decider, schema, array) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *table = NULL;
    hcbr_status st = hcbr_i_table_create_arrow(&table, schema, array, err);
    return st == HCBR_OK ? create(out, decider, table, NULL, 0, options, err) : st;
}

hcbr_status hcbr_stream_create_sparse(hcbr_stream **out, hcbr_decider *decider,
                                      const hcbr_sparse *matrix, const hcbr_memory_column *columns,
                                      size_t count, const hcbr_read_options *options,
                                      hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, decider, matrix) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_i_table *table = NULL;
    hcbr_status st = hcbr_i_table_create_sparse(&table, matrix, columns, count, err);
    if (st == HCBR_OK)
        st = create(out, decider, table, NULL, 0, options, err);
    if (st == HCBR_OK)
        (*out)->compares = false;
    return st;
}

void hcbr_stream_free(hcbr_stream *stream) {
    if (!stream)
        return;
    hcbr_i_rounds_decide_free(stream->rounds);
    hcbr_i_reader_free(stream->reader);
    hcbr_i_table_free(stream->table);
    hcbr_i_misfits_clear(&stream->misfits);
    hcbr_decider_free(stream->maker);
    hcbr_i_free(stream->row.all);
    hcbr_i_free(stream);
}

/* ---- reading --------------------------------------------------------------------------------- */

static hcbr_status load_block(hcbr_stream *stream, hcbr_error *err) {
    hcbr_status st = hcbr_i_decider_load(stream->decider, stream->block, err);
    stream->loaded = stream->decider->loads;
    return st;
}

/* Names of it are looked up when the first of its cases is decided. */
static hcbr_status next_block(hcbr_stream *stream, hcbr_error *err) {
    uint64_t serial;
    size_t count;
    stream->next = stream->item = stream->text = 0;
    stream->loaded = NOT_LOADED;
    hcbr_i_reader_set_numeric(stream->reader, hcbr_i_decider_wants_numbers(stream->decider));
    hcbr_status st = hcbr_i_reader_next(stream->reader, &stream->block, err);
    if (st != HCBR_OK)
        return st;
    const hcbr_i_text *columns = hcbr_i_reader_columns(stream->reader, &count, &serial);
    if (serial != stream->columns_serial) {
        stream->columns_serial = serial;
        const hcbr_i_listener to = {stream->notify, stream->notify_context};
        if (count && stream->compares &&
            (st = hcbr_i_columns_compare(stream->decider->model, stream->reader, columns, count,
                                         &to, err)) != HCBR_OK)
            return st;
    }
    return HCBR_OK;
}

void hcbr_i_stream_warn(hcbr_stream *stream) {
    hcbr_i_misfits_warn(&stream->misfits,
                        &(hcbr_i_listener){stream->notify, stream->notify_context});
}

/* At the end: data without anything known is probably not of the model's kind. */
static void end_stream(hcbr_stream *stream) {
    stream->ended = true;
    hcbr_i_stream_warn(stream);
    if (stream->decided && !stream->known)
        hcbr_i_warn_nothing_known(&(hcbr_i_listener){stream->notify, stream->notify_context});
}

static inline bool must_read(const hcbr_stream *stream) {
    return !stream->ended && !stream->in_round &&
           (!stream->block || stream->next == stream->block->case_count);
}

int hcbr_stream_must_read(const hcbr_stream *stream) {
    return must_read(stream);
}

/* Go on to a block with a case to decide, or to the end. */
static __attribute__((noinline)) hcbr_status find_block(hcbr_stream *stream, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    while (st == HCBR_OK && must_read(stream)) {
        st = next_block(stream, err);
        if (st == HCBR_OK && !stream->block)
            end_stream(stream);
    }
    return st;
}

/* Decide the next case of the block. */
static inline hcbr_status decide_next(hcbr_stream *stream, hcbr_decision *to, hcbr_error *err) {
    const hcbr_i_raw_case *x = &stream->block->cases[stream->next];
    hcbr_status st = hcbr_i_decider_run(stream->decider, stream->block, stream->next++, to, err);
    stream->decided++;
    stream->known += to->known_count;
    hcbr_i_decision_place(to, x);
    if (HCBR_I_UNLIKELY(to->unseen_count > 0) && st == HCBR_OK)
        st = hcbr_i_misfits_note(&stream->misfits, stream->decider->model, to, to->row, err);
    return st;
}

/* The next decision of a round, if there is a round or one can begin. */
static __attribute__((noinline)) hcbr_status
next_of_round(hcbr_stream *stream, hcbr_decision *decision, int *more, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    bool found = false;
    hcbr_decision full = {.size = decision->size};
    while (st == HCBR_OK && !found) {
        if (stream->in_round && hcbr_i_rounds_decide_next(stream->rounds, &full)) {
            found = true;
            break;
        }
        stream->in_round = false;
        if (!must_read(stream) || !hcbr_i_reader_is_large(stream->reader))
            break;
        st = hcbr_i_rounds_decide_begin(stream->rounds, stream->reader, &stream->in_round, err);
        if (st != HCBR_OK || !stream->in_round)
            break;
        stream->block = NULL; // its text is gone
    }
    if (found) {
        full.size = decision->size;
        *decision = full;
        stream->decided++;
        stream->known += full.known_count;
        st = hcbr_i_misfits_note(&stream->misfits, stream->decider->model, &full, full.row, err);
    }
    stream->failed = st != HCBR_OK;
    *more = found;
    return st;
}

hcbr_status hcbr_stream_next(hcbr_stream *stream, hcbr_decision *decision, int *more,
                             hcbr_error *err) {
    if (HCBR_I_NULL(err, stream, decision, more) || HCBR_I_UNSIZED(err, decision))
        return HCBR_EUSAGE;
    hcbr_status st = HCBR_OK;
    *more = 0;
    if (stream->failed)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the stream has failed and can only be released");
    if (stream->rounds) {
        st = next_of_round(stream, decision, more, err);
        if (st != HCBR_OK || *more)
            return st;
    }
    if (must_read(stream))
        st = find_block(stream, err);
    if (st == HCBR_OK && stream->ended)
        return HCBR_OK;
    if (st == HCBR_OK && stream->loaded != stream->decider->loads)
        st = load_block(stream, err); // it is new, or the decider was used for other cases
    if (st == HCBR_OK)
        st = decide_next(stream, decision, err);
    stream->failed = st != HCBR_OK;
    *more = st == HCBR_OK;
    return st;
}

hcbr_status hcbr_i_stream_read(hcbr_stream *stream, hcbr_decision *decision, int *more,
                               hcbr_error *err) {
    *more = 0;
    if (stream->failed)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the stream has failed and can only be released");
    if (stream->in_round)
        return hcbr_i_fail(err, HCBR_EUSAGE, "another thread has read the next case");
    hcbr_status st = must_read(stream) ? find_block(stream, err) : HCBR_OK;
    stream->failed = st != HCBR_OK;
    if (st != HCBR_OK || stream->ended)
        return st;
    *decision = (hcbr_decision){.size = decision->size};
    hcbr_i_decision_place(decision, &stream->block->cases[stream->next++]);
    *more = 1;
    return HCBR_OK;
}

void hcbr_i_stream_note(hcbr_stream *stream, uint64_t known) {
    stream->decided++;
    stream->known += known;
}

hcbr_status hcbr_i_stream_note_decision(hcbr_stream *stream, const hcbr_decision *decision,
                                        hcbr_error *err) {
    hcbr_i_stream_note(stream, decision->known_count);
    return hcbr_i_misfits_note(&stream->misfits, stream->decider->model, decision, decision->row,
                               err);
}

/* Check that the last case is still available. */
static hcbr_status check_case(const hcbr_stream *stream, hcbr_error *err) {
    if (stream->block && stream->next > 0)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_EUSAGE,
                       "no case was decided yet, the stream has ended, or another thread read the "
                       "case");
}

hcbr_status hcbr_stream_get_fields(hcbr_stream *stream, const hcbr_field **fields, size_t *count,
                                   hcbr_error *err) {
    if (HCBR_I_NULL(err, stream, fields, count))
        return HCBR_EUSAGE;
    *fields = NULL;
    *count = 0;
    hcbr_status st = check_case(stream, err);
    if (st == HCBR_OK)
        st = hcbr_i_reader_fields(stream->reader, &stream->block->cases[stream->next - 1],
                                  &stream->row, err);
    if (st != HCBR_OK)
        return st;
    *fields = stream->row.all;
    *count = stream->row.count;
    return HCBR_OK;
}

hcbr_status hcbr_stream_get_row(hcbr_stream *stream, hcbr_row **out, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, stream, out))
        return HCBR_EUSAGE;
    hcbr_status st = check_case(stream, err);
    if (st == HCBR_OK && !stream->maker)
        st = hcbr_i_decider_clone(&stream->maker, stream->decider, err);
    if (st != HCBR_OK)
        return st;
    const hcbr_i_block *block = stream->block;
    const hcbr_i_raw_case *x = &block->cases[stream->next - 1];
    for (; block->spelled_count && stream->item < x->first_item; stream->item++)
        stream->text += block->items[stream->item].spelling >= HCBR_I_SPELLED_OTHER;
    return hcbr_i_row_make(out, stream->maker, block, x, stream->text, err);
}

hcbr_status hcbr_stream_find_itself(hcbr_stream *stream, uint64_t *index, hcbr_error *err) {
    if (HCBR_I_NULL(err, stream, index))
        return HCBR_EUSAGE;
    *index = UINT64_MAX;
    hcbr_status st = check_case(stream, err);
    if (st != HCBR_OK)
        return st;
    const hcbr_i_raw_case *x = &stream->block->cases[stream->next - 1];
    const hcbr_row_info info = {.row = x->row,
                                .id = x->id.at,
                                .id_length = x->id.length,
                                .given = x->label.at,
                                .given_length = x->label.length};
    if (!hcbr_i_row_may_be_past(stream->decider->model, &info)) // most may not: no row is made
        return HCBR_OK;
    hcbr_row *row;
    st = hcbr_stream_get_row(stream, &row, err);
    if (st == HCBR_OK)
        st = hcbr_i_row_find_itself(row, index, err);
    hcbr_row_free(row);
    return st;
}

const hcbr_i_rule *hcbr_i_stream_rule(const hcbr_stream *stream) {
    return &stream->decider->rule;
}

uint64_t hcbr_stream_skipped_count(const hcbr_stream *stream) {
    return hcbr_i_reader_skipped(stream->reader);
}
