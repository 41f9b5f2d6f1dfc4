/*
 * From the bytes of a file to a model (docs/FORMAT.md, section 2): header, section table, padding,
 * checksums; then the sections, then their consistency.
 *
 * Any bytes give a valid model or HCBR_EFORMAT. Nothing here trusts a checksum: all lengths are
 * checked against the bytes present.
 */
#include "model/model.h"

#define XXH_STATIC_LINKING_ONLY // for a state on the stack
#include <xxhash.h>

#ifdef HCBR_FAULTS
bool hcbr_i_model_ignore_checksums = false;
#else
#define hcbr_i_model_ignore_checksums false
#endif

/** The file between header and digest. */
typedef struct container {
    const unsigned char *bytes;
    size_t size; /**< without the digest */
    uint32_t section_count;
    size_t rule_end;      /**< the apparent end of that section */
    size_t gap, gap_end;  /**< the part that was not read, if the second is not 0: only the digest
                               covers it */
    XXH128_hash_t digest; /**< of the whole file, if a part was not read */
} container;

static hcbr_status read_header(container *out, const unsigned char *bytes, size_t size,
                               hcbr_error *err) {
    const size_t least = HCBR_I_MODEL_HEADER + HCBR_I_MODEL_DIGEST;
    const size_t magic = sizeof hcbr_i_model_magic;
    if (size < magic || memcmp(bytes, hcbr_i_model_magic, magic) != 0)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "not a model: expected a file that begins with the bytes "
                           "89 48 43 42 52 0d 0a 1a");
    if (size >= magic + 4 && hcbr_i_u32_at(bytes + 8) != HCBR_I_MODEL_VERSION)
        return hcbr_i_fail(err, HCBR_EFORMAT, "model of format version %lu, expected version %d",
                           (unsigned long)hcbr_i_u32_at(bytes + 8), HCBR_I_MODEL_VERSION);
    if (size < least)
        return hcbr_i_fail(err, HCBR_EFORMAT, "model of %zu bytes, expected at least %zu", size,
                           least);
    if (hcbr_i_u64_at(bytes + 16) != size)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "model of %zu bytes, expected %llu as its header says: it was cut or "
                           "added to",
                           size, (unsigned long long)hcbr_i_u64_at(bytes + 16));
    out->bytes = bytes;
    out->size = size - HCBR_I_MODEL_DIGEST;
    out->section_count = hcbr_i_u32_at(bytes + 12);
    if (out->section_count > (size - least) / HCBR_I_MODEL_ENTRY)
        return hcbr_i_fail(err, HCBR_EFORMAT, "table of %lu sections in a model of %zu bytes",
                           (unsigned long)out->section_count, size);
    if (hcbr_i_model_ignore_checksums)
        return HCBR_OK;
    XXH128_hash_t digest = out->gap_end ? out->digest : XXH3_128bits(bytes, out->size);
    if (hcbr_i_u64_at(bytes + out->size) != digest.low64 ||
        hcbr_i_u64_at(bytes + out->size + 8) != digest.high64)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "the digest of the model does not match: it is damaged");
    return HCBR_OK;
}

/** Check type and flags of an entry, given the type before it. */
static hcbr_status check_type(const unsigned char *entry, uint32_t before, hcbr_error *err) {
    const unsigned long type = hcbr_i_u32_at(entry), flags = hcbr_i_u32_at(entry + 4);
    const bool known = type > 0 && type < HCBR_I_SECTION_END;
    if (type <= before)
        return hcbr_i_fail(err, HCBR_EFORMAT, "section of type %lu, expected one above %lu", type,
                           (unsigned long)before);
    if (flags & ~(unsigned long)HCBR_I_MODEL_REQUIRED)
        return hcbr_i_fail(err, HCBR_EFORMAT, "section of type %lu has flags %lu, expected 0 or 1",
                           type, flags);
    if (known && flags != hcbr_i_model_flags((uint32_t)type))
        return hcbr_i_model_bad(err, (hcbr_i_section)type,
                                flags ? "required, expected it to be optional"
                                      : "optional, expected it to be required");
    if (!known && flags == HCBR_I_MODEL_REQUIRED)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "required section of type %lu, which this version does not know", type);
    return HCBR_OK;
}

/** Place one section, which must begin at *at; *at moves past its padding. */
static hcbr_status read_entry(const container *file, const unsigned char *entry, size_t *at,
                              hcbr_i_in *out, hcbr_error *err) {
    const unsigned long type = hcbr_i_u32_at(entry);
    const uint64_t offset = hcbr_i_u64_at(entry + 8), length = hcbr_i_u64_at(entry + 16);
    const size_t left = file->size - *at;
    if (offset != *at)
        return hcbr_i_fail(err, HCBR_EFORMAT, "section of type %lu at offset %llu, expected %zu",
                           type, (unsigned long long)offset, *at);
    if (length > left)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "section of type %lu has %llu bytes, but only %zu are left", type,
                           (unsigned long long)length, left);
    const size_t size = (size_t)length, padding = -size & 7;
    const unsigned char *bytes = file->bytes + *at;
    const bool left_out = *at >= file->gap && *at < file->gap_end;
    if (padding > left - size)
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "section of type %lu is followed by %zu bytes, expected %zu of padding",
                           type, left - size, padding);
    for (size_t i = 0; !left_out && i < padding; i++)
        if (bytes[size + i] != 0)
            return hcbr_i_fail(err, HCBR_EFORMAT, "padding of the section of type %lu is not zero",
                               type);
    if (!left_out && !hcbr_i_model_ignore_checksums &&
        XXH3_64bits(bytes, size) != hcbr_i_u64_at(entry + 24))
        return hcbr_i_fail(err, HCBR_EFORMAT,
                           "the checksum of the section of type %lu (%s) does not match", type,
                           hcbr_i_section_name((uint32_t)type));
    *out = (hcbr_i_in){.section = (hcbr_i_section)type, .at = bytes, .left = size};
    *at += size + padding;
    return HCBR_OK;
}

