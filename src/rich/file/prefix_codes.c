/*
 * Symbols in few bits (docs/FORMAT.md, coded symbols): prefix codes, shorter for frequent symbols,
 * the highest bit first. The lengths are those of Huffman's method, with ties broken by the order
 * of the symbols; the codes follow from the lengths.
 *
 * Invariant: a sequence of symbols has one encoding. The reader computes the lengths again from the
 * symbols read, and refuses others.
 */
#include "rich/encode/kept_cases.h"
#include "rich/file/rich_file.h"

#include <stdlib.h>

#define LONGEST 56u /* above any code: the rarest of 2^32 symbols has at most 46 bits */
#define QUICK 12u   /* bits of a direct lookup: the length of a code, or where to continue */

/* ---- lengths --------------------------------------------------------------------------------- */

/* Symbols by ascending count, then number: the first `used` of weight. Returns their number. */
static uint32_t sort_counts(const uint32_t *counts, uint32_t size, uint64_t *weight) {
    uint32_t used = 0;
    for (uint32_t s = 0; s < size; s++)
        if (counts[s])
            weight[used++] = (uint64_t)counts[s] << 32 | s;
    if (used)
        qsort(weight, used, sizeof *weight, hcbr_i_compare_u64);
    return used;
}

/* Repeatedly join the two least: ties go to symbols first, then to the older joins. parent: of
 * symbols in their order, then of joins. */
static void join(const uint64_t *sorted, uint32_t used, uint64_t *joined, uint32_t *parent) {
    uint32_t symbol = 0, old = 0;
    for (uint32_t next = 0; next + 1 < used; next++) {
        joined[next] = 0;
        for (int side = 0; side < 2; side++) {
            bool take = symbol < used && (old == next || sorted[symbol] >> 32 <= joined[old]);
            joined[next] += take ? sorted[symbol] >> 32 : joined[old];
            parent[take ? symbol : used + old] = next;
            symbol += take;
            old += !take;
        }
    }
}

bool hcbr_i_rich_code_lengths(const uint32_t *counts, uint32_t size, uint32_t *lengths) {
    uint64_t *sorted = hcbr_i_alloc(size, sizeof *sorted), *joined = NULL;
    uint32_t *parent = NULL, used = sorted ? sort_counts(counts, size, sorted) : 0;
    if (sorted) {
        joined = hcbr_i_alloc(used, sizeof *joined);
        parent = hcbr_i_alloc(used, 2 * sizeof *parent);
    }
    bool ok = sorted && joined && parent;
    for (uint32_t s = 0; ok && s < size; s++)
        lengths[s] = 0;
    if (ok && used == 1)
        lengths[(uint32_t)sorted[0]] = 1;
    if (ok && used > 1) {
        join(sorted, used, joined, parent);
        joined[used - 2] = 0; // from here on: how deep it is
        for (uint32_t j = used - 2; j-- > 0;)
            joined[j] = joined[parent[used + j]] + 1;
        for (uint32_t i = 0; i < used; i++)
            lengths[(uint32_t)sorted[i]] = (uint32_t)joined[parent[i]] + 1;
    }
    hcbr_i_free(sorted);
    hcbr_i_free(joined);
    hcbr_i_free(parent);
    return ok;
}

/* ---- codes ----------------------------------------------------------------------------------- */

/* Codes of one length are consecutive by symbol; shorter ones come first. */
typedef struct code {
    uint32_t longest, shortest;
    uint64_t count[LONGEST + 2], first[LONGEST + 2]; /* by length: how many, and the first code */
    uint64_t last[LONGEST + 2];  /* the largest 64 bits that begin with one no longer than this */
    uint32_t place[LONGEST + 2]; /* of the first of a length among the symbols by length */
} code;

