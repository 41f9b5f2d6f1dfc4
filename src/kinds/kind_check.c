/*
 * Kinds from outside: requested by a caller, or read from a file.
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
    const bool separator = k->separator == '\t' || (k->separator >= ' ' && k->separator < 0x7F);
    return (unsigned)k->kind < HCBR_I_KINDS && (unsigned)k->look <= HCBR_I_LOOK_HASH &&
           (k->mark == HCBR_I_MARK_POINT || k->mark == HCBR_I_MARK_COMMA) &&
           (k->thousands == 0 || strchr(",.' _", k->thousands) != NULL) && k->has <= 15 &&
           (unsigned)k->order <= HCBR_I_ORDER_YMD && (unsigned)k->clock < HCBR_I_CLOCKS &&
           (unsigned)k->flags < HCBR_I_FLAGS_COUNT && unit_is_good(&k->unit) &&
           (set ? separator : k->separator == 0) && k->forms <= k->values &&
           k->odd <= k->values - k->forms && k->distinct <= k->values &&
           (k->look == HCBR_I_LOOK_NONE || k->kind == HCBR_I_KIND_ID);
}

bool hcbr_i_kind_parse(hcbr_i_kind_wish *out, const char *text) {
    static const hcbr_i_kind_of kinds[] = {HCBR_I_KIND_NUMBER, HCBR_I_KIND_CATEGORY,
                                           HCBR_I_KIND_DATE,   HCBR_I_KIND_TEXT,
                                           HCBR_I_KIND_FLAG,   HCBR_I_KIND_ID};
    *out = (hcbr_i_kind_wish){.kind = HCBR_I_KIND_CATEGORY};
    out->ignore = strcmp(text, "ignore") == 0;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(text, hcbr_i_kind_name(kinds[i])) == 0) {
            out->kind = kinds[i];
            return true;
        }
    if (strcmp(text, "number:point") == 0 || strcmp(text, "number:comma") == 0) {
        out->kind = HCBR_I_KIND_NUMBER;
        out->mark = text[7] == 'p' ? HCBR_I_MARK_POINT : HCBR_I_MARK_COMMA;
        return true;
    }
    if (strncmp(text, "set:", 4) != 0)
        return out->ignore;
    text += 4;
    out->kind = HCBR_I_KIND_SET;
    out->separator = strcmp(text, "tab") == 0 ? '\t' : *text;
    out->trimmed = *text != ' ';
    return strcmp(text, "tab") == 0 || (*text >= ' ' && *text < 0x7F && text[1] == '\0');
}
