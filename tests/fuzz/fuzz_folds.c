/*
 * Files of folds: any bytes are read completely or refused with their place; what was read, written
 * again, is the same text up to the ends of lines and leading zeros; and an evaluation by such
 * folds holds out every case once, or says why it cannot.
 */
#include "add_case.h"
#include "folds/folds.h"
#include "fuzz.h"

#include <inttypes.h>
#include <stdio.h>

enum { MOST_CASES = 24 };

/** Does the line hold just this number? */
static void check_line(const char *at, size_t length, uint64_t value) {
    char digits[24];
    int count = snprintf(digits, sizeof digits, "%" PRIu64, value);
    while (length > 1 && *at == '0') {
        at++;
        length--;
    }
    FUZZ_CHECK(length == (size_t)count && memcmp(at, digits, length) == 0);
}

static void check_folds(const uint64_t *folds, size_t count, const char *text, size_t size) {
    const char *end = text + size;
    if (size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0)
        text += 3;
    for (size_t i = 0; i < count; i++) {
        FUZZ_CHECK(text < end);
        const char *newline = memchr(text, '\n', (size_t)(end - text));
        const char *stop = newline ? newline : end;
        const char *last = newline && stop > text && stop[-1] == '\r' ? stop - 1 : stop;
        check_line(text, (size_t)(last - text), folds[i]);
        text = newline ? newline + 1 : end;
    }
    FUZZ_CHECK(text == end);
}

/** Cases that tell each other's labels badly, as many as there are folds. */
static hcbr_cases *make_cases(size_t count) {
    hcbr_cases *cases;
    hcbr_error err;
    FUZZ_CHECK_OK(hcbr_cases_create(&cases, 1, &err), err);
    for (size_t i = 0; i < count; i++) {
        hcbr_feature f = {&"abcdef"[i % 5], 1, NULL, 0};
        FUZZ_CHECK_OK(add_one_case(cases, &f, 1, i % 3 ? "x" : "y", NULL, &err), err);
    }
    FUZZ_CHECK_OK(hcbr_cases_finish(cases, &err), err);
    return cases;
}

static void check_evaluation(const uint64_t *folds, size_t count) {
    hcbr_cases *cases = make_cases(count);
    hcbr_evaluate_options o;
    hcbr_evaluation *e = NULL;
    hcbr_error err = {0};
    hcbr_evaluate_options_init(&o);
    o.given_folds = folds;
    o.given_count = count;
    hcbr_status st = hcbr_evaluate(&e, cases, &o, &err);
    if (st == HCBR_OK) {
        hcbr_evaluation_info info = {.size = sizeof info};
        hcbr_evaluation_get_info(e, &info);
        FUZZ_CHECK(info.held_out == count && info.folds >= 2 && info.folds <= count);
    } else {
        FUZZ_CHECK(st == HCBR_EUSAGE || (st == HCBR_EDATA && count == 1));
        fuzz_check_error(st, &err);
    }
    hcbr_evaluation_free(e);
    hcbr_cases_free(cases);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    uint64_t *folds = NULL;
    size_t count = 0;
    hcbr_error err = {0};
    fuzz_arm(fuzz_choice(&in) & 31);
    hcbr_status st =
        hcbr_i_folds_parse(&folds, &count, (const char *)in.at, in.left, "folds.txt", &err);
    bool failed = fuzz_disarm();
    if (st != HCBR_OK) {
        FUZZ_CHECK(folds == NULL && count == 0);
        FUZZ_CHECK(st == HCBR_EDATA || (st == HCBR_ENOMEM && failed));
        fuzz_check_error(st, &err);
        return 0;
    }
    FUZZ_CHECK(count > 0);
    check_folds(folds, count, (const char *)in.at, in.left);
    if (count <= MOST_CASES)
        check_evaluation(folds, count);
    hcbr_i_free(folds);
    return 0;
}
