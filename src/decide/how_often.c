/*
 * How often an answer was right: held-out past cases with the same answer by the same rule, and a
 * probability near this one (hcbr/decision.h).
 *
 * A range is 5 points wide; if it has fewer than HCBR_ENOUGH cases, its neighbours are added, on
 * both sides at once, up to WIDER of them: 25 points in all. Even for calibrated probabilities the
 * share of right answers differs by as much from one end of a range to the other, so a wider one
 * would say nothing about this answer.
 */
#include "decide/decide.h"

enum { WIDER = 2 };

int hcbr_decision_how_often(const hcbr_model *model, const hcbr_decision *decision,
                            hcbr_how_often *out) {
    hcbr_how_often full = {.size = sizeof full, .to = 1};
    hcbr_heldout h = {.size = sizeof h};
    const bool said = !HCBR_I_UNSIZED(NULL, decision) && decision->label >= 0 &&
                      decision->winner >= 0 && decision->own_rule &&
                      decision->reason != HCBR_BY_MEMORY &&
                      hcbr_model_get_answered(model, decision->label, &h);
    const uint32_t at = said && decision->probability
                            ? hcbr_i_record_range(decision->probability[decision->label])
                            : HCBR_HELDOUT_BINS;
    full.cases = h.cases;
    full.right = h.right;
    for (uint32_t wider = 0; at < HCBR_HELDOUT_BINS && wider <= WIDER; wider++) {
        const uint32_t low = at > wider ? at - wider : 0;
        const uint32_t high =
            at + wider + 1 < HCBR_HELDOUT_BINS ? at + wider + 1 : HCBR_HELDOUT_BINS;
        full.from = (double)low / HCBR_HELDOUT_BINS;
        full.to = (double)high / HCBR_HELDOUT_BINS;
        full.cases = full.right = 0;
        for (uint32_t b = low; b < high; b++) {
            full.cases += h.bins[b].cases;
            full.right += h.bins[b].right;
        }
        if (full.cases >= HCBR_ENOUGH)
            break;
    }
    full.enough = full.cases >= HCBR_ENOUGH;
    hcbr_i_hand_out(out, &full, sizeof full);
    return said;
}
