/**
 * @file group_holders.h
 * The number of past cases that satisfy a group. Private to src/rich.
 */
#ifndef HCBR_I_RICH_GROUP_HOLDERS_H
#define HCBR_I_RICH_GROUP_HOLDERS_H

#include "rich/reasons/rich_causes.h"

/** Past cases that pass all tests of a conjunction. */
uint64_t hcbr_i_rich_have_tests(const hcbr_i_rich_causes *causes, const hcbr_i_rich_names *names,
                                const hcbr_i_rich_test *tests, size_t count);
/** Past cases with a number; cases must be kept. */
uint64_t hcbr_i_rich_have_number(const hcbr_i_rich *rich, uint32_t key, double value);

#endif
