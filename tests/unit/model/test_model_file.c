/*
 * A model file: written and read back it is the same, damaged in any way it is refused, and no
 * failure of memory or of the system leaves anything behind.
 */
#include "engines.h"
#include "unit/model/model_sample.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ---- the same again -------------------------------------------------------------------------- */

static void same_text(const char *a, const char *b) {
    assert_int_equal(!a, !b);
    if (a)
        assert_string_equal(a, b);
}

static void same_read_options(const hcbr_model *a, const hcbr_model *b) {
    hcbr_read_options x, y;
    hcbr_model_get_read_options(a, &x);
    hcbr_model_get_read_options(b, &y);
    same_text(x.label, y.label);
    same_text(x.id, y.id);
    assert_int_equal(x.ignore_count, y.ignore_count);
    for (size_t i = 0; i < x.ignore_count; i++)
        same_text(x.ignore[i], y.ignore[i]);
    assert_int_equal(!x.na, !y.na);
    assert_int_equal(x.na_count, y.na_count);
    for (size_t i = 0; i < x.na_count; i++)
        same_text(x.na[i], y.na[i]);
    assert_int_equal(x.no_header, y.no_header);
    assert_int_equal(x.delimiter, y.delimiter);
    assert_int_equal(x.ngrams, y.ngrams);
    assert_int_equal(x.split_count, y.split_count);
    for (size_t i = 0; i < x.split_count; i++) {
        same_text(x.split[i].column, y.split[i].column);
        same_text(x.split[i].separator, y.split[i].separator);
    }
    assert_int_equal(x.text_count, y.text_count);
    for (size_t i = 0; i < x.text_count; i++)
        same_text(x.text[i], y.text[i]);
    assert_int_equal(x.presence_count, y.presence_count);
    for (size_t i = 0; i < x.presence_count; i++)
        same_text(x.presence[i], y.presence[i]);
    assert_int_equal(x.join_count, y.join_count);
    for (size_t i = 0; i < x.join_count; i++) {
        same_text(x.join[i].name, y.join[i].name);
        same_text(x.join[i].key, y.join[i].key);
        assert_null(y.join[i].path);
    }
}

static void same_labels(const hcbr_model *a, const hcbr_model *b, uint32_t labels) {
    for (hcbr_label l = 0; l < (hcbr_label)labels; l++) {
        hcbr_label_info x = {.size = sizeof x}, y = {.size = sizeof y};
        hcbr_model_get_label_info(a, l, &x);
        hcbr_model_get_label_info(b, l, &y);
        size_t length;
        const char *name = hcbr_model_get_label(a, l, &length);
        assert_string_equal(name, hcbr_model_get_label(b, l, NULL));
        assert_int_equal(length, strlen(name));
        assert_int_equal(x.cases, y.cases);
        assert_memory_equal(&x.total, &y.total, sizeof x.total);
        assert_memory_equal(&x.eta, &y.eta, sizeof x.eta);
        assert_memory_equal(&x.eta_share, &y.eta_share, sizeof x.eta_share);
        assert_int_equal(x.fallback, y.fallback);
        assert_int_equal(hcbr_model_find_label(b, name, length), l);
    }
    assert_int_equal(hcbr_model_find_label(b, "no such label", 13), HCBR_LABEL_UNKNOWN);
}

static void same_features(const hcbr_model *a, const hcbr_model *b, uint32_t features) {
    const hcbr_feature absent = {"no such key", 11, NULL, 0};
    for (uint32_t f = 0; f < features; f++) {
        hcbr_feature x, y;
        hcbr_model_get_feature(a, f, &x);
        hcbr_model_get_feature(b, f, &y);
        assert_int_equal(x.key_length, y.key_length);
        assert_memory_equal(x.key, y.key, x.key_length);
        assert_int_equal(!x.value, !y.value);
        assert_int_equal(x.value_length, y.value_length);
        if (x.value_length)
            assert_memory_equal(x.value, y.value, x.value_length);
        assert_int_equal(hcbr_model_find_feature(b, &x), f);
        assert_int_equal(hcbr_model_get_atom(a, f), hcbr_model_get_atom(b, f));
    }
    assert_int_equal(hcbr_model_find_feature(b, &absent), UINT32_MAX);
}

