/**
 * @file encoding.h
 * Encodings of text files: what their bytes stand for, which one a file has, and its bytes as
 * UTF-8; private to src/read.
 */
#ifndef HCBR_I_ENCODING_H
#define HCBR_I_ENCODING_H

#include "read/source.h"

#include <stdatomic.h>

/* ---- tables (encoding_tables.c) -------------------------------------------------------------- */

#define HCBR_I_ENCODINGS 10
#define HCBR_I_HIGH 0x80  /* the first byte that is not ASCII */
#define HCBR_I_WEIGHT 'k' /* of a character that is as common as any other */

/** What a character is in a word. */
typedef enum hcbr_i_kind {
    HCBR_I_KIND_NONE = '-',  /**< no character of a text */
    HCBR_I_KIND_SMALL = 's', /**< a small letter */
    HCBR_I_KIND_CAPITAL = 'C',
    HCBR_I_KIND_SIGN = '.' /**< anything else */
} hcbr_i_kind;

/** For which languages an encoding is made. */
typedef enum hcbr_i_script {
    HCBR_I_SCRIPT_NEVER = 0, /**< an encoding that is never guessed */
    HCBR_I_SCRIPT_WESTERN,
    HCBR_I_SCRIPT_CENTRAL,
    HCBR_I_SCRIPT_CYRILLIC
} hcbr_i_script;

/** An encoding of one byte for each character, of which those below 0x80 are ASCII. */
typedef struct hcbr_i_encoding {
    const char *name;
    const char *others; /**< its other names between blanks, without - and _ */
    hcbr_i_script script;
    int advantage;                     /**< in half bits, when it is guessed */
    uint16_t codes[256 - HCBR_I_HIGH]; /**< 0: the byte stands for nothing */
    char kinds[256 - HCBR_I_HIGH];     /**< hcbr_i_kind */
    char weights[256 - HCBR_I_HIGH];   /**< half bits above HCBR_I_WEIGHT: how common it is */
} hcbr_i_encoding;

extern const hcbr_i_encoding hcbr_i_encodings[HCBR_I_ENCODINGS];

/* ---- names and guesses (encoding.c) ---------------------------------------------------------- */

/** How characters are stored. */
typedef struct hcbr_i_charset {
    const char *name;             /**< NULL: it has to be found */
    const hcbr_i_encoding *bytes; /**< NULL: a form of Unicode */
    unsigned unit;                /**< bytes of its units: 1 (UTF-8), 2 or 4 */
    bool big;                     /**< the upper byte of a unit comes first */
    bool marked;                  /**< a mark at the beginning may say otherwise about `big` */
} hcbr_i_charset;

/** The charset of a name, whatever its case; NULL, "" and "auto": none yet. false: unknown. */
bool hcbr_i_charset_find(hcbr_i_charset *out, const char *name);

/**
 * What the first line of a file says, or as much of it as was read: it has a mark, or the zeros of
 * UTF-16. false: nothing.
 */
bool hcbr_i_charset_of_head(hcbr_i_charset *out, const char *bytes, size_t size, bool *mark);

/** What the bytes say that follow the ASCII at the beginning of a file. */
typedef struct hcbr_i_guess {
    const hcbr_i_encoding *encoding; /**< NULL: UTF-8, or nothing known */
    const hcbr_i_encoding *other;    /**< fits nearly as well and reads them otherwise, or NULL */
    bool weak;                       /**< none fits well: it may be spoilt text */
    uint64_t good;                   /**< of UTF-8: characters beyond ASCII */
    bool text;                       /**< of UTF-8: it has no byte that no text has */
} hcbr_i_guess;

/** Good characters of UTF-8 for each bad byte, if it is UTF-8 in which some bytes are not. */
#define HCBR_I_MOSTLY 2

/**
 * Guess an encoding.
 *
 * @param bytes  from the first that is not ASCII on.
 * @param before the byte before them, or '\n'.
 * @param whole  the file ends with them; else a character may be cut at their end.
 */
hcbr_i_guess hcbr_i_encoding_guess(const char *bytes, size_t size, char before, bool whole);

/* ---- a file as UTF-8 (decode.c) -------------------------------------------------------------- */

#define HCBR_I_MENDED 5 /* places of mended bytes that are kept */

