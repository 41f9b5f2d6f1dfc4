/*
 * The reader: file after file (reader_files.c), or a table in memory, becomes blocks of cases in a
 * lane (records.c), with the labels, names and features that come from other files.
 *
 * Invariants: the buffer moves only while the block is empty, since the text of the block is in it;
 * a failure is kept and returned again by every later call.
 */
#include "read/reader.h"
#include "read/frame.h"

#define JOINED_ALWAYS ((uint64_t)64 << 20) /* joined features that are never too many */
/* ---- to create ------------------------------------------------------------------------------- */

/** Sources to be joined that are not given: an error in training, later a warning. */
static hcbr_status check_absent(const hcbr_read_options *o, bool labelled, hcbr_error *err) {
    char name[200], key[200];
    for (size_t i = 0; i < o->join_count; i++) {
        const hcbr_join *join = &o->join[i];
        if (join->path != NULL)
            continue;
        hcbr_i_quote(name, join->name, strlen(join->name));
        hcbr_i_quote(key, join->key, strlen(join->key));
        if (labelled)
            return hcbr_i_fail(err, HCBR_EUSAGE,
                               "found no file for the source %s, expected one (option join)", name);
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "the source %s, which training joined by %s, is not here: its features are "
                      "missing (option join.name)",
                      name, key);
    }
    return HCBR_OK;
}

/** Copy the paths and make the buffer. */
static hcbr_status prepare(hcbr_i_reader *r, const char *const *paths, size_t count,
                           hcbr_error *err) {
    r->lane.p.file = "";
    r->lane.p.block = &r->lane.block;
    r->paths = hcbr_i_alloc(count, sizeof *r->paths);
    if (r->paths == NULL || (r->frame == NULL && !hcbr_i_reader_start(r)))
        return hcbr_i_no_memory(err);
    for (r->path_count = 0; r->path_count < count; r->path_count++) {
        const char *path = paths[r->path_count];
        r->paths[r->path_count] = hcbr_i_arena_copy(&r->text, path, strlen(path));
        if (r->paths[r->path_count] == NULL)
            return hcbr_i_no_memory(err);
    }
    return HCBR_OK;
}

/** The files that go with the data: names of ids, labels, sources to be joined. */
static hcbr_status load_others(hcbr_i_reader *r, hcbr_error *err) {
    hcbr_i_parser *p = &r->lane.p;
    hcbr_status st = HCBR_OK;
    if (r->options.names != NULL)
        st = hcbr_i_names_load(&r->names, r->options.names, r->options.hash_key, err);
    p->names = r->names;
    if (st == HCBR_OK)
        st = hcbr_i_outcomes_load(&r->outcomes, p, r->labelled, err);
    if (st == HCBR_OK && r->joins != NULL && (st = hcbr_i_joins_load(r->joins, err)) == HCBR_OK) {
        p->keys = hcbr_i_joins_keys(r->joins, &p->key_count);
        p->joins = p->key_count > 0 ? r->joins : NULL;
    }
    return st;
}

/** A reader of files, or of a table where that is not NULL. */
static hcbr_status create(hcbr_i_reader **out, hcbr_i_table *frame, const char *const *paths,
                          size_t count, const hcbr_read_options *options, bool labelled,
                          hcbr_error *err) {
    hcbr_read_options given;
    *out = NULL;
    hcbr_i_reader *r = hcbr_i_alloc_zero(1, sizeof *r);
    if (r == NULL)
        return hcbr_i_no_memory(err);
    r->labelled = labelled;
    r->frame = frame;
    r->format = &hcbr_i_format_auto;
    hcbr_i_options_fill(&given, options);
    hcbr_status st = given.join_count > 0 ? hcbr_i_read_options_check(&given, err) : HCBR_OK;
    if (st == HCBR_OK && (st = check_absent(&given, labelled, err)) == HCBR_OK &&
        given.join_count > 0)
        st = hcbr_i_joins_create(&r->joins, &given, paths, count, err);
    given.join = NULL; // they are in r->joins
    given.join_count = 0;
    if (st == HCBR_OK &&
        (st = hcbr_i_parser_init(&r->lane.p, &r->options, &given, labelled, &r->text, err)) ==
            HCBR_OK &&
        (st = prepare(r, paths, count, err)) == HCBR_OK)
        st = load_others(r, err);
    if (st != HCBR_OK) {
        hcbr_i_reader_free(r);
        return st;
    }
    *out = r;
    return HCBR_OK;
}