static void same_atoms(const hcbr_model *a, const hcbr_model *b, const hcbr_model_info *info) {
    for (uint32_t e = 0; e < info->atoms; e++) {
        const uint32_t size = hcbr_model_get_atom_size(a, e);
        assert_int_equal(size, hcbr_model_get_atom_size(b, e));
        assert_memory_equal(hcbr_model_get_atom_features(a, e), hcbr_model_get_atom_features(b, e),
                            size * sizeof(uint32_t));
        for (uint32_t i = 0; i < size; i++)
            assert_int_equal(hcbr_model_get_atom(b, hcbr_model_get_atom_features(b, e)[i]), e);
        assert_int_equal(hcbr_i_model_plain(a)->atoms.degree[e],
                         hcbr_i_model_plain(b)->atoms.degree[e]);
        for (hcbr_label l = 0; l < (hcbr_label)info->labels; l++) {
            double x = hcbr_model_get_atom_strength(a, e, l);
            double y = hcbr_model_get_atom_strength(b, e, l);
            assert_memory_equal(&x, &y, sizeof x);
            assert_int_equal(hcbr_model_get_atom_count(a, e, l),
                             hcbr_model_get_atom_count(b, e, l));
        }
    }
}

static void same_cases(const hcbr_model *a, const hcbr_model *b) {
    assert_int_equal(hcbr_model_kept_count(a), hcbr_model_kept_count(b));
    for (uint64_t i = 0; i < hcbr_model_kept_count(a); i++) {
        hcbr_kept_case x = {.size = sizeof x}, y = {.size = sizeof y};
        hcbr_model_get_kept(a, i, &x);
        hcbr_model_get_kept(b, i, &y);
        assert_int_equal(x.row, y.row);
        assert_int_equal(x.label, y.label);
        assert_int_equal(x.atom_count, y.atom_count);
        if (x.atom_count)
            assert_memory_equal(x.atoms, y.atoms, x.atom_count * sizeof *x.atoms);
        assert_int_equal(!x.id, !y.id);
        assert_int_equal(x.id_length, y.id_length);
        if (x.id)
            assert_memory_equal(x.id, y.id, x.id_length);
    }
    assert_int_equal(hcbr_i_model_plain(a)->moves.count, hcbr_i_model_plain(b)->moves.count);
    for (uint64_t r = 0; r < hcbr_i_model_plain(a)->moves.count; r++) {
        assert_int_equal(hcbr_i_model_plain(a)->moves.case_of[r],
                         hcbr_i_model_plain(b)->moves.case_of[r]);
        assert_int_equal(hcbr_i_model_plain(a)->moves.decided[r],
                         hcbr_i_model_plain(b)->moves.decided[r]);
        assert_int_equal(hcbr_i_model_plain(a)->moves.start[r + 1],
                         hcbr_i_model_plain(b)->moves.start[r + 1]);
    }
    if (hcbr_i_model_plain(a)->moves.count)
        assert_memory_equal(hcbr_i_model_plain(a)->moves.delta, hcbr_i_model_plain(b)->moves.delta,
                            hcbr_i_model_plain(a)->moves.start[hcbr_i_model_plain(a)->moves.count] *
                                sizeof(double));
}

static void same_model(const hcbr_model *a, const hcbr_model *b) {
    hcbr_model_info x, y;
    memset(&x, 0, sizeof x); // padding too, since all of it is compared
    memset(&y, 0, sizeof y);
    x.size = y.size = sizeof x;
    hcbr_model_get_info(a, &x);
    hcbr_model_get_info(b, &y);
    assert_int_equal(x.cases, y.cases);
    assert_int_equal(x.empty_cases, y.empty_cases);
    assert_int_equal(x.occurrences, y.occurrences);
    assert_int_equal(x.features, y.features);
    assert_int_equal(x.atoms, y.atoms);
    assert_int_equal(x.keys, y.keys);
    assert_int_equal(x.labels, y.labels);
    assert_int_equal(x.scope, y.scope);
    assert_int_equal(x.passes, y.passes);
    assert_int_equal(x.seed, y.seed);
    assert_int_equal(x.given_order, y.given_order);
    assert_int_equal(x.keep, y.keep);
    assert_int_equal(x.calibrate, y.calibrate);
    assert_string_equal(x.why ? x.why : "", y.why ? y.why : "");
    assert_int_equal(x.memory, y.memory);
    assert_int_equal(x.on_nothing, y.on_nothing);
    assert_int_equal(x.prior, y.prior);
    assert_string_equal(x.fingerprint, y.fingerprint);
    assert_int_equal(y.format_version, 3);
    for (uint32_t p = 0; p < x.passes; p++)
        assert_int_equal(hcbr_model_get_pass_errors(a)[p], hcbr_model_get_pass_errors(b)[p]);
    same_read_options(a, b);
    same_labels(a, b, x.labels);
    same_features(a, b, x.features);
    same_atoms(a, b, &x);
    same_cases(a, b);
}

