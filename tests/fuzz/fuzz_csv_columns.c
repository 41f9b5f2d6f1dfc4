/*
 * The reader of csv with columns that hold sets and texts: see read_check.c for what must hold.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read_columns(HCBR_FORMAT_CSV, data, size);
    return 0;
}
