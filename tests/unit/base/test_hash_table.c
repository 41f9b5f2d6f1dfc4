// The hash table against a list that is gone through, whatever the hashes and the memory.
#include "base/base.h"

#include <setjmp.h>

#include <cmocka.h>

#define MOST 3000u

/** What a table is asked about: the content of each number, and how much of a hash is used. */
typedef struct things {
    uint64_t content[MOST];
    uint32_t count;
    uint64_t hash_mask;
    uint64_t asked; // how often two were compared
} things;

static uint64_t hash_of(const things *t, uint64_t content) {
    return hcbr_i_mix(content) & t->hash_mask;
}

static bool same(const void *owner, uint32_t number, const void *wanted) {
    const things *t = owner;
    const uint64_t *content = wanted;
    assert_true(number < t->count);
    return t->content[number] == *content;
}

static uint32_t naive_find(const things *t, uint64_t content) {
    for (uint32_t n = 0; n < t->count; n++)
        if (t->content[n] == content)
            return n;
    return HCBR_I_HASH_NONE;
}

static uint32_t find(const hcbr_i_hash_table *table, const things *t, uint64_t content) {
    return hcbr_i_hash_table_find(table, hash_of(t, content), same, t, &content);
}

static void check_all(const hcbr_i_hash_table *table, const things *t, uint64_t range) {
    assert_int_equal(table->count, t->count);
    assert_true(t->count == 0 || 2 * table->count <= table->mask + 1);
    for (uint64_t content = 0; content < range; content++)
        if (find(table, t, content) != naive_find(t, content))
            fail_msg("content %llu is lost among %u", (unsigned long long)content, t->count);
}

static void table__finds_what_a_list_finds(void **context) {
    // all of the hash; the halves; a few bits, the first and the last ones; none at all
    static const uint64_t masks[] = {UINT64_MAX, UINT32_MAX,        ~(uint64_t)UINT32_MAX,
                                     7,          UINT64_C(7) << 29, 0};
    static things t;
    (void)context;
    print_message("seed 17\n");
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        hcbr_i_hash_table table = {0};
        uint64_t draw = 17;
        t = (things){.hash_mask = masks[m]};
        check_all(&table, &t, 10);
        while (t.count < 1000) {
            uint64_t content = hcbr_i_draw_below(&draw, 1500);
            uint32_t known = naive_find(&t, content);
            assert_int_equal(find(&table, &t, content), known);
            if (known != HCBR_I_HASH_NONE)
                continue;
            t.content[t.count] = content;
            assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, content), t.count++));
            if (t.count % 97 == 0)
                check_all(&table, &t, 1500);
        }
        hcbr_i_hash_table_clear(&table);
        t.count = 0;
        check_all(&table, &t, 10);
    }
}

static void table__holds_any_numbers(void **context) {
    static things t = {.hash_mask = UINT64_MAX};
    hcbr_i_hash_table table = {0};
    uint64_t last = 5;
    (void)context;
    t.count = 2; // content[1] is the only one asked for
    t.content[1] = last;
    assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, 1), HCBR_I_HASH_NONE - 1));
    assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, last), 1));
    assert_int_equal(find(&table, &t, last), 1);
    hcbr_i_hash_table_clear(&table);
}

static bool never(const void *owner, uint32_t number, const void *wanted) {
    things *t = (things *)(uintptr_t)owner;
    (void)number, (void)wanted;
    t->asked++;
    return false;
}

static void table__compares_only_where_hashes_are_equal(void **context) {
    static things t = {.hash_mask = UINT64_MAX};
    hcbr_i_hash_table table = {0};
    (void)context;
    for (uint32_t n = 0; n < MOST; n++)
        assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, n), n));
    for (uint32_t n = MOST; n < 3 * MOST; n++)
        assert_int_equal(hcbr_i_hash_table_find(&table, hash_of(&t, n), never, &t, &n),
                         HCBR_I_HASH_NONE);
    assert_true(t.asked <= 1); // of 18 million pairs about one in a thousand million
    hcbr_i_hash_table_clear(&table);
}

static void table__is_unchanged_if_memory_is_short(void **context) {
    static things t = {.hash_mask = UINT64_MAX};
    hcbr_i_hash_table table = {0};
    (void)context;
    for (uint32_t n = 0; n < MOST; n++) {
        bool full = table.slots == NULL || 2 * (table.count + 1) > table.mask + 1;
        t.content[n] = n;
        if (full) {
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
            assert_false(hcbr_i_hash_table_add(&table, hash_of(&t, n), n));
            hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
            check_all(&table, &t, n + 5);
        }
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, full ? 2 : 1, true); // nothing but the one block
        t.count = n + 1;
        assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, n), n));
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    }
    check_all(&table, &t, MOST + 5);
    hcbr_i_hash_table_clear(&table);
}

static void reserve__makes_adding_certain(void **context) {
    (void)context;
    for (size_t most = 0; most < 300; most++) {
        static things t;
        hcbr_i_hash_table table = {0};
        t = (things){.hash_mask = UINT64_MAX};
        assert_true(hcbr_i_hash_table_reserve(&table, most));
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, true);
        for (uint32_t n = 0; n < most; n++) {
            t.content[t.count++] = n;
            assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, n), n));
        }
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        check_all(&table, &t, most + 5);
        assert_false(hcbr_i_hash_table_reserve(&table, SIZE_MAX)); // more than a hash tells apart
        assert_false(hcbr_i_hash_table_reserve(&table, ((size_t)1 << 31) + 1));
        check_all(&table, &t, most + 5);
        hcbr_i_hash_table_clear(&table);
    }
}

