/**
 * @file model_sample.h
 * Small models made by hand, and their files split and joined again.
 */
#ifndef HCBR_TEST_MODEL_SAMPLE_H
#define HCBR_TEST_MODEL_SAMPLE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/model.h"

/** Index of a sample; MODEL_SAMPLES of them. */
typedef enum model_sample {
    SAMPLE_TWO = 0,     /**< two labels; everything: rows, ids, moves, reading options */
    SAMPLE_BARE = 1,    /**< two labels, no kept case */
    SAMPLE_ONE = 2,     /**< one label, cases without names */
    SAMPLE_THREE = 3,   /**< three labels, gaps between rows of strengths, moves */
    SAMPLE_EMPTY = 4,   /**< two labels, only empty cases */
    SAMPLE_PLAIN = 5,   /**< two labels, cases kept, no names, no moves, no passes */
    SAMPLE_NUMBERS = 6, /**< the same, its features being numbers */
    MODEL_SAMPLES = 7
} model_sample;

/** Build a sample; release with hcbr_model_free(). */
hcbr_model *model_sample_build(model_sample which);

/** Its file; release with free(). */
unsigned char *model_sample_bytes(model_sample which, size_t *size);

/** A file in pieces, to be joined in wrong ways. */
typedef struct pieces {
    uint32_t count, type[40], flags[40];
    unsigned char *bytes[40];
    size_t length[40];
} pieces;

pieces pieces_take(const unsigned char *bytes, size_t size);
/** The file of these pieces, with right offsets, sums and digest; release with free(). */
unsigned char *pieces_join(const pieces *p, size_t *size);
void pieces_clear(pieces *p);
/** Index of a section among the pieces; fails the test if it is absent. */
uint32_t pieces_find(const pieces *p, uint32_t type);
/** Change the length of a section; new bytes are zero. */
void pieces_resize(pieces *p, uint32_t index, size_t length);
/** Add a section before the one at index. */
void pieces_insert(pieces *p, uint32_t index, uint32_t type, uint32_t flags, const void *bytes,
                   size_t length);
void pieces_remove(pieces *p, uint32_t index);

/** The pieces of a model's file; the model is released. */
pieces pieces_of(hcbr_model *model);
/** Load the file of the pieces: it is refused with this message, or accepted if `expected` is
 *  NULL. */
void pieces_check(const pieces *p, const char *expected);
/** The same after a value of a section was changed; the pieces are released. */
void pieces_check_value(pieces p, uint32_t type, size_t at, size_t width, uint64_t value,
                        const char *expected);

/** Write a little-endian value of width bytes. */
void put_value(unsigned char *at, size_t width, uint64_t value);
/** Correct checksums and digest of a whole file; its table must be valid. */
void reseal(unsigned char *bytes, size_t size);
/** Correct only the digest. */
void redigest(unsigned char *bytes, size_t size);

#endif
