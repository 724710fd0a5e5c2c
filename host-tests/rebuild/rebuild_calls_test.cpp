// Calls of functions: one word each, whose thread and upper bits of time stand in records before
// it.
#include <array>
#include <gtest/gtest.h>

#include "archive/memory_sink.h"
#include "contains.h"
#include "hostile/function_elf.h"
#include "rebuild_harness.h"

namespace barefxt::test::rebuild_calls_test {
namespace {

using host::RebuildVerdict;

constexpr uint64_t kEntry = 0;
constexpr uint64_t kExit = 1;

// Type 13, one word; bit 19 marks a call; the function from bit 20, the low 20 bits of time
// from 44.
Words call(uint64_t action, uint64_t function, uint64_t time) {
  return {13 | 1 << 4 | action << 16 | 1 << 19 | function << 20 | time << 44};
}
// Two words: the thread's index in place of the time, which is a word of its own.
Words long_call(uint64_t action, uint64_t function, uint64_t time, uint64_t thread) {
  return {13 | 2 << 4 | action << 16 | 1 << 19 | function << 20 | thread << 44, time};
}
Words inline_call(uint64_t action, uint64_t function, uint64_t time, uint64_t process,
                  uint64_t thread) {
  return {13 | 4 << 4 | action << 16 | 1 << 19 | function << 20, time, process, thread};
}

struct Call {
  bool begins;
  std::string name;
  uint64_t time;
  uint64_t thread;
  bool operator==(const Call&) const = default;
};
std::ostream& operator<<(std::ostream& out, const Call& call) {
  return out << (call.begins ? "begin of " : "end of ") << call.name << " at " << call.time
             << " on " << call.thread;
}

std::vector<Call> calls(const Rebuilt& rebuilt) {
  std::vector<Call> found;
  for (const PlainRecord& record : decode_plainly(rebuilt.archive).records)
    if (record.type == 4 && record.category == "function")
      found.push_back({record.subtype == 2, record.name, record.timestamp, record.thread});
  return found;
}

// One CPU, and what it recorded, segment by segment.
TestCapture capture_of(const std::vector<std::vector<Words>>& segments) {
  TestCapture capture = two_cpu_capture(0);
  capture.cpus = 1;
  capture.stop_ticks = 1 << 24;
  for (uint32_t segment = 0; segment < segments.size(); ++segment)
    capture.pieces.push_back({.cpu = 0, .segment = segment, .records = segments[segment]});
  return capture;
}

Rebuilt rebuild_whole(const std::vector<std::vector<Words>>& segments) {
  const Rebuilt rebuilt = rebuild(binary_form(capture_of(segments).frames()));
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  return rebuilt;
}

uint64_t koid_of(unsigned index) {
  for (const TestThread& thread : two_cpu_capture(0).threads)
    if (thread.kind != 1 && thread.index == index) return thread.koid;
  return 0;
}

TEST(RebuildCalls, HaveTheUpperBitsAndTheThreadOfTheLongOneAheadOfThem) {
  const uint64_t base = 0x300000;
  const Rebuilt rebuilt =
      rebuild_whole({{long_call(kEntry, 7, base + 5, 1), call(kEntry, 8, 0xffffe),
                      call(kExit, 8, 0xfffff), long_call(kExit, 7, base + 0x100000, 1)}});
  EXPECT_EQ(calls(rebuilt),
            (std::vector<Call>{{true, "function#7", base + 5, koid_of(1)},
                               {true, "function#8", base + 0xffffe, koid_of(1)},
                               {false, "function#8", base + 0xfffff, koid_of(1)},
                               {false, "function#7", base + 0x100000, koid_of(1)}}));
  EXPECT_TRUE(rebuilt.reports("4 begins and ends of calls of functions without a name"))
      << rebuilt.messages;
}

TEST(RebuildCalls, BelongToTheThreadThatASwitchNamed) {
  const Rebuilt rebuilt =
      rebuild_whole({{long_call(kEntry, 7, 1000, 1), context_switch(1001, 0, 3, 1, 2, 0, 0),
                      call(kEntry, 7, 1002), call(kExit, 7, 1003),
                      context_switch(1004, 0, 3, 2, 1, 0, 0), call(kExit, 7, 1005)}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {true, "function#7", 1002, koid_of(2)},
                                               {false, "function#7", 1003, koid_of(2)},
                                               {false, "function#7", 1005, koid_of(1)}}));
}

TEST(RebuildCalls, BelongToTheThreadThatASwitchBehindOtherRecordsNamed) {
  const Rebuilt rebuilt =
      rebuild_whole({{long_call(kEntry, 7, 1000, 1), instant(1001, 1, 1, 2, 3, 1),
                      context_switch(1002, 0, 3, 1, 2, 0, 0), instant(1003, 2, 1, 2, 3, 2),
                      call(kEntry, 9, 1004), call(kExit, 9, 1005)}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {true, "function#9", 1004, koid_of(2)},
                                               {false, "function#9", 1005, koid_of(2)}}));
}