/** Bytes of a model are these. */
static void serializes_to(const hcbr_model *model, const unsigned char *bytes, size_t size) {
    void *again;
    size_t again_size;
    assert_int_equal(hcbr_model_serialize(model, &again, &again_size, NULL), HCBR_OK);
    assert_int_equal(again_size, size);
    assert_memory_equal(again, bytes, size);
    hcbr_bytes_free(again);
}

static void model_file__is_the_same_after_reading_and_writing(void **state) {
    (void)state;
    for (model_sample s = 0; s < MODEL_SAMPLES; s++) {
        size_t size;
        unsigned char *bytes = model_sample_bytes(s, &size);
        hcbr_model *made = model_sample_build(s), *read;
        assert_int_equal(hcbr_model_parse(&read, bytes, size, NULL), HCBR_OK);
        same_model(made, read);
        serializes_to(read, bytes, size);
        hcbr_model_free(made);
        hcbr_model_free(read);
        free(bytes);
    }
}

static void model_file__has_numbers_as_such(void **state) {
    (void)state;
    const unsigned char numbers[] = {17, 0, 0, 0, 0x7F, 0x96, 0x98, 0, 0, 0, 0, 0};
    size_t size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_NUMBERS, &size);
    pieces p = pieces_take(bytes, size);
    assert_int_equal(p.bytes[0][71], 1);
    assert_int_equal(p.length[pieces_find(&p, HCBR_I_KEYS)], 0);
    assert_int_equal(p.length[pieces_find(&p, HCBR_I_FEATURES)], sizeof numbers);
    assert_memory_equal(p.bytes[pieces_find(&p, HCBR_I_FEATURES)], numbers, sizeof numbers);
    pieces_clear(&p);
    free(bytes);
}

static void model_file__has_the_documented_bytes(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_ONE, &size), *joined;
    pieces p = pieces_take(bytes, size);
    size_t joined_size;
    /* always 10 sections, cases and moves; two features of key x in atoms of degree 2 and 1 */
    assert_int_equal(p.count, 12);
    const uint64_t facts[] = {2, 0, 3, 0x0123456789ABCDEFu + SAMPLE_ONE, 2, 0};
    const unsigned char tail[] = {2, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0,
                                  1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0};
    assert_int_equal(p.length[0], 72);
    for (size_t i = 0; i < 6; i++)
        assert_int_equal(hcbr_i_u64_at(p.bytes[0] + 8 * i), facts[i]);
    assert_memory_equal(p.bytes[0] + 48, tail, sizeof tail);
    const unsigned char labels[] = {2, 0, 0,    0,    0, 0, 0, 0, 0,   0,   0,   0,
                                    0, 0, 0xD0, 0x3F, 4, 0, 0, 0, 'o', 'n', 'l', 'y'};
    assert_int_equal(p.length[1], sizeof labels);
    assert_memory_equal(p.bytes[1], labels, sizeof labels);
    const unsigned char features[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, '1', '2'};
    assert_int_equal(p.length[3], sizeof features);
    assert_memory_equal(p.bytes[3], features, sizeof features);
    /* cases: labels 0 0, lengths 1 2, atoms by falling number as the sample lays them */
    const unsigned char cases[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 2, 0,
                                   0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0};
    assert_int_equal(p.type[10], 11);
    assert_int_equal(p.length[10], sizeof cases);
    assert_memory_equal(p.bytes[10], cases, sizeof cases);
    /* the container is written twice, by the library and by the test */
    joined = pieces_join(&p, &joined_size);
    assert_int_equal(joined_size, size);
    assert_memory_equal(joined, bytes, size);
    pieces_clear(&p);
    free(joined);
    free(bytes);
}

