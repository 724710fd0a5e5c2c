// Samples: what is recorded of a chain of frames, and that nothing outside of the stack is read.

#include <random>
#include <sys/mman.h>
#include <unistd.h>

#include <barefxt/host/frame_scanner.h>
#include <barefxt/sample.h>

#include "rebuild/record_decoder.h"
#include "session_fixture.h"

namespace barefxt::test::sample_test {
namespace {

using Frames = std::vector<uint64_t>;

constexpr unsigned kBacktrace = 2;
constexpr uintptr_t kWord = sizeof(uintptr_t);
constexpr uintptr_t kReturn = BAREFXT_PORT_FRAME_RETURN;
constexpr uintptr_t kCaller = BAREFXT_PORT_FRAME_CALLER;

// A stack with nothing readable around it.
class GuardedStack {
 public:
  GuardedStack() : page_(static_cast<uintptr_t>(sysconf(_SC_PAGESIZE))) {
    void* const all = mmap(nullptr, 3 * page_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    EXPECT_NE(all, MAP_FAILED);
    begin_ = reinterpret_cast<uintptr_t>(all) + page_;
    EXPECT_EQ(mprotect(reinterpret_cast<void*>(begin_), page_, PROT_READ | PROT_WRITE), 0);
  }
  ~GuardedStack() { munmap(reinterpret_cast<void*>(begin_ - page_), 3 * page_); }
  GuardedStack(const GuardedStack&) = delete;
  GuardedStack& operator=(const GuardedStack&) = delete;

  uintptr_t begin() const { return begin_; }
  uintptr_t end() const { return begin_ + page_; }
  uintptr_t& word(uintptr_t address) const { return *reinterpret_cast<uintptr_t*>(address); }
  void make_frame(uintptr_t at, uintptr_t address, uintptr_t caller) const {
    word(at + kReturn * kWord) = address;
    word(at + kCaller * kWord) = caller;
  }
  // `count` frames of 4 words from the begin on. Returns the first.
  uintptr_t make_chain(uintptr_t count) const {
    for (uintptr_t i = 0; i < count; ++i) {
      const uintptr_t frame = begin_ + 4 * kWord * i;
      make_frame(frame, 0x2000 + i, i + 1 == count ? 0 : frame + 4 * kWord);
    }
    return begin_;
  }

 private:
  uintptr_t page_;
  uintptr_t begin_ = 0;
};

class SampleTest : public SessionTest {
 protected:
  void SetUp() override {
    SessionTest::SetUp();
    barefxt_process_register(10, "proc");
    barefxt_thread_register(&thread_, 10, 101, "alpha", 5);
  }
  void TearDown() override {
    barefxt_thread_unregister(&thread_);
    SessionTest::TearDown();
  }
  void start_in_thread() {
    start();
    barefxt_context_switch(&thread_, BAREFXT_STATE_RUNNABLE, &thread_);
  }
  std::vector<PlainRecord> samples() { return stop_and_read().of_type(10); }
  // The frames of the one sample.
  Frames frames() {
    const std::vector<PlainRecord> all = samples();
    EXPECT_EQ(all.size(), 1u);
    return all.empty() ? Frames{} : all[0].numbers;
  }

