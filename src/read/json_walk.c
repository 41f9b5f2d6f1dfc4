/*
 * The walk over one line of JSON: its values become features.
 *
 * A pull parser without a tree: one walk over the bytes with its own stack of open objects and
 * lists, at most options.max_depth of them. A value gives the feature (dotted path of its key, text
 * of the value); a list gives one feature per item; null and missing values give none; the items of
 * a list `features` at the top are bare keys or pairs. The label and the id are taken out, at any
 * depth.
 *
 * Invariant: skipped values (ignored, missing) are checked as strictly as others.
 */
#include "read/json.h"

/**
 * The dotted names of a line may have this many times its bytes, and options.max_names more, at any
 * depth: by default reading a line takes less than 16 times its bytes.
 */
#define TIMES_NAMES 12

/** The walk over one line. */
typedef struct walk {
    hcbr_i_parser *p;
    hcbr_i_json_memory *memory;
    hcbr_error *err;
    const char *at;
    hcbr_i_json_frame top;     /**< the innermost open object or list */
    size_t depth;              /**< open ones, it included */
    hcbr_i_json_key_id before; /**< the key read last */
    size_t name_bytes, most_name_bytes;
    bool has_label, has_id; /**< whether its key was met */
    bool added;             /**< answers of ours follow (added.c) */
    bool left;              /**< the current member of the line's object is left out */
} walk;

/* ---- keys ------------------------------------------------------------------------------------ */

/** Whether the unescaped key is at `at`, the byte after an opening quote. */
static inline bool stands_at(const hcbr_i_json_key *key, const char *at) {
    const char *text = key->path + key->path_length - key->length;
    size_t left = key->length;
    for (; left >= 8; left -= 8, text += 8, at += 8)
        if (hcbr_i_load64(text) != hcbr_i_load64(at))
            return false; // also before the line's end is passed
    uint64_t mask = ((uint64_t)1 << 8 * left) - 1;
    return ((hcbr_i_load64(text) ^ hcbr_i_load64(at)) & mask) == 0 && at[left] == '"';
}

/** No key may have a name that a feature of a joined source could have. */
static hcbr_status check_clash(const walk *w, const char *at, const hcbr_i_json_key *key) {
    const char *source = hcbr_i_parser_clash(w->p, key->path, key->path_length);
    char quoted[200], name[200];
    if (source == NULL)
        return HCBR_OK;
    return hcbr_i_parser_fail(w->p, at, w->err,
                              "found key %s, which could be one of the joined source %s, expected "
                              "another name (option join.name)",
                              hcbr_i_quote(quoted, key->path, key->path_length),
                              hcbr_i_quote(name, source, strlen(source)));
}

/** The key at w->at, if the guess was wrong. */
static hcbr_status find_key(walk *w, hcbr_i_json_key_id *id) {
    hcbr_i_json_keys *keys = &w->memory->keys;
    const char *quote = w->at;
    hcbr_i_text text;
    hcbr_status st = hcbr_i_json_string(w->p, &w->at, &text, w->err);
    if (st != HCBR_OK)
        return st;
    size_t count = keys->count;
    if ((*id = hcbr_i_json_keys_intern(keys, w->top.key, text)) == HCBR_I_JSON_NONE)
        return hcbr_i_no_memory(w->err);
    if (count < keys->count)
        hcbr_i_json_set_role(w->p, w->memory, &keys->all[*id]);
    if (w->p->joins != NULL && (st = check_clash(w, quote, &keys->all[*id])) != HCBR_OK)
        return st;
    if (text.at == quote + 1)
        keys->all[*id].plain = true;
    keys->all[w->before].next = *id;
    return HCBR_OK;
}

static hcbr_status fail_names(const walk *w, const char *at) {
    return hcbr_i_parser_fail(w->p, at, w->err,
                              "found nested keys whose dotted names add up to more than %zu bytes, "
                              "expected shorter outer keys (option max_names raises this limit)",
                              w->most_name_bytes);
}

