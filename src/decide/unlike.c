/*
 * Warnings about data that is unlike that of training: other columns, or nothing that is known.
 *
 * Invariant: warnings change no decision.
 */
#include "decide/stream.h"

#define NAMED 5 /* names in a warning before "and N more" */

typedef struct name_list {
    char text[400];
    size_t length;
    uint64_t count;
} name_list;

static void list_add(name_list *list, hcbr_i_text name) {
    char quoted[200];
    if (list->count++ >= NAMED)
        return;
    hcbr_i_quote(quoted, name.at, name.length);
    size_t need = strlen(quoted) + 2;
    if (list->length + need >= sizeof list->text)
        return;
    if (list->length) {
        memcpy(list->text + list->length, ", ", 2);
        list->length += 2;
    }
    memcpy(list->text + list->length, quoted, need - 2);
    list->length += need - 2;
    list->text[list->length] = '\0';
}

static void list_warn(const hcbr_i_listener *to, const char *file, const name_list *list,
                      const char *what) {
    if (!list->count)
        return;
    if (list->count <= NAMED)
        hcbr_i_notify(to->notify, to->context, HCBR_WARNING, file, 0, 0, "%s: %s", what,
                      list->text);
    else
        hcbr_i_notify(to->notify, to->context, HCBR_WARNING, file, 0, 0, "%s: %s and %llu more",
                      what, list->text, (unsigned long long)(list->count - NAMED));
}

/* Whether a key begins with a name and a mark. */
static bool begins_with(hcbr_i_text key, const char *name, char mark) {
    size_t length = strlen(name);
    return key.length > length && key.at[length] == mark && memcmp(key.at, name, length) == 0;
}

/* Whether the key is not a column by itself: a word of a text, or of a joined source. */
static bool comes_from_elsewhere(const hcbr_model *model, const hcbr_i_reader *reader,
                                 hcbr_i_text key) {
    const hcbr_i_stored_read *read = &model->read;
    for (uint32_t j = 0; j < read->join_count; j++)
        if (begins_with(key, read->join[j].name, '.'))
            return true;
    return hcbr_i_reader_is_word(reader, key) || hcbr_i_schema_has_part(model->schema, key);
}

/* Whether it is a column of training, though no key has its name. */
static bool was_taken(const hcbr_model *model, hcbr_i_text column) {
    return hcbr_i_schema_find(model->schema, column.at, column.length) != NULL;
}

static bool is_known(const void *context, hcbr_i_text name) {
    const hcbr_model *model = context;
    return was_taken(model, name) ||
           (hcbr_i_dict_need_tables(model->dict, NULL) == HCBR_OK &&
            hcbr_i_dict_find_key(model->dict, name.at, name.length) != HCBR_I_NONE);
}

hcbr_i_known_names hcbr_i_model_known(const hcbr_model *model) {
    return (hcbr_i_known_names){is_known, model};
}

hcbr_status hcbr_i_columns_compare(const hcbr_model *model, const hcbr_i_reader *reader,
                                   const hcbr_i_text *columns, size_t count,
                                   const hcbr_i_listener *to, hcbr_error *err) {
    const hcbr_i_dict *dict = model->dict;
    const char *file = hcbr_i_reader_file(reader);
    uint32_t keys = hcbr_i_dict_key_count(dict);
    bool *present = hcbr_i_alloc_zero(keys, sizeof *present);
    if (!present)
        return hcbr_i_no_memory(err);
    name_list added = {.length = 0}, absent = {.length = 0};
    for (size_t c = 0; c < count; c++) {
        hcbr_i_key_id key = hcbr_i_dict_find_key(dict, columns[c].at, columns[c].length);
        if (key == HCBR_I_NONE) {
            if (!was_taken(model, columns[c]))
                list_add(&added, columns[c]);
        } else
            present[key] = true;
    }
    for (uint32_t k = 0; k < keys; k++)
        if (!present[k] && !comes_from_elsewhere(model, reader, hcbr_i_dict_key(dict, k)))
            list_add(&absent, hcbr_i_dict_key(dict, k));
    hcbr_i_free(present);
    list_warn(to, file, &added, "columns that no training case had");
    list_warn(to, file, &absent, "columns of training that are not here");
    return HCBR_OK;
}

void hcbr_i_warn_nothing_known(const hcbr_i_listener *to) {
    hcbr_i_notify(to->notify, to->context, HCBR_WARNING, NULL, 0, 0,
                  "no feature of any case is known to the model: is this the right data?");
}
