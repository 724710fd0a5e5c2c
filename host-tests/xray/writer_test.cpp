// XRay logs are written byte for byte by the specification, and read back the same.
#include <gtest/gtest.h>

#include "archive/memory_sink.h"
#include "golden_logs.h"
#include "xray/xray_writer.h"
#include "xray_harness.h"

namespace barefxt::test::writer_test {
namespace {

using host::XrayKind;
using host::XrayRecord;
using host::XrayWriter;

XrayRecord call(XrayKind kind, uint32_t function, uint64_t tsc, uint16_t cpu = 3) {
  XrayRecord record;
  record.kind = kind;
  record.function = function;
  record.tsc = tsc;
  record.cpu = cpu;
  return record;
}

XrayRecord event(XrayKind kind, uint64_t tsc, const std::string& payload, uint16_t type = 0) {
  XrayRecord record = call(kind, 0, tsc);
  record.event_type = type;
  record.payload = as_bytes(payload);
  return record;
}

struct Written {
  std::string bytes;
  uint64_t left_out;
};

Written written(host::XrayHeader header, const XrayWriter::Block& where,
                const std::vector<XrayRecord>& records, int times = 1) {
  const auto write = [&](XrayWriter& writer, uint64_t bytes) {
    XrayWriter::Block block = where;
    block.bytes = bytes;
    writer.begin(block);
    for (const XrayRecord& record : records) writer.record(record);
    writer.end();
  };
  XrayWriter measuring(header.version);
  write(measuring, 0);
  header.buffer_bytes = (measuring.block_bytes() + 7) / 8 * 8;
  MemorySink sink;
  XrayWriter writer(header, sink);
  for (int i = 0; i < times; ++i) write(writer, measuring.block_bytes());
  EXPECT_TRUE(writer.flush().ok());
  return {{sink.bytes().begin(), sink.bytes().end()}, writer.left_out()};
}

const std::string kAbc = "abcdefgh";
const std::string kHi = "hi";
const std::string kArgument = bytes_of_hex("0d 88 77 66 55 44 33 22 11 00 00 00 00 00 00 00");

std::vector<XrayRecord> golden_records(bool typed, uint64_t tail) {
  std::vector<XrayRecord> records = {call(XrayKind::kEntry, 5, 0x1010),
                                     call(XrayKind::kEntry, 6, 0x1011),
                                     event(XrayKind::kCustomEvent, 0x1012, kAbc)};
  records[1].arguments = host::XrayArguments(as_bytes(kArgument), host::ByteOrder::kLittle);
  if (typed) records.push_back(event(XrayKind::kTypedEvent, 0x1013, kHi, 0x0102));
  records.push_back(call(XrayKind::kTailExit, 6, tail));
  records.push_back(call(XrayKind::kExit, 5, 0x200000003));
  return records;
}

constexpr host::XrayHeader kHeader = {.version = 5,
                                      .byte_order = host::ByteOrder::kLittle,
                                      .constant_tsc = false,
                                      .nonstop_tsc = true,
                                      .cycle_frequency = 1'000'000'000,
                                      .buffer_bytes = 0};
constexpr host::XrayWallClock kClock = {.seconds = 1, .microseconds = 2};

host::XrayHeader header_of(unsigned version, bool constant, bool nonstop) {
  host::XrayHeader header = kHeader;
  header.version = version;
  header.constant_tsc = constant;
  header.nonstop_tsc = nonstop;
  return header;
}

// The last exit is written 3 ticks behind a time of its own: a golden may choose where that lies,
// the writer puts it where the record is.
std::string with_wrap_at_the_record(std::string_view hex) {
  std::string bytes = bytes_of_hex(hex);
  const size_t wrap = bytes.find(bytes_of_hex("07 00 00 00 00 02 00 00 00 00 00"));
  bytes[wrap + 1] = 3;
  bytes[wrap + 16 + 4] = 0;
  return bytes;
}

TEST(XrayWriter, WritesTheGoldenLogs) {
  const Written one = written(header_of(1, true, true), {{{}, 7}, kClock, 3, 0x1000, 0},
                              golden_records(false, 0x1013));
  EXPECT_EQ(one.bytes, with_wrap_at_the_record(kVersion1.hex));
  const Written three = written(header_of(3, true, false), {{42, 70000}, kClock, 3, 0x1000, 0},
                                golden_records(false, 0x1013));
  EXPECT_EQ(three.bytes.substr(24), with_wrap_at_the_record(kVersion3.hex).substr(24));
  const Written five = written(header_of(5, false, true), {{42, 70000}, kClock, 3, 0x1000, 0},
                               golden_records(true, 0x1013));
  EXPECT_EQ(five.bytes.substr(24), with_wrap_at_the_record(kVersion5.hex).substr(24));
  EXPECT_EQ(one.left_out + three.left_out + five.left_out, 0u);
}

TEST(XrayWriter, EveryVersionReadsAsWhatWasWritten) {
  const std::vector<XrayRecord> records = {
      call(XrayKind::kEntry, (1u << 28u) - 1, 0x1000),
      call(XrayKind::kEntry, 1, 0x1000 + 0xffffffffull),
      call(XrayKind::kExit, 1, 0x1001 + 2 * 0xffffffffull),
      call(XrayKind::kEntry, 2, 0x1000, 65535),
      event(XrayKind::kCustomEvent, ~uint64_t{0} - 2, kAbc),
      call(XrayKind::kExit, 2, ~uint64_t{0}),
      call(XrayKind::kExit, 1, 0x900),
  };
  std::string expected = "thread 7 cpu 3 tsc 0x900 custom event barefxt.\n";
  for (XrayRecord record : records) {
    record.thread.thread = 7;
    expected += record_text(record);
  }
  for (unsigned version = 1; version <= 5; ++version) {
    const Written log =
        written(header_of(version, true, true), {{{}, 7}, kClock, 3, 0x900, 0}, records);
    EXPECT_EQ(log_text(log.bytes), expected) << version;
  }
}

TEST(XrayWriter, BlocksOfVersion1AreOfOneSizeInWholeCalls) {
  const std::vector<XrayRecord> records = {event(XrayKind::kCustomEvent, 0x1001, kHi)};
  const Written twice =
      written(header_of(1, true, true), {{{}, 7}, kClock, 3, 0x1000, 0}, records, 2);
  EXPECT_EQ((twice.bytes.size() - 32) % 16, 0u);
  EXPECT_EQ(thread_text(twice.bytes),
            "thread 7 cpu 3 tsc 0x1001 custom event hi\n"
            "thread 7 cpu 3 tsc 0x1001 custom event hi\n");
}

TEST(XrayWriter, TypedEventsHaveNoPlaceBeforeVersion5) {
  for (unsigned version = 1; version <= 5; ++version)
    EXPECT_EQ(written(header_of(version, true, true), {{{}, 7}, kClock, 3, 0x1000, 0},
                      golden_records(true, 0x1013))
                  .left_out,
              version < 5 ? 1u : 0u);
}

}  // namespace
}  // namespace barefxt::test::writer_test