static hcbr_status fail_duplicate(const walk *w, const char *at, const hcbr_i_json_key *key) {
    char quoted[200];
    return hcbr_i_parser_fail(w->p, at, w->err,
                              "found the key %s twice in one object, expected it once",
                              hcbr_i_quote(quoted, key->path, key->path_length));
}

/** A key, its colon and the blanks around; w->at becomes the first byte of the value. */
static inline hcbr_status read_key(walk *w, hcbr_i_json_key_id *id) {
    const char *quote = w->at;
    if (HCBR_I_UNLIKELY(*quote != '"'))
        return hcbr_i_json_expected(w->p, quote, w->err, "a key in double quotes");
    *id = w->memory->keys.all[w->before].next;
    hcbr_i_json_key *key = &w->memory->keys.all[*id];
    if (HCBR_I_LIKELY(key->parent == w->top.key && key->plain && stands_at(key, quote + 1))) {
        w->at = quote + key->length + 2;
    } else {
        hcbr_status st = find_key(w, id);
        if (st != HCBR_OK)
            return st;
        key = &w->memory->keys.all[*id];
    }
    w->before = *id;
    if (HCBR_I_UNLIKELY(key->seen == w->top.serial))
        return fail_duplicate(w, quote, key);
    key->seen = w->top.serial;
    if (key->parent != HCBR_I_JSON_ROOT) {
        w->name_bytes += key->path_length;
        if (HCBR_I_UNLIKELY(w->name_bytes > w->most_name_bytes))
            return fail_names(w, quote);
    }
    w->at = hcbr_i_skip_blanks(w->at);
    if (HCBR_I_UNLIKELY(*w->at != ':'))
        return hcbr_i_json_expected(w->p, w->at, w->err, "':' after a key");
    w->at = hcbr_i_skip_blanks(w->at + 1);
    return HCBR_OK;
}

/* ---- values ---------------------------------------------------------------------------------- */

/** A value that is neither an object nor a list. */
typedef struct scalar {
    const char *at; /**< where it begins in the line */
    hcbr_i_text text;
    char first; /**< its first byte determines its kind */
} scalar;

/** null, or a string of the list of missing values. */
static inline bool is_missing(const hcbr_i_parser *p, const scalar *value) {
    return value->first == 'n' ||
           (value->first == '"' && hcbr_i_parser_is_na(p, value->text.at, value->text.length));
}

/** A feature; the value may be loaded in whole words. */
static inline bool add_feature(hcbr_i_block *block, const hcbr_i_json_key *key, hcbr_i_text value) {
    if (HCBR_I_UNLIKELY(key->path_length + value.length > HCBR_I_SHORT ||
                        block->name_count == block->name_capacity))
        return hcbr_i_block_add(block, key->path, key->path_length, value.at, value.length);
    hcbr_i_u128 bytes = (hcbr_i_u128)hcbr_i_load64(value.at + 8) << 64;
    bytes |= hcbr_i_load64(value.at);
    bytes &= ((hcbr_i_u128)1 << 8 * value.length) - 1;
    bytes <<= 8 * key->path_length;
    block->names[block->name_count++] = (hcbr_i_name){
        key->name.lo | (uint64_t)bytes, key->name.hi | (uint64_t)(bytes >> 64) |
                                            hcbr_i_name_tag(key->path_length, false, value.length)};
    return true;
}

/** An item of the list `features`. */
static hcbr_status take_token(walk *w, const scalar *value) {
    hcbr_i_text text = value->text;
    if (is_missing(w->p, value))
        return HCBR_OK;
    if (value->first == 't' || value->first == 'f' || text.length == 0)
        return hcbr_i_json_expected(w->p, value->at, w->err,
                                    "a feature's name as a string or number in the list features");
    if (!hcbr_i_block_add(w->p->block, text.at, text.length, NULL, 0))
        return hcbr_i_no_memory(w->err);
    return HCBR_OK;
}

static hcbr_status fail_second(const walk *w, const char *at, const char *what, const char *name) {
    char quoted[200];
    return hcbr_i_parser_fail(w->p, at, w->err, "found the %s %s twice, expected it once", what,
                              hcbr_i_quote(quoted, name, strlen(name)));
}

