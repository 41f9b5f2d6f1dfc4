/*
 * The bytes of a model file: little-endian values written to a growing buffer and read from a
 * section, with every length held against the bytes that are left before memory is taken for it.
 *
 * On a little-endian machine arrays are written and copied as they are; elsewhere byte by byte.
 * Both give the same file.
 */
#include "engine/engine.h"

#include <assert.h>
#include <stdio.h>

const unsigned char hcbr_i_model_magic[8] = {0x89, 'H', 'C', 'B', 'R', '\r', '\n', 0x1A};

const char *hcbr_i_section_name(uint32_t type) {
    static const char *const names[HCBR_I_SECTION_END] = {
        [HCBR_I_FACTS] = "facts",
        [HCBR_I_LABELS] = "labels",
        [HCBR_I_KEYS] = "keys",
        [HCBR_I_FEATURES] = "features",
        [HCBR_I_ATOMS] = "atoms",
        [HCBR_I_STRENGTHS] = "strengths",
        [HCBR_I_RULE] = "rule",
        [HCBR_I_READ] = "read",
        [HCBR_I_PASSES] = "passes",
        [HCBR_I_FINGERPRINT] = "fingerprint",
        [HCBR_I_CASES] = "cases",
        [HCBR_I_ROWS] = "rows",
        [HCBR_I_IDS] = "ids",
        [HCBR_I_MOVES] = "moves",
        [HCBR_I_COLUMNS] = "columns",
        [HCBR_I_CALIBRATION] = "calibration",
        [HCBR_I_TUNING] = "tuning",
        [HCBR_I_RICH] = "rich",
        [HCBR_I_REASONS] = "reasons",
        [HCBR_I_WEIGHTS] = "weights",
        [HCBR_I_CUT] = "cut",
        [HCBR_I_COSTS] = "costs",
        [HCBR_I_COUNTS] = "counts",
        [HCBR_I_LEAST] = "least",
        [HCBR_I_SCHEMA] = "schema",
        [HCBR_I_HELDOUT] = "held out",
        [HCBR_I_IMPORTANCE] = "importance",
        [HCBR_I_BELIEFS] = "beliefs",
        [HCBR_I_LISTED] = "listed",
        [HCBR_I_TYPES] = "types",
    };
    return type < HCBR_I_SECTION_END && names[type] ? names[type] : "unknown";
}

hcbr_status hcbr_i_model_bad(hcbr_error *err, hcbr_i_section section, const char *format, ...) {
    char message[400];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    return hcbr_i_fail(err, HCBR_EFORMAT, "section %s: %s", hcbr_i_section_name(section), message);
}

/* ---- writing --------------------------------------------------------------------------------- */

#define LARGE (64u << 10) /* bytes from which on a reference replaces a copy */

void hcbr_i_out_clear(hcbr_i_out *out) {
    hcbr_i_free(out->bytes);
    hcbr_i_free(out->runs);
    *out = (hcbr_i_out){0};
}

/** One more run, or the last one longer. */
static bool out_run(hcbr_i_out *out, const void *elsewhere, size_t size) {
    hcbr_i_run *last = out->run_count ? &out->runs[out->run_count - 1] : NULL;
    if (__builtin_add_overflow(out->size, size, &out->size))
        return false;
    if (!elsewhere && last && !last->elsewhere) {
        last->size += size;
        return true;
    }
    if (!hcbr_i_grow(&out->runs, &out->run_capacity, out->run_count + 1, sizeof *out->runs))
        return false;
    out->runs[out->run_count++] = (hcbr_i_run){elsewhere, out->used, size};
    return true;
}

/** Room for size more bytes in the buffer, or NULL. */
static unsigned char *out_take(hcbr_i_out *out, size_t size) {
    size_t need;
    if (out->failed)
        return NULL;
    if (__builtin_add_overflow(out->used, size, &need) ||
        !hcbr_i_grow(&out->bytes, &out->capacity, need, 1) || !out_run(out, NULL, size)) {
        out->failed = true;
        return NULL;
    }
    unsigned char *at = out->bytes + out->used;
    out->used = need;
    return at;
}

unsigned char *hcbr_i_out_take(hcbr_i_out *out, size_t count, size_t size) {
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        out->failed = true;
        return NULL;
    }
    return out_take(out, bytes);
}

void hcbr_i_out_bytes(hcbr_i_out *out, const void *bytes, size_t size) {
    if (size == 0 || out->failed)
        return;
    if (size >= LARGE) {
        out->failed = !out_run(out, bytes, size);
        return;
    }
    unsigned char *p = out_take(out, size);
    if (p)
        memcpy(p, bytes, size);
}

void hcbr_i_out_zeros(hcbr_i_out *out, size_t size) {
    if (size == 0)
        return;
    unsigned char *p = out_take(out, size);
    if (p)
        memset(p, 0, size);
}

void hcbr_i_out_u32(hcbr_i_out *out, uint32_t value) {
    unsigned char *p = out_take(out, 4);
    if (p)
        hcbr_i_put_u32(p, value);
}

