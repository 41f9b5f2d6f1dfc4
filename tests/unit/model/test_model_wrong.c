/*
 * Files whose checksums are right and whose content is not: each is refused, and the message names
 * the section and what is wrong. The figures of the samples (atoms, counts, offsets) are worked
 * out by hand from their cases:
 *
 * SAMPLE_TWO: 7 features, 5 keys, 5 atoms of degrees 4 2 2 2 1 (of: 1 1 2 4 3 3 0), 15 occurrences;
 *   labels no (cases 0, 3), yes (1, 2, 4); cases 4 1 0 / 2 1 0 / 3 2 0 / 3 0 / none; two moves.
 * SAMPLE_THREE: 4 atoms of degrees 3 2 2 2; labels A (1 case), B (2), C (2); 9 entries of labels
 *   BC ABC AC AB; three moves: case 0 as A and B, case 1 as A.
 */
#include "unit/model/model_sample.h"

#include <stdio.h>
#include <stdlib.h>

static uint32_t mismatches; // messages that were not as expected, over one test

static void refuse(const unsigned char *bytes, size_t size, const char *expected) {
    hcbr_model *model;
    hcbr_error err;
    assert_int_equal(hcbr_model_parse(&model, bytes, size, &err), HCBR_EFORMAT);
    assert_null(model);
    if (strstr(err.message, expected))
        return;
    print_message("message \"%s\", expected \"%s\"\n", err.message, expected);
    mismatches++;
}

static int no_mismatch(void **state) {
    (void)state;
    const uint32_t count = mismatches;
    mismatches = 0;
    return count == 0 ? 0 : -1;
}

static void refuse_pieces(const pieces *p, const char *expected) {
    size_t size;
    unsigned char *bytes = pieces_join(p, &size);
    refuse(bytes, size, expected);
    free(bytes);
}

static pieces take_sample(model_sample which) {
    size_t size;
    unsigned char *bytes = model_sample_bytes(which, &size);
    pieces p = pieces_take(bytes, size);
    free(bytes);
    return p;
}

/* ---- the container --------------------------------------------------------------------------- */

static void wrong_container__is_refused(void **state) {
    (void)state;
    static const struct {
        size_t at, width;
        uint64_t value;
        const char *expected;
    } table[] = {
        {0, 1, 'x', "not a model"},
        {7, 1, 0, "not a model"},
        {8, 4, 0, "format version 0, expected version 3"},
        {8, 4, 2, "format version 2, expected version 3"},
        {12, 4, 0xFFFFFFFF, "table of 4294967295 sections"},
        {12, 4, 16, "at offset 568, expected 536"},
        {12, 4, 0, "bytes after the last section"},
        {16, 8, 1 << 20, "as its header says"},
        {24, 4, 0, "section of type 0, expected one above 0"},
        {24, 4, 3, "section of type 2, expected one above 3"},
        {28, 4, 0, "section facts: optional"},
        {28, 4, 3, "flags 3, expected 0 or 1"},
        {24 + 32 * 16, 4, 99, "required section of type 99, which this version does not know"},
        {32, 8, 576, "at offset 576, expected 568"},
        {32, 8, UINT64_MAX, "at offset 18446744073709551615, expected 568"},
        {40, 8, UINT64_MAX, "but only"},
        {40, 8, 1 << 20, "but only"},
        {40, 8, 71, "facts: 71 bytes left, expected 1 values of 72 bytes"},
        {40, 8, 80, "section of type 2 at offset 640, expected 648"},
    };
    size_t size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_TWO, &size);
    assert_int_equal(hcbr_i_u32_at(bytes + 12), 17);
    hcbr_i_model_ignore_checksums = true;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        unsigned char *copy = malloc(size);
        memcpy(copy, bytes, size);
        put_value(copy + table[i].at, table[i].width, table[i].value);
        refuse(copy, size, table[i].expected);
        free(copy);
    }
    hcbr_i_model_ignore_checksums = false;
    free(bytes);
}

static void wrong_container__padding_counts(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_TWO, &size);
    for (uint32_t i = 0; i < 15; i++) {
        const unsigned char *entry = bytes + 24 + 32 * i;
        const size_t end = hcbr_i_u64_at(entry + 8) + hcbr_i_u64_at(entry + 16);
        for (size_t at = end; at % 8 != 0; at++) {
            bytes[at] = 1;
            reseal(bytes, size);
            refuse(bytes, size, "is not zero");
            bytes[at] = 0;
        }
    }
    free(bytes);
}

