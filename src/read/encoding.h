/**
 * @file encoding.h
 * Encodings of text files: the characters of bytes, the encoding of a file, and its bytes as UTF-8;
 * private to src/read.
 */
#ifndef HCBR_I_ENCODING_H
#define HCBR_I_ENCODING_H

#include "read/source.h"

#include <stdatomic.h>

/* ---- tables (encoding_tables.c) -------------------------------------------------------------- */

#define HCBR_I_ENCODINGS 10
#define HCBR_I_HIGH 0x80  /* the first byte that is not ASCII */
#define HCBR_I_WEIGHT 'k' /* of a character of average frequency */

/** The kind of a character in a word. */
typedef enum hcbr_i_kind {
    HCBR_I_KIND_NONE = '-',  /**< not a character of text */
    HCBR_I_KIND_SMALL = 's', /**< a small letter */
    HCBR_I_KIND_CAPITAL = 'C',
    HCBR_I_KIND_SIGN = '.' /**< any other character */
} hcbr_i_kind;

/** The languages of an encoding. */
typedef enum hcbr_i_script {
    HCBR_I_SCRIPT_NEVER = 0, /**< never guessed */
    HCBR_I_SCRIPT_WESTERN,
    HCBR_I_SCRIPT_CENTRAL,
    HCBR_I_SCRIPT_CYRILLIC
} hcbr_i_script;

/** An encoding with one byte for each character; those below 0x80 are ASCII. */
typedef struct hcbr_i_encoding {
    const char *name;
    const char *others; /**< its other names between blanks, without - and _ */
    hcbr_i_script script;
    int advantage;                     /**< in half bits, for guesses */
    uint16_t codes[256 - HCBR_I_HIGH]; /**< 0: unused byte */
    char kinds[256 - HCBR_I_HIGH];     /**< hcbr_i_kind */
    char weights[256 - HCBR_I_HIGH];   /**< frequency, in half bits above HCBR_I_WEIGHT */
} hcbr_i_encoding;

extern const hcbr_i_encoding hcbr_i_encodings[HCBR_I_ENCODINGS];

/* ---- names and guesses (encoding.c) ---------------------------------------------------------- */

/** A character set. */
typedef struct hcbr_i_charset {
    const char *name;             /**< NULL: to be found */
    const hcbr_i_encoding *bytes; /**< NULL: a form of Unicode */
    unsigned unit;                /**< bytes of a unit: 1 (UTF-8), 2 or 4 */
    bool big;                     /**< big-endian */
    bool marked;                  /**< a mark at the beginning may change `big` */
} hcbr_i_charset;

/** The charset of a name, in any case; NULL, "" and "auto": none yet. false: unknown. */
bool hcbr_i_charset_find(hcbr_i_charset *out, const char *name);

/**
 * Recognise the charset by the first line of a file, or the part of it that was read: a mark, or
 * the zeros of UTF-16. false: not recognised.
 */
bool hcbr_i_charset_of_head(hcbr_i_charset *out, const char *bytes, size_t size, bool *mark);

/** A guess from the bytes that follow the ASCII at the beginning of a file. */
typedef struct hcbr_i_guess {
    const hcbr_i_encoding *encoding; /**< NULL: UTF-8, or unknown */
    const hcbr_i_encoding *other;    /**< fits nearly as well with other characters, or NULL */
    bool weak;                       /**< none fits well: the text may be corrupt */
    uint64_t good;                   /**< of UTF-8: characters beyond ASCII */
    bool text;                       /**< of UTF-8: without bytes that no text has */
} hcbr_i_guess;

/** Good characters for each bad byte, for UTF-8 with some bad bytes. */
#define HCBR_I_MOSTLY 2

/**
 * Guess an encoding.
 *
 * @param bytes  from the first that is not ASCII on.
 * @param before the byte before them, or '\n'.
 * @param whole  the file ends with them; otherwise a character may be cut at their end.
 */
hcbr_i_guess hcbr_i_encoding_guess(const char *bytes, size_t size, char before, bool whole);

/* ---- a file as UTF-8 (decode.c) -------------------------------------------------------------- */

#define HCBR_I_MENDED 5 /* most places of mended bytes to report */

