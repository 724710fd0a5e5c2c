// barefxt lint: what is wrong with an archive.
#include <map>
#include <memory>
#include <unistd.h>

#include <barefxt/host/json.h>
#include <barefxt/host/lint.h>
#include <barefxt/host/safe_text.h>

#include "archive_input.h"
#include "messages.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

// For people, the limit of findings of a rule; a last line counts the rest.
constexpr uint64_t kMostShown = 20;

struct LintOptions : ArchiveOptions {
  bool json = false;
};

std::string_view severity_name(host::Severity severity) {
  return severity == host::Severity::kWarning ? "warning" : "note";
}

void print_json(host::Output& out, const host::Finding& finding) {
  {
    host::JsonObject object(out);
    object.number("offset", finding.offset);
    object.string("rule", finding.rule->name);
    object.string("severity", severity_name(finding.rule->severity));
    object.string("text", finding.text);
  }
  out.character('\n');
}

void print_human(host::Output& out, const host::Finding& finding) {
  out.number(finding.offset);
  out.text(": ");
  out.text(severity_name(finding.rule->severity));
  out.text(": ");
  out.text(host::safe_text(finding.text));
  out.text(" [");
  out.text(finding.rule->name);
  out.text("]\n");
}

int lint(const LintOptions& options) {
  int status = kDone;
  std::optional<Archive> archive = open_archive(options, status);
  if (!archive) return status;
  host::Reader reader(archive->source.bytes(), archive->form);
  host::DescriptorOutput out(STDOUT_FILENO);
  std::map<const host::Rule*, uint64_t> counts;
  bool warned = false;
  host::Linter linter(archive->form, [&](const host::Finding& finding) {
    warned = warned || finding.rule->severity == host::Severity::kWarning;
    const uint64_t count = ++counts[finding.rule];
    if (options.json) {
      print_json(out, finding);
    } else if (count <= kMostShown) {
      print_human(out, finding);
    }
  });
  for_each_record(archive->source, reader, [&](const host::Record& record) {
    linter.see(record, reader.provider());
    return !out.failed();
  });
  linter.finish();
  if (!options.json) {
    for (const auto& [rule, count] : counts) {
      if (count <= kMostShown) continue;
      out.text("... and ");
      out.number(count - kMostShown);
      out.text(" more [");
      out.text(rule->name);
      out.text("]\n");
    }
  }
  if (out.failed()) return finish_output(out, status);
  // Malformed places are findings like others; that nothing can be read at all is not.
  const int reading = report_reading(archive->source, reader);
  warned = warned || !archive->source.is_whole();
  return finish_output(out, reading == kNothing ? kNothing : warned ? kFindings : kDone);
}

}  // namespace

void add_lint(CommandLine& command) {
  const Verb verb = command.add_verb("lint", "Find faults in an archive or a trace");
  auto options = std::make_shared<LintOptions>();
  options->add_to(verb);
  verb.flag("--json", options->json, "One JSON object a line, for programs");
  verb.run([options] { return lint(*options); });
}

}  // namespace barefxt::cli
