/**
 * @file tune.h
 * Supports of cases by models that did not see them, and thresholds of rule R2 and probabilities
 * fitted to these supports.
 *
 * All but the first part work on arrays of decisions about held-out cases, and do not know which
 * model or fold they come from. The order of the inputs does not change the result.
 */
#ifndef HCBR_I_TUNE_H
#define HCBR_I_TUNE_H

#include "engine/engine.h"
#include "folds/folds.h"

/* ---- held-out supports (heldout.c) ----------------------------------------------------------- */

typedef struct hcbr_i_heldout_options {
    uint32_t folds;              /**< at most; fewer if there are fewer different cases or groups */
    uint64_t fold_seed;          /**< seed of the folds */
    const hcbr_i_engine *engine; /**< builds models of parts */
    hcbr_i_part_options part;    /**< options of these models, without progress calls */
    uint32_t threads;            /**< folds in parallel; never changes a result */
    uint32_t round, rounds;      /**< index and number of calls, for progress; 0: the only one */
    hcbr_progress_fn *progress;  /**< stage "held out", in folds of all rounds; may be NULL */
    void *progress_context;
} hcbr_i_heldout_options;

/**
 * Held-out supports of all cases of a finished base, by folds that keep equal cases together (or
 * groups, if the cases have groups).
 *
 * @return HCBR_OK, HCBR_EDATA (fewer than two different cases, or one group), HCBR_ENOMEM or
 *         HCBR_ECANCELLED.
 */
hcbr_status hcbr_i_heldout_make(hcbr_i_heldout *out, const struct hcbr_cases *cases,
                                const hcbr_i_heldout_options *options, hcbr_error *err);
/** hcbr_i_eta_share() of case i with this winner. */
double hcbr_i_heldout_share(const hcbr_i_heldout *heldout, uint32_t i, uint32_t winner);

/* ---- thresholds of one label (eta.c) --------------------------------------------------------- */

/** eta and eta-bar of one label; 0: no threshold. */
typedef struct hcbr_i_eta {
    double support, share;
} hcbr_i_eta;

/** A held-out case that R1 gives to the current label. */
typedef struct hcbr_i_eta_point {
    double support; /**< s^(l) */
    double share;   /**< hcbr_i_eta_share() */
    int64_t value;  /**< gain of keeping the label */
    bool right;     /**< better kept than dropped */
} hcbr_i_eta_point;

/** Possible thresholds, and the sum of the values of the points that pass them. */
typedef struct hcbr_i_eta_candidate {
    hcbr_i_eta eta;
    int64_t kept;
} hcbr_i_eta_candidate;

/** The share of a winner's support s^(l) >= s^(o) in its sum with the best other one: 1/2 to 1. */
double hcbr_i_eta_share(double winner, double other);

/** Whether a point passes (rule R2). */
bool hcbr_i_eta_passes(hcbr_i_eta eta, double support, double share);

/**
 * The paper's candidates: for every point a vertical, a horizontal and a corner split at half the
 * distance to its neighbour, below the point if it is right, above it if it is not; also "keep all"
 * and "drop all".
 *
 * @param points changed in order only.
 * @param out    receives the candidates, the simplest first (no threshold, one, two; then by share
 *               and support); release with hcbr_i_free().
 *
 * Cost: O(n log n).
 */
hcbr_status hcbr_i_eta_candidates(hcbr_i_eta_point *points, size_t count,
                                  hcbr_i_eta_candidate **out, size_t *out_count, hcbr_error *err);

/** The first of the candidates that keep the most. */
size_t hcbr_i_eta_best(const hcbr_i_eta_candidate *candidates, size_t count);

/* ---- cuts (cut.c) ---------------------------------------------------------------------------- */

/** A measure of two-label decisions; larger is better; decided counts are by truth. */
typedef enum hcbr_i_measure {
    HCBR_I_ACCURACY = 0,
    HCBR_I_BALANCED, /**< mean of recall and specificity */
    HCBR_I_F1,
    HCBR_I_MCC
} hcbr_i_measure;

/**
 * Value of a measure. A ratio without a denominator is 0.
 *
 * @param tp, fp of the cases decided positive.
 * @param positives, negatives all cases.
 */
double hcbr_i_measure_value(hcbr_i_measure measure, double tp, double fp, double positives,
                            double negatives);

/** A held-out score of the second of two labels. */
typedef struct hcbr_i_cut_point {
    double score, weight;
    bool second; /**< it is the true one */
} hcbr_i_cut_point;

