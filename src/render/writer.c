/*
 * Where results are written to: bytes wait in a buffer until a line or page ends, or until the
 * buffer is full, and are then handed to the caller's function; without one they are kept.
 *
 * Invariant: the caller's function gets all bytes in their order, or the writer has failed.
 */
#include "render/render.h"

#include <stdio.h>

enum { WAITING = 1 << 15 }; /* bytes, if they are handed on */

hcbr_status hcbr_writer_create(hcbr_writer **out, hcbr_write_fn *write, void *context,
                               hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out))
        return HCBR_EUSAGE;
    hcbr_writer *w = hcbr_i_alloc_zero(1, sizeof *w);
    size_t room = write ? WAITING : 256;
    if (!w || !(w->bytes = hcbr_i_alloc(room + 1, 1))) {
        hcbr_i_free(w);
        return hcbr_i_no_memory(err);
    }
    w->write = write;
    w->context = context;
    w->room = room;
    hcbr_page_options_init(&w->page.options);
    *out = w;
    return HCBR_OK;
}

void hcbr_writer_watch(hcbr_writer *w, hcbr_progress_fn *progress, void *context) {
    w->progress = progress;
    w->progress_context = context;
}

void hcbr_writer_free(hcbr_writer *w) {
    if (w) {
        hcbr_i_free(w->page.list);
        hcbr_i_free(w->bytes);
    }
    hcbr_i_free(w);
}

hcbr_status hcbr_i_writer_status(const hcbr_writer *w, hcbr_error *err) {
    if (err && w->failure.status != HCBR_OK)
        *err = w->failure;
    return w->failure.status;
}

void hcbr_i_writer_fail(hcbr_writer *w, const hcbr_error *err) {
    if (w->failure.status != HCBR_OK)
        return;
    w->failure = *err;
    w->used = w->room = 0;
}

static void hand_on(hcbr_writer *w) {
    hcbr_error err;
    if (w->used == 0 || w->write(w->context, w->bytes, w->used) == 0) {
        w->used = 0;
        return;
    }
    (void)hcbr_i_fail(&err, HCBR_EIO, "%zu bytes of the result were not taken", w->used);
    hcbr_i_writer_fail(w, &err);
}

/* Room for `count` more bytes, and a NUL. */
static void make_room(hcbr_writer *w, size_t count) {
    hcbr_error err;
    size_t capacity = w->room + 1;
    if (count < SIZE_MAX - w->used && hcbr_i_grow(&w->bytes, &capacity, w->used + count + 1, 1)) {
        w->room = capacity - 1;
        return;
    }
    (void)hcbr_i_no_memory(&err);
    hcbr_i_writer_fail(w, &err);
}

void hcbr_i_put_long(hcbr_writer *w, const char *bytes, size_t count) {
    if (!w->write && w->failure.status == HCBR_OK)
        make_room(w, count);
    while (count > 0 && w->failure.status == HCBR_OK) {
        size_t n = w->room - w->used < count ? w->room - w->used : count;
        memcpy(w->bytes + w->used, bytes, n);
        w->used += n;
        bytes += n;
        count -= n;
        if (w->write && w->used == w->room)
            hand_on(w);
    }
}

hcbr_status hcbr_writer_flush(hcbr_writer *w, hcbr_error *err) {
    if (HCBR_I_NULL(err, w))
        return HCBR_EUSAGE;
    if (w->write)
        hand_on(w);
    return hcbr_i_writer_status(w, err);
}

const char *hcbr_writer_get(const hcbr_writer *w, size_t *length) {
    if (length)
        *length = w->used;
    if (w->failure.status != HCBR_OK)
        return NULL;
    w->bytes[w->used] = 0;
    return w->bytes;
}

void hcbr_writer_clear(hcbr_writer *w) {
    if (w->failure.status != HCBR_OK) { // the block is as large as it was
        w->room = w->write ? WAITING : 256;
        w->failure = (hcbr_error){.status = HCBR_OK};
    }
    w->used = 0;
    w->comma = false;
    w->page.cases = w->page.list_used = 0;
}

void hcbr_writer_put(hcbr_writer *w, const char *bytes, size_t count) {
    hcbr_i_put(w, bytes, count);
}

void hcbr_i_put_u64(hcbr_writer *w, uint64_t value) {
    char digits[20];
    size_t at = sizeof digits;
    do {
        digits[--at] = (char)('0' + value % 10);
        value /= 10;
    } while (value > 0);
    hcbr_i_put(w, digits + at, sizeof digits - at);
}

/* The decimal point of a locale is any character of a number that is not a letter, digit or
 * sign. */
void hcbr_i_print(char text[HCBR_I_PRINTED], char form, int digits, double value) {
    bool point = false;
    size_t used = 0;
    snprintf(text, HCBR_I_PRINTED, form == 'g' ? "%.*g" : "%.*f", digits, value);
    for (const char *at = text; *at; at++) {
        bool plain =
            (*at >= '0' && *at <= '9') || (*at >= 'a' && *at <= 'z') || *at == '-' || *at == '+';
        if (plain)
            text[used++] = *at;
        else if (!point)
            text[used++] = '.';
        point = !plain;
    }
    text[used] = 0;
}

void hcbr_i_put_printed(hcbr_writer *w, char form, int digits, double value) {
    char text[HCBR_I_PRINTED];
    hcbr_i_print(text, form, digits, value);
    hcbr_i_put_string(w, text);
}
