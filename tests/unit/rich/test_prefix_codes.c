/*
 * Coded symbols and trees as bytes: what is written comes back, codes are as short as they can be,
 * and bytes that are read are the only ones for what they say.
 */
#include "rich/encode/kept_cases.h"
#include "rounds.h"
#include "unit/rich/rich_support.h"

#include <stdlib.h>

/* All that was written, in memory of just that size, so that tools notice what is read behind. */
static unsigned char *bytes_of(hcbr_i_out *out, size_t *size) {
    assert_false(out->failed);
    unsigned char *bytes = malloc(out->size ? (size_t)out->size : 1);
    *size = 0;
    assert_non_null(bytes);
    for (size_t r = 0; r < out->run_count; r++) {
        memcpy(bytes + *size, hcbr_i_out_run(out, r), out->runs[r].size);
        *size += out->runs[r].size;
    }
    assert_int_equal(*size, out->size);
    hcbr_i_out_clear(out);
    return bytes;
}

static hcbr_i_in in_of(const unsigned char *bytes, size_t size) {
    return (hcbr_i_in){.section = HCBR_I_RICH, .at = bytes, .left = size};
}

static uint32_t below(uint64_t *random, uint32_t n) {
    return (uint32_t)(rich_draw(random) % n);
}

/* ---- symbols --------------------------------------------------------------------------------- */

/* Bits of the shortest prefix code: the two least are joined until one is left. */
static uint64_t fewest_bits(const uint32_t *counts, uint32_t size) {
    uint64_t *left = malloc((size_t)size * sizeof *left), bits = 0;
    uint32_t n = 0;
    for (uint32_t s = 0; s < size; s++)
        if (counts[s])
            left[n++] = counts[s];
    if (n == 1)
        bits = left[0];
    while (n > 1) {
        for (uint32_t side = 0; side < 2; side++)
            for (uint32_t i = side + 1; i < n; i++)
                if (left[i] < left[side]) {
                    uint64_t x = left[i];
                    left[i] = left[side];
                    left[side] = x;
                }
        bits += left[0] += left[1];
        left[1] = left[--n];
    }
    free(left);
    return bits;
}

static unsigned char *write_symbols(const uint32_t *symbols, uint64_t count, uint32_t size,
                                    size_t *bytes) {
    hcbr_i_out out = {0};
    hcbr_i_rich_codes_write(&out, symbols, count, size);
    return bytes_of(&out, bytes);
}

static void codes__come_back_and_are_short(void **state) {
    (void)state;
    uint64_t random = 5;
    for (uint32_t round = 0; round < test_rounds(300); round++) {
        uint32_t size = 1 + below(&random, round % 3 ? 20 : 600), n = below(&random, 2000);
        uint32_t *symbols = malloc((n + 1) * sizeof *symbols), *again = NULL;
        uint32_t *counts = calloc(size, sizeof *counts), longest = 0;
        uint32_t *lengths = calloc(size, sizeof *lengths);
        for (uint32_t i = 0; i < n; i++) {
            symbols[i] = below(&random, size);
            for (uint32_t turn = 0; turn < round % 5; turn++) // the more turns, the more 0s
                symbols[i] = below(&random, symbols[i] + 1);
            counts[symbols[i]]++;
        }
        assert_true(hcbr_i_rich_code_lengths(counts, size, lengths));
        uint64_t bits = 0;
        for (uint32_t s = 0; s < size; s++) {
            bits += (uint64_t)counts[s] * lengths[s];
            longest = lengths[s] > longest ? lengths[s] : longest;
            assert_int_equal(!counts[s], !lengths[s]);
        }
        assert_int_equal(bits, fewest_bits(counts, size));
        size_t used;
        unsigned char *bytes = write_symbols(symbols, n, size, &used);
        uint64_t table = (uint64_t)size * hcbr_i_rich_bits_of(longest);
        assert_int_equal(used, n ? 1 + (table + 7) / 8 + (bits + 7) / 8 : 0);
        hcbr_i_in in = in_of(bytes, used);
        assert_int_equal(hcbr_i_rich_codes_read(&in, &again, n, size, false, "x", NULL), HCBR_OK);
        assert_int_equal(in.left, 0);
        assert_memory_equal(again, symbols, n * sizeof *symbols);
        hcbr_i_free(again);
        free(bytes);
        free(symbols);
        free(counts);
        free(lengths);
    }
}

