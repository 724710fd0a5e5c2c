// CPUs with threads and nested interrupts, simulated from a list of random numbers: the trace that
// they write, and each interrupt as it was.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <barefxt/host/archive_writer.h>

#include "archive/memory_archive.h"

namespace barefxt::test::interrupted {

inline constexpr unsigned kCpus = 2;
inline constexpr uint64_t kFirst = 1000;
inline constexpr uint64_t kTicksPerSecond = 1000;
inline constexpr uint64_t kIdle = 50;    // and so on, one a CPU
inline constexpr uint64_t kPseudo = 60;  // likewise

inline std::string source(unsigned number) { return {static_cast<char>('p' + number)}; }

// CPUs on which threads are switched to, and interrupts nest into them and into each other. Each
// tick of a CPU belongs to its innermost interrupt.
class InterruptedCpus {
 public:
  struct Interrupt {
    unsigned cpu;
    unsigned source;
    uint64_t begin;
    uint64_t end;
    uint64_t own;
    size_t depth;         // 1 where it interrupts no other
    uint64_t interrupts;  // which thread, 0 where none
  };

  explicit InterruptedCpus(const std::vector<uint32_t>& choices) {
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      name_thread(writer_, kIdle + cpu, 0, "idle/" + std::to_string(cpu));
      name_thread(writer_, kPseudo + cpu, 9, "cpu-" + std::to_string(cpu));
    }
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) change(cpu, 1 + cpu);
    for (const uint32_t choice : choices) {
      act(choice % kCpus, choice / 2 % 8, choice / 16 % 3);
      tick(choice / 64 % 4);  // 0, too: several things at one tick
    }
    for (unsigned cpu = 0; cpu < kCpus; ++cpu) {
      while (!open_[cpu].empty()) {
        tick(1);
        leave(cpu);
      }
    }
  }
  std::string archive() { return writer_.text(); }
  uint64_t end() const { return now_; }

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
    constexpr size_t kDeepest = 5;
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

  void change(unsigned cpu, uint64_t to) {
    const uint64_t from = current_.contains(cpu) ? current_[cpu] : kIdle + cpu;
    current_[cpu] = to;
    (void)writer_.context_switch({.timestamp = now_,
                                  .cpu = static_cast<uint16_t>(cpu),
                                  .outgoing_state = fxt::ThreadState::kBlocked,
                                  .outgoing = from,
                                  .incoming = to},
                                 {});
  }

  void duration(fxt::EventType type, unsigned cpu, unsigned which) {
    add_event(writer_, type, now_, {0, 9, kPseudo + cpu}, "irq", source(which));
  }

  MemoryArchive writer_{kTicksPerSecond};
  uint64_t now_ = kFirst;
  std::map<unsigned, std::vector<Interrupt>> open_;
  std::map<unsigned, uint64_t> current_;
};

}  // namespace barefxt::test::interrupted
