/*
 * Mending of a file while it is read: a few bytes that are not UTF-8 in a file of UTF-8, and zeros
 * after its end.
 *
 * Lines of another program in a file of UTF-8 are nearly always of windows-1252. Their bytes are
 * read so, one by one, as long as the file has enough characters beyond ASCII that are UTF-8: those
 * of the window that was read, or those up to the byte, whichever are more. Zeros wait until
 * something follows them, since only at the end are they padding. Invariant: the result does not
 * depend on the sizes of reads.
 */
#include "read/encoding.h"

#include <hcbr/text.h>
#include <stdio.h>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

#define STEP 16 /* bytes looked at together */

#ifdef __SSE2__
/** The sum of 16 small numbers. */
static inline uint64_t add_up(__m128i numbers) {
    const __m128i sums = _mm_sad_epu8(numbers, _mm_setzero_si128());
    return (unsigned)_mm_cvtsi128_si32(sums) + (unsigned)_mm_extract_epi16(sums, 4);
}

/** As hcbr_i_utf8_length(), in steps, as long as all characters have one byte or two. */
static size_t short_length(const char *bytes, size_t size, uint64_t *lines, uint64_t *good) {
    const __m128i newline = _mm_set1_epi8('\n'), last = _mm_set1_epi8((char)0xC0);
    const __m128i first = _mm_set1_epi8((char)0xC1), behind = _mm_set1_epi8((char)0xE0);
    const size_t most = size / STEP < 255 ? size / STEP * STEP : (size_t)255 * STEP;
    __m128i ends = _mm_setzero_si128(), begins = ends;
    unsigned open = 0; // the last byte begins a character
    size_t n;
    for (n = 0; n < most; n += STEP) {
        const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)(bytes + n));
        const unsigned high = (unsigned)_mm_movemask_epi8(x);
        if ((high | open) != 0) { // as signed numbers, 0x80 is the lowest
            const unsigned follow = (unsigned)_mm_movemask_epi8(_mm_cmplt_epi8(x, last));
            const __m128i above = _mm_cmpgt_epi8(x, first), below = _mm_cmplt_epi8(x, behind);
            const __m128i begin = _mm_and_si128(above, below);
            const unsigned mask = (unsigned)_mm_movemask_epi8(begin);
            if ((mask | follow) != high || follow != ((mask << 1 | open) & 0xFFFF))
                break;
            open = mask >> (STEP - 1);
            begins = _mm_sub_epi8(begins, begin);
        }
        ends = _mm_sub_epi8(ends, _mm_cmpeq_epi8(x, newline));
    }
    *lines += add_up(ends);
    *good += add_up(begins) - open;
    return n - open;
}
#else
static size_t short_length(const char *bytes, size_t size, uint64_t *lines, uint64_t *good) {
    (void)bytes, (void)size, (void)lines, (void)good;
    return 0;
}
#endif

size_t hcbr_i_utf8_length(const char *bytes, size_t size, uint64_t *lines, uint64_t *good) {
    size_t n = 0, used;
    while (n < size) {
        size_t stop;
        n += short_length(bytes + n, size - n, lines, good);
        for (stop = n + STEP < size ? n + STEP : size; n < stop; n += used) {
            if (hcbr_text_code(bytes + n, size - n, &used) < 0)
                return n;
            *lines += bytes[n] == '\n';
            *good += used > 1;
        }
    }
    return n;
}

bool hcbr_i_utf8_is_cut(const char *bytes, size_t size) {
    const unsigned char first = (unsigned char)*bytes;
    const size_t length = first < 0xC2   ? 1
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF5 ? 4
                                         : 1;
    if (size >= length)
        return false;
    for (size_t i = 1; i < size; i++)
        if (((unsigned char)bytes[i] >> 6) != 2)
            return false;
    return true;
}

uint32_t hcbr_i_mend_byte(hcbr_i_mend *m, unsigned char byte, uint64_t line) {
    const uint64_t good = m->known > m->good ? m->known : m->good;
    const uint16_t code = hcbr_i_encodings[0].codes[byte - HCBR_I_HIGH];
    if (m->off || code == 0 || good < HCBR_I_MOSTLY * (m->bad + 1))
        return 0;
    if (m->line_count == 0 || m->last != line) {
        if (m->line_count < HCBR_I_MENDED)
            m->lines[m->line_count] = line;
        m->line_count++;
        m->last = line;
    }
    m->bad++;
    return code;
}

/* ---- zeros ----------------------------------------------------------------------------------- */

size_t hcbr_i_mend_give(hcbr_i_mend *m, char *to, size_t room) {
    size_t n = m->due < room ? (size_t)m->due : room;
    if (n > 0) {
        memset(to, 0, n);
        m->due -= n;
        return n;
    }
    n = m->end - m->begin < room ? m->end - m->begin : room;
    if (n > 0)
        memcpy(to, m->kept + m->begin, n);
    m->begin += n;
    return n;
}

hcbr_status hcbr_i_mend_zeros(hcbr_i_mend *m, char *to, size_t *got, hcbr_error *err) {
    size_t size = *got;
    while (size > 0 && to[size - 1] == '\0')
        size--;
    if (size == 0 && !m->begun)
        return HCBR_OK; // a file that begins with zeros is not text
    if (size > 0 && m->zeros > 0) {
        if (!hcbr_i_grow(&m->kept, &m->capacity, size, 1)) {
            *got = 0;
            return hcbr_i_no_memory(err);
        }
        memcpy(m->kept, to, size);
        m->begin = 0;
        m->end = size;
        m->due = m->zeros;
        m->zeros = *got - size;
        *got = 0;
        return HCBR_OK;
    }
    m->begun = true;
    m->zeros += *got - size;
    *got = size;
    return HCBR_OK;
}

void hcbr_i_mend_clear(hcbr_i_mend *m) {
    hcbr_i_free(m->kept);
    m->kept = NULL;
    m->begin = m->end = m->capacity = 0;
}

/* ---- notes ----------------------------------------------------------------------------------- */

/** Say how many bytes were mended, and where the first are. */
static void tell_mended(const hcbr_i_mend *m, char text[HCBR_I_TOLD]) {
    char list[HCBR_I_MENDED * 22 + 8];
    size_t used = 0;
    for (uint64_t i = 0; i < m->line_count && i < HCBR_I_MENDED; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%llu", i == 0 ? "" : ", ",
                                 (unsigned long long)m->lines[i]);
    if (m->line_count > HCBR_I_MENDED)
        snprintf(list + used, sizeof list - used, ", ...");
    snprintf(text, HCBR_I_TOLD,
             "%llu byte%s no UTF-8, read as %s: line%s %s (option strict refuses this)",
             (unsigned long long)m->bad, m->bad == 1 ? " is" : "s are", hcbr_i_encodings[0].name,
             m->line_count == 1 ? "" : "s", list);
}

bool hcbr_i_decoder_tell_end(hcbr_i_decoder *d, char text[HCBR_I_TOLD]) {
    hcbr_i_mend *m = &d->mend;
    if (m->bad > 0) {
        tell_mended(m, text);
        m->bad = 0;
        return true;
    }
    if (m->zeros == 0)
        return false;
    snprintf(text, HCBR_I_TOLD,
             "%llu zero byte%s at the end of the file %s left out (option strict refuses this)",
             (unsigned long long)m->zeros, m->zeros == 1 ? "" : "s", m->zeros == 1 ? "is" : "are");
    m->zeros = 0;
    return true;
}
