/*
 * The case base: sets of feature numbers, one after the other, with labels, names and rows.
 *
 * Every case in it is complete: a call that fails undoes what it added.
 */
#include "cases/append.h"
#include "cases/dict.h"

#include <hcbr/cases.h>

/* The first cases decide whether the numbers of all are separate. */
static void choose_form(hcbr_cases *cases, hcbr_numbers numbers) {
    if (!cases->formed)
        cases->apart = numbers == HCBR_NUMBERS_APART;
    if (!cases->formed)
        cases->as_read = numbers == HCBR_NUMBERS_AS_READ;
    cases->formed = true;
}

hcbr_status hcbr_cases_create(hcbr_cases **out, uint64_t hash_key, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out))
        return HCBR_EUSAGE;
    hcbr_cases *cases = hcbr_i_alloc_zero(1, sizeof *cases);
    if (!cases)
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_dict_create(&cases->dict, hash_key, err);
    if (st == HCBR_OK && !hcbr_i_grow(&cases->start, &cases->start_capacity, 64, sizeof(uint64_t)))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK) {
        hcbr_cases_free(cases);
        return st;
    }
    cases->start[0] = 0;
    *out = cases;
    return HCBR_OK;
}

void hcbr_cases_free(hcbr_cases *cases) {
    if (!cases)
        return;
    hcbr_i_dict_release(cases->dict);
    hcbr_i_labels_clear(&cases->labels);
    hcbr_i_free(cases->start);
    hcbr_i_free(cases->features);
    hcbr_i_free(cases->label);
    hcbr_i_free(cases->row);
    hcbr_i_free(cases->ids);
    hcbr_i_free(cases->columns);
    hcbr_i_arena_clear(&cases->column_text);
    hcbr_i_free(cases->id_start);
    hcbr_i_free(cases->group);
    hcbr_i_free(cases->weight);
    hcbr_i_free(cases->label_name);
    hcbr_i_free(cases->bins);
    hcbr_i_free(cases->least);
    hcbr_i_numbers_clear(&cases->numbers);
    hcbr_i_schema_release(cases->schema);
    hcbr_i_schema_release(cases->doubts);
    hcbr_i_beliefs_release(cases->beliefs);
    for (size_t i = 0; i < cases->asked_count; i++)
        hcbr_i_free(cases->asked[i].column);
    hcbr_i_free(cases->asked);
    hcbr_i_free(cases);
}

/* A text given to the API: UTF-8 without NUL. */
static hcbr_status check_text(const char *what, const char *text, size_t length, hcbr_error *err) {
    char quoted[200];
    if (length >= UINT32_MAX)
        return hcbr_i_fail(err, HCBR_EDATA, "%s of %zu bytes, expected less than 4 GiB", what,
                           length);
    size_t at = hcbr_i_utf8_check(text, length);
    if (at == length)
        return HCBR_OK;
    return hcbr_i_fail(err, HCBR_EDATA, "%s %s: byte %zu is %s, expected UTF-8 without NUL", what,
                       hcbr_i_quote(quoted, text, length), at + 1, text[at] ? "not UTF-8" : "NUL");
}

hcbr_status hcbr_i_block_fill(hcbr_i_block *block, const hcbr_feature *features, size_t count,
                              hcbr_error *err) {
    if (hcbr_i_no_list(features, count, "features", err))
        return HCBR_EUSAGE;
    for (size_t f = 0; f < count; f++) {
        const hcbr_feature *x = &features[f];
        if (hcbr_i_no_list(x->key, 1, "key", err))
            return HCBR_EUSAGE;
        hcbr_status st = check_text("key", x->key, x->key_length, err);
        if (st == HCBR_OK && x->value)
            st = check_text("value", x->value, x->value_length, err);
        if (st != HCBR_OK)
            return st;
        if (!hcbr_i_block_add(block, x->key, x->key_length, x->value,
                              x->value ? x->value_length : 0))
            return hcbr_i_no_memory(err);
    }
    return HCBR_OK;
}

/* Check a text of a case; an empty one means none. */
static hcbr_status take_text(hcbr_i_text *out, const char *what, const char *text,
                             hcbr_error *err) {
    if (!text || !*text)
        return HCBR_OK;
    *out = (hcbr_i_text){text, strlen(text)};
    return check_text(what, text, out->length, err);
}

/* Label, id, group and weight of a case, as a reader would give them. */
static hcbr_status take_case(hcbr_i_raw_case *raw, const hcbr_labelled_case *one, hcbr_error *err) {
    *raw = (hcbr_i_raw_case){.row = 1, .count = one->feature_count, .weight = one->weight};
    if (!one->label || !*one->label)
        return hcbr_i_fail(err, HCBR_EDATA, "the label is empty, expected a text");
    if (!(one->weight >= 0 && one->weight <= HCBR_I_MOST_WEIGHT))
        return hcbr_i_fail(err, HCBR_EDATA, "the weight is %g, expected a number from 0 to %g",
                           one->weight, HCBR_I_MOST_WEIGHT);
    hcbr_status st = take_text(&raw->label, "label", one->label, err);
    if (st == HCBR_OK)
        st = take_text(&raw->id, "id", one->id, err);
    return st == HCBR_OK ? take_text(&raw->group, "group", one->group, err) : st;
}

