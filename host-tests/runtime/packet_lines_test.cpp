// Dumps through port/transport/usb_cdc and port/transport/datagrams: all bytes leave, in order; a
// host that does not read costs a bounded wait and the bytes that it left.
#include "packet_lines.h"

#include <algorithm>
#include <tusb.h>

#include "session_fixture.h"

namespace barefxt::test::packet_lines_test {
namespace {

// TinyUSB's device and the host behind it.
struct Usb {
  static constexpr size_t kRoom = 64;  // CFG_TUD_CDC_TX_BUFSIZE at full speed
  bool is_open = true;                 // DTR is set
  bool reads = true;
  size_t stops_after = SIZE_MAX;      // then the host reads no more
  uint64_t reads_after = UINT64_MAX;  // looks: then it reads, first what is there
  uint64_t looks = 0;
  uint64_t tasks = 0;
  Bytes buffer;
  Bytes host;

  void pass_on() {
    if (!reads || host.size() >= stops_after) return;
    host.insert(host.end(), buffer.begin(), buffer.end());
    buffer.clear();
  }
};
Usb usb;

class PacketLines : public SessionTest {
 protected:
  static constexpr uint32_t kRecords = 200;
  void SetUp() override {
    SessionTest::SetUp();
    usb = {};
    start();
    write_numbers(0, kRecords);
    barefxt_stop();
    const auto append = [](void* context, const uint8_t* from, size_t size) {
      auto& all = *static_cast<Bytes*>(context);
      all.insert(all.end(), from, from + size);
    };
    const barefxt_writer writer = {append, &line_};
    ASSERT_EQ(barefxt_dump(&writer, BAREFXT_DUMP_BINARY), BAREFXT_OK);
  }
  // Dumps differ by their numbers, which are in the hello frames alone.
  size_t bytes_of_dump() const { return line_.size(); }
  static std::vector<uint64_t> received(const Bytes& line) {
    return numbers(decode_plainly(rebuild(line).archive));
  }
  Bytes line_;
};

TEST_F(PacketLines, AHostThatReadsAPortOverUsbGetsTheWholeDump) {
  EXPECT_EQ(dump_over_usb(10), 0u);
  EXPECT_TRUE(usb.buffer.empty()) << "the last packet was not flushed";
  EXPECT_EQ(usb.host.size(), bytes_of_dump());
  EXPECT_EQ(received(usb.host).size(), kRecords);
}

TEST_F(PacketLines, APortOverUsbThatNobodyHasOpenCostsNoWait) {
  usb.is_open = false;
  EXPECT_EQ(dump_over_usb(1000), bytes_of_dump());
  EXPECT_EQ(usb.tasks, 0u);
}

TEST_F(PacketLines, AHostThatDoesNotReadAPortOverUsbIsWaitedForOnce) {
  usb.reads = false;
  constexpr uint32_t kPatience = 1000;
  EXPECT_EQ(dump_over_usb(kPatience), bytes_of_dump() - Usb::kRoom);
  EXPECT_EQ(usb.tasks, kPatience);
}

TEST_F(PacketLines, AHostThatReadsAgainIsWaitedForAgain) {
  usb.reads = false;
  usb.reads_after = 1500;
  const uint64_t unsent = dump_over_usb(1000);
  EXPECT_GT(unsent, 0u);
  EXPECT_EQ(unsent + usb.host.size(), bytes_of_dump());
  EXPECT_GT(usb.host.size(), bytes_of_dump() / 2);
  EXPECT_GT(received(usb.host).size(), 0u);
}

TEST_F(PacketLines, AHostThatStopsReadingGetsWhatCameBefore) {
  usb.stops_after = 2000;
  const uint64_t unsent = dump_over_usb(100);
  EXPECT_GT(unsent, 0u);
  EXPECT_EQ(unsent + usb.host.size() + usb.buffer.size(), bytes_of_dump());
  const size_t came = received(usb.host).size();
  EXPECT_GT(came, 0u);
  EXPECT_LT(came, kRecords);
}

TEST_F(PacketLines, DatagramsEndWithWholeFrames) {
  for (const bool is_text : {false, true}) {
    SCOPED_TRACE(is_text);
    std::vector<Bytes> sent;
    const auto send = [](void* context, const uint8_t* bytes, size_t count) {
      static_cast<std::vector<Bytes>*>(context)->emplace_back(bytes, bytes + count);
      return true;
    };
    EXPECT_EQ(dump_in_datagrams(send, &sent, is_text), 0u);
    EXPECT_GT(sent.size(), 3u);
    Bytes backwards;
    for (const Bytes& datagram : sent) {
      EXPECT_LE(datagram.size(), 1400u);
      ASSERT_FALSE(datagram.empty());
      EXPECT_EQ(datagram.back(), is_text ? '\n' : 0);
      backwards.insert(backwards.begin(), datagram.begin(), datagram.end());
    }
    if (!is_text) {
      EXPECT_EQ(backwards.size(), bytes_of_dump());
    }
    EXPECT_EQ(received(backwards).size(), kRecords);
  }
}

TEST_F(PacketLines, DatagramsThatTheNetworkDoesNotTakeAreCounted) {
  struct Network {
    unsigned calls = 0;
    Bytes taken;
  } network;
  const auto send = [](void* context, const uint8_t* bytes, size_t count) {
    auto& to = *static_cast<Network*>(context);
    if (++to.calls % 3 == 0) return false;
    to.taken.insert(to.taken.end(), bytes, bytes + count);
    return true;
  };
  const uint64_t unsent = dump_in_datagrams(send, &network, false);
  EXPECT_GT(unsent, 0u);
  EXPECT_EQ(unsent + network.taken.size(), bytes_of_dump());
  const size_t came = received(network.taken).size();
  EXPECT_GT(came, 0u);
  EXPECT_LT(came, kRecords);
}

}  // namespace
}  // namespace barefxt::test::packet_lines_test

extern "C" {

using barefxt::test::packet_lines_test::Usb;
using barefxt::test::packet_lines_test::usb;

void tud_task() {
  ++usb.tasks;
  usb.pass_on();
}
bool tud_cdc_n_connected(uint8_t itf) {
  if (++usb.looks == usb.reads_after) {
    usb.reads = true;
    usb.pass_on();
  }
  return itf == 1 && usb.is_open;
}
uint32_t tud_cdc_n_write_available(uint8_t /*itf*/) {
  return static_cast<uint32_t>(Usb::kRoom - usb.buffer.size());
}
uint32_t tud_cdc_n_write(uint8_t /*itf*/, const void* buffer, uint32_t bufsize) {
  const auto* from = static_cast<const uint8_t*>(buffer);
  const uint32_t taken = std::min(bufsize, tud_cdc_n_write_available(1));
  usb.buffer.insert(usb.buffer.end(), from, from + taken);
  return taken;
}
uint32_t tud_cdc_n_write_flush(uint8_t /*itf*/) {
  usb.pass_on();
  return 0;
}
}