/** The objective of a cut. */
typedef struct hcbr_i_cut_goal {
    bool by_cost, refuses; /**< least cost, perhaps with no decision; otherwise a measure */
    double cost[2][3];     /**< by truth: of answering the first, the second, nothing */
    hcbr_i_measure measure;
    int positive;       /**< 0 or 1 */
    double all[2];      /**< weight of all cases by truth, including undecided ones */
    double neutral;     /**< the default cut */
    double least, most; /**< range of a score; may be infinite */
} hcbr_i_cut_goal;

/**
 * The best cut; ties by distance to the neutral one.
 *
 * @param points changed in order only.
 *
 * Cost: O(n log n).
 */
hcbr_status hcbr_i_cut_best(hcbr_cut *out, hcbr_i_cut_point *points, size_t count,
                            const hcbr_i_cut_goal *goal, hcbr_error *err);

/** 0, 1 or HCBR_LABEL_UNKNOWN; never changes back as the score rises. */
hcbr_label hcbr_i_cut_decide(hcbr_cut cut, double score);

/* ---- costs (costs.c) ------------------------------------------------------------------------- */

#define HCBR_I_MOST_COST 1e6
#define HCBR_I_MOST_COST_LABELS 1000 /* a table of costs has the square of this many entries */

/** A cost other than the default. */
typedef struct hcbr_i_price {
    uint32_t truth;
    hcbr_label given; /**< HCBR_LABEL_UNKNOWN: no decision */
    double cost;      /**< 0 to HCBR_I_MOST_COST */
} hcbr_i_price;

/** The costs of answers. */
typedef struct hcbr_i_costs {
    uint32_t labels, price_count;
    hcbr_i_price *prices; /**< by truth, then by label given, no decision last */
    double *by_given;     /**< all costs by answer (no decision last) and truth; NULL: no costs */
    bool refuses;         /**< costs include no decision */
    hcbr_cut cut;         /**< two labels: of the probability of the second */
} hcbr_i_costs;

/**
 * Resolve a list of costs against labels.
 *
 * @param warn receives warnings about labels that no case has; may be NULL.
 * @return HCBR_OK, HCBR_EUSAGE or HCBR_ENOMEM.
 */
hcbr_status hcbr_i_costs_make(hcbr_i_costs *out, const hcbr_i_labels *labels, const hcbr_cost *list,
                              size_t count, hcbr_notify_fn *warn, void *warn_context,
                              hcbr_error *err);
/** Set all fields but labels and prices, which must be set. */
hcbr_status hcbr_i_costs_index(hcbr_i_costs *costs, hcbr_error *err);
hcbr_status hcbr_i_costs_copy(hcbr_i_costs *out, const hcbr_i_costs *costs, hcbr_error *err);
void hcbr_i_costs_clear(hcbr_i_costs *costs);
/** The cost of answering a label or HCBR_LABEL_UNKNOWN. */
double hcbr_i_costs_of(const hcbr_i_costs *costs, uint32_t truth, hcbr_label given);
/** The answer with the least expected cost; ties go to the first label, no decision last. */
hcbr_label hcbr_i_costs_decide(const hcbr_i_costs *costs, const double *probability);

/* ---- a limit on the error (bound.c) ---------------------------------------------------------- */

/** Least p with P(at most `wrong` of `count` fail | p) <= risk: a bound that holds with confidence
 *  1 - risk (Clopper and Pearson). 1 for count = 0. */
double hcbr_i_bound_upper(uint64_t wrong, uint64_t count, double risk);
/** The same from below. 0 for wrong = 0. */
double hcbr_i_bound_lower(uint64_t wrong, uint64_t count, double risk);

typedef struct hcbr_i_answer {
    double sure; /**< certainty of a decision; larger is surer */
    double weight;
    bool wrong;
} hcbr_i_answer;

typedef struct hcbr_i_limit {
    double above;      /**< answer decisions that are surer than this */
    double least;      /**< the least sure answered decision */
    uint64_t answered; /**< answered held-out cases, by weight, rounded down */
    uint64_t wrong;    /**< of them, rounded up */
    double share;      /**< of the answers in all cases, by weight */
    double bound;      /**< upper bound of their error with the requested confidence */
} hcbr_i_limit;

/**
 * The least strict of at most 50 limits whose bound is not above max_error; all of them hold
 * together with confidence 1 - risk, so any of them may be chosen. If there is no such limit,
 * answered is 0 and above is +infinity.
 *
 * @param answers changed in order only.
 */
