// barefxt rebuild: whatever came from a target in, one archive out.
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
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct RebuildOptions {
  std::vector<std::string> inputs;
  std::string output;
  std::string byte_order = "little";
};

void say(const std::string& line) { std::fprintf(stderr, "barefxt: %s\n", line.c_str()); }

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

int complain(const host::Error& error) {
  say(error.text());
  return kUsage;
}

int rebuild(const RebuildOptions& options) {
  host::Rebuild rebuild(say);
  for (const std::string& input : options.inputs)
    if (const host::Outcome failure = read_input(input, rebuild)) return complain(*failure);

  auto output = host::OutputFile::create(options.output);
  if (!output) return complain(output.error());
  const auto order = options.byte_order == "big" ? host::ByteOrder::kBig : host::ByteOrder::kLittle;
  const auto verdict = rebuild.write(*output.value(), order);
  if (!verdict) return complain(verdict.error());
  if (verdict.value() == host::RebuildVerdict::kNothing) return kNothing;
  if (const host::Outcome failure = output.value()->commit()) return complain(*failure);
  return verdict.value() == host::RebuildVerdict::kComplete ? kDone : kIncomplete;
}

}  // namespace

void add_rebuild(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand("rebuild", "Make one FXT archive of what a target dumped");
  auto options = std::make_shared<RebuildOptions>();
  verb->add_option(
          "IN", options->inputs,
          "Captures: raw serial bytes, a console log with trace lines in it, a semihosting "
          "file; - is standard input")
      ->required();
  verb->add_option("-o,--output", options->output, "The archive; - is standard output")->required();
  verb->add_option("--byte-order", options->byte_order, "Byte order of the archive")
      ->check(CLI::IsMember({"little", "big"}))
      ->capture_default_str();
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return rebuild(*options); }); });
}

}  // namespace barefxt::cli
