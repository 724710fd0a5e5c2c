// Small traces for rules: what happened when, as a list and as an archive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <barefxt/host/check.h>

namespace barefxt::test::checking {

// Threads t0, t1, ..., and idle; pseudo-threads of CPUs; names n0, n1, ...; locks l0, l1, ...
inline constexpr uint64_t kFirstThread = 100;
inline constexpr uint64_t kIdleThread = 50;  // and one more for each CPU
inline constexpr uint64_t kFirstCpu = 200;
inline constexpr uint64_t kFirstLock = 900;
inline constexpr unsigned kCpus = 2;
inline constexpr unsigned kThreads = 3;
inline constexpr unsigned kNames = 3;
inline constexpr unsigned kLocks = 2;

struct Rec {
  enum Kind : uint8_t {  // unscoped: Rec::kSwitch names it
    kSwitch,
    kWakeup,
    kInstant,
    kBegin,
    kEnd,
    kComplete,
    kFlowBegin,
    kFlowEnd,
    kHold,
    kRelease,
    kCounter,
    kStack,      // a mark of the stack of `other`
    kStackUsed,  // the other argument of one
    kLoss,
  };
  Kind kind;
  uint64_t time;
  uint64_t thread = kFirstThread;  // of a switch: outgoing
  uint64_t other = 0;              // of a switch: incoming; begin of kComplete and kLoss; flow's id
  unsigned cpu = 0;
  unsigned number = 0;  // of the name or the lock
  int64_t value = 0;
};

// Records in order of time.
class RuleTrace {
 public:
  RuleTrace& add(const Rec& record) {
    records_.push_back(record);
    return *this;
  }
  std::vector<Rec>& records() { return records_; }
  const std::vector<Rec>& records() const { return records_; }
  std::string archive() const;

 private:
  std::vector<Rec> records_;
};

std::string thread_name(uint64_t koid);

// `ticks_per_second` is 1e9, so that a tick is 1 ns.
host::Checked checked(const RuleTrace& trace, const std::vector<host::TraceRule>& rules,
                      const host::CheckOptions& options = {});
std::vector<host::TraceRule> rules_of(const std::string& text);
// The verdict on one rule.
host::RuleVerdict verdict_on(const RuleTrace& trace, const std::string& rule);

}  // namespace barefxt::test::checking
