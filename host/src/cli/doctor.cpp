// barefxt doctor: what is likely wrong with the integration that a capture comes from.
#include <map>
#include <memory>
#include <string>

#include <barefxt/host/doctor.h>
#include <barefxt/host/json.h>
#include <barefxt/host/lint.h>
#include <barefxt/host/safe_text.h>

#include "archive_input.h"
#include "capture_inputs.h"
#include "input_kind.h"
#include "messages.h"
#include "progress.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct DoctorOptions : CaptureInputOptions {
  bool json = false;
};

void print_json(host::Output& out, const host::Diagnosis& diagnosis) {
  {
    host::JsonObject object(out);
    object.string("check", diagnosis.check->name);
    object.string("where", diagnosis.where);
    object.string("what", diagnosis.what);
    object.string("hint", diagnosis.hint);
    object.string("mend", diagnosis.hint);  // the key of version 0.1, kept for one version
  }
  out.character('\n');
}

void print_human(host::Output& out, const host::Diagnosis& diagnosis) {
  out.text(look_of_output(kNoWidth).strong(host::safe_text(diagnosis.where) + ":"));
  out.text(" ");
  out.text(host::safe_text(diagnosis.what));
  out.text(" [");
  out.text(diagnosis.check->name);
  out.text("]\n  ");
  out.text(host::safe_text(diagnosis.hint));
  out.text("\n");
}

// An archive has no frames and rings to examine, but what `lint` finds.
int examine_archive(Archive archive, const DoctorOptions& options) {
  const std::string name = archive.source.name();
  struct Found {
    uint64_t count = 0;
    std::string first;
  };
  std::map<std::string_view, Found> found;
  host::Linter linter(archive.form, [&](const host::Finding& finding) {
    if (finding.rule->severity != host::Severity::kWarning) return;
    Found& of_rule = found[finding.rule->name];
    if (of_rule.count++ == 0)
      of_rule.first = host::formatted("at offset {}: {}", finding.offset, finding.text);
  });
  host::Reader reader(archive.source.bytes(), archive.form);
  for_each_record(archive.source, reader, [&](const host::Record& record) {
    linter.see(record, reader.provider());
    return true;
  });
  linter.finish();
  FittedText out(options.json ? TextKind::kForPrograms : TextKind::kForPeople);
  for (const auto& [rule, of_rule] : found) {
    const host::DoctorCheck check{rule, {}};
    const std::string more =
        of_rule.count == 1 ? "" : host::formatted(", and {} more", of_rule.count - 1);
    const host::Diagnosis diagnosis{&check, name, of_rule.first + more,
                                    "`barefxt lint` lists each; a capture shows more"};
    options.json ? print_json(out, diagnosis) : print_human(out, diagnosis);
  }
  const int reading = report_reading(archive.source, reader);
  if (reading == kNothing) return out.finish(kNothing);
  if (!found.empty()) return out.finish(kFindings);
  if (!options.json) out.text("no fault found\n");
  return out.finish(reading);
}

int doctor(const DoctorOptions& options) {
  print_while_reading();
  for (const std::string& path : options.inputs)
    if (const std::optional<InputKind> folder = kind_of_folder(path))
      return say_kind(path, *folder);
  host::Result<host::Source> first = host::Source::open(options.inputs[0], options.max_unpacked);
  if (!first.ok()) return complain(first.error());
  if (host::starts_as_archive(first.value().bytes())) {
    if (options.inputs.size() != 1) {
      say(options.inputs[0] + ": an archive. Hint: name archives one at a time");
      return kUsage;
    }
    return examine_archive(open_archive(std::move(first.value()), {}), options);
  }
  std::vector<CaptureInput> inputs = inputs_of(options.inputs);
  inputs[0].file = &first.value();
  FittedText out(options.json ? TextKind::kForPrograms : TextKind::kForPeople);
  host::Doctor doctor(say, [&](const host::Diagnosis& diagnosis) {
    options.json ? print_json(out, diagnosis) : print_human(out, diagnosis);
  });
  const auto has_damaged =
      read_captures(inputs, options,
                    {.read_itm = [&](host::ItmForm form) { doctor.read_itm(form); },
                     .feed = [&](std::span<const uint8_t> bytes) { return doctor.feed(bytes); },
                     .end_input = [&](const std::string& name) { return doctor.end_input(name); },
                     .memory = doctor.memory()});
  if (!has_damaged.ok()) return complain(has_damaged.error());
  if (inputs.size() == 1 && !doctor.has_frames()) {
    first.value().release_before(0);  // it is read again
    // Text is what a console printed: a check examines it.
    const std::optional<InputKind> kind = kind_of(first.value().bytes());
    if (kind && !kind->is_text)
      return say_kind(first.value().name(), *kind, first.value().packed_by());
  }
  if (const host::Status status = doctor.examine(); !status.ok()) return complain(status.error());
  if (doctor.captures().empty()) {
    name_kinds(options);
    // Images of memory alone give no summary beyond these messages.
    return out.finish(doctor.diagnoses() != 0 ? kFindings : kNothing);
  }
  for (const std::string& line : doctor.captures()) {
    if (options.json) break;
    out.text(host::safe_text(line));
    out.text("\n");
  }
  if (doctor.more_captures() != 0 && !options.json)
    out.text(host::formatted("and {} more captures\n", doctor.more_captures()));
  if (doctor.diagnoses() == 0 && !options.json) out.text("no fault found\n");
  if (doctor.diagnoses() != 0) return out.finish(kFindings);
  return out.finish(has_damaged.value() ? kIncomplete : kDone);
}

}  // namespace

void add_doctor(CommandLine& command) {
  const Verb verb =
      command.add_verb("doctor", "Diagnose a capture: wrong hooks, clock, linker script or line");
  auto options = std::make_shared<DoctorOptions>();
  options->add_to(verb, CaptureInputOptions::Archives::kOne);
  verb.flag("--json", options->json, "One JSON object a line, for programs");
  verb.footer(
      "Examples:\n"
      "  barefxt doctor serial.raw\n"
      "  barefxt doctor ram.bin --elf kernel.elf --json");
  verb.run([options] { return doctor(*options); });
}

}  // namespace barefxt::cli
