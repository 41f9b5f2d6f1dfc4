/*
 * Beliefs: cases stated by experts. They are the last cases of a base, those of one belief next to
 * each other.
 */
#include "cases/cases.h"

hcbr_i_beliefs *hcbr_i_beliefs_create(uint32_t count, uint32_t case_count) {
    hcbr_i_beliefs *b = hcbr_i_alloc_zero(1, sizeof *b);
    if (!b)
        return NULL;
    atomic_init(&b->references, 1);
    b->count = count;
    b->case_count = case_count;
    b->source = hcbr_i_alloc_zero(count, sizeof *b->source);
    b->weight = hcbr_i_alloc_zero(count, sizeof *b->weight);
    b->of = hcbr_i_alloc_zero(case_count, sizeof *b->of);
    if (b->source && b->weight && b->of)
        return b;
    hcbr_i_beliefs_release(b);
    return NULL;
}

hcbr_i_beliefs *hcbr_i_beliefs_share(hcbr_i_beliefs *b) {
    if (b)
        atomic_fetch_add(&b->references, 1);
    return b;
}

void hcbr_i_beliefs_release(hcbr_i_beliefs *b) {
    if (!b || atomic_fetch_sub(&b->references, 1) != 1)
        return;
    for (uint32_t i = 0; b->source && i < b->count; i++)
        hcbr_i_free(b->source[i]);
    hcbr_i_free(b->source);
    hcbr_i_free(b->weight);
    hcbr_i_free(b->of);
    hcbr_i_free(b);
}

uint32_t hcbr_i_beliefs_of(const hcbr_i_beliefs *b, uint64_t cases, uint64_t i) {
    if (!b || i + b->case_count < cases)
        return HCBR_I_NONE;
    return b->of[i + b->case_count - cases];
}

uint64_t hcbr_i_beliefs_first(const hcbr_i_beliefs *b, uint64_t cases, uint64_t i) {
    const uint32_t belief = hcbr_i_beliefs_of(b, cases, i);
    if (belief == HCBR_I_NONE)
        return i;
    uint64_t low = cases - b->case_count, high = i;
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        if (hcbr_i_beliefs_of(b, cases, middle) < belief)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool hcbr_i_beliefs_again(const hcbr_i_beliefs *b, uint64_t cases, uint64_t i) {
    return i > 0 && hcbr_i_beliefs_of(b, cases, i) != HCBR_I_NONE &&
           hcbr_i_beliefs_of(b, cases, i) == hcbr_i_beliefs_of(b, cases, i - 1);
}

hcbr_status hcbr_i_beliefs_subset(hcbr_i_beliefs **out, hcbr_i_beliefs *b, uint64_t cases,
                                  const uint32_t *which, uint32_t count, hcbr_error *err) {
    uint32_t first = count, beliefs = 0;
    *out = NULL;
    while (first > 0 && hcbr_i_beliefs_of(b, cases, which[first - 1]) != HCBR_I_NONE)
        first--;
    if (count - first == b->case_count) {
        *out = hcbr_i_beliefs_share(b);
        return HCBR_OK;
    }
    if (first == count)
        return HCBR_OK;
    for (uint32_t n = first; n < count; n++)
        beliefs += n == first || hcbr_i_beliefs_of(b, cases, which[n]) !=
                                     hcbr_i_beliefs_of(b, cases, which[n - 1]);
    hcbr_i_beliefs *some = hcbr_i_beliefs_create(beliefs, count - first);
    if (!some)
        return hcbr_i_no_memory(err);
    uint32_t at = HCBR_I_NONE, before = HCBR_I_NONE;
    for (uint32_t n = first; n < count; n++) {
        const uint32_t of = hcbr_i_beliefs_of(b, cases, which[n]);
        if (of != before) {
            at++;
            some->weight[at] = b->weight[of];
            some->source[at] = hcbr_i_text_copy(b->source[of], strlen(b->source[of]));
            if (!some->source[at]) {
                hcbr_i_beliefs_release(some);
                return hcbr_i_no_memory(err);
            }
        }
        some->of[n - first] = at;
        before = of;
    }
    *out = some;
    return HCBR_OK;
}
