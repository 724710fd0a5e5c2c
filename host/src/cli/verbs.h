// The verbs of the command, one file each: every one adds its options to the command line and,
// where it is chosen, runs and leaves its exit status.
#pragma once

#include <CLI/CLI.hpp>

#include "exit_status.h"

namespace barefxt::cli {

void add_print(CLI::App& app, int& exit_status);
void add_lint(CLI::App& app, int& exit_status);
void add_stats(CLI::App& app, int& exit_status);
void add_rebuild(CLI::App& app, int& exit_status);
void add_capture(CLI::App& app, int& exit_status);
void add_report(CLI::App& app, int& exit_status);
void add_open(CLI::App& app, int& exit_status);
void add_convert(CLI::App& app, int& exit_status);
void add_doctor(CLI::App& app, int& exit_status);

}  // namespace barefxt::cli
