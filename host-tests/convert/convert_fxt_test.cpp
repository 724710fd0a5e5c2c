// Archives made normal: the same content, in a form that no reader stumbles over.
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sstream>

#include "converting.h"
#include "goldens/goldens.h"
#include "reader/plain_decoder.h"

namespace barefxt::test::convert_fxt_test {
namespace {

using host::ArchiveArgument;
using host::ArchiveText;
using host::ByteOrder;
using host::Change;
using nlohmann::json;
using U = uint64_t;

std::vector<json> lines_of(const std::string& archive, host::FormOverrides overrides = {}) {
  std::vector<json> lines;
  std::istringstream text(json_of(archive, overrides));
  for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
  return lines;
}

// Problems that the plain decoder finds in an archive, except values that no rule forbids although
// some viewer minds them.
std::string problems_of(const std::string& archive) {
  std::string text;
  for (const std::string& problem : decode_plainly({archive.begin(), archive.end()}).problems) {
    if (problem.find("thread state") != std::string::npos) continue;
    if (problem.find("Perfetto gives up") != std::string::npos) continue;
    text += problem + "\n";
  }
  return text;
}

void hint(json& text) {
  std::string bytes = text.get<std::string>();
  for (size_t at = 0; (at = bytes.find("\xEF\xBF\xBD")) != std::string::npos;)
    bytes.replace(at, 3, "?");
  text = bytes;
}

// A reference that was never registered, as it is to be called.
void name_reference(json& object, const std::string& key) {
  if (object.contains(key + "_ref")) {
    object[key] = "string#" + std::to_string(object[key + "_ref"].get<int>());
    object.erase(key + "_ref");
  }
  if (object.contains(key) && object[key].is_string()) hint(object[key]);
}

void name_thread(json& object) {
  if (!object.contains("thread_ref")) return;
  const U koid = 0x7d000000;
  if (object.contains("thread")) object["thread"] = koid + object["thread_ref"].get<U>();
  object["process"] = koid;
  object.erase("thread_ref");
}

// The line that a record must have become; null if the record goes.
json expected(json line) {
  const std::string record = line["record"];
  for (const char* gone : {"magic", "string", "thread", "unknown", "malformed"})
    if (record == gone) return nullptr;
  if (record == "event" && line["event"].is_number()) return nullptr;
  if (record == "provider_event" && line["event"].is_number()) return nullptr;
  if (line.contains("end_timestamp") && line["end_timestamp"] < line["timestamp"]) return nullptr;
  for (const char* gone : {"offset", "extra_words", "scope"}) line.erase(gone);
  for (const char* key : {"name", "category", "message"}) name_reference(line, key);
  name_thread(line);
  for (const char* side : {"outgoing", "incoming"})
    if (line.contains(side)) name_thread(line[side]);
  if (!line.contains("args")) return line;
  json arguments = json::array();
  for (json argument : line["args"]) {
    if (argument["type"].is_number()) continue;
    argument.erase("extra_words");
    name_reference(argument, "name");
    if (argument["type"] == "string") name_reference(argument, "value");
    arguments.push_back(argument);
  }
  line["args"] = arguments;
  return line;
}

// The lines of a converted archive without what the conversion had to add.
std::vector<json> content_of(const std::string& archive) {
  std::vector<json> content;
  for (json line : lines_of(archive)) {
    const std::string record = line["record"];
    if (record == "magic" || record == "string" || record == "thread") continue;
    if (record == "kernel_object" && line["koid"].get<U>() >> 24 == 0x7d) continue;
    if (record == "provider_info" && line["name"].get<std::string>().starts_with("provider#"))
      continue;
    line.erase("offset");
    content.push_back(line);
  }
  return content;
}

host::FormOverrides overrides_of(const Golden& golden) {
  host::FormOverrides overrides;
  if (golden.old) overrides.dialect = host::Dialect::k2017;
  return overrides;
}

TEST(ConvertFxt, KeepsTheContentOfEveryGoldenInEitherByteOrder) {
  for (const Golden& golden : goldens()) {
    std::vector<json> wanted;
    for (const json& line : lines_of(little_endian(golden.pieces), overrides_of(golden))) {
      json one = expected(line);
      if (!one.is_null()) wanted.push_back(one);
    }
    for (const bool big_in : {false, true}) {
      for (const ByteOrder out : {ByteOrder::kLittle, ByteOrder::kBig}) {
        const std::string in = big_in ? big_endian(golden.pieces) : little_endian(golden.pieces);
        host::FormOverrides overrides = overrides_of(golden);
        overrides.byte_order = big_in ? ByteOrder::kBig : ByteOrder::kLittle;
        const Converted converted = to_fxt(in, out, overrides);
        EXPECT_EQ(content_of(converted.bytes), wanted) << golden.name;
        EXPECT_EQ(problems_of(converted.bytes), "") << golden.name;
        EXPECT_EQ(decode_plainly(converted.archive()).extended, 0u) << golden.name;
        EXPECT_EQ(static_cast<uint8_t>(converted.bytes[0]), out == ByteOrder::kBig ? 0 : 0x10);
      }
    }
  }
}

TEST(ConvertFxt, IsIdempotentForEveryGolden) {
  for (const Golden& golden : goldens()) {
    for (const ByteOrder order : {ByteOrder::kLittle, ByteOrder::kBig}) {
      const Converted once = to_fxt(little_endian(golden.pieces), order, overrides_of(golden));
      const Converted twice = to_fxt(once.bytes, order);
      EXPECT_EQ(once.bytes, twice.bytes) << golden.name;
      EXPECT_EQ(twice.messages(), "") << golden.name;
    }
  }
}

// Every byte of every golden, damaged: the output is sound for any input.
TEST(ConvertFxt, IsSoundAndIdempotentWhateverComesIn) {
  for (const Golden& golden : goldens()) {
    const std::string good = little_endian(golden.pieces);
    for (size_t at = 0; at < good.size(); ++at) {
      for (const int flip : {0x01, 0x10, 0x80, 0xff}) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ flip);
        const Converted once = to_fxt(bad);
        ASSERT_EQ(problems_of(once.bytes), "") << golden.name << " at " << at << " ^ " << flip;
        ASSERT_EQ(once.bytes, to_fxt(once.bytes).bytes)
            << golden.name << " at " << at << " ^ " << flip;
      }
    }
  }
}

