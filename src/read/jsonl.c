/*
 * JSON Lines: one object per line becomes one case.
 *
 * A pull parser without a tree: one walk over the bytes with its own stack of open objects and
 * lists, at most options.max_depth of them. A value gives the feature (dotted path of its key, text
 * of the value); a list gives one feature per item; null and missing values give none; the items of
 * a list `features` at the top are bare keys or pairs. The label and the id are taken out, wherever
 * they are.
 *
 * Invariant: what is skipped (ignored, missing) is checked as strictly as what is kept. Whether a
 * line is accepted depends only on the line and the options, never on lines before it, except for
 * the name of the label, which the first good line decides for all.
 */
#include "read/json.h"

#include <assert.h>

/**
 * Bytes of dotted names a line may have, apart from a number of times its own: by default reading a
 * line takes less than 16 times its bytes.
 */
#define SPARE_NAMES 65536u
#define TIMES_NAMES(max_depth) (4 + (max_depth) / 4)

typedef enum container { OBJECT, LIST, TOKEN_LIST } container;

/** An open object or list. */
typedef struct frame {
    uint64_t serial;        /**< of an object, never used twice: marks its keys */
    hcbr_i_json_key_id key; /**< of the object or list */
    container kind;
} frame;

/** Working memory over all lines (p->jsonl). */
typedef struct json_memory {
    hcbr_i_json_keys keys;
    frame *stack; /**< frames around the innermost */
    size_t stack_capacity;
    uint64_t serial;
    const char *label; /**< the roles of keys are those for this label; NULL: not known yet */
} json_memory;

/** The walk over one line. */
typedef struct walk {
    hcbr_i_parser *p;
    json_memory *memory;
    hcbr_error *err;
    const char *at;
    frame top;                 /**< the innermost open object or list */
    size_t depth;              /**< open ones, it included */
    hcbr_i_json_key_id before; /**< the key read last */
    size_t name_bytes, most_name_bytes;
    bool has_label, has_id; /**< was its key met? */
} walk;

/* ---- roles of keys --------------------------------------------------------------------------- */

static bool is_name(const hcbr_i_json_key *key, const char *name) {
    return name != NULL && strlen(name) == key->path_length &&
           memcmp(name, key->path, key->path_length) == 0;
}

/** Is the key, or an object around it, to be left out? Paths are compared up to a dot. */
static bool is_ignored(const hcbr_i_parser *p, const hcbr_i_json_key *key) {
    for (size_t i = 0; i < p->ignore_count; i++) {
        size_t length = p->ignore[i].length;
        if (length <= key->path_length && memcmp(p->ignore[i].at, key->path, length) == 0 &&
            (length == key->path_length || key->path[length] == '.'))
            return true;
    }
    return false;
}

static void set_role(const hcbr_i_parser *p, const json_memory *memory, hcbr_i_json_key *key) {
    if (is_name(key, memory->label))
        key->role = HCBR_I_ROLE_LABEL;
    else if (is_name(key, p->options->id))
        key->role = HCBR_I_ROLE_ID;
    else if (is_name(key, p->options->group))
        key->role = HCBR_I_ROLE_GROUP;
    else if (is_name(key, p->options->weight))
        key->role = HCBR_I_ROLE_WEIGHT;
    else if (is_ignored(p, key))
        key->role = hcbr_i_parser_is_join_key(p, key->path, key->path_length) ? HCBR_I_ROLE_KEY
                                                                              : HCBR_I_ROLE_IGNORED;
    else
        key->role = HCBR_I_ROLE_FEATURE;
    key->special = NULL;
    if (key->role == HCBR_I_ROLE_FEATURE && p->special_count > 0)
        key->special = hcbr_i_parser_special(p, key->path, key->path_length);
    key->tokens = key->role == HCBR_I_ROLE_FEATURE && key->parent == HCBR_I_JSON_ROOT &&
                  key->special == NULL && is_name(key, "features");
}

