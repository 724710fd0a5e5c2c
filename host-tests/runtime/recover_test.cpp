// After a reset: the next boot reports what the memory kept, and hands it out.

#include <gtest/gtest.h>
#include <span>
#include <thread>

#include <barefxt/ring.h>
#include <barefxt/thread_entry.h>

#include "machine.h"
#include "rebuild/rebuild_harness.h"

namespace barefxt::test::recover_test {
namespace {

BAREFXT_CATEGORY(work, 3);

class RecoverTest : public ::testing::Test {
 protected:
  // A boot that records numbers and is then reset, without a stop.
  bool record_and_reset(uint32_t from, uint32_t to, barefxt_mode mode = BAREFXT_MODE_ONE_SHOT) {
    return machine_.boot([=, this] {
      machine_.report(barefxt_recover());
      static barefxt_thread writer;
      barefxt_process_register(10, "process");
      barefxt_thread_register(&writer, 10, 11, "writer", 5);
      const barefxt_config config = machine_.config(0, mode);
      machine_.report(barefxt_start(&config));
      write(writer, from, to);
    });
  }
  static void write(const barefxt_thread& writer, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; ++i)
      BAREFXT_EVENT(work, BAREFXT_EVENT_INSTANT, &writer, BAREFXT_TEXT("n"), 0,
                    BAREFXT_ARG_U32("i", i));
  }
  // The next boot: what it found, and that as an archive.
  barefxt_recovery recover() {
    machine_.reported();
    EXPECT_TRUE(machine_.boot([this] {
      machine_.report(barefxt_recover());
      const barefxt_writer line = machine_.line();
      machine_.report(barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY));
    }));
    const std::vector<uint64_t> reported = machine_.reported();
    const auto found = static_cast<barefxt_recovery>(reported.at(0));
    EXPECT_EQ(reported.at(1),
              found == BAREFXT_RECOVERED_NOTHING ? BAREFXT_ERROR_NEVER_STARTED : BAREFXT_OK);
    sent_ = machine_.sent();
    if (found == BAREFXT_RECOVERED_NOTHING) return found;
    rebuilt_ = rebuild(sent_);
    expect_sound(rebuilt_);
    archive_ = decode_plainly(rebuilt_.archive);
    return found;
  }
  std::vector<uint64_t> numbers() const {
    std::vector<uint64_t> found;
    for (const PlainRecord& event : archive_.events("n"))
      found.push_back(event.argument("i")->bits);
    return found;
  }
  bool names(const std::string& name) const {
    for (const PlainRecord& object : archive_.of_type(7))
      if (object.name == name) return true;
    return false;
  }
  SegmentHeader& segment(unsigned slot) const {
    return *reinterpret_cast<SegmentHeader*>(machine_.ring_memory(0) + slot * kSegmentBytes);
  }

  Machine machine_;
  std::vector<uint8_t> sent_;
  Rebuilt rebuilt_;
  PlainArchive archive_;
};

TEST_F(RecoverTest, AfterPowerOnThereIsNothing) { EXPECT_EQ(recover(), BAREFXT_RECOVERED_NOTHING); }

TEST_F(RecoverTest, WhatThePowerLeftInTheMemoryIsNoTrace) {
  auto* bytes = reinterpret_cast<uint8_t*>(&machine_.retained(barefxt_descriptor));
  for (size_t i = 0; i < sizeof barefxt_descriptor; ++i)
    bytes[i] = static_cast<uint8_t>(i * 7 + 13);
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_NOTHING);
  // And the boot can record.
  ASSERT_TRUE(record_and_reset(0, 10));
  EXPECT_EQ(machine_.reported(), (std::vector<uint64_t>{BAREFXT_RECOVERED_NOTHING, BAREFXT_OK}));
}

TEST_F(RecoverTest, AllThatWasRecordedIsThereWithItsNames) {
  ASSERT_TRUE(record_and_reset(0, 1000));
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_WHOLE);
  EXPECT_EQ(rebuilt_.verdict, host::RebuildVerdict::kComplete) << rebuilt_.messages;
  EXPECT_TRUE(rebuilt_.reports("machine (before the reset)")) << rebuilt_.messages;
  const std::vector<uint64_t> found = numbers();
  ASSERT_EQ(found.size(), 1000u);
  for (size_t i = 0; i < found.size(); ++i) ASSERT_EQ(found[i], i);
  EXPECT_EQ(archive_.events("n").front().thread, 11u);
  EXPECT_TRUE(names("writer"));
}

TEST_F(RecoverTest, OfAFlightRecorderTheNewestIsThereAndTheRestCounted) {
  ASSERT_TRUE(record_and_reset(0, 20000, BAREFXT_MODE_CIRCULAR));
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_WHOLE);
  const std::vector<uint64_t> found = numbers();
  ASSERT_FALSE(found.empty());
  EXPECT_EQ(found.back(), 19999u);
  EXPECT_EQ(found.size() + archive_.events("drop_stats").at(0).argument("records")->bits, 20000u);
}

