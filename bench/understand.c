/*
 * Read a table and understand its columns, as training a rich model does, and nothing else:
 *
 *     understand FILE ENCODING LABEL [IGNORED...]
 *
 * bench/understand runs it under callgrind and prints what each step costs.
 */
#include "cases/cases.h"

#include <stdio.h>
#include <stdlib.h>

static void must(hcbr_status st, const hcbr_error *err) {
    if (st == HCBR_OK)
        return;
    fprintf(stderr, "understand: %s\n", err->message);
    exit(1);
}

int main(int argc, char **argv) {
    const hcbr_i_left leave = {{NULL, NULL}, {0, 0}, false};
    hcbr_read_options options;
    hcbr_cases *cases = NULL, *understood = NULL;
    hcbr_error err;
    if (argc < 4)
        return 2;
    hcbr_read_options_init(&options);
    options.encoding = argv[2];
    options.label = argv[3];
    options.ignore = (const char *const *)(argv + 4);
    options.ignore_count = (size_t)argc - 4;
    options.bad_rows = HCBR_BAD_ROWS_AUTO;
    must(hcbr_cases_create(&cases, 1, &err), &err);
    must(hcbr_cases_read(cases, (const char *const *)(argv + 1), 1, &options, &err), &err);
    must(hcbr_cases_finish(cases, &err), &err);
    must(hcbr_i_cases_understand(&understood, cases, &leave, &err), &err);
    hcbr_cases_free(understood);
    hcbr_cases_free(cases);
    return 0;
}