TEST(RebuildCalls, BelongToTheThreadThatASwitchOfTheNewerFormNamed) {
  const Words to_thread_2 = {8 | 4 << 4 | uint64_t{3} << 36 | uint64_t{1} << 60, 1001, koid_of(1),
                             koid_of(2)};
  const Rebuilt rebuilt = rebuild_whole(
      {{long_call(kEntry, 7, 1000, 1), to_thread_2, call(kEntry, 9, 1002), call(kExit, 9, 1003)}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {true, "function#9", 1002, koid_of(2)},
                                               {false, "function#9", 1003, koid_of(2)}}));
}

// State 5: it never runs again. The switch back finds it alive with an index that is another's.
TEST(RebuildCalls, EndWithTheirThread) {
  const Rebuilt rebuilt = rebuild_whole(
      {{long_call(kEntry, 7, 1000, 1), call(kEntry, 8, 1001),
        context_switch(1002, 0, 5, 1, 2, 0, 0), call(kEntry, 7, 1003),
        context_switch(1004, 0, 3, 2, 1, 0, 0), call(kEntry, 9, 1005), call(kExit, 9, 1006)}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {true, "function#8", 1001, koid_of(1)},
                                               {false, "function#8", 1002, koid_of(1)},
                                               {false, "function#7", 1002, koid_of(1)},
                                               {true, "function#7", 1003, koid_of(2)},
                                               {true, "function#9", 1005, koid_of(1)},
                                               {false, "function#9", 1006, koid_of(1)}}));
}

TEST(RebuildCalls, EndWithTheirThreadAlsoByASwitchOfTheNewerForm) {
  const Words to_thread_2 = {8 | 4 << 4 | uint64_t{4} << 36 | uint64_t{1} << 60, 1001, koid_of(1),
                             koid_of(2)};
  const Rebuilt rebuilt = rebuild_whole({{long_call(kEntry, 7, 1000, 1), to_thread_2}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {false, "function#7", 1001, koid_of(1)}}));
}

TEST(RebuildCalls, TellAThreadWithoutAnIndexByItsKoids) {
  const Rebuilt rebuilt =
      rebuild_whole({{inline_call(kEntry, 7, 1000, 50, 51), call(kExit, 7, 1001)}});
  EXPECT_EQ(calls(rebuilt),
            (std::vector<Call>{{true, "function#7", 1000, 51}, {false, "function#7", 1001, 51}}));
}

TEST(RebuildCalls, BearTheArgumentOfAnEntry) {
  constexpr uint64_t kEntryWithArgument = 3;
  const Words by_index = {
      13 | 3 << 4 | kEntryWithArgument << 16 | 1 << 19 | 7 << 20 | uint64_t{1} << 44, 1000,
      0x123456789abcdef0};
  const Words by_koid = {13 | 5 << 4 | kEntryWithArgument << 16 | 1 << 19 | 8 << 20, 1002, 50, 51,
                         5};
  const Rebuilt rebuilt =
      rebuild_whole({{by_index, call(kExit, 7, 1001), by_koid, call(kExit, 8, 1003)}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {false, "function#7", 1001, koid_of(1)},
                                               {true, "function#8", 1002, 51},
                                               {false, "function#8", 1003, 51}}));
  std::vector<uint64_t> arguments;
  for (const PlainRecord& record : decode_plainly(rebuilt.archive).records) {
    if (record.type != 4 || record.category != "function") continue;
    EXPECT_EQ(record.arguments.size(), record.subtype == 2 ? 1u : 0u);
    for (const PlainArgument& argument : record.arguments) {
      EXPECT_EQ(argument.name, "argument 0");
      arguments.push_back(argument.bits);
    }
  }
  EXPECT_EQ(arguments, (std::vector<uint64_t>{0x123456789abcdef0, 5}));
}

