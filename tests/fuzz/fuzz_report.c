/*
 * Results given to a report: any bytes are added or refused with their place; then a page of them
 * can be written, in which nothing of the input is markup.
 */
#include "fuzz.h"

#include <hcbr/report.h>

#include <string.h>

/* Tags that no page has, and that texts of the corpus look like. */
static void check_page(const char *page, size_t length) {
    static const char *const NEVER[] = {"<script", "<img", "<iframe", "<b>", "<a href=\"h"};
    FUZZ_CHECK(length > 0 && strlen(page) == length);
    for (size_t n = 0; n < sizeof NEVER / sizeof *NEVER; n++)
        FUZZ_CHECK(strstr(page, NEVER[n]) == NULL);
    FUZZ_CHECK(strcmp(page + length - 8, "</html>\n") == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    fuzz_input in = {data, size};
    hcbr_error err = {0};
    hcbr_report *report = NULL;
    hcbr_writer *w = NULL;
    size_t length;
    fuzz_arm(fuzz_choice(&in) & 31);
    hcbr_status st = hcbr_report_create(&report, "fuzz", &err);
    if (st == HCBR_OK)
        st = hcbr_report_add(report, (const char *)in.at, in.left, "r.json", &err);
    bool failed = fuzz_disarm();
    if (st != HCBR_OK) {
        FUZZ_CHECK(st == HCBR_EDATA || (st == HCBR_ENOMEM && failed));
        fuzz_check_error(st, &err);
        hcbr_report_free(report);
        return 0;
    }
    FUZZ_CHECK_OK(hcbr_writer_create(&w, NULL, NULL, &err), err);
    FUZZ_CHECK_OK(hcbr_write_report(w, HCBR_JSON, report, &err), err);
    hcbr_writer_get(w, &length);
    FUZZ_CHECK(length > 0);
    hcbr_writer_clear(w);
    FUZZ_CHECK_OK(hcbr_write_report(w, HCBR_HTML, report, &err), err);
    const char *page = hcbr_writer_get(w, &length);
    check_page(page, length);
    hcbr_writer_free(w);
    hcbr_report_free(report);
    return 0;
}
