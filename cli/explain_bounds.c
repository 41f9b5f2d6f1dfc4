/*
 * hcbr explain --flip: the changes allowed. --fixed, --only, --range, --increase-only and
 * --decrease-only become the options of the search; names and ranges are checked with the model.
 */
#include "explaining.h"

#include <stdlib.h>

/* The options with a list of columns, in the order of explaining.lists. */
enum { INCREASES = 2, DECREASES = 3, RANGES = 4 };
static const char *const LISTS[BOUND_LISTS] = {"fixed", "only", "increase-only", "decrease-only",
                                               "range"};

static int refuse_range(const char *range) {
    return say_usage("explain",
                     "--range %s: a column and its ends were expected, as in age=30..60, age=30.. "
                     "or age=..60",
                     settings_shown(range));
}

/* age=30..60: the text is cut where its parts end. The last = is the one before the ends. */
static bool cut_range(char *text, hcbr_flip_bound *bound) {
    char *ends = strrchr(text, '=');
    char *dots = ends ? strstr(ends, "..") : NULL;
    if (!dots || ends == text || (dots == ends + 1 && !dots[2]))
        return false;
    *ends = *dots = '\0';
    *bound = (hcbr_flip_bound){
        .column = text, .low = ends[1] ? ends + 1 : NULL, .high = dots[2] ? dots + 2 : NULL};
    return true;
}

static int read_list(explaining *x, size_t n) {
    bound_list *l = &x->lists[n];
    const char *name = opt_name(LISTS[n]);
    int code = settings_list(x->given, LISTS[n], &l->text, &l->names, &l->count);
    if (code != EXIT_DONE || l->count == 0)
        return code;
    if (!args_has(x->given, "flip"))
        return say_usage("explain", "--%s is for --flip, which is missing", name);
    for (size_t i = 0; i < l->count; i++)
        if (!l->names[i][0])
            return n == RANGES
                       ? refuse_range(args_get(x->given, "range"))
                       : say_usage("explain", "--%s: columns were expected, as in age,sex", name);
    return EXIT_DONE;
}

int explain_read_bounds(explaining *x) {
    size_t count = 0;
    int code;
    for (size_t n = 0; n < BOUND_LISTS; n++)
        if ((code = read_list(x, n)))
            return code;
    x->flip.fixed = x->lists[0].names;
    x->flip.fixed_count = x->lists[0].count;
    x->flip.only = x->lists[1].names;
    x->flip.only_count = x->lists[1].count;
    for (size_t n = 2; n < BOUND_LISTS; n++)
        count += x->lists[n].count;
    if (count && !(x->bounds = calloc(count, sizeof *x->bounds)))
        return say_no_memory("explain");
    for (size_t n = 2; n < BOUND_LISTS; n++)
        for (size_t i = 0; i < x->lists[n].count; i++) {
            hcbr_flip_bound *b = &x->bounds[x->flip.bound_count++];
            char *text = x->lists[n].text + (x->lists[n].names[i] - x->lists[n].text);
            *b = (hcbr_flip_bound){
                .column = text, .increase_only = n == INCREASES, .decrease_only = n == DECREASES};
            if (n == RANGES && !cut_range(text, b))
                return refuse_range(text);
        }
    x->flip.bounds = x->bounds;
    return EXIT_DONE;
}

int explain_check_bounds(explaining *x) {
    hcbr_error err = {0};
    if (hcbr_flip_options_check(&x->flip, x->model, &err) == HCBR_OK)
        return EXIT_DONE;
    return say_usage("explain", "--%s", err.message);
}

void explain_free_bounds(explaining *x) {
    for (size_t n = 0; n < BOUND_LISTS; n++) {
        free(x->lists[n].text);
        free(x->lists[n].names);
    }
    free(x->bounds);
}
