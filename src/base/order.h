/**
 * @file order.h
 * Comparison of texts by their bytes and of numbers by their value.
 *
 * Comparators return a negative number, 0 or a positive one. Several keys are chained: `order ?
 * order : hcbr_i_order_u32(x->id, y->id)`.
 */
#ifndef HCBR_I_ORDER_H
#define HCBR_I_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** A borrowed piece of text, not terminated. at == NULL: absent. */
typedef struct hcbr_i_text {
    const char *at;
    size_t length;
} hcbr_i_text;

static inline int hcbr_i_order_u32(uint32_t a, uint32_t b) {
    return (a > b) - (a < b);
}

static inline int hcbr_i_order_u64(uint64_t a, uint64_t b) {
    return (a > b) - (a < b);
}

/** 0 if one of them is NaN. */
static inline int hcbr_i_order_double(double a, double b) {
    return (a > b) - (a < b);
}

/** By magnitude, the larger one first. */
static inline int hcbr_i_order_size(double a, double b) {
    return hcbr_i_order_double(b < 0 ? -b : b, a < 0 ? -a : a);
}

/** Order by bytes; a prefix comes first. */
static inline int hcbr_i_text_compare(const char *a, size_t a_length, const char *b,
                                      size_t b_length) {
    int order = memcmp(a, b, a_length < b_length ? a_length : b_length);
    return order ? order : (a_length > b_length) - (a_length < b_length);
}

static inline int hcbr_i_order_text(hcbr_i_text a, hcbr_i_text b) {
    return hcbr_i_text_compare(a.at, a.length, b.at, b.length);
}

/** The same for texts that may be absent; an absent one comes first. */
static inline int hcbr_i_order_absent(hcbr_i_text a, hcbr_i_text b) {
    return a.at && b.at ? hcbr_i_order_text(a, b) : (a.at != NULL) - (b.at != NULL);
}

/** Whether two texts, both present, are equal. */
static inline bool hcbr_i_text_same(hcbr_i_text a, hcbr_i_text b) {
    return a.length == b.length && memcmp(a.at, b.at, a.length) == 0;
}

/** The same for a text and a string. */
static inline bool hcbr_i_text_is(hcbr_i_text text, const char *string) {
    return text.length == strlen(string) && memcmp(text.at, string, text.length) == 0;
}

/** For qsort(), ascending (order.c). */
int hcbr_i_compare_u32(const void *a, const void *b);
int hcbr_i_compare_u64(const void *a, const void *b);
int hcbr_i_compare_double(const void *a, const void *b);

#endif
