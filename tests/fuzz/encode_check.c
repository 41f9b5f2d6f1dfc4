/*
 * Cases read from a file, compared with the same cases added one by one. The blocks of the reader
 * take paths into the dictionary that single cases do not (batches, numbers as their own index).
 * Both lists must have the same features with the same numbers, case by case.
 */
#include "fuzz.h"

#include "add_case.h"
#include "cases/cases.h"

#include <stdlib.h>
#include <unistd.h>

static const char *const input[] = {"-"};

/** Features of a raw case as the public API takes them; text has 16 bytes for each. */
static void unpack(hcbr_feature *out, char *text, const hcbr_i_block *block,
                   const hcbr_i_raw_case *x) {
    for (size_t i = 0; i < x->count; i++, text += HCBR_I_NAME_TEXT) {
        hcbr_i_name name = block->names[x->first + i];
        if (hcbr_i_name_is_long(name)) {
            const hcbr_i_long_name *l = &block->longs[name.lo];
            out[i] = (hcbr_feature){l->key, l->key_length, l->value, l->value_length};
        } else {
            bool bare;
            hcbr_i_name_unpack(name, text, &out[i].key_length, &bare, &out[i].value_length);
            out[i].key = text;
            out[i].value = bare ? NULL : text + out[i].key_length;
        }
    }
}

static void add_raw_case(hcbr_cases *cases, const hcbr_i_block *block, const hcbr_i_raw_case *x) {
    hcbr_feature *features = malloc((x->count + 1) * sizeof *features);
    char *text = malloc((x->count + 1) * HCBR_I_NAME_TEXT);
    char *label = malloc(x->label.length + 1);
    hcbr_error err;
    FUZZ_CHECK(features != NULL && text != NULL && label != NULL);
    memcpy(label, x->label.at, x->label.length);
    label[x->label.length] = 0;
    unpack(features, text, block, x);
    FUZZ_CHECK_OK(add_one_case(cases, features, x->count, label, NULL, &err), err);
    free(features);
    free(text);
    free(label);
}

void fuzz_check_cases(const hcbr_cases *a, const hcbr_cases *b) {
    uint32_t count = hcbr_i_dict_count(a->dict);
    FUZZ_CHECK(a->case_count == b->case_count && a->empty_count == b->empty_count);
    FUZZ_CHECK(count == hcbr_i_dict_count(b->dict) && a->labels.count == b->labels.count);
    for (uint32_t f = 0; f < count; f++) {
        hcbr_i_dict_feature x = hcbr_i_dict_get(a->dict, f), y = hcbr_i_dict_get(b->dict, f);
        hcbr_i_text key = hcbr_i_dict_key(a->dict, x.key);
        FUZZ_CHECK(x.key == y.key && (x.value == NULL) == (y.value == NULL));
        FUZZ_CHECK(key.length == hcbr_i_dict_key(b->dict, y.key).length);
        FUZZ_CHECK(memcmp(key.at, hcbr_i_dict_key(b->dict, y.key).at, key.length) == 0);
        FUZZ_CHECK(x.value == NULL || (x.value_length == y.value_length &&
                                       memcmp(x.value, y.value, x.value_length) == 0));
        FUZZ_CHECK(hcbr_i_dict_find(a->dict, key.at, key.length, x.value, x.value_length) == f);
    }
    for (uint32_t i = 0; i < a->case_count; i++) {
        FUZZ_CHECK(a->label[i] == b->label[i] && a->start[i + 1] == b->start[i + 1]);
        for (uint64_t j = a->start[i]; j < a->start[i + 1]; j++)
            FUZZ_CHECK(a->features[j] == b->features[j] && a->features[j] < count);
    }
}

void fuzz_encode(const hcbr_read_options *options) {
    hcbr_read_options quiet = *options;
    hcbr_cases *read, *added;
    hcbr_i_reader *reader;
    const hcbr_i_block *block;
    hcbr_error err;
    hcbr_status st;
    quiet.notify = NULL;
    FUZZ_CHECK_OK(hcbr_cases_create(&read, 1, &err), err);
    FUZZ_CHECK_OK(hcbr_cases_create(&added, 2, &err), err);
    read->formed = added->formed = true; // spelled: test_numbers.c has those that stand apart
    FUZZ_CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
    st = hcbr_cases_read(read, input, 1, &quiet, &err);
    FUZZ_CHECK(lseek(STDIN_FILENO, 0, SEEK_SET) == 0);
    hcbr_status again = hcbr_i_reader_create(&reader, input, 1, &quiet, true, &err);
    if (again != HCBR_OK) { // a file of labels that cannot be used
        FUZZ_CHECK(again == st && hcbr_cases_count(read) == 0);
        hcbr_cases_free(read);
        hcbr_cases_free(added);
        return;
    }
    while ((again = hcbr_i_reader_next(reader, &block, &err)) == HCBR_OK && block != NULL)
        for (size_t c = 0; c < block->case_count; c++)
            add_raw_case(added, block, &block->cases[c]);
    FUZZ_CHECK(again == st && hcbr_i_reader_skipped(reader) == read->skipped);
    hcbr_i_reader_free(reader);
    fuzz_check_cases(read, added);
    hcbr_cases_free(read);
    hcbr_cases_free(added);
}