// Bit 18: one record for the whole call, at its end; its begin is the last word.
TEST(RebuildCalls, RecordedAsAWholeAreCompleteDurations) {
  const auto whole = [](uint64_t function, uint64_t begin, uint64_t end) {
    return Words{13 | 3 << 4 | 1 << 18 | 1 << 19 | function << 20 | uint64_t{1} << 44, end, begin};
  };
  const Words by_koid = {13 | 5 << 4 | 1 << 18 | 1 << 19 | 9 << 20, 1009, 50, 51, 1004};
  const Words cut = {13 | 2 << 4 | 1 << 18 | 1 << 19 | 9 << 20 | uint64_t{1} << 44, 1010};
  const Rebuilt rebuilt = rebuild(binary_form(
      capture_of({{whole(8, 1002, 1003), whole(7, 1000, 1005), by_koid, cut}}).frames()));
  expect_sound(rebuilt);
  std::string calls;
  for (const PlainRecord& record : decode_plainly(rebuilt.archive).records) {
    if (record.type != 4 || record.category != "function") continue;
    EXPECT_EQ(record.subtype, 4u);
    calls += record.name + " " + std::to_string(record.timestamp) + " to " +
             std::to_string(record.value) + " on " + std::to_string(record.thread) + "\n";
  }
  const std::string on = " on " + std::to_string(koid_of(1)) + "\n";
  EXPECT_EQ(calls, "function#8 1002 to 1003" + on + "function#7 1000 to 1005" + on +
                       "function#9 1004 to 1009 on 51\n");
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete) << rebuilt.messages;
}

TEST(RebuildCalls, EndOnlyWhatBegan) {
  const Rebuilt rebuilt =
      rebuild_whole({{long_call(kExit, 6, 1000, 1), call(kEntry, 7, 1001), call(kEntry, 8, 1002),
                      call(kExit, 7, 1003), call(kExit, 8, 1004)}});
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1001, koid_of(1)},
                                               {true, "function#8", 1002, koid_of(1)},
                                               {false, "function#8", 1003, koid_of(1)},
                                               {false, "function#7", 1003, koid_of(1)}}));
  EXPECT_TRUE(rebuilt.reports("2 exits left out")) << rebuilt.messages;
  EXPECT_TRUE(rebuilt.reports("1 call without an exit ended with the call around"))
      << rebuilt.messages;
}

// Entries of `depth` calls within each other, orphan exits within the innermost, and their exits.
TEST(RebuildCalls, AreFollowedToALimitAndCountedBeyond) {
  constexpr size_t kDeepest = 4096;
  constexpr size_t kMore = 4;
  constexpr size_t kOrphans = 10;
  std::vector<std::vector<Words>> segments;
  uint64_t time = 1000;
  size_t recorded = 0;
  const auto record = [&](uint64_t action, uint64_t function) {
    const bool is_first = recorded++ % 1000 == 0;
    if (is_first) segments.emplace_back();
    segments.back().push_back(is_first ? long_call(action, function, time, 1)
                                       : call(action, function, time));
    ++time;
  };
  const auto function = [](size_t depth) { return 100 + depth % 50; };
  for (size_t depth = 0; depth < kDeepest + kMore; ++depth) record(kEntry, function(depth));
  for (size_t depth = kDeepest + kMore; depth-- > kDeepest;) record(kExit, function(depth));
  for (size_t i = 0; i < kOrphans; ++i) record(kExit, 7);
  for (size_t depth = kDeepest; depth-- > 0;) record(kExit, function(depth));
  const Rebuilt rebuilt = rebuild(binary_form(capture_of(segments).frames()));
  expect_sound(rebuilt);
  const std::vector<Call> all = calls(rebuilt);
  ASSERT_EQ(all.size(), 2 * kDeepest);
  for (size_t depth = 0; depth < kDeepest; ++depth) {
    const Call& begin = all[depth];
    const Call& end = all[all.size() - 1 - depth];
    ASSERT_TRUE(begin.begins && !end.begins && begin.name == end.name) << begin << ", " << end;
  }
  EXPECT_TRUE(rebuilt.reports("4 calls left out: nested deeper than 4096")) << rebuilt.messages;
  EXPECT_TRUE(rebuilt.reports("10 exits left out")) << rebuilt.messages;
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
}

TEST(RebuildCalls, AreLeftOutWhereWhatTheyReferToIsInAnotherSegment) {
  const Rebuilt rebuilt = rebuild(
      binary_form(capture_of({{long_call(kEntry, 7, 1000, 1)}, {call(kExit, 7, 1001)}}).frames()));
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)}}));
  EXPECT_TRUE(rebuilt.reports(
      "1 record left out: calls whose thread and time were in records that are missing"))
      << rebuilt.messages;
}

