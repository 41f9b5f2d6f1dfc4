/*
 * Read by clang-tidy before each file of the library (tools/lint), never by a compiler: tells the
 * analyzer, which sees one file at a time, that the functions that report a failure return the
 * failure and not HCBR_OK. Without it every path after `if (!p) st = hcbr_i_no_memory(err);` goes
 * on with p == NULL.
 */
#include "base/base.h"

#define hcbr_i_no_memory(err) (hcbr_i_no_memory(err), HCBR_ENOMEM)
#define hcbr_i_fail(err, status, ...) (hcbr_i_fail(err, status, __VA_ARGS__), (status))
#define hcbr_i_fail_at(err, status, ...) (hcbr_i_fail_at(err, status, __VA_ARGS__), (status))
