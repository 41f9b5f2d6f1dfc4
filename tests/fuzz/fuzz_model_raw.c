/*
 * Model files with checksums ignored, as an attacker would forge them: the structural check alone
 * must give an error or a model that is written back as the same bytes (checksums apart) and can be
 * used. The digest, which is not used otherwise here, says which allocation fails.
 */
#include "fuzz.h"

#include "model/model.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return fuzz_mutate_model(data, size, most, seed);
}

/** The same but for the checksums, if all sections are known. */
static void check_bytes(const uint8_t *data, size_t size, const uint8_t *bytes, size_t written) {
    uint32_t count = hcbr_i_u32_at(data + 12);
    for (uint32_t i = 0; i < count; i++)
        if (hcbr_i_u32_at(data + HCBR_I_MODEL_HEADER + i * HCBR_I_MODEL_ENTRY) >=
            HCBR_I_SECTION_END)
            return;
    size_t end = HCBR_I_MODEL_HEADER + (size_t)count * HCBR_I_MODEL_ENTRY;
    FUZZ_CHECK(written == size && memcmp(data, bytes, HCBR_I_MODEL_HEADER) == 0);
    for (size_t at = HCBR_I_MODEL_HEADER; at < end; at += HCBR_I_MODEL_ENTRY)
        FUZZ_CHECK(memcmp(data + at, bytes + at, HCBR_I_MODEL_ENTRY - 8) == 0);
    FUZZ_CHECK(memcmp(data + end, bytes + end, size - end - HCBR_I_MODEL_DIGEST) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hcbr_model *model;
    hcbr_error err;
    void *bytes;
    size_t written;
    hcbr_i_model_ignore_checksums = true;
    fuzz_arm(size > 0 && data[size - 1] < 32 ? data[size - 1] : 0);
    hcbr_status st = hcbr_model_parse(&model, data, size, &err);
    bool failed = fuzz_disarm();
    FUZZ_CHECK((st == HCBR_OK) == (model != NULL));
    if (model == NULL) {
        fuzz_check_error(st, &err);
        FUZZ_CHECK(st == HCBR_EFORMAT || (st == HCBR_ENOMEM && failed));
        return 0;
    }
    hcbr_model_free(fuzz_reload(model, &bytes, &written));
    check_bytes(data, size, bytes, written);
    hcbr_bytes_free(bytes);
    fuzz_use_model(model);
    hcbr_model_free(model);
    return 0;
}
