// Calls that do not nest, made to; threads put together from their buffers.
#include <gtest/gtest.h>

#include <barefxt/host/convert_xray.h>

#include "archive/memory_sink.h"
#include "golden_logs.h"
#include "xray_harness.h"

namespace barefxt::test::thread_test {
namespace {

// A call's record: its action and function, one tick after the last.
std::string call(unsigned action, unsigned function) {
  const unsigned word = function << 4u | action << 1u;
  return {static_cast<char>(word), static_cast<char>(word >> 8u), 0, 0, 1, 0, 0, 0};
}
std::string entry(unsigned function) { return call(0, function); }
std::string exit_of(unsigned function) { return call(1, function); }
std::string tail_exit(unsigned function) { return call(2, function); }

// A log of version 2 without extents: any number of buffers.
std::string header() {
  std::string bytes = bytes_of_hex(kVersion2.hex).substr(0, 32);
  return bytes;
}
std::string buffer(char thread, char tsc, const std::string& calls) {
  std::string bytes = bytes_of_hex(kVersion1.hex).substr(32, 48);
  bytes[1] = thread;
  bytes[32 + 3] = tsc;
  bytes[32 + 4] = 0;
  return bytes + calls;
}

// The calls alone, with their times: "1+1" is entered at 1, "2-1" exited, "3>1" exited by a tail
// call; then the other parts of thread_text().
std::string calls_of(const std::string& bytes) {
  std::string text;
  const std::string all = thread_text(bytes);
  for (size_t at = 0; at < all.size();) {
    const std::string line = all.substr(at, all.find('\n', at) - at);
    at += line.size() + 1;
    const size_t tsc = line.find("tsc 0x");
    if (tsc == std::string::npos) {
      text += "| " + line;
      continue;
    }
    const std::string behind = line.substr(tsc + 6);
    text += behind.substr(0, behind.find(' '));
    text += behind.find(" tail exit ") != std::string::npos ? ">"
            : behind.find(" exit ") != std::string::npos    ? "-"
                                                            : "+";
    text += behind.substr(behind.rfind(' ') + 1) + " ";
  }
  return text;
}
std::string nested(const std::string& calls) { return calls_of(header() + buffer(7, 0, calls)); }

TEST(XrayThreads, CallsThatNestAreLeftAlone) {
  EXPECT_EQ(nested(entry(1) + entry(2) + exit_of(2) + entry(2) + exit_of(2) + exit_of(1)),
            "1+1 2+2 3-2 4+2 5-2 6-1 ");
  EXPECT_EQ(nested(entry(1) + entry(1) + exit_of(1) + exit_of(1)), "1+1 2+1 3-1 4-1 ");
}

TEST(XrayThreads, OpenCallsStayOpen) { EXPECT_EQ(nested(entry(1) + entry(2)), "1+1 2+2 "); }

TEST(XrayThreads, AnExitWithoutItsEntryIsLeftOut) {
  EXPECT_EQ(nested(exit_of(3) + entry(1) + exit_of(2) + exit_of(1) + exit_of(1)),
            "2+1 4-1 | 3 exits left out");
}

TEST(XrayThreads, CallsInsideOneThatEndsEndWithIt) {
  EXPECT_EQ(nested(entry(1) + entry(2) + entry(3) + exit_of(1) + entry(4)),
            "1+1 2+2 3+3 4-3 4-2 4-1 5+4 | 2 exits added");
}

TEST(XrayThreads, ATailExitAsLlvmWritesIt) {
  EXPECT_EQ(nested(entry(9) + entry(1) + tail_exit(1) + entry(2) + tail_exit(2) + entry(3) +
                   exit_of(3) + exit_of(9)),
            "1+9 2+1 3>1 4+2 5>2 6+3 7-3 8-9 ");
}

TEST(XrayThreads, ATailExitAsTheSpecificationHasIt) {
  EXPECT_EQ(nested(entry(9) + entry(1) + tail_exit(1) + entry(2) + tail_exit(1) + entry(3) +
                   exit_of(3) + exit_of(9)),
            "1+9 2+1 3>1 4+2 5>2 6+3 7-3 8-9 | 1 exits renamed");
}

TEST(XrayThreads, AThreadsBuffersAreInTheOrderOfTime) {
  EXPECT_EQ(calls_of(header() + buffer(8, 10, entry(5)) + buffer(7, 20, exit_of(1)) +
                     buffer(7, 0, entry(1)) + buffer(8, 5, entry(4) + entry(3) + exit_of(3))),
            "1+1 15-1 6+4 7+3 8-3 b+5 ");
}

TEST(XrayThreads, CallsDeeperThanAreFollowedPass) {
  std::string calls;
  constexpr int kDeep = 70'000;
  for (int i = 0; i < kDeep; ++i) calls += entry(1);
  for (int i = 0; i < kDeep; ++i) calls += exit_of(1);
  calls += exit_of(1);
  const std::string text = nested(calls);
  EXPECT_EQ(std::count(text.begin(), text.end(), '-'), kDeep);
  EXPECT_TRUE(contains(text, "| 1 exits left out"));
  EXPECT_TRUE(contains(text, "| 4464 exits not followed"));
}

TEST(XrayThreads, CallsBeyondTheLimitOfAllThreadsPass) {
  const std::string calls =
      entry(1) + entry(2) + entry(3) + exit_of(3) + exit_of(9) + exit_of(2) + exit_of(1);
  const std::string bytes = header() + buffer(7, 0, calls) + buffer(8, 0, calls);
  const auto log = host::XrayLog::open(as_bytes(bytes), "log");
  ASSERT_TRUE(log.ok());
  ASSERT_EQ(log.value()->threads().size(), 2U);
  host::XrayThreadReader::OpenCalls open(4);
  host::XrayThreadReader first(*log.value(), log.value()->threads()[0], open);
  host::XrayThreadReader second(*log.value(), log.value()->threads()[1], open);
  const auto read = [](host::XrayThreadReader& reader, int most) {
    int count = 0;
    while (count < most && reader.next() != nullptr) ++count;
    return count;
  };
  EXPECT_EQ(read(first, 3), 3);
  // One call finds room. With two others open, the exit of 9 counts as one of theirs.
  EXPECT_EQ(read(second, 100), 6);
  EXPECT_EQ(second.repairs().unfollowed_calls, 2U);
  EXPECT_EQ(second.repairs().orphan_exits, 1U);
  EXPECT_EQ(read(first, 100), 3);
  EXPECT_EQ(first.repairs().unfollowed_calls, 0U);
  EXPECT_EQ(first.repairs().orphan_exits, 1U);
  EXPECT_EQ(open.size(), 0U);
}

TEST(XrayThreads, OfAnArchiveShareTheLimitOfOpenCalls) {
  constexpr size_t kThreads = 18;
  constexpr size_t kDepth = 60'000;
  std::string calls;
  for (size_t i = 0; i < kDepth; ++i) calls += entry(1);
  std::string bytes = header();
  for (size_t i = 0; i < kThreads; ++i) bytes += buffer(static_cast<char>(i + 1), 0, calls);
  const auto log = host::XrayLog::open(as_bytes(bytes), "log");
  ASSERT_TRUE(log.ok());
  MemorySink sink;
  const auto changes = host::xray_to_fxt(*log.value(), nullptr, sink, host::ByteOrder::kLittle);
  ASSERT_TRUE(changes.ok());
  EXPECT_EQ(changes.value().repairs.unfollowed_calls,
            kThreads * kDepth - host::XrayThreadReader::kMaxOpen);
  std::string messages;
  changes.value().say([&](const std::string& line) { messages += line; });
  EXPECT_TRUE(contains(messages, "31424 calls nested too deeply"));
}

TEST(XrayThreads, BeyondTheLimitAreLeftOutAndCounted) {
  constexpr size_t kMore = 3;
  const size_t threads = host::XrayLog::kMaxThreads + kMore;
  std::string bytes = header();
  std::string one = buffer(0, 0, entry(1) + exit_of(1));
  for (size_t i = 0; i < threads; ++i) {
    for (size_t byte = 0; byte < 4; ++byte)
      one[1 + byte] = static_cast<char>((i >> (8 * byte)) & 0xff);
    bytes += one;
  }
  const auto log = host::XrayLog::open(as_bytes(bytes), "log");
  ASSERT_TRUE(log.ok());
  EXPECT_EQ(log.value()->threads().size(), threads - kMore);
  EXPECT_EQ(log.value()->threads_left_out(), kMore);
  EXPECT_EQ(log.value()->threads().back().id.thread, static_cast<int32_t>(threads - kMore - 1));
  EXPECT_EQ(log.value()->threads().back().stretches, 1U);
}

TEST(XrayThreads, StartMarkersAreNoEvents) {
  std::string once = std::string(kVersion3.text);
  once = once.substr(once.find('\n') + 1);
  EXPECT_EQ(thread_text(bytes_of_hex(kVersion3.hex)), once);
}

}  // namespace
}  // namespace barefxt::test::thread_test