  barefxt_thread thread_ = {};
  GuardedStack stack_;
};

TEST_F(SampleTest, AnAddressIsABacktraceOfOneOfTheRunningThread) {
  start_in_thread();
  set_time(700);
  barefxt_sample(0x1234, 0, 0, 0);
  const std::vector<PlainRecord> all = samples();
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].subtype, kBacktrace);
  EXPECT_EQ(all[0].thread, 101u);
  EXPECT_EQ(all[0].process, 10u);
  EXPECT_EQ(all[0].timestamp, 701u);
  EXPECT_EQ(all[0].numbers, Frames{0x1234});
}

TEST_F(SampleTest, TakesTwoWordsForAnAddressAndOneMoreIfItIsFar) {
  if constexpr (kLinear) GTEST_SKIP();
  const auto recorded = [this](uintptr_t pc) {
    start_in_thread();
    const auto at = [] { return Position::offset(rings[0].position.load_relaxed()); };
    const PositionWord before = at();
    barefxt_sample(pc, 0, 0, 0);
    const PositionWord bytes = at() - before;
    EXPECT_EQ(frames(), Frames{pc});
    return bytes;
  };
  constexpr uintptr_t kFar = uintptr_t{1} << 35;
  for (const uintptr_t near : {uintptr_t{0}, kFar - 1, ~uintptr_t{0}, ~kFar + 1})
    EXPECT_EQ(recorded(near), 16u) << near;
  for (const uintptr_t far : {kFar, ~kFar, uintptr_t{0xffff000012345678}})
    EXPECT_EQ(recorded(far), 24u) << far;
}

TEST_F(SampleTest, AThreadWithoutAnIndexIsNamedInTheRecord) {
  if constexpr (!kInlineThreads) GTEST_SKIP();
  barefxt_thread stranger = {};
  stranger.koid = 301;
  stranger.process = 10;
  start();
  barefxt_context_switch(&thread_, BAREFXT_STATE_RUNNABLE, &stranger);
  barefxt_sample(0x1234, 0, 0, 0);
  barefxt_sample(0x1234, stack_.make_chain(2), stack_.begin(), stack_.end());
  const std::vector<PlainRecord> all = samples();
  ASSERT_EQ(all.size(), 2u);
  for (const PlainRecord& sample : all) EXPECT_EQ(sample.thread, 301u);
  EXPECT_EQ(all[0].numbers, Frames{0x1234});
  EXPECT_EQ(all[1].numbers, (Frames{0x1234, 0x2000, 0x2001}));
}

TEST_F(SampleTest, NothingIsRecordedWhileTheCategoryIsOff) {
  start(16, ~BAREFXT_CATEGORY_BIT(samples));
  barefxt_sample(0x1234, 0, 0, 0);
  barefxt_sample(0x1234, stack_.make_chain(2), stack_.begin(), stack_.end());
  EXPECT_TRUE(samples().empty());
}

TEST_F(SampleTest, ABacktraceFollowsTheChainToItsEnd) {
  Frames expected = {0x1234};
  for (uintptr_t count = 1; count <= BAREFXT_SAMPLE_CALLERS; ++count) {
    expected.push_back(0x2000 + count - 1);
    start_in_thread();
    barefxt_sample(0x1234, stack_.make_chain(count), stack_.begin(), stack_.end());
    EXPECT_EQ(frames(), expected);
  }
}

TEST_F(SampleTest, ABacktraceHasNoMoreCallersThanItMay) {
  for (const uintptr_t more : {uintptr_t{0}, uintptr_t{1}}) {
    start_in_thread();
    barefxt_sample(0x1234, stack_.make_chain(BAREFXT_SAMPLE_CALLERS + more), stack_.begin(),
                   stack_.end());
    const Frames all = frames();
    ASSERT_EQ(all.size(), 1u + BAREFXT_SAMPLE_CALLERS);
    EXPECT_EQ(all.back(), 0x2000u + BAREFXT_SAMPLE_CALLERS - 1);
  }
}

TEST_F(SampleTest, FramesOutsideOfTheStackAreNotFollowed) {
  const uintptr_t first = stack_.make_chain(2);
  const uintptr_t second = first + 4 * kWord;
  const struct {
    uintptr_t fp;
    uintptr_t sp;
    uintptr_t end;
    Frames expected;
  } cases[] = {
      {first, first, second + 2 * kWord, {0x1234, 0x2000, 0x2001}},
      {first, first, second + 2 * kWord - 1, {0x1234, 0x2000}},
      {first, first, first + 2 * kWord, {0x1234, 0x2000}},
      {first, first, first + 2 * kWord - 1, {0x1234}},
      {first, first + 1, second, {0x1234}},
      {first + 1, first + 1, second, {0x1234}},
      {first + 1, first, second + 2 * kWord, {0x1234, 0x2000, 0x2001}},
      {first, first, 0, {0x1234}},
      {first, first, kWord, {0x1234}},
      {0, first, second, {0x1234}},
      {~uintptr_t{0}, first, second, {0x1234}},
      {second, first, second, {0x1234}},
      {first - kWord, first, second, {0x1234}},
  };
  for (const auto& one : cases) {
    start_in_thread();
    barefxt_sample(0x1234, one.fp, one.sp, one.end);
    EXPECT_EQ(frames(), one.expected) << one.fp << " " << one.sp << " " << one.end;
  }
}

TEST_F(SampleTest, AChainThatDoesNotAscendEnds) {
  const uintptr_t frame = stack_.begin() + 8 * kWord;
  for (const uintptr_t caller : {frame, frame - 4 * kWord, stack_.begin(), uintptr_t{1}}) {
    stack_.make_frame(frame, 0x2000, caller);
    start_in_thread();
    barefxt_sample(0x1234, frame, stack_.begin(), stack_.end());
    EXPECT_EQ(frames(), (Frames{0x1234, 0x2000})) << caller - frame;
  }
}

// A fault would end the test's program.
TEST_F(SampleTest, NoContentOfAStackLeadsOutOfIt) {
  std::mt19937_64 random(36);
  const auto size = static_cast<uintptr_t>(stack_.end() - stack_.begin());
  start_in_thread();
  for (unsigned round = 0; round < 200; ++round) {
    for (uintptr_t at = stack_.begin(); at < stack_.end(); at += kWord)
      stack_.word(at) = stack_.begin() - 32 + random() % (size + 64);
    for (unsigned i = 0; i < 50; ++i) {
      const uintptr_t sp = stack_.begin() + random() % size;
      const uintptr_t end = sp + random() % (stack_.end() - sp + 1);
      barefxt_sample(0x1234, sp - 32 + random() % (end - sp + 64), sp, end);
    }
  }
  barefxt_stop();
}

// It asks for its frame: so the compiler makes one.
[[gnu::noinline]] void innermost(const GuardedStack&) {
  const auto fp = reinterpret_cast<uintptr_t>(__builtin_frame_address(0));
  barefxt_sample(0x1234, fp, fp, fp + 4096);
}

TEST_F(SampleTest, TheCompilersFramesAreOnesOfThePort) {
  start_in_thread();
  innermost(stack_);
  const Frames all = frames();
  ASSERT_GE(all.size(), 2u);
  const auto here = reinterpret_cast<uintptr_t>(&&after);
  // This function holds a call, and is not long.
  EXPECT_LT(all[1], here + 4096);
  EXPECT_GT(all[1], here - 4096);
after:;
}

// Counts records frames, and compares the version of each with what it holds.
class VersionsSink final : public host::FrameSink {
 public:
  unsigned frames = 0;
  unsigned with_samples = 0;

