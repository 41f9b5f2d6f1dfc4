/*
 * Compressed bytes into plain ones: gzip with any number of members, zstd with any number of
 * frames.
 *
 * Invariant: the end is reported only if a member or frame is complete and its checksum is right;
 * anything else is an error with its place, whatever the sizes of the reads. Memory does not depend
 * on the data: zlib's 32 KiB, or a zstd window that is limited. How far the data may expand is
 * limited too.
 */
#include "read/source.h"

#include <stdio.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

#define RAW ((size_t)128 << 10)     /* compressed bytes read at once */
#define MOST ((size_t)1 << 30)      /* expanded bytes at once: zlib counts in 32 bits */
#define ALWAYS ((uint64_t)64 << 20) /* expanded bytes that are always allowed */

#define NOT_PROMISED UINT64_MAX
#define GZIP_START 2  /* bytes that identify another member */
#define ZSTD_START 18 /* bytes that hold the header of any frame */

struct hcbr_i_expander {
    hcbr_i_packing packing;
    hcbr_i_raw_read *raw;
    void *context;
    const char *name;
    uint32_t max_expand, max_window;
    char *bytes; /* RAW of them */
    size_t begin, end;
    bool ended;   /* there are no more raw bytes */
    bool inside;  /* of a member or frame */
    bool waiting; /* the decoder may hold bytes for which there was no room */
    uint64_t read, made;
    uint64_t piece;    /* raw bytes before the current member or frame */
    uint64_t promised; /* zstd: expanded bytes up to the end of the frame; NOT_PROMISED */
    z_stream gzip;
    bool gzip_ready;
    ZSTD_DCtx *zstd;
};

/* ---- kinds ----------------------------------------------------------------------------------- */

hcbr_i_packing hcbr_i_packing_of(const char *bytes, size_t size) {
    static const char zstd[] = "\x28\xB5\x2F\xFD", gzip[] = "\x1F\x8B";
    static const char skip[] = "\x2A\x4D\x18"; // after 0x50 to 0x5F: a frame without data
    bool may_skip = size == 0 || (bytes[0] & 0xF0) == 0x50;
    size_t first = size < 4 ? size : 4;
    if (size >= 2 && memcmp(bytes, gzip, 2) == 0)
        return HCBR_I_GZIP;
    if (memcmp(bytes, zstd, first) == 0 ||
        (may_skip && (first < 2 || memcmp(bytes + 1, skip, first - 1) == 0)))
        return first == 4 ? HCBR_I_ZSTD : HCBR_I_UNDECIDED;
    return size < 2 && (size == 0 || bytes[0] == gzip[0]) ? HCBR_I_UNDECIDED : HCBR_I_PLAIN;
}

static const char *packing_name(const hcbr_i_expander *e) {
    return e->packing == HCBR_I_GZIP ? "gzip" : "zstd";
}

static const char *piece_name(const hcbr_i_expander *e) {
    return e->packing == HCBR_I_GZIP ? "member" : "frame";
}

/* ---- memory of zlib -------------------------------------------------------------------------- */

static void *zlib_alloc(void *opaque, unsigned count, unsigned size) {
    (void)opaque;
    return hcbr_i_alloc(count, size);
}

static void zlib_free(void *opaque, void *block) {
    (void)opaque;
    hcbr_i_free(block);
}

/** The largest n with 2^n <= bytes. */
static int log_of(uint32_t bytes) {
    int n = 0;
    while (bytes >>= 1)
        n++;
    return n;
}

hcbr_status hcbr_i_expander_create(hcbr_i_expander **out, hcbr_i_packing packing,
                                   hcbr_i_raw_read *raw, void *context, hcbr_i_text first,
                                   const char *name, const hcbr_read_options *limits,
                                   hcbr_error *err) {
    hcbr_i_expander *e = hcbr_i_alloc_zero(1, sizeof *e);
    *out = NULL;
    if (e == NULL)
        return hcbr_i_no_memory(err);
    *e = (hcbr_i_expander){.packing = packing,
                           .raw = raw,
                           .context = context,
                           .name = name,
                           .max_expand = limits->max_expand,
                           .max_window = limits->max_window,
                           .bytes = hcbr_i_alloc(RAW > first.length ? RAW : first.length, 1),
                           .end = first.length,
                           .read = first.length,
                           .gzip = {.zalloc = zlib_alloc, .zfree = zlib_free}};
    if (e->bytes == NULL)
        goto no_memory;
    memcpy(e->bytes, first.at, first.length);
    if (packing == HCBR_I_GZIP) {
        e->gzip_ready = inflateInit2(&e->gzip, 15 + 16) == Z_OK; // gzip alone, any window
        if (!e->gzip_ready)
            goto no_memory;
    } else {
        e->zstd = hcbr_i_fault_now(HCBR_I_FAULT_ALLOC) ? NULL : ZSTD_createDCtx();
        if (e->zstd == NULL || ZSTD_isError(ZSTD_DCtx_setParameter(e->zstd, ZSTD_d_windowLogMax,
                                                                   log_of(e->max_window))))
            goto no_memory;
    }
    *out = e;
    return HCBR_OK;

no_memory:
    hcbr_i_expander_free(e);
    return hcbr_i_no_memory(err);
}