/** What of a file is left out, or read otherwise than its encoding says (mend.c). */
typedef struct hcbr_i_mend {
    bool off;                      /**< all bytes are given as they are */
    bool begun;                    /**< a byte that is not zero was given */
    uint64_t zeros;                /**< that wait: they are left out if nothing follows them */
    uint64_t due;                  /**< that something followed: given before `kept` */
    char *kept;                    /**< what followed them */
    size_t begin, end, capacity;   /**< of kept */
    uint64_t known, good;          /**< characters beyond ASCII in the window; so far */
    uint64_t bad;                  /**< bytes that were read as windows-1252 */
    uint64_t lines[HCBR_I_MENDED]; /**< the first that have such */
    uint64_t line_count, last;     /**< how many have, and the last of them */
} hcbr_i_mend;

/**
 * How many bytes at the beginning are UTF-8, where the last character may be cut. Adds their line
 * ends and their characters beyond ASCII.
 */
size_t hcbr_i_utf8_length(const char *bytes, size_t size, uint64_t *lines, uint64_t *good);
/** Does a character of UTF-8 begin there, of which the end is not among the bytes? */
bool hcbr_i_utf8_is_cut(const char *bytes, size_t size);
/** The character that stands for a byte which is no UTF-8, in this line; 0: it is an error. */
uint32_t hcbr_i_mend_byte(hcbr_i_mend *m, unsigned char byte, uint64_t line);
/**
 * Give what was read, `*got` bytes at `to`, but zeros at its end wait. *got = 0 then means that
 * more has to be read, unless `*got` was 0.
 */
hcbr_status hcbr_i_mend_zeros(hcbr_i_mend *m, char *to, size_t *got, hcbr_error *err);
/** Give what waits and may be given; 0: nothing. */
size_t hcbr_i_mend_give(hcbr_i_mend *m, char *to, size_t room);
void hcbr_i_mend_clear(hcbr_i_mend *m);

/** How the text of a file is found out and made UTF-8. Zero-initialise, then init. */
typedef struct hcbr_i_decoder {
    int mode;     /**< of decode.c */
    bool is_live; /**< a guess must not wait for more than the end of the line */
    bool told;    /**< hcbr_i_decoder_tell() has said it */
    hcbr_i_charset charset;
    char *raw; /**< bytes that were read and not given yet */
    size_t begin, end, capacity;
    bool ended;  /**< there are no more to read */
    char out[8]; /**< what did not fit into the room of the caller */
    unsigned out_begin, out_end;
    uint64_t line; /**< of the next byte, while all are ASCII */
    char last;     /**< the byte before it */
    /* what was found out, published by `found`; its reader need not be the thread that decodes */
    atomic_bool found;
    bool mark;                    /**< by a byte order mark */
    unsigned char byte;           /**< by this byte, in line `line`; 0: by the first line */
    const hcbr_i_encoding *other; /**< of hcbr_i_guess */
    bool weak;                    /**< likewise */
    hcbr_i_mend mend;
} hcbr_i_decoder;

/** @param encoding a name, or NULL; strict: nothing is guessed, and all text is UTF-8 then. */
void hcbr_i_decoder_init(hcbr_i_decoder *d, const char *encoding, bool strict);
void hcbr_i_decoder_clear(hcbr_i_decoder *d);
/** See hcbr_i_source_encoding() and hcbr_i_source_tell(). */
const char *hcbr_i_decoder_encoding(const hcbr_i_decoder *d);
bool hcbr_i_decoder_tell(hcbr_i_decoder *d, char text[HCBR_I_TOLD]);
/** See hcbr_i_source_tell_end() (mend.c). */
bool hcbr_i_decoder_tell_end(hcbr_i_decoder *d, char text[HCBR_I_TOLD]);

/**
 * As hcbr_i_source_read(), in UTF-8. What is no character of the encoding becomes the byte 0xFF and
 * a byte from 0x80 to 0xBF that says more, so that it is an error in its place.
 *
 * @param raw where bytes come from, with context.
 */
hcbr_status hcbr_i_decoder_read(hcbr_i_decoder *d, hcbr_i_raw_read *raw, void *context, char *to,
                                size_t room, size_t *got, hcbr_error *err);

/** After the byte 0xFF: half of a surrogate pair, a file that ends in a character, no character. */
#define HCBR_I_BAD_HALF 0xA0
#define HCBR_I_BAD_END 0xA1
#define HCBR_I_BAD_CODE 0xA2

#endif
