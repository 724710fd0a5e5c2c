// Finds faults in an archive, and records that a viewer would drop or distort.
//
// Invariants: findings about one record come in file order; findings about how records relate (open
// slices, flows) come at the end. Memory is bounded: beyond a limit such relations go unchecked and
// the rule "limit" reports it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <barefxt/host/reader.h>

namespace barefxt::host {

enum class Severity : uint8_t {
  kWarning,  // makes the exit status 1
  kNote,     // good to know
};

struct Rule {
  std::string_view name;  // stable: scripts filter by it
  Severity severity;
  std::string_view text;  // one line for the documentation
};

// Every rule there is, sorted by name.
std::span<const Rule> lint_rules();
const Rule& lint_rule(std::string_view name);

struct Finding {
  uint64_t offset;
  const Rule* rule;
  std::string text;
};

// Collects the findings of the checks.
class Findings {
 public:
  explicit Findings(std::function<void(const Finding&)> sink) : sink_(std::move(sink)) {}
  void add(uint64_t offset, std::string_view rule, std::string text) {
    sink_({offset, &lint_rule(rule), std::move(text)});
  }

 private:
  std::function<void(const Finding&)> sink_;
};

struct LintContext {
  Form form;
  const ProviderState& provider;
  Findings& findings;
};

// One concern. Sees all records in file order, then the end.
class LintCheck {
 public:
  LintCheck() = default;
  LintCheck(const LintCheck&) = delete;
  LintCheck& operator=(const LintCheck&) = delete;
  virtual ~LintCheck() = default;
  virtual void see(const Record& record, const LintContext& context) = 0;
  virtual void finish(Findings&) {}
};

class Linter {
 public:
  Linter(Form form, std::function<void(const Finding&)> sink);
  void see(const Record& record, const ProviderState& provider);
  void finish();

 private:
  Form form_;
  Findings findings_;
  std::vector<std::unique_ptr<LintCheck>> checks_;
};

}  // namespace barefxt::host