  void on_frame(const host::Frame& frame) override {
    if (frame.type != static_cast<uint8_t>(wire::FrameType::kRecords)) return;
    ++frames;
    std::vector<uint8_t> raw(frame.payload.begin(), frame.payload.end());
    const bool is_coded = raw.at(wire::Records::kCoding) != 0;
    if (is_coded) {
      ASSERT_TRUE(host::uncode_records(frame.payload, host::ByteOrder::kLittle, raw));
    }
    bool has_samples = false;
    for (size_t at = wire::Records::kWords; at < raw.size();) {
      const uint64_t header = wire::load_u64(&raw[at]);
      has_samples |= fxt::SampleRecord::is_sample(header);
      at += 8 * fxt::RecordHeader::SizeWords::in(header);
    }
    with_samples += has_samples ? 1 : 0;
    EXPECT_EQ(frame.version, is_coded      ? wire::kVersionOfPacked
                             : has_samples ? wire::kVersionOfCompact
                                           : wire::kVersion);
  }
  void on_damaged(uint64_t /*input_offset*/) override { ADD_FAILURE(); }
  void on_other_version(uint8_t /*version*/, uint64_t /*input_offset*/) override { ADD_FAILURE(); }
};

// Frames of coded records have another one, whatever records these are.
TEST_F(SampleTest, OnlyFramesWithSamplesHaveTheirVersion) {
  start_in_thread();
  uint32_t next = 0;
  for (const uint32_t numbers : {60u, 1u, 0u, 2u, 0u, 60u}) {
    write_numbers(next, next + numbers);
    next += numbers;
    barefxt_sample(0x1234, 0, 0, 0);
  }
  write_numbers(next, next + 60);
  barefxt_stop();
  for (const barefxt_dump_form form :
       {BAREFXT_DUMP_BINARY, BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT}) {
    if (kLinear && form != BAREFXT_DUMP_BINARY) continue;
    const std::vector<uint8_t> dumped = dump(form);
    VersionsSink sink;
    host::FrameScanner scanner(sink);
    scanner.feed(dumped);
    scanner.finish();
    EXPECT_GT(sink.with_samples, 0u);
    if (form != BAREFXT_DUMP_BINARY_CODED) {
      EXPECT_GT(sink.frames, sink.with_samples);
    }
    EXPECT_EQ(read(dumped).of_type(10).size(), 6u);
  }
}

TEST_F(SampleTest, ATraceWithoutFramesHasTheSameSamples) {
  if constexpr (kLinear) GTEST_SKIP();
  start_in_thread();
  set_time(700);
  barefxt_sample(0x1234, 0, 0, 0);
  barefxt_sample(0x1234, stack_.make_chain(2), stack_.begin(), stack_.end());
  barefxt_stop();
  const PlainArchive archive = dump_without_frames();
  const std::vector<PlainRecord> all = archive.of_type(10);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].numbers, Frames{0x1234});
  EXPECT_EQ(all[1].numbers, (Frames{0x1234, 0x2000, 0x2001}));
  for (const PlainRecord& sample : all) EXPECT_EQ(sample.thread, 101u);
  EXPECT_EQ(all[0].timestamp, 701u);
}

}  // namespace
}  // namespace barefxt::test::sample_test
