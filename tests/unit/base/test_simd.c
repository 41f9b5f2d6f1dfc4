/*
 * What the processor can do is what the compiler's runtime finds, and can be switched off.
 */
#include "base/simd.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void simd__is_what_the_compiler_finds(void **state) {
    (void)state;
#ifdef HCBR_I_AVX2
    for (int again = 0; again < 2; again++) {
        assert_int_equal(hcbr_i_simd(), __builtin_cpu_supports("avx2") != 0);
        assert_int_equal(hcbr_i_simd_wide(), __builtin_cpu_supports("avx512bw") != 0);
    }
#else
    assert_false(hcbr_i_simd());
    assert_false(hcbr_i_simd_wide());
#endif
}

static void simd__can_be_switched_off(void **state) {
    (void)state;
    hcbr_i_simd_narrow = true;
    assert_false(hcbr_i_simd_wide());
    hcbr_i_simd_narrow = false;
    hcbr_i_simd_off = true;
    assert_false(hcbr_i_simd());
    assert_false(hcbr_i_simd_wide());
    hcbr_i_simd_off = false;
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simd__is_what_the_compiler_finds),
        cmocka_unit_test(simd__can_be_switched_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