void hcbr_i_limit_find(hcbr_i_answer *answers, size_t count, double max_error, double risk,
                       hcbr_i_limit *out);

/* ---- probabilities (platt.c, isotonic.c) ----------------------------------------------------- */

/** A held-out score, and whether its label was the true one. */
typedef struct hcbr_i_scored {
    double score;
    double weight; /**< > 0 */
    bool positive;
} hcbr_i_scored;

/** Sort by score, ascending, so that no sum depends on the input order. */
void hcbr_i_scored_sort(hcbr_i_scored *scored, size_t count);

/** p = 1 / (1 + exp(-(slope * score + offset))), slope >= 0. */
typedef struct hcbr_i_platt {
    double slope, offset;
} hcbr_i_platt;

/** Least log-loss with Platt's targets, by Newton's method. */
void hcbr_i_platt_fit(hcbr_i_scored *scored, size_t count, hcbr_i_platt *out);
double hcbr_i_platt_apply(const hcbr_i_platt *platt, double score);

/** p by linear interpolation between knots, constant outside. */
typedef struct hcbr_i_isotonic {
    double *score; /**< strictly ascending */
    double *p;     /**< ascending, inside (0, 1) */
    uint32_t count;
} hcbr_i_isotonic;

/** The increasing function of least squared error (pool adjacent violators), kept away from 0 and
 *  1. */
hcbr_status hcbr_i_isotonic_fit(hcbr_i_scored *scored, size_t count, hcbr_i_isotonic *out,
                                hcbr_error *err);
double hcbr_i_isotonic_apply(const hcbr_i_isotonic *isotonic, double score);
void hcbr_i_isotonic_clear(hcbr_i_isotonic *isotonic);

/* ---- probabilities of a decision (probability.c) --------------------------------------------- */

/** Maps from supports to probabilities. */
typedef struct hcbr_i_calibration {
    hcbr_calibrate kind;
    uint32_t count; /**< maps: 1 with two labels (of s^(1) - s^(-1)), else one for each label (of
                       its support minus the best other one); 0 with one label or no kind */
    hcbr_i_platt *platt;
    hcbr_i_isotonic *isotonic;
} hcbr_i_calibration;

/** Fit to held-out supports; `label` is the truth by case; `progress` (stage "calibrate", in maps)
 *  may be NULL. */
hcbr_status hcbr_i_calibration_fit(hcbr_i_calibration *out, hcbr_calibrate kind,
                                   const hcbr_i_heldout *heldout, const uint32_t *label,
                                   hcbr_progress_fn *progress, void *progress_context,
                                   hcbr_error *err);
/**
 * Probabilities from supports.
 *
 * @param lead as in hcbr_decision, with its winner.
 * @param out  by label; adds up to 1.
 */
void hcbr_i_calibration_apply(const hcbr_i_calibration *calibration, const double *support,
                              uint32_t labels, hcbr_label winner, double lead, double *out);
void hcbr_i_calibration_clear(hcbr_i_calibration *calibration);

/* ---- tuning (tune.c) ------------------------------------------------------------------------- */

/** The result of tuning. */
typedef struct hcbr_i_tuned {
    hcbr_scope scope;
    uint32_t passes;
    hcbr_i_eta *eta;        /**< by label; NULL: no thresholds */
    hcbr_label *fallback;   /**< by label */
    bool has_cut;           /**< two labels */
    hcbr_cut cut;           /**< of the probability or, in a plain model, of the difference */
    hcbr_i_costs costs;     /**< used if costs.by_given is not NULL */
    hcbr_i_heldout heldout; /**< of the chosen scope and passes */
    char why[400];
} hcbr_i_tuned;

/**
 * Choose thresholds on held-out cases.
 *
 * @param held options of models; with scope and passes unless these are tuned.
 * @param given held-out probabilities, which it takes over; NULL: models are built.
 * @param calibrated the model will have probabilities in any case.
 * @param warn    receives warnings about labels that no case has; may be NULL.
 * @return HCBR_OK, HCBR_EUSAGE, HCBR_EDATA, HCBR_ENOMEM or HCBR_ECANCELLED.
 */
hcbr_status hcbr_i_tune_run(hcbr_i_tuned *out, const struct hcbr_cases *cases,
                            const hcbr_tune_options *options, const hcbr_i_heldout_options *held,
                            hcbr_i_heldout *given, bool calibrated, hcbr_notify_fn *warn,
                            void *warn_context, hcbr_error *err);
void hcbr_i_tuned_clear(hcbr_i_tuned *tuned);

#endif
