/*
 * The text of a file as UTF-8, from any encoding, in the order of its bytes and in one pass.
 *
 * A mark or the zeros in the first line decide at once. Otherwise ASCII is passed on unchanged,
 * since all other encodings share it, and the first byte that is not ASCII decides together with
 * the following ones, anywhere in the file. From there on bytes are either passed on or decoded; a
 * few invalid bytes in UTF-8 are mended (mend.c). Invariants: the decision is made before a byte
 * beyond ASCII is passed on; neither the output nor the decision depends on the sizes of reads.
 */
#include "read/encoding.h"

#include <hcbr/text.h>
#include <stdio.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HEAD ((size_t)4 << 10)    /* bytes in which the first line is looked for */
#define WINDOW ((size_t)64 << 10) /* bytes that a guess looks at */
#define BLOCK 256                 /* bytes looked at together */

enum { AT_HEAD = 0, IN_ASCII, AS_IS, IN_UTF8, IN_BYTES, IN_UNITS };

void hcbr_i_decoder_init(hcbr_i_decoder *d, const char *encoding, bool strict) {
    memset(d, 0, sizeof *d);
    d->line = 1;
    d->last = '\n';
    if (!hcbr_i_charset_find(&d->charset, encoding) || (strict && d->charset.name == NULL))
        d->mode = AS_IS;
    else if (d->charset.name == NULL || d->charset.marked)
        d->mode = AT_HEAD;
    else if (d->charset.bytes != NULL)
        d->mode = IN_BYTES;
    else
        d->mode = d->charset.unit > 1 ? IN_UNITS : AS_IS;
    atomic_init(&d->found, d->mode == IN_BYTES || d->mode == IN_UNITS || d->charset.marked);
    d->told = true; // a requested encoding needs no note
    d->mend.off = strict;
}

void hcbr_i_decoder_clear(hcbr_i_decoder *d) {
    hcbr_i_free(d->raw);
    hcbr_i_mend_clear(&d->mend);
    d->raw = NULL;
    d->begin = d->end = d->capacity = 0;
}

/* ---- waiting bytes --------------------------------------------------------------------------- */

/** Make room for `size` waiting bytes in all. */
static bool reserve(hcbr_i_decoder *d, size_t size) {
    if (d->begin > 0)
        memmove(d->raw, d->raw + d->begin, d->end - d->begin);
    d->end -= d->begin;
    d->begin = 0;
    return hcbr_i_grow(&d->raw, &d->capacity, size, 1);
}

/** Read until `size` bytes wait, or there are no more. One read at the most if `once`. */
static hcbr_status gather(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, size_t size,
                          bool once, hcbr_error *err) {
    if (!reserve(d, size))
        return hcbr_i_no_memory(err);
    while (!d->ended && d->end < size) {
        size_t got;
        hcbr_status st = raw(context, d->raw + d->end, size - d->end, &got, err);
        if (st != HCBR_OK)
            return st;
        d->end += got;
        d->ended = got == 0;
        if (once)
            break;
    }
    return HCBR_OK;
}

/** Read until a '\n' is after the first `from` waiting bytes, `size` wait or there are no more. */
static hcbr_status gather_line(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, size_t from,
                               size_t size, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    while (st == HCBR_OK && !d->ended && d->end - d->begin < size &&
           (d->end - d->begin <= from ||
            memchr(d->raw + d->begin + from, '\n', d->end - d->begin - from) == NULL)) {
        from = d->end - d->begin > from ? d->end - d->begin : from;
        st = gather(d, raw, context, size, true, err);
    }
    return st;
}

/** Give waiting bytes as they are. */
static size_t give(hcbr_i_decoder *d, char *to, size_t room, size_t size) {
    size_t n = size < room ? size : room;
    memcpy(to, d->raw + d->begin, n);
    d->begin += n;
    return n;
}

/* ---- decisions ------------------------------------------------------------------------------- */

/** Others may know now how the file is read. */
static void publish(hcbr_i_decoder *d) {
    d->told = false;
    atomic_store_explicit(&d->found, true, memory_order_release);
}

const char *hcbr_i_decoder_encoding(const hcbr_i_decoder *d) {
    return atomic_load_explicit(&d->found, memory_order_acquire) ? d->charset.name : NULL;
}

bool hcbr_i_decoder_tell(hcbr_i_decoder *d, char text[HCBR_I_TOLD]) {
    if (hcbr_i_decoder_encoding(d) == NULL || d->told)
        return false;
    d->told = true;
    if (d->byte == 0) {
        snprintf(text, HCBR_I_TOLD, "read as %s (by its %s; option encoding overrides this)",
                 d->charset.name, d->mark ? "byte order mark" : "first line");
        return true;
    }
    int used = snprintf(text, HCBR_I_TOLD,
                        "read as %s (byte 0x%02X at line %llu; option encoding overrides this)",
                        d->charset.name, (unsigned)d->byte, (unsigned long long)d->line);
    if (d->other != NULL)
        snprintf(text + used, HCBR_I_TOLD - (size_t)used, "; %s fits nearly as well",
                 d->other->name);
    if (d->weak)
        snprintf(text + used, HCBR_I_TOLD - (size_t)used,
                 "; no encoding fits it well, and what is no character becomes U+FFFD");
    return true;
}