hcbr_status hcbr_i_reader_create(hcbr_i_reader **out, const char *const *paths, size_t count,
                                 const hcbr_read_options *options, bool labelled, hcbr_error *err) {
    *out = NULL;
    if (count == 0)
        return hcbr_i_fail(err, HCBR_EUSAGE, "found no file, expected at least one");
    if (hcbr_i_no_list(paths, count, "paths", err))
        return HCBR_EUSAGE;
    for (size_t i = 0; i < count; i++)
        if (hcbr_i_no_list(paths[i], 1, "path", err))
            return HCBR_EUSAGE;
    return create(out, NULL, paths, count, options, labelled, err);
}

hcbr_status hcbr_i_reader_create_table(hcbr_i_reader **out, hcbr_i_table *frame,
                                       const hcbr_read_options *options, bool labelled,
                                       hcbr_error *err) {
    hcbr_read_options given;
    hcbr_status st;
    *out = NULL;
    hcbr_i_options_fill(&given, options);
    if ((st = hcbr_i_read_options_check(&given, err)) != HCBR_OK)
        return st;
    if (given.names != NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "found a file of names for a table in memory, expected none");
    given.no_header = given.delimiter = 0; // there is no text that they could be about
    st = create(out, frame, NULL, 0, &given, labelled, err);
    if (st != HCBR_OK)
        return st;
    (*out)->serial = (*out)->lane.p.serial = 1;
    (*out)->format = &hcbr_i_format_csv; // has columns
    (*out)->lane.p.format = frame->sparse.size > 0 ? &hcbr_i_format_libsvm : &hcbr_i_format_csv;
    return HCBR_OK;
}

hcbr_status hcbr_i_reader_create_joined(hcbr_i_reader **out, const char *path,
                                        const hcbr_read_options *options, const hcbr_i_text *key,
                                        hcbr_error *err) {
    hcbr_status st = hcbr_i_reader_create(out, &path, 1, options, false, err);
    if (st != HCBR_OK)
        return st;
    (*out)->lane.p.keys = key;
    (*out)->lane.p.key_count = 1;
    (*out)->lane.p.is_joined = true;
    return HCBR_OK;
}

void hcbr_i_reader_free(hcbr_i_reader *reader) {
    if (reader == NULL)
        return;
    hcbr_i_rounds_free(reader->rounds);
    hcbr_i_source_close(reader->source);
    hcbr_i_lane_clear(&reader->lane);
    hcbr_i_csv_clear(&reader->lane.csv);
    hcbr_i_names_free(reader->names);
    hcbr_i_joins_free(reader->joins);
    hcbr_i_arena_clear(&reader->text);
    hcbr_i_free(reader->lane.p.label_name);
    hcbr_i_free(reader->lane.buffer);
    hcbr_i_outcomes_clear(&reader->outcomes);
    hcbr_i_free(reader->paths);
    hcbr_i_free(reader);
}

/* ---- to read --------------------------------------------------------------------------------- */

/** Continue until the block has cases, the reader failed or a file ended. */
static void advance(hcbr_i_reader *r) {
    hcbr_error err;
    hcbr_status st;
    hcbr_i_lane_parse(&r->lane);
    if (r->lane.block.case_count > 0 || r->lane.failed != HCBR_OK)
        return;
    hcbr_i_block_reset(&r->lane.block);
    if (r->lane.last && r->lane.begin == r->lane.end)
        st = hcbr_i_reader_end_file(r, &err);
    else if (hcbr_i_lane_is_full(&r->lane))
        return;
    else
        st = hcbr_i_reader_fill(r, &err);
    if (st != HCBR_OK)
        hcbr_i_lane_fail(&r->lane, st, &err);
}

/** Say that no case has a key that an option names. */
static void report_name(const hcbr_i_reader *r, hcbr_i_text name, const char *option) {
    hcbr_i_suggestion s = {.wanted = name};
    char quoted[200], near[HCBR_I_SUGGESTED];
    hcbr_i_jsonl_suggest(&r->lane.p, &s);
    hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_WARNING, NULL, 0, 0,
                  "no case has the key %s (option %s)%s",
                  hcbr_i_quote(quoted, name.at, name.length), option,
                  hcbr_i_suggestion_text(near, &s));
}

/** Keys that options name and no case has: a header would have been refused. */
static void report_names(const hcbr_i_reader *r) {
    const hcbr_i_parser *p = &r->lane.p;
    const char *const others[] = {p->options->id, p->options->group};

    // A list of words to leave out may be longer than the text.
    if (r->format->unnamed || r->format->has_columns || r->lane.row == 0)
        return;
    // Columns named by a model need not be in new cases.
    for (size_t i = 0; r->labelled && i < p->ignore_count; i++)
        if (!atomic_load_explicit(&p->met[i], memory_order_relaxed))
            report_name(r, p->ignore[i], "ignore");
    for (size_t i = 0; r->labelled && i <= HCBR_I_MET_GROUP; i++)
        if (others[i] != NULL &&
            !atomic_load_explicit(&p->met[p->ignore_count + i], memory_order_relaxed))
            report_name(r, (hcbr_i_text){others[i], strlen(others[i])},
                        i == HCBR_I_MET_ID ? "id" : "group");
    for (size_t i = 0; i < p->special_count; i++)
        if (!atomic_load_explicit(&p->specials[i].met, memory_order_relaxed))
            report_name(r, p->specials[i].column, hcbr_i_change_name(p->specials[i].change));
}

