/*
 * The columns of a list that a rich model encodes as numbers: the encoder decides, so that there is
 * one rule. Doubts are not reported; training will.
 */
#include "rich/rich.h"

/* The index of a key in an encoder, whose keys are sorted by bytes. It must be present. */
static hcbr_i_key_id find_key(const hcbr_i_dict *dict, hcbr_i_text key) {
    uint32_t low = 0, high = hcbr_i_dict_key_count(dict);
    while (low + 1 < high) {
        uint32_t middle = low + (high - low) / 2;
        hcbr_i_text x = hcbr_i_dict_key(dict, middle);
        if (hcbr_i_text_compare(x.at, x.length, key.at, key.length) <= 0)
            low = middle;
        else
            high = middle;
    }
    return low;
}

hcbr_status hcbr_i_rich_number_keys(const hcbr_i_rich_view *view,
                                    const hcbr_i_rich_options *options, bool *by_key,
                                    hcbr_error *err) {
    const struct hcbr_cases *cases = view->cases;
    struct hcbr_cases *apart = NULL;
    hcbr_i_rich_encoder encoder = {0};
    hcbr_i_rich_coded coded = {0};
    hcbr_i_rich_view given = *view;
    hcbr_i_rich_options quiet = *options;
    quiet.notify = NULL;
    hcbr_status st = cases->apart ? HCBR_OK : hcbr_i_cases_set_apart(&apart, cases, err);
    given.grid = hcbr_i_rich_weight_grid(view);
    given.cases = apart ? apart : cases;
    if (st == HCBR_OK)
        st = hcbr_i_rich_encode(&encoder, &coded, NULL, &given, &quiet, err);
    for (uint32_t k = 0; st == HCBR_OK && k < hcbr_i_dict_key_count(cases->dict); k++)
        by_key[k] = hcbr_i_rich_is_number(
            &encoder.keys[find_key(encoder.dict, hcbr_i_dict_key(cases->dict, k))]);
    hcbr_i_rich_coded_clear(&coded);
    hcbr_i_rich_encoder_clear(&encoder);
    hcbr_cases_free(apart);
    return st;
}
