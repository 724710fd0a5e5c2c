// Rules against a capture that arrives: what ends it is violated in the archive of what came, and
// comes as soon as records show it.
#include <gtest/gtest.h>
#include <malloc.h>
#include <random>

#include <barefxt/host/arriving_check.h>

#include "archive/memory_sink.h"
#include "build_kind.h"
#include "random_rules.h"
#include "rebuild/rebuild_harness.h"
#include "top/endless_stream.h"

namespace barefxt::test::arriving_check_test {
namespace {

using namespace checking;

constexpr unsigned kLockType = 5;
// The koids of a capture's pseudo-threads are fixed.
constexpr uint32_t kCpuThread = 0x7f000000;
constexpr uint32_t kCpuProcess = 0x7e000000;

// The records of a trace that are no names, and refer to no table.
std::vector<Words> words_of(const RuleTrace& trace) {
  const std::string archive = trace.archive();
  std::vector<Words> records;
  for (size_t at = 8; at < archive.size();) {
    uint64_t header = 0;
    std::memcpy(&header, archive.data() + at, sizeof header);
    Words words((header >> 4) & 0xfff);
    std::memcpy(words.data(), archive.data() + at, words.size() * sizeof header);
    at += words.size() * sizeof header;
    constexpr uint64_t kInitialization = 1;
    constexpr uint64_t kEvent = 4;
    constexpr uint64_t kKernelObject = 7;
    constexpr size_t kProcess = 2;  // words of an event
    constexpr size_t kThread = 3;
    if ((header & 15) == kEvent && words[kThread] >= kFirstCpu) {
      words[kProcess] = kCpuProcess;
      words[kThread] += kCpuThread - kFirstCpu;
    }
    if ((header & 15) != kInitialization && (header & 15) != kKernelObject)
      records.push_back(words);
  }
  return records;
}

TestCapture stream() {
  TestCapture capture;
  capture.ticks_per_second = 1'000'000'000;
  capture.start_ticks = 10;
  capture.mode = 3;
  capture.cpus = kCpus;
  for (unsigned i = 0; i < kThreads; ++i)
    capture.threads.push_back(
        {2, 0, static_cast<uint32_t>(kFirstThread + i), 1, thread_name(kFirstThread + i)});
  for (unsigned i = 0; i < kCpus; ++i) {
    capture.threads.push_back({3, 0, kCpuThread + i, kCpuProcess, thread_name(kFirstCpu + i)});
    capture.threads.push_back(
        {2, 0, static_cast<uint32_t>(kIdleThread + i), 0, thread_name(kIdleThread + i)});
  }
  for (unsigned i = 0; i < kLocks; ++i)
    capture.threads.push_back(
        {4, 0, static_cast<uint32_t>(kFirstLock + i), kLockType, "l" + std::to_string(i)});
  return capture;
}

// As pieces of one to three records, each CPU's by itself. A loss is a record that was dropped.
TestCapture capture_of(const RuleTrace& trace, unsigned seed) {
  TestCapture capture = stream();
  const std::vector<Words> words = words_of(trace);
  std::mt19937 random(seed);
  std::array<TestPiece, kCpus> pieces;
  std::array<uint32_t, kCpus> segments{};
  std::array<uint64_t, kCpus> lost{};
  const auto end_piece = [&](unsigned cpu) {
    if (pieces[cpu].records.empty()) return;
    capture.pieces.push_back(pieces[cpu]);
    pieces[cpu].records.clear();
  };
  for (size_t i = 0; i < words.size(); ++i) {
    const Rec& one = trace.records()[i];
    TestPiece& piece = pieces[one.cpu];
    if (one.kind == Rec::kLoss) {
      end_piece(one.cpu);
      ++lost[one.cpu];
      continue;
    }
    if (piece.records.empty()) {
      piece.cpu = static_cast<uint16_t>(one.cpu);
      piece.segment = segments[one.cpu]++;
      piece.records_lost = lost[one.cpu];
      piece.bytes_lost = lost[one.cpu] * 24;
    }
    piece.records.push_back(words[i]);
    if (piece.records.size() == 3 || random() % 2 == 0) end_piece(one.cpu);
  }
  for (unsigned cpu = 0; cpu < kCpus; ++cpu) end_piece(cpu);
  capture.stop_ticks = trace.records().back().time + 1;
  return capture;
}

class Live {
 public:
  explicit Live(const std::string& rules) : rules_(rules_of(rules)), check_(rebuild_, rules_) {}

