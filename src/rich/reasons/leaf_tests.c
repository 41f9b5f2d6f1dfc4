/*
 * The tests on the path to a leaf as a conjunction: for each variable the set of codes that pass,
 * so that the conjunction does not depend on the order of its tests.
 *
 * Invariant: a test that everything passes is dropped; "absent" is left out if every past case has
 * the column, so that `x>t` is not `x>t or missing`.
 */
#include "rich/reasons/rich_causes.h"

#include <math.h>
#include <stdlib.h>

#define MOST_LEVELS 255u /* of a sparse number; more are members by themselves */

/* ---- names ----------------------------------------------------------------------------------- */

static bool is_sparse(const hcbr_i_rich_key *key) {
    return key->kind == HCBR_I_RICH_SPARSE && key->cut_count < MOST_LEVELS;
}

static void name_members(hcbr_i_rich_names *n) {
    const hcbr_i_rich_encoder *e = n->encoder;
    for (uint32_t b = 0; b < e->bag_count; b++) {
        n->first[b] = b;
        n->feature[b] = n->key[b] = HCBR_I_NONE;
    }
    for (uint32_t k = 0; k < e->key_count; k++)
        for (uint32_t j = 0; e->keys[k].kind == HCBR_I_RICH_SPARSE && j <= e->keys[k].cut_count;
             j++) {
            n->key[e->keys[k].bag + j] = k;
            n->first[e->keys[k].bag + j] =
                is_sparse(&e->keys[k]) ? e->keys[k].bag : e->keys[k].bag + j;
        }
    for (uint32_t f = 0; f < e->feature_count; f++) {
        hcbr_i_key_id k = hcbr_i_dict_get(n->dict, f).key;
        const hcbr_i_rich_key *key = &e->keys[k];
        if (e->code[f] == HCBR_I_NONE)
            continue;
        if (key->kind == HCBR_I_RICH_BAG) {
            n->feature[e->code[f]] = f;
            n->key[e->code[f]] = k;
        } else if (key->kind == HCBR_I_RICH_CATEGORY) {
            n->values[n->column_start[key->column] + e->code[f]] = f;
        }
    }
}

double hcbr_i_rich_few_value(const hcbr_i_rich_encoder *e, const hcbr_i_rich_key *key,
                             uint32_t code) {
    return key->kind == HCBR_I_RICH_NUMBER && key->value_count <= HCBR_I_RICH_EXACT &&
                   code - 1 < key->value_count
               ? e->values[key->value_start + code - 1]
               : NAN;
}

/* The number of cases with a key. */
static void count_keys(const hcbr_i_rich *rich, uint64_t *have) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    for (uint32_t f = 0; f < e->feature_count; f++)
        have[hcbr_i_dict_get(e->dict, f).key] += hcbr_i_rich_count_all(&rich->counts, f);
    for (uint32_t k = 0; k < e->key_count; k++)
        for (uint32_t j = 0; hcbr_i_rich_is_number(&e->keys[k]) && j <= e->keys[k].cut_count; j++)
            have[k] += hcbr_i_rich_count_all(&rich->counts, e->keys[k].count_start + j);
}

hcbr_status hcbr_i_rich_names_init(hcbr_i_rich_names *n, const hcbr_i_rich *rich, uint64_t all,
                                   hcbr_error *err) {
    const hcbr_i_rich_encoder *e = &rich->encoder;
    *n = (hcbr_i_rich_names){.encoder = e, .dict = e->dict};
    n->column_start = hcbr_i_alloc((size_t)e->column_count + 1, sizeof *n->column_start);
    n->first = hcbr_i_alloc(e->bag_count, sizeof *n->first);
    n->feature = hcbr_i_alloc(e->bag_count, sizeof *n->feature);
    n->key = hcbr_i_alloc(e->bag_count, sizeof *n->key);
    n->full = hcbr_i_alloc(e->column_count, sizeof *n->full);
    uint64_t *have = hcbr_i_alloc_zero(e->key_count, sizeof *have);
    size_t values = 0;
    for (uint32_t c = 0; n->column_start && c < e->column_count; c++) {
        n->column_start[c] = (uint32_t)values;
        values += (size_t)e->columns[c].codes + 1;
    }
    n->values = hcbr_i_alloc(values, sizeof *n->values);
    bool ok = n->column_start && n->first && n->feature && n->key && n->full && have && n->values;
    if (ok) {
        for (size_t v = 0; v < values; v++)
            n->values[v] = HCBR_I_NONE;
        name_members(n);
        count_keys(rich, have);
        for (uint32_t c = 0; c < e->column_count; c++)
            n->full[c] = have[e->columns[c].key] >= all;
    }
    hcbr_i_free(have);
    if (ok)
        return HCBR_OK;
    hcbr_i_rich_names_clear(n);
    return hcbr_i_no_memory(err);
}

