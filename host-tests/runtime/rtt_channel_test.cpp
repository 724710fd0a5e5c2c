// The channel in memory that debug probes empty: laid out as they expect it, and in step with them.

#include <array>
#include <cstddef>
#include <cstring>
#include <gtest/gtest.h>
#include <string>

#include <barefxt_rtt.h>

namespace {

constexpr char kId[BAREFXT_RTT_ID_BYTES] = "SEGGER RTT";

// The layout of SEGGER's public header, with pointers of 64 bits.
static_assert(offsetof(barefxt_rtt_block, up_channels) == 16);
static_assert(offsetof(barefxt_rtt_block, down_channels) == 20);
static_assert(offsetof(barefxt_rtt_block, up) == 24);
static_assert(offsetof(barefxt_rtt_channel, name) == 0);
static_assert(offsetof(barefxt_rtt_channel, buffer) == 8);
static_assert(offsetof(barefxt_rtt_channel, bytes) == 16);
static_assert(offsetof(barefxt_rtt_channel, written) == 20);
static_assert(offsetof(barefxt_rtt_channel, read) == 24);
static_assert(offsetof(barefxt_rtt_channel, flags) == 28);
static_assert(sizeof(barefxt_rtt_channel) == 32);
static_assert(offsetof(barefxt_rtt_block, down) == 24 + 32);  // behind all channels up

class RttChannelTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kBytes = 8;

  RttChannelTest() {
    barefxt_rtt_initialize(&block_, "barefxt", buffer_.data(), kBytes);
    rtt_ = {&block_.up[0], 3, 0};
  }

  void write(const std::string& text) {
    barefxt_rtt_write(&rtt_, reinterpret_cast<const uint8_t*>(text.data()), text.size());
  }

  // The work of a debug probe that comes by.
  std::string read() {
    barefxt_rtt_channel& channel = block_.up[0];
    std::string text;
    while (channel.read != channel.written) {
      text += static_cast<char>(channel.buffer[channel.read]);
      channel.read = (channel.read + 1) % channel.bytes;
    }
    return text;
  }

  barefxt_rtt_block block_;
  // The last byte lies behind the buffer.
  std::array<uint8_t, kBytes + 1> buffer_ = {};
  barefxt_rtt rtt_;
};

TEST_F(RttChannelTest, AProbeFindsTheIdAndOneChannelUp) {
  EXPECT_EQ(std::memcmp(const_cast<const uint8_t*>(block_.id), kId, sizeof kId), 0);
  EXPECT_EQ(block_.up_channels, 1u);
  EXPECT_EQ(block_.down_channels, 0u);
  EXPECT_STREQ(block_.up[0].name, "barefxt");
  EXPECT_EQ(block_.up[0].bytes, kBytes);
}

TEST_F(RttChannelTest, WhatIsWrittenArrivesInOrderHoweverItGoesAroundTheBuffer) {
  std::string sent;
  std::string came;
  for (int i = 0; i < 100; ++i) {
    const std::string text(static_cast<size_t>(i) % kBytes, static_cast<char>('a' + i % 26));
    write(text);
    sent += text;
    came += read();
  }
  EXPECT_EQ(came, sent);
  EXPECT_EQ(rtt_.unsent, 0u);
  EXPECT_EQ(buffer_[kBytes], 0);
}

TEST_F(RttChannelTest, OneByteStaysFreeSinceAFullBufferWouldLookEmpty) {
  EXPECT_EQ(barefxt_rtt_room(&block_.up[0]), kBytes - 1);
  for (uint32_t offset = 0; offset < kBytes; ++offset) {
    SCOPED_TRACE(offset);
    write("1234567");
    EXPECT_EQ(barefxt_rtt_room(&block_.up[0]), 0u);
    EXPECT_EQ(read(), "1234567");
    write("8");
    EXPECT_EQ(barefxt_rtt_room(&block_.up[0]), kBytes - 2);
    EXPECT_EQ(read(), "8");
    write("9");
    EXPECT_EQ(read(), "9");
  }
}

TEST_F(RttChannelTest, WithoutAProbeAWriteGivesUpAndCountsWhatItLeft) {
  write("1234567890");
  EXPECT_EQ(rtt_.unsent, 3u);
  write("abc");
  EXPECT_EQ(rtt_.unsent, 6u);
  EXPECT_EQ(read(), "1234567");
}

TEST_F(RttChannelTest, AProbeThatComesBackGetsWhatIsWrittenFromThenOn) {
  write("1234567890");
  EXPECT_EQ(read(), "1234567");
  write("abc");
  EXPECT_EQ(read(), "abc");
  EXPECT_EQ(rtt_.unsent, 3u);
}

// The work of a debug probe that has bytes for the target. Returns how many found room.
size_t fill(barefxt_rtt_channel& channel, const std::string& text) {
  size_t count = 0;
  for (; count < text.size(); ++count) {
    const uint32_t next = (channel.written + 1) % channel.bytes;
    if (next == channel.read) break;
    channel.buffer[channel.written] = static_cast<uint8_t>(text[count]);
    channel.written = next;
  }
  return count;
}

TEST_F(RttChannelTest, AChannelDownGivesTheProbesBytesInOrder) {
  std::array<uint8_t, kBytes + 1> down = {};
  barefxt_rtt_initialize_both(&block_, "barefxt", buffer_.data(), kBytes, down.data(), kBytes);
  EXPECT_EQ(block_.up_channels, 1u);
  EXPECT_EQ(block_.down_channels, 1u);
  EXPECT_EQ(block_.down[0].bytes, kBytes);
  uint8_t byte = 0;
  EXPECT_FALSE(barefxt_rtt_read(&block_.down[0], &byte));
  std::string sent;
  std::string came;
  for (size_t i = 0; i < 100; ++i) {
    const std::string text(i % 10, static_cast<char>('a' + i % 26));
    sent += text.substr(0, fill(block_.down[0], text));
    while (barefxt_rtt_read(&block_.down[0], &byte)) came += static_cast<char>(byte);
  }
  EXPECT_EQ(came, sent);
  EXPECT_GT(sent.size(), 400u);
  EXPECT_EQ(down[kBytes], 0);
  write("up");
  EXPECT_EQ(read(), "up");
}

}  // namespace
