/*
 * Labels and their fixed order (METHOD 3): by value if all are numbers, by upper end if all are
 * ranges of numbers (`<= 12.5`, `12.5 to 30`, `> 30`), else by bytes. Two labels of the same value
 * keep the order of their bytes.
 */
#include "cases/cases.h"

#include <stdlib.h>

#define MOST_LABELS (1u << 28)
#define FEW 4

static inline bool is_label(const hcbr_i_labels *labels, uint32_t l, const char *name,
                            size_t length) {
    return labels->lengths[l] == length && memcmp(labels->names[l], name, length) == 0;
}

static uint64_t label_hash(const hcbr_i_labels *labels, const char *name, size_t length) {
    return hcbr_i_hash_text(&labels->key, name, length, "", 0).lo;
}

static bool same_label(const void *labels, uint32_t l, const void *wanted) {
    const hcbr_i_text *name = wanted;
    return is_label(labels, l, name->at, name->length);
}

/* Room for one more label in the table, with all that are there. */
static bool table_need(hcbr_i_labels *labels) {
    if (!labels->table.slots)
        labels->key = hcbr_i_hash_key_make(0);
    if (!hcbr_i_hash_table_reserve(&labels->table, (size_t)labels->count + 1))
        return false;
    for (uint32_t l = (uint32_t)labels->table.count; l < labels->count; l++) // there is room
        (void)hcbr_i_hash_table_add(&labels->table,
                                    label_hash(labels, labels->names[l], labels->lengths[l]), l);
    return true;
}

uint32_t hcbr_i_labels_find(const hcbr_i_labels *labels, const char *name, size_t length) {
    if (labels->table.count < labels->count) { /* a sorted or loaded list: seldom used */
        for (uint32_t l = 0; l < labels->count; l++)
            if (is_label(labels, l, name, length))
                return l;
        return HCBR_I_NONE;
    }
    return hcbr_i_hash_table_find(&labels->table, label_hash(labels, name, length), same_label,
                                  labels, &(hcbr_i_text){name, length});
}

hcbr_status hcbr_i_labels_intern(hcbr_i_labels *labels, const char *name, size_t length,
                                 uint32_t *out, hcbr_error *err) {
    /* most case bases have few labels, and comparing them is quicker than hashing one */
    for (uint32_t l = 0; l < labels->count && l < FEW; l++)
        if (is_label(labels, l, name, length)) {
            *out = l;
            return HCBR_OK;
        }
    if (!table_need(labels))
        return hcbr_i_no_memory(err);
    uint64_t hash = label_hash(labels, name, length);
    *out = hcbr_i_hash_table_find(&labels->table, hash, same_label, labels,
                                  &(hcbr_i_text){name, length});
    if (*out != HCBR_I_HASH_NONE)
        return HCBR_OK;
    if (labels->count >= MOST_LABELS || length >= UINT32_MAX)
        return hcbr_i_fail(err, HCBR_EDATA, "too many labels, or one that is too long");
    size_t capacity = labels->capacity;
    if (!hcbr_i_grow(&labels->names, &capacity, (size_t)labels->count + 1, sizeof(char *)) ||
        !hcbr_i_grow(&labels->lengths, &labels->capacity, (size_t)labels->count + 1,
                     sizeof(uint32_t)))
        return hcbr_i_no_memory(err);
    char *copy = hcbr_i_text_copy(name, length);
    if (!copy)
        return hcbr_i_no_memory(err);
    *out = labels->count;
    labels->names[labels->count] = copy;
    labels->lengths[labels->count++] = (uint32_t)length;
    (void)hcbr_i_hash_table_add(&labels->table, hash, *out); // there is room
    return HCBR_OK;
}

/* A label with what its order needs. */
typedef struct sortable {
    const char *name;
    uint32_t length, old;
    double value;
} sortable;

static int compare(const void *pa, const void *pb) {
    const sortable *a = pa, *b = pb;
    int order = hcbr_i_order_double(a->value, b->value);
    return order ? order : hcbr_i_text_compare(a->name, a->length, b->name, b->length);
}