void hcbr_i_rich_names_clear(hcbr_i_rich_names *n) {
    hcbr_i_free(n->column_start);
    hcbr_i_free(n->values);
    hcbr_i_free(n->first);
    hcbr_i_free(n->feature);
    hcbr_i_free(n->key);
    hcbr_i_free(n->full);
    *n = (hcbr_i_rich_names){0};
}

/* ---- sets of codes --------------------------------------------------------------------------- */

static bool has_code(const hcbr_i_rich_test *t, uint32_t code) {
    return t->codes[code / 64] >> (code % 64) & 1;
}

/* Highest code of a variable; the lowest is 0. */
static uint32_t most_code(const hcbr_i_rich_names *n, uint32_t variable) {
    const hcbr_i_rich_encoder *e = n->encoder;
    if (variable < e->column_count)
        return e->columns[variable].codes;
    uint32_t b = variable - e->column_count;
    const hcbr_i_rich_key *key = n->key[b] == HCBR_I_NONE ? NULL : &e->keys[n->key[b]];
    return key && is_sparse(key) ? key->cut_count + 1 : 1;
}

/* The codes lo..hi of a word of a set. */
static uint64_t codes_of(uint32_t word, uint32_t lo, uint32_t hi) {
    const uint32_t first = 64 * word, last = first + 63;
    if (lo > last || hi < first || lo > hi)
        return 0;
    return UINT64_MAX << (lo > first ? lo - first : 0) & UINT64_MAX >> (hi < last ? last - hi : 0);
}

/* The possible codes of a variable, least..most, and the range lo..hi that a node tests. A column
 * that all past cases have is never absent, except in a case that lacks it. */
typedef struct asked {
    uint32_t variable, least, most, lo, hi;
} asked;

static inline asked asked_of_column(const hcbr_i_rich_names *n, const hcbr_i_rich_node *node,
                                    const uint8_t *codes) {
    const uint32_t c = node->test;
    const bool full = n->full[c] && (!codes || codes[c] != 0);
    return (asked){c, full, n->encoder->columns[c].codes, node->lo, node->hi};
}

static asked asked_of_member(const hcbr_i_rich_names *n, const hcbr_i_rich_node *node) {
    const uint32_t columns = n->encoder->column_count;
    const uint32_t member = node->test - columns, first = n->first[member];
    const uint32_t most = most_code(n, columns + first);
    return (asked){columns + first, 0, most, 1 + member - first, most};
}

/* Whether all possible codes pass. */
static inline bool asks_nothing(const asked *a, bool holds) {
    return holds ? a->lo <= a->least && a->hi >= a->most
                 : a->lo > a->hi || a->hi < a->least || a->lo > a->most;
}

static bool add_asked(const asked *a, bool holds, hcbr_i_rich_tests *to) {
    size_t at = to->count; // they are sorted, and few
    while (at > 0 && to->items[at - 1].variable > a->variable)
        at--;
    if (at == 0 || to->items[at - 1].variable != a->variable) {
        if (!hcbr_i_grow(&to->items, &to->capacity, to->count + 1, sizeof *to->items))
            return false;
        for (size_t i = to->count++; i > at; i--)
            to->items[i] = to->items[i - 1];
        to->items[at] = (hcbr_i_rich_test){.variable = a->variable};
        for (uint32_t i = 0; i <= a->most / 64; i++)
            to->items[at].codes[i] = codes_of(i, a->least, a->most);
        at++;
    }
    for (uint32_t i = 0; i <= a->most / 64; i++) { // there are no codes beyond
        const uint64_t set = codes_of(i, a->lo, a->hi);
        to->items[at - 1].codes[i] &= holds ? set : ~set;
    }
    return true;
}

