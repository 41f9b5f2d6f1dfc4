/*
 * Model files as they come, with checksums: any bytes give an error or a model that is written back
 * as the same bytes and can be used.
 */
#include "fuzz.h"

#include "model/model.h"

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed) {
    return fuzz_mutate_model(data, size, most, seed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    hcbr_model *model;
    hcbr_error err;
    void *bytes;
    size_t written;
    hcbr_status st = hcbr_model_parse(&model, data, size, &err);
    FUZZ_CHECK((st == HCBR_OK) == (model != NULL));
    if (model == NULL) {
        fuzz_check_error(st, &err);
        FUZZ_CHECK(st == HCBR_EFORMAT);
        return 0;
    }
    hcbr_model_free(fuzz_reload(model, &bytes, &written));
    bool known = true; // sections that are not known are dropped
    for (uint32_t i = 0; i < hcbr_i_u32_at(data + 12); i++)
        known = known && hcbr_i_u32_at(data + HCBR_I_MODEL_HEADER + i * HCBR_I_MODEL_ENTRY) <
                             HCBR_I_SECTION_END;
    FUZZ_CHECK(!known || (written == size && memcmp(bytes, data, size) == 0));
    hcbr_bytes_free(bytes);
    fuzz_use_model(model);
    hcbr_model_free(model);
    return 0;
}
