/*
 * A list with its columns in the form of its schema: numbers in disguise are numbers, texts are
 * words, dates have parts.
 *
 * The new form of a feature is found once for all cases that have it. Invariants: the list is what
 * reading the changed values would have given, except for the order of the features of a case; on
 * failure there is none.
 */
#include "cases/append.h"
#include "cases/dict.h"

#define CHUNK 4096u /* features changed at a time */
#define RECENT 64u  /* keys whose numbers are cached */

/* The new form of some values: the features and numbers of value v start at id[at[v].ids] and so
 * on. */
typedef struct places {
    uint64_t ids, items, texts;
} places;

typedef struct changed {
    places *at; /* count + 1 of them */
    size_t count, capacity;
    hcbr_i_feature_id *id;
    size_t id_capacity;
    hcbr_i_item *item; /* with keys of the new dictionary */
    size_t item_capacity;
    hcbr_i_text *text; /* of items that have one */
    size_t text_capacity;
} changed;

/* A key of the new dictionary by the address of its name: parts of dates share few names. */
typedef struct recent {
    const char *at; /* NULL: none */
    size_t length;
    hcbr_i_key_id key;
} recent;

typedef struct rewriter {
    hcbr_cases *to;
    const hcbr_cases *from;
    const hcbr_i_schema *schema;
    const hcbr_i_schema_column **column; /* by key of `from`; NULL: it stays as it is */
    hcbr_i_key_id *key;                  /* by key of `from`, of numbers that stay */
    hcbr_i_taking how;
    hcbr_i_block block;
    hcbr_i_arena text; /* of items */
    hcbr_i_feature_id *ids;
    size_t id_capacity;
    uint32_t lengths[CHUNK];
    bool is_text[CHUNK]; /* of the values of the chunk */
    uint32_t serial;
    recent recent[RECENT]; /* valid while the names of the chunk are */
    changed features, numbers;
} rewriter;

static void changed_clear(changed *x) {
    hcbr_i_free(x->at);
    hcbr_i_free(x->id);
    hcbr_i_free(x->item);
    hcbr_i_free(x->text);
}

static void rewriter_clear(rewriter *r) {
    hcbr_i_free(r->column);
    hcbr_i_free(r->key);
    hcbr_i_splitter_free(r->how.words);
    hcbr_i_block_clear(&r->block);
    hcbr_i_arena_clear(&r->text);
    hcbr_i_free(r->ids);
    changed_clear(&r->features);
    changed_clear(&r->numbers);
}

/* ---- a chunk of values ----------------------------------------------------------------------- */

/* Mark a word, so that it is removed later if too few cases have it. */
static bool mark_word(rewriter *r, hcbr_i_key_id key) {
    hcbr_cases *to = r->to;
    if (r->from->min_count <= 1)
        return true;
    if (!hcbr_i_grow(&to->least, &to->least_capacity, (size_t)key + 1, sizeof *to->least))
        return false;
    for (; to->least_count <= key; to->least_count++)
        to->least[to->least_count] = 0;
    to->least[key] = r->from->min_count;
    return true;
}

/* The number of a key of the block in the new dictionary. */
static hcbr_status find_key(rewriter *r, hcbr_i_text name, hcbr_i_key_id *out, hcbr_error *err) {
    recent *x = &r->recent[((uintptr_t)name.at >> 4) % RECENT];
    if (x->at && x->at == name.at && x->length == name.length) {
        *out = x->key;
        return HCBR_OK;
    }
    hcbr_status st = hcbr_i_dict_add_key(r->to->dict, name.at, name.length, out, err);
    if (st == HCBR_OK)
        *x = (recent){name.at, name.length, *out};
    return st;
}