static void model_file__does_not_tell_gaps_counting_rows_or_empty_names(void **state) {
    (void)state;
    size_t size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_PLAIN, &size);
    hcbr_model *m = model_sample_build(SAMPLE_PLAIN);
    m->kept_row = hcbr_i_alloc(m->case_count, sizeof *m->kept_row);
    for (uint64_t i = 0; i < m->case_count; i++)
        m->kept_row[i] = i + 1;
    m->kept_ids = hcbr_i_alloc(0, 1);
    m->kept_id_start = hcbr_i_alloc_zero(m->case_count + 1, sizeof *m->kept_id_start);
    serializes_to(m, bytes, size);
    hcbr_model_free(m);
    free(bytes);
}

static void model_file__leaves_a_result_of_another_size(void **state) {
    (void)state;
    hcbr_model *m = model_sample_build(SAMPLE_TWO);
    hcbr_model_info info, before;
    memset(&info, 0x55, sizeof info);
    info.size = offsetof(hcbr_model_info, empty_cases);
    before = info;
    hcbr_model_get_info(m, &info);
    assert_memory_equal(&info, &before, sizeof info);
    hcbr_model_free(m);
}

/* ---- damage ---------------------------------------------------------------------------------- */

static void refused(const unsigned char *bytes, size_t size) {
    hcbr_model *model = (hcbr_model *)&size; // anything but NULL
    hcbr_error err = {.message = ""};
    assert_int_equal(hcbr_model_parse(&model, bytes, size, &err), HCBR_EFORMAT);
    assert_null(model);
    assert_int_equal(err.status, HCBR_EFORMAT);
    assert_true(strlen(err.message) > 10);
}

static void model_file__refuses_every_flipped_bit(void **state) {
    (void)state;
    for (model_sample s = 0; s < MODEL_SAMPLES; s++) {
        size_t size;
        unsigned char *bytes = model_sample_bytes(s, &size);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            refused(bytes, size);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        free(bytes);
    }
}

static void model_file__refuses_every_truncation_and_addition(void **state) {
    (void)state;
    for (model_sample s = 0; s < MODEL_SAMPLES; s++) {
        size_t size;
        unsigned char *bytes = model_sample_bytes(s, &size);
        for (int off = 0; off < 2; off++) {
            hcbr_i_model_ignore_checksums = off;
            for (size_t length = 0; length < size; length++) {
                unsigned char *part = malloc(length + !length);
                memcpy(part, bytes, length);
                refused(part, length);
                free(part);
            }
            unsigned char *more = calloc(size + 64, 1);
            memcpy(more, bytes, size);
            for (size_t length = size + 1; length <= size + 64; length++)
                refused(more, length);
            free(more);
        }
        hcbr_i_model_ignore_checksums = false;
        free(bytes);
    }
}

/** Has the file a section of a type that is not known, which is dropped? */
static bool has_unknown(const unsigned char *bytes) {
    for (uint32_t i = 0; i < hcbr_i_u32_at(bytes + 12); i++)
        if (hcbr_i_u32_at(bytes + HCBR_I_MODEL_HEADER + i * HCBR_I_MODEL_ENTRY) >=
            HCBR_I_SECTION_END)
            return true;
    return false;
}

/** Without checksums: refused, or a valid model whose only encoding this is. */
static int refused_or_canonical(unsigned char *bytes, size_t size) {
    hcbr_model *model;
    hcbr_error err;
    hcbr_status st = hcbr_model_parse(&model, bytes, size, &err);
    if (st != HCBR_OK) {
        assert_int_equal(st, HCBR_EFORMAT);
        assert_null(model);
        return 0;
    }
    if (!has_unknown(bytes)) {
        unsigned char *sealed = malloc(size);
        memcpy(sealed, bytes, size);
        reseal(sealed, size);
        serializes_to(model, sealed, size);
        free(sealed);
    }
    hcbr_model_free(model);
    return 1;
}