static void wrong_container__digest_and_checksums_count(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_BARE, &size);
    bytes[size - 1] ^= 1;
    refuse(bytes, size, "digest of the model does not match");
    bytes[size - 1] ^= 1;
    bytes[24 + 24] ^= 1; // the checksum of the first section
    redigest(bytes, size);
    refuse(bytes, size, "checksum of the section of type 1 (facts) does not match");
    free(bytes);
}

/* ---- presence and length of sections --------------------------------------------------------- */

static void wrong_section__absent_is_refused_unless_it_may_be(void **state) {
    (void)state;
    for (uint32_t type = 1; type < HCBR_I_RICH; type++) { // the sample is plain
        pieces p = take_sample(SAMPLE_TWO);
        pieces_remove(&p, pieces_find(&p, type));
        char expected[64];
        snprintf(expected, sizeof expected, "section %s: absent", hcbr_i_section_name(type));
        if (type != HCBR_I_ROWS && type != HCBR_I_IDS && type < HCBR_I_COLUMNS) {
            refuse_pieces(&p, expected);
        } else { // another model, without that
            size_t size;
            unsigned char *bytes = pieces_join(&p, &size);
            hcbr_model *model;
            assert_int_equal(hcbr_model_parse(&model, bytes, size, NULL), HCBR_OK);
            hcbr_model_free(model);
            free(bytes);
        }
        pieces_clear(&p);
    }
}

static void wrong_section__of_cases_that_are_not_kept(void **state) {
    (void)state;
    for (uint32_t type = HCBR_I_CASES; type <= HCBR_I_MOVES; type++) {
        pieces p = take_sample(SAMPLE_BARE);
        char expected[64];
        pieces_insert(&p, p.count, type, 1, "", 0);
        snprintf(expected, sizeof expected, "section %s: present", hcbr_i_section_name(type));
        refuse_pieces(&p, expected);
        pieces_clear(&p);
    }
    pieces p = take_sample(SAMPLE_ONE);
    pieces_insert(&p, pieces_find(&p, HCBR_I_MOVES), HCBR_I_IDS, 1, "\1\0\0\0\0\0\0\0x", 9);
    refuse_pieces(&p, "section ids: present");
    pieces_clear(&p);
}

static void wrong_section__one_byte_more_or_less_is_refused(void **state) {
    (void)state;
    static const int changes[] = {-8, -4, -1, 1, 4, 8, 1000};
    for (model_sample s = 0; s < MODEL_SAMPLES; s++)
        for (uint32_t i = 0; i < 15; i++)
            for (size_t c = 0; c < sizeof changes / sizeof *changes; c++) {
                pieces p = take_sample(s);
                if (i < p.count && (changes[c] > 0 || p.length[i] >= (size_t)-changes[c])) {
                    char expected[64];
                    pieces_resize(&p, i, p.length[i] + (size_t)changes[c]);
                    snprintf(expected, sizeof expected,
                             "section %s: ", hcbr_i_section_name(p.type[i]));
                    refuse_pieces(&p, expected);
                }
                pieces_clear(&p);
            }
}

/* ---- content --------------------------------------------------------------------------------- */

#define NAN_BITS 0x7FF8000000000000u
#define INF_BITS 0x7FF0000000000000u
#define MINUS_ONE_BITS 0xBFF0000000000000u
#define ONE_BITS 0x3FF0000000000000u

typedef struct wrong {
    model_sample sample;
    uint32_t section;
    size_t at, width;
    uint64_t value;
    const char *expected;
} wrong;

