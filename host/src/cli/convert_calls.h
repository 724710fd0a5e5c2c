// `barefxt convert` of the calls of functions in an archive to an XRay log, and of a program to one
// whose functions `llvm-xray` finds.
#pragma once

#include <string>

#include "archive_input.h"
#include "convert_log.h"

namespace barefxt::cli {

// Both return the exit status.
int convert_calls(Archive& archive, const LogOptions& options, const std::string& output);
int convert_program(host::Source& source, const std::string& output);

}  // namespace barefxt::cli