TEST_F(RecoverTest, WhatTheRingDroppedIsCounted) {
  ASSERT_TRUE(record_and_reset(0, 20000));
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_WHOLE);
  EXPECT_EQ(numbers().size() + archive_.events("drop_stats").at(0).argument("records")->bits,
            20000u);
}

TEST_F(RecoverTest, AResetInTheMiddleOfARenameLeavesTheThreadAndNoTornName) {
  ASSERT_TRUE(record_and_reset(0, 10));
  const Descriptor& trace = machine_.retained(barefxt_descriptor);
  auto* table = &machine_.retained(*reinterpret_cast<ThreadEntry*>(trace.threads));
  for (ThreadEntry& entry : std::span(table, trace.thread_entries)) {
    if (entry.koid != 11) continue;
    entry.state.store_relaxed(static_cast<uint32_t>(EntryState::kRenaming));
    entry.name[0] = 'W';
  }
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_WHOLE);
  EXPECT_EQ(rebuilt_.verdict, host::RebuildVerdict::kComplete) << rebuilt_.messages;
  ASSERT_EQ(numbers().size(), 10u);
  EXPECT_EQ(archive_.events("n").front().thread, 11u);
  EXPECT_FALSE(names("writer"));
  EXPECT_FALSE(names("Writer"));
}

TEST_F(RecoverTest, AnUnfinishedRecordIsReportedAsUnfinished) {
  ASSERT_TRUE(machine_.boot([this] {
    barefxt_recover();
    const barefxt_config config = machine_.config();
    barefxt_start(&config);
    static barefxt_thread writer;
    barefxt_thread_register(&writer, 10, 11, "writer", 5);
    write(writer, 0, 5);
    Reservation sleeper;
    reserve_slowly(Owner::kCpu, 16, sleeper);
    write(writer, 5, 10);
  }));
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_WHOLE);
  EXPECT_EQ(numbers().size(), 10u);
  EXPECT_TRUE(rebuilt_.reports("1 record (16 bytes) reserved on the target and never finished"))
      << rebuilt_.messages;
}

TEST_F(RecoverTest, ASegmentThatLostItsContentIsLeftOutAndThatIsSaid) {
  ASSERT_TRUE(record_and_reset(0, 1000));
  segment(1).sequence = segment(1).sequence ^ 0x10;
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_PARTLY);
  EXPECT_EQ(rebuilt_.verdict, host::RebuildVerdict::kIncomplete);
  EXPECT_TRUE(rebuilt_.reports("some memory lost its content in the reset")) << rebuilt_.messages;
  EXPECT_GT(numbers().size(), 700u);
  EXPECT_LT(numbers().size(), 1000u);
}

TEST_F(RecoverTest, EveryFieldOfTheDescriptorCounts) {
  for (size_t at = 0; at < sizeof(Descriptor); ++at) {
    Machine fresh;
    ASSERT_TRUE(fresh.boot([&] {
      const barefxt_config config = fresh.config();
      barefxt_start(&config);
    }));
    reinterpret_cast<uint8_t*>(&fresh.retained(barefxt_descriptor))[at] ^= 0x20;
    ASSERT_TRUE(fresh.boot([&] { fresh.report(barefxt_recover()); }));
    EXPECT_EQ(fresh.reported().at(0), BAREFXT_RECOVERED_NOTHING) << "byte " << at;
  }
}

TEST_F(RecoverTest, AnotherImagesNamesAreNotGuessed) {
  ASSERT_TRUE(record_and_reset(0, 10));
  // The strings of the image are others now.
  Descriptor& descriptor = machine_.retained(barefxt_descriptor);
  descriptor.strings_checksum ^= 1;
  descriptor.checksum = descriptor_checksum(descriptor);
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_PARTLY);
  EXPECT_TRUE(archive_.events("n").empty());
  EXPECT_EQ(archive_.of_type(4).size(), 10u) << "the records are there";
  EXPECT_TRUE(rebuilt_.reports("string#")) << rebuilt_.messages;
  EXPECT_TRUE(names("writer")) << "threads lie in the memory";
}

TEST_F(RecoverTest, TheOldTraceIsNotOverwrittenBeforeItIsReleased) {
  ASSERT_TRUE(record_and_reset(0, 100));
  machine_.reported();
  ASSERT_TRUE(machine_.boot([this] {
    barefxt_recover();
    const barefxt_config same = machine_.config();
    machine_.report(barefxt_start(&same));
    barefxt_recovered_release();
    machine_.report(barefxt_start(&same));
  }));
  EXPECT_EQ(machine_.reported(),
            (std::vector<uint64_t>{BAREFXT_ERROR_HOLDS_OLD_TRACE, BAREFXT_OK}));
}

