// Finds faults that no CPU finds alone: two CPUs with one number, exclusive stores that do not
// exclude each other, counters that are not in step.
//
// All CPUs go through the same steps, and wait for each other before each. Invariants:
// - A CPU's word counts its steps: kSteps for each check, and a multiple of that outside of one. A
//   CPU that enters takes the highest number of a check that any CPU has reached. So after a CPU
//   came alone and gave up, the next check finds all CPUs in step.
// - All CPUs return a fault that one finds: `found` has the number of its check.
// - No CPU waits longer than its deadline.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/clock.h>
#include <barefxt/ring.h>

#include "record_time.h"
#include "self_test.h"

#if !BAREFXT_LINEAR

namespace barefxt {

Atomic<uint32_t> fault_of_cpus;

namespace {

constexpr uint32_t kArrived = 1;
constexpr uint32_t kStored = 2;
constexpr uint32_t kCompared = 3;
constexpr uint32_t kSteps = 4;

// Each CPU stores this often. In a model, two CPUs without a common monitor lose nearly one in ten.
constexpr uint32_t kStores = 512;
constexpr uint32_t kQuestionsOfStep = 16;

struct {
  Atomic<uint32_t> steps[BAREFXT_MAX_CPUS];
  Atomic<uint32_t> found;  // an error, and above it the number of the check
  Atomic<PositionWord> stored;
  // A question to CPU 0: how late is it?
  Atomic<uint32_t> asked;
  Atomic<uint32_t> answered;
  volatile uint64_t answer = 0;
} shared;

constexpr unsigned kErrorBits = 8;

uint32_t latest_check() {
  uint32_t latest = shared.steps[0].load_acquire() / kSteps;
  for (const Atomic<uint32_t>& steps : shared.steps) {
    const uint32_t check = steps.load_acquire() / kSteps;
    if (static_cast<int32_t>(check - latest) > 0) latest = check;
  }
  return latest;
}

// The first one holds.
barefxt_error report_fault(uint32_t check, barefxt_error error) {
  const uint32_t before = shared.found.load_relaxed();
  if (before >> kErrorBits != (check & (~0u >> kErrorBits)) || before == 0)
    shared.found.compare_exchange(before, check << kErrorBits | error);
  fault_of_cpus.store_release(error);
  return error;
}

// Returns the signed difference of two reads of the counter, modulo its width.
int64_t ticks_between(uint64_t from, uint64_t to) {
  constexpr unsigned kUnused = 64 - kCounterBits;
  return static_cast<int64_t>((to - from) << kUnused) >> kUnused;
}

class Part {
 public:
  Part(uint32_t cpu, uint32_t cpus, uint64_t max_ticks)
      : cpu_(cpu), cpus_(cpus), check_(latest_check()), left_(max_ticks) {}

  barefxt_error run() {
    if (cpu_ >= cpus_) return report_fault(check_, BAREFXT_ERROR_CPU_NUMBER);
    Atomic<uint32_t>& steps = shared.steps[cpu_];
    const uint32_t before = steps.load_relaxed();
    if (before % kSteps != 0) return report_fault(check_, BAREFXT_ERROR_CPU_NUMBER_TWICE);
    if (cpu_ == 0) shared.stored.store_relaxed(0);
    if (!steps.compare_exchange(before, check_ * kSteps + kArrived))
      return report_fault(check_, BAREFXT_ERROR_CPU_NUMBER_TWICE);
    last_ = barefxt_port_counter();
    const barefxt_error error = compare();
    if (error == BAREFXT_OK && cpu_ == 0) fault_of_cpus.store_release(BAREFXT_OK);
    steps.store_release((check_ + 1) * kSteps);
    return error;
  }

 private:
  barefxt_error compare() {
    if (!all_reach(kArrived)) return why_not();
    for (uint32_t i = 0; i < kStores; ++i)
      if (!add_one()) return report_fault(check_, BAREFXT_ERROR_STORES_FAIL);
    if (!goes_on_to(kStored)) return why_not();
    if (shared.stored.load_relaxed() != PositionWord{kStores} * cpus_)
      return report_fault(check_, BAREFXT_ERROR_STORES_NOT_SHARED);
    if (!kCounterIsPerCpu && !(cpu_ == 0 ? answer_all() : ask_all())) return why_not();
    return goes_on_to(kCompared) ? BAREFXT_OK : why_not();
  }

  // By the swap that records take.
  static bool add_one() {
    for (unsigned i = 0; i < kMaxStores; ++i) {
      const PositionWord before = begin_swap(shared.stored);
      if (end_swap(shared.stored, before, before + 1)) return true;
    }
    return false;
  }

  bool answer_all() {
    for (uint32_t cpu = 1; cpu < cpus_; ++cpu)
      for (uint32_t i = 0; i < kQuestionsOfStep; ++i) {
        const uint32_t question = question_of(cpu, i);
        while (shared.asked.load_acquire() != question)
          if (!may_wait()) return false;
        shared.answer = barefxt_port_counter();
        shared.answered.store_release(question);
      }
    return true;
  }

