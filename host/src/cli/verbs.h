// The verbs of the command, one file each. Each function adds its verb to the command line.
#pragma once

#include "command_line.h"
#include "exit_status.h"

namespace barefxt::cli {

void add_print(CommandLine& command);
void add_lint(CommandLine& command);
void add_stats(CommandLine& command);
void add_explain(CommandLine& command);
void add_check(CommandLine& command);
void add_learn(CommandLine& command);
void add_rebuild(CommandLine& command);
void add_capture(CommandLine& command);
void add_top(CommandLine& command);
void add_profile(CommandLine& command);
void add_report(CommandLine& command);
void add_open(CommandLine& command);
void add_convert(CommandLine& command);
void add_doctor(CommandLine& command);

}  // namespace barefxt::cli
