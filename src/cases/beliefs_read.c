/*
 * A file of beliefs, from text to cases at the end of a base.
 *
 * The file is read as a small table, checked against the data, sorted and written as csv in memory,
 * which is then read like any other data. So the order of its lines does not matter, its values
 * follow the same rules as those of the data, and every mistake has its place in the file.
 */
#include "cases/cases.h"

#include <math.h>
#include <stdlib.h>

#define MOST_COPIES 1000000 /* of one belief */
#define NAME "beliefs"      /* of the text in memory */

/** The role of a column of the file. */
typedef enum role { OF_FEATURE, OF_LABEL, OF_SOURCE, OF_WEIGHT } role;

/** One line. */
typedef struct statement {
    size_t row;
    double weight;
} statement;

typedef struct belief_file {
    hcbr_i_sheet sheet;
    role *roles;     /* by column */
    size_t *columns; /* all but the weight in the order of their names: how lines are compared */
    size_t column_count;
    size_t label, source, weight; /* columns; weight SIZE_MAX: all are 1 */
    statement *all;               /* those with a weight above 0, sorted */
    size_t count;
    char *text; /* csv */
    size_t used, capacity, given;
} belief_file;

static void file_clear(belief_file *f) {
    hcbr_i_sheet_clear(&f->sheet);
    hcbr_i_free(f->roles);
    hcbr_i_free(f->columns);
    hcbr_i_free(f->all);
    hcbr_i_free(f->text);
}

/* ---- columns --------------------------------------------------------------------------------- */

static bool is_named(hcbr_i_text name, const char *const *list, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (hcbr_i_text_is(name, list[i]))
            return true;
    return false;
}

/* Whether a name is a column of the data. Columns of words become keys of their own. */
static bool is_column(const hcbr_cases *cases, const hcbr_read_options *o, hcbr_i_text name) {
    return hcbr_i_dict_find_key(cases->dict, name.at, name.length) != HCBR_I_NONE ||
           is_named(name, o->text, o->text_count);
}

static hcbr_status unknown_column(const belief_file *f, size_t c, const hcbr_cases *cases,
                                  const hcbr_read_options *o, hcbr_error *err) {
    const hcbr_i_placed *name = hcbr_i_sheet_name(&f->sheet, c);
    hcbr_i_suggestion s = {.wanted = name->text};
    char quoted[200], near[HCBR_I_SUGGESTED];
    const char *own[] = {HCBR_BELIEF_SOURCE, HCBR_BELIEF_WEIGHT,
                         cases->label_name ? cases->label_name : "label"};
    for (size_t i = 0; i < 3; i++)
        hcbr_i_suggest(&s, (hcbr_i_text){own[i], strlen(own[i])});
    for (uint32_t k = 0; k < hcbr_i_dict_key_count(cases->dict); k++)
        hcbr_i_suggest(&s, hcbr_i_dict_key(cases->dict, k));
    for (size_t i = 0; i < o->text_count; i++)
        hcbr_i_suggest(&s, (hcbr_i_text){o->text[i], strlen(o->text[i])});
    return hcbr_i_sheet_fail(
        &f->sheet, name, err, "found column %s, expected one of the data, %s or %s%s",
        hcbr_i_quote(quoted, name->text.at, name->text.length), HCBR_BELIEF_SOURCE,
        HCBR_BELIEF_WEIGHT, hcbr_i_suggestion_text(near, &s));
}

/* For qsort() of columns by name; the sheet is the only one that is read in this thread. */
typedef struct named_column {
    hcbr_i_text name;
    size_t column;
} named_column;

static int compare_columns(const void *a, const void *b) {
    return hcbr_i_order_text(((const named_column *)a)->name, ((const named_column *)b)->name);
}

static hcbr_status sort_columns(belief_file *f, hcbr_error *err) {
    const size_t count = f->sheet.columns;
    named_column *list = hcbr_i_alloc(count, sizeof *list);
    f->columns = hcbr_i_alloc(count, sizeof *f->columns);
    if (!list || !f->columns) {
        hcbr_i_free(list);
        return hcbr_i_no_memory(err);
    }
    for (size_t c = 0; c < count; c++)
        list[c] = (named_column){hcbr_i_sheet_name(&f->sheet, c)->text, c};
    qsort(list, count, sizeof *list, compare_columns);
    for (size_t c = 0; c < count; c++)
        if (list[c].column != f->weight)
            f->columns[f->column_count++] = list[c].column;
    hcbr_i_free(list);
    return HCBR_OK;
}

