#include "capture_check.h"

#include <algorithm>
#include <unistd.h>
#include <utility>

#include "archive_input.h"
#include "messages.h"
#include "rule_verdicts.h"
#include "terminal.h"

namespace barefxt::cli {

void CaptureCheckOptions::add_to(const Verb& verb) {
  verb.option("--check", rules, "End at the first violation of these rules, and print the verdicts")
      .placeholder("RULES");
  verb.option("--junit", junit, "With --check: the verdict on each rule, as JUnit XML")
      .placeholder("FILE");
  verb.flag("--allow-unknown", allow_unknown,
            "With --check: do not fail for rules that this trace cannot judge");
}

host::Status CaptureCheck::begin(host::Rebuild& rebuild) {
  if (!options_.is_wanted()) {
    if (options_.junit.empty() && !options_.allow_unknown) return {};
    return host::Error{"there are no rules", options_.junit.empty() ? "--allow-unknown" : "--junit",
                       "name their file with --check"};
  }
  auto rules = read_rules(options_.rules);
  if (!rules.ok()) return rules.error();
  rules_ = std::move(rules.value());
  arriving_.emplace(rebuild, rules_);
  return {};
}

bool CaptureCheck::has_ended(const std::string& line) {
  if (!arriving_) return false;
  const host::TraceRule* const violated = arriving_->advance();
  if (arriving_->is_blind() && !std::exchange(has_called_it_blind_, true))
    say(line + ": another capture has times of this one, or its begin did not arrive: " +
        options_.rules + " is judged at the end alone");
  if (violated == nullptr) return false;
  const host::RuleCase first = arriving_->first_case();
  say(host::formatted("{}: ended at {:.9f} s, since {}:{} is violated: {}", line,
                      arriving_->seconds(first.end), options_.rules, violated->line, first.text));
  return true;
}

int CaptureCheck::judge(const CaptureOptions& capture, host::Rebuild& rebuild, int status) {
  if (!arriving_ || status == kUsage || status == kNothing) return status;
  const auto write = [&](host::ByteSink& sink) -> host::Status {
    const auto verdict = rebuild.write(sink, capture.byte_order);
    if (!verdict.ok()) return verdict.error();
    if (verdict.value() == host::RebuildVerdict::kNothing) status = kNothing;
    if (verdict.value() == host::RebuildVerdict::kIncomplete) status = kIncomplete;
    return {};
  };
  auto archive = capture.output.empty() ? host::Source::written("the capture", write)
                                        : host::Source::open(capture.output);
  if (!archive.ok()) return complain(archive.error());
  if (status == kNothing) return status;
  auto checked =
      host::check(archive.value(), {.byte_order = capture.byte_order}, rules_, options_.rules);
  if (!checked.ok()) return complain(checked.error());
  std::vector<host::CheckedTrace> traces;
  traces.push_back({archive.value().name(), std::move(checked.value())});
  host::DescriptorOutput out(STDOUT_FILENO);
  host::print_verdicts(out, traces, options_.rules, look_of_output(kFileWidth));
  status = finish_output(out, status);
  if (status == kUsage) return status;
  if (!options_.junit.empty())
    if (const host::Status written =
            write_junit(options_.junit, traces, options_.rules, options_.allow_unknown);
        !written.ok())
      return complain(written.error());
  return keeps_rules(traces[0].checked, options_.allow_unknown) ? status : int{kFindings};
}

}  // namespace barefxt::cli