TEST_F(RecoverTest, ThisBootMayRecordElsewhereMeanwhileAndBothGoIntoOneArchive) {
  ASSERT_TRUE(record_and_reset(0, 100));
  ASSERT_TRUE(machine_.boot([this] {
    barefxt_recover();
    // Takes the entry and the index that the old trace's thread had.
    static barefxt_thread other;
    barefxt_thread_register(&other, 10, 12, "other", 5);
    const barefxt_config elsewhere = machine_.config(1);
    barefxt_start(&elsewhere);
    write(other, 100, 150);
    const barefxt_writer line = machine_.line();
    barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY);
    barefxt_stop();
    barefxt_dump(&line, BAREFXT_DUMP_BINARY);
  }));
  rebuilt_ = rebuild(machine_.sent());
  EXPECT_EQ(rebuilt_.verdict, host::RebuildVerdict::kComplete) << rebuilt_.messages;
  archive_ = decode_plainly(rebuilt_.archive);
  const auto events = archive_.events("n");
  ASSERT_EQ(events.size(), 150u);
  for (const PlainRecord& event : events)
    EXPECT_EQ(event.thread, event.argument("i")->bits < 100 ? 11u : 12u);
  EXPECT_NE(events.front().provider, events.back().provider);
}

TEST_F(RecoverTest, AKernelThatNeverAsksLosesTheOldTraceAndNothingElse) {
  ASSERT_TRUE(record_and_reset(0, 100));
  machine_.reported();
  ASSERT_TRUE(machine_.boot([this] {
    static barefxt_thread writer;
    barefxt_thread_register(&writer, 10, 13, "third", 5);
    const barefxt_config config = machine_.config();
    machine_.report(barefxt_start(&config));
    write(writer, 0, 7);
  }));
  EXPECT_EQ(machine_.reported(), std::vector<uint64_t>{BAREFXT_OK});
  EXPECT_EQ(recover(), BAREFXT_RECOVERED_WHOLE);
  EXPECT_EQ(numbers().size(), 7u);
  EXPECT_TRUE(names("third"));
  EXPECT_FALSE(names("writer"));
}

TEST_F(RecoverTest, KilledAnywhereWhatWasCommittedIsThere) {
  for (const barefxt_mode mode : {BAREFXT_MODE_ONE_SHOT, BAREFXT_MODE_CIRCULAR}) {
    for (unsigned delay = 0; delay < 20; ++delay) {
      Machine machine;
      // Two writers in one ring, one in the other; each reports its progress.
      constexpr unsigned kWriters = 3;
      machine.boot_and_kill(
          [&] {
            const barefxt_config config = machine.config(0, mode);
            barefxt_start(&config);
            std::vector<std::thread> threads;
            for (unsigned t = 0; t < kWriters; ++t)
              threads.emplace_back([&machine, t] {
                barefxt_host_cpu = t % Machine::kCpus;
                for (uint64_t i = 0;; ++i) {
                  BAREFXT_INSTANT(work, "killed", BAREFXT_ARG_U32("t", t), BAREFXT_ARG_U64("i", i),
                                  BAREFXT_ARG_U64("check", i * 31 + t));
                  __atomic_store_n(&machine.shared(t), i + 1, __ATOMIC_RELEASE);
                }
              });
            for (std::thread& thread : threads) thread.join();
          },
          2000 + delay * 700);
      ASSERT_TRUE(machine.boot([&] {
        machine.report(barefxt_recover());
        const barefxt_writer line = machine.line();
        barefxt_recovered_dump(&line, BAREFXT_DUMP_BINARY);
      }));
      const auto found = static_cast<barefxt_recovery>(machine.reported().at(0));
      if (machine.shared(0) + machine.shared(1) + machine.shared(2) == 0) continue;
      ASSERT_EQ(found, BAREFXT_RECOVERED_WHOLE);
      const Rebuilt rebuilt = rebuild(machine.sent());
      EXPECT_EQ(rebuilt.verdict, host::RebuildVerdict::kComplete) << rebuilt.messages;
      const PlainArchive archive = decode_plainly(rebuilt.archive);
      std::vector<uint64_t> next(kWriters);
      std::vector<uint64_t> count(kWriters);
      for (const PlainRecord& event : archive.events("killed")) {
        const uint64_t t = event.argument("t")->bits;
        const uint64_t i = event.argument("i")->bits;
        ASSERT_EQ(event.argument("check")->bits, i * 31 + t);
        ASSERT_GE(i, next[t]);
        next[t] = i + 1;
        ++count[t];
      }
      uint64_t lost = 0;
      for (const PlainRecord& event : archive.events("drop_stats"))
        lost += event.argument("records")->bits;
      uint64_t accounted = lost;
      uint64_t written = 0;
      for (unsigned t = 0; t < kWriters; ++t) {
        accounted += count[t];
        written += machine.shared(t);
      }
      // A flight recorder has the newest records of a writer alone in its ring; of two in one, the
      // newest of all.
      if (mode == BAREFXT_MODE_CIRCULAR) {
        EXPECT_GE(next[1], machine.shared(1));
      }
      // Each writer may have been killed between its commit and saying so.
      EXPECT_GE(accounted, written);
      EXPECT_LE(accounted, written + kWriters);
    }
  }
}

}  // namespace
}  // namespace barefxt::test::recover_test
