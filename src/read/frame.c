/*
 * Tables in memory: their columns, batch by batch, and the role of each column.
 *
 * Invariant: when hcbr_i_table_bind() succeeds, every value of the remaining rows can be read from
 * every column that is not ignored.
 */
#include "read/frame.h"

#include <stdio.h>

hcbr_i_vector *hcbr_i_table_vector(hcbr_i_table *frame) {
    hcbr_i_vector *v;
    if (!hcbr_i_grow(&frame->inner, &frame->inner_capacity, frame->inner_count + 1,
                     sizeof *frame->inner))
        return NULL;
    if ((v = hcbr_i_alloc_zero(1, sizeof *v)) != NULL)
        frame->inner[frame->inner_count++] = v;
    return v;
}

hcbr_i_table_column *hcbr_i_table_column_add(hcbr_i_table *frame) {
    if (!hcbr_i_grow(&frame->columns, &frame->capacity, frame->count + 1, sizeof *frame->columns))
        return NULL;
    hcbr_i_table_column *c = &frame->columns[frame->count++];
    *c = (hcbr_i_table_column){.unknown = NULL};
    return c;
}

void hcbr_i_table_reset(hcbr_i_table *frame) {
    for (size_t i = 0; i < frame->inner_count; i++)
        hcbr_i_free(frame->inner[i]);
    frame->inner_count = 0;
    frame->count = 0;
}

void hcbr_i_table_free(hcbr_i_table *frame) {
    if (frame == NULL)
        return;
    hcbr_i_table_reset(frame);
    hcbr_i_arrow_release(frame);
    hcbr_i_free(frame->inner);
    hcbr_i_free(frame->columns);
    hcbr_i_free(frame);
}

uint64_t hcbr_i_table_rows(const hcbr_i_table *frame) {
    return frame->total;
}

void hcbr_i_table_set_range(hcbr_i_table *frame, uint64_t begin, uint64_t end) {
    frame->next = begin;
    frame->end = end;
    frame->total = end - begin;
}

/* ---- uses of columns ------------------------------------------------------------------------- */

hcbr_status hcbr_i_table_check_text(hcbr_i_text name, uint64_t row, hcbr_i_text text,
                                    hcbr_error *err) {
    size_t good = hcbr_i_utf8_check(text.at, text.length);
    const char *mark = text.at;
    char quoted[200], place[64] = "", found[64] = "a byte order mark";
    bool is_mark = false;
    while (text.length >= 3 &&
           (mark = memchr(mark, 0xEF, text.length - (size_t)(mark - text.at)))) {
        is_mark =
            text.length - (size_t)(mark - text.at) >= 3 && memcmp(mark, "\xEF\xBB\xBF", 3) == 0;
        if (is_mark && (size_t)(mark - text.at) < good)
            break;
        is_mark = false;
        mark++;
    }
    if (good == text.length && !is_mark)
        return HCBR_OK;
    if (row > 0)
        snprintf(place, sizeof place, ", row %llu", (unsigned long long)row);
    if (!is_mark && text.at[good] == '\0')
        snprintf(found, sizeof found, "a NUL byte");
    else if (!is_mark)
        snprintf(found, sizeof found, "byte 0x%02x", (unsigned)(unsigned char)text.at[good]);
    return hcbr_i_fail(err, HCBR_EDATA, "column %s%s: found %s, expected text in UTF-8",
                       hcbr_i_quote(quoted, name.at, name.length), place, found);
}

/** Set the roles of the columns. */
static hcbr_status name_columns(hcbr_i_table *t, hcbr_i_lane *lane, hcbr_error *err) {
    hcbr_i_text *names = hcbr_i_alloc(t->count, sizeof *names);
    hcbr_status st = names != NULL ? HCBR_OK : hcbr_i_no_memory(err);
    for (size_t i = 0; i < t->count && st == HCBR_OK; i++) {
        names[i] = t->columns[i].name;
        if (names[i].length > UINT32_MAX)
            st = hcbr_i_fail(err, HCBR_EUSAGE, "found a name of 4 GiB, expected a shorter one");
        else
            st = hcbr_i_table_check_text(names[i], 0, names[i], err);
    }
    lane->csv.open = t->sparse.size > 0;
    if (st == HCBR_OK) {
        st = hcbr_i_csv_name_columns(&lane->p, &lane->csv, names, t->count, err);
        if (st != HCBR_OK && err != NULL)
            err->line = err->column = 0; // there is no file
    }
    hcbr_i_free(names);
    return st;
}

static const char *role_name(const hcbr_i_column *c) {
    switch (c->role) {
    case HCBR_I_ROLE_LABEL:
        return "label";
    case HCBR_I_ROLE_ID:
        return "id";
    case HCBR_I_ROLE_GROUP:
        return "group";
    case HCBR_I_ROLE_WEIGHT:
        return "weight";
    default:
        return NULL;
    }
}

/** Check that the column can be used in its role. */
static hcbr_status check_column(const hcbr_i_table *t, size_t i, const hcbr_i_column *role,
                                hcbr_error *err) {
    const hcbr_i_table_column *c = &t->columns[i];
    char quoted[200], format[200];
    if (role->role == HCBR_I_ROLE_IGNORED)
        return HCBR_OK;
    hcbr_i_quote(quoted, c->name.at, c->name.length);
    if (c->unknown != NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "column %s: found the format %s, expected numbers, booleans, texts, "
                           "decimals, dates, times, or lists or dictionaries of these",
                           quoted, hcbr_i_quote(format, c->unknown, strlen(c->unknown)));
    if (hcbr_i_vector_is_list(&c->vector) && role_name(role) != NULL)
        return hcbr_i_fail(err, HCBR_EUSAGE,
                           "column %s: found lists as the %s, expected a value in each row", quoted,
                           role_name(role));
    return hcbr_i_vector_check(&c->vector, t->next, t->end, c->name.at, err);
}

hcbr_status hcbr_i_table_bind(hcbr_i_table *frame, hcbr_i_lane *lane, hcbr_error *err) {
    hcbr_i_table *t = frame;
    hcbr_status st = t->named ? HCBR_OK : name_columns(t, lane, err);
    double unused;
    t->na_numbers = false;
    for (size_t i = 0; i < lane->p.na_count; i++)
        t->na_numbers |= hcbr_number_parse(&unused, lane->p.na[i].at, lane->p.na[i].length) != 0;
    t->named = st == HCBR_OK;
    t->direct = lane->p.parts_numbers && lane->p.special_count == 0 && lane->p.joins == NULL &&
                t->sparse.size == 0;
    for (size_t i = 0; i < t->count && st == HCBR_OK; i++)
        if ((st = check_column(t, i, &lane->csv.columns[i], err)) == HCBR_OK &&
            hcbr_i_vector_is_list(&t->columns[i].vector))
            t->direct = false; // a number may be there twice
    if (st == HCBR_OK && t->sparse.size > 0)
        st = hcbr_i_vector_check(&t->starts, t->next, t->end, "(matrix)", err);
    for (size_t i = 0; i < t->count && st == HCBR_OK; i++) {
        const hcbr_i_vector *v = &t->columns[i].vector;
        const bool feature = lane->csv.columns[i].role == HCBR_I_ROLE_FEATURE;
        const bool apart = t->direct && hcbr_i_vector_is_number(v);
        t->columns[i].names = feature && !apart;
        t->columns[i].doubles = feature && apart && v->type == HCBR_MEMORY_F64 && !t->na_numbers;
    }
    t->bound = st == HCBR_OK;
    return st;
}
