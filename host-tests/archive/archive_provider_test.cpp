// References for any text and any thread, with any content of the tables, judged by the plain
// decoder.
#include "archive/archive_provider.h"

#include <gtest/gtest.h>
#include <random>
#include <string>

#include "memory_sink.h"
#include "reader/plain_decoder.h"

namespace barefxt::test::archive_provider_test {
namespace {

using host::ArchiveArgument;
using host::ArchiveProvider;
using host::ArchiveText;
using host::ArchiveThread;
using host::ArchiveWriter;
using host::ByteOrder;

// The smallest provider.
constexpr host::ArchiveTableLimits kSmall = {33, 3, size_t{2} << 20};

class Provider : public ::testing::Test {
 protected:
  PlainArchive finish() {
    EXPECT_TRUE(writer_.flush().ok());
    PlainArchive archive = decode_plainly(sink_.bytes());
    EXPECT_EQ(archive.problem_text(), "");
    return archive;
  }
  static void write(ArchiveProvider& provider, const std::string& category, const std::string& name,
                    uint64_t process, uint64_t thread) {
    host::ArchiveEvent event;
    event.category = provider.text(category);
    event.name = provider.text(name);
    event.thread = provider.thread(process, thread);
    EXPECT_TRUE(provider.records().event(event, {}));
  }

  MemorySink sink_;
  ArchiveWriter writer_{sink_, ByteOrder::kLittle};
};

TEST_F(Provider, RegistersAtFirstUse) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board");
  for (int i = 0; i < 3; ++i) write(provider, "cat", "name", 10, 11);
  write(provider, "", "cat", 10, 12);
  const PlainArchive archive = finish();
  EXPECT_EQ(archive.of_type(2).size(), 2u);
  EXPECT_EQ(archive.of_type(3).size(), 2u);
  const auto events = archive.of_type(4);
  ASSERT_EQ(events.size(), 4u);
  EXPECT_EQ(events[2].category, "cat");
  EXPECT_EQ(events[2].name, "name");
  EXPECT_EQ(events[3].category, "");
  EXPECT_EQ(events[3].thread, 12u);
}

TEST_F(Provider, HasAReferenceForMoreThanTheFormatCanNumber) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board");
  constexpr int kTexts = 80'000;
  for (int i = 0; i < kTexts; ++i)
    write(provider, "always", std::to_string(i), 10, static_cast<uint64_t>(i % 600));
  const auto events = finish().of_type(4);
  ASSERT_EQ(events.size(), size_t{kTexts});
  for (int i = 0; i < kTexts; ++i) {
    ASSERT_EQ(events[i].category, "always");
    ASSERT_EQ(events[i].name, std::to_string(i));
    ASSERT_EQ(events[i].thread, static_cast<uint64_t>(i % 600));
  }
  EXPECT_GT(provider.replacements(), 0u);
}

TEST_F(Provider, ReplacesWhatWasNotUsedForLongest) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board");
  for (int i = 0; i < 200'000; ++i) {
    (void)provider.text("always");
    (void)provider.text(std::to_string(i));
  }
  size_t registered = 0;
  for (const PlainRecord& record : finish().of_type(2)) registered += record.name == "always";
  EXPECT_EQ(registered, 1u);
}

TEST_F(Provider, NeverReplacesWhatTheRecordAtHandRefersTo) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board", kSmall);
  std::mt19937 random(5);
  const auto some_text = [&] { return "t" + std::to_string(random() % 60); };
  struct Expected {
    std::vector<std::string> texts;
    uint64_t from, to;
  };
  std::vector<Expected> expected;
  for (int i = 0; i < 2000; ++i) {
    Expected& one = expected.emplace_back();
    for (int k = 0; k < 32; ++k) one.texts.push_back(some_text());
    host::ArchiveEvent event;
    event.category = provider.text(one.texts[0]);
    event.name = provider.text(one.texts[1]);
    std::vector<ArchiveArgument> arguments;
    for (size_t k = 2; k < 32; k += 2) {
      const ArchiveText name = provider.text(one.texts[k]);
      arguments.push_back(ArchiveArgument::string(name, provider.text(one.texts[k + 1])));
    }
    EXPECT_TRUE(provider.records().event(event, arguments));
    one.from = random() % 8;
    one.to = random() % 8;
    host::ArchiveLegacyContextSwitch change;
    change.outgoing = provider.thread(1, one.from);
    change.incoming = provider.thread(1, one.to);
    provider.records().legacy_context_switch(change);
  }
  const PlainArchive archive = finish();
  const auto events = archive.of_type(4);
  const auto switches = archive.of_type(8);
  ASSERT_EQ(events.size(), expected.size());
  ASSERT_EQ(switches.size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    std::vector<std::string> found = {events[i].category, events[i].name};
    for (const PlainArgument& argument : events[i].arguments) {
      found.push_back(argument.name);
      found.push_back(argument.text);
    }
    ASSERT_EQ(found, expected[i].texts);
    ASSERT_EQ(switches[i].thread, expected[i].from);
    ASSERT_EQ(switches[i].other_thread, expected[i].to);
  }
}

