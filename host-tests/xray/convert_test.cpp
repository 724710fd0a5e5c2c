// XRay logs rewritten, and as archives.
#include <gtest/gtest.h>

#include <barefxt/host/calls_to_log.h>
#include <barefxt/host/convert_xray.h>

#include "archive/memory_sink.h"
#include "golden_logs.h"
#include "xray_harness.h"

namespace barefxt::test::convert_test {
namespace {

struct Converted {
  std::string bytes;
  host::XrayChanges changes;
};

template <typename Convert>
Converted converted(const std::string& bytes, const Convert& convert) {
  const auto log = host::XrayLog::open(as_bytes(bytes), "log");
  MemorySink sink;
  const host::Result<host::XrayChanges> changes = convert(*log.value(), sink);
  EXPECT_TRUE(changes.ok());
  return {{sink.bytes().begin(), sink.bytes().end()}, changes.value()};
}

Converted to_fdr(const std::string& bytes, unsigned version) {
  return converted(bytes, [&](const host::XrayLog& log, host::ByteSink& sink) {
    return host::xray_to_fdr(log, version, sink);
  });
}

Converted to_fxt(const std::string& bytes) {
  return converted(bytes, [&](const host::XrayLog& log, host::ByteSink& sink) {
    return host::xray_to_fxt(log, nullptr, sink, host::ByteOrder::kLittle);
  });
}

std::string golden(const GoldenLog& log) { return bytes_of_hex(log.hex); }

TEST(XrayConvert, RewritingChangesNoCallOrEvent) {
  for (const GoldenLog* log : kGoldenLogs)
    EXPECT_EQ(thread_text(to_fdr(golden(*log), 5).bytes), thread_text(golden(*log))) << log->name;
}

TEST(XrayConvert, RewritingAgainChangesNoByte) {
  for (const GoldenLog* log : kGoldenLogs) {
    for (const unsigned version : {1u, 3u, 5u}) {
      const std::string once = to_fdr(golden(*log), version).bytes;
      EXPECT_EQ(to_fdr(once, version).bytes, once) << log->name << " as " << version;
    }
  }
}

TEST(XrayConvert, ALogsOldFormatsSayTheSameButForTheirLimits) {
  for (const unsigned version : {1u, 3u}) {
    const Converted old = to_fdr(golden(kVersion5), version);
    EXPECT_EQ(old.bytes[0], static_cast<char>(version));
    EXPECT_EQ(old.changes.left_out_events, 1u) << "the typed event";
    EXPECT_EQ(old.changes.renumbered_threads, version == 1 ? 1u : 0u);
    const char* thread = version == 1 ? "thread 1 " : "process 42 thread 70000 ";
    EXPECT_EQ(thread_text(old.bytes).rfind(thread + std::string("cpu 3 tsc 0x1010 entry 5"), 0), 0u)
        << thread_text(old.bytes);
  }
}

TEST(XrayConvert, AThreadsBuffersBecomeOneBlock) {
  const std::string bytes = golden(kVersion3) + golden(kVersion3).substr(32);
  const std::string block = bytes_of_hex("01 70 11 01 00 00 00 00 00 00 00 00 00 00 00 00");
  const std::string rewritten = to_fdr(bytes, 5).bytes;
  ASSERT_TRUE(contains(rewritten, block));
  EXPECT_EQ(rewritten.find(block), rewritten.rfind(block));
}

TEST(XrayConvert, CallsAreDurationsInTheArchive) {
  const Converted archive = to_fxt(golden(kVersion5));
  const std::string json = json_of(archive.bytes);
  for (
      const char* line :
      {R"("ticks_per_second":1000000000})",
       R"("event":"duration_begin","timestamp":4112,"process":42,"thread":70000,"category":"function","name":"function#5","args":[]})",
       R"("event":"duration_begin","timestamp":4113,"process":42,"thread":70000,"category":"function","name":"function#6","args":[{"name":"argument 0","type":"uint64","value":1234605616436508552}]})",
       R"("event":"instant","timestamp":4114,"process":42,"thread":70000,"category":"xray","name":"custom event","args":[{"name":"payload","type":"blob","value":"YWJjZGVmZ2g="}]})",
       R"("event":"instant","timestamp":4115,"process":42,"thread":70000,"category":"xray","name":"typed event","args":[{"name":"type","type":"uint32","value":258},{"name":"payload","type":"blob","value":"aGk="}]})",
       R"("event":"duration_end","timestamp":4115,"process":42,"thread":70000,"category":"function","name":"function#6","args":[]})",
       R"("event":"duration_end","timestamp":8589934595,"process":42,"thread":70000,"category":"function","name":"function#5","args":[]})"})
    EXPECT_TRUE(contains(json, line));
  EXPECT_TRUE(lacks(json, "malformed"));
  EXPECT_EQ(archive.changes.nameless_functions, 2u);
}

TEST(XrayConvert, ThreadsAreInTheOrderOfTime) {
  const std::string json = json_of(to_fxt(golden(kVersion2)).bytes);
  const size_t first = json.find(R"("timestamp":6,)");
  EXPECT_LT(first, json.find(R"("timestamp":7,)"));
  EXPECT_LT(json.find(R"("timestamp":7,)"), json.find(R"("timestamp":4294967295,)"));
}

TEST(XrayConvert, AnEventTooLargeForARecordIsInBlobsBehindIt) {
  std::string bytes = golden(kVersion4).substr(0, 32) + golden(kVersion1).substr(32, 48) +
                      bytes_of_hex("0b 00 00 01 00 00 20 00 00 00 00 00 00 04 00 00");
  bytes[0] = 2;
  bytes += std::string(65536, 'x');
  const std::string json = json_of(to_fxt(bytes).bytes);
  EXPECT_TRUE(contains(json, R"("name":"custom event","args":[]})"));
  EXPECT_TRUE(contains(json, R"("record":"blob","provider":1,"name":"custom event")"))
      << json.substr(0, 1000);
}

// The content of a log made of an archive's events, without a map of functions.
std::string events_of(const std::string& archive) {
  host::CallsToLog calls{host::InstrumentationMap()};
  host::Reader reader(as_bytes(archive), host::Form{});
  reader.walk([&](const auto& view, const host::Place& place) {
    host::Record record;
    record.offset = place.offset;
    record.content = view;
    calls.see(record, reader.provider());
  });
  EXPECT_TRUE(calls.finish().ok());
  return thread_text({reinterpret_cast<const char*>(calls.log().data()), calls.log().size()});
}

TEST(XrayConvert, EventsOfAnArchiveAreALogAgain) {
  EXPECT_EQ(events_of(to_fxt(golden(kVersion5)).bytes),
            "process 42 thread 70000 cpu 0 tsc 0x1012 custom event abcdefgh\n"
            "process 42 thread 70000 cpu 0 tsc 0x1013 typed event 258 hi\n");
}

TEST(XrayConvert, APayloadInBlobsBehindItsEventIsTheEventsAgain) {
  const std::string event = bytes_of_hex("0b 00 00 01 00 00 20 00 00 00 00 00 00 04 00 00");
  std::string bytes = golden(kVersion4).substr(0, 32) + golden(kVersion1).substr(32, 48) + event;
  bytes[0] = 2;
  std::string payload(65536, 'x');
  for (size_t i = 0; i < payload.size(); ++i) payload[i] = static_cast<char>('a' + i % 23);
  // Two of them: the first ends where the second begins.
  const std::string expected = events_of(to_fxt(bytes + payload + event + payload).bytes);
  const std::string one = " custom event " + payload + "\n";
  const size_t first = expected.find(one);
  ASSERT_NE(first, std::string::npos) << expected.size();
  EXPECT_NE(expected.find(one, first + one.size()), std::string::npos);
  EXPECT_EQ(expected.size(), 2 * (first + one.size()));
}

}  // namespace
}  // namespace barefxt::test::convert_test
