/*
 * JSON Lines: one object per line becomes one case (json_walk.c). Here: the roles of the keys of an
 * object, and the choice of the label.
 *
 * Invariant: whether a line is accepted depends only on the line and the options, never on lines
 * before it, except for the name of the label, which the first good line decides for all.
 */
#include "read/json.h"
#include "read/reader.h"

#include <hcbr/text.h>

#include <assert.h>
#include <stdio.h>

/* ---- roles of keys --------------------------------------------------------------------------- */

static bool is_name(const hcbr_i_json_key *key, const char *name) {
    return name != NULL && strlen(name) == key->path_length &&
           memcmp(name, key->path, key->path_length) == 0;
}

/** Whether the key, or an enclosing object, is left out. Paths are compared up to a dot. */
static bool is_ignored(const hcbr_i_parser *p, const hcbr_i_json_key *key) {
    bool is = false;
    for (size_t i = 0; i < p->ignore_count; i++) {
        size_t length = p->ignore[i].length;
        if (length <= key->path_length && memcmp(p->ignore[i].at, key->path, length) == 0 &&
            (length == key->path_length || key->path[length] == '.')) {
            atomic_store_explicit(&p->met[i], true, memory_order_relaxed);
            is = true; // and perhaps by another name, too
        }
    }
    return is;
}