static void restart__forgets_all_and_pays_for_what_is_asked(void **context) {
    static things t;
    hcbr_i_hash_table table = {0};
    (void)context;
    print_message("seed 23\n");
    uint64_t draw = 23;
    for (unsigned round = 0; round < 300; round++) {
        uint32_t count = round % 50 == 0 ? MOST : hcbr_i_draw_below(&draw, 200);
        uint32_t asked = round % 50 == 0 ? MOST : hcbr_i_draw_below(&draw, 200);
        size_t room = table.room;
        t = (things){.hash_mask = UINT64_MAX};
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, round > 0, true); // what was there is enough
        assert_true(hcbr_i_hash_table_restart(&table, asked));
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        assert_true(round == 0 || table.room == room);
        assert_true(table.mask < 16 || table.mask / 4 < asked);
        check_all(&table, &t, 400);
        for (uint32_t n = 0; n < count; n++) {
            t.content[t.count++] = n + round;
            assert_true(hcbr_i_hash_table_add(&table, hash_of(&t, n + round), n));
        }
        if (count < MOST)
            check_all(&table, &t, 400);
        if (round % 50 == 49)
            assert_true(hcbr_i_hash_table_reserve(&table, MOST));
        check_all(&table, &t, 10);
        if (table.room < 2 * MOST) // a table that grew keeps no more than it needs
            assert_true(hcbr_i_hash_table_reserve(&table, MOST));
    }
    for (size_t most = 0; most < 5 * MOST; most += 77) {
        assert_true(hcbr_i_hash_table_prepare(&table, most));
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, true);
        assert_true(hcbr_i_hash_table_prepare(&table, most));
        assert_true(hcbr_i_hash_table_restart(&table, most));
        hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
        t.count = 0;
        check_all(&table, &t, 10);
    }
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 1, false);
    assert_false(hcbr_i_hash_table_restart(&table, 100 * MOST));
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    assert_false(hcbr_i_hash_table_restart(&table, SIZE_MAX));
    check_all(&table, &t, 10);
    hcbr_i_hash_table_clear(&table);
}

/* ---- things in the slots --------------------------------------------------------------------- */

/** A thing with what was found of it; 0: free. */
typedef struct entry {
    uint64_t content;
    uint32_t found;
} entry;

static bool entry_is_free(const void *slot) {
    return ((const entry *)slot)->content == 0;
}

static bool entry_is(const void *slot, const void *wanted) {
    assert_false(entry_is_free(slot));
    return ((const entry *)slot)->content == *(const uint64_t *)wanted;
}

static uint64_t entry_hash(const void *owner, const void *slot) {
    return hash_of(owner, ((const entry *)slot)->content);
}

static entry *entry_find(entry *slots, size_t mask, const things *t, uint64_t content) {
    return hcbr_i_hash_slots_find(slots, sizeof *slots, mask, hash_of(t, content), entry_is_free,
                                  entry_is, &content);
}

static void slots__find_what_a_list_finds(void **context) {
    static const uint64_t masks[] = {UINT64_MAX, 7, UINT64_C(7) << 61, 0};
    static entry slots[2][1024];
    static things t;
    (void)context;
    print_message("seed 23\n");
    for (size_t m = 0; m < sizeof masks / sizeof *masks; m++) {
        uint64_t draw = 23;
        size_t mask = 15;
        unsigned now = 0;
        t = (things){.hash_mask = masks[m]};
        memset(slots, 0, sizeof slots);
        while (t.count < 500) {
            const uint64_t content = 1 + hcbr_i_mix(draw++) % 700;
            entry *at = entry_find(slots[now], mask, &t, content);
            const uint32_t number = naive_find(&t, content);
            assert_int_equal(at->content, number == HCBR_I_HASH_NONE ? 0 : content);
            if (at->content) {
                assert_int_equal(at->found, number);
                continue;
            }
            *at = (entry){content, t.count};
            t.content[t.count++] = content;
            if (t.count == mask) { // one is free
                now ^= 1;
                memset(slots[now], 0, sizeof slots[now]);
                assert_int_equal(hcbr_i_hash_slots_move(slots[now], 2 * mask + 1, slots[now ^ 1],
                                                        mask + 1, sizeof **slots, entry_is_free,
                                                        entry_hash, &t),
                                 t.count);
                mask = 2 * mask + 1;
            }
        }
        for (uint32_t n = 0; n < t.count; n++)
            assert_int_equal(entry_find(slots[now], mask, &t, t.content[n])->found, n);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(table__finds_what_a_list_finds),
        cmocka_unit_test(table__holds_any_numbers),
        cmocka_unit_test(table__compares_only_where_hashes_are_equal),
        cmocka_unit_test(table__is_unchanged_if_memory_is_short),
        cmocka_unit_test(reserve__makes_adding_certain),
        cmocka_unit_test(restart__forgets_all_and_pays_for_what_is_asked),
        cmocka_unit_test(slots__find_what_a_list_finds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
