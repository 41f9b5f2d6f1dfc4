/**
 * @file model_frame.h
 * Shared by the engines, plain/ and rich/, and the model around them: the bytes of a model file,
 * and the engine's view of its model. The engines do not know each other.
 */
#ifndef HCBR_I_MODEL_FRAME_H
#define HCBR_I_MODEL_FRAME_H

#include "cases/cases.h"

#include <hcbr/explain.h>
#include <hcbr/model.h>

/** Types of sections, in file order. */
typedef enum hcbr_i_section {
    HCBR_I_FACTS = 1,
    HCBR_I_LABELS = 2,
    HCBR_I_KEYS = 3,
    HCBR_I_FEATURES = 4,
    HCBR_I_ATOMS = 5,
    HCBR_I_STRENGTHS = 6,
    HCBR_I_RULE = 7,
    HCBR_I_READ = 8,
    HCBR_I_PASSES = 9,
    HCBR_I_FINGERPRINT = 10,
    HCBR_I_CASES = 11,
    HCBR_I_ROWS = 12,
    HCBR_I_IDS = 13,
    HCBR_I_MOVES = 14,
    HCBR_I_COLUMNS = 15,
    HCBR_I_CALIBRATION = 16,
    HCBR_I_TUNING = 17,
    HCBR_I_RICH = 18,
    HCBR_I_REASONS = 19,
    HCBR_I_WEIGHTS = 20,
    HCBR_I_CUT = 21,
    HCBR_I_COSTS = 22,
    HCBR_I_COUNTS = 23,
    HCBR_I_LEAST = 24,
    HCBR_I_SCHEMA = 25,
    HCBR_I_HELDOUT = 26,
    HCBR_I_IMPORTANCE = 27,
    HCBR_I_BELIEFS = 28,
    HCBR_I_LISTED = 29,
    HCBR_I_TYPES = 30,
    HCBR_I_SECTION_END = 31
} hcbr_i_section;

/* ---- the model for an engine ----------------------------------------------------------------- */

/** Access to the past cases, provided by the engine or by the frame that keeps them. */
typedef struct hcbr_i_past {
    const void *state;
    /** The number of features of past case i; 0 if none are kept. */
    size_t (*size)(const void *state, uint64_t i);
    /** List them, size() of them. False: no memory. */
    bool (*list)(const void *state, uint64_t i, hcbr_i_feature_id *out);
    /** The identity of the numbers of a past case that are not features; NULL: there are none. */
    void (*numbers)(const void *state, uint64_t i, uint64_t out[2]);
    /** The number of past cases of a label with a feature, kept or not. */
    uint32_t (*count)(const void *state, hcbr_i_feature_id feature, uint32_t label);
    /** The atom of a feature. Features of one atom are in the same past cases. */
    uint32_t (*atom)(const void *state, hcbr_i_feature_id feature);
    uint32_t atom_count;
    const double *weight; /**< of the kept cases; NULL: all are 1 */
    /** The features of an atom; NULL: no memory. */
    const hcbr_i_feature_id *(*members)(const void *state, uint32_t atom, uint32_t *count);
} hcbr_i_past;

/** Counts of section facts that the plain sections use. */
typedef struct hcbr_i_facts {
    uint64_t entries; /**< of sparse strengths, without gaps */
    uint64_t moves;
    uint32_t atoms;
} hcbr_i_facts;

/** An engine's view of its model, borrowed from the model. */
typedef struct hcbr_i_frame {
    hcbr_i_dict *dict;
    uint32_t feature_count; /**< of the dictionary */
    uint32_t label_count;
    uint64_t case_count, empty_count, occurrence_count;
    uint64_t seed;
    uint32_t passes;
    const uint64_t *pass_errors; /**< by pass */
    hcbr_i_facts facts;          /**< while a file is read */
    hcbr_keep keep;
    hcbr_scope scope;
    const uint64_t *label_cases; /**< by label: past cases */
    const double *label_total;   /**< by label: from section labels */
    hcbr_i_emphases *emphases;   /**< NULL: all features are equally important */
    const void *file;            /**< bytes kept by the model, with some of the arrays */
    size_t file_size;
    hcbr_i_past past;
    /* of the past cases, where they are kept */
    const uint32_t *kept_label;
    const uint64_t *kept_row; /**< NULL: row i is case i - 1 */
    const char *kept_ids;     /**< NULL: no names */
    const uint64_t *kept_id_start;
    const hcbr_i_beliefs *beliefs; /**< NULL: no beliefs */
} hcbr_i_frame;

