/*
 * The reading options stored in a model (docs/FORMAT.md, sections read and columns), so that cases
 * are read for a decision as they were for training.
 *
 * Invariants: no path is stored, only names of columns and of joined sources; the section columns
 * exists only if it differs from the defaults, so that models of the same cases have the same bytes
 * whatever format they came from.
 */
#include "model/model.h"

static hcbr_status copy_text(char **out, const char *text, const char *what, hcbr_error *err) {
    size_t length = strlen(text);
    char quoted[200];
    if (hcbr_i_utf8_check(text, length) != length)
        return hcbr_i_fail(err, HCBR_EUSAGE, "%s %s is not UTF-8", what,
                           hcbr_i_quote(quoted, text, length));
    *out = hcbr_i_text_copy(text, length);
    return *out ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status copy_texts(char ***out, uint32_t *out_count, const char *const *texts,
                              size_t count, const char *what, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (count >= UINT32_MAX)
        return hcbr_i_fail(err, HCBR_EUSAGE, "a list (%s) of %zu, expected fewer", what, count);
    *out = hcbr_i_alloc_zero(count, sizeof **out);
    if (!*out)
        return hcbr_i_no_memory(err);
    *out_count = (uint32_t)count;
    for (size_t i = 0; i < count && st == HCBR_OK; i++)
        st = copy_text(&(*out)[i], texts[i], what, err);
    return st;
}

/* ---- columns --------------------------------------------------------------------------------- */

uint64_t hcbr_i_stored_column_count(const hcbr_i_stored_read *read) {
    return 2 * (uint64_t)read->split_count + read->text_count + read->presence_count +
           2 * (uint64_t)read->join_count;
}

bool hcbr_i_stored_has_columns(const hcbr_i_stored_read *read) {
    return read->ngrams > 1 || hcbr_i_stored_column_count(read) > 0;
}

hcbr_status hcbr_i_stored_columns_index(hcbr_i_stored_read *read, hcbr_error *err) {
    char *const *at = read->columns;
    read->split = hcbr_i_alloc_zero(read->split_count, sizeof *read->split);
    read->join = hcbr_i_alloc_zero(read->join_count, sizeof *read->join);
    if (!read->split || !read->join)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < read->split_count; i++, at += 2)
        read->split[i] = (hcbr_split){at[0], at[1]};
    at += read->text_count + read->presence_count;
    for (uint32_t i = 0; i < read->join_count; i++, at += 2)
        read->join[i] = (hcbr_join){.name = at[0], .key = at[1]};
    return HCBR_OK;
}

/** Copy the i-th of the texts that section columns holds. */
static hcbr_status copy_column(hcbr_i_stored_read *out, const hcbr_read_options *o, size_t i,
                               hcbr_error *err) {
    char **to = &out->columns[i];
    if (i < 2 * o->split_count)
        return i % 2 ? copy_text(to, o->split[i / 2].separator, "separator", err)
                     : copy_text(to, o->split[i / 2].column, "column of sets", err);
    i -= 2 * o->split_count;
    if (i < o->text_count)
        return copy_text(to, o->text[i], "column of texts", err);
    i -= o->text_count;
    if (i < o->presence_count)
        return copy_text(to, o->presence[i], "column of presence", err);
    i -= o->presence_count;
    if (i % 2)
        return copy_text(to, o->join[i / 2].key, "key of a join", err);
    size_t length;
    const char *name = hcbr_i_join_name(&o->join[i / 2], &length);
    char *copy = hcbr_i_text_copy(name, length);
    if (!copy)
        return hcbr_i_no_memory(err);
    hcbr_status st = copy_text(to, copy, "name of a join", err);
    hcbr_i_free(copy);
    return st;
}

static hcbr_status copy_columns(hcbr_i_stored_read *out, const hcbr_read_options *o,
                                hcbr_error *err) {
    const size_t most = UINT32_MAX / 8;
    if (o->split_count > most || o->text_count > most || o->presence_count > most ||
        o->join_count > most)
        return hcbr_i_fail(err, HCBR_EUSAGE, "lists of columns of more than %zu, expected fewer",
                           most);
    out->split_count = (uint32_t)o->split_count;
    out->text_count = (uint32_t)o->text_count;
    out->presence_count = (uint32_t)o->presence_count;
    out->join_count = (uint32_t)o->join_count;
    out->ngrams = hcbr_i_options_ngrams(o);
    const size_t count = (size_t)hcbr_i_stored_column_count(out);
    if (count == 0)
        return HCBR_OK;
    out->columns = hcbr_i_alloc_zero(count, sizeof *out->columns);
    if (!out->columns)
        return hcbr_i_no_memory(err);
    hcbr_status st = HCBR_OK;
    for (size_t i = 0; i < count && st == HCBR_OK; i++)
        st = copy_column(out, o, i, err);
    return st == HCBR_OK ? hcbr_i_stored_columns_index(out, err) : st;
}

