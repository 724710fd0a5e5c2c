// By how much the counters of CPUs differ, measured by asking.
//
// A CPU reads its counter, asks CPU 0 for the time, and reads its counter again when it has the
// answer. CPU 0 read its own somewhere in between. So the offset is known to half the time that the
// question took: a delay of either CPU makes that bound wider, never wrong. The quickest question
// of many is kept.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/clock.h>

#include "retained.h"
#include "session.h"
#include "write_back.h"

#if !BAREFXT_LINEAR

namespace barefxt {

Published<ClockOffset::kWords> clock_offsets[kClocks];
BAREFXT_RETAINED_ StoredClockOffset stored_clock_offsets[kClocks];

uint64_t clock_offset(uint32_t clock) {
  uint64_t words[ClockOffset::kWords];
  return clock_offsets[clock].read(words) == 0 ? 0 : words[ClockOffset::kTicks];
}

uint64_t begin_by_own_counter(uint32_t clock, uint64_t begin, uint64_t end) {
  const uint64_t offset = clock_offset(clock);
  const bool is_positive = offset >> 63 == 0;
  // Before this CPU's counter began: then it began with it.
  const uint64_t own = is_positive && begin < offset ? 0 : begin - offset;
  return own < end ? own : end;
}

StoredClockOffset present_clock_offset(uint32_t clock) {
  uint64_t words[ClockOffset::kWords];
  const bool is_known = clock_offsets[clock].read(words) != 0;
  uint32_t error = StoredClockOffset::kUnknownError;
  if (clock == 0)
    error = 0;
  else if (is_known && words[ClockOffset::kError] < StoredClockOffset::kUnknownError)
    error = static_cast<uint32_t>(words[ClockOffset::kError]);
  return {is_known ? words[ClockOffset::kTicks] : 0, error, 0};
}

namespace {

void store_clock_offset(uint32_t clock) {
  const StoredClockOffset present = present_clock_offset(clock);
  auto& stored =
      const_cast<volatile StoredClockOffset&>(stored_clock_offsets[clock & (kClocks - 1)]);
  stored.error = StoredClockOffset::kUnknownError;
  write_back(stored);
  stored.ticks = present.ticks;
  stored.reserved = 0;
  write_back(stored);
  stored.error = present.error;
  write_back(stored);
}

constexpr unsigned kQuestions = 64;

// Mailbox of the CPU that asks. Only the last of its questions has an odd number. The asker's next
// question has another number, no matter how this one ended.
struct Mailbox {
  Atomic<uint32_t> asked;
  Atomic<uint32_t> answered;  // the same number, once `answer` holds
  // Stored only so that the counter is read before the question is seen.
  volatile uint64_t asked_at = 0;
  uint64_t answer = 0;
  bool is_done = false;  // CPU 0's own
};
Mailbox mailboxes[kClocks];

uint32_t next_question(uint32_t asked) { return (asked | 1) + 1; }

// The nominal time, so that CPUs may have changed their clocks before.
bool own_time(uint32_t clock, uint64_t& ticks) {
  ticks = clock_now();
  if constexpr (kClockMayChange) {
    uint64_t change[fxt::ClockWords::kCount];
    if (clock_changes[clock].read(change) != 0) ticks = nominal_ticks(change, ticks);
  }
  return this_clock() == clock;
}

// Stops by the count of its own CPU's counter. If the caller migrates, it fails. A waiting CPU
// looks many times for the event before it looks at the counter again. Between a question and its
// answer each look at a counter, on many machines a device's register, would lengthen the question,
// and so the error.
class Deadline {
 public:
  explicit Deadline(uint64_t ticks) : begin_(clock_now()), ticks_(ticks) {}
  bool is_over() {
    if (++looks_ % kLooks != 0) return false;
    return clock_now() - begin_ > ticks_;
  }

 private:
  static constexpr uint32_t kLooks = 1024;

  uint64_t begin_;
  uint64_t ticks_;
  uint32_t looks_ = 0;
};

[[maybe_unused]] barefxt_error answer(uint32_t cpus, Deadline& deadline) {
  uint32_t left = cpus - 1;
  for (uint32_t cpu = 1; cpu < cpus; ++cpu) mailboxes[cpu].is_done = false;
  while (left != 0) {
    for (uint32_t cpu = 1; cpu < cpus; ++cpu) {
      Mailbox& mailbox = mailboxes[cpu];
      const uint32_t asked = mailbox.asked.load_acquire();
      if (asked == mailbox.answered.load_relaxed()) continue;
      uint64_t ticks = 0;
      if (!own_time(0, ticks)) return BAREFXT_ERROR_CLOCK_UNANSWERED;
      mailbox.answer = ticks;
      mailbox.answered.store_release(asked);
      if ((asked & 1) == 0 || mailbox.is_done) continue;
      mailbox.is_done = true;
      --left;
    }
    if (left != 0 && deadline.is_over()) return BAREFXT_ERROR_CLOCK_UNANSWERED;
  }
  return BAREFXT_OK;
}

[[maybe_unused]] barefxt_error ask(uint32_t clock, Deadline& deadline) {
  Mailbox& mailbox = mailboxes[clock];
  uint64_t best[ClockOffset::kWords];
  best[ClockOffset::kError] = ~uint64_t{0};
  for (unsigned i = 0; i < kQuestions; ++i) {
    uint64_t from = 0;
    if (!own_time(clock, from)) return BAREFXT_ERROR_CLOCK_UNANSWERED;
    const uint32_t question =
        next_question(mailbox.asked.load_relaxed()) | (i == kQuestions - 1 ? 1 : 0);
    mailbox.asked_at = from;
    mailbox.asked.store_release(question);
    // A CPU that is moved meanwhile finds out when it reads the counter.
    while (mailbox.answered.load_acquire() != question) {
      if (!deadline.is_over()) continue;
      mailbox.asked.store_release(next_question(question));  // not to be taken for the last
      return BAREFXT_ERROR_CLOCK_UNANSWERED;
    }
    uint64_t to = 0;
    if (!own_time(clock, to)) return BAREFXT_ERROR_CLOCK_UNANSWERED;
    // One more, since counters show whole ticks.
    const uint64_t error = (to - from + 1) / 2 + 1;
    if (error >= best[ClockOffset::kError]) continue;
    best[ClockOffset::kError] = error;
    best[ClockOffset::kTicks] = mailbox.answer - (from + (to - from) / 2);
  }
  publish_clock_offset(clock, best);
  return BAREFXT_OK;
}

}  // namespace

void publish_clock_offset(uint32_t clock, const uint64_t (&words)[ClockOffset::kWords]) {
  clock_offsets[clock].publish(words);
  if (session.holds_records) store_clock_offset(clock);
}

void store_clock_offsets() {
  for (uint32_t clock = 0; clock < kClocks; ++clock) store_clock_offset(clock);
}

}  // namespace barefxt

extern "C" barefxt_error barefxt_clock_sync(uint16_t cpus, uint64_t max_ticks) {
  using namespace barefxt;
  if constexpr (!kCounterIsPerCpu) {
    (void)cpus;
    (void)max_ticks;
    return BAREFXT_OK;
  } else {
    const uint32_t clock = this_clock();
    if (cpus > BAREFXT_MAX_CPUS || clock >= cpus) return BAREFXT_ERROR_CPU_COUNT;
    if (!counter_ticks()) return BAREFXT_ERROR_COUNTER_STOPPED;
    Deadline deadline(max_ticks);
    return clock == 0 ? answer(cpus, deadline) : ask(clock, deadline);
  }
}

#endif

#endif