/** Called when the first line, or its available part, is known. */
static hcbr_status look_at_head(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context,
                                hcbr_error *err) {
    hcbr_i_charset found;
    hcbr_status st = gather_line(d, raw, context, 0, HEAD, err);
    if (st != HCBR_OK)
        return st;
    const char *newline = d->end > 0 ? memchr(d->raw, '\n', d->end) : NULL;
    bool known = hcbr_i_charset_of_head(
        &found, d->raw, newline != NULL ? (size_t)(newline - d->raw) + 1 : d->end, &d->mark);
    if (d->charset.name != NULL) { // a form with units of this size: only their order is unknown
        if (known && d->mark && found.unit == d->charset.unit)
            d->charset = found;
        d->mode = IN_UNITS;
        return HCBR_OK;
    }
    if (!known || found.unit == 1) {
        d->mode = IN_ASCII; // after a mark, too: whether all of it is UTF-8 is found later
        return HCBR_OK;
    }
    d->charset = found;
    d->mode = IN_UNITS;
    publish(d);
    return HCBR_OK;
}

/** Find the encoding, at a first waiting byte that is not ASCII. */
static hcbr_status look_around(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context,
                               hcbr_error *err) {
    hcbr_status st = !d->is_live ? gather(d, raw, context, WINDOW, false, err)
                                 : gather_line(d, raw, context, 0, WINDOW, err);
    if (st != HCBR_OK)
        return st;
    size_t size = d->end - d->begin;
    if (d->is_live) {
        const char *newline = memchr(d->raw + d->begin, '\n', size);
        size = newline != NULL ? (size_t)(newline - d->raw) - d->begin + 1 : size;
    }
    if (size > WINDOW)
        size = WINDOW;
    // A line is never cut; a window that is followed by more may be.
    hcbr_i_guess guess = hcbr_i_encoding_guess(
        d->raw + d->begin, size, d->last, size < WINDOW || (d->ended && size == d->end - d->begin));
    d->mend.known = guess.good;
    d->mode = guess.encoding == NULL && guess.text ? IN_UTF8 : AS_IS;
    if (guess.encoding == NULL || (guess.weak && d->is_live) || d->mark) // a line is too little
        return HCBR_OK;
    d->mode = IN_BYTES;
    d->charset.name = guess.encoding->name;
    d->charset.bytes = guess.encoding;
    d->byte = (unsigned char)d->raw[d->begin];
    d->other = guess.other;
    d->weak = guess.weak;
    publish(d);
    return HCBR_OK;
}

/* ---- ASCII ----------------------------------------------------------------------------------- */

/** Whether all bytes of a block are ASCII. Adds the number of its line ends. */
static inline bool is_ascii_block(const char *bytes, uint64_t *lines) {
#ifdef __SSE2__ // compilers do not find the instruction that adds up the marks of 16 bytes
    const __m128i newline = _mm_set1_epi8('\n');
    __m128i all = _mm_setzero_si128(), ends = all, sums;

#pragma GCC unroll 16
    for (unsigned i = 0; i < BLOCK; i += 16) {
        __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(bytes + i));
        all = _mm_or_si128(all, x);
        ends = _mm_sub_epi8(ends, _mm_cmpeq_epi8(x, newline)); // 16 for each at the most
    }
    if (_mm_movemask_epi8(all) != 0)
        return false;
    sums = _mm_sad_epu8(ends, _mm_setzero_si128());
    *lines += (unsigned)_mm_cvtsi128_si32(sums) + (unsigned)_mm_extract_epi16(sums, 4);
    return true;
#else
    unsigned all = 0, ends = 0;

    for (unsigned i = 0; i < BLOCK; i++) {
        all |= (unsigned char)bytes[i];
        ends += bytes[i] == '\n';
    }
    if (all >= HCBR_I_HIGH)
        return false;
    *lines += ends;
    return true;
#endif
}

/** The number of ASCII bytes at the beginning. Counts their line ends. */
static size_t ascii_length(const char *bytes, size_t size, uint64_t *lines) {
    size_t n = 0;
    while (n + BLOCK <= size && is_ascii_block(bytes + n, lines))
        n += BLOCK;
    for (; n < size && (unsigned char)bytes[n] < HCBR_I_HIGH; n++)
        *lines += bytes[n] == '\n';
    return n;
}

