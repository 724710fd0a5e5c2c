// A kernel with locks on two CPUs, simulated from a list of random numbers: the trace that it
// writes, and what it kept count of itself. Threads migrate, wake each other across CPUs, and are
// kept off by others while somebody waits for a lock of theirs.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test::locking {

inline constexpr unsigned kCpus = 2;
inline constexpr unsigned kLocks = 2;
inline constexpr uint64_t kThreads = 5;  // koids 1 to 5, of three priorities
inline constexpr uint64_t kIdle = 50;    // and so on, one a CPU
inline constexpr uint64_t kPseudo = 60;  // likewise
inline constexpr uint64_t kFirst = 1000;
inline constexpr uint64_t kNobody = 0;

inline uint8_t priority_of(uint64_t thread) {
  return thread >= kIdle ? 0 : static_cast<uint8_t>(10 * ((thread + 1) / 2));
}

// A stretch of a wait, and the recorded holder of the lock, or its last one.
struct Part {
  uint64_t holder;
  uint64_t begin;
  uint64_t end;
};

struct Wait {
  unsigned lock;
  uint64_t waiter;
  uint64_t holder;  // the thread that ended it; none if an interrupt did
  uint64_t begin;
  uint64_t woken;
  uint64_t end;
  std::vector<Part> parts;
  // By holder and runner: ticks in which the former was ready, and the latter, of a priority in
  // between, had its CPU.
  std::map<std::pair<uint64_t, uint64_t>, uint64_t> inverted;
};

// A time in which a thread was ready, and the thread that kept it off its CPU.
struct SchedulingDelay {
  uint64_t begin;
  uint64_t end;
  uint64_t by;
};