/** Use `label` (NULL: not known) as the path of the label from now on. */
static void set_label(const hcbr_i_parser *p, json_memory *memory, const char *label) {
    memory->label = label;
    for (size_t i = 1; i < memory->keys.count; i++)
        set_role(p, memory, &memory->keys.all[i]);
}

/* ---- keys ------------------------------------------------------------------------------------ */

/** Is the unescaped key at `at`, the byte after an opening quote? */
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
        set_role(w->p, w->memory, &keys->all[*id]);
    if (w->p->joins != NULL && (st = check_clash(w, quote, &keys->all[*id])) != HCBR_OK)
        return st;
    if (text.at == quote + 1)
        keys->all[*id].plain = true;
    keys->all[w->before].next = *id;
    return HCBR_OK;
}

static hcbr_status fail_names(const walk *w, const char *at) {
    return hcbr_i_parser_fail(
        w->p, at, w->err,
        "found nested keys whose dotted names add up to more than %zu bytes, "
        "expected shorter outer keys (a higher option max_depth raises this limit)",
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
    char first; /**< its first byte tells its kind */
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
    if (HCBR_I_UNLIKELY(w->top.kind == TOKEN_LIST))
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

/** May the key have an object or list? */
static hcbr_status check_container(const walk *w, const hcbr_i_json_key *key) {
    const char *what = *w->at == '{' ? "an object" : "a list";
    if (w->top.kind == TOKEN_LIST && w->depth > 0)
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
    json_memory *memory = w->memory;
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
    w->top.kind = *w->at == '{' ? OBJECT : key->tokens ? TOKEN_LIST : LIST;
    w->at = hcbr_i_skip_blanks(w->at + 1);
    return HCBR_OK;
}

/** Leave what ends here, continue after a comma. *more: there is a next key or item. */
static inline hcbr_status after_value(walk *w, bool *more) {
    while (w->depth > 0) {
        w->at = hcbr_i_skip_blanks(w->at);
        bool object = w->top.kind == OBJECT;
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
        if (w->top.kind == OBJECT && (st = read_key(w, &id)) != HCBR_OK)
            break;
        if (*w->at == '[' && w->top.kind == TOKEN_LIST) {
            st = take_pair(w);
            more = false;
            continue;
        }
        if (*w->at == '{' || *w->at == '[') {
            st = open_container(w, id);
            more = *w->at != (w->top.kind == OBJECT ? '}' : ']');
            continue;
        }
        scalar value;
        if ((st = read_scalar(w, &value)) == HCBR_OK)
            st = take_value(w, &w->memory->keys.all[id], &value);
        more = false;
    }
    return st;
}

/* ---- lines ----------------------------------------------------------------------------------- */

/** Walk over a line once, with the label that is known now. */
static hcbr_status walk_line(hcbr_i_parser *p, const char *line, const char *newline,
                             bool *labelled, hcbr_error *err) {
    walk w = {.p = p, .memory = p->jsonl, .err = err, .before = HCBR_I_JSON_ROOT};
    if (__builtin_mul_overflow((size_t)(newline - line), TIMES_NAMES(p->options->max_depth),
                               &w.most_name_bytes) ||
        __builtin_add_overflow(w.most_name_bytes, SPARE_NAMES, &w.most_name_bytes))
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

/** The first of the usual names that the line just walked (its object had this serial) holds. */
static const char *usual_label(const json_memory *memory, uint64_t serial) {
    for (size_t i = 0; i < HCBR_I_LABEL_NAMES; i++) {
        hcbr_i_text name = {hcbr_i_label_names[i], strlen(hcbr_i_label_names[i])};
        hcbr_i_json_key_id id = hcbr_i_json_keys_find(&memory->keys, HCBR_I_JSON_ROOT, name);
        const hcbr_i_json_key *key = &memory->keys.all[id == HCBR_I_JSON_NONE ? 0 : id];
        if (id != HCBR_I_JSON_NONE && key->seen == serial && key->role == HCBR_I_ROLE_FEATURE &&
            key->special == NULL)
            return hcbr_i_label_names[i];
    }
    return NULL;
}

/**
 * A line while the name of the label is not known: walk over it once to see its keys, then again to
 * read it. The name holds for this line; it is kept (p->label_name) only if the line can be used.
 */
static hcbr_status find_label(hcbr_i_parser *p, const char *line, const char *newline,
                              bool *labelled, hcbr_error *err) {
    json_memory *memory = p->jsonl;
    hcbr_i_block *block = p->block;
    size_t names = block->name_count, longs = block->long_count;
    uint64_t serial = memory->serial + 1;
    hcbr_status st = walk_line(p, line, newline, labelled, err);
    if (st != HCBR_OK)
        return st;
    const char *name = usual_label(memory, serial);
    if (name == NULL)
        return HCBR_OK;
    block->name_count = names;
    block->long_count = longs;
    p->id = p->group = (hcbr_i_text){NULL, 0};
    p->weight = -1;
    set_label(p, memory, name);
    return walk_line(p, line, newline, labelled, err);
}

static hcbr_status fail_no_label(const hcbr_i_parser *p, const char *label, const char *line,
                                 hcbr_error *err) {
    char quoted[200];
    if (label == NULL)
        return hcbr_i_parser_fail(p, line, err,
                                  "found none of the keys label, y, class, target, outcome, "
                                  "expected one of them (name another with option label)");
    return hcbr_i_parser_fail(p, line, err,
                              "found no key %s, expected the label there (option label names it)",
                              hcbr_i_quote(quoted, label, strlen(label)));
}

static hcbr_status fail_no_weight(const hcbr_i_parser *p, const char *line, hcbr_error *err) {
    char quoted[200];
    return hcbr_i_parser_fail(p, line, err,
                              "found no key %s, expected the weight there (option weight)",
                              hcbr_i_quote(quoted, p->options->weight, strlen(p->options->weight)));
}

static json_memory *create_memory(const hcbr_i_parser *p) {
    json_memory *memory = hcbr_i_alloc_zero(1, sizeof *memory);
    if (memory != NULL && !hcbr_i_json_keys_init(&memory->keys, p->options->hash_key)) {
        hcbr_i_free(memory);
        return NULL;
    }
    return memory;
}

void hcbr_i_jsonl_free(hcbr_i_parser *p) {
    json_memory *memory = p->jsonl;
    if (memory != NULL) {
        hcbr_i_json_keys_clear(&memory->keys);
        hcbr_i_free(memory->stack);
        hcbr_i_free(memory);
    }
    p->jsonl = NULL;
}

hcbr_status hcbr_i_parse_jsonl(hcbr_i_parser *p, const char *line, const char *newline,
                               hcbr_error *err) {
    if (p->jsonl == NULL && (p->jsonl = create_memory(p)) == NULL)
        return hcbr_i_no_memory(err);
    json_memory *memory = p->jsonl;
    assert((uint64_t)(newline - line) <= UINT32_MAX); // lengths of names are 32 bits; see max_line
    if (p->block->case_count == 0 && p->block->name_count == 0)
        hcbr_i_json_keys_trim(&memory->keys);
    const char *label = p->options->label != NULL ? p->options->label : p->label_name;
    if (memory->label != label)
        set_label(p, memory, label);
    bool labelled = false;
    hcbr_status st = label != NULL || p->is_joined ? walk_line(p, line, newline, &labelled, err)
                                                   : find_label(p, line, newline, &labelled, err);
    if (st != HCBR_OK)
        return st;
    if (!labelled && p->labelled) {
        // Where no line had a label yet, its name is wrong.
        p->fault = p->label_name != NULL ? HCBR_I_FAULT_LABEL : HCBR_I_FAULT_NONE;
        return fail_no_label(p, label, line, err);
    }
    if (p->weighs && p->weight < 0)
        return fail_no_weight(p, line, err);
    if (labelled && p->label_name == NULL) {
        if (!hcbr_i_parser_name_label(p, memory->label, strlen(memory->label)))
            return hcbr_i_no_memory(err);
        memory->label = label == NULL ? p->label_name : label;
    }
    return hcbr_i_grams_end(p, err);
}
