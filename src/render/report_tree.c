/*
 * Results as a tree: JSON parsed into nodes that point into a copy of its text, where strings are
 * decoded in their place, which never needs more room.
 *
 * Invariant: every text of a node lies in the copy; what is no JSON is refused with its place.
 */
#include "render/report.h"

#include <math.h>

enum { BLOCK = 512, DEEPEST = 64 };

typedef struct parser {
    hcbr_i_tree *tree;
    char *at, *end, *begin; /* begin: of the line */
    const char *name;
    uint64_t line;
    hcbr_error *err;
    hcbr_status status;
    int depth;
} parser;

static const hcbr_i_node NOTHING = {.kind = HCBR_I_NODE_NULL, .number = NAN};

void hcbr_i_tree_clear(hcbr_i_tree *tree) {
    for (size_t n = 0; n < tree->block_count; n++)
        hcbr_i_free(tree->blocks[n]);
    hcbr_i_free(tree->blocks);
    hcbr_i_free(tree->text);
    *tree = (hcbr_i_tree){0};
}

/* ---- parsing --------------------------------------------------------------------------------- */

static hcbr_i_node *fail(parser *p, const char *expected) {
    char found[200];
    if (p->status != HCBR_OK)
        return NULL;
    size_t rest = (size_t)(p->end - p->at);
    if (rest)
        hcbr_i_quote(found, p->at, rest < 20 ? rest : 20);
    p->status =
        hcbr_i_fail_at(p->err, HCBR_EDATA, p->name, p->line, (uint64_t)(p->at - p->begin) + 1,
                       "found %s, expected %s", rest ? found : "the end", expected);
    return NULL;
}

static hcbr_i_node *make(parser *p, hcbr_i_node_kind kind) {
    hcbr_i_tree *t = p->tree;
    if (t->block_count == 0 || t->used == BLOCK) {
        hcbr_i_node *block = NULL;
        if (hcbr_i_grow(&t->blocks, &t->block_capacity, t->block_count + 1, sizeof *t->blocks))
            block = hcbr_i_alloc(BLOCK, sizeof *block);
        if (!block) {
            p->status = hcbr_i_no_memory(p->err);
            return NULL;
        }
        t->blocks[t->block_count++] = block;
        t->used = 0;
    }
    hcbr_i_node *node = (hcbr_i_node *)t->blocks[t->block_count - 1] + t->used++;
    *node = (hcbr_i_node){.kind = kind, .number = NAN};
    return node;
}

static void skip_space(parser *p) {
    for (; p->at < p->end; p->at++) {
        if (*p->at == '\n') {
            p->line++;
            p->begin = p->at + 1;
        } else if (*p->at != ' ' && *p->at != '\t' && *p->at != '\r')
            return;
    }
}

/* Four hexadecimal digits; -1: there are not. */
static int32_t parse_code(const parser *p, const char *at) {
    int32_t code = 0;
    if (p->end - at < 4)
        return -1;
    for (int n = 0; n < 4; n++) {
        char c = at[n];
        int digit = c >= '0' && c <= '9'   ? c - '0'
                    : c >= 'a' && c <= 'f' ? c - 'a' + 10
                    : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                           : -1;
        if (digit < 0)
            return -1;
        code = 16 * code + digit;
    }
    return code;
}

static char *put_utf8(char *to, uint32_t code) {
    if (code < 0x80)
        *to++ = (char)code;
    else if (code < 0x800) {
        *to++ = (char)(0xC0 | code >> 6);
        *to++ = (char)(0x80 | (code & 0x3F));
    } else {
        if (code < 0x10000)
            *to++ = (char)(0xE0 | code >> 12);
        else {
            *to++ = (char)(0xF0 | code >> 18);
            *to++ = (char)(0x80 | (code >> 12 & 0x3F));
        }
        *to++ = (char)(0x80 | (code >> 6 & 0x3F));
        *to++ = (char)(0x80 | (code & 0x3F));
    }
    return to;
}

/* A code of \u, with its second half if it has one. p->at is behind the u. */
static bool parse_unicode(parser *p, uint32_t *out) {
    int32_t code = parse_code(p, p->at), low;
    if (code < 0)
        return false;
    p->at += 4;
    *out = (uint32_t)code;
    if (code < 0xD800 || code > 0xDFFF)
        return true;
    if (code > 0xDBFF || p->end - p->at < 6 || p->at[0] != '\\' || p->at[1] != 'u' ||
        (low = parse_code(p, p->at + 2)) < 0xDC00 || low > 0xDFFF) {
        *out = 0xFFFD; // half a pair
        return true;
    }
    p->at += 6;
    *out = 0x10000 + (((uint32_t)code - 0xD800) << 10) + ((uint32_t)low - 0xDC00);
    return true;
}

static bool parse_escape(parser *p, char **to) {
    static const char FROM[] = "\"\\/bfnrt", INTO[] = "\"\\/\b\f\n\r\t";
    uint32_t code;
    char c = p->at < p->end ? *p->at : 0;
    const char *known = c ? strchr(FROM, c) : NULL;
    if (known) {
        *(*to)++ = INTO[known - FROM];
        p->at++;
        return true;
    }
    if (c != 'u')
        return false;
    p->at++;
    if (!parse_unicode(p, &code))
        return false;
    *to = put_utf8(*to, code);
    return true;
}

