// What `rebuild` and `doctor` have in common: inputs of which each is a capture or an image of
// memory, the options that tell of images, and reading all of it.
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

// Who takes the bytes of captures: a Rebuild, or who has one.
struct CaptureTaker {
  std::function<host::Outcome(std::span<const uint8_t>)> feed;
  std::function<host::Outcome(const std::string& name)> end_input;
  host::Rebuild& memory;
};

// Reads all inputs, says which images of memory are damaged, and whether there were such.
[[nodiscard]] host::Result<bool> read_captures(const CaptureInputOptions& options,
                                               const CaptureTaker& taker);

// Nothing was in the inputs: says where one looks like a kind that has to be told.
void hint_at_memory(const CaptureInputOptions& options);

}  // namespace barefxt::cli
