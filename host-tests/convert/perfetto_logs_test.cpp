// Logs once more, as packets of Perfetto's own: read by field numbers as its public schema has
// them, and nowhere else taken for something that a target wrote.
#include <gtest/gtest.h>
#include <set>

#include <barefxt/host/blob_streams.h>
#include <barefxt/host/lint.h>
#include <barefxt/host/stats.h>

#include "converting.h"
#include "goldens/goldens.h"
#include "plain_proto.h"
#include "reader/plain_decoder.h"
#include "rebuild/rebuild_harness.h"
#include "stats/summing.h"

namespace barefxt::test::perfetto_logs_test {
namespace {

using host::ArchiveText;
using host::ArchiveWriter;
using host::LogPackets;
using U = uint64_t;

std::string with_logs(const std::string& archive) {
  return to_fxt(archive, host::ByteOrder::kLittle, {}, LogPackets::kAdd).bytes;
}

// The bytes that a reader without knowledge of barefxt hands to Perfetto's importer of packets.
std::string packets_in(const std::string& archive) {
  std::string packets;
  for (const PlainRecord& record : decode_plainly({archive.begin(), archive.end()}).records)
    if (record.type == 5 && record.subtype == 3)
      packets.append(record.payload.begin(), record.payload.end());
  return packets;
}

struct ShownLog {
  U time;
  U process;
  U thread;
  std::string text;
  auto operator<=>(const ShownLog&) const = default;
};

// As the trace processor puts them together: tracks by their numbers, texts by those of a sequence
// that starts anew at each.
std::vector<ShownLog> shown_in(const std::string& packets) {
  std::vector<ShownLog> shown;
  std::map<U, PlainProto> tracks;
  std::map<std::pair<U, U>, U> numbers;
  const PlainProto trace(packets);
  EXPECT_TRUE(trace.whole());
  for (const PlainProto::Field& field : trace.fields()) {
    EXPECT_EQ(field.number, 1U) << "nothing but packets";
    const PlainProto packet(field.bytes);
    EXPECT_TRUE(packet.whole());
    EXPECT_FALSE(packet.has(58)) << "a clock besides the archive's";
    EXPECT_GT(packet.number(10), 0xffffU) << "a sequence that a target may use";
    if (packet.has(60)) {
      const PlainProto thread = packet.message(60).message(4);
      tracks.insert_or_assign(packet.message(60).number(1), thread);
      const auto [known, is_new] =
          numbers.try_emplace({thread.number(1), thread.number(2)}, packet.message(60).number(1));
      EXPECT_EQ(known->second, packet.message(60).number(1)) << "two tracks of a thread";
      continue;
    }
    const PlainProto event = packet.message(11);
    EXPECT_EQ(packet.number(13), 3U) << "depends on earlier packets";
    EXPECT_EQ(event.number(9), 3U) << "no instant";
    const PlainProto text = packet.message(12).message(20);
    EXPECT_EQ(event.message(21).number(2), text.number(1));
    EXPECT_EQ(event.text(23), text.text(2));
    const auto track = tracks.find(event.number(11));
    if (track == tracks.end()) {
      ADD_FAILURE() << "on no track";
      continue;
    }
    shown.push_back(
        {packet.number(8), track->second.number(1), track->second.number(2), text.text(2)});
  }
  EXPECT_EQ(tracks.size(), numbers.size()) << "threads share a track";
  return shown;
}

// Two providers with clocks of their own; the packets of a target between their logs.
std::string archive_with_logs() {
  return written([](ArchiveWriter& writer) {
    writer.provider_info(1, "fast");
    writer.initialization(3'000'000'000);
    writer.string(1, "barefxt_log");
    writer.thread(1, 10, 11);
    writer.log(10, {1, 0, 0}, "at 3.33 ns");
    writer.log(10, {0, 0x1'0000'000a, 12}, "cut as the importer cuts");
    writer.blob(ArchiveText::spelled_out("barefxt_log"), fxt::BlobType::kData, "no packets");
    writer.blob(ArchiveText::spelled_out("packets"), fxt::BlobType::kPerfetto, "");
    writer.provider_info(2, "slow");
    writer.initialization(1000);
    writer.log(7, {0, 10, 11}, "at 7 ms \xc3\xa4");
    writer.log(8, {0, 0, 0}, "");
    writer.log(~U{0}, {0, 10, 11}, "beyond 63 bits of ns");
    writer.log(9, {0, 10, 11}, std::string(31'000, 'x'));
    writer.provider_section(1);
    writer.log(30, {1, 0, 0}, "at 10 ns");
  });
}

TEST(PerfettoLogs, ShowEachLogAtItsTimeOnItsThread) {
  const std::string archive = with_logs(archive_with_logs());
  EXPECT_EQ(decode_plainly({archive.begin(), archive.end()}).problem_text(), "");
  const std::vector<ShownLog> expected = {{3, 10, 11, "at 3.33 ns"},
                                          {3, 10, 12, "cut as the importer cuts"},
                                          {7'000'000, 10, 11, "at 7 ms \xc3\xa4"},
                                          {8'000'000, 0, 0, ""},
                                          {9'000'000, 10, 11, std::string(31'000, 'x')},
                                          {10, 10, 11, "at 10 ns"}};
  EXPECT_EQ(shown_in(packets_in(archive)), expected);
}

TEST(PerfettoLogs, AreAddedOnceAndTakeNothingAway) {
  std::vector<std::string> archives = {to_fxt(archive_with_logs()).bytes};
  for (const Golden& golden : goldens())
    if (!golden.old) archives.push_back(to_fxt(little_endian(golden.pieces)).bytes);
  for (const std::string& plain : archives) {
    const std::string with = with_logs(plain);
    EXPECT_EQ(with_logs(with), with);
    EXPECT_EQ(to_fxt(with).bytes, with);
    // Without the blobs, the records are the same.
    std::string left = with.substr(0, 8);
    host::Reader reader(as_bytes(with), {host::ByteOrder::kLittle, host::Dialect::kToday});
    while (const host::Record* record = reader.next()) {
      const auto* blob = std::get_if<host::Blob>(&record->content);
      const bool is_added = blob != nullptr && blob->name.bytes == "barefxt_log" && blob->type == 3;
      if (record->offset != 0 && !is_added)
        left.append(reinterpret_cast<const char*>(record->raw.data()), record->raw.size());
    }
    EXPECT_EQ(left, plain);
  }
}

std::set<std::string> rules_of(const std::string& archive) {
  const host::Form form = host::guess_form(as_bytes(archive)).form;
  std::set<std::string> rules;
  host::Linter linter(form,
                      [&](const host::Finding& finding) { rules.emplace(finding.rule->name); });
  host::Reader reader(as_bytes(archive), form);
  while (const host::Record* record = reader.next()) linter.see(*record, reader.provider());
  linter.finish();
  return rules;
}

TEST(PerfettoLogs, AreNoRecordsOfTheTargetsForOtherVerbs) {
  const std::string plain = written([](ArchiveWriter& writer) {
    writer.provider_info(1, "p");
    writer.initialization(1000);
    for (U time = 1; time < 9; ++time) writer.log(time, {0, 10, 11}, "line");
  });
  const std::string with = with_logs(plain);
  for (const auto& convert : {to_perfetto, to_chrome})
    EXPECT_TRUE(convert(with, {}).bytes == convert(plain, {}).bytes);
  for (const auto& convert : {to_perfetto, to_chrome, to_parquet})
    EXPECT_EQ(convert(with, {}).messages(), convert(plain, {}).messages());
  const auto described = [](const std::string& archive) {
    host::StringOutput out;
    host::Statistics statistics = statistics_in(archive);
    // Counts of all that is in the archive.
    statistics.records = 0;
    statistics.records_by_kind.clear();
    host::print_statistics(out, statistics);
    return out.take();
  };
  EXPECT_EQ(described(with), described(plain));
  host::BlobStreams blobs;
  host::Reader reader(as_bytes(with), host::guess_form(as_bytes(with)).form);
  while (const host::Record* record = reader.next()) EXPECT_FALSE(blobs.see(*record));
  // Perfetto skips the logs of one, and shows those of the other.
  EXPECT_TRUE(rules_of(plain).contains("record-not-shown"));
  EXPECT_FALSE(rules_of(with).contains("record-not-shown"));
}

// With and without losses, in both byte orders.
TEST(PerfettoLogs, AreTheSameFromRebuildAndFromConvert) {
  const auto log = [](U time, unsigned thread) {
    return Words{9 | U{3} << 4 | U{8} << 16 | U{thread} << 32, time, 0x676e696e6e757220};
  };
  for (const U lost : {0, 5}) {
    TestCapture capture = two_cpu_capture(2, 3);
    for (TestPiece& piece : capture.pieces) {
      const U time = piece.records.back()[1];
      piece.records.push_back(log(time + 1, 1));
      piece.records_lost = piece.segment == 0 ? 0 : lost;
    }
    capture.records_lost_in_all = {lost, lost};
    for (const host::ByteOrder order : {host::ByteOrder::kLittle, host::ByteOrder::kBig}) {
      const std::vector<Bytes> input = {binary_form(capture.frames())};
      const Bytes plain = rebuild(input, 0, order).archive;
      const Bytes with = rebuild(input, 0, order, LogPackets::kAdd).archive;
      const std::string converted =
          to_fxt({plain.begin(), plain.end()}, order, {}, LogPackets::kAdd).bytes;
      EXPECT_EQ(std::string(with.begin(), with.end()), converted);
      if (order == host::ByteOrder::kBig) continue;
      EXPECT_EQ(shown_in(packets_in(converted)).size(), capture.pieces.size());
    }
  }
}

}  // namespace
}  // namespace barefxt::test::perfetto_logs_test
