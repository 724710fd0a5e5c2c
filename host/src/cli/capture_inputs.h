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

// The help of --elf and --base, which the verbs that read archives have as well.
inline constexpr const char* kAboutElf =
    "The program that ran: locates the trace in an image of memory, and has the texts that the "
    "image lacks, and the names of recorded functions, also of an XRay log, and of a Cortex-M's "
    "interrupts";
inline constexpr const char* kAboutBase =
    "The address of the first byte of an image that is no ELF core; one for each of several "
    "images, in order. Images that do not overlap are one memory";

struct CaptureInputOptions {
  std::vector<std::string> inputs;
  std::string program;
  std::vector<std::string> bases;
  uint64_t max_unpacked = host::kMaxUnpackedBytes;

  void add_to(const Verb& verb);
};

// Receives the bytes of captures, for a Rebuild or its owner.
struct CaptureTaker {
  std::function<host::Status(std::span<const uint8_t>)> feed;
  std::function<host::Status(const std::string& name)> end_input;
  host::Rebuild& memory;
};

// Reads all inputs and prints which images of memory are damaged. Returns true if there were such.
host::Result<bool> read_captures(const CaptureInputOptions& options, const CaptureTaker& taker);
// The same for inputs that may be open already, instead of those of the options.
host::Result<bool> read_captures(const std::vector<CaptureInput>& inputs,
                                 const CaptureInputOptions& options, const CaptureTaker& taker);

// The inputs held nothing: names inputs that look like a kind which needs an option.
void hint_at_memory(const CaptureInputOptions& options);

}  // namespace barefxt::cli
