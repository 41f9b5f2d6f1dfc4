/*
 * Making calls of the public API fail, and what is needed to see that nothing else happened.
 *
 * Invariant: outside of fault_each() nothing is armed, so that a check never fails by itself.
 */
#include "faults.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- failures ---------------------------------------------------------------------------------
 */

static int entries(const char *path, bool remove) {
    DIR *d = opendir(path);
    int count = 0;
    assert_non_null(d);
    for (const struct dirent *e; (e = readdir(d));) {
        if (e->d_name[0] == '.')
            continue;
        count++;
        if (remove)
            unlink(fault_path(e->d_name));
    }
    closedir(d);
    return count;
}

static int open_descriptors(void) {
    return entries("/proc/self/fd", false);
}

void fault_expect(hcbr_status status, const hcbr_error *err, hcbr_i_fault_kind kind) {
    assert_int_equal(status, kind == HCBR_I_FAULT_ALLOC ? HCBR_ENOMEM : HCBR_EIO);
    assert_int_equal(err->status, status);
    assert_non_null(memchr(err->message, '\0', sizeof err->message));
    assert_non_null(memchr(err->file, '\0', sizeof err->file));
    assert_true(err->message[0] != '\0');
}

/* One of the two ways of failing; returns how many calls there are. */
static uint64_t fail_way(const fault_action *a, void *context, hcbr_i_fault_kind kind, bool on) {
    const bool all = kind == HCBR_I_FAULT_IO || harness_sanitized() || harness_long(0, NULL);
    const uint64_t step = all ? 1 : 3;
    uint64_t unnoticed = 0;
    int descriptors = open_descriptors();
    for (uint64_t n = all || on ? 1 : 2;; n += step) {
        hcbr_error err;
        if (a->prepare)
            a->prepare(context);
        memset(&err, 0xA5, sizeof err);
        hcbr_i_fault_arm(kind, n, on);
        hcbr_status st = a->run(context, &err);
        uint64_t calls = hcbr_i_fault_count(kind);
        hcbr_i_fault_arm(kind, 0, false);
        if (st != HCBR_OK) {
            fault_expect(st, &err, kind);
            a->failed(context);
            harness_ok(a->run(context, &err), &err);
        } else if (calls >= n)
            assert_true(++unnoticed <= a->optional);
        a->done(context);
        assert_int_equal(open_descriptors(), descriptors);
        if (calls < n)
            return calls;
    }
}

void fault_each(const fault_action *action, void *context, hcbr_i_fault_kind kind, uint64_t least) {
    for (int on = 0; on < 2; on++)
        assert_true(fail_way(action, context, kind, on) >= least);
}

/* ---- bytes ------------------------------------------------------------------------------------
 */

fault_bytes fault_serialize(const hcbr_model *model) {
    fault_bytes b;
    hcbr_error err;
    harness_ok(hcbr_model_serialize(model, &b.at, &b.size, &err), &err);
    return b;
}

void fault_expect_bytes(const fault_bytes *a, const fault_bytes *b) {
    assert_int_equal(a->size, b->size);
    assert_memory_equal(a->at, b->at, a->size);
}

fault_bytes fault_finish(hcbr_cases *cases) {
    hcbr_train_options o;
    hcbr_model *model;
    hcbr_error err;
    hcbr_train_options_init(&o);
    o.model = HCBR_MODEL_PLAIN;
    o.passes = 2;
    harness_ok(hcbr_cases_finish(cases, &err), &err);
    harness_ok(hcbr_model_train(&model, cases, &o, &err), &err);
    fault_bytes b = fault_serialize(model);
    hcbr_model_free(model);
    return b;
}

/* ---- files ------------------------------------------------------------------------------------
 */

static char folder[64];

