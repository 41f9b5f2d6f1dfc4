/*
 * Trees as bytes (docs/FORMAT.md, section rich): the different tests of all forests, and for every
 * node, in traversal order, the index of its test or the mark of a leaf. The targets of tests and
 * the numbers of leaves follow from that order. Values of leaves are in a table if many repeat.
 *
 * The result of reading may be used without further checks: every test names an existing column or
 * member, both branches of a node lead forward inside its tree.
 */
#include "rich/encode/kept_cases.h"
#include "rich/file/rich_file.h"

#include <stdlib.h>

/* ---- different keys -------------------------------------------------------------------------- */

/* A set of keys. */
typedef struct keys {
    hcbr_i_hash_table table;
    hcbr_i_hash_key hash;
    uint64_t *key;
    size_t count, capacity;
} keys;

static bool is_key(const void *owner, uint32_t number, const void *wanted) {
    return ((const uint64_t *)owner)[number] == *(const uint64_t *)wanted;
}

static inline uint64_t hash_of(const keys *k, uint64_t key) {
    return hcbr_i_fold(key ^ k->hash.a, k->hash.b);
}

static inline uint32_t find_key(const keys *k, uint64_t key) {
    return hcbr_i_hash_table_find(&k->table, hash_of(k, key), is_key, k->key, &key);
}

static inline bool add_key(keys *k, uint64_t key) {
    if (find_key(k, key) != HCBR_I_HASH_NONE)
        return true;
    if (!hcbr_i_grow(&k->key, &k->capacity, k->count + 1, sizeof *k->key) ||
        !hcbr_i_hash_table_add(&k->table, hash_of(k, key), (uint32_t)k->count))
        return false;
    k->key[k->count++] = key;
    return true;
}

/* Put the keys in order; their numbers are now their places. */
static bool sort_keys(keys *k) {
    if (k->count)
        qsort(k->key, k->count, sizeof *k->key, hcbr_i_compare_u64);
    bool ok = hcbr_i_hash_table_restart(&k->table, k->count);
    for (size_t i = 0; ok && i < k->count; i++)
        ok = hcbr_i_hash_table_add(&k->table, hash_of(k, k->key[i]), (uint32_t)i);
    return ok;
}

static void keys_clear(keys *k) {
    hcbr_i_hash_table_clear(&k->table);
    hcbr_i_free(k->key);
}

/* ---- repeated numbers ------------------------------------------------------------------------ */

static uint64_t key_of_number(double number) {
    uint64_t key;
    memcpy(&key, &number, sizeof key);
    return key;
}

void hcbr_i_rich_repeats_write(hcbr_i_out *out, const double *numbers, size_t count) {
    keys k = {.hash = hcbr_i_hash_key_make(0)};
    uint32_t *symbols = hcbr_i_alloc(count, sizeof *symbols);
    bool ok = symbols;
    for (size_t i = 0; ok && i < count; i++)
        ok = add_key(&k, key_of_number(numbers[i]));
    ok = ok && sort_keys(&k);
    for (size_t i = 0; ok && i < count; i++)
        symbols[i] = find_key(&k, key_of_number(numbers[i]));
    out->failed |= !ok;
    hcbr_i_out_u32(out, (uint32_t)k.count);
    unsigned char *at = k.count ? hcbr_i_out_take(out, k.count, 8) : NULL;
    for (size_t i = 0; at && i < k.count; i++)
        hcbr_i_store64(at + 8 * i, k.key[i]);
    if (ok)
        hcbr_i_rich_codes_write(out, symbols, count, (uint32_t)k.count);
    hcbr_i_free(symbols);
    keys_clear(&k);
}