static hcbr_status find_columns(belief_file *f, const hcbr_cases *cases, const hcbr_read_options *o,
                                hcbr_error *err) {
    const hcbr_i_sheet *sheet = &f->sheet;
    const char *label = cases->label_name ? cases->label_name : "label";
    char quoted[200];
    f->label = hcbr_i_sheet_find(sheet, label);
    f->source = hcbr_i_sheet_find(sheet, HCBR_BELIEF_SOURCE);
    f->weight = hcbr_i_sheet_find(sheet, HCBR_BELIEF_WEIGHT);
    if (!(f->roles = hcbr_i_alloc_zero(sheet->columns, sizeof *f->roles)))
        return hcbr_i_no_memory(err);
    for (size_t c = 0; c < sheet->columns; c++) {
        f->roles[c] = c == f->label    ? OF_LABEL
                      : c == f->source ? OF_SOURCE
                      : c == f->weight ? OF_WEIGHT
                                       : OF_FEATURE;
        if (f->roles[c] == OF_FEATURE && !is_column(cases, o, hcbr_i_sheet_name(sheet, c)->text))
            return unknown_column(f, c, cases, o, err);
        if ((f->roles[c] == OF_SOURCE || f->roles[c] == OF_WEIGHT) &&
            is_column(cases, o, hcbr_i_sheet_name(sheet, c)->text))
            return hcbr_i_sheet_fail(sheet, hcbr_i_sheet_name(sheet, c), err,
                                     "the data has a column of this name too, expected none");
    }
    if (f->label == SIZE_MAX || f->source == SIZE_MAX)
        return hcbr_i_sheet_fail(
            sheet, hcbr_i_sheet_name(sheet, 0), err, "found no column %s, expected %s",
            f->label == SIZE_MAX ? hcbr_i_quote(quoted, label, strlen(label))
                                 : "'" HCBR_BELIEF_SOURCE "'",
            f->label == SIZE_MAX ? "the label that is stated" : "who states the case");
    return sort_columns(f, err);
}

/* ---- lines ----------------------------------------------------------------------------------- */

static hcbr_status take_weight(const belief_file *f, statement *x, bool copies, hcbr_error *err) {
    const hcbr_i_placed *cell;
    char quoted[200];
    x->weight = 1;
    if (f->weight == SIZE_MAX)
        return HCBR_OK;
    cell = hcbr_i_sheet_cell(&f->sheet, x->row, f->weight);
    bool good = hcbr_number_parse(&x->weight, cell->text.at, cell->text.length) && x->weight >= 0;
    if (copies && !(good && x->weight <= MOST_COPIES && x->weight == floor(x->weight)))
        return hcbr_i_sheet_fail(&f->sheet, cell, err,
                                 "found %s, expected the weight of a belief in a plain model, a "
                                 "whole number from 0 to %d",
                                 hcbr_i_quote(quoted, cell->text.at, cell->text.length),
                                 MOST_COPIES);
    if (!(good && x->weight <= HCBR_I_MOST_WEIGHT))
        return hcbr_i_sheet_fail(
            &f->sheet, cell, err,
            "found %s, expected the weight of a belief, a number from 0 to 1e9",
            hcbr_i_quote(quoted, cell->text.at, cell->text.length));
    return HCBR_OK;
}