/* Whether every sequence of bits is a sequence of codes. A single symbol has the code 0. */
static bool code_init(code *c, const uint32_t *lengths, uint32_t size) {
    uint64_t next = 0;
    uint32_t place = 0;
    *c = (code){.shortest = LONGEST + 1};
    for (uint32_t s = 0; s < size; s++)
        c->count[lengths[s]]++;
    for (uint32_t l = 1; l <= LONGEST; l++) {
        c->first[l] = next;
        c->place[l] = place;
        next += c->count[l];
        if (next > (uint64_t)1 << l)
            return false;
        if (next) {
            c->shortest = c->shortest < l ? c->shortest : l;
            c->last[l] = (next << (64 - l)) - 1; // 2^64 is 0
        }
        if (c->count[l])
            c->longest = l;
        place += (uint32_t)c->count[l];
        next *= 2;
    }
    return c->longest > 0 && (c->last[c->longest] == UINT64_MAX || place == 1);
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put_codes(unsigned char *at, const uint32_t *symbols, uint64_t count,
                      const uint64_t *codes, const uint32_t *lengths) {
    uint64_t word = 0;
    unsigned have = 0;
    for (uint64_t i = 0; i < count; i++) {
        word = word << lengths[symbols[i]] | codes[symbols[i]];
        have += lengths[symbols[i]];
        for (; have >= 8; have -= 8)
            *at++ = (unsigned char)(word >> (have - 8));
    }
    if (have)
        *at = (unsigned char)(word << (8 - have));
}

void hcbr_i_rich_codes_write(hcbr_i_out *out, const uint32_t *symbols, uint64_t count,
                             uint32_t size) {
    if (count == 0 || out->failed)
        return;
    code c;
    uint64_t bits = 0, *codes = hcbr_i_alloc(size, sizeof *codes);
    uint32_t *counts = hcbr_i_alloc_zero(size, sizeof *counts);
    uint32_t *lengths = hcbr_i_alloc(size, sizeof *lengths);
    out->failed = count > UINT32_MAX || !codes || !counts || !lengths;
    for (uint64_t i = 0; !out->failed && i < count; i++)
        counts[symbols[i]]++;
    if (!out->failed && hcbr_i_rich_code_lengths(counts, size, lengths) &&
        code_init(&c, lengths, size)) {
        for (uint32_t s = 0; s < size; s++) {
            bits += (uint64_t)counts[s] * lengths[s];
            codes[s] = lengths[s] ? c.first[lengths[s]]++ : 0;
        }
        const unsigned char longest = (unsigned char)c.longest;
        hcbr_i_out_bytes(out, &longest, 1);
        hcbr_i_rich_bits_write(out, lengths, size, hcbr_i_rich_bits_of(c.longest));
        unsigned char *at = hcbr_i_out_take(out, (size_t)((bits + 7) / 8), 1);
        if (at)
            put_codes(at, symbols, count, codes, lengths);
    } else {
        out->failed = true;
    }
    hcbr_i_free(codes);
    hcbr_i_free(counts);
    hcbr_i_free(lengths);
}

/* ---- reading --------------------------------------------------------------------------------- */

/* Unread bits, the next one highest; after the end they are 0. */
typedef struct bits {
    const unsigned char *at, *end;
    uint64_t word;
    unsigned have; /* bits of word that were loaded */
    uint64_t used;
} bits;

static inline void refill(bits *b) {
    if (b->end - b->at >= 8) {
        b->word |= __builtin_bswap64(hcbr_i_load64(b->at)) >> b->have;
        b->at += (63 - b->have) / 8;
        b->have |= 56;
        return;
    }
    for (; b->have <= 56 && b->at < b->end; b->have += 8)
        b->word |= (uint64_t)*b->at++ << (56 - b->have);
    b->have = b->at == b->end ? 64 : b->have;
}

/* Symbols by length, then number. */
static void sort_lengths(const code *c, const uint32_t *lengths, uint32_t size, uint32_t *sorted) {
    uint32_t place[LONGEST + 2];
    memcpy(place, c->place, sizeof place);
    for (uint32_t s = 0; s < size; s++)
        if (lengths[s])
            sorted[place[lengths[s]]++] = s;
}

/* False: an invalid code, or too few bits. counts: occurrences of each symbol. */
static bool get_codes(bits *b, const code *c, const uint32_t *sorted, uint32_t *symbols,
                      uint64_t count, uint32_t *counts) {
    uint64_t all = (uint64_t)(b->end - b->at) * 8;
    uint8_t from[1u << QUICK];
    for (uint32_t i = 0, l = c->shortest; i < 1u << QUICK; i++) {
        while (l < c->longest && (uint64_t)i << (64 - QUICK) > c->last[l])
            l++;
        from[i] = (uint8_t)l;
    }
    for (uint64_t i = 0; i < count; i++) {
        refill(b);
        uint32_t l = from[b->word >> (64 - QUICK)];
        while (b->word > c->last[l])
            if (++l > c->longest)
                return false;
        uint32_t s = sorted[c->place[l] + (b->word >> (64 - l)) - c->first[l]];
        symbols[i] = s;
        counts[s]++;
        b->word <<= l;
        b->have -= l;
        b->used += l;
    }
    return b->used <= all;
}

/* Decode, and consume the bytes used: up to a whole one, whose unused bits are 0. */
static hcbr_status read_codes(hcbr_i_in *in, const code *c, const uint32_t *lengths, uint32_t size,
                              uint32_t *symbols, uint64_t count, const char *what,
                              hcbr_error *err) {
    const unsigned char *at = in->at;
    bits b = {.at = in->at, .end = in->at + in->left};
    uint32_t *sorted = hcbr_i_alloc(size, sizeof *sorted);
    uint32_t *counts = hcbr_i_alloc_zero(size, sizeof *counts);
    uint32_t *again = hcbr_i_alloc(size, sizeof *again);
    hcbr_status st = sorted && counts && again ? HCBR_OK : hcbr_i_no_memory(err);
    if (st == HCBR_OK) {
        sort_lengths(c, lengths, size, sorted);
        if (!get_codes(&b, c, sorted, symbols, count, counts))
            st = hcbr_i_model_bad(err, in->section, "codes of the %s do not end", what);
    }
    if (st == HCBR_OK)
        st = hcbr_i_in_take(in, (b.used + 7) / 8, 1, what, &at, err);
    if (st == HCBR_OK && b.used % 8 && (unsigned char)(at[b.used / 8] << b.used % 8))
        st = hcbr_i_model_bad(err, in->section, "bits behind the %s are not 0", what);
    if (st == HCBR_OK && !hcbr_i_rich_code_lengths(counts, size, again))
        st = hcbr_i_no_memory(err);
    for (uint32_t s = 0; st == HCBR_OK && s < size; s++)
        if (again[s] != lengths[s])
            st = hcbr_i_model_bad(
                err, in->section, "symbol %lu of the %s has a code of %lu bits, expected %lu",
                (unsigned long)s, what, (unsigned long)lengths[s], (unsigned long)again[s]);
    hcbr_i_free(sorted);
    hcbr_i_free(counts);
    hcbr_i_free(again);
    return st;
}

hcbr_status hcbr_i_rich_codes_read(hcbr_i_in *in, uint32_t **out, uint64_t count, uint32_t size,
                                   bool all, const char *what, hcbr_error *err) {
    const unsigned char *at;
    uint32_t *lengths = NULL, longest = 0;
    code c;
    if (count == 0)
        return (*out = hcbr_i_alloc(0, sizeof **out)) ? HCBR_OK : hcbr_i_no_memory(err);
    hcbr_status st = hcbr_i_in_take(in, 1, 1, what, &at, err);
    if (st != HCBR_OK)
        return st;
    longest = *at;
    if (longest == 0 || longest > LONGEST || count > UINT32_MAX)
        return hcbr_i_model_bad(err, in->section, "codes of the %s have %lu bits, expected 1 to %u",
                                what, (unsigned long)longest, LONGEST);
    if ((st = hcbr_i_rich_bits_read(in, &lengths, size, longest, what, err)) == HCBR_OK) {
        bool each = true;
        for (uint32_t s = 0; s < size; s++)
            each &= lengths[s] > 0;
        if (!code_init(&c, lengths, size) || c.longest != longest || (all && !each))
            st = hcbr_i_model_bad(err, in->section, "lengths of the %s are no code", what);
    }
    if (st == HCBR_OK && count / 8 > in->left) // a code has a bit at least
        st = hcbr_i_model_bad(err, in->section, "%zu bytes left, expected %llu codes (%s)",
                              in->left, (unsigned long long)count, what);
    if (st == HCBR_OK && !(*out = hcbr_i_alloc((size_t)count, sizeof **out)))
        st = hcbr_i_no_memory(err);
    if (st == HCBR_OK)
        st = read_codes(in, &c, lengths, size, *out, count, what, err);
    hcbr_i_free(lengths);
    return st;
}
