/*
 * Earlier values of a column: a small table for each column, from the bytes of a value to the code
 * of the name `column=value`.
 *
 * A value of at most 16 plain bytes is found by comparing two words, without making its name. Other
 * values are read as usual, so tables stay small: columns of many values have none, and a value
 * without a free slot near its own is not cached. So no hash need be keyed, and no search takes
 * more than four steps; the table of base, with both, takes 9 % more instructions for training on
 * csv and 12 % for predicting. Invariant: a code stands for one name as long as the file is read.
 */
#include "read/csv.h"

#define FIRST_BITS 4           /* of the places of a table at first */
#define LAST_BITS 12           /* and at last */
#define MOST_VALUES 1024       /* of a column that is worth a table */
#define MOST_PLACES (1u << 17) /* of all tables: 3 MB */
#define FREE UINT64_MAX        /* no plain value has such bytes */

static size_t place_count(unsigned bits) {
    return ((size_t)1 << bits) + HCBR_I_NEAR - 1;
}

static void set_free(hcbr_i_value *places, size_t count) {
    for (size_t i = 0; i < count; i++)
        places[i] = (hcbr_i_value){FREE, FREE, HCBR_I_NO_CODE};
}

/** Let a column have no table. */
static void drop(hcbr_i_column_values *v, hcbr_i_value_table *table) {
    if (table->places != NULL && table->places != v->nothing) {
        v->place_count -= place_count(64 - table->shift);
        hcbr_i_free(table->places);
    }
    *table = (hcbr_i_value_table){.places = v->nothing, .shift = 64 - HCBR_I_NOTHING_BITS};
}

static void drop_all(hcbr_i_column_values *v) {
    for (size_t i = 0; i < v->column_count; i++)
        drop(v, &v->columns[i]);
    hcbr_i_free(v->columns);
    v->columns = NULL;
    v->column_count = 0;
    hcbr_i_block_reset(&v->met.names);
}

void hcbr_i_values_free(hcbr_i_parser *p) {
    if (p->values == NULL)
        return;
    drop_all(p->values);
    hcbr_i_block_clear(&p->values->met.names);
    hcbr_i_free(p->values);
    p->values = NULL;
}

/** Empty tables for the columns of a new file. */
static bool start(hcbr_i_column_values *v, uint64_t serial, size_t column_count) {
    drop_all(v);
    set_free(v->nothing, sizeof v->nothing / sizeof *v->nothing);
    v->columns = hcbr_i_alloc_zero(column_count, sizeof *v->columns);
    if (v->columns == NULL)
        return false;
    v->column_count = column_count;
    for (size_t i = 0; i < column_count; i++)
        drop(v, &v->columns[i]);
    v->met.serial = serial;
    return true;
}

hcbr_status hcbr_i_values_begin(hcbr_i_parser *p, size_t column_count, hcbr_error *err) {
    if (p->values == NULL && (p->values = hcbr_i_alloc_zero(1, sizeof *p->values)) == NULL)
        return hcbr_i_no_memory(err);
    if (p->values->met.serial != p->serial && !start(p->values, p->serial, column_count))
        return hcbr_i_no_memory(err);
    p->block->coded = true;
    p->block->values = &p->values->met;
    return HCBR_OK;
}

/** The free slot for a value; NULL: none. */
static hcbr_i_value *find_free(const hcbr_i_value_table *table, uint64_t low, uint64_t high) {
    hcbr_i_value *place = hcbr_i_value_place(table, low, high);
    for (size_t n = 0; n < HCBR_I_NEAR; n++)
        if (place[n].low == FREE)
            return &place[n];
    return NULL;
}

/** Move the values of a table to a larger one. false: some of them find no slot. */
static bool move(hcbr_i_value_table *to, const hcbr_i_value_table *from, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const hcbr_i_value *value = &from->places[i];
        hcbr_i_value *place;
        if (value->low == FREE)
            continue;
        if ((place = find_free(to, value->low, value->high)) == NULL)
            return false;
        *place = *value;
    }
    return true;
}

/** A larger table. *larger receives whether it could be; false: out of memory. */
static bool grow(hcbr_i_column_values *v, hcbr_i_value_table *table, bool *larger) {
    bool first = table->places == v->nothing;
    size_t before = first ? 0 : place_count(64 - table->shift);
    *larger = false;
    for (unsigned bits = first ? FIRST_BITS : 64 - table->shift + 1; bits <= LAST_BITS; bits++) {
        hcbr_i_value_table next = *table;
        size_t count = place_count(bits);
        if (v->place_count + count > MOST_PLACES)
            return true;
        next.shift = 64 - bits;
        next.places = hcbr_i_alloc(count, sizeof *next.places);
        if (next.places == NULL)
            return false;
        set_free(next.places, count);
        if (move(&next, table, before)) {
            drop(v, table);
            *table = next;
            v->place_count += count;
            *larger = true;
            return true;
        }
        hcbr_i_free(next.places);
    }
    return true;
}

/** Keep the name of a value; its code is its place among them. */
static bool add_name(hcbr_i_column_values *v, const hcbr_i_column *column, const char *value,
                     size_t length) {
    if (column->key_length + length > HCBR_I_SHORT &&
        (value = hcbr_i_arena_copy(&v->met.names.arena, value, length)) == NULL)
        return false;
    return hcbr_i_block_add(&v->met.names, column->key, column->key_length, value, length);
}

hcbr_status hcbr_i_values_add(hcbr_i_parser *p, const hcbr_i_column *column, size_t number,
                              hcbr_i_text text, hcbr_i_value *value, hcbr_error *err) {
    hcbr_i_column_values *v = p->values;
    hcbr_i_value_table *table = &v->columns[number];
    hcbr_i_value *place;
    bool larger = true;
    value->code = HCBR_I_NO_CODE;
    if (table->count == MOST_VALUES) {
        drop(v, table);
        table->is_closed = true;
    }
    if (table->is_closed)
        return HCBR_OK;
    while (table->places == v->nothing || table->count >= (size_t)1 << (62 - table->shift) ||
           (place = find_free(table, value->low, value->high)) == NULL) {
        if (!grow(v, table, &larger))
            return hcbr_i_no_memory(err);
        if (!larger)
            return HCBR_OK;
    }
    if (hcbr_i_parser_is_na(p, text.at, text.length)) {
        value->code = HCBR_I_MISSING;
    } else {
        if (!add_name(v, column, text.at, text.length))
            return hcbr_i_no_memory(err);
        value->code = (uint32_t)v->met.names.name_count - 1;
    }
    table->count++;
    *place = *value;
    return HCBR_OK;
}
