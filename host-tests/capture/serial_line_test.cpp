// A serial port whose cable is pulled, from inside of the process that reads it.

#include <array>
#include <gtest/gtest.h>
#include <pty.h>
#include <string>
#include <thread>
#include <unistd.h>

#include "../host/src/line/line.h"

namespace barefxt::line {
namespace {

TEST(SerialLine, IsGoneWhateverTheReadMeetsWhenTheTerminalHangsUp) {
  // For a moment it is closed and not yet hung up: a reader that is awake often meets that.
  constexpr int kRounds = 1000;
  for (int round = 0; round < kRounds; ++round) {
    int target = -1;
    int port = -1;
    std::array<char, 128> name = {};
    ASSERT_EQ(openpty(&target, &port, name.data(), nullptr, nullptr), 0);
    Opened opened = open_serial(name.data(), SerialSettings{});
    ASSERT_TRUE(opened.ok());
    ReadResult last;
    std::thread reader([&] {
      std::array<uint8_t, 16> bytes = {};
      while (last.state == LineState::kOpen) last = opened.value()->read(bytes);
    });
    std::this_thread::yield();
    close(target);
    reader.join();
    close(port);
    EXPECT_EQ(last.state, LineState::kBroken);
    EXPECT_EQ(last.why, "the device is gone");
  }
}

}  // namespace
}  // namespace barefxt::line
