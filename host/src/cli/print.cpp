// barefxt print: every record of an archive.
#include <memory>
#include <unistd.h>

#include <barefxt/host/print.h>

#include "archive_input.h"
#include "messages.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct PrintOptions : ArchiveOptions {
  bool json = false;
  bool raw = false;
};

int print(const PrintOptions& options) {
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  host::Reader reader(archive->source.bytes(), archive->form);
  host::DescriptorOutput out(STDOUT_FILENO);
  host::HumanPrinter human(out, options.raw);
  for_each_record(archive->source, reader, [&](const host::Record& record) {
    if (options.json) {
      host::print_json(out, record, options.raw);
    } else {
      human.print(record, reader.provider());
    }
    return !out.failed();
  });
  if (out.failed()) return finish_output(out, status);
  if (human.referents().forgotten() > 0) {
    say(host::formatted(
        "{}: more than {} objects of a kind; {} records had no room for a name or for what came "
        "before in their blob",
        archive->source.name(), host::Referents::kMost, human.referents().forgotten()));
  }
  return finish_output(out, report_reading(archive->source, reader));
}

}  // namespace

void add_print(CommandLine& command) {
  const Verb verb = command.add_verb("print", "Print every record of an FXT archive");
  auto options = std::make_shared<PrintOptions>();
  options->add_to(verb);
  verb.flag("--json", options->json, "One JSON object a line, for programs");
  verb.flag("--raw", options->raw, "Add the bytes of each record");
  verb.footer(
      "Examples:\n"
      "  barefxt print trace.fxt\n"
      "  barefxt print --json serial.raw | grep context_switch");
  verb.run([options] { return print(*options); });
}

}  // namespace barefxt::cli
