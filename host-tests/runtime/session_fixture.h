// The runtime itself, compiled for the host, and its dump read back through the host library: what
// a test writes with the probes is what it finds in the archive.
#pragma once

#include <gtest/gtest.h>
#include <span>
#include <string>
#include <vector>

#include <barefxt/barefxt.h>
#include <barefxt/ring.h>

#include "contains.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test {

class SessionTest : public ::testing::Test {
 protected:
  static constexpr uint16_t kCpus = BAREFXT_MAX_CPUS < 4 ? BAREFXT_MAX_CPUS : 4;

  void SetUp() override;
  void TearDown() override;

  // Starts with `segments` a CPU; where an image starts but once, that is a boot, after which the
  // same threads are registered again. The counter is then `now`, which each read moves on by one.
  void start(unsigned segments = 16, uint32_t categories = ~0u,
             barefxt_mode mode = BAREFXT_MODE_ONE_SHOT);

  static std::vector<uint8_t> dump(barefxt_dump_form form = BAREFXT_DUMP_BINARY);
  // The records of a dump without frames.
  static PlainArchive dump_without_frames();
  // Rebuilds a dump into an archive; fails the test if that is unsound or incomplete.
  PlainArchive read(const std::vector<uint8_t>& dumped);
  // Stops, dumps and reads.
  PlainArchive stop_and_read();

  // Writes `each` records called `shared` from each of kWriters threads on two CPUs, so that two
  // share a ring.
  static constexpr uint32_t kWriters = 4;
  static void write_from_threads(uint32_t each);
  // Each of those that is there is whole, and those of one writer are in order.
  static void expect_intact(const std::vector<PlainRecord>& events);

  // Records called `n` with their numbers; and the numbers that an archive has.
  static constexpr uint32_t kNumberBytes = 24;
  static void write_numbers(uint32_t from, uint32_t to);
  static std::vector<uint64_t> numbers(const PlainArchive& archive);
  // Records reported as lost, in all places of the archive.
  static uint64_t reported_lost(const PlainArchive& archive);

  // The last one; "(none)" without any.
  static std::string name_of(const PlainArchive& archive, uint64_t koid);

  // The segment that holds the record of a reservation.
  static SegmentHeader& segment_of(const Reservation& reservation);

  static void set_time(uint64_t ticks);

  // Calls the handler, once, where the next reservation reads the counter: as an interrupt there.
  static void interrupt_next_reservation(void (*handler)());

  barefxt_config config(unsigned segments, uint32_t categories = ~0u);

  // So many bytes of zeros. The runtime looks at a session's memory until the next start, which may
  // be in another test: so it is kept, for the next session of that size.
  static std::span<uint64_t> lasting_memory(size_t bytes);

  std::span<uint64_t> memory_;
  Rebuilt rebuilt_;
};

// With a process and two threads.
class TwoThreadsTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    barefxt_process_register(10, "proc");
    barefxt_thread_register(&a_, 10, 101, "alpha", 5);
    barefxt_thread_register(&b_, 10, 102, "beta", 6);
  }
  void TearDown() override {
    for (barefxt_thread* thread : {&a_, &b_}) barefxt_thread_unregister(thread);
    SessionTest::TearDown();
  }

  barefxt_thread a_ = {};
  barefxt_thread b_ = {};
};

// The calling thread plays this CPU.
void run_on_cpu(uint32_t cpu);

}  // namespace barefxt::test