void hcbr_i_out_u64(hcbr_i_out *out, uint64_t value) {
    unsigned char *p = out_take(out, 8);
    if (p)
        hcbr_i_store64(p, value);
}

/** Values from this machine's order of bytes to that of the file, or back. */
static void copy_values(void *to, const void *from, size_t count, size_t width) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    memcpy(to, from, count * width);
#else
    unsigned char *out = to;
    const unsigned char *in = from;
    for (size_t at = 0; at < count * width; at += width)
        for (size_t i = 0; i < width; i++)
            out[at + i] = in[at + width - 1 - i];
#endif
}

static void out_values(hcbr_i_out *out, const void *values, size_t count, size_t width) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    hcbr_i_out_bytes(out, values, count * width); // an array: the product was checked
#else
    unsigned char *p = count > 0 ? hcbr_i_out_take(out, count, width) : NULL;
    if (p)
        copy_values(p, values, count, width);
#endif
}

void hcbr_i_out_u32s(hcbr_i_out *out, const uint32_t *values, size_t count) {
    out_values(out, values, count, sizeof *values);
}

void hcbr_i_out_u64s(hcbr_i_out *out, const uint64_t *values, size_t count) {
    out_values(out, values, count, sizeof *values);
}

void hcbr_i_out_f64s(hcbr_i_out *out, const double *values, size_t count) {
    _Static_assert(sizeof *values == 8, "doubles have 64 bits");
    out_values(out, values, count, sizeof *values);
}

void hcbr_i_out_patch_u64(hcbr_i_out *out, size_t at, uint64_t value) {
    if (!out->failed)
        hcbr_i_store64(out->bytes + at, value);
}

/* ---- reading --------------------------------------------------------------------------------- */

hcbr_status hcbr_i_in_take(hcbr_i_in *in, uint64_t count, size_t width, const char *what,
                           const unsigned char **at, hcbr_error *err) {
    if (count > in->left / width)
        return hcbr_i_model_bad(err, in->section,
                                "%zu bytes left, expected %llu values of %zu bytes (%s)", in->left,
                                (unsigned long long)count, width, what);
    *at = in->at;
    in->at += (size_t)count * width;
    in->left -= (size_t)count * width;
    return HCBR_OK;
}

/** Values in new memory; array is the address of the pointer that receives it. */
static hcbr_status in_values(hcbr_i_in *in, uint64_t count, size_t width, const char *what,
                             void *array, hcbr_error *err) {
    const unsigned char *at = NULL;
    hcbr_status st = hcbr_i_in_take(in, count, width, what, &at, err);
    if (st != HCBR_OK)
        return st;
    assert(at); // absent sections are not read
    void *values = hcbr_i_alloc((size_t)count, width);
    if (!values)
        return hcbr_i_no_memory(err);
    if (count > 0)
        copy_values(values, at, (size_t)count, width);
    memcpy(array, &values, sizeof values);
    return HCBR_OK;
}

hcbr_status hcbr_i_in_lend(hcbr_i_in *in, uint64_t count, size_t width, const char *what,
                           void *array, hcbr_error *err) {
    const bool as_it_is = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__;
    const unsigned char *at = in->at;
    if (!as_it_is || !in->lent || count == 0 || (uintptr_t)at % width != 0)
        return in_values(in, count, width, what, array, err);
    hcbr_status st = hcbr_i_in_take(in, count, width, what, &at, err);
    if (st == HCBR_OK)
        memcpy(array, &at, sizeof at);
    return st;
}

hcbr_status hcbr_i_in_u32s(hcbr_i_in *in, uint64_t count, const char *what, void *array,
                           hcbr_error *err) {
    return in_values(in, count, sizeof(uint32_t), what, array, err);
}

hcbr_status hcbr_i_in_u64s(hcbr_i_in *in, uint64_t count, const char *what, void *array,
                           hcbr_error *err) {
    return in_values(in, count, sizeof(uint64_t), what, array, err);
}

hcbr_status hcbr_i_in_f64s(hcbr_i_in *in, uint64_t count, const char *what, double **array,
                           hcbr_error *err) {
    return in_values(in, count, sizeof(double), what, array, err);
}

hcbr_status hcbr_i_in_text(hcbr_i_in *in, size_t length, const char *what, uint64_t index,
                           const char **text, hcbr_error *err) {
    if (length > in->left)
        return hcbr_i_model_bad(err, in->section, "%zu bytes left, expected %zu (%s %llu)",
                                in->left, length, what, (unsigned long long)index);
    const char *at = (const char *)in->at;
    size_t good = hcbr_i_utf8_check(at, length);
    if (good != length)
        return hcbr_i_model_bad(
            err, in->section, "byte 0x%02x at offset %zu of %s %llu, expected UTF-8 without NUL",
            (unsigned)(unsigned char)at[good], good, what, (unsigned long long)index);
    *text = at;
    in->at += length;
    in->left -= length;
    return HCBR_OK;
}

hcbr_status hcbr_i_in_end(const hcbr_i_in *in, hcbr_error *err) {
    if (in->left > 0)
        return hcbr_i_model_bad(err, in->section, "%zu bytes left, expected its end", in->left);
    return HCBR_OK;
}
