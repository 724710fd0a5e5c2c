// barefxt rebuild: makes one archive from captures, memory images and core dumps.
#include <memory>
#include <optional>
#include <string>

#include <barefxt/host/output_file.h>
#include <barefxt/host/rebuild.h>

#include "archive_input.h"
#include "capture_inputs.h"
#include "input_kind.h"
#include "messages.h"
#include "progress.h"
#include "same_file.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct RebuildOptions : CaptureInputOptions {
  std::string output;
  host::ByteOrder byte_order = host::ByteOrder::kLittle;
  bool perfetto_logs = false;
};

int rebuild(const RebuildOptions& options) {
  if (const host::Status status =
          check_named_once(options.with_inputs(options.inputs), {&options.output, 1});
      !status.ok())
    return complain(status.error());
  for (const std::string& path : options.inputs)
    if (const std::optional<InputKind> folder = kind_of_folder(path))
      return say_kind(path, *folder);
  host::Rebuild rebuild(say);
  const auto has_damaged = read_captures(
      options, {.read_itm = [&](host::ItmForm form) { rebuild.read_itm(form); },
                .feed = [&](std::span<const uint8_t> bytes) { return rebuild.feed(bytes); },
                .end_input = [&](const std::string& name) { return rebuild.end_input(name); },
                .memory = rebuild});
  if (!has_damaged.ok()) return complain(has_damaged.error());

  auto output = host::OutputFile::create(options.output);
  if (!output.ok()) return complain(output.error());
  ProgressSink sink(*output.value(), "writing " + options.output);
  const auto verdict =
      rebuild.write(sink, options.byte_order,
                    options.perfetto_logs ? host::LogPackets::kAdd : host::LogPackets::kNone);
  if (!verdict.ok()) return complain(verdict.error());
  if (verdict.value() == host::RebuildVerdict::kNothing) {
    name_kinds(options);
    return kNothing;
  }
  if (const host::Status status = output.value()->commit(); !status.ok())
    return complain(status.error());
  const bool complete = verdict.value() == host::RebuildVerdict::kComplete && !has_damaged.value();
  return complete ? kDone : kIncomplete;
}

}  // namespace

void add_rebuild(CommandLine& command) {
  const Verb verb =
      command.add_verb("rebuild", "Rebuild one FXT archive from captures of a target");
  auto options = std::make_shared<RebuildOptions>();
  options->add_to(verb, CaptureInputOptions::Archives::kNone);
  verb.option("-o,--output", options->output, "The archive; - is standard output")
      .placeholder("OUT")
      .required();
  add_output_byte_order(verb, options->byte_order);
  verb.flag("--perfetto-logs", options->perfetto_logs, kAboutPerfettoLogs);
  verb.footer(
      "Examples:\n"
      "  barefxt rebuild serial.raw -o trace.fxt\n"
      "  barefxt rebuild ram.bin --elf kernel.elf -o trace.fxt");
  verb.run([options] { return rebuild(*options); });
}

}  // namespace barefxt::cli
