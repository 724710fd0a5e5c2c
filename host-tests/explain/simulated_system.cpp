#include "simulated_system.h"

#include <algorithm>
#include <random>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test::explaining {
namespace {

class Kernel {
 public:
  explicit Kernel(const SystemOptions& options) : options_(options), random_(options.seed) {
    system_.options = options;
    for (unsigned cpu = 0; cpu < options.cpus; ++cpu) now_.current[cpu] = kIdle + cpu;
    for (uint64_t thread = 1; thread <= kThreads; ++thread) {
      now_.state[thread] = Is::kNowhere;
      now_.priority[thread] = static_cast<unsigned>(1 + (thread - 1) / 2);
    }
  }

  System run() {
    // Everyone runs once, on some CPU, and wakes the one that is next there.
    for (uint64_t thread = 1; thread <= kThreads; ++thread) {
      const auto cpu = static_cast<unsigned>(thread % options_.cpus);
      const uint64_t next = thread + options_.cpus;
      if (thread <= options_.cpus) wake(cpu, thread, kNobody, std::nullopt);
      tick(1);
      change(cpu, thread, thread % 3 == 0 ? 0 : 3);
      tick(1);
      if (thread == options_.cpus) system_.settled = time_;
      if (next > kThreads) {
        change(cpu, kIdle + cpu, thread % 2 == 0 ? 3 : 0);
      } else {
        wake(cpu, next, thread, std::nullopt);
      }
      tick(1);
    }
    system_.warm = time_;
    for (unsigned i = 0; i < options_.steps; ++i) {
      act(below(options_.cpus));
      tick(below(8) == 0 ? 0 : 1 + below(4));
    }
    for (unsigned cpu = 0; cpu < options_.cpus; ++cpu) {
      while (!interrupts_[cpu].empty()) leave_interrupt(cpu);
      tick(1);
      if (now_.current[cpu] < kIdle) change(cpu, kIdle + cpu, 0);
      tick(1);
      // A last switch of each CPU, so that it is known what came before.
      for (uint64_t thread = 1; thread <= kThreads; ++thread) {
        if (now_.state[thread] != Is::kReady) continue;
        change(cpu, thread, 0);
        tick(1);
        break;
      }
    }
    std::array<uint64_t, kMaxCpus> last{};
    for (const Record& one : system_.records)
      if (one.kind == Record::kSwitch) last[one.cpu] = one.time;
    system_.cool = *std::min_element(last.begin(), last.begin() + options_.cpus);
    return std::move(system_);
  }

 private:
  struct Interrupt {
    unsigned number;
    uint64_t begin;
  };

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }

  void tick(unsigned count) {
    for (unsigned i = 0; i < count; ++i, ++time_) system_.ticks.push_back(now_);
  }
  void record(Record one) {
    one.time = time_;
    system_.records.push_back(one);
  }

  void act(unsigned cpu) {
    if (!interrupts_[cpu].empty()) {
      const uint32_t what = below(10);
      if (what < 4) return leave_interrupt(cpu);
      if (what < 6) return wake_any(cpu);
      if (what == 6 && interrupts_[cpu].size() < 3) return enter_interrupt(cpu);
      if (what == 7) tick(below(8) == 0 ? 60 : 2);
      return;
    }
    if (below(5) == 0) return enter_interrupt(cpu);
    const uint64_t self = now_.current[cpu];
    if (options_.priorities_change && below(20) == 0) change_priority(1 + below(kThreads));
    const uint32_t what = below(10);
    if (self >= kIdle || what < 3) return switch_to_any(cpu);
    if (what == 3) return wake_any(cpu);
    if (what == 4) return slice(cpu, self);
    if (what == 5) return change(cpu, kIdle + cpu, below(2) == 0 ? 3 : 0);
    const unsigned lock = below(kLocks);
    if (now_.holder[lock] == self) return release(cpu, lock);
    if (now_.holder[lock] == kNobody) return hold(cpu, self, lock);
    // Locks are taken in order, so that nobody waits for himself in the end.
    for (unsigned other = lock; other < kLocks; ++other)
      if (now_.holder[other] == self) return release(cpu, other);
    block_on(cpu, self, lock);
  }