static void model_file__is_canonical_without_checksums(void **state) {
    (void)state;
    hcbr_i_model_ignore_checksums = true;
    for (model_sample s = 0; s < MODEL_SAMPLES; s++) {
        size_t size, accepted = 0;
        unsigned char *bytes = model_sample_bytes(s, &size);
        for (size_t bit = 0; bit < 8 * size; bit++) {
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
            accepted += (size_t)refused_or_canonical(bytes, size);
            bytes[bit / 8] ^= (unsigned char)(1 << bit % 8);
        }
        for (size_t at = 0; at < size; at++)
            for (int value = 0; value < 256; value += value < 4 || value > 250 ? 1 : 31) {
                const unsigned char before = bytes[at];
                bytes[at] = (unsigned char)value;
                accepted += (size_t)refused_or_canonical(bytes, size);
                bytes[at] = before;
            }
        assert_true(accepted > 100); // seeds and fingerprints at least may be anything
        free(bytes);
    }
    hcbr_i_model_ignore_checksums = false;
}

static uint64_t draw(uint64_t *state) {
    *state += 0x9E3779B97F4A7C15u;
    return hcbr_i_mix(*state);
}

static void model_file__survives_random_damage(void **state) {
    (void)state;
    const uint64_t seed = 20240607;
    uint64_t random = seed;
    print_message("seed %llu\n", (unsigned long long)seed);
    hcbr_i_model_ignore_checksums = true;
    for (int round = 0; round < 60000; round++) {
        static unsigned char *samples[MODEL_SAMPLES];
        static size_t sizes[MODEL_SAMPLES];
        const size_t s = draw(&random) % MODEL_SAMPLES;
        if (!samples[s])
            samples[s] = model_sample_bytes((model_sample)s, &sizes[s]);
        const size_t size = sizes[s];
        unsigned char *bytes = malloc(size);
        memcpy(bytes, samples[s], size);
        for (uint64_t n = 1 + draw(&random) % 4; n > 0; n--) {
            const size_t width = (size_t)1 << draw(&random) % 4;
            const size_t at = draw(&random) % (size - 8) / width * width;
            const uint64_t kind = draw(&random) % 4, value = draw(&random);
            if (kind == 0)
                put_value(bytes + at, width, value);
            else if (kind == 1)
                put_value(bytes + at, width, value % 8);
            else if (kind == 2)
                put_value(bytes + at, width, 0 - value % 3);
            else
                memmove(bytes + at, bytes + draw(&random) % (size - 8), width);
        }
        refused_or_canonical(bytes, size);
        free(bytes);
        if (round == 59999)
            for (size_t i = 0; i < MODEL_SAMPLES; i++)
                free(samples[i]);
    }
    hcbr_i_model_ignore_checksums = false;
}

/* ---- sections of later versions -------------------------------------------------------------- */

static void model_file__skips_unknown_optional_sections(void **state) {
    (void)state;
    size_t size, more_size;
    unsigned char *bytes = model_sample_bytes(SAMPLE_TWO, &size);
    pieces p = pieces_take(bytes, size);
    pieces_insert(&p, p.count, 99, 0, "later", 5);
    pieces_insert(&p, p.count, 0xFFFFFFFFu, 0, "", 0);
    unsigned char *more = pieces_join(&p, &more_size);
    hcbr_model *model;
    assert_int_equal(hcbr_model_parse(&model, more, more_size, NULL), HCBR_OK);
    serializes_to(model, bytes, size);
    hcbr_model_free(model);
    pieces_clear(&p);
    free(more);
    free(bytes);
}

/* ---- files and failures ---------------------------------------------------------------------- */

static char folder[256];

