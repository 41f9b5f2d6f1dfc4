/*
 * Intervals of 95 %: Student's t for means over parts, Wilson's for shares of cases, Newcombe's for
 * areas under the ROC curve. The latter two have a width even if every answer is right.
 */
#include "evaluate/evaluate.h"

#include <math.h>

#define Z95 1.95996398454005423552 /* P(|Z| <= z) = 0.95 */
#define T_SUMMED 1000              /* degrees of freedom; the sum has half as many terms */
#define HALF_PI 1.57079632679489661923

/* P(|T| <= t) for whole degrees of freedom, where it is a finite sum of powers of a cosine. */
static double t_inside(double t, uint64_t df) {
    double tangent = t / sqrt((double)df), angle = hcbr_i_atan(tangent), term = 1, sum = 0;
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    bool odd = df % 2;
    if (df == 1)
        return angle / HALF_PI;
    term = odd ? cosine : 1;
    for (uint64_t n = odd ? 1 : 0; n + 2 <= df; n += 2) {
        sum += term;
        term *= cosine * cosine * (double)(n + 1) / (double)(n + 2);
        if (term < 1e-18)
            break;
    }
    return odd ? (angle + sine * sum) / HALF_PI : sine * sum;
}

/* By Cornish and Fisher: the error is below 2 / df^4. */
static double t_of_many(double df) {
    const double z = Z95, z2 = z * z;
    return z + z * (z2 + 1) / (4 * df) + z * ((5 * z2 + 16) * z2 + 3) / (96 * df * df) +
           z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / (384 * df * df * df);
}

double hcbr_i_t_quantile(uint64_t df) {
    double low = 1, high = 13; /* 1.96 for many degrees, 12.71 for one */
    if (df > T_SUMMED)
        return t_of_many((double)df);
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        if (t_inside(middle, df) < 0.95)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

void hcbr_i_wilson(double above, double below, double *low, double *high) {
    double share = above / below, z2 = Z95 * Z95 / below;
    double centre = (share + z2 / 2) / (1 + z2);
    double half = sqrt(z2 * share * (1 - share) + z2 * z2 / 4) / (1 + z2);
    *low = above <= 0 ? 0 : centre - half;
    *high = above >= below ? 1 : centre + half;
}

/* The variance of an area with this true value, by Hanley and McNeil, with the sizes of both groups
 * replaced by their mean (Newcombe 2006, method 5). */
static double auc_variance(double auc, double have, double others) {
    double size = (have + others) / 2 - 1, spread = (1 - auc) / (2 - auc) + auc / (1 + auc);
    return auc * (1 - auc) * (1 + (size > 0 ? size : 0) * spread) / (have * others);
}

/* The least true value that is compatible with the observed one. */
static double auc_least(double auc, double have, double others) {
    double low = 0, high = auc;
    for (int i = 0; i < 60; i++) {
        double middle = (low + high) / 2;
        if (auc - middle > Z95 * sqrt(auc_variance(middle, have, others)))
            low = middle;
        else
            high = middle;
    }
    return low;
}

hcbr_i_range hcbr_i_auc_range(double auc, double have, double others) {
    return (hcbr_i_range){auc_least(auc, have, others), 1 - auc_least(1 - auc, have, others)};
}