/* A string, decoded in its place. */
static bool parse_string(parser *p, hcbr_i_text *out) {
    char *to = ++p->at;
    out->at = to;
    while (p->at < p->end && *p->at != '"') {
        if ((unsigned char)*p->at < 0x20) {
            fail(p, "no control character in a string");
            return false;
        }
        if (*p->at != '\\') {
            *to++ = *p->at++;
            continue;
        }
        p->at++;
        if (!parse_escape(p, &to)) {
            fail(p, "an escape of JSON");
            return false;
        }
    }
    if (p->at == p->end) {
        fail(p, "the end of a string");
        return false;
    }
    p->at++;
    out->length = (size_t)(to - out->at);
    return true;
}

static hcbr_i_node *parse_value(parser *p);

static hcbr_i_node *parse_number(parser *p) {
    char *begin = p->at;
    double value;
    while (p->at < p->end && strchr("+-.eE0123456789", *p->at) && *p->at)
        p->at++;
    if (!hcbr_number_parse(&value, begin, (size_t)(p->at - begin))) {
        p->at = begin;
        return fail(p, "a value of JSON");
    }
    hcbr_i_node *node = make(p, HCBR_I_NODE_NUMBER);
    if (node)
        node->number = value;
    return node;
}

static hcbr_i_node *parse_word(parser *p) {
    static const struct {
        const char *text;
        hcbr_i_node_kind kind;
        double value;
    } WORDS[] = {{"true", HCBR_I_NODE_BOOL, 1},
                 {"false", HCBR_I_NODE_BOOL, 0},
                 {"null", HCBR_I_NODE_NULL, NAN}};
    for (size_t n = 0; n < sizeof WORDS / sizeof *WORDS; n++) {
        size_t length = strlen(WORDS[n].text);
        if ((size_t)(p->end - p->at) < length || memcmp(p->at, WORDS[n].text, length) != 0)
            continue;
        p->at += length;
        hcbr_i_node *node = make(p, WORDS[n].kind);
        if (node)
            node->number = WORDS[n].value;
        return node;
    }
    return fail(p, "a value of JSON");
}

/* What comes before a value of an object: its key and a colon. */
static bool parse_key(parser *p, hcbr_i_text *key) {
    skip_space(p);
    if (p->at == p->end || *p->at != '"') {
        fail(p, "a key in quotes");
        return false;
    }
    if (!parse_string(p, key))
        return false;
    skip_space(p);
    if (p->at == p->end || *p->at != ':') {
        fail(p, "a colon");
        return false;
    }
    p->at++;
    return true;
}

static hcbr_i_node *parse_many(parser *p, bool object) {
    hcbr_i_node *node = make(p, object ? HCBR_I_NODE_OBJECT : HCBR_I_NODE_LIST);
    const hcbr_i_node **link = node ? &node->first : NULL;
    const char close = object ? '}' : ']';
    if (!node || ++p->depth > DEEPEST)
        return node ? fail(p, "values that are less deep") : NULL;
    p->at++;
    skip_space(p);
    while (p->at < p->end && *p->at != close) {
        hcbr_i_text key = {NULL, 0};
        if (object && !parse_key(p, &key))
            return NULL;
        hcbr_i_node *value = parse_value(p);
        if (!value)
            return NULL;
        value->key = key;
        *link = value;
        link = &value->next;
        node->count++;
        skip_space(p);
        if (p->at < p->end && *p->at == ',') {
            p->at++;
            skip_space(p);
            if (p->at < p->end && *p->at == close)
                return fail(p, "a value behind the comma");
        } else if (p->at < p->end && *p->at != close)
            return fail(p, object ? "a comma or }" : "a comma or ]");
    }
    if (p->at == p->end)
        return fail(p, object ? "a comma or }" : "a comma or ]");
    p->at++;
    p->depth--;
    return node;
}

static hcbr_i_node *parse_value(parser *p) {
    skip_space(p);
    char c = p->at < p->end ? *p->at : 0;
    if (c == '{' || c == '[')
        return parse_many(p, c == '{');
    if (c == '-' || (c >= '0' && c <= '9'))
        return parse_number(p);
    if (c != '"')
        return parse_word(p);
    hcbr_i_text text;
    if (!parse_string(p, &text))
        return NULL;
    hcbr_i_node *node = make(p, HCBR_I_NODE_TEXT);
    if (node)
        node->text = text;
    return node;
}

hcbr_status hcbr_i_tree_parse(hcbr_i_tree *tree, const hcbr_i_node **out, char *text, size_t length,
                              const char *name, uint64_t line, hcbr_error *err) {
    parser p = {.tree = tree, .name = name, .line = line, .err = err};
    p.at = p.begin = text;
    p.end = text + length;
    *tree = (hcbr_i_tree){.text = text};
    *out = parse_value(&p);
    skip_space(&p);
    if (*out && p.at < p.end)
        fail(&p, "the end of the object");
    if (p.status != HCBR_OK) {
        hcbr_i_tree_clear(tree);
        *out = NULL;
    }
    return p.status;
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