hcbr_status hcbr_i_rich_repeats_read(hcbr_i_in *in, double **out, uint64_t count, const char *what,
                                     hcbr_error *err) {
    const unsigned char *at, *head;
    uint32_t *symbols = NULL;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, what, &head, err);
    uint32_t different = st == HCBR_OK ? hcbr_i_u32_at(head) : 0;
    if (st == HCBR_OK)
        st = hcbr_i_in_take(in, different, 8, what, &at, err);
    for (uint32_t i = 1; st == HCBR_OK && i < different; i++)
        if (hcbr_i_u64_at(at + 8 * (size_t)i - 8) >= hcbr_i_u64_at(at + 8 * (size_t)i))
            st = hcbr_i_model_bad(err, in->section,
                                  "number %lu of the %s is not behind the one "
                                  "before it",
                                  (unsigned long)i, what);
    if (st == HCBR_OK && !different != !count)
        st = hcbr_i_model_bad(err, in->section, "%lu different %s, expected %s",
                              (unsigned long)different, what, count ? "some" : "none");
    if (st == HCBR_OK)
        st = hcbr_i_rich_codes_read(in, &symbols, count, different, true, what, err);
    if (st == HCBR_OK && !(*out = hcbr_i_alloc((size_t)count, sizeof **out)))
        st = hcbr_i_no_memory(err);
    for (uint64_t i = 0; st == HCBR_OK && i < count; i++) {
        uint64_t key = hcbr_i_u64_at(at + 8 * (size_t)symbols[i]);
        memcpy(&(*out)[i], &key, sizeof key);
    }
    hcbr_i_free(symbols);
    return st;
}

/* ---- shares ---------------------------------------------------------------------------------- */

void hcbr_i_rich_shares_write(hcbr_i_out *out, const hcbr_i_rich_shares *s, size_t leaves,
                              uint32_t labels) {
    const hcbr_i_rich_lists *lists = &s->lists;
    uint32_t longest = 0, *length = hcbr_i_alloc(leaves, sizeof *length);
    hcbr_i_out_f64s(out, s->prior, labels);
    hcbr_i_rich_repeats_write(out, s->rest, leaves);
    out->failed |= !length;
    for (size_t i = 0; length && i < leaves; i++) {
        length[i] = (uint32_t)(lists->start[i + 1] - lists->start[i]);
        longest = length[i] > longest ? length[i] : longest;
    }
    hcbr_i_out_u32(out, longest);
    if (length)
        hcbr_i_rich_codes_write(out, length, leaves, longest + 1);
    hcbr_i_rich_codes_write(out, lists->label, lists->start[leaves], labels);
    hcbr_i_rich_repeats_write(out, lists->value, (size_t)lists->start[leaves]);
    hcbr_i_free(length);
}

static hcbr_status read_lengths(hcbr_i_in *in, hcbr_i_rich_lists *lists, size_t leaves,
                                uint32_t labels, hcbr_error *err) {
    const unsigned char *at;
    uint32_t *length = NULL, met = 0;
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "shares", &at, err);
    uint32_t longest = st == HCBR_OK ? hcbr_i_u32_at(at) : 0;
    if (st == HCBR_OK && longest > labels)
        st = hcbr_i_model_bad(err, in->section, "%lu labels of a leaf, expected at most %lu",
                              (unsigned long)longest, (unsigned long)labels);
    if (st == HCBR_OK)
        st = hcbr_i_rich_codes_read(in, &length, leaves, longest + 1, false, "lengths", err);
    if (st == HCBR_OK && !(lists->start = hcbr_i_alloc_zero(leaves + 1, sizeof *lists->start)))
        st = hcbr_i_no_memory(err);
    for (size_t i = 0; st == HCBR_OK && i < leaves; i++) {
        lists->start[i + 1] = lists->start[i] + length[i];
        met = length[i] > met ? length[i] : met;
    }
    hcbr_i_free(length);
    if (st == HCBR_OK && met != longest)
        st = hcbr_i_model_bad(err, in->section, "%lu labels of a leaf at the most, expected %lu",
                              (unsigned long)met, (unsigned long)longest);
    return st;
}

hcbr_status hcbr_i_rich_shares_read(hcbr_i_in *in, hcbr_i_rich_shares *s, size_t leaves,
                                    uint32_t labels, hcbr_error *err) {
    hcbr_i_rich_lists *lists = &s->lists;
    hcbr_status st = hcbr_i_in_f64s(in, labels, "priors", &s->prior, err);
    if (st != HCBR_OK ||
        (st = hcbr_i_rich_repeats_read(in, &s->rest, leaves, "rests", err)) != HCBR_OK ||
        (st = read_lengths(in, lists, leaves, labels, err)) != HCBR_OK)
        return st;
    uint64_t all = lists->start[leaves];
    if ((st = hcbr_i_rich_codes_read(in, &lists->label, all, labels, false, "labels", err)) !=
            HCBR_OK ||
        (st = hcbr_i_rich_lists_check(in, lists->start, leaves, lists->label, labels, "shares",
                                      err)) != HCBR_OK)
        return st;
    return hcbr_i_rich_repeats_read(in, &lists->value, all, "shares", err);
}