static hcbr_status take_label(walk *w, const scalar *value) {
    if (w->has_label)
        return fail_second(w, value->at, "label", w->memory->label);
    w->has_label = true;
    if (w->p->apart)
        return HCBR_OK; // it is elsewhere, and never a feature
    if (value->first == 'n' && !w->p->labelled)
        return HCBR_OK;
    if (value->first == 'n') {
        w->p->fault = HCBR_I_FAULT_LABEL;
        return hcbr_i_json_expected(w->p, value->at, w->err, "a label");
    }
    return hcbr_i_parser_take_label(w->p, value->at, value->text.at, value->text.length, w->err);
}

static hcbr_status take_id(walk *w, const scalar *value) {
    if (w->has_id)
        return fail_second(w, value->at, "id", w->p->options->id);
    w->has_id = true;
    if (!is_missing(w->p, value))
        w->p->id = value->text;
    return HCBR_OK;
}

static hcbr_status take_group(walk *w, const scalar *value) {
    if (w->p->group.at != NULL)
        return fail_second(w, value->at, "group", w->p->options->group);
    if (!is_missing(w->p, value))
        w->p->group = value->text;
    return HCBR_OK;
}

static hcbr_status take_weight(walk *w, const scalar *value) {
    if (w->p->weight >= 0)
        return fail_second(w, value->at, "weight", w->p->options->weight);
    return hcbr_i_parser_take_weight(w->p, value->at, value->text.at, value->text.length, w->err);
}

/** Use a value as the role of its key says. */
static inline hcbr_status take_value(walk *w, const hcbr_i_json_key *key, const scalar *value) {
    if (HCBR_I_UNLIKELY(w->top.kind == HCBR_I_JSON_TOKENS))
        return take_token(w, value);
    if (HCBR_I_UNLIKELY(key->role == HCBR_I_ROLE_LABEL))
        return take_label(w, value);
    if (HCBR_I_UNLIKELY(key->role == HCBR_I_ROLE_ID))
        return take_id(w, value);
    if (HCBR_I_UNLIKELY(key->role == HCBR_I_ROLE_GROUP))
        return take_group(w, value);
    if (HCBR_I_UNLIKELY(key->role == HCBR_I_ROLE_WEIGHT))
        return take_weight(w, value);
    if (key->role == HCBR_I_ROLE_IGNORED || is_missing(w->p, value))
        return HCBR_OK;
    if (HCBR_I_UNLIKELY(key->special != NULL))
        return hcbr_i_special_take(w->p, key->special, value->text, w->err);
    return HCBR_I_LIKELY(add_feature(w->p->block, key, value->text)) ? HCBR_OK
                                                                     : hcbr_i_no_memory(w->err);
}

/** At the start of a member: find whether it is left out. */
static inline void begin_member(walk *w, hcbr_i_json_key_id id) {
    if (w->depth != 1)
        return;
    const hcbr_i_json_key *key = &w->memory->keys.all[id];
    w->left = w->added && hcbr_i_json_is_added(w->p, (hcbr_i_text){key->path, key->path_length});
}

/** Use a value, unless it is an answer of ours. */
static inline hcbr_status use_value(walk *w, const hcbr_i_json_key *key, const scalar *value) {
    if (HCBR_I_UNLIKELY(w->p->known != NULL && w->depth == 1 && value->first == '"') &&
        hcbr_i_json_is_schema(w->p, (hcbr_i_text){key->path, key->path_length}, value->text)) {
        w->added = w->left = true;
        atomic_store_explicit(&w->p->met[w->p->ignore_count + HCBR_I_MET_ADDED], true,
                              memory_order_relaxed);
    }
    return HCBR_I_UNLIKELY(w->left) ? HCBR_OK : take_value(w, key, value);
}

