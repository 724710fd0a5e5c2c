// Explanations equal what a simulated system did, tick by tick. If records are lost, each tick is
// explained rightly or unknown.
#include <gtest/gtest.h>

#include "build_kind.h"
#include "slow_evaluator.h"
#include "stats/summing.h"

namespace barefxt::test::partition_property_test {
namespace {

using namespace explaining;

host::Explained explained(const std::string& archive, const host::ExplainOptions& options) {
  host::Source source = host::Source::of(as_bytes(archive), "in memory");
  host::Result<host::Explained> result = host::explain(source, host::Form{}, options);
  EXPECT_TRUE(result.ok());
  return std::move(result.value());
}

// Everything that can be asked for of these threads.
std::vector<host::Explanation> all_cases(const std::string& archive) {
  std::vector<host::Explanation> all;
  const auto add = [&](host::ExplainOptions options) {
    options.worst = host::ExplainOptions::kMaxCases;
    host::Explained some = explained(archive, options);
    for (host::Explanation& one : some.cases) all.push_back(std::move(one));
  };
  add({.selection = {.threads = {"*"}}});
  add({.lock = "*"});
  add({.slice = "slice"});
  for (const double tick : {40.0, 90.0, 200.0, 400.0})
    add({.selection = {.threads = {"*"}}, .at = host::TimeBound{true, tick}});
  return all;
}

struct Counts {
  uint64_t ticks = 0;
  uint64_t unknown = 0;
  uint64_t cases = 0;
  std::map<std::string, uint64_t> kinds;
};

// Every tick of every case. `may_be_unknown`: what the trace leaves open.
void check(const System& system, const std::vector<host::Explanation>& cases, bool is_whole,
           Counts& counts) {
  const SlowEvaluator evaluator(system);
  for (const host::Explanation& one : cases) {
    uint64_t sum = 0;
    for (const host::Part& part : one.parts) sum += part.ticks;
    ASSERT_EQ(sum, one.length());
    const bool is_first_latency = one.begin < system.warm && system.options.cpus == 1 &&
                                  one.begin >= system.settled &&
                                  one.kind == host::CaseKind::kLatency;
    if ((one.begin < system.warm && !is_first_latency) || one.stretches_left_out > 0) continue;
    ++counts.cases;
    uint64_t time = one.begin;
    for (const host::CauseStretch& stretch : one.stretches) {
      ASSERT_EQ(stretch.begin, time);
      const host::Cause& cause = one.parts[stretch.part].cause;
      const std::string found = shown(cause);
      for (; time < stretch.end; ++time) {
        std::string right = evaluator.cause(one.thread, time);
        ++counts.ticks;
        ++counts.kinds[std::string(host::name_of(cause.kind))];
        if (cause.kind == host::CauseKind::kUnknown) {
          ++counts.unknown;
          if (!is_whole || right == "unknown" || time >= system.cool) continue;
        }
        // Which of two threads has the higher priority may stay open.
        const bool may_be_open =
            !is_whole || system.options.priorities_change || one.end >= system.cool;
        if (may_be_open && cause.kind == host::CauseKind::kOther) {
          const size_t at = right.find(':');
          right = "other" + right.substr(at == std::string::npos ? 0 : at);
          if (const size_t end = right.find(" inversion"); end != std::string::npos)
            right.erase(end, std::string(" inversion").size());
        }
        // How long its interrupts are in the mean is another number without those that are lost.
        if (!is_whole && cause.kind == host::CauseKind::kInterrupt && right.starts_with("stall"))
          right.replace(0, 5, "interrupt");
        if (!is_whole && cause.kind == host::CauseKind::kStall && right.starts_with("interrupt"))
          right.replace(0, 9, "stall");
        // It stays open, too, whether a holder of no known priority is between two others.
        if (may_be_open && right != found && right.find(" inversion") != std::string::npos)
          right.erase(right.find(" inversion"), std::string(" inversion").size());
        ASSERT_EQ(found, right) << "thread " << one.thread << " at " << time << " of "
                                << host::name_of(one.kind) << " " << one.begin << " to " << one.end;
      }
    }
    ASSERT_EQ(time, one.end);
  }
}

SystemOptions options_of(uint32_t seed) {
  return {.seed = seed,
          .cpus = 1 + seed % kMaxCpus,
          .steps = 300,
          .complete_interrupts = seed / 3 % 2 == 1,
          .priorities_change = seed / 6 % 2 == 1,
          .records_wakers = seed / 12 % 2 == 1};
}

// Each of the three counts of losses has so many.
const uint32_t kSeeds = is_full_run() ? 4'000 : kSanitized ? 12 : 150;

TEST(Partition, EqualsWhatTheSystemDidTickByTick) {
  Counts counts;
  for (uint32_t seed = 0; seed < kSeeds && !HasFatalFailure(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const System system = simulate(options_of(seed));
    check(system, all_cases(archive_of(system.options, system.records)), true, counts);
  }
  for (const auto& [kind, ticks] : counts.kinds)
    std::printf("%s %llu\n", kind.c_str(), static_cast<unsigned long long>(ticks));
}

TEST(Partition, IsRightOrUnknownWhereRecordsAreLost) {
  uint64_t unknown_before = 0;
  for (const unsigned runs : {1U, 4U, 16U}) {
    Counts counts;
    for (uint32_t seed = 0; seed < kSeeds && !HasFatalFailure(); ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", " + std::to_string(runs) + " losses");
      const System system = simulate(options_of(seed));
      const std::vector<Record> kept = with_losses(system, seed + 1, runs);
      check(system, all_cases(archive_of(system.options, kept)), false, counts);
    }
    const uint64_t unknown = counts.ticks == 0 ? 0 : 1000 * counts.unknown / counts.ticks;
    EXPECT_GT(unknown, unknown_before);
    EXPECT_LT(unknown, 1000U);
    unknown_before = unknown;
    std::printf("%u losses: %llu of 1000 ticks unknown\n", runs,
                static_cast<unsigned long long>(unknown));
  }
}

}  // namespace
}  // namespace barefxt::test::partition_property_test