hcbr_status hcbr_cases_add(hcbr_cases *cases, const hcbr_labelled_case *given, hcbr_error *err) {
    if (HCBR_I_NULL_NAMED(err, "cases, one", cases, given) ||
        HCBR_I_UNSIZED_NAMED(err, "one", given))
        return HCBR_EUSAGE;
    hcbr_labelled_case one;
    hcbr_i_raw_case raw;
    hcbr_i_block block = {.cases = &raw, .case_count = 1};
    uint32_t length;
    size_t far;
    if (cases->finished)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is finished");
    hcbr_labelled_case_init(&one);
    if (given)
        one = *given;
    hcbr_status st = take_case(&raw, &one, err);
    if (st == HCBR_OK)
        st = hcbr_i_block_fill(&block, one.features, one.feature_count, err);
    choose_form(cases, HCBR_NUMBERS_APART);
    if (st == HCBR_OK && cases->apart) {
        if (!hcbr_i_block_set_apart(&block, 0, false))
            st = hcbr_i_no_memory(err);
        raw.count = block.name_count;
        raw.item_count = block.item_count;
    }
    if (st == HCBR_OK && one.weight > 0)
        st = hcbr_i_append_block(cases, NULL, NULL, &block, cases->rows, &length, &far, err);
    cases->untabled = true; // its features are final
    if (st == HCBR_OK)
        cases->rows++;
    block.cases = NULL; /* not the block's to release */
    hcbr_i_block_clear(&block);
    return st;
}

/* Choose numbers or names for the next block. Numbers beyond the dictionary's array are faster by
 * name. */
static void choose_names(const hcbr_cases *cases, hcbr_i_reader *reader, const hcbr_i_block *block,
                         size_t far, uint32_t *limit) {
    if (block->numeric && far > block->name_count / 4)
        *limit = hcbr_i_dict_limit(cases->dict);
    if (*limit && *limit != hcbr_i_dict_limit(cases->dict))
        *limit = 0;
    hcbr_i_reader_set_numeric(reader, *limit == 0);
}

/* Store the name of the label column; the first file decides. */
static hcbr_status keep_label_name(hcbr_cases *cases, const char *name, hcbr_error *err) {
    if (cases->label_name || !name)
        return HCBR_OK;
    cases->label_name = hcbr_i_text_copy(name, strlen(name));
    return cases->label_name ? HCBR_OK : hcbr_i_no_memory(err);
}

/* Apply the options about labels; the first cases decide about ranges. */
static hcbr_status choose_labels(hcbr_cases *cases, const hcbr_read_options *all, hcbr_error *err) {
    cases->judged = cases->judged || (!(all->labels_as_they_are & HCBR_LABELS_ALL) &&
                                      all->label_need == HCBR_LABEL_NEEDED);
    if (!all->bins || cases->formed)
        return HCBR_OK;
    cases->bins = hcbr_i_text_copy(all->bins, strlen(all->bins));
    return cases->bins ? HCBR_OK : hcbr_i_no_memory(err);
}

/* The observer while the table of names grows. */
static hcbr_status ask_reader(void *context, hcbr_error *err) {
    return hcbr_i_reader_ask(context, err);
}