  // Once between two switches: if it changed back, no record would show that.
  void change_priority(uint64_t thread) {
    if (now_.priority[thread] == recorded_[thread]) now_.priority[thread] = 1 + below(4);
  }

  void enter_interrupt(unsigned cpu) {
    const unsigned number = below(kInterrupts);
    interrupts_[cpu].push_back({number, time_});
    now_.interrupts[cpu].push_back(number);
    if (!options_.complete_interrupts)
      record({.kind = Record::kInterruptBegin, .time = 0, .cpu = cpu, .number = number});
  }
  void leave_interrupt(unsigned cpu) {
    const Interrupt one = interrupts_[cpu].back();
    interrupts_[cpu].pop_back();
    now_.interrupts[cpu].pop_back();
    record({.kind = options_.complete_interrupts ? Record::kInterrupt : Record::kInterruptEnd,
            .time = 0,
            .cpu = cpu,
            .other = one.begin,
            .number = one.number});
  }

  void wake_any(unsigned cpu) {
    const uint64_t first = 1 + below(kThreads);
    for (uint64_t i = 0; i < kThreads; ++i) {
      const uint64_t thread = 1 + (first + i) % kThreads;
      const bool is_asleep = now_.state[thread] == Is::kBlocked && !now_.waits_for.contains(thread);
      if (!is_asleep) continue;
      const bool in = !interrupts_[cpu].empty();
      return wake(cpu, thread, in ? kNobody : now_.current[cpu],
                  in ? std::optional(interrupts_[cpu].back().number) : std::nullopt);
    }
  }
  void wake(unsigned cpu, uint64_t thread, uint64_t waker, std::optional<unsigned> interrupt) {
    const uint64_t recorded = waker != kNobody ? waker : interrupt ? kPseudo + cpu : kNobody;
    record({.kind = Record::kWakeup,
            .time = 0,
            .cpu = cpu,
            .thread = thread,
            .waker = options_.records_wakers ? recorded : kNobody});
    if (waker != kNobody || interrupt) system_.wakeups.push_back({time_, thread, waker, interrupt});
    now_.state[thread] = Is::kReady;
  }

  // Mostly to the highest that is ready.
  void switch_to_any(unsigned cpu) {
    if (below(3) != 0) {
      uint64_t best = kNobody;
      for (uint64_t thread = 1; thread <= kThreads; ++thread) {
        if (now_.state[thread] != Is::kReady) continue;
        if (best == kNobody || now_.priority[thread] > now_.priority[best]) best = thread;
      }
      if (best == kNobody) return;
      const uint64_t self = now_.current[cpu];
      if (self >= kIdle || now_.priority[best] > now_.priority[self]) change(cpu, best, 0);
      return;
    }
    const uint64_t first = below(kThreads);
    for (uint64_t i = 0; i < kThreads; ++i) {
      const uint64_t thread = 1 + (first + i) % kThreads;
      if (now_.state[thread] == Is::kReady) return change(cpu, thread, 0);
    }
    if (now_.current[cpu] < kIdle) change(cpu, kIdle + cpu, 3);
  }

  // `state`: what the outgoing thread becomes. 0 ready, 3 blocked.
  void change(unsigned cpu, uint64_t to, unsigned state) {
    const uint64_t from = now_.current[cpu];
    const auto priority = [&](uint64_t thread) {
      return thread >= kIdle ? 0 : now_.priority[thread];
    };
    record({.kind = Record::kSwitch,
            .time = 0,
            .cpu = cpu,
            .thread = from,
            .other = to,
            .number = from >= kIdle ? 0 : state,
            .out_priority = priority(from),
            .in_priority = priority(to)});
    for (const uint64_t thread : {from, to}) recorded_[thread] = priority(thread);
    if (from < kIdle) now_.state[from] = state == 0 ? Is::kReady : Is::kBlocked;
    now_.current[cpu] = to;
    if (to >= kIdle) return;
    now_.state[to] = Is::kRunning;
    const auto wait = now_.waits_for.find(to);
    if (wait == now_.waits_for.end()) return;
    const unsigned lock = wait->second;
    if (now_.holder[lock] != kNobody) return;  // in vain: it will block again
    now_.waits_for.erase(wait);
    record({.kind = Record::kWait,
            .time = 0,
            .cpu = cpu,
            .thread = to,
            .other = wait_begin_[to],
            .number = lock});
    hold(cpu, to, lock);
  }

