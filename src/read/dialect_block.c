/*
 * The table among the first records of a csv or tsv file: its number of fields, its header, and the
 * records above and below it.
 *
 * Most records agree on the number of fields, or a block of them does, below other lines and with
 * words above its numbers. Invariant: without such a block, a record above the table has one value,
 * half as many fields as the table, or an empty line below it.
 */
#include "read/csv.h"
#include "read/dialect.h"

#define REMARKS 5 /* allowed below a table without an empty line between */
#define BLOCK 3   /* records that a block has at least */

/** Whether it can be above a header of that many columns. */
static bool is_above(const hcbr_i_sampled *r, size_t columns) {
    return r->filled == 1 || r->fields * 2 <= columns || hcbr_i_sampled_is_comment(r) ||
           (r->gap && r->filled < columns);
}

/** Whether enough of the records from there on agree that a short one above them is the header. */
static bool is_short_header(const hcbr_i_sample *v, size_t n) {
    size_t same = 0;
    for (size_t i = n + 1; i < v->count; i++)
        same += v->records[i].fields == v->common;
    return v->common >= 3 && v->records[n].fields + 1 == v->common && !v->records[n].gap &&
           !hcbr_i_sampled_is_comment(&v->records[n]) &&
           v->records[n].filled + v->records[n].bare == v->records[n].fields && same >= 2 &&
           same * 10 >= (v->count - n - 1) * 9;
}

/** Whether the record names the first columns of all others, none of which is a header, and at
 *  least two columns have no name. */
static bool is_cut_header(hcbr_i_sample *v, size_t n) {
    const hcbr_i_sampled *r = &v->records[n];
    if (n + BLOCK >= v->count || r->fields < 3 || r->fields + 2 > v->common ||
        r->filled < r->fields || r->gap || hcbr_i_sampled_is_comment(r) ||
        !hcbr_i_sample_is_words(v, n))
        return false;
    for (size_t i = n + 1; i < v->count; i++)
        if (v->records[i].fields != v->common)
            return false;
    return hcbr_i_sample_is_begun(v, n, n + 1, v->count) &&
           !hcbr_i_sample_is_header(v, n + 1, n + 2, v->count); // years, say
}

/** Whether the few records after the last have one field each, or begin footnotes. */
static bool ends_in_remarks(const hcbr_i_sample *v) {
    if (v->last < v->count &&
        hcbr_i_csv_names_footnotes(v->records[v->last].at, v->records[v->last].end))
        return true;
    for (size_t i = v->last; i < v->count; i++)
        if (v->records[i].fields > 1)
            return false;
    return v->common >= 3 && v->count <= v->last + REMARKS &&
           (v->is_block || v->count - v->last < v->below);
}

/** Whether three quarters of it are filled, as in a header. Columns that no record has do not
 *  count. */
static bool is_full(const hcbr_i_sample *v, size_t n) {
    return v->records[n].filled * 4 >= v->most * 3;
}

/** Whether less than half of it is filled. */
static bool is_thin(const hcbr_i_sample *v, size_t n) {
    const size_t fields = v->records[n].fields;
    return v->records[n].filled * 2 < (fields == v->common ? v->most : fields);
}

/**
 * Whether this record and those below it, to an empty line, are less than half filled, and the next
 * one is the header, or the one below it, if groups of columns are between. They are a title as
 * wide as the table. So is one with its values on the left, right above names of all columns.
 */
static bool is_sparse(hcbr_i_sample *v, size_t n) {
    if (n + 3 < v->count && is_thin(v, n) && !v->records[n].gap && !v->records[n + 1].bare &&
        is_full(v, n + 1) && v->records[n].fields == v->common &&
        hcbr_i_sample_ends_empty(v, n, v->records[n].filled) &&
        hcbr_i_sample_is_header(v, n + 1, n + 2, v->count))
        return true;
    while (n + 3 < v->count && is_thin(v, n) && !v->records[n].gap)
        n++;
    return n + 3 < v->count && is_thin(v, n) &&
           (is_full(v, n + 1) ||
            (is_full(v, n + 2) && hcbr_i_sample_is_header(v, n + 2, n + 3, v->count)));
}

/** Whether a line of less than half the names, of groups of columns, is right above the header. */
static bool is_grouping(hcbr_i_sample *v, size_t n) {
    return n + 3 < v->count && v->records[n].bare && is_thin(v, n) && !v->records[n].gap &&
           v->records[n].fields < v->common && v->records[n + 1].fields == v->common &&
           is_full(v, n + 1) && hcbr_i_sample_is_header(v, n + 1, n + 2, v->count);
}

/** Whether its only value is the name of a group of columns, since neither it nor the header below,
 *  which names the other columns, names the first. */