  // Between question and answer: if CPU 0 was earlier than that, or later, the counters differ.
  bool ask_all() {
    // One after the other, each when the one before has its last answer.
    if (cpu_ != 1 && !reaches(cpu_ - 1, kCompared)) return false;
    for (uint32_t i = 0; i < kQuestionsOfStep; ++i) {
      const uint32_t question = question_of(cpu_, i);
      const uint64_t from = barefxt_port_counter();
      shared.asked.store_release(question);
      while (shared.answered.load_acquire() != question)
        if (!may_wait()) return false;
      const uint64_t answer = shared.answer;
      const uint64_t to = barefxt_port_counter();
      if (ticks_between(from, answer) >= 0 && ticks_between(answer, to) >= 0) continue;
      report_fault(check_, BAREFXT_ERROR_COUNTERS_APART);
      return false;
    }
    return true;
  }

  uint32_t question_of(uint32_t cpu, uint32_t i) const { return check_ << 16 | cpu << 8 | (i + 1); }

  bool goes_on_to(uint32_t step) {
    shared.steps[cpu_].store_release(check_ * kSteps + step);
    return all_reach(step);
  }

  bool all_reach(uint32_t step) {
    for (uint32_t cpu = 0; cpu < cpus_; ++cpu)
      if (!reaches(cpu, step)) return false;
    return found() == BAREFXT_OK;
  }
  bool reaches(uint32_t cpu, uint32_t step) {
    while (static_cast<int32_t>(shared.steps[cpu].load_acquire() - (check_ * kSteps + step)) < 0)
      if (!may_wait()) return false;
    return true;
  }

  // Returns true if the caller may wait once more: no CPU found a fault, and the deadline is not
  // over. It adds up the time from read to read, since a short counter wraps. Reads further apart
  // than half the counter's range count too little, which only prolongs the wait.
  bool may_wait() {
    if (found() != BAREFXT_OK) return false;
    const uint64_t now = barefxt_port_counter();
    const int64_t gone_by = ticks_between(last_, now);
    last_ = now;
    if (gone_by <= 0) return true;
    if (static_cast<uint64_t>(gone_by) >= left_) return false;
    left_ -= static_cast<uint64_t>(gone_by);
    return true;
  }

  uint32_t found() const {
    const uint32_t found = shared.found.load_acquire();
    if (found >> kErrorBits != (check_ & (~0u >> kErrorBits))) return BAREFXT_OK;
    return found & ((1u << kErrorBits) - 1);
  }
  barefxt_error why_not() const {
    const uint32_t error = found();
    return error != BAREFXT_OK ? static_cast<barefxt_error>(error) : BAREFXT_ERROR_CLOCK_UNANSWERED;
  }

  uint32_t cpu_;
  uint32_t cpus_;
  uint32_t check_;  // its number
  uint64_t left_;   // of the time to wait
  uint64_t last_ = 0;
};

// Returns the time of the last record that is finished in a segment, as capture_ticks; 0: none has
// a time. Race detectors do not see the loads: the drain may be clearing a segment that it has
// sent.
BAREFXT_UNSEEN_BY_RACE_DETECTORS_ uint64_t last_ticks_in(const SegmentHeader& segment) {
  uint64_t ticks = 0;
  SegmentWalker walker(segment);
  SegmentWalker::Record record;
  while (walker.next(record)) {
    if (!record.finished) continue;
    TimePlaces places(record);
    while (const size_t place = places.next())
      ticks = capture_ticks(0, walker.clock(), record.words[place]);
  }
  return ticks;
}

}  // namespace

void compare_with_stop() {
  for (const Ring& ring : rings) {
    const auto slot =
        static_cast<uint32_t>(ring.position.load_acquire() & Position::kOffsetMask) / kSegmentBytes;
    if (slot >= ring.segments || !is_of(ring.segment(slot), barefxt_descriptor.capture)) continue;
    if (are_apart(last_ticks_in(ring.segment(slot)), session.stop_ticks))
      fault_of_cpus.store_release(BAREFXT_ERROR_COUNTERS_APART);
  }
}

}  // namespace barefxt

extern "C" void* barefxt_ring(uint32_t cpu) { return &barefxt::ring_of_cpu(cpu); }

extern "C" barefxt_error barefxt_check_cpus(uint16_t cpus, uint64_t max_ticks) {
  using namespace barefxt;
  if (cpus == 0 || cpus > BAREFXT_MAX_CPUS) return BAREFXT_ERROR_CPU_COUNT;
  if (!counter_ticks()) return BAREFXT_ERROR_COUNTER_STOPPED;
  if (kSelfTest && !caches_are_on()) {
    fault_of_cpus.store_release(BAREFXT_ERROR_MMU_OFF);
    return BAREFXT_ERROR_MMU_OFF;
  }
  if (kSelfTest && !has_own_ring()) {
    fault_of_cpus.store_release(BAREFXT_ERROR_RING_ADDRESS);
    return BAREFXT_ERROR_RING_ADDRESS;
  }
  return Part(barefxt_port_cpu(), cpus, max_ticks).run();
}

#endif

#endif