void hcbr_i_expander_free(hcbr_i_expander *expander) {
    if (expander == NULL)
        return;
    if (expander->gzip_ready)
        inflateEnd(&expander->gzip);
    ZSTD_freeDCtx(expander->zstd);
    hcbr_i_free(expander->bytes);
    hcbr_i_free(expander);
}

uint64_t hcbr_i_expander_used(const hcbr_i_expander *expander) {
    return expander->read - (expander->end - expander->begin);
}

uint64_t hcbr_i_expander_made(const hcbr_i_expander *expander) {
    return expander->made;
}

/* ---- errors ---------------------------------------------------------------------------------- */

/** HCBR_EDATA after this many raw bytes. */
static hcbr_status fail_behind(const hcbr_i_expander *e, uint64_t used, hcbr_error *err,
                               const char *format, ...) HCBR_I_PRINTF(4, 5);
static hcbr_status fail_behind(const hcbr_i_expander *e, uint64_t used, hcbr_error *err,
                               const char *format, ...) {
    char words[300];
    va_list args;
    va_start(args, format);
    vsnprintf(words, sizeof words, format, args);
    va_end(args);
    return hcbr_i_fail_at(err, HCBR_EDATA, e->name, 0, 0, "at byte %llu of the compressed data: %s",
                          (unsigned long long)used, words);
}

/** The same at the place the decoder has come to. */
#define fail(e, ...) fail_behind(e, hcbr_i_expander_used(e), __VA_ARGS__)

static hcbr_status fail_trailing(const hcbr_i_expander *e, hcbr_error *err) {
    return fail_behind(e, e->piece, err,
                       "found bytes that are not %s, expected another %s or the end",
                       packing_name(e), piece_name(e));
}

static hcbr_status check_growth(const hcbr_i_expander *e, hcbr_error *err) {
    uint64_t used = hcbr_i_expander_used(e);
    if (e->made <= ALWAYS || e->made / e->max_expand <= used)
        return HCBR_OK;
    return fail(e, err,
                "found that it expands to more than %u times its size, expected less "
                "(option max_expand raises the limit)",
                e->max_expand);
}

/* ---- decoders -------------------------------------------------------------------------------- */

/** Have at least `need` raw bytes, or all there are. */
static hcbr_status refill(hcbr_i_expander *e, size_t need, hcbr_error *err) {
    while (e->end - e->begin < need && !e->ended) {
        hcbr_status st;
        size_t got;
        memmove(e->bytes, e->bytes + e->begin, e->end - e->begin);
        e->end -= e->begin;
        e->begin = 0;
        if ((st = e->raw(e->context, e->bytes + e->end, RAW - e->end, &got, err)) != HCBR_OK)
            return st;
        e->end += got;
        e->read += got;
        e->ended = got == 0;
    }
    return HCBR_OK;
}

