/**
 * @file lanes.h
 * The state of the threads that read a large file: lanes.c (rounds, and the sequential part) and
 * lanes_take.c (the parallel part); private to src/cases.
 */
#ifndef HCBR_I_LANES_H
#define HCBR_I_LANES_H

#include "cases/append.h"
#include "cases/dict.h"

/** Flag of the numbers of the chunk's new names; see HCBR_I_MOST_FEATURES. */
#define HCBR_I_PIECE_NEW 0x80000000u

/** A name `id=1` that is not in the dictionary's array. */
typedef struct hcbr_i_known_id {
    uint32_t id;
    uint32_t feature; /**< of the dictionary, or with HCBR_I_PIECE_NEW; HCBR_I_NONE: a free slot */
} hcbr_i_known_id;

/** The marks of the current case, which the dictionary would hold, for each thread. */
typedef struct hcbr_i_lane_worker {
    uint32_t *marks; /**< by feature: last case that had it */
    size_t marks_capacity;
    hcbr_i_known_id *ids; /**< of the current chunk; NULL at first */
    size_t id_count, id_mask;
    uint64_t id_key;          /**< odd, random */
    uint32_t serial;          /**< of the last case; no two cases of a thread have the same */
    hcbr_i_feature_id *found; /**< numbers of the names of a block */
    size_t found_capacity;
    hcbr_i_coded coded;
    size_t next; /**< index in the names of coded.rest, which were not found */
} hcbr_i_lane_worker;

/** Id, group and weight of a case, if any. */
typedef struct hcbr_i_extra {
    hcbr_i_text id, group;
    double weight;
} hcbr_i_extra;

/** The cases of a chunk. */
typedef struct hcbr_i_piece {
    hcbr_i_feature_id *features; /**< of all cases, one after the other */
    size_t feature_count, feature_capacity;
    uint32_t *lengths, *label; /**< by case */
    uint64_t *row;
    size_t count, capacity; /**< cases */
    hcbr_i_extra *extras;   /**< as many as cases once a case has one */
    size_t extra_capacity;
    bool has_extras;
    uint32_t empty;
    hcbr_i_item *items; /**< separate numbers, with the keys below */
    size_t item_count, item_capacity;
    uint32_t *item_lengths; /**< by case; as many as cases once a case has an item */
    size_t item_lengths_capacity;
    hcbr_i_text *spelled; /**< texts of those spelled OTHER or WIDE */
    size_t spelled_count, spelled_capacity;
    bool unusual;       /**< one of them is not spelled SHORTEST */
    hcbr_i_labels keys; /**< of all chunks that used this piece */
    hcbr_i_column_keys columns;
    uint32_t *key_map; /**< their numbers in the case base */
    size_t key_map_capacity;
    uint32_t keys_mapped;
    hcbr_i_arena text;
    hcbr_i_labels labels; /**< of all chunks that used this piece */
    uint32_t *label_map;  /**< their numbers in the case base */
    size_t label_map_capacity;
    uint32_t mapped; /**< number of them that are known */
    hcbr_i_fresh fresh;
    bool begun;             /**< by its thread */
    hcbr_i_feature_id *map; /**< numbers of the new names in the dictionary */
    size_t map_capacity;
    uint32_t first;  /**< its first case, in the case base */
    uint64_t offset; /**< and the first feature of that case */
    uint64_t item_offset;
    bool waiting; /**< counted, but not copied yet */
} hcbr_i_piece;

struct hcbr_i_lanes {
    hcbr_i_lane_worker *workers;
    uint32_t worker_count;
    hcbr_i_piece *pieces[2]; /**< of the current round and of the one before, in turns */
    uint32_t piece_count;
    unsigned now;
    hcbr_cases *cases; /**< of the current round */
};

/** Copy the numbers of a waiting piece to their place in the case base. */
void hcbr_i_piece_copy(hcbr_cases *cases, hcbr_i_piece *p);

/**
 * Turn a block of a chunk into cases of its piece; on failure the piece is empty. For
 * hcbr_i_reader_round(): `context` is the lanes.
 */
hcbr_status hcbr_i_lanes_take(void *context, uint32_t number, uint32_t chunk,
                              const hcbr_i_block *block, hcbr_error *err);

#endif
