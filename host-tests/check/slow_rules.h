// Rules by their definition: the whole trace in memory, and each quantifier a loop. Slow, and made
// of nothing that the streaming evaluators are made of.
//
// It knows traces of rule_trace.h: records in order of time, the first and the last an instant that
// is alone at its tick.
#pragma once

#include <map>
#include <tuple>

#include "rule_trace.h"

namespace barefxt::test::checking {

struct SlowVerdict {
  host::RuleOutcome outcome = host::RuleOutcome::kHolds;
  uint64_t kept = 0;
  uint64_t violated = 0;
  uint64_t unknown = 0;
  uint64_t left_out = 0;
};

class SlowRules {
 public:
  explicit SlowRules(const RuleTrace& trace);
  SlowVerdict verdict(const host::TraceRule& rule) const;

 private:
  // A place in the order of records; the begin of a complete duration has its record's index.
  struct At {
    uint64_t time;
    size_t index;
    int part;
    auto operator<=>(const At&) const = default;
  };
  static constexpr size_t kTickEnd = ~size_t{0};

  struct Event {
    At at;
    host::RuleEventKind kind;  // kNamed: an instant
    uint64_t thread;
    unsigned number;
  };
  struct Duration {
    At begin;
    At end;
    uint64_t thread;
    unsigned number;
    bool is_missing;  // its end
    bool is_open;
    bool is_in_doubt;
  };
  struct Loss {
    uint64_t begin;
    uint64_t end;
    unsigned cpu;
  };
  enum class Value : uint8_t { kNo, kYes, kUnknown, kUnseen };
  enum class In : uint8_t { kNo, kYes, kMaybe };
  struct Windows;

  SlowVerdict judge(const host::TraceRule& rule) const;
  void find_durations();
  void hide_doubtful_ends(const host::TraceRule& rule);
  bool has_loss(uint64_t begin, uint64_t end) const;  // begin < some loss's end, and so on
  bool has_loss_until(uint64_t begin, uint64_t deadline) const;
  bool is_losing(uint64_t time) const;
  std::vector<Event> events(const host::RuleEvent& what) const;
  Value runs(const std::string& pattern, uint64_t tick) const;
  Value lasts(const host::RuleState& what, uint64_t tick) const;
  Value state(const host::RuleState& what, uint64_t tick) const;
  In window(const host::TraceRule& rule, const At& at) const;
  bool hides(const host::TraceRule& rule) const;
  bool has_kind(const host::TraceRule& rule) const;

  void after(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void respond(const host::TraceRule& rule, size_t stage, const At& at, In in,
               SlowVerdict& verdict) const;
  void never(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void never_state(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void every(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void on_grid(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void done(const host::TraceRule& rule, SlowVerdict& verdict) const;
  static bool is_of(const host::RuleEvent& what, const Duration& one);
  void lengths(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void between(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void counter(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void flow(const host::TraceRule& rule, SlowVerdict& verdict) const;
  void order(const host::TraceRule& rule, SlowVerdict& verdict) const;
  static void violate(In in, SlowVerdict& verdict) {
    ++(in == In::kMaybe ? verdict.unknown : verdict.violated);
  }

  const std::vector<Rec>& records_;
  std::vector<Event> events_;
  std::vector<Duration> durations_;
  std::vector<Loss> losses_;
  std::vector<Event> doubtful_;  // ends of durations that may have ended otherwise
  std::vector<Loss> unbegun_;    // the ticks of ends whose begin may be lost
  std::vector<Loss> hidden_;     // losses_, and the ticks of doubtful ends that the rule is about
  uint64_t first_ = 0;
  uint64_t last_ = 0;
};

}  // namespace barefxt::test::checking
