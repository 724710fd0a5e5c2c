// What statistics say of durations, counters and flows is what adding up tick by tick gives.
#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include <barefxt/host/archive_writer.h>

#include "memory_sink.h"
#include "summing.h"

namespace barefxt::test {
namespace {

[[maybe_unused]] const int kEnough = ::setenv("RC_PARAMS", "max_success=1000", 0);

using Choices = std::vector<std::uint32_t>;
using host::ArchiveArgument;
using host::ArchiveText;

constexpr std::uint64_t kFirst = 1000;

std::string letter(unsigned number) { return {static_cast<char>('a' + number)}; }

// One thread opens and closes durations, told as begin and end or as complete, counts, and sends
// flows; each tick is written down.
class Program {
 public:
  explicit Program(const Choices& choices) {
    writer_.magic_number();
    writer_.initialization(1000);
    event(fxt::EventType::kInstant, "start", now_, 0);
    for (const std::uint32_t choice : choices) {
      act(choice % 7, choice / 7 % 4);
      tick(choice / 32 % 4);  // 0, too: several things at one tick
    }
    while (!open_.empty()) {
      tick(1);
      close(0);
    }
    tick(1);
    event(fxt::EventType::kInstant, "stop", now_, 0);
    (void)writer_.flush();
  }
  std::string archive() const { return {sink_.bytes().begin(), sink_.bytes().end()}; }

  struct Ended {
    unsigned name;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t self;
  };
  std::vector<Ended> durations;
  std::map<unsigned, std::vector<double>> values;   // of each counter, tick by tick
  std::map<unsigned, std::vector<double>> samples;  // and as they were told
  std::map<unsigned, std::vector<std::uint64_t>> flows;
  std::uint64_t ticks() const { return now_ - kFirst; }

 private:
  struct Open {
    unsigned name;
    std::uint64_t begin;
    std::uint64_t self;
    bool complete;
  };

  void tick(unsigned count) {
    now_ += count;
    if (!open_.empty()) open_.back().self += count;
    for (const auto& [counter, value] : value_)
      values[counter].insert(values[counter].end(), count, value);
  }

  void act(unsigned what, unsigned which) {
    switch (what) {
      case 0:
      case 1:
        open_.push_back({which, now_, 0, what == 1});
        if (what == 0) event(fxt::EventType::kDurationBegin, letter(which), now_, 0);
        return;
      case 2:
      case 3:
        if (!open_.empty()) close(which);
        return;
      case 4: {
        const double value = which * 1.5 - 2;
        value_[which % 2] = value;
        samples[which % 2].push_back(value);
        const ArchiveArgument argument =
            ArchiveArgument::real(ArchiveText::spelled_out("v"), value);
        (void)writer_.event({.type = fxt::EventType::kCounter,
                             .timestamp = now_,
                             .category = ArchiveText::spelled_out("c"),
                             .name = ArchiveText::spelled_out(letter(which % 2)),
                             .trailing_word = 7},
                            {&argument, 1});
        return;
      }
      case 5:
        flow_begun_[which] = now_;
        return event(fxt::EventType::kFlowBegin, letter(which), now_, which);
      default:
        if (flow_begun_.contains(which)) flows[which].push_back(now_ - flow_begun_[which]);
        flow_begun_.erase(which);
        // Whatever it is called at its end.
        return event(fxt::EventType::kFlowEnd, letter(3 - which), now_, which);
    }
  }

  void close(unsigned /*which*/) {
    const Open open = open_.back();
    open_.pop_back();
    durations.push_back({open.name, open.begin, now_, open.self});
    if (open.complete) {
      event(fxt::EventType::kDurationComplete, letter(open.name), open.begin, now_);
    } else {
      event(fxt::EventType::kDurationEnd, letter(open.name), now_, 0);
    }
  }

  void event(fxt::EventType type, const std::string& name, std::uint64_t time,
             std::uint64_t trailing) {
    (void)writer_.event({.type = type,
                         .timestamp = time,
                         .thread = {0, 1, 2},
                         .category = ArchiveText::spelled_out("c"),
                         .name = ArchiveText::spelled_out(name),
                         .trailing_word = trailing},
                        {});
  }

  MemorySink sink_;
  host::ArchiveWriter writer_{sink_, host::ByteOrder::kLittle};
  std::uint64_t now_ = kFirst;
  std::vector<Open> open_;
  std::map<unsigned, double> value_;
  std::map<unsigned, std::uint64_t> flow_begun_;
};

RC_GTEST_PROP(ProbeStatistics, DurationsAreTheTicksWithinThem, (const Choices& choices)) {
  const Program program(choices);
  const host::Statistics told = statistics_in(program.archive());
  for (unsigned name = 0; name < 4; ++name) {
    std::uint64_t count = 0;
    std::uint64_t total = 0;
    std::uint64_t self = 0;
    for (const Program::Ended& one : program.durations) {
      if (one.name != name) continue;
      ++count;
      total += one.end - one.begin;
      self += one.self;
    }
    const auto found = told.durations.find({"c", letter(name)});
    RC_ASSERT((found == told.durations.end()) == (count == 0));
    if (count == 0) continue;
    RC_ASSERT(found->second.total.count() == count);
    RC_ASSERT(found->second.total.total() == total);
    RC_ASSERT(found->second.self == self);
    RC_ASSERT(found->second.self_count == count);
    RC_ASSERT(found->second.in_doubt == 0U);
  }
  RC_ASSERT(told.unmatched_begins == 0U);
  RC_ASSERT(told.unmatched_ends == 0U);
}

bool close_to(double a, double b) { return std::abs(a - b) <= 1e-9 * (1 + std::abs(b)); }

double mean_of(const std::vector<double>& all) {
  double sum = 0;
  for (const double one : all) sum += one;
  return sum / static_cast<double>(all.size());
}

RC_GTEST_PROP(ProbeStatistics, CountersAreWeighedByTheTicksTheyStood, (const Choices& choices)) {
  const Program program(choices);
  const host::Statistics told = statistics_in(program.archive());
  RC_ASSERT(told.counters.size() == program.samples.size());
  for (const auto& [counter, samples] : program.samples) {
    const host::CounterStatistics& one = told.counters.at({{"c", letter(counter)}, 7, "v"});
    RC_ASSERT(one.samples == samples.size());
    RC_ASSERT(one.least_real == *std::min_element(samples.begin(), samples.end()));
    RC_ASSERT(one.most_real == *std::max_element(samples.begin(), samples.end()));
    RC_ASSERT(close_to(one.mean(), mean_of(samples)));
    const std::vector<double>& values = program.values.at(counter);
    RC_ASSERT(one.covered == values.size());
    RC_ASSERT(close_to(one.time_weighted_mean(), mean_of(values)));
  }
}

RC_GTEST_PROP(ProbeStatistics, FlowsLastFromTheirBeginToTheirEnd, (const Choices& choices)) {
  const Program program(choices);
  const host::Statistics told = statistics_in(program.archive());
  for (const auto& [flow, lengths] : program.flows) {
    const host::FlowStatistics& one = told.flows.at({"c", letter(flow)});
    std::uint64_t sum = 0;
    for (const std::uint64_t length : lengths) sum += length;
    RC_ASSERT(one.end_to_end.count() == lengths.size());
    RC_ASSERT(one.end_to_end.total() == sum);
    RC_ASSERT(one.end_to_end.longest() == *std::max_element(lengths.begin(), lengths.end()));
  }
}

}  // namespace
}  // namespace barefxt::test
