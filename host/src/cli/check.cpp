// barefxt check: holds traces to rules of the user's own.
#include <algorithm>
#include <memory>
#include <unistd.h>

#include <barefxt/host/check.h>

#include "archive_input.h"
#include "messages.h"
#include "rows_output.h"
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
  RowsOptions rows;
};

int explain_rule(const std::string& text) {
  const auto rules = host::parse_rules(text, "--explain");
  if (!rules.ok()) return complain(rules.error());
  host::DescriptorOutput out(STDOUT_FILENO);
  for (const host::TraceRule& rule : rules.value()) out.text(in_words(rule) + "\n");
  return finish_output(out, kDone);
}

// Nothing: it cannot be read, as the exit status has it.
std::optional<host::Checked> check_file(const CheckVerb& options, Archive& archive,
                                        const std::vector<host::TraceRule>& rules,
                                        const host::CheckOptions& how, int& status) {
  auto checked = host::check(archive.source, archive.form, rules, options.rules, how);
  status = checked.ok() ? report_statistics(archive.source, checked.value().statistics)
                        : complain(checked.error());
  if (!checked.ok() || status == kNothing) return std::nullopt;
  return std::move(checked.value());
}

int check_into_rows(const CheckVerb& options, const std::vector<host::TraceRule>& rules,
                    const host::CheckOptions& how) {
  const auto judge = [&](Archive& archive, host::TraceRows& rows) {
    int status = kDone;
    const std::optional<host::Checked> checked = check_file(options, archive, rules, how, status);
    if (!checked) return status;
    identify(rows, archive, checked->statistics);
    host::add_verdicts(rows, rules, &*checked);
    return keeps_rules(*checked, options.allow_unknown) ? status : int{kFindings};
  };
  return options.rows.write(options, host::verdict_columns(), judge, [&](host::TraceRows& rows) {
    host::add_verdicts(rows, rules, nullptr);
  });
}

int check(CheckVerb options) {
  if (!options.explained.empty()) return explain_rule(options.explained);
  if (options.rules.empty() || options.files.empty())
    return complain(host::Error{"needs a file of rules and a trace", "check",
                                "barefxt check RULES FILE, or --explain RULE"});
  if (host::Status status = options.rows.take_apart(options.selection); !status.ok())
    return complain(status.error());
  if (host::Status status =
          options.rows.check_alone({{"--json", options.json}, {"--junit", !options.junit.empty()}});
      !status.ok())
    return complain(status.error());
  std::vector<std::string> inputs = options.inputs();
  inputs.push_back(options.rules);
  const std::string outputs[] = {options.junit, options.rows.output()};
  if (const host::Status status = check_named_once(inputs, outputs); !status.ok())
    return complain(status.error());
  const auto selection = options.selection.selection();
  if (!selection.ok()) return complain(selection.error());
  const auto rules = read_rules(options.rules);
  if (!rules.ok()) return complain(rules.error());
  host::CheckOptions how;
  how.selection = selection.value();
  if (options.rows.is_wanted()) return check_into_rows(options, rules.value(), how);
  std::vector<host::CheckedTrace> traces;
  int status = for_each_archive(options, [&](const std::string& file, Archive& archive, int& one) {
    std::optional<host::Checked> checked = check_file(options, archive, rules.value(), how, one);
    if (checked) traces.push_back({file, std::move(*checked)});
    return checked.has_value();
  });
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
  const bool all_keep = std::ranges::all_of(traces, [&](const host::CheckedTrace& trace) {
    return keeps_rules(trace.checked, options.allow_unknown);
  });
  return all_keep ? status : kFindings;
}

}  // namespace

void add_check(CommandLine& command) {
  const Verb verb = command.add_verb("check", "Hold traces to rules of your own, one a line");
  auto options = std::make_shared<CheckVerb>();
  verb.option(
      "RULES", options->rules,
      "The rules, such as: after irq \"uart\" within 50us thread \"rx\" runs (required without "
      "--explain)");
  options->add_to(verb, ArchiveOptions::Files::kAreTracesOrExplain);
  verb.option("--explain", options->explained, "Say in words what this rule means, and do no more")
      .placeholder("RULE");
  verb.flag("--json", options->json, "One JSON object, for programs");
  verb.option("--junit", options->junit, "The verdict on each rule, as JUnit XML")
      .placeholder("FILE");
  verb.flag("--allow-unknown", options->allow_unknown,
            "Do not fail for rules that this trace cannot judge");
  options->rows.add_to(verb, options->selection);
  verb.footer(
      "Each FILE is a trace by itself. Exit status: 0 all rules hold, 1 one is violated or "
      "unknown, 2 wrong rules or options; otherwise as `barefxt --help` has it.\n\n"
      "Examples:\n"
      "  barefxt check rules.txt trace.fxt --junit results.xml\n"
      "  barefxt check rules.txt traces/*.fxt --to parquet -o verdicts.parquet --jobs 8\n"
      "  barefxt check --explain 'every 10ms +-200us slice \"control\"'");
  verb.run([options] { return check(*options); });
}

}  // namespace barefxt::cli