static const wrong wrong_values[] = {
    {SAMPLE_TWO, HCBR_I_FACTS, 0, 8, 0, "facts: 0 cases, expected 1 to 4294967294"},
    {SAMPLE_TWO, HCBR_I_FACTS, 0, 8, 0xFFFFFFFFu, "facts: 4294967295 cases"},
    {SAMPLE_TWO, HCBR_I_FACTS, 0, 8, 0xFFFFFFFEu,
     "cases: 84 bytes left, expected 4294967294 values"},
    {SAMPLE_BARE, HCBR_I_FACTS, 0, 8, 4, "labels: labels have 3 cases, expected 4"},
    {SAMPLE_TWO, HCBR_I_FACTS, 8, 8, 6, "facts: 6 empty cases, expected at most 5"},
    {SAMPLE_TWO, HCBR_I_FACTS, 8, 8, UINT64_MAX, "facts: 18446744073709551615 empty cases"},
    {SAMPLE_TWO, HCBR_I_FACTS, 8, 8, 0, "cases: 1 cases are empty, expected 0"},
    {SAMPLE_TWO, HCBR_I_FACTS, 8, 8, 5, "strengths: atom 0 is in 4 cases, expected at most 0"},
    {SAMPLE_EMPTY, HCBR_I_FACTS, 8, 8, 1, "facts: 1 empty cases of 2 do not fit the atoms"},
    {SAMPLE_TWO, HCBR_I_FACTS, 16, 8, 14, "facts: 14 occurrences, expected 15"},
    {SAMPLE_TWO, HCBR_I_FACTS, 32, 8, 1, "facts: 1 sparse strengths, expected none"},
    {SAMPLE_THREE, HCBR_I_FACTS, 32, 8, 8, "section strengths: "},
    {SAMPLE_THREE, HCBR_I_FACTS, 32, 8, UINT64_MAX / 8, "section strengths: 160 bytes left"},
    {SAMPLE_BARE, HCBR_I_FACTS, 40, 8, 1, "facts: 1 moves, expected none"},
    {SAMPLE_TWO, HCBR_I_FACTS, 40, 8, 1, "section moves: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 40, 8, UINT64_MAX / 4, "section moves: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 48, 4, 0x80000000u, "facts: 2147483648 features"},
    {SAMPLE_TWO, HCBR_I_FACTS, 48, 4, 0x7FFFFFFFu, "section features: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 48, 4, 6, "section features: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 52, 4, 8, "facts: 8 atoms and 5 keys, expected at most 7"},
    {SAMPLE_TWO, HCBR_I_FACTS, 52, 4, 4, "atoms: feature 3 is in atom 4, expected one below 4"},
    {SAMPLE_TWO, HCBR_I_FACTS, 52, 4, 6, "section strengths: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 56, 4, 8, "facts: 5 atoms and 8 keys"},
    {SAMPLE_TWO, HCBR_I_FACTS, 56, 4, 4, "section keys: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 60, 4, 0, "facts: 0 labels of 5 cases"},
    {SAMPLE_TWO, HCBR_I_FACTS, 60, 4, 6, "facts: 6 labels of 5 cases"},
    {SAMPLE_TWO, HCBR_I_FACTS, 60, 4, 1, "section labels: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 60, 4, 3, "section labels: "},
    {SAMPLE_TWO, HCBR_I_FACTS, 64, 4, 2, "passes: 8 bytes left, expected its end"},
    {SAMPLE_TWO, HCBR_I_FACTS, 64, 4, UINT32_MAX, "passes: 24 bytes left"},
    {SAMPLE_TWO, HCBR_I_FACTS, 68, 1, 2, "facts: scope, order, keep"},
    {SAMPLE_TWO, HCBR_I_FACTS, 69, 1, 2, "facts: scope, order, keep"},
    {SAMPLE_TWO, HCBR_I_FACTS, 70, 1, 3, "facts: scope, order, keep"},
    {SAMPLE_TWO, HCBR_I_FACTS, 71, 1, 2, "facts: scope, order, keep"},
    {SAMPLE_TWO, HCBR_I_FACTS, 71, 1, 1, "facts: 5 keys of 7 features that are numbers"},
    {SAMPLE_EMPTY, HCBR_I_FACTS, 71, 1, 1, "facts: 0 keys of 0 features that are numbers"},
    {SAMPLE_PLAIN, HCBR_I_FACTS, 71, 1, 1, "facts: 2 keys of 3 features that are numbers"},
    {SAMPLE_THREE, HCBR_I_FACTS, 71, 1, 1, "section keys: "},
    {SAMPLE_NUMBERS, HCBR_I_FACTS, 71, 1, 0, "section keys: "},
    {SAMPLE_NUMBERS, HCBR_I_FACTS, 56, 4, 2, "facts: 2 keys of 3 features that are numbers"},
    {SAMPLE_TWO, HCBR_I_FACTS, 70, 1, 1, "section ids: present"},
    {SAMPLE_PLAIN, HCBR_I_FACTS, 70, 1, 0, "section cases: present"},

    {SAMPLE_TWO, HCBR_I_LABELS, 0, 8, 0, "labels: label 0 has 0 cases, expected 1 to 5"},
    {SAMPLE_TWO, HCBR_I_LABELS, 0, 8, 3, "labels: labels have 6 cases, expected 5"},
    {SAMPLE_TWO, HCBR_I_LABELS, 0, 8, UINT64_MAX, "labels: label 0 has 18446744073709551615"},
    {SAMPLE_TWO, HCBR_I_LABELS, 16, 8, NAN_BITS, "labels: total of label 0 is nan"},
    {SAMPLE_TWO, HCBR_I_LABELS, 24, 8, MINUS_ONE_BITS, "labels: total of label 1 is -1"},
    {SAMPLE_TWO, HCBR_I_LABELS, 24, 8, 0, "labels: total of label 1 is 0, expected more than 0"},
    {SAMPLE_TWO, HCBR_I_LABELS, 24, 8, 1, "labels: total of label 1 is 5e-324, expected "},
    {SAMPLE_TWO, HCBR_I_LABELS, 16, 8, 0x7FE0000000000000, "labels: total of label 0 is "},
    {SAMPLE_EMPTY, HCBR_I_LABELS, 16, 8, ONE_BITS, "labels: total of label 0 is 1, expected 0"},
    {SAMPLE_TWO, HCBR_I_LABELS, 32, 4, 0, "labels: label 0 is empty"},
    {SAMPLE_TWO, HCBR_I_LABELS, 32, 4, UINT32_MAX, "labels: 5 bytes left, expected 4294967295"},
    {SAMPLE_TWO, HCBR_I_LABELS, 40, 1, 'z', "labels: not in order"},
    {SAMPLE_PLAIN, HCBR_I_LABELS, 40, 1, 'x', "labels: not in order"}, // "x", "10" are no numbers
    {SAMPLE_EMPTY, HCBR_I_LABELS, 40, 1, 'b', "labels: label 1 is label 0 again"},
    {SAMPLE_TWO, HCBR_I_LABELS, 41, 1, 0, "labels: byte 0x00 at offset 1 of label 0, expected UTF"},
    {SAMPLE_TWO, HCBR_I_LABELS, 41, 1, 0xFF, "labels: byte 0xff at offset 1 of label 0"},

    {SAMPLE_THREE, HCBR_I_KEYS, 21, 1, 'a', "keys: key 1 is an earlier key again"},
    {SAMPLE_TWO, HCBR_I_KEYS, 20, 1, 0xC3, "keys: byte 0xc3 at offset 0 of key 0"},
    {SAMPLE_TWO, HCBR_I_KEYS, 0, 4, UINT32_MAX, "section keys: "},

    {SAMPLE_TWO, HCBR_I_FEATURES, 0, 4, 1, "features: feature 0 has key 1, expected at most 0"},
    {SAMPLE_TWO, HCBR_I_FEATURES, 24, 4, 5, "features: feature 6 has key 5"},
    {SAMPLE_TWO, HCBR_I_FEATURES, 24, 4, UINT32_MAX, "features: feature 6 has key 4294967295"},
    {SAMPLE_TWO, HCBR_I_FEATURES, 20, 4, 3, "feature 5 is an earlier feature again"}, // round
    {SAMPLE_BARE, HCBR_I_FEATURES, 25, 1, '1', "features: feature 1 is an earlier feature again"},
    {SAMPLE_BARE, HCBR_I_FEATURES, 8, 4, 0, "features: feature 2 is an earlier feature again"},
    {SAMPLE_TWO, HCBR_I_FEATURES, 28, 4, 0xFFFFFFFE, "section features: "},
    {SAMPLE_NUMBERS, HCBR_I_FEATURES, 0, 4, 9999999, "features: feature 1 is an earlier feature"},
    {SAMPLE_NUMBERS, HCBR_I_FEATURES, 8, 4, 17, "features: feature 2 is an earlier feature"},
    {SAMPLE_NUMBERS, HCBR_I_FEATURES, 4, 4, 10000000, "features: feature 1 is the number 10000000"},
    {SAMPLE_NUMBERS, HCBR_I_FEATURES, 0, 4, UINT32_MAX, "feature 0 is the number 4294967295"},
    {SAMPLE_TWO, HCBR_I_FEATURES, 56, 1, 0, "features: byte 0x00 at offset 0 of the value of"},

    {SAMPLE_TWO, HCBR_I_ATOMS, 0, 4, 5, "atoms: feature 0 is in atom 5, expected one below 5"},
    {SAMPLE_TWO, HCBR_I_ATOMS, 0, 4, UINT32_MAX, "atoms: feature 0 is in atom 4294967295"},
    {SAMPLE_TWO, HCBR_I_ATOMS, 12, 4, 3, "atoms: atom 4 has no feature"},
    {SAMPLE_TWO, HCBR_I_ATOMS, 0, 4, 2, "atoms: atom 2 does not follow atom 1"},
    {SAMPLE_TWO, HCBR_I_ATOMS, 20, 4, 0, "facts: 15 occurrences, expected 17"},
    {SAMPLE_THREE, HCBR_I_ATOMS, 8, 4, 3, "atoms: atom 3 does not follow atom 2"},

    {SAMPLE_TWO, HCBR_I_STRENGTHS, 0, 8, NAN_BITS, "strengths: mu of atom 0 is nan"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 8, 8, INF_BITS, "strengths: mu of atom 1 is inf"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 40, 8, INF_BITS, "strengths: sigma of atom 0 is inf"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 40, 8, MINUS_ONE_BITS, "strengths: sigma of atom 0 is -1"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 80, 4, 4, "atom 0 is in 6 cases, expected at most 4"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 80, 4, UINT32_MAX, "strengths: atom 0 is in 4294967297 cases"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 88, 4, 3, "atoms: atom 1 does not follow atom 0"},
    {SAMPLE_TWO, HCBR_I_STRENGTHS, 112, 4, 0, "atoms: atom 4 is in 0 cases, expected 1 to 4"},
    {SAMPLE_BARE, HCBR_I_STRENGTHS, 36, 4, 0, "atoms: atom 0 is in 0 cases"},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 0, 8, NAN_BITS, "strengths: mu of atom 0 is nan"},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 72, 4, 3, "strengths: label 3 of atom 0, expected 0 to 2"},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 76, 4, 1, "strengths: label 1 of atom 0, expected 2 to 2"},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 84, 4, 0, "strengths: label 0 of atom 1, expected 1 to 2"},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 116, 4, 4, "section strengths: "},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 144, 4, 10, "strengths: atom 0 has 10 entries, but only 9"},
    {SAMPLE_THREE, HCBR_I_STRENGTHS, 156, 4, 1, "strengths: atoms have 8 entries, expected 9"},

    {SAMPLE_TWO, HCBR_I_RULE, 0, 8, NAN_BITS, "rule: eta of label 0 is nan"},
    {SAMPLE_TWO, HCBR_I_RULE, 8, 8, MINUS_ONE_BITS, "rule: eta of label 1 is -1"},
    {SAMPLE_TWO, HCBR_I_RULE, 16, 8, ONE_BITS, "rule: share of label 0 is 1, expected"},
    {SAMPLE_TWO, HCBR_I_RULE, 24, 8, NAN_BITS, "rule: share of label 1 is nan"},
    {SAMPLE_TWO, HCBR_I_RULE, 24, 8, MINUS_ONE_BITS, "rule: share of label 1 is -1"},
    {SAMPLE_TWO, HCBR_I_RULE, 32, 4, 2, "rule: fall-back of label 0 is 2, expected -2 to 1"},
    {SAMPLE_TWO, HCBR_I_RULE, 36, 4, 0xFFFFFFFD, "rule: fall-back of label 1 is -3"},
    {SAMPLE_TWO, HCBR_I_RULE, 40, 4, 0, "rule: answer on nothing is 0, expected -3 to -1"},
    {SAMPLE_TWO, HCBR_I_RULE, 40, 4, 0xFFFFFFFD, "rule: answer on nothing is -3, expected -1"},
    {SAMPLE_TWO, HCBR_I_RULE, 44, 4, 2, "rule: memory is 2, expected 0 or 1"},
    {SAMPLE_BARE, HCBR_I_RULE, 44, 4, 1, "rule: memory is 1, expected 0 where no case is kept"},

    {SAMPLE_TWO, HCBR_I_READ, 0, 4, 8, "read: flags 8"},
    {SAMPLE_TWO, HCBR_I_READ, 0, 4, 3, "read: flags 3, delimiter 59, 2 missing values"},
    {SAMPLE_TWO, HCBR_I_READ, 4, 4, 256, "read: flags 71, delimiter 256"},
    {SAMPLE_TWO, HCBR_I_READ, 4, 4, 255, "read: found delimiter 255, expected an ASCII character"},
    {SAMPLE_TWO, HCBR_I_READ, 4, 4, 127, "read: found delimiter 127"},
    {SAMPLE_TWO, HCBR_I_READ, 4, 4, '"', "read: found delimiter 34"},
    {SAMPLE_TWO, HCBR_I_READ, 4, 4, '\n', "read: found delimiter 10"},
    {SAMPLE_TWO, HCBR_I_READ, 4, 4, 13, "read: found delimiter 13"},
    {SAMPLE_TWO, HCBR_I_READ, 8, 4, UINT32_MAX, "section read: "},
    {SAMPLE_TWO, HCBR_I_READ, 12, 4, UINT32_MAX, "section read: "},
    {SAMPLE_TWO, HCBR_I_READ, 16, 4, UINT32_MAX, "section read: "},
    {SAMPLE_TWO, HCBR_I_READ, 44, 1, 0, "read: byte 0x00 at offset 0 of name of the label"},

    {SAMPLE_TWO, HCBR_I_READ, 0, 4, 16, "read: flags 16"},
    {SAMPLE_TWO, HCBR_I_READ, 0, 4, 263, "read: flags 263"},
    {SAMPLE_TWO, HCBR_I_READ, 55, 1, 'x', "read: found bins 'x1.5,30', expected"},
    {SAMPLE_TWO, HCBR_I_READ, 55, 1, '9', "read: found bins '91.5,30', expected"},
    {SAMPLE_TWO, HCBR_I_READ, 55, 1, '+', "read: ranges of labels that are no rising numbers"},
    {SAMPLE_TWO, HCBR_I_READ, 58, 1, '0', "read: ranges of labels that are no rising numbers"},

    {SAMPLE_TWO, HCBR_I_COLUMNS, 0, 4, 0, "columns: sequences of 0 words and 6 names, expected 1"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 0, 4, 17, "columns: sequences of 17 words"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 4, 4, UINT32_MAX, "section columns: "},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 4, 4, 0, "section columns: "},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 16, 4, UINT32_MAX, "section columns: "},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 20, 4, 0, "columns: name 0 is empty, expected a text"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 24, 4, 0, "columns: name 1 is empty"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 28, 4, 5, "section columns: "},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 44, 1, 0, "columns: byte 0x00 at offset 0 of name 0"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 48, 1, 0xC3, "section columns: "},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 49, 4, 0x6E656573,
     "columns: found 'seen' for both option text and option presence, expected it in one of them"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 49, 4, 0x656D616E,
     "columns: found 'name' for both option text and option id, expected it in one of them"},
    {SAMPLE_TWO, HCBR_I_COLUMNS, 53, 4, 0x6B6E756A,
     "columns: found 'junk' for both option presence and option ignore, expected it in one of "
     "them"},

    {SAMPLE_TWO, HCBR_I_CALIBRATION, 0, 4, 0, "calibration: kind 0, expected 1 or 2"},
    {SAMPLE_TWO, HCBR_I_CALIBRATION, 0, 4, 3, "calibration: kind 3, expected 1 or 2"},
    {SAMPLE_TWO, HCBR_I_CALIBRATION, 0, 4, 2, "section calibration: "},
    {SAMPLE_TWO, HCBR_I_CALIBRATION, 4, 4, 2, "calibration: 2 maps, expected 1 for 2 labels"},
    {SAMPLE_TWO, HCBR_I_CALIBRATION, 8, 8, NAN_BITS, "calibration: curve 0 has slope nan"},
    {SAMPLE_TWO, HCBR_I_CALIBRATION, 8, 8, ONE_BITS | UINT64_C(1) << 63,
     "calibration: curve 0 has slope -1"},
    {SAMPLE_TWO, HCBR_I_CALIBRATION, 16, 8, NAN_BITS, "expected finite numbers"},
    {SAMPLE_THREE, HCBR_I_CALIBRATION, 8, 8, UINT64_MAX, "map 0 has 18446744073709551615 knots"},
    {SAMPLE_THREE, HCBR_I_CALIBRATION, 8, 8, 1u << 30, "section calibration: "},
    {SAMPLE_THREE, HCBR_I_CALIBRATION, 24, 8, ONE_BITS | UINT64_C(1) << 63,
     "score 1 of map 0 is not above the one before"},
    {SAMPLE_THREE, HCBR_I_CALIBRATION, 16, 8, NAN_BITS, "score 0 of map 0 is not above"},
    {SAMPLE_THREE, HCBR_I_CALIBRATION, 32, 8, ONE_BITS, "probability 0 of map 0 is 1, expected"},
    {SAMPLE_THREE, HCBR_I_CALIBRATION, 40, 8, 0, "probability 1 of map 0 is 0, expected"},
    {SAMPLE_TWO, HCBR_I_TUNING, 0, 1, 0, "tuning: byte 0x00 at offset 0 of words"},
    {SAMPLE_TWO, HCBR_I_TUNING, 0, 1, 0xFF, "section tuning: "},

    {SAMPLE_TWO, HCBR_I_PASSES, 0, 8, 5, "passes: 5 wrong decisions in pass 0, expected at most 4"},
    {SAMPLE_TWO, HCBR_I_PASSES, 16, 8, UINT64_MAX, "passes: 18446744073709551615 wrong"},

    {SAMPLE_TWO, HCBR_I_CASES, 0, 4, 2, "cases: label of case 0 is 2, expected below 2"},
    {SAMPLE_TWO, HCBR_I_CASES, 0, 4, 1, "cases: 1 cases of label 0, expected 2"},
    {SAMPLE_TWO, HCBR_I_CASES, 20, 4, UINT32_MAX, "cases: 44 bytes left, expected 4294967303"},
    {SAMPLE_TWO, HCBR_I_CASES, 20, 4, 2, "cases: 4 bytes left, expected its end"},
    {SAMPLE_TWO, HCBR_I_CASES, 40, 4, 5, "cases: case 0 has atom 5, expected below 5"},
    {SAMPLE_TWO, HCBR_I_CASES, 40, 4, 1, "cases: case 0 has atom 1 twice"},
    {SAMPLE_TWO, HCBR_I_CASES, 40, 4, 3, "cases of label 0 have atom 3, expected 1"},
    {SAMPLE_THREE, HCBR_I_CASES, 0, 4, 3, "cases: label of case 0 is 3"},
    {SAMPLE_THREE, HCBR_I_CASES, 40, 4, 3, "cases: case 0 of label 2 has atom 3, expected no such"},

    {SAMPLE_TWO, HCBR_I_ROWS, 0, 8, 0, "rows: row 0 of case 0, expected above 0"},
    {SAMPLE_TWO, HCBR_I_ROWS, 8, 8, 1, "rows: row 1 of case 1, expected above 1"},
    {SAMPLE_TWO, HCBR_I_ROWS, 0, 8, 4, "rows: row 3 of case 1, expected above 4"},

    {SAMPLE_TWO, HCBR_I_IDS, 12, 4, 0, "ids: 1 bytes left, expected its end"},
    {SAMPLE_TWO, HCBR_I_IDS, 0, 4, UINT32_MAX, "ids: 15 bytes left, expected 4294967295"},
    {SAMPLE_TWO, HCBR_I_IDS, 20, 1, 0, "ids: byte 0x00 at offset 0 of the name of case 0"},
    {SAMPLE_TWO, HCBR_I_IDS, 31, 1, 'x', "ids: byte 0x82 at offset 7 of the name of case 2"},

    {SAMPLE_TWO, HCBR_I_MOVES, 0, 4, 5, "moves: record 0 is of case 5, expected one below 5"},
    {SAMPLE_TWO, HCBR_I_MOVES, 0, 4, 2, "moves: record 0 is decided as label 1"},
    {SAMPLE_TWO, HCBR_I_MOVES, 8, 4, 0, "moves: record 0 is decided as label 0"},
    {SAMPLE_TWO, HCBR_I_MOVES, 8, 4, 2, "moves: record 0 is decided as label 2"},
    {SAMPLE_TWO, HCBR_I_MOVES, 16, 8, NAN_BITS, "moves: delta nan in record 0"},
    {SAMPLE_TWO, HCBR_I_MOVES, 24, 8, MINUS_ONE_BITS, "moves: delta -1 in record 0"},
    {SAMPLE_THREE, HCBR_I_MOVES, 16, 4, 0, "moves: record 1 is out of order"},
    {SAMPLE_THREE, HCBR_I_MOVES, 0, 4, 1, "moves: record 1 is out of order"},
    {SAMPLE_THREE, HCBR_I_PASSES, 0, 8, 0, "moves: 3 records, expected at most 2"},
};