TEST(RebuildCalls, AreLeftOutWhereWhatTheyReferToWasInAFrameThatIsMissing) {
  TestCapture capture = capture_of({{long_call(kEntry, 7, 1000, 1), call(kExit, 7, 1001)}});
  capture.pieces.push_back({.cpu = 0, .segment = 0, .records = {call(kEntry, 8, 1002)}});
  capture.pieces.push_back({.cpu = 0, .segment = 0, .records = {call(kExit, 8, 1003)}});
  const Rebuilt whole = rebuild(binary_form(capture.frames()));
  EXPECT_EQ(whole.verdict, RebuildVerdict::kComplete) << whole.messages;
  EXPECT_EQ(calls(whole).size(), 4u);

  // The middle one of three frames with records.
  std::vector<Bytes> frames = capture.frames();
  constexpr size_t kType = 1;
  constexpr uint8_t kRecords = 4;
  size_t seen = 0;
  for (size_t i = 0; i < frames.size(); ++i)
    if (frames[i][kType] == kRecords && ++seen == 2) {
      frames.erase(frames.begin() + static_cast<ptrdiff_t>(i));
      break;
    }
  const Rebuilt rebuilt = rebuild(binary_form(frames));
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_EQ(calls(rebuilt), (std::vector<Call>{{true, "function#7", 1000, koid_of(1)},
                                               {false, "function#7", 1001, koid_of(1)}}));
  EXPECT_TRUE(rebuilt.reports("1 record left out: calls")) << rebuilt.messages;
}

TEST(RebuildCalls, ThatAreMalformedAreLeftOut) {
  // In the long form, and too short for the koids.
  const Rebuilt rebuilt = rebuild(
      binary_form(capture_of({{long_call(kEntry, 7, 1000, 0), call(kExit, 7, 1001)}}).frames()));
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kIncomplete);
  EXPECT_TRUE(calls(rebuilt).empty());
}

TEST(RebuildCalls, OfAnotherBuildThanTheProgramHaveNoNames) {
  struct Case {
    std::string recorded;
    std::string program;
    bool is_other;
  };
  for (const Case& one : std::to_array<Case>({{"abcd", "abcd", false},
                                              {"ab", "abcd", false},  // the beginning is enough
                                              {"", "abcd", false},    // not in the trace
                                              {"abcd", "", false},
                                              {"abce", "abcd", true},
                                              {"abcde", "abcd", true}})) {
    TestCapture capture = capture_of({{long_call(kEntry, 7, 1000, 1), call(kExit, 7, 1001)}});
    capture.build_id = one.recorded;
    const Bytes file = function_elf(std::string(1, '\0'), {}, {}, one.program);
    const auto program = host::ElfFile::parse(file, "program");
    ASSERT_TRUE(program.ok());
    std::string messages;
    host::Rebuild rebuild([&](const std::string& line) { messages += line + "\n"; });
    rebuild.name_by(program.value());
    ASSERT_TRUE(rebuild.feed(binary_form(capture.frames())).ok());
    ASSERT_TRUE(rebuild.end_input("input").ok());
    MemorySink sink;
    const auto verdict = rebuild.write(sink, host::ByteOrder::kLittle);
    ASSERT_TRUE(verdict.ok());
    EXPECT_EQ(verdict.value(),
              one.is_other ? RebuildVerdict::kIncomplete : RebuildVerdict::kComplete);
    const bool is_reported =
        messages.find("recorded by another build than --elf names") != std::string::npos;
    EXPECT_EQ(is_reported, one.is_other) << messages;
    if (one.recorded == "abce") {
      EXPECT_TRUE(contains(messages, "by build id 61626365, not 61626364"));
    }
  }
}

// At the end, on the pseudo-thread of CPU 0, as barefxt stats adds them up.
TEST(RebuildCalls, CallsThatTheTargetLeftOutAreReportedAndNoLoss) {
  TestCapture capture = capture_of({{long_call(kEntry, 7, 5, 1), call(kExit, 7, 6)}});
  capture.calls_left_out = {3, 0x100000002, 0, 1};
  const Rebuilt rebuilt = rebuild(binary_form(capture.frames()));
  expect_sound(rebuilt);
  EXPECT_EQ(rebuilt.verdict, RebuildVerdict::kComplete) << rebuilt.messages;
  EXPECT_TRUE(contains(rebuilt.messages,
                       "4294967302 calls left out by the limits on the target: 3 too short, "
                       "4294967298 too deep, 0 without an end of their own, 1 that had not "
                       "ended"));
  uint64_t is_reported = 0;
  for (const PlainRecord& record : decode_plainly(rebuilt.archive).records) {
    if (record.type != 4 || record.name != "calls_left_out") continue;
    ++is_reported;
    EXPECT_EQ(record.subtype, 0u);
    EXPECT_EQ(record.category, "barefxt");
    EXPECT_EQ(record.timestamp, capture.stop_ticks);
    EXPECT_EQ(record.thread, 0x7f000000u);
  }
  EXPECT_EQ(is_reported, 1u);

  // Without calls left out nothing is printed, nor without limits.
  for (const std::vector<uint64_t>& none : {std::vector<uint64_t>{0, 0, 0, 0}, {}}) {
    capture.calls_left_out = none;
    const Rebuilt whole = rebuild(binary_form(capture.frames()));
    EXPECT_TRUE(lacks(whole.messages, "left out by"));
  }
}

}  // namespace
}  // namespace barefxt::test::rebuild_calls_test
