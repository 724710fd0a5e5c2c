#include "rule_verdicts.h"

#include <algorithm>
#include <fstream>

#include <barefxt/host/output_file.h>

namespace barefxt::cli {

host::Result<std::vector<host::TraceRule>> read_rules(const std::string& file) {
  std::ifstream stream(file);
  std::string text;
  char piece[4096];
  while (text.size() < host::kMaxRuleBytes && stream) {
    stream.read(piece, sizeof piece);
    text.append(piece, static_cast<size_t>(stream.gcount()));
  }
  if (!stream.is_open() || stream.bad()) return host::Error{"cannot read these rules", file, ""};
  if (text.size() >= host::kMaxRuleBytes)
    return host::Error{"is too long for a file of rules", file, "4 MiB is the most"};
  return host::parse_rules(text, file);
}

host::Status write_junit(const std::string& path, const std::vector<host::CheckedTrace>& traces,
                         const std::string& rules, bool allow_unknown) {
  host::StringOutput out;
  host::print_verdicts_junit(out, traces, rules, allow_unknown);
  return host::write_file(path, out.take());
}

bool keeps_rules(const host::Checked& checked, bool allow_unknown) {
  return std::ranges::none_of(checked.verdicts, [&](const host::RuleVerdict& verdict) {
    const bool is_unknown = verdict.outcome == host::RuleOutcome::kUnknown;
    return verdict.outcome == host::RuleOutcome::kViolated || (is_unknown && !allow_unknown);
  });
}

}  // namespace barefxt::cli
