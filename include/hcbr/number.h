/**
 * @file number.h
 * Numbers as text, the same in every locale.
 */
#ifndef HCBR_NUMBER_H
#define HCBR_NUMBER_H

#include <hcbr/status.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Room for any number hcbr_number_format() writes, with the final NUL. */
#define HCBR_NUMBER_SIZE 32

/**
 * Write the shortest decimal that reads back as the same double.
 *
 * Plain notation for exponents from -5 to 16 ("0.00012", "1200", "1"), else "1.5e-7", "1e+300" as
 * "1e300". Minus zero is "-0"; NaN and infinities are "nan", "inf" and "-inf".
 *
 * @param text  receives the digits and a NUL.
 * @param value any double.
 * @return the length without the NUL.
 */
HCBR_API size_t hcbr_number_format(char text[HCBR_NUMBER_SIZE], double value);

/**
 * Write a number rounded to a given number of significant digits, for display.
 *
 * Trailing zeros are dropped; the notation is that of hcbr_number_format().
 *
 * @param digits 1 to 17.
 * @return the length without the NUL.
 */
HCBR_API size_t hcbr_number_round(char text[HCBR_NUMBER_SIZE], double value, int digits);

/**
 * Read a whole text as one decimal number, correctly rounded.
 *
 * Accepts an optional sign, digits with an optional point (digits on at least one side of it) and
 * an optional exponent; nothing else: no blanks, no hexadecimal, no "nan" or "inf", no thousands
 * separator, no decimal comma. A number too large for a double is refused; one too small is 0 or
 * a denormal.
 *
 * @param out    receives the value; 0 on failure.
 * @param text   need not end with NUL.
 * @param length its bytes.
 * @return 1 if the whole text is a number, else 0.
 */
HCBR_API HCBR_MUST_CHECK int hcbr_number_parse(double *out, const char *text, size_t length);

#ifdef __cplusplus
}
#endif
#endif
