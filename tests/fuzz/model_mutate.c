/*
 * Changes of model files for the fuzzer. Random changes of bytes break offsets, lengths and
 * checksums, and nothing after the section table would ever be read. So most changes are made
 * inside one section, or to the list of sections, and the container is then repaired.
 */
#include "fuzz.h"

#include "model/model.h"

#include <stdlib.h>
#include <xxhash.h>

#define MOST_SECTIONS 26

/** libFuzzer's own changes; absent where files are only replayed. */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most) __attribute__((weak));

typedef struct part {
    uint32_t type, flags;
    size_t length;
    uint8_t *bytes;
} part;

static uint64_t state;

static uint64_t draw(uint64_t below) {
    state++;
    return hcbr_i_mix(state) % below;
}

/** Take a file apart into copies; 0 if it has no table that makes sense. */
static size_t take_apart(part *parts, const uint8_t *data, size_t size) {
    size_t count = 0, at;
    if (size < HCBR_I_MODEL_HEADER + HCBR_I_MODEL_DIGEST || hcbr_i_u32_at(data + 12) == 0 ||
        hcbr_i_u32_at(data + 12) > MOST_SECTIONS)
        return 0;
    size_t most = hcbr_i_u32_at(data + 12);
    at = HCBR_I_MODEL_HEADER + most * HCBR_I_MODEL_ENTRY;
    for (; count < most && at < size; count++) {
        const uint8_t *entry = data + HCBR_I_MODEL_HEADER + count * HCBR_I_MODEL_ENTRY;
        uint64_t length = hcbr_i_u64_at(entry + 16);
        if (length > size - at)
            length = size - at;
        parts[count] = (part){hcbr_i_u32_at(entry), hcbr_i_u32_at(entry + 4), (size_t)length,
                              malloc((size_t)length + 1)};
        FUZZ_CHECK(parts[count].bytes != NULL);
        memcpy(parts[count].bytes, data + at, (size_t)length);
        at += (size_t)length;
        at += -at & 7;
    }
    return count;
}

/** Put sections together as docs/FORMAT.md wants it; 0 if there is no room. */
static size_t put_together(uint8_t *data, size_t most, const part *parts, size_t count) {
    hcbr_i_out out = {0};
    hcbr_i_out_bytes(&out, hcbr_i_model_magic, sizeof hcbr_i_model_magic);
    hcbr_i_out_u32(&out, HCBR_I_MODEL_VERSION);
    hcbr_i_out_u32(&out, (uint32_t)count);
    hcbr_i_out_u64(&out, 0);
    size_t at = HCBR_I_MODEL_HEADER + count * HCBR_I_MODEL_ENTRY;
    for (size_t i = 0; i < count; i++) {
        hcbr_i_out_u32(&out, parts[i].type);
        hcbr_i_out_u32(&out, parts[i].flags);
        hcbr_i_out_u64(&out, at);
        hcbr_i_out_u64(&out, parts[i].length);
        hcbr_i_out_u64(&out, XXH3_64bits(parts[i].bytes, parts[i].length));
        at += parts[i].length;
        at += -at & 7;
    }
    for (size_t i = 0; i < count; i++) {
        hcbr_i_out_bytes(&out, parts[i].bytes, parts[i].length);
        hcbr_i_out_zeros(&out, -out.size & 7);
    }
    /* sections of a few KB are copied, not referred to: all is in the buffer, in one run */
    FUZZ_CHECK(!out.failed && out.run_count == 1);
    hcbr_i_out_patch_u64(&out, 16, out.size + HCBR_I_MODEL_DIGEST);
    XXH128_hash_t digest = XXH3_128bits(out.bytes, out.size);
    hcbr_i_out_u64(&out, digest.low64);
    hcbr_i_out_u64(&out, digest.high64);
    size_t size = out.size <= most ? out.size : 0;
    memcpy(data, out.bytes, size);
    hcbr_i_out_clear(&out);
    return size;
}

/** Change one number of a section, or exchange two. */
static void change_number(part *p) {
    size_t width = draw(3) == 0 ? 8 : 4, count = p->length / width;
    if (count == 0)
        return;
    uint8_t *at = p->bytes + width * draw(count), *other = p->bytes + width * draw(count);
    uint8_t keep[8];
    switch (draw(5)) {
    case 0:
        memcpy(keep, at, width);
        memcpy(at, other, width);
        memcpy(other, keep, width);
        break;
    case 1:
        memmove(at, other, width);
        break;
    case 2: // one more here, one less there: sums stay
        at[0]++;
        other[0]--;
        break;
    case 3:
        at[0] = (uint8_t)(at[0] + (draw(2) ? 1 : 255));
        break;
    default:
        memset(at, draw(2) ? 0 : 255, width);
        at[0] = (uint8_t)draw(8);
    }
}

static void change_part(part *p, size_t most) {
    if (draw(2) == 0) {
        change_number(p);
        return;
    }
    if (most < p->length)
        most = p->length;
    p->bytes = realloc(p->bytes, most + 1);
    FUZZ_CHECK(p->bytes != NULL);
    p->length = LLVMFuzzerMutate(p->bytes, p->length, most);
}

/** Drop a section, or add one at the end that no reader knows. */
static size_t change_list(part *parts, size_t count) {
    size_t i = draw(count);
    if (draw(2) == 0) {
        free(parts[i].bytes);
        memmove(parts + i, parts + i + 1, (count - i - 1) * sizeof *parts);
        return count - 1;
    }
    parts[count] = (part){HCBR_I_SECTION_END + (uint32_t)draw(3), draw(8) == 0, draw(20), NULL};
    parts[count].bytes = calloc(1, 20);
    FUZZ_CHECK(parts[count].bytes != NULL);
    return count + 1;
}

size_t fuzz_mutate_model(uint8_t *data, size_t size, size_t most, unsigned seed) {
    part parts[MOST_SECTIONS + 1];
    state = (uint64_t)seed << 20;
    size_t count = draw(8) == 0 ? 0 : take_apart(parts, data, size), changed = 0;
    if (count > 0) {
        for (uint64_t times = 1 + draw(3); times > 0 && count > 0; times--)
            if (draw(16) == 0 && count < MOST_SECTIONS)
                count = change_list(parts, count);
            else
                change_part(&parts[draw(count)], most / 2);
        changed = put_together(data, most, parts, count);
    }
    for (size_t i = 0; i < count; i++)
        free(parts[i].bytes);
    return changed > 0 ? changed : LLVMFuzzerMutate(data, size, most);
}
