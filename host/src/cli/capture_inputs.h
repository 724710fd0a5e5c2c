// Shared by `rebuild` and `doctor`: inputs that are captures or images of memory, the options about
// images, and reading all of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <barefxt/host/rebuild.h>

#include "command_line.h"
#include "memory_inputs.h"

namespace barefxt::cli {

struct CaptureInputOptions {
  std::vector<std::string> inputs;
  std::string program;
  std::vector<std::string> bases;
  uint64_t max_unpacked = host::kMaxUnpackedBytes;

  void add_to(const Verb& verb);
};

// Receives the bytes of captures, for a Rebuild or its owner.
struct CaptureTaker {
  std::function<host::Outcome(std::span<const uint8_t>)> feed;
  std::function<host::Outcome(const std::string& name)> end_input;
  host::Rebuild& memory;
};

// Reads all inputs and prints which images of memory are damaged. Returns true if there were such.
[[nodiscard]] host::Result<bool> read_captures(const CaptureInputOptions& options,
                                               const CaptureTaker& taker);

// The inputs held nothing: names inputs that look like a kind which needs an option.
void hint_at_memory(const CaptureInputOptions& options);

}  // namespace barefxt::cli