  const host::TraceRule* feed(const Bytes& bytes) {
    EXPECT_TRUE(rebuild_.feed(bytes).ok());
    return check_.advance();
  }
  // The verdicts on what has come.
  std::vector<host::RuleVerdict> verdicts() {
    EXPECT_TRUE(rebuild_.end_input("input").ok());
    MemorySink sink;
    EXPECT_TRUE(rebuild_.write(sink, host::ByteOrder::kLittle).ok());
    host::Source source = host::Source::of(sink.bytes(), "archive");
    auto checked = host::check(source, {}, rules_, "rules", {.explained = 0});
    EXPECT_TRUE(checked.ok());
    return std::move(checked.value().verdicts);
  }
  const std::vector<host::TraceRule>& rules() const { return rules_; }
  host::RuleCase first_case() const { return check_.first_case(); }

 private:
  std::vector<host::TraceRule> rules_;
  host::Rebuild rebuild_{[](const std::string&) {}};
  host::ArrivingCheck check_;
};

enum class Line : uint8_t { kGood, kLosing, kMixing };

// Hello, strings and threads come, and what is lost or late of them has its own words in rules.md.
void disturb(std::vector<Bytes>& frames, Line line, std::mt19937& random) {
  constexpr size_t kTables = 2;
  if (frames.size() < kTables + 8) return;
  const auto some = [&] {
    return frames.begin() + static_cast<ptrdiff_t>(kTables + random() % (frames.size() - kTables));
  };
  for (int i = 0; i < 2; ++i) {
    if (line == Line::kLosing) frames.erase(some());
    if (line == Line::kMixing) std::iter_swap(some(), some());
  }
}

// Counts captures that ended early, and those that would have.
struct Counts {
  unsigned ended = 0;
  unsigned violated = 0;
};

void judge_while_arriving(size_t seed, Line line, Counts& counts) {
  RandomRules random(seed);
  const RuleTrace trace = random.trace(60, line == Line::kGood ? 2 : 1);
  std::vector<Bytes> frames = capture_of(trace, static_cast<unsigned>(seed)).frames();
  std::mt19937 choice(static_cast<unsigned>(seed));
  disturb(frames, line, choice);
  for (int i = 0; i < 6; ++i) {
    const std::string rule = random.rule();
    Live live(rule);
    const host::TraceRule* ended = nullptr;
    for (size_t at = 0; at < frames.size() && ended == nullptr; ++at)
      ended = live.feed(binary_form({frames[at]}));
    const host::RuleVerdict verdict = live.verdicts().at(0);
    counts.ended += ended != nullptr ? 1 : 0;
    counts.violated += verdict.outcome == host::RuleOutcome::kViolated ? 1 : 0;
    ASSERT_TRUE(ended == nullptr || verdict.outcome == host::RuleOutcome::kViolated)
        << "seed " << seed << ", rule: " << rule << "\nlive: " << live.first_case().text << " at "
        << live.first_case().end;
    if (ended != nullptr && line == Line::kGood) {
      ASSERT_LE(verdict.first->end, live.first_case().end) << "seed " << seed << ", " << rule;
    }
  }
}

class ArrivingCheck : public testing::TestWithParam<Line> {};

TEST_P(ArrivingCheck, EndsOnlyForWhatTheArchiveViolates) {
  Counts counts;
  const size_t traces = is_full_run() ? 15'000 : sampled(300);
  for (size_t seed = 0; seed < traces; ++seed) {
    judge_while_arriving(seed, GetParam(), counts);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(counts.violated, traces / 2);
  EXPECT_GT(counts.ended, counts.violated / (GetParam() == Line::kGood ? 2 : 5));
}

INSTANTIATE_TEST_SUITE_P(Lines, ArrivingCheck,
                         testing::Values(Line::kGood, Line::kLosing, Line::kMixing));

// Each record is a piece of its own. Returns how many had to come.
size_t records_until_the_end(const RuleTrace& trace, const std::string& rule) {
  TestCapture capture = stream();
  const std::vector<Words> words = words_of(trace);
  std::array<uint32_t, kCpus> segments{};
  for (size_t i = 0; i < words.size(); ++i) {
    const unsigned cpu = trace.records()[i].cpu;
    capture.pieces.push_back({static_cast<uint16_t>(cpu), segments[cpu]++, {words[i]}});
  }
  const std::vector<Bytes> frames = capture.frames();
  constexpr size_t kTables = 2;
  Live live(rule);
  for (size_t i = 0; i < kTables; ++i) EXPECT_EQ(live.feed(binary_form({frames[i]})), nullptr);
  for (size_t i = 0; i < words.size(); ++i)
    if (live.feed(binary_form({frames[kTables + i]})) != nullptr) return i + 1;
  return 0;
}

Rec at(uint64_t time, unsigned cpu = 0) {
  return {.kind = Rec::kInstant, .time = time, .cpu = cpu, .number = 1};
}

// The first record behind the deadline shows it, and one two ticks later that nothing was lost.
TEST(ArrivingCheckDelay, IsThatOfTheNextRecordsOfEachCpu) {
  RuleTrace trace;
  trace.add({.kind = Rec::kInstant, .time = 100, .number = 0}).add(at(100, 1));
  const char* const rule = "after \"n0\" within 50ns \"n2\"";
  trace.add(at(150)).add(at(150, 1)).add(at(151)).add(at(152, 1));
  trace.add(at(153)).add(at(155, 1)).add(at(156)).add(at(157, 1));
  EXPECT_EQ(records_until_the_end(trace, rule), 8u);
  // A CPU that stays silent may have recorded the answer.
  RuleTrace silent;
  silent.add({.kind = Rec::kInstant, .time = 100, .number = 0}).add(at(100, 1));
  for (uint64_t time = 200; time < 2000; time += 100) silent.add(at(time));
  EXPECT_EQ(records_until_the_end(silent, rule), 0u);
}

// A duration in one record may have begun before what was judged.
TEST(ArrivingCheckDelay, IsTwiceTheLongestDurationWhoseBeginCounts) {
  RuleTrace trace;
  const auto both = [&](uint64_t time) { trace.add(at(time)).add(at(time, 1)); };
  both(100);
  trace.add({.kind = Rec::kComplete, .time = 300, .other = 200, .number = 0});  // 100 ns
  both(300);
  trace.add({.kind = Rec::kInstant, .time = 1000, .number = 2}).add(at(1000, 1));
  const size_t before = trace.records().size();
  for (uint64_t time = 1050; time <= 1500; time += 50) both(time);
  const size_t came = records_until_the_end(trace, "after \"n2\" within 50ns slice \"n0\"");
  ASSERT_GT(came, before);
  EXPECT_EQ(trace.records()[came - 1].time, 1350u);
}

TEST(ArrivingCheck, JudgesTheLaterOfTwoCapturesUpToTheBeginOfTheEarlier) {
  const auto capture = [](uint32_t id, uint64_t first, uint64_t bad) {
    RuleTrace trace;
    for (uint64_t i = 0; i < 20; ++i)
      trace.add({.kind = Rec::kInstant,
                 .time = first + 10 * i,
                 .cpu = static_cast<unsigned>(i % kCpus),
                 .number = i == bad ? 2u : 1u});
    TestCapture one = capture_of(trace, 1);
    one.start_ticks = first;
    one.id = id;
    std::vector<Bytes> frames = one.frames();
    constexpr size_t kTail = 3;  // both tables and the end
    frames.resize(frames.size() - kTail);
    return binary_form(frames);
  };
  constexpr uint64_t kNever = 100;
  // A reset: the clock begins anew.
  Live live("never \"n2\"");
  EXPECT_EQ(live.feed(capture(1, 5000, kNever)), nullptr);
  EXPECT_NE(live.feed(capture(2, 1000, 10)), nullptr);
  EXPECT_EQ(live.verdicts().at(0).outcome, host::RuleOutcome::kViolated);
  // At one time with the other, the archive has both.
  Live mixed("never \"n2\"");
  EXPECT_EQ(mixed.feed(capture(1, 1000, kNever)), nullptr);
  EXPECT_EQ(mixed.feed(capture(2, 1000, 10)), nullptr);
}

// A trace of one thread's marks alone. If `is_renamed`, the thread gets another name between the
// two. Returns true if the capture ended, and the archive's verdict.
std::pair<bool, host::RuleOutcome> with_marks(bool is_renamed) {
  RuleTrace trace;
  const auto mark = [&](uint64_t time, int64_t left) {
    trace.add({.kind = Rec::kStack, .time = time, .other = kFirstThread, .value = left});
    for (uint64_t i = 1; i < 10; ++i) trace.add(at(time + 10 * i, i % kCpus));
  };
  mark(100, 300);
  const size_t first = trace.records().size();
  mark(300, 64);
  TestCapture capture = stream();
  std::array<uint32_t, kCpus> segments{};
  for (const Words& words : words_of(trace)) {
    const unsigned cpu = trace.records()[capture.pieces.size()].cpu;
    capture.pieces.push_back({static_cast<uint16_t>(cpu), segments[cpu]++, {words}});
  }
  constexpr size_t kTables = 2;
  const auto place = static_cast<uint32_t>(kTables + first);
  // Gives the frame of names its number.
  if (is_renamed) capture.pieces.insert(capture.pieces.begin() + first, TestPiece{});
  std::vector<Bytes> frames = capture.frames();
  frames.resize(kTables + capture.pieces.size());
  const std::string name = "other";
  ByteBuilder thread;
  thread.u16(0).u8(2).u8(0).u8(name.size()).u32(kFirstThread).u32(1).raw(name);
  if (is_renamed) frames[place] = make_frame(3, 0, capture.id, place, thread.bytes());
  Live live("stack \"t0\" left >= 128");
  bool has_ended = false;
  for (const Bytes& frame : frames) has_ended |= live.feed(binary_form({frame})) != nullptr;
  return {has_ended, live.verdicts().at(0).outcome};
}

TEST(ArrivingCheck, AThreadThatHasOnlyMarksMayGetAnotherName) {
  EXPECT_EQ(with_marks(false), std::pair(true, host::RuleOutcome::kViolated));
  EXPECT_EQ(with_marks(true), std::pair(false, host::RuleOutcome::kUnknown));
}

TEST(ArrivingCheck, TakesTheMemoryOfItsFirstMinutes) {
  if (kSanitized) GTEST_SKIP() << "the sanitizer's own memory would count";
  EndlessStream endless(false);
  Live live(
      "after \"tick\" within 1s thread \"worker\" runs\nnever thread \"nobody\" runs\n"
      "every 50ms +- 20ms \"tick\"\norder \"tick\" \"demo\" per thread\n");
  live.feed(endless.begin());
  const auto bytes_after = [&](int steps) {
    for (int i = 0; i < steps; ++i) live.feed(endless.next(2 * EndlessStream::kTicksPerSecond));
    const struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
  };
  const size_t early = bytes_after(200);
  EXPECT_LT(bytes_after(1500), early + 300'000);
}

}  // namespace
}  // namespace barefxt::test::arriving_check_test