/** Read a string, a number or a word at w->at. */
static inline hcbr_status read_scalar(walk *w, scalar *value) {
    value->at = w->at;
    value->first = *w->at;
    hcbr_status st;
    switch (value->first) {
    case '"':
        return hcbr_i_json_string(w->p, &w->at, &value->text, w->err);
    case 't':
        st = hcbr_i_json_word(w->p, &w->at, "true", w->err);
        break;
    case 'f':
        st = hcbr_i_json_word(w->p, &w->at, "false", w->err);
        break;
    case 'n':
        st = hcbr_i_json_word(w->p, &w->at, "null", w->err);
        break;
    default:
        st = value->first == '-' || hcbr_i_is_digit(value->first)
                 ? hcbr_i_json_number(w->p, &w->at, w->err)
                 : hcbr_i_json_expected(w->p, w->at, w->err, "a JSON value");
    }
    value->text.at = value->at;
    value->text.length = (size_t)(w->at - value->at);
    return st;
}

/* ---- objects and lists ----------------------------------------------------------------------- */

/** Check that the key may have an object or list. */
static hcbr_status check_container(const walk *w, const hcbr_i_json_key *key) {
    const char *what = *w->at == '{' ? "an object" : "a list";
    if (w->top.kind == HCBR_I_JSON_TOKENS && w->depth > 0)
        return hcbr_i_parser_fail(
            w->p, w->at, w->err,
            "found %s in the list features, expected strings, numbers or pairs", what);
    if (key->role != HCBR_I_ROLE_LABEL && key->role != HCBR_I_ROLE_ID &&
        key->role != HCBR_I_ROLE_GROUP && key->role != HCBR_I_ROLE_WEIGHT)
        return HCBR_OK;
    char quoted[200];
    return hcbr_i_parser_fail(w->p, w->at, w->err,
                              "found %s as the %s %s, expected a string, a number, true or false",
                              what,
                              key->role == HCBR_I_ROLE_LABEL   ? "label"
                              : key->role == HCBR_I_ROLE_ID    ? "id"
                              : key->role == HCBR_I_ROLE_GROUP ? "group"
                                                               : "weight",
                              hcbr_i_quote(quoted, key->path, key->path_length));
}

/** A string in a pair; w->at becomes the first byte after it that is not a blank. */
static hcbr_status read_pair_text(walk *w, hcbr_i_text *text, const char *expected) {
    if (*w->at != '"')
        return hcbr_i_json_expected(w->p, w->at, w->err, expected);
    hcbr_status st = hcbr_i_json_string(w->p, &w->at, text, w->err);
    if (st == HCBR_OK)
        w->at = hcbr_i_skip_blanks(w->at);
    return st;
}

/**
 * [key] or [key, value] in the list `features`: a feature that is taken as it is, whatever its key
 * would mean elsewhere, and even if its value means missing.
 */
static hcbr_status take_pair(walk *w) {
    hcbr_i_text key = {NULL, 0}, value = {NULL, 0};
    w->at = hcbr_i_skip_blanks(w->at + 1);
    hcbr_status st = read_pair_text(w, &key, "a feature's key as a string");
    if (st == HCBR_OK && *w->at == ',') {
        w->at = hcbr_i_skip_blanks(w->at + 1);
        st = read_pair_text(w, &value, "a feature's value as a string");
    }
    if (st != HCBR_OK)
        return st;
    if (*w->at != ']')
        return hcbr_i_json_expected(w->p, w->at, w->err,
                                    value.at != NULL ? "']' after key and value" : "',' or ']'");
    w->at++;
    return hcbr_i_block_add(w->p->block, key.at, key.length, value.at, value.length)
               ? HCBR_OK
               : hcbr_i_no_memory(w->err);
}

