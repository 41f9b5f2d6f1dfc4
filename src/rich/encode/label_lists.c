/*
 * Lists of numbers by label: strengths of single tests, shares of the forest.
 *
 * With K labels a test or leaf has K numbers, most of which are 0 or the same for all leaves: those
 * are not stored, so that memory follows the pairs that occur.
 */
#include "rich/rich.h"

bool hcbr_i_rich_lists_init(hcbr_i_rich_lists *lists, size_t count) {
    for (size_t i = 0; i < count; i++)
        lists->start[i + 1] += lists->start[i];
    lists->label = hcbr_i_alloc((size_t)lists->start[count], sizeof *lists->label);
    lists->value = hcbr_i_alloc((size_t)lists->start[count], sizeof *lists->value);
    return lists->label && lists->value;
}

void hcbr_i_rich_lists_clear(hcbr_i_rich_lists *lists) {
    hcbr_i_free(lists->start);
    hcbr_i_free(lists->label);
    hcbr_i_free(lists->value);
    *lists = (hcbr_i_rich_lists){0};
}

double hcbr_i_rich_linear_get(const hcbr_i_rich_linear *a, size_t entry, uint32_t output) {
    if (a->strength)
        return a->strength[entry * a->outputs + output];
    uint64_t from = a->lists.start[entry], to = a->lists.start[entry + 1];
    while (from < to) {
        uint64_t middle = from + (to - from) / 2;
        if (a->lists.label[middle] == output)
            return a->lists.value[middle];
        if (a->lists.label[middle] < output)
            from = middle + 1;
        else
            to = middle;
    }
    return 0;
}

void hcbr_i_rich_shares_clear(hcbr_i_rich_shares *shares) {
    hcbr_i_free(shares->prior);
    hcbr_i_free(shares->rest);
    hcbr_i_rich_lists_clear(&shares->lists);
    *shares = (hcbr_i_rich_shares){0};
}

void hcbr_i_rich_leaf_shares(const hcbr_i_rich *rich, size_t leaf, double *room) {
    const hcbr_i_rich_shares *s = &rich->shares;
    if (!s->prior) {
        room[0] = rich->forest.values[leaf];
        return;
    }
    for (uint32_t l = 0; l < rich->labels; l++)
        room[l] = s->prior[l] * s->rest[leaf];
    hcbr_i_rich_lists_add(&s->lists, leaf, 1, room);
}

void hcbr_i_rich_mean_shares(const hcbr_i_rich *rich, const uint32_t *leaf, size_t step,
                             double *p) {
    const hcbr_i_rich_shares *s = &rich->shares;
    size_t trees = rich->forest.tree_count;
    double rest = 0;
    for (uint32_t l = 0; l < rich->outputs; l++)
        p[l] = 0;
    for (size_t t = 0; t < trees; t++) {
        if (s->prior) {
            rest += s->rest[leaf[t * step]];
            hcbr_i_rich_lists_add(&s->lists, leaf[t * step], 1, p);
        } else {
            p[0] += rich->forest.values[leaf[t * step]];
        }
    }
    for (uint32_t l = 0; l < rich->outputs; l++)
        p[l] = (p[l] + (s->prior ? s->prior[l] * rest : 0)) / (double)trees;
}

void hcbr_i_rich_alphas_add(const hcbr_i_rich *rich, size_t row, uint32_t label, double part,
                            double *to) {
    const hcbr_i_rich_kept *kept = &rich->kept;
    uint32_t k = rich->outputs;
    if (kept->alpha_start) {
        for (uint64_t i = kept->alpha_start[row]; i < kept->alpha_start[row + 1]; i++) {
            uint32_t l = kept->alpha_label[i];
            to[l] += (label == l ? part : -part) * hcbr_i_rich_alpha(kept, i);
        }
        return;
    }
    for (uint32_t l = 0; l < k; l++)
        to[l] += (label == (k == 1 ? 1 : l) ? part : -part) * hcbr_i_rich_alpha(kept, row * k + l);
}
