/**
 * @file model.h
 * A model in memory and as a file. docs/FORMAT.md specifies the file.
 */
#ifndef HCBR_I_MODEL_H
#define HCBR_I_MODEL_H

#include "train/train.h"

#include <hcbr/model.h>

#define HCBR_I_MODEL_VERSION 1

/** Rule R2 in a model's own labels. */
typedef struct hcbr_i_rule {
    double *eta, *eta_share; /**< by label */
    hcbr_label *fallback;    /**< by label: a label, HCBR_LABEL_UNKNOWN or HCBR_LABEL_PRIOR */
    hcbr_label on_nothing;   /**< HCBR_LABEL_UNKNOWN or HCBR_LABEL_PRIOR */
    bool memory;
} hcbr_i_rule;

/** Reading options that are stored, owned. NULL: the default. */
typedef struct hcbr_i_stored_read {
    char *label; /**< resolved name of the label column, never NULL in a model */
    char *id;
    char **ignore;
    uint32_t ignore_count;
    char **na; /**< NULL: the default list */
    uint32_t na_count;
    bool no_header;
    uint8_t delimiter; /**< 0: the default */
} hcbr_i_stored_read;

struct hcbr_model {
    hcbr_i_dict *dict; /**< with its tables */
    hcbr_i_labels labels;
    hcbr_i_atoms atoms;
    uint64_t *atom_start; /**< features of atom e: atom_features[atom_start[e] ..) */
    uint32_t *atom_features;
    hcbr_i_strength strength;
    hcbr_i_rule rule;
    hcbr_i_stored_read read;
    hcbr_label prior;
    uint64_t case_count, empty_count, occurrence_count;
    uint64_t fingerprint[2];
    hcbr_scope scope;
    uint32_t passes;
    uint64_t seed;
    bool given_order;
    uint64_t *pass_errors;
    hcbr_keep keep;
    /* unless keep is HCBR_KEEP_NONE */
    hcbr_i_projections kept;
    uint32_t *kept_label;
    uint64_t *kept_row;      /**< NULL: row i is case i - 1 */
    char *kept_ids;          /**< NULL: no names */
    uint64_t *kept_id_start; /**< case_count + 1 of them */
    hcbr_i_moves moves;
};

/** Resolve a public rule against labels. HCBR_EUSAGE names what is wrong. */
hcbr_status hcbr_i_rule_resolve(hcbr_i_rule *out, const hcbr_rule *rule,
                                const hcbr_i_labels *labels, hcbr_error *err);
hcbr_status hcbr_i_rule_copy(hcbr_i_rule *out, const hcbr_i_rule *rule, uint32_t label_count,
                             hcbr_error *err);
void hcbr_i_rule_clear(hcbr_i_rule *rule);

/** List the features of every atom (atom_start, atom_features) from atoms.of. */
hcbr_status hcbr_i_model_index(hcbr_model *model, hcbr_error *err);

/** Check everything a loaded model claims (model_check.c). */
hcbr_status hcbr_i_model_validate(const hcbr_model *model, hcbr_error *err);

#ifdef HCBR_FAULTS
/** Tests and fuzzers: accept wrong checksums, so that the structural check stands alone. */
extern bool hcbr_i_model_ignore_checksums;
#endif

#endif
