// Counters that a test can adjust. Each CPU's (or that of all, if the runtime is built for one
// counter) has an offset, may run at another rate, and may stand still while the CPU sleeps. The
// test keeps the true time beside them.
#pragma once

#include <array>
#include <functional>

#include <barefxt/clock.h>

#include "session_fixture.h"

namespace barefxt::test {

class SkewedCpusTest : public SessionTest {
 protected:
  static constexpr uint64_t kRate = 1'000'000'000;  // the port's rate: a tick is a nanosecond

  void SetUp() override;
  void TearDown() override;

  // The true time in nanoseconds. Each read of a counter moves it on by one.
  static uint64_t now();
  static void pass(uint64_t nanoseconds);

  // Sets the lead of a CPU's counter over the true time.
  static void set_skew(uint32_t cpu, int64_t ticks);
  static int64_t true_offset(uint32_t cpu);
  // Stores an offset like a measured one.
  static void report_offset(uint32_t cpu, int64_t ticks, uint64_t error);
  static void report_true_offsets();

  // The counter of a CPU goes on at this rate; or first stands still for so long.
  static void set_rate(uint32_t cpu, uint64_t ticks_per_second);
  static void sleep(uint32_t cpu, uint64_t nanoseconds);

  // Each read of a counter lets other threads run, so that waiting for them takes less.
  static void yield_on_reads();

  // Happens once, before the next counter is read, or right after that: as an interrupt there.
  static void before_next_read(std::function<void()> interrupt);
  static void after_next_read(std::function<void()> interrupt);
};

}  // namespace barefxt::test