/* Counts that rise like Fibonacci's numbers have the longest codes. */
static void codes__may_be_long(void **state) {
    (void)state;
    uint32_t counts[46] = {1, 1}, lengths[46];
    for (uint32_t i = 2; i < 46; i++)
        counts[i] = counts[i - 1] + counts[i - 2];
    assert_true(hcbr_i_rich_code_lengths(counts, 46, lengths));
    for (uint32_t i = 1; i < 46; i++)
        assert_int_equal(lengths[i], 46 - i);
    enum { SYMBOLS = 22 };
    uint32_t count = 0, *again = NULL;
    uint32_t *symbols = malloc(100000 * sizeof *symbols);
    for (uint32_t s = 0; s < SYMBOLS; s++)
        for (uint32_t i = 0; i < counts[s]; i++)
            symbols[count++] = s;
    size_t used;
    unsigned char *bytes = write_symbols(symbols, count, SYMBOLS, &used);
    hcbr_i_in in = in_of(bytes, used);
    assert_int_equal(hcbr_i_rich_codes_read(&in, &again, count, SYMBOLS, true, "x", NULL), HCBR_OK);
    assert_memory_equal(again, symbols, count * sizeof *symbols);
    hcbr_i_free(again);
    free(bytes);
    free(symbols);
}

/* Every other value of every byte, and every end that is too early, is refused or says other
 * symbols, of which it is the encoding. */
static void codes__have_one_encoding(void **state) {
    (void)state;
    uint64_t random = 6;
    uint32_t refused = 0, read = 0;
    for (uint32_t round = 0; round < test_rounds(15); round++) {
        uint32_t size = 1 + below(&random, 12), n = 1 + below(&random, 40), symbols[40];
        for (uint32_t i = 0; i < n; i++)
            symbols[i] = below(&random, below(&random, size) + 1);
        size_t used, now;
        unsigned char *bytes = write_symbols(symbols, n, size, &used);
        for (size_t change = 0; change < 256 * used + used; change++) {
            uint32_t *again = NULL;
            unsigned char old = bytes[change / 256 % used];
            size_t length = change < 256 * used ? used : change - 256 * used;
            unsigned char *given = malloc(length ? length : 1);
            if (length == used)
                bytes[change / 256] = (unsigned char)change;
            memcpy(given, bytes, length);
            bytes[change / 256 % used] = old;
            hcbr_i_in in = in_of(given, length);
            hcbr_status st = hcbr_i_rich_codes_read(&in, &again, n, size, false, "x", NULL);
            assert_true(st == HCBR_OK || st == HCBR_EFORMAT);
            assert_true(length == used || st == HCBR_EFORMAT);
            if (st == HCBR_OK) {
                unsigned char *written = write_symbols(again, n, size, &now);
                assert_int_equal(now, length - in.left);
                assert_memory_equal(written, given, now);
                free(written);
            }
            read += st == HCBR_OK;
            refused += st != HCBR_OK;
            hcbr_i_free(again);
            free(given);
        }
        free(bytes);
    }
    assert_true(refused > test_rounds(5000) && read > test_rounds(200));
}

/* ---- numbers --------------------------------------------------------------------------------- */

static void numbers__come_back_bit_by_bit(void **state) {
    (void)state;
    static const double VALUES[] = {0.0, -0.0, 0.25, 1, -1, 0x1p-40, 1e300, 3};
    uint64_t random = 8;
    for (uint32_t round = 0; round < test_rounds(100); round++) {
        uint32_t n = below(&random, 60), different = 0;
        double numbers[60], *again = NULL;
        for (uint32_t i = 0; i < n; i++)
            numbers[i] = round % 2 ? VALUES[below(&random, 8)] : (double)rich_draw(&random);
        for (uint32_t i = 0; i < n; i++) {
            bool first = true;
            for (uint32_t j = 0; j < i; j++)
                first &= memcmp(&numbers[i], &numbers[j], 8) != 0;
            different += first;
        }
        hcbr_i_out out = {0};
        size_t used;
        hcbr_i_rich_repeats_write(&out, numbers, n);
        unsigned char *bytes = bytes_of(&out, &used);
        assert_int_equal(hcbr_i_u32_at(bytes), different);
        hcbr_i_in in = in_of(bytes, used);
        assert_int_equal(hcbr_i_rich_repeats_read(&in, &again, n, "x", NULL), HCBR_OK);
        assert_int_equal(in.left, 0);
        assert_memory_equal(again, numbers, n * sizeof *numbers);
        hcbr_i_free(again);
        free(bytes);
    }
}

