// barefxt check: holds traces to rules of the user's own.
#include <fstream>
#include <memory>
#include <unistd.h>

#include <barefxt/host/check.h>
#include <barefxt/host/output_file.h>

#include "archive_input.h"
#include "messages.h"
#include "rule_verdicts.h"
#include "same_file.h"
#include "selection_options.h"
#include "terminal.h"
#include "verbs.h"

namespace barefxt::cli {
namespace {

struct CheckVerb : ArchiveOptions {
  std::string rules;
  std::string explained;
  bool json = false;
  bool allow_unknown = false;
  std::string junit;
  SelectionOptions selection;
};

}  // namespace

host::Result<std::vector<host::TraceRule>> read_rules(const std::string& file) {
  std::ifstream stream(file);
  std::string text(host::kMaxRuleBytes, '\0');
  const auto room = static_cast<std::streamsize>(text.size());
  if (stream.is_open()) stream.read(text.data(), room);
  if (!stream.is_open() || stream.bad()) return host::Error{"cannot read these rules", file, ""};
  if (stream.gcount() == room)
    return host::Error{"is too long for a file of rules", file, "4 MiB is the most"};
  text.resize(static_cast<size_t>(stream.gcount()));
  return host::parse_rules(text, file);
}

namespace {

int explain_rule(const std::string& text) {
  const auto rules = host::parse_rules(text, "--explain");
  if (!rules.ok()) return complain(rules.error());
  host::DescriptorOutput out(STDOUT_FILENO);
  for (const host::TraceRule& rule : rules.value()) out.text(in_words(rule) + "\n");
  return finish_output(out, kDone);
}

// Each of the files by itself. Returns the exit status of reading.
int check_files(const CheckVerb& options, const std::vector<host::TraceRule>& rules,
                const host::CheckOptions& how, std::vector<host::CheckedTrace>& traces) {
  int all = kDone;
  for (const std::string& file : options.files) {
    ArchiveOptions one = options;
    one.files = {file};
    int status = kDone;
    std::optional<Archive> archive = open_archive(one, status);
    if (!archive) return status;
    auto checked = host::check(archive->source, archive->form, rules, options.rules, how);
    if (!checked.ok()) return complain(checked.error());
    status = report_statistics(archive->source, checked.value().statistics);
    if (status == kNothing) return status;
    all = std::max(all, status);
    traces.push_back({file, std::move(checked.value())});
  }
  return all;
}

}  // namespace

host::Status write_junit(const std::string& path, const std::vector<host::CheckedTrace>& traces,
                         const std::string& rules, bool allow_unknown) {
  auto file = host::OutputFile::create(path);
  if (!file.ok()) return file.error();
  host::StringOutput out;
  host::print_verdicts_junit(out, traces, rules, allow_unknown);
  const std::string text = out.take();
  const host::Status status =
      file.value()->write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  return status.ok() ? file.value()->commit() : status;
}

bool keeps_rules(const std::vector<host::CheckedTrace>& traces, bool allow_unknown) {
  for (const host::CheckedTrace& trace : traces) {
    for (const host::RuleVerdict& verdict : trace.checked.verdicts) {
      const bool is_unknown = verdict.outcome == host::RuleOutcome::kUnknown;
      if (verdict.outcome == host::RuleOutcome::kViolated || (is_unknown && !allow_unknown))
        return false;
    }
  }
  return true;
}

namespace {

int check(const CheckVerb& options) {
  if (!options.explained.empty()) return explain_rule(options.explained);
  if (options.rules.empty() || options.files.empty())
    return complain(host::Error{"needs a file of rules and a trace", "check",
                                "barefxt check RULES FILE, or --explain RULE"});
  std::vector<std::string> inputs = options.inputs();
  inputs.push_back(options.rules);
  if (const host::Status status = check_named_once(inputs, {&options.junit, 1}); !status.ok())
    return complain(status.error());
  const auto selection = options.selection.selection();
  if (!selection.ok()) return complain(selection.error());
  const auto rules = read_rules(options.rules);
  if (!rules.ok()) return complain(rules.error());
  host::CheckOptions how;
  how.selection = selection.value();
  std::vector<host::CheckedTrace> traces;
  int status = check_files(options, rules.value(), how, traces);
  if (traces.size() < options.files.size()) return status;
  host::DescriptorOutput out(STDOUT_FILENO);
  if (options.json)
    host::print_verdicts_json(out, traces, options.rules);
  else
    host::print_verdicts(out, traces, options.rules, look_of_output(kFileWidth));
  status = finish_output(out, status);
  if (status == kUsage) return status;
  if (!options.junit.empty())
    if (const host::Status written =
            write_junit(options.junit, traces, options.rules, options.allow_unknown);
        !written.ok())
      return complain(written.error());
  return keeps_rules(traces, options.allow_unknown) ? status : kFindings;
}

}  // namespace

void add_check(CommandLine& command) {
  const Verb verb = command.add_verb("check", "Hold traces to rules of your own, one a line");
  auto options = std::make_shared<CheckVerb>();
  verb.option("RULES", options->rules,
              "The rules, such as: after irq \"uart\" within 50us thread \"rx\" runs");
  options->add_to(verb, ArchiveOptions::Needed::kOptional);
  verb.option("--explain", options->explained, "Say in words what this rule means, and do no more")
      .placeholder("RULE");
  verb.flag("--json", options->json, "One JSON object, for programs");
  verb.option("--junit", options->junit, "The verdict on each rule, as JUnit XML")
      .placeholder("FILE");
  verb.flag("--allow-unknown", options->allow_unknown,
            "Do not fail for rules that this trace cannot judge");
  options->selection.add_to(verb);
  verb.footer(
      "Each FILE is a trace by itself. Exit status: 0 all rules hold, 1 one is violated or "
      "unknown, 2 wrong rules or options; otherwise as `barefxt --help` has it.\n"
      "Examples:\n"
      "  barefxt check rules.txt trace.fxt --junit results.xml\n"
      "  barefxt check --explain 'every 10ms +-200us slice \"control\"'");
  verb.run([options] { return check(*options); });
}

}  // namespace barefxt::cli