/* Append the items of a value of the block. */
static hcbr_status keep_items(rewriter *r, changed *x, const hcbr_i_raw_case *value, bool words,
                              size_t *spelled, places *at, hcbr_error *err) {
    const hcbr_i_block *b = &r->block;
    for (size_t n = value->first_item; n < value->first_item + value->item_count; n++) {
        const hcbr_i_text name = b->keys[b->items[n].key];
        hcbr_i_item item = b->items[n];
        hcbr_status st = find_key(r, name, &item.key, err);
        if (st != HCBR_OK)
            return st;
        if (!hcbr_i_grow(&x->item, &x->item_capacity, (size_t)at->items + 1, sizeof *x->item) ||
            (words && !mark_word(r, item.key)))
            return hcbr_i_no_memory(err);
        x->item[at->items++] = item;
        if (item.spelling < HCBR_I_SPELLED_OTHER)
            continue;
        const hcbr_i_text from = b->spelled[(*spelled)++];
        char *copy = hcbr_i_arena_take(&r->text, from.length + 1);
        if (!copy ||
            !hcbr_i_grow(&x->text, &x->text_capacity, (size_t)at->texts + 1, sizeof *x->text))
            return hcbr_i_no_memory(err);
        memcpy(copy, from.at, from.length);
        x->text[at->texts++] = (hcbr_i_text){copy, from.length};
    }
    return HCBR_OK;
}

/* Number the new values of the block, and empty it. */
static hcbr_status end_chunk(rewriter *r, changed *x, hcbr_error *err) {
    hcbr_i_block *b = &r->block;
    size_t used = 0, spelled = 0;
    if (!hcbr_i_grow(&r->ids, &r->id_capacity, b->name_count + 1, sizeof *r->ids) ||
        !hcbr_i_grow(&x->at, &x->capacity, x->count + b->case_count + 1, sizeof *x->at))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_dict_intern(r->to->dict, b, r->serial, r->ids, r->lengths, err);
    r->serial += (uint32_t)b->case_count;
    places at = x->count ? x->at[x->count] : (places){0};
    x->at[x->count] = at;
    for (size_t c = 0; st == HCBR_OK && c < b->case_count; c++) {
        const uint32_t length = r->lengths[c];
        if (!hcbr_i_grow(&x->id, &x->id_capacity, (size_t)at.ids + length, sizeof *x->id))
            return hcbr_i_no_memory(err);
        for (uint32_t n = 0; n < length; n++, used++) {
            x->id[at.ids++] = r->ids[used];
            if (r->is_text[c] && !mark_word(r, hcbr_i_dict_get(r->to->dict, r->ids[used]).key))
                return hcbr_i_no_memory(err);
        }
        st = keep_items(r, x, &b->cases[c], r->is_text[c], &spelled, &at, err);
        x->at[++x->count] = at;
    }
    hcbr_i_block_reset(b);
    memset(r->recent, 0, sizeof r->recent);
    return st;
}

/* Add the new form of a value to the block; column NULL: unchanged. */
static hcbr_status add_value(rewriter *r, changed *x, const hcbr_i_schema_column *column,
                             hcbr_i_text key, hcbr_i_text value, hcbr_error *err) {
    hcbr_i_block *b = &r->block;
    const size_t first = b->name_count, first_item = b->item_count;
    hcbr_status st = HCBR_OK;
    if (column)
        st = hcbr_i_schema_take(column, &r->how, b, value.at, value.length, err);
    else if (!hcbr_i_block_add(b, key.at, key.length, value.at, value.length))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK &&
        !hcbr_i_grow(&b->cases, &b->case_capacity, b->case_count + 1, sizeof *b->cases))
        st = hcbr_i_no_memory(err);
    if (st != HCBR_OK)
        return st;
    r->is_text[b->case_count] = column && column->use == HCBR_I_USE_TEXT;
    b->cases[b->case_count++] = (hcbr_i_raw_case){.first = first,
                                                  .count = b->name_count - first,
                                                  .first_item = first_item,
                                                  .item_count = b->item_count - first_item};
    return b->case_count == CHUNK ? end_chunk(r, x, err) : HCBR_OK;
}