static bool is_group(hcbr_i_sample *v, size_t n) {
    return n + 3 < v->count && v->records[n].bare && v->records[n + 1].bare &&
           v->records[n].fields == v->common && v->records[n + 1].fields == v->common &&
           v->records[n + 1].filled + 2 >= v->common &&
           hcbr_i_sample_is_header(v, n + 1, n + 2, v->count);
}

/** Below a first line as wide as the table and others of one field: the header, or the line. */
static size_t below_title(hcbr_i_sample *v, size_t n) {
    size_t next = n + 1;
    while (next < v->count && v->records[next].fields == 1)
        next++;
    return n == 0 && next > 1 && next + BLOCK < v->count && v->common >= 3 &&
                   v->records[next].fields == v->common &&
                   hcbr_i_sample_is_header(v, next, next + 1, v->count)
               ? next
               : n;
}

/** Whether the first line has another number of fields, and the header is below it, above numbers
 *  or at most two lines of other words. */
static bool is_other_title(hcbr_i_sample *v, size_t n) {
    if (n > 0 || v->count < BLOCK + 2 || v->agree * 10 < (v->count - 1) * 9 ||
        v->records[1].fields != v->common)
        return false;
    for (size_t rows = 2; rows <= 4 && rows + 1 < v->count; rows++) {
        if (hcbr_i_sample_is_header(v, 1, rows, v->count))
            return true;
        if (!hcbr_i_sample_is_words(v, rows))
            return false;
    }
    return false;
}

/** Whether the first line has another number of fields than all others, and a number or date. Names
 *  have none, so it describes the file. */
static bool is_dated_title(hcbr_i_sample *v, size_t n) {
    return n == 0 && v->count > BLOCK && v->agree + 1 == v->count && v->records[0].fields > 1 &&
           v->records[0].fields != v->common && !hcbr_i_sample_is_words(v, 0) &&
           !hcbr_i_sample_is_words(v, 1);
}

/** The first record that has as many fields as most, and how many there are from there on. */
static void find_header(hcbr_i_sample *v, size_t top, size_t block) {
    v->is_short = v->is_cut = false;
    for (v->header = top; v->header < v->count; v->header++) {
        const hcbr_i_sampled *r = &v->records[v->header];
        if (is_sparse(v, v->header))
            continue;
        // A title may be a row with other fields empty.
        if (r->fields == v->common && (r->filled > 1 || v->common < 3 || is_group(v, v->header)) &&
            !hcbr_i_sampled_is_comment(r) &&
            !(r->gap && !is_full(v, v->header) && v->header + 3 < v->count)) {
            v->header = below_title(v, v->header);
            break;
        }
        v->is_cut = is_cut_header(v, v->header);
        if (v->is_cut || is_short_header(v, v->header)) {
            v->is_short = true;
            break;
        }
        if (!is_above(r, v->common) && r->fields > v->common &&
            hcbr_i_sample_ends_empty(v, v->header, v->common))
            break; // names of columns that no row has
        if (is_above(r, v->common) || is_other_title(v, v->header) ||
            is_dated_title(v, v->header) || is_grouping(v, v->header))
            continue;
        v->header = block > v->header ? block : v->count; // a header that misses a name, say
        break;
    }
    v->below = 0;
    v->last = v->header;
    for (size_t i = v->header; i < v->count; i++) {
        v->below += v->records[i].fields == v->common;
        if (v->records[i].fields >= v->common || i == v->header)
            v->last = i + 1;
    }
    if (v->last == v->header || v->count > v->last + HCBR_I_LINES ||
        (!v->records[v->last - 1].gap && !ends_in_remarks(v)))
        v->last = v->count; // there are no remarks below the table
}

/** Whether one of the blocks above this record is a table with a header. */
static bool has_table(hcbr_i_sample *v, size_t end) {
    for (size_t first = 0, last; first < end; first = last) {
        last = first + 1;
        while (last < end && v->records[last].fields == v->records[first].fields)
            last++;
        if (last >= first + BLOCK && v->records[first].fields > 1 &&
            hcbr_i_sample_is_header(v, first, first + 1, last))
            return true;
    }
    return false;
}

/** Whether the header is above a shorter line of words, and that above these records. */
static bool is_apart(hcbr_i_sample *v, size_t first, size_t last) {
    return first > 1 && v->records[first - 2].fields == v->records[first].fields &&
           v->records[first - 1].fields < v->records[first].fields && !v->records[first - 2].gap &&
           hcbr_i_sample_is_words(v, first - 1) &&
           hcbr_i_sample_is_header(v, first - 2, first, last);
}

