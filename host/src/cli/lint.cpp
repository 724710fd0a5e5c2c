// barefxt lint: what is wrong with an archive.
#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <unistd.h>
#include <vector>

#include <barefxt/host/json.h>
#include <barefxt/host/lint.h>
#include <barefxt/host/safe_text.h>

#include "archive_input.h"
#include "messages.h"
#include "progress.h"
#include "selection_options.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

// For people, the limit of findings of a rule; a last line counts the rest.
constexpr uint64_t kMaxShown = 20;

struct LintOptions : ArchiveOptions {
  bool json = false;
  SelectionOptions selection;
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

void print_human(host::Output& out, const host::Finding& finding, const host::TextLook& look) {
  const std::string_view severity = severity_name(finding.rule->severity);
  out.number(finding.offset);
  out.text(": ");
  out.text(finding.rule->severity == host::Severity::kWarning ? look.alarm(severity)
                                                              : std::string(severity));
  out.text(": ");
  out.text(host::safe_text(finding.text));
  out.text(" [");
  out.text(finding.rule->name);
  out.text("]\n");
}

// Hands on the findings about chosen records. A finding may be about a record far behind: these
// wait for a second reading, and are as few as what the checks remember.
class ChosenFindings {
 public:
  ChosenFindings(host::RecordFilter& filter, const std::function<void(const host::Finding&)>& sink)
      : filter_(filter), sink_(sink) {}

  void see(const host::Record& record, const host::ProviderState& provider) {
    offset_ = record.offset;
    keeps_ = filter_.keeps(record, provider);
  }
  void take(const host::Finding& finding) {
    if (!filter_.keeps_all() && finding.offset != offset_)
      late_.push_back(finding);
    else if (keeps_)
      sink_(finding);
  }
  void finish(Archive& archive) {
    if (late_.empty()) return;
    std::ranges::stable_sort(late_, {}, &host::Finding::offset);
    archive.source.release_before(0);
    host::Reader reader(archive.source.bytes(), archive.form);
    auto next = late_.begin();
    for_each_record(archive.source, reader, [&](const host::Record& record) {
      const bool is_kept = next != late_.end() &&
                           next->offset < record.offset + record.raw.size() &&
                           filter_.keeps(record, reader.provider());
      for (; next != late_.end() && next->offset < record.offset + record.raw.size(); ++next)
        if (is_kept) sink_(*next);
      return next != late_.end();
    });
  }

 private:
  host::RecordFilter& filter_;
  std::function<void(const host::Finding&)> sink_;
  std::vector<host::Finding> late_;
  uint64_t offset_ = 0;
  bool keeps_ = true;
};

int lint(const LintOptions& options) {
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
  host::DescriptorOutput to(STDOUT_FILENO);
  constexpr size_t kIndent = 4;
  host::FittedOutput out(to, options.json ? kNoWidth : look.width, kIndent);
  std::map<const host::Rule*, uint64_t> counts;
  bool warned = false;
  ChosenFindings chosen(filter.value(), [&](const host::Finding& finding) {
    warned = warned || finding.rule->severity == host::Severity::kWarning;
    const uint64_t count = ++counts[finding.rule];
    if (options.json) {
      print_json(out, finding);
    } else if (count <= kMaxShown) {
      print_human(out, finding, look);
    }
  });
  host::Linter linter(archive->form, [&](const host::Finding& finding) { chosen.take(finding); });
  for_each_record(archive->source, reader, [&](const host::Record& record) {
    chosen.see(record, reader.provider());
    linter.see(record, reader.provider());
    return !to.failed();
  });
  linter.finish();
  say_what_is_chosen(archive->source.name(), filter.value());
  chosen.finish(*archive);
  if (!options.json) {
    for (const auto& [rule, count] : counts) {
      if (count <= kMaxShown) continue;
      out.text("... and ");
      out.number(count - kMaxShown);
      out.text(" more [");
      out.text(rule->name);
      out.text("]\n");
    }
  }
  out.finish();
  if (to.failed()) return finish_output(to, status);
  // Malformed places are findings like others; that nothing can be read at all is not.
  const int reading = report_reading(archive->source, reader);
  warned = warned || !archive->source.is_whole();
  return finish_output(to, reading == kNothing ? kNothing : warned ? kFindings : kDone);
}

}  // namespace

void add_lint(CommandLine& command) {
  const Verb verb = command.add_verb("lint", "Find faults in an archive or a trace");
  auto options = std::make_shared<LintOptions>();
  options->add_to(verb);
  options->add_old_byte_order(verb);
  verb.flag("--json", options->json, "One JSON object a line, for programs");
  options->selection.add_to(verb);
  verb.footer(
      "Examples:\n"
      "  barefxt lint trace.fxt\n"
      "  barefxt lint --json trace.fxt | cut -d, -f2 | sort | uniq -c");
  verb.run([options] { return lint(*options); });
}

}  // namespace barefxt::cli
