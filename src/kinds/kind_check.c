/*
 * Is a verdict one that can be read by? Asked of those that come from a file.
 */
#include "kinds/kinds.h"

static bool unit_is_good(const hcbr_i_unit *unit) {
    if (unit->length > HCBR_I_UNIT_SIZE ||
        hcbr_i_utf8_check(unit->text, unit->length) != unit->length)
        return false;
    for (size_t i = unit->length; i < HCBR_I_UNIT_SIZE; i++)
        if (unit->text[i] != 0)
            return false;
    return true;
}

bool hcbr_i_kind_is_good(const hcbr_i_kind *k) {
    const bool set = k->kind == HCBR_I_KIND_SET;
    const bool separator = k->separator > ' ' && k->separator < 0x7F;
    return (unsigned)k->kind < HCBR_I_KINDS && (unsigned)k->look <= HCBR_I_LOOK_UNIQUE &&
           (k->mark == HCBR_I_MARK_POINT || k->mark == HCBR_I_MARK_COMMA) &&
           (k->thousands == 0 || strchr(",.' _", k->thousands) != NULL) && k->has <= 15 &&
           (unsigned)k->order <= HCBR_I_ORDER_YMD && (unsigned)k->clock < HCBR_I_CLOCKS &&
           (unsigned)k->flags < HCBR_I_FLAGS_COUNT && unit_is_good(&k->unit) &&
           (set ? separator : k->separator == 0) && k->forms <= k->values &&
           k->odd <= k->values - k->forms;
}