bool hcbr_i_rich_tests_at(const hcbr_i_rich_names *n, const hcbr_i_rich_forest *f, uint32_t tree,
                          size_t end, const uint8_t *codes, hcbr_i_rich_tests *out) {
    const uint32_t columns = n->encoder->column_count;
    out->count = 0;
    for (size_t at = f->start[tree]; at != end;) {
        const hcbr_i_rich_node *node = &f->nodes[at];
        const bool holds = end < node->no; // then it is the next node, else `no`
        const asked a =
            node->test < columns ? asked_of_column(n, node, codes) : asked_of_member(n, node);
        if (!asks_nothing(&a, holds) && !add_asked(&a, holds, out))
            return false;
        at = holds ? at + 1 : node->no;
    }
    return true;
}

size_t hcbr_i_rich_variables_at(const hcbr_i_rich_names *n, const hcbr_i_rich_forest *f,
                                uint32_t tree, size_t end, const uint8_t *codes, uint32_t *marks,
                                uint32_t *out) {
    const uint32_t columns = n->encoder->column_count;
    size_t count = 0;
    for (size_t at = f->start[tree]; at != end;) {
        const hcbr_i_rich_node *node = &f->nodes[at];
        const bool holds = end < node->no;
        at = holds ? at + 1 : node->no;
        if (node->test < columns && marks[node->test])
            continue;
        const asked a =
            node->test < columns ? asked_of_column(n, node, codes) : asked_of_member(n, node);
        if (marks[a.variable] || asks_nothing(&a, holds))
            continue;
        marks[a.variable] = 1;
        out[count++] = a.variable;
    }
    for (size_t i = 0; i < count; i++)
        marks[out[i]] = 0;
    return count;
}

/* ---- text ------------------------------------------------------------------------------------ */

typedef struct text {
    char *at;
    size_t used, capacity;
    bool failed;
} text;

static void put(text *t, const char *bytes, size_t length) {
    if (t->failed || !hcbr_i_grow(&t->at, &t->capacity, t->used + length + 1, 1)) {
        t->failed = true;
        return;
    }
    if (length)
        memcpy(t->at + t->used, bytes, length);
    t->used += length;
    t->at[t->used] = 0;
}

static void put_string(text *t, const char *string) {
    put(t, string, strlen(string));
}

static void put_number(text *t, double value) {
    char number[HCBR_NUMBER_SIZE];
    put(t, number, hcbr_number_format(number, value));
}

static void put_key(text *t, const hcbr_i_rich_names *n, uint32_t key) {
    hcbr_i_text name = key == HCBR_I_NONE ? (hcbr_i_text){"?", 1} : hcbr_i_dict_key(n->dict, key);
    put(t, name.at, name.length);
}

static void put_value(text *t, const hcbr_i_rich_names *n, uint32_t feature) {
    if (feature == HCBR_I_NONE) {
        put_string(t, "?");
        return;
    }
    hcbr_i_dict_feature f = hcbr_i_dict_get(n->dict, feature);
    put(t, f.value, f.value ? f.value_length : 0);
}

