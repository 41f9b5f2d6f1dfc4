/**
 * @file interface.h
 * The functions of an engine: all that is known of plain/ and rich/ after model/.
 *
 * `state` is what the engine has learnt, which never changes once it is made; `why` and `scorer`
 * are working memory of one thread.
 */
#ifndef HCBR_I_INTERFACE_H
#define HCBR_I_INTERFACE_H

#include "engine/engine.h"

typedef struct hcbr_i_engine {
    hcbr_model_kind kind;

    /* ---- scores ---- */

    /** Does it make something of a value that no past case has? */
    bool (*knows)(const void *state, hcbr_i_key_id key, const hcbr_feature *feature);
    /** Can a label have the largest support? */
    bool (*can_win)(const void *state, uint32_t label);

    /* ---- reasons ---- */

    /** Memory for reasons; the frame must outlive it. */
    hcbr_status (*why_create)(void **out, const void *state, const hcbr_i_frame *frame,
                              hcbr_error *err);
    void (*why_free)(void *why);
    /** Find what the case at hand is made of: account->at, label, against. */
    hcbr_status (*begin)(hcbr_i_account *account, hcbr_error *err);
    /** Wipe what begin and the influences have left. */
    void (*end)(hcbr_i_account *account);
    /** Gather its groups, and the bias by label into account->sums. */
    hcbr_status (*terms)(hcbr_i_account *account, hcbr_error *err);
    /** Add up the influences of all past cases: account->sums, and the weightiest of each group. */
    hcbr_status (*add)(hcbr_i_account *account, hcbr_error *err);
    /** Offer the past cases on one side to a picker of account->lead_of, after add. Returns how
     *  many add more than `least` to it. */
    uint64_t (*offer)(hcbr_i_account *account, hcbr_i_picker *picker, double least);
    /** Call for every past case that weighs but adds no more than `least` to the lead, after add;
     *  none if `told` cases, those that do, are all that weigh. False: it returned false. */
    bool (*list_others)(hcbr_i_account *account, double least, uint64_t told,
                        bool (*each)(void *context, uint32_t i), void *context);
    /** The influence of past case i by label, after add. */
    void (*influence)(hcbr_i_account *account, uint32_t i, double *by_label);
    /** Fill the groups of an explanation. */
    hcbr_status (*show)(hcbr_i_account *account, hcbr_explanation *e, hcbr_error *err);

    /* ---- the model as a whole ---- */

    /** What past cases put into the model: once for all, then of one of them by label. */
    hcbr_status (*own_begin)(hcbr_i_account *account, hcbr_error *err);
    void (*own)(hcbr_i_account *account, uint32_t i, double *by_label);
    /** The strongest groups; NULL: they are its atoms alone. */
    hcbr_status (*rank)(hcbr_i_account *account, const hcbr_group_options *options,
                        hcbr_group_ranking *out, hcbr_error *err);

    /* ---- other cases ---- */

    /** Make the influence of one past case on the case at hand known. */
    hcbr_status (*weigh_one)(hcbr_i_account *account, hcbr_error *err);
    /** Weigh the features of a comparison with past case i, of which they are listed: here, there,
     *  lead_there and the rest, and sort each part. */
    hcbr_status (*compare)(hcbr_i_account *account, uint64_t i, const hcbr_i_item *items,
                           hcbr_compared_feature *list, hcbr_comparison *out, hcbr_error *err);
    /** Look for changes. */
    hcbr_status (*flip)(hcbr_i_search *search, hcbr_error *err);
    /** The lead of a label if the case at hand had one feature more, of a key of which it has none:
     *  begin, ask for each, end. steps grows by what it took. */
    hcbr_status (*ask_begin)(hcbr_i_account *account, const double *support, uint32_t label,
                             hcbr_error *err);
    hcbr_status (*ask)(hcbr_i_account *account, hcbr_i_feature_id more, double *lead,
                       uint64_t *steps, hcbr_error *err);
    void (*ask_end)(hcbr_i_account *account);
} hcbr_i_engine;

#endif
