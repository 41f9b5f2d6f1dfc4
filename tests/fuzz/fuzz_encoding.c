/*
 * Bytes of any encoding as UTF-8: the input as a file, by its bytes or by the name of an encoding.
 *
 * What must hold: the same text and the same decision come out however few bytes come at a time and
 * however few are asked for; what comes out of another encoding is UTF-8 but for what is marked as
 * no character; UTF-8 and ASCII come out as they went in, but for zeros at the end and for bytes
 * that are mended: no more than one for two characters beyond ASCII, and only where nothing was
 * asked for; what is left out or mended is said; a name given for what was found gives the same
 * text.
 */
#include "fuzz.h"

#include "read/encoding.h"

#include <stdlib.h>

#define MOST 8192 /* bytes of an input */

typedef struct result {
    char bytes[4 * MOST];
    size_t size;
    hcbr_status status;
    char told[HCBR_I_TOLD], mended[HCBR_I_TOLD], zeros[HCBR_I_TOLD];
    const char *encoding;
} result;

static void drain(result *r, const fuzz_input *in, const char *encoding, size_t piece, size_t room,
                  bool live, unsigned fault) {
    static char to[1 << 16];
    fuzz_memory m = {in->at, in->left, 0, piece};
    hcbr_i_decoder d;
    hcbr_error err;
    size_t got = 1;
    r->size = 0;
    r->told[0] = r->mended[0] = r->zeros[0] = 0;
    hcbr_i_decoder_init(&d, encoding, false);
    d.is_live = live;
    fuzz_arm(fault);
    do {
        r->status = hcbr_i_decoder_read(&d, fuzz_memory_read, &m, to, room, &got, &err);
        FUZZ_CHECK(r->status == HCBR_OK || got == 0);
        FUZZ_CHECK(r->size + got <= sizeof r->bytes);
        memcpy(r->bytes + r->size, to, got);
        r->size += got;
    } while (r->status == HCBR_OK && got > 0);
    bool failed = fuzz_disarm();
    FUZZ_CHECK(r->status == HCBR_OK || failed);
    (void)hcbr_i_decoder_tell(&d, r->told);
    r->encoding = hcbr_i_decoder_encoding(&d);
    for (char told[HCBR_I_TOLD]; hcbr_i_decoder_tell_end(&d, told);)
        strcpy(strstr(told, "zero byte") != NULL ? r->zeros : r->mended, told);
    hcbr_i_decoder_clear(&d);
}

/** Text but for marks: the byte 0xFF and one that says why. */
static void check_text(const result *r) {
    for (size_t at = 0; at < r->size;) {
        size_t used = 1;
        unsigned char c = (unsigned char)r->bytes[at];
        if (c == 0xFF) {
            FUZZ_CHECK(at + 1 < r->size && ((unsigned char)r->bytes[at + 1] & 0xC0) == 0x80);
            used = 2;
        } else if (c >= 0x80) {
            FUZZ_CHECK(hcbr_text_code(r->bytes + at, r->size - at, &used) >= 0);
        }
        at += used;
    }
}

/** As it went in, but for mended bytes, of which *count receives how many, and zeros at the end. */
static void check_same(const result *r, const fuzz_input *in, size_t *count) {
    const char *bytes = (const char *)in->at;
    size_t good = 0, out = 0, at = 0, used;
    for (*count = 0; at < in->left && out < r->size; at += used) {
        bool is_good = hcbr_text_code(bytes + at, in->left - at, &used) >= 0;
        uint16_t code = is_good ? 0 : hcbr_i_encodings[0].codes[(bytes[at] & 0xFF) - HCBR_I_HIGH];
        size_t made;
        good += is_good && used > 1;
        if (code != 0 && hcbr_text_code(r->bytes + out, r->size - out, &made) == code) {
            out += made;
            ++*count;
            continue;
        }
        FUZZ_CHECK(r->size - out >= used && memcmp(r->bytes + out, bytes + at, used) == 0);
        out += used;
    }
    FUZZ_CHECK(out == r->size);
    FUZZ_CHECK((at < in->left) == (r->zeros[0] != 0));
    for (; at < in->left; at++)
        FUZZ_CHECK(bytes[at] == 0);
    FUZZ_CHECK(2 * *count <= good);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const names[] = {NULL,     "utf-8",     "utf-16",  "utf-16be",
                                        "utf-32", "utf-32be",  "cp1252",  "cp1250",
                                        "cp1251", "macintosh", "latin-9", "latin-1"};
    static result whole, pieces, named;
    fuzz_input in = {data, size};
    unsigned name = fuzz_choice(&in) % 12, live = fuzz_choice(&in) & 1;
    unsigned piece = fuzz_choice(&in), room = fuzz_choice(&in), fault = fuzz_choice(&in);
    if (in.left > MOST)
        in.left = MOST;
    drain(&whole, &in, names[name], SIZE_MAX, 1 << 16, live, 0);
    drain(&pieces, &in, names[name], 1 + piece, 1 + room, live, 0);
    FUZZ_CHECK(whole.size == pieces.size && memcmp(whole.bytes, pieces.bytes, whole.size) == 0);
    FUZZ_CHECK(strcmp(whole.told, pieces.told) == 0 && whole.encoding == pieces.encoding);
    FUZZ_CHECK(strcmp(whole.mended, pieces.mended) == 0 && strcmp(whole.zeros, pieces.zeros) == 0);
    if (whole.encoding != NULL) {
        check_text(&whole);
    } else {
        size_t mended;
        check_same(&whole, &in, &mended);
        FUZZ_CHECK((mended > 0) == (whole.mended[0] != 0) && (mended == 0 || name == 0));
    }
    if (name == 0 && whole.encoding != NULL) {
        drain(&named, &in, whole.encoding, SIZE_MAX, 1 << 16, false, 0);
        FUZZ_CHECK(whole.size == named.size && memcmp(whole.bytes, named.bytes, named.size) == 0);
        FUZZ_CHECK(whole.told[0] != 0 && named.told[0] == 0);
    }
    drain(&pieces, &in, names[name], 1 + piece, 1 + room, live, fault);
    return 0;
}