/* ---- trees ----------------------------------------------------------------------------------- */

enum { TESTS = 9, FORESTS = 3, NODES = 400 };

/* A tree of random shape behind the others; deep: how likely a test is, of 8. */
static void draw_tree(hcbr_i_rich_forest *f, uint32_t deep, uint64_t *random) {
    size_t at = f->node_count++;
    if (f->node_count > NODES / 2 || below(random, 8) >= deep) {
        f->nodes[at] =
            (hcbr_i_rich_node){.test = HCBR_I_RICH_LEAF, .no = (uint32_t)f->leaf_count++};
        return;
    }
    uint8_t lo = (uint8_t)below(random, 250);
    f->nodes[at] = (hcbr_i_rich_node){
        .test = below(random, TESTS), .lo = lo, .hi = below(random, 2) ? 255 : (uint8_t)(lo + 3)};
    draw_tree(f, deep, random);
    f->nodes[at].no = (uint32_t)f->node_count;
    draw_tree(f, deep, random);
}

static void draw_forests(hcbr_i_rich_forest *f, uint32_t most_trees, uint64_t *random) {
    for (uint32_t i = 0; i < FORESTS; i++) {
        uint32_t trees = below(random, most_trees + 1), deep = below(random, 7);
        f[i] = (hcbr_i_rich_forest){.nodes = hcbr_i_alloc_zero(NODES, sizeof *f[i].nodes),
                                    .start = hcbr_i_alloc(trees, sizeof *f[i].start)};
        for (uint32_t t = 0; t < trees; t++) {
            f[i].start[f[i].tree_count++] = (uint32_t)f[i].node_count;
            draw_tree(&f[i], deep, random);
        }
    }
}

static unsigned char *write_forests(const hcbr_i_rich_forest *f, size_t *size) {
    const hcbr_i_rich_forest *all[FORESTS] = {&f[0], &f[1], &f[2]};
    hcbr_i_out out = {0};
    hcbr_i_rich_trees_write(&out, all, FORESTS, TESTS);
    return bytes_of(&out, size);
}

static hcbr_status read_forests(hcbr_i_rich_forest *f, const unsigned char *bytes, size_t size,
                                size_t *left) {
    hcbr_i_rich_forest *all[FORESTS] = {&f[0], &f[1], &f[2]};
    hcbr_i_in in = in_of(bytes, size);
    memset(f, 0, FORESTS * sizeof *f);
    hcbr_status st = hcbr_i_rich_trees_read(&in, all, FORESTS, TESTS, NULL);
    *left = in.left;
    return st;
}

static void clear_forests(hcbr_i_rich_forest *f) {
    for (uint32_t i = 0; i < FORESTS; i++)
        hcbr_i_rich_forest_clear(&f[i]);
}

static void trees__come_back(void **state) {
    (void)state;
    uint64_t random = 3;
    for (uint32_t round = 0; round < test_rounds(200); round++) {
        hcbr_i_rich_forest drawn[FORESTS], read[FORESTS];
        size_t size, left;
        draw_forests(drawn, round % 20, &random);
        unsigned char *bytes = write_forests(drawn, &size);
        assert_int_equal(read_forests(read, bytes, size, &left), HCBR_OK);
        assert_int_equal(left, 0);
        for (uint32_t i = 0; i < FORESTS; i++) {
            assert_int_equal(read[i].tree_count, drawn[i].tree_count);
            assert_int_equal(read[i].node_count, drawn[i].node_count);
            assert_int_equal(read[i].leaf_count, drawn[i].leaf_count);
            for (size_t t = 0; t < drawn[i].tree_count; t++)
                assert_int_equal(read[i].start[t], drawn[i].start[t]);
            for (size_t n = 0; n < drawn[i].node_count; n++) {
                const hcbr_i_rich_node *a = &read[i].nodes[n], *b = &drawn[i].nodes[n];
                assert_true(a->test == b->test && a->no == b->no && a->lo == b->lo &&
                            a->hi == b->hi);
            }
        }
        clear_forests(drawn);
        clear_forests(read);
        free(bytes);
    }
}

