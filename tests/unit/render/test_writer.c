// Writers: the same bytes kept or handed on, sinks that refuse, memory that runs out.
#include "render_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

/* A sink with memory of its own. */
typedef struct sink {
    char *bytes;
    size_t used, room;
    uint64_t calls, refused; /* refuse the call of this number, from 1; 0: none */
} sink;

static int take(void *context, const char *bytes, size_t count) {
    sink *s = context;
    s->calls++;
    if (s->calls == s->refused)
        return 1;
    assert_true(s->refused == 0 || s->calls < s->refused); // not asked again
    assert_true(count > 0);
    if (s->used + count + 1 > s->room) {
        s->room = 2 * (s->used + count + 1);
        s->bytes = realloc(s->bytes, s->room);
        assert_non_null(s->bytes);
    }
    memcpy(s->bytes + s->used, bytes, count);
    s->used += count;
    s->bytes[s->used] = 0;
    return 0;
}

static hcbr_writer *make(hcbr_write_fn *write, void *context) {
    hcbr_writer *w;
    assert_int_equal(hcbr_writer_create(&w, write, context, NULL), HCBR_OK);
    return w;
}

static void writer__keeps_what_another_hands_on(void **state) {
    (void)state;
    render_world world = world_make(HCBR_MODEL_RICH, HCBR_KEEP_FULL);
    hcbr_error err = {0};
    sink s = {0};
    hcbr_writer *kept = make(NULL, NULL), *given = make(take, &s);
    size_t length;
    for (int page = 0; page < 2; page++) {
        hcbr_status (*write)(const render_world *, hcbr_writer *, hcbr_error *) =
            page ? world_write_page : world_write;
        s.used = 0;
        hcbr_writer_clear(kept);
        // times of an evaluation differ from run to run
        if (write(&world, kept, &err) != HCBR_OK || write(&world, given, &err) != HCBR_OK)
            fail_msg("%s", err.message);
        const char *text = hcbr_writer_get(kept, &length);
        assert_int_equal(strlen(text), length);
        if (page) {
            assert_int_equal(s.used, length);
            assert_string_equal(s.bytes, text);
        } else {
            size_t first = (size_t)(strstr(text, "{\"schema\":\"hcbr.evaluate/1\"") - text);
            assert_true(first > 1000 && s.used > first);
            assert_memory_equal(s.bytes, text, first);
        }
    }
    assert_true(s.calls > 5); // at the end of each line
    hcbr_writer_free(kept);
    hcbr_writer_free(given);
    free(s.bytes);
    world_free(&world);
}

static void writer__takes_pieces_of_any_size(void **state) {
    (void)state;
    enum { ALL = 300000 };
    sink s = {0};
    hcbr_writer *kept = make(NULL, NULL), *given = make(take, &s);
    char *bytes = malloc(ALL);
    assert_non_null(bytes);
    uint64_t random = 5;
    for (size_t i = 0; i < ALL; i++)
        bytes[i] = (char)('a' + hcbr_i_mix(random++) % 26);
    for (size_t at = 0; at < ALL;) {
        size_t most = (size_t)1 << hcbr_i_mix(random++) % 18, n = hcbr_i_mix(random++) % most;
        n = n < ALL - at ? n : ALL - at;
        hcbr_writer_put(kept, bytes + at, n);
        hcbr_writer_put(given, bytes + at, n);
        at += n;
    }
    assert_int_equal(hcbr_writer_flush(given, NULL), HCBR_OK);
    assert_int_equal(s.used, ALL);
    assert_memory_equal(s.bytes, bytes, ALL);
    size_t length;
    assert_memory_equal(hcbr_writer_get(kept, &length), bytes, ALL);
    assert_int_equal(length, ALL);
    assert_int_equal(hcbr_writer_flush(kept, NULL), HCBR_OK); // nothing to hand on
    assert_int_equal(hcbr_writer_get(kept, NULL)[ALL], 0);
    free(bytes);
    free(s.bytes);
    hcbr_writer_free(kept);
    hcbr_writer_free(given);
}

static void writer__remembers_a_refusal(void **state) {
    (void)state;
    render_world world = world_make(HCBR_MODEL_PLAIN, HCBR_KEEP_FULL);
    sink all = {0};
    hcbr_writer *w = make(take, &all);
    assert_int_equal(world_write(&world, w, NULL), HCBR_OK);
    hcbr_writer_free(w);
    assert_true(all.calls >= 6);
    for (uint64_t n = 1; n <= all.calls; n++) {
        hcbr_error err = {0}, again = {0};
        sink s = {.refused = n};
        w = make(take, &s);
        assert_int_equal(world_write(&world, w, &err), HCBR_EIO);
        assert_int_equal(err.status, HCBR_EIO);
        assert_non_null(strstr(err.message, "not taken"));
        assert_int_equal(s.calls, n);
        assert_null(hcbr_writer_get(w, NULL));
        HCBR_PUT(w, hcbr_item_string(NULL, "more"));
        assert_int_equal(hcbr_write_end(w, HCBR_JSON, &again), HCBR_EIO);
        assert_string_equal(again.message, err.message);
        assert_int_equal(hcbr_writer_flush(w, NULL), HCBR_EIO);
        assert_int_equal(s.calls, n);
        s.refused = 0;
        hcbr_writer_clear(w);
        s.used = 0;
        assert_int_equal(world_write(&world, w, &err), HCBR_OK);
        assert_int_equal(s.bytes[0], '{');
        hcbr_writer_free(w);
        free(s.bytes);
    }
    free(all.bytes);
    world_free(&world);
}

/* Each allocation fails in turn: HCBR_ENOMEM, or the same text. */
static void writer__survives_without_memory(void **state) {
    (void)state;
    static const hcbr_model_kind KINDS[] = {HCBR_MODEL_PLAIN, HCBR_MODEL_RICH};
    for (size_t k = 0; k < 2; k++) {
        render_world world = world_make(KINDS[k], HCBR_KEEP_FULL);
        for (int page = 0; page < 2; page++) {
            hcbr_status (*write)(const render_world *, hcbr_writer *, hcbr_error *) =
                page ? world_write_page : world_write;
            hcbr_status st = HCBR_ENOMEM;
            uint64_t n = 1;
            for (; st != HCBR_OK; n += 1 + n / 16) {
                hcbr_error err = {0};
                hcbr_writer *w = NULL;
                hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, n, false);
                st = hcbr_writer_create(&w, NULL, NULL, &err);
                assert_true((st == HCBR_OK) == (w != NULL));
                if (st == HCBR_OK)
                    st = write(&world, w, &err);
                bool reached = hcbr_i_fault_count(HCBR_I_FAULT_ALLOC) >= n;
                hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
                if (st != HCBR_OK) {
                    assert_int_equal(st, HCBR_ENOMEM);
                    assert_int_equal(err.status, HCBR_ENOMEM);
                } else if (reached) {
                    st = HCBR_ENOMEM; // what failed was not needed; go on
                }
                hcbr_writer_free(w);
            }
            assert_true(n > 5);
        }
        world_free(&world);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writer__keeps_what_another_hands_on),
        cmocka_unit_test(writer__takes_pieces_of_any_size),
        cmocka_unit_test(writer__remembers_a_refusal),
        cmocka_unit_test(writer__survives_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
