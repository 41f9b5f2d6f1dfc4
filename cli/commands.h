/**
 * @file commands.h
 * The commands of the program; each returns its exit status.
 */
#ifndef HCBR_CLI_COMMANDS_H
#define HCBR_CLI_COMMANDS_H

#include "opt.h"

int cmd_train(const args *given);
int cmd_predict(const args *given);
int cmd_convert(const args *given);
int cmd_evaluate(const args *given);
int cmd_tune(const args *given);
int cmd_inspect(const args *given);
int cmd_audit(const args *given);
int cmd_study(const args *given);
int cmd_drift(const args *given);
int cmd_report(const args *given);
int cmd_explain(const args *given);

#endif
