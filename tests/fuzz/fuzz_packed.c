/*
 * Sources of bytes, compressed or not: the input as it is, and packed by gzip and zstd.
 *
 * What must hold: however few bytes come at a time, and however few are asked for, the same bytes
 * come out, or a failure; what was packed comes out as it was; nothing is accepted that a plain
 * loop over zlib or libzstd does not accept with the same bytes.
 */
#include "fuzz.h"

#include "read/source.h"

#include <stdlib.h>
#include <zlib.h>
#include <zstd.h>

#define ROOM ((size_t)1 << 16)

/** What came out of a source. */
typedef struct result {
    hcbr_status status;
    uint64_t size, hash;
} result;

static void add(result *r, const char *bytes, size_t size) {
    r->size += size;
    for (size_t i = 0; i < size; i++)
        r->hash = (r->hash ^ (unsigned char)bytes[i]) * UINT64_C(0x100000001B3);
}

static result drain(const uint8_t *bytes, size_t size, size_t piece, size_t room, unsigned fault,
                    bool *failed) {
    static char to[ROOM];
    fuzz_memory m = {bytes, size, 0, piece};
    hcbr_read_options options;
    hcbr_i_source *source = NULL;
    hcbr_error err;
    result r = {HCBR_OK, 0, 7};
    size_t got = 1;
    hcbr_read_options_init(&options);
    options.strict = 1; // bytes as they are
    options.open = fuzz_memory_open;
    options.open_context = &m;
    fuzz_arm(fault);
    r.status = hcbr_i_source_open(&source, "input", &options, &err);
    while (r.status == HCBR_OK && got > 0) {
        r.status = hcbr_i_source_read(source, to, room, &got, &err);
        FUZZ_CHECK(r.status == HCBR_OK || got == 0);
        add(&r, to, got);
    }
    *failed = fuzz_disarm();
    if (r.status != HCBR_OK)
        fuzz_check_error(r.status, &err);
    FUZZ_CHECK(r.status == HCBR_OK || r.status == HCBR_EDATA || *failed);
    hcbr_i_source_close(source);
    return r;
}

/** The same by a plain loop; a status other than HCBR_OK says no more than that. */
static result expand(hcbr_i_packing packing, const uint8_t *bytes, size_t size) {
    static char to[ROOM];
    result r = {HCBR_EDATA, 0, 7};
    if (packing == HCBR_I_GZIP) {
        z_stream z = {.next_in = NULL};
        FUZZ_CHECK(inflateInit2(&z, 15 + 16) == Z_OK);
        z.next_in = (Bytef *)(uintptr_t)bytes;
        z.avail_in = (uInt)size;
        for (int done = Z_OK; done == Z_OK;) {
            z.next_out = (Bytef *)to;
            z.avail_out = ROOM;
            done = inflate(&z, Z_NO_FLUSH);
            add(&r, to, ROOM - z.avail_out);
            if (done == Z_STREAM_END && z.avail_in == 0)
                r.status = HCBR_OK;
            else if (done == Z_STREAM_END)
                done = inflateReset(&z);
        }
        inflateEnd(&z);
        return r;
    }
    ZSTD_DCtx *d = ZSTD_createDCtx();
    ZSTD_inBuffer in = {bytes, size, 0};
    FUZZ_CHECK(d != NULL);
    for (size_t left = 1, before = 1; left != 0 || in.pos < in.size;) {
        ZSTD_outBuffer out = {to, ROOM, 0};
        before = in.pos;
        left = ZSTD_decompressStream(d, &out, &in);
        if (ZSTD_isError(left) || (in.pos == before && out.pos == 0))
            break;
        add(&r, to, out.pos);
        if (left == 0 && in.pos == in.size)
            r.status = HCBR_OK;
    }
    ZSTD_freeDCtx(d);
    return r;
}

/** The input packed comes out as it was. */
static void check_packed(const fuzz_input *in, size_t piece, size_t room) {
    size_t most = ZSTD_compressBound(in->left) + compressBound((uLong)in->left) + 64, size;
    uint8_t *packed = malloc(most);
    result plain = {HCBR_OK, 0, 7};
    z_stream z = {.next_in = NULL};
    bool failed;
    FUZZ_CHECK(packed != NULL);
    add(&plain, (const char *)in->at, in->left);
    size = ZSTD_compress(packed, most, in->at, in->left, 1);
    FUZZ_CHECK(!ZSTD_isError(size));
    result r = drain(packed, size, piece, room, 0, &failed);
    FUZZ_CHECK(r.status == HCBR_OK && r.size == plain.size && r.hash == plain.hash);
    FUZZ_CHECK(deflateInit2(&z, 1, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK);
    z.next_in = (Bytef *)(uintptr_t)in->at;
    z.avail_in = (uInt)in->left;
    z.next_out = packed;
    z.avail_out = (uInt)most;
    FUZZ_CHECK(deflate(&z, Z_FINISH) == Z_STREAM_END);
    size = most - z.avail_out;
    deflateEnd(&z);
    r = drain(packed, size, piece, room, 0, &failed);
    FUZZ_CHECK(r.status == HCBR_OK && r.size == plain.size && r.hash == plain.hash);
    free(packed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    unsigned sizes = fuzz_choice(&in), fault = fuzz_choice(&in);
    size_t piece = 1 + (size_t)(sizes & 7) * 5, room = sizes >> 3 ? (size_t)(sizes >> 3) * 9 : ROOM;
    bool failed;
    result whole = drain(in.at, in.left, SIZE_MAX, ROOM, fault, &failed);
    hcbr_i_packing packing = hcbr_i_packing_of((const char *)in.at, in.left);
    if (failed)
        return 0;
    if (whole.size < (1 << 20)) { // each byte alone is slow
        result pieces = drain(in.at, in.left, piece, room, 0, &failed);
        FUZZ_CHECK(pieces.status == whole.status);
        FUZZ_CHECK(whole.status != HCBR_OK ||
                   (pieces.size == whole.size && pieces.hash == whole.hash));
    }
    if (packing == HCBR_I_PLAIN || packing == HCBR_I_UNDECIDED) {
        FUZZ_CHECK(whole.status == HCBR_OK && whole.size == in.left);
        check_packed(&in, piece, room);
    } else if (whole.size < (32 << 20)) { // more may be refused for its size
        result again = expand(packing, in.at, in.left);
        FUZZ_CHECK(whole.status != HCBR_OK || again.status == HCBR_OK);
        // libzstd does not always mind a frame that lies about its size.
        FUZZ_CHECK(packing == HCBR_I_ZSTD || again.status == whole.status);
        FUZZ_CHECK(whole.status != HCBR_OK ||
                   (again.size == whole.size && again.hash == whole.hash));
    }
    return 0;
}