TEST(ConvertFxt, CountsWhatIsMissingAndWhatIsOtherwise) {
  const auto changes_in = [](const char* name) {
    return to_fxt(little_endian(golden(name).pieces)).changes;
  };
  const host::ChangeCounts events = changes_in("every event type, indexed");
  EXPECT_EQ(events.of(Change::kUnknownEvent), 1u);
  EXPECT_EQ(events.of(Change::kExtraWords), 1u);
  EXPECT_EQ(events.of(Change::kNamelessString), 2u);
  EXPECT_EQ(events.of(Change::kNamelessThread), 1u);
  EXPECT_TRUE(events.lost());
  const host::ChangeCounts arguments = changes_in("every argument type");
  EXPECT_EQ(arguments.of(Change::kUnknownArgument), 1u);
  EXPECT_EQ(arguments.of(Change::kExtraWords), 1u);
  EXPECT_EQ(arguments.of(Change::kRepairedText), 1u);
  const host::ChangeCounts scope = changes_in("events with everything inline");
  EXPECT_EQ(scope.of(Change::kScope), 1u);
  EXPECT_FALSE(scope.lost()) << "a scope is nothing that the format knows";
  EXPECT_EQ(changes_in("metadata and tables").of(Change::kUndeclaredProvider), 1u);
}

