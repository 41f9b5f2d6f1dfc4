/*
 * The first cases of some files as a model gets them, with the column kinds judged from all values.
 *
 * Invariant: a value becomes the same as in training, since both go through hcbr_i_schema_take();
 * only steps that depend on all cases at once, such as the least count of words, are left out.
 */
#include "model/model.h"

#include <hcbr/preview.h>

typedef struct taker {
    const hcbr_i_schema *schema;
    hcbr_i_left leave;
    hcbr_i_taking how;
    hcbr_i_block block; /* the new form of the current case */
    hcbr_feature *features;
    size_t feature_capacity;
    char *room; /* for packed ones */
    size_t room_capacity;
} taker;

/* The column of a feature if it changes. */
static const hcbr_i_schema_column *column_of(const taker *t, const hcbr_feature *f) {
    const hcbr_i_schema_column *c =
        f->value ? hcbr_i_schema_find(t->schema, f->key, f->key_length) : NULL;
    if (!c || c->use == HCBR_I_USE_AS_IT_IS || hcbr_i_left_names(&t->leave, c->name) ||
        (t->leave.but_given && c->said != HCBR_I_SAID_GIVEN))
        return NULL;
    return c;
}

/* Whether a feature is a duplicate. Members of a set may repeat; words and parts do not. */
static bool is_there(const taker *t, size_t count, const hcbr_feature *f) {
    for (size_t n = 0; n < count; n++)
        if (hcbr_i_feature_same(&t->features[n], f))
            return true;
    return false;
}

static hcbr_status take_case(taker *t, hcbr_preview *preview, size_t index, hcbr_error *err) {
    hcbr_preview_case x = {.size = sizeof x};
    hcbr_status st = HCBR_OK;
    bool sets = false;
    hcbr_preview_get_case(preview, index, &x);
    hcbr_i_block_reset(&t->block);
    for (size_t n = 0; st == HCBR_OK && n < x.feature_count; n++) {
        const hcbr_feature *f = &x.features[n];
        const hcbr_i_schema_column *c = column_of(t, f);
        sets |= c && c->use == HCBR_I_USE_SET;
        if (c)
            st = hcbr_i_schema_take(c, &t->how, &t->block, f->value, f->value_length, err);
        else if (!hcbr_i_block_add(&t->block, f->key, f->key_length, f->value, f->value_length))
            st = hcbr_i_no_memory(err);
    }
    const size_t names = t->block.name_count;
    size_t count = 0;
    if (st == HCBR_OK &&
        (!hcbr_i_grow(&t->features, &t->feature_capacity, names + 1, sizeof *t->features) ||
         !hcbr_i_grow(&t->room, &t->room_capacity, names + 1, HCBR_I_NAME_TEXT)))
        st = hcbr_i_no_memory(err);
    for (size_t n = 0; st == HCBR_OK && n < names; n++) {
        t->features[count] = hcbr_i_block_get(&t->block, n, t->room + n * HCBR_I_NAME_TEXT);
        count += !(sets && is_there(t, count, &t->features[count]));
    }
    return st == HCBR_OK ? hcbr_i_preview_replace(preview, index, t->features, count, err) : st;
}

hcbr_status hcbr_preview_understand(hcbr_preview *preview, const hcbr_cases *cases,
                                    const hcbr_train_options *options, hcbr_error *err) {
    if (HCBR_I_NULL(err, preview, cases) || HCBR_I_UNSIZED(err, options))
        return HCBR_EUSAGE;
    hcbr_train_options o;
    hcbr_train_options_init(&o);
    if (options)
        o = *options;
    hcbr_status st = hcbr_i_train_options_check(&o, err);
    if (st != HCBR_OK || !hcbr_i_schema_changes(cases->schema))
        return st;
    taker t = {.schema = cases->schema, .leave = hcbr_i_model_left(&o)};
    t.how.listed = hcbr_i_schema_is_listed(t.schema);
    st = hcbr_i_splitter_create(&t.how.words, hcbr_i_schema_ngrams(cases->schema), err);
    for (size_t i = 0; st == HCBR_OK && i < hcbr_preview_case_count(preview); i++)
        st = take_case(&t, preview, i, err);
    hcbr_i_splitter_free(t.how.words);
    hcbr_i_block_clear(&t.block);
    hcbr_i_free(t.features);
    hcbr_i_free(t.room);
    return st;
}