static hcbr_status check_label(const belief_file *f, size_t row, const hcbr_cases *cases,
                               hcbr_error *err) {
    const hcbr_i_placed *cell = hcbr_i_sheet_cell(&f->sheet, row, f->label);
    char quoted[200], near[HCBR_I_SUGGESTED];
    if (cell->text.length == 0)
        return hcbr_i_sheet_fail(&f->sheet, cell, err, "found no label, expected what is stated");
    if (cases->bins) // ranges are made later, of all labels
        return HCBR_OK;
    hcbr_i_suggestion s = {.wanted = cell->text};
    for (uint32_t l = 0; l < cases->labels.count; l++) {
        const hcbr_i_text name = {cases->labels.names[l], cases->labels.lengths[l]};
        if (hcbr_i_text_same(name, cell->text))
            return HCBR_OK;
        hcbr_i_suggest(&s, name);
    }
    return hcbr_i_sheet_fail(
        &f->sheet, cell, err, "found label %s, expected one that the data has%s",
        hcbr_i_quote(quoted, cell->text.at, cell->text.length), hcbr_i_suggestion_text(near, &s));
}

static hcbr_status take_lines(belief_file *f, const hcbr_cases *cases, bool copies,
                              hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (!(f->all = hcbr_i_alloc(f->sheet.rows, sizeof *f->all)))
        return hcbr_i_no_memory(err);
    for (size_t row = 0; st == HCBR_OK && row < f->sheet.rows; row++) {
        statement x = {.row = row};
        const hcbr_i_placed *source = hcbr_i_sheet_cell(&f->sheet, row, f->source);
        if (source->text.length == 0)
            return hcbr_i_sheet_fail(&f->sheet, source, err,
                                     "found no source, expected who states the case");
        st = check_label(f, row, cases, err);
        if (st == HCBR_OK)
            st = take_weight(f, &x, copies, err);
        if (st == HCBR_OK && x.weight > 0)
            f->all[f->count++] = x;
    }
    return st;
}

/* Compare all that is stated, in the order of the names of columns, so that neither the author nor
 * the order of columns matters. */
static int compare_lines(const belief_file *f, const statement *a, const statement *b) {
    int order = 0;
    for (size_t n = 0; order == 0 && n < f->column_count; n++)
        order = hcbr_i_order_text(hcbr_i_sheet_cell(&f->sheet, a->row, f->columns[n])->text,
                                  hcbr_i_sheet_cell(&f->sheet, b->row, f->columns[n])->text);
    return order;
}

/* Merge sort: qsort() takes no context. */
static void sort_lines(const belief_file *f, statement *list, statement *room, size_t count) {
    if (count < 2)
        return;
    const size_t half = count / 2;
    size_t a = 0, b = half;
    sort_lines(f, list, room, half);
    sort_lines(f, list + half, room, count - half);
    memcpy(room, list, count * sizeof *list);
    for (size_t n = 0; n < count; n++)
        list[n] = b == count || (a < half && compare_lines(f, &room[a], &room[b]) <= 0) ? room[a++]
                                                                                        : room[b++];
}

static hcbr_status order_lines(belief_file *f, hcbr_error *err) {
    statement *room = hcbr_i_alloc(f->count, sizeof *room);
    if (!room)
        return hcbr_i_no_memory(err);
    sort_lines(f, f->all, room, f->count);
    hcbr_i_free(room);
    for (size_t n = 1; n < f->count; n++)
        if (compare_lines(f, &f->all[n - 1], &f->all[n]) == 0)
            return hcbr_i_sheet_fail(
                &f->sheet, hcbr_i_sheet_cell(&f->sheet, f->all[n].row, 0), err,
                "found what line %llu states, by the same source, expected it once; the weight "
                "says how much it counts",
                (unsigned long long)hcbr_i_sheet_cell(&f->sheet, f->all[n - 1].row, 0)->line);
    return HCBR_OK;
}

/* ---- text ------------------------------------------------------------------------------------ */

static bool put_bytes(belief_file *f, const char *bytes, size_t count) {
    if (!hcbr_i_grow(&f->text, &f->capacity, f->used + count, 1))
        return false;
    if (count)
        memcpy(f->text + f->used, bytes, count);
    f->used += count;
    return true;
}

/* Write a field in quotes, but not the source. The weight, if any, follows all fields. */
static bool put_field(belief_file *f, size_t n, hcbr_i_text text) {
    if (f->roles[f->columns[n]] == OF_SOURCE)
        return true;
    bool ok = put_bytes(f, "\"", 1);
    for (size_t i = 0; ok && i < text.length; i++)
        ok = put_bytes(f, text.at + i, 1) && (text.at[i] != '"' || put_bytes(f, "\"", 1));
    return ok && put_bytes(f, "\",", 2);
}