static void wrong_value__is_refused_with_its_message(void **state) {
    (void)state;
    for (size_t i = 0; i < sizeof wrong_values / sizeof *wrong_values; i++) {
        const wrong *w = &wrong_values[i];
        pieces p = take_sample(w->sample);
        const uint32_t index = pieces_find(&p, w->section);
        if (w->at + w->width > p.length[index])
            fail_msg("value %zu lies outside its section", i);
        put_value(p.bytes[index] + w->at, w->width, w->value);
        refuse_pieces(&p, w->expected);
        pieces_clear(&p);
    }
}

static void wrong_value__needs_more_than_one_change(void **state) {
    (void)state;
    /* a key that no feature has: y=1 becomes x=3 */
    pieces p = take_sample(SAMPLE_BARE);
    const uint32_t features = pieces_find(&p, HCBR_I_FEATURES);
    put_value(p.bytes[features] + 8, 4, 0);
    p.bytes[features][26] = '3';
    refuse_pieces(&p, "features: 1 keys in use, expected 2");
    pieces_clear(&p);
    /* numbers that stand as text */
    p = take_sample(SAMPLE_NUMBERS);
    const unsigned char key_bytes[22] = {2, 0,   0,   0,   7,   0,   0,   0,   1,   0,   0,
                                         0, '1', '7', '9', '9', '9', '9', '9', '9', '9', '0'};
    const unsigned char feature_bytes[27] = {
        [4] = 1, [8] = 2, [12] = 1, [16] = 1, [20] = 1, [24] = '1', [25] = '1', [26] = '1'};
    const uint32_t keys = pieces_find(&p, HCBR_I_KEYS);
    p.bytes[0][71] = 0;
    pieces_resize(&p, keys, sizeof key_bytes);
    memcpy(p.bytes[keys], key_bytes, sizeof key_bytes);
    pieces_resize(&p, keys + 1, sizeof feature_bytes);
    memcpy(p.bytes[keys + 1], feature_bytes, sizeof feature_bytes);
    refuse_pieces(&p, "features: all are numbers, expected them to stand as such");
    pieces_clear(&p);
    /* rows that merely count */
    p = take_sample(SAMPLE_PLAIN);
    const unsigned char rows[32] = {[0] = 1, [8] = 2, [16] = 3, [24] = 4};
    pieces_insert(&p, pieces_find(&p, HCBR_I_MOVES), HCBR_I_ROWS, 1, rows, sizeof rows);
    refuse_pieces(&p, "rows: rows are 1, 2, 3, ..., expected no section");
    pieces_clear(&p);
    /* names that are all empty */
    p = take_sample(SAMPLE_PLAIN);
    const unsigned char lengths[16] = {0};
    pieces_insert(&p, pieces_find(&p, HCBR_I_MOVES), HCBR_I_IDS, 1, lengths, sizeof lengths);
    refuse_pieces(&p, "ids: no case has a name");
    pieces_clear(&p);
    /* a move of an empty case (number 4, label yes) */
    p = take_sample(SAMPLE_TWO);
    const uint32_t moves = pieces_find(&p, HCBR_I_MOVES);
    put_value(p.bytes[moves] + 4, 4, 4);
    pieces_resize(&p, moves, p.length[moves] - 24);
    refuse_pieces(&p, "moves: record 1 is of case 4, which is empty");
    pieces_clear(&p);
    /* counts that move between labels and stay within bounds: only the cases tell */
    p = take_sample(SAMPLE_TWO);
    const uint32_t strengths = pieces_find(&p, HCBR_I_STRENGTHS);
    put_value(p.bytes[strengths] + 88, 4, 2); // atom 1 is in cases 0 (no) and 1 (yes)
    put_value(p.bytes[strengths] + 92, 4, 0);
    refuse_pieces(&p, "cases: 1 cases of label 0 have atom 1, expected 2");
    pieces_clear(&p);
    /* more cases of a label than there are */
    p = take_sample(SAMPLE_BARE);
    const uint32_t d = pieces_find(&p, HCBR_I_STRENGTHS);
    put_value(p.bytes[d] + 32, 4, 2);
    put_value(p.bytes[d] + 36, 4, 0);
    refuse_pieces(&p, "strengths: atom 0 is in 2 cases of label 0, expected at most 1");
    pieces_clear(&p);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(wrong_container__is_refused, no_mismatch),
        cmocka_unit_test_teardown(wrong_container__padding_counts, no_mismatch),
        cmocka_unit_test_teardown(wrong_container__digest_and_checksums_count, no_mismatch),
        cmocka_unit_test_teardown(wrong_section__absent_is_refused_unless_it_may_be, no_mismatch),
        cmocka_unit_test_teardown(wrong_section__of_cases_that_are_not_kept, no_mismatch),
        cmocka_unit_test_teardown(wrong_section__one_byte_more_or_less_is_refused, no_mismatch),
        cmocka_unit_test_teardown(wrong_value__is_refused_with_its_message, no_mismatch),
        cmocka_unit_test_teardown(wrong_value__needs_more_than_one_change, no_mismatch),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