/* Are the trees that were read such that they can be walked? */
static void assert_walkable(const hcbr_i_rich_forest *f) {
    for (size_t t = 0; t < f->tree_count; t++) {
        size_t end = t + 1 < f->tree_count ? f->start[t + 1] : f->node_count;
        assert_true(f->start[t] < end);
        for (size_t n = f->start[t]; n < end; n++) {
            const hcbr_i_rich_node *x = &f->nodes[n];
            if (x->test == HCBR_I_RICH_LEAF)
                assert_true(x->no < f->leaf_count);
            else
                assert_true(x->test < TESTS && x->no > n + 1 && x->no < end && x->lo <= x->hi);
        }
    }
}

static void trees__of_changed_bytes_are_refused_or_whole(void **state) {
    (void)state;
    uint64_t random = 4;
    uint32_t refused = 0, read = 0;
    for (uint32_t round = 0; round < test_rounds(8); round++) {
        hcbr_i_rich_forest drawn[FORESTS], other[FORESTS];
        size_t size, left, now;
        draw_forests(drawn, 2, &random);
        unsigned char *bytes = write_forests(drawn, &size);
        for (size_t change = 0; change < 256 * size + size; change++) {
            size_t length = change < 256 * size ? size : change - 256 * size;
            unsigned char *given = malloc(length ? length : 1);
            memcpy(given, bytes, length);
            if (length == size)
                given[change / 256] = (unsigned char)change;
            hcbr_status st = read_forests(other, given, length, &left);
            assert_true(st == HCBR_OK || st == HCBR_EFORMAT);
            assert_true(length == size || st == HCBR_EFORMAT);
            if (st == HCBR_OK) {
                for (uint32_t i = 0; i < FORESTS; i++)
                    assert_walkable(&other[i]);
                unsigned char *written = write_forests(other, &now);
                assert_int_equal(now, length - left);
                assert_memory_equal(written, given, now);
                free(written);
            }
            read += st == HCBR_OK;
            refused += st != HCBR_OK;
            clear_forests(other);
            free(given);
        }
        clear_forests(drawn);
        free(bytes);
    }
    assert_true(refused > test_rounds(5000) && read > test_rounds(200));
}

/* Of equal weights symbols are joined before what was joined, by rising number (docs/FORMAT.md). */
static void codes__ties_are_settled_by_the_order_of_symbols(void **state) {
    (void)state;
    static const struct {
        uint32_t counts[6], size, lengths[6];
    } CASES[] = {{{1, 1, 2, 2}, 4, {2, 2, 2, 2}},
                 {{2, 1, 1}, 3, {1, 2, 2}},
                 {{1, 1, 1}, 3, {2, 2, 1}},
                 {{3, 1, 2, 0, 1, 1}, 6, {2, 3, 2, 0, 3, 2}},
                 {{0, 7}, 2, {0, 1}}};
    for (size_t i = 0; i < sizeof CASES / sizeof *CASES; i++) {
        uint32_t lengths[6];
        assert_true(hcbr_i_rich_code_lengths(CASES[i].counts, CASES[i].size, lengths));
        for (uint32_t s = 0; s < CASES[i].size; s++)
            assert_int_equal(lengths[s], CASES[i].lengths[s]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(codes__ties_are_settled_by_the_order_of_symbols),
        cmocka_unit_test(codes__come_back_and_are_short),
        cmocka_unit_test(codes__may_be_long),
        cmocka_unit_test(codes__have_one_encoding),
        cmocka_unit_test(numbers__come_back_bit_by_bit),
        cmocka_unit_test(trees__come_back),
        cmocka_unit_test(trees__of_changed_bytes_are_refused_or_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