hcbr_status hcbr_i_cases_add_all(hcbr_cases *cases, hcbr_i_reader *reader,
                                 const hcbr_read_options *options, hcbr_error *err) {
    const hcbr_i_block *block = NULL;
    hcbr_i_lanes *lanes = NULL;
    hcbr_read_options all;
    hcbr_i_coded coded = {0};
    hcbr_i_column_keys columns = {0};
    uint32_t *lengths = NULL;
    size_t capacity = 0, far;
    uint32_t limit = 0; /* of the dictionary, when numbers exceeded it */
    uint64_t rows = cases->rows;
    hcbr_i_options_fill(&all, options);
    hcbr_status st = choose_labels(cases, &all, err);
    cases->keep_rare |= all.keep_rare != 0;
    hcbr_i_reader_set_numeric(reader, true);
    hcbr_i_reader_set_coded(reader);
    choose_form(cases, all.numbers);
    if (cases->apart)
        hcbr_i_reader_set_apart(reader);
    if (all.threads <= 1) { // names are entered by the caller's thread
        cases->dict->ask = ask_reader;
        cases->dict->ask_context = reader;
    }
    while (st == HCBR_OK) {
        bool any = false;
        if ((st = hcbr_i_reader_check_grams(reader, hcbr_i_dict_bytes(cases->dict), err)) !=
            HCBR_OK)
            break;
        if ((st = hcbr_i_lanes_round(&lanes, cases, reader, rows, &any, err)) != HCBR_OK || any)
            continue;
        if ((st = hcbr_i_reader_next(reader, &block, err)) != HCBR_OK || !block)
            break;
        if (!hcbr_i_grow(&lengths, &capacity, block->case_count, sizeof *lengths))
            st = hcbr_i_no_memory(err);
        else
            st = hcbr_i_append_block(cases, &coded, &columns, block, rows, lengths, &far, err);
        if (st == HCBR_OK && block->case_count) // further cases are added below them
            cases->rows = rows + block->cases[block->case_count - 1].row;
        if (st == HCBR_OK)
            choose_names(cases, reader, block, far, &limit);
        if (st == HCBR_OK)
            st = hcbr_i_cases_keep_columns(cases, reader, err);
    }
    cases->dict->ask = NULL;
    cases->bytes += hcbr_i_reader_bytes(reader);
    cases->skipped += hcbr_i_reader_skipped(reader);
    if (st == HCBR_OK) { /* rows at the end of a file without a case count as well */
        cases->rows = rows + hcbr_i_reader_rows(reader);
        cases->unlabelled = hcbr_i_reader_is_unlabelled(reader);
        st = hcbr_i_cases_keep_columns(cases, reader, err);
    }
    if (st == HCBR_OK) {
        st = keep_label_name(cases, hcbr_i_reader_label_name(reader), err);
    }
    if (st == HCBR_OK)
        st = hcbr_i_cases_mark_words(cases, reader, hcbr_i_reader_min_count(reader), err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_ask(cases, reader, options, err);
    hcbr_i_free(lengths);
    hcbr_i_coded_clear(&coded);
    hcbr_i_free(columns.key);
    hcbr_i_lanes_free(lanes);
    return st;
}

hcbr_status hcbr_cases_read(hcbr_cases *cases, const char *const *paths, size_t count,
                            const hcbr_read_options *options, hcbr_error *err) {
    if (HCBR_I_NULL(err, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    if (cases->finished)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases is finished");
    hcbr_i_reader *reader = NULL;
    const uint32_t before = cases->case_count;
    hcbr_read_options o;
    hcbr_i_options_fill(&o, options);
    hcbr_status st = hcbr_i_reader_create(&reader, paths, count, options, true, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_add_all(cases, reader, options, err);
    if (st == HCBR_OK && o.label_need == HCBR_LABEL_NEEDED)
        st = hcbr_i_cases_warn_ids(cases, before, o.notify, o.notify_context, err);
    hcbr_i_reader_free(reader);
    return st;
}

/* Release the memory kept for more cases. */
static void *shrink(void *array, size_t count, size_t size) {
    void *smaller = count ? hcbr_i_realloc(array, count, size) : NULL;
    return smaller ? smaller : array;
}

void hcbr_cases_watch(hcbr_cases *cases, hcbr_progress_fn *progress, void *context) {
    cases->watch = (hcbr_i_watch){.progress = progress, .context = context, .stage = "finish"};
}

hcbr_status hcbr_cases_finish(hcbr_cases *cases, hcbr_error *err) {
    if (HCBR_I_NULL(err, cases))
        return HCBR_EUSAGE;
    if (cases->finished)
        return HCBR_OK;
    if (cases->case_count == 0)
        return hcbr_i_fail(err, HCBR_EDATA, "no case was given, expected at least one");
    hcbr_status st = hcbr_i_numbers_finish(cases, err);
    if (st == HCBR_OK)
        st = hcbr_i_cases_settle_labels(cases, err);
    if (st != HCBR_OK)
        return st;
    uint32_t *map = hcbr_i_alloc(cases->labels.count, sizeof *map);
    st = map ? hcbr_i_labels_sort(&cases->labels, map, err) : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        for (uint32_t i = 0; i < cases->case_count; i++)
            cases->label[i] = map[cases->label[i]];
        if (!cases->understood) // by the spellings, which may be merged below
            st = hcbr_i_cases_judge(cases, err);
        if (st == HCBR_OK)
            st = hcbr_i_cases_merge_equal(cases, NULL, 0, err);
        if (st == HCBR_OK && !cases->keep_rare)
            st = hcbr_i_cases_drop_rare(cases, err); /* labels are in order by now, and may be */
    }
    cases->watch = (hcbr_i_watch){0}; // the observer may not outlive the call
    if (st == HCBR_OK) {
        size_t features = (size_t)cases->start[cases->case_count];
        memset(cases->features + features, 0, HCBR_I_SLACK * sizeof *cases->features);
        hcbr_i_dict_drop_tables(cases->dict);
        if (!cases->as_read)
            hcbr_i_dict_settle(cases->dict);
        cases->features = shrink(cases->features, features + HCBR_I_SLACK, sizeof *cases->features);
        cases->start = shrink(cases->start, (size_t)cases->case_count + 1, sizeof *cases->start);
        cases->finished = true;
    }
    hcbr_i_free(map);
    return st;
}

uint64_t hcbr_cases_count(const hcbr_cases *cases) {
    return cases->case_count;
}