static int make_folder(void **state) {
    (void)state;
    const char *base = getenv("TMPDIR");
    snprintf(folder, sizeof folder, "%s/hcbr-model-XXXXXX", base && *base ? base : "/tmp");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

static uint32_t files_in_folder(void) {
    uint32_t count = 0;
    DIR *list = opendir(folder);
    assert_non_null(list);
    for (struct dirent *entry; (entry = readdir(list));)
        count += entry->d_name[0] != '.';
    closedir(list);
    return count;
}

static void model_file__is_saved_and_loaded(void **state) {
    (void)state;
    char path[300];
    hcbr_error err;
    hcbr_model *made = model_sample_build(SAMPLE_THREE), *read;
    snprintf(path, sizeof path, "%s/m.hcbr", folder);
    assert_int_equal(hcbr_model_save(made, path, &err), HCBR_OK);
    assert_int_equal(hcbr_model_load(&read, path, &err), HCBR_OK);
    same_model(made, read);
    hcbr_model_free(read);
    hcbr_model_free(made);

    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    fseek(file, 200, SEEK_SET);
    fputc(0x5A, file);
    fclose(file);
    assert_int_equal(hcbr_model_load(&read, path, &err), HCBR_EFORMAT);
    assert_null(read);
    assert_string_equal(err.file, path);
    assert_non_null(strstr(err.message, "digest"));
    unlink(path);
    assert_int_equal(hcbr_model_load(&read, path, &err), HCBR_EIO);
    assert_null(read);
    assert_string_equal(err.file, path);
    assert_int_equal(hcbr_model_load(&read, folder, NULL), HCBR_EIO);
}

static void model_file__load_and_parse_survive_every_failure(void **state) {
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/m.hcbr", folder);
    for (model_sample s = 0; s < MODEL_SAMPLES; s++) {
        hcbr_model *made = model_sample_build(s), *read;
        assert_int_equal(hcbr_model_save(made, path, NULL), HCBR_OK);
        for (int kind = 0; kind < 2; kind++)
            for (int on = 0; on < 2; on++)
                for (uint64_t n = 1;; n++) {
                    hcbr_error err;
                    assert_true(n < 1000);
                    hcbr_i_fault_arm((hcbr_i_fault_kind)kind, n, on);
                    hcbr_status st = hcbr_model_load(&read, path, &err);
                    const bool reached = hcbr_i_fault_count((hcbr_i_fault_kind)kind) >= n;
                    hcbr_i_fault_arm((hcbr_i_fault_kind)kind, 0, false);
                    if (!reached) {
                        assert_int_equal(st, HCBR_OK);
                        same_model(made, read);
                        hcbr_model_free(read);
                        break;
                    }
                    assert_int_equal(st, kind == HCBR_I_FAULT_ALLOC ? HCBR_ENOMEM : HCBR_EIO);
                    assert_int_equal(err.status, st);
                    assert_null(read);
                }
        hcbr_model_free(made);
        unlink(path);
    }
}

static void model_file__save_leaves_a_whole_file_or_none(void **state) {
    (void)state;
    char path[300];
    snprintf(path, sizeof path, "%s/m.hcbr", folder);
    hcbr_model *made = model_sample_build(SAMPLE_TWO), *read;
    for (int kind = 0; kind < 2; kind++)
        for (int on = 0; on < 2; on++)
            for (uint64_t n = 1;; n++) {
                hcbr_error err;
                assert_true(n < 1000);
                hcbr_i_fault_arm((hcbr_i_fault_kind)kind, n, on);
                hcbr_status st = hcbr_model_save(made, path, &err);
                const bool reached = hcbr_i_fault_count((hcbr_i_fault_kind)kind) >= n;
                hcbr_i_fault_arm((hcbr_i_fault_kind)kind, 0, false);
                if (!reached) {
                    assert_int_equal(st, HCBR_OK);
                    assert_int_equal(unlink(path), 0);
                    assert_true(n > 1);
                    break;
                }
                assert_int_equal(st, kind == HCBR_I_FAULT_ALLOC ? HCBR_ENOMEM : HCBR_EIO);
                /* once renamed it is whole, though the folder could not be synced */
                if (files_in_folder() > 0) {
                    assert_int_equal(hcbr_model_load(&read, path, NULL), HCBR_OK);
                    hcbr_model_free(read);
                    assert_int_equal(unlink(path), 0);
                }
                assert_int_equal(files_in_folder(), 0);
            }
    hcbr_model_free(made);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(model_file__is_the_same_after_reading_and_writing),
        cmocka_unit_test(model_file__has_numbers_as_such),
        cmocka_unit_test(model_file__has_the_documented_bytes),
        cmocka_unit_test(model_file__does_not_tell_gaps_counting_rows_or_empty_names),
        cmocka_unit_test(model_file__leaves_a_result_of_another_size),
        cmocka_unit_test(model_file__refuses_every_flipped_bit),
        cmocka_unit_test(model_file__refuses_every_truncation_and_addition),
        cmocka_unit_test(model_file__is_canonical_without_checksums),
        cmocka_unit_test(model_file__survives_random_damage),
        cmocka_unit_test(model_file__skips_unknown_optional_sections),
        cmocka_unit_test(model_file__is_saved_and_loaded),
        cmocka_unit_test(model_file__load_and_parse_survive_every_failure),
        cmocka_unit_test(model_file__save_leaves_a_whole_file_or_none),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