/* ---- the section ----------------------------------------------------------------------------- */

hcbr_status hcbr_i_stored_read_make(hcbr_i_stored_read *out, const char *label, const char *bins,
                                    const hcbr_read_options *options, hcbr_error *err) {
    hcbr_read_options all;
    hcbr_status st;
    *out = (hcbr_i_stored_read){.ngrams = 1};
    st = copy_text(&out->label, label ? label : "label", "name of the label", err);
    if (st == HCBR_OK && bins)
        st = copy_text(&out->bins, bins, "ranges of labels", err);
    if (options && st == HCBR_OK) {
        hcbr_i_options_fill(&all, options);
        all.label = out->label;
        all.bins = out->bins;
        options = &all;
        st = hcbr_i_read_options_check(options, err);
        if (st == HCBR_OK && options->id)
            st = copy_text(&out->id, options->id, "name of the id", err);
        if (st == HCBR_OK && options->weight)
            st = copy_text(&out->weight, options->weight, "name of the weight", err);
        if (st == HCBR_OK && options->group)
            st = copy_text(&out->group, options->group, "name of the group", err);
        if (st == HCBR_OK && options->ignore_count > 0)
            st = copy_texts(&out->ignore, &out->ignore_count, options->ignore,
                            options->ignore_count, "ignored column", err);
        if (st == HCBR_OK && options->na)
            st = copy_texts(&out->na, &out->na_count, options->na, options->na_count,
                            "missing value", err);
        if (st == HCBR_OK)
            st = copy_columns(out, options, err);
        out->listed = options->na_only != 0;
        out->no_header = options->no_header != 0;
        out->delimiter = (uint8_t)options->delimiter;
    }
    if (st != HCBR_OK)
        hcbr_i_stored_read_clear(out);
    return st;
}

static void free_texts(char **texts, uint64_t count) {
    for (uint64_t i = 0; texts && i < count; i++)
        hcbr_i_free(texts[i]);
    hcbr_i_free(texts);
}

void hcbr_i_stored_read_clear(hcbr_i_stored_read *read) {
    hcbr_i_free(read->label);
    hcbr_i_free(read->id);
    hcbr_i_free(read->weight);
    hcbr_i_free(read->group);
    hcbr_i_free(read->bins);
    free_texts(read->ignore, read->ignore_count);
    free_texts(read->na, read->na_count);
    free_texts(read->columns, hcbr_i_stored_column_count(read));
    hcbr_i_free(read->split);
    hcbr_i_free(read->join);
    *read = (hcbr_i_stored_read){0};
}

/** The stored options in the public structure. */
static hcbr_read_options stored_options(const hcbr_model *model) {
    const hcbr_i_stored_read *read = &model->read;
    hcbr_read_options all;
    hcbr_read_options_init(&all);
    all.label = read->label;
    all.id = read->id;
    all.weight = read->weight;
    all.group = read->group;
    all.bins = read->bins;
    all.ignore = (const char *const *)read->ignore;
    all.ignore_count = read->ignore_count;
    if (read->na) {
        all.na = (const char *const *)read->na;
        all.na_count = read->na_count;
    }
    all.na_only = read->listed;
    all.no_header = read->no_header;
    all.delimiter = read->delimiter;
    all.ngrams = read->ngrams;
    if (!read->columns)
        return all;
    const char *const *texts = (const char *const *)read->columns + 2 * (size_t)read->split_count;
    all.split = read->split;
    all.split_count = read->split_count;
    all.text = texts;
    all.text_count = read->text_count;
    all.presence = texts + read->text_count;
    all.presence_count = read->presence_count;
    all.join = read->join;
    all.join_count = read->join_count;
    return all;
}

void(hcbr_model_get_read_options)(const hcbr_model *model, hcbr_read_options *options,
                                  size_t size) {
    const hcbr_read_options all = stored_options(model);
    if (size == sizeof all)
        *options = all;
    else if (size >= sizeof size)
        options->size = size;
}

/* ---- section columns ------------------------------------------------------------------------- */

