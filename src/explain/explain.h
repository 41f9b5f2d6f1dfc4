/**
 * @file explain.h
 * From a model and a case to reasons (METHOD 9): the contribution of each atom of features and each
 * past case to the support, changes that would change the answer, questions worth asking. The
 * engine of the model computes the account; it is requested, ordered and returned here.
 */
#ifndef HCBR_I_EXPLAIN_H
#define HCBR_I_EXPLAIN_H

#include "decide/decide.h"

#include <hcbr/explain.h>

#endif
