// What statistics say of waits for locks is what a kernel with locks counted, tick by tick: for
// whom each wait was, and who kept that one off its CPU.
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
constexpr unsigned kLocks = 2;
constexpr std::uint64_t kThreads = 5;  // koids 1 to 5, of three priorities
constexpr std::uint64_t kIdle = 50;    // and so on, one a CPU
constexpr std::uint64_t kPseudo = 60;  // likewise
constexpr std::uint64_t kFirst = 1000;
constexpr std::uint64_t kNobody = 0;

std::uint8_t priority_of(std::uint64_t thread) {
  return thread >= kIdle ? 0 : static_cast<std::uint8_t>(10 * ((thread + 1) / 2));
}

struct Wait {
  unsigned lock;
  std::uint64_t waiter;
  std::uint64_t holder;  // who ended it, nobody where an interrupt did
  std::uint64_t begin;
  std::uint64_t woken;
  std::uint64_t end;
};

// Who kept a thread off its CPU: a thread that was ready from then to then.
struct KeptOff {
  std::uint64_t begin;
  std::uint64_t end;
  std::uint64_t by;
};

class LockingKernel {
 public:
  explicit LockingKernel(const Choices& choices) {
    writer_.magic_number();
    writer_.initialization(1000);
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      name(kIdle + cpu, 0, "idle/" + std::to_string(cpu));
      name(kPseudo + cpu, 9, "cpu-" + std::to_string(cpu));
      current_[cpu] = kIdle + cpu;
    }
    for (std::uint64_t thread = 1; thread <= kThreads; ++thread) wake(0, thread);
    for (const std::uint32_t choice : choices) {
      act(choice % kCpus, choice / 2 % 8, choice / 16);
      now_ += choice / 256 % 4 + 1;
    }
    (void)writer_.flush();
  }
  std::string archive() const { return {sink_.bytes().begin(), sink_.bytes().end()}; }

  std::vector<Wait> waits;  // in order of their ends
  std::map<std::uint64_t, std::vector<KeptOff>> kept_off;
  std::uint64_t end() const { return now_; }

 private:
  void act(unsigned cpu, unsigned what, std::uint32_t choice) {
    const std::uint64_t self = current_[cpu];
    unsigned lock = choice % kLocks;
    // Who holds a lock asks for no other, so that no two wait for each other.
    for (const auto& [held, holder] : holders_) lock = holder == self ? held : lock;
    if (self >= kIdle || what < 3) return switch_to(cpu, 1 + choice % kThreads);
    if (what < 6 && holders_[lock] == kNobody) {
      holders_[lock] = self;
    } else if (what < 6 && holders_[lock] != self) {
      waiting_[lock].push_back({lock, self, kNobody, now_, 0, 0});
      change(cpu, kIdle + cpu, fxt::ThreadState::kBlocked);
    } else if (holders_[lock] == self) {
      release(cpu, lock, what == 7);
    }
  }

  void release(unsigned cpu, unsigned lock, bool by_interrupt) {
    const std::uint64_t self = holders_[lock];
    holders_[lock] = kNobody;
    if (waiting_[lock].empty()) return;
    Wait wait = waiting_[lock].front();
    waiting_[lock].erase(waiting_[lock].begin());
    holders_[lock] = wait.waiter;
    wait.woken = now_;
    wait.holder = by_interrupt ? kNobody : self;
    if (by_interrupt) duration(fxt::EventType::kDurationBegin, kPseudo + cpu, "irq", "p", 0, now_);
    wake(cpu, wait.waiter);
    if (by_interrupt) duration(fxt::EventType::kDurationEnd, kPseudo + cpu, "irq", "p", 0, now_);
    woken_[wait.waiter] = wait;
  }

  void wake(unsigned cpu, std::uint64_t thread) {
    (void)writer_.thread_wakeup(
        {.timestamp = now_, .cpu = static_cast<std::uint16_t>(cpu), .thread = thread}, {});
    ready_[thread] = {now_, 0, current_[cpu]};
  }

  // If it is ready.
  void switch_to(unsigned cpu, std::uint64_t thread) {
    if (ready_.contains(thread)) change(cpu, thread, fxt::ThreadState::kNew);
  }

  void change(unsigned cpu, std::uint64_t to, fxt::ThreadState state) {
    const std::uint64_t from = current_[cpu];
    writer_.legacy_context_switch({.timestamp = now_,
                                   .cpu = static_cast<std::uint8_t>(cpu),
                                   .outgoing_state = state,
                                   .outgoing = {0, 9, from},
                                   .incoming = {0, 9, to},
                                   .outgoing_priority = priority_of(from),
                                   .incoming_priority = priority_of(to)});
    current_[cpu] = to;
    if (state == fxt::ThreadState::kNew && from < kIdle) ready_[from] = {now_, 0, to};
    if (to >= kIdle) return;
    KeptOff off = ready_[to];
    ready_.erase(to);
    off.end = now_;
    kept_off[to].push_back(off);
    const auto woken = woken_.find(to);
    if (woken == woken_.end()) return;
    Wait wait = woken->second;
    woken_.erase(woken);
    wait.end = now_;
    waits.push_back(wait);
    duration(fxt::EventType::kDurationComplete, wait.waiter, "lock",
             std::string("lock") + std::to_string(wait.lock), now_, wait.begin);
  }

  void duration(fxt::EventType type, std::uint64_t thread, const char* category,
                const std::string& text, std::uint64_t end, std::uint64_t begin) {
    (void)writer_.event({.type = type,
                         .timestamp = begin,
                         .thread = {0, 9, thread},
                         .category = ArchiveText::spelled_out(category),
                         .name = ArchiveText::spelled_out(text),
                         .trailing_word = end},
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
  std::map<unsigned, std::uint64_t> current_;
  std::map<unsigned, std::uint64_t> holders_;
  std::map<unsigned, std::vector<Wait>> waiting_;
  std::map<std::uint64_t, Wait> woken_;     // and do not run yet
  std::map<std::uint64_t, KeptOff> ready_;  // since when, and who runs instead
};

host::ObjectKey lock_named(unsigned lock) {
  return {{"lock", "lock" + std::to_string(lock)}, std::nullopt};
}

void check_lengths(const host::Distribution& told, const std::vector<Wait>& counted) {
  RC_ASSERT(told.count() == counted.size());
  std::uint64_t total = 0;
  std::uint64_t longest = 0;
  for (const Wait& one : counted) {
    total += one.end - one.begin;
    longest = std::max(longest, one.end - one.begin);
  }
  RC_ASSERT(told.total() == total);
  RC_ASSERT(told.longest() == longest);
  const host::Extent& where = told.longest_extent();
  RC_ASSERT(std::any_of(counted.begin(), counted.end(), [&](const Wait& one) {
    return one.begin == where.begin && one.end == where.end && one.end - one.begin == longest;
  }));
}

std::vector<Wait> waits_within(const LockingKernel& kernel, std::uint64_t from, std::uint64_t to) {
  std::vector<Wait> counted;
  for (const Wait& one : kernel.waits) {
    if (from <= one.end && one.end <= to) counted.push_back(one);
  }
  return counted;
}

host::StatisticsOptions stretch_of(std::uint64_t from, std::uint64_t to) {
  host::StatisticsOptions options;
  options.from = {true, static_cast<double>(from)};
  options.to = {true, static_cast<double>(to)};
  return options;
}

// Enough for several waits.
Choices many_choices() { return *rc::gen::resize(600, rc::gen::arbitrary<Choices>()); }

RC_GTEST_PROP(ContentionStatistics, AreByLockAndByWhoEndedTheWait, ()) {
  const LockingKernel kernel(many_choices());
  const auto from = *rc::gen::inRange<std::uint64_t>(kFirst, kernel.end() + 1);
  const auto to = *rc::gen::inRange<std::uint64_t>(from, kernel.end() + 1);
  const host::Statistics told = statistics_in(kernel.archive(), stretch_of(from, to));
  std::map<unsigned, std::vector<Wait>> by_lock;
  std::map<std::pair<unsigned, std::uint64_t>, std::vector<Wait>> by_holder;
  for (const Wait& one : waits_within(kernel, from, to)) {
    by_lock[one.lock].push_back(one);
    by_holder[{one.lock, one.holder}].push_back(one);
  }
  RC_ASSERT(told.contention.size() == by_lock.size());
  std::size_t holders = 0;
  for (const auto& [lock, waits] : by_lock) {
    const host::ContentionStatistics& one = told.contention.at(lock_named(lock));
    check_lengths(one.wait, waits);
    holders += one.by_holder.size();
    for (const auto& [holder, of_holder] : one.by_holder)
      check_lengths(of_holder, by_holder[{lock, holder.value_or(kNobody)}]);
  }
  RC_ASSERT(holders == by_holder.size());
}

struct Inverted {
  std::uint64_t times = 0;
  std::uint64_t ticks = 0;
  std::uint64_t longest = 0;
};

RC_GTEST_PROP(ContentionStatistics, NameWhoKeptTheHolderOff, ()) {
  const LockingKernel kernel(many_choices());
  const host::Statistics told = statistics_in(kernel.archive());
  std::map<std::array<std::uint64_t, 4>, Inverted> counted;
  for (const Wait& wait : kernel.waits) {
    if (wait.holder == kNobody || priority_of(wait.holder) >= priority_of(wait.waiter)) continue;
    // The last eight times it was kept off, as far as is known when the wait ends.
    std::vector<KeptOff> times;
    for (const KeptOff& one : kernel.kept_off.at(wait.holder)) {
      if (one.end <= wait.end) times.push_back(one);
    }
    constexpr std::size_t kRemembered = 8;
    const std::size_t first = times.size() - std::min(times.size(), kRemembered);
    for (std::size_t i = first; i < times.size(); ++i) {
      const KeptOff& one = times[i];
      const bool between = one.by != wait.holder && one.by != wait.waiter &&
                           priority_of(one.by) >= priority_of(wait.holder) &&
                           priority_of(one.by) < priority_of(wait.waiter);
      if (!between) continue;
      std::uint64_t ticks = 0;
      for (std::uint64_t tick = wait.begin; tick < wait.woken; ++tick)
        ticks += one.begin <= tick && tick < one.end ? 1 : 0;
      if (ticks == 0) continue;
      Inverted& sum = counted[{wait.lock, wait.waiter, wait.holder, one.by}];
      ++sum.times;
      sum.ticks += ticks;
      sum.longest = std::max(sum.longest, ticks);
    }
  }
  RC_ASSERT(told.inversions.size() == counted.size());
  for (const auto& [key, sum] : counted) {
    const host::PriorityInversion& one =
        told.inversions.at({lock_named(static_cast<unsigned>(key[0])), key[1], key[2], key[3]});
    RC_ASSERT(one.times == sum.times);
    RC_ASSERT(one.ticks == sum.ticks);
    RC_ASSERT(one.longest_ticks == sum.longest);
    RC_ASSERT(std::any_of(kernel.waits.begin(), kernel.waits.end(), [&](const Wait& wait) {
      return wait.waiter == key[1] && wait.holder == key[2] && wait.begin == one.longest.begin &&
             wait.end == one.longest.end;
    }));
  }
}

// Random numbers make inversions at all: else the property above says nothing.
TEST(ContentionStatistics, ThereAreInversionsToBeNamed) {
  Choices choices;
  std::uint32_t state = 1;
  for (unsigned i = 0; i < 4000; ++i) {
    state = state * 1664525 + 1013904223;
    choices.push_back(state >> 8);
  }
  const LockingKernel kernel(choices);
  const host::Statistics told = statistics_in(kernel.archive());
  EXPECT_GT(kernel.waits.size(), 100U);
  EXPECT_GT(told.inversions.size(), 3U);
}

}  // namespace
}  // namespace barefxt::test
