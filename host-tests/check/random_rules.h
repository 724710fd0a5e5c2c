// Random traces and rules for them.
#pragma once

#include <random>

#include "rule_trace.h"

namespace barefxt::test::checking {

class RandomRules {
 public:
  explicit RandomRules(uint64_t seed) : random_(seed) {}

  // `losses`: at most so many. Without complete durations, each record says what happens at its
  // time.
  RuleTrace trace(unsigned records, unsigned losses, bool has_completes = true);
  std::string rule();
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

 private:
  bool one_in(uint32_t count) { return below(count) == 0; }
  Rec record(uint64_t time);
  std::string name() { return one_in(12) ? "\"*\"" : "\"n" + std::to_string(below(kNames)) + '"'; }
  std::string thread() {
    return one_in(12) ? "\"t*\"" : "\"t" + std::to_string(below(kThreads)) + '"';
  }
  std::string lock() { return one_in(8) ? "\"l*\"" : "\"l" + std::to_string(below(kLocks)) + '"'; }
  std::string time(uint32_t most) { return std::to_string(1 + below(most)) + "ns"; }
  std::string event();
  std::string state();
  std::string comparison();
  std::string window();
  std::string form();

  std::mt19937_64 random_;
  bool has_completes_ = true;
  uint64_t running_[kCpus] = {};
  uint64_t flows_ = 0;
  std::vector<uint64_t> open_flows_;
};

}  // namespace barefxt::test::checking