/* The sort value of a label, as a number or as a range; false: it has none. */
typedef bool value_fn(const char *name, size_t length, double *value);

static bool number_value(const char *name, size_t length, double *value) {
    return hcbr_number_parse(value, name, length);
}

static bool no_value(const char *name, size_t length, double *value) {
    (void)name, (void)length;
    *value = 0;
    return true;
}

static value_fn *order_of(const hcbr_i_labels *labels) {
    value_fn *const all[] = {number_value, hcbr_i_bins_is_name};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        uint32_t l = 0;
        double value;
        while (l < labels->count && all[i](labels->names[l], labels->lengths[l], &value))
            l++;
        if (l == labels->count)
            return all[i];
    }
    return no_value;
}

static sortable *sortables_create(const hcbr_i_labels *labels) {
    sortable *list = hcbr_i_alloc(labels->count, sizeof *list);
    value_fn *value = order_of(labels);
    for (uint32_t l = 0; list && l < labels->count; l++) {
        list[l] = (sortable){labels->names[l], labels->lengths[l], l, 0};
        (void)value(list[l].name, list[l].length, &list[l].value);
    }
    return list;
}

const char *hcbr_i_labels_name(const hcbr_i_labels *labels, hcbr_label label, size_t *length) {
    assert(label >= 0 && (uint32_t)label < labels->count);
    if (length)
        *length = labels->lengths[label];
    return labels->names[label];
}

hcbr_status hcbr_i_labels_sort(hcbr_i_labels *labels, uint32_t *map, hcbr_error *err) {
    sortable *list = sortables_create(labels);
    char **names = hcbr_i_alloc(labels->count, sizeof *names);
    uint32_t *lengths = hcbr_i_alloc(labels->count, sizeof *lengths);
    if (!list || !names || !lengths) {
        hcbr_i_free(list);
        hcbr_i_free(names);
        hcbr_i_free(lengths);
        return hcbr_i_no_memory(err);
    }
    qsort(list, labels->count, sizeof *list, compare);
    for (uint32_t l = 0; l < labels->count; l++) {
        names[l] = labels->names[list[l].old];
        lengths[l] = list[l].length;
        map[list[l].old] = l;
    }
    hcbr_i_free(list);
    hcbr_i_free(labels->names);
    hcbr_i_free(labels->lengths);
    hcbr_i_hash_table_clear(&labels->table);
    labels->names = names;
    labels->lengths = lengths;
    labels->capacity = labels->count;
    return HCBR_OK;
}

/* Allocates nothing, so it cannot fail. */
bool hcbr_i_labels_sorted(const hcbr_i_labels *labels) {
    value_fn *value = order_of(labels);
    sortable before = {0};
    for (uint32_t l = 0; l < labels->count; l++) {
        sortable next = {labels->names[l], labels->lengths[l], l, 0};
        (void)value(next.name, next.length, &next.value);
        if (l > 0 && compare(&before, &next) >= 0)
            return false;
        before = next;
    }
    return true;
}

hcbr_status hcbr_i_labels_copy(hcbr_i_labels *out, const hcbr_i_labels *labels, hcbr_error *err) {
    *out = (hcbr_i_labels){0};
    hcbr_status st = HCBR_OK;
    for (uint32_t l = 0, ignored; st == HCBR_OK && l < labels->count; l++)
        st = hcbr_i_labels_intern(out, labels->names[l], labels->lengths[l], &ignored, err);
    if (st != HCBR_OK)
        hcbr_i_labels_clear(out);
    return st;
}

void hcbr_i_labels_truncate(hcbr_i_labels *labels, uint32_t count) {
    if (count == labels->count)
        return;
    while (labels->count > count)
        hcbr_i_free(labels->names[--labels->count]);
    hcbr_i_hash_table_clear(&labels->table);
}

void hcbr_i_labels_clear(hcbr_i_labels *labels) {
    for (uint32_t l = 0; l < labels->count; l++)
        hcbr_i_free(labels->names[l]);
    hcbr_i_free(labels->names);
    hcbr_i_free(labels->lengths);
    hcbr_i_hash_table_clear(&labels->table);
    *labels = (hcbr_i_labels){0};
}