/** Find the known sections; absent ones stay zero. */
static hcbr_status read_table(const container *file, hcbr_i_in *sections, hcbr_error *err) {
    const unsigned char *entry = file->bytes + HCBR_I_MODEL_HEADER;
    size_t at = HCBR_I_MODEL_HEADER + (size_t)file->section_count * HCBR_I_MODEL_ENTRY;
    uint32_t before = 0;
    hcbr_status st;
    for (uint32_t i = 0; i < file->section_count; i++, entry += HCBR_I_MODEL_ENTRY) {
        hcbr_i_in section;
        if ((st = check_type(entry, before, err)) != HCBR_OK ||
            (st = read_entry(file, entry, &at, &section, err)) != HCBR_OK)
            return st;
        before = hcbr_i_u32_at(entry);
        if (before < HCBR_I_SECTION_END)
            sections[before] = section;
    }
    if (at != file->size)
        return hcbr_i_fail(err, HCBR_EFORMAT, "%zu bytes after the last section, expected none",
                           file->size - at);
    return HCBR_OK;
}

/** Whether the arrays that may stay in the file are most of it, so that it is worth keeping. */
static bool is_worth_keeping(const hcbr_i_in *sections, size_t size) {
    return sections[HCBR_I_ATOMS].left + sections[HCBR_I_STRENGTHS].left +
               sections[HCBR_I_CASES].left + sections[HCBR_I_MOVES].left >=
           size / 2;
}

/** hcbr_model_parse(); if own is given it is the bytes, and becomes NULL if the model keeps them.
 *  file describes the part of them that was not read. */
static hcbr_status parse(hcbr_model **out, container *file, const void *bytes, size_t size,
                         void **own, hcbr_error *err) {
    hcbr_i_in sections[HCBR_I_SECTION_END] = {0};
    hcbr_model *model = NULL;
    hcbr_status st;
    *out = NULL;
    if ((st = read_header(file, bytes, size, err)) != HCBR_OK ||
        (st = read_table(file, sections, err)) != HCBR_OK)
        return st;
    if ((st = hcbr_i_model_create(&model, err)) != HCBR_OK)
        return st;
    if (own && is_worth_keeping(sections, size)) {
        for (size_t i = 0; i < HCBR_I_SECTION_END; i++)
            sections[i].lent = true;
        model->file = *own;
        model->file_size = size;
        *own = NULL;
    }
    if ((st = hcbr_i_model_read_sections(model, sections, file->gap_end > 0, err)) == HCBR_OK &&
        (st = hcbr_i_model_validate(model, false, err)) == HCBR_OK) {
        *out = model;
        model = NULL; // now the caller's
    }
    hcbr_model_free(model);
    return st;
}

hcbr_status hcbr_model_parse(hcbr_model **out, const void *bytes, size_t size, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, bytes))
        return HCBR_EUSAGE;
    container file = {0};
    return parse(out, &file, bytes, size, NULL, err);
}

static hcbr_status load(hcbr_model **out, container *file, void *bytes, size_t size,
                        const char *path, hcbr_error *err) {
    hcbr_error reason;
    hcbr_status st = parse(out, file, bytes, size, &bytes, &reason);
    hcbr_i_free(bytes);
    if (st != HCBR_OK)
        return hcbr_i_fail_at(err, st, path, 0, 0, "%s", reason.message);
    return HCBR_OK;
}

hcbr_status hcbr_model_load(hcbr_model **out, const char *path, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, path))
        return HCBR_EUSAGE;
    void *bytes = NULL;
    size_t size = 0;
    container file = {0};
    hcbr_status st = hcbr_i_file_load(&bytes, &size, path, err);
    return st == HCBR_OK ? load(out, &file, bytes, size, path, err) : st;
}

/* ---- without the cases ----------------------------------------------------------------------- */

#define SMALL 1024u  /* bytes of a file that is read completely */
#define PIECE 65536u /* bytes read at a time of the gap */

/** Bytes of header and section table, by the header; as many as there are at the most. */
static size_t head_size(const unsigned char *header, size_t size) {
    uint64_t head = HCBR_I_MODEL_HEADER + (uint64_t)hcbr_i_u32_at(header + 12) * HCBR_I_MODEL_ENTRY;
    return head < size - HCBR_I_MODEL_DIGEST ? (size_t)head : size - HCBR_I_MODEL_DIGEST;
}

