/*
 * Shared by engines and explain/: names of features and past cases, memory that lives until the
 * next call, progress, the order of compared features, steps of a search.
 */
#include "engine/engine.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>

/* ---- frame ----------------------------------------------------------------------------------- */

hcbr_feature hcbr_i_frame_feature(const hcbr_i_frame *frame, hcbr_i_feature_id feature) {
    hcbr_i_dict_feature named = hcbr_i_dict_get(frame->dict, feature);
    hcbr_i_text key = hcbr_i_dict_key(frame->dict, named.key);
    return (hcbr_feature){key.at, key.length, named.value, named.value ? named.value_length : 0};
}

hcbr_explained_case hcbr_i_frame_case(const hcbr_i_frame *frame, uint64_t i) {
    hcbr_explained_case out = {.index = i,
                               .row = frame->kept_row ? frame->kept_row[i] : i + 1,
                               .label = (hcbr_label)frame->kept_label[i]};
    const uint32_t belief = hcbr_i_beliefs_of(frame->beliefs, frame->case_count, i);
    if (belief != HCBR_I_NONE) {
        out.source = frame->beliefs->source[belief];
        out.weight = frame->beliefs->weight[belief];
        return out;
    }
    if (frame->kept_ids && frame->kept_id_start[i] < frame->kept_id_start[i + 1]) {
        out.id = frame->kept_ids + frame->kept_id_start[i];
        out.id_length = (size_t)(frame->kept_id_start[i + 1] - frame->kept_id_start[i]);
    }
    return out;
}

/* ---- account --------------------------------------------------------------------------------- */

hcbr_i_case_item hcbr_i_account_item(const hcbr_i_account *x, hcbr_i_feature_id id) {
    if (id >= x->frame.feature_count)
        return x->numbers[id - x->frame.feature_count];
    return (hcbr_i_case_item){hcbr_i_frame_feature(&x->frame, id), id,
                              hcbr_i_dict_get(x->frame.dict, id).key, true, 0};
}

bool hcbr_i_account_number(hcbr_i_account *x, hcbr_i_key_id key, double number, hcbr_i_text text) {
    hcbr_i_text name = hcbr_i_dict_key(x->frame.dict, key);
    if (!hcbr_i_grow(&x->numbers, &x->number_capacity, x->number_count + 1, sizeof *x->numbers))
        return false;
    x->numbers[x->number_count++] = (hcbr_i_case_item){
        {name.at, name.length, text.at, text.length}, HCBR_I_NONE, key, true, number};
    return true;
}

/* Small pieces share a block; not under the address sanitizer, so that it sees where they end. */
#ifdef __SANITIZE_ADDRESS__
#define PIECE 0u
#else
#define PIECE 4096u
#endif
#define SHARED 32768u

void hcbr_i_account_forget(hcbr_i_account *account) {
    hcbr_i_account *x = account;
    x->number_count = 0;
    x->next = x->shared;
    x->left = x->shared ? SHARED : 0;
    while (x->block_count > 0)
        hcbr_i_free(x->blocks[--x->block_count]);
}

static char *take_block(hcbr_i_account *x, size_t count, size_t size, bool zero) {
    if (!hcbr_i_grow(&x->blocks, &x->block_capacity, x->block_count + 1, sizeof *x->blocks))
        return NULL;
    char *block = zero ? hcbr_i_alloc_zero(count, size) : hcbr_i_alloc(count, size);
    if (block)
        x->blocks[x->block_count++] = block;
    return block;
}

void *hcbr_i_account_take(hcbr_i_account *account, size_t count, size_t size) {
    const size_t align = _Alignof(max_align_t);
    hcbr_i_account *x = account;
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes == 0 || bytes > PIECE)
        return take_block(x, count, size, true);
    bytes = (bytes + align - 1) / align * align;
    if (bytes > x->left) {
        char *block = x->shared ? take_block(x, SHARED, 1, false) : hcbr_i_alloc(SHARED, 1);
        if (!block)
            return NULL;
        x->shared = x->shared ? x->shared : block; // the first one is reused
        x->next = block;
        x->left = SHARED;
    }
    char *piece = x->next;
    x->next += bytes;
    x->left -= bytes;
    return memset(piece, 0, bytes);
}

hcbr_status hcbr_i_account_tell(const hcbr_i_account *account, const char *stage, uint64_t done,
                                uint64_t total, hcbr_error *err) {
    return hcbr_i_ask(account->progress, account->progress_context, stage, done, total, err);
}

/* ---- compared features ----------------------------------------------------------------------- */

static int compare_moves(const void *a, const void *b) {
    const hcbr_compared_feature *p = a, *q = b;
    double x = fabs(p->here - p->there), y = fabs(q->here - q->there);
    if (x != y)
        return x > y ? -1 : 1;
    // equal ones by name, so that no order of memory is seen
    size_t least = p->feature.key_length < q->feature.key_length ? p->feature.key_length
                                                                 : q->feature.key_length;
    int order = memcmp(p->feature.key, q->feature.key, least);
    if (order || p->feature.key_length != q->feature.key_length)
        return order ? order : p->feature.key_length < q->feature.key_length ? -1 : 1;
    if (!p->feature.value || !q->feature.value)
        return (p->feature.value != NULL) - (q->feature.value != NULL);
    least = p->feature.value_length < q->feature.value_length ? p->feature.value_length
                                                              : q->feature.value_length;
    order = memcmp(p->feature.value, q->feature.value, least);
    return order ? order
                 : (p->feature.value_length > q->feature.value_length) -
                       (p->feature.value_length < q->feature.value_length);
}

void hcbr_i_account_sort(hcbr_compared_feature *at, size_t count) {
    if (count)
        qsort(at, count, sizeof *at, compare_moves);
}

/* ---- searches -------------------------------------------------------------------------------- */

#define TELL ((uint64_t)1 << 20) /* steps between two reports, some thousandths of a second */

void hcbr_i_flip_part(hcbr_i_search *s, uint64_t parts) {
    s->until = s->steps + (s->limit - s->steps) / parts;
    s->cut = false;
}

hcbr_status hcbr_i_flip_step(hcbr_i_search *s, uint64_t steps, hcbr_error *err) {
    if (s->cut || steps > s->until - s->steps) {
        s->cut = s->limited = true;
        return HCBR_OK;
    }
    s->steps += steps;
    if (s->steps - s->told < TELL)
        return HCBR_OK;
    s->told = s->steps;
    return hcbr_i_account_tell(s->x, "flip", s->steps, s->limit, err);
}

int hcbr_i_flip_compare(const void *a, const void *b) {
    const hcbr_i_choice *p = a, *q = b;
    if (p->adds != q->adds)
        return p->adds > q->adds ? -1 : 1;
    if (p->removed != q->removed)
        return p->removed > q->removed ? -1 : 1; // those that replace nothing come first
    return (p->added > q->added) - (p->added < q->added);
}

bool hcbr_i_flip_is_free(const hcbr_i_search *s, size_t depth, uint64_t group) {
    for (size_t k = 0; k < depth; k++)
        if (s->choices[s->picked[k]].group == group)
            return false;
    return true;
}