/* Codes a..b of a number with cuts: `x<=t`, `x>t`, `t<x<=u`. */
static void put_interval(text *t, const hcbr_i_rich_names *n, const hcbr_i_rich_key *key,
                         uint32_t k, uint32_t a, uint32_t b) {
    const double *cuts = n->encoder->cuts + key->cut_start;
    uint32_t most = key->cut_count + 1;
    double only = a == b ? hcbr_i_rich_few_value(n->encoder, key, a) : NAN;
    if (!isnan(only)) { // one of few values
        put_key(t, n, k);
        put_string(t, "=");
        put_number(t, only);
        return;
    }
    if (a > 1 && b < most) {
        put_number(t, cuts[a - 2]);
        put_string(t, "<");
    }
    put_key(t, n, k);
    if (b < most) {
        put_string(t, "<=");
        put_number(t, cuts[b - 1]);
    } else if (a > 1) {
        put_string(t, ">");
        put_number(t, cuts[a - 2]);
    } else {
        put_string(t, " known");
    }
}

static void put_numbers(text *t, const hcbr_i_rich_names *n, const hcbr_i_rich_test *test,
                        uint32_t k) {
    const hcbr_i_rich_key *key = &n->encoder->keys[k];
    uint32_t most = key->cut_count + 1;
    for (uint32_t a = 1; a <= most; a++) {
        if (!has_code(test, a))
            continue;
        uint32_t b = a;
        while (b < most && has_code(test, b + 1))
            b++;
        if (t->used)
            put_string(t, " or ");
        put_interval(t, n, key, k, a, b);
        a = b;
    }
    if (!has_code(test, 0))
        return;
    if (t->used) {
        put_string(t, " or missing");
    } else {
        put_key(t, n, k);
        put_string(t, " missing");
    }
}

/* A category: the values that pass, or those that do not if they are fewer. */
static void put_category(text *t, const hcbr_i_rich_names *n, const hcbr_i_rich_test *test) {
    uint32_t codes = n->encoder->columns[test->variable].codes, pass = 0;
    const uint32_t *values = n->values + n->column_start[test->variable];
    bool absent = has_code(test, 0), any = false;
    for (uint32_t v = 1; v <= codes; v++)
        pass += has_code(test, v);
    bool others = pass > codes / 2 && pass > 1;
    put_key(t, n, n->encoder->columns[test->variable].key);
    if (pass == 0) {
        put_string(t, " missing");
        return;
    }
    if (others && pass == codes) {
        put_string(t, " known");
        return;
    }
    put_string(t, others ? " not " : "=");
    for (uint32_t v = 1; v <= codes; v++)
        if (has_code(test, v) != others) {
            if (any)
                put_string(t, "|");
            put_value(t, n, values[v]);
            any = true;
        }
    bool full = n->full[test->variable];
    if (absent && !others)
        put_string(t, " or missing");
    else if (!absent && others && !full)
        put_string(t, " nor missing");
}

char *hcbr_i_rich_test_text(const hcbr_i_rich_names *n, const hcbr_i_rich_test *test) {
    const hcbr_i_rich_encoder *e = n->encoder;
    text t = {0};
    put(&t, "", 0);
    if (test->variable < e->column_count) {
        const hcbr_i_rich_column *c = &e->columns[test->variable];
        if (c->ordered)
            put_numbers(&t, n, test, c->key);
        else
            put_category(&t, n, test);
    } else {
        uint32_t b = test->variable - e->column_count;
        if (n->feature[b] != HCBR_I_NONE) {
            if (has_code(test, 0))
                put_string(&t, "not ");
            put_key(&t, n, n->key[b]);
            if (hcbr_i_dict_get(n->dict, n->feature[b]).value) {
                put_string(&t, "=");
                put_value(&t, n, n->feature[b]);
            }
        } else if (n->key[b] != HCBR_I_NONE && is_sparse(&e->keys[n->key[b]])) {
            put_numbers(&t, n, test, n->key[b]);
        } else { // a member without a name
            put_string(&t, has_code(test, 0) ? "not " : "");
            put_key(&t, n, n->key[b]);
        }
    }
    if (!t.failed && strstr(t.at, " or ")) { // other text may follow
        put(&t, ")", 1);
        put(&t, "", 1);
        if (!t.failed) {
            memmove(t.at + 1, t.at, t.used);
            t.at[0] = '(';
        }
    }
    if (!t.failed)
        return t.at;
    hcbr_i_free(t.at);
    return NULL;
}