  void hold(unsigned cpu, uint64_t self, unsigned lock) {
    if (now_.waits_for.contains(self)) return block_again(cpu);
    now_.holder[lock] = now_.last_holder[lock] = self;
    record({.kind = Record::kHold, .time = 0, .cpu = cpu, .thread = self, .number = lock});
  }
  void block_again(unsigned cpu) { change(cpu, kIdle + cpu, 3); }
  void block_on(unsigned cpu, uint64_t self, unsigned lock) {
    if (now_.waits_for.contains(self)) return block_again(cpu);
    wait_begin_[self] = time_;
    now_.waits_for[self] = lock;
    record({.kind = Record::kBlocks,
            .time = 0,
            .cpu = cpu,
            .thread = self,
            .number = lock,
            .holder = below(2) == 0 ? now_.holder[lock] : kNobody});
    tick(below(2));
    change(cpu, kIdle + cpu, 3);
  }
  void release(unsigned cpu, unsigned lock) {
    const uint64_t self = now_.holder[lock];
    if (now_.waits_for.contains(self)) return block_again(cpu);
    now_.holder[lock] = kNobody;
    record({.kind = Record::kRelease, .time = 0, .cpu = cpu, .thread = self, .number = lock});
    tick(below(2));
    for (const auto& [thread, wanted] : now_.waits_for) {
      if (wanted != lock || now_.state[thread] != Is::kBlocked) continue;
      return wake(cpu, thread, self, std::nullopt);
    }
  }

  // In the thread's past.
  void slice(unsigned cpu, uint64_t self) {
    // A flow from one thread to the next that comes here.
    const auto kind = flow_ % 2 == 0 ? Record::kFlowBegin : Record::kFlowEnd;
    record({.kind = kind, .time = 0, .cpu = cpu, .thread = self, .number = 1 + flow_++ / 2});
    const uint64_t begin = system_.warm + below(static_cast<uint32_t>(time_ - system_.warm + 1));
    record({.kind = Record::kSlice, .time = 0, .cpu = cpu, .thread = self, .other = begin});
  }

  SystemOptions options_;
  std::mt19937 random_;
  System system_;
  Tick now_;
  uint64_t time_ = 0;
  unsigned flow_ = 0;
  std::array<std::vector<Interrupt>, kMaxCpus> interrupts_;
  std::map<uint64_t, uint64_t> wait_begin_;
  std::map<uint64_t, unsigned> recorded_;  // priorities, by the last switch
};

}  // namespace

System simulate(const SystemOptions& options) { return Kernel(options).run(); }

std::vector<Record> with_losses(const System& system, uint32_t seed, unsigned runs) {
  std::mt19937 random(seed);
  const std::vector<Record>& all = system.records;
  std::vector<bool> is_lost(all.size(), false);
  for (unsigned run = 0; run < runs; ++run) {
    const auto cpu = static_cast<unsigned>(random() % system.options.cpus);
    size_t at = random() % all.size();
    for (unsigned count = 1 + static_cast<unsigned>(random() % 4); count > 0 && at < all.size();
         ++at) {
      if (all[at].cpu != cpu) continue;
      is_lost[at] = true;
      --count;
    }
  }
  std::vector<Record> kept;
  std::array<std::optional<uint64_t>, kMaxCpus> losing;  // since when
  std::array<uint64_t, kMaxCpus> last{};
  for (size_t i = 0; i < all.size(); ++i) {
    const Record& one = all[i];
    if (is_lost[i]) {
      if (!losing[one.cpu]) losing[one.cpu] = last[one.cpu];
      continue;
    }
    if (losing[one.cpu]) {
      kept.push_back(
          {.kind = Record::kLoss, .time = one.time, .cpu = one.cpu, .other = *losing[one.cpu]});
      losing[one.cpu].reset();
    }
    last[one.cpu] = one.time;
    kept.push_back(one);
  }
  for (unsigned cpu = 0; cpu < system.options.cpus; ++cpu)
    if (losing[cpu])
      kept.push_back(
          {.kind = Record::kLoss, .time = system.ticks.size(), .cpu = cpu, .other = *losing[cpu]});
  return kept;
}

