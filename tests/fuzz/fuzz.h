/**
 * @file fuzz.h
 * Shared by the fuzz targets. A target turns any bytes into calls of the library and checks the
 * results against promises that need no second implementation.
 *
 * Choices (options, failures) are taken from the first bytes of an input, six bits of each, so that
 * '@' chooses nothing and seeds stay readable.
 */
#ifndef HCBR_FUZZ_H
#define HCBR_FUZZ_H

#include "base/base.h"

#include <hcbr/hcbr.h>

/** The entry point that libFuzzer and replay.c call. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/** Stop with file and line unless the promise holds. */
#define FUZZ_CHECK(promise) ((promise) ? (void)0 : fuzz_broken(__FILE__, __LINE__, #promise, NULL))
/** The same, with the message of an unexpected error. */
#define FUZZ_CHECK_OK(status, err)                                                                 \
    ((status) == HCBR_OK ? (void)0 : fuzz_broken(__FILE__, __LINE__, #status, (err).message))

_Noreturn void fuzz_broken(const char *file, int line, const char *promise, const char *message);

/** The unused bytes of an input. */
typedef struct fuzz_input {
    const uint8_t *at;
    size_t left;
} fuzz_input;

/** The next byte; '@' at the end. */
static inline unsigned fuzz_byte(fuzz_input *in) {
    if (in->left == 0)
        return '@';
    in->left--;
    return *in->at++;
}

/** Six bits of the next byte; 0 at the end. */
static inline unsigned fuzz_choice(fuzz_input *in) {
    return fuzz_byte(in) & 63;
}

/** Arm a failure: 0 none, 1 to 31 that allocation, 32 to 63 input or output number choice - 31. */
void fuzz_arm(unsigned choice);
/** Disarm; returns whether the failure happened. */
bool fuzz_disarm(void);

/** Check that a failed call has a reason, in one line of clean text. */
void fuzz_check_error(hcbr_status status, const hcbr_error *err);
/** Check that a text is UTF-8 without NUL. */
void fuzz_check_text(const char *text, size_t length);

/** Read the bytes as the reader would from a file, see read_check.c. */
void fuzz_read(hcbr_format format, const uint8_t *data, size_t size);

/** The same, with two more choices: columns of sets, texts and presence, labels elsewhere. */
void fuzz_read_columns(hcbr_format format, const uint8_t *data, size_t size);

/** Bytes that are read a few at a time. */
typedef struct fuzz_memory {
    const uint8_t *bytes;
    size_t size, at, piece; /**< piece: most bytes of a read */
} fuzz_memory;
/** The `read` of an hcbr_input of such bytes, and the function that opens one. */
hcbr_status fuzz_memory_read(void *memory, char *to, size_t room, size_t *got, hcbr_error *err);
hcbr_status fuzz_memory_open(void *memory, const char *path, hcbr_input *input, hcbr_error *err);

/** Make the bytes standard input, as a file. */
void fuzz_give_file(const uint8_t *data, size_t size);

/** Read standard input, a file, into a list of cases in two ways. */
void fuzz_encode(const hcbr_read_options *options);
/** Check that two lists of cases have the same features under the same numbers, case by case. */
void fuzz_check_cases(const hcbr_cases *a, const hcbr_cases *b);

/** Call every function of a model, and decide with it. */
void fuzz_use_model(const hcbr_model *model);
/** Write a page of reasons and check that no data is markup in it (page_check.c). */
void fuzz_check_page(const hcbr_model *model, hcbr_explainer *explainer,
                     const hcbr_feature *features, size_t count);
/** Explain a case; changes: search for counterfactuals, too. */
void fuzz_explain_row(const hcbr_model *model, const hcbr_model_info *info,
                      const hcbr_feature *features, size_t count, bool changes);
/** Explain some cases of a model. features: all of the model's. */
void fuzz_explain(const hcbr_model *model, const hcbr_model_info *info,
                  const hcbr_feature *features);
/** Check that serializing, parsing and serializing again gives the same bytes; the caller gets the
 *  parsed model. bytes receives them; release with hcbr_bytes_free(). */
hcbr_model *fuzz_reload(const hcbr_model *model, void **bytes, size_t *size);

/** Mutate the bytes of a model so that more than its header is read. */
size_t fuzz_mutate_model(uint8_t *data, size_t size, size_t most, unsigned seed);
/** Called by libFuzzer instead of its own mutations, if a target defines it. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

#endif
