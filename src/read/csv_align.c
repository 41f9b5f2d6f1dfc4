/*
 * The likeliest fields of a line of csv that is not written like the others: one field for each
 * column, found as the cheapest path through the positions of the delimiter.
 *
 * A field is plain, or in quotes that end before a delimiter. These have a cost: a quote that is
 * text, text after a closing quote, other quotes, fields joined over a delimiter, an extra empty
 * field, words in a column of numbers. Invariants: if a delimiter is text, or left out, there is
 * only one such path, or none; the work is bounded by the length of the line times the delimiters
 * that may be text.
 */
#include "read/csv.h"
#include "read/dialect.h"

#define SPARE 64                  /* delimiters of a line that are text */
#define LOOSE 3                   /* of these, those outside of quotes */
#define LONGEST ((size_t)1 << 20) /* bytes of a line */

/* The costs of a way to read a field. */
enum { INNER = 1, STRAY = 3, BEHIND = 3, WORDS = 3, PAUSED = 4, EMPTY = 5, MERGED = 6, PASSED = 7 };

/** The best path to a position of the line, by the number of fields before it. */
typedef struct step {
    uint32_t cost; /* UINT32_MAX: none */
    uint32_t from; /* the delimiter where the last field begins */
    uint8_t how;   /* hcbr_i_piece_how */
    uint8_t loose; /* delimiters so far that count as text or are left out */
    bool tied;     /* there is another way that costs as much */
} step;

/** The state of the search. */
typedef struct search {
    const hcbr_i_csv_way *way;
    const char **stops; /* where each part ends: a delimiter, the end of the line */
    const char *line;
    size_t parts, spare;
    step *steps; /* of part i with n spare ones before it: i * (spare + 1) + n */
} search;

static const char *part_begin(const search *s, size_t part) {
    const char *at = part == 0 ? s->line : s->stops[part - 1] + 1;
    while (at < s->stops[part] && *at == ' ')
        at++;
    return at;
}

/** Whether there are only blanks. */
static bool is_blank(const char *at, const char *stop) {
    while (at < stop && *at == ' ')
        at++;
    return at == stop;
}

/** Without blanks and quotes around it. */
static hcbr_i_text bare(const search *s, const char *at, const char *stop) {
    while (at < stop && (*at == ' ' || *at == s->way->quote))
        at++;
    while (stop > at && (stop[-1] == ' ' || stop[-1] == s->way->quote))
        stop--;
    return (hcbr_i_text){at, (size_t)(stop - at)};
}

/** Whether a column has numbers only. */
static bool is_number(const search *s, size_t column) {
    return column < 64 && (s->way->numbers >> column & 1) != 0;
}

/** Offer a field from part `first` to `last` with `spare` spare ones before it as the best one. */
static void offer(search *s, size_t first, size_t last, size_t spare, uint32_t cost,
                  hcbr_i_piece_how how) {
    const step *before = &s->steps[first * (s->spare + 1) + spare];
    const size_t dropped = how == HCBR_I_PIECE_NONE, now = spare + last - first + dropped;
    const size_t open = how == HCBR_I_PIECE_NONE    ? last - first + 1
                        : how == HCBR_I_PIECE_PLAIN ? last - first
                                                    : 0;
    const char *at = part_begin(s, first);
    if (now > s->spare || before->loose + open > (s->way->delimiter == ' ' ? SPARE : LOOSE))
        return;
    step *to = &s->steps[(last + 1) * (s->spare + 1) + now];
    if (!dropped && is_number(s, first - spare) &&
        hcbr_i_cell_judge(bare(s, at, s->stops[last])) == HCBR_I_CELL_TEXT)
        cost += WORDS;
    cost += before->cost;
    if (cost == to->cost) {
        to->tied = true;
        return;
    }
    if (cost > to->cost)
        return;
    *to =
        (step){cost, (uint32_t)first, (uint8_t)how, (uint8_t)(before->loose + open), before->tied};
}

/** Offer fields that end after their closing quote, or with text there; the quotes in them cost. */
static void offer_quoted(search *s, size_t first, size_t spare) {
    const char quote = s->way->quote, *open = part_begin(s, first), *at = open + 1;
    uint32_t lone = 0;
    for (size_t last = first; last < s->parts && spare + last - first <= s->spare; last++) {
        const char *stop = s->stops[last];
        for (; at < stop; at++) {
            if (*at != quote)
                continue;
            if (at + 1 < stop && at[1] == quote) {
                if (at + 2 == stop) // or the second one closes
                    offer(s, first, last, spare, lone + INNER, HCBR_I_PIECE_QUOTED);
                at++;
                continue;
            }
            if (is_blank(at + 1, stop)) {
                offer(s, first, last, spare, lone, HCBR_I_PIECE_QUOTED);
                lone += PASSED;
                continue;
            }
            if (lone == 0)
                offer(s, first, last, spare, BEHIND, HCBR_I_PIECE_BEHIND);
            lone += INNER;
        }
        at = stop + 1;
    }
}

/** The same for single quotes, with no others inside. */
static void offer_single(search *s, size_t first, size_t spare) {
    for (size_t last = first; last < s->parts && spare + last - first <= s->spare; last++) {
        const char *open = part_begin(s, first), *stop = s->stops[last];
        while (stop > open && stop[-1] == ' ')
            stop--;
        if (stop > open + 1 && stop[-1] == '\'') {
            offer(s, first, last, spare, last == first ? 0 : STRAY, HCBR_I_PIECE_SINGLE);
            return;
        }
    }
}