/** All files were read: the columns that options name must have occurred. */
static hcbr_status end_all(hcbr_i_reader *r, hcbr_error *err) {
    const hcbr_i_parser *p = &r->lane.p;
    hcbr_status st = hcbr_i_outcomes_end(&r->outcomes, r->lane.row, err);
    char quoted[200];
    if (st != HCBR_OK || r->ended)
        return st;
    r->ended = true;
    if (r->frame != NULL) {
        const uint64_t count = r->lane.odd.kinds[HCBR_I_FAULT_LABEL].count;
        hcbr_i_odd_report(&r->lane.odd, &r->options, NULL);
        if (count > 0 && count == r->lane.row)
            return hcbr_i_fail(err, HCBR_EDATA, "found no row with a label, expected at least one");
    }
    if (p->apart && p->label_name != NULL)
        hcbr_i_notify(r->options.notify, r->options.notify_context, HCBR_NOTE, NULL, 0, 0,
                      "%s is left out: labels come from option outcomes",
                      hcbr_i_quote(quoted, p->label_name, strlen(p->label_name)));
    report_names(r);
    hcbr_i_json_note_added(p);
    hcbr_i_joins_end(r->joins, &r->options);
    return HCBR_OK;
}

/** The last case of the block before joined sources make it too large; then the reader fails. */
static void count_joined(hcbr_i_reader *r) {
    hcbr_i_block *block = &r->lane.block;
    hcbr_error err;
    for (size_t i = 0; r->joins != NULL && i < block->case_count; i++) {
        const hcbr_i_raw_case *x = &block->cases[i];
        r->own += 1 + x->count + x->item_count - x->joined;
        r->joined += x->joined;
        if (r->joined <= JOINED_ALWAYS || r->joined / r->options.max_expand <= r->own)
            continue;
        hcbr_i_fail_at(
            &err, HCBR_EDATA, r->lane.p.file, x->line, 1,
            "found joined features of more than %lu times the number of the cases' own, "
            "expected fewer rows for each value of a key (option max_expand raises the limit)",
            (unsigned long)r->options.max_expand);
        hcbr_i_lane_fail(&r->lane, HCBR_EDATA, &err);
        block->case_count = i;
        block->name_count = x->first;
        return;
    }
}

/** Give the cases of the block the names of their rows and labels. */
static void name_cases(hcbr_i_reader *r) {
    hcbr_error err;
    if (r->names == NULL || !r->format->has_ids)
        return;
    hcbr_status st = hcbr_i_names_give(r->names, &r->lane.p, &r->lane.block, &err);
    if (st != HCBR_OK)
        hcbr_i_lane_fail(&r->lane, st, &err);
}

/** Turn labels from another file than the cases into ranges, if requested. */
static void bin_cases(hcbr_i_reader *r) {
    hcbr_i_block *block = &r->lane.block;
    hcbr_error err;
    if (r->lane.p.cuts == NULL || (r->names == NULL && r->outcomes.file == NULL))
        return;
    for (size_t i = 0; i < block->case_count; i++)
        if (!hcbr_i_parser_bin(&r->lane.p, &block->cases[i].label, &block->arena)) {
            hcbr_i_lane_fail(&r->lane, hcbr_i_no_memory(&err), &err);
            return;
        }
}

hcbr_status hcbr_i_reader_next(hcbr_i_reader *reader, const hcbr_i_block **block, hcbr_error *err) {
    hcbr_status st;
    hcbr_error reason;
    *block = NULL;
    hcbr_i_block_reset(&reader->lane.block);
    while (reader->lane.failed == HCBR_OK) {
        bool rows = reader->frame != NULL && !reader->frame->ended;
        if (reader->source == NULL && !rows) {
            st = reader->next_path == reader->path_count ? end_all(reader, &reason)
                                                         : hcbr_i_reader_open_next(reader, &reason);
            if (st == HCBR_OK && reader->ended)
                return HCBR_OK;
            if (st != HCBR_OK)
                hcbr_i_lane_fail(&reader->lane, st, &reason);
            continue;
        }
        if (rows)
            hcbr_i_table_fill(reader->frame, &reader->lane);
        else
            advance(reader);
        if (reader->lane.block.case_count > 0 && reader->outcomes.file != NULL &&
            (st = hcbr_i_outcomes_give(&reader->outcomes, &reader->lane.block, &reason)) != HCBR_OK)
            hcbr_i_lane_fail(&reader->lane, st, &reason);
        name_cases(reader);
        bin_cases(reader);
        count_joined(reader);
        if (reader->lane.block.case_count > 0) {
            *block = &reader->lane.block;
            return HCBR_OK;
        }
    }
    if (err != NULL)
        *err = reader->lane.error;
    return reader->lane.failed;
}