static hcbr_status step_gzip(hcbr_i_expander *e, char *to, size_t room, size_t *got,
                             hcbr_error *err) {
    size_t have = e->end - e->begin;
    int done;
    if (!e->inside) {
        if (have < 2 || memcmp(e->bytes + e->begin, "\x1F\x8B", 2) != 0)
            return fail_trailing(e, err);
        if (inflateReset(&e->gzip) != Z_OK)
            return hcbr_i_no_memory(err);
        e->inside = true;
    }
    e->gzip.next_in = (Bytef *)e->bytes + e->begin;
    e->gzip.avail_in = (uInt)have;
    e->gzip.next_out = (Bytef *)to;
    e->gzip.avail_out = (uInt)room;
    done = inflate(&e->gzip, Z_NO_FLUSH);
    e->begin = e->end - e->gzip.avail_in;
    *got = room - e->gzip.avail_out;
    e->waiting = e->gzip.avail_out == 0;
    if (done == Z_STREAM_END) {
        e->inside = e->waiting = false;
        return HCBR_OK;
    }
    if (done == Z_OK || done == Z_BUF_ERROR) // the second: nothing to do without more bytes
        return HCBR_OK;
    if (done == Z_MEM_ERROR)
        return hcbr_i_no_memory(err);
    return fail(e, err, "found damaged gzip data (%s), expected it whole",
                e->gzip.msg != NULL ? e->gzip.msg : "a dictionary is needed");
}

/** At the start of a frame: use the size in its header. */
static void begin_frame(hcbr_i_expander *e) {
    unsigned long long size = ZSTD_getFrameContentSize(e->bytes + e->begin, e->end - e->begin);
    if (size == ZSTD_CONTENTSIZE_UNKNOWN || size == ZSTD_CONTENTSIZE_ERROR ||
        __builtin_add_overflow(e->made, (uint64_t)size, &e->promised))
        e->promised = NOT_PROMISED;
}

// NOLINTNEXTLINE(readability-non-const-parameter): zstd writes there through its buffer.
static hcbr_status step_zstd(hcbr_i_expander *e, char *to, size_t room, size_t *got,
                             hcbr_error *err) {
    ZSTD_inBuffer in = {e->bytes + e->begin, e->end - e->begin, 0};
    ZSTD_outBuffer out = {.size = room};
    size_t left;

    // The window is allocated after the first bytes of a frame.
    if (!e->inside && hcbr_i_fault_now(HCBR_I_FAULT_ALLOC))
        return hcbr_i_no_memory(err);
    out.dst = to; // separate, or the linter takes it for a pointer to constant data
    left = ZSTD_decompressStream(e->zstd, &out, &in);
    e->begin += in.pos;
    *got = out.pos;
    if (!ZSTD_isError(left)) {
        e->inside = left != 0;
        e->waiting = e->inside && out.pos == out.size;
        // The library itself checks this only on some paths.
        if (!e->inside && e->promised != NOT_PROMISED && e->promised != e->made + out.pos)
            return fail(e, err,
                        "found damaged zstd data (wrong size of a frame), expected it whole");
        return HCBR_OK;
    }
    switch (ZSTD_getErrorCode(left)) {
    case ZSTD_error_memory_allocation:
        return hcbr_i_no_memory(err);
    case ZSTD_error_frameParameter_windowTooLarge:
        return fail(
            e, err,
            "found a window of more than %u bytes, expected a smaller one (option max_window "
            "raises the limit)",
            1u << log_of(e->max_window));
    case ZSTD_error_prefix_unknown: // the first frame was recognised by it
        return fail_trailing(e, err);
    default:
        return fail(e, err, "found damaged zstd data (%s), expected it whole",
                    ZSTD_getErrorName(left));
    }
}

hcbr_status hcbr_i_expander_read(hcbr_i_expander *expander, char *to, size_t room, size_t *got,
                                 hcbr_error *err) {
    hcbr_i_expander *e = expander;
    hcbr_status st = HCBR_OK;
    *got = 0;
    if (room > MOST)
        room = MOST;
    while (*got == 0) {
        size_t start = e->packing == HCBR_I_GZIP ? GZIP_START : ZSTD_START;
        if (!e->waiting && (st = refill(e, e->inside ? 1 : start, err)) != HCBR_OK)
            return st;
        if (!e->waiting && e->begin == e->end) {
            if (!e->inside)
                return HCBR_OK;
            return fail(e, err, "found the end of the file inside a %s %s, expected it whole",
                        packing_name(e), piece_name(e));
        }
        if (!e->inside) {
            e->piece = hcbr_i_expander_used(e);
            if (e->packing == HCBR_I_ZSTD)
                begin_frame(e);
        }
        st = e->packing == HCBR_I_GZIP ? step_gzip(e, to, room, got, err)
                                       : step_zstd(e, to, room, got, err);
        if (st == HCBR_OK) {
            e->made += *got;
            st = check_growth(e, err);
        }
        if (st != HCBR_OK) {
            *got = 0;
            return st;
        }
    }
    return HCBR_OK;
}
