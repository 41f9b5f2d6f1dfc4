/*
 * The colon as a delimiter. It is part of times, addresses, URLs and sentences, too, and these have
 * as many of them in each line as a table has; so it separates fields only where none of them
 * explains it.
 */
#include "read/dialect.h"
#include "read/parse.h"

/** The field at *at of a record, with its quotes; *at moves to after the colon. */
static hcbr_i_text next_colon_field(hcbr_i_sample *v, const char **at, const char *end) {
    hcbr_i_sampled ignored = {0};
    const char *from = *at, *stop = hcbr_i_sample_field(v, &ignored, from, end);
    *at = stop < end ? stop + 1 : end;
    while (stop > from && stop[-1] == '\r')
        stop--;
    return (hcbr_i_text){from, (size_t)(stop - from)};
}

/** Whether the colon between two fields may be part of a time, as in 9:05 and 2020-01-01
 *  12:30:15. */
static bool is_time(hcbr_i_text left, hcbr_i_text right) {
    const char *end = left.at + left.length;
    size_t digits = 0, more = 0;
    while (digits < left.length && hcbr_i_is_digit(end[-1 - (ptrdiff_t)digits]))
        digits++;
    while (more < right.length && hcbr_i_is_digit(right.at[more]))
        more++;
    return (digits == 1 || digits == 2) && more == 2 && right.at[0] < '6';
}

/** Whether the field is a group of an address such as 00:1b:2c:3d:4e:5f or fe80::1. */
static bool is_hexadecimal(hcbr_i_text field) {
    for (size_t i = 0; i < field.length; i++)
        if (!hcbr_i_is_digit(field.at[i]) && ((field.at[i] | 32) < 'a' || (field.at[i] | 32) > 'f'))
            return false;
    return field.length <= 4;
}

bool hcbr_i_sample_has_colon_fields(hcbr_i_sample *v) {
    const bool named = hcbr_i_sample_is_words(v, 0) && hcbr_i_sample_is_header(v, 0, 1, v->count);
    uint64_t times = v->common > 64 ? 0 : UINT64_MAX; // a bit for each of the first colons
    bool addresses = true;
    for (size_t i = 0; i < v->count; i++) {
        const hcbr_i_sampled *r = &v->records[i];
        const char *at = r->at, *end = r->end - (r->end > r->at && r->end[-1] == '\n');
        hcbr_i_text left = next_colon_field(v, &at, end);
        uint64_t found = 0;
        for (size_t c = 1; c < v->common; c++) {
            const hcbr_i_text right = next_colon_field(v, &at, end);
            if ((left.length > 0 && left.at[left.length - 1] == ' ') ||
                (right.length > 0 && right.at[0] == ' ') ||
                (right.length > 1 && memcmp(right.at, "//", 2) == 0))
                return false;
            found |= (uint64_t)is_time(left, right) << (c - 1) % 64;
            addresses = addresses && is_hexadecimal(left) && is_hexadecimal(right);
            left = right;
        }
        times &= i == 0 ? UINT64_MAX : found;
    }
    return named || (times == 0 && !addresses);
}
