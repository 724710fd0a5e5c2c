// `barefxt capture --ask` against the runtime itself, over a socket that may lose what goes either
// way.

#include <barefxt_rtt.h>

#include "session_fixture.h"
#include "target_line.h"

namespace barefxt::test::way_back_command_test {
namespace {

constexpr uint32_t kRecords = 20;

class WayBackCommand : public SessionTest {
 protected:
  // The target until the line is closed.
  bool serve(int handle) {
    const Bytes bytes = TargetLine::receive(handle);
    if (bytes.empty()) return false;
    // Requests are few, and a second apart: each comes in one piece.
    if (requests_to_lose_ != 0) {
      --requests_to_lose_;
      return true;
    }
    for (const uint8_t byte : bytes) barefxt_receive(byte);
    Bytes sent;
    const auto append = [](void* context, const uint8_t* from, size_t size) {
      auto& all = *static_cast<Bytes*>(context);
      all.insert(all.end(), from, from + size);
    };
    const barefxt_writer writer = {append, &sent};
    if (!barefxt_serve(&writer, BAREFXT_DUMP_BINARY, offered_)) return true;
    ++served_;
    if (answers_to_lose_ != 0) {
      --answers_to_lose_;
      return true;
    }
    return TargetLine::send(handle, sent);
  }
  int capture(const std::string& arguments) {
    return line_.capture(arguments, [this](int handle) { return serve(handle); });
  }
  int ask(const std::string& arguments) {
    return line_.ask(arguments, [this](int handle) { return serve(handle); });
  }
  std::vector<uint64_t> captured() const { return numbers(decode_plainly(line_.archive())); }

  TargetLine line_;
  unsigned requests_to_lose_ = 0;
  unsigned answers_to_lose_ = 0;
  unsigned served_ = 0;
  const barefxt_config* offered_ = nullptr;
};

TEST_F(WayBackCommand, StopsATargetAndFetchesItsTrace) {
  start();
  write_numbers(0, kRecords);
  EXPECT_EQ(capture("--ask stop,dump"), 0) << line_.messages();
  EXPECT_FALSE(barefxt_running());
  EXPECT_EQ(captured().size(), kRecords);
}

// A server of OpenOCD or J-Link between the socket and the target's channels, of which that down
// has SEGGER's size, less than a request.
TEST_F(WayBackCommand, RequestsReachATargetThroughADebugProbe) {
  start();
  write_numbers(0, kRecords);
  barefxt_rtt_block block;
  Bytes up(1 << 16);
  Bytes down(16);
  barefxt_rtt_initialize_both(&block, "barefxt", up.data(), static_cast<uint32_t>(up.size()),
                              down.data(), static_cast<uint32_t>(down.size()));
  barefxt_rtt rtt = {&block.up[0], 1000, 0};
  const barefxt_writer writer = {barefxt_rtt_write, &rtt};
  const auto serve_by_probe = [&](int handle) {
    const Bytes bytes = TargetLine::receive(handle);
    if (bytes.empty()) return false;
    for (size_t at = 0; at < bytes.size();) {
      barefxt_rtt_channel& channel = block.down[0];
      for (; at < bytes.size() && barefxt_rtt_room(&channel) != 0; ++at) {
        channel.buffer[channel.written] = bytes[at];
        channel.written = (channel.written + 1) % channel.bytes;
      }
      uint8_t byte = 0;
      while (barefxt_rtt_read(&channel, &byte)) barefxt_receive(byte);
    }
    barefxt_serve(&writer, BAREFXT_DUMP_BINARY, nullptr);
    Bytes sent;
    uint8_t byte = 0;
    while (barefxt_rtt_read(&block.up[0], &byte)) sent.push_back(byte);
    return sent.empty() || TargetLine::send(handle, sent);
  };
  EXPECT_EQ(line_.capture("--ask stop,dump", serve_by_probe), 0) << line_.messages();
  EXPECT_EQ(rtt.unsent, 0u);
  EXPECT_FALSE(barefxt_running());
  EXPECT_EQ(captured().size(), kRecords);
}

TEST_F(WayBackCommand, WhatIsLostEitherWayIsAskedAgainAndDoneOnce) {
  start(16, ~0u, BAREFXT_MODE_CIRCULAR);
  write_numbers(0, kRecords);
  requests_to_lose_ = 1;
  answers_to_lose_ = 1;
  // A second snapshot would be refused.
  EXPECT_EQ(capture("--ask snapshot,dump"), 0) << line_.messages();
  EXPECT_GE(served_, 3u);
  EXPECT_TRUE(barefxt_running());
  EXPECT_EQ(captured().size(), kRecords);
}

TEST_F(WayBackCommand, StartsATargetAsRequested) {
  const barefxt_config offered = config(16);
  offered_ = &offered;
  EXPECT_EQ(ask("--ask start --mode circular --categories 0x80"), 0) << line_.messages();
  EXPECT_TRUE(barefxt_running());
  EXPECT_EQ(barefxt_enabled_categories, 0x80u);
  EXPECT_EQ(barefxt_descriptor.mode, static_cast<uint8_t>(wire::Mode::kCircular));
  EXPECT_EQ(ask("--ask categories --categories 0x180"), 0) << line_.messages();
  EXPECT_EQ(barefxt_enabled_categories, 0x180u);
}

TEST_F(WayBackCommand, SaysWhyTheTargetRefuses) {
  start();
  EXPECT_EQ(capture("--ask dump"), 4) << line_.messages();
  EXPECT_TRUE(contains(line_.messages(), "dump: refused: not while it records"));
  EXPECT_FALSE(line_.has_archive());
  EXPECT_EQ(ask("--ask start"), 4) << line_.messages();
  EXPECT_TRUE(contains(line_.messages(), "start: refused"));
  // Requests behind it are not carried out, either.
  EXPECT_EQ(ask("--ask dump,stop"), 4) << line_.messages();
  EXPECT_TRUE(barefxt_running());
}

}  // namespace
}  // namespace barefxt::test::way_back_command_test
