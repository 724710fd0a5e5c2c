// barefxt doctor: what is likely wrong with the integration that a capture comes from.
#include <memory>
#include <string>
#include <unistd.h>

#include <barefxt/host/doctor.h>
#include <barefxt/host/json.h>

#include "archive_input.h"
#include "capture_inputs.h"
#include "messages.h"
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
  out.text(host::safe_text(diagnosis.where));
  out.text(": ");
  out.text(host::safe_text(diagnosis.what));
  out.text(" [");
  out.text(diagnosis.check->name);
  out.text("]\n  ");
  out.text(host::safe_text(diagnosis.hint));
  out.text("\n");
}

int doctor(const DoctorOptions& options) {
  host::DescriptorOutput out(STDOUT_FILENO);
  host::Doctor doctor(say, [&](const host::Diagnosis& diagnosis) {
    options.json ? print_json(out, diagnosis) : print_human(out, diagnosis);
  });
  const auto has_damaged = read_captures(
      options, {.feed = [&](std::span<const uint8_t> bytes) { return doctor.feed(bytes); },
                .end_input = [&](const std::string& name) { return doctor.end_input(name); },
                .memory = doctor.memory()});
  if (!has_damaged) return complain(has_damaged.error());
  if (const host::Outcome failure = doctor.examine()) return complain(*failure);
  if (doctor.captures().empty()) {
    hint_at_memory(options);
    // Images of memory alone give no summary beyond these messages.
    return finish_output(out, doctor.diagnoses() != 0 ? kFindings : kNothing);
  }
  for (const std::string& line : doctor.captures()) {
    if (options.json) break;
    out.text(host::safe_text(line));
    out.text("\n");
  }
  if (doctor.more_captures() != 0 && !options.json)
    out.text("and " + std::to_string(doctor.more_captures()) + " more captures\n");
  if (doctor.diagnoses() == 0 && !options.json) out.text("no fault found\n");
  if (doctor.diagnoses() != 0) return finish_output(out, kFindings);
  return finish_output(out, has_damaged.value() ? kIncomplete : kDone);
}

}  // namespace

void add_doctor(CommandLine& command) {
  const Verb verb =
      command.add_verb("doctor", "Diagnose a capture: wrong hooks, clock, linker script or line");
  auto options = std::make_shared<DoctorOptions>();
  options->add_to(verb);
  verb.flag("--json", options->json, "One JSON object a line, for programs");
  verb.run([options] { return doctor(*options); });
}

}  // namespace barefxt::cli