/** The bytes of a file that are left out, or read in another encoding (mend.c). */
typedef struct hcbr_i_mend {
    bool off;                      /**< all bytes are passed unchanged */
    bool begun;                    /**< a byte other than zero was passed */
    uint64_t zeros;                /**< held back: left out if nothing follows them */
    uint64_t due;                  /**< followed by others: passed before `kept` */
    char *kept;                    /**< the bytes after them */
    size_t begin, end, capacity;   /**< of kept */
    uint64_t known, good;          /**< characters beyond ASCII in the window; so far */
    uint64_t bad;                  /**< bytes read as windows-1252 */
    uint64_t lines[HCBR_I_MENDED]; /**< the first lines with such bytes */
    uint64_t line_count, last;     /**< number of these lines, and the last one */
} hcbr_i_mend;

/**
 * The length of the UTF-8 at the beginning, whose last character may be cut. Adds its line ends and
 * its characters beyond ASCII.
 */
size_t hcbr_i_utf8_length(const char *bytes, size_t size, uint64_t *lines, uint64_t *good);
/** Whether an incomplete character of UTF-8 begins there. */
bool hcbr_i_utf8_is_cut(const char *bytes, size_t size);
/** The character for a byte that is not UTF-8, in this line; 0: an error. */
uint32_t hcbr_i_mend_byte(hcbr_i_mend *m, unsigned char byte, uint64_t line);
/**
 * Pass what was read, `*got` bytes at `to`, but hold back zeros at its end. *got = 0 then means
 * that more has to be read, unless `*got` was 0.
 */
hcbr_status hcbr_i_mend_zeros(hcbr_i_mend *m, char *to, size_t *got, hcbr_error *err);
/** Pass the bytes held back that may be passed; 0: none. */
size_t hcbr_i_mend_give(hcbr_i_mend *m, char *to, size_t room);
void hcbr_i_mend_clear(hcbr_i_mend *m);

/** Recognition and decoding of a file's text. Zero-initialise, then init. */
typedef struct hcbr_i_decoder {
    int mode;     /**< of decode.c */
    bool is_live; /**< a guess must not wait longer than to the end of the line */
    bool told;    /**< hcbr_i_decoder_tell() was called */
    hcbr_i_charset charset;
    char *raw; /**< bytes read but not passed yet */
    size_t begin, end, capacity;
    bool ended;  /**< all bytes were read */
    char out[8]; /**< bytes that did not fit into the caller's room */
    unsigned out_begin, out_end;
    uint64_t line; /**< of the next byte, while all are ASCII */
    char last;     /**< the byte before it */
    /* the result, published by `found`; it may be read by another thread than the decoder's */
    atomic_bool found;
    bool mark;                    /**< by a byte order mark */
    unsigned char byte;           /**< by this byte, in line `line`; 0: by the first line */
    const hcbr_i_encoding *other; /**< of hcbr_i_guess */
    bool weak;                    /**< likewise */
    hcbr_i_mend mend;
} hcbr_i_decoder;

/**
 * @param encoding a name, or NULL; strict: no guesses, all text must be UTF-8.
 */
void hcbr_i_decoder_init(hcbr_i_decoder *d, const char *encoding, bool strict);
void hcbr_i_decoder_clear(hcbr_i_decoder *d);
/** See hcbr_i_source_encoding() and hcbr_i_source_tell(). */
const char *hcbr_i_decoder_encoding(const hcbr_i_decoder *d);
bool hcbr_i_decoder_tell(hcbr_i_decoder *d, char text[HCBR_I_TOLD]);
/** See hcbr_i_source_tell_end() (mend.c). */
bool hcbr_i_decoder_tell_end(hcbr_i_decoder *d, char text[HCBR_I_TOLD]);

/**
 * As hcbr_i_source_read(), in UTF-8. A byte without a character becomes the byte 0xFF and a byte
 * from 0x80 to 0xBF with the reason, so that it is an error in its place.
 *
 * @param raw reads bytes, with context.
 */
hcbr_status hcbr_i_decoder_read(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                                size_t room, size_t *got, hcbr_error *err);

/** After the byte 0xFF: half of a surrogate pair, a file that ends in a character, no character. */
#define HCBR_I_BAD_HALF 0xA0
#define HCBR_I_BAD_END 0xA1
#define HCBR_I_BAD_CODE 0xA2

#endif
