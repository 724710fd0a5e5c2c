// Threads that are killed, or sleep, before a random instruction of the writing of a record, each
// on a stack of its own; and what has to hold then. A killed one costs no segment once it is
// unregistered and switched away from. A sleeping one goes on later, and what it was in the middle
// of is still its own. All records are accounted for.
//
// Freestanding: the test kernel does so, and the host's tests of the same runtime. `Task` is what a
// machine has for a thread: it derives from WritingTask, and has start(last, seed), which runs it
// until it stands before its instruction number `last` or is over, and go_on().
#pragma once

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

namespace barefxt::killed {

inline constexpr unsigned kSegments = 16;
inline constexpr uint32_t kRecordsOfOne = 200;
inline constexpr uint32_t kProcess = 2;
inline constexpr uint32_t kByTimer = 0;  // in place of an instruction

// The same on every machine. Each CPU has its own.
void seed_random_numbers(uint32_t seed);
uint32_t random_number();
uint32_t random_below(uint32_t limit);  // at most 65536

// The thread that runs on a CPU when no task does.
barefxt_thread& main_thread(unsigned cpu);
inline barefxt_thread& main_thread() {
  return main_thread(static_cast<unsigned>(barefxt_port_cpu()));
}

// One kind of record or another, each exactly one. Returns before the next.
void write_record(uint32_t kind);

// An estimate: most openings of a segment take no more instructions.
uint32_t& opening_instructions();

// ---- The ring of the caller's CPU

// The session's records: those in the ring, drained, overwritten and lost ones.
uint64_t count_all();
// Segments that cannot be used again.
uint32_t count_stuck();
uint32_t count_unfinished_in_open();
// True if a switch and no more fits the open segment.
bool is_nearly_full();
// False: the next opening of a segment may find none.
bool has_free_segment();

class WritingTask {
 public:
  barefxt_thread thread = {};
  volatile uint32_t done = 0;  // records
  volatile bool is_over = true;

  // True if the record that it is writing is reserved, or counted as lost.
  bool has_reserved() const {
    if (begun_ == done) return false;
    const PositionWord position = this_ring().position.load_acquire();
    return (position != before_ && !Position::is_closed(position)) ||
           static_cast<uint32_t>(this_ring().records_lost.value()) != lost_before_;
  }

  // Another CPU may do it, and take its time.
  void begin_to_unregister() { barefxt_thread_unregister(&thread); }
  bool is_unregistered() const { return true; }

 protected:
  void begin(uint32_t last, uint32_t seed) {
    done = 0;
    begun_ = 0;
    is_over = false;
    last_ = last;
    seed_ = seed;
    is_stopped_ = false;
  }
  // Once it was stopped it ends behind the record that it was in.
  void write(uint32_t records) {
    for (uint32_t i = 0; i < records && !is_stopped_; ++i) {
      before_ = this_ring().position.load_acquire();
      lost_before_ = static_cast<uint32_t>(this_ring().records_lost.value());
      begun_ = i + 1;
      write_record(seed_ + i);
      done = done + 1;
    }
  }

  uint32_t last_ = 0;
  uint32_t seed_ = 0;
  volatile bool is_stopped_ = false;

 private:
  volatile PositionWord before_ = 0;
  volatile uint32_t lost_before_ = 0;
  volatile uint32_t begun_ = 0;
};

// Within a session that starts when this is made. `drain`: takes some of a stream, a little or all
// of it. It is called among the records of other threads and of interrupts.
template <typename Task>
class Killing {
 public:
  explicit Killing(bool by_timer, void (*drain)() = nullptr) : by_timer_(by_timer), drain_(drain) {}

  void kill(Task& task) {
    come(task);
    const uint32_t last = random_instruction();
    switch_threads(main_thread(), task.thread);
    task.start(last, random_number());
    measure_opening(task, last);
    const bool is_in_record = !task.is_over && task.has_reserved();
    expected_ += task.done + (is_in_record ? 1 : 0);
    if (is_in_record) ++killed_in_record_;
    ++kills_;
    const uint32_t way = random_below(4);
    if (way == 0) {  // by an interrupt that kills it
      barefxt_thread_unregister(&task.thread);
      switch_threads(task.thread, main_thread());
      return;
    }
    if (way == 1) write_records(random_below(80));  // by one that records more
    switch_threads(task.thread, main_thread());
    // It sleeps in its record, while the ring goes round.
    constexpr uint32_t kThreeRounds = 3 * kSegments * kSegmentBytes / 56;
    if (way == 2) write_records(random_below(kThreeRounds));
    unregister(task);
  }

