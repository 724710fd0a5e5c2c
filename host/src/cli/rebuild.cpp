// barefxt rebuild: whatever came from a target in, one archive out.
#include <memory>
#include <string>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "archive_input.h"
#include "capture_inputs.h"
#include "messages.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct RebuildOptions : CaptureInputOptions {
  std::string output;
  std::string byte_order = "little";
};

int rebuild(const RebuildOptions& options) {
  host::Rebuild rebuild(say);
  const auto has_damaged = read_captures(
      options, {.feed = [&](std::span<const uint8_t> bytes) { return rebuild.feed(bytes); },
                .end_input = [&](const std::string& name) { return rebuild.end_input(name); },
                .memory = rebuild});
  if (!has_damaged) return complain(has_damaged.error());

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
  const bool complete = verdict.value() == host::RebuildVerdict::kComplete && !has_damaged.value();
  return complete ? kDone : kIncomplete;
}

}  // namespace

void add_rebuild(CLI::App& app, int& exit_status) {
  CLI::App* verb = app.add_subcommand("rebuild", "Make one FXT archive of what a target dumped");
  auto options = std::make_shared<RebuildOptions>();
  options->add_to(*verb);
  verb->add_option("-o,--output", options->output, "The archive; - is standard output")->required();
  verb->add_option("--byte-order", options->byte_order, "Byte order of the archive")
      ->check(CLI::IsMember({"little", "big"}))
      ->capture_default_str();
  verb->callback(
      [options, &exit_status] { exit_status = guarded([&] { return rebuild(*options); }); });
}

}  // namespace barefxt::cli
