// Statistics of durations, counters and flows equal sums tick by tick.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "stretch.h"
#include "summing.h"

namespace barefxt::test::probe_property_test {
namespace {

using Choices = std::vector<uint32_t>;
using host::ArchiveArgument;

constexpr uint64_t kFirst = 1000;
constexpr uint64_t kThreads = 2;

std::string letter(unsigned number) { return {static_cast<char>('a' + number)}; }

// Threads open and close durations, recorded as begin and end or as complete, count, and send
// flows; each tick is written down.
class Program {
 public:
  explicit Program(const Choices& choices) {
    event(fxt::EventType::kInstant, "start", now_, 0);
    for (const uint32_t choice : choices) {
      thread_ = choice / 128 % kThreads;
      act(choice % 8, choice / 8 % 4);
      tick(choice / 32 % 4);  // 0, too: several things at one tick
    }
    for (thread_ = 0; thread_ < kThreads; ++thread_) {
      while (!open_[thread_].empty()) {
        tick(1);
        close();
      }
    }
    tick(1);
    event(fxt::EventType::kInstant, "stop", now_, 0);
  }
  std::string archive() { return writer_.text(); }

  struct Ended {
    unsigned name;
    uint64_t begin;
    uint64_t end;
    uint64_t self;
    uint64_t thread;
  };
  std::vector<Ended> durations;
  struct Value {
    uint64_t tick;
    double value;
  };
  struct Flow {
    unsigned name;  // that it began with
    uint64_t begin;
    uint64_t end;
  };
  std::map<unsigned, std::vector<Value>> values;   // of each counter, tick by tick
  std::map<unsigned, std::vector<Value>> samples;  // and as they were recorded
  std::vector<Flow> flows;                         // that ended
  // The times of each name's steps.
  std::map<unsigned, std::vector<uint64_t>> begun;
  std::map<unsigned, std::vector<uint64_t>> steps;
  std::map<unsigned, std::vector<uint64_t>> begun_again;
  std::map<unsigned, uint64_t> last_begun;  // the flows that are open, by name
  uint64_t end() const { return now_; }

 private:
  struct Open {
    unsigned name;
    uint64_t begin;
    uint64_t self;
    bool complete;
  };

  void tick(unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++now_) {
      for (auto& [thread, stack] : open_) {
        if (!stack.empty()) ++stack.back().self;
      }
      for (const auto& [counter, value] : value_) values[counter].push_back({now_, value});
    }
  }

  void act(unsigned what, unsigned which) {
    switch (what) {
      case 0:
      case 1:
        open_[thread_].push_back({which, now_, 0, what == 1});
        if (what == 0) event(fxt::EventType::kDurationBegin, letter(which), now_, 0);
        return;
      case 2:
      case 3:
        if (!open_[thread_].empty()) close();
        return;
      case 4: {
        const double value = which * 1.5 - 2;
        value_[which % 2] = value;
        samples[which % 2].push_back({now_, value});
        const ArchiveArgument argument = ArchiveArgument::real(text("v"), value);
        (void)writer_.event({.type = fxt::EventType::kCounter,
                             .timestamp = now_,
                             .category = text("c"),
                             .name = text(letter(which % 2)),
                             .trailing_word = 7},
                            {&argument, 1});
        return;
      }
      case 5:
        if (last_begun.contains(which)) begun_again[which].push_back(now_);
        last_begun[which] = now_;
        begun[which].push_back(now_);
        return event(fxt::EventType::kFlowBegin, letter(which), now_, which);
      case 6:
        if (last_begun.contains(which)) steps[which].push_back(now_);
        if (last_begun.contains(which))
          event(fxt::EventType::kFlowStep, letter(3 - which), now_, which);
        return;
      default:
        if (!last_begun.contains(which)) return;
        flows.push_back({which, last_begun[which], now_});
        last_begun.erase(which);
        // The name at its end may be any.
        return event(fxt::EventType::kFlowEnd, letter(3 - which), now_, which);
    }
  }

  void close() {
    const Open open = open_[thread_].back();
    open_[thread_].pop_back();
    durations.push_back({open.name, open.begin, now_, open.self, thread_});
    if (open.complete) {
      event(fxt::EventType::kDurationComplete, letter(open.name), open.begin, now_);
    } else {
      event(fxt::EventType::kDurationEnd, letter(open.name), now_, 0);
    }
  }

  void event(fxt::EventType type, const std::string& name, uint64_t time, uint64_t trailing) {
    add_event(writer_, type, time, {0, 1, 2 + thread_}, "c", name, trailing);
  }