static hcbr_status change_features(rewriter *r, hcbr_error *err) {
    const hcbr_i_dict *dict = r->from->dict;
    const uint32_t count = hcbr_i_dict_count(dict);
    hcbr_status st = HCBR_OK;
    for (uint32_t f = 0; st == HCBR_OK && f < count; f++) {
        const hcbr_i_dict_feature x = hcbr_i_dict_get(dict, f);
        st = add_value(r, &r->features, x.value ? r->column[x.key] : NULL,
                       hcbr_i_dict_key(dict, x.key),
                       (hcbr_i_text){x.value, x.value ? x.value_length : 0}, err);
    }
    return st == HCBR_OK ? end_chunk(r, &r->features, err) : st;
}

static bool is_changed(const rewriter *r, uint64_t item) {
    const hcbr_i_schema_column *column = r->column[r->from->numbers.key[item]];
    return column && hcbr_i_use_changes_numbers(column);
}

static hcbr_status change_numbers(rewriter *r, hcbr_error *err) {
    const hcbr_i_numbers *n = &r->from->numbers;
    const uint64_t count = hcbr_i_cases_item_count(r->from);
    hcbr_status st = HCBR_OK;
    for (uint64_t at = 0; st == HCBR_OK && at < count; at++) {
        char room[HCBR_NUMBER_SIZE];
        if (is_changed(r, at))
            st = add_value(r, &r->numbers, r->column[n->key[at]], (hcbr_i_text){NULL, 0},
                           hcbr_i_numbers_text(n, at, room), err);
    }
    return st == HCBR_OK ? end_chunk(r, &r->numbers, err) : st;
}

/* ---- cases ----------------------------------------------------------------------------------- */

/* The positions of the next feature and number. */
typedef struct ends {
    uint64_t feature, item;
    uint64_t room; /* for numbers */
    bool spelled;  /* a number is not the shortest text of its value */
} ends;

/* Room for more numbers in all their arrays. */
static bool more_items(hcbr_i_numbers *n, ends *to) {
    const size_t need = (size_t)to->item + 1;
    if (!hcbr_i_grow(&n->value, &n->value_capacity, need, sizeof *n->value) ||
        !hcbr_i_grow(&n->key, &n->key_capacity, n->value_capacity, sizeof *n->key) ||
        !hcbr_i_grow(&n->spelling, &n->spelling_capacity, n->value_capacity, 1))
        return false;
    to->room = n->value_capacity;
    return true;
}

static inline bool put_item(rewriter *r, ends *to, const hcbr_i_item *item, hcbr_i_text text) {
    hcbr_i_numbers *n = &r->to->numbers;
    if (HCBR_I_UNLIKELY(to->item == to->room) && !more_items(n, to))
        return false;
    n->value[to->item] = item->value;
    n->key[to->item] = item->key;
    n->spelling[to->item] = item->spelling;
    to->spelled |= item->spelling != HCBR_I_SPELLED_SHORTEST;
    return item->spelling < HCBR_I_SPELLED_OTHER ? (to->item++, true)
                                                 : hcbr_i_numbers_keep_text(n, to->item++, text);
}

/* Store the new form of value v. */
static bool put_changed(rewriter *r, ends *to, const changed *x, size_t v) {
    const places *at = &x->at[v], *end = &x->at[v + 1];
    hcbr_cases *c = r->to;
    const size_t count = (size_t)(end->ids - at->ids);
    uint64_t text = at->texts;
    if (!hcbr_i_grow(&c->features, &c->feature_capacity, (size_t)to->feature + count + HCBR_I_SLACK,
                     sizeof *c->features))
        return false;
    for (size_t n = 0; n < count; n++)
        c->features[to->feature++] = x->id[at->ids + n];
    for (uint64_t n = at->items; n < end->items; n++) {
        hcbr_i_text spelled = {NULL, 0};
        if (x->item[n].spelling >= HCBR_I_SPELLED_OTHER)
            spelled = x->text[text++];
        if (!put_item(r, to, &x->item[n], spelled))
            return false;
    }
    return true;
}

