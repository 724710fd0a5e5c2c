// Changes of the counter's rate, and sleep in which it stands still.
//
// The counter value of a record alone decides its clock: the new clock from a change's `since` on,
// the old one before. So the call needs no agreement with writers that it interrupts or that
// interrupt it. It reads the counter, publishes the change, from where every writer that opens a
// segment copies it, and puts it into the segment that is open. A record that came in between has a
// later value than `since`; the reader of the trace sees that by the next change that it meets.

#include <barefxt/config.h>

#if !BAREFXT_DISABLED

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "session.h"

#if !BAREFXT_LINEAR

namespace barefxt {

Published<fxt::ClockWords::kCount> clock_changes[kClocks];

namespace {

// One at a time for each clock: it starts from the change before. Others are refused.
[[maybe_unused]] Atomic<uint32_t> clock_is_changing[kClocks];

// Below the top bits, so that the sums of scale() stay within a word.
constexpr uint64_t kMaxRate = uint64_t{1} << 62;

}  // namespace

// By the bit, since a division of 64 bits is a call of a library on many a machine, and this is
// rare.
uint64_t scale(uint64_t count, uint64_t to, uint64_t from) {
  if (to == from) return count;
  // to = whole * from + rest
  uint64_t whole = 0;
  uint64_t rest = 0;
  for (unsigned bit = 0; bit < 64; ++bit, to <<= 1) {
    whole <<= 1;
    rest = rest << 1 | to >> 63;
    if (rest < from) continue;
    rest -= from;
    whole |= 1;
  }
  uint64_t scaled = 0;
  uint64_t left = 0;
  for (unsigned bit = 0; bit < 64; ++bit, count <<= 1) {
    scaled <<= 1;
    left <<= 1;
    if (left >= from) {
      left -= from;
      ++scaled;
    }
    if (count >> 63 == 0) continue;
    scaled += whole;
    left += rest;
    if (left >= from) {
      left -= from;
      ++scaled;
    }
  }
  return left >= from - left ? scaled + 1 : scaled;
}

uint64_t nominal_ticks(const uint64_t* change, uint64_t ticks) {
  using Clock = fxt::ClockWords;
  if (change == nullptr) return ticks;
  const uint64_t since = change[Clock::kSince];
  if (ticks >= since)
    return change[Clock::kNominal] + scale(ticks - since, barefxt_descriptor.ticks_per_second,
                                           change[Clock::kTicksPerSecond]);
  return change[Clock::kNominal] - change[Clock::kGoneBy] -
         scale(since - ticks, barefxt_descriptor.ticks_per_second,
               change[Clock::kTicksPerSecondBefore]);
}

void forget_clock_changes() {
  if constexpr (kClockMayChange)
    for (auto& changes : clock_changes) changes.clear();
}

}  // namespace barefxt

extern "C" barefxt_error barefxt_clock_changed(uint64_t ticks_per_second,
                                               uint64_t nanoseconds_gone_by) {
  using namespace barefxt;
  if constexpr (!kClockMayChange) {
    return BAREFXT_ERROR_CLOCK_STEADY;
  } else {
    using Clock = fxt::ClockWords;
    if (ticks_per_second == 0 || ticks_per_second > kMaxRate) return BAREFXT_ERROR_COUNTER_RATE;
    const SessionGuard guard;
    if (!is_running()) return BAREFXT_OK;
    const uint32_t clock = this_clock();
    if (!clock_is_changing[clock].compare_exchange(0, 1)) return BAREFXT_ERROR_CLOCK_BUSY;
    const uint64_t ticks = clock_now();
    const bool is_here = this_clock() == clock;
    if (is_here) {
      uint64_t before[Clock::kCount];
      const bool is_first = clock_changes[clock].read(before) == 0;
      uint64_t change[Clock::kCount];
      change[Clock::kSince] = ticks;
      change[Clock::kTicksPerSecond] = ticks_per_second;
      change[Clock::kGoneBy] =
          scale(nanoseconds_gone_by, barefxt_descriptor.ticks_per_second, 1000000000);
      change[Clock::kNominal] =
          nominal_ticks(is_first ? nullptr : before, ticks) + change[Clock::kGoneBy];
      change[Clock::kTicksPerSecondBefore] =
          is_first ? barefxt_descriptor.ticks_per_second : before[Clock::kTicksPerSecond];
      clock_changes[clock].publish(change);
    }
    clock_is_changing[clock].store_release(0);
    if (!is_here) return BAREFXT_ERROR_CLOCK_BUSY;
    for (uint32_t cpu = 0; cpu < session.config.cpus; ++cpu)
      if (clock_of_cpu(cpu) == clock) record_clock(rings[cpu]);
    return BAREFXT_OK;
  }
}

#endif

#endif
