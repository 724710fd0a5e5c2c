// Reading XRay logs: each table of the specification, each version, and what is no good.
#include <gtest/gtest.h>

#include "golden_logs.h"
#include "xray_harness.h"

namespace barefxt::test::xray_reader_test {
namespace {

std::string golden(const GoldenLog& log) { return bytes_of_hex(log.hex); }

host::XrayHeader header_of(const std::string& bytes) {
  host::Result<host::XrayReader> reader = host::XrayReader::open(as_bytes(bytes), "log");
  EXPECT_TRUE(reader.ok());
  return reader.ok() ? reader.value().header() : host::XrayHeader{};
}

// A header of the version; one thread, and the records in hexadecimal digits.
std::string log_of(unsigned version, std::string_view records) {
  std::string header = golden(kVersion1).substr(0, 32);
  header[0] = static_cast<char>(version);
  header[16] = 0;
  return header + golden(kVersion1).substr(32, 48) + bytes_of_hex(records);
}

TEST(XrayReader, ReadsTheGoldenLogs) {
  for (const GoldenLog* log : kGoldenLogs)
    EXPECT_EQ(log_text(golden(*log)), log->text) << log->name;
}

TEST(XrayReader, TheHeaderSection) {
  const host::XrayHeader header = header_of(golden(kVersion1));
  EXPECT_EQ(header.version, 1u);
  EXPECT_TRUE(header.constant_tsc);
  EXPECT_TRUE(header.nonstop_tsc);
  EXPECT_EQ(header.cycle_frequency, 1'000'000'000u);
  EXPECT_EQ(header.buffer_bytes, 176u);
  EXPECT_TRUE(header_of(golden(kVersion3)).constant_tsc);
  EXPECT_FALSE(header_of(golden(kVersion3)).nonstop_tsc);
  EXPECT_FALSE(header_of(golden(kVersion5)).constant_tsc);
  EXPECT_TRUE(header_of(golden(kVersion5)).nonstop_tsc);
  EXPECT_FALSE(header_of(golden(kVersion2)).constant_tsc) << "reserved bits mean nothing";
  EXPECT_EQ(header_of(golden(kVersion2)).cycle_frequency, ~uint64_t{0});
}

TEST(XrayReader, TheHeadersBitsCountFromTheOtherEndInBigEndianLogs) {
  const host::XrayHeader header = header_of(golden(kBigEndian));
  EXPECT_EQ(header.byte_order, host::ByteOrder::kBig);
  EXPECT_TRUE(header.constant_tsc);
  EXPECT_FALSE(header.nonstop_tsc);
  EXPECT_EQ(header.cycle_frequency, 1'000'000'000u);
}

TEST(XrayReader, TheActionsOfFunctionRecords) {
  EXPECT_EQ(log_text(log_of(1,
                            "10 00 00 00 01 00 00 00  12 00 00 00 01 00 00 00"
                            "14 00 00 00 01 00 00 00  16 00 00 00 01 00 00 00")),
            "thread 7 cpu 3 tsc 0x1001 entry 1\n"
            "thread 7 cpu 3 tsc 0x1002 exit 1\n"
            "thread 7 cpu 3 tsc 0x1003 tail exit 1\n"
            "thread 7 cpu 3 tsc 0x1004 entry 1\n");
}

TEST(XrayReader, AnActionThatNothingIsKnownOfIsDamage) {
  for (const char* action : {"18", "1a", "1c", "1e"})
    EXPECT_EQ(log_text(log_of(
                  1, "10 00 00 00 01 00 00 00" + std::string(action) + "00 00 00 01 00 00 00")),
              "thread 7 cpu 3 tsc 0x1001 entry 1\n"
              "damage at 88, 8 bytes: a call's action is " +
                  std::to_string((std::stoi(action, nullptr, 16) >> 1) & 7) +
                  ", which is unknown\n");
}

TEST(XrayReader, EveryKindOfMetadataRecordHasItsVersions) {
  const std::string zeros = " 00 00 00 00 00 00 00 00 00 00 00 00 00 00 00";
  const auto is_read = [&](unsigned version, const char* first) {
    return log_text(log_of(version, first + zeros)).find("damage") == std::string::npos;
  };
  for (unsigned version = 1; version <= 5; ++version) {
    for (const char* always : {"01", "05", "07", "09", "0b"})
      EXPECT_TRUE(is_read(version, always)) << version << " " << always;
    EXPECT_EQ(is_read(version, "03"), version == 1) << "EndOfBuffer";
    EXPECT_EQ(is_read(version, "0f"), version >= 2) << "BufferExtents";
    EXPECT_EQ(is_read(version, "11"), version >= 5) << "TypedEvent";
    EXPECT_EQ(is_read(version, "13"), version >= 3) << "Pid";
    EXPECT_FALSE(is_read(version, "0d")) << "CallArgument without a call";
    for (const char* unknown : {"15", "17", "7f", "ff"}) EXPECT_FALSE(is_read(version, unknown));
  }
}

TEST(XrayReader, AThreadIdOfVersion1HasAllItsBitsAndIsReported) {
  std::string bytes = golden(kVersion1);
  bytes[35] = 1;
  EXPECT_TRUE(contains(log_text(bytes), "thread 65543 "));
  host::Result<host::XrayReader> reader = host::XrayReader::open(as_bytes(bytes), "log");
  while (reader.value().next() != nullptr) {
  }
  EXPECT_EQ(reader.value().wide_threads(), 1u);
}

TEST(XrayReader, PaddingBehindEndOfBufferMayHoldAnything) {
  std::string bytes = golden(kVersion1);
  const std::string buffer = bytes.substr(32);
  bytes[16] = static_cast<char>(176 + 24);
  for (const std::string& padding :
       {std::string(24, '\0'), std::string(24, '\xff'), buffer.substr(0, 24)})
    EXPECT_EQ(log_text(bytes + padding + buffer),
              std::string(kVersion1.text) + std::string(kVersion1.text));
}

TEST(XrayReader, BuffersFollowAtOnceWhereTheHeaderGivesNoSizeOrThatOfAll) {
  const std::string buffer = golden(kVersion1).substr(32);
  for (const unsigned size : {0u, 0xffu, 0xffffu}) {
    std::string bytes = golden(kVersion1);
    bytes[16] = static_cast<char>(size);
    bytes[17] = static_cast<char>(size >> 8u);
    EXPECT_EQ(log_text(bytes + (size == 0xff ? "" : buffer)),
              std::string(kVersion1.text) + (size == 0xff ? "" : std::string(kVersion1.text)));
  }
}

TEST(XrayReader, LogsEndToEnd) {
  std::string bytes;
  std::string text;
  for (const GoldenLog* log : {&kVersion1, &kVersion1, &kVersion3, &kVersion5, &kBigEndian}) {
    bytes += golden(*log);
    text += log->text;
  }
  EXPECT_EQ(log_text(bytes), text);
}

TEST(XrayReader, TimesOfALaterLogAreInTheFirstOnesTicks) {
  std::string half = golden(kVersion4);
  half[8] = '\xf4', half[9] = 1;  // 500 ticks a second
  EXPECT_TRUE(contains(log_text(golden(kVersion4) + half), "thread 8 cpu 3 tsc 0x6000 entry 5"));
}

TEST(XrayReader, WhatIsNoLogIsSaidToBeNone) {
  EXPECT_EQ(log_text(""), "log: no XRay log: 0 bytes are less than its header's 32\n");
  EXPECT_EQ(log_text(golden(kVersion1).substr(0, 31)),
            "log: no XRay log: 31 bytes are less than its header's 32\n");
  for (const unsigned version : {0u, 6u}) {
    EXPECT_EQ(log_text(log_of(version, "")),
              "log: no XRay flight data recorder log of versions 1 to 5: its header says version " +
                  std::to_string(version) +
                  ", type 1. Hint: record the log again, in flight data recorder mode\n");
  }
  std::string other = golden(kVersion1);
  other[2] = 0;
  EXPECT_TRUE(contains(log_text(other), "version 1, type 0"));
}

TEST(XrayReader, CutAnywhereItReadsWhatIsThere) {
  for (const GoldenLog* log : kGoldenLogs) {
    const std::string whole = golden(*log);
    for (size_t size = 32; size < whole.size(); ++size) {
      const std::string text = log_text(whole.substr(0, size));
      const std::string records = text.substr(0, text.find("damage"));
      // Arguments at the cut are lost with it.
      const std::string known = records.substr(0, records.empty() ? 0 : records.size() - 1);
      EXPECT_EQ(std::string(log->text).substr(0, known.size()), known) << log->name << size;
    }
  }
}

TEST(XrayReader, DamageStaysInItsBuffer) {
  std::string bytes = golden(kVersion4);
  bytes[32 + 16 + 48] = '\x1f';  // the first record behind the preamble, of an unknown kind
  EXPECT_EQ(log_text(bytes),
            "thread 8 cpu 3 tsc 0x3000 entry 5\ndamage at 96, 25 bytes: a record of kind 15, which "
            "is unknown\n");
}

TEST(XrayReader, BehindAClaimBeyondTheEndTheNextBufferIsFound) {
  std::string bytes = golden(kVersion4);
  bytes[32 + 3] = 1;             // extents of 65609 bytes
  bytes[32 + 16 + 48] = '\x1f';  // an unknown kind in it
  EXPECT_EQ(
      log_text(bytes),
      "thread 8 cpu 3 tsc 0x3000 entry 5\ndamage at 48, 0 bytes: a buffer of 65609 bytes, "
      "only 150 of them there\ndamage at 96, 30 bytes: a record of kind 15, which is unknown\n");
}

TEST(XrayReader, AnEventLongerThanItsBufferIsDamage) {
  for (const char* size : {"02 00 00 00", "ff ff ff ff", "ff ff ff 7f"})
    EXPECT_TRUE(contains(
        log_text(log_of(5, "0b " + std::string(size) + "00 00 00 00 00 00 00 00 00 00 00 61")),
        "damage at 80, 17 bytes: an event of "));
}

TEST(XrayReader, CallsAheadOfTheirThreadOrTimeAreDamage) {
  const std::string header = golden(kVersion2).substr(0, 32);
  const std::string extents = bytes_of_hex("0f 08 00 00 00 00 00 00 00 00 00 00 00 00 00 00");
  EXPECT_EQ(log_text(header + extents + bytes_of_hex("10 00 00 00 01 00 00 00")),
            "damage at 48, 8 bytes: a call ahead of its buffer's thread, CPU and time\n");
}

TEST(XrayReader, ADeltaOfAnEventMayBeNegative) {
  EXPECT_EQ(log_text(log_of(5,
                            "0b 01 00 00 00 ff ff ff ff 00 00 00 00 00 00 00 61"
                            "10 00 00 00 02 00 00 00")),
            "thread 7 cpu 3 tsc 0xfff custom event a\n"
            "thread 7 cpu 3 tsc 0x1001 entry 1\n");
}

}  // namespace
}  // namespace barefxt::test::xray_reader_test
