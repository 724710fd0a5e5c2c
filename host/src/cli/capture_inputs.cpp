#include "capture_inputs.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "archive_input.h"
#include "input_kind.h"
#include "itm_form.h"
#include "known_names.h"
#include "messages.h"

namespace barefxt::cli {
namespace {

// Returns whether the file became shorter meanwhile.
host::Result<bool> read_input(const std::string& path, const CaptureTaker& taker) {
  const bool is_standard_input = path == "-";
  const std::string name = is_standard_input ? "standard input" : path;
  const int file = is_standard_input ? STDIN_FILENO : open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return host::system_error("cannot open", errno, path);
  struct stat found{};
  const bool has_size = !is_standard_input && fstat(file, &found) == 0 && S_ISREG(found.st_mode);
  uint64_t read_so_far = 0;
  off_t left = has_size ? found.st_size : 0;
  static constexpr size_t kStep = size_t{1} << 20;
  std::vector<uint8_t> buffer(kStep);
  host::Status status;
  while (status.ok()) {
    const ssize_t count = read(file, buffer.data(), buffer.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) status = host::system_error("cannot read", errno, path);
    if (count <= 0) break;
    left -= count;
    read_so_far += static_cast<uint64_t>(count);
    host::watched(name, read_so_far, has_size ? static_cast<uint64_t>(found.st_size) : 0);
    status = taker.feed({buffer.data(), static_cast<size_t>(count)});
  }
  if (!is_standard_input) close(file);
  if (status.ok()) status = taker.end_input(name);
  if (!status.ok()) return status.error();
  if (left > 0) say(path + ": " + kShrunk);
  return left > 0;
}

// The same for an input that is open already.
host::Result<bool> feed_input(host::Source& file, const CaptureTaker& taker) {
  static constexpr size_t kStep = size_t{1} << 20;
  const host::Bytes bytes = file.bytes();
  for (size_t at = 0; at < bytes.size(); at += kStep) {
    const size_t count = std::min(kStep, bytes.size() - at);
    if (host::Status status = taker.feed(bytes.subspan(at, count)); !status.ok())
      return status.error();
    file.release_before(at);
  }
  if (host::Status status = taker.end_input(file.name()); !status.ok()) return status.error();
  return false;  // seen with those that are memory
}

}  // namespace

void CaptureDetails::add_details(const Verb& verb) {
  verb.option("--elf", program,
              "The program that ran: locates the trace in an image of memory, and has the texts "
              "that the image lacks, and the names of recorded functions, also of an XRay log, and "
              "of a Cortex-M's interrupts")
      .placeholder("FILE");
  verb.option("--base", bases,
              "The address of the first byte of an image that is no ELF core; one for each of "
              "several images, in order. Images that do not overlap are one memory")
      .placeholder("ADDRESS")
      .one_each_time();
  add_interrupts(verb, interrupts);
  add_itm(verb, itm);
}

void CaptureInputOptions::add_to(const Verb& verb, Archives archives) {
  std::string about =
      "Captures: raw serial bytes, a console log with trace lines in it, a semihosting file; "
      "images "
      "of memory: ELF cores, or raw bytes with --elf or --base; - is standard input";
  if (archives == Archives::kOne) about += ". Or one archive";
  verb.option("IN", inputs, about.c_str()).required();
  add_details(verb);
  add_max_unpacked(verb, max_unpacked);
}

host::Result<bool> read_captures(const CaptureInputOptions& options, const CaptureTaker& taker) {
  return read_captures(inputs_of(options.inputs), options, taker);
}

host::Result<bool> read_captures(const std::vector<CaptureInput>& inputs,
                                 const CaptureDetails& details, const CaptureTaker& taker) {
  if (details.itm) taker.read_itm(*details.itm);
  if (const host::Status status = name_interrupts(taker.memory, details.interrupts); !status.ok())
    return status.error();
  MemoryInputs memory;
  if (const host::Status status =
          memory.open(inputs, details.program, details.bases, details.max_unpacked);
      !status.ok())
    return status.error();
  if (memory.program() != nullptr) taker.memory.name_by(*memory.program());
  for (const host::Error& damaged : memory.damaged()) say(damaged.text());
  bool is_cut = false;
  for (const auto& [path, file] : memory.captures()) {
    const host::Result<bool> read =
        file != nullptr ? feed_input(*file, taker) : read_input(path, taker);
    if (!read.ok()) return read.error();
    is_cut = is_cut || read.value();
  }
  if (const host::Status status = memory.add_to(taker.memory); !status.ok()) return status.error();
  const std::vector<std::string> shrunk = memory.shrunk();
  for (const std::string& name : shrunk) say(name + ": " + kShrunk);
  return !memory.damaged().empty() || !shrunk.empty() || is_cut;
}

void name_kinds(const CaptureInputOptions& options) {
  for (const std::string& path : options.inputs) {
    if (path == "-") continue;
    auto file = host::Source::open(path, options.max_unpacked);
    if (!file.ok()) continue;
    const std::optional<InputKind> kind = kind_of(file.value().bytes());
    if (kind && !kind->is_text)
      say_kind(path, *kind, file.value().packed_by());
    else if (options.program.empty() && options.bases.empty() && host::may_hold_trace(file.value()))
      say(path +
          ": this looks like an image of memory: name the program that ran with --elf, or "
          "the address of the first byte with --base");
  }
}

}  // namespace barefxt::cli
