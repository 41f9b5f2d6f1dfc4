/*
 * What all fuzz targets use: broken promises, failures on demand, checks of errors and of text.
 */
#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>

/** Defaults of the sanitizer: freed memory is held back, but not so much that caches suffer; a trap
 * says where it is. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "quarantine_size_mb=8:malloc_context_size=6:max_malloc_fill_size=256:"
           "handle_sigill=1";
}

_Noreturn void fuzz_broken(const char *file, int line, const char *promise, const char *message) {
    fprintf(stderr, "%s:%d: broken: %s%s%s\n", file, line, promise, message ? ": " : "",
            message ? message : "");
    abort();
}

static struct {
    hcbr_i_fault_kind kind;
    uint64_t at; // 0: disarmed
} armed;

void fuzz_arm(unsigned choice) {
    armed.kind = choice < 32 ? HCBR_I_FAULT_ALLOC : HCBR_I_FAULT_IO;
    armed.at = choice < 32 ? choice : choice - 31;
    if (armed.at > 0)
        hcbr_i_fault_arm(armed.kind, armed.at, false);
}

bool fuzz_disarm(void) {
    if (armed.at == 0)
        return false;
    bool happened = hcbr_i_fault_count(armed.kind) >= armed.at;
    hcbr_i_fault_arm(armed.kind, 0, false);
    armed.at = 0;
    return happened;
}

void fuzz_check_text(const char *text, size_t length) {
    FUZZ_CHECK(text != NULL);
    FUZZ_CHECK(hcbr_i_utf8_check(text, length) == length);
}

void fuzz_check_error(hcbr_status status, const hcbr_error *err) {
    FUZZ_CHECK(status < HCBR_OK && status >= HCBR_ECANCELLED);
    FUZZ_CHECK(err->status == status);
    size_t length = strnlen(err->message, sizeof err->message);
    FUZZ_CHECK(length > 0 && length < sizeof err->message);
    fuzz_check_text(err->message, length);
    for (size_t i = 0; i < length; i++)
        FUZZ_CHECK((unsigned char)err->message[i] >= ' ' && err->message[i] != 127);
    FUZZ_CHECK(strnlen(err->file, sizeof err->file) < sizeof err->file);
    FUZZ_CHECK(err->column == 0 || err->line > 0);
}

hcbr_status fuzz_memory_read(void *memory, char *to, size_t room, size_t *got, hcbr_error *err) {
    fuzz_memory *m = memory;
    size_t n = m->size - m->at < m->piece ? m->size - m->at : m->piece;
    (void)err;
    n = n < room ? n : room;
    if (n > 0)
        memcpy(to, m->bytes + m->at, n);
    m->at += n;
    *got = n;
    return HCBR_OK;
}

hcbr_status fuzz_memory_open(void *memory, const char *path, hcbr_input *input, hcbr_error *err) {
    (void)path;
    (void)err;
    *input = (hcbr_input){.read = fuzz_memory_read, .context = memory};
    return HCBR_OK;
}
