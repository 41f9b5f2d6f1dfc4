/*
 * Consistency of the cases of a rich model with their labels (docs/FORMAT.md, sections labels and
 * cases).
 */
#include "rich/rich.h"

#include <math.h>

/* The number of cases of each label with a value. */
static hcbr_status check_totals(const hcbr_i_frame *m, hcbr_error *err) {
    uint64_t filled = 0;
    for (uint32_t l = 0; l < m->label_count; l++) {
        const double total = m->label_total[l];
        if (!(total >= 0 && total <= (double)m->label_cases[l]) || total != floor(total))
            return hcbr_i_model_bad(err, HCBR_I_LABELS,
                                    "%g cases of label %lu have a feature, expected at most %llu",
                                    total, (unsigned long)l, (unsigned long long)m->label_cases[l]);
        filled += (uint64_t)total;
    }
    if (filled != m->case_count - m->empty_count)
        return hcbr_i_model_bad(err, HCBR_I_LABELS, "%llu cases have a feature, expected %llu",
                                (unsigned long long)filled,
                                (unsigned long long)(m->case_count - m->empty_count));
    return HCBR_OK;
}

/* The labels of the kept cases. */
static hcbr_status check_labels(const hcbr_i_frame *m, hcbr_error *err) {
    uint64_t *cases = hcbr_i_alloc_zero(m->label_count, sizeof *cases);
    hcbr_status st = cases ? HCBR_OK : hcbr_i_no_memory(err);
    for (uint64_t i = 0; st == HCBR_OK && i < m->case_count; i++) {
        if (m->kept_label[i] >= m->label_count)
            st = hcbr_i_model_bad(err, HCBR_I_CASES, "case %llu has label %lu, expected less",
                                  (unsigned long long)i, (unsigned long)m->kept_label[i]);
        else
            cases[m->kept_label[i]]++;
    }
    for (uint32_t l = 0; st == HCBR_OK && l < m->label_count; l++)
        if (cases[l] != m->label_cases[l])
            st = hcbr_i_model_bad(err, HCBR_I_CASES, "%llu cases of label %lu, expected %llu",
                                  (unsigned long long)cases[l], (unsigned long)l,
                                  (unsigned long long)m->label_cases[l]);
    hcbr_i_free(cases);
    return st;
}

hcbr_status hcbr_i_rich_agrees(const void *state, const hcbr_i_frame *m, bool fitted,
                               hcbr_error *err) {
    hcbr_status st = check_totals(m, err);
    if (st == HCBR_OK && m->kept_label)
        st = check_labels(m, err);
    if (st == HCBR_OK && fitted)
        st = hcbr_i_rich_check(state, err);
    return st == HCBR_OK && fitted && hcbr_i_rich_has_reasons(state, m->keep)
               ? hcbr_i_rich_kept_check(state, m, err)
               : st;
}
