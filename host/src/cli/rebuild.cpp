// barefxt rebuild: whatever came from a target in, one archive out.
#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "archive_input.h"
#include "memory_inputs.h"
#include "messages.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct RebuildOptions {
  std::vector<std::string> inputs;
  std::string program;
  std::vector<std::string> bases;
  std::string output;
  std::string byte_order = "little";
};

// Nothing where all of it was read.
host::Outcome read_input(const std::string& path, host::Rebuild& rebuild) {
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
    outcome = rebuild.feed({buffer.data(), static_cast<size_t>(count)});
  }
  if (!is_standard_input) close(file);
  if (!outcome) outcome = rebuild.end_input(is_standard_input ? "standard input" : path);
  return outcome;
}

// The same for an input that is open already.
host::Outcome feed_input(host::Source& file, host::Rebuild& rebuild) {
  static constexpr size_t kStep = size_t{1} << 20;
  const host::Bytes bytes = file.bytes();
  for (size_t at = 0; at < bytes.size(); at += kStep) {
    const size_t count = std::min(kStep, bytes.size() - at);
    if (host::Outcome failure = rebuild.feed(bytes.subspan(at, count))) return failure;
    file.done_with(at);
  }
  return rebuild.end_input(file.name());
}

// Nothing was in the inputs: maybe one is of a kind that has to be told.
void hint_at_memory(const RebuildOptions& options) {
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

int rebuild(const RebuildOptions& options) {
  host::Rebuild rebuild(say);
  MemoryInputs memory;
  if (const host::Outcome failure = memory.open(options.inputs, options.program, options.bases))
    return complain(*failure);
  if (memory.program() != nullptr) rebuild.name_functions(*memory.program());
  for (const host::Error& damaged : memory.damaged()) say(damaged.text());
  for (const auto& [path, file] : memory.captures()) {
    const host::Outcome failure =
        file != nullptr ? feed_input(*file, rebuild) : read_input(path, rebuild);
    if (failure) return complain(*failure);
  }
  if (const host::Outcome failure = memory.add_to(rebuild)) return complain(*failure);

  auto output = host::OutputFile::create(options.output);
  if (!output) return complain(output.error());
  const auto order = options.byte_order == "big" ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  const auto verdict = rebuild.write(*output.value(), order);
  if (!verdict) return complain(verdict.error());
  if (verdict.value() == host::RebuildVerdict::kNothing) {
    hint_at_memory(options);
    return kNothing;
  }
  if (const host::Outcome failure = output.value()->commit()) return complain(*failure);
  const bool complete =
      verdict.value() == host::RebuildVerdict::kComplete && memory.damaged().empty();
  return complete ? kDone : kIncomplete;
}

}  // namespace

void add_rebuild(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand("rebuild", "Make one FXT archive of what a target dumped");
  auto options = std::make_shared<RebuildOptions>();
  verb->add_option(
          "IN", options->inputs,
          "Captures: raw serial bytes, a console log with trace lines in it, a semihosting "
          "file; images of memory: ELF cores, or with --elf or --base as they are; - is standard "
          "input")
      ->required();
  verb->add_option("--elf", options->program,
                   "The program that ran: tells where an image of memory has its trace, and the "
                   "texts that are not in it; and how the functions are called whose calls were "
                   "recorded");
  verb->add_option(
          "--base", options->bases,
          "The address of the first byte of an image that is no ELF core; of several, each "
          "its own, in order. Images that do not overlap are one memory")
      ->option_text("ADDRESS")
      ->allow_extra_args(false);
  verb->add_option("-o,--output", options->output, "The archive; - is standard output")->required();
  verb->add_option("--byte-order", options->byte_order, "Byte order of the archive")
      ->check(CLI::IsMember({"little", "big"}))
      ->capture_default_str();
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return rebuild(*options); }); });
}

}  // namespace barefxt::cli
