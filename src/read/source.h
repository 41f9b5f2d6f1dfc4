/**
 * @file source.h
 * Sources of bytes: files, plain or compressed, and inputs opened by the caller; private to
 * src/read.
 */
#ifndef HCBR_I_SOURCE_H
#define HCBR_I_SOURCE_H

#include "read/read.h"

/* ---- sources (source.c) ---------------------------------------------------------------------- */

typedef struct hcbr_i_source hcbr_i_source;

/**
 * Open a path, or the input that options->open returns for it. gzip and zstd are recognised by
 * their first bytes and expanded, whatever the name; other encodings are converted to UTF-8.
 */
hcbr_status hcbr_i_source_open(hcbr_i_source **out, const char *path,
                               const hcbr_read_options *options, hcbr_error *err);
/**
 * Read at most room bytes, 1 at least; *got = 0 at the end and in all later calls. Returns the
 * available bytes rather than wait for more. One thread at a time.
 */
hcbr_status hcbr_i_source_read(hcbr_i_source *source, char *to, size_t room, size_t *got,
                               hcbr_error *err);
/** Its name for messages. Borrowed. */
const char *hcbr_i_source_name(const hcbr_i_source *source);
/** The format set by its opener; HCBR_FORMAT_AUTO: none. */
hcbr_format hcbr_i_source_format(const hcbr_i_source *source);
/** Whether other threads than the opener's may read it. Not if a caller's function reads it. */
bool hcbr_i_source_is_ours(const hcbr_i_source *source);
/** Bytes of the file on disk; 0: unknown. */
uint64_t hcbr_i_source_size(const hcbr_i_source *source);
/** Bytes of the file used so far. */
uint64_t hcbr_i_source_position(const hcbr_i_source *source);
/**
 * Declare that each line may be answered before the next one is written: unless the source is a
 * file on disk, its encoding is then decided by the first line that is not ASCII.
 */
void hcbr_i_source_set_live(hcbr_i_source *source);
/** The encoding of its bytes, if they are converted to UTF-8; else NULL. Any thread. */
const char *hcbr_i_source_encoding(const hcbr_i_source *source);
#define HCBR_I_TOLD 200
/** Once, after an encoding was found: the text of a note about it. Any thread. */
bool hcbr_i_source_tell(hcbr_i_source *source, char text[HCBR_I_TOLD]);
/** At its end, until it is false: the text of a note about bytes left out or read in another
 *  encoding. */
bool hcbr_i_source_tell_end(hcbr_i_source *source, char text[HCBR_I_TOLD]);
/** Close; NULL is fine. */
void hcbr_i_source_close(hcbr_i_source *source);
/**
 * Read a whole file, or a little more than `most` bytes of it, and give the notes about it.
 *
 * @param name, bytes receive memory to be freed, on failure too. Behind the bytes there is room for
 *                    one more.
 */
hcbr_status hcbr_i_source_load(char **name, char **bytes, size_t *size, size_t most,
                               const char *path, const hcbr_read_options *options, hcbr_error *err);

/**
 * If the path is a folder of folders, return their files as lines of the text format
 * (text_folder.c); else leave input->read NULL. options must live as long as the input.
 */
hcbr_status hcbr_i_folder_open(hcbr_input *input, const char *path,
                               const hcbr_read_options *options, hcbr_error *err);

#ifdef HCBR_FAULTS
/** Tests and fuzzers: expanded bytes after which a thread expands the rest. */
extern uint64_t hcbr_i_source_ahead;
#endif

/* ---- compressed bytes (expand.c) ------------------------------------------------------------- */

typedef enum hcbr_i_packing {
    HCBR_I_PLAIN = 0,
    HCBR_I_GZIP,
    HCBR_I_ZSTD,
    HCBR_I_UNDECIDED /**< the first bytes of several of them */
} hcbr_i_packing;

/** The compression of a file, by its first bytes: 4 are always enough. */
hcbr_i_packing hcbr_i_packing_of(const char *bytes, size_t size);

/** Reads raw bytes; *got = 0 at the end. */
typedef hcbr_status hcbr_i_raw_read(void *context, char *to, size_t room, size_t *got,
                                    hcbr_error *err);

typedef struct hcbr_i_expander hcbr_i_expander;

/**
 * @param raw        reads compressed bytes; `first` are those already read.
 * @param name       for messages; borrowed.
 * @param limits     for max_expand and max_window.
 */
hcbr_status hcbr_i_expander_create(hcbr_i_expander **out, hcbr_i_packing packing,
                                   hcbr_i_raw_read *raw, void *context, hcbr_i_text first,
                                   const char *name, const hcbr_read_options *limits,
                                   hcbr_error *err);
/**
 * At most room expanded bytes; *got = 0 at the end. Waits for raw bytes only if it has none to
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

/** Let a thread read the expander, which must not be used otherwise until the end. NULL: not
 *  possible. */
hcbr_i_ahead *hcbr_i_ahead_create(hcbr_i_expander *expander);
/** As hcbr_i_expander_read(); *used receives the number of raw bytes used. */
hcbr_status hcbr_i_ahead_read(hcbr_i_ahead *ahead, char *to, size_t room, size_t *got,
                              uint64_t *used, hcbr_error *err);
/** Stop the thread, which waits only for this call, and release. NULL is fine. */
void hcbr_i_ahead_free(hcbr_i_ahead *ahead);

#endif
