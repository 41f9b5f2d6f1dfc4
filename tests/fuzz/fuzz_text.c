/*
 * The reader of text, a label, a tab and words: see read_check.c for what must hold.
 */
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_read_columns(HCBR_FORMAT_TEXT, data, size);
    return 0;
}