TEST(ConvertFxt, AnArchiveThatIsNormalComesOutByteForByte) {
  const std::string archive = written([](host::ArchiveWriter& writer) {
    host::ArchiveProvider provider(writer, 3, "board");
    provider.records().initialization(1000);
    for (const char* text : {"cat", "name", "never used"}) (void)provider.text(text);
    for (U i = 0; i < 100; ++i) {
      host::ArchiveEvent event;
      event.timestamp = i;
      event.thread = provider.thread(1, i % 20);
      event.category = provider.text("cat");
      event.name = i % 2 == 0 ? provider.text("name") : ArchiveText::spelled_out("inline");
      EXPECT_TRUE(provider.records().event(event, {}));
    }
  });
  const Converted converted = to_fxt(archive);
  EXPECT_EQ(converted.bytes, archive);
  EXPECT_EQ(converted.messages(), "");
}

TEST(ConvertFxt, AFullBufferAheadOfAnyProviderStaysWhereItIs) {
  const std::string archive = written([](host::ArchiveWriter& writer) {
    host::ArchiveEvent event;
    event.thread = {.process = 1, .thread = 2};
    EXPECT_TRUE(writer.event(event, {}));
    writer.provider_event(3, fxt::ProviderEvent::kBufferFull);
    EXPECT_TRUE(writer.event(event, {}));
  });
  const Converted converted = to_fxt(archive);
  EXPECT_EQ(converted.bytes, archive);
  EXPECT_EQ(converted.messages(), "");
}

