// Statistics of calls of functions equal a count tick by tick.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "summing.h"

namespace barefxt::test::functions_property_test {
namespace {

using Choices = std::vector<uint32_t>;

constexpr uint64_t kFirst = 1000;
constexpr uint64_t kThreads = 3;

std::string letter(unsigned number) { return {static_cast<char>('f' + number)}; }

// Threads call functions, up to a depth, and have other durations within them, recorded as begin
// and end or as complete. Each tick of a thread is its innermost call's own.
class CallingProgram {
 public:
  struct Call {
    uint64_t begin;
    uint64_t end;
    uint64_t self;
  };

  explicit CallingProgram(const Choices& choices) {
    for (const uint32_t choice : choices) {
      const uint64_t thread = choice % kThreads;
      act(thread, choice / 4 % 8, choice / 32 % 4);
      tick(choice / 128 % 4);  // 0, too: several things at one tick
    }
    for (uint64_t thread = 0; thread < kThreads; ++thread) {
      while (!stacks_[thread].empty()) close(thread);
      tick(1);
    }
  }
  std::string archive() { return writer_.text(); }
  std::map<std::string, std::vector<Call>> calls;

 private:
  struct Open {
    unsigned name;
    uint64_t begin;
    uint64_t self;
    bool call;
    bool complete;
  };

  void tick(unsigned count) {
    now_ += count;
    for (auto& [thread, stack] : stacks_) {
      const auto innermost =
          std::find_if(stack.rbegin(), stack.rend(), [](const Open& one) { return one.call; });
      if (innermost != stack.rend()) innermost->self += count;
    }
  }

  void act(uint64_t thread, unsigned what, unsigned name) {
    std::vector<Open>& stack = stacks_[thread];
    constexpr size_t kDeepest = 12;
    if (what == 0) {
      // A leaf that is called over and over: more calls than are kept one by one.
      for (unsigned i = 0; i < 40 * (name + 1); ++i) {
        open(thread, {name, now_, 0, true, false});
        tick(1);
        close(thread);
      }
    } else if (what < 4 && stack.size() < kDeepest) {
      open(thread, {name, now_, 0, true, false});
    } else if (what == 4 && stack.size() < kDeepest) {
      open(thread, {name, now_, 0, false, name % 2 == 0});
    } else if (!stack.empty()) {
      close(thread);
    }
  }

  void open(uint64_t thread, const Open& what) {
    if (!what.complete) event(fxt::EventType::kDurationBegin, thread, what, now_, 0);
    stacks_[thread].push_back(what);
  }

  void close(uint64_t thread) {
    const Open open = stacks_[thread].back();
    stacks_[thread].pop_back();
    if (open.call) calls[letter(open.name)].push_back({open.begin, now_, open.self});
    if (open.complete) {
      event(fxt::EventType::kDurationComplete, thread, open, open.begin, now_);
    } else {
      event(fxt::EventType::kDurationEnd, thread, open, now_, 0);
    }
  }

  void event(fxt::EventType type, uint64_t thread, const Open& what, uint64_t time,
             uint64_t trailing) {
    add_event(writer_, type, time, {0, 1, 2 + thread}, what.call ? "function" : "probe",
              letter(what.name), trailing);
  }

