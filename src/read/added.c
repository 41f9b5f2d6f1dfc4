/*
 * Columns that hcbr itself added to the data (`hcbr predict --add-columns`): new cases are read
 * without them.
 *
 * In a table they are a column `label` followed by `p(LABEL)` or `support(LABEL)` for each label;
 * in an object of JSON all members after the key `schema` with our name. A number after a name,
 * `label_2`, distinguishes it from an earlier column of that name. Invariant: columns that the
 * model knows are never left out.
 */
#include "read/csv.h"

#include <stdio.h>

/** The name without the number that distinguishes it: `label` of `label_2`. */
static hcbr_i_text base_of(hcbr_i_text name) {
    size_t length = name.length;
    while (length > 0 && hcbr_i_is_digit(name.at[length - 1]))
        length--;
    if (length > 1 && length < name.length && name.at[length - 1] == '_')
        name.length = length - 1;
    return name;
}

static bool is_text(hcbr_i_text text, const char *word) {
    return text.length == strlen(word) && memcmp(text.at, word, text.length) == 0;
}

/** Whether it is `p(...)`, or `support(...)`. */
static bool is_of_label(hcbr_i_text name, const char *before) {
    const hcbr_i_text base = base_of(name);
    const size_t length = strlen(before);
    return base.length > length && memcmp(base.at, before, length) == 0 &&
           base.at[base.length - 1] == ')';
}

static bool is_known(const hcbr_i_parser *p, hcbr_i_text name) {
    return p->known->is(p->known->context, name);
}

static hcbr_i_text name_of(const hcbr_i_csv *csv, size_t column) {
    return (hcbr_i_text){csv->columns[column].key, csv->columns[column].key_length};
}

/** The number of columns from this one on that are answers of this program; 0: none. */
static size_t count_added(const hcbr_i_parser *p, const hcbr_i_csv *csv, size_t first) {
    static const char *const BEFORE[] = {"p(", "support("};
    size_t end = first + 1;
    if (!is_text(base_of(name_of(csv, first)), "label") || is_known(p, name_of(csv, first)))
        return 0;
    for (size_t i = 0; i < 2 && end == first + 1; i++)
        while (end < csv->column_count && csv->columns[end].role == HCBR_I_ROLE_FEATURE &&
               is_of_label(name_of(csv, end), BEFORE[i])) {
            if (is_known(p, name_of(csv, end++)))
                return 0;
        }
    return end == first + 1 ? 0 : end - first;
}

void hcbr_i_csv_leave_added(const hcbr_i_parser *p, hcbr_i_csv *csv) {
    size_t left = 0, named = SIZE_MAX;
    char first[200], last[200];
    for (size_t c = 0, count; p->known != NULL && c<csv->column_count; c += count> 0 ? count : 1) {
        count = count_added(p, csv, c);
        for (size_t i = 0; i < count; i++) {
            csv->columns[c + i].role = HCBR_I_ROLE_IGNORED;
            csv->columns[c + i].added = true;
            hcbr_i_quote(last, csv->columns[c + i].key, csv->columns[c + i].key_length);
        }
        if (count > 0 && named == SIZE_MAX)
            named = c;
        left += count;
    }
    if (left == 0)
        return;
    hcbr_i_quote(first, csv->columns[named].key, csv->columns[named].key_length);
    hcbr_i_notify(p->options->notify, p->options->notify_context, HCBR_NOTE, p->file, 0, 0,
                  "%zu columns that hcbr predict added are left out: %s to %s", left, first, last);
}

bool hcbr_i_json_is_schema(const hcbr_i_parser *p, hcbr_i_text key, hcbr_i_text value) {
    return p->known != NULL && is_text(base_of(key), "schema") &&
           is_text(value, "hcbr.predict.columns/1") && !is_known(p, key);
}

bool hcbr_i_json_is_added(const hcbr_i_parser *p, hcbr_i_text key) {
    static const char *const KEYS[] = {"label", "reason", "probability", "support"};
    for (size_t i = 0; i < sizeof KEYS / sizeof *KEYS; i++)
        if (is_text(base_of(key), KEYS[i]))
            return !is_known(p, key);
    return false;
}

void hcbr_i_json_note_added(const hcbr_i_parser *p) {
    if (p->met != NULL &&
        atomic_load_explicit(&p->met[p->ignore_count + HCBR_I_MET_ADDED], memory_order_relaxed))
        hcbr_i_notify(p->options->notify, p->options->notify_context, HCBR_NOTE, NULL, 0, 0,
                      "what hcbr predict added is left out: in each object 'schema' and the keys "
                      "behind it");
}
