// Writers in a ring without segments that are interrupted at every instruction, and what is held
// against what they attempted.
#pragma once

#include <cstring>

#include <barefxt/intern.h>
#include <barefxt/records.h>

#include "at_every_instruction.h"
#include "configuration.h"
#include "cut_text.h"
#include "linear_boot.h"
#include "linear_dumped.h"

namespace barefxt::test {

BAREFXT_CATEGORY(work, 3);

inline uint64_t now = 0;
inline uint64_t next_tick() { return __atomic_add_fetch(&now, 1, __ATOMIC_RELAXED); }

// The interrupted thread, the interrupt's, and one that is never registered.
inline barefxt_thread a;
inline barefxt_thread b;
inline barefxt_thread c;
inline barefxt_thread late;
inline barefxt_thread later;
inline barefxt_thread none;

inline uint32_t attempted;
inline uint32_t attempted_bytes;

inline void attempt(uint32_t bytes) {
  __atomic_fetch_add(&attempted, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&attempted_bytes, bytes, __ATOMIC_RELAXED);
}
inline void event_of_0() {
  attempt(16);
  BAREFXT_INSTANT(work, "none");
}
inline void event_of_1() {
  attempt(24);
  BAREFXT_INSTANT(work, "one", BAREFXT_ARG_U32("m", 0x01010101));
}
inline void event_of_3() {
  attempt(40);
  BAREFXT_INSTANT(work, "three", BAREFXT_ARG_U64("n", 0x0202020202020202),
                  BAREFXT_ARG_U32("m", 0x03030303));
}
inline void event_with_text() {
  attempt(48);
  BAREFXT_INSTANT(work, "text", BAREFXT_ARG_STRING("text", "more than one word holds", 24));
}
inline void switch_threads(const barefxt_thread& from, const barefxt_thread& to) {
  attempt(16);
  barefxt_context_switch(&from, BAREFXT_STATE_RUNNABLE, &to);
}
inline void too_large() {
  static uint8_t bytes[kSegmentBytes];
  attempt(40 + sizeof bytes);  // a time and header around it, header, names, size
  BAREFXT_LARGE_BLOB(work, BAREFXT_TEXT("none"), bytes, sizeof bytes);
}

struct Writing {
  const char* name;
  void (*write)();
};
inline constexpr Writing kWritings[] = {
    {"event of 0 words", &event_of_0},        {"event of 1 word", &event_of_1},
    {"event of 3 words", &event_of_3},        {"event with text", &event_with_text},
    {"switch", [] { switch_threads(a, b); }},
};

// Actions of interrupts. They end in the thread that they interrupted.
inline void write_in_another_thread() {
  switch_threads(a, c);
  event_of_0();
  event_of_1();
  switch_threads(c, a);
}
inline void register_and_write() {
  barefxt_thread_register(&late, 10, 104, "late", 4);
  switch_threads(a, late);
  event_of_3();
  switch_threads(late, a);
}

class LinearRingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    barefxt_host_counter = next_tick;
    boot();
    for (barefxt_thread* thread : {&a, &b, &c, &late, &later, &none}) *thread = {};
    barefxt_thread_register(&a, 10, 101, "alpha", 1);
    barefxt_thread_register(&b, 10, 102, "beta", 2);
    barefxt_thread_register(&c, 10, 103, "gamma", 3);
    attempted = 0;
    attempted_bytes = 0;
  }
  void TearDown() override { barefxt_stop(); }

  static void start(size_t bytes = 2 * size_t{kSegmentBytes}) {
    memory.assign(bytes / sizeof(uint64_t), 0);
    barefxt_config config = config_of(memory.data(), bytes);
    ASSERT_EQ(barefxt_start(&config), BAREFXT_OK);
    switch_threads(b, a);
  }
  // Leaves room for `bytes` bytes.
  static void fill_but(uint32_t bytes) {
    const auto left = [] {
      return rings[0].memory_bytes - linear::Place::offset(rings[0].position.load_relaxed());
    };
    while (left() >= bytes + 32) event_of_0();
    if (left() == bytes + 24) event_of_1();
    if (left() == bytes + 16) event_of_0();
    ASSERT_EQ(left(), bytes);
  }

  // Stops, and holds all against what was attempted.
  static DumpedRecords account() {
    const barefxt_stop_report report = barefxt_stop();
    EXPECT_EQ(report.unfinished_records, 0u);
    EXPECT_EQ(report.recorded_records + report.lost_records, attempted);
    DumpedRecords dumped = DumpedRecords::of_dump(report);
    for (const DumpedRecord& record : dumped.records) expect_whole(record);
    EXPECT_EQ(dumped.bytes() + dumped.end.lost_bytes, attempted_bytes);
    return dumped;
  }
  // Behind a writer of kWritings and an event of the thread that runs then.
  static void judge_after_one_more() {
    DumpedRecords dumped = account();
    EXPECT_EQ(dumped.end.lost, 0u);
    // A switch that was interrupted by others ends them all.
    EXPECT_EQ(dumped.records.back().thread(), rings[0].current.load_relaxed() == &b ? 2u : 1u);
    dumped.records.pop_back();
    dumped.expect_in_order();
  }
  static void expect_all_in_order() {
    const DumpedRecords dumped = account();
    EXPECT_EQ(dumped.end.lost, 0u);
    dumped.expect_in_order();
  }
  // Each kind has its words, and those of no other.
  static void expect_whole(const DumpedRecord& record) {
    if (record.is_switch()) {
      EXPECT_EQ(record.words.size(), 2u);
      EXPECT_NE(fxt::LegacyContextSwitch::OutgoingThread::in(record.header()), 0u);
      EXPECT_NE(record.thread(), 0u);
      return;
    }
    const fxt::Word name = fxt::Event::Name::in(record.header());
    const std::vector<fxt::Word>& words = record.words;
    if (name == BAREFXT_STRING("none")) {
      EXPECT_EQ(words.size(), 2u);
    } else if (name == BAREFXT_STRING("one")) {
      ASSERT_EQ(words.size(), 3u);
      EXPECT_EQ(words[2] >> 32, 0x01010101u);
    } else if (name == BAREFXT_STRING("three")) {
      ASSERT_EQ(words.size(), 5u);
      EXPECT_EQ(words[3], 0x0202020202020202u);
      EXPECT_EQ(words[4] >> 32, 0x03030303u);
    } else {
      EXPECT_EQ(name, BAREFXT_STRING("text"));
      ASSERT_EQ(words.size(), 6u);
      EXPECT_EQ(std::memcmp(&words[3], "more than one word holds", 24), 0);
    }
  }

  static inline std::vector<uint64_t> memory;
};

#define SKIP_UNLESS_IT_STEPS() \
  if (!kCanStep) GTEST_SKIP() << "not on this machine"

}  // namespace barefxt::test