/* A number that stays. */
static bool put_number(rewriter *r, ends *to, uint64_t at) {
    const hcbr_i_numbers *n = &r->from->numbers;
    const hcbr_i_item item = {.value = n->value[at],
                              .key = r->key[n->key[at]],
                              .spelling =
                                  n->spelling ? n->spelling[at] : (uint8_t)HCBR_I_SPELLED_SHORTEST};
    char room[HCBR_NUMBER_SIZE];
    hcbr_i_text text = {NULL, 0};
    if (item.spelling >= HCBR_I_SPELLED_OTHER)
        text = hcbr_i_numbers_text(n, at, room);
    return put_item(r, to, &item, text);
}

static hcbr_status put_cases(rewriter *r, hcbr_error *err) {
    const hcbr_cases *from = r->from;
    const hcbr_i_numbers *n = &from->numbers;
    hcbr_cases *to = r->to;
    ends end = {0};
    size_t done = 0; /* of the numbers that are changed */
    bool ok = true;
    to->empty_count = 0;
    to->start[0] = 0;
    if (to->apart)
        to->numbers.start[0] = 0;
    for (uint32_t i = 0; ok && i < from->case_count; i++) {
        const ends first = end;
        for (uint64_t j = from->start[i]; ok && j < from->start[i + 1]; j++)
            ok = put_changed(r, &end, &r->features, from->features[j]);
        for (uint64_t j = n->start ? n->start[i] : 0; ok && n->start && j < n->start[i + 1]; j++)
            ok = is_changed(r, j) ? put_changed(r, &end, &r->numbers, done++)
                                  : put_number(r, &end, j);
        to->start[i + 1] = end.feature;
        if (to->apart)
            to->numbers.start[i + 1] = end.item;
        to->empty_count += first.feature == end.feature && first.item == end.item;
    }
    if (!ok)
        return hcbr_i_no_memory(err);
    if (end.item == 0)
        hcbr_i_numbers_clear(&to->numbers);
    if (!end.spelled) {
        hcbr_i_free(to->numbers.spelling);
        to->numbers.spelling = NULL;
        to->numbers.spelling_capacity = 0;
    }
    return HCBR_OK;
}

/* ---- a list of cases ------------------------------------------------------------------------- */

bool hcbr_i_left_names(const hcbr_i_left *leave, hcbr_i_text name) {
    for (size_t list = 0; list < 2; list++)
        for (size_t i = 0; i < leave->count[list]; i++)
            if (strlen(leave->name[list][i]) == name.length &&
                memcmp(leave->name[list][i], name.at, name.length) == 0)
                return true;
    return false;
}

/* The schema of the list without the columns that are not changed. */
static hcbr_status narrow(hcbr_i_schema **out, const hcbr_i_schema *schema,
                          const hcbr_i_left *leave, hcbr_error *err) {
    const size_t count = hcbr_i_schema_count(schema);
    hcbr_status st = hcbr_i_schema_create(out, count, err);
    for (size_t c = 0; st == HCBR_OK && c < count; c++) {
        hcbr_i_schema_column column = *hcbr_i_schema_get(schema, c);
        const bool left = hcbr_i_left_names(leave, column.name);
        if (left || (leave->but_given && column.said != HCBR_I_SAID_GIVEN))
            column.use = HCBR_I_USE_AS_IT_IS;
        if (left)
            column.said = HCBR_I_SAID_GIVEN;
        st = hcbr_i_schema_add(*out, &column, err);
    }
    if (st == HCBR_OK)
        hcbr_i_schema_set_ngrams(*out, hcbr_i_schema_ngrams(schema));
    if (st == HCBR_OK)
        hcbr_i_schema_set_listed(*out, hcbr_i_schema_is_listed(schema));
    return st;
}