std::string archive_of(const SystemOptions& options, const std::vector<Record>& records) {
  using host::ArchiveArgument;
  MemoryArchive writer(1'000'000);
  for (unsigned cpu = 0; cpu < options.cpus; ++cpu) {
    name_thread(writer, kIdle + cpu, 0, "idle/" + std::to_string(cpu));
    name_thread(writer, kPseudo + cpu, 9, "cpu-" + std::to_string(cpu));
  }
  for (uint64_t thread = 1; thread <= kThreads; ++thread)
    name_thread(writer, thread, 9, "thread " + std::to_string(thread));
  const auto event = [&](fxt::EventType type, const Record& one, uint64_t thread,
                         const char* category, const std::string& name,
                         std::vector<ArchiveArgument> arguments = {}, uint64_t trailing = 0) {
    const bool is_complete = type == fxt::EventType::kDurationComplete;
    add_event(writer, type, is_complete ? one.other : one.time, {0, 9, thread}, category, name,
              is_complete ? one.time : trailing, {arguments.data(), arguments.size()});
  };
  for (const Record& one : records) {
    const std::string interrupt = interrupt_name(one.number);
    const std::string lock = lock_name(one.number);
    const auto object = ArchiveArgument::pointer(text("object"), one.number + 1);
    switch (one.kind) {
      case Record::kSwitch:
        add_switch(writer, one.time, one.cpu,
                   {9, one.thread, static_cast<uint8_t>(one.out_priority)},
                   static_cast<fxt::ThreadState>(one.number),
                   {9, one.other, static_cast<uint8_t>(one.in_priority)});
        break;
      case Record::kWakeup: {
        const auto waker = ArchiveArgument::koid(text("waker"), one.waker);
        (void)writer.thread_wakeup(
            {.timestamp = one.time, .cpu = static_cast<uint16_t>(one.cpu), .thread = one.thread},
            {&waker, one.waker == kNobody ? 0U : 1U});
        break;
      }
      case Record::kInterruptBegin:
        event(fxt::EventType::kDurationBegin, one, kPseudo + one.cpu, "irq", interrupt);
        break;
      case Record::kInterruptEnd:
        event(fxt::EventType::kDurationEnd, one, kPseudo + one.cpu, "irq", interrupt);
        break;
      case Record::kInterrupt:
        event(fxt::EventType::kDurationComplete, one, kPseudo + one.cpu, "irq", interrupt);
        break;
      case Record::kHold:
        event(fxt::EventType::kAsyncBegin, one, one.thread, "lock", lock, {}, one.number + 1);
        break;
      case Record::kRelease:
        event(fxt::EventType::kAsyncEnd, one, one.thread, "lock", lock, {}, one.number + 1);
        break;
      case Record::kBlocks: {
        std::vector<ArchiveArgument> arguments = {ArchiveArgument::string(text("in"), text(lock)),
                                                  object};
        if (one.holder != kNobody)
          arguments.push_back(ArchiveArgument::koid(text("holder"), one.holder));
        event(fxt::EventType::kInstant, one, one.thread, "lock", "blocks", arguments);
        break;
      }
      case Record::kWait:
        event(fxt::EventType::kDurationComplete, one, one.thread, "lock", lock, {object});
        break;
      case Record::kSlice:
        event(fxt::EventType::kDurationComplete, one, one.thread, "work", "slice");
        break;
      case Record::kFlowBegin:
        event(fxt::EventType::kFlowBegin, one, one.thread, "work", "flow", {}, one.number);
        break;
      case Record::kFlowEnd:
        event(fxt::EventType::kFlowEnd, one, one.thread, "work", "flow", {}, one.number);
        break;
      case Record::kLoss:
        event(fxt::EventType::kDurationComplete, one, kPseudo + one.cpu, "barefxt", "drop_stats");
        break;
    }
  }
  return writer.text();
}

}  // namespace barefxt::test::explaining
