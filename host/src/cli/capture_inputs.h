// Shared by all verbs that read captures: inputs that are captures or images of memory, the options
// about them, and reading all of them.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/itm_stream.h>
#include <barefxt/host/rebuild.h>

#include "command_line.h"
#include "memory_inputs.h"

namespace barefxt::cli {

// Options about captures, alike for every verb that reads them.
struct CaptureDetails {
  std::string program;             // of --elf
  std::vector<std::string> bases;  // of images of memory
  std::string interrupts;
  std::optional<host::ItmForm> itm;
  uint64_t max_unpacked = host::kMaxUnpackedBytes;

  // Those about what captures hold.
  void add_details(const Verb& verb);
  // The files that they name, which must not be outputs.
  std::vector<std::string> with_inputs(std::vector<std::string> inputs) const {
    inputs.push_back(program);
    inputs.push_back(interrupts);
    return inputs;
  }
};

struct CaptureInputOptions : CaptureDetails {
  std::vector<std::string> inputs;

  enum class Archives : uint8_t { kNone, kOne };
  void add_to(const Verb& verb, Archives archives);
};

// Receives the bytes of captures, for a Rebuild or its owner.
struct CaptureTaker {
  std::function<void(host::ItmForm)> read_itm;
  std::function<host::Status(std::span<const uint8_t>)> feed;
  std::function<host::Status(const std::string& name)> end_input;
  host::Rebuild& memory;
};

// Reads all inputs and prints which images of memory are damaged. Returns true if there were such.
host::Result<bool> read_captures(const CaptureInputOptions& options, const CaptureTaker& taker);
// The same for inputs that may be open already, instead of those of the options.
host::Result<bool> read_captures(const std::vector<CaptureInput>& inputs,
                                 const CaptureDetails& details, const CaptureTaker& taker);

// The inputs held nothing: names those that are of another kind, or that need an option.
void name_kinds(const CaptureInputOptions& options);

}  // namespace barefxt::cli
