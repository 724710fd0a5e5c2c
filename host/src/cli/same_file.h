// Files named twice on the command line.
#pragma once

#include <span>
#include <string>

#include <barefxt/host/status.h>

namespace barefxt::cli {

// Fails if an output is the same file as an input or as another output, by device and inode. `-` is
// standard input or output; empty paths are skipped. Pipes and devices may be named twice.
host::Status check_named_once(std::span<const std::string> inputs,
                              std::span<const std::string> outputs);

}  // namespace barefxt::cli
