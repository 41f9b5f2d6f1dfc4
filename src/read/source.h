/**
 * @file source.h
 * Where bytes come from: files, plain or compressed, and what the caller opens; private to
 * src/read.
 */
#ifndef HCBR_I_SOURCE_H
#define HCBR_I_SOURCE_H

#include "read/read.h"

/* ---- sources (source.c) ---------------------------------------------------------------------- */

typedef struct hcbr_i_source hcbr_i_source;

/**
 * Open a path, or what options->open gives for it. gzip and zstd are recognised by their first
 * bytes and expanded, whatever the name; what is not UTF-8 is made so.
 */
hcbr_status hcbr_i_source_open(hcbr_i_source **out, const char *path,
                               const hcbr_read_options *options, hcbr_error *err);
/**
 * Read at most room bytes, 1 at least; *got = 0 at the end and in all later calls. Returns what is
 * there rather than wait for more. One thread at a time.
 */
hcbr_status hcbr_i_source_read(hcbr_i_source *source, char *to, size_t room, size_t *got,
                               hcbr_error *err);
/** Its name for messages. Borrowed. */
const char *hcbr_i_source_name(const hcbr_i_source *source);
/** The format that its opener gave; HCBR_FORMAT_AUTO: none. */
hcbr_format hcbr_i_source_format(const hcbr_i_source *source);
/** May other threads than the one that opened it read it? Not if a caller's function reads it. */
bool hcbr_i_source_is_ours(const hcbr_i_source *source);
/** Bytes of the file on disk; 0: not known. */
uint64_t hcbr_i_source_size(const hcbr_i_source *source);
/** Bytes of the file that were used so far. */
uint64_t hcbr_i_source_position(const hcbr_i_source *source);
/**
 * Somebody may wait for the answer to a line before the next one is written: unless it is a file on
 * disk, its encoding is told by the first line that is not ASCII.
 */
void hcbr_i_source_set_live(hcbr_i_source *source);
/** The encoding that its bytes have, if they have to be made UTF-8; else NULL. Any thread. */
const char *hcbr_i_source_encoding(const hcbr_i_source *source);
#define HCBR_I_TOLD 200
/** Once, after an encoding was found: how it is read, for a note. Any thread. */
bool hcbr_i_source_tell(hcbr_i_source *source, char text[HCBR_I_TOLD]);
/** At its end, until it is false: what was left out or read otherwise, for a note each. */
bool hcbr_i_source_tell_end(hcbr_i_source *source, char text[HCBR_I_TOLD]);
/** Close; NULL is fine. */
void hcbr_i_source_close(hcbr_i_source *source);

/**
 * If the path is a folder that holds folders, give their files as lines of the text format
 * (text_folder.c); else leave input->read NULL. options must live as long as the input.
 */
hcbr_status hcbr_i_folder_open(hcbr_input *input, const char *path,
                               const hcbr_read_options *options, hcbr_error *err);

#ifdef HCBR_FAULTS
/** Tests and fuzzers: after so many expanded bytes a thread expands the rest. */
extern uint64_t hcbr_i_source_ahead;
#endif

/* ---- compressed bytes (expand.c) ------------------------------------------------------------- */

typedef enum hcbr_i_packing {
    HCBR_I_PLAIN = 0,
    HCBR_I_GZIP,
    HCBR_I_ZSTD,
    HCBR_I_UNDECIDED /**< the first bytes of several of them */
} hcbr_i_packing;

/** How a file is packed, by its first bytes: 4 are always enough. */
hcbr_i_packing hcbr_i_packing_of(const char *bytes, size_t size);

/** Reads raw bytes; *got = 0 at the end. */
typedef hcbr_status hcbr_i_raw_read(void *context, char *to, size_t room, size_t *got,
                                    hcbr_error *err);

typedef struct hcbr_i_expander hcbr_i_expander;

/**
 * @param raw        where compressed bytes come from; `first` are those that were read already.
 * @param name       for messages; borrowed.
 * @param limits     its max_expand and max_window count.
 */
hcbr_status hcbr_i_expander_create(hcbr_i_expander **out, hcbr_i_packing packing,
                                   hcbr_i_raw_read *raw, void *context, hcbr_i_text first,
                                   const char *name, const hcbr_read_options *limits,
                                   hcbr_error *err);
/**
 * At most room expanded bytes; *got = 0 at the end. Waits for raw bytes only if there are none to
 * return.
 */
hcbr_status hcbr_i_expander_read(hcbr_i_expander *expander, char *to, size_t room, size_t *got,
                                 hcbr_error *err);
/** Bytes so far, on either side. */
uint64_t hcbr_i_expander_used(const hcbr_i_expander *expander);
uint64_t hcbr_i_expander_made(const hcbr_i_expander *expander);
void hcbr_i_expander_free(hcbr_i_expander *expander);

/* ---- a thread that expands ahead (ahead.c) --------------------------------------------------- */

typedef struct hcbr_i_ahead hcbr_i_ahead;

/** Let a thread read the expander, which nothing else uses until the end. NULL: not possible. */
hcbr_i_ahead *hcbr_i_ahead_create(hcbr_i_expander *expander);
/** As hcbr_i_expander_read(); *used receives how many raw bytes were used up to there. */
hcbr_status hcbr_i_ahead_read(hcbr_i_ahead *ahead, char *to, size_t room, size_t *got,
                              uint64_t *used, hcbr_error *err);
/** Stop the thread, which waits only for this call, and release. NULL is fine. */
void hcbr_i_ahead_free(hcbr_i_ahead *ahead);

#endif