  MemoryArchive writer_{1000};
  uint64_t now_ = kFirst;
  uint64_t thread_ = 0;  // that does something
  std::map<uint64_t, std::vector<Open>> open_;
  std::map<unsigned, double> value_;
};

template <typename Counts>
void check_durations(const host::Statistics& reported, const Program& program,
                     const Counts& counts) {
  for (unsigned name = 0; name < 4; ++name) {
    uint64_t count = 0;
    uint64_t total = 0;
    uint64_t self = 0;
    for (const Program::Ended& one : program.durations) {
      if (one.name != name || !counts(one)) continue;
      ++count;
      total += one.end - one.begin;
      self += one.self;
    }
    const auto found = reported.durations.find({"c", letter(name)});
    RC_ASSERT((found == reported.durations.end()) == (count == 0));
    if (count == 0) continue;
    RC_ASSERT(found->second.total.count() == count);
    RC_ASSERT(found->second.total.total() == total);
    RC_ASSERT(found->second.self == self);
    RC_ASSERT(found->second.self_count == count);
    RC_ASSERT(found->second.in_doubt == 0U);
    RC_ASSERT(found->second.unended == 0U);
  }
}

RC_GTEST_PROP(ProbeStatistics, DurationsAreTheTicksWithinThem, (const Choices& choices)) {
  Program program(choices);
  const host::Statistics reported = statistics_in(program.archive());
  check_durations(reported, program, [](const Program::Ended&) { return true; });
  RC_ASSERT(reported.unmatched_begins == 0U);
  RC_ASSERT(reported.unmatched_ends == 0U);
}

// Those that are open at the end of the stretch have no end: how many is not looked at here.
RC_GTEST_PROP(ProbeStatistics, DurationsOfAStretchAreThoseThatEndInIt, (const Choices& choices)) {
  Program program(choices);
  const Stretch stretch = any_stretch(kFirst, program.end());
  host::Statistics reported = statistics_in(program.archive(), stretch.options());
  std::erase_if(reported.durations, [](const auto& one) { return one.second.total.count() == 0; });
  for (auto& [name, sum] : reported.durations) sum.unended = 0;
  check_durations(reported, program,
                  [&](const Program::Ended& one) { return stretch.has(one.end); });
  RC_ASSERT(reported.unmatched_ends == 0U);
}

RC_GTEST_PROP(ProbeStatistics, DurationsOfAThreadAreItsOwn, (const Choices& choices)) {
  Program program(choices);
  const auto thread = *rc::gen::inRange<uint64_t>(0, kThreads);
  host::StatisticsOptions options;
  options.selection.threads = {std::to_string(2 + thread)};
  const host::Statistics reported = statistics_in(program.archive(), options);
  check_durations(reported, program,
                  [&](const Program::Ended& one) { return one.thread == thread; });
}

bool close_to(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

double mean_of(const std::vector<double>& all) {
  double sum = 0;
  for (const double one : all) sum += one;
  return all.empty() ? 0 : sum / static_cast<double>(all.size());
}

RC_GTEST_PROP(ProbeStatistics, CountersAreWeighedByTheTicksTheyStood, (const Choices& choices)) {
  Program program(choices);
  const Stretch stretch = any_stretch(kFirst, program.end());
  const host::Statistics reported = statistics_in(program.archive(), stretch.options());
  for (const auto& [counter, all] : program.samples) {
    std::vector<double> samples;
    for (const Program::Value& one : all) {
      if (stretch.has(one.tick)) samples.push_back(one.value);
    }
    std::vector<double> values;
    for (const Program::Value& one : program.values.at(counter)) {
      if (stretch.from <= one.tick && one.tick < stretch.to) values.push_back(one.value);
    }
    const auto found = reported.counters.find({{"c", letter(counter)}, 7, "v"});
    RC_ASSERT((found == reported.counters.end()) == (samples.empty() && values.empty()));
    if (found == reported.counters.end()) continue;
    const host::CounterStatistics& one = found->second;
    RC_ASSERT(one.samples == samples.size());
    RC_ASSERT(one.covered == values.size());
    RC_ASSERT(close_to(one.mean(), mean_of(samples)));
    RC_ASSERT(close_to(one.time_weighted_mean(), mean_of(values.empty() ? samples : values)));
    if (samples.empty()) continue;
    RC_ASSERT(one.least_real == *std::min_element(samples.begin(), samples.end()));
    RC_ASSERT(one.most_real == *std::max_element(samples.begin(), samples.end()));
    RC_ASSERT(one.last_real == samples.back());
  }
}

RC_GTEST_PROP(ProbeStatistics, FlowsLastFromTheirBeginToTheirEnd, (const Choices& choices)) {
  Program program(choices);
  const Stretch stretch = any_stretch(kFirst, program.end());
  const host::Statistics reported = statistics_in(program.archive(), stretch.options());
  const host::Statistics all = statistics_in(program.archive());
  for (const auto& [flow, times] : program.begun) {
    std::vector<uint64_t> lengths;
    for (const Program::Flow& one : program.flows) {
      if (one.name == flow && stretch.has(one.end)) lengths.push_back(one.end - one.begin);
    }
    uint64_t sum = 0;
    for (const uint64_t length : lengths) sum += length;
    const auto found = reported.flows.find({"c", letter(flow)});
    const host::FlowStatistics none;
    const host::FlowStatistics& one = found == reported.flows.end() ? none : found->second;
    const auto in = [&](const auto& by_name) {
      return by_name.contains(flow) ? stretch.count(by_name.at(flow)) : 0;
    };
    RC_ASSERT(one.end_to_end.count() == lengths.size());
    RC_ASSERT(one.end_to_end.total() == sum);
    if (!lengths.empty())
      RC_ASSERT(one.end_to_end.longest() == *std::max_element(lengths.begin(), lengths.end()));
    RC_ASSERT(one.begun == in(program.begun));
    RC_ASSERT(one.steps == in(program.steps));
    RC_ASSERT(one.ended == lengths.size());
    const uint64_t open = program.last_begun.contains(flow) ? 1 : 0;
    const uint64_t again =
        program.begun_again.contains(flow) ? program.begun_again.at(flow).size() : 0;
    RC_ASSERT(all.flows.at({"c", letter(flow)}).unfinished == again + open);
  }
}

}  // namespace
}  // namespace barefxt::test::probe_property_test
