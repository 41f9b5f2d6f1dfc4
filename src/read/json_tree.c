/*
 * A document of JSON as a tree, by the tokens of json_text.c. Nodes and their text are in the arena
 * of the tree.
 *
 * Invariant: invalid JSON is refused with its place.
 */
#include "read/json.h"
#include "read/lane.h"

#include <math.h>

enum { DEEPEST = 64 };

typedef struct walk {
    hcbr_i_parser p;
    hcbr_i_block block; /* for its arena */
    const char *at, *end;
    int depth;
    hcbr_error *err;
} walk;

static const hcbr_i_node NOTHING = {.kind = HCBR_I_NODE_NULL, .number = NAN};

static hcbr_status fail(walk *w, const char *expected) {
    return hcbr_i_json_expected(&w->p, w->at, w->err, expected);
}

static void skip_space(walk *w) {
    while (w->at < w->end && strchr(" \t\r\n", *w->at) && *w->at)
        w->at++;
}

/* Skip an expected byte; false: it is another one. */
static bool take(walk *w, char byte) {
    skip_space(w);
    if (w->at == w->end || *w->at != byte)
        return false;
    w->at++;
    return true;
}

static hcbr_status take_string(walk *w, hcbr_i_text *text) {
    return hcbr_i_json_string(&w->p, &w->at, text, w->err);
}

static hcbr_status take_value(walk *w, hcbr_i_node **out);

static hcbr_status take_members(walk *w, hcbr_i_node *node) {
    const bool object = node->kind == HCBR_I_NODE_OBJECT;
    const hcbr_i_node **link = &node->first;
    const char close = object ? '}' : ']';
    hcbr_status st = HCBR_OK;
    if (++w->depth > DEEPEST)
        return fail(w, "values that are less deep");
    w->at++;
    if (take(w, close)) {
        w->depth--;
        return HCBR_OK;
    }
    do {
        hcbr_i_text key = {NULL, 0};
        hcbr_i_node *value;
        skip_space(w);
        if (object && *w->at != '"')
            return fail(w, "a key in quotes");
        if (object && (st = take_string(w, &key)) != HCBR_OK)
            return st;
        if (object && !take(w, ':'))
            return fail(w, "a colon");
        if ((st = take_value(w, &value)) != HCBR_OK)
            return st;
        value->key = key;
        *link = value;
        link = &value->next;
        node->count++;
    } while (take(w, ','));
    w->depth--;
    return take(w, close) ? HCBR_OK : fail(w, object ? "a comma or }" : "a comma or ]");
}

static hcbr_status take_number(walk *w, hcbr_i_node *node) {
    const char *begin = w->at;
    hcbr_status st = hcbr_i_json_number(&w->p, &w->at, w->err);
    node->kind = HCBR_I_NODE_NUMBER;
    if (st == HCBR_OK && !hcbr_number_parse(&node->number, begin, (size_t)(w->at - begin))) {
        w->at = begin;
        st = fail(w, "a number");
    }
    return st;
}

static hcbr_status take_value(walk *w, hcbr_i_node **out) {
    hcbr_i_node *node = *out = hcbr_i_arena_array(&w->block.arena, 1, sizeof *node);
    if (!node)
        return hcbr_i_no_memory(w->err);
    *node = NOTHING;
    skip_space(w);
    switch (*w->at) {
    case '{':
    case '[':
        node->kind = *w->at == '{' ? HCBR_I_NODE_OBJECT : HCBR_I_NODE_LIST;
        return take_members(w, node);
    case '"':
        node->kind = HCBR_I_NODE_TEXT;
        return take_string(w, &node->text);
    case 't':
    case 'f':
        node->kind = HCBR_I_NODE_BOOL;
        node->number = *w->at == 't';
        return hcbr_i_json_word(&w->p, &w->at, *w->at == 't' ? "true" : "false", w->err);
    case 'n':
        return hcbr_i_json_word(&w->p, &w->at, "null", w->err);
    default:
        if (*w->at == '-' || hcbr_i_is_digit(*w->at))
            return take_number(w, node);
        return fail(w, "a value");
    }
}

hcbr_status hcbr_i_tree_parse(hcbr_i_tree *tree, const char *text, size_t length, const char *name,
                              uint64_t line, hcbr_error *err) {
    hcbr_i_json_scan scan = {.on = true};
    const char *end = hcbr_i_json_end(&scan, text, text + length);
    walk w = {.err = err};
    hcbr_i_node *root = NULL;
    *tree = (hcbr_i_tree){.length = end ? (size_t)(end - text) : length};
    char *copy = hcbr_i_arena_take(&w.block.arena, tree->length + 1 + HCBR_I_PAD);
    if (!copy)
        return hcbr_i_no_memory(err);
    memcpy(copy, text, tree->length);
    memset(copy + tree->length, 0, 1 + HCBR_I_PAD);
    copy[tree->length] = '\n'; // the end of every token
    w.p.block = &w.block;
    w.p.file = name;
    w.p.line = line;
    w.p.record = w.at = copy;
    w.end = copy + tree->length;
    hcbr_status st = take_value(&w, &root);
    tree->text = copy;
    tree->root = root;
    tree->arena = w.block.arena;
    if (st != HCBR_OK)
        hcbr_i_tree_clear(tree);
    return st;
}

void hcbr_i_tree_clear(hcbr_i_tree *tree) {
    hcbr_i_arena_clear(&tree->arena);
    *tree = (hcbr_i_tree){.root = NULL};
}

/* ---- looking up ------------------------------------------------------------------------------ */

const hcbr_i_node *hcbr_i_node_get(const hcbr_i_node *node, const char *path) {
    while (*path) {
        size_t length = strcspn(path, ".");
        const hcbr_i_node *child = node->kind == HCBR_I_NODE_OBJECT ? node->first : NULL;
        while (child && (child->key.length != length || memcmp(child->key.at, path, length) != 0))
            child = child->next;
        if (!child)
            return &NOTHING;
        node = child;
        path += length + (path[length] == '.');
    }
    return node;
}

double hcbr_i_node_number(const hcbr_i_node *node, const char *path) {
    return hcbr_i_node_get(node, path)->number;
}

const hcbr_i_node *hcbr_i_node_at(const hcbr_i_node *node, size_t n) {
    const hcbr_i_node *child = node->first;
    while (child && n-- > 0)
        child = child->next;
    return child ? child : &NOTHING;
}

bool hcbr_i_node_is(const hcbr_i_node *node, const char *text) {
    return node->text.at && node->text.length == strlen(text) &&
           memcmp(node->text.at, text, node->text.length) == 0;
}

double hcbr_i_node_most(const hcbr_i_node *list, const char *path, double least) {
    for (const hcbr_i_node *n = list->first; n; n = n->next) {
        double value = hcbr_i_node_number(n, path);
        least = value > least ? value : least;
    }
    return least;
}
