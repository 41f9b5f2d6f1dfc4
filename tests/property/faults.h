/**
 * @file faults.h
 * Shared by the tests of failures: making the n-th call fail for every n, files to read, bytes to
 * compare.
 *
 * Each time these must hold: the status is that of the failure and the message is set, outputs are
 * NULL or 0, no descriptor stays open, nothing leaks (the sanitizer checks), and the inputs are
 * unchanged: the same call without the failure succeeds and gives the same bytes as a run without
 * failures.
 */
#ifndef HCBR_TESTS_FAULTS_H
#define HCBR_TESTS_FAULTS_H

#include "base/base.h"
#include "harness.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

/** One call of the API, on inputs and outputs of its own. */
typedef struct fault_action {
    void (*prepare)(void *context); /**< fresh inputs, before anything fails; may be NULL */
    hcbr_status (*run)(void *context, hcbr_error *err);
    void (*failed)(void *context); /**< check that the outputs of a failed call are NULL or 0 */
    void (*done)(void *context);   /**< check those of a successful call; release everything */
    uint64_t optional;             /**< allocations that may fail unnoticed */
} fault_action;

/**
 * Fail the n-th call of a kind for every n until a run needs fewer, once and from then on, each
 * time followed by a run without failures. There must be at least `least` calls. For allocations in
 * a release build, where leaks are not checked, every third n is enough, another third for each of
 * the two ways; HCBR_LONG=1: all.
 */
void fault_each(const fault_action *action, void *context, hcbr_i_fault_kind kind, uint64_t least);

/** Fail the test unless the status and the error are those of a failure of this kind. */
void fault_expect(hcbr_status status, const hcbr_error *err, hcbr_i_fault_kind kind);

typedef struct fault_bytes {
    void *at;
    size_t size;
} fault_bytes;

/** The bytes of a model; release with hcbr_bytes_free(). */
fault_bytes fault_serialize(const hcbr_model *model);
void fault_expect_bytes(const fault_bytes *a, const fault_bytes *b);
/** Finish the cases and return the bytes of a model of two passes that keeps everything. */
fault_bytes fault_finish(hcbr_cases *cases);

/** A folder of this run: made and removed by the two fixtures of a group of tests. */
int fault_folder_make(void **state);
int fault_folder_remove(void **state);
/** Teardown of a test: disarm failures, check that the folder is empty. */
int fault_folder_empty(void **state);
/** The number of files in the folder. */
int fault_folder_count(void);
/** A path in it; static storage of four turns. */
const char *fault_path(const char *name);
void fault_write(const char *name, const void *at, size_t size);
/** The bytes of a file; release with free(). at is NULL if there is none. */
fault_bytes fault_read(const char *name);

/**
 * Two files of one format. Together they have long and short names, ids, missing values, ignored
 * columns, rows to be skipped, many labels.
 */
typedef struct fault_data {
    const char *names[2];
    const char *text[2];
    uint64_t cases[2];
    bool columns; /**< it has columns `who` and `skip` */
} fault_data;

#define FAULT_FILES 4
extern const fault_data fault_files[FAULT_FILES];

/** Write both files to the folder. */
void fault_write_data(const fault_data *d);
/** Their reading options. */
hcbr_read_options fault_read_options(const fault_data *d);
/** Read the first `count` of them. */
hcbr_status fault_read_data(hcbr_cases *cases, const fault_data *d, size_t count, hcbr_error *err);
/** An empty list of cases. Fails the test if that fails. */
hcbr_cases *fault_new_cases(void);

#endif
