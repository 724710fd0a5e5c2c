// How fast the archive writer is, against copying the same records from memory in the same run.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>

#include "build_kind.h"
#include "memory_sink.h"

namespace barefxt::test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;
using host::ArchiveThread;
using host::ArchiveWriter;

constexpr unsigned kRounds = 20'000;

// What a kernel's trace is made of: mostly switches, durations and instants with few arguments.
void write_mix(ArchiveWriter& writer) {
  const ArchiveThread thread = {.index = 3, .process = 0, .thread = 0};
  const ArchiveText name = ArchiveText::indexed(2);
  for (unsigned i = 0; i < kRounds; ++i) {
    const uint64_t now = uint64_t{i} * 100;
    writer.legacy_context_switch({now, 1, fxt::ThreadState::kBlocked, thread, {4, 0, 0}, 1, 2});
    host::ArchiveEvent event = {fxt::EventType::kDurationBegin, now + 1, thread, name, name, 0};
    const ArchiveArgument number = ArchiveArgument::uint32(ArchiveText::indexed(5), i);
    (void)writer.event(event, {&number, 1});
    event.type = fxt::EventType::kInstant;
    const ArchiveArgument two[] = {
        ArchiveArgument::uint64(ArchiveText::indexed(6), now),
        ArchiveArgument::string(ArchiveText::indexed(7), ArchiveText::spelled_out("a message"))};
    (void)writer.event(event, two);
    event.type = fxt::EventType::kCounter;
    (void)writer.event(event, {&number, 1});
    event.type = fxt::EventType::kDurationEnd;
    (void)writer.event(event, {});
    event.type = fxt::EventType::kDurationComplete;
    event.trailing_word = now + 50;
    (void)writer.event(event, {});
    (void)writer.thread_wakeup({now, 1, 11}, {});
  }
}

// The records of an archive, each copied on its own: what a writer does at the very least.
void copy_records(ArchiveWriter& writer, const std::vector<uint8_t>& archive) {
  for (size_t at = 0; at < archive.size();) {
    uint16_t head = 0;
    std::memcpy(&head, archive.data() + at, sizeof head);
    const size_t words = head >> 4;
    std::memcpy(writer.open_record(words), archive.data() + at, words * 8);
    writer.close_record(words);
    at += words * 8;
  }
}

template <typename Work>
double seconds(const Work& work) {
  const auto start = std::chrono::steady_clock::now();
  CountingSink sink;
  ArchiveWriter writer(sink, host::ByteOrder::kLittle);
  work(writer);
  EXPECT_FALSE(writer.flush());
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(ArchiveSpeed, WritingIsNotMuchSlowerThanCopying) {
  if (kSanitized || !kOptimized)
    GTEST_SKIP() << "only an optimized build without sanitizers is measured";
  MemorySink memory;
  ArchiveWriter writer(memory, host::ByteOrder::kLittle);
  write_mix(writer);
  ASSERT_FALSE(writer.flush());
  const std::vector<uint8_t>& archive = memory.bytes();

  double writing = 1e9;
  double copying = 1e9;
  for (int i = 0; i < 30; ++i) {
    writing = std::min(writing, seconds([](ArchiveWriter& to) { write_mix(to); }));
    copying = std::min(copying, seconds([&](ArchiveWriter& to) { copy_records(to, archive); }));
  }
  const double megabytes = static_cast<double>(archive.size()) / 1e6;
  std::printf("writing %.0f MB/s, %.1f million records/s; copying %.0f MB/s; ratio %.2f\n",
              megabytes / writing, 7 * kRounds / writing / 1e6, megabytes / copying,
              writing / copying);
  EXPECT_LT(writing, 6 * copying);
}

}  // namespace
}  // namespace barefxt::test