/* Write the lines: a statement once for each of its cases; a weight is a column at the end. */
static bool write_text(belief_file *f, hcbr_i_beliefs *beliefs, bool copies) {
    bool ok = true;
    uint32_t cases = 0;
    for (size_t n = 0; ok && n < f->column_count; n++)
        ok = put_field(f, n, hcbr_i_sheet_name(&f->sheet, f->columns[n])->text);
    ok = ok && put_bytes(f, HCBR_BELIEF_WEIGHT "\n", strlen(HCBR_BELIEF_WEIGHT) + 1);
    for (size_t i = 0; ok && i < f->count; i++) {
        const size_t begin = f->used;
        char number[HCBR_NUMBER_SIZE];
        for (size_t n = 0; ok && n < f->column_count; n++)
            ok = put_field(f, n, hcbr_i_sheet_cell(&f->sheet, f->all[i].row, f->columns[n])->text);
        const size_t length = hcbr_number_format(number, f->all[i].weight);
        ok = ok && put_bytes(f, number, length) && put_bytes(f, "\n", 1);
        const size_t line = f->used - begin;
        const uint32_t times = copies ? (uint32_t)f->all[i].weight : 1;
        for (uint32_t k = 0; ok && k < times; k++) {
            beliefs->of[cases++] = (uint32_t)i;
            ok = k == 0 || (hcbr_i_grow(&f->text, &f->capacity, f->used + line, 1) &&
                            put_bytes(f, f->text + begin, line));
        }
    }
    return ok;
}

static hcbr_status give(void *context, char *to, size_t room, size_t *got, hcbr_error *err) {
    belief_file *f = context;
    const size_t left = f->used - f->given;
    (void)err;
    *got = left < room ? left : room;
    if (*got)
        memcpy(to, f->text + f->given, *got);
    f->given += *got;
    return HCBR_OK;
}

static void give_end(void *context) {
    (void)context; // the owner releases the text
}

static hcbr_status give_open(void *context, const char *path, hcbr_input *input, hcbr_error *err) {
    (void)path, (void)err;
    *input = (hcbr_input){give, give_end, context, HCBR_FORMAT_CSV};
    return HCBR_OK;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The names of a list that are columns of the file. */
static hcbr_status keep_names(const char ***out, size_t *count, const char *const *list,
                              const belief_file *f, hcbr_error *err) {
    const char **kept = *out = hcbr_i_alloc(*count, sizeof *kept);
    size_t used = 0;
    if (!kept)
        return hcbr_i_no_memory(err);
    for (size_t i = 0; i < *count; i++)
        if (hcbr_i_sheet_find(&f->sheet, list[i]) != SIZE_MAX)
            kept[used++] = list[i];
    *count = used;
    return HCBR_OK;
}

static hcbr_status read_cases(hcbr_cases *cases, belief_file *f, const hcbr_read_options *given,
                              bool copies, hcbr_error *err) {
    static const char *const PATHS[] = {NAME}, *const WEIGHT = HCBR_BELIEF_WEIGHT;
    hcbr_read_options o = *given;
    const char **text = NULL, **presence = NULL;
    hcbr_split *split = hcbr_i_alloc(o.split_count, sizeof *split);
    size_t splits = 0;
    hcbr_status st = split ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t i = 0; st == HCBR_OK && i < o.split_count; i++)
        if (hcbr_i_sheet_find(&f->sheet, o.split[i].column) != SIZE_MAX)
            split[splits++] = o.split[i];
    if (st == HCBR_OK)
        st = keep_names(&text, &o.text_count, o.text, f, err);
    if (st == HCBR_OK)
        st = keep_names(&presence, &o.presence_count, o.presence, f, err);
    o.text = text;
    o.presence = presence;
    o.split = split;
    o.split_count = splits;
    o.format = HCBR_FORMAT_CSV;
    o.label = cases->label_name ? cases->label_name : "label";
    o.label_need = HCBR_LABEL_NEEDED;
    o.weight = copies ? NULL : HCBR_BELIEF_WEIGHT;
    o.ignore = &WEIGHT;
    o.ignore_count = copies ? 1 : 0; // a line is repeated by its weight instead
    o.id = o.group = o.outcomes = o.names = o.encoding = NULL;
    o.join_count = o.type_count = 0;
    o.no_header = 0;
    o.delimiter = ',';
    o.quote = '"';
    o.escape = -1;
    o.header = 1;
    o.bad_rows = HCBR_BAD_ROWS_STOP;
    o.open = give_open;
    o.open_context = f;
    o.notify = NULL;
    o.progress = NULL;
    if (st == HCBR_OK)
        st = hcbr_cases_read(cases, PATHS, 1, &o, err);
    hcbr_i_free(split);
    hcbr_i_free(text);
    hcbr_i_free(presence);
    return st;
}

