// What statistics say of interrupts is what counting tick by tick gives: how often, how long,
// within which others, and which thread each kept off.
#include <algorithm>
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

constexpr unsigned kCpus = 2;
constexpr std::uint64_t kFirst = 1000;
constexpr std::uint64_t kTicksPerSecond = 1000;
constexpr std::uint64_t kIdle = 50;    // and so on, one a CPU
constexpr std::uint64_t kPseudo = 60;  // likewise

std::string source(unsigned number) { return {static_cast<char>('p' + number)}; }

// CPUs on which threads are switched to, and interrupts nest into them and into each other. Each
// tick of a CPU belongs to its innermost interrupt.
class InterruptedCpus {
 public:
  struct Interrupt {
    unsigned cpu;
    unsigned source;
    std::uint64_t begin;
    std::uint64_t end;
    std::uint64_t own;
    std::size_t depth;         // 1 where it interrupts no other
    std::uint64_t interrupts;  // which thread, 0 where none
  };

  explicit InterruptedCpus(const Choices& choices) {
    writer_.magic_number();
    writer_.initialization(kTicksPerSecond);
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      name(kIdle + cpu, 0, "idle/" + std::to_string(cpu));
      name(kPseudo + cpu, 9, "cpu-" + std::to_string(cpu));
    }
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) change(cpu, 1 + cpu);
    for (const std::uint32_t choice : choices) {
      act(choice % kCpus, choice / 2 % 8, choice / 16 % 3);
      tick(choice / 64 % 4);  // 0, too: several things at one tick
    }
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      while (!open_[cpu].empty()) {
        tick(1);
        leave(cpu);
      }
    }
    (void)writer_.flush();
  }
  std::string archive() const { return {sink_.bytes().begin(), sink_.bytes().end()}; }
  std::uint64_t end() const { return now_; }

  std::vector<Interrupt> interrupts;  // in order of their ends

 private:
  void tick(unsigned count) {
    now_ += count;
    for (auto& [cpu, stack] : open_) {
      if (!stack.empty()) stack.back().own += count;
    }
  }

  void act(unsigned cpu, unsigned what, unsigned which) {
    std::vector<Interrupt>& stack = open_[cpu];
    constexpr std::size_t kDeepest = 5;
    if (what < 4 && stack.size() < kDeepest) {
      const bool stops_a_thread = stack.empty() && current_[cpu] < kIdle;
      stack.push_back(
          {cpu, which, now_, 0, 0, stack.size() + 1, stops_a_thread ? current_[cpu] : 0});
      duration(fxt::EventType::kDurationBegin, cpu, which);
    } else if (what < 6 && !stack.empty()) {
      leave(cpu);
    } else if (which < 2) {
      // Each CPU has two threads of its own, and idles in between.
      change(cpu, current_[cpu] >= kIdle ? 1 + cpu + kCpus * which : kIdle + cpu);
    }
  }

  void leave(unsigned cpu) {
    Interrupt one = open_[cpu].back();
    open_[cpu].pop_back();
    one.end = now_;
    interrupts.push_back(one);
    duration(fxt::EventType::kDurationEnd, cpu, one.source);
  }

  void change(unsigned cpu, std::uint64_t to) {
    const std::uint64_t from = current_.contains(cpu) ? current_[cpu] : kIdle + cpu;
    current_[cpu] = to;
    (void)writer_.context_switch({.timestamp = now_,
                                  .cpu = static_cast<std::uint16_t>(cpu),
                                  .outgoing_state = fxt::ThreadState::kBlocked,
                                  .outgoing = from,
                                  .incoming = to},
                                 {});
  }

  void duration(fxt::EventType type, unsigned cpu, unsigned which) {
    (void)writer_.event({.type = type,
                         .timestamp = now_,
                         .thread = {0, 9, kPseudo + cpu},
                         .category = ArchiveText::spelled_out("irq"),
                         .name = ArchiveText::spelled_out(source(which))},
                        {});
  }

  void name(std::uint64_t koid, std::uint64_t process, const std::string& text) {
    const auto argument = ArchiveArgument::koid(ArchiveText::spelled_out("process"), process);
    (void)writer_.kernel_object(koid, fxt::KernelObjectType::kThread,
                                ArchiveText::spelled_out(text), {&argument, 1});
  }

  MemorySink sink_;
  host::ArchiveWriter writer_{sink_, host::ByteOrder::kLittle};
  std::uint64_t now_ = kFirst;
  std::map<unsigned, std::vector<Interrupt>> open_;
  std::map<unsigned, std::uint64_t> current_;
};

using Interrupts = std::vector<InterruptedCpus::Interrupt>;

void check_lengths(const host::Distribution& told, const Interrupts& counted) {
  RC_ASSERT(told.count() == counted.size());
  std::uint64_t total = 0;
  std::uint64_t longest = 0;
  for (const auto& one : counted) {
    total += one.end - one.begin;
    longest = std::max(longest, one.end - one.begin);
  }
  RC_ASSERT(told.total() == total);
  RC_ASSERT(told.longest() == longest);
  if (counted.empty()) return;
  const auto& first = *std::find_if(counted.begin(), counted.end(), [&](const auto& one) {
    return one.end - one.begin == longest;
  });
  RC_ASSERT(told.longest_extent().begin == first.begin);
  RC_ASSERT(told.longest_extent().end == first.end);
}

// The thread that the longest of them kept off, the first if there are several.
std::uint64_t longest_kept_off(const Interrupts& all) {
  const auto longest = std::max_element(all.begin(), all.end(), [](const auto& a, const auto& b) {
    return a.end - a.begin < b.end - b.begin;
  });
  return longest == all.end() ? 0 : longest->interrupts;
}

void check(const host::InterruptStatistics& told, const Interrupts& counted) {
  check_lengths(told.length, counted);
  std::uint64_t own = 0;
  std::uint64_t nested = 0;
  std::size_t deepest = 0;
  Interrupts keeping_off;
  for (const auto& one : counted) {
    own += one.own;
    nested += one.depth > 1 ? 1 : 0;
    deepest = std::max(deepest, one.depth);
    if (one.interrupts != 0) keeping_off.push_back(one);
  }
  RC_ASSERT(told.own == own);
  RC_ASSERT(told.nested == nested);
  RC_ASSERT(told.deepest == deepest);
  check_lengths(told.kept_off, keeping_off);
  if (!keeping_off.empty()) RC_ASSERT(told.kept_off_longest == longest_kept_off(keeping_off));
}

RC_GTEST_PROP(InterruptStatistics, AreWhatTheCpusCounted, (const Choices& choices)) {
  const InterruptedCpus cpus(choices);
  const auto any = [&] { return *rc::gen::inRange<std::uint64_t>(kFirst, cpus.end() + 1); };
  const std::uint64_t one = any();
  const std::uint64_t other = any();
  const std::uint64_t from = std::min(one, other);
  const std::uint64_t to = std::max(one, other);
  host::StatisticsOptions options;
  options.from = {true, static_cast<double>(from)};
  options.to = {true, static_cast<double>(to)};
  const host::Statistics told = statistics_in(cpus.archive(), options);

  std::map<std::pair<unsigned, unsigned>, Interrupts> counted;
  for (const auto& any_one : cpus.interrupts) {
    if (from <= any_one.end && any_one.end <= to)
      counted[{any_one.cpu, any_one.source}].push_back(any_one);
  }
  RC_ASSERT(told.interrupts.size() == counted.size());
  for (const auto& [key, interrupts] : counted)
    check(told.interrupts.at({key.first, source(key.second)}), interrupts);
}

}  // namespace
}  // namespace barefxt::test