/* ---- trees: writing -------------------------------------------------------------------------- */

static inline uint64_t key_of_test(const hcbr_i_rich_node *x) {
    return (uint64_t)x->test << 16 | (uint64_t)x->lo << 8 | x->hi;
}

static void write_tests(hcbr_i_out *out, const keys *k, uint64_t tests) {
    uint32_t *part = hcbr_i_alloc(k->count, sizeof *part);
    out->failed |= !part;
    hcbr_i_out_u32(out, (uint32_t)k->count);
    for (int p = 0; part && p < 3; p++) {
        for (size_t i = 0; i < k->count; i++)
            part[i] = p == 0 ? (uint32_t)(k->key[i] >> 16)
                             : (uint32_t)(p == 1 ? k->key[i] >> 8 : k->key[i]) & 255;
        hcbr_i_rich_bits_write(out, part, k->count,
                               p ? 8 : hcbr_i_rich_bits_of(tests ? tests - 1 : 0));
    }
    hcbr_i_free(part);
}

void hcbr_i_rich_trees_write(hcbr_i_out *out, const hcbr_i_rich_forest *const *forests,
                             size_t count, uint64_t tests) {
    keys k = {.hash = hcbr_i_hash_key_make(0)};
    uint64_t nodes = 0, at = 0;
    bool ok = true;
    for (size_t f = 0; f < count; f++) {
        hcbr_i_out_u32(out, (uint32_t)forests[f]->tree_count);
        hcbr_i_out_u32(out, (uint32_t)forests[f]->node_count);
        nodes += forests[f]->node_count;
        for (size_t i = 0; ok && i < forests[f]->node_count; i++)
            if (forests[f]->nodes[i].test != HCBR_I_RICH_LEAF)
                ok = add_key(&k, key_of_test(&forests[f]->nodes[i]));
    }
    uint32_t *symbols = hcbr_i_alloc((size_t)nodes, sizeof *symbols);
    ok = ok && symbols && sort_keys(&k);
    for (size_t f = 0; ok && f < count; f++)
        for (size_t i = 0; i < forests[f]->node_count; i++, at++) {
            const hcbr_i_rich_node *x = &forests[f]->nodes[i];
            symbols[at] = x->test == HCBR_I_RICH_LEAF ? 0 : find_key(&k, key_of_test(x)) + 1;
        }
    out->failed |= !ok;
    if (ok) {
        write_tests(out, &k, tests);
        hcbr_i_rich_codes_write(out, symbols, nodes, (uint32_t)k.count + 1);
    }
    hcbr_i_free(symbols);
    keys_clear(&k);
}

/* ---- trees: reading -------------------------------------------------------------------------- */

/* The different tests as nodes, by ascending test, then lo, then hi. */
static hcbr_status read_tests(hcbr_i_in *in, hcbr_i_rich_node **out, uint32_t *different,
                              uint64_t tests, hcbr_error *err) {
    const unsigned char *at;
    uint32_t *part[3] = {0};
    hcbr_status st = hcbr_i_in_take(in, 1, 4, "tests", &at, err);
    uint32_t n = *different = st == HCBR_OK ? hcbr_i_u32_at(at) : 0;
    if (st == HCBR_OK && (n > in->left / 2 || (n && !tests))) // lo and hi have a byte each
        st = hcbr_i_model_bad(err, in->section, "%lu different tests, of which there are none",
                              (unsigned long)n);
    for (int p = 0; st == HCBR_OK && p < 3; p++)
        st = hcbr_i_rich_bits_read(in, &part[p], n, p ? 255 : (uint32_t)(tests ? tests - 1 : 0),
                                   "test", err);
    if (st == HCBR_OK && !(*out = hcbr_i_alloc(n, sizeof **out)))
        st = hcbr_i_no_memory(err);
    for (uint32_t i = 0; st == HCBR_OK && i < n; i++) {
        hcbr_i_rich_node *x = &(*out)[i];
        *x = (hcbr_i_rich_node){
            .test = part[0][i], .lo = (uint8_t)part[1][i], .hi = (uint8_t)part[2][i]};
        if (x->lo > x->hi || (i && key_of_test(x - 1) >= key_of_test(x)))
            st = hcbr_i_model_bad(err, in->section,
                                  "test %lu is of codes %u to %u, or not behind the one before it",
                                  (unsigned long)i, x->lo, x->hi);
    }
    for (int p = 0; p < 3; p++)
        hcbr_i_free(part[p]);
    return st;
}

