// An allocator of the program's own: every block of the library comes from it and goes back to it,
// and it cannot be set when it is too late. It holds for a whole process: each check has its own.
#include "add_case.h"

#include <hcbr/hcbr.h>

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define MAGIC UINT64_C(0x5AFEB10C5AFEB10C)

/* In front of every block; keeps blocks aligned for any type. */
typedef struct head {
    uint64_t magic, bytes;
} head;

typedef struct counter {
    atomic_uint_fast64_t calls, live, bytes;
    uint64_t fail_at; // the call that gets nothing; 0: none
} counter;

// In a child process a check ends it with the line that failed.
#define CHECK(what)                                                                                \
    do {                                                                                           \
        if (!(what)) {                                                                             \
            fprintf(stderr, "line %d: %s\n", __LINE__, #what);                                     \
            _exit(1);                                                                              \
        }                                                                                          \
    } while (0)

static void *count_allocate(void *context, size_t bytes) {
    counter *c = context;
    CHECK(bytes > 0);
    if (atomic_fetch_add(&c->calls, 1) + 1 == c->fail_at)
        return NULL;
    head *h = malloc(sizeof *h + bytes);
    CHECK(h);
    *h = (head){MAGIC, bytes};
    memset(h + 1, 0xA5, bytes); // nobody may count on zeros
    atomic_fetch_add(&c->live, 1);
    atomic_fetch_add(&c->bytes, bytes);
    return h + 1;
}

static void count_release(void *context, void *block) {
    counter *c = context;
    CHECK(block);
    head *h = (head *)block - 1;
    CHECK(h->magic == MAGIC);
    h->magic = 0;
    atomic_fetch_sub(&c->live, 1);
    atomic_fetch_sub(&c->bytes, h->bytes);
    free(h);
}

static void *count_resize(void *context, void *block, size_t bytes) {
    void *larger = count_allocate(context, bytes);
    if (larger && block) {
        size_t before = (size_t)((head *)block - 1)->bytes;
        memcpy(larger, block, before < bytes ? before : bytes);
        count_release(context, block);
    }
    return larger;
}

static hcbr_allocator counting(counter *c) {
    return (hcbr_allocator){.size = sizeof(hcbr_allocator),
                            .allocate = count_allocate,
                            .resize = count_resize,
                            .release = count_release,
                            .context = c};
}

/* ---- the work -------------------------------------------------------------------------------- */

#define ROWS 3000

static hcbr_status make_cases(hcbr_cases **out, hcbr_error *err) {
    hcbr_status st = hcbr_cases_create(out, 1, err);
    for (int i = 0; i < ROWS && st == HCBR_OK; i++) {
        char number[16], word[32];
        int n = snprintf(number, sizeof number, "%d.%d", i * 37 % 101, i % 10);
        int m = snprintf(word, sizeof word, "a long value number %d", i * 7 % 900);
        const hcbr_feature f[] = {{"number", 6, number, (size_t)n}, {"word", 4, word, (size_t)m}};
        const char *label = i * 37 % 101 < 50 ? "low" : i % 9 ? "high" : "other";
        st = add_one_case(*out, f, 2, label, i % 2 ? "id" : NULL, err);
    }
    return st == HCBR_OK ? hcbr_cases_finish(*out, err) : st;
}

static hcbr_status use_model(const hcbr_model *model, hcbr_error *err) {
    const hcbr_feature f[] = {{"number", 6, "7.5", 3}, {"never", 5, "seen", 4}};
    hcbr_decision d = {.size = sizeof d};
    hcbr_explanation e = {.size = sizeof e};
    hcbr_flips flips = {.size = sizeof flips};
    hcbr_questions questions = {.size = sizeof questions};
    hcbr_decider *decider = NULL;
    hcbr_explainer *x = NULL;
    hcbr_row *row = NULL;
    hcbr_status st = hcbr_decider_create(&decider, model, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_row_create(&row, decider, f, 2, err);
    if (st == HCBR_OK)
        st = hcbr_decider_decide(decider, row, &d, err);
    if (st == HCBR_OK)
        st = hcbr_explainer_create(&x, model, NULL, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_explainer_explain(x, row, NULL, &e, err);
    if (st == HCBR_OK)
        st = hcbr_explainer_flip(x, row, NULL, &flips, err);
    if (st == HCBR_OK)
        st = hcbr_explainer_ask(x, row, 3, &questions, err);
    hcbr_explainer_free(x);
    hcbr_row_free(row);
    hcbr_decider_free(decider);
    return st;
}

/* Train, decide, explain, store and read back, evaluate, audit; nothing is left. */
static hcbr_status work(hcbr_model_kind kind, hcbr_error *err) {
    hcbr_cases *cases = NULL;
    hcbr_model *model = NULL, *again = NULL;
    hcbr_evaluation *evaluation = NULL;
    hcbr_audit *audit = NULL;
    hcbr_train_options o;
    hcbr_evaluate_options held_out;
    void *bytes = NULL;
    size_t size = 0;
    hcbr_train_options_init(&o);
    o.model = kind;
    o.effort = HCBR_EFFORT_LITE;
    o.threads = 2;
    hcbr_evaluate_options_init(&held_out);
    held_out.folds = 2;
    held_out.train = &o;
    hcbr_status st = make_cases(&cases, err);
    if (st == HCBR_OK)
        st = hcbr_audit_create(&audit, cases, NULL, err);
    if (st == HCBR_OK)
        st = hcbr_evaluate(&evaluation, cases, &held_out, err);
    if (st == HCBR_OK)
        st = hcbr_model_train(&model, cases, &o, err);
    if (st == HCBR_OK)
        st = hcbr_model_serialize(model, &bytes, &size, err);
    if (st == HCBR_OK)
        st = hcbr_model_parse(&again, bytes, size, err);
    if (st == HCBR_OK)
        st = use_model(again, err);
    hcbr_bytes_free(bytes);
    hcbr_model_free(again);
    hcbr_model_free(model);
    hcbr_evaluation_free(evaluation);
    hcbr_audit_free(audit);
    hcbr_cases_free(cases);
    return st;
}

/* ---- the checks, each in a process of its own ------------------------------------------------ */

static void everything_goes_back(void) {
    static counter c;
    hcbr_allocator a = counting(&c);
    hcbr_error err;
    hcbr_cases_free(NULL); // releases nothing, so it is not too late
    hcbr_bytes_free(NULL);
    CHECK(hcbr_set_allocator(&a, &err) == HCBR_OK);
    for (int rich = 0; rich < 2; rich++) {
        uint64_t before = c.calls;
        CHECK(work(rich ? HCBR_MODEL_RICH : HCBR_MODEL_PLAIN, &err) == HCBR_OK);
        CHECK(c.calls > before + 100);
        CHECK(c.live == 0 && c.bytes == 0);
    }
}

static void packed_files_too(void) {
    static counter c;
    static const unsigned char GZIP[] = {// "label,a\nx,1\ny,2\n"
                                         0x1f, 0x8b, 0x08, 0,    0,    0,    0,    0,   0x02, 0x03,
                                         0x01, 0x10, 0x00, 0xef, 0xff, 'l',  'a',  'b', 'e',  'l',
                                         ',',  'a',  '\n', 'x',  ',',  '1',  '\n', 'y', ',',  '2',
                                         '\n', 0,    0,    0,    0,    0x10, 0,    0,   0};
    unsigned char bytes[sizeof GZIP];
    char path[] = "/tmp/hcbr_allocator_XXXXXX";
    const char *const paths[] = {path};
    hcbr_allocator a = counting(&c);
    hcbr_cases *cases;
    hcbr_error err;
    memcpy(bytes, GZIP, sizeof bytes);
    uint32_t crc = 0xFFFFFFFF; // of the 16 bytes of text
    for (int i = 15; i < 31; i++)
        for (int bit = 0; bit < 8; bit++) {
            if (bit == 0)
                crc ^= bytes[i];
            crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320 : 0);
        }
    for (int i = 0; i < 4; i++)
        bytes[31 + i] = (unsigned char)(~crc >> 8 * i);
    int file = mkstemp(path);
    CHECK(file >= 0 && write(file, bytes, sizeof bytes) == (ssize_t)sizeof bytes);
    close(file);
    CHECK(hcbr_set_allocator(&a, &err) == HCBR_OK);
    CHECK(hcbr_cases_create(&cases, 0, &err) == HCBR_OK);
    hcbr_read_options o;
    hcbr_read_options_init(&o);
    o.format = HCBR_FORMAT_CSV;
    hcbr_status st = hcbr_cases_read(cases, paths, 1, &o, &err);
    unlink(path);
    CHECK(st == HCBR_OK && hcbr_cases_count(cases) == 2);
    hcbr_cases_free(cases);
    CHECK(c.calls > 0 && c.live == 0);
}

static void too_late(void) {
    static counter c;
    hcbr_allocator a = counting(&c);
    hcbr_cases *cases;
    hcbr_error err;
    CHECK(hcbr_cases_create(&cases, 0, &err) == HCBR_OK);
    CHECK(hcbr_set_allocator(&a, &err) == HCBR_EUSAGE && err.status == HCBR_EUSAGE);
    CHECK(strstr(err.message, "allocated memory already"));
    hcbr_cases_free(cases);
    CHECK(hcbr_set_allocator(&a, NULL) == HCBR_EUSAGE); // even if all was released
    CHECK(work(HCBR_MODEL_PLAIN, &err) == HCBR_OK && c.calls == 0);
}

static void once_and_whole(void) {
    static counter c, other;
    hcbr_allocator a = counting(&c), b = counting(&other);
    hcbr_error err;
    for (int missing = 0; missing < 3; missing++) {
        hcbr_allocator bad = a;
        bad.allocate = missing == 0 ? NULL : bad.allocate;
        bad.resize = missing == 1 ? NULL : bad.resize;
        bad.release = missing == 2 ? NULL : bad.release;
        CHECK(hcbr_set_allocator(&bad, &err) == HCBR_EUSAGE);
    }
    CHECK(hcbr_set_allocator(&a, &err) == HCBR_OK); // what was refused has changed nothing
    CHECK(hcbr_set_allocator(&b, &err) == HCBR_EUSAGE);
    CHECK(work(HCBR_MODEL_PLAIN, &err) == HCBR_OK && c.calls > 0 && other.calls == 0);
}

static void no_memory(void) {
    static counter c;
    hcbr_allocator a = counting(&c);
    hcbr_error err;
    CHECK(hcbr_set_allocator(&a, &err) == HCBR_OK);
    for (uint64_t n = 1, step = 1; n < 400; n += step++) {
        c.calls = 0;
        c.fail_at = n;
        hcbr_status st = work(HCBR_MODEL_PLAIN, &err);
        CHECK(st == HCBR_OK || st == HCBR_ENOMEM);
        CHECK(c.live == 0);
    }
}

static void *set_it(void *context) {
    static counter c;
    hcbr_allocator a = counting(&c);
    atomic_int *done = context;
    if (hcbr_set_allocator(&a, NULL) == HCBR_OK)
        atomic_fetch_add(done, 1);
    hcbr_cases *cases;
    CHECK(hcbr_cases_create(&cases, 0, NULL) == HCBR_OK);
    hcbr_cases_free(cases);
    return NULL;
}

static void one_thread_sets_it(void) {
    pthread_t threads[8];
    atomic_int done = 0;
    for (int i = 0; i < 8; i++)
        CHECK(pthread_create(&threads[i], NULL, set_it, &done) == 0);
    for (int i = 0; i < 8; i++)
        pthread_join(threads[i], NULL);
    CHECK(done <= 1); // none, if all of them came after an allocation
}

/* Run a check in a child, so that the next one finds the library untouched. */
static void apart(void (*check)(void)) {
    int status = -1;
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        check();
        _exit(0);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void allocator__gets_everything_back(void **state) {
    (void)state;
    apart(everything_goes_back);
    apart(packed_files_too);
}

static void allocator__is_refused_when_late(void **state) {
    (void)state;
    apart(too_late);
    apart(once_and_whole);
}

static void allocator__may_have_no_memory(void **state) {
    (void)state;
    apart(no_memory);
}

static void allocator__is_set_by_one_thread(void **state) {
    (void)state;
    for (int n = 0; n < 20; n++)
        apart(one_thread_sets_it);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocator__gets_everything_back),
        cmocka_unit_test(allocator__is_refused_when_late),
        cmocka_unit_test(allocator__may_have_no_memory),
        cmocka_unit_test(allocator__is_set_by_one_thread),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
