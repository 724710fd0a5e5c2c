// Finds the waker of a thread from the records of one CPU in their order. A target records only the
// woken thread, and the CPU; the waker is the thread that ran there, or the CPU itself inside an
// interrupt.
//
// Most interrupts are recorded where they end, so a wakeup waits for records behind it: until an
// interrupt ends that began before the wakeup, or kReach records have passed without one. Memory is
// bounded by kReach; the time is linear in the records.
//
// Invariant: a waker is named only if no record is missing between the wakeup and what shows its
// waker. If a loss, or the end, comes first, a switch must have come before it: otherwise the
// wakeup may be inside an interrupt whose end is missing, and has no waker.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>

#include <barefxt/host/archive_writer.h>

namespace barefxt::host {

class WakerJudge {
 public:
  // How many records of its CPU an interrupt may hold behind a wakeup.
  static constexpr uint64_t kReach = 4096;

  // `cpu_thread`: the pseudo-thread on which this CPU's interrupts are recorded.
  explicit WakerJudge(const ArchiveThread& cpu_thread) : cpu_thread_(cpu_thread) {}

  // `by_interrupt`: the record names an interrupt as waker, which may have no records of its own.
  void on_wakeup(uint64_t time, bool by_interrupt);
  // An empty ArchiveThread is one that nothing is known of.
  void on_switch(const ArchiveThread& outgoing, const ArchiveThread& incoming);
  // An interrupt in one record, where it ends.
  void on_interrupt(uint64_t begin);
  // An interrupt in two. One that ends and did not begin began before the last loss or the start.
  void on_interrupt_begin() { ++open_interrupts_; }
  void on_interrupt_end();
  // Records are missing here, or this is the end.
  void on_loss();
  // After each record of the CPU, of any type.
  void on_record();

  // Answers the first wakeup now, as if kReach records had passed.
  void answer() {
    if (!wakeups_.empty()) decide(wakeups_.front());
  }

  // True if take() has an answer for the first wakeup that was not asked for.
  bool has_answer() const { return !wakeups_.empty() && wakeups_.front().is_decided; }
  // The answers come in the order of the wakeups.
  std::optional<ArchiveThread> take();

 private:
  using Thread = std::optional<ArchiveThread>;
  struct Wakeup {
    uint64_t time;
    uint64_t record;
    Thread waker;     // the running thread if known; once decided: the waker
    Thread outgoing;  // the thread that the first switch behind it took off the CPU
    bool is_decided;
  };
  static void decide(Wakeup& wakeup) {
    if (wakeup.is_decided) return;
    if (!wakeup.waker) wakeup.waker = wakeup.outgoing;
    wakeup.is_decided = true;
  }

  ArchiveThread cpu_thread_;
  uint64_t records_ = 0;
  uint64_t open_interrupts_ = 0;  // of those in two records
  Thread running_;                // unknown after a loss, until the next switch
  std::deque<Wakeup> wakeups_;
  // The numbers of those that an interrupt may still decide, so that each is looked at once.
  std::deque<uint64_t> undecided_;
  uint64_t taken_ = 0;  // the number of the first of `wakeups_`
};

}  // namespace barefxt::host