class LockingKernel {
 public:
  // `records_holds`: with the events of holds, and with holders named at some waits.
  explicit LockingKernel(const std::vector<uint32_t>& choices, bool records_holds = false)
      : records_holds_(records_holds) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      name_thread(writer_, kIdle + cpu, 0, "idle/" + std::to_string(cpu));
      name_thread(writer_, kPseudo + cpu, 9, "cpu-" + std::to_string(cpu));
      current_[cpu] = kIdle + cpu;
    }
    for (uint64_t thread = 1; thread <= kThreads; ++thread) wake(0, thread);
    for (const uint32_t choice : choices) {
      act(choice % kCpus, choice / 2 % 8, choice / 16);
      for (uint32_t ticks = choice / 256 % 4 + 1; ticks > 0; --ticks) tick();
    }
  }
  std::string archive() { return writer_.text(); }

  std::vector<Wait> waits;  // in order of their ends
  std::map<uint64_t, std::vector<SchedulingDelay>> kept_off;
  uint64_t end() const { return now_; }

 private:
  void act(unsigned cpu, unsigned what, uint32_t choice) {
    const uint64_t self = current_[cpu];
    unsigned lock = choice % kLocks;
    // A thread that holds a lock takes no other, so that no two wait for each other.
    for (const auto& [held, holder] : holders_) lock = holder == self ? held : lock;
    if (self >= kIdle || what < 3) return switch_to(cpu, 1 + choice % kThreads);
    if (what < 6 && holders_[lock] == kNobody) {
      holders_[lock] = self;
      hold(fxt::EventType::kAsyncBegin, self, lock);
    } else if (what < 6 && holders_[lock] != self) {
      waiting_[lock].push_back({lock, self, kNobody, now_, 0, 0, {}, {}});
      if (records_holds_) blocks(self, lock, choice % 3 == 0 ? holders_[lock] : kNobody);
      change(cpu, kIdle + cpu, fxt::ThreadState::kBlocked);
    } else if (holders_[lock] == self) {
      release(cpu, lock, what == 7);
    }
  }

  void release(unsigned cpu, unsigned lock, bool by_interrupt) {
    const uint64_t self = holders_[lock];
    holders_[lock] = kNobody;
    hold(fxt::EventType::kAsyncEnd, self, lock);
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

  void wake(unsigned cpu, uint64_t thread) {
    (void)writer_.thread_wakeup(
        {.timestamp = now_, .cpu = static_cast<uint16_t>(cpu), .thread = thread}, {});
    ready_[thread] = {now_, 0, current_[cpu]};
    ready_on_[thread] = cpu;
  }

  // Steps that last a tick.
  void tick() {
    for (auto& [lock, queue] : waiting_)
      for (Wait& wait : queue) see(wait, true);
    for (auto& [thread, wait] : woken_) see(wait, false);
    ++now_;
  }
  void see(Wait& wait, bool is_blocked) {
    const uint64_t holder = recorded_holders_[wait.lock];
    // A wait for a free lock counts for its last holder.
    const bool is_new = wait.parts.empty() || (holder != kNobody && holder != wait.waiter &&
                                               holder != wait.parts.back().holder);
    if (is_new) wait.parts.push_back({holder, now_, now_});
    wait.parts.back().end = now_ + 1;
    if (!is_blocked || holder == kNobody || !ready_.contains(holder)) return;
    const uint64_t runner = current_[ready_on_[holder]];
    if (priority_of(runner) >= priority_of(holder) &&
        priority_of(runner) < priority_of(wait.waiter))
      ++wait.inverted[{holder, runner}];
  }

  void hold(fxt::EventType type, uint64_t thread, unsigned lock) {
    if (!records_holds_) return;
    duration(type, thread, "lock", "lock" + std::to_string(lock), lock + 1, now_);
    recorded_holders_[lock] = type == fxt::EventType::kAsyncBegin ? thread : kNobody;
  }
  void blocks(uint64_t thread, unsigned lock, uint64_t holder) {
    using host::ArchiveArgument;
    using host::ArchiveText;
    const std::string name = "lock" + std::to_string(lock);
    const ArchiveArgument arguments[] = {
        ArchiveArgument::string(ArchiveText::spelled_out("in"), ArchiveText::spelled_out(name)),
        ArchiveArgument::pointer(ArchiveText::spelled_out("object"), lock + 1),
        ArchiveArgument::koid(ArchiveText::spelled_out("holder"), holder)};
    add_event(writer_, fxt::EventType::kInstant, now_, {0, 9, thread}, "lock", "blocks", 0,
              {arguments, holder == kNobody ? 2U : 3U});
    if (holder != kNobody) recorded_holders_[lock] = holder;
  }

  // If it is ready.
  void switch_to(unsigned cpu, uint64_t thread) {
    if (ready_.contains(thread)) change(cpu, thread, fxt::ThreadState::kNew);
  }

  void change(unsigned cpu, uint64_t to, fxt::ThreadState state) {
    const uint64_t from = current_[cpu];
    add_switch(writer_, now_, cpu, {9, from, priority_of(from)}, state, {9, to, priority_of(to)});
    current_[cpu] = to;
    if (state == fxt::ThreadState::kNew && from < kIdle) {
      ready_[from] = {now_, 0, to};
      ready_on_[from] = cpu;
    }
    if (to >= kIdle) return;
    SchedulingDelay off = ready_[to];
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
    hold(fxt::EventType::kAsyncBegin, wait.waiter, wait.lock);
  }

  void duration(fxt::EventType type, uint64_t thread, const char* category, const std::string& text,
                uint64_t end, uint64_t begin) {
    const bool is_recorded_wait = records_holds_ && type == fxt::EventType::kDurationComplete;
    const auto object = host::ArchiveArgument::pointer(host::ArchiveText::spelled_out("object"),
                                                       text.back() - '0' + 1U);
    add_event(writer_, type, begin, {0, 9, thread}, category, text, end,
              {&object, is_recorded_wait ? 1U : 0U});
  }

  MemoryArchive writer_{1000};
  uint64_t now_ = kFirst;
  bool records_holds_;
  std::map<unsigned, uint64_t> recorded_holders_;  // by lock: its recorded holder
  std::map<uint64_t, unsigned> ready_on_;
  std::map<unsigned, uint64_t> current_;
  std::map<unsigned, uint64_t> holders_;
  std::map<unsigned, std::vector<Wait>> waiting_;
  std::map<uint64_t, Wait> woken_;             // and do not run yet
  std::map<uint64_t, SchedulingDelay> ready_;  // since when, and the thread that runs instead
};

}  // namespace barefxt::test::locking