/** The name of a feature of the dictionary, borrowed from it. */
hcbr_feature hcbr_i_frame_feature(const hcbr_i_frame *frame, hcbr_i_feature_id feature);
/** The description of past case i, without its contribution. */
hcbr_explained_case hcbr_i_frame_case(const hcbr_i_frame *frame, uint64_t i);

/* ---- a case, resolved ------------------------------------------------------------------------ */

/** A feature of a case. */
typedef struct hcbr_i_case_item {
    hcbr_feature feature;
    hcbr_i_feature_id id; /**< HCBR_I_NONE: no past case has it */
    hcbr_i_key_id key;    /**< HCBR_I_NONE: no past case has a value of it */
    bool known;           /**< the engine uses it, as it does numbers never seen */
    double number;        /**< of a known value that is not a feature */
} hcbr_i_case_item;

/** A case as a model sees it: names are looked up once, when the case is made. */
typedef struct hcbr_i_case {
    hcbr_i_case_item *items; /**< each feature once, in the order given */
    size_t count;            /**< |x| */
    size_t known;            /**< number of known ones */
} hcbr_i_case;

/* ---- sums ------------------------------------------------------------------------------------ */

/** Two supports tie when their difference is at most this share of its terms' absolute values. */
#define HCBR_I_TIE 0x1p-40

/** The contribution of a feature where supports of two labels are sums: mu, the difference of the
 *  two, and sigma, their sum, as one vector. Sigma is never below 0. */
typedef double hcbr_i_pair __attribute__((vector_size(16)));

/** The contribution of a feature that no past case has. */
#define HCBR_I_ABSENT ((hcbr_i_pair){0, -1})

/** The absolute values of both. */
static inline hcbr_i_pair hcbr_i_pair_absolute(hcbr_i_pair x) {
    typedef int64_t bits __attribute__((vector_size(16)));
    return (hcbr_i_pair)((bits)x & (bits){INT64_MAX, INT64_MAX});
}

/** The largest |mu| of pairs, or `most` if that is larger. */
static inline double hcbr_i_pair_most(const hcbr_i_pair *pairs, size_t count, double most) {
    for (size_t n = 0; n < count; n++) {
        const double size = hcbr_i_pair_absolute(pairs[n])[0];
        most = size > most ? size : most;
    }
    return most;
}

/** The sums of two labels. */
typedef struct hcbr_i_pair_sums {
    double mu, magnitude, sigma; /**< magnitude is that of mu's terms, or hcbr_i_pair_clear() */
} hcbr_i_pair_sums;

/**
 * Whether a sum cannot be a tie, whatever its terms. Then their magnitude is not needed and 0 gives
 * the same decision: a sum that is not positive never wins. `most` bounds the terms.
 */
static inline bool hcbr_i_pair_clear(double mu, size_t count, double most) {
    return mu <= 0 || mu > 2 * HCBR_I_TIE * most * (double)count; // 2: for rounding
}

/* ---- bytes of the file (bytes.c) ------------------------------------------------------------- */

extern const unsigned char hcbr_i_model_magic[8];

/** Name of a section for messages; "unknown" for an invalid type. */
const char *hcbr_i_section_name(uint32_t type);

/** Fail with HCBR_EFORMAT and "section NAME: ...". */
hcbr_status hcbr_i_model_bad(hcbr_error *err, hcbr_i_section section, const char *format, ...)
    HCBR_I_PRINTF(3, 4);

/** A number for a message, the same in every locale. */
typedef struct hcbr_i_number_chars {
    char text[HCBR_NUMBER_SIZE];
} hcbr_i_number_chars;
static inline hcbr_i_number_chars hcbr_i_number_text(double value) {
    hcbr_i_number_chars n;
    hcbr_number_format(n.text, value);
    return n;
}

