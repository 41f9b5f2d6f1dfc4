/*
 * Values that do not fit columns of numbers or dates of training: they count as missing, and one
 * warning a column gives their number and the first one.
 *
 * Invariant: the warnings do not depend on the number of threads.
 */
#include "decide/stream.h"

#include <stdlib.h>

#define OTHER ": other" /* after the name of a column that is read as numbers */
#define SHOWN 60        /* bytes of the value that is shown */

void hcbr_i_misfits_clear(hcbr_i_misfits *x) {
    hcbr_i_free(x->all);
    hcbr_i_arena_clear(&x->text);
    *x = (hcbr_i_misfits){0};
}

/* Whether the column of a feature had numbers or dates in training. *name becomes that of the
 * column. */
static bool find_column(const hcbr_model *m, hcbr_i_text *name, bool *dates) {
    const size_t tail = strlen(OTHER);
    const hcbr_i_schema_column *c = hcbr_i_schema_find(m->schema, name->at, name->length);
    if (!c && name->length > tail && memcmp(name->at + name->length - tail, OTHER, tail) == 0 &&
        (c = hcbr_i_schema_find(m->schema, name->at, name->length - tail)))
        name->length -= tail;
    *dates = c && c->kind.kind == HCBR_I_KIND_DATE;
    return *dates || (c && c->kind.kind == HCBR_I_KIND_NUMBER);
}

/* Text that lives as long as the list. */
static bool keep(hcbr_i_misfits *x, hcbr_i_text *text) {
    char *copy = hcbr_i_arena_take(&x->text, text->length);
    if (!copy)
        return false;
    memcpy(copy, text->at, text->length);
    text->at = copy;
    return true;
}

/* Count values of a column, of which the first is `value`, in `row`. */
static hcbr_status add(hcbr_i_misfits *x, hcbr_i_misfit one, hcbr_error *err) {
    for (size_t i = 0; i < x->count; i++) {
        hcbr_i_misfit *known = &x->all[i];
        if (hcbr_i_order_text(known->column, one.column) != 0)
            continue;
        known->count += one.count;
        if (one.row < known->row) {
            known->row = one.row;
            known->value = one.value;
            return keep(x, &known->value) ? HCBR_OK : hcbr_i_no_memory(err);
        }
        return HCBR_OK;
    }
    if (!hcbr_i_grow(&x->all, &x->capacity, x->count + 1, sizeof *x->all) ||
        !keep(x, &one.column) || !keep(x, &one.value))
        return hcbr_i_no_memory(err);
    x->all[x->count++] = one;
    return HCBR_OK;
}

hcbr_status hcbr_i_misfits_note(hcbr_i_misfits *x, const hcbr_model *m,
                                const hcbr_decision *decision, uint64_t row, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    if (!decision->unseen || !m->engine->has_cuts)
        return HCBR_OK;
    for (size_t n = 0; st == HCBR_OK && n < decision->unseen_count; n++) {
        const hcbr_feature *f = &decision->unseen[n];
        hcbr_i_misfit one = {.column = {f->key, f->key_length}, .row = row, .count = 1};
        double value;
        uint8_t spelling;
        if (!f->value || hcbr_i_decimal_read(&value, &spelling, f->value, f->value_length) ||
            !find_column(m, &one.column, &one.dates))
            continue;
        one.value =
            (hcbr_i_text){f->value, f->value_length < SHOWN ? f->value_length : (size_t)SHOWN};
        st = add(x, one, err);
    }
    return st;
}

hcbr_status hcbr_i_misfits_merge(hcbr_i_misfits *to, const hcbr_i_misfits *from, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    for (size_t i = 0; st == HCBR_OK && i < from->count; i++)
        st = add(to, from->all[i], err);
    return st;
}

static int compare(const void *a, const void *b) {
    const hcbr_i_misfit *x = a, *y = b;
    const int order = hcbr_i_order_u64(x->row, y->row);
    return order != 0 ? order : hcbr_i_order_text(x->column, y->column);
}

void hcbr_i_misfits_warn(hcbr_i_misfits *x, const hcbr_i_listener *to) {
    if (x->count)
        qsort(x->all, x->count, sizeof *x->all, compare);
    for (size_t i = 0; i < x->count; i++) {
        const hcbr_i_misfit *one = &x->all[i];
        char name[200], value[200];
        hcbr_i_notify(
            to->notify, to->context, HCBR_WARNING, NULL, 0, 0,
            "the column %s had %s in training: %llu value%s here %s none and count%s as "
            "missing, such as %s in row %llu",
            hcbr_i_quote(name, one->column.at, one->column.length),
            one->dates ? "dates" : "numbers", (unsigned long long)one->count,
            one->count == 1 ? "" : "s", one->count == 1 ? "is" : "are", one->count == 1 ? "s" : "",
            hcbr_i_quote(value, one->value.at, one->value.length), (unsigned long long)one->row);
    }
    x->count = 0;
}