/**
 * Whether the records, to the end of the file, are rows without a header: only numbers or dates in
 * the first column and in another one. At least two lines above them begin with a word.
 */
static bool is_bare(hcbr_i_sample *v, size_t first, size_t last) {
    size_t numbers[HCBR_I_CELLS] = {0}, columns = 0;
    for (size_t i = 0; i < last; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at;
        for (size_t c = 0; c < r->fields && c < HCBR_I_CELLS; c++) {
            const hcbr_i_cell_kind k = hcbr_i_cell_judge(hcbr_i_sample_cell(v, r, &at));
            if (i < first && c == 0 && k != HCBR_I_CELL_TEXT)
                return false;
            numbers[c] += i >= first && k == HCBR_I_CELL_NUMBER;
        }
    }
    for (size_t c = 0; c < HCBR_I_CELLS; c++)
        columns += numbers[c] == last - first;
    return first > 1 && last == v->count && numbers[0] == last - first && columns > 1;
}

/** Whether the records from `first` to `last`, of the same number of fields, are a table below
 *  others. Its header may be separate, or absent above rows of numbers. */
static bool is_block(hcbr_i_sample *v, size_t first, size_t last, size_t *header) {
    const size_t fields = v->records[first].fields, rows = first;
    const bool bare = is_bare(v, first, last);
    bool alone = true;
    if (is_apart(v, first, last))
        first -= 2;
    *header = first;
    if (last < first + BLOCK || fields < 3 || fields < v->common || first > HCBR_I_LINES)
        return false;
    for (size_t i = 0; i < v->count; i++) {
        if (i == first)
            i = last;
        if (i == v->count)
            break;
        alone = alone && v->records[i].fields == 1 && first == rows;
        if (v->records[i].fields >= fields)
            return false;
        if (i < first && !v->records[first - 1].gap && !is_above(&v->records[i], fields) && !bare)
            return false;
        if (i >= last && !v->records[last - 1].gap && v->records[i].fields > 1)
            return false;
    }
    return (alone && v->common == 1) ||
           ((first < rows || bare || hcbr_i_sample_is_header(v, first, first + 1, last)) &&
            !has_table(v, first));
}

/**
 * Whether a block of records by runs of blanks, which occur in any text, is a table. Such a table
 * ends the file, and has numbers below words, with at most a line of units between, or numbers
 * alone.
 */
static bool is_blank_block(hcbr_i_sample *v, size_t first, size_t last, size_t *header) {
    const size_t fields = v->records[first].fields;
    *header = first;
    if (last < v->count || last <= first + BLOCK || fields < 2 || first > HCBR_I_LINES)
        return false;
    if (hcbr_i_sample_is_header(v, first, first + 1, last))
        return true;
    if (is_apart(v, first, last)) {
        *header -= 2;
        return true;
    }
    while (first < last && hcbr_i_sample_is_numbers(v, first))
        first++;
    return first == last;
}

/** The longest block of records, if not all are of one table; SIZE_MAX: none. */
static size_t find_block(hcbr_i_sample *v, size_t *length) {
    size_t best = SIZE_MAX, last;
    *length = 0;
    for (size_t first = 0; first < v->count; first = last) {
        size_t header = first;
        last = first + 1;
        while (last < v->count && v->records[last].fields == v->records[first].fields)
            last++;
        if (last - first > *length && first > 0 &&
            (v->style.runs ? is_blank_block(v, first, last, &header)
                           : is_block(v, first, last, &header))) {
            best = header;
            *length = last - first;
        }
    }
    return best;
}

void hcbr_i_sample_find_table(hcbr_i_sample *v) {
    size_t top = 0, block, length;
    v->common = v->agree = 0;
    for (size_t i = 0; i < v->count; i++) {
        size_t same = 0;
        for (size_t j = 0; j < v->count; j++)
            same += v->records[j].fields == v->records[i].fields;
        if (same > v->agree || (same == v->agree && v->records[i].fields > v->common)) {
            v->agree = same;
            v->common = v->records[i].fields;
        }
    }
    block = v->agree == v->count ? SIZE_MAX : find_block(v, &length);
    v->is_block = block != SIZE_MAX;
    if (v->is_block && (v->style.runs || v->records[block].fields > v->common)) {
        v->common = v->records[block].fields;
        v->agree = length;
        top = block;
    }
    v->most = 0;
    for (size_t i = top; i < v->count; i++)
        if (v->records[i].fields == v->common && v->records[i].filled > v->most)
            v->most = v->records[i].filled;
    find_header(v, top, v->is_block ? block : 0);
    v->is_apart = v->is_block && v->header == block && block + 1 < v->count &&
                  v->records[block + 1].fields < v->common;
}