/* Allocate the room that does not depend on the values. */
static hcbr_status prepare(rewriter *r, hcbr_error *err) {
    const hcbr_i_dict *dict = r->from->dict;
    const uint32_t keys = hcbr_i_dict_key_count(dict);
    hcbr_cases *to = r->to;
    to->start_capacity = (size_t)to->case_count + 1;
    to->start = hcbr_i_alloc(to->start_capacity, sizeof *to->start);
    r->column = hcbr_i_alloc(keys, sizeof(void *));
    r->key = hcbr_i_alloc(keys, sizeof *r->key);
    if (to->apart) {
        to->numbers.start_capacity = to->start_capacity;
        to->numbers.start = hcbr_i_alloc(to->start_capacity, sizeof *to->numbers.start);
    }
    if (!to->start || !r->column || !r->key || (to->apart && !to->numbers.start) ||
        !hcbr_i_grow(&to->features, &to->feature_capacity, HCBR_I_SLACK, sizeof *to->features))
        return hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_splitter_create(&r->how.words, hcbr_i_schema_ngrams(r->schema), err);
    r->how.apart = r->from->apart;
    r->how.listed = hcbr_i_schema_is_listed(r->schema);
    for (uint32_t k = 0; st == HCBR_OK && k < keys; k++) {
        const hcbr_i_text name = hcbr_i_dict_key(dict, k);
        r->column[k] = hcbr_i_schema_find(r->schema, name.at, name.length);
        if (r->column[k] && r->column[k]->use == HCBR_I_USE_AS_IT_IS)
            r->column[k] = NULL;
        if (to->apart && (!r->column[k] || !hcbr_i_use_changes_numbers(r->column[k])))
            st = hcbr_i_dict_add_key(to->dict, name.at, name.length, &r->key[k], err);
    }
    return st;
}

/* Copy the minimal counts of words with their keys. */
static hcbr_status copy_least(rewriter *r, const uint32_t *least, size_t count, hcbr_error *err) {
    hcbr_cases *to = r->to;
    for (uint32_t k = 0; k < count; k++) {
        const hcbr_i_text name = hcbr_i_dict_key(r->from->dict, k);
        hcbr_i_key_id key;
        if (least[k] == 0)
            continue;
        hcbr_status st = hcbr_i_dict_add_key(to->dict, name.at, name.length, &key, err);
        if (st != HCBR_OK)
            return st;
        if (!hcbr_i_grow(&to->least, &to->least_capacity, (size_t)key + 1, sizeof *to->least))
            return hcbr_i_no_memory(err);
        for (; to->least_count <= key; to->least_count++)
            to->least[to->least_count] = 0;
        to->least[key] = least[k];
    }
    return HCBR_OK;
}

static hcbr_status rewrite(rewriter *r, hcbr_error *err) {
    hcbr_cases *to = r->to;
    to->least_count = 0;
    to->apart = r->from->apart;
    to->formed = true;
    to->finished = false;
    hcbr_status st = prepare(r, err);
    if (st == HCBR_OK)
        st = change_features(r, err);
    if (st == HCBR_OK)
        st = change_numbers(r, err);
    if (st == HCBR_OK)
        st = put_cases(r, err);
    if (st == HCBR_OK)
        st = copy_least(r, r->from->least, r->from->least_count, err);
    return st == HCBR_OK ? hcbr_cases_finish(to, err) : st;
}

hcbr_status hcbr_i_cases_understand(hcbr_cases **out, const hcbr_cases *cases,
                                    const hcbr_i_left *leave, hcbr_error *err) {
    hcbr_i_schema *schema = NULL;
    hcbr_cases *to = NULL;
    *out = NULL;
    if (cases->understood || !hcbr_i_schema_changes(cases->schema))
        return HCBR_OK;
    rewriter *r = hcbr_i_alloc_zero(1, sizeof *r);
    hcbr_status st = r ? narrow(&schema, cases->schema, leave, err) : hcbr_i_no_memory(err);
    const bool changes = st == HCBR_OK && hcbr_i_schema_changes(schema);
    if (changes)
        st = hcbr_i_cases_copy_frame(&to, cases, err);
    if (st == HCBR_OK && changes) {
        hcbr_i_schema_release(to->schema);
        to->schema = hcbr_i_schema_share(schema);
        to->understood = true;
        r->to = to;
        r->from = cases;
        r->schema = schema;
        st = rewrite(r, err);
    }
    if (r)
        rewriter_clear(r);
    hcbr_i_free(r);
    hcbr_i_schema_release(schema);
    if (st == HCBR_OK)
        *out = to;
    else
        hcbr_cases_free(to);
    return st;
}