static hcbr_status make_beliefs(hcbr_i_beliefs **out, const belief_file *f, bool copies,
                                hcbr_error *err) {
    uint64_t cases = 0;
    for (size_t i = 0; i < f->count; i++)
        cases += copies ? (uint64_t)f->all[i].weight : 1;
    if (cases > HCBR_I_MOST_CASES)
        return hcbr_i_fail_at(err, HCBR_EDATA, f->sheet.file, 0, 0,
                              "beliefs are %llu cases, expected at most %u",
                              (unsigned long long)cases, HCBR_I_MOST_CASES);
    hcbr_i_beliefs *b = *out = hcbr_i_beliefs_create((uint32_t)f->count, (uint32_t)cases);
    for (size_t i = 0; b && i < f->count; i++) {
        const hcbr_i_text source = hcbr_i_sheet_cell(&f->sheet, f->all[i].row, f->source)->text;
        b->weight[i] = f->all[i].weight;
        if (!(b->source[i] = hcbr_i_text_copy(source.at, source.length)))
            return hcbr_i_no_memory(err);
    }
    return b ? HCBR_OK : hcbr_i_no_memory(err);
}

static hcbr_status add(hcbr_cases *cases, belief_file *f, const hcbr_read_options *o, bool copies,
                       hcbr_error *err) {
    const uint32_t before = cases->case_count;
    hcbr_i_beliefs *beliefs = NULL;
    if (f->count == 0)
        return HCBR_OK; // all weights are 0
    hcbr_status st = make_beliefs(&beliefs, f, copies, err);
    if (st == HCBR_OK && !write_text(f, beliefs, copies))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = read_cases(cases, f, o, copies, err);
    if (st == HCBR_OK && cases->case_count - before != beliefs->case_count)
        st = hcbr_i_fail_at(err, HCBR_EDATA, f->sheet.file, 0, 0,
                            "%u of %u beliefs are cases, expected all", cases->case_count - before,
                            beliefs->case_count);
    if (st == HCBR_OK)
        cases->beliefs = beliefs;
    else
        hcbr_i_beliefs_release(beliefs);
    return st;
}

hcbr_status hcbr_cases_read_beliefs(hcbr_cases *cases, const char *path,
                                    const hcbr_read_options *options, int copies, hcbr_error *err) {
    if (HCBR_I_NULL(err, cases, path) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_read_options o;
    belief_file f = {0};
    hcbr_i_options_fill(&o, options);
    hcbr_status st = hcbr_i_read_options_check(&o, err);
    if (st != HCBR_OK)
        return st;
    if (cases->finished || cases->case_count == 0 || cases->beliefs)
        return hcbr_i_fail(err, HCBR_EUSAGE, "the list of cases %s, expected one with data alone",
                           cases->finished  ? "is finished"
                           : cases->beliefs ? "has beliefs already"
                                            : "is empty");
    st = hcbr_i_sheet_load(&f.sheet, path, "what experts believe", &o, err);
    if (st == HCBR_OK)
        st = find_columns(&f, cases, &o, err);
    if (st == HCBR_OK)
        st = take_lines(&f, cases, copies != 0, err);
    if (st == HCBR_OK)
        st = order_lines(&f, err);
    if (st == HCBR_OK)
        st = add(cases, &f, &o, copies != 0, err);
    file_clear(&f);
    return st;
}
