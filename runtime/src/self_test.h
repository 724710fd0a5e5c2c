// Tests of barefxt_start: assumptions about the machine that hold in every emulator, and that few
// chips meet by themselves. Bounded: a few dozen instructions if all is well.
//
// A swap that stores the word's present value changes nothing for other contexts. So the tests use
// the very words that recording swaps, in their own memory.
#pragma once

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "session.h"

namespace barefxt {

inline constexpr bool kSelfTest = BAREFXT_SELF_TEST;

inline bool has_check(const barefxt_config& config, uint8_t check) {
  return kSelfTest && (config.skipped_checks & check) == 0;
}

// Returns false if no memory is cacheable on this CPU. Comes ahead of the first exclusive access:
// on many chips that faults then, rather than to fail, so no error could be returned any more. An
// image that records in an emulator without an MMU has to skip the check; one that faults on a chip
// has no way to learn why.
inline bool caches_are_on() {
#ifdef BAREFXT_PORT_CACHES_ARE_ON
  return barefxt_port_caches_are_on() != 0;
#else
  return true;
#endif
}

// Returns false if the port reads the address of another ring, or none.
inline bool has_own_ring() {
  return !BAREFXT_READS_RING_ || &this_ring() == &ring_of_cpu(barefxt_port_cpu());
}

// Returns true if exclusive stores to that word ever succeed. By the swap that records take, if
// that is a single try.
template <typename Word>
bool can_swap(Word& word) {
  constexpr unsigned kMaxTries = 64;
  for (unsigned i = 0; i < kMaxTries; ++i) {
    const auto value = word.load_relaxed();
#if BAREFXT_MASKS_INTERRUPTS_
    if (word.compare_exchange(value, value)) return true;
#else
    if (try_swap(*word.address(), value, value, __ATOMIC_RELAXED)) return true;
#endif
  }
  return false;
}

// Returns true if a store fails whose load came before another's whole pair, as interrupted writers
// require.
inline bool stores_exclude() {
#ifdef BAREFXT_PORT_MONITOR_PROBE
  static uint32_t interrupted;
  static uint32_t other;
  barefxt_port_monitor_probe_begin(&interrupted);
  barefxt_port_monitor_probe_begin(&other);
  barefxt_port_monitor_probe_end(&other);
  return barefxt_port_monitor_probe_end(&interrupted) != 0;
#else
  return true;
#endif
}

// Holds the last result of barefxt_check_cpus, or COUNTERS_APART from a comparison of records
// since: a barefxt_error.
extern Atomic<uint32_t> fault_of_cpus;

// If one counter is meant to be all CPUs', records are compared with the session's start and its
// stop, which a CPU may have read by another counter than theirs. So CPUs share nothing while they
// record. Each can be earlier than a start, or later than a stop, by what counters of one chip may
// differ in: a millisecond, as the host has it.
inline constexpr bool kComparesCounters = kSelfTest && BAREFXT_MAX_CPUS > 1 && !kCounterIsPerCpu;

inline bool are_apart(uint64_t earlier, uint64_t later) {
  const uint64_t millisecond = barefxt_descriptor.ticks_per_second / 1024;
  return static_cast<int64_t>(earlier - later) > static_cast<int64_t>(millisecond);
}

// Returns true if the counter lags so far behind the one that the session's start was read by. A
// writer that publishes a CPU's second segment asks ahead of that swap, which fails if that start
// is over. Race detectors do not see that.
BAREFXT_UNSEEN_BY_RACE_DETECTORS_ inline bool lags_behind_start(uint64_t ticks) {
  if (kClockMayChange && clock_changes[0].count() != 0) return false;
  return are_apart(barefxt_descriptor.start_ticks, ticks);
}

// Compares the last record that each CPU finished with the session's stop. The rings are closed;
// the caller has a SessionGuard.
void compare_with_stop();

inline barefxt_error fault_of(const barefxt_config& config) {
  const auto fault = static_cast<barefxt_error>(fault_of_cpus.load_acquire());
  uint8_t check = BAREFXT_CHECK_CPU;
  if (fault == BAREFXT_ERROR_MMU_OFF) check = BAREFXT_CHECK_MEMORY;
  if (fault == BAREFXT_ERROR_COUNTERS_APART) check = BAREFXT_CHECK_COUNTER;
  if (fault == BAREFXT_ERROR_STORES_NOT_SHARED || fault == BAREFXT_ERROR_STORES_FAIL)
    check = BAREFXT_CHECK_STORES;
  return config.cpus > 1 && has_check(config, check) ? fault : BAREFXT_OK;
}

// Tests the runtime's own words, and this CPU's number, while no session runs.
inline barefxt_error test_cpu(const barefxt_config& config) {
  if (has_check(config, BAREFXT_CHECK_MEMORY) && !caches_are_on()) return BAREFXT_ERROR_MMU_OFF;
  if (has_check(config, BAREFXT_CHECK_STORES)) {
    if (!can_swap(session.phase) || !can_swap(rings[0].position)) return BAREFXT_ERROR_STORES_FAIL;
    if (!stores_exclude()) return BAREFXT_ERROR_STORES_OVERLAP;
#ifdef BAREFXT_PORT_STORES_ARE_SHARED
    if (config.cpus > 1 && !barefxt_port_stores_are_shared())
      return BAREFXT_ERROR_STORES_NOT_SHARED;
#endif
  }
  // With one ring the number does not matter.
  if (BAREFXT_MAX_CPUS > 1 && has_check(config, BAREFXT_CHECK_CPU) && config.cpus != 0 &&
      barefxt_port_cpu() >= config.cpus)
    return BAREFXT_ERROR_CPU_NUMBER;
  if (has_check(config, BAREFXT_CHECK_CPU) && !has_own_ring()) return BAREFXT_ERROR_RING_ADDRESS;
  return BAREFXT_MAX_CPUS > 1 ? fault_of(config) : BAREFXT_OK;
}

// Tests memory that belongs to the rings from now on.
inline barefxt_error test_memory(const barefxt_config& config) {
  if (has_check(config, BAREFXT_CHECK_STORES) &&
      !can_swap(static_cast<SegmentHeader*>(config.memory)->state))
    return BAREFXT_ERROR_STORES_FAIL;
  return BAREFXT_OK;
}

inline barefxt_error test_counter(const barefxt_config& config) {
  if (!kSelfTest) return counter_ticks() ? BAREFXT_OK : BAREFXT_ERROR_COUNTER_STOPPED;
  [[maybe_unused]] const uint32_t cpu = barefxt_port_cpu();
  uint64_t first = 0;
  uint64_t next = 0;
  if (!counter_ticks(first, next)) return BAREFXT_ERROR_COUNTER_STOPPED;
  if (!has_check(config, BAREFXT_CHECK_COUNTER)) return BAREFXT_OK;
  // Moved meanwhile: perhaps the counters of two CPUs.
  if (kCounterIsPerCpu && barefxt_port_cpu() != cpu) return BAREFXT_OK;
  // By less than half of what the counter counts.
  constexpr unsigned kUnused = 64 - kCounterBits;
  const auto gone_by = static_cast<int64_t>((next - first) << kUnused);
  return gone_by < 0 ? BAREFXT_ERROR_COUNTER_JUMPS : BAREFXT_OK;
}

}  // namespace barefxt
