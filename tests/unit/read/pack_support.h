// Help for tests of compressed input: pack bytes into gzip members and zstd frames.
#ifndef HCBR_TEST_PACK_SUPPORT_H
#define HCBR_TEST_PACK_SUPPORT_H

#include "read_support.h"

#include <zlib.h>
#include <zstd.h>

/** Append the bytes as one gzip member. */
static inline void pack_gzip(text *out, const char *bytes, size_t size, int level) {
    z_stream z = {.next_in = NULL};
    size_t room = size + size / 8 + 100;
    char *packed = malloc(room);

    assert_non_null(packed);
    assert_int_equal(deflateInit2(&z, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    z.next_in = (Bytef *)(uintptr_t)bytes;
    z.avail_in = (uInt)size;
    z.next_out = (Bytef *)packed;
    z.avail_out = (uInt)room;
    assert_int_equal(deflate(&z, Z_FINISH), Z_STREAM_END);
    text_add(out, packed, room - z.avail_out);
    deflateEnd(&z);
    free(packed);
}

/** Append the bytes as one zstd frame with a checksum; window_log 0: the default of zstd. */
static inline void pack_zstd(text *out, const char *bytes, size_t size, int level, int window_log) {
    ZSTD_CCtx *c = ZSTD_createCCtx();
    size_t room = ZSTD_compressBound(size) + 100;
    char *packed = malloc(room);
    ZSTD_inBuffer in = {bytes, size, 0};
    ZSTD_outBuffer to = {packed, room, 0};

    assert_non_null(packed);
    assert_non_null(c);
    ZSTD_CCtx_setParameter(c, ZSTD_c_compressionLevel, level);
    ZSTD_CCtx_setParameter(c, ZSTD_c_checksumFlag, 1);
    if (window_log > 0)
        ZSTD_CCtx_setParameter(c, ZSTD_c_windowLog, window_log);
    if (window_log > 0) // not all at once, or the window is made as small as the data
        assert_false(ZSTD_isError(ZSTD_compressStream2(c, &to, &in, ZSTD_e_flush)));
    assert_int_equal(ZSTD_compressStream2(c, &to, &in, ZSTD_e_end), 0);
    text_add(out, packed, to.pos);
    ZSTD_freeCCtx(c);
    free(packed);
}

/** Append the bytes in `pieces` members or frames of random sizes, some of them empty. */
static inline void pack_pieces(text *out, const char *bytes, size_t size, bool zstd, size_t pieces,
                               uint64_t *seed) {
    for (size_t left = pieces; left > 0; left--) {
        size_t n = left == 1 ? size : (size_t)draw(seed, size + 1) * (draw(seed, 4) > 0);

        if (zstd)
            pack_zstd(out, bytes, n, 1 + (int)draw(seed, 9), 0);
        else
            pack_gzip(out, bytes, n, (int)draw(seed, 10));
        bytes += n;
        size -= n;
    }
}

#endif