/** The number of quotes in a part that is unchanged. */
static uint32_t count_quotes(const search *s, size_t part) {
    const char *at = part_begin(s, part), *stop = s->stops[part];
    uint32_t cost = at < stop && *at == s->way->quote ? STRAY - INNER : 0;
    if (stop - at > 2 && at[0] == '=' && at[1] == '"' && stop[-1] == '"')
        return 0;
    for (; at < stop; at++)
        cost += *at == s->way->quote ? INNER : 0;
    return cost;
}

/** Parts that belong to one field though they are not in quotes. */
static void offer_merged(search *s, size_t first, size_t spare) {
    const char delimiter = s->way->delimiter, quote = s->way->quote;
    uint32_t cost = count_quotes(s, first);
    if (is_number(s, first - spare) || is_blank(part_begin(s, first), s->stops[first]))
        return;
    for (size_t last = first + 1; last < s->parts && spare + last - first <= s->spare; last++) {
        const char *at = s->stops[last - 1] + 1;
        if (is_blank(at, s->stops[last]) || *part_begin(s, last) == quote)
            return;
        cost += delimiter == ' ' ? INNER : *at == ' ' ? PAUSED : MERGED;
        cost += count_quotes(s, last);
        offer(s, first, last, spare, cost, HCBR_I_PIECE_PLAIN);
    }
}

/** Empty fields too many, from the first of several on. */
static void offer_empty(search *s, size_t first, size_t spare) {
    if (first > 0 && is_blank(part_begin(s, first - 1), s->stops[first - 1]))
        return;
    for (size_t last = first; last < s->parts && is_blank(part_begin(s, last), s->stops[last]) &&
                              spare + last - first < s->spare;
         last++)
        offer(s, first, last, spare, (uint32_t)(last - first + 1) * EMPTY - (last + 1 == s->parts),
              HCBR_I_PIECE_NONE);
}

static void offer_all(search *s, size_t part, size_t spare) {
    const char *at = part_begin(s, part), *stop = s->stops[part];
    const bool single = at < stop && *at == '\'' && s->way->quote != '\'';
    if (at < stop && *at == s->way->quote)
        offer_quoted(s, part, spare);
    if (single)
        offer_single(s, part, spare);
    offer(s, part, part, spare,
          count_quotes(s, part) + (single && stop > at + 1 && stop[-1] == '\'' ? INNER : 0),
          HCBR_I_PIECE_PLAIN);
    if (s->spare > 0) {
        offer_merged(s, part, spare);
        offer_empty(s, part, spare);
    }
}

/** Write the pieces of the way that was found, from its end to its beginning. */
static bool trace(const search *s, hcbr_i_piece *pieces) {
    size_t part = s->parts, spare = s->spare, column = s->way->columns;
    while (part > 0) {
        const step *x = &s->steps[part * (s->spare + 1) + spare];
        const size_t first = x->from;
        if (x->how != HCBR_I_PIECE_NONE) {
            if (column == 0)
                return false;
            pieces[--column] = (hcbr_i_piece){first == 0 ? s->line : s->stops[first - 1] + 1,
                                              s->stops[part - 1], x->how};
        }
        spare -= part - first - (x->how != HCBR_I_PIECE_NONE);
        part = first;
    }
    return column == 0;
}

/** Find where the parts of the line end; false: there are too few or too many. */
static bool divide(search *s, const char *stop) {
    const size_t most = s->way->columns + SPARE;
    for (const char *at = s->line; s->parts < most; at++)
        if (at == stop || *at == s->way->delimiter) {
            s->stops[s->parts++] = at;
            if (at == stop)
                return s->parts >= s->way->columns;
        }
    return false;
}

hcbr_status hcbr_i_csv_align(hcbr_i_piece *pieces, const hcbr_i_csv_way *way, const char *line,
                             const char *stop, hcbr_i_alignment *found, hcbr_error *err) {
    search s = {.way = way, .line = line};
    *found = HCBR_I_ALIGNED_NOT;
    while (stop > line && (stop[-1] == '\n' || stop[-1] == '\r'))
        stop--;
    if ((size_t)(stop - line) > LONGEST)
        return HCBR_OK;
    s.stops = hcbr_i_alloc(way->columns + SPARE + 1, sizeof *s.stops);
    if (s.stops == NULL)
        return hcbr_i_no_memory(err);
    if (!divide(&s, stop)) {
        hcbr_i_free(s.stops);
        return HCBR_OK;
    }
    s.spare = s.parts - way->columns;
    size_t count = (s.parts + 1) * (s.spare + 1);
    s.steps = hcbr_i_alloc(count, sizeof *s.steps);
    if (s.steps == NULL) {
        hcbr_i_free(s.stops);
        return hcbr_i_no_memory(err);
    }
    for (size_t i = 0; i < count; i++)
        s.steps[i] = (step){.cost = UINT32_MAX};
    s.steps[0].cost = 0;
    for (size_t part = 0; part < s.parts; part++)
        for (size_t spare = 0; spare <= s.spare && spare <= part; spare++)
            if (s.steps[part * (s.spare + 1) + spare].cost != UINT32_MAX)
                offer_all(&s, part, spare);
    const step *last = &s.steps[count - 1];
    if (last->cost != UINT32_MAX && (last->loose == 0 || !last->tied) && trace(&s, pieces)) {
        *found = last->loose > 0 ? HCBR_I_ALIGNED_DELIMITERS : HCBR_I_ALIGNED_QUOTES;
        for (size_t i = 0; i < way->columns; i++)
            if (pieces[i].how == HCBR_I_PIECE_SINGLE)
                *found = HCBR_I_ALIGNED_DELIMITERS;
    }
    hcbr_i_free(s.steps);
    hcbr_i_free(s.stops);
    return HCBR_OK;
}
