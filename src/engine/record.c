/*
 * How cases were decided when they were held out: sums that only grow.
 */
#include "engine/record.h"

#include "engine/model_frame.h"

uint32_t hcbr_i_record_bin(double probability) {
    const double at = probability * HCBR_HELDOUT_BINS;
    return at >= HCBR_HELDOUT_BINS ? HCBR_HELDOUT_BINS - 1 : at > 0 ? (uint32_t)at : 0;
}

void hcbr_i_record_add(hcbr_i_record *record, double probability, bool right, double weight) {
    record->weight += weight;
    record->right += right ? weight : 0;
    if (!(probability > 0))
        return;
    hcbr_heldout_bin *bin = &record->bins[hcbr_i_record_bin(probability)];
    bin->cases += weight;
    bin->right += right ? weight : 0;
    bin->probability += probability * weight;
}

bool hcbr_i_record_room(hcbr_i_record *record, size_t cases) {
    record->answer = hcbr_i_alloc(cases, sizeof *record->answer);
    record->chance = hcbr_i_alloc_zero(cases, sizeof *record->chance);
    if (!record->answer || !record->chance)
        return false;
    for (size_t i = 0; i < cases; i++)
        record->answer[i] = HCBR_I_NONE;
    return true;
}

void hcbr_i_record_set(hcbr_i_record *record, size_t number, uint32_t answer, double probability) {
    const double parts = probability * 255 + 0.5;
    record->answer[number] = answer;
    record->chance[number] = (uint8_t)(parts < 1 ? probability > 0 : parts > 255 ? 255 : parts);
}

void hcbr_i_record_clear(hcbr_i_record *record) {
    hcbr_i_free(record->answer);
    hcbr_i_free(record->chance);
    *record = (hcbr_i_record){0};
}
