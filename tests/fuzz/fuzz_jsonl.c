/*
 * The reader of jsonl: see read_check.c for what must hold.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read(HCBR_FORMAT_JSONL, data, size);
    return 0;
}