  void put_to_sleep(Task& task) {
    come(task);
    const uint32_t last = random_instruction();
    switch_threads(main_thread(), task.thread);
    task.start(last, random_number());
    switch_threads(task.thread, main_thread());
  }
  void wake(Task& task) {
    switch_threads(main_thread(), task.thread);
    if (!task.is_over) task.go_on();
    require(task.is_over, "a task does not end");
    expected_ += task.done;
    switch_threads(task.thread, main_thread());
    unregister(task);
  }
  // Several of them sleep while others are killed.
  template <unsigned kCount>
  void kill_beside(Task (&sleepers)[kCount], Task& task) {
    for (Task& sleeper : sleepers) put_to_sleep(sleeper);
    for (uint32_t n = random_below(12); n != 0; --n) kill(task);
    for (Task& sleeper : sleepers) wake(sleeper);
  }

  // Call it while no task sleeps. What another CPU is at, ending something of its own, waits for
  // the next end.
  void expect_nothing_left() {
    for (uint32_t left = 100'000; BAREFXT_MAX_CPUS > 1 && left != 0 && count_stuck() != 0; --left)
      come_and_go();
    require(count_stuck() == 0, "a segment is out of use");
    require(count_unfinished_in_open() == 0, "a record is unfinished");
    require(count_all() == expected_, "a record is neither there nor counted");
  }
  // `expected`: records, by all that were at work.
  barefxt_stop_report stop(uint64_t expected) {
    const barefxt_stop_report report = barefxt_stop();
    require(report.unfinished_records == 0 && barefxt_unfinished() == 0,
            "a stop finds a record unfinished");
    require(report.recorded_records + report.lost_records + report.overwritten_records == expected,
            "a stop counts other records than there were");
    return report;
  }
  barefxt_stop_report stop() { return stop(expected_); }

  uint64_t expected() const { return expected_; }
  const char* problem() const { return problem_; }  // the first; null: none
  uint32_t kills() const { return kills_; }
  uint32_t killed_in_record() const { return killed_in_record_; }  // that they had reserved
  uint32_t killed_behind_opening() const { return killed_behind_opening_; }

 private:
  void require(bool holds, const char* problem) {
    if (!holds && problem_ == nullptr) problem_ = problem;
  }
  void come(Task& task) { come(task.thread); }
  void come(barefxt_thread& thread) {
    const uint64_t before = count_all();
    thread = {};
    barefxt_thread_register(&thread, kProcess, next_koid_++, "task", 1);
    expected_ += count_all() - before;  // of a former owner of the entry
  }
  void come_and_go() {
    barefxt_thread thread;
    come(thread);
    barefxt_thread_unregister(&thread);
  }
  void unregister(Task& task) {
    if (drain_ != nullptr && random_below(2) == 0) drain_();
    task.begin_to_unregister();
    while (!task.is_unregistered()) write_records(1);
  }
  void switch_threads(const barefxt_thread& from, const barefxt_thread& to) {
    // Around a switch that is lost no record is ended (open_records.h).
    for (unsigned left = 1000; drain_ != nullptr && left != 0 && !has_free_segment(); --left)
      drain_();
    barefxt_context_switch(&from, BAREFXT_STATE_RUNNABLE, &to);
    ++expected_;
  }
  // In an interrupt, or in the thread that runs.
  void write_records(uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
      write_record(random_number());
      if (drain_ != nullptr && i % 8 == 0) drain_();
    }
    expected_ += count;
  }
  // Mostly in a record, else in one that opens a segment.
  uint32_t random_instruction() {
    is_opening_ = false;
    if (by_timer_) return kByTimer;
    if (random_below(10) != 0) return 1 + random_below(120);
    // A drain may close the segment first, or leave a full ring closed.
    constexpr unsigned kMaxRecords = 1000;
    for (unsigned i = 0; i < kMaxRecords && !is_nearly_full(); ++i) write_records(1);
    is_opening_ = true;
    return 1 + random_below(opening_instructions());
  }
  // An opening takes more instructions on one machine than on another. Kills cover all of it once
  // those in the last quarter of the range come behind it.
  void measure_opening(const Task& task, uint32_t last) {
    if (!is_opening_) return;
    uint32_t& range = opening_instructions();
    if (task.done != 0)
      ++killed_behind_opening_;
    else if (last > range - range / 4)
      range += range / 4;
  }

  const bool by_timer_;
  void (*const drain_)();
  uint64_t expected_ = 0;
  uint32_t kills_ = 0;
  uint32_t killed_in_record_ = 0;
  uint32_t next_koid_ = 1000 + 1'000'000 * static_cast<uint32_t>(barefxt_port_cpu());
  uint32_t killed_behind_opening_ = 0;
  bool is_opening_ = false;  // the first record of the task
  const char* problem_ = nullptr;
};

}  // namespace barefxt::killed
