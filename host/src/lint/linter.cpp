// Runs every check over every record.
#include <barefxt/host/lint.h>

#include "checks.h"

namespace barefxt::host {

Linter::Linter(Form form, std::function<void(const Finding&)> sink)
    : form_(form), findings_(std::move(sink)) {
  checks_.push_back(make_format_check());
  checks_.push_back(make_argument_check());
  checks_.push_back(make_prologue_check());
  checks_.push_back(make_viewer_check());
  checks_.push_back(make_object_check());
  checks_.push_back(make_scheduling_check());
  checks_.push_back(make_timeline_check());
  checks_.push_back(make_heap_check());
}

void Linter::see(const Record& record, const ProviderState& provider) {
  const LintContext context{form_, provider, findings_};
  for (const auto& check : checks_) check->see(record, context);
}

void Linter::finish() {
  for (const auto& check : checks_) check->finish(findings_);
}

}  // namespace barefxt::host
