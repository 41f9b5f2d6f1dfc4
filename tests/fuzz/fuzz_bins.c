/*
 * Option bins and labels that become ranges. The first line is the option, each other one a label.
 *
 * What must hold: what the option is made of is printed and read as the same; every label is in the
 * range that its name says, ranges rise and none is empty where quantiles were asked for; the cuts
 * are the same for labels in the opposite order; a model's reading of a label is that of training.
 */
#include "fuzz.h"

#include "cases/cases.h"
#include "kinds/kinds.h"
#include "read/read.h"

#include <hcbr/columns.h>

#include <stdlib.h>

#define MOST_LABELS 200

typedef struct labels {
    const char *at[MOST_LABELS];
    size_t length[MOST_LABELS];
    size_t count;
} labels;

/** Read, print, read: the same. */
static bool check_option(const char *text) {
    static double cuts[HCBR_I_MOST_BINS], again[HCBR_I_MOST_BINS];
    hcbr_i_ranges first, second;
    if (!hcbr_i_bins_parse(&first, text, cuts))
        return false;
    FUZZ_CHECK((first.quantiles > 0) != (first.count > 0));
    FUZZ_CHECK(first.quantiles <= HCBR_I_MOST_BINS && first.count < HCBR_I_MOST_BINS);
    for (size_t i = 1; i < first.count; i++)
        FUZZ_CHECK(cuts[i - 1] < cuts[i]);
    if (first.count > 0) {
        char *printed = hcbr_i_bins_print(&first, cuts);
        FUZZ_CHECK(printed != NULL && hcbr_i_bins_parse(&second, printed, again));
        FUZZ_CHECK(first.count == second.count && first.million == second.million);
        FUZZ_CHECK(memcmp(cuts, again, first.count * sizeof *cuts) == 0);
        hcbr_i_free(printed);
    }
    return true;
}

/** Cases of these labels with ranges; NULL: it failed, and says why. */
static hcbr_cases *make(const char *option, const labels *l, bool backwards) {
    hcbr_cases *cases;
    hcbr_read_options options;
    hcbr_error err;
    static int32_t offsets[MOST_LABELS + 1];
    static char text[8192];
    size_t used = 0;
    for (size_t i = 0; i < l->count; i++) {
        size_t n = backwards ? l->count - 1 - i : i;
        memcpy(text + used, l->at[n], l->length[n]);
        used += l->length[n];
        offsets[i + 1] = (int32_t)used;
    }
    hcbr_memory_column column;
    hcbr_memory_column_init(&column);
    column.name = "label";
    column.type = HCBR_MEMORY_UTF8;
    column.length = l->count;
    column.values = offsets;
    column.text = text;
    column.text_size = used;
    hcbr_read_options_init(&options);
    options.bins = option;
    options.na = (const char *const[]){NULL};
    FUZZ_CHECK(hcbr_cases_create(&cases, 0, NULL) == HCBR_OK);
    hcbr_status st = hcbr_cases_add_columns(cases, &column, 1, &options, &err);
    if (st == HCBR_OK)
        st = hcbr_cases_finish(cases, &err);
    if (st == HCBR_OK)
        return cases;
    fuzz_check_error(st, &err);
    hcbr_cases_free(cases);
    return NULL;
}

static void check_ranges(const hcbr_cases *cases, const labels *l, bool quantiles) {
    static double cuts[HCBR_I_MOST_BINS];
    uint64_t in[HCBR_I_MOST_BINS] = {0};
    hcbr_i_ranges r;
    FUZZ_CHECK(hcbr_i_bins_parse(&r, cases->bins, cuts) && r.count > 0);
    for (size_t i = 0; i < l->count; i++) {
        char name[HCBR_I_BIN_NAME];
        double value = 0, upper = 0;
        FUZZ_CHECK(hcbr_i_bins_value(&r, l->at[i], l->length[i], &value));
        size_t bin = hcbr_i_bins_find(cuts, r.count, value);
        FUZZ_CHECK(bin == r.count || value <= cuts[bin]);
        FUZZ_CHECK(bin == 0 || value > cuts[bin - 1]);
        size_t length = hcbr_i_bins_name(cuts, r.count, bin, name), is;
        FUZZ_CHECK(hcbr_i_bins_is_name(name, length, &upper) && value <= upper);
        const char *label = hcbr_i_labels_name(&cases->labels, (hcbr_label)cases->label[i], &is);
        FUZZ_CHECK(is == length && memcmp(label, name, length) == 0);
        in[bin]++;
    }
    for (size_t b = 0; quantiles && b <= r.count; b++)
        FUZZ_CHECK(in[b] > 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    labels l = {.count = 0};
    char *text = malloc(size + 1), *rest;
    FUZZ_CHECK(text != NULL);
    if (size > 0)
        memcpy(text, data, size);
    text[size] = 0;
    if ((rest = strchr(text, '\n')) != NULL)
        *rest++ = 0;
    bool good = check_option(text);
    while (rest != NULL && *rest != 0 && l.count < MOST_LABELS) {
        size_t length = strcspn(rest, "\n");
        bool told = length > 0 && length <= 40 && hcbr_i_utf8_check(rest, length) == length;
        l.at[l.count] = rest;
        l.length[l.count] = length;
        l.count += told;
        rest += length + (rest[length] == '\n');
    }
    if (good && l.count > 0) {
        hcbr_cases *a = make(text, &l, false), *b = make(text, &l, true);
        FUZZ_CHECK((a == NULL) == (b == NULL));
        if (a != NULL) {
            hcbr_i_ranges r;
            FUZZ_CHECK(strcmp(a->bins, b->bins) == 0);
            FUZZ_CHECK(hcbr_i_bins_parse(&r, text, NULL));
            check_ranges(a, &l, r.quantiles > 0);
        }
        hcbr_cases_free(a);
        hcbr_cases_free(b);
    }
    free(text);
    return 0;
}
