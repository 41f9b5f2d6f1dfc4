/*
 * Numbers for display: 24.87 for 24.869999999999997, 99.97 % for 0.9997. JSON keeps the exact ones.
 *
 * Invariant: an end of a range is never rounded into the range, so its values still lie within; and
 * a probability below 1 never becomes 100 %.
 */
#include "render/render.h"

#include <math.h>
#include <stdio.h>

enum {
    DUST = 12,       /* significant digits; further ones are rounding errors */
    LEAST = 4,       /* significant digits of a number that is not whole */
    DECIMALS = 2,    /* and at least as many after the point */
    MOST_WHOLE = 15, /* digits of numbers that are written in full */
    MOST_ZEROS = 300 /* most zeros counted after the point */
};

/* Digits before the point, at most one more than are written in full; 0 for numbers below 1, less
 * for each zero after it. Powers of ten are exact as far as it matters, up to 1e22. */
static int digits_before(double size) {
    double power = 10;
    int digits = 1;
    while (size >= power && digits <= MOST_WHOLE) {
        power *= 10;
        digits++;
    }
    power = 1;
    while (size > 0 && size * power < 1 && digits > -MOST_ZEROS) {
        power *= 10;
        digits--;
    }
    return digits;
}

static double power_of_ten(int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; i++)
        power *= 10;
    return power;
}

static double without_dust(double value) {
    char text[HCBR_NUMBER_SIZE];
    double clean;
    const size_t length = hcbr_number_round(text, value, DUST);
    return hcbr_number_parse(&clean, text, length) ? clean : value;
}

size_t hcbr_i_figure_say(char text[HCBR_NUMBER_SIZE], double value, int way) {
    const double clean = without_dust(value), size = fabs(clean);
    const int before = digits_before(size);
    if (!isfinite(value) || before > MOST_WHOLE || clean == floor(clean))
        return hcbr_number_round(text, clean, MOST_WHOLE);
    const int digits = before + DECIMALS > LEAST ? before + DECIMALS : LEAST;
    if (way == 0)
        return hcbr_number_round(text, clean, digits);
    const double unit = power_of_ten(digits - before), scaled = clean * unit;
    const double near = nearbyint(scaled), away = way < 0 ? floor(scaled) : ceil(scaled);
    const double whole = fabs(scaled - near) < 1e-6 ? near : away;
    return hcbr_number_round(text, whole / unit, digits + 1);
}

void hcbr_percent_say(char text[HCBR_PERCENT_SIZE], double share, int certain) {
    if (!certain)
        share = share >= 1 ? 1 - 0x1p-53 : share <= 0 ? 0x1p-60 : share;
    const double percent = 100 * share;
    const double far = percent > 50 ? 100 - percent : percent; // from the nearer end
    char number[HCBR_I_PRINTED];
    double least = 0.1;
    int digits = 1;
    if (share == 0 || share == 1) {
        snprintf(text, HCBR_PERCENT_SIZE, "%s %%", share == 0 ? "0" : "100");
        return;
    }
    while (far < least && digits < 4) {
        least /= 10;
        digits++;
    }
    if (far < 0.0001)
        snprintf(text, HCBR_PERCENT_SIZE,
                 percent > 50 ? "more than 99.9999 %%" : "less than 0.0001 %%");
    else {
        hcbr_i_print(number, 'f', digits, percent);
        char *zero = digits == 1 ? strstr(number, ".0") : NULL;
        if (zero) // 60 %
            *zero = '\0';
        snprintf(text, HCBR_PERCENT_SIZE, "%.16s %%", number);
    }
}
