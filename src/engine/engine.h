/**
 * @file engine.h
 * The headers shared by plain/, rich/ and the stages after model/.
 */
#ifndef HCBR_I_ENGINE_H
#define HCBR_I_ENGINE_H

#include "engine/account.h"     // what explains a case
#include "engine/interface.h"   // the functions of an engine
#include "engine/model_frame.h" // what an engine knows of its model; bytes of a file
#include "engine/record.h"      // how cases were decided when they were held out

#endif
