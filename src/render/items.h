/**
 * @file items.h
 * Short names for items of JSON (hcbr_item in hcbr/render.h), for the files that write results.
 */
#ifndef HCBR_I_RENDER_ITEMS_H
#define HCBR_I_RENDER_ITEMS_H

#include "render/render.h"

/** An item that needs a model, or a pointer: see hcbr_item_kind. */
static inline hcbr_item hcbr_i_item_of(hcbr_item_kind kind, const char *key,
                                       const hcbr_model *model, const void *at, size_t count) {
    const hcbr_item item = {.key = key, .kind = kind, .whole = count, .at = at, .model = model};
    return item;
}

/** The name of a label, null for none: of a model; of an evaluation (evaluation_json.c); as a
 *  key. */
hcbr_item hcbr_i_item_label(const char *key, const hcbr_model *model, hcbr_label label);
hcbr_item hcbr_i_item_of_label(const char *key, const hcbr_evaluation *e, hcbr_label label);
hcbr_item hcbr_i_item_label_key(const hcbr_model *model, hcbr_label label);

#define PUT(w, ...) HCBR_PUT(w, __VA_ARGS__)

#define OPEN(key, bracket) hcbr_item_open((key), (bracket))
#define CLOSE(bracket) hcbr_item_close(bracket)
#define KEY(key) hcbr_item_key((key), SIZE_MAX)
#define KEY_TEXT(text, length) hcbr_item_key((text), (length))
#define NONE(key) hcbr_item_text((key), NULL, 0)
#define BOOL(key, value) hcbr_item_bool((key), (value))
#define U64(key, value) hcbr_item_u64((key), (value))
#define NUMBER(key, value) hcbr_item_number((key), (value))
#define STRING(key, text) hcbr_item_string((key), (text))
#define TEXT(key, text, length) hcbr_item_text((key), (text), (length))
#define FEATURE(key, feature) hcbr_i_item_of(HCBR_ITEM_FEATURE, (key), NULL, (feature), 1)
#define FEATURES(key, list, count) hcbr_item_features((key), (list), (count))
/* Of a model: the name of a label, also as a key; numbers by label; names that pages may hide. */
#define LABEL(key, model, label) hcbr_i_item_label((key), (model), (label))
#define LABEL_KEY(model, label) hcbr_i_item_label_key((model), (label))
#define BY_LABEL(key, model, values)                                                               \
    hcbr_i_item_of(HCBR_ITEM_BY_LABEL, (key), (model), (values), hcbr_i_label_count(model))
#define COLUMN(key, name, length) hcbr_i_item_of(HCBR_ITEM_COLUMN, (key), NULL, (name), (length))
#define ID(key, model, id, length) hcbr_i_item_of(HCBR_ITEM_ID, (key), (model), (id), (length))

#endif