void hcbr_i_model_write_columns(hcbr_i_out *out, const hcbr_i_stored_read *read) {
    const uint64_t count = hcbr_i_stored_column_count(read);
    hcbr_i_out_u32(out, read->ngrams);
    hcbr_i_out_u32(out, read->split_count);
    hcbr_i_out_u32(out, read->text_count);
    hcbr_i_out_u32(out, read->presence_count);
    hcbr_i_out_u32(out, read->join_count);
    for (uint64_t i = 0; i < count; i++)
        hcbr_i_out_u32(out, (uint32_t)strlen(read->columns[i]));
    for (uint64_t i = 0; i < count; i++)
        hcbr_i_out_bytes(out, read->columns[i], strlen(read->columns[i]));
}

/* Check that these are cuts, as hcbr_i_bins_print() writes them. */
static hcbr_status check_bins(const char *text, uint32_t section, hcbr_error *err) {
    hcbr_i_ranges bins;
    double *cuts = hcbr_i_alloc(HCBR_I_MOST_BINS, sizeof *cuts);
    if (!cuts)
        return hcbr_i_no_memory(err);
    bool good = hcbr_i_bins_parse(&bins, text, cuts) && bins.count > 0;
    char *same = hcbr_i_bins_print(&bins, cuts);
    hcbr_status st = !same ? hcbr_i_no_memory(err)
                     : good && strcmp(same, text) == 0
                         ? HCBR_OK
                         : hcbr_i_model_bad(err, section,
                                            "ranges of labels that are no rising "
                                            "numbers in their shortest form");
    hcbr_i_free(same);
    hcbr_i_free(cuts);
    return st;
}

hcbr_status hcbr_i_model_check_reading(const hcbr_model *m, uint32_t section, hcbr_error *err) {
    hcbr_read_options options;
    hcbr_error reason;
    hcbr_model_get_read_options(m, &options);
    hcbr_status st = hcbr_i_read_options_check(&options, &reason);
    if (st == HCBR_ENOMEM)
        return hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        return hcbr_i_model_bad(err, section, "%s", reason.message);
    return m->read.bins ? check_bins(m->read.bins, section, err) : HCBR_OK;
}

hcbr_status hcbr_i_model_read_columns(hcbr_model *m, hcbr_i_in *in, hcbr_error *err) {
    hcbr_i_stored_read *r = &m->read;
    const unsigned char *at, *lengths;
    hcbr_status st = hcbr_i_in_take(in, 5, 4, "counts", &at, err);
    if (st != HCBR_OK)
        return st;
    uint32_t n[5];
    for (int i = 0; i < 5; i++)
        n[i] = hcbr_i_u32_at(at + 4 * i);
    const uint64_t count = 2 * (uint64_t)n[1] + n[2] + n[3] + 2 * (uint64_t)n[4];
    if (n[0] < 1 || n[0] > HCBR_I_MOST_NGRAMS || (n[0] == 1 && count == 0))
        return hcbr_i_model_bad(err, in->section,
                                "sequences of %lu words and %llu names, expected 1 to %d, and more "
                                "than 1 or some names",
                                (unsigned long)n[0], (unsigned long long)count, HCBR_I_MOST_NGRAMS);
    if ((st = hcbr_i_in_take(in, count, 4, "lengths", &lengths, err)) != HCBR_OK)
        return st;
    r->columns = hcbr_i_alloc_zero((size_t)count, sizeof *r->columns);
    if (!r->columns)
        return hcbr_i_no_memory(err);
    r->ngrams = n[0];
    r->split_count = n[1];
    r->text_count = n[2];
    r->presence_count = n[3];
    r->join_count = n[4];
    for (uint64_t i = 0; i < count; i++) {
        const uint32_t length = hcbr_i_u32_at(lengths + 4 * i);
        const char *text;
        if (length == 0)
            return hcbr_i_model_bad(err, in->section, "name %llu is empty, expected a text",
                                    (unsigned long long)i);
        if ((st = hcbr_i_in_text(in, length, "name", i, &text, err)) != HCBR_OK)
            return st;
        r->columns[i] = hcbr_i_text_copy(text, length);
        if (!r->columns[i])
            return hcbr_i_no_memory(err);
    }
    if ((st = hcbr_i_stored_columns_index(r, err)) != HCBR_OK ||
        (st = hcbr_i_in_end(in, err)) != HCBR_OK)
        return st;
    return hcbr_i_model_check_reading(m, in->section, err);
}