/** Find the cases of a rich model from its first, unchecked bytes: the sections of the cases follow
 *  each other. Other files have no gap. */
static void find_gap(container *file, const unsigned char *bytes, size_t head, size_t size) {
    uint64_t end = 0;
    bool rich = false;
    for (size_t at = HCBR_I_MODEL_HEADER; at + HCBR_I_MODEL_ENTRY <= head;
         at += HCBR_I_MODEL_ENTRY) {
        const unsigned char *entry = bytes + at;
        uint32_t type = hcbr_i_u32_at(entry);
        uint64_t offset = hcbr_i_u64_at(entry + 8), length = hcbr_i_u64_at(entry + 16);
        if (type == HCBR_I_RULE && offset < size && length < size)
            file->rule_end = (size_t)offset + (size_t)length;
        if (offset < head || offset > size - HCBR_I_MODEL_DIGEST)
            offset = 0;
        if (type == HCBR_I_CASES)
            file->gap = (size_t)offset;
        if (type > HCBR_I_MOVES && !end)
            end = offset;
        rich |= type == HCBR_I_RICH;
    }
    if (rich && file->gap && end > file->gap)
        file->gap_end = (size_t)end;
}

/** Whether the model also decides by memory, so that its cases are needed. */
static bool remembers(const container *file, const unsigned char *bytes) {
    return file->rule_end < 4 || file->rule_end > file->gap ||
           hcbr_i_u32_at(bytes + file->rule_end - 4) != 0;
}

/** Read up to `end`; the bytes are kept, or seen by the digest alone. */
static hcbr_status read_up_to(hcbr_i_file *from, unsigned char *bytes, size_t *at, size_t end,
                              bool keep, XXH3_state_t *digest, hcbr_error *err) {
    unsigned char piece[PIECE];
    while (*at < end) {
        size_t left = end - *at, got = 0;
        unsigned char *to = keep ? bytes + *at : piece;
        hcbr_status st = hcbr_i_file_read(from, to, keep || left < PIECE ? left : PIECE, &got, err);
        if (st != HCBR_OK)
            return st;
        if (got == 0)
            return hcbr_i_fail_at(err, HCBR_EIO, hcbr_i_file_name(from), 0, 0,
                                  "ended after %zu bytes, expected %zu", *at, end);
        if (digest)
            XXH3_128bits_update(digest, to, got);
        *at += got;
    }
    return HCBR_OK;
}

/** Read a file of `size` bytes without its cases, whose pages are never touched. */
static hcbr_status read_around(hcbr_i_file *from, unsigned char *bytes, size_t size,
                               container *file, hcbr_error *err) {
    size_t at = 0, whole = size - HCBR_I_MODEL_DIGEST;
    hcbr_status st = read_up_to(from, bytes, &at, HCBR_I_MODEL_HEADER, true, NULL, err);
    if (st == HCBR_OK)
        st = read_up_to(from, bytes, &at, head_size(bytes, size), true, NULL, err);
    if (st != HCBR_OK)
        return st;
    find_gap(file, bytes, at, size);
    if (!file->gap_end)
        return read_up_to(from, bytes, &at, size, true, NULL, err);
    if ((st = read_up_to(from, bytes, &at, file->gap, true, NULL, err)) != HCBR_OK)
        return st;
    if (remembers(file, bytes)) {
        file->gap_end = 0;
        return read_up_to(from, bytes, &at, size, true, NULL, err);
    }
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    XXH3_128bits_update(&state, bytes, at);
    if ((st = read_up_to(from, bytes, &at, file->gap_end, false, &state, err)) != HCBR_OK ||
        (st = read_up_to(from, bytes, &at, whole, true, &state, err)) != HCBR_OK)
        return st;
    file->digest = XXH3_128bits_digest(&state);
    return read_up_to(from, bytes, &at, size, true, NULL, err);
}

hcbr_status hcbr_model_load_without_cases(hcbr_model **out, const char *path, hcbr_error *err) {
    HCBR_I_CLEAR(out);
    if (HCBR_I_NULL(err, out, path))
        return HCBR_EUSAGE;
    hcbr_i_file *from;
    container file = {0};
    if (hcbr_i_file_size_at(path) < SMALL) // no file, no size, or not worth it
        return hcbr_model_load(out, path, err);
    hcbr_status st = hcbr_i_file_open(&from, path, err);
    if (st != HCBR_OK)
        return st;
    size_t size = (size_t)hcbr_i_file_size(from);
    unsigned char *bytes = hcbr_i_alloc(size, 1);
    if (!bytes)
        st = hcbr_i_no_memory(err);
    else if (size < SMALL) // replaced by another file
        st = hcbr_i_fail_at(err, HCBR_EIO, path, 0, 0, "was changed while it was opened");
    else
        st = read_around(from, bytes, size, &file, err);
    hcbr_i_file_close(from);
    if (st != HCBR_OK) {
        hcbr_i_free(bytes);
        return st;
    }
    return load(out, &file, bytes, size, path, err);
}
