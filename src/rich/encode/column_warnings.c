/*
 * Warnings about columns with a doubtful encoding, from facts about their values.
 *
 * column_encoding.c makes the choice from the values alone; nothing is changed here. At most a few
 * columns are named, the others are counted.
 */
#include "rich/rich.h"

#include <math.h>
#include <stdio.h>

#define MOST_NAMED 5u     /* columns named */
#define MOSTLY 0.9        /* share of the values that makes a column of numbers with some words */
#define FEWEST_NUMBERS 5u /* different ones there */
#define FEWEST_ROWS 20u   /* cases that may be numbered by a column */

/* ---- facts ----------------------------------------------------------------------------------- */

void hcbr_i_rich_facts_word(hcbr_i_rich_facts *facts, hcbr_i_text value, double weight) {
    facts->weight += weight;
    facts->word_weight += weight;
    if (!facts->words++)
        facts->word = value;
}

void hcbr_i_rich_facts_number(hcbr_i_rich_facts *facts, hcbr_i_text value, double number,
                              double weight) {
    facts->weight += weight;
    facts->least = facts->numbers && facts->least < number ? facts->least : number;
    facts->most = facts->numbers && facts->most > number ? facts->most : number;
    facts->numbers++;
    facts->fractions |= number != floor(number);
    if (value.at && !facts->wide.at)
        facts->wide = value;
}

/* ---- doubts ---------------------------------------------------------------------------------- */

/* Whether the values count the rows: nearly every case has its own, and they are 1, 2, 3, ... or
 * nearly. */
static bool numbers_the_rows(const hcbr_i_rich_facts *f) {
    return !f->fractions && f->numbers >= FEWEST_ROWS && f->numbers >= 0.95 * f->weight &&
           f->most - f->least + 1 <= 1.05 * f->numbers;
}

/* The doubt about a column; NULL: none. */
static const char *doubt_of(const hcbr_i_rich_facts *f, char text[400]) {
    char word[200];
    bool number = f->kind == HCBR_I_RICH_NUMBER || f->kind == HCBR_I_RICH_SPARSE;
    int n = 0;
    if (f->is_numeric && f->several)
        n = snprintf(text, 400, "cannot be a number, since a case has several values of it");
    else if (f->is_numeric && f->numbers == 0)
        n = snprintf(text, 400, "cannot be a number, since none of its values is one");
    else if (f->is_numeric && f->words)
        n = snprintf(text, 400,
                     "is a number: %.10g of %.10g values are none, such as %s, and "
                     "count as missing",
                     f->word_weight, f->weight, hcbr_i_quote(word, f->word.at, f->word.length));
    else if (!number && !f->is_categorical && !f->is_said && !f->several && f->words &&
             f->numbers >= FEWEST_NUMBERS && f->weight - f->word_weight >= MOSTLY * f->weight)
        n = snprintf(text, 400,
                     "is taken for a category: %.10g of %.10g values are no numbers, "
                     "such as %s (list them in option na, or see option numeric)",
                     f->word_weight, f->weight, hcbr_i_quote(word, f->word.at, f->word.length));
    else if (number && !f->is_numeric && f->wide.at)
        n = snprintf(text, 400,
                     "is taken for a number, but %s has more digits than are kept "
                     "apart (option categorical if its order means nothing)",
                     hcbr_i_quote(word, f->wide.at, f->wide.length));
    else if (number && !f->is_numeric && !f->is_said && numbers_the_rows(f))
        n = snprintf(text, 400,
                     "is taken for a number, but seems to number the cases (option id or "
                     "option ignore leaves it out)");
    return n > 0 ? text : NULL;
}

void hcbr_i_rich_doubt(const hcbr_i_rich_options *o, hcbr_i_text key,
                       const hcbr_i_rich_facts *facts, uint32_t *doubts) {
    char text[400], quoted[200];
    const char *doubt = o->notify ? doubt_of(facts, text) : NULL;
    if (doubt && (*doubts)++ < MOST_NAMED)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0, "column %s %s",
                      hcbr_i_quote(quoted, key.at, key.length), doubt);
}

void hcbr_i_rich_doubt_end(const hcbr_i_rich_options *o, uint32_t doubts) {
    if (doubts > MOST_NAMED)
        hcbr_i_notify(o->notify, o->notify_context, HCBR_WARNING, NULL, 0, 0,
                      "%u more columns are doubtful: inspect shows what each is taken for",
                      doubts - MOST_NAMED);
}