void hcbr_i_json_set_role(const hcbr_i_parser *p, const hcbr_i_json_memory *memory,
                          hcbr_i_json_key *key) {
    if (is_name(key, p->options->id))
        atomic_store_explicit(&p->met[p->ignore_count + HCBR_I_MET_ID], true, memory_order_relaxed);
    if (is_name(key, p->options->group))
        atomic_store_explicit(&p->met[p->ignore_count + HCBR_I_MET_GROUP], true,
                              memory_order_relaxed);
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

/** Whether the key could be the label. It is in the line just walked, whose object had this serial,
 *  or inside of it. */
static bool is_candidate(const hcbr_i_json_key *key, uint64_t serial, bool top) {
    return key->seen >= serial && (!top || key->parent == HCBR_I_JSON_ROOT) &&
           key->role == HCBR_I_ROLE_FEATURE && key->special == NULL;
}

/** The only key that differs from the name in case alone; NULL: none. Several are an error. */
static hcbr_status find_folded(const hcbr_i_parser *p, uint64_t serial, const char *name, bool top,
                               const hcbr_i_json_key **out, hcbr_error *err) {
    const hcbr_i_json_keys *keys = &((const hcbr_i_json_memory *)p->jsonl)->keys;
    char wanted[200], first[200], second[200];
    *out = NULL;
    for (size_t i = 1; i < keys->count; i++) {
        const hcbr_i_json_key *key = &keys->all[i];
        if (!is_candidate(key, serial, top) ||
            !hcbr_text_same_folded(name, strlen(name), key->path, key->path_length))
            continue;
        if (*out != NULL)
            return hcbr_i_parser_fail(
                p, p->record, err,
                "found keys %s and %s, expected one of them for the label %s (option label)",
                hcbr_i_quote(first, (*out)->path, (*out)->path_length),
                hcbr_i_quote(second, key->path, key->path_length),
                hcbr_i_quote(wanted, name, strlen(name)));
        *out = key;
    }
    return HCBR_OK;
}

/** The key of the label in the line just walked: one of the usual names, or the requested one in
 *  other case. NULL: none. */
static hcbr_status choose_label(const hcbr_i_parser *p, uint64_t serial,
                                const hcbr_i_json_key **out, hcbr_error *err) {
    const hcbr_i_json_keys *keys = &((const hcbr_i_json_memory *)p->jsonl)->keys;
    const char *asked = p->options->label;
    bool folded = p->labelled && !p->options->strict;
    hcbr_status st = HCBR_OK;
    *out = NULL;
    for (size_t i = 0; asked == NULL && i < HCBR_I_LABEL_NAMES && *out == NULL; i++) {
        hcbr_i_text name = {hcbr_i_label_names[i], strlen(hcbr_i_label_names[i])};
        hcbr_i_json_key_id id = hcbr_i_json_keys_find(keys, HCBR_I_JSON_ROOT, name);
        if (id != HCBR_I_JSON_NONE && is_candidate(&keys->all[id], serial, true))
            *out = &keys->all[id];
    }
    for (size_t i = 0; asked == NULL && folded && i < HCBR_I_LABEL_NAMES && *out == NULL; i++)
        if ((st = find_folded(p, serial, hcbr_i_label_names[i], true, out, err)) != HCBR_OK)
            return st;
    if (asked != NULL && folded)
        st = find_folded(p, serial, asked, false, out, err);
    return st;
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
    const hcbr_i_json_key *key = NULL;
    if (*labelled || (st = choose_label(p, serial, &key, err)) != HCBR_OK || key == NULL)
        return st;
    const char *name = hcbr_i_arena_copy(&memory->keys.text, key->path, key->path_length);
    if (name == NULL)
        return hcbr_i_no_memory(err);
    block->name_count = names;
    block->long_count = longs;
    p->id = p->group = (hcbr_i_text){NULL, 0};
    p->weight = -1;
    set_label(p, memory, name);
    return hcbr_i_json_walk(p, line, newline, labelled, err);
}

/** "; did you mean 'key'?" for the nearest key at the top, or an empty text. */
static const char *suggest(char hint[240], const hcbr_i_parser *p, const char *name) {
    const hcbr_i_json_keys *keys = &((const hcbr_i_json_memory *)p->jsonl)->keys;
    unsigned least = HCBR_TEXT_FAR;
    char quoted[200];
    hint[0] = '\0';
    for (size_t i = 1; i < keys->count; i++) {
        const hcbr_i_json_key *key = &keys->all[i];
        if (hcbr_text_near(name, strlen(name), key->path, key->path_length, &least))
            snprintf(hint, 240, "; did you mean %s?",
                     hcbr_i_quote(quoted, key->path, key->path_length));
    }
    return hint;
}

static hcbr_status fail_no_label(const hcbr_i_parser *p, const char *label, const char *line,
                                 hcbr_error *err) {
    char quoted[200], hint[240] = "";
    if (label == NULL)
        return hcbr_i_parser_fail(p, line, err,
                                  "found none of the keys label, y, class, target, outcome, "
                                  "expected one of them (name another with option label)");
    return hcbr_i_parser_fail(p, line, err,
                              "found no key %s, expected the label there (option label names it)%s",
                              hcbr_i_quote(quoted, label, strlen(label)),
                              p->label_name == NULL ? suggest(hint, p, label) : "");
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

void hcbr_i_jsonl_suggest(const hcbr_i_parser *p, hcbr_i_suggestion *s) {
    const hcbr_i_json_memory *memory = p->jsonl;
    for (size_t i = 1; memory != NULL && i < memory->keys.count; i++)
        hcbr_i_suggest(s, (hcbr_i_text){memory->keys.all[i].path, memory->keys.all[i].path_length});
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
    const char *label = p->label_name != NULL ? p->label_name : p->options->label;
    if (memory->label != label)
        set_label(p, memory, label);
    bool labelled = false;
    bool search =
        p->label_name == NULL && !p->is_joined && !p->unlabelled && (label == NULL || p->labelled);
    hcbr_status st = search ? find_label(p, line, newline, &labelled, err)
                            : hcbr_i_json_walk(p, line, newline, &labelled, err);
    if (st != HCBR_OK)
        return st;
    if (!labelled && p->labelled && label == NULL && p->options->label_need == HCBR_LABEL_OPTIONAL)
        hcbr_i_parser_unlabel(p);
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
        memory->label = p->label_name;
    }
    return hcbr_i_grams_end(p, err);
}

/* ---- the format ------------------------------------------------------------------------------ */

/** Whether this is a list of JSON, whose first object begins here or in another line. */
static bool is_list(const char *at, size_t length, char first) {
    while (length > 0 && (*at == ' ' || *at == '\t' || *at == '\r')) {
        at++;
        length--;
    }
    return first == '[' && (length == 0 || *at == '{' || *at == ']');
}

static bool looks_like_json(const char *line, size_t length, int delimiter) {
    (void)delimiter;
    return *line == '{' || is_list(line + 1, length - 1, *line);
}

/** Keys of JSON are quoted. */
static bool may_be_header(const char *line, size_t length, char delimiter) {
    (void)delimiter;
    return *line == '{' && memchr(line, '"', length) == NULL;
}

/** The first good line shows the key of the label. */
static bool is_known(const hcbr_i_lane *lane) {
    return lane->p.label_name != NULL;
}

static void parse(hcbr_i_lane *lane) {
    if (lane->json.on)
        hcbr_i_lane_objects(lane);
    else
        hcbr_i_lane_lines(lane);
}

static hcbr_status fields(hcbr_i_lane *lane, const char *record, hcbr_i_row *to, hcbr_error *err) {
    return hcbr_i_json_fields(&lane->p, record, to, err);
}

const hcbr_i_format hcbr_i_format_jsonl = {.id = HCBR_FORMAT_JSONL,
                                           .name = "jsonl",
                                           .endings = {"jsonl", "json", "ndjson"},
                                           .has_paths = true,
                                           .bare = "features",
                                           .looks = looks_like_json,
                                           .may_be_header = may_be_header,
                                           .begin = hcbr_i_reader_find_objects,
                                           .parse = parse,
                                           .record = hcbr_i_parse_jsonl,
                                           .is_known = is_known,
                                           .fields = fields};
