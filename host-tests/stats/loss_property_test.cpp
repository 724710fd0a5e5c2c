// Statistics of losses equal a count that marks each lost tick: number, amount, length, and share
// of the time.
#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <rapidcheck/gtest.h>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"
#include "stretch.h"
#include "summing.h"

namespace barefxt::test::loss_property_test {
namespace {

using Choices = std::vector<uint32_t>;
using host::ArchiveArgument;

constexpr unsigned kCpus = 3;
constexpr uint64_t kPseudo = 60;  // and so on, one a CPU
constexpr uint64_t kFirst = 100;

struct Lost {
  unsigned cpu;
  uint64_t begin;
  uint64_t end;
  bool counted;
  uint64_t records;
  bool on_the_line;
};

// Losses of any CPUs, at any times, over each other, each CPU with a switch of its own before.
class LosingCpus {
 public:
  explicit LosingCpus(const Choices& choices) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      name_thread(writer_, kPseudo + cpu, 9, "cpu-" + std::to_string(cpu));
      (void)writer_.context_switch({.timestamp = kFirst,
                                    .cpu = static_cast<uint16_t>(cpu),
                                    .outgoing = 1 + cpu,
                                    .incoming = 4 + cpu},
                                   {});
    }
    uint64_t now = kFirst;
    for (const uint32_t choice : choices) {
      now += choice / 64 % 8;
      const uint64_t begin = now - std::min<uint64_t>(now - kFirst, choice / 512 % 30);
      all.push_back({choice % kCpus, begin, now, choice / 3 % 4 != 0, choice / 12 % 50,
                     choice / 32 % 2 != 0});
      write(all.back());
    }
    last = now;
  }
  std::string archive() { return writer_.text(); }

  std::vector<Lost> all;
  uint64_t last = kFirst;

 private:
  void write(const Lost& lost) {
    std::vector<ArchiveArgument> arguments;
    if (lost.counted) {
      arguments.push_back(ArchiveArgument::uint64(text("records"), lost.records));
      arguments.push_back(ArchiveArgument::uint64(text("bytes"), 8 * lost.records));
    }
    arguments.push_back(
        ArchiveArgument::string(text("where"), text(lost.on_the_line ? "line" : "ring")));
    add_event(writer_, fxt::EventType::kDurationComplete, lost.begin, {0, 9, kPseudo + lost.cpu},
              "barefxt", "drop_stats", lost.end, arguments);
  }

  MemoryArchive writer_{1000};
};

// Ticks from `from` to `to` that lie within some loss that `is_of`, looked at one by one.
template <typename IsOf>
uint64_t lost_ticks(const LosingCpus& cpus, uint64_t from, uint64_t to, const IsOf& is_of) {
  uint64_t sum = 0;
  for (uint64_t tick = from; tick < to; ++tick) {
    sum += std::any_of(cpus.all.begin(), cpus.all.end(), [&](const Lost& one) {
      return is_of(one) && one.begin <= tick && tick < one.end;
    });
  }
  return sum;
}

RC_GTEST_PROP(LossStatistics, AreTheTicksThatWereLost, (const Choices& choices)) {
  LosingCpus cpus(choices);
  const Stretch stretch = any_stretch(kFirst, cpus.last);
  const auto [from, to] = stretch;
  const host::Statistics reported = statistics_in(cpus.archive(), stretch.options());

  RC_ASSERT(reported.span() == to - from);
  RC_ASSERT(reported.loss_ticks == lost_ticks(cpus, from, to, [](const Lost&) { return true; }));
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
    const auto own = [&](const Lost& any_one) { return any_one.cpu == cpu; };
    RC_ASSERT(reported.cpus.at(cpu).lost == lost_ticks(cpus, from, to, own));
    // Nothing else is unknown but what a loss of no length hides, which is a tick.
    RC_ASSERT(reported.cpus.at(cpu).unknown >= reported.cpus.at(cpu).lost);
  }

  std::map<std::pair<std::string, std::string>, host::LossStatistics> counted;
  for (const Lost& lost : cpus.all) {
    if (lost.end < from || lost.begin > to) continue;
    auto& sum = counted[{"cpu-" + std::to_string(lost.cpu), lost.on_the_line ? "line" : "ring"}];
    sum.first = sum.times == 0 ? lost.begin : std::min(sum.first, lost.begin);
    sum.last = std::max(sum.last, lost.end);
    ++sum.times;
    sum.records += lost.counted ? lost.records : 0;
    sum.records_unknown = sum.records_unknown || !lost.counted;
  }
  RC_ASSERT(reported.losses.size() == counted.size());
  for (const auto& [key, sum] : counted) {
    const host::LossStatistics& loss = reported.losses.at(key);
    RC_ASSERT(loss.times == sum.times);
    RC_ASSERT(loss.records == sum.records);
    RC_ASSERT(loss.bytes == 8 * sum.records);
    RC_ASSERT(loss.records_unknown == sum.records_unknown);
    RC_ASSERT(loss.bytes_unknown == sum.records_unknown);
    RC_ASSERT(loss.first == sum.first);
    RC_ASSERT(loss.last == sum.last);
  }
}

}  // namespace
}  // namespace barefxt::test::loss_property_test
