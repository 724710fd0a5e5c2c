// Blocks of heaps: what is recorded, in which form, and as which event it comes out.

#include <barefxt/heap.h>
#include <barefxt/host/frame_scanner.h>

#include "rebuild/record_decoder.h"
#include "session_fixture.h"

namespace barefxt::test::heap_test {
namespace {

const void* at(uintptr_t address) { return reinterpret_cast<const void*>(address); }

// "alloc address=... bytes=... caller=..."
std::string text_of(const PlainRecord& event) {
  std::string text = event.name;
  for (const PlainArgument& argument : event.arguments)
    text += " " + argument.name + "=" +
            (argument.text.empty() ? std::to_string(argument.bits) : argument.text);
  return text;
}

class HeapTest : public TwoThreadsTest {
 protected:
  void start_in_thread() {
    start();
    barefxt_context_switch(&a_, BAREFXT_STATE_RUNNABLE, &a_);
  }
  static std::vector<PlainRecord> of_heap(const PlainArchive& archive) {
    std::vector<PlainRecord> events;
    for (const PlainRecord& record : archive.of_type(4))
      if (record.category == "heap") events.push_back(record);
    return events;
  }
  std::vector<PlainRecord> events() { return of_heap(stop_and_read()); }
  static std::vector<std::string> texts(const std::vector<PlainRecord>& events) {
    std::vector<std::string> all;
    for (const PlainRecord& event : events) all.push_back(text_of(event));
    return all;
  }
  std::vector<std::string> texts() { return texts(events()); }
  using Texts = std::vector<std::string>;
};

TEST_F(HeapTest, BlocksAreInstantsOfTheRunningThread) {
  start_in_thread();
  set_time(700);
  barefxt_heap_alloc(at(0x1000), 24, at(0x4001));
  barefxt_heap_free(at(0x1000), at(0x4002));
  const std::vector<PlainRecord> all = events();
  ASSERT_EQ(all.size(), 2u);
  for (const PlainRecord& event : all) {
    EXPECT_EQ(event.subtype, 0u);
    EXPECT_EQ(event.thread, 101u);
    EXPECT_EQ(event.process, 10u);
  }
  EXPECT_EQ(all[0].timestamp, 701u);
  EXPECT_EQ(texts(all),
            (Texts{"alloc address=4096 bytes=24 caller=16385", "free address=4096 caller=16386"}));
}

TEST_F(HeapTest, AnAllocationThatFailedHasNoAddressAndAFreeOfNothingIsNone) {
  start_in_thread();
  barefxt_heap_alloc(nullptr, 24, at(0x4001));
  barefxt_heap_free(nullptr, at(0x4002));
  EXPECT_EQ(texts(), Texts{"alloc address=0 bytes=24 caller=16385"});
}

TEST_F(HeapTest, AResizedBlockIsOneRecordOrTwoIfItMoved) {
  start_in_thread();
  barefxt_heap_realloc(at(0x1000), at(0x1000), 40, at(0x4001));
  barefxt_heap_realloc(at(0x1000), at(0x2000), 80, at(0x4002));
  barefxt_heap_realloc(nullptr, at(0x3000), 8, at(0x4003));
  barefxt_heap_realloc(at(0x3000), nullptr, 1000, at(0x4004));
  EXPECT_EQ(
      texts(),
      (Texts{"realloc address=4096 bytes=40 caller=16385", "free address=4096 caller=16386",
             "alloc address=8192 bytes=80 caller=16386", "alloc address=12288 bytes=8 caller=16387",
             "alloc address=0 bytes=1000 caller=16388"}));
}

TEST_F(HeapTest, APoolHasItsBounds) {
  start_in_thread();
  barefxt_heap_pool(BAREFXT_TEXT("dma"), at(0x1000), 4096, 16);
  barefxt_heap_pool(BAREFXT_TEXT("all"), at(0x2000), size_t{1} << 33, 0);
  EXPECT_EQ(texts(), (Texts{"pool name=dma address=4096 bytes=4096 used=16",
                            "pool name=all address=8192 bytes=8589934592 used=0"}));
}

TEST_F(HeapTest, TakesThreeWordsAndTwoMoreIfThePartsAreLarge) {
  if constexpr (kLinear) GTEST_SKIP();
  const auto bytes_of = [this](uintptr_t address, size_t size, uintptr_t caller) {
    start_in_thread();
    const auto offset = [] { return Position::offset(rings[0].position.load_relaxed()); };
    const PositionWord before = offset();
    barefxt_heap_alloc(at(address), size, at(caller));
    const PositionWord bytes = offset() - before;
    EXPECT_EQ(texts(), Texts{"alloc address=" + std::to_string(address) + " bytes=" +
                             std::to_string(size) + " caller=" + std::to_string(caller)});
    return bytes;
  };
  constexpr uintptr_t kTop = ~uintptr_t{0} - 7;
  constexpr uintptr_t k4GiB = uintptr_t{1} << 32;
  constexpr uintptr_t k48Bits = uintptr_t{1} << 47;
  constexpr size_t kMaxBytes = (size_t{1} << 19) - 1;
  const struct {
    uintptr_t address;
    size_t size;
    uintptr_t caller;
    PositionWord bytes;
  } cases[] = {
      {8, 0, 0, 24},
      {12, 0xffffffff, 0xffffffff, 24},
      {0xfffffff8, 1, 1, 24},
      {k4GiB, kMaxBytes, 0xffffffff, 24},
      {k48Bits - 8, kMaxBytes, 0xffffffff, 24},
      {k4GiB + 4096, 1, k4GiB + 1, 24},
      {kTop, kMaxBytes, ~uintptr_t{0}, 24},
      {~(k48Bits - 1), 1, ~(k48Bits - 1) + 1, 24},
      {k48Bits, 1, 1, 40},
      {~k48Bits & ~uintptr_t{7}, 1, 1, 40},
      {k4GiB + 4, 1, 1, 40},
      {k4GiB, kMaxBytes + 1, 1, 40},
      {8, ~size_t{0}, 1, 40},
      {8, 1, k4GiB, 40},
      {k4GiB, 1, 2 * k4GiB, 40},
      {kTop, 1, 0xfffffffe00000000, 40},
  };
  for (const auto& one : cases) EXPECT_EQ(bytes_of(one.address, one.size, one.caller), one.bytes);
}

TEST_F(HeapTest, AThreadWithoutAnIndexIsNamedInTheRecord) {
  if constexpr (!kInlineThreads) GTEST_SKIP();
  barefxt_thread stranger = {};
  stranger.koid = 301;
  stranger.process = 10;
  start();
  barefxt_context_switch(&a_, BAREFXT_STATE_RUNNABLE, &stranger);
  barefxt_heap_alloc(at(0x1000), 24, at(0x4001));
  barefxt_heap_alloc(at(0x1004), 24, at(0x4002));
  const std::vector<PlainRecord> all = events();
  for (const PlainRecord& event : all) EXPECT_EQ(event.thread, 301u);
  EXPECT_EQ(texts(all), (Texts{"alloc address=4096 bytes=24 caller=16385",
                               "alloc address=4100 bytes=24 caller=16386"}));
}

TEST_F(HeapTest, NothingIsRecordedWhileTheCategoryIsOff) {
  start(16, ~BAREFXT_CATEGORY_BIT(heap));
  barefxt_heap_alloc(at(0x1000), 24, at(0x4001));
  barefxt_heap_realloc(at(0x1000), at(0x2000), 24, at(0x4001));
  barefxt_heap_free(at(0x2000), at(0x4002));
  barefxt_heap_pool(BAREFXT_TEXT("dma"), at(0x1000), 4096, 0);
  EXPECT_TRUE(events().empty());
}

TEST_F(HeapTest, ATraceWithoutFramesHasTheSameEvents) {
  if constexpr (kLinear) GTEST_SKIP();
  start_in_thread();
  barefxt_heap_alloc(at(0x1000), 24, at(0x4001));
  barefxt_heap_alloc(at(0x1004), size_t{1} << 33, at(0x4002));
  barefxt_heap_realloc(at(0x1000), at(0x1000), 40, at(0x4003));
  barefxt_heap_free(at(0x1000), at(0x4004));
  barefxt_stop();
  const PlainArchive archive = dump_without_frames();
  const std::vector<PlainRecord> plain = of_heap(archive);
  ASSERT_EQ(plain.size(), 4u);
  const std::vector<PlainRecord> rebuilt = of_heap(read(dump()));
  EXPECT_EQ(texts(plain), texts(rebuilt));
  for (size_t i = 0; i < plain.size(); ++i) {
    EXPECT_EQ(plain[i].thread, 101u);
    EXPECT_EQ(plain[i].timestamp, rebuilt[i].timestamp);
  }
}

// Their frames say so, in all forms.
TEST_F(HeapTest, FramesWithBlocksHaveTheVersionOfCompactRecords) {
  class Sink final : public host::FrameSink {
   public:
    unsigned frames = 0;
    void on_frame(const host::Frame& frame) override {
      if (frame.type != static_cast<uint8_t>(wire::FrameType::kRecords)) return;
      ++frames;
      const bool is_coded = frame.payload[wire::Records::kCoding] != 0;
      EXPECT_EQ(frame.version, is_coded ? wire::kVersionOfPacked : wire::kVersionOfCompact);
    }
    void on_damaged(uint64_t /*input_offset*/) override { ADD_FAILURE(); }
    void on_other_version(uint8_t /*version*/, uint64_t /*input_offset*/) override {
      ADD_FAILURE();
    }
  };
  start(16, BAREFXT_CATEGORY_BIT(heap));
  barefxt_heap_alloc(at(0x1000), 24, at(0x4001));
  barefxt_stop();
  for (const barefxt_dump_form form :
       {BAREFXT_DUMP_BINARY, BAREFXT_DUMP_BINARY_CODED, BAREFXT_DUMP_TEXT}) {
    if (kLinear && form != BAREFXT_DUMP_BINARY) continue;
    const std::vector<uint8_t> dumped = dump(form);
    Sink sink;
    host::FrameScanner scanner(sink);
    scanner.feed(dumped);
    scanner.finish();
    EXPECT_EQ(sink.frames, 1u);
    EXPECT_EQ(of_heap(read(dumped)).size(), 1u);
  }
}

}  // namespace
}  // namespace barefxt::test::heap_test
