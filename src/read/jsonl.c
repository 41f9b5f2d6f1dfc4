/*
 * JSON Lines: one object per line becomes one case (json_walk.c). Here: what the keys of an object
 * are for, and which of them is the label.
 *
 * Invariant: whether a line is accepted depends only on the line and the options, never on lines
 * before it, except for the name of the label, which the first good line decides for all.
 */
#include "read/json.h"

#include <assert.h>

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

void hcbr_i_json_set_role(const hcbr_i_parser *p, const hcbr_i_json_memory *memory,
                          hcbr_i_json_key *key) {
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
static void set_label(const hcbr_i_parser *p, hcbr_i_json_memory *memory, const char *label) {
    memory->label = label;
    for (size_t i = 1; i < memory->keys.count; i++)
        hcbr_i_json_set_role(p, memory, &memory->keys.all[i]);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/** The first of the usual names that the line just walked (its object had this serial) holds. */
static const char *usual_label(const hcbr_i_json_memory *memory, uint64_t serial) {
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
    hcbr_i_json_memory *memory = p->jsonl;
    hcbr_i_block *block = p->block;
    size_t names = block->name_count, longs = block->long_count;
    uint64_t serial = memory->serial + 1;
    hcbr_status st = hcbr_i_json_walk(p, line, newline, labelled, err);
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
    return hcbr_i_json_walk(p, line, newline, labelled, err);
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

static hcbr_i_json_memory *create_memory(const hcbr_i_parser *p) {
    hcbr_i_json_memory *memory = hcbr_i_alloc_zero(1, sizeof *memory);
    if (memory != NULL && !hcbr_i_json_keys_init(&memory->keys, p->options->hash_key)) {
        hcbr_i_free(memory);
        return NULL;
    }
    return memory;
}

void hcbr_i_jsonl_free(hcbr_i_parser *p) {
    hcbr_i_json_memory *memory = p->jsonl;
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
    hcbr_i_json_memory *memory = p->jsonl;
    assert((uint64_t)(newline - line) <= UINT32_MAX); // lengths of names are 32 bits; see max_line
    if (p->block->case_count == 0 && p->block->name_count == 0)
        hcbr_i_json_keys_trim(&memory->keys);
    const char *label = p->options->label != NULL ? p->options->label : p->label_name;
    if (memory->label != label)
        set_label(p, memory, label);
    bool labelled = false;
    hcbr_status st = label != NULL || p->is_joined
                         ? hcbr_i_json_walk(p, line, newline, &labelled, err)
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
        assert(memory->label != NULL); // by which it was found
        if (!hcbr_i_parser_name_label(p, memory->label, strlen(memory->label)))
            return hcbr_i_no_memory(err);
        memory->label = label == NULL ? p->label_name : label;
    }
    return hcbr_i_grams_end(p, err);
}