/** Bytes as long as they are ASCII; *got = 0: the first that waits is not, or there are no more. */
static hcbr_status read_ascii(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                              size_t room, size_t *got, hcbr_error *err) {
    size_t size, rest;
    hcbr_status st;
    *got = 0;
    if (d->begin < d->end) {
        size = d->end - d->begin < room ? d->end - d->begin : room;
        *got = give(d, to, room, ascii_length(d->raw + d->begin, size, &d->line));
    } else if (!d->ended) {
        if ((st = raw(context, to, room, &size, err)) != HCBR_OK)
            return st;
        d->ended = size == 0;
        *got = ascii_length(to, size, &d->line);
        rest = size - *got;
        if (rest > 0) {
            if (!reserve(d, rest > WINDOW ? rest : WINDOW)) {
                *got = 0;
                return hcbr_i_no_memory(err);
            }
            memcpy(d->raw, to + *got, rest);
            d->end = rest;
        }
    }
    if (*got > 0)
        d->last = to[*got - 1];
    return HCBR_OK;
}

/* ---- decoding -------------------------------------------------------------------------------- */

/** Write a character as UTF-8. */
static unsigned put(char *to, uint32_t code) {
    if (code < 0x80) {
        to[0] = (char)code;
        return 1;
    }
    if (code < 0x800) {
        to[0] = (char)(0xC0 | code >> 6);
        to[1] = (char)(0x80 | (code & 0x3F));
        return 2;
    }
    if (code < 0x10000) {
        to[0] = (char)(0xE0 | code >> 12);
        to[1] = (char)(0x80 | (code >> 6 & 0x3F));
        to[2] = (char)(0x80 | (code & 0x3F));
        return 3;
    }
    to[0] = (char)(0xF0 | code >> 18);
    to[1] = (char)(0x80 | (code >> 12 & 0x3F));
    to[2] = (char)(0x80 | (code >> 6 & 0x3F));
    to[3] = (char)(0x80 | (code & 0x3F));
    return 4;
}

static unsigned put_bad(char *to, unsigned what) {
    to[0] = (char)0xFF;
    to[1] = (char)what;
    return 2;
}

static uint32_t unit_at(const hcbr_i_decoder *d, const unsigned char *b) {
    uint32_t value = 0;
    for (unsigned i = 0; i < d->charset.unit; i++)
        value = value << 8 | b[d->charset.big ? i : d->charset.unit - 1 - i];
    return value;
}

/** Decode the next character of UTF-16 or UTF-32. 0: it is not complete. */
static unsigned take_units(hcbr_i_decoder *d, char *to) {
    const unsigned char *b = (const unsigned char *)d->raw + d->begin;
    size_t left = d->end - d->begin, unit = d->charset.unit;
    uint32_t code, low;
    if (left < unit) {
        if (!d->ended)
            return 0;
        d->begin = d->end;
        return put_bad(to, HCBR_I_BAD_END);
    }
    code = unit_at(d, b);
    if (unit == 2 && code >= 0xD800 && code < 0xDC00) {
        if (left < 4 && !d->ended)
            return 0;
        low = left < 4 ? 0 : unit_at(d, b + 2);
        if (low >= 0xDC00 && low < 0xE000) {
            d->begin += 4;
            return put(to, 0x10000 + ((code & 0x3FF) << 10 | (low & 0x3FF)));
        }
    }
    d->begin += unit;
    if (code >= 0xD800 && code < 0xE000)
        return put_bad(to, HCBR_I_BAD_HALF);
    return code > 0x10FFFF ? put_bad(to, HCBR_I_BAD_CODE) : put(to, code);
}

static unsigned take_byte(hcbr_i_decoder *d, char *to) {
    unsigned char byte = (unsigned char)d->raw[d->begin++];
    uint16_t code = byte < HCBR_I_HIGH ? byte : d->charset.bytes->codes[byte - HCBR_I_HIGH];
    if (code == 0 && byte != 0)
        return d->weak ? put(to, 0xFFFD) : put_bad(to, byte);
    return put(to, code);
}

/** The next character of UTF-8, or the replacement of an invalid byte. 0: not complete. */
static unsigned take_utf8(hcbr_i_decoder *d, char *to) {
    const size_t left = d->end - d->begin;
    const char *bytes = d->raw + d->begin;
    const unsigned char byte = (unsigned char)*bytes;
    uint32_t code;
    size_t used;
    if (!d->ended && hcbr_i_utf8_is_cut(bytes, left))
        return 0;
    d->begin++;
    if (hcbr_text_code(bytes, left, &used) < 0) {
        code = hcbr_i_mend_byte(&d->mend, byte, d->line);
        to[0] = (char)byte;
        return code == 0 ? 1 : put(to, code);
    }
    memcpy(to, bytes, used); // there is no room for the whole of it
    d->begin += used - 1;
    d->mend.good += used > 1;
    d->line += byte == '\n';
    return (unsigned)used;
}

