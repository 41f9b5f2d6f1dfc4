/**
 * @file pieces.h
 * Short names for the pieces of pages, for the files that write them.
 */
#ifndef HCBR_I_RENDER_PIECES_H
#define HCBR_I_RENDER_PIECES_H

#include "render/html.h"

#define PIECE(k, ...) ((hcbr_i_piece){.kind = HCBR_I_PIECE_##k, __VA_ARGS__})

/** Write pieces, one after the other. */
#define HTML(w, model, ...)                                                                        \
    hcbr_i_put_pieces((w), (model), (const hcbr_i_piece[]){__VA_ARGS__},                           \
                      sizeof((const hcbr_i_piece[]){__VA_ARGS__}) / sizeof(hcbr_i_piece))

/** Text of the library: markup and words. */
#define OURS(text) PIECE(OURS, .at = (text))
#define WORD(word) OURS(hcbr_word_get(word))
/** A word with other pieces for {0}, {1}, ...; as many as it names. */
#define SAY(word, ...) PIECE(SAY, .number = (int)(word), .at = (const hcbr_i_piece[]){__VA_ARGS__})
/** Text of the data, isolated from the words around it; without marks. */
#define DATA(text, n) PIECE(DATA, .at = (text), .length = (n))
#define BARE(text, n) PIECE(BARE, .at = (text), .length = (n))
/** The name of a label, isolated from the words around it; without marks. */
#define STRONG(label) PIECE(STRONG, .number = (label))
#define NAMED(label) PIECE(NAMED, .number = (label))
/** A feature or test; its value; the name of a column. */
#define TEST(feature) PIECE(TEST, .at = (feature))
#define VALUE(feature) PIECE(VALUE, .at = (feature))
#define HEADED(text, n) PIECE(HEADED, .at = (text), .length = (n))
/** Numbers: in full, for display, with a sign, a share, a probability. */
#define WHOLE(x) PIECE(WHOLE, .length = (x))
#define COUNT(x) FIGURE((double)(x))
#define FIGURE(x) PIECE(FIGURE, .value = (x))
#define SIGNED(x) PIECE(SIGNED, .value = (x))
#define SHARE(x) PIECE(SHARE, .value = (x))
#define CHANCE(x) PIECE(CHANCE, .value = (x))
/** Cells of a table. */
#define CELL(x) PIECE(CELL, .value = (x), .number = -1)
#define SIGNED_CELL(v, decimals) PIECE(CELL, .value = (v), .number = (decimals))
#define HEAD(word) PIECE(HEAD, .number = (int)(word))
#define NUMBER_HEAD(word) PIECE(HEAD, .number = (int)(word), .right = true)
/** Of reports: the text of a node, a share, a number with `digits` digits; it may be missing. */
#define NODE(node) PIECE(NODE, .at = (node))
#define PERCENT(x) PIECE(PERCENT, .value = (x))
#define ROUNDED(x, digits) PIECE(ROUNDED, .value = (x), .number = (digits))
#define ROUND_CELL(x, digits) PIECE(ROUND_CELL, .value = (x), .number = (digits))

#endif
