// Something that may last at the moment: a thread runs, a lock is held, a duration is open.
//
// Invariants: kYes only if records show it and nothing that was lost since may have ended it.
// kUnseen: no record since the trace's begin shows it either way. After a loss it is never kNo.
#pragma once

#include <unordered_map>
#include <vector>

#include <barefxt/host/check.h>

namespace barefxt::host {

class Evaluator;

inline bool is_duration(RuleStateKind kind) {
  return kind == RuleStateKind::kSlice || kind == RuleStateKind::kIrq;
}

enum class Lasting : uint8_t { kNo, kYes, kUnknown, kUnseen };

class StateTracker {
 public:
  explicit StateTracker(RuleState what) : what_(std::move(what)) {}

  const RuleState& what() const { return what_; }
  const std::string& pattern() const { return what_.name; }
  std::vector<Evaluator*>& users() { return users_; }

  // For threads that run: how many CPUs run one, and how many run nobody knows whom.
  void run(int more) { running_ += more; }
  Lasting value(uint64_t unknown_cpus) const {
    if (what_.kind == RuleStateKind::kRuns) {
      if (running_ > 0) return Lasting::kYes;
      return unknown_cpus > 0 ? Lasting::kUnknown : Lasting::kNo;
    }
    return open_ > 0 ? Lasting::kYes : base_;
  }

  // For durations and locks. False if there are more than kMaxRuleInstances.
  bool begin(uint64_t a, uint64_t b, bool is_losing) {
    if (is_losing) return true;
    see();
    if (depths_.size() == kMaxRuleInstances && !depths_.contains({a, b})) return false;
    ++depths_[{a, b}];
    ++open_;
    return true;
  }
  // `all`: however often it began. Else it began at `begun`, which a loss may have hidden.
  void end(uint64_t a, uint64_t b, uint64_t begun, bool is_losing, bool all) {
    if (is_losing) return;
    see();
    if (!all && begun < counts_from_) return;
    const auto found = depths_.find({a, b});
    if (found == depths_.end()) return;
    const uint64_t ended = all ? found->second : 1;
    open_ -= ended;
    found->second -= ended;
    if (found->second == 0) depths_.erase(found);
  }
  void lose() {
    depths_.clear();
    open_ = 0;
    base_ = Lasting::kUnknown;
  }
  void regain(uint64_t time) { counts_from_ = time; }

 private:
  // Once records were lost, another of the name may be open.
  void see() {
    if (base_ == Lasting::kUnseen) base_ = Lasting::kNo;
  }

  struct Key {
    uint64_t a;
    uint64_t b;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    size_t operator()(const Key& key) const {
      return (key.a * 0x9E3779B97F4A7C15U ^ key.b) * 0x9E3779B97F4A7C15U >> 16;
    }
  };

  RuleState what_;
  std::vector<Evaluator*> users_;
  int running_ = 0;
  uint64_t open_ = 0;
  uint64_t counts_from_ = 0;  // the end of the last loss
  Lasting base_ = Lasting::kUnseen;
  std::unordered_map<Key, uint64_t, Hash> depths_;
};

}  // namespace barefxt::host
