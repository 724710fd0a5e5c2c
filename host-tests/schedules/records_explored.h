// Records in which each word holds the record's number, written and read by threads that are
// explored; and the summary of an exploration.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <gtest/gtest.h>

#include <barefxt/fxt/event.h>
#include <barefxt/ring.h>

#include "explorer.h"

namespace barefxt::test {

inline constexpr unsigned kMaxRecords = 32;
inline constexpr uint32_t kSmall = 24;

// By each of four writers. Each is one thread.
inline unsigned written[4];
inline bool is_attempted[kMaxRecords];
inline bool is_found[kMaxRecords];

inline void forget_records() {
  std::memset(written, 0, sizeof written);
  std::memset(is_attempted, 0, sizeof is_attempted);
  std::memset(is_found, 0, sizeof is_found);
}

inline fxt::Word payload_of(unsigned number, uint32_t at) {
  return 0x0101010101010101u * (number + 1) + (fxt::Word{at} << 56);
}

inline void write(unsigned writer, uint32_t bytes) {
  const unsigned number = writer * 8 + written[writer]++;
  is_attempted[number] = true;
  Reservation reservation;
  if ((!kFastPaths || !try_reserve<Owner::kCpu>(reservation, bytes)) &&
      !reserve_slowly(Owner::kCpu, bytes, reservation))
    return;
  const uint32_t words = bytes / fxt::kWordBytes;
  reservation.words[1] = reservation.ticks;
  for (uint32_t i = 2; i < words; ++i) reservation.words[i] = payload_of(number, i);
  RecordHeaderWord::commit(
      reservation.words,
      fxt::Event::make(fxt::EventType::kInstant, words, 0, fxt::ThreadRef::index(1),
                       fxt::StringRef::empty(), fxt::StringRef::empty()));
}

inline unsigned attempted() {
  unsigned count = 0;
  for (const bool is : is_attempted) count += is ? 1 : 0;
  return count;
}

inline void mark(unsigned number) {
  require(!is_found[number], "a record twice");
  is_found[number] = true;
}

// A finished record, behind one of that time. Returns its number.
inline unsigned read_record(const SegmentWalker::Record& record, uint64_t& ticks) {
  require(record.words[1] > ticks, "times fall");
  ticks = record.words[1];
  const auto number = static_cast<unsigned>(record.words[2] & 0xff) - 1;
  require(number < kMaxRecords, "a word that no writer stored");
  for (uint32_t i = 2; i < record.bytes / fxt::kWordBytes; ++i)
    require(record.words[i] == payload_of(number, i), "a record's words do not belong together");
  return number;
}

inline unsigned read_all(SegmentWalker walker, uint64_t& ticks, bool marks) {
  unsigned records = 0;
  for (SegmentWalker::Record record; walker.next(record);) {
    if (!record.finished) continue;
    const unsigned number = read_record(record, ticks);
    if (marks) mark(number);
    ++records;
  }
  return records;
}

#if BAREFXT_LINEAR
inline constexpr const char* kBuild = "linear";
#elif defined(BAREFXT_TEST_HALVES)
inline constexpr const char* kBuild = "narrow";
#else
inline constexpr const char* kBuild = "whole";
#endif

// `full`: with BAREFXT_FULL=1.
inline void expect_sound(const std::vector<Thread>& threads, void (*judge)(), Limits limits,
                         Limits full) {
  const char* const is_full = std::getenv("BAREFXT_FULL");
  if (is_full != nullptr && is_full[0] == '1') limits = full;
  const Explored explored = explore(threads, judge, limits);
  EXPECT_EQ(explored.problem, "");
  const char* name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
  std::printf(
      "SCHEDULES name=%s build=%s preemptions=%u late_loads=%u locations=%u executions=%llu\n",
      name, kBuild, limits.preemptions, limits.late_loads, explored.locations,
      static_cast<unsigned long long>(explored.executions));
}

}  // namespace barefxt::test