  MemoryArchive writer_{1000};
  uint64_t now_ = kFirst;
  std::map<uint64_t, std::vector<Open>> stacks_;
};

// By nearest rank, of all lengths in order.
uint64_t percentile(const std::vector<uint64_t>& sorted, uint64_t of_hundred) {
  const uint64_t rank = (sorted.size() * of_hundred + 99) / 100;
  return sorted[std::max<uint64_t>(rank, 1) - 1];
}

RC_GTEST_PROP(FunctionStatistics, CallsAreTheTicksWithinThem, (const Choices& choices)) {
  CallingProgram program(choices);
  host::StatisticsOptions exact;
  exact.precision = host::Precision::kExact;
  const host::Statistics reported = statistics_in(program.archive(), exact);
  RC_ASSERT(reported.functions.size() == program.calls.size());
  for (const auto& [name, calls] : program.calls) {
    std::vector<uint64_t> lengths;
    uint64_t total = 0;
    uint64_t self = 0;
    for (const CallingProgram::Call& one : calls) {
      lengths.push_back(one.end - one.begin);
      total += lengths.back();
      self += one.self;
    }
    std::sort(lengths.begin(), lengths.end());
    const host::DurationStatistics& one = reported.functions.at(name);
    RC_ASSERT(one.total.count() == calls.size());
    RC_ASSERT(one.total.total() == total);
    RC_ASSERT(one.total.shortest() == lengths.front());
    RC_ASSERT(one.total.longest() == lengths.back());
    RC_ASSERT(one.total.quantile(500) == percentile(lengths, 50));
    RC_ASSERT(one.total.quantile(990) == percentile(lengths, 99));
    RC_ASSERT(one.self_count == calls.size());
    RC_ASSERT(one.self == self);
    RC_ASSERT(one.in_doubt == 0U);
    RC_ASSERT(one.unended == 0U);
  }
  for (const auto& [label, duration] : reported.durations) RC_ASSERT(label.category == "probe");
}

// Begins and ends of one thread, a letter each: "f" begins, "F" ends, any other character is a tick
// in which records of CPU 1 are lost ("x") or nothing happens.
host::Statistics of_calls(const std::string& calls, const char* category = "function") {
  MemoryArchive writer(1000);
  uint64_t now = kFirst;
  const auto event = [&](fxt::EventType type, uint64_t thread, const char* in,
                         const std::string& name, uint64_t end) {
    add_event(writer, type, now, {0, 1, thread}, in, name, end);
  };
  for (const char c : calls) {
    if (c >= 'a' && c <= 'h') {
      event(fxt::EventType::kDurationBegin, 7, category, {c}, 0);
    } else if (c >= 'A' && c <= 'H') {
      event(fxt::EventType::kDurationEnd, 7, category, {static_cast<char>(c - 'A' + 'a')}, 0);
    } else {
      if (c == 'x') event(fxt::EventType::kDurationComplete, 8, "barefxt", "drop_stats", now + 1);
      ++now;
    }
  }
  return statistics_in(writer.text());
}

TEST(FunctionStatistics, RecursiveCallsAreEachCounted) {
  const host::Statistics all = of_calls("a.a..A...A");
  const host::DurationStatistics& one = all.functions.at("a");
  EXPECT_EQ(one.total.count(), 2U);
  EXPECT_EQ(one.total.total(), 6U + 2U);
  EXPECT_EQ(one.self, 6U);
}

TEST(FunctionStatistics, CallsAcrossALossAreInDoubtAndThoseWithoutAnEndAreCounted) {
  const host::Statistics all = of_calls("a.b.x.B.b..B.c.d.CB.A.e.f.E.g");
  EXPECT_EQ(all.functions.at("a").in_doubt, 1U);
  EXPECT_EQ(all.functions.at("a").total.count(), 0U);
  EXPECT_EQ(all.functions.at("b").in_doubt, 1U);
  EXPECT_EQ(all.functions.at("b").total.total(), 2U);
  EXPECT_EQ(all.functions.at("c").total.total(), 2U);
  EXPECT_EQ(all.functions.at("d").unended, 1U);  // c ended around it
  EXPECT_EQ(all.functions.at("f").unended, 1U);
  EXPECT_EQ(all.functions.at("g").unended, 1U);
  EXPECT_EQ(all.unmatched_begins, 3U);
  EXPECT_EQ(all.unmatched_ends, 1U);  // the second B behind c
}

// Joining many durations must not change the durations around them.
TEST(FunctionStatistics, SelfTimeIsExactHoweverManyAreWithin) {
  std::string calls = "a..";
  for (int i = 0; i < 10; ++i) calls += "b.B.";
  calls += "c.";
  for (int i = 0; i < 1000; ++i) calls += "b.B";
  calls += "C..A";
  for (const char* category : {"function", "probe"}) {
    const host::Statistics all = of_calls(calls, category);
    const auto of = [&](const char* name) -> const host::DurationStatistics& {
      return std::string(category) == "function" ? all.functions.at(name)
                                                 : all.durations.at({"probe", name});
    };
    EXPECT_EQ(of("a").self_count, 1U) << category;
    EXPECT_EQ(of("a").self, 2U + 10U + 2U) << category;
    EXPECT_EQ(of("c").self_count, 1U) << category;
    EXPECT_EQ(of("c").self, 1U) << category;
    EXPECT_EQ(of("b").self, 1010U) << category;
  }
}

}  // namespace
}  // namespace barefxt::test::functions_property_test