/** Enter the object or list at w->at; w->at becomes its first byte that is not a blank. */
static hcbr_status open_container(walk *w, hcbr_i_json_key_id id) {
    hcbr_i_json_memory *memory = w->memory;
    const hcbr_i_json_key *key = &memory->keys.all[id];
    hcbr_status st = check_container(w, key);
    if (st != HCBR_OK)
        return st;
    if (w->depth == w->p->options->max_depth)
        return hcbr_i_parser_fail(w->p, w->at, w->err,
                                  "found nesting deeper than %zu, expected no deeper "
                                  "(option max_depth raises this limit)",
                                  w->p->options->max_depth);
    if (w->depth > 0) {
        if (!hcbr_i_grow(&memory->stack, &memory->stack_capacity, w->depth, sizeof *memory->stack))
            return hcbr_i_no_memory(w->err);
        memory->stack[w->depth - 1] = w->top;
    }
    w->depth++;
    w->top.key = id;
    w->top.serial = ++memory->serial;
    w->top.kind = *w->at == '{' ? HCBR_I_JSON_OBJECT
                  : key->tokens ? HCBR_I_JSON_TOKENS
                                : HCBR_I_JSON_LIST;
    w->at = hcbr_i_skip_blanks(w->at + 1);
    return HCBR_OK;
}

/** Leave the containers that end here, continue after a comma. *more: there is a next key or
 *  item. */
static inline hcbr_status after_value(walk *w, bool *more) {
    while (w->depth > 0) {
        w->at = hcbr_i_skip_blanks(w->at);
        bool object = w->top.kind == HCBR_I_JSON_OBJECT;
        if (*w->at == ',') {
            w->at = hcbr_i_skip_blanks(w->at + 1);
            *more = true;
            return HCBR_OK;
        }
        if (HCBR_I_UNLIKELY(*w->at != (object ? '}' : ']')))
            return hcbr_i_json_expected(w->p, w->at, w->err, object ? "',' or '}'" : "',' or ']'");
        w->at++;
        if (--w->depth > 0)
            w->top = w->memory->stack[w->depth - 1];
    }
    *more = false;
    return HCBR_OK;
}

/** Everything from the first '{' to the '}' that belongs to it. */
static hcbr_status walk_object(walk *w) {
    hcbr_status st = open_container(w, HCBR_I_JSON_ROOT);
    bool more = *w->at != '}';
    while (st == HCBR_OK) {
        if (!more && (st = after_value(w, &more)) != HCBR_OK)
            break;
        if (!more)
            return HCBR_OK;
        hcbr_i_json_key_id id = w->top.key;
        if (w->top.kind == HCBR_I_JSON_OBJECT && (st = read_key(w, &id)) != HCBR_OK)
            break;
        begin_member(w, id);
        if (*w->at == '[' && w->top.kind == HCBR_I_JSON_TOKENS) {
            st = take_pair(w);
            more = false;
            continue;
        }
        if (*w->at == '{' || *w->at == '[') {
            st = open_container(w, id);
            more = *w->at != (w->top.kind == HCBR_I_JSON_OBJECT ? '}' : ']');
            continue;
        }
        scalar value;
        if ((st = read_scalar(w, &value)) == HCBR_OK)
            st = use_value(w, &w->memory->keys.all[id], &value);
        more = false;
    }
    return st;
}

hcbr_status hcbr_i_json_walk(hcbr_i_parser *p, const char *line, const char *newline,
                             bool *labelled, hcbr_error *err) {
    walk w = {.p = p, .memory = p->jsonl, .err = err, .before = HCBR_I_JSON_ROOT};
    if (__builtin_mul_overflow((size_t)(newline - line), TIMES_NAMES, &w.most_name_bytes) ||
        __builtin_add_overflow(w.most_name_bytes, p->options->max_names, &w.most_name_bytes))
        w.most_name_bytes = SIZE_MAX;
    hcbr_i_grams_begin(p);
    w.at = hcbr_i_skip_blanks(line);
    if (*w.at != '{')
        return hcbr_i_json_expected(p, w.at, err, "an object '{' on every line");
    hcbr_status st = walk_object(&w);
    if (st != HCBR_OK)
        return st;
    w.at = hcbr_i_skip_blanks(w.at);
    if (w.at != newline)
        return hcbr_i_json_expected(p, w.at, err, "the end of the line after its object");
    *labelled = w.has_label;
    return HCBR_OK;
}
