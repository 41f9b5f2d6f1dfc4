/**
 * @file hcbr.h
 * Everything libhcbr offers: cases (read, add), models (train, load, save, inspect), decisions
 * and the reasons for them.
 */
#ifndef HCBR_HCBR_H
#define HCBR_HCBR_H

#include <hcbr/audit.h>
#include <hcbr/cases.h>
#include <hcbr/columns.h>
#include <hcbr/decision.h>
#include <hcbr/evaluate.h>
#include <hcbr/explain.h>
#include <hcbr/model.h>
#include <hcbr/number.h>
#include <hcbr/preview.h>
#include <hcbr/status.h>
#include <hcbr/text.h>
#include <hcbr/version.h>

#endif
