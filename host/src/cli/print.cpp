// barefxt print: every record of an archive.
#include <memory>
#include <unistd.h>

#include <barefxt/host/print.h>

#include "archive_input.h"
#include "messages.h"
#include "pager.h"
#include "progress.h"
#include "selection_options.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct PrintOptions : ArchiveOptions {
  bool json = false;
  bool raw = false;
  SelectionOptions selection;
};

int print(const PrintOptions& options) {
  const auto selection = options.selection.selection();
  if (!selection.ok()) return complain(selection.error());
  print_while_reading();
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  auto filter = host::RecordFilter::make(selection.value(), archive->source, archive->form);
  if (!filter.ok()) return complain(filter.error());
  host::Reader reader(archive->source.bytes(), archive->form);
  const host::TextLook look = look_of_output(kNoWidth);
  const Pager pager;
  host::DescriptorOutput out(STDOUT_FILENO);
  constexpr size_t kIndent = 12;
  host::FittedOutput fitted(out, look.width, kIndent);
  host::HumanPrinter human(look.width == kNoWidth ? out : static_cast<host::Output&>(fitted),
                           options.raw);
  for_each_record(archive->source, reader, [&](const host::Record& record) {
    if (!filter.value().keeps(record, reader.provider())) {
      human.pass(record);
    } else if (options.json) {
      host::print_json(out, record, options.raw);
    } else {
      human.print(record, reader.provider());
    }
    return !out.failed();
  });
  fitted.finish();
  if (out.failed()) return finish_output(out, status);
  if (human.referents().forgotten() > 0) {
    say(host::formatted(
        "{}: more than {} objects of a kind; {} records had no room for a name or for what came "
        "before in their blob",
        archive->source.name(), host::Referents::kMax, human.referents().forgotten()));
  }
  say_what_is_chosen(archive->source.name(), filter.value());
  return finish_output(out, report_reading(archive->source, reader));
}

}  // namespace

void add_print(CommandLine& command) {
  const Verb verb = command.add_verb("print", "Print every record of an FXT archive");
  auto options = std::make_shared<PrintOptions>();
  options->add_to(verb);
  options->add_old_byte_order(verb);
  verb.flag("--json", options->json, "One JSON object a line, for programs");
  verb.flag("--raw", options->raw, "Add the bytes of each record");
  options->selection.add_to(verb);
  terminal_options().add_pager(verb);
  verb.footer(
      "Examples:\n"
      "  barefxt print trace.fxt --from 1.5s --thread control\n"
      "  barefxt print --json serial.raw | grep context_switch");
  verb.run([options] { return print(*options); });
}

}  // namespace barefxt::cli