/** The number of waiting bytes that can be passed unchanged. */
static size_t same_length(hcbr_i_decoder *d, size_t most) {
    uint64_t lines = 0;
    return d->mode == IN_UTF8 ? hcbr_i_utf8_length(d->raw + d->begin, most, &d->line, &d->mend.good)
                              : ascii_length(d->raw + d->begin, most, &lines);
}

/** Decode the waiting bytes into the room; the last character may go to d->out in part. */
static size_t decode(hcbr_i_decoder *d, char *to, size_t room) {
    size_t n = 0;
    while (n < room && d->begin < d->end) {
        if (d->mode != IN_UNITS) { // ASCII or UTF-8 as it is
            size_t most = d->end - d->begin < room - n ? d->end - d->begin : room - n;
            size_t same = give(d, to + n, most, same_length(d, most));
            n += same;
            if (same > 0)
                continue;
        }
        unsigned size = d->mode == IN_UTF8    ? take_utf8(d, d->out)
                        : d->mode == IN_BYTES ? take_byte(d, d->out)
                                              : take_units(d, d->out);
        if (size == 0)
            break;
        d->out_begin = room - n < size ? (unsigned)(room - n) : size;
        d->out_end = size;
        memcpy(to + n, d->out, d->out_begin);
        n += d->out_begin;
    }
    return n;
}

static hcbr_status read_decoded(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                                size_t room, size_t *got, hcbr_error *err) {
    *got = d->out_end - d->out_begin < room ? d->out_end - d->out_begin : room;
    memcpy(to, d->out + d->out_begin, *got);
    d->out_begin += (unsigned)*got;
    while (*got == 0) {
        hcbr_status st;
        if ((*got = decode(d, to, room)) > 0 || (d->ended && d->begin == d->end))
            break;
        if ((st = gather(d, raw, context, WINDOW, true, err)) != HCBR_OK)
            return st;
    }
    return HCBR_OK;
}

/** UTF-8: passed on to the caller up to an invalid byte, or to a character that is cut. */
static hcbr_status read_utf8(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                             size_t room, size_t *got, hcbr_error *err) {
    size_t size = 0, rest;
    hcbr_status st = HCBR_OK;
    *got = 0;
    if (d->begin == d->end && d->out_begin == d->out_end && !d->ended) {
        if ((st = raw(context, to, room, &size, err)) != HCBR_OK)
            return st;
        d->ended = size == 0;
        *got = hcbr_i_utf8_length(to, size, &d->line, &d->mend.good);
        rest = size - *got;
        if (rest > 0 && !reserve(d, rest > WINDOW ? rest : WINDOW)) {
            *got = 0;
            return hcbr_i_no_memory(err);
        }
        if (rest > 0) {
            memcpy(d->raw, to + *got, rest);
            d->end = rest;
        }
    }
    return *got > 0 ? HCBR_OK : read_decoded(d, raw, context, to, room, got, err);
}

static hcbr_status read_text(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                             size_t room, size_t *got, hcbr_error *err) {
    hcbr_status st = HCBR_OK;
    *got = 0;
    for (;;) {
        switch (d->mode) {
        case AT_HEAD:
            st = look_at_head(d, raw, context, err);
            break;
        case IN_ASCII:
            st = read_ascii(d, raw, context, to, room, got, err);
            if (st != HCBR_OK || *got > 0 || d->begin == d->end)
                return st;
            st = look_around(d, raw, context, err);
            break;
        case AS_IS:
            if (d->begin < d->end)
                *got = give(d, to, room, d->end - d->begin);
            else if (!d->ended)
                st = raw(context, to, room, got, err);
            return st;
        case IN_UTF8:
            return read_utf8(d, raw, context, to, room, got, err);
        default:
            return read_decoded(d, raw, context, to, room, got, err);
        }
        if (st != HCBR_OK)
            return st;
    }
}

hcbr_status hcbr_i_decoder_read(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                                size_t room, size_t *got, hcbr_error *err) {
    for (;;) {
        if ((*got = hcbr_i_mend_give(&d->mend, to, room)) > 0)
            return HCBR_OK;
        hcbr_status st = read_text(d, raw, context, to, room, got, err);
        if (st != HCBR_OK || *got == 0 || d->mend.off)
            return st;
        size_t size = *got;
        // Most reads end with a byte that is not zero, and nothing waits.
        if (to[size - 1] != '\0' && d->mend.zeros == 0) {
            d->mend.begun = true;
            return HCBR_OK;
        }
        st = hcbr_i_mend_zeros(&d->mend, to, got, err);
        if (st != HCBR_OK || *got > 0)
            return st;
    }
}