int fault_folder_make(void **state) {
    (void)state;
    strcpy(folder, "/tmp/hcbr-faults-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

int fault_folder_remove(void **state) {
    (void)state;
    entries(folder, true);
    return rmdir(folder);
}

int fault_folder_empty(void **state) {
    (void)state;
    hcbr_i_fault_arm(HCBR_I_FAULT_ALLOC, 0, false);
    hcbr_i_fault_arm(HCBR_I_FAULT_IO, 0, false);
    entries(folder, true);
    return 0;
}

int fault_folder_count(void) {
    return entries(folder, false);
}

const char *fault_path(const char *name) {
    static char path[4][400];
    static unsigned turn;
    char *p = path[turn++ % 4];
    snprintf(p, sizeof path[0], "%s/%s", folder, name);
    return p;
}

void fault_write(const char *name, const void *at, size_t size) {
    FILE *f = fopen(fault_path(name), "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(at, 1, size, f), size);
    assert_int_equal(fclose(f), 0);
}

fault_bytes fault_read(const char *name) {
    enum { MOST = 1 << 20 };
    fault_bytes b = {NULL, 0};
    FILE *f = fopen(fault_path(name), "rb");
    if (!f)
        return b;
    b.at = malloc(MOST);
    assert_non_null(b.at);
    b.size = fread(b.at, 1, MOST, f);
    fclose(f);
    return b;
}

/* ---- data -------------------------------------------------------------------------------------
 */

#define HEADER(sep) "label" sep "who" sep "skip" sep "a column with a long name" sep "b" sep "c\n"
#define ROWS(sep)                                                                                  \
    "x" sep "r1" sep "s" sep "a value that is long" sep "1" sep "2\n"                              \
    "y" sep "r2" sep "s" sep "a value that is long" sep "3" sep "?\n"                              \
    "z" sep "\n"                                                                                   \
    "y" sep "\"a \"\"quoted\"\" name\"" sep "s" sep "\"of, \"\"it\"\"\"" sep "3" sep "2\n"         \
    "x" sep "r5" sep "" sep "" sep "" sep "\n"

const fault_data fault_files[FAULT_FILES] = {
    {{"a.csv", "b.csv"},
     {HEADER(",") ROWS(","), HEADER(",") ROWS(",") "w,1,2,3,4,5\n"},
     {4, 5},
     true},
    {{"a.tsv", "b.tsv"}, {HEADER("\t") ROWS("\t"), HEADER("\t") ROWS("\t")}, {4, 4}, true},
    {{"a.svm", "b.svm"},
     {"1 3:1 007:2.50 12345678901234567890:1.5\n2 4:x\n3\n4 1\n5 2\n6 3\n7 4\n8 5\n9 6\n10 7\n"
      "1 1 2 3 4 5 6 7 8 9 10 11:1234567890123 # a comment\n",
      "-1 3:1 4:1 5\n1 3:1 7:2.5\n"},
     {10, 2},
     false},
    {{"a.jsonl", "b.jsonl"},
     {"{\"label\": \"x\", \"who\": \"a\\u0041\", \"k\": {\"l\": [1, \"a long \\n value\"]}}\n"
      "{\"label\": \"x\", \"who\": 2, \"k\": }\n"
      "{\"label\": true, \"who\": \"b\", \"skip\": 1, \"k\": {\"l\": 1}, \"features\": [\"m\"]}\n",
      "{\"label\": \"x\", \"k\": {\"l\": [1, 2, \"a long \\n value\"]}}\n"
      "{\"label\": \"y\", \"features\": [\"a proposition with a long name\", 7]}\n"},
     {2, 2},
     true},
};

void fault_write_data(const fault_data *d) {
    for (int i = 0; i < 2; i++)
        fault_write(d->names[i], d->text[i], strlen(d->text[i]));
}

hcbr_read_options fault_read_options(const fault_data *d) {
    static const char *const ignored[] = {"skip"}, *const missing[] = {"?", ""};
    hcbr_read_options o;
    hcbr_read_options_init(&o);
    o.bad_rows = HCBR_BAD_ROWS_SKIP;
    o.labels_as_they_are = 1; // ids of the text are numbers
    if (d->columns) {
        o.id = "who";
        o.ignore = ignored;
        o.ignore_count = COUNT(ignored);
        o.na = missing;
        o.na_count = COUNT(missing);
    }
    return o;
}

hcbr_status fault_read_data(hcbr_cases *cases, const fault_data *d, size_t count, hcbr_error *err) {
    const char *paths[] = {fault_path(d->names[0]), fault_path(d->names[1])};
    hcbr_read_options o = fault_read_options(d);
    return hcbr_cases_read(cases, paths, count, &o, err);
}

hcbr_cases *fault_new_cases(void) {
    hcbr_cases *cases;
    hcbr_error err;
    harness_ok(hcbr_cases_create(&cases, 0, &err), &err);
    return cases;
}