/* ---- properties ------------------------------------------------------------------------------ */

void hcbr_i_reader_set_numeric(hcbr_i_reader *reader, bool numeric) {
    reader->lane.p.numeric = numeric;
}

void hcbr_i_reader_set_coded(hcbr_i_reader *reader) {
    reader->lane.p.coded = true;
}

void hcbr_i_reader_set_apart(hcbr_i_reader *reader) {
    reader->lane.p.parts_numbers = true;
}

void hcbr_i_reader_set_known(hcbr_i_reader *reader, const hcbr_i_known_names *known) {
    reader->lane.p.known = known;
}

uint64_t hcbr_i_reader_bytes(const hcbr_i_reader *reader) {
    return reader->bytes + (reader->joins != NULL ? hcbr_i_joins_bytes(reader->joins) : 0);
}

hcbr_status hcbr_i_reader_ask(const hcbr_i_reader *reader, hcbr_error *err) {
    const hcbr_read_options *o = &reader->options;
    if (reader->frame != NULL)
        return hcbr_i_ask(o->progress, o->progress_context, "read", reader->frame->done,
                          reader->frame->total, err);
    return reader->source != NULL ? hcbr_i_reader_report(reader, err) : HCBR_OK;
}

uint64_t hcbr_i_reader_rows(const hcbr_i_reader *reader) {
    return reader->lane.row;
}

uint64_t hcbr_i_reader_skipped(const hcbr_i_reader *reader) {
    return reader->lane.skipped;
}

const char *hcbr_i_reader_file(const hcbr_i_reader *reader) {
    return reader->lane.p.file;
}

const hcbr_i_text *hcbr_i_reader_columns(const hcbr_i_reader *reader, size_t *count,
                                         uint64_t *serial) {
    *count = reader->lane.csv.ready ? reader->lane.csv.feature_count : 0;
    *serial = reader->lane.csv.ready ? reader->serial : 0;
    return reader->lane.csv.features;
}

bool hcbr_i_reader_is_unlabelled(const hcbr_i_reader *reader) {
    return reader->lane.p.unlabelled;
}

const char *hcbr_i_reader_label_name(const hcbr_i_reader *reader) {
    if (reader->names != NULL && reader->format->has_ids &&
        hcbr_i_names_label_name(reader->names) != NULL)
        return hcbr_i_names_label_name(reader->names);
    if (reader->format->unnamed)
        return "label";
    if (reader->lane.p.label_name != NULL)
        return reader->lane.p.label_name;
    if (reader->options.label != NULL)
        return reader->options.label;
    for (size_t i = 0; i < HCBR_I_LABEL_NAMES; i++) // none of the data: not one with another use
        if (hcbr_i_parser_special(&reader->lane.p, hcbr_i_label_names[i],
                                  strlen(hcbr_i_label_names[i])) == NULL)
            return hcbr_i_label_names[i];
    return "";
}

bool hcbr_i_reader_is_word(const hcbr_i_reader *reader, hcbr_i_text key) {
    const hcbr_i_parser *p = &reader->lane.p;
    for (size_t i = 0; i < p->special_count; i++) {
        hcbr_i_text column = p->specials[i].column;
        if (p->specials[i].change == HCBR_I_CHANGE_TEXT && column.length < key.length &&
            key.at[column.length] == ':' && memcmp(key.at, column.at, column.length) == 0)
            return true;
    }
    return reader->format->has_words || hcbr_i_joins_is_word(reader->joins, key);
}

bool hcbr_i_reader_is_table(const hcbr_i_reader *reader) {
    const hcbr_i_format *format = reader->lane.p.format;
    return (!format->unnamed && format != &hcbr_i_format_auto) ||
           hcbr_i_names_is_table(reader->names);
}

uint32_t hcbr_i_reader_min_count(const hcbr_i_reader *reader) {
    return reader->options.min_count;
}

hcbr_status hcbr_i_reader_check_grams(const hcbr_i_reader *reader, uint64_t bytes,
                                      hcbr_error *err) {
    return hcbr_i_grams_check(&reader->lane.p, bytes, err);
}

const hcbr_i_parser *hcbr_i_reader_parser(const hcbr_i_reader *reader) {
    return &reader->lane.p;
}

const hcbr_i_csv *hcbr_i_reader_csv(const hcbr_i_reader *reader) {
    return &reader->lane.csv;
}