TEST_F(Provider, KeepsNoMoreTextThanItMay) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board");
  for (int i = 0; i < 500; ++i) {
    std::string text(32'000, 'x');
    text.replace(0, 3, std::to_string(100 + i));
    write(provider, "c", text, 1, 1);
    EXPECT_LT(provider.memory(), size_t{8} << 20);
  }
  const auto events = finish().of_type(4);
  EXPECT_EQ(events.back().name.substr(0, 3), "599");
  EXPECT_EQ(events.back().name.size(), 32'000u);
}

TEST_F(Provider, MendsAndCutsTexts) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1,
                           "b\xff"
                           "d");
  write(provider, "a\x80z", "a?z", 1, 1);
  std::string euros;
  for (int i = 0; i < 11'000; ++i) euros += "\xe2\x82\xac";
  write(provider, euros, "a\x80z", 1, 1);
  write(provider, euros, "a\xffz", 1, 1);
  const PlainArchive archive = finish();
  EXPECT_EQ(archive.records[1].name, "b?d");
  const auto events = archive.of_type(4);
  EXPECT_EQ(events[0].category, "a?z");
  EXPECT_EQ(events[0].name, "a?z");
  EXPECT_EQ(events[1].category.size(), 31'998u);
  EXPECT_EQ(events[2].name, "a?z");
  EXPECT_EQ(archive.of_type(2).size(), 2u) << "what is the same once mended is registered once";
  EXPECT_EQ(provider.repaired_texts(), 2u) << "the provider's name, and a text";
  EXPECT_EQ(provider.cut_texts(), 1u);
}

TEST_F(Provider, AnnouncesWhileThereIsRoomAndReplacesNothingForIt) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board", kSmall);
  for (int i = 0; i < 40; ++i) provider.announce("text" + std::to_string(i));
  for (uint64_t i = 0; i < 5; ++i) provider.announce(1, i);
  EXPECT_EQ(provider.replacements(), ArchiveProvider(writer_, 2, "").replacements());
  write(provider, "text0", "text39", 1, 4);
  const PlainArchive archive = finish();
  EXPECT_EQ(archive.of_type(2).size(), 33u + 1u);
  EXPECT_EQ(archive.of_type(3).size(), 3u + 1u);
  EXPECT_EQ(archive.of_type(4)[0].name, "text39");
}

TEST_F(Provider, KeepsToItsSectionAndItsTables) {
  writer_.magic_number();
  ArchiveProvider one(writer_, 1, "one");
  one.records().initialization(1000);
  ArchiveProvider two(writer_, 2, "two");
  two.records().initialization(5);
  for (int i = 0; i < 3; ++i) {
    write(one, "same", "in one", 10, 11);
    write(two, "in two", "same", 10, 12);
    write(two, "in two", "again", 10, 13);
  }
  const PlainArchive archive = finish();
  const auto events = archive.of_type(4);
  ASSERT_EQ(events.size(), 9u);
  for (size_t i = 0; i < 9; ++i) EXPECT_EQ(events[i].provider, i % 3 == 0 ? 1u : 2u);
  EXPECT_EQ(events[6].category, "same");
  EXPECT_EQ(events[7].category, "in two");
  EXPECT_EQ(events[8].thread, 13u);
  EXPECT_EQ(archive.of_type(1)[0].provider, 1u);
  EXPECT_EQ(archive.of_type(1)[1].provider, 2u);
}

TEST_F(Provider, RegistersAgainWhatItHasForgotten) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board");
  write(provider, "c", "before", 1, 1);
  provider.forget();
  write(provider, "after", "c", 2, 2);
  const auto events = finish().of_type(4);
  EXPECT_EQ(events[0].category, "c");
  EXPECT_EQ(events[1].category, "after");
  EXPECT_EQ(events[1].name, "c");
  EXPECT_EQ(events[1].process, 2u);
}

TEST_F(Provider, NamesThreadsThatWereNeverRegistered) {
  writer_.magic_number();
  ArchiveProvider provider(writer_, 1, "board");
  for (const unsigned index : {9, 255, 9}) {
    const ArchiveThread unknown = provider.name_unknown_thread(index);
    write(provider, "c", "n", unknown.process, unknown.thread);
  }
  const PlainArchive archive = finish();
  const auto objects = archive.of_type(7);
  ASSERT_EQ(objects.size(), 3u) << "each named once";
  EXPECT_EQ(objects[0].name, "unknown threads");
  EXPECT_EQ(objects[1].name, "thread#9");
  EXPECT_EQ(objects[2].name, "thread#255");
  EXPECT_EQ(objects[2].argument("process")->bits, objects[0].value);
  EXPECT_EQ(archive.of_type(4)[1].thread, objects[2].value);
}

}  // namespace
}  // namespace barefxt::test::archive_provider_test
