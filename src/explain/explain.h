/**
 * @file explain.h
 * From a model and a case to reasons (METHOD 9): what each atom of features and each past case put
 * into the support, what would change the answer, what is worth asking. The engine of the model
 * gives the account; here it is asked for, ordered and handed out.
 */
#ifndef HCBR_I_EXPLAIN_H
#define HCBR_I_EXPLAIN_H

#include "decide/decide.h"

#include <hcbr/explain.h>

#endif
