// The rules of `capture --check`: they end the capture at the first violation, and judge its
// archive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <barefxt/host/arriving_check.h>
#include <barefxt/host/source.h>

#include "capture_options.h"

namespace barefxt::cli {

struct CaptureCheckOptions {
  std::string rules;
  std::string junit;
  bool allow_unknown = false;

  bool is_wanted() const { return !rules.empty(); }
  void add_to(const Verb& verb);
};

class CaptureCheck {
 public:
  explicit CaptureCheck(const CaptureCheckOptions& options) : options_(options) {}

  // Does nothing without rules. Otherwise `rebuild` has its names by now.
  host::Status begin(host::Rebuild& rebuild);
  // Looks at what has come. Returns true if a rule is violated, and says so. Says once if no
  // violation can be found before the end.
  bool has_ended(const std::string& line);
  // Prints the verdicts on the archive: that of `capture`, or without one what `rebuild` writes.
  // `status`: of writing it. Returns the exit status.
  int judge(const CaptureOptions& capture, host::Rebuild& rebuild, int status);

 private:
  const CaptureCheckOptions& options_;
  std::vector<host::TraceRule> rules_;
  std::optional<host::ArrivingCheck> arriving_;
  bool has_called_it_blind_ = false;
};

}  // namespace barefxt::cli