/* Build the trees of a forest from its symbols. While a tree is incomplete, `no` of a test whose
 * other branch is missing is the index of the previous such test. */
static hcbr_status plant(hcbr_i_rich_forest *f, size_t trees, size_t nodes, const uint32_t *symbols,
                         const hcbr_i_rich_node *tests, const hcbr_i_in *in, hcbr_error *err) {
    uint32_t waiting = HCBR_I_NONE;
    bool open = false;
    f->nodes = hcbr_i_alloc(nodes, sizeof *f->nodes);
    f->start = hcbr_i_alloc(trees, sizeof *f->start);
    if (!f->nodes || !f->start)
        return hcbr_i_no_memory(err);
    for (uint32_t i = 0; i < nodes; i++) {
        hcbr_i_rich_node *x = &f->nodes[i];
        if (!open && f->tree_count == trees)
            return hcbr_i_model_bad(err, in->section, "%zu trees end at node %lu, expected %zu",
                                    trees, (unsigned long)i, nodes);
        if (!open)
            f->start[f->tree_count++] = i;
        open = true;
        if (symbols[i]) {
            *x = tests[symbols[i] - 1];
            x->no = waiting;
            waiting = i;
            continue;
        }
        *x = (hcbr_i_rich_node){.test = HCBR_I_RICH_LEAF, .no = (uint32_t)f->leaf_count++};
        open = waiting != HCBR_I_NONE;
        if (open) { // a leaf ends the branch of the last waiting test
            uint32_t before = f->nodes[waiting].no;
            f->nodes[waiting].no = i + 1;
            waiting = before;
        }
    }
    f->node_count = nodes;
    if (open || f->tree_count != trees)
        return hcbr_i_model_bad(err, in->section, "tree %zu does not end, or there are not %zu",
                                f->tree_count, trees);
    return HCBR_OK;
}

hcbr_status hcbr_i_rich_trees_read(hcbr_i_in *in, hcbr_i_rich_forest *const *forests, size_t count,
                                   uint64_t tests, hcbr_error *err) {
    const unsigned char *heads;
    hcbr_i_rich_node *test = NULL;
    uint32_t different = 0, *symbols = NULL;
    uint64_t nodes = 0, at = 0;
    hcbr_status st = hcbr_i_in_take(in, 2 * count, 4, "forests", &heads, err);
    for (size_t f = 0; st == HCBR_OK && f < count; f++)
        nodes += hcbr_i_u32_at(heads + 8 * f + 4);
    if (st == HCBR_OK)
        st = read_tests(in, &test, &different, tests, err);
    if (st == HCBR_OK && nodes == 0 && different)
        st = hcbr_i_model_bad(err, in->section, "%lu tests without a node",
                              (unsigned long)different);
    if (st == HCBR_OK)
        st = hcbr_i_rich_codes_read(in, &symbols, nodes, different + 1, true, "nodes", err);
    for (size_t f = 0; st == HCBR_OK && f < count; f++) {
        uint32_t trees = hcbr_i_u32_at(heads + 8 * f), own = hcbr_i_u32_at(heads + 8 * f + 4);
        st = trees <= own
                 ? plant(forests[f], trees, own, symbols + at, test, in, err)
                 : hcbr_i_model_bad(err, in->section, "a forest of %lu trees has %lu nodes",
                                    (unsigned long)trees, (unsigned long)own);
        at += own;
    }
    hcbr_i_free(test);
    hcbr_i_free(symbols);
    return st;
}
