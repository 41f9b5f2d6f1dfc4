/*
 * Intervals of 95 %: Student's t for means over parts, Wilson's for shares of cases.
 */
#include "evaluate/evaluate.h"

#include <math.h>

#define Z95 1.95996398454005423552 /* P(|Z| <= z) = 0.95 */
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

double hcbr_i_t_quantile(uint64_t df) {
    double low = 1, high = 13; /* 1.96 for many degrees, 12.71 for one */
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
