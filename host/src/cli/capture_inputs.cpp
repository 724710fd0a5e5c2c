#include "capture_inputs.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

#include "messages.h"

namespace barefxt::cli {
namespace {

// Nothing where all of it was read.
host::Outcome read_input(const std::string& path, const CaptureTaker& taker) {
  const bool is_standard_input = path == "-";
  const int file = is_standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return host::system_error("cannot open", errno, path);
  static constexpr size_t kStep = size_t{1} << 20;
  std::vector<uint8_t> buffer(kStep);
  host::Outcome outcome;
  while (!outcome) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) outcome = host::system_error("cannot read", errno, path);
    if (count <= 0) break;
    outcome = taker.feed({buffer.data(), static_cast<size_t>(count)});
  }
  if (!is_standard_input) close(file);
  if (!outcome) outcome = taker.end_input(is_standard_input ? "standard input" : path);
  return outcome;
}

// The same for an input that is open already.
host::Outcome feed_input(host::Source& file, const CaptureTaker& taker) {
  static constexpr size_t kStep = size_t{1} << 20;
  const host::Bytes bytes = file.bytes();
  for (size_t at = 0; at < bytes.size(); at += kStep) {
    const size_t count = std::min(kStep, bytes.size() - at);
    if (host::Outcome failure = taker.feed(bytes.subspan(at, count))) return failure;
    file.done_with(at);
  }
  return taker.end_input(file.name());
}

}  // namespace

void CaptureInputOptions::add_to(CLI::App& verb) {
  verb.add_option(
          "IN", inputs,
          "Captures: raw serial bytes, a console log with trace lines in it, a semihosting "
          "file; images of memory: ELF cores, or with --elf or --base as they are; - is standard "
          "input")
      ->required();
  verb.add_option("--elf", program,
                  "The program that ran: tells where an image of memory has its trace, and the "
                  "texts that are not in it; and how the functions are called whose calls were "
                  "recorded");
  verb.add_option("--base", bases,
                  "The address of the first byte of an image that is no ELF core; of several, each "
                  "its own, in order. Images that do not overlap are one memory")
      ->option_text("ADDRESS")
      ->allow_extra_args(false);
}

host::Result<bool> read_captures(const CaptureInputOptions& options, const CaptureTaker& taker) {
  MemoryInputs memory;
  if (const host::Outcome failure = memory.open(options.inputs, options.program, options.bases))
    return *failure;
  if (memory.program() != nullptr) taker.memory.name_functions(*memory.program());
  for (const host::Error& damaged : memory.damaged()) say(damaged.text());
  for (const auto& [path, file] : memory.captures()) {
    const host::Outcome failure =
        file != nullptr ? feed_input(*file, taker) : read_input(path, taker);
    if (failure) return *failure;
  }
  if (const host::Outcome failure = memory.add_to(taker.memory)) return *failure;
  return !memory.damaged().empty();
}

void hint_at_memory(const CaptureInputOptions& options) {
  if (!options.program.empty() || !options.bases.empty()) return;
  for (const std::string& path : options.inputs) {
    if (path == "-") continue;
    auto file = host::Source::open(path);
    if (!file) continue;
    if (host::ElfFile::is_elf(file.value().bytes()))
      say(path +
          ": this is a program, which holds no trace: name it with --elf, beside an image of the "
          "memory that it ran in");
    else if (host::may_hold_trace(file.value()))
      say(path +
          ": this looks like an image of memory: name the program that ran with --elf, or "
          "the address of the first byte with --base");
  }
}

}  // namespace barefxt::cli
