/*
 * Asks the stage kinds/ from a script. Requests come on standard input, each a letter, a number and
 * a line end, for texts that many bytes and a line end more:
 *
 *     C n  a new column of this name            V n  one of its values
 *     M k  so many values are missing           E 0  its verdict, please
 *     0 n  to 3 n  the text as a date, in the order of that number
 *
 * The answer to E is a line: kind, separator, order, mark, ambiguous, odd, distinct, sentence; the
 * answer to a date is `none` or its parts.
 */
#include "kinds/kinds.h"

#include <stdio.h>
#include <stdlib.h>

static void stop(const char *why) {
    fprintf(stderr, "kinds_of: %s\n", why);
    exit(2);
}

static void answer(const hcbr_i_tally *column, const char *name, size_t name_length) {
    hcbr_i_kind kind;
    char why[HCBR_I_KIND_WHY];
    hcbr_i_tally_judge(&kind, column, name, name_length, 0);
    hcbr_i_kind_describe(why, &kind);
    printf("%s\t%c\t%d\t%d\t%d\t%llu\t%llu\t%s\n", hcbr_i_kind_name(kind.kind),
           kind.separator ? kind.separator : '-', (int)kind.order, (int)kind.mark,
           (int)kind.ambiguous, (unsigned long long)kind.odd, (unsigned long long)kind.distinct,
           why);
}

static void answer_date(hcbr_i_order order, const char *text, size_t length) {
    hcbr_i_moment moment;
    if (!hcbr_i_moment_read(&moment, order, text, length)) {
        puts("none");
        return;
    }
    printf("%d", (int)moment.has);
    for (unsigned part = 0; part < HCBR_I_PARTS; part++) {
        int64_t value;
        if (hcbr_i_moment_part(&value, &moment, (hcbr_i_part_of)part))
            printf("\t%lld", (long long)value);
        else
            printf("\t-");
    }
    printf("\t%d\t%u\t%d\n", (int)moment.second, (unsigned)moment.nano, (int)moment.zone);
}

int main(void) {
    char what, *text = NULL, *name = NULL;
    unsigned long long number;
    size_t capacity = 0, name_length = 0, turn = 0;
    hcbr_i_tally columns[2];
    hcbr_i_tally_init(&columns[0]);
    hcbr_i_tally_init(&columns[1]);
    while (scanf(" %c %llu", &what, &number) == 2 && getchar() == '\n') {
        if (what == 'C' || what == 'V' || (what >= '0' && what <= '3')) {
            if (!hcbr_i_grow(&text, &capacity, (size_t)number + 1, 1) ||
                fread(text, 1, (size_t)number + 1, stdin) != (size_t)number + 1)
                stop("the input is cut");
        }
        if (what == 'C') {
            hcbr_i_free(name);
            name = hcbr_i_text_copy(text, (size_t)number);
            name_length = (size_t)number;
            hcbr_i_tally_clear(&columns[0]);
            hcbr_i_tally_clear(&columns[1]);
        } else if (what == 'V') {
            if (!hcbr_i_tally_add(&columns[turn++ % 2], text, (size_t)number, 1))
                stop("no memory");
        } else if (what == 'M') {
            columns[0].missing += number;
        } else if (what == 'E') {
            if (!hcbr_i_tally_merge(&columns[0], &columns[1]))
                stop("no memory");
            answer(&columns[0], name, name_length);
        } else {
            answer_date((hcbr_i_order)(what - '0'), text, (size_t)number);
        }
    }
    hcbr_i_tally_clear(&columns[0]);
    hcbr_i_tally_clear(&columns[1]);
    hcbr_i_free(name);
    hcbr_i_free(text);
    return 0;
}