TEST(ConvertFxt, LeavesOutEndsBeforeTheirBeginsAndGivesEveryClockARate) {
  const std::string archive = written([](host::ArchiveWriter& writer) {
    writer.provider_info(1, "p");
    writer.initialization(0);
    host::ArchiveEvent event = {.type = fxt::EventType::kDurationComplete, .timestamp = 9};
    event.trailing_word = 8;
    EXPECT_TRUE(writer.event(event, {}));
    event.trailing_word = 9;
    EXPECT_TRUE(writer.event(event, {}));
  });
  const Converted converted = to_fxt(archive);
  EXPECT_EQ(converted.changes.of(Change::kEndBeforeBegin), 1u);
  EXPECT_EQ(converted.changes.of(Change::kNoTicks), 1u);
  const PlainArchive plain = decode_plainly(converted.archive());
  EXPECT_EQ(plain.problem_text(), "");
  EXPECT_EQ(plain.of_type(1)[0].value, 1'000'000'000u);
  ASSERT_EQ(plain.of_type(4).size(), 1u);
  EXPECT_EQ(plain.of_type(4)[0].value, 9u);
}

TEST(ConvertFxt, CleansReservedBitsAndPadding) {
  const std::string dirty = little_endian({
      W(kMagic),
      W(U{1} << 0 | U{2} << 4 | U{1} << 63, 9),
      W(U{2} << 0 | U{2} << 4 | U{1} << 16 | U{1} << 31 | U{1} << 32),
      S("cdirty!!"),
      W(U{4} << 0 | U{5} << 4 | U{1} << 20 | U{1} << 32 | U{1} << 48, 1, 10, 11),
      W(U{0} << 0 | U{1} << 4 | U{1} << 16 | U{5} << 40),
  });
  ASSERT_NE(problems_of(dirty), "");
  const Converted converted = to_fxt(dirty);
  EXPECT_EQ(problems_of(converted.bytes), "");
  EXPECT_EQ(converted.changes.of(Change::kReservedBits), 3u);
  EXPECT_FALSE(converted.changes.lost());
}

TEST(ConvertFxt, PutsTheMagicNumberFirstAndOnce) {
  const std::string without =
      little_endian({W(U{1} << 0 | U{2} << 4, 9), W(kMagic), W(U{1} << 0 | U{2} << 4, 9)});
  const std::string with = to_fxt(without).bytes;
  EXPECT_EQ(with,
            little_endian({W(kMagic), W(U{1} << 0 | U{2} << 4, 9), W(U{1} << 0 | U{2} << 4, 9)}));
}

TEST(ConvertFxt, RewritesLargeRecordsSoThatNobodyReadsTheirPayloadAsRecords) {
  std::string payload;
  for (int i = 0; i < 200'000; ++i) payload += static_cast<char>(i * 31 >> 3);
  const ArchiveArgument argument = ArchiveArgument::uint32(ArchiveText::spelled_out("n"), 5);
  for (const bool is_event : {true, false}) {
    const std::string archive = written([&](host::ArchiveWriter& writer) {
      const host::ArchiveLargeBlob blob = {ArchiveText::spelled_out("cat"),
                                           ArchiveText::spelled_out("big"),
                                           is_event,
                                           77,
                                           {.index = 0, .process = 1, .thread = 2}};
      EXPECT_TRUE(writer.large_blob(blob, {&argument, 1}, payload));
      EXPECT_TRUE(writer.large_blob(blob, {&argument, 1}, "small"));
    });
    const Converted converted = to_fxt(archive);
    EXPECT_EQ(converted.changes.of(Change::kSplitLarge), 1u);
    EXPECT_FALSE(converted.changes.lost());
    EXPECT_EQ(to_fxt(converted.bytes).bytes, converted.bytes);
    const PlainArchive plain = decode_plainly(converted.archive());
    EXPECT_EQ(plain.problem_text(), "");
    std::string joined;
    std::vector<PlainRecord> large;
    for (size_t i = 0; i < plain.records.size(); ++i) {
      const PlainRecord& record = plain.records[i];
      const size_t next =
          i + 1 < plain.records.size() ? plain.records[i + 1].offset : converted.bytes.size();
      EXPECT_LT(next - record.offset, size_t{4096} * 8);
      if (record.type == 5) {
        EXPECT_EQ(record.name, "big");
        joined += record.payload;
      }
      if (record.type == 15) large.push_back(record);
    }
    EXPECT_EQ(joined, payload);
    ASSERT_EQ(large.size(), 2u);
    for (const PlainRecord& record : large) {
      EXPECT_EQ(record.category, "cat");
      EXPECT_EQ(record.name, "big");
      if (!is_event) continue;
      EXPECT_EQ(record.timestamp, 77u);
      EXPECT_EQ(record.thread, 2u);
      EXPECT_EQ(record.argument("n")->bits, 5u);
    }
    EXPECT_EQ(large[0].payload, "");
    EXPECT_EQ(large[1].payload, "small");
  }
}

TEST(ConvertFxt, TakesLargeRecordsApartFrom4096WordsOn) {
  // Header, format header, name, the payload's size.
  for (const size_t words : {4095, 4096}) {
    const std::string payload((words - 4) * 8, 'x');
    const std::string archive = written([&](host::ArchiveWriter& writer) {
      EXPECT_TRUE(writer.large_blob({{}, ArchiveText::spelled_out("n")}, {}, payload));
    });
    ASSERT_EQ(archive.size(), 8 + words * 8);
    const Converted converted = to_fxt(archive);
    EXPECT_EQ(converted.changes.of(Change::kSplitLarge), words == 4096 ? 1u : 0u);
    EXPECT_EQ(converted.bytes == archive, words == 4095);
    EXPECT_EQ(problems_of(converted.bytes), "");
  }
}

TEST(ConvertFxt, DropsTheArgumentsThatNoSmallRecordCanHold) {
  const std::string bytes(size_t{2000} * 8, 'x');
  const std::vector<ArchiveArgument> arguments(
      5, ArchiveArgument::blob(ArchiveText::spelled_out("b"), bytes));
  const Converted converted = to_fxt(written([&](host::ArchiveWriter& writer) {
    EXPECT_TRUE(writer.large_blob({{}, ArchiveText::spelled_out("n"), true}, arguments, "end"));
  }));
  EXPECT_EQ(converted.changes.of(Change::kLargeArgument), 3u);
  const PlainArchive plain = decode_plainly(converted.archive());
  EXPECT_EQ(plain.problem_text(), "");
  EXPECT_EQ(plain.of_type(15)[0].arguments.size(), 2u);
  EXPECT_EQ(plain.of_type(5)[0].payload, "end");
}

TEST(ConvertFxt, TodaysNumbersForA2017Archive) {
  for (const Golden& golden : goldens()) {
    if (!golden.old) continue;
    const Converted converted =
        to_fxt(little_endian(golden.pieces), ByteOrder::kLittle, overrides_of(golden));
    // Read as today's, there is nothing to guess.
    EXPECT_TRUE(host::guess_form(as_bytes(converted.bytes)).notes.empty());
    EXPECT_EQ(problems_of(converted.bytes), "");
  }
}

// Indices registered anew all the time, from many more texts than an archive can number at once.
TEST(ConvertFxt, KeepsTextsApartThoughTheirIndicesAreUsedAgain) {
  constexpr int kRounds = 40'000;
  const std::string archive = written([](host::ArchiveWriter& writer) {
    for (int i = 0; i < kRounds; ++i) {
      writer.string(1, "text" + std::to_string(i));
      writer.string(static_cast<unsigned>(2 + i % 30'000), "unused" + std::to_string(i));
      writer.thread(1, 1, static_cast<U>(i));
      host::ArchiveEvent event;
      event.name = ArchiveText::indexed(1);
      event.thread.index = 1;
      EXPECT_TRUE(writer.event(event, {}));
    }
  });
  const Converted converted = to_fxt(archive);
  const PlainArchive plain = decode_plainly(converted.archive());
  EXPECT_EQ(plain.problem_text(), "");
  const auto events = plain.of_type(4);
  ASSERT_EQ(events.size(), size_t{kRounds});
  for (int i = 0; i < kRounds; ++i) {
    ASSERT_EQ(events[i].name, "text" + std::to_string(i));
    ASSERT_EQ(events[i].thread, static_cast<U>(i));
  }
  EXPECT_TRUE(to_fxt(converted.bytes).bytes == converted.bytes);
}

// Else the second conversion, which sees no text registered twice, would replace another entry.
TEST(ConvertFxt, RegisteringATextAgainIsNoUseOfIt) {
  const std::string archive = written([](host::ArchiveWriter& writer) {
    for (unsigned index = 1; index <= 0x7fff; ++index)
      writer.string(index, "text" + std::to_string(index == 3 ? 1 : index));
    writer.string(3, "text3");
    for (const unsigned index : {4U, 1U, 2U}) {
      if (index == 4) writer.string(index, "one too many");
      EXPECT_TRUE(writer.event({.name = ArchiveText::indexed(index)}, {}));
    }
    writer.string(4, "and another");
    EXPECT_TRUE(writer.event({.name = ArchiveText::indexed(4)}, {}));
  });
  const Converted converted = to_fxt(archive);
  EXPECT_TRUE(to_fxt(converted.bytes).bytes == converted.bytes);
}

TEST(ConvertFxt, ManyProvidersTakeBoundedMemoryAndStayApart) {
  constexpr uint32_t kProviders = 3000;
  const std::string archive = written([](host::ArchiveWriter& writer) {
    for (uint32_t id = 0; id < kProviders; ++id) {
      writer.provider_info(id, "p" + std::to_string(id));
      writer.string(1, "of " + std::to_string(id));
    }
    for (uint32_t id = kProviders - 1000; id < kProviders; ++id) {
      writer.provider_section(id);
      EXPECT_TRUE(writer.event({.name = ArchiveText::indexed(1)}, {}));
    }
  });
  const Converted converted = to_fxt(archive);
  const PlainArchive plain = decode_plainly(converted.archive());
  EXPECT_EQ(plain.problem_text(), "");
  for (const PlainRecord& event : plain.of_type(4))
    EXPECT_EQ(event.name, "of " + std::to_string(event.provider));
  EXPECT_EQ(converted.changes.of(Change::kForgotten), kProviders - 1024);
}

}  // namespace
}  // namespace barefxt::test::convert_fxt_test