/** A run of bytes to write: in the buffer or in the caller's memory. */
typedef struct hcbr_i_run {
    const void *elsewhere; /**< NULL: in the buffer */
    size_t at;             /**< offset in the buffer */
    size_t size;
} hcbr_i_run;

/**
 * Bytes to write; zero-initialise to start. Large arrays are not copied but referenced, so they
 * must not change. After a failure nothing more is added.
 */
typedef struct hcbr_i_out {
    unsigned char *bytes; /**< the buffer */
    size_t used, capacity;
    hcbr_i_run *runs;
    size_t run_count, run_capacity;
    uint64_t size; /**< of all runs */
    bool failed;   /**< out of memory */
} hcbr_i_out;

void hcbr_i_out_clear(hcbr_i_out *out);
/** The bytes of a run, valid until more is written. */
static inline const void *hcbr_i_out_run(const hcbr_i_out *out, size_t run) {
    const hcbr_i_run *r = &out->runs[run];
    return r->elsewhere ? r->elsewhere : out->bytes + r->at;
}

/** Room for count values of `size` bytes; NULL once memory was short. */
unsigned char *hcbr_i_out_take(hcbr_i_out *out, size_t count, size_t size);
static inline void hcbr_i_put_u32(unsigned char *p, uint32_t value) {
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(value >> (8 * i));
}
void hcbr_i_out_bytes(hcbr_i_out *out, const void *bytes, size_t size);
void hcbr_i_out_zeros(hcbr_i_out *out, size_t size);
void hcbr_i_out_u32(hcbr_i_out *out, uint32_t value);
void hcbr_i_out_u64(hcbr_i_out *out, uint64_t value);
void hcbr_i_out_u32s(hcbr_i_out *out, const uint32_t *values, size_t count);
void hcbr_i_out_u64s(hcbr_i_out *out, const uint64_t *values, size_t count);
void hcbr_i_out_f64s(hcbr_i_out *out, const double *values, size_t count);
/** Overwrite bytes at the start of the file, which are still in the buffer. */
void hcbr_i_out_patch_u64(hcbr_i_out *out, size_t at, uint64_t value);

/** The unread bytes of a section. */
typedef struct hcbr_i_in {
    hcbr_i_section section;
    const unsigned char *at; /**< NULL: the section is absent */
    size_t left;
    bool lent; /**< the bytes live as long as the model */
} hcbr_i_in;

/** Little-endian values at an address that need not be aligned. */
static inline uint32_t hcbr_i_u32_at(const unsigned char *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}
static inline uint64_t hcbr_i_u64_at(const unsigned char *p) {
    return hcbr_i_load64(p);
}

/** Skip count values of width bytes; *at receives their place. */
hcbr_status hcbr_i_in_take(hcbr_i_in *in, uint64_t count, size_t width, const char *what,
                           const unsigned char **at, hcbr_error *err);
/** The same, copied to new memory; array is the address of the pointer that receives it. */
hcbr_status hcbr_i_in_u32s(hcbr_i_in *in, uint64_t count, const char *what, void *array,
                           hcbr_error *err);
hcbr_status hcbr_i_in_u64s(hcbr_i_in *in, uint64_t count, const char *what, void *array,
                           hcbr_error *err);
hcbr_status hcbr_i_in_f64s(hcbr_i_in *in, uint64_t count, const char *what, double **array,
                           hcbr_error *err);
/** The same without a copy if possible: hcbr_model_free() must know the array. */
hcbr_status hcbr_i_in_lend(hcbr_i_in *in, uint64_t count, size_t width, const char *what,
                           void *array, hcbr_error *err);
/** The array, or NULL if it was lent, so that it is not released twice. */
static inline void *hcbr_i_not_lent(void *array, const void *file, size_t size) {
    uintptr_t at = (uintptr_t)array, begin = (uintptr_t)file;
    return file && at >= begin && at - begin < size ? NULL : array;
}
/** Skip a text, which must be UTF-8 without NUL; index is for the message. */
hcbr_status hcbr_i_in_text(hcbr_i_in *in, size_t length, const char *what, uint64_t index,
                           const char **text, hcbr_error *err);
/** Fail if bytes are left. */
hcbr_status hcbr_i_in_end(const hcbr_i_in *in, hcbr_error *err);

#endif
